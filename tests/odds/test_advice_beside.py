"""What stands beside a piece of advice: the answer it comes to in the question that is open, and group names one can read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from flagplot.api.battle_advice import advise, advised, beside, world_to_advise
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.advisor import BLOCKS, FACTORS, WIN, Matrix, advice
from flagplot.odds.choices import KINDS, Choice, choices
from flagplot.odds.worlds import NoOdds
from flagplot.play.game import Game
from tests.odds.moments import decisions


def questions(name: str) -> Iterator[tuple[Game, Side, str]]:
    """Every question there may be advice on, the numbering among them."""
    return ((game, side, kind) for game, side, kind in decisions(name, "hidden") if kind in KINDS)


@pytest.mark.parametrize("name", ["three-groups", "pedestal", "coral-sea"])
def test_every_choice_is_an_answer_to_what_is_asked(name: str) -> None:
    """Each is legal as it stands, and there are at least two of them."""
    met: set[str] = set()
    for game, side, kind in questions(name):
        try:
            world, _ = world_to_advise(game, side)
            found = choices(world, side, kind)
            told = beside(game, side, Doctrine(), found)
        except NoOdds:
            continue
        met.add(kind)
        form, rule = advised(game, side).form, advised(game, side).rule
        assert len(told) == len(found)
        for choice, row in zip(found, told, strict=True):
            if not row:
                continue
            assert form.read(row["answer"], rule).cells == row["answer"]
            if choice.numbers:
                assert {name: int(next(iter(places))) for name, places in row["answer"].items()} == dict(choice.numbers)
            assert ("means" in row) == (choice.label == "screen as the doctrine says")
        assert len({str(row["answer"]) for row in told if row}) > 1
    assert {"screen", "withdraw"} <= met


def test_there_is_no_advice_where_only_one_answer_is_possible() -> None:
    """Numbers given beforehand (22.424) leave nothing to choose; nor does an evasion that a slow group cannot make."""
    game, side, kind = next(questions("three-groups"))
    world, _ = world_to_advise(game, side)
    assert kind == "number" and len(choices(world, side, kind)) > 1
    with pytest.raises(NoOdds, match="only one choice can be made"):
        beside(game, side, Doctrine(), choices(world, side, kind))
    for game, side, kind in questions("pedestal"):
        decision = advised(game, side)
        if kind == "evade" and "evade" in decision.form.barred(decision.form.items[0]):
            with pytest.raises(NoOdds, match="only one choice can be made"):
                beside(game, side, Doctrine(), choices(world_to_advise(game, side)[0], side, kind))
            return
    raise AssertionError("nobody was asked to evade who could not")


def test_what_the_doctrine_would_screen_is_said_in_words() -> None:
    for game, side, kind in questions("three-groups"):
        if kind == "screen":
            world, _ = world_to_advise(game, side)
            told = beside(game, side, Doctrine(), choices(world, side, kind))
            assert told[0]["means"] == "everything fights in the line"  # one navy each: nobody is better off behind it
            return


def test_only_what_can_be_chosen_is_weighed() -> None:
    game, side, kind = next(asked for asked in questions("three-groups") if asked[2] == "screen")
    world, held = world_to_advise(game, side)
    told = list(beside(game, side, Doctrine(), choices(world, side, kind)))
    told[1:-1] = [{}] * (len(told) - 2)  # the first and the last are left
    (*_, last) = advise(world, side, kind, belief=held, battles=8, engine="procedures", beside=told)
    assert len(told) > 2 and [row["answer"] for row in last["choices"]] == [told[0]["answer"], told[-1]["answer"]]
    assert len(last["payoffs"]) == 2


def test_groups_nobody_has_named_are_called_by_what_they_hold() -> None:
    """A made-up name has a number in it, which is just what is chosen."""
    game, side, kind = next(questions("midway"))
    world, _ = world_to_advise(game, side)
    labels = [choice.label for choice in choices(world, side.enemy, kind)]
    assert labels and not any("enemy CG" in label for label in labels)
    assert any(label.startswith("CG1 ") for label in labels)


def matrix(wins: list[list[int]], each: int) -> Matrix:
    """Payoffs of so many wins of a pair, the same in every block."""
    payoffs = np.array(wins) / each
    rows, columns = payoffs.shape
    own, enemy = (tuple(Choice(f"{number}") for number in range(many)) for many in (rows, columns))
    return Matrix(own, enemy, np.repeat(payoffs[None], BLOCKS, axis=0))


def test_what_luck_may_account_for_makes_no_difference() -> None:
    """Three battles of two thousand more or less are luck, thirty are not; factors are counted as they are."""
    few, many = matrix([[1990], [1993]], 2000), matrix([[1960], [1990]], 2000)
    assert advice(few, WIN, 2000)["same"] and not advice(few, WIN)["same"]
    assert not advice(many, WIN, 2000)["same"]
    assert not advice(matrix([[0], [1]], 10), FACTORS, 10)["same"]
