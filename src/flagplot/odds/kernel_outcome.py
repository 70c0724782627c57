"""What a compiled battle came to, as the row of numbers of outcomes.py (22.71), and many battles one after the other.

A plan says for each number of the row what it is of: an operation and its operands. The world the battle began from is
held beside it, because what was damaged or lost before is not counted again.
"""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf, many
from flagplot.odds.kernel_battle import play
from flagplot.odds.kernel_begin import begin_anew
from flagplot.odds.kernel_dice import set_dice
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_plan import (
    BOATS_LOST,
    CARGO_LOST,
    CARGO_THROUGH,
    DAMAGED,
    FACTORS_DAMAGED,
    FACTORS_SUNK,
    GONE,
    HIT,
    HURT,
    LIGHT_DAMAGED,
    LIGHT_SUNK,
    LINE_CUT,
    PLAN_WORDS,
    ROUNDS,
    SHIP,
    SQUADRONS_LOST,
    SUNK,
    TYPE_LOST,
    VICTOR,
    WHOLE,
)
from flagplot.odds.kernel_sets import size_of


@jit
def _is(wanted: int, found: int) -> bool:
    """Whether it is the one wanted; NONE wants any."""
    if wanted == NONE:
        return True
    return bool(wanted == found)


@leaf
def _ship(s: Words, before: Words, side: int, place: int) -> int:
    """What became of the ship of a side that stands at this place in its sets."""
    sunk = (s[at.SUNK_SHIPS + side] >> place) & 1
    damaged = ((s[at.DAMAGED_SHIPS + side] & ~before[at.DAMAGED_SHIPS + side]) >> place) & 1
    hit = (s[at.HIT_SHIPS + side] >> place) & 1
    return int(max(SUNK * sunk, max(DAMAGED * damaged, HIT * hit)))


@jit
def _light_damaged(s: Words, before: Words, c: Words, side: int, nation: int) -> int:
    """Cruisers damaged since and still afloat, of a nation, or of all; damaged ones that were sunk make up for others of
    their nation, which has one kind of them."""
    number = 0
    for kind in range(side * at.MOST_LIGHT, side * at.MOST_LIGHT + c[at.LIGHT_COUNT + side]):
        if c[at.LIGHT_STATE + kind] == at.DAMAGED and _is(nation, c[at.LIGHT_NATION + kind]):
            number += max(0, s[at.HURT_LIGHT + kind] - s[at.SUNK_LIGHT + kind] + before[at.SUNK_LIGHT + kind])
    return number


@jit
def _light_sunk(s: Words, before: Words, c: Words, side: int, nation: int, type: int) -> int:
    """Light ships sunk since, of a nation and a type."""
    number = 0
    for kind in range(side * at.MOST_LIGHT, side * at.MOST_LIGHT + c[at.LIGHT_COUNT + side]):
        if c[at.LIGHT_NATION + kind] == nation and c[at.LIGHT_TYPE + kind] == type:
            number += s[at.SUNK_LIGHT + kind] - before[at.SUNK_LIGHT + kind]
    return number


@jit
def _factors_sunk(s: Words, before: Words, c: Words, side: int) -> int:
    """Naval factors sunk since, a transport counting one (AM-02)."""
    number = size_of(c, side, s[at.SUNK_SHIPS + side] & ~before[at.SUNK_SHIPS + side])
    for kind in range(side * at.MOST_LIGHT, side * at.MOST_LIGHT + c[at.LIGHT_COUNT + side]):
        number += max(1, c[at.LIGHT_FACTORS + kind]) * (s[at.SUNK_LIGHT + kind] - before[at.SUNK_LIGHT + kind])
    return number


@jit
def _factors_damaged(s: Words, before: Words, c: Words, side: int) -> int:
    ships = s[at.DAMAGED_SHIPS + side] & ~before[at.DAMAGED_SHIPS + side] & ~s[at.SUNK_SHIPS + side]
    return size_of(c, side, ships) + 2 * _light_damaged(s, before, c, side, NONE)


@jit
def _air_lost(s: Words, before: Words, c: Words, side: int, type: int) -> int:
    """Squadrons lost since, of a type, or all."""
    number = 0
    for key in range(side * at.MOST_KEYS, side * at.MOST_KEYS + c[at.KEY_COUNT + side]):
        if _is(type, c[at.KEY_TYPE + key]):
            number += s[at.AIR_LOST + key] - before[at.AIR_LOST + key]
    return number


@jit
def _boats_lost(s: Words, before: Words, c: Words, side: int) -> int:
    number = 0
    for boat in range(side * at.MOST_BOATS, side * at.MOST_BOATS + c[at.BOAT_COUNT + side]):
        number += s[at.BOATS_LOST + boat] - before[at.BOATS_LOST + boat]
    return number


@jit
def _cargo_left(s: Words, c: Words, side: int) -> int:
    """What is lost needs nothing."""
    number = 0
    for cargo in range(side * at.MOST_CARGO, side * at.MOST_CARGO + c[at.CARGO_COUNT + side]):
        number += s[at.CARGO_NEEDS + cargo]
    return number


@jit
def _group(s: Words, before: Words, c: Words, side: int, group: int, units: int) -> int:
    """What became of a group; groups that became one are as that one is (22.421B)."""
    whole = int(s[at.GROUP_TAKEN + group])
    if whole == 0:
        whole = group
    if units == 0:
        return GONE if s[at.LINE_CUT + side] else WHOLE
    there, ships, other = units, int(before[at.GROUP_SHIPS + whole]), int(s[at.GROUP_TAKES + whole])
    if other != 0:
        there = _units(before, c, side, whole) + _units(before, c, side, other)
        ships |= int(before[at.GROUP_SHIPS + other])
    lost = int(s[at.GROUP_LOST + whole])
    if lost == there:
        return GONE
    return HURT if lost > 0 or s[at.GROUP_HURT + whole] or ships & s[at.HIT_SHIPS + side] else WHOLE


@jit
def _units(s: Words, c: Words, side: int, group: int) -> int:
    """The naval factors of a group, transports as one each."""
    number = size_of(c, side, s[at.GROUP_SHIPS + group])
    counts = at.GROUP_LIGHT + group
    for i in range(s[counts]):
        number += max(1, c[at.LIGHT_FACTORS + s[counts + 1 + 2 * i]]) * s[counts + 2 + 2 * i]
    return number


@leaf
def _number(s: Words, before: Words, c: Words, operation: int, side: int, one: int, two: int) -> int:
    """One number of the row."""
    if operation == VICTOR:
        return 0 if s[at.VICTOR] == NONE else one if s[at.VICTOR] == 0 else two
    if operation == ROUNDS:
        return int(s[at.ROUND])
    if operation == FACTORS_SUNK:
        return _factors_sunk(s, before, c, side)
    if operation == FACTORS_DAMAGED:
        return _factors_damaged(s, before, c, side)
    if operation == SQUADRONS_LOST:
        return _air_lost(s, before, c, side, NONE)
    if operation == TYPE_LOST:
        return _air_lost(s, before, c, side, one)
    if operation == BOATS_LOST:
        return _boats_lost(s, before, c, side)
    if operation == CARGO_LOST:
        return _cargo_left(before, c, side) - _cargo_left(s, c, side)
    if operation == CARGO_THROUGH:
        return 0 if (s[at.LOSERS] >> side) & 1 else _cargo_left(s, c, side) - one
    if operation == LINE_CUT:
        return int(s[at.LINE_CUT + side])
    if operation == SHIP:
        return _ship(s, before, side, one)
    if operation == LIGHT_SUNK:
        return _light_sunk(s, before, c, side, one, two)
    if operation == LIGHT_DAMAGED:
        return _light_damaged(s, before, c, side, one)
    return _group(s, before, c, side, one, two)


@many
def fight_many(
    before: Words, s: Words, c: Words, plan: Words, rows: Words, seed: int, first: int, battles: int
) -> None:
    """Battles from the number `first` on, each from the same world, each a row of numbers. A battle that was broken off
    has -1 for its victor."""
    numbers = len(plan) // PLAN_WORDS
    for battle in range(battles):
        begin_anew(s, before, c)
        set_dice(s, seed, first + battle, 0)
        play(s, c)
        for i in range(numbers):
            p = i * PLAN_WORDS
            value = _number(s, before, c, plan[p], plan[p + 1], plan[p + 2], plan[p + 3])
            rows[battle * numbers + i] = min(value, plan[p + 4])
        if s[at.BROKEN_OFF]:
            rows[battle * numbers] = NONE
