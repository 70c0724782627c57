"""The state of one naval battle.

The same type holds the whole truth and what one side knows of it: in a side's picture the enemy's hidden groups have a
number and no contents. State is never changed; fold.py makes the next one from an event.
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side
from flagplot.model.amendments import Amendment
from flagplot.model.forces import CombatGroup, Engagement, Force, Line, Shot
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase, Counterair, Deferred, Port, Raid, Strike

# The segments of a round in order (22.41), what stands between rounds (22.411), and what follows a battle.
SEGMENTS: dict[str, tuple[str, str]] = {
    "formation": ("22.41A", "Formation of combat groups"),
    "counterair": ("22.41B", "Attacks against enemy air bases"),
    "carrier air": ("22.41C", "Allocation of carrier air to strikes"),
    "air cover": ("22.41D", "Allocation of land-based air to cover"),
    "search": ("22.41E", "Search"),
    "disclosure": ("22.41F", "Found groups are disclosed"),
    "air strikes": ("22.41G", "Air strikes"),
    "fleet combat": ("22.41H", "Fleet combat"),
    "submarines": ("22.41I", "Submarine attacks"),
    "withdrawal": ("22.411A", "Withdrawal"),
    "reinforcement": ("22.411B", "Reinforcement"),
    "return": ("22.63", "Return to base"),
    "over": ("22.71", "The battle is over"),
    "sortie": ("23.52", "A sortie against the port"),  # these two are of attacks on ports only
    "escape": ("23.46", "Who leaves the port"),
}

RESEARCH = ("radar", "air defense", "torpedo", "ASW")  # results that count here, all inputs (41)

# The steps of fleet combat (22.521): each is a boundary, and so is each engagement.
STEPS = ("pair", "first", "declare", "second")


ORDER = {side: (side, side.enemy) for side in Side}  # of play: the intercepting side first


class Base(msgspec.Struct, frozen=True):
    """A base ships may return to (22.63): how far from the battle, and whether it is under seaborne invasion."""

    name: str
    distance: int
    invaded: bool = False


class Homecoming(msgspec.Struct, frozen=True):
    """What became of ships that left the battle."""

    group: CombatGroup
    base: str
    inverted: bool
    why: str


class Fleet(msgspec.Struct, frozen=True):
    """One side in the battle."""

    name: str = ""
    tactical: int = 0  # 48.51B, an input
    search_advantage: int = 0  # 48.32B or 48.62, an input
    impaired: tuple[str, ...] = ()  # nations in partial supply or under naval oil effects, an input
    bases: tuple[Base, ...] = ()
    forces: tuple[Force, ...] = ()  # before they form combat groups
    groups: tuple[CombatGroup, ...] = ()  # in the battle, by number
    pending: tuple[CombatGroup, ...] = ()  # not yet in it
    detached: tuple[CombatGroup, ...] = ()  # damaged ships that leave when the round ends (22.524A)
    withdrawn: tuple[CombatGroup, ...] = ()  # out of it
    home: tuple[CombatGroup, ...] = ()  # carriers that might not join it (22.421A)
    returned: tuple[Homecoming, ...] = ()
    sunk: tuple[Ship, ...] = ()
    sunk_light: dict[str, int] = {}
    cargo_lost: tuple[str, ...] = ()
    line_cut: bool = False  # its sea supply line is disrupted
    round_sunk: int = 0  # naval factors lost this round (22.61A)
    newly_damaged: dict[str, int] = {}  # factors damaged this round and still afloat, by ship or light key
    withdrew: bool = False  # it withdrew whole groups at the end of this round
    opponents: tuple[tuple[int, int], ...] = ()  # its groups that fought this round, each with the enemy one (22.54G)
    research: dict[str, int] = {}  # results by project, an input
    impaired_air: tuple[str, ...] = ()  # nations or bases whose air is short of supply or oil, an input
    winter_air: tuple[str, ...] = ()  # nations or bases whose air suffers a winter effect of 8 or more, an input
    air_range: int = 0  # hexes its land-based air reaches (18, an input); 0 = all its bases are in range
    carrier_range: int = 0  # hexes its carrier air reaches (18, an input); 0 = all enemy bases are in range
    air_bases: tuple[AirBase, ...] = ()
    searching: int = 0  # land-based squadrons that search, this round
    acting: dict[str, int] = {}  # land-based squadrons with a role this round, by keys with bases
    served: dict[str, int] = {}  # the most of each that had one in any round, and live (23.164)
    ready: dict[str, int] = {}  # naval air back from counterair, which may still strike this round
    aloft: dict[str, int] = {}  # naval air that has attacked or aborted this round and must land
    patrol_left: dict[str, int] = {}  # naval air on patrol over groups that are gone
    strikes: int = 0  # flown this round
    launched: tuple[str, ...] = ()  # carriers whose air has struck this round
    strike_decks: dict[str, dict[str, int]] = {}  # by carrier, what flies in its latest strike
    deferred: tuple[Deferred, ...] = ()  # naval air that waits to join fleet combat (22.471C)
    found: int = 0  # search results against its groups this round, whatever became of them
    air_lost: dict[str, int] = {}  # squadrons lost in the battle
    submarines: dict[str, int] = {}  # that have not attacked
    submarines_spent: dict[str, int] = {}  # that have attacked, and live
    submarines_lost: dict[str, int] = {}
    submarines_held: dict[str, int] = {}  # of those that have not attacked: had a target in some round (RC-74)
    announced: dict[str, dict[str, int]] = {}  # submarine attacks by group ("CG3"), not yet made
    submarine_codebreaking: int = 0  # 48.41B, an input: +1 for its attacks, and as ASW advantage against the enemy's
    excess_asw: dict[str, int] = {}  # ASW beyond the enemy's submarines, by SW box, an input (22.9415)
    destroyers_elsewhere: dict[str, dict[str, int]] = {}  # by place: they may take submarine losses (22.9432)
    cover: dict[
        str, int
    ] = {}  # land-based air that flies cover this round; outside combat over the whole force (23.23)
    deck_air: dict[
        str, int
    ] = {}  # in a port under attack: what its sound carriers have aboard, as it was shown (23.411)
    grounded: dict[str, int] = {}  # of these: turned back in the latest sortie (23.412A)
    hulks: tuple[Ship, ...] = ()  # sunk in port, where they stay (23.443B)

    @property
    def round_damaged(self) -> int:
        """Naval factors damaged this round and still afloat (22.61A)."""
        return sum(self.newly_damaged.values())

    def group(self, number: int) -> CombatGroup:
        """The group with this number."""
        for group in self.groups:
            if group.number == number:
                return group
        raise KeyError(number)

    def air_base(self, name: str) -> AirBase:
        """The air base of this name."""
        for base in self.air_bases:
            if base.name == name:
                return base
        raise KeyError(name)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The group numbers in use."""
        return tuple(group.number for group in self.groups)


class Battle(msgspec.Struct, frozen=True):
    """Everything that stands on the table."""

    title: str = ""
    theatre: str = "Pacific"
    kind: str = "naval battle"
    interceptor: Side = Side.AXIS
    fleets: dict[Side, Fleet] = {}
    round: int = 1
    segment: str = "formation"
    step: str = "pair"
    engagements: tuple[Engagement, ...] = ()  # declared and not yet fought
    undeclared: tuple[tuple[Side, int], ...] = ()  # groups that may still seek a second engagement, in order
    escaped: tuple[tuple[Side, int], ...] = ()  # groups whose target has evaded, while others may still evade
    fighting: Engagement | None = None
    combat: bool = False  # some form of naval combat has occurred this round (22.31, 22.41K of 2008)
    lines: dict[Side, Line] = {}
    shots: dict[Side, tuple[Shot, ...]] = {}  # declared and not yet fired
    reserved: dict[Side, tuple[Shot, ...]] = {}  # declared, for when the screen is open (22.54F of 2008)
    idle: dict[Side, tuple[str, ...]] = {}  # named ships that did not fire in the last fleet combat
    idle_light: dict[Side, dict[str, int]] = {}  # and light ships
    line_gone: tuple[Side, ...] = ()  # sides that lost every unscreened ship in it
    losers: tuple[Side, ...] = ()
    victor: Side | None = None
    reasons: tuple[str, ...] = ()
    goes_on: bool = False  # the intercepted activity, after a victory
    aircraft: bool = False  # whether, as far as everyone knows, any may take part
    submarines: bool = False  # whether, as far as everyone knows, any may take part
    western_front: bool = False  # a hex of the western front, where excess Atlantic ASW counts (22.9415B)
    inputs: str = "default"  # rules we do not hold: the default, or ask (20.524)
    counterairs: tuple[Counterair, ...] = ()  # announced and not yet flown
    striking: tuple[Side, ...] = ()  # sides that may still strike this round, in order
    strike: Strike | None = None  # the one under way
    declared: tuple[Strike, ...] = ()  # outside combat: strikes declared and not yet flown (23.23D)
    port: Port | None = None  # the port under attack
    raid: Raid | None = None  # of the sortie under way, what goes for aircraft
    amendments: tuple[Amendment, ...] = ()  # agreed, and to take effect when the next segment begins

    @property
    def sides(self) -> tuple[Side, Side]:
        """The sides in the order of play: the intercepting side first."""
        return ORDER[self.interceptor]

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.segment == "over"

    def active(self, group: CombatGroup) -> bool:
        """22.425: whether a group is active; otherwise it is distant."""
        return group.number <= self.round
