"""`flagplot map`: the maps, paths and distances on them, and a map as an SVG or CSV file.

Every distance is that of 22.23: hexes entered, along a path by sea that keeps nearest to the straight line.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json, with_rules
from flagplot.core.errors import PlayerError, UnknownName
from flagplot.model import maps
from flagplot.model.maps import Map


def map(
    name: Annotated[
        str, typer.Argument(help="A map that comes with the game, or a file that ends in .toml or .csv.")
    ] = "",
    start: Annotated[str, typer.Option("--from", metavar="HEX", help="Where a path begins: a hex or a place.")] = "",
    end: Annotated[str, typer.Option("--to", metavar="HEX", help="Where it ends: a hex, a place or a box.")] = "",
    range: Annotated[
        tuple[str, int] | None,
        typer.Option("--range", metavar="HEX N", help="What aircraft reach from a hex, and ships by sea."),
    ] = None,
    closed: Annotated[
        list[str] | None,
        typer.Option("--closed", metavar="STRAIT", help="A strait or canal that is closed. May be repeated."),
    ] = None,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Draw it into a file; - is standard output.")] = "",
    csv: Annotated[str, typer.Option("--csv", metavar="FILE", help="Write the map as CSV; - is standard output.")] = "",
    json: Json = False,
) -> None:
    """Measure paths on a map, or draw it.

    [bold]flagplot map[/bold] lists the maps.

    [bold]flagplot map pacific --from Truk --to "Port Moresby"[/bold]

    [bold]flagplot map europe --from "Scapa Flow" --to Malta --closed "Strait of Gibraltar"[/bold]

    [bold]flagplot map pacific --range Rabaul 4 --svg rabaul.svg[/bold]
    """
    from flagplot.scenarios.maps import read_map, write_csv

    if not name:
        _list(json)
        return
    chart = read_map(name)
    if bool(start) != bool(end):
        raise PlayerError("a path has two ends; write both --from and --to")
    shut = tuple(closed or ())
    path = _path(chart, start, end, shut) if start else ()
    # Both are checked before anything is written.
    reach = _reach(chart, range, shut) if range else {}
    if csv:
        _write(csv, write_csv(chart))
    if svg:
        _write(svg, _drawn(chart, path, reach))
    if "-" in (svg, csv):
        return
    found: dict[str, Any] = {"map": chart.name, "title": chart.title, "theatre": chart.theatre}
    found |= {"path": _measured(chart, path)} if path else {}
    found |= {"range": reach} if reach else {}
    if not path and not reach:
        found |= _whole(chart)
    if wants_json(json):
        print_json(found)
        return
    _print(chart, found, [file for file in (svg, csv) if file])


def _list(json: bool) -> None:
    from flagplot.scenarios.maps import load_map, map_names

    charts = [load_map(name) for name in map_names()]
    if wants_json(json):
        print_json([{"name": chart.name, "title": chart.title, "summary": chart.summary} for chart in charts])
        return
    out = console()
    for chart in charts:
        out.print(Text.assemble((chart.name, "own.mark"), f"  {chart.title}"))
        out.print(
            Text(f"  {chart.width} x {chart.height} hexes, {len(chart.places)} places. {chart.summary}\n", "quiet")
        )
    out.print(Text("flagplot map NAME tells more of one.", "quiet"))


def _path(chart: Map, start: str, end: str, closed: tuple[str, ...]) -> tuple[str, ...]:
    """A shortest path, to a hex or to a box."""
    here = maps.hex_named(chart, start)
    box = next((box for box in chart.boxes if box.name.casefold() == end.casefold()), None)
    path = (
        maps.path_to_box(chart, here, box.name, closed)
        if box
        else maps.sea_path(chart, here, maps.hex_named(chart, end), closed)
    )
    if path is None:
        shut = f" while {', '.join(closed)} is closed" if closed else ""
        raise PlayerError(f"there is no way by sea from {start} to {end}{shut}")
    return path


def _measured(chart: Map, path: tuple[str, ...]) -> dict[str, Any]:
    return {
        "hexes": list(path),
        "length": maps.length(path),
        "straight": maps.distance(path[0], path[-1]),
        "straits": [crossing.name for crossing in maps.crossings_on(chart, path)],
        "sides": [list(side) for side in maps.sides_of_straits(chart, path)],
    }


def _reach(chart: Map, range: tuple[str, int], closed: tuple[str, ...]) -> dict[str, Any]:
    text, hexes = range
    if hexes < 0:
        raise PlayerError(f"a range is a number of hexes from 0 up, not {hexes}")
    here = maps.hex_named(chart, text)
    by_air = maps.in_range(chart, here, hexes)
    by_sea = {} if maps.terrain(chart, here) is maps.Terrain.LAND else maps.sea_reach(chart, here, hexes, closed)
    return {
        "hex": here,
        "hexes": hexes,
        "by_air": list(by_air),
        "by_sea": by_sea,
        "places": {place.name: maps.distance(here, place.hex) for place in chart.places if place.hex in by_air},
    }


def _whole(chart: Map) -> dict[str, Any]:
    return {
        "summary": chart.summary,
        "rows": chart.height,
        "columns": chart.width,
        "places": {place.name: maps.described(chart, place.hex) for place in chart.places},
        "crossings": {crossing.name: list(crossing.hexes) for crossing in chart.crossings},
        "boxes": {box.name: list(box.entries) for box in chart.boxes},
    }


def _drawn(chart: Map, path: tuple[str, ...], reach: dict[str, Any]) -> str:
    from flagplot.web.map_drawing import draw, standalone_style
    from flagplot.web.map_view import Course, Reach, View

    courses = (Course(path=path),) if path else ()
    reaches = (Reach(hex=reach["hex"], hexes=reach["hexes"]),) if reach else ()
    return draw(chart, View(courses=courses, reaches=reaches), standalone_style())


def _write(file: str, text: str) -> None:
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as trouble:
        raise UnknownName(f"{file} cannot be written: {trouble}") from trouble


def _print(chart: Map, found: dict[str, Any], files: list[str]) -> None:
    out = console()
    out.print(Text(chart.title, "heading"))
    if path := found.get("path"):
        named = [maps.described(chart, path["hexes"][end]) for end in (0, -1)]
        out.print(f"{named[0]}  to  {named[1]}")
        away = f", {path['straight']} straight" if path["straight"] != path["length"] else ""
        out.print(Text.assemble((f"{path['length']} hexes by sea{away}", "own.mark")))
        out.print(" | ".join(" ".join(side) for side in path["sides"]))
        if path["straits"]:
            told = f"Through {', '.join(path['straits'])}: each side is intercepted in a hex of its own (22.13A)."
            out.print(with_rules(told))
    if reach := found.get("range"):
        out.print(Text(f"{reach['hexes']} hexes from {maps.described(chart, reach['hex'])}", "own.mark"))
        near = sorted(reach["places"].items(), key=lambda item: item[1])
        out.print("Places: " + ", ".join(f"{name} {far}" for name, far in near))
        out.print(Text(f"{len(reach['by_air'])} hexes by air, {len(reach['by_sea'])} by sea.", "quiet"))
    if "summary" in found:
        out.print(found["summary"])
        ports = [place.name for place in chart.places if place.is_port]
        out.print("Ports: " + ", ".join(ports))
        if chart.crossings:
            out.print(
                "Straits and canals: " + ", ".join(f"{each.name} {'-'.join(each.hexes)}" for each in chart.crossings)
            )
        if chart.boxes:
            out.print("Boxes: " + ", ".join(box.name for box in chart.boxes))
    for file in files:
        out.print(Text(f"Written: {file}", "quiet"))
