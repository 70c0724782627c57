"""Release clocks: what reaches the other seat, and when, does not say whether a person or standing orders answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.hall as hall_module
from flagplot.core.errors import StaleRequest
from flagplot.core.sides import Side
from flagplot.play.correspondence import Reply, TurnRefused, head_of
from flagplot.web import clocks, post, release, standing
from flagplot.web.asking import Shown
from flagplot.web.backup import verify
from flagplot.web.clocks import HOUR, Clocks, Terms
from flagplot.web.desks import Desks
from flagplot.web.hall import Hall
from flagplot.web.release import COLLECTED, POST, QUARTER, next_quarter
from flagplot.web.seats import Seat
from flagplot.web.views import view
from tests.web.databases import KINDS, ready_database
from tests.web.server import decision_id
from tests.web.timing import NOON, NumberedGame, SetClock, asked_of, begun, by_hand, hall_at

EVERYTHING = "anything: default"
BY_HAND, ORDERS, AHEAD, BY_LETTER = "by hand", "by order", "ahead", "by letter"
QUARTERS = 8
MINUTES = range(1, 15)

Made = tuple[Hall, SetClock]
Opening = Callable[[], Made]


@pytest.fixture(params=KINDS)
def opening(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opening]:
    monkeypatch.setattr(hall_module, "Game", NumberedGame)
    made: list[Hall] = []

    def opened() -> Made:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        hall, clock = hall_at(ready_database(request.param, folder))
        made.append(hall)
        return hall, clock

    yield opened
    for hall in made:
        hall.database.close()


def seen_by(hall: Hall, id: str, side: Side | None) -> bytes:
    """All that a seat, or a spectator, can receive of a game now, but for its name."""
    with hall.holding(id) as live:
        seat = Seat(id, side.value, "") if side else None
        told = view(live, side) | {"id": ""}
        version = Shown(live, side, False, seat).version
    return json.dumps([told, version, hall.notes(id), hall.clocks.told(id, side)]).encode()


def by_letter(hall: Hall, id: str, side: Side) -> None:
    """Answer what is open to a side as the form offers, in a reply to its turn file."""
    with hall.holding(id) as live:
        decision, number = live.game.decision(side), live.game.question_number(side)
        assert decision is not None
        head = head_of(live.game, side, **post._of_now(live, side, ""))
    reply = Reply(id=f"letter-{number}", question=number, answer=decision.form.default)
    post._taken(hall, id, head, reply, "", mine=True)


def played(opening: Opening, how: str) -> list[tuple[float, bytes, bytes]]:
    """Hours of a game by post, as the Allies and spectators see it minute by minute. The Axis answers before each quarter
    hour by hand or by letter, or has it done by standing order or by answers ahead; the Allies always answer by hand."""
    hall, clock = opening()
    id, chance = begun(hall, POST, Terms(HOUR, 3 * HOUR, 0.0, 0.0, "default")), Random(11)
    if how == ORDERS:
        hall.standing.set(id, Side.AXIS, EVERYTHING)
    elif how == AHEAD:
        Desks(hall).ahead(id, Side.AXIS, "\n".join([EVERYTHING] * 50))
    seen = []
    for quarter in range(QUARTERS):
        axis_at = chance.choice(MINUTES)
        for minute in range(15):
            if minute == 7 and Side.ALLIES in asked_of(hall, id):
                by_hand(hall, id, Side.ALLIES)
            if how in TYPED and minute == axis_at and Side.AXIS in asked_of(hall, id):
                TYPED[how](hall, id, Side.AXIS)
            for half in range(2):
                clock.pass_by(30.0 if minute < 14 else COLLECTED if half else 60.0 - COLLECTED)
                hall.release.step()
                hall.standing.step()
                if minute == 14 and not half:  # what orders answer is in its envelopes, and nobody sees anything
                    seen.append((clock.time(), seen_by(hall, id, Side.ALLIES), seen_by(hall, id, None)))
            hall.clocks.step()
            if minute % 5:
                continue
            seen.append((clock.time(), seen_by(hall, id, Side.ALLIES), seen_by(hall, id, None)))
        assert clock.time() == NOON + (quarter + 1) * QUARTER
        seen.append((clock.time(), seen_by(hall, id, Side.ALLIES), seen_by(hall, id, None)))
    assert verify(hall.database).faults == []
    return seen


TYPED: dict[str, Callable[[Hall, str, Side], Any]] = {BY_HAND: by_hand, BY_LETTER: by_letter}


def assert_nobody_can_tell(opening: Opening, how: str = ORDERS) -> None:
    typed, automatic = (played(opening, each) for each in (BY_HAND, how))
    if typed != automatic:
        raise AssertionError("not the same bytes at the same moments")
    assert len({each for _, each, _ in typed}) > QUARTERS * 0.6  # a game went on


def test_by_post_answers_by_hand_and_by_order_reach_the_other_seat_alike(opening: Opening) -> None:
    assert_nobody_can_tell(opening)


@pytest.mark.parametrize("opening", ["sqlite"], indirect=True)
@pytest.mark.parametrize("how", [AHEAD, BY_LETTER])
def test_by_post_answers_ahead_and_replies_to_turn_files_reach_the_other_seat_alike(opening: Opening, how: str) -> None:
    assert_nobody_can_tell(opening, how)


@pytest.mark.parametrize("opening", ["sqlite"], indirect=True)
def test_a_fault_in_the_release_of_answers_ahead_is_noticed(opening: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_live(monkeypatch, standing.Standing, "_give")
    monkeypatch.setattr(f"{__name__}.QUARTERS", 12)  # until Axis decides something that everybody sees at once
    with pytest.raises(AssertionError, match="the same bytes"):
        assert_nobody_can_tell(opening, AHEAD)


def as_if_live(patch: pytest.MonkeyPatch, where: type, name: str) -> None:
    """What is done there is done as in a game that is not played by post."""
    honest = getattr(where, name)

    def hasty(self: Any, live: Any, *others: Any, **more: Any) -> Any:
        named, live.release = live.release, release.LIVE
        try:
            return honest(self, live, *others, **more)
        finally:
            live.release = named

    patch.setattr(where, name, hasty)


def orders_come_at_once(patch: pytest.MonkeyPatch) -> None:
    as_if_live(patch, standing.Standing, "go_on")


def what_is_typed_comes_at_once(patch: pytest.MonkeyPatch) -> None:
    as_if_live(patch, release.Release, "take")


def envelopes_are_charged_publicly(patch: pytest.MonkeyPatch) -> None:
    honest = Clocks.settle

    def open_handed(self: Any, connection: Any, live: Any, asked: Any, *, unseen: bool = False) -> None:
        honest(self, connection, live, asked)
        found = clocks._read(connection, live.id)
        if found is not None:
            found[1].shown = {
                side: hand.reserve - 3600.0 * (hand.question < 0) for side, hand in found[1].hands.items()
            }
            clocks._write(connection, live.id, found[1])

    patch.setattr(Clocks, "settle", open_handed)


def orders_miss_a_quarter_hour(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(release.Release, "_with_orders", lambda self: [])


@pytest.mark.parametrize("opening", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "fault",
    [orders_come_at_once, what_is_typed_comes_at_once, orders_miss_a_quarter_hour, envelopes_are_charged_publicly],
)
def test_a_fault_in_the_release_is_noticed(
    opening: Opening, fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="the same bytes"):
        assert_nobody_can_tell(opening)


def test_an_answer_in_its_envelope_can_be_taken_back_and_is_not_given_twice(opening: Opening) -> None:
    hall, clock = opening()
    id = begun(hall, POST)
    if Side.AXIS in asked_of(hall, id):
        by_hand(hall, id, Side.AXIS)
    before = seen_by(hall, id, Side.AXIS)
    live = hall.game(id)
    question, decision = live.game.question_number(Side.ALLIES), live.game.decision(Side.ALLIES)
    assert decision is not None
    told = hall.submit(id, Side.ALLIES, "the-same-id", question, decision.form.default)
    assert told["opens"] == next_quarter(clock.time())
    assert hall.submit(id, Side.ALLIES, "the-same-id", question, decision.form.default) == told
    with pytest.raises(StaleRequest, match="quarter hour"):
        hall.submit(id, Side.ALLIES, decision_id(), question, decision.form.default)
    with hall.holding(id) as live:
        mine = view(live, Side.ALLIES)
    assert mine["question"] is None and "take it back" in mine["waiting"]
    assert seen_by(hall, id, Side.AXIS) == before and asked_of(hall, id) == []
    back = hall.undo(id, Side.ALLIES, "taken-back-once")
    assert back["ok"] and hall.undo(id, Side.ALLIES, "taken-back-once") == back
    assert asked_of(hall, id) == [Side.ALLIES] and seen_by(hall, id, Side.AXIS) == before
    by_hand(hall, id, Side.ALLIES)
    again = Hall(hall.database, hall.settings)  # a server that was started again
    again.release.clock = clock
    assert asked_of(again, id) == []
    again.release.step()
    assert seen_by(again, id, Side.AXIS) == before
    clock.pass_by(QUARTER)
    again.release.step()
    assert seen_by(again, id, Side.AXIS) != before and verify(hall.database).faults == []


def test_a_reply_to_a_turn_file_waits_in_its_envelope_counts_once_and_can_be_taken_back(opening: Opening) -> None:
    hall, clock = opening()
    id = begun(hall, POST)
    side = next(iter(asked_of(hall, id)))
    with hall.holding(id) as live:
        head = head_of(live.game, side, **post._of_now(live, side, ""))
        decision, number = live.game.decision(side), live.game.question_number(side)
    assert decision is not None and head.asked
    reply = Reply(id="a-letter-of-mine", question=number, answer=decision.form.default, notepad="noted")
    before = seen_by(hall, id, side.enemy)
    told = post._taken(hall, id, head, reply, "", mine=True)
    assert "opens at the next full quarter hour" in told["said"] and not told["asked"]
    assert seen_by(hall, id, side.enemy) == before and Desks(hall).of(id, side).notepad == "noted"
    assert "had been taken already" in post._taken(hall, id, head, reply, "", mine=True)["said"]
    other = Reply(id="another-of-mine", question=number, answer=decision.form.default)
    with pytest.raises(TurnRefused, match="Nothing is asked of"):
        post._taken(hall, id, head, other, "", mine=True)
    with hall.holding(id) as live:
        now = head_of(live.game, side, **post._of_now(live, side, ""))
    assert not now.asked and now.turn == head.turn + 1
    hall.undo(id, side, "taken-back-once")
    assert side in asked_of(hall, id)
    post._taken(hall, id, head, other, "", mine=True)
    hall.release.step()
    clock.pass_by(QUARTER)
    hall.release.step()
    assert hall.game(id).game.question_number(side) == number + 1
    assert "had been taken already" in post._taken(hall, id, head, other, "", mine=True)["said"]


def test_closing_and_resigning_do_not_wait_for_the_quarter_hour(opening: Opening) -> None:
    hall, _ = opening()
    id = begun(hall, POST)
    for side in list(asked_of(hall, id)):
        by_hand(hall, id, side)
    hall.close(id, "resigns")
    assert hall.game(id).closed == "resigns"
    hall.release.open(id)  # nothing is opened in a closed game
    assert hall.game(id).closed == "resigns"


# -- live ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orders", [EVERYTHING, "anything: doctrine", "anything: ask", "evade: fight"])
def test_live_the_delay_of_an_automatic_answer_is_drawn_before_its_content_is_known(
    opening: Opening, orders: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "DELAY", (20.0, 120.0))
    hall, clock = opening()
    id, log = begun(hall, scenario="midway"), list[str]()
    honest = standing._answer
    monkeypatch.setattr(standing, "_answer", lambda *asked: (log.append("looked"), honest(*asked))[1])
    hall.release.draw = lambda low, high: (log.append("drawn"), 47.0)[1]
    hall.standing.set(id, Side.AXIS, orders)
    assert log == ["drawn"] and Side.AXIS in asked_of(hall, id)
    clock.pass_by(46.9)
    hall.standing.step()
    assert log == ["drawn"]
    clock.pass_by(0.2)
    hall.standing.step()
    answers = orders in (EVERYTHING, "anything: doctrine")
    assert log == (["drawn", "looked", "drawn"] if answers else ["drawn", "looked"])
    assert hall.game(id).game.question_number(Side.AXIS) == answers
    clock.pass_by(0.1)
    hall.standing.step()
    assert hall.game(id).game.question_number(Side.AXIS) == answers  # the next one waits, too
    by_hand(hall, id, Side.ALLIES)  # what is typed counts at once
    assert hall.game(id).game.question_number(Side.ALLIES) == 1


def test_live_delays_are_of_one_kind_whatever_is_answered() -> None:
    low, high = release.LIVE_DELAY
    assert 10.0 <= low < high <= 300.0
