"""How a compiled battle begins: as its template is, of which it copies what there is (22.3).

A CPU copies whole blocks, which takes less time than asking what is in them; a thread of a GPU, whose memory is far away,
copies the words that are used and no others.
"""

from __future__ import annotations

from flagplot.odds import jit as making
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import GPU, Words, jit, leaf
from flagplot.odds.kernel_sets import lowest

IN_BLOCKS = making.how != GPU


@jit
def begin_anew(s: Words, before: Words, c: Words) -> None:
    """A battle is once more as its template: single numbers, groups, wings of carriers, air bases; engagements, where some
    are declared."""
    aircraft = c[at.KEY_COUNT] + c[at.KEY_COUNT + 1] > 0
    if IN_BLOCKS:
        _copy(s, before, 0, at.GROUPS if aircraft else at.AIR_LOST)
    else:
        _copy(s, before, 0, at.PENDING)
        _copy(s, before, at.AIR_LOST, at.GROUPS - at.AIR_LOST if aircraft else 0)
    for side in range(at.SIDES):
        if IN_BLOCKS:
            first = at.GROUPS + side * at.MOST_SLOTS * at.GROUP_WORDS
            _copy(s, before, first, c[at.GROUP_COUNT + side] * at.GROUP_WORDS)
        else:
            _copy_ships(s, before, c, side)
            _copy_groups(s, before, c, side)
        _copy(s, before, at.BASES + side * at.MOST_BASES * at.BASE_WORDS, c[at.BASE_COUNT + side] * at.BASE_WORDS)
        left = int(c[at.CARRIER_SHIPS + side])
        while left:
            _copy(s, before, at.WING + (side * at.MOST_SHIPS + lowest(left)) * at.WING_MAP, at.WING_MAP)
            left &= left - 1
    if before[at.STEP] != at.PAIR:
        _copy(s, before, at.ENGAGEMENTS, at.ENGAGEMENT_WORDS)


@leaf
def _copy(s: Words, before: Words, first: int, words: int) -> None:
    """Loops that begin with 0 become one copying of a block."""
    for word in range(words):
        s[first + word] = before[first + word]


@leaf
def _copy_map(s: Words, before: Words, first: int) -> None:
    """The entries that a map has."""
    _copy(s, before, first, 1 + 2 * before[first])


@jit
def _copy_ships(s: Words, before: Words, c: Words, side: int) -> None:
    """The words of a side's ships, light ships, submarines and cargo, and which groups are still to come."""
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    _copy(s, before, pending, 1 + before[pending])
    _copy(s, before, at.SHIP_HITS + side * at.MOST_SHIPS, c[at.SHIP_COUNT + side])
    _copy(s, before, at.CARGO_NEEDS + side * at.MOST_CARGO, c[at.CARGO_COUNT + side])
    for field in range(at.SUNK_LIGHT, at.BOATS, at.SIDES * at.MOST_LIGHT):
        _copy(s, before, field + side * at.MOST_LIGHT, c[at.LIGHT_COUNT + side])
    for field in range(at.BOATS, at.ELSEWHERE, at.SIDES * at.MOST_BOATS):
        _copy(s, before, field + side * at.MOST_BOATS, c[at.BOAT_COUNT + side])
    _copy(s, before, at.ELSEWHERE + side * at.MOST_PLACES, c[at.PLACE_COUNT + side])


@jit
def _copy_groups(s: Words, before: Words, c: Words, side: int) -> None:
    """The words of a side's groups."""
    for slot in range(side * at.MOST_SLOTS, side * at.MOST_SLOTS + c[at.GROUP_COUNT + side]):
        group = at.GROUPS + slot * at.GROUP_WORDS
        _copy(s, before, group, at.GROUP_PATROL)
        _copy_map(s, before, group + at.GROUP_PATROL)
        _copy_map(s, before, group + at.GROUP_COVER)
        _copy_map(s, before, group + at.GROUP_LIGHT)
