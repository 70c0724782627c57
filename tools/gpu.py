"""The compiled battles on a GPU: built here, checked and timed there.

    python -m tools.gpu build FOLDER    where flagplot is installed; needs no GPU: PTX, battles, and the CPU's outcomes
    python -m tools.gpu run FOLDER      where a GPU and CuPy are; needs nothing of Flagplot: same outcomes? how fast?

`run` loads FOLDER/battles.cubin, if somebody has made it of the PTX (ptxas -arch=sm_90), else the PTX itself: that takes
the driver a minute. It compares every number of every battle with the CPU's for the same seed, and prints figures as JSON; it ends in error
if one differs. With a C++ compiler there, the fleet combat of bench/fleet.cpp is timed on all its cores beside it.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

SEED = 2211
CHECKED = 20_000  # battles of each kind that must be equal
SCENARIOS = ("denmark-strait", "java-sea", "midway", "guadalcanal", "six-groups")
MEETINGS = ("small", "medium", "large")
# Threads of a block, and of all blocks on a multiprocessor (0: as many as battles), tried in turn: fewer have more cache each.
SHAPES = ((32, 256), (64, 512), (256, 0), (512, 0))
MOST_AT_ONCE = 1 << 22
ENTRY = "flagplot_battles"
FLEET, BATTLES = "fleet", "battles"  # the two kernels


def build(folder: Path) -> None:
    """PTX and inputs, with what the CPU makes of them."""
    from bench import fleet
    from flagplot.odds import gpu, kernels
    from flagplot.odds.compiling import compile_all
    from flagplot.odds.sampling import USUAL, admirals
    from flagplot.odds.worlds import formed
    from flagplot.scenarios.loader import load_scenario

    folder.mkdir(parents=True, exist_ok=True)
    compile_all()
    inputs: dict[str, Any] = {}
    for name in SCENARIOS:
        scenario = load_scenario(name)
        world = formed(scenario.setup, admirals(USUAL), options=scenario.options)
        prepared = kernels.prepare(world, USUAL)
        expected = kernels.fight_rows(prepared, SEED, 0, CHECKED)
        _keep(inputs, BATTLES, name, prepared.before, prepared.constants, prepared.plan, expected, [SEED])
    for name in MEETINGS:
        met = fleet.meeting(name)
        expected = fleet.by_kernel(met, CHECKED)
        prepared = met.prepared
        _keep(inputs, FLEET, name, prepared.before, prepared.constants, met.plan, expected, [fleet.SEED])
        reference = (met.ships, met.counts, fleet.NAVAL_ATTACK, met.drm, np.array([fleet.ROUNDS, met.sound_only]))
        for i, table in enumerate(reference):
            inputs[f"{FLEET} {name} reference {i}"] = table
    np.savez_compressed(folder / "inputs.npz", **inputs)
    shutil.copy(fleet.HERE / "fleet.cpp", folder)
    taken = {}
    for kernel, fight in ((FLEET, fleet.for_a_gpu), (BATTLES, gpu.whole_battles)):
        began = time.process_time()
        (folder / f"{kernel}.ptx").write_text(gpu.ptx(fight))
        taken[kernel] = round(time.process_time() - began, 1)
    print(json.dumps({"seconds of the processor to compile": taken}))


def _keep(inputs: dict[str, Any], kernel: str, name: str, *rows: Any) -> None:
    for what, row in zip(("before", "constants", "plan", "expected", "seed"), rows, strict=True):
        inputs[f"{kernel} {name} {what}"] = np.asarray(row)


def run(folder: Path) -> None:
    """Check and time what is in the folder."""
    import cupy

    inputs = np.load(folder / "inputs.npz")
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    figures: dict[str, Any] = {"gpu": properties["name"].decode(), "cores": os.cpu_count(), "cupy": cupy.__version__}
    library = _reference(folder)
    for kernel, names in ((FLEET, MEETINGS), (BATTLES, SCENARIOS)):
        code = next((path for path in (folder / f"{kernel}.cubin", folder / f"{kernel}.ptx") if path.exists()), None)
        if code is None:
            sys.exit(
                f"there is neither {kernel}.cubin nor {kernel}.ptx in {folder}: nothing was checked; build it first"
            )
        began = time.perf_counter()
        function = cupy.RawModule(path=str(code)).get_function(ENTRY)
        found = {"load_seconds": round(time.perf_counter() - began, 2), "registers": function.num_regs}
        found["local_bytes_a_thread"] = function.local_size_bytes
        figures[kernel] = found
        print(json.dumps({kernel: found}), flush=True)
        for name in names:
            told = _checked_and_timed(cupy, function, inputs, f"{kernel} {name}")
            if kernel == FLEET and library is not None:
                told |= _reference_timed(library, inputs, name)
            figures[f"{kernel} {name}"] = told
            print(json.dumps({f"{kernel} {name}": told}), flush=True)
    (folder / "figures.json").write_text(json.dumps(figures, indent=1))
    if any(told.get("differences") for told in figures.values() if isinstance(told, dict)):
        sys.exit("the GPU and the CPU differ")


def _checked_and_timed(cupy: Any, function: Any, inputs: Any, name: str) -> dict[str, Any]:
    """Outcomes against those of the CPU, and battles a second, in ever larger launches."""
    before, constants, plan = (cupy.asarray(inputs[f"{name} {what}"]) for what in ("before", "constants", "plan"))
    expected, seed = inputs[f"{name} expected"], int(inputs[f"{name} seed"][0])
    width = expected.shape[1]
    processors = cupy.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]

    def launch(rows: Any, battles: int, shape: tuple[int, int]) -> None:
        words = (np.int64(plan.size), np.int64(width))
        arguments = (before, constants, plan, words[0], rows, words[1], *map(np.int64, (seed, 0, battles)))
        threads, at_once = shape
        wanted = -(-battles // threads)
        blocks = min(wanted, processors * at_once // threads) if at_once else wanted
        function((blocks,), (threads,), arguments)

    rows = cupy.full(CHECKED * width, -7, np.int32)
    launch(rows, CHECKED, SHAPES[0])
    differ = int((rows.get().reshape(-1, width) != expected).any(axis=1).sum())
    told: dict[str, Any] = {"checked": CHECKED, "differences": differ}
    for battles in (10_000, 100_000, MOST_AT_ONCE):
        rows = cupy.empty(battles * width, np.int32)
        taken = {}
        for shape in SHAPES:
            best = float("inf")
            for _ in range(3):
                start, end = cupy.cuda.Event(), cupy.cuda.Event()
                start.record()
                launch(rows, battles, shape)
                end.record()
                end.synchronize()
                best = min(best, cupy.cuda.get_elapsed_time(start, end) / 1000)
            taken["{} of {}".format(*shape)] = round(best, 6)
        told[f"{battles} battles, seconds by threads"] = taken
    told["battles_per_second"] = round(MOST_AT_ONCE / min(taken.values()))
    return told


def _reference(folder: Path) -> ctypes.CDLL | None:
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    made = folder / "fleet.so"
    options = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, str(folder / "fleet.cpp"), "-o", str(made)], check=True)
    return ctypes.CDLL(str(made.resolve()))


def _reference_timed(library: ctypes.CDLL, inputs: Any, name: str) -> dict[str, Any]:
    """The C++ on all cores, one thread each."""
    ships, counts, table, drm, numbers = (inputs[f"{FLEET} {name} reference {i}"] for i in range(5))
    expected, seed = inputs[f"{FLEET} {name} expected"], int(inputs[f"{FLEET} {name} seed"][0])
    each, cores = 200_000, os.cpu_count() or 1

    def fight(first: int) -> Any:
        rows = np.empty(each * expected.shape[1], np.int32)
        rows[:] = 0
        tables = [ctypes.c_void_p(row.ctypes.data) for row in (ships, counts, table, drm)]
        rest = [ctypes.c_int(int(numbers[0])), ctypes.c_int(int(numbers[1])), *map(ctypes.c_uint64, (seed, first))]
        library.fight(*tables, *rest, ctypes.c_int64(each), ctypes.c_void_p(rows.ctypes.data))
        return rows.reshape(each, -1)

    assert (fight(0)[:CHECKED] == expected).all()
    with ThreadPoolExecutor(cores) as pool:
        best = float("inf")
        for _ in range(3):
            began = time.perf_counter()
            list(pool.map(fight, range(0, each * cores, each)))
            best = min(best, time.perf_counter() - began)
    return {"cpp_battles_per_second_on_all_cores": round(each * cores / best)}


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("build", "run"):
        sys.exit(__doc__)
    {"build": build, "run": run}[sys.argv[1]](Path(sys.argv[2]))
