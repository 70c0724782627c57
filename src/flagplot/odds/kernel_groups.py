"""What a compiled battle can say of a combat group (22.42), and what either side sees of it (doctrine/sight.py)."""

from __future__ import annotations

from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import Sight
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import put_all, total
from flagplot.odds.kernel_sets import count, lowest, size_of, sound_ships

# -- contents -------------------------------------------------------------------------------------


@leaf
def group_numbered(s: Words, side: int, number: int) -> int:
    """22.423. The group with this number, or NONE."""
    return int(s[at.GROUP_OF + side * at.NUMBERS + number])


@leaf
def side_of(group: int) -> int:
    """Whose group it is."""
    return 1 if group >= at.SECOND_GROUPS else 0


@jit
def recount(s: Words, c: Words, group: int) -> None:
    """What the light ships of a group come to, now that there are others: 20.531 naval factors, 22.451D those of undamaged
    ones, those that can fire, 22.422 whether any is slow, and 22.71 whether any is undamaged."""
    counts = at.GROUP_LIGHT + group
    every = undamaged = guns = slow = sound = 0
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        type, state = c[at.LIGHT_TYPE + kind], c[at.LIGHT_STATE + kind]
        amount = int(c[at.LIGHT_FACTORS + kind]) * int(s[counts + 2 + 2 * i])
        every += amount
        undamaged += amount * (state != at.DAMAGED)
        guns += amount * ((type <= at.DD) & (state == at.SOUND))
        slow |= (type >= at.CVE) | (state == at.DAMAGED)
        sound |= state != at.DAMAGED
    s[at.LIGHT_FACTORS_ALL + group] = every
    s[at.LIGHT_FACTORS_UNDAMAGED + group] = undamaged
    s[at.LIGHT_GUNS + group] = guns
    s[at.LIGHT_SLOW + group] = slow
    s[at.LIGHT_SOUND + group] = sound


@leaf
def factors(s: Words, c: Words, side: int, group: int) -> int:
    """22.421A. Naval factors, damaged units counted, transports not."""
    return size_of(c, side, s[at.GROUP_SHIPS + group]) + int(s[at.LIGHT_FACTORS_ALL + group])


@jit
def light_factors(s: Words, c: Words, where: int) -> int:
    """20.531. The naval factors of a map of light ships."""
    amount = 0
    for i in range(s[where]):
        amount += c[at.LIGHT_FACTORS + s[where + 1 + 2 * i]] * s[where + 2 + 2 * i]
    return amount


@leaf
def undamaged_factors(s: Words, c: Words, side: int, group: int) -> int:
    """22.451D. Naval factors of undamaged units."""
    return size_of(c, side, sound_ships(s, side, group)) + int(s[at.LIGHT_FACTORS_UNDAMAGED + group])


@jit
def number_of(s: Words, c: Words, where: int, type: int) -> int:
    """How many light ships of a type a map holds, in any state."""
    amount = 0
    for i in range(s[where]):
        amount += s[where + 2 + 2 * i] * (c[at.LIGHT_TYPE + s[where + 1 + 2 * i]] == type)
    return int(amount)


@leaf
def fast_carriers(s: Words, c: Words, side: int, group: int) -> int:
    """22.452B. How many fast carriers a group holds."""
    return int(count(s[at.GROUP_SHIPS + group] & c[at.CARRIER_SHIPS + side]))


@leaf
def afloat(s: Words, group: int) -> bool:
    """Whether any naval unit of a group is afloat."""
    return bool((s[at.GROUP_LIGHT + group] | s[at.GROUP_SHIPS + group]) != 0)


@leaf
def encumbered(s: Words, group: int) -> bool:
    """22.427. Whether a group carries cargo or guards sea supply."""
    return bool((s[at.GROUP_SUPPLY + group] | s[at.GROUP_CARGO + group]) != 0)


@leaf
def is_fast(s: Words, c: Words, side: int, group: int) -> bool:
    """22.422. A group is fast unless it holds a slow or damaged ship, a CVE or transport, cargo, or sea supply."""
    slow = s[at.GROUP_SHIPS + group] & (s[at.DAMAGED_SHIPS + side] | ~c[at.FAST_SHIPS + side])
    return bool((slow | s[at.LIGHT_SLOW + group] | s[at.GROUP_SUPPLY + group] | s[at.GROUP_CARGO + group]) == 0)


@jit
def fully_operational(s: Words, c: Words, side: int) -> int:
    """22.451D. The fast carriers of a side that are undamaged and have all their naval air squadrons (RC-22)."""
    found = 0
    left = int(s[at.READY_CARRIERS + side] & ~s[at.DAMAGED_SHIPS + side])
    while left:
        place = lowest(left)
        left &= left - 1
        ship = side * at.MOST_SHIPS + place
        found |= int(total(s, at.WING + ship * at.WING_MAP) >= c[at.SHIP_SIZE + ship]) << place
    return found


@leaf
def is_active(s: Words, group: int) -> bool:
    """22.425. Whether a group is active; otherwise it is distant."""
    return bool(s[at.GROUP_NUMBER + group] <= s[at.ROUND])


# -- coming and going ------------------------------------------------------------------------------


@jit
def reveal(s: Words, c: Words, group: int) -> None:
    """22.423B. A group that is attacked, or that seeks out a distant one, shows its ships."""
    if not s[at.GROUP_REVEALED + group]:
        s[at.GROUP_REVEALED + group] = 1
        side = side_of(group)
        s[at.CARRIERS_SEEN + side] = max(s[at.CARRIERS_SEEN + side], fast_carriers(s, c, side, group))


@jit
def give_number(s: Words, side: int, group: int, number: int) -> None:
    """22.423. A group has this number from now on."""
    s[at.GROUP_NUMBER + group] = number
    s[at.GROUP_OF + side * at.NUMBERS + number] = group
    s[at.NUMBERS_USED + side] |= 1 << number


@jit
def give_up_number(s: Words, side: int, number: int) -> None:
    """22.423. A number is free."""
    s[at.GROUP_OF + side * at.NUMBERS + number] = NONE
    s[at.NUMBERS_USED + side] &= ~(1 << number)


@jit
def remove_group(s: Words, group: int) -> None:
    """20.511. A group leaves the chart."""
    s[at.GROUP_HERE + group] = 0
    give_up_number(s, side_of(group), s[at.GROUP_NUMBER + group])


@jit
def eliminate_if_empty(s: Words, group: int) -> None:
    """20.511. A group with nothing left, not even a supply line, is gone; its patrol is still in the air."""
    if not s[at.GROUP_SUPPLY + group] and not afloat(s, group):
        remove_group(s, group)
        put_all(s, at.PATROL_LEFT + side_of(group) * at.DECK_MAP, at.GROUP_PATROL + group)


# -- what a side sees ---------------------------------------------------------------------------------


@leaf
def doctrine_of(c: Words, side: int) -> Doctrine:
    """The numbers a side goes by (doctrine/doctrine.py)."""
    d = at.DOCTRINE + side * at.DOCTRINE_WORDS
    return Doctrine(
        int(c[d]),
        int(c[d + 1]),
        int(c[d + 2]),
        int(c[d + 3]),
        int(c[d + 4]),
        int(c[d + 5]),
        int(c[d + 6]),
        int(c[d + 7]),
        int(c[d + 8]),
        int(c[d + 9]),
        int(c[d + 10]),
        int(c[d + 11]),
        int(c[d + 12]),
        int(c[d + 13]),
        int(c[d + 14]),
        int(c[d + 15]),
        int(c[d + 16]),
        int(c[d + 17]),
        int(c[d + 18]),
        int(c[d + 19]),
    )


@leaf
def guns(s: Words, c: Words, side: int, group: int) -> int:
    """The undamaged factors of a group that can fire."""
    ships = sound_ships(s, side, group) & ~c[at.CARRIER_SHIPS + side]
    return size_of(c, side, ships) + int(s[at.LIGHT_GUNS + group])


@leaf
def known_guns(s: Words, c: Words, side: int, group: int, doctrine: Doctrine) -> int:
    """The guns of a group as far as the enemy of its side knows, or a guess."""
    if s[at.GROUP_REVEALED + group]:
        return guns(s, c, side, group)
    return _guessed_guns(s, group, doctrine)


@leaf
def _guessed_guns(s: Words, group: int, doctrine: Doctrine) -> int:
    return doctrine.small_guns if s[at.DISCLOSED_UNDER_TEN + group] else doctrine.hidden_guns


@jit
def aboard(s: Words, side: int, ships: int) -> int:
    """The naval air aboard a set of carriers."""
    amount = 0
    while ships:
        amount += total(s, at.WING + (side * at.MOST_SHIPS + lowest(ships)) * at.WING_MAP)
        ships &= ships - 1
    return amount


@jit
def shore_air(s: Words, c: Words, side: int) -> int:
    """Land-based squadrons of a side that can attack ships; a factor has one."""
    amount = 0
    for base in range(side * at.MOST_BASES, side * at.MOST_BASES + c[at.BASE_COUNT + side]):
        if c[at.BASE_OPERATIONAL + base]:
            amount += total(s, at.BASE_FACTORS + base * at.BASE_WORDS)
            where = at.BASE_SQUADRONS + base * at.BASE_WORDS
            for j in range(s[where]):
                key = s[where + 1 + 2 * j]
                kind = c[at.KEY_KIND + key]
                if kind == at.NAS or kind == at.KAM or c[at.KEY_STATE + key] == at.FOR_ATTACK:
                    amount += s[where + 2 + 2 * j]
    return amount


@leaf
def sight_of_group(s: Words, c: Words, side: int, group: int, target_guns: int) -> Sight:
    """What a policy sees of one group of its side that faces so many guns; the rest of the battle plays no part."""
    laden = 1 if encumbered(s, group) else 0
    own, carriers = guns(s, c, side, group), fast_carriers(s, c, side, group)
    return Sight(int(s[at.ROUND]), 0, 0, 0, 0, own, carriers, laden, int(target_guns))


@jit
def sight_of_battle(s: Words, c: Words, side: int, doctrine: Doctrine, own_air: int, enemy_air: int) -> Sight:
    """What a policy sees of the battle as a whole; so much land-based air there is on either side."""
    enemy = 1 - side
    own_guns = enemy_guns = own_ships = enemy_ships = 0
    left = int(s[at.NUMBERS_USED + side])
    while left:
        group = group_numbered(s, side, lowest(left))
        left &= left - 1
        own_ships |= s[at.GROUP_SHIPS + group]
        own_guns += s[at.LIGHT_GUNS + group]
    own_ships &= ~s[at.DAMAGED_SHIPS + side]
    own_guns += size_of(c, side, own_ships & ~c[at.CARRIER_SHIPS + side])
    own_air += aboard(s, side, own_ships & s[at.READY_CARRIERS + side])
    left = int(s[at.NUMBERS_USED + enemy])
    while left:
        group = group_numbered(s, enemy, lowest(left))
        left &= left - 1
        if s[at.GROUP_REVEALED + group]:
            enemy_ships |= s[at.GROUP_SHIPS + group]
            enemy_guns += s[at.LIGHT_GUNS + group]
        else:
            enemy_guns += _guessed_guns(s, group, doctrine)
            enemy_air += doctrine.carrier_air * s[at.DISCLOSED_CARRIERS + group]
    enemy_ships &= ~s[at.DAMAGED_SHIPS + enemy]
    enemy_guns += size_of(c, enemy, enemy_ships & ~c[at.CARRIER_SHIPS + enemy])
    enemy_air += size_of(c, enemy, enemy_ships & c[at.CARRIER_SHIPS + enemy])
    return Sight(int(s[at.ROUND]), own_guns, enemy_guns, own_air, enemy_air, 0, 0, 0, 0)


@leaf
def forced(s: Words, c: Words, field: int, side: int) -> int:
    """What a side is made to answer in this round, or NONE (overrides of kernel_layout.py)."""
    when = c[at.FORCED_ROUND + side]
    return int(c[field + side]) if when == NONE or when == s[at.ROUND] else NONE
