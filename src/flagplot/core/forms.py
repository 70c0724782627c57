"""The shape of a legal answer.

A form is items x places with whole amounts, plus limits as data from a short closed list:

    AtMost, AtLeast    a weighted sum over cells (item, place) is bounded
    OneShort           among the places used, at most one holds less than it needs (RC-46)
    OnlyIf             some cells may hold anything only if others together hold enough

Everything else is built from these: "this item may not go there" is AtMost 0 on one cell, distinct numbers are AtMost 1
on each place, "A only if all of B" is one AtMost over both. A path on a map is a form of its own kind. Each limit carries
its rule and a sentence, written from the owner's knowledge. One checker here serves submit, bots, terminal and pages;
nobody else judges an answer.

On the wire an answer is JSON: {item: place} or {item: {place: amount}}; what is not named goes to the item's resting
place, if it has one. A form with a single item also takes the bare name of the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

import msgspec

from flagplot.core.errors import IllegalChoice

Wire: TypeAlias = Any  # JSON and nothing else: what the tape records
Cells: TypeAlias = dict[str, dict[str, int]]  # item -> place -> amount

MOST_TRIES = 40  # of a random answer, before `sample` falls back on the default
MOST_STEPS = 2_000  # of the search for a second legal answer, before `sole_answer` gives up


class Item(msgspec.Struct, frozen=True):
    """A thing to be placed: a ship (amount 1), or a count of like factors.

    `places` are the only ones that make sense for it, the first being where it rests; none = all of the form's.
    """

    key: str
    label: str
    amount: int = 1
    places: tuple[str, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """Where an item may go."""

    key: str
    label: str


class AtMost(msgspec.Struct, frozen=True, tag="at most"):
    """The weighted amounts in these cells add up to no more than `limit`."""

    cells: tuple[tuple[str, str, int], ...]  # (item, place, weight)
    limit: int
    rule: str
    why: str


class AtLeast(msgspec.Struct, frozen=True, tag="at least"):
    """The weighted amounts in these cells add up to `limit` or more."""

    cells: tuple[tuple[str, str, int], ...]
    limit: int
    rule: str
    why: str


class OneShort(msgspec.Struct, frozen=True, tag="one short"):
    """Of these places, at most one that is used holds less than it needs."""

    needs: tuple[tuple[str, int], ...]  # (place, amount it needs)
    weights: tuple[tuple[str, int], ...]  # (item, weight of one)
    rule: str
    why: str


class OnlyIf(msgspec.Struct, frozen=True, tag="only if"):
    """These cells hold nothing unless the amounts in `needs` add up to `at_least`."""

    cells: tuple[tuple[str, str], ...]  # (item, place)
    needs: tuple[tuple[str, str], ...]
    at_least: int
    rule: str
    why: str


class Closed(msgspec.Struct, frozen=True):
    """A place that is not offered for an item, and why: whoever names it all the same is told the rule."""

    item: str
    place: str
    rule: str
    why: str


Limit: TypeAlias = AtMost | AtLeast | OneShort | OnlyIf


class Answer(msgspec.Struct, frozen=True):
    """A legal answer, read: how much of each item is in each place. Complete: nothing is left out."""

    cells: Cells

    def place(self, item: str) -> str:
        """The one place of an undivided item."""
        (place,) = self.cells[item]
        return place

    @property
    def choice(self) -> str:
        """The place of the only item."""
        (item,) = self.cells
        return self.place(item)

    def amount(self, item: str, place: str) -> int:
        """How much of an item is in a place."""
        return self.cells.get(item, {}).get(place, 0)

    def held_by(self, place: str) -> dict[str, int]:
        """What is in a place: item and amount, in the form's order."""
        return {item: places[place] for item, places in self.cells.items() if place in places}


class Form(msgspec.Struct, frozen=True):
    """What may be answered: see the top of this file."""

    items: tuple[Item, ...]
    places: tuple[Place, ...]
    limits: tuple[Limit, ...] = ()
    rest: str = ""  # where items without places of their own rest; "" = they must be named
    default: Wire = msgspec.field(default_factory=dict)
    closed: tuple[Closed, ...] = ()

    # -- checking --------------------------------------------------------------

    def read(self, wire: Wire, rule: str) -> Answer:
        """The answer as a value, or IllegalChoice. Pure."""
        cells = self._cells(wire, rule)
        for limit in self.limits:
            if not holds(limit, cells):
                raise IllegalChoice(limit.rule, limit.why)
        return Answer(cells)

    def _cells(self, wire: Wire, rule: str) -> Cells:
        if isinstance(wire, str) and len(self.items) == 1:
            wire = {self.items[0].key: wire}
        if not isinstance(wire, Mapping):
            raise IllegalChoice(rule, f"an answer names items and places, not {_short(wire)}.", self._instead())
        known = {item.key for item in self.items}
        for key in wire:
            if key not in known:
                raise IllegalChoice(rule, f"{_short(key)} is not among the things to be placed.", self._instead())
        return {item.key: self._places_of(item, wire.get(item.key), rule) for item in self.items}

    def _places_of(self, item: Item, told: Wire, rule: str) -> dict[str, int]:
        rest = self.rest_of(item)
        if told is None and rest:
            return {rest: item.amount} if item.amount else {}
        if told is None:
            told = {}
        elif isinstance(told, str):
            told = {told: item.amount}
        if not isinstance(told, Mapping):
            raise IllegalChoice(rule, f"{item.label} goes to a place, not to {_short(told)}.", self._instead())
        placed: dict[str, int] = {}
        left = item.amount
        possible = self.places_for(item)
        for key, amount in told.items():
            if key not in possible:
                instead = f"It may go to: {', '.join(possible)}."
                for shut in self.closed:
                    if (shut.item, shut.place) == (item.key, key):
                        raise IllegalChoice(shut.rule, f"{item.label}: {shut.why}.", instead)
                raise IllegalChoice(rule, f"{_short(key)} is no place for {item.label}.", instead)
            if type(amount) is not int or not 0 <= amount <= left:
                raise IllegalChoice(
                    rule, f"{item.label}: {item.amount} can be placed in all, not {_short(amount)} at {key}."
                )
            if amount:
                placed[key] = amount
                left -= amount
        if left and rest:
            placed[rest] = placed.get(rest, 0) + left
        elif left:
            raise IllegalChoice(rule, f"{left} of {item.label} must still be placed.", self._instead())
        return placed

    def places_for(self, item: Item) -> tuple[str, ...]:
        """Where an item may go at all."""
        return item.places or tuple(place.key for place in self.places)

    def rest_of(self, item: Item) -> str:
        """Where an item goes if nothing is said of it; "" = it must be named."""
        return item.places[0] if item.places else self.rest

    def _instead(self) -> str:
        items = ", ".join(item.key for item in self.items) or "none"
        places = ", ".join(place.key for place in self.places) or "none"
        return f"Items: {items}. Places: {places}."

    def wire(self, answer: Answer) -> Wire:
        """The shortest JSON that reads back as this answer."""
        told: dict[str, Wire] = {}
        for item in self.items:
            places, rest = answer.cells[item.key], self.rest_of(item)
            if len(places) > 1:
                told[item.key] = {place: amount for place, amount in places.items() if place != rest}
            elif places and rest not in places:
                told[item.key] = answer.place(item.key)
        return told

    # -- inventing ---------------------------------------------------------------

    def sample(self, random: Random) -> Wire:
        """A legal answer drawn at random."""
        for _ in range(MOST_TRIES):
            cells = self._draw(random)
            if cells is not None and all(holds(limit, cells) for limit in self.limits):
                return self.wire(Answer(cells))
        return self.default

    def _draw(self, random: Random) -> Cells | None:
        """Place unit by unit, never over an AtMost without negative weights."""
        room = {
            index: limit.limit
            for index, limit in enumerate(self.limits)
            if isinstance(limit, AtMost) and all(weight >= 0 for _, _, weight in limit.cells)
        }
        cost: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for index, limit in enumerate(self.limits):
            if index in room and isinstance(limit, AtMost):
                for item_key, place_key, weight in limit.cells:
                    cost.setdefault((item_key, place_key), []).append((index, weight))
        cells: Cells = {item.key: {} for item in self.items}
        order = list(self.items)
        random.shuffle(order)
        for item in order:
            for _ in range(item.amount):
                open_places = [
                    place
                    for place in self.places_for(item)
                    if all(room[index] >= weight for index, weight in cost.get((item.key, place), ()))
                ]
                if not open_places:
                    return None
                chosen = random.choice(open_places)
                cells[item.key][chosen] = cells[item.key].get(chosen, 0) + 1
                for index, weight in cost.get((item.key, chosen), ()):
                    room[index] -= weight
        return cells

    def sole_answer(self) -> Wire | None:
        """The only legal answer, if there is but one; None if there are several (or the search would be long)."""
        found: list[Cells] = []
        for steps, cells in enumerate(self.every()):
            if all(holds(limit, cells) for limit in self.limits):
                found.append({key: dict(places) for key, places in cells.items()})
            if len(found) > 1 or steps > MOST_STEPS:
                return None
        return self.wire(Answer(found[0])) if found else None

    def every(self) -> Iterator[Cells]:
        """Every way to place everything, limits over several cells not looked at."""
        return self._every({}, 0)

    def _every(self, cells: Cells, index: int) -> Iterator[Cells]:
        if index == len(self.items):
            yield cells
            return
        item = self.items[index]
        closed = self.barred(item)
        for places in _splits(item.amount, [place for place in self.places_for(item) if place not in closed]):
            yield from self._every({**cells, item.key: places}, index + 1)

    def barred(self, item: Item) -> dict[str, AtMost]:
        """The places this item may not go to, with the rule and the reason."""
        return {
            place: limit
            for place in self.places_for(item)
            for limit in self.limits
            if isinstance(limit, AtMost) and limit.limit == 0 and limit.cells == ((item.key, place, 1),)
        }


class PathForm(Form, frozen=True):
    """A path from hex to hex. Its places are paths worth offering, the first being the shortest; any other legal path
    will do as well, written like them or as a list of hexes."""

    start: str = ""
    end: str = ""
    steps: dict[str, tuple[str, ...]] = {}
    most: int = 0  # hexes; 0 = any number
    most_rule: str = ""

    def read(self, wire: Wire, rule: str) -> Answer:
        """The path as a value, or IllegalChoice with the hex at which it goes wrong. Pure."""
        if isinstance(wire, Mapping):
            wire = wire.get("choice") if list(wire) == ["choice"] else None
        if isinstance(wire, Mapping):
            wire = next(iter(wire)) if list(wire.values()) == [1] else None
        if isinstance(wire, list | tuple) and all(isinstance(hex, str) for hex in wire):
            wire = path_text(wire)
        if not isinstance(wire, str):
            raise IllegalChoice(rule, "a path is a row of hexes.", f"The shortest is {self.places[0].key}.")
        hexes = path_of(wire)
        if hexes[0] != self.start or hexes[-1] != self.end:
            reason = (
                f"the path leads from {_short(hexes[0])} to {_short(hexes[-1])}, not from {self.start} to {self.end}."
            )
            raise IllegalChoice(rule, reason, f"The shortest is {self.places[0].key}.")
        for here, there in pairwise(hexes):
            if there not in self.steps.get(here, ()):
                near = ", ".join(self.steps.get(here, ())) or "nothing"
                raise IllegalChoice(
                    rule, f"from {_short(here)} ships cannot sail to {_short(there)}.", f"Next to it: {near}."
                )
        if len(dict.fromkeys(hexes)) < len(hexes):
            raise IllegalChoice(rule, "the path enters a hex twice.", f"The shortest is {self.places[0].key}.")
        if self.most and len(hexes) - 1 > self.most:
            raise IllegalChoice(
                self.most_rule or rule, f"the path has {len(hexes) - 1} hexes, and {self.most} is the most."
            )
        return Answer({"choice": {path_text(hexes): 1}})

    def sample(self, random: Random) -> Wire:
        """One of the paths worth offering."""
        return {"choice": random.choice(self.places).key}

    def sole_answer(self) -> Wire | None:
        """The only legal path, if there is but one."""
        found = steps = 0
        unfinished: list[tuple[str, ...]] = [(self.start,)]
        while unfinished and found < 2 and steps <= MOST_STEPS:
            path = unfinished.pop()
            steps += 1
            if path[-1] == self.end:
                found += 1
            elif not self.most or len(path) <= self.most:
                unfinished.extend((*path, hex) for hex in self.steps.get(path[-1], ()) if hex not in path)
        return self.default if found == 1 and not unfinished else None


BETWEEN_HEXES = " > "


def path_text(hexes: Iterable[str]) -> str:
    """A path as one text."""
    return BETWEEN_HEXES.join(hexes)


def path_of(text: str) -> tuple[str, ...]:
    """The hexes of a path written as one text."""
    return tuple(hex.strip() for hex in text.split(BETWEEN_HEXES.strip()))


def path_form(paths: Iterable[Iterable[str]], steps: dict[str, tuple[str, ...]], most: int, most_rule: str) -> PathForm:
    """A question for a path, from those worth offering."""
    rows = [tuple(path) for path in paths]
    places = tuple(Place(path_text(row), f"{len(row) - 1} hexes: {path_text(row)}") for row in rows)
    return PathForm(
        (Item("choice", "Your path"),),
        places,
        default={"choice": places[0].key},
        start=rows[0][0],
        end=rows[0][-1],
        steps=steps,
        most=most,
        most_rule=most_rule,
    )


def holds(limit: Limit, cells: Cells) -> bool:
    """Whether an answer keeps a limit."""
    if isinstance(limit, OneShort):
        weights = dict(limit.weights)
        short = 0
        for place, need in limit.needs:
            held = sum(weights.get(item, 0) * places.get(place, 0) for item, places in cells.items())
            short += 0 < held < need
        return short <= 1
    if isinstance(limit, OnlyIf):
        used = any(cells[item].get(place, 0) for item, place in limit.cells)
        return not used or sum(cells[item].get(place, 0) for item, place in limit.needs) >= limit.at_least
    total = sum(weight * cells[item].get(place, 0) for item, place, weight in limit.cells)
    return total <= limit.limit if isinstance(limit, AtMost) else total >= limit.limit


def _splits(amount: int, places: list[str]) -> Iterator[dict[str, int]]:
    if not places:
        return
    if len(places) == 1:
        yield {places[0]: amount} if amount else {}
        return
    for here in range(amount, -1, -1):
        for others in _splits(amount - here, places[1:]):
            yield {places[0]: here, **others} if here else others


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# -- the common shapes ---------------------------------------------------------------


def barred(item: str, place: str, rule: str, why: str) -> AtMost:
    """This item may not go there."""
    return AtMost(((item, place, 1),), 0, rule, why)


def pick(options: Mapping[str, str], default: str, limits: Iterable[Limit] = ()) -> Form:
    """Exactly one of these: key and label."""
    places = tuple(Place(key, label) for key, label in options.items())
    return Form((Item("choice", "Your choice"),), places, tuple(limits), default={"choice": default})


def distinct(items: Iterable[str], places: Iterable[str], rule: str, why: str) -> tuple[AtMost, ...]:
    """No two of these items in the same one of these places."""
    names = tuple(items)
    return tuple(AtMost(tuple((item, place, 1) for item in names), 1, rule, why) for place in places)


def in_order(items: Mapping[str, str], rule: str) -> Form:
    """Every item gets a rank of its own, 1 first. The default is the order given."""
    ranks = [str(rank) for rank in range(1, len(items) + 1)]
    return Form(
        tuple(Item(key, label) for key, label in items.items()),
        tuple(Place(rank, f"place {rank}") for rank in ranks),
        distinct(items, ranks, rule, "Each place in the order is taken once."),
        default=dict(zip(items, ranks, strict=True)),
    )


def order_of(answer: Answer) -> list[str]:
    """The items of an `in_order` form, first to last."""
    return sorted(answer.cells, key=lambda item: int(answer.place(item)))
