"""Naval Attack Table (20.51, 22.55, 23.44). Edition: current.

Source: the copy in 22 for rows of 1 to 25 fleet factors, the copy in 23 for the rows up to 58-60 (RC-19). Columns are
modified dice rolls 2 to 12; a lower roll reads column 2, a higher one column 12. Over 60 fleet factors, or over 20 air
squadrons, the last row is read as often as it fits and the row of the remainder is added, all at the same roll.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule


class Row(NamedTuple):
    """A row: air squadrons (0: no air row), the fleet factors it covers, and hits for rolls 2 to 12."""

    squadrons: int
    lowest: int
    highest: int
    hits: tuple[int, ...]

    @property
    def label(self) -> str:
        """The fleet factors as printed."""
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"


# fmt: off
ROWS: tuple[Row, ...] = (
    Row(0, 1, 1, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1)),
    Row(0, 2, 2, (0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2)),
    Row(1, 3, 3, (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2)),
    Row(0, 4, 4, (0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3)),
    Row(2, 5, 6, (0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3)),
    Row(3, 7, 9, (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4)),
    Row(4, 10, 12, (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5)),
    Row(5, 13, 15, (2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6)),
    Row(6, 16, 18, (2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6)),
    Row(7, 19, 21, (2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7)),
    Row(8, 22, 24, (3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)),
    Row(9, 25, 27, (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8)),
    Row(10, 28, 30, (3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8)),
    Row(11, 31, 33, (4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9)),
    Row(12, 34, 36, (4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9)),
    Row(13, 37, 39, (5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10)),
    Row(14, 40, 42, (5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10)),
    Row(15, 43, 45, (6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11)),
    Row(16, 46, 48, (6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11)),
    Row(17, 49, 51, (7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12)),
    Row(18, 52, 54, (7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12)),
    Row(19, 55, 57, (8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13)),
    Row(20, 58, 60, (8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13)),
)
# fmt: on

MOST_FACTORS = ROWS[-1].highest
MOST_SQUADRONS = ROWS[-1].squadrons


class Reading(NamedTuple):
    """What was read: the rows, the column, the hits of each row."""

    rows: tuple[str, ...]
    column: int
    hits_by_row: tuple[int, ...]

    @property
    @rule("20.51", "22.55T")
    def hits(self) -> int:
        """All hits together."""
        return sum(self.hits_by_row)


class NavalAttackTable:
    """The table, ready to be read. Look-ups are by index: one roll costs one subscription."""

    def __init__(self, rows: tuple[Row, ...] = ROWS) -> None:
        self.rows = rows
        self._by_factors = {n: row for row in rows for n in range(row.lowest, row.highest + 1)}
        self._by_squadrons = {row.squadrons: row for row in rows if row.squadrons}

    @rule("20.51", "22.55T")
    def hits(self, factors: int, roll: int) -> int:
        """Hits scored by fleet factors at a modified roll."""
        column = min(12, max(2, roll)) - 2
        row = self._by_factors.get(factors)
        return row.hits[column] if row else self.read_fleet(factors, roll).hits

    @rule("20.51", "22.55T")
    def read_fleet(self, factors: int, roll: int) -> Reading:
        """The rows read for fleet factors, and what they say."""
        rows = self._rows(factors, self._by_factors, MOST_FACTORS)
        return self._reading(rows, roll, tuple(row.label for row in rows))

    @rule("20.51", "22.55T", "23.44T")
    def read_air(self, squadrons: int, roll: int) -> Reading:
        """The rows read for air squadrons, and what they say."""
        rows = self._rows(squadrons, self._by_squadrons, MOST_SQUADRONS)
        return self._reading(rows, roll, tuple(str(row.squadrons) for row in rows))

    @staticmethod
    def _rows(strength: int, rows: dict[int, Row], most: int) -> list[Row]:
        if strength < 1:
            raise ValueError(f"the naval attack table has no row for {strength}: its rows begin at 1")
        read = [rows[most]] * (strength // most)
        if strength % most:
            read.append(rows[strength % most])
        return read

    @staticmethod
    def _reading(rows: list[Row], roll: int, labels: tuple[str, ...]) -> Reading:
        column = min(12, max(2, roll))
        return Reading(labels, column, tuple(row.hits[column - 2] for row in rows))
