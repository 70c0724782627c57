"""Ships. Named ships are individuals; everything else is a count keyed by nation, kind and state.

A light key is "Nation/KIND" or "Nation/KIND/state": "Japan/DD", "Japan/DD/loaded", "Japan/CA/damaged". One cruiser
(CA) is two factors; destroyers (DD), escort carriers (CVE) and transports (TR) are one factor each, and a transport
adds nothing to the size of a force (22.421A).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

CAPITAL_KINDS = ("BB", "BC", "PB")
CARRIER_KINDS = ("CVL", "CV", "CVB")
LIGHT_KINDS = ("CA", "DD", "CVE", "TR")
SLOW_KINDS = ("CVE", "TR")  # RC-28: whatever else there is
KIND_NAMES = {
    "BB": "battleship",
    "BC": "battlecruiser",
    "PB": "pocket battleship",
    "CVL": "light carrier",
    "CV": "fleet carrier",
    "CVB": "large carrier",
    "CA": "cruiser",
    "DD": "destroyer",
    "CVE": "escort carrier",
    "TR": "transport",
}

FACTORS_OF_A_UNIT = {"CA": 2, "TR": 0, "NAS": 3}  # all others one

Counts: TypeAlias = Mapping[str, int]  # light key -> how many


@lru_cache(maxsize=2_000)  # whoever looks for a ship compares her with all
def slug(name: str) -> str:
    """A name in small letters, figures and hyphens: "Prince of Wales" becomes "prince-of-wales"."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


class Ship(msgspec.Struct, frozen=True):
    """A named ship. `wing` is the naval air aboard a carrier, by squadron key."""

    id: str
    name: str
    nation: str
    kind: str
    size: int
    fast: bool = True
    hits: int = 0
    damaged: bool = False
    wing: dict[str, int] = {}
    bound: bool = False  # may not withdraw (33.61B, an input)

    @property
    def is_carrier(self) -> bool:
        """Whether this is a fast carrier."""
        return self.kind in CARRIER_KINDS

    @property
    def air(self) -> int:
        """How many naval air squadrons are aboard."""
        return sum(self.wing.values())

    @property
    def fully_operational(self) -> bool:
        """Whether she is a fast carrier, undamaged, with all her naval air squadrons (RC-22)."""
        return self.is_carrier and not self.damaged and self.air >= self.size

    @property
    def is_capital(self) -> bool:
        """Whether this is a named ship other than a carrier."""
        return self.kind in CAPITAL_KINDS


def as_seen(ship: Ship) -> Ship:
    """A ship as the enemy sees her: without her aircraft, and without her orders."""
    return replace(ship, wing={}, bound=False)


class LightClass(NamedTuple):
    """What a light key says."""

    nation: str
    kind: str
    state: str

    @property
    def factors(self) -> int:
        """Naval factors of one unit; a transport has none that count, and naval air only in gunfire (22.471C)."""
        return FACTORS_OF_A_UNIT.get(self.kind, 1)


@cache
def light(key: str) -> LightClass:
    """Read a light key."""
    nation, kind, *state = key.split("/")
    return LightClass(nation, kind, state[0] if state else "")


def light_key(nation: str, kind: str, state: str = "") -> str:
    """Write a light key."""
    return f"{nation}/{kind}/{state}" if state else f"{nation}/{kind}"


def factors_of(counts: Counts) -> int:
    """The naval factors of these light ships, transports not counted."""
    return sum(light(key).factors * number for key, number in counts.items())


def number_of(counts: Counts, kind: str, state: str | None = None) -> int:
    """How many units of a kind, in a given state or in any."""
    return sum(
        number for key, number in counts.items() if light(key).kind == kind and state in (None, light(key).state)
    )


def plus(counts: Counts, more: Counts) -> dict[str, int]:
    """Both together."""
    total = dict(counts)
    for key, number in more.items():
        total[key] = total.get(key, 0) + number
    return {key: number for key, number in total.items() if number}


def minus(counts: Counts, less: Counts) -> dict[str, int]:
    """What is left; never below nothing."""
    return {key: left for key, number in counts.items() if (left := number - less.get(key, 0)) > 0}


def named_factors(ships: Iterable[Ship]) -> int:
    """The naval factors of these named ships."""
    return sum(ship.size for ship in ships)


def describe(ships: Iterable[Ship], counts: Counts) -> str:
    """Ships in words: Hood, Prince of Wales, 2 CA, 6 DD."""
    parts = [ship.name + (" (damaged)" if ship.damaged else "") for ship in ships]
    nations = sorted({light(key).nation for key in counts})
    for nation in nations:
        for kind in (*LIGHT_KINDS, "NAS"):
            for state in ("", "loaded", "damaged", "elite"):
                number = counts.get(light_key(nation, kind, state), 0)
                if number:
                    label = f"{number} {kind}" + (f" {state}" if state else "")
                    parts.append(label if len(nations) == 1 else f"{number} {nation} {kind} {state}".strip())
    return ", ".join(parts) or "no ships"
