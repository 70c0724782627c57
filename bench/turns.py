"""Jobs measured in turns, so that whatever else the machine does falls on all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable

RUNS = 7


def interleaved(
    *jobs: tuple[int, Callable[[], object]], runs: int = RUNS, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Seconds for each job done once, the best of several turns in which all of them run so many times."""
    best = [float("inf")] * len(jobs)
    for _ in range(runs):
        for place, (times, job) in enumerate(jobs):
            start = clock()
            for _ in range(times):
                job()
            best[place] = min(best[place], (clock() - start) / times)
    return best
