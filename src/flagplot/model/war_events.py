"""What can happen in the strategic war. Everything lies open, so every event is for everyone."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model.strategic_bombing import AirToll
from flagplot.model.strategic_war import PlayerTurn, Struck, Toll
from flagplot.model.war import Counts, Dispatch, Idle, Row, TargetHex, War, YardShip


class Move(NamedTuple):
    """Units that go from one place to another; "" is the force pool."""

    unit: str
    number: int
    start: str
    end: str


class WarEvent(Event, frozen=True):
    """An event of the strategic war."""


class WarOpened(WarEvent, frozen=True):
    """The war as it begins, with its timetable."""

    war: War


class PlayerTurnBegan(WarEvent, frozen=True):
    """A player turn: purses are filled."""

    side: Side
    turn: PlayerTurn


class DispatchReceived(WarEvent, frozen=True):
    """What reaches this war from outside at the beginning of a player turn."""

    dispatch: Dispatch


class WarStageReached(WarEvent, frozen=True):
    """How far the player turn has come."""

    stage: str


class UnitsBuilt(WarEvent, frozen=True):
    """Factors a power built, by kind; where they appear; what they cost."""

    power: str
    places: dict[str, str]  # unit -> where it appears
    units: Counts
    brps: int
    shipbuilding: int


class UnitsMoved(WarEvent, frozen=True):
    """Units that change place, and all that may now do nothing for a while."""

    side: Side
    moves: tuple[Move, ...]
    idle: tuple[Idle, ...]


class SubmarinesCommitted(WarEvent, frozen=True):
    """How many submarines of a power fight in a box, against how many ASW."""

    power: str
    box: str
    submarines: int
    advanced: int
    asw: int


class SubmarineWarfareCounted(WarEvent, frozen=True):
    """The net modifier of one combat, line by line. Positive favours the submarines."""

    power: str
    box: str
    modifier: Modifiers


class SubmarineWarfareRolled(WarEvent, frozen=True):
    """Both dice rolls of one combat and what comes of them."""

    power: str
    box: str
    attacker_dice: tuple[int, ...]
    defender_dice: tuple[int, ...]
    struck: Struck


class ShippingStruck(WarEvent, frozen=True):
    """What the shipping in a box suffers from all combats there together, and the submarines lost."""

    box: str
    owner: str  # of the transports
    toll: Toll
    submarines: Counts  # unit -> eliminated
    losses: tuple[Move, ...]
    idle: tuple[Idle, ...]


class RaidAnnounced(WarEvent, frozen=True):
    """A strategic bomber force: who flies with what, where to."""

    power: str
    target: str
    force: Counts  # "unit, front" -> factors


class RaidIntercepted(WarEvent, frozen=True):
    """The air units that meet a raid."""

    side: Side
    target: str
    defenders: Counts


class RaidAirCombat(WarEvent, frozen=True):
    """Air combat on the way: dice, modifier, what each side loses."""

    power: str
    target: str
    modifier: Modifiers
    attacker_dice: tuple[int, ...]
    defender_dice: tuple[int, ...]
    attacker: AirToll
    defender: AirToll


class RaidBombed(WarEvent, frozen=True):
    """SW combat over the target: dice, modifier, what came of it."""

    power: str
    target: str
    modifier: Modifiers
    attacker_dice: tuple[int, ...]
    defender_dice: tuple[int, ...]
    toll: AirToll
    damage: int


class SalvosFired(WarEvent, frozen=True):
    """Flying bombs or rockets at a target."""

    power: str
    target: str
    kind: str
    salvos: int
    damage: int


class AirUnitsLost(WarEvent, frozen=True):
    """Air factors that go back to their force pools, or out of the war."""

    moves: tuple[Move, ...]


class BombingTold(WarEvent, frozen=True):
    """What all the bombing of this combat phase costs: BRPs, construction limits, markers."""

    brps: Counts
    construction: Counts
    targets: tuple[TargetHex, ...] = ()
    yards: tuple[YardShip, ...] = ()
    sunk_in_yard: tuple[str, ...] = ()


class PlayerTurnEnded(WarEvent, frozen=True):
    """The end of a player turn; after the second of a turn, the line of the chart."""

    side: Side
    row: Row | None


class WarEnded(WarEvent, frozen=True):
    """Nothing more happens."""

    why: str


WAR_EVENTS: tuple[type[Event], ...] = tuple(
    value
    for value in globals().values()
    if isinstance(value, type) and issubclass(value, WarEvent) and value is not WarEvent
)
