"""Where a marker stands beside its hex: where it hides least of other markers, paths, contacts and places."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.web.map_labels import overlap
from flagplot.web.map_signs import marker_width
from flagplot.web.map_view import Marker

LIFT = 34.0  # from a hex to a marker above or below it
HALF_HEIGHT = 18.0
# So many times half its width across, and so far up or down.
SPOTS = tuple(
    (across, up) for up in (1, 0, 2, -1, 3, -2) for across in (0, 0.9, -0.9, 1.3, -1.3, 2, -2) if up or abs(across) > 1
)

Area = tuple[float, float, float, float]  # left, top, right, bottom


def marker_box(marker: Marker, x: float, y: float) -> Area:
    """The room a marker takes at a point."""
    half = marker_width(marker) / 2 + 3
    return x - half, y - HALF_HEIGHT, x + half, y + HALF_HEIGHT


def free_spot(marker: Marker, hex: tuple[float, float], taken: Iterable[Area], edge: Area) -> tuple[float, float]:
    """The best place for a marker near its hex, never over the edge of the map."""
    half = marker_width(marker) / 2 + 3
    left, top, right, bottom = edge
    areas = list(taken)
    spots = []
    for order, (across, up) in enumerate(SPOTS):
        x = min(max(hex[0] + across * half, left + half), right - half)
        y = min(max(hex[1] - LIFT * marker.lift * up, top + HALF_HEIGHT), bottom - HALF_HEIGHT)
        box = marker_box(marker, x, y)
        hides = sum(overlap(box, area) for area in areas)
        spots.append((hides + _far(across, up), order, x, y))
    return min(spots)[2:]


def _far(across: float, up: float) -> float:
    """What it costs to stand so far away, or on the side that is the other's."""
    return 60 * abs(across) + 90 * abs(up) + (120 if up < 0 else 0)
