"""What if a line were not there: the modifiers that hold for a whole battle, and the same battle without some of them.

The law here: a line is a number of the set-up with its rule; without it the number is nothing and all else stays. The
dice stay too, so that what differs is due to the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.sides import SIDES, Side
from flagplot.model.state import Battle, Fleet
from flagplot.odds.worlds import NoOdds, World


class Line(NamedTuple):
    """Something that bears on the whole battle: its key, its rule, in words, and its amount."""

    key: str
    rule: str
    label: str
    amount: int


class _Kind(NamedTuple):
    rule: str
    words: str
    amounts: Callable[[Fleet], dict[str, int]]  # by name, "" for the only one
    without: Callable[[Fleet, str], Fleet]


def _number(field: str) -> Callable[[Fleet], dict[str, int]]:
    return lambda fleet: {"": getattr(fleet, field)}


def _nations(field: str) -> Callable[[Fleet], dict[str, int]]:
    return lambda fleet: dict.fromkeys(getattr(fleet, field), -1)


def _named(field: str) -> Callable[[Fleet], dict[str, int]]:
    return lambda fleet: dict(getattr(fleet, field))


def _no_number(field: str) -> Callable[[Fleet, str], Fleet]:
    return lambda fleet, name: replace(fleet, **{field: 0})


def _not_of(field: str) -> Callable[[Fleet, str], Fleet]:
    return lambda fleet, name: replace(fleet, **{field: tuple(each for each in getattr(fleet, field) if each != name)})


def _not_named(field: str) -> Callable[[Fleet, str], Fleet]:
    return lambda fleet, name: replace(
        fleet, **{field: {key: value for key, value in getattr(fleet, field).items() if key != name}}
    )


KINDS: dict[str, _Kind] = {
    "tactical": _Kind("48.51B", "tactical codebreaking", _number("tactical"), _no_number("tactical")),
    "search": _Kind("48.32B", "search advantage", _number("search_advantage"), _no_number("search_advantage")),
    "supply": _Kind("22.552A", "partial supply or oil:", _nations("impaired"), _not_of("impaired")),
    "air supply": _Kind(
        "23.441A", "aircraft short of supply or oil:", _nations("impaired_air"), _not_of("impaired_air")
    ),
    "winter": _Kind("23.441A", "winter effect on aircraft:", _nations("winter_air"), _not_of("winter_air")),
    "research": _Kind("41", "research:", _named("research"), _not_named("research")),
    "submarine codebreaking": _Kind(
        "48.41B", "submarine codebreaking", _number("submarine_codebreaking"), _no_number("submarine_codebreaking")
    ),
    "excess ASW": _Kind("22.9415", "excess ASW,", _named("excess_asw"), _not_named("excess_asw")),
}
BETWEEN = ":"


def lines(battle: Battle) -> list[Line]:
    """All such lines of a battle, one side after the other."""
    found = []
    for side in Side:
        fleet = battle.fleets[side]
        for kind, (rule, words, amounts, _) in KINDS.items():
            for name, amount in amounts(fleet).items():
                if amount:
                    label = f"{fleet.name}: {words} {name}".strip()
                    found.append(Line(BETWEEN.join(filter(None, (side.value, kind, name))), rule, label, amount))
    return found


def without(world: World, keys: Iterable[str]) -> World:
    """The same world without some of its lines."""
    for key in dict.fromkeys(keys):
        there = [line.key for line in lines(world.battle)]
        if key not in there:
            known = ", ".join(there) or "none"
            raise NoOdds(f"there is no line {key!r} to leave out; there are {known}")
        side, kind, *name = key.split(BETWEEN, 2)
        world = _changed(world, SIDES[side], partial(_left_out, KINDS[kind], "".join(name)))
    return world


def _left_out(kind: _Kind, name: str, fleet: Fleet) -> Fleet:
    return kind.without(fleet, name)


def _changed(world: World, side: Side, change: Callable[[Fleet], Fleet]) -> World:
    def changed(battle: Battle) -> Battle:
        return replace(battle, fleets={**battle.fleets, side: change(battle.fleets[side])})

    return world._replace(
        battle=changed(world.battle), known={who: changed(battle) for who, battle in world.known.items()}
    )
