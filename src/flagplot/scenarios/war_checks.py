"""What is checked of a set-up of the strategic war: units and places, pools, production by date, ports, targets, cards.

Dispatches are looked at in order, so that what one says of a port, a target or a pool is known to the next. A complaint
names the rule that is broken and the line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.ships import slug
from flagplot.model.strategic_bombing import TargetKind
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    BOXES,
    BRITAIN,
    GERMANY,
    MAJOR_POWERS,
    STRATEGIC_BOMBER,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    BoxUnit,
    ForcePool,
)
from flagplot.model.war import (
    AAF,
    IN_PORT,
    KINDS,
    MEDITERRANEAN,
    MURMANSK,
    POOLED,
    RESERVE,
    SHIPS,
    Counts,
    Dispatch,
    Levels,
    TargetHex,
    War,
    faction_of,
    kind_of,
    pool_of,
    power_of,
    side_of,
    unit,
)
from flagplot.model.war import CVE as CVE_KIND
from flagplot.rules.strategic.bombing_effects import box_value
from flagplot.rules.strategic.bombing_flights import KIND_OF
from flagplot.rules.strategic.bombing_forces import serves_in_theatre
from flagplot.rules.strategic.bombing_targets import WITH_SECONDARY_TARGETS, eligible_target, may_attack_atomically
from flagplot.rules.strategic.deployment import may_be_in_box
from flagplot.rules.strategic.force_pools import (
    EUROPE,
    PACIFIC,
    US_EUROPEAN,
    US_PACIFIC,
    bombers_may_serve,
    bombers_stay_equal,
    may_build,
    may_produce,
)
from flagplot.rules.strategic.rockets import base_placements, bases_allowed
from flagplot.rules.strategic.submarine_modifiers import codebreakers
from flagplot.rules.strategic.submarine_warfare import serves_in
from flagplot.rules.table import Ruleset
from flagplot.scenarios.document import Part
from flagplot.scenarios.places import Path
from flagplot.tables.strategic_bombing import US_BOXES

FIRST_YEAR = 1939
HELD_COUNTRIES = ("Ethiopia",)  # that matter while the Axis hold them
SEARCH_BOXES = ("India box", "Australia box")
MAP_BOXES = ("Atlantic U.S. box", "Pacific U.S. box", "South Africa box", "Australia box", "India box", "Urals box")
BOMBER_OWNERS = (US_EUROPEAN, US_PACIFIC)
HOLDERS = (*MAJOR_POWERS, WESTERN_ALLIES, "Axis")
FACTIONS = (GERMANY, "Japan", WESTERN_ALLIES, "Russia", "China")
CAMPAIGNS = {
    f"{codebreakers(power, box).deck}: {power}": side_of(power)
    for power, box in ((GERMANY, "Atlantic"), ("Japan", "Pacific"), (UNITED_STATES, "Pacific"))
}
MOST = 999


class Checked(NamedTuple):
    """A dispatch and the table it was read from."""

    dispatch: Dispatch
    at: Part


# -- units and places -------------------------------------------------------------------------------


def fronts(rules: Ruleset) -> tuple[str, ...]:
    """The six fronts."""
    return tuple(front for row in rules.bombing.fronts.values() for front in row)


def check_units(part: Part, key: Path, places: Mapping[str, Counts], rules: Ruleset) -> None:
    """24.11. Known units in known places, each where its kind may be."""
    known = (*BOXES, IN_PORT, MEDITERRANEAN, RESERVE, MURMANSK, *fronts(rules), *MAP_BOXES)
    for place, units in places.items():
        part.checked_choice((*key, place), place, known, "24.51")
        for name, number in units.items():
            at = (*key, place, name)
            check_unit(part, at, name, rules)
            check_number(part, at, number)
            _check_place(part, at, name, place, rules)


def check_unit(part: Part, at: Path, name: str, rules: Ruleset) -> None:
    """24.11, 24.41. A unit is a power and a kind: "Germany submarine"; American bombers name their theatre. SW units that a
    power could never build do not exist."""
    kinds = [kind for kind in KINDS if name.endswith(f" {kind}")]
    if not kinds:
        part.refuse(at, "24.11", f"{name!r} is no unit of this war; its kind is one of {', '.join(KINDS)}")
    kind, power = kind_of(name), power_of(name)
    american = kind == STRATEGIC_BOMBER and power in (UNITED_STATES, *BOMBER_OWNERS)
    owners: Collection[str] = MAJOR_POWERS
    if american:
        owners = BOMBER_OWNERS
    elif kind == TRANSPORT:
        owners = ("Japan", WESTERN_ALLIES)
    if power not in owners:
        number = "24.232" if american else "24.41"
        part.refuse(at, number, f"there are no units {name!r}; {kind}s are those of {', '.join(owners)}")
    if kind in POOLED and power != WESTERN_ALLIES:
        verdict = may_build(rules, power.split(",")[0], kind, researched=True)
        if not verdict.holds:
            part.refuse(at, verdict.rule, f"there are no units {name!r}: {verdict.why}")


def check_number(part: Part, at: Path, number: int, least: int = 1) -> None:
    """A count of factors or BRPs."""
    if not least <= number <= MOST:
        part.refuse(at, "", f"{number} will not do here; it must be from {least} to {MOST}")


def _check_place(part: Part, at: Path, name: str, place: str, rules: Ruleset) -> None:
    kind, power = kind_of(name), power_of(name)
    nation = UNITED_STATES if power == WESTERN_ALLIES else power.split(",")[0]
    if kind not in (*SHIPS, CVE_KIND):
        if place in (*BOXES, IN_PORT, MEDITERRANEAN) and place not in fronts(rules):  # the Pacific is both
            part.refuse(at, "26.21", f"{name} serves on a front, not in {place!r}")
        if place == MURMANSK and name != unit(GERMANY, AAF):
            part.refuse(at, "40.451", f"of aircraft only German army air is kept in the {MURMANSK}")
        theatre = next((theatre for theatre, row in rules.bombing.fronts.items() if place in row), "")
        verdict = serves_in_theatre(nation, KIND_OF[kind], theatre)
        if theatre and kind == STRATEGIC_BOMBER and power in (BRITAIN, *BOMBER_OWNERS):
            verdict = bombers_may_serve(power, theatre)
        if not verdict.holds:
            part.refuse(at, verdict.rule, verdict.why)
        return
    if place not in (*BOXES, IN_PORT, MEDITERRANEAN):
        part.refuse(at, "25.31", f"{name} is in an SW box or in port, not in {place!r}")
    if place == MEDITERRANEAN and (kind not in SHIPS[:2] or nation != GERMANY):
        part.refuse(at, "25.15", f"only German submarines are kept apart in the Mediterranean; write {IN_PORT!r}")
    if place in BOXES:
        verdict = serves_in(nation, place) if kind in SHIPS[:2] else may_be_in_box(rules, BoxUnit(nation, kind), place)
        if not verdict.holds:
            part.refuse(at, verdict.rule, f"{name} may not be in the {place} SW box: {verdict.why}")


def check_pools(part: Part, pools: Mapping[str, Mapping[str, ForcePool]], places: Mapping[str, Counts]) -> None:
    """24.11. What stands somewhere has been built: pools and places agree."""
    for owner, kinds in pools.items():
        for kind, pool in kinds.items():
            if kind not in POOLED or pool_of(unit(owner, kind)) != owner:
                part.refuse(("pools", owner, kind), "24.23", f"{owner} has no force pool of {kind}s")
            if min(pool.built, pool.allowable) < 0:
                part.refuse(("pools", owner, kind), "24.11", "a force pool holds no less than nothing")
    placed: dict[tuple[str, str], int] = {}
    for units in places.values():
        for name, number in units.items():
            if pool_of(name):
                key = pool_of(name), kind_of(name)
                placed[key] = placed.get(key, 0) + number
    named = [(owner, kind) for owner, kinds in pools.items() for kind in kinds]
    for owner, kind in dict.fromkeys((*placed, *named)):
        built = pools.get(owner, {}).get(kind, ForcePool()).built
        there = placed.get((owner, kind), 0)
        if built != there:
            reason = f"{built} {kind}s of {owner} are built, but {there} stand somewhere; say where each is"
            part.refuse(("pools", owner, kind) if "pools" in part else ("places",), "24.11", reason)


# -- dispatches -------------------------------------------------------------------------------------


def check_timetable(rows: Iterable[Checked], start: War, rules: Ruleset) -> None:
    """Every dispatch, in order, as the war stands when it comes, so far as dispatches alone say."""
    war = start
    for dispatch, part in rows:
        check_dispatch(part, dispatch, war, rules)
        war = after(war, dispatch)


def after(war: War, dispatch: Dispatch) -> War:
    """What a dispatch changes of what later ones are checked against."""
    targets = {name: target for name, target in war.targets.items() if name not in dispatch.closed_targets}
    levels = {name: replace(war.levels(name), **to) for name, to in dispatch.research.items()}
    return replace(
        war,
        pools=enlarged(war.pools, dispatch.produced),
        research={**war.research, **levels},
        politics=dispatch.politics or war.politics,
        ports={
            **{name: port for name, port in war.ports.items() if name not in dispatch.lost_ports},
            **{port.name: port for port in dispatch.ports},
        },
        targets={**targets, **{target.name: target for target in dispatch.targets}},
        rocket_bases={**war.rocket_bases, **dispatch.rocket_bases},
        raiders=(*war.raiders, *dispatch.raiders),
    )


def enlarged(
    pools: Mapping[str, Mapping[str, ForcePool]], produced: Mapping[str, Counts]
) -> dict[str, dict[str, ForcePool]]:
    """24.22. Pools after production."""
    found = {owner: dict(kinds) for owner, kinds in pools.items()}
    for owner, kinds in produced.items():
        for kind, number in kinds.items():
            pool = found.setdefault(owner, {}).get(kind, ForcePool())
            found[owner][kind] = ForcePool(pool.built, pool.allowable + number)
    return found


def check_dispatch(part: Part, dispatch: Dispatch, war: War, rules: Ruleset) -> None:
    """One dispatch, as the war stands before it."""
    for key in ("brps", "construction", "shipbuilding"):
        for power, amount in getattr(dispatch, key).items():
            part.checked_choice((key, power), power, [p for p in MAJOR_POWERS if p != "France"], "24.41")
            check_number(part, (key, power), amount, 0)
    _check_research(part, dispatch)
    levels = after(war, dispatch)
    _check_production(part, dispatch, war, levels, rules)
    for key, moved in (("arrivals", dispatch.arrivals), ("departures", dispatch.departures)):
        check_units(part, (key,), moved, rules)
        for place, units in moved.items():
            for name in units:
                if pool_of(name):
                    reason = "these come from a force pool and go back to it: use produced, or losses"
                    part.refuse((key, place, name), "24.11", reason)
    check_units(part, ("losses",), dispatch.losses, rules)
    _check_ports(part, dispatch, war, rules)
    for key in ("impaired", "impaired_air"):
        for index, power in enumerate(getattr(dispatch, key) or ()):
            part.checked_choice((key, index), power, MAJOR_POWERS, "25.621")
    for index, country in enumerate(dispatch.axis_holds or ()):
        part.checked_choice(("axis_holds", index), country, HELD_COUNTRIES, "25.13A")
    for campaign, cards in dispatch.cards.items():
        part.checked_choice(("cards", campaign), campaign, list(CAMPAIGNS), "25.671")
        check_number(part, ("cards", campaign), min(cards.submarine, cards.asw), 0)
        if CAMPAIGNS[campaign] is not dispatch.at.side:
            turn = "Axis" if CAMPAIGNS[campaign] is Side.AXIS else "Allied"
            reason = f"these submarines fight in {turn} player turns; say it there"
            part.refuse(("cards", campaign), "25.671", reason)
    for deck, lead in dispatch.raider_codebreaking.items():
        at = ("raider_codebreaking", deck)
        part.checked_choice(at, deck, ("Ultra", "Magic"), "21.5342")
        if lead not in (-1, 1):
            part.refuse(at, "21.5342", "codebreaking gives 1 to those who hunt raiders, or -1 to the raiders")
        if dispatch.at.side is not Side.AXIS:
            part.refuse(at, "21.5342", "raiders sail in Axis player turns; say it there")
    for box, squadrons in (dispatch.search_squadrons or {}).items():
        part.checked_choice(("search_squadrons", box), box, SEARCH_BOXES, "21.5342")
        check_number(part, ("search_squadrons", box), squadrons, 0)
    _check_rocket_bases(part, dispatch, war, levels, rules)
    for index, name in enumerate(dispatch.closed_targets):
        if name not in war.targets:
            part.refuse(("closed_targets", index), "26.31", f"{name!r} is no target by then")
    _check_targets(part, dispatch, levels, rules)
    _check_ships(part, dispatch, war)


def _check_research(part: Part, dispatch: Dispatch) -> None:
    for faction, fields in dispatch.research.items():
        part.checked_choice(("research", faction), faction, FACTIONS, "41")
        for field, level in fields.items():
            part.checked_choice(("research", faction, field), field, Levels.__struct_fields__, "41")
            most = 3 if field == "air_range" else 30
            if not 0 <= level <= most:
                part.refuse(
                    ("research", faction, field), "41", f"{level} will not do here; it must be from 0 to {most}"
                )


def _check_production(part: Part, dispatch: Dispatch, war: War, later: War, rules: Ruleset) -> None:
    """24.21, 24.232D. Who may produce what, from when; European bombers keep their pools equal."""
    for owner, kinds in dispatch.produced.items():
        for kind, number in kinds.items():
            at = ("produced", owner, kind)
            if kind not in POOLED or owner not in (*MAJOR_POWERS, WESTERN_ALLIES, *BOMBER_OWNERS):
                part.refuse(at, "24.21", f"there is no force pool of {kind}s of {owner}")
            if pool_of(unit(owner, kind)) != owner or (kind, owner) == (STRATEGIC_BOMBER, UNITED_STATES):
                reason = "Western Allied ASW and transports are theirs together, American bombers of one theatre"
                part.refuse(at, "24.23", reason)
            check_number(part, at, number)
            verdict = may_produce(
                rules,
                {WESTERN_ALLIES: BRITAIN}.get(owner, owner.split(",")[0]),
                "submarine" if kind == ADVANCED_SUBMARINE and owner == GERMANY else kind,
                dispatch.at.turn.year,
                theater=PACIFIC if owner == US_PACIFIC else EUROPE,
                bomber_results=later.levels(faction_of(owner.split(",")[0])).bombers,
            )
            if not verdict.holds:
                part.refuse(at, verdict.rule, verdict.why)
    pools = {owner: kinds.get(STRATEGIC_BOMBER, ForcePool()).size for owner, kinds in war.pools.items()}
    added = {owner: kinds.get(STRATEGIC_BOMBER, 0) for owner, kinds in dispatch.produced.items()}
    parity = bombers_stay_equal(pools, added)
    if not parity.holds:
        part.refuse("produced", parity.rule, f"British and American European bombers keep equal: {parity.why}")


def _check_ports(part: Part, dispatch: Dispatch, war: War, rules: Ruleset) -> None:
    known = {slug(name): name for name in rules.submarine_warfare.known_ports}
    for index, port in enumerate(dispatch.ports):
        if known.get(slug(port.name), port.name) != port.name:
            part.refuse(
                ("ports", index, "name"), "25.65", f"did you mean {known[slug(port.name)]}? {port.name!r} is not listed"
            )
        part.checked_choice(("ports", index, "holder"), port.holder, HOLDERS, "25.51")
        if port.front:
            part.checked_choice(("ports", index, "front"), port.front, fronts(rules), "25.51")
    for index, name in enumerate(dispatch.lost_ports):
        if name not in war.ports:
            part.refuse(("lost_ports", index), "25.51", f"nobody holds {name!r} by then, so nobody can lose it")
    for front, powers in dispatch.air_bases.items():
        part.checked_choice(("air_bases", front), front, fronts(rules), "26.21")
        for index, power in enumerate(powers):
            part.checked_choice(("air_bases", front, index), power, MAJOR_POWERS, "26.22")


def _check_rocket_bases(part: Part, dispatch: Dispatch, war: War, later: War, rules: Ruleset) -> None:
    """26.61A, 26.63B. One more base in a turn, and no more than research allows."""
    for power, bases in dispatch.rocket_bases.items():
        at = ("rocket_bases", power)
        part.checked_choice(at, power, MAJOR_POWERS, "26.61")
        before = war.rocket_bases.get(power, ())
        allowed = bases_allowed(rules, later.levels(faction_of(power)).rockets)
        if len({base.id for base in bases}) < len(bases):
            part.refuse(at, "26.61", "two rocket bases have the same name")
        if len(bases) > allowed:
            part.refuse(at, "26.63B", f"research for rockets allows {allowed} bases, not {len(bases)}")
        if len(bases) - len(before) > base_placements(allowed, len(before), 0).placed:
            part.refuse(at, "26.61A", f"{len(before)} bases are on the map: one more may be placed in a turn")
    for power, sites in dispatch.rocket_sites.items():
        at = ("rocket_sites", power)
        part.checked_choice(at, power, MAJOR_POWERS, "26.61")
        if len({site.id for site in sites}) < len(sites):
            part.refuse(at, "26.61", "two places for rocket bases have the same name")
        for index, site in enumerate(sites):
            part.checked_choice((*at, index, "theatre"), site.theatre, ("", *rules.bombing.fronts), "26.61B")


def _check_targets(part: Part, dispatch: Dispatch, war: War, rules: Ruleset) -> None:
    names = [target.name for target in dispatch.targets]
    year = dispatch.at.turn.year
    for index, target in enumerate(dispatch.targets):
        check_target(part, ("targets", index), target, rules)
        if target.name in names[:index]:
            part.refuse(("targets", index, "target", "name"), "26.31", f"{target.name} is named twice; name it once")
        if target.burnt and not FIRST_YEAR <= min(target.burnt) <= max(target.burnt) <= year:
            part.refuse(("targets", index, "burnt"), "26.95", f"what has burnt did so from {FIRST_YEAR} to {year}")
    for power, bombs in dispatch.atomic_bombs.items():
        part.checked_choice(("atomic_bombs", power), power, MAJOR_POWERS, "26.33")
        check_number(part, ("atomic_bombs", power), bombs)
    check_number(part, ("atomic_damage",), dispatch.atomic_damage or 0, 0)
    for name, power in dispatch.atomic.items():
        part.checked_choice(("atomic", name), power, MAJOR_POWERS, "26.33")
        if name not in war.targets:
            part.refuse(("atomic", name), "26.33", f"{name!r} is no target by then")
        hex = war.targets[name].target
        enemy = side_of(hex.controller or hex.country) is not side_of(power)
        verdict = may_attack_atomically(power, hex, eligible=enemy)
        if not verdict.holds:
            part.refuse(("atomic", name), verdict.rule, f"{power} may not attack {name} so: {verdict.why}")


def check_target(part: Part, at: Path, target: TargetHex, rules: Ruleset) -> None:
    """26.31, 26.32. A target may be bombed some time; its front, markers and value make sense."""
    hex = target.target
    part.checked_choice((*at, "target", "country"), hex.country, MAJOR_POWERS, "26.31")
    part.checked_choice((*at, "front"), target.front, fronts(rules), "26.21")
    part.checked_choice((*at, "target", "controller"), hex.controller, ("", *MAJOR_POWERS), "26.34")
    if hex.kind is TargetKind.SHIPYARD:
        hex = replace(hex, ships=("building",))
    verdict = eligible_target(rules, hex, air_range=3)
    secondary = hex.kind is TargetKind.CITY and hex.country in WITH_SECONDARY_TARGETS and bool(hex.adjacent)
    if not verdict.holds and not secondary:
        part.refuse((*at, "target"), verdict.rule, f"{hex.name} may not be bombed: {verdict.why}")
    boxes = [name for names in rules.bombing.targets.values() for name in names if name.endswith(" box")]
    if (hex.kind is TargetKind.BOX) != (hex.name in boxes):
        reason = f"{', '.join(boxes)} are mapboard boxes, and nothing else is: write kind = 'box' of these alone"
        part.refuse((*at, "target", "kind"), "26.462", reason)
    if hex.kind is TargetKind.BOX and hex.name not in US_BOXES:
        most = box_value(rules, hex.name, MOST)
        fixed = hex.name in rules.bombing.box_values and target.value not in (0, most)  # 0: unsaid, which will do
        if fixed or (most is not None and target.value > most):
            part.refuse((*at, "value"), "26.71A", f"the {hex.name} is worth {most} BRPs{'' if fixed else ' at most'}")
    for index, marker in enumerate(target.markers):
        part.checked_choice((*at, "markers", index), marker, ("firestorm", "atomic"), "26.92")
    if "firestorm" in target.markers and not target.burnt:
        part.refuse((*at, "burnt"), "26.95", "say in which year it burnt: the marker leaves two years later")
    for key, value in msgspec.structs.asdict(target.defences).items():
        most = 2 if key == "fortification" else MOST
        if not 0 <= value <= most:
            reason = f"{value} will not do here; it must be from 0 to {most}"
            part.refuse((*at, "defences", key), "26.461A", reason)
    for each in target.industry:
        if each.kind not in (TargetKind.OIL_CENTER, TargetKind.SYNTHETIC_OIL_PLANT):
            part.refuse((*at, "facility"), "26.72", f"a {each.kind} is no industrial facility")
        check_number(part, (*at, "facility"), min(each.markers, each.production), 0)
    check_number(part, (*at, "ic_loss"), target.ic_loss or 0, 0)
    names = [each.name or each.kind for each in target.industry]
    if len(set(names)) < len(names):
        part.refuse((*at, "facilities"), "26.72B", "several facilities in one hex need names, each another one")
    for name, distance in target.distances.items():
        check_number(part, (*at, "distances", name), distance, 0)
        _check_way(part, (*at, "distances", name), name, rules)
    check_number(part, (*at, "value"), target.value, 0)


def _check_way(part: Part, at: Path, name: str, rules: Ruleset) -> None:
    """26.31, 26.443B. A distance is that of a power, or from another of its fronts; any other name is a rocket base's, unless
    it is a power's but for a slip."""
    power, _, ways = name.partition(", ")
    slip = get_close_matches(power, MAJOR_POWERS, 1, 0.8)
    if slip and power not in MAJOR_POWERS:
        part.refuse(at, "26.31", f"{power!r} is no power; did you mean {slip[0]}?")
    for front in ways.split(" to ") if power in MAJOR_POWERS and ways else ():
        part.checked_choice(at, front, (*fronts(rules), *MAP_BOXES, RESERVE), "26.21")


def _check_ships(part: Part, dispatch: Dispatch, war: War) -> None:
    """26.76, 21.53. Ships in yards have a place on the chart; raiders are Axis ships, hunters Western Allied ones."""
    names: list[str] = []
    for index, ship in enumerate(dispatch.yards):
        at = ("yards", index)
        part.checked_choice((*at, "power"), ship.power, MAJOR_POWERS, "27.721")
        for key, value, least, most in (
            ("size", ship.size, 1, 5),
            ("row", ship.row, 1, 5),
            ("column", ship.column, 0, 3),
        ):
            if not least <= value <= most:
                part.refuse((*at, key), "26.761", f"{value} will not do here; it must be from {least} to {most}")
        if ship.row > ship.size:
            part.refuse((*at, "row"), "26.761D", f"a ship of {ship.size} factors stands in row {ship.size} at most")
        if ship.name in names:
            part.refuse((*at, "name"), "26.761", f"{ship.name} is named twice")
        names.append(ship.name)
    groups = [raider.force.name for raider in war.raiders]
    for index, raider in enumerate(dispatch.raiders):
        if raider.force.name in groups:
            part.refuse(("raiders", index, "name"), "21.53", f"there is a raiding group {raider.force.name} already")
        groups.append(raider.force.name)
