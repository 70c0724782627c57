"""Naval Interception Table (22.21): how many dice an intercepting force rolls, and how far it may sail.

Edition: current. Source: the table under 22.21 with its notes; 22.163C and 22.24B for hexes a round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

MOST_RANGE: Mapping[str, int] = {"Europe": 40, "Pacific": 20}
DIVISOR: Mapping[str, int] = {"Europe": 1, "Pacific": 2}
HEXES_PER_ROUND: Mapping[str, int] = {"Europe": 4, "Pacific": 2}


class InterceptionTable(NamedTuple):
    """What each line gives, and its limit. The last four say what comes of the dice."""

    cargo: int = 2
    staying_patrol: int = 2
    countered_in_hex: int = 2
    cruisers_and_destroyers: int = 1
    per_task_force: int = 1
    per_ground_factor: int = 1
    most_ground_factors: int = 3
    per_squadron: int = 1
    most_squadrons: int = 3
    per_submarine: int = 1
    most_submarines: int = 3
    submarine_range: int = 3
    codebreaking: int = 1
    slow_or_submarine: int = -1
    per_further_attempt: int = -1
    most_range: Mapping[str, int] = MOST_RANGE
    divisor: Mapping[str, int] = DIVISOR
    hexes_per_round: Mapping[str, int] = HEXES_PER_ROUND
    patrol_range: int = 3
