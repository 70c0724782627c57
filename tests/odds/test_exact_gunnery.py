"""Exact chances of guns and of search: against every throw of the dice, and against icepool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import LIGHT
from flagplot.model.ships import Ship
from flagplot.odds.exact_gunnery import Fire, total_hits, volley_odds
from flagplot.odds.exact_search import (
    Found,
    first_strike_odds,
    search_odds,
    search_vectors,
    search_ways,
)
from flagplot.rules.naval.search import search_results
from tests.rules.gunnery_table import AIR_ROWS, british, fight, group, hits_of

RULES = ruleset()
FACES = range(1, 7)
TOTALS = Counter(one + two for one, two in product(FACES, repeat=2))  # of two dice
D6 = icepool.d6


def chances(ways: Mapping[Any, int]) -> dict[Any, Fraction]:
    whole = sum(ways.values())
    return {each: Fraction(number, whole) for each, number in ways.items() if number}


def icepool_fire(fire: Fire) -> Any:
    """One fire as icepool has it, from the second transcription of the table."""

    def hits(roll: int) -> int:
        column = min(12, max(2, roll + fire.modifier))
        return AIR_ROWS[fire.factors][column - 2] if fire.air else hits_of(fire.factors, column)

    return (2 @ D6).map(hits)


FIRES = st.one_of(
    st.builds(Fire, st.integers(1, 25), st.integers(-6, 6), st.just(LIGHT), st.just(False)),
    st.builds(Fire, st.integers(1, 20), st.integers(-6, 6), st.just(LIGHT), st.just(True)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(FIRES, max_size=7))
def test_hits_of_many_fires_are_as_icepool_adds_them(fires: list[Fire]) -> None:
    found = total_hits(RULES, fires)
    theirs = sum((icepool_fire(fire) for fire in fires), icepool.Die([0]))
    assert found.whole == sum(found.ways) == 36 ** len(fires)
    assert found.chances == {hits: Fraction(ways, theirs.denominator()) for hits, ways in theirs.items()}


def test_more_fires_than_a_slot_holds_are_counted_all_the_same() -> None:
    fires = [Fire(25, 2)] * 12
    most, more = total_hits(RULES, fires), total_hits(RULES, [*fires, Fire(3)])
    assert sum(most.ways) == 36**12 and sum(more.ways) == 36**13
    one = total_hits(RULES, [Fire(3)])
    added: Counter[int] = Counter()
    for (hits, ways), (other, own) in product(enumerate(most.ways), enumerate(one.ways)):
        added[hits + other] += ways * own
    assert more.chances == chances(added)


def test_no_fire_hits_nothing() -> None:
    assert total_hits(RULES, []).chances == {0: 1}


# -- a volley, against the procedure ------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "damaged", "modifier"), [(0, False, 0), (2, False, 0), (1, True, 1)])
def test_one_ship_under_one_fire_is_as_every_throw_of_a_fleet_combat_says(
    hits: int, damaged: bool, modifier: int
) -> None:
    """A battlecruiser of three fires at a ship of four; the answering fire is left at its lowest, which does nothing."""
    status: Counter[str] = Counter()
    scored: Counter[int] = Counter()
    axis = group({"id": "B", "nation": "Germany", "kind": "BC", "size": 3})
    allies = group(british("K", 4, hits=hits, damaged=damaged))
    screened = damaged  # behind the screen, but nobody stands before it
    tactical = {"axis": modifier}
    for total, ways in TOTALS.items():
        told = fight(axis, allies, *([total] if screened else [total, 2]), tactical=tactical)
        shot = next(shot for shot in told["shots"] if shot["side"] == "axis")
        assert shot["modifier"] == modifier
        after = told["sides"]["allies"]["ships"]["K"]
        word = after["status"] if after["status"] != "undamaged" else "hit" if after["hits"] else "sound"
        status[word] += ways
        scored[shot["hits"]] += ways
    ship = Ship("K", "K", "Britain", "BB", 4, hits=hits, damaged=damaged)
    found = volley_odds(RULES, [Fire(3, modifier, "K")], [ship], {})
    assert found.ships["K"] == chances(status)
    assert found.hits["K"] == chances(scored)
    assert found.factors_sunk.get(4, 0) == chances(status).get("sunk", 0)


def test_light_ships_under_fire_are_as_every_throw_of_a_fleet_combat_says() -> None:
    """Six destroyer factors and two cruisers under the guns of ten factors; German and British shoot alike."""
    counted: Counter[Any] = Counter()
    axis = group(light={"Germany/CA": 3, "Germany/DD": 4})
    allies = group(light={"Britain/CA": 2, "Britain/DD": 6})
    for total, ways in TOTALS.items():
        told = fight(axis, allies, total, 2)
        assert told["shots"][0]["factors"] == 10
        counted[tuple(sorted(told["sides"]["allies"]["light"].items()))] += ways
    found = volley_odds(RULES, [Fire(10)], [], {"Britain/CA": 2, "Britain/DD": 6})
    assert found.light is not None
    assert {tuple(sorted(after)): chance for after, chance in found.light.after.items()} == chances(counted)
    assert sum(found.light.factors.values()) == 1


def test_a_volley_on_several_targets_is_as_every_combination_says() -> None:
    ships = [Ship("A", "A", "Japan", "BB", 4, hits=1), Ship("B", "B", "Japan", "BC", 3)]
    lights = {"Japan/CA": 1, "Japan/DD": 2}
    fires = [Fire(5, 1, "A"), Fire(3, 0, "B"), Fire(4, 0, "A"), Fire(8, -1, LIGHT)]
    found = volley_odds(RULES, fires, ships, lights)
    fates: dict[str, Counter[str]] = {"A": Counter(), "B": Counter()}
    lost: Counter[int] = Counter()
    for rolls in product(TOTALS, repeat=4):
        ways = 1
        for total in rolls:
            ways *= TOTALS[total]
        hits = [hits_of(fire.factors, total + fire.modifier) for fire, total in zip(fires, rolls, strict=True)]
        sunk = 0
        for ship, scored in ((ships[0], hits[0] + hits[2]), (ships[1], hits[1])):
            all_hits = ship.hits + scored
            word = "hit" if all_hits else "sound"
            if all_hits >= ship.size:
                word, sunk = "sunk", sunk + ship.size
            elif all_hits == ship.size - 1:
                word = "damaged"
            fates[ship.id][word] += ways
        # 20.532: two hits sink the cruiser, the next two a destroyer each; an odd first hit only damages her.
        sunk += {0: 0, 1: 0, 2: 2, 3: 3}.get(hits[3], 4)
        lost[sunk] += ways
    assert found.ships == {id: chances(ways) for id, ways in fates.items()}
    assert found.factors_sunk == dict(sorted(chances(lost).items()))


def test_a_transport_counts_one_factor_when_it_is_sunk() -> None:
    """One factor hits once on an eight or more."""
    found = volley_odds(RULES, [Fire(1)], [], {"Japan/TR": 2})
    assert found.factors_sunk == {0: Fraction(21, 36), 1: Fraction(15, 36)}


def test_a_target_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no 'light' to fire at"):
        volley_odds(RULES, [Fire(3)], [], {})


# -- search ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "groups"), [(0, 3), (1, 0), (2, 6), (3, 3), (4, 2), (5, 4)])
def test_search_is_as_every_throw_says(dice: int, groups: int) -> None:
    counted: Counter[Found] = Counter()
    rows: Counter[tuple[int, ...]] = Counter()
    numbers = range(7 - groups, 7)
    for thrown in product(FACES, repeat=dice):
        results = search_results(thrown, numbers)
        counted[Found(len(results), sum(results.values()))] += 1
        rows[tuple(results.get(number, 0) for number in numbers)] += 1
    assert dict(counted) == search_ways(dice, groups)
    assert dict(rows) == search_vectors(dice, tuple(numbers))
    told = search_odds(dice, tuple(numbers))
    for place, number in enumerate(numbers):
        alone: Counter[int] = Counter()
        for row, ways in rows.items():
            alone[row[place]] += ways
        assert told.groups[number] == dict(sorted(chances(alone).items()))
    assert sum(told.found.values()) == sum(told.results.values()) == 1


class _Search(icepool.MultisetEvaluator):  # type: ignore[misc]
    """How many of the first faces show, and how often together."""

    def __init__(self, groups: int) -> None:
        self.groups = groups

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> Any:
        found, results = state or (0, 0)
        return (found + (count > 0), results + count) if outcome <= self.groups else (found, results)


@pytest.mark.parametrize(("dice", "groups"), [(6, 4), (9, 6), (12, 5)])
def test_search_is_as_icepool_says(dice: int, groups: int) -> None:
    theirs = _Search(groups).evaluate(D6.pool(dice))
    assert {Found(*each): Fraction(ways, theirs.denominator()) for each, ways in theirs.items()} == {
        each: Fraction(ways, 6**dice) for each, ways in search_ways(dice, groups).items()
    }


def test_too_many_rows_of_results_and_two_groups_of_one_number_are_refused() -> None:
    with pytest.raises(ValueError, match="combinations of results"):
        search_vectors(40, (1, 2, 3, 4, 5, 6))
    with pytest.raises(ValueError, match="the same number"):
        search_odds(3, (2, 2))


def test_who_strikes_first_is_as_every_throw_of_both_says() -> None:
    """The axis searches with two dice for two groups, the allies with one for three."""
    first: Counter[Side] = Counter()
    for axis in product(FACES, repeat=2):
        for allies in FACES:
            mine, theirs = sum(die in (1, 2) for die in axis), int(allies in (1, 2, 3))
            first[Side.AXIS if mine > theirs else Side.ALLIES] += 1  # the allies intercept, so ties are theirs
    told = first_strike_odds({Side.AXIS: 2, Side.ALLIES: 1}, {Side.AXIS: 3, Side.ALLIES: 2}, Side.ALLIES)
    assert told == chances(first)
