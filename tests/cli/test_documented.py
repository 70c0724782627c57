"""What README and the page on operations tell a newcomer to type runs, and the page says what the loader reads."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from flagplot.core.errors import ScenarioError
from flagplot.core.sides import Side
from flagplot.model.operation import KINDS_OF_PHASE, PURPOSES, RESTRICTIONS
from flagplot.play.game import Game
from flagplot.scenarios import operations
from flagplot.scenarios.loader import parse_scenario
from tests.cli.conftest import Run, played

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "operations.md").read_text("utf-8")
EXAMPLE, SEA = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ELSEWHERE = ("serve", "--step")  # a server that runs on, and a reader who is waited for


def commands(page: str) -> list[list[str]]:
    """The commands of a page, without the remarks behind them."""
    lines = re.findall(r"^    (flagplot .*)$", (HOME / page).read_text("utf-8"), re.MULTILINE)
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.mark.parametrize("words", [*commands("README.md"), *commands("docs/operations.md")], ids=" ".join)
def test_a_command_that_is_shown_runs(run: Run, words: list[str], tmp_path: Path) -> None:
    if any(word in ELSEWHERE for word in words):
        words = [*words, "--help"]
    if words[0] == "odds":
        words = [*words, "--width", "30%"]  # to be surer takes compiled battles, and these tests do without
    (tmp_path / "my-battle.toml").write_text(EXAMPLE)
    (tmp_path / "convoy.toml").write_text(EXAMPLE)
    if "FILE" in words:
        played("river-plate", tmp_path / "FILE")
    result = run(*words, lines=["quit"])
    assert result.exit_code == 0, result.output
    assert result.output


def test_there_are_commands_for_operations_maps_and_interceptions() -> None:
    shown = [words[0] for words in commands("README.md")]
    assert {"play", "intercept", "map", "scenarios", "where"} <= set(shown)
    assert [words for words in commands("README.md") if words[:2] == ["play", "operation-malta"]]


def test_the_example_is_an_operation_that_begins() -> None:
    setup = parse_scenario(EXAMPLE, "convoy.toml").setup
    game = Game.new(setup)
    decision = game.decision(Side.AXIS)
    assert decision is not None and decision.kind == "announce"
    game.submit(Side.AXIS, {"Convoy": "To Tripoli", "Close escort": "To Tripoli"})
    assert game.decision(Side.ALLIES) is not None


def test_a_sea_is_typed_in_without_a_map() -> None:
    text = re.sub(r"\[sea\].*?\n\n", SEA + "\n", EXAMPLE, count=1, flags=re.DOTALL)
    for old, new in (("Naples", "Kiel"), ("Tripoli", "Narvik"), ("Malta", "Bergen")):
        text = text.replace(f'"{old}"', f'"{new}"')
    waters = parse_scenario(text, "typed.toml").setup.public.operation
    assert waters and len(waters.seas) == 3 + 8 and waters.straits == (("Kiel", "Skagerrak"),)
    with pytest.raises(ScenarioError, match="without a map all hexes"):
        parse_scenario(text.replace("[sea]", '[sea]\nplaces = ["Kiel"]'), "typed.toml")


def test_what_a_side_keeps_to_itself_does_not_show_in_the_sea() -> None:
    before = parse_scenario(EXAMPLE, "convoy.toml").setup.public.operation
    assert before
    hidden = EXAMPLE.replace(
        "[allies]", '[[axis.activity]]\nname = "Home"\nkind = "sea transport"\nto = "Malta"\n\n[allies]'
    )
    after = parse_scenario(hidden, "convoy.toml").setup.public.operation
    assert after and after.seas == before.seas
    with pytest.raises(ScenarioError, match=r"line \d+.*Kiel is no part of the sea here; name it in places of \[sea\]"):
        parse_scenario(hidden.replace('to = "Malta"', 'to = "Kiel"'), "convoy.toml")
    wider = EXAMPLE.replace("margin = 1", 'margin = 1\nplaces = ["Gibraltar"]')
    sea = parse_scenario(wider, "convoy.toml").setup.public.operation
    assert sea and len(sea.seas) > len(before.seas)


def test_every_key_and_word_of_an_operation_is_on_the_page() -> None:
    keys = {*operations.TOP_KEYS[5:7], *operations.PORT_KEYS, *operations.OF_AN_OPERATION, *operations.ACTIVITY_KEYS}
    keys |= {
        "map",
        "margin",
        "places",
        "lanes",
        "distances",
        "straits",
        "interception_cards",
        "at_peace",
        "restrictions",
    }
    assert sorted(key for key in keys if f"| `{key}` |" not in PAGE) == []
    words = [*(kind for kinds in KINDS_OF_PHASE.values() for kind in kinds), *PURPOSES, *RESTRICTIONS]
    assert [word for word in words if f"`{word}`" not in PAGE and f'`"{word}"`' not in PAGE] == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "Convoy"', 'name = "Convoy"\nmission = "patrol"', "mission: there is no such key"),
        ("air_range = 4", "air_range = 4\nsubmarines = { Britain = 1 }", "submarines: there is no such key"),
        ('mover = "axis"', 'mover = "axis"\nround = 2', "round: there is no such key"),
    ],
)
def test_keys_of_a_battle_that_mean_nothing_here_are_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        parse_scenario(EXAMPLE.replace(old, new, 1), "convoy.toml")
