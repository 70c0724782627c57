"""22.52 Rules of engagement in a compiled battle: which groups meet, which seek a second fight, and who evades.

The admiral never leaves damaged ships behind (22.524), so nobody is detached or abandoned here.
"""

from __future__ import annotations

from flagplot.doctrine import policies
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf, segment
from flagplot.odds.kernel_fleet import engage
from flagplot.odds.kernel_groups import (
    afloat,
    doctrine_of,
    forced,
    give_number,
    give_up_number,
    group_numbered,
    is_active,
    is_fast,
    known_guns,
    reveal,
    sight_of_group,
)
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_sets import lowest

LAPSED = 0  # stands for the number of side 0 in an engagement that will not be fought

engages = leaf(policies.engages)
evades = leaf(policies.evades)


@jit
def _pair_off(s: Words) -> None:
    """22.521A. Active groups of equal number pair off; then the lowest left meets the next of the other side (RC-30)."""
    last = min(int(s[at.ROUND]), at.MOST_GROUPS)
    s[at.ENGAGEMENTS] = 0
    for number in range(1, last + 1):
        if group_numbered(s, 0, number) != NONE and group_numbered(s, 1, number) != NONE:
            _add_engagement(s, number, number, NONE)
    one = two = 0
    while True:
        one, two = _next_alone(s, 0, one, last), _next_alone(s, 1, two, last)
        if one == 0 or two == 0:
            break
        _add_engagement(s, one, two, NONE)
    for i in range(1, s[at.ENGAGEMENTS]):  # in the order of the lower number
        j = i
        while j > 0 and _lower(s, j) < _lower(s, j - 1):
            for word in range(3):
                here, before = at.ENGAGEMENTS + 1 + 3 * j + word, at.ENGAGEMENTS + 1 + 3 * (j - 1) + word
                s[here], s[before] = s[before], s[here]
            j -= 1
    for i in range(s[at.ENGAGEMENTS]):
        numbers = at.ENGAGEMENTS + 1 + 3 * i
        s[at.MET + group_numbered(s, 0, s[numbers])] = s[numbers + 1]
        s[at.MET + group_numbered(s, 1, s[numbers + 1])] = s[numbers]


@jit
def _next_alone(s: Words, side: int, after: int, last: int) -> int:
    """The next active number of a side that the other side does not have; 0 if there is none."""
    for number in range(after + 1, last + 1):
        if group_numbered(s, side, number) != NONE and group_numbered(s, 1 - side, number) == NONE:
            return number
    return 0


@jit
def _lower(s: Words, i: int) -> int:
    return min(int(s[at.ENGAGEMENTS + 1 + 3 * i]), int(s[at.ENGAGEMENTS + 2 + 3 * i]))


@jit
def _add_engagement(s: Words, one: int, two: int, initiator: int) -> None:
    last = at.ENGAGEMENTS + 1 + 3 * s[at.ENGAGEMENTS]
    s[last], s[last + 1], s[last + 2] = one, two, initiator
    s[at.ENGAGEMENTS] += 1


@jit
def _fight_all(s: Words, c: Words) -> None:
    """22.521C, E. Engagements are fought one after the other, unless one of the groups is gone."""
    for i in range(s[at.ENGAGEMENTS]):
        one = group_numbered(s, 0, s[at.ENGAGEMENTS + 1 + 3 * i])
        two = group_numbered(s, 1, s[at.ENGAGEMENTS + 2 + 3 * i])
        if one != NONE and two != NONE:
            engage(s, c, one, two)
    s[at.ENGAGEMENTS] = 0


# -- the second round ----------------------------------------------------------------------------------


@jit
def _add_undeclared(s: Words, side: int, number: int) -> None:
    last = at.UNDECLARED + 1 + 2 * s[at.UNDECLARED]
    s[last], s[last + 1] = side, number
    s[at.UNDECLARED] += 1


@jit
def _open_second_round(s: Words) -> None:
    """22.521D. Groups that may seek a second engagement: ascending numbers, side 0 first (RC-31, RC-32)."""
    s[at.UNDECLARED] = 0
    for number in range(1, min(int(s[at.ROUND]), at.MOST_GROUPS) + 1):
        for side in range(at.SIDES):
            group = group_numbered(s, side, number)
            if group != NONE and not s[at.ENGAGED + group]:
                if s[at.MET + group] == 0 or s[at.VICTORIOUS + group]:
                    _add_undeclared(s, side, number)


@jit
def _sought(s: Words, c: Words, side: int, group: int) -> int:
    """22.521D. The number of the weakest enemy group that the guns can master and the ships can reach, or NONE."""
    doctrine = doctrine_of(c, side)
    fast, floats = is_fast(s, c, side, group), afloat(s, group)
    best, best_guns = NONE, 0
    left = int(s[at.NUMBERS_USED + 1 - side])
    while left:
        number = lowest(left)
        left &= left - 1
        target = group_numbered(s, 1 - side, number)
        active = is_active(s, target)
        if not active and (s[at.FOUND + target] <= s[at.SPENT + target] or s[at.EVADED + target]):
            continue
        its_guns = known_guns(s, c, 1 - side, target, doctrine)
        if engages(sight_of_group(s, c, side, group, its_guns), doctrine) and (best == NONE or its_guns < best_guns):
            if floats and (active or fast):
                best, best_guns = number, its_guns
    return best


@jit
def _declare(s: Words, c: Words, side: int, number: int) -> None:
    """22.521D. One group says whom it engages, if anybody; two that seek each other have one engagement (FP-09)."""
    group = group_numbered(s, side, number)
    sought = _sought(s, c, side, group)
    if sought == NONE:
        return
    target = group_numbered(s, 1 - side, sought)
    s[at.ENGAGED + group] = 1
    if not is_active(s, target):
        reveal(s, c, group)  # 22.523D
        s[at.SPENT + target] += 1
    one, two = (number, sought) if side == 0 else (sought, number)
    for i in range(s[at.ENGAGEMENTS]):
        if s[at.ENGAGEMENTS + 1 + 3 * i] == one and s[at.ENGAGEMENTS + 2 + 3 * i] == two:
            return
    _add_engagement(s, one, two, side)


@jit
def _free_number(s: Words, side: int, number: int) -> int:
    """22.523E. The next higher number a side does not use; 0 if there is none (RC-33)."""
    for free in range(number + 1, at.MOST_GROUPS + 1):
        if group_numbered(s, side, free) == NONE:
            return free
    return 0


@jit
def _evades(s: Words, c: Words, engagement: int) -> bool:
    """22.523. A distant group that is sought slips away, or stands for the round (FP-12)."""
    side = 1 - int(s[engagement + 2])
    number, seeker_number = int(s[engagement + side]), int(s[engagement + 1 - side])
    group = group_numbered(s, side, number)
    if is_active(s, group) or s[at.STOOD + group]:
        return False
    seeker = group_numbered(s, 1 - side, seeker_number)
    doctrine = doctrine_of(c, side)
    wish = forced(s, c, at.FORCED_EVADE, side)
    if wish == NONE:
        facing = known_guns(s, c, 1 - side, seeker, doctrine)
        wish = 1 if evades(sight_of_group(s, c, side, group, facing), doctrine) else 0
    free = _free_number(s, side, number)
    if wish == 0 or free == 0 or not is_fast(s, c, side, group):
        s[at.STOOD + group] = 1
        return False
    give_up_number(s, side, number)
    give_number(s, side, group, free)
    s[at.EVADED + group] = 1
    return True


@jit
def _lapse(s: Words, side: int, number: int) -> None:
    """22.523E. Every engagement sought with an evader lapses; the groups that sought it may seek another, in order."""
    for i in range(s[at.ENGAGEMENTS]):
        engagement = at.ENGAGEMENTS + 1 + 3 * i
        if s[engagement] != LAPSED and s[engagement + 2] == 1 - side and s[engagement + side] == number:
            seeker = s[engagement + 1 - side]
            s[engagement] = LAPSED
            _add_undeclared(s, 1 - side, seeker)


@jit
def _close_ranks(s: Words) -> None:
    """Engagements that lapsed are struck off; groups that may seek another stand by number, side 0 first."""
    kept = 0
    for i in range(s[at.ENGAGEMENTS]):
        if s[at.ENGAGEMENTS + 1 + 3 * i] != LAPSED:
            for word in range(3):
                s[at.ENGAGEMENTS + 1 + 3 * kept + word] = s[at.ENGAGEMENTS + 1 + 3 * i + word]
            kept += 1
    s[at.ENGAGEMENTS] = kept
    for i in range(1, s[at.UNDECLARED]):
        j = i
        while j > 0:
            here, before = at.UNDECLARED + 1 + 2 * j, at.UNDECLARED + 1 + 2 * (j - 1)
            if 2 * s[here + 1] + s[here] >= 2 * s[before + 1] + s[before]:
                break
            s[here], s[before] = s[before], s[here]
            s[here + 1], s[before + 1] = s[before + 1], s[here + 1]
            j -= 1


@jit
def _declare_second_engagements(s: Words, c: Words, declared: int) -> None:
    """22.521D. Eligible groups declare in order, then their targets evade or stand; who lost his target may seek
    another (AM-11). They have `declared` where some targets have evaded already."""
    for _ in range(1 + c[at.TRIES]):
        if declared == 0:
            for i in range(s[at.UNDECLARED]):
                _declare(s, c, s[at.UNDECLARED + 1 + 2 * i], s[at.UNDECLARED + 2 + 2 * i])
            s[at.UNDECLARED] = 0
        declared = 0
        for i in range(s[at.ENGAGEMENTS]):
            engagement = at.ENGAGEMENTS + 1 + 3 * i
            if s[engagement] != LAPSED:
                side = 1 - int(s[engagement + 2])
                number = int(s[engagement + side])
                if _evades(s, c, engagement):
                    _lapse(s, side, number)
        if s[at.UNDECLARED] == 0:
            return
        _close_ranks(s)
    s[at.UNDECLARED] = 0


@segment
def fleet_combat(s: Words, c: Words) -> None:
    """22.41H. Active groups pair off and fight; others seek fights, and are met or evaded. A battle may be taken up at any
    of these steps, with the engagements then declared."""
    step = s[at.STEP]
    s[at.STEP] = at.PAIR
    if step <= at.FIRST:
        if step == at.PAIR:
            _pair_off(s)
        _fight_all(s, c)
        _open_second_round(s)
    if step <= at.EVADE:
        _declare_second_engagements(s, c, 1 if step == at.EVADE else 0)
    _fight_all(s, c)
