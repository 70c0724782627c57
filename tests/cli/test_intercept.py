"""`flagplot intercept`: what is typed, the chances, dice that were rolled, and kind refusals."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import intercept as command
from flagplot.cli import tables
from flagplot.cli.terminal import THEME
from tests.cli.conftest import Run
from tests.cli.step_words import refusal, resolved


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone looks at the output."""
    out = lambda: Console(theme=THEME, highlight=False, width=80, force_terminal=True, color_system=None)  # noqa: E731
    for module in (command, tables):
        monkeypatch.setattr(module, "wants_json", lambda asked: asked)
        monkeypatch.setattr(module, "console", out)


def seen(run: Run, *words: str) -> list[str]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return [line for line in lines if line]


TOLD = re.findall(r"\[bold\](flagplot intercept .*?)\[/bold\]", command.intercept.__doc__ or "", re.DOTALL)
EXAMPLES = [" ".join(example.split()) for example in TOLD]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3 and any("--roll" in example for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_page_run(run: Run, example: str) -> None:
    found = resolved(run, *shlex.split(example)[1:])
    assert all(force["dice"] > 0 for force in found["forces"].values())


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_page_are_told(run: Run, example: str) -> None:
    shown = seen(run, *shlex.split(example)[1:])
    assert "Chance to enter naval combat in round" in shown


def test_the_json_is_the_answer_of_the_api(run: Run) -> None:
    words = [
        "--activity",
        "sea transport",
        "--task-forces",
        "1",
        "--force",
        "Home Fleet: slow TF 12",
        "--spotters",
        "2",
    ]
    found = resolved(
        run, "intercept", *words, "--force", "cruisers 9", "--force", "submarine 4", "--theatre", "pacific"
    )
    asked: dict[str, Any] = {
        "target": {"activity": "sea transport", "task_forces": 1},
        "theatre": "Pacific",
        "spotters": 2,
        "forces": [
            {"id": "Home Fleet", "distance": 12, "slow": True},
            {"id": "Ships 2", "distance": 9, "kind": "loose", "ships": ["CA", "DD"]},
            {"id": "Submarine 3", "distance": 4, "kind": "submarine"},
        ],
    }
    expected = api.call("intercept_odds", asked)
    assert {key: found[key] for key in expected} == expected
    assert found["assumed"] == ["no submarines assisting", "no strategic cards"]


def test_rolled_dice_are_resolved(run: Run) -> None:
    words = ["--task-forces", "3", "--force", "5", "--force", "9", "--roll", "2", "3", "1", "1"]
    came = resolved(run, "intercept", *words)["resolved"]["forces"]
    assert [(force["total"], force["arrival_round"]) for force in came.values()] == [(5, 1), (2, 3)]


@pytest.mark.usefixtures("terminal")
def test_what_people_see(run: Run) -> None:
    shown = seen(run, "intercept", "--task-forces", "2", "--force", "A: 6", "--force", "B: 6", "--roll", "6", "2")
    assert "Intercepted: base change with 2 TFs." in " ".join(shown)
    assert shown.count("+2 2 TFs (22.22E)") == shown.count("−1 2 attempts at the same activity (22.22K)") == 2
    assert "A 1 6 16.7% 11.1% 2.8% 69.4%" in shown
    assert "A surface force is in time: 30.6% (11/36)." in shown
    assert "▌ A: 6 against 6 hexes: round 1, in time (22.23)." in shown
    assert "▌ B: 2 against 6 hexes: round 2, late (22.24B)." in shown


@pytest.mark.usefixtures("terminal")
def test_who_cannot_try_is_told_why(run: Run) -> None:
    shown = seen(run, "intercept", "--task-forces", "1", "--force", "41", "--force", "slow TF 3", "--roll", "")
    assert "TF 1, 41 hexes off: no dice: out of range" in shown
    assert "TF 2, 3 hexes off: no dice: no die is due" in shown
    assert "TF 1 0 41 - 100.0%" in shown and "A surface force is in time: never." in shown
    assert "▌ TF 2: no die is due (22.24C)." in shown


@pytest.mark.usefixtures("terminal")
def test_late_rounds_stand_together_and_small_chances_are_not_nothing(run: Run) -> None:
    words = ["--task-forces", "7", "--force", "3", "--force", "40", "--force", "light TF 34"]
    shown = seen(run, "intercept", *words)
    assert "force dice hexes 1 2 3 4 5 6+ never" in shown
    rows = [line for line in shown if line.startswith("TF ") and "%" in line]
    assert rows[0] == "TF 1 5 3 100.0% - - - - - -"
    assert any("<0.1%" in row for row in rows)


@pytest.mark.usefixtures("terminal")
def test_a_chance_that_is_not_certain_is_not_shown_as_certain(run: Run) -> None:
    shown = seen(run, "intercept", "--task-forces", "6", "--force", "7", "--returning")
    assert any(">99.9%" in line for line in shown)
    assert any("on its way home" in line for line in shown)


@pytest.mark.usefixtures("terminal")
def test_counters_in_the_interception_hex(run: Run) -> None:
    words = ["--level", "counter", "--place", "interception", "--activity", "interception", "--force", "9"]
    shown = seen(run, "intercept", *words)
    assert shown[0] == "Counter-interception (22.2)"
    assert "+2 counter-interception in the interception hex (22.22C)" in shown


@pytest.mark.parametrize(
    ("typed", "activity"),
    [
        ("invasion", "seaborne invasion"),
        ("NR", "naval redeployment"),
        ("Sea_Supply", "sea supply"),
        ("carriers", "fast carrier mission"),
        ("BOMBARDMENT", "shore bombardment"),
        ("escort", "sea escort"),
    ],
)
def test_activities_may_be_typed_short(typed: str, activity: str) -> None:
    assert command._activity(typed) == activity


def test_options_change_the_answer(run: Run) -> None:
    words = ["intercept", "--activity", "carriers", "--returning", "--task-forces", "1", "--force", "3"]
    assert resolved(run, *words)["forces"]["TF 1"]["dice"] == 1
    assert resolved(run, *words, "--option", "return_extra_dice=all")["forces"]["TF 1"]["dice"] == 3


def test_what_is_countered_is_an_interception_unless_said(run: Run) -> None:
    words = ["intercept", "--level", "counter", "--place", "interception", "--force", "3", "--task-forces", "1"]
    assert resolved(run, *words)["forces"]["TF 1"]["dice"] == 3
    assert resolved(run, *words, "--activity", "supply")["forces"]["TF 1"]["dice"] == 5


def test_cargo_and_no_cargo(run: Run) -> None:
    words = ["intercept", "--task-forces", "1", "--force", "3"]
    assert resolved(run, *words, "--cargo")["forces"]["TF 1"]["dice"] == 3
    words = ["intercept", "--activity", "sea escort", "--task-forces", "1", "--force", "3"]
    assert resolved(run, *words)["forces"]["TF 1"]["dice"] == 3
    assert resolved(run, *words, "--no-cargo")["forces"]["TF 1"]["dice"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--force", "TF"], "--force 'TF' will not do"),
        (["--force", "12 13"], "--force '12 13' will not do"),
        (["--force", "dreadnought 12"], "will not do"),
        (["--force", "1234"], "will not do"),
        (["--force", "A: 3", "--force", "A: 4"], "two forces are called 'A'"),
        (["--force", "3", "--activity", "sea"], "there is no activity 'sea'"),
        (["--force", "3", "--activity", ""], "there is no activity ''"),
        (["--force", "3", "--spotters", "many"], "--spotters 'many' will not do"),
        (["--force", "3", "--ground", "2"], "22.22F"),
        (["--force", "3", "--staying"], "22.22B"),
        (["--force", "3", "--level", "fourth"], "--level 'fourth' will not do: there are counter, counter-counter"),
        (["--force", "3", "--place", "here"], "--place 'here' will not do"),
        (["--force", "3", "--theatre", "Baltic"], "no theatre 'Baltic'"),
        (["--force", "3", "--option", "x"], "'x' is not an option"),
        (["--force", "3", "--option", "x=y"], "there is no such option"),
        (["--force", "3", "--task-forces", "1", "--roll", "7"], "'7' is not a die"),
        (["--force", "3", "--task-forces", "2", "--roll", "1"], "TF 1 rolls 2, 1 are left"),
        (["--force", "3", "--task-forces", "1", "--roll", "1", "2"], "the dice 2 are too many: 1 are rolled"),
        (["--force", "3", "4"], "'4' stands alone"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(run: Run, words: list[str], said: str) -> None:
    assert said in refusal(run, "intercept", *words)


# -- the table -------------------------------------------------------------------------------------


def test_the_table_as_json(run: Run) -> None:
    found = json.loads(run("table", "interception", "--json").stdout)
    assert (found["table"], found["cargo"], found["most_range"]) == ("interception", 2, {"Europe": 40, "Pacific": 20})


@pytest.mark.usefixtures("terminal")
def test_the_table_for_people(run: Run) -> None:
    shown = seen(run, "table", "interception")
    assert "dice for each TF intercepted 1" in shown
    assert "hexes of path, at most (Pacific) 20" in shown
