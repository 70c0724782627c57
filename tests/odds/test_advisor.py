"""Advice: choices as orders and as numbers, the same by procedures and kernels; the equilibrium and its error."""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType

import numpy as np
import pytest

from flagplot.core.sides import Side
from flagplot.odds import kernels
from flagplot.odds.advisor import BLOCKS, Matrix, advice, matrix, value_of
from flagplot.odds.choices import Choice, Order, Ordered, choices, renumbered
from flagplot.odds.jit import load
from flagplot.odds.outcomes import columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import NoOdds, World, fight, formed
from flagplot.scenarios.loader import load_scenario


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


def test_the_error_is_that_of_the_blocks() -> None:
    """Matching pennies, once without noise and once with: the value is a half, each choice has half the share."""
    pennies = np.array([[1.0, 0.0], [0.0, 1.0]])
    own = (Choice("heads"), Choice("tails"))
    still = advice(Matrix(own, own, np.repeat(pennies[None], BLOCKS, axis=0)))
    assert still["worth"] == {"is": 0.5, "error": 0.0}
    assert [each["share"]["is"] for each in still["choices"]] == [0.5, 0.5]
    assert [each["exploitable"] for each in still["choices"]] == [0.5, 0.5]
    assert still["exploitable"] == 0
    assert still["exploitable_by_chance"] == 0
    noise = np.random.default_rng(1).normal(0, 0.1, (BLOCKS, 2, 2))
    moved = advice(Matrix(own, own, pennies + noise))
    assert moved["worth"]["error"] > 0
    assert moved["exploitable_by_chance"] > 0


def test_a_matrix_is_fought_pair_by_pair_on_the_same_dice() -> None:
    asked = {"battles": 8, "engine": "procedures", "seed": 3}
    told: list[tuple[int, int]] = []
    found = matrix(
        world("calabria"),
        Side.AXIS,
        "withdraw",
        value="factors",
        progress=lambda *at: not told.append(at),  # type: ignore[func-returns-value]
        **asked,  # type: ignore[arg-type]
    )
    assert told == [(1, 2), (2, 2)]
    assert found.blocks.shape == (BLOCKS, 2, 1)
    again = matrix(world("calabria"), Side.AXIS, "withdraw", value="factors", **asked)  # type: ignore[arg-type]
    assert np.array_equal(found.blocks, again.blocks)
    other = matrix(world("calabria"), Side.ALLIES, "withdraw", value="factors", **asked)  # type: ignore[arg-type]
    assert not np.array_equal(other.blocks, found.blocks)


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


def test_a_run_can_be_ended() -> None:
    with pytest.raises(NoOdds, match="ended"):
        matrix(
            world("calabria"), Side.AXIS, "withdraw", battles=8, engine="procedures", progress=lambda done, of: False
        )


def test_what_a_row_is_worth() -> None:
    columns = columns_of(world("calabria"))
    rows = np.zeros((3, len(columns.columns)), np.int64)
    rows[:, columns.index("victor")] = [0, 1, 2]
    rows[:, columns.index("factors sunk", "axis")] = [1, 2, 3]
    rows[:, columns.index("factors sunk", "allies")] = [5, 0, 3]
    assert list(value_of(columns, Side.AXIS, "win")(rows)) == [0.5, 1, 0]
    assert list(value_of(columns, Side.ALLIES, "win")(rows)) == [0.5, 0, 1]
    assert list(value_of(columns, Side.AXIS, "factors")(rows)) == [4, -2, 0]
