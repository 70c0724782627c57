"""Sampled odds: the same battles wherever they are fought, tallies that add up, intervals that hold."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from bench.battles import first_answer
from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels, sampling, worlds
from flagplot.odds.jit import load
from flagplot.odds.outcomes import DAMAGED, GONE, HIT, HURT, SUNK, UNTOUCHED, columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, Batch, Progress, admirals, fight_plainly, sample
from flagplot.odds.tally import Tally, chance
from flagplot.odds.worlds import NoOdds, World, fight, formed, is_decided
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, load_scenario
from tests.odds.random_battles import random_battle, rules_and_doctrines

BOTS = {side: AdmiralBot() for side in Side}
BATTLES = [name for name in (each.name for each in list_scenarios()) if not name.startswith(("operation", "war"))]


@cache
def world(name: str) -> World:
    scenario = load_scenario(name)
    return formed(scenario.setup, BOTS, options=scenario.options)


def last(*progress: Progress) -> Progress:
    assert [each.last for each in progress] == [False] * (len(progress) - 1) + [True]
    return progress[-1]


@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_from_a_world_is_the_battle_of_the_game(name: str) -> None:
    """The whole game, groups formed and all, on the same dice ends as the battle from the world does."""
    scenario = load_scenario(name)
    game = Game.new(scenario.setup, options=scenario.options, dice=PhiloxDice(3, 8))
    while not game.over and game.battle.segment not in ("return", "over"):
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, BOTS[side].choose(game.picture(side), decision))
    end, drawn = fight(world(name), BOTS, PhiloxDice(3, 8))
    columns = columns_of(world(name))
    assert outcome(world(name), columns, end) == outcome(world(name), columns, game.battle)
    assert drawn == game._draw


def test_what_becomes_of_ships_and_groups() -> None:
    """What the row says of a ship is what the battle says of her; a group is hurt if anything in it is, a cruiser too."""
    columns = columns_of(world("three-groups"))
    fates: set[int] = set()
    by_cruisers_alone = False
    for battle in range(12):
        end, _ = fight(world("three-groups"), BOTS, PhiloxDice(1, battle))
        row = outcome(world("three-groups"), columns, end)
        for side in Side:
            fleet = end.fleets[side]
            sunk = {ship.id for ship in fleet.sunk}
            groups = (*fleet.groups, *fleet.pending, *fleet.detached, *fleet.withdrawn)
            afloat = {ship.id: ship for group in groups for ship in group.ships}
            for index, column in columns.of("ship", side):
                fate = row[index]
                fates.add(fate)
                assert (fate == SUNK) == (column.name in sunk)
                if fate != SUNK:
                    ship = afloat[column.name]
                    assert fate == (DAMAGED if ship.damaged else HIT if ship.hits else UNTOUCHED)
            lost = sum(ship.size for ship in fleet.sunk)
            lost += sum({"CA": 2, "DD": 1, "CVE": 1, "TR": 1}[k.split("/")[1]] * n for k, n in fleet.sunk_light.items())
            assert row[columns.index("factors sunk", side)] == lost
            names = {part for group in groups for part in (group.name, *group.name.split(" and "))}
            for index, column in columns.of("group", side):
                assert (row[index] == GONE) == (column.name not in names)
                mine = [group for group in groups if column.name in (group.name, *group.name.split(" and "))]
                ships = any(ship.hits or ship.damaged for group in mine for ship in group.ships)
                cruisers = any("damaged" in key for group in mine for key in group.light)
                assert row[index] >= HURT or not (ships or cruisers)
                by_cruisers_alone |= cruisers and not ships and row[index] == HURT
        assert row[columns.index("victor")] == (0 if end.victor is None else 1 + list(Side).index(end.victor))
    assert fates == {UNTOUCHED, HIT, DAMAGED, SUNK}
    assert by_cruisers_alone


def test_raiders_nobody_has_found_are_not_in_it() -> None:
    """River Plate: Deutschland is elsewhere in the Atlantic. What is not met is neither lost nor whole."""
    columns = columns_of(world("river-plate"))
    assert [column.name for _, column in columns.of("group", Side.AXIS)] == ["Graf Spee"]
    assert [column.name for _, column in columns.of("ship", Side.AXIS)] == ["graf-spee"]


def test_tallies_of_parts_add_up_to_the_whole() -> None:
    whole = fight_plainly(Batch(world("calabria"), USUAL, 7, 0, 12))
    parts = Tally(columns_of(world("calabria")))
    for first in (8, 0, 4):
        parts += fight_plainly(Batch(world("calabria"), USUAL, 7, first, 4))
    assert parts.battles == whole.battles == 12
    assert np.array_equal(parts.counts, whole.counts)
    assert np.array_equal(parts.joint, whole.joint)
    assert parts.joint.sum() == 12
    for index in range(len(whole.columns.columns)):
        assert whole.times(index).sum() == 12
        curve = [each.value for each in whole.at_least(index)]
        assert curve[0] == 1
        assert curve == sorted(curve, reverse=True)
        assert sum(curve[1:]) == pytest.approx(whole.mean(index))


def test_the_same_answer_with_any_number_of_workers() -> None:
    asked = {"seed": 11, "width": 0.3}
    found = [last(*sample(world("calabria"), **asked, workers=n)).tally for n in (1, 3)]  # type: ignore[arg-type]
    with ProcessPoolExecutor(2) as pool:
        found.append(last(*sample(world("calabria"), **asked, executor=pool)).tally)  # type: ignore[arg-type]
    assert len({each.battles for each in found}) == 1
    assert len({pickle.dumps(each.counts) for each in found}) == 1
    other = last(*sample(world("calabria"), seed=12, width=0.3)).tally
    assert not np.array_equal(other.counts, found[0].counts)


def test_a_process_of_a_pool_that_is_killed_does_not_change_the_answer() -> None:
    asked = {"seed": 11, "width": 1e-6, "most": 96, "engine": "procedures"}
    alone = last(*sample(world("calabria"), **asked, workers=1)).tally  # type: ignore[arg-type]
    with ProcessPoolExecutor(2) as pool:
        steps = sample(world("calabria"), **asked, workers=2, executor=pool)  # type: ignore[arg-type]
        before = [next(steps), next(steps)]
        os.kill(next(iter(pool._processes)), signal.SIGKILL)
        found = last(*before, *steps).tally
        with pytest.raises(BrokenExecutor):
            pool.submit(os.getpid)
    assert found.battles == alone.battles == 96
    assert np.array_equal(found.counts, alone.counts)
    assert np.array_equal(found.joint, alone.joint)


def test_a_run_ends_when_the_interval_is_narrow_or_the_battles_are_spent() -> None:
    end = last(*sample(world("calabria"), width=0.4))
    assert end.tally.width <= 0.4
    assert "narrow" in end.why
    end = last(*sample(world("calabria"), width=0.001, most=10))
    assert end.tally.battles == 10
    assert "10 battles" in end.why


def test_whoever_stops_asking_keeps_what_he_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "at_hand", lambda: False)
    monkeypatch.setattr(sampling, "AT_ONCE", 60.0)
    with ThreadPoolExecutor(1) as pool:
        run = sample(world("calabria"), width=0.001, executor=pool, engine="procedures")
        assert [next(run).tally.battles for _ in range(3)] == [4, 12, 16]
        run.close()


FIRST_ANSWER = """
import sys
from flagplot.odds import sampling
from flagplot.odds.worlds import formed
from flagplot.scenarios.loader import load_scenario
scenario = load_scenario("calabria")
run = sampling.sample(formed(scenario.setup, sampling.admirals(sampling.USUAL)))
assert 1 <= next(run).tally.battles <= 4
print(*{"numba", "llvmlite", "scipy"} & set(sys.modules))
"""


def test_a_first_answer_waits_for_no_compiler() -> None:
    """Of a fresh process: what takes long to load is loaded when the first answer is out."""
    told = subprocess.run([sys.executable, "-c", FIRST_ANSWER], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == ""


def test_what_make_bench_says_of_first_answers_is_of_the_command_as_it_is() -> None:
    clock, processor, megabytes = first_answer("denmark-strait", ready=False, battles=4, times=2)
    assert clock > 0 and processor > 0 and 10 < megabytes < 400


@pytest.mark.parametrize(("asked", "why"), [({"width": 0}, "width"), ({"width": 2}, "width"), ({"most": 0}, "battle")])
def test_what_cannot_be_asked_is_refused(asked: dict[str, float], why: str) -> None:
    with pytest.raises(NoOdds, match=why):
        next(sample(world("calabria"), **asked))  # type: ignore[arg-type]


def test_an_operation_is_more_than_a_battle() -> None:
    with pytest.raises(NoOdds, match="one battle"):
        world("operation-malta")


def test_intervals() -> None:
    """Wilson's interval for 5 of 10 is 0.2366 to 0.7634; nothing of nothing says nothing."""
    assert chance(5, 10) == pytest.approx((0.5, 0.236593, 0.763407), abs=1e-5)
    assert chance(0, 0) == (0, 0, 1)
    assert chance(0, 20).low == 0
    assert chance(20, 20).high == 1
    assert chance(50, 100).width < chance(5, 10).width


# -- battles without an end ------------------------------------------------------------------------------------------

ENDLESS, ENDLESS_SEED = 2394, 523  # two ships that may not withdraw and cannot hit, on these dice


def test_a_battle_that_does_not_end_is_broken_off_alike_by_procedures_and_kernels_and_is_not_counted() -> None:
    _, doctrines = rules_and_doctrines(ENDLESS)
    given = formed(random_battle(ENDLESS), admirals(doctrines))
    batch = Batch(given, doctrines, ENDLESS_SEED, ENDLESS, 2)
    prepared = kernels.prepare(given, doctrines)
    rows = np.zeros((2, len(prepared.columns.columns)), np.int32)
    state = np.zeros(at.STATE_WORDS, np.int32)
    fight_many = load(("kernel_outcome",))["kernel_outcome"].fight_many
    fight_many(prepared.before, state, prepared.constants, prepared.plan, rows.ravel(), ENDLESS_SEED, ENDLESS, 2)
    bots = admirals(doctrines)
    ends = [fight(given, bots, PhiloxDice(ENDLESS_SEED, ENDLESS + i))[0] for i in range(2)]
    assert [outcome(given, prepared.columns, end) for end in ends] == rows.tolist()
    assert [is_decided(end) for end in ends] == [False, True] and ends[0].round == at.MOST_ROUNDS
    tally = fight_plainly(batch)
    assert (tally.battles, tally.endless) == (1, 1)
    tally += tally
    assert (tally.battles, tally.endless) == (2, 2)


def test_how_many_battles_were_broken_off_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "MOST_ROUNDS", 1)
    found = last(*sample(world("denmark-strait"), most=12, engine="procedures"))
    ended, broken_off = found.tally.battles, found.tally.endless
    assert ended + broken_off == 12 and ended and broken_off
    assert found.tally.times(found.tally.columns.index("rounds")).tolist()[:2] == [0, ended]
    assert f"; not counted are {broken_off} that had not ended after" in found.why
