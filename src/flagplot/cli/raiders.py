"""`flagplot raiders`: raiding groups in an SW box (21.53, 22.35): who meets them, what free ones sink, typed dice.

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer

from flagplot import api
from flagplot.api.chances import exact
from flagplot.api.raider_odds import hunters_called
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
from flagplot.cli.typed import number
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN
from flagplot.play.wording import counted, percent_in_table, signed

MOST = 99

MODIFIERS = "What modifies the die (21.5342)"


def raiders(
    group: Annotated[
        list[str],
        typer.Option(
            metavar="GROUP",
            help='A raiding group: "2 ships, 8 factors", "Graf Spee: 1 ship, 2 factors". Once for each, in the order they '
            "are resolved.",
            show_default=False,
        ),
    ],
    box: Annotated[str, typer.Option(metavar="BOX", help="Atlantic, Indian Ocean or Pacific.")] = ATLANTIC,
    nation: Annotated[str, typer.Option(metavar="NATION", help="Germany, Italy or Japan.")] = GERMANY,
    transports: Annotated[str | None, a_number("Transports in the SW box; 0 unless said.")] = None,
    air_range: Annotated[str | None, a_number("The defender's air range results; 0 unless said.", MODIFIERS)] = None,
    cves: Annotated[str | None, a_number("His uninverted CVEs in the box; 0 unless said.", MODIFIERS)] = None,
    squadrons: Annotated[
        str | None,
        a_number("His operational search squadrons in the India or Australia box; 0 unless said.", MODIFIERS),
    ] = None,
    us_war: Annotated[
        bool, typer.Option("--us-war", help="Germany and the U.S. are at war.", rich_help_panel=MODIFIERS)
    ] = False,
    singapore: Annotated[
        bool, typer.Option("--singapore", help="Japanese raiders based in Singapore.", rich_help_panel=MODIFIERS)
    ] = False,
    southern_edge: Annotated[
        bool,
        typer.Option(
            "--southern-edge", help="Japanese raiders that went off the southern edge.", rich_help_panel=MODIFIERS
        ),
    ] = False,
    cards: Annotated[str | None, a_number("Codebreaking cards for the raiders; 0 unless said.", MODIFIERS)] = None,
    enemy_cards: Annotated[str | None, a_number("And against them; 0 unless said.", MODIFIERS)] = None,
    hunters: Annotated[
        str | None,
        typer.Option(
            metavar="SHIPS",
            help='What the defender has in the box, in the order he would send it: "3 cruisers, 1 5-factor BB, 1 CV".',
            show_default="all that is called for",
            rich_help_panel=RARE,
        ),
    ] = None,
    drm: Annotated[str | None, a_number("Naval Nationality DRM of the raiders, if not the chart's.", RARE)] = None,
    enemy_drm: Annotated[str | None, a_number("And of the transports.", RARE)] = None,
    edition: RareEdition = "current",
    option: RareOption = None,
    roll: Annotated[str | None, dice_option("The dice, group by group: what comes of them.")] = None,
    more: More = None,
    json: Json = False,
) -> None:
    """Raiders: the chance that 0, 1, 2 ... ships meet each group, and what groups that nobody meets sink (21.53).

    One die for each group, with its modifiers: so many ships meet it. A group that is met must fight first (22.35); then
    flagplot engage takes over, and what it sinks afterwards is not counted here.

    [bold]flagplot raiders --group "2 ships, 8 factors" --transports 35 --cves 3[/bold]

    [bold]flagplot raiders --group "Bismarck: 2 ships, 7 factors" --group "3 ships, 9 factors" --transports 30
    --air-range 1 --us-war --enemy-cards 1 --hunters "3 cruisers, 1 5-factor BB, 1 CV"[/bold]

    [bold]flagplot raiders --box "Indian Ocean" --nation Japan --singapore --squadrons 1 --group "3 ships, 6 factors"
    --transports 4 --roll 1 6 3[/bold]
    """
    asked: dict[str, Any] = {
        "box": box,
        "nation": nation,
        "groups": [_group(each) for each in group],
        "transports": number(transports, "--transports", 999),
        "defender_air_range": number(air_range, "--air-range", 3),
        "cves": number(cves, "--cves", MOST),
        "search_squadrons": number(squadrons, "--squadrons", MOST),
        "us_at_war_with_germany": us_war,
        "from_singapore": singapore,
        "off_southern_edge": southern_edge,
        "cards": number(cards, "--cards", MOST),
        "defender_cards": number(enemy_cards, "--enemy-cards", MOST),
        "hunters": hunters_called(hunters) if hunters is not None else None,
        "raiders_drm": signed_number(drm, "--drm"),
        "transports_drm": signed_number(enemy_drm, "--enemy-drm"),
    }
    rules = rules_chosen(edition, option)
    answer = api.call("raider_odds", asked, dice=typed_dice(roll, more), **rules.beside)
    silent = {
        "transports": transports,
        "CVEs": cves,
        "air range": air_range,
        "codebreaking cards": cards or enemy_cards,
    }
    if answer["box"] == INDIAN_OCEAN or southern_edge:
        silent["search squadrons"] = squadrons
    assumed = [f"no {name}" for name, said in silent.items() if said is None]
    if answer["box"] == ATLANTIC and not us_war:
        assumed.append("no war with the U.S.")
    if hunters is None:
        assumed.append("every ship that is called for is there")
    if wants_json(json):
        print_json({**answer, "assumed": assumed, **rules.beside})
        return
    _tell(answer, assumed, rules, asked["transports"], hunters is not None)


# -- what is typed --------------------------------------------------------------------------------


def _group(text: str) -> dict[str, Any]:
    name, _, rest = text.rpartition(":")
    ships = re.search(r"(\d{1,2})\s*ships?", rest.lower())
    factors = re.search(r"(\d{1,2})\s*(?:fire\s*)?factors?", rest.lower())
    left = re.sub(r"\d{1,2}\s*(?:ships?|(?:fire\s*)?factors?)|[\s,;]|and", "", rest.lower())
    if left or not (ships or factors):
        raise PlayerError(
            f'--group {text[:40]!r} will not do: write for example "2 ships, 8 factors" or "Scheer: 1 ship, 2 factors"'
        )
    return {
        "name": name.strip(),
        "ships": int(ships[1]) if ships else 1,
        "factors": int(factors[1]) if factors else 0,
    }


# -- what is told ---------------------------------------------------------------------------------


def _tell(
    answer: Mapping[str, Any], assumed: Sequence[str], rules: Rules, transports: int, listed_hunters: bool
) -> None:
    page = Page(console())
    page.heading(f"Raiders of {answer['nation']}, {answer['box']} SW box (21.53)")
    page.facts(assumed)
    page.say(rules.words, style="quiet")
    for group in answer["groups"]:
        factors = f", {counted(group['factors'], 'fire factor')}" if group["factors"] else ""
        page.heading(
            f"{group['name']}, {counted(group['ships'], 'ship')}{factors}: the die {signed(group['modifier'])} (21.5342)"
        )
        page.lines(group["lines"])
        rows_of(page, "Ships that engage it", group["engaging"])
    page.heading("Who they are (21.5342)")
    first = answer["first_hunter"]
    how = f"The first ship is a {first}; a die for each further one" if first else "A die for each one"
    kinds = "; ".join(f"{die}: {' or '.join(kinds)}" for die, kinds in answer["types"].items())
    page.say(f"{how}: {kinds}.")
    if listed_hunters:
        page.say("Kinds that are not there are lost (SR-43); of several, the first you listed goes.", style="quiet")
    told = answer["quantities"]
    if len(answer["groups"]) > 1:
        line_of(page, "Groups engaged", told["groups_engaged"], "own")
    if transports and any(group["factors"] for group in answer["groups"]):
        page.heading(f"Fire at transports: modifier {signed(answer['fire_modifier'])} (22.552B)")
        page.lines(answer["fire_lines"])
        rows_of(page, "Transports sunk by groups that nobody engages (22.35E)", told["transports_sunk"])
        free = exact(told["groups_engaged"]).get(len(answer["groups"]), Fraction(0))
        page.say(
            f"All groups are engaged in {percent_in_table(free)}; what an engaged group sinks after its battle is not counted.",
            style="quiet",
        )
    if "resolved" in answer:
        _resolved(page, answer)


def _resolved(page: Page, answer: Mapping[str, Any]) -> None:
    page.heading("Dice")
    for group in answer["resolved"]["groups"]:
        met = counted(group["ships_engaging"], "ship")
        called = f" of {group['ships_called']} called for" if group["ships_called"] != group["ships_engaging"] else ""
        meet = "meets" if group["ships_engaging"] == 1 else "meet"
        page.say(f"{group['name']}: {group['die']}, modified {group['modified_roll']}: {met}{called} {meet} it.", "own")
        if group["fire_dice"]:
            fire = combat_told(
                group["fire_dice"], answer["fire_modifier"], f"{counted(group['transports_sunk'], 'transport')} sunk"
            )
            page.say(f"Its fire: {fire}.", "own")
    page.say(f"In all: {counted(answer['resolved']['transports_sunk'], 'transport')} sunk by groups that nobody met.")
