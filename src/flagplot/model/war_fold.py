"""From one state of the strategic war to the next, by an event. The truth and every picture are folded alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import war_events as ev
from flagplot.model.ships import minus, plus
from flagplot.model.strategic_war import ASW, UNITED_STATES, ForcePool
from flagplot.model.war import Counts, Dispatch, Levels, Purse, War, kind_of, pool_of, side_of, unit


def apply_war(war: War, event: Event) -> War:
    """The state after an event."""
    change = CHANGES.get(type(event))
    return change(war, event) if change else war


def moved(places: Mapping[str, Counts], moves: Iterable[ev.Move]) -> dict[str, Counts]:
    """Places after units have gone from one to another; what comes from or goes to "" is made or lost."""
    after = {place: dict(units) for place, units in places.items()}
    for name, number, start, end in moves:
        if start:
            after[start] = minus(after[start], {name: number})
        if end:
            after[end] = plus(after.get(end, {}), {name: number})
    return after


def _opened(war: War, event: ev.WarOpened) -> War:
    return event.war


def _began(war: War, event: ev.PlayerTurnBegan) -> War:
    purses = dict(war.purses)
    for power, limit in war.limits.items():
        if side_of(power) is event.side:
            construction = max(0, limit.construction - war.reduced.get(power, 0))
            purses[power] = Purse(war.purses.get(power, Purse()).brps, construction, limit.shipbuilding)
    left = {power: lost for power, lost in war.reduced.items() if side_of(power) is not event.side}
    idle = tuple(each for each in war.idle if war.now.before(each.until))
    return replace(war, purses=purses, reduced=left, idle=idle, stage="dispatches", cards={})


def _dispatch(war: War, event: ev.DispatchReceived) -> War:
    news = event.dispatch
    purses = dict(war.purses)
    limits = dict(war.limits)
    for power, income in news.brps.items():
        purse = purses.get(power, Purse())
        purses[power] = replace(purse, brps=purse.brps + income)
    for power in dict.fromkeys((*news.construction, *news.shipbuilding)):
        limit = limits.get(power, Purse())
        limit = replace(
            limit,
            construction=news.construction.get(power, limit.construction),
            shipbuilding=news.shipbuilding.get(power, limit.shipbuilding),
        )
        limits[power] = limit
        if side_of(power) is war.now.side:
            purses[power] = replace(
                purses.get(power, Purse()), construction=limit.construction, shipbuilding=limit.shipbuilding
            )
    arrivals = [ev.Move(name, n, "", place) for place, units in news.arrivals.items() for name, n in units.items()]
    gone = [
        ev.Move(name, min(n, war.present(place, name)), place, "")
        for place, units in news.departures.items()
        for name, n in units.items()
    ]
    ports = {name: port for name, port in war.ports.items() if name not in news.lost_ports}
    targets = {name: target for name, target in war.targets.items() if name not in news.closed_targets}
    return replace(
        war,
        purses=purses,
        limits=limits,
        places=moved(war.places, [*arrivals, *gone]),
        pools=_produced(war, news),
        research={**war.research, **{name: _levels(war.levels(name), to) for name, to in news.research.items()}},
        politics=news.politics or war.politics,
        ports={**ports, **{port.name: port for port in news.ports}},
        cards=news.cards,
        ireland=war.ireland if news.ireland is None else news.ireland,
        targets={**targets, **{target.name: target for target in news.targets}},
        axis_holds=war.axis_holds if news.axis_holds is None else news.axis_holds,
        us_reentry=war.us_reentry if news.us_reentry is None else news.us_reentry,
        air_bases={**war.air_bases, **news.air_bases},
        rocket_bases={**war.rocket_bases, **news.rocket_bases},
    )


def _levels(levels: Levels, changed: Counts) -> Levels:
    return replace(levels, **changed)


def _produced(war: War, news: Dispatch) -> dict[str, dict[str, ForcePool]]:
    pools = {owner: dict(kinds) for owner, kinds in war.pools.items()}
    for owner, kinds in news.produced.items():
        for kind, number in kinds.items():
            pool = pools.setdefault(owner, {}).get(kind, ForcePool())
            pools[owner][kind] = ForcePool(pool.built, pool.allowable + number)
    return pools


def _pooled(war: War, changes: Counts) -> dict[str, dict[str, ForcePool]]:
    """Pools after units were built or, with a negative number, lost: those may be built again (SR-28)."""
    pools = {owner: dict(kinds) for owner, kinds in war.pools.items()}
    for name, number in changes.items():
        owner, kind = pool_of(name), kind_of(name)
        if owner:
            pool = pools.setdefault(owner, {}).get(kind, ForcePool())
            pools[owner][kind] = ForcePool(pool.built + number, pool.allowable - number)
    return pools


def _stage(war: War, event: ev.WarStageReached) -> War:
    phases = war.war_phases
    if event.stage == "submarines" and war.now.side is Side.AXIS and war.politics.germany_us_war:
        phases += 1
    return replace(war, stage=event.stage, war_phases=phases)


def _built(war: War, event: ev.UnitsBuilt) -> War:
    purse = war.purses[event.power]
    purse = Purse(purse.brps - event.brps, purse.construction - event.brps, purse.shipbuilding - event.shipbuilding)
    moves = [ev.Move(name, number, "", event.places[name]) for name, number in event.units.items()]
    return replace(
        war,
        purses={**war.purses, event.power: purse},
        pools=_pooled(war, event.units),
        places=moved(war.places, moves),
    )


def _units_moved(war: War, event: ev.UnitsMoved) -> War:
    entered = war.entered
    for name, number, _, end in event.moves:
        if name == unit(UNITED_STATES, ASW):
            entered = plus(entered, {end: number})
    return replace(war, places=moved(war.places, event.moves), idle=event.idle, entered=entered)


def _lost(war: War, moves: Iterable[ev.Move]) -> War:
    """Units out of play: counted in this turn and in all, and back in their pools."""
    gone: Counts = {}
    for name, number, _, end in moves:
        if not end:
            gone = plus(gone, {name: number})
    return replace(
        war,
        places=moved(war.places, moves),
        pools=_pooled(war, {name: -number for name, number in gone.items()}),
        sunk=plus(war.sunk, gone),
        lost=plus(war.lost, gone),
    )


def _shipping(war: War, event: ev.ShippingStruck) -> War:
    return replace(_lost(war, event.losses), idle=event.idle)


def _air_units_lost(war: War, event: ev.AirUnitsLost) -> War:
    gone = {f"{name}, {front}": number for name, number, front, _ in event.moves}
    defending = {target: minus(units, gone) for target, units in war.defending.items()}
    return replace(_lost(war, event.moves), defending=defending)


def _intercepted(war: War, event: ev.RaidIntercepted) -> War:
    return replace(war, defending={**war.defending, event.target: event.defenders})


def _hit(war: War, target: str, source: str, damage: int) -> War:
    return replace(war, damage={**war.damage, target: plus(war.damage.get(target, {}), {source: damage})})


def _bombed(war: War, event: ev.RaidBombed) -> War:
    return _hit(war, event.target, "bombers", event.damage)


def _salvos(war: War, event: ev.SalvosFired) -> War:
    return _hit(war, event.target, event.kind, event.damage)


def _told(war: War, event: ev.BombingTold) -> War:
    purses = dict(war.purses)
    for power, brps in event.brps.items():
        purses[power] = replace(purses.get(power, Purse()), brps=max(0, purses.get(power, Purse()).brps - brps))
    yards = {ship.name: ship for ship in (*war.yards, *event.yards) if ship.name not in event.sunk_in_yard}
    return replace(
        war,
        purses=purses,
        reduced=plus(war.reduced, event.construction),
        targets={**war.targets, **{target.name: target for target in event.targets}},
        yards=tuple(yards.values()),
        damage={},
        bombed=plus(war.bombed, event.brps),
    )


def _turn_ended(war: War, event: ev.PlayerTurnEnded) -> War:
    war = replace(war, now=war.now.following, stage="", damage={}, defending={})
    if event.row is None:
        return war
    return replace(war, chart=(*war.chart, event.row), sunk={}, entered={}, bombed={})


def _ended(war: War, event: ev.WarEnded) -> War:
    return replace(war, over=True)


CHANGES: dict[type[Event], Callable[[War, Any], War]] = {
    ev.WarOpened: _opened,
    ev.PlayerTurnBegan: _began,
    ev.DispatchReceived: _dispatch,
    ev.WarStageReached: _stage,
    ev.UnitsBuilt: _built,
    ev.UnitsMoved: _units_moved,
    ev.ShippingStruck: _shipping,
    ev.AirUnitsLost: _air_units_lost,
    ev.RaidIntercepted: _intercepted,
    ev.RaidBombed: _bombed,
    ev.SalvosFired: _salvos,
    ev.BombingTold: _told,
    ev.PlayerTurnEnded: _turn_ended,
    ev.WarEnded: _ended,
}
