"""24.5, 25.2, 25.31 and 25.32 Deployment to the SW boxes and transfer between them, by nation, base, war and tension.

Production of ASW (42.23B) and tension levels are inputs. Supply and oil do not matter on the way to a box (25.31).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ALLIES,
    ASW,
    ATLANTIC,
    AXIS,
    AXIS_POWERS,
    BRITAIN,
    GERMANY,
    INDIAN_OCEAN,
    INTERCEPTOR,
    JAPAN,
    PACIFIC,
    STRATEGIC_BOMBER,
    SUBMARINES,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    BoxUnit,
    Place,
    PlayerTurn,
    Politics,
)
from flagplot.rules.strategic.submarine_deployment import box_opened, submarines_may_move
from flagplot.rules.table import Ruleset

PHASES = ("movement", "redeployment")
CANADA = "Canada"


class Transferred(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a transfer between SW boxes does to a unit."""

    inverted: bool
    usable_from: PlayerTurn
    turns_on_the_way: int
    may_be_intercepted: bool


# -- who may be where -----------------------------------------------------------------------------------


def side_of(nation: str) -> Side:
    """On which side a power fights."""
    return AXIS if nation in AXIS_POWERS else ALLIES


def _party(nation: str) -> str:
    return WESTERN_ALLIES if nation in (BRITAIN, UNITED_STATES) else nation


@rule("25.31.1", "25.31.2", "25.31A.2", "25.31D")
def may_be_in_box(rules: Ruleset, unit: BoxUnit, box: str) -> Verdict:
    """25.31. Whether units of a nation and kind may ever be in a box: British and American ones, Japanese in the Pacific,
    submarines of Germany and Japan where they fight."""
    bases = rules.sw_boxes.bases.get((_party(unit.nation), box))
    if bases is None:
        number = "25.31A" if unit.nation in (GERMANY, JAPAN) else "25.31D"
        return Verdict(False, number, f"units of {unit.nation} may not enter the {box} SW box")
    if bases.submarines_only and unit.kind not in SUBMARINES:
        return Verdict(False, bases.rule, f"of {unit.nation} only submarines may enter the {box} SW box")
    return Verdict(True, bases.rule, f"units of {unit.nation} may enter the {box} SW box")


@rule("25.31A", "25.31B", "25.31C")
def may_base(rules: Ruleset, unit: BoxUnit, box: str, place: Place) -> Verdict:
    """25.31. Whether units that go to a box, or come from it, may be based at a place."""
    allowed = may_be_in_box(rules, unit, box)
    if not allowed.holds:
        return allowed
    bases = rules.sw_boxes.bases[_party(unit.nation), box]
    on_front = place.front in bases.fronts and not place.mapboard_box
    right = place.name in bases.places or on_front or place.country in bases.countries
    return Verdict(right, bases.rule, f"a base for the {box} SW box is {bases}")


@rule("24.54", "25.22C", "25.22E", "25.31", "25.12", "25.21.2", "25.31.1", "25.31.2", "25.32")
def deployment_refused(
    rules: Ruleset,
    unit: BoxUnit,
    box: str,
    place: Place,
    phase: str,
    politics: Politics,
    *,
    axis_hold_suez: bool = False,
    axis_hold_ethiopia: bool = False,
) -> tuple[Verdict, ...]:
    """25.31. What stands against sending a unit from a place to a box in a phase; numbers are another question.

    Inverted units may go too (25.34), and supply and oil do not matter.
    """
    reasons = [may_base(rules, unit, box, place)]
    if unit.kind in SUBMARINES:
        reasons.append(submarines_may_move(phase))
        opened = box_opened(
            rules, unit.nation, box, politics, axis_hold_suez=axis_hold_suez, axis_hold_ethiopia=axis_hold_ethiopia
        )
        reasons.append(opened)
    else:
        reasons.append(Verdict(phase in PHASES, "25.31", "units enter SW boxes in movement or redeployment"))
    if unit.kind == ASW and unit.nation == JAPAN:
        reasons.append(Verdict(politics.japan_us_war, "25.22E", "not before war between Japan and the U.S."))
    reasons += _tension(rules, unit, box, politics)
    return tuple(reason for reason in reasons if not reason.holds)


def _tension(rules: Ruleset, unit: BoxUnit, box: str, politics: Politics) -> list[Verdict]:
    """Whether any American-built ASW may be in a box yet; how many is another question (25.32)."""
    if unit.kind != ASW or unit.nation != UNITED_STATES:
        return []
    closed = american_asw_may_enter(rules, box, politics) == 0
    return [Verdict(not closed, "25.32", f"neither war nor tension lets American ASW into the {box} SW box")]


# -- ASW ------------------------------------------------------------------------------------------------


@rule("25.21.1", "25.21.2")
def asw_operates(place: Place | None) -> bool:
    """25.21. ASW act in an SW box (None) only; in a port or mapboard box they may wait or change base, no more."""
    return place is None


@rule("25.21.3")
def asw_on_the_map_as() -> str:
    """25.21. What ASW intercepted and attacked on the map are treated as."""
    return "DD"


@rule("25.22A")
def british_asw_begins_in() -> str:
    """25.22A. Where the ASW of the British starting forces stands."""
    return ATLANTIC


@rule("25.22B", "25.22C", "25.22D")
def asw_may_be_built(source: str, yard: str) -> Verdict:
    """25.22. In whose shipyard Western Allied ASW may be built.

    `source` is "British allowable build", "American allowable build" or "production".
    """
    if source == "production":
        return Verdict(
            yard in (BRITAIN, CANADA, UNITED_STATES), "25.22D", "in a British, Canadian or American shipyard"
        )
    if source == "American allowable build":
        return Verdict(yard == UNITED_STATES, "25.22C", "in an American shipyard")
    return Verdict(yard in (BRITAIN, CANADA), "25.22B", "in a British or Canadian shipyard")


@rule("25.32A.1", "25.32A.2", "24.54")
def american_asw_ceiling(rules: Ruleset, politics: Politics) -> int | None:
    """25.32A. How many American-built ASW may stand in the Atlantic box; None with war, no end.

    Falling tension sends nobody home (SR-22).
    """
    if politics.germany_us_war:
        return None
    return max((ceiling for usat, ceiling in rules.sw_boxes.usat_ceilings if politics.usat >= usat), default=0)


@rule("25.32A", "25.32B", "25.22C", "25.22D", "24.54")
def american_asw_may_enter(
    rules: Ruleset, box: str, politics: Politics, *, present: int = 0, entered: int = 0
) -> int | None:
    """25.32. How many more American-built ASW may enter a box this turn; None without limit (SR-22, AM-08).

    `present` stand there already, `entered` have come this turn.
    """
    if box == ATLANTIC:
        ceiling = american_asw_ceiling(rules, politics)
        return None if ceiling is None else max(0, ceiling - present)
    if box == PACIFIC:
        if politics.japan_us_war:
            return None
        return max(0, int(politics.usjt >= rules.sw_boxes.usjt) - entered)
    wars = politics.germany_us_war + politics.japan_us_war
    return None if wars >= (2 if rules.readings.us_asw_needs_both_wars else 1) else 0


@rule("25.22B", "25.22C", "25.22D", "24.54")
def asw_may_enter(
    rules: Ruleset, built_in: Mapping[str, int], box: str, politics: Politics, *, present: int = 0, entered: int = 0
) -> int:
    """25.22D. How many of some Western Allied ASW, by the yards they come from, may enter a box this turn.

    British and Canadian ones go where they like; American ones, those of the starting forces with them, are bound by
    tension (24.54). `present` and `entered` are American ones.
    """
    limit = american_asw_may_enter(rules, box, politics, present=present, entered=entered)
    american = built_in.get(UNITED_STATES, 0)
    free = sum(number for yard, number in built_in.items() if yard != UNITED_STATES)
    return free + (american if limit is None else min(american, limit))


# -- between the boxes ------------------------------------------------------------------------------------


@rule("24.52.1", "24.52.4", "24.54", "25.22C", "25.31.3", "25.32", "25.37.5", "25.38")
def transfer_refused(
    rules: Ruleset, unit: BoxUnit, start: str, end: str, phase: str, politics: Politics
) -> tuple[Verdict, ...]:
    """24.52. What stands against moving a unit from one SW box to another: the phase, and what holds of its new box."""
    reasons = [Verdict(phase == "redeployment", "24.52", "units change SW boxes in the redeployment phase")]
    reasons.append(may_be_in_box(rules, unit, end))
    if unit.kind in SUBMARINES and unit.nation == GERMANY and INDIAN_OCEAN in (start, end):
        reasons.append(Verdict(False, "24.52", "German submarines go by a Mediterranean port and the Suez canal"))
    elif unit.kind in SUBMARINES:
        reasons.append(box_opened(rules, unit.nation, end, politics))
    if unit.kind in (STRATEGIC_BOMBER, INTERCEPTOR):
        reasons.append(_air_transfer(unit, end))
    if unit.kind == TRANSPORT and unit.nation == JAPAN:
        reasons.append(Verdict(end == PACIFIC, "25.37", "Japanese transports end the turn in the Pacific SW box"))
    reasons += _tension(rules, unit, end, politics)
    return tuple(reason for reason in reasons if not reason.holds)


@rule("24.232A", "24.232B", "24.232C", "26.21.1", "26.23A")
def _air_transfer(unit: BoxUnit, end: str) -> Verdict:
    """26.21. Whether an air unit may go to another box: bombers never leave the theater they were produced for, British
    interceptors do not serve in the Pacific, and the Indian Ocean has no air part."""
    if end == INDIAN_OCEAN:
        return Verdict(False, "26.21", "air units are in the Atlantic and Pacific SW boxes only")
    if unit.kind == STRATEGIC_BOMBER:
        return Verdict(False, "24.232", "strategic bombers serve in the theater they were produced for")
    allowed = end == ATLANTIC or unit.nation != BRITAIN
    return Verdict(allowed, "26.23A", "British interceptors do not serve in the Pacific")


@rule("24.52.2", "24.52.3", "25.38")
def transferred(now: PlayerTurn) -> Transferred:
    """24.52. A unit moved between boxes is not inverted, loses no time, meets nobody, and acts in the next player turn,
    whatever it did before."""
    return Transferred(inverted=False, usable_from=now.following, turns_on_the_way=0, may_be_intercepted=False)
