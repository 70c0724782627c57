"""The procedures played fast: no tape, no checks, bots for both sides, dice that can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flagplot.bots.bot import Bot
from flagplot.core.asks import Both, Decide, Roll
from flagplot.core.sides import Side
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.odds.kernel_layout import MOST_ROUNDS
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.worlds import REINFORCEMENT, World
from flagplot.rules.naval.battle import muster, play_on
from flagplot.rules.table import Ruleset, Table


class _Endless(Exception):
    """A battle goes on and on."""


class Driven:
    """A battle of the procedures, and what each side knows of it."""

    def __init__(self, rules: Ruleset, setup: Setup, dice: PhiloxDice, bots: Mapping[Side, Bot]) -> None:
        self.table = Table(rules)
        self.dice, self.bots = dice, bots
        self.used = 0
        self.pictures = {side: Picture(side) for side in Side}
        muster(self.table, setup)

    @classmethod
    def from_world(cls, world: World, dice: PhiloxDice, bots: Mapping[Side, Bot]) -> Driven:
        """A battle taken up where a world has it."""
        made = cls.__new__(cls)
        made.table = Table(world.rules, world.battle)
        made.dice, made.bots = dice, bots
        made.used = 0
        made.pictures = world.pictures()
        return made

    def look(self) -> None:
        """Both sides are told what has happened."""
        for picture in self.pictures.values():
            for event in self.table.log[picture.read :]:
                picture.send(event)

    def play(self, before: Callable[[Driven], None]) -> None:
        """To the end, or until a battle that has none is broken off; `before` is called before each segment, or part of one,
        is carried out."""

        def called(table: Table) -> None:
            if table.battle.segment == REINFORCEMENT and table.battle.round >= MOST_ROUNDS:
                raise _Endless
            self.look()
            before(self)

        procedure = play_on(self.table, called)
        answer: object = None
        while True:
            try:
                asked = procedure.send(answer)  # type: ignore[attr-defined]
            except (StopIteration, _Endless):
                return
            answer = self._answer(asked)

    def _answer(self, asked: object) -> object:
        if isinstance(asked, Roll):
            dice = self.dice.dice(asked.dice, self.used)
            self.used += asked.dice
            return tuple(dice)
        self.look()
        if isinstance(asked, Both):
            return {side: self._decide(part) for side, part in asked.parts.items()}
        assert isinstance(asked, Decide)
        return self._decide(asked)

    def _decide(self, decision: Decide) -> object:
        return decision.read(self.bots[decision.side].choose(self.pictures[decision.side], decision))
