"""22.45 Search in a compiled battle: how many dice, what they find, and what the owner of a found group says."""

from __future__ import annotations

from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, segment
from flagplot.odds.kernel_dice import die
from flagplot.odds.kernel_groups import (
    encumbered,
    factors,
    fast_carriers,
    group_numbered,
    is_active,
    undamaged_factors,
)
from flagplot.odds.kernel_sets import lowest
from flagplot.odds.kernel_shore import air_search

MOST_SQUADRONS, PER_SQUADRON = CURRENT.search.most_squadrons, CURRENT.search.per_squadron
PER_ROUND = CURRENT.search.per_round
ACTIVE_FACTORS, MOST_ACTIVE = CURRENT.search.active_group_factors, CURRENT.search.most_active_groups
PER_ACTIVE = CURRENT.search.per_active_group
MOST_DISTANT, PER_DISTANT = CURRENT.search.most_distant_carrier_groups, CURRENT.search.per_distant_carrier_group
DISCLOSED_UNDER = CURRENT.search.disclosed_under
NUMBER_BITS = 8  # more dice than these can count are never rolled


@jit
def _search_dice(s: Words, c: Words, side: int) -> int:
    """22.451. How many search dice a side rolls; never fewer than none (RC-21)."""
    dice = min(int(s[at.SEARCHING + side]), MOST_SQUADRONS) * PER_SQUADRON
    dice += int(c[at.SEARCH_ADVANTAGE + side]) + (int(s[at.ROUND]) - 1) * PER_ROUND
    active = distant = 0
    left = int(s[at.NUMBERS_USED + side])
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        near = is_active(s, group)
        active += near & (undamaged_factors(s, c, side, group) >= ACTIVE_FACTORS)
        distant += s[at.SCOUTS + group] * (not near)
    return max(0, dice + min(MOST_ACTIVE, active) * PER_ACTIVE + min(MOST_DISTANT, distant) * PER_DISTANT)


@jit
def _search(s: Words, c: Words, side: int) -> None:
    """22.452. One side's search: each die that shows the number of an enemy group is a result against it."""
    enemy = 1 - side
    shown = 0  # how many dice show each number, NUMBER_BITS for each
    for _ in range(_search_dice(s, c, side)):
        shown += 1 << NUMBER_BITS * die(s)
    results = 0
    left = int(s[at.NUMBERS_USED + enemy])
    while left:
        number = lowest(left)
        left &= left - 1
        found = (shown >> NUMBER_BITS * number) & ((1 << NUMBER_BITS) - 1)
        s[at.FOUND + group_numbered(s, enemy, number)] = found
        results += found
    s[at.SIDE_FOUND + enemy] = results


@segment
def search(s: Words, c: Words) -> None:
    """22.41E. Land-based air is assigned to search, and both sides roll."""
    air_search(s, c)
    _search(s, c, 0)
    _search(s, c, 1)


@segment
def disclosure(s: Words, c: Words) -> None:
    """22.41F. The owner of each found group says what he must (22.452B); of others nothing has been said this round."""
    for side in range(at.SIDES):
        results, seen = int(s[at.SIDE_FOUND + side]), int(s[at.CARRIERS_SEEN + side])
        left = int(s[at.NUMBERS_USED + side])
        while left:
            group = group_numbered(s, side, lowest(left))
            left &= left - 1
            found = int(s[at.FOUND + group] > 0)
            carriers = found * fast_carriers(s, c, side, group)
            s[at.DISCLOSED + group] = found
            s[at.DISCLOSED_UNDER_TEN + group] = found & (factors(s, c, side, group) < DISCLOSED_UNDER)
            s[at.DISCLOSED_CARRIERS + group] = carriers
            s[at.DISCLOSED_CARGO + group] = found & encumbered(s, group)
            results, seen = max(results, int(s[at.FOUND + group])), max(seen, carriers)
        s[at.SIDE_FOUND + side], s[at.CARRIERS_SEEN + side] = results, seen
