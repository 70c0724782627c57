"""How the admiral flies and dives: patrols over carriers, cover and strikes where they are worth most, fire concentrated.

Each function answers one kind of decision from what his side knows; policies of doctrine/ weigh things.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from flagplot.bots.bot import rules_of
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import flying, policies
from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import carriers_seen, group_named, guns, known_guns, shore_air
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, factors_of, light
from flagplot.model.squadrons import squadron
from flagplot.rules.air.nationality import AirCrew, air_nationality_drm
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.rules.table import Ruleset

SMALL_STRIKE = 4  # what flies at once if nobody concentrates


def worth(group: CombatGroup, doctrine: Doctrine) -> int:
    """What a group is worth, as far as is known."""
    said = group.disclosed
    return flying.worth_as_known(
        group.hidden,
        group.fast_carriers,
        known_guns(group, doctrine) if group.hidden else guns(group),
        int(group.encumbered),
        said is not None,
        said.fast_carriers if said else 0,
        int(said.cargo) if said else 0,
        doctrine,
    )


def patrol(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """A few over every group with carriers, the ordinary crews first, as the enemy's air demands; none against bases."""
    enemy = decision.side.enemy
    threat = (picture.battle.round, carriers_seen(picture, enemy), shore_air(picture.battle.fleets[enemy]))
    told: dict[str, dict[str, int]] = {}
    for group in picture.battle.fleets[decision.side].groups:
        mine = [(ship, key) for ship in group.ships if not ship.damaged for key in ship.wing]
        most = policies.patrols(-(-sum(ship.wing[key] for ship, key in mine) // 3), *threat, doctrine)
        ordinary = sum(ship.wing[key] for ship, key in mine if squadron(key).state != "elite")
        left = {"": flying.ordinary_on_patrol(most, ordinary)}
        left["elite"] = most - left[""]
        for ship, key in mine:
            crews = squadron(key).state
            number = min(left[crews], ship.wing[key])
            left[crews] -= number
            if number:
                told[f"{ship.id}|{key}"] = {"patrol": number}
    return told


def _enemy(picture: Picture, side: Side) -> tuple[CombatGroup, ...]:
    return picture.battle.fleets[side.enemy].groups


def cover(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """All cover squadrons over the group worth most; naval air ashore is kept to search and strike."""
    groups = picture.battle.fleets[decision.side].groups
    if not groups:
        return {}
    best = max(groups, key=lambda group: worth(group, doctrine))
    return {item.key: f"CG{best.number}" for item in decision.form.items if squadron(item.key).kind != "NAS"}


def air_search(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Three dice if they can be had: search squadrons first, then naval air."""
    told: dict[str, dict[str, int]] = {}
    left = doctrine.searching
    for item in sorted(decision.form.items, key=lambda item: flying.searches_later(squadron(item.key).kind == "AAS")):
        number = flying.searching(left, item.amount)
        told[item.key] = {"search": number}
        left -= number
    return told


def strike(picture: Picture, decision: Decide, doctrine: Doctrine) -> dict[str, Wire]:
    """The largest strike that may fly on the group worth most; while surprise is possible, by carriers alone."""
    form = decision.form
    offered = form.items[0].places
    targets = [group for group in _enemy(picture, decision.side) if f"CG{group.number}" in offered]
    surprise = "surprise" in decision.question
    sources = [item for item in form.items[1:] if not (surprise and "@" in item.key)] or list(form.items[1:])
    if not targets or not sources:
        return {"target": "none"}
    best = max(targets, key=lambda group: worth(group, doctrine))
    told: dict[str, Wire] = {"target": f"CG{best.number}"}
    left = doctrine.strike
    for item in sorted(sources, key=lambda item: flying.strikes_later("elite" in item.key)):
        number = flying.striking(left, item.amount)
        while number and not _fits(decision, told, item.key, number):
            number -= 1
        if number:
            told[item.key] = {"fly": number}
            left -= number
    return told if left < doctrine.strike else {"target": "none"}


def small_strike(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """A few squadrons at the next target: what an admiral does who does not concentrate."""
    told = strike(picture, decision, doctrine)
    targets = decision.form.items[0].places[1:]
    if told["target"] == "none":
        return told
    left = SMALL_STRIKE
    few: dict[str, Wire] = {"target": targets[picture.battle.fleets[decision.side].strikes % len(targets)]}
    for key, value in told.items():
        if key != "target" and left:
            few[key] = {"fly": min(left, value["fly"])}
            left -= min(left, value["fly"])
    return few


def _fits(decision: Decide, told: dict[str, Wire], item: str, number: int) -> bool:
    return legal(decision, {**told, item: {"fly": number}})


def legal(decision: Decide, wire: Wire) -> bool:
    """Whether an answer would do."""
    try:
        decision.read(wire)
    except IllegalChoice:
        return False
    return True


def air_targets(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """As many squadrons as are worth most there for each of them go where that is, and so on with the others."""
    group = group_named(picture.battle, decision.side.enemy, decision.about)
    if group is None:
        return decision.form.default
    rules = rules_of(picture)
    waiting = [item.key for item in decision.form.items for _ in range(item.amount)]
    crews = [AirCrew(u.nation, u.kind, u.state == "elite") for u in map(squadron, waiting)]
    air = min(air_nationality_drm(rules.air_nationality, crew) for crew in crews)
    in_port = bool(picture.battle.port)
    air += not in_port and all(squadron(key).kind == "NAS" for key in waiting)
    worths: dict[str, Callable[[int], int]] = {ship.id: _bombing(rules, ship, air, in_port) for ship in group.ships}
    if group.light:
        lowest = min(
            nationality_drm(rules.nationality, Crew(light(key).nation, light(key).kind)) for key in group.light
        )
        afloat = factors_of(group.light)
        worths[LIGHT] = cache(lambda n: policies.light_bombing_worth(n, air - lowest, afloat, _hits(rules)))
    aimed = dict.fromkeys(worths, 0)
    told: dict[str, dict[str, int]] = {}
    while waiting and worths:
        masses = {place: policies.mass(worths[place], aimed[place], len(waiting)) for place in worths}
        best = max(masses, key=lambda place: Fraction(*masses[place]))
        number = masses[best][1]
        for key in waiting[:number]:
            told.setdefault(key, {})[best] = told.get(key, {}).get(best, 0) + 1
        aimed[best] += number
        del waiting[:number]
    return told


def _bombing(rules: Ruleset, ship: Ship, air: int, in_port: bool) -> Callable[[int], int]:
    """What so many squadrons on a ship are worth. In port hits that do not damage her have no effect (23.443)."""
    modifier = air - nationality_drm(rules.nationality, Crew(ship.nation, ship.kind, ship.size))
    facts = (ship.size, ship.hits, int(ship.damaged), int(ship.is_carrier))
    hit = 0 if in_port else policies.HIT
    return cache(lambda squadrons: policies.bombing_worth(squadrons, modifier, *facts, _hits(rules), hit))


def _hits(rules: Ruleset) -> Callable[[int, int], int]:
    return lambda squadrons, roll: rules.attack.read_air(squadrons, roll).hits if squadrons else 0


def spread_targets(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """One squadron on each target in turn: what an admiral does who does not concentrate."""
    places = [place.key for place in decision.form.places if place.key != "none"]
    told: dict[str, dict[str, int]] = {}
    turn = 0
    for item in decision.form.items:
        for _ in range(item.amount):
            place = places[turn % len(places)]
            turn += 1
            told.setdefault(item.key, {})[place] = told.get(item.key, {}).get(place, 0) + 1
    return told


def submarines(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """All attack the group worth most, as soon as there is one."""
    offered = {place.key for place in decision.form.places}
    targets = [group for group in _enemy(picture, decision.side) if f"CG{group.number}" in offered]
    if not targets:
        return {}
    best = max(targets, key=lambda group: worth(group, doctrine))
    return {item.key: f"CG{best.number}" for item in decision.form.items}


def submarine_target(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """The ship nearest to sinking, then the largest."""
    group = group_named(picture.battle, decision.side.enemy, decision.about)
    offered = {place.key for place in decision.form.places}
    ships = [ship for ship in (group.ships if group else ()) if ship.id in offered]
    if not ships:
        return decision.form.default
    return max(ships, key=lambda ship: policies.target_worth(ship.size, ship.hits, int(ship.damaged))).id


def shift_losses(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Losses fall on destroyers elsewhere as far as there are any."""
    places = [place.key for place in decision.form.places[1:]]
    told: dict[str, dict[str, int]] = {}
    for item in decision.form.items:
        for place in places:
            for number in range(item.amount - sum(told.get(item.key, {}).values()), 0, -1):
                trial = {**told, item.key: {**told.get(item.key, {}), place: number}}
                if legal(decision, trial):
                    told = trial
                    break
    return told


FLYING: dict[str, Callable[[Picture, Decide, Doctrine], Wire]] = {
    "patrol": patrol,
    "cover": cover,
    "air search": air_search,
    "strike": strike,
    "air targets": air_targets,
    "submarines": submarines,
    "submarine target": submarine_target,
    "shift losses": shift_losses,
}
