"""Odds on a cluster: a real scheduler with worker processes, one or all of which go in the middle of a run."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from distributed import Client, LocalCluster

from flagplot.odds.cluster import spread_over
from flagplot.odds.sampling import USUAL, Progress, admirals, sample
from flagplot.odds.tally import Tally
from flagplot.odds.worlds import NoOdds, World, formed
from flagplot.scenarios.loader import load_scenario


def world() -> World:
    scenario = load_scenario("three-groups")
    return formed(scenario.setup, admirals(USUAL), options=scenario.options)


ASKED = {"seed": 3, "width": 1e-6, "most": 128, "engine": "procedures"}


@pytest.fixture(scope="module")
def alone() -> Tally:
    """What comes of it without a cluster."""
    return list(sample(world(), workers=1, **ASKED))[-1].tally  # type: ignore[arg-type]


@contextmanager
def cluster_of(workers: int) -> Iterator[LocalCluster]:
    """A scheduler and its worker processes, which go with it."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        yield cluster


def same(found: Progress, alone: Tally) -> None:
    """It is the last answer, and the one without a cluster."""
    assert found.last
    assert found.tally.battles == alone.battles == 128
    assert np.array_equal(found.tally.counts, alone.counts)
    assert np.array_equal(found.tally.joint, alone.joint)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_does_not_change_the_answer(alone: Tally) -> None:
    with (
        cluster_of(3) as cluster,
        Client(cluster) as client,
        spread_over(cluster.scheduler_address) as workers,
    ):
        steps = sample(world(), executor=workers, workers=3, **ASKED)  # type: ignore[arg-type]
        next(steps)
        before = client.run(os.getpid)
        os.kill(next(iter(before.values())), signal.SIGKILL)
        last = list(steps)[-1]
    assert len(before) == 3
    same(last, alone)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_goes_altogether_does_not_change_the_answer(alone: Tally) -> None:
    with cluster_of(1) as cluster, spread_over(cluster.scheduler_address) as workers:
        steps = sample(world(), executor=workers, workers=1, **ASKED)  # type: ignore[arg-type]
        next(steps)
        cluster.close()
        same(list(steps)[-1], alone)


def test_an_address_where_nobody_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.odds.cluster.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(NoOdds, match="no dask scheduler answers"), spread_over(address):
            pass
