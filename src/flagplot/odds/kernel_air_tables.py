"""The tables of air fighting as flat arrays for compiled battles: 19.2, 23.42, 23.44 and 23.7413 of the current edition.

Each cell is read from the table itself; rows beyond the last are added as the table adds them. What the admiral thinks
bombs are worth is here too, worked out by his own policy, so that a compiled battle looks up what the bot computes.
"""

from __future__ import annotations

from math import lcm

import numpy as np

from flagplot.doctrine.policies import PIPS, SUNK, ship_worth
from flagplot.editions.current import CURRENT
from flagplot.odds.jit import Words
from flagplot.odds.kernel_layout import MOST_SIZE

COLUMNS = 11  # rolls 2 to 12
MOST_FIGHTING = 128  # squadrons in one air combat
MOST_DEFENSE = 96  # air defense level
MOST_STRIKING = 64  # squadrons on one target, kamikazes included
MOST_LEVEL = 12  # of surprise
MOST_RESULTS = 12  # search results that modify it
MOST_AFLOAT = 13  # light factors beyond which no strike can tell the difference
MOST_BOMBING = 12  # squadrons the admiral aims in one strike (22.46)
MOST_MODIFIER = 10  # beyond it every throw reads the last column


def _cells(most: int, result: object) -> Words:
    read = result  # a function of row and roll
    assert callable(read)
    return np.array([0] * COLUMNS + [read(row, roll) for row in range(1, most + 1) for roll in range(2, 13)], np.int32)


AIR_COMBAT_LOST = _cells(MOST_FIGHTING, lambda row, roll: CURRENT.air_combat.result(row, roll).eliminated)
AIR_COMBAT_ABORTED = _cells(MOST_FIGHTING, lambda row, roll: CURRENT.air_combat.result(row, roll).aborted)
AIR_DEFENSE_LOST = _cells(MOST_DEFENSE, lambda row, roll: CURRENT.air_defense.result(row, roll).eliminated)
AIR_DEFENSE_ABORTED = _cells(MOST_DEFENSE, lambda row, roll: CURRENT.air_defense.result(row, roll).aborted)
AIR_ATTACK_HITS = _cells(MOST_STRIKING, lambda row, roll: CURRENT.attack.read_air(row, roll).hits)

_LEVELS = [CURRENT.surprise.effects(level) for level in range(MOST_LEVEL + 1)]
SURPRISE_NO_BONUS = np.array([effects.patrol_bonus_lost for effects in _LEVELS], np.int32)
SURPRISE_DEFENSE = np.array([effects.air_defense for effects in _LEVELS], np.int32)
SURPRISE_BONUS = np.array([effects.attack_bonus for effects in _LEVELS], np.int32)
SURPRISE_FEWER = np.array([effects.fewer_defenders for effects in _LEVELS], np.int32)
SURPRISE_RESULTS = np.array([CURRENT.surprise.for_results(results) for results in range(MOST_RESULTS + 1)], np.int32)


# -- what bombs are worth to the admiral -----------------------------------------------------------

SHIP_STATES = 2 * (MOST_SIZE + 1) * (MOST_SIZE + 1)  # carrier or not; size; hits she has, or size if damaged
NUMBERS = MOST_BOMBING + 1  # how many squadrons: side by side


def ship_state(size: int, had: int, damaged: int, carrier: int) -> int:
    """Where among the states of BOMBING a ship stands: a damaged one is never short of sinking."""
    return (carrier * (MOST_SIZE + 1) + size) * (MOST_SIZE + 1) + (size if damaged else min(had, size - 1))


def _throws(squadrons: int, modifier: int) -> dict[int, int]:
    """By hits, in how many of 36 throws so many squadrons score them."""
    ways: dict[int, int] = {}
    for roll in range(2, 13):
        column = min(12, max(2, roll + modifier)) - 2
        hits = int(AIR_ATTACK_HITS[squadrons * COLUMNS + column])
        ways[hits] = ways.get(hits, 0) + PIPS[roll]
    return ways


def _worths() -> tuple[Words, Words]:
    modifiers = 2 * MOST_MODIFIER + 1
    ships = np.zeros((modifiers, SHIP_STATES, NUMBERS), np.int32)
    light = np.zeros((modifiers, MOST_AFLOAT + 1, NUMBERS), np.int32)
    for squadrons in range(NUMBERS):
        for row, modifier in enumerate(range(-MOST_MODIFIER, MOST_MODIFIER + 1)):
            throws = _throws(squadrons, modifier).items()
            for carrier in (0, 1):
                for size in range(1, MOST_SIZE + 1):
                    for had in range(size + 1):
                        damaged = int(had == size)
                        worth = sum(ways * ship_worth(hits, size, had, damaged, carrier) for hits, ways in throws)
                        ships[row, ship_state(size, had, damaged, carrier), squadrons] = worth
            for afloat in range(MOST_AFLOAT + 1):
                light[row, afloat, squadrons] = sum(ways * SUNK * min(afloat, hits) for hits, ways in throws)
    return ships.ravel(), light.ravel()


_SHIPS, _LIGHT = _worths()
BOMBING = np.concatenate((_SHIPS, _LIGHT))  # by modifier, then state or light factors afloat, then squadrons
LIGHT_BOMBING = len(_SHIPS)  # where light ships begin
# What to multiply a gain by, so that gains for each of 1, 2, ... squadrons can be compared as whole numbers.
_ALL_SHARES = lcm(*range(1, NUMBERS))
SHARES = np.array([0] + [_ALL_SHARES // squadrons for squadrons in range(1, NUMBERS)], np.int32)
