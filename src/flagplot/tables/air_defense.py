"""Air Defense Table (23.42) and what makes up the air defense level. Edition: current. Source: the table under 23.4213.

A row is the air defense level; a result is attacking air units eliminated and aborted. Nothing modifies the dice
(AN-23). Over 10 the row of 10 and the row of the rest are read at the same roll (AN-22).
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule
from flagplot.tables.results import Reading, Result, ResultTable, Row, as_printed

ROWS: tuple[Row, ...] = tuple(
    as_printed(line)
    for line in (
        "0    0    0    0    0    0/1  0/1  1/0  1/0  1/1  1/1",
        "0    0    0/1  0/1  1/0  1/0  1/1  1/1  1/2  1/2  2/1",
        "0/1  0/1  1/0  1/0  1/1  1/1  1/2  1/2  2/1  2/1  2/2",
        "1/0  1/0  1/1  1/1  1/2  1/2  2/1  2/1  2/2  2/2  2/3",
        "1/0  1/1  1/1  1/2  1/2  2/1  2/1  2/2  2/2  2/3  2/3",
        "1/1  1/1  1/2  1/2  2/1  2/1  2/2  2/2  2/3  2/3  3/2",
        "1/1  1/2  1/2  2/1  2/1  2/2  2/2  2/3  2/3  3/2  3/2",
        "1/2  1/2  2/1  2/1  2/2  2/2  2/3  2/3  3/2  3/2  3/3",
        "1/2  2/1  2/1  2/2  2/2  2/3  2/3  3/2  3/2  3/3  3/3",
        "2/1  2/1  2/2  2/2  2/3  2/3  3/2  3/2  3/3  3/3  3/4",
    )
)


class AirDefenseTable(ResultTable):
    """The table, ready to be read."""

    name = "air defense table"

    def __init__(self, rows: tuple[Row, ...] = ROWS) -> None:
        super().__init__(rows)

    @rule("23.42T")
    def result(self, row: int, roll: int) -> Result:
        """23.42. Attacking air units eliminated and aborted by an air defense level at a roll."""
        return super().result(row, roll)

    @rule("23.42T")
    def read(self, row: int, roll: int) -> Reading:
        """23.42. The rows read for an air defense level, and what they say."""
        return super().read(row, roll)


class AirDefenseLevel(NamedTuple):
    """What each line of the list under the table adds to the level; what surprise takes is in the Surprise Table."""

    factors_per_level: int = 10  # a part of ten counts as ten
    escort_carrier_factors: int = 3
    per_research: int = 1
    per_five_factor_battleship: int = 1
    per_large_carrier: int = 1
    per_port_or_city: int = 2
    per_flak_factor: int = 1
    per_airbase: int = 1
    per_objective: int = 1
    per_anchor: int = 1
    fortification: int = 1
    fortress: int = 2
