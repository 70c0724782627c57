"""`flagplot warplanner`: what is in a Warplanner game file, and a set-up of the forces in it that meet.

The law here: what the file does not say is not made up. It is asked for, or stands as a comment in the set-up that is
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError, ScenarioError, UnknownName
from flagplot.core.sides import SIDES
from flagplot.model.setup import THEATRES
from flagplot.scenarios.warplanner import MOST_BYTES, UNKNOWN, Contents, Place, as_told, force_of, most_of, read_file

Places = list[str]


def warplanner(
    file: Annotated[Path, typer.Argument(help="A Warplanner game file (XML).")],
    axis: Annotated[
        Places | None, typer.Option(help="A place of the Axis whose units meet; may be said again.")
    ] = None,
    allies: Annotated[Places | None, typer.Option(help="A place of the Allies; may be said again.")] = None,
    interceptor: Annotated[
        str, typer.Option(help="Who intercepts (22.11), axis or allies; the file does not say.")
    ] = "",
    theatre: Annotated[str, typer.Option(help="Europe or Pacific, if the file does not say.")] = "",
    write: Annotated[Path | None, typer.Option(help="Write the set-up to this file, which must not be there.")] = None,
    json: Json = False,
) -> None:
    """Read a Warplanner game file, and make a set-up of the forces that meet.

    [bold]flagplot warplanner game.xml[/bold] lists where each side has ships, submarines and aircraft.

    [bold]flagplot warplanner game.xml --axis "box 1/2" --allies "hex 0/E24" --interceptor allies --write battle.toml[/bold]
    """
    contents = read_file(_bytes(file), str(file))
    if not axis and not allies:
        if write is not None:
            raise PlayerError("say which places meet, with --axis and --allies, before a set-up can be written")
        if wants_json(json):
            print_json(as_told(contents))
        else:
            _print(contents)
        return
    chosen = {"axis": _chosen(contents, "axis", axis or []), "allies": _chosen(contents, "allies", allies or [])}
    text = setup_text(contents, chosen, interceptor, theatre)
    if write is None:
        typer.echo(text, nl=False)
        return
    try:
        with write.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as trouble:
        raise PlayerError(f"{write} could not be written: {trouble.strerror or trouble}") from trouble
    typer.echo(f"{write} is written. Play it with: flagplot play {write}")


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise ScenarioError(str(path), "", "there is no such file")
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as trouble:
        raise ScenarioError(str(path), "", f"this file cannot be read: {trouble}") from trouble


def _chosen(contents: Contents, side: str, keys: Sequence[str]) -> list[Place]:
    known = {place.key: place for place in contents.places if place.side == side}
    if not keys:
        raise PlayerError(f"a battle has two sides: say with --{side} where its units are")
    for key in keys:
        if key not in known:
            raise UnknownName(f"the {side} has nothing at {key[:40]!r}; there are {', '.join(known) or 'no places'}")
    return [known[key] for key in dict.fromkeys(keys)]


def setup_text(contents: Contents, chosen: dict[str, list[Place]], interceptor: str, theatre: str) -> str:
    """A set-up of the chosen places. What the file does not say is asked for or stands as a comment."""
    from flagplot.web.setup_text import Change, changed

    boards = {place.board for places in chosen.values() for place in places if place.board}
    found = theatre or (boards.pop() if len(boards) == 1 else "")
    if found not in THEATRES:
        raise PlayerError(
            f"the file does not say in which theatre these places are: say --theatre {' or '.join(THEATRES)}"
        )
    if interceptor not in SIDES:
        raise PlayerError("who intercepts is not in the file: say --interceptor axis or --interceptor allies (22.11)")
    when = " ".join(part for part in (contents.season, contents.year) if part)
    head = [f"# From a Warplanner game{f', which began in {when}' if when else ''}.", f"# {UNKNOWN}"]
    for side, places in chosen.items():
        for place in places:
            if place.aircraft:
                units = ", ".join(f"{number} {unit}" for unit, number in place.aircraft.items())
                head.append(
                    f"# {place.where}: {units}. How far that is from the battle is not in the file; if they are in"
                )
                head.append(f"# reach, add an [[{side}.air_base]] with its distance (22.442A).")
    text = "\n".join([*head, "format = 1"]) + "\n"
    title = contents.title or "A battle from Warplanner"
    changes = [Change(("title",), title), Change(("theatre",), found), Change(("interceptor",), interceptor)]
    changes.append(Change(("order_of_battle",), "hidden"))
    for side, places in chosen.items():
        nation = most_of(places)
        if not nation:
            raise PlayerError(f"the places of the {side} hold aircraft only, and a battle is between ships (22.31)")
        changes.append(Change((side,), {"name": nation, "nation": nation}))
        boats: dict[str, int] = {}
        mission = "interception" if side == interceptor else ""
        forces = [force_of(place, place.where[:1].upper() + place.where[1:], nation, mission) for place in places]
        for place in places:
            for owner, number in place.submarines.items():
                boats[owner] = boats.get(owner, 0) + number
        if boats:
            changes.append(Change((side, "submarines"), boats))
        changes += [Change((side, "force", n), force) for n, force in enumerate(filter(None, forces))]
    return changed(text, changes)


# -- printing --------------------------------------------------------------------------------------


def _print(contents: Contents) -> None:
    out = console()
    facts = [contents.title, f"{contents.season} {contents.year}".strip(), f"Warplanner {contents.version}"]
    out.print(Text(" · ".join(fact for fact in facts if fact.strip()), "own"))
    if contents.places:
        table = Table(box=box.SIMPLE_HEAD)
        for heading in ("side", "place", "where", "factors", "what"):
            table.add_column(heading, justify="right" if heading == "factors" else "left")
        for place in contents.places:
            table.add_row(place.side, place.key, place.where, str(place.factors), what_is_there(place))
        out.print(table)
    else:
        out.print(Text("No ships, submarines or aircraft that could meet an enemy.", "quiet"))
    for where, number in contents.elsewhere.items():
        out.print(Text(f"{number} counters {where}: they meet nobody now.", "quiet"))
    if contents.ignored:
        number = sum(contents.ignored.values())
        out.print(Text(f"{number} other counters have nothing to do with naval combat.", "quiet"))
    if contents.unplaced:
        out.print(Text("\nNot placed:"))
    for each in contents.unplaced:
        out.print(Text(f"  line {each.line}, {each.country}, {each.what}: {each.why}"))
    out.print(Text(f"\n{UNKNOWN}", "quiet"))


def what_is_there(place: Place) -> str:
    """What is in a place, in words."""
    parts = [name if name == written else f"{name} ({written})" for name, _, written in place.ships]
    several = len({*place.light, *(nation for _, nation, _ in place.ships)}) > 1
    for nation, counts in place.light.items():
        whose = f"{nation} " if several else ""
        parts += [f"{number} {whose}{key.replace('_', ' ')}" for key, number in counts.items()]
    parts += [f"{number} submarines of {nation}" for nation, number in place.submarines.items()]
    parts += [f"{number} {unit}" for unit, number in place.aircraft.items()]
    return ", ".join(parts)
