"""The barrier: how far a side may go back on its own.

Free undo stops at dice, at a reveal and at an enemy decision: beyond them a player would act on what he has learnt
since. There the other side must agree, or the game is marked solitaire.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.errors import UndoRefused
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.core.tape import DICE, Entry
from flagplot.model.picture import is_told


def entries_of(tape: Sequence[Entry], side: Side) -> list[int]:
    """Where a side answered, the last answer first: how many inputs remain if that one is taken back."""
    return [index for index in range(len(tape) - 1, -1, -1) if tape[index].who == side]


def refuse_beyond_barrier(later: Sequence[Entry], events: Sequence[Event], side: Side) -> None:
    """Refuse if dice fell, the enemy decided, or anything but the side's own doings was told after the decision.

    Even that a battle goes on can be news: the enemy had a carrier after all.
    """
    if any(entry.who == DICE for entry in later):
        raise UndoRefused("dice have been rolled since; the other side must agree")
    if later:
        raise UndoRefused("the enemy has decided since; the other side must agree")
    if any(is_told(side, event) and getattr(event, "side", None) is not side for event in events):
        raise UndoRefused("something has been shown since; the other side must agree")
