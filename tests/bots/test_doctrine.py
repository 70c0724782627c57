"""Doctrines: their numbers, what cannot be one, and that the admiral goes by his."""

from __future__ import annotations

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.errors import PlayerError
from flagplot.doctrine import policies
from flagplot.doctrine.doctrine import Doctrine, checked
from flagplot.doctrine.sight import Sight

EVEN = Sight(round=1, own_guns=10, enemy_guns=10, own_groups=1, enemy_groups=1)


def test_the_numbers_not_named_are_the_admirals() -> None:
    assert checked({}) == Doctrine() == AdmiralBot().doctrine
    assert checked({"long_battle": 3}) == Doctrine(long_battle=3)


@pytest.mark.parametrize("numbers", [{"courage": 3}, {"patrol": -1}, {"strike": 13}, {"patrol": True}, {"patrol": 1.5}])
def test_what_cannot_be_a_doctrine_is_refused_in_a_sentence(numbers: dict[str, int]) -> None:
    with pytest.raises(PlayerError, match="doctrine"):
        checked(numbers)


def test_when_to_break_off_is_the_doctrines_to_say() -> None:
    outmatched = EVEN._replace(enemy_guns=27)
    assert policies.withdraws(outmatched, Doctrine())
    assert not policies.withdraws(EVEN._replace(enemy_guns=26), Doctrine())
    assert not policies.withdraws(outmatched, Doctrine(withdraw_percent=300))
    late = EVEN._replace(round=8, enemy_guns=9)
    assert policies.withdraws(late, Doctrine()) and not policies.withdraws(late, Doctrine(long_battle=9))
    assert policies.withdraws(EVEN._replace(round=24, enemy_guns=0), Doctrine())


def test_whom_to_fight_is_the_doctrines_to_say() -> None:
    sought = EVEN._replace(group_guns=10, target_guns=8)
    assert policies.engages(sought, Doctrine()) and not policies.engages(sought, Doctrine(engage_percent=126))
    carriers = EVEN._replace(group_guns=10, group_carriers=1, target_guns=5)
    assert policies.evades(carriers, Doctrine()) and not policies.evades(carriers, Doctrine(evade_percent=51))
