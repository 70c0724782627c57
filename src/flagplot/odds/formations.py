"""The battle as a side takes it to be while it numbers its combat groups in secret (22.423), when nothing is on the chart.

The law here: as in beliefs.py, a side's picture and its own answers, never the truth. Its own groups are those it has
formed; the enemy's are those of his listed forces, formed and numbered by his doctrine, or, where his order of battle is
hidden, as many as our own and like them, until a player says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.dice import ScriptedDice
from flagplot.core.forms import Wire
from flagplot.core.sides import Audience, Side, only
from flagplot.doctrine.doctrine import Doctrine
from flagplot.editions.current import ruleset
from flagplot.model.events import GroupsFormed, MarkersPlaced
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.odds.beliefs import Belief, made_up, read_groups
from flagplot.odds.worlds import FORMATION, NoOdds, World, play_through, world_at
from flagplot.rules.naval.battle import carry_out
from flagplot.rules.table import Table

FORMING = ("strengthen", "split")  # the questions that come before the numbers


class _Forming(AdmiralBot):
    """The admiral, but groups are formed as its owner has formed them."""

    def __init__(self, doctrine: Doctrine, answers: Sequence[Wire]) -> None:
        super().__init__(doctrine=doctrine)
        self.answers = list(answers)[-len(FORMING) :]

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        if decision.kind in FORMING and self.answers:
            wire = self.answers.pop(0)
            if legal(decision, wire):
                return wire
        return super().choose(picture, decision)


def before_numbers(
    edition: str,
    options: Mapping[str, str],
    picture: Picture,
    public: Picture,
    *,
    decision: Decide,
    answers: Sequence[Wire],
    doctrines: Mapping[Side, Doctrine],
    belief: str = "",
) -> tuple[World, Belief]:
    """The world when both sides' groups are numbered by their doctrines, and what is believed of the enemy's groups.
    `answers` are those this side has given."""
    side = decision.side
    own, seen = picture.battle, public.battle
    told, coming = _read(belief, picture) if belief else ((), ())
    listed = own.fleets[side.enemy].forces if not told else ()
    truth = replace(own, fleets={**own.fleets, side.enemy: replace(own.fleets[side.enemy], forces=listed)})
    theirs = replace(seen, fleets={**seen.fleets, side.enemy: truth.fleets[side.enemy]})
    table = Table(ruleset(edition, options), truth)
    pictures = {side: _known(picture, side), side.enemy: _known(public, side.enemy)}
    pictures[side.enemy].battle = theirs
    bots = {side: _Forming(doctrines[side], answers), side.enemy: AdmiralBot(doctrine=doctrines[side.enemy])}
    play_through(_forming(table), table, pictures, bots, ScriptedDice(()))
    mine = table.battle.fleets[side]
    if {group.name for group in (*mine.groups, *mine.pending)} < {item.key for item in decision.form.items}:
        raise NoOdds("there is no advice on numbers for groups combined like these")
    if not table.battle.fleets[side.enemy].groups:
        groups = told or _like_ours(picture, len(mine.groups))
        numbers = tuple(group.number for group in groups)
        rule, enemy = "22.423A", side.enemy
        table.record(GroupsFormed(rule=rule, to=only(enemy), side=enemy, groups=groups, pending=coming, home=()))
        table.record(MarkersPlaced(rule=rule, to=Audience.EVERYONE, side=enemy, numbers=numbers))
    world = world_at(table, pictures)
    return world, Belief(world.battle.fleets[side.enemy].groups, coming)


async def _forming(table: Table) -> None:
    while table.battle.segment == FORMATION:
        asking = carry_out(table)
        if asking is not None:
            await asking


def _known(picture: Picture, side: Side) -> Picture:
    """A picture that can be told more."""
    found = Picture(side, picture.edition, picture.options)
    found.battle = picture.battle
    for event in picture.events:
        found.events.append(event)
    return found


def _like_ours(picture: Picture, number: int) -> tuple[CombatGroup, ...]:
    return tuple(made_up(picture, [CombatGroup(each, hidden=True) for each in range(1, number + 1)]))


def _read(belief: str, picture: Picture) -> tuple[tuple[CombatGroup, ...], tuple[CombatGroup, ...]]:
    groups, coming = read_groups(belief, picture)
    numbers = [group.number for group in groups]
    if not groups or 0 in numbers or len(set(numbers)) < len(numbers):
        raise NoOdds("a belief holds one enemy group or more, each with a number of its own from 1 to 6")
    return tuple(groups), tuple(coming)
