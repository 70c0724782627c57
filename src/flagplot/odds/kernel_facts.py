"""What a compiled battle came to, by name (22.71, 22.8): the facts that must be the same as those of the procedures.

`decode` reads them from the rows of numbers, `facts_of` from a battle the procedures played. Dicts whose order decides
between equals are told as pairs in order; those of cover, of squadrons with a role and of inverted ones, whose order
decides nothing, as sorted pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words
from flagplot.odds.kernel_names import Layout, Names, groups_of

Pairs = tuple[tuple[str, int], ...]
PLACES = {at.SUNK_SHIPS: "sunk", at.WITHDRAWN_SHIPS: "withdrawn", at.HOME_SHIPS: "home"}


class ShipFacts(NamedTuple):
    """A named ship: the group she is in, or "sunk", "withdrawn" or "home"."""

    where: str
    hits: int
    damaged: bool
    wing: Pairs


class GroupFacts(NamedTuple):
    """A group in the battle (its number above 0) or pending."""

    number: int
    light: Pairs
    cargo: Pairs
    supply: bool
    revealed: bool
    said: tuple[bool, int, bool] | None  # under ten, carriers, cargo
    marks: tuple[int, ...]  # found, spent, met, and so on
    patrol: Pairs
    cover: Pairs


class BaseFacts(NamedTuple):
    """An air base."""

    squadrons: Pairs
    used: Pairs
    inverted: Pairs
    factors: Pairs
    inverted_factors: Pairs


class SideFacts(NamedTuple):
    """One side."""

    ships: dict[str, ShipFacts]
    groups: dict[str, GroupFacts]
    bases: dict[str, BaseFacts]
    sunk_light: dict[str, int]
    withdrawn_light: dict[str, int]
    withdrawn_cargo: dict[str, int]
    air_lost: dict[str, int]
    aloft: Pairs
    submarines: tuple[dict[str, int], dict[str, int], dict[str, int]]  # fresh, spent, lost
    elsewhere: dict[tuple[str, str], int]
    newly_damaged: dict[str, int]
    counters: tuple[int, ...]  # factors sunk this round, whether it withdrew, line cut, found, searching, strikes


class Facts(NamedTuple):
    """A battle."""

    round: int
    segment: str
    victor: Side | None
    losers: tuple[Side, ...]
    goes_on: bool
    sides: dict[Side, SideFacts]


# -- from the rows of numbers ----------------------------------------------------------------------------


def decode(layout: Layout, s: Words) -> Facts:
    """The facts of a compiled battle."""
    losers = tuple(side for index, side in enumerate(layout.sides) if int(s[at.LOSERS]) >> index & 1)
    return Facts(
        int(s[at.ROUND]),
        at.SEGMENT_NAMES[int(s[at.SEGMENT])],
        layout.side(int(s[at.VICTOR])),
        losers,
        bool(s[at.GOES_ON]),
        {side: _side(s, index, layout.names[index]) for index, side in enumerate(layout.sides)},
    )


def _side(s: Words, side: int, names: Names) -> SideFacts:
    first, kind, cargo = at.GROUPS + side * at.MOST_SLOTS * at.GROUP_WORDS, side * at.MOST_LIGHT, side * at.MOST_CARGO
    boat, key, place = side * at.MOST_BOATS, side * at.MOST_KEYS, side * at.MOST_PLACES
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    waiting = [int(group) for group in s[pending + 1 : pending + 1 + s[pending]]]
    every = [first + slot * at.GROUP_WORDS for slot in range(len(names.groups))]
    groups = [*(group for group in every if s[at.GROUP_HERE + group]), *waiting]
    newly = _counts(s, at.NEWLY_LIGHT + kind, names.kinds)
    newly |= {id: 1 for index, id in enumerate(names.ships) if is_in(s, at.NEWLY_SHIPS + side, index)}
    boats = tuple(_counts(s, field + boat, names.boats) for field in (at.BOATS, at.BOATS_SPENT, at.BOATS_LOST))
    gone = [index for index in range(len(names.cargo)) if is_in(s, at.WITHDRAWN_CARGO + side, index)]
    return SideFacts(
        {id: _ship(s, side, index, groups, names) for index, id in enumerate(names.ships)},
        {group_name(s, group, names): _group(s, group, side, names) for group in groups},
        {name: _base(s, side * at.MOST_BASES + index, side, names) for index, name in enumerate(names.bases)},
        _counts(s, at.SUNK_LIGHT + kind, names.kinds),
        _counts(s, at.WITHDRAWN_LIGHT + kind, names.kinds),
        {names.cargo[index][1]: int(s[at.CARGO_NEEDS + cargo + index]) for index in gone},
        _counts(s, at.AIR_LOST + key, names.keys),
        _pairs(s, at.ALOFT + side * at.DECK_MAP, key, names.keys),
        (boats[0], boats[1], boats[2]),
        {each: int(s[at.ELSEWHERE + place + i]) for i, each in enumerate(names.places) if s[at.ELSEWHERE + place + i]},
        newly,
        tuple(
            int(s[field + side])
            for field in (at.ROUND_SUNK, at.WITHDREW, at.LINE_CUT, at.SIDE_FOUND, at.SEARCHING, at.STRIKES)
        ),
    )


def is_in(s: Words, where: int, place: int) -> bool:
    """Whether what stands at this place of a side's sets is in one."""
    return bool(int(s[where]) >> place & 1)


def group_name(s: Words, group: int, names: Names) -> str:
    """What a group is called, now that another may have become one with it."""
    name, other = _first_name(group, names), int(s[at.GROUP_TAKES + group])
    return f"{name} and {_first_name(other, names)}" if other else name


def _first_name(group: int, names: Names) -> str:
    return names.groups[(group - at.GROUPS) // at.GROUP_WORDS % at.MOST_SLOTS]


def _pairs(s: Words, where: int, first: int, names: list[str]) -> Pairs:
    return tuple(
        (names[int(s[where + 1 + 2 * index]) - first], int(s[where + 2 + 2 * index])) for index in range(int(s[where]))
    )


def _counts(s: Words, where: int, names: list[str]) -> dict[str, int]:
    return {name: int(s[where + index]) for index, name in enumerate(names) if s[where + index]}


def _ship(s: Words, side: int, place: int, groups: Iterable[int], names: Names) -> ShipFacts:
    gone = [name for field, name in PLACES.items() if is_in(s, field + side, place)]
    (where,) = gone + [group_name(s, group, names) for group in groups if is_in(s, at.GROUP_SHIPS + group, place)]
    ship = side * at.MOST_SHIPS + place
    wing = _pairs(s, at.WING + ship * at.WING_MAP, side * at.MOST_KEYS, names.keys)
    return ShipFacts(where, int(s[at.SHIP_HITS + ship]), is_in(s, at.DAMAGED_SHIPS + side, place), wing)


MARKS = (
    *(at.FOUND, at.SPENT, at.MET, at.VICTORIOUS, at.ENGAGED, at.EVADED, at.STOOD, at.ATTACKED, at.FOUGHT),
    *(at.SCOUTS, at.SUBMARINE_ATTACKS),
)


def _group(s: Words, group: int, side: int, names: Names) -> GroupFacts:
    said = (
        bool(s[at.DISCLOSED_UNDER_TEN + group]),
        int(s[at.DISCLOSED_CARRIERS + group]),
        bool(s[at.DISCLOSED_CARGO + group]),
    )
    cargo = tuple(
        (name, int(s[at.CARGO_NEEDS + side * at.MOST_CARGO + index]))
        for index, (_, name) in enumerate(names.cargo)
        if is_in(s, at.GROUP_CARGO + group, index)
    )
    keys = side * at.MOST_KEYS
    return GroupFacts(
        int(s[at.GROUP_NUMBER + group]),
        _pairs(s, at.GROUP_LIGHT + group, side * at.MOST_LIGHT, names.kinds),
        cargo,
        bool(s[at.GROUP_SUPPLY + group]),
        bool(s[at.GROUP_REVEALED + group]),
        said if s[at.DISCLOSED + group] else None,
        tuple(int(s[mark + group]) for mark in MARKS),
        _pairs(s, at.GROUP_PATROL + group, keys, names.keys),
        tuple(sorted(_pairs(s, at.GROUP_COVER + group, keys, names.keys))),
    )


def _base(s: Words, base: int, side: int, names: Names) -> BaseFacts:
    keys, factors = side * at.MOST_KEYS, side * at.MOST_FACTOR_KINDS
    squadrons, used, inverted = (
        tuple(
            (key.partition("@")[0], amount) for key, amount in _pairs(s, field + base * at.BASE_WORDS, keys, names.keys)
        )
        for field in (at.BASE_SQUADRONS, at.BASE_USED, at.BASE_INVERTED)
    )
    whole, turned = (
        _pairs(s, field + base * at.BASE_WORDS, factors, names.factors)
        for field in (at.BASE_FACTORS, at.BASE_INVERTED_FACTORS)
    )
    return BaseFacts(squadrons, tuple(sorted(used)), tuple(sorted(inverted)), whole, turned)


# -- from a battle of the procedures ------------------------------------------------------------------------


def facts_of(battle: Battle) -> Facts:
    """The facts of a battle, as the procedures leave it."""
    return Facts(
        battle.round,
        battle.segment,
        battle.victor,
        tuple(side for side in battle.sides if side in battle.losers),
        battle.goes_on,
        {side: _side_of(battle.fleets[side]) for side in battle.sides},
    )


def _side_of(fleet: Fleet) -> SideFacts:
    ships: dict[str, ShipFacts] = {}
    gone = (*fleet.detached, *fleet.withdrawn)
    for group in groups_of(fleet):
        ships |= {ship.id: _ship_of(ship, group.name) for ship in group.ships}
    for parcels, where in ((gone, "withdrawn"), (fleet.home, "home")):
        ships |= {ship.id: _ship_of(ship, where) for group in parcels for ship in group.ships}
    ships |= {ship.id: _ship_of(ship, "sunk") for ship in fleet.sunk}
    return SideFacts(
        ships,
        {group.name: _group_of(group) for group in groups_of(fleet)},
        {base.name: _base_of(base) for base in fleet.air_bases},
        _sorted(fleet.sunk_light),
        _sorted(_together(group.light for group in gone)),
        {cargo.name: cargo.needs for group in gone for cargo in group.cargo},
        _sorted(fleet.air_lost),
        tuple(fleet.aloft.items()),
        (_sorted(fleet.submarines), _sorted(fleet.submarines_spent), _sorted(fleet.submarines_lost)),
        {
            (place, key): number
            for place, counts in fleet.destroyers_elsewhere.items()
            for key, number in counts.items()
        },
        {key: number if "/" in key else 1 for key, number in fleet.newly_damaged.items()},
        (fleet.round_sunk, fleet.withdrew, fleet.line_cut, fleet.found, fleet.searching, fleet.strikes),
    )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return {key: counts[key] for key in sorted(counts)}


def _together(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for some in counts:
        for key, number in some.items():
            total[key] = total.get(key, 0) + number
    return total


def _ship_of(ship: Ship, where: str) -> ShipFacts:
    return ShipFacts(where, ship.hits, ship.damaged, tuple(ship.wing.items()))


def _group_of(group: CombatGroup) -> GroupFacts:
    said = group.disclosed
    marks = (group.found, group.spent, group.met, group.victorious, group.engaged, group.evaded, group.stood)
    return GroupFacts(
        group.number,
        tuple(group.light.items()),
        tuple((cargo.name, cargo.needs) for cargo in group.cargo),
        group.supply,
        group.revealed,
        (said.under_ten, said.fast_carriers, said.cargo) if said else None,
        tuple(map(int, (*marks, group.attacked, group.fought, group.scouts, group.submarine_attacks))),
        tuple(group.patrol.items()),
        tuple(sorted(group.cover.items())),
    )


def _base_of(base: AirBase) -> BaseFacts:
    return BaseFacts(
        tuple(base.squadrons.items()),
        tuple(sorted(base.used.items())),
        tuple(sorted(base.inverted.items())),
        tuple(base.factors.items()),
        tuple(base.inverted_factors.items()),
    )
