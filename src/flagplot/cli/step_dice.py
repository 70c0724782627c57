"""The dice a single step is resolved with, and the one question that is asked with them.

The law here: dice that are given are used in their order and never rolled; rolled ones are told afterwards, so that a
step can be had again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from flagplot import api
from flagplot.api.calls import Decision
from flagplot.cli.command_options import Rules
from flagplot.core.dice import SystemDice
from flagplot.core.errors import PlayerError
from flagplot.play.wording import listed

ENOUGH = 2000  # dice for any step


class Thrown(NamedTuple):
    """The dice a step is resolved with: typed, or so many rolled that there are enough."""

    dice: list[int]
    how: str  # in words
    typed: bool


def the_dice(dice: str | None, more: Sequence[str] | None, seed: str | None) -> Thrown:
    """Typed dice if there are any, else dice rolled from the seed, else dice nobody chose."""
    rest = list(more or ())
    stray = next((word for word in rest if not re.fullmatch(r"[\d,;]+", word)), None)
    if stray is not None:
        raise PlayerError(f'{stray[:40]!r} stands alone; put a whole force in quotes, as in --target "Hood, 3 DD"')
    if dice is None and rest:
        raise PlayerError(f"{rest[0]!r} stands alone; if these are dice, write --dice before them")
    if dice is None:
        random = Random(seed)
        rolled = [random.randint(1, 6) for _ in range(ENOUGH)] if seed is not None else SystemDice().dice(ENOUGH, 0)
        return Thrown(rolled, f"rolled from the seed {seed}" if seed is not None else "rolled", False)
    if seed is not None:
        raise PlayerError("give --dice or --seed, not both: dice that are given are not rolled")
    figures = re.sub(r"[\s,;]", "", " ".join((dice, *rest)))
    for figure in figures:
        if figure not in "123456":
            raise PlayerError(f"{figure!r} is not a die; each die is a number from 1 to 6, as in --dice 4 3 5 2")
    return Thrown([int(figure) for figure in figures], "given", True)


WORDS = {
    "axis fight": "--fighting",
    "allies defend": "--engaged",
    "axis screen": "--screen-axis",
    "allies screen": "--screen-allies",
}


def ask(
    question: str, asked: Mapping[str, Any], dice: Sequence[int], rules: Rules, decisions: Sequence[Decision] = ()
) -> dict[str, Any]:
    """Ask the API; what it refuses is said in the words of the command."""
    try:
        return api.call(question, asked, dice=dice, decisions=decisions, **rules.beside)
    except PlayerError as refusal:
        text = re.sub(r"\bCG1\b", "the group", str(refusal))
        if text.startswith("the dice end here"):
            text += f", of {len(dice)} given; add to --dice, or leave it out to have dice rolled"
        if text.startswith("nobody asked for these decisions"):
            options = [option for words, option in WORDS.items() if words in text]
            text = f"{listed(options)} settles nothing here, there is no choice; leave it out" if options else text
        text = re.sub(r"see the question (\w+)", r"flagplot call \1 tells how many may", text)
        text = re.sub(r"is not among the things to be placed\..*", "has no choice here; leave it out", text)
        raise PlayerError(text) from None


class Step(NamedTuple):
    """A step resolved, and what it was resolved with."""

    answer: dict[str, Any]
    used: list[int]
    unused: list[int]
    how: str
    assumed: list[str]
    rules: Rules

    @property
    def json(self) -> dict[str, Any]:
        """The API's answer, the dice, what was taken for granted, and by which rules."""
        dice = {"dice": self.used, "dice_unused": self.unused}
        return {**self.answer, **dice, "assumed": self.assumed, **self.rules.beside}


def resolve(
    question: str,
    asked: Mapping[str, Any],
    thrown: Thrown,
    assumed: list[str],
    rules: Rules,
    decisions: Sequence[Decision] = (),
) -> Step:
    """Resolve a step with these dice, by these rules."""
    answer = ask(question, asked, thrown.dice, rules, decisions)
    used = answer["dice_used"]
    return Step(answer, thrown.dice[:used], thrown.dice[used:] if thrown.typed else [], thrown.how, assumed, rules)
