"""24.632, 24.65, 26.46, 26.47: SW combat between the bombers that arrive and their target.

Everything here is a pure function of plain values: what the dice decide is an argument.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.strategic_bombing import BomberForce, Bombing, Damage, Defences
from flagplot.rules.strategic.bombing_air_combat import share_bombing_losses
from flagplot.rules.strategic.bombing_forces import excess_range
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_combat import SwResult

BOMBING_GROUPS = ("bombing_aaf", "strategic_bombers")  # in the order in which equal groups suffer (26.454)


@rule("24.6", "26.461A.1", "26.461A.2", "26.461A.3", "26.462.1")
def target_strength(rules: Ruleset, defences: Defences) -> Modifiers:
    """26.461A. The row of a target on the SW Combat Table, line by line; a mapboard box always has three."""
    numbers = rules.bombing
    if defences.box:
        return Modifiers().plus("26.462", "a mapboard box", numbers.box)
    lines = Modifiers().plus("26.461A", "cities or ports", defences.cities_or_ports * numbers.per_city_or_port)
    lines = lines.plus("26.461A", "flak", defences.flak * numbers.per_flak_factor)
    lines = lines.plus("26.461A", "airbases", defences.airbases * numbers.per_airbase)
    lines = lines.plus("26.461A", "objectives", defences.objectives * numbers.per_objective)
    lines = lines.plus("26.461A", "anchors", defences.anchors * numbers.per_anchor)
    amount, what = ((0, ""), (numbers.fortification, "fortification"), (numbers.fortress, "fortress"))[
        defences.fortification
    ]
    return lines.plus("26.461A", what, amount)


@rule("24.6", "26.422.2", "26.461B.1", "26.461B.2", "26.461B.3", "26.461B.4", "26.53", "ARE.N2")
def bombing_modifiers(
    rules: Ruleset,
    theatre: str,
    *,
    air_range: int,
    distance: int,
    bomber_results: int,
    air_defense: int = 0,
    country: str = "",
) -> Modifiers:
    """26.461B. The net modifier of bombers against their target, line by line; plus favors the bombers (SR-31).

    `distance`: the longest from a base used to the target. `air_defense` is not counted for Chinese targets (26.53).
    """
    lines = Modifiers().plus("26.461B", "bomber results beyond the first", max(0, bomber_results - 1))
    excess = excess_range(rules, theatre, air_range, distance)
    points = excess // rules.air_range.excess[theatre]
    lines = lines.plus("26.461B", f"{excess} hexes of excess range", points)
    lines = lines.plus("26.461B", "never more than bomber results", min(0, bomber_results - points))
    return lines.plus("26.461B", "the defender's air defense", 0 if country == "China" else -air_defense)


@rule("24.65A", "26.47.1")
def losses_for_modifier(bombers: int, modifier: int) -> int:
    """24.65A. Additional losses for a modifier that favors the bombers, one for each that attacks at most, whatever the
    target's result."""
    return min(max(modifier, 0), bombers)


@rule("24.65B", "26.47.2")
def losses_for_reaching(bombers: int, reaching: int, modifier: int) -> int:
    """24.65B. Additional losses for bombers that get through, less one for each point that favors the defender."""
    return max(0, min(reaching, bombers) - max(-modifier, 0))


@rule(
    "24.622",
    "24.632A.1",
    "24.632A.2",
    "24.632B.1",
    "24.632B.2",
    "24.65",
    "26.461.1",
    "26.461.2",
    "26.463",
    "26.464",
    "26.47",
)
def bombing_result(
    rules: Ruleset, force: BomberForce, attacker: SwResult, defender: SwResult, modifier: int
) -> Bombing:
    """26.463. What bombers that arrived do and suffer: three BRPs for each first number, one for each second, three for
    each additional loss; the target's result falls on bombing army air and bombers in rotation (26.464)."""
    numbers = rules.bombing
    groups = {group: force.groups[group] for group in BOMBING_GROUPS}
    toll = share_bombing_losses(groups, (defender.before, defender.after))
    reaching = sum(toll.remaining.values())
    favorable = losses_for_modifier(force.bombers, modifier)
    through = losses_for_reaching(force.bombers, reaching, modifier)
    return Bombing(
        toll,
        reaching,
        attacker.before * numbers.per_first_number + attacker.after * numbers.per_second_number,
        favorable,
        through,
        favorable * numbers.per_additional_loss,
        through * numbers.per_additional_loss,
    )


@rule("26.461", "24.622.1", "24.622.4", "26.47.1")
def bombs_target(
    rules: Ruleset, force: BomberForce, strength: int, modifier: int, *, attacker_roll: int, defender_roll: int
) -> tuple[SwResult, SwResult, Bombing]:
    """26.461. One roll for each side on the SW Combat Table, the modifier added to one and taken from the other.

    If no bomber arrives nothing is rolled; a target without defences makes no roll (SR-04).
    """
    if not force.bombers:
        nothing = SwResult(0, 0)
        return nothing, nothing, bombing_result(rules, force, nothing, nothing, 0)
    attacker = rules.sw_combat.result(force.bombers, attacker_roll + modifier)
    defender = rules.sw_combat.result(strength, defender_roll - modifier)
    return attacker, defender, bombing_result(rules, force, attacker, defender, modifier)


@rule("26.461.1", "26.461.2", "26.51.1")
def arrived_together(forces: Sequence[BomberForce]) -> BomberForce:
    """26.461. The bombers of one power that reached one target, by whatever routes: they make one SW combat (AM-20).

    Forces of different powers are never joined (26.51).
    """
    return BomberForce(sum(force.strategic_bombers for force in forces), sum(force.bombing_aaf for force in forces))


@rule("26.51.1", "26.51.4", "26.71")
def damage_of_all(raids: Sequence[Damage]) -> Damage:
    """26.51. The damage of all raids, flying bombs and rockets on one target, added up by source (AM-20)."""
    return Damage(
        sum(raid.bombers for raid in raids),
        sum(raid.flying_bombs for raid in raids),
        sum(raid.rockets for raid in raids),
    )
