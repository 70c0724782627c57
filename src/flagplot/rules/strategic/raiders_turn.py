"""21.53 as far as it is held, 22.35, 25.363: raiders of one combat phase: announced, hunted, met, among the transports.

Each group is hunted by the raider table; each that is met fights those who met it, on the same table as any battle (22.35,
21.537A, FP-78). Then group by group those that are free strike at the transports, carriers from the air
first (21.5362). What raids cost, their way out and home and the second engagement (21.531 to 21.535, 21.538) are not held:
survivors are home when the raid is over, and damaged ships leave this war for the yards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Modifiers
from flagplot.core.forms import Form, Item, Place, in_order, order_of, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.forces import Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import CAPITAL_KINDS, KIND_NAMES, Ship, factors_of, light, minus, named_factors, plus
from flagplot.model.squadrons import squadron
from flagplot.model.state import Battle
from flagplot.model.strategic_war import (
    BOXES,
    BRITAIN,
    JAPAN,
    PACIFIC,
    TRANSPORT,
    WESTERN_ALLIES,
    BoxUnit,
    Hunters,
    RaiderGroup,
)
from flagplot.model.war import Hunter, Raider, War, faction_of, side_of, unit
from flagplot.model.war_events import Move, RaidersHome, RaidersHunted, RaidersSailed, RaidersStruck
from flagplot.rules.air.attack import air_attack_modifiers, may_fly_together
from flagplot.rules.air.nationality import AirCrew, air_nationality_drm
from flagplot.rules.naval.battle import muster, play_on
from flagplot.rules.naval.gunnery import Crew, crews, lowest, nationality_drm
from flagplot.rules.naval.raiders import raiders_that_attack
from flagplot.rules.strategic.raiders import (
    attack_modifiers,
    hunter_choices,
    may_hunt,
    raider_modifiers,
    ships_that_engage,
    transports_sunk,
    type_dice,
)
from flagplot.rules.strategic.submarine_turn import escort_carriers_in, shipping_in
from flagplot.rules.strategic.submarine_warfare import at_war
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.sw_raiders import CRUISER, DESTROYER, FAST_CARRIER

PORT, RAID = "in port", "raid"
LIGHT = {"CA": CRUISER, "DD": DESTROYER}


@rule("24.611.2", "21.53", "22.35")
async def raid(table: Table) -> None:
    """24.611. Before SW combat the moving side may send raiders; then box by box."""
    war, side = table.war, table.war.now.side
    ready = raiders_ready(war)
    if not ready:
        return
    items = tuple(Item(name, f"{name}, {war.raider(name).box} SW box", 1, (PORT, RAID)) for name in ready)
    form = Form(items, (Place(PORT, "stay in port"), Place(RAID, "raid")), rest=PORT)
    answer = await Decide(side, "24.611", "raiders", "Which groups raid the convoys?", form)
    groups: list[str] = []
    for box in BOXES:
        groups += await _in_order(side, box, [n for n in answer.held_by(RAID) if war.raider(n).box == box])
    if not groups:
        return
    table.record(RaidersSailed(rule="24.611", to=Audience.EVERYONE, side=side, groups=tuple(groups)))
    left, hunters = list(war.raiders), list(war.hunters)
    sunk: list[str] = []
    for box in BOXES:
        here = [name for name in groups if war.raider(name).box == box]
        if here:
            left, hunters, more = await _raid_in_box(table, box, here, left, hunters)
            sunk += more
    table.record(
        RaidersHome(rule="21.537A", to=Audience.EVERYONE, raiders=tuple(left), hunters=tuple(hunters), sunk=tuple(sunk))
    )


def raiders_ready(war: War) -> list[str]:
    """The groups of the moving side that may raid: uninverted, at war with the owner of transports in their box."""
    return [
        raider.force.name
        for raider in war.raiders
        if side_of(raider.nation) is war.now.side
        and not raider.force.inverted
        and at_war(raider.nation, raider.box, war.politics)
        and shipping_in(war, raider.box, war.now.side)
    ]


@rule("21.5342.G1")
async def _in_order(side: Side, box: str, groups: list[str]) -> list[str]:
    """21.5342. Their owner says in which order groups in a box are hunted: later ones are found more easily (SR-42)."""
    if len(groups) < 2:
        return groups
    form = in_order({name: name for name in groups}, "21.5342")
    answer = await Decide(side, "21.5342", "order of raiders", f"In which order do your groups raid the {box}?", form)
    return order_of(answer)


async def _raid_in_box(
    table: Table, box: str, groups: Sequence[str], raiders: list[Raider], hunters: list[Hunter]
) -> tuple[list[Raider], list[Hunter], list[str]]:
    """22.35. One box: every group hunted, then each that was met against those who met it (21.537A), then the transports.
    The raiders and hunters left, and who was sunk."""
    for number, name in enumerate(groups, 1):
        await _hunt(table, box, name, number)
    war = table.war
    free: dict[str, Free] = {}
    sunk: list[str] = []
    for name in groups:
        force = war.raider(name).force
        if not war.met[name]:
            free[name] = Free(force.ships, force.light)
            continue
        muster(table, engagement(war, box, name))
        await play_on(table)
        battle = table.battle
        free[name] = fresh(battle, war.now.side)
        raiders = _raiders_left(raiders, name, battle, war.now.side)
        hunters = _hunters_left(hunters, box, war.met[name], battle)
        sunk += [ship.id for side in battle.sides for ship in battle.fleets[side].sunk]
    for name in groups:  # 21.5362: each group by itself
        await _strike_from_the_air(table, box, name, free[name])
        await _strike(table, box, name, free[name])
    return raiders, hunters, sunk


# -- the hunt -------------------------------------------------------------------------------------


@rule("21.5342", "25.363", "22.35")
async def _hunt(table: Table, box: str, name: str, number: int) -> None:
    """21.5342. The raider table for one group: how many meet it, of which types, and which ships their owner sends."""
    war, rules = table.war, table.rules
    defender = war.now.side.enemy
    raider = war.raider(name)
    group = RaiderGroup(
        box,
        raider.nation,
        number,
        len(raider.force.ships) + sum(raider.force.light.values()),
        raider.from_singapore,
        raider.off_southern_edge,
    )
    against = hunters_against(war, raider)
    (die,) = await Roll(1, "21.5342", defender, f"{name} is hunted in the {box}")
    ships = ships_that_engage(rules, group, against, die).ships
    count = type_dice(rules, ships)
    dice = await Roll(count, "21.5342", defender, f"types of ships that meet {name}") if count else ()
    slots: tuple[int | None, ...] = (None,) * (ships - count) + dice
    taken = [key for group, each in war.met.items() if war.raider(group).box == box for key in each]
    chosen: list[str] = []
    for slot in slots:
        units = hunters_available(rules, war, box, [*taken, *chosen])
        kinds = hunter_choices(rules, slot, dict.fromkeys(units.values(), 1))
        open_to = {key: f"{_label(war, key)} ({kind})" for key, kind in units.items() if kind in kinds}
        if open_to:
            chosen.append(await _sent(defender, name, open_to))
    table.record(
        RaidersHunted(
            rule="21.5342",
            to=Audience.EVERYONE,
            group=name,
            box=box,
            die=die,
            modifier=raider_modifiers(rules, group, against),
            types=dice,
            hunters=tuple(chosen),
            named=tuple(_label(war, key) for key in chosen),
        )
    )


@rule("21.5342.U", "21.5342.M", "21.5342.I3", "21.5342.P2", "21.5342.G4", "21.5342.A1", "21.5342.A2")
def hunters_against(war: War, raider: Raider) -> Hunters:
    """21.5342. What the defender has against a raider, as the war stands: search squadrons and codebreaking are inputs, Ultra
    against Germans and Italians, Magic against the Japanese."""
    return Hunters(
        air_range=war.levels(WESTERN_ALLIES).air_range,
        escort_carriers=escort_carriers_in(war, raider.box, war.now.side),
        india_box_squadrons=war.search_squadrons.get("India box", 0),
        australia_box_squadrons=war.search_squadrons.get("Australia box", 0),
        us_german_war=war.politics.germany_us_war,
        codebreaking=war.raider_codebreaking.get("Magic" if raider.nation == JAPAN else "Ultra", 0),
    )


async def _sent(defender: Side, name: str, open_to: Mapping[str, str]) -> str:
    """21.5342. Which ship meets the group: the defender says, if there are several."""
    first = next(iter(open_to))
    if len(open_to) == 1:
        return first
    answer = await Decide(
        defender, "21.5342", "raider hunters", f"Which ship meets {name}?", pick(open_to, first), name
    )
    return answer.choice


@rule("25.363", "25.35E")
def hunters_available(rules: Ruleset, war: War, box: str, taken: Iterable[str]) -> dict[str, str]:
    """25.363. Uninverted ships in a box that may still be sent against raiders, each with its kind: named ones, and light
    ones by nation and class."""
    used: dict[str, int] = {}
    for key in taken:
        used = plus(used, {key: 1})
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for hunter in war.hunters:
        inverted = hunter.force.inverted
        if hunter.box == box and may_hunt(rules, BoxUnit(hunter.nation, inverted=inverted)).holds:
            counts = plus(counts, hunter.force.light)
            for ship in hunter.force.ships:
                if ship.id not in used and may_hunt(rules, BoxUnit(ship.nation), fast=ship.fast).holds:
                    found[ship.id] = kind_of_hunter(ship)
    for key in minus(counts, used):
        if light(key).kind in LIGHT and not light(key).state:
            found[key] = LIGHT[light(key).kind]
    return found


def kind_of_hunter(ship: Ship) -> str:
    """What the raider table calls a named ship."""
    if ship.is_carrier:
        return FAST_CARRIER
    return f"{ship.size}-factor {'battleship' if ship.kind == CAPITAL_KINDS[0] else 'battlecruiser'}"


def _label(war: War, key: str) -> str:
    ships = {ship.id: ship.name for hunter in war.hunters for ship in hunter.force.ships}
    return ships.get(key) or f"a {KIND_NAMES[light(key).kind]} of {light(key).nation}"


# -- the engagement -------------------------------------------------------------------------------


@rule("22.35", "22.35A", "22.552A")
def engagement(war: War, box: str, name: str) -> Setup:
    """22.35A. The battle of one raiding group: itself, and all who meet it as one force."""
    raider = war.raider(name)
    raiding = replace(raider.force, mission="raid", task_force=False, engaged=True)
    sent = war.met[name]
    ships = tuple(ship for hunter in war.hunters for ship in hunter.force.ships if ship.id in sent)
    counts: dict[str, int] = {}
    for key in sent:
        if "/" in key:
            counts = plus(counts, {key: 1})
    base = next(hunter.force.base for hunter in war.hunters if hunter.box == box)
    hunting = Force(f"Hunters in the {box}", ships, counts, task_force=False, mission="raider hunt", base=base)
    side = war.now.side
    public = Public(
        title=f"{war.title}: {name} in the {box}",
        theatre="Pacific" if box == PACIFIC else "Europe",
        kind="raider combat",
        interceptor=side.enemy,
        names=war.names,
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
        aircraft=any(ship.is_carrier for force in (raiding, hunting) for ship in force.ships),
        air={
            side: Air(impaired=war.impaired_air, research=research_of(war, raider.nation)),
            side.enemy: Air(impaired=war.impaired_air, research=research_of(war, BRITAIN)),
        },
    )
    return Setup(
        public=public,
        sides={
            side: Secret(forces=(raiding,), impaired=war.impaired),
            side.enemy: Secret(forces=(hunting,), impaired=war.impaired),
        },
    )


def research_of(war: War, power: str) -> dict[str, int]:
    """The research of a power's faction as a battle asks for it."""
    levels = war.levels(faction_of(power))
    found = {"radar": levels.radar, "air defense": levels.air_defense, "torpedo": levels.torpedo, "ASW": levels.asw}
    return {field: level for field, level in found.items() if level}


def _afloat(battle: Battle, side: Side) -> tuple[dict[str, Ship], dict[str, int]]:
    """What a side has left of those who fought, sound ships only: damaged ones go to the yards."""
    groups = battle.fleets[side].groups
    ships = {ship.id: ship for group in groups for ship in group.ships if not ship.damaged}
    counts: dict[str, int] = {}
    for group in groups:
        counts = plus(counts, {key: number for key, number in group.light.items() if not light(key).state})
    return ships, counts


@rule("21.537A")
def _raiders_left(raiders: Sequence[Raider], met: str, battle: Battle, side: Side) -> list[Raider]:
    """21.537A. The raiding groups after an engagement of one, without what was sunk or damaged."""
    ships, counts = _afloat(battle, side)
    left = []
    for raider in raiders:
        if raider.force.name != met:
            left.append(raider)
            continue
        kept = tuple(ships[ship.id] for ship in raider.force.ships if ship.id in ships)
        force = replace(raider.force, ships=kept, light=counts)
        if force.factors:
            left.append(replace(raider, force=force))
    return left


def _hunters_left(hunters: Sequence[Hunter], box: str, sent: Sequence[str], battle: Battle) -> list[Hunter]:
    """The hunters after an engagement, without what was sunk or damaged."""
    ships, counts = _afloat(battle, battle.interceptor)
    lost: dict[str, int] = {}
    for key in sent:
        lost = plus(lost, {key: 1})
    lost = minus(lost, {**counts, **dict.fromkeys(ships, 1)})
    left = []
    for hunter in hunters:
        here = lost if hunter.box == box and not hunter.force.inverted else {}
        gone = {key: min(number, here.get(key, 0)) for key, number in hunter.force.light.items()}
        lost = minus(lost, gone)
        force = replace(
            hunter.force,
            ships=tuple(ship for ship in hunter.force.ships if ship.id not in here),
            light=minus(hunter.force.light, gone),
        )
        if force.factors:
            left.append(replace(hunter, force=force))
    return left


# -- the transports -------------------------------------------------------------------------------


@rule("21.5362")
def fire_factors(ships: Iterable[Ship], counts: Mapping[str, int]) -> int:
    """21.5362. The factors with which raiders fire at transports; carriers do not (SR-44)."""
    return named_factors([ship for ship in ships if not ship.is_carrier]) + factors_of(counts)


class Free(NamedTuple):
    """Of a raiding group, the ships that may attack transports."""

    ships: tuple[Ship, ...] = ()
    light: Mapping[str, int] = {}


@rule("22.35E", "21.5362")
def fresh(battle: Battle, raiders: Side) -> Free:
    """22.35E. Of a group that was met, the ships that did not fight and have nobody before them (AM-01)."""
    names = raiders_that_attack(battle, ())
    ships = tuple(ship for group in battle.fleets[raiders].groups for ship in group.ships if ship.name in names)
    counts = {
        key: number
        for key, number in {**_counts(battle, raiders), **battle.idle_light.get(raiders, {})}.items()
        if f"{number} {key}" in names
    }
    return Free(ships, counts)


def _counts(battle: Battle, side: Side) -> dict[str, int]:
    return {key: number for group in battle.fleets[side].groups for key, number in group.light.items()}


@rule("21.5362A", "21.5362A.1", "23.73", "23.441A")
def striking(rules: Ruleset, ships: Iterable[Ship], impaired: Sequence[str]) -> list[AirCrew]:
    """21.5362A. The naval air of a group's fast carriers that flies its strike: the best that may fly together (23.73)."""
    wings = [
        (key, number) for ship in ships if ship.is_carrier and not ship.damaged for key, number in ship.wing.items()
    ]
    crews = [
        AirCrew(
            squadron(key).nation, squadron(key).kind, squadron(key).state == "elite", squadron(key).nation in impaired
        )
        for key, number in wings
        for _ in range(number)
    ]
    drms = {crew: air_nationality_drm(rules.air_nationality, crew) for crew in dict.fromkeys(crews)}
    flying: list[AirCrew] = []
    for crew in sorted(crews, key=lambda crew: -drms[crew]):
        if may_fly_together(rules.strike_limits, [drms[each] for each in (*flying, crew)]):
            flying.append(crew)
    return flying


@rule("21.5362A", "21.5362A.1", "21.5362A.2", "21.5362A.3")
async def _strike_from_the_air(table: Table, box: str, name: str, free: Free) -> None:
    """21.5362A. A group with a fast carrier makes one air strike; transports roll no air defense, and each hit sinks one
    (SR-44)."""
    war, rules = table.war, table.rules
    flying = striking(rules, free.ships, war.impaired_air)
    if not flying:
        return
    dice = await Roll(2, "21.5362A", war.now.side, f"{name} strikes at the transports in the {box} from the air")
    modifier = air_attack_modifiers(
        rules.air_nationality,
        rules.nationality,
        flying,
        [transport_crew(war)],
        naval_air_bonus=rules.naval_air_bonus,
        surprise=rules.surprise,
        level=0,
        enemy_tactical=0,
    )
    hits = rules.attack.read_air(len(flying), sum(dice) + modifier.total).hits
    sunk = min(hits, shipping_in(war, box, war.now.side))
    _told(table, "21.5362A", box, name, len(flying), dice, modifier, sunk, air=True)


def transport_crew(war: War) -> Crew:
    """Western Allied transports as targets."""
    return Crew(BRITAIN, "DD", 1, BRITAIN in war.impaired)


@rule("21.5361", "21.5362", "22.552A", "22.552B")
async def _strike(table: Table, box: str, name: str, free: Free) -> None:
    """21.5362. Raiders among the transports: each hit sinks one (SR-44). Ships that fire together have the lowest of their
    Naval Nationality DRMs (22.552A)."""
    war, rules = table.war, table.rules
    factors = fire_factors(free.ships, free.light)
    if not factors:
        return
    dice = await Roll(2, "21.5362", war.now.side, f"{name} among the transports in the {box}")
    guns = crews([ship for ship in free.ships if not ship.is_carrier], free.light, war.impaired)
    modifier = attack_modifiers(
        nationality_drm(rules.nationality, lowest(rules.nationality, guns)),
        nationality_drm(rules.nationality, transport_crew(war)),
    )
    (sunk,) = transports_sunk(
        rules, [(factors, sum(dice))], shipping_in(war, box, war.now.side), modifier=modifier.total
    )
    _told(table, "21.5362", box, name, factors, dice, modifier, sunk)


def _told(
    table: Table,
    number: str,
    box: str,
    name: str,
    factors: int,
    dice: tuple[int, ...],
    modifier: Modifiers,
    sunk: int,
    *,
    air: bool = False,
) -> None:
    transports = unit(WESTERN_ALLIES, TRANSPORT)
    table.record(
        RaidersStruck(
            rule=number,
            to=Audience.EVERYONE,
            group=name,
            box=box,
            factors=factors,
            dice=dice,
            modifier=modifier,
            sunk=sunk,
            losses=(Move(transports, sunk, box, ""),) if sunk else (),
            air=air,
        )
    )
