"""A Sight: the few integers a policy looks at, filled from a picture. Nothing a side was not told is in it."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.model.air_events import StrikeAnnounced
from flagplot.model.events import GroupFound, GroupRevealed
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import light
from flagplot.model.squadrons import squadron
from flagplot.model.state import Battle, Fleet

ADMIRAL = Doctrine()


class Sight(NamedTuple):
    """What a policy sees. Guns are undamaged factors of capital ships, cruisers and destroyers without cargo; air is
    squadrons that can attack ships, from carriers and from land."""

    round: int
    own_guns: int
    enemy_guns: int
    own_air: int = 0
    enemy_air: int = 0
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


def known_guns(group: CombatGroup, doctrine: Doctrine = ADMIRAL) -> int:
    """The guns of a group as far as this audience knows, or a guess."""
    if not group.hidden:
        return guns(group)
    return doctrine.small_guns if group.disclosed and group.disclosed.under_ten else doctrine.hidden_guns


def deck_air(group: CombatGroup) -> int:
    """The naval air aboard a group's sound carriers."""
    return sum(ship.air for ship in group.ships if not ship.damaged)


def known_deck_air(group: CombatGroup, doctrine: Doctrine = ADMIRAL) -> int:
    """The naval air of an enemy group as far as this audience knows: what its carriers can hold, or a guess."""
    if not group.hidden:
        return sum(ship.size for ship in group.ships if ship.is_carrier and not ship.damaged)
    return doctrine.carrier_air * group.disclosed.fast_carriers if group.disclosed else 0


def carriers_seen(picture: Picture, side: Side) -> int:
    """The most carriers any one group of a side was ever found or shown to have; a carrier strike betrays one."""
    most = 0
    for event in picture.events:
        if isinstance(event, GroupFound) and event.side is side:
            most = max(most, event.disclosed.fast_carriers)
        elif isinstance(event, GroupRevealed) and event.side is side:
            most = max(most, event.group.fast_carriers)
        elif isinstance(event, StrikeAnnounced) and event.side is side:
            most = max(most, int(any(not squadron(key).base for key in event.squadrons)))
    return most


def shore_air(fleet: Fleet) -> int:
    """Land-based squadrons that can attack ships; a factor has one."""
    return sum(
        sum(n for key, n in base.squadrons.items() if squadron(key).kind in ("NAS", "KAM") or "/attack" in key)
        + sum(base.factors.values())
        for base in fleet.air_bases
        if base.operational
    )


def sight(
    picture: Picture,
    group: CombatGroup | None = None,
    target: CombatGroup | None = None,
    doctrine: Doctrine = ADMIRAL,
) -> Sight:
    """What a side sees, of one of its groups and one enemy group where that matters."""
    battle, side = picture.battle, picture.side or Side.AXIS
    mine, theirs = battle.fleets[side].groups, battle.fleets[side.enemy].groups
    return Sight(
        battle.round,
        sum(map(guns, mine)),
        sum(known_guns(other, doctrine) for other in theirs),
        sum(map(deck_air, mine)) + shore_air(battle.fleets[side]),
        sum(known_deck_air(other, doctrine) for other in theirs) + shore_air(battle.fleets[side.enemy]),
        guns(group) if group else 0,
        group.fast_carriers if group else 0,
        int(group.encumbered) if group else 0,
        known_guns(target, doctrine) if target else 0,
    )


def group_named(battle: Battle, side: Side, name: str) -> CombatGroup | None:
    """The group a decision is about, by its mark on the chart ("CG3")."""
    for group in battle.fleets[side].groups:
        if f"CG{group.number}" == name:
            return group
    return None
