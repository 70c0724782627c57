"""Naval Interception Table by activity (22.23): dice for what is intercepted, and what modifies them.

Edition: 2008. Source: the charts (IR-62, IR-63). They print no limit of dice, no range and no loss of dice for further
attempts (IR-63c); success and lateness are read as in the current edition (IR-63d).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.tables.naval_interception import DIVISOR, HEXES_PER_ROUND

ANY_RANGE: Mapping[str, int] = {"Europe": 9_999, "Pacific": 9_999}
DICE: Mapping[str, int] = {
    "raider": 1,
    "interception": 1,
    "base change": 2,
    "patrol": 2,
    "fast carrier mission": 2,
    "naval redeployment": 2,
    "SW box redeployment": 2,
    "displacement": 2,
    "escape": 2,
    "sea supply": 4,
    "sea transport": 4,
    "seaborne invasion": 4,
    "shore bombardment": 4,
    "sea escort": 4,
}


class ActivityDiceTable(NamedTuple):
    """The dice of each activity, what each line adds, and its limit; the last say what comes of the dice."""

    dice: Mapping[str, int] = DICE
    returning: int = 2
    staying_patrol: int = 8
    per_squadron: int = 1
    most_squadrons: int = 3
    per_submarine: int = 1
    most_submarines: int = 3
    submarine_range: int = 3
    codebreaking: int = 1
    slow: int = -1
    submarine: int = -2
    port_not_operational: int = -2
    small_target: int = -1
    small_under: int = 10
    in_invasion_hex: int = 1
    countered_in_hex: int = 2
    from_us_box: int = 3
    most_dice: int | None = None
    per_further_attempt: int = 0
    most_range: Mapping[str, int] = ANY_RANGE
    divisor: Mapping[str, int] = DIVISOR
    hexes_per_round: Mapping[str, int] = HEXES_PER_ROUND
    patrol_range: int = 3
