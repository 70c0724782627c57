"""By the rules of 2008 too the enemy receives nothing that depends on what he has not seen."""

from __future__ import annotations

import pytest

from tests.properties.test_swap import play_pair

PAIRS = 8


@pytest.mark.parametrize("deferred", ["off", "on"])
def test_the_enemy_receives_the_same_bytes_in_2008_until_an_exchanged_ship_is_shown(deferred: str) -> None:
    rules = {"edition": "2008", "options": {"deferred_strikes": deferred}}
    rounds = [play_pair(seed, **rules) for seed in range(PAIRS)]
    # Three results show a whole group in 2008, so few pairs stay equal for long.
    assert sum(number > 1 for number in rounds) * 4 >= PAIRS, "too few pairs stay equal through a round"


@pytest.mark.long
def test_many_pairs_of_battles_of_2008() -> None:
    for seed in range(100, 300):
        play_pair(seed, edition="2008", options={"deferred_strikes": "on"})
