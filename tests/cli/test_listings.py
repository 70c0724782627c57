"""Lists and look-ups: what other programs rely on, and errors in one sentence."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path

import pytest

import flagplot
from flagplot.cli import ledger, listings
from flagplot.editions.options import OPTIONS, Option
from flagplot.tables.naval_attack import ROWS
from flagplot.web.rulebook import rulings
from tests.cli.conftest import Process, Run


def test_the_version(run: Run) -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"flagplot {flagplot.__version__}\n")


@pytest.mark.parametrize(
    ("words", "code", "told"), [("--version", 0, f"flagplot {flagplot.__version__}"), ("plai", 2, "")]
)
def test_the_command_runs_as_a_module(
    words: str, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["flagplot", words])
    with pytest.raises(SystemExit) as end:
        runpy.run_module("flagplot", run_name="__main__", alter_sys=True)
    assert (end.value.code, capsys.readouterr().out.strip()) == (code, told)


def test_to_import_the_module_starts_nothing() -> None:
    assert "main" in runpy.run_module("flagplot.__main__")


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_help_names_every_command(process: Process, words: tuple[str, ...]) -> None:
    done = process(*words)
    for name in ("play", "replay", "verify", "scenarios", "where", "coverage", "table", "call", "options"):
        assert re.search(rf"\b{name}\b", done.stdout)


def commands_in_help(text: str) -> list[str]:
    return re.findall(r"flagplot [a-z-]+(?: [^\s│]+)*", text)


@pytest.mark.parametrize("name", ["play", "replay", "verify", "scenarios", "where", "coverage", "table", "options"])
def test_every_help_page_has_an_example(process: Process, name: str) -> None:
    assert f"flagplot {name}" in process(name, "--help").stdout.split("Options")[0].replace("Usage: flagplot", "")


def test_scenarios(run: Run) -> None:
    found = json.loads(run("scenarios", "--json").stdout)
    assert {each["name"] for each in found} >= {"denmark-strait", "river-plate", "pedestal", "six-groups"}
    for each in found:
        assert {"name", "title", "theatre", "kind", "summary", "forces", "order_of_battle"} <= set(each)
        assert set(each["forces"]) == {"axis", "allies"}
        assert bool(each["ships"]) == (each["order_of_battle"] == "open")


def test_a_side_without_a_force_of_ships_has_no_number(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listings, "wants_json", lambda asked: asked)
    shown = " ".join(run("scenarios").stdout.split())
    assert "Japan against The Eastern Fleet (1)" in shown and "Axis against Allies · " in shown
    assert "Japan (4) against United States (2)" in shown and "(0)" not in shown


def test_options(run: Run) -> None:
    found = json.loads(run("options").stdout)
    assert {each["name"]: each["default"] for each in found} == {name: o.default for name, o in OPTIONS.items()}
    for each in found:
        assert list(each["readings"]) == each["values"] and each["decided"], each["name"]


def test_an_option_is_explained_with_its_rule_its_ruling_and_each_reading(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = json.loads(run("options", "raider_hunters", "--json").stdout)
    assert (one["rule"], one["ruling"]) == ("22.372F", "AM-06")
    refused = run("options", "tea")
    assert refused.exit_code == 2 and "there is no option 'tea'" in refused.stderr
    monkeypatch.setattr(listings, "wants_json", lambda asked: asked)
    shown = " ".join(run("options", "evaded_engagement").stdout.split())
    for words in ("22.523", "AM-11", "retry: it has not engaged yet", "(usual)", "spent: its engagement is used up"):
        assert words in shown
    every = run("options").stdout
    assert all(name in every and option.rule in every for name, option in OPTIONS.items())


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_every_value_of_an_option_has_a_reading_and_its_rule_can_be_looked_up(option: Option) -> None:
    assert list(option.readings) == list(option.values) and len(option.values) > 1
    readings = list(option.readings.values())
    assert all(readings) and len(set(readings)) == len(readings)
    assert all(not reading.endswith(".") for reading in readings)
    assert ledger.find(option.rule)["rows"] and option.ruling in rulings()


# -- tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "hits", "rows", "column"),
    [
        (("--fleet", "12", "--roll", "7"), 3, ["10-12"], 7),
        (("--air", "4", "--roll", "7"), 3, ["4"], 7),
        (("--fleet", "12", "--roll", "-3"), 1, ["10-12"], 2),
        (("--fleet", "12", "--roll", "1"), 1, ["10-12"], 2),
        (("--fleet", "12", "--roll", "13"), 5, ["10-12"], 12),
        (("--fleet", "12", "--roll", "40"), 5, ["10-12"], 12),
        (("--fleet", "1", "--roll", "2"), 0, ["1"], 2),
        (("--fleet", "61", "--roll", "12"), 14, ["58-60", "1"], 12),
        (("--air", "21", "--roll", "12"), 15, ["20", "1"], 12),
    ],
)
def test_the_naval_attack_table_is_read(
    process: Process, words: tuple[str, ...], hits: int, rows: list[str], column: int
) -> None:
    done = process("table", "naval-attack", *words, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["hits"], found["rows"], found["column"]) == (0, hits, rows, column)


def test_a_row_without_a_roll_gives_all_columns(run: Run) -> None:
    found = json.loads(run("table", "naval-attack", "--fleet", "12").stdout)
    assert list(found["hits"].values()) == list(next(row.hits for row in ROWS if row.label == "10-12"))


def test_the_whole_table(run: Run) -> None:
    found = json.loads(run("table", "naval-attack").stdout)
    assert [row["fleet"] for row in found["rows"]] == [row.label for row in ROWS]


def test_other_tables(run: Run) -> None:
    assert set(json.loads(run("table").stdout)) == {
        "naval-attack",
        "naval-nationality",
        "search",
        "interception",
        "air-combat",
        "air-defense",
        "air-nationality",
        "surprise",
        "submarine-attack",
        "sw-combat",
        "raider",
        "submarine-limits",
        "air-range",
        "carrier-effects",
        "naval-repair",
        "bombing",
    }
    assert json.loads(run("table", "naval-nationality", "--nation", "japan").stdout)["drm"] == 3
    assert json.loads(run("table", "naval-nationality").stdout)["nations"]["Japan"] == 3
    assert json.loads(run("table", "search").stdout)["most_squadrons"] == 3


@pytest.mark.parametrize(
    "words",
    [
        ("table", "naval-battle"),
        ("table", "naval-attack", "--fleet", "0"),
        ("table", "naval-attack", "--fleet", "-4", "--roll", "7"),
        ("table", "naval-attack", "--air", "0"),
        ("table", "naval-attack", "--fleet", "many"),
        ("table", "naval-attack", "--fleet", "4", "--roll", "high"),
        ("table", "naval-attack", "--fleet", "4", "--air", "4"),
        ("table", "naval-nationality", "--nation", "Atlantis"),
        ("where", "99.99"),
        ("where", ""),
        ("call", "nonsense"),
        ("call", "naval_attack", "{"),
        ("call", "naval_attack", "[1]"),
        ("call", "naval_attack", '{"fleet": "many"}'),
        ("replay", "missing.flagplot"),
    ],
)
def test_an_error_is_one_sentence_and_exit_code_2(process: Process, words: tuple[str, ...]) -> None:
    done = process(*words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("flagplot: ")
    assert done.stdout == ""


# -- the ledger -------------------------------------------------------------------------------------------


def test_where(run: Run) -> None:
    found = json.loads(run("where", "22.54b").stdout)
    assert {row["id"] for row in found["rows"]} >= {"22.54B.1", "22.54B.2", "22.54B.3"}
    assert all(row["summary"] and row["status"] for row in found["rows"])
    functions = {function["name"]: function for function in found["functions"]}
    assert "surplus_capital_form" in functions
    path, _, line = functions["surplus_capital_form"]["place"].rpartition(":")
    source = Path(flagplot.__file__).parents[1] / path.removeprefix("src/")
    assert "def surplus_capital_form" in source.read_text("utf-8").splitlines()[int(line) - 1]


def test_where_names_the_rulings(run: Run) -> None:
    assert {"RC-65", "AM-02"} <= set(json.loads(run("where", "22.61A").stdout)["rulings"])


def test_a_rule_is_not_another_that_begins_like_it(run: Run) -> None:
    ids = [row["id"] for row in json.loads(run("where", "22.52").stdout)["rows"]]
    assert "22.52.1" in ids and not any(id.startswith("22.521") for id in ids)


def test_a_number_that_has_no_row_of_its_own_stands_for_all_below_it(run: Run) -> None:
    ids = [row["id"] for row in json.loads(run("where", "22.5").stdout)["rows"]]
    assert {"22.51", "22.54B.1"} <= set(ids)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, object]]:
    """Statuses as the file records them."""
    rows: dict[str, dict[str, object]] = {
        "22.54B.1": {"status": "done", "tests": ["tests/rules/test_x.py::test_y"], "why": ""},
        "22.54B.2": {"status": "partial", "tests": [], "why": "half of it"},
        "22.54B.3": {"status": "input", "tests": [], "why": ""},
        "22.61A": {"status": "later", "tests": [], "why": "waits for something"},
    }
    monkeypatch.setattr(ledger, "statuses", lambda: {"current": rows})
    return rows


def test_where_says_status_and_tests(run: Run, recorded: dict[str, dict[str, object]]) -> None:
    rows = json.loads(run("where", "22.54B").stdout)["rows"]
    current = {row["id"]: row for row in rows if row["edition"] == "current"}
    assert current["22.54B.1"]["status"] == "done"
    assert current["22.54B.1"]["tests"] == ["tests/rules/test_x.py::test_y"]
    assert current["22.54B.2"]["why"] == "half of it"
    assert all(row["status"] == "missing" for row in rows if row["edition"] != "current")


def test_coverage_counts_the_rows_that_state_behaviour(run: Run, recorded: dict[str, dict[str, object]]) -> None:
    areas = json.loads(run("coverage", "--json").stdout)["areas"]
    combat = areas["combat"]
    assert set(combat) == {"total", "done", "input", "partial", "missing"}
    assert (combat["done"], combat["input"], combat["partial"]) == (1, 1, 1)
    for counts in areas.values():
        assert counts["total"] == sum(counts[key] for key in ("done", "input", "partial", "missing"))
    rows = [row for row in ledger.rows() if row["area"] == "combat"]
    kept = [row for row in rows if row["kind"] not in ("commentary", "reference", "example")]
    assert combat["total"] == len(kept) < len(rows)


# -- the public API -----------------------------------------------------------------------------------------


def test_call_lists_the_questions(run: Run) -> None:
    found = json.loads(run("call").stdout)
    assert found["naval_attack"]


def test_call_asks_one(run: Run, process: Process) -> None:
    case = '{"with": {"fleet": 12}, "dice": [4, 3]}'
    assert json.loads(run("call", "naval_attack", case).stdout)["hits"] == 3
    assert json.loads(run("call", "naval_attack", "-", lines=[case]).stdout)["hits"] == 3
