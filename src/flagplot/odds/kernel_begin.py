"""How a compiled battle begins: as its template is, of which it copies what there is (22.3)."""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_sets import lowest


@leaf
def _copy(s: Words, before: Words, first: int, words: int) -> None:
    """Loops that begin with 0 become one copying of a block."""
    for word in range(words):
        s[first + word] = before[first + word]


@jit
def begin_anew(s: Words, before: Words, c: Words) -> None:
    """A battle is once more as its template: single numbers, groups, wings of carriers, air bases; engagements, where some
    are declared."""
    aircraft = c[at.KEY_COUNT] + c[at.KEY_COUNT + 1] > 0
    _copy(s, before, 0, at.GROUPS if aircraft else at.AIR_LOST)
    for side in range(at.SIDES):
        first = at.GROUPS + side * at.MOST_SLOTS * at.GROUP_WORDS
        _copy(s, before, first, c[at.GROUP_COUNT + side] * at.GROUP_WORDS)
        _copy(s, before, at.BASES + side * at.MOST_BASES * at.BASE_WORDS, c[at.BASE_COUNT + side] * at.BASE_WORDS)
        left = int(c[at.CARRIER_SHIPS + side])
        while left:
            _copy(s, before, at.WING + (side * at.MOST_SHIPS + lowest(left)) * at.WING_MAP, at.WING_MAP)
            left &= left - 1
    if before[at.STEP] != at.PAIR:
        _copy(s, before, at.ENGAGEMENTS, at.ENGAGEMENT_WORDS)
