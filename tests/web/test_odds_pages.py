"""Odds in a real browser: the panel beside a decision, and the page of its own; by keyboard, at phone width, with axe."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from flagplot.web.odds_jobs import OddsJobs
from tests.web.browsing import PHONE, SERVED, WIDE, fine, violations

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


def test_advice_beside_a_decision(people: People, address: str) -> None:
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
    page.close()  # whoever leaves says so, and is fought for no longer
    until = time.monotonic() + 4  # sooner than a question nobody looks at is given up
    mine = [job for job in jobs.jobs.values() if job.whose == "allies"]
    while not all(job.given_up for job in mine):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_game_made_without_odds_says_so(people: People) -> None:
    page = seated(people(), odds=False)
    expect(page.locator(".head .facts").first).to_contain_text("odds off")
    page.click("#odds-open")
    expect(page.locator("#odds-why")).to_contain_text("switched off in this game")
    expect(page.locator("#odds-belief-fold")).to_be_hidden()


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
    expect(page.locator("#whose")).to_contain_text("knows it", timeout=FIRST)
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
    expect(page.locator("#difference")).not_to_be_empty(timeout=FIRST)
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
