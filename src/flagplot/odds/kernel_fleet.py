"""22.53 to 22.55 Fleet combat of two groups in a compiled battle, both sides led by the admiral.

Capital ships, then light ships, then what was screened. In each step all is rolled, then all takes effect (RC-43), in the
order of the procedures (FP-03): side 0 first; a side's targets by the enemy's rank, then his light ships.
"""

from __future__ import annotations

from flagplot.doctrine import policies
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words, jit, leaf
from flagplot.odds.kernel_dice import two_dice
from flagplot.odds.kernel_groups import (
    afloat,
    doctrine_of,
    eliminate_if_empty,
    encumbered,
    forced,
    light_factors,
    reveal,
)
from flagplot.odds.kernel_hits import allot, hit_light_ships, hit_ship, lose_from, stow_cargo
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_maps import add, copy_map, held, total
from flagplot.odds.kernel_sets import lowest, sound_ships
from flagplot.odds.kernel_tables import COLUMNS, NAVAL_ATTACK

LIGHT, HOLD = -1, -2  # where surplus ships fire: at the light ships, or not at all
RATIO = 3  # 22.54D
NO_DRM = 99  # higher than any

target_worth = leaf(policies.target_worth)
screened_worth = leaf(policies.screened_worth)
screens_weaker = leaf(policies.screens_weaker)
light_ships_worth_firing_at = leaf(policies.light_ships_worth_firing_at)

# -- lines and ranks -----------------------------------------------------------------------------------


@jit
def _screened_below(s: Words, c: Words, side: int, counts: int) -> int:
    """22.531C. The DRM below which sound cruisers and destroyers go behind the screen: the best they have, if those below
    it are few (22.552A). Escort carriers go with NONE or more; -NO_DRM: nobody goes."""
    order = forced(s, c, at.FORCED_SCREEN, side)
    if order == at.SCREEN_ALL:
        return NO_DRM
    if order == at.SCREEN_NOTHING:
        return -NO_DRM
    best, least, all_light = -NO_DRM, NO_DRM, 0
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] <= at.DD and c[at.LIGHT_STATE + kind] == at.SOUND:
            best = max(best, c[at.LIGHT_PLAIN_DRM + kind])
            least = min(least, c[at.LIGHT_PLAIN_DRM + kind])
            all_light += c[at.LIGHT_FACTORS + kind] * s[counts + 2 + 2 * i]
    if best == -NO_DRM:
        return -NO_DRM
    weaker = 0
    for i in range(s[counts] if least < best else 0):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_TYPE + kind] <= at.DD and c[at.LIGHT_STATE + kind] == at.SOUND:
            if c[at.LIGHT_PLAIN_DRM + kind] < best:
                weaker += c[at.LIGHT_FACTORS + kind] * s[counts + 2 + 2 * i]
    if screens_weaker(weaker, all_light, doctrine_of(c, side)):
        return int(best)
    return 1 - NO_DRM  # escort carriers alone


@jit
def _form_line(s: Words, c: Words, side: int, group: int) -> None:
    """22.531. One side's line and screen."""
    ahead, behind = at.LINE_LIGHT + side * at.LIGHT_MAP, at.LINE_SCREENED_LIGHT + side * at.LIGHT_MAP
    counts = at.GROUP_LIGHT + group
    s[ahead] = s[behind] = 0
    s[at.LINE_HELD + side] = 0
    s[at.LINE_HELD_LIGHT + side * at.LIGHT_MAP] = 0
    below = _screened_below(s, c, side, counts)
    line = 0 if below == NO_DRM else sound_ships(s, side, group) & ~c[at.CARRIER_SHIPS + side]
    s[at.LINE_SHIPS + side], s[at.LINE_SCREENED + side] = line, s[at.GROUP_SHIPS + group] & ~line
    places = 0
    while line:
        places += 1
        _into_line(s, c, side, side * at.MOST_SHIPS + lowest(line), places)
        line &= line - 1
    s[at.LINE_CAPITAL + side * at.SHIP_ROW] = places
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        type = c[at.LIGHT_TYPE + kind]
        hidden = c[at.LIGHT_STATE + kind] != at.SOUND or type == at.TR or below == NO_DRM
        if type == at.CVE:
            hidden = hidden or below > -NO_DRM
        elif c[at.LIGHT_PLAIN_DRM + kind] < below:
            hidden = True
        add(s, behind if hidden else ahead, kind, s[counts + 2 + 2 * i])
    s[at.HAMPERED + side] = 1 if s[at.GROUP_UNLADEN + group] or encumbered(s, group) else 0


@jit
def _into_line(s: Words, c: Words, side: int, ship: int, place: int) -> None:
    """22.54A. One more ship in a line, at this place or before ships of lower rank: larger first; then faster; then fewer
    hits; then the higher DRM; equals as they stand (RC-41)."""
    row, ranks = at.LINE_CAPITAL + side * at.SHIP_ROW, at.LINE_RANK + side * at.SHIP_ROW
    key = int(c[at.SHIP_RANK + ship]) + at.HITS_IN_RANK * int(s[at.SHIP_HITS + ship])
    while place > 1 and s[ranks + place - 1] > key:
        s[row + place] = s[row + place - 1]
        s[ranks + place] = s[ranks + place - 1]
        place -= 1
    s[row + place] = ship
    s[ranks + place] = key


# -- fire ---------------------------------------------------------------------------------------------------


@jit
def _lowest_light(s: Words, c: Words, counts: int, lowest: int) -> int:
    """22.552A. The lowest DRM among light ships, or this one if it is lower."""
    for i in range(s[counts]):
        lowest = min(lowest, int(c[at.LIGHT_DRM + s[counts + 1 + 2 * i]]))
    return lowest


@jit
def _gunnery(s: Words, c: Words, side: int) -> int:
    """22.55. What modifies every roll of a side in this engagement."""
    enemy = 1 - side
    tactical = int(c[at.TACTICAL + side]) - int(c[at.TACTICAL + enemy])
    return tactical + int(s[at.HAMPERED + enemy]) - int(s[at.HAMPERED + side])


@jit
def _fire(s: Words, c: Words, side: int, factors: int, drm: int, target_drm: int) -> int:
    """22.55. Two dice on the Naval Attack Table for all fire at one target."""
    roll = two_dice(s) + drm - target_drm + int(s[at.GUNNERY + side])
    return int(NAVAL_ATTACK[factors * COLUMNS + min(12, max(2, roll)) - 2])


@jit
def _hit_light(s: Words, c: Words, side: int, hits: int, screened: int, into_screen: int) -> None:
    """22.56. Hits on the light ships of a line or its screen. Cruisers damaged by capital fire are screened (22.54C)."""
    ahead, behind = at.LINE_LIGHT + side * at.LIGHT_MAP, at.LINE_SCREENED_LIGHT + side * at.LIGHT_MAP
    counts = behind if screened else ahead
    allot(s, c, counts, hits)
    lose_from(s, c, counts, behind if screened or into_screen else ahead)
    hit_light_ships(s, c, side, s[at.FIGHTING + side])


# -- capital ships ----------------------------------------------------------------------------------------------


@jit
def _capital_fire(s: Words, c: Words) -> None:
    """22.54A to C. Ranks pair off; surplus ships join the friend whose opponent is nearest to sinking; all fire."""
    first, second = at.LINE_CAPITAL, at.LINE_CAPITAL + at.SHIP_ROW
    longer = 0 if s[first] >= s[second] else 1
    pairs = min(int(s[first]), int(s[second]))
    mine, theirs = (first, second) if longer == 0 else (second, first)
    aim = HOLD
    if s[mine] > pairs:
        if pairs > 0:
            best = NONE
            for rank in range(1, pairs + 1):
                foe = s[theirs + rank]
                worth = target_worth(c[at.SHIP_SIZE + foe], s[at.SHIP_HITS + foe], 0)
                if worth > best:
                    best, aim = worth, rank
        elif s[at.LINE_LIGHT + (1 - longer) * at.LIGHT_MAP] > 0:
            aim = LIGHT
        else:
            s[at.LINE_HELD + longer] = s[at.LINE_SHIPS + longer]
    for side in range(at.SIDES):
        own, foes = at.LINE_CAPITAL + side * at.SHIP_ROW, at.LINE_CAPITAL + (1 - side) * at.SHIP_ROW
        scored = at.SCORED + side * at.SHIP_ROW
        for rank in range(1, pairs + 1):
            ship, foe = s[own + rank], s[foes + rank]
            factors, drm = int(c[at.SHIP_SIZE + ship]), int(c[at.SHIP_DRM + ship])
            if side == longer and aim == rank:
                for other in range(pairs + 1, s[own] + 1):
                    factors += c[at.SHIP_SIZE + s[own + other]]
                    drm = min(drm, int(c[at.SHIP_DRM + s[own + other]]))
            s[scored + rank] = _fire(s, c, side, factors, drm, int(c[at.SHIP_DRM + foe]))
        s[scored] = 0
        if side == longer and aim == LIGHT:
            factors, drm = 0, NO_DRM
            for other in range(1, s[own] + 1):
                factors += c[at.SHIP_SIZE + s[own + other]]
                drm = min(drm, int(c[at.SHIP_DRM + s[own + other]]))
            counts = at.LINE_LIGHT + (1 - side) * at.LIGHT_MAP
            s[scored] = _fire(s, c, side, factors, drm, _lowest_light(s, c, counts, NO_DRM))
    for side in range(at.SIDES):
        scored = at.SCORED + side * at.SHIP_ROW
        for rank in range(1, pairs + 1):
            if s[scored + rank] > 0:
                foe = s[at.LINE_CAPITAL + (1 - side) * at.SHIP_ROW + rank]
                hit_ship(s, c, 1 - side, s[at.FIGHTING + 1 - side], foe, int(s[scored + rank]))
        if s[scored] > 0:
            _hit_light(s, c, 1 - side, int(s[scored]), 0, 1)


# -- light ships -------------------------------------------------------------------------------------------------


@jit
def _sound_factors(s: Words, c: Words, counts: int) -> int:
    """22.54D. Factors of the undamaged light ships of a line."""
    amount = 0
    for i in range(s[counts]):
        kind = s[counts + 1 + 2 * i]
        if c[at.LIGHT_STATE + kind] == at.SOUND:
            amount += c[at.LIGHT_FACTORS + kind] * s[counts + 2 + 2 * i]
    return amount


@leaf
def _is_damaged(s: Words, side: int, ship: int) -> int:
    return int(s[at.DAMAGED_SHIPS + side] >> (ship - side * at.MOST_SHIPS)) & 1


@leaf
def _line_afloat(s: Words, side: int) -> int:
    """The capital ships of a side's line that are still afloat."""
    return int(s[at.LINE_SHIPS + side] & s[at.GROUP_SHIPS + s[at.FIGHTING + side]])


@jit
def _nearest_to_sinking(s: Words, c: Words, side: int) -> int:
    """The capital ship of a side's line that is afloat and worth most, or NONE."""
    row, floats = at.LINE_CAPITAL + side * at.SHIP_ROW, _line_afloat(s, side)
    best, target = NONE, NONE
    for rank in range(1, s[row] + 1 if floats else 1):
        ship = s[row + rank]
        if (floats >> (ship - side * at.MOST_SHIPS)) & 1:
            worth = target_worth(c[at.SHIP_SIZE + ship], s[at.SHIP_HITS + ship], _is_damaged(s, side, ship))
            if worth > best:
                best, target = worth, int(ship)
    return target


@jit
def _aim_light(s: Words, c: Words, side: int, mine: int, theirs: int) -> int:
    """22.54D, E. What a side's light ships fire at: SHOT_LIGHT at light ships, SHOT_ASIDE at the ship returned."""
    own, foes = at.LINE_LIGHT + side * at.LIGHT_MAP, at.LINE_LIGHT + (1 - side) * at.LIGHT_MAP
    at_light, aside = at.SHOT_LIGHT + side * at.LIGHT_MAP, at.SHOT_ASIDE + side * at.LIGHT_MAP
    holding = at.LINE_HELD_LIGHT + side * at.LIGHT_MAP
    s[at_light] = s[aside] = 0
    surplus = max(0, mine - RATIO * theirs)
    if surplus == 0:
        if mine > 0 and theirs > 0:
            copy_map(s, own, at_light)
        return NONE
    if light_ships_worth_firing_at(total(s, own), total(s, foes), doctrine_of(c, side)):
        copy_map(s, own, at_light if theirs > 0 else holding)
        return NONE
    target = _nearest_to_sinking(s, c, 1 - side)
    for i in range(s[own]):
        kind, number = s[own + 1 + 2 * i], s[own + 2 + 2 * i]
        away = int(number)
        if theirs > 0:
            away = min(away, surplus // int(c[at.LIGHT_FACTORS + kind]))
            surplus -= away * int(c[at.LIGHT_FACTORS + kind])
        add(s, holding if target == NONE else aside, kind, away)
        add(s, at_light, kind, number - away)
    return target


@jit
def _light_fire(s: Words, c: Words) -> None:
    """22.54D to F. Light ships fire at light ships, surplus ones at a capital ship, or hold for the screen."""
    one = _sound_factors(s, c, at.LINE_LIGHT)
    two = _sound_factors(s, c, at.LINE_LIGHT + at.LIGHT_MAP)
    targets_0, targets_1 = _aim_light(s, c, 0, one, two), _aim_light(s, c, 1, two, one)
    for side in range(at.SIDES):
        target = targets_0 if side == 0 else targets_1
        at_light, aside = at.SHOT_LIGHT + side * at.LIGHT_MAP, at.SHOT_ASIDE + side * at.LIGHT_MAP
        scored = at.SCORED + side * at.SHIP_ROW
        s[scored] = s[scored + 1] = 0
        if s[aside] > 0:
            drm = _lowest_light(s, c, aside, NO_DRM)
            s[scored + 1] = _fire(s, c, side, light_factors(s, c, aside), drm, int(c[at.SHIP_DRM + target]))
        if s[at_light] > 0:
            drm = _lowest_light(s, c, at_light, NO_DRM)
            foes = _lowest_light(s, c, at.LINE_LIGHT + (1 - side) * at.LIGHT_MAP, NO_DRM)
            s[scored] = _fire(s, c, side, light_factors(s, c, at_light), drm, foes)
    for side in range(at.SIDES):
        scored = at.SCORED + side * at.SHIP_ROW
        if s[scored + 1] > 0:
            target = targets_0 if side == 0 else targets_1
            hit_ship(s, c, 1 - side, s[at.FIGHTING + 1 - side], target, int(s[scored + 1]))
        if s[scored] > 0:
            _hit_light(s, c, 1 - side, int(s[scored]), 0, 0)


# -- screened ships ------------------------------------------------------------------------------------------------


@leaf
def _screen_is_open(s: Words, side: int) -> bool:
    """22.54G. Whether a side's screened ships may be fired at: none of its unscreened ships is afloat (RC-47)."""
    return bool((s[at.LINE_LIGHT + side * at.LIGHT_MAP] | _line_afloat(s, side)) == 0)


@jit
def _screened_target(s: Words, c: Words, side: int) -> int:
    """22.54G. What is fired at behind a side's screen: a ship, LIGHT, or HOLD if there is nothing."""
    best, target = NONE, HOLD
    if s[at.LINE_SCREENED_LIGHT + side * at.LIGHT_MAP] > 0:
        target = LIGHT
    left = int(s[at.LINE_SCREENED + side] & s[at.GROUP_SHIPS + s[at.FIGHTING + side]])
    while left:
        ship = side * at.MOST_SHIPS + lowest(left)
        left &= left - 1
        worth = screened_worth(
            c[at.SHIP_CARRIER + ship], _is_damaged(s, side, ship), s[at.SHIP_HITS + ship], c[at.SHIP_SIZE + ship]
        )
        if worth > best:
            best, target = worth, int(ship)
    return target


@jit
def _fire_on_screen(s: Words, c: Words, side: int, factors: int, drm: int) -> None:
    """22.54G. Fire that was held, at one screened target."""
    target = _screened_target(s, c, 1 - side)
    if target == HOLD or factors == 0:
        return
    if target == LIGHT:
        counts = at.LINE_SCREENED_LIGHT + (1 - side) * at.LIGHT_MAP
        hits = _fire(s, c, side, factors, drm, _lowest_light(s, c, counts, NO_DRM))
        if hits > 0:
            _hit_light(s, c, 1 - side, hits, 1, 0)
    else:
        hits = _fire(s, c, side, factors, drm, int(c[at.SHIP_DRM + target]))
        if hits > 0:
            hit_ship(s, c, 1 - side, s[at.FIGHTING + 1 - side], target, hits)


@jit
def _screened_fire(s: Words, c: Words, side: int) -> None:
    """22.54G. Ships that held their fire shoot at the screen: capital ships first, then light ships."""
    if not _screen_is_open(s, 1 - side):
        return
    factors, drm = 0, NO_DRM
    left = int(s[at.LINE_HELD + side] & s[at.GROUP_SHIPS + s[at.FIGHTING + side]])
    if c[at.HELD_UNDAMAGED]:
        left &= ~int(s[at.DAMAGED_SHIPS + side])
    while left:
        ship = side * at.MOST_SHIPS + lowest(left)
        left &= left - 1
        factors += c[at.SHIP_SIZE + ship]
        drm = min(drm, int(c[at.SHIP_DRM + ship]))
    _fire_on_screen(s, c, side, factors, drm)
    holding, ahead = at.LINE_HELD_LIGHT + side * at.LIGHT_MAP, at.LINE_LIGHT + side * at.LIGHT_MAP
    factors, drm = 0, NO_DRM
    for i in range(s[holding]):
        kind = s[holding + 1 + 2 * i]
        left = held(s, ahead, kind)
        if c[at.HELD_CRUISERS] and c[at.LIGHT_HURT + kind] != NONE:
            left += held(s, ahead, c[at.LIGHT_HURT + kind])
        left = min(left, int(s[holding + 2 + 2 * i]))
        if left > 0:
            factors += c[at.LIGHT_FACTORS + kind] * left
            drm = min(drm, int(c[at.LIGHT_DRM + kind]))
    _fire_on_screen(s, c, side, factors, drm)


# -- an engagement -----------------------------------------------------------------------------------------------------


@jit
def engage(s: Words, c: Words, one: int, two: int) -> None:
    """22.53. One engagement of two groups, from first sight to the last shot; a bare sea supply line is cut (RC-36)."""
    s[at.FIGHTING], s[at.FIGHTING + 1] = one, two
    bare_one, bare_two = not afloat(s, one), not afloat(s, two)
    s[at.FOUGHT + one] = s[at.FOUGHT + two] = 1
    if not bare_two:
        s[at.ATTACKED + one] = 1
    if not bare_one:
        s[at.ATTACKED + two] = 1
    if bare_one or bare_two:
        if bare_one:
            s[at.GROUP_SUPPLY + one] = 0
            s[at.LINE_CUT] = 1
        if bare_two:
            s[at.GROUP_SUPPLY + two] = 0
            s[at.LINE_CUT + 1] = 1
    else:
        reveal(s, c, one)
        reveal(s, c, two)
        _form_line(s, c, 0, one)
        _form_line(s, c, 1, two)
        s[at.GUNNERY], s[at.GUNNERY + 1] = _gunnery(s, c, 0), _gunnery(s, c, 1)
        _capital_fire(s, c)
        _light_fire(s, c)
        _screened_fire(s, c, 0)
        _screened_fire(s, c, 1)
    stow_cargo(s, c, 0, one)
    stow_cargo(s, c, 1, two)
    if not afloat(s, one):
        s[at.VICTORIOUS + two] = 1
    if not afloat(s, two):
        s[at.VICTORIOUS + one] = 1
    eliminate_if_empty(s, one)
    eliminate_if_empty(s, two)
