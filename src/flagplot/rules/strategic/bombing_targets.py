"""26.3: what may be bombed, with conventional bombs, flying bombs, rockets or atomic bombs.

Everything here is a pure function of plain values. What is on the map (objectives, ICs, key economic areas, oil) comes
with the target. 43 is not held: what an atomic attack does is an input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import WESTERN_ALLIED_POWERS, BombingTarget, TargetKind
from flagplot.rules.table import Ruleset
from flagplot.tables.strategic_bombing import TARGET_RULES, US_BOXES

STRUCK = ("firestorm", "atomic")
WITH_SECONDARY_TARGETS = ("Germany", "Britain", "Japan")


@rule(
    "26.31A",
    "26.31B",
    "26.31C",
    "26.31D",
    "26.31E",
    "26.31F",
    "26.31G",
    "26.31H",
    "26.31I",
    "26.31J",
    "26.31K",
    "26.34",
)
def eligible_target(rules: Ruleset, target: BombingTarget, *, air_range: int = 0) -> Verdict:
    """26.31. Whether a target may be attacked by bombers, flying bombs or rockets, under which rule, and if not, why.

    `air_range`: the attacker's air range results, asked for the U.S. boxes only. Secondary targets are another question.
    """
    if not target.enemy_held:
        return Verdict(False, "26.31", f"{target.name} is not in enemy hands")
    if target.kind is TargetKind.SHIPYARD:
        bombed = any(state in ("repairing", "building") for state in target.ships)
        return Verdict(bombed, "26.31H", "ships being repaired or built may be bombed, others may not")
    if target.kind is TargetKind.OIL_CENTER:
        return Verdict(True, "26.31I", "an oil center in enemy hands")
    if target.kind is TargetKind.SYNTHETIC_OIL_PLANT:
        return Verdict(target.country == "Germany", "26.31J", "German synthetic oil plants are targets")
    if target.kind is TargetKind.ROCKET_BASE:
        return Verdict(True, "26.31K", "an enemy rocket base")
    if target.captured and (target.key_economic_area or target.ic):
        return Verdict(False, "26.34", f"captured from {target.country}: never a target")
    return _listed(rules, target, air_range)


def _listed(rules: Ruleset, target: BombingTarget, air_range: int) -> Verdict:
    number = TARGET_RULES.get(target.country, "26.31")
    named = target.name in rules.bombing.targets.get(target.country, ())
    german = target.country == "Germany" and target.objective
    if target.country == "China" and named and target.captured:
        return Verdict(False, number, "only while Nationalist China holds it")
    if target.captured and (named or german):  # what is listed for a power is a target while it is that power's
        return Verdict(False, "26.34", f"captured from {target.country}: never a target")
    if german:
        return Verdict(True, number, "an objective hex in Germany")
    if target.country == "Russia" and target.ic:
        return Verdict(True, number, "a Russian IC")
    if target.name in US_BOXES and air_range < rules.bombing.us_box_results:
        return Verdict(False, number, "the U.S. boxes take three air range results")
    if named:
        return Verdict(True, number, f"{target.name} is on the list")
    return Verdict(False, number, f"{target.name} is on no list of targets")


@rule("26.31.3", "26.65", "26.76")
def salvos_may_hit(target: BombingTarget) -> Verdict:
    """26.31. Whether flying bombs and rockets may be fired at what may be bombed: not at the U.S. boxes, which strategic
    bombers alone attack, nor at ships in a yard, on which only the results of bombers fall (FP-111)."""
    if target.name in US_BOXES:
        return Verdict(False, "26.31", "only strategic bombers attack the U.S. boxes")
    if target.kind is TargetKind.SHIPYARD:
        return Verdict(False, "26.76", "flying bombs and rockets cost BRPs; ships in a yard suffer from bombers alone")
    return Verdict(True, "26.31", "within range of a rocket base that works")


@rule("26.31H.2", "23.43D.1")
def attacked_otherwise(state: str) -> Verdict:
    """26.31H. Undamaged ships and those waiting for repair are for ordinary air attack; ships in the yard are not."""
    if state in ("undamaged", "waiting"):
        return Verdict(True, "26.31H", "by air units as any ship in port")
    return Verdict(False, "23.43D", "only by strategic bombing")


@rule("26.32.1")
def secondary_target(target: BombingTarget, areas: Mapping[str, Sequence[str]]) -> Verdict:
    """26.32. Whether a city may be bombed because all key economic areas of its country are struck (SR-41, AM-09).

    `areas`: the eligible key economic areas of that country, each with its markers.
    """
    if target.country not in WITH_SECONDARY_TARGETS:
        return Verdict(False, "26.32", "only Germany, Britain and Japan have secondary targets")
    if target.captured:
        return Verdict(False, "26.32", f"{target.country} no longer holds it")
    spared = [name for name, markers in areas.items() if not any(mark in STRUCK for mark in markers)]
    if spared or not areas:
        return Verdict(False, "26.32", f"not struck yet: {', '.join(spared) or 'any key economic area'}")
    if target.kind is not TargetKind.CITY or not any(area in areas for area in target.adjacent):
        return Verdict(False, "26.32", "only cities next to those key economic areas")
    return Verdict(True, "26.32", "all key economic areas bear a firestorm or atomic marker")


@rule("26.33.3", "26.72C", "26.32.2")
def has_effect(*, economic_value: int | None, oil: bool, atomic: bool = False, secondary: bool = False) -> Verdict:
    """26.33. Whether bombing a hex does anything: it needs economic value (None: unlimited) or oil, or an atomic bomb.

    A secondary target has no value but may be firestormed (26.32). Ships in a yard and rocket bases are no hexes: they
    are attacked for themselves.
    """
    if atomic:
        return Verdict(True, "26.33", "an atomic bomb works everywhere")
    if secondary:
        return Verdict(True, "26.32", "no BRPs are lost, but there may be a firestorm")
    value = economic_value != 0 or oil
    return Verdict(value, "26.33", "it has economic or oil value" if value else "it has no economic or oil value")


@rule("26.33.1", "26.33.2", "26.67")
def may_attack_atomically(
    attacker: str, target: BombingTarget, *, eligible: bool, tactical: bool = False, enemy_units: bool = False
) -> Verdict:
    """26.33. Whether bombers or rockets may make an atomic attack: a strategic one on what may be bombed, a tactical
    one on a hex with enemy air or naval units."""
    if tactical:
        return Verdict(enemy_units, "26.33", "a tactical attack needs enemy air or naval units in the hex")
    if attacker in WESTERN_ALLIED_POWERS and target.country == "Italy" and target.kind is TargetKind.CITY:
        return Verdict(False, "26.33", "the Western Allies spare Italian cities")
    return Verdict(eligible, "26.33", "a strategic attack needs a target that may be bombed")
