"""The tables of air and submarine combat at the terminal and through the public questions, and kind refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import tables
from flagplot.cli.terminal import THEME
from flagplot.core.errors import PlayerError
from flagplot.rules.air.nationality import AirCrew, air_nationality_drm
from flagplot.tables.air_combat import AirCombatTable
from flagplot.tables.air_defense import AirDefenseLevel, AirDefenseTable
from flagplot.tables.air_nationality import AirNationality
from flagplot.tables.results import Result
from flagplot.tables.submarine_attack import SubmarineAttackTable
from flagplot.tables.surprise import SurpriseTable
from tests.cli.conftest import Process, Run


def read(run: Run, *words: str) -> dict[str, Any]:
    result = run("table", *words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict) and found["table"] == words[0]
    assert (found.pop("edition"), found.pop("options")) == ("current", {})
    return found


# -- results of eliminated and aborted --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "roll", "results", "rows", "column"),
    [
        (16, 7, [[6, 6]], ["16"], 7),
        (17, 7, [[6, 7]], ["17"], 7),
        (1, 2, [[0, 0]], ["1"], 2),
        (1, -5, [[0, 0]], ["1"], 2),
        (1, 12, [[1, 3]], ["1"], 12),
        (1, 19, [[1, 3]], ["1"], 12),
        (20, 12, [[9, 9]], ["20"], 12),
        (21, 12, [[9, 9], [1, 3]], ["20", "1"], 12),
        (40, 2, [[5, 7], [5, 7]], ["20", "20"], 2),
        (45, 7, [[7, 8], [7, 8], [2, 3]], ["20", "20", "5"], 7),
    ],
)
def test_the_air_combat_table_is_read(
    run: Run, row: int, roll: int, results: list[list[int]], rows: list[str], column: int
) -> None:
    found = read(run, "air-combat", "--row", str(row), "--roll", str(roll))
    totals = {"eliminated": sum(each[0] for each in results), "aborted": sum(each[1] for each in results)}
    assert found == {
        "table": "air-combat",
        "row": row,
        "rows": rows,
        "roll": roll,
        "column": column,
        "results_by_row": results,
        **totals,
    }
    assert AirCombatTable().result(row, roll) == Result(**totals)


@pytest.mark.ledger("23.42T.over10")
@pytest.mark.parametrize(
    ("row", "roll", "results", "rows"),
    [
        (3, 8, [[1, 2]], ["3"]),
        (1, 11, [[1, 1]], ["1"]),
        (10, 12, [[3, 4]], ["10"]),
        (11, 7, [[2, 3], [0, 1]], ["10", "1"]),
        (20, 2, [[2, 1], [2, 1]], ["10", "10"]),
        (25, 12, [[3, 4], [3, 4], [2, 3]], ["10", "10", "5"]),
    ],
)
def test_the_air_defense_table_is_read(
    run: Run, row: int, roll: int, results: list[list[int]], rows: list[str]
) -> None:
    found = read(run, "air-defense", "--row", str(row), "--roll", str(roll))
    assert (found["results_by_row"], found["rows"], found["column"]) == (results, rows, roll)
    assert found["eliminated"] == sum(each[0] for each in results)
    assert found["aborted"] == sum(each[1] for each in results)
    assert AirDefenseTable().result(row, roll) == (found["eliminated"], found["aborted"])


@pytest.mark.parametrize(("name", "last"), [("air-combat", 20), ("air-defense", 10)])
def test_without_a_row_the_whole_table_is_shown(run: Run, name: str, last: int) -> None:
    found = read(run, name)
    assert [row["row"] for row in found["rows"]] == list(range(1, last + 1))
    assert all(list(row["results"]) == [str(roll) for roll in range(2, 13)] for row in found["rows"])
    assert read(run, name, "--roll", "7") == found


def test_a_row_without_a_roll_gives_all_columns(run: Run) -> None:
    results = read(run, "air-defense", "--row", "12")["results"]
    assert (results["2"], results["7"], results["12"]) == ([2, 1], [3, 3], [5, 5])


def test_the_air_defense_table_tells_what_makes_up_the_level(run: Run) -> None:
    assert read(run, "air-defense")["level"] == AirDefenseLevel()._asdict()
    level = AirDefenseLevel()
    assert (level.factors_per_level, level.escort_carrier_factors) == (10, 3)
    assert level.per_research == level.per_five_factor_battleship == level.per_large_carrier == 1
    assert level.per_flak_factor == level.per_airbase == level.per_objective == level.per_anchor == 1
    assert (level.per_port_or_city, level.fortification, level.fortress) == (2, 1, 2)


def test_a_result_is_written_as_printed() -> None:
    assert [str(Result(*each)) for each in [(0, 0), (0, 1), (1, 0), (8, 10)]] == ["0", "0/1", "1/0", "8/10"]


@pytest.mark.parametrize("table", [AirCombatTable(), AirDefenseTable()])
@pytest.mark.parametrize(("row", "why"), [(0, "rows begin at 1"), (-4, "rows begin at 1"), (10**15, "not read for")])
def test_there_is_no_such_row(table: AirCombatTable | AirDefenseTable, row: int, why: str) -> None:
    with pytest.raises(ValueError, match=f"{table.name}.* {why}"):
        table.read(row, 7)
    with pytest.raises(ValueError, match=why):
        table.result(row, 7)


def test_the_questions_about_results() -> None:
    assert api.call("air_combat_table", {"row": 16}, dice=[3, 4]) == {
        "rows": ["16"],
        "modified_roll": 7,
        "column": "7",
        "results_by_row": [[6, 6]],
        "eliminated": 6,
        "aborted": 6,
    }
    assert api.call("air_combat_table", {"row": 16, "roll": 7}) == api.call(
        "air_combat_table", {"row": 16, "modifier": 2}, dice=[1, 4]
    )
    assert api.call("air_combat_table", {"row": 2, "modifier": 1}, dice=[6, 6])["column"] == "12+"
    found = api.call("air_defense_table", {"row": 13}, dice=[2, 6])
    assert (found["rows"], found["results_by_row"]) == (["10", "3"], [[3, 2], [1, 2]])
    assert (found["eliminated"], found["aborted"]) == (4, 4)
    assert api.call("air_defense_table", {"row": 3, "roll": 8})["aborted"] == 2


# -- submarines -------------------------------------------------------------------------------------------

SUBMARINES = {-1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1, 7: 2, 8: 2, 9: 3, 10: 3, 12: 3, 15: 3}


@pytest.mark.ledger(*(f"22.94T.{number}" for number in (*range(1, 10), 18)))
def test_the_submarine_attack_table_is_read(run: Run) -> None:
    for roll, hits in SUBMARINES.items():
        found = read(run, "submarine-attack", "--roll", str(roll))
        assert (found["hits"], found["submarine_lost"]) == (hits, roll <= 2)
        assert (found["roll"], found["column"]) == (roll, min(10, max(2, roll)))


def test_the_whole_submarine_attack_table(run: Run) -> None:
    found = read(run, "submarine-attack")
    assert found["hits"] == {str(roll): hits for roll, hits in SUBMARINES.items() if 2 <= roll <= 10}
    assert (found["lost_column"], found["most_italic"], found["most_overall"]) == (2, 2, 4)
    assert (found["advanced"], found["per"]) == (1, 3)


def test_an_edition_may_hold_another_submarine_attack_table() -> None:
    longer = SubmarineAttackTable(hits=(0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5))
    assert [longer.read(roll).hits for roll in (10, 11, 12, 13)] == [3, 4, 5, 5]


@pytest.mark.ledger("22.94T.1", "22.94T.18")
def test_the_loss_of_the_submarine_depends_on_the_modified_roll() -> None:
    saved = api.call("submarine_attack_table", {"modifier": 2}, dice=[1, 1])
    assert saved == {"modifier": 2, "modified_roll": 4, "column": "4", "hits": 0, "submarine_lost": False}
    assert api.call("submarine_attack_table", {"modifier": -1}, dice=[1, 2])["submarine_lost"]
    assert api.call("submarine_attack_table", {"roll": 15})["column"] == "10+"


@pytest.mark.parametrize(("modifier", "total"), [(9, 10), (4, 10), (-9, 2), (-4, 2)])
def test_the_modifier_of_a_submarine_counts_up_to_its_limit(modifier: int, total: int) -> None:
    assert api.call("submarine_attack_table", {"modifier": modifier}, dice=[3, 3])["modified_roll"] == total


# -- surprise ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.7413.1", *(f"23.7413T.{level}" for level in range(1, 8)))
def test_what_a_surprise_level_does() -> None:
    for level, patrol, air_defense, attack, fewer, critical in [
        (-2, False, 0, 0, 0, False),
        (0, False, 0, 0, 0, False),
        (1, True, 0, 0, 0, False),
        (2, True, -1, 0, 0, False),
        (3, True, -1, 1, 0, False),
        (4, True, -1, 1, 1, False),
        (5, True, -1, 1, 2, False),
        (6, True, -1, 1, 3, False),
        (7, True, -1, 1, 4, True),
        (8, True, -1, 1, 4, True),
    ]:
        found = api.call("surprise_effects", {"level": level})
        effects = found.pop("effects")
        assert found == {
            "level": level,
            "patrol_bonus_lost": patrol,
            "air_defense": air_defense,
            "attack_bonus": attack,
            "fewer_defenders": fewer,
            "critical_hit_roll": critical,
            "thirds_engaging": 3,
            "air_defense_roll": True,
        }
        assert len(effects) == sum(map(bool, (patrol, air_defense, attack, fewer, critical)))


@pytest.mark.ledger("23.74122A.1", "23.74122A.2", "23.74122A.3", "23.7413T.m1", "23.7413T.m2")
def test_search_results_help_the_surprise_die() -> None:
    table = SurpriseTable()
    assert [table.for_results(number) for number in (0, 1, 2, 3, 4, 9)] == [0, 0, 1, 2, 2, 2]
    assert table.radar == -1


def test_a_surprise_level_is_listed(run: Run) -> None:
    found = read(run, "surprise", "--roll", "4")
    assert (found["roll"], found["fewer_defenders"]) == (4, 1)
    assert found["effects"] == [
        "combat air patrol loses its bonus in air combat",
        "air defense level -1",
        "air attack rolls +1",
        "1 defending squadron fewer in air combat",
    ]
    assert read(run, "surprise", "--roll", "0")["effects"] == []


def test_the_whole_surprise_table(run: Run) -> None:
    assert read(run, "surprise") == {
        "table": "surprise",
        "no_patrol_bonus_from": 1,
        "air_defense_from": 2,
        "air_defense": -1,
        "attack_bonus_from": 3,
        "attack_bonus": 1,
        "fewer": {"4": 1, "5": 2, "6": 3, "7": 4},
        "critical_from": 7,
        "search_results": {"1": 0, "2": 1, "3": 2},
        "radar": -1,
    }


# -- nationality ------------------------------------------------------------------------------------------

TWO = ["Germany", "Japan", "United States", "Britain", "Finland", "Sweden", "Australia"]
ONE = ["Italy", "Russia", "France"]


@pytest.mark.ledger("23.441A.T1", "23.441A.T2", "23.441A.T3")
def test_each_nation_has_its_air_drm() -> None:
    for nation, drm in [*((n, 2) for n in TWO), *((n, 1) for n in ONE), ("Poland", 0), ("Rumania", 0)]:
        assert api.call("air_nationality_drm", {"nation": nation}) == {"drm": drm, "lines": [[nation, drm]]}


@pytest.mark.ledger("23.441A.T4", "23.441A.T5", "23.441A.T6", "23.441A.T7", "23.441A.T8")
@pytest.mark.parametrize(
    ("asked", "drm", "reasons"),
    [
        ({"nation": "Japan", "kind": "NAS", "elite": True}, 3, ["elite Japanese naval air"]),
        ({"nation": "Japan", "kind": "NAS"}, 2, []),
        ({"nation": "Japan", "kind": "AAS", "elite": True}, 2, []),
        ({"nation": "Germany", "kind": "NAS", "elite": True}, 2, []),
        ({"nation": "Britain", "kind": "NAS"}, 1, ["British naval air"]),
        ({"nation": "Britain", "kind": "AAF"}, 2, []),
        ({"nation": "Italy", "kind": "INT"}, 2, ["interceptors"]),
        ({"nation": "Russia", "kind": "JET", "winter": True}, 0, ["winter effect of 8 or more"]),
        ({"nation": "France", "kind": "ATR", "impaired": True}, 0, ["partial supply or air oil"]),
        (
            {"nation": "Britain", "kind": "NAS", "winter": True, "impaired": True},
            -1,
            ["British naval air", "winter effect of 8 or more", "partial supply or air oil"],
        ),
    ],
)
def test_an_air_unit_has_its_drm_line_by_line(asked: dict[str, Any], drm: int, reasons: list[str]) -> None:
    found = api.call("air_nationality_drm", asked)
    assert found["drm"] == drm == sum(amount for _, amount in found["lines"])
    assert [reason for reason, _ in found["lines"]] == [asked["nation"], *reasons]
    chart, crew = AirNationality(), AirCrew(**asked)
    assert [air_nationality_drm(chart, crew) for _ in range(2)] == [drm, drm]


def test_a_changed_chart_remembers_nothing_of_the_old_one() -> None:
    chart, crew = AirNationality(), AirCrew("Britain", "NAS")
    assert air_nationality_drm(chart, crew) == 1
    assert air_nationality_drm(replace(chart, british_naval_air=0), crew) == 2


def test_the_air_nationality_chart_is_read(run: Run) -> None:
    assert read(run, "air-nationality", "--nation", "united STATES")["drm"] == 2
    found = read(run, "air-nationality")
    assert found["nations"] == {**dict.fromkeys(TWO, 2), **dict.fromkeys(ONE, 1)}
    assert sorted(found["modifiers"].values()) == [-1, -1, -1, 1, 1]


# -- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("air-combat", "--row", "0"),
        ("air-combat", "--row", "-3", "--roll", "7"),
        ("air-combat", "--row", "many"),
        ("air-combat", "--row", "9999999999999"),
        ("air-combat", "--row", "4", "--roll", "high"),
        ("air-defense", "--row", "0", "--roll", "7"),
        ("air-defense", "--roll", "high"),
        ("surprise", "--roll", "great"),
        ("submarine-attack", "--roll", ""),
        ("air-nationality", "--nation", "Atlantis"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(process: Process, words: tuple[str, ...]) -> None:
    done = process("table", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("flagplot: ")


@pytest.mark.parametrize(
    ("name", "asked", "why"),
    [
        ("air_combat_table", {"row": 4}, "two dice, or a modified roll"),
        ("air_defense_table", {"row": 0, "roll": 7}, "rows begin at 1"),
        ("submarine_attack_table", {}, "two dice, or a modified roll"),
        ("air_nationality_drm", {"nation": "Japan", "kind": "ZEP"}, "Invalid enum value 'ZEP'"),
        ("surprise_effects", {"level": "high"}, "Expected `int`"),
    ],
)
def test_a_question_that_cannot_be_answered_says_why(name: str, asked: dict[str, Any], why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        api.call(name, asked)


# -- on a terminal ----------------------------------------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone looks at the output."""
    monkeypatch.setattr(tables, "wants_json", lambda asked: asked)
    monkeypatch.setattr(tables, "console", lambda: Console(theme=THEME, highlight=False, width=80))


def lines_of(run: Run, *words: str) -> list[str]:
    """The lines under the headings, one space between their words."""
    shown = run("table", *words).stdout.splitlines()
    assert max(map(len, shown)) <= 80 and "…" not in "".join(shown)
    rule = next(number for number, line in enumerate(shown) if "──" in line)
    return [" ".join(line.split()) for line in shown[rule + 1 :] if line.strip()]


@pytest.mark.usefixtures("terminal")
def test_tables_for_people(run: Run) -> None:
    assert lines_of(run, "air-combat")[15] == "16 4/5 4/6 5/5 5/6 5/7 6/6 6/7 6/8 7/7 7/8 7/9"
    assert lines_of(run, "air-defense")[0] == "1 0 0 0 0 0 0/1 0/1 1/0 1/0 1/1 1/1"
    assert lines_of(run, "air-combat", "--row", "45", "--roll", "7") == ["20 and 20 and 5 7 7 16 19"]
    assert lines_of(run, "air-combat", "--row", "45")[5] == "7 16 19"
    assert lines_of(run, "submarine-attack") == ["hits lost 0 0 1 1 2 2 3 3"]
    assert lines_of(run, "submarine-attack", "--roll", "1") == ["1 2 0 yes"]
    assert lines_of(run, "submarine-attack", "--roll", "9") == ["9 9 3 no"]
    assert lines_of(run, "air-nationality", "--nation", "italy") == ["Italy +1"]
    assert "British naval air -1" in lines_of(run, "air-nationality")
    assert "air attack rolls 3 +1" in lines_of(run, "surprise")
    assert lines_of(run, "surprise", "--roll", "0") == ["no effect"]
    assert len(lines_of(run, "surprise", "--roll", "7")) == 5


def test_the_help_page_names_the_tables_and_shows_one_read(process: Process) -> None:
    page = process("table", "--help").stdout
    for name in json.loads(process("table", "--json").stdout):
        assert name in page
    assert "flagplot table air-combat --row 16 --roll 7" in page
