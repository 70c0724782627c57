"""Standing orders: what a side answers while its player sleeps.

An order says to which kind of question it answers, under which conditions, and how: with a fixed answer, with the form's
own default, as the doctrine would, or not at all (ask me). The first order that fits decides. Conditions look at facts of
the side's own picture and nowhere else, so an order can tell nobody anything its player was not told.

Orders are values beside the journal, not in it: what goes into the journal is the answer, as if it had been typed. An
answer that turns out illegal is not given: the question waits for its player.

Written by hand, one order a line, the rest of a line after # being a comment:

    evade CG2: yes
    evade: yes if group carriers at least 1
    withdraw: ask if round at most 2
    withdraw: doctrine
    hex: default
    return: {"First section": "Brest"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.forms import Wire
from flagplot.doctrine.sight import Sight, group_named, sight
from flagplot.model.picture import Picture

Doctrine: TypeAlias = Callable[[Picture, Decide], Wire]

ANSWER, DEFAULT, DOCTRINE, ASK = "answer", "default", "doctrine", "ask"
HOWS = (DEFAULT, DOCTRINE, ASK)
PLAIN = re.compile(r"\w+")  # an answer that needs no quotation marks
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "at least": lambda have, value: have >= value,
    "at most": lambda have, value: have <= value,
    "is": lambda have, value: have == value,
}
FACTS = tuple(name.replace("_", " ") for name in Sight._fields)
MOST_ORDERS = 200


class OrdersRefused(PlayerError):
    """Standing orders that cannot be read: the line, and what would do instead."""


class Condition(msgspec.Struct, frozen=True):
    """A fact of one's own picture, compared with a number."""

    fact: str
    comparison: str
    value: int


class StandingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of question is answered; `about` narrows it to one group or force, "" is any."""

    kind: str
    about: str = ""
    how: str = ANSWER
    answer: Any = None  # on the wire, if the order gives a fixed one
    when: tuple[Condition, ...] = ()


def facts(picture: Picture, decision: Decide) -> dict[str, int]:
    """The facts conditions may name, from the picture of the side that is asked."""
    battle = picture.battle
    if not battle.fleets:
        return {"round": battle.round}
    group = group_named(battle, decision.side, decision.about)
    seen = sight(picture, group)
    return {name.replace("_", " "): value for name, value in seen._asdict().items()}


def fits(order: StandingOrder, decision: Decide, known: Mapping[str, int]) -> bool:
    """Whether an order speaks to a question now. A fact that is not known here holds no condition."""
    if order.kind != decision.kind or order.about not in ("", decision.about):
        return False
    return all(
        condition.fact in known and COMPARISONS[condition.comparison](known[condition.fact], condition.value)
        for condition in order.when
    )


def ordered_answer(
    orders: Sequence[StandingOrder], picture: Picture, decision: Decide, doctrine: Doctrine
) -> Wire | None:
    """What the first order that fits answers; None if none does, if it says to ask, or if its answer is illegal now."""
    known = facts(picture, decision)
    order = next((each for each in orders if fits(each, decision, known)), None)
    if order is None or order.how == ASK:
        return None
    if order.how == DOCTRINE:
        return doctrine(picture, decision)
    if order.how == DEFAULT:
        return decision.form.default
    try:
        decision.read(order.answer)
    except IllegalChoice:
        return None
    return order.answer


# -- written by hand ----------------------------------------------------------------------------------


def read_orders(text: str) -> tuple[StandingOrder, ...]:
    """Orders from their lines, or OrdersRefused with the line that cannot be read."""
    orders = []
    for number, line in enumerate(text.splitlines(), start=1):
        said = _cut(line, "#")[0].strip()
        if said:
            orders.append(_order(said, number))
    if len(orders) > MOST_ORDERS:
        raise OrdersRefused(f"{len(orders)} orders are too many: at most {MOST_ORDERS} are kept")
    return tuple(orders)


def write_orders(orders: Iterable[StandingOrder]) -> str:
    """The lines that read back as these orders."""
    return "".join(f"{_line(order)}\n" for order in orders)


def _cut(text: str, mark: str) -> tuple[str, str]:
    """The text before and after the first mark that does not stand inside quotation marks."""
    quoted = escaped = False
    for place, sign in enumerate(text):
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif not quoted and text.startswith(mark, place):
            return text[:place], text[place + len(mark) :]
    return text, ""


def _order(said: str, number: int) -> StandingOrder:
    about_what, colon, rest = said.partition(":")
    if not colon or not about_what.strip() or not rest.strip():
        raise OrdersRefused(f'line {number}: write a kind of question, a colon and an answer, such as "evade: yes"')
    answer, conditions = _cut(rest.strip(), " if ")
    kind, about = _kind(about_what.strip())
    how, value = _answer(answer.strip(), number)
    return StandingOrder(kind=kind, about=about, how=how, answer=value, when=_conditions(conditions.strip(), number))


def _kind(words: str) -> tuple[str, str]:
    kind, _, last = words.rpartition(" ")
    return (kind, last) if kind and last.startswith("CG") and last[2:].isdigit() else (words, "")


def _answer(said: str, number: int) -> tuple[str, Any]:
    if said in HOWS:
        return said, None
    if said[:1] not in ("{", "[", '"'):
        return ANSWER, said
    try:
        return ANSWER, json.loads(said)
    except (json.JSONDecodeError, RecursionError):
        raise OrdersRefused(f"line {number}: the answer begins like JSON but cannot be read as JSON") from None


def _conditions(said: str, number: int) -> tuple[Condition, ...]:
    return tuple(_condition(each.strip(), number) for each in said.split(" and ")) if said else ()


def _condition(said: str, number: int) -> Condition:
    for comparison in COMPARISONS:
        fact, found, value = said.partition(f" {comparison} ")
        if found and fact in FACTS and value.strip().isdecimal():
            return Condition(fact, comparison, int(value))
    raise OrdersRefused(
        f'line {number}: "{said}" is no condition: write a fact, at least, at most or is, and a number; '
        f"the facts are {', '.join(FACTS)}"
    )


def _line(order: StandingOrder) -> str:
    about = f" {order.about}" if order.about else ""
    plain = isinstance(order.answer, str) and PLAIN.fullmatch(order.answer) and order.answer not in HOWS
    answer = order.how if order.how != ANSWER else order.answer if plain else json.dumps(order.answer)
    when = " and ".join(f"{each.fact} {each.comparison} {each.value}" for each in order.when)
    return f"{order.kind}{about}: {answer}{f' if {when}' if when else ''}"
