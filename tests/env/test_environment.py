"""The environment for research: PettingZoo's own conformance tests, and that an agent sees nothing it may not."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from flagplot.core.sides import Side
from flagplot.env import environment
from flagplot.env.environment import MENU, BattleEnv, env
from flagplot.model.events import BattleEnded
from flagplot.scenarios.loader import list_scenarios

SCENARIOS = [scenario.name for scenario in list_scenarios()]


def played(made: Any, seed: int, choose: Any, most: int = 100_000) -> dict[str, float]:
    """A game to its end, or cut off; what each agent was given in all."""
    made.reset(seed=seed)
    given = dict.fromkeys(made.possible_agents, 0.0)
    for turn, agent in enumerate(made.agent_iter()):
        observation, reward, over, cut, _ = made.last()
        given[agent] += reward
        if turn > most:
            break
        made.step(None if over or cut else choose(observation))
    return given


@pytest.mark.parametrize("name", ["denmark-strait", "midway", "river-plate", "operation-norwegian-sea"])
def test_conformance(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(name), num_cycles=60, verbose_progress=False)


def test_the_same_seed_gives_the_same_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env("denmark-strait"), num_cycles=50)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_can_be_played_by_chance(name: str) -> None:
    random = Random(name)
    made = env(name)
    played(made, 5, lambda seen: random.choice(np.flatnonzero(seen["action_mask"]).tolist()), most=60)


def test_a_game_is_won_by_one_and_lost_by_the_other() -> None:
    given = [played(env("calabria"), seed, lambda seen: 1) for seed in range(4)]
    for each in given:
        assert each["axis"] == -each["allies"]
    assert any(each["axis"] for each in given)


def test_an_operation_is_worth_the_battles_fought_in_it() -> None:
    """A battle is won, and then ships are attacked from the air on their way home, which nobody wins."""
    found = set()
    for seed in range(3):
        made = BattleEnv("operation-norwegian-sea")
        given = played(made, seed, lambda seen: 1)
        ended = [event for event in made.game.picture(None).events if isinstance(event, BattleEnded)]
        won = sum((event.victor is Side.ALLIES) - (event.victor is Side.AXIS) for event in ended)
        assert (given["allies"], given["axis"]) == (won, -won)
        found.add((won, ended[-1].victor))
    assert any(won and not last for won, last in found)


def test_the_menu_has_the_default_first_and_the_admiral_second_and_no_line_twice() -> None:
    made = BattleEnv("midway")
    made.reset(seed=3)
    full = 0
    for _ in range(60):
        if made.terminations[made.agent_selection]:
            break
        side = Side(made.agent_selection)
        decision = made.game.decision(side)
        assert decision is not None
        answers = [decision.read(wire) for wire in made.infos[made.agent_selection]["answers"]]
        assert answers[0] == decision.read(decision.form.default)
        assert answers[1] == decision.read(made.admiral.choose(made.game.picture(side), decision))
        rest = answers[1:] if answers[0] == answers[1] else answers
        assert all(rest.count(answer) == 1 for answer in rest)
        seen = made.observe(made.agent_selection)
        assert seen["action_mask"].sum() == len(answers)
        assert made.observe(side.enemy.value)["action_mask"].sum() == 0
        full += len(answers) == MENU
        made.step(1)
    assert full


def test_an_agent_sees_only_what_its_side_knows() -> None:
    """Two games that differ only in a hidden group: the other agent is shown the same to the last number."""
    shown = []
    for swapped in (False, True):
        made = BattleEnv("three-groups")
        setup = made.scenario.setup.with_order_of_battle("hidden")
        secret = setup.sides[Side.AXIS]
        if swapped:
            first, *rest = secret.forces
            setup = replace(
                setup,
                sides={
                    **setup.sides,
                    Side.AXIS: replace(secret, forces=(replace(first, light={"Japan/DD": 3}), *rest)),
                },
            )
        made.scenario = replace_scenario(made.scenario, setup)
        made.reset(seed=4)
        views = []
        while made.game.battle.segment == "formation":
            if made.agent_selection == "allies":
                views.append((made.observe("allies"), made.infos["allies"]))
            made.step(0)
        views.append((made.observe("allies"), {}))
        shown.append(views)
    assert repr(shown[0]) == repr(shown[1])


def replace_scenario(scenario: Any, setup: Any) -> Any:
    return scenario._replace(setup=setup) if hasattr(scenario, "_replace") else replace(scenario, setup=setup)


def test_a_line_that_is_not_on_the_menu_is_refused() -> None:
    made = BattleEnv("denmark-strait", render_mode="ansi")
    made.reset(seed=1)
    with pytest.raises(ValueError, match="no line 99"):
        made.step(99)
    assert "Denmark Strait" in (made.render() or "")
    assert BattleEnv("denmark-strait").render() is None


def test_a_game_is_cut_short_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "MOST_INPUTS", 10)
    made = env("denmark-strait")
    made.reset(seed=2)
    cut = False
    for _ in made.agent_iter():
        _, _, over, cut, _ = made.last()
        made.step(None if over or cut else 0)
    assert cut


def test_the_example_runs() -> None:
    example = Path(__file__).parents[2] / "examples" / "agent.py"
    told = subprocess.run(
        [sys.executable, example, "denmark-strait", "2"], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    assert told.startswith("denmark-strait, 2 games: agent ")
