"""Naval Repair and Construction Costs (27.721, 27.7262). Editions: both. Source: the older charts (SR-47, SR-50).

Turns and shipbuilding points to repair a damaged unit and to build a new one; no turns means at once. A unit of one
factor is never damaged, transports apart, which are repaired at once and free.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule


class Cost(NamedTuple):
    """Turns in a yard, and shipbuilding points."""

    turns: int
    shipbuilding: int


class RepairRow(NamedTuple):
    """One row: what repair costs, None if the unit is never damaged, and what a new one costs."""

    repair: Cost | None
    new: Cost


ROWS: dict[str, RepairRow] = {
    "transport": RepairRow(Cost(0, 0), Cost(0, 1)),
    "submarine": RepairRow(None, Cost(0, 1)),
    "ASW": RepairRow(None, Cost(0, 1)),
    "destroyer": RepairRow(None, Cost(1, 1)),
    "CVE": RepairRow(None, Cost(1, 1)),
    "cruiser": RepairRow(Cost(1, 0), Cost(2, 2)),
    "2-factor": RepairRow(Cost(2, 1), Cost(4, 2)),
    "3-factor": RepairRow(Cost(2, 1), Cost(8, 3)),
    "4-factor": RepairRow(Cost(2, 1), Cost(12, 4)),
    "5-factor": RepairRow(Cost(2, 1), Cost(16, 5)),
}
FACTORS = {
    "transport": 1,
    "submarine": 1,
    "ASW": 1,
    "destroyer": 1,
    "CVE": 1,
    "cruiser": 2,
    "2-factor": 2,
    "3-factor": 3,
    "4-factor": 4,
    "5-factor": 5,
}


class RepairTable:
    """The table, ready to be read, and the numbers under it."""

    def __init__(self, rows: dict[str, RepairRow] | None = None) -> None:
        self.rows = ROWS if rows is None else rows
        self.raising = Cost(0, 1)  # 27.7262: a named ship sunk in port
        self.raising_brps = 3
        self.accelerated_from = 3  # factors
        self.cve_builders = ("United States",)

    @rule("27.721")
    def row(self, unit: str) -> RepairRow:
        """27.721. The row of a kind of unit."""
        if unit not in self.rows:
            raise ValueError(f"the repair table has no row for {unit!r}; it has {', '.join(self.rows)}")
        return self.rows[unit]

    @rule("27.721")
    def factors(self, unit: str) -> int:
        """27.721. How many factors such a unit has."""
        self.row(unit)
        return FACTORS[unit]
