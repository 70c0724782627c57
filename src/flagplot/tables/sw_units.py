"""SW force pools and construction (24.2 to 24.4). Edition: current. Source: the lists under 24.21, 24.31 and 24.41.

Pools are kept by owner: a major power, or the Western Allies for ASW and transports (24.233). The ASW of 24.31D and E
are one pool that remembers where its factors come from (25.22).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    BRITAIN,
    CHINA,
    FRANCE,
    GERMANY,
    INTERCEPTOR,
    ITALY,
    JAPAN,
    RUSSIA,
    STRATEGIC_BOMBER,
    SUBMARINE,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    ForcePool,
)

EUROPE, PACIFIC_THEATER = "Europe", "Pacific"


class Buildable(NamedTuple):
    """What a power may build: freely, and with research."""

    free: tuple[str, ...] = ()
    with_research: tuple[str, ...] = ()
    rule: str = ""


STARTING: Mapping[str, Mapping[str, ForcePool]] = {
    GERMANY: {SUBMARINE: ForcePool(1, 1)},
    ITALY: {SUBMARINE: ForcePool(1, 1)},
    JAPAN: {SUBMARINE: ForcePool(1, 1), TRANSPORT: ForcePool(20, 0)},
    BRITAIN: {SUBMARINE: ForcePool(1, 1), ASW: ForcePool(1, 1), STRATEGIC_BOMBER: ForcePool(1, 0)},
    UNITED_STATES: {SUBMARINE: ForcePool(1, 1), ASW: ForcePool(1, 1), STRATEGIC_BOMBER: ForcePool(1, 0)},
    WESTERN_ALLIES: {TRANSPORT: ForcePool(35, 5)},
    FRANCE: {},
    RUSSIA: {},
    CHINA: {},
}

BUILDABLE: Mapping[str, Buildable] = {
    GERMANY: Buildable((SUBMARINE, INTERCEPTOR), (ADVANCED_SUBMARINE, STRATEGIC_BOMBER), "24.41A"),
    ITALY: Buildable((SUBMARINE,), (), "24.41B"),
    JAPAN: Buildable((SUBMARINE, ASW, INTERCEPTOR, TRANSPORT), (STRATEGIC_BOMBER,), "24.41C"),
    BRITAIN: Buildable((SUBMARINE, ASW, STRATEGIC_BOMBER, INTERCEPTOR, TRANSPORT), (), "24.41D"),
    UNITED_STATES: Buildable((SUBMARINE, ASW, STRATEGIC_BOMBER, INTERCEPTOR, TRANSPORT), (), "24.41E"),
    FRANCE: Buildable(rule="24.41F"),
    RUSSIA: Buildable((INTERCEPTOR,), (STRATEGIC_BOMBER,), "24.41G"),
    CHINA: Buildable(rule="24.41H"),
}

# The year whose YSS first allows RPs for a unit: of the Western Allied powers, of Japan, of all others.
EARLIEST_WESTERN_ALLIED: Mapping[str, tuple[int, str]] = {
    ASW: (1941, "24.21B"),
    TRANSPORT: (1941, "24.21B"),
    SUBMARINE: (1942, "24.21C"),
}
EARLIEST_JAPANESE: Mapping[str, tuple[int, str]] = {SUBMARINE: (1942, "24.21C"), ASW: (1943, "24.21D")}


class SwUnits(NamedTuple):
    """Starting pools, what may be built, when production may begin, and what a factor costs."""

    starting: Mapping[str, Mapping[str, ForcePool]] = STARTING
    buildable: Mapping[str, Buildable] = BUILDABLE
    earliest_western_allied: Mapping[str, tuple[int, str]] = EARLIEST_WESTERN_ALLIED
    earliest_japanese: Mapping[str, tuple[int, str]] = EARLIEST_JAPANESE
    earliest: int = 1940
    earliest_pacific_bombers: int = 1944
    brps: int = 3  # a factor
    shipbuilding: int = 1  # a factor of submarines, ASW or transports
    needs_shipbuilding: tuple[str, ...] = (SUBMARINE, ADVANCED_SUBMARINE, ASW, TRANSPORT)
    bomber_powers: tuple[str, ...] = (BRITAIN, UNITED_STATES)  # with the research at the start (24.21A)
