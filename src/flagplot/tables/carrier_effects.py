"""Carrier Effects Table (25.64, 21.5342). Editions: both. Source: the older charts, signs restored (SR-47, SR-49).

Uninverted CVEs in an SW box take from the attacker's modifier in submarine warfare and add as much to the defender's
die against raiders: both help the defender. The Atlantic is wide: there it takes twice as many.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule

BOXES = ("Atlantic", "Indian Ocean", "Pacific")


class CarrierEffect(NamedTuple):
    """One row: from how many CVEs on it holds, and what it does in the Atlantic and in the other two boxes."""

    cves: int
    atlantic: int
    elsewhere: int


ROWS: tuple[CarrierEffect, ...] = (
    CarrierEffect(0, 0, 0),
    CarrierEffect(3, 0, 1),
    CarrierEffect(6, 1, 2),
    CarrierEffect(9, 1, 3),
    CarrierEffect(12, 2, 4),
    CarrierEffect(15, 2, 4),
    CarrierEffect(18, 3, 4),
    CarrierEffect(21, 3, 4),
    CarrierEffect(24, 4, 4),
)


class CarrierEffectsTable:
    """The table, ready to be read."""

    def __init__(self, rows: tuple[CarrierEffect, ...] = ROWS) -> None:
        self.rows = rows

    @rule("CET", "25.64", "24.6")
    def submarine_warfare(self, box: str, cves: int) -> int:
        """25.64. The modifier of submarine warfare in this box: never positive."""
        return -self._amount(box, cves)

    @rule("CET", "21.5342")
    def raiders(self, box: str, cves: int) -> int:
        """21.5342. What is added to the raider die in this box: never negative."""
        return self._amount(box, cves)

    def label(self, row: int) -> str:
        """The CVEs of a row as printed."""
        first = self.rows[row].cves
        return f"{first}+" if row + 1 == len(self.rows) else f"{first}-{self.rows[row + 1].cves - 1}"

    def _amount(self, box: str, cves: int) -> int:
        if box not in BOXES:
            raise ValueError(f"there is no SW box {box!r}; there are {', '.join(BOXES)}")
        if cves < 0:
            raise ValueError(f"{cves} is no number of CVEs")
        row = next(row for row in reversed(self.rows) if row.cves <= cves)
        return row.atlantic if box == "Atlantic" else row.elsewhere
