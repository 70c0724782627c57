"""The `flagplot` command."""

from __future__ import annotations

import typer

import flagplot

app = typer.Typer(help="Naval battles of A World at War.", no_args_is_help=True)


@app.callback(invoke_without_command=True)
def version() -> None:
    """Say which version this is."""
    typer.echo(f"flagplot {flagplot.__version__}")


@app.command()
def play() -> None:
    """Play a battle."""
    typer.echo("The battles are being fitted out.")


def main() -> None:
    """Run the command."""
    app()
