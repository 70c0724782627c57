"""19.6, 23.416 and 23.423 compiled: who is lost and who turns back (AN-19), and what that does to decks and bases.

The owner's choices are those the forms offer: equal types in the order of their keys, and within a type the first
squadrons are lost, the next turn back.
"""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import put, sort_map, take, take_all

LOST = at.AIR_SCRATCH  # a map of keys, like the next
TURNED_BACK = LOST + at.KEY_MAP
TOLL_LOST = TURNED_BACK + at.KEY_MAP  # how many of the last toll, like the next two
TOLL_TURNED_BACK = TOLL_LOST + 1
TOLL_IGNORED = TOLL_TURNED_BACK + 1
TYPE = TOLL_IGNORED + 1  # types by rank, and for each how many are left, lost, turned back
LEFT = TYPE + at.MOST_KEYS
TYPE_LOST = LEFT + at.MOST_KEYS
TYPE_TURNED_BACK = TYPE_LOST + at.MOST_KEYS
AFTER_LOSSES = TYPE_TURNED_BACK + at.MOST_KEYS  # where other kernels may keep things


@jit
def _rank_types(s: Words, c: Words, counts: int) -> int:
    """23.416A. The types among these squadrons, the largest first, equals as they stand; how many there are."""
    types = 0
    for i in range(s[counts]):
        kind = c[at.KEY_TYPE + s[counts + 1 + 2 * i]]
        j = 0
        while j < types and s[TYPE + j] != kind:
            j += 1
        if j == types:
            types += 1
            s[TYPE + j] = kind
            s[LEFT + j] = 0
        s[LEFT + j] += s[counts + 2 + 2 * i]
    for i in range(1, types):
        kind, left = s[TYPE + i], s[LEFT + i]
        j = i - 1
        while j >= 0 and s[LEFT + j] < left:
            s[TYPE + j + 1], s[LEFT + j + 1] = s[TYPE + j], s[LEFT + j]
            j -= 1
        s[TYPE + j + 1], s[LEFT + j + 1] = kind, left
    return types


@jit
def _in_rotation(s: Words, types: int, turn: int, number: int, record: int) -> int:
    """19.6. One squadron of each type in turn, used-up types passed over; whose turn is next."""
    for _ in range(number):
        while s[LEFT + turn] == 0:
            turn = turn + 1 if turn + 1 < types else 0
        s[LEFT + turn] -= 1
        s[record + turn] += 1
        turn = turn + 1 if turn + 1 < types else 0
    return turn


@jit
def take_air_losses(s: Words, c: Words, counts: int, eliminated: int, aborted: int) -> None:
    """23.416A. What a result takes from the squadrons of a map, put into LOST and TURNED_BACK; an abort that falls on
    kamikazes has no effect (FP-25)."""
    s[TOLL_LOST] = s[TOLL_TURNED_BACK] = s[TOLL_IGNORED] = 0
    if s[counts] == 0 or eliminated + aborted == 0:
        return
    if s[counts] == 1:  # nobody goes round
        lost = min(s[counts + 2], eliminated)
        _lose_some(s, c, s[counts + 1], lost, min(s[counts + 2] - lost, aborted))
        return
    types = _rank_types(s, c, counts)
    whole = 0
    for i in range(types):
        s[TYPE_LOST + i] = s[TYPE_TURNED_BACK + i] = 0
        whole += s[LEFT + i]
    eliminated = min(eliminated, whole)
    turn = _in_rotation(s, types, 0, eliminated, TYPE_LOST)
    _in_rotation(s, types, turn, min(aborted, whole - eliminated), TYPE_TURNED_BACK)
    for i in range(s[counts]):
        key, number = s[counts + 1 + 2 * i], s[counts + 2 + 2 * i]
        j = 0
        while s[TYPE + j] != c[at.KEY_TYPE + key]:
            j += 1
        lost = min(number, s[TYPE_LOST + j])
        turned = min(number - lost, s[TYPE_TURNED_BACK + j])
        s[TYPE_LOST + j] -= lost
        s[TYPE_TURNED_BACK + j] -= turned
        _lose_some(s, c, key, lost, turned)


@jit
def _lose_some(s: Words, c: Words, key: int, lost: int, turned: int) -> None:
    """23.416A. Of one kind of squadrons so many are lost, so many turn back, but no kamikazes."""
    s[TOLL_LOST] += lost
    put(s, LOST, key, lost)
    if c[at.KEY_KIND + key] == at.KAM:
        s[TOLL_IGNORED] += turned
    else:
        s[TOLL_TURNED_BACK] += turned
        put(s, TURNED_BACK, key, turned)


@jit
def begin_toll(s: Words) -> None:
    """Nobody is lost yet."""
    s[LOST] = s[TURNED_BACK] = 0


@jit
def take_staged_losses(s: Words, c: Words, fighting: int, others: int, eliminated: int, aborted: int) -> None:
    """23.416A. The squadrons that fought suffer first; what they cannot bear falls on those that did not."""
    take_air_losses(s, c, fighting, eliminated, aborted)
    eliminated -= s[TOLL_LOST]
    aborted -= s[TOLL_TURNED_BACK] + s[TOLL_IGNORED]
    take_air_losses(s, c, others, eliminated, aborted)


@jit
def lose(s: Words, c: Words, lost: int) -> None:
    """23.416. The squadrons of a map are lost, to their bases too if they have any."""
    for i in range(s[lost]):
        key, number = s[lost + 1 + 2 * i], s[lost + 2 + 2 * i]
        s[at.AIR_LOST + key] += number
        base = c[at.KEY_BASE + key]
        if base != NONE:
            take(s, at.BASE_SQUADRONS + base * at.BASE_WORDS, key, number)
            take(s, at.BASE_USED + base * at.BASE_WORDS, key, number)


@jit
def come_back(s: Words, c: Words, side: int, squadrons: int) -> None:
    """22.463. Of the squadrons of a map those from carriers must land."""
    for i in range(s[squadrons]):
        key = s[squadrons + 1 + 2 * i]
        if c[at.KEY_BASE + key] == NONE:
            put(s, at.ALOFT + side * at.DECK_MAP, key, s[squadrons + 2 + 2 * i])


@jit
def strikers_lost(s: Words, c: Words, side: int) -> None:
    """23.416A, 23.423. The toll of a strike: what is lost, and what turns back."""
    sort_map(s, TURNED_BACK)
    come_back(s, c, side, TURNED_BACK)
    lose(s, c, LOST)
    take_all(s, at.STRIKE_SQUADRONS, LOST)
    take_all(s, at.STRIKE_SQUADRONS, TURNED_BACK)
