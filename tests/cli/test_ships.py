"""The list of named ships: what it holds, how it is narrowed, how it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rich.console import Console

from flagplot.cli import ships
from flagplot.cli.terminal import THEME
from flagplot.scenarios.ships import all_ships
from flagplot.tables.naval_nationality import NATIONS
from tests.cli.conftest import Process, Run


def listed(run: Run, *words: str) -> list[dict[str, Any]]:
    result = run("ships", *words)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert isinstance(found, list)
    return found


def names(run: Run, *words: str) -> set[str]:
    return {ship["name"] for ship in listed(run, *words)}


def test_every_ship_is_listed(run: Run) -> None:
    found = listed(run)
    assert [ship["name"] for ship in found] == [ship.name for ship in all_ships().values()]
    assert all(set(ship) == {"name", "nation", "kind", "size", "fast"} for ship in found)


def test_what_is_said_of_a_ship(run: Run) -> None:
    (nelson,) = listed(run, "nelson", "--json")
    assert nelson == {"name": "Nelson", "nation": "Britain", "kind": "BB", "size": 4, "fast": False}


@pytest.mark.parametrize("word", ["prince", "PRINCE of", "prince-of-wales"])
def test_a_word_narrows_the_list_whatever_its_capitals(run: Run, word: str) -> None:
    found = names(run, word)
    assert "Prince of Wales" in found and "Hood" not in found


def test_a_nation_narrows_the_list(run: Run) -> None:
    assert {ship["nation"] for ship in listed(run, "--nation", "united states")} == {"United States"}
    assert names(run, "kon", "--nation", "Japan") >= {"Kongo"}
    assert listed(run, "kongo", "--nation", "Italy") == []


def test_a_nation_without_named_ships_has_an_empty_list(run: Run) -> None:
    assert listed(run, "--nation", "Greece") == []


def test_a_word_of_signs_is_in_no_name(run: Run) -> None:
    assert listed(run, "??") == []


def test_an_unknown_nation_is_refused_in_one_sentence_with_those_there_are(process: Process) -> None:
    done = process("ships", "--nation", "Atlantis")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("flagplot: ")
    assert all(nation in done.stderr for nation in NATIONS)


def test_the_help_page_has_an_example(process: Process) -> None:
    assert "flagplot ships prince" in process("ships", "--help").stdout
    assert "ships" in process("--help").stdout


# -- on a terminal ----------------------------------------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone looks at the output."""
    monkeypatch.setattr(ships, "wants_json", lambda asked: asked)
    monkeypatch.setattr(ships, "console", lambda: Console(theme=THEME, highlight=False, width=80))


@pytest.mark.usefixtures("terminal")
def test_a_table_for_people(run: Run) -> None:
    shown = run("ships", "nelson").stdout
    (line,) = [line for line in shown.splitlines() if "Nelson" in line]
    assert line.split() == ["Nelson", "Britain", "BB,", "battleship", "4", "slow"]
    assert "1 ship." in shown


@pytest.mark.usefixtures("terminal")
def test_nothing_found_is_said(run: Run) -> None:
    assert "No ship of Italy has 'kongo' in her name." in run("ships", "kongo", "--nation", "italy").stdout
    assert "No ship of Greece is in the list." in run("ships", "--nation", "Greece").stdout
