"""The lobby, the set-up page, joining and seats, in a real browser; and what they ask of the server."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from markupsafe import escape
from playwright.sync_api import expect

from flagplot.core.errors import PlayerError
from flagplot.editions.options import OPTIONS
from flagplot.scenarios.loader import list_scenarios, scenario_text
from flagplot.web.setup_outline import NOTHING, read
from flagplot.web.setup_text import Change, changed
from tests.web.browsing import PHONE, application, checked
from tests.web.browsing import fine as everyone_reads

BATTLES = [each.name for each in list_scenarios()]


# -- the text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATTLES)
def test_a_change_leaves_every_other_line_alone(name: str) -> None:
    text = scenario_text(name).decode()
    for side in ("axis", "allies"):
        tables = tomllib.loads(text)[side]
        forces = tables.get("force", [])
        changes = [
            Change((side, "submarines", "Greece"), 2),
            Change((side, "research", "torpedo"), 2),
            Change((side, "force", len(forces)), {"name": "Another", "destroyers": 1}),
            Change((side, "air_base", len(tables.get("air_base", []))), {"name": "Field", "distance": 2}),
            Change(("options", "withheld_air_returns"), "yes"),
            Change(("title",), 'A "new" title'),
        ]
        for n, force in enumerate(forces):
            changes.append(Change((side, "force", n, "ships", len(force.get("ships", []))), "Averof"))
            changes.append(Change((side, "force", n, "escort_carriers"), 1))
        for change in changes:
            new = changed(text, [change])
            lost = [line for line in text.splitlines() if line not in new.splitlines()]
            assert len(lost) <= 1, change
            assert [line for line in lost if "#" in line] == []
            back = changed(new, [Change(change.path, None)]) if change.path != ("title",) else new
            assert len(back.splitlines()) <= len(new.splitlines())


def test_taking_away_a_force_takes_its_own_lines_and_comment_only() -> None:
    text = (
        NOTHING.replace('[[axis.force]]\nname = "First', '# about it\n[[axis.force]]\nname = "First') + "\n# the end\n"
    )
    new = changed(text, [Change(("axis", "force", 0), None)])
    assert "about it" not in new and "First force" not in new
    assert "[allies]" in new and "First fleet" in new and "# the end" in new


def test_comments_inside_a_list_are_kept_above_it() -> None:
    text = NOTHING + 'ships = [\n    "Hood", # the mighty\n]\n'
    new = changed(text, [Change(("allies", "force", 0, "ships", 1), "Repulse")])
    assert '# the mighty\nships = ["Hood", "Repulse"]' in new


def test_a_long_list_stands_one_item_to_a_line() -> None:
    ships = [
        {"name": name, "hits": 1} for name in ("King George V", "Prince of Wales", "Duke of York", "Howe", "Anson")
    ]
    new = changed(NOTHING, [Change(("allies", "force", 0, "ships"), ships)])
    assert 'ships = [\n    { name = "King George V", hits = 1 },\n' in new


def test_a_text_laid_out_so_that_it_would_be_spoilt_is_refused() -> None:
    text = NOTHING.replace('nation = "Germany"\n', 'nation = "Germany"\nresearch.radar = 1\n')
    with pytest.raises(PlayerError, match="change it in the text"):
        changed(text, [Change(("axis", "research", "torpedo"), 1)])


@pytest.mark.parametrize("value", [1.5, 10**9, "two\nlines", "\ud800", [[[[[[[1]]]]]]], ["x"] * 100])
def test_a_value_no_set_up_can_hold_is_refused(value: Any) -> None:
    with pytest.raises(PlayerError):
        changed(NOTHING, [Change(("axis", "x"), value)])


@pytest.mark.parametrize("path", [("title", "x"), ("axis", 0), ("axis", "force", "x"), ("title", 3, "x")])
def test_a_place_that_cannot_be_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(PlayerError):
        changed(NOTHING, [Change(path, 1)])


def test_an_outline_is_drawn_of_any_text_that_is_toml() -> None:
    odd = (
        'format = nan\ntitle = 1979-05-27\naxis = 3\n[allies]\nforce = [1, {ships = [1, {name = 2}], cruisers = "x"}]\n'
    )
    told = read(odd)
    assert not told["ok"] and told["line"] == 1
    assert [force["factors"] for force in told["outline"]["sides"]["allies"]["forces"]] == [0, 0]
    cut_short = read("format = 1\ntitle = [")
    assert cut_short["outline"] is None and cut_short["line"] == 2


def test_a_wrong_text_is_told_with_line_key_and_rule() -> None:
    told = read(scenario_text("midway").decode().replace('"Kirishima"', '"Kirishma"'))
    assert (told["ok"], told["rule"], told["where"]) == (False, "20.11", "axis.force[1].ships[6]")
    assert "Kirishima" in told["reason"]


# -- the server ----------------------------------------------------------------------------------------

HERE = {"origin": "http://127.0.0.1:8000"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(application(tmp_path_factory.mktemp("lobby")), base_url="http://127.0.0.1:8000") as made:
        made.headers.update(HERE)
        yield made
        made.cookies.clear()


def game_for(client: TestClient, **more: Any) -> tuple[str, dict[str, str]]:
    """A game between two people, and the tokens of its invitations."""
    made = client.post("/api/games", json={"scenario": "calabria", "axis": "person", "allies": "person", **more}).json()
    return made["game"], {seat: link.split("#")[1] for seat, link in made["invitations"].items()}


def test_every_option_is_offered_with_its_rule_its_ruling_and_each_reading(client: TestClient) -> None:
    page = client.get("/new").text
    for option in OPTIONS.values():
        assert f'href="/rules/{option.rule}"' in page and f'href="/rulings/{option.ruling}"' in page
        for value, reading in option.readings.items():
            radio = f'data-option="{option.name}" value="{value}"'
            assert f"<span>{escape(reading)}" in page.partition(radio)[2].partition("</label>")[0]


def test_a_set_up_is_shared_and_opened_by_its_link(client: TestClient) -> None:
    text = NOTHING + '# "<script>" & all\n'
    told = client.post("/api/setups", json={"text": text}).json()
    assert client.get(f"/api/setups/{told['id']}").json()["text"] == text
    opened = client.get(f"/s/{told['id']}")
    assert opened.status_code == 200 and "# &#34;&lt;script&gt;&#34; &amp; all" in opened.text
    assert told["address"].endswith(f"/s/{told['id']}")
    for missing in ("/s/nothing", "/new?scenario=nothing"):
        assert client.get(missing).status_code == 404 and "text/html" in client.get(missing).headers["content-type"]
    assert client.get("/api/setups/nothing").status_code == 404
    assert client.post("/api/setups", json={"text": "  "}).status_code == 422


def test_changes_to_an_unreadable_text_are_refused_with_its_line(client: TestClient) -> None:
    body = {"text": "title = [\n]]\n", "changes": [{"path": ["title"], "value": "x"}]}
    told = client.post("/api/setups/change", json=body)
    assert told.status_code == 422 and "line 2" in told.json()["refused"]


def test_ships_are_found_by_name_and_nation(client: TestClient) -> None:
    assert [ship["name"] for ship in client.get("/api/ships?search=prince of").json()] == ["Prince of Wales"]
    assert {ship["nation"] for ship in client.get("/api/ships?nation=Italy").json()} == {"Italy"}


def test_an_attack_from_the_air_stands_under_its_own_heading_and_nobody_is_said_to_intercept_it(
    client: TestClient,
) -> None:
    lobby = client.get("/").text
    cards = {name: lobby.partition(f'id="card-{name}"')[2].partition("</article>")[0] for name in BATTLES}
    heading = lobby.partition("Aircraft against ships on their way and in port")[2].partition("</section>")[0]
    for name in ("pearl-harbor", "taranto", "grand-harbour", "force-z", "excess"):
        assert f'id="card-{name}"' in heading and " · attacked by " in cards[name]
    assert "submarine attack · attacked by United States" in cards["ambush"]
    assert "naval battle · intercepted by the Allies" in cards["coral-sea"]


def test_a_mistyped_address_is_answered_in_a_page_to_people_and_in_json_to_programs(client: TestClient) -> None:
    for address, why in (("/nowhere", "not found"), ("/strategic/nowhere", "there is no such calculator")):
        told = client.get(address, headers={"accept": "text/html,*/*"})
        assert told.status_code == 404 and "<h1>No such page</h1>" in told.text
        assert client.get(address).json() == {"refused": why}
    assert client.get("/api/nowhere", headers={"accept": "text/html"}).json() == {"refused": "not found"}


def test_opening_a_page_takes_no_seat(client: TestClient) -> None:
    game, tokens = game_for(client, spectators=True)
    for path in ("/join", "/join-device", "/recover", f"/games/{game}/seats"):
        answer = client.get(path)
        assert answer.status_code == 200 and "set-cookie" not in answer.headers
        assert not any(token in answer.text for token in tokens.values())
    assert not any(seat["claimed"] for seat in client.get(f"/api/games/{game}").json()["seats"])


def test_seats_of_an_unknown_game_and_of_anothers_look_alike(client: TestClient) -> None:
    game, _ = game_for(client)
    other = "x" * len(game)
    assert client.get(f"/games/{game}/seats").text.replace(game, other) == client.get(f"/games/{other}/seats").text


def test_a_device_link_lets_one_browser_in_and_no_second(client: TestClient) -> None:
    game, tokens = game_for(client)
    client.post("/api/claim", json={"token": tokens["axis"]})
    token = client.post(f"/api/games/{game}/devices", json={"name": "phone"}).json()["token"]
    lost = client.post(f"/api/games/{game}/devices", json={"name": "lost"}).json()
    client.post(f"/api/games/{game}/devices/{lost['id']}/revoke")
    client.cookies.clear()
    enter = f"/api/games/{game}/devices/enter"
    assert client.post(enter, json={"token": lost["token"]}).status_code == 404
    assert client.post(f"/api/games/{'x' * 22}/devices/enter", json={"token": token}).status_code == 404
    assert client.post(enter, json={"token": token}).json()["seat"] == "axis"
    assert client.get(f"/api/games/{game}").json()["seat"] == "axis"
    client.cookies.clear()
    assert client.post(enter, json={"token": token}).status_code == 404


def test_a_new_recovery_code_voids_the_old(client: TestClient) -> None:
    game, tokens = game_for(client)
    old = client.post("/api/claim", json={"token": tokens["allies"]}).json()["recovery"]
    new = client.post(f"/api/games/{game}/recovery").json()["recovery"]
    client.cookies.clear()
    assert client.post(f"/api/games/{game}/recovery").status_code == 404
    assert client.post(f"/api/games/{game}/recover", json={"code": old}).status_code == 404
    assert client.post(f"/api/games/{game}/recover", json={"code": new}).json()["seat"] == "allies"


def test_the_lobby_lists_the_games_of_this_browser_and_the_listed_ones(client: TestClient) -> None:
    client.cookies.clear()
    game, tokens = game_for(client, listed=True)
    private, _ = game_for(client)
    client.post("/api/claim", json={"token": tokens["axis"]})
    home = client.get("/").text
    assert f'href="/games/{game}"' in home and "your decision" in home and "Listed games" in home
    assert private not in home
    client.cookies.clear()
    assert "Your games" not in client.get("/").text


# -- the browser ----------------------------------------------------------------------------------------


def test_two_people_come_together_by_invitation(people: Any) -> None:
    host, guest = people(), people()
    host.goto("/new?scenario=calabria")
    expect(host.locator("#verdict")).to_contain_text("Ready")
    host.get_by_role("group", name="Axis: Italy").get_by_label("a person").check()
    host.get_by_role("button", name="Create the game").click()
    expect(host.get_by_role("heading", name="The game is made")).to_be_focused()
    expect(host.get_by_text("Each invitation can be used once")).to_be_visible()
    expect(host.get_by_text("do not keep the other's link")).to_be_visible()
    host.get_by_role("button", name="Copy: Invitation for Italy").click()
    expect(host.get_by_role("button", name="Copy: Invitation for Italy")).to_have_text("Copied ✓")
    link = host.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/join#[\w-]{43}", link)
    host_link = host.locator("#link-host").input_value()

    guest.goto(link)
    expect(guest.get_by_text("Claiming it gives you the seat")).to_be_visible()
    assert "Calabria" not in guest.content()
    guest.get_by_label("Your name").fill("A guest")
    guest.get_by_role("button", name="Claim the seat").click()
    expect(guest.get_by_text("You play Italy in Calabria, July 1940.")).to_be_visible()
    code = guest.locator("#recovery-shown").input_value()
    assert "#" not in guest.url
    expect(guest.get_by_role("button", name="Go to the battle")).to_be_disabled()
    guest.get_by_label("I have written it down").check()
    game = host_link.split("/games/")[1].split("/")[0]
    guest.get_by_role("button", name="Go to the battle").click()
    guest.wait_for_url(f"**/games/{game}")

    late = people()
    late.goto(link)
    late.get_by_role("button", name="Claim the seat").click()
    expect(late.get_by_role("alert")).to_contain_text("has been used")
    expect(late.get_by_label("The link, or its code")).to_be_visible()

    host.get_by_role("button", name="Start: I play Britain").click()
    expect(host.get_by_text("Britain is yours, in this browser.")).to_be_visible()
    expect(host.locator("#link-axis")).to_have_value(link)
    host.get_by_label("I have written it down").check()
    host.get_by_role("button", name="Go to the battle").click()
    host.wait_for_url(f"**/games/{game}")

    # Who sits where; the guest's other device; the way back.
    guest.goto(f"/games/{game}/seats")
    expect(guest.locator("#seat-rows")).to_contain_text("A guest")
    guest.get_by_label("Add a device").fill("my phone")
    guest.get_by_role("button", name="Make a link").click()
    device = guest.locator("#device-shown").input_value()
    phone = people(viewport=PHONE)
    phone.goto(device)
    phone.get_by_role("button", name="Let this device in").click()
    expect(phone.get_by_text("You play Italy")).to_be_visible()
    phone.goto(f"/games/{game}/seats")
    expect(phone.locator("#device-rows li")).to_have_count(2)
    guest.get_by_role("button", name="Lock out my phone").click()
    expect(guest.locator("#device-rows")).to_contain_text("locked out")
    phone.reload()
    expect(phone.locator("#which")).to_contain_text("not yours to see")
    phone.get_by_role("textbox", name="Recovery code", exact=True).fill(code.lower())
    phone.get_by_role("button", name="Come back to my seat").click()
    expect(phone.locator("#recovered-shown")).not_to_have_value(code)

    # The host, who plays, acts as host without leaving his own seat, and seats somebody else.
    host.goto(host_link)
    expect(host.locator("#which")).to_contain_text("You sit for Britain")
    host.get_by_role("button", name="Act as host").click()
    expect(host.get_by_text("You are the host.")).to_be_visible()
    host.get_by_role("button", name="Make a new invitation").click()
    expect(host.locator("#reseat-shown")).to_have_value(re.compile("/join#"))
    expect(host.locator("#seat-rows")).to_contain_text("invitation not used yet")
    host.reload()
    expect(host.locator("#which")).to_contain_text("You are the host")
    host.locator("#switch").get_by_role("link", name="Britain").click()
    expect(host.locator("#which")).to_contain_text("You sit for Britain")
    guest.reload()
    expect(guest.locator("#which")).to_contain_text("not yours to see")


def test_one_click_in_the_lobby_and_the_battle_is_on(people: Any) -> None:
    page = people()
    page.goto("/")
    page.get_by_role("article", name="Midway, June 1942", exact=True).get_by_role("button", name="Play Japan").click()
    page.wait_for_url("**/games/*")
    game = page.url.rsplit("/", 1)[1]
    assert page.evaluate("async (game) => (await (await fetch(`/api/games/${game}`)).json()).seat", game) == "axis"
    page.goto("/")
    expect(page.get_by_role("region", name="Your games")).to_contain_text("your decision")


def test_a_mistake_is_shown_where_it_was_made_with_its_rule(people: Any) -> None:
    page = people()
    page.goto("/new?scenario=midway")
    expect(page.locator("#verdict")).to_contain_text("Ready")
    text = page.locator("#text")
    text.fill(text.input_value().replace('"Yorktown"', '"Yorktwn"'))
    expect(page.locator("#verdict")).to_contain_text("Line 99: There is no ship 'Yorktwn'")
    expect(page.locator("#verdict code")).to_have_text("20.11")
    page.get_by_role("button", name="Go to line 99").click()
    chosen = "(t => t.value.slice(t.selectionStart, t.selectionEnd))(document.getElementById('text'))"
    assert page.evaluate(chosen) == 'ships = ["Yorktwn"]'
    page.get_by_role("button", name="Create the game").click()
    expect(page.locator("#say")).to_contain_text("cannot be played yet")
    expect(page.locator("#made")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#verdict")).to_contain_text("Ready")


def test_a_battle_is_built_from_nothing_by_keyboard_and_by_dragging_and_shared(people: Any) -> None:
    page = people()
    page.goto("/new")
    expect(page.locator("#verdict code")).to_have_text("22.421")
    text = page.locator("#text")

    # By keyboard: a name and Enter, in the force itself; the cursor stays where it was.
    page.get_by_label("Add a ship to First force").fill("bismarck")
    page.keyboard.press("Enter")
    expect(text).to_have_value(re.compile(r'ships = \["Bismarck"\]'))
    expect(page.get_by_label("Add a ship to First force")).to_be_focused()

    # By dragging from the list.
    page.get_by_role("searchbox", name="Search").fill("hoo")
    fleet = page.get_by_role("article", name="Force First fleet")
    fleet.scroll_into_view_if_needed()
    page.locator("#ship-list li").first.drag_to(fleet)
    expect(text).to_have_value(re.compile(r'ships = \["Hood"\]'))
    expect(page.locator("#verdict")).to_contain_text("Ready")
    expect(page.get_by_role("button", name="Add Hood")).to_be_disabled()

    # Counts, a further force and its round, a ship moved, her state, submarines, research, an air base with aircraft.
    axis = page.get_by_role("region", name="Axis: Germany")
    allies = page.get_by_role("region", name="Allies: Britain")
    fleet.get_by_label("destroyers").fill("3")
    fleet.get_by_label("destroyers").press("Tab")
    expect(text).to_have_value(re.compile(r"destroyers = 3"))
    expect(fleet.get_by_label("transports")).to_be_focused()
    allies.get_by_role("button", name="New force").click()
    second = page.get_by_role("article", name="Force Force 2")
    second.get_by_label("Arrives in round").fill("3")
    second.get_by_label("Arrives in round").press("Enter")
    expect(text).to_have_value(re.compile(r"arrives = 3"))
    fleet.get_by_text("Hood", exact=True).click()
    fleet.get_by_label("hits").fill("1")
    fleet.get_by_label("hits").press("Enter")
    expect(text).to_have_value(re.compile(r'\{ name = "Hood", hits = 1 \}'))
    page.get_by_role("searchbox", name="Search").fill("repulse")
    page.get_by_label("Add to").select_option(label="Britain: Force 2")
    page.get_by_role("button", name="Add Repulse").click()
    expect(second.locator(".ships")).to_contain_text("Repulse")
    foot = fleet.get_by_text(
        "Base, task force, other nations, remove"
    )  # near enough to be dragged to without scrolling
    foot.evaluate("each => each.scrollIntoView({ block: 'center' })")
    second.locator(".ships li").first.drag_to(foot)
    expect(fleet.locator(".ships li")).to_have_count(2)
    expect(second.locator(".ships li")).to_have_count(0)
    axis.get_by_text("Submarines (0)").click()
    axis.get_by_role("button", name="Add: Submarines to add").click()
    expect(text).to_have_value(re.compile(r"submarines = \{ Germany = 1 \}"))
    axis.get_by_label("torpedo results").fill("2")
    axis.get_by_label("torpedo results").press("Enter")
    expect(text).to_have_value(re.compile(r"research = \{ torpedo = 2 \}"))
    allies.get_by_text("Air bases (0)").click()
    allies.get_by_role("button", name="New air base").click()
    base = page.get_by_role("article", name="Air base Airfield 1")
    base.get_by_label("Aircraft to add", exact=True).select_option("NAS")
    base.get_by_role("button", name="Add: Aircraft to add").click()
    expect(text).to_have_value(re.compile(r'aircraft = \{ "Britain AAF" = 1, "Britain NAS" = 1 \}'))

    base.get_by_role("button", name="Remove Airfield 1").press("Enter")
    expect(text).not_to_have_value(re.compile("air_base"))
    expect(allies.get_by_role("button", name="New force")).to_be_focused()

    # A ruling, the order of battle, the title.
    page.locator("#rulings summary").click()
    page.get_by_label("its engagement is used up").check()
    expect(page.locator("#rulings-changed")).to_have_text("1 changed")
    expect(text).to_have_value(re.compile(r'\[options\]\nevaded_engagement = "spent"'))
    page.get_by_label("Order of battle").select_option("open")
    expect(text).to_have_value(re.compile(r'order_of_battle = "open"'))
    page.get_by_label("Title").fill("The strait")
    page.get_by_label("Title").press("Enter")
    expect(page.locator("#verdict")).to_contain_text("The strait can be played")
    built = text.input_value()

    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "the-strait.toml"
    assert download.value.path().read_text() == built

    page.get_by_role("button", name="Share").click()
    link = page.locator("#shared-address").input_value()
    friend = people()
    friend.goto(link)
    expect(friend.locator("#text")).to_have_value(built)
    expect(friend.locator("#verdict")).to_contain_text("The strait can be played")
    expect(friend.get_by_label("its engagement is used up")).to_be_checked()


def test_every_page_can_be_read_by_everyone(people: Any) -> None:
    page = people(color_scheme="light", reduced_motion="reduce")

    def fine(what: str, where: str | None = None) -> None:
        everyone_reads(page, what, where)

    page.goto("/")
    fine("lobby")
    page.goto("/new?scenario=denmark-strait")
    checked(page)
    expect(page.locator("#ship-list li").first).to_be_visible()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine("set-up")
    page.get_by_label("Title").fill("")
    page.get_by_label("Title").press("Enter")
    expect(page.locator("#bar.wrong")).to_be_visible()
    fine("set-up with a mistake", "#bar")
    page.goto("/new?scenario=calabria")
    checked(page)
    page.get_by_role("button", name="Create the game").click()
    expect(page.locator("#made")).to_be_visible()
    fine("the game is made")
    host = page.locator("#link-host").input_value()
    link = page.locator("#link-allies").input_value()
    page.goto(link)
    fine("join")
    page.get_by_role("button", name="Claim").click()
    expect(page.locator("#recovery-shown")).to_be_visible()
    fine("joined")
    page.goto(link)
    page.get_by_role("button", name="Claim").click()
    expect(page.get_by_role("alert")).to_be_visible()
    fine("invitation used")
    page.goto("/recover")
    fine("recover")
    page.goto(host)
    expect(page.locator("#device-rows li")).to_have_count(1)
    page.get_by_role("button", name="Act as host").click()
    expect(page.locator("#host-acts")).to_be_visible()
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fine("seats")
