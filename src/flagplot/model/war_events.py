"""What can happen in the strategic war. Everything lies open, so every event is for everyone."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.strategic_bombing import AirToll, RocketBase
from flagplot.model.strategic_war import PlayerTurn, Struck, Toll
from flagplot.model.war import Convoys, Counts, Dispatch, Hunter, Idle, Raider, Row, Salvo, TargetHex, War, YardShip


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


class YardsAdvanced(WarEvent, frozen=True):
    """Ships in the yards of a side go on; those from the Launch row in the right season leave them."""

    side: Side
    yards: tuple[YardShip, ...]  # all that are left, of both sides
    launched: tuple[str, ...]


class RocketBaseReturned(WarEvent, frozen=True):
    """An eliminated rocket base is placed on the map again, where it was or elsewhere."""

    power: str
    base: RocketBase
    eliminated: str  # what it was called


class RocketBasePlaced(WarEvent, frozen=True):
    """A power puts a rocket base on the map, or moves one."""

    power: str
    base: RocketBase
    moved_from: str = ""


# -- raiders ----------------------------------------------------------------------------------------


class RaidersSailed(WarEvent, frozen=True):
    """The groups that raid in this combat phase, in the order in which they are hunted."""

    side: Side
    groups: tuple[str, ...]


class RaidersHunted(WarEvent, frozen=True):
    """The raider table for one group: die, modifier, and who meets it. Type dice that found nobody are lost."""

    group: str
    box: str
    die: int
    modifier: Modifiers
    types: tuple[int, ...]
    hunters: tuple[str, ...]
    named: tuple[str, ...]  # the same as they are called


class RaidersStruck(WarEvent, frozen=True):
    """A raiding group among the transports: its fire factors, from the air its squadrons, the roll, what it sinks."""

    group: str
    box: str
    factors: int
    dice: tuple[int, ...]
    modifier: Modifiers
    sunk: int
    losses: tuple[Move, ...]
    air: bool = False


class RaidersHome(WarEvent, frozen=True):
    """The raiders and hunters that are left: raiders in port, hunters in their boxes."""

    raiders: tuple[Raider, ...]
    hunters: tuple[Hunter, ...]
    sunk: tuple[str, ...]  # named ships


# -- Murmansk convoys -------------------------------------------------------------------------------


class ConvoySailed(WarEvent, frozen=True):
    """A convoy to Murmansk: what it brings, its transports and who goes with them, and these as they are told."""

    brps: int
    convoy: Force
    named: tuple[str, ...]


class ConvoyIntercepted(WarEvent, frozen=True):
    """Who of the Murmansk box attacks it: air factors sortie by sortie, ships, and whether air attacks are part of naval
    combat."""

    sorties: tuple[int, ...]
    ships: tuple[str, ...]
    within: bool


class ConvoyStalked(WarEvent, frozen=True):
    """How many submarines attack it, once everything else is over."""

    submarines: int


class ConvoyOver(WarEvent, frozen=True):
    """What came through, what was lost, and what is left for the next time."""

    sent: int
    arrived: int
    turned_back: bool
    losses: tuple[Move, ...]
    murmansk: Convoys
    sunk: tuple[str, ...]  # named ships, by id
    named: tuple[str, ...]  # the same as they are called


# -- submarines -------------------------------------------------------------------------------------


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


ADVANCED_RULE = "25.73"  # by which advanced submarines roll, of whom nothing else tells


class SubmarineWarfareRolled(WarEvent, frozen=True):
    """Both dice rolls of one combat and what comes of them; advanced submarines roll alone, by 25.73."""

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


# -- bombing ----------------------------------------------------------------------------------------


class RaidAnnounced(WarEvent, frozen=True):
    """A strategic bomber force: who flies with what, where to."""

    power: str
    target: str
    force: Counts  # "unit, front" -> factors
    atomic: bool = False  # with an atomic bomb (26.33)


class SalvosAnnounced(WarEvent, frozen=True):
    """Flying bombs and rockets, announced with the raids and fired after them."""

    side: Side
    salvos: tuple[Salvo, ...]


class RaidIntercepted(WarEvent, frozen=True):
    """The air units that meet raids and flying bombs at a station: a target, or a front on the way to it."""

    side: Side
    target: str
    defenders: Counts


class LaterRaidMet(WarEvent, frozen=True):
    """Those left after one raid who engage the next at the same station; nobody, if it is let pass (26.451)."""

    side: Side
    power: str  # whose raid it is
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
    yard: tuple[int, int] = (0, 0)  # of ships in a yard: the result in place of damage (26.76)


class SalvosFired(WarEvent, frozen=True):
    """Flying bombs or rockets at a target."""

    power: str
    target: str
    kind: str
    salvos: int
    damage: int
    modifier: Modifiers = Modifiers()


class AtomicBombFlown(WarEvent, frozen=True):
    """What became of an atomic bomb that was announced: dropped, brought back, or lost with all who carried it."""

    power: str
    target: str
    means: str  # bombers, or rockets
    fate: str
    damage: int = 0  # BRPs (43, an input)


class DefendersSpent(WarEvent, frozen=True):
    """What opposing flying bombs cost: army air and jets are inverted, interceptors may not escort (26.663, 26.664)."""

    side: Side
    no_escort: Counts
    idle: tuple[Idle, ...]


class AirUnitsLost(WarEvent, frozen=True):
    """Air factors that go back to their force pools, or out of the war; of defenders, the station they held."""

    moves: tuple[Move, ...]
    station: str = ""


class BombingTold(WarEvent, frozen=True):
    """What all the bombing of this combat phase costs: BRPs, construction limits, markers."""

    brps: Counts
    construction: Counts
    targets: tuple[TargetHex, ...] = ()
    eliminated: tuple[str, ...] = ()  # ICs their owner gave up
    yards: tuple[YardShip, ...] = ()
    sunk_in_yard: tuple[str, ...] = ()
    # The rocket bases of powers that had one bombed, as they are now, and those eliminated.
    bases: dict[str, tuple[RocketBase, ...]] = msgspec.field(default_factory=dict)
    lost_bases: dict[str, tuple[RocketBase, ...]] = msgspec.field(default_factory=dict)


class MarkersRemoved(WarEvent, frozen=True):
    """Damage and firestorm markers that are taken off at the end of a player turn."""

    side: Side
    targets: tuple[TargetHex, ...]


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
