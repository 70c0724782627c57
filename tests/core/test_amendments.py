"""Amendments in the runner and on the tape: handed to the table, not to the procedure that waits."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.core.errors import HistoryChanged, IllegalChoice, NotYourDecision, TapeMismatch
from flagplot.core.forms import Wire, pick
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import AMENDMENT, Amended, Answered, Entry, Undone, tape

FORM = pick({"left": "left", "right": "right"}, "left")
CHANGE = {"by": "axis", "agreed": ["allies"], "change": "more light", "words": "it was dark"}


async def procedure(log: list[Any]) -> None:
    log.append((await Decide(Side.AXIS, "22.1", "turn", "Which way?", FORM)).choice)
    log.append((await Decide(Side.ALLIES, "22.1", "turn", "Which way?", FORM)).choice)


def started(refuse: bool = False) -> tuple[Runner, list[Any]]:
    log: list[Any] = []

    def amends(wire: Wire) -> None:
        if refuse:
            raise IllegalChoice(AMENDMENT, "no such light.")
        log.append(wire)

    return Runner(procedure(log), lambda: str(len(log)), amends), log


def test_an_amendment_is_recorded_and_the_question_stays_open() -> None:
    runner, log = started()
    asked = runner.pending
    runner.answer(Side.AXIS, "left")
    runner.amend(CHANGE)
    assert runner.pending is not asked and runner.decision_for(Side.ALLIES)
    runner.answer(Side.ALLIES, "right")
    assert log == ["left", CHANGE, "right"]
    again, replayed = started()
    again.replay(runner.tape)
    assert replayed == log and again.tape == runner.tape
    with pytest.raises(NotYourDecision, match="all is over"):
        runner.amend(CHANGE)


def test_what_is_refused_leaves_the_tape_unmarked() -> None:
    runner, _ = started(refuse=True)
    with pytest.raises(IllegalChoice, match="no such light"):
        runner.amend(CHANGE)
    assert runner.tape == []
    plain = Runner(procedure([]))
    with pytest.raises(IllegalChoice, match="nothing can be put right here"):
        plain.amend(CHANGE)


def test_a_replayed_amendment_is_checked_like_any_entry() -> None:
    entry = Entry(AMENDMENT, AMENDMENT, CHANGE, "0")
    runner, _ = started()
    runner.replay([entry])
    altered, _ = started()
    with pytest.raises(HistoryChanged, match="entry 0"):
        altered.replay([Entry(AMENDMENT, AMENDMENT, CHANGE, "7")])
    refusing, _ = started(refuse=True)
    with pytest.raises(TapeMismatch, match="no such light"):
        refusing.replay([entry])
    unchecked, log = started()
    unchecked.replay([Entry(AMENDMENT, AMENDMENT, CHANGE)])
    assert log == [CHANGE]


def test_the_journal_folds_amendments_into_the_tape_and_undo_takes_them_back() -> None:
    answered = Answered("22.1 axis", "axis", "left", "0")
    amended = Amended("axis", "more light", "it was dark", ("allies",), "1")
    assert tape([answered, amended]) == [
        Entry("22.1 axis", "axis", "left", "0"),
        Entry(AMENDMENT, AMENDMENT, CHANGE, "1"),
    ]
    assert tape([answered, amended, Undone("axis", 0, True)]) == []
