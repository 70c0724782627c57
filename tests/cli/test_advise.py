"""`flagplot advise`: what is typed, what is told, what is refused."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.play.saves import save
from flagplot.scenarios.loader import load_scenario
from tests.cli.conftest import Run

command: Any = importlib.import_module("flagplot.cli.advise")


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
        (("three-groups",), "--side axis or --side allies"),
        ((), "flagplot scenarios lists them"),
        (("three-groups", "--side", "axis", "--on", "luck"), "advice on"),
        (("three-groups", "--side", "axis", "--on", "screen", "--battles", "x"), "from 1 to"),
    ):
        refused = run("advise", *words)
        assert refused.exit_code == 2
        assert why in refused.stderr


ASKED = ("advise", "calabria", "--side", "axis", "--on", "withdraw", "--value", "factors", "--engine", "procedures")


@pytest.mark.parametrize(("after", "kept"), [(4, True), (1, False)])
def test_what_was_fought_is_kept_when_it_is_ended(
    run: Run, monkeypatch: pytest.MonkeyPatch, after: int, kept: bool
) -> None:
    """Control-C after the first whole pass keeps it and says so; before that there is nothing to keep."""
    fought = command.the_advice

    def ended(*given: Any, **how: Any) -> Iterator[dict[str, Any]]:
        yield from islice(fought(*given, **how), after)
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "the_advice", ended)
    result = run(*ASKED, "--battles", "64")
    if kept:
        found = json.loads(result.stdout)
        assert found["each"] == 8 and found["last"] and "it was ended" in found["why"]
    else:
        assert result.exit_code == 2 and "there is no advice yet" in result.stderr


def test_without_a_number_of_battles_it_ends_in_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little time there is, every pair is fought once."""
    monkeypatch.setattr(command, "SECONDS", 0)
    found = json.loads(run(*ASKED).stdout)
    assert found["each"] == 8 and found["choices"] and found["last"]
    assert "0 seconds were fought" in found["why"] and "--battles" in found["why"]


def test_it_is_told_to_people(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "wants_json", lambda asked: False)
    told = run(*ASKED, "--battles", "8").stdout
    assert "Italy chooses, withdrawing" in told and "So chosen it is worth" in told and "if he knows it" in told
    fought = command.the_advice
    monkeypatch.setattr(
        command, "the_advice", lambda *given, **how: (step | {"same": True} for step in fought(*given, **how))
    )
    assert "In 8 battles of each pair it made next to no difference" in run(*ASKED, "--battles", "8").stdout


def test_a_saved_game_is_advised_on_what_is_asked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While groups are numbered nothing is on the chart yet."""
    scenario = load_scenario("denmark-strait")
    game = Game.new(scenario.setup, edition=scenario.edition, options=scenario.options, key="00" * 16)
    while (decision := game.decision(Side.AXIS)) is None or decision.kind != "number":
        side = next(side for side in Side if game.decision(side))
        game.submit(side, game.decision(side).form.default)  # type: ignore[union-attr]
    save(game, tmp_path / "mine.flagplot")
    fought = command.the_advice
    put: list[Any] = []

    def noted(*given: Any, **how: Any) -> Iterator[dict[str, Any]]:
        put.append((given, how))
        return fought(
            given[0], Side.AXIS, "withdraw", belief=how["belief"], battles=8, engine="procedures"
        )  # sooner done

    monkeypatch.setattr(command, "the_advice", noted)
    assert run("advise", "mine.flagplot", "--side", "axis").exit_code == 0  # on what is asked, unless it is said
    (((world, side, kind), how),) = put
    assert [dict.fromkeys(each["answer"]) for each in how["beside"]]
    assert (side, kind, world.battle.segment) == (Side.AXIS, "number", "counterair")
    assert [group.number for group in how["belief"].groups]
    monkeypatch.setattr(command, "the_advice", fought)
    refused = run("advise", "mine.flagplot", "--side", "axis", "--on", "withdraw")
    assert refused.exit_code == 2 and "not formed yet" in refused.stderr
    game.submit(Side.AXIS, game.decision(Side.AXIS).form.default)  # type: ignore[union-attr]
    save(game, tmp_path / "mine.flagplot")
    refused = run("advise", "mine.flagplot", "--side", "axis")
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("asked", "why"), [("odds", "what each hidden group holds"), ("advise", "one enemy group or more")]
)
@pytest.mark.parametrize("text", ["", "  \n", "# nobody\n", "group = []\n"])
def test_a_belief_with_no_group_is_refused(run: Run, tmp_path: Path, asked: str, why: str, text: str) -> None:
    belief = tmp_path / "belief.toml"
    belief.write_text(text)
    refused = run(asked, "midway", "--side", "axis", "--belief", str(belief), "--battles", "8")
    assert refused.exit_code == 2 and why in refused.stderr
    assert refused.stderr.count("\n") == 1
