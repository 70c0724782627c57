"""22.421A, 22.81: forces that fought as one combat group are forces of their own again when they leave the battle.

Ships outside task forces are one combat group, and a force with cargo may have another in its group. That is so for the
battle only: afterwards each force goes on with its own activity, or goes home, under its own marker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.operation import NavalForce
from flagplot.model.ships import light, minus, plus
from flagplot.model.state import Homecoming
from flagplot.rules.naval.effects import GOES_BACK

AND = " and "  # between the names of forces in the name of their group


class Member(NamedTuple):
    """What one force had in a group that left a battle."""

    origin: NavalForce
    home: Homecoming


@rule("22.421A.2", "22.421A.3", "22.81A", "22.82B")
def members(parcels: Sequence[Homecoming], before: Sequence[NavalForce]) -> list[Member]:
    """22.81A. Of all that left a battle, what belongs to which of the forces that came to it.

    Named ships tell by themselves. Light ships are dealt out by the numbers the forces had; what was lost of a kind was
    lost by those who joined the group last (FP-56).
    """
    named = [named_in(home.group, before) for home in parcels]
    unnamed = [force for force in before if not any(force in row for row in named)]
    left = {force.id: dict(force.light) for force in before}
    found: list[Member] = []
    for home, own in zip(parcels, named, strict=True):
        helpers = unnamed if any(force.cargo or force.activity == "sea supply" for force in own) else []
        found += _dealt_out(home, [*own, *_known_first(home.group, helpers)], left)
    return found


def named_in(group: CombatGroup, before: Sequence[NavalForce]) -> list[NavalForce]:
    """The forces a group is named after; one that has taken in another keeps its name (22.421A)."""
    named: list[NavalForce] = []
    rest = group.name
    while fits := [force for force in before if rest.startswith(force.id)]:
        named.append(max(fits, key=lambda force: len(force.id)))
        rest = rest.removeprefix(named[-1].id).removeprefix(AND)
    return named or [before[0]]


def _known_first(group: CombatGroup, forces: Sequence[NavalForce]) -> list[NavalForce]:
    ids = [ship.id for ship in group.ships]
    return sorted(forces, key=lambda force: not any(ship.id in ids for ship in force.ships))


def _dealt_out(home: Homecoming, forces: Sequence[NavalForce], left: dict[str, dict[str, int]]) -> Iterator[Member]:
    """What each of these forces has in a group; what nobody is known to have had is the first one's."""
    whole, group = home, home.group
    light_of = _light_of(group, forces, left)
    cargo_of = _cargo_of(group, forces)
    elsewhere = [ship.id for force in forces[1:] for ship in force.ships]
    parts: list[tuple[NavalForce, CombatGroup]] = []
    for force in forces:
        ids = [ship.id for ship in force.ships]
        ships = tuple(s for s in group.ships if (s.id not in elsewhere if force is forces[0] else s.id in ids))
        part = replace(group, ships=ships, light=light_of[force.id], cargo=cargo_of[force.id])
        if part.afloat:
            parts.append((force, part))
    for force, part in parts:
        alone = len(parts) == 1 and force is forces[0]
        if not alone:
            part = replace(part, task_force=force.task_force)
            home = replace(home, base=_base(whole, force), inverted=_inverted(whole, force))
        yield Member(force, replace(home, group=part))


def _light_of(
    group: CombatGroup, forces: Sequence[NavalForce], left: dict[str, dict[str, int]]
) -> dict[str, dict[str, int]]:
    """The light ships of a group by force: first those in the state they came in, then those that were damaged or loaded
    or unloaded meanwhile. `left` are those of each force that have not been found yet."""
    found: dict[str, dict[str, int]] = {force.id: {} for force in forces}
    over = dict(group.light)
    for same_state in (True, False):
        for force in forces:
            for key in list(over):
                for had, number in list(left[force.id].items()):
                    if had == key if same_state else light(had)[:2] == light(key)[:2]:
                        taken = min(over.get(key, 0), number)
                        over = minus(over, {key: taken})
                        left[force.id] = minus(left[force.id], {had: taken})
                        found[force.id] = plus(found[force.id], {key: taken})
    found[forces[0].id] = plus(found[forces[0].id], over)
    return {id: {key: number for key, number in counts.items() if number} for id, counts in found.items()}


def _cargo_of(group: CombatGroup, forces: Sequence[NavalForce]) -> dict[str, tuple[Cargo, ...]]:
    """The cargo of a group by force."""
    found: dict[str, list[Cargo]] = {force.id: [] for force in forces}
    names = {force.id: [item.name for item in force.cargo] for force in forces}
    for item in group.cargo:
        id = next((force.id for force in forces if item.name in names[force.id]), forces[0].id)
        found[id].append(item)
        if item.name in names[id]:
            names[id].remove(item.name)
    return {id: tuple(items) for id, items in found.items()}


@rule("22.63", "22.63A", "22.63B", "22.27")
def _base(home: Homecoming, force: NavalForce) -> str:
    """22.63. Where a force of a group goes: back to its own base if the group goes back to its base of origin, or if it must
    (22.63A)."""
    if home.base and (home.base == home.group.base or force.activity in GOES_BACK):
        return force.base
    return home.base


@rule("22.81A", "22.81B")
def _inverted(home: Homecoming, force: NavalForce) -> bool:
    """22.81B. Whether a force of a group is inverted: by itself, whatever the others of the group were there for."""
    group = home.group
    if not home.base or (not group.number and group.arrives > 1):
        return force.inverted
    return home.inverted or (group.number > 0 and group.mission == "patrol" and force.patrol != "defensive")
