"""The admiral's policies: plain integer functions of a Sight. Small enough to argue with, and to compile."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.doctrine.sight import Sight

LADEN = 100  # the rank from which a group carries cargo
LONG_BATTLE = 8  # rounds after which an even fight is not worth going on with


def evades(sight: Sight) -> bool:
    """Slip away when carriers or cargo would be brought under guns that matter; a line of battle stands and fights."""
    return bool(sight.group_carriers or sight.group_laden) and 2 * sight.target_guns >= sight.group_guns


def engages(sight: Sight) -> bool:
    """Seek a second fight only with guns to spare, and never with carriers or cargo along."""
    return not sight.group_carriers and not sight.group_laden and 4 * sight.group_guns >= 5 * sight.target_guns


def withdraws(sight: Sight) -> bool:
    """Break off when outmatched two to one and more, or when a long battle goes nowhere. A squadron is worth two guns."""
    own, enemy = sight.own_guns + 2 * sight.own_air, sight.enemy_guns + 2 * sight.enemy_air
    if enemy > 2 * own + 6 or sight.round >= 3 * LONG_BATTLE:
        return True
    return sight.round >= LONG_BATTLE and 4 * own < 5 * enemy


def group_number_rank(sight: Sight) -> int:
    """How soon a group should fight: low numbers for guns, high ones for carriers and cargo."""
    return LADEN * sight.group_laden + 50 * (sight.group_carriers > 0) - sight.group_guns


def screens_weaker(weaker: int, all_light: int) -> bool:
    """Put light ships of a lower DRM behind the screen when they are few: their factors are worth less than the DRM."""
    return 0 < 5 * weaker <= all_light


def light_ships_worth_firing_at(firing: int, enemy: int) -> bool:
    """Light ships fire at light ships while those could absorb the hits: about one for every four factors."""
    return 4 * enemy >= firing


def patrols(most: int, round: int, carriers_seen: int, shore_air: int) -> int:
    """How many squadrons fly patrol over a group with carriers, the others being free to strike: two against carriers
    or strong land-based air, and in the first round, when nothing is known; else none."""
    return min(2, most) if carriers_seen or shore_air > 4 or round == 1 else 0


def group_worth(carriers: int, guns: int, laden: int) -> int:
    """How much a group is worth striking, or covering: carriers above all, then cargo, then guns."""
    return 12 * carriers + 8 * laden + guns


PIPS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # ways of rolling each sum of two dice
HIT, CRIPPLED, SUNK, DECK = 3, 5, 8, 6  # worth of a hit; of each factor damaged or sunk; of a flight deck put out


def ship_worth(hits: int, size: int, had: int, damaged: int, carrier: int) -> int:
    """What so many new hits on a ship are worth."""
    if hits and (damaged or had + hits >= size):
        return SUNK * size - (CRIPPLED * size if damaged else 0) + DECK * carrier * (1 - damaged)
    if had + hits >= size - 1 and not damaged:
        return CRIPPLED * size + DECK * carrier
    return HIT * hits


def bombing_worth(
    squadrons: int, modifier: int, size: int, had: int, damaged: int, carrier: int, hits: Callable[[int, int], int]
) -> int:
    """What so many squadrons on one ship are worth, over all 36 throws. `hits` reads the Naval Attack Table."""
    return sum(
        PIPS[roll] * ship_worth(hits(squadrons, roll + modifier), size, had, damaged, carrier) for roll in range(2, 13)
    )


def light_bombing_worth(squadrons: int, modifier: int, afloat: int, hits: Callable[[int, int], int]) -> int:
    """What so many squadrons on light ships are worth: every hit sinks a factor, as long as there are any."""
    return sum(PIPS[roll] * SUNK * min(afloat, hits(squadrons, roll + modifier)) for roll in range(2, 13))


def target_worth(size: int, hits: int, damaged: int) -> int:
    """How much a capital ship is worth firing at: she that is nearest to sinking, then the larger."""
    return 10 * hits + 20 * damaged + size
