"""Standing orders on their page, in a real browser: reached from the game, by phone, refused by line, kept, paused."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.browsing import PHONE, fine


def ask(address: str, path: str, body: Any = None, token: str = "") -> Any:
    """Ask the server as a program would."""
    headers = {"content-type": "application/json", "origin": address}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers), timeout=20) as told:
        return json.load(told)


def test_orders_are_written_kept_and_paused_by_phone(people: Any, address: str) -> None:
    made = ask(address, "/api/games", {"scenario": "midway", "axis": "person", "allies": "person"})
    game = made["game"]
    axis, allies = (
        ask(address, "/api/claim", {"token": made["invitations"][seat].partition("#")[2]})["token"]
        for seat in ("axis", "allies")
    )
    page: Page = people(viewport=PHONE)
    page.context.add_cookies([{"name": f"seat-{game}-axis", "value": axis, "url": address}])
    page.goto(f"/games/{game}")
    page.get_by_role("link", name="Standing orders").click()
    expect(page.locator("#state")).to_contain_text("every question waits for you")
    expect(page.locator("details[open] > summary")).to_have_text("Of a battle")
    page.get_by_label("Standing orders, one a line").fill("strengthen: default\nsplit: defalt if it rains\n")
    expect(page.locator("#verdict")).to_contain_text("Line 2: ")
    expect(page.locator("#gutter b")).to_have_text("✕ 2")
    page.get_by_role("button", name="Keep these orders").click()
    expect(page.locator("#state")).to_contain_text("every question waits for you")  # nothing was kept
    page.get_by_text("Begin from an example").click()
    page.get_by_role("button", name="Use “battle”").click()
    expect(page.locator("#verdict")).to_contain_text("They are not kept yet")
    page.get_by_role("button", name="Keep these orders").click()
    expect(page.locator("#state")).to_contain_text("answer for you")
    expect(page.locator("#given li")).to_have_count(1)
    for number in range(3):
        asked = ask(address, f"/api/games/{game}", token=allies)["question"]
        told = {"id": f"program-{number}", "question": asked["number"], "answer": asked["form"]["default"]}
        assert ask(address, f"/api/games/{game}/answers", told, allies)["ok"]
    page.reload()
    expect(page.locator("#given li").first).to_contain_text("patrol: doctrine")
    fine(page, "standing orders")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#state")).to_contain_text("paused: you paused them")
    page.goto(f"/games/{game}")
    page.get_by_role("link", name="Standing orders (paused)").click()
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("#state")).to_contain_text("answer for you")
    page.get_by_role("button", name="Remove them").click()
    expect(page.locator("#state")).to_contain_text("You have no standing orders")
