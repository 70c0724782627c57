"""Battles by the thousand: until the interval is as narrow as was asked, on any number of cores, with the same answer.

The law here: battle number b under a seed is the same battle wherever and however it is fought, by the procedures or
compiled (philox.py, kernels.py). Battles are counted in their order, and whether enough have been fought is looked at
after fixed numbers of them only; what was fought beyond is thrown away. So the answer depends on the seed and on what was
asked, never on how many workers there were, what they fought with, or one that died.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds import compiling
from flagplot.odds.kernel_layout import MOST_ROUNDS
from flagplot.odds.outcomes import columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.tally import Tally
from flagplot.odds.worlds import NoOdds, World, fight

MOST_BATTLES = 10_000_000
OPENING, AT_ONCE = 4, 0.1  # battles in the first answer, which is to come at once: fewer if they take more seconds
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


def rows_of(world: World, bots: Mapping[Side, Bot], seed: int, battles: range) -> NDArray[np.int64]:
    """The rows of these battles, fought by the procedures themselves."""
    columns = columns_of(world)
    rows = [outcome(world, columns, fight(world, bots, PhiloxDice(seed, battle))[0]) for battle in battles]
    return np.array(rows, np.int64)


def fight_plainly(batch: Batch) -> Tally:
    """A batch by the procedures themselves."""
    battles = range(batch.first, batch.first + batch.battles)
    tally = Tally(columns_of(batch.world))
    tally.add_rows(rows_of(batch.world, admirals(batch.doctrines), batch.seed, battles))
    return tally


def fight_compiled(batch: Batch) -> Tally:
    """A batch by the kernels."""
    from flagplot.odds import kernels  # compiled code is loaded when it is first wanted

    return kernels.tally_of(kernels.prepared(batch.world, batch.doctrines), batch.seed, batch.first, batch.battles)


def fight_either(batch: Batch) -> Tally:
    """A batch by the kernels, which are ready where it was asked for; if they are not here, by the procedures."""
    try:
        return fight_compiled(batch)
    except compiling.CannotCompile:
        return fight_plainly(batch)


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
    tally = Tally(columns_of(world))
    fought = 0
    looks = _looks(most)
    look = next(looks)
    results = pieces.results(pool, 2 * (workers or cpu_count() or 1))
    try:
        for battles, piece in results:
            tally += piece
            fought += battles
            if fought == look:
                look = next(looks, most)
                if tally.width <= width:
                    yield Progress(tally, True, f"the interval is as narrow as was asked{uncounted(tally.endless)}")
                    return
            if fought < most:
                yield Progress(tally)
        yield Progress(tally, True, f"{most:,} battles were fought, as many as were allowed{uncounted(tally.endless)}")
    finally:
        results.close()
        if own:
            pool.shutdown(wait=False, cancel_futures=True)


def uncounted(broken_off: int) -> str:
    """What is said of battles that are not in an answer, behind the reason why it ended."""
    return f"; not counted are {broken_off:,} that had not ended after {MOST_ROUNDS} rounds" if broken_off else ""


def _looks(most: int) -> Iterator[int]:
    """The numbers of battles after which it is looked at whether that is enough."""
    at = FIRST_LOOK
    while at < most:
        yield at
        at += min(at, LAST_STEP)
    yield most


class _Given:
    """A piece that was given to a pool. If whoever had it died, and the pool with him, it is fought here."""

    def __init__(self, pool: Executor, fight: Callable[[Batch], Tally], batch: Batch) -> None:
        self.fight, self.batch = fight, batch
        self.found: Future[Tally] | None = None
        with suppress(BrokenExecutor):
            self.found = pool.submit(fight, batch)

    def result(self) -> Tally:
        """What it came to."""
        if self.found is not None:
            with suppress(BrokenExecutor, CancelledError):
                return self.found.result()
        return self.fight(self.batch)

    def cancel(self) -> None:
        """Nobody wants to know any longer."""
        if self.found is not None:
            self.found.cancel()


class _Pieces:
    """The battles of a run, given out piece by piece. No piece reaches beyond the next look. The first few are fought here and
    now by the procedures, for which nothing need be loaded. Compiled pieces are larger, and may begin in the middle of a
    run, when the kernels are ready."""

    def __init__(self, world: World, doctrines: Mapping[Side, Doctrine], seed: int, most: int, engine: str) -> None:
        if engine not in ENGINES:
            raise NoOdds(f"battles are fought by {', '.join(ENGINES)}, not by {engine!r}")
        self.world, self.doctrines, self.seed, self.most, self.engine = world, doctrines, seed, most, engine
        self.next = 0
        self.looks = _looks(most)
        self.look = next(self.looks)
        self.must = engine == COMPILED
        if self.must:
            _ = self.compilable

    @cached_property
    def compilable(self) -> bool:
        """Whether the kernels play this world; who asks for them and nothing else is told why not."""
        if self.engine == PROCEDURES:
            return False
        why = why_not_compiled(self.world, self.doctrines)
        if why and self.must:
            raise NoOdds(f"this battle cannot be compiled: {why}")
        if not why and not self.must:
            compiling.begin()
        return not why

    def results(self, pool: Executor, ahead: int) -> Generator[tuple[int, Tally]]:
        """How many battles, and what they came to, in their order."""
        if not self.must and not at_hand():
            yield self._opening()
        waiting: deque[_Given] = deque()
        try:
            while waiting or self.next < self.most:
                while len(waiting) < ahead and self.next < self.most:
                    waiting.append(self._give(pool))
                piece = waiting.popleft()
                yield piece.batch.battles, piece.result()
        finally:
            for piece in waiting:
                piece.cancel()

    def _opening(self) -> tuple[int, Tally]:
        """The first few battles."""
        until = time.monotonic() + AT_ONCE
        first = fight_plainly(self._batch(1))
        while self.next < min(OPENING, self.most) and time.monotonic() < until:
            first += fight_plainly(self._batch(1))
        return self.next, first

    def _give(self, pool: Executor) -> _Given:
        """The next piece, being fought."""
        compiled = self.compilable and (self.must or at_hand() or compiling.ready())
        batch = self._batch(COMPILED_PIECE if compiled else PLAIN_PIECE)
        return _Given(pool, fight_plainly if not compiled else fight_compiled if self.must else fight_either, batch)

    def _batch(self, size: int) -> Batch:
        batch = Batch(self.world, self.doctrines, self.seed, self.next, min(size, self.look - self.next))
        self.next += batch.battles
        if self.next == self.look:
            self.look = next(self.looks, self.most)
        return batch


def at_hand() -> bool:
    """Whether compiled battles can be fought here without loading anything."""
    kernel: Any = getattr(sys.modules.get("flagplot.odds.kernels"), "kernel", None)  # another thread may be loading it
    return kernel is not None and kernel.cache_info().currsize > 0
