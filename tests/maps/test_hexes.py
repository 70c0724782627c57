"""Hexes: the rulebook's addresses, what lies beside what, and how far it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.core.errors import IllegalChoice, UnknownName
from flagplot.model import maps
from flagplot.model.maps import Map, Terrain
from flagplot.scenarios.maps import load_map, map_names
from tests.maps.second_reading import letters, reading

OPEN_SEA = Map(name="open", title="Open sea", theatre="Pacific", rows=("~" * 12,) * 9)


@given(st.integers(0, 51), st.integers(1, 999))
def test_an_address_is_read_as_it_is_written(row: int, number: int) -> None:
    address = f"{maps.row_letters(row)}{number}"
    assert maps.parts(address) == (row, number)
    assert maps.tidy(f" {address.lower()[:1]}{address.lower()[1:]} ") == address


def test_rows_are_lettered_a_to_z_and_then_doubled() -> None:
    assert [maps.row_letters(row) for row in (0, 8, 14, 25, 26, 30, 39)] == ["A", "I", "O", "Z", "AA", "EE", "NN"]
    assert [maps.row_of(maps.row_letters(row)) for row in range(52)] == list(range(52))


@pytest.mark.parametrize(
    "text", ["", "A", "11", "AB12", "A0", "A01", "AAA1", "A1000", "Ä1", "A1 A2", "a1", "A-1", "A１"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    assert not maps.is_address(text)
    with pytest.raises(IllegalChoice, match="no address"):
        maps.parts(text)


@pytest.mark.parametrize("name", map_names())
def test_every_hex_has_the_address_a_second_reading_gives_it(name: str) -> None:
    chart, second = load_map(name), reading(name)
    assert set(chart.index) == set(second.cube)
    assert all(maps.terrain(chart, each).value == second.sign[second.cube[each]] for each in chart.index)


@pytest.mark.parametrize("name", map_names())
def test_hexes_beside_each_other_are_so_both_ways_and_one_apart(name: str) -> None:
    chart, second = load_map(name), reading(name)
    for address in chart.index:
        beside = maps.neighbours(chart, address)
        assert len(set(beside)) == len(beside) <= 6
        assert set(beside) == {second.address[cube] for cube in second.beside(second.cube[address])}
        assert all(address in maps.neighbours(chart, other) for other in beside)
        assert all(maps.distance(address, other) == 1 for other in beside)


@given(st.sampled_from(sorted(load_map("europe").index)), st.sampled_from(sorted(load_map("europe").index)))
def test_distance_is_that_of_a_second_reading(one: str, two: str) -> None:
    assert maps.distance(one, two) == maps.distance(two, one) == reading("europe").distance(one, two)


@given(st.sampled_from(sorted(OPEN_SEA.index)), st.sampled_from(sorted(OPEN_SEA.index)))
def test_in_open_water_ships_and_aircraft_go_equally_far(one: str, two: str) -> None:
    assert maps.sea_distance(OPEN_SEA, one, two) == maps.distance(one, two)
    path = maps.sea_path(OPEN_SEA, one, two)
    assert path and maps.length(path) == maps.distance(one, two)


@given(st.sampled_from(sorted(load_map("pacific").index)), st.integers(0, 9))
def test_aircraft_reach_the_hexes_no_further_than_their_range(address: str, hexes: int) -> None:
    chart = load_map("pacific")
    expected = [other for other in chart.index if maps.distance(address, other) <= hexes]
    assert list(maps.in_range(chart, address, hexes)) == expected


def test_a_place_is_found_by_name_or_address_whatever_the_capitals() -> None:
    chart = load_map("pacific")
    assert maps.hex_named(chart, "port  MORESBY") == maps.hex_named(chart, "ii 26") == "II26"
    with pytest.raises(UnknownName, match="no place 'Atlantis'"):
        maps.hex_named(chart, "Atlantis")
    with pytest.raises(IllegalChoice, match="ZZ9 is off the map"):
        maps.hex_named(chart, "zz9")


def test_a_hex_is_described_with_what_lies_in_it() -> None:
    chart = load_map("europe")
    assert maps.described(chart, "T43") == "T43, coast, Kiel (port, fortified, air base), Kiel Canal"
    assert maps.terrain(chart, "T43") is Terrain.COAST
    assert "two" not in maps.described(chart, "A30")


def test_the_last_rows_are_those_the_letters_say() -> None:
    for name in map_names():
        chart = load_map(name)
        assert chart.addresses[-1].startswith(letters(chart.height - 1))
