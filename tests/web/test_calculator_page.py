"""The interception calculator: numbers worked by hand from the table of 22.21, what it asks and refuses, and its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from flagplot import api
from flagplot.editions.options import OPTIONS
from flagplot.model.interception import ACTIVITIES
from flagplot.web import calculator_page
from tests.web.browsing import violations
from tests.web.visitors import Server, questions_shown, serving

CORAL_SEA = {"theatre": "Pacific", "activity": "seaborne invasion", "tfs": 1, "spotters": 3}
CORAL_SEA |= {"kind1": "loose", "name1": "Townsville", "hexes1": 5, "kind2": "TF", "name2": "Noumea", "hexes2": 12}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("calculator")) as running:
        yield running


def ask(server: Server, **said: Any) -> dict[str, Any]:
    said.setdefault("forces", [{"name": "TF", "distance": 10}])
    told = server.visitor().post("/api/interception", said)
    assert told.status_code == 200, told.text
    answer: dict[str, Any] = told.json()
    return answer


def rounds(force: dict[str, Any]) -> dict[str, Fraction]:
    found = {entry: Fraction(each["exact"]) for entry, each in force["rounds"].items()}
    return found | {"never": Fraction(force["never"]["exact"])}


def page_of(server: Server, **said: Any) -> str:
    told = server.visitor().get("/interception?" + urlencode(said))
    assert told.status_code == 200
    return told.text


# -- numbers worked by hand -------------------------------------------------------------------------


def test_a_sea_transport_with_a_task_force_is_sought_with_three_dice(server: Server) -> None:
    """Cargo 2, a TF 1. Half of all throws of three dice are 11 or more; 27 of 216 are 10."""
    force = ask(server, activity="sea transport", task_forces=1)["forces"][0]
    assert force["dice"] == 3
    assert [(line["rule"], line["amount"]) for line in force["lines"]] == [("22.22A", 2), ("22.22E", 1)]
    assert rounds(force) == {"1": Fraction(1, 2) + Fraction(27, 216), "never": Fraction(3, 8)}  # alone: nobody to join


def test_two_forces_and_a_patrol_in_the_coral_sea(server: Server) -> None:
    """2 + 1 + 3 - 1 = 5 dice each, halved. Townsville needs 9: C(8,5) = 56 throws of 7776 are less. Noumea needs 23, as
    likely as 12 or less: C(12,5) - 5 C(6,5) = 762 throws; it is a round late from 19, C(16,5) - 5 C(10,5) = 3108 throws,
    if the other is in time. A patrol four hexes off comes in round 2."""
    forces = [
        {"name": "Townsville", "kind": "loose", "distance": 5},
        {"name": "Noumea", "distance": 12},
        {"name": "patrol", "kind": "patrol", "distance": 4},
    ]
    told = ask(server, theatre="Pacific", activity="seaborne invasion", task_forces=1, spotters=3, forces=forces)
    near, far, patrol = told["forces"]
    assert (near["dice"], far["dice"]) == (5, 5)
    in_time, far_in_time = 1 - Fraction(56, 7776), Fraction(762, 7776)
    assert rounds(near)["1"] == in_time
    assert rounds(far)["1"] == far_in_time
    assert rounds(far)["2"] == Fraction(3108 - 762, 7776) * in_time
    assert Fraction(told["naval_combat"]["exact"]) == 1 - (1 - in_time) * (1 - far_in_time)
    assert rounds(patrol) == {"2": Fraction(1), "never": Fraction(0)}
    page = page_of(server, **CORAL_SEA, kind3="patrol", hexes3=4)
    for words in ("99.3%", "9.8%", "30.0%", "37.6%", "Townsville", "/rules/22.22K", "/rules/22.163C"):
        assert words in page


def test_every_line_of_the_table_and_its_limits(server: Server) -> None:
    """2 cargo, 1 cruisers, 2 TFs, 5 ground factors as 3, 4 squadrons as 3, 4 submarines as 3, 1 card: 15; slow 1 less."""
    forces = [{"name": "light", "light": True, "distance": 10}]
    said: dict[str, Any] = {"activity": "seaborne invasion", "task_forces": 2, "ground_factors": 5, "spotters": 4}
    said |= {"submarines": 4, "cards": 2, "enemy_cards": 1}
    assert ask(server, **said, forces=forces)["forces"][0]["dice"] == 15
    assert ask(server, **said, forces=[forces[0] | {"slow": True}])["forces"][0]["dice"] == 14
    submarine = ask(server, **said, forces=[{"name": "U", "kind": "submarine", "distance": 3}])["forces"][0]
    assert submarine["dice"] == 2 + 2 + 3 + 3 + 1 - 1


def test_a_counter_in_the_interception_hex_joins_late_even_alone(server: Server) -> None:
    """2 + 1 = 3 dice against 14 hexes in Europe: 14 or more is as likely as 7 or less, 35 of 216; 10 to 13 a round late."""
    said = {"level": "counter-interception", "place": "interception hex", "activity": "interception", "task_forces": 1}
    found = rounds(ask(server, **said, forces=[{"name": "TF", "distance": 14}])["forces"][0])
    assert found["1"] == Fraction(35, 216)
    assert found["2"] == Fraction(27 + 27 + 25 + 21, 216)
    assert found["never"] == 0


def test_magic_needs_no_dice_and_counts_as_nobody(server: Server) -> None:
    forces = [{"name": "Magic", "kind": "magic", "round": 1}, {"name": "TF", "distance": 12}]
    magic, force = ask(server, activity="patrol", task_forces=1, forces=forces)["forces"]
    assert magic["dice"] == 0
    assert rounds(magic) == {"1": Fraction(1), "never": Fraction(0)}
    assert "48.61" in magic["why"]
    assert force["dice"] == 1  # no attempt less for it
    assert rounds(force) == {
        "3": Fraction(1, 2),
        "4": Fraction(1, 2),
        "never": Fraction(0),
    }  # 4 to 8 short, then 9 to 11


def test_somebody_is_in_time_with_a_submarine_counted_too(server: Server) -> None:
    """Two TFs in sight: the ships roll 2 dice and need 8, 15 of 36; the submarine 1 die and needs 4, half of all."""
    forces = [{"name": "TF", "distance": 8}, {"name": "U", "kind": "submarine", "distance": 4}]
    told = ask(server, activity="base change", task_forces=2, forces=forces)
    assert Fraction(told["naval_combat"]["exact"]) == Fraction(15, 36)
    assert Fraction(told["anybody"]["exact"]) == 1 - Fraction(21, 36) * Fraction(1, 2)


def test_the_rules_that_are_cited_can_be_read(server: Server) -> None:
    said: dict[str, Any] = {"activity": "patrol", "stays": 1, "tfs": 2, "spotters": 1, "submarines": 1, "cards": 1}
    page = page_of(server, **said, theatre="Pacific", kind1="TF", hexes1=3, slow1=1, kind2="patrol", hexes2=4)
    page += page_of(server, level="counter-interception", place="interception hex", kind1="TF", hexes1=3)
    cited = set(re.findall(r'href="(/(?:rules|rulings)/[^"]+)"', page))
    old = {"edition": "2008", "kind1": "TF", "hexes1": 3, "slow1": 1, "spotters": 1, "small": 1}
    page_of_2008 = page_of(server, **old, activity="seaborne invasion", invades=1, kind2="patrol", hexes2=4)
    assert all(f"/rules/{number}" in page_of_2008 for number in ("22.231A", "22.231D", "22.232A", "22.232D"))
    cited |= set(re.findall(r'href="(/(?:rules|rulings)/[^"]+)"', page_of_2008))
    assert len(cited) > 15
    for address in cited:
        assert server.visitor().get(address).status_code == 200, address


def test_typed_dice_are_resolved(server: Server) -> None:
    """Two attempts: two dice each. 4 reaches 3 hexes; 3 is five short of 8, and that is two rounds more in Europe."""
    forces = [{"name": "A", "distance": 3, "dice": [3, 1]}, {"name": "B", "distance": 8, "dice": [2, 1]}]
    came = ask(server, activity="sea transport", task_forces=1, forces=forces)["resolved"]
    assert [came["forces"][name]["arrival_round"] for name in "AB"] == [1, 3]
    said = {"activity": "sea transport", "tfs": 1, "kind1": "TF", "hexes1": 3, "kind2": "TF", "hexes2": 8}
    page = page_of(server, **said, dice1="3 1", dice2="21")
    assert "<strong>round 1</strong>" in page
    assert "<strong>round 3</strong>" in page
    page = page_of(server, **said, dice1="1,1", dice2="2 1")
    assert page.count("<strong>does not come</strong>") == 2  # 2 of 3 hexes: nobody is in time
    assert "/rules/22.24A" in page
    assert "TF 2 rolls 2 dice" in page_of(server, **said, dice1="31")
    assert "type all 2" in page_of(server, **said, dice1="311", dice2="21")


# -- what is asked ----------------------------------------------------------------------------------


def test_only_what_matters_is_asked(server: Server) -> None:
    always = {"edition", "theatre", "level", "activity", "leg", "cargo", "tfs", "spotters", "submarines", "cards"}
    of_force = {"kind1", "name1", "hexes1", "slow1"}
    said = {"tfs": 1, "kind1": "TF", "hexes1": 10}
    assert questions_shown(page_of(server, activity="base change", **said)) == always | of_force | {"dice1"}
    assert questions_shown(page_of(server, activity="sea supply", **said)) - always - of_force == {"dice1", "light1"}
    assert {"ground", "light1"} <= questions_shown(page_of(server, activity="seaborne invasion", **said))
    assert "ground" not in questions_shown(page_of(server, activity="seaborne invasion", leg="home", **said))
    assert "stays" in questions_shown(page_of(server, activity="patrol", **said))
    assert "stays" not in questions_shown(page_of(server, activity="patrol", leg="home", **said))
    assert "enemy_cards" in questions_shown(page_of(server, cards=1, **said))
    counter = questions_shown(page_of(server, level="counter-interception", **said))
    assert "place" in counter
    assert not counter & {"activity", "leg", "cargo", "stays", "ground", "light1"}
    submarine = questions_shown(page_of(server, activity="sea supply", tfs=2, kind1="submarine", hexes1=3))
    assert not submarine & {"slow1", "light1", "submarines"}
    assert questions_shown(page_of(server, kind1="magic", round1=2)) == {
        *("edition", "theatre", "level", "kind1", "name1", "round1")
    }
    patrol = {"edition", "theatre", "kind1", "name1", "hexes1"}
    assert questions_shown(page_of(server, kind1="patrol", hexes1=6)) == patrol


# -- editions -----------------------------------------------------------------------------------------


def dice_of_2008(server: Server, **said: Any) -> tuple[int, dict[str, int]]:
    force = ask(server, edition="2008", **said)["forces"][0]
    return force["dice"], {line["rule"]: line["amount"] for line in force["lines"]}


def test_the_chart_of_2008_goes_by_activity(server: Server) -> None:
    """22.23: sea transport 4, whatever TFs; one more where an invasion lands; one less for slow ships, unless they have a
    carrier, and for fewer than ten factors; two less from a port that is not operational."""
    assert dice_of_2008(server, activity="sea transport", task_forces=3) == (4, {"22.23": 4})
    slow = {"name": "A", "distance": 5, "slow": True}
    assert dice_of_2008(server, activity="seaborne invasion", in_invasion_hex=True, forces=[slow])[0] == 4 + 1 - 1
    helped = [slow | {"carrier": True}]
    assert dice_of_2008(server, activity="seaborne invasion", in_invasion_hex=True, forces=helped)[0] == 4 + 1
    assert dice_of_2008(server, activity="sea supply", small=True)[1] == {"22.23": 4, "22.232D": -1}
    idle = [{"name": "A", "distance": 5, "idle": True}]
    assert dice_of_2008(server, activity="sea supply", forces=idle)[1] == {"22.23": 4, "22.232C": -2}
    counter = {"activity": "interception", "level": "counter-interception", "place": "interception hex"}
    assert dice_of_2008(server, **counter, against_us_transport=True)[0] == 1 + 2 + 3
    told = ask(server, edition="2008", forces=[{"name": "P", "kind": "patrol", "distance": 4}])
    assert rounds(told["forces"][0]) == {"never": Fraction(1)}  # it moves three hexes at most
    assert (told["edition"], told["options"]) == ("2008", {})


def test_the_page_asks_what_the_edition_asks_and_names_it(server: Server) -> None:
    said: dict[str, Any] = {"activity": "seaborne invasion", "tfs": 1, "ground": 2, "kind1": "TF", "hexes1": 10}
    assert "Edition current, no option changed." in page_of(server, **said)
    old = page_of(server, edition="2008", **said)
    assert "Edition 2008, no option changed." in old
    shown = questions_shown(old)
    assert {"edition", "small", "invades", "idle1", "slow1"} <= shown
    assert not shown & {"tfs", "ground", "light1", "carrier1", "us_box"}
    assert "carrier1" in questions_shown(page_of(server, edition="2008", slow1=1, **said))
    assert not questions_shown(page_of(server, **said)) & {"small", "invades", "idle1", "us_box"}
    many = {"spotters": 3, "submarines": 3, "invades": 1}
    assert "interception_dice_cap_2008" in questions_shown(page_of(server, edition="2008", **many, **said))
    assert "Why 8 dice?" in page_of(server, edition="2008", interception_dice_cap_2008="8", **many, **said)
    kept = old.partition('id="address"')[2].partition(">")[0]
    assert "edition=2008" in kept and "tfs" not in kept
    assert "there is no edition &#39;1999&#39;" in page_of(server, edition="1999", **said)


def test_an_answer_that_does_not_count_is_left_out_and_named(server: Server) -> None:
    page = page_of(server, activity="patrol", tfs=1, ground=2, kind1="TF", hexes1=3)
    assert "Left out:" in page
    assert "/rules/22.22F" in page
    assert "ground=2" not in page.partition('id="address"')[2].partition(">")[0]


def test_options_are_shown_where_they_matter(server: Server) -> None:
    said: dict[str, Any] = {"activity": "fast carrier mission", "tfs": 1, "kind1": "TF", "hexes1": 3}
    assert not questions_shown(page_of(server, **said)) & set(calculator_page.CHOICES)
    home = said | {"leg": "home", "spotters": 2}
    assert {"return_extra_dice", "return_spotting"} <= questions_shown(page_of(server, **home))
    assert "Why 3 dice?" in page_of(server, **home)
    assert "Why 5 dice?" in page_of(server, **home, return_extra_dice="all")
    assert "Why 1 die?" in page_of(server, **home, return_spotting="none")
    assert "failed_submarine_joins" in questions_shown(page_of(server, **said, kind2="submarine", hexes2=12))
    assert "zero_dice_declaration" in questions_shown(page_of(server, activity="base change", kind1="TF", hexes1=3))


def test_no_other_option_changes_an_answer() -> None:
    forces = [{"id": "A", "distance": 9}, {"id": "U", "kind": "submarine", "distance": 9}]
    for name in set(OPTIONS) - set(calculator_page.CHOICES):
        for activity in ACTIVITIES:
            asked = {"target": {"activity": activity, "task_forces": 2}, "forces": forces, "spotters": 2}
            for level in ({}, {"level": "counter-interception", "place": "interception hex"}):
                usual = api.call("intercept_odds", asked | level)
                for value in OPTIONS[name].values:
                    assert api.call("intercept_odds", asked | level, options={name: value}) == usual
    assert all([*OPTIONS[name].values] == [*values] for name, values in calculator_page.CHOICES.items())


def test_the_address_says_everything_and_nothing_else(server: Server) -> None:
    page = page_of(server, **CORAL_SEA, kind3="magic", round3=2, slow2=1, junk="x", dice1="12345")
    address = page.partition('id="address" href="')[2].partition('"')[0].replace("&amp;", "&")
    said = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
    wanted = {key: str(value) for key, value in CORAL_SEA.items()} | {"slow2": "1", "dice1": "12345"}
    assert said == wanted | {"kind3": "magic", "round3": "2"}
    again = server.visitor().get(address).text
    assert again.partition('id="answer"')[2] == page.partition('id="answer"')[2]


def test_forces_are_added_and_removed_by_buttons(server: Server) -> None:
    said = {"activity": "patrol", "tfs": 3, "kind1": "TF", "hexes1": 4, "kind2": "submarine", "hexes2": 5}
    assert 'name="kind3"' in page_of(server, **said, add=1)
    left = page_of(server, **said, remove=1)
    assert 'name="kind2"' not in left
    assert "Submarine 1" in left
    many = {f"kind{n}": "TF" for n in range(1, 11)} | {f"hexes{n}": 4 for n in range(1, 11)}
    assert 'name="kind11"' not in page_of(server, tfs=20, **many, add=1)


# -- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"hexes1": ""}, "TF 1: say how many hexes"),
        ({"hexes1": "-3"}, "not &#39;-3&#39;"),
        ({"tfs": "x"}, "TFs in the intercepted force: &#39;x&#39; will not do; give a whole number from 0 to 99"),
        ({"theatre": "Moon"}, "there are Europe, Pacific"),
        ({"activity": "tea"}, "there are sea supply, sea transport"),
        ({"dice1": "1 7 2"}, "each die is a number from 1 to 6"),
        ({"kind2": "TF", "hexes2": "4", "name1": "A", "name2": "A"}, "two forces are called"),
        ({"return_spotting": "often"}, "is not one of afresh, none"),
        ({"name1": "<b>x", "hexes1": ""}, "&lt;b&gt;x: say how many hexes"),
    ],
)
def test_bad_input_is_refused_in_words(server: Server, said: dict[str, str], words: str) -> None:
    page = page_of(server, **({"tfs": "1", "kind1": "TF", "hexes1": "9"} | said))
    assert 'class="refused"' in page
    assert words in page


def test_a_refusal_puts_no_other_questions(server: Server) -> None:
    said = {"activity": "patrol", "tfs": "1", "kind1": "TF", "hexes1": "3", "kind2": "magic"}
    for wrong in ({"hexes1": ""}, {"tfs": "x"}, {"return_spotting": "x"}, {"dice1": "9"}):
        assert questions_shown(page_of(server, **said)) - questions_shown(page_of(server, **said | wrong)) == {"dice1"}
        assert questions_shown(page_of(server, **said | wrong)) <= questions_shown(page_of(server, **said))
    assert {"ground", "place", "stays"} <= questions_shown(page_of(server, **said | {"theatre": "Moon"}))


def test_out_of_range_and_without_dice_are_said_with_the_rule(server: Server) -> None:
    page = page_of(server, activity="base change", kind1="TF", hexes1=41, kind2="TF", hexes2=3)
    assert "out of range" in page
    assert "no die is due" in page
    assert "/rules/22.24C" in page


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"ground_factors": 1}, "22.22F"),
        ({"place": "interception hex"}, "22.22C"),
        ({"staying": True}, "22.22B"),
        ({"activity": "tea"}, "there are sea supply"),
        ({"options": {"tea": "yes"}}, "there is no such option"),
        ({"forces": []}, "forces"),
        ({"forces": [{"name": "A", "distance": 1}] * 2}, "give each a name of its own"),
        ({"forces": [{"name": "A", "distance": 1, "dice": [1]}], "activity": "sea supply"}, "rolls 2 dice"),
        ({"tea": 1}, "tea"),
    ],
)
def test_the_api_refuses_in_words(server: Server, said: dict[str, Any], words: str) -> None:
    told = server.visitor().post("/api/interception", {"forces": [{"name": "TF", "distance": 3}]} | said)
    assert told.status_code == 422
    assert words in told.json()["refused"]


def test_the_api_is_described(server: Server) -> None:
    described = server.app.openapi()
    assert "/interception" not in described["paths"]
    operation = described["paths"]["/api/interception"]["post"]
    assert "22.2" in operation["description"]
    assert set(described["components"]["schemas"]["Told"]["properties"]) == {
        "edition",
        "options",
        "forces",
        "naval_combat",
        "anybody",
        "resolved",
    }


def test_help_and_the_lobby_lead_here(server: Server) -> None:
    for path in ("/", "/help"):
        assert 'href="/interception"' in server.visitor().get(path).text


# -- in a browser -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_the_page_answers_at_once_and_by_keyboard(browser: Any, address: str, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}/interception")
    told = page.locator("#headline")
    assert told.text_content() == "In round 1: 62.5% · TF 1: 3 dice"
    page.focus("#tfs")
    page.keyboard.type("2")  # behind the 1, or in its place
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    page.locator("#headline", has_text="4 dice").wait_for()
    assert page.evaluate("document.activeElement.id") == "tfs"
    assert "tfs=2" in page.url
    page.select_option("#activity", "patrol")
    page.wait_for_selector("#part-stays", state="visible")
    page.check("[name=stays]")
    page.locator("#headline", has_text="4 dice").wait_for()
    page.focus("#hexes1")
    page.keyboard.press("Enter")  # no force is removed by it
    page.focus("[name=add]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#kind2")
    assert page.evaluate("document.activeElement.id") == "kind2"
    page.select_option("#kind2", "magic")
    page.wait_for_selector("#part-hexes2", state="hidden")
    page.fill("#dice1", "6661")
    page.wait_for_selector("text=What came of the dice")
    assert "round 1" in page.inner_text(".came")
    address = page.url
    page.fill("#hexes1", "")
    page.wait_for_selector("#answer .refused")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.goto(address)  # as somebody else would open it
    assert page.input_value("#kind2") == "magic"
    assert page.inner_text(".came").count("round 1") == 2
    assert violations(page) == []
    page.click("[name=remove][value='1']")
    page.wait_for_selector("#kind2", state="detached")
    assert page.input_value("#kind1") == "magic"
    assert not troubles
    page.close()


def test_the_page_works_without_scripts(browser: Any, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/interception")
    page.click("[name=add]")
    page.fill("#hexes2", "3")
    page.fill("#name1", "Home Fleet")
    page.click(".by-hand")
    assert page.input_value("#name1") == "Home Fleet"
    assert "2 attempts at the same activity" in page.inner_text("#answer")
    context.close()
