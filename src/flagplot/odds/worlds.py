"""A world: a battle at a boundary, and what each side knows of it. All sampled odds begin from one.

The law here: a battle is entered from its state alone (22.41), so a world is the state, plus the two pictures that
decisions are made from. The forming of groups before a naval battle needs no dice: it is played by the procedures,
whoever decides, and the world is what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.bots.bot import Bot
from flagplot.core.dice import DiceSource, ScriptedDice
from flagplot.core.errors import PlayerError
from flagplot.core.events import Event
from flagplot.core.runner import Procedure, Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.model.state import Battle
from flagplot.odds.kernel_layout import MOST_ROUNDS
from flagplot.rules.naval.battle import carry_out, muster
from flagplot.rules.table import Ruleset, Table

NAVAL_BATTLE = "naval battle"
LARGER = ("operation", "war")  # kinds of set-ups that are more than one battle
FORMATION, REINFORCEMENT, RETURN, OVER = "formation", "reinforcement", "return", "over"


class NoOdds(PlayerError):
    """Odds that cannot be given, and why."""


class World(NamedTuple):
    """A battle at a boundary: the rules by name, the truth, and for each side the battle as it knows it with the
    events it was told."""

    edition: str
    options: Mapping[str, str]
    battle: Battle
    known: Mapping[Side, Battle]
    told: Mapping[Side, tuple[Event, ...]]

    @property
    def rules(self) -> Ruleset:
        """The rules in force."""
        return ruleset(self.edition, self.options)

    def pictures(self) -> dict[Side, Picture]:
        """What each side knows, ready to be told more."""
        found = {}
        for side in Side:
            found[side] = Picture(side, self.edition, self.options)
            found[side].battle = self.known[side]
            for event in self.told[side]:
                found[side].events.append(event)
        return found


def formed(
    setup: Setup, bots: Mapping[Side, Bot], edition: str = "current", options: Mapping[str, str] | None = None
) -> World:
    """The world of a set-up: of a naval battle when its combat groups have been formed and numbered."""
    if setup.public.kind in LARGER:
        raise NoOdds(f"odds are of one battle; this is a whole {setup.public.kind}: ask when a battle has begun in it")
    table = Table(ruleset(edition, options))
    pictures = {side: Picture(side, edition, options) for side in Side}
    play_through(_forming(table, setup), table, pictures, bots, ScriptedDice(()))
    return world_at(table, pictures)


async def _forming(table: Table, setup: Setup) -> None:
    muster(table, setup)
    while table.battle.kind == NAVAL_BATTLE and table.battle.segment == FORMATION:
        asking = carry_out(table)
        if asking is not None:
            await asking


def world_at(table: Table, pictures: Mapping[Side, Picture]) -> World:
    """The world as it now is on a table."""
    _tell(table, pictures)
    return World(
        table.rules.edition,
        table.rules.options,
        table.battle,
        {side: picture.battle for side, picture in pictures.items()},
        {side: tuple(picture.events) for side, picture in pictures.items()},
    )


def _tell(table: Table, pictures: Mapping[Side, Picture]) -> None:
    for picture in pictures.values():
        for event in table.log[picture.read :]:
            picture.send(event)


def play_through(
    procedure: Procedure, table: Table, pictures: Mapping[Side, Picture], bots: Mapping[Side, Bot], dice: DiceSource
) -> int:
    """Let bots play a procedure to its end. How many dice it took."""
    runner = Runner(procedure)
    drawn = 0
    while not runner.over:
        due = runner.roll_due()
        if due is not None:
            runner.roll(dice.dice(due.dice, drawn))
            drawn += due.dice
            continue
        _tell(table, pictures)
        for side in Side:
            decision = runner.decision_for(side)
            if decision is not None:
                runner.answer(side, bots[side].choose(pictures[side], decision))
                break
    return drawn


def is_decided(battle: Battle) -> bool:
    """Whether a battle has ended."""
    return battle.segment in (RETURN, OVER)


async def _fighting(table: Table) -> None:
    while not is_decided(table.battle):
        if table.battle.segment == REINFORCEMENT and table.battle.round >= MOST_ROUNDS:
            return
        asking = carry_out(table)
        if asking is not None:
            await asking


def fight(world: World, bots: Mapping[Side, Bot], dice: DiceSource) -> tuple[Battle, int]:
    """One battle by the procedures themselves: how it stands when it has ended and nobody has gone home yet, and how
    many dice it took. One that does not end is broken off where the kernels do so (MOST_ROUNDS)."""
    table = Table(world.rules, world.battle)
    drawn = play_through(_fighting(table), table, world.pictures(), bots, dice)
    return table.battle, drawn
