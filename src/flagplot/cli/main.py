"""The `flagplot` command. Each command lives in a module of its own, which is loaded when the command is wanted: whoever asks
for one waits for no other, and whoever asks what there is waits for none."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

import flagplot
from flagplot.core.errors import GameError


class Command(NamedTuple):
    """Where a command lives, and what it is for, as its own help begins."""

    module: str
    words: str


COMMANDS = {
    "play": Command(
        "play",
        "Play a battle, an operation or the strategic war in the terminal, against a bot or two at one keyboard.",
    ),
    "odds": Command("odds", "The odds of a battle: who wins, what becomes of each ship, what it costs."),
    "advise": Command(
        "advise",
        "Advice on a secret choice: a mixture nobody can exploit, what each choice costs, and how sure that is.",
    ),
    "serve": Command("serve", "Play in the browser: start the web server."),
    "replay": Command("replay", "Go through a saved battle from a chair."),
    "verify": Command(
        "replay",
        "Replay a saved game with every check: the file is whole, every answer is legal, every result is as recorded, and\n"
        "fair dice are those that everybody was bound to.",
    ),
    "patch": Command("patch", "Replay an older save under the rules of today: where it stops, why, and the ways on."),
    "answer": Command("answer", "Answer a turn file without a connection, and write the reply to be sent back."),
    "turn": Command("answer", "Write the turn file of one side of a saved game, to be mailed to its player."),
    "take": Command("answer", "Take a reply that came by mail into a saved game."),
    "strike": Command("steps", "Resolve one air strike on a group at sea, without a game (23.76)."),
    "engage": Command("steps", "Resolve one fleet combat between two groups, without a game (22.53)."),
    "submarine": Command(
        "steps", "Resolve submarine attacks on a group outside naval combat, without a game (22.921)."
    ),
    "intercept": Command(
        "intercept",
        "Dice for naval interceptions with every modifier, and the chance to arrive in round 1, 2, 3 ... (22.2).",
    ),
    "subwar": Command(
        "subwar",
        "Submarine warfare: the modifier line by line, and the chance to sink 0, 1, 2 ... transports (24.6, 25).",
    ),
    "bombing": Command(
        "bombing",
        "A bombing raid: air combat on its way, the target, and the chance of each loss of BRPs (26.4 to 26.9).",
    ),
    "raiders": Command(
        "raiders",
        "Raiders: the chance that 0, 1, 2 ... ships meet each group, and what groups that nobody meets sink (21.53).",
    ),
    "scenarios": Command("listings", "List the battles, operations and wars that come with the game."),
    "ships": Command("ships", "List the named ships: nation, kind, size in factors, fast or slow."),
    "warplanner": Command("warplanner", "Read a Warplanner game file, and make a set-up of the forces that meet."),
    "options": Command(
        "listings",
        "Explain the rulings a group may choose: the rule, what is doubtful about it, and how each value reads it.",
    ),
    "map": Command("map", "Measure paths on a map, or draw it."),
    "table": Command("tables", "Read a printed table, or show it whole."),
    "where": Command(
        "ledger",
        "Say what a rule is about, which function carries it out, which tests prove it, and which rulings bear on it.",
    ),
    "coverage": Command("ledger", "Count the rules that are carried out, area by area."),
    "call": Command("listings", "Ask the public API one question: JSON in, JSON out."),
    "cases": Command(
        "cases", "Run conformance cases: situations with their dice, and the answers that the rules give."
    ),
    "admin": Command(
        "admin", "Look after the games of a server: back them up, put them back, check them, patch or close one."
    ),
}


@cache
def loaded(name: str) -> Any:
    """A command with its module."""
    found = getattr(import_module(f"flagplot.cli.{COMMANDS[name].module}"), name)
    if isinstance(found, typer.Typer):
        group = typer.main.get_group(found)
        group.name = name
        return group
    alone = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False, add_completion=False)
    alone.command(name)(found)
    return typer.main.get_command(alone)


class Commands(TyperGroup):
    """The commands. Whatever goes wrong on purpose is one sentence on standard error and exit code 2."""

    def __init__(self, **about: Any) -> None:
        super().__init__(**about)
        self.listing = False
        self.commands = {name: TyperCommand(name, help=told.words) for name, told in COMMANDS.items()}

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Say what there is; nothing need be loaded for that."""
        self.listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self.listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command, ready to run."""
        if self.listing or cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        return loaded(cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except GameError as trouble:
            typer.echo(f"flagplot: {trouble}", err=True)
            raise typer.Exit(2) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flagplot {flagplot.__version__}")
        raise typer.Exit


@app.callback()
def flagplot_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Naval battles of A World at War: played, adjudicated and explained.

    [bold]flagplot serve[/bold] starts the web server. [bold]flagplot play[/bold] begins a battle in the terminal, against
    a bot. [bold]flagplot scenarios[/bold] lists the others.
    """


def main() -> None:
    """Run the command."""
    app()
