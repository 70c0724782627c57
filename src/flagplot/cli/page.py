"""Where commands tell their answers: headings, sentences, lines of a breakdown, dice.

The law here: how it looks, and nothing of what it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from flagplot.cli.terminal import say, with_rules
from flagplot.play.wording import signed


class Page:
    """Where an answer is told."""

    def __init__(self, out: Console) -> None:
        self.out = out

    def heading(self, text: str) -> None:
        """What comes next."""
        self.out.print(with_rules(f"\n{text}", "heading"))

    def say(self, text: str, bar: str = "", style: str = "") -> None:
        """A sentence, with a bar in a side's colour before it or without."""
        say(self.out, Text("▌ " if bar else "  ", style=bar), with_rules(text, style))

    def lines(self, lines: Iterable[Sequence[Any]]) -> None:
        """A breakdown: amount, reason and rule."""
        told = [(signed(amount), f"{reason} ({rule})") for rule, reason, amount in lines]
        for amount, reason in told or [("", "no modifiers")]:
            say(self.out, Text(f"{amount:>6}  ", style="heading"), with_rules(reason), 8)

    def facts(self, assumed: Sequence[str]) -> None:
        """What nobody said, and how it was taken."""
        if assumed:
            self.say(f"Not said, so taken: {'; '.join(assumed).removesuffix('.')}.", style="quiet")

    def dice(self, used: Sequence[int], unused: Sequence[int], how: str) -> None:
        """The dice in their order, and those nobody needed."""
        self.heading("Dice")
        told = f"{' '.join(map(str, used)) or 'None were needed'} ({how})"
        self.say(told)
        if unused:
            self.say(f"Not used: {' '.join(map(str, unused))} ({len(unused)} too many)", style="refusal")
