"""The kernels of a GPU are those of the CPU: made from the same source. It runs in Numba's simulator of a GPU, and goes
through numba-cuda to PTX.

Here there is no GPU. That outcomes are the same on one was checked with tools/gpu.py (docs/performance.md).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import subprocess
import sys

import pytest

from flagplot.odds import gpu
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import GPU, load

SIMULATED = """
import numpy as np
from numba import cuda
from flagplot.odds import gpu, kernel_layout as at, kernels
from flagplot.odds.jit import GPU, PLAIN, load
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import formed
from flagplot.scenarios.loader import load_scenario

simulated = cuda.jit  # which does not know about inlining
cuda.jit = lambda *kernel, forceinline=False, **more: simulated(*kernel, **more)
THREADS, BATTLES, FIRST, SEED = 2, 3, 2**32 - 1, 2**63 + 5
for name in ("denmark-strait", "coral-sea"):
    scenario = load_scenario(name)
    prepared = kernels.prepare(formed(scenario.setup, admirals(USUAL), options=scenario.options), USUAL)
    before, c, plan = prepared.before, prepared.constants, prepared.plan
    rows = np.full(BATTLES * len(prepared.columns.columns), -7, np.int32)
    fight = load(("kernel_outcome",), GPU)["kernel_outcome"].fight_many
    cuda.jit(gpu.kernel_of(fight))[2, THREADS](before, c, plan, rows, SEED, FIRST, BATTLES)
    plain, state = np.empty_like(rows), np.zeros(at.STATE_WORDS, np.int32)
    load(("kernel_outcome",), PLAIN)["kernel_outcome"].fight_many(before, state, c, plan, plain, SEED, FIRST, BATTLES)
    assert list(rows) == list(plain)
"""

numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None, reason="PTX needs numba-cuda: pip install flagplot[gpu]"
)


def test_a_simulated_gpu_fights_the_same_battles() -> None:
    asked = [sys.executable, "-c", SIMULATED]
    subprocess.run(asked, check=True, env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"})


@numba_cuda
def test_a_part_of_the_kernels_becomes_ptx() -> None:
    from numba import cuda

    with gpu.without_a_gpu(gpu.HOPPER):
        dice = load(("kernel_dice",), GPU)["kernel_dice"]
        die, set_dice = dice.die, dice.set_dice

        def throw(before, s, c, plan, rows, seed, first, battles):  # type: ignore[no-untyped-def]
            set_dice(s, seed, first, 0)
            for k in range(len(rows)):
                rows[k] = die(s)

        text, name = gpu.compiled(cuda.jit(device=True)(throw))
    assert re.search(rf"\.visible \.entry {name}\(", text)
    assert ".target sm_90" in text
    assert ".const" not in text


@numba_cuda
def test_compiling_for_a_gpu_leaves_numba_as_it_was() -> None:
    dispatching = importlib.import_module("numba.cuda.dispatcher")
    before = dispatching.get_current_device, dispatching.CUDADispatcher.compile_device
    with gpu.without_a_gpu(gpu.HOPPER):
        assert dispatching.get_current_device().compute_capability == gpu.HOPPER
    assert (dispatching.get_current_device, dispatching.CUDADispatcher.compile_device) == before


@pytest.mark.long
@numba_cuda
def test_whole_battles_become_ptx() -> None:
    text, name = gpu.ptx()
    assert re.search(rf"\.visible \.entry {name}\(", text)
    assert f"[{4 * at.STATE_WORDS}]" in text  # the state of a battle, in the memory of its thread
    assert ".const" not in text
