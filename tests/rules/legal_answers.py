"""Every answer a small form could be given, and whether it is legal: limits against the rule said in other words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Form

Cells = dict[str, dict[str, int]]
Amount = Callable[[str, str], int]  # how much of an item is in a place
MOST = 40_000


def splits(amount: int, places: Sequence[str]) -> Iterator[dict[str, int]]:
    """Every way to divide an amount among places."""
    if len(places) == 1:
        yield {places[0]: amount}
    elif places:
        for here in range(amount + 1):
            for rest in splits(amount - here, places[1:]):
                yield {places[0]: here, **rest}


def every_answer(form: Form) -> Iterator[Cells]:
    """Every complete answer, whatever the limits say."""
    ways = [list(splits(item.amount, form.places_for(item))) for item in form.items]
    number = 1
    for each in ways:
        number *= len(each)
    assert number <= MOST, f"{number} answers are too many for a test"
    for chosen in product(*ways):
        yield {item.key: places for item, places in zip(form.items, chosen, strict=True)}


def is_legal(form: Form, cells: Cells) -> bool:
    try:
        form.read(cells, "")
    except IllegalChoice:
        return False
    return True


def check(form: Form, allowed: Callable[[Amount], bool]) -> None:
    """The form takes exactly the answers the rule allows; some, and not all."""
    taken = 0
    answers = list(every_answer(form))
    for cells in answers:

        def amount(item: str, place: str, cells: Cells = cells) -> int:
            return cells[item].get(place, 0)

        legal = is_legal(form, cells)
        assert legal == allowed(amount), f"{cells} is {'taken' if legal else 'refused'}"
        taken += legal
    assert 0 < taken < len(answers), "a form that takes all or nothing proves nothing"
    assert is_legal(form, form.default), "the default is illegal"  # type: ignore[arg-type]
