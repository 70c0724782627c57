"""The edition in the terminal: chosen, told on the screen and in reports, refused where it is none or comes too late."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from flagplot.cli import bombing, intercept, raiders, steps, subwar, tables
from flagplot.play.report import report
from flagplot.play.saves import load
from tests.cli.conftest import Run


@pytest.fixture
def seen(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same, when someone looks at the output."""

    def look(*words: str) -> Result:
        with monkeypatch.context() as looking:
            for name in (steps, intercept, subwar, bombing, raiders):
                looking.setattr(name, "wants_json", lambda asked: asked)
            return run(*words)

    return look


def test_a_game_by_the_rules_of_2008_says_so_on_the_screen_and_in_its_report(run: Run) -> None:
    output = run("play", "three-groups", "--edition", "2008", "--save", "old.flagplot").output
    assert "edition 2008" in output
    game = load(Path("old.flagplot"))
    assert game.header.edition == "2008"
    assert "Edition 2008," in report(game)


@pytest.mark.parametrize("command", ["play", "odds", "advise", "engage"])
def test_an_edition_that_is_none_is_refused(run: Run, command: str) -> None:
    more = ["--side", "axis", "--on", "number"] if command == "advise" else []
    what = STEPS["engage"] if command == "engage" else ["three-groups", *more]
    result = run(command, *what, "--edition", "1999")
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


STEPS = {
    "strike": ["--attackers", "6 Japan NAS", "--target", "Enterprise, 2 US DD", "--surprise", "--dice", *"6" * 30],
    "engage": ["--axis", "Bismarck", "--allies", "Hood, Prince of Wales", "--dice", *"4" * 30],
    "submarine": ["--submarines", "2 Japan", "--target", "Wasp, Washington, 3 US DD", "--dice", *"6" * 30],
    "intercept": ["--force", "5"],
    "subwar": ["--submarines", "2", "--transports", "9"],
    "bombing": ["--nation", "Germany", "--aaf", "6", "--distance", "3", "--target", "London", "--value", "9"],
    "raiders": ["--group", "2 ships, 8 factors", "--transports", "9"],
}
BETTER_GERMANS = ("--option", "germany_drm_2008=3")


@pytest.mark.parametrize("command", STEPS)
def test_every_step_without_a_game_names_the_rules_it_goes_by(run: Run, seen: Run, command: str) -> None:
    told = json.loads(run(command, *STEPS[command], "--edition", "2008", *BETTER_GERMANS).stdout)
    assert (told["edition"], told["options"]) == ("2008", {"germany_drm_2008": "3"})
    assert "Edition current, no option changed." in seen(command, *STEPS[command]).stdout


def test_an_option_of_another_edition_is_said_to_have_no_effect(seen: Run) -> None:
    assert "germany_drm_2008 = 3 (no effect but in 2008)." in " ".join(
        seen("engage", *STEPS["engage"], *BETTER_GERMANS).stdout.split()
    )


def test_a_strike_of_2008_surprises_by_its_own_table(run: Run) -> None:
    """At level 6 no third of the patrol engages in 2008 (22.463); now three squadrons are kept out (23.7413)."""
    four = [*STEPS["strike"][:4], "--patrol", "4 US NAS", *STEPS["strike"][4:]]
    assert "rows" not in json.loads(run("strike", *four, "--edition", "2008").stdout)["air_combat"]
    assert json.loads(run("strike", *four).stdout)["air_combat"]["rows"]["defender"] == 1


def test_a_fleet_combat_of_2008_has_an_attacker(run: Run, seen: Run) -> None:
    """Two heavy ships against one: the side with more of them attacks, and both may fire at Bismarck (22.54)."""
    old = json.loads(run("engage", *STEPS["engage"], "--edition", "2008").stdout)
    assert old["attacker"] == "allies" and json.loads(run("engage", *STEPS["engage"]).stdout)["attacker"] is None
    assert "The ships of the Allies attack" in seen("engage", *STEPS["engage"], "--edition", "2008").stdout


def test_a_submarine_of_2008_rolls_for_its_ship_not_for_a_category(seen: Run) -> None:
    """22.93E of 2008: one die for the ships in their rank, the light ships being last."""
    shown = seen("submarine", *STEPS["submarine"], "--edition", "2008").stdout
    assert "attacks the light ships on a 6 (22.93E)" in shown and "Submarine attack (22.92C)" in shown
    assert "meets the" in seen("submarine", *STEPS["submarine"]).stdout


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


def test_a_table_names_its_rules_and_takes_options(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "wants_json", lambda asked: asked)
    capped = ("table", "interception", "--edition", "2008", "--option", "interception_dice_cap_2008=8")
    shown = " ".join(run(*capped).stdout.split())
    assert "Edition 2008, option interception_dice_cap_2008 = 8." in shown and "dice in all, at most 8" in shown
    assert "rolls (22.23)" in shown
    told = json.loads(run("table", "naval-nationality", "--edition", "2008", *BETTER_GERMANS, "--json").stdout)
    assert told["nations"]["Germany"] == 3 and told["options"] == {"germany_drm_2008": "3"}
