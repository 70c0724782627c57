"""What the numbers of a compiled battle stand for (kernel_layout.py): names of ships, groups, kinds, keys, and so on.

A Layout is made by kernel_state.encode and needed to read a battle back into names. Whatever a compiled battle has no
room for, or does not do, is refused here with NotCompilable; the plain procedures do it instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import light, light_key
from flagplot.model.squadrons import FACTORS, NEAR, ROLES, squadron, squadron_key
from flagplot.model.state import Battle, Fleet
from flagplot.odds import kernel_layout as at


class NotCompilable(PlayerError):
    """A battle the kernels cannot play; the procedures can. Says why."""


@dataclass
class Names:
    """Of one side: what stands at each index, within the side."""

    ships: list[str] = field(default_factory=list)  # ids
    groups: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)  # light keys
    cargo: list[tuple[int, str]] = field(default_factory=list)  # group, name
    bases: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)  # squadron keys, with bases
    factors: list[str] = field(default_factory=list)  # "Germany/AAF"
    boats: list[str] = field(default_factory=list)
    places: list[tuple[str, str]] = field(default_factory=list)  # where, light key


@dataclass
class Layout:
    """The names of both sides, side 0 being the interceptor, and the battle a template was made from."""

    sides: tuple[Side, Side]
    names: tuple[Names, Names]
    battle: Battle

    def side(self, number: int) -> Side | None:
        """The side of a number; None for none."""
        return self.sides[number] if number in (0, 1) else None


def groups_of(fleet: Fleet) -> list[CombatGroup]:
    """Every group whose ships a compiled battle keeps: fighting by number, pending as they stand, then those gone."""
    return [*fleet.groups, *fleet.pending]


def names_of(fleet: Fleet) -> Names:
    """The names of a side, in the order of their numbers."""
    names = Names()
    active = groups_of(fleet)
    names.groups = [group.name for group in active]
    names.ships = [ship.id for group in active for ship in group.ships]
    for gone in (fleet.detached, fleet.withdrawn, fleet.home):
        names.ships += [ship.id for group in gone for ship in group.ships]
    names.ships += [ship.id for ship in fleet.sunk]
    names.kinds = _kinds(fleet)
    loads = [*active, *fleet.detached, *fleet.withdrawn]
    names.cargo = [(index, cargo.name) for index, group in enumerate(loads) for cargo in group.cargo]
    names.bases = [base.name for base in fleet.air_bases]
    names.factors = sorted({key for base in fleet.air_bases for key in (*base.factors, *base.inverted_factors)})
    names.keys = _keys(fleet)
    boats = {*fleet.submarines, *fleet.submarines_spent, *fleet.submarines_lost}
    names.boats = sorted(boats)
    names.places = [(place, key) for place, counts in fleet.destroyers_elsewhere.items() for key in counts]
    _check(names)
    return names


def _kinds(fleet: Fleet) -> list[str]:
    """Kinds of light ships, with those they may become: cruisers damaged, destroyers loaded and unloaded."""
    groups = [*groups_of(fleet), *fleet.detached, *fleet.withdrawn, *fleet.home]
    found = {key for group in groups for key in group.light}
    found |= {*fleet.sunk_light, *(key for counts in fleet.destroyers_elsewhere.values() for key in counts)}
    laden = any(cargo.by == "DD" for group in groups for cargo in group.cargo)
    for key in list(found):
        nation, kind, state = light(key)
        if kind == "CA" and not state:
            found.add(light_key(nation, "CA", "damaged"))
        if kind == "DD" and (laden or state):
            found |= {light_key(nation, "DD"), light_key(nation, "DD", "loaded")}
    return sorted(found)


def _keys(fleet: Fleet) -> list[str]:
    """Keys of squadrons: those aboard, those at each base, what factors there become, and naval air that lands there."""
    groups = [*groups_of(fleet), *fleet.detached, *fleet.withdrawn, *fleet.home]
    deck = {key for group in groups for ship in group.ships for key in ship.wing}
    deck |= {key for group in groups for key in group.patrol}
    deck |= {key for counts in (fleet.ready, fleet.aloft, fleet.patrol_left) for key in counts}
    found = set(deck)
    for base in fleet.air_bases:
        here = {*base.squadrons, *base.inverted, *base.used, *base.aborted}
        here |= deck if base.distance <= NEAR else set()
        here |= {made for key in (*base.factors, *base.inverted_factors) for made in squadrons_of(key)}
        found |= {f"{key}@{base.name}" for key in here}
    found |= {key for key in fleet.air_lost if not key.endswith(")")}
    found |= {key for group in groups for key in group.cover}
    _room("kinds of naval air aboard carriers", len(deck), at.MOST_DECK_KEYS)
    for base in fleet.air_bases:
        here = {key for key in found if squadron(key).base == base.name}
        _room("kinds of aircraft at one base", len(here), at.MOST_BASE_KEYS)
    covering = {key for key in found if squadron(key).base and squadron(key).state == "cover"}
    covering |= {key for group in groups for key in group.cover}
    _room("kinds of aircraft that may fly cover", len(covering), at.MOST_COVER_KEYS)
    return sorted(found)


def squadrons_of(factor: str) -> tuple[str, ...]:
    """The squadrons that a factor becomes: to search, to cover, to attack."""
    nation, kind, _, _ = squadron(factor)
    return tuple(squadron_key(nation, FACTORS[kind], role) for role in ROLES)


def _check(names: Names) -> None:
    for what, found, most in (
        ("named ships", names.ships, at.MOST_SHIPS),
        ("groups", names.groups, at.MOST_SLOTS),
        ("kinds of light ships", names.kinds, at.MOST_LIGHT),
        ("cargoes", names.cargo, at.MOST_CARGO),
        ("air bases", names.bases, at.MOST_BASES),
        ("kinds of aircraft", names.keys, at.MOST_KEYS),
        ("kinds of air factors", names.factors, at.MOST_FACTOR_KINDS),
        ("kinds of submarines", names.boats, at.MOST_BOATS),
        ("kinds of destroyers elsewhere", names.places, at.MOST_PLACES),
    ):
        _room(what, len(found), most)
    if any("elite" in name for name in (*names.ships, *names.bases)):
        raise NotCompilable("a ship or base is called elite, which the admiral would take for its crews")
    for what, unique in (("ships", names.ships), ("cargoes of a group", names.cargo), ("groups", names.groups)):
        if len(set(unique)) < len(unique):
            raise NotCompilable(f"two {what} of a side have the same name")


def _room(what: str, found: int, most: int) -> None:
    if found > most:
        raise NotCompilable(f"a side has {found} {what}; compiled battles have room for {most}")


def number(where: Sequence[str], name: str, what: str) -> int:
    """The place of a name in a list; what is not in it cannot be compiled."""
    if name not in where:
        raise NotCompilable(f"compiled battles know no {what} {name!r}")
    return where.index(name)
