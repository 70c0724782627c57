"""19.6, 23.416, 23.423: who is lost and who turns back.

We do not hold 19.6; the rotation is that of 26.454 (AN-19): types by number, the largest first, one squadron of each in
turn; eliminations first, then aborts in the same rotation. Roles and bases within a type are the owner's choice (AN-06).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.core.asks import Decide
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.ships import plus
from flagplot.model.squadrons import Counts, squadron, squadron_label, total

NEVER_ABORT = ("KAM",)  # 23.423, and in air combat as well (AN-44)


class Toll(NamedTuple):
    """What an air result takes: by type, or by squadron key once the owner has chosen."""

    lost: dict[str, int]
    aborted: dict[str, int]
    ignored: int = 0  # aborts that fell on kamikazes

    def __add__(self, other: object) -> Toll:
        """Two tolls together."""
        assert isinstance(other, Toll)
        ignored = self.ignored + other.ignored
        return Toll(plus(self.lost, other.lost), plus(self.aborted, other.aborted), ignored)


def by_type(counts: Counts) -> dict[str, int]:
    """Squadrons by the type they take losses with."""
    types: dict[str, int] = {}
    for key, number in counts.items():
        types[squadron(key).type] = types.get(squadron(key).type, 0) + number
    return types


@rule("23.154.2", "23.416A.2", "23.423")
def share_air_losses(types: Mapping[str, int], eliminated: int, aborted: int, order: Sequence[str] = ()) -> Toll:
    """23.416A. One squadron of each type in turn, the largest first, equals in the owner's order; used-up types are
    passed over. An abort that falls on kamikazes has no effect (FP-25)."""
    place = {key: index for index, key in enumerate(order)}
    ranked = sorted((key for key in types if types[key] > 0), key=lambda key: (-types[key], place.get(key, 0)))
    left = {key: types[key] for key in ranked}
    lost: dict[str, int] = {}
    turned: dict[str, int] = {}
    turn = 0
    for record, number in ((lost, eliminated), (turned, aborted)):
        for _ in range(number):
            if not any(left.values()):
                break
            while not left[ranked[turn % len(ranked)]]:
                turn += 1
            key = ranked[turn % len(ranked)]
            turn += 1
            left[key] -= 1
            record[key] = record.get(key, 0) + 1
    unmoved = {key: turned.pop(key) for key in ranked if key in turned and squadron(key).kind in NEVER_ABORT}
    return Toll(lost, turned, sum(unmoved.values()))


@rule("23.416A.2", "23.423")
def air_loss_order_matters(types: Mapping[str, int], eliminated: int, aborted: int) -> bool:
    """23.416A. Whether types of equal number leave the owner a choice of who suffers first (AN-19)."""
    keys = list(types)
    first, last = (share_air_losses(types, eliminated, aborted, order) for order in (keys, keys[::-1]))
    return first != last


@rule("23.154", "23.416A.2")
def air_loss_form(counts: Counts, toll: Toll) -> Form:
    """23.154. Which squadrons of a type are lost and which turn back: roles and bases are the owner's choice."""
    items: list[Item] = []
    limits: list[Limit] = []
    default: dict[str, dict[str, int]] = {}
    for kind in by_type(counts):
        keys = [key for key in counts if squadron(key).type == kind]
        wanted = {"lost": toll.lost.get(kind, 0), "aborts": toll.aborted.get(kind, 0)}
        if not _leaves_a_choice(counts, keys, wanted):
            continue
        items += [Item(key, squadron_label(key), counts[key]) for key in keys]
        for place, number in wanted.items():
            cells = tuple((key, place, 1) for key in keys)
            why = f"{squadron_label(kind)}: {wanted['lost']} lost, {wanted['aborts']} turned back."
            limits += [AtMost(cells, number, "19.6", why), AtLeast(cells, number, "19.6", why)]
        default.update(_in_turn(counts, keys, wanted))
    places = (Place("stays", "stays"), Place("lost", "is lost"), Place("aborts", "turns back"))
    return Form(tuple(items), places, tuple(limits), rest="stays", default=default)


def _leaves_a_choice(counts: Counts, keys: Sequence[str], wanted: Mapping[str, int]) -> bool:
    whole = sum(counts[key] for key in keys)
    return len(keys) > 1 and any(wanted.values()) and whole not in wanted.values()


def _in_turn(counts: Counts, keys: Sequence[str], wanted: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """The first squadrons are lost, the next turn back."""
    calls = [place for place, number in wanted.items() for _ in range(number)]
    told: dict[str, dict[str, int]] = {}
    for key in keys:
        mine, calls = calls[: counts[key]], calls[counts[key] :]
        if mine:
            told[key] = {place: mine.count(place) for place in wanted if place in mine}
    return told


@rule("23.416A.2", "23.423", "23.154")
async def take_air_losses(table_side: Side, counts: Counts, eliminated: int, aborted: int, where: str) -> Toll:
    """23.416A. What a result takes from these squadrons, as far as they go; their owner settles what is equal."""
    types = by_type(counts)
    order: list[str] = []
    if air_loss_order_matters(types, eliminated, aborted):
        numbers = list(types.values())
        equal = {key: squadron_label(key) for key, number in types.items() if numbers.count(number) > 1}
        form = in_order(equal, "19.6")
        question = (
            f"{where}: {eliminated} lost, {aborted} turned back. Of these types, equal in number, which suffers first?"
        )
        order = order_of(await Decide(table_side, "19.6", "air loss order", question, form))
    shared = share_air_losses(types, eliminated, aborted, order)
    form = air_loss_form(counts, shared)
    chosen = Toll({}, {})
    if form.items:
        question = f"{where}: {eliminated} lost, {aborted} turned back, shared among types. Which of these squadrons?"
        answer = await Decide(table_side, "19.65", "air losses", question, form)
        chosen = Toll(answer.held_by("lost"), answer.held_by("aborts"))
    asked = {item.key for item in form.items}
    return Toll(
        plus(chosen.lost, _certain(counts, shared.lost, asked)),
        plus(chosen.aborted, _certain(counts, shared.aborted, asked)),
        shared.ignored,
    )


def _certain(counts: Counts, by_types: Mapping[str, int], asked: set[str]) -> dict[str, int]:
    """What types lose where nobody had to choose: a single key, or all of them."""
    told: dict[str, int] = {}
    for kind, number in by_types.items():
        keys = [key for key in counts if squadron(key).type == kind and key not in asked]
        for key in keys:
            told[key] = number if len(keys) == 1 else counts[key]
    return told


@rule("23.416A.2")
async def take_staged_losses(
    side: Side, fighting: Counts, others: Counts, eliminated: int, aborted: int, where: str
) -> Toll:
    """23.416A. The squadrons that fought suffer first; what they cannot bear falls on those that did not."""
    first = await take_air_losses(side, fighting, eliminated, aborted, where)
    eliminated, aborted = eliminated - total(first.lost), aborted - total(first.aborted) - first.ignored
    return first + await take_air_losses(side, others, eliminated, aborted, where)
