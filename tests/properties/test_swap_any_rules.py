"""The swap test under any edition and any options: no choice a group can make tells the enemy what it should not.

Battles, cover, raids on ports and operations are those of the tests whose names stand below; here the rules are drawn.
"""

from __future__ import annotations

import pytest

from flagplot.core.sides import Side
from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS
from tests.properties.any_rules import any_rules
from tests.properties.test_operations import SHIPPED, play_exchanged
from tests.properties.test_raids import play_hidden
from tests.properties.test_swap import ROUNDS, play_covered, play_pair

EACH = pytest.mark.parametrize("edition", EDITIONS)


def test_every_value_of_every_option_is_drawn_in_both_editions() -> None:
    for edition in EDITIONS:
        drawn = [any_rules(seed, edition)["options"] for seed in range(40)]
        for name, option in OPTIONS.items():
            assert {each[name] for each in drawn} == set(option.values)
    assert {any_rules(seed)["edition"] for seed in range(40)} == set(EDITIONS)


@EACH
def test_the_enemy_receives_the_same_bytes_until_an_exchanged_ship_is_shown(edition: str) -> None:
    rounds = [play_pair(seed, **any_rules(seed, edition)) for seed in range(8)]
    assert sum(number > 1 for number in rounds) * 3 >= 8, "too few pairs stay equal through a round"


@EACH
def test_nothing_depends_on_where_cover_flies_until_that_group_is_struck(edition: str) -> None:
    assert all(play_covered(seed, **any_rules(seed, edition)) for seed in range(3))


def test_an_attack_on_a_port_tells_nothing_of_the_ships_in_it() -> None:
    assert sum(play_hidden(seed, **any_rules(seed)) for seed in range(100, 110)) > 50


def test_what_is_in_hidden_task_forces_stays_the_owners_secret() -> None:
    cases = [(name, owner) for name in SHIPPED for owner in Side]
    played = [play_exchanged(*each, seed=number, **any_rules(number)) for number, each in enumerate(cases)]
    assert sum(map(bool, played)) >= 2


@pytest.mark.long
@EACH
@pytest.mark.parametrize("batch", range(4))
def test_many_battles(batch: int, edition: str) -> None:
    rounds = [play_pair(seed, **any_rules(seed, edition)) for seed in range(1_000 + 150 * batch, 1_150 + 150 * batch)]
    assert sum(number > (ROUNDS if edition == "current" else 1) for number in rounds) * 4 >= 150


@pytest.mark.long
@EACH
def test_cover_in_many_battles(edition: str) -> None:
    assert all(play_covered(seed, **any_rules(seed, edition)) for seed in range(1_000, 1_150))


@pytest.mark.long
def test_many_attacks_on_ports() -> None:
    assert sum(play_hidden(seed, **any_rules(seed)) for seed in range(1_000, 1_600)) > 3_000


@pytest.mark.long
@EACH
@pytest.mark.parametrize("name", SHIPPED)
def test_many_operations(name: str, edition: str) -> None:
    for seed in range(1_000, 1_040):
        for owner in Side:
            play_exchanged(name, owner, seed, **any_rules(seed, edition))
