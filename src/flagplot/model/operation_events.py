"""What can happen in an operation, beside what happens in its battles. Each event names its rule and its audience."""

from __future__ import annotations

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model.interception import Level
from flagplot.model.operation import Airfield, Boats, Contact, Leg, Mission, NavalForce, Order, Raid, Try, Waters
from flagplot.model.ships import Ship


class OperationEvent(Event, frozen=True):
    """An event of an operation."""


class OperationOpened(OperationEvent, frozen=True):
    """Everyone: the waters and what lies open on them."""

    title: str
    theatre: str
    names: dict[Side, str]
    open: bool
    waters: Waters


class OrdersReceived(OperationEvent, frozen=True):
    """Its owner: the activities a side may announce."""

    side: Side
    orders: tuple[Order, ...]


class ForcesPlaced(OperationEvent, frozen=True):
    """Everyone where the order of battle is open, or of ships outside task forces, else its owner: forces as they now
    are, and those that are no more."""

    side: Side
    forces: tuple[NavalForce, ...]
    gone: tuple[str, ...] = ()


class MarkersMoved(OperationEvent, frozen=True):
    """Everyone: hidden task forces as markers."""

    side: Side
    forces: tuple[NavalForce, ...]
    gone: tuple[str, ...] = ()


class BoatsPlaced(OperationEvent, frozen=True):
    """Everyone: the submarines of these stations, and those lost."""

    side: Side
    boats: tuple[Boats, ...]
    lost: dict[str, int]


class AirfieldsChanged(OperationEvent, frozen=True):
    """Everyone: aircraft on land after a battle."""

    side: Side
    airfields: tuple[Airfield, ...]


class PhaseBegan(OperationEvent, frozen=True):
    """Everyone: a phase. Nobody is committed, and nobody has attempted anything in it."""

    phase: str


class MissionsAnnounced(OperationEvent, frozen=True):
    """Everyone: all activities of a phase, each with its destination and what is aboard (22.15A)."""

    side: Side
    missions: tuple[Mission, ...]


class WaveAnnounced(OperationEvent, frozen=True):
    """Everyone: voyages announced together."""

    side: Side
    legs: tuple[Leg, ...]


class StageReached(OperationEvent, frozen=True):
    """Everyone: how far the voyages last announced have come."""

    stage: str


class PathsDemanded(OperationEvent, frozen=True):
    """Everyone: the voyages whose exact path the other side wants to know."""

    side: Side
    legs: tuple[str, ...]


class PathGiven(OperationEvent, frozen=True):
    """Everyone, or its owner if nobody asked: the hexes of a voyage."""

    side: Side
    leg: str
    path: tuple[str, ...]


class ContactsSought(OperationEvent, frozen=True):
    """Everyone: where a side tries to intercept."""

    side: Side
    contacts: tuple[Contact, ...]


class TriesAnnounced(OperationEvent, frozen=True):
    """Everyone: the attempts of one level."""

    side: Side
    level: Level
    tries: tuple[Try, ...]


class InterceptionDiceCounted(OperationEvent, frozen=True):
    """Its roller: how the dice of an attempt are made up."""

    side: Side
    attempt: str
    dice: Modifiers


class InterceptionRolled(OperationEvent, frozen=True):
    """Everyone: the dice of an attempt, and what they reach."""

    side: Side
    attempt: str
    dice: tuple[int, ...]
    total: int
    result: int
    distance: int


class TriesSettled(OperationEvent, frozen=True):
    """Everyone: what came of attempts, each with its reason."""

    side: Side
    tries: tuple[Try, ...]
    why: dict[str, str]


class PatrolsSupport(OperationEvent, frozen=True):
    """Everyone: offensive patrols on their way to friends that were intercepted."""

    side: Side
    tries: tuple[Try, ...]


class ContactMade(OperationEvent, frozen=True):
    """Everyone: a battle, or an attack by submarines or aircraft, begins, and which forces are in it."""

    contact: str
    hex: str
    hunter: Side
    kind: str
    forces: dict[Side, tuple[str, ...]]


class ContactEnded(OperationEvent, frozen=True):
    """Everyone: it is over, and what came of it; or it never took place, and why."""

    contact: str
    outcome: str


class RaidsAnnounced(OperationEvent, frozen=True):
    """Everyone: what carriers in or on their way to these forces' hexes attack, if anything (23.61)."""

    side: Side
    forces: tuple[str, ...]  # that could
    raids: tuple[Raid, ...]


class RaidBegan(OperationEvent, frozen=True):
    """Everyone: an attack by carriers on a base begins, and which forces are in it."""

    raid: Raid
    forces: dict[Side, tuple[str, ...]]


class RaidEnded(OperationEvent, frozen=True):
    """Everyone: it is over, or never took place, and why."""

    target: str
    outcome: str


class SunkInPort(OperationEvent, frozen=True):
    """Everyone: ships that lie sunk in a port, where they stay (23.443B)."""

    side: Side
    port: str
    ships: tuple[Ship, ...]


class LossesCounted(OperationEvent, frozen=True):
    """Everyone: what a side lost in it."""

    side: Side
    ships: tuple[Ship, ...]
    light: dict[str, int]
    cargo: tuple[str, ...]


class LegsChanged(OperationEvent, frozen=True):
    """Everyone: what became of voyages."""

    side: Side
    legs: tuple[Leg, ...]
    why: str


class WaveEnded(OperationEvent, frozen=True):
    """Everyone: all these voyages are over."""

    side: Side


class ActivitiesContinue(OperationEvent, frozen=True):
    """Its owner: parts of activities that follow a rendezvous or a call at a port."""

    side: Side
    orders: tuple[Order, ...]


class ZonesClosed(OperationEvent, frozen=True):
    """Its owner: supply zones that no transports serve any more in this player turn (22.282)."""

    side: Side
    zones: tuple[str, ...]


class PortsReached(OperationEvent, frozen=True):
    """Everyone: ports in whose hex ships were already, and into which they have gone."""

    side: Side
    ports: tuple[str, ...]


class OperationEnded(OperationEvent, frozen=True):
    """Everyone: nothing more happens."""

    why: str


OPERATION_EVENTS: tuple[type[Event], ...] = tuple(
    value
    for value in globals().values()
    if isinstance(value, type) and issubclass(value, OperationEvent) and value is not OperationEvent
)
