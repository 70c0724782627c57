"""A game: what was set up, under which rules, and everything that was answered and rolled. All else is recomputed.

Contract: whatever comes in, only PlayerError comes out of `submit`, `roll` and `undo`; anything else is our bug.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from hashlib import blake2b

import msgspec

import flagplot
from flagplot.core.asks import Decide, Roll
from flagplot.core.dice import DiceSource, SystemDice
from flagplot.core.errors import NotYourDecision, StaleRequest, UndoRefused
from flagplot.core.events import Event
from flagplot.core.forms import Wire
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Answered, Entry, Line, Rolled, Undone, draws, tape
from flagplot.editions.current import ruleset
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.model.state import Battle
from flagplot.play.undo import entries_of, refuse_beyond_barrier
from flagplot.rules.naval.operations import play_setup
from flagplot.rules.table import Table

FORMAT = 1


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
    key: str
    setup: Setup
    setup_hash: str


def setup_hash(setup: Setup) -> str:
    """A fingerprint of the resolved set-up."""
    return blake2b(msgspec.json.encode(setup, order="sorted"), digest_size=16).hexdigest()


class Game:
    """One game in progress. `dice` is where rolls come from; `journal` what has been done so far."""

    def __init__(self, header: Header, journal: Sequence[Line] = (), dice: DiceSource | None = None) -> None:
        self.header = header
        self.dice = dice or SystemDice()
        self.journal = list(journal)
        self._draw = draws(self.journal)
        self._restart(tape(self.journal))

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
        header = Header(
            engine=flagplot.__version__,
            scenario=scenario or setup.public.title,
            edition=edition,
            options=dict(rules.options),
            dice=source.name,
            solitaire=solitaire,
            people=tuple(people),
            key=key or secrets.token_hex(16),
            setup=setup,
            setup_hash=setup_hash(setup),
        )
        return cls(header, dice=source)

    def _restart(self, entries: Sequence[Entry]) -> None:
        self.table, self.runner = _begin(self.header)
        self.runner.replay(entries)
        self._pictures: dict[Side | None, Picture] = {}

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
        picture = self._pictures.setdefault(side, Picture(side))
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
        return sum(entry.who == side for entry in self.runner.tape)

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
        entry = self.runner.answer(side, wire)
        self.journal.append(Answered(entry.tag, entry.who, entry.answer, entry.check))

    def roll(self) -> list[int]:
        """Roll the dice waited for, from this game's source."""
        due = self.roll_due()
        if due is None:
            raise NotYourDecision("no dice are rolled now")
        dice = self.dice.dice(due.dice, self._draw)
        entry = self.runner.roll(dice)
        self.journal.append(Rolled(entry.tag, self.dice.name, self._draw, list(dice), entry.check))
        self._draw += len(dice)
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

    # -- going back -----------------------------------------------------------------------------

    def undo(self, side: Side, *, agreed: bool = False) -> None:
        """Take back this side's last decision. Beyond dice, a reveal or an enemy decision the other side must agree."""
        agreed = agreed or self.header.solitaire
        for keep in entries_of(self.runner.tape, side):
            table, runner = _begin(self.header)
            runner.replay(self.runner.tape[:keep])
            decision = runner.decision_for(side)
            if decision and decision.form.sole_answer() is None:
                break  # what had one legal answer was no decision to go back to
        else:
            raise UndoRefused(f"{side} has decided nothing yet, so there is nothing to take back")
        if not agreed:
            refuse_beyond_barrier(self.runner.tape[keep + 1 :], self.table.log[len(table.log) :], side)
        self.runner.close()
        self.table, self.runner, self._pictures = table, runner, {}
        self.journal.append(Undone(side.value, keep, agreed))


def _begin(header: Header) -> tuple[Table, Runner]:
    table = Table(ruleset(header.edition, header.options), key=bytes.fromhex(header.key))
    return table, Runner(play_setup(table, header.setup), table.check)
