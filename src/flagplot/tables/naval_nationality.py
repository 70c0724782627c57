"""Naval Nationality Chart (22.552A, 23.441B). Edition: current. Source: the chart under 22.552A.

A nation that the chart does not list has 0 (RC-53).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NATIONS: dict[str, int] = {
    "Japan": 3,
    "Germany": 2,
    "Britain": 2,
    "United States": 2,
    "Sweden": 2,
    "Australia": 2,
    "Italy": 1,
    "France": 1,
    "Russia": 0,
    "Greece": 0,
    "Rumania": 0,
    "Spain": 0,
    "Turkey": 0,
    "Dutch East Indies": 0,
}

FIVE_FACTOR_BATTLESHIP = 1
GERMAN_SUBMARINE = 1
CARRIER = {"CV": -2, "CVE": -2, "CVB": -1}
LIGHT_CARRIER = {"Japan": -2, "United States": -2, "Germany": -1, "Italy": -1, "Britain": -1}
PARTIAL_SUPPLY_OR_OIL = -1


@dataclass(frozen=True)
class NavalNationality:
    """The chart, ready to be read. `remembered` holds sums already made."""

    nations: dict[str, int] = field(default_factory=lambda: NATIONS)
    five_factor_battleship: int = FIVE_FACTOR_BATTLESHIP
    german_submarine: int = GERMAN_SUBMARINE
    carrier: dict[str, int] = field(default_factory=lambda: CARRIER)
    light_carrier: dict[str, int] = field(default_factory=lambda: LIGHT_CARRIER)
    partial_supply_or_oil: int = PARTIAL_SUPPLY_OR_OIL
    remembered: dict[Any, int] = field(default_factory=dict, compare=False, repr=False)
