"""Where odds are fought: the first answer needs no kernels, the kernels take over when they are compiled, and what is said
does not depend on when that was. A worker is told questions and tells answers, and nothing goes wrong aloud."""

from __future__ import annotations

import json
import logging
from collections import deque
from typing import Any

import pytest

from flagplot.api.battle_odds import world_of_setup
from flagplot.core.sides import Side
from flagplot.odds import advisor, compiling, sampling
from flagplot.odds.sampling import OPENING, USUAL, Batch, fight_plainly
from flagplot.odds.tally import Tally
from flagplot.scenarios.loader import load_scenario
from flagplot.web import odds_worker
from flagplot.web.odds_worker import Advice, Question, Run, Told, Turn, work

SECRET = "Wakamiya Maru"


def question(*, most: int = 28, advice: Advice | None = None) -> Question:
    scenario = load_scenario("denmark-strait")
    world, belief = world_of_setup(scenario.setup, scenario.edition, scenario.options, side=Side.AXIS)
    return Question(world, belief, USUAL, (), 5, 0.0001, most, 1000.0, advice)


def through(run: Run) -> list[dict[str, Any]]:
    """Turn after turn to the last answer."""
    found = []
    while True:
        told = run.turn(0.0)
        found.append(json.loads(told.answer))
        if told.last:
            return found


def test_the_kernels_take_over_in_the_middle_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    by: list[tuple[str, int, int]] = []

    def noted(how: str) -> Any:
        def fight(batch: Batch) -> Tally:
            by.append((how, batch.first, batch.battles))
            return fight_plainly(batch)  # kernels fight the same battles (tests/odds/test_kernels_equal.py)

        return fight

    monkeypatch.setattr(compiling, "begin", lambda: None)
    monkeypatch.setattr(compiling, "ready", lambda: len(by) >= 5)
    monkeypatch.setattr(sampling, "at_hand", lambda: False)
    monkeypatch.setattr(sampling, "AT_ONCE", 60.0)
    monkeypatch.setattr(sampling, "fight_plainly", noted("procedures"))
    monkeypatch.setattr(sampling, "fight_compiled", noted("kernels"))
    found = through(Run(question()))
    assert found[0]["battles"] == OPENING and found[-1]["battles"] == 28
    how = [each[0] for each in by]
    assert by[:OPENING] == [("procedures", battle, 1) for battle in range(OPENING)]  # at once
    assert how == sorted(how, reverse=True) and how[-1] == "kernels"
    monkeypatch.setattr(compiling, "ready", lambda: False)
    plainly = through(Run(question()))[-1]
    assert plainly == found[-1]


def test_the_kernels_take_over_in_the_middle_of_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = pytest.importorskip("flagplot.odds.kernels")
    plainly = advisor._plainly
    by: list[str] = []

    def fought(*asked: Any) -> Any:
        by.append("procedures")
        return plainly(*asked)

    def prepare(world: Any, doctrines: Any, orders: Any = None) -> Any:
        return world, doctrines, orders

    def rows(prepared: Any, seed: int, first: int, battles: int) -> Any:
        by.append("kernels")
        return plainly(*prepared, seed, range(first, first + battles))

    monkeypatch.setattr(advisor, "_plainly", fought)
    monkeypatch.setattr(kernels, "prepare", prepare)
    monkeypatch.setattr(kernels, "fight_rows", rows)
    monkeypatch.setattr(compiling, "begin", lambda: None)
    monkeypatch.setattr(compiling, "ready", lambda: len(by) >= 3)
    asked = question(advice=Advice(Side.AXIS, "withdraw", "factors", 16))
    found = through(Run(asked))
    assert by.index("kernels") == 3 and set(by[3:]) == {"kernels"}
    assert not found[0]["choices"] and found[-1]["each"] == 16
    assert [each["battles"] for each in found] == sorted(each["battles"] for each in found)
    monkeypatch.setattr(compiling, "ready", lambda: False)
    assert through(Run(asked))[-1] == found[-1]


def test_a_question_that_has_had_its_time_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "at_hand", lambda: False)
    monkeypatch.setattr(sampling, "AT_ONCE", 0.0)
    told = Run(question(most=100_000)._replace(seconds=0.0001)).turn(0.1)
    answer = json.loads(told.answer)
    assert told.last and answer["battles"] == 1 and "the longest a question may take here" in answer["why"]


class Pipe:
    """Turns for a worker, and what it tells."""

    def __init__(self, *turns: Turn) -> None:
        self.turns = deque(turns)
        self.told: list[Told] = []

    def recv(self) -> Turn:
        if not self.turns:
            raise EOFError
        return self.turns.popleft()

    def send(self, told: Told) -> None:
        self.told.append(told)


def test_what_goes_wrong_is_a_number_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither the answer nor the log holds anything of the world; the next question is answered all the same."""

    def fails(world: Any, **how: Any) -> Any:
        raise KeyError(SECRET)

    monkeypatch.setattr(odds_worker, "LATER", 0)
    monkeypatch.setattr(odds_worker.signal, "signal", lambda *told: None)
    good = odds_worker.odds
    monkeypatch.setattr(odds_worker, "odds", fails)
    pipe = Pipe(Turn((), 1, question(), 0.1))
    with caplog.at_level(logging.DEBUG):
        work(pipe)  # type: ignore[arg-type]
    monkeypatch.setattr(odds_worker, "odds", good)
    monkeypatch.setattr(sampling, "AT_ONCE", 60.0)  # on a busy machine too the first answer is the whole one
    after = Pipe(Turn((1,), 2, question(most=4), 0.1))
    work(after)  # type: ignore[arg-type]
    (told,) = pipe.told
    assert told.last and not told.answer and "was noted as number" in told.refused
    heard = capfd.readouterr()
    assert SECRET not in told.refused + caplog.text + heard.out + heard.err
    assert after.told[0].last and json.loads(after.told[0].answer)["battles"] == 4
