"""Whether undo is free tells nothing: neither whether the enemy has decided, nor what."""

from __future__ import annotations

from random import Random

import pytest

from flagplot.core.errors import UndoRefused
from flagplot.core.sides import Side
from flagplot.play import game as games
from flagplot.play.game import Game
from flagplot.play.undo import barrier
from tests.properties.random_battles import KEY, SeededDice, random_setup

GAMES = 8
INPUTS = 45


def seen_by(game: Game, side: Side) -> tuple[int, bool, int]:
    """All by which a side could notice that something was done."""
    return len(game.picture(side).events), game.decision(side) is not None, game.question_number(side)


def verdict(game: Game, side: Side) -> tuple[str, str] | None:
    """What a side learns by looking where undo stands, and by trying it."""
    stands = game.undo_stands(side)
    try:
        Game(game.header, game.journal, game.dice).undo(side)
        tried = ""
    except UndoRefused as refusal:
        tried = str(refusal)
    return (stands.decision.tag, tried) if stands else None


def unnoticed_decisions(seed: int) -> int:
    """Play; how often a side decided something without the other's noticing. Each time undo must look the same to it."""
    random = Random(seed)
    game = Game.new(random_setup(random), dice=SeededDice(random), key=KEY)
    unnoticed = 0
    while not game.over and len(game.runner.tape) < INPUTS:
        if game.roll_due():
            game.roll()
            continue
        side = random.choice([side for side in Side if game.decision(side)])
        decision = game.decision(side)
        assert decision
        before = seen_by(game, side.enemy), verdict(game, side.enemy)
        game.submit(side, decision.form.sample(random))
        if not game.roll_due() and seen_by(game, side.enemy) == before[0]:
            unnoticed += 1
            assert verdict(game, side.enemy) == before[1], f"undo tells {side.enemy} that {side} has decided"
    return unnoticed


def test_undo_looks_the_same_whether_the_enemy_has_decided_or_not() -> None:
    assert sum(unnoticed_decisions(seed) for seed in range(GAMES)) > 5 * GAMES


def test_a_barrier_that_looks_at_the_tape_alone_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def on_the_tape(*args: object, enemy_asked: bool) -> str:
        return barrier(*args, enemy_asked=False)  # type: ignore[arg-type]

    monkeypatch.setattr(games, "barrier", on_the_tape)
    with pytest.raises(AssertionError, match="undo tells"):
        for seed in range(GAMES):
            unnoticed_decisions(seed)
