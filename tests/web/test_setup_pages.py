"""Mustering, Warplanner files, battles taken up in mid-course and games for one screen, in real browsers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from flagplot.scenarios.loader import parse_scenario
from tests.scenarios.warplanner_files import SMALL
from tests.web.browsing import PHONE, application, checked, fine
from tests.web.visitors import OURS, TestClient


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "our-war.xml"
    path.write_text(SMALL)
    return path


def listening(page: Page) -> list[str]:
    """Everything that comes to a page from now on, as text."""
    heard: list[str] = []

    def note(answer: Response) -> None:
        if "/static/" not in answer.url and "/api/ships" not in answer.url:
            heard.append(f"{answer.url} {answer.headers} {answer.text() if answer.status < 300 else ''}")

    page.on("response", note)
    return heard


def claimed(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Claim the seat").click()
    page.get_by_label("I have written it down").check()
    page.get_by_role("button", name="Go to").click()


def test_two_people_muster_in_private_and_the_battle_begins(people: Any) -> None:
    host, guest = people(), people()
    host.goto("/new?scenario=midway")
    expect(host.locator("#verdict")).to_contain_text("can be played")
    host.get_by_label("Order of battle").select_option("open")
    expect(host.get_by_label("each person musters")).to_be_disabled()
    expect(host.locator("#muster-why")).to_contain_text("hidden order of battle")
    host.get_by_label("Order of battle").select_option("hidden")
    host.get_by_role("group", name="Axis: Japan").get_by_label("a person").check()
    host.get_by_label("each person musters").check()
    expect(host.locator("#verdict")).to_contain_text("Japan and United States will muster")
    host.get_by_role("button", name="Create the game").click()
    expect(host.locator("#made-title")).to_contain_text("begins when everybody who musters is ready")
    link = host.locator("#link-axis").input_value()
    host.get_by_role("button", name="Start: I play United States").click()
    host.get_by_label("I have written it down").check()
    host.get_by_role("button", name="Go and muster").click()
    expect(host.get_by_role("heading", name="Muster United States")).to_be_visible()
    heard = listening(host)

    # The guest: text with a mistake and its rule, the list by keyboard and by dragging, a count, cargo.
    claimed(guest, link)
    expect(guest.get_by_role("heading", name="Muster Japan")).to_be_visible()
    text = guest.locator("#text")
    expect(text).to_have_value(re.compile("First Carrier Striking Force"))
    text.fill('[axis]\n[[axis.force]]\nname = "Mine"\nships = ["Hood"]\n')
    expect(guest.locator("#verdict")).to_contain_text("Line 4: Britain is not among the nations of this side")
    expect(guest.locator("#verdict code")).to_have_text("22.112")
    guest.get_by_role("button", name="I am ready").click()
    expect(guest.locator("#say")).to_contain_text("will not do yet")
    text.fill('[axis]\n[[axis.force]]\nname = "Mine"\ndestroyers = 3\n')
    expect(guest.locator("#verdict")).to_contain_text("Your forces will do")
    guest.get_by_label("Add a ship to Mine").fill("Yamato")
    guest.keyboard.press("Enter")
    expect(text).to_have_value(re.compile(r'ships = \["Yamato"\]'))
    guest.get_by_role("searchbox", name="Search").fill("musash")
    card = guest.get_by_role("article", name="Force Mine")
    card.scroll_into_view_if_needed()
    guest.locator("#ship-list li").first.drag_to(card)
    expect(text).to_have_value(re.compile(r'ships = \["Yamato", "Musashi"\]'))
    guest.get_by_text("Cargo: none").click()
    guest.get_by_role("button", name="Add cargo to Mine").click()
    expect(text).to_have_value(re.compile(r'cargo = \[\{ name = "cargo 1", needs = 1 \}\]'))
    assert guest.locator("#fleets section").count() == 1  # of the other side there is nothing
    assert "Enterprise" not in guest.content() and "Task Force 16" not in guest.content()

    # Ready, opened again, ready: the host is told that and no more.
    guest.get_by_role("button", name="I am ready").click()
    expect(guest.get_by_role("heading", name="You are ready")).to_be_focused()
    fine(guest, "sealed")
    expect(host.locator('[data-state="axis"]')).to_have_text("✓ ready")
    guest.get_by_role("button", name="Open my muster again").click()
    expect(host.locator('[data-state="axis"]')).to_have_text("… not ready")
    guest.reload()
    expect(text).to_have_value(re.compile("Musashi"))  # what was entered is kept on the server
    guest.get_by_role("button", name="I am ready").click()
    expect(host.locator('[data-state="axis"]')).to_have_text("✓ ready")
    for told in (*heard, host.content()):
        assert not re.search("Yamato|Musashi|cargo 1|Mine", told), told[:200]
    host.get_by_role("button", name="I am ready").click()
    for page in (host, guest):
        page.wait_for_url(re.compile(r"/games/[\w-]+$"))
        expect(page.locator("body")).to_contain_text("Midway, June 1942")


def test_the_forces_of_a_warplanner_file_that_meet_are_picked(people: Any, game_file: Path) -> None:
    page = people()
    page.goto("/new")
    checked(page)
    page.set_input_files("#file", game_file)
    expect(page.get_by_role("heading", name="From our-war.xml")).to_be_focused()
    panel = page.locator("#warplanner")
    expect(panel).to_contain_text("A war of our own · Spring 1941 · Warplanner 3.1371")
    expect(panel).to_contain_text("is not known from such a file")
    expect(panel).to_contain_text("Prince of Wales (“Pr of Wales”), Hood")
    panel.get_by_text("counters could not be placed").click()
    expect(panel).to_contain_text("Repulse has 3 factors in our list, not 9")
    page.get_by_role("button", name="Put the chosen forces").click()
    expect(page.locator("#say")).to_contain_text("Choose a force first")
    panel.get_by_label("task force box 2, display 1").check()
    panel.get_by_label("hex B20, Europe").check()
    panel.get_by_label("task force box 1, display 2").check()
    page.get_by_role("button", name="Put the chosen forces").click()
    expect(page.locator("#say")).to_contain_text("does not say how far")
    panel.get_by_label("hexes from the battle").first.fill("3")
    fine(page, "a Warplanner file", "#warplanner")
    page.get_by_role("button", name="Put the chosen forces").click()
    expect(page.locator("#verdict")).to_contain_text("can be played")
    setup = parse_scenario(page.locator("#text").input_value(), "x").setup
    told = {
        side.value: [(force.name, force.factors) for force in secret.forces] for side, secret in setup.sides.items()
    }
    assert told == {"axis": [("Task force box 2, display 1", 10)], "allies": [("Task force box 1, display 2", 7)]}
    assert "submarines = { Germany = 3 }" in page.locator("#text").input_value()
    assert 'aircraft = { "Germany AAF" = 2 }' in page.locator("#text").input_value()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#text")).to_have_value(re.compile('name = "First force"'))

    # A file that is none is refused in words and changes nothing; a set-up's text is still opened as before.
    before = page.locator("#text").input_value()
    game_file.write_text("<!DOCTYPE game><game/>")
    page.set_input_files("#file", game_file)
    expect(page.locator("#say")).to_contain_text("DOCTYPE")
    assert page.locator("#text").input_value() == before
    game_file.write_text("# nothing\n" + before)
    page.set_input_files("#file", game_file)
    expect(page.locator("#text")).to_have_value("# nothing\n" + before)


def test_a_battle_is_taken_up_in_its_third_round_with_what_is_left(people: Any) -> None:
    page = people()
    page.goto("/new?scenario=denmark-strait")
    expect(page.locator("#verdict")).to_contain_text("can be played")
    text = page.locator("#text")
    assert page.get_by_label("Edition of the rules").locator("option").all_text_contents() == ["current", "2008"]
    page.get_by_label("Begins in round").fill("3")
    page.get_by_label("Begins in round").press("Enter")
    expect(text).to_have_value(re.compile(r"^round = 3$", re.M))
    page.get_by_label("Codebreaking Germany").fill("1")
    page.get_by_label("Codebreaking Germany").press("Enter")
    expect(text).to_have_value(re.compile(r"tactical = \{ axis = 1 \}"))
    page.get_by_label("Search advantage").select_option("axis")
    expect(text).to_have_value(re.compile('search_advantage = "axis"'))
    axis = page.get_by_role("region", name="Axis: Germany")
    axis.get_by_text("Bismarck", exact=True).click()
    axis.get_by_label("damaged", exact=True).first.check()
    expect(text).to_have_value(re.compile(r'\{ name = "Bismarck", damaged = true \}'))
    axis.get_by_text("Base, task force, other nations, remove").first.click()
    axis.get_by_label("inverted already").first.check()
    expect(text).to_have_value(re.compile(r"^inverted = true$", re.M))
    axis.get_by_text("Submarines (0)").click()
    axis.get_by_role("button", name="Add: Submarines that have attacked").click()
    expect(text).to_have_value(re.compile(r"submarines_spent = \{ Germany = 1 \}"))
    axis.get_by_label("excess ASW, Atlantic").fill("2")
    axis.get_by_label("excess ASW, Atlantic").press("Enter")
    expect(page.locator("#verdict code")).to_have_text("22.9415B")
    page.get_by_role("button", name="Undo").click()
    axis.get_by_text("Supply, oil and winter (0)").click()
    axis.get_by_role("group", name="Ships short of supply or oil").get_by_label("Germany").check()
    expect(text).to_have_value(re.compile(r'partial_supply_or_oil = \["Germany"\]'))
    expect(axis.get_by_text("Supply, oil and winter (1)")).to_be_visible()
    axis.get_by_text("Air bases (").click()
    axis.get_by_role("button", name="New air base").click()
    axis.get_by_role("button", name="Add aircraft to Airfield 1, inverted").click()
    expect(text).to_have_value(re.compile(r'inverted = \{ "Germany AAF" = 1 \}'))
    expect(page.locator("#verdict")).to_contain_text("can be played")
    setup = parse_scenario(text.input_value(), "x").setup
    assert setup.public.round == 3
    page.get_by_label("Begins in round").fill("1")
    page.get_by_label("Begins in round").press("Enter")
    expect(page.locator("#verdict code")).to_have_text("22.92")


def test_two_people_at_one_screen_muster_and_play(people: Any) -> None:
    page = people()
    page.goto("/new?scenario=midway")
    expect(page.locator("#verdict")).to_contain_text("can be played")
    page.get_by_label("two people, one screen").check()
    page.get_by_label("each person musters").check()
    page.get_by_label("a referee").check()
    page.get_by_label("spectators").check()
    page.get_by_label("see it later").fill("15")
    expect(page.get_by_role("group", name="Axis: Japan").get_by_label("a person")).to_be_disabled()
    page.get_by_role("button", name="Create the game").click()
    for label, who in {
        "Both seats, for one screen": "For the screen you share",
        "Invitation for the referee": "sees everything and decides nothing",
        "Host's link": "For you: it gives a seat anew",
        "Address for spectators": "15 minutes later",
    }.items():
        expect(page.get_by_role("button", name=f"Copy: {label}")).to_be_visible()
        expect(page.locator("#invitations")).to_contain_text(who)
    fine(page, "the game is made, for one screen")
    page.get_by_role("button", name="Start here").click()
    expect(page.get_by_role("textbox", name="Recovery code of Japan")).to_be_visible()
    expect(page.get_by_role("textbox", name="Recovery code of United States")).to_be_visible()
    page.get_by_label("I have written them down").check()
    page.get_by_role("button", name="Go and muster").click()
    expect(page.get_by_role("heading", name="Muster Japan")).to_be_visible()
    checked(page)
    page.get_by_role("button", name="I am ready").click()
    expect(page.get_by_role("heading", name="Pass the screen to United States")).to_be_focused()
    assert "Akagi" not in page.evaluate("document.querySelector('main').innerHTML")
    fine(page, "pass the screen")
    page.reload()
    expect(page.get_by_role("heading", name="Pass the screen to United States")).to_be_visible()
    page.get_by_role("button", name="I am United States").click()
    expect(page.get_by_role("heading", name="Muster United States")).to_be_visible()
    assert "Akagi" not in page.evaluate("document.querySelector('main').innerHTML")
    checked(page)
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_url(re.compile(r"/games/[\w-]+\?as=allies$"))


def test_the_muster_page_can_be_read_by_everyone_and_takes_its_own_side_of_a_file(people: Any, address: str, game_file: Path) -> None:  # fmt: skip
    page = people(color_scheme="light", reduced_motion="reduce")
    page.goto("/")
    made = page.evaluate(
        """async () => (await (await fetch("/api/games", { method: "POST", headers: { "content-type": "application/json" },
        body: JSON.stringify({ scenario: "calabria", axis: "admiral", allies: "person", muster: true }) })).json())"""
    )
    claimed(page, made["invitations"]["allies"])
    expect(page.get_by_role("heading", name="Muster Britain")).to_be_visible()
    checked(page)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine(page, "muster")
    page.set_input_files("#file", game_file)
    expect(page.locator("#warplanner")).to_contain_text("hex E24, Europe")
    assert "Bismarck" not in page.locator("#warplanner").inner_text()
    page.locator("#warplanner").get_by_label("task force box 1, display 2").check()
    page.get_by_role("button", name="Put the chosen forces").click()
    expect(page.locator("#text")).to_have_value(re.compile(r'ships = \["Prince of Wales", "Hood"\]'))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#verdict")).to_contain_text("Your forces will do")
    stranger = people(viewport=PHONE)
    stranger.goto(f"/games/{made['game']}/muster")
    expect(stranger.locator("#waiting")).to_contain_text("not yours to see")
    fine(stranger, "somebody else's muster")
    page.get_by_role("button", name="I am ready").click()
    page.wait_for_url(f"**/games/{made['game']}")


# -- without a browser ------------------------------------------------------------------------------------


def test_a_warplanner_file_is_read_by_the_server_and_refused_in_words(tmp_path: Path) -> None:
    with TestClient(application(tmp_path), base_url=OURS["origin"], headers=OURS) as client:
        told = client.post("/api/warplanner", json={"text": SMALL})
        assert told.status_code == 200 and len(told.json()["places"]) == 6
        bad = client.post("/api/warplanner", json={"text": SMALL.replace("</game>", "")})
        assert bad.status_code == 422 and "the file, line" in bad.json()["refused"]
        long = SMALL + f"<!-- {'x' * 600_000} -->"
        assert client.post("/api/warplanner", json={"text": long}).status_code == 200
        assert client.post("/api/setups/read", json={"text": long}).status_code == 413  # only files may be so long
        assert client.post("/api/warplanner", json={"text": "x" * 1_200_000}).status_code == 413
        described = client.get("/openapi.json").json()["paths"]
        assert "Warplanner" in described["/api/warplanner"]["post"]["description"]
        assert "/api/games/{game}/muster/ready" in described
        # The limit is one of a minute and fills up again meanwhile: a slow machine needs more requests to reach it.
        answers = (client.post("/api/warplanner", json={"text": SMALL}).status_code for _ in range(1000))
        assert next(answers) == 200
        assert 429 in answers
