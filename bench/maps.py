"""Measures shortest paths by sea: against a plain Dijkstra over a dictionary, and on a map ten times the size."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from random import Random
from typing import TypeAlias

from msgspec.structs import replace

from flagplot.model import maps
from flagplot.model.maps import Map
from flagplot.scenarios.maps import load_map

RUNS = 9
PAIRS = 60
LIMIT_MS = 5  # what issue and page promise for one path on a map of 53 x 40

Graph: TypeAlias = dict[str, tuple[str, ...]]


def figures() -> dict[str, float]:
    """Milliseconds for a path after warm-up, and ratios."""
    chart = load_map("pacific")
    # Its own terrain again and again: ten times as many hexes, and paths that go further.
    large = replace(chart, rows=tuple(chart.rows[at % 40] * 8 for at in range(50)), places=(), boxes=(), captions=())
    assert len(large.addresses) == 10 * len(chart.addresses)
    graph = {each: tuple(chart.addresses[to] for to in chart.sailing[at]) for each, at in chart.index.items()}
    pairs, far_pairs = _pairs(chart), _pairs(large)
    assert all(_same(maps.sea_path(chart, *pair), dijkstra(graph, *pair)) for pair in pairs)
    ours, plain, tenfold = _interleaved(
        lambda: [maps.sea_path(chart, *pair) for pair in pairs],
        lambda: [dijkstra(graph, *pair) for pair in pairs],
        lambda: [maps.sea_path(large, *pair) for pair in far_pairs],
    )
    steps, far_steps = (
        sum(maps.sea_distance(each, *pair) or 0 for pair in some) for each, some in ((chart, pairs), (large, far_pairs))
    )
    slowest = max(min(_seconds(lambda p=pair: maps.sea_path(chart, *p)) for _ in range(RUNS)) for pair in pairs)
    return {
        "sea_path_ms": round(1000 * ours / PAIRS, 3),
        "slowest_sea_path_ms": round(1000 * slowest, 3),
        "sea_path_times_under_limit": round(LIMIT_MS / (1000 * slowest), 1),
        "plain_dijkstra_over_sea_path": round(plain / ours, 1),
        "sea_path_ms_on_ten_times_the_map": round(1000 * tenfold / PAIRS, 3),
        # Paths there are some six times as long, around land that stands in rows.
        "cost_of_a_step_on_ten_times_the_map": round(tenfold / far_steps / (ours / steps), 1),
    }


def dijkstra(graph: Graph, start: str, end: str) -> list[str] | None:
    """The plain way: addresses as keys, a heap, and the hex each was reached from."""
    heap = [(0, start)]
    reached: dict[str, tuple[int, str]] = {start: (0, "")}
    while heap:
        far, here = heapq.heappop(heap)
        if here == end:
            path = [end]
            while path[-1] != start:
                path.append(reached[path[-1]][1])
            return path[::-1]
        for to in graph[here]:
            if to not in reached or far + 1 < reached[to][0]:
                reached[to] = far + 1, here
                heapq.heappush(heap, (far + 1, to))
    return None


def _same(one: tuple[str, ...] | None, two: list[str] | None) -> bool:
    return (one is None) == (two is None) and len(one or ()) == len(two or ())


def _pairs(chart: Map) -> list[tuple[str, str]]:
    random = Random(22)
    water = [chart.addresses[at] for at, ways in enumerate(chart.sailing) if ways]
    return [(random.choice(water), random.choice(water)) for _ in range(PAIRS)]


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()  # what others do on this machine is not counted
    job()
    return time.process_time() - start


def _interleaved(*jobs: Callable[[], object]) -> list[float]:
    """Seconds for each job, the best of several turns in which all of them run."""
    turns = [[_seconds(job) for job in jobs] for _ in range(RUNS)]
    return [min(times) for times in zip(*turns, strict=True)]


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name.replace('_', ' '):<40}{value:>10}")
