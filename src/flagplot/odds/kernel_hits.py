"""20.5 Hits take effect in a compiled battle: on a named ship, on light ships, on the cargo they carried (22.82).

Of equal groups of light ships those come first that stand first (20.57): so the admiral answers, and so the procedures do
where order makes no difference.
"""

from __future__ import annotations

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit
from flagplot.odds.kernel_groups import eliminate_if_empty, number_of, recount
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import add, held, put, take
from flagplot.odds.kernel_sets import lowest

HIT, CRIPPLED, SUNK = range(3)  # what became of a named ship

# Room to work in: two rows of things, their sizes, and what is taken of them.
MOST = at.MOST_LIGHT
FEW, FEW_SIZE, FEW_TAKEN = at.SCRATCH, at.SCRATCH + MOST, at.SCRATCH + 2 * MOST
SOME, SOME_SIZE, SOME_TAKEN = at.SCRATCH + 3 * MOST, at.SCRATCH + 4 * MOST, at.SCRATCH + 5 * MOST

# -- named ships ------------------------------------------------------------------------------------


@jit
def fate_at_sea(s: Words, c: Words, ship: int, hits: int, damaged: bool) -> int:
    """20.513. What hits do at sea, added to those she has (RC-10): HIT, CRIPPLED or SUNK."""
    size = int(c[at.SHIP_SIZE + ship])
    all_hits = int(s[at.SHIP_HITS + ship]) + hits
    if c[at.DAMAGED_AGAIN] and damaged and s[at.SHIP_HITS + ship] < size - 1 and all_hits < size - 1:
        return CRIPPLED
    if damaged or all_hits >= size:
        return SUNK
    return CRIPPLED if all_hits >= size - 1 else HIT


@jit
def hit_ship(s: Words, c: Words, side: int, group: int, ship: int, hits: int) -> None:
    """20.513. Hits on a named ship of a side's group, from guns, bombs or torpedoes."""
    her = 1 << (ship - side * at.MOST_SHIPS)
    damaged = (s[at.DAMAGED_SHIPS + side] & her) != 0
    fate = fate_at_sea(s, c, ship, hits, damaged)
    s[at.SHIP_HITS + ship] += hits
    s[at.HIT_SHIPS + side] |= her
    if fate == SUNK:
        sink_ship(s, c, side, group, ship)
    elif fate == CRIPPLED and not damaged:
        s[at.DAMAGED_SHIPS + side] |= her
        s[at.NEWLY_SHIPS + side] |= her


@jit
def sink_ship(s: Words, c: Words, side: int, group: int, ship: int) -> None:
    """20.511. A ship is gone, and what was aboard with her (AN-37)."""
    her = 1 << (ship - side * at.MOST_SHIPS)
    s[at.GROUP_SHIPS + group] &= ~her
    s[at.NEWLY_SHIPS + side] &= ~her
    s[at.SUNK_SHIPS + side] |= her
    s[at.GROUP_LOST + group] += c[at.SHIP_SIZE + ship]
    s[at.ROUND_SUNK + side] += c[at.SHIP_SIZE + ship]
    if c[at.SHIP_CARRIER + ship]:
        wing = at.WING + ship * at.WING_MAP
        for i in range(s[wing]):
            s[at.AIR_LOST + s[wing + 1 + 2 * i]] += s[wing + 2 + 2 * i]
        s[wing] = 0


# -- light ships --------------------------------------------------------------------------------------


@jit
def _rank(s: Words, row: int, sizes: int, number: int) -> None:
    """20.57. The largest first; equals as they stand."""
    for i in range(1, number):
        what, size = s[row + i], s[sizes + i]
        j = i - 1
        while j >= 0 and s[sizes + j] < size:
            s[row + j + 1] = s[row + j]
            s[sizes + j + 1] = s[sizes + j]
            j -= 1
        s[row + j + 1] = what
        s[sizes + j + 1] = size


@jit
def _share(s: Words, sizes: int, taken: int, number: int, losses: int) -> None:
    """20.57. One at a time round the row; what is used up is skipped (RC-12)."""
    for i in range(number):
        s[taken + i] = 0
    left = losses
    moved = True
    while left > 0 and moved:
        moved = False
        for i in range(number):
            if left > 0 and s[taken + i] < s[sizes + i]:
                s[taken + i] += 1
                left -= 1
                moved = True


@jit
def _into_row(s: Words, row: int, sizes: int, number: int, what: int, size: int) -> int:
    """A thing of this size more in a row; how long the row is now."""
    for i in range(number):
        if s[row + i] == what:
            s[sizes + i] += size
            return number
    s[row + number] = what
    s[sizes + number] = size
    return number + 1


@jit
def allot(s: Words, c: Words, counts: int, hits: int) -> None:
    """20.532. Hits of one roll on the light ships of a map, into LOST_SUNK and LOST_DAMAGED (RC-11, RC-12)."""
    s[at.LOST_SUNK] = 0
    s[at.LOST_DAMAGED] = 0
    undamaged = hurt = others = 0
    other = nation = NONE
    alike = one_nation = True  # one kind of one-factor ships, cruisers of one nation: then nobody goes round
    for i in range(s[counts]):
        kind, number = s[counts + 1 + 2 * i], s[counts + 2 + 2 * i]
        if c[at.LIGHT_TYPE + kind] != at.CA:
            others += number
            alike, other = other == NONE, int(kind)
            continue
        if c[at.LIGHT_STATE + kind] == at.SOUND:
            undamaged += number
        else:
            hurt += number
        one_nation = one_nation and (nation == NONE or nation == c[at.LIGHT_NATION + kind])
        nation = int(c[at.LIGHT_NATION + kind])
    cruiser_hits = one_factor = sunk = hurt_sunk = half = 0
    for _ in range(hits):
        cruisers_left = sunk + half < undamaged or half == 1 or hurt_sunk < hurt
        allowed = one_factor < cruiser_hits and one_factor + 1 <= 2 * (sunk + hurt_sunk)
        if others > one_factor and (allowed or not cruisers_left):
            one_factor += 1
        elif cruisers_left:
            cruiser_hits += 1
            if half == 1:
                half = 0
                sunk += 1
            elif sunk < undamaged:
                half = 1
            else:
                hurt_sunk += 1
        else:
            break
    if one_nation:
        _lose_cruisers_of_one_nation(s, c, counts, sunk, half, hurt_sunk)
    elif sunk + half + hurt_sunk > 0:
        _lose_cruisers(s, c, counts, sunk, half, hurt_sunk)
    if alike:
        add(s, at.LOST_SUNK, other, one_factor)
    elif one_factor > 0:
        _lose_one_factor_ships(s, c, counts, one_factor)


@jit
def _lose_cruisers_of_one_nation(s: Words, c: Words, counts: int, sunk: int, damaged: int, hurt_sunk: int) -> None:
    """20.57. Sound cruisers first; a nation has one kind of them, and one of damaged ones."""
    hurt = NONE
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] == at.CA:
            if c[at.LIGHT_STATE + kind] == at.SOUND:
                add(s, at.LOST_SUNK, kind, sunk)
                add(s, at.LOST_DAMAGED, kind, damaged)
            else:
                hurt = int(kind)
    add(s, at.LOST_SUNK, hurt, hurt_sunk)


@jit
def _lose_cruisers(s: Words, c: Words, counts: int, sunk: int, damaged: int, hurt_sunk: int) -> None:
    """20.57. Cruisers go round the nations, the largest first, each giving up one of the state called for."""
    nations = 0
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] == at.CA:
            nations = _into_row(s, FEW, FEW_SIZE, nations, c[at.LIGHT_NATION + kind], s[counts + 2 + 2 * i])
    _rank(s, FEW, FEW_SIZE, nations)
    turn = 0
    for call in range(sunk + damaged + hurt_sunk):
        state = at.SOUND if call < sunk + damaged else at.DAMAGED
        kind = _next_cruiser(s, c, counts, s[FEW + turn], state)
        while kind == NONE:
            turn = turn + 1 if turn + 1 < nations else 0
            kind = _next_cruiser(s, c, counts, s[FEW + turn], state)
        turn = turn + 1 if turn + 1 < nations else 0
        put(s, at.LOST_DAMAGED if sunk <= call < sunk + damaged else at.LOST_SUNK, kind, 1)


@jit
def _next_cruiser(s: Words, c: Words, counts: int, nation: int, state: int) -> int:
    """The kind of a nation's cruisers in this state of which any is left, or NONE."""
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] == at.CA and c[at.LIGHT_NATION + kind] == nation:
            if c[at.LIGHT_STATE + kind] == state:
                lost = held(s, at.LOST_SUNK, kind) + held(s, at.LOST_DAMAGED, kind)
                if s[counts + 2 + 2 * i] > lost:
                    return int(kind)
    return NONE


@jit
def _lose_one_factor_ships(s: Words, c: Words, counts: int, losses: int) -> None:
    """20.57. Types go round first; within a type the nations do."""
    types = 0
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] != at.CA:
            type = 4 * c[at.LIGHT_TYPE + kind] + c[at.LIGHT_STATE + kind]
            types = _into_row(s, FEW, FEW_SIZE, types, type, s[counts + 2 + 2 * i])
    _rank(s, FEW, FEW_SIZE, types)
    _share(s, FEW_SIZE, FEW_TAKEN, types, losses)
    for place in range(types):
        if s[FEW_TAKEN + place] == 0:
            continue
        members = 0
        for i in range(s[counts]):
            kind = s[counts + 1 + 2 * i]
            if 4 * c[at.LIGHT_TYPE + kind] + c[at.LIGHT_STATE + kind] == s[FEW + place]:
                members = _into_row(s, SOME, SOME_SIZE, members, kind, s[counts + 2 + 2 * i])
        _rank(s, SOME, SOME_SIZE, members)
        _share(s, SOME_SIZE, SOME_TAKEN, members, s[FEW_TAKEN + place])
        for i in range(members):
            put(s, at.LOST_SUNK, s[SOME + i], s[SOME_TAKEN + i])


@jit
def lose_from(s: Words, c: Words, counts: int, hurt_to: int) -> None:
    """20.532. The losses allotted, out of a map; cruisers damaged go into the map at `hurt_to`, as such."""
    for i in range(s[at.LOST_SUNK]):
        take(s, counts, s[at.LOST_SUNK + 1 + 2 * i], s[at.LOST_SUNK + 2 + 2 * i])
    for i in range(s[at.LOST_DAMAGED]):
        take(s, counts, s[at.LOST_DAMAGED + 1 + 2 * i], s[at.LOST_DAMAGED + 2 + 2 * i])
    for i in range(s[at.LOST_DAMAGED]):
        put(s, hurt_to, c[at.LIGHT_HURT + s[at.LOST_DAMAGED + 1 + 2 * i]], s[at.LOST_DAMAGED + 2 + 2 * i])


@jit
def hit_light_ships(s: Words, c: Words, side: int, group: int) -> None:
    """20.532. The losses allotted take effect, and what the ships carried may be lost with them."""
    counts = at.GROUP_LIGHT + group
    lose_from(s, c, counts, counts)
    recount(s, c, group)
    for i in range(s[at.LOST_SUNK]):
        kind, number = s[at.LOST_SUNK + 1 + 2 * i], s[at.LOST_SUNK + 2 + 2 * i]
        s[at.SUNK_LIGHT + kind] += number
        lost = number * max(1, c[at.LIGHT_FACTORS + kind])  # transports count one (AM-02)
        s[at.ROUND_SUNK + side] += lost
        s[at.GROUP_LOST + group] += lost
        s[at.NEWLY_LIGHT + kind] = max(0, s[at.NEWLY_LIGHT + kind] - 2 * number)
    for i in range(s[at.LOST_DAMAGED]):
        hurt, number = c[at.LIGHT_HURT + s[at.LOST_DAMAGED + 1 + 2 * i]], s[at.LOST_DAMAGED + 2 + 2 * i]
        s[at.HURT_LIGHT + hurt] += number
        s[at.GROUP_HURT + group] = 1
        s[at.NEWLY_LIGHT + hurt] += 2 * number
    if s[at.GROUP_CARGO + group]:
        _lose_cargo(s, c, side, group, at.DD)
        _lose_cargo(s, c, side, group, at.TR)


# -- cargo ------------------------------------------------------------------------------------------------


@jit
def _lose_cargo(s: Words, c: Words, side: int, group: int, by: int) -> None:
    """22.82A. Cargo that a group can no longer carry is lost at once: what comes first and still fits is saved."""
    room, needs = number_of(s, c, at.GROUP_LIGHT + group, by), 0
    first, every = side * at.MOST_CARGO, int(s[at.GROUP_CARGO + group])
    left = every
    while left:
        cargo = first + lowest(left)
        left &= left - 1
        if c[at.CARGO_BY + cargo] == by:
            needs += s[at.CARGO_NEEDS + cargo]
    if needs <= room:
        return
    left = every
    while left:
        cargo = first + lowest(left)
        left &= left - 1
        if c[at.CARGO_BY + cargo] == by:
            saved = int(s[at.CARGO_NEEDS + cargo])
            if saved > room:
                saved = room if c[at.CARGO_DIVISIBLE + cargo] else 0
            room -= saved
            s[at.CARGO_NEEDS + cargo] = saved
            if saved == 0:
                s[at.GROUP_CARGO + group] &= ~(1 << (cargo - first))


@jit
def stow_cargo(s: Words, c: Words, side: int, group: int) -> None:
    """22.82A. Destroyers take over what sunken ones carried, as far as they go; idle ones are unloaded (FP-07)."""
    if not c[at.LADEN + side]:
        return
    counts = at.GROUP_LIGHT + group
    change = 0
    left = int(s[at.GROUP_CARGO + group])
    while left:
        cargo = side * at.MOST_CARGO + lowest(left)
        left &= left - 1
        if c[at.CARGO_BY + cargo] == at.DD:
            change += s[at.CARGO_NEEDS + cargo]
    for i in range(s[counts]):
        if c[at.LIGHT_STATE + s[counts + 1 + 2 * i]] == at.LOADED:
            change -= s[counts + 2 + 2 * i]
    if change == 0:
        return
    moves = 0
    for i in range(s[counts]):
        kind, number = s[counts + 1 + 2 * i], s[counts + 2 + 2 * i]
        if c[at.LIGHT_TYPE + kind] == at.DD:
            moved = 0
            if change > 0 and c[at.LIGHT_STATE + kind] == at.SOUND:
                moved = min(number, change)
                change -= moved
            elif change < 0 and c[at.LIGHT_STATE + kind] == at.LOADED:
                moved = min(number, -change)
                change += moved
            if moved > 0:
                s[FEW + moves] = kind
                s[FEW_SIZE + moves] = moved
                moves += 1
    for i in range(moves):
        kind, moved = s[FEW + i], s[FEW_SIZE + i]
        to = c[at.LIGHT_LADEN + kind] if c[at.LIGHT_STATE + kind] == at.SOUND else c[at.LIGHT_EMPTY + kind]
        take(s, counts, kind, moved)
        put(s, counts, to, moved)
    recount(s, c, group)


@jit
def clear_away(s: Words, c: Words, side: int, group: int) -> None:
    """20.511. After an attack: cargo is stowed anew, and a group with nothing left is gone."""
    stow_cargo(s, c, side, group)
    eliminate_if_empty(s, group)
