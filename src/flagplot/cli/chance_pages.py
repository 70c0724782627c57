"""Chances told to people: one number row by row with bars, the others in a line each; and what such commands share.

The law here: everything told comes out of the answers of the public API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.table import Table
from rich.text import Text

from flagplot.api.chances import bands, exact, within
from flagplot.cli.page import Page
from flagplot.cli.step_dice import the_dice
from flagplot.core.errors import PlayerError
from flagplot.play.wording import listed, percent_in_table

BARS = 24  # characters of the longest bar
MOST_IN_LINE = 6  # different numbers
EIGHTHS = " ▏▎▍▌▋▊▉"


def typed_dice(roll: str | None, more: Sequence[str] | None) -> list[int]:
    """The dice that were typed, none if there are none."""
    return the_dice(roll, more, None).dice if roll is not None or more else []


def signed_number(text: str | None, option: str, most: int = 99) -> int | None:
    """A number with or without a sign, None if nothing was typed."""
    if text is None:
        return None
    try:
        given = int(text)
    except ValueError:
        given = most + 1
    if abs(given) > most:
        raise PlayerError(f"{option} {text[:40]!r} will not do: give a number from -{most} to {most}")
    return given


def average(quantity: Mapping[str, Any]) -> str:
    """What a number comes to on the average."""
    return f"{quantity['expected']:.1f}" if quantity["expected"] >= 10 else f"{quantity['expected']:.2f}"


def _bar(share: Fraction) -> str:
    eighths = round(share * BARS * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip() if eighths else "▏"


def rows_of(page: Page, title: str, quantity: Mapping[str, Any]) -> None:
    """A number with its chances row by row."""
    page.heading(f"{title}: {average(quantity)} on the average")
    chances = exact(quantity)
    rows = bands(chances)
    longest = max(here for _, here, _ in rows)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for heading in ("", "", "chance", "or more"):
        table.add_column(heading, justify="right", style="" if heading != "or more" else "quiet")
    table.add_column("")
    for label, here, more in rows:
        bar = Text(_bar(here / longest) if here else "", style="own")
        table.add_row("  ", label, percent_in_table(here), percent_in_table(more), bar)
    page.out.print(table)


def line_of(page: Page, title: str, quantity: Mapping[str, Any], bar: str = "") -> None:
    """A number with its chances in a line."""
    chances = exact(quantity)
    if len(chances) == 1:
        (number,) = chances
        page.say(f"{title}: {number}, whatever is rolled.", bar)
        return
    rows = bands(chances)
    if len([here for _, here, _ in rows if here]) > MOST_IN_LINE:
        low, high = within(chances)
        page.say(
            f"{title}: {average(quantity)} on the average, {low} to {high} nine times out of ten, "
            f"{max(chances)} at most.",
            bar,
        )
        return
    told = listed([f"{label} in {percent_in_table(here)}" for label, here, _ in rows if here])
    page.say(f"{title}: {told}; {average(quantity)} on the average.", bar)


def combat_told(dice: Sequence[int], modifier: int, result: str) -> str:
    """A roll with its modifier and the result it reads: 4 and 3, +2: 9, 1/5."""
    if not dice:
        return "no roll"
    sign = f" {'+' if modifier > 0 else '−'} {abs(modifier)}" if modifier else ""
    return f"{' + '.join(map(str, dice))}{sign} = {sum(dice) + modifier}: {result}"
