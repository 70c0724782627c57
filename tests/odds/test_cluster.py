"""Odds on a cluster: a real scheduler with worker processes, one of which is killed in the middle of a run."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
from distributed import Client, LocalCluster

from flagplot.odds.cluster import spread_over
from flagplot.odds.sampling import USUAL, admirals, sample
from flagplot.odds.worlds import NoOdds, World, formed
from flagplot.scenarios.loader import load_scenario


def world() -> World:
    scenario = load_scenario("three-groups")
    return formed(scenario.setup, admirals(USUAL), options=scenario.options)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_does_not_change_the_answer() -> None:
    asked = {"seed": 3, "width": 1e-6, "most": 128, "engine": "procedures"}
    alone = list(sample(world(), workers=1, **asked))[-1].tally  # type: ignore[arg-type]
    with (
        LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
        spread_over(cluster.scheduler_address) as workers,
    ):
        steps = sample(world(), executor=workers, workers=3, **asked)  # type: ignore[arg-type]
        next(steps)
        before = client.run(os.getpid)
        os.kill(next(iter(before.values())), signal.SIGKILL)
        last = list(steps)[-1]
    assert len(before) == 3
    assert last.last
    assert last.tally.battles == alone.battles == 128
    assert np.array_equal(last.tally.counts, alone.counts)
    assert np.array_equal(last.tally.joint, alone.joint)


def test_an_address_where_nobody_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.odds.cluster.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(NoOdds, match="no dask scheduler answers"), spread_over(address):
            pass
