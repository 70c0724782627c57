"""The two sides. Display names come from the scenario; nations are data on the units."""

from __future__ import annotations

from enum import StrEnum


class Side(StrEnum):
    """One of the two sides of every battle."""

    AXIS = "axis"
    ALLIES = "allies"

    enemy: Side
    """The other side."""


# Set once on the two members: rules ask for the enemy more often than for anything else.
Side.AXIS.enemy = Side.ALLIES
Side.ALLIES.enemy = Side.AXIS

SIDES = {side.value: side for side in Side}


class Audience(StrEnum):
    """Who is told of an event. A referee hears everything, a spectator what EVERYONE hears."""

    AXIS = "axis"
    ALLIES = "allies"
    EVERYONE = "everyone"


def only(side: Side) -> Audience:
    """The audience that consists of one side alone."""
    return Audience(side.value)
