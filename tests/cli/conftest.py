"""What the tests of the terminal share: the command, run in this process or as a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.cli.main import app
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.play.saves import save
from flagplot.scenarios.loader import load_scenario
from tests.cli.forked import nursery

Run = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)

    def command(*words: str, lines: list[str] | None = None) -> Result:
        return CliRunner().invoke(app, list(words), input="".join(f"{line}\n" for line in lines or []))

    return command


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Run the command as a process of its own, in an empty folder."""

    def command(*words: str, lines: list[str] | None = None) -> subprocess.CompletedProcess[str]:
        return nursery().run(words, tmp_path, "".join(f"{line}\n" for line in lines or []))

    return command


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A battle played to its end by two random bots."""
    return played("denmark-strait", tmp_path / "finished.flagplot")


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """A battle in progress: somebody is asked."""
    return played("denmark-strait", tmp_path / "unfinished.flagplot", most_inputs=12)


def played(name: str, path: Path, most_inputs: int = 100_000, seed: int = 5) -> Path:
    """A save of a battle between two random bots."""
    scenario = load_scenario(name)
    game = Game.new(scenario.setup, scenario=name, edition=scenario.edition, options=scenario.options)
    play_out(game, {side: RandomBot(Random(seed)) for side in Side}, most_inputs)
    game.advance()
    save(game, path)
    return path
