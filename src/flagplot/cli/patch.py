"""`flagplot patch`: an older save under the rules of today, and the ways on where they stop it."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.padding import Padding
from rich.text import Text

import flagplot
from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError
from flagplot.play.patch import Stop, Way, read_save, stop_of, ways, write_patched


def patch(
    file: Annotated[Path, typer.Argument(help="A saved game. It is read, and never changed.", metavar="SAVE")],
    by: Annotated[str, typer.Option("--by", metavar="WAY", help="The way on to take, as this command names it.")] = "",
    take_back: Annotated[bool, typer.Option("--take-back", help="The same as --by take-back.")] = False,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="The new save to write.")] = None,
    json: Json = False,
) -> None:
    """Replay an older save under the rules of today: where it stops, why, and the ways on.

    The save itself is never changed: a way on is written to a new file. Ends with exit code 1 if the game stops and no
    way was taken.

    [bold]flagplot patch bismarck.flagplot[/bold]

    [bold]flagplot patch bismarck.flagplot --by take-back --to bismarck-2.flagplot[/bold]
    """
    header, journal = read_save(file)
    stop = stop_of(header, journal)
    with console().status("Looking for ways on") if sys.stdout.isatty() else nullcontext():
        found = ways(header, journal) if stop else []
    wanted = by or ("take-back" if take_back else "")
    written = _write(file, wanted, found, to) if stop and wanted else None
    if wants_json(json):
        facts = {"file": str(file), "written_by": header.engine, "replayed_by": flagplot.__version__}
        offered = [{"by": way.name, "about": way.about, "entries": way.entries, "of": way.of} for way in found]
        stops = stop._asdict() if stop else None
        print_json({**facts, "stops": stops, "ways": offered, "written": str(written) if written else None})
    else:
        _tell(file, header.engine, stop, found, written)
    if stop and not written:
        raise typer.Exit(1)


def _write(file: Path, wanted: str, found: list[Way], to: Path | None) -> Path:
    way = next((each for each in found if each.name == wanted), None)
    if way is None:
        known = ", ".join(each.name for each in found) or "none"
        raise PlayerError(f"{wanted!r} is no way on for this game; there are {known}")
    target = to or file.with_name(f"{file.stem}-patched{file.suffix}")
    write_patched(way, target)
    return target


def _tell(file: Path, engine: str, stop: Stop | None, found: list[Way], written: Path | None) -> None:
    out = console()
    if stop is None:
        text = f"Nothing stops the game: version {flagplot.__version__} plays it as version {engine} recorded it."
        out.print(Text.assemble(("✓ ", "good"), text), soft_wrap=True)
        return
    when = f" ({stop.when})" if stop.when else ""
    where = f"The game stops after {stop.entries} of {stop.of} entries{when}: {stop.why}."
    out.print(Text.assemble(("✕ ", "refusal"), where), soft_wrap=True)
    if written:
        text = f"{written} goes on from there: flagplot play {written}. {file} is as it was."
        out.print(Text.assemble(("✓ ", "good"), text), soft_wrap=True)
        return
    out.print("The ways on, each written to a new file:")
    for way in found:
        kept = f"keeps {way.entries} of {way.of} entries"
        out.print(Padding.indent(Text.assemble(f"--by {way.name}  ", (f"{way.about} ({kept})", "quiet")), 2))
    out.print(
        Text("Both sides should agree to one. The game can also be ended as it stands; nothing is lost.", "quiet")
    )
