"""All that is done to one target in one combat phase (26.45 to 26.9), on dice: raids, flying bombs, rockets, and effects."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from flagplot.api.bombing import bombed, counted, few, small
from flagplot.api.bombing_effects import bombing_effects, flying_bombs
from flagplot.api.calls import question
from flagplot.api.chances import Dice
from flagplot.api.shapes import lines
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_bombing import AirDefenders, BomberForce, Condition, Damage, FirestormHex
from flagplot.rules.strategic import bombing as combat
from flagplot.rules.strategic import bombing_air_combat as air
from flagplot.rules.strategic import bombing_forces as forces
from flagplot.rules.strategic import bombing_interception as interception
from flagplot.rules.table import Ruleset

MOST_RAIDS = 12


class RaidJson(msgspec.Struct, forbid_unknown_fields=True):
    """A bomber force of one power by one route. `net_modifier` is that at the target (26.461B), `drm` the Air Nationality
    DRM of those engaged, if not the chart's; `met` false: the defenders let it pass (26.451)."""

    nation: str
    strategic_bombers: int = 0
    aaf: int = 0
    interceptors: int = 0
    jets: int = 0
    engaged: BomberForce | None = None
    net_modifier: int = 0
    drm: int | None = None
    met: bool = True


class SalvosJson(msgspec.Struct, forbid_unknown_fields=True):
    """Flying bombs at the target. `opposed`: by all defenders that are left (26.662)."""

    salvos: int = 0
    relative_drm: int = 0
    opposed: bool = True


class Arrived(NamedTuple):
    """What is left of a raid over the target."""

    nation: str
    force: BomberForce
    modifier: int


@question
def bombed_target(
    *,
    rules: Ruleset,
    dice: list[int],
    hex: FirestormHex,
    raids: list[RaidJson],
    target_strength: int,
    defenders: AirDefenders | None = None,
    defender_nation: str = "",
    defender_drm: int | None = None,
    radar: int = 0,
    air_defense: int = 0,
    salvos: SalvosJson | None = None,
    rockets: int = 0,
    value: int | None = None,
    box: str = "",
    russian_base: int | None = None,
    secondary: bool = False,
    economic: bool = True,
    pays: bool = False,
) -> dict[str, Any]:
    """All that befalls one target in a combat phase (26.45 to 26.9): raids in their order, flying bombs, rockets, effects.

    Each raid meets the defenders that are left, aborted ones too (26.451); forces of one power then make one SW combat, those
    of different powers one each, and all damage is added up (AM-20). Dice: two for the raid and two for the defenders in
    each air combat; then for each power two for its bombers and two for the target. `air_defense` hampers flying bombs, for
    bombers it is in `net_modifier`; `rockets` are salvos; the rest as in bombing_effects. A raid without `engaged` commits jets, other escorts, then bombers.
    """
    tape = Dice(dice)
    left = defenders or AirDefenders()
    counted(left, "the defence")
    if len(raids) > MOST_RAIDS:
        raise PlayerError(f"{len(raids)} raids are too many here; give {MOST_RAIDS} at most")
    owner = Condition(nation_spelled(defender_nation or hex.country))
    air_combats: list[dict[str, Any]] = []
    arrived: list[Arrived] = []
    aaf_used: dict[str, int] = {}
    for number, raid in enumerate(raids, start=1):
        nation = nation_spelled(raid.nation)
        force = _force(rules, raid, nation, aaf_used.get(nation, 0))
        aaf_used[nation] = aaf_used.get(nation, 0) + raid.aaf
        if raid.met and left.factors:
            fought = _air_combat(rules, tape, number, raid, force, left, owner, defender_drm, radar)
            left = interception.defenders_left(left, fought.defender)
            force = fought.force
            air_combats.append(_told(number, nation, fought, left))
        arrived.append(Arrived(nation, force, small(raid.net_modifier, "modifier")))
    sw_combats = [
        _sw_combat(rules, tape, nation, [each for each in arrived if each.nation == nation], target_strength)
        for nation in dict.fromkeys(each.nation for each in arrived)
    ]
    tape.all_used()
    fired = salvos or SalvosJson()
    bombs = flying_bombs(
        rules=rules,
        salvos=fired.salvos,
        target_strength=target_strength,
        radar=radar,
        relative_drm=fired.relative_drm,
        air_defense=air_defense,
        defenders=left if fired.opposed else None,
    )
    damage = Damage(
        sum(each["uncapped"] for each in sw_combats),
        bombs["uncapped"],
        few(rockets, "salvos") * rules.bombing.rocket_salvo,
    )
    done = bombing_effects(
        rules=rules,
        damage=damage,
        hex=hex,
        value=value,
        box=box,
        russian_base=russian_base,
        secondary=secondary,
        economic=economic,
        pays=pays,
    )
    return {
        "air_combats": air_combats,
        "sw_combats": sw_combats,
        "flying_bombs": {"per_salvo": bombs["per_salvo"], "uncapped": bombs["uncapped"], "lines": bombs["lines"]},
        "damage": {"bombers": damage.bombers, "flying_bombs": damage.flying_bombs, "rockets": damage.rockets},
        "defenders_left": left.groups,
        **done,
    }


def _force(rules: Ruleset, raid: RaidJson, nation: str, used: int) -> BomberForce:
    aaf = few(raid.aaf, "AAF")
    if forces.army_air_allowed(rules, nation, aaf, used) < aaf:
        raise PlayerError(f"26.52: Japan bombs with {rules.bombing.most_japanese_army_air} AAF a turn")
    force = forces.bomber_force(
        rules,
        strategic_bombers=few(raid.strategic_bombers, "bombers"),
        aaf=aaf,
        interceptors=few(raid.interceptors, "interceptors"),
        jets=few(raid.jets, "jets"),
    )
    if not force.bombers:
        raise PlayerError("26.42: nothing in the raid bombs; it takes a strategic bomber or three AAF")
    return force


def _air_combat(
    rules: Ruleset,
    tape: Dice,
    number: int,
    raid: RaidJson,
    force: BomberForce,
    left: AirDefenders,
    owner: Condition,
    defender_drm: int | None,
    radar: int,
) -> air.AirCombat:
    engaged = raid.engaged or air.engaged_by_default(force, left)
    allowed = air.may_engage_with(force, engaged, left)
    if not allowed.holds:
        raise PlayerError(f"{allowed.rule}: {allowed.why}")
    ours = air.bombing_drm(rules, engaged, Condition(nation_spelled(raid.nation))).total
    theirs = air.bombing_drm(rules, left, owner).total
    modifiers = air.bombing_air_modifiers(
        rules,
        force,
        engaged,
        left,
        attacker_drm=ours if raid.drm is None else small(raid.drm, "DRM"),
        defender_drm=theirs if defender_drm is None else small(defender_drm, "DRM"),
        radar=few(radar, "radar results"),
    )
    mine, other = tape.take(2, f"raid {number} in the air"), tape.take(2, f"the defenders against raid {number}")
    return air.air_combat_round(
        rules, force, engaged, left, modifiers, attacker_roll=sum(mine), defender_roll=sum(other)
    )


def _told(number: int, nation: str, fought: air.AirCombat, left: AirDefenders) -> dict[str, Any]:
    return {
        "raid": number,
        "nation": nation,
        "attacker_row": fought.attacker_row,
        "defender_row": fought.defender_row,
        "net_modifier": fought.modifiers.total,
        "lines": lines(fought.modifiers)["lines"],
        "attacker_result": str(fought.against_defender),
        "defender_result": str(fought.against_attacker),
        "eliminated": fought.attacker.eliminated,
        "aborted": fought.attacker.aborted,
        "defender_eliminated": fought.defender.eliminated,
        "defender_aborted": fought.defender.aborted,
        "defenders_left": left.groups,
        "bombers_arriving": fought.force.bombers,
    }


def _sw_combat(rules: Ruleset, tape: Dice, nation: str, came: list[Arrived], strength: int) -> dict[str, Any]:
    """26.461. One SW combat of one power's bombers, by whatever routes they came."""
    modifiers = list(dict.fromkeys(each.modifier for each in came))
    if len(modifiers) > 1:
        raise PlayerError(f"26.461: the bombers of {nation} make one SW combat with one modifier (AM-20)")
    force = combat.arrived_together([each.force for each in came])
    mine = tape.take(2, f"the bombers of {nation} at the target") if force.bombers else ()
    theirs = tape.take(2, f"the target against {nation}") if force.bombers and few(strength, "strength") else ()
    attacker, defender, result = combat.bombs_target(
        rules, force, strength, modifiers[0], attacker_roll=sum(mine), defender_roll=sum(theirs)
    )
    return {
        "nation": nation,
        "bombers": force.bombers,
        "attacker_result": str(attacker),
        "defender_result": str(defender),
        **bombed(result),
    }
