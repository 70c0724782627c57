"""Submarine Attack Table (22.94) and the limits of its modifiers. Edition: current, and 2008 from the charts.

Columns are modified rolls 2 to 10, in 2008 to 12; a lower roll reads column 2, which loses the submarine (RC-71), a
higher one the last.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule

FIRST_COLUMN = 2


class SubmarineResult(NamedTuple):
    """What one submarine factor achieved: hits, or its own loss."""

    hits: int
    submarine_lost: bool
    column: int


class SubmarineAttackTable(NamedTuple):
    """The table, ready to be read, and the limits printed under it."""

    hits: tuple[int, ...] = (0, 0, 0, 1, 1, 2, 2, 3, 3)  # for rolls 2 to 10
    lost_column: int = 2
    most_italic: int = 2  # either way, for each of the categories in italics
    most_overall: int = 4  # either way, for all together
    advanced: int = 1  # the whole modifier of advanced submarines
    per: int = 3  # units that make one point

    @property
    def columns(self) -> range:
        """The columns as printed; the last stands for higher rolls too."""
        return range(FIRST_COLUMN, FIRST_COLUMN + len(self.hits))

    @rule("22.94T")
    def read(self, roll: int) -> SubmarineResult:
        """22.94. What a modified roll says (RC-71)."""
        column = min(self.columns[-1], max(FIRST_COLUMN, roll))
        return SubmarineResult(self.hits[column - FIRST_COLUMN], column <= self.lost_column, column)


OF_2008 = SubmarineAttackTable(hits=(0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5))
