"""What must hold of every game, whatever is played."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.core.errors import PlayerError, UndoRefused
from flagplot.core.events import Modifiers
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Undone, tape
from flagplot.editions.current import ruleset
from flagplot.model.air_events import (
    AirAttackRolled,
    AirDefenseCounted,
    StrikeAnnounced,
    StrikeFlown,
    SurpriseRolled,
    TorpedoesFired,
)
from flagplot.model.events import Fired, RoundBegan, SearchCounted
from flagplot.model.fold import fold
from flagplot.model.state import Battle, Fleet
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.rules.naval.battle import carry_out, muster, play_on
from flagplot.rules.table import Table
from tests.properties.random_battles import in_order_of_names, random_game, random_setup

SEEDS = st.integers(0, 10_000)
few = settings(max_examples=25, deadline=None)


@few
@given(SEEDS, st.booleans())
def test_replay_gives_the_same_events_and_state(seed: int, raiders: bool) -> None:
    game = random_game(seed, raiders=raiders)
    again = Game(game.header, game.journal)
    assert again.events() == game.events()
    assert again.battle == game.battle


@few
@given(SEEDS)
def test_a_saved_game_reads_back_as_it_was(seed: int) -> None:
    game = random_game(seed)
    again = saves.read(saves.dump(game))
    assert again.battle == game.battle
    assert saves.dump(again) == saves.dump(game)


@few
@given(SEEDS, st.integers(0, 60))
def test_undo_equals_the_shorter_tape(seed: int, inputs: int) -> None:
    game = random_game(seed, most_inputs=inputs)
    for side in Side:
        if any(entry.who == side for entry in game.runner.tape):
            before = list(game.runner.tape)
            try:
                game.undo(side, agreed=True)
            except UndoRefused:  # it had no choice in anything so far
                assert game.runner.tape == before
                continue
            keep = len(game.runner.tape)
            decision = game.decision(side)
            assert before[keep].who == side and decision and decision.form.sole_answer() is None
            assert game.runner.tape == before[:keep]
            line = game.journal[-1]
            assert isinstance(line, Undone) and (line.who, line.entries, line.agreed) == (side.value, keep, True)
            assert tape(game.journal) == before[:keep]
            again = Game(game.header, game.journal)
            assert (again.events(), again.battle) == (game.events(), game.battle)


@few
@given(SEEDS)
def test_every_breakdown_adds_up(seed: int) -> None:
    for event in random_game(seed, most_inputs=400).events():
        if isinstance(event, Fired | AirAttackRolled | TorpedoesFired):
            assert sum(event.dice) + sum(line.amount for line in event.modifiers.lines) == event.roll
        if isinstance(event, SearchCounted):
            assert sum(line.amount for line in event.dice.lines) == event.dice.total >= 0
        if isinstance(event, AirDefenseCounted):
            assert sum(line.amount for line in event.level.lines) == event.level.total >= 0
        if isinstance(event, SurpriseRolled):
            assert max(0, sum(event.dice) + event.modifiers.total) == event.level


@given(st.lists(st.integers(-5, 5), max_size=8), st.integers(-4, 4))
def test_limits_are_lines_too(amounts: list[int], limit: int) -> None:
    lines = Modifiers()
    for amount in amounts:
        lines = lines.plus("22.552", "a reason", amount)
    capped = lines.at_most(limit, "22.552", "at most").at_least(limit, "22.552", "at least")
    assert capped.total == limit == sum(line.amount for line in capped.lines)


def census(fleet: Fleet) -> tuple[int, int]:
    """All the factors a side ever brought, wherever they are now; and all its light units, transports included."""
    groups = [*fleet.groups, *fleet.pending, *fleet.detached, *fleet.withdrawn, *fleet.home]
    named = sum(ship.size for group in groups for ship in group.ships) + sum(ship.size for ship in fleet.sunk)
    units = sum(sum(group.light.values()) for group in groups) + sum(fleet.sunk_light.values())
    units += sum(sum(counts.values()) for counts in fleet.destroyers_elsewhere.values())
    return named, units


@few
@given(SEEDS)
def test_no_factor_appears_from_nowhere_or_is_lost(seed: int) -> None:
    game = random_game(seed)
    for side in Side:
        forces = game.header.setup.sides[side].forces
        named = sum(ship.size for force in forces for ship in force.ships)
        units = sum(sum(force.light.values()) for force in forces)
        elsewhere = game.header.setup.sides[side].destroyers_elsewhere
        units += sum(sum(counts.values()) for counts in elsewhere.values())
        assert census(game.battle.fleets[side]) == (named, units)


def squadrons_of(fleet: Fleet) -> int:
    """All squadrons a side ever brought, wherever they are now: three for each factor."""
    groups = [*fleet.groups, *fleet.pending, *fleet.detached, *fleet.withdrawn, *fleet.home]
    aboard = sum(ship.air for group in groups for ship in group.ships) + sum(ship.air for ship in fleet.sunk)
    flying = sum(sum(group.patrol.values()) for group in fleet.groups) + sum(fleet.patrol_left.values())
    flying += sum(fleet.ready.values()) + sum(fleet.aloft.values())
    factors = sum(sum(base.factors.values()) + sum(base.inverted_factors.values()) for base in fleet.air_bases)
    ashore = sum(sum(base.squadrons.values()) + sum(base.inverted.values()) for base in fleet.air_bases)
    return aboard + flying + 3 * factors + ashore + sum(fleet.air_lost.values())


@few
@given(SEEDS, st.booleans())
def test_squadrons_are_conserved(seed: int, raiders: bool) -> None:
    """What was brought is aboard, ashore, in the air or lost, at every turn of the game."""
    game = random_game(seed, raiders=raiders, most_inputs=0)
    brought = {}
    for side in Side:
        bases = game.header.setup.public.air[side].bases
        forces = game.header.setup.sides[side].forces
        brought[side] = sum(ship.air for force in forces if force.engaged or not raiders for ship in force.ships)
        brought[side] += squadrons_of(Fleet(air_bases=bases))
    played = random_game(seed, raiders=raiders)
    for side in Side:
        fleet = played.battle.fleets[side]
        if played.over:
            assert not fleet.ready and not fleet.aloft and not any(group.patrol for group in fleet.groups)
        assert squadrons_of(fleet) == brought[side]


@few
@given(SEEDS, st.booleans())
def test_what_everyone_is_told_of_squadrons_is_in_the_order_of_their_names(seed: int, raiders: bool) -> None:
    """Any other order could tell from which deck or over which group they fly."""
    for event in random_game(seed, raiders=raiders, most_inputs=600).events():
        assert in_order_of_names(event), event


@few
@given(SEEDS)
def test_no_strike_is_too_large_and_no_squadron_strikes_twice_in_a_round(seed: int) -> None:
    game = random_game(seed, most_inputs=1_500)
    shore: dict[tuple[Side, str], int] = {}
    battle = Battle()
    decks: dict[Side, int] = {}
    for event in game.events():
        before, battle = battle, fold([event], battle)
        if isinstance(event, RoundBegan):
            shore = {}
            decks = {side: sum(s.air for g in battle.fleets[side].groups for s in g.ships) for side in Side}
        if isinstance(event, StrikeFlown):
            flown = sum(sum(counts.values()) for counts in event.decks.values())
            decks[event.side] -= flown
            assert decks[event.side] >= 0, "more naval air has struck than was aboard when the round began"
        if isinstance(event, StrikeAnnounced):
            assert 1 <= sum(event.squadrons.values()) <= 12
            target = before.fleets[event.side.enemy].group(event.number)
            assert target.found > target.spent
            for key, number in event.squadrons.items():
                if "@" in key:
                    name, base = key.split("@")
                    shore[event.side, key] = shore.get((event.side, key), 0) + number
                    assert shore[event.side, key] <= before.fleets[event.side].air_base(base).squadrons[name] + sum(
                        lost for lost_key, lost in before.fleets[event.side].air_lost.items() if lost_key == key
                    )


@few
@given(SEEDS, st.integers(0, 80))
def test_every_sampled_answer_and_every_default_is_legal(seed: int, inputs: int) -> None:
    game = random_game(seed, most_inputs=inputs)
    random = Random(seed)
    for side in Side:
        decision = game.decision(side)
        if decision:
            decision.read(decision.form.default)
            for _ in range(10):
                answer = decision.read(decision.form.sample(random))
                assert decision.read(decision.form.wire(answer)) == answer
            sole = decision.form.sole_answer()
            if sole is not None:
                assert decision.read(decision.form.sample(random)) == decision.read(sole)


@few
@given(SEEDS)
def test_the_truth_is_the_fold_of_all_events_and_a_snapshot_of_it_reads_back(seed: int) -> None:
    game = random_game(seed, most_inputs=200)
    assert fold(game.events()) == game.battle
    snapshot = msgspec.json.encode(game.battle, order="sorted")
    assert msgspec.json.decode(snapshot, type=Battle) == game.battle


@few
@given(SEEDS)
def test_any_boundary_can_be_entered_from_its_snapshot_alone(seed: int) -> None:
    """Keep the state at every segment, step, strike and engagement as JSON; from any the same inputs go on alike.

    The order in which ships stand is part of the state (FP-07), so it is kept.
    """
    random = Random(seed)
    table = Table(ruleset())
    boundaries: list[tuple[int, bytes]] = []
    runners: list[Runner] = []

    async def watched() -> None:
        muster(table, random_setup(random))
        while not table.battle.over:
            inputs = len(runners[0].tape) if runners else 0
            boundaries.append((inputs, msgspec.json.encode(table.battle)))
            asking = carry_out(table)
            if asking is not None:
                await asking

    runner = Runner(watched())
    runners.append(runner)
    while not runner.over and len(runner.tape) < 300:
        due = runner.roll_due()
        if due:
            runner.roll([random.randint(1, 6) for _ in range(due.dice)])
            continue
        side = next(side for side in Side if runner.decision_for(side))
        decision = runner.decision_for(side)
        assert decision
        runner.answer(side, decision.form.sample(random))
    assert len(boundaries) > 5 or table.battle.kind != "naval battle"
    for start, snapshot in random.sample(boundaries, min(6, len(boundaries))):
        entered = Table(ruleset(), msgspec.json.decode(snapshot, type=Battle))
        Runner(play_on(entered)).replay(msgspec.structs.replace(e, check="") for e in runner.tape[start:])
        assert entered.battle == table.battle


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 200), st.integers(0, 40), st.sampled_from(list(Side)), JUNK)
def test_whatever_comes_in_only_a_player_error_comes_out(seed: int, inputs: int, side: Side, junk: object) -> None:
    game = random_game(seed, most_inputs=inputs)
    before = saves.dump(game)
    try:
        game.submit(side, junk)
    except PlayerError:
        assert saves.dump(game) == before


@pytest.mark.parametrize("seed", [1, 22, 333])
def test_the_same_battle_under_any_hash_seed(seed: int) -> None:
    code = (
        "import hashlib, msgspec; from tests.properties.random_battles import random_game;"
        f"game = random_game({seed}, most_inputs=600);"
        "print(hashlib.sha256(msgspec.json.encode(game.events())).hexdigest())"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(prints) == 1
