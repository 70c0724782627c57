"""Luck: expected values and chances against brute enumeration of every throw."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from flagplot.core.sides import Side
from flagplot.core.tape import DICE
from flagplot.editions.current import ruleset
from flagplot.model.events import BattleJoined
from flagplot.model.fold import apply
from flagplot.model.state import Battle
from flagplot.odds.exact import dice_sum
from flagplot.play import luck as lucky
from flagplot.play.luck import Row, Throw, added, in_words, luck, percent, rows_of, sums_of, throws_of, ways_of
from flagplot.tables.naval_attack import ROWS
from tests.play.fair_games import played

RULES = ruleset("current")


def by_hand(readings: list[list[int]], came: int) -> tuple[Fraction, Fraction, Fraction]:
    """Expected, as bad and as good, by going through every combination of throws; each reading lists all its throws."""
    sums = [sum(throw) for throw in product(*readings)]
    number = len(sums)
    return (
        Fraction(sum(sums), number),
        Fraction(sum(each <= came for each in sums), number),
        Fraction(sum(each >= came for each in sums), number),
    )


def faces(row: int, modifier: int) -> list[int]:
    """All 36 throws on a row of the printed Naval Attack Table."""
    hits = ROWS[row].hits
    return [hits[min(12, max(2, one + two + modifier)) - 2] for one, two in product(range(1, 7), repeat=2)]


def test_three_shots_are_reckoned_as_by_going_through_all_throws() -> None:
    shots = [(0, 0), (4, 1), (7, -2)]
    throws = []
    for row, modifier in shots:
        factors = ROWS[row].lowest

        def read(pair: tuple[int, ...], factors: int = factors, modifier: int = modifier) -> int:
            return RULES.attack.hits(factors, sum(pair) + modifier)

        throws.append(Throw(Side.AXIS, lucky.GUNS, 1, ways_of(2, read)))
    (told,) = rows_of(throws)
    expected, as_bad, as_good = by_hand([faces(row, modifier) for row, modifier in shots], 3)
    assert told.rolls == 3
    assert told.came == 3
    assert told.expected == float(expected)
    assert told.as_bad == float(as_bad)
    assert told.as_good == float(as_good)


@pytest.mark.parametrize("dice", range(8))
def test_sums_of_dice_are_those_counted_elsewhere(dice: int) -> None:
    whole = 6**dice
    assert {total: Fraction(ways, whole) for total, ways in sums_of(dice).items()} == dict(dice_sum(dice))


def test_dice_read_one_by_one_are_reckoned_as_by_going_through_all_throws() -> None:
    reads = {1: 1, 2: 0, 3: 1, 4: 0, 5: 0, 6: 2}
    throws = [sum(reads[face] for face in thrown) for thrown in product(range(1, 7), repeat=4)]
    assert lucky._each(4, reads.__getitem__) == {came: throws.count(came) for came in sorted(set(throws))}
    assert added({0: 1, 1: 1}, {0: 1, 1: 1}) == {0: 1, 1: 2, 2: 1}


@pytest.mark.parametrize("name", ["midway", "denmark-strait", "taranto", "pedestal", "operation-malta", "ambush"])
def test_what_came_of_every_roll_is_what_its_own_dice_read(name: str) -> None:
    """The ways of a roll hold its result, and the dice that fell are read to it: nothing is left out of the reckoning."""
    kinds = set()
    for seed in range(2):
        game = played(name, seed, undos=0)
        battle = Battle()
        for event in game.events():
            for throw in throws_of(event, battle, game.table.rules):
                kinds.add(throw.kind)
                assert throw.ways[throw.came] > 0
                number = next(n for n in range(1, 60) if 6**n == sum(throw.ways.values()))
                assert number in (1, 2) or throw.kind in (lucky.SEARCHES, lucky.INTERCEPTIONS)
            battle = apply(battle, event)
        told = luck(game.events(), game.table.rules, game.runner.tape)
        joined = sum(isinstance(event, BattleJoined) for event in game.events())
        assert 1 <= len(told) <= joined + 2
        pips = sum(row.came for row in told[-1].rows if row.kind == lucky.PIPS)
        assert pips == sum(sum(entry.answer) for entry in game.runner.tape if entry.who == DICE)  # type: ignore[arg-type]
        for fought in told:
            for row in fought.rows:
                assert row.as_bad + row.as_good > 1  # both count what came
                assert "expected" in in_words(row, "Somebody")
    assert kinds


def test_luck_is_reckoned_from_whole_games_as_by_going_through_all_throws() -> None:
    checked = 0
    for seed in range(12):
        game = played("river-plate", seed, undos=0)
        shots = [event for event in game.events() if type(event).__name__ == "Fired"]
        for side in Side:
            mine = [event for event in shots if event.side is side]  # type: ignore[attr-defined]
            if not 0 < len(mine) <= 3:
                continue
            readings = []
            for event in mine:
                row = next(n for n, row in enumerate(ROWS) if row.lowest <= event.factors <= row.highest)  # type: ignore[attr-defined]
                readings.append(faces(row, event.modifiers.total))  # type: ignore[attr-defined]
            came = sum(event.hits for event in mine)  # type: ignore[attr-defined]
            (told,) = luck(game.events(), game.table.rules)
            row_told = next(row for row in told.rows if row.side is side and row.kind == lucky.GUNS)
            expected, as_bad, as_good = by_hand(readings, came)
            assert (row_told.expected, row_told.as_bad, row_told.as_good) == (
                float(expected),
                float(as_bad),
                float(as_good),
            )
            checked += 1
    assert checked > 3


def test_a_war_is_told_by_all_its_dice() -> None:
    chance = Random(3)
    rolls = [[chance.randint(1, 6) for _ in range(2)] for _ in range(400)]
    from flagplot.core.tape import Entry

    tape = [Entry("24.631A roll 2 axis", DICE, list(roll)) for roll in rolls]
    (told,) = luck([], RULES, tape)
    (row,) = told.rows
    assert (row.kind, row.rolls, row.expected) == (lucky.PIPS, 400, 2800)
    assert row.came == sum(map(sum, rolls))
    assert luck([], RULES) == []


def test_all_hits_are_added_where_there_is_more_than_one_kind_of_them() -> None:
    ways = {0: 18, 1: 18}
    rows = rows_of([Throw(Side.AXIS, lucky.GUNS, 1, ways), Throw(Side.AXIS, lucky.BOMBS, 1, ways)])
    assert [row.kind for row in rows] == [lucky.GUNS, lucky.BOMBS, lucky.HITS]
    assert rows[-1] == Row(Side.AXIS, lucky.HITS, 2, 1.0, 2, 1.0, 0.25)


@pytest.mark.parametrize(
    ("chance", "words"),
    [(1.0, "100 %"), (0.9999, "over 99.9 %"), (0.5, "50 %"), (0.031, "3.1 %"), (0.00042, "0.042 %"), (0.997, "99.7 %")],
)
def test_chances_are_told_in_per_cent(chance: float, words: str) -> None:
    assert percent(chance) == words
