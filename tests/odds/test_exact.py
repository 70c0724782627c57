"""Exact chances against counting every throw of the dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import api
from flagplot.editions.current import ruleset
from flagplot.model.interception import Attempt, Circumstances, Interceptor, Level, Place, Target
from flagplot.odds.exact import NEVER, arrival_odds, battle_odds, dice_sum
from flagplot.rules.naval.interception import arrivals, attempts
from flagplot.rules.table import Ruleset

MOST_DICE = 4  # in all, so that every throw can be counted
OPTIONS = [{}, {"failed_submarine_joins": "no"}]


@pytest.mark.parametrize("dice", range(6))
def test_the_sum_of_dice_is_as_every_throw_says(dice: int) -> None:
    throws = [sum(throw) for throw in product(range(1, 7), repeat=dice)]
    expected = {total: Fraction(throws.count(total), len(throws)) for total in set(throws)}
    assert dice_sum(dice) == expected


def test_the_sum_of_many_dice_is_a_whole_and_symmetric() -> None:
    chances = dice_sum(40)
    assert sum(chances.values()) == 1
    assert all(chances[total] == chances[280 - total] for total in chances)


def counted(rules: Ruleset, about: Circumstances, tried: tuple[Attempt, ...]) -> dict[tuple[int, ...], Fraction]:
    """Every throw of all dice, through the rules."""
    found: dict[tuple[int, ...], int] = {}
    numbers = [each.dice.total for each in tried]
    for throw in product(range(1, 7), repeat=sum(numbers)):
        left = list(throw)
        totals = {}
        for each, number in zip(tried, numbers, strict=True):
            totals[each.force.id] = sum(left[:number])
            del left[:number]
        rounds = tuple(came.round or NEVER for came in arrivals(rules, about, tried, totals))
        found[rounds] = found.get(rounds, 0) + 1
    return {rounds: Fraction(number, 6 ** sum(numbers)) for rounds, number in found.items()}


def alone(joint: dict[tuple[int, ...], Fraction], index: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for rounds, chance in joint.items():
        found[rounds[index]] = found.get(rounds[index], Fraction(0)) + chance
    return found


forces = st.builds(
    Interceptor,
    id=st.just(""),
    distance=st.integers(0, 22),
    kind=st.sampled_from(["TF", "TF", "loose", "submarine"]),
    slow=st.booleans(),
    light=st.booleans(),
    magic=st.sampled_from([None, None, None, None, 0, 1, 2]),
    hex=st.sampled_from(["", "", "elsewhere"]),
)
levels = st.sampled_from(
    [
        (Level.INTERCEPTION, Place.ELSEWHERE),
        (Level.COUNTER, Place.ELSEWHERE),
        (Level.COUNTER, Place.INTERCEPTION_HEX),
        (Level.COUNTER_COUNTER, Place.COUNTER_HEX),
    ]
)


@given(
    st.lists(forces, min_size=1, max_size=3),
    st.sampled_from(["Europe", "Pacific"]),
    levels,
    st.integers(0, 4),
    st.sampled_from(OPTIONS),
)
def test_chances_are_as_every_throw_says(
    trying: list[Interceptor], theatre: str, level: tuple[Level, Place], task_forces: int, options: dict[str, str]
) -> None:
    rules = ruleset(options=options)
    about = Circumstances(theatre, *level)
    named = [Interceptor(str(n), f.distance, f.kind, f.slow, f.light, f.magic, f.hex) for n, f in enumerate(trying)]
    tried = attempts(
        rules, Target(("sea transport",) if task_forces % 2 else ("base change",), task_forces), about, named
    )
    if sum(each.dice.total for each in tried) > MOST_DICE:
        return
    expected = counted(rules, about, tried)
    assert arrival_odds(rules, about, tried) == tuple(alone(expected, index) for index in range(len(tried)))
    in_time = [index for index, each in enumerate(tried) if each.force.surface]
    battle = sum(
        (chance for rounds, chance in expected.items() if any(rounds[index] == 1 for index in in_time)), Fraction(0)
    )
    assert battle_odds(rules, about, tried) == battle


def odds(*named: dict[str, Any], **more: Any) -> dict[str, Any]:
    return api.call("intercept_odds", {"forces": list(named), **more})


def test_one_die_against_four_hexes() -> None:
    told = odds({"id": "A", "distance": 4}, target={"task_forces": 1})["forces"]["A"]
    assert (told["dice"], told["rounds"], told["never"]["exact"]) == (1, {"1": {"chance": 0.5, "exact": "1/2"}}, "1/2")


def test_two_forces_one_of_which_must_be_in_time() -> None:
    """A: one die against six hexes; B: one die against one. B is always in time, A in round 2 unless it throws a six."""
    told = odds({"id": "A", "distance": 6}, {"id": "B", "distance": 1}, target={"task_forces": 2})
    assert told["forces"]["A"]["rounds"] == {
        "1": {"chance": 0.166667, "exact": "1/6"},
        "2": {"chance": 0.666667, "exact": "2/3"},
        "3": {"chance": 0.166667, "exact": "1/6"},
    }
    assert told["naval_combat"] == {"chance": 1.0, "exact": "1"}


def test_all_may_fail() -> None:
    """Each has one die against six hexes: late in round 2 or 3 only if the other throws a six."""
    told = odds({"id": "A", "distance": 6}, {"id": "B", "distance": 6}, target={"task_forces": 2})
    for force in told["forces"].values():
        assert {entry: each["exact"] for entry, each in force["rounds"].items()} == {
            "1": "1/6",
            "2": "1/9",
            "3": "1/36",
        }
        assert force["never"]["exact"] == "25/36"
    assert told["naval_combat"]["exact"] == "11/36"


def test_a_force_out_of_range_and_one_without_dice_never_come() -> None:
    told = odds({"id": "A", "distance": 41}, {"id": "B", "distance": 1, "slow": True}, target={"task_forces": 1})[
        "forces"
    ]
    assert [(force["may_attempt"], force["why"], force["never"]["exact"]) for force in told.values()] == [
        (False, "out of range", "1"),
        (False, "no die is due", "1"),
    ]


def test_many_forces_are_no_obstacle() -> None:
    rules, about = ruleset(), Circumstances()
    many = [Interceptor(str(n), 30) for n in range(12)]
    tried = attempts(rules, Target(task_forces=15), about, many)
    assert all(sum(chances.values()) == 1 for chances in arrival_odds(rules, about, tried))
