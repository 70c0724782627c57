"""From one state to the next by an amendment. A group whose contents are not known stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.amendments import (
    Amended,
    AmendmentAgreed,
    AmendmentLapsed,
    CargoPutRight,
    LightShipsRemoved,
    ShipPutRight,
    ShipsAdded,
    SquadronsSet,
    WingSet,
)
from flagplot.model.changes import with_air_base, with_fleet
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Counts, Ship, factors_of, light, minus, plus
from flagplot.model.squadrons import FACTORS, squadron
from flagplot.model.state import Battle, Fleet

Groups = tuple[CombatGroup, ...]


def all_groups(fleet: Fleet) -> Groups:
    """Every group of a side, in the battle, before it and out of it."""
    gone = (each.group for each in fleet.returned)
    return (*fleet.groups, *fleet.pending, *fleet.detached, *fleet.withdrawn, *fleet.home, *gone)


def everywhere(battle: Battle, side: Side, change: Callable[[CombatGroup], CombatGroup]) -> Battle:
    """The battle with a change made to every group of a side, wherever it is."""
    fleet = battle.fleets[side]
    return with_fleet(
        battle,
        side,
        groups=tuple(map(change, fleet.groups)),
        pending=tuple(map(change, fleet.pending)),
        detached=tuple(map(change, fleet.detached)),
        withdrawn=tuple(map(change, fleet.withdrawn)),
        home=tuple(map(change, fleet.home)),
        returned=tuple(replace(each, group=change(each.group)) for each in fleet.returned),
    )


def at_place(battle: Battle, side: Side, event: Amended, **changes: Callable[[CombatGroup], Any]) -> Battle:
    """The battle with the group an amendment names changed; nothing if its contents are not known here."""

    def changed(group: CombatGroup) -> CombatGroup:
        named = event.place in (group.name, *group.name.split(" and "))
        if group.hidden or not (named if event.place else group.number == event.number):
            return group
        return replace(group, **{field: make(group) for field, make in changes.items()})

    fleet = battle.fleets[side]
    groups, pending = tuple(map(changed, fleet.groups)), tuple(map(changed, fleet.pending))
    return with_fleet(battle, side, groups=groups, pending=pending)


def _agreed(battle: Battle, event: AmendmentAgreed) -> Battle:
    return replace(battle, amendments=(*battle.amendments, event.amendment))


def _lapsed(battle: Battle, event: AmendmentLapsed) -> Battle:
    return replace(battle, amendments=battle.amendments[1:])


def _amended(battle: Battle, event: Amended) -> Battle:
    battle = replace(battle, amendments=battle.amendments[1:])
    change = event.amendment.change
    if isinstance(change, ShipPutRight):
        return _ship(battle, change, event)
    if isinstance(change, ShipsAdded):
        return at_place(
            battle,
            change.side,
            event,
            ships=lambda group: (*group.ships, *change.ships),
            light=lambda group: plus(group.light, change.light),
        )
    if isinstance(change, LightShipsRemoved):
        return _removed(battle, change, event)
    if isinstance(change, CargoPutRight):
        name, aboard = change.cargo.name, (change.cargo,) if change.aboard else ()
        return at_place(
            battle,
            change.side,
            event,
            cargo=lambda group: (*(item for item in group.cargo if item.name != name), *aboard),
        )
    return _squadrons(battle, change)


def without(counts: Counts, less: Counts) -> dict[str, int]:
    """Light ships less some of them: of destroyers first those that carry nothing."""
    loaded = {
        f"{key}/loaded": number - counts.get(key, 0) for key, number in less.items() if number > counts.get(key, 0)
    }
    return minus(minus(counts, less), loaded)


def _removed(battle: Battle, change: LightShipsRemoved, event: Amended) -> Battle:
    battle = at_place(battle, change.side, event, light=lambda group: without(group.light, change.light))
    fleet = battle.fleets[change.side]
    newly = minus(fleet.newly_damaged, {key: 2 * number for key, number in change.light.items()})
    if not change.sunk:
        return with_fleet(battle, change.side, newly_damaged=newly)
    factors = factors_of(change.light) + sum(n for key, n in change.light.items() if light(key).kind == "TR")  # AM-02
    return with_fleet(
        battle,
        change.side,
        newly_damaged=newly,
        sunk_light=plus(fleet.sunk_light, change.light),
        round_sunk=fleet.round_sunk + (factors if event.fighting else 0),
    )


def _ship(battle: Battle, change: ShipPutRight, event: Amended) -> Battle:
    side, id = change.side, change.ship.id
    fleet = battle.fleets[side]
    size = change.ship.size if event.fighting else 0  # what was out of the battle does not count in its round (22.61A)
    lost = tuple(ship for ship in fleet.sunk if ship.id != id)
    newly = {key: factors for key, factors in fleet.newly_damaged.items() if key != id}
    before = next((ship for group in all_groups(fleet) for ship in group.ships if ship.id == id), change.ship)
    if change.fate == "restored":
        battle = with_fleet(battle, side, sunk=lost, round_sunk=max(0, fleet.round_sunk - size))
        return at_place(battle, side, event, ships=lambda group: (*group.ships, change.ship))
    if change.fate == "sunk":

        def without(group: CombatGroup) -> CombatGroup:
            return replace(group, ships=tuple(ship for ship in group.ships if ship.id != id))

        return with_fleet(
            everywhere(battle, side, without),
            side,
            sunk=(*lost, change.ship),
            air_lost=plus(fleet.air_lost, before.wing),
            newly_damaged=newly,
            round_sunk=fleet.round_sunk + size,
        )
    if change.ship.damaged and (id in fleet.newly_damaged or (size and not before.damaged)):
        newly[id] = change.ship.size

    def as_it_is(ship: Ship) -> Ship:
        return replace(ship, hits=change.ship.hits, damaged=change.ship.damaged) if ship.id == id else ship

    battle = everywhere(battle, side, lambda group: replace(group, ships=tuple(map(as_it_is, group.ships))))
    return with_fleet(battle, side, newly_damaged=newly)


def _squadrons(battle: Battle, change: SquadronsSet) -> Battle:
    fleet = battle.fleets[change.side]
    if not any(base.name == change.at for base in fleet.air_bases):
        return battle  # a carrier's: her owner is told apart
    base = fleet.air_base(change.at)
    if is_factor(change.key):
        return with_air_base(battle, change.side, change.at, factors=set_to(base.factors, change.key, change.number))
    squadrons = set_to(base.squadrons, change.key, change.number)
    used = minus(base.used, {change.key: max(0, base.used.get(change.key, 0) - change.number)})
    return with_air_base(battle, change.side, change.at, squadrons=squadrons, used=used)


def set_to(counts: Counts, key: str, number: int) -> dict[str, int]:
    """Counts with one of them set; what is not there is not listed."""
    return plus({**counts, key: 0}, {key: number})


def is_factor(key: str) -> bool:
    """Whether a key at a base means air factors that are not broken down into squadrons."""
    _, kind, state, _ = squadron(key)
    return kind in FACTORS and not state


def _wing(battle: Battle, event: WingSet) -> Battle:
    def manned(ship: Ship) -> Ship:
        return replace(ship, wing=event.squadrons) if ship.id == event.ship else ship

    return everywhere(battle, event.side, lambda group: replace(group, ships=tuple(map(manned, group.ships))))


AMENDMENT_CHANGES: dict[type[Event], Callable[[Battle, Any], Battle]] = {
    AmendmentAgreed: _agreed,
    Amended: _amended,
    AmendmentLapsed: _lapsed,
    WingSet: _wing,
}
