"""Where names go on a map: beside their place, clear of other names and signs if that can be.

Nothing is left out for want of room: a name that fits nowhere stands where it covers least.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Rectangle: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

LETTER = 0.66  # the width of a letter, as a part of the size of the type; wide ones and narrow ones even out
GAP = 8.0
SQUARE = 80.0
TAKEN, UNWELCOME, OUTSIDE = 3, 1, 200  # how bad it is to cover what is taken, or not welcome, or to leave the map


class Spot(NamedTuple):
    """Where a text begins, and whether that is its start, its middle or its end."""

    x: float
    y: float
    anchor: str


def text_width(text: str, size: float, letter: float = LETTER) -> float:
    """About how wide a text is."""
    return len(text) * size * letter


class Labels:
    """The room on a map, and what has been taken of it, kept by square so that only what is near is looked at."""

    def __init__(self, left: float, top: float, right: float, bottom: float) -> None:
        self.bounds = left, top, right, bottom
        self.taken: list[Rectangle] = []
        self._squares: dict[tuple[int, int], list[tuple[int, Rectangle, int]]] = {}
        self._count = 0

    def take(self, x: float, y: float, width: float, height: float) -> None:
        """Keep names out of a rectangle around a point."""
        self._keep((x - width / 2, y - height / 2, x + width / 2, y + height / 2), TAKEN)

    def discourage(self, x: float, y: float, width: float, height: float) -> None:
        """Keep names out of a rectangle if there is room elsewhere."""
        self._keep((x - width / 2, y - height / 2, x + width / 2, y + height / 2), UNWELCOME)

    def _keep(self, box: Rectangle, weight: int) -> None:
        self._count += 1
        if weight == TAKEN:
            self.taken.append(box)
        for square in _squares(box):
            self._squares.setdefault(square, []).append((self._count, box, weight))

    def _covered(self, box: Rectangle) -> float:
        """What a rectangle would cover, by how bad that is, and how far it would reach out of the map."""
        near = {number: (other, weight) for at in _squares(box) for number, other, weight in self._squares.get(at, ())}
        left, top, right, bottom = self.bounds
        out = max(0, left - box[0]) + max(0, top - box[1]) + max(0, box[2] - right) + max(0, box[3] - bottom)
        return sum(weight * overlap(box, other) for other, weight in near.values()) + OUTSIDE * out

    def crowd(self, x: float, y: float, width: float, height: float) -> float:
        """How bad it would be to cover a rectangle around a point."""
        return self._covered((x - width / 2, y - height / 2, x + width / 2, y + height / 2)) / TAKEN

    def place(self, x: float, y: float, text: str, size: float, gap: float = 0) -> Spot:
        """The best spot for the name of a point, which is then taken; `gap` further off than usual."""
        found = _candidates(x, y, text_width(text, size), size, gap)
        costs = [self._covered(box) + order for order, (_, box) in enumerate(found)]
        spot, box = found[costs.index(min(costs))]
        self._keep(box, TAKEN)
        return spot


def _squares(box: Rectangle) -> list[tuple[int, int]]:
    """The squares that a rectangle touches."""
    columns = range(int(box[0] // SQUARE), int(box[2] // SQUARE) + 1)
    rows = range(int(box[1] // SQUARE), int(box[3] // SQUARE) + 1)
    return [(column, row) for column in columns for row in rows]


def _candidates(x: float, y: float, width: float, size: float, gap: float) -> list[tuple[Spot, Rectangle]]:
    """The spots around a point, the best first: right, upper right, lower right, left, above, below, and further off."""
    drop = size * 0.36
    found = []
    for far in (gap, gap + 7, gap + 16):
        right, left = x + GAP + far, x - GAP - far
        up, down = y - 7 - far, y + 7 + size * 0.7 + far
        found += [
            (right, y + drop, "start"),
            (right - 3, y - 6 - gap / 2, "start"),
            (right - 3, y + 6 + size * 0.5 + gap / 2, "start"),
            (left, y + drop, "end"),
            (left + 3, y - 6 - gap / 2, "end"),
            (left + 3, y + 6 + size * 0.5 + gap / 2, "end"),
            (x, up, "middle"),
            (x, down, "middle"),
        ]
    spots = []
    for at_x, at_y, anchor in found:
        start = at_x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        spots.append((Spot(at_x, at_y, anchor), (start, at_y - size * 0.8, start + width, at_y + size * 0.22)))
    return spots


def overlap(one: Rectangle, two: Rectangle) -> float:
    """The area two rectangles share."""
    across = min(one[2], two[2]) - max(one[0], two[0])
    down = min(one[3], two[3]) - max(one[1], two[1])
    return across * down if across > 0 and down > 0 else 0.0
