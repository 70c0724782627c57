"""What proves the dice of a recording, and what was tampered with if they are not proven.

Everything is checked that docs/dice.md lists, in its order, and each thing that does not fit is named by its line in the
file. Nothing here is needed to play: it reads what was written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from flagplot.core.errors import GameError
from flagplot.core.sides import SIDES
from flagplot.core.tape import Answered, Committed, Line, Linked, Opened, Revealed, Rolled, Typed
from flagplot.play.fair_dice import (
    HEX,
    PAGE,
    SERVER,
    FairDice,
    Halves,
    Terms,
    bound,
    bound_options,
    bound_share,
    dice_key,
    die,
    end_code,
    line_sum,
    start_code,
)
from flagplot.play.game import Game, Header
from flagplot.play.saves import Parsed
from flagplot.play.strict_dice import StrictDice, before, roll_key

NAMED = (FairDice.name, StrictDice.name)
MOST_NAMED = 5  # dice, or lines of odd form, that are named one by one
MISSING = "a line that stood here is missing"
MOST_DRAWS = 2**40  # far beyond any game: a number that was tampered with is no number to reckon with
FIRST_LINE = 2  # of the file: where its journal begins
KEY = re.compile(r"[0-9a-f]{32}")
ENDINGS = ("over", "closed")


class Proof(NamedTuple):
    """What was found in a recording: what does not fit; what is proven of its dice; the codes of its start and end."""

    findings: list[str]
    proven: bool
    words: str
    start: str
    end: str
    game: Game | None


def examine(parsed: Parsed, *, halves: Halves | None = None, start: str = "", end: str = "") -> Proof:
    """Check a whole recording: the file, its dice, and the game as the rules play it.

    `start` and `end` are the codes a player kept; `halves` are the players' own, where the host never opened its secret.
    """
    findings = [*parsed.troubles]
    dice = _Dice(parsed, halves)
    findings += dice.findings
    game: Game | None = None
    try:
        game = Game(parsed.header, parsed.journal)
    except GameError as trouble:
        findings.append(str(trouble))
    if game is not None:
        findings += _ending(game, dice.revealed, wanted=isinstance(parsed.header.fair, Terms) and halves is None)
    known_end = end_code(parsed.body) if dice.revealed else ""
    findings += _codes(dice.start, known_end, start, end)
    bound = dice.server != list(SIDES)  # where the server drew both shares, nobody bound the host but itself
    proven = bool(dice.secret) and not findings and (dice.checked or not dice.draws) and bound
    return Proof(findings, proven, dice.words(proven=proven, findings=bool(findings)), dice.start, known_end, game)


def found_in_dice(parsed: Parsed) -> list[str]:
    """What does not fit in the lines about dice and in the sums, without playing the game again."""
    return [*parsed.troubles, *_Dice(parsed, None).findings]


def _plain(code: str) -> str:
    return "".join(letter for letter in code.lower() if letter.isalnum())


def _codes(start: str, end: str, kept_start: str, kept_end: str) -> list[str]:
    """What the codes say that a player kept."""
    found = []
    if kept_start and _plain(kept_start) != _plain(start):
        found.append(
            f"the start code of this file is {start or 'missing'}, and you kept another: it is not what you were shown"
        )
    if kept_end and _plain(kept_end) != _plain(end):
        found.append(
            f"the end code of this file is {end or 'missing'}, and you kept another: something in it was altered"
        )
    return found


def _ending(game: Game, revealed: Revealed | None, *, wanted: bool) -> list[str]:
    """Whether a recording ends where its last line says."""
    if revealed is None:
        missing = "the last line is missing: the game is over, and the host's secret was not opened"
        return [missing] if wanted and game.over else []
    if revealed.ended == "over" and not game.over:
        return ["lines are missing before the last one: it says the game is over, and it is not"]
    if revealed.ended != ("over" if game.over else "closed"):
        return [f"the last line says that the game ended by {revealed.ended!r}, and it did not"]
    unsaid = not revealed.check and not game.over  # the rules could not play it when it was closed
    if revealed.check != game.table.check() and not unsaid:
        return ["the end of the game is another than the last line says: an answer or a die near the end was altered"]
    return []


class _Dice:
    """The dice of a recording, checked line by line."""

    def __init__(self, parsed: Parsed, halves: Halves | None) -> None:
        self.header, self.journal = parsed.header, list(enumerate(parsed.journal, FIRST_LINE))
        self.findings: list[str] = []
        self.start = ""
        self.secret = b""
        self.revealed: Revealed | None = None
        self.server: list[str] = []  # sides whose share or chain the server drew
        self.part, self.strict = "share", False
        self.draws = 0
        self.checked = False  # whether every die was looked at
        self.other_key = False  # whether something is wrong that every die depends on
        if self.header.dice == "typed":
            self._typed()
        terms = self.header.fair
        if not isinstance(terms, Terms):
            if self.header.dice in NAMED or any(
                isinstance(line, Opened | Linked | Revealed) for _, line in self.journal
            ):
                self.findings.append("line 1: what the host bound itself to is missing from the header")
            return
        if self.header.dice not in NAMED:
            self.findings.append(f"line 1: the dice are called {self.header.dice!r} and were fair dice")
        self.strict = self.header.dice == StrictDice.name
        self.terms = terms
        self._form(parsed.raw)
        self._reveal(halves)
        links = self._links() if self.strict else {}
        opened = {} if self.strict else self._shares()
        self._draws()
        if self.secret:
            self._terms(parsed.raw[0])
            if opened or links:
                self._dice(opened, links)
            self._sums(parsed.raw)

    def say(self, number: int, what: str) -> None:
        """Name what does not fit, and where."""
        self.findings.append(f"line {number}: {what}")

    def words(self, *, proven: bool, findings: bool) -> str:
        """What is proven of the dice, in a sentence."""
        if self.header.dice == "typed":
            return "Real dice were typed by one side and confirmed by the other: nothing more can be proven of them."
        if self.header.dice not in NAMED:
            return f"Nothing is proven of the dice: they are {self.header.dice} dice, to which nobody was bound."
        if proven:
            whose = f" The server drew the {self.part} of {' and '.join(self.server)}." if self.server else ""
            if self.strict:
                whose = f"{whose} Both sides released a link for each roll, so nobody knew a die before it fell."
            return (
                f"All {self.draws} dice are those that the host and both sides were bound to before the first.{whose}"
            )
        if findings:
            return "The dice are not proven: see what was found."
        if self.secret:
            return (
                f"All {self.draws} dice are those that the host was bound to before the first; but the server drew both "
                f"{self.part}s, and nothing proves that the host did not choose them."
            )
        return "The dice are unproven as yet: the host's secret is opened when the game ends."

    # -- one thing after the other -----------------------------------------------------------------

    def _form(self, raw: Sequence[bytes]) -> None:
        """Every line is written in the one form there is, so that no two readers can find different things in it."""
        odd = [number for number, text in enumerate(raw, 1) if not _is_in_form(text)]
        for number in odd[:MOST_NAMED]:
            self.say(number, "it is not in the form of a recording: a key twice, blanks, a fraction or odd escapes")
        if len(odd) > MOST_NAMED:
            self.findings.append(f"{len(odd)} lines in all are not in the form of a recording")
        missing = set(Header.__struct_fields__) - set(msgspec.json.decode(raw[0]))
        if missing:
            self.say(1, f"{' and '.join(sorted(missing))} is missing from the header")
        if not KEY.fullmatch(self.header.key):
            self.say(1, "the key of the recording is not 32 hexadecimal digits")
        for name in Terms.__struct_fields__[1:]:
            if not HEX.fullmatch(getattr(self.terms, name)):
                self.say(1, f"what the host was bound to ({name}) is not 64 hexadecimal digits")
        for number, line in self.journal:
            if isinstance(line, Typed):
                self.say(number, f"dice are typed in a game with {self.header.dice} dice")
            if isinstance(line, Linked) and not self.strict:
                self.say(number, f"a link is released in a game with {self.header.dice} dice")

    def _reveal(self, halves: Halves | None) -> None:
        """The host's secret, from the last line or from the players' halves."""
        found = [(number, line) for number, line in self.journal if isinstance(line, Revealed)]
        where, told = 0, halves
        if found:
            where, line = found[-1]
            self.revealed = line
            if len(found) > 1 or where != self.journal[-1][0]:
                self.say(where, "the host's secret is opened once, and nothing comes after it")
            if not (HEX.fullmatch(line.axis) and HEX.fullmatch(line.allies)):
                self.say(where, "a half of the host's secret is not 64 hexadecimal digits")
                return
            told = Halves(bytes.fromhex(line.axis), bytes.fromhex(line.allies))
            if line.ended not in ENDINGS:
                self.say(where, f"the game ended by {line.ended!r}: it is over, or it was closed")
        if told is not None:
            self._halves(where or 1, told)
        if found and halves is not None:
            self._halves(1, halves)
        if told is None:
            return
        if bound("host", self.terms.game, told.secret) != self.terms.host:
            self.say(where or 1, "the host's secret is not the one it was bound to in line 1")
            return
        self.secret = told.secret

    def _halves(self, number: int, told: Halves) -> None:
        for side, half, wanted in zip(SIDES, told, (self.terms.axis, self.terms.allies), strict=True):
            if bound(f"half {side}", self.terms.game, half) != wanted:
                self.say(number, f"the half of the host's secret given to {side} is not the one it was bound to")

    def _terms(self, first: bytes) -> None:
        """What is played is what the host was bound to; of the set-up every byte that stands in line 1."""
        game, header = self.terms.game, self.header
        if bound("edition", game, self.secret, header.edition) != self.terms.edition:
            self.say(1, f"the edition {header.edition!r} is not the one the host was bound to")
            self.other_key = True
        if bound_options(game, self.secret, header.options) != self.terms.options:
            self.say(1, "the options are not those the host was bound to")
        stands: dict[str, Any] = msgspec.json.decode(first)
        fingerprint = blake2b(msgspec.json.encode(stands["setup"], order="sorted"), digest_size=16).hexdigest()
        if bound("setup", game, self.secret, header.key, fingerprint) != self.terms.setup:
            self.say(1, "the set-up is not the one the host was bound to")

    def _shares(self) -> dict[str, bytes]:
        """Both sides bound themselves, then both opened their shares, then dice were rolled; {} if not."""
        bound_by: dict[str, tuple[int, Committed]] = {}
        opened: dict[str, bytes] = {}
        rolled = False
        for number, line in self.journal:
            if isinstance(line, Committed | Opened) and line.who not in SIDES:
                self.say(number, f"{line.who!r} is no side, and has no part in the dice")
            elif isinstance(line, Committed):
                late = f"{line.who} commits to a share after one was opened" if opened else ""
                self._commit(number, line, bound_by, late)
            elif isinstance(line, Opened):
                self._open(number, line, bound_by, opened)
            elif isinstance(line, Rolled) and not rolled:
                rolled = True
                for side in SIDES:
                    if side not in opened:
                        self.say(number, f"dice are rolled, and the share of {side} was never opened before")
        self._bound(bound_by, "share")
        return opened if set(opened) == set(SIDES) else {}

    def _commit(self, number: int, line: Committed, bound_by: dict[str, tuple[int, Committed]], late: str) -> None:
        if late or set(bound_by) == set(SIDES):
            self.say(number, late or f"{line.who} commits again after both sides were bound")
        if not HEX.fullmatch(line.commitment):
            self.say(number, f"the commitment of {line.who} is not 64 hexadecimal digits")
        if line.by not in (PAGE, SERVER):
            self.say(number, f"what {line.who} is bound to was drawn by {line.by!r}: neither a page nor the server")
        bound_by[line.who] = number, line

    def _open(
        self, number: int, line: Opened, bound_by: dict[str, tuple[int, Committed]], opened: dict[str, bytes]
    ) -> None:
        where, promised = bound_by.get(line.who, (0, None))
        if set(bound_by) != set(SIDES):
            self.say(number, f"the share of {line.who} is opened before both sides have committed to theirs")
        if line.who in opened:
            self.say(number, f"the share of {line.who} is opened twice")
        if not HEX.fullmatch(line.share):
            self.say(number, f"the share of {line.who} is not 64 hexadecimal digits")
            return
        opened[line.who] = bytes.fromhex(line.share)
        if promised and bound_share(line.who, self.terms.game, opened[line.who]) != promised.commitment:
            self.say(number, f"the share of {line.who} is not the one it was bound to in line {where}")
            self.other_key = True

    def _links(self) -> dict[int, dict[str, bytes]]:
        """Both sides bound themselves, and for each roll each released the next link of its chain; the links of each roll
        for which that is so, by its line."""
        bound_by: dict[str, tuple[int, Committed]] = {}
        last: dict[str, str] = {}
        now: dict[str, bytes] = {}
        found: dict[int, dict[str, bytes]] = {}
        for number, line in self.journal:
            if isinstance(line, Committed | Linked | Opened) and line.who not in SIDES:
                self.say(number, f"{line.who!r} is no side, and has no part in the dice")
            elif isinstance(line, Opened):
                self.say(number, "strict dice have links, not shares that are opened")
            elif isinstance(line, Committed):
                late = f"{line.who} commits to a chain after a link was released" if last else ""
                self._commit(number, line, bound_by, late)
            elif isinstance(line, Linked):
                self._link(number, line, bound_by, last, now)
                continue
            elif isinstance(line, Rolled):
                for side in SIDES:
                    if side not in now:
                        self.say(number, f"dice are rolled, and {side} released no link for them")
                if len(now) == len(SIDES):
                    found[number] = now
            now = {}
        self._bound(bound_by, "chain")
        return found

    def _link(
        self,
        number: int,
        line: Linked,
        bound_by: dict[str, tuple[int, Committed]],
        last: dict[str, str],
        now: dict[str, bytes],
    ) -> None:
        if set(bound_by) != set(SIDES):
            self.say(number, f"a link of {line.who} is released before both sides are bound to their chains")
        if line.who in now:
            self.say(number, f"{line.who} releases two links for one roll")
        if not HEX.fullmatch(line.link):
            self.say(number, f"the link of {line.who} is not 64 hexadecimal digits")
            return
        _, promised = bound_by.get(line.who, (0, None))
        expected = last.get(line.who) or (promised.commitment if promised else "")
        link = bytes.fromhex(line.link)
        if expected and before(line.who, self.terms.game, link).hex() != expected:
            after = "it is bound to" if line.who not in last else "it released before"
            self.say(number, f"the link of {line.who} is not the one that follows what {after}")
        last[line.who], now[line.who] = line.link, link

    def _bound(self, bound_by: dict[str, tuple[int, Committed]], what: str) -> None:
        """What both sides are bound to: the start code, and whether one copied the other."""
        if set(bound_by) != set(SIDES):
            return
        told = {side: each.commitment for side, (_, each) in bound_by.items()}
        self.start = start_code(self.terms, told)
        if told["axis"] == told["allies"]:
            self.say(bound_by["allies"][0], "both sides are bound to the same commitment: one was copied")
        self.server = [side for side in SIDES if bound_by[side][1].by == SERVER]
        self.part = what

    def _draws(self) -> None:
        """Draws are numbered in a row, undone ones included."""
        for number, line in self.journal:
            if not isinstance(line, Rolled):
                continue
            if line.source != self.header.dice:
                self.say(number, f"these dice came from {line.source!r}, not from the {self.header.dice} dice")
            if line.draw != self.draws:  # so that every number in a row is a small one
                missing = f"dice {self.draws} to {line.draw - 1} are missing before it"
                used = f"it uses draw {line.draw} again" if line.draw < self.draws else missing
                self.say(number, f"draws are numbered in a row: {used}")
            self.draws = line.draw + len(line.dice)
        if self.revealed and self.revealed.draws != self.draws:
            said, there = self.revealed.draws, self.draws
            self.say(self.journal[-1][0], f"{said} dice were drawn in all, and the last here is number {there - 1}")

    def _dice(self, opened: dict[str, bytes], links: dict[int, dict[str, bytes]]) -> None:
        """Every die is the one its draw gives."""
        game, edition = self.terms.game, self.header.edition
        key = dice_key(game, edition, self.secret, opened) if opened else b""
        if self.other_key:
            return  # every die would be wrong, and what is wrong has been named
        wrong, self.checked = 0, True
        for number, line in self.journal:
            if isinstance(line, Rolled) and 0 <= line.draw < MOST_DRAWS:
                if self.strict:
                    if number not in links:  # what is missing there has been named
                        continue
                    key = roll_key(game, edition, self.secret, line.draw, links[number])
                for place, shown in enumerate(line.dice):
                    true = die(key, line.draw + place)
                    wrong += shown != true
                    if shown != true and wrong <= MOST_NAMED:
                        self.say(
                            number, f"die {place + 1} (draw {line.draw + place}) shows {shown}; its draw gives {true}"
                        )
        if wrong > MOST_NAMED:
            self.findings.append(f"{wrong} dice in all are not those of their draws")

    def _sums(self, raw: Sequence[bytes]) -> None:
        """The line that was altered, dropped, added or moved, by the sums the last line has of all others."""
        if self.revealed is None:
            return
        sums, there = self.revealed.sums, [line_sum(self.secret, self.terms.game, each) for each in raw[:-1]]
        at = next((n for n, (one, two) in enumerate(zip(sums, there, strict=False)) if one != two), None)
        if at is None:
            if len(sums) > len(there):
                number = len(sums) - len(there)
                self.say(len(there) + 1, MISSING if number == 1 else f"{number} lines that stood here are missing")
            elif len(there) > len(sums):
                self.say(len(sums) + 1, f"{len(there) - len(sums)} lines were added here, before the last")
            return
        more, less = sums[at + 1 :], there[at + 1 :]
        what = "the header" if at == 0 else _kind(self.journal[at - 1][1])
        if more == less:
            self.say(at + 1, f"{what} was altered: its sum is not the one written down at the end")
        elif more == there[at:]:
            self.say(at + 1, MISSING)
        elif less == sums[at:]:
            self.say(at + 1, f"{what} was added here")
        elif more[:1] == [there[at]] and less[:1] == [sums[at]] and more[1:] == less[1:]:
            self.say(at + 1, "this line and the next have changed places")
        else:
            self.say(at + 1, f"{what} is not what stood here: from here on lines were altered, moved, dropped or added")

    def _typed(self) -> None:
        """Every roll of real dice was read alike by everybody who plays."""
        entered: dict[str, list[int]] = {}
        for number, line in self.journal:
            if isinstance(line, Typed):
                entered[line.who] = line.dice
                continue
            if isinstance(line, Rolled):
                wanted = [str(side) for side in self.header.people] or list(entered)[:1]
                for who in wanted:
                    if entered.get(who) != line.dice:
                        self.say(number, f"{who} never confirmed these dice")
            entered = {}


def _no_fraction(text: str) -> float:
    raise ValueError(f"{text} is no whole number")


_value = msgspec.json.Decoder(float_hook=_no_fraction)


def _is_in_form(line: bytes) -> bool:
    """Whether a line is as Flagplot writes it. A key that stands twice is gone when the line is written again."""
    try:
        return msgspec.json.encode(_value.decode(line)) == line
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


def _kind(line: Line) -> str:
    words = {Answered: "the answer", Rolled: "the roll", Committed: "the commitment", Opened: "the share"} | {
        Linked: "the link"
    }
    return f"{words.get(type(line), 'the line')} of {getattr(line, 'who', 'the dice')}"
