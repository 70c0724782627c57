"""What a bombing raid will come to (26.4 to 26.9): all air combat on its way, the target, BRPs, markers, fire."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.bombing import bombing_modifier as modifier_at_target
from flagplot.api.bombing import counted, few, small, target_strength
from flagplot.api.bombing_shapes import mapboard_box_or
from flagplot.api.calls import question
from flagplot.api.chances import Dice, chance, quantities
from flagplot.api.interception import theatre_called
from flagplot.api.shapes import lines
from flagplot.api.sw_shapes import power_called
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_bombing import (
    AirDefenders,
    AirUnit,
    BomberForce,
    BombingTarget,
    Condition,
    Damage,
    Defences,
    FirestormHex,
    TargetKind,
    Unit,
)
from flagplot.model.war import side_of
from flagplot.odds import strategic as odds
from flagplot.rules.strategic import bombing as combat
from flagplot.rules.strategic import bombing_air_combat as air
from flagplot.rules.strategic import bombing_effects as effects
from flagplot.rules.strategic import bombing_forces as forces
from flagplot.rules.strategic import bombing_interception as interception
from flagplot.rules.strategic import bombing_targets as targets
from flagplot.rules.table import Ruleset

URALS = "Urals box"
PACIFIC_POWERS = ("Japan", "China")
PACIFIC_PLACES = ("India box", "Australia box", "Vladivostok", "Irkutsk")
MOST = 60  # factors of a kind
MOST_MEETINGS = 3  # a theatre has three fronts (26.442)
OWN_RIGHT = "{} is a target in its own right: leave out that it is a secondary one"
OTHER_CITIES = f"only cities in {', '.join(targets.WITH_SECONDARY_TARGETS)} are secondary targets"
GERMAN_OBJECTIVE, RUSSIAN_IC, ELSEWHERE = "German objective", "Russian IC", "another target"


class MeetingJson(msgspec.Struct, forbid_unknown_fields=True):
    """Defending air that meets the raid on one front (26.442); `escorted`: its escorts are still along there (26.43)."""

    interceptors: int = 0
    aaf: int = 0
    jets: int = 0
    escorted: bool = True


class AimedAt(msgspec.Struct, frozen=True):
    """A target by its name: whose it is, the box it is, and what it may suffer."""

    name: str
    country: str
    box: str = ""
    ic: bool = False
    listed: bool = True


def aimed_at(rules: Ruleset, name: str, country: str) -> AimedAt:
    """A target by its name: one of the lists of 26.31, an objective in Germany, a Russian IC, or any other."""
    plain = name.lower().strip()
    if plain in ("", ELSEWHERE):
        if not country:
            raise PlayerError(f"say the target, or whose it is: {', '.join(target_names(rules))}")
        return AimedAt(ELSEWHERE, power_called(country), listed=False)
    if plain == GERMAN_OBJECTIVE.lower():
        return AimedAt(GERMAN_OBJECTIVE, "Germany")
    if plain == RUSSIAN_IC.lower():
        return AimedAt(RUSSIAN_IC, "Russia", ic=True)
    plain = mapboard_box_or(plain).lower()
    for owner, names in rules.bombing.targets.items():
        for each in names:
            if each.lower() == plain:
                return AimedAt(each, owner, each if each.endswith(" box") else "")
    raise PlayerError(f"26.31: {name[:40]!r} is on no list of targets; there are {', '.join(target_names(rules))}")


def theatre_of(aim: AimedAt, attacker: str) -> str:
    """The theatre a target lies in; of the U.S. and Urals boxes, that from which this power bombs them (26.462)."""
    either = aim.box == URALS or interception.is_us_box(aim.box)
    pacific = attacker == "Japan" if either else aim.country in PACIFIC_POWERS or aim.name in PACIFIC_PLACES
    return "Pacific" if pacific else "Europe"


def target_names(rules: Ruleset) -> list[str]:
    """Every target that has a name here."""
    named = [each for names in rules.bombing.targets.values() for each in names]
    return [GERMAN_OBJECTIVE, RUSSIAN_IC, *named, ELSEWHERE]


@question
def bombing_odds(
    *,
    rules: Ruleset,
    dice: list[int],
    nation: str,
    distance: int,
    target: str = "",
    country: str = "",
    bombers: int = 0,
    aaf: int = 0,
    interceptors: int = 0,
    jets: int = 0,
    theatre: str = "",
    air_range: int = 0,
    bomber_results: int = 1,
    defences: Defences | None = None,
    air_defense: int = 0,
    value: int | None = None,
    russian_base: int | None = None,
    already: int = 0,
    burnt: bool = False,
    secondary: bool = False,
    meetings: list[MeetingJson] | None = None,
    defender: str = "",
    radar: int = 0,
    attacker_drm: int | None = None,
    defender_drm: int | None = None,
    attacker_impaired: bool = False,
    defender_impaired: bool = False,
    attacker_winter: bool = False,
    defender_winter: bool = False,
) -> dict[str, Any]:
    """A raid before the dice (26.4 to 26.9): modifiers line by line, and the exact chances of all it does and loses.

    A third of the AAF bombs (26.42). `target`: a name of the lists of 26.31, "German objective", "Russian IC", or none
    with a `country`. The theatre unsaid is that of the target. `value` null: BRPs are not capped, a box has its own, the
    Urals box by `russian_base`. `already`: uncapped damage done there earlier in the turn. `burnt`: it bears a firestorm or atomic marker. Meetings are fought one after the other, the attacker
    engaging jets, other escorts, then bombers. With dice: two for each side in each meeting, then at the target.
    """
    power = power_called(nation)
    aim = aimed_at(rules, target, country)
    where = theatre_called(theatre) if theatre else theatre_of(aim, power)
    shields = defences or Defences()
    hex = FirestormHex(aim.name, aim.country, not aim.box, aim.ic, ("firestorm",) if burnt else ())
    force = _force(rules, power, bombers, aaf, interceptors, jets)
    if aim.listed and side_of(power) is side_of(aim.country):
        raise PlayerError(
            f"26.31: {aim.name} belongs to {aim.country}, and {power} is on the same side: say a target of an enemy"
        )
    _may_fly(rules, where, air_range, power, force, few(distance, "hexes"), aim)
    strength = target_strength(rules=rules, defences=msgspec.structs.replace(shields, box=bool(aim.box)))
    made = modifier_at_target(
        rules=rules,
        distance=distance,
        theatre=where,
        air_range=air_range,
        bomber_results=_results(bomber_results),
        air_defense=_results(air_defense),
        country=aim.country,
    )
    if secondary and (aim.listed or aim.country not in targets.WITH_SECONDARY_TARGETS):
        raise PlayerError("26.32: " + (OWN_RIGHT.format(aim.name) if aim.listed else OTHER_CITIES))
    worth = _value(rules, aim, value, russian_base)
    raid = odds.Raid(
        force,
        Condition(power, attacker_impaired, attacker_winter),
        odds.Target(
            strength["strength"],
            None if worth is None else few(worth, "BRPs"),
            hex,
            aim.box,
            few(already, "damage"),
            secondary,
        ),
        made["net_modifier"],
        tuple(
            _met(each, defender or aim.country, defender_impaired, defender_winter, defender_drm)
            for each in _few_meetings(meetings or [])
        ),
        None if attacker_drm is None else small(attacker_drm, "DRM"),
        _results(radar),
    )
    found = odds.bombing_odds(rules, raid)
    firestorm = found.chances.pop("firestorm").get(1, odds.SURE - odds.SURE)
    answer = {
        "target": aim.name,
        "country": aim.country,
        "force": force.groups,
        "bombers": force.bombers,
        "strength": strength["strength"],
        "strength_lines": strength["lines"],
        "net_modifier": made["net_modifier"],
        "lines": made["lines"],
        "range": made["range"],
        "value": 0 if secondary else worth,
        "air_combats": _combats(rules, raid),
        "quantities": quantities(found.chances),
        "firestorm": chance(firestorm),
        "firestorm_why": _burns(rules, hex),
        "notes": _notes(rules, where, air_range, force, distance, aim, worth, secondary),
    }
    if dice:
        answer["resolved"] = _resolved(rules, raid, dice)
    return answer


def _value(rules: Ruleset, aim: AimedAt, value: int | None, russian_base: int | None) -> int | None:
    """The economic value of a target, None if there is no limit or it is not said; a box has its own (26.71A)."""
    if not aim.box or (aim.box == URALS and russian_base is None):
        return value
    return effects.box_value(rules, aim.box, few(russian_base or 0, "BRPs"))


def _force(rules: Ruleset, nation: str, bombers: int, aaf: int, interceptors: int, jets: int) -> BomberForce:
    for number, what in ((bombers, "bombers"), (aaf, "AAF"), (interceptors, "interceptors"), (jets, "jets")):
        _few(number, what)
    if forces.army_air_allowed(rules, nation, aaf) < aaf:
        raise PlayerError(f"26.52: Japan bombs with {rules.bombing.most_japanese_army_air} AAF a turn, not {aaf}")
    force = forces.bomber_force(rules, strategic_bombers=bombers, aaf=aaf, interceptors=interceptors, jets=jets)
    if not force.bombers:
        raise PlayerError("26.42: nothing here bombs; it takes a strategic bomber or three AAF")
    return force


def _few(number: int, what: str) -> int:
    if not 0 <= number <= MOST:
        raise PlayerError(f"{number} is no number of {what}; give one from 0 to {MOST}")
    return number


def _results(number: int) -> int:
    if not 0 <= number <= 9:
        raise PlayerError(f"{number} is no number of research results; give one from 0 to 9")
    return number


def _few_meetings(meetings: list[MeetingJson]) -> list[MeetingJson]:
    if len(meetings) > MOST_MEETINGS:
        raise PlayerError(f"26.442: a raid is met once on each front, {MOST_MEETINGS} times at most")
    return meetings


def _met(each: MeetingJson, nation: str, impaired: bool, winter: bool, drm: int | None) -> odds.Met:
    defenders = AirDefenders(_few(each.interceptors, "interceptors"), _few(each.aaf, "AAF"), _few(each.jets, "jets"))
    counted(defenders, "the defence")
    condition = Condition(power_called(nation), impaired, winter)
    return odds.Met(defenders, condition, None if drm is None else small(drm, "DRM"), each.escorted)


def _may_fly(
    rules: Ruleset, theatre: str, results: int, nation: str, force: BomberForce, distance: int, aim: AimedAt
) -> None:
    """Refuse a target out of range of what bombs it, units that may not fly there (26.23A), or a target that nobody may
    bomb (26.31)."""
    if not 0 <= results <= 3:
        raise PlayerError(f"{results} is no number of air range results; give one from 0 to 3")
    us_box = interception.is_us_box(aim.box)
    army_air = force.bombing_aaf + force.escort_aaf  # all of it is assigned to the target (26.422, 26.43C)
    for number, kind, role in (
        (force.strategic_bombers, Unit.BOMBER, "bomb"),
        (army_air, Unit.AAF, "bomb"),
        (force.interceptors, Unit.INTERCEPTOR, "escort"),
        (force.jets, Unit.JET, "escort"),
    ):
        barred = forces.bars_to_flying(rules, theatre, results, AirUnit(kind, nation), role, distance, us_box=us_box)
        if number and barred:
            raise PlayerError(f"{barred[0].rule}: {kind}: {barred[0].why}")
    if aim.listed:
        place = TargetKind.BOX if aim.box else TargetKind.CITY
        german = aim.name == GERMAN_OBJECTIVE
        what = BombingTarget(aim.name, aim.country, place, objective=german, ic=aim.ic)
        eligible = targets.eligible_target(rules, what, air_range=results)
        if not eligible.holds:
            raise PlayerError(f"{eligible.rule}: {eligible.why}")


def _burns(rules: Ruleset, hex: FirestormHex) -> list[str]:
    """What keeps the place from burning at all; nothing if enough damage will do."""
    fire = effects.firestorm(rules, hex, Damage(bombers=rules.bombing.firestorm))
    return [] if fire.holds else [fire.rule, fire.why]


def _notes(
    rules: Ruleset,
    theatre: str,
    results: int,
    force: BomberForce,
    distance: int,
    aim: AimedAt,
    value: int | None,
    secondary: bool,
) -> list[list[str]]:
    notes = []
    reach = forces.range_of(rules, theatre, results, Unit.INTERCEPTOR)
    if force.interceptors and distance > reach:
        notes.append(["26.43", f"interceptors escort as far as {reach} hexes, the target is {distance} off"])
    if value is None and not secondary and not interception.is_us_box(aim.box):
        lacking = "Russia's BRP base is not said" if aim.box == URALS else "no economic value is said"
        notes.append(["26.71A", f"BRPs lost are not capped: {lacking}"])
    return notes


def _combats(rules: Ruleset, raid: odds.Raid) -> list[dict[str, Any]]:
    """Each meeting as it would be if nothing was lost before it."""
    told = []
    for met in raid.meetings:
        force = odds.force_met(raid.force, met)
        if not met.defenders.factors:
            continue
        engaged, modifiers = odds.air_modifiers(rules, raid, force, met)
        told.append(
            {
                "defenders": met.defenders.groups,
                "escorted": met.escorted,
                "engaged": {group: number for group, number in engaged.groups.items() if number},
                "attacker_row": air.air_combat_strength(rules, engaged).total,
                "defender_row": air.air_combat_strength(rules, met.defenders).total,
                "net_modifier": modifiers.total,
                "lines": lines(modifiers)["lines"],
            }
        )
    return told


def _resolved(rules: Ruleset, raid: odds.Raid, dice: list[int]) -> dict[str, Any]:
    """What the dice come to, meeting by meeting and at the target."""
    tape = Dice(dice)
    state = odds.unharmed(raid.force)
    air_combats = []
    for number, met in enumerate(raid.meetings, start=1):
        force = odds.force_met(state.force, met)
        state = state._replace(force=force)
        if not odds.fights(force, met):
            continue
        mine, theirs = tape.take(2, f"the raid in meeting {number}"), tape.take(2, f"the defenders in meeting {number}")
        engaged, modifiers = odds.air_modifiers(rules, raid, force, met)
        fought = air.air_combat_round(
            rules, force, engaged, met.defenders, modifiers, attacker_roll=sum(mine), defender_roll=sum(theirs)
        )
        state = odds.later(state, odds.fought(rules, raid, force, met, sum(mine), sum(theirs)))
        air_combats.append(
            {
                "attacker_dice": list(mine),
                "defender_dice": list(theirs),
                "modifier": modifiers.total,
                "attacker_result": str(fought.against_defender),
                "defender_result": str(fought.against_attacker),
                "eliminated": fought.attacker.eliminated,
                "aborted": fought.attacker.aborted,
                "defenders_eliminated": fought.defender.eliminated,
            }
        )
    force = odds.arriving(state)
    told: dict[str, Any] = {"air_combats": air_combats, "bombers_arriving": force.bombers}
    mine = tape.take(2, "the bombers at the target") if force.bombers else ()
    theirs = tape.take(2, "the target") if force.bombers and raid.target.strength else ()
    tape.all_used()
    attacker, defender, result = combat.bombs_target(
        rules, force, raid.target.strength, raid.modifier, attacker_roll=sum(mine), defender_roll=sum(theirs)
    )
    bombed = odds.bombed(rules, raid.target, result)
    return told | {
        "attacker_dice": list(mine),
        "defender_dice": list(theirs),
        "attacker_result": str(attacker),
        "defender_result": str(defender),
        "from_result": result.from_result,
        "from_modifier": result.from_modifier,
        "from_reaching": result.from_reaching,
        "bombers_eliminated": odds.IN_THE_AIR["bombers_eliminated"](state) + sum(bombed.eliminated),
        "bombers_aborted": odds.IN_THE_AIR["bombers_aborted"](state) + sum(bombed.aborted),
        "damage": bombed.damage,
        "brps_lost": bombed.brps,
        "construction_points": bombed.construction,
        "markers": bombed.markers,
        "firestorm": bool(bombed.firestorm),
    }
