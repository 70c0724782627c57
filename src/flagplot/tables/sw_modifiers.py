"""SW Combat Modifiers for submarine warfare (24.6, 25.6). Edition: current. Source: the table under 24.65 and 25.64.

Positive amounts favor the submarines. A group of ports counts once, if one of its ports is held and fully supplied
(25.723, SR-13). What escort carriers do is on the Carrier Effects Table.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, PACIFIC, UNITED_STATES

HAWAIIAN_PORTS = ("Pearl Harbor", "Hawaiian Islands")  # the second stands for any other port of the islands


class PortGroup(NamedTuple):
    """Ports of which one is enough, for whose submarines, in which box, what they are worth, and the rule."""

    box: str
    attacker: str
    ports: tuple[str, ...]
    amount: int
    rule: str


PORTS = (
    PortGroup(ATLANTIC, GERMANY, ("Brest", "Lorient", "St. Nazaire", "La Rochelle"), 2, "25.723"),
    PortGroup(ATLANTIC, GERMANY, ("La Coruna", "Vigo", "Lisbon", "Cadiz"), 1, "25.723"),
    PortGroup(ATLANTIC, GERMANY, ("Gibraltar",), 1, "25.723"),
    PortGroup(INDIAN_OCEAN, JAPAN, ("Colombo",), 1, "25.811"),
    PortGroup(PACIFIC, JAPAN, ("Townsville", "Noumea", "Suva", *HAWAIIAN_PORTS), 1, "25.92A"),
    PortGroup(PACIFIC, UNITED_STATES, ("Manila",), 2, "25.92B"),
)


class SubmarineModifiers(NamedTuple):
    """The amounts of the table."""

    ports: tuple[PortGroup, ...] = PORTS
    us_war: int = 1
    happy_time: tuple[int, ...] = (2, 1)  # first, second Axis combat phase of the war
    ireland: int = 1
    ireland_from: int = 7
    codebreaking: int = 1

    @property
    def known_ports(self) -> tuple[str, ...]:
        """Every port the table names."""
        return tuple(port for group in self.ports for port in group.ports)
