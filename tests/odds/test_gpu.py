"""The kernels of a GPU are those of the CPU: the same code, given to threads, made into PTX.

Here there is no GPU. The code that is made into PTX is made for the processor here instead, and its threads, one after the
other, fight the battles that the kernels fight; PTX itself goes to NVIDIA's assembler where that is installed. That outcomes
are the same on a GPU was checked with tools/gpu.py (docs/performance.md).
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from llvmlite import binding

from bench import fleet
from flagplot.odds import gpu, kernels
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import GPU, PLAIN, Words, jit, load
from flagplot.odds.lean import INLINED
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import formed
from flagplot.scenarios.loader import load_scenario
from tools import gpu as tool

SEED, FIRST, THREADS = 2**63 - 5, 2**32 - 3, 3


def throws() -> Any:
    """A kernel whose row is a battle's first dice."""
    dice = load(("kernel_dice",), GPU)["kernel_dice"]
    die, set_dice = dice.die, dice.set_dice

    def throw(before, s, c, plan, rows, seed, first, battles):  # type: ignore[no-untyped-def]
        set_dice(s, seed, first, 0)
        for k in range(len(rows)):
            rows[k] = die(s)

    return jit(throw)


Threads = Callable[[Words, Words, Words, int, int], Words]


def threads(fight: Callable[[], Any]) -> Threads:
    """What the code of a GPU's threads makes of (before, c, plan, words of a row, battles), as the processor here carries it
    out: rows."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(gpu.code(fight)), machine)
    engine.finalize_object()
    kinds = [*[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * 6]

    def rows_of(before: Words, c: Words, plan: Words, width: int, battles: int) -> Words:
        share = ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address(gpu.SHARE))
        rows = np.full(battles * width, -7, np.int32)
        given = [before.ctypes.data, c.ctypes.data, plan.ctypes.data, plan.size, rows.ctypes.data, width]
        for thread in range(THREADS):
            share(*given, SEED, FIRST, battles, thread, THREADS)
        return rows.reshape(battles, width)

    return rows_of


def rows_of_plain_python(before: Words, c: Words, plan: Words, width: int, battles: int) -> Words:
    """The same by the kernels as plain Python."""
    rows, state = np.empty(battles * width, np.int32), np.zeros(at.STATE_WORDS, np.int32)
    load(("kernel_outcome",), PLAIN)["kernel_outcome"].fight_many(before, state, c, plan, rows, SEED, FIRST, battles)
    return rows.reshape(battles, width)


def test_threads_have_the_dice_of_their_battles() -> None:
    nothing, dice, battles = np.zeros(1, np.int32), 70, 5
    by_code = threads(throws)(nothing, nothing, nothing, dice, battles)
    plain, state = load(("kernel_dice",), PLAIN)["kernel_dice"], np.zeros(at.STATE_WORDS, np.int32)
    for battle in range(battles):
        plain.set_dice(state, SEED, FIRST + battle, 0)
        assert list(by_code[battle]) == [plain.die(state) for _ in range(dice)]


def test_threads_fight_the_engagements_that_the_kernel_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet, "SEED", SEED)
    by_threads = threads(fleet.for_a_gpu)
    for name in fleet.CAPITALS:
        met = fleet.meeting(name)
        prepared = met.prepared
        rows = by_threads(prepared.before, prepared.constants, met.plan, met.width, 100)
        assert (rows == fleet.by_kernel(met, 100, FIRST)).all()


@pytest.mark.long
def test_threads_fight_the_whole_battles_that_the_kernels_fight() -> None:
    by_threads = threads(gpu.whole_battles)
    for name in ("denmark-strait", "coral-sea", "six-groups"):
        scenario = load_scenario(name)
        prepared = kernels.prepare(formed(scenario.setup, admirals(USUAL), options=scenario.options), USUAL)
        given = (prepared.before, prepared.constants, prepared.plan, len(prepared.columns.columns), 7)
        assert (by_threads(*given) == rows_of_plain_python(*given)).all()


def assembled(text: str, folder: Path) -> None:
    """NVIDIA's assembler takes it, where it is installed."""
    assembler = shutil.which("ptxas")
    if assembler is None:
        pytest.skip("NVIDIA's ptxas is not installed: that it takes the PTX is not checked")
    (folder / "kernel.ptx").write_text(text)
    asked = [assembler, f"-arch={gpu.HOPPER}", str(folder / "kernel.ptx"), "-o", str(folder / "kernel.cubin")]
    subprocess.run(asked, check=True)


def is_ptx(text: str) -> None:
    """It has the kernel, for that GPU, with as many registers as leave room for its threads, and reads no single bytes."""
    assert re.search(rf"\.visible \.entry {gpu.KERNEL}\(", text)
    assert f".target {gpu.HOPPER}" in text
    assert f".maxnreg {gpu.REGISTERS}" in text
    assert "ld.global.b8" not in text


def test_a_part_of_the_kernels_becomes_ptx(tmp_path: Path) -> None:
    text = gpu.ptx(throws)
    is_ptx(text)
    assembled(text, tmp_path)


@pytest.mark.long
def test_whole_battles_become_ptx(tmp_path: Path) -> None:
    text = gpu.ptx()
    is_ptx(text)
    largest = max(map(int, re.findall(r"__local_depot\d+\[(\d+)\]", text)))
    assert 0 <= largest - 4 * at.STATE_WORDS <= 64  # a thread's battle, in its memory, and next to nothing else
    assembled(text, tmp_path)


def test_making_code_for_a_gpu_leaves_the_making_for_the_processor_here_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr(gpu.binding, "set_option", lambda name, option: said.append(option))
    gpu.code(throws)
    assert said[-2:] == [f"--inline-threshold={INLINED}", "--disable-loop-idiom-all=false"]


def test_where_there_is_nothing_to_check_nobody_is_told_that_all_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = SimpleNamespace(getDeviceProperties=lambda number: {"name": b"a GPU"})
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime), __version__="14"))
    monkeypatch.setattr(tool, "_reference", lambda folder: None)
    np.savez(tmp_path / "inputs.npz")
    with pytest.raises(SystemExit, match="neither fleet.cubin nor fleet.ptx .* nothing was checked"):
        tool.run(tmp_path)
