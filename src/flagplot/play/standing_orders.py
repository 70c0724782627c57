"""Standing orders: what a side answers while its player sleeps.

An order says to which kind of question it answers, under which conditions, and how: with a fixed answer, with the form's
own default, as the doctrine would, by trying wherever the conditions hold, or not at all (ask me). Conditions look at
facts of the side's own picture and nowhere else (order_facts.py), so an order can tell nobody anything its player was not
told.

Orders are tried from the first to the last. One that answers the whole question decides it. One that is a single word
places those things for which it holds and that no order before it has placed; what no order places rests where the form
leaves it. Orders are values beside the journal, not in it: what goes into the journal is the answer, as if it had been
typed. An answer that turns out illegal is not given: the question waits for its player.

Written by hand, one order a line, the rest of a line after # being a comment:

    evade CG2: evade
    withdraw: ask if round at most 2
    withdraw: doctrine
    return: {"First section": "Brest"}
    interception: try if target kind is seaborne invasion and chance at least 40
    interception: hold
    hex: best
    path: default
    anything: default if sole is 1
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.forms import Item, Wire
from flagplot.doctrine.chances import STAGE_LEVEL
from flagplot.editions.current import ruleset
from flagplot.model.picture import Picture
from flagplot.play.decision_kinds import (
    ANYTHING,
    BEST,
    KINDS,
    LEVELS,
    TRY,
    computed_answers,
    fixed_answers,
    kind_at,
    nearest_kinds,
)
from flagplot.play.order_facts import FACTS, NUMBERS, OTHERS, SOLE, WORDS, Known, Option, facts, options
from flagplot.rules.table import Ruleset

Doctrine: TypeAlias = Callable[[Picture, Decide], Wire]

ANSWER, DEFAULT, DOCTRINE, ASK = "answer", "default", "doctrine", "ask"
HOWS = (DEFAULT, DOCTRINE, ASK)
COMPUTED = (TRY, BEST)
PLAIN = re.compile(r"\w+")  # an answer that needs no quotation marks
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "at least": lambda have, value: have >= value,
    "at most": lambda have, value: have <= value,
    "is not": lambda have, value: have != value,
    "is": lambda have, value: have == value,
}
MOST_ORDERS = 200
MOST_TEXT = 20_000  # characters of orders written by hand
MOST_NUMBER = 9_999


class OrdersRefused(PlayerError):
    """Standing orders that cannot be read: the line, and what would do instead."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class Condition(msgspec.Struct, frozen=True):
    """A fact of one's own picture, compared with a number, or with words."""

    fact: str
    comparison: str
    value: int | str


class StandingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """How one kind of question is answered; `about` narrows it to one group or force, "" is any."""

    kind: str
    about: str = ""
    how: str = ANSWER
    answer: Any = None  # on the wire, if the order gives a fixed one
    when: tuple[Condition, ...] = ()
    line: int = 0  # where it stands in what was written

    @property
    def is_word(self) -> bool:
        """Whether it answers with a place for whatever it holds for, rather than the whole question."""
        return self.how == ANSWER and isinstance(self.answer, str)


class Given(NamedTuple):
    """An answer, and the lines of the orders that gave it."""

    answer: Wire
    lines: tuple[int, ...]


def fits(order: StandingOrder, decision: Decide, known: Mapping[str, int | str]) -> bool:
    """Whether an order speaks to a question as a whole. A fact that is not known here holds no condition."""
    return speaks(order, decision) and order.about in ("", decision.about) and holds(order, known)


def speaks(order: StandingOrder, decision: Decide) -> bool:
    """Whether an order is about this kind of question."""
    return order.kind in (decision.kind, ANYTHING)


def holds(order: StandingOrder, known: Mapping[str, int | str]) -> bool:
    """Whether all conditions of an order hold."""
    return all(_met(condition, known.get(condition.fact)) for condition in order.when)


def _met(condition: Condition, have: int | str | None) -> bool:
    if isinstance(have, int) and isinstance(condition.value, int):
        return COMPARISONS[condition.comparison](have, condition.value)
    if isinstance(have, str) and isinstance(condition.value, str):
        return (have.lower() == condition.value.lower()) is (condition.comparison == "is")
    return False


# -- answering ------------------------------------------------------------------------------------


def ordered_answer(
    orders: Sequence[StandingOrder],
    picture: Picture,
    decision: Decide,
    doctrine: Doctrine,
    rules: Ruleset | None = None,
) -> Given | None:
    """What the orders answer; None if none speaks to the question, if one says to ask, or if the answer is illegal now."""
    speaking = [order for order in orders if speaks(order, decision)]
    if not speaking:
        return None
    given = _Answering(orders, picture, decision, doctrine, rules or ruleset()).by(speaking)
    if given is None:
        return None
    try:
        decision.read(given.answer)
    except IllegalChoice:
        return None
    return given


def fits_now(
    orders: Sequence[StandingOrder], picture: Picture, decision: Decide, rules: Ruleset | None = None
) -> StandingOrder | None:
    """The first order that answers the whole of a question, with a fixed answer or otherwise; None if none does."""
    whole = _Answering(orders, picture, decision, _no_doctrine, rules or ruleset()).whole
    return next((order for order in orders if order.how not in COMPUTED and fits(order, decision, whole)), None)


def _no_doctrine(picture: Picture, decision: Decide) -> Wire:
    return decision.form.default


class _Answering:
    """One question on its way to an answer: what has been placed so far, and by which lines."""

    def __init__(
        self,
        orders: Sequence[StandingOrder],
        picture: Picture,
        decision: Decide,
        doctrine: Doctrine,
        rules: Ruleset,
    ) -> None:
        self.orders = orders
        self.picture = picture
        self.decision = decision
        self.doctrine = doctrine
        self.rules = rules
        self.options = options(rules, picture, decision)
        self.known = facts(picture, decision)
        if any(condition.fact == SOLE for order in orders for condition in order.when):
            self.known[SOLE] = int(decision.form.sole_answer() is not None)
        best = max(self.options, key=lambda each: each.promise, default=None)
        self.whole = self.known | (best.facts if best else {})
        self.placed: dict[str, Wire] = {}
        self.sent: dict[str, int] = {}  # how many forces go for each target
        self.lines: list[int] = []

    def by(self, orders: Sequence[StandingOrder]) -> Given | None:
        """The answer of these orders, all of which are about this kind of question."""
        for order in orders:
            if order.how == TRY:
                self._try(order)
            elif order.is_word:
                self._place(order)
            elif not fits(order, self.decision, self.whole):
                continue
            elif order.how == BEST:
                return self._best(order)
            elif not self.placed:
                return self._outright(order)
            else:
                break
            if len(self.placed) == len(self.decision.form.items):
                break
        return Given(self._wire(), tuple(self.lines)) if self.placed else None

    def _wire(self) -> Wire:
        """What was placed; a bare word where there is only one thing to be placed."""
        value = next(iter(self.placed.values()))
        bare = isinstance(value, str) and len(self.decision.form.items) == 1
        return value if bare else self.placed

    def _outright(self, order: StandingOrder) -> Given | None:
        if order.how == ASK:
            return None
        if order.how == DOCTRINE:
            return Given(self.doctrine(self.picture, self.decision), (order.line,))
        return Given(self.decision.form.default if order.how == DEFAULT else order.answer, (order.line,))

    def _place(self, order: StandingOrder) -> None:
        """Everything that is not yet placed, for which the order holds and which may go there, goes there."""
        form = self.decision.form
        found = len(self.placed)
        for item in form.items:
            open_to = order.answer in form.places_for(item) or len(form.items) == 1
            if item.key not in self.placed and self._is_for(order, item) and holds(order, self._of(item)):
                if open_to and order.answer not in form.barred(item):
                    self.placed[item.key] = order.answer
        self._note(order, found)

    def _is_for(self, order: StandingOrder, item: Item) -> bool:
        about = order.about
        return about in ("", self.decision.about) or Option(((item.key, 1),), "", {}).is_of(about)

    def _of(self, item: Item) -> Known:
        """The facts of one thing: those of the best it could do."""
        own = [each for each in self.options if item.key in dict(each.items)]
        return self.known | max(own, key=lambda each: each.promise).facts if own else self.known

    def _try(self, order: StandingOrder) -> None:
        """Each force that is not yet placed goes for the target it is likeliest to reach of those for which the order
        holds, if it has any chance at all."""
        found = len(self.placed)
        for force in dict.fromkeys(option.items for option in self.options):
            if any(key in self.placed for key, _ in force):
                continue
            open_to = [each for each in self.options if each.items == force and self._promising(order, each)]
            for option in sorted(open_to, key=lambda each: each.promise, reverse=True):
                trial = {**self.placed, **{key: {option.place: number} for key, number in force}}
                if self._legal(trial):
                    self.placed = trial
                    self.sent[option.place] = self.sent.get(option.place, 0) + 1
                    break
        self._note(order, found)

    def _promising(self, order: StandingOrder, option: Option) -> bool:
        if order.about not in ("", self.decision.about) and not option.is_of(order.about):
            return False
        if self.decision.kind in LEVELS and not option.facts["chance"]:
            return False
        return holds(order, self.known | option.facts | {OTHERS: self.sent.get(option.place, 0)})

    def _best(self, order: StandingOrder) -> Given | None:
        """The hex that those who go are likeliest to reach: those sent by these orders, else all who could."""
        going = self._going()
        worth: dict[str, int] = {}
        for option in self.options:
            chance = option.facts["chance"]
            if isinstance(chance, int) and (not going or set(option.items) <= going):
                hex = str(option.facts["hex"])
                worth[hex] = worth.get(hex, 0) + chance
        offered = [place.key for place in self.decision.form.places]
        (nearest,) = next(iter(self.decision.read(self.decision.form.default).cells.values()))
        ranked = [nearest, *(hex for hex in offered if hex != nearest)]
        return Given(max(ranked, key=lambda hex: worth.get(hex, 0)), (order.line,))

    def _going(self) -> set[tuple[str, int]]:
        """Whom these orders sent against this target, found in the same way as then."""
        level = STAGE_LEVEL[self.picture.operation.wave.stage]
        tries = [order for order in self.orders if order.kind == level and order.how == TRY]
        going: set[tuple[str, int]] = set()
        for force in dict.fromkeys(option.items for option in self.options):
            own = [each for each in self.options if each.items == force]
            if any(self._promising(order, each) for order in tries for each in own):
                going.update(force)
        return going

    def _legal(self, trial: Wire) -> bool:
        try:
            self.decision.read(trial)
        except IllegalChoice:
            return False
        return True

    def _note(self, order: StandingOrder, placed_before: int) -> None:
        if len(self.placed) > placed_before:
            self.lines.append(order.line)


def placed_in_words(decision: Decide, wire: Wire) -> str:
    """An answer in words: what goes where; what rests is not named, unless everything does."""
    form, answer = decision.form, decision.read(wire)
    places = {place.key: place.label for place in form.places}
    told = [
        (item, place, amount)
        for item in form.items
        for place, amount in answer.cells[item.key].items()
        if place != form.rest_of(item) or len(form.items) == 1
    ]
    if len(form.items) == 1 and len(told) == 1:
        return places.get(told[0][1], told[0][1])  # a path may be one that was not offered
    if not told:
        rest = list(dict.fromkeys(places[place] for cells in answer.cells.values() for place in cells))
        return f"all: {rest[0]}" if len(rest) == 1 else "as offered"
    return "; ".join(
        f"{f'{amount} of ' if amount != item.amount else ''}{item.label}: {places[place]}"
        for item, place, amount in told
    )


# -- written by hand ----------------------------------------------------------------------------------


def read_orders(text: str) -> tuple[StandingOrder, ...]:
    """Orders from their lines, or OrdersRefused with the line that cannot be read."""
    if len(text) > MOST_TEXT:
        raise OrdersRefused(f"{len(text)} characters are too many: at most {MOST_TEXT} are kept")
    orders = []
    for number, line in enumerate(text.split("\n"), start=1):
        said = _cut(line, "#")[0].strip()
        if said:
            orders.append(_order(said, number))
    if len(orders) > MOST_ORDERS:
        raise OrdersRefused(f"{len(orders)} orders are too many: at most {MOST_ORDERS} are kept")
    return tuple(orders)


def write_orders(orders: Iterable[StandingOrder]) -> str:
    """The lines that read back as these orders."""
    return "".join(f"{order_text(order)}\n" for order in orders)


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
        raise OrdersRefused('write a kind of question, a colon and an answer, such as "evade: fight"', number)
    answer, conditions = _cut(rest.strip(), " if ")
    found = kind_at(" ".join(about_what.split()))
    if found is None:
        near = nearest_kinds(about_what.strip())
        meant = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(KINDS)}"
        raise OrdersRefused(f'no question is of the kind "{about_what.strip()[:60]}": {meant}', number)
    kind, about = found
    how, value = _answer(kind, answer.strip(), number)
    when = _conditions(conditions.strip(), number)
    return StandingOrder(kind=kind, about=about, how=how, answer=value, when=when, line=number)


def _answer(kind: str, said: str, number: int) -> tuple[str, Any]:
    if said in HOWS:
        return said, None
    if said in COMPUTED:
        if said not in computed_answers(kind):
            others = ", ".join(each for each in KINDS if said in computed_answers(each))
            raise OrdersRefused(f'"{said}" answers no question of the kind {kind}, only {others}', number)
        return said, None
    value: Any = said
    if said[:1] in ("{", "[", '"'):
        try:
            value = json.loads(said)
        except (ValueError, RecursionError):
            raise OrdersRefused("the answer begins like JSON but cannot be read as JSON", number) from None
    possible = fixed_answers(kind)
    wrong = next((word for word in _words_of(value) if word not in possible), None) if possible else None
    if wrong is not None:
        words = ", ".join((*possible, *HOWS))
        said = wrong[:40].encode(errors="replace").decode()  # an escape in JSON may stand for half a character
        raise OrdersRefused(f'a question of the kind {kind} cannot be answered with "{said}", only {words}', number)
    return ANSWER, value


def _words_of(value: Any) -> list[str]:
    """The places that an answer names."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, dict):
        return []
    return [word for each in value.values() for word in (each if isinstance(each, dict) else [str(each)])]


def _conditions(said: str, number: int) -> tuple[Condition, ...]:
    return tuple(_condition(" ".join(each.split()), number) for each in said.split(" and ")) if said else ()


def _condition(said: str, number: int) -> Condition:
    for comparison in COMPARISONS:
        fact, found, value = said.partition(f" {comparison} ")
        if found and fact in NUMBERS and value.isdecimal() and int(value[:6]) <= MOST_NUMBER:
            return Condition(fact, comparison, int(value[:6]))
        if found and fact in WORDS and comparison.startswith("is") and value:
            return Condition(fact, comparison, value)
    fact, said = next((each for each in FACTS if said.startswith(f"{each} ")), ""), said[:80]
    if fact in WORDS:
        raise OrdersRefused(f'"{said}" is no condition: {fact} is, or is not, some words', number)
    if fact:
        raise OrdersRefused(f'"{said}" is no condition: {fact} at least, at most, is or is not a number', number)
    raise OrdersRefused(
        f'"{said}" is no condition: write a fact, then at least, at most, is or is not, and a number or words; '
        f"the facts are {', '.join(FACTS)}",
        number,
    )


def order_text(order: StandingOrder) -> str:
    """An order as its line."""
    about = f" {order.about}" if order.about else ""
    plain = isinstance(order.answer, str) and PLAIN.fullmatch(order.answer) and order.answer not in (*HOWS, *COMPUTED)
    answer = order.how if order.how != ANSWER else order.answer if plain else json.dumps(order.answer)
    when = " and ".join(f"{each.fact} {each.comparison} {each.value}" for each in order.when)
    return f"{order.kind}{about}: {answer}{f' if {when}' if when else ''}"
