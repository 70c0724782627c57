"""Battles by the thousand: until the interval is as narrow as was asked, on any number of cores, with the same answer.

The law here: battle number b under a seed is the same battle wherever it is fought (philox.py). Battles are fought in
batches, and batches are counted in their order until enough have been; what was fought beyond is thrown away. So the
answer depends on the seed and on what was asked, never on how many workers there were, nor on one that died.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from os import cpu_count
from typing import NamedTuple

import numpy as np

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.outcomes import columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.tally import Tally
from flagplot.odds.worlds import NoOdds, World, fight

MOST_BATTLES = 10_000_000
PLAIN_BATCH = 16
USUAL = dict.fromkeys(Side, Doctrine())
WIDTH = 0.01  # of the interval of the chance to win, if nothing else is asked


class Batch(NamedTuple):
    """Battles to be fought: from which world, by which doctrines, under which seed, from which number on, how many."""

    world: World
    doctrines: Mapping[Side, Doctrine]
    seed: int
    first: int
    battles: int


def admirals(doctrines: Mapping[Side, Doctrine]) -> dict[Side, Bot]:
    """Who plays these doctrines."""
    return {side: AdmiralBot(doctrine=doctrines[side]) for side in Side}


def fight_plainly(batch: Batch) -> Tally:
    """A batch by the procedures themselves."""
    columns = columns_of(batch.world)
    bots = admirals(batch.doctrines)
    tally = Tally(columns)
    rows = []
    for battle in range(batch.first, batch.first + batch.battles):
        end, _ = fight(batch.world, bots, PhiloxDice(batch.seed, battle))
        rows.append(outcome(batch.world, columns, end))
    tally.add_rows(np.array(rows, np.int64).reshape(len(rows), len(columns.columns)))
    return tally


class Progress(NamedTuple):
    """How far a run has come. `last` when nothing follows, and `why`."""

    tally: Tally
    last: bool = False
    why: str = ""


def sample(
    world: World,
    *,
    doctrines: Mapping[Side, Doctrine] = USUAL,
    seed: int = 0,
    width: float = WIDTH,
    most: int = MOST_BATTLES,
    executor: Executor | None = None,
    workers: int | None = None,
    fighting: Callable[[Batch], Tally] = fight_plainly,
    size: int = PLAIN_BATCH,
) -> Iterator[Progress]:
    """Fight until the interval of the chance to win is this narrow, or `most` battles have been fought. Whoever stops
    asking keeps what he has: a tally is whole after every step."""
    if not 0 < width <= 1:
        raise NoOdds(f"a width is a share above 0 and at most 1, such as 0.005 for half a percent, not {width}")
    if most < 1:
        raise NoOdds(f"at least one battle must be fought, not {most}")
    own = executor is None
    pool = executor or ThreadPoolExecutor(workers or cpu_count() or 1)
    ahead = 2 * (workers or cpu_count() or 1)
    tally = Tally(columns_of(world))
    waiting: deque[Future[Tally]] = deque()
    batches = _batches(world, doctrines, seed, most, size)
    try:
        while True:
            while len(waiting) < ahead and (batch := next(batches, None)) is not None:
                waiting.append(pool.submit(fighting, batch))
            if not waiting:
                yield Progress(tally, True, f"{most} battles were fought, as many as were allowed")
                return
            tally += waiting.popleft().result()
            if tally.width <= width:
                yield Progress(tally, True, "the interval is as narrow as was asked")
                return
            yield Progress(tally)
    finally:
        for future in waiting:
            future.cancel()
        if own:
            pool.shutdown(wait=False, cancel_futures=True)


def _batches(world: World, doctrines: Mapping[Side, Doctrine], seed: int, most: int, size: int) -> Iterator[Batch]:
    for first in range(0, most, size):
        yield Batch(world, doctrines, seed, first, min(size, most - first))
