"""Questions about submarine warfare (24.6, 25.4 to 25.9): the table, the modifier, the combat, who may fight."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from flagplot.api.calls import Shared, question
from flagplot.api.shapes import lines
from flagplot.api.sw_shapes import (
    PoliticsJson,
    PortJson,
    box_called,
    few,
    owner_called,
    player_turn_called,
    power_called,
    reasons,
    rolled,
    summed,
    turn_called,
    year_called,
)
from flagplot.core.errors import PlayerError
from flagplot.core.events import Modifiers
from flagplot.model.ships import slug
from flagplot.model.strategic_war import (
    AXIS,
    GERMANY,
    JAPAN,
    UNITED_STATES,
    WESTERN_ALLIES,
    Campaign,
    Cards,
    Combat,
    Research,
    Shipping,
    Struck,
    Toll,
    Turn,
)
from flagplot.rules.strategic import submarine_modifiers as modifiers
from flagplot.rules.strategic import submarine_warfare as warfare
from flagplot.rules.table import Ruleset
from flagplot.tables.air_range import MOST_RESULTS
from flagplot.tables.sw_combat import SwResult

PARTS = {
    "nationality": ("25.621",),
    "air_range": ("25.623",),
    "cves": ("25.64",),
    "ports": ("25.723", "25.811", "25.92A", "25.92B"),
    "us_war": ("25.66A", "25.66B"),
    "ireland": ("25.725",),
    "codebreaking": ("25.672",),
}


class CardsJson(msgspec.Struct, forbid_unknown_fields=True):
    """Codebreaking cards played in this campaign: for submarines, and against them."""

    submarine: int = 0
    asw: int = 0


# -- the table ------------------------------------------------------------------------------------------------


@question
def sw_combat(
    *, rules: Ruleset, dice: list[int], factors: int, roll: int | None = None, modifier: int = 0
) -> dict[str, Any]:
    """The SW Combat Table (24.62) for so many factors: two dice or a roll, and the modifier."""
    thrown = rolled(roll, dice, "the roll")
    reading = rules.sw_combat.read(factors, thrown + modifier)
    return {
        "rows": list(reading.rows),
        "modified_roll": thrown + modifier,
        "column": reading.column,
        "results_by_row": [list(result) for result in reading.results],
        "before": reading.result.before,
        "after": reading.result.after,
        "result": str(reading.result),
    }


# -- the modifier ---------------------------------------------------------------------------------------------


class CampaignJson(Shared, kw_only=True):
    """What modifies submarine warfare in a box (25.6)."""

    box: str
    attacker: str
    naval_drm_attacker: int | None = None
    naval_drm_defender: int | None = None
    air_range_attacker: int = 0
    air_range_defender: int = 0
    torpedo_attacker: int | None = None
    asw_defender: int = 0
    uninverted_cves: int = 0
    ports_controlled_and_fully_supplied: list[str] | None = None
    codebreaking_cards: CardsJson | None = None
    axis_combat_phases_since_war_began: int | None = None
    us_reentry: bool = False
    ireland_result: int | None = None
    attacker_impaired: bool = False
    defender_impaired: bool = False
    cves_of: str | None = None

    def defending(self, carriers: int) -> int:
        """Of CVEs in the box, the defender's: others do nothing (SR-14). Unsaid, they are Western Allied (27.721)."""
        number = few(carriers, "CVEs")
        if self.cves_of is not None and self.cves_of.lower().strip() == "defender":
            return number
        owner = WESTERN_ALLIES if self.cves_of is None else owner_called(self.cves_of)
        return number if (owner == JAPAN) == (power_called(self.attacker) == UNITED_STATES) else 0

    def campaign(self, rules: Ruleset) -> Campaign:
        """The campaign as the rules have it."""
        nation = power_called(self.attacker)
        serves = warfare.serves_in(nation, box_called(self.box))
        if not serves.holds:
            raise PlayerError(f"{serves.rule}: {serves.why}")
        defender = JAPAN if nation == UNITED_STATES else "Britain"
        phases, cards = self.axis_combat_phases_since_war_began, self.codebreaking_cards
        mine, theirs = self.naval_drm_attacker, self.naval_drm_defender
        short, poor = self.attacker_impaired, self.defender_impaired
        torpedo = (
            modifiers.starting_research(nation).torpedo if self.torpedo_attacker is None else self.torpedo_attacker
        )
        if max(self.air_range_attacker, self.air_range_defender) > MOST_RESULTS:
            raise PlayerError(f"25.623: nobody has more than {MOST_RESULTS} air range results in a game")
        if phases is not None and phases < 1:
            raise PlayerError("25.66: the Axis combat phases of the war are counted from 1, this one included")
        return Campaign(
            box_called(self.box),
            nation,
            modifiers.submarine_drm(rules, nation, impaired=short) if mine is None else mine - short,
            modifiers.asw_drm(rules, defender, impaired=poor) if theirs is None else theirs - poor,
            Research(torpedo=torpedo, air_range=self.air_range_attacker),
            Research(asw=self.asw_defender, air_range=self.air_range_defender),
            self.defending(self.uninverted_cves),
            tuple(_port_called(rules, port) for port in self.ports_controlled_and_fully_supplied or ()),
            Cards(few(cards.submarine, "cards"), few(cards.asw, "cards")) if cards else Cards(),
            phases,
            self.us_reentry,
            self.ireland_result,
        )


def _port_called(rules: Ruleset, name: str) -> str:
    """The port as the table spells it, whatever its capitals, points and accents; a port it does not name counts for
    nothing."""
    known = {slug(port): port for port in rules.submarine_warfare.known_ports}
    return "Hawaiian Islands" if "hawaii" in name.lower() else known.get(slug(name), name)


def _breakdown(made: Modifiers) -> dict[str, int]:
    parts = {key: sum(line.amount for line in made.lines if line.rule in numbers) for key, numbers in PARTS.items()}
    for key, word in (("torpedo", "torpedo"), ("asw_research", "ASW")):
        parts[key] = sum(line.amount for line in made.lines if line.rule == "25.622" and line.reason.startswith(word))
    return parts


@question
def sw_modifier(*, rules: Ruleset, campaign: CampaignJson) -> dict[str, Any]:
    """The net modifier of submarine warfare in a box (25.6), line by line; plus favors the submarines.

    Nationality DRMs are those of the chart unless given, less one for a side that is `impaired`, by partial supply or naval
    oil effects (AM-05); torpedo results are those of the start: one of Japan's (25.632). Only the defender's CVEs count
    (SR-14): all CVEs are taken for Western Allied, since the U.S. alone builds any (27.721), unless `cves_of` says whose
    they are, a power or "defender". The phase of the war with the U.S. is counted from 1, this one included.
    `codebreakers`: whose cards are compared (25.671).
    """
    sought = campaign.campaign(rules)
    cards = modifiers.codebreakers(sought.attacker, sought.box)
    return {**_modifier_told(modifiers.submarine_modifiers(rules, sought)), "codebreakers": cards}


def _modifier_told(made: Modifiers) -> dict[str, Any]:
    return {"net_modifier": made.total, "breakdown": _breakdown(made), "lines": lines(made)["lines"]}


@question
def us_war_modifiers(
    *,
    rules: Ruleset,
    declared: str | None,
    check: list[str],
    before_combat: bool = True,
    us_reentry: bool = False,
) -> dict[str, Any]:
    """What war between Germany and the U.S. is worth to German submarines in each Axis combat phase (25.66).

    `declared` is the player turn in which it broke out; in an Axis one, before or after its combat phase.
    """
    began = player_turn_called(declared) if declared else None
    asked = [player_turn_called(each) for each in check]
    for each in asked:
        if each.side is not AXIS:
            raise PlayerError(
                f"25.66: German submarines fight in Axis player turns; ask for {replace(each, side=AXIS)}"
            )
    phases = [modifiers.war_phases(began, each, before_combat=before_combat) for each in asked]
    made = [modifiers.us_war_modifiers(rules, phase, reentry=us_reentry) for phase in phases]
    return {"modifiers": [each.total for each in made], "lines": [lines(each)["lines"] for each in made]}


@question
def asw_research(*, rules: Ruleset, results: list[list[int | str]]) -> dict[str, Any]:
    """The ASW level of research results (25.622), each [result, turns since]; an "8+" comes in two steps."""
    level = 0
    for result in results:
        read = [str(each).strip().removesuffix("+") for each in result]
        if len(read) != 2 or not all(each.isascii() and each.isdigit() for each in read):
            raise PlayerError("each result is [result, turns since], both of them 0 or more: [8, 1]")
        level += modifiers.asw_levels(int(read[0]), int(read[1]))
    return {"level": level}


@question
def torpedo_research(*, nation: str, results: int) -> dict[str, Any]:
    """What the torpedo results a power holds take from its later torpedo research (25.632): Japan's first takes nothing."""
    return {"modifier": modifiers.later_torpedo_research(power_called(nation), few(results, "results"))}


# -- the combat -----------------------------------------------------------------------------------------------


def of_submarines(struck: Struck) -> dict[str, Any]:
    """One combat: its results, what came of the submarines, and what they sink besides."""
    return {
        "attacker_result": str(SwResult(*struck.attacker_result)),
        "defender_result": str(SwResult(*struck.defender_result)),
        "submarines_eliminated": struck.eliminated,
        "submarines_aborted": struck.aborted,
        "submarines_reaching_convoys": struck.reaching,
        "additional_from_modifier": struck.additional_from_modifier,
        "additional_from_reaching": struck.additional_from_reaching,
    }


def _of_shipping(toll: Toll) -> dict[str, Any]:
    return {
        "transports_sunk": toll.sunk,
        "transports_damaged": toll.damaged,
        "transports_undamaged_left": toll.undamaged_left,
        "asw_lost": toll.asw_lost,
        "cves_lost": toll.escort_carriers_lost,
        "losses_wasted": toll.wasted,
    }


@question
def submarine_combat(
    *,
    rules: Ruleset,
    dice: list[int],
    submarines: int,
    asw: int,
    transports: int,
    net_modifier: int = 0,
    attacker_roll: int | None = None,
    defender_roll: int | None = None,
    uninverted_cves_present: int = 0,
    inverted_cves_present: int = 0,
    box: str = "Atlantic",
) -> dict[str, Any]:
    """One submarine SW combat in full (24.63, 24.64): limits and modifier already settled; dice of the attacker first.

    CVEs are what is lost when transports and ASW run out, inverted ones too (SR-06); in the modifier they are counted
    already.
    """
    box_called(box)
    shipping = Shipping(
        few(transports, "transports"),
        few(asw, "ASW"),
        few(uninverted_cves_present, "CVEs") + few(inverted_cves_present, "CVEs"),
    )
    combat = _combat(few(submarines, "submarines"), asw, net_modifier, attacker_roll, defender_roll, dice)
    struck = warfare.strike(rules, combat)
    return {
        "combat": warfare.anybody_rolls(submarines),
        **of_submarines(struck),
        **_of_shipping(warfare.losses(shipping, [struck])),
    }


def _combat(
    submarines: int, asw: int, modifier: int, attacker_roll: int | None, defender_roll: int | None, dice: list[int]
) -> Combat:
    """The combat with its rolls; a side that does not roll is given a 2, which is never read."""
    rolls = warfare.anybody_rolls(submarines)
    mine = rolled(attacker_roll, dice, "the submarines") if rolls else 2
    theirs = rolled(defender_roll, dice, "the ASW") if rolls and asw else 2
    return Combat(submarines, asw, modifier, mine, theirs)


@question
def submarine_turn(
    *,
    rules: Ruleset,
    dice: list[int],
    campaign: CampaignJson,
    turn: str,
    submarines_in_box: int,
    asw: int,
    transports: int,
    wanted: int | None = None,
    submarines_elsewhere: int = 0,
    attacker_roll: int | None = None,
    defender_roll: int | None = None,
    inverted_cves: int = 0,
) -> dict[str, Any]:
    """Submarine warfare in a box in a turn: how many fight (25.13), the net modifier (25.6), and the whole outcome.

    `wanted` fewer may fight than the limit; `submarines_elsewhere` are Japanese ones fighting in the other box.
    """
    sought = campaign.campaign(rules)
    made = modifiers.submarine_modifiers(rules, sought)
    fighting = warfare.engaged(
        rules,
        sought.attacker,
        sought.box,
        turn_called(turn),
        few(submarines_in_box, "submarines"),
        wanted=None if wanted is None else few(wanted, "submarines"),
        elsewhere=few(submarines_elsewhere, "submarines"),
    )
    combat = _combat(fighting, few(asw, "ASW"), made.total, attacker_roll, defender_roll, dice)
    struck = warfare.strike(rules, combat)
    carriers = sought.escort_carriers + campaign.defending(inverted_cves)
    shipping = Shipping(few(transports, "transports"), asw, carriers)
    return {
        "submarines_engaged": fighting,
        **_modifier_told(made),
        **of_submarines(struck),
        **_of_shipping(warfare.losses(shipping, [struck])),
    }


class AttackerJson(msgspec.Struct, forbid_unknown_fields=True):
    """One of two attackers in the Indian Ocean, with the ASW set against it."""

    submarines: int
    asw: int
    net_modifier: int = 0
    attacker_roll: int | None = None
    defender_roll: int | None = None


@question
def indian_ocean_combats(
    *,
    rules: Ruleset,
    dice: list[int],
    german: AttackerJson,
    japanese: AttackerJson,
    transports: int,
    asw: int | None = None,
    cves_present: int = 0,
) -> dict[str, Any]:
    """German and Japanese submarines in the Indian Ocean at once (25.82): two combats, one toll of shipping (SR-15).

    Each says how many ASW are set against it; with `asw`, the factors in the box, the split is checked. Dice are the
    Germans', those against them, the Japanese', those against them.
    """
    parts = {GERMANY: german, JAPAN: japanese}
    present = sum(few(part.asw, "ASW") for part in parts.values())
    split = warfare.asw_split(present if asw is None else asw, {nation: part.asw for nation, part in parts.items()})
    if not split.holds:
        raise PlayerError(f"{split.rule}: {split.why}")
    struck = {
        nation: warfare.strike(
            rules,
            _combat(
                few(part.submarines, "submarines"),
                part.asw,
                part.net_modifier,
                part.attacker_roll,
                part.defender_roll,
                dice,
            ),
        )
        for nation, part in parts.items()
    }
    shipping = Shipping(few(transports, "transports"), present, few(cves_present, "CVEs"))
    toll = warfare.losses(shipping, list(struck.values()))
    return {
        "german": of_submarines(struck[GERMANY]),
        "japanese": of_submarines(struck[JAPAN]),
        **_of_shipping(toll),
    }


@question
def advanced_submarines(
    *,
    rules: Ruleset,
    dice: list[int],
    advanced_submarines: int,
    transports: int,
    roll: int | None = None,
    asw: int = 0,
    cves: int = 0,
    transports_damaged_before: int = 0,
    conventional_net_modifier: int = 0,
) -> dict[str, Any]:
    """The attack of German advanced submarines (25.73): three factors each, a plain roll, no answer.

    `transports_damaged_before` were damaged by conventional submarines this phase; whether they are still there is the
    option damaged_transports_leave. The modifier of the conventional combat makes no difference.
    """
    number = few(advanced_submarines, "advanced submarines")
    struck = warfare.advanced_strike(rules, number, rolled(roll, dice, "the submarines") if number else 2)
    before = Shipping(few(transports, "transports"), few(asw, "ASW"), few(cves, "CVEs"))
    earlier = Toll(0, few(transports_damaged_before, "transports"), before.transports, 0, 0, 0)
    shipping = warfare.shipping_after(rules, before, earlier)
    toll = warfare.losses(shipping, [struck])
    return {
        "row": warfare.ADVANCED_FACTORS * number,
        "result": str(SwResult(*struck.attacker_result)),
        "asw_rolls": False,
        "submarines_lost": struck.eliminated,
        "order": list(warfare.order_of_attacks()),
        **_of_shipping(toll),
    }


@question
def transport_losses(
    *,
    rules: Ruleset,
    transports_left: int,
    additional_losses: int,
    asw: int = 0,
    cves: int = 0,
    first_number_losses_left: int = 0,
    damage: int = 0,
) -> dict[str, Any]:
    """What losses do to the shipping of a box (24.631A, 24.64): first numbers, damage, then additional losses."""
    due = (few(first_number_losses_left, "losses"), few(damage, "damaged transports"))
    struck = Struck(due, (0, 0), 0, 0, 0, 0, few(additional_losses, "losses"))
    shipping = Shipping(few(transports_left, "transports"), few(asw, "ASW"), few(cves, "CVEs"))
    return _of_shipping(warfare.losses(shipping, [struck]))


@question
def escort_carriers_lost(*, rules: Ruleset, carriers: dict[str, int], lost: int) -> dict[str, Any]:
    """Whose CVEs are lost in SW combat (24.66): by nation, ties in the order given."""
    counted = summed((power_called(nation), few(number, "CVEs")) for nation, number in carriers.items())
    return {"lost": warfare.carriers_lost_by_nation(counted, few(lost, "CVEs"))}


@question
def damaged_transports(*, rules: Ruleset, damaged_in: str, redeployed_in: str | None = None) -> dict[str, Any]:
    """When transports damaged in an enemy player turn may work again (24.631A): "Axis Summer 1942"."""
    back = player_turn_called(redeployed_in) if redeployed_in else None
    found = warfare.damaged_transports(player_turn_called(damaged_in), back)
    return {
        "repair_brps": found.repair_brps,
        "inverted_through": str(found.inverted_through),
        "redeploy_in": str(found.redeploy_in),
        "first_functional_player_turn": str(found.function_from),
    }


# -- limits ---------------------------------------------------------------------------------------------------


def turn_of(rules: Ruleset, nation: str, box: str, turn: str | None, year: int | None) -> Turn:
    """The turn asked about; a year will do where the limit is the same all year."""
    if turn is not None:
        return turn_called(turn)
    if year is None:
        raise PlayerError("say the turn")
    first = Turn(year_called(year), 2 if year == 1939 else 0)
    limits = {rules.submarine_limits.limit(nation, box, Turn(year, season)) for season in range(first.season, 4)}
    if len(limits) > 1:
        raise PlayerError(f"25.13: the limit of {nation} in the {box} SW box changes during {year}; say the turn")
    return first


@question
def excess_asw_in_box(
    *,
    rules: Ruleset,
    nation: str,
    box: str,
    asw: int,
    submarines: int,
    turn: str | None = None,
    year: int | None = None,
    base: bool = True,
) -> dict[str, Any]:
    """ASW of an SW box beyond the submarines of a nation that may fight there (22.9415B), which hampers that nation's
    submarines on the mapboard; `base`: they have a port to fight from (25.51)."""
    power, place = power_called(nation), box_called(box)
    when = turn_of(rules, power, place, turn, year)
    escorts, boats = few(asw, "ASW"), few(submarines, "submarines")
    return {"excess": warfare.excess_in_box(rules, power, place, when, asw=escorts, submarines=boats, base=base)}


@question
def submarine_limits(
    *,
    rules: Ruleset,
    nation: str,
    box: str,
    turns: list[str] | None = None,
    years: list[int] | None = None,
) -> dict[str, Any]:
    """How many of a nation's submarines may fight in a box in each turn or year (25.13); Japan's for both boxes."""
    power, place = power_called(nation), box_called(box)
    asked = [turn_called(turn) for turn in turns or ()]
    asked += [turn_of(rules, power, place, None, year) for year in years or ()]
    return {"limits": [rules.submarine_limits.limit(power, place, turn) for turn in asked]}


@question
def submarines_fight(
    *,
    rules: Ruleset,
    nation: str,
    box: str,
    submarines_available: int,
    turn: str | None = None,
    year: int | None = None,
    wanted: int | None = None,
    submarines_elsewhere: int = 0,
    began_there: bool = True,
    ports: list[PortJson] | None = None,
    australia_box: bool = True,
    politics: PoliticsJson | None = None,
) -> dict[str, Any]:
    """How many submarines in a box may fight this player turn (25.13, 25.51), and what keeps them from it.

    Ports are those held, with their holder, front and whether they are operational. What is left out is no obstacle, and
    `assumed`: without ports a base to fight from (an empty list is none at all), without politics war.
    """
    power, place = power_called(nation), box_called(box)
    silent = {"25.51": ports is None and australia_box, "25.91": politics is None}
    found = warfare.fighting_refused(
        power,
        place,
        began_there=began_there,
        ports=[port.port() for port in ports or ()],
        politics=(politics or PoliticsJson()).politics(),
        australia_box=australia_box,
    )
    refused = tuple(each for each in found if not any(each.rule.startswith(rule) for rule in silent if silent[rule]))
    number = warfare.engaged(
        rules,
        power,
        place,
        turn_of(rules, power, place, turn, year),
        few(submarines_available, "submarines"),
        wanted=None if wanted is None else few(wanted, "submarines"),
        elsewhere=few(submarines_elsewhere, "submarines"),
    )
    return {
        "may_fight": 0 if refused else number,
        "reasons": reasons(refused),
        "assumed": reasons(tuple(each for each in found if each not in refused)),
    }
