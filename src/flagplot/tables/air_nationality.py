"""Air Nationality Chart (19.31A, 23.441A). Edition: current. Source: the chart under 23.441A.

A nation that the chart does not list is a minor country and has 0. Interceptors have their line wherever they fly
(SR-25).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NATIONS: dict[str, int] = {
    "Germany": 2,
    "Japan": 2,
    "United States": 2,
    "Britain": 2,
    "Finland": 2,
    "Sweden": 2,
    "Australia": 2,
    "Italy": 1,
    "Russia": 1,
    "France": 1,
}


@dataclass(frozen=True)
class AirNationality:
    """The chart, ready to be read. `remembered` holds sums already made; a changed copy begins with none."""

    nations: dict[str, int] = field(default_factory=lambda: NATIONS)
    elite_japanese_naval_air: int = 1
    interceptors: int = 1
    british_naval_air: int = -1
    winter: int = -1  # a winter effect of 8 or more
    partial_supply_or_oil: int = -1
    remembered: dict[Any, int] = field(default_factory=dict, init=False, compare=False, repr=False)
