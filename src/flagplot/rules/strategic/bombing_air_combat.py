"""26.45: the round of air combat between a bomber force and defending air, and whom its results fall on.

We do not hold 19.31 and 19.6: the lowest Air Nationality DRM of those engaged counts (SR-25), and losses rotate as
26.454 and its examples show (SR-27).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import AirDefenders, AirToll, BomberForce, Condition, group_name
from flagplot.rules.air.combat import lowest_crew
from flagplot.rules.air.nationality import AirCrew, air_nationality_lines
from flagplot.rules.table import Ruleset
from flagplot.tables.results import Result

CREW_KINDS = {
    "interceptors": "INT",
    "escort_aaf": "AAF",
    "bombing_aaf": "AAF",
    "aaf": "AAF",
    "jets": "JET",
    "strategic_bombers": "BMB",
}
ENGAGED_FIRST = ("jets", "interceptors", "escort_aaf", "strategic_bombers", "bombing_aaf")


# -- who engages ----------------------------------------------------------------------------------


@rule("24.613", "26.451B.1", "26.451B.4", "26.452")
def engaged_factors(force: BomberForce, defenders: AirDefenders) -> int:
    """26.451B. As many attacking factors engage as defend, or all if there are fewer; a jet counts as one."""
    return min(force.factors, defenders.factors)


@rule("26.451B.2")
def engaged_by_default(force: BomberForce, defenders: AirDefenders) -> BomberForce:
    """26.451B. Whom an attacker with a surplus commits unless he says otherwise: jets, then the other escorts, then
    bombers."""
    left = engaged_factors(force, defenders)
    chosen: dict[str, int] = {}
    for group in ENGAGED_FIRST:
        chosen[group] = min(left, force.groups[group])
        left -= chosen[group]
    return BomberForce(**chosen)


@rule("26.451B.1", "26.451B.2", "26.451B.4")
def may_engage_with(force: BomberForce, engaged: BomberForce, defenders: AirDefenders) -> Verdict:
    """26.451B. Whether the attacker may commit these: units of the force, as many as must be, bombing army air too
    (SR-29)."""
    lacking = [group for group, number in engaged.groups.items() if not 0 <= number <= force.groups[group]]
    if lacking:
        there = force.groups[lacking[0]]
        why = f"{engaged.groups[lacking[0]]} {group_name(lacking[0])} cannot engage, the force has {there}"
        return Verdict(False, "26.451B", why)
    wanted = engaged_factors(force, defenders)
    if engaged.factors != wanted:
        return Verdict(False, "26.451B", f"{wanted} factors engage, not {engaged.factors}")
    return Verdict(True, "26.451B", f"{wanted} factors engage")


@rule("26.451A", "26.451B.1", "26.451B.4", "26.452")
def air_combat_strength(rules: Ruleset, side: BomberForce | AirDefenders) -> Modifiers:
    """26.451A. The row of the Air Combat Table: one for each factor engaged, three for each jet."""
    strength = Modifiers().plus("26.451", "air factors engaged", side.factors)
    return strength.plus("26.452", "a jet counts as three", side.jets * (rules.bombing.jet_strength - 1))


# -- modifiers ------------------------------------------------------------------------------------


def _crews(side: BomberForce | AirDefenders, condition: Condition) -> list[AirCrew]:
    return [
        AirCrew(condition.nation, CREW_KINDS[group], False, condition.impaired, condition.winter)
        for group, number in side.groups.items()
        if number
    ]


@rule("24.6", "26.451B.3", "26.453.5", "26.453.2")
def bombing_drm(rules: Ruleset, side: BomberForce | AirDefenders, condition: Condition) -> Modifiers:
    """26.453. A side's Air Nationality DRM: the lowest of its units engaged; interceptors alone have one more (SR-25)."""
    lines = Modifiers()
    crews = _crews(side, condition)
    for reason, amount in air_nationality_lines(rules.air_nationality, lowest_crew(rules.air_nationality, crews)):
        lines = lines.plus("26.453", reason, amount)
    return lines


@rule("24.6", "26.451B.3", "26.453.1", "26.453.2", "26.453.3", "26.453.4", "26.453.5")
def bombing_air_modifiers(
    rules: Ruleset,
    force: BomberForce,
    engaged: BomberForce,
    defenders: AirDefenders,
    *,
    attacker_drm: int,
    defender_drm: int,
    radar: int = 0,
) -> Modifiers:
    """26.453. The net modifier of the attacker's air combat roll, the defender's having the opposite sign.

    Jets that engage count (SR-26, AM-10); a group may choose to count all that escort.
    """
    counted = force if rules.readings.escorting_jets_modify else engaged
    lines = Modifiers().plus("26.453", "jets of the bomber force", counted.jets)
    lines = lines.plus("26.453", "the attacker's Air Nationality DRM", attacker_drm)
    lines = lines.plus("26.453", "the defender's Air Nationality DRM", -defender_drm)
    lines = lines.plus("26.453", "intercepting jets", -defenders.jets)
    return lines.plus("26.453", "the defender's radar", -radar)


# -- losses ---------------------------------------------------------------------------------------


@rule("24.66", "26.454.1", "26.454.2", "26.454.3", "26.454.4", "26.464", "26.454")
def share_bombing_losses(groups: Mapping[str, int], result: Result | tuple[int, int]) -> AirToll:
    """26.454. One factor of each group in turn, the largest first, empty ones passed over: first those eliminated, then
    in the same round those that abort. Equal groups suffer in the order given (SR-27)."""
    ranked = sorted(groups, key=lambda group: -groups[group])
    left = dict(groups)
    tolls: list[dict[str, int]] = []
    turn = 0
    for number in result:
        taken = dict.fromkeys(groups, 0)
        for _ in range(min(number, sum(left.values()))):
            while not left[ranked[turn % len(ranked)]]:
                turn += 1
            group = ranked[turn % len(ranked)]
            turn += 1
            left[group] -= 1
            taken[group] += 1
        tolls.append(taken)
    return AirToll(tolls[0], tolls[1], left)


class AirCombat(NamedTuple):
    """A round of air combat: the rows, the modifier for the attacker, both results, and what they take."""

    attacker_row: int
    defender_row: int
    modifiers: Modifiers
    against_defender: Result
    against_attacker: Result
    attacker: AirToll
    defender: AirToll

    @property
    def force(self) -> BomberForce:
        """What goes on to the target."""
        return BomberForce(**self.attacker.remaining)


@rule("24.613", "26.451.1", "26.451.2", "26.454.4", "19.2")
def air_combat_round(
    rules: Ruleset,
    force: BomberForce,
    engaged: BomberForce,
    defenders: AirDefenders,
    modifiers: Modifiers,
    *,
    attacker_roll: int,
    defender_roll: int,
) -> AirCombat:
    """26.451. One round, both rolls at once: the attacker's loss falls on the whole force, whoever engaged."""
    ours = air_combat_strength(rules, engaged).total
    theirs = air_combat_strength(rules, defenders).total
    against_defender = rules.air_combat.result(ours, attacker_roll + modifiers.total)
    against_attacker = rules.air_combat.result(theirs, defender_roll - modifiers.total)
    return AirCombat(
        ours,
        theirs,
        modifiers,
        against_defender,
        against_attacker,
        share_bombing_losses(force.groups, against_attacker),
        share_bombing_losses(defenders.groups, against_defender),
    )
