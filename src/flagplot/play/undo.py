"""The barrier: how far a side may go back on its own.

Free undo stops at dice, at a reveal, at an amendment and at an enemy decision: beyond them a player would act on what he
has learnt since. It also stops where the enemy has been asked something since, whether he has answered or not: if undo
were free until he answers, trying it would tell. Beyond, the other side must agree, or the game is marked solitaire.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.core.tape import AMENDMENT, DICE, Entry
from flagplot.model.picture import is_told


def entries_of(tape: Sequence[Entry], side: Side) -> list[int]:
    """Where a side answered, the last answer first: how many inputs remain if that one is taken back."""
    return [index for index in range(len(tape) - 1, -1, -1) if tape[index].who == side]


def barrier(later: Sequence[Entry], events: Sequence[Event], side: Side, *, enemy_asked: bool) -> str:
    """What has happened since a decision so that it cannot be taken back alone; "" if nothing has.

    Even that a battle goes on can be news: the enemy had a carrier after all. What is said is the same whether the enemy
    has answered or is still to answer.
    """
    if any(entry.who == DICE for entry in later):
        return "dice have been rolled since"
    if any(entry.who == AMENDMENT for entry in later):
        return "an amendment has been agreed since"
    if enemy_asked or any(entry.who == side.enemy for entry in later):
        return "the enemy has decided since, or may have"
    if any(is_told(side, event) and getattr(event, "side", None) is not side for event in events):
        return "something has been shown since"
    return ""
