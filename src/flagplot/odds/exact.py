"""Exact chances of single steps, over all dice: how ways are counted, sums, and interceptions (22.2) of several forces.

The law here and in every exact_*.py: what counts as which outcome is asked of the rules; only the counting is done here,
in whole ways over a common denominator; fractions are made last. What the owners choose on the way is told with the
answer; where nobody says anything it is what the forms offer.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any, NamedTuple, TypeVar

from flagplot.core.asks import Ask, Decide
from flagplot.core.events import Modifiers
from flagplot.model.interception import Attempt, Chance, Circumstances, Interceptor
from flagplot.rules.naval.interception import arrivals, counters_where_it_counts, entry_round, result_of
from flagplot.rules.table import Ruleset

NEVER = 0  # the round of a force that does not come

State = TypeVar("State")
Value = TypeVar("Value")
Weight = TypeVar("Weight", int, Fraction)
Chances = dict[int, Fraction]


@cache
def dice_ways(dice: int) -> Mapping[int, int]:
    """The ways to each total of so many dice, of 6 to their number; the total of no dice is 0."""
    ways = {0: 1}
    for _ in range(dice):
        ways = counted((total + pips, number) for total, number in ways.items() for pips in range(1, 7))
    return ways


@cache
def dice_sum(dice: int) -> Mapping[int, Fraction]:
    """The chance of each total of so many dice; the total of no dice is 0."""
    return as_chances(dice_ways(dice))


def counted(pairs: Iterable[tuple[State, Weight]]) -> dict[State, Weight]:
    """The chance of each thing, or the number of ways to it, those that are the same added up."""
    found: dict[State, Weight] = {}
    for each, chance in pairs:
        found[each] = found[each] + chance if each in found else chance
    return found


def as_chances(ways: Mapping[State, int]) -> dict[State, Fraction]:
    """The chance of each thing, from the ways to all of them."""
    whole = sum(ways.values())
    return {each: Fraction(number, whole) for each, number in ways.items()}


def chances_of(outcomes: Mapping[State, Fraction], number: Callable[[State], int]) -> Chances:
    """The chance of each number that outcomes come to, least first."""
    return dict(sorted(counted((number(each), chance) for each, chance in outcomes.items()).items()))


def expected(chances: Chances) -> Fraction:
    """What it comes to on the average."""
    return sum((number * chance for number, chance in chances.items()), Fraction(0))


def as_offered(procedure: Coroutine[Ask[object], Any, Value]) -> Value:
    """What a procedure comes to that rolls no dice, its questions being answered as the forms offer."""
    answer = None
    while True:
        try:
            asked: object = procedure.send(answer)
        except StopIteration as end:
            value: Value = end.value
            return value
        if not isinstance(asked, Decide):
            raise TypeError(f"this asks for {asked!r}, not for a decision")
        answer = asked.read(asked.form.default)


# -- interceptions ------------------------------------------------------------------------------------


class Reach(NamedTuple):
    """A round a force may reach by its own dice: its chance, and one total that gives it."""

    chance: Fraction
    total: int


def reaches(rules: Ruleset, theatre: str, tried: Attempt) -> dict[int, Reach]:
    """The rounds a force may reach by its own dice, were the battle sure to wait for it."""
    found: dict[int, Reach] = {}
    for total, chance in dice_sum(tried.dice.total).items():
        result = result_of(rules, theatre, total)
        entry = entry_round(rules, theatre, tried.force.distance, result)
        found[entry] = Reach(chance + (found[entry].chance if entry in found else 0), total)
    return dict(sorted(found.items()))


def _in_time(rules: Ruleset, theatre: str, tried: Attempt) -> Fraction:
    """The chance that a force is there in round one."""
    if tried.chance is Chance.MAGIC:
        return Fraction(tried.force.magic == 1)
    if tried.chance is not Chance.ROLLS:
        return Fraction(0)
    own = reaches(rules, theatre, tried)
    return own[1].chance if 1 in own else Fraction(0)


def arrival_odds(rules: Ruleset, about: Circumstances, tried: Sequence[Attempt]) -> tuple[dict[int, Fraction], ...]:
    """For each force the chance of each round it may enter, and of never (0), all attempts being made at once.

    A late force needs somebody in time (22.24A, 22.24B), so what the others roll matters to it; forces beyond counting
    one by one are no obstacle, since the dice of different forces do not depend on each other.
    """
    theatre = about.theatre
    in_time = [_in_time(rules, theatre, each) for each in tried]
    found = []
    for index, each in enumerate(tried):
        late = [chance for at, chance in enumerate(in_time) if at != index and tried[at].force.surface]
        battle = (
            Fraction(1)
            if counters_where_it_counts(about)
            else 1 - prod((1 - chance for chance in late), start=Fraction(1))
        )
        found.append(_alone(rules, about, each, battle))
    return tuple(found)


def _alone(rules: Ruleset, about: Circumstances, tried: Attempt, battle: Fraction) -> dict[int, Fraction]:
    """The rounds of one force, if others start a battle with this chance; what each case gives is asked of the rules."""
    chances: dict[int, Fraction] = {}
    own = reaches(rules, about.theatre, tried) if tried.chance is Chance.ROLLS else {1: Reach(Fraction(1), 0)}
    starter = Attempt(Interceptor("", 0, magic=1), Modifiers(), Chance.MAGIC)  # somebody who surely is in time
    for reach in own.values():
        for chance, company in ((battle, (tried, starter)), (1 - battle, (tried,))):
            came = arrivals(rules, about, company, {tried.force.id: reach.total})[0]
            entry = came.round or NEVER
            chances[entry] = chances.get(entry, Fraction(0)) + reach.chance * chance
    return {entry: chance for entry, chance in sorted(chances.items()) if chance}


def battle_odds(rules: Ruleset, about: Circumstances, tried: Sequence[Attempt]) -> Fraction:
    """The chance that at least one surface force is in time."""
    late = [1 - _in_time(rules, about.theatre, each) for each in tried if each.force.surface]
    return 1 - prod(late, start=Fraction(1))
