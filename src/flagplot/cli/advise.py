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
from rich.padding import Padding
from rich.table import Table

from flagplot.api.battle_advice import NOTHING_ASKED, NUMBER, beside, world_to_advise
from flagplot.api.battle_advice import advise as the_advice
from flagplot.api.battle_odds import begun, two_doctrines, world_of_game
from flagplot.cli.command_options import chosen_options, edition_option, refuse_changes, rulings_option
from flagplot.cli.odds import BLANK, WHICH, the_battle, the_doctrine, the_number, the_side, the_text, watched
from flagplot.cli.odds_told import believed
from flagplot.cli.page import Page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError
from flagplot.odds.advisor import FACTORS, WIN
from flagplot.odds.choices import KINDS, choices
from flagplot.odds.sampling import ENGINES
from flagplot.odds.worlds import NAVAL_BATTLE
from flagplot.play.game import Game
from flagplot.play.wording import does, percent

USUAL = 2048  # battles for each pair of choices, if nothing else is asked
SECONDS = 15  # and no longer than that
SMALL = 0.005  # a share that is none


def advise(
    battle: Annotated[
        str | None,
        typer.Argument(
            metavar="BATTLE",
            help="A battle's name, a set-up (FILE.toml), or a saved game (FILE.flagplot).",
            show_default=False,
        ),
    ] = None,
    side: Annotated[
        str | None, typer.Option(metavar="axis|allies", help="Who chooses, from what he knows.", show_default=False)
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="CHOICE",
            help=f"What is chosen: {', '.join(KINDS)}.",
            show_default="what a saved game asks; else number",
        ),
    ] = None,
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

    [bold]flagplot advise pedestal --side axis --on number[/bold]

    [bold]flagplot advise midway --side allies --on patrol --value factors[/bold]

    [bold]flagplot advise calabria --side axis --on withdraw[/bold]

    [bold]flagplot advise mygame.flagplot --side axis[/bold] is on what a saved game asks of the axis now.
    """
    if battle is None:
        raise PlayerError(WHICH.format("advise"))
    if side is None:
        raise PlayerError("who is to be advised? say --side axis or --side allies")
    found = the_battle(battle)
    who = the_side(side, found)
    doctrines = two_doctrines(who, the_doctrine(own), the_doctrine(enemy))
    told = the_text(belief, "belief") or BLANK if belief else ""
    if isinstance(found, Game):
        refuse_changes(None, option, edition)
        game = found
        asked = game.decision(who)
        kind = on or (asked.kind if asked and asked.kind in KINDS else "")
        if not kind:
            world_of_game(game, who)  # there may be no battle at all, which is said first
            raise PlayerError(f"{NOTHING_ASKED}; --on {next(reversed(KINDS))} looks ahead, for one")
    else:
        kind, setup = on or NUMBER, found.setup
        rulings = {**found.options, **chosen_options(option)}
        if setup.public.kind != NAVAL_BATTLE:
            raise PlayerError(f"there is advice on naval battles, not on this kind, {setup.public.kind}")
        until = (who, kind) if kind == NUMBER else None
        game = begun(setup, edition or found.edition, rulings, doctrines, until)
        asked = game.decision(who)
    answers: tuple[dict[str, Any], ...] = ()
    if asked is not None and asked.kind == kind:
        world, held = world_to_advise(game, who, told, doctrines)
        answers = beside(game, who, doctrines[who], choices(world, who, kind))
    else:
        world, held = world_of_game(game, who, told)
    steps = the_advice(
        world,
        who,
        kind,
        belief=held,
        doctrines=doctrines,
        value=value,
        battles=the_number(battles, "--battles", 1_000_000) if battles is not None else USUAL,
        seed=the_number(seed, "--seed", 2**64 - 1, least=0),
        engine=engine,
        beside=answers,
    )
    if battles is None:
        steps = _for_a_while(steps)
    answer = watched(steps, _how_far)
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
    page.heading(f"{answer['title']}: {does(name, 'choose')}, {KINDS[answer['on']]}")
    page.say(
        f"{answer['battles']:,} battles, {answer['each']:,} for each pair of choices, seed {answer['seed']}; {answer['why']}.",
        style="quiet",
    )
    page.say(f"{answer['rules']}. {answer['note']}".strip(), style="quiet")
    believed(page, answer["belief"])
    if answer["same"]:
        page.say(
            f"In {answer['each']:,} battles of each pair it made next to no difference what is chosen: "
            f"it is worth {_worth(answer, answer['worth'])}{_how_counted(answer)}."
        )
        if answer["value"] != FACTORS:
            page.say("With --value factors there may be one.", style="quiet")
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column("choice")
    for heading in ("share", "costs", "if he knows it"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in sorted(answer["choices"], key=lambda row: (-row["share"]["is"], row["cost"]["is"])):
        means = f" (here: {row['means']})" if row.get("means") else ""
        table.add_row(
            f"{row['choice']}{means}",
            _share(row["share"]),
            _worth(answer, row["cost"]),
            _amount(answer, row["exploitable"]),
        )
    page.out.print(Padding(table, (1, 0, 1, 1)))
    page.say(f"So chosen it is worth {_worth(answer, answer['worth'])}{_how_counted(answer)}.")
    page.say(
        "share: how often to choose it, by chance; costs: what it gives away against an enemy who plays well; "
        "if he knows it: what is lost to one who knows that it is chosen; ±: one standard error.",
        style="quiet",
    )
    if len(answer["enemy"]) == 1:
        page.say("The enemy chooses nothing of the kind at the same time.")
        return
    page.say(
        "An enemy who knows the shares gains nothing by it, but for the luck of the sample: "
        f"{_amount(answer, answer['exploitable_by_chance'])}."
    )
    page.heading("What he should choose")
    likely = [row for row in answer["enemy"] if row["share"] >= SMALL]
    for row in sorted(likely, key=lambda row: -row["share"]):
        page.say(f"{row['choice']}: {percent(row['share'])}", "foe")


def _share(share: Mapping[str, float]) -> str:
    """How often to choose something, with its error."""
    told = percent(share["is"]) if share["is"] >= SMALL else "0 %" if share["error"] >= SMALL else "-"
    return f"{told} ±{100 * share['error']:.0f}" if share["error"] >= SMALL else told


def _how_counted(answer: Mapping[str, Any]) -> str:
    """What a worth is of."""
    if answer["value"] == FACTORS:
        return " factors, the enemy's sunk less one's own"
    return " of the battles won, one that nobody wins counting half"


def _amount(answer: Mapping[str, Any], amount: float) -> str:
    if answer["value"] == FACTORS:
        return f"{amount:.1f}".replace("-", "−")
    return f"{100 * amount:.1f} %"


def _worth(answer: Mapping[str, Any], told: Mapping[str, float]) -> str:
    """A worth with its error."""
    error = f"{told['error']:.1f}" if answer["value"] == FACTORS else f"{100 * told['error']:.1f}"
    return f"{_amount(answer, told['is'])} ±{error}"
