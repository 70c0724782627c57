"""Advice on secret choices: what each is worth against each of the enemy's, and a mixture he cannot exploit.

The law here: every pair of choices is fought on the same dice, so that what differs is due to the choices. The answer
tells how sure it is: the battles are dealt into blocks, each block is solved by itself, and the spread of these solutions
is the error of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.choices import Choice, Order, Ordered, choices, renumbered, simultaneous
from flagplot.odds.equilibrium import Equilibrium, cost_of_rows, equilibrium, exploitable
from flagplot.odds.outcomes import Columns, columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import AUTO, COMPILED, PROCEDURES, USUAL
from flagplot.odds.worlds import NoOdds, World, fight

BLOCKS = 8
WIN, FACTORS = VALUES = ("win", "factors")
AS_HE_DOES = Choice("as his doctrine says")
MOST_BATTLES = 1_000_000  # in all cells together
Rows = NDArray[np.int64]


class Matrix(NamedTuple):
    """Payoffs to the side that asks, block by block: block, own choice, enemy choice."""

    own: tuple[Choice, ...]
    enemy: tuple[Choice, ...]
    blocks: NDArray[np.float64]

    @property
    def whole(self) -> NDArray[np.float64]:
        """All blocks together."""
        return np.asarray(self.blocks.mean(axis=0), np.float64)


def value_of(columns: Columns, side: Side, value: str) -> Callable[[Rows], NDArray[np.float64]]:
    """What rows of outcomes are worth to a side: a victory 1, none a half; or the enemy's factors sunk less its own."""
    if value == WIN:
        victor, mine = columns.index("victor"), 1 + list(Side).index(side)
        return lambda rows: np.asarray((rows[:, victor] == mine) + 0.5 * (rows[:, victor] == 0), np.float64)
    if value == FACTORS:
        own, enemy = (columns.index("factors sunk", who) for who in (side, side.enemy))
        return lambda rows: np.asarray(rows[:, enemy] - rows[:, own], np.float64)
    raise NoOdds(f"a choice is valued by {' or '.join(VALUES)}, not by {value!r}")


def matrix(
    world: World,
    side: Side,
    kind: str,
    *,
    doctrines: Mapping[Side, Doctrine] = USUAL,
    value: str = WIN,
    battles: int = 4_096,
    seed: int = 0,
    engine: str = AUTO,
    progress: Callable[[int, int], bool] = lambda done, of: True,
) -> Matrix:
    """Fight every pair of choices. `progress` is told how many pairs are done, and may end it by saying no."""
    own = tuple(choices(world, side, kind))
    enemy = tuple(choices(world, side.enemy, kind)) if _enemy_chooses(world, side, kind) else (AS_HE_DOES,)
    if not battles >= BLOCKS or battles * len(own) * len(enemy) > MOST_BATTLES:
        most = MOST_BATTLES // (len(own) * len(enemy))
        raise NoOdds(
            f"each of the {len(own) * len(enemy)} pairs is fought from {BLOCKS} to {most:,} times, not {battles}"
        )
    worth = value_of(columns_of(world), side, value)
    fights = _engine(world, doctrines, engine)
    blocks = np.zeros((BLOCKS, len(own), len(enemy)))
    for i, mine in enumerate(own):
        for j, theirs in enumerate(enemy):
            changed = renumbered(renumbered(world, side, mine.numbers), side.enemy, theirs.numbers)
            rows = fights(changed, {side: mine.order, side.enemy: theirs.order}, seed, battles)
            for block in range(BLOCKS):
                blocks[block, i, j] = worth(rows[block::BLOCKS]).mean()
            if not progress(i * len(enemy) + j + 1, len(own) * len(enemy)):
                raise NoOdds("it was ended before all pairs were fought")
    return Matrix(own, enemy, blocks)


def _enemy_chooses(world: World, side: Side, kind: str) -> bool:
    if not simultaneous(kind):
        return False
    try:
        return bool(choices(world, side.enemy, kind))
    except NoOdds:  # he has nothing of the kind to choose
        return False


def _engine(
    world: World, doctrines: Mapping[Side, Doctrine], engine: str
) -> Callable[[World, Mapping[Side, Order], int, int], Rows]:
    from flagplot.odds import compiling
    from flagplot.odds.kernel_names import NotCompilable

    if engine == COMPILED or (engine == AUTO and compiling.ready()):
        from flagplot.odds import kernels

        try:
            kernels.prepare(world, doctrines)
        except NotCompilable:
            if engine == COMPILED:
                raise
        else:
            return lambda changed, orders, seed, battles: kernels.fight_rows(
                kernels.prepare(changed, doctrines, orders), seed, 0, battles
            ).astype(np.int64)
    if engine not in (AUTO, PROCEDURES, COMPILED):
        raise NoOdds(f"battles are fought by {AUTO}, {PROCEDURES} or {COMPILED}, not by {engine!r}")
    compiling.begin()
    return lambda changed, orders, seed, battles: _plainly(changed, doctrines, orders, seed, battles)


def _plainly(
    world: World, doctrines: Mapping[Side, Doctrine], orders: Mapping[Side, Order], seed: int, battles: int
) -> Rows:
    columns = columns_of(world)
    bots = {side: Ordered(doctrines[side], orders[side]) for side in Side}
    rows = [outcome(world, columns, fight(world, bots, PhiloxDice(seed, battle))[0]) for battle in range(battles)]
    return np.array(rows, np.int64)


# -- what is said ------------------------------------------------------------------------------------------


def advice(found: Matrix, value: str = WIN) -> dict[str, Any]:
    """The mixture, what it is worth, what each pure choice costs and how exploitable it is, and the error of all that."""
    payoffs = found.whole
    solved = equilibrium(payoffs)
    each = [equilibrium(block) for block in found.blocks]
    costs = cost_of_rows(payoffs, solved)
    block_costs = np.array([cost_of_rows(block, one) for block, one in zip(found.blocks, each, strict=True)])
    block_shares = np.array([one.own for one in each])
    pure = np.eye(len(found.own))
    return {
        "value": value,
        "worth": _sure(solved.value, [one.value for one in each]),
        "choices": [
            {
                "choice": choice.label,
                "share": _sure(float(solved.own[i]), block_shares[:, i]),
                "cost": _sure(float(costs[i]), block_costs[:, i]),
                "exploitable": round(exploitable(payoffs, pure[i], solved.value), 6),
            }
            for i, choice in enumerate(found.own)
        ],
        "exploitable": round(exploitable(payoffs, solved.own, solved.value), 6),
        "exploitable_by_chance": round(_left_open(found.blocks, each), 6),
        "enemy": [
            {"choice": choice.label, "share": round(float(solved.enemy[j]), 6)} for j, choice in enumerate(found.enemy)
        ],
        "payoffs": [[round(float(cell), 6) for cell in row] for row in payoffs],
    }


def _sure(value: float, blocks: Sequence[float] | NDArray[np.float64]) -> dict[str, float]:
    """A number and its standard error, from the blocks."""
    return {"is": round(value, 6), "error": round(float(np.std(blocks, ddof=1) / np.sqrt(len(blocks))), 6)}


def _left_open(blocks: NDArray[np.float64], solved: Sequence[Equilibrium]) -> float:
    """What the mixture found from half the blocks loses to an enemy who knows it, as the other half tells: the part of
    being exploitable that is due to too few battles."""
    half = len(solved) // 2
    first, second = blocks[:half].mean(axis=0), blocks[half:].mean(axis=0)
    return max(0.0, exploitable(second, equilibrium(first).own, equilibrium(second).value))
