"""`flagplot map`: paths, ranges, files, and refusals of one sentence."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from flagplot.cli import map as command
from flagplot.cli.main import app
from flagplot.cli.terminal import THEME
from flagplot.model import maps
from flagplot.scenarios.maps import load_map, map_names, parse_csv


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["map", *words])


def told(*words: str) -> Any:
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_maps_are_listed() -> None:
    assert [each["name"] for each in told()] == map_names() == ["europe", "pacific"]


def test_a_path_is_measured() -> None:
    path = told("pacific", "--from", "Tokyo", "--to", "midway")["path"]
    assert (path["length"], path["straight"], path["straits"]) == (17, 17, [])
    assert path["hexes"][0] == "L32" and path["hexes"][-1] == "M48"


def test_a_path_through_straits_is_told_side_by_side() -> None:
    path = told("europe", "--from", "taranto", "--to", "T43")["path"]
    assert path["straits"] == ["Strait of Gibraltar", "Kiel Canal"]
    assert [hex for side in path["sides"] for hex in side] == path["hexes"]
    other = told("europe", "--from", "taranto", "--to", "T43", "--closed", "Kiel Canal")["path"]
    assert other["straits"] == ["Strait of Gibraltar", "Danish Straits"]


def test_a_path_may_end_at_a_box() -> None:
    hexes = told("pacific", "--from", "Pearl Harbor", "--to", "u.s.")["path"]["hexes"]
    assert hexes[-1] in next(box.entries for box in load_map("pacific").boxes if box.name == "U.S.")


def test_a_range_is_told_by_air_and_by_sea() -> None:
    reach = told("pacific", "--range", "Rabaul", "2")["range"]
    assert reach["hex"] == "FF29" and len(reach["by_air"]) == 19
    assert set(reach["by_sea"]) <= set(reach["by_air"])
    assert reach["places"]["Rabaul"] == 0 and "Truk" not in reach["places"]
    assert told("europe", "--range", "U45", "1")["range"]["by_sea"] == {}


def test_a_map_is_told_whole() -> None:
    found = told("europe", "--json")
    assert found["crossings"]["Kiel Canal"] == ["T42", "T43"]
    assert found["places"]["Kiel"].startswith("T43, coast, Kiel (port")


def test_files_are_written_and_read_again(tmp_path: Path) -> None:
    svg, csv = tmp_path / "p.svg", tmp_path / "p.csv"
    told("pacific", "--from", "Truk", "--to", "Guam", "--range", "Truk", "3", "--svg", str(svg), "--csv", str(csv))
    drawn = svg.read_text("utf-8")
    assert xml.fromstring(drawn).tag.endswith("svg") and 'class="course"' in drawn and 'class="reach"' in drawn
    assert parse_csv(csv.read_text("utf-8"), "pacific.csv") == load_map("pacific")
    assert told(str(csv), "--from", "Truk", "--to", "Guam")["path"]["length"] == maps.sea_distance(
        load_map("pacific"), "Z31", maps.hex_named(load_map("pacific"), "Guam")
    )


def test_a_drawing_may_go_to_standard_output() -> None:
    result = run("europe", "--svg", "-")
    assert result.exit_code == 0 and xml.fromstring(result.stdout).tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("atlantis",), "no map called 'atlantis'"),
        (("none.toml",), "none.toml: this file cannot be read"),
        (("pacific", "--from", "Truk"), "both --from and --to"),
        (("pacific", "--from", "Truk", "--to", "Zork"), "no place 'Zork'"),
        (("pacific", "--from", "Truk", "--to", "ZZ99"), "ZZ99 is off the map"),
        (("pacific", "--from", "Truk", "--to", "A20"), "A20, land, has no water"),
        (("europe", "--from", "Malta", "--to", "Brest", "--closed", "Strait of Gibraltar"), "no way by sea"),
        (("europe", "--from", "Malta", "--to", "Brest", "--closed", "Panama"), "no strait or canal 'Panama'"),
        (("pacific", "--range", "Truk", "-1"), "from 0 up"),
        (("pacific", "--svg", "no/such/folder/x.svg"), "cannot be written"),
    ],
)
def test_what_will_not_do_is_refused_in_one_sentence(words: tuple[str, ...], complaint: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert complaint in result.stderr and result.stderr.startswith("flagplot: ") and result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((), "flagplot map NAME tells more"),
        (("europe",), "Straits and canals: Strait of Gibraltar NN20-MM21"),
        (("europe", "--from", "Taranto", "--to", "Kiel"), "52 hexes by sea, 15 straight"),
        (("pacific", "--from", "Tokyo", "--to", "Midway"), "17 hexes by sea\n"),
        (("pacific", "--range", "Rabaul", "4"), "Rabaul 0, Kavieng 1"),
    ],
)
def test_people_are_shown_sentences(words: tuple[str, ...], shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = Console(theme=THEME, highlight=False, width=200, record=True, quiet=False, file=None)
    monkeypatch.setattr(command, "console", lambda: out)
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    assert run(*words).exit_code == 0
    assert shown in out.export_text()
