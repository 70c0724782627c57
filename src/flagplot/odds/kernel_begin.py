"""How a compiled battle begins: as its template is, of which it copies what there is (22.3)."""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_sets import lowest


@leaf
def _copy_block(s: Words, before: Words, first: int, words: int) -> None:
    """Many words: a loop that begins with 0 becomes one copying of a block."""
    for word in range(words):
        s[first + word] = before[first + word]


@leaf
def _copy_few(s: Words, before: Words, first: int, words: int) -> None:
    """Few words, or none."""
    for word in range(first, first + words):
        s[word] = before[word]


@leaf
def _copy_map(s: Words, before: Words, where: int) -> None:
    """A map and its entries."""
    _copy_few(s, before, where, 1 + 2 * before[where])


@jit
def begin_anew(s: Words, before: Words, c: Words) -> None:
    """A battle is once more as its template: single numbers, groups, wings of carriers, air bases."""
    _copy_block(s, before, 0, at.SHIP_HITS)
    for side in range(at.SIDES):
        _copy_few(s, before, at.SHIP_HITS + side * at.MOST_SHIPS, c[at.SHIP_COUNT + side])
        _copy_few(s, before, at.CARGO_NEEDS + side * at.MOST_CARGO, c[at.CARGO_COUNT + side])
        for kind in range(side * at.MOST_LIGHT, side * at.MOST_LIGHT + c[at.LIGHT_COUNT + side]):
            s[at.SUNK_LIGHT + kind] = before[at.SUNK_LIGHT + kind]
            s[at.WITHDRAWN_LIGHT + kind] = before[at.WITHDRAWN_LIGHT + kind]
            s[at.HURT_LIGHT + kind] = before[at.HURT_LIGHT + kind]
            s[at.NEWLY_LIGHT + kind] = before[at.NEWLY_LIGHT + kind]
        for boat in range(side * at.MOST_BOATS, side * at.MOST_BOATS + c[at.BOAT_COUNT + side]):
            s[at.BOATS + boat] = before[at.BOATS + boat]
            s[at.BOATS_SPENT + boat] = before[at.BOATS_SPENT + boat]
            s[at.BOATS_LOST + boat] = before[at.BOATS_LOST + boat]
        _copy_few(s, before, at.ELSEWHERE + side * at.MOST_PLACES, c[at.PLACE_COUNT + side])
        for slot in range(side * at.MOST_SLOTS, side * at.MOST_SLOTS + c[at.GROUP_COUNT + side]):
            group = at.GROUPS + slot * at.GROUP_WORDS
            _copy_block(s, before, group, at.GROUP_PATROL)
            _copy_map(s, before, at.GROUP_PATROL + group)
            _copy_map(s, before, at.GROUP_COVER + group)
            _copy_map(s, before, at.GROUP_LIGHT + group)
        _begin_air(s, before, c, side)


@leaf
def _begin_air(s: Words, before: Words, c: Words, side: int) -> None:
    """The aircraft of a side."""
    _copy_few(s, before, at.AIR_LOST + side * at.MOST_KEYS, c[at.KEY_COUNT + side])
    _copy_map(s, before, at.ALOFT + side * at.DECK_MAP)
    _copy_map(s, before, at.PATROL_LEFT + side * at.DECK_MAP)
    left = int(c[at.CARRIER_SHIPS + side])
    while left:
        _copy_map(s, before, at.WING + (side * at.MOST_SHIPS + lowest(left)) * at.WING_MAP)
        left &= left - 1
    for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
        for i in range(at.BASE_MAPS):
            _copy_map(s, before, at.BASES + base * at.BASE_WORDS + i * at.BASE_MAP)
