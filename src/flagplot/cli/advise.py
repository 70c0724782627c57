"""`flagplot advise`: what to choose in secret, so that nobody can profit from guessing it.

The law here: a command reads what is typed, asks the odds and tells the answer. It knows no rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from flagplot.api.battle_advice import advise as the_advice
from flagplot.api.battle_advice import world_to_advise
from flagplot.api.battle_odds import two_doctrines, world_of_game, world_of_setup
from flagplot.cli.command_options import ENDING, chosen_options, edition_option, refuse_changes, rulings_option
from flagplot.cli.odds import BLANK, the_doctrine, the_number, the_text, watched
from flagplot.cli.page import Page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES
from flagplot.odds.advisor import FACTORS, WIN
from flagplot.odds.choices import KINDS
from flagplot.odds.sampling import ENGINES
from flagplot.play.saves import load
from flagplot.play.wording import percent
from flagplot.scenarios.loader import load_scenario

USUAL = 2048  # battles for each pair of choices, if nothing else is asked
SECONDS = 15  # and no longer than that


def advise(
    battle: Annotated[
        str,
        typer.Argument(
            metavar="BATTLE", help="A battle's name, a set-up (FILE.toml), or a saved game (FILE.flagplot)."
        ),
    ],
    side: Annotated[str, typer.Option(metavar="axis|allies", help="Who chooses, from what he knows.")],
    on: Annotated[str, typer.Option(metavar="|".join(KINDS), help="What is chosen.")] = "number",
    value: Annotated[
        str,
        typer.Option(metavar="win|factors", help="What counts: to win, or the enemy's factors sunk less your own."),
    ] = WIN,
    own: Annotated[Path | None, typer.Option(metavar="FILE", help="Your doctrine; see docs/doctrine.md.")] = None,
    enemy: Annotated[Path | None, typer.Option(metavar="FILE", help="The enemy's doctrine.")] = None,
    belief: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What hidden groups hold, as you believe; see docs/odds.md.")
    ] = None,
    battles: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help="Battles for each pair of choices.", show_default="2048, or what 15 seconds allow"
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="NUMBER", help="Which battles are fought.")] = "0",
    option: Annotated[list[str] | None, rulings_option()] = None,
    edition: Annotated[str | None, edition_option()] = None,
    engine: Annotated[str, typer.Option(metavar="|".join(ENGINES), help="What fights them.")] = ENGINES[0],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Advice on a secret choice: a mixture nobody can exploit, what each choice costs, and how sure that is.

    Choose by its shares, with dice: then it does not matter whether the enemy has guessed them.

    [bold]flagplot advise three-groups --side axis --on number[/bold]

    [bold]flagplot advise midway --side allies --on patrol --value factors[/bold]

    [bold]flagplot advise mygame.flagplot --side axis --on withdraw[/bold]
    """
    if side not in SIDES:
        raise PlayerError(f"there is no side {side[:40]!r}; there are {', '.join(SIDES)}")
    who = SIDES[side]
    doctrines = two_doctrines(who, the_doctrine(own), the_doctrine(enemy))
    told = the_text(belief, "belief") or BLANK if belief else ""
    if Path(battle).suffix == ENDING:
        refuse_changes(None, option, edition)
        game = load(Path(battle))
        asked = game.decision(who)
        if asked is not None and asked.kind == on:
            world, held = world_to_advise(game, who, told, doctrines)
        else:
            world, held = world_of_game(game, who, told)
    else:
        scenario = load_scenario(battle)
        world, held = world_of_setup(
            scenario.setup,
            edition or scenario.edition,
            {**scenario.options, **chosen_options(option)},
            side=who,
            belief=told,
            doctrines=doctrines,
        )
    steps = the_advice(
        world,
        who,
        on,
        belief=held,
        doctrines=doctrines,
        value=value,
        battles=the_number(battles, "--battles", 1_000_000) if battles else USUAL,
        seed=the_number(seed, "--seed", 2**64 - 1, least=0),
        engine=engine,
    )
    if not battles:
        steps = _for_a_while(steps)
    answer = watched(steps, _how_far, quiet=wants_json(json))
    if not answer["choices"]:
        raise PlayerError("it was ended before every pair of choices had been fought: there is no advice yet")
    if wants_json(json):
        print_json(answer)
        return
    _tell(answer, world.battle.fleets[who].name)


def _for_a_while(steps: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Advice as good as it gets in a few seconds, but some."""
    until = time.monotonic() + SECONDS
    for answer in steps:
        if answer["last"] or not answer["choices"] or time.monotonic() < until:
            yield answer
        else:
            why = f"{SECONDS} seconds were fought, in which every pair was fought {answer['each']:,} times"
            yield answer | {"last": True, "why": f"{why}; --battles asks for more"}
            return


def _how_far(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The advice so far: what is chosen most often."""
    best = max(answer["choices"], key=lambda row: row["share"]["is"], default=None)
    told = f": {shorten(best['choice'], 36, placeholder=' …')} {percent(best['share']['is'])}" if best else ""
    return {
        "description": f"{answer['battles']:,} battles{told}",
        "completed": answer["battles"],
        "total": answer["of"],
        "width": f"{answer['each']:,} for each pair",
    }


def _tell(answer: Mapping[str, Any], name: str) -> None:
    page = Page(console())
    page.heading(f"{answer['title']}: {name} chooses, {KINDS[answer['on']]}")
    page.say(f"{answer['battles']:,} battles, seed {answer['seed']}; {answer['why']}.", style="quiet")
    page.say(f"{answer['rules']}. {answer['note']}".strip(), style="quiet")
    for group in answer["belief"]:
        page.say(f"Believed: enemy CG{group['number']} is {group['holds']}.", style="quiet")
    if answer["same"]:
        page.say(f"Whatever is chosen comes to the same: it is worth {_worth(answer, answer['worth'])}.")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("choice")
    for heading in ("share", "costs", "if he knows it"):
        table.add_column(heading, justify="right")
    for row in sorted(answer["choices"], key=lambda row: (-row["share"]["is"], row["cost"]["is"])):
        share = percent(row["share"]["is"]) if row["share"]["is"] >= 0.005 else "-"
        table.add_row(row["choice"], share, _worth(answer, row["cost"]), _amount(answer, row["exploitable"]))
    page.out.print(table)
    page.say(f"So chosen it is worth {_worth(answer, answer['worth'])}.")
    page.say(
        f"An enemy who knows the shares gains nothing by it, but for chance: {_amount(answer, answer['exploitable_by_chance'])}."
    )
    likely = [row for row in answer["enemy"] if row["share"] >= 0.005]
    if len(answer["enemy"]) > 1:
        page.heading("What he should choose")
        for row in sorted(likely, key=lambda row: -row["share"]):
            page.say(f"{row['choice']}: {percent(row['share'])}", "foe")


def _amount(answer: Mapping[str, Any], amount: float) -> str:
    if answer["value"] == FACTORS:
        return f"{amount:.1f}"
    return f"{100 * amount:.1f} %"


def _worth(answer: Mapping[str, Any], told: Mapping[str, float]) -> str:
    """A worth with its error."""
    error = f"{told['error']:.1f}" if answer["value"] == FACTORS else f"{100 * told['error']:.1f}"
    return f"{_amount(answer, told['is'])} ±{error}"
