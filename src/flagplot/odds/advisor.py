"""Advice on secret choices: what each is worth against each of the enemy's, and a mixture he cannot exploit.

The law here: every pair of choices is fought on the same dice, so that what differs is due to the choices. The answer
tells how sure it is: the battles are dealt into blocks, all but one of them are solved at a time, and the spread of these
solutions is the error of the whole (the jackknife: a block by itself is so small that its solution is another one).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds import compiling
from flagplot.odds.choices import Choice, Order, Ordered, choices, renumbered, simultaneous
from flagplot.odds.equilibrium import cost_of_rows, equilibrium, exploitable
from flagplot.odds.outcomes import NOBODY, Columns, columns_of
from flagplot.odds.sampling import AUTO, COMPILED, ENGINES, PLAIN_PIECE, PROCEDURES, USUAL, rows_of
from flagplot.odds.worlds import NoOdds, World

if TYPE_CHECKING:
    from flagplot.odds.kernels import Prepared

BLOCKS = 8
WIN, FACTORS = VALUES = ("win", "factors")
TELLS = {WIN: 0.0005, FACTORS: 0.05}  # less than this makes no difference
FEW = 4  # battles won or lost that may as well be luck
AS_HE_DOES = Choice("as his doctrine says")
MOST_BATTLES = 1_000_000  # in all cells together
ENOUGH = 65_536  # battles of each pair, if nothing else is asked
LARGEST_PASS = 8_192  # battles of each pair in one pass
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
    """What rows of outcomes are worth to a side: a victory 1; none, or one that was broken off before anybody had won, a
    half; or the enemy's factors sunk less its own."""
    if value == WIN:
        victor, mine = columns.index("victor"), 1 + list(Side).index(side)
        return lambda rows: np.asarray((rows[:, victor] == mine) + 0.5 * (rows[:, victor] <= NOBODY), np.float64)
    if value == FACTORS:
        own, enemy = (columns.index("factors sunk", who) for who in (side, side.enemy))
        return lambda rows: np.asarray(rows[:, enemy] - rows[:, own], np.float64)
    raise NoOdds(f"a choice is valued by {' or '.join(VALUES)}, not by {value!r}")


class Step(NamedTuple):
    """How far advice has come: what was fought in whole passes, how often each pair was fought in them (nothing before
    the first), all battles so far, and how many there can be; `last` when nothing follows."""

    found: Matrix | None
    each: int
    battles: int
    of: int
    last: bool = False


def advising(
    world: World,
    side: Side,
    kind: str,
    *,
    doctrines: Mapping[Side, Doctrine] = USUAL,
    value: str = WIN,
    battles: int | None = None,
    seed: int = 0,
    engine: str = AUTO,
    only: Sequence[int] | None = None,
) -> Iterator[Step]:
    """Fight every pair of choices so many times, better and better: every pass over the pairs doubles what was fought, so
    that whoever ends it keeps the last whole pass. What comes out does not depend on the passes. `only` are the choices,
    by their place, that can be made; None = all."""
    own = tuple(choice for index, choice in enumerate(choices(world, side, kind)) if only is None or index in only)
    enemy = tuple(choices(world, side.enemy, kind)) if _enemy_chooses(world, side, kind) else (AS_HE_DOES,)
    pairs = len(own) * len(enemy)
    battles = min(ENOUGH, most_of(pairs)) if battles is None else battles
    if not BLOCKS <= battles <= most_of(pairs):
        raise NoOdds(f"each of the {pairs} pairs is fought from {BLOCKS} to {most_of(pairs):,} times, not {battles}")
    worth = value_of(columns_of(world), side, value)
    fights = _Fights(doctrines, engine)
    fought = [
        _Pair(
            renumbered(renumbered(world, side, mine.numbers), side.enemy, theirs.numbers),
            {side: mine.order, side.enemy: theirs.order},
        )
        for mine in own
        for theirs in enemy
    ]
    sums = np.zeros((BLOCKS, pairs))
    each = done = 0
    found: Matrix | None = None
    while each < battles:
        following = min(battles, max(BLOCKS, 2 * each), each + LARGEST_PASS)
        gained = np.zeros((BLOCKS, pairs))
        for index, pair in enumerate(fought):
            for first, rows in fights.rows(pair, seed, each, following):
                worths = worth(rows)
                for block in range(BLOCKS):
                    gained[block, index] += worths[(block - first) % BLOCKS :: BLOCKS].sum()
                done += len(rows)
                if done < battles * pairs:
                    yield Step(found, each, done, battles * pairs)
        sums += gained
        each = following
        counts = np.array([len(range(block, each, BLOCKS)) for block in range(BLOCKS)])
        found = Matrix(own, enemy, (sums / counts[:, None]).reshape(BLOCKS, len(own), len(enemy)))
        yield Step(found, each, done, battles * pairs, each == battles)


def matrix(world: World, side: Side, kind: str, **how: Any) -> Matrix:
    """Every pair of choices, fought to the end (see advising)."""
    found = deque(advising(world, side, kind, **how), maxlen=1).pop().found
    assert found is not None
    return found


def most_of(pairs: int) -> int:
    """How often each of so many pairs may be fought."""
    return MOST_BATTLES // pairs


def _enemy_chooses(world: World, side: Side, kind: str) -> bool:
    if not simultaneous(kind):
        return False
    try:
        return bool(choices(world, side.enemy, kind))
    except NoOdds:  # he has nothing of the kind to choose
        return False


class _Pair(NamedTuple):
    """A pair of choices: the world it makes and the orders it gives."""

    world: World
    orders: Mapping[Side, Order]


class _Fights:
    """What fights the pairs: the kernels, once they are compiled, or the procedures, with the same result."""

    def __init__(self, doctrines: Mapping[Side, Doctrine], engine: str) -> None:
        if engine not in ENGINES:
            raise NoOdds(f"battles are fought by {', '.join(ENGINES)}, not by {engine!r}")
        self.doctrines, self.engine = doctrines, engine
        self.ready: dict[int, Prepared] = {}
        self.plainly = engine == PROCEDURES
        if engine == AUTO:
            compiling.begin()

    def rows(self, pair: _Pair, seed: int, first: int, end: int) -> Iterator[tuple[int, Rows]]:
        """Battles from one number to another, in pieces: the number of the first, and their rows."""
        while first < end:
            prepared = self._prepared(pair)
            if prepared is not None:
                from flagplot.odds import kernels

                yield first, kernels.fight_rows(prepared, seed, first, end - first).astype(np.int64)
                return
            piece = range(first, min(end, first + PLAIN_PIECE))
            yield first, _plainly(pair.world, self.doctrines, pair.orders, seed, piece)
            first = piece.stop

    def _prepared(self, pair: _Pair) -> Prepared | None:
        if id(pair) in self.ready:
            return self.ready[id(pair)]
        if self.plainly or (self.engine == AUTO and not compiling.ready()):
            return None
        from flagplot.odds import kernels
        from flagplot.odds.kernel_names import NotCompilable

        try:
            self.ready[id(pair)] = kernels.prepare(pair.world, self.doctrines, pair.orders)
        except NotCompilable as why:
            if self.engine == COMPILED:
                raise NoOdds(f"this battle cannot be compiled: {why}") from None
            self.plainly = True
            return None
        return self.ready[id(pair)]


def _plainly(
    world: World, doctrines: Mapping[Side, Doctrine], orders: Mapping[Side, Order], seed: int, battles: range
) -> Rows:
    return rows_of(world, {side: Ordered(doctrines[side], orders[side]) for side in Side}, seed, battles)


# -- what is said ------------------------------------------------------------------------------------------


def advice(found: Matrix, value: str = WIN, each_pair: int = 0) -> dict[str, Any]:
    """The mixture, what it is worth, what each pure choice costs and how exploitable it is, and the error of all that; and
    whether it comes to the same whatever is chosen, as far as battles fought so often can tell."""
    tells = max(TELLS[value], FEW / each_pair if value == WIN and each_pair else 0)
    payoffs = found.whole
    solved = equilibrium(payoffs)
    costs = cost_of_rows(payoffs, solved)
    less = (found.blocks.sum(axis=0) - found.blocks) / (len(found.blocks) - 1)  # without one block, for each
    each = [equilibrium(table) for table in less]
    other_costs = np.array([cost_of_rows(table, one) for table, one in zip(less, each, strict=True)])
    other_shares = np.array([one.own for one in each])
    pure = np.eye(len(found.own))
    return {
        "value": value,
        "same": max(exploitable(payoffs, each, solved.value) for each in pure) < tells,
        "worth": _sure(solved.value, [one.value for one in each]),
        "choices": [
            {
                "choice": choice.label,
                "share": _sure(float(solved.own[i]), other_shares[:, i]),
                "cost": _sure(max(0.0, float(costs[i])), other_costs[:, i]),
                "exploitable": round(exploitable(payoffs, pure[i], solved.value), 6),
            }
            for i, choice in enumerate(found.own)
        ],
        "exploitable": round(exploitable(payoffs, solved.own, solved.value), 6),
        "exploitable_by_chance": round(_left_open(found.blocks), 6),
        "enemy": [
            {"choice": choice.label, "share": round(float(solved.enemy[j]), 6)} for j, choice in enumerate(found.enemy)
        ],
        "payoffs": [[round(float(cell), 6) for cell in row] for row in payoffs],
    }


def _sure(value: float, without: Sequence[float] | NDArray[np.float64]) -> dict[str, float]:
    """A number and its standard error, from what it is without each of the blocks."""
    return {"is": round(value, 6), "error": round(float(np.sqrt(len(without) - 1) * np.std(without)), 6)}


def _left_open(blocks: NDArray[np.float64]) -> float:
    """What the mixture found from half the blocks loses to an enemy who knows it, as the other half tells: the part of
    being exploitable that is due to too few battles."""
    half = len(blocks) // 2
    first, second = blocks[:half].mean(axis=0), blocks[half:].mean(axis=0)
    return max(0.0, exploitable(second, equilibrium(first).own, equilibrium(second).value))
