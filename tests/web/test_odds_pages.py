"""Odds in a real browser: the panel beside a decision, and the page of its own; by keyboard, at phone width, with axe."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from flagplot.web.odds_jobs import OddsJobs
from tests.web.browsing import PHONE, SERVED, WIDE, checked, fine, violations

FIRST = 150_000  # milliseconds until a first answer at the latest: where nothing is compiled yet, that comes first
People = Callable[..., Page]


def seated(page: Page, **wanted: object) -> Page:
    """A game against the admiral, its page open."""
    page.goto("/help")
    body = {"scenario": "midway", "order_of_battle": "hidden", "axis": "admiral", "allies": "person", **wanted}
    game = page.evaluate(
        """async (body) => {
          const post = async (path, body) => (await fetch(path, {method: "POST", headers: {"content-type": "application/json"},
            body: JSON.stringify(body)})).json();
          const made = await post("/api/games", body);
          await post("/api/claim", {token: made.invitations.allies.split("#")[1]});
          return made.game;
        }""",
        body,
    )
    page.goto(f"/games/{game}")
    expect(page.locator("#commit")).to_be_visible()
    return page


def to_the_search(page: Page) -> None:
    """Orders as they are offered, until the groups are formed and air is allocated."""
    for _ in range(12):
        asked = page.get_attribute("#board", "data-question")
        if json.loads(asked or "null")["kind"].startswith("search") or "search" in page.inner_text("#question").lower():
            return
        page.click("#commit")
        expect(page.locator("#board")).not_to_have_attribute("data-question", asked or "")


def test_the_panel_beside_a_decision(people: People) -> None:
    page = seated(people())
    expect(page.locator("#odds-open")).to_have_attribute("aria-expanded", "false")
    page.click("#odds-open")
    expect(page.locator("#odds-why")).to_contain_text("not formed yet")
    expect(page.locator("#odds-answer")).to_be_hidden()
    page.keyboard.press("Escape")  # the focus is on the button: it closes from inside only
    page.click("#odds-close")
    expect(page.locator("#odds-panel")).to_be_hidden()
    expect(page.locator("#odds-open")).to_be_focused()
    to_the_search(page)
    page.keyboard.press("d")
    expect(page.locator("#odds-win tbody tr")).to_have_count(2, timeout=FIRST)
    expect(page.locator("#odds-said")).to_contain_text("United States wins")
    expect(page.locator("#odds-battles")).to_contain_text("battles")
    expect(page.locator("#odds-fates-own tbody tr").first).to_contain_text("Enterprise")
    expect(page.locator("#odds-costs-own")).to_contain_text("factors sunk")
    assert violations(page, "#odds-panel") == []
    assert page.get_attribute("#odds-said", "role") == "status"
    _what_if(page)
    _belief(page)
    page.click("#odds-copy")
    assert page.evaluate("navigator.clipboard.readText()").startswith("Midway, June 1942: ")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("document.getElementById('odds-body').scrollWidth") <= PHONE["width"]
    assert violations(page, "#odds-panel") == []
    page.set_viewport_size(WIDE)
    _closes(page)


def _what_if(page: Page) -> None:
    """Leaving a line out shows what it changes."""
    line = page.locator("#odds-lines label", has_text="radar").locator("input")
    line.focus()
    page.keyboard.press("Space")
    expect(page.locator("#odds-difference tbody tr")).to_have_count(4, timeout=FIRST)
    expect(page.locator("#odds-difference thead")).to_contain_text("without")
    expect(line).to_be_focused()  # what is renewed takes no focus away
    page.keyboard.press("Space")
    expect(page.locator("#odds-difference tbody tr")).to_have_count(0, timeout=FIRST)


def _belief(page: Page) -> None:
    """A belief can be argued with; what cannot be is refused beside it, and what was written stays."""
    page.click("#odds-belief-fold summary")
    belief = page.locator("#odds-belief")
    usual = belief.input_value()
    assert usual.startswith("[[group]]")
    expect(page.locator("#odds-reset")).to_be_disabled()
    belief.fill("[[group]]\nnumber = 1\nbattleships = 2\n")
    expect(page.locator("#odds-refused")).to_contain_text("line 3", timeout=FIRST)
    expect(belief).to_have_value("[[group]]\nnumber = 1\nbattleships = 2\n")
    belief.fill(usual.replace("ships = [", 'ships = ["Yamato", ', 1))
    expect(page.locator("#odds-holds")).to_contain_text("Yamato", timeout=FIRST)
    expect(page.locator("#odds-refused")).to_be_hidden()
    expect(page.locator("#odds-believed")).to_have_text("changed by you")
    page.click("#odds-reset")
    expect(page.locator("#odds-holds")).not_to_contain_text("Yamato", timeout=FIRST)
    expect(belief).to_have_value(usual)


def _closes(page: Page) -> None:
    """Closed, it asks no more; the battle goes on, and so does the panel when it is opened again."""
    page.locator("#odds-body").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#odds-panel")).to_be_hidden()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/odds") else None)
    page.wait_for_timeout(1000)
    assert asked == []
    page.fill("#typed", "odds")
    page.keyboard.press("Enter")
    expect(page.locator("#odds-panel")).to_be_visible()
    before = page.get_attribute("#board", "data-seen")
    page.click("#commit")
    expect(page.locator("#board")).not_to_have_attribute("data-seen", before or "")
    expect(page.locator("#odds-answer")).not_to_have_class("stale", timeout=FIRST)
    assert len(asked) >= 2


def test_advice_beside_a_decision(people: People, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = seated(people(), scenario="java-sea")
    expect(page.locator("#advice-open")).to_be_visible()
    page.keyboard.press("v")
    expect(page.locator("#advice-on")).to_have_text("on the numbers of groups, from what you know")
    expect(page.locator("#advice-worth")).not_to_be_empty(timeout=FIRST)
    page.check("input[name=advice-value][value=factors]")
    expect(page.locator("#advice-choices tbody tr").first).to_contain_text("CG", timeout=FIRST)
    expect(page.locator("#advice-worth")).to_contain_text("factors to the", timeout=FIRST)
    expect(page.locator("#advice-holds li")).not_to_have_count(0)
    assert page.get_attribute("#advice-said", "role") == "status"
    assert violations(page, "#advice-panel") == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.getElementById('advice-body').scrollWidth") <= PHONE["width"]
    page.set_viewport_size(WIDE)
    gone: list[str] = []
    page.on("request", lambda request: gone.append(request.url) if request.url.endswith("/odds/stop") else None)
    page.click("#odds-open")  # one at a time
    expect(page.locator("#advice-panel")).to_be_hidden()
    expect(page.locator("#advice-open")).to_have_attribute("aria-expanded", "false")
    assert len(gone) == 1
    page.click("#advice-open")
    page.click("#advice-belief-fold summary")
    page.fill("#advice-belief", "nonsense")
    expect(page.locator("#advice-refused")).to_contain_text("TOML", timeout=FIRST)
    page.click("#advice-reset")
    expect(page.locator("#advice-refused")).to_be_hidden(timeout=FIRST)
    jobs: OddsJobs = SERVED[address].state.odds
    told: list[Hashable] = []
    monkeypatch.setattr(jobs, "stop", told.append)
    page.close()  # whoever leaves says so (and is fought for no longer: test_advice.py)
    until = time.monotonic() + 30
    while not told:
        assert time.monotonic() < until, "nobody said that the page was closed"
        time.sleep(0.02)


def test_a_choice_that_is_pressed_fills_itself_in(people: People) -> None:
    """Nothing is sent by it; whoever lets chance decide has that filled in, too."""
    page = seated(people(), scenario="java-sea")
    page.click("#advice-open")
    page.check("input[name=advice-value][value=factors]")
    choice = page.locator(".advice-choices button").last
    expect(choice).to_be_visible(timeout=FIRST)
    choice.focus()
    fought = page.inner_text("#advice-battles")
    expect(page.locator("#advice-battles")).not_to_have_text(fought)
    assert page.evaluate("document.activeElement.className") == "take"  # what is renewed takes no focus away
    chosen = page.evaluate("document.activeElement.textContent")
    with page.expect_request(lambda request: request.url.endswith("/check")) as sent:
        page.keyboard.press("Enter")
    numbers = {name: next(iter(places)) for name, places in sent.value.post_data_json["answer"].items()}
    assert {f"CG{number} {name}" for name, number in numbers.items()} == set(chosen.split(", "))
    expect(page.locator("#verdict")).to_have_text("Legal.")
    expect(page.locator("#board")).to_have_attribute(
        "data-question", page.get_attribute("#board", "data-question") or ""
    )
    assert violations(page, "#advice-panel") == []


def test_what_is_believed_beside_the_odds_is_believed_beside_the_advice(people: People) -> None:
    page = seated(people())
    page.click("#commit")  # the numbers
    expect(page.locator("#question")).to_contain_text("patrol")
    page.click("#odds-open")
    expect(page.locator("#odds-win tbody tr").first).to_be_visible(timeout=FIRST)
    page.click("#odds-belief-fold summary")
    page.fill("#odds-belief", page.input_value("#odds-belief").replace("ships = [", 'ships = ["Yamato", ', 1))
    expect(page.locator("#odds-holds")).to_contain_text("Yamato", timeout=FIRST)
    page.click("#doctrine-own summary")
    page.fill("#own-patrol", "1")
    with page.expect_request(lambda request: request.url.endswith("/advice")) as asked:
        page.click("#advice-open")
    assert "Yamato" in asked.value.post_data_json["belief"] and asked.value.post_data_json["own"] == {"patrol": 1}
    expect(page.locator("#advice-holds")).to_contain_text("Yamato", timeout=FIRST)
    expect(page.locator("#advice-doctrines")).to_contain_text("you have set")
    page.click("#advice-belief-fold summary")
    page.click("#advice-reset")
    expect(page.locator("#advice-holds")).not_to_contain_text("Yamato", timeout=FIRST)
    page.click("#odds-open")  # and the other way
    expect(page.locator("#odds-holds")).not_to_contain_text("Yamato", timeout=FIRST)


def test_more_is_folded_away_beside_a_decision(people: People) -> None:
    """Curves with their table, both sides together, rounds, and what stands behind the dice: nothing scrolls sideways."""
    page = seated(people())
    to_the_search(page)
    page.click("#odds-open")
    expect(page.locator("#odds-win tbody tr").first).to_be_visible(timeout=FIRST)
    for fold in page.locator("#odds-answer details").all():
        fold.evaluate("fold => { fold.open = true; }")
    expect(page.locator("#odds-curves svg.odds-curves")).to_be_visible()
    expect(page.locator("#odds-curves table")).to_be_visible()
    expect(page.locator("#odds-joint")).to_contain_text("United States: factors sunk")
    expect(page.locator("#odds-rounds tbody tr").first).to_be_visible()
    expect(page.locator("#odds-behind")).to_contain_text("Search in round 1")
    expect(page.locator("#odds-behind a[href='/rules/22.451']").first).to_be_visible()
    assert violations(page, "#odds-panel") == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.getElementById('odds-body').scrollWidth") <= PHONE["width"]
    page.set_viewport_size(WIDE)


def test_a_game_made_without_odds_says_so(people: People) -> None:
    page = seated(people(), odds=False)
    expect(page.locator(".head .facts").first).to_contain_text("odds off")
    page.click("#odds-open")
    expect(page.locator("#odds-why")).to_contain_text("switched off in this game")
    expect(page.locator("#odds-belief-fold")).to_be_hidden()
    expect(page.locator("#odds-how")).to_be_hidden()


def test_odds_are_switched_off_at_the_set_up(people: People) -> None:
    page = people()
    page.goto("/new?scenario=denmark-strait")
    expect(page.locator("#verdict b")).to_be_visible()
    page.uncheck("#give-odds")
    with page.expect_request(lambda request: request.url.endswith("/api/games")) as made:
        page.click("#create")
    sent: dict[str, Any] = made.value.post_data_json
    assert sent["odds"] is False
    expect(page.locator("#made")).to_be_visible()


def test_the_page_of_odds(people: People) -> None:
    page = people()
    page.goto("/odds")
    expect(page.locator("#nothing")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/odds") else None)
    page.wait_for_timeout(300)
    assert asked == []  # nothing is fought before somebody wants it
    page.select_option("#scenario", "coral-sea")
    expect(page.locator("#win tbody tr").first).to_be_visible(timeout=FIRST)
    expect(page.locator("#title")).to_contain_text("Coral Sea")
    expect(page.locator("#joint td").first).to_be_attached()
    expect(page.locator("#rounds tbody tr").first).to_be_visible()
    page.check("input[name=side][value=allies]")
    expect(page.locator("#whose")).to_contain_text("as the Allies know it", timeout=FIRST)
    page.click("#doctrine-own summary")
    page.fill("#own-patrol", "0")
    page.keyboard.press("Tab")
    expect(page.locator("#doctrine-own [data-changed]")).to_have_text("1 changed by you")
    page.locator("#lines input").first.check()
    address = page.evaluate("location.search")
    assert (
        "scenario=coral-sea" in address
        and "side=allies" in address
        and "own.patrol=0" in address
        and "without=" in address
    )
    expect(page.locator("#difference tbody tr").first).to_be_visible(timeout=FIRST)
    with page.expect_download() as kept:
        page.click("#json")
    told = json.loads(kept.value.path().read_text())
    assert told["doctrines"]["allies"]["patrol"] == 0 and kept.value.suggested_filename == "odds-coral-sea.json"
    with page.expect_download() as drawn:
        page.click("#svg")
    assert drawn.value.path().read_text().startswith("<svg ")
    page.click("#link")
    link = page.evaluate("navigator.clipboard.readText()")
    fine(page, "the page of odds")
    page.goto("/help")  # whoever leaves asks no more
    seen = len(asked)
    page.wait_for_timeout(900)
    assert len(asked) == seen
    other = people()
    other.goto(link)
    expect(other.locator("#told")).to_be_visible(timeout=FIRST)
    assert other.input_value("#scenario") == "coral-sea" and other.input_value("#own-patrol") == "0"
    assert other.locator("#lines input:checked").count() == 1


def test_odds_of_a_battle_one_has_set_up(people: People) -> None:
    """As it comes with the game, by its name; changed, by a link of its own, which can be sent; not if it cannot be played."""
    page = people()
    page.goto("/new?scenario=denmark-strait")
    checked(page)
    with page.expect_popup() as opened:
        page.click("#odds")
    expect(opened.value.locator("#title")).to_contain_text("Denmark Strait", timeout=FIRST)
    assert "scenario=denmark-strait" in opened.value.url
    page.fill("#title", "The Faroes")
    page.keyboard.press("Tab")
    expect(page.locator("#verdict")).to_contain_text("The Faroes can be played")
    with page.expect_popup() as opened:
        page.click("#odds")
    mine = opened.value
    expect(mine.locator("#title")).to_have_text("The Faroes", timeout=FIRST)
    mine.check("input[name=side][value=axis]")
    expect(mine.locator("#whose")).to_contain_text("Germany knows it", timeout=FIRST)
    assert "setup=" in mine.url and "side=axis" in mine.url
    other = people()
    other.goto(mine.url)
    expect(other.locator("#title")).to_have_text("The Faroes", timeout=FIRST)
    page.fill("#text", page.input_value("#text").replace('"Bismarck"', '"Bismark"'))
    page.click("#odds")
    expect(page.locator("#say")).to_contain_text("cannot be played yet")


def test_odds_by_the_rules_of_2008_say_so(people: People) -> None:
    page = people()
    page.goto("/odds?scenario=river-plate&edition=2008&option.germany_drm_2008=3&width=10")
    expect(page.locator("#by-rules")).to_contain_text("Edition 2008, option germany_drm_2008 = 3.", timeout=FIRST)
    expect(page.locator("#by-rules")).to_contain_text("each battle is fought rule by rule")
    assert page.input_value("#option-germany_drm_2008") == "3"
    with page.expect_request(lambda request: request.url.endswith("/api/odds")) as asked:
        page.select_option("#edition", "current")
    assert asked.value.post_data_json["options"] == {}  # the ruling belongs to 2008, and is not put any more
    expect(page.locator("#by-rules")).to_contain_text("Edition current, no option changed.", timeout=FIRST)


@pytest.mark.parametrize("said", ["scenario=midway&side=allies&belief=nonsense", "scenario=midway&without=luck"])
def test_an_address_that_cannot_be_is_answered_in_a_sentence(people: People, said: str) -> None:
    page = people()
    page.goto(f"/odds?{said}")
    expect(page.locator("#refused")).to_be_visible(timeout=FIRST)
    assert len(page.inner_text("#refused")) > 20


def test_an_address_that_cannot_be_can_be_put_right(people: People) -> None:
    """A belief stands where it can be changed; a battle that is not there is not taken for another one; a line that is not
    there is forgotten."""
    page = people()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/odds") else None)
    page.goto("/odds?scenario=nowhere&side=allies")
    expect(page.locator("#refused")).to_contain_text("no battle called “nowhere”")
    page.wait_for_timeout(300)
    assert asked == []
    page.goto("/odds?scenario=midway&side=allies&belief=nonsense")
    expect(page.locator("#refused")).to_contain_text("TOML", timeout=FIRST)
    expect(page.locator("#belief")).to_have_value("nonsense")
    page.click("#belief-reset")
    expect(page.locator("#told")).to_be_visible(timeout=FIRST)
    expect(page.locator("#refused")).to_be_hidden()
    page.goto("/odds?scenario=midway&without=luck&width=10")
    expect(page.locator("#refused")).to_contain_text("no line 'luck'", timeout=FIRST)
    page.locator("#lines label", has_text="radar").locator("input").check()
    expect(page.locator("#difference tbody tr")).to_have_count(4, timeout=FIRST)


def test_who_chooses_nothing_has_a_naval_battle_with_two_sides_to_ask(people: People) -> None:
    page = people()
    page.goto("/odds")
    expect(page.locator("#scenario option:checked")).to_have_attribute("data-kind", "naval battle")
    expect(page.locator("input[name=side][value=axis]")).to_be_enabled()
    expect(page.locator("#one-sided")).to_be_hidden()


def test_a_number_that_is_none_is_refused_beside_it(people: People) -> None:
    """Neither cut to one that is, nor refused out of sight: until it is put right the admiral's is taken, and that is said."""
    page = people()
    sent: list[Any] = []
    page.on("request", lambda each: sent.append(each.post_data_json) if each.url.endswith("/api/odds") else None)
    page.goto("/odds?scenario=midway&side=allies&own.patrol=99999&width=10")
    wrong = page.locator("#own-patrol-wrong")
    expect(wrong).to_have_text("A whole number from 0 to 10,000, please: until then it is 2.")
    expect(wrong).to_be_visible()
    for written in ("1.7", "-1"):
        page.fill("#own-patrol", written)
        page.keyboard.press("Tab")
        expect(page.locator("#own-patrol")).to_have_attribute("aria-invalid", "true")
    page.fill("#seed", "-5")
    page.keyboard.press("Tab")
    expect(page.locator("#seed-wrong")).to_contain_text("until then it is 0")
    expect(page.locator("#told")).to_be_visible(timeout=FIRST)
    assert all(each["own"] == {} and each["seed"] == 0 for each in sent)
    fine(page, "numbers that are none")
    page.fill("#seed", "7")
    with page.expect_request(
        lambda each: each.url.endswith("/api/odds") and each.post_data_json["own"] == {"patrol": 1}
    ) as asked:
        page.fill("#own-patrol", "1")
        page.keyboard.press("Tab")
    assert asked.value.post_data_json["seed"] == 7
    expect(wrong).to_have_count(0)
    expect(page.locator("#own-patrol")).not_to_have_attribute("aria-invalid", "true")


def test_what_one_side_knows_is_told_of_naval_battles_alone(people: People) -> None:
    page = people()
    page.goto("/odds?scenario=force-z&side=axis&width=10")
    expect(page.locator("#told")).to_be_visible(timeout=FIRST)
    expect(page.locator("input[name=side][value='']")).to_be_checked()
    expect(page.locator("input[name=side][value=axis]")).to_be_disabled()
    expect(page.locator("#one-sided")).to_contain_text("air attack")
    expect(page.locator("#win")).to_contain_text("has no victor")  # nor does anybody win nothing
    expect(page.locator("#win table")).to_have_count(0)
    page.select_option("#scenario", "midway")
    expect(page.locator("input[name=side][value=axis]")).to_be_enabled()
    expect(page.locator("#one-sided")).to_be_hidden()
    expect(page.locator("#behind")).to_contain_text("Naval air attacks", timeout=FIRST)
    expect(page.locator("#joint")).to_contain_text("United States: factors sunk")
