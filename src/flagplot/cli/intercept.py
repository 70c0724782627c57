"""`flagplot intercept`: the dice of naval interceptions, the chance of each round, and what typed dice come to (22.2).

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from flagplot import api
from flagplot.cli.chance_pages import typed_dice
from flagplot.cli.command_options import Edition, Json, More, Option, Rules, a_number, dice_option, rules_chosen
from flagplot.cli.page import Page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.cli.typed import number
from flagplot.core.errors import PlayerError
from flagplot.model.interception import ACTIVITIES
from flagplot.play.wording import counted, hexes, percent_in_table, rolled

MOST = 99
COLUMNS = 5  # rounds with a column of their own
ALIASES = {"nr": "naval redeployment", "carriers": "fast carrier mission", "supply line": "sea supply"}
LEVELS = {"": "interception", "counter": "counter-interception", "counter-counter": "counter-counter-interception"}
PLACES = {"elsewhere": "elsewhere", "interception": "interception hex", "counter": "counter-interception hex"}
KINDS = {
    **dict.fromkeys(("tf", "tfs", "force"), "TF"),
    **dict.fromkeys(("loose", "ships"), "loose"),
    **dict.fromkeys(("submarine", "sub"), "submarine"),
}
LIGHT = ("light", "cruisers", "destroyers")


def intercept(
    force: Annotated[
        list[str],
        typer.Option(
            metavar="FORCE",
            help='Who intercepts, and how many hexes off by its path: "12", "Home Fleet: slow TF 12", "cruisers 9", '
            '"loose ships 7", "submarine 4". Once for each.',
            show_default=False,
        ),
    ],
    activity: Annotated[
        str | None,
        typer.Option(
            metavar="ACTIVITY",
            help=f"What is intercepted: {', '.join(ACTIVITIES)}.",
            show_default="base change; interception, where it is countered",
        ),
    ] = None,
    task_forces: Annotated[str | None, a_number("TFs in the intercepted force; 0 unless said.")] = None,
    theatre: Annotated[str, typer.Option(help="Europe or Pacific.")] = "Europe",
    cargo: Annotated[
        bool | None,
        typer.Option("--cargo/--no-cargo", help="It carries cargo, or none.", show_default="by its kind"),
    ] = None,
    returning: Annotated[bool, typer.Option("--returning", help="It is on its way home.")] = False,
    staying: Annotated[bool, typer.Option("--staying", help="A patrol that tries to stay in its patrol hex.")] = False,
    spotters: Annotated[str | None, a_number("Squadrons that spot it; 0 unless said.")] = None,
    submarines: Annotated[str | None, a_number("Submarines within three hexes that assist; 0 unless said.")] = None,
    ground: Annotated[str | None, a_number("Ground factors defending the invasion hex; 0 unless said.")] = None,
    cards: Annotated[str | None, a_number("The interceptor's strategic cards for interception; 0 unless said.")] = None,
    enemy_cards: Annotated[str | None, a_number("And his opponent's; 0 unless said.")] = None,
    level: Annotated[
        str, typer.Option(metavar="LEVEL", help="counter or counter-counter.", show_default="interception")
    ] = "",
    place: Annotated[
        str,
        typer.Option(metavar="PLACE", help="Where it is countered: elsewhere, or in the interception or counter hex."),
    ] = "elsewhere",
    factors: Annotated[
        str | None, a_number("Naval factors of the intercepted force, for 2008; not under ten unless said.")
    ] = None,
    invasion_hex: Annotated[
        bool, typer.Option("--invasion-hex", help="It is intercepted where it invades or bombards, for 2008.")
    ] = False,
    edition: Edition = "current",
    option: Option = None,
    roll: Annotated[str | None, dice_option("The dice, force by force: what comes of them.")] = None,
    more: More = None,
    json: Json = False,
) -> None:
    """Dice for naval interceptions with every modifier, and the chance to arrive in round 1, 2, 3 ... (22.2).

    Forces that try at once are named at once: they cost each other dice, and late ones need somebody in time.

    [bold]flagplot intercept --activity "sea transport" --task-forces 1 --force 12[/bold]

    [bold]flagplot intercept --activity invasion --task-forces 3 --ground 2 --spotters 4 --force "Home Fleet: slow TF 20"
    --force "cruisers 9" --force "submarine 4"[/bold]

    [bold]flagplot intercept --theatre Pacific --activity carriers --task-forces 2 --spotters 1 --force "TF 9"
    --roll 4 3 2 5 3[/bold]
    """
    asked: dict[str, Any] = {
        "theatre": theatre,
        "target": {
            "activity": _activity(activity if activity is not None else "interception" if level else "base change"),
            "task_forces": number(task_forces, "--task-forces", MOST),
            "returning": returning,
            "staying": staying,
            "cargo": cargo,
            "factors": None if factors is None else number(factors, "--factors", MOST),
            "in_invasion_hex": invasion_hex,
        },
        "forces": _forces(force),
        "spotters": number(spotters, "--spotters", MOST),
        "submarines": number(submarines, "--submarines", MOST),
        "ground_factors": number(ground, "--ground", MOST),
        "cards": number(cards, "--cards", MOST),
        "enemy_cards": number(enemy_cards, "--enemy-cards", MOST),
        "level": _word(level, LEVELS, "--level"),
        "place": _word(place, PLACES, "--place"),
    }
    rules = rules_chosen(edition, option)
    odds = api.call("intercept_odds", asked, **rules.beside)
    came: dict[str, Any] = {}
    if roll is not None or more:
        dice = typed_dice(roll, more)
        came = api.call("interception", asked, dice=dice, **rules.beside)
        extra = dice[came["dice_used"] :]
        if extra:
            raise PlayerError(f"the dice {' '.join(map(str, extra))} are too many: {came['dice_used']} are rolled")
    invasion = asked["target"]["activity"] == "seaborne invasion" and not returning
    silent = {
        "TFs in the intercepted force": task_forces,
        "squadrons spotting": spotters,
        "submarines assisting": submarines,
        "ground factors": ground if invasion else "none can be",
        "strategic cards": cards or enemy_cards,
    }
    assumed = [f"no {name}" for name, said in silent.items() if said is None]
    if wants_json(json):
        print_json({**odds, **({"resolved": came} if came else {}), "assumed": assumed, **rules.beside})
        return
    _tell(asked, odds, came, assumed, rules)


# -- what is typed --------------------------------------------------------------------------------


def _activity(text: str) -> str:
    said = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    known = {name.lower(): name for name in ACTIVITIES} | ALIASES
    if said in known:
        return known[said]
    like = [name for key, name in known.items() if said and said in key]
    if len(set(like)) == 1:
        return like[0]
    raise PlayerError(f"there is no activity {text[:40]!r}; there are {', '.join(ACTIVITIES)}")


def _word(text: str, words: Mapping[str, str], option: str) -> str:
    said = text.strip().lower()
    for short, whole in words.items():
        if said in (short, whole):
            return whole
    raise PlayerError(f"{option} {text[:40]!r} will not do: there are {', '.join(filter(None, words))}")


def _forces(typed: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for index, text in enumerate(typed, start=1):
        name, colon, rest = text.rpartition(":")
        words = re.findall(r"[a-z]+|\d+", rest.lower())
        numbers = [word for word in words if word.isdigit()]
        strange = [word for word in words if not word.isdigit() and word not in (*KINDS, *LIGHT, "slow", "fast", "and")]
        if len(numbers) != 1 or strange or len(numbers[0]) > 3:
            raise PlayerError(
                f"--force {text[:40]!r} will not do: write the hexes of its path, and what it is if not a fast TF, as in "
                '"12", "Home Fleet: slow TF 12", "cruisers 9", "submarine 4"'
            )
        kinds = [KINDS[word] for word in words if word in KINDS]
        light = any(word in LIGHT for word in words)
        kind = kinds[0] if kinds else ("loose" if light and "light" not in words else "TF")
        found.append(
            {
                "id": name.strip() if colon else f"{_called(kind)} {index}",
                "distance": int(numbers[0]),
                "kind": kind,
                "slow": "slow" in words,
                "ships": ["CA", "DD"] if light else [],
            }
        )
    return found


def _called(kind: str) -> str:
    return {"TF": "TF", "loose": "Ships", "submarine": "Submarine"}[kind]


# -- what is told ---------------------------------------------------------------------------------


def _tell(
    asked: Mapping[str, Any],
    odds: Mapping[str, Any],
    came: Mapping[str, Any],
    assumed: Sequence[str],
    rules: Rules,
) -> None:
    page = Page(console())
    target = asked["target"]
    page.heading(f"{asked['level'].capitalize()} (22.2)")
    home = " on its way home" if target["returning"] else ""
    page.say(f"Intercepted: {target['activity']} with {counted(target['task_forces'], 'TF')}{home}.", "foe")
    page.facts(assumed)
    page.say(rules.words, style="quiet")
    for name, force in odds["forces"].items():
        dice = "no dice" if not force["dice"] else f"{force['dice']} {'die' if force['dice'] == 1 else 'dice'}"
        why = f": {force['why']}" if force["why"] else ""
        page.heading(f"{name}, {hexes(force['needed'])} off: {dice}{why}")
        if force["lines"]:
            page.lines(force["lines"])
    page.heading("Chance to enter naval combat in round")
    page.out.print(_chances(odds))
    battle = Fraction(odds["naval_combat"]["exact"])
    exact = f" ({battle})" if 0 < battle < 1 and battle.denominator < 10_000 else ""
    page.say(f"A surface force is in time: {percent_in_table(battle) if battle else 'never'}{exact}.")
    if came:
        page.heading("Dice")
        for name, force in came["forces"].items():
            page.say(f"{name}: {_outcome(force)}.", "own")


def _chances(odds: Mapping[str, Any]) -> Table:
    """A line a force: dice, hexes, each round, and never; rounds beyond the last column together."""
    rounds = sorted({int(entry) for force in odds["forces"].values() for entry in force["rounds"]}) or [1]
    shown = list(range(1, min(rounds[-1], COLUMNS) + 1))
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("force")
    later = [f"{COLUMNS + 1}+"] if rounds[-1] > COLUMNS else []
    for heading in ("dice", "hexes", *map(str, shown), *later, "never"):
        table.add_column(heading, justify="right")
    for name, force in odds["forces"].items():
        exact = {int(entry): Fraction(each["exact"]) for entry, each in force["rounds"].items()}
        row = [percent_in_table(exact.get(entry, Fraction(0))) for entry in shown]
        if later:
            row.append(
                percent_in_table(sum((chance for entry, chance in exact.items() if entry > COLUMNS), Fraction(0)))
            )
        never = percent_in_table(Fraction(force["never"]["exact"]))
        table.add_row(name, str(force["dice"]), str(force["needed"]), *row, never)
    return table


def _outcome(force: Mapping[str, Any]) -> str:
    """What came of a force's dice, in a clause."""
    if not force["dice"]:
        return str(force["why"])
    halved = "" if force["result_after_theatre"] == force["total"] else f", halved {force['result_after_theatre']}"
    entry = f": round {force['arrival_round']}" if force["arrival_round"] else ""
    return f"{rolled(force['rolled'])}{halved} against {hexes(force['needed'])}{entry}, {force['why']}"
