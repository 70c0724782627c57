"""Where output goes and where answers come from: colour for people, plain lines for pipes, JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

PIPED_WIDTH = 100
RULE = r"\(\d+\.\d+[A-Z]?[\w.]*(?:, an input)?\)"  # a rule number in brackets, as sentences cite it
THEME = Theme(
    {
        "own": "color(32)",
        "own.mark": "bold color(32)",
        "foe": "color(167)",
        "foe.mark": "bold color(167)",
        "rule": "color(136)",
        "rule.mark": "bold color(136)",
        "good": "color(71)",
        "quiet": "dim",
        "heading": "bold",
        "refusal": "bold color(167)",
    }
)


class EndOfInput(Exception):
    """There are no more lines to read."""


def console() -> Console:
    """A console for whatever standard output is now."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    fixed = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(theme=THEME, highlight=False, width=fixed)


def wants_json(asked: bool) -> bool:
    """Whether a listing is printed as JSON: when asked for, or when nobody looks at it."""
    return asked or not sys.stdout.isatty()


def print_json(value: Any) -> None:
    """One JSON value, readable."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_json_line(value: Any) -> None:
    """One JSON value on a line of its own, sent at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def with_rules(text: str, style: str = "") -> Text:
    """A sentence with the rule numbers it cites picked out."""
    shown = Text(text, style=style)
    shown.highlight_regex(RULE, "rule")
    return shown


def say(out: Console, lead: Text, text: Text, width: int = 2) -> None:
    """A text whose further lines stand under its first, clear of what leads it; one long line in a pipe."""
    if not out.is_terminal:
        out.print(Text.assemble(lead, " " * (width - lead.cell_len), text), soft_wrap=True)
        return
    grid = Table.grid()
    grid.add_column(width=width)
    grid.add_column()
    grid.add_row(lead, text)
    out.print(grid)


def print_flow(out: Console, flow: Flow) -> None:
    """Pieces on as few lines as the terminal allows, on one line in a pipe."""
    if out.is_terminal:
        out.print(flow)
    else:
        out.print(flow.text, soft_wrap=True)


class Flow:
    """Pieces side by side, as many on a line as fit; a piece is never broken across lines unless it must be."""

    def __init__(self, pieces: Iterable[Text], gap: int = 2) -> None:
        self.pieces = [piece for piece in pieces if piece.plain]
        self.gap = gap

    @property
    def text(self) -> Text:
        """The pieces on one line."""
        return Text(" " * self.gap).join(self.pieces)

    def __rich_console__(self, out: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for piece in self.pieces:
            if line and line.cell_len + self.gap + piece.cell_len > options.max_width:
                yield line
                line = Text()
            line = Text.assemble(line, " " * self.gap if line else "", piece)
        yield line

    def __rich_measure__(self, out: Console, options: ConsoleOptions) -> Measurement:
        widths = [piece.cell_len for piece in self.pieces] or [0]
        total = sum(widths) + self.gap * (len(widths) - 1)
        return Measurement(min(max(widths), options.max_width), min(total, options.max_width))


class Reader:
    """Reads answers: from a person with line editing, or line by line from a pipe."""

    def __init__(self, out: Console, *, silent: bool = False) -> None:
        self.out = out
        self.silent = silent
        self.interactive = sys.stdin.isatty() and not silent
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")  # whatever is piped in, a wrong byte is only a wrong answer
        if self.interactive:
            with suppress(ImportError):  # not every Python has it
                import readline  # noqa: F401  (editing and history for input())

    def line(self, prompt: str) -> str:
        """The next line, or EndOfInput. A piped line is shown after its prompt, so that the output reads as a session."""
        if self.interactive:
            try:
                return input(f"{prompt} ").strip()
            except EOFError:
                raise EndOfInput from None
        line = sys.stdin.readline()
        if not line:
            raise EndOfInput
        if not self.silent:
            self.out.print(Text(f"{prompt} {line.strip()}"), soft_wrap=True)
        return line.strip()
