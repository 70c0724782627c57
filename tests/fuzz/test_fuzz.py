"""Random play of every scenario to its end: nothing but PlayerError, no dead end, no runaway.

The ordinary run makes more than 50,000 random decisions here, the long one millions."""

from __future__ import annotations

import os
from random import Random

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot, play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.editions.current import EDITIONS
from flagplot.play.game import Game
from flagplot.play.report import report
from flagplot.scenarios.loader import Scenario, list_scenarios
from tests.properties.any_rules import any_rules
from tests.properties.random_battles import KEY, SeededDice, random_game

SCENARIOS = {scenario.name: scenario for scenario in list_scenarios()}
BATTLES = [name for name, scenario in SCENARIOS.items() if scenario.setup.public.kind != "operation"]
SCALE = int(os.environ.get("SCALE", "1"))
MOST_INPUTS = 20_000


def play(scenario: Scenario, seed: int, bots: dict[Side, Bot], random: Random, edition: str = "") -> Game:
    rules = any_rules(f"{scenario.name} {seed}", edition or scenario.edition)
    game = Game.new(scenario.setup, dice=SeededDice(random), key=KEY, **rules)
    play_out(game, bots, MOST_INPUTS)
    assert game.over, f"{scenario.name}, seed {seed}: still going after {MOST_INPUTS} inputs, at {game.runner.where()}"
    return game


def campaign(name: str, battles: int, edition: str = "") -> None:
    rounds = []
    for seed in range(battles):
        random = Random(f"{name} {seed}")
        game = play(SCENARIOS[name], seed, {side: RandomBot(random) for side in Side}, random, edition)
        rounds.append(game.battle.round)
    if SCENARIOS[name].setup.public.kind == "naval battle":
        assert 2 * sum(number >= 3 for number in rounds) >= battles, "fewer than half reach round 3"


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_battles_of_every_scenario_come_to_an_end(name: str) -> None:
    campaign(name, 2 if name == "war" else 6)


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "war"])
def test_a_handful_of_battles_by_the_rules_of_2008_come_to_an_end(name: str) -> None:
    random = Random(f"2008 {name}")
    bots: dict[Side, Bot] = {Side.AXIS: AdmiralBot(), Side.ALLIES: RandomBot(random)}
    game = play(SCENARIOS[name], 0, bots, random, "2008")
    assert report(game).startswith(f"# {game.header.setup.public.title}")


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_set_ups_by_any_options_come_to_an_end(edition: str) -> None:
    for seed in range(18):
        rules = any_rules(seed, edition)
        assert random_game(seed, raiders=seed == 0, most_inputs=MOST_INPUTS, **rules).over, f"{seed}: {rules}"


@pytest.mark.long
@pytest.mark.parametrize("name", SCENARIOS)
def test_thousands_of_battles_by_the_rules_of_2008_come_to_an_end(name: str) -> None:
    campaign(name, 300 * SCALE, "2008")


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10))
def test_thousands_of_random_set_ups_by_the_rules_of_2008_come_to_an_end(batch: int) -> None:
    for seed in range(batch * 100 * SCALE, (batch + 1) * 100 * SCALE):
        game = random_game(seed, raiders=seed % 5 == 0, most_inputs=MOST_INPUTS, **any_rules(seed, "2008"))
        assert game.over, seed


@pytest.mark.long
@pytest.mark.parametrize("name", SCENARIOS)
def test_thousands_of_random_battles_come_to_an_end(name: str) -> None:
    campaign(name, 1_000 * SCALE)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(10))
def test_thousands_of_random_set_ups_come_to_an_end(batch: int) -> None:
    for seed in range(batch * 300 * SCALE, (batch + 1) * 300 * SCALE):
        game = random_game(seed, raiders=seed % 5 == 0, most_inputs=MOST_INPUTS, **any_rules(seed, "current"))
        assert game.over, seed


@pytest.mark.parametrize("battles", [6, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", BATTLES)  # operations have no victor: tests/bots/test_operations.py scores them
def test_the_admiral_finishes_battles_and_beats_chance(name: str, battles: int) -> None:
    won = lost = 0
    for seed in range(battles):
        random = Random(f"admiral {name} {seed}")
        admiral = Side.AXIS if seed % 2 else Side.ALLIES
        bots: dict[Side, Bot] = {admiral: AdmiralBot(), admiral.enemy: RandomBot(random)}
        game = play(SCENARIOS[name], seed, bots, random)
        won += game.battle.victor is admiral
        lost += game.battle.victor is admiral.enemy
    assert won >= lost


@pytest.mark.parametrize("battles", [3, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SCENARIOS)
def test_two_admirals_come_to_an_end(name: str, battles: int) -> None:
    for seed in range(battles):
        random = Random(f"admirals {name} {seed}")
        assert play(SCENARIOS[name], seed, {side: AdmiralBot() for side in Side}, random).battle.round <= 30
