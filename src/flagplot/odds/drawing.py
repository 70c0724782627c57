"""Odds as a picture: who wins, what becomes of each ship as bars, losses as curves of so much or more, with their figures.

The law here: a drawing stands alone (its style is in it, and what it was drawn from is said on it) and says in words what it
shows; no side and no fate is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from flagplot.core.sides import Side
from flagplot.odds.answers import FATES, in_percent, interval_words
from flagplot.play.wording import does, percent

WIDTH = 760
MARGIN = 20
ROW = 22
NAMES = 190  # room for names
BAR = 270
FIGURES = 65  # room for a figure
CURVE_HEIGHT = 180
MOST_MARKS = 24  # points of a curve that are marked one by one
MOST_FIGURES = 8  # numbers of a curve that are told under it
LETTERS = 112  # of small print in a line
INK, MUTED, PAPER, GRID, EMPTY = "#1d2a38", "#5d6b78", "#fbf9f2", "#cfc7b2", "#e4dcc8"
SERIF, SANS = "Georgia, 'Liberation Serif', serif", "system-ui, 'DejaVu Sans', sans-serif"
FILL = {"untouched": EMPTY, "hit": "#c9d6e2", "damaged": "#d9a441", "sunk": "#8c2f2b"}
HATCH = {"hit": "M0 4L4 0", "damaged": "M0 0L4 4M0 4L4 0", "sunk": "M0 2H4"}
SIDES = {"axis": ("#8c2f2b", "7 4"), "allies": ("#1f4e79", "none")}
NOBODY = (MUTED, "2 2")


def drawing(answer: Mapping[str, Any]) -> str:
    """An answer as SVG."""
    parts = [_text(MARGIN, 34, answer["title"], 20, serif=True)]
    y = 44.0
    for words in _small_print(answer):
        y += 15
        parts.append(_text(MARGIN, y, words, 11, colour=MUTED))
    y += 14
    if answer["decisive"]:
        for who in (*SIDES, *(["nobody"] if answer["win"]["nobody"]["chance"] else [])):
            y += ROW
            parts.append(_win(y, answer, who))
        y += 10
    any_ships = False
    for side in Side:
        ships = answer["sides"][side.value]["ships"]
        if ships:
            any_ships = True
            y += 2 * ROW
            parts.append(_text(MARGIN, y, answer["sides"][side.value]["name"], 14, serif=True))
            parts += [_text(_at(column), y, fate, 11, end=True, colour=MUTED) for column, fate in _columns()]
            y -= 8
            for ship in ships:
                y += ROW
                parts.append(_bar(y, ship))
    if any_ships:
        y += 2 * ROW
        parts.append(_legend(y))
    y += 2 * ROW
    parts.append(_text(MARGIN, y, "Factors sunk", 14, serif=True))
    parts.append(_text(MARGIN + 110, y, "chance of so many or more", 11, colour=MUTED))
    parts.append(_curves(y + 34, answer))
    height = y + CURVE_HEIGHT + 130
    patterns = "".join(
        f'<pattern id="{fate}" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" '
        f'fill="{FILL[fate]}"/><path d="{path}" stroke="{INK}" stroke-width=".5" opacity=".5"/></pattern>'
        for fate, path in HATCH.items()
    )
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" '
        f'role="img" aria-label="{escape(answer["sentence"])}" font-family="{SANS}">'
        f'<defs>{patterns}</defs><rect width="{WIDTH}" height="{height:g}" fill="{PAPER}"/>{body}</svg>\n'
    )


def _small_print(answer: Mapping[str, Any]) -> Iterator[str]:
    """The sentence to paste in lines, and by which rules and from which seed it was fought."""
    sentence = answer["sentence"].removeprefix(f"{answer['title']}: ")
    for words in (sentence, f"{answer['rules']}; seed {answer['seed']}; {answer['why'] or 'not yet ended'}."):
        line = ""
        for word in words.split():
            if len(line) + len(word) >= LETTERS:
                yield line
                line = ""
            line = f"{line} {word}".strip()
        yield line


def _text(
    x: float,
    y: float,
    words: str,
    size: int = 12,
    *,
    serif: bool = False,
    end: bool = False,
    middle: bool = False,
    colour: str = INK,
) -> str:
    anchor = "end" if end else "middle" if middle else "start"
    family = f' font-family="{SERIF}" font-weight="600"' if serif else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{family}>{escape(words)}</text>'


def _brief(chance: float) -> str:
    return percent(chance).replace("under ", "<").replace("over ", ">")


def _columns() -> Iterator[tuple[int, str]]:
    """The fates, the worst first, and in which column each stands."""
    return enumerate(reversed(FATES), start=1)


def _at(column: int) -> float:
    """Where the figures of a column end."""
    return NAMES + MARGIN + BAR + FIGURES * column


def _win(y: float, answer: Mapping[str, Any], who: str) -> str:
    """The chance that a side wins, or nobody, its interval drawn upon it."""
    win, (colour, dash) = answer["win"][who], SIDES.get(who, NOBODY)
    name = answer["sides"][who]["name"] if who in SIDES else who
    left = NAMES + MARGIN
    low, high = (left + BAR * win[end] for end in ("low", "high"))
    fill = colour if dash == "none" else "#f2dfdb" if who in SIDES else GRID
    reach = "#a47a2c" if dash == "none" else INK
    ends = "".join(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y + 4}" y2="{y + 12}"/>' for at in (low, high))
    return (
        _text(NAMES + MARGIN - 10, y + 12, does(name, "win"), end=True)
        + f'<rect x="{left}" y="{y}" width="{BAR}" height="16" fill="{EMPTY}"/>'
        + f'<rect x="{left}" y="{y}" width="{BAR * win["chance"]:.1f}" height="16" fill="{fill}" stroke="{colour}" '
        + f'stroke-dasharray="{dash}"/><g stroke="{reach}" stroke-width="2"><line x1="{low:.1f}" x2="{high:.1f}" '
        + f'y1="{y + 8}" y2="{y + 8}"/>{ends}</g>'
        + _text(left + BAR + 8, y + 12, f"{in_percent(win)} ({interval_words(win)})", 11)
    )


def _fill(fate: str) -> str:
    return FILL[fate] if fate == FATES[0] else f"url(#{fate})"


def _bar(y: float, ship: Mapping[str, Any]) -> str:
    parts = [_text(NAMES + MARGIN - 10, y + 12, f"{ship['name']} ({ship['factors']})", end=True)]
    at = float(NAMES + MARGIN)
    for fate in reversed(FATES):
        width = BAR * ship[fate]["chance"]
        if width:
            told = f"{ship['name']} {fate}: {percent(ship[fate]['chance'], 1)}"
            parts.append(
                f'<rect x="{at:.1f}" y="{y:g}" width="{width:.1f}" height="15" fill="{_fill(fate)}" stroke="{PAPER}">'
                f"<title>{escape(told)}</title></rect>"
            )
        at += width
    for column, fate in _columns():
        chance = ship[fate]["chance"]
        parts.append(_text(_at(column), y + 12, _brief(chance) if chance else "–", 11, end=True))
    return "".join(parts)


def _legend(y: float) -> str:
    parts, x = [], float(NAMES + MARGIN)
    for fate in reversed(FATES):
        parts.append(f'<rect x="{x:g}" y="{y - 11:g}" width="14" height="14" fill="{_fill(fate)}" stroke="{INK}"/>')
        parts.append(_text(x + 19, y, fate, 11))
        x += 100
    return "".join(parts)


def _curves(y: float, answer: Mapping[str, Any]) -> str:
    """Both sides' curves over one axis, who is who above, and the figures at some numbers under it."""
    curves: dict[str, Sequence[Mapping[str, float]]] = {
        side.value: sunk["at_least"]
        for side in Side
        if (sunk := answer["sides"][side.value]["losses"]["factors sunk"])["of"]  # who has ships at all
    }
    most = max((len(curve) for curve in curves.values()), default=0) or 1
    left, width, bottom = 150, WIDTH - 150 - 2 * MARGIN, y + CURVE_HEIGHT
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        at = bottom - share * CURVE_HEIGHT
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{at:g}" y2="{at:g}" stroke="{GRID}"/>')
        parts.append(_text(left - 6, at + 4, f"{share:.0%}".replace("%", " %"), 10, end=True, colour=MUTED))
    every = max(1, -(-most // MOST_FIGURES))
    numbers = range(every, most + 1, every)
    parts += [_text(left + width * at / most, bottom + 16, str(at), 10, middle=True) for at in (0, *numbers)]
    parts.append(_text(left - 6, bottom + 16, "factors", 10, end=True, colour=MUTED))
    for row, (side, curve) in enumerate(curves.items()):
        name, under = answer["sides"][side]["name"], bottom + 34 + 16 * row
        parts.append(_curve(curve, side, (left, bottom, width / most), most))
        parts.append(_key(left + 240 * row, y - 16, side, name, marked=most <= MOST_MARKS))
        parts.append(_text(left - 6, under, name[:24], 10, end=True))
        for at in numbers:
            told = _brief(curve[at - 1]["chance"]) if at <= len(curve) else "–"
            parts.append(_text(left + width * at / most, under, told, 10, middle=True))
    return "".join(parts)


def _curve(curve: Sequence[Mapping[str, float]], side: str, where: tuple[float, float, float], most: int) -> str:
    left, bottom, step = where
    colour, dash = SIDES[side]
    points = [(0, 1.0), *((number, chance["chance"]) for number, chance in enumerate(curve, start=1))]
    points += [(len(curve) + 1, 0.0)] if len(curve) < most else []
    placed = [(left + step * number, bottom - chance * CURVE_HEIGHT) for number, chance in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
    marks = "".join(_mark(side, x, y) for x, y in placed[1:]) if most <= MOST_MARKS else ""
    line = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
    return line + marks


def _mark(side: str, x: float, y: float) -> str:
    """A point of a curve: one side's round, the other's square."""
    colour, dash = SIDES[side]
    if dash == "none":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
    return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{PAPER}" stroke="{colour}" stroke-width="1.6"/>'


def _key(x: float, y: float, side: str, name: str, *, marked: bool) -> str:
    colour, dash = SIDES[side]
    line = (
        f'<line x1="{x}" x2="{x + 30}" y1="{y - 4:g}" y2="{y - 4:g}" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dash}"/>'
    )
    return line + (_mark(side, x + 15, y - 4) if marked else "") + _text(x + 37, y, name, 11)
