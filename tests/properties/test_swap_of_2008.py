"""In the fleet combat of 2008 too the enemy receives nothing that depends on what he has not seen.

It is fought among current rules, so that exchanged ships stay hidden long enough; `test_swap` has the whole edition.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagplot.editions.current import CURRENT, EDITIONS
from flagplot.rules.naval.fleet_combat_2008 import fleet_combat_of_2008
from tests.properties.test_swap import ROUNDS, play_pair

PAIRS = 8


@pytest.mark.parametrize("deferred", ["off", "on"])
def test_the_enemy_receives_the_same_bytes_until_an_exchanged_ship_is_shown(
    deferred: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EDITIONS, "2008", replace(CURRENT, edition="2008", fleet_combat=fleet_combat_of_2008))
    rounds = [play_pair(seed, edition="2008", options={"deferred_strikes": deferred}) for seed in range(PAIRS)]
    assert sum(number > ROUNDS for number in rounds) * 4 >= PAIRS, "too few pairs stay equal through three rounds"


@pytest.mark.long
def test_many_pairs_of_battles_with_naval_air_in_fleet_combat() -> None:
    for seed in range(100, 300):
        play_pair(seed, edition="2008", options={"deferred_strikes": "on"})
