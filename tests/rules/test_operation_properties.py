"""What must hold of every operation, whatever is played (22.1, 22.2)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from random import Random

import msgspec
import pytest

from flagplot.bots.bot import Bot, play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.events import SegmentBegan
from flagplot.model.fold import apply
from flagplot.model.operation import NavalForce, Operation
from flagplot.model.operation_events import (
    ContactEnded,
    ForcesPlaced,
    PhaseBegan,
    StageReached,
    TriesSettled,
    WaveAnnounced,
)
from flagplot.model.operation_fold import apply_operation
from flagplot.model.picture import Picture
from flagplot.model.setup import Setup
from flagplot.model.ships import light
from flagplot.model.state import Battle
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.play.report import report
from flagplot.play.transcript import transcript
from flagplot.rules.naval.operations import operate_on
from flagplot.rules.table import Table
from flagplot.scenarios.loader import list_scenarios
from tests.properties.random_battles import KEY, SeededDice
from tests.rules.random_operations import EagerBot, random_operation, random_operation_game

SEEDS = int(os.environ.get("SCALE", "1")) * 30
SHIPPED = [each.name for each in list_scenarios() if each.setup.public.kind == "operation"]


def census(forces: tuple[NavalForce, ...]) -> Counter[str]:
    """All ships by name, and light ships by nation and kind."""
    found: Counter[str] = Counter()
    for force in forces:
        found.update(ship.id for ship in force.ships)
        for key, number in force.light.items():
            found[f"{light(key).nation}/{light(key).kind}"] += number
    return found


def lost(operation: Operation, side: Side) -> Counter[str]:
    found = Counter(ship.id for ship in operation.sunk.get(side, ()))
    for key, number in operation.sunk_light.get(side, {}).items():
        found[f"{light(key).nation}/{light(key).kind}"] += number
    return found


def boats(operation: Operation, side: Side) -> int:
    there = sum(
        sum(each.ready.values())
        + sum(each.attempted.values())
        + sum(each.at_sea.values())
        + sum(each.inverted.values())
        for each in operation.boats[side]
    )
    return there + sum(operation.boats_lost.get(side, {}).values())


def stations(setup: Setup, side: Side) -> tuple[NavalForce, ...]:
    found = setup.sides[side].stations
    assert not isinstance(found, msgspec.UnsetType)
    return found.forces


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_unit_is_in_two_places_and_none_is_lost(seed: int) -> None:
    random = Random(seed)
    nothing_is_lost(random, {side: RandomBot(random) for side in Side}, "current")


@pytest.mark.parametrize("seed", [11, 137])
def test_nor_by_the_rules_of_2008(seed: int) -> None:
    random = Random(seed)
    nothing_is_lost(random, {side: EagerBot(random) for side in Side}, "2008")


def nothing_is_lost(random: Random, bots: Mapping[Side, Bot], edition: str) -> None:
    game = Game.new(random_operation(random), dice=SeededDice(random), key=KEY, edition=edition)
    brought = {side: census(stations(game.header.setup, side)) for side in Side}
    submarines = {side: boats(game.table.operation, side) for side in Side}
    while not game.over:
        play_out(game, bots, len(game.runner.tape) + 1)
        operation = game.table.operation
        if not operation.contact:
            for side in Side:
                assert census(operation.forces[side]) + lost(operation, side) == brought[side]
                assert boats(operation, side) == submarines[side]
                assert len({force.id for force in operation.forces[side]}) == len(operation.forces[side])
    for side in Side:
        for force in game.table.operation.forces[side]:
            assert force.harbour or force.patrol, "everybody is in port or on patrol when all is over"
            assert force.afloat


@pytest.mark.parametrize("seed", range(SEEDS))
def test_nothing_intercepts_twice_and_inverted_ships_do_nothing(seed: int) -> None:
    """22.14A, 22.116, 22.11: one attempt a phase; 22.26: nobody who is inverted sails or tries."""
    game = random_operation_game(seed)
    tried: Counter[str] = Counter()
    now: dict[str, NavalForce] = {}
    for event in game.events():
        if isinstance(event, ForcesPlaced):
            now |= {force.id: force for force in event.forces}
        if isinstance(event, PhaseBegan):
            tried.clear()
        if isinstance(event, WaveAnnounced):
            for leg in event.legs:
                redeployed = leg.kind == "naval redeployment"  # 22.74
                assert leg.returning or redeployed or not any(now[id].inverted for id in leg.forces)
        if isinstance(event, TriesSettled):
            for each in event.tries:
                if each.status in ("sailing", "failed") and not each.boat and event.rule == "22.24":
                    tried.update(ship.id for ship in now[each.force].ships)
                    assert not now[each.force].inverted
    assert all(number == 1 for number in tried.values())


@pytest.mark.parametrize("seed", range(SEEDS))
def test_replay_is_identical(seed: int) -> None:
    game = random_operation_game(seed)
    assert game.over
    again = Game(game.header, game.journal)
    assert again.events() == game.events()
    assert again.table.operation == game.table.operation
    whole = saves.read(saves.dump(game))
    assert whole.table.operation == game.table.operation


@pytest.mark.parametrize("seed", range(SEEDS // 2))
def test_an_operation_can_be_entered_at_every_boundary(seed: int) -> None:
    """At the end of every stage, and of every segment of its battles, nothing is alive but the state."""
    game = random_operation_game(seed)
    log = game.events()
    ends = [n for n, event in enumerate(log, start=1) if isinstance(event, StageReached | SegmentBegan | ContactEnded)]
    for end in Random(seed).sample(ends, min(6, len(ends))):
        battle, operation = Battle(), Operation()
        for event in log[:end]:
            battle, operation = apply(battle, event), apply_operation(operation, event)
        table = Table(ruleset(), battle, operation)
        runner = Runner(operate_on(table, game.header.setup))
        random = Random(end)
        while not runner.over:
            due = runner.roll_due()
            if due:
                runner.roll([random.randint(1, 6) for _ in range(due.dice)])
                continue
            side = next(side for side in Side if runner.decision_for(side))
            decision = runner.decision_for(side)
            assert decision is not None
            runner.answer(side, RandomBot(random).choose(Picture(side), decision))
        assert table.operation.over
        for side in Side:
            found = census(table.operation.forces[side]) + lost(table.operation, side)
            assert found == census(stations(game.header.setup, side))


@pytest.mark.parametrize("seed", range(0, SEEDS, 4))
def test_every_event_is_told_in_a_sentence_and_nothing_crashes_a_report(seed: int) -> None:
    game = random_operation_game(seed)
    assert all(line and "None" not in line for line in transcript(game.events()))
    for side in (*Side, None):
        assert report(game.picture(side), game.header)
    assert report(game)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_operations_come_to_an_end(name: str) -> None:
    setup = next(each.setup for each in list_scenarios() if each.name == name)
    for seed in range(SEEDS // 3):
        random = Random(seed)
        game = Game.new(setup, dice=SeededDice(random), key=KEY)
        play_out(game, {side: RandomBot(random) for side in Side}, 20_000)
        assert game.over, f"{name}, seed {seed}: {game.runner.where()}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_picture_never_shows_what_is_in_a_hidden_task_force(seed: int) -> None:
    game = random_operation_game(seed)
    for side in (*Side, None):
        for owner in Side:
            for force in game.picture(side).operation.forces[owner]:
                truth = game.table.operation.force(owner, force.id)
                if side is owner or game.table.operation.open or not force.task_force:
                    assert force == truth
                else:
                    assert force.hidden and not force.ships and not force.light and not force.cargo
                    assert (force.place, force.inverted, force.attempted) == (
                        truth.place,
                        truth.inverted,
                        truth.attempted,
                    )


@pytest.mark.parametrize("seed", [*range(SEEDS), 138, 179, 223, 246, 354])
def test_when_all_is_over_nothing_is_left_hanging(seed: int) -> None:
    """22.26D, 22.15C: who is in port is on no activity, and who fought on his way was judged for it."""
    game = random_operation_game(seed)
    for side in Side:
        for force in game.table.operation.forces[side]:
            assert not force.fought and not (force.harbour and force.order), force
            assert force.harbour or force.patrol
