"""What the rules of interception (22.1, 22.2) are asked about: forces, routes, squadrons, as plain values.

Nothing here knows a map. A route is a row of hex names; straits, immune hexes, ranges and distances are data that
whoever asks brings along (IR-20, IR-35, IR-61).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from flagplot.core.events import Modifiers
from flagplot.core.words import Word

THEATRES = ("Europe", "Pacific")
CARGO_ACTIVITIES = ("sea supply", "sea transport", "seaborne invasion", "sea escort")
INVADING = ("seaborne invasion", "shore bombardment")
STRIKING_ACTIVITIES = ("shore bombardment", "fast carrier mission")
ACTIVITIES = (
    *CARGO_ACTIVITIES,
    *STRIKING_ACTIVITIES,
    "patrol",
    "base change",
    "SW box redeployment",
    "naval redeployment",
    "raider",
    "displacement",
    "escape",
    "interception",
)
FORCE_KINDS = ("TF", "loose", "submarine")
NOT_INTERCEPTING_BOXES = ("U.S.", "South Africa", "SW")


class Level(Word):
    """How deep an interception lies: of an activity, of an interception, of a counter-interception."""

    INTERCEPTION = "interception"
    COUNTER = "counter-interception"
    COUNTER_COUNTER = "counter-counter-interception"


class Place(Word):
    """Where a counter-interception is tried."""

    ELSEWHERE = "elsewhere"
    INTERCEPTION_HEX = "interception hex"
    COUNTER_HEX = "counter-interception hex"


class Verdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether something holds, under which rule, and why."""

    holds: bool
    rule: str
    why: str


# -- the dice -------------------------------------------------------------------------------------


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is intercepted as one force (AM-22). `cargo` None: carried if one of the activities carries cargo."""

    activities: tuple[str, ...] = ("base change",)
    task_forces: int = 0
    cargo: bool | None = None
    returning: bool = False
    staying: bool = False  # a patrol that tries to stay in its patrol hex for the combat phase
    factors: int | None = None  # naval factors; None: not fewer than ten
    in_invasion_hex: bool = False  # an invasion or bombardment intercepted where it invades
    against_us_transport: bool = False  # it is itself intercepting a transport activity from a U.S. box

    @property
    def carries_cargo(self) -> bool:
        """Whether this is an activity carrying cargo; on the way home, whether it was."""
        return any(kind in CARGO_ACTIVITIES for kind in self.activities) if self.cargo is None else self.cargo


class Circumstances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What bears on the dice besides the target and the force that rolls: all of it already eligible."""

    theatre: str = "Europe"
    level: Level = Level.INTERCEPTION
    place: Place = Place.ELSEWHERE
    spotters: int = 0
    submarines: int = 0
    ground_factors: int = 0
    cards: int = 0  # strategic cards played for naval interception by the side that rolls
    enemy_cards: int = 0


class Interceptor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force that rolls: a TF, the ships of a port outside TFs ("loose", IR-25), or one submarine factor."""

    id: str
    distance: int  # along its announced path, to the interception hex
    kind: str = "TF"
    slow: bool = False
    light: bool = False  # nothing but cruisers and destroyers
    magic: int | None = None  # a Magic interception (FP-30): the round it arrives in, 0 for never
    hex: str = ""  # of a submarine that intercepts elsewhere than the surface forces
    shares: str = ""  # attempts with the same word count as attempts at the same activity (22.22K)
    carrier: bool = False  # has a fully operational fast carrier
    port_operational: bool = True

    @property
    def surface(self) -> bool:
        """Whether this is no submarine."""
        return self.kind != "submarine"


class Chance(StrEnum):
    """Whether a declared force rolls, and if not, why not."""

    ROLLS = "rolls"
    NO_DICE = "no die is due"  # whatever the others do: the declaration is void (IR-17)
    NO_DICE_LEFT = "the other attempts leave no die"
    OUT_OF_RANGE = "out of range"
    MAGIC = "a Magic interception"


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declared force with the dice it rolls."""

    force: Interceptor
    dice: Modifiers
    chance: Chance


class Arrival(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came of an attempt. `round` is the round of naval combat it enters, None for never."""

    id: str
    dice: int
    total: int | None
    result: int | None  # the total after the halving of the Pacific
    needed: int
    success: bool
    round: int | None
    stays_in_port: bool
    counterable: bool
    spent: bool
    why: str


class Advance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An intercepting force on its path: the result of its dice, and the distance to a counter-interception hex."""

    id: str
    result: int
    distance: int
    path: str = ""
    task_forces: int = 1
    reached: bool = True  # its roll reached the interception hex


# -- hexes ----------------------------------------------------------------------------------------


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes of a voyage, the first being where it begins."""

    hexes: tuple[str, ...]
    straits: tuple[tuple[str, str], ...] = ()  # pairs of hexes between which a strait or the Kiel canal lies
    at_sea: bool = False  # it begins at sea: from a patrol hex, or going home
    immune: tuple[str, ...] = ()  # hexes in which this force may not be intercepted (22.11A)


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of an activity sailed by the same ships: who they are, and their route."""

    ships: tuple[str, ...]
    route: Route


class Voyage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An activity with what decides whom else an interception catches (22.141)."""

    id: str
    activity: str
    hexes: tuple[str, ...]
    zone: str = ""  # sea supply: the supply zone
    nation: str = ""
    combined: str = ""  # sea escorts or NRs combined to one destination share a word (28.32, an input)
    task_forces: int = 0
    cargo: bool | None = None


# -- who may --------------------------------------------------------------------------------------


class Mover(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ships on a voyage, as far as it makes them immune (22.11A)."""

    activity: str = "base change"
    nation: str = ""
    axis: bool = False
    origin: str = ""
    destination: str = ""
    submarine: bool = False
    asw: bool = False
    transports: bool = False
    began_at_sea: bool = False  # a raider that began the game at sea
    against_raiders: bool = False  # heading for an SW box to engage raiders
    returning: bool = False


class Hunter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ships that would intercept, as far as it bars them (22.11)."""

    submarine: bool = False
    inverted: bool = False
    committed: bool = False  # to another activity announced in this segment
    attempted: bool = False  # an interception in this phase
    box: str = ""  # "U.S.", "South Africa", "SW", or another box
    port_operational: bool = True
    port_fortified: bool = False  # 32.248, an input
    patrol: str = ""  # "offensive", "defensive" or none
    at_war: bool = True
    distance: int = 0
    nation: str = ""


class Announced(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One declared attempt, as far as it must agree with the others (22.14)."""

    id: str
    target: str
    hex: str
    kind: str = "TF"
    port: str = ""
    factors: int = 0
    units: tuple[str, ...] = ()
    nation: str = ""


class Spotter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An air unit that might spot. `reaches`: hexes of the route within its range (an input)."""

    id: str
    kind: str = "search AAS"
    reaches: tuple[str, ...] = ()
    nation: str = ""
    inverted: bool = False
    base_operational: bool = True
    committed: bool = False
    struck: bool = False  # by the patrol on its way to its patrol hex


class Submarine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Submarine factors that might assist surface forces."""

    distance: int  # to the interception hex
    factors: int = 1
    patrol: bool = False
    inverted: bool = False


# -- going home -----------------------------------------------------------------------------------


class Service(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an intercepting or counter-intercepting unit did, as far as inversion asks (22.26, 22.27, 22.81)."""

    sailed: bool = True
    fought_target: bool = False  # its force fought the intercepted force
    counter_rounds: tuple[str, ...] = ()  # of counter-interception combat: fired, launched, screened
    damaged: bool = False
    fought_returning: bool = False
    patrol: bool = False  # a defensive patrol
    surplus: bool = False  # it waited for room in the battle and never came in
    succeeded: bool = True  # its interception, before it was countered


class Trouble(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What befell a force on its activity, as far as aborting asks (22.28)."""

    attacked_by_air: bool = False
    attacked_by_submarines: bool = False
    fought: bool = False
    defeated: bool = False
    partner_gone: bool = False  # a force it was to combine with aborted or was sunk after such an attack or combat
