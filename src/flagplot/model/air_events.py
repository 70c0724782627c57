"""What can happen in the air and under water during a naval battle. Each event names its rule and its audience.

Which deck a squadron left or came back to is told to its owner; how many fly, and what became of them, to everyone.
"""

from __future__ import annotations

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model.squadrons import AirBase, Counterair, Port

# -- setting up ---------------------------------------------------------------------------


class AirBasesListed(Event, frozen=True):
    """Everyone: a side's land-based air within reach, and the inputs that bear on its aircraft and submarines."""

    side: Side
    air_bases: tuple[AirBase, ...]
    air_range: int
    carrier_range: int
    impaired_air: tuple[str, ...]
    winter_air: tuple[str, ...]
    research: dict[str, int]
    submarine_codebreaking: int
    excess_asw: dict[str, int]


class SubmarinesMustered(Event, frozen=True):
    """Its owner, or everyone where the order of battle is open: a side's submarines."""

    side: Side
    submarines: dict[str, int]


class SubmarinesSpentBefore(Event, frozen=True):
    """Its owner, or everyone where the order of battle is open: a side's submarines that attacked in earlier rounds of a
    battle that is taken up in its course."""

    side: Side
    submarines: dict[str, int]


class DestroyersElsewhereListed(Event, frozen=True):
    """Its owner: destroyers outside the battle that may take losses from submarine attacks."""

    side: Side
    places: dict[str, dict[str, int]]


# -- patrol, counterair, allocation -------------------------------------------------------------


class PatrolsFlown(Event, frozen=True):
    """Its owner: the naval air that leaves its decks for combat air patrol, by group and carrier."""

    side: Side
    patrols: dict[int, dict[str, dict[str, int]]]


class CounterairFlown(Event, frozen=True):
    """Its owner: the naval air that leaves its decks for counterair, by carrier."""

    side: Side
    decks: dict[str, dict[str, int]]


class CounterairsAnnounced(Event, frozen=True):
    """Everyone: the air bases a side's carriers attack, and with how much."""

    side: Side
    counterairs: tuple[Counterair, ...]


class AirBrokenDown(Event, frozen=True):
    """Everyone: air factors of a base become squadrons."""

    side: Side
    base: str
    factors: dict[str, int]
    inverted_factors: dict[str, int]


class CounterairFought(Event, frozen=True):
    """Everyone: one round of air combat over a land base. Results are those scored by each side."""

    side: Side  # the attacker
    base: str
    attackers: dict[str, int]
    defenders: dict[str, int]
    modifiers: Modifiers  # of the attacker; the defender's are the opposite
    dice: dict[Side, tuple[int, ...]]
    eliminated: dict[Side, int]
    aborted: dict[Side, int]


class CounterairEnded(Event, frozen=True):
    """Everyone: what the attackers and the defenders of a base lost, and who aborted."""

    side: Side
    base: str
    lost: dict[str, int]
    aborted: dict[str, int]
    back: dict[str, int]  # attackers that may still strike
    base_lost: dict[str, int]
    base_aborted: dict[str, int]


class StrikeForcesReady(Event, frozen=True):
    """Its owner: the naval air that may strike this round."""

    side: Side
    squadrons: dict[str, int]


class CoverAssigned(Event, frozen=True):
    """Its owner: the land-based air that covers each group."""

    side: Side
    cover: dict[int, dict[str, int]]


class CoverAnnounced(Event, frozen=True):
    """Everyone: the land-based air that flies cover; over which group is not said."""

    side: Side
    squadrons: dict[str, int]


class AirSearchAssigned(Event, frozen=True):
    """Everyone: the land-based air that searches."""

    side: Side
    squadrons: dict[str, int]


# -- air strikes -------------------------------------------------------------------------------------


class StrikeOrderSet(Event, frozen=True):
    """Everyone: in which order the sides strike."""

    sides: tuple[Side, ...]
    results: dict[Side, int]


class StrikeFlown(Event, frozen=True):
    """Its owner: the naval air that leaves its decks for a strike, by carrier."""

    side: Side
    decks: dict[str, dict[str, int]]


class StrikeAnnounced(Event, frozen=True):
    """Everyone: an air strike on a found group."""

    side: Side
    number: int
    squadrons: dict[str, int]
    surprise: bool


class StrikesEnded(Event, frozen=True):
    """Everyone: a side flies no more strikes this round."""

    side: Side


class SurpriseRolled(Event, frozen=True):
    """Everyone: the level of surprise."""

    side: Side
    number: int
    dice: tuple[int, ...]
    modifiers: Modifiers
    level: int


class CoverRevealed(Event, frozen=True):
    """Everyone: the land-based cover over a group that is struck."""

    side: Side
    number: int
    cover: dict[str, int]


class DefendersEngaged(Event, frozen=True):
    """Everyone: patrol and cover that engage a strike."""

    side: Side
    number: int
    squadrons: dict[str, int]


class DefendersWithheld(Event, frozen=True):
    """Its owner: patrol and cover kept out of air combat for the rest of the round."""

    side: Side
    number: int
    squadrons: dict[str, int]


class AirCombatJoined(Event, frozen=True):
    """Everyone: who fights whom."""

    side: Side  # the attacker
    number: int
    fighting: dict[str, int]
    defenders: dict[str, int]


class AirCombatFought(Event, frozen=True):
    """Everyone: one round of air combat over a group. Results are those scored by each side."""

    side: Side
    number: int
    rows: dict[Side, int]
    modifiers: Modifiers  # of the attacker; the defender's are the opposite
    dice: dict[Side, tuple[int, ...]]
    eliminated: dict[Side, int]
    aborted: dict[Side, int]


class DefendersLost(Event, frozen=True):
    """Everyone: patrol and cover lost over a group."""

    side: Side
    number: int
    lost: dict[str, int]


class StrikersLost(Event, frozen=True):
    """Everyone: what a strike lost, and what turned back."""

    side: Side
    number: int
    lost: dict[str, int]
    aborted: dict[str, int]


class AirDefenseCounted(Event, frozen=True):
    """Its owner: how the air defense level of a struck group is made up."""

    side: Side
    number: int
    level: Modifiers


class AirDefenseRolled(Event, frozen=True):
    """Everyone: the air defense of a struck group."""

    side: Side
    number: int
    level: int
    dice: tuple[int, ...]
    eliminated: int
    aborted: int


class AirTargetsChosen(Event, frozen=True):
    """Everyone: what each squadron attacks, kamikazes apart. One without a target does nothing more this round."""

    side: Side
    number: int
    targets: dict[str, dict[str, int]]


class KamikazeTargetRolled(Event, frozen=True):
    """Everyone: the target that fell to one kamikaze squadron."""

    side: Side
    number: int
    squadron: str
    dice: tuple[int, ...]
    target: str


class AirAttackRolled(Event, frozen=True):
    """Everyone: one air attack roll."""

    side: Side
    number: int
    target: str
    name: str
    squadrons: dict[str, int]
    modifiers: Modifiers
    dice: tuple[int, ...]
    roll: int
    hits: int


class CriticalHitDue(Event, frozen=True):
    """Everyone: a critical hit roll is due, under a rule we do not hold, and what is taken as its outcome."""

    side: Side
    number: int
    ship: str
    name: str
    outcome: str


class WingStruck(Event, frozen=True):
    """Its owner: naval air that went down with its carrier, or that cannot take off from her any more."""

    side: Side
    ship: str
    name: str
    squadrons: dict[str, int]
    lost: bool


class StrikeEnded(Event, frozen=True):
    """Everyone: a strike is over; its survivors go home, and squadrons spent in it are gone."""

    side: Side
    number: int
    spent: dict[str, int]


class StrikeDeferred(Event, frozen=True):
    """Everyone: naval air of a strike that does not attack now but will fire with the heavy ships of its group (22.471C)."""

    side: Side
    number: int  # the group it struck
    own: int  # its own group, which that one meets
    squadrons: dict[str, int]


class DeferredStrikeResumed(Event, frozen=True):
    """Everyone: naval air that waited for fleet combat attacks by itself after all, and why."""

    side: Side
    number: int
    squadrons: dict[str, int]
    why: str


class DecksFilled(Event, frozen=True):
    """Its owner: where his naval air landed, by carrier; `left` are squadrons that left damaged carriers."""

    side: Side
    left: dict[str, dict[str, int]]
    decks: dict[str, dict[str, int]]


class AirLanded(Event, frozen=True):
    """Everyone: a side's naval air is down: what landed ashore, and what found no place and is lost."""

    side: Side
    ashore: dict[str, int]
    lost: dict[str, int]


class AirStatusDecided(Event, frozen=True):
    """Everyone: aircraft of a base that the last counterair left inverted for the rest of the player turn."""

    side: Side
    base: str
    inverted: dict[str, int]


# -- outside naval combat ------------------------------------------------------------------------------------


class AirAttackAnnounced(Event, frozen=True):
    """Everyone: a side will try to attack a naval force on passage from the air."""

    side: Side


class SharersDrawn(Event, frozen=True):
    """Everyone: of groups that share a search number, the one that was found."""

    side: Side  # the searcher
    number: int
    sharers: tuple[int, ...]
    dice: tuple[int, ...]
    found: int


class StrikeDeclared(Event, frozen=True):
    """Everyone: a strike on a found group, to be flown when all have been declared."""

    side: Side
    number: int
    squadrons: dict[str, int]


class DeclaredStrikeFlown(Event, frozen=True):
    """Everyone: the next of the strikes declared is flown, or, if its target is gone, goes home."""

    side: Side
    number: int
    squadrons: dict[str, int]
    lapsed: bool


# -- ports -----------------------------------------------------------------------------------------------------


class PortListed(Event, frozen=True):
    """Everyone: the port under attack."""

    port: Port


class DeckAirShown(Event, frozen=True):
    """Everyone: the naval air aboard sound carriers in the port."""

    side: Side
    squadrons: dict[str, int]


class SortieAnnounced(Event, frozen=True):
    """Everyone: what a sortie sends against the aircraft of the port, and what against the ships."""

    side: Side
    counterair: dict[str, int]
    ships: dict[str, int]
    inverted_too: bool


class AirRecombined(Event, frozen=True):
    """Everyone: army squadrons of a base become factors again; a single one left over is lost."""

    side: Side
    base: str
    squadrons: dict[str, int]  # that were uninverted
    inverted: dict[str, int]
    factors: dict[str, int]
    inverted_factors: dict[str, int]
    lost: dict[str, int]


class PortAirFought(Event, frozen=True):
    """Everyone: the air combat over a port. Without counterair the attacker has no row and does not roll."""

    side: Side  # the attacker
    base: str
    attackers: dict[str, int]
    defenders: dict[str, int]
    rows: dict[Side, int]
    modifiers: Modifiers  # of the attacker; the defender's are the opposite
    dice: dict[Side, tuple[int, ...]]
    eliminated: dict[Side, int]
    aborted: dict[Side, int]


class PortAirEnded(Event, frozen=True):
    """Everyone: what air combat over a port cost both sides, and what still goes for the ships."""

    side: Side
    base: str
    lost: dict[str, int]
    aborted: dict[str, int]
    back: dict[str, int]  # counterair that survived
    going_on: dict[str, int]  # against the ships
    base_lost: dict[str, int]
    base_aborted: dict[str, int]


class ShipHitInPort(Event, frozen=True):
    """Everyone: what one attack did to a named ship in port."""

    side: Side
    number: int
    ship: str
    name: str
    hits: int
    fate: str  # undamaged, damaged, sunk in port, destroyed


class AircraftFled(Event, frozen=True):
    """Everyone: aircraft that left the port, by the base they went to; they are inverted."""

    side: Side
    base: str
    moves: dict[str, dict[str, int]]


class PortAirInverted(Event, frozen=True):
    """Everyone: defending aircraft that the last sortie turned back stay inverted for the rest of the player turn."""

    side: Side
    base: str
    squadrons: dict[str, int]


# -- submarines --------------------------------------------------------------------------------------------


class SubmarinesHeld(Event, frozen=True):
    """Its owner: some submarines had a target and did not attack."""

    side: Side
    submarines: dict[str, int]


class SubmarinesAnnounced(Event, frozen=True):
    """Everyone: all the submarine attacks a side will make this round, by group."""

    side: Side
    attacks: dict[str, dict[str, int]]  # "CG3"


class SubmarineAttacked(Event, frozen=True):
    """Everyone: a submarine attacks a group."""

    side: Side
    number: int
    submarine: str


class SubmarineCategoryRolled(Event, frozen=True):
    """Everyone: which category of ships a submarine meets; no dice where there is but one."""

    side: Side
    number: int
    dice: tuple[int, ...]
    category: str


class SubmarineTargetRolled(Event, frozen=True):
    """Everyone: which ship of an attacked group a submarine attacks by rank; no dice where there is but one."""

    side: Side
    number: int
    dice: tuple[int, ...]
    target: str
    name: str


class TorpedoesFired(Event, frozen=True):
    """Everyone: one submarine attack roll."""

    side: Side
    number: int
    submarine: str
    target: str
    name: str
    modifiers: Modifiers
    dice: tuple[int, ...]
    roll: int
    hits: int
    submarine_lost: bool


class LossesShifted(Event, frozen=True):
    """Everyone: destroyers elsewhere are lost in place of destroyers of an attacked group."""

    side: Side
    number: int
    saved: dict[str, int]
    lost: dict[str, dict[str, int]]


class SubmarinesReturned(Event, frozen=True):
    """Its owner: submarines go home."""

    side: Side
    submarines: dict[str, int]
    inverted: bool
    why: str


AIR_EVENTS: tuple[type[Event], ...] = tuple(
    value for value in globals().values() if isinstance(value, type) and issubclass(value, Event) and value is not Event
)
