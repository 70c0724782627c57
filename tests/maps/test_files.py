"""Map files: read, written back, and refused with the line and what would do instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from flagplot.core.errors import ScenarioError, UnknownName
from flagplot.model import maps
from flagplot.model.maps import Map
from flagplot.scenarios.maps import RECORDS, TOP_KEYS, load_map, map_names, parse_csv, parse_map, read_map, write_csv

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text("utf-8")
(EXAMPLE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(CSV_EXAMPLE,) = re.findall(r"^```csv\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def refusal(text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as refused:
        parse_map(text, "two-seas.toml")
    return str(refused.value)


def csv_refusal(text: str | bytes) -> str:
    with pytest.raises(ScenarioError) as refused:
        parse_csv(text, "my-map.csv")
    return str(refused.value)


# -- what is read --------------------------------------------------------------------------------------


def test_the_example_of_the_page_is_a_map_whose_seas_do_not_meet() -> None:
    chart = parse_map(EXAMPLE, "two-seas.toml")
    assert (chart.name, chart.title, chart.width, chart.height) == ("two-seas", "Two seas", 7, 4)
    assert [place.name for place in chart.places] == ["Westport", "Eastport", "Old Harbour"]
    assert maps.sea_path(chart, "B5", "B7") is None
    assert not chart.places[2].operational and chart.places[1].ports == 2
    assert chart.boxes[0].entries == ("A3", "B3", "C2")


def test_the_csv_example_of_the_page_is_a_map() -> None:
    chart = parse_csv(CSV_EXAMPLE, "my-map.csv")
    assert chart.rows == ("~~+", "~+.")
    assert chart.closed == (("A4", "A5"),)
    assert chart.places[1].fortified and chart.places[1].ports == 2
    assert chart.boxes[0].entries == ("A3", "B3") and not chart.boxes[0].may_intercept


def test_the_page_names_every_key_and_every_record() -> None:
    assert [key for key in (*TOP_KEYS, *RECORDS) if f"`{key}`" not in PAGE] == []


def test_the_refusals_on_the_page_are_those_given() -> None:
    first, second = re.findall(r"^    (?:two-seas|my-map).*$", PAGE, re.MULTILINE)[-2:]
    assert refusal(EXAMPLE.replace('hex = "B5"', 'hex = "A6"')) == first.strip()
    lines = CSV_EXAMPLE.splitlines()
    lines[8:8] = ["caption,C40,,FAR SEA,"]
    assert csv_refusal("\n".join(lines)) == second.strip()


@pytest.mark.parametrize("name", map_names())
def test_a_map_written_as_csv_is_the_same_map(name: str, tmp_path: Path) -> None:
    chart = load_map(name)
    assert parse_csv(write_csv(chart), f"{name}.csv") == chart
    file = tmp_path / f"{name}.csv"
    file.write_text(write_csv(chart), encoding="utf-8")
    assert read_map(str(file)) == chart


def test_windows_line_ends_marks_and_order_do_not_matter_in_csv() -> None:
    lines = CSV_EXAMPLE.splitlines()
    mixed = "\r\n".join(lines[:1] + lines[:0:-1])
    chart = parse_csv(b"\xef\xbb\xbf" + mixed.encode(), "my-map.csv")
    assert replace(chart, places=chart.places[::-1]) == parse_csv(CSV_EXAMPLE, "my-map.csv")


drawings = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.text("~+#.", min_size=width, max_size=width), min_size=1, max_size=6)
)


@given(drawings, st.text("AB é,\"'", max_size=8))
@example(["~..", "..."], "")
def test_any_map_is_written_and_read_again(rows: list[str], title: str) -> None:
    # At least one hex in the last row and column, as every map has that was read from CSV.
    rows = [row[:-1] + "~" for row in rows]
    name = " ".join(title.split()) or "T"
    chart = Map(name="t", title=name, theatre="Pacific", rows=tuple(rows), first_number=9)
    assert parse_csv(write_csv(chart), "t.csv") == chart


def test_a_map_is_read_by_name_or_by_path(tmp_path: Path) -> None:
    file = tmp_path / "two-seas.toml"
    file.write_text(EXAMPLE, encoding="utf-8")
    assert read_map(str(file)).name == "two-seas"
    assert read_map("pacific") is load_map("pacific")
    with pytest.raises(UnknownName, match="no map called 'pacifik'; did you mean pacific"):
        read_map("pacifik")
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_map(str(tmp_path / "none.toml"))


# -- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("format = 1", "format = 2", "line 1, format: this is format 2"),
        ("format = 1", "", "format is missing"),
        (
            'theatre = "Europe"',
            'theatre = "Mars"',
            "line 3, theatre: 'Mars' will not do here; it must be 'Europe' or 'Pacific'",
        ),
        ("first_number = 3", "first_number = 0", "line 4, first_number: 0 will not do here"),
        (
            "first_number = 3",
            "first_number = 1",
            "line 9, rows[3]: hex 1 would have a number under 1; draw . there, or set first_number = 2",
        ),
        ("first_number = 3", "colour = 3", "line 4, colour: there is no such key"),
        (
            '"~~+#+~~",\n  "~~+#+~~"',
            '"~~+#+~~",\n  "~~+#+~"',
            "line 9, rows[3]: this row has 6 hexes and the first has 7",
        ),
        ('  "~~~#~~~",', '  "~~~#~~x",', "line 7, rows[1]: 'x' will not do here; ~ is sea"),
        ('  "~~~#~~~",', "  7,", "line 7, rows[1]: a row must be a text in quotes, not 7"),
        ('closed = ["A4-A5"]', 'closed = ["A4A5"]', "line 12, closed[1]: 'A4A5' is no side"),
        (
            'closed = ["A4-A5"]',
            'closed = ["A4-A9"]',
            "line 12, closed[1]: A9 is not beside A4; beside it are A5, A3, B3, B4",
        ),
        ('closed = ["A4-A5"]', 'closed = ["A5-A6"]', "line 12, closed[1]: A6 is land"),
        (
            'closed = ["A4-A5"]',
            'closed = ["A4-A5", "A5-A4"]',
            "closed[2]: the side between A5 and A4 is closed already",
        ),
        ('closed = ["A4-A5"]', "closed = [7]", "line 12, closed[1]: this must be a text in quotes"),
        ('hex = "B5"', 'hex = "Q9"', "line 14, places[1]: Q9 is not on the map, which runs from A3"),
        ('hex = "B5"', 'hex = "middle"', "line 14, places[1]: 'middle' is no address of a hex"),
        (
            "ports = 1, air_base",
            "ports = 3, air_base",
            "line 14, places[1].ports: 3 will not do here; it must be from 0 to 2",
        ),
        ('name = "Eastport"', 'name = "westport"', "line 15, places[2]: there is a westport already"),
        ('name = "Eastport"', 'name = "b 4"', "line 15, places[2]: b 4 could be taken for an address"),
        ("ports = 1, air_base", "fortified", "line 14, places[1]: only ports are operational or fortified"),
        ("air_base = true", "air_base = 1", "line 14, places[1].air_base: this must be true or false, not 1"),
        ("air_base = true", "airbase = true", "airbase: there is no such key; did you mean air_base?"),
        ('edge = "west"', 'edge = "east"', "line 18, boxes[1]: A3 is no sea or coast hex on the east edge"),
        ('edge = "west"', 'edge = "up"', "boxes[1].edge: 'up' will not do here"),
        ('first = "A3"', 'first = "A6"', "line 18, boxes[1]: A6 is land"),
        ('hex = "B4" }]', 'hex = "B99" }]', "line 19, captions[1].hex: B99 is not on the map"),
    ],
)
def test_a_mistake_is_shown_where_it_was_made(old: str, new: str, complaint: str) -> None:
    assert EXAMPLE.count(old) == 1
    assert complaint in refusal(EXAMPLE.replace(old, new))


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ('crossings = [{ name = "S", kind = "strait", hexes = ["B5"] }]', "lies between two hexes, and here are 1"),
        ('crossings = [{ name = "S", kind = "river", hexes = ["B4", "B5"] }]', "'river' will not do here"),
        (
            'crossings = [{ name = "S", kind = "strait", hexes = ["A4", "A5"] }]',
            "is listed as closed; take it out there",
        ),
        ('crossings = [{ name = "S", kind = "strait", hexes = ["B5", "B7"] }]', "B7 is not beside B5"),
        (
            'crossings = [{ name = "S", kind = "strait", hexes = ["B4", "B5"] }, { name = "s", kind = "strait", hexes = ["B3", "B4"] }]',
            "there is a s already",
        ),
        (
            'crossings = [{ name = "S", kind = "strait", hexes = ["B4", "B5"] }, { name = "T", kind = "canal", hexes = ["B5", "B4"] }]',
            "one name is enough",
        ),
        ('regions = [{ name = "R", hexes = ["B4", "B4"] }]', "regions[1].hexes[2]: B4 is in R already"),
        ('regions = [{ name = "R", hexes = ["Q4"] }]', "Q4 is not on the map"),
        ('outlines = ["1 2 3 4"]', "three points at least"),
        ('outlines = ["1 2 3 4 5 nan"]', "'nan' is no number"),
        ('outlines = ["1 2 3 4 5 1e9"]', "'1e9' is no number"),
        ('outlines = ["1 2 3 4 5"]', "three points at least"),
        ("outlines = [[1, 2]]", "an outline must be a text in quotes"),
    ],
)
def test_what_may_be_added_is_checked_too(more: str, complaint: str) -> None:
    assert complaint in refusal(f"{EXAMPLE}\n{more}\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('format = 1\ntitle = "T"\ntheatre = "Europe"\n', "the rows are missing"),
        ('format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = ["##"]\n', "neither sea nor coast"),
        ('format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = [""]\n', "from 1 to 200 hexes"),
        (f'format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = ["{"~" * 201}"]\n', "from 1 to 200 hexes"),
        ('format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = [' + '"~",' * 53 + "]\n", "at most 52 will do"),
        ("rows = [", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        ("a = " + "[" * 5000, "nested more than"),
        ("x" * 300_000, "longer than"),
        (
            'format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = ["+#+"]\nplaces = [{ name = "P", hex = "A16", ports = 1 }]',
            "ships cannot leave A16",
        ),
        (
            'format = 1\ntitle = "T"\ntheatre = "Europe"\nrows = ["~~"]\ncrossings = [{ name = "S", kind = "strait", hexes = ["A16", "A17"] }]\nclosed = ["A16-A17"]',
            "is listed as closed",
        ),
    ],
)
def test_hostile_files_are_refused(text: str | bytes, complaint: str) -> None:
    assert complaint in refusal(text)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("map,,,format,1", "map,,,format,9", "line 2: this is format '9'"),
        ("map,,,format,1\n", "", "format is missing; add a line map,,,format"),
        ("map,,,theatre,Europe", "map,,,theatre,Asia", "line 4: 'Asia' will not do here"),
        ("map,,,first_number,3", "map,,,first_number,-3", "line 5: '-3' will not do here"),
        ("map,,,first_number,3", "map,,,colour,3", "line 5: 'colour' will not do here"),
        ("hex,A4,,,sea", "hex,A4,,,water", "line 7: 'water' will not do here"),
        ("hex,A4,,,sea", "hex,A3,,,sea", "line 7: A3 has been given already"),
        ("hex,A4,,,sea", "hex,A1,,,sea", "line 7: A1 lies left of the first hex"),
        ("hex,A4,,,sea", "hex,here,,,sea", "line 7: 'here' is no address"),
        ("hex,A4,,,sea", "hexes,A4,,,sea", "line 7: 'hexes' will not do here; did you mean hex?"),
        ("hex,A4,,,sea", "hex,A4,sea", "line 7: there are 3 columns here; write 5"),
        ("closed,A4,A5,,", "closed,A4,B3,,\nclosed,B3,A4,,", "line 12: the side between B3 and A4 is closed already"),
        ("port air_base", "port airbase", "line 12: 'airbase' will not do here; did you mean air_base?"),
        ("place,B4,,Westport", "place,B4,,", "line 12: a place needs a name"),
        ("SW west no_interception", "west", "line 14: 'west' will not do here"),
        ("SW west no_interception", "SW", "line 14: '' will not do here"),
        ("SW west no_interception", "SW west maybe", "line 14: 'maybe' will not do here"),
        ("caption,A3,,WEST SEA,", 'caption,A3,,"WEST SEA,', "not valid CSV"),
        ("caption,A3,,WEST SEA,", "strait,A3,A5,S,", "line 15: A5 is not beside A3"),
        ("caption,A3,,WEST SEA,", "outline,,,,1 2", "line 15: an outline is a list"),
    ],
)
def test_a_mistake_in_csv_is_shown_where_it_was_made(old: str, new: str, complaint: str) -> None:
    assert CSV_EXAMPLE.count(old) == 1
    assert complaint in csv_refusal(CSV_EXAMPLE.replace(old, new))


def test_csv_without_hexes_is_refused() -> None:
    assert "there are no hexes" in csv_refusal("map,,,format,1\nmap,,,title,T\nmap,,,theatre,Europe\n")


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_whatever_comes_in_only_a_scenario_error_comes_out(text: str | bytes) -> None:
    for read in (parse_map, parse_csv):
        with pytest.raises(ScenarioError):
            read(text, "x")


@given(st.integers(0, len(EXAMPLE) - 1), st.integers(0, 30), st.text('"[]{}=,.#~+A1-\n', max_size=6))
def test_an_example_with_something_cut_out_is_read_or_refused(at: int, cut: int, put: str) -> None:
    for text, read in ((EXAMPLE, parse_map), (CSV_EXAMPLE, parse_csv)):
        try:
            read(text[:at] + put + text[at + cut :], "x.toml")
        except ScenarioError as refused:
            assert len(str(refused)) < 600
