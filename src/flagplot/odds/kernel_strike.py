"""23.415 to 23.44 compiled: one air strike from the defenders' challenge to the last bomb.

All defenders engage but those kept out by surprise, as the form offers; bombers go, so many together, where each is worth
most.
"""

from __future__ import annotations

from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_air_losses import (
    AFTER_LOSSES,
    LOST,
    begin_toll,
    come_back,
    lose,
    strikers_lost,
    take_air_losses,
    take_staged_losses,
)
from flagplot.odds.kernel_air_tables import (
    AIR_ATTACK_HITS,
    AIR_COMBAT_ABORTED,
    AIR_COMBAT_LOST,
    AIR_DEFENSE_ABORTED,
    AIR_DEFENSE_LOST,
    BOMBING,
    COLUMNS,
    LIGHT_BOMBING,
    MOST_AFLOAT,
    MOST_DEFENSE,
    MOST_MODIFIER,
    NUMBERS,
    SHARES,
    SHIP_STATES,
    SURPRISE_BONUS,
    SURPRISE_DEFENSE,
    SURPRISE_FEWER,
    SURPRISE_NO_BONUS,
)
from flagplot.odds.kernel_air_tables import ship_state as _ship_state
from flagplot.odds.kernel_dice import die, two_dice
from flagplot.odds.kernel_groups import factors, number_of, reveal
from flagplot.odds.kernel_hits import allot, clear_away, hit_light_ships, hit_ship
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import copy_map, put, put_all, sort_map, take, take_all, total
from flagplot.odds.kernel_sets import count, lowest

LEVEL = CURRENT.air_defense_level
FACTORS_PER_LEVEL = LEVEL.factors_per_level
ESCORT_CARRIER = LEVEL.escort_carrier_factors - 1  # beyond her own factor
PER_RESEARCH = LEVEL.per_research
PER_BATTLESHIP = LEVEL.per_five_factor_battleship
PER_LARGE_CARRIER = LEVEL.per_large_carrier
HEAVY_DICE = 5  # RC-06: a kamikaze's die of 6 always falls on the light ships
PATROL_BONUS = 1  # 23.415D
LARGE = 1000
ONE_GAIN = 64  # more than there are targets

OTHERS = AFTER_LOSSES  # a map of keys: what does not fight
# Targets: the ships of the struck side by their place in it, then its light ships, then a bare supply line.
ON_LIGHT = at.MOST_SHIPS
ON_SUPPLY = at.MOST_SHIPS + 1
TARGETS = at.MOST_SHIPS + 2
AIMED = OTHERS + at.KEY_MAP  # by target: how many squadrons attack it, their lowest DRM, how many are not naval air
AIMED_DRM = AIMED + TARGETS
AIMED_OTHER = AIMED_DRM + TARGETS
WORTH_OF = AIMED_OTHER + TARGETS  # by target: where in BOMBING its row begins
MASS = WORTH_OF + TARGETS  # how many more would be worth most for each of them,
GAIN = MASS + TARGETS  # and what each would be worth, times a number that makes it whole
RANKED = GAIN + TARGETS  # ships as kamikazes meet them
RANK_KEY = RANKED + at.MOST_SHIPS

ship_state = leaf(_ship_state)


@jit
def column(roll: int) -> int:
    """The column of a modified roll: below 2 and above 12 the first and the last are read."""
    return min(12, max(2, roll)) - 2


@jit
def lowest_drm(s: Words, c: Words, squadrons: int) -> int:
    """23.441A. The lowest DRM among these squadrons (AN-16)."""
    lowest = LARGE
    for i in range(s[squadrons]):
        lowest = min(lowest, c[at.KEY_DRM + s[squadrons + 1 + 2 * i]])
    return lowest


# -- air combat ---------------------------------------------------------------------------------------


@jit
def _engage(s: Words, group: int, fewer: int) -> None:
    """23.415A. All of patrol and cover engage but the first ones, which surprise keeps out."""
    copy_map(s, at.GROUP_PATROL + group, at.STRIKE_DEFENDERS)
    put_all(s, at.STRIKE_DEFENDERS, at.GROUP_COVER + group)
    sort_map(s, at.STRIKE_DEFENDERS)
    while fewer > 0 and s[at.STRIKE_DEFENDERS] > 0:
        out = min(fewer, s[at.STRIKE_DEFENDERS + 2])
        take(s, at.STRIKE_DEFENDERS, s[at.STRIKE_DEFENDERS + 1], out)
        fewer -= out


@jit
def _send_to_fight(s: Words, number: int) -> None:
    """23.415B. The first squadrons of the strike meet the defenders, as many as these; the others go on."""
    copy_map(s, at.STRIKE_SQUADRONS, OTHERS)
    s[at.STRIKE_FIGHTING] = 0
    for i in range(s[at.STRIKE_SQUADRONS]):
        here = min(number, s[at.STRIKE_SQUADRONS + 2 + 2 * i])
        if here == 0:
            break
        put(s, at.STRIKE_FIGHTING, s[at.STRIKE_SQUADRONS + 1 + 2 * i], here)
        number -= here
    take_all(s, OTHERS, at.STRIKE_FIGHTING)


@jit
def _patrol_alone(s: Words, c: Words) -> bool:
    """23.415D. Whether only naval air from carriers defends (AN-17)."""
    for i in range(s[at.STRIKE_DEFENDERS]):
        if c[at.KEY_BASE + s[at.STRIKE_DEFENDERS + 1 + 2 * i]] != NONE:
            return False
    return True


@jit
def fight_defenders(s: Words, c: Words, side: int, group: int) -> None:
    """23.415. One round of air combat: the attacker's row is what he sent to fight, the defender's all he committed."""
    level = s[at.STRIKE_LEVEL]
    _engage(s, group, SURPRISE_FEWER[level])
    defenders = total(s, at.STRIKE_DEFENDERS)
    if defenders == 0:
        return
    fighting = min(defenders, total(s, at.STRIKE_SQUADRONS))
    _send_to_fight(s, fighting)
    modifier = lowest_drm(s, c, at.STRIKE_FIGHTING) - lowest_drm(s, c, at.STRIKE_DEFENDERS)
    if _patrol_alone(s, c) and not SURPRISE_NO_BONUS[level]:
        modifier -= PATROL_BONUS
    mine = fighting * COLUMNS + column(two_dice(s) + modifier)
    theirs = defenders * COLUMNS + column(two_dice(s) - modifier)
    begin_toll(s)
    take_staged_losses(s, c, at.STRIKE_FIGHTING, OTHERS, AIR_COMBAT_LOST[theirs], AIR_COMBAT_ABORTED[theirs])
    strikers_lost(s, c, side)
    begin_toll(s)
    take_air_losses(s, c, at.STRIKE_DEFENDERS, AIR_COMBAT_LOST[mine], 0)
    take_all(s, at.GROUP_PATROL + group, LOST)
    take_all(s, at.GROUP_COVER + group, LOST)
    lose(s, c, LOST)


# -- air defense -----------------------------------------------------------------------------------------


@jit
def air_defense_level(s: Words, c: Words, side: int, group: int, research: int, level: int) -> int:
    """23.421. The air defense level of a group at sea; at 0 it does not shoot."""
    ships = s[at.GROUP_SHIPS + group]
    more = research * PER_RESEARCH + SURPRISE_DEFENSE[level]
    more += PER_BATTLESHIP * count(ships & c[at.LARGE_BATTLESHIPS + side])
    more += PER_LARGE_CARRIER * count(ships & c[at.LARGE_CARRIERS + side])
    whole = factors(s, c, side, group) + ESCORT_CARRIER * number_of(s, c, at.GROUP_LIGHT + group, at.CVE)
    return int(min(MOST_DEFENSE, max(0, -(-whole // FACTORS_PER_LEVEL) + more)))


@jit
def defend_with_guns(s: Words, c: Words, side: int, group: int) -> None:
    """23.42. The group's ships shoot: two dice, no modifiers, at its air defense level."""
    enemy = 1 - side
    level = air_defense_level(s, c, enemy, group, c[at.AIR_DEFENSE_RESEARCH + enemy], s[at.STRIKE_LEVEL])
    if level == 0:
        return
    cell = level * COLUMNS + column(two_dice(s))
    begin_toll(s)
    take_air_losses(s, c, at.STRIKE_SQUADRONS, AIR_DEFENSE_LOST[cell], AIR_DEFENSE_ABORTED[cell])
    strikers_lost(s, c, side)


# -- targets ---------------------------------------------------------------------------------------------


@jit
def _aim(s: Words, c: Words, target: int, key: int) -> None:
    """23.43. One more squadron attacks a target."""
    if s[AIMED + target] == 0:
        s[AIMED_DRM + target] = LARGE
        s[AIMED_OTHER + target] = 0
    s[AIMED + target] += 1
    s[AIMED_DRM + target] = min(s[AIMED_DRM + target], c[at.KEY_DRM + key])
    if c[at.KEY_KIND + key] != at.NAS:
        s[AIMED_OTHER + target] += 1


@leaf
def _modified(modifier: int) -> int:
    """Which rows of BOMBING are those of a modifier."""
    return MOST_MODIFIER + min(MOST_MODIFIER, max(-MOST_MODIFIER, modifier))


@jit
def _plain_air(s: Words, c: Words) -> int:
    """The DRM the admiral reckons with: the lowest that flies, and one more for naval air alone."""
    lowest, naval = LARGE, 1
    for i in range(s[at.STRIKE_SQUADRONS]):
        key = s[at.STRIKE_SQUADRONS + 1 + 2 * i]
        if c[at.KEY_KIND + key] != at.KAM:
            lowest = min(lowest, c[at.KEY_PLAIN_DRM + key])
            if c[at.KEY_KIND + key] != at.NAS:
                naval = 0
    return lowest + naval


@jit
def _weigh(s: Words, target: int, left: int) -> None:
    """How many of the squadrons left would be worth most on a target for each of them: of equals the fewest."""
    row = int(s[WORTH_OF + target]) + int(s[AIMED + target])
    before, best, mass = int(BOMBING[row]), -1, 1
    for squadrons in range(1, left + 1):
        gain = (int(BOMBING[row + squadrons]) - before) * int(SHARES[squadrons])
        if gain > best:
            best, mass = gain, squadrons
    s[GAIN + target], s[MASS + target] = best, mass


@jit
def _weigh_all(s: Words, c: Words, side: int, group: int, left: int) -> None:
    """What squadrons on each ship of a group, and on its light ships, are worth to the admiral."""
    air = _plain_air(s, c)
    light = at.GROUP_LIGHT + group
    if s[light]:
        modifier, afloat = -LARGE, 0
        for i in range(s[light]):
            kind = s[light + 1 + 2 * i]
            modifier = max(modifier, air - c[at.LIGHT_PLAIN_DRM + kind])
            afloat += c[at.LIGHT_FACTORS + kind] * s[light + 2 + 2 * i]
        row = _modified(modifier) * (MOST_AFLOAT + 1) + min(afloat, MOST_AFLOAT)
        s[WORTH_OF + ON_LIGHT] = LIGHT_BOMBING + row * NUMBERS
        _weigh(s, ON_LIGHT, left)
    ships = int(s[at.GROUP_SHIPS + group])
    while ships:
        target = lowest(ships)
        ships &= ships - 1
        ship, damaged = side * at.MOST_SHIPS + target, (int(s[at.DAMAGED_SHIPS + side]) >> target) & 1
        state = ship_state(c[at.SHIP_SIZE + ship], s[at.SHIP_HITS + ship], damaged, c[at.SHIP_CARRIER + ship])
        s[WORTH_OF + target] = (_modified(air - c[at.SHIP_PLAIN_DRM + ship]) * SHIP_STATES + state) * NUMBERS
        _weigh(s, target, left)


@jit
def _best_target(s: Words, group: int, left: int) -> int:
    """The target on which squadrons are worth most; of equals the first ship. A bare supply line if there is nothing else."""
    most = -1 << 40  # gain and target in one number
    ships = int(s[at.GROUP_SHIPS + group])
    if ships == 0 and s[at.GROUP_LIGHT + group] == 0:
        return ON_SUPPLY
    while ships:
        target = lowest(ships)
        ships &= ships - 1
        if s[MASS + target] > left:
            _weigh(s, target, left)
        most = max(most, int(s[GAIN + target]) * ONE_GAIN - target)
    if s[at.GROUP_LIGHT + group]:
        if s[MASS + ON_LIGHT] > left:
            _weigh(s, ON_LIGHT, left)
        most = max(most, int(s[GAIN + ON_LIGHT]) * ONE_GAIN - ON_LIGHT)
    return -most & (ONE_GAIN - 1)


@jit
def _choose_targets(s: Words, c: Words, side: int, group: int) -> None:
    """23.43. As many squadrons as are worth most there for each of them go where that is, and so on with the others."""
    left = 0
    for i in range(s[at.STRIKE_SQUADRONS]):
        if c[at.KEY_KIND + s[at.STRIKE_SQUADRONS + 1 + 2 * i]] != at.KAM:
            left += s[at.STRIKE_SQUADRONS + 2 + 2 * i]
    if left == 0:
        return
    _weigh_all(s, c, side, group, left)
    entry, of_entry = -1, 0  # whose squadrons are aimed now, and how many of them are left
    while left:
        best = _best_target(s, group, left)
        mass = left if best == ON_SUPPLY else int(s[MASS + best])
        for _ in range(mass):
            while of_entry == 0:
                entry += 1
                if c[at.KEY_KIND + s[at.STRIKE_SQUADRONS + 1 + 2 * entry]] != at.KAM:
                    of_entry = int(s[at.STRIKE_SQUADRONS + 2 + 2 * entry])
            of_entry -= 1
            _aim(s, c, best, s[at.STRIKE_SQUADRONS + 1 + 2 * entry])
        left -= mass
        if left:
            _weigh(s, best, left)


@jit
def _rank_for_kamikazes(s: Words, c: Words, side: int, group: int) -> int:
    """17.475F. The group's named ships by rank, equals as they stand; how many there are."""
    found = 0
    left = int(s[at.GROUP_SHIPS + group])
    while left:
        target = lowest(left)
        left &= left - 1
        ship = side * at.MOST_SHIPS + target
        capital = 0 if c[at.SHIP_CARRIER + ship] else 1
        sound = 1 - ((int(s[at.DAMAGED_SHIPS + side]) >> target) & 1)
        key = ((capital * 16 + 15 - c[at.SHIP_SIZE + ship]) * 2 + capital * c[at.SHIP_FAST + ship]) * 2 + sound
        key = key * 16 + 15 - sound * s[at.SHIP_HITS + ship]
        j = found
        while j > 0 and s[RANK_KEY + j - 1] > key:
            s[RANKED + j], s[RANK_KEY + j] = s[RANKED + j - 1], s[RANK_KEY + j - 1]
            j -= 1
        s[RANKED + j], s[RANK_KEY + j] = target, key
        found += 1
    return found


@jit
def _kamikazes(s: Words, c: Words, side: int, group: int) -> None:
    """17.475F. One die for each kamikaze squadron says what it falls upon (RC-06)."""
    ranked, light = NONE, s[at.GROUP_LIGHT + group] > 0
    for i in range(s[at.STRIKE_SQUADRONS]):
        key = s[at.STRIKE_SQUADRONS + 1 + 2 * i]
        if c[at.KEY_KIND + key] != at.KAM:
            continue
        if ranked == NONE:
            ranked = _rank_for_kamikazes(s, c, side, group)
        for _ in range(s[at.STRIKE_SQUADRONS + 2 + 2 * i]):
            roll = die(s)
            heavy = ranked if light else ranked - 1
            target = ON_SUPPLY
            if roll <= min(HEAVY_DICE, heavy):
                target = s[RANKED + roll - 1]
            elif light:
                target = ON_LIGHT
            elif ranked:
                target = s[RANKED + ranked - 1]
            _aim(s, c, target, key)


# -- attack rolls ------------------------------------------------------------------------------------------


@jit
def _attack(s: Words, c: Words, side: int, target: int, target_drm: int) -> int:
    """23.44. Two dice for all squadrons on one target; the hits they score."""
    modifier = s[AIMED_DRM + target] - target_drm - c[at.TACTICAL + 1 - side] + SURPRISE_BONUS[s[at.STRIKE_LEVEL]]
    if s[AIMED_OTHER + target] == 0:
        modifier += c[at.NAVAL_AIR_BONUS]
    return int(AIR_ATTACK_HITS[s[AIMED + target] * COLUMNS + column(two_dice(s) + modifier)])


@jit
def _attack_targets(s: Words, c: Words, side: int, group: int) -> None:
    """23.44. One roll for each target: named ships, then light ships, then a bare supply line, where it does nothing."""
    enemy = 1 - side
    left = int(s[at.GROUP_SHIPS + group])
    while left:
        target = lowest(left)
        left &= left - 1
        if s[AIMED + target]:
            ship = enemy * at.MOST_SHIPS + target
            hits = _attack(s, c, side, target, c[at.SHIP_DRM + ship])
            if hits:
                hit_ship(s, c, enemy, group, ship, hits)
    if s[AIMED + ON_LIGHT]:
        light = at.GROUP_LIGHT + group
        drm = LARGE
        for i in range(s[light]):
            drm = min(drm, c[at.LIGHT_DRM + s[light + 1 + 2 * i]])
        hits = _attack(s, c, side, ON_LIGHT, drm)
        if hits:
            allot(s, c, light, hits)
            hit_light_ships(s, c, enemy, group)
    if s[AIMED + ON_SUPPLY]:
        two_dice(s)


@jit
def air_strike(s: Words, c: Words) -> None:
    """23.76. One strike: air combat, air defense, and, if anybody gets through, targets and bombs; then home."""
    side, group = s[at.STRIKE_SIDE], s[at.STRIKE_GROUP]
    fight_defenders(s, c, side, group)
    if s[at.STRIKE_SQUADRONS]:
        defend_with_guns(s, c, side, group)
    if s[at.STRIKE_SQUADRONS]:
        reveal(s, c, group)
        for target in range(TARGETS):
            s[AIMED + target] = 0
        _choose_targets(s, c, 1 - side, group)
        _kamikazes(s, c, 1 - side, group)
        _attack_targets(s, c, side, group)
        begin_toll(s)  # what kamikazes there are is spent
        for i in range(s[at.STRIKE_SQUADRONS]):
            key = s[at.STRIKE_SQUADRONS + 1 + 2 * i]
            if c[at.KEY_KIND + key] == at.KAM:
                put(s, LOST, key, s[at.STRIKE_SQUADRONS + 2 + 2 * i])
        lose(s, c, LOST)
        take_all(s, at.STRIKE_SQUADRONS, LOST)
        come_back(s, c, side, at.STRIKE_SQUADRONS)
    clear_away(s, c, 1 - side, group)
