"""How good the admiral is, on a fixed set of mirrored battles (tools/tournament.py)."""

from __future__ import annotations

import pytest

from flagplot.bots.admiral import PARTS, AdmiralBot
from flagplot.core.sides import Side
from tools.tournament import PAIRS, Score, against_himself_without, against_random, fight, mirrored


def test_the_admiral_beats_a_random_player_who_never_withdraws_nine_times_in_ten() -> None:
    assert against_random(20).share >= 0.9


def test_in_every_other_mirrored_battle_both_sides_bring_the_same() -> None:
    same = mirrored(1).sides
    assert [len(force.ships) for force in same[Side.AXIS].forces] == [len(f.ships) for f in same[Side.ALLIES].forces]
    assert [force.light for force in same[Side.AXIS].forces] == [force.light for force in same[Side.ALLIES].forces]


def test_a_battle_is_the_same_every_time_it_is_fought() -> None:
    assert fight(3, AdmiralBot(), AdmiralBot()) == fight(3, AdmiralBot(), AdmiralBot())


def test_the_share_and_its_interval() -> None:
    score = Score(60, 20, 20)
    assert score.share == pytest.approx(0.7)
    low, high = score.interval
    assert high - low == pytest.approx(2 * 1.96 * (0.16 / 100) ** 0.5)


@pytest.mark.long
def test_the_admiral_beats_a_random_player_in_the_whole_set() -> None:
    assert against_random().share >= 0.9


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_doctrine_is_worth_having(part: str) -> None:
    pairs = 2 * PAIRS if part == "evasion" else PAIRS  # it makes a difference in one pair of ten only
    low, _ = against_himself_without(part, pairs).interval
    assert low > 0.5
