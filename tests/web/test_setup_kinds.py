"""Setting up attacks from the air and operations: every field has its place, and nothing is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from flagplot.core.sides import Side
from flagplot.editions.options import OPTIONS
from flagplot.scenarios.loader import parse_scenario, scenario_text
from flagplot.web.setup_outline import options, outline, read
from flagplot.web.setup_text import Change, changed
from tests.web.browsing import PHONE, checked, fine

RAIDS = ("force-z", "taranto", "pearl-harbor", "grand-harbour", "excess")
OPERATIONS = tuple(f"operation-{name}" for name in ("coral-sea", "malta", "midway", "norwegian-sea", "rendezvous"))


@pytest.mark.parametrize("name", [*RAIDS, *OPERATIONS])
def test_whatever_is_changed_everything_else_stays(name: str) -> None:
    text = scenario_text(name).decode()
    told = read(text)["outline"]
    places: list[tuple[str | int, ...]] = [("title",)]
    places += [("port", "flak"), ("port", "name")] if told["port"]["name"] else []
    places += [("sea", "margin")] if told["sea"]["map"] else []
    for side in ("axis", "allies"):
        for key in ("force", "air_base", "base", "port", "activity"):
            listed = told["sides"][side][{"force": "forces", "activity": "activities"}.get(key, f"{key}s")]
            places += [(side, key, n, "name") for n in range(len(listed))]
    for path in places:
        value: Any = 4 if path[-1] in ("flak", "margin") else "Another name"
        new = changed(text, [Change(path, value)])
        was, now = text.split("\n"), new.split("\n")
        assert sum(line not in was for line in now) == 1, path  # one line is another
        assert sum(line not in now for line in was) <= 1, path
    assert parse_scenario(changed(text, [Change(("title",), "Another")]), "x").setup.sides == parse_scenario(text, "x").setup.sides  # fmt: skip


def test_what_only_an_operation_has_is_in_the_outline() -> None:
    told = read(scenario_text("operation-malta").decode())["outline"]
    axis = told["sides"]["axis"]
    assert told["battle"]["mover"] == "axis" and told["phases"] == ["combat"] and told["sea"]["map"] == "europe"
    assert [port["name"] for port in axis["ports"]] == ["Taranto", "Palermo", "Naples"]
    assert axis["activities"][0]["forces"] == ["Invasion force"] and axis["activities"][0]["returns"]
    assert axis["boats"] == [{"port": "Naples", "at": "", "patrol": "", "submarines": {"Italy": 2}, "line": axis["boats"][0]["line"]}]  # fmt: skip
    for wrong in (
        {"sea": 3, "phases": 2, "port": []},
        {"axis": {"port": 1, "boats": [3], "activity": [{"forces": 1}]}},
    ):
        assert outline(wrong, {})["sea"]["map"] == ""


def test_the_torpedo_result_Japan_began_with_is_shown_and_can_be_taken_away() -> None:
    """25.632: without a word of research Japan has one; a field set to nothing is written, not left out."""
    text = scenario_text("java-sea").decode()
    told = read(text)["outline"]["sides"]
    begun = {side: told[side]["begun_research"] for side in ("axis", "allies")}
    assert begun == {"axis": {"torpedo": 1}, "allies": {}} and told["axis"]["research"] == {}
    without = changed(text, [Change(("axis", "research", "torpedo"), 0)])
    assert read(without)["outline"]["sides"]["axis"]["research"] == {"torpedo": 0}
    assert parse_scenario(without, "x").setup.public.air[Side.AXIS].research == {}


def test_rulings_on_interception_stand_apart() -> None:
    apart = [each["name"] for each in options() if each["operations"]]
    assert len(apart) == 14 and "return_spotting" in apart and "failed_submarine_joins" in apart
    together = [name for name in OPTIONS if name not in apart]
    assert {"damaged_ship_sinks_on", "surplus_groups_inverted", "naval_air_bonus_at_sea"} <= set(together)


# -- in a browser ------------------------------------------------------------------------------------------


def test_a_port_is_attacked_and_its_fields_come_and_go(people: Any) -> None:
    page = people()
    page.goto("/new?scenario=grand-harbour")
    checked(page)
    text = page.locator("#text")
    before = text.input_value()
    expect(page.get_by_label("Who attacks")).to_have_value("axis")
    expect(page.get_by_label("Begins in round")).to_be_hidden()
    group = page.get_by_role("group", name="The port under attack")
    expect(group.get_by_label("Its name")).to_have_value("Valletta")
    expect(group.get_by_label("Works")).to_have_value("fortress")
    group.get_by_label("Objectives").fill("1")
    group.get_by_label("Objectives").press("Enter")
    expect(text).to_have_value(re.compile(r"^objectives = 1$", re.M))
    group.get_by_label("Objectives").fill("0")
    group.get_by_label("Objectives").press("Enter")
    expect(text).to_have_value(before)
    page.locator("#kind").select_option("naval battle")
    expect(group).to_be_hidden()
    expect(text).not_to_have_value(re.compile(r"\[port\]"))
    page.locator("#kind").select_option("port attack")
    expect(group.get_by_label("Its name")).to_have_value("Alexandria")  # the first base of those who are attacked
    page.locator("#rulings summary").click()
    expect(page.get_by_role("group", name="Whether naval air has +1")).to_be_visible()
    expect(page.get_by_text("Whether inverted ships may counter-intercept")).to_be_hidden()


def test_an_operation_is_copied_changed_mustered_and_begun(people: Any) -> None:
    page = people()
    page.goto("/new")
    checked(page)
    page.get_by_label("Begin with").select_option("operation-malta")
    text = page.locator("#text")
    expect(text).to_have_value(re.compile("Invade Malta"))
    expect(page.get_by_label("Who intercepts")).to_be_hidden()
    page.get_by_label("Title").fill("Our Malta")
    page.get_by_label("Title").press("Enter")
    page.get_by_label("movement", exact=True).check()
    expect(text).to_have_value(re.compile(r'^phases = \["movement", "combat"\]$', re.M))
    page.get_by_label("Interception cards Britain").fill("1")
    page.get_by_label("Interception cards Britain").press("Enter")
    expect(text).to_have_value(re.compile(r"interception_cards = \{ allies = 1 \}"))
    axis = page.get_by_role("region", name="Axis: Italy")
    card = axis.get_by_role("article", name="Force Invasion force")
    card.get_by_label("Force", exact=True).fill("Landing force")
    card.get_by_label("Force", exact=True).press("Enter")
    expect(text).to_have_value(re.compile(r'^forces = \["Landing force"\]$', re.M))  # the activity follows
    axis.get_by_text("Activities (2)").click()
    activity = axis.get_by_role("article", name="Activity Bombard Malta")
    activity.get_by_label("Battle fleet").check()
    expect(text).to_have_value(re.compile(r'^forces = \["Battle fleet"\]$', re.M))
    activity.get_by_label("To a port or hex").fill("Berlin")
    activity.get_by_label("To a port or hex").press("Enter")
    expect(page.locator("#verdict code")).to_have_text("22.12")
    expect(page.locator("#verdict")).to_contain_text(re.compile(r"Line \d+: "))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#verdict")).to_contain_text("can be played")
    page.locator("#rulings summary").click()
    page.get_by_role("group", name="Whether inverted ships may counter-intercept").get_by_label("uncommitted").check()
    expect(text).to_have_value(re.compile('counter_interceptors_inverted = "allowed"'))
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine(page, "an operation", "#fleets .axis")
    setup = parse_scenario(text.input_value(), "x").setup
    assert setup.public.title == "Our Malta" and setup.public.kind == "operation"

    page.get_by_label("two people, one screen").check()
    page.get_by_label("each person musters").check()
    expect(page.locator("#verdict")).to_contain_text("Italy and Britain will muster")
    page.get_by_role("button", name="Create the game").click()
    page.get_by_role("button", name="Start here").click()
    page.get_by_label("I have written them down").check()
    page.get_by_role("button", name="Go and muster").click()
    expect(page.get_by_role("heading", name="Muster Italy")).to_be_visible()
    expect(page.locator("#facts")).to_contain_text("Italy moves, Britain intercepts")
    expect(page.locator("#rights")).to_contain_text("yours: Taranto, Palermo, Naples")
    checked(page)
    assert "Warspite" not in page.content() and "port]]" not in text.input_value()
    page.get_by_text("Ports (3)").click()
    expect(page.get_by_text("The host has settled them")).to_be_visible()
    page.get_by_role("article", name="Force Battle fleet").get_by_label("At first").select_option("offensive")
    expect(text).to_have_value(re.compile(r'^at = "Taranto"$', re.M))
    page.get_by_role("button", name="Undo").click()
    expect(text).not_to_have_value(re.compile(r"^at = ", re.M))
    page.get_by_role("button", name="I am ready").click()
    page.get_by_role("button", name="I am Britain").click()
    checked(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_url(re.compile(r"/games/[\w-]+\?as=allies$"))
    assert setup.sides[Side.AXIS].stations is not None
