"""22.35 Raiders in an SW box: one group a side, no search, no surprise, one round of fleet combat."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import (
    BattleEnded,
    GroupFound,
    GroupsFormed,
    HitsRepaired,
    MarkersPlaced,
    Returned,
    RoundBegan,
    SegmentBegan,
    TransportsExposed,
    TransportsThreatened,
)
from flagplot.model.forces import CombatGroup, Engagement, Force
from flagplot.model.ships import minus, plus
from flagplot.model.state import Battle
from flagplot.rules.air.gunfire import attack_by_themselves
from flagplot.rules.air.landing import land
from flagplot.rules.air.patrol import assign_patrols
from flagplot.rules.air.strikes import set_strike_order, strike_next
from flagplot.rules.damage import repaired_at_sea
from flagplot.rules.naval.combat_groups import slow_units
from flagplot.rules.naval.fleet_combat import engage
from flagplot.rules.naval.withdrawal import victor_of
from flagplot.rules.table import Table


@rule("22.35A", "22.552B.4")
def single_group(forces: Sequence[Force], *, defends: bool) -> CombatGroup:
    """22.35A. All the ships of a side that engage, as one group of any size.

    Ships that keep raiders from the transports are hampered in this first engagement (22.552B).
    """
    counts: dict[str, int] = {}
    for force in forces:
        counts = plus(counts, force.light)
    ships = tuple(ship for force in forces for ship in force.ships)
    name = " and ".join(force.name for force in forces)
    return CombatGroup(1, name, ships, counts, mission=forces[0].mission, base=forces[0].base, unladen=defends)


@rule("22.35")
async def raider_combat(table: Table) -> None:
    """22.35. Each side is one group, both are found, one fleet combat is fought, then transports are exposed.

    The side that hunts the raiders is the intercepting one (AM-21). Named ships repair hits short of damage when the
    engagement ends (20.512C).
    """
    hunters = table.battle.interceptor
    for side in table.battle.sides:
        group = single_group([f for f in table.fleet(side).forces if f.engaged], defends=side is hunters)
        table.record(GroupsFormed(rule="22.35A", to=only(side), side=side, groups=(group,), pending=(), home=()))
        table.record(MarkersPlaced(rule="22.35A", to=Audience.EVERYONE, side=side, numbers=(1,)))
    table.record(RoundBegan(rule="22.35", to=Audience.EVERYONE, round=1))
    for side in table.battle.sides:  # 22.35B: each has found the other, once (AM-25)
        disclosed = table.rules.disclosure(table.rules.search, replace(table.group(side, 1), found=1))
        table.record(
            GroupFound(rule="22.35B", to=Audience.EVERYONE, side=side, number=1, results=1, disclosed=disclosed)
        )
    if table.battle.aircraft:
        await carrier_strikes(table)
    if all(table.fleet(side).groups for side in Side):
        await engage(table, Engagement(1, 1))
    for side in table.battle.sides:
        _repair(table, side)
    expose_transports(table)
    _end(table)


@rule("22.35C", "22.35B")
async def carrier_strikes(table: Table) -> None:
    """22.35C. Carriers put up patrols and strike, once a side, the hunters first; nobody is surprised (AM-25)."""
    await assign_patrols(table)
    set_strike_order(table)
    while table.battle.striking:
        await strike_next(table)
    await attack_by_themselves(table)
    await land(table)


def _repair(table: Table, side: Side) -> None:
    ships = [ship for group in table.fleet(side).groups for ship in group.ships if repaired_at_sea(ship)]
    if ships:
        names = tuple(ship.id for ship in ships)
        shown = all(group.revealed for group in table.fleet(side).groups)
        to = Audience.EVERYONE if shown else only(side)
        table.record(HitsRepaired(rule="20.512C", to=to, side=side, ships=names))


@rule("22.35E")
def raiders_that_attack(battle: Battle, unengaged: Sequence[Force]) -> list[str]:
    """22.35E. Raiders that may attack transports: groups nobody engaged, and, where every unscreened defender was sunk,
    the ships of the engaged group that did not fight (AM-01)."""
    raiders = battle.interceptor.enemy
    names = [ship.name for force in unengaged for ship in force.ships]
    names += [f"{number} {key}" for force in unengaged for key, number in force.light.items()]
    fleet = battle.fleets[raiders]
    if raiders.enemy in battle.line_gone:
        idle, idle_light = battle.idle.get(raiders, ()), battle.idle_light.get(raiders, {})
    elif not battle.fleets[raiders.enemy].groups:  # sunk from the air: no gun was fired
        idle = tuple(ship.id for group in fleet.groups for ship in group.ships)
        idle_light = {key: number for group in fleet.groups for key, number in group.light.items()}
    else:
        return names
    fresh = [id for id in idle if id not in fleet.launched]  # carriers that struck have fought (RC-83)
    names += [ship.name for group in fleet.groups for ship in group.ships if ship.id in fresh]
    return names + [f"{number} {key}" for key, number in idle_light.items()]


def expose_transports(table: Table) -> None:
    """Say which raiders may now attack transports; the attack itself belongs to the raider table (21.536)."""
    raiders = table.battle.interceptor.enemy
    unengaged = [force for force in table.fleet(raiders).forces if not force.engaged]
    names = tuple(raiders_that_attack(table.battle, unengaged))
    table.record(TransportsExposed(rule="22.35E", to=only(raiders), side=raiders, raiders=names))
    table.record(TransportsThreatened(rule="22.35E", to=Audience.EVERYONE, side=raiders, some=bool(names)))


@rule("22.35D", "21.537A.2", "22.372F.1")
def _end(table: Table) -> None:
    """22.35D. One round only. Slow hunters go back to port (22.372F, AM-06); raiders must try to go home (21.537A)."""
    battle = table.battle
    losers = tuple(side for side in battle.sides if not table.fleet(side).groups)
    table.record(
        BattleEnded(
            rule="22.35D",
            to=Audience.EVERYONE,
            reasons=(f"one round of fleet combat only ({table.rules.number('22.35D')})",),
            losers=losers,
            victor=victor_of(losers),
        )
    )
    for group in table.fleet(battle.interceptor).groups:
        slow = tuple(ship for ship in group.ships if ship.damaged or not ship.fast)
        slow_light = {key: number for key, number in group.light.items() if key in slow_units(group)}
        fast = replace(
            group, ships=tuple(ship for ship in group.ships if ship not in slow), light=minus(group.light, slow_light)
        )
        if slow or slow_light:
            why = "slow ships go back to port after the first engagement (22.372F)"
            _leave(table, battle.interceptor, replace(group, ships=slow, light=slow_light), group.base, why)
        if fast.afloat:
            _leave(table, battle.interceptor, fast, "", "stays in the SW box for a second engagement (21.538)")
    raiders = battle.interceptor.enemy
    unengaged = [single_group([force], defends=False) for force in table.fleet(raiders).forces if not force.engaged]
    for group in (*table.fleet(raiders).groups, *unengaged):
        _leave(table, raiders, group, group.base, "must now try to return to port (21.537A)")
    table.record(SegmentBegan(rule="22.35D", to=Audience.EVERYONE, segment="over"))


def _leave(table: Table, side: Side, group: CombatGroup, base: str, why: str) -> None:
    table.record(
        Returned(rule="22.35D", to=only(side), side=side, group=group, base=base, inverted=group.inverted, why=why)
    )
