"""A whole operation between two browsers: the chart, paths, the chosen hex, odds, a battle in it, the way home, the replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from flagplot.core.sides import Side
from flagplot.model.maps import sea_distance
from flagplot.model.picture import is_told
from flagplot.scenarios.maps import load_map
from tests.web.browsing import fine
from tests.web.test_battle_page import Seat, Server, assert_fits_a_phone, find

MOST_COMMITS = 80
LANDING = """
format = 1
title = "A landing on Malta"
summary = "Troops from Palermo; one fleet at Malta and one at Alexandria may meet them."
theatre = "Europe"
kind = "operation"
mover = "axis"
phases = ["combat"]
order_of_battle = "hidden"
[sea]
map = "europe"
margin = 1
[axis]
name = "Italy"
nation = "Italy"
port = [{ name = "Palermo" }, { name = "Taranto" }]
force = [
  { name = "Invasion force", base = "Palermo", ships = ["Doria"], cruisers = 1, destroyers = 4, cargo = [{ name = "the landing corps", needs = 2 }] },
  { name = "Covering force", base = "Taranto", ships = ["Littorio"], destroyers = 2 },
]
[[axis.activity]]
name = "Invade Malta"
kind = "seaborne invasion"
to = "Malta"
forces = ["Invasion force"]
range = 8
[allies]
name = "Britain"
nation = "Britain"
port = [{ name = "Malta", invaded = true }, { name = "Alexandria" }]
force = [
  { name = "Force K", base = "Malta", ships = ["Renown"], cruisers = 2 },
  { name = "Mediterranean Fleet", base = "Alexandria", ships = ["Hood", "Repulse"], destroyers = 3 },
]
"""
SECRETS = {Side.AXIS: ["Renown", "Hood", "Repulse"], Side.ALLIES: ["Doria", "Littorio"]}  # whom they are kept from


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("operation"))
    made.begin()
    yield made
    made.end()


def assert_secret(server: Server, both: tuple[Seat, Seat]) -> list[str]:
    """No name of a ship that a side has not been told of is on its page or came over the wire; which were looked for."""
    live = server.app.state.hall.game(both[0].game).game
    looked_for: list[str] = []
    for seat, side in zip(both, Side, strict=True):
        told = b"\n".join(msgspec.json.encode(event) for event in live.events() if is_told(side, event)).decode()
        untold = [name for name in SECRETS[side] if not re.search(rf"\b{name}\b", told)]
        assert find(untold, seat.page.content() + seat.received()) == []
        looked_for += untold
    return looked_for


def choose_on_chart(seat: Seat, hex: str) -> None:
    """Go to a hex by keyboard and take it."""
    seat.page.focus(f"#hex-{hex}")
    seat.page.keyboard.press("Enter")


def kind_of(seat: Seat) -> str:
    return (seat.question or {}).get("kind", "")


def checked(seat: Seat) -> None:
    """Wait until the server has judged the draft."""
    seat.until(lambda: "as it stands" not in seat.page.inner_text("#verdict"))


def sail(axis: Seat) -> None:
    """Announce the landing, and draw its path on the chart."""
    page = axis.page
    assert page.locator("#chart-frame svg.map .own.force").count() == 2
    assert "Doria" in page.inner_text("#part-own-forces") and "Doria" in page.inner_html("#part-where")
    assert "A task force: what is in it is not known." in page.inner_text("#part-foe-forces")
    axis.type_orders("invasion force=invade malta")
    axis.commit()


def draw_path(axis: Seat) -> None:
    page = axis.page
    assert page.inner_text(".path-head").startswith("LL37 to OO36: 5 hexes of at most 8 21.33")
    assert page.locator("#draft .draft").count() == 1
    page.click(".path-form button:has-text('Hex by hex')")
    for hex in ("LL36", "MM35"):
        page.click(f"[data-next={hex}]")
    assert page.inner_text(".path-line") == "LL37 LL36 MM35 …"
    assert page.locator("#draft .draft-hex").count() == 2  # and the end of what is drawn
    checked(axis)
    assert "not from LL37 to OO36" in page.inner_text("#verdict")
    page.click(".path-form button:has-text('On to OO36')")
    axis.until(lambda: page.inner_text("#verdict") == "Legal.")
    axis.type_orders("NN43")
    axis.until(lambda: "8 is the most" in page.inner_text("#verdict"))
    assert "21.33" in page.inner_text("#verdict") and page.locator(".path-count.over").count() == 1
    page.click("#reset")
    assert page.locator(".route input").first.is_checked()
    choose_on_chart(axis, "NN37")  # through it
    assert page.inner_text(".path-head").startswith("LL37 to OO36: 6 hexes")
    assert "The path has 6 hexes of at most 8." in page.inner_text("#looked")
    axis.until(lambda: page.inner_text("#verdict") == "Legal.")
    axis.commit()


def look_at_odds(allies: Seat) -> None:
    """What 22.2 gives by hand: three dice for cargo (22.22A) and one TF (22.22E), one fewer each if both fleets try."""
    page, chart = allies.page, load_map("europe")
    assert sea_distance(chart, "OO36", "NN37") == 1 and sea_distance(chart, "QQ49", "NN37") == 15
    assert page.locator("svg.map .foe .course").count() == 1 and page.locator("svg.map .own .course").count() == 0
    assert "NN37" in page.inner_text("#part-voyages") and "carrying the landing corps" in page.inner_text(
        "#part-voyages"
    )
    select = page.locator("#odds select")
    assert select.input_value() == "OO36"  # the nearest to any of them
    choose_on_chart(allies, "NN37")
    allies.until(lambda: select.input_value() == "NN37")
    rows = page.locator("#odds .arrivals > tbody")
    assert " ".join(rows.nth(0).inner_text().split()) == "Force K 3 dice, 1 hex 100 % – –"
    # 15 or more with three dice: 20 of 216; late it comes only if somebody else is in time (22.24B).
    assert " ".join(rows.nth(1).inner_text().split()) == "Mediterranean Fleet 3 dice, 15 hexes 9.3 % – 90.7 %"
    rows.nth(1).locator("summary").click()
    why = " ".join(rows.nth(1).locator(".ledger").inner_text().split())
    assert why == "Dice of Mediterranean Fleet 22.22A the activity carries cargo +2 22.22E 1 TF +1 dice 3"
    choose_on_chart(allies, "OO36")  # another hex of its path
    allies.until(lambda: select.input_value() == "OO36")
    assert "Force K 3 dice, 0 hexes" in " ".join(rows.nth(0).inner_text().split())
    assert page.locator("#hex-OO36").get_attribute("aria-pressed") == "true"
    choose_on_chart(allies, "NN37")
    assert "Force K: 1 hex, 3 dice, round one 100 %" in page.inner_text("#looked")
    allies.type_orders("force k=a1, mediterranean=a1")
    allies.until(lambda: "With these orders" in page.inner_text("#odds"))
    both = page.locator("#odds .odds").first.locator(".arrivals > tbody")
    assert " ".join(both.nth(0).inner_text().split()).startswith("Force K → A1, NN37 2 dice, 1 hex 100 %")
    # Two dice: 11 and 12 are late by one round, 7 to 10 by two, 3 to 6 by three, 2 by four.
    assert both.nth(1).locator("td").all_inner_texts()[-6:] == ["–", "8.3 %", "50.0 %", "38.9 %", "2.8 %", "–"]
    fine(page, "odds and chart")
    allies.type_orders("mediterranean=held back")
    checked(allies)
    allies.commit()


def choose_hex(allies: Seat) -> None:
    page = allies.page
    assert page.locator("#draft .offered").count() >= 5 and page.locator("#draft .picked").count() == 1
    choose_on_chart(allies, "NN37")
    assert page.locator("#hex-NN37").get_attribute("aria-pressed") == "true"
    assert page.is_checked("#form input[value=NN37]")
    assert "Force K 3 dice, 1 hex 100 %" in " ".join(page.inner_text("#odds").split())
    allies.until(lambda: page.inner_text("#verdict") == "Legal.")
    allies.commit()


def fight(seat: Seat) -> None:
    """The battle in the operation: the combat chart as in any battle, the map a click away."""
    page = seat.page
    assert page.locator("table.chart").is_visible() and not page.locator("#chart-frame").is_visible()
    assert "Contact C1 in NN37 is being fought" in page.inner_text("#part-head")
    page.click("[data-chart=open]")
    seat.until(lambda: page.locator("#chart-frame svg.map .chosen").is_visible())
    assert "battle C1" in page.inner_text("#chart-frame")


def test_two_people_play_an_operation_on_the_map_in_secret_and_watch_it_again(server: Server, browser: Any) -> None:
    game = server.new_game(scenario="", text=LANDING, axis="person", allies="person", order_of_battle="")
    both = axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    acts = {("axis", "announce"): sail, ("axis", "path"): draw_path, ("allies", "interception"): look_at_odds}
    acts |= {("allies", "hex"): choose_hex, ("axis", "number"): fight}
    done: set[tuple[str, str]] = set()
    commits, secrets = 0, set[str]()
    while not axis.over:
        assert commits < MOST_COMMITS
        for name, seat in (("axis", axis), ("allies", allies)):
            if seat.question is None:
                continue
            now = (name, kind_of(seat))
            act = acts.get(now) if now not in done else None
            if act is not None:
                done.add(now)
                act(seat)
            if act is None or act is fight:
                if now[1] == "withdraw":
                    seat.type_orders("all=withdraw")
                    seat.until(lambda seat=seat: "stands" not in seat.page.inner_text("#verdict"))  # type: ignore[misc]
                seat.commit()
            commits += 1
            secrets |= set(assert_secret(server, both))
        axis.until(lambda: any(seat.question for seat in both) or all(seat.over for seat in both))
    assert done == set(acts) and secrets == {"Renown", "Hood", "Repulse", "Doria", "Littorio"}
    told = axis.page.inner_text("#part-over")
    assert "The operation is over" in told and "seaborne invasion of Invasion force" in told
    assert not find(["Hood", "Repulse"], axis.page.content()) and not find(["Littorio"], allies.page.content())
    watch_again(allies)
    for seat in both:
        seat.close()


def watch_again(allies: Seat) -> None:
    """The replay steps through with the chart."""
    page = allies.page
    page.click("#part-over a.main")
    page.wait_for_selector("#log li.here")
    allies.until(lambda: page.locator("#sea svg.map").count() == 1)
    assert not page.locator("#naval-chart").is_visible() and page.locator("#sea .course").count() == 0
    page.click("#log a:has-text('A1 sails')")
    allies.until(lambda: page.locator("#sea svg.map .foe .course").count() == 1)
    assert "Paths" in page.inner_text("#sea-track .now")
    page.focus("#hex-NN37")
    page.keyboard.press("ArrowRight")  # on the chart, not to the next step
    assert page.evaluate("document.activeElement.id") == "hex-NN38"
    page.click("#log a:has-text('T1 rolls')")
    allies.until(lambda: page.locator("#sea .own .course.attempt").count() == 1)
    assert "Interceptions" in page.inner_text("#sea-track .now")
    page.click("[data-by=segment][data-way='1']")
    allies.until(lambda: "Interceptions" not in page.inner_text("#sea-track .now"))
    page.click("#log a:has-text('Contact in NN37')")
    allies.until(lambda: page.locator("#naval-chart").is_visible())
    assert page.locator("#sea svg.map .chosen").count() == 1
    assert_fits_a_phone(page)
