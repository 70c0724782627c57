"""22.6 and 22.7 in a compiled battle: who leaves at the end of a round, whether the battle is over, and who has lost it.

And 22.411B: which pending groups join the next round, which then begins. Both sides are led by the admiral.
"""

from __future__ import annotations

from flagplot.doctrine import policies
from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf, segment
from flagplot.odds.kernel_groups import (
    afloat,
    doctrine_of,
    encumbered,
    factors,
    forced,
    fully_operational,
    give_number,
    group_numbered,
    recount,
    remove_group,
    shore_air,
    sight_of_battle,
    sight_of_group,
)
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import put_all
from flagplot.odds.kernel_sets import count, lowest, size_of, sound_ships

MOST_FACTORS = CURRENT.most_group_factors

withdraws = leaf(policies.withdraws)
group_number_rank = leaf(policies.group_number_rank)

# -- withdrawal --------------------------------------------------------------------------------------------


@jit
def _round_loser(s: Words, c: Words) -> int:
    """22.61A. Who declares first: more factors sunk, then more damaged, then the intercepting side (RC-65)."""
    if s[at.ROUND_SUNK] != s[at.ROUND_SUNK + 1]:
        return 0 if s[at.ROUND_SUNK] > s[at.ROUND_SUNK + 1] else 1
    return 1 if _round_damaged(s, c, 1) > _round_damaged(s, c, 0) else 0


@jit
def _round_damaged(s: Words, c: Words, side: int) -> int:
    """22.61A. Naval factors damaged this round and still afloat."""
    amount = size_of(c, side, s[at.NEWLY_SHIPS + side])
    for i in range(c[at.LIGHT_COUNT + side]):
        amount += s[at.NEWLY_LIGHT + side * at.MOST_LIGHT + i]
    return amount


@jit
def _leave(s: Words, c: Words, side: int, group: int, all_leave: bool) -> bool:
    """22.61. A group leaves, all that may, or what is damaged; whether anything did (33.61B: bound ships stay)."""
    whole = not s[at.ATTACKED + group]
    if whole and not all_leave:
        return False
    if whole and s[at.GROUP_SHIPS + group] & c[at.BOUND_SHIPS + side]:
        return False  # a group that was not attacked leaves whole or not at all (22.61D)
    ships = int(s[at.GROUP_SHIPS + group] & ~c[at.BOUND_SHIPS + side])
    if not all_leave:
        ships &= int(s[at.DAMAGED_SHIPS + side])
    s[at.GROUP_SHIPS + group] &= ~ships
    s[at.WITHDRAWN_SHIPS + side] |= ships
    left = ships != 0
    if all_leave or s[at.LIGHT_FACTORS_UNDAMAGED + group] != s[at.LIGHT_FACTORS_ALL + group]:
        left = _light_ships_leave(s, c, group, all_leave) or left
    if all_leave:
        left = left or s[at.GROUP_SUPPLY + group] != 0
        s[at.GROUP_SUPPLY + group] = 0
        s[at.WITHDRAWN_CARGO + side] |= s[at.GROUP_CARGO + group]
        s[at.GROUP_CARGO + group] = 0
    if not s[at.GROUP_SUPPLY + group] and not afloat(s, group):
        remove_group(s, group)
    return left


@jit
def _light_ships_leave(s: Words, c: Words, group: int, all_leave: bool) -> bool:
    """22.61. All light ships of a group leave, or those that are damaged; whether there were any."""
    counts = at.GROUP_LIGHT + group
    entries = int(s[counts])
    stay = 0
    for i in range(entries):
        kind, number = s[counts + 1 + 2 * i], s[counts + 2 + 2 * i]
        if all_leave or c[at.LIGHT_STATE + kind] == at.DAMAGED:
            s[at.WITHDRAWN_LIGHT + kind] += number
        else:
            s[counts + 1 + 2 * stay], s[counts + 2 + 2 * stay] = kind, number
            stay += 1
    if stay == entries:
        return False
    s[counts] = stay
    recount(s, c, group)
    return True


@jit
def _withdraw(s: Words, c: Words, side: int, own_air: int, enemy_air: int) -> None:
    """22.61. A side goes home with everything, or sends damaged ships away from groups that were attacked."""
    wish = forced(s, c, at.FORCED_WITHDRAW, side)
    doctrine = doctrine_of(c, side)
    all_leave = wish == 1
    if wish == NONE:
        all_leave = withdraws(sight_of_battle(s, c, side, doctrine, own_air, enemy_air), doctrine)
    stuck = s[at.DAMAGED_SHIPS + side] & c[at.BOUND_SHIPS + side]
    if not all_leave and stuck:
        left = int(s[at.NUMBERS_USED + side])
        while left:
            group = group_numbered(s, side, lowest(left))
            left &= left - 1
            if s[at.ATTACKED + group] and s[at.GROUP_SHIPS + group] & stuck:
                return  # he would send away one who may not leave: so nobody goes
    left = int(s[at.NUMBERS_USED + side])
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        if _leave(s, c, side, group, all_leave):
            s[at.WITHDREW + side] = 1


# -- the end -------------------------------------------------------------------------------------------------


@jit
def _has_lost(s: Words, c: Words, side: int) -> bool:
    """22.71. Whether a side has lost: it withdrew all, evaded with all, or has no undamaged unit left (RC-61)."""
    groups = int(s[at.NUMBERS_USED + side])
    evaded = ships = light = 0
    left = groups
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        evaded += s[at.EVADED + group]
        ships |= s[at.GROUP_SHIPS + group]
        light |= s[at.LIGHT_SOUND + group]
    ships &= ~s[at.DAMAGED_SHIPS + side]
    if ships | light == 0:
        return True
    return bool(evaded == count(groups) and ships & s[at.READY_CARRIERS + side] == 0)


@segment
def withdrawal(s: Words, c: Words) -> None:
    """22.61. The loser of the round says what withdraws, then the other; then the battle may end (RC-60, 22.72)."""
    first = _round_loser(s, c)
    air, enemy_air = shore_air(s, c, first), shore_air(s, c, 1 - first)
    _withdraw(s, c, first, air, enemy_air)
    _withdraw(s, c, 1 - first, enemy_air, air)
    losers = (1 if _has_lost(s, c, 0) else 0) + (2 if _has_lost(s, c, 1) else 0)
    s[at.SEGMENT] = at.REINFORCEMENT
    if losers > 0:
        s[at.LOSERS] = losers
        s[at.VICTOR] = 1 if losers == 1 else 0 if losers == 2 else NONE
        s[at.SEGMENT] = at.RETURN
    elif s[at.ROUND] >= at.MOST_ROUNDS:
        s[at.BROKEN_OFF] = 1
        s[at.SEGMENT] = at.OVER


# -- reinforcement -----------------------------------------------------------------------------------------------


@jit
def _combining(s: Words, c: Words, side: int, following: int) -> bool:
    """22.421B. Whether late groups outside task forces would be one, and two of them are here (FP-11)."""
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    late = strength = carriers = cover = 0
    for i in range(1, s[pending] + 1):
        group = s[pending + i]
        if _is_late(s, group, following):
            late += 1
            strength += factors(s, c, side, group)
            carrying = c[at.CARRIER_SHIPS + side]
            carriers += size_of(c, side, s[at.GROUP_SHIPS + group] & carrying)
            cover += size_of(c, side, sound_ships(s, side, group) & c[at.FAST_SHIPS + side] & ~carrying)
            counts = at.GROUP_LIGHT + group
            for j in range(s[counts]):
                kind = s[counts + 1 + 2 * j]
                if c[at.LIGHT_TYPE + kind] <= at.DD and c[at.LIGHT_STATE + kind] != at.DAMAGED:
                    cover += c[at.LIGHT_FACTORS + kind] * s[counts + 2 + 2 * j]
    return late >= 2 and strength <= MOST_FACTORS and carriers <= cover


@jit
def _is_late(s: Words, group: int, following: int) -> bool:
    """22.421B. A group outside a task force, without cargo, that comes late and is here by then."""
    if s[at.GROUP_TASK_FORCE + group] or encumbered(s, group):
        return False
    return bool(1 < s[at.GROUP_ARRIVES + group] <= following)


@jit
def _combine(s: Words, c: Words, side: int, following: int) -> None:
    """22.421B. The two late groups become one, which stands first among those that wait."""
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    whole, kept = NONE, 0
    for i in range(1, s[pending] + 1):
        group = s[pending + i]
        if not _is_late(s, group, following):
            kept += 1
            s[at.SCRATCH + kept] = group
        elif whole == NONE:
            whole = group
        else:
            s[at.GROUP_SHIPS + whole] |= s[at.GROUP_SHIPS + group]
            s[at.GROUP_SHIPS + group] = 0
            put_all(s, at.GROUP_LIGHT + whole, at.GROUP_LIGHT + group)
            recount(s, c, whole)
            s[at.GROUP_TAKES + whole], s[at.GROUP_TAKEN + group] = group, whole
            s[at.GROUP_UNLADEN + whole] |= s[at.GROUP_UNLADEN + group]
            s[at.GROUP_NEAR + whole] |= s[at.GROUP_NEAR + group]
    s[pending] = kept + 1
    s[pending + 1] = whole
    for i in range(1, kept + 1):
        s[pending + 1 + i] = s[at.SCRATCH + i]


@jit
def _free_number(s: Words, side: int, highest: bool) -> int:
    """22.423A. The lowest or the highest number a side does not use; 0 if there is none."""
    for i in range(1, at.MOST_GROUPS + 1):
        number = at.MOST_GROUPS + 1 - i if highest else i
        if group_numbered(s, side, number) == NONE:
            return number
    return 0


@jit
def _join(s: Words, side: int, group: int, number: int) -> None:
    s[at.GROUP_HERE + group] = 1
    give_number(s, side, group, number)


@jit
def _reinforce(s: Words, c: Words, side: int, following: int) -> None:
    """22.411B. Pending groups that are here join: guns at the lowest free number, carriers and cargo at the highest.

    A group with cargo may not wait while there is room (22.421C): an answer that leaves one out is refused, and if the
    admiral has no other the groups with cargo alone join, in order. Late groups that have just become one he does not
    know yet: they wait.
    """
    pending = at.PENDING + side * (at.MOST_SLOTS + 1)
    if s[pending] == 0:
        return
    room, laden = at.MOST_GROUPS - count(s[at.NUMBERS_USED + side]), 0
    for i in range(1, s[pending] + 1):
        if s[at.GROUP_ARRIVES + s[pending + i]] <= following and encumbered(s, s[pending + i]):
            laden += 1
    needed, joined = min(room, laden), 0
    combining = _combining(s, c, side, following)
    for i in range(1, s[pending] + 1):
        group = s[pending + i]
        if s[at.GROUP_ARRIVES + group] > following or (combining and _is_late(s, group, following)):
            continue
        carries = 1 if encumbered(s, group) else 0
        last = group_number_rank(sight_of_group(s, c, side, group, 0)) >= 0
        number = _free_number(s, side, last)
        if number > 0 and joined + carries >= needed:
            joined += carries
            _join(s, side, group, number)
    if joined < needed:
        for i in range(1, s[pending] + 1):
            group = s[pending + i]
            if joined < room and s[at.GROUP_ARRIVES + group] <= following and encumbered(s, group):
                joined += 1
                _join(s, side, group, _free_number(s, side, False))
    some = False
    for i in range(1, s[pending] + 1):
        some = some or s[at.GROUP_HERE + s[pending + i]] != 0
    if some and combining:
        _combine(s, c, side, following)
    kept = 0
    for i in range(1, s[pending] + 1):
        if not s[at.GROUP_HERE + s[pending + i]]:
            kept += 1
            s[pending + kept] = s[pending + i]
    s[pending] = kept


@jit
def _begin_round(s: Words, c: Words) -> None:
    """22.73. What was found, met or evaded in the last round is over."""
    s[at.ROUND] += 1
    for side in range(at.SIDES):
        s[at.ROUND_SUNK + side] = s[at.WITHDREW + side] = s[at.SIDE_FOUND + side] = 0
        s[at.SEARCHING + side] = s[at.STRIKES + side] = 0
        s[at.NEWLY_SHIPS + side] = 0
        for i in range(c[at.LIGHT_COUNT + side]):
            s[at.NEWLY_LIGHT + side * at.MOST_LIGHT + i] = 0
        for i in range(c[at.BASE_COUNT + side]):
            s[at.BASE_USED + (side * at.MOST_BASES + i) * at.BASE_WORDS] = 0
        scouting = fully_operational(s, c, side)
        left = int(s[at.NUMBERS_USED + side])
        while left:
            group = group_numbered(s, side, lowest(left))
            left &= left - 1
            _clear_marks(s, group)
            s[at.SCOUTS + group] = s[at.GROUP_SHIPS + group] & scouting != 0  # 22.451D


@jit
def _clear_marks(s: Words, group: int) -> None:
    """22.73. What a group did in the last round."""
    for mark in range(group + at.MARKS, group + at.END_OF_MARKS):
        s[mark] = 0
    s[at.GROUP_PATROL + group] = 0
    s[at.GROUP_COVER + group] = 0


@segment
def reinforcement(s: Words, c: Words) -> None:
    """22.411B. Groups that arrive late or waited for room may join; then the next round begins."""
    following = int(s[at.ROUND]) + 1
    _reinforce(s, c, 0, following)
    _reinforce(s, c, 1, following)
    _begin_round(s, c)
    s[at.SEGMENT] = at.COUNTERAIR
