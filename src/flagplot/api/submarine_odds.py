"""What submarine warfare in a box will come to (24.6, 25): modifier, exact chances, and what typed dice give."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.calls import question
from flagplot.api.chances import Dice, chance, quantities
from flagplot.api.submarine_war import CampaignJson, of_submarines, sw_modifier
from flagplot.api.sw_shapes import box_called, few, power_called, turn_called
from flagplot.core.errors import PlayerError
from flagplot.model.ships import slug
from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, Shipping, Struck
from flagplot.odds import strategic as odds
from flagplot.odds.exact import chances_of
from flagplot.rules.strategic import submarine_warfare as warfare
from flagplot.rules.table import Ruleset
from flagplot.tables.sw_combat import SwResult

MOST = 99  # submarines or ASW of one combat
MOST_MODIFIER = 99
OTHERS = {GERMANY: JAPAN, JAPAN: GERMANY}  # who else may attack in the Indian Ocean


class OtherJson(msgspec.Struct, forbid_unknown_fields=True):
    """A second attacker in the Indian Ocean (25.82): its submarines, the ASW set against them, its net modifier."""

    submarines: int
    asw: int = 0
    net_modifier: int = 0


@question
def submarine_odds(
    *,
    rules: Ruleset,
    dice: list[int],
    campaign: CampaignJson,
    submarines: int,
    asw: int,
    transports: int,
    advanced: int = 0,
    turn: str | None = None,
    submarines_elsewhere: int = 0,
    inverted_cves: int = 0,
    other: OtherJson | None = None,
) -> dict[str, Any]:
    """Submarine warfare in a box before the dice (24.6, 25): the modifier line by line, and the exact chances.

    `submarines` and `advanced` are those that would fight; with a `turn`, its limit holds (25.13), advanced ones first.
    `asw` is what stands against this attacker; a second attacker in the Indian Ocean has its own (25.82). With dice, what
    they come to: two for the submarines and two for the ASW, likewise for the other attacker, two for advanced ones.
    """
    place, nation = box_called(campaign.box), power_called(campaign.attacker)
    serves = warfare.serves_in(nation, place)
    if not serves.holds:
        raise PlayerError(f"{serves.rule}: {serves.why}")
    if advanced and nation != GERMANY:
        raise PlayerError("25.73: only Germany has advanced submarines")
    if other is not None and (place != INDIAN_OCEAN or nation not in OTHERS):
        raise PlayerError("25.82: only in the Indian Ocean do two powers' submarines attack in one SW box")
    if place != ATLANTIC and (campaign.axis_combat_phases_since_war_began is not None or campaign.us_reentry):
        raise PlayerError("25.66: war between Germany and the U.S. modifies submarine warfare in the Atlantic only")
    if place != ATLANTIC and campaign.ireland_result is not None:
        raise PlayerError("25.725: Ireland modifies submarine warfare in the Atlantic only")
    for drm in (campaign.naval_drm_attacker, campaign.naval_drm_defender):
        _small(drm or 0, "DRM")
    _known_ports(rules, nation, place, campaign.ports_controlled_and_fully_supplied or [])
    _most(campaign.air_range_attacker, "air range results", 3)
    _most(campaign.air_range_defender, "air range results", 3)
    _most(campaign.torpedo_attacker or 0, "torpedo results")
    _most(campaign.asw_defender, "ASW results")
    made = sw_modifier(rules=rules, campaign=campaign)
    conventional, special = _most(submarines, "submarines"), _most(advanced, "advanced submarines")
    limit = None
    if turn is not None:
        when = turn_called(turn)
        limit = warfare.engaged(rules, nation, place, when, 999, elsewhere=few(submarines_elsewhere, "submarines"))
        special = min(special, limit)
        conventional = min(conventional, limit - special)
    attacks = [odds.SubmarineAttack(conventional, _most(asw, "ASW"), made["net_modifier"])]
    names = [nation]
    if other is not None:
        modifier = _small(other.net_modifier, "modifier")
        attacks.append(odds.SubmarineAttack(_most(other.submarines, "submarines"), _most(other.asw, "ASW"), modifier))
        names.append(OTHERS[nation])
    carriers = campaign.defending(campaign.uninverted_cves) + campaign.defending(inverted_cves)
    shipping = Shipping(few(transports, "transports"), sum(attack.asw for attack in attacks), carriers)
    outcomes = odds.submarine_odds(rules, shipping, attacks, special)
    answer = {
        "box": place,
        "attacker": nation,
        "limit": limit,
        "submarines": conventional,
        "advanced": special,
        "advanced_row": warfare.ADVANCED_FACTORS * special,
        "asw": attacks[0].asw,
        "net_modifier": made["net_modifier"],
        "lines": made["lines"],
        "dice": _dice_needed(attacks, special),
        "quantities": quantities(
            {
                "transports_sunk": chances_of(outcomes, lambda each: each.sunk),
                "transports_damaged": chances_of(outcomes, lambda each: each.damaged),
                "submarines_eliminated": chances_of(outcomes, lambda each: sum(each.eliminated)),
                "submarines_aborted": chances_of(outcomes, lambda each: sum(each.aborted)),
                "asw_lost": chances_of(outcomes, lambda each: each.asw_lost),
                "cves_lost": chances_of(outcomes, lambda each: each.escort_carriers_lost),
            }
        ),
        "outcomes": [
            {**_told(each), **chance(exact)} for each, exact in sorted(outcomes.items(), key=lambda pair: -pair[1])
        ],
    }
    if len(names) > 1:
        answer["submarines_eliminated_by_power"] = quantities(
            {
                name: chances_of(outcomes, lambda each, at=at: each.eliminated[at])  # type: ignore[misc]
                for at, name in enumerate(names)
            }
        )
    if dice:
        answer["resolved"] = _resolved(rules, shipping, attacks, names, special, dice)
    return answer


def _most(number: int, what: str, most: int = MOST) -> int:
    if not 0 <= number <= most:
        raise PlayerError(f"{number} is no number of {what}; give one from 0 to {most}")
    return number


def _small(number: int, what: str) -> int:
    if abs(number) > MOST_MODIFIER:
        raise PlayerError(f"{number} is no {what}; give one from -{MOST_MODIFIER} to {MOST_MODIFIER}")
    return number


def _known_ports(rules: Ruleset, nation: str, box: str, ports: list[str]) -> None:
    """Refuse a port that gives nothing to this attacker in this box: it may be mistyped."""
    groups = rules.submarine_warfare.ports
    useful = [port for group in groups if (group.box, group.attacker) == (box, nation) for port in group.ports]
    for port in ports:
        plain = slug(port)
        if not any(slug(each) == plain or ("hawaii" in plain and "Hawaii" in each) for each in useful):
            there = f"those that help are {', '.join(useful)}" if useful else "no port does"
            raise PlayerError(f"25.65: {port[:40]!r} helps no submarines of {nation} in the {box} SW box; {there}")


def _told(outcome: odds.SubmarineOutcome) -> dict[str, Any]:
    return {
        "transports_sunk": outcome.sunk,
        "transports_damaged": outcome.damaged,
        "submarines_eliminated": sum(outcome.eliminated),
        "submarines_aborted": sum(outcome.aborted),
        "asw_lost": outcome.asw_lost,
        "cves_lost": outcome.escort_carriers_lost,
    }


def _dice_needed(attacks: list[odds.SubmarineAttack], advanced: int) -> int:
    fighting = [attack for attack in attacks if warfare.anybody_rolls(attack.submarines)]
    return sum(2 + 2 * (attack.asw > 0) for attack in fighting) + 2 * (advanced > 0)


def _resolved(
    rules: Ruleset,
    shipping: Shipping,
    attacks: list[odds.SubmarineAttack],
    names: list[str],
    advanced: int,
    dice: list[int],
) -> dict[str, Any]:
    """What the dice come to, combat by combat."""
    tape = Dice(dice)
    strikes: list[Struck] = []
    told = []
    for attack, name in zip(attacks, names, strict=True):
        rolls = warfare.anybody_rolls(attack.submarines)
        mine = tape.take(2, f"submarines of {name}") if rolls else ()
        theirs = tape.take(2, f"ASW against {name}") if rolls and attack.asw else ()
        struck = odds.struck_by(rules, attack, sum(mine), sum(theirs))
        strikes.append(struck)
        if not rolls:
            continue
        told.append(
            {
                "power": name,
                "attacker_dice": list(mine),
                "defender_dice": list(theirs),
                "modifier": attack.modifier,
                **of_submarines(struck),
            }
        )
    last = None
    if advanced:
        thrown = tape.take(2, "advanced submarines")
        last = warfare.advanced_strike(rules, advanced, sum(thrown))
        told.append(
            {
                "power": f"{GERMANY}, advanced",
                "attacker_dice": list(thrown),
                "defender_dice": [],
                "modifier": 0,
                "attacker_result": str(SwResult(*last.attacker_result)),
                "additional_from_reaching": last.additional_from_reaching,
            }
        )
    tape.all_used()
    return {"combats": told, **_told(odds.submarine_outcome(rules, shipping, strikes, last))}
