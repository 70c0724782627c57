"""`flagplot odds`: what a battle will come to, before anybody is committed to it.

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from flagplot.api.battle_odds import odds as the_odds
from flagplot.api.battle_odds import read_doctrine, two_doctrines, world_of_game, world_of_setup
from flagplot.cli.command_options import (
    ENDING,
    OrderOfBattle,
    chosen_options,
    edition_option,
    refuse_changes,
    rulings_option,
)
from flagplot.cli.odds_told import tell
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.answers import in_percent
from flagplot.odds.cluster import spread_over
from flagplot.odds.drawing import drawing
from flagplot.odds.outcomes import ATTACKS
from flagplot.odds.sampling import ENGINES, MOST_BATTLES, WIDTH, uncounted
from flagplot.odds.what_if import without as line_out
from flagplot.odds.worlds import LARGER, NAVAL_BATTLE
from flagplot.play.game import Game
from flagplot.play.saves import load
from flagplot.play.wording import does
from flagplot.scenarios.loader import Scenario, load_scenario

BLANK = " "  # a belief in which nothing stands, which is not the same as none
DRAWN = ".svg"  # the only kind of picture
ENDED = "it was ended"
ATTACK = 0.05  # how narrow an interval of an attack must be, if nothing else is asked: those are fought slowly
WHICH = "which battle? flagplot {0} denmark-strait, for one; flagplot scenarios lists them all"


def odds(
    battle: Annotated[
        str | None,
        typer.Argument(
            metavar="BATTLE",
            help="A battle's name, a set-up (FILE.toml), or a saved game (FILE.flagplot).",
            show_default=False,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="axis|allies", help="As this side knows it.", show_default="as it is, both sides' secrets"
        ),
    ] = None,
    own: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your doctrine, a TOML file of numbers; see docs/doctrine.md.")
    ] = None,
    enemy: Annotated[Path | None, typer.Option(metavar="FILE", help="The enemy's doctrine.")] = None,
    belief: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What hidden groups hold, as you believe; see docs/odds.md.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="LINE", help="Leave a line out, such as allies:tactical, and see what that changes."),
    ] = None,
    width: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="How narrow the interval of the chance to win must be: 0.5% or 0.5. Of attacks, which nobody wins, the"
            " chances of ships and groups.",
            show_default="1%; 5% of attacks",
        ),
    ] = None,
    battles: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Fight so many battles at most.", show_default="ten million")
    ] = None,
    seed: Annotated[
        str, typer.Option(metavar="NUMBER", help="Which battles are fought; the same seed, the same ones.")
    ] = "0",
    order_of_battle: Annotated[
        OrderOfBattle | None, typer.Option(help="What each side knows at the start.", show_default="the scenario's")
    ] = None,
    option: Annotated[list[str] | None, rulings_option()] = None,
    edition: Annotated[str | None, edition_option()] = None,
    engine: Annotated[
        str,
        typer.Option(metavar="|".join(ENGINES), help="What fights them; compiled battles are the same, only faster."),
    ] = ENGINES[0],
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Spread them over the workers of a dask scheduler.")
    ] = None,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw it as well.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The odds of a battle: who wins, what becomes of each ship, what it costs.

    Both sides are played by the admiral, or by doctrines of your own. Control-C ends it with what it has.

    [bold]flagplot odds denmark-strait[/bold]

    [bold]flagplot odds midway --side allies --width 0.5%[/bold] is from what the United States know.

    [bold]flagplot odds six-groups --without allies:tactical[/bold] shows what codebreaking is worth.

    [bold]flagplot odds coral-sea --chart odds.svg --json > odds.json[/bold] draws it, and keeps all the figures.

    [bold]flagplot odds mygame.flagplot --side axis[/bold] goes on from where a saved game stands.
    """
    if battle is None:
        raise PlayerError(WHICH.format("odds"))
    found = the_battle(battle)
    who = the_side(side, found) if side is not None else None
    if who is None and (own or enemy or belief):
        raise PlayerError("--own, --enemy and --belief are a side's: say --side axis or --side allies")
    doctrines = two_doctrines(who, the_doctrine(own), the_doctrine(enemy))
    told = the_text(belief, "belief") or BLANK if belief else ""
    if isinstance(found, Game):
        if order_of_battle is not None or option:
            raise PlayerError("a saved game keeps the options and the order of battle it was begun with")
        refuse_changes(None, None, edition)
        world_of_game(found, None)  # there may be no battle at all, which is said first
        _can_be_one_sided(found.battle.kind, who)
        world, held = world_of_game(found, who, told)
    else:
        setup = found.setup.with_order_of_battle(order_of_battle.value) if order_of_battle else found.setup
        rulings = {**found.options, **chosen_options(option)}
        by = edition or found.edition
        _can_be_one_sided(setup.public.kind, who)
        world, held = world_of_setup(setup, by, rulings, side=who, belief=told, doctrines=doctrines)
    narrow = _width(width) if width is not None else ATTACK if world.battle.kind in ATTACKS else WIDTH
    about: dict[str, Any] = {
        "engine": engine,
        "side": who,
        "belief": held,
        "doctrines": doctrines,
        "seed": the_number(seed, "--seed", 2**64 - 1, least=0),
        "width": narrow,
        "most": the_number(battles, "--battles", MOST_BATTLES) if battles is not None else MOST_BATTLES,
    }
    line_out(world, without or ())  # what cannot be left out is found out before anything is fought
    if chart is not None:
        _check_chart(chart)
    before = None
    how_far = partial(_how_far, width=narrow, most=about["most"])
    with spread_over(cluster) if cluster is not None else nullcontext() as executor:
        about["executor"] = executor
        if without:
            steps = the_odds(world, **about)
            before = watched(steps, partial(how_far, what="with every line, "))
        if before is not None and before["why"].startswith(ENDED):
            answer, before = {**before, "why": f"{ENDED} before anything was left out"}, None
        else:
            steps = the_odds(world, leave_out=without or (), **about)
            answer = watched(steps, how_far)
    if chart is not None:
        _write_chart(chart, drawing(answer))
    if wants_json(json):
        print_json(answer if before is None else {**answer, "with_every_line": before})
        return
    tell(answer, before)
    if chart is not None:
        console().print(f"\nDrawn in {chart}.")


def _write_chart(path: Path, drawn: str) -> None:
    try:
        path.write_text(drawn, "utf-8")
    except OSError as trouble:
        raise PlayerError(f"the chart {path} could not be written: {trouble.strerror}") from None


def _check_chart(path: Path) -> None:
    """That a chart can be written is found out before anything is fought."""
    if path.suffix.lower() != DRAWN and not path.is_dir():
        raise PlayerError(f"a chart is drawn as SVG: call it {path.with_suffix(DRAWN)}, not {path}")
    there = path.exists()
    try:
        path.open("a").close()
        if not there:
            path.unlink()
    except OSError as trouble:
        raise PlayerError(f"the chart {path} could not be written: {trouble.strerror}") from None


def _can_be_one_sided(kind: str, side: Side | None) -> None:
    """What one side knows is told of naval battles; whoever asks it of an attack is told what there is instead."""
    if side is not None and kind not in (NAVAL_BATTLE, *LARGER):
        why = f"one side's odds are given for naval battles, not for this kind, {kind}"
        raise PlayerError(f"{why}: leave --side out, and there are odds with both sides' secrets")


# -- what is typed --------------------------------------------------------------------------------


def the_battle(text: str) -> Scenario | Game:
    """A saved game, or a battle by its name or from its file."""
    return load(Path(text)) if Path(text).suffix == ENDING else load_scenario(text)


def the_side(text: str, battle: Scenario | Game) -> Side:
    """A side as it was typed, or as it is called in the battle."""
    names = (battle.header if isinstance(battle, Game) else battle).setup.public.names
    wanted = text.strip().lower()
    for side, name in names.items():
        if wanted in (side.value, name.lower(), name.lower().removeprefix("the ")):
            return side
    known = " and ".join(f"{side.value} ({name})" for side, name in names.items())
    raise PlayerError(f"there is no side {text[:40]!r} here; there are {known}")


def the_text(path: Path, what: str) -> str:
    """What stands in a file."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        why = getattr(trouble, "strerror", None) or "it is not text"
        raise PlayerError(f"the {what} {path} could not be read: {why}") from None


def the_doctrine(path: Path | None) -> Doctrine:
    """The doctrine in a file; the admiral's without one."""
    if path is None:
        return Doctrine()
    text = the_text(path, "doctrine")
    try:
        return read_doctrine(text)
    except PlayerError as refusal:
        raise PlayerError(f"{path}: {refusal}") from None


def _width(text: str) -> float:
    """A percentage, with its sign or without; a comma is as good as a point."""
    try:
        share = float(text.strip().removesuffix("%").replace(",", ".")) / 100
    except ValueError:
        share = 0
    if not 0 < share <= 1:
        raise PlayerError(f"--width {text[:40]!r} will not do: write a percentage above 0 and up to 100, such as 0.5%")
    return share


def the_number(text: str, option: str, most: int, least: int = 1) -> int:
    """A whole number as it was typed."""
    digits = text.replace(",", "").replace("_", "").strip()
    if not digits.isdecimal() or len(digits) > 20 or not least <= int(digits) <= most:
        raise PlayerError(f"{option} {text[:40]!r} will not do: give a number from {least} to {most:,}")
    return int(digits)


# -- waiting ----------------------------------------------------------------------------------------


def watched(steps: Iterator[dict[str, Any]], how_far: Callable[[Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """The last answer; whoever sits at a terminal sees there how far it has come, wherever the answer goes, and may end it
    with what it has."""
    answer: dict[str, Any] = {}
    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[width]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    try:
        with closing(steps), shown:  # type: ignore[type-var]
            line = shown.add_task("fighting", total=None, width="")
            first = True
            for answer in steps:
                shown.update(line, refresh=first, **how_far(answer))
                first = False
    except KeyboardInterrupt:
        if not answer:
            raise
        why = f"{ENDED}; this is what had been fought{uncounted(answer.get('broken_off', 0))}"
        answer = {**answer, "last": True, "why": why}
    return answer


def _how_far(answer: Mapping[str, Any], width: float, most: int, what: str = "") -> dict[str, Any]:
    """The answer so far: who wins more often, how sure that is, after how many battles; and how much of the way is done, to
    the width or to the number that was asked. Four times the battles halve the interval."""
    win, wide = answer["win"], answer["width"]
    ahead = max(SIDES, key=lambda side: win[side]["chance"])
    told = f": {does(answer['sides'][ahead]['name'], 'win')} {in_percent(win[ahead])}" if answer["decisive"] else ""
    battles = f"{answer['battles']:,} battle{'' if answer['battles'] == 1 else 's'}"
    return {
        "description": f"{what}{battles}{told} ± {50 * wide:.1f}",
        "completed": 1.0 if answer["last"] else min(1.0, max((width / wide) ** 2, answer["battles"] / most)),
        "total": 1.0,
        "width": "",
    }
