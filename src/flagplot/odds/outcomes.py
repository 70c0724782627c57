"""What a battle comes to, as a row of whole numbers: who won, when, and what became of everything that was in it.

The law here: an outcome is read from the battle as it stands when it has ended and before anybody goes home (22.71),
held against the world it began from. What was damaged before, or had left by then, is not counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from flagplot.core.sides import SIDES, Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship, factors_of, light, light_key, number_of, plus
from flagplot.model.squadrons import FACTORS, broken_down, squadron
from flagplot.model.state import Battle, Fleet
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.worlds import FORMATION, World, is_decided

NOBODY = 0
BROKEN_OFF = NONE  # in place of a victor: it had not ended when it was broken off
VICTORS = (None, Side.AXIS, Side.ALLIES)
UNTOUCHED, HIT, DAMAGED, SUNK = range(4)  # what becomes of a ship
WHOLE, HURT, GONE = range(3)  # and of a group
FACTORS_SUNK = "factors sunk"
ATTACKS = {"air attack": "squadrons lost", "port attack": "squadrons lost", "submarine attack": "submarines lost"}


class Column(NamedTuple):
    """One number of an outcome: what of it, whose ("" if nobody's), its name, and the most it can be."""

    what: str
    side: str
    name: str
    most: int


@dataclass(frozen=True)
class Columns:
    """The numbers of the outcomes of one world, in order; whether somebody may win it; and what each side pays with, in
    the order of the sides."""

    columns: tuple[Column, ...]
    decisive: bool = True
    prices: tuple[str, ...] = (FACTORS_SUNK,) * len(Side)

    def index(self, what: str, side: str = "", name: str = "") -> int:
        """Where a number stands."""
        for index, column in enumerate(self.columns):
            if (column.what, column.side, column.name) == (what, side, name):
                return index
        raise KeyError((what, side, name))

    def of(self, what: str, side: str = "") -> list[tuple[int, Column]]:
        """All numbers of a sort, of a side or of both."""
        return [
            (index, column)
            for index, column in enumerate(self.columns)
            if column.what == what and side in ("", column.side)
        ]


COUNTED_ROUNDS = 40  # longer battles are counted with those of forty rounds


def columns_of(world: World) -> Columns:
    """What is counted of the battles that begin from a world. Destroyers elsewhere may be lost with those here (22.9432)."""
    found = [Column("victor", "", "", 2), Column("rounds", "", "", COUNTED_ROUNDS)]
    for side in Side:
        fleet = world.battle.fleets[side]
        groups = present(world.battle, side)
        ships = [ship for group in groups for ship in group.ships]
        counts = _by_kind(reduce(plus, (dict(_states(groups)), *fleet.destroyers_elsewhere.values())))
        cargo = sum(item.needs for group in groups for item in group.cargo)
        air = _air(fleet, groups)
        found += [
            Column("factors sunk", side, "", sum(ship.size for ship in ships) + _factors(counts)),
            Column("factors damaged", side, "", sum(ship.size for ship in ships) + _factors(counts)),
            Column("squadrons lost", side, "", sum(air.values())),
            Column("submarines lost", side, "", sum(fleet.submarines.values()) + sum(fleet.submarines_spent.values())),
            Column("cargo lost", side, "", cargo),
            Column("cargo through", side, "", cargo),
            Column("supply line cut", side, "", int(any(group.supply for group in groups))),
        ]
        found += [Column("ship", side, ship.id, SUNK) for ship in ships]
        found += [Column("light sunk", side, key, number) for key, number in counts.items()]
        found += [
            Column("light damaged", side, key, number) for key, number in counts.items() if light(key).kind == "CA"
        ]
        found += [Column("squadrons of a type lost", side, key, number) for key, number in air.items()]
        found += [Column("group", side, group.name, GONE) for group in groups]
    prices = tuple(price(world.battle, side) for side in Side)
    return Columns(tuple(found), world.battle.kind not in ATTACKS, prices)


def price(battle: Battle, side: Side) -> str:
    """What a side pays with: factors, or if it attacks with aircraft or submarines alone, which nobody wins, with those."""
    return ATTACKS.get(battle.kind, FACTORS_SUNK) if side is battle.interceptor else FACTORS_SUNK


def outcome(world: World, columns: Columns, end: Battle) -> list[int]:
    """The row of one battle."""
    found: list[int] = []
    facts = {side: _Facts(world.battle, end, side) for side in Side}
    for what, side, name, most in columns.columns:
        if what == "victor":
            value = VICTORS.index(end.victor) if is_decided(end) else BROKEN_OFF
        elif what == "rounds":
            value = end.round
        else:
            value = facts[SIDES[side]].number(what, name)
        found.append(min(value, most))
    return found


class _Facts:
    """What became of one side."""

    def __init__(self, start: Battle, end: Battle, side: Side) -> None:
        before, fleet = start.fleets[side], end.fleets[side]
        groups = present(start, side)
        self.before = {ship.id: ship for group in groups for ship in group.ships}
        self.groups = {group.name: group for group in groups}
        self.left = [*present(end, side), *_leaving(before, fleet)]
        self.after = {ship.id: ship for group in self.left for ship in group.ships}
        self.sunk = {ship.id for ship in (*fleet.sunk, *fleet.hulks)}
        self.beaten = side in end.losers
        self.fleet = fleet
        self.sunk_light = _minus(_by_kind(fleet.sunk_light), _by_kind(before.sunk_light))
        damaged = {key: n for key, n in _states(self.left) if light(key).state == "damaged"}
        damaged_before = {key: n for key, n in _states(groups) if light(key).state == "damaged"}
        more = _minus(_by_kind(damaged), _by_kind(damaged_before))
        self.damaged_light = {key: max(0, number) for key, number in more.items()}  # fewer: some were sunk
        self.air_lost = _minus(_squadrons(fleet.air_lost), _squadrons(before.air_lost))
        self.submarines_lost = sum(fleet.submarines_lost.values()) - sum(before.submarines_lost.values())

    def number(self, what: str, name: str) -> int:
        """One number of the row."""
        if what == "ship":
            return self._fate(name)
        if what == "group":
            return self._group(name)
        if what == "light sunk":
            return self.sunk_light.get(name, 0)
        if what == "light damaged":
            return self.damaged_light.get(name, 0)
        if what == "squadrons of a type lost":
            return self.air_lost.get(name, 0)
        return self._whole(what)

    def _whole(self, what: str) -> int:
        if what == "factors sunk":
            sunk = sum(ship.size for ship in self.before.values() if ship.id in self.sunk)
            return sunk + _factors(self.sunk_light)
        if what == "factors damaged":
            hurt = sum(ship.size for ship in self.before.values() if self._fate(ship.id) == DAMAGED)
            return hurt + _factors(self.damaged_light)
        if what == "squadrons lost":
            return sum(self.air_lost.values())
        if what == "submarines lost":
            return self.submarines_lost
        cargo = sum(item.needs for group in self.left for item in group.cargo)
        if what == "cargo through":
            return 0 if self.beaten else cargo
        if what == "cargo lost":
            return sum(item.needs for group in self.groups.values() for item in group.cargo) - cargo
        return int(self.fleet.line_cut)

    def _fate(self, id: str) -> int:
        if id in self.sunk:
            return SUNK
        before = self.before[id]
        after = self.after.get(id, before)
        if after.damaged and not before.damaged:
            return DAMAGED
        return HIT if after.hits > before.hits else UNTOUCHED

    def _group(self, name: str) -> int:
        """Groups that became one are as that one is: a name made of several stands for each of them."""
        parts = self._one_with(name)
        left = [group for group in self.left if group.name in (*parts, " and ".join(parts))]
        lost = sum(_units(self.groups[part]) for part in parts) - sum(map(_units, left))
        if not any(_units(self.groups[part]) for part in parts):  # a supply line without ships
            return GONE if self.fleet.line_cut else WHOLE
        if lost == sum(_units(self.groups[part]) for part in parts):
            return GONE
        hurt = any(self._fate(ship.id) != UNTOUCHED for part in parts for ship in self.groups[part].ships)
        hurt_light = _damaged_light(left) > _damaged_light(self.groups[part] for part in parts)
        return HURT if lost or hurt or hurt_light else WHOLE

    def _one_with(self, name: str) -> list[str]:
        """The groups that became one with this one, itself among them (22.421B)."""
        for group in self.left:
            parts = [part for part in self.groups if part in group.name]
            if name in parts and group.name not in self.groups and " and ".join(parts) == group.name:
                return parts
        return [name]


def _damaged_light(groups: Iterable[CombatGroup]) -> int:
    """Cruisers that are damaged."""
    return sum(number for key, number in _states(groups) if light(key).state == "damaged")


def _units(group: CombatGroup) -> int:
    """Naval factors, transports as one each."""
    return group.factors + group.capacity["TR"]


def present(battle: Battle, side: Side) -> list[CombatGroup]:
    """All that may take part: groups, those still to come, and before groups are formed the forces that are met."""
    fleet = battle.fleets[side]
    unformed = fleet.forces if battle.segment == FORMATION else ()
    forces = [
        CombatGroup(0, force.name, force.ships, force.light, force.cargo, force.supply, force.mission, force.base)
        for force in unformed
        if force.engaged
    ]
    return [*fleet.groups, *fleet.pending, *forces]


def _leaving(before: Fleet, fleet: Fleet) -> list[CombatGroup]:
    """What has left the battle since."""
    found = [*fleet.detached, *fleet.withdrawn]
    for parcel in (*before.detached, *before.withdrawn):
        found.remove(parcel)
    return found


def _states(groups: Iterable[CombatGroup]) -> Iterator[tuple[str, int]]:
    counts: dict[str, int] = {}
    for group in groups:
        for key, number in group.light.items():
            counts[key] = counts.get(key, 0) + number
    return iter(counts.items())


def _by_kind(counts: dict[str, int]) -> dict[str, int]:
    """Light ships by nation and kind, whatever their state."""
    found: dict[str, int] = {}
    for key, number in counts.items():
        kind = light_key(light(key).nation, light(key).kind)
        found[kind] = found.get(kind, 0) + number
    return found


def _by_type(counts: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, number in counts.items():
        found[squadron(key).type] = found.get(squadron(key).type, 0) + number
    return found


def _squadrons(lost: dict[str, int]) -> dict[str, int]:
    """Aircraft lost, as squadrons by type; those that flew as factors, as against a port, are three each (23.132)."""
    factors = {key: number for key, number in lost.items() if squadron(key).kind in FACTORS and not squadron(key).state}
    return plus(
        _by_type({key: number for key, number in lost.items() if key not in factors}), _by_type(broken_down(factors))
    )


def _minus(counts: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {key: counts.get(key, 0) - other.get(key, 0) for key in {**counts, **other}}


def _factors(counts: dict[str, int]) -> int:
    """Naval factors, a transport counting one (AM-02)."""
    return factors_of(counts) + number_of(counts, "TR")


def _air(fleet: Fleet, groups: Sequence[CombatGroup]) -> dict[str, int]:
    """Squadrons by type: aboard, aloft and ashore, factors broken down."""
    wings: list[dict[str, int]] = [ship.wing for group in groups for ship in group.ships]
    wings += [dict(group.patrol) for group in fleet.groups]
    wings += [dict(fleet.ready), dict(fleet.aloft), dict(fleet.patrol_left)]
    for base in fleet.air_bases:
        wings += [dict(base.squadrons), dict(base.inverted)]
        wings += [broken_down(base.factors), broken_down(base.inverted_factors)]
    found: dict[str, int] = {}
    for wing in wings:
        for key, number in _by_type(wing).items():
            found[key] = found.get(key, 0) + number
    return found


def ship_named(world: World, side: Side, id: str) -> Ship:
    """A ship of a world."""
    return next(ship for group in present(world.battle, side) for ship in group.ships if ship.id == id)
