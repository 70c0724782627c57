"""What a bot is: it is shown its side's picture and the question, and gives an answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.picture import Picture
from flagplot.play.game import Game
from flagplot.rules.table import Ruleset


class Bot(Protocol):
    """A player made of code."""

    name: str

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """The answer to a question, from what this side knows."""


def rules_of(picture: Picture) -> Ruleset:
    """The rules a game is played by, as every player knows them: a bot reckons with their tables and slots."""
    return _ruleset(picture.edition, tuple(picture.options.items()))


@lru_cache(maxsize=64)
def _ruleset(edition: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    return ruleset(edition, dict(options))


def play_out(game: Game, bots: dict[Side, Bot], most_inputs: int = 100_000) -> None:
    """Let bots play a game to its end, or until it has had this many inputs."""
    while not game.over and len(game.runner.tape) < most_inputs:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        if decision is not None:
            game.submit(side, bots[side].choose(game.picture(side), decision))
