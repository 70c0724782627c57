"""A Sight: the few integers a policy looks at, filled from a picture. Nothing a side was not told is in it."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import light
from flagplot.model.state import Battle

HIDDEN_GUNS = 6  # what a group nobody has seen is taken to have
SMALL_GUNS = 4  # and one that is known to be under ten factors


class Sight(NamedTuple):
    """What a policy sees. Guns are undamaged factors of capital ships, cruisers and destroyers without cargo."""

    round: int
    own_guns: int
    enemy_guns: int
    own_groups: int
    enemy_groups: int
    group_guns: int = 0
    group_carriers: int = 0
    group_laden: int = 0
    target_guns: int = 0


def guns(group: CombatGroup) -> int:
    """The undamaged factors of a group that can fire."""
    named = sum(ship.size for ship in group.ships if ship.is_capital and not ship.damaged)
    return named + sum(
        light(key).factors * number
        for key, number in group.light.items()
        if light(key).kind in ("CA", "DD") and not light(key).state
    )


def known_guns(group: CombatGroup) -> int:
    """The guns of a group as far as this audience knows, or a guess."""
    if not group.hidden:
        return guns(group)
    return SMALL_GUNS if group.disclosed and group.disclosed.under_ten else HIDDEN_GUNS


def sight(picture: Picture, group: CombatGroup | None = None, target: CombatGroup | None = None) -> Sight:
    """What a side sees, of one of its groups and one enemy group where that matters."""
    battle, side = picture.battle, picture.side or Side.AXIS
    mine, theirs = battle.fleets[side].groups, battle.fleets[side.enemy].groups
    return Sight(
        battle.round,
        sum(map(guns, mine)),
        sum(map(known_guns, theirs)),
        len(mine),
        len(theirs),
        guns(group) if group else 0,
        group.fast_carriers if group else 0,
        int(group.encumbered) if group else 0,
        known_guns(target) if target else 0,
    )


def group_named(battle: Battle, side: Side, name: str) -> CombatGroup | None:
    """The group a decision is about, by its mark on the chart ("CG3")."""
    for group in battle.fleets[side].groups:
        if f"CG{group.number}" == name:
            return group
    return None
