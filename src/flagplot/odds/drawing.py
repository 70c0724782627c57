"""Odds as a picture: what becomes of each ship as bars, losses as curves of so much or more. Figures stand beside.

The law here: a drawing stands alone (its style is in it) and says in words what it shows; no fate is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from flagplot.core.sides import Side
from flagplot.odds.answers import FATES, percent

WIDTH = 760
ROW = 22
NAMES = 190  # room for names
BAR = 420
CURVE_HEIGHT = 180
INK = "#1c2733"
FILL = {"untouched": "#dfe6ea", "hit": "#b7c9d6", "damaged": "#d9a441", "sunk": "#b5483a"}
HATCH = {"hit": "M0 4L4 0", "damaged": "M0 0L4 4M0 4L4 0", "sunk": "M0 2H4"}
SIDES = {"axis": ("#b5483a", "none"), "allies": ("#2b6c99", "6 3")}


def drawing(answer: Mapping[str, Any]) -> str:
    """An answer as SVG."""
    parts = [_text(16, 28, answer["title"], 18, bold=True)]
    y = 34
    for words in answer["sentence"].removeprefix(f"{answer['title']}: ").split("; "):
        y += 16
        parts.append(_text(16, y, words, 11))
    y += 26
    for side in Side:
        ships = answer["sides"][side.value]["ships"]
        if ships:
            name, win = answer["sides"][side.value]["name"], answer["win"][side.value]["chance"]
            parts.append(_text(16, y, f"{name}: wins {percent(win)}", 13, bold=True))
            for ship in ships:
                y += ROW
                parts.append(_bar(y, ship))
            y += 2 * ROW
    parts.append(_legend(y))
    y += 2 * ROW
    parts.append(_text(16, y, "Factors sunk: chance of so many or more", 13, bold=True))
    parts.append(_curves(y + 14, answer))
    height = y + CURVE_HEIGHT + 70
    patterns = "".join(
        f'<pattern id="{fate}" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" '
        f'fill="{FILL[fate]}"/><path d="{path}" stroke="{INK}" stroke-width=".5" opacity=".5"/></pattern>'
        for fate, path in HATCH.items()
    )
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(answer["sentence"])}" font-family="system-ui, sans-serif">'
        f'<defs>{patterns}</defs><rect width="{WIDTH}" height="{height}" fill="#fff"/>{body}</svg>\n'
    )


def _text(x: float, y: float, words: str, size: int = 12, *, bold: bool = False, end: bool = False) -> str:
    weight, anchor = "600" if bold else "400", "end" if end else "start"
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{INK}">'
        f"{escape(words)}</text>"
    )


def _fill(fate: str) -> str:
    return FILL[fate] if fate == FATES[0] else f"url(#{fate})"


def _bar(y: float, ship: Mapping[str, Any]) -> str:
    parts = [_text(NAMES + 6, y + 12, f"{ship['name']} ({ship['factors']})", end=True)]
    at = float(NAMES + 16)
    for fate in reversed(FATES):
        width = BAR * ship[fate]["chance"]
        if width:
            told = f"{ship['name']} {fate}: {percent(ship[fate]['chance'], 1)}"
            parts.append(
                f'<rect x="{at:.1f}" y="{y}" width="{width:.1f}" height="15" fill="{_fill(fate)}" stroke="#fff">'
                f"<title>{escape(told)}</title></rect>"
            )
        at += width
    parts.append(_text(NAMES + BAR + 24, y + 12, f"sunk {percent(ship['sunk']['chance'])}", 11))
    return "".join(parts)


def _legend(y: float) -> str:
    parts, x = [], float(NAMES + 16)
    for fate in reversed(FATES):
        parts.append(f'<rect x="{x}" y="{y - 11}" width="14" height="14" fill="{_fill(fate)}" stroke="{INK}"/>')
        parts.append(_text(x + 19, y, fate, 11))
        x += 100
    return "".join(parts)


def _curves(y: float, answer: Mapping[str, Any]) -> str:
    curves: dict[str, Sequence[Mapping[str, float]]] = {
        side.value: answer["sides"][side.value]["losses"]["factors sunk"]["at_least"] for side in Side
    }
    most = max(1, *(len(curve) for curve in curves.values()))
    left, width, bottom = 60, WIDTH - 220, y + CURVE_HEIGHT
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        at = bottom - share * CURVE_HEIGHT
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{at}" y2="{at}" stroke="#ccd5db"/>')
        parts.append(_text(left - 6, at + 4, f"{share:.0%}", 10, end=True))
    step = max(1, -(-most // 10))
    parts += [_text(left + width * at / most - 3, bottom + 15, str(at), 10) for at in range(0, most + 1, step)]
    for row, (side, curve) in enumerate(curves.items()):
        colour, dash = SIDES[side]
        points = [(0, 1.0), *((number, chance["chance"]) for number, chance in enumerate(curve, start=1))]
        path = " ".join(f"{left + width * n / most:.1f},{bottom - p * CURVE_HEIGHT:.1f}" for n, p in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        mid = y + 12 + 18 * row
        at = left + width + 14
        parts.append(
            f'<line x1="{at}" x2="{at + 26}" y1="{mid - 4}" y2="{mid - 4}" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/>'
        )
        parts.append(_text(at + 32, mid, answer["sides"][side]["name"], 11))
    return "".join(parts)
