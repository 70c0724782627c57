"""Games between admirals, to be stopped at what is asked in them."""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.odds.philox import PhiloxDice
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario

BOTS = {side: AdmiralBot() for side in Side}


def decisions(
    name: str, order_of_battle: str, seed: int = 9, edition: str = "current"
) -> Iterator[tuple[Game, Side, str]]:
    """A game before every decision: who is asked, and what kind of question."""
    scenario = load_scenario(name)
    setup = scenario.setup.with_order_of_battle(order_of_battle)
    game = Game.new(setup, edition=edition, options=scenario.options, dice=PhiloxDice(seed, seed), key="00" * 16)
    while not game.over and game.battle.segment != "return":
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        yield game, side, decision.kind
        game.submit(side, BOTS[side].choose(game.picture(side), decision))


def moments(
    name: str, order_of_battle: str, seed: int = 9, edition: str = "current"
) -> Iterator[tuple[Game, Side, str]]:
    """The same, when the groups have been formed."""
    for game, side, kind in decisions(name, order_of_battle, seed, edition):
        if game.battle.segment != "formation":
            yield game, side, kind
