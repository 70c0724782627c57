"""SW Combat Table (24.62). Edition: current. Source: the table under 24.62, put back in order (SR-01).

A row is the number of SW factors, a column the modified roll 2 to 12; a lower roll reads column 2, a higher one column
12 (24.67, SR-02). Over 30 factors row 30 is read as often as it fits and the row of the remainder is added, all at the
same roll (24.621, SR-03). No factors make no roll: the result is 0/0 (SR-04).
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule

FIRST_COLUMN = 2
LAST_COLUMN = 12
MOST = 1000  # far beyond any war; a mistyped figure is refused rather than added up


class SwResult(NamedTuple):
    """One cell: the number before the stroke and the number after it."""

    before: int
    after: int

    def __str__(self) -> str:
        """Both numbers, as printed."""
        return f"{self.before}/{self.after}"


NOTHING = SwResult(0, 0)


def _as_printed(line: str) -> tuple[SwResult, ...]:
    cells = (cell.split("/") if "/" in cell else (cell, "0") for cell in line.split())
    return tuple(SwResult(int(before), int(after)) for before, after in cells)


ROWS: tuple[tuple[SwResult, ...], ...] = tuple(
    _as_printed(line)
    for line in (
        "0    0    0    0    0    0    0    0/1  0/1  0/2  1/1",
        "0    0    0    0    0/1  0/1  0/1  0/2  0/2  1/1  1/2",
        "0    0    0/1  0/1  0/2  0/2  0/2  1/1  1/1  1/2  1/3",
        "0    0/1  0/2  0/2  1/1  1/1  1/1  1/2  1/2  1/3  1/4",
        "0/1  0/2  1/1  1/1  1/2  1/2  1/2  1/3  1/3  1/4  1/5",
        "0/2  1/1  1/2  1/2  1/3  1/3  1/3  1/4  1/4  1/5  1/6",
        "1/1  1/2  1/3  1/3  1/4  1/4  1/4  1/5  1/5  1/6  2/5",
        "1/2  1/3  1/4  1/4  1/5  1/5  1/5  1/6  1/6  2/5  2/6",
        "1/3  1/4  1/5  1/5  1/6  1/6  1/6  2/5  2/5  2/6  2/7",
        "1/4  1/5  1/6  1/6  2/5  2/5  2/5  2/6  2/6  2/7  2/8",
        "1/5  1/6  2/5  2/5  2/6  2/6  2/6  2/7  2/7  2/8  3/7",
        "1/6  2/5  2/6  2/6  2/7  2/7  2/7  2/8  2/8  3/7  3/8",
        "2/5  2/6  2/7  2/7  2/8  2/8  2/8  3/7  3/7  3/8  3/9",
        "2/6  2/7  2/8  2/8  3/7  3/7  3/7  3/8  3/8  3/9  4/8",
        "2/7  2/8  3/7  3/7  3/8  3/8  3/8  3/9  3/9  4/8  4/9",
        "2/8  3/7  3/8  3/8  3/9  3/9  3/9  4/8  4/8  4/9  4/10",
        "3/7  3/8  3/9  3/9  4/8  4/8  4/8  4/9  4/9  4/10 5/9",
        "3/8  3/9  4/8  4/8  4/9  4/9  4/9  4/10 4/10 5/9  5/10",
        "3/9  4/8  4/9  4/9  4/10 4/10 4/10 5/9  5/9  5/10 5/11",
        "4/8  4/9  4/10 4/10 5/9  5/9  5/9  5/10 5/10 5/11 6/10",
        "4/9  4/10 5/9  5/9  5/10 5/10 5/10 5/11 5/11 6/10 6/11",
        "4/10 5/9  5/10 5/10 5/11 5/11 5/11 6/10 6/10 6/11 6/12",
        "5/9  5/10 5/11 5/11 6/10 6/10 6/10 6/11 6/11 6/12 7/11",
        "5/10 5/11 6/10 6/10 6/11 6/11 6/11 6/12 6/12 7/11 7/12",
        "5/11 6/10 6/11 6/11 6/12 6/12 6/12 7/11 7/11 7/12 7/13",
        "6/10 6/11 6/12 6/12 7/11 7/11 7/11 7/12 7/12 7/13 8/12",
        "6/11 6/12 7/11 7/11 7/12 7/12 7/12 7/13 7/13 8/12 8/13",
        "6/12 7/11 7/12 7/12 7/13 7/13 7/13 8/12 8/12 8/13 8/14",
        "7/11 7/12 7/13 7/13 8/12 8/12 8/12 8/13 8/13 8/14 9/13",
        "7/12 7/13 8/12 8/12 8/13 8/13 8/13 8/14 8/14 9/13 9/14",
    )
)


class SwReading(NamedTuple):
    """What was read: the rows, the column, the result of each row."""

    rows: tuple[int, ...]
    column: int
    results: tuple[SwResult, ...]

    @property
    def result(self) -> SwResult:
        """The results of all rows, added term by term."""
        return SwResult(sum(each.before for each in self.results), sum(each.after for each in self.results))


class SwCombatTable:
    """The table, ready to be read. Within the printed rows a look-up costs two subscriptions."""

    name = "SW combat table"

    def __init__(self, rows: tuple[tuple[SwResult, ...], ...] = ROWS) -> None:
        self.rows = rows

    @rule("24.62", "24.621", "24.67")
    def result(self, factors: int, roll: int) -> SwResult:
        """24.62. Both numbers for this many SW factors at a modified roll, all rows together."""
        if 1 <= factors <= len(self.rows):
            return self.rows[factors - 1][_column(roll) - FIRST_COLUMN]
        return self.read(factors, roll).result

    @rule("24.62", "24.621", "24.67")
    def read(self, factors: int, roll: int) -> SwReading:
        """24.62. The rows read for this many SW factors, and what each says; none for no factors (SR-04)."""
        if not 0 <= factors <= MOST:
            raise ValueError(f"the {self.name} is read for 0 to {MOST} SW factors, not {factors}")
        last = len(self.rows)
        read = [last] * (factors // last) + ([factors % last] if factors % last else [])
        column = _column(roll)
        results = tuple(self.rows[number - 1][column - FIRST_COLUMN] for number in read)
        return SwReading(tuple(read), column, results)


def _column(roll: int) -> int:
    return min(LAST_COLUMN, max(FIRST_COLUMN, roll))
