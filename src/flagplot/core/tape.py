"""The recording: every input the rules consumed, in order.

A tape entry is [tag, who, answer, check]. `check` sums up everything that had happened when it was asked: a running
hash of the log, keyed with a secret of the game, since an unkeyed hash over six numbered groups falls to 720 guesses.

A journal holds what was done, undoing and amendments included; `tape(journal)` folds it into the entries that count, and that is all
the runner ever sees. A roll line records its first draw number and the dice themselves. Draw numbers only grow, so a
draw that was undone is never used again. Lines about where dice come from (commit, open, link, typed, reveal) are no inputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from flagplot.core.errors import SaveError
from flagplot.core.forms import Wire

DICE = "dice"
AMENDMENT = "amendment"  # who an entry is from, and its tag, where both sides agreed to put something right


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One input: what was asked, who answered (a side, or the dice), the answer, the check."""

    tag: str
    who: str
    answer: Wire
    check: str = ""


class Answered(msgspec.Struct, frozen=True, tag="answer", tag_field="line", forbid_unknown_fields=True):
    """A side's decision."""

    tag: str
    who: str
    answer: Wire
    check: str


class Rolled(msgspec.Struct, frozen=True, tag="roll", tag_field="line", forbid_unknown_fields=True):
    """Dice: where they came from, the number of the first draw, and what they showed."""

    tag: str
    source: str
    draw: int
    dice: list[int]
    check: str


class Undone(msgspec.Struct, frozen=True, tag="undo", tag_field="line", forbid_unknown_fields=True):
    """The game was taken back to its first `entries` inputs; `agreed` if that passed the barrier.

    `shown` are those who had been told of something that is gone now: a side by its name, "public" for everyone.
    """

    who: str
    entries: int
    agreed: bool = False
    shown: tuple[str, ...] = ()


class Amended(msgspec.Struct, frozen=True, tag="amend", tag_field="line", forbid_unknown_fields=True):
    """Something put right by agreement: who proposed it, what it is, in data and in his words, and who agreed.

    `agreed` is empty where nobody else plays. What `change` means is no business of the recording.
    """

    who: str
    change: Wire
    words: str
    agreed: tuple[str, ...]
    check: str

    @property
    def wire(self) -> Wire:
        """As the rules are handed it."""
        return {"by": self.who, "agreed": list(self.agreed), "change": self.change, "words": self.words}


class Committed(msgspec.Struct, frozen=True, tag="commit", tag_field="line", forbid_unknown_fields=True):
    """A side binds itself to its share of the dice before it is opened; `by` is its own page, or the server for it."""

    who: str
    commitment: str
    by: str


class Opened(msgspec.Struct, frozen=True, tag="open", tag_field="line", forbid_unknown_fields=True):
    """A side's share of the dice, opened."""

    who: str
    share: str


class Linked(msgspec.Struct, frozen=True, tag="link", tag_field="line", forbid_unknown_fields=True):
    """The next link of a side's chain, for the roll that is due, where dice are strict."""

    who: str
    link: str


class Typed(msgspec.Struct, frozen=True, tag="typed", tag_field="line", forbid_unknown_fields=True):
    """Real dice for the roll that is due, as one side read them."""

    who: str
    dice: list[int]


class Revealed(msgspec.Struct, frozen=True, tag="reveal", tag_field="line", forbid_unknown_fields=True):
    """The host's secret, when all has ended (`over`) or was closed before its end (`closed`): the half of each side.

    `draws` is how many dice were drawn, `check` sums up all that had happened, and `sums` has a short sum of each line
    of the file before this one, the header first.
    """

    ended: str
    axis: str
    allies: str
    draws: int
    check: str
    sums: list[str]


DiceLine: TypeAlias = Committed | Opened | Linked | Typed | Revealed
Line: TypeAlias = Answered | Rolled | Undone | Amended | DiceLine


def tape(journal: Iterable[Line]) -> list[Entry]:
    """The inputs that count, undoing folded away."""
    entries: list[Entry] = []
    for number, line in enumerate(journal, start=1):
        if isinstance(line, Answered):
            entries.append(Entry(line.tag, line.who, line.answer, line.check))
        elif isinstance(line, Rolled):
            entries.append(Entry(line.tag, DICE, line.dice, line.check))
        elif isinstance(line, Amended):
            entries.append(Entry(AMENDMENT, AMENDMENT, line.wire, line.check))
        elif isinstance(line, Undone):
            if not 0 <= line.entries < len(entries):
                why = f"takes back to entry {line.entries}, but there are {len(entries)}"
                raise SaveError(f"journal line {number} {why}")
            del entries[line.entries :]
    return entries


def draws(journal: Iterable[Line]) -> int:
    """How many dice were ever drawn, undone ones included."""
    return max((line.draw + len(line.dice) for line in journal if isinstance(line, Rolled)), default=0)
