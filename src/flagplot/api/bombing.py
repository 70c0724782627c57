"""Questions about strategic bombing before the damage (26.1 to 26.5): forces, targets, defenders, the two combats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from flagplot.api.bombing_shapes import (
    front_spelled,
    mapboard_box_or,
    secondary_target,
    target_spelled,
    theatre_at,
    unit_spelled,
)
from flagplot.api.calls import question
from flagplot.api.interception import theatre_called
from flagplot.api.shapes import lines
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import (
    ATTACKING_GROUPS,
    DEFENDING_GROUPS,
    AirDefenders,
    AirToll,
    AirUnit,
    BomberForce,
    Bombing,
    BombingTarget,
    Condition,
    Damage,
    Defences,
    Loss,
    Placement,
    Unit,
)
from flagplot.rules.damage import share_losses
from flagplot.rules.strategic import bombing as combat
from flagplot.rules.strategic import bombing_air_combat as air
from flagplot.rules.strategic import bombing_effects as effects
from flagplot.rules.strategic import bombing_forces as forces
from flagplot.rules.strategic import bombing_interception as interception
from flagplot.rules.strategic import bombing_targets as targets
from flagplot.rules.table import Ruleset

MOST = 999  # of anything counted
MOST_MODIFIER = 99
UNREAD = 7  # the roll of who rolls nothing


def few(number: int, what: str) -> int:
    """A number that may be one, or a refusal."""
    if not 0 <= number <= MOST:
        raise PlayerError(f"{number} is no number of {what}; give one from 0 to {MOST}")
    return number


def small(number: int, what: str) -> int:
    """A modifier or roll that may be one, or a refusal."""
    if not -MOST_MODIFIER <= number <= MOST_MODIFIER:
        raise PlayerError(f"{number} is no {what}; give one from -{MOST_MODIFIER} to {MOST_MODIFIER}")
    return number


def told(verdict: Verdict) -> list[str]:
    """A verdict's rule and reason."""
    return [verdict.rule, verdict.why]


def counted(counts: BomberForce | AirDefenders | Defences | Damage, what: str) -> None:
    """Refuse numbers that cannot be."""
    for name in counts.__struct_fields__:
        value = getattr(counts, name)
        if not isinstance(value, bool):
            few(value, f"{name} of {what}")


def two_rolls(
    dice: Sequence[int], attacker: int | None, defender: int | None, *, bombers: int = 1, strength: int = 1
) -> tuple[int, int]:
    """Both sides' rolls: said, or of two dice each, the attacker's first. Who rolls nothing (26.47, SR-04) needs no dice: no
    bomber is there, or nothing shoots at them."""
    all_of_them = 2 * ((attacker is None) + (defender is None))
    if len(dice) != all_of_them and not bombers:
        attacker = UNREAD if attacker is None else attacker
    if len(dice) != all_of_them and not (bombers and strength):
        defender = UNREAD if defender is None else defender
    wanted = 2 * ((attacker is None) + (defender is None))
    if len(dice) != wanted:
        raise PlayerError(f"give {wanted} dice, two for each roll that is not said; {len(dice)} were given")
    left = list(dice)
    if attacker is None:
        attacker, left = sum(left[:2]), left[2:]
    return small(attacker, "roll"), small(sum(left) if defender is None else defender, "roll")


# -- forces, bases and targets --------------------------------------------------------------------


@question
def bombing_force(
    *,
    rules: Ruleset,
    nation: str = "",
    strategic_bombers: int = 0,
    aaf: int = 0,
    interceptors: int = 0,
    jets: int = 0,
    aaf_used: int = 0,
) -> dict[str, Any]:
    """The bomber force these factors make (26.42, 26.43): a third of the AAF bombs; Japan has ten AAF a turn (26.52)."""
    allowed = forces.army_air_allowed(rules, nation_spelled(nation), few(aaf, "AAF"), few(aaf_used, "AAF"))
    force = forces.bomber_force(
        rules,
        strategic_bombers=few(strategic_bombers, "bombers"),
        aaf=allowed,
        interceptors=few(interceptors, "interceptors"),
        jets=few(jets, "jets"),
    )
    return {
        "aaf": allowed,
        "bombing": force.bombing_aaf,
        "escort": force.escort_aaf,
        "bombers": force.bombers,
        "force": force.groups,
    }


@question
def may_fly_to_bomb(
    *,
    rules: Ruleset,
    unit: AirUnit,
    role: str = "bomb",
    distance: int = 0,
    theatre: str = "",
    air_range: int = 0,
    us_box: bool = False,
    in_sw_box: bool = True,
) -> dict[str, Any]:
    """Whether an air unit may bomb or escort to a target so far from its base (26.13, 26.31, 26.422), and what bars it.

    `in_sw_box`: it has been deployed to an SW box, without which American bombers are not used (24.53). The theatre
    unsaid is that of its front, or Europe. `all_the_way`: an escort beyond its range goes along as far as it reaches (26.43).
    """
    if role not in ("bomb", "escort"):
        raise PlayerError(f"{role!r} is not 'bomb' or 'escort'")
    unit = unit_spelled(rules, unit)
    where = theatre_at(rules, theatre, unit.base_front)
    barred = forces.bars_to_flying(rules, where, air_range, unit, role, few(distance, "hexes"), us_box=us_box)
    deployed = forces.may_be_used(unit, in_sw_box=in_sw_box)
    barred = barred if deployed.holds else (deployed, *barred)
    reach = forces.range_of(rules, where, air_range, unit.kind, unit.jet_range)
    return {
        "may": not barred,
        "barred": [told(each) for each in barred],
        "range": reach,
        "all_the_way": not barred and distance <= reach,
    }


@question
def may_change_front(*, kind: Unit, phase: str = "redeployment") -> dict[str, Any]:
    """Whether a bomber or interceptor may go from one front to another in a phase, used or not (26.21)."""
    verdict = forces.may_change_front(kind, phase.lower().strip())
    return {"may": verdict.holds, "why": told(verdict)}


@question
def may_bomb_together(*, nations: list[str], routes: list[str] | None = None) -> dict[str, Any]:
    """Whether air units of these nations make one bomber force (26.41), and by routes such as these (26.442).

    `routes`: those of what flies from one base hex to one target hex.
    """
    verdicts = (
        forces.one_nationality([nation_spelled(nation) for nation in nations]),
        forces.one_route({("the base", "the target"): routes or []}),
    )
    barred = [told(verdict) for verdict in verdicts if not verdict.holds]
    return {"may": not barred, "barred": barred}


@question
def bomber_force_at(
    *,
    rules: Ruleset,
    force: BomberForce,
    distances: dict[str, int],
    theatre: str = "Europe",
    air_range: int = 0,
    jet_range: int = 0,
) -> dict[str, Any]:
    """What of a bomber force is there in a hex of its route (26.43): escorts beyond their range are no part of it.

    `distances`: of escort_aaf, interceptors and jets, from their base to that hex.
    """
    counted(force, "the force")
    strange = next((group for group in distances if group not in ("escort_aaf", "interceptors", "jets")), None)
    if strange is not None:
        raise PlayerError(f"{strange[:40]!r} is no group of escorts; there are escort_aaf, interceptors and jets")
    far = {group: few(number, "hexes") for group, number in distances.items()}
    there = forces.force_at(rules, theatre_called(theatre), air_range, force, far, few(jet_range, "hexes"))
    return {"force": there.groups, "turned_back": [group for group in far if there.groups[group] < force.groups[group]]}


@question
def may_be_placed_on_front(*, rules: Ruleset, unit: Placement) -> dict[str, Any]:
    """Whether a new bomber or interceptor may be placed on a front (26.22, 26.23)."""
    placed = Placement(
        unit.kind,
        nation_spelled(unit.nation),
        theatre_called(unit.theatre),
        front_spelled(rules, unit.front),
        theatre_called(unit.built_in) if unit.built_in else "",
        unit.operational_base,
        unit.at_war,
    )
    verdict = forces.may_be_placed(rules, placed)
    return {"may": verdict.holds, "why": told(verdict)}


@question
def may_be_bombed(
    *,
    rules: Ruleset,
    target: BombingTarget,
    by: Literal["bombers", "flying bombs", "rockets"] = "bombers",
    air_range: int = 0,
    areas: dict[str, list[str]] | None = None,
    economic_value: int | None = None,
    oil: bool = False,
    atomic: bool = False,
) -> dict[str, Any]:
    """Whether a target may be bombed (26.31, 26.34), if not as a secondary one (26.32).

    `areas`: the key economic areas of its country, each with its markers. An atomic attack needs the same. `by`: flying
    bombs and rockets have fewer targets than bombers.
    """
    target = target_spelled(rules, target)
    eligible = targets.eligible_target(rules, target, air_range=air_range)
    if eligible.holds and by != "bombers":
        eligible = targets.salvos_may_hit(target)
    secondary = secondary_target(target, areas)
    first = eligible if eligible.holds or not secondary.holds or eligible.rule == "26.34" else secondary
    answer: dict[str, Any] = {"may": first.holds, "why": told(first), "secondary": first is secondary}
    if economic_value is not None:
        verdict = targets.has_effect(
            economic_value=few(economic_value, "BRPs"), oil=oil, atomic=atomic, secondary=first is secondary
        )
        answer["effect"] = verdict.holds
    return answer


@question
def bombing_has_effect(
    *, economic_value: int = 0, oil: bool = False, atomic: bool = False, secondary: bool = False
) -> dict[str, Any]:
    """Whether bombing a hex does anything (26.33): it takes economic or oil value, or an atomic bomb."""
    verdict = targets.has_effect(
        economic_value=few(economic_value, "BRPs"), oil=oil, atomic=atomic, secondary=secondary
    )
    return {"effect": verdict.holds, "why": told(verdict)}


@question
def may_attack_atomically(
    *,
    rules: Ruleset,
    attacker: str,
    target: BombingTarget,
    tactical: bool = False,
    enemy_units: bool = False,
    air_range: int = 0,
    areas: dict[str, list[str]] | None = None,
) -> dict[str, Any]:
    """Whether bombers or rockets may make an atomic attack on a target (26.33); what it does is not held (43)."""
    target = target_spelled(rules, target)
    eligible = targets.eligible_target(rules, target, air_range=air_range).holds
    eligible = eligible or secondary_target(target, areas).holds
    verdict = targets.may_attack_atomically(
        nation_spelled(attacker), target, eligible=eligible, tactical=tactical, enemy_units=enemy_units
    )
    return {"may": verdict.holds, "why": told(verdict)}


# -- defenders ------------------------------------------------------------------------------------


@question
def bombing_sequence() -> dict[str, Any]:
    """In which order a combat phase with bombing goes (26.41, 26.441, 26.451, 26.46, 26.64), and who acts."""
    return {"steps": list(forces.order_of_bombing())}


@question
def bombing_engagements(*, rules: Ruleset, fronts: list[str]) -> dict[str, Any]:
    """How often a bomber force may be engaged on its route (26.442): once on each front, a box being one."""
    crossed = [front_spelled(rules, mapboard_box_or(front)) for front in fronts]
    return {"max_engagements": interception.most_engagements(crossed)}


@question
def may_engage_bombers(
    *,
    rules: Ruleset,
    unit: AirUnit,
    attacker: str,
    country: str,
    front: str = "",
    hex: str = "",
    box: str = "",
    theatre: str = "",
    in_china: bool = False,
    distance: int = 0,
    air_range: int = 0,
) -> dict[str, Any]:
    """Whether a defending unit may meet a bomber force in a hex on a front, or in a mapboard box (26.44, 26.462).

    The theatre unsaid is that of the front, or of the front from which the box is covered, or Europe.
    """
    bombers, front, box = nation_spelled(attacker), front_spelled(rules, front), mapboard_box_or(box)
    cover = rules.bombing.box_cover.get((box, bombers), "")
    meeting = interception.Meeting(
        bombers,
        effects.BOX_POWERS.get(box, nation_spelled(country)),
        front,
        hex,
        box,
        theatre_at(rules, theatre, front, cover),
        in_china,
    )
    barred = interception.bars_to_engaging(rules, air_range, unit_spelled(rules, unit), meeting, few(distance, "hexes"))
    return {
        "may": not barred,
        "barred": [told(each) for each in barred],
        "mission": interception.mission_of(unit.kind),
    }


# -- air combat -----------------------------------------------------------------------------------


def _toll(toll: AirToll) -> dict[str, Any]:
    return {"eliminated": toll.eliminated, "aborted": toll.aborted, "remaining": toll.remaining}


@question
def bombing_losses(
    *, force: dict[str, int], result: str, nations: dict[str, dict[str, int]] | None = None
) -> dict[str, Any]:
    """Whom an air combat result such as "2/2" falls on (26.454): eliminated, aborted and left, by group.

    `nations`: of defenders of several nations, the factors of each in a group; the largest loses first (24.66), equals in
    the order given, which is their owner's.
    """
    known = ATTACKING_GROUPS if "aaf" not in force else DEFENDING_GROUPS
    strange = next((group for group in force if group not in known), None)
    if strange is not None:
        raise PlayerError(f"{strange!r} is no group of a force; there are {', '.join(known)}")
    try:
        eliminated, aborted = (int(part) for part in result.split("/"))
    except ValueError:
        raise PlayerError(f"{result[:20]!r} is no result; one looks like 2/2") from None
    groups = {group: few(force[group], group) for group in known if group in force}
    toll = air.share_bombing_losses(groups, (few(eliminated, "eliminated"), few(aborted, "aborted")))
    if not nations:
        return _toll(toll)
    by_nation = {}
    for group, factors in nations.items():
        if sum(few(number, group) for number in factors.values()) != groups.get(group, 0):
            raise PlayerError(f"24.66: {group} by nation must come to the {groups.get(group, 0)} of the force")
        by_nation[group] = share_losses(factors, toll.eliminated[group], list(factors))
    return _toll(toll) | {"eliminated_by_nation": by_nation}


@question
def bombing_air_combat(
    *,
    rules: Ruleset,
    dice: list[int],
    attacker: BomberForce,
    defender: AirDefenders,
    engaged: BomberForce | None = None,
    attacker_nation: str = "",
    defender_nation: str = "",
    attacker_drm: int | None = None,
    defender_drm: int | None = None,
    attacker_impaired: bool = False,
    defender_impaired: bool = False,
    attacker_winter: bool = False,
    defender_winter: bool = False,
    radar: int = 0,
    attacker_roll: int | None = None,
    defender_roll: int | None = None,
    modified_rolls: bool = False,
) -> dict[str, Any]:
    """One round of air combat between a bomber force and its interceptors (26.45): rows, modifier, results, losses.

    Without `engaged` the attacker engages jets, then the other escorts, then bombers. A DRM is that of the nation and
    units engaged unless given. `modified_rolls`: the rolls given are modified already. With one side's roll and no dice only
    its result is told.
    """
    counted(attacker, "the force")
    counted(defender, "the defence")
    if not attacker.factors or not defender.factors:
        raise PlayerError("26.451: air combat takes a bomber force and defenders, of one factor or more each")
    fighting = air.engaged_by_default(attacker, defender) if engaged is None else engaged
    allowed = air.may_engage_with(attacker, fighting, defender)
    if not allowed.holds:
        raise PlayerError(f"{allowed.rule}: {allowed.why}")
    ours = air.bombing_drm(
        rules, fighting, Condition(nation_spelled(attacker_nation), attacker_impaired, attacker_winter)
    )
    theirs = air.bombing_drm(
        rules, defender, Condition(nation_spelled(defender_nation), defender_impaired, defender_winter)
    )
    modifiers = air.bombing_air_modifiers(
        rules,
        attacker,
        fighting,
        defender,
        attacker_drm=ours.total if attacker_drm is None else small(attacker_drm, "DRM"),
        defender_drm=theirs.total if defender_drm is None else small(defender_drm, "DRM"),
        radar=few(radar, "radar results"),
    )
    answer: dict[str, Any] = {
        "attacker_factors_engaged": fighting.factors,
        "engaged": fighting.groups,
        "attacker_row": air.air_combat_strength(rules, fighting).total,
        "defender_row": air.air_combat_strength(rules, defender).total,
        "net_modifier": modifiers.total,
        "lines": lines(modifiers)["lines"],
    }
    if not dice and attacker_roll is None and defender_roll is None:
        return answer
    one = not dice and None in (attacker_roll, defender_roll)
    against_defender, against_attacker = (not one or roll is not None for roll in (attacker_roll, defender_roll))
    if one:
        attacker_roll = UNREAD if attacker_roll is None else attacker_roll
        defender_roll = UNREAD if defender_roll is None else defender_roll
    first, second = two_rolls(dice, attacker_roll, defender_roll)
    if modified_rolls:
        first, second = first - modifiers.total, second + modifiers.total
    fought = air.air_combat_round(
        rules, attacker, fighting, defender, modifiers, attacker_roll=first, defender_roll=second
    )
    left = interception.defenders_left(defender, fought.defender)
    if against_defender:
        answer |= {
            "attacker_result": str(fought.against_defender),
            "defender_eliminated": fought.defender.eliminated,
            "defender_aborted": fought.defender.aborted,
            "defenders_for_the_next_raid": left.groups,
        }
    if against_attacker:
        answer |= {
            "defender_result": str(fought.against_attacker),
            **_toll(fought.attacker),
            "bombing_aaf_reaching": fought.force.bombing_aaf,
            "strategic_bombers_reaching": fought.force.strategic_bombers,
        }
    return answer


# -- SW combat ------------------------------------------------------------------------------------


@question
def target_strength(*, rules: Ruleset, defences: Defences) -> dict[str, Any]:
    """The strength of a target against bombers and flying bombs (26.461A, 26.462), line by line."""
    counted(defences, "the target")
    if defences.fortification > 2:
        raise PlayerError("26.461A: fortification 1 is a fortification, 2 a fortress")
    strength = combat.target_strength(rules, defences)
    return {"strength": strength.total, "lines": lines(strength)["lines"]}


@question
def bombing_modifier(
    *,
    rules: Ruleset,
    distance: int,
    theatre: str = "Europe",
    air_range: int = 0,
    bomber_results: int = 1,
    air_defense: int = 0,
    country: str = "",
) -> dict[str, Any]:
    """The modifier of bombers against their target (26.461B): research, excess range, the defender's air defense."""
    where, country = theatre_called(theatre), nation_spelled(country)
    reach = forces.range_of(rules, where, air_range, Unit.BOMBER)
    if few(distance, "hexes") > reach:
        raise PlayerError(f"26.31: {distance} hexes is more than the bombers' range of {reach}")
    modifiers = combat.bombing_modifiers(
        rules,
        where,
        air_range=air_range,
        distance=distance,
        bomber_results=few(bomber_results, "bomber results"),
        air_defense=few(air_defense, "air defense results"),
        country=country,
    )
    research = max(0, bomber_results - 1)
    defense = 0 if country == "China" else -air_defense
    return {
        "range": reach,
        "excess": forces.excess_range(rules, where, air_range, distance),
        "excess_modifier": modifiers.total - research - defense,
        "research_modifier": research,
        "air_defense": defense,
        "net_modifier": modifiers.total,
        "lines": lines(modifiers)["lines"],
    }


class ArrivedJson(msgspec.Struct, forbid_unknown_fields=True):
    """Bombers that reached their target past the defending air."""

    strategic_bombers: int = 0
    bombing_aaf: int = 0


def arrived(bombers: ArrivedJson | int) -> BomberForce:
    """The force that reached its target, as the rules have it; a number is one of strategic bombers."""
    came = ArrivedJson(bombers) if isinstance(bombers, int) else bombers
    few(came.strategic_bombers, "bombers")
    few(came.bombing_aaf, "bombing AAF")
    return BomberForce(came.strategic_bombers, came.bombing_aaf)


def bombed(result: Bombing) -> dict[str, Any]:
    """What came of SW combat, in JSON."""
    return {
        "bombers_eliminated": sum(result.toll.eliminated.values()),
        "bombers_aborted": sum(result.toll.aborted.values()),
        "bombers_reaching": result.reaching,
        "by_group": _toll(result.toll),
        "from_result": result.from_result,
        "from_modifier": result.from_modifier,
        "from_reaching": result.from_reaching,
        "uncapped": result.damage,
    }


@question
def bombing_attack(
    *,
    rules: Ruleset,
    dice: list[int],
    bombers: ArrivedJson | int,
    target_strength: int,
    net_modifier: int = 0,
    hex_value: int | None = None,
    economic: bool = True,
    attacker_roll: int | None = None,
    defender_roll: int | None = None,
) -> dict[str, Any]:
    """SW combat of bombers with their target (26.46, 24.65): results, losses, damage, BRPs lost, construction limit.

    `bombers` as a number are strategic bombers. Two dice for the attacker, two for the defender, or their rolls.
    `hex_value` null: no limit. `economic`: a key economic area, box or IC, where construction limits suffer.
    """
    force = arrived(bombers)
    first, second = two_rolls(dice, attacker_roll, defender_roll, bombers=force.bombers, strength=target_strength)
    attacker, defender, result = combat.bombs_target(
        rules,
        force,
        few(target_strength, "strength"),
        small(net_modifier, "modifier"),
        attacker_roll=first,
        defender_roll=second,
    )
    value = None if hex_value is None else few(hex_value, "BRPs")
    lost = effects.brps_lost(Damage(bombers=result.damage), value)
    limits = effects.construction_limits(rules, [Loss("the defender", lost, economic)])
    return {
        "attacker_result": str(attacker),
        "defender_result": str(defender),
        **bombed(result),
        "brps_lost": lost.total,
        "construction_limit_reduction": limits.get("the defender", 0),
    }
