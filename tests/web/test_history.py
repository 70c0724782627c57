"""The checker of histories finds what is planted, and lets an honest server pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

from flagplot.core.sides import Side
from flagplot.core.tape import Answered
from flagplot.play.game import Game
from flagplot.scenarios.loader import shipped_scenario
from tests.web.databases import ready_database
from tests.web.history import (
    Attempt,
    Decision,
    History,
    Look,
    Outcome,
    Player,
    Stored,
    complaints,
    digest,
    stored,
    take_seats,
)
from tests.web.server import Server


def honest() -> tuple[History, dict[str, Stored]]:
    """Two decisions of each side, one of them sent twice, one refused, one never heard of again; and three looks."""
    game = Game.new(shipped_scenario("coral-sea").setup, people=tuple(Side))
    history, of_decision, answered = History(), [], {}
    now = 0.0
    questions = dict.fromkeys(Side, 0)
    for number in range(4):
        side = Side.AXIS if game.decision(Side.AXIS) else Side.ALLIES
        decision = game.decision(side)
        assert decision is not None
        before = len(game.journal)
        game.submit(side, decision.form.default)
        while game.roll_due():
            game.roll()
        reply = {"ok": True, "version": f"{number}.1"}
        id = f"decision-{number}"
        attempts = [Attempt(now, now + 1, Outcome.OK, reply)]
        if number == 0:
            attempts = [Attempt(now, float("inf"), Outcome.UNKNOWN), Attempt(now + 0.5, now + 1, Outcome.OK, reply)]
        history.decisions.append(Decision(id, "g", side.value, questions[side], decision.form.default, attempts))
        of_decision += [id] * (len(game.journal) - before)
        answered[id] = (side.value, reply)
        questions[side] += 1
        now += 2
    history.decisions.append(Decision("late", "g", "axis", 0, {}, [Attempt(now, now + 1, Outcome.REFUSED)]))
    history.decisions.append(Decision("lost", "g", "axis", 9, {}, [Attempt(now, float("inf"), Outcome.UNKNOWN)]))
    log = ["one", "two", "three"]
    history.looks = [Look("g", "axis", 20.0 + n, 20.1 + n, f"{n}.1", n, digest(log[:n])) for n in (1, 2, 3)]
    history.last_logs["g", "axis"] = log
    return history, {"g": Stored(game.header, list(game.journal), of_decision, answered)}


def test_an_honest_history_passes() -> None:
    assert complaints(*honest()) == []


def lose(history: History, game: Stored) -> None:
    at = game.of_decision.index("decision-3")
    del game.lines[at:], game.of_decision[at:], game.answered["decision-3"]


def lose_all(history: History, game: Stored) -> None:
    game.lines.clear()
    game.of_decision.clear()
    game.answered.clear()


def twice(history: History, game: Stored) -> None:
    game.of_decision[-1] = "decision-0"


def strange(history: History, game: Stored) -> None:
    del history.decisions[1]


def apply_refused(history: History, game: Stored) -> None:
    history.decisions[2].attempts.insert(0, Attempt(3.5, 3.7, Outcome.REFUSED))


def answer_differently(history: History, game: Stored) -> None:
    attempt = history.decisions[1].attempts[0]
    history.decisions[1].attempts.append(Attempt(9, 10, Outcome.OK, {"ok": True, "version": "99.9"}))
    assert attempt.reply != history.decisions[1].attempts[1].reply


def half_stored(history: History, game: Stored) -> None:
    del game.answered["decision-2"]


def reorder(history: History, game: Stored) -> None:
    for attempt in history.decisions[0].attempts:
        attempt.sent += 100
        attempt.done += 100


def wrong_seat(history: History, game: Stored) -> None:
    history.decisions[0].seat = "allies" if history.decisions[0].seat == "axis" else "axis"


def question_twice(history: History, game: Stored) -> None:
    for decision in history.decisions:
        decision.question = 0


def alter_answer(history: History, game: Stored) -> None:
    first = game.lines[0]
    assert isinstance(first, Answered)
    game.lines[0] = Answered(first.tag, first.who, first.answer, "0" * len(first.check))


def go_back(history: History, game: Stored) -> None:
    history.looks.append(Look("g", "axis", 30.0, 30.1, "1.1", 1, digest(["one"])))


def forget_answer(history: History, game: Stored) -> None:
    history.looks.insert(0, Look("g", "axis", 1.0, 2.0, "9.1"))  # told in an answer, and then less is shown


def rewrite(history: History, game: Stored) -> None:
    history.last_logs["g", "axis"] = ["one", "other", "three"]


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (lose, "was acknowledged and is lost"),
        (lose_all, "was acknowledged and is lost"),
        (twice, "applied twice"),
        (strange, "nobody sent it"),
        (apply_refused, "was refused and is applied"),
        (answer_differently, "was answered differently"),
        (half_stored, "without its answer"),
        (reorder, "stands before it"),
        (wrong_seat, "in the journal"),
        (question_twice, "was answered twice"),
        (alter_answer, "does not verify"),
        (go_back, "was seen after"),
        (forget_answer, "was seen after"),
        (rewrite, "were different before"),
    ],
)
def test_what_is_planted_is_found(plant: Callable[[History, Stored], None], found: str) -> None:
    history, games = deepcopy(honest())
    plant(history, games["g"])
    assert any(found in complaint for complaint in complaints(history, games))


def test_a_game_that_is_gone_is_missed() -> None:
    history, _ = honest()
    assert complaints(history, {}) == ["game g is lost"]


@pytest.mark.parametrize(
    ("fault", "found"), [("forgets", "was acknowledged and is lost"), ("repeats", "was refused and is applied")]
)
def test_a_server_that_breaks_its_word_is_found_out(tmp_path: Path, fault: str, found: str) -> None:
    url, history = ready_database("sqlite", tmp_path), History()
    server = Server(url, tmp_path).start()
    try:
        tables = take_seats(server.client(), 2)
        server.stop()
        server.start(fault=fault)
        players = [
            Player(history, lambda: server.port, seat, [table], seed, twice=0.3)
            for seed, (table, seat) in enumerate((table, seat) for table in tables for seat in ("axis", "allies"))
        ]
        for player in players:
            player.start()
        until = time.monotonic() + 20
        wrong: list[str] = []
        while time.monotonic() < until and not any(found in complaint for complaint in wrong):
            time.sleep(0.5)
            wrong = complaints(deepcopy(history), stored(url))
        for player in players:
            player.ending.set()
        for player in players:
            player.join(20)
    finally:
        server.kill()
    wrong = complaints(history, stored(url))
    assert any(found in complaint for complaint in wrong), wrong
