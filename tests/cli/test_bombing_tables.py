"""`flagplot table` for air range, carrier effects, naval repair and bombing."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run


def test_the_air_range_table_is_read_and_shown(run: Run) -> None:
    found = json.loads(run("table", "air-range", "--row", "2", "--json").stdout)
    assert (found["bombers"], found["interceptors"], found["sw"]) == (
        {"Europe": 16, "Pacific": 12},
        {"Europe": 8, "Pacific": 6},
        2,
    )
    whole = json.loads(run("table", "air-range").stdout)
    assert [row["bombers"]["Europe"] for row in whole["rows"]] == [4, 8, 16, 24]


def test_the_carrier_effects_table_is_read_and_shown(run: Run) -> None:
    found = json.loads(run("table", "carrier-effects", "--row", "13").stdout)
    assert found["atlantic"] == {"submarines": -2, "raiders": 2}
    assert found["elsewhere"] == {"submarines": -4, "raiders": 4}
    whole = json.loads(run("table", "carrier-effects").stdout)
    assert [row["cves"] for row in whole["rows"]][-2:] == ["21-23", "24+"]


def test_the_repair_table_is_shown(run: Run) -> None:
    found = json.loads(run("table", "naval-repair").stdout)
    assert found["units"]["3-factor"] == {
        "repair": {"turns": 2, "shipbuilding": 1},
        "new": {"turns": 8, "shipbuilding": 3},
    }
    assert found["units"]["destroyer"]["repair"] is None
    assert found["raising"] == {"shipbuilding": 1, "brps": 3}


def test_the_numbers_of_bombing_are_shown(run: Run) -> None:
    found = json.loads(run("table", "bombing").stdout)
    assert (found["firestorm"], found["box"], found["bases_by_result"]["10"]) == (25, 3, 4)
    assert found["box_cover"]["Urals box against Japan"] == "Asian"
    assert found["targets"]["Italy"] == ["Rome", "Milan", "Genoa"]


@pytest.mark.parametrize("words", [("air-range", "--row", "4"), ("carrier-effects", "--row", "-1")])
def test_a_row_that_is_not_there_is_refused(run: Run, words: tuple[str, ...]) -> None:
    done = run("table", *words)
    assert done.exit_code != 0
