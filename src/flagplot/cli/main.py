"""The `flagplot` command. Each command lives in a module of its own; this file puts them together."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import flagplot
from flagplot.cli.admin import admin
from flagplot.cli.advise import advise
from flagplot.cli.bombing import bombing
from flagplot.cli.cases import cases
from flagplot.cli.intercept import intercept
from flagplot.cli.ledger import coverage, where
from flagplot.cli.listings import call, options, scenarios
from flagplot.cli.map import map as map_command
from flagplot.cli.odds import odds
from flagplot.cli.patch import patch
from flagplot.cli.play import play
from flagplot.cli.raiders import raiders
from flagplot.cli.replay import replay, verify
from flagplot.cli.serve import serve
from flagplot.cli.ships import ships
from flagplot.cli.steps import engage, strike, submarine
from flagplot.cli.subwar import subwar
from flagplot.cli.tables import table
from flagplot.cli.warplanner import warplanner
from flagplot.core.errors import GameError


class Commands(TyperGroup):
    """The commands. Whatever goes wrong on purpose is one sentence on standard error and exit code 2."""

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


BATTLES = (play, odds, advise, serve, replay, verify, patch)
STEPS = (strike, engage, submarine, intercept, subwar, bombing, raiders)
LOOK_UPS = (scenarios, ships, warplanner, options, map_command, table, where, coverage, call, cases)
for command in (*BATTLES, *STEPS, *LOOK_UPS):
    app.command()(command)
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command."""
    app()
