"""`flagplot odds`: what a battle will come to, before anybody is committed to it.

The law here: a command reads what is typed, asks the public API and tells the answer. It knows no rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

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
from flagplot.cli.page import Page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.answers import FATES, GROUPS, digits_for
from flagplot.odds.cluster import spread_over
from flagplot.odds.drawing import drawing
from flagplot.odds.sampling import ENGINES, MOST_BATTLES
from flagplot.play.saves import load
from flagplot.play.wording import percent
from flagplot.scenarios.loader import load_scenario

BARS = 24
BLANK = " "  # a belief in which nothing stands, which is not the same as none
OFTEN = {"half of them": 0.5, "one of ten": 0.1}
STYLES = {"axis": "foe", "allies": "own"}


def odds(
    battle: Annotated[
        str,
        typer.Argument(
            metavar="BATTLE", help="A battle's name, a set-up (FILE.toml), or a saved game (FILE.flagplot)."
        ),
    ],
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
        list[str] | None, typer.Option(metavar="LINE", help="Leave a line out, such as allies:research:radar.")
    ] = None,
    width: Annotated[
        str, typer.Option(metavar="PERCENT", help="How narrow the interval of the chance to win must be.")
    ] = "1%",
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

    [bold]flagplot odds midway --without allies:research:radar[/bold] shows what radar is worth.

    [bold]flagplot odds mygame.flagplot --side axis --chart odds.svg[/bold]
    """
    who = _side(side)
    if who is None and (own or enemy or belief):
        raise PlayerError("--own, --enemy and --belief are a side's: say --side axis or --side allies")
    doctrines = two_doctrines(who, the_doctrine(own), the_doctrine(enemy))
    told = the_text(belief, "belief") or BLANK if belief else ""
    if Path(battle).suffix == ENDING:
        if order_of_battle is not None or option:
            raise PlayerError("a saved game keeps the options and the order of battle it was begun with")
        refuse_changes(None, None, edition)
        world, held = world_of_game(load(Path(battle)), who, told)
    else:
        scenario = load_scenario(battle)
        setup = scenario.setup.with_order_of_battle(order_of_battle.value) if order_of_battle else scenario.setup
        rulings = {**scenario.options, **chosen_options(option)}
        by = edition or scenario.edition
        world, held = world_of_setup(setup, by, rulings, side=who, belief=told, doctrines=doctrines)
    if chart is not None:
        _check_chart(chart)
    with spread_over(cluster) if cluster else nullcontext() as executor:
        steps = the_odds(
            world,
            engine=engine,
            executor=executor,
            belief=held,
            doctrines=doctrines,
            leave_out=without or (),
            seed=the_number(seed, "--seed", 2**64 - 1, least=0),
            width=_width(width),
            most=the_number(battles, "--battles", MOST_BATTLES) if battles else MOST_BATTLES,
        )
        answer = watched(steps, _how_far, quiet=wants_json(json))
    if chart is not None:
        _write_chart(chart, drawing(answer))
    if wants_json(json):
        print_json(answer)
        return
    _tell(answer, who)
    if chart is not None:
        console().print(f"\nDrawn in {chart}.")


def _write_chart(path: Path, drawn: str) -> None:
    try:
        path.write_text(drawn, "utf-8")
    except OSError as trouble:
        raise PlayerError(f"the chart {path} could not be written: {trouble.strerror}") from None


def _check_chart(path: Path) -> None:
    """That a chart can be written is found out before anything is fought."""
    there = path.exists()
    try:
        path.open("a").close()
        if not there:
            path.unlink()
    except OSError as trouble:
        raise PlayerError(f"the chart {path} could not be written: {trouble.strerror}") from None


# -- what is typed --------------------------------------------------------------------------------


def _side(text: str | None) -> Side | None:
    if text is None or text in SIDES:
        return SIDES[text] if text else None
    raise PlayerError(f"there is no side {text[:40]!r}; there are {', '.join(SIDES)}")


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
    try:
        return read_doctrine(the_text(path, "doctrine"))
    except PlayerError as refusal:
        raise PlayerError(f"{path}: {refusal}") from None


def _width(text: str) -> float:
    """A percentage, with its sign or without."""
    try:
        share = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        share = 0
    if not 0 < share <= 1:
        raise PlayerError(f"--width {text[:40]!r} will not do: write a percentage above 0, such as 0.5%")
    return share


def the_number(text: str, option: str, most: int, least: int = 1) -> int:
    """A whole number as it was typed."""
    digits = text.replace(",", "").replace("_", "").strip()
    if not digits.isdecimal() or len(digits) > 20 or not least <= int(digits) <= most:
        raise PlayerError(f"{option} {text[:40]!r} will not do: give a number from {least} to {most:,}")
    return int(digits)


# -- waiting ----------------------------------------------------------------------------------------


def watched(
    steps: Iterator[dict[str, Any]], how_far: Callable[[Mapping[str, Any]], dict[str, Any]], *, quiet: bool
) -> dict[str, Any]:
    """The last answer; people see how far it has come, and may end it with what it has."""
    answer: dict[str, Any] = {}
    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[width]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=quiet or not sys.stderr.isatty(),
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
        answer = {**answer, "last": True, "why": "it was ended; this is what had been fought"}
    return answer


def _how_far(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer so far: who wins more often, how sure that is, and after how many battles."""
    win = answer["win"]
    ahead = max(SIDES, key=lambda side: win[side]["chance"])
    reach = max(each["high"] - each["low"] for each in win.values())
    told = f"{answer['sides'][ahead]['name']} wins {percent(win[ahead]['chance'])} ± {50 * reach:.1f}"
    return {"description": f"{answer['battles']:,} battle{'s' if answer['battles'] > 1 else ''}: {told}", "width": ""}


# -- what is told -----------------------------------------------------------------------------------


def _tell(answer: Mapping[str, Any], side: Side | None) -> None:
    page = Page(console())
    page.heading(answer["title"])
    whose = f"As {answer['sides'][side.value]['name']} knows it" if side else "As it is, with both sides' secrets"
    page.say(f"{whose}; {answer['battles']:,} battles, seed {answer['seed']}; {answer['why']}.", style="quiet")
    for group in answer["belief"]:
        page.say(f"Believed: enemy CG{group['number']} is {group['holds']}.", style="quiet")
    page.heading("Who wins")
    for who, win in answer["win"].items():
        name = answer["sides"][who]["name"] if who in answer["sides"] else "nobody"
        if win["chance"] or who in answer["sides"]:
            page.out.print(_bar(name, win, STYLES.get(who, "quiet")))
    page.say(f"After {answer['rounds']['average']:.1f} rounds on the average.")
    for who in SIDES:
        _side_told(page, answer["sides"][who], STYLES[who])
    _joint(page, answer)
    if answer["lines"]:
        page.heading("Lines that bear on it; leave one out with --without")
        for line in answer["lines"]:
            gone = " (left out)" if line["key"] in answer["left_out"] else ""
            page.say(f"{line['key']}: {line['label']} {line['amount']:+d} ({line['rule']}){gone}")
    page.heading("To paste")
    page.out.print(
        answer["sentence"], soft_wrap=True, highlight=False, markup=False
    )  # one line, whatever the terminal's


def _bar(name: str, win: Mapping[str, float], style: str) -> Text:
    digits = digits_for(dict(win))
    share = round(BARS * win["chance"])
    bar = Text("█" * share + "░" * (BARS - share), style=style)
    told = f"  {percent(win['chance'], digits)}  ({percent(win['low'], 1)} to {percent(win['high'], 1)})"
    return Text.assemble(f"  {name:<16.16} ", bar, told)


def _side_told(page: Page, side: Mapping[str, Any], style: str) -> None:
    page.heading(side["name"])
    for what, amount in side["losses"].items():
        if amount["of"]:
            page.say(
                f"{what.capitalize()}: {amount['average']:.1f} of {amount['of']} on the average{_curve(amount)}.", style
            )
    if side["supply line cut"]:
        page.say(f"Supply line cut: {percent(side['supply line cut']['chance'])}.", style)
    if side["ships"]:
        page.out.print(_table("ship", side["ships"], tuple(reversed(FATES))))
    if len(side["groups"]) > 1:
        page.out.print(_table("group", side["groups"], tuple(reversed(GROUPS))))


def _curve(amount: Mapping[str, Any]) -> str:
    """The number reached in half of all battles and in one of ten."""
    chances = [chance["chance"] for chance in amount["at_least"]]
    reached = {words: sum(chance >= share for chance in chances) for words, share in OFTEN.items()}
    told = [f"{number} or more in {words}" for words, number in reached.items() if number]
    return f"; {', '.join(told)}" if told else ""


def _table(what: str, rows: list[dict[str, Any]], fates: tuple[str, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(what)
    for fate in fates:
        table.add_column(fate, justify="right")
    for row in rows:
        cells = [percent(row[fate]["chance"], digits_for(row[fate])) if row[fate]["chance"] else "-" for fate in fates]
        table.add_row(row["name"], *cells)
    return table


def _joint(page: Page, answer: Mapping[str, Any]) -> None:
    joint = answer["joint"]
    names = {who: answer["sides"][who]["name"] for who in SIDES}
    page.heading(f"Factors sunk: {names['axis']} down, {names['allies']} across")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", justify="right")
    for band in joint["allies"]:
        table.add_column(band, justify="right")
    for band, row in zip(joint["axis"], joint["chances"], strict=True):
        table.add_row(band, *(percent(chance) if chance else "-" for chance in row))
    page.out.print(table)
