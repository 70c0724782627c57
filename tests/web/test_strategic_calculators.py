"""The calculators of the strategic war: what they ask, answer and refuse, their addresses, and their pages in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from flagplot import api
from flagplot.web import bombing_form, raider_form, strategic_calculators, submarine_form
from flagplot.web.strategic_calculators import CALCULATORS
from tests.web.browsing import violations
from tests.web.visitors import Server, questions_shown, serving

CONVOY = {"submarines": 6, "asw": 3, "transports": 35}
RAID = {"bombers": 6, "distance": 4, "air_range": 1, "city": 1, "flak": 2, "value": 20, "met_interceptors1": 2}
GROUP = {"transports": 30, "ships1": 2, "factors1": 8}
SAID = {"submarines": CONVOY, "bombing": RAID, "raiders": GROUP}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("strategic")) as running:
        yield running


def page_of(server: Server, key: str, **said: Any) -> str:
    told = server.visitor().get(f"/strategic/{key}?{urlencode(said)}")
    assert told.status_code == 200
    return told.text


def plain(text: str) -> str:
    """The answer of a page in words."""
    answer = text.partition('id="answer"')[2].partition("</form>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer)).split())


def address(text: str) -> str:
    found = re.search(r'id="address" href="([^"]+)"', text)
    assert found
    return unescape(found[1])


# -- editions and rulings -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", SAID)
def test_the_rules_are_named_and_the_editions_agree(server: Server, key: str) -> None:
    """Nothing in 21.53, 25 and 26 differs between the editions but by an option."""
    assert "Edition current, no option changed. The editions agree here." in plain(page_of(server, key, **SAID[key]))
    old = page_of(server, key, edition="2008", **SAID[key])
    assert "Edition 2008, no option changed. The editions agree here." in plain(old)
    assert parse_qs(urlsplit(address(old)).query)["edition"] == ["2008"]
    assert "edition" not in address(page_of(server, key, **SAID[key]))
    assert "there is no edition '1999'" in plain(page_of(server, key, edition="1999", **SAID[key]))


def test_a_ruling_is_put_where_it_matters(server: Server) -> None:
    usual = page_of(server, "raiders", **GROUP)
    assert "raider_defenders" in questions_shown(usual) and "germany_drm_2008" not in questions_shown(usual)
    newer = page_of(server, "raiders", raider_defenders="newer", **GROUP)
    assert "option raider_defenders = newer." in plain(newer) and "raider_defenders=newer" in address(newer)
    old = page_of(server, "raiders", edition="2008", germany_drm_2008="3", **GROUP)
    assert "option germany_drm_2008 = 3." in plain(old) and "The editions agree" not in plain(old)
    few = CONVOY | {"transports": 9}
    assert "damaged_transports_leave" not in questions_shown(page_of(server, "submarines", **few))
    assert "damaged_transports_leave" in questions_shown(page_of(server, "submarines", **few, advanced=2))


# -- answers ----------------------------------------------------------------------------------------


def test_the_pages_stand_where_the_tabs_say_and_begin_with_an_answer(server: Server) -> None:
    visitor = server.visitor()
    for key, made in CALCULATORS.items():
        told = visitor.get(f"/strategic/{key}")
        assert told.status_code == 200 and made.title in unescape(told.text) and "refused" not in plain(told.text)
        assert f'href="/strategic/{key}" aria-current="page"' in told.text
    assert visitor.get("/strategic/rockets").status_code == 404
    assert visitor.get("/strategic").status_code == 200  # led to the first


def test_submarines_are_answered_as_the_api_does(server: Server) -> None:
    text = page_of(server, "submarines", **CONVOY, port_0=1, us_war=1, turn="Spring 1942", dice="4352")
    asked: dict[str, Any] = {**CONVOY, "box": "Atlantic", "attacker": "Germany", "turn": "Spring 1942"}
    asked |= {"ports_controlled_and_fully_supplied": ["Brest"], "axis_combat_phases_since_war_began": 1}
    answer = api.call("submarine_odds", asked, dice=[4, 3, 5, 2])
    words = plain(text)
    assert f"{answer['quantities']['transports_sunk']['expected']:.1f} transports sunk on the average" in words
    for number, each in answer["quantities"]["transports_sunk"]["chances"].items():
        assert f"{number}: {float(100 * Fraction(each['exact'])):.1f}% {each['exact']}" in words
    assert "25.723 Brest, Lorient, St. Nazaire or La Rochelle +2" in words and "25.66B happy time" in words
    assert (
        f"{answer['resolved']['transports_sunk']} transports sunk, {answer['resolved']['transports_damaged']} dam"
        in words
    )


def test_two_powers_and_advanced_submarines_are_told_together(server: Server) -> None:
    said = {"box": "Indian Ocean", "nation": "Germany", "submarines": 4, "asw": 2, "transports": 6, "advanced": 1}
    said |= {"others": 2, "others_asw": 1, "others_modifier": "-1", "turn": "Spring 1943", "dice": "4325634211"}
    words = plain(page_of(server, "submarines", **said))
    assert "of 5 submarines lost" in words and "No more than 3 of 5 may fight in Spring 1943" in words
    assert "Advanced submarines come last, on row 3" in words and "Each also sinks a transport: 1" in words
    assert "Japan: 6 + 3 − 1 = 8, result" in words and "ASW lost" in words


def test_raids_are_answered_as_the_api_does(server: Server) -> None:
    words = plain(page_of(server, "bombing", **RAID, aaf=3, dice="43 52 65 11"))
    asked: dict[str, Any] = {"nation": "Britain", "target": "German objective", "bombers": 6, "aaf": 3, "distance": 4}
    asked |= {"air_range": 1, "value": 20, "defences": {"cities_or_ports": 1, "flak": 2}}
    answer = api.call("bombing_odds", {**asked, "meetings": [{"interceptors": 2}]}, dice=[4, 3, 5, 2, 6, 5, 1, 1])
    assert f"{answer['quantities']['brps_lost']['expected']:.1f} BRPs lost on the average" in words
    assert "Strength of the target 4" in words and "Defenders lost" in words and "Escorts lost" in words
    assert f"{answer['resolved']['brps_lost']} BRPs lost of {answer['resolved']['damage']} damage" in words


def test_raiders_are_answered_as_the_api_does(server: Server) -> None:
    words = plain(page_of(server, "raiders", **GROUP, name1="Bismarck", hunters="1 cruiser", dice="1 66"))
    asked: dict[str, Any] = {"box": "Atlantic", "transports": 30, "hunters": {"cruiser": 1}}
    asked["groups"] = [{"name": "Bismarck", "ships": 2, "factors": 8}]
    answer = api.call("raider_odds", asked, dice=[1, 6, 6])
    free = Fraction(answer["quantities"]["groups_engaged"]["chances"]["0"]["exact"])
    assert f"{float(100 * free):.1f}% chance that nobody engages the group" in words
    assert "Ships that engage Bismarck" in words and "SR-44" in words
    assert f"{answer['resolved']['transports_sunk']} transports sunk by groups that nobody met." in words


# -- what is asked ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "nation", "there", "not_there"),
    [
        (
            "Atlantic",
            "Germany",
            {"us_war", "ireland", "port_0", "port_1", "port_2", "advanced"},
            {"port_3", "others", "elsewhere"},
        ),
        ("Indian Ocean", "Germany", {"advanced", "others", "others_asw"}, {"us_war", "ireland", "port_0", "port_3"}),
        ("Indian Ocean", "Japan", {"port_3", "others"}, {"advanced", "us_war", "port_4"}),
        ("Pacific", "Japan", {"port_4"}, {"port_3", "port_5", "others"}),
        ("Pacific", "United States", {"port_5"}, {"port_4", "us_war", "advanced"}),
    ],
)
def test_of_submarines_only_what_matters_is_asked(
    server: Server, box: str, nation: str, there: set[str], not_there: set[str]
) -> None:
    found = questions_shown(page_of(server, "submarines", **CONVOY, box=box, nation=nation))
    assert there | {"torpedo", "asw_research", "cves", "cards", "enemy_cards"} <= found and not not_there & found


def test_an_attacker_who_cannot_be_there_gives_way_to_the_usual_one(server: Server) -> None:
    text = page_of(server, "submarines", **CONVOY, box="Pacific", nation="Germany", us_war="1", port_0="1")
    assert "Japan" in text and ">Germany<" not in text  # not offered either
    assert "Germany" not in address(text)
    assert "happy time" not in plain(text) and "Brest" not in plain(text)


def test_follow_up_questions_come_with_their_answers(server: Server) -> None:
    assert "us_back" in questions_shown(page_of(server, "submarines", **CONVOY, us_war="2"))
    assert "us_back" not in questions_shown(page_of(server, "submarines", **CONVOY, us_war="3"))
    japan = {"box": "Pacific", "nation": "Japan"}
    assert "elsewhere" in questions_shown(page_of(server, "submarines", **CONVOY, **japan, turn="Spring 1943"))


def test_of_a_raid_only_what_matters_is_asked(server: Server) -> None:
    plain_hex = questions_shown(page_of(server, "bombing", **RAID))
    assert {"city", "flak", "value", "burnt", "radar", "defender"} <= plain_hex
    assert not {"country", "secondary", "russian_base", "unescorted1"} & plain_hex
    assert "unescorted1" in questions_shown(page_of(server, "bombing", **RAID, interceptors=1))
    box = questions_shown(page_of(server, "bombing", **{**RAID, "target": "Urals box"}))
    assert "russian_base" in box and not {"city", "flak", "value", "burnt"} & box
    other = questions_shown(page_of(server, "bombing", **{**RAID, "target": "another target", "country": "Japan"}))
    assert {"country", "secondary"} <= other
    china = questions_shown(page_of(server, "bombing", **{**RAID, "target": "Chungking"}))
    assert not {"air_defense", "burnt"} & china
    nobody = questions_shown(page_of(server, "bombing", **{k: v for k, v in RAID.items() if not k.startswith("met")}))
    assert not {"radar", "defender", "drm", "winter"} & nobody


def test_of_raiders_only_what_matters_is_asked(server: Server) -> None:
    atlantic = questions_shown(page_of(server, "raiders", **GROUP))
    assert {"us_war", "factors1", "drm"} <= atlantic and not {"squadrons", "singapore", "southern_edge"} & atlantic
    assert {"squadrons", "singapore"} <= questions_shown(
        page_of(server, "raiders", **GROUP, box="Indian Ocean", nation="Japan")
    )
    pacific = {"box": "Pacific", "nation": "Japan"}
    found = questions_shown(page_of(server, "raiders", **GROUP, **pacific))
    assert "southern_edge" in found and "squadrons" not in found
    assert {"southern_edge", "squadrons"} <= questions_shown(
        page_of(server, "raiders", **GROUP, **pacific, southern_edge=1)
    )
    assert not {"factors1", "drm"} & questions_shown(page_of(server, "raiders", ships1=1))


def test_rows_are_added_and_removed_by_their_buttons(server: Server) -> None:
    more = page_of(server, "raiders", **GROUP, name1="A", add=1)
    assert {"ships2", "factors2"} <= questions_shown(more) and "Remove group 2" in more
    left = page_of(server, "raiders", **GROUP, name1="A", ships2=3, name2="B", remove=1)
    assert "ships2" not in questions_shown(left) and "Ships that engage B" in plain(left)
    assert "Remove" not in left  # the last group stays
    none = page_of(server, "bombing", **RAID, remove=1)
    assert "met_aaf1" not in questions_shown(none) and "Bombers that arrive" not in plain(none)
    full = page_of(server, "bombing", **RAID, met_jets2="", met_jets3="", add=1)
    assert (
        "met_jets3" in questions_shown(full)
        and "met_jets4" not in questions_shown(full)
        and 'value="1" disabled' in full
    )


# -- addresses and refusals -------------------------------------------------------------------------


@pytest.mark.parametrize("key", CALCULATORS)
def test_the_address_says_all_that_counts_and_leads_to_the_same_answer(server: Server, key: str) -> None:
    text = page_of(server, key, **SAID[key], strange="1", others="2")
    short = address(text)
    assert "strange" not in short and "others" not in short
    said = {name: values[0] for name, values in parse_qs(urlsplit(short).query).items()}
    assert {name: str(value) for name, value in SAID[key].items()} == said
    assert plain(page_of(server, key, **said)) == plain(text)


def test_an_empty_row_is_kept_by_the_address(server: Server) -> None:
    assert "met_interceptors2=" in address(page_of(server, "bombing", **RAID, add=1))


@pytest.mark.parametrize(
    ("key", "said", "why"),
    [
        ("submarines", {**CONVOY, "submarines": "many"}, "Submarines that fight: 'many' will not do"),
        ("submarines", {**CONVOY, "air_range": "4"}, "Air range results, attacker: '4' will not do"),
        ("submarines", {**CONVOY, "drm": "1x"}, "'1x' will not do; give a number from -99 to 99"),
        ("submarines", {**CONVOY, "box": "Baltic"}, "SW box: there is no 'Baltic'"),
        ("submarines", {**CONVOY, "turn": "1942"}, "Turn: there is no '1942'"),
        ("bombing", {**RAID, "distance": ""}, "say how many hexes off the target is"),
        ("bombing", {**RAID, "distance": "12"}, "26.31 : strategic bomber: 12 hexes is more than its range of 8"),
        ("bombing", {**RAID, "met_jets1": "-1"}, "Meeting 1, jets: '-1' will not do"),
        (
            "bombing",
            {**RAID, "nation": "Germany", "target": "Atlantic U.S. box"},
            "the U.S. boxes take three air range results",
        ),
        ("bombing", {**RAID, "bombers": "0"}, "26.42 : nothing here bombs"),
        ("raiders", {**GROUP, "factors1": "x"}, "Group 1, fire factors: 'x' will not do"),
        ("raiders", {**GROUP, "hunters": "2 yachts"}, "'yacht' is no kind of hunter"),
        ("raiders", {**GROUP, "ships1": "7"}, "Ships: there is no '7'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(server: Server, key: str, said: dict[str, Any], why: str) -> None:
    words = plain(page_of(server, key, **said))
    assert words.startswith('" tabindex="-1">') or "This cannot be worked out yet" in words
    assert why in words


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        ("9", "'9' is not a die"),
        ("4", "Submarines of Germany: 2 dice, and 1 is given"),
        ("4352111", "The dice 1 1 1 are"),
    ],
)
def test_dice_that_do_not_fit_leave_the_chances_standing(server: Server, dice: str, why: str) -> None:
    words = plain(page_of(server, "submarines", **CONVOY, dice=dice))
    assert why in words and "transports sunk on the average" in words


def test_what_is_typed_is_shown_as_text(server: Server) -> None:
    evil = "<script>alert(1)</script>"
    for key, said in (("raiders", {**GROUP, "name1": evil}), ("submarines", {**CONVOY, "dice": evil, "turn": evil})):
        text = page_of(server, key, **said)
        assert "<script>alert" not in text and "&lt;script&gt;" in text


def test_every_field_is_read_and_every_field_can_matter() -> None:
    for made, forms in zip(
        CALCULATORS.values(),
        (
            [
                {"box": box, "nation": nation, "us_war": "1", "turn": "Spring 1943"}
                for box, nation in (
                    ("Atlantic", "Germany"),
                    ("Indian Ocean", "Japan"),
                    ("Pacific", "Japan"),
                    ("Pacific", "United States"),
                )
            ],
            [{"target": target, "aaf": "3"} for target in ("German objective", "Urals box", "another target")],
            [
                {"box": box, "nation": nation, "transports": "9", "southern_edge": "1"}
                for box, nation in (("Atlantic", "Germany"), ("Indian Ocean", "Japan"), ("Pacific", "Japan"))
            ],
        ),
        strict=True,
    ):
        can = frozenset().union(*(made.matters(said, 1) for said in forms))
        assert can == {field.name for field in made.fields(1)}, made.key
    assert strategic_calculators.CALCULATORS == CALCULATORS
    assert submarine_form.PORTS and bombing_form.MEETINGS.most == 3 and raider_form.GROUPS.least == 1


# -- in a browser -----------------------------------------------------------------------------------


def test_the_pages_answer_at_once_and_by_keyboard(people: Any) -> None:
    page = people()
    page.goto("/strategic/submarines")
    before = page.inner_text("#answer .headline b")
    page.fill("#submarines", "12")
    expect(page.locator("#answer .headline b")).not_to_have_text(before)
    assert page.evaluate("document.activeElement.id") == "submarines" and "submarines=12" in page.url
    page.select_option("#box", "Pacific")
    page.wait_for_selector("#part-port_5", state="visible")
    assert page.locator("#part-us_war").is_hidden() and page.input_value("#nation") == "United States"
    page.click("nav.tabs >> text=Raiders")
    page.focus("[name=add]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#ships2")
    assert page.evaluate("document.activeElement.id") == "ships2"
    page.fill("#dice", "6")
    page.wait_for_selector("text=What came of the dice")
    page.set_viewport_size({"width": 390, "height": 844})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.emulate_media(color_scheme="dark")
    assert violations(page, runOnly=["color-contrast"]) == []
    page.goto("/strategic/bombing?bombers=6&distance=20")
    page.wait_for_selector("#answer .refused")
    assert violations(page, runOnly=["color-contrast", "label"]) == []
