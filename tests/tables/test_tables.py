"""The printed tables against a second transcription, and proof that no cell could change unnoticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagplot.rules.naval.gunnery import Crew, nationality_lines
from flagplot.tables.naval_attack import ROWS, NavalAttackTable, Row
from flagplot.tables.naval_nationality import NavalNationality
from flagplot.tables.search import SearchTable
from tests.tables.second_reading import (
    NATIONALITY,
    NATIONALITY_MODIFIERS,
    NAVAL_ATTACK_AIR,
    NAVAL_ATTACK_FLEET,
    SEARCH_LIMITS,
)

ROLLS = range(2, 13)


def differences(table: NavalAttackTable) -> list[str]:
    """Where the naval attack table and the second transcription disagree, read through its public functions."""
    found = []
    for lowest, highest, hits in NAVAL_ATTACK_FLEET:
        for factors in range(lowest, highest + 1):
            for roll, expected in zip(ROLLS, hits, strict=True):
                if table.hits(factors, roll) != expected or table.read_fleet(factors, roll).hits != expected:
                    found.append(f"{factors} fleet factors at {roll}")
    for squadrons, hits in NAVAL_ATTACK_AIR:
        for roll, expected in zip(ROLLS, hits, strict=True):
            if table.read_air(squadrons, roll).hits != expected:
                found.append(f"{squadrons} squadrons at {roll}")
    return found


def test_the_naval_attack_table_agrees_with_a_second_transcription() -> None:
    assert not differences(NavalAttackTable())


def test_every_printed_cell_changed_by_one_is_noticed() -> None:
    changed = 0
    for index, row in enumerate(ROWS):
        for column in range(len(row.hits)):
            for step in (-1, 1):
                hits = (*row.hits[:column], row.hits[column] + step, *row.hits[column + 1 :])
                rows = (*ROWS[:index], row._replace(hits=hits), *ROWS[index + 1 :])
                assert differences(NavalAttackTable(rows)), f"{row.label} column {column + 2} {step:+d}"
                changed += 1
    assert changed == 2 * 23 * 11


def test_every_row_edge_moved_by_one_is_noticed() -> None:
    for index, row in enumerate(ROWS[:-1]):
        following = ROWS[index + 1]
        if row.hits == following.hits:
            continue
        rows = list(ROWS)
        rows[index] = Row(row.squadrons, row.lowest, row.highest + 1, row.hits)
        rows[index + 1] = Row(following.squadrons, following.lowest + 1, following.highest, following.hits)
        assert differences(NavalAttackTable(tuple(rows))), row.label


@pytest.mark.ledger("22.55T.30", "22.55.3", "20.51.2")
def test_more_than_the_last_row_adds_rows_and_rolls_beyond_the_edge_read_the_edge() -> None:
    from flagplot import api

    assert api.call("naval_attack", {"air": 23}, dice=[2, 3])["hits_by_row"] == [10, 1]
    assert api.call("naval_attack", {"fleet": 125}, dice=[6, 6])["rows"] == ["58-60", "58-60", "5-6"]
    assert api.call("naval_attack", {"fleet": 4, "modifier": -9}, dice=[1, 1])["hits"] == 0
    assert api.call("naval_attack", {"fleet": 9, "modifier": -9}, dice=[1, 1])["column"] == "2"
    assert api.call("naval_attack", {"fleet": 9, "modifier": 9}, dice=[6, 6])["column"] == "12+"


def test_hits_of_more_than_sixty_factors_are_those_of_the_rows_read() -> None:
    table = NavalAttackTable()
    rows = {factors: hits for lowest, highest, hits in NAVAL_ATTACK_FLEET for factors in range(lowest, highest + 1)}
    for roll in (2, 7, 12):
        assert table.hits(61, roll) == rows[60][roll - 2] + rows[1][roll - 2]
        assert table.hits(120, roll) == 2 * rows[60][roll - 2]


def test_there_is_no_row_below_one() -> None:
    with pytest.raises(ValueError, match="rows begin at 1"):
        NavalAttackTable().read_air(0, 7)


def expected_drm(crew: Crew) -> int:
    """The second transcription's answer for a unit."""
    total = NATIONALITY.get(crew.nation, 0)
    for _, amount, keys in NATIONALITY_MODIFIERS:
        kinds = [kind.lower() for kind in keys.get("kinds", [crew.kind])]
        fits = crew.kind.lower() in kinds
        fits = fits and crew.nation in keys.get("nations", [crew.nation]) and crew.size == keys.get("size", crew.size)
        total += amount if fits and (crew.impaired or "states" not in keys) else 0
    return total


KINDS = [("BB", 3), ("BB", 4), ("BB", 5), ("BC", 3), ("PB", 2), ("CVL", 2), ("CV", 3), ("CVB", 4), ("CVE", 1)]
KINDS += [("CA", 1), ("DD", 1), ("submarine", 1)]
CREWS = [Crew(n, k, s, impaired) for n in [*NATIONALITY, "Poland"] for k, s in KINDS for impaired in (False, True)]


def drm_differences(chart: NavalNationality) -> list[Crew]:
    return [c for c in CREWS if sum(amount for _, amount in nationality_lines(chart, c)) != expected_drm(c)]


def test_the_nationality_chart_agrees_with_a_second_transcription() -> None:
    assert not drm_differences(NavalNationality())


def test_every_value_of_the_nationality_chart_changed_by_one_is_noticed() -> None:
    chart = NavalNationality()
    for nation, value in chart.nations.items():
        assert drm_differences(replace(chart, nations={**chart.nations, nation: value + 1})), nation
    for kind, value in chart.carrier.items():
        assert drm_differences(replace(chart, carrier={**chart.carrier, kind: value + 1})), kind
    for nation, value in chart.light_carrier.items():
        assert drm_differences(replace(chart, light_carrier={**chart.light_carrier, nation: value + 1})), nation
    for name in ("five_factor_battleship", "german_submarine", "partial_supply_or_oil"):
        assert drm_differences(replace(chart, **{name: getattr(chart, name) + 1})), name


def test_the_search_table_agrees_with_a_second_transcription() -> None:
    table = SearchTable()
    assert table.most_squadrons == SEARCH_LIMITS["land_squadrons_max"]
    assert table.codebreaking == SEARCH_LIMITS["codebreaking_max"]
    assert table.most_active_groups == SEARCH_LIMITS["active_groups_max"]
    assert table.most_distant_carrier_groups == SEARCH_LIMITS["distant_carrier_groups_max"]
    assert table.active_group_factors == SEARCH_LIMITS["undamaged_factors_for_active_group"]
