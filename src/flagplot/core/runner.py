"""Drives one procedure: holds the pending request, accepts answers, keeps the tape.

Illegal answers are refused before they reach the procedure. A procedure that raised would be finished for good;
refusing outside leaves it waiting, and the tape unmarked.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from types import CoroutineType
from typing import Any, TypeAlias

from flagplot.core.asks import Ask, Both, Decide, Roll
from flagplot.core.errors import (
    EngineError,
    HistoryChanged,
    IllegalChoice,
    NotYourDecision,
    PlayerError,
    TapeMismatch,
)
from flagplot.core.forms import Answer, Wire
from flagplot.core.packed import Packed
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import AMENDMENT, DICE, Entry

Procedure: TypeAlias = Coroutine[Ask[object], Any, None]


def _nobody_amends(wire: Wire) -> None:
    raise IllegalChoice(AMENDMENT, "nothing can be put right here.")


class Runner:
    """One procedure in progress. `witness` gives the check of what has happened so far; `amends` takes an amendment,
    which the procedure comes to when it will: it goes on waiting for what it waits for."""

    def __init__(
        self,
        procedure: Procedure,
        witness: Callable[[], str] = str,
        amends: Callable[[Wire], None] = _nobody_amends,
    ) -> None:
        self._procedure = procedure
        self._witness = witness
        self._amends = amends
        self._sealed: dict[Side, Answer] = {}
        self.tape: Packed[Entry] = Packed()
        self.answered = dict.fromkeys(Side, 0)  # how many questions each side has answered
        self.pending: Ask[object] | None = None
        self._send(None)

    # -- live play ---------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the procedure has ended."""
        return self.pending is None

    def roll_due(self) -> Roll | None:
        """The dice now waited for, if any."""
        return self.pending if isinstance(self.pending, Roll) else None

    def decision_for(self, side: Side) -> Decide | None:
        """The decision this side may now make, if any."""
        pending = self.pending
        if isinstance(pending, Decide):
            return pending if pending.side is side else None
        if isinstance(pending, Both) and side not in self._sealed:
            return pending.parts[side]
        return None

    def answer(self, side: Side, wire: Wire) -> Entry:
        """Take a side's answer, or refuse it with nothing changed."""
        decision = self.decision_for(side)
        if decision is None:
            raise NotYourDecision(f"{side} has nothing to decide now")
        answer = decision.read(wire)
        return self._accept(decision.tag, side.value, decision.form.wire(answer), answer)

    def roll(self, dice: list[int]) -> Entry:
        """Take the dice waited for."""
        pending = self.roll_due()
        if pending is None:
            raise NotYourDecision("no dice are rolled now")
        return self._accept(pending.tag, DICE, list(dice), pending.read(dice))

    def amend(self, wire: Wire) -> Entry:
        """Take what both sides agreed to put right, or refuse it with nothing changed."""
        if self.over:
            raise NotYourDecision("all is over: nothing can be put right any longer")
        entry = Entry(AMENDMENT, AMENDMENT, wire, self._witness())
        self._amends(wire)
        self.tape.append(entry)
        return entry

    # -- replay --------------------------------------------------------------------

    def replay(self, entries: Iterable[Entry]) -> None:
        """Feed a recording. Stops with a TapeError at the first disagreement."""
        for index, entry in enumerate(entries):
            if entry.who == AMENDMENT:
                self._replay_amendment(index, entry)
                continue
            asked = self._asked_of(entry.who)
            if asked is None:
                raise TapeMismatch(index, entry.tag, self.pending.tag if self.pending else "nothing: all is over")
            if asked.tag != entry.tag:
                raise TapeMismatch(index, entry.tag, asked.tag)
            if entry.check and entry.check != self._witness():
                raise HistoryChanged(index, entry.tag)
            try:
                value = asked.read(entry.answer)
            except IllegalChoice as refusal:
                raise TapeMismatch(index, entry.tag, f"{asked.tag}, which refuses the answer: {refusal}") from refusal
            self._accept(entry.tag, entry.who, entry.answer, value, entry.check)

    def _replay_amendment(self, index: int, entry: Entry) -> None:
        if entry.check and entry.check != self._witness():
            raise HistoryChanged(index, entry.tag)
        try:
            self.amend(entry.answer)
        except PlayerError as refusal:
            raise TapeMismatch(index, entry.tag, f"nothing of the kind: {refusal}") from refusal

    def where(self) -> list[str]:
        """The rule procedures now in progress, outermost first."""
        names: list[str] = []
        frame: Any = self._procedure
        while isinstance(frame, CoroutineType):
            if frame.cr_frame is not None:
                names.append(f"{frame.cr_code.co_qualname}:{frame.cr_frame.f_lineno}")
            frame = frame.cr_await
        return names

    def close(self) -> None:
        """End the procedure without finishing it."""
        self._procedure.close()

    # -- inside ---------------------------------------------------------------------

    def _asked_of(self, who: str) -> Roll | Decide | None:
        if who == DICE:
            return self.roll_due()
        return self.decision_for(SIDES[who]) if who in SIDES else None

    def _accept(self, tag: str, who: str, wire: Wire, value: Any, check: str = "") -> Entry:
        entry = Entry(tag, who, wire, check or self._witness())
        self.tape.append(entry)
        if who in SIDES:
            self.answered[SIDES[who]] += 1
        if isinstance(self.pending, Both):
            self._sealed[SIDES[who]] = value
            if len(self._sealed) < len(self.pending.parts):
                return entry
            value, self._sealed = self._sealed, {}
        self._send(value)
        return entry

    def _send(self, value: Any) -> None:
        try:
            ask: object = self._procedure.send(value)
        except StopIteration:
            self.pending = None
            return
        except Exception as bug:
            raise EngineError(f"a rule failed at {'; '.join(self.where()) or 'its end'}: {bug!r}") from bug
        if not isinstance(ask, Ask):
            raise EngineError(f"a rule awaited {ask!r}; rules may await only dice and decisions")
        self.pending = ask
