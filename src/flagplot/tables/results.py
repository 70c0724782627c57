"""What the tables of air fighting share (19.2, 23.42): results of eliminated and aborted, and how rows are added.

Rows are numbered from 1; columns are rolls 2 to 12, a lower roll reads column 2, a higher one column 12. Beyond the
last row that row is read as often as it fits and the row of the remainder is added term by term, all at the same roll.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

FIRST_COLUMN = 2
LAST_COLUMN = 12
MOST = 1000  # far beyond any battle; a mistyped figure is refused rather than added up


class Result(NamedTuple):
    """One cell: how many are eliminated, how many abort."""

    eliminated: int
    aborted: int

    def __str__(self) -> str:
        """As printed: both numbers, or a plain 0."""
        return f"{self.eliminated}/{self.aborted}" if any(self) else "0"


Row = tuple[Result, ...]


def as_printed(line: str) -> Row:
    """A row of cells from its printed form: `0 0/1 1/0 ...`."""
    cells = (cell.split("/") if "/" in cell else (cell, "0") for cell in line.split())
    return tuple(Result(int(eliminated), int(aborted)) for eliminated, aborted in cells)


class Reading(NamedTuple):
    """What was read: the rows, the column, the result of each row."""

    rows: tuple[str, ...]
    column: int
    results: tuple[Result, ...]

    @property
    def eliminated(self) -> int:
        """All eliminated together."""
        return sum(result.eliminated for result in self.results)

    @property
    def aborted(self) -> int:
        """All aborted together."""
        return sum(result.aborted for result in self.results)

    @property
    def result(self) -> Result:
        """The results of all rows, added term by term."""
        return Result(self.eliminated, self.aborted)


class ResultTable:
    """A table of results, ready to be read. Within the printed rows a look-up costs two subscriptions."""

    name: ClassVar[str] = "table of results"

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows

    def result(self, row: int, roll: int) -> Result:
        """Eliminated and aborted, all rows together."""
        if 1 <= row <= len(self.rows):
            return self.rows[row - 1][_column(roll) - FIRST_COLUMN]
        return ResultTable.read(self, row, roll).result

    def read(self, row: int, roll: int) -> Reading:
        """The rows read, and what they say."""
        if row < 1:
            raise ValueError(f"the {self.name} has no row for {row}: its rows begin at 1")
        if row > MOST:
            raise ValueError(f"the {self.name} is not read for more than {MOST}")
        last = len(self.rows)
        read = [last] * (row // last) + ([row % last] if row % last else [])
        column = _column(roll)
        results = tuple(self.rows[number - 1][column - FIRST_COLUMN] for number in read)
        return Reading(tuple(map(str, read)), column, results)


def _column(roll: int) -> int:
    return min(LAST_COLUMN, max(FIRST_COLUMN, roll))
