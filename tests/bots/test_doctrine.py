"""Doctrines: their numbers, what cannot be one, and that the admiral goes by his."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.doctrine import Doctrine, checked
from flagplot.doctrine.sight import Sight
from flagplot.model.forces import LIGHT, Cargo, CombatGroup, Force
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship
from flagplot.model.squadrons import Port
from flagplot.model.state import Fleet
from flagplot.rules.air.strikes import targets_form
from flagplot.rules.naval.combat_groups import form_groups, numbering_form

CARGO = Cargo("army", 1, "TR")
EVEN = Sight(round=1, own_guns=10, enemy_guns=10)


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


@pytest.mark.parametrize(
    ("steps", "aimed", "left", "expected"),
    [
        ([0, 10, 20, 30, 40], 0, 4, (10, 1)),  # each is worth the same: one at a time
        ([0, 0, 0, 90, 90], 0, 4, (90, 3)),  # only three together do anything
        ([0, 0, 0, 90, 90], 0, 2, (0, 1)),  # and three there are not
        ([0, 0, 0, 90, 90], 1, 3, (90, 2)),  # one is aimed already
        ([0, 20, 30, 75, 80], 0, 4, (75, 3)),  # 25 each, where one alone is worth 20
    ],
)
def test_squadrons_go_where_so_many_together_are_worth_most_for_each(
    steps: list[int], aimed: int, left: int, expected: tuple[int, int]
) -> None:
    assert policies.mass(lambda squadrons: steps[squadrons], aimed, left) == expected


@pytest.mark.parametrize("port", [None, Port("Pearl Harbor")])
@pytest.mark.parametrize(
    ("light", "massed"),
    [({"United States/CA": 2, "United States/DD": 3}, 1), ({}, 2)],  # light ships do not draw all; two ships, not one
)
def test_bombers_mass_on_battleships(port: Port | None, light: dict[str, int], massed: int) -> None:
    ships = tuple(Ship(name, name, "United States", "BB", 4) for name in ("Arizona", "Nevada", "Oklahoma"))
    group = CombatGroup(1, "Battleship Row", ships, light)
    picture = Picture(Side.AXIS)
    fleets = {Side.AXIS: Fleet(), Side.ALLIES: Fleet(groups=(group,))}
    picture.battle = replace(picture.battle, fleets=fleets, port=port)
    form = targets_form(group, {"Japan/NAS": 10})
    told = AdmiralBot().choose(picture, Decide(Side.AXIS, "23.43", "air targets", "", form, "CG1"))
    on_ships = [number for target, number in told["Japan/NAS"].items() if target != LIGHT]
    assert len(on_ships) == massed and min(on_ships) >= 4  # three hits damage one of them


def _numbered(*names: str) -> dict[str, str]:
    """What the admiral makes of task forces: destroyers by their number, carriers ("C") with some, cargo ("T")."""
    forces = []
    for name in names:
        carriers = (Ship(name, name, "Japan", "CV", 3),) if name[0] == "C" else ()
        light = {"Japan/TR": 1} if name[0] == "T" else {"Japan/DD": int(name[1:])}
        forces.append(Force(name, ships=carriers, light=light, cargo=(CARGO,) if name[0] == "T" else ()))
    picture = Picture(Side.AXIS)
    picture.battle = replace(
        picture.battle, fleets={Side.AXIS: Fleet(forces=tuple(forces)), Side.ALLIES: Fleet(name="")}
    )
    form = numbering_form(form_groups(forces), 6)
    answer = AdmiralBot().choose(picture, Decide(Side.AXIS, "22.423", "number", "", form))
    return {str(name): str(place) for name, place in answer.items()}


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (["C4", "G9", "G8"], {"G9": "1", "G8": "2", "C4": "5"}),  # a number is left above the carriers
        (["T", "C4", "G9", "G8"], {"G9": "1", "G8": "2", "T": "6", "C4": "5"}),
        (
            ["C4", "C5", "C6", "G9", "G8", "G7"],
            {"G9": "1", "G8": "2", "G7": "3", "C6": "4", "C5": "5", "C4": "6"},  # none can be left
        ),
        (
            ["C4", "C5", "T", "G9", "G8", "G7", "G6", "G5"],
            {"G9": "1", "G8": "2", "G7": "3", "C5": "4", "C4": "5", "T": "6", "G6": "wait", "G5": "wait"},
        ),
    ],
)
def test_guns_in_front_and_cargo_last_however_many_groups_there_are(names: list[str], numbers: dict[str, str]) -> None:
    assert _numbered(*names) == numbers
