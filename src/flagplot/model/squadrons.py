"""Air squadrons are counts, keyed by nation, kind, role and, for those ashore, their base.

A squadron key is "Nation/KIND", "Nation/KIND/state" or either with "@Base": "Japan/NAS/elite" flies from a carrier,
"Japan/AAS/attack@Rabaul" from Rabaul. Kinds: NAS (naval air), AAS (army air), JET, ATR (air transport), KAM (kamikaze).
Army air, jets and air transports in play as factors ("Germany/AAF") become three squadrons each when they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

import msgspec

from flagplot.model.ships import minus

Counts: TypeAlias = Mapping[str, int]

ROLES = ("search", "cover", "attack")
FACTORS = {"AAF": "AAS", "JET": "JET", "ATR": "ATR"}  # a factor, and the squadrons it becomes
KIND_NAMES = {"NAS": "naval air", "AAS": "army air", "JET": "jets", "ATR": "air transports", "KAM": "kamikazes"}
NEAR = 3  # hexes within which a patrol may land ashore (22.463B)


class Squadron(NamedTuple):
    """What a squadron key says."""

    nation: str
    kind: str
    state: str  # elite, or an army squadron's role
    base: str  # "" aboard a carrier

    @property
    def type(self) -> str:
        """The type it takes losses with: roles and bases make no difference, elite naval air does (19.65, AN-19)."""
        return squadron_key(self.nation, self.kind, self.state if self.state == "elite" else "")


@cache
def squadron(key: str) -> Squadron:
    """Read a squadron key."""
    unit, _, base = key.partition("@")
    nation, kind, *state = unit.split("/")
    return Squadron(nation, kind, state[0] if state else "", base)


def squadron_key(nation: str, kind: str, state: str = "", base: str = "") -> str:
    """Write a squadron key."""
    unit = f"{nation}/{kind}/{state}" if state else f"{nation}/{kind}"
    return f"{unit}@{base}" if base else unit


def broken_down(factors: Counts) -> dict[str, int]:
    """The squadrons that factors become: three each, one of every role (23.132, 23.17, 23.18)."""
    squadrons: dict[str, int] = {}
    for key, number in factors.items():
        nation, kind, _, _ = squadron(key)
        for role in ROLES:
            made = squadron_key(nation, FACTORS[kind], role)
            squadrons[made] = squadrons.get(made, 0) + number
    return squadrons


def at_base(counts: Counts, base: str) -> dict[str, int]:
    """These squadrons with their base in the key."""
    return {f"{key}@{base}": number for key, number in counts.items()}


def of_base(counts: Counts, base: str) -> dict[str, int]:
    """Of squadrons with bases in their keys, those of this base, without it."""
    ending = f"@{base}"
    return {key.removesuffix(ending): number for key, number in counts.items() if key.endswith(ending)}


def told(counts: Counts) -> dict[str, int]:
    """Counts in the order of their keys, as everyone is told them: any other order could tell where they came from."""
    return dict(sorted(counts.items()))


def total(counts: Counts) -> int:
    """How many squadrons."""
    return sum(counts.values())


def squadron_label(key: str) -> str:
    """One squadron in words: elite Japan NAS, Germany attack AAS from Catania."""
    nation, kind, state, base = squadron(key)
    words = [state, nation, kind] if state == "elite" else [nation, state, kind]
    return " ".join(word for word in words if word) + (f" from {base}" if base else "")


def describe_squadrons(counts: Counts) -> str:
    """Squadrons in words: 4 elite Japan NAS, 2 Japan attack AAS from Rabaul."""
    return ", ".join(f"{number} {squadron_label(key)}" for key, number in counts.items() if number) or "no squadrons"


class AirBase(msgspec.Struct, frozen=True):
    """A land base within reach of the battle. What lies on the board lies open, so everyone knows it (FP-14)."""

    name: str
    distance: int = 0  # hexes from the battle
    operational: bool = True
    capacity: int = 15  # squadrons it can hold (18.12, an input)
    factors: dict[str, int] = {}  # "Germany/AAF": not broken down into squadrons
    squadrons: dict[str, int] = {}  # uninverted
    inverted: dict[str, int] = {}  # squadrons
    inverted_factors: dict[str, int] = {}
    used: dict[str, int] = {}  # of the squadrons: those that have a role, or aborted, this round
    aborted: dict[str, int] = {}  # by the latest counterair (22.435)

    @property
    def free(self) -> dict[str, int]:
        """Squadrons that may still be given a role this round."""
        return minus(self.squadrons, self.used)

    @property
    def room(self) -> int:
        """For how many more squadrons there is room."""
        factors = total(self.factors) + total(self.inverted_factors)
        return max(0, self.capacity - 3 * factors - total(self.squadrons) - total(self.inverted))


class Strike(msgspec.Struct, frozen=True):
    """An air strike on its way. Everything in it has been announced."""

    side: str
    number: int  # the group it attacks
    surprise: bool
    squadrons: dict[str, int]  # those neither lost nor turned back
    level: int = 0  # of surprise
    fighting: dict[str, int] = {}  # those that meet the defenders
    defenders: dict[str, int] = {}  # those that met them
    targets: dict[str, dict[str, int]] = {}  # by target, what attacks it; rolled ones are gone


class Deferred(msgspec.Struct, frozen=True):
    """Naval air that made a strike and waits to fire with the heavy ships of its own group (22.471C)."""

    own: int  # its group
    number: int  # the enemy group it struck, which that one will meet
    squadrons: dict[str, int]
    level: int = 0  # of surprise


class Raid(msgspec.Struct, frozen=True):
    """The part of a sortie against a port that goes for the aircraft there. Everything in it has been announced."""

    side: str
    squadrons: dict[str, int]  # neither lost nor turned back; factors where no naval air takes part
    inverted_too: bool = False  # whether inverted aircraft are attacked as well (23.413)


class Port(msgspec.Struct, frozen=True):
    """A port under air attack, and what stands in its hex against aircraft. It lies on the board: everyone knows it."""

    name: str
    symbols: int = 1  # cities and ports, by symbol (AN-21)
    flak: int = 0  # factors
    airbases: int = 0  # counters
    objectives: int = 0
    anchors: int = 0
    fortification: int = 0  # levels: 1 a fortification, 2 a fortress
    sorties: int = 0  # the most there may be (for carriers 21.416 and 21.556, an input); 0 = any number (23.54)


class Counterair(msgspec.Struct, frozen=True):
    """A carrier attack on the aircraft of a land base, announced and not yet flown."""

    side: str
    base: str
    squadrons: dict[str, int]
    inverted_too: bool = False  # whether inverted aircraft are attacked as well (23.413)
