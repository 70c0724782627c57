"""22.3, 22.4 and 22.7: a whole naval battle, compiled. One loop works off the state, segment by segment, to the end.

Each segment is compiled by itself and kept on disk (jit.py); `play` goes through them. `SEGMENTS` are the same, to be
called one at a time.
"""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, segment
from flagplot.odds.kernel_engagements import fleet_combat
from flagplot.odds.kernel_maps import held, put, take
from flagplot.odds.kernel_patrol import counterair
from flagplot.odds.kernel_search import disclosure, search
from flagplot.odds.kernel_shore import air_cover
from flagplot.odds.kernel_strikes import air_strikes
from flagplot.odds.kernel_submarines import submarines
from flagplot.odds.kernel_withdrawal import reinforcement, withdrawal


@segment
def carrier_air(s: Words, c: Words) -> None:
    """22.41C. Naval air on deck may strike: nothing is decided here."""


@segment
def return_to_base(s: Words, c: Words) -> None:
    """22.435, 22.81A. Land-based air that was made to abort is inverted; a victorious activity goes on."""
    for side in range(at.SIDES):
        for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
            aborted = at.BASE_ABORTED + base * at.BASE_WORDS
            for i in range(s[aborted]):
                key = s[aborted + 1 + 2 * i]
                number = min(int(s[aborted + 2 + 2 * i]), held(s, at.BASE_SQUADRONS + base * at.BASE_WORDS, key))
                take(s, at.BASE_SQUADRONS + base * at.BASE_WORDS, key, number)
                put(s, at.BASE_INVERTED + base * at.BASE_WORDS, key, number)
            s[aborted] = 0
    s[at.GOES_ON] = 1 if s[at.VICTOR] == 1 else 0


SEGMENTS = (
    counterair,
    carrier_air,
    air_cover,
    search,
    disclosure,
    air_strikes,
    fleet_combat,
    submarines,
    withdrawal,
    reinforcement,
    return_to_base,
)


def carry_out(s: Words, c: Words) -> None:
    """22.41. The segment the state is in; afterwards it is in the next."""
    now = int(s[at.SEGMENT])
    s[at.SEGMENT] = now + 1
    SEGMENTS[now](s, c)


@jit
def play(s: Words, c: Words) -> None:
    """22.31. From the segment the state is in, through all that follow, to the end. (Compiled code calls functions by
    their names, not by their places in SEGMENTS.)"""
    while s[at.SEGMENT] != at.OVER:
        now = s[at.SEGMENT]
        s[at.SEGMENT] = now + 1
        if now == at.COUNTERAIR:
            counterair(s, c)
        elif now == at.AIR_COVER:
            air_cover(s, c)
        elif now == at.SEARCH:
            search(s, c)
        elif now == at.DISCLOSURE:
            disclosure(s, c)
        elif now == at.AIR_STRIKES:
            air_strikes(s, c)
        elif now == at.FLEET_COMBAT:
            fleet_combat(s, c)
        elif now == at.SUBMARINES:
            submarines(s, c)
        elif now == at.WITHDRAWAL:
            withdrawal(s, c)
        elif now == at.REINFORCEMENT:
            reinforcement(s, c)
        elif now == at.RETURN:
            return_to_base(s, c)
