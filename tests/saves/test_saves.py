"""Saves of every release: each loads under the rules of today with every check compared, and ends as it did."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from flagplot.api.battles import result
from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS
from flagplot.play.saves import dump, load

SAVES = sorted(Path(__file__).parent.glob("*/*.flagplot"))


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_battle_ends_as_it_did(path: Path) -> None:
    game = load(path)
    recorded = msgspec.json.decode(path.with_suffix(".json").read_bytes())
    assert game.over and dump(game) == path.read_bytes()
    assert len(game.events()) == recorded["events"]
    assert game.table.check() == recorded["check"]
    assert msgspec.json.decode(msgspec.json.encode(result(game.battle))) == recorded["result"]


def test_there_are_saves_of_every_scenario() -> None:
    from flagplot.scenarios.loader import list_scenarios

    assert {path.stem for path in SAVES} >= {scenario.name for scenario in list_scenarios()}


def test_there_are_saves_of_every_edition_and_with_options() -> None:
    headers = [load(path).header for path in SAVES if "-of-" in path.stem]
    assert {header.edition for header in headers} | {"current"} == set(EDITIONS)
    assert any(header.options[name] != OPTIONS[name].default for header in headers for name in OPTIONS)
