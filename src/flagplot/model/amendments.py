"""What two players agree to put right: a closed list of changes, as data, and the events that tell of them.

A change names units and what becomes of them, never a tally or a result. Everyone reads an amendment word for word, so
it reveals what it says. What an enemy still does not know (a carrier's aircraft) is told to its owner apart.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.forces import Cargo
from flagplot.model.ships import Ship

FATES = ("afloat", "sunk", "restored")


class ShipPutRight(msgspec.Struct, frozen=True, tag="ship", tag_field="change", forbid_unknown_fields=True):
    """A named ship: her hits, whether she is damaged, sunk after all, or afloat after all. `ship` is as she will be."""

    side: Side
    ship: Ship
    fate: str = "afloat"
    to: str = ""  # where one that was sunk comes back: a group ("CG2"), or a name


class ShipsAdded(msgspec.Struct, frozen=True, tag="add", tag_field="change", forbid_unknown_fields=True):
    """Ships that were forgotten."""

    side: Side
    to: str
    ships: tuple[Ship, ...] = ()
    light: dict[str, int] = {}


class LightShipsRemoved(msgspec.Struct, frozen=True, tag="remove", tag_field="change", forbid_unknown_fields=True):
    """Light ships of a group that are sunk after all, or that it never had. Destroyers go by number, loaded or not."""

    side: Side
    to: str
    light: dict[str, int]
    sunk: bool = True


class SquadronsSet(msgspec.Struct, frozen=True, tag="squadrons", tag_field="change", forbid_unknown_fields=True):
    """How many squadrons of a type a carrier or an air base has. `at` is a ship's id or a base's name."""

    side: Side
    at: str
    name: str
    key: str
    number: int


class CargoPutRight(msgspec.Struct, frozen=True, tag="cargo", tag_field="change", forbid_unknown_fields=True):
    """Something is aboard that was forgotten, or is not aboard after all."""

    side: Side
    to: str
    cargo: Cargo
    aboard: bool = True


Change: TypeAlias = ShipPutRight | ShipsAdded | LightShipsRemoved | SquadronsSet | CargoPutRight


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change, who proposed it, who agreed (nobody, where nobody else plays), and why, in his words."""

    by: str
    agreed: tuple[str, ...]
    change: Change
    words: str = ""


# -- what is told of it ---------------------------------------------------------------------------------------


class AmendmentAgreed(Event, frozen=True):
    """Everyone: an amendment that takes effect when the next segment begins."""

    amendment: Amendment


class Amended(Event, frozen=True):
    """Everyone: an amendment takes effect in a group, by its number, or by its name where it has none yet or where which
    number it has is not known. `fighting`: it is in the battle, not on its way to it or out of it."""

    amendment: Amendment
    number: int = 0
    place: str = ""
    fighting: bool = False


class AmendmentLapsed(Event, frozen=True):
    """Everyone: an amendment that no longer fits what has happened since."""

    amendment: Amendment


class LapseExplained(Event, frozen=True):
    """The side it was about: why an amendment no longer fits. The reason may be what its enemy was not told."""

    side: Side
    why: str


class WingSet(Event, frozen=True):
    """Its owner: the naval air now aboard a carrier."""

    side: Side
    ship: str
    name: str
    squadrons: dict[str, int]


AMENDMENT_EVENTS: tuple[type[Event], ...] = (AmendmentAgreed, Amended, AmendmentLapsed, LapseExplained, WingSet)
