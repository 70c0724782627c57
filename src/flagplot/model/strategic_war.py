"""The words of the strategic war (24, 25): turns and player turns, SW boxes, units, pools, ports, war and tension.

Everything is a plain value. What our texts do not hold (supply, oil, research by date, codebreaking cards, who holds a
port and whether it is operational) is said by whoever asks.
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side

ATLANTIC, INDIAN_OCEAN, PACIFIC = "Atlantic", "Indian Ocean", "Pacific"
BOXES = (ATLANTIC, INDIAN_OCEAN, PACIFIC)
SEASONS = ("Spring", "Summer", "Fall", "Winter")

GERMANY, ITALY, JAPAN = "Germany", "Italy", "Japan"
BRITAIN, UNITED_STATES, FRANCE, RUSSIA, CHINA = "Britain", "United States", "France", "Russia", "China"
WESTERN_ALLIES = "Western Allies"
MAJOR_POWERS = (GERMANY, ITALY, JAPAN, BRITAIN, UNITED_STATES, FRANCE, RUSSIA, CHINA)
AXIS_POWERS = (GERMANY, ITALY, JAPAN)

SUBMARINE, ADVANCED_SUBMARINE, ASW, TRANSPORT = "submarine", "advanced submarine", "ASW", "transport"
STRATEGIC_BOMBER, INTERCEPTOR = "strategic bomber", "interceptor"
SW_UNITS = (STRATEGIC_BOMBER, INTERCEPTOR, SUBMARINE, ASW, TRANSPORT)
SUBMARINES = (SUBMARINE, ADVANCED_SUBMARINE)
NOT_NAVAL_UNITS = (*SW_UNITS, ADVANCED_SUBMARINE)  # told apart from naval units (25.36, 25.37)
NAVAL_UNIT = "naval unit"  # any surface warship, in boxes and ports

AXIS, ALLIES = Side.AXIS, Side.ALLIES


class Turn(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A game turn: a season of a year, in order."""

    year: int
    season: int  # 0 Spring to 3 Winter

    def __str__(self) -> str:
        """As players say it: Fall 1939."""
        return f"{SEASONS[self.season]} {self.year}"

    @property
    def following(self) -> Turn:
        """The turn after this one."""
        return Turn(self.year + (self.season == 3), (self.season + 1) % 4)

    def since(self, earlier: Turn) -> int:
        """How many turns have passed since another."""
        return 4 * (self.year - earlier.year) + self.season - earlier.season


class PlayerTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side's part of a turn. The Axis come first."""

    turn: Turn
    side: Side

    def __str__(self) -> str:
        """As players say it: Axis Fall 1939."""
        return f"{'Axis' if self.side is AXIS else 'Allied'} {self.turn}"

    @property
    def following(self) -> PlayerTurn:
        """The player turn after this one, the enemy's."""
        return PlayerTurn(self.turn, ALLIES) if self.side is AXIS else PlayerTurn(self.turn.following, AXIS)

    @property
    def next_own(self) -> PlayerTurn:
        """The same side's next player turn."""
        return self.following.following

    def before(self, other: PlayerTurn) -> bool:
        """Whether this player turn comes earlier."""
        return (self.turn, self.side is ALLIES) < (other.turn, other.side is ALLIES)


class ForcePool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Factors of one kind: built, and allowed to be built."""

    built: int = 0
    allowable: int = 0

    @property
    def size(self) -> int:
        """The force pool: what exists and what may yet be built."""
        return self.built + self.allowable


class Politics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """War and tension between the powers, as far as the SW boxes ask. Tension levels are inputs."""

    usat: int = 0
    usjt: int = 0
    germany_us_war: bool = False
    japan_us_war: bool = False
    japan_britain_war: bool = False
    germany_russia_war: bool = False
    japan_russia_war: bool | msgspec.UnsetType = msgspec.UNSET  # unset is peace; so older games keep their fingerprint


class Port(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A port as submarine warfare sees it. `holder` is a major power or "Western Allies"."""

    name: str
    holder: str
    front: str = ""  # western, Mediterranean, Pacific
    operational: bool = True
    fully_supplied: bool = True
    country: str = ""

    @property
    def axis(self) -> bool:
        """Whether Germany or Italy hold it."""
        return self.holder in (GERMANY, ITALY, "Axis")

    @property
    def western_allied(self) -> bool:
        """Whether the Western Allies hold it."""
        return self.holder in (BRITAIN, UNITED_STATES, FRANCE, WESTERN_ALLIES)


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where units of an SW box are based: a port, with its front and country, or a mapboard box such as "India box"."""

    name: str
    front: str = ""  # western, Mediterranean, Pacific
    country: str = ""

    @property
    def mapboard_box(self) -> bool:
        """Whether this is a box beside the map rather than a hex on it."""
        return self.name.endswith(" box")


class BoxUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that enters, serves in or leaves an SW box. `kind` is an SW unit, a ship's kind, or "naval unit"."""

    nation: str
    kind: str = NAVAL_UNIT
    inverted: bool = False
    damaged: bool = False


class Research(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Levels of a side that bear on submarine warfare (SR-11)."""

    torpedo: int = 0
    asw: int = 0
    air_range: int = 0


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Codebreaking cards played in one campaign this turn (SR-16)."""

    submarine: int = 0
    asw: int = 0


class Campaign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that modifies one submarine SW combat: who attacks where, and the state of the war around it."""

    box: str
    attacker: str
    attacker_drm: int
    defender_drm: int
    attacker_research: Research = Research()
    defender_research: Research = Research()
    escort_carriers: int = 0  # the defender's, uninverted, in the box
    ports: tuple[str, ...] = ()  # held by the attacker's side and fully supplied
    cards: Cards = Cards()
    war_phases: int | None = None  # Axis combat phases since Germany and the U.S. went to war, this one included
    us_reentry: bool = False
    ireland: int | None = None  # the diplomatic result in effect


class Combat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One submarine SW combat before and after the dice: those engaged, the net modifier, both rolls as thrown."""

    submarines: int
    asw: int
    modifier: int
    attacker_roll: int
    defender_roll: int


class Struck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one combat does before it finds its transports: both results, the submarines' fate, the losses due."""

    attacker_result: tuple[int, int]
    defender_result: tuple[int, int]
    eliminated: int
    aborted: int
    reaching: int
    additional_from_modifier: int
    additional_from_reaching: int

    @property
    def additional(self) -> int:
        """Transports sunk besides the result (24.64)."""
        return self.additional_from_modifier + self.additional_from_reaching


class Shipping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the defender has in a box: transports, ASW, CVEs; `damaged` are transports on their way to port."""

    transports: int
    asw: int = 0
    escort_carriers: int = 0
    damaged: int = 0


class Toll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the defender lost, and what is left: transports afloat are undamaged ones and damaged ones."""

    sunk: int
    damaged: int
    undamaged_left: int
    asw_lost: int
    escort_carriers_lost: int
    wasted: int  # losses that found nothing to fall on


class RaiderGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A raiding group as the raider table sees it. Its number is its place in the order of resolution (SR-42)."""

    box: str
    nation: str
    number: int = 1
    ships: int = 1
    from_singapore: bool = False
    off_southern_edge: bool = False


class Hunters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the defender has against raiders in a box. Squadrons are operational search AAS and NAS."""

    air_range: int = 0
    escort_carriers: int = 0
    india_box_squadrons: int = 0
    australia_box_squadrons: int = 0
    us_german_war: bool = False
    codebreaking: int = 0  # +1 for the defender, -1 for the raiders
