"""Strict dice over HTTP and in real browsers; parts in the dice on the clock and in the lobby; starts that come to nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from flagplot.core.sides import SIDES, Side
from flagplot.play import saves, strict_dice
from flagplot.play.dice_proof import examine
from flagplot.play.strict_dice import link_of
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.clocks import HOUR, Terms
from flagplot.web.database import DICE
from flagplot.web.dice_page import MOST_FAILED
from flagplot.web.hall import Hall
from tests.play.test_strict_dice import verified
from tests.web.browsing import fine
from tests.web.databases import ready_database
from tests.web.test_dice import commit, make_game, opens, sit, types
from tests.web.timing import SetClock, asked_of, by_hand, hall_at
from tests.web.visitors import Server, Visitor, new_id, play_on, serving, words

LAST = {"axis": b"\x11" * 32, "allies": b"\x22" * 32}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_dice, "LINKS", 400)


def link(who: Visitor, number: int) -> str:
    return link_of(who.seat, who.game, LAST[who.seat], number).hex()


def bind(who: Visitor) -> Any:
    return who.post(who.at("/dice/commit"), {"id": new_id(), "commitment": link(who, 0)})


def release(who: Visitor, id: str = "") -> Any:
    number = who.view()["dice"]["links"][who.seat] + 1
    return who.post(who.at("/dice/link"), {"id": id or new_id(), "link": link(who, number)})


def play_strictly(people: dict[str, Visitor]) -> None:
    """To the end, a link of each whenever dice wait."""
    sides = [people[seat] for seat in SIDES if seat in people]
    for _ in range(600):
        play_on(people)
        told = sides[0].view()
        if told["over"]:
            return
        assert told["dice"]["missing"] and told["question"] is None
        for who in sides:
            if who.seat in who.view()["dice"]["missing"]:
                assert release(who).status_code == 200
    raise AssertionError("no end")


def test_every_roll_waits_for_a_link_of_both_and_the_game_is_proven_at_its_end(
    server: Server, short_chains: None
) -> None:
    people = server.seated(scenario="river-plate", dice="strict", spectators=True)
    axis, allies = people["axis"], people["allies"]
    play_on(people)
    assert axis.view()["dice"]["waiting"] == "The dice wait for Germany and Britain to draw its chain."
    assert bind(axis).status_code == 200
    assert "not bound to its chain yet" in words(release(axis))
    assert bind(allies).status_code == 200
    told = axis.view()["dice"]
    assert (told["state"], told["missing"], told["opened"]) == ("ready", ["axis", "allies"], [])
    assert told["start"] == allies.view()["dice"]["start"] != ""
    assert told["half"] and told["half"] != allies.view()["dice"]["half"]
    assert "one link for each roll" in words(opens(axis, "11" * 32))
    wrong = axis.post(axis.at("/dice/link"), {"id": new_id(), "link": link(axis, 2)})
    assert "not the next" in words(wrong)
    assert release(axis, "the-same-one").json()["ok"]
    assert allies.view()["dice"]["missing"] == ["allies"]
    again = axis.post(axis.at("/dice/link"), {"id": "the-same-one", "link": link(axis, 1)})
    assert again.status_code == 200 and axis.view()["dice"]["links"] == {"axis": 1, "allies": 0}
    with server.hall.database.read() as connection:
        kept = json.loads(connection.execute(select(DICE.c.secrets).where(DICE.c.game == axis.game)).scalar_one())
    for who in (*people.values(), server.visitor()):
        got = "".join(who.get(f"/api/games/{axis.game}{each}").text for each in ("", "/dice", "/download", "/replay"))
        for name, secret in kept.items():
            assert (secret in got) is (name == f"half {who.seat}"), (name, who.seat)
    server.hall.forget(server.hall.game(axis.game))  # a server that was started again
    play_strictly(people)
    told = axis.view()["dice"]
    data = axis.get(axis.at("/download")).content
    proof = examine(saves.parse(data), start=told["start"], end=told["end"])
    assert proof.findings == [] and proof.proven and verified(data) == []
    opened = axis.get(axis.at("/dice")).json()
    assert opened["links"]["axis"][0] == link(axis, 1) and opened["rolls"]
    assert "Strict dice" in axis.get(f"/games/{axis.game}").text


def test_against_a_bot_the_links_of_the_person_are_enough(server: Server, short_chains: None) -> None:
    people = server.seated(scenario="river-plate", dice="strict", allies="admiral")
    axis = people["axis"]
    assert bind(axis).status_code == 200
    play_strictly(people)
    assert "chain of Britain is drawn by the server" in axis.get(f"/games/{axis.game}").text
    bots = server.new_game(scenario="river-plate", dice="strict", axis="random", allies="random")
    assert server.hall.game(bots["game"]).game.over
    alone = server.seated(scenario="river-plate", dice="strict", allies="admiral")["axis"]
    assert alone.post(alone.at("/dice/commit"), {"id": new_id()}).json()["ok"]
    play_on({"axis": alone})
    assert alone.view()["over"]


@pytest.mark.parametrize("way", ["resigns", "cannot be replayed"])
def test_strict_dice_are_opened_however_a_game_ends(server: Server, short_chains: None, way: str) -> None:
    people = server.seated(scenario="river-plate", dice="strict")
    axis = people["axis"]
    for seat in SIDES:
        bind(people[seat])
    play_on(people)
    release(axis)
    if way == "resigns":
        assert axis.post(axis.at("/close"), {"why": "enough"}).json()["ok"]
    else:
        server.hall.close_unread(axis.game, "stopped")
        server.hall.forget(server.hall.game(axis.game))
    proof = examine(saves.parse(saves.dump(server.hall.game(axis.game).game)))
    assert proof.findings == [] and proof.proven
    assert release(people["allies"]).status_code in (403, 409, 410)


# -- starts that come to nothing ---------------------------------------------------------------------------------


def test_after_three_starts_that_came_to_nothing_there_is_no_fourth_that_day(server: Server) -> None:
    axis = server.visitor()
    for number in range(MOST_FAILED + 1):
        made = server.new_game(scenario="river-plate", dice="fair")["invitations"]
        axis.claim(made["axis"])
        other = server.visitor().claim(made["allies"])
        answer = commit(axis, "33" * 32)
        if number == MOST_FAILED:
            assert answer.status_code == 429 and "given up before their first roll" in words(answer)
            assert int(answer.headers["retry-after"]) > 3600
            assert commit(other).status_code == 200  # he has seen none of them
            return
        assert answer.status_code == 200 and commit(other).status_code == 200
        assert other.post(other.at("/close"), {"why": "server error, please begin again"}).json()["ok"]


def test_games_that_rolled_or_were_never_bound_do_not_count(server: Server) -> None:
    axis = server.visitor()
    for number in range(MOST_FAILED + 2):
        made = server.new_game(scenario="river-plate", dice="fair")["invitations"]
        axis.claim(made["axis"])
        other = server.visitor().claim(made["allies"])
        assert commit(axis, "33" * 32).status_code == 200
        if number % 2:
            assert commit(other).status_code == 200
            assert opens(other).status_code == 200 and opens(axis, "33" * 32).status_code == 200
            play_on({"axis": axis, "allies": other}, 12)
        if not other.view()["over"]:
            assert other.post(other.at("/close"), {"why": ""}).json()["ok"]


# -- the clock, the lobby ---------------------------------------------------------------------------------------


def waiting_for_dice(folder: Path, dice: str, out: str) -> tuple[Hall, SetClock, str]:
    hall, clock = hall_at(ready_database("sqlite", folder))
    found = shipped_scenario("river-plate")
    id = hall.create(found.setup, scenario=found.name, players=dict.fromkeys(Side, "person"), dice=dice).id
    hall.clocks.set_up(id, "live", Terms(HOUR, 0.0, 0.0, 0.0, out))  # type: ignore[arg-type]
    while hall.game(id).game.roll_due() is None:
        with hall.holding(id) as live:
            side = next(side for side in Side if live.game.decision(side))
        by_hand(hall, id, side)
    return hall, clock, id


def pass_hours(hall: Hall, clock: SetClock, hours: float) -> None:
    for _ in range(int(hours * 80)):
        clock.pass_by(45.0)
        hall.clocks.step()


@pytest.mark.parametrize(("dice", "out"), [("fair", "default"), ("strict", "admiral"), ("typed", "lose")])
def test_who_does_not_do_his_part_in_the_dice_in_time_ends_the_game_and_nobody_rolls_again(
    tmp_path: Path, short_chains: None, dice: str, out: str
) -> None:
    hall, clock, id = waiting_for_dice(tmp_path, dice, out)
    assert set(asked_of(hall, id)) == set(Side)
    pass_hours(hall, clock, 0.9)
    assert hall.game(id).closed == ""
    pass_hours(hall, clock, 0.2)
    assert "has not done its part in the dice in time" in hall.game(id).closed
    assert hall.game(id).game.draws == 0
    hall.database.close()


def test_what_the_other_side_read_counts_when_time_has_run_out(tmp_path: Path) -> None:
    from flagplot.core.tape import Typed

    hall, clock, id = waiting_for_dice(tmp_path, "typed", "default")
    with hall.holding(id) as live:
        due = live.game.roll_due()
        assert due is not None
        live.game.record(Typed("allies", [6] * due.dice))
        hall.commit(live, Side.ALLIES, "read-by-the-allies", "")
    assert asked_of(hall, id) == [Side.AXIS]
    pass_hours(hall, clock, 1.1)
    assert hall.game(id).closed == "" and hall.game(id).game.draws == due.dice
    assert hall.clocks.told(id, Side.AXIS)["mine"]["missed"] == 1
    hall.database.close()


def test_the_lobby_says_that_dice_wait_for_this_browser(server: Server) -> None:
    people = server.seated(scenario="river-plate", dice="typed")
    play_on(people)
    axis, allies = people["axis"], people["allies"]
    for who in (axis, allies):
        assert "your decision" in who.get("/").text
    due = axis.view()["dice"]["due"]["dice"]
    assert types(axis, *[3] * due).status_code == 200
    assert "your decision" not in axis.get("/").text and "your decision" in allies.get("/").text
    assert types(allies, *[4] * due).status_code == 200  # they differ: both are asked
    assert "your decision" in axis.get("/").text and "your decision" in allies.get("/").text


# -- in browsers ---------------------------------------------------------------------------------------------------


def test_two_pages_release_their_links_by_themselves_and_the_game_waits_for_one_that_is_closed(people: Any) -> None:
    axis, allies = people(), people()
    made = make_game(axis, dice="strict", scenario="denmark-strait")
    for page, side in ((axis, "axis"), (allies, "allies")):
        sit(page, made["invitations"][side])
        page.goto(f"/games/{made['game']}")
    for page in (axis, allies):
        expect(page.locator("#part-dice h2")).to_contain_text("settled")
    assert axis.locator("#start-code").inner_text() == allies.locator("#start-code").inner_text()

    def released(page: Any) -> dict[str, int]:
        told: dict[str, int] = page.evaluate(f"fetch('/api/games/{made['game']}').then((a) => a.json())")["dice"][
            "links"
        ]
        return told

    for _ in range(20):
        for page in (axis, allies):
            if page.locator("#commit").is_visible():
                before = page.locator("#board").get_attribute("data-seen")
                page.locator("#commit").click()
                expect(page.locator("#board")).not_to_have_attribute("data-seen", before or "")
        if released(axis)["axis"] and released(axis)["allies"]:
            break
    counts = released(axis)
    assert counts["axis"] == counts["allies"] > 0
    axis.locator("#dice-fold summary").click()
    expect(axis.locator("#part-dice")).to_contain_text("It does not prevent that a side stops its page")
    fine(axis, "strict dice", "#part-dice")
    kept = "Object.keys(localStorage).filter((name) => name.startsWith('flagplot-dice')).map((n) => n.split('-')[2]).sort()"
    assert axis.evaluate(f"JSON.stringify({kept})") == '["half","share","start"]'
    axis.evaluate(
        "for (const name of Object.keys(localStorage)) if (name.includes('-share-')) localStorage.removeItem(name)"
    )
    axis.reload()  # as if it were another browser
    for _ in range(30):
        for page in (axis, allies):
            if page.locator("#commit").is_visible():
                before = page.locator("#board").get_attribute("data-seen")
                page.locator("#commit").click()
                expect(page.locator("#board")).not_to_have_attribute("data-seen", before or "")
        if "another browser" in (axis.locator("#dice-said").text_content() or ""):
            break
    expect(axis.locator("#dice-said")).to_contain_text("drawn in another browser")
    expect(allies.locator("#part-dice")).to_contain_text("A roll waits for a link of")
