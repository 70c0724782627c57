"""An operation as sentences: activities, paths, attempts, contacts, voyages home. See transcript.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import operation_events as ev
from flagplot.model.operation import Boats, Contact, Leg, NavalForce, Operation, Try
from flagplot.model.operation_fold import apply_operation
from flagplot.model.ships import describe
from flagplot.play.air_transcript import air_base_after
from flagplot.play.wording import Names, counted, hexes, light_parts, listed, reasons, rolled

STAGES = {
    "paths": "Paths",
    "interceptions": "Interceptions",
    "counters": "Counter-interceptions",
    "counter-counters": "Counter-counter-interceptions",
    "air": "Air attacks on the way",
    "resolution": "Contacts",
    "completion": "The end of the voyages",
}


def _force(force: NavalForce) -> str:
    """A force, where it is, and what is in it as far as that is known."""
    where = (
        f"in {force.harbour}" if force.harbour else f"on {force.patrol} patrol in {force.place}" if force.patrol else ""
    )
    parts = [where or f"at sea in {force.place}"]
    if force.inverted:
        parts.append("inverted")
    if not force.hidden:
        parts.append(describe(force.ships, force.light))
        if force.cargo:
            parts.append(f"carrying {listed([cargo.name for cargo in force.cargo])}")
    return f"{force.id} ({', '.join(parts)})"


def _at(hex: str, names: Names) -> str:
    """A hex, with the name of the place in it."""
    name = names.places.get(hex, hex)
    return hex if name == hex else f"{name} ({hex})"


def _leg(leg: Leg, names: Names) -> str:
    start = names.places.get(leg.start, leg.start)
    if leg.returning:
        return f"{leg.id}, {listed(leg.forces)} home from {start} to {leg.harbour}"
    if leg.waiting:
        return f"{leg.id}, {listed(leg.forces)} waiting in {start}, {leg.kind} completed"
    aboard = f" with {listed(leg.aboard)} aboard" if leg.aboard else ""
    bound = f", bound for {_at(leg.bound_for, names)}" if leg.bound_for else ""
    end = leg.harbour or _at(leg.end, names)
    return f"{leg.id}, {leg.kind}: {listed(leg.forces)} from {start} to {end}{bound}{aboard}"


def _try(attempt: Try, names: Names) -> str:
    who = f"a submarine from {attempt.force}" if attempt.boat else attempt.force
    return f"{attempt.id}, {who} to {_at(attempt.hex, names)}, {hexes(attempt.distance)}"


def _contact(contact: Contact, names: Names) -> str:
    return f"{contact.id} in {_at(contact.hex, names)} ({listed((*contact.legs, *contact.met))})"


def _boats(boats: Boats) -> str:
    parts = [
        f"{sum(counts.values())} {word}"
        for word, counts in (
            ("ready", boats.ready),
            ("have tried", boats.attempted),
            ("at sea", boats.at_sea),
            ("inverted", boats.inverted),
        )
        if counts
    ]
    return f"{boats.station} ({', '.join(parts) or 'none'})"


def _opened(event: ev.OperationOpened, names: Names) -> str:
    return f"{event.title} ({event.theatre}): {names.sides[event.waters.mover]} moves"


def _orders(event: ev.OrdersReceived, names: Names) -> str:
    orders = [f"{order.name} ({order.kind} to {order.harbour or _at(order.hex, names)})" for order in event.orders]
    return f"{names.sides[event.side]} may announce {listed(orders)}"


def _placed(event: ev.ForcesPlaced | ev.MarkersMoved, names: Names) -> str:
    """Only what is news: nothing if these forces are as they were told of last."""
    parts = []
    for force in event.forces:
        hidden, text = names.known.get(force.id, (True, ""))
        if (hidden or not force.hidden) and _force(force) != text:
            parts.append(_force(force))
            names.known[force.id] = force.hidden, parts[-1]
    for id in event.gone:
        if names.known.pop(id, None) is not None:
            parts.append(f"{id} is no more")
    return f"{names.of(event.side)} forces: {'; '.join(parts)}" if parts else ""


def _boats_placed(event: ev.BoatsPlaced, names: Names) -> str:
    gone = f"; {counted(sum(event.lost.values()), 'submarine')} lost" if event.lost else ""
    return f"{names.of(event.side)} submarines: {listed(list(map(_boats, event.boats)), 'none')}{gone}"


def _announced(event: ev.WaveAnnounced, names: Names) -> str:
    return f"{names.sides[event.side]} announces {'; '.join(_leg(leg, names) for leg in event.legs)}"


def _missions(event: ev.MissionsAnnounced, names: Names) -> str:
    parts = []
    for each in event.missions:
        aboard = f" with {listed(each.aboard)} aboard" if each.aboard else ""
        parts.append(f"{each.name}, {each.kind}: {listed(each.forces)} to {_at(each.destination, names)}{aboard}")
    return f"{names.sides[event.side]} will undertake {'; '.join(parts)}"


def _demanded(event: ev.PathsDemanded, names: Names) -> str:
    return f"{names.sides[event.side]} wants to know the path of {listed(event.legs)}"


def _path(event: ev.PathGiven, names: Names) -> str:
    if len(event.path) == 1:
        return f"{event.leg} stays in {event.path[0]}"
    return f"{event.leg} sails {' - '.join(event.path)}"


def _sought(event: ev.ContactsSought, names: Names) -> str:
    verb = "will attack from the air" if all(contact.air for contact in event.contacts) else "seeks contact"
    return f"{names.sides[event.side]} {verb}: {listed([_contact(contact, names) for contact in event.contacts])}"


def _tried(event: ev.TriesAnnounced, names: Names) -> str:
    return f"{names.sides[event.side]} announces {event.level}s: {'; '.join(_try(each, names) for each in event.tries)}"


def _counted(event: ev.InterceptionDiceCounted, names: Names) -> str:
    return f"{event.attempt} has {counted(event.dice.total, 'die') if event.dice.total == 1 else f'{event.dice.total} dice'}{reasons(event.dice)}"


def _rolled(event: ev.InterceptionRolled, names: Names) -> str:
    halved = f", halved to {event.result}" if event.result != event.total else ""
    return f"{event.attempt} rolls {rolled(event.dice)}{halved}, and needs {event.distance}"


def _settled(event: ev.TriesSettled, names: Names) -> str:
    parts = [
        f"{each.id} {event.why[each.id]}" + (f", round {each.round}" if each.status == "sailing" else "")
        for each in event.tries
    ]
    return f"Of {names.of(event.side)} attempts: {'; '.join(parts)}"


def _support(event: ev.PatrolsSupport, names: Names) -> str:
    parts = [
        f"{each.force} in {each.hex}, round {each.round}" if each.status == "sailing" else f"{each.force} is done"
        for each in event.tries
    ]
    return f"{names.of(event.side)} patrols support: {listed(parts)}"


def _raids(event: ev.RaidsAnnounced, names: Names) -> str:
    raids = [f"{raid.target} from {_at(raid.hex, names)} ({listed(raid.forces)})" for raid in event.raids]
    who = names.of(event.side)
    return f"{who} carriers attack {'; '.join(raids)}" if raids else f"{who} carriers attack no bases"


def _raid_began(event: ev.RaidBegan, names: Names) -> str:
    there = [id for side, ids in event.forces.items() if side is not event.raid.side for id in ids]
    ships = f", where {listed(there)} lie" if there else ""
    return f"{names.of(event.raid.side)} carriers in {_at(event.raid.hex, names)} attack {event.raid.target}{ships}"


def _hulks(event: ev.SunkInPort, names: Names) -> str:
    return f"Sunk at {event.port}, where they stay: {listed([ship.name for ship in event.ships])}"


def _losses(event: ev.LossesCounted, names: Names) -> str:
    lost = [*(ship.name for ship in event.ships), *light_parts(event.light), *event.cargo]
    return f"{names.sides[event.side]} has lost {listed(lost)}"


def _legs(event: ev.LegsChanged, names: Names) -> str:
    parts = [f"{leg.id} is {leg.status}" for leg in event.legs]
    return f"{listed(parts)} ({event.why})"


def _continue(event: ev.ActivitiesContinue, names: Names) -> str:
    return f"To be sailed later: {listed([order.name for order in event.orders])}"


OPERATION_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    ev.OperationOpened: _opened,
    ev.OrdersReceived: _orders,
    ev.ForcesPlaced: _placed,
    ev.MarkersMoved: _placed,
    ev.BoatsPlaced: _boats_placed,
    ev.AirfieldsChanged: lambda event, names: f"{names.of(event.side)} aircraft ashore are counted anew",
    ev.PhaseBegan: lambda event, names: f"The {event.phase} phase",
    ev.MissionsAnnounced: _missions,
    ev.WaveAnnounced: _announced,
    ev.StageReached: lambda event, names: STAGES[event.stage],
    ev.PathsDemanded: _demanded,
    ev.PathGiven: _path,
    ev.ContactsSought: _sought,
    ev.TriesAnnounced: _tried,
    ev.InterceptionDiceCounted: _counted,
    ev.InterceptionRolled: _rolled,
    ev.TriesSettled: _settled,
    ev.PatrolsSupport: _support,
    ev.ContactMade: lambda event, names: f"Contact in {_at(event.hex, names)}: {names.sides[event.hunter]} attacks",
    ev.ContactEnded: lambda event, names: f"Contact {event.contact} is over: {event.outcome}",
    ev.RaidsAnnounced: _raids,
    ev.RaidBegan: _raid_began,
    ev.RaidEnded: lambda event, names: f"The attack on {event.target} is over: {event.outcome}",
    ev.SunkInPort: _hulks,
    ev.LossesCounted: _losses,
    ev.LegsChanged: _legs,
    ev.WaveEnded: lambda event, names: f"{names.of(event.side)} voyages are over",
    ev.ActivitiesContinue: _continue,
    ev.ZonesClosed: lambda event, names: f"No transports serve {listed(event.zones)} any more in this player turn",
    ev.PortsReached: lambda event, names: f"{names.of(event.side)} ships go into {listed(event.ports)}",
    ev.OperationEnded: lambda event, names: f"The operation is over: {event.why}",
}


HEADINGS = (
    ev.PhaseBegan,
    ev.ContactMade,
    ev.ContactEnded,
    ev.RaidBegan,
    ev.RaidEnded,
)  # what a new part of the story begins with


def is_quiet_at_sea(event: Event) -> bool:
    """Whether an event of an operation says nothing a reader would miss."""
    match event:
        case ev.StageReached() | ev.AirfieldsChanged() | ev.WaveEnded():
            return True
        case ev.LegsChanged(why="after the attack"):
            return all(leg.status == "under way" for leg in event.legs)
        case ev.PathsDemanded(legs=()) | ev.ActivitiesContinue(orders=()) | ev.BoatsPlaced(boats=()):
            return True
    return False


# -- the report -----------------------------------------------------------------------------------


def is_operation(events: Iterable[Event]) -> bool:
    """Whether these events are of an operation, with or without battles in it."""
    return any(isinstance(event, ev.OperationOpened) for event in events)


def operation_results(events: Iterable[Event], names: Names) -> list[str]:
    """What to carry back to the campaign: what became of every activity, what is lost, and where all forces are now."""
    operation = Operation()
    for event in events:
        operation = apply_operation(operation, event)
    legs = [leg for leg in operation.ended if not leg.returning and not leg.waiting]
    told = []
    for leg in legs:
        bound = f", bound for {_at(leg.bound_for, names)}" if leg.bound_for else ""
        told.append(f"{leg.kind} of {listed(leg.forces)} to {leg.harbour or _at(leg.end, names)}{bound}: {leg.status}")
    parts = [f"Activities: {'; '.join(told) or 'none'}." if operation.over else "The operation is not over yet."]
    for side in Side:
        hulks = [ship.id for ship in operation.hulks.get(side, ())]
        sunk = [ship.name for ship in operation.sunk.get(side, ()) if ship.id not in hulks] + light_parts(
            operation.sunk_light.get(side, {})
        )
        lines = [
            f"{names.sides[side]}:",
            "",
            f"- Sunk: {', '.join(sunk) or 'nothing'}",
            *(f"- Sunk in port, where they stay: {ship.name}" for ship in operation.hulks.get(side, ())),
            f"- Cargo lost: {', '.join(operation.cargo_lost.get(side, ())) or 'none'}",
            f"- Submarines lost: {sum(operation.boats_lost.get(side, {}).values()) or 'none'}",
            *(f"- {_force(force)}" for force in operation.forces.get(side, ())),
            *(f"- Submarines: {_boats(boats)}" for boats in operation.boats.get(side, ())),
            *(f"- Air base {air_base_after(side, field.base, names)}" for field in operation.airfields.get(side, ())),
        ]
        parts.append("\n".join(lines))
    return parts
