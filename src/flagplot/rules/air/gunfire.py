"""22.471C of 2008. Naval air that has struck a group may fire with the heavy ships of its own group in place of bombing.

An option, off by default: the sheet prints the rule under a heading that deletes it (RC-03). Who may join is settled when
targets are chosen, after air combat and air defense; what becomes of the plan, when all strikes are over.
"""

from __future__ import annotations

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.air_events import DeferredStrikeResumed
from flagplot.model.forces import CombatGroup
from flagplot.model.squadrons import Deferred, squadron
from flagplot.model.state import Battle
from flagplot.rules.air.strikes import attack_targets, choose_targets, end_strike, under_way
from flagplot.rules.naval.engagements import pairs
from flagplot.rules.table import Gunfire, Table

FLEETS_MEET = ("naval battle", "raider combat")  # the kinds of battle in which guns are fired


@rule("22.471C", "22.471C.R")
def group_to_meet(battle: Battle, side: Side, number: int) -> int:
    """22.471C. The group of a side that will meet an enemy group in fleet combat; 0 if none is bound to.

    Only active groups that pair off are: whether others will meet is not known yet (FP-96). Raiders and those that hunt
    them are one group a side, which meet.
    """
    numbers = {each: battle.fleets[each].numbers for each in Side}
    for axis, allies in pairs(numbers[Side.AXIS], numbers[Side.ALLIES], battle.round):
        mine, theirs = (axis, allies) if side is Side.AXIS else (allies, axis)
        if theirs == number:
            return mine
    return 0


@rule("22.471C.3")
def has_heavy_ships(group: CombatGroup) -> bool:
    """22.471C. Whether a group has a heavy ship that could fire: one that is not damaged."""
    return any(ship.is_capital and not ship.damaged for ship in group.ships)


@rule("22.471C", "22.471C.1")
def squadrons_that_may_join(table: Table) -> Gunfire | None:
    """22.471C. Of the strike under way, the naval air that flew from the group which will meet the one it struck.

    Of squadrons alike, from several groups, those of this one count as the survivors (FP-96).
    """
    strike, side, group = under_way(table)
    own = group_to_meet(table.battle, side, group.number) if table.battle.kind in FLEETS_MEET else 0
    if not own:
        return None
    mine = table.group(side, own)
    if not has_heavy_ships(mine):
        return Gunfire(own, {}, f"CG{own} has no undamaged heavy ship to fire with.")
    most: dict[str, int] = {}
    for ship in mine.ships:
        for key, number in table.fleet(side).strike_decks.get(ship.id, {}).items():
            most[key] = most.get(key, 0) + number
    most = {key: min(number, strike.squadrons.get(key, 0)) for key, number in most.items()}
    why = f"Only naval air from carriers of CG{own}, which will meet this group, may fire with its heavy ships."
    return Gunfire(own, {key: n for key, n in most.items() if squadron(key).kind == "NAS"}, why)


@rule("22.471C.3", "22.471C.3.2")
async def attack_by_themselves(table: Table) -> None:
    """22.471C. All strikes are over: naval air whose group has no heavy ship left to join bombs after all.

    It has met defenders and guns before: it names targets and rolls. So too if the two groups will not meet (FP-97).
    """
    while due := _next_alone(table):
        table.record(due)
        await choose_targets(table)
        await attack_targets(table)
        end_strike(table)


def _next_alone(table: Table) -> DeferredStrikeResumed | None:
    for side in table.battle.sides:
        for waiting in table.fleet(side).deferred:
            why = _left_alone(table, side, waiting)
            if why and waiting.number in table.fleet(side.enemy).numbers:
                return DeferredStrikeResumed(
                    rule="22.471C",
                    to=Audience.EVERYONE,
                    side=side,
                    number=waiting.number,
                    squadrons=waiting.squadrons,
                    why=why,
                )
    return None


def _left_alone(table: Table, side: Side, waiting: Deferred) -> str:
    """Why naval air that waits for fleet combat will not fire in it; "" if it will."""
    if group_to_meet(table.battle, side, waiting.number) != waiting.own:
        return "its group will not meet the enemy"
    return "" if has_heavy_ships(table.group(side, waiting.own)) else "its group has no heavy ship left to fire with"
