"""The runner, the tape, dice and the rule index."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from flagplot.core import rulebook
from flagplot.core.asks import Both, Decide, Roll
from flagplot.core.dice import ScriptedDice, SystemDice, TypedDice
from flagplot.core.errors import (
    EngineError,
    HistoryChanged,
    IllegalChoice,
    NotYourDecision,
    PlayerError,
    SaveError,
    TapeMismatch,
)
from flagplot.core.forms import pick
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Answered, Committed, Entry, Rolled, Undone, draws, tape

FORM = pick({"left": "left", "right": "right"}, "left")


def choose(side: Side) -> Decide:
    return Decide(side, "22.1", "turn", "Which way?", FORM)


async def procedure(log: list[Any]) -> None:
    log.append(await Roll(2, "22.55", Side.AXIS, "a shot"))
    log.append((await choose(Side.ALLIES)).choice)
    both = await Both(choose(Side.AXIS), choose(Side.ALLIES))
    log.append({side: answer.choice for side, answer in both.items()})


def started() -> tuple[Runner, list[Any]]:
    log: list[Any] = []
    return Runner(procedure(log), lambda: str(len(log))), log


def test_a_procedure_receives_what_it_asked_for() -> None:
    runner, log = started()
    assert runner.roll_due() and not runner.decision_for(Side.AXIS)
    runner.roll([3, 4])
    runner.answer(Side.ALLIES, "left")
    runner.answer(Side.ALLIES, "right")
    runner.answer(Side.AXIS, "left")
    assert runner.over
    assert log == [(3, 4), "left", {Side.AXIS: "left", Side.ALLIES: "right"}]
    assert [entry.who for entry in runner.tape] == ["dice", "allies", "allies", "axis"]


def test_a_wrong_number_of_dice_is_refused_in_a_sentence() -> None:
    for dice, told in ((1, "One die is rolled here."), (2, "2 dice are rolled here.")):
        with pytest.raises(IllegalChoice) as refused:
            Roll(dice, "22.451", Side.AXIS, "a search").read([])
        assert refused.value.reason == told


def test_answers_out_of_turn_or_out_of_bounds_change_nothing() -> None:
    runner, _ = started()
    with pytest.raises(NotYourDecision, match="axis has nothing to decide"):
        runner.answer(Side.AXIS, "left")
    for dice in ([1], "66", [0, 1], [1, 7], [True, 1], [1.0, 2]):
        with pytest.raises(IllegalChoice):
            runner.roll(dice)  # type: ignore[arg-type]
    runner.roll([1, 1])
    with pytest.raises(NotYourDecision, match="no dice"):
        runner.roll([1, 1])
    with pytest.raises(IllegalChoice):
        runner.answer(Side.ALLIES, "up")
    with pytest.raises(NotYourDecision):
        runner.answer(Side.AXIS, "left")
    runner.answer(Side.ALLIES, "left")
    runner.answer(Side.AXIS, "left")
    with pytest.raises(NotYourDecision):
        runner.answer(Side.AXIS, "right")
    assert len(runner.tape) == 3


def recording() -> list[Entry]:
    runner, _ = started()
    runner.roll([3, 4])
    runner.answer(Side.ALLIES, "left")
    runner.answer(Side.AXIS, "right")
    runner.answer(Side.ALLIES, "right")
    return runner.tape


def test_replay_takes_a_recording_and_keeps_it() -> None:
    runner, log = started()
    runner.replay(recording())
    assert runner.over and runner.tape == recording() and log[1] == "left"


@pytest.mark.parametrize(
    ("index", "change", "error"),
    [
        (0, Entry("22.99 roll 2 axis", "dice", [3, 4], "0"), TapeMismatch),
        (0, Entry("22.55 roll 2 axis", "allies", "left", "0"), TapeMismatch),
        (0, Entry("22.55 roll 2 axis", "nobody", "left", "0"), TapeMismatch),
        (0, Entry("22.55 roll 2 axis", "dice", [3, 9], "0"), TapeMismatch),
        (1, Entry("22.1 allies", "allies", {"choice": "up"}, "1"), TapeMismatch),
        (1, Entry("22.1 allies", "allies", {"choice": "left"}, "7"), HistoryChanged),
    ],
)
def test_replay_stops_at_the_entry_that_does_not_fit(index: int, change: Entry, error: type[Exception]) -> None:
    entries = list(recording())
    entries[index] = change
    with pytest.raises(error) as stopped:
        started()[0].replay(entries)
    assert stopped.value.index == index  # type: ignore[attr-defined]


def test_a_recording_that_goes_on_after_the_end_does_not_fit() -> None:
    with pytest.raises(TapeMismatch, match="all is over"):
        started()[0].replay([*recording(), recording()[0]])


def test_where_names_the_procedures_in_progress_and_closing_ends_them() -> None:
    async def outer() -> None:
        await procedure([])

    runner = Runner(outer())
    assert [name.split(":")[0].split(".")[-1] for name in runner.where()] == ["outer", "procedure"]
    runner.close()
    assert runner.where() == []


def test_awaiting_anything_else_is_our_bug() -> None:
    async def wrong() -> None:
        await asyncio.sleep(0)

    with pytest.raises(EngineError, match="only dice and decisions"):
        Runner(wrong())


def test_a_rule_that_breaks_is_our_bug_and_says_where() -> None:
    async def broken() -> None:
        await Roll(1, "22.1", Side.AXIS, "x")
        raise ZeroDivisionError

    runner = Runner(broken())
    with pytest.raises(EngineError, match="ZeroDivisionError"):
        runner.roll([1])


def test_the_tape_is_the_journal_with_undoing_folded_away() -> None:
    journal = [
        Answered("a", "axis", 1, "c1"),
        Committed("axis", "0" * 64, "page"),  # about where dice come from: no input
        Rolled("b", "system", 0, [1, 2], "c2"),
        Undone("axis", 1),
        Rolled("b", "system", 2, [3, 4], "c2"),
    ]
    assert tape(journal) == [Entry("a", "axis", 1, "c1"), Entry("b", "dice", [3, 4], "c2")]
    assert draws(journal) == 4 and draws([]) == 0
    with pytest.raises(SaveError, match="line 2 takes back to entry 1"):
        tape([journal[0], Undone("axis", 1)])


def test_dice_come_from_the_system_a_script_or_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the system's own dice, not those of the test
    assert all(1 <= die <= 6 for die in SystemDice().dice(200, 0))
    assert ScriptedDice([1, 2, 3, 4]).dice(2, 1) == [2, 3]
    with pytest.raises(PlayerError, match="ends after 4 dice"):
        ScriptedDice([1, 2, 3, 4]).dice(2, 3)
    assert TypedDice(lambda count: [6] * count).dice(3, 0) == [6, 6, 6]


def test_a_number_covers_its_own_rows_and_no_other() -> None:
    assert rulebook.covers("22.54", "22.54")
    assert rulebook.covers("22.54", "22.54B.1")
    assert rulebook.covers("22.54B", "22.54B.1")
    assert not rulebook.covers("22.5", "22.54")
    assert not rulebook.covers("22.54B", "22.54")
    assert not rulebook.covers("22.54B.1", "22.54B.10")


def test_the_most_exact_carrier_of_a_rule_comes_first() -> None:
    import flagplot.api

    flagplot.api.load()
    names = [function.__name__ for function in rulebook.carriers_of("22.54B.1")]
    whole = names.index("fleet_combat")
    assert {"surplus_capital_form", "heavy_targets_form"} <= set(names[:whole])  # of the current edition and of 2008
    assert len(names) == len(set(names))
    assert rulebook.carriers_of("99.9") == []
