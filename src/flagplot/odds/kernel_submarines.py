"""22.9 Submarine attacks in a compiled battle, both sides led by the admiral: all on the group worth most, at once."""

from __future__ import annotations

from flagplot.doctrine import policies
from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf, segment
from flagplot.odds.kernel_air_sight import enemy_worth
from flagplot.odds.kernel_dice import die, two_dice
from flagplot.odds.kernel_groups import (
    afloat,
    encumbered,
    fully_operational,
    group_numbered,
    number_of,
    reveal,
    side_of,
)
from flagplot.odds.kernel_hits import allot, clear_away, hit_light_ships, hit_ship
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import held, take
from flagplot.odds.kernel_sets import count, lowest
from flagplot.odds.kernel_tables import SUBMARINE_FIRST, SUBMARINE_HITS, SUBMARINE_LAST, SUBMARINE_LOST

ADVANCED = CURRENT.submarine.advanced
MOST_ITALIC, MOST_OVERALL, PER = CURRENT.submarine.most_italic, CURRENT.submarine.most_overall, CURRENT.submarine.per
CARRIERS, CAPITAL, LIGHT = range(3)  # categories (22.93E)
NO_DRM = 99  # higher than any

target_worth = leaf(policies.target_worth)


@jit
def _attacked_group(s: Words, c: Words, side: int) -> int:
    """22.93B. Of the enemy's groups that were found or fought, the one worth most; NONE too if nobody is left to attack it."""
    best, most, boats = NONE, 0, 0
    for i in range(c[at.BOAT_COUNT + side]):
        boats += s[at.BOATS + side * at.MOST_BOATS + i]
    if boats == 0:
        return NONE
    left = int(s[at.NUMBERS_USED + 1 - side])
    while left:
        group = group_numbered(s, 1 - side, lowest(left))
        left &= left - 1
        if s[at.FOUND + group] > 0 or s[at.FOUGHT + group]:
            worth = enemy_worth(s, c, side, group)
            if best == NONE or worth > most:
                best, most = group, worth
    return best


@jit
def _category(s: Words, c: Words, enemy: int, group: int) -> int:
    """22.93E. The category a submarine meets: a die where there are several, shared by halves or by thirds."""
    ships = s[at.GROUP_SHIPS + group]
    carriers = 1 if ships & c[at.CARRIER_SHIPS + enemy] else 0
    capital = 1 if ships & ~c[at.CARRIER_SHIPS + enemy] else 0
    lights = 1 if s[at.GROUP_LIGHT + group] > 0 else 0
    present = carriers + capital + lights
    place = (die(s) - 1) * present // 6 if present > 1 else 0
    if carriers:
        if place == 0:
            return CARRIERS
        place -= 1
    if capital and place == 0:
        return CAPITAL
    return LIGHT


@jit
def _target(s: Words, c: Words, enemy: int, group: int, category: int) -> int:
    """22.93E. Within a category the ship nearest to sinking; NONE stands for the light ships."""
    if category == LIGHT:
        return NONE
    best, target = NONE, NONE
    carriers = int(c[at.CARRIER_SHIPS + enemy])
    left = int(s[at.GROUP_SHIPS + group]) & (carriers if category == CARRIERS else ~carriers)
    while left:
        place = lowest(left)
        left &= left - 1
        ship = enemy * at.MOST_SHIPS + place
        damaged = (s[at.DAMAGED_SHIPS + enemy] >> place) & 1
        worth = target_worth(c[at.SHIP_SIZE + ship], s[at.SHIP_HITS + ship], damaged)
        if worth > best:
            best, target = worth, ship
    return target


@jit
def _limited(amount: int) -> int:
    """22.941. A category of modifiers within its limit."""
    return max(-MOST_ITALIC, min(MOST_ITALIC, amount))


@jit
def _modifier(s: Words, c: Words, side: int, boat: int, group: int, target: int) -> int:
    """22.941. The modifier of one attack, category by category (RC-70); an advanced submarine has its own."""
    if c[at.BOAT_ADVANCED + boat]:
        return ADVANCED
    enemy = 1 - side
    counts = at.GROUP_LIGHT + group
    drm, vulnerable = NO_DRM, s[at.GROUP_UNLADEN + group] != 0 or encumbered(s, group)
    if target != NONE:
        drm = int(c[at.SHIP_DRM + target])
        vulnerable = vulnerable or (s[at.DAMAGED_SHIPS + enemy] >> (target - enemy * at.MOST_SHIPS)) & 1 != 0
    else:
        for i in range(s[counts]):
            kind = s[counts + 1 + 2 * i]
            drm = min(drm, int(c[at.LIGHT_DRM + kind]))
            vulnerable = vulnerable or c[at.LIGHT_STATE + kind] == at.DAMAGED
    carriers = count(fully_operational(s, c, enemy) & s[at.GROUP_SHIPS + group])
    defending = int(s[at.SEARCHING + enemy]) + carriers + number_of(s, c, counts, at.CVE)
    modifier = int(c[at.BOAT_DRM + boat]) - drm + int(c[at.TACTICAL + side]) - int(c[at.TACTICAL + enemy])
    modifier += _limited(int(c[at.TORPEDO_RESEARCH + side]) - int(c[at.ASW_RESEARCH + enemy]))
    modifier += _limited(int(s[at.SEARCHING + side]) // PER - defending // PER)
    modifier += _limited(-(number_of(s, c, counts, at.DD) // PER))
    modifier += _limited(-(int(c[at.BOAT_ASW + boat]) // PER))
    modifier -= int(s[at.SUBMARINE_ATTACKS + group]) - 1
    if vulnerable:
        modifier += 1
    codebreaking = int(c[at.SUBMARINE_CODEBREAKING + side]) - int(c[at.SUBMARINE_CODEBREAKING + enemy])
    modifier += max(-1, min(1, codebreaking))
    return max(-MOST_OVERALL, min(MOST_OVERALL, modifier))


@jit
def _shift_losses(s: Words, c: Words, group: int) -> None:
    """22.9432. Destroyer losses fall on destroyers elsewhere as far as there are any in reach (RC-75)."""
    owner = side_of(group)
    i = 0
    while i < s[at.LOST_SUNK]:
        kind = s[at.LOST_SUNK + 1 + 2 * i]
        entries = s[at.LOST_SUNK]
        if c[at.LIGHT_TYPE + kind] == at.DD:
            for j in range(c[at.PLACE_COUNT + owner]):
                place = owner * at.MOST_PLACES + j
                near = s[at.GROUP_SUPPLY + group] != 0 or (s[at.GROUP_NEAR + group] >> j) & 1
                if near and s[at.ELSEWHERE + place] > 0:
                    saved = min(held(s, at.LOST_SUNK, kind), int(s[at.ELSEWHERE + place]))
                    if saved > 0:
                        take(s, at.LOST_SUNK, kind, saved)
                        s[at.ELSEWHERE + place] -= saved
                        s[at.SUNK_LIGHT + c[at.PLACE_KIND + place]] += saved
                        s[at.ROUND_SUNK + owner] += saved * c[at.LIGHT_FACTORS + c[at.PLACE_KIND + place]]
        if s[at.LOST_SUNK] == entries:
            i += 1


@jit
def _attack(s: Words, c: Words, side: int, boat: int, group: int) -> None:
    """22.94. One submarine factor: category, target, two dice, and what comes of it."""
    s[at.BOATS + boat] -= 1
    s[at.BOATS_SPENT + boat] += 1
    s[at.SUBMARINE_ATTACKS + group] += 1
    s[at.ATTACKED + group] = 1
    if not afloat(s, group):
        s[at.GROUP_SUPPLY + group] = 0
        s[at.LINE_CUT + 1 - side] = 1
        clear_away(s, c, 1 - side, group)
        return
    reveal(s, c, group)
    enemy = 1 - side
    target = _target(s, c, enemy, group, _category(s, c, enemy, group))
    modifier = _modifier(s, c, side, boat, group, target)
    roll = two_dice(s) + modifier
    column = min(SUBMARINE_LAST, max(SUBMARINE_FIRST, roll)) - SUBMARINE_FIRST
    if SUBMARINE_LOST[column]:
        s[at.BOATS_SPENT + boat] -= 1
        s[at.BOATS_LOST + boat] += 1
        s[at.ROUND_SUNK + side] += 1  # AM-02
    hits = int(SUBMARINE_HITS[column])
    if hits > 0:
        if target != NONE:
            hit_ship(s, c, enemy, group, target, hits)
        else:
            allot(s, c, at.GROUP_LIGHT + group, hits)
            _shift_losses(s, c, group)
            hit_light_ships(s, c, enemy, group)
    clear_away(s, c, enemy, group)


@segment
def submarines(s: Words, c: Words) -> None:
    """22.41I. Both sides announce all their submarine attacks; then each is resolved, side 0's first (22.93D)."""
    if not c[at.SUBMARINES_HERE]:
        return
    group_0, group_1 = _attacked_group(s, c, 0), _attacked_group(s, c, 1)
    for side in range(at.SIDES):
        group = group_0 if side == 0 else group_1
        if group == NONE:
            continue
        for i in range(c[at.BOAT_COUNT + side]):
            boat = side * at.MOST_BOATS + i
            for _ in range(int(s[at.BOATS + boat])):
                if s[at.GROUP_HERE + group]:
                    _attack(s, c, side, boat, group)
