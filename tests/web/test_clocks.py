"""Game clocks: time in words, pauses, vacations, what happens when it runs out; and that no jump or restart costs a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

import flagplot.web.hall as hall_module
from flagplot.core.sides import Side
from flagplot.web import clocks
from flagplot.web.backup import verify
from flagplot.web.clocks import BEAT, DAY, HOUR, ClockRefused, Terms, in_words, pace_of, roughly, spell
from flagplot.web.database import SERVER_TIME, Database
from flagplot.web.hall import Hall
from tests.web.databases import KINDS, ready_database
from tests.web.server import Server as Process
from tests.web.server import people_at, seated
from tests.web.timing import NumberedGame, SetClock, asked_of, begun, by_hand, hall_at
from tests.web.visitors import serving

A_DAY = Terms(DAY, 3 * DAY, 12 * HOUR, 14 * DAY, "default")
LOSE = Terms(DAY, 0.0, 0.0, 7 * DAY, "lose")


@pytest.fixture(params=KINDS)
def hall(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(hall_module, "Game", NumberedGame)
    monkeypatch.setattr(clocks, "BEAT", 3600.0)  # fewer readings: the days of a test are long
    monkeypatch.setattr(clocks, "GAP", 7200.0)
    made, _ = hall_at(ready_database(request.param, tmp_path))
    yield made
    made.database.close()


def clock_of(hall: Hall) -> SetClock:
    clock = hall.release.clock
    assert isinstance(clock, SetClock)
    return clock


def run(hall: Hall, seconds: float) -> None:
    """The server runs for so long."""
    hall.clocks.step()
    for _ in range(int(seconds / clocks.BEAT)):
        clock_of(hall).pass_by(clocks.BEAT)
        hall.clocks.step()


def mine(hall: Hall, id: str, side: Side) -> dict[str, Any]:
    told: dict[str, Any] = hall.clocks.told(id, side)["mine"]
    return told


def test_time_is_told_in_words() -> None:
    assert [spell(each * HOUR) for each in (0, 1, 8, 24, 72, 168)] == [
        "no time",
        "an hour",
        "8 hours",
        "a day",
        "3 days",
        "a week",
    ]
    assert pace_of(A_DAY) == "an answer a day"
    assert pace_of(Terms(8 * HOUR, 0, 0, 0, "lose")) == "an answer in 8 hours"
    assert any("3 days for the whole game" in each for each in in_words(A_DAY))
    assert not any("reserve" in each or "away" in each for each in in_words(Terms(HOUR, 0, 0, 0, "lose")))
    assert roughly(DAY + HOUR) == "1 day and 1 hour" and roughly(60) == "1 minute" and roughly(-3) == "0 minutes"


def test_time_runs_out_answer_reserve_and_grace_then_the_proposed_answer_is_given(hall: Hall) -> None:
    id = begun(hall, terms=A_DAY)
    side = asked_of(hall, id)[0]
    number = hall.game(id).game.question_number(side)
    assert mine(hall, id, side)["words"] == "You have 1 day for this answer, then 3 days in reserve."
    run(hall, 20 * HOUR)
    assert mine(hall, id, side)["words"] == "You have 4 hours for this answer, then 3 days in reserve."
    run(hall, 28 * HOUR)
    assert mine(hall, id, side)["words"] == "You are using your reserve: 2 days of it are left."
    run(hall, 2 * DAY + 4 * HOUR)
    assert "You still have 8 hours before the answer that the form proposes" in mine(hall, id, side)["words"]
    assert hall.game(id).game.question_number(side) == number
    run(hall, 9 * HOUR)
    assert hall.game(id).game.question_number(side) == number + 1
    assert mine(hall, id, side)["missed"] == 1 and mine(hall, id, side)["reserve"] == "0 minutes"
    assert not hall.game(id).closed and verify(hall.database).faults == []


def test_what_is_answered_in_time_costs_nothing_and_what_is_late_costs_the_reserve(hall: Hall) -> None:
    id = begun(hall, terms=A_DAY)
    side = asked_of(hall, id)[0]
    run(hall, 23 * HOUR)
    by_hand(hall, id, side)
    assert mine(hall, id, side)["reserve"] == "3 days"
    while side not in asked_of(hall, id):
        by_hand(hall, id, side.enemy)
    run(hall, 30 * HOUR)
    by_hand(hall, id, side)
    assert mine(hall, id, side)["reserve"] == "2 days and 18 hours"


def test_who_loses_on_time_loses_and_resigning_and_closing_never_ask_the_clock(hall: Hall) -> None:
    id, other = begun(hall, terms=LOSE), begun(hall, terms=LOSE)
    hall.clocks.do(other, Side.AXIS, "leave")
    hall.close(other, "resigns")
    run(hall, DAY + HOUR)
    assert "has run out of time: it was an answer a day" in hall.game(id).closed
    assert hall.game(other).closed == "resigns"
    with pytest.raises(Exception, match="closed"):
        hall.clocks.do(id, Side.AXIS, "pause")
    run(hall, DAY)


def test_the_admiral_covers_only_if_both_have_agreed(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Side]()
    honest = clocks.AdmiralBot.choose
    monkeypatch.setattr(
        clocks.AdmiralBot, "choose", lambda bot, picture, what: (asked.append(what.side), honest(bot, picture, what))[1]
    )
    id = begun(hall, terms=Terms(HOUR, 0.0, 0.0, 0.0, "admiral"))
    hall.clocks.do(id, Side.AXIS, "cover")
    run(hall, 2 * HOUR)
    assert not asked and not hall.clocks.told(id, Side.AXIS)["cover"]
    hall.clocks.do(id, Side.ALLIES, "cover")
    run(hall, 3 * HOUR)
    assert asked
    hall.clocks.do(id, Side.AXIS, "no cover")
    assert hall.clocks.told(id, Side.ALLIES)["cover_agreed"] == {"me": True, "enemy": False}
    with pytest.raises(ClockRefused, match="chosen when a game is made"):
        hall.clocks.do(begun(hall, terms=LOSE), Side.AXIS, "cover")
    with pytest.raises(ClockRefused, match="no clock"):
        hall.clocks.do(begun(hall), Side.AXIS, "pause")


def test_a_pause_needs_both_and_either_ends_it(hall: Hall) -> None:
    id = begun(hall, terms=LOSE)
    hall.clocks.do(id, Side.AXIS, "pause")
    assert hall.clocks.told(id, Side.ALLIES)["wants_pause"] == "enemy"
    assert hall.clocks.told(id, Side.AXIS)["wants_pause"] == "me" and not hall.clocks.told(id, None)["paused"]
    hall.clocks.do(id, Side.ALLIES, "no pause")
    with pytest.raises(ClockRefused, match="nobody asks"):
        hall.clocks.do(id, Side.ALLIES, "no pause")
    run(hall, 23 * HOUR)
    for side in Side:
        hall.clocks.do(id, side, "pause")
    with pytest.raises(ClockRefused, match="already"):
        hall.clocks.do(id, Side.AXIS, "pause")
    run(hall, 3 * DAY)
    assert not hall.game(id).closed
    hall.clocks.do(id, Side.AXIS, "resume")
    with pytest.raises(ClockRefused, match="not paused"):
        hall.clocks.do(id, Side.AXIS, "resume")
    run(hall, 23 * HOUR)
    assert not hall.game(id).closed  # all of an answer's time again
    run(hall, 2 * HOUR)
    assert hall.game(id).closed


def test_a_vacation_stops_ones_own_clock_and_ends_when_it_is_used_up(hall: Hall) -> None:
    id = begun(hall, terms=Terms(DAY, 0.0, 0.0, 2 * DAY, "lose"))
    for side in Side:
        hall.clocks.do(id, side, "leave")
    with pytest.raises(ClockRefused, match="already"):
        hall.clocks.do(id, Side.AXIS, "leave")
    assert hall.clocks.told(id, Side.AXIS)["away"] == {"axis": True, "allies": True}
    run(hall, 36 * HOUR)
    hall.clocks.do(id, Side.AXIS, "return")
    with pytest.raises(ClockRefused, match="not on vacation"):
        hall.clocks.do(id, Side.AXIS, "return")
    assert mine(hall, id, Side.AXIS)["vacation"] == "12 hours"
    hall.clocks.do(id, Side.AXIS, "leave")
    run(hall, 13 * HOUR)
    assert not any(hall.clocks.told(id, None)["away"].values())
    with pytest.raises(ClockRefused, match="no vacation left"):
        hall.clocks.do(id, Side.AXIS, "leave")
    assert not hall.game(id).closed
    run(hall, 25 * HOUR)
    assert hall.game(id).closed


def test_the_other_seat_does_not_see_whose_clock_runs(hall: Hall) -> None:
    """One game in which the Axis has answered in secret, and one in which it has not: the Allies are told the same."""
    told = []
    for answers in (False, True):
        id = begun(hall, terms=A_DAY, scenario="midway")
        assert asked_of(hall, id) == list(Side)
        if answers:
            by_hand(hall, id, Side.AXIS)
        told.append((id, json.dumps([hall.clocks.told(id, Side.ALLIES), hall.clocks.told(id, None)])))
    assert told[0][1] == told[1][1]
    run(hall, 40 * HOUR)  # the one who has not answered uses his reserve: that is not told yet
    assert all(hall.clocks.told(id, Side.ALLIES)["reserve"]["axis"] == "3 days" for id, _ in told)
    seen = [hall.clocks.told(id, None) for id, _ in told]
    assert seen[0] == seen[1]


# -- jumps ------------------------------------------------------------------------------------------------


def jump(clock: SetClock, chance: Random) -> float:
    """Something that happens to clocks; how long the server really ran meanwhile."""
    how = chance.choice(("set", "set", "stopped", "asleep", "rebooted", "runs", "runs"))
    by = chance.choice((-3600.0, 3600.0, 30 * DAY, -30 * DAY, -7200.0))
    if how == "set":
        clock.wall += by  # DST on a machine that keeps local time, a wrong date, a correction
    elif how == "asleep":
        clock.wall += abs(by)  # the steady clock of a machine stands while it sleeps
    elif how == "stopped":
        clock.pass_by(abs(by) * 3)
    elif how == "rebooted":
        clock.wall += abs(by)
        clock.steady = 10.0
    clock.pass_by(BEAT)
    return BEAT


def test_nobody_loses_by_a_jump_alone(tmp_path: Path) -> None:
    hall, clock = hall_at(ready_database("sqlite", tmp_path))
    id, chance, truly = begun(hall, terms=Terms(HOUR, 0.0, 0.0, 0.0, "lose")), Random(5), 0.0
    hall.clocks.step()
    for _ in range(200):
        truly += jump(clock, chance)
        if chance.random() < 0.1:  # and the server was started again
            hall = Hall(hall.database, hall.settings)
            hall.release.clock = clock
        hall.clocks.step()
        assert not hall.game(id).closed
        with hall.database.read() as connection:
            ran = connection.execute(select(SERVER_TIME.c.ran)).scalar_one()
        assert 0.0 <= ran <= truly
        assert "-" not in json.dumps(hall.clocks.told(id, Side.AXIS)["mine"])
    assert hall.clocks.told(id, None)["jumped"]
    hall.database.close()


def test_after_a_jump_nobodys_time_runs_out_for_an_hour_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "BEAT", 60.0)
    hall, clock = hall_at(ready_database("sqlite", tmp_path))
    id = begun(hall, terms=Terms(HOUR, 0.0, 0.0, 0.0, "lose"))
    run(hall, 58 * 60)
    clock.wall += 30 * DAY
    run(hall, 30 * 60)
    assert hall.clocks.told(id, Side.AXIS)["jumped"] and not hall.game(id).closed
    run(hall, 32 * 60)
    assert hall.game(id).closed  # at last he did run out of time
    hall.database.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_that_was_away_for_days_costs_nobody_anything(kind: str, tmp_path: Path) -> None:
    url = ready_database(kind, tmp_path)
    terms = {"answer_hours": 1, "reserve_hours": 0, "grace_hours": 0, "when_out": "lose"}
    server = Process(url, tmp_path).start()
    table = seated(server.client(), "denmark-strait", axis="person", allies="person", clock=terms)
    asked = {
        seat: each.view() for seat, each in people_at(server.client(), table).items() if seat in ("axis", "allies")
    }
    server.kill()
    database = Database(url)
    with database.write() as connection:  # ten days ago, as the clocks then stood
        row = connection.execute(select(SERVER_TIME)).mappings().one()
        ago = {"wall": row["wall"] - 10 * DAY, "mono": max(0.0, row["mono"] - 10 * DAY)}
        connection.execute(update(SERVER_TIME).values(**ago))
    database.close()
    server.start()
    for seat, each in people_at(server.client(), table).items():
        if seat in asked:
            assert each.view()["closed"] == "" and each.view() == asked[seat]
    clock = server.client(table.tokens["axis"]).get(f"{table.path}/clock")
    assert clock.body["terms"]["pace"] == "an answer an hour"
    assert any(each in clock.body["mine"]["words"] for each in ("You have 1 hour", "You have 59 minutes", "stands"))
    server.stop()


# -- over HTTP --------------------------------------------------------------------------------------------


def test_clocks_are_chosen_at_set_up_and_refuse_in_words(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        people = server.seated(clock={"answer_hours": 24, "when_out": "admiral"}, release="post", spectators=True)
        axis, host = people["axis"], people["host"]
        told = axis.get(axis.at("/clock")).json()
        assert told["release"]["kind"] == "post" and told["terms"]["pace"] == "an answer a day"
        assert axis.post(axis.at("/clock"), {"do": "leave"}).json()["mine"]["away"]
        refused = axis.post(axis.at("/clock"), {"do": "resume"})
        assert refused.status_code == 422 and refused.json()["refused"] == "the clocks are not paused"
        assert host.post(host.at("/clock"), {"do": "pause"}).status_code == 404
        assert "mine" not in host.get(host.at("/clock")).json()
        stranger = server.visitor()
        assert stranger.get(axis.at("/clock")).json()["terms"] is None
        assert axis.post(axis.at("/close"), {"why": ""}).json() == {"ok": True}
        assert axis.post(axis.at("/clock"), {"do": "return"}).status_code in (409, 422)
        assert "Your clock stands" in axis.get(f"/games/{axis.game}/clock").text
        assert stranger.get(f"/games/{axis.game}/clock").status_code == 404
        assert server.visitor().post("/api/games", {"clock": {"answer_hours": 0}}).status_code == 422
