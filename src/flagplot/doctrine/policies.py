"""The admiral's policies: plain integer functions of a Sight. Small enough to argue with, and to compile."""

from __future__ import annotations

from flagplot.doctrine.sight import Sight

LONG_BATTLE = 8  # rounds after which an even fight is not worth going on with


def evades(sight: Sight) -> bool:
    """Slip away when outgunned, or when carriers or cargo would be brought under guns."""
    if sight.group_carriers or sight.group_laden:
        return 2 * sight.target_guns >= sight.group_guns
    return sight.target_guns > sight.group_guns


def engages(sight: Sight) -> bool:
    """Seek a second fight only with guns to spare, and never with carriers or cargo along."""
    return not sight.group_carriers and not sight.group_laden and 4 * sight.group_guns >= 5 * sight.target_guns


def withdraws(sight: Sight) -> bool:
    """Break off when outgunned two to one and more, or when a long battle goes nowhere."""
    if sight.enemy_guns > 2 * sight.own_guns + 6 or sight.round >= 3 * LONG_BATTLE:
        return True
    return sight.round >= LONG_BATTLE and 4 * sight.own_guns < 5 * sight.enemy_guns


def group_number_rank(sight: Sight) -> int:
    """How soon a group should fight: low numbers for guns, high ones for carriers and cargo."""
    return 100 * sight.group_laden + 50 * (sight.group_carriers > 0) - sight.group_guns


def screens_capital_ship(hits: int, size: int, line: int) -> bool:
    """Put a capital ship behind the screen when one more hit would damage her and others can hold the line."""
    return hits > 0 and hits >= size - 2 and line > 1


def target_worth(size: int, hits: int, damaged: int) -> int:
    """How much a capital ship is worth firing at: she that is nearest to sinking, then the larger."""
    return 10 * hits + 20 * damaged + size
