"""The state of one operation: a phase of naval activities, interceptions, battles and voyages home (22.1, 22.2).

The same type holds the whole truth and what one side knows of it: in a side's picture an enemy task force is a marker
with a place and no contents. What lies on the board lies open (FP-14): ports, ships outside task forces, submarines in
port, air bases. State is never changed; operation_fold.py makes the next one from an event.

A voyage is a `Leg`: ships of one side that sail from one hex to another for one activity. Legs announced together are a
`Wave`. Waves stand on a stack: ships that go home at once (22.15D) make a new wave on top, and when it is worked off the
one below goes on. Where forces meet is a `Contact`; each becomes one battle.
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side
from flagplot.model.forces import Cargo
from flagplot.model.interception import Level
from flagplot.model.ships import Counts, Ship, factors_of, named_factors
from flagplot.model.squadrons import AirBase, Port

PHASES = ("movement", "combat", "redeployment")
RESTRICTIONS = ("Anglo-French", "Russo-Allied")  # on cooperation (22.141E, 22.22G)
PURPOSES = ("ASW", "transports", "against raiders")  # voyages to or from an SW box that nobody may intercept (22.11A)
ON_THE_WAY = "on the way to its patrol hex"  # the occasion of an attack on a base by a patrol (23.61A)
STAGES = ("paths", "interceptions", "counters", "counter-counters", "air", "resolution", "completion")

# The activities of each phase (22.15A, 22.15B).
KINDS_OF_PHASE = {
    "movement": ("patrol", "base change", "SW box redeployment"),
    "combat": ("sea transport", "seaborne invasion", "shore bombardment", "fast carrier mission"),
    "redeployment": ("sea supply", "raider", "naval redeployment", "sea escort"),
}
# What a force on an activity is called in a battle.
MISSION_OF = {"fast carrier mission": "carrier mission", "raider": "raid", "SW box redeployment": "naval redeployment"}


class Harbour(msgspec.Struct, frozen=True):
    """A port of one side, or a box: where it lies, and whether ships may intercept from it (22.11B)."""

    name: str
    hex: str
    operational: bool = True
    fortified: bool = False  # 32.248, an input
    box: str = ""  # "U.S.", "South Africa", "SW", or another box
    invaded: bool = False  # the target of a seaborne invasion (22.63C)
    capacity: int = 0  # naval factors it bases (20.15, an input); 0 = any number
    defenses: Port | None = None  # what stands there against aircraft (23.4212); none = nothing but the port itself
    flights: dict[str, int] = {}  # how far aircraft fly to it, from hexes within reach of enemy carriers


class Airfield(msgspec.Struct, frozen=True):
    """An air base with its aircraft, and how far every hex is from it."""

    base: AirBase
    hex: str
    distances: dict[str, int] = {}


class Waters(msgspec.Struct, frozen=True, kw_only=True):
    """What everyone knows of the sea before the first activity. `seas`: every hex ships may enter, with its neighbours.

    A box at the edge of the map is its own neighbour: ships sail into it and out of it, but never through it.
    """

    seas: dict[str, tuple[str, ...]]
    mover: Side
    phases: tuple[str, ...]
    harbours: dict[Side, tuple[Harbour, ...]]
    map: str = ""
    straits: tuple[tuple[str, str], ...] = ()  # 21.211, an input: pairs of hexes
    norway: tuple[str, ...] = ()  # the coastal hexes of 22.11A
    cards: dict[Side, int] = {}  # played for naval interception (22.22I)
    airfields: dict[Side, tuple[Airfield, ...]] = {}
    air_range: dict[Side, int] = {}  # hexes land-based air reaches (18, an input); 0 = any number
    at_peace: tuple[tuple[str, str], ...] = ()  # nations of the two sides that are not at war (22.112, an input)
    restrictions: tuple[str, ...] = ()  # on cooperation, in effect (53.253, an input): some of RESTRICTIONS


class NavalForce(msgspec.Struct, frozen=True, kw_only=True):
    """A task force, or ships outside one. `hidden`: a marker whose contents are not known."""

    id: str
    place: str  # the hex it is in
    harbour: str = ""  # the port it lies in; "" at sea
    base: str = ""  # the port it came from
    ships: tuple[Ship, ...] = ()
    light: dict[str, int] = {}
    cargo: tuple[Cargo, ...] = ()
    task_force: bool = True
    hidden: bool = False
    patrol: str = ""  # "offensive", "defensive"
    inverted: bool = False
    committed: bool = False  # to an activity of this segment (22.11)
    attempted: bool = False  # an interception in this phase (22.14A, 22.116)
    activity: str = ""  # while at sea: what for; on the way home, what it was for
    order: str = ""  # the activity it is on, by its name, until it is home again
    nation: str = ""  # whose flag its marker shows; what is in it plays no part
    began_at_sea: bool = False  # a raider that was at sea when the game began, and comes home (22.11A)
    magic: int | None = None  # an American TF's Magic interception (FP-30): the round it arrives in, 0 for never
    fought: tuple[str, ...] = ()  # of an interceptor on its way: what has fought counter-interceptors (22.26D)

    @property
    def factors(self) -> int:
        """Naval factors, transports not counted."""
        return named_factors(self.ships) + factors_of(self.light)

    @property
    def afloat(self) -> bool:
        """Whether anything is left of it."""
        return bool(self.ships or self.light)


class Boats(msgspec.Struct, frozen=True):
    """Submarines of one station, by nation and state: those that may still intercept, and those that may not."""

    station: str  # a port, or a patrol hex
    hex: str
    ready: dict[str, int] = {}
    attempted: dict[str, int] = {}  # have tried in this phase
    at_sea: dict[str, int] = {}  # on their way to a target
    inverted: dict[str, int] = {}
    patrol: str = ""

    @property
    def uninverted(self) -> int:
        """How many are not inverted: they help surface forces to intercept (22.22H)."""
        return sum(self.ready.values()) + sum(self.attempted.values()) + sum(self.at_sea.values())


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """An activity a side may announce: what for, and where."""

    name: str
    kind: str
    hex: str
    harbour: str = ""  # where it ends, if in a port
    returns: bool = False  # whether the ships come back to their base in this phase
    forces: tuple[str, ...] = ()  # that may take part; none = all
    meet: str = ""  # the hex where forces from several ports combine (22.13C)
    calls: tuple[str, ...] = ()  # ports at which the first force picks up those that wait there (22.13C)
    most: int = 0  # hexes it may sail (21.33, an input); 0 = any number
    staying: bool = False  # a patrol that tries to stay for the combat phase (22.22B)
    ground: int = 0  # factors that defend against an invasion (22.22F)
    zone: str = ""  # of sea supply
    combined: str = ""  # 28.32, an input
    purpose: str = ""  # to or from an SW box: one of PURPOSES
    carrier_mission: bool = False  # a fast carrier mission is combined with it (23.61B; 21.556, an input)


class Mission(msgspec.Struct, frozen=True, kw_only=True):
    """A whole activity as it is announced to everyone (22.15A): who takes part, where it leads, what is aboard."""

    name: str
    kind: str
    forces: tuple[str, ...]  # those that sail at once, and those that wait to be joined
    destination: str  # a port or hex
    aboard: tuple[str, ...] = ()


class Stations(msgspec.Struct, frozen=True, kw_only=True):
    """What one side has on the board before the first activity, and what it may announce."""

    forces: tuple[NavalForce, ...] = ()
    boats: tuple[Boats, ...] = ()
    orders: tuple[Order, ...] = ()


class Leg(msgspec.Struct, frozen=True, kw_only=True):
    """One voyage of an activity, as announced."""

    id: str
    side: Side
    kind: str
    forces: tuple[str, ...]
    start: str
    end: str
    order: str = ""
    harbour: str = ""  # where it ends, if in a port
    bound_for: str = ""  # of a part of an activity: where the whole of it leads (22.15A)
    returning: bool = False
    at_sea: bool = False  # it began at sea (22.12B)
    waiting: bool = False  # no voyage: ships that have completed their activity and wait in its hex for others (22.15C)
    began_at_sea: bool = False  # raiders that began the game there (22.11A)
    task_forces: int = 0
    cargo: bool = False
    aboard: tuple[str, ...] = ()  # the units carried, as announced (22.15A)
    staying: bool = False
    ground: int = 0
    zone: str = ""
    nation: str = ""
    combined: str = ""
    purpose: str = ""
    carrier_mission: bool = False
    most: int = 0
    path: tuple[str, ...] = ()
    demanded: bool = False
    status: str = "under way"  # completed, aborted, lost
    may_abort: bool = False  # it was attacked, and has not yet said whether it goes on (22.28A)


class Try(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to intercept, at whatever level: announced, then rolled."""

    id: str
    side: Side
    level: Level
    force: str  # a naval force, or the station of a submarine
    boat: str = ""  # of a submarine: its nation and state
    kind: str = "TF"  # loose, submarine, patrol
    contact: str = ""
    hex: str = ""
    path: tuple[str, ...] = ()
    dice: int = 0
    result: int | None = None
    round: int | None = None  # of naval combat, in which it arrives
    status: str = "announced"  # rolled, void, failed, sailing, stopped, done
    may_abort: bool = False  # it was attacked on its way, and has not yet said whether it goes on (22.28A)

    @property
    def distance(self) -> int:
        """How far it sails."""
        return len(self.path) - 1


class Contact(msgspec.Struct, frozen=True, kw_only=True):
    """Where forces may meet: the legs (first level) or attempts (further levels) that are caught in a hex."""

    id: str
    level: Level
    hex: str
    legs: tuple[str, ...] = ()
    met: tuple[str, ...] = ()  # attempts counter-intercepted outside the interception hex
    air: str = ""  # an air sortie: the side that flies it
    done: bool = False


class Raid(msgspec.Struct, frozen=True, kw_only=True):
    """An attack by carriers on an enemy base: from which hex, at what occasion (23.61), and by which forces."""

    side: Side
    hex: str
    target: str  # an air base or, where there is none, a port
    occasion: str
    forces: tuple[str, ...]
    begun: bool = False


class Wave(msgspec.Struct, frozen=True, kw_only=True):
    """Legs of one side announced together, and all that comes of them."""

    side: Side
    legs: tuple[Leg, ...]
    stage: str = "paths"
    tries: tuple[Try, ...] = ()
    contacts: tuple[Contact, ...] = ()
    supports: tuple[Try, ...] = ()  # offensive patrols that support (22.163)

    def leg(self, id: str) -> Leg:
        """The leg of this name."""
        return next(leg for leg in self.legs if leg.id == id)

    def contact(self, id: str) -> Contact:
        """The contact of this name."""
        return next(contact for contact in self.contacts if contact.id == id)


class Operation(msgspec.Struct, frozen=True):
    """Everything on the board."""

    title: str = ""
    theatre: str = "Europe"
    names: dict[Side, str] = {}
    open: bool = True  # the order of battle
    waters: Waters | None = None
    phase: str = ""
    phases_left: tuple[str, ...] = ()
    announcing: bool = False  # the phase has begun, and its activities have not been announced yet
    forces: dict[Side, tuple[NavalForce, ...]] = {}
    boats: dict[Side, tuple[Boats, ...]] = {}
    boats_lost: dict[Side, dict[str, int]] = {}
    orders: dict[Side, tuple[Order, ...]] = {}
    airfields: dict[Side, tuple[Airfield, ...]] = {}
    waves: tuple[Wave, ...] = ()  # the last is the one being worked off
    missions: tuple[Mission, ...] = ()  # the activities announced in this phase
    pending: tuple[Order, ...] = ()  # parts of activities still to be sailed after a rendezvous
    closed: dict[Side, tuple[str, ...]] = {}  # supply zones no transports serve any more (22.282)
    ended: tuple[Leg, ...] = ()  # legs that are over, with what became of them
    legs_made: int = 0
    tries_made: int = 0
    contact: str = ""  # the one being fought
    meeting: dict[Side, tuple[str, ...]] = {}  # the forces in it
    raids: tuple[Raid, ...] = ()  # announced attacks by carriers; the first is being flown, or is the next
    raided: tuple[str, ...] = ()  # forces that have said in this phase whom their carriers attack
    returned_to: dict[Side, tuple[str, ...]] = {}  # ports that ships were back in without a voyage (22.63D)
    attacked: tuple[str, ...] = ()  # bases that were attacked in this phase (23.461A)
    struck: dict[str, dict[str, int]] = {}  # by patrol: aircraft that it attacked on its way in this phase (22.22G)
    hulks: dict[Side, tuple[Ship, ...]] = {}  # sunk in port, where they stay (23.443B)
    sunk: dict[Side, tuple[Ship, ...]] = {}
    sunk_light: dict[Side, dict[str, int]] = {}
    cargo_lost: dict[Side, tuple[str, ...]] = {}
    # In the battle under way: ships that fired or launched, and kinds of light ships, each after the number of its group
    # (22.26D); and the numbers of the groups that are in fleet combat.
    fired: dict[Side, tuple[str, ...]] = {}
    in_fleet_combat: dict[Side, int] = {}
    over: bool = False

    @property
    def wave(self) -> Wave:
        """The wave being worked off."""
        return self.waves[-1]

    @property
    def raid(self) -> Raid | None:
        """The attack on a base being flown."""
        return self.raids[0] if self.raids and self.raids[0].begun else None

    @property
    def fought(self) -> str:
        """The contact being fought, or the base being attacked; "" while nobody fights."""
        return self.contact or (self.raid.target if self.raid else "")

    @property
    def sea(self) -> Waters:
        """The waters, which are there as soon as the operation has begun."""
        if self.waters is None:
            raise KeyError("waters")
        return self.waters

    def force(self, side: Side, id: str) -> NavalForce:
        """One naval force."""
        return next(force for force in self.forces[side] if force.id == id)

    def station(self, side: Side, name: str) -> Boats:
        """The submarines of one station."""
        return next(boats for boats in self.boats[side] if boats.station == name)

    def harbour(self, side: Side, name: str) -> Harbour:
        """One port."""
        return next(harbour for harbour in self.sea.harbours[side] if harbour.name == name)


def as_marker(force: NavalForce) -> NavalForce:
    """A task force as the enemy sees it on the board: a marker, its place, and what its marker shows."""
    return msgspec.structs.replace(force, ships=(), light={}, cargo=(), fought=(), magic=None, hidden=True)


def fired_by(operation: Operation, side: Side, numbers: tuple[int, ...]) -> list[str]:
    """Ships of a side that fired or launched in the battle under way, and kinds of light ships of these groups that did."""
    names = [name.partition(":") for name in operation.fired.get(side, ())]
    return [key or name for name, _, key in names if not key or name in map(str, numbers)]


def less(counts: Counts, key: str, number: int = 1) -> dict[str, int]:
    """Counts with some of one kind fewer."""
    return {each: left for each, had in counts.items() if (left := had - (number if each == key else 0)) > 0}
