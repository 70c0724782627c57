"""26.6: rocket bases, and what flying bombs and rockets launched from them do.

Everything here is a pure function of plain values. How bases are placed (18.14) and how far rockets fly (43) we do not
hold: places and ranges are inputs.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import AirDefenders, RocketBase, Unit
from flagplot.rules.table import Ruleset

# -- bases ----------------------------------------------------------------------------------------


@rule("24.42", "26.63B.1")
def bases_allowed(rules: Ruleset, result: int) -> int:
    """26.63B. Rocket bases a research result allows; none below nine."""
    numbers = rules.bombing.bases_by_result
    return numbers[min(result, max(numbers))] if result >= min(numbers) else 0


class BaseTurn(NamedTuple):
    """What may be done with rocket bases in one turn."""

    placed: int  # new ones
    recycled: int
    returned: int = 0  # eliminated ones


@rule("26.61", "26.61A", "26.62C")
def base_placements(allowed: int, on_map: int, undamaged: int, eliminated: int = 0) -> BaseTurn:
    """26.61A. Rocket bases of one turn: one more on the map while research allows, one undamaged one moved and, free, one
    eliminated one back: each of them in the same turn. Where they may lie is as for airbases (18.14, an input)."""
    new = max(0, allowed - on_map - eliminated)
    return BaseTurn(min(1, new), min(1, undamaged), min(1, eliminated, max(0, allowed - on_map)))


@rule("26.61B")
def may_change_theatre(*, allied: bool) -> bool:
    """26.61B. Whether a recycled rocket base may go to another theatre: an Allied one."""
    return allied


@rule("26.62A", "26.62B.1", "26.62B.2")
def base_fate(rules: Ruleset, damage: int, *, pays: bool = False, captured: bool = False) -> Verdict:
    """26.62B. What bombing in one turn does to a rocket base: `holds` says whether it works in its owner's next turn.

    The damage is done to the base alone, not to the hex (SR-36).
    """
    if captured:
        return Verdict(False, "26.62A", "eliminated: the enemy controls the hex")
    if damage >= rules.bombing.base_eliminated_by:
        return Verdict(False, "26.62B", "eliminated, at no cost to its owner")
    if not damage:
        return Verdict(True, "26.62B", "undamaged")
    if pays:
        return Verdict(True, "26.62B", f"kept working for {damage} BRPs")
    return Verdict(False, "26.62B", "damaged: it does not work in its owner's next player turn")


# -- launching ------------------------------------------------------------------------------------


@rule("26.15.1", "26.31.2", "26.63C")
def may_launch(base: RocketBase, distance: int, *, eligible: bool = True) -> Verdict:
    """26.31. Whether a rocket base may fire at a target so far from it; its range is an input."""
    if base.damaged or not base.operational:
        return Verdict(False, "26.31", f"{base.id} is damaged or not operational")
    if distance > base.range:
        return Verdict(False, "26.63C", f"{distance} hexes is more than the range of {base.range}")
    return Verdict(eligible, "26.31", "in range" if eligible else "no target for rockets (26.3)")


@rule("26.63B.2")
def most_of_a_kind(on_map: int) -> int:
    """26.63B. How many bases may fire flying bombs, or rockets: half of those on the map, whether they work or not, an odd
    one either (SR-37)."""
    return -(-on_map // 2)


@rule("26.63A", "26.63B.2")
def salvos_allowed(on_map: int, working: int, flying_bombs: int, rockets: int) -> Verdict:
    """26.63B. Whether so many bases may fire so many salvos: one from each that works, free, half of either kind."""
    most = most_of_a_kind(on_map)
    if flying_bombs + rockets > working:
        return Verdict(False, "26.63A", f"{working} bases fire one salvo each")
    if max(flying_bombs, rockets) > most:
        return Verdict(False, "26.63B", f"at most {most} of either kind")
    return Verdict(True, "26.63B", "one salvo from each base, at no cost")


@rule("26.67", "26.33")
def atomic_rocket(rules: Ruleset, theatre: str, result: int, distance: int) -> Verdict:
    """26.67. Whether an atomic attack may be made by rocket: with a result of twelve, within three or two hexes. It is
    never intercepted."""
    most = rules.bombing.atomic_rocket_range[theatre]
    if result < rules.bombing.atomic_rocket_result:
        return Verdict(False, "26.67", f"it takes a result of {rules.bombing.atomic_rocket_result} or more")
    return Verdict(distance <= most, "26.67", f"within {most} hexes; it cannot be intercepted")


# -- effects --------------------------------------------------------------------------------------


@rule("26.651A", "26.661A.1", "26.661A.2", "26.661A.3")
def flying_bomb_salvo(rules: Ruleset, *, radar: int = 0, relative_drm: int = 0, air_defense: int = 0) -> Modifiers:
    """26.661A. What one salvo of flying bombs is worth, line by line: never less than nothing.

    `relative_drm`: the attacker's national Air Nationality DRM less the defender's, without unit bonuses (SR-37).
    """
    lines = Modifiers().plus("26.651A", "a salvo of flying bombs", rules.bombing.flying_bomb_salvo)
    lines = lines.plus("26.661A", "the defender's radar", -radar)
    lines = lines.plus("26.661A", "relative Air Nationality DRM", relative_drm)
    lines = lines.plus("26.661A", "the defender's air defense", -air_defense)
    return lines.at_least(0, "26.661A", "never less than nothing")


@rule("26.65", "26.661B.1", "26.661B.2", "26.661B.3", "26.661")
def flying_bomb_damage(
    rules: Ruleset, salvos: int, per_salvo: int, strength: int, defenders: AirDefenders, earlier: int = 0
) -> Modifiers:
    """26.661B. What all salvos on one target do, before the cap: less its strength, one for each interceptor or army air
    factor and four for each jet assigned. These count once for each target: what salvos of another power were worth,
    `earlier`, has been stopped first."""
    if not salvos:
        return Modifiers()
    numbers = rules.bombing
    lines = Modifiers().plus("26.651A", f"{salvos} salvos of {per_salvo}", salvos * per_salvo)
    lines = lines.plus("26.661B", "the strength of the target", -strength)
    aircraft = defenders.interceptors + defenders.aaf
    lines = lines.plus("26.661B", "interceptors and army air", -aircraft * numbers.per_defender)
    jets = defenders.jets * numbers.per_defending_jet
    lines = lines.plus("26.661B", "jets", -jets)
    stopped = min(earlier, strength + aircraft * numbers.per_defender + jets)
    lines = lines.plus("26.661B", "salvos of another power stopped already", stopped)
    return lines.at_least(0, "26.661B", "never less than nothing")


@rule("26.651B")
def rocket_damage(rules: Ruleset, salvos: int) -> int:
    """26.651B. What rockets do, before the cap: five for each salvo, and nothing stops them."""
    return salvos * rules.bombing.rocket_salvo


# -- those who oppose flying bombs ----------------------------------------------------------------


@rule("26.15.2", "26.662")
def may_oppose(*, fought_bombers_at: str = "", target: str) -> Verdict:
    """26.662. Whether air assigned to a target may oppose flying bombs there: not if it fought bombers at another target
    in this phase."""
    elsewhere = fought_bombers_at not in ("", target)
    return Verdict(not elsewhere, "26.662", f"it fought bombers at {fought_bombers_at}" if elsewhere else "it is free")


@rule("26.663", "26.664")
def after_opposing(kind: Unit) -> str:
    """26.663. What opposing flying bombs costs: interceptors may not escort in their next player turn; army air and jets
    are inverted for theirs."""
    return "may not escort in its next player turn" if kind is Unit.INTERCEPTOR else "inverted for its next player turn"
