"""What a compiled battle can say of a combat group (22.42), and what either side sees of it (doctrine/sight.py)."""

from __future__ import annotations

from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import Sight
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import put_all, total

# -- contents -------------------------------------------------------------------------------------


@leaf
def group_numbered(s: Words, side: int, number: int) -> int:
    """22.423. The group with this number, or NONE."""
    return int(s[at.GROUP_OF + side * at.NUMBERS + number])


@jit
def factors(s: Words, c: Words, group: int) -> int:
    """22.421A. Naval factors, damaged units counted, transports not."""
    amount = 0
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group:
            amount += c[at.SHIP_SIZE + ship]
    return amount + light_factors(s, c, at.GROUP_LIGHT + group * at.LIGHT_MAP)


@jit
def light_factors(s: Words, c: Words, where: int) -> int:
    """20.531. The naval factors of a map of light ships."""
    amount = 0
    for i in range(s[where]):
        amount += c[at.LIGHT_FACTORS + s[where + 1 + 2 * i]] * s[where + 2 + 2 * i]
    return amount


@jit
def undamaged_factors(s: Words, c: Words, group: int) -> int:
    """22.451D. Naval factors of undamaged units."""
    amount = 0
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group and not s[at.SHIP_DAMAGED + ship]:
            amount += c[at.SHIP_SIZE + ship]
    where = at.GROUP_LIGHT + group * at.LIGHT_MAP
    for i in range(s[where]):
        kind = s[where + 1 + 2 * i]
        if c[at.LIGHT_STATE + kind] != at.DAMAGED:
            amount += c[at.LIGHT_FACTORS + kind] * s[where + 2 + 2 * i]
    return amount


@jit
def number_of(s: Words, c: Words, where: int, type: int) -> int:
    """How many light ships of a type a map holds, in any state."""
    amount = 0
    for i in range(s[where]):
        if c[at.LIGHT_TYPE + s[where + 1 + 2 * i]] == type:
            amount += s[where + 2 + 2 * i]
    return amount


@leaf
def changed(s: Words, group: int) -> None:
    """A group has lost ships or other ships joined it, or some were damaged, loaded or unloaded: its guns and carriers are
    to be counted anew."""
    s[at.GROUP_GUNS + group] = s[at.GROUP_CARRIERS + group] = NONE


@leaf
def fast_carriers(s: Words, c: Words, group: int) -> int:
    """22.452B. How many fast carriers a group holds."""
    if s[at.GROUP_CARRIERS + group] == NONE:
        s[at.GROUP_CARRIERS + group] = _count_carriers(s, c, group)
    return int(s[at.GROUP_CARRIERS + group])


@jit
def _count_carriers(s: Words, c: Words, group: int) -> int:
    amount = 0
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group:
            amount += c[at.SHIP_CARRIER + ship]
    return amount


@leaf
def has_ships(s: Words, group: int) -> bool:
    """Whether a group has a named ship."""
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group:
            return True
    return False


@jit
def afloat(s: Words, group: int) -> bool:
    """Whether any naval unit of a group is afloat."""
    return s[at.GROUP_LIGHT + group * at.LIGHT_MAP] > 0 or has_ships(s, group)


@jit
def has_cargo(s: Words, group: int) -> bool:
    """22.82. Whether a group carries cargo."""
    for cargo in range(s[at.CARGO_FIRST + group], s[at.CARGO_END + group]):
        if s[at.CARGO_AT + cargo] == group:
            return True
    return False


@jit
def encumbered(s: Words, group: int) -> bool:
    """22.427. Whether a group carries cargo or guards sea supply."""
    return s[at.GROUP_SUPPLY + group] != 0 or has_cargo(s, group)


@jit
def is_fast(s: Words, c: Words, group: int) -> bool:
    """22.422. A group is fast unless it holds a slow or damaged ship, a CVE or transport, cargo, or sea supply."""
    if encumbered(s, group):
        return False
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group and (not c[at.SHIP_FAST + ship] or s[at.SHIP_DAMAGED + ship]):
            return False
    where = at.GROUP_LIGHT + group * at.LIGHT_MAP
    for i in range(s[where]):
        kind = s[where + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] >= at.CVE or c[at.LIGHT_STATE + kind] == at.DAMAGED:
            return False
    return True


@jit
def fully_operational(s: Words, c: Words, ship: int) -> bool:
    """22.451D. A fast carrier that is undamaged and has all its naval air squadrons (RC-22)."""
    if not c[at.SHIP_CARRIER + ship] or s[at.SHIP_DAMAGED + ship]:
        return False
    return bool(total(s, at.WING + ship * at.WING_MAP) >= c[at.SHIP_SIZE + ship])


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
        side = group // at.MOST_SLOTS
        s[at.CARRIERS_SEEN + side] = max(s[at.CARRIERS_SEEN + side], fast_carriers(s, c, group))


@jit
def remove_group(s: Words, group: int) -> None:
    """20.511. A group leaves the chart."""
    s[at.GROUP_HERE + group] = 0
    s[at.GROUP_OF + group // at.MOST_SLOTS * at.NUMBERS + s[at.GROUP_NUMBER + group]] = NONE


@jit
def eliminate_if_empty(s: Words, group: int) -> None:
    """20.511. A group with nothing left, not even a supply line, is gone; its patrol is still in the air."""
    if not s[at.GROUP_SUPPLY + group] and not afloat(s, group):
        remove_group(s, group)
        side = group // at.MOST_SLOTS
        put_all(s, at.PATROL_LEFT + side * at.DECK_MAP, at.GROUP_PATROL + group * at.DECK_MAP)


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
def guns(s: Words, c: Words, group: int) -> int:
    """The undamaged factors of a group that can fire."""
    if s[at.GROUP_GUNS + group] == NONE:
        s[at.GROUP_GUNS + group] = _count_guns(s, c, group)
    return int(s[at.GROUP_GUNS + group])


@jit
def _count_guns(s: Words, c: Words, group: int) -> int:
    amount = 0
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group and not c[at.SHIP_CARRIER + ship] and not s[at.SHIP_DAMAGED + ship]:
            amount += c[at.SHIP_SIZE + ship]
    where = at.GROUP_LIGHT + group * at.LIGHT_MAP
    for i in range(s[where]):
        kind = s[where + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] <= at.DD and c[at.LIGHT_STATE + kind] == at.SOUND:
            amount += c[at.LIGHT_FACTORS + kind] * s[where + 2 + 2 * i]
    return amount


@leaf
def known_guns(s: Words, c: Words, group: int, doctrine: Doctrine) -> int:
    """The guns of an enemy group as far as a side knows, or a guess."""
    if s[at.GROUP_REVEALED + group]:
        return guns(s, c, group)
    return doctrine.small_guns if s[at.DISCLOSED_UNDER_TEN + group] else doctrine.hidden_guns


@jit
def deck_air(s: Words, c: Words, group: int) -> int:
    """The naval air aboard a group's sound carriers."""
    amount = 0
    if fast_carriers(s, c, group) == 0:
        return amount
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group and not s[at.SHIP_DAMAGED + ship]:
            amount += total(s, at.WING + ship * at.WING_MAP)
    return amount


@leaf
def known_deck_air(s: Words, c: Words, group: int, doctrine: Doctrine) -> int:
    """The naval air of an enemy group as far as a side knows: what its carriers can hold, or a guess."""
    if not s[at.GROUP_REVEALED + group]:
        return doctrine.carrier_air * int(s[at.DISCLOSED_CARRIERS + group])
    amount = 0
    for ship in range(s[at.GROUP_FIRST + group], s[at.GROUP_END + group]):
        if s[at.SHIP_AT + ship] == group and c[at.SHIP_CARRIER + ship] and not s[at.SHIP_DAMAGED + ship]:
            amount += c[at.SHIP_SIZE + ship]
    return amount


@jit
def shore_air(s: Words, c: Words, side: int) -> int:
    """Land-based squadrons of a side that can attack ships; a factor has one."""
    amount = 0
    for i in range(c[at.BASE_COUNT + side]):
        base = side * at.MOST_BASES + i
        if c[at.BASE_OPERATIONAL + base]:
            amount += total(s, at.BASE_FACTORS + base * at.BASE_MAP)
            where = at.BASE_SQUADRONS + base * at.BASE_MAP
            for j in range(s[where]):
                key = s[where + 1 + 2 * j]
                kind = c[at.KEY_KIND + key]
                if kind == at.NAS or kind == at.KAM or c[at.KEY_STATE + key] == at.FOR_ATTACK:
                    amount += s[where + 2 + 2 * j]
    return amount


@leaf
def sight_of_group(s: Words, c: Words, group: int, target_guns: int) -> Sight:
    """What a policy sees of one group that faces so many guns; the rest of the battle plays no part."""
    laden = 1 if encumbered(s, group) else 0
    return Sight(
        int(s[at.ROUND]), 0, 0, 0, 0, 0, 0, guns(s, c, group), fast_carriers(s, c, group), laden, int(target_guns)
    )


@jit
def sight_of_battle(s: Words, c: Words, side: int, doctrine: Doctrine) -> Sight:
    """What a policy sees of the battle as a whole."""
    own_guns = enemy_guns = own_groups = enemy_groups = 0
    own_air, enemy_air = shore_air(s, c, side), shore_air(s, c, 1 - side)
    for number in range(1, at.MOST_GROUPS + 1):
        mine, theirs = group_numbered(s, side, number), group_numbered(s, 1 - side, number)
        if mine != NONE:
            own_groups += 1
            own_guns += guns(s, c, mine)
            own_air += deck_air(s, c, mine)
        if theirs != NONE:
            enemy_groups += 1
            enemy_guns += known_guns(s, c, theirs, doctrine)
            enemy_air += known_deck_air(s, c, theirs, doctrine)
    return Sight(int(s[at.ROUND]), own_guns, enemy_guns, own_groups, enemy_groups, own_air, enemy_air, 0, 0, 0, 0)


@leaf
def forced(s: Words, c: Words, field: int, side: int) -> int:
    """What a side is made to answer in this round, or NONE (overrides of kernel_layout.py)."""
    when = c[at.FORCED_ROUND + side]
    return int(c[field + side]) if when == NONE or when == s[at.ROUND] else NONE
