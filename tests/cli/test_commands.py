"""What the list of commands says is what the commands say, and nobody waits for a command he did not ask for."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from flagplot.cli.main import COMMANDS, loaded

LOADED = "import sys, flagplot.cli.{module}; print(*sys.modules)"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    assert COMMANDS[name].words == inspect.cleandoc(loaded(name).help).split("\n\n")[0]
    assert loaded(name).name == name


@pytest.mark.parametrize(
    ("module", "not_these"),
    [
        ("main", {"flagplot.rules.table", "flagplot.api.calls", "numpy", "numba"}),
        ("odds", {"flagplot.api.bombing", "flagplot.cli.session", "numba", "llvmlite", "scipy", "fastapi", "asyncio"}),
        ("play", {"flagplot.api.bombing", "numpy", "numba", "scipy", "fastapi"}),
        ("serve", {"numpy", "numba", "scipy", "fastapi", "sqlalchemy"}),
    ],
)
def test_a_command_loads_what_it_needs(module: str, not_these: set[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOADED.format(module=module)], capture_output=True, text=True, check=True
    )
    assert set(told.stdout.split()) & not_these == set()
