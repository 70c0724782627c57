"""A game: what was set up, under which rules, and everything that was answered and rolled. All else is recomputed.

Contract: whatever comes in, only PlayerError comes out of `submit`, `roll`, `undo` and `amend`; anything else is our bug.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

import msgspec

import flagplot
from flagplot.core.asks import Both, Decide, Roll
from flagplot.core.dice import DiceSource, SystemDice
from flagplot.core.errors import NotYourDecision, PlayerError, StaleRequest, UndoRefused
from flagplot.core.events import Event
from flagplot.core.forms import Wire
from flagplot.core.packed import Packed
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import (
    Amended,
    Answered,
    Committed,
    DiceLine,
    Entry,
    Line,
    Linked,
    Opened,
    Revealed,
    Rolled,
    Typed,
    Undone,
    draws,
    tape,
)
from flagplot.editions.current import ruleset
from flagplot.model.amendments import Change
from flagplot.model.picture import Picture, is_told
from flagplot.model.setup import Setup
from flagplot.model.state import Battle
from flagplot.play.fair_dice import (
    MOST_TYPED,
    SERVER,
    AgreedDice,
    FairDice,
    Terms,
    accept,
    commitments,
    is_revealed,
    line_sum,
    shares,
    terms_of,
)
from flagplot.play.strict_dice import StrictDice, accept_strict, linked, released
from flagplot.play.undo import barrier, entries_of
from flagplot.rules.amendments import agree
from flagplot.rules.naval.operations import play_setup
from flagplot.rules.table import Table

FORMAT = 1
AUDIENCES: dict[str, Side | None] = {**{side.value: side for side in Side}, "public": None}


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a save: what the game is played with. `key` is secret while the game is open."""

    flagplot: int = FORMAT
    engine: str
    scenario: str
    edition: str
    options: dict[str, str]
    dice: str
    solitaire: bool = False  # one person decides for both sides, so undo is free
    people: tuple[Side, ...] = ()  # the sides that people play, the others being a bot's; none = not said
    fair: Terms | msgspec.UnsetType = msgspec.UNSET  # what the host bound itself to, if the dice are fair
    key: str
    setup: Setup
    setup_hash: str


def setup_hash(setup: Setup) -> str:
    """A fingerprint of the resolved set-up."""
    return blake2b(msgspec.json.encode(setup, order="sorted"), digest_size=16).hexdigest()


class Stand(NamedTuple):
    """Where undo stands: the decision it would take back, why the other side would have to agree ("" if it need not), and
    how many events would remain."""

    decision: Decide
    why: str
    events: int


class Game:
    """One game in progress. `dice` is where rolls come from; `journal` what has been done so far."""

    def __init__(self, header: Header, journal: Sequence[Line] = (), dice: DiceSource | None = None) -> None:
        self.header = header
        self.dice = dice or SystemDice()
        self.journal = Packed(journal)
        self.taken_back = [line for line in self.journal if isinstance(line, Undone)]
        self.dice_lines = [line for line in self.journal if isinstance(line, DiceLine)]
        self._stands: dict[Side, tuple[int, Stand | None]] = {}  # by how long the journal was
        self._draw = draws(self.journal)
        self._restart(tape(self.journal))
        self._begin_dice()

    @classmethod
    def new(
        cls,
        setup: Setup,
        *,
        scenario: str = "",
        edition: str = "current",
        options: Mapping[str, str] | None = None,
        dice: DiceSource | None = None,
        solitaire: bool = False,
        people: Sequence[Side] = (),
        key: str = "",
    ) -> Game:
        """A game that begins now."""
        source = dice or SystemDice()
        rules = ruleset(edition, options)
        played, key = setup_hash(setup), key or secrets.token_hex(16)
        terms: Terms | msgspec.UnsetType = msgspec.UNSET
        if isinstance(source, FairDice):
            told = {"edition": edition, "setup": played, "key": key}
            terms = terms_of(source.game, source.halves, options=rules.options, **told)
        header = Header(
            engine=flagplot.__version__,
            scenario=scenario or setup.public.title,
            edition=edition,
            options=dict(rules.options),
            dice=source.name,
            solitaire=solitaire,
            people=tuple(people),
            key=key,
            setup=setup,
            setup_hash=played,
            fair=terms,
        )
        return cls(header, dice=source)

    def _restart(self, entries: Sequence[Entry]) -> None:
        self.table, self.runner = begin(self.header)
        self.runner.replay(entries)
        self._pictures: dict[Side | None, Picture] = {}
        self._last: dict[Side, tuple[Decide | None, int, int]] = {}  # answered: with how many inputs and events before

    # -- what is going on ---------------------------------------------------------------

    @property
    def battle(self) -> Battle:
        """The whole truth. For referees, tests and the end of a game; players get pictures."""
        return self.table.battle

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.runner.over

    def picture(self, side: Side | None) -> Picture:
        """What a side knows (None: what everyone knows). The only door to pages, terminals and bots."""
        picture = self._pictures.setdefault(side, Picture(side, self.header.edition, self.header.options))
        for event in self.table.log[picture.read :]:
            picture.send(event)
        return picture

    def decision(self, side: Side) -> Decide | None:
        """The question this side may answer now."""
        return self.runner.decision_for(side)

    def roll_due(self) -> Roll | None:
        """The dice now waited for."""
        return self.runner.roll_due()

    def question_number(self, side: Side) -> int:
        """How many questions this side has answered: the number of the one now open to it."""
        return self.runner.answered[side]

    def events(self) -> list[Event]:
        """Everything that happened, secrets included."""
        return list(self.table.log)

    # -- playing -----------------------------------------------------------------------------

    def submit(self, side: Side, wire: Wire, question: int | None = None) -> None:
        """Take a side's answer. `question` is the number it answers; a closed one is refused."""
        if question is not None and question != self.question_number(side):
            raise StaleRequest(
                f"question {question} of {side} is closed; question {self.question_number(side)} is the next one"
            )
        asked = self.decision(side), len(self.runner.tape), len(self.table.log)
        entry = self.runner.answer(side, wire)
        self._last[side] = asked
        self.journal.append(Answered(entry.tag, entry.who, entry.answer, entry.check))
        self._reveal_if_over()

    def roll(self) -> list[int]:
        """Roll the dice waited for, from this game's source."""
        due = self.roll_due()
        if due is None:
            raise NotYourDecision("no dice are rolled now")
        dice = self.dice.dice(due.dice, self._draw)
        entry = self.runner.roll(dice)
        self.journal.append(Rolled(entry.tag, self.dice.name, self._draw, list(dice), entry.check))
        self._draw += len(dice)
        self._relink()
        self._reveal_if_over()
        return dice

    def advance(self) -> None:
        """Roll what is due and answer what has one legal answer, until somebody must decide or all is over.

        A question with a single legal answer is put all the same: a pause that is missing would tell a secret.
        """
        while not self.over:
            if self.roll_due():
                self.roll()
                continue
            for side in Side:
                decision = self.decision(side)
                sole = decision.form.sole_answer() if decision else None
                if sole is not None:
                    self.submit(side, sole)
                    break
            else:
                return

    def amend(self, by: str, change: Change, *, agreed: Sequence[str] = (), words: str = "") -> None:
        """Put something right: `by` proposed it, and whoever else plays has `agreed`. It takes effect when the next
        segment begins; from now on it is in the recording, and everyone is told."""
        line = Amended(by, msgspec.json.decode(msgspec.json.encode(change)), words, tuple(agreed), "")
        entry = self.runner.amend(line.wire)
        self.journal.append(msgspec.structs.replace(line, check=entry.check))
        self._relink()

    def pack(self) -> None:
        """Put away what is seldom looked at: a server holds many games."""
        self.journal.pack()
        self.runner.tape.pack()
        for events in (self.table.log, *(picture.events for picture in self._pictures.values())):
            events.pack()

    # -- where dice come from ---------------------------------------------------------------------

    @property
    def draws(self) -> int:
        """How many dice were ever drawn, undone ones included: the number of the next."""
        return self._draw

    def record(self, line: Committed | Opened | Linked | Typed) -> None:
        """Take a side's part in the dice: a commitment, its share or a link, or real dice as it read them."""
        if isinstance(line, Typed):
            self._must_be_due(line)
        elif isinstance(self.dice, StrictDice) and isinstance(self.header.fair, Terms):
            if isinstance(line, Linked) and self.roll_due() is None:
                raise NotYourDecision("no dice are rolled now: links are released when they are due, not before")
            accept_strict(self.header.fair, self.dice_lines, self.linked(), line)
        elif isinstance(self.header.fair, Terms) and not isinstance(line, Linked):
            accept(self.header.fair, self.dice_lines, line)
        else:
            raise PlayerError("the dice of this game need nobody's share")
        self._note(line)
        self._begin_dice()

    def settle(self) -> None:
        """Do what the server does for sides that nobody plays: commit to a share, and open it after all have committed; or
        release a link for the roll that is due."""
        source = self.dice
        if isinstance(source, StrictDice):
            self._settle_strictly(source)
            return
        if not isinstance(source, FairDice) or len(shares(self.dice_lines)) == len(Side):
            return
        for side in Side:
            if side not in self.header.people and side not in commitments(self.dice_lines):
                self.record(source.commitment_for(side))
        bound = commitments(self.dice_lines)
        for side in Side:
            theirs = bound.get(side.value)
            if len(bound) == len(Side) and theirs and theirs.by == SERVER and side not in shares(self.dice_lines):
                self.record(Opened(side.value, source.own[side.value].hex()))

    def _settle_strictly(self, source: StrictDice) -> None:
        for side in Side:
            if side not in self.header.people and side not in commitments(self.dice_lines):
                self.record(source.commitment_for(side))
        bound = commitments(self.dice_lines)
        if len(bound) < len(Side) or self.roll_due() is None:
            return
        for side in Side:
            if bound[side.value].by == SERVER and side not in self.linked():
                self.record(source.link_for(side, len(released(self.dice_lines)[side.value])))

    def linked(self) -> dict[str, str]:
        """The links that are out for the roll that is due, by side, where dice are strict."""
        return linked(self.journal) if self.header.dice == StrictDice.name else {}

    def entered(self) -> dict[str, list[int]]:
        """The real dice entered for the roll that is due, by side: the last of each since anything else was done."""
        found: dict[str, list[int]] = {}
        if self.header.dice != AgreedDice.name:
            return found
        for index in range(len(self.journal) - 1, -1, -1):
            line = self.journal[index]
            if not isinstance(line, Typed):
                break
            found.setdefault(line.who, line.dice)
        return found

    def reveal(self, ended: str) -> None:
        """Open the host's secret, once: everything has ended, or was closed before its end."""
        if not isinstance(self.dice, FairDice) or is_revealed(self.dice_lines):
            return
        halves, game = self.dice.halves, self.dice.game
        told = [msgspec.json.encode(self.header), *(msgspec.json.encode(line) for line in self.journal)]
        sums = [line_sum(halves.secret, game, line) for line in told]
        check = self.table.check()
        self._note(Revealed(ended, halves.axis.hex(), halves.allies.hex(), self._draw, check, sums))

    def _reveal_if_over(self) -> None:
        if self.over:
            self.reveal("over")

    def _note(self, line: DiceLine) -> None:
        self.journal.append(line)
        self.dice_lines.append(line)

    def _must_be_due(self, line: Typed) -> None:
        due = self.roll_due()
        if not isinstance(self.dice, AgreedDice):
            raise PlayerError("the dice of this game are not typed")
        if due is None:
            raise NotYourDecision("no dice are rolled now")
        due.read(line.dice)
        last = self.journal[-MOST_TYPED:]
        if (
            len(last) == MOST_TYPED
            and all(isinstance(each, Typed) for each in last)
            and line.dice not in self.entered().values()
        ):
            raise PlayerError(
                "these dice were typed often enough: settle what they show, then confirm what one of you typed"
            )

    def _relink(self) -> None:
        """Links count for the roll before which they were released, and for no other."""
        if isinstance(self.dice, StrictDice):
            self.dice.link(self.header.edition, self.linked())

    def _begin_dice(self) -> None:
        self._relink()
        if isinstance(self.dice, StrictDice):
            return
        if isinstance(self.dice, FairDice):
            opened = shares(self.dice_lines)
            if len(opened) == len(Side):
                self.dice.begin(self.header.edition, opened)
        elif isinstance(self.dice, AgreedDice):
            entered = self.entered()
            told = [entered.get(side.value) for side in self.header.people] or list(entered.values())[:1]
            if told and told[0] is not None and all(each == told[0] for each in told):
                self.dice.agreed = told[0]

    # -- going back -----------------------------------------------------------------------------

    def undo(self, side: Side, *, agreed: bool = False) -> None:
        """Take back this side's last decision. Beyond dice, a reveal or an enemy decision the other side must agree."""
        agreed = agreed or self.header.solitaire
        if is_revealed(self.dice_lines):
            raise UndoRefused(
                "the secret of the dice has been opened, so every die to come is known: nothing goes back"
            )
        keep, table, runner = self._before_last_decision(side)
        barrier = "" if agreed else self._barrier(side, keep, len(table.log))
        if barrier:
            runner.close()
            raise UndoRefused(f"{barrier}; the other side must agree")
        self.runner.close()
        gone = self.table.log[len(table.log) :]
        shown = tuple(
            name for name, who in AUDIENCES.items() if any(is_told(who, event) for event in gone)
        )  # they will notice
        self.table, self.runner, self._pictures, self._last = table, runner, {}, {}
        self.taken_back.append(Undone(side.value, keep, agreed, shown))
        self.journal.append(self.taken_back[-1])
        self._relink()

    def undo_stands(self, side: Side) -> Stand | None:
        """Where a side would go back to, and whether the other side would have to agree; None if there is nothing to
        take back."""
        length, stands = self._stands.get(side, (-1, None))
        if length != len(self.journal):
            stands = self._stand(side)
            self._stands[side] = len(self.journal), stands
        return stands

    def _stand(self, side: Side) -> Stand | None:
        decision, keep, events = self._last.get(side, (None, 0, 0))
        if decision is None or decision.form.sole_answer() is not None:  # not answered just now, or no real decision
            try:
                keep, table, runner = self._before_last_decision(side)
            except UndoRefused:
                return None
            decision, events = runner.decision_for(side), len(table.log)
            runner.close()
        assert decision is not None
        why = "" if self.header.solitaire else self._barrier(side, keep, events)
        return Stand(decision, why, events)

    def _before_last_decision(self, side: Side) -> tuple[int, Table, Runner]:
        """The game as it was when a side last had more than one legal answer, and how many inputs it then had."""
        for keep in entries_of(self.runner.tape, side):
            table, runner = begin(self.header)
            runner.replay(self.runner.tape[:keep])
            decision = runner.decision_for(side)
            if decision and decision.form.sole_answer() is None:
                return keep, table, runner
        raise UndoRefused(f"{side} has decided nothing yet, so there is nothing to take back")

    def _barrier(self, side: Side, keep: int, events: int) -> str:
        if self.entered():
            return "real dice have been rolled since"
        if self.linked():
            return "a link of the dice is out"
        later = self.runner.tape[keep + 1 :]
        pending = self.runner.pending
        waits = isinstance(pending, Both) and self.decision(side) is None and not later  # for the other half of it
        asked = not waits and (isinstance(pending, Both) or self.decision(side.enemy) is not None)
        return barrier(later, self.table.log[events:], side, enemy_asked=asked)


def begin(header: Header) -> tuple[Table, Runner]:
    """A table and the procedure on it, nothing answered yet."""
    table = Table(ruleset(header.edition, header.options), key=bytes.fromhex(header.key))
    return table, Runner(play_setup(table, header.setup), table.check, partial(agree, table))
