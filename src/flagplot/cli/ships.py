"""`flagplot ships`: the named ships a set-up may call on."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import UnknownName
from flagplot.model.ships import KIND_NAMES, Ship
from flagplot.tables.naval_nationality import NATIONS


def ships(
    word: Annotated[str, typer.Argument(help="Only ships with this in their name; capitals do not count.")] = "",
    nation: Annotated[str | None, typer.Option(help="Only ships of this nation.")] = None,
    json: Json = False,
) -> None:
    """List the named ships: nation, kind, size in factors, fast or slow.

    [bold]flagplot ships[/bold] lists them all.

    [bold]flagplot ships prince[/bold]

    [bold]flagplot ships --nation Italy[/bold]
    """
    from flagplot.scenarios.ships import all_ships, slug

    only = _nation(nation)
    wanted = slug(word)
    # A word of signs alone is in no name; no word at all is in every one.
    found = [
        ship
        for ship in all_ships().values()
        if only in (None, ship.nation) and (not word.strip() or (wanted and wanted in slug(ship.name)))
    ]
    if wants_json(json):
        print_json([_record(ship) for ship in found])
        return
    out = console()
    if not found:
        of = f" of {only}" if only else ""
        told = f"has {word[:40]!r} in her name" if word.strip() else "is in the list"
        out.print(Text(f"No ship{of} {told}.", "quiet"))
        return
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("ship", "nation", "kind", "size", "speed"):
        table.add_column(heading, justify="right" if heading == "size" else "left")
    for ship in found:
        kind = f"{ship.kind}, {KIND_NAMES[ship.kind]}"
        table.add_row(Text(ship.name, "own"), ship.nation, kind, str(ship.size), "fast" if ship.fast else "slow")
    out.print(table)
    out.print(Text(f"{len(found)} ship{'s' * (len(found) != 1)}. Sizes are naval factors.", "quiet"))


def _nation(given: str | None) -> str | None:
    """A nation as the chart spells it; capitals do not count."""
    if given is None:
        return None
    known = {name.lower(): name for name in NATIONS}
    name = known.get(" ".join(given.lower().split()))
    if name is None:
        raise UnknownName(f"there is no nation {given[:40]!r}; there are {', '.join(NATIONS)}")
    return name


def _record(ship: Ship) -> dict[str, str | int | bool]:
    return {"name": ship.name, "nation": ship.nation, "kind": ship.kind, "size": ship.size, "fast": ship.fast}
