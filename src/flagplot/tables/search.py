"""Search Table (22.45): how many search dice are rolled. Edition: current. Source: the table under 22.451."""

from __future__ import annotations

from typing import NamedTuple


class SearchTable(NamedTuple):
    """What each line gives, and its limit."""

    per_squadron: int = 1
    most_squadrons: int = 3
    codebreaking: int = 1
    per_round: int = 1
    per_active_group: int = 1
    active_group_factors: int = 10
    most_active_groups: int = 6
    per_distant_carrier_group: int = 1
    most_distant_carrier_groups: int = 5
    disclosed_under: int = 10  # a found group says whether it has fewer factors than this
