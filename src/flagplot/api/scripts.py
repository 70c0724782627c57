"""Runs a procedure on dice and decisions written down beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.api.calls import Decision
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.forms import Form, Wire
from flagplot.core.runner import Procedure, Runner
from flagplot.core.sides import SIDES, Side


def run_script(
    procedure: Procedure, dice: Sequence[int], decisions: Sequence[Decision], asked: list[Decide] | None = None
) -> int:
    """Drive a procedure to its end and give the number of dice used.

    Each decision is used once, by the first question of its side and kind; questions without one take the default.
    Dice that run out, and decisions nobody asked for, are refused. Every question put is added to `asked`.
    """
    runner = Runner(procedure)
    left = list(dice)
    script = [(_side(side), kind, answer) for side, kind, answer in decisions]
    while not runner.over:
        roll = runner.roll_due()
        if roll is not None:
            if len(left) < roll.dice:
                raise PlayerError(f"the dice end here: {roll.why} needs {roll.dice}, {len(left)} are left")
            runner.roll(left[: roll.dice])
            del left[: roll.dice]
            continue
        for side in Side:
            decision = runner.decision_for(side)
            if decision is not None:
                if asked is not None:
                    asked.append(decision)
                runner.answer(side, _take(script, decision))
    if script:
        raise PlayerError(f"nobody asked for these decisions: {', '.join(f'{s} {k}' for s, k, _ in script)}")
    return len(dice) - len(left)


def is_legal(form: Form, wire: Wire) -> bool:
    """Whether a form takes an answer."""
    try:
        form.read(wire, "")
    except PlayerError:
        return False
    return True


def _side(name: str) -> Side:
    if name not in SIDES:
        raise PlayerError(f"{name!r} is not a side; sides are axis and allies")
    return SIDES[name]


def _take(script: list[tuple[Side, str, Wire]], decision: Decide) -> Wire:
    for index, (side, kind, answer) in enumerate(script):
        if (side, kind) == (decision.side, decision.kind):
            del script[index]
            return answer
    return decision.form.default
