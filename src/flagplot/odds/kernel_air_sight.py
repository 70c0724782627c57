"""What groups are worth to the admiral (doctrine/flying.py), compiled: which he covers, strikes and torpedoes (22.44, 22.462)."""

from __future__ import annotations

from flagplot.doctrine import flying
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit
from flagplot.odds.kernel_groups import doctrine_of, encumbered, fast_carriers, group_numbered, guns, known_guns
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_sets import lowest

worth_as_known = jit(flying.worth_as_known)


@jit
def own_worth(s: Words, c: Words, side: int, group: int) -> int:
    """What a group of its own is worth to a side."""
    laden = 1 if encumbered(s, group) else 0
    carriers, strength = fast_carriers(s, c, side, group), guns(s, c, side, group)
    return worth_as_known(0, carriers, strength, laden, 0, 0, 0, doctrine_of(c, side))


@jit
def enemy_worth(s: Words, c: Words, side: int, group: int) -> int:
    """What an enemy group is worth to a side: by what it holds if it was shown, else by what was said of it."""
    doctrine = doctrine_of(c, side)
    strength = known_guns(s, c, 1 - side, group, doctrine)
    if s[at.GROUP_REVEALED + group]:
        laden = 1 if encumbered(s, group) else 0
        return worth_as_known(0, fast_carriers(s, c, 1 - side, group), strength, laden, 0, 0, 0, doctrine)
    carriers, cargo = int(s[at.DISCLOSED_CARRIERS + group]), int(s[at.DISCLOSED_CARGO + group])
    return worth_as_known(1, 0, strength, 0, int(s[at.DISCLOSED + group]), carriers, cargo, doctrine)


@jit
def best_own_group(s: Words, c: Words, side: int) -> int:
    """22.4421. The group of a side that is worth most, or NONE."""
    best, most = NONE, 0
    left = int(s[at.NUMBERS_USED + side])
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        value = own_worth(s, c, side, group)
        if best == NONE or value > most:
            best, most = group, value
    return best


@jit
def best_to_strike(s: Words, c: Words, side: int) -> int:
    """22.462. Of the enemy's groups that may still be struck the one worth most, or NONE."""
    found = 0
    left = int(s[at.NUMBERS_USED + 1 - side])
    while left:
        number = lowest(left)
        left &= left - 1
        group = group_numbered(s, 1 - side, number)
        found |= int(s[at.FOUND + group] > s[at.SPENT + group]) << number
    if found == 0:
        return NONE
    best = group_numbered(s, 1 - side, lowest(found))
    found &= found - 1
    if found == 0:
        return best
    most = enemy_worth(s, c, side, best)
    while found:
        group = group_numbered(s, 1 - side, lowest(found))
        found &= found - 1
        value = enemy_worth(s, c, side, group)
        if value > most:
            best, most = group, value
    return best
