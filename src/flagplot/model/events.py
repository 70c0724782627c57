"""What can happen in a naval battle. Each event names its rule and its audience.

Where an event comes in two versions, the private one tells the owner and the public one tells everyone as much as the
rules make him say.
"""

from __future__ import annotations

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model.air_events import AIR_EVENTS
from flagplot.model.amendments import AMENDMENT_EVENTS
from flagplot.model.forces import CombatGroup, Disclosed, Engagement, Force, Line, Shot
from flagplot.model.operation_events import OPERATION_EVENTS
from flagplot.model.ships import Ship
from flagplot.model.state import Base
from flagplot.model.war_events import WAR_EVENTS

# -- setting up -----------------------------------------------------------------------


class BattleJoined(Event, frozen=True):
    """Everyone: the public part of the scenario."""

    title: str
    theatre: str
    kind: str
    interceptor: Side
    round: int
    names: dict[Side, str]
    tactical: dict[Side, int]
    search_advantage: dict[Side, int]
    aircraft: bool
    submarines: bool
    western_front: bool
    inputs: str


class FleetMustered(Event, frozen=True):
    """Its owner, or everyone where the order of battle is open: the ships a side brings."""

    side: Side
    forces: tuple[Force, ...]
    impaired: tuple[str, ...]


class BasesListed(Event, frozen=True):
    """Its owner: where his ships may go afterwards."""

    side: Side
    bases: tuple[Base, ...]


class InputTaken(Event, frozen=True):
    """A value from a rule we do not hold: what was used."""

    what: str
    value: str


# -- combat groups ----------------------------------------------------------------------


class GroupsFormed(Event, frozen=True):
    """Its owner: which groups he has formed, numbered or pending."""

    side: Side
    groups: tuple[CombatGroup, ...]
    pending: tuple[CombatGroup, ...]
    home: tuple[CombatGroup, ...]  # carriers that may not join and go back to port


class MarkersPlaced(Event, frozen=True):
    """Everyone: the numbers a side adds to the chart."""

    side: Side
    numbers: tuple[int, ...]


class GroupsJoined(Event, frozen=True):
    """Its owner: the groups that enter the battle, and those that are still pending."""

    side: Side
    groups: tuple[CombatGroup, ...]
    pending: tuple[CombatGroup, ...]


# -- the round ------------------------------------------------------------------------------


class RoundBegan(Event, frozen=True):
    """Everyone: a new round. What was found, met or evaded in the last one is over."""

    round: int


class SegmentBegan(Event, frozen=True):
    """Everyone: the next segment."""

    segment: str


class SegmentEmpty(Event, frozen=True):
    """Everyone: a segment in which nothing is done yet, and why."""

    segment: str
    why: str


class StepBegan(Event, frozen=True):
    """Everyone: the next step of fleet combat (22.521)."""

    step: str


# -- search -------------------------------------------------------------------------------


class SearchCounted(Event, frozen=True):
    """Its roller: how his search dice are made up."""

    side: Side
    dice: Modifiers


class Searched(Event, frozen=True):
    """Everyone: the dice, the lines of their number that are public, and the results by group number."""

    side: Side
    count: int
    public: Modifiers
    dice: tuple[int, ...]
    results: dict[int, int]


class GroupFound(Event, frozen=True):
    """Everyone: what the owner of a found group must say of it."""

    side: Side
    number: int
    results: int
    disclosed: Disclosed


# -- engagements -------------------------------------------------------------------------------


class Paired(Event, frozen=True):
    """Everyone: the active groups that pair off."""

    engagements: tuple[Engagement, ...]


class SecondRoundOpened(Event, frozen=True):
    """Everyone: the groups that may seek a second engagement, in the order they declare."""

    groups: tuple[tuple[Side, int], ...]


class EngagementDeclared(Event, frozen=True):
    """Everyone: a group seeks fleet combat."""

    engagement: Engagement


class EngagementForgone(Event, frozen=True):
    """Everyone: a group that might have sought fleet combat does not."""

    side: Side
    number: int


class EngagementLapsed(Event, frozen=True):
    """Everyone: an engagement that will not be fought, and why."""

    engagement: Engagement
    why: str


class Detached(Event, frozen=True):
    """Everyone: damaged ships left behind by a group that initiates (they leave) or evades (they are lost)."""

    side: Side
    number: int
    ships: tuple[Ship, ...]
    light: dict[str, int]
    abandoned: bool


class EngagementAccepted(Event, frozen=True):
    """Everyone: a distant group that was sought stands and fights."""

    side: Side
    number: int


class Evaded(Event, frozen=True):
    """Everyone: a distant group slips away under a higher number."""

    side: Side
    number: int
    new_number: int


class GroupRevealed(Event, frozen=True):
    """Everyone: the composition of a group."""

    side: Side
    group: CombatGroup


# -- fleet combat ---------------------------------------------------------------------------------


class FleetCombatBegan(Event, frozen=True):
    """Everyone: two groups fight; these sides' groups are attacked (one that meets a bare supply line is not)."""

    engagement: Engagement
    attacked: tuple[Side, ...]


class LineFormed(Event, frozen=True):
    """Everyone: a side's line and screen."""

    side: Side
    line: Line


class Ranked(Event, frozen=True):
    """Everyone: a side's capital ships by rank."""

    side: Side
    capital: tuple[str, ...]


class AttackerNamed(Event, frozen=True):
    """Everyone: the side that attacks in a fleet combat of the older kind, and why; the other defends."""

    side: Side
    why: str


class FireReserved(Event, frozen=True):
    """Everyone: the fire of heavy ships at screened ones, which waits for the screen to open."""

    side: Side
    shots: tuple[Shot, ...]


class TargetsChosen(Event, frozen=True):
    """Everyone: what a side will fire at in this step, and which ships hold their fire."""

    side: Side
    shots: tuple[Shot, ...]
    held: tuple[str, ...]
    held_light: dict[str, int]


class Fired(Event, frozen=True):
    """Everyone: one roll on the Naval Attack Table."""

    side: Side
    shot: Shot
    factors: int
    modifiers: Modifiers
    dice: tuple[int, ...]
    roll: int
    hits: int


class ShipHit(Event, frozen=True):
    """Everyone: what hits did to a named ship."""

    side: Side
    number: int
    ship: str
    name: str
    hits: int
    fate: str  # hit, damaged, sunk


class LightShipsHit(Event, frozen=True):
    """Everyone: what hits did to light ships. Damaged cruisers that go behind the screen say so."""

    side: Side
    number: int
    screened: bool
    sunk: dict[str, int]
    damaged: dict[str, int]
    into_screen: bool


class CargoLost(Event, frozen=True):
    """Everyone: cargo for which there is no more room: name, and how much of its need went down."""

    side: Side
    number: int
    lost: dict[str, int]


class CargoStowed(Event, frozen=True):
    """Everyone: destroyers that take cargo over from ships that were sunk, and ones whose cargo is lost."""

    side: Side
    number: int
    loaded: dict[str, int]  # by the key of an unloaded destroyer
    unloaded: dict[str, int]


class SupplyLineCut(Event, frozen=True):
    """Everyone: a sea supply line is disrupted (30.381, an input)."""

    side: Side
    number: int


class FleetCombatEnded(Event, frozen=True):
    """Everyone: the engagement is over. Sides with no unit left afloat in it; sides with no unscreened ship left; and
    the ships that never fired."""

    engagement: Engagement
    annihilated: tuple[Side, ...]
    line_gone: tuple[Side, ...]
    idle: dict[Side, tuple[str, ...]]
    idle_light: dict[Side, dict[str, int]]


class GroupEliminated(Event, frozen=True):
    """Everyone: nothing is left of a group."""

    side: Side
    number: int


# -- between rounds ------------------------------------------------------------------------------------


class Withdrew(Event, frozen=True):
    """Its owner: what leaves, group by group."""

    side: Side
    groups: tuple[CombatGroup, ...]


class Departed(Event, frozen=True):
    """Everyone: the groups that left whole, and what is left of revealed groups that part of the ships left."""

    side: Side
    whole: tuple[int, ...]
    remains: tuple[CombatGroup, ...]


class GroupsRecombined(Event, frozen=True):
    """Its owner: groups that were made up anew from others, those that are no more, and who gave ships to whom."""

    side: Side
    groups: tuple[CombatGroup, ...]
    gone: tuple[int, ...]
    joined: dict[int, tuple[int, ...]]


class GroupsRenumbered(Event, frozen=True):
    """Its owner: the number each group had, and the one it has now."""

    side: Side
    numbers: dict[int, int]


class MarkersHidden(Event, frozen=True):
    """Everyone: groups made up anew, or all of a side under new numbers: what is in them is no longer known."""

    side: Side
    numbers: tuple[int, ...]
    gone: tuple[int, ...]
    renumbered: bool


class DetachedLeft(Event, frozen=True):
    """Everyone: detached damaged ships leave the battle."""

    side: Side


class BattleContinued(Event, frozen=True):
    """Everyone: the side tracing sea supply goes on with the battle (22.71C)."""

    side: Side


class BattleEnded(Event, frozen=True):
    """Everyone: why it ended and who lost."""

    reasons: tuple[str, ...]
    losers: tuple[Side, ...]
    victor: Side | None


class Returned(Event, frozen=True):
    """Its owner: where ships went, and whether they are inverted."""

    side: Side
    group: CombatGroup
    base: str
    inverted: bool
    why: str


class ActivityDecided(Event, frozen=True):
    """Everyone: whether the intercepted activity goes on."""

    side: Side
    goes_on: bool
    why: str


# -- raiders ---------------------------------------------------------------------------------------------


class TransportsExposed(Event, frozen=True):
    """Its owner: raiders that may now attack transports, by name."""

    side: Side
    raiders: tuple[str, ...]


class TransportsThreatened(Event, frozen=True):
    """Everyone: whether any raider may now attack transports."""

    side: Side
    some: bool


class HitsRepaired(Event, frozen=True):
    """Everyone: hits that did not damage are repaired at sea."""

    side: Side
    ships: tuple[str, ...]


EVENTS: tuple[type[Event], ...] = (
    *(
        value
        for value in globals().values()
        if isinstance(value, type) and issubclass(value, Event) and value is not Event
    ),
    *AIR_EVENTS,
    *OPERATION_EVENTS,
    *WAR_EVENTS,
    *AMENDMENT_EVENTS,
)
