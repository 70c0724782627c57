"""A doctrine: the numbers the admiral's policies go by (22.43, 22.46, 22.52, 22.54, 22.61). The law here is only ours.

All are whole numbers, so that bots and compiled battles reckon alike; ratios are per cent. The defaults are the admiral's.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.errors import PlayerError


class Doctrine(NamedTuple):
    """How a side fights. A squadron that can attack ships is worth so many guns; guns are undamaged factors."""

    evade_percent: int = 50  # carriers and cargo evade an enemy with this part of their own guns, or more
    engage_percent: int = 125  # a second fight is sought with this part of the enemy's guns, or more
    withdraw_percent: int = 200  # break off when the enemy has more than this part of our strength
    withdraw_margin: int = 6  # and so many guns beside
    long_battle: int = 8  # rounds after which an even fight is not worth going on with
    long_battle_percent: int = 125  # go on then only with this part of the enemy's strength
    last_round: int = 24  # and nobody goes on after this one
    squadron_guns: int = 2  # what a squadron is worth in guns
    hidden_guns: int = 6  # what a group nobody has seen is taken to have
    small_guns: int = 4  # and one that is known to be under ten factors
    carrier_air: int = 3  # squadrons a carrier of unknown size is taken to have
    screen_percent: int = 20  # light ships of a lower DRM are screened if they are at most this part of all
    light_fire_percent: int = 25  # light ships fire at light ships that are at least this part of their number
    patrol: int = 2  # squadrons on patrol over a group with carriers
    patrol_always_until: int = 1  # fly it whatever is known, up to this round
    shore_air_feared: int = 4  # more land-based squadrons than this call for patrols as carriers do
    searching: int = 3  # land-based squadrons that search
    strike: int = 12  # squadrons in a strike
    carrier_worth: int = 12  # what a carrier makes a group worth striking or covering, in guns
    cargo_worth: int = 8  # and what cargo does


MOST = {"strike": 12, "searching": 12, "last_round": 50}  # beyond these a number means nothing
MOST_NUMBER = 10_000


def checked(numbers: dict[str, int]) -> Doctrine:
    """A doctrine from its numbers by name, the others as the admiral has them; a PlayerError says what cannot be."""
    for name, value in numbers.items():
        if name not in Doctrine._fields:
            raise PlayerError(f"a doctrine has no number {name!r}; it has {', '.join(Doctrine._fields)}")
        if type(value) is not int or not 0 <= value <= MOST.get(name, MOST_NUMBER):
            raise PlayerError(
                f"{name} of a doctrine is a whole number from 0 to {MOST.get(name, MOST_NUMBER)}, not {value!r}"
            )
    return Doctrine(**numbers)
