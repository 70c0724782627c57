"""26.24, 26.25, 26.44, 26.462, 26.54: who may meet a bomber force, where, and how often.

Everything here is a pure function of plain values: hexes and distances come from whoever holds the map (SR-39).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import WESTERN_ALLIED_POWERS, AirDefenders, AirToll, AirUnit, Supply, Unit
from flagplot.rules.strategic.bombing_forces import range_of, roles_of, serves_in_theatre
from flagplot.rules.table import Ruleset
from flagplot.tables.strategic_bombing import US_BOXES


class Meeting(NamedTuple):
    """Where a bomber force would be met: a hex of its route on a front, or a mapboard box; and whom it bombs."""

    attacker: str  # the bombers' nation
    country: str  # whose target is bombed
    front: str = ""
    hex: str = ""
    box: str = ""
    theatre: str = "Europe"
    in_china: bool = False


@rule("26.442.1", "26.442.2", "26.443C", "26.462.5")
def most_engagements(fronts: Sequence[str]) -> int:
    """26.442. How often a force may be met: in one hex on each front it crosses, the target's included; a mapboard box
    is a front of its own."""
    return len(dict.fromkeys(fronts))


@rule("26.462.3", "26.462.4")
def covers_box(rules: Ruleset, front: str, box: str, attacker: str) -> Verdict:
    """26.462. Whether interceptors of a front may defend a mapboard box against this attacker."""
    cover = rules.bombing.box_cover.get((box, attacker))
    if cover is None:
        return Verdict(False, "26.462", f"no front covers the {box} against {attacker}")
    return Verdict(front == cover, "26.462", f"the {box} is covered against {attacker} from the {cover} front")


@rule("26.54", "26.445A", "26.445B", "26.443E")
def barred_by_alliance(unit: AirUnit, meeting: Meeting) -> tuple[Verdict, ...]:
    """26.54. What bars a unit for the sake of who it is and whom it would defend; nothing if it may."""
    barred = []

    def bar(holds: bool, number: str, why: str) -> None:
        if holds:
            barred.append(Verdict(False, number, why))

    western, russian = unit.nation in WESTERN_ALLIED_POWERS, unit.nation == "Russia"
    bar(western and meeting.country == "Russia", "26.54", "Western Allied air does not defend Russian targets")
    bar(
        russian and meeting.country in WESTERN_ALLIED_POWERS,
        "26.54",
        "Russian air does not defend Western Allied targets",
    )
    if unit.nation == "Italy":
        bar(meeting.country != "Italy", "26.445A", "Italian air defends Italian targets only")
        bar(meeting.front != "Mediterranean", "26.445A", "Italian air engages in Mediterranean front hexes only")
    helps_china = unit.kind is Unit.INTERCEPTOR and meeting.in_china and meeting.attacker == "Japan"
    if helps_china and (unit.nation == "United States" or russian):
        sources = ("Russia",) if russian else WESTERN_ALLIED_POWERS
        supplied = unit.base_supplied_by in sources and unit.supply is Supply.FULL
        bar(not supplied, "26.443E", "its base needs full supply from a source of its own faction")
    return tuple(barred)


@rule(
    "26.12",
    "26.13.3",
    "26.13.4",
    "26.14.1",
    "26.14.2",
    "26.23A",
    "26.24",
    "26.25.1",
    "26.25.2",
    "26.443A",
    "26.443B",
    "26.443D",
    "26.462.2",
    "26.462.3",
    "26.462.5",
)
def bars_to_engaging(
    rules: Ruleset, results: int, unit: AirUnit, meeting: Meeting, distance: int = 0
) -> tuple[Verdict, ...]:
    """26.443. What bars a unit from meeting a bomber force there, each with its rule; nothing if it may.

    Interceptors measure from any operational base on their front, army air and jets from their own (SR-39).
    """
    barred = list(barred_by_alliance(unit, meeting))

    def bar(holds: bool, number: str, why: str) -> None:
        if holds:
            barred.append(Verdict(False, number, why))

    bar("intercept bombers" not in roles_of(unit.kind), "26.443", f"a {unit.kind} does not intercept")
    theatres = serves_in_theatre(unit.nation, unit.kind, meeting.theatre)
    bar(not theatres.holds, theatres.rule, theatres.why)
    bar(unit.inverted, "26.443", "inverted")
    interceptor = unit.kind is Unit.INTERCEPTOR
    if meeting.box and not interceptor:
        bar(unit.in_box != meeting.box, "26.462", f"it is not in the {meeting.box}")
        bar(unit.supply is Supply.NONE, "26.462", "not even partially supplied")
        return tuple(barred)
    if meeting.box:
        cover = covers_box(rules, unit.base_front, meeting.box, meeting.attacker)
        bar(not cover.holds, cover.rule, cover.why)
        return tuple(barred)
    bar(interceptor and unit.base_front != meeting.front, "26.24", f"assigned to the {unit.base_front} front")
    bar(not interceptor and unit.supply is not Supply.FULL, "26.14", "not fully supplied")
    bar(not interceptor and unit.oil_effects, "26.14", "air oil effects (33, an input)")
    if not unit.base_operational:
        bar(unit.base != meeting.hex or distance > 0, "26.443D", "its base is not operational: only in that hex")
        return tuple(barred)
    reach = range_of(rules, meeting.theatre, results, unit.kind, unit.jet_range)
    bar(distance > reach, "26.443", f"{distance} hexes is more than its range of {reach}")
    return tuple(barred)


@rule("26.462.5", "26.441")
def assigned_twice(assignments: Mapping[str, Sequence[str]]) -> tuple[Verdict, ...]:
    """26.462. What is wrong with the assignment of defenders: each unit goes to one target, on the map or in a box."""
    return tuple(
        Verdict(False, "26.462" if any("box" in place for place in places) else "26.441", f"{unit} defends one target")
        for unit, places in assignments.items()
        if len(dict.fromkeys(places)) > 1
    )


@rule("26.444", "26.462.2")
def mission_of(kind: Unit) -> str:
    """26.444. What a defender flies: army air and jets a defensive air mission (18), interceptors none."""
    return "defensive air mission" if kind in (Unit.AAF, Unit.JET) else ""


@rule("26.451.3", "26.51.3")
def defenders_left(defenders: AirDefenders, toll: AirToll) -> AirDefenders:
    """26.451. Those who may meet the next raid on the same target, and flying bombs: all but the eliminated, aborted
    ones included (SR-28)."""
    return AirDefenders(**{group: number - toll.eliminated.get(group, 0) for group, number in defenders.groups.items()})


@rule("26.31.3", "26.31E")
def is_us_box(box: str) -> bool:
    """26.31. Whether this is one of the U.S. boxes."""
    return box in US_BOXES
