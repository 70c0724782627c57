"""21.53 as far as it is held, 21.5342, 21.536, 21.537, 22.35, 25.363 Raiders in the SW boxes: who meets them, and after.

The combat itself is `rules/naval/raiders.py`. Raiding groups on the map, BRP cost, return and second engagement
(21.531 to 21.535, 21.538) are not held; the attack on transports follows SR-44.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.ships import Ship
from flagplot.model.strategic_war import (
    ATLANTIC,
    BRITAIN,
    GERMANY,
    INDIAN_OCEAN,
    ITALY,
    JAPAN,
    NOT_NAVAL_UNITS,
    PACIFIC,
    UNITED_STATES,
    BoxUnit,
    Hunters,
    RaiderGroup,
)
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_raiders import ANY

THREE_SHIPS = 3


class Hunted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the raider die says of one group."""

    modified_roll: int
    ships: int


class AfterEngagement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named ship after an engagement with raiders: afloat or sunk, her hits, where she goes."""

    state: str  # undamaged, damaged, sunk
    hits_repaired: bool
    goes: str


# -- the raider table -----------------------------------------------------------------------------------------


@rule("21.5342.A2", "21.5342.I2", "21.5342.I3", "21.5342.P1", "21.5342.P2")
def escort_carriers_against(group: RaiderGroup, hunters: Hunters) -> int:
    """21.5342. CVEs in the box, and search squadrons beside it that count as such.

    Those in the India box count in the Indian Ocean; those in the Australia box in the Pacific, against Japanese
    raiders that come off the southern edge.
    """
    counted = hunters.escort_carriers
    if group.box == INDIAN_OCEAN:
        counted += hunters.india_box_squadrons
    if group.box == PACIFIC and group.nation == JAPAN and group.off_southern_edge:
        counted += hunters.australia_box_squadrons
    return counted


@rule(
    "21.5342.G1",
    "21.5342.G2",
    "21.5342.G3",
    "21.5342.G4",
    "21.5342.A1",
    "21.5342.A2",
    "21.5342.I1",
    "21.5342.I2",
    "21.5342.P1",
    "21.5342.U",
    "21.5342.M",
)
def raider_modifiers(rules: Ruleset, group: RaiderGroup, hunters: Hunters) -> Modifiers:
    """21.5342. What modifies the die against a raiding group, line by line; positive amounts favor the hunters.

    The group resolved k-th has k - 1 (SR-42).
    """
    table = rules.raiders
    lines = Modifiers().plus("21.5342", "automatic", table.automatic)
    lines = lines.plus("21.5342", f"group {group.number} in the SW box", table.per_earlier_group * (group.number - 1))
    lines = lines.plus("21.5342", "three ships", table.three_ships if group.ships >= THREE_SHIPS else 0)
    lines = lines.plus("21.5342", "air range research of the defender", table.per_air_range * hunters.air_range)
    if group.box == ATLANTIC:
        lines = lines.plus("21.5342", "the U.S. is at war with Germany", table.us_war if hunters.us_german_war else 0)
    if group.box == INDIAN_OCEAN and group.nation == JAPAN and group.from_singapore:
        lines = lines.plus("21.5342", "Japanese raiders based in Singapore", table.from_singapore)
    carriers = escort_carriers_against(group, hunters)
    lines = lines.plus("21.5342", f"{carriers} CVEs", rules.carrier_effects.raiders(group.box, carriers))
    lead = max(-table.most_codebreaking, min(table.most_codebreaking, hunters.codebreaking))
    deck = "Ultra" if group.nation in (GERMANY, ITALY) else "Magic"
    return lines.plus("21.5342", f"{deck} codebreaking", lead)


@rule("21.5342.R1")
def ships_that_engage(rules: Ruleset, group: RaiderGroup, hunters: Hunters, die: int) -> Hunted:
    """21.5342. How many hunters meet a raiding group: the modified die, none below 1."""
    rolled = die + raider_modifiers(rules, group, hunters).total
    return Hunted(rolled, max(0, rolled))


@rule("25.363", "25.35E", "22.372F")
def may_hunt(rules: Ruleset, unit: BoxUnit, *, fast: bool = True) -> Verdict:
    """25.363. Whether a ship in a box may meet raiders there: Western Allied, uninverted; slow ones too (AM-06)."""
    if unit.nation not in (BRITAIN, UNITED_STATES):
        return Verdict(False, "25.35E", "Western Allied naval units only")
    if unit.kind in NOT_NAVAL_UNITS:
        return Verdict(False, "25.35E", f"naval units only, no {unit.kind}s")
    if unit.inverted:
        return Verdict(False, "25.363", "uninverted naval units only")
    if fast:
        return Verdict(True, "25.363", "uninverted naval units in an SW box meet raiders there")
    allowed = rules.readings.slow_raider_hunters
    return Verdict(allowed, "22.372F", "slow ships meet raiders as well" if allowed else "fast ships only")


@rule("21.5342.R2", "21.5342.R3")
def type_dice(rules: Ruleset, ships: int) -> int:
    """21.5342. How many type dice are rolled for so many hunters: none for the first, which is a cruiser."""
    return max(0, ships - 1) if rules.raiders.types.first else ships


@rule(
    "21.5342.R2",
    "21.5342.R3",
    "21.5342.T1",
    "21.5342.T2",
    "21.5342.T3",
    "21.5342.T4",
    "21.5342.T5",
    "21.5342.T6",
)
def hunter_choices(rules: Ruleset, die: int | None, available: Mapping[str, int]) -> tuple[str, ...]:
    """21.5342. Among which kinds of ship the defender picks the next hunter; none: that slot is lost (SR-43).

    No die: the first hunter. Kinds are those of `available` with a ship left.
    """
    types = rules.raiders.types
    present = tuple(kind for kind, number in available.items() if number > 0)
    if die is None:
        return tuple(kind for kind in present if kind == types.first)
    lowest = 1 if types.lower_result else die
    for result in range(die, lowest - 1, -1):
        wanted = types.by_die[result]
        found = present if ANY in wanted else tuple(kind for kind in present if kind in wanted)
        if found:
            return found
    return ()


# -- attacks on transports, and afterwards -----------------------------------------------------------------------


@rule("22.35E", "21.5362")
def may_attack_transports(*, engaged: bool, opponents_sunk: bool = False, fought: bool = False) -> Verdict:
    """22.35E. Whether a raider may attack transports: nobody engaged its group, or all unscreened opponents are sunk and
    it did not fight itself (AM-01)."""
    if not engaged:
        return Verdict(True, "22.35E", "nobody engaged its group")
    if not opponents_sunk:
        return Verdict(False, "22.35E", "an unscreened opponent is afloat")
    return Verdict(not fought, "22.35E", "of an engaged group only ships that did not fight")


@rule("21.5362", "21.5362A")
def air_strikes(groups_with_carriers: int) -> int:
    """21.5362A. Each group with a fast carrier makes one air strike of its own at the transports."""
    return groups_with_carriers


@rule("21.5362A.3")
def transports_roll_air_defense() -> bool:
    """21.5362A. Transports make no air defense roll."""
    return False


@rule("21.5362", "22.552B")
def attack_modifiers(raiders_drm: int, transports_drm: int) -> Modifiers:
    """22.552B. What modifies the fire of a raiding group at transports: nationality, and +1 for what they are (SR-44)."""
    lines = Modifiers().plus("22.552A", "Naval Nationality DRM", raiders_drm - transports_drm)
    return lines.plus("22.552B", "raiders attack transports", 1)


@rule("21.5362")
def transports_sunk(
    rules: Ruleset, groups: Sequence[tuple[int, int]], transports: int, *, modifier: int = 0
) -> tuple[int, ...]:
    """21.5362. Transports sunk by each group in turn, from its fire factors and its roll; each hit sinks one (SR-44)."""
    sunk: list[int] = []
    for factors, roll in groups:
        hits = rules.attack.hits(factors, roll + modifier) if factors else 0
        sunk.append(min(hits, transports - sum(sunk)))
    return tuple(sunk)


@rule("20.512C", "21.537A.1", "22.372F")
def after_engagement(rules: Ruleset, ship: Ship, hits: int, *, hunter: bool, first: bool = True) -> AfterEngagement:
    """21.537A. A named ship when an engagement with raiders ends: hits short of damage are repaired, none carry over.

    Raiders must try to go home and slow hunters go back to port after the first (22.372F).
    """
    fate = rules.fate_at_sea(ship, hits)
    state = "undamaged" if fate == "hit" else fate
    repaired = state == "undamaged" and ship.hits + hits > 0
    if state == "sunk":
        return AfterEngagement(state, False, "")
    if not hunter:
        return AfterEngagement(state, repaired, "must try to return to port")
    slow = state == "damaged" or not ship.fast
    goes = "returns to port" if slow or not first else "stays in the SW box"
    return AfterEngagement(state, repaired, goes)


@rule("21.537A.2")
def raiders_may_stay_at_sea() -> bool:
    """21.537A. No raiding group may stay at sea."""
    return False
