"""Battles by the thousand: until the interval is as narrow as was asked, on any number of cores, with the same answer.

The law here: battle number b under a seed is the same battle wherever and however it is fought, by the procedures or
compiled (philox.py, kernels.py). Battles are counted in their order, and whether enough have been fought is looked at
after fixed numbers of them only; what was fought beyond is thrown away. So the answer depends on the seed and on what was
asked, never on how many workers there were, what they fought with, or one that died.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from os import cpu_count
from typing import NamedTuple

import numpy as np

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds import compiling
from flagplot.odds.outcomes import columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.tally import Tally
from flagplot.odds.worlds import NoOdds, World, fight

MOST_BATTLES = 10_000_000
PLAIN_PIECE = 8  # battles fought at once by the procedures
COMPILED_PIECE = 8192
FIRST_LOOK, LAST_STEP = 16, 16_384  # looks are after 16 battles, 32, 64 and so on, then after every 16,384
USUAL = dict.fromkeys(Side, Doctrine())
WIDTH = 0.01  # of the interval of the chance to win, if nothing else is asked
AUTO, PROCEDURES, COMPILED = ENGINES = ("auto", "procedures", "compiled")


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


def fight_compiled(batch: Batch) -> Tally:
    """A batch by the kernels."""
    from flagplot.odds import kernels  # compiled code is loaded when it is first wanted

    return kernels.tally_of(kernels.prepared(batch.world, batch.doctrines), batch.seed, batch.first, batch.battles)


def why_not_compiled(world: World, doctrines: Mapping[Side, Doctrine] = USUAL) -> str:
    """Why the kernels do not play a world: other rules than the current ones, or no room; "" if they do."""
    from flagplot.odds.kernel_names import NotCompilable
    from flagplot.odds.kernel_state import encode

    try:
        encode(world.rules, world.battle, world.pictures(), doctrines)
    except NotCompilable as why:
        return str(why)
    return ""


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
    engine: str = AUTO,
) -> Iterator[Progress]:
    """Fight until the interval of the chance to win is this narrow, or `most` battles have been fought. Whoever stops
    asking keeps what he has: a tally is whole after every step."""
    if not 0 < width <= 1:
        raise NoOdds(f"a width is a share above 0 and at most 1, such as 0.005 for half a percent, not {width}")
    if most < 1:
        raise NoOdds(f"at least one battle must be fought, not {most}")
    if not 0 <= seed < 2**64:
        raise NoOdds(f"a seed is a number from 0 to {2**64 - 1}, not {seed}")
    pieces = _Pieces(world, doctrines, seed, most, engine)
    own = executor is None
    pool = executor or ThreadPoolExecutor(workers or cpu_count() or 1)
    ahead = 2 * (workers or cpu_count() or 1)
    tally = Tally(columns_of(world))
    waiting: deque[tuple[int, Future[Tally]]] = deque()
    fought = 0
    looks = _looks(most)
    look = next(looks)
    try:
        while fought < most:
            while len(waiting) < ahead and not pieces.all_given:
                waiting.append(pieces.give(pool))
            battles, piece = waiting.popleft()
            tally += piece.result()
            fought += battles
            if fought == look:
                look = next(looks, most)
                if tally.width <= width:
                    yield Progress(tally, True, "the interval is as narrow as was asked")
                    return
            if fought < most:
                yield Progress(tally)
        yield Progress(tally, True, f"{most:,} battles were fought, as many as were allowed")
    finally:
        for _, piece in waiting:
            piece.cancel()
        if own:
            pool.shutdown(wait=False, cancel_futures=True)


def _looks(most: int) -> Iterator[int]:
    """The numbers of battles after which it is looked at whether that is enough."""
    at = FIRST_LOOK
    while at < most:
        yield at
        at += min(at, LAST_STEP)
    yield most


class _Pieces:
    """The battles of a run, given out piece by piece. No piece reaches beyond the next look. Compiled pieces are larger,
    and may begin in the middle of a run, when the kernels are ready."""

    def __init__(self, world: World, doctrines: Mapping[Side, Doctrine], seed: int, most: int, engine: str) -> None:
        if engine not in ENGINES:
            raise NoOdds(f"battles are fought by {', '.join(ENGINES)}, not by {engine!r}")
        self.world, self.doctrines, self.seed, self.most = world, doctrines, seed, most
        self.next = 0
        self.looks = _looks(most)
        self.look = next(self.looks)
        self.plainly = engine == PROCEDURES or not self._can_be_compiled(engine)
        if engine == AUTO and not self.plainly:
            compiling.begin()
        self.must = engine == COMPILED

    def _can_be_compiled(self, engine: str) -> bool:
        """Whether the kernels play this world; who asks for them and nothing else is told why not."""
        why = why_not_compiled(self.world, self.doctrines)
        if why and engine == COMPILED:
            raise NoOdds(f"this battle cannot be compiled: {why}")
        return not why

    @property
    def all_given(self) -> bool:
        """Whether nothing is left to fight."""
        return self.next >= self.most

    def give(self, pool: Executor) -> tuple[int, Future[Tally]]:
        """The next piece, being fought."""
        compiled = not self.plainly and (self.must or compiling.ready())
        size = min(COMPILED_PIECE if compiled else PLAIN_PIECE, self.look - self.next)
        batch = Batch(self.world, self.doctrines, self.seed, self.next, size)
        self.next += size
        if self.next == self.look:
            self.look = next(self.looks, self.most)
        return size, pool.submit(fight_compiled if compiled else fight_plainly, batch)
