"""The parts a drawing of a map is made of: points, texts, the sign of a place, arrows and borders."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from flagplot.model import maps
from flagplot.model.maps import Place
from flagplot.web.map_labels import text_width
from flagplot.web.map_view import Marker

PITCH = 30.0  # from the middle of a hex to that of the next in its row
ROW = PITCH * maps.ROW_HEIGHT
RADIUS = PITCH / 3**0.5
CORNERS = (
    (0.0, -RADIUS),
    (PITCH / 2, -RADIUS / 2),
    (PITCH / 2, RADIUS / 2),
    (0.0, RADIUS),
    (-PITCH / 2, RADIUS / 2),
    (-PITCH / 2, -RADIUS / 2),
)

Corner: TypeAlias = tuple[int, int]  # of hexes: in half hex widths, and in half lengths of a side


def decimal(value: float) -> str:
    """A length with one decimal at most."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def line_through(points: Iterable[tuple[float, float]], closed: bool = True) -> str:
    """A path through points."""
    return "M" + "L".join(f"{decimal(x)} {decimal(y)}" for x, y in points) + ("Z" if closed else "")


def written(kind: str, x: float, y: float, words: str, anchor: str = "") -> str:
    """Words at a point."""
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{decimal(x)}" y="{decimal(y)}"{end}>{escape(words)}</text>'


def sign(place: Place, x: float, y: float) -> list[str]:
    """A dot for a port, hollow if it is not operational; a square around it if fortified; wings for an air base."""
    at = f'cx="{decimal(x)}" cy="{decimal(y)}"'
    parts = []
    if place.air_base:
        parts.append(f'<path class="wing" d="M{decimal(x - 7.5)} {decimal(y + 1)}h15"/>')
    if place.fortified:
        parts.append(f'<rect class="ring" x="{decimal(x - 5.8)}" y="{decimal(y - 5.8)}" width="11.6" height="11.6"/>')
    if place.is_port:
        parts.append(f'<circle class="port{"" if place.operational else " idle"}" {at} r="3.8"/>')
        parts += [f'<circle class="ring" {at} r="5.6"/>'] if place.ports > 1 else []
    elif place.air_base:
        parts.append(f'<path class="wing" d="M{decimal(x)} {decimal(y - 4)}v8m-2.5 0h5"/>')
    else:
        parts.append(f'<circle class="port idle" {at} r="2.2"/>')
    return parts


def between(one: tuple[float, float], two: tuple[float, float], part: float) -> tuple[float, float]:
    """The point so far on the way from one point to another."""
    return one[0] + (two[0] - one[0]) * part, one[1] + (two[1] - one[1]) * part


def arrow(before: tuple[float, float], end: tuple[float, float]) -> str:
    """The head of an arrow."""
    dx, dy = (end[0] - before[0]) / PITCH, (end[1] - before[1]) / PITCH
    long, wide = 12.5, 6.5
    foot = end[0] - dx * long, end[1] - dy * long
    return line_through([end, (foot[0] - dy * wide, foot[1] + dx * wide), (foot[0] + dy * wide, foot[1] - dx * wide)])


def marker_width(marker: Marker) -> float:
    """How wide the sign of a force is."""
    return max(44.0, text_width(marker.title, 10, 0.62) + 12, text_width(marker.detail, 8.5) + 12)


def loops(sides: dict[Corner, list[Corner]]) -> list[list[Corner]]:
    """Sides, from each corner to the next, joined end to end into closed lines."""
    left = {corner: list(ends) for corner, ends in sides.items()}
    found = []
    while left:
        here = min(left)
        line = []
        while here in left:
            line.append(here)
            end = left[here].pop()
            if not left[here]:
                del left[here]
            here = end
        found.append(line)
    return found
