"""What must hold of games in which something was put right."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Amended as AmendedLine
from flagplot.core.tape import Undone, tape
from flagplot.editions.current import ruleset
from flagplot.model.amendments import Amended, AmendmentAgreed, AmendmentLapsed
from flagplot.model.fold import fold
from flagplot.model.picture import Picture
from flagplot.model.state import Battle
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.play.report import report
from flagplot.play.transcript import transcript
from flagplot.rules.naval.battle import play_on
from flagplot.rules.table import Table
from tests.properties.amended_battles import amended_game

few = settings(max_examples=15, deadline=None)
SEEDS = st.integers(0, 10_000)


@few
@given(SEEDS, st.booleans())
def test_replay_and_a_save_give_the_same_game(seed: int, raiders: bool) -> None:
    game = amended_game(seed, raiders=raiders, most_inputs=400)
    again = saves.read(saves.dump(game))
    assert again.events() == game.events() and again.battle == game.battle == fold(game.events())
    assert again.runner.tape == game.runner.tape
    for side in (Side.AXIS, Side.ALLIES, None):
        assert again.picture(side).battle == game.picture(side).battle
        assert report(game.picture(side)) and transcript(game.picture(side).events)


@few
@given(SEEDS)
def test_every_amendment_takes_effect_or_lapses_at_the_next_boundary_and_everyone_is_told(seed: int) -> None:
    game = amended_game(seed, most_inputs=400, rate=0.2)
    waits = 0
    spectator = Picture(None)
    for event in game.events():
        spectator.send(event)
        waits += isinstance(event, AmendmentAgreed) - isinstance(event, Amended | AmendmentLapsed)
        assert waits == len(spectator.battle.amendments)
    agreed = sum(isinstance(line, AmendedLine) for line in game.journal)
    assert agreed == sum(isinstance(event, AmendmentAgreed) for event in spectator.events)
    assert game.over <= (waits == 0)


@few
@given(SEEDS)
def test_undo_equals_truncation_with_amendments_in_it(seed: int) -> None:
    game = amended_game(seed, most_inputs=120, rate=0.2)
    for side in Side:
        if game.undo_stands(side) is None:
            continue
        before = list(game.runner.tape)
        game.undo(side, agreed=True)
        undone = game.journal[-1]
        assert isinstance(undone, Undone)
        assert game.runner.tape == before[: undone.entries] == tape(game.journal)
        assert Game(game.header, game.journal).events() == game.events()


@few
@given(SEEDS)
def test_a_boundary_can_be_entered_from_its_state_with_amendments_still_to_come(seed: int) -> None:
    """What was agreed and has not taken effect is state, not memory."""
    game = amended_game(seed, most_inputs=150, rate=0.3)
    battle = Battle()
    for number, event in enumerate(game.events()):
        battle = fold([event], battle)
        if isinstance(event, Amended | AmendmentLapsed):
            before = fold(game.events()[:number])
            break
    else:
        return
    if before.step != "pair":
        return
    entered = Table(ruleset(), msgspec.json.decode(msgspec.json.encode(before), type=Battle))
    Runner(play_on(entered)).close()
    assert entered.log[0] == event


def test_no_end_of_play_is_blocked_by_amendments() -> None:
    ends = [amended_game(seed, rate=0.15).over for seed in Random(7).sample(range(10_000), 25)]
    assert sum(ends) >= 20
