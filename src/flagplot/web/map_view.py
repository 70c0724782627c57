"""What is shown over a map, as values: paths, ranges, the chosen hex, forces and odds, and how much of the map."""

from __future__ import annotations

import msgspec


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A path as it was announced, or may be."""

    path: tuple[str, ...]
    side: str = "own"  # or "foe"
    kind: str = "announced"  # or "return", "patrol", "attempt"
    name: str = ""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """How far aircraft get from a hex."""

    hex: str
    hexes: int
    side: str = "own"
    name: str = ""


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """A force, or several, in a hex."""

    hex: str
    title: str
    detail: str = ""
    side: str = "own"
    hidden: bool = False
    count: int = 1
    lift: int = 0  # so many times its height above its hex, or below it if negative, with a line to it
    words: str = ""  # said in full where the title is short


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """The chance that a force arrives, round by round: pairs of a word and a chance from 0 to 1."""

    hex: str
    name: str
    chances: tuple[tuple[str, float], ...]
    side: str = "own"


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown over the map, and how much of the map."""

    courses: tuple[Course, ...] = ()
    reaches: tuple[Reach, ...] = ()
    chosen: str = ""
    chosen_name: str = ""
    sought: tuple[tuple[str, str], ...] = ()  # further hexes that are marked alike, each with its name
    markers: tuple[Marker, ...] = ()
    arrivals: tuple[Arrivals, ...] = ()
    around: tuple[str, ...] = ()  # only the map around these hexes; nothing here means all of it
    margin: int = 3  # how many hexes around them
    interactive: bool = False  # hexes are buttons that arrow keys can reach
    title: str = ""
