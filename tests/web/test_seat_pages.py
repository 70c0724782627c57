"""Joining and seats in a real browser: without script, both seats at one screen, signing out."""

from __future__ import annotations

import os
import re
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import violations

CODE = re.compile(r"^([A-Z0-9]{5}-){3}[A-Z0-9]{5}$")
SHOTS = os.environ.get("SHOTS", "")  # a folder for pictures, if somebody wants to look


def new_game(address: str, **wanted: Any) -> dict[str, Any]:
    body = {"scenario": "denmark-strait", "axis": "person", "allies": "person"} | wanted
    answer = httpx.post(f"{address}/api/games", json=body, headers={"origin": address})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def fine(page: Page, what: str) -> None:
    """Nothing keeps anybody from reading the page, and it does not scroll sideways on a phone."""
    if SHOTS:
        for scheme in ("light", "dark"):
            for width in (1400, 390):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 900})
                page.screenshot(path=f"{SHOTS}/{what}-{scheme}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
    assert violations(page) == [], what
    page.set_viewport_size({"width": 1400, "height": 900})


def test_a_seat_is_claimed_in_a_browser_without_scripts(address: str, browser: Browser) -> None:
    link = new_game(address)["invitations"]["allies"]
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(link)
    page.get_by_label("The link, or its code").fill(link)
    page.get_by_label("Your name").fill("Holland")
    page.get_by_role("button", name="Claim the seat").click()
    expect(page.get_by_role("heading", name="The seat is yours")).to_be_visible()
    expect(page.locator("#recovery-1")).to_have_text(CODE)
    assert all(link.partition("#")[2] not in url.partition("#")[0] for url in sent), "never in an address"
    page.goto("/join")
    page.get_by_label("The link, or its code").fill(link)
    page.get_by_role("button", name="Claim the seat").click()
    expect(page.get_by_role("alert")).to_contain_text("has been used")
    context.close()


def test_two_people_at_one_screen_sit_down_with_one_click_and_get_up_again(address: str, browser: Browser) -> None:
    told = new_game(address, hot_seat=True, referee=True)
    context = browser.new_context(base_url=address, reduced_motion="reduce")  # no button is caught while it fades in
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(told["hot_seat"])
    expect(page.get_by_text("two people at one screen")).to_be_visible()
    fine(page, "join-both")
    page.get_by_role("button", name="Claim the seat").click()
    expect(page.get_by_role("heading", name="Both seats are yours")).to_be_focused()
    expect(page.locator("#recovery-shown")).to_have_value(CODE)
    expect(page.locator("#recovery-shown-2")).to_have_value(CODE)
    fine(page, "joined-both")
    assert {cookie["name"].rpartition("-")[2] for cookie in context.cookies()} == {"axis", "allies"}

    page.goto(f"/games/{told['game']}/seats?as=host#{told['invitations']['host'].partition('#')[2]}")
    page.get_by_role("button", name="Act as host").click()
    expect(page.get_by_text("You are the host.")).to_be_visible()
    page.get_by_label("Give a seat to somebody else").select_option("referee")
    page.get_by_role("button", name="Make a new invitation").click()
    expect(page.locator("#host-notes")).to_contain_text("The host has seated somebody new as referee")
    expect(page.locator("#seat-rows")).to_contain_text("Referee, who sees everything")
    fine(page, "seats-host")

    page.goto(f"/games/{told['game']}/seats?as=allies")
    expect(page.locator("#which")).to_contain_text("You sit for Britain")
    expect(page.locator("#device-rows")).to_contain_text("(this one)")
    page.get_by_label("Add a device").fill("my phone")
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#device-rows li")).to_have_count(2)
    fine(page, "seats-player")
    page.get_by_role("button", name="Lock out all others").click()
    expect(page.locator("#device-rows")).to_contain_text("locked out")
    page.get_by_role("button", name="Sign out of this browser").click()
    expect(page.get_by_text("Without your recovery code")).to_be_visible()
    page.get_by_role("button", name="Sure? Sign out").click()
    page.wait_for_url("**/")
    assert {cookie["name"].rpartition("-")[2] for cookie in context.cookies()} == {"axis", "host"}
    page.goto(f"/games/{told['game']}/seats?as=allies")
    expect(page.locator("#which")).to_contain_text("You sit for Germany")
    context.close()
    assert wrong == []
