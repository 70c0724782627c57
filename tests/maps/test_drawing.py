"""The drawing of a map: well formed, complete, without style attributes, and in words for those who cannot see it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import pytest
from msgspec.structs import replace

from flagplot.model import maps
from flagplot.model.maps import Caption, Map, Place
from flagplot.scenarios.maps import load_map, map_names
from flagplot.web.map_drawing import draw, standalone_style
from flagplot.web.map_labels import Labels
from flagplot.web.map_view import Arrivals, Course, Marker, Reach, View

PACIFIC, EUROPE = load_map("pacific"), load_map("europe")
SVG = "{http://www.w3.org/2000/svg}"
INVASION = maps.sea_path(PACIFIC, "FF29", "II26") or ()
CORAL_SEA = View(
    courses=(
        Course(path=INVASION, name="invasion"),
        Course(path=maps.sea_path(PACIFIC, "NN31", "JJ26") or (), side="foe"),
        Course(path=("II26", "JJ26"), kind="return"),
        Course(path=()),
    ),
    reaches=(Reach(hex="LL24", hexes=4, side="foe", name="Cairns"), Reach(hex="II26", hexes=2)),
    chosen="JJ26",
    chosen_name="interception",
    markers=(
        Marker(hex="HH28", title="TF 1", detail="patrol", count=2),
        Marker(hex="HH28", title="TF 2"),
        Marker(hex="MM30", title="TF ?", detail="Noumea", side="foe", hidden=True),
    ),
    arrivals=(Arrivals(hex="LL28", name="Noumea", chances=(("round 1", 0.098), ("round 2", 0.302)), side="foe"),),
    around=("Z31", "NN31", "LL24"),
    interactive=True,
)


def tree(chart: Map, view: View | None = None, style: str = "") -> xml.Element:
    return xml.fromstring(draw(chart, view, style))


def classes(drawn: xml.Element) -> set[str]:
    return {word for each in drawn.iter() for word in each.get("class", "").split()}


def texts(drawn: xml.Element) -> list[str]:
    return [each.text or "" for each in drawn.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", map_names())
def test_every_hex_is_drawn_once_and_can_be_found_by_its_address(name: str) -> None:
    chart = load_map(name)
    drawn = tree(chart)
    ids = [each.get("id", "") for each in drawn.iter() if each.get("id")]
    assert len(set(ids)) == len(ids)
    assert {each.removeprefix("hex-") for each in ids if each.startswith("hex-")} == set(chart.index)
    assert {place.name for place in chart.places} <= set(texts(drawn))
    assert {crossing.name for crossing in chart.crossings} <= set(texts(drawn))
    assert {caption.name for caption in chart.captions} <= set(texts(drawn))


@pytest.mark.parametrize(("chart", "view"), [(PACIFIC, None), (EUROPE, None), (PACIFIC, CORAL_SEA)])
def test_looks_are_classes_and_every_class_has_its_look(chart: Map, view: View | None) -> None:
    drawn = tree(chart, view)
    assert not [each for each in drawn.iter() if each.get("style") or each.get("fill") or each.get("stroke")]
    known = set(re.findall(r"\.([a-z][a-z-]*)", standalone_style()))
    structure = {"map", "hexes", "legend", "sea"}
    assert classes(drawn) - known - structure == set()


def test_a_drawing_is_the_same_each_time() -> None:
    assert draw(PACIFIC, CORAL_SEA) == draw(PACIFIC, CORAL_SEA)


def test_a_drawing_says_in_words_what_it_shows() -> None:
    drawn = tree(PACIFIC, CORAL_SEA)
    assert drawn.get("aria-labelledby") == "map-title map-desc"
    words = drawn.findtext(f"{SVG}desc") or ""
    assert f"Own path of invasion: {' '.join(INVASION)}, 5 hexes." in words
    assert "Enemy aircraft reach 4 hexes from LL24." in words
    assert "TF ? Noumea in MM30." in words
    assert "Chosen: JJ26, sea" in words or "Chosen: JJ26, coast" in words
    assert "Noumea arrives: round 1 9.8%, round 2 30.2%." in words


def test_a_window_shows_only_what_is_around_its_hexes() -> None:
    drawn = tree(PACIFIC, CORAL_SEA)
    ids = {each.get("id", "") for each in drawn.iter()}
    assert {"hex-Z31", "hex-NN31", "hex-LL24", "hex-JJ26"} <= ids
    assert "hex-L32" not in ids
    assert "Tokyo" not in texts(drawn)
    assert "U.S." not in texts(drawn), "boxes stand beside the whole map only"
    outside = View(
        around=("L32",), markers=(Marker(hex="Z31", title="TF 9"),), chosen="Z31", arrivals=CORAL_SEA.arrivals
    )
    assert "TF 9" not in texts(tree(PACIFIC, outside))


def test_hexes_of_an_interactive_map_are_buttons_and_one_of_them_is_reached_by_the_tab_key() -> None:
    drawn = tree(PACIFIC, CORAL_SEA)
    buttons = [each for each in drawn.iter(f"{SVG}use") if each.get("role") == "button"]
    assert [each.get("id") for each in buttons if each.get("tabindex") == "0"] == ["hex-JJ26"]
    assert {each.get("tabindex") for each in buttons} == {"0", "-1"}
    assert next(each.get("aria-label") for each in buttons if each.get("id") == "hex-Z31") == maps.described(
        PACIFIC, "Z31"
    )
    assert not [each for each in tree(PACIFIC).iter() if each.get("tabindex")]
    assert tree(PACIFIC, View(interactive=True)).get("role") == "group"


def test_own_and_enemy_differ_by_more_than_colour() -> None:
    looks = standalone_style()
    assert re.search(r"\.foe \.course \{[^}]*dasharray", looks)
    assert re.search(r"\.hidden \.marker \{[^}]*dasharray", looks)
    assert re.search(r"\.port\.idle \{", looks)


def test_the_style_of_a_file_that_stands_alone_is_light_and_dark() -> None:
    style = standalone_style()
    assert style.count("prefers-color-scheme: dark") == 2
    used = set(re.findall(r"var\((--[a-z-]+)\)", style))
    assert used <= set(re.findall(r"(--[a-z-]+):", style))
    assert "<" not in style
    assert tree(EUROPE, None, style).findtext(f"{SVG}style") == style


def test_names_from_a_file_cannot_become_marks() -> None:
    wicked = '<script>"&amp;'
    chart = Map(
        name="w",
        title=wicked,
        theatre="Europe",
        rows=("~+#.",),
        places=(Place(name=wicked, hex="A17", ports=1, operational=False), Place(name="bare", hex="A18")),
        captions=(Caption(name=wicked, hex="A16"),),
    )
    view = View(
        markers=(Marker(hex="A16", title=wicked, detail=wicked),), chosen="A17", chosen_name=wicked, interactive=True
    )
    drawn = tree(chart, view)
    assert not list(drawn.iter(f"{SVG}script"))
    assert wicked in texts(drawn)
    assert "plain" in classes(drawn), "without outlines land is drawn hex by hex"
    assert "idle" in classes(drawn)


def test_the_border_of_a_range_is_one_closed_line_as_long_as_it_must_be() -> None:
    open_sea = Map(name="o", title="o", theatre="Pacific", rows=("~" * 15,) * 15)
    for hexes in range(5):
        drawn = tree(open_sea, View(reaches=(Reach(hex=open_sea.addresses[7 * 15 + 7], hexes=hexes),)))
        (line,) = [each.get("d", "") for each in drawn.iter(f"{SVG}path") if each.get("class") == "reach"]
        assert line.count("M") == 1
        assert line.count("L") + 1 == 6 * (2 * hexes + 1)


def test_names_keep_clear_of_each_other_where_they_can() -> None:
    labels = Labels(0, 0, 400, 400)
    spots = [labels.place(200, 200, "Somewhere", 10) for _ in range(4)]
    boxes = labels.taken
    assert len(set(spots)) == 4
    for at, one in enumerate(boxes):
        for two in boxes[at + 1 :]:
            assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def test_a_name_at_the_edge_stays_on_the_map() -> None:
    labels = Labels(0, 0, 400, 400)
    labels.place(396, 200, "Somewhere", 10)
    assert labels.taken[0][2] <= 400


def test_a_map_without_anything_on_it_is_drawn_too() -> None:
    bare = replace(PACIFIC, places=(), boxes=(), captions=(), closed=(), outlines=())
    assert len([each for each in tree(bare).iter(f"{SVG}use") if each.get("id")]) == len(bare.index)
