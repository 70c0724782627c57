"""Outcomes counted: how often each number of a row had each value, and how the losses of both sides went together.

The law here: counts only, so that tallies of parts add up to the tally of the whole in any order. Chances are given with
an interval that holds in nineteen of twenty samples (Wilson).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flagplot.core.sides import Side
from flagplot.odds.outcomes import BROKEN_OFF, Columns

CERTAINTY = 1.959964  # standard errors to each side: 95 in a hundred


class Chance(NamedTuple):
    """A chance as it was sampled, and the interval it lies in nineteen times of twenty."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.high - self.low


def chance(times: int, of: int) -> Chance:
    """The chance of what happened so many times."""
    if not of:
        return Chance(0.0, 0.0, 1.0)
    share, square = times / of, CERTAINTY**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    reach = CERTAINTY * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return Chance(share, max(0.0, middle - reach), min(1.0, middle + reach))


class Tally:
    """Counts of outcomes."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.battles = 0  # that came to an end
        self.endless = 0  # that did not
        self.victor = columns.index("victor")
        self.starts: list[int] = []
        at = 0
        for column in columns.columns:
            self.starts.append(at)
            at += column.most + 1
        self.counts: NDArray[np.int64] = np.zeros(at, np.int64)
        self.lost = [columns.index(what, side) for what, side in zip(columns.prices, Side, strict=True)]
        sizes = [columns.columns[index].most + 1 for index in self.lost]
        self.joint: NDArray[np.int64] = np.zeros(sizes, np.int64)

    def add_rows(self, rows: NDArray[np.int64]) -> None:
        """Count rows of outcomes; of battles that were broken off, how many they are and nothing else."""
        ended = rows[rows[:, self.victor] != BROKEN_OFF]
        self.endless += len(rows) - len(ended)
        rows = ended
        self.battles += len(rows)
        flat = rows + np.array(self.starts, np.int64)
        self.counts += np.bincount(flat.ravel(), minlength=len(self.counts))
        one, two = (rows[:, index] for index in self.lost)
        together = np.bincount(one * self.joint.shape[1] + two, minlength=self.joint.size)
        self.joint += together.reshape(self.joint.shape)

    def __iadd__(self, other: Tally) -> Tally:
        self.battles += other.battles
        self.endless += other.endless
        self.counts += other.counts
        self.joint += other.joint
        return self

    def times(self, index: int) -> NDArray[np.int64]:
        """How often a number had each value, from nothing up."""
        return self.counts[self.starts[index] : self.starts[index] + self.columns.columns[index].most + 1]

    def chance(self, index: int, value: int) -> Chance:
        """The chance of a value."""
        return chance(int(self.times(index)[value]), self.battles)

    def at_least(self, index: int) -> list[Chance]:
        """The chance of so much or more, from nothing up."""
        down = np.cumsum(self.times(index)[::-1])[::-1]
        return [chance(int(times), self.battles) for times in down]

    def mean(self, index: int) -> float:
        """The average."""
        times = self.times(index)
        return float(times @ np.arange(len(times)) / self.battles) if self.battles else 0.0

    def victory(self, side: Side) -> Chance:
        """The chance that a side wins."""
        return self.chance(self.victor, 1 + list(Side).index(side))

    @property
    def width(self) -> float:
        """How wide the widest interval is: of a victory; of an attack, which nobody wins, of what becomes of a ship or group."""
        if self.columns.decisive:
            return max(self.victory(side).width for side in Side)
        told = [(index, column.most) for what in ("ship", "group") for index, column in self.columns.of(what)]
        widths = [self.chance(index, value).width for index, most in told for value in range(most + 1)]
        return max(widths, default=0.0)
