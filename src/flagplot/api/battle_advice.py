"""Advice on a secret choice of a battle: a mixture nobody can exploit, from what a side knows (22.423, 22.431, 22.61).

The law here: what is asked of a side is advised upon, from its picture and its belief (odds/beliefs.py, formations.py).
Answers are plain values, better and better; whoever ends it keeps the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from flagplot.api.battle_odds import played_by, world_of_game
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Cells
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.advisor import WIN, advice, advising
from flagplot.odds.beliefs import Belief, belief_text
from flagplot.odds.choices import KINDS, Choice, Order, Ordered
from flagplot.odds.formations import FORMING, before_numbers
from flagplot.odds.sampling import AUTO, USUAL
from flagplot.odds.worlds import FORMATION, NAVAL_BATTLE, NoOdds, World
from flagplot.play.game import Game
from flagplot.play.wording import listed

NUMBER = "number"
CHOICE, EVADE = "choice", "evade"  # in the form of that question
NOTHING_ASKED = f"there is advice on {', '.join(KINDS.values())}: nothing of the kind is asked of you now"


def advised(game: Game, side: Side) -> Decide:
    """The question now open to a side, if there can be advice on it."""
    decision = game.decision(side)
    if decision is None or decision.kind not in KINDS:
        raise NoOdds(NOTHING_ASKED)
    return decision


def world_to_advise(
    game: Game, side: Side, belief: str = "", doctrines: Mapping[Side, Doctrine] = USUAL
) -> tuple[World, Belief]:
    """The world in which a side chooses, as it knows it, with what it believes."""
    picture = game.picture(side)
    decision = advised(game, side)
    if picture.battle.segment != FORMATION or decision.kind != NUMBER:
        return world_of_game(game, side, belief)
    if picture.battle.kind != NAVAL_BATTLE:
        raise NoOdds(f"there is advice on naval battles, not on a battle of this kind: {picture.battle.kind}")
    answers = [game.runner.tape[index].answer for index in islice(_own(game, side), len(FORMING))]
    return before_numbers(
        game.header.edition,
        game.header.options,
        picture,
        game.picture(None),
        decision=decision,
        answers=answers[::-1],
        doctrines=doctrines,
        belief=belief,
    )


def beside(game: Game, side: Side, doctrine: Doctrine, found: Sequence[Choice]) -> tuple[dict[str, Any], ...]:
    """What each choice means in the question that is open: the answer to it as its form holds it, and for a choice left to
    the doctrine that answer in words. Nothing stands beside a choice that cannot be made here; where only one answer
    is possible there is nothing to advise on."""
    picture, decision = game.picture(side), advised(game, side)
    told: list[dict[str, Any]] = []
    for choice in found:
        given = {name: str(number) for name, number in choice.numbers}
        wire = (
            {**decision.form.default, **given} if given else Ordered(doctrine, choice.order).choose(picture, decision)
        )
        try:
            cells = decision.form.read(wire, decision.rule).cells
        except IllegalChoice:  # a number that is not free
            told.append({})
            continue
        left_open = choice.order == Order() and not given
        done = not choice.order.evade or EVADE in cells.get(CHOICE, {})  # a slow group, for one, cannot
        told.append(({"answer": cells} | ({"means": _in_words(decision, cells)} if left_open else {})) if done else {})
    if len({repr(each["answer"]) for each in told if each}) < 2:
        raise NoOdds(f"there is nothing to weigh here: as to {KINDS[decision.kind]}, only one choice can be made")
    return tuple(told)


def _in_words(decision: Decide, cells: Cells) -> str:
    """An answer in words: what does not stay where it rests."""
    form = decision.form
    labels = {place.key: place.label for place in form.places}
    parts = [
        f"{number} {item.label} {labels[place]}" if item.amount > 1 else f"{item.label} {labels[place]}"
        for item in form.items
        for place, number in cells[item.key].items()
        if place != form.rest_of(item)
    ]
    return listed(parts, f"everything {labels.get(form.rest, 'stays as it is')}")


def _own(game: Game, side: Side) -> Iterator[int]:
    """Where a side's answers stand, the last first; how many others stand between them makes no difference."""
    tape = game.runner.tape
    return (index for index in range(len(tape) - 1, -1, -1) if tape[index].who == side)


def advise(
    world: World,
    side: Side,
    kind: str,
    *,
    belief: Belief,
    doctrines: Mapping[Side, Doctrine] = USUAL,
    value: str = WIN,
    battles: int | None = None,
    seed: int = 0,
    engine: str = AUTO,
    beside: Sequence[Mapping[str, Any]] = (),
) -> Iterator[dict[str, Any]]:
    """Advice, better and better. `choices` is empty until every pair has been fought once; `battles` counts all that were
    fought, `each` those of each pair the advice is drawn from. What is given `beside` stands with each choice; one beside
    which nothing stands cannot be made."""
    about = {
        "title": world.battle.title,
        "side": side.value,
        "on": kind,
        "seed": seed,
        "belief": belief.in_words(),
        "belief_text": belief_text(belief),
        **played_by(world, doctrines),
    }
    said: dict[str, Any] = {"value": value, "choices": []}
    each = -1
    possible = [index for index, more in enumerate(beside) if more] if beside else None
    for step in advising(
        world,
        side,
        kind,
        doctrines=doctrines,
        value=value,
        battles=battles,
        seed=seed,
        engine=engine,
        only=possible,
    ):
        if step.found is not None and step.each != each:
            said, each = advice(step.found, value, step.each), step.each
            if beside:
                more = filter(None, beside)
                said["choices"] = [row | dict(other) for row, other in zip(said["choices"], more, strict=True)]
        why = "every pair of choices was fought as often as was asked" if step.last else ""
        yield {
            **about,
            **said,
            "each": step.each,
            "battles": step.battles,
            "of": step.of,
            "last": step.last,
            "why": why,
        }
