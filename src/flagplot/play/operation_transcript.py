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


def _leg(leg: Leg) -> str:
    if leg.returning:
        return f"{leg.id}, {listed(leg.forces)} home from {leg.start} to {leg.harbour}"
    aboard = f" with {listed(leg.aboard)} aboard" if leg.aboard else ""
    return f"{leg.id}, {leg.kind}: {listed(leg.forces)} from {leg.start} to {leg.harbour or leg.end}{aboard}"


def _try(attempt: Try) -> str:
    who = f"a submarine from {attempt.force}" if attempt.boat else attempt.force
    return f"{attempt.id}, {who} to {attempt.hex}, {hexes(attempt.distance)}"


def _contact(contact: Contact) -> str:
    return f"{contact.id} in {contact.hex} ({listed((*contact.legs, *contact.met))})"


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
    orders = [f"{order.name} ({order.kind} to {order.harbour or order.hex})" for order in event.orders]
    return f"{names.sides[event.side]} may announce {listed(orders)}"


def _placed(event: ev.ForcesPlaced | ev.MarkersMoved, names: Names) -> str:
    parts = [*map(_force, event.forces), *(f"{id} is no more" for id in event.gone)]
    return f"{names.of(event.side)} forces: {'; '.join(parts)}"


def _boats_placed(event: ev.BoatsPlaced, names: Names) -> str:
    gone = f"; {counted(sum(event.lost.values()), 'submarine')} lost" if event.lost else ""
    return f"{names.of(event.side)} submarines: {listed(list(map(_boats, event.boats)), 'none')}{gone}"


def _announced(event: ev.WaveAnnounced, names: Names) -> str:
    return f"{names.sides[event.side]} announces {'; '.join(map(_leg, event.legs))}"


def _demanded(event: ev.PathsDemanded, names: Names) -> str:
    return f"{names.sides[event.side]} wants to know the path of {listed(event.legs)}"


def _path(event: ev.PathGiven, names: Names) -> str:
    return f"{event.leg} sails {' - '.join(event.path)}"


def _sought(event: ev.ContactsSought, names: Names) -> str:
    verb = "will attack from the air" if all(contact.air for contact in event.contacts) else "seeks contact"
    return f"{names.sides[event.side]} {verb}: {listed(list(map(_contact, event.contacts)))}"


def _tried(event: ev.TriesAnnounced, names: Names) -> str:
    return f"{names.sides[event.side]} announces {event.level}s: {'; '.join(map(_try, event.tries))}"


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
    ev.ContactMade: lambda event, names: f"Contact in {event.hex}: {names.sides[event.hunter]} attacks",
    ev.ContactEnded: lambda event, names: f"Contact {event.contact} is over: {event.outcome}",
    ev.LossesCounted: _losses,
    ev.LegsChanged: _legs,
    ev.WaveEnded: lambda event, names: f"{names.of(event.side)} voyages are over",
    ev.ActivitiesContinue: _continue,
    ev.OperationEnded: lambda event, names: f"The operation is over: {event.why}",
}


def is_quiet_at_sea(event: Event) -> bool:
    """Whether an event of an operation says nothing a reader would miss."""
    match event:
        case ev.StageReached() | ev.AirfieldsChanged() | ev.WaveEnded():
            return True
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
    legs = [leg for leg in operation.ended if not leg.returning]
    told = [f"{leg.kind} of {listed(leg.forces)} to {leg.harbour or leg.end}: {leg.status}" for leg in legs]
    parts = [f"Activities: {'; '.join(told) or 'none'}." if operation.over else "The operation is not over yet."]
    for side in Side:
        sunk = [ship.name for ship in operation.sunk.get(side, ())] + light_parts(operation.sunk_light.get(side, {}))
        lines = [
            f"{names.sides[side]}:",
            "",
            f"- Sunk: {', '.join(sunk) or 'nothing'}",
            f"- Cargo lost: {', '.join(operation.cargo_lost.get(side, ())) or 'none'}",
            f"- Submarines lost: {sum(operation.boats_lost.get(side, {}).values()) or 'none'}",
            *(f"- {_force(force)}" for force in operation.forces.get(side, ())),
            *(f"- Submarines: {_boats(boats)}" for boats in operation.boats.get(side, ())),
        ]
        parts.append("\n".join(lines))
    return parts
