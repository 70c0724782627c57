"""From one state of the strategic war to the next, by an event. The truth and every picture are folded alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import war_events as ev
from flagplot.model.ships import minus, plus, slug
from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.strategic_war import ASW, UNITED_STATES, ForcePool
from flagplot.model.war import (
    SHIPS,
    Convoys,
    Counts,
    Dispatch,
    Hunter,
    Idle,
    Levels,
    Purse,
    Raider,
    TargetHex,
    War,
    YardShip,
    kind_of,
    pool_of,
    power_of,
    side_of,
    unit,
)

SomeGroup = TypeVar("SomeGroup", Raider, Hunter)
FIRST, SECOND = "1/0", "0/1"  # what bombers do to ships in a yard (26.76)
ATOMIC_ROCKETS = "atomic rockets"  # a kind of salvo (26.67)
DROPPED, BROUGHT_BACK, LOST = "dropped", "brought back", "lost"  # what becomes of an atomic bomb


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
    cut = {power: lost for power, lost in war.reduced.items() if side_of(power) is event.side}
    for power, limit in war.limits.items():
        if side_of(power) is event.side:
            purses[power] = _filled(war.purses.get(power, Purse()), limit, cut.get(power, 0))
    left = {power: lost for power, lost in war.reduced.items() if side_of(power) is not event.side}
    idle = tuple(each for each in war.idle if war.now.before(each.until))
    return replace(
        war, purses=purses, reduced=left, cut=cut, idle=idle, stage="dispatches", cards={}, raider_codebreaking={}
    )


def _filled(purse: Purse, limit: Purse, cut: int) -> Purse:
    """A purse at the beginning of a player turn: its limits, less what bombing took from that of construction."""
    return Purse(purse.brps, max(0, limit.construction - cut), limit.shipbuilding)


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
            purses[power] = _filled(purses.get(power, Purse()), limit, war.cut.get(power, 0))
    arrivals = [ev.Move(name, n, "", place) for place, units in news.arrivals.items() for name, n in units.items()]
    gone, fallen = _leaving(war, news.departures), _leaving(war, news.losses)
    ports = {name: port for name, port in war.ports.items() if name not in news.lost_ports}
    targets = {name: target for name, target in war.targets.items() if name not in news.closed_targets}
    targets |= {target.name: _still_marked(war, target) for target in news.targets}
    for name in news.atomic:
        if name in targets:  # and was not given up since
            targets[name] = struck_atomically(targets[name])
    pools, coming = _produced(war, news)
    war = replace(war, pools=pools, coming=coming)
    war = _lost(war, fallen)
    places = moved(war.places, [*arrivals, *gone])
    return replace(
        war,
        purses=purses,
        limits=limits,
        places=places,
        idle=_still_idle(war.idle, places),
        research={**war.research, **{name: _levels(war.levels(name), to) for name, to in news.research.items()}},
        politics=news.politics or war.politics,
        ports={**ports, **{port.name: port for port in news.ports}},
        cards=news.cards,
        ireland=war.ireland if news.ireland is None else news.ireland,
        targets=targets,
        impaired=war.impaired if news.impaired is None else news.impaired,
        impaired_air=war.impaired_air if news.impaired_air is None else news.impaired_air,
        axis_holds=war.axis_holds if news.axis_holds is None else news.axis_holds,
        us_reentry=war.us_reentry if news.us_reentry is None else news.us_reentry,
        air_bases={**war.air_bases, **news.air_bases},
        **_rocket_bases(war, news),
        atomic_bombs=plus(war.atomic_bombs, news.atomic_bombs),
        atomic_damage=war.atomic_damage if news.atomic_damage is None else news.atomic_damage,
        yards=tuple({ship.name: ship for ship in (*war.yards, *_to_be_built(war, news))}.values()),
        raiders=(*war.raiders, *_afloat(war, news.raiders)),
        hunters=war.hunters if news.hunters is None else _afloat(war, news.hunters),
        raider_codebreaking=news.raider_codebreaking,
        search_squadrons=war.search_squadrons if news.search_squadrons is None else news.search_squadrons,
        murmansk=war.murmansk if news.murmansk is None else _convoys(war, news.murmansk),
    )


def _still_idle(idle: Iterable[Idle], places: Mapping[str, Counts]) -> tuple[Idle, ...]:
    """Who is still inverted after units have left or were lost: no more than are there."""
    left = {place: dict(units) for place, units in places.items()}
    kept = []
    for each in idle:
        here = left.get(each.place, {})
        number = min(each.number, here.get(each.unit, 0))
        if number:
            here[each.unit] -= number
            kept.append(replace(each, number=number))
    return tuple(kept)


def _still_marked(war: War, target: TargetHex) -> TargetHex:
    """A target that changes keeps the markers it bears, unless the dispatch speaks of them."""
    known = war.targets.get(target.name)
    if known is None or target.markers:
        return target
    damaged = {(each.kind, each.name): each.markers for each in known.industry}
    industry = [replace(f, markers=max(f.markers, damaged.get((f.kind, f.name), 0))) for f in target.industry]
    return replace(target.with_industry(tuple(industry)), markers=known.markers, burnt=known.burnt)


def struck_atomically(target: TargetHex) -> TargetHex:
    """26.83. A target with an atomic marker, which it bears for ever."""
    return target if "atomic" in target.markers else replace(target, markers=(*target.markers, "atomic"))


def _rocket_bases(war: War, news: Dispatch) -> dict[str, Any]:
    """26.62A. Rocket bases, places for them and eliminated ones after a dispatch: a base is lost with its place."""
    standing = {**war.rocket_bases, **{power: _standing(war, power, news) for power in news.rocket_bases}}
    lost = dict(war.lost_bases)
    for power, sites in news.rocket_sites.items():
        now = {site.id: site for site in sites}
        fallen = {site.id for site in war.rocket_sites.get(power, ())} - set(now)
        mine = standing.get(power, ())
        lost[power] = (*lost.get(power, ()), *(base for base in mine if base.id in fallen))
        left = [base for base in mine if base.id not in fallen]
        standing[power] = tuple(replace(now.get(base.id, base), damaged=base.damaged) for base in left)
    return {"rocket_bases": standing, "lost_bases": lost, "rocket_sites": {**war.rocket_sites, **news.rocket_sites}}


def _standing(war: War, power: str, news: Dispatch) -> tuple[RocketBase, ...]:
    """26.62C. The rocket bases of a dispatch: those that bombs eliminated come back by themselves, damaged ones stay so."""
    lost = {base.id for base in war.lost_bases.get(power, ())}
    damaged = {base.id for base in war.rocket_bases.get(power, ()) if base.damaged}
    given = news.rocket_bases[power]
    return tuple(replace(base, damaged=base.damaged or base.id in damaged) for base in given if base.id not in lost)


def _afloat(war: War, groups: Iterable[SomeGroup]) -> tuple[SomeGroup, ...]:
    """Raiders or hunters without the ships that were sunk before."""
    found = []
    for group in groups:
        ships = tuple(ship for ship in group.force.ships if ship.id not in war.sunk_ships)
        if ships or group.force.light:
            found.append(replace(group, force=replace(group.force, ships=ships)))
    return tuple(found)


def _to_be_built(war: War, news: Dispatch) -> list[YardShip]:
    """Ships a dispatch brings into the yards, without those that were sunk before."""
    return [ship for ship in news.yards if slug(ship.name) not in war.sunk_ships]


def _convoys(war: War, convoys: Convoys) -> Convoys:
    """Convoys, and those who wait for them, without the ships that were sunk before."""
    left = {
        name: replace(force, ships=tuple(ship for ship in force.ships if ship.id not in war.sunk_ships))
        for name, force in (("escort", convoys.escort), ("ships", convoys.ships))
    }
    return replace(convoys, **left)


def _leaving(war: War, units: Mapping[str, Counts]) -> list[ev.Move]:
    """Units that leave for elsewhere, or for good: as many of those named as there are."""
    named = [(name, place, n) for place, counts in units.items() for name, n in counts.items()]
    return [
        ev.Move(name, min(n, war.present(place, name)), place, "")
        for name, place, n in named
        if war.present(place, name)
    ]


def _levels(levels: Levels, changed: Counts) -> Levels:
    return replace(levels, **changed)


def _produced(war: War, news: Dispatch) -> tuple[dict[str, dict[str, ForcePool]], dict[str, Counts]]:
    """24.22. The pools with new bombers and interceptors, and the ships that join them after unit construction."""
    pools = {owner: dict(kinds) for owner, kinds in war.pools.items()}
    coming = {owner: dict(kinds) for owner, kinds in war.coming.items()}
    for owner, kinds in news.produced.items():
        for kind, number in kinds.items():
            if kind in SHIPS:
                coming[owner] = plus(coming.get(owner, {}), {kind: number})
                continue
            pool = pools.setdefault(owner, {}).get(kind, ForcePool())
            pools[owner][kind] = ForcePool(pool.built, pool.allowable + number)
    return pools, coming


def _joined(war: War) -> War:
    """24.22. Unit construction is over: ships that production brought may be built from the next time on."""
    pools = {owner: dict(kinds) for owner, kinds in war.pools.items()}
    mine = {owner: kinds for owner, kinds in war.coming.items() if side_of(owner) is war.now.side}
    for owner, kinds in mine.items():
        for kind, number in kinds.items():
            pool = pools.setdefault(owner, {}).get(kind, ForcePool())
            pools[owner][kind] = ForcePool(pool.built, pool.allowable + number)
    return replace(war, pools=pools, coming={owner: war.coming[owner] for owner in war.coming if owner not in mine})


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
    if event.stage == "movement":
        war = _joined(war)
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
    defending = dict(war.defending)
    if event.station:
        gone = {f"{name}, {front}": number for name, number, front, _ in event.moves}
        defending[event.station] = minus(defending[event.station], gone)
    return replace(_lost(war, event.moves), defending=defending)


def _intercepted(war: War, event: ev.RaidIntercepted) -> War:
    return replace(war, defending={**war.defending, event.target: event.defenders})


def _hit(war: War, target: str, source: str, damage: int) -> War:
    return replace(war, damage={**war.damage, target: plus(war.damage.get(target, {}), {source: damage})})


def _announced(war: War, event: ev.RaidAnnounced) -> War:
    return replace(war, atomic_bombs=minus(war.atomic_bombs, {event.power: 1})) if event.atomic else war


def _salvos_announced(war: War, event: ev.SalvosAnnounced) -> War:
    bombs = war.atomic_bombs
    for salvo in event.salvos:
        if salvo.kind == ATOMIC_ROCKETS:
            bombs = minus(bombs, {salvo.power: salvo.number})
    return replace(war, salvos=event.salvos, atomic_bombs=bombs)


def _atomic(war: War, event: ev.AtomicBombFlown) -> War:
    """26.33. Bombs are out of their owner's hands once announced; one that is brought back he has again."""
    if event.fate == BROUGHT_BACK:
        return replace(war, atomic_bombs=plus(war.atomic_bombs, {event.power: 1}))
    if event.fate == DROPPED:
        struck = struck_atomically(war.targets[event.target])
        war = _hit(replace(war, targets={**war.targets, event.target: struck}), event.target, event.means, event.damage)
    return war


def _bombed(war: War, event: ev.RaidBombed) -> War:
    first, second = event.yard
    war = _hit(war, event.target, FIRST, first)
    war = _hit(war, event.target, SECOND, second)
    return _hit(war, event.target, "bombers", event.damage)


def _salvos(war: War, event: ev.SalvosFired) -> War:
    return _hit(war, event.target, event.kind, event.damage)


def _told(war: War, event: ev.BombingTold) -> War:
    purses = dict(war.purses)
    for power, brps in event.brps.items():
        purse = purses.get(power, Purse())
        purses[power] = replace(purse, brps=purse.brps - brps)  # below nothing: a deficit (26.72D, 26.75)
    yards = {ship.name: ship for ship in (*war.yards, *event.yards) if ship.name not in event.sunk_in_yard}
    targets = {**war.targets, **{target.name: target for target in event.targets}}
    told = {target.name for target in event.targets}
    kept = [name for name in targets if name in told or name not in event.eliminated]
    lost = dict(war.lost_bases)
    for power, bases in event.lost_bases.items():
        lost[power] = (*lost.get(power, ()), *bases)
    return replace(
        war,
        purses=purses,
        reduced=plus(war.reduced, event.construction),
        targets={name: target for name, target in targets.items() if name in kept},
        yards=tuple(yards.values()),
        sunk_ships=(*war.sunk_ships, *(slug(name) for name in event.sunk_in_yard)),
        rocket_bases={**war.rocket_bases, **event.bases},
        lost_bases=lost,
        damage={},
        bombed=plus(war.bombed, event.brps),
    )


def _yards(war: War, event: ev.YardsAdvanced) -> War:
    return replace(war, yards=event.yards)


def _base_returned(war: War, event: ev.RocketBaseReturned) -> War:
    left = tuple(base for base in war.lost_bases[event.power] if base.id != event.eliminated)
    bases = (*war.rocket_bases.get(event.power, ()), event.base)
    return replace(
        war,
        rocket_bases={**war.rocket_bases, event.power: bases},
        lost_bases={**war.lost_bases, event.power: left},
    )


def _base_placed(war: War, event: ev.RocketBasePlaced) -> War:
    bases = tuple(base for base in war.rocket_bases.get(event.power, ()) if base.id != event.moved_from)
    return replace(war, rocket_bases={**war.rocket_bases, event.power: (*bases, event.base)})


def _sailed(war: War, event: ev.RaidersSailed) -> War:
    return replace(war, raiding=event.groups)


def _hunted(war: War, event: ev.RaidersHunted) -> War:
    return replace(war, met={**war.met, event.group: event.hunters})


def _raiders_struck(war: War, event: ev.RaidersStruck) -> War:
    return _lost(war, event.losses)


def _raiders_home(war: War, event: ev.RaidersHome) -> War:
    sunk = (*war.sunk_ships, *event.sunk)
    return replace(war, raiders=event.raiders, hunters=event.hunters, sunk_ships=sunk, raiding=(), met={})


def _convoy_sailed(war: War, event: ev.ConvoySailed) -> War:
    return replace(war, convoy=event.convoy)


def _convoy_over(war: War, event: ev.ConvoyOver) -> War:
    war = _lost(war, event.losses)
    return replace(
        war,
        idle=_still_idle(war.idle, war.places),
        murmansk=event.murmansk,
        convoy=None,
        sunk_ships=(*war.sunk_ships, *event.sunk),
        convoys=plus(war.convoys, {"sent": event.sent, "arrived": event.arrived}),
    )


def _spent(war: War, event: ev.DefendersSpent) -> War:
    return replace(war, no_escort=event.no_escort, idle=event.idle)


def _markers(war: War, event: ev.MarkersRemoved) -> War:
    return replace(war, targets={**war.targets, **{target.name: target for target in event.targets}})


def _turn_ended(war: War, event: ev.PlayerTurnEnded) -> War:
    bases = {
        power: tuple(replace(base, damaged=False) for base in mine) if side_of(power) is event.side else mine
        for power, mine in war.rocket_bases.items()
    }
    barred = {
        key: number
        for key, number in war.no_escort.items()
        if side_of(power_of(key.rsplit(", ", 1)[0])) is not event.side
    }
    war = replace(
        war,
        now=war.now.following,
        stage="",
        damage={},
        defending={},
        salvos=(),
        rocket_bases=bases,
        no_escort=barred,
        cut={},
    )
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
    ev.YardsAdvanced: _yards,
    ev.RocketBaseReturned: _base_returned,
    ev.RocketBasePlaced: _base_placed,
    ev.RaidersSailed: _sailed,
    ev.RaidersHunted: _hunted,
    ev.RaidersStruck: _raiders_struck,
    ev.RaidersHome: _raiders_home,
    ev.ConvoySailed: _convoy_sailed,
    ev.ConvoyOver: _convoy_over,
    ev.ShippingStruck: _shipping,
    ev.RaidAnnounced: _announced,
    ev.SalvosAnnounced: _salvos_announced,
    ev.AtomicBombFlown: _atomic,
    ev.DefendersSpent: _spent,
    ev.MarkersRemoved: _markers,
    ev.AirUnitsLost: _air_units_lost,
    ev.RaidIntercepted: _intercepted,
    ev.RaidBombed: _bombed,
    ev.SalvosFired: _salvos,
    ev.BombingTold: _told,
    ev.PlayerTurnEnded: _turn_ended,
    ev.WarEnded: _ended,
}
