"""`flagplot bombing`: a bombing raid (26.4 to 26.9): every modifier, the exact chances, what typed dice give.

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer

from flagplot import api
from flagplot.cli.chance_pages import (
    combat_told,
    line_of,
    rows_of,
    signed_number,
    typed_dice,
)
from flagplot.cli.command_options import (
    RARE,
    Json,
    More,
    RareEdition,
    RareOption,
    Rules,
    a_number,
    dice_option,
    rules_chosen,
)
from flagplot.cli.page import Page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.cli.typed import items, number
from flagplot.core.errors import PlayerError
from flagplot.play.wording import counted, hexes, listed, percent_in_table, signed

MOST = 60
GROUPS = {
    "strategic_bombers": ("bomber", "bombers"),
    "bombing_aaf": ("AAF that bombs", "AAF that bomb"),
    "escort_aaf": ("AAF of escort", "AAF of escort"),
    "interceptors": ("interceptor", "interceptors"),
    "aaf": ("AAF", "AAF"),
    "jets": ("jet", "jets"),
}
DEFENDERS = {"interceptor": "interceptors", "int": "interceptors", "aaf": "aaf", "army air": "aaf", "jet": "jets"}
DEFENCES = {
    "flak": "flak",
    "airbase": "airbases",
    "air base": "airbases",
    "objective": "objectives",
    "anchor": "anchors",
    "city": "cities_or_ports",
    "cities": "cities_or_ports",
    "citie": "cities_or_ports",
    "port": "cities_or_ports",
    "fortification": "fortification",
    "fortress": "fortress",
}

TARGET = "The target"
MET = "Who meets it"
RESEARCH = "How far and how well"


def bombing(
    nation: Annotated[str, typer.Option(metavar="NATION", help="Whose raid: all of one nationality (26.41).")],
    distance: Annotated[str, a_number("Hexes from the base to the target; the longest, if from several.")],
    target: Annotated[
        str,
        typer.Option(
            metavar="TARGET",
            help='London, Tokyo, "India box" ..., "German objective", "Russian IC"; or none, with --country.',
            show_default=False,
            rich_help_panel=TARGET,
        ),
    ] = "",
    country: Annotated[
        str,
        typer.Option(
            metavar="NATION",
            help="Whose the target is, where it has no name.",
            show_default=False,
            rich_help_panel=TARGET,
        ),
    ] = "",
    bombers: Annotated[str | None, a_number("Strategic bomber factors; 0 unless said.")] = None,
    aaf: Annotated[str | None, a_number("AAF: a third of them bomb, the rest escort (26.42).")] = None,
    interceptors: Annotated[str | None, a_number("Interceptors that escort; 0 unless said.")] = None,
    jets: Annotated[str | None, a_number("Jets that escort; 0 unless said.")] = None,
    defences: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help='What shoots in the hex: "city, objective, 2 flak, airbase, anchor, fortress". A city that is a port is one.',
            show_default="a box has three",
            rich_help_panel=TARGET,
        ),
    ] = None,
    value: Annotated[str | None, a_number("Economic value of the hex: no more BRPs are lost (26.71A).", TARGET)] = None,
    met: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DEFENDERS",
            help='Who meets the raid: "4 interceptors, 2 AAF, 1 jet". Once for each front it crosses; "unescorted" where its '
            "escorts have turned back.",
            show_default=False,
            rich_help_panel=MET,
        ),
    ] = None,
    defender: Annotated[
        str,
        typer.Option(metavar="NATION", help="Whose defenders.", show_default="the target's owner", rich_help_panel=MET),
    ] = "",
    theatre: Annotated[
        str, typer.Option(help="Europe or Pacific.", show_default="that of the target", rich_help_panel=RESEARCH)
    ] = "",
    air_range: Annotated[str | None, a_number("Air range results of the attacker; 0 unless said.", RESEARCH)] = None,
    bomber_results: Annotated[str | None, a_number("His strategic bomber results; 1 unless said.", RESEARCH)] = None,
    air_defense: Annotated[
        str | None, a_number("Air defense results of the defender; 0 unless said.", RESEARCH)
    ] = None,
    radar: Annotated[str | None, a_number("His radar results; 0 unless said.", MET)] = None,
    already: Annotated[str | None, a_number("Damage done there earlier in this turn.", TARGET)] = None,
    burnt: Annotated[
        bool, typer.Option("--burnt", help="It bears a firestorm or atomic marker.", rich_help_panel=TARGET)
    ] = False,
    secondary: Annotated[
        bool, typer.Option("--secondary", help="A secondary target (26.32): no BRPs are lost.", rich_help_panel=TARGET)
    ] = False,
    russian_base: Annotated[str | None, a_number("Urals box: Russia's BRP base.", TARGET)] = None,
    impaired: Annotated[
        bool, typer.Option("--impaired", help="Partial supply or oil effects: the raid.", rich_help_panel=RARE)
    ] = False,
    enemy_impaired: Annotated[
        bool, typer.Option("--enemy-impaired", help="The defenders.", rich_help_panel=RARE)
    ] = False,
    winter: Annotated[
        bool, typer.Option("--winter", help="A winter effect of 8 or more: the raid.", rich_help_panel=RARE)
    ] = False,
    enemy_winter: Annotated[bool, typer.Option("--enemy-winter", help="The defenders.", rich_help_panel=RARE)] = False,
    drm: Annotated[str | None, a_number("Air Nationality DRM of the raid, if not the chart's.", RARE)] = None,
    enemy_drm: Annotated[str | None, a_number("And of the defenders.", RARE)] = None,
    edition: RareEdition = "current",
    option: RareOption = None,
    roll: Annotated[str | None, dice_option("The dice, the raid's first: what comes of them.")] = None,
    more: More = None,
    json: Json = False,
) -> None:
    """A bombing raid: air combat on its way, the target, and the chance of each loss of BRPs (26.4 to 26.9).

    Each meeting is a round of air combat; bombers that arrive and their target then roll on the SW Combat Table.

    [bold]flagplot bombing --nation Britain --bombers 5 --distance 6 --air-range 1 --target "German objective"
    --defences "city, objective, 2 flak" --value 25 --met "3 interceptors"[/bold]

    [bold]flagplot bombing --nation "United States" --theatre Pacific --bombers 12 --bomber-results 3 --air-range 3
    --distance 10 --target Tokyo --defences "city, objective, airbase, 3 flak" --value 25 --met "4 interceptors, 2 jets"
    --radar 1 --air-defense 1[/bold]

    [bold]flagplot bombing --nation Germany --aaf 15 --distance 3 --target London --value 30
    --defences "city, objective, airbase, 2 flak" --met "3 interceptors, 2 AAF" --radar 1 --roll 5 4 2 3 6 5 2 3[/bold]
    """
    asked: dict[str, Any] = {
        "nation": nation,
        "distance": number(distance, "--distance", 99),
        "target": target,
        "country": country,
        "bombers": number(bombers, "--bombers", MOST),
        "aaf": number(aaf, "--aaf", MOST),
        "interceptors": number(interceptors, "--interceptors", MOST),
        "jets": number(jets, "--jets", MOST),
        "defences": _defences(defences),
        "value": number(value, "--value", 999) if value is not None else None,
        "meetings": [_met(each) for each in met or []],
        "defender": defender,
        "theatre": theatre,
        "air_range": number(air_range, "--air-range", 3),
        "bomber_results": number(bomber_results, "--bomber-results") if bomber_results is not None else 1,
        "air_defense": number(air_defense, "--air-defense"),
        "radar": number(radar, "--radar"),
        "already": number(already, "--already", 999),
        "burnt": burnt,
        "secondary": secondary,
        "russian_base": number(russian_base, "--russian-base", 999) if russian_base is not None else None,
        "attacker_impaired": impaired,
        "defender_impaired": enemy_impaired,
        "attacker_winter": winter,
        "defender_winter": enemy_winter,
        "attacker_drm": signed_number(drm, "--drm"),
        "defender_drm": signed_number(enemy_drm, "--enemy-drm"),
    }
    rules = rules_chosen(edition, option)
    answer = api.call("bombing_odds", asked, dice=typed_dice(roll, more), **rules.beside)
    assumed = [] if met else ["nobody meets it"]
    if defences is None and not answer["target"].endswith(" box"):
        assumed.append("nothing shoots in the hex")
    if bomber_results is None and asked["bombers"]:
        assumed.append("one bomber result")
    if wants_json(json):
        print_json({**answer, "assumed": assumed, **rules.beside})
        return
    _tell(asked, answer, assumed, rules)


# -- what is typed --------------------------------------------------------------------------------


def _counts(text: str, option: str, words: Mapping[str, str], example: str) -> dict[str, int]:
    """Numbers of things in a list; a thing without a number is one."""
    found: dict[str, int] = {}
    for part in items(text.lower(), option, example):
        parsed = re.fullmatch(r"(?:(\d{1,2})\s*)?([a-z ]+?)(s?)", part)
        name = words.get(parsed[2].strip()) or words.get(parsed[2] + parsed[3]) if parsed else None
        if parsed is None or name is None:
            known = ", ".join(dict.fromkeys(word for word in words if word not in ("citie", "int")))
            raise PlayerError(f"{option} {part[:40]!r} will not do: there are {known}, as in {example}")
        found[name] = found.get(name, 0) + int(parsed[1] or 1)
    return found


def _defences(text: str | None) -> dict[str, int]:
    if text is None:
        return {}
    found = _counts(text, "--defences", DEFENCES, '"city, objective, 2 flak"')
    if found.pop("fortress", 0):
        found["fortification"] = 2
    return found


def _met(text: str) -> dict[str, Any]:
    plain = text.lower()
    escorted = "unescorted" not in plain
    rest = plain.replace("unescorted", "").strip(" ,;:")
    return {**_counts(rest, "--met", DEFENDERS, '"4 interceptors, 2 AAF"'), "escorted": escorted}


# -- what is told ---------------------------------------------------------------------------------


def _units(groups: Mapping[str, int]) -> str:
    """Air units in words, in the order of GROUPS."""
    named = [(groups.get(group, 0), words) for group, words in GROUPS.items()]
    return listed([f"{count} {one if count == 1 else several}" for count, (one, several) in named if count], "nobody")


def _tell(asked: Mapping[str, Any], answer: Mapping[str, Any], assumed: Sequence[str], rules: Rules) -> None:
    page = Page(console())
    page.heading(f"Bombing of {_called(answer)} (26.4)")
    page.say(f"{asked['nation']}: {_units(answer['force'])}, {hexes(asked['distance'])} off.", "own")
    for combat in answer["air_combats"]:
        alone = "" if combat["escorted"] else ", its escorts gone home"
        page.say(f"Met by {_units(combat['defenders'])}{alone}.", "foe")
    page.facts(assumed)
    page.say(rules.words, style="quiet")
    for rule, why in answer["notes"]:
        page.say(f"Mind: {why} ({rule}).", style="quiet")
    several = len(answer["air_combats"]) > 1
    for place, combat in enumerate(answer["air_combats"], start=1):
        which = f" {place}, if nothing is lost before it" if several else ""
        page.heading(
            f"Air combat{which}: rows {combat['attacker_row']} and {combat['defender_row']}, "
            f"modifier {signed(combat['net_modifier'])} (26.453)"
        )
        page.say(f"{_units(combat['engaged'])} engage.", "own")
        page.lines(combat["lines"])
    page.heading(f"Strength of the target {answer['strength']} (26.461A)")
    page.lines(answer["strength_lines"])
    page.heading(f"Modifier of the bombers {signed(answer['net_modifier'])} (26.461B)")
    page.lines(answer["lines"])
    told = answer["quantities"]
    capped = "" if answer["value"] is None else f", {answer['value']} at most"
    rows_of(page, f"BRPs lost{capped}", told["brps_lost"])
    page.heading("Besides")
    if told["damage"] != told["brps_lost"]:
        line_of(page, "Damage before the cap", told["damage"], "foe")
    if any(int(markers) for markers in told["markers"]["chances"]):
        line_of(page, "Damage markers, unless the last is paid off (26.72A)", told["markers"], "foe")
    line_of(page, "Off the construction limit (26.71B)", told["construction_points"], "foe")
    page.say(f"Firestorm: {_fire(answer)}", "foe")
    line_of(page, "Bombers lost", told["bombers_eliminated"], "own")
    line_of(page, "Bombers turned back", told["bombers_aborted"], "own")
    if answer["air_combats"]:
        line_of(page, "Bombers that arrive", told["bombers_arriving"], "own")
        if any(answer["force"][group] for group in ("escort_aaf", "interceptors", "jets")):
            line_of(page, "Escorts lost", told["escorts_eliminated"], "own")
        line_of(page, "Defenders lost", told["defenders_eliminated"], "foe")
    if "resolved" in answer:
        _resolved(page, answer)


def _called(answer: Mapping[str, Any]) -> str:
    if answer["target"] == "another target":
        return f"a target in {answer['country']}"
    article = {"German objective": "a ", "Russian IC": "a "}.get(answer["target"], "")
    return f"{'the ' if answer['target'].endswith(' box') else article}{answer['target']}"


def _fire(answer: Mapping[str, Any]) -> str:
    if answer["firestorm_why"]:
        rule, why = answer["firestorm_why"]
        return f"never, {why} ({rule})."
    chance = Fraction(answer["firestorm"]["exact"])
    return f"{percent_in_table(chance)} (26.91)." if chance else "the damage cannot be enough (26.91)."


def _resolved(page: Page, answer: Mapping[str, Any]) -> None:
    came = answer["resolved"]
    page.heading("Dice")
    for combat in came["air_combats"]:
        modifier = combat["modifier"]
        page.say(f"The raid: {combat_told(combat['attacker_dice'], modifier, combat['attacker_result'])}.", "own")
        page.say(f"The defenders: {combat_told(combat['defender_dice'], -modifier, combat['defender_result'])}.", "foe")
        page.say(
            f"The raid loses {_units(combat['eliminated'])}, turned back: {_units(combat['aborted'])}; "
            f"the defenders lose {_units(combat['defenders_eliminated'])}.",
            "own",
        )
    modifier = answer["net_modifier"]
    if not came["bombers_arriving"]:
        page.say("No bomber arrives.", "own")
    else:
        page.say(
            f"{counted(came['bombers_arriving'], 'bomber')} at the target: "
            f"{combat_told(came['attacker_dice'], modifier, came['attacker_result'])}.",
            "own",
        )
        page.say(f"The target: {combat_told(came['defender_dice'], -modifier, came['defender_result'])}.", "foe")
    burns = "; a firestorm" if came["firestorm"] else ""
    markers = f", {counted(came['markers'], 'damage marker')}" if came["markers"] else ""
    page.say(
        f"In all: {came['brps_lost']} BRPs lost of {came['damage']} damage{markers}{burns}; "
        f"{counted(came['bombers_eliminated'], 'bomber')} lost, {came['bombers_aborted'] or 'none'} turned back."
    )
