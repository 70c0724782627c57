"""The state of the strategic war (24 to 26): what stands in the SW boxes, in port and at the fronts, and what it costs.

Everything in it lies open: there is one state, and both sides see all of it. State is never changed; war_fold.py makes
the next one from an event. What chapters 27, 30, 33, 41 to 43 and 48 and the land war would supply comes as a `Dispatch`
at the beginning of a player turn, from the timetable of the scenario.
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.strategic_bombing import BombingTarget, Defences, Facility, RocketBase
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    AXIS_POWERS,
    BOXES,
    CHINA,
    GERMANY,
    INTERCEPTOR,
    ITALY,
    JAPAN,
    PACIFIC,
    RUSSIA,
    STRATEGIC_BOMBER,
    SUBMARINE,
    TRANSPORT,
    WESTERN_ALLIES,
    Cards,
    ForcePool,
    PlayerTurn,
    Politics,
    Port,
    Turn,
)

IN_PORT = "in port"  # or elsewhere on the mapboard
MEDITERRANEAN = "in the Mediterranean"  # German submarines there: Gibraltar lies between (25.15)
RESERVE = "reserve"  # bombers and interceptors not assigned to a front
MURMANSK = "Murmansk box"  # German aircraft that wait for convoys to Russia (40.451)
CVE, AAF, JET = "CVE", "AAF", "jet"  # built and based elsewhere
POOLED = (ADVANCED_SUBMARINE, SUBMARINE, ASW, TRANSPORT, STRATEGIC_BOMBER, INTERCEPTOR)
KINDS = (*POOLED, CVE, AAF, JET)
STAGES = (
    "dispatches",
    "construction",
    "movement",
    "raiders",
    "submarines",
    "bombing",
    "flying bombs",
    "effects",
    "convoys",
    "redeployment",
    "markers",
    "end",
)
SHIPS = (ADVANCED_SUBMARINE, SUBMARINE, ASW, TRANSPORT)  # that join their pools after unit construction (24.22)

Counts = dict[str, int]  # "Germany submarine" -> factors


def unit(power: str, kind: str) -> str:
    """What units of a power and kind are called in a count."""
    return f"{power} {kind}"


def kind_of(name: str) -> str:
    """The kind of units of this name."""
    return next(kind for kind in KINDS if name.endswith(f" {kind}"))


def power_of(name: str) -> str:
    """The power whose units have this name."""
    return name.removesuffix(f" {kind_of(name)}")


def place_in_words(place: str, name: str) -> str:
    """What a place is called where units of this name stand: the Pacific is an SW box to ships, to aircraft a front."""
    if place in BOXES and kind_of(name) in (*SHIPS, CVE):
        return f"{place} SW box"
    return f"{place} front" if place == PACIFIC else place


def pool_of(name: str) -> str:
    """Whose force pool units of this name belong to; "" for those built elsewhere. ASW and transports of the Western
    Allies are theirs together."""
    kind, power = kind_of(name), power_of(name)
    if kind not in POOLED:
        return ""
    shared = kind in (ASW, TRANSPORT) and power not in AXIS_POWERS
    return WESTERN_ALLIES if shared else power


def faction_of(power: str) -> str:
    """The alliance faction of a power, by which research is kept."""
    if power in (GERMANY, ITALY, "Axis"):
        return GERMANY
    return power if power in (JAPAN, RUSSIA, CHINA) else WESTERN_ALLIES


def side_of(power: str) -> Side:
    """The side a power is on."""
    return Side.AXIS if power in AXIS_POWERS else Side.ALLIES


class Idle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that may do nothing until a player turn begins: inverted, or on their way back."""

    place: str
    unit: str
    number: int
    until: PlayerTurn


class Purse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a power may still spend in this turn on what these rules build (27, inputs), and what it has in all."""

    brps: int = 0
    construction: int = 0
    shipbuilding: int = 0


class Levels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Research of an alliance faction, as integer levels (SR-11)."""

    torpedo: int = 0
    asw: int = 0
    air_range: int = 0
    radar: int = 0
    air_defense: int = 0
    bombers: int = 0
    rockets: int = 0
    advanced_submarines: int = 0
    jets: int = 0
    jet_range: int = 0  # in hexes; 0 = not said
    naval_nationality: int = 0
    air_nationality: int = 0


class Salvo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Flying bombs or rockets announced against a target, resolved after the bombers (26.64)."""

    power: str
    target: str
    kind: str
    number: int


class TargetHex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place that can be bombed: what it is, what it is worth, how it is defended, how far it is from each power."""

    target: BombingTarget
    front: str
    value: int = 0  # BRPs that may be lost here in a turn (SR-32)
    defences: Defences = Defences()
    # Hexes from the nearest base of a power on this front, or of a rocket base by its name. From another front, as
    # "Britain, western": of a raider the way to the target, of a defender the way to the route across that front. Of army
    # air and jets that meet it on a front they do not serve on, as "Germany, western to Mediterranean" (26.443B).
    distances: Counts = {}
    markers: tuple[str, ...] = ()  # firestorm, atomic
    burnt: tuple[int, ...] = ()  # the years of its firestorms
    facility: Facility | None = None
    facilities: tuple[Facility, ...] = ()  # further ones in the hex, each with a name (26.72B)
    ic_loss: int | None = None  # BRPs lost with a Russian IC that is eliminated (37.5); None = it cannot be

    @property
    def name(self) -> str:
        """What it is called."""
        return self.target.name

    @property
    def industry(self) -> tuple[Facility, ...]:
        """All oil centers and synthetic oil plants in the hex."""
        return (*(() if self.facility is None else (self.facility,)), *self.facilities)

    def with_industry(self, industry: tuple[Facility, ...]) -> TargetHex:
        """The same place with these in place of its facilities."""
        first = 0 if self.facility is None else 1
        return msgspec.structs.replace(self, facility=industry[0] if first else None, facilities=industry[first:])

    @property
    def all_markers(self) -> tuple[str, ...]:
        """Every marker it bears, one for each damage marker on its industry."""
        return (*self.markers, *("damage" for each in self.industry for _ in range(each.markers)))


class YardShip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ship in a yard: its row and season column (26.76)."""

    name: str
    power: str
    yard: str
    size: int
    row: int
    column: int  # 0 Spring to 3 Winter


class Raider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A raiding group, where it raids, and what the raider table asks of it (21.5342)."""

    force: Force
    box: str
    nation: str
    from_singapore: bool = False
    off_southern_edge: bool = False


class Hunter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Western Allied warships in an SW box, that may meet raiders there (25.363)."""

    force: Force
    box: str
    nation: str


class Convoys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Murmansk convoys (40.45): what may sail in an Allied player turn, and who waits for it in the Murmansk box beside the
    aircraft there. 40.452 to 40.46 are not held: all of it is an input."""

    brps: int = 0  # that a convoy may bring; none = none sails
    escort: Force = Force("Escort")
    ships: Force = Force("Northern squadron")  # German ones
    submarines: int | None = None  # the most that attack; None = one for every ten in the Atlantic, or part of ten


class Dispatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What reaches the strategic war from outside at the beginning of a player turn. Everything in it is an input."""

    at: PlayerTurn
    headline: str = ""
    brps: Counts = {}  # income of a power this turn
    construction: Counts = {}  # its construction limit from now on
    shipbuilding: Counts = {}  # its shipbuilding points a turn from now on
    produced: dict[str, Counts] = {}  # pool owner -> kind -> allowable builds added (42)
    arrivals: dict[str, Counts] = {}  # place -> units that appear there: CVEs, army air, jets
    departures: dict[str, Counts] = {}
    research: dict[str, Counts] = {}  # faction -> field -> level
    politics: Politics | None = None
    ports: tuple[Port, ...] = ()  # as they now are
    lost_ports: tuple[str, ...] = ()
    cards: dict[str, Cards] = {}  # campaign -> cards (48.41)
    ireland: int | None = None
    axis_holds: tuple[str, ...] | None = None
    air_bases: dict[str, tuple[str, ...]] = {}  # front -> powers with an operational air base there, from now on
    us_reentry: bool | None = None
    rocket_bases: dict[str, tuple[RocketBase, ...]] = {}
    rocket_sites: dict[
        str, tuple[RocketBase, ...]
    ] = {}  # all places where a power may put its bases (18.14), from now on
    targets: tuple[TargetHex, ...] = ()  # that come within reach, or change
    closed_targets: tuple[str, ...] = ()
    yards: tuple[YardShip, ...] = ()  # ships laid down or docked (27.7)
    atomic: dict[str, str] = {}  # strategic atomic attacks made elsewhere: target -> the power that makes it (43)
    atomic_bombs: Counts = {}  # that a power has more from now on (43)
    atomic_damage: int | None = None  # BRPs of damage an atomic attack does from now on (43)
    losses: dict[str, Counts] = {}  # factors lost in fighting elsewhere: place -> units
    raiders: tuple[Raider, ...] = ()  # groups that may raid from now on (21.53)
    hunters: tuple[Hunter, ...] | None = None  # all that hunt raiders from now on, box by box
    raider_codebreaking: Counts = {}  # deck -> +1 for those who hunt raiders this turn, -1 for the raiders (48)
    search_squadrons: Counts | None = (
        None  # operational search AAS and NAS in the India and Australia boxes from now on
    )
    murmansk: Convoys | None = None  # convoys to Russia from now on
    impaired: tuple[str, ...] | None = None  # powers in partial supply or under naval oil effects from now on (AM-05)
    impaired_air: tuple[str, ...] | None = None  # the same of their air units (SR-25, SR-40)


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the chart of the war so far, at the end of a turn."""

    turn: Turn
    transports: Counts  # by owner
    submarines: Counts  # by power
    brps: Counts
    sunk: Counts = {}  # in this turn: unit -> factors
    bombed: Counts = {}  # in this turn: power -> BRPs


class War(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything on the chart."""

    title: str = ""
    names: dict[Side, str] = {}
    now: PlayerTurn = PlayerTurn(Turn(1939, 2), Side.AXIS)
    last: Turn = Turn(1946, 3)
    stage: str = ""
    places: dict[str, Counts] = {}  # SW boxes, in port, fronts -> units
    idle: tuple[Idle, ...] = ()
    pools: dict[str, dict[str, ForcePool]] = {}
    purses: dict[str, Purse] = {}
    limits: dict[str, Purse] = {}  # what a purse is filled to each turn: construction and shipbuilding
    reduced: Counts = {}  # construction limits lowered by bombing, for the power's next player turn (26.71B)
    cut: Counts = {}  # the same, in force in this player turn
    coming: dict[str, Counts] = {}  # produced ships, that join their pools when unit construction is over (24.22)
    research: dict[str, Levels] = {}  # by faction
    politics: Politics = Politics()
    us_reentry: bool = False  # the U.S. came back into the war (25.66)
    war_phases: int = 0  # Axis combat phases since Germany and the U.S. went to war
    ports: dict[str, Port] = {}
    cards: dict[str, Cards] = {}
    ireland: int | None = None
    impaired: tuple[str, ...] = ()
    impaired_air: tuple[str, ...] = ()
    air_bases: dict[str, tuple[str, ...]] = {}
    targets: dict[str, TargetHex] = {}
    rocket_bases: dict[str, tuple[RocketBase, ...]] = {}  # by power
    lost_bases: dict[str, tuple[RocketBase, ...]] = {}  # eliminated rocket bases, that come back one a turn (26.62C)
    rocket_sites: dict[str, tuple[RocketBase, ...]] = {}  # where a power may put them; without any they stay put
    atomic_bombs: Counts = {}  # at hand, by power (43)
    atomic_damage: int = 0
    yards: tuple[YardShip, ...] = ()
    salvos: tuple[Salvo, ...] = ()  # announced in this combat phase
    damage: dict[str, Counts] = {}  # this combat phase: target -> source -> uncapped damage
    defending: dict[str, Counts] = {}  # this combat phase: station -> "unit, front" -> factors
    no_escort: Counts = {}  # interceptors that opposed flying bombs: "unit, front", for their next player turn (26.663)
    raiders: tuple[Raider, ...] = ()
    hunters: tuple[Hunter, ...] = ()
    sunk_ships: tuple[str, ...] = ()  # named ships lost at sea or in yards, by id, which no dispatch brings back
    raiding: tuple[str, ...] = ()  # the groups at sea in this combat phase, in order
    raider_codebreaking: Counts = {}  # this player turn
    search_squadrons: Counts = {}
    murmansk: Convoys = Convoys()
    convoy: Force | None = None  # at sea for Murmansk in this combat phase
    convoys: Counts = {}  # BRPs sent to Murmansk since the beginning, and those that arrived
    met: dict[str, tuple[str, ...]] = {}  # of those, by whom: raiding group -> ships, or kinds of light ships
    entered: Counts = {}  # this turn: box -> American ASW that entered it (25.32B)
    axis_holds: tuple[str, ...] = ()  # countries that matter: Ethiopia (25.13A)
    sunk: Counts = {}  # this turn
    lost: Counts = {}  # since the beginning
    bombed: Counts = {}  # this turn: power -> BRPs lost to bombing
    chart: tuple[Row, ...] = ()
    timetable: tuple[Dispatch, ...] = ()
    over: bool = False

    def ready(self, place: str) -> Counts:
        """The units of a place that may act now."""
        found = dict(self.places.get(place, {}))
        for each in self.idle:
            if each.place == place and self.now.before(each.until):
                found[each.unit] = found.get(each.unit, 0) - each.number
        return {name: number for name, number in found.items() if number > 0}

    def present(self, place: str, *units: str) -> int:
        """How many factors of these units are in a place, ready or not."""
        here = self.places.get(place, {})
        return sum(here.get(name, 0) for name in units)

    def raider(self, name: str) -> Raider:
        """A raiding group by its name."""
        return next(raider for raider in self.raiders if raider.force.name == name)

    def levels(self, faction: str) -> Levels:
        """The research of a faction."""
        return self.research.get(faction, Levels())
