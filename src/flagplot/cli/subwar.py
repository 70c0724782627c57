"""`flagplot subwar`: submarine warfare in an SW box (24.6, 25): the modifier, the exact chances, what typed dice give.

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from flagplot import api
from flagplot.cli.chance_pages import combat_told, line_of, rows_of, signed_number, typed_dice
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
from flagplot.cli.typed import number
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, PACIFIC, UNITED_STATES
from flagplot.play.wording import counted, signed

MOST = 99
USUAL = {ATLANTIC: GERMANY, INDIAN_OCEAN: JAPAN, PACIFIC: UNITED_STATES}  # who attacks where, unless it is said

MODIFIERS = "What modifies it (25.6)"


def subwar(
    submarines: Annotated[str, a_number("Submarine factors that would fight.")],
    transports: Annotated[str, a_number("Transports in the SW box.")],
    box: Annotated[str, typer.Option(metavar="BOX", help="Atlantic, Indian Ocean or Pacific.")] = ATLANTIC,
    nation: Annotated[
        str | None,
        typer.Option(
            metavar="NATION", help="Whose submarines.", show_default="Germany; Japan; in the Pacific the United States"
        ),
    ] = None,
    turn: Annotated[
        str | None,
        typer.Option(metavar="TURN", help='"Fall 1942": how many may fight by then (25.13).', show_default="no limit"),
    ] = None,
    asw: Annotated[str | None, a_number("ASW factors against them; 0 unless said.")] = None,
    cves: Annotated[str | None, a_number("The defender's uninverted CVEs in the box; 0 unless said.")] = None,
    inverted_cves: Annotated[str | None, a_number("His inverted ones, which may only be lost.", RARE)] = None,
    torpedo: Annotated[
        str | None, a_number("Torpedo research of the attacker; 0 unless said, Japan's 1 (25.632).", MODIFIERS)
    ] = None,
    asw_research: Annotated[str | None, a_number("ASW research of the defender; 0 unless said.", MODIFIERS)] = None,
    air_range: Annotated[str | None, a_number("Air range results of the attacker; 0 unless said.", MODIFIERS)] = None,
    enemy_air_range: Annotated[str | None, a_number("And of the defender; 0 unless said.", MODIFIERS)] = None,
    port: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PORT",
            help="A port the attacker holds, fully supplied: Brest, Gibraltar, Colombo ... Several with commas.",
            show_default=False,
            rich_help_panel=MODIFIERS,
        ),
    ] = None,
    us_war: Annotated[
        str | None,
        a_number(
            "Which Axis combat phase of the war between Germany and the U.S. this is: 1, 2, 3 ... Unsaid: no war.",
            MODIFIERS,
        ),
    ] = None,
    us_back: Annotated[
        bool,
        typer.Option("--us-back", help="The U.S. has come back to the war: no happy time.", rich_help_panel=MODIFIERS),
    ] = False,
    ireland: Annotated[str | None, a_number("The diplomatic result in effect for Ireland.", MODIFIERS)] = None,
    cards: Annotated[str | None, a_number("Codebreaking cards for the submarines; 0 unless said.", MODIFIERS)] = None,
    enemy_cards: Annotated[str | None, a_number("And against them; 0 unless said.", MODIFIERS)] = None,
    advanced: Annotated[str | None, a_number("German advanced submarines besides (25.73).", RARE)] = None,
    elsewhere: Annotated[
        str | None, a_number("Japanese submarines that fight in the other box this turn.", RARE)
    ] = None,
    other: Annotated[
        str | None,
        typer.Option(
            metavar="OTHERS",
            help='Indian Ocean, Germans and Japanese at once (25.82): the others as "2 submarines, 1 ASW, +1".',
            show_default=False,
            rich_help_panel=RARE,
        ),
    ] = None,
    drm: Annotated[
        str | None, a_number("Naval Nationality DRM of the submarines, if not the chart's.", MODIFIERS)
    ] = None,
    enemy_drm: Annotated[str | None, a_number("And of the defender.", MODIFIERS)] = None,
    edition: RareEdition = "current",
    option: RareOption = None,
    roll: Annotated[str | None, dice_option("The dice, the submarines' first: what comes of them.")] = None,
    more: More = None,
    json: Json = False,
) -> None:
    """Submarine warfare: the modifier line by line, and the chance to sink 0, 1, 2 ... transports (24.6, 25).

    Both sides roll on the SW Combat Table. What the modifier adds to the submarines' roll it takes from the ASW's, and
    each point of it is a transport more, or one less for submarines that get through (24.64).

    [bold]flagplot subwar --submarines 6 --asw 3 --transports 35 --turn "Spring 1942" --port Brest --us-war 1[/bold]

    [bold]flagplot subwar --submarines 12 --asw 10 --transports 30 --cves 6 --torpedo 2 --asw-research 3
    --enemy-air-range 2 --us-war 7 --enemy-cards 2 --roll 4 3 5 2[/bold]

    [bold]flagplot subwar --box "Indian Ocean" --nation Japan --submarines 2 --asw 1 --transports 4 --port Colombo[/bold]
    """
    place = next((each for each in USUAL if each.lower() == " ".join(box.lower().split())), box)
    asked: dict[str, Any] = {
        "box": place,
        "attacker": nation or USUAL.get(place, GERMANY),
        "submarines": number(submarines, "--submarines", MOST),
        "transports": number(transports, "--transports", 999),
        "turn": turn,
        "asw": number(asw, "--asw", MOST),
        "uninverted_cves": number(cves, "--cves", MOST),
        "inverted_cves": number(inverted_cves, "--inverted-cves", MOST),
        "cves_of": "defender",
        "torpedo_attacker": number(torpedo, "--torpedo") if torpedo is not None else None,
        "asw_defender": number(asw_research, "--asw-research"),
        "air_range_attacker": number(air_range, "--air-range", 3),
        "air_range_defender": number(enemy_air_range, "--enemy-air-range", 3),
        "ports_controlled_and_fully_supplied": [
            name.strip() for each in port or [] for name in re.split("[,;]", each) if name.strip()
        ],
        "axis_combat_phases_since_war_began": number(us_war, "--us-war", MOST, 1) if us_war is not None else None,
        "us_reentry": us_back,
        "ireland_result": signed_number(ireland, "--ireland"),
        "codebreaking_cards": {
            "submarine": number(cards, "--cards", MOST),
            "asw": number(enemy_cards, "--enemy-cards", MOST),
        },
        "advanced": number(advanced, "--advanced", MOST),
        "submarines_elsewhere": number(elsewhere, "--elsewhere", MOST),
        "other": _others(other),
        "naval_drm_attacker": signed_number(drm, "--drm"),
        "naval_drm_defender": signed_number(enemy_drm, "--enemy-drm"),
    }
    rules = rules_chosen(edition, option)
    answer = api.call("submarine_odds", asked, dice=typed_dice(roll, more), **rules.beside)
    silent = {"ASW": asw, "CVEs": cves or inverted_cves, "codebreaking cards": cards or enemy_cards}
    research = "research" + (" but that of the start, torpedo 1 (25.632)" if answer["attacker"] == JAPAN else "")
    silent |= {research: torpedo or asw_research or air_range or enemy_air_range}
    if place == ATLANTIC:
        silent["war with the U.S."] = us_war
    assumed = [f"no {name}" for name, said in silent.items() if said is None]
    if wants_json(json):
        print_json({**answer, "assumed": assumed, **rules.beside})
        return
    _tell(asked, answer, assumed, rules)


def _others(text: str | None) -> dict[str, int] | None:
    """A second attacker: submarines, the ASW against it, its net modifier."""
    if text is None:
        return None
    found = re.fullmatch(
        r"\s*(\d{1,2})\s*(?:subs?|submarines?)?\s*[,;]\s*(\d{1,2})\s*(?:asw)?\s*(?:[,;]\s*([+-]?\d{1,2}))?\s*",
        text.replace("−", "-"),
        re.IGNORECASE,
    )
    if found is None:
        raise PlayerError(f'--other {text[:40]!r} will not do: write for example "2 submarines, 1 ASW, +1"')
    return {"submarines": int(found[1]), "asw": int(found[2]), "net_modifier": int(found[3] or 0)}


# -- what is told ---------------------------------------------------------------------------------


def _tell(asked: Mapping[str, Any], answer: Mapping[str, Any], assumed: Sequence[str], rules: Rules) -> None:
    page = Page(console())
    page.heading(f"Submarine warfare, {answer['box']} SW box (24.6, 25)")
    fighting = [counted(answer["submarines"], "submarine")]
    if answer["advanced"]:
        fighting.append(counted(answer["advanced"], "advanced submarine"))
    page.say(f"{answer['attacker']}: {' and '.join(fighting)}.", "own")
    wanted = asked["submarines"] + asked["advanced"]
    if answer["limit"] is not None and answer["limit"] < wanted:
        page.say(f"No more than {answer['limit']} of {wanted} may fight in {asked['turn']} (25.13).", "own")
    if asked["other"]:
        others = asked["other"]
        page.say(
            f"Besides: {counted(others['submarines'], 'submarine')} of the other power against {others['asw']} ASW, "
            f"modifier {signed(others['net_modifier'])} (25.82).",
            "own",
        )
    carriers = asked["uninverted_cves"] + asked["inverted_cves"]
    page.say(
        f"Against them: {counted(asked['transports'], 'transport')}, {asked['asw']} ASW, {counted(carriers, 'CVE')}.",
        "foe",
    )
    page.facts(assumed)
    page.say(rules.words, style="quiet")
    page.heading(
        f"Net modifier {signed(answer['net_modifier'])}, for the submarines; the ASW have its opposite (24.622)"
    )
    page.lines(answer["lines"])
    told = answer["quantities"]
    rows_of(page, "Transports sunk", told["transports_sunk"])
    page.heading("Besides")
    line_of(page, "Transports damaged", told["transports_damaged"], "foe")
    for name, title in (("asw_lost", "ASW lost"), ("cves_lost", "CVEs lost")):
        if told[name]["expected"]:
            line_of(page, title, told[name], "foe")
    line_of(page, "Submarines lost", told["submarines_eliminated"], "own")
    line_of(page, "Submarines turned back", told["submarines_aborted"], "own")
    if "resolved" in answer:
        _resolved(page, answer["resolved"])


def _resolved(page: Page, came: Mapping[str, Any]) -> None:
    page.heading("Dice")
    for combat in came["combats"]:
        modifier = combat["modifier"]
        attack = combat_told(combat["attacker_dice"], modifier, combat["attacker_result"])
        page.say(f"{combat['power']}: {attack}.", "own")
        if "defender_result" in combat:
            page.say(f"ASW: {combat_told(combat['defender_dice'], -modifier, combat['defender_result'])}.", "foe")
            page.say(
                f"{combat['submarines_eliminated']} lost, {combat['submarines_aborted']} turned back, "
                f"{combat['submarines_reaching_convoys']} through; transports besides: "
                f"{combat['additional_from_modifier']} for the modifier (24.64A), "
                f"{combat['additional_from_reaching']} for those that get through (24.64B).",
                "own",
            )
        else:
            page.say(f"Each also sinks a transport: {combat['additional_from_reaching']} (25.73).", "own")
    lost = [
        f"{counted(came['transports_sunk'], 'transport')} sunk",
        f"{came['transports_damaged'] or 'none'} damaged",
        f"{counted(came['submarines_eliminated'], 'submarine')} lost",
    ]
    if came["asw_lost"]:
        lost.append(f"{came['asw_lost']} ASW lost")
    if came["cves_lost"]:
        lost.append(f"{counted(came['cves_lost'], 'CVE')} lost")
    page.say(f"In all: {', '.join(lost)}.")
