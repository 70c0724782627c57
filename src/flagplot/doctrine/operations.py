"""The admiral's policies for a whole operation: plain integer functions of a few numbers. Chances are per mille.

Strength is guns and twice the squadrons that can attack ships, as in a battle; what a success is worth stands on the same
scale, so that ships and activities can be weighed against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from flagplot.model.interception import CARGO_ACTIVITIES, STRIKING_ACTIVITIES

WHOLE = 1000  # a certainty
UNSEEN = 13  # the strength a task force nobody has looked into is taken to have
UNSEEN_LADEN = 9  # and one that carries cargo
SQUADRON = 2  # the strength of a squadron
LANDING, STROKE, STATION = 10, 5, 1  # worth of an activity with cargo; of a bombardment or a raid; of a patrol
BACKING = 4  # worth of a patrol that will support a landing
SLENDER = 80  # a chance to arrive below which nobody sails
HARM = 4  # the loser of a battle loses a part of his strength in so many before he is away
SPENT = 40  # a force that tries costs a part of its strength in so many: it cannot try again
JOINS = 700  # the chance to win from which on a battle is joined that is fought anyway
MOST_SORTIES = 3  # against one force on passage
LAST_SORTIE = 4  # against a port, however many there might be


class Outlook(NamedTuple):
    """A battle that may come: the strengths there, and what it would be worth to stop the enemy, or to get through."""

    own: int
    enemy: int
    prize: int = 0


class Comer(NamedTuple):
    """A force that tries to be there: its strength, its chance to be in time, and what it counts for if it is late."""

    strength: int
    chance: int
    late: int = 0


# -- dice -----------------------------------------------------------------------------------------


@cache
def ways(dice: int) -> tuple[int, ...]:
    """In how many ways so many dice show each total, from 0 up."""
    counts = [1]
    for _ in range(dice):
        counts = [sum(counts[max(0, total - 6) : total]) for total in range(len(counts) + 6)]
    return tuple(counts)


@cache
def chance_in_time(dice: int, distance: int, divisor: int) -> int:
    """The chance that so many dice, divided and rounded up, reach a distance."""
    if dice <= 0:
        return 0
    reached = sum(number for total, number in enumerate(ways(dice)) if -(-total // divisor) >= distance)
    whole: int = 6**dice
    return WHOLE * reached // whole


def late_strength(strength: int, dice: int, distance: int, divisor: int, hexes_a_round: int) -> int:
    """What a force counts for if it is late: half a round late, a quarter two rounds, then nothing."""
    short = max(1, distance - 7 * max(0, dice) // (2 * divisor))
    rounds = -(-short // hexes_a_round)
    return strength >> rounds if rounds <= 2 else 0


def expected(comer: Comer) -> int:
    """What a force that tries may be counted for, on the whole."""
    return (comer.strength * comer.chance + comer.late * (WHOLE - comer.chance)) // WHOLE


def chance_of_any(chances: Sequence[int]) -> int:
    """The chance that at least one is in time."""
    none = WHOLE
    for chance in chances:
        none = none * (WHOLE - chance) // WHOLE
    return WHOLE - none


# -- battles that may come ------------------------------------------------------------------------


def winning(own: int, enemy: int) -> int:
    """The chance to win: strength counts by its square."""
    return WHOLE * own * own // max(1, own * own + enemy * enemy)


def battle_worth(view: Outlook) -> int:
    """What a battle is worth, in thousandths: the loser is harmed, and the winner has his way."""
    win = winning(view.own, view.enemy)
    return win * (view.enemy // HARM + view.prize) - (WHOLE - win) * (view.own // HARM)


def meeting_worth(comers: Sequence[Comer], own: int, enemy: int, prize: int) -> int:
    """What it is worth, in thousandths, that all of these try: over every way in which some are in time and others late.

    `own` is what is there anyway to help, such as aircraft. If nobody is in time nothing happens.
    """
    worth = 0
    for pattern in range(1, 1 << len(comers)):
        chance, strength = WHOLE, own
        for index, comer in enumerate(comers):
            in_time = pattern >> index & 1
            chance = chance * (comer.chance if in_time else WHOLE - comer.chance) // WHOLE
            strength += comer.strength if in_time else comer.late
        if chance:
            worth += chance * battle_worth(Outlook(strength, enemy, prize)) // WHOLE
    return worth


def joining_worth(comers: Sequence[Comer], own: int, enemy: int, prize: int) -> int:
    """What it is worth that these join a battle which is fought anyway."""
    alone = battle_worth(Outlook(own, enemy, prize))
    worth = 0
    for pattern in range(1 << len(comers)):
        chance, strength = WHOLE, own
        for index, comer in enumerate(comers):
            in_time = pattern >> index & 1
            chance = chance * (comer.chance if in_time else WHOLE - comer.chance) // WHOLE
            strength += comer.strength if in_time else comer.late
        worth += chance * (battle_worth(Outlook(strength, enemy, prize)) - alone) // WHOLE
    return worth


def joins(comers: Sequence[Comer], own: int, enemy: int) -> bool:
    """Whether a battle that is fought anyway is likely enough to be won with these."""
    return winning(own + sum(map(expected, comers)), enemy) >= JOINS


def cost_of_trying(comers: Sequence[Comer]) -> int:
    """What is given up, in thousandths, by those who try and so cannot try again: on the way home, or others."""
    return sum(WHOLE * comer.strength // SPENT for comer in comers)


def tries(worth: int, comers: Sequence[Comer]) -> bool:
    """Sail only if it is worth more than it costs, and if somebody has more than a slender chance to be there."""
    return worth > cost_of_trying(comers) and any(comer.chance >= SLENDER for comer in comers)


def boats_try(chance: int) -> bool:
    """Submarines sail at any fair chance: there will be another on the enemy's way home."""
    return chance >= 2 * SLENDER


# -- activities -----------------------------------------------------------------------------------


def activity_worth(kind: str, backs_landing: int = 0) -> int:
    """What an activity is worth if it succeeds."""
    if kind in CARGO_ACTIVITIES:
        return LANDING
    if kind in STRIKING_ACTIVITIES or kind == "raider":
        return STROKE
    if kind == "patrol":
        return STATION + BACKING * backs_landing
    return 0


def sailing_worth(prize: int, own: int, enemy: int, chance: int) -> int:
    """What it is worth to sail, in thousandths, if the enemy comes in this strength with this chance."""
    met = battle_worth(Outlook(own, enemy)) + winning(own, enemy) * prize
    return ((WHOLE - chance) * WHOLE * prize + chance * met) // WHOLE


def sails(worth: int) -> bool:
    """Whether to sail."""
    return worth > 0


def escorts_enough(own: int, enemy: int) -> bool:
    """Whether cargo is guarded well enough for others to be kept back."""
    return own >= enemy


# -- aircraft ---------------------------------------------------------------------------


def air_strength(squadrons: int) -> int:
    """What aircraft within reach of a hex add to a battle there."""
    return SQUADRON * squadrons


def sortie_worth(attacking: int, covering: int) -> int:
    """What an air attack on ships in a hex is worth: squadrons that attack beyond those that cover."""
    return attacking - covering


def counterair(raiders: int, defenders: int, sortie: int) -> int:
    """How many of the raiders go for the aircraft in a port: all but a few in the first sortie, if fighters are half as
    many or more; else one for each that is there, half the raiders at most."""
    if sortie == 1 and 2 * defenders >= raiders:
        return raiders
    return min(defenders, raiders // 2)


def flies_again(raiders: int, defenders: int, sortie: int) -> bool:
    """Fly another sortie against a port while there are enough to get through, and not for ever."""
    return sortie == 1 or (sortie <= LAST_SORTIE and raiders >= 3 and raiders > defenders)


def raid_worth(raiders: int, defenders: int, ships: int) -> int:
    """What an attack on a base by carriers is worth: the naval factors and squadrons there, if the raiders are the more."""
    return ships + defenders if raiders > defenders else 0


def flees(raiders: int, sorties_left: int) -> bool:
    """Ships leave a port if another sortie may come, and somebody is left to fly it."""
    return sorties_left > 0 and raiders > 0
