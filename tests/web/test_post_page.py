"""Playing over days, in real browsers: what is new, drafts on two devices, turn files by phone, orders by choosing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from flagplot.play.correspondence import Reply, read_turn, reply_file
from tests.web.browsing import PHONE, fine
from tests.web.test_orders_page import ask
from tests.web.test_post import Clock
from tests.web.visitors import new_id


def new_game(address: str, scenario: str = "midway", **more: str) -> tuple[str, dict[str, str]]:
    """A game between two people, and their tokens."""
    made = ask(address, "/api/games", {"scenario": scenario, "axis": "person", "allies": "person", **more})
    claimed = {
        seat: ask(address, "/api/claim", {"token": link.partition("#")[2]})["token"]
        for seat, link in made["invitations"].items()
    }
    return made["game"], claimed


def sit(page: Page, address: str, game: str, seat: str, token: str) -> Page:
    page.context.add_cookies([{"name": f"seat-{game}-{seat}", "value": token, "url": address}])
    return page


def commit(page: Page) -> None:
    """Give the orders that stand there, and wait until they are given."""
    before = page.locator("#board").get_attribute("data-seen")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator("#board")).not_to_have_attribute("data-seen", before or "")


def test_two_people_who_are_never_awake_together(people: Any, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    game, tokens = new_game(address)
    pages = {seat: sit(people(), address, game, seat, tokens[seat]) for seat in ("axis", "allies")}
    shown = 0
    assert (
        ask(address, f"/api/games/{game}/desk/reminder", {"hours": 15}, tokens["axis"])["reminder"]["seconds"] == 54000
    )
    for number in range(5):  # each comes, answers what he is asked, and goes; hours later the other one does
        for seat, page in pages.items():
            with page.expect_response("**/looked*"):
                page.goto(f"/games/{game}")
            if page.locator("#catch-up").is_visible():
                expect(page.locator("#catch-up h2")).to_contain_text("Since you last looked, 7 hours ago")
                expect(page.locator("#catch-up li").first).to_be_visible()
                if not shown:
                    fine(page, "what is new", "#catch-up")
                page.get_by_role("button", name="Close", exact=True).first.click()
                expect(page.locator("#catch-up")).to_be_hidden()
                shown += 1
            if seat == "axis" and number == 3:
                expect(page.locator("#reminded")).to_contain_text("You wanted to be reminded of this game now.")
                page.get_by_role("button", name="Thank you").click()
                expect(page.locator("#reminded")).to_be_hidden()
            if not page.get_by_role("button", name="Commit").is_hidden():
                commit(page)
                with page.expect_response("**/looked*"):
                    page.reload()
            page.goto("about:blank")
            clock.hours(7 if seat == "allies" else 0)
    assert shown >= 2
    view = ask(address, f"/api/games/{game}", token=tokens["axis"])
    assert int(view["version"].split(".")[2]) >= 4


def test_a_draft_goes_on_at_another_device(people: Any, address: str) -> None:
    game, tokens = new_game(address)
    for number in range(2):
        for seat in ("axis", "allies"):
            asked = ask(address, f"/api/games/{game}", token=tokens[seat])["question"]
            told = {"id": f"by-hand-{seat}-{number}", "question": asked["number"], "answer": asked["form"]["default"]}
            ask(address, f"/api/games/{game}/answers", told, tokens[seat])
    page = sit(people(), address, game, "axis", tokens["axis"])
    page.goto(f"/games/{game}")
    page.locator("#typed").fill("1=3")
    with page.expect_response("**/desk/draft*") as kept:
        page.locator("#typed").press("Enter")
    assert kept.value.ok
    drafted = ask(address, f"/api/games/{game}/desk", token=tokens["axis"])["draft"]["answer"]
    page.reload()
    expect(page.locator("#say")).to_contain_text("Your draft was kept")
    added = ask(address, f"/api/games/{game}/devices", {"name": "phone"}, tokens["axis"])["token"]
    phone = sit(people(viewport=PHONE), address, game, "axis", added)
    phone.goto(f"/games/{game}")
    expect(phone.locator("#say")).to_contain_text("Your draft was kept")
    expect(phone.locator("#verdict")).to_have_text("Legal.")
    commit(phone)
    assert ask(address, f"/api/games/{game}/desk", token=tokens["axis"])["draft"] is None
    asked = ask(address, f"/api/games/{game}", token=tokens["allies"])["question"]
    told = {"id": "by-hand-allies-2", "question": asked["number"], "answer": asked["form"]["default"]}
    ask(address, f"/api/games/{game}/answers", told, tokens["allies"])
    groups = ask(address, f"/api/games/{game}", token=tokens["axis"])["sides"]["axis"]["groups"]
    assert {group["number"] for group in groups} == {int(number) for cells in drafted.values() for number in cells}
    assert 3 in {group["number"] for group in groups}


def test_a_turn_file_is_taken_and_sent_back_by_phone(people: Any, address: str, tmp_path: Path) -> None:
    game, tokens = new_game(address, allies="admiral")
    page: Page = sit(people(viewport=PHONE), address, game, "axis", tokens["axis"])
    page.goto(f"/games/{game}")
    page.get_by_role("link", name="Turn files").click()
    expect(page.locator("main")).to_contain_text("The host is the referee of such a game and could look")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the turn file").click()
    assert download.value.suggested_filename.endswith("-axis-1.turn") or "-axis-" in download.value.suggested_filename
    turn = read_turn(download.value.path().read_text("utf-8"))
    assert turn.question is not None and turn.decision is not None
    reply = reply_file(turn.head, Reply(id=new_id(), question=turn.question.number, answer=turn.decision.form.default))
    (tmp_path / "a.reply").write_text(reply, "utf-8")
    page.get_by_role("button", name="Hand it in").click()
    expect(page.locator("#taken")).to_contain_text("Choose the reply, or paste its text")
    page.get_by_label("The reply, as a file").set_input_files(tmp_path / "a.reply")
    page.get_by_role("button", name="Hand it in").click()
    expect(page.locator("#taken")).to_contain_text(f"Taken: {turn.head.called}")
    offered = page.get_by_role("link", name="Download the turn file")
    expect(offered).not_to_have_attribute(
        "download", download.value.suggested_filename
    )  # the next turn, by its own name
    expect(page.locator("#turn code").first).to_have_text(f"flagplot answer {offered.get_attribute('download')}")
    page.get_by_label("or its text").fill(reply)
    page.get_by_role("button", name="Hand it in").click()
    expect(page.locator("#taken")).to_contain_text("had been taken already")
    page.get_by_label("or its text").fill(reply.replace('"id":"', '"id":"x'))
    page.get_by_role("button", name="Hand it in").click()
    expect(page.locator("#taken")).to_contain_text("This file is old")
    page.get_by_label("Answers ahead, one a line").fill("dance: yes")
    page.get_by_role("button", name="Keep these answers").click()
    expect(page.locator("#ahead-said")).to_contain_text("Line 1")
    page.get_by_label("Answers ahead, one a line").fill("withdraw: stay")
    page.get_by_role("button", name="Keep these answers").click()
    expect(page.locator("#ahead-said")).to_have_text("Kept.")
    with page.expect_response("**/desk/notepad*"):
        page.get_by_label("Your notepad").fill("watch CG3")
    page.get_by_label("Remind me of this game in").select_option("a day")
    page.get_by_role("button", name="Remind me").click()
    expect(page.locator("#reminder")).to_contain_text("You will be reminded in ")
    fine(page, "by post")
    page.reload()
    expect(page.get_by_label("Your notepad")).to_have_value("watch CG3")
    expect(page.get_by_label("Answers ahead, one a line")).to_have_value("withdraw: stay")
    page.get_by_role("button", name="No reminder").click()
    expect(page.locator("#reminder")).to_have_text("There is no reminder.")


def test_an_order_is_made_by_choosing(people: Any, address: str) -> None:
    game, tokens = new_game(address)
    page: Page = sit(people(viewport=PHONE), address, game, "axis", tokens["axis"])
    page.goto(f"/games/{game}/orders")
    page.get_by_text("Add an order by choosing").click()
    page.get_by_label("When I am asked").select_option("withdraw")
    page.get_by_label("nobody: ask me").check()
    page.get_by_label("Fact", exact=True).select_option("round")
    page.get_by_label("Comparison").select_option("at most")
    page.get_by_label("Value").fill("2")
    expect(page.locator("#made-line")).to_have_text("withdraw: ask if round at most 2")
    page.get_by_role("button", name="Add this line").click()
    page.get_by_label("Fact", exact=True).select_option("")
    page.get_by_label("the doctrine").check()
    page.get_by_role("button", name="Add this line").click()
    page.get_by_label("When I am asked").select_option("evade")
    page.get_by_label("The fixed answer").select_option("fight")
    page.get_by_role("button", name="Add this line").click()
    written = page.get_by_label("Standing orders, one a line")
    expect(written).to_have_value("withdraw: ask if round at most 2\nwithdraw: doctrine\nevade: fight\n")
    expect(page.locator("#verdict")).to_contain_text("These orders can be read")
    fine(page, "orders by choosing", "#maker")
    page.get_by_role("button", name="Keep these orders").click()
    expect(page.locator("#state")).to_contain_text("answer for you")
