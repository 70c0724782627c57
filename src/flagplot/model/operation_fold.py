"""From one state of the operation to the next, by an event. The truth and every picture are folded alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import operation_events as ev
from flagplot.model.air_events import PortAirFought, StrikeFlown
from flagplot.model.events import Evaded, Fired, FleetCombatBegan, GroupsRecombined, GroupsRenumbered
from flagplot.model.operation import ON_THE_WAY, Leg, NavalForce, Operation, Try, Wave
from flagplot.model.ships import plus


def apply_operation(operation: Operation, event: Event) -> Operation:
    """The state after an event."""
    change = CHANGES.get(type(event))
    return change(operation, event) if change else operation


def _wave(operation: Operation, **changes: Any) -> Operation:
    return replace(operation, waves=(*operation.waves[:-1], replace(operation.wave, **changes)))


def _replaced(old: Sequence[Any], new: Iterable[Any], key: str = "id") -> tuple[Any, ...]:
    """Old things with new ones of the same name in their place, and further new ones behind."""
    fresh = {getattr(each, key): each for each in new}
    kept = [fresh.pop(getattr(each, key), each) for each in old]
    return (*kept, *fresh.values())


def _opened(operation: Operation, event: ev.OperationOpened) -> Operation:
    return replace(
        operation,
        title=event.title,
        theatre=event.theatre,
        names=event.names,
        open=event.open,
        waters=event.waters,
        phases_left=event.waters.phases,
        airfields=event.waters.airfields,
        forces=dict.fromkeys(Side, ()),
        boats=dict.fromkeys(Side, ()),
        orders=dict.fromkeys(Side, ()),
    )


def _orders(operation: Operation, event: ev.OrdersReceived) -> Operation:
    return replace(operation, orders={**operation.orders, event.side: event.orders})


def _with_forces(operation: Operation, side: Side, forces: Iterable[NavalForce], gone: Sequence[str]) -> Operation:
    kept = [force for force in operation.forces[side] if force.id not in gone]
    return replace(operation, forces={**operation.forces, side: _replaced(kept, forces)})


def _placed(operation: Operation, event: ev.ForcesPlaced) -> Operation:
    return _with_forces(operation, event.side, event.forces, event.gone)


def _markers(operation: Operation, event: ev.MarkersMoved) -> Operation:
    """What the owner was told before changes nothing here."""
    known = [force.id for force in operation.forces[event.side] if not force.hidden]
    forces = [force for force in event.forces if force.id not in known]
    return _with_forces(operation, event.side, forces, event.gone)


def _boats(operation: Operation, event: ev.BoatsPlaced) -> Operation:
    boats = _replaced(operation.boats[event.side], event.boats, "station")
    lost = plus(operation.boats_lost.get(event.side, {}), event.lost)
    return replace(
        operation,
        boats={**operation.boats, event.side: boats},
        boats_lost={**operation.boats_lost, event.side: lost},
    )


def _airfields(operation: Operation, event: ev.AirfieldsChanged) -> Operation:
    return replace(operation, airfields={**operation.airfields, event.side: event.airfields})


def _phase(operation: Operation, event: ev.PhaseBegan) -> Operation:
    forces = {
        side: tuple(replace(force, committed=False, attempted=False) for force in operation.forces[side])
        for side in Side
    }
    boats = {
        side: tuple(
            replace(each, ready=plus(each.ready, each.attempted), attempted={}) for each in operation.boats[side]
        )
        for side in Side
    }
    return replace(
        operation,
        phase=event.phase,
        announcing=True,
        phases_left=operation.phases_left[1:],
        forces=forces,
        boats=boats,
        missions=(),
        pending=(),
        raided=(),
        attacked=(),
        struck={},
    )


def _missions(operation: Operation, event: ev.MissionsAnnounced) -> Operation:
    return replace(operation, missions=event.missions)


def _announced(operation: Operation, event: ev.WaveAnnounced) -> Operation:
    return replace(
        operation,
        waves=(*operation.waves, Wave(side=event.side, legs=event.legs)),
        legs_made=operation.legs_made + len(event.legs),
    )


def _stage(operation: Operation, event: ev.StageReached) -> Operation:
    return _wave(operation, stage=event.stage)


def _changed_legs(operation: Operation, legs: Iterable[Leg]) -> Operation:
    """Legs of any wave, replaced where they stand."""
    fresh = {leg.id: leg for leg in legs}
    waves = tuple(replace(wave, legs=tuple(fresh.get(leg.id, leg) for leg in wave.legs)) for wave in operation.waves)
    return replace(operation, waves=waves)


def _demanded(operation: Operation, event: ev.PathsDemanded) -> Operation:
    legs = [replace(leg, demanded=leg.id in event.legs) for leg in operation.wave.legs]
    return _changed_legs(operation, legs)


def _path(operation: Operation, event: ev.PathGiven) -> Operation:
    return _changed_legs(operation, [replace(operation.wave.leg(event.leg), path=event.path)])


def _sought(operation: Operation, event: ev.ContactsSought) -> Operation:
    return _wave(operation, contacts=(*operation.wave.contacts, *event.contacts))


def _with_tries(operation: Operation, tries: Iterable[Try]) -> Operation:
    return _wave(operation, tries=_replaced(operation.wave.tries, tries))


def _tries(operation: Operation, event: ev.TriesAnnounced) -> Operation:
    made = operation.tries_made + len(event.tries)
    return replace(_with_tries(operation, event.tries), tries_made=made)


def _rolled(operation: Operation, event: ev.InterceptionRolled) -> Operation:
    tries = [
        replace(each, dice=len(event.dice), result=event.result, status="rolled")
        for each in operation.wave.tries
        if each.id == event.attempt
    ]
    return _with_tries(operation, tries)


def _settled(operation: Operation, event: ev.TriesSettled) -> Operation:
    return _with_tries(operation, event.tries)


def _support(operation: Operation, event: ev.PatrolsSupport) -> Operation:
    return _wave(operation, supports=_replaced(operation.wave.supports, event.tries))


def _contact(operation: Operation, event: ev.ContactMade) -> Operation:
    return replace(operation, contact=event.contact, meeting=event.forces, fired={})


def _contact_ended(operation: Operation, event: ev.ContactEnded) -> Operation:
    contacts = tuple(
        replace(contact, done=True) if contact.id == event.contact else contact for contact in operation.wave.contacts
    )
    return replace(_wave(operation, contacts=contacts), contact="", meeting={}, fired={})


def _raids(operation: Operation, event: ev.RaidsAnnounced) -> Operation:
    raided = dict.fromkeys((*operation.raided, *event.forces))
    return replace(operation, raids=(*operation.raids, *event.raids), raided=tuple(raided))


def _raid_began(operation: Operation, event: ev.RaidBegan) -> Operation:
    attacked = tuple(dict.fromkeys((*operation.attacked, event.raid.target)))
    return replace(
        operation, raids=(event.raid, *operation.raids[1:]), meeting=event.forces, attacked=attacked, fired={}
    )


def _raid_ended(operation: Operation, event: ev.RaidEnded) -> Operation:
    return replace(operation, raids=operation.raids[1:], meeting={}, fired={})


def _hulks(operation: Operation, event: ev.SunkInPort) -> Operation:
    hulks = (*operation.hulks.get(event.side, ()), *event.ships)
    return replace(operation, hulks={**operation.hulks, event.side: hulks})


def _losses(operation: Operation, event: ev.LossesCounted) -> Operation:
    side = event.side
    return replace(
        operation,
        sunk={**operation.sunk, side: (*operation.sunk.get(side, ()), *event.ships)},
        sunk_light={**operation.sunk_light, side: plus(operation.sunk_light.get(side, {}), event.light)},
        cargo_lost={**operation.cargo_lost, side: (*operation.cargo_lost.get(side, ()), *event.cargo)},
    )


def _legs(operation: Operation, event: ev.LegsChanged) -> Operation:
    """A path that everyone is not told stays what it was to whoever knows it."""
    paths = {leg.id: leg.path for wave in operation.waves for leg in wave.legs}
    return _changed_legs(operation, [replace(leg, path=leg.path or paths[leg.id]) for leg in event.legs])


def _wave_ended(operation: Operation, event: ev.WaveEnded) -> Operation:
    return replace(operation, waves=operation.waves[:-1], ended=(*operation.ended, *operation.wave.legs))


def _continue(operation: Operation, event: ev.ActivitiesContinue) -> Operation:
    return replace(operation, pending=event.orders, announcing=False)


def _closed(operation: Operation, event: ev.ZonesClosed) -> Operation:
    zones = dict.fromkeys((*operation.closed.get(event.side, ()), *event.zones))
    return replace(operation, closed={**operation.closed, event.side: tuple(zones)})


def _ports(operation: Operation, event: ev.PortsReached) -> Operation:
    ports = dict.fromkeys((*operation.returned_to.get(event.side, ()), *event.ports))
    return replace(operation, returned_to={**operation.returned_to, event.side: tuple(ports)})


def _over(operation: Operation, event: ev.OperationEnded) -> Operation:
    return replace(operation, over=True)


def _fleet_combat(operation: Operation, event: FleetCombatBegan) -> Operation:
    return replace(operation, in_fleet_combat={side: event.engagement.number(side) for side in Side})


def _fired(operation: Operation, event: Fired) -> Operation:
    number = operation.in_fleet_combat.get(event.side, 0)
    return _engaged(operation, event.side, (*event.shot.ships, *(f"{number}:{key}" for key in event.shot.light)))


def _evaded(operation: Operation, event: Evaded) -> Operation:
    """A group has another number now, and what it fired before it fired."""
    old, new = f"{event.number}:", f"{event.new_number}:"
    fired = tuple(
        new + name.removeprefix(old) if name.startswith(old) else name for name in operation.fired.get(event.side, ())
    )
    return replace(operation, fired={**operation.fired, event.side: fired}) if fired else operation


def _renumbered(operation: Operation, event: GroupsRenumbered) -> Operation:
    """Groups have other numbers now, and what they fired before they fired."""
    names = [name.partition(":") for name in operation.fired.get(event.side, ())]
    fired = tuple(f"{event.numbers.get(int(name), name)}:{key}" if key else name for name, _, key in names)
    return replace(operation, fired={**operation.fired, event.side: fired}) if fired else operation


def _recombined(operation: Operation, event: GroupsRecombined) -> Operation:
    """What light ships of a kind have fired is so of any of that kind that went over to another group."""
    names = [name.partition(":") for name in operation.fired.get(event.side, ())]
    more = [
        f"{number}:{key}"
        for number, givers in event.joined.items()
        for name, _, key in names
        if name in map(str, givers)
    ]
    return _engaged(operation, event.side, [name for name in more if not name.endswith(":")])


def _launched(operation: Operation, event: StrikeFlown) -> Operation:
    return _engaged(operation, event.side, tuple(event.decks))


def _struck(operation: Operation, event: PortAirFought) -> Operation:
    """Aircraft that a patrol attacks on its way have seen it, whatever becomes of them."""
    raid = operation.raid
    if raid is None or raid.occasion != ON_THE_WAY:
        return operation
    struck = dict(operation.struck)
    for id in raid.forces:
        before = struck.get(id, {})
        struck[id] = {
            key: max(before.get(key, 0), event.defenders.get(key, 0)) for key in {**before, **event.defenders}
        }
    return replace(operation, struck=struck)


def _engaged(operation: Operation, side: Side, ships: Sequence[str]) -> Operation:
    before = operation.fired.get(side, ())
    new = tuple(ship for ship in ships if ship not in before)
    return replace(operation, fired={**operation.fired, side: (*before, *new)}) if new else operation


CHANGES: dict[type[Event], Callable[[Operation, Any], Operation]] = {
    ev.OperationOpened: _opened,
    ev.OrdersReceived: _orders,
    ev.ForcesPlaced: _placed,
    ev.MarkersMoved: _markers,
    ev.BoatsPlaced: _boats,
    ev.AirfieldsChanged: _airfields,
    ev.PhaseBegan: _phase,
    ev.MissionsAnnounced: _missions,
    ev.WaveAnnounced: _announced,
    ev.StageReached: _stage,
    ev.PathsDemanded: _demanded,
    ev.PathGiven: _path,
    ev.ContactsSought: _sought,
    ev.TriesAnnounced: _tries,
    ev.InterceptionRolled: _rolled,
    ev.TriesSettled: _settled,
    ev.PatrolsSupport: _support,
    ev.ContactMade: _contact,
    ev.ContactEnded: _contact_ended,
    ev.RaidsAnnounced: _raids,
    ev.RaidBegan: _raid_began,
    ev.RaidEnded: _raid_ended,
    ev.SunkInPort: _hulks,
    ev.LossesCounted: _losses,
    ev.LegsChanged: _legs,
    ev.WaveEnded: _wave_ended,
    ev.ActivitiesContinue: _continue,
    ev.ZonesClosed: _closed,
    ev.PortsReached: _ports,
    ev.OperationEnded: _over,
    FleetCombatBegan: _fleet_combat,
    Fired: _fired,
    Evaded: _evaded,
    GroupsRenumbered: _renumbered,
    GroupsRecombined: _recombined,
    StrikeFlown: _launched,
    PortAirFought: _struck,
}
