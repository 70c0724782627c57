"""`flagplot advise`: what is typed, what is told, what is refused."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run


def test_the_command(run: Run) -> None:
    result = run(
        "advise", "three-groups", "--side", "axis", "--on", "screen", "--battles", "8", "--engine", "procedures"
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert sum(each["share"]["is"] for each in found["choices"]) == pytest.approx(1, abs=1e-5)
    assert len(found["choices"]) == 3
    for words, why in (
        (("three-groups", "--side", "both"), "no side"),
        (("three-groups", "--side", "axis", "--on", "luck"), "advice on"),
        (("three-groups", "--side", "axis", "--on", "screen", "--battles", "x"), "from 1 to"),
    ):
        refused = run("advise", *words)
        assert refused.exit_code == 2
        assert why in refused.stderr
