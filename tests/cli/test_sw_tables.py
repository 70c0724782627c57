"""The tables of the strategic war at sea on the command line."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_sw_combat(run: Run) -> None:
    found = json.loads(run("table", "sw-combat", "--row", "20", "--roll", "12", "--json").stdout)
    assert (found["before"], found["after"], found["column"]) == (6, 10, 12)
    more = json.loads(run("table", "sw-combat", "--row", "34", "--roll", "6", "--json").stdout)
    assert (more["rows"], more["results_by_row"]) == ([30, 4], [[8, 13], [1, 1]])
    assert (more["before"], more["after"]) == (9, 14)
    row = json.loads(run("table", "sw-combat", "--row", "6").stdout)
    assert row["results"]["7"] == [1, 3]
    whole = json.loads(run("table", "sw-combat").stdout)
    assert len(whole["rows"]) == 30 and whole["rows"][19]["results"]["12"] == [6, 10]


def test_sw_combat_has_no_row_below_nought(run: Run) -> None:
    refused = run("table", "sw-combat", "--row", "-1", "--roll", "7")
    assert refused.exit_code != 0 and "0 to 1000 SW factors" in refused.stderr


def test_raider(run: Run) -> None:
    found = json.loads(run("table", "raider").stdout)
    assert found["modifiers"]["automatic"] == -3
    assert found["first"] == "cruiser"
    assert json.loads(run("table", "raider", "--roll", "4").stdout)["ships"] == ["4-factor battleship"]
    refused = run("table", "raider", "--roll", "7")
    assert refused.exit_code != 0 and "from 1 to 6" in refused.stderr


def test_submarine_limits(run: Run) -> None:
    turns = json.loads(run("table", "submarine-limits").stdout)["turns"]
    assert len(turns) == 30 and next(iter(turns)) == "Fall 1939" and list(turns)[-1] == "Winter 1946"
    assert list(turns["Spring 1943"].values()) == [9, 3, 2, 2]
