"""The chart of the war so far as line charts: one SVG each for transports, submarines and BRPs.

No line is told from another by colour alone: each has its own dashes and its own mark, and its name stands at its end.
Every chart has its figures beside it as a table. No style is written into the drawing; the style sheet colours it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

WIDTH, HEIGHT = 470, 216
LEFT, RIGHT, TOP, BOTTOM = 30, 112, 12, 26
LINE = 13  # least distance between two names
MARKS = ("circle", "square", "triangle", "diamond", "cross", "ring")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 3")
TITLES = {"transports": "Transports", "submarines": "Submarines", "brps": "BRPs in hand"}
WHAT = {"transports": "transport factors by owner", "submarines": "submarine factors by power", "brps": "BRPs by power"}


def charts(part: Mapping[str, Any], own: str) -> list[dict[str, Any]]:
    """Each chart with its figures: a drawing, the names of its lines, and a row for every turn."""
    told: Mapping[str, Any] = part["chart"]
    turns: Sequence[str] = told["turns"]
    found = []
    for key, title in TITLES.items():
        series = told[key]
        rows = [
            {
                "turn": turn,
                "now": told["running"] and index == len(turns) - 1,
                "values": [each["values"][index] for each in series],
            }
            for index, turn in enumerate(turns)
        ]
        found.append(
            {
                "key": key,
                "title": title,
                "what": WHAT[key],
                "svg": drawing(title, WHAT[key], turns, series, own) if series else Markup(),
                "names": [short(each["name"]) for each in series],
                "rows": list(reversed(rows)),
            }
        )
    return found


def ticks(most: int, least: int = 0) -> list[int]:
    """Round numbers from nought to a little over the most, four or five of them, and as far below nought as needed."""
    step = next(
        size * power
        for power in (10**at for at in range(7))
        for size in (1, 2, 5)
        if size * power * 4 >= most - min(0, least) or power == 10**6
    )
    return list(range(min(0, least) // step * step, max(most, 1) + step, step))


def drawing(title: str, what: str, turns: Sequence[str], series: Sequence[Mapping[str, Any]], own: str) -> Markup:
    """One chart."""
    values = [value for each in series for value in each["values"]]
    marks = ticks(max(values), min(values))
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    width = right - LEFT

    def x(index: int) -> float:
        return round(LEFT + (width * index / (len(turns) - 1) if len(turns) > 1 else width / 2), 1)

    def y(value: float) -> float:
        return round(bottom - (bottom - TOP) * (value - marks[0]) / (marks[-1] - marks[0]), 1)

    parts = [Markup('<g class="grid">')]
    for tick in marks:
        parts.append(
            Markup('<line x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}">{}</text>').format(
                LEFT, right, y(tick), y(tick), LEFT - 5, y(tick) + 4, tick
            )
        )
    parts.append(Markup('</g><g class="turns">'))
    parts += [Markup('<text x="{}" y="{}">{}</text>').format(at, HEIGHT - 8, name) for at, name in years(turns, x)]
    parts.append(Markup("</g>"))
    ends = spread([y(each["values"][-1]) for each in series])
    for number, (each, end) in enumerate(zip(series, ends, strict=True)):
        mark, dash = MARKS[number % len(MARKS)], DASHES[number % len(DASHES)]
        points = [(x(index), y(value)) for index, value in enumerate(each["values"])]
        parts.append(Markup('<g class="line {}">').format("own" if each["side"] == own else "foe"))
        path = " ".join(f"{at},{value}" for at, value in points)
        parts.append(Markup('<polyline points="{}" stroke-dasharray="{}"/>').format(path, dash or "none"))
        every = max(1, len(points) // 8)
        shown = [point for index, point in enumerate(points) if index % every == 0 or index == len(points) - 1]
        parts += [marker(mark, at, value) for at, value in shown]
        last = points[-1]
        parts.append(
            Markup('<path class="lead" d="M{} {}L{} {}"/>').format(last[0] + 5, last[1], right + 9, end)
            + marker(mark, right + 15, end)
            + Markup('<text class="name" x="{}" y="{}">{} {}</text></g>').format(
                right + 23, end + 4, each["values"][-1], short(each["name"])
            )
        )
    told = f"{title}: {what}, {turns[0]} to {turns[-1]}"
    body = Markup("").join(parts)
    return Markup('<svg class="war-chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, escape(told), body
    )


def years(turns: Sequence[str], x: Any) -> list[tuple[float, str]]:
    """Where each year begins; in a short war the turns themselves."""
    if len(turns) <= 3:
        return [(x(index), turn) for index, turn in enumerate(turns)]
    found: list[tuple[float, str]] = []
    for index, turn in enumerate(turns):
        year = turn.rsplit(" ", 1)[-1]
        if (not found or found[-1][1] != year) and (not found or x(index) - found[-1][0] >= 34):
            found.append((x(index), year))
    return found


def short(name: str) -> str:
    """A power's name as it fits beside a chart."""
    return {"United States": "U.S.", "Western Allies": "W. Allies"}.get(name, name)


def spread(wanted: Sequence[float]) -> list[float]:
    """Heights near those wanted, none nearer to another than a line, all on the chart."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    heights = list(wanted)
    for above, below in pairwise(order):
        heights[below] = max(heights[below], heights[above] + LINE)
    floor = float(HEIGHT - BOTTOM)
    for index in reversed(order):
        heights[index] = min(heights[index], floor)
        floor = heights[index] - LINE
    return [round(height, 1) for height in heights]


def marker(kind: str, x: float, y: float) -> Markup:
    """A mark on a line."""
    paths = {
        "square": "M-3-3h6v6h-6z",
        "triangle": "M0-4L3.8 3h-7.6z",
        "diamond": "M0-4.4L4.4 0 0 4.4-4.4 0z",
        "cross": "M-3.4-3.4l6.8 6.8m0-6.8l-6.8 6.8",
        "circle": "M-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z",
        "ring": "M-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z",
    }
    return Markup('<path class="mark {}" transform="translate({} {})" d="{}"/>').format(
        kind, round(x, 1), round(y, 1), paths[kind]
    )
