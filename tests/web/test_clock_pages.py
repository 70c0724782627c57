"""Clocks and notices on their pages, in a real browser: chosen at set-up, shown in game and lobby, refused in words."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.web.browsing import PHONE, checked, fine
from tests.web.test_orders_page import ask


def seated(address: str, **wanted: Any) -> tuple[str, dict[str, str]]:
    made = ask(address, "/api/games", {"scenario": "midway", "axis": "person", "allies": "person", **wanted})
    tokens = {
        seat: ask(address, "/api/claim", {"token": made["invitations"][seat].partition("#")[2]})["token"]
        for seat in ("axis", "allies")
    }
    return made["game"], tokens


def sit(page: Page, address: str, game: str, seat: str, token: str) -> None:
    page.context.add_cookies([{"name": f"seat-{game}-{seat}", "value": token, "url": address}])


def test_a_clock_is_chosen_when_a_game_is_made(people: Any, address: str) -> None:
    page: Page = people()
    page.goto("/new?scenario=denmark-strait")
    checked(page)
    expect(page.get_by_label("Grace after that")).to_be_hidden()
    page.get_by_label("Clock", exact=True).select_option("an answer a day")
    page.get_by_label("When time has run out").select_option("lose")
    page.get_by_label("Answers reach the other side").select_option("post")
    fine(page, "set-up with a clock", "#time")
    page.locator('input[name="axis"][value="person"]').check()
    page.get_by_role("button", name="Create the game").click()
    page.get_by_role("button", name="Start: I play", exact=False).first.click()
    page.get_by_label("I have written it down", exact=False).check()
    page.get_by_role("button", name="Go to the battle").click()
    expect(page.locator(".facts.clock")).to_contain_text("Played by post")
    expect(page.locator(".facts.clock")).to_contain_text("an answer a day")
    page.get_by_role("link", name="Clock", exact=True).click()
    expect(page.locator("#h-terms + ul")).to_contain_text("the game is closed: whoever has no time left loses it")
    expect(page.locator("main")).to_contain_text("played by post")


def test_clocks_are_paused_by_agreement_and_vacations_taken(people: Any, address: str) -> None:
    game, tokens = seated(address, clock={"answer_hours": 24, "when_out": "admiral"})
    axis, allies = people(), people(viewport=PHONE)
    sit(axis, address, game, "axis", tokens["axis"])
    sit(allies, address, game, "allies", tokens["allies"])
    axis.goto("/")
    expect(axis.locator(".games")).to_contain_text("your decision, 1 day left")
    axis.goto(f"/games/{game}/clock")
    expect(axis.locator("#mine")).to_have_text("You have 1 day for this answer, then 3 days in reserve.")
    axis.get_by_role("button", name="Ask for a pause").click()
    expect(axis.locator("#mine")).to_contain_text("You have asked")
    allies.goto(f"/games/{game}")
    expect(allies.locator(".facts.clock")).to_contain_text("asks for a pause")
    allies.get_by_role("link", name="About the clock").click()
    allies.get_by_role("button", name="Agree to the pause", exact=False).click()
    expect(allies.locator("#mine")).to_contain_text("Both clocks stand")
    axis.get_by_role("button", name="Ask for no pause after all").click()  # too late: a refusal in words
    expect(axis.locator("#say")).to_contain_text("Nobody asks for a pause.")
    axis.reload()
    axis.get_by_role("button", name="Let both clocks run again").click()
    expect(axis.locator("#mine")).to_contain_text("You have 1 day")
    axis.get_by_role("button", name="Go on vacation").click()
    expect(axis.locator("#mine")).to_contain_text("you are on vacation")
    axis.get_by_role("button", name="I am back from vacation").click()
    axis.get_by_role("button", name="Agree that the admiral answers", exact=False).click()
    expect(axis.locator("#figures")).to_contain_text("has not agreed yet")
    fine(axis, "the clock")
    fine(allies, "the clock by phone")


def test_an_answer_by_post_waits_on_the_page_and_is_taken_back(people: Any, address: str) -> None:
    game, tokens = seated(address, release="post")
    page: Page = people()
    sit(page, address, game, "axis", tokens["axis"])
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator("#question")).to_contain_text("opens at the next full quarter hour")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name="Commit")).to_be_visible()


def test_notices_are_kept_tested_and_removed_and_the_last_error_is_shown(people: Any, address: str) -> None:
    game, tokens = seated(address)
    page: Page = people()
    sit(page, address, game, "axis", tokens["axis"])
    page.goto(f"/games/{game}")
    page.get_by_role("link", name="Notices").click()
    expect(page.locator('[data-kind="mail"]')).to_contain_text("sends no mail")
    hook = page.locator('[data-kind="hook"]')
    expect(hook.locator(".state")).to_have_text("Nothing is sent.")
    page.get_by_label("Address of the webhook").fill("http://127.0.0.1/hook")
    hook.get_by_role("button", name="Keep").click()
    expect(page.locator("#say")).to_contain_text("begins with https://")
    page.get_by_label("Address of the webhook").fill("https://127.0.0.1/hook")
    hook.get_by_role("button", name="Keep").click()
    expect(hook.locator(".state")).to_have_text("Notices go to https://127.0.0.1/…")
    hook.get_by_role("button", name="Send a test").click()
    expect(hook.locator(".last")).to_contain_text("The last try failed")
    expect(hook.locator(".last")).to_contain_text("it could not be delivered")
    fine(page, "notices")
    hook.get_by_role("button", name="Remove").click()
    expect(hook.locator(".state")).to_have_text("Nothing is sent.")
