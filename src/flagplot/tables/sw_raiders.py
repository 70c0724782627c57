"""Raider Table (21.5342). Edition: current (RC-01). Source: the chart of 2008, used in both editions (SR-47).

One die for each raiding group; positive amounts favor the hunters. The first hunter is a cruiser, the type of each
further one is a die. The newer list of types is a choice (SR-43). What escort carriers do is on the Carrier Effects
Table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

CRUISER, DESTROYER, FAST_CARRIER, ANY = "cruiser", "destroyer", "fast carrier", "any"


def _ships(kind: str, *sizes: int) -> tuple[str, ...]:
    return tuple(f"{size}-factor {kind}" for size in sizes)


class HunterTypes(NamedTuple):
    """Which ships answer each type die, whether the first is a cruiser without a die, and whether less will do."""

    by_die: Mapping[int, tuple[str, ...]]
    first: str = ""  # the type of the first ship, without a die
    lower_result: bool = False  # a type that is lacking is replaced by a lower one


CHART = HunterTypes(
    {
        1: (CRUISER,),
        2: (CRUISER, *_ships("battlecruiser", 2)),
        3: (*_ships("battleship", 3), *_ships("battlecruiser", 3)),
        4: _ships("battleship", 4),
        5: (*_ships("battleship", 5), FAST_CARRIER),
        6: (ANY,),
    },
    first=CRUISER,
)
NEWER = HunterTypes(
    {
        1: (DESTROYER,),
        2: (CRUISER, *_ships("battlecruiser", 2)),
        3: (*_ships("battleship", 3), *_ships("battlecruiser", 3)),
        4: _ships("battleship", 4),
        5: _ships("battleship", 5),
        6: (FAST_CARRIER,),
    },
    lower_result=True,
)
KINDS = (
    CRUISER,
    DESTROYER,
    FAST_CARRIER,
    *_ships("battleship", 2, 3, 4, 5),
    *_ships("battlecruiser", 2, 3, 4, 5),
)


class RaiderTable(NamedTuple):
    """The amounts of the table, and who comes."""

    automatic: int = -3
    per_earlier_group: int = 1
    three_ships: int = 1
    per_air_range: int = 1
    us_war: int = 1  # Atlantic
    from_singapore: int = 1  # Indian Ocean
    most_codebreaking: int = 1
    types: HunterTypes = CHART
