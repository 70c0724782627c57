"""Advice on a secret choice of a battle: a mixture nobody can exploit, from what a side knows (22.423, 22.431, 22.61).

The law here: what is asked of a side is advised upon, from its picture and its belief (odds/beliefs.py, formations.py).
Answers are plain values, better and better; whoever ends it keeps the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from flagplot.api.battle_odds import played_by, world_of_game
from flagplot.core.asks import Decide
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.advisor import WIN, advice, advising
from flagplot.odds.beliefs import Belief, belief_text
from flagplot.odds.choices import KINDS
from flagplot.odds.formations import FORMING, before_numbers
from flagplot.odds.sampling import AUTO, USUAL
from flagplot.odds.worlds import FORMATION, NAVAL_BATTLE, NoOdds, World
from flagplot.play.game import Game

NUMBER = "number"
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
        raise NoOdds(f"there is advice on naval battles; this is a {picture.battle.kind}")
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
) -> Iterator[dict[str, Any]]:
    """Advice, better and better. `choices` is empty until every pair has been fought once; `battles` counts all that were
    fought, `each` those of each pair the advice is drawn from."""
    about = {
        "title": world.battle.title,
        "side": side.value,
        "on": kind,
        "seed": seed,
        "belief": [{"number": group.number, "holds": group.describe()} for group in belief.groups],
        "belief_text": belief_text(belief),
        **played_by(world, doctrines),
    }
    said: dict[str, Any] = {"value": value, "choices": []}
    each = -1
    for step in advising(
        world, side, kind, doctrines=doctrines, value=value, battles=battles, seed=seed, engine=engine
    ):
        if step.found is not None and step.each != each:
            said, each = advice(step.found, value), step.each
        why = f"every pair of choices was fought {step.each:,} times, as often as was asked" if step.last else ""
        yield {
            **about,
            **said,
            "each": step.each,
            "battles": step.battles,
            "of": step.of,
            "last": step.last,
            "why": why,
        }
