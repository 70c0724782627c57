"""The swap test for amendments: what is put right by agreement tells no more than its words do.

Two battles that differ in which hidden group a ship is in, or in which ships the enemy has: whoever reads the amendment, or
proposes it, receives the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.amendments import Amended
from flagplot.play.amendments import read_change
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import view
from tests.rules.endings_table import force, scenario_text

AXIS, ALLIES = Side.AXIS, Side.ALLIES


def battle(japan: list[dict[str, Any]], america: list[dict[str, Any]], order_of_battle: str) -> Game:
    setup = parse_scenario(scenario_text(japan, america, order_of_battle=order_of_battle), "text").setup
    return Game.new(setup, dice=SeededDice(Random(1)), key=KEY)


def play_to(game: Game, segment: str, number: Callable[[str], str]) -> Game:
    """Everything as offered, but for the numbers of groups."""
    while game.battle.segment != segment:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision
        items = [item.key for item in decision.form.items]
        numbered = {key: number(key) for key in items} if decision.kind == "number" else decision.form.default
        game.submit(side, numbered)
    return game


NUMBERS = {"Line": "3", "First": "5", "Second": "6", "Battleships": "4"}
EXCHANGED = NUMBERS | {"First": "6", "Second": "5"}


def told(numbers: dict[str, str], order_of_battle: str, change: dict[str, Any]) -> Game:
    """Japan puts something right while its groups are hidden."""
    japan = [
        force("Line", ships=["Kirishima"], cruisers=2, destroyers=3),
        force("First", ships=["Nagato"], cruisers=2, destroyers=2),
        force("Second", ships=["Mutsu"], cruisers=2, destroyers=2),
    ]
    america = [force("Battleships", ships=["Washington"], cruisers=2, destroyers=3)]
    game = play_to(battle(japan, america, order_of_battle), "search", numbers.__getitem__)
    agreed = read_change({"side": "axis", **change}, game.picture(AXIS).battle, "axis")
    game.amend("axis", agreed, agreed=("allies",))
    return play_to(game, "fleet combat", numbers.__getitem__)


@pytest.mark.parametrize("order_of_battle", ["open", "hidden"])
@pytest.mark.parametrize(
    "change",
    [
        {"kind": "ship", "ship": "Nagato", "becomes": "hits", "hits": 1},
        {"kind": "ship", "ship": "Nagato", "becomes": "sunk"},
        {"kind": "add", "to": "First", "light": {"Japan/DD": 1}},
        {"kind": "remove", "to": "First", "light": {"Japan/DD": 1}},
        {"kind": "cargo", "to": "First", "name": "rice", "needs": 1},
    ],
    ids=lambda change: "-".join(map(str, change.values()))[:24],
)
def test_an_amendment_does_not_tell_which_hidden_group_it_is_about(
    change: dict[str, Any], order_of_battle: str
) -> None:
    one, two = (told(numbers, order_of_battle, change) for numbers in (NUMBERS, EXCHANGED))
    for audience in (ALLIES, None):
        assert any(isinstance(event, Amended) for event in one.picture(audience).events)
        assert view(one, audience) == view(two, audience)
    for game, number in ((one, 5), (two, 6)):  # and took effect in the right one
        group = game.battle.fleets[AXIS].group(number)
        assert game.picture(AXIS).battle.fleets[AXIS].group(number) == group
        found = (
            [ship.hits for ship in group.ships],
            group.light["Japan/DD"] + group.light.get("Japan/DD/loaded", 0),
            [item.name for item in group.cargo],
        )
        expected: dict[str, Any] = {
            "hits": ([1], 2, []),
            "sunk": ([], 2, []),
            "add": ([0], 3, []),
            "remove": ([0], 1, []),
            "cargo": ([0], 2, ["rice"]),
        }
        assert found == expected[change.get("becomes", change["kind"])]


def test_a_group_named_by_its_number_is_told_by_it() -> None:
    game = told(NUMBERS, "hidden", {"kind": "add", "to": "CG5", "light": {"Japan/DD": 1}})
    (amended,) = [event for event in game.picture(ALLIES).events if isinstance(event, Amended)]
    assert (amended.number, amended.place, amended.fighting) == (5, "", True)


def answers_to(ship: str) -> list[str]:
    """Japan asks for each of these ships to be added to its own; America has one of them, and a computer plays it."""
    japan = [force("Line", ships=["Kirishima"], cruisers=2, destroyers=3)]
    america = [force("Battleships", ships=[ship], cruisers=2, destroyers=3)]
    answers = []
    for name in ("Washington", "North Carolina", "Kirishima", "Haruna"):
        game = battle(japan, america, "hidden")
        wanted = {"kind": "add", "side": "axis", "to": "Line", "ships": [name]}
        try:
            game.amend("axis", read_change(wanted, game.picture(AXIS).battle, "axis"))
            answers.append("added")
        except PlayerError as refusal:
            answers.append(str(refusal))
    return answers


def test_adding_a_ship_does_not_tell_whether_the_enemy_has_her() -> None:
    one = answers_to("Washington")
    assert one == answers_to("North Carolina")
    assert ["no ships of United States" in one[0], "already" in one[2], one[3]] == [True, True, "added"]
