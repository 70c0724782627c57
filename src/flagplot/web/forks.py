"""What if: a finished battle is taken up again at one of its steps, against the admiral, as a game of its own.

Only a battle that is over can be forked, since whoever takes it up learns nothing new by it. All that was answered and
rolled before the step happens again, under a new key; from there the dice are new.
"""

from __future__ import annotations

import secrets

import msgspec

import flagplot
from flagplot.core.asks import Both
from flagplot.core.dice import ScriptedDice, SystemDice
from flagplot.core.errors import PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import AMENDMENT, DICE
from flagplot.model.amendments import Amendment
from flagplot.model.picture import is_told
from flagplot.play.game import Game
from flagplot.play.transcript import Storyteller
from flagplot.web.hall import Created, Hall, LiveGame


def fork(hall: Hall, game: LiveGame, step: int, side: Side, *, seat: str) -> Created:
    """A new game that begins just before a step of a finished one, as `seat` counts steps; `side` is a person's."""
    with game.lock:
        if not game.game.over:
            raise StaleRequest("this battle is not over yet: what might have been can be tried when it is")
        event = event_of(game.game, step, SIDES.get(seat), everything=seat == "referee")
        taken_up = until(game.game, event, side)
    public = taken_up.header.setup.public
    return hall.take_in(
        taken_up,
        {side: "person", side.enemy: "admiral"},
        title=f"What if: {public.title}",
        unless_over=f"from here on {public.names[side]} has nothing left to decide: go back to an earlier step",
    )


def event_of(game: Game, step: int, side: Side | None, *, everything: bool) -> int:
    """The place in the whole log of the event that a step of a story tells."""
    teller, told = Storyteller(), 0
    for index, event in enumerate(game.table.log):
        if everything or is_told(side, event):
            told += len(teller.tell(event))
            if told > step:
                return index
    raise PlayerError(f"the story has {told} steps: there is no step {step}")


def until(game: Game, event: int, side: Side) -> Game:
    """The same battle up to the last input before an event; an order that was sealed but not opened is not yet given."""
    header = msgspec.structs.replace(
        game.header,
        engine=flagplot.__version__,
        solitaire=False,
        people=(side,),
        dice=SystemDice.name,
        fair=msgspec.UNSET,  # from here on the dice are others
        key=secrets.token_hex(16),
    )
    again = _played(Game(header, dice=ScriptedDice(_dice(game))), game, event)
    inputs = len(again.journal)
    while _half_sealed(again):
        inputs -= 1
        again = Game(header, again.journal[:inputs])
    again.dice = SystemDice()
    return again


def _dice(game: Game) -> list[int]:
    """The dice of a game in the order they fell, undone ones left out."""
    rolled: list[int] = []
    for entry in game.runner.tape:
        if entry.who == DICE and isinstance(entry.answer, list):
            rolled += [die for die in entry.answer if isinstance(die, int)]
    return rolled


def _played(again: Game, game: Game, event: int) -> Game:
    """Play the same inputs for as long as the event has not happened."""
    for entry in game.runner.tape:
        if entry.who == DICE:
            again.roll()
        elif entry.who == AMENDMENT:
            amendment = msgspec.convert(entry.answer, Amendment)
            again.amend(amendment.by, amendment.change, agreed=amendment.agreed, words=amendment.words)
        else:
            again.submit(SIDES[entry.who], entry.answer)
        if len(again.table.log) > event:
            return Game(again.header, again.journal[:-1])
    return Game(again.header)  # the event stands at the very beginning


def _half_sealed(game: Game) -> bool:
    return isinstance(game.runner.pending, Both) and any(game.decision(side) is None for side in Side)
