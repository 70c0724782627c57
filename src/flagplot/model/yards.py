"""Ships under repair or construction, as places on the construction chart (26.76, 27.72).

The chart has a column for each season and rows Launch, 2, 3, 4, 5; Launch is row 1 (SR-38). We do not hold 27.72: how
yards are filled is an input, how long a ship takes is in the repair table (27.721).
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side
from flagplot.model.strategic_war import SEASONS

LAUNCH = 1


class YardShip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ship in a yard: her size in factors, whose she is, and where she stands on the chart."""

    id: str
    side: Side
    size: int
    column: str
    row: int = LAUNCH


def season_after(season: str, turns: int = 1) -> str:
    """The season so many turns later."""
    return SEASONS[(SEASONS.index(season) + turns) % len(SEASONS)]
