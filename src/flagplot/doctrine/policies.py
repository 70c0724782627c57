"""The admiral's policies: plain integer functions of a Sight and a Doctrine. Small enough to argue with, and to compile."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import Sight

LADEN = 100  # the rank from which a group carries cargo


def evades(sight: Sight, doctrine: Doctrine) -> bool:
    """Slip away when carriers or cargo would be brought under guns that matter; a line of battle stands and fights."""
    if not sight.group_carriers and not sight.group_laden:
        return False
    return 100 * sight.target_guns >= doctrine.evade_percent * sight.group_guns


def engages(sight: Sight, doctrine: Doctrine) -> bool:
    """Seek a second fight only with guns to spare, and never with carriers or cargo along."""
    if sight.group_carriers or sight.group_laden:
        return False
    return 100 * sight.group_guns >= doctrine.engage_percent * sight.target_guns


def withdraws(sight: Sight, doctrine: Doctrine) -> bool:
    """Break off when outmatched, or when a long battle goes nowhere. A squadron is worth some guns."""
    own = sight.own_guns + doctrine.squadron_guns * sight.own_air
    enemy = sight.enemy_guns + doctrine.squadron_guns * sight.enemy_air
    if 100 * (enemy - doctrine.withdraw_margin) > doctrine.withdraw_percent * own or sight.round >= doctrine.last_round:
        return True
    return sight.round >= doctrine.long_battle and 100 * own < doctrine.long_battle_percent * enemy


def group_number_rank(sight: Sight) -> int:
    """How soon a group should fight: low numbers for guns, high ones for carriers and cargo."""
    return LADEN * sight.group_laden + 50 * (sight.group_carriers > 0) - sight.group_guns


def screens_weaker(weaker: int, all_light: int, doctrine: Doctrine) -> bool:
    """Put light ships of a lower DRM behind the screen when they are few: their factors are worth less than the DRM."""
    return 0 < 100 * weaker <= doctrine.screen_percent * all_light


def light_ships_worth_firing_at(firing: int, enemy: int, doctrine: Doctrine) -> bool:
    """Light ships fire at light ships while those could absorb the hits: about one for every four factors."""
    return 100 * enemy >= doctrine.light_fire_percent * firing


def patrols(most: int, round: int, carriers_seen: int, shore_air: int, doctrine: Doctrine) -> int:
    """How many squadrons fly patrol over a group with carriers, the others being free to strike: some against carriers
    or strong land-based air, and in the first round, when nothing is known; else none."""
    if carriers_seen or shore_air > doctrine.shore_air_feared or round <= doctrine.patrol_always_until:
        return min(doctrine.patrol, most)
    return 0


def screened_worth(carrier: int, damaged: int, hits: int, size: int) -> int:
    """How much a ship behind the screen is worth firing at: carriers first, then damaged ships, then by hits and size."""
    return 1_000_000 * carrier + 100_000 * damaged + 100 * hits + size


PIPS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # ways of rolling each sum of two dice
HIT, CRIPPLED, SUNK, DECK = 3, 5, 8, 6  # worth of a hit; of each factor damaged or sunk; of a flight deck put out


def ship_worth(hits: int, size: int, had: int, damaged: int, carrier: int, hit: int = HIT) -> int:
    """What so many new hits on a ship are worth; `hit` is what one is that does not damage her."""
    if hits and (damaged or had + hits >= size):
        return SUNK * size - (CRIPPLED * size if damaged else 0) + DECK * carrier * (1 - damaged)
    if had + hits >= size - 1 and not damaged:
        return CRIPPLED * size + DECK * carrier
    return hit * hits


def bombing_worth(
    squadrons: int,
    modifier: int,
    size: int,
    had: int,
    damaged: int,
    carrier: int,
    hits: Callable[[int, int], int],
    hit: int = HIT,
) -> int:
    """What so many squadrons on one ship are worth, over all 36 throws. `hits` reads the Naval Attack Table."""
    return sum(
        PIPS[roll] * ship_worth(hits(squadrons, roll + modifier), size, had, damaged, carrier, hit)
        for roll in range(2, 13)
    )


def light_bombing_worth(squadrons: int, modifier: int, afloat: int, hits: Callable[[int, int], int]) -> int:
    """What so many squadrons on light ships are worth: every hit sinks a factor, as long as there are any."""
    return sum(PIPS[roll] * SUNK * min(afloat, hits(squadrons, roll + modifier)) for roll in range(2, 13))


def mass(worth: Callable[[int], int], aimed: int, left: int) -> tuple[int, int]:
    """How many of the squadrons left, beside those aimed at a target already, are worth most there for each of them; and what
    they are worth together. Of equals the fewest: a large ship is worth nothing to one squadron and much to six."""
    before = worth(aimed)
    best, squadrons = worth(aimed + 1) - before, 1
    for number in range(2, left + 1):
        gain = worth(aimed + number) - before
        if gain * squadrons > best * number:
            best, squadrons = gain, number
    return best, squadrons


def target_worth(size: int, hits: int, damaged: int) -> int:
    """How much a capital ship is worth firing at: she that is nearest to sinking, then the larger."""
    return 10 * hits + 20 * damaged + size
