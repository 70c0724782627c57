"""22.46 and 23.7 compiled: who strikes first, what flies, surprise, and one strike after another; then all land.

The largest strike that may fly goes to the group worth most, the elite first; while surprise is possible, by carriers
alone.
"""

from __future__ import annotations

from flagplot.doctrine import flying
from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, segment
from flagplot.odds.kernel_air_losses import AFTER_LOSSES
from flagplot.odds.kernel_air_sight import best_to_strike
from flagplot.odds.kernel_air_tables import MOST_LEVEL, MOST_RESULTS, SURPRISE_RESULTS
from flagplot.odds.kernel_dice import die
from flagplot.odds.kernel_groups import doctrine_of, group_numbered
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import put, sort_map, take_at
from flagplot.odds.kernel_patrol import land
from flagplot.odds.kernel_sets import lowest, ready_carriers
from flagplot.odds.kernel_shore import break_down, free, in_reach
from flagplot.odds.kernel_strike import air_strike

# 23.73: squadrons with an air DRM below this, at most so many in one strike.
(BELOW_ONE, MOST_ONE), (BELOW_TWO, MOST_TWO), (BELOW_THREE, MOST_THREE) = CURRENT.strike_limits
LOW_ONE = AFTER_LOSSES  # how many of those fly so far, like the next two
LOW_TWO = LOW_ONE + 1
LOW_THREE = LOW_TWO + 1
RADAR_LINE = CURRENT.surprise.radar

striking = jit(flying.striking)
strikes_later = jit(flying.strikes_later)


@jit
def _may_join(s: Words, c: Words, key: int, wanted: int) -> int:
    """23.73. Of squadrons of a kind, how many may fly with those that do so far; they are counted."""
    drm = c[at.KEY_DRM + key]
    number = wanted
    if drm < BELOW_ONE:
        number = min(number, MOST_ONE - s[LOW_ONE])
    if drm < BELOW_TWO:
        number = min(number, MOST_TWO - s[LOW_TWO])
    if drm < BELOW_THREE:
        number = min(number, MOST_THREE - s[LOW_THREE])
    if drm < BELOW_ONE:
        s[LOW_ONE] += number
    if drm < BELOW_TWO:
        s[LOW_TWO] += number
    if drm < BELOW_THREE:
        s[LOW_THREE] += number
    return number


@jit
def _from_decks(s: Words, c: Words, side: int, left: int, turn: int) -> int:
    """23.74. Naval air takes off, those of this turn; how many more may fly."""
    groups, empty = int(s[at.NUMBERS_USED + side]), 0
    while groups and left > 0:
        ships = ready_carriers(s, side, group_numbered(s, side, lowest(groups)))
        groups &= groups - 1
        while ships and left > 0:
            place = lowest(ships)
            ships &= ships - 1
            wing = at.WING + (side * at.MOST_SHIPS + place) * at.WING_MAP
            i = 0
            while i < s[wing]:
                key, amount = s[wing + 1 + 2 * i], s[wing + 2 + 2 * i]
                flown = 0
                if strikes_later(1 if c[at.KEY_STATE + key] == at.ELITE else 0) == turn:
                    flown = _may_join(s, c, key, striking(left, amount))
                    put(s, at.STRIKE_SQUADRONS, key, flown)
                    left -= flown
                    take_at(s, wing, i, flown)
                if flown < amount:
                    i += 1
            empty |= int(s[wing] == 0) << place
    s[at.READY_CARRIERS + side] &= ~empty
    return left


@jit
def _any_on_deck(s: Words, side: int) -> bool:
    """22.441. Whether any naval air can take off."""
    carriers = 0
    groups = int(s[at.NUMBERS_USED + side])
    while groups:
        carriers |= ready_carriers(s, side, group_numbered(s, side, lowest(groups)))
        groups &= groups - 1
    return carriers != 0


@jit
def may_attack(c: Words, key: int) -> bool:
    """23.11. Whether land-based squadrons may attack ships: army squadrons for it, naval air, kamikazes."""
    kind = c[at.KEY_KIND + key]
    return bool(kind == at.NAS or kind == at.KAM or (kind == at.AAS and c[at.KEY_STATE + key] == at.FOR_ATTACK))


@jit
def _from_bases(s: Words, c: Words, side: int, left: int, turn: int) -> int:
    """23.75. Land-based air takes off, those of this turn; how many more may fly."""
    for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
        for i in range(in_reach(s, c, base)):
            key = s[at.BASE_SQUADRONS + base * at.BASE_WORDS + 1 + 2 * i]
            if may_attack(c, key) and strikes_later(1 if c[at.KEY_STATE + key] == at.ELITE else 0) == turn:
                flown = _may_join(s, c, key, striking(left, free(s, base, i)))
                put(s, at.STRIKE_SQUADRONS, key, flown)
                put(s, at.BASE_USED + base * at.BASE_WORDS, key, flown)
                left -= flown
    return left


@jit
def _launch(s: Words, c: Words, side: int, group: int) -> bool:
    """22.462, 23.74. The largest strike that may fly on a group; whether anybody does."""
    surprise = s[at.STRIKES + side] == 0 and s[at.SIDE_FOUND + side] == 0
    ashore = not surprise or not _any_on_deck(s, side)
    left = doctrine_of(c, side).strike
    s[at.STRIKE_SQUADRONS] = s[LOW_ONE] = s[LOW_TWO] = s[LOW_THREE] = 0
    for turn in range(0 if c[at.ELITE_KEYS + side] else 1, 2):
        if c[at.CARRIERS + side]:
            left = _from_decks(s, c, side, left, turn)
        if ashore:
            left = _from_bases(s, c, side, left, turn)
    if s[at.STRIKE_SQUADRONS] == 0:
        return False
    sort_map(s, at.STRIKE_SQUADRONS)
    by_land, by_carrier = False, False
    for i in range(s[at.STRIKE_SQUADRONS]):
        if c[at.KEY_BASE + s[at.STRIKE_SQUADRONS + 1 + 2 * i]] == NONE:
            by_carrier = True
        else:
            by_land = True
    if by_carrier:
        s[at.CARRIERS_SEEN + side] = max(s[at.CARRIERS_SEEN + side], 1)
    s[at.STRIKES + side] += 1
    s[at.SPENT + group] += 1
    s[at.ATTACKED + group] = 1
    s[at.STRIKE_SIDE] = side
    s[at.STRIKE_GROUP] = group
    s[at.STRIKE_SURPRISE] = 1 if surprise and not by_land else 0
    return True


@jit
def _surprise(s: Words, c: Words, side: int, group: int) -> int:
    """23.7412. One die, better for search results on this group, worse for the defender's radar; below 1 is nothing."""
    results = SURPRISE_RESULTS[min(MOST_RESULTS, s[at.FOUND + group])]
    return int(min(MOST_LEVEL, max(0, die(s) + results + RADAR_LINE * c[at.RADAR + 1 - side])))


@jit
def _results(s: Words, side: int) -> int:
    """22.452. The search results a side has."""
    number = 0
    left = int(s[at.NUMBERS_USED + 1 - side])
    while left:
        number += s[at.FOUND + group_numbered(s, 1 - side, lowest(left))]
        left &= left - 1
    return int(number)


@jit
def first_to_strike(s: Words) -> int:
    """22.461B. The side with more search results strikes first; the intercepting side if equal."""
    return 1 if _results(s, 1) > _results(s, 0) else 0


@jit
def _strikes_of(s: Words, c: Words, side: int) -> None:
    """22.461. A side flies its strikes, one for each search result, as long as it has aircraft."""
    while True:
        group = best_to_strike(s, c, side)
        if group == NONE:
            return
        break_down(s, c, side)
        if not _launch(s, c, side, group):
            return
        s[at.STRIKE_LEVEL] = _surprise(s, c, side, group) if s[at.STRIKE_SURPRISE] else 0
        air_strike(s, c)


@segment
def air_strikes(s: Words, c: Words) -> None:
    """22.41G. Strikes, one by one; then all naval air lands."""
    if not c[at.AIRCRAFT]:
        return
    first = first_to_strike(s)
    _strikes_of(s, c, first)
    _strikes_of(s, c, 1 - first)
    for side in range(at.SIDES):
        land(s, c, side)
