"""Advice: choices as orders and as numbers, the same by procedures and kernels; the equilibrium and its error."""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from flagplot.api.battle_advice import advise, beside, world_to_advise
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds import kernels
from flagplot.odds.advisor import BLOCKS, Matrix, advice, advising, matrix, value_of
from flagplot.odds.choices import Choice, Order, Ordered, choices, renumbered
from flagplot.odds.equilibrium import equilibrium
from flagplot.odds.jit import load
from flagplot.odds.outcomes import BROKEN_OFF, columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import COMPILED, PROCEDURES, USUAL, admirals
from flagplot.odds.worlds import NoOdds, World, fight, formed
from flagplot.scenarios.loader import load_scenario
from tests.odds.moments import moments


@cache
def world(name: str) -> World:
    scenario = load_scenario(name)
    return formed(scenario.setup, admirals(USUAL), options=scenario.options)


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    """The kernels as plain Python."""
    return load(("kernel_outcome",))["kernel_outcome"]


CASES = [
    ("three-groups", Side.AXIS, "number"),
    ("three-groups", Side.ALLIES, "screen"),
    ("coral-sea", Side.ALLIES, "patrol"),
    ("coral-sea", Side.AXIS, "cover"),
    ("midway", Side.AXIS, "withdraw"),
    ("three-groups", Side.ALLIES, "evade"),
]


@pytest.mark.parametrize(("name", "side", "kind"), CASES)
def test_an_order_is_followed_alike_by_procedures_and_kernels(
    plain: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str, side: Side, kind: str
) -> None:
    monkeypatch.setitem(sys.modules, "flagplot.odds.kernel_outcome", plain)
    found = choices(world(name), side, kind)
    assert len(found) > 1
    differ = set()
    for choice in found[:3]:
        changed = renumbered(world(name), side, choice.numbers)
        orders = {side: choice.order._replace(round=None), side.enemy: Order()}
        prepared = kernels.prepare(changed, USUAL, orders)
        rows = kernels.fight_rows(prepared, 6, 0, 6)
        bots = {who: Ordered(USUAL[who], orders[who]) for who in Side}
        for battle in range(6):
            end, _ = fight(changed, bots, PhiloxDice(6, battle))
            assert list(rows[battle]) == outcome(changed, prepared.columns, end)
        differ.add(rows.tobytes())
    assert len(differ) > 1, "choices make a difference"


def test_numbers_change_and_the_enemy_sees_only_which_there_are() -> None:
    given = world("three-groups")
    chosen = choices(given, Side.AXIS, "number")[3]
    changed = renumbered(given, Side.AXIS, chosen.numbers)
    assert {g.name: g.number for g in changed.battle.fleets[Side.AXIS].groups} == dict(chosen.numbers)
    seen = changed.known[Side.ALLIES].fleets[Side.AXIS].groups
    assert [g.number for g in seen] == sorted(number for _, number in chosen.numbers)
    assert all(not g.ships and not g.name for g in seen)


def test_what_there_is_to_choose() -> None:
    assert [each.label for each in choices(world("midway"), Side.AXIS, "withdraw")] == ["stay", "withdraw"]
    assert len(choices(world("midway"), Side.ALLIES, "number")) == 12
    for name, kind, why in (
        ("calabria", "patrol", "no carrier"),
        ("denmark-strait", "cover", "land-based"),
        ("calabria", "luck", "advice on"),
    ):
        with pytest.raises(NoOdds, match=why):
            choices(world(name), Side.AXIS, kind)


def test_who_waits_is_said_beside_the_numbers() -> None:
    """Seven task forces, six numbers (22.421C)."""
    assert all("Bombardment group waits" in each.label for each in choices(world("six-groups"), Side.ALLIES, "number"))


@pytest.mark.ledger("22.523B")
def test_there_is_no_advice_where_only_one_choice_can_be_made() -> None:
    """A group that cannot evade is asked all the same, so that nobody learns why it stood; its owner is told that there is
    nothing to weigh."""
    found = set()
    for name, seed in (("coral-sea", 2), ("okinawa", 7)):
        for game, side, kind in moments(name, "open", seed):
            decision = game.decision(side)
            if kind != "evade" or decision is None:
                continue
            can = "evade" not in decision.form.barred(decision.form.items[0])
            found.add(can)
            weighed = choices(world_to_advise(game, side)[0], side, kind)
            if can:
                assert all(beside(game, side, Doctrine(), weighed))
            else:
                with pytest.raises(NoOdds, match="only one choice"):
                    beside(game, side, Doctrine(), weighed)
    assert found == {True, False}


def test_the_error_is_that_of_the_blocks() -> None:
    """Matching pennies, once without noise and once with: the value is a half, each choice has half the share."""
    pennies = np.array([[1.0, 0.0], [0.0, 1.0]])
    own = (Choice("heads"), Choice("tails"))
    still = advice(Matrix(own, own, np.repeat(pennies[None], BLOCKS, axis=0)))
    assert still["worth"] == {"is": 0.5, "error": 0.0} and not still["same"]
    assert advice(Matrix(own, own, np.ones((BLOCKS, 2, 2))))["same"]
    assert [each["share"]["is"] for each in still["choices"]] == [0.5, 0.5]
    assert [each["exploitable"] for each in still["choices"]] == [0.5, 0.5]
    assert still["exploitable"] == 0
    assert still["exploitable_by_chance"] == 0
    noise = np.random.default_rng(1).normal(0, 0.1, (BLOCKS, 2, 2))
    moved = advice(Matrix(own, own, pennies + noise))
    assert moved["worth"]["error"] > 0
    assert moved["exploitable_by_chance"] > 0


def test_the_stated_errors_cover_the_truth() -> None:
    """Games of known chances, sampled again and again: the share of each choice is within two errors nine times of ten. The
    solution of one block by itself is another one, and its spread would be too small: six times of ten."""
    random = np.random.default_rng(3)
    chances = random.random((12, 12)) * 0.2 + 0.4
    own = tuple(Choice(str(number)) for number in range(12))
    truth = equilibrium(chances).own
    held = []
    for _ in range(20):
        found = advice(Matrix(own, own, random.binomial(8, chances, (BLOCKS, 12, 12)) / 8))
        told = [each["share"] for each in found["choices"]]
        held += [abs(each["is"] - true) <= 2 * each["error"] + 1e-6 for each, true in zip(told, truth, strict=True)]
    assert 0.8 < np.mean(held) < 1


def test_a_matrix_is_fought_pair_by_pair_on_the_same_dice() -> None:
    asked: dict[str, Any] = {"battles": 8, "engine": "procedures", "seed": 3, "value": "factors"}
    found = matrix(world("calabria"), Side.AXIS, "withdraw", **asked)
    assert found.blocks.shape == (BLOCKS, 2, 1)
    again = matrix(world("calabria"), Side.AXIS, "withdraw", **asked)
    assert np.array_equal(found.blocks, again.blocks)
    other = matrix(world("calabria"), Side.ALLIES, "withdraw", **asked)
    assert not np.array_equal(other.blocks, found.blocks)


def test_passes_come_to_what_one_pass_would_and_the_last_whole_one_is_kept() -> None:
    """19 battles in passes of 8, 8 and 3: block b has those whose number leaves b when divided by eight."""
    given, side, orders = world("calabria"), Side.AXIS, [Order(withdraw=stay, round=1) for stay in (False, True)]
    asked: dict[str, Any] = {"battles": 19, "engine": "procedures", "seed": 3, "value": "factors"}
    steps = list(advising(given, side, "withdraw", **asked))
    assert [step.each for step in steps] == sorted(step.each for step in steps)
    assert {step.each for step in steps} == {0, 8, 16, 19}
    assert all((step.found is None) == (step.each == 0) for step in steps)
    assert [step.last for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].battles == steps[-1].of == 38
    columns = columns_of(given)
    worth = value_of(columns, side, "factors")
    for pair, order in enumerate(orders):
        bots = {side: Ordered(USUAL[side], order), side.enemy: Ordered(USUAL[side.enemy], Order())}
        rows = [outcome(given, columns, fight(given, bots, PhiloxDice(3, battle))[0]) for battle in range(19)]
        each = worth(np.array(rows, np.int64))
        assert steps[-1].found is not None
        for block in range(BLOCKS):
            assert steps[-1].found.blocks[block, pair, 0] == pytest.approx(each[block::BLOCKS].mean())


def test_who_is_told_to_stay_stays_whatever_his_doctrine_says(
    plain: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An admiral who would go home at once, ordered to stay: by procedures and kernels alike, and unlike his wish."""
    monkeypatch.setitem(sys.modules, "flagplot.odds.kernel_outcome", plain)
    given = world("calabria")
    timid = {**USUAL, Side.AXIS: Doctrine(withdraw_percent=0, withdraw_margin=0)}
    columns = columns_of(given)
    rounds = {}
    for told in (None, False):
        orders = {Side.AXIS: Order(withdraw=told), Side.ALLIES: Order()}
        bots = {side: Ordered(timid[side], orders[side]) for side in Side}
        rows = [outcome(given, columns, fight(given, bots, PhiloxDice(2, battle))[0]) for battle in range(4)]
        compiled = kernels.fight_rows(kernels.prepare(given, timid, orders), 2, 0, 4)
        assert compiled.tolist() == rows
        rounds[told] = [row[columns.index("rounds")] for row in rows]
    assert set(rounds[None]) == {1}
    assert max(rounds[False]) > 1


@pytest.mark.parametrize(("name", "seed", "kind"), [("okinawa", 7, "evade"), ("three-groups", 9, "screen")])
def test_advice_in_the_midst_of_fleet_combat_is_fought_by_the_kernels(
    plain: ModuleType, monkeypatch: pytest.MonkeyPatch, name: str, seed: int, kind: str
) -> None:
    """A group that is sought may evade (22.523); lines are formed at an engagement that is not the first (22.531C). The
    answer is that of the procedures, number by number, and says nothing of being slow."""
    monkeypatch.setattr(kernels, "kernel", lambda: plain.fight_many)
    game, side = next(
        (game, side)
        for game, side, asked in moments(name, "open", seed)
        if asked == kind and (kind == "evade" or len(game.battle.fleets[side].opponents) > 1)
    )
    given, belief = world_to_advise(game, side)
    assert given.battle.step != "pair" and given.battle.engagements
    one, two = (
        list(advise(given, side, kind, belief=belief, value="factors", battles=8, seed=4, engine=engine))[-1]
        for engine in (COMPILED, PROCEDURES)
    )
    assert one == two
    assert one["note"] == ""
    assert not one["same"], "it matters what is chosen"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"battles": 2}, "from 8 to"),
        ({"battles": 10**9}, "from 8 to"),
        ({"value": "glory"}, "valued by"),
        ({"engine": "x"}, "fought by"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, object], why: str) -> None:
    with pytest.raises(NoOdds, match=why):
        matrix(world("calabria"), Side.AXIS, "withdraw", **{"battles": 8, **asked})  # type: ignore[arg-type]


def test_what_a_row_is_worth() -> None:
    columns = columns_of(world("calabria"))
    rows = np.zeros((4, len(columns.columns)), np.int64)
    rows[:, columns.index("victor")] = [0, 1, 2, BROKEN_OFF]
    rows[:, columns.index("factors sunk", "axis")] = [1, 2, 3, 0]
    rows[:, columns.index("factors sunk", "allies")] = [5, 0, 3, 1]
    assert list(value_of(columns, Side.AXIS, "win")(rows)) == [0.5, 1, 0, 0.5]
    assert list(value_of(columns, Side.ALLIES, "win")(rows)) == [0.5, 0, 1, 0.5]
    assert list(value_of(columns, Side.AXIS, "factors")(rows)) == [4, -2, 0, 1]
