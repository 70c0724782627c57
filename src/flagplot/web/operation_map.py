"""The map of an operation: what an audience knows of it (operation_view.py), drawn over a window of one of our maps.

Drawn from the JSON that the same audience is sent, so the map can show nothing that is not in it. Where a sea was typed
in without a map there is no drawing: the page has the table of what is where, and paths are chosen hex by hex.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from markupsafe import Markup

from flagplot.model.maps import Map
from flagplot.scenarios.maps import load_map
from flagplot.web.map_drawing import draw
from flagplot.web.map_view import Course, Marker, Reach, View

LONGEST_TITLE = 17  # letters on a marker
MARGIN = 1  # hexes around the sea
MOST_KINDS = 3  # of ships named on a marker


class Chart(NamedTuple):
    """A drawing, a mark by which a page knows that it has it already, and the hexes worth looking at first."""

    svg: Markup
    mark: str
    focus: str


def chart_of(part: Mapping[str, Any], own: str) -> Chart | None:
    """The map as the side `own` sees it; None without a map."""
    if not part["map"]:
        return None
    chart = load_map(part["map"])
    view = View(
        courses=tuple(_courses(chart, part, own)),
        reaches=tuple(_reaches(chart, part, own)),
        sought=tuple(_sought(chart, part)),
        markers=tuple(_markers(chart, part, own)),
        around=tuple(hex for hex in part["hexes"] if hex in chart.index),
        margin=MARGIN,
        interactive=True,
        title=f"{chart.title}: the operation",
    )
    svg, mark = _drawn(part["map"], view)
    return Chart(svg, mark, " ".join(_focus(chart, part, own)))


@lru_cache(maxsize=64)
def _drawn(name: str, view: View) -> tuple[Markup, str]:
    svg = Markup(draw(load_map(name), view))  # every text in it was escaped when it was drawn
    return svg, sha256(svg.encode()).hexdigest()[:16]


def _whose(side: str, own: str) -> str:
    return "own" if side == own else "foe"


def _courses(chart: Map, part: Mapping[str, Any], own: str) -> list[Course]:
    """Paths of voyages under way and of attempts, as far as they lie on the map: a box is beside it."""
    found = []
    for leg in part["voyages"]:
        if leg["status"] == "under way":
            kind = "return" if leg["returning"] else "announced"
            beyond = "" if leg["end"] in chart.index else f" to the {leg['end']} box"
            found.append(_course(chart, leg["path"], leg["side"], own, kind, leg["id"] + beyond))
    for each in part["attempts"]:
        if each["status"] in ("announced", "rolled", "sailing"):
            found.append(_course(chart, each["path"], each["side"], own, "attempt", each["id"]))
    return [course for course in found if len(course.path) > 1]


def _course(chart: Map, path: Sequence[str], side: str, own: str, kind: str, name: str) -> Course:
    on_map = tuple(hex for hex in path if hex in chart.index)
    return Course(path=on_map, side=_whose(side, own), kind=kind, name=name)


def _reaches(chart: Map, part: Mapping[str, Any], own: str) -> list[Reach]:
    """How far land-based air gets, once for each hex with aircraft that may fly."""
    found: dict[tuple[str, str], Reach] = {}
    for side, fields in part["airfields"].items():
        for field in fields:
            flies = field["operational"] and (field["factors"] or field["squadrons"])
            if flies and field["reach"] and field["hex"] in chart.index:
                name = f"{field['name']}: {field['reach']} hexes"
                key = (side, field["hex"])
                found.setdefault(key, Reach(hex=field["hex"], hexes=field["reach"], side=_whose(side, own), name=name))
    return list(found.values())


def _sought(chart: Map, part: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The hexes in which somebody is to be met, those of one hex together."""
    found: dict[str, list[str]] = {}
    for contact in part["contacts"]:
        if not contact["done"] and contact["hex"] in chart.index:
            what = "battle" if contact["now"] else "air attack" if contact["air"] else "contact"
            found.setdefault(contact["hex"], []).append(f"{what} {contact['id']}")
    return [(hex, ", ".join(names) if len(names) < 3 else f"{len(names)} contacts") for hex, names in found.items()]


def _markers(chart: Map, part: Mapping[str, Any], own: str) -> list[Marker]:
    """One marker a hex and side: own above it, the enemy's below."""
    found = []
    for side in (own, *(each for each in part["forces"] if each != own)):
        for hex in part["hexes"]:
            if hex not in chart.index:
                continue
            forces = [force for force in part["forces"][side] if force["hex"] == hex]
            boats = [each for each in part["boats"][side] if each["hex"] == hex and each["number"]]
            if forces or boats:
                found.append(_marker(hex, forces, boats, _whose(side, own)))
    return found


def _marker(hex: str, forces: Sequence[Mapping[str, Any]], boats: Sequence[Mapping[str, Any]], side: str) -> Marker:
    number = sum(each["number"] for each in boats)
    submarines = f"{number} SUB" if number else ""
    if not forces:
        title, kinds = "Submarines", [submarines]
    else:
        names = [force["id"] for force in forces]
        title = short(names[0]) if len(names) == 1 else f"{len(names)} forces"
        known = [in_short(force) for force in forces if not force["hidden"]]
        hidden = len(forces) - len(known)
        kinds = known if len(known) < 2 else [in_short(_together(forces))]
        kinds += [f"{hidden} unknown" if len(forces) > 1 else "unknown"] if hidden else []
        kinds += [submarines] if submarines else []
    words = "; ".join([f"{force['id']}, {force['contents'] or 'unknown'}, {force['state']}" for force in forces])
    return Marker(
        hex=hex,
        title=title,
        detail=", ".join(kinds),
        side=side,
        hidden=any(force["hidden"] for force in forces),
        lift=1 if side == "own" else -1,
        words=words or title,
    )


def short(name: str) -> str:
    """A name as it stands on a marker."""
    return name if len(name) <= LONGEST_TITLE else name[: LONGEST_TITLE - 1].rstrip() + "…"


def in_short(force: Mapping[str, Any]) -> str:
    """What is in a force, by kinds: 2 CV 5 CA 3 DD."""
    kinds: dict[str, int] = {}
    for ship in force["ships"]:
        kinds[ship["kind"]] = kinds.get(ship["kind"], 0) + 1
    for each in force["light"]:
        kinds[each["kind"]] = kinds.get(each["kind"], 0) + each["number"]
    words = [f"{number} {kind}" for kind, number in kinds.items()]
    return " ".join(words[:MOST_KINDS]) + (" …" if len(words) > MOST_KINDS else "")


def _together(forces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ships = [ship for force in forces for ship in force["ships"]]
    return {"ships": ships, "light": [each for force in forces for each in force["light"]]}


def _focus(chart: Map, part: Mapping[str, Any], own: str) -> list[str]:
    """The hexes worth looking at first: the fight, else the voyages, else one's own forces."""
    found = [part["fighting"]["hex"]] if part["fighting"] else []
    if not found:
        found = [hex for leg in part["voyages"] for hex in (leg["path"] or (leg["start"], leg["end"]))]
    if not found:
        found = [force["hex"] for force in part["forces"][own]]
    return [hex for hex in dict.fromkeys(found) if hex in chart.index]
