"""Air Range Effects Table (17.72, 17.82). Editions: both. Source: the older charts, two cells restored (SR-47, SR-48).

A row is the number of air range results a side has achieved, three being the most in a game. Ranges are hexes by
theatre; bombers have one column, interceptors that escort or defend another. The last number helps its owner in the SW
boxes: against or with submarines, and for the defender against raiders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.core.rulebook import rule

MOST_RESULTS = 3
RESULT_NEEDED = 10  # a research result of ten or more is an air range result


class AirRange(NamedTuple):
    """One row: ranges by theatre, and the amount in the SW boxes."""

    bombers: Mapping[str, int]
    interceptors: Mapping[str, int]
    sw: int


ROWS: tuple[AirRange, ...] = (
    AirRange({"Europe": 4, "Pacific": 3}, {"Europe": 4, "Pacific": 3}, 0),
    AirRange({"Europe": 8, "Pacific": 6}, {"Europe": 4, "Pacific": 3}, 1),
    AirRange({"Europe": 16, "Pacific": 12}, {"Europe": 8, "Pacific": 6}, 2),
    AirRange({"Europe": 24, "Pacific": 18}, {"Europe": 12, "Pacific": 9}, 3),
)


class AirRangeTable:
    """The table, ready to be read, and what goes with it: the range of army air, hexes of excess for each modifier."""

    def __init__(self, rows: tuple[AirRange, ...] = ROWS) -> None:
        self.rows = rows
        self.army_air: Mapping[str, int] = {"Europe": 4, "Pacific": 3}  # 26.422, 26.443B: research does not lengthen it
        self.excess: Mapping[str, int] = {"Europe": 8, "Pacific": 4}  # 26.461B

    @rule("ARE", "17.72", "17.82", "26.421", "26.431")
    def read(self, results: int) -> AirRange:
        """ARE. The row for this many air range results."""
        if not 0 <= results < len(self.rows):
            raise ValueError(f"a side has from 0 to {MOST_RESULTS} air range results, not {results}")
        return self.rows[results]
