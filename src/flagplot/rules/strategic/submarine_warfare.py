"""24.63, 24.64, 25.4, 25.5, 25.7 to 25.9 Submarine warfare: who may fight, what the rolls do, and what is lost.

Both rolls are simultaneous: the combat of each attacker is struck first, and all that is due then falls on the
transports of the box together (SR-15). Dice are arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ATLANTIC,
    BRITAIN,
    GERMANY,
    INDIAN_OCEAN,
    ITALY,
    JAPAN,
    PACIFIC,
    UNITED_STATES,
    Combat,
    PlayerTurn,
    Politics,
    Port,
    Shipping,
    Struck,
    Toll,
    Turn,
)
from flagplot.rules.damage import share_losses
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_combat import SwResult

ORDER = ("raiders", "conventional submarines", "advanced submarines")  # 24.611, 25.73
ADVANCED_FACTORS = 3  # 25.73A
SERVE_IN = {  # the rule, and the boxes in which a nation's submarines may fight
    GERMANY: ("25.13A", ATLANTIC, INDIAN_OCEAN),
    JAPAN: ("25.13C", PACIFIC, INDIAN_OCEAN),
    UNITED_STATES: ("25.13E", PACIFIC),
}


class DamagedTransports(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of transports damaged in a player turn (SR-07)."""

    repair_brps: int
    inverted_through: PlayerTurn
    redeploy_in: PlayerTurn  # in its redeployment phase at the earliest, and they must
    function_from: PlayerTurn


# -- who may fight ------------------------------------------------------------------------------------


@rule("25.51A", "25.51B", "25.51C", "25.721")
def base_for(nation: str, box: str, ports: Sequence[Port], *, australia_box: bool = True) -> Verdict:
    """25.51. Whether submarines in a box have a base to fight from: an operational port of their own.

    Germans need one on the western front, for the Indian Ocean Suez; Americans the Australia box or a port of the
    Pacific front.
    """
    usable = [port for port in ports if port.operational]
    if nation == GERMANY and box == INDIAN_OCEAN:
        held = any(port.name == "Suez" and port.axis for port in usable)
        return Verdict(held, "25.51A", "an operational Suez must be Axis-controlled")
    if nation == GERMANY:
        held = any(port.axis and port.front == "western" for port in usable)
        return Verdict(held, "25.51A", "an operational western front port must be Axis-controlled")
    if nation == JAPAN:
        return Verdict(any(port.holder == JAPAN for port in usable), "25.51B", "Japan must control an operational port")
    held = australia_box or any(port.western_allied and port.front == "Pacific" for port in usable)
    return Verdict(held, "25.51C", "the Australia box or an operational Pacific front port is needed")


@rule("25.13A.1", "25.13B", "25.13D", "25.13E.4", "25.71")
def serves_in(nation: str, box: str) -> Verdict:
    """25.13. Whether a nation's submarines ever conduct submarine warfare in a box."""
    if nation not in SERVE_IN:
        number = {ITALY: "25.13B", BRITAIN: "25.13D"}.get(nation, "25.13")
        return Verdict(False, number, f"submarines of {nation} do not conduct submarine warfare")
    number, *boxes = SERVE_IN[nation]
    if box == ATLANTIC and nation != GERMANY:
        return Verdict(False, "25.13A", "only German submarines conduct submarine warfare in the Atlantic SW box")
    where = " and ".join(f"the {each} SW box" for each in boxes)
    return Verdict(box in boxes, number, f"submarines of {nation} conduct submarine warfare in {where}, nowhere else")


def at_war(nation: str, box: str, politics: Politics) -> bool:
    """Whether a nation is at war with those whose transports are in a box; Germany always is with Britain, and so is Italy
    when its raiders come."""
    if nation == JAPAN and box == INDIAN_OCEAN:
        return politics.japan_britain_war
    return nation in (GERMANY, ITALY) or politics.japan_us_war


@rule("25.13", "25.13A", "25.13B", "25.13C", "25.13D", "25.13E", "25.51", "25.71", "25.721")
def fighting_refused(
    nation: str, box: str, *, began_there: bool, ports: Sequence[Port], politics: Politics, australia_box: bool = True
) -> tuple[Verdict, ...]:
    """25.13. What keeps submarines in a box from fighting this player turn: nation, base, peace, a late arrival.

    An open box is no war: attacks at USJT 40 wait for it (SR-19).
    """
    serves = serves_in(nation, box)
    if not serves.holds:
        return (serves,)
    reasons = [base_for(nation, box, ports, australia_box=australia_box)]
    reasons.append(Verdict(began_there, "25.13", "they must have begun their player turn in the SW box"))
    reasons.append(
        Verdict(at_war(nation, box, politics), "25.91", "there must be war with the owner of the transports")
    )
    return tuple(reason for reason in reasons if not reason.holds)


@rule("25.13A", "25.13C", "25.13E", "25.14", "25.41")
def engaged(
    rules: Ruleset, nation: str, box: str, turn: Turn, in_box: int, *, wanted: int | None = None, elsewhere: int = 0
) -> int:
    """25.41. How many submarines fight: those in the box, up to the limit of the turn, as many as their owner likes.

    `elsewhere` are Japanese ones that fight in the other box, under the same limit. Advanced submarines count one each.
    Those that decline meet nobody (SR-09).
    """
    limit = rules.submarine_limits.limit(nation, box, turn) - (elsewhere if nation == JAPAN else 0)
    willing = in_box if wanted is None else min(wanted, in_box)
    return max(0, min(limit, willing))


@rule("22.9415A", "22.9415B")
def excess_in_box(
    rules: Ruleset, nation: str, box: str, turn: Turn, *, asw: int, submarines: int, base: bool = True
) -> int:
    """22.9415B. ASW of a box beyond the enemy submarines eligible to fight there, for both player turns of the turn.

    All ASW in the box count. So do submarines in it up to the limit of the turn, whether or not they began the player turn
    there or fight; none if they never serve there or have no base to fight from (25.51, AM-26).
    """
    eligible = engaged(rules, nation, box, turn, submarines) if base and serves_in(nation, box).holds else 0
    return max(0, asw - eligible)


@rule("25.14")
def anybody_rolls(submarines: int) -> bool:
    """25.14. Where all submarines decline, transports are unaffected and nobody rolls (SR-09)."""
    return submarines > 0


@rule("25.42")
def asw_level(in_box: int) -> int:
    """25.42. The defender's level: the ASW factors in the box."""
    return in_box


@rule("25.82")
def asw_split(asw: int, against: Mapping[str, int]) -> Verdict:
    """25.82. Whether the Western Allies may split their ASW so between Germans and Japanese: all of it, as they like."""
    right = set(against) == {GERMANY, JAPAN} and min(against.values()) >= 0 and sum(against.values()) == asw
    return Verdict(right, "25.82", f"the {asw} ASW of the box are split between German and Japanese submarines")


# -- the combat ---------------------------------------------------------------------------------------


@rule("24.622.1", "24.622.4", "25.61")
def modified_rolls(combat: Combat) -> tuple[int, int]:
    """24.622. The net modifier is added to the attacker's roll and taken from the defender's, never one alone."""
    return combat.attacker_roll + combat.modifier, combat.defender_roll - combat.modifier


@rule("24.622.2", "24.64A", "25.66")
def additional_from_modifier(modifier: int, submarines: int) -> int:
    """24.64A. A transport for each point that favors the submarines, whatever the ASW achieved, one each at most."""
    return min(max(0, modifier), submarines)


@rule("24.622.2", "24.64B")
def additional_from_reaching(modifier: int, reaching: int) -> int:
    """24.64B. A transport for each submarine that gets through, less one for each point favoring the defender.

    Those that get through are never more than those that fight.
    """
    return max(0, reaching - max(0, -modifier))


@rule("24.631A.1", "24.631A.4", "24.631B", "24.64", "25.71")
def strike(rules: Ruleset, combat: Combat) -> Struck:
    """24.631. Both results of one combat, what becomes of the submarines, and the losses due to transports.

    No ASW make no roll, and all submarines get through (SR-04). Aborted submarines stay in the box (SR-08).
    """
    attack, defense = modified_rolls(combat)
    attacker = rules.sw_combat.result(combat.submarines, attack)
    defender = rules.sw_combat.result(asw_level(combat.asw), defense) if combat.submarines else SwResult(0, 0)
    eliminated = min(defender.before, combat.submarines)
    aborted = min(defender.after, combat.submarines - eliminated)
    reaching = combat.submarines - eliminated - aborted
    return Struck(
        attacker,
        defender,
        eliminated,
        aborted,
        reaching,
        additional_from_modifier(combat.modifier, combat.submarines),
        additional_from_reaching(combat.modifier, reaching),
    )


@rule("24.631A", "24.64", "24.64C", "25.82", "25.73D", "20.511.3")
def losses(shipping: Shipping, strikes: Sequence[Struck]) -> Toll:
    """24.631A. What all combats of a box do to the shipping in it, added together (SR-15).

    First numbers take transports, then ASW, then CVEs, loss by loss (SR-06); second numbers damage transports;
    additional losses take undamaged transports, then damaged ones, and nothing else. ASW and CVEs are sunk factor by
    factor and never damaged (20.511).
    """
    first = sum(struck.attacker_result[0] for struck in strikes)
    second = sum(struck.attacker_result[1] for struck in strikes)
    additional = sum(struck.additional for struck in strikes)
    undamaged, damaged = shipping.transports, shipping.damaged
    undamaged, damaged, over = _sunk(undamaged, damaged, first)
    asw_lost = min(over, shipping.asw)
    carriers_lost = min(over - asw_lost, shipping.escort_carriers)
    hurt = min(second, undamaged)
    undamaged, damaged, nothing = _sunk(undamaged - hurt, damaged + hurt, additional)
    return Toll(
        shipping.transports + shipping.damaged - undamaged - damaged,
        damaged,
        undamaged,
        asw_lost,
        carriers_lost,
        nothing + over - asw_lost - carriers_lost,
    )


def _sunk(undamaged: int, damaged: int, number: int) -> tuple[int, int, int]:
    """Transports left after so many losses, undamaged ones first, and the losses that found none."""
    first = min(number, undamaged)
    then = min(number - first, damaged)
    return undamaged - first, damaged - then, number - first - then


@rule("24.64", "24.631A.6", "25.73")
def shipping_after(rules: Ruleset, shipping: Shipping, toll: Toll) -> Shipping:
    """24.64. What is left in the box for advanced submarines: damaged transports have left it by then (SR-18)."""
    damaged = 0 if rules.readings.damaged_transports_gone else toll.damaged
    return Shipping(
        toll.undamaged_left,
        shipping.asw - toll.asw_lost,
        shipping.escort_carriers - toll.escort_carriers_lost,
        damaged,
    )


@rule("25.73", "25.73A", "25.73B", "25.73C", "25.73D")
def advanced_strike(rules: Ruleset, submarines: int, roll: int) -> Struck:
    """25.73. Advanced submarines, after raiders and the others: three factors each, a plain roll, nobody answers.

    Each also sinks a transport; that part takes transports only (SR-18).
    """
    result = rules.sw_combat.result(ADVANCED_FACTORS * submarines, roll)
    return Struck(result, (0, 0), 0, 0, submarines, 0, submarines)


@rule("24.611.2", "25.73")
def order_of_attacks() -> tuple[str, ...]:
    """25.73. In which order a box is attacked in a combat phase."""
    return ORDER


@rule("24.66")
def carriers_lost_by_nation(carriers: Mapping[str, int], lost: int) -> dict[str, int]:
    """24.66. Whose CVEs are lost: round by round, the largest contingent first, ties as the owner lists them (SR-23)."""
    return share_losses(carriers, lost, list(carriers))


@rule("24.631A.6", "24.631A.7", "24.631A.8")
def damaged_transports(damaged_in: PlayerTurn, redeployed_in: PlayerTurn | None = None) -> DamagedTransports:
    """24.631A. Damaged transports go to port, are repaired free, idle through their owner's next player turn.

    They go back to a box in its redeployment phase and work from the player turn after that (SR-07).
    """
    own = damaged_in.following
    back = own if redeployed_in is None or redeployed_in.before(own) else redeployed_in
    return DamagedTransports(0, own, own, back.following)
