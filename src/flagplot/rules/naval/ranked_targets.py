"""22.93E as the charts have it, and 17.475F: the defender ranks the ships of an attacked group, and a die finds the target
of a submarine, or of a kamikaze.

Fast carriers come before capital ships and light ships last, as one target; nobody chooses (RC-06). The order among equal
ships is their owner's. It is asked for only where it changes anything: with one face of the die for each of them it does
not (FP-91).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.air_events import SubmarineTargetRolled
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import Ship
from flagplot.rules.air.attack import kamikaze_rank, kamikaze_target
from flagplot.rules.naval.fleet_combat import reveal
from flagplot.rules.table import Table

FACES = range(1, 7)


@rule("22.93E.1", "22.93E.1.1", "22.93E.1.2")
def submarine_rank(ship: Ship) -> tuple[bool, int, bool, bool, int]:
    """22.93E. Where a ship stands: carriers first, then capital ships, each by size, of capital ships the slower first;
    damaged before sound ones, and of sound ones those with more hits first."""
    return kamikaze_rank(ship)


@rule("22.93E.2", "22.93E.3.1", "22.93E.3.2", "22.93E.4", "22.93E.5", "22.94T.24")
def ranked_target(ranked: Sequence[str], light_ships: str, die: int) -> str:
    """22.93E. The ship of that rank; the light ships on a 6 or beyond the last ship; without any, the lowest is in their
    place. `light_ships` is "" if there are none."""
    return kamikaze_target(ranked, light_ships, die)


@rule("22.93E.1")
def order_matters(tied: Sequence[str], ranked: Sequence[str], light_ships: str) -> bool:
    """22.93E. Whether equal ships stand at places that the die does not find equally often."""
    found = [ranked_target(ranked, light_ships, die) for die in FACES]
    return len({found.count(id) for id in tied}) > 1


@rule("22.93E")
async def rank_ships(owner: Side, group: CombatGroup) -> list[str]:
    """22.93E. The named ships of a group by rank; where it matters their owner settles what is equal."""
    light_ships = LIGHT if group.light else ""
    keys = {ship.id: submarine_rank(ship) for ship in group.ships}
    ranked, tied = sorted(keys, key=lambda id: keys[id]), _tied(group, keys)
    classes = [[id for id in tied if keys[id] == key] for key in dict.fromkeys(keys[id] for id in tied)]
    if not any(order_matters(each, ranked, light_ships) for each in classes):
        return ranked
    question = "These ships are equal: in which order do they stand before the submarines?"
    return _ranked(keys, await Decide(owner, "22.93E", "submarine rank", question, in_order(tied, "22.93E")))


Rank = tuple[bool, int, bool, bool, int]


def _tied(group: CombatGroup, keys: Mapping[str, Rank]) -> dict[str, str]:
    """Ships that stand where others stand, with their names."""
    return {ship.id: ship.name for ship in group.ships if list(keys.values()).count(keys[ship.id]) > 1}


def _ranked(keys: Mapping[str, Rank], settled: Answer) -> list[str]:
    """Ships by rank, equal ones as their owner settled it."""
    place = {id: index for index, id in enumerate(order_of(settled))}
    return sorted(keys, key=lambda id: (keys[id], place.get(id, 0)))


@rule("22.93E", "22.94T.24")
async def target_by_rank(table: Table, side: Side, group: CombatGroup) -> str:
    """22.93E. The attacked group shows its ships; then one die for what a submarine attacks, if there is more than one
    thing it might."""
    reveal(table, side.enemy, group.number, "22.93E")
    light_ships = LIGHT if group.light else ""
    ranked = await rank_ships(side.enemy, group)
    dice: tuple[int, ...] = ()
    target = ranked[0] if ranked else LIGHT
    if len(ranked) + bool(light_ships) > 1:
        dice = await Roll(1, "22.93E", side, f"what a submarine attacks in CG{group.number}")
        target = ranked_target(ranked, light_ships, dice[0])
    name = group.ship(target).name if target != LIGHT else "the light ships"
    table.record(
        SubmarineTargetRolled(
            rule="22.93E",
            to=Audience.EVERYONE,
            side=side,
            number=group.number,
            dice=dice,
            target=target,
            name=name,
        )
    )
    return target


@rule("17.475F")
async def rank_for_kamikazes(owner: Side, group: CombatGroup) -> list[str]:
    """17.475F. The attacked group's named ships by rank; its owner settles what is equal."""
    keys = {ship.id: kamikaze_rank(ship) for ship in group.ships}
    tied = _tied(group, keys)
    if not tied:
        return sorted(keys, key=lambda id: keys[id])
    question = "These ships are equal: in which order do they stand before the kamikazes?"
    return _ranked(keys, await Decide(owner, "17.475F", "kamikaze rank", question, in_order(tied, "17.475F")))
