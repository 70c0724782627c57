"""22.34, 22.442, 23.13 and 23.2 compiled: army air broken down, air cover, air search.

The admiral breaks down all army air within reach, and covers the group worth most with all that can do nothing else.
"""

from __future__ import annotations

from flagplot.doctrine import flying
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf, segment
from flagplot.odds.kernel_air_sight import best_own_group
from flagplot.odds.kernel_groups import doctrine_of, forced, group_numbered
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import held, put, take

ROLES = 3  # to search, to cover, to attack

searching = jit(flying.searching)
searches_later = jit(flying.searches_later)


@jit
def break_down(s: Words, c: Words, side: int) -> None:
    """23.131. All army air factors of bases within reach become three squadrons each."""
    for i in range(c[at.BASE_COUNT + side]):
        base = side * at.MOST_BASES + i
        factors = at.BASE_FACTORS + base * at.BASE_WORDS
        if s[factors] == 0 or not c[at.BASE_REACH + base]:
            continue
        for f in range(c[at.FACTOR_COUNT + side]):
            factor = side * at.MOST_FACTOR_KINDS + f
            number = held(s, factors, factor)
            if number and c[at.FACTOR_ARMY + factor]:
                take(s, factors, factor, number)
                for role in range(ROLES):
                    key = c[at.FACTOR_KEYS + (factor * at.MOST_BASES + i) * ROLES + role]
                    put(s, at.BASE_SQUADRONS + base * at.BASE_WORDS, key, number)


@leaf
def in_reach(s: Words, c: Words, base: int) -> int:
    """22.442. How many kinds of squadrons stand at a base, if it is within reach of the battle; their keys and numbers are
    the entries of its map."""
    return int(s[at.BASE_SQUADRONS + base * at.BASE_WORDS]) if c[at.BASE_REACH + base] else 0


@leaf
def free(s: Words, base: int, i: int) -> int:
    """23.161. Of the squadrons of one kind at a base, how many have no role yet this round."""
    entry = at.BASE_SQUADRONS + base * at.BASE_WORDS + 1 + 2 * i
    return int(s[entry + 1]) - held(s, at.BASE_USED + base * at.BASE_WORDS, s[entry])


@jit
def _covered(s: Words, c: Words, side: int) -> int:
    """The group the admiral covers, or the one he is told to."""
    number = forced(s, c, at.FORCED_COVER, side)
    return group_numbered(s, side, number) if number != NONE else best_own_group(s, c, side)


@jit
def assign_cover(s: Words, c: Words, side: int) -> None:
    """22.4421. All cover squadrons over one group; naval air ashore is kept to search and strike."""
    group = NONE
    for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
        for i in range(in_reach(s, c, base)):
            key = s[at.BASE_SQUADRONS + base * at.BASE_WORDS + 1 + 2 * i]
            if c[at.KEY_KIND + key] == at.AAS and c[at.KEY_STATE + key] == at.FOR_COVER:
                number = free(s, base, i)
                if number > 0:
                    if group == NONE:
                        group = _covered(s, c, side)
                    if group == NONE:
                        return
                    put(s, at.GROUP_COVER + group, key, number)
                    put(s, at.BASE_USED + base * at.BASE_WORDS, key, number)


@jit
def assign_air_search(s: Words, c: Words, side: int) -> None:
    """22.4422. Search squadrons first, then naval air, as many as add dice."""
    wanted = doctrine_of(c, side).searching
    left = wanted
    for turn in range(2):
        for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
            for i in range(in_reach(s, c, base)):
                key = s[at.BASE_SQUADRONS + base * at.BASE_WORDS + 1 + 2 * i]
                army = c[at.KEY_KIND + key] == at.AAS
                able = c[at.KEY_STATE + key] == at.FOR_SEARCH if army else c[at.KEY_KIND + key] == at.NAS
                if able and searches_later(1 if army else 0) == turn:
                    number = searching(left, free(s, base, i))
                    left -= number
                    put(s, at.BASE_USED + base * at.BASE_WORDS, key, number)
    s[at.SEARCHING + side] = wanted - left


@segment
def air_cover(s: Words, c: Words) -> None:
    """22.41D. Army air is broken down, and land-based air assigned to cover."""
    for side in range(at.SIDES):
        break_down(s, c, side)
    for side in range(at.SIDES):
        assign_cover(s, c, side)


@jit
def air_search(s: Words, c: Words) -> None:
    """22.4422. Before both sides roll: what was left whole is broken down, and land-based air is assigned to search."""
    for side in range(at.SIDES):
        break_down(s, c, side)
        assign_air_search(s, c, side)
