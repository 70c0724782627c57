"""The edition in the terminal: chosen, told on the screen and in reports, refused where it is none or comes too late."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flagplot.cli import tables
from flagplot.play.report import report
from flagplot.play.saves import load
from tests.cli.conftest import Run


def test_a_game_by_the_rules_of_2008_says_so_on_the_screen_and_in_its_report(run: Run) -> None:
    output = run("play", "three-groups", "--edition", "2008", "--save", "old.flagplot").output
    assert "edition 2008" in output
    game = load(Path("old.flagplot"))
    assert game.header.edition == "2008"
    assert "Edition 2008," in report(game)


@pytest.mark.parametrize("command", ["play", "odds", "advise"])
def test_an_edition_that_is_none_is_refused(run: Run, command: str) -> None:
    more = ["--side", "axis", "--on", "number"] if command == "advise" else []
    result = run(command, "three-groups", "--edition", "1999", *more)
    assert result.exit_code == 2
    assert "there is no edition '1999'; there are current, 2008" in result.stderr


@pytest.mark.parametrize("command", ["play", "odds", "advise"])
def test_a_saved_game_keeps_its_edition(run: Run, command: str) -> None:
    run("play", "--save", "a.flagplot")
    more = ["--side", "axis", "--on", "number"] if command == "advise" else []
    result = run(command, "a.flagplot", "--edition", "2008", *more)
    assert result.exit_code == 2
    assert "goes on with the edition it was begun with" in result.stderr


def test_odds_by_the_rules_of_2008(run: Run) -> None:
    told = json.loads(run("odds", "three-groups", "--battles", "3", "--edition", "2008", "--json").stdout)
    assert told["battles"] == 3


def test_interception_by_activity(run: Run) -> None:
    """A 30-factor invasion in its hex, four squadrons spotting, two submarines, codebreaking: 4 + 1 + 3 + 2 + 1."""
    result = run(
        *("intercept", "--activity", "invasion", "--force", "12", "--spotters", "4", "--submarines", "2"),
        *("--cards", "1", "--factors", "30", "--invasion-hex", "--edition", "2008", "--json"),
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert next(iter(told["forces"].values()))["dice"] == 11


# -- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("search", "results with which it is shown 3"),
        ("interception", "dice against (sea transport) 4"),
        ("interception", "dice against interceptors of a transport from a U.S. box 3"),
        ("surprise", "thirds of the defending air that engage 5 1"),
        ("surprise", "air defense is not rolled 7"),
        ("surprise", "surprise die, each earlier strike on the group -1"),
        ("submarine-attack", "hits lost 0 0 1 1 2 2 3 3 4 5"),
    ],
)
def test_a_table_is_shown_as_an_edition_prints_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, table: str, line: str
) -> None:
    monkeypatch.setattr(tables, "wants_json", lambda asked: asked)

    def lines(*more: str) -> list[str]:
        return [" ".join(each.split()) for each in run("table", table, *more).stdout.splitlines()]

    assert line in lines("--edition", "2008")
    assert lines() == lines("--edition", "current") and line not in lines()


def test_an_edition_that_is_none_has_no_tables(run: Run) -> None:
    refused = run("table", "search", "--edition", "1812")
    assert refused.exit_code == 2 and "there are current, 2008" in refused.stderr
