"""26.45 to 26.47: raids in flight: air combat on each front they cross, then SW combat over their targets.

All air combat comes first, raid by raid in the order announced; then the bombers of each power that reached a target
make one SW combat, by whatever routes they came (AM-20).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Modifiers
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import AirDefenders, BomberForce, Condition, TargetKind, group_name
from flagplot.model.strategic_war import INTERCEPTOR, STRATEGIC_BOMBER
from flagplot.model.war import AAF, JET, Counts, TargetHex, War, faction_of, kind_of
from flagplot.model.war_events import LaterRaidMet, RaidAirCombat, RaidBombed
from flagplot.rules.strategic.atomic_turn import bombs_of_raids, strategic_bombers
from flagplot.rules.strategic.bombing import arrived_together, bombing_modifiers, bombs_target
from flagplot.rules.strategic.bombing_air_combat import (
    air_combat_round,
    bombing_air_modifiers,
    bombing_drm,
    engaged_by_default,
)
from flagplot.rules.strategic.bombing_flights import (
    Flight,
    Raid,
    as_unit,
    distance_of,
    front_of,
    holder_of,
    lose,
    nation_of,
    stations_of,
    strength_of,
    theatre_of,
    unit_of,
)
from flagplot.rules.strategic.bombing_forces import bomber_force, force_at
from flagplot.rules.strategic.yards import yard_result
from flagplot.rules.table import Ruleset, Table

BEHIND, ENGAGE, LET_PASS = "behind", "engage", "let pass"


class Arrived(NamedTuple):
    """What is left of a raid over its target."""

    raid: Raid
    force: BomberForce
    flights: Counts


@rule("26.45", "26.451", "26.46", "26.461")
async def fly(table: Table, raids: Sequence[Raid]) -> None:
    """26.451. Every raid through its air combats, then the bombs, power by power and target by target."""
    met: list[str] = []
    arrived = [await _on_the_way(table, raid, met) for raid in raids]
    for power, target in dict.fromkeys((raid.power, raid.target) for raid in raids):
        came = [each for each in arrived if (each.raid.power, each.raid.target) == (power, target)]
        here = [each for each in came if each.force.bombers]
        through, left = await _drop(table, power, table.war.targets[target], here) if here else (0, {})
        carriers = [each for each in here if each.raid.atomic and each.force.strategic_bombers]
        bombs_of_raids(
            table,
            [
                (each.raid, each in carriers[:through], strategic_bombers(left if each in here else each.flights))
                for each in came
            ],
        )


@rule("26.42", "26.43", "26.442.2")
async def _on_the_way(table: Table, raid: Raid, met: list[str]) -> Arrived:
    """26.442. One round of air combat on each front; where escorts do not reach they take no part (26.43). Where defenders
    have met a raid before, their owner may let this one pass (26.451). Escorts whose bombers are gone turn back (FP-104)."""
    force = force_of(table.rules, raid)
    left = dict(raid.flights)
    target = table.war.targets[raid.target]
    for station in stations_of(table.rules, target, raid.front):
        if station == target.name:
            force = _within_reach(table.rules, table.war, raid, force)
        if not (defenders_at(table.war, station).factors and force.bombers):
            continue
        flying = table.war.defending[station]
        if station in met:
            flying = await _meet_again(table, raid, station, flying)
        met.append(station)
        if flying:
            force, left = await _air_combat(table, raid, station, force, left, flying)
    return Arrived(raid, force, left)


@rule("26.42", "26.43")
def force_of(rules: Ruleset, raid: Raid) -> BomberForce:
    """26.42. A raid as a force: what of its army air bombs is counted by itself, a third, rounded down."""
    kinds: Counts = {}
    for key, number in raid.flights.items():
        kinds = plus(kinds, {kind_of(unit_of(key)): number})
    return bomber_force(
        rules,
        strategic_bombers=kinds.get(STRATEGIC_BOMBER, 0),
        aaf=kinds.get(AAF, 0),
        interceptors=kinds.get(INTERCEPTOR, 0),
        jets=kinds.get(JET, 0),
    )


@rule("26.43", "26.431")
def _within_reach(rules: Ruleset, war: War, raid: Raid, force: BomberForce) -> BomberForce:
    """26.43. The force over its target: escorts that do not reach it have turned back."""
    target = war.targets[raid.target]
    theatre = theatre_of(rules, raid.front)
    groups = {INTERCEPTOR: "interceptors", JET: "jets", AAF: "escort_aaf"}
    distances, jet_range = {}, 0
    for key, number in raid.flights.items():
        flight = Flight(unit_of(key), front_of(key), number)
        if flight.kind in groups:
            distances[groups[flight.kind]] = distance_of(flight, target) or 0
        jet_range = as_unit(rules, war, flight).jet_range
    results = war.levels(faction_of(raid.power)).air_range
    return force_at(rules, theatre, results, force, distances, jet_range)


def defenders_at(war: War, station: str) -> AirDefenders:
    """Those assigned to a station that are still there."""
    return _defenders(war.defending.get(station, {}))


def _defenders(flying: Mapping[str, int]) -> AirDefenders:
    counts: Counts = {}
    for key, number in flying.items():
        counts = plus(counts, {kind_of(unit_of(key)): number})
    return AirDefenders(counts.get(INTERCEPTOR, 0), counts.get(AAF, 0), counts.get(JET, 0))


# -- air combat -----------------------------------------------------------------------------------


@rule("26.451.3", "26.51.3")
async def _meet_again(table: Table, raid: Raid, station: str, flying: Counts) -> Counts:
    """26.451. Which of those who are left after a raid engage the next one there: aborted or not (SR-28), all, some or none,
    as their owner likes (FP-89)."""
    side = table.war.now.side.enemy
    items = tuple(Item(key, key, number, (LET_PASS, ENGAGE)) for key, number in flying.items() if number)
    places = (Place(LET_PASS, "let it pass"), Place(ENGAGE, "engage it"))
    form = Form(items, places, rest=LET_PASS, default={item.key: ENGAGE for item in items})
    question = f"Which of the aircraft left over {station} engage the raid of {raid.power}?"
    answer = await Decide(side, "26.451", "meeting a later raid", question, form)
    engaging = answer.held_by(ENGAGE)
    table.record(
        LaterRaidMet(
            rule="26.451", to=Audience.EVERYONE, side=side, power=raid.power, target=station, defenders=engaging
        )
    )
    return engaging


@rule("26.451", "26.452", "26.453", "26.454")
async def _air_combat(
    table: Table, raid: Raid, station: str, force: BomberForce, left: Counts, flying: Counts
) -> tuple[BomberForce, Counts]:
    """26.451. One round of air combat at a station, with those who engage there."""
    war, side, rules = table.war, table.war.now.side, table.rules
    defenders = _defenders(flying)
    engaged = await _engaged(side, station, force, defenders)
    ours = _drm(rules, war, engaged, raid.power)
    modifier = bombing_air_modifiers(
        rules,
        force,
        engaged,
        defenders,
        attacker_drm=ours,
        defender_drm=_defenders_drm(rules, war, flying),
        radar=min(war.levels(faction_of(nation)).radar for nation in _nations(flying)),
    )
    mine = await Roll(2, "26.451", side, f"the bomber force over {station}")
    other = await Roll(2, "26.451", side.enemy, f"the defenders over {station}")
    fought = air_combat_round(
        rules, force, engaged, defenders, modifier, attacker_roll=sum(mine), defender_roll=sum(other)
    )
    table.record(
        RaidAirCombat(
            rule="26.451",
            to=Audience.EVERYONE,
            power=raid.power,
            target=station,
            modifier=modifier,
            attacker_dice=mine,
            defender_dice=other,
            attacker=fought.attacker,
            defender=fought.defender,
        )
    )
    left = lose(table, left, fought.attacker)
    lose(table, flying, fought.defender, station)
    return fought.force, left


def _nations(flying: Mapping[str, int]) -> list[str]:
    return list(dict.fromkeys(nation_of(unit_of(key)) for key in flying))


@rule("26.453.2", "26.453.5")
def _defenders_drm(rules: Ruleset, war: War, flying: Mapping[str, int]) -> int:
    """26.453. The Air Nationality DRM of the defenders: the lowest of all nations among them (SR-25)."""
    found = []
    for nation in _nations(flying):
        mine = _defenders({key: number for key, number in flying.items() if nation_of(unit_of(key)) == nation})
        found.append(_drm(rules, war, mine, nation))
    return min(found)


@rule("26.453.2", "26.451B.3")
def _drm(rules: Ruleset, war: War, units: BomberForce | AirDefenders, nation: str) -> int:
    """26.453. The Air Nationality DRM of one nation's units, with research and what impairs them."""
    condition = Condition(nation, impaired=nation in war.impaired_air)
    return bombing_drm(rules, units, condition).total + war.levels(faction_of(nation)).air_nationality


@rule("26.451B.2")
async def _engaged(side: Side, station: str, force: BomberForce, defenders: AirDefenders) -> BomberForce:
    """26.451B. The attacker says which of his factors engage, if he has more than the defender."""
    default = engaged_by_default(force, defenders)
    groups = {group: number for group, number in force.groups.items() if number}
    if force.factors <= defenders.factors or len(groups) < 2:
        return default
    items = tuple(Item(group, group_name(group), number, (BEHIND, ENGAGE)) for group, number in groups.items())
    cells = tuple((group, ENGAGE, 1) for group in groups)
    why = f"{default.factors} of your factors engage."
    form = Form(
        items,
        (Place(BEHIND, "held behind"), Place(ENGAGE, "engages")),
        (AtMost(cells, default.factors, "26.451B", why), AtLeast(cells, default.factors, "26.451B", why)),
        rest=BEHIND,
        default={group: {ENGAGE: default.groups[group]} for group in groups},
    )
    answer = await Decide(side, "26.451B", "engaging bombers", f"Which factors engage over {station}?", form)
    return BomberForce(**{group: answer.amount(group, ENGAGE) for group in groups})


# -- over the target ------------------------------------------------------------------------------


@rule("26.461", "26.463", "26.464", "26.47", "26.76")
async def _drop(table: Table, power: str, target: TargetHex, here: Sequence[Arrived]) -> tuple[int, Counts]:
    """26.461. SW combat between the bombers that arrived and their target; against ships in a yard no BRPs are lost. How many
    strategic bombers got through, and all that is left."""
    war, side, rules = table.war, table.war.now.side, table.rules
    force = arrived_together([each.force for each in here])
    strength = strength_of(rules, target)
    modifier = modifier_over(rules, war, target, [each.raid for each in here])
    ours = await Roll(2, "26.461", side, f"{force.bombers} bombers over {target.name}")
    other = await Roll(2, "26.461", side.enemy, f"the defences of {target.name}") if strength else ()
    attacker, _, result = bombs_target(
        rules, force, strength, modifier.total, attacker_roll=sum(ours), defender_roll=sum(other)
    )
    yard = target.target.kind is TargetKind.SHIPYARD
    shifts = yard_result(attacker, result)
    table.record(
        RaidBombed(
            rule="26.463",
            to=Audience.EVERYONE,
            power=power,
            target=target.name,
            modifier=modifier,
            attacker_dice=ours,
            defender_dice=other,
            toll=result.toll,
            damage=0 if yard else result.damage,
            yard=(shifts.before, shifts.after) if yard else (0, 0),
        )
    )
    together: Counts = {}
    for each in here:
        together = plus(together, each.flights)
    return result.toll.remaining["strategic_bombers"], lose(table, together, result.toll)


@rule("26.461B", "26.53")
def modifier_over(rules: Ruleset, war: War, target: TargetHex, raids: Sequence[Raid]) -> Modifiers:
    """26.461B. What modifies the bombers of one power over their target, by whatever routes they came: the longest counts."""
    power = raids[0].power
    mine, theirs = war.levels(faction_of(power)), war.levels(faction_of(holder_of(target)))
    return bombing_modifiers(
        rules,
        theatre_of(rules, raids[0].front),
        air_range=mine.air_range,
        distance=max(_distance(raid, target) for raid in raids),
        bomber_results=mine.bombers,
        air_defense=theirs.air_defense,
        country=holder_of(target),
    )


@rule("26.461B.2")
def _distance(raid: Raid, target: TargetHex) -> int:
    """26.461B. How far the bombers of a raid have come."""
    key = next(iter(raid.flights))
    return distance_of(Flight(unit_of(key), raid.front, 1), target) or 0
