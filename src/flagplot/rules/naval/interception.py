"""22.2 Resolving interceptions: the dice of each force, what they reach, and the round of naval combat it enters.

Everything here is a pure function of plain values: the calculator, the odds and the operations game share it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.interception import (
    STRIKING_ACTIVITIES,
    Advance,
    Arrival,
    Attempt,
    Chance,
    Circumstances,
    Interceptor,
    Level,
    Place,
    Target,
)
from flagplot.rules.table import Ruleset
from flagplot.tables.naval_interception import InterceptionTable

# -- how many dice --------------------------------------------------------------------------------


@rule(
    "22.18F",
    "22.21T.1",
    "22.21T.2",
    "22.21T.3",
    "22.21T.4",
    "22.21T.5",
    "22.21T.6",
    "22.21T.7",
    "22.21T.8",
    "22.21T.9",
    "22.21T.10",
    "22.22A",
    "22.22B",
    "22.22C",
    "22.22D",
    "22.22E",
    "22.22F",
    "22.22G",
    "22.22H",
    "22.22I",
    "22.22J",
    "22.916A",
)
def dice_alone(rules: Ruleset, target: Target, about: Circumstances, force: Interceptor) -> Modifiers:
    """22.22A. The dice a force would roll if no other tried: A to J, a limit being a line of its own.

    On the way home everything is counted anew (22.18F): cargo keeps its dice (IR-29), ground factors no longer count,
    and air counts only if it spots afresh (IR-36).
    """
    chart, readings = rules.interception, rules.readings
    assert isinstance(chart, InterceptionTable), "this slot goes with the table by lines"
    dice = Modifiers()
    strikes = any(kind in STRIKING_ACTIVITIES for kind in target.activities)
    if target.carries_cargo:
        dice = dice.plus("22.22A", "the activity carries cargo", chart.cargo)
    elif strikes and (not target.returning or readings.extra_dice_home):
        dice = dice.plus("22.22A", "shore bombardment or fast carrier mission", chart.cargo)
    if target.staying:
        dice = dice.plus("22.22B", "the patrol tries to stay in its patrol hex", chart.staying_patrol)
    if counters_where_it_counts(about):
        dice = dice.plus("22.22C", f"{about.level} in the {about.place}", chart.countered_in_hex)
    if force.light and force.surface and target.carries_cargo:
        dice = dice.plus("22.22D", "only cruisers and destroyers, against cargo", chart.cruisers_and_destroyers)
    dice = dice.plus("22.22E", several(target.task_forces, "TF"), target.task_forces * chart.per_task_force)
    if "seaborne invasion" in target.activities and not target.returning:
        ground, most = about.ground_factors, chart.most_ground_factors
        dice = limited(dice, "22.22F", several(ground, "ground factor"), ground, most, chart.per_ground_factor)
    if not target.returning or readings.spotting_home:
        air, most = about.spotters, chart.most_squadrons
        dice = limited(dice, "22.22G", several(air, "squadron") + " spotting", air, most, chart.per_squadron)
    if force.surface:
        boats, most = about.submarines, chart.most_submarines
        dice = limited(dice, "22.22H", several(boats, "submarine") + " assisting", boats, most, chart.per_submarine)
    dice = dice.plus("22.22I", "codebreaking", int(has_codebreaking(about)) * chart.codebreaking)
    if not force.surface:
        dice = dice.plus("22.22J", "a submarine intercepts", chart.slow_or_submarine)
    elif force.slow:
        dice = dice.plus("22.22J", "slow ships", chart.slow_or_submarine)
    return dice


def several(number: int, one: str) -> str:
    """So many of something, in words."""
    return f"{number} {one}" + ("" if number == 1 else "s")


def limited(dice: Modifiers, number: str, reason: str, count: int, most: int, each: int) -> Modifiers:
    """So many of a thing, and a line for those beyond the limit."""
    dice = dice.plus(number, reason, count * each)
    return dice.plus(number, f"never more than {most}", min(0, most - count) * each)


@rule("22.22C", "22.255")
def counters_where_it_counts(about: Circumstances) -> bool:
    """22.22C. A counter in the interception hex, a counter-counter there or in the counter hex (IR-31)."""
    if about.level is Level.COUNTER:
        return about.place is Place.INTERCEPTION_HEX
    return about.level is Level.COUNTER_COUNTER and about.place is not Place.ELSEWHERE


@rule("22.21T.9", "22.22I")
def has_codebreaking(about: Circumstances) -> bool:
    """22.22I. One die for the side that played more cards, however many more; never one fewer for anybody (IR-38)."""
    return about.cards > about.enemy_cards


@rule("22.22", "22.21T.17")
def in_range(rules: Ruleset, theatre: str, distance: int) -> bool:
    """22.22. No force intercepts further off than 40 hexes in Europe, 20 in the Pacific, along its path (IR-07)."""
    return distance <= rules.interception.most_range[theatre]


@rule(
    "22.21",
    "22.21T.11",
    "22.21T.12",
    "22.21T.13",
    "22.21T.16",
    "22.22",
    "22.22K",
    "22.24C",
    "22.114",
    "22.14B.1",
    "22.16",
    "22.915",
    "22.255",
)
def attempts(
    rules: Ruleset, target: Target, about: Circumstances, forces: Sequence[Interceptor]
) -> tuple[Attempt, ...]:
    """22.22K. All that try at once, each with its dice: one fewer for each further surface attempt, never below none.

    Submarines neither cost dice nor lose any; a Magic interception is no attempt. A force that would have no die even
    alone is not counted (IR-17, IR-40), nor is one out of range (FP-33).
    """
    chart = rules.interception
    alone = [rules.interception_dice(rules, target, about, force) for force in forces]
    near = [in_range(rules, about.theatre, force.distance) for force in forces]
    counted = [
        force.surface and force.magic is None and reaches and dice.total > 0
        for force, dice, reaches in zip(forces, alone, near, strict=True)
    ]
    made = []
    for force, dice, reaches, counts in zip(forces, alone, near, counted, strict=True):
        if force.magic is not None:
            made.append(Attempt(force, Modifiers(), Chance.MAGIC))
            continue
        if not reaches:
            made.append(Attempt(force, Modifiers(), Chance.OUT_OF_RANGE))
            continue
        chance = Chance.ROLLS if dice.total > 0 else Chance.NO_DICE
        if counts:
            rivals = [other for other, yes in zip(forces, counted, strict=True) if yes and other.shares == force.shares]
            reason = f"{len(rivals)} attempts at the same activity"
            dice = dice.plus("22.22K", reason, (len(rivals) - 1) * chart.per_further_attempt)
            chance = Chance.ROLLS if dice.total > 0 else Chance.NO_DICE_LEFT
        made.append(Attempt(force, dice.at_least(0, "22.24C", "never fewer than none"), chance))
    return tuple(made)


# -- what the dice reach --------------------------------------------------------------------------


@rule("22.21T.14", "22.23T.15")
def result_of(rules: Ruleset, theatre: str, total: int) -> int:
    """22.21T. In the Pacific the total is halved once, fractions up; it serves for success and shortfall (IR-42)."""
    return _up(total, rules.interception.divisor[theatre])


def _up(number: int, step: int) -> int:
    return -(-number // step)


@rule("22.23", "22.24", "22.24B")
def entry_round(rules: Ruleset, theatre: str, distance: int, result: int) -> int:
    """22.24B. Round one if the result covers the distance, then one round later for every four or two hexes short."""
    return 1 + _up(max(0, distance - result), rules.interception.hexes_per_round[theatre])


@rule(
    "22.21",
    "22.21T.16",
    "22.23",
    "22.24",
    "22.24A",
    "22.24B",
    "22.24C",
    "22.161A.2",
    "22.25",
    "22.251",
    "22.252",
    "22.255",
    "22.917",
    "22.17",
)
def arrivals(
    rules: Ruleset, about: Circumstances, tried: Sequence[Attempt], totals: Mapping[str, int]
) -> tuple[Arrival, ...]:
    """22.23. What came of all attempts at one target: who is in time, who comes late, who stayed in port.

    Late forces need a battle. Of an activity it takes a surface force in time (22.24A, 22.24B); in an interception
    hex the battle is there anyway (22.252A); elsewhere it takes a counter-interceptor in time, and those that failed
    have sailed and go back (22.252B, IR-49).
    """
    results = {
        each.force.id: result_of(rules, about.theatre, totals[each.force.id])
        for each in tried
        if each.chance is Chance.ROLLS
    }
    in_time = [each for each in tried if _in_time(each, results)]
    battle = counters_where_it_counts(about) or any(each.force.surface for each in in_time)
    return tuple(_arrival(rules, about, each, totals, results, battle) for each in tried)


def _in_time(tried: Attempt, results: Mapping[str, int]) -> bool:
    if tried.chance is Chance.MAGIC:
        return tried.force.magic == 1
    return tried.chance is Chance.ROLLS and results[tried.force.id] >= tried.force.distance


def _arrival(
    rules: Ruleset,
    about: Circumstances,
    tried: Attempt,
    totals: Mapping[str, int],
    results: Mapping[str, int],
    battle: bool,
) -> Arrival:
    force = tried.force
    success = _in_time(tried, results)
    may_counter = force.surface and about.level is not Level.COUNTER_COUNTER
    none = Arrival(force.id, 0, None, None, force.distance, success, None, True, False, True, "")
    if tried.chance is Chance.MAGIC:
        entry = force.magic if success or battle else 0
        return replace(
            none,
            round=entry or None,
            stays_in_port=not entry,
            counterable=bool(entry) and may_counter,
            spent=bool(entry),  # one that never comes was no attempt (22.22K, FP-30)
            why="a Magic interception (48.61C)",
        )
    if tried.chance is Chance.OUT_OF_RANGE:
        return replace(none, spent=False, why=f"out of range ({rules.number('22.22')})")
    if tried.chance is Chance.NO_DICE:
        return replace(none, spent=not rules.readings.void_without_dice, why="no die is due (22.24C)")
    if tried.chance is Chance.NO_DICE_LEFT:
        return replace(none, why="the other attempts leave no die (22.24C)")
    result = results[force.id]
    rolled = replace(none, dice=tried.dice.total, total=totals[force.id], result=result)
    late = entry_round(rules, about.theatre, force.distance, result)
    if success:
        return replace(rolled, round=1, stays_in_port=False, counterable=may_counter, why="in time (22.23)")
    if battle and (force.surface or (rules.readings.failed_submarine_joins and not force.hex)):
        return replace(rolled, round=late, stays_in_port=False, counterable=may_counter, why="late (22.24B)")
    if about.level is not Level.INTERCEPTION and about.place is Place.ELSEWHERE:
        return replace(rolled, stays_in_port=False, counterable=may_counter, why="failed, goes back (22.252B)")
    return replace(rolled, why="failed, stayed in port (22.24A)")


@rule("22.24B", "22.26C")
def those_who_fight(rules: Ruleset, rounds: Mapping[str, int | None], stopped: Sequence[str]) -> dict[str, int | None]:
    """22.24B. The rounds of surface forces once some were stopped on their way; alone, late ones go home (IR-47)."""
    left = {id: None if id in stopped else entry for id, entry in rounds.items()}
    if 1 in left.values() or rules.readings.late_forces_fight_alone:
        return left
    return dict.fromkeys(left)


# -- counter-interception -------------------------------------------------------------------------


@rule("22.22E", "22.162", "22.253", "22.254F")
def countered(rules: Ruleset, forces: Sequence[Advance], place: Place, aimed_at: str) -> tuple[Advance, ...]:
    """22.253. The interceptors a counter-interception meets: outside the interception hex those on one path.

    In the hex it meets those whose rolls reached it.
    """
    if place is not Place.ELSEWHERE:
        return tuple(force for force in forces if force.reached)
    path = next(force.path for force in forces if force.id == aimed_at)
    return tuple(force for force in forces if force.path == path)


@rule("22.22E")
def countered_task_forces(rules: Ruleset, forces: Sequence[Advance], place: Place, aimed_at: str) -> int:
    """22.22E. The TFs that give dice to a counter-interception: all countered together (IR-33)."""
    met = countered(rules, forces, place, aimed_at)
    if not rules.readings.countered_together:
        met = tuple(force for force in met if force.id == aimed_at)
    return sum(force.task_forces for force in met)


@rule("22.22K")
def counter_attempts_share(rules: Ruleset, forces: Sequence[Advance], place: Place, aimed_at: str) -> str:
    """22.22K. The word that attempts at the same target share at counter level: a hex, a path or a force (IR-41)."""
    if not rules.readings.counter_attempts_by_hex:
        return aimed_at
    if place is not Place.ELSEWHERE:
        return str(place)
    return f"path {countered(rules, forces, place, aimed_at)[0].path}"


@rule("22.162", "22.254")
def counter_battle(rules: Ruleset, theatre: str, forces: Sequence[Advance]) -> dict[str, int]:
    """22.254. The round in which each interceptor on one path enters the battle in the counter-interception hex.

    If none got so far, the battle begins when the first arrives, and that is its round one (IR-50).
    """
    rounds = {force.id: entry_round(rules, theatre, force.distance, force.result) for force in forces}
    empty = empty_rounds(rules, theatre, forces)
    return {id: entry - empty for id, entry in rounds.items()}


@rule("22.254A")
def empty_rounds(rules: Ruleset, theatre: str, forces: Sequence[Advance]) -> int:
    """22.254A. The rounds that pass before any interceptor has come so far, and that nobody fights (IR-50)."""
    if not rules.readings.counter_battle_from_arrival:
        return 0
    return min((entry_round(rules, theatre, force.distance, force.result) for force in forces), default=1) - 1


@rule("22.161B", "22.254C", "22.254D", "22.254E")
def after_counter_battle(
    rules: Ruleset, rounds: Mapping[str, int | None], *, won: bool, lasted: int
) -> dict[str, int | None]:
    """22.254D. The rounds in which the interceptors on that path enter the battle with their target afterwards.

    Beaten, none does, late ones included; victorious, each may, in the round its roll gave (IR-48), or go home.
    """
    delay = lasted * rules.readings.counter_battle_delay
    return {id: entry + delay if won and entry is not None else None for id, entry in rounds.items()}


# -- patrols --------------------------------------------------------------------------------------


@rule("22.163", "22.163B", "22.163C", "22.21T.15", "22.916B")
def patrol_round(rules: Ruleset, theatre: str, distance: int) -> int:
    """22.163B. An offensive patrol supports in round one within three hexes, later by its distance beyond (IR-45)."""
    chart = rules.interception
    return 1 + _up(max(0, distance - chart.patrol_range), chart.hexes_per_round[theatre])


@rule("22.163A", "22.163B", "22.23T.16")
def patrol_may_support(rules: Ruleset, distance: int, *, where_intercepted: bool = True) -> bool:
    """22.163A. Whether an offensive patrol may support at all: only in the hex where the activity itself was intercepted,
    and, where none comes late, within three hexes."""
    if not where_intercepted:
        return False
    return rules.readings.patrols_come_late or distance <= rules.interception.patrol_range


@rule("22.163D", "22.163E")
def patrol_fights(entry: int, lasted: int | None) -> bool:
    """22.163E. A patrol takes part unless the battle ended before its round; then it is back in its patrol hex."""
    return lasted is None or entry <= lasted
