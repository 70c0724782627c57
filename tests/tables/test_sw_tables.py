"""The tables of the strategic war at sea against a second reading: the formula the SW Combat Table obeys (SR-01), and the
limits of 25.13 counted turn by turn."""

from __future__ import annotations

import pytest

from flagplot.model.strategic_war import Turn
from flagplot.tables.sw_combat import ROWS, SwCombatTable, SwResult
from flagplot.tables.sw_limits import SubmarineLimits
from flagplot.tables.sw_modifiers import SubmarineModifiers
from flagplot.tables.sw_raiders import CHART, KINDS, NEWER

SCALE = [(0, 0)] * 4 + [(0, 1), (0, 2)] + [(1, after) for after in range(1, 7)] + [(2, after) for after in range(5, 9)]
SCALE += [(before, before + more) for before in range(3, 9) for more in (4, 5, 6)] + [(9, 13), (9, 14)]
OFFSETS = {2: 0, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4, 11: 5, 12: 6}


def formula(row: int, roll: int) -> tuple[int, int]:
    return SCALE[row + OFFSETS[roll] - 1]


def differences(table: SwCombatTable) -> list[str]:
    return [
        f"{row} factors at {roll}"
        for row in range(1, 31)
        for roll in OFFSETS
        if table.result(row, roll) != formula(row, roll) or table.read(row, roll).result != formula(row, roll)
    ]


@pytest.mark.ledger("24.62")
def test_all_330_cells_obey_the_formula() -> None:
    assert len(SCALE) == 36
    assert differences(SwCombatTable()) == []


@pytest.mark.ledger("24.62")
@pytest.mark.parametrize(
    ("row", "roll", "result"),
    [(6, 7, "1/3"), (7, 5, "1/3"), (6, 9, "1/4"), (7, 3, "1/2"), (5, 4, "1/1"), (3, 9, "1/1"), (20, 12, "6/10")],
)
def test_the_look_ups_of_the_printed_examples(row: int, roll: int, result: str) -> None:
    assert str(SwCombatTable().result(row, roll)) == result


def test_every_cell_changed_by_one_is_noticed() -> None:
    for index, row in enumerate(ROWS):
        for column, cell in enumerate(row):
            for changed in (cell._replace(before=cell.before + 1), cell._replace(after=cell.after + 1)):
                cells = (*row[:column], changed, *row[column + 1 :])
                table = SwCombatTable((*ROWS[:index], cells, *ROWS[index + 1 :]))
                assert differences(table), f"row {index + 1} column {column + 2}"


@pytest.mark.ledger("24.67", "24.62")
def test_rolls_beyond_the_edges_read_the_edges() -> None:
    table = SwCombatTable()
    assert table.result(20, -3) == table.result(20, 1) == table.result(20, 2) == (4, 8)
    assert table.result(20, 17) == table.result(20, 12) == (6, 10)
    assert table.read(20, -3).column == 2 and table.read(20, 17).column == 12


@pytest.mark.ledger("24.621")
def test_more_than_thirty_factors_add_row_thirty_and_the_row_of_the_rest_at_one_roll() -> None:
    table = SwCombatTable()
    assert table.read(31, 12).results == ((9, 14), (1, 1))
    assert table.result(31, 12) == (10, 15)
    assert table.read(60, 2).rows == (30, 30)
    assert table.result(61, 12) == (19, 29)  # row 30 as often as it fits (SR-03)


@pytest.mark.ledger("24.62")
def test_no_factors_have_no_row_and_no_effect() -> None:
    table = SwCombatTable()
    assert table.read(0, 12).rows == ()
    assert table.result(0, 12) == SwResult(0, 0)
    for factors in (-1, 1001):
        with pytest.raises(ValueError, match="0 to 1000"):
            table.result(factors, 7)


# -- submarine limits ---------------------------------------------------------------------------------------------

# For each year from Spring to Winter (1939: Fall, Winter): German Atlantic, German Indian Ocean, Japan, U.S.
BY_YEAR = {
    1939: ([1, 2], 1, 1, [1, 1]),
    1940: ([2, 2, 3, 3], 1, 1, [1, 1, 1, 1]),
    1941: ([4, 4, 5, 5], 1, 1, [1, 1, 1, 1]),
    1942: ([6, 6, 7, 8], 2, 1, [1, 1, 1, 1]),
    1943: ([9, 10, 11, 12], 3, 2, [2, 2, 3, 3]),
    1944: ([13, 14, 15, 16], 4, 3, [4, 4, 5, 5]),
    1945: ([17, 18, 19, 20], 5, 4, [6, 6, 6, 6]),
    1946: ([21, 22, 23, 24], 6, 5, [6, 6, 6, 6]),
}


@pytest.mark.ledger("25.13A.2", "25.13A.5", "25.13C.1", "25.13E.1")
def test_the_limits_of_every_turn_from_1939_to_1946() -> None:
    limits = SubmarineLimits()
    for year, (atlantic, indian, japan, american) in BY_YEAR.items():
        for number, season in enumerate(range(4 - len(atlantic), 4)):
            turn = Turn(year, season)
            assert limits.limit("Germany", "Atlantic", turn) == atlantic[number], str(turn)
            assert limits.limit("Germany", "Indian Ocean", turn) == indian, str(turn)
            assert limits.limit("Japan", "Pacific", turn) == japan, str(turn)
            assert limits.limit("Japan", "Indian Ocean", turn) == japan, str(turn)
            assert limits.limit("United States", "Pacific", turn) == american[number], str(turn)


@pytest.mark.ledger("25.13A.2")
def test_the_german_limit_goes_on_rising_after_1946_and_nobody_fights_before_the_war() -> None:
    limits = SubmarineLimits()
    assert limits.limit("Germany", "Atlantic", Turn(1947, 1)) == 26
    assert limits.limit("Japan", "Pacific", Turn(1947, 1)) == 5
    assert limits.limit("Germany", "Atlantic", Turn(1939, 1)) == 0


@pytest.mark.ledger("25.13B", "25.13D", "25.13E.4", "25.13A.1")
@pytest.mark.parametrize(
    ("nation", "box"),
    [
        ("Italy", "Atlantic"),
        ("Britain", "Atlantic"),
        ("Britain", "Pacific"),
        ("United States", "Atlantic"),
        ("United States", "Indian Ocean"),
        ("Japan", "Atlantic"),
        ("Germany", "Pacific"),
    ],
)
def test_those_who_do_not_fight_in_a_box_have_no_limit_there_but_nought(nation: str, box: str) -> None:
    assert SubmarineLimits().limit(nation, box, Turn(1945, 0)) == 0


# -- the rest -------------------------------------------------------------------------------------------------


def test_a_turn_knows_its_place() -> None:
    assert str(Turn(1939, 2)) == "Fall 1939"
    assert Turn(1939, 3).following == Turn(1940, 0)
    assert Turn(1942, 0).since(Turn(1939, 2)) == 10


def test_the_ports_of_the_modifiers_table_are_each_in_one_group() -> None:
    ports = SubmarineModifiers().known_ports
    assert len(ports) == len(set(ports)) == 16
    assert {"Brest", "Cadiz", "Gibraltar", "Colombo", "Suva", "Manila"} <= set(ports)


def test_both_lists_of_hunters_name_ships_that_exist() -> None:
    for types in (CHART, NEWER):
        assert sorted(types.by_die) == [1, 2, 3, 4, 5, 6]
        named = {kind for kinds in types.by_die.values() for kind in kinds} - {"any"}
        assert named <= set(KINDS)
