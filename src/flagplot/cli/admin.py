"""`flagplot admin`: what the host of a server does with its database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import GameError

if TYPE_CHECKING:
    from flagplot.play.patch import Stop
    from flagplot.web.backup import Verified
    from flagplot.web.database import Database

admin = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Look after the games of a server: back them up, put them back, check them, patch or close one.",
)

FromDatabase = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="FILE-OR-URL",
        help="Where the games are kept.",
        show_default="FLAGPLOT_DATABASE_URL, or flagplot.db",
    ),
]
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


class CannotAdminister(GameError):
    """There is nothing to administer, or nothing to do it with."""


@contextmanager
def _opened(given: str) -> Iterator[Database]:
    database = _database(given)
    try:
        yield database
    finally:
        database.close()


def _database(given: str) -> Database:
    try:
        from sqlalchemy.exc import ArgumentError

        from flagplot.web.database import Database
        from flagplot.web.settings import from_environment
    except ImportError as missing:
        raise CannotAdminister(f"the web server is not installed: {missing.name} is missing") from missing
    settings = from_environment(database=Path(given) if given and "://" not in given else None)
    url = settings.database_url
    if "://" in given:
        url = given
        if url.startswith(("postgres://", "postgresql://")):
            url = "postgresql+psycopg://" + url.partition("://")[2]
    try:
        return Database(url)
    except ArgumentError as trouble:
        raise CannotAdminister(f"{given!r} is neither a file nor the address of a database") from trouble


@admin.command()
def backup(file: BackupFile, database: FromDatabase = "") -> None:
    """Write all games to one file. The server may go on playing meanwhile.

    The file holds the secrets of open games: keep it where players cannot read it.

    [bold]flagplot admin backup games-today.backup[/bold]
    """
    from flagplot.web.backup import backup as make

    with _opened(database) as source:
        kept = make(source, file)
    console().print(Text.assemble(("✓ ", "good"), f"{_games(kept.games)} ({kept.rows} rows) in {file}"), soft_wrap=True)


@admin.command()
def restore(file: BackupFile, database: FromDatabase = "") -> None:
    """Put a backup into a new database, of either kind, and check every game.

    A file that was cut short or altered is refused, and so is a database that has games already.

    [bold]flagplot admin restore games-today.backup --database new.db[/bold]
    """
    from flagplot.web.backup import restore as put_back
    from flagplot.web.backup import verify as check_all

    with _opened(database) as target:
        kept = put_back(target, file)
        console().print(Text.assemble(("✓ ", "good"), f"{_games(kept.games)} restored from {file}"), soft_wrap=True)
        _tell(check_all(target), json=False)


@admin.command()
def verify(database: FromDatabase = "", json: Json = False) -> None:
    """Replay every game with every check, and see that nothing is missing. Nothing is changed; a server may run.

    Ends with exit code 1 if something is wrong, and says with which game.
    """
    from flagplot.web.backup import verify as check_all

    with _opened(database) as source:
        _tell(check_all(source), json=wants_json(json))


@admin.command(context_settings={"ignore_unknown_options": True})  # the name of a game may begin with a dash
def close(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as its address names it.")],
    why: Annotated[str, typer.Option(help="What its players are told.")] = "",
    database: FromDatabase = "",
) -> None:
    """Close a game that its players cannot end. It can still be looked at.

    With SQLite the server must be stopped first; the host of a game can close it on its page at any time.
    """
    from flagplot.web.backup import close as end

    with _opened(database) as target:
        end(target, game, why)
    console().print(Text.assemble(("✓ ", "good"), f"The game {game} is closed."), soft_wrap=True)


@admin.command(context_settings={"ignore_unknown_options": True})
def patch(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, as its address names it.")],
    take_back: Annotated[
        bool, typer.Option("--take-back", help="Take it back to where it stops; both sides see that.")
    ] = False,
    database: FromDatabase = "",
) -> None:
    """Look at a game that newer rules stop, and let it go on from there.

    Without an option it says where the game stops. With --take-back everything after that entry is taken back, on your
    word as its host, which stands in the journal and is shown to both sides; the dice of what was taken back are never
    used again. Or close it with [bold]flagplot admin close GAME[/bold]. With SQLite the server must be stopped first.
    """
    from flagplot.web.backup import as_the_only_writer
    from flagplot.web.hall import Hall
    from flagplot.web.settings import Settings

    with _opened(database) as target, as_the_only_writer(target, "the game was not patched"):
        hall = Hall(target, Settings(str(target.url)))
        stop = hall.patch(game) if take_back else hall.stop_of(game)
    tell_stop(stop, "the game", take_back=take_back, close=f"flagplot admin close {game}")


def tell_stop(stop: Stop | None, what: str, *, take_back: bool, close: str = "") -> None:
    """Say where a recording stops, and what can be done."""
    out = console()
    if stop is None:
        out.print(
            Text.assemble(("✓ ", "good"), f"Nothing stops {what}: the rules play it as recorded."), soft_wrap=True
        )
        return
    where = f"{what[0].upper()}{what[1:]} stops after {stop.entries} of {stop.of} entries: {stop.why}."
    out.print(Text.assemble(("✕ ", "refusal"), where), soft_wrap=True)
    lost = stop.of - stop.entries
    if take_back:
        text = f"Taken back to entry {stop.entries} ({lost} later entries are undone); it goes on from there."
        out.print(Text.assemble(("✓ ", "good"), text), soft_wrap=True)
        return
    out.print(f"--take-back undoes the last {lost} entries and lets it go on; both sides see that.", soft_wrap=True)
    if close:
        out.print(f"{close} ends it; it can still be looked at.", soft_wrap=True)
    raise typer.Exit(1)


def _games(number: int) -> str:
    return f"{number} game{'s' * (number != 1)}"


def _tell(found: Verified, *, json: bool) -> None:
    if json:
        faults = [{"game": fault.game, "why": fault.why} for fault in found.faults]
        print_json({"verified": not faults, "games": found.games, "lines": found.lines, "faults": faults})
    else:
        out = console()
        for fault in found.faults:
            out.print(Text.assemble(("✕ ", "refusal"), f"{fault.game or 'the database'}: {fault.why}"), soft_wrap=True)
        if not found.faults:
            out.print(
                Text.assemble(("✓ ", "good"), f"{_games(found.games)}, {found.lines} journal lines: all agree."),
                soft_wrap=True,
            )
    if found.faults:
        raise typer.Exit(1)
