"""25.33 to 25.37 Naval units in SW boxes: where they are intercepted on the way, what they do there, how they leave.

What their duties protect (sea supply, invasions, redeployments: 5, 20.6, 21, 28, 30) is said by whoever asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ASW,
    ATLANTIC,
    BRITAIN,
    GERMANY,
    INDIAN_OCEAN,
    JAPAN,
    NOT_NAVAL_UNITS,
    PACIFIC,
    SUBMARINES,
    TRANSPORT,
    UNITED_STATES,
    BoxUnit,
    Place,
    PlayerTurn,
)
from flagplot.rules.strategic.deployment import PHASES, may_base
from flagplot.rules.strategic.submarine_deployment import submarines_may_move
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_boxes import Exposure

WESTERN_ALLIED = (BRITAIN, UNITED_STATES)
INVASION_BOXES = ("U.S. box", "Atlantic U.S. box", "Pacific U.S. box", "Australia box", "India box")


class Duty(StrEnum):
    """What an uninverted naval unit may do in an SW box."""

    TRANSPORT_ACTIVITY = "transport activity"  # oil, sea supply, naval missions, BRP grants; Pacific sea supply
    INVASION_SUPPORT = "invasion support"  # shore bombardment, fast carriers
    BASE_CHANGES = "base changes and redeployments"
    ANTI_SUBMARINE = "anti-submarine"
    RAIDERS = "raider interception"


DUTY_RULES: Mapping[Duty, str] = {
    Duty.TRANSPORT_ACTIVITY: "25.35A",
    Duty.INVASION_SUPPORT: "25.35B",
    Duty.BASE_CHANGES: "25.35C",
    Duty.ANTI_SUBMARINE: "25.35D",
    Duty.RAIDERS: "25.35E",
}


# -- on the way -------------------------------------------------------------------------------------------


@rule("22.11A", "25.33", "25.33A", "25.33B", "25.33C")
def exposed(unit: BoxUnit, box: str, place: Place) -> Exposure | None:
    """25.33. Where a unit moving between a place and an SW box may be intercepted, and by what; None for nowhere.

    Submarines, ASW and Western Allied transports never are (22.11A).
    """
    immune = unit.kind in (*SUBMARINES, ASW) or (unit.kind == TRANSPORT and unit.nation in WESTERN_ALLIED)
    if place.mapboard_box or immune:
        return None
    if unit.nation == JAPAN:
        where = "Truk" if place.name == "Truk" else "a port in Japan"
        return Exposure("25.33B", where) if box == PACIFIC else None
    if unit.nation not in WESTERN_ALLIED:
        return None
    if box == ATLANTIC:
        return Exposure("25.33A", "between the western front port and the western edge of the map")
    if box == PACIFIC:
        return Exposure("25.33B", f"between {place.name} and the eastern edge of the map")
    if place.name in ("Colombo", "Madras"):
        return Exposure("25.33C", f"between {place.name} and the western edge of the Pacific map, by the Japanese")
    return Exposure("25.33C", f"between {place.name} and the southern edge of the European map", by_ships=False)


@rule("25.34")
def idle_through(unit: BoxUnit, redeployed: PlayerTurn) -> PlayerTurn | None:
    """25.34. Inverted units may redeploy to a box, and idle there through the next enemy player turn; None if upright."""
    return redeployed.following if unit.inverted else None


# -- duties -----------------------------------------------------------------------------------------------


@rule("25.35", "25.35A", "25.35B", "25.35C", "25.35D", "25.35E", "25.363")
def may_perform(unit: BoxUnit, duty: Duty, *, invasion_from: Sequence[str] = ()) -> Verdict:
    """25.35. Whether a unit in a box may do a duty: uninverted ones, and only these duties.

    They are duties of naval units, from which submarines, ASW and transports are told apart (25.36, 25.37): transports
    carry, ASW fight submarines (25.42), and that is all they do.
    """
    number = DUTY_RULES[duty]
    if unit.nation not in (JAPAN, *WESTERN_ALLIED) and unit.kind not in SUBMARINES:
        return Verdict(False, "25.31D", "British, American and Japanese naval units only are in SW boxes")
    if unit.inverted:
        return Verdict(False, "25.35", "inverted units do nothing in an SW box")
    if unit.kind == ASW and duty is Duty.ANTI_SUBMARINE:
        return Verdict(True, "25.42", "ASW fight submarines")
    if unit.kind == TRANSPORT and duty is Duty.TRANSPORT_ACTIVITY:
        return Verdict(True, number, "it is carried out with transports")
    if unit.kind in NOT_NAVAL_UNITS:
        return Verdict(False, "25.35", f"a duty of naval units, not of {unit.kind}s")
    if duty in (Duty.INVASION_SUPPORT, Duty.RAIDERS) and unit.nation not in WESTERN_ALLIED:
        return Verdict(False, number, "Western Allied naval units only")
    if duty is Duty.INVASION_SUPPORT:
        alone = bool(invasion_from) and all(place in INVASION_BOXES for place in invasion_from)
        return Verdict(alone, number, "the invasion must come from the U.S., Australia or India boxes alone")
    if duty is Duty.ANTI_SUBMARINE:
        return Verdict(unit.kind == "CVE", number, "CVEs only")
    return Verdict(True, number, f"{duty} is a duty of naval units in an SW box")


@rule("25.36.1")
def inverted_by_duty(*, damaged: bool = False, withdrawn: bool = False) -> bool:
    """25.36. Whether a unit is inverted by what it guards: only if damaged or withdrawn, so it may guard again."""
    return damaged or withdrawn


@rule("25.36.2")
def guards_named(activities: Sequence[str], guards: Mapping[str, str]) -> Verdict:
    """25.36. Where several activities of one kind go on at once, each unit is named to one before attacks are announced.

    `guards` are units with what they guard.
    """
    if len(activities) < 2:
        return Verdict(True, "25.36", "one activity needs no naming")
    wrong = next((unit for unit, activity in guards.items() if activity not in activities), None)
    return Verdict(wrong is None, "25.36", "each unit guards one of the activities, named beforehand")


@rule("25.361")
def absorbs_submarine_losses(unit: BoxUnit) -> Verdict:
    """25.361. Uninverted destroyers of Japan, Britain and the U.S. in a box may bear losses of submarine attacks on the map
    (22.9432, 25.35)."""
    if unit.inverted:
        return Verdict(False, "25.35", "inverted units do nothing in an SW box")
    right = unit.kind == "DD" and unit.nation in (JAPAN, *WESTERN_ALLIED)
    return Verdict(right, "25.361", "Japanese, British and American destroyers only")


# -- leaving ----------------------------------------------------------------------------------------------


@rule("25.37.1", "25.37.2", "25.371", "24.52.4")
def withdrawal_refused(
    rules: Ruleset, unit: BoxUnit, box: str, place: Place, phase: str, *, axis_hold_suez: bool = False
) -> tuple[Verdict, ...]:
    """25.37. What stands against taking a unit out of a box to a place, used or not: the phase, and its bases; transports
    that are sound end the turn in a box. Naval units damaged there leave in the combat phase (25.371); German submarines
    leave the Indian Ocean by the Suez canal, while the Axis hold it (SR-20)."""
    reasons = [may_base(rules, unit, box, place)]
    if phase == "redeployment":
        reasons.append(turn_ends(unit, None))
    if unit.kind in SUBMARINES:
        reasons.append(submarines_may_move(phase))
        if (unit.nation, box) == (GERMANY, INDIAN_OCEAN):
            why = "German submarines leave by the Suez canal, while the Axis hold it"
            reasons.append(Verdict(axis_hold_suez, "24.52", why))
    elif phase != "combat" or not must_withdraw(unit):
        reasons.append(Verdict(phase in PHASES, "25.37", "units leave SW boxes in movement or redeployment"))
    return tuple(reason for reason in reasons if not reason.holds)


@rule("25.37.3")
def guards_redeployment(unit: BoxUnit, withdrew_to: Place, destination: Place, phase: str) -> bool:
    """25.37. Japanese units that go to Japan or Truk in redeployment may guard redeployments to the same place."""
    same = withdrew_to.name == destination.name or JAPAN == withdrew_to.country == destination.country
    home = withdrew_to.name == "Truk" or withdrew_to.country == JAPAN
    return unit.nation == JAPAN and phase == "redeployment" and same and home


@rule("25.37.4", "25.37.5")
def turn_ends(unit: BoxUnit, box: str | None) -> Verdict:
    """25.37. Whether a transport may end the turn in a box, or outside them all (None).

    Western Allied ones in any box, Japanese ones in the Pacific; those damaged this turn are away (SR-07).
    """
    if unit.kind != TRANSPORT or unit.damaged:
        return Verdict(True, "25.37", "only undamaged transports are bound to the SW boxes")
    if unit.nation == JAPAN:
        return Verdict(box == PACIFIC, "25.37", "Japanese transports end the turn in the Pacific SW box")
    return Verdict(box in (ATLANTIC, INDIAN_OCEAN, PACIFIC), "25.37", "transports end the turn in an SW box")


@rule("25.371")
def must_withdraw(unit: BoxUnit) -> bool:
    """25.371. Naval units damaged in a box leave it at the end of that naval combat, for a base of the box."""
    return unit.damaged


@rule("25.372A", "25.372B")
def inverted_by_withdrawal(now: PlayerTurn, phase: str) -> PlayerTurn:
    """25.372. Through which player turn a unit that leaves a box is inverted: after redeployment the enemy's next too."""
    return now.following if phase == "redeployment" else now
