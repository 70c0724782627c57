"""Search Table (22.45): how many search dice are rolled, and what results tell. Source: the table under 22.451.

Edition: current, and that of 2008 from the charts: it knows no distant carriers, and results tell more step by step.
"""

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
    carriers_from: int = 1  # with so many results it also says how many carriers it has
    composition_from: int | None = None  # with so many it is shown
    public: tuple[str, ...] = ("22.451A", "22.451B", "22.451C")  # the lines whose facts everyone knows


OF_2008 = SearchTable(
    per_distant_carrier_group=0,
    most_distant_carrier_groups=0,
    carriers_from=2,
    composition_from=3,
    public=("22.4422", "22.45", "48.51A"),
)
