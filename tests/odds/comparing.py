"""Battles played twice, by the procedures and by kernels, on the same dice: every fact is compared at every segment.

What the procedures do is recorded once, so that kernels made ready in several ways, or with faults planted in them, can
be held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from flagplot.bots.bot import Bot
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.model.setup import Setup
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import Words
from flagplot.odds.kernel_facts import Facts, decode, facts_of
from flagplot.odds.kernel_names import Layout, NotCompilable
from flagplot.odds.kernel_state import encode, give_dice
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.worlds import is_decided
from flagplot.rules.table import Ruleset
from tests.odds.driving import Driven


class Step(NamedTuple):
    """How things stood before a segment, or at the end."""

    where: str
    facts: Facts
    dice: int


class Record(NamedTuple):
    """A battle of the procedures: how it began as rows of numbers, and how it went."""

    state: Words
    constants: Words
    layout: Layout
    steps: list[Step]


def record(
    rules: Ruleset,
    setup: Setup,
    dice: PhiloxDice,
    bots: Mapping[Side, Bot],
    doctrines: Mapping[Side, Doctrine] | None = None,
) -> Record:
    """Play a battle by the procedures. NotCompilable if kernels cannot play it."""
    begun: list[tuple[Words, Words, Layout]] = []
    steps: list[Step] = []

    def before(driven: Driven) -> None:
        battle = driven.table.battle
        if battle.segment == "formation" or battle.step != "pair":
            return
        if not begun:
            begun.append(encode(driven.table.rules, battle, driven.pictures, doctrines))
            give_dice(begun[0][0], dice.seed, dice.battle)
        steps.append(Step(f"round {battle.round}, {battle.segment}", facts_of(battle), driven.used))

    driven = Driven(rules, setup, dice, bots)
    driven.play(before)
    if is_decided(driven.table.battle):
        steps.append(Step("the end", facts_of(driven.table.battle), driven.used))
    return Record(*begun[0], steps)


def records(recorded: Callable[[int], Record], numbers: Iterable[int]) -> Iterator[Record]:
    """Those of these battles that can be compiled."""
    for number in numbers:
        try:
            yield recorded(number)
        except NotCompilable:
            continue


def difference(kernels: Any, made: Record) -> str:
    """Where kernels (kernel_battle.py, made ready in any way) first differ from the procedures; "" if nowhere."""
    s, c = made.state.copy(), made.constants
    for index, (where, facts, dice) in enumerate(made.steps):
        if index:
            kernels.carry_out(s, c)
        told = _first_difference(facts, decode(made.layout, s))
        if s[at.DICE_USED] != dice:
            told = f"{dice} dice, not {s[at.DICE_USED]}; {told}"
        if told:
            return f"before {where}: {told}"
    return ""


def differs(faulty: Any, made: Record) -> bool:
    """Whether kernels with a fault in them differ from the procedures: what has gone wrong may point anywhere."""
    try:
        return bool(difference(faulty, made))
    except (IndexError, KeyError, ValueError):
        return True


def _first_difference(expected: Facts, found: Facts) -> str:
    if expected == found:
        return ""
    if expected[:5] != found[:5]:
        return f"{expected[:5]}, not {found[:5]}"
    for side, facts in expected.sides.items():
        for name in facts._fields:
            one, two = getattr(facts, name), getattr(found.sides[side], name)
            if isinstance(one, dict) and one != two:
                key = next(key for key in {**one, **two} if one.get(key) != two.get(key))
                return f"{side} {name} {key}: {one.get(key)}, not {two.get(key)}"
            if one != two:
                return f"{side} {name}: {one}, not {two}"
    return "sides"
