"""Air Combat Table (19.2). Edition: current. Source: the public copy of the table, rows 1 to 20 (SR-24).

A row is the number of squadrons, or of factors where no naval air takes part; a result is enemies eliminated and
enemies aborted. Over 20 the rows are added as on the naval attack table (SR-24).
"""

from __future__ import annotations

from flagplot.core.rulebook import rule
from flagplot.tables.results import Reading, Result, ResultTable, Row, as_printed

ROWS: tuple[Row, ...] = tuple(
    as_printed(line)
    for line in (
        "0    0    0/1  0/1  1/0  1/0  1/1  1/1  1/2  1/2  1/3",
        "0/1  0/1  1/0  1/0  1/1  1/1  1/2  1/2  1/3  1/3  2/2",
        "1/0  1/0  1/1  1/1  1/2  1/2  1/3  1/3  2/2  2/3  2/4",
        "1/1  1/1  1/2  1/2  1/3  1/3  2/2  2/3  2/4  3/3  3/4",
        "1/2  1/2  1/3  1/3  2/2  2/3  2/4  3/3  3/4  3/5  4/4",
        "1/2  1/3  1/3  2/2  2/3  2/4  3/3  3/4  3/5  4/4  4/5",
        "1/3  1/3  2/2  2/3  2/4  3/3  3/4  3/5  4/4  4/5  4/6",
        "1/3  2/2  2/3  2/4  3/3  3/4  3/5  4/4  4/5  4/6  5/5",
        "2/2  2/3  2/4  3/3  3/4  3/5  4/4  4/5  4/6  5/5  5/6",
        "2/3  2/4  3/3  3/4  3/5  4/4  4/5  4/6  5/5  5/6  5/7",
        "2/4  3/3  3/4  3/5  4/4  4/5  4/6  5/5  5/6  5/7  6/6",
        "3/3  3/4  3/5  4/4  4/5  4/6  5/5  5/6  5/7  6/6  6/7",
        "3/4  3/5  4/4  4/5  4/6  5/5  5/6  5/7  6/6  6/7  6/8",
        "3/5  4/4  4/5  4/6  5/5  5/6  5/7  6/6  6/7  6/8  7/7",
        "4/4  4/5  4/6  5/5  5/6  5/7  6/6  6/7  6/8  7/7  7/8",
        "4/5  4/6  5/5  5/6  5/7  6/6  6/7  6/8  7/7  7/8  7/9",
        "4/6  5/5  5/6  5/7  6/6  6/7  6/8  7/7  7/8  7/9  8/8",
        "5/5  5/6  5/7  6/6  6/7  6/8  7/7  7/8  7/9  8/8  8/9",
        "5/6  5/7  6/6  6/7  6/8  7/7  7/8  7/9  8/8  8/9  8/10",
        "5/7  6/6  6/7  6/8  7/7  7/8  7/9  8/8  8/9  8/10 9/9",
    )
)


class AirCombatTable(ResultTable):
    """The table, ready to be read."""

    name = "air combat table"

    def __init__(self, rows: tuple[Row, ...] = ROWS) -> None:
        super().__init__(rows)

    @rule("19.2")
    def result(self, row: int, roll: int) -> Result:
        """19.2. Enemies eliminated and aborted by this many squadrons or factors at a modified roll."""
        return super().result(row, roll)

    @rule("19.2")
    def read(self, row: int, roll: int) -> Reading:
        """19.2. The rows read for this many squadrons or factors, and what they say."""
        return super().read(row, roll)
