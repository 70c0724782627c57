"""What stands behind the dice: the lines the rules add up, for the world odds are made of."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.api.battle_odds import world_of_game, world_of_setup
from flagplot.core.sides import Side
from flagplot.odds.breakdowns import told
from flagplot.odds.what_if import without
from flagplot.odds.worlds import World
from flagplot.scenarios.loader import list_scenarios, load_scenario
from tests.odds.moments import moments


def world(name: str, side: Side | None = None, edition: str = "current") -> World:
    scenario = load_scenario(name)
    return world_of_setup(scenario.setup, edition, scenario.options, side=side)[0]


def of(found: list[dict[str, Any]], side: str, begins: str) -> dict[str, Any]:
    (one,) = (each for each in found if each["side"] == side and each["what"].startswith(begins))
    return one


def amounts(found: dict[str, Any]) -> dict[str, int]:
    return {line["reason"]: line["amount"] for line in found["lines"]}


@pytest.mark.ledger("22.552A")
def test_guns_have_the_drm_of_both_nations() -> None:
    """22.552A: Italy 1, Britain 2; the firers' is added, the target's taken away."""
    found = told(world("calabria"))
    shot = of(found, "axis", "Cesare fires at Warspite")
    assert amounts(shot) == {"Italy": 1, "against Britain": -2} and shot["total"] == -1
    assert of(found, "allies", "Warspite fires at")["total"] == 1
    assert {each["rule"] for each in shot["lines"]} == {"22.552A"}


@pytest.mark.ledger("22.451")
def test_search_dice_are_counted_line_by_line() -> None:
    """22.451B, D: one die for codebreaking, one for the carriers of each distant group."""
    found = of(told(world("midway")), "allies", "search in round 1")
    assert found["counts"] == "dice" and found["total"] == 3 == sum(amounts(found).values())
    assert amounts(found)["codebreaking"] == 1 and len(found["lines"]) == 3
    assert of(told(world("midway")), "axis", "search in round 1")["total"] == 0  # the same codebreaking against it


@pytest.mark.ledger("23.441A", "23.42")
def test_aircraft_and_what_is_put_up_against_them() -> None:
    """23.441: elite Japanese naval air 3, the United States 2 and two less for a fleet carrier, one for naval air at sea.
    23.42: a level for every eight factors or part of them, as 22.552A tells of nations."""
    found = told(world("midway"))
    strike = of(found, "axis", "naval air attacks Enterprise")
    assert strike["total"] == 3 - (2 - 2) + 1
    shooting = of(found, "allies", "air defense of Task Force 16")
    assert shooting["counts"] == "level" and shooting["total"] == sum(amounts(shooting).values()) > 0
    assert not any(each["what"].startswith("air defense") for each in told(world("calabria")))  # nobody flies there


def test_what_is_left_out_is_left_out_behind_the_dice_too() -> None:
    given = world("six-groups")
    shot = of(told(given), "axis", "Yamato fires at")
    assert amounts(shot)["enemy tactical codebreaking"] == -1
    changed = of(told(without(given, ["allies:tactical"])), "axis", "Yamato fires at")
    assert changed["total"] == shot["total"] + 1 and "enemy tactical codebreaking" not in amounts(changed)


def test_a_side_is_told_of_what_it_knows_and_believes() -> None:
    found = told(world("midway", Side.ALLIES))
    words = str(found)
    assert "Enterprise" in words and "Akagi" in words  # hers, and what is believed
    for name in ("Kaga", "Soryu", "Kirishima", "First Carrier Striking Force"):
        assert name not in words


@pytest.mark.parametrize("edition", ["current", "2008"])
@pytest.mark.parametrize(
    "name", [each.name for each in list_scenarios() if each.setup.public.kind not in ("operation", "war")]
)
def test_every_battle_has_its_lines_and_they_add_up(name: str, edition: str) -> None:
    for found in told(world(name, edition=edition)):
        assert found["total"] == sum(line["amount"] for line in found["lines"])
        assert found["rule"] and found["what"]


@pytest.mark.parametrize("name", ["midway", "pedestal"])
def test_there_are_some_at_every_kind_of_decision(name: str) -> None:
    met: set[str] = set()
    for game, side, kind in moments(name, "hidden"):
        if kind not in met:
            met.add(kind)
            assert told(world_of_game(game, side)[0])
    assert len(met) > 5
