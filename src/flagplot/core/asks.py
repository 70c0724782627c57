"""What a rule may wait for: dice, one side's decision, or both sides' at once.

These are the only objects a rule procedure ever awaits. There is no event loop: `await Roll(2, ...)` hands the request
to whoever drives the procedure (runner.py). What comes in from outside is a wire value: JSON and nothing else, because
that is what the tape records. The request itself reads it into a typed one, and that is what the rule receives.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Answer, Form, Wire
from flagplot.core.sides import Side

T_co = TypeVar("T_co", covariant=True)


class Ask(Generic[T_co]):
    """One thing a rule waits for."""

    __slots__ = ()

    tag: str
    """What is asked, in one short stable line. Recorded, and compared on replay."""

    def __await__(self) -> Generator[Ask[object], T_co, T_co]:
        return (yield self)


class Roll(Ask[tuple[int, ...]]):
    """Six-sided dice, rolled by a side for a stated reason."""

    __slots__ = ("dice", "rule", "side", "tag", "why")

    def __init__(self, dice: int, rule: str, side: Side, why: str) -> None:
        self.dice = dice
        self.rule = rule
        self.side = side
        self.why = why
        self.tag = f"{rule} roll {dice} {side}"

    def read(self, wire: Wire) -> tuple[int, ...]:
        """The dice as a value, or IllegalChoice. Pure."""
        if not isinstance(wire, list | tuple) or len(wire) != self.dice:
            rolled = "One die is rolled here." if self.dice == 1 else f"{self.dice} dice are rolled here."
            raise IllegalChoice(self.rule, rolled, "Give one number from 1 to 6 for each.")
        for die in wire:
            if type(die) is not int or not 1 <= die <= 6:
                raise IllegalChoice(self.rule, f"{die!r} is not a die.", "Each die is a number from 1 to 6.")
        return tuple(wire)


class Decide(Ask[Answer]):
    """One side's decision. `kind` is a stable word for pages, bots and standing orders; `about` says which group."""

    __slots__ = ("about", "form", "kind", "question", "rule", "side", "tag")

    def __init__(self, side: Side, rule: str, kind: str, question: str, form: Form, about: str = "") -> None:
        self.side = side
        self.rule = rule
        self.kind = kind
        self.question = question
        self.form = form
        self.about = about
        self.tag = f"{rule} {side} {about}" if about else f"{rule} {side}"

    def read(self, wire: Wire) -> Answer:
        """A legal answer, or IllegalChoice."""
        return self.form.read(wire, self.rule)


class Both(Ask[dict[Side, Answer]]):
    """A decision of each side, made in secret and opened together."""

    __slots__ = ("parts", "tag")

    def __init__(self, one: Decide, two: Decide) -> None:
        self.parts = {one.side: one, two.side: two}
        self.tag = f"{one.tag} & {two.tag}"
