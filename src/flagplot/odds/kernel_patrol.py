"""22.43, 23.3 and 22.463 compiled: combat air patrol before anybody is looked for, and the landing of naval air.

The admiral sends nothing against air bases, so there is no counterair here; he lands as he is offered to.
"""

from __future__ import annotations

from flagplot.doctrine import flying, policies
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, segment
from flagplot.odds.kernel_groups import doctrine_of, forced, group_numbered, shore_air
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import copy_map, put, put_all, take_at, total
from flagplot.odds.kernel_sets import lowest, mark_ready, ready_carriers, sound_carriers

PER_PATROL = 3  # at most a third of a group's naval air (23.33)
ROOM = at.AIR_SCRATCH + 64  # carriers with room, pairs (ship, room)

patrols = jit(policies.patrols)
ordinary_on_patrol = jit(flying.ordinary_on_patrol)


@jit
def _most_on_patrol(s: Words, c: Words, side: int, group: int, available: int, feared: int) -> int:
    """23.33. What the admiral sends, or what he is told to, a third of the group's naval air at most."""
    third = -(-available // PER_PATROL)
    told = forced(s, c, at.FORCED_PATROL + (group - at.GROUPS) // at.GROUP_WORDS - side, side)
    if told != NONE:
        return min(told, third)
    return patrols(third, s[at.ROUND], s[at.CARRIERS_SEEN + 1 - side], feared, doctrine_of(c, side))


@jit
def _patrol(s: Words, c: Words, side: int, group: int, feared: int) -> None:
    """22.431. Naval air leaves its decks for patrol over its own group, ordinary crews first, against so much land-based
    air."""
    available, ordinary = 0, 0
    first, carriers = side * at.MOST_SHIPS, ready_carriers(s, side, group)
    ships = carriers
    while ships:
        wing = at.WING + (first + lowest(ships)) * at.WING_MAP
        ships &= ships - 1
        for i in range(s[wing]):
            number = s[wing + 2 + 2 * i]
            available += number
            ordinary += number * (c[at.KEY_STATE + s[wing + 1 + 2 * i]] != at.ELITE)
    most = _most_on_patrol(s, c, side, group, available, feared)
    left = ordinary_on_patrol(most, ordinary)
    left_elite = most - left
    ships = carriers
    while ships and left + left_elite > 0:
        ship = first + lowest(ships)
        ships &= ships - 1
        wing = at.WING + ship * at.WING_MAP
        i = 0
        while i < s[wing]:
            key, number = s[wing + 1 + 2 * i], s[wing + 2 + 2 * i]
            elite = c[at.KEY_STATE + key] == at.ELITE
            flying_now = min(left_elite if elite else left, number)
            if elite:
                left_elite -= flying_now
            else:
                left -= flying_now
            take_at(s, wing, i, flying_now)
            put(s, at.GROUP_PATROL + group, key, flying_now)
            if flying_now < number:
                i += 1
        mark_ready(s, side, ship)


@segment
def counterair(s: Words, c: Words) -> None:
    """22.41B. Both sides set their patrols; nobody attacks air bases."""
    if not c[at.AIRCRAFT]:
        return
    for side in range(at.SIDES):
        if not c[at.CARRIERS + side]:
            continue
        feared = shore_air(s, c, 1 - side)
        left = int(s[at.NUMBERS_USED + side])
        while left:
            group = group_numbered(s, side, lowest(left))
            left &= left - 1
            if ready_carriers(s, side, group):
                _patrol(s, c, side, group, feared)


# -- landing ----------------------------------------------------------------------------------------------


@jit
def base_room(s: Words, c: Words, base: int) -> int:
    """18.12. For how many more squadrons there is room at a base."""
    factors = total(s, at.BASE_FACTORS + base * at.BASE_WORDS) + total(
        s, at.BASE_INVERTED_FACTORS + base * at.BASE_WORDS
    )
    squadrons = total(s, at.BASE_SQUADRONS + base * at.BASE_WORDS) + total(s, at.BASE_INVERTED + base * at.BASE_WORDS)
    return max(0, int(c[at.BASE_CAPACITY + base]) - 3 * factors - squadrons)


@jit
def _carriers_with_room(s: Words, c: Words, side: int) -> int:
    """22.463. The sound carriers that can take more naval air, in the order of their groups; how many there are."""
    found = 0
    left = int(s[at.NUMBERS_USED + side])
    while left:
        ships = sound_carriers(s, c, side, group_numbered(s, side, lowest(left)))
        left &= left - 1
        while ships:
            ship = side * at.MOST_SHIPS + lowest(ships)
            ships &= ships - 1
            room = c[at.SHIP_SIZE + ship] - total(s, at.WING + ship * at.WING_MAP)
            s[ROOM + 2 * found] = ship
            s[ROOM + 2 * found + 1] = room
            found += room > 0
    return int(found)


@jit
def _aboard(s: Words, side: int, carriers: int, key: int, number: int) -> int:
    """22.463. Squadrons land on the first carriers with room; how many find none."""
    for i in range(carriers):
        here = min(number, int(s[ROOM + 2 * i + 1]))
        if here:
            put(s, at.WING + s[ROOM + 2 * i] * at.WING_MAP, key, here)
            mark_ready(s, side, s[ROOM + 2 * i])
            s[ROOM + 2 * i + 1] -= here
            number -= here
        if number == 0:
            break
    return number


@jit
def _ashore(s: Words, c: Words, side: int, key: int, number: int) -> int:
    """22.463B. Squadrons from patrol land at near bases with room, inverted; how many find none."""
    for i in range(c[at.BASE_COUNT + side]):
        base = side * at.MOST_BASES + i
        if number and c[at.BASE_NEAR + base]:
            here = min(number, base_room(s, c, base))
            if here:
                put(s, at.BASE_INVERTED + base * at.BASE_WORDS, c[at.KEY_ASHORE + key * at.MOST_BASES + i], here)
                number -= here
    return number


@jit
def land(s: Words, c: Words, side: int) -> None:
    """22.463. Returning squadrons, then those aboard carriers damaged this round, then patrols; who finds no place is
    lost."""
    if c[at.CARRIERS + side] == 0:
        return
    carriers = _carriers_with_room(s, c, side)
    aloft = at.ALOFT + side * at.DECK_MAP
    for i in range(s[aloft]):
        key = s[aloft + 1 + 2 * i]
        s[at.AIR_LOST + key] += _aboard(s, side, carriers, key, s[aloft + 2 + 2 * i])
    s[aloft] = 0
    flying_now = at.AIR_SCRATCH
    copy_map(s, at.PATROL_LEFT + side * at.DECK_MAP, flying_now)
    s[at.PATROL_LEFT + side * at.DECK_MAP] = 0
    hurt = s[at.NEWLY_SHIPS + side] & c[at.CARRIER_SHIPS + side]
    left = int(s[at.NUMBERS_USED + side])
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        ships = int(s[at.GROUP_SHIPS + group] & hurt)
        while ships:
            ship = side * at.MOST_SHIPS + lowest(ships)
            ships &= ships - 1
            wing = at.WING + ship * at.WING_MAP
            for i in range(s[wing]):
                key = s[wing + 1 + 2 * i]
                s[at.AIR_LOST + key] += _aboard(s, side, carriers, key, s[wing + 2 + 2 * i])
            s[wing] = 0
            mark_ready(s, side, ship)
        put_all(s, flying_now, at.GROUP_PATROL + group)
        s[at.GROUP_PATROL + group] = 0
    for i in range(s[flying_now]):
        key = s[flying_now + 1 + 2 * i]
        homeless = _aboard(s, side, carriers, key, s[flying_now + 2 + 2 * i])
        s[at.AIR_LOST + key] += _ashore(s, c, side, key, homeless)
