"""25.6 The net modifier of submarine warfare, line by line: positive amounts favor the submarines (24.622).

It is added to the attacker's roll and taken from the defender's; there is no other (24.622). Research levels, supply,
oil and codebreaking cards are inputs (SR-10, SR-11, SR-16).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.strategic_war import (
    ATLANTIC,
    AXIS,
    GERMANY,
    JAPAN,
    PACIFIC,
    UNITED_STATES,
    Campaign,
    Cards,
    PlayerTurn,
    Research,
)
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.rules.table import Ruleset

ASW_LEVEL_FROM, TWO_LEVELS_FROM = 6, 8  # research results for ASW (41.84 is not held; SR-11)


class Codebreakers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose cards are compared in a campaign: the deck, the owner of the submarine cards, that of the ASW cards."""

    deck: str
    submarine_cards: str
    asw_cards: str


class Carrier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A carrier of the defender in the box."""

    kind: str  # CVE, or a fast carrier's kind
    inverted: bool = False


# -- what is compared ---------------------------------------------------------------------------------


@rule("25.621", "25.631", "24.6")
def submarine_drm(rules: Ruleset, nation: str, *, impaired: bool = False, raised: int = 0) -> int:
    """25.621. The Naval Nationality DRM of a nation's submarines in SW; partial supply or oil lowers it (AM-05)."""
    return nationality_drm(rules.nationality, Crew(nation, "submarine", 1, impaired)) + raised


@rule("25.621", "24.6")
def asw_drm(rules: Ruleset, nation: str, *, impaired: bool = False, raised: int = 0) -> int:
    """25.621. The Naval Nationality DRM of those who defend against submarines (SR-10)."""
    return nationality_drm(rules.nationality, Crew(nation, "DD", 1, impaired)) + raised


@rule("25.632.1")
def starting_research(nation: str) -> Research:
    """25.632. Japan begins with one torpedo result; of these levels nobody else begins with any."""
    return Research(torpedo=1 if nation == JAPAN else 0)


@rule("25.632.2")
def later_torpedo_research(nation: str, results: int) -> int:
    """25.632. What torpedo results already held take from later research: each one, but not Japan's first."""
    return -max(0, results - starting_research(nation).torpedo)


@rule("25.622.3")
def asw_levels(result: int, turns_since: int) -> int:
    """25.622. The ASW levels a research result is worth: an "8+" gives one at once and one a turn later (SR-11)."""
    if result >= TWO_LEVELS_FROM:
        return 1 if turns_since < 1 else 2
    return 1 if result >= ASW_LEVEL_FROM else 0


@rule("25.362.1", "25.362.2", "25.641")
def escort_carriers_counted(carriers: Sequence[Carrier]) -> int:
    """25.362. The CVEs that count against submarines: uninverted ones; fast carriers never do (SR-14)."""
    return sum(carrier.kind == "CVE" and not carrier.inverted for carrier in carriers)


@rule("25.66A", "25.66B")
def war_phases(declared: PlayerTurn | None, now: PlayerTurn, *, before_combat: bool = True) -> int | None:
    """25.66. Which Axis combat phase of the war between Germany and the U.S. this is, whoever declared it.

    A war declared in an Axis player turn before its combat phase counts from that phase (SR-12). None: no war yet.
    """
    if declared is None:
        return None
    first = declared
    if declared.side is not AXIS or not before_combat:
        first = declared.following if declared.side is not AXIS else declared.next_own
    phases = now.turn.since(first.turn) + 1
    return phases if phases >= 1 else None


@rule("25.671A", "25.671B", "25.671C")
def codebreakers(attacker: str, box: str) -> Codebreakers:
    """25.671. Whose cards are compared for a nation's submarines in a box."""
    if attacker == GERMANY:
        return Codebreakers("Ultra", "European Axis", "Britain")
    if attacker == JAPAN:
        return Codebreakers("Magic", "Japan", "United States")
    if (attacker, box) == (UNITED_STATES, PACIFIC):
        return Codebreakers("Magic", "United States", "Japan")
    raise ValueError(f"there is no campaign of submarines of {attacker} in the {box} SW box")


@rule("25.671", "25.672", "25.673", "25.726", "24.6")
def codebreaking(rules: Ruleset, cards: Cards) -> int:
    """25.672. Who played more cards in this campaign has one point, however many more they are."""
    lead = (cards.submarine > cards.asw) - (cards.submarine < cards.asw)
    return lead * rules.submarine_warfare.codebreaking


# -- the lines ----------------------------------------------------------------------------------------


@rule("25.62", "25.621", "25.622.1", "25.622.2", "25.623", "24.6")
def general_modifiers(campaign: Campaign) -> Modifiers:
    """25.62. Nationality, air range both ways, the attacker's torpedoes, the defender's ASW; nothing else of theirs."""
    mine, theirs = campaign.attacker_research, campaign.defender_research
    lines = Modifiers().plus("25.621", "Naval Nationality DRM", campaign.attacker_drm - campaign.defender_drm)
    lines = lines.plus("25.623", "air range", mine.air_range - theirs.air_range)
    lines = lines.plus("25.622", "torpedo research of the attacker", mine.torpedo)
    return lines.plus("25.622", "ASW research of the defender", -theirs.asw)


@rule("25.64A", "25.64B", "25.722", "24.6")
def escort_carrier_modifiers(rules: Ruleset, campaign: Campaign) -> Modifiers:
    """25.64A. The defender's escort carriers in the box."""
    amount = rules.carrier_effects.submarine_warfare(campaign.box, campaign.escort_carriers)
    return Modifiers().plus("25.64", f"{campaign.escort_carriers} CVEs in the SW box", amount)


@rule("25.65", "25.723", "25.811", "25.92A", "25.92B", "24.6")
def port_modifiers(rules: Ruleset, campaign: Campaign) -> Modifiers:
    """25.65. Each group of ports once, if one of them is held and fully supplied by the submarines' side (SR-13)."""
    lines = Modifiers()
    for group in rules.submarine_warfare.ports:
        held = [port for port in group.ports if port in campaign.ports]
        if held and (group.box, group.attacker) == (campaign.box, campaign.attacker):
            lines = lines.plus(group.rule, " and ".join(held), group.amount)
    return lines


@rule("25.66A", "25.66B", "25.724", "24.6")
def us_war_modifiers(rules: Ruleset, phase: int | None, *, reentry: bool = False) -> Modifiers:
    """25.66. War with the U.S. helps Germany in every phase, and more in the first two, unless the U.S. came back.

    Whatever the USAT level was makes no difference.
    """
    lines = Modifiers()
    if phase is None:
        return lines
    table = rules.submarine_warfare
    lines = lines.plus("25.66A", "Germany and the U.S. are at war", table.us_war)
    if not reentry and phase <= len(table.happy_time):
        lines = lines.plus("25.66B", f"happy time, Axis combat phase {phase} of the war", table.happy_time[phase - 1])
    return lines


@rule("25.725", "24.6")
def ireland_modifiers(rules: Ruleset, result: int | None) -> Modifiers:
    """25.725. A diplomatic result for Ireland of 7 or more helps Germany in the Atlantic."""
    table = rules.submarine_warfare
    holds = result is not None and result >= table.ireland_from
    return Modifiers().plus("25.725", f"diplomatic result {result} for Ireland", table.ireland if holds else 0)


@rule("25.61", "24.622.1", "24.622.3", "24.6")
def submarine_modifiers(rules: Ruleset, campaign: Campaign) -> Modifiers:
    """25.61. The net modifier of one submarine SW combat, line by line; war and Ireland bear on the Atlantic alone."""
    deck = codebreakers(campaign.attacker, campaign.box).deck
    parts = [general_modifiers(campaign), escort_carrier_modifiers(rules, campaign), port_modifiers(rules, campaign)]
    if campaign.box == ATLANTIC:
        parts.append(us_war_modifiers(rules, campaign.war_phases, reentry=campaign.us_reentry))
        parts.append(ireland_modifiers(rules, campaign.ireland))
    lines = Modifiers(tuple(line for part in parts for line in part.lines))
    return lines.plus("25.672", f"{deck} codebreaking", codebreaking(rules, campaign.cards))
