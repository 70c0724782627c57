"""Paths by sea: legal, shortest, cut at straits; and what is refused, with the hex and the reason."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.core.errors import IllegalChoice, UnknownName
from flagplot.model import maps
from flagplot.model.maps import Map
from flagplot.scenarios.maps import load_map, map_names, parse_map
from tests.maps.second_reading import Reading, reading

EUROPE, PACIFIC = load_map("europe"), load_map("pacific")
GATES = ("Strait of Gibraltar", "Suez Canal")


def hex(chart: Map, name: str) -> str:
    return maps.hex_named(chart, name)


@pytest.mark.parametrize("name", map_names())
def test_paths_are_legal_and_as_short_as_a_second_search_finds_them(name: str) -> None:
    chart, second = load_map(name), reading(name)
    random = Random(5)
    water = [address for address in sorted(chart.index) if chart.sailing[chart.index[address]]]
    for _ in range(12):
        start = random.choice(water)
        closed = tuple(random.sample([each.name for each in chart.crossings], random.randint(0, len(chart.crossings))))
        far = second.far(start, closed)
        assert far == maps.sea_reach(chart, start, 10**6, closed)
        for end in random.sample(water, 12):
            path = maps.sea_path(chart, start, end, closed)
            assert (path is None) == (end not in far)
            assert maps.sea_distance(chart, start, end, closed) == far.get(end)
            if path:
                maps.check_path(chart, path, closed)
                assert (path[0], path[-1], maps.length(path)) == (start, end, far[end])


drawings = st.integers(2, 7).flatmap(
    lambda width: st.lists(st.text("~+#.", min_size=width, max_size=width), min_size=2, max_size=7)
)


@given(drawings, st.randoms(use_true_random=False))
def test_any_map_has_shortest_paths(rows: list[str], random: Random) -> None:
    rows[0] = "~" + rows[0][1:]
    text = f'format = 1\ntitle = "T"\ntheatre = "Europe"\nfirst_number = 20\nrows = {rows!r}\nclosed = []\n'
    bare = parse_map(text, "t.toml")
    sides = [
        f"{bare.addresses[one]}-{bare.addresses[two]}"
        for one, ways in enumerate(bare.sailing)
        for two in ways
        if one < two and random.random() < 0.3
    ]
    text = text.replace("closed = []", f"closed = {sides!r}")
    chart = parse_map(text, "t.toml")
    second = Reading(tomllib.loads(text))
    water = [address for address in chart.index if maps.terrain(chart, address).value in "~+"]
    start, end = random.choice(water), random.choice(water)
    far = second.far(start)
    assert maps.sea_reach(chart, start, 999) == far
    path = maps.sea_path(chart, start, end)
    assert (maps.length(path) if path else None) == far.get(end)
    if path:
        maps.check_path(chart, path)
        maps.check_path(chart, path[::-1])


def test_sea_reach_stops_at_its_range() -> None:
    for hexes in (0, 1, 3):
        found = maps.sea_reach(PACIFIC, "Z31", hexes)
        assert max(found.values()) == hexes
        assert found == {each: far for each, far in maps.sea_reach(PACIFIC, "Z31", 99).items() if far <= hexes}


def test_of_the_shortest_paths_the_straightest_is_given_and_always_the_same() -> None:
    path = maps.sea_path(PACIFIC, "M40", "M48")
    assert path == tuple(f"M{number}" for number in range(40, 49))
    assert maps.sea_path(PACIFIC, "Z31", "NN31") == maps.sea_path(PACIFIC, "Z31", "NN31")


# -- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "closed", "complaint"),
    [
        ([], (), "at least one hex"),
        (["N39", "N99"], (), r"22\.12: N99 is off the map"),
        (["N39", "nowhere"], (), r"22\.12: 'nowhere' is no address"),
        (
            ["N39", "O39", "O40", "O41", "O42", "O43", "P43", "P44", "O45", "N45"],
            (),
            r"22\.12: N45, land, has no water",
        ),
        (["N39", "N41"], (), r"22\.12: N41 is not beside N39 but 2 hexes away; name every hex on the way"),
        (["N39", "N39"], (), r"22\.12: N39 is not beside N39"),
        (["Q44", "R44"], (), r"22\.12: land lies between Q44 and R44"),
        (["T42", "T43"], ("Kiel Canal",), r"22\.13A: from T42 to T43 leads Kiel Canal, which is closed"),
        (["MM21", "NN20"], GATES, r"22\.13A: from MM21 to NN20 leads Strait of Gibraltar, which is closed"),
    ],
)
def test_an_impossible_path_is_refused_with_the_hex_and_the_reason(
    path: list[str], closed: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(IllegalChoice, match=complaint):
        maps.check_path(EUROPE, path, closed)


def test_a_path_through_an_open_strait_is_legal() -> None:
    maps.check_path(EUROPE, ["T42", "T43"])
    maps.check_path(EUROPE, ["NN20", "MM21"], ["Kiel Canal"])
    maps.check_path(EUROPE, ["N39"])


def test_paths_from_or_to_land_and_unknown_straits_are_refused() -> None:
    with pytest.raises(IllegalChoice, match="U45, land, has no water"):
        maps.sea_path(EUROPE, "U45", "N39")
    with pytest.raises(IllegalChoice, match="off the map"):
        maps.sea_distance(EUROPE, "N39", "ZZ1")
    with pytest.raises(UnknownName, match="no strait or canal 'Panama'; there are Strait of Gibraltar"):
        maps.sea_path(EUROPE, "N39", "N40", ["Panama"])
    with pytest.raises(UnknownName, match="it has none"):
        maps.sea_path(PACIFIC, "Z31", "Z32", ["Panama"])


# -- straits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "closed"),
    [
        ("Casablanca", "Malta", ("Strait of Gibraltar",)),
        ("Athens", "Istanbul", ("Dardanelles",)),
        ("Athens", "Sevastopol", ("Bosporus",)),
        ("Wilhelmshaven", "Kiel", ("Kiel Canal", "Danish Straits")),
        ("Oslo", "Leningrad", ("Kiel Canal", "Danish Straits")),
        ("Port Said", "Suez", ("Suez Canal",)),
    ],
)
def test_a_closed_strait_parts_the_seas_it_joins(one: str, two: str, closed: tuple[str, ...]) -> None:
    start, end = hex(EUROPE, one), hex(EUROPE, two)
    assert maps.sea_path(EUROPE, start, end)
    assert maps.sea_path(EUROPE, start, end, closed) is None
    assert maps.sea_distance(EUROPE, start, end, closed) is None


def test_with_the_canal_closed_kiel_is_reached_around_denmark() -> None:
    start, end = hex(EUROPE, "Wilhelmshaven"), hex(EUROPE, "Kiel")
    assert maps.sea_distance(EUROPE, start, end) == 1
    path = maps.sea_path(EUROPE, start, end, ["Kiel Canal"])
    assert path and [each.name for each in maps.crossings_on(EUROPE, path)] == ["Danish Straits"]


@pytest.mark.parametrize(
    ("one", "two", "straits"), [("Lisbon", "Malta", 1), ("Taranto", "Kiel", 2), ("Brest", "Sevastopol", 3)]
)
def test_a_route_is_cut_in_two_at_every_strait(one: str, two: str, straits: int) -> None:
    path = maps.sea_path(EUROPE, hex(EUROPE, one), hex(EUROPE, two))
    assert path
    sides = maps.sides_of_straits(EUROPE, path)
    assert len(sides) == straits + 1
    assert tuple(each for side in sides for each in side) == path
    cuts = [(before[-1], after[0]) for before, after in pairwise(sides)]
    assert [set(cut) for cut in cuts] == [set(each.hexes) for each in maps.crossings_on(EUROPE, path)]


def test_a_route_without_straits_is_one_side_and_an_empty_one_none() -> None:
    assert maps.sides_of_straits(EUROPE, ("N39", "N40")) == (("N39", "N40"),)
    assert maps.sides_of_straits(EUROPE, ()) == ()
    assert maps.length(()) == maps.length(("N39",)) == 0


def test_a_route_that_passes_a_strait_twice_is_cut_twice() -> None:
    assert maps.sides_of_straits(EUROPE, ("T42", "T43", "T42")) == (("T42",), ("T43",), ("T42",))


# -- boxes --------------------------------------------------------------------------------------------


def test_a_box_is_reached_at_the_nearest_hex_of_its_edge() -> None:
    for chart in (EUROPE, PACIFIC):
        for box in chart.boxes:
            assert all(len(maps.neighbours(chart, entry)) < 6 for entry in box.entries)
            start = hex(chart, "Scapa Flow" if chart is EUROPE else "Truk")
            path = maps.path_to_box(chart, start, box.name.lower())
            assert path and path[-1] in box.entries
            reached = [maps.sea_distance(chart, start, entry) for entry in box.entries]
            assert maps.length(path) == min(each for each in reached if each is not None)


def test_a_box_that_cannot_be_reached_or_is_unknown() -> None:
    assert maps.path_to_box(EUROPE, hex(EUROPE, "Malta"), "Atlantic", GATES) is None
    with pytest.raises(UnknownName, match="no box 'Mars'"):
        maps.path_to_box(EUROPE, "N39", "Mars")


def test_only_the_boxes_the_rule_names_are_barred_from_intercepting() -> None:
    for chart in (EUROPE, PACIFIC):
        for box in chart.boxes:
            barred = box.name in ("U.S.", "South Africa") or box.kind == "SW"
            assert box.may_intercept is not barred
