"""The air and submarine tables against a second transcription, and proof that no cell could change unnoticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagplot.rules.air.nationality import AirCrew, air_nationality_drm, air_nationality_lines
from flagplot.tables import air_combat, air_defense
from flagplot.tables.air_combat import AirCombatTable
from flagplot.tables.air_defense import AirDefenseLevel, AirDefenseTable
from flagplot.tables.air_nationality import AirNationality
from flagplot.tables.submarine_attack import SubmarineAttackTable
from flagplot.tables.surprise import SurpriseTable
from tests.tables.second_reading_air import (
    AIR_COMBAT,
    AIR_DEFENSE,
    AIR_DEFENSE_LEVEL,
    AIR_NATIONALITY,
    AIR_NATIONALITY_MODIFIERS,
    SUBMARINE_ATTACK,
    SUBMARINE_LIMITS,
    SURPRISE,
    SURPRISE_RADAR,
    SURPRISE_SEARCH,
    Cell,
)

ROLLS = range(2, 13)
Printed = list[tuple[int, list[Cell]]]


def row_differences(table: AirCombatTable | AirDefenseTable, row: int, cells: list[Cell]) -> list[str]:
    """Where one row of a table and the second transcription disagree, read through both of its public functions."""
    found = []
    for roll, expected in zip(ROLLS, cells, strict=True):
        reading = table.read(row, roll)
        read = (reading.eliminated, reading.aborted)
        if table.result(row, roll) != expected or read != expected or reading.column != roll:
            found.append(f"row {row} at {roll}")
    return found


def differences(table: AirCombatTable | AirDefenseTable, printed: Printed) -> list[str]:
    return [difference for row, cells in printed for difference in row_differences(table, row, cells)]


def sum_of(printed: Printed, row: int, roll: int) -> Cell:
    """The second transcription's answer for any row: the last row as often as it fits, and the row for the rest."""
    last = len(printed)
    rows = [last] * ((row - 1) // last) + [(row - 1) % last + 1]
    cells = [printed[number - 1][1][roll - 2] for number in rows]
    return sum(eliminated for eliminated, _ in cells), sum(aborted for _, aborted in cells)


def test_the_air_combat_table_agrees_with_a_second_transcription() -> None:
    assert len(air_combat.ROWS) == len(AIR_COMBAT) == 20
    assert not differences(AirCombatTable(), AIR_COMBAT)


@pytest.mark.parametrize(
    ("level", "cells"),
    [
        pytest.param(level, cells, marks=pytest.mark.ledger(f"23.42T.{level}"), id=f"level {level}")
        for level, cells in AIR_DEFENSE
    ],
)
def test_the_air_defense_table_agrees_with_a_second_transcription(level: int, cells: list[Cell]) -> None:
    assert not row_differences(AirDefenseTable(), level, cells)


def test_the_air_defense_table_has_ten_rows() -> None:
    assert len(air_defense.ROWS) == len(AIR_DEFENSE) == 10


def test_every_printed_cell_of_the_air_tables_changed_by_one_is_noticed() -> None:
    changed = 0
    for kind, rows, printed in (
        (AirCombatTable, air_combat.ROWS, AIR_COMBAT),
        (AirDefenseTable, air_defense.ROWS, AIR_DEFENSE),
    ):
        for index, row in enumerate(rows):
            for column, cell in enumerate(row):
                for field in ("eliminated", "aborted"):
                    for step in (-1, 1):
                        other = cell._replace(**{field: getattr(cell, field) + step})
                        altered = (*row[:column], other, *row[column + 1 :])
                        table = kind((*rows[:index], altered, *rows[index + 1 :]))
                        noticed = differences(table, printed)
                        assert noticed == [f"row {index + 1} at {column + 2}"], f"{kind.__name__} {field} {step:+d}"
                        changed += 1
    assert changed == 4 * (20 + 10) * 11


def test_two_neighbouring_rows_of_the_air_tables_exchanged_are_noticed() -> None:
    for kind, rows, printed in (
        (AirCombatTable, air_combat.ROWS, AIR_COMBAT),
        (AirDefenseTable, air_defense.ROWS, AIR_DEFENSE),
    ):
        for index in range(len(rows) - 1):
            exchanged = (*rows[:index], rows[index + 1], rows[index], *rows[index + 2 :])
            assert differences(kind(exchanged), printed), f"{kind.__name__} rows {index + 1} and {index + 2}"


def test_a_modified_air_combat_roll_beyond_the_edge_reads_the_edge() -> None:
    table = AirCombatTable()
    for row, cells in AIR_COMBAT:
        for roll in (-7, 0, 1):
            assert table.result(row, roll) == cells[0]
            assert table.read(row, roll).column == 2
        for roll in (13, 14, 19):
            assert table.result(row, roll) == cells[-1]
            assert table.read(row, roll).column == 12


def test_an_air_defense_roll_beyond_the_edge_reads_the_edge() -> None:
    table = AirDefenseTable()
    for level, cells in AIR_DEFENSE:
        assert [table.result(level, roll) for roll in (-7, 0, 1)] == [cells[0]] * 3
        assert [table.result(level, roll) for roll in (13, 14, 19)] == [cells[-1]] * 3
        assert [table.read(level, roll).column for roll in (1, 13)] == [2, 12]


def test_more_than_twenty_in_air_combat_add_row_twenty_and_the_row_for_the_rest() -> None:
    table = AirCombatTable()
    for row in range(21, 64):
        for roll in ROLLS:
            expected = sum_of(AIR_COMBAT, row, roll)
            reading = table.read(row, roll)
            assert table.result(row, roll) == expected, f"row {row} at {roll}"
            assert (reading.eliminated, reading.aborted) == expected, f"row {row} at {roll}"
    assert table.read(23, 7).rows == ("20", "3")
    assert table.result(23, 7) == (8, 10)
    assert table.read(40, 2).rows == ("20", "20")
    assert table.read(41, 12).rows == ("20", "20", "1")
    assert table.result(41, 15) == (19, 21)


@pytest.mark.ledger("23.42T.over10")
def test_an_air_defense_level_over_ten_adds_row_ten_and_the_row_for_the_rest() -> None:
    table = AirDefenseTable()
    for level in range(11, 34):
        for roll in ROLLS:
            expected = sum_of(AIR_DEFENSE, level, roll)
            reading = table.read(level, roll)
            assert table.result(level, roll) == expected, f"level {level} at {roll}"
            assert (reading.eliminated, reading.aborted) == expected, f"level {level} at {roll}"
    assert table.read(13, 7).rows == ("10", "3")
    assert table.result(13, 7) == (3, 4)
    assert table.read(20, 7).rows == ("10", "10")
    assert table.read(21, 12).rows == ("10", "10", "1")
    assert table.result(21, 12) == (7, 9)


@pytest.mark.parametrize("table", [AirCombatTable(), AirDefenseTable()])
def test_the_air_tables_have_no_row_below_one(table: AirCombatTable | AirDefenseTable) -> None:
    for row in (0, -1):
        with pytest.raises(ValueError, match="row"):
            table.read(row, 7)
        with pytest.raises(ValueError, match="row"):
            table.result(row, 7)


# The field of the program's list, and the words of the second transcription.
LEVEL_FIELDS = {
    "factors_per_level": "naval factors for one level",
    "escort_carrier_factors": "naval factors of a CVE",
    "per_research": "air defense research result",
    "per_five_factor_battleship": "five-factor battleship",
    "per_large_carrier": "CVB",
    "per_port_or_city": "city or port",
    "per_flak_factor": "flak factor",
    "per_airbase": "airbase counter",
    "per_objective": "objective",
    "per_anchor": "anchor",
    "fortification": "fortification",
    "fortress": "fortress",
}


def test_what_makes_up_the_air_defense_level_agrees_with_a_second_transcription() -> None:
    assert sorted(LEVEL_FIELDS.values()) == sorted(AIR_DEFENSE_LEVEL)
    expected = {field: AIR_DEFENSE_LEVEL[words] for field, words in LEVEL_FIELDS.items()}
    assert AirDefenseLevel()._asdict() == expected


NATIONS = [*AIR_NATIONALITY, "Spain", "Poland", "Turkey", "Rumania", "Dutch East Indies"]
CREWS = [
    AirCrew(nation, kind, elite, impaired, winter)
    for nation in NATIONS
    for kind in ("AAS", "NAS", "KAM", "JET", "ATR", "AAF", "INT")
    for elite in (False, True)
    for impaired in (False, True)
    for winter in (False, True)
]
KIND_WORDS = {"NAS": "naval air", "INT": "interceptor"}


def expected_air_drm(crew: AirCrew) -> int:
    """The second transcription's answer for an air unit."""
    facts = {**crew._asdict(), "kind": KIND_WORDS.get(crew.kind, crew.kind)}
    total = AIR_NATIONALITY.get(crew.nation, 0)
    for _, amount, keys in AIR_NATIONALITY_MODIFIERS:
        total += amount if all(facts[key] == value for key, value in keys.items()) else 0
    return total


def air_drm(chart: AirNationality, crew: AirCrew) -> int:
    return sum(amount for _, amount in air_nationality_lines(chart, crew))


def air_drm_differences(chart: AirNationality) -> list[AirCrew]:
    """Where lines or total disagree; the total is asked twice, since a chart may remember it."""
    found = []
    for crew in CREWS:
        totals = {air_drm(chart, crew), air_nationality_drm(chart, crew), air_nationality_drm(chart, crew)}
        if totals != {expected_air_drm(crew)}:
            found.append(crew)
    return found


@pytest.mark.ledger(*(f"23.441A.T{number}" for number in range(1, 9)))
def test_the_air_nationality_chart_agrees_with_a_second_transcription() -> None:
    assert not air_drm_differences(AirNationality())


@pytest.mark.ledger("23.441A.T1", "23.441A.T2", "23.441A.T3")
def test_the_air_nationality_chart_names_no_other_nation_above_zero() -> None:
    assert {nation: drm for nation, drm in AirNationality().nations.items() if drm} == AIR_NATIONALITY


@pytest.mark.parametrize(
    ("crew", "drm"),
    [
        pytest.param(AirCrew("Japan", "NAS"), 2, id="ordinary Japanese naval air"),
        pytest.param(
            AirCrew("Japan", "NAS", elite=True),
            3,
            marks=pytest.mark.ledger("23.441A.T4"),
            id="elite Japanese naval air",
        ),
        pytest.param(
            AirCrew("Italy", "INT"), 2, marks=pytest.mark.ledger("23.441A.T5"), id="interceptors of a nation of one"
        ),
        pytest.param(AirCrew("Britain", "AAS"), 2, id="British army air"),
        pytest.param(AirCrew("Britain", "NAS"), 1, marks=pytest.mark.ledger("23.441A.T6"), id="British naval air"),
        pytest.param(
            AirCrew("Germany", "AAS", winter=True), 1, marks=pytest.mark.ledger("23.441A.T7"), id="Germany in winter"
        ),
        pytest.param(
            AirCrew("Spain", "AAS", impaired=True),
            -1,
            marks=pytest.mark.ledger("23.441A.T3", "23.441A.T8"),
            id="a minor country in partial supply",
        ),
        pytest.param(
            AirCrew("Britain", "NAS", impaired=True, winter=True),
            -1,
            marks=pytest.mark.ledger("23.441A.T6", "23.441A.T7", "23.441A.T8"),
            id="British naval air with everything against it",
        ),
    ],
)
def test_air_units_on_the_air_nationality_chart(crew: AirCrew, drm: int) -> None:
    assert air_drm(AirNationality(), crew) == drm == expected_air_drm(crew)


def test_every_value_of_the_air_nationality_chart_changed_by_one_is_noticed() -> None:
    chart = AirNationality()
    for step in (-1, 1):
        for nation, value in chart.nations.items():
            noticed = air_drm_differences(replace(chart, nations={**chart.nations, nation: value + step}))
            assert {crew.nation for crew in noticed} == {nation}
        for name in (
            "elite_japanese_naval_air",
            "interceptors",
            "british_naval_air",
            "winter",
            "partial_supply_or_oil",
        ):
            assert air_drm_differences(replace(chart, **{name: getattr(chart, name) + step})), name


def surprise_differences(table: SurpriseTable) -> list[str]:
    found = []
    for level, patrol_bonus, air_defense_change, attack_bonus, fewer, critical in SURPRISE:
        same = {0: (0, -1, -4), 7: (7, 8, 11)}.get(level, (level,))
        for equal in same:
            effects = table.effects(equal)
            expected = (not patrol_bonus, air_defense_change, attack_bonus, fewer, critical, 3, True)  # none by thirds
            if effects != expected or table.fewer_defenders(equal) != fewer:
                found.append(f"level {equal}")
    found += [f"{results} results" for results, drm in SURPRISE_SEARCH if table.for_results(results) != drm]
    found += ["radar"] if table.radar != SURPRISE_RADAR else []
    return found


@pytest.mark.ledger(*(f"23.7413T.{level}" for level in range(1, 8)), "23.7413.1", "23.7413T.m1", "23.7413T.m2")
def test_the_surprise_table_agrees_with_a_second_transcription() -> None:
    assert not surprise_differences(SurpriseTable())


@pytest.mark.ledger("23.7413T.m1", "23.7413T.m2", "23.74122A.1", "23.74122A.2", "23.74122A.3")
def test_search_results_against_the_group_modify_the_surprise_die() -> None:
    assert [SurpriseTable().for_results(results) for results in (1, 2, 3, 4, 6)] == [0, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("level", "field", "before", "reached"),
    [
        pytest.param(1, "patrol_bonus_lost", False, True, marks=pytest.mark.ledger("23.7413T.1"), id="level 1"),
        pytest.param(2, "air_defense", 0, -1, marks=pytest.mark.ledger("23.7413T.2"), id="level 2"),
        pytest.param(3, "attack_bonus", 0, 1, marks=pytest.mark.ledger("23.7413T.3"), id="level 3"),
        pytest.param(4, "fewer_defenders", 0, 1, marks=pytest.mark.ledger("23.7413T.4"), id="level 4"),
        pytest.param(5, "fewer_defenders", 1, 2, marks=pytest.mark.ledger("23.7413T.5"), id="level 5"),
        pytest.param(6, "fewer_defenders", 2, 3, marks=pytest.mark.ledger("23.7413T.6"), id="level 6"),
        pytest.param(7, "fewer_defenders", 3, 4, marks=pytest.mark.ledger("23.7413T.7"), id="level 7, defenders"),
        pytest.param(
            7, "critical_hit_roll", False, True, marks=pytest.mark.ledger("23.7413T.7"), id="level 7, critical"
        ),
    ],
)
def test_each_surprise_level_adds_its_effect(level: int, field: str, before: object, reached: object) -> None:
    table = SurpriseTable()
    assert getattr(table.effects(level - 1), field) == before
    assert getattr(table.effects(level), field) == reached


def test_every_value_of_the_surprise_table_changed_by_one_is_noticed() -> None:
    table = SurpriseTable()
    single = ("no_patrol_bonus_from", "air_defense_from", "air_defense", "attack_bonus_from", "attack_bonus")
    for step in (-1, 1):
        for name in (*single, "critical_from", "radar"):
            assert surprise_differences(replace(table, **{name: getattr(table, name) + step})), name
        for name in ("fewer", "search_results"):
            lines = getattr(table, name)
            for reached, value in lines.items():
                assert surprise_differences(replace(table, **{name: {**lines, reached: value + step}})), name
            for reached in lines:
                moved = {key + step if key == reached else key: value for key, value in lines.items()}
                if lines[reached]:
                    assert surprise_differences(replace(table, **{name: moved})), f"{name} {reached} {step:+d}"


def submarine_differences(table: SubmarineAttackTable) -> list[int]:
    found = []
    for roll, hits, lost in SUBMARINE_ATTACK:
        for equal in {2: (2, 1, 0, -2), 10: (10, 11, 12, 16)}.get(roll, (roll,)):
            result = table.read(equal)
            if (result.hits, result.submarine_lost, result.column) != (hits, lost, roll):
                found.append(equal)
    return found


@pytest.mark.parametrize(
    ("roll", "hits", "lost"),
    [
        pytest.param(roll, hits, lost, marks=pytest.mark.ledger(f"22.94T.{number}"), id=f"roll {roll}")
        for number, (roll, hits, lost) in enumerate(SUBMARINE_ATTACK, start=1)
    ],
)
def test_the_submarine_attack_table_agrees_with_a_second_transcription(roll: int, hits: int, lost: bool) -> None:
    result = SubmarineAttackTable().read(roll)
    assert (result.hits, result.submarine_lost) == (hits, lost)


@pytest.mark.ledger("22.94T.1", "22.94T.9", "22.94T.18")
def test_submarine_attacks_beyond_the_edge_read_the_edge_and_two_or_less_loses_the_submarine() -> None:
    table = SubmarineAttackTable()
    assert not submarine_differences(table)
    assert [table.read(roll).submarine_lost for roll in (-2, 1, 2, 3)] == [True, True, True, False]
    assert [table.read(roll).hits for roll in (-2, 1, 2, 10, 11, 12, 16)] == [0, 0, 0, 3, 3, 3, 3]


def test_every_column_of_the_submarine_attack_table_changed_by_one_is_noticed() -> None:
    table = SubmarineAttackTable()
    assert len(table.hits) == len(SUBMARINE_ATTACK)
    for step in (-1, 1):
        for index, hits in enumerate(table.hits):
            changed = table._replace(hits=(*table.hits[:index], hits + step, *table.hits[index + 1 :]))
            assert submarine_differences(changed), f"column {index + 2} {step:+d}"
        assert submarine_differences(table._replace(lost_column=table.lost_column + step))


def test_the_limits_of_the_submarine_attack_modifier_agree_with_a_second_transcription() -> None:
    table = SubmarineAttackTable()
    assert table.most_italic == SUBMARINE_LIMITS["italic"]
    assert table.most_overall == SUBMARINE_LIMITS["overall"]
    assert table.advanced == SUBMARINE_LIMITS["advanced"]
    assert table.per == SUBMARINE_LIMITS["units for one"]
