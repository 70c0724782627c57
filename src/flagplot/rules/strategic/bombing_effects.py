"""26.7 to 26.9: what bombing damage does: BRPs, construction limits, industry, ICs, firestorms, and their markers.

Everything here is a pure function of plain values. Values of hexes, production of oil centers, the loss of an IC (37.5)
and what surrender levels and DPs do are inputs or belong to rules we do not hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import SOURCES, Damage, Facility, FirestormHex, Loss, TargetKind
from flagplot.rules.table import Ruleset
from flagplot.tables.strategic_bombing import BOX_VALUES, TARGETS, US_BOXES

BOX_COUNTRIES = {"Australia box": "Australia", "India box": "India"}  # with a construction limit of their own
BOX_POWERS = {box: power for power, places in TARGETS.items() for box in places if box.endswith(" box")}
MAPBOARD_BOXES = (*BOX_VALUES, "Urals box", *US_BOXES)  # that may be bombed; none of them is a city
FIRESTORM_COUNTRIES = ("Germany", "Japan", "Britain")
FIRESTORM_CITIES = ("Vladivostok", "Irkutsk")

# -- BRPs -----------------------------------------------------------------------------------------


@rule("26.71A.3")
def box_value(rules: Ruleset, box: str, russian_base: int = 0) -> int | None:
    """26.71A. The economic value of a mapboard box, None if there is no limit (SR-32)."""
    if box in US_BOXES:
        return None
    if box == "Urals box":
        return max(0, russian_base - rules.bombing.vladivostok_and_irkutsk)
    return rules.bombing.box_values[box]


@rule("24.13", "26.32.2", "26.463", "26.652", "26.71", "26.71A.1", "26.71A.2", "26.72E", "26.75.1")
def brps_lost(damage: Damage, value: int | None) -> Damage:
    """26.71A. BRPs really lost in a hex in one turn: never more than its value (None: no limit), bombers first, then
    flying bombs, then rockets (SR-32). A secondary target is worth nothing (26.32). Damage markers, and what is paid to
    prevent them, change nothing here (26.72E)."""
    if value is None:
        return damage
    left = value
    lost = {}
    for source in SOURCES:
        lost[source] = min(left, getattr(damage, source))
        left -= lost[source]
    return Damage(**lost)


@rule("26.75.2", "26.75.3")
def choices_of_ic(lost: int) -> tuple[str, ...]:
    """26.75. What Russia may do about a bombed IC: lose the BRPs, in deficit if need be, or eliminate it (37.5)."""
    return ("lose the BRPs", "eliminate the IC") if lost else ()


# -- construction limits --------------------------------------------------------------------------


@rule("26.653A", "26.653B", "26.71B.1", "26.71B.2", "26.71B.3")
def construction_limits(rules: Ruleset, losses: Sequence[Loss]) -> dict[str, int]:
    """26.71B. By how much construction limits fall in the next player turn: one for three BRPs lost to bombers and
    flying bombs, added up first, and one for each lost to rockets (SR-33).

    The India and Australia boxes count for that country and for Britain as a whole.
    """
    counted: dict[str, list[Damage]] = {}
    for loss in losses:
        if not loss.economic:
            continue
        own = BOX_COUNTRIES.get(loss.box)
        for country in (loss.country,) if own is None else (own, loss.country):
            counted.setdefault(country, []).append(loss.brps)
    step = rules.bombing.brps_to_a_construction_point
    return {
        country: sum(each.bombers + each.flying_bombs for each in brps) // step + sum(each.rockets for each in brps)
        for country, brps in counted.items()
    }


@rule("26.653C")
def german_construction_increase(losses: Sequence[Loss]) -> int:
    """26.653C. What German flying bombs and rockets add to the German construction limit: one for each BRP Britain or
    Russia lost to them this turn at a key economic area, mapboard box or IC (26.653)."""
    counted = [loss for loss in losses if loss.economic and loss.country in ("Britain", "Russia")]
    return sum(loss.brps.flying_bombs + loss.brps.rockets for loss in counted)


# -- industry -------------------------------------------------------------------------------------


@rule("26.72D")
def emergency_repair(rules: Ruleset, damage: int) -> int:
    """26.72D. BRPs the defender may pay at once to prevent the last damage marker: what exceeds whole tens, 0 if nothing
    does. It leaves the construction limit alone and is deficit spending if BRPs run short."""
    return damage % rules.bombing.damage_to_a_marker


@rule("26.72A", "26.72C", "26.72D.1", "26.72D.2", "26.72F")
def damage_markers(rules: Ruleset, damage: int, *, paid: bool = False, box: str = "") -> int:
    """26.72A. Damage markers the attacker may assign to industry in the hex: one for every ten of uncapped damage and,
    unless the defender pays it off, one for the rest (SR-34). None in the U.S. and Urals boxes."""
    if box in (*US_BOXES, "Urals box"):
        return 0
    return damage // rules.bombing.damage_to_a_marker + (emergency_repair(rules, damage) > 0 and not paid)


@rule("26.72D.3", "26.75.3")
def deficit(brps: int, spent: int) -> int:
    """26.72D. How much of a payment or a loss is deficit spending: what the BRPs at hand do not cover."""
    return max(0, spent - max(0, brps))


@rule("26.73", "26.74")
def room_for_markers(rules: Ruleset, facility: Facility) -> int:
    """26.74. Markers a facility can still take: an oil center up to its production, a plant two, which destroy it."""
    most = facility.production if facility.kind is TargetKind.OIL_CENTER else rules.bombing.plant_destroyed_by
    return max(0, most - facility.markers)


@rule("26.72A", "26.72B", "26.73", "26.74")
def assign_markers(
    rules: Ruleset, facilities: Sequence[Facility], given: Sequence[int], most: int
) -> tuple[Facility, ...]:
    """26.72B. The facilities once the attacker has given so many markers to each; he may not give more than he has, nor
    one more than it can take."""
    if sum(given) > most:
        raise ValueError(f"26.72A: {most} markers may be assigned, not {sum(given)}")
    marked = []
    for facility, number in zip(facilities, given, strict=True):
        if not 0 <= number <= room_for_markers(rules, facility):
            raise ValueError(
                f"26.74: that {facility.kind} takes at most {room_for_markers(rules, facility)} more markers"
            )
        marked.append(replace(facility, markers=facility.markers + number))
    return tuple(marked)


@rule("26.73")
def facility_state(rules: Ruleset, facility: Facility) -> str:
    """26.73. Undamaged, damaged, or, of a plant with a second marker, destroyed."""
    if facility.kind is TargetKind.SYNTHETIC_OIL_PLANT and facility.markers >= rules.bombing.plant_destroyed_by:
        return "destroyed"
    return "damaged" if facility.markers else "undamaged"


@rule("26.81A.1", "26.81A.2", "26.81B")
def may_remove_damage_marker(*, held_all_turn: bool, inflicted_this_player_turn: bool, removed: int = 0) -> Verdict:
    """26.81A. Whether a faction may remove a damage marker at the end of its own player turn: one a turn, free, from a
    hex it held throughout, not in the player turn in which it was inflicted (SR-34, AM-07)."""
    if removed:
        return Verdict(False, "26.81A", "one marker a turn for each faction")
    if not held_all_turn:
        return Verdict(False, "26.81A", "the hex was not held throughout the player turn")
    if inflicted_this_player_turn:
        return Verdict(False, "26.81A", "not in the player turn in which it was inflicted")
    return Verdict(True, "26.81B", "at no cost")


# -- firestorms -----------------------------------------------------------------------------------


@rule("26.32.2", "26.71A.2", "26.91", "26.92A", "26.92B")
def firestorm(rules: Ruleset, hex: FirestormHex, damage: Damage) -> Verdict:
    """26.91. Whether a hex burns: 25 or more of uncapped damage in one turn, in a city where it can, without a firestorm
    or atomic marker. Whether flying bombs and rockets count is the group's choice (SR-35)."""
    counted = damage.total if rules.readings.firestorm_counts_rockets else damage.bombers
    russian = hex.country == "Russia" and (hex.ic or hex.name in FIRESTORM_CITIES)
    city = hex.city and hex.name not in MAPBOARD_BOXES
    if not city or not (hex.country in FIRESTORM_COUNTRIES or russian):
        return Verdict(False, "26.92A", "only German, Japanese and British cities and Russian ones with an IC burn")
    if any(marker in ("firestorm", "atomic") for marker in hex.markers):
        return Verdict(False, "26.92B", "it bears a firestorm or atomic marker already")
    if counted < rules.bombing.firestorm:
        return Verdict(False, "26.91", f"{counted} damage is less than {rules.bombing.firestorm}")
    return Verdict(True, "26.91", f"{counted} damage in one turn")


@rule("26.93", "26.93A", "26.93B", "26.94")
def firestorm_effects(markers: int, years: Sequence[int], year: int) -> dict[str, int]:
    """26.93. What firestorms do: the victim's surrender or resistance level falls by one for each marker that lies; the
    attacker has one more DP for each firestorm of this year or the last. Supply and oil reserves are untouched.

    `years`: of all firestorms the attacker made; `year`: of the DP calculation.
    """
    points = sum(burnt in (year - 1, year) for burnt in years)
    return {"surrender_level": -markers, "diplomatic_points": points, "supply": 0, "oil_reserves": 0}


@rule("26.82", "26.95")
def firestorm_markers_due(burnt: int, year: int) -> bool:
    """26.82. Whether a firestorm marker of one year may leave in another: from Spring two years later on."""
    return year >= burnt + 2


@rule("26.82", "26.83", "26.95")
def firestorm_markers_left(markers: Sequence[int], year: int) -> tuple[int, ...]:
    """26.95. A side's firestorm markers, by year, after the removal of one turn: the oldest one that may leaves.

    Atomic markers are permanent and never among them. Spring is the first turn of a year.
    """
    ranked = sorted(markers)
    return tuple(ranked[1:] if ranked and firestorm_markers_due(ranked[0], year) else ranked)


@rule("26.83")
def marker_permanent(marker: str) -> bool:
    """26.83. Whether a marker never leaves: atomic ones."""
    return marker == "atomic"
