"""The SW boxes (25.13, 25.22, 25.31 to 25.33): who bases where, what tension opens. Edition: current.

Source: the lists under 25.31, 25.32 and 25.33. Fronts and countries are the map's; a place says its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, PACIFIC, WESTERN_ALLIES


class Bases(NamedTuple):
    """Where a side's units of a box may be based: fronts whose ports all do, countries, and named places."""

    rule: str
    fronts: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    submarines_only: bool = False

    def __str__(self) -> str:
        """The list in words."""
        named = [f"a {front} front port" for front in self.fronts]
        named += [f"a port in {country}" for country in self.countries]
        return ", ".join([*named, *self.places])


BASES: Mapping[tuple[str, str], Bases] = {
    (WESTERN_ALLIES, ATLANTIC): Bases("25.31A", ("western",), (), ("Atlantic U.S. box", "South Africa box")),
    (GERMANY, ATLANTIC): Bases("25.31A", ("western", "Mediterranean"), submarines_only=True),
    (WESTERN_ALLIES, PACIFIC): Bases("25.31B", (), (), ("Pearl Harbor", "Tahiti", "Pacific U.S. box", "Australia box")),
    (JAPAN, PACIFIC): Bases("25.31B", (), (JAPAN,), ("Truk",)),
    (WESTERN_ALLIES, INDIAN_OCEAN): Bases(
        "25.31C",
        (),
        (),
        ("Suez", "Basra", "Abadan", "Colombo", "Madras", "South Africa box", "Australia box", "India box"),
    ),
    (GERMANY, INDIAN_OCEAN): Bases("25.31C", ("Mediterranean",), submarines_only=True),
    (JAPAN, INDIAN_OCEAN): Bases("25.31C", (), (JAPAN,), ("Singapore",), submarines_only=True),
}
HOME_PORTS = ("Tokyo", "Osaka", "Kagoshima", "Kure", "Yokosuka", "Sasebo")  # ports in Japan, whatever is said of them


class Exposure(NamedTuple):
    """Where ships on their way to or from a box may be intercepted on the map, and by what."""

    rule: str
    where: str
    by_air: bool = True
    by_ships: bool = True


class SwBoxes(NamedTuple):
    """Bases, tension, and the routes across the map."""

    bases: Mapping[tuple[str, str], Bases] = BASES
    usat_ceilings: tuple[tuple[int, int], ...] = ((25, 1), (35, 2))  # USAT from, American ASW in the Atlantic box
    usjt: int = 40  # opens the Pacific box to submarines, and to one American ASW factor a turn
    past_gibraltar: int = 1  # submarine factors a turn past an enemy Gibraltar
