"""The kernels of whole battles for a GPU (22.3 to 22.9, 23): the same source, compiled to PTX; one battle a thread.

The law here: nothing of a rule is written again. kernel_*.py is loaded once more with device functions instead of Numba's
compiled ones (jit.py), and one small kernel gives each thread its battle. PTX is made without a GPU, by numba-cuda (`pip
install flagplot[gpu]`), and launched by whatever can load it: tools/gpu.py does so with CuPy.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import cuda as _cuda

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import GPU, kept_apart, load
from flagplot.odds.lean import index_as_it_is

cuda: Any = _cuda
HOPPER = (9, 0)  # compute capability of the H100 and H200
ADDRESSES = ".address_size 64"  # the last line of what every PTX begins with

_words: Any = numba.int32[::1]
_number: Any = numba.int64
ARGUMENTS = (*[_words] * 4, *[_number] * 3)


def count_bits(word: int) -> int:  # pragma: no cover - compiled
    """How many bits of a word are set."""
    return int(cuda.popc(word))


def lowest_bit(word: int) -> int:  # pragma: no cover - compiled
    """Which bit is the lowest that is set in a word that is not 0."""
    return int(cuda.ffs(word)) - 1


def ptx(capability: tuple[int, int] = HOPPER) -> tuple[str, str]:
    """PTX of the kernel (before, c, plan, rows, seed, first, battles) that fights whole battles, and its name there."""
    with without_a_gpu(capability):
        return compiled(load(("kernel_outcome",), GPU)["kernel_outcome"].fight_many, capability)


def kernel_of(fight: Any) -> Callable[..., None]:
    """A kernel whose threads each call a device function like kernel_outcome.fight_many for one battle after the other."""
    words = at.STATE_WORDS
    int32 = numba.int32

    def flagplot_battles(
        before: Any, c: Any, plan: Any, rows: Any, seed: int, first: int, battles: int
    ) -> None:  # pragma: no cover - compiled
        battle, threads = cuda.grid(1), cuda.gridsize(1)
        s = cuda.local.array(words, int32)
        numbers = len(rows) // battles
        while battle < battles:
            fight(before, s, c, plan, rows[battle * numbers : (battle + 1) * numbers], seed, first + battle, 1)
            battle += threads

    return flagplot_battles


def compiled(fight: Any, capability: tuple[int, int] = HOPPER) -> tuple[str, str]:
    """PTX of such a kernel, and its name there."""
    kernel = kernel_of(fight)
    text, _ = cuda.compile(kernel, ARGUMENTS, cc=capability, device=False, abi="numba", output="ptx")
    text = text.decode() if isinstance(text, bytes) else text
    found = re.search(r"\.visible \.entry ([A-Za-z0-9_$]+)", text)
    assert found is not None
    text = text.replace(found[1], kernel.__name__)
    text = text.replace(ADDRESSES, f'{ADDRESSES}\n.pragma "nounroll";', 1)  # loops are short, and code must be
    return _tables_in_global_memory(text), kernel.__name__


def _tables_in_global_memory(text: str) -> str:
    """Constant memory holds 64 KB; the tables, which each function that reads them has to itself, are more."""
    text = re.sub(r"^\.const (?=\.align)", ".global ", text, flags=re.MULTILINE)
    return text.replace("cvta.const.", "cvta.global.").replace("ld.const.", "ld.global.")


@contextmanager
def without_a_gpu(capability: tuple[int, int]) -> Iterator[None]:
    """While kernels are compiled where there is no GPU: device functions are made for this one, for 64-bit numbers only,
    nothing counts from the end (lean.py), and functions that are to stay apart do."""
    vars(np).setdefault("row_stack", np.vstack)  # numba-cuda asks for it; NumPy 2.5 has it no more
    dispatching: Any = importlib.import_module("numba.cuda.dispatcher")
    arrays: Any = importlib.import_module("numba.cuda.np.arrayobj")
    kind = dispatching.CUDADispatcher
    nvvm: Any = importlib.import_module("numba.cuda.codegen").nvvm
    device, compile_device, fix_index = dispatching.get_current_device, kind.compile_device, arrays.fix_integer_index
    replace = nvvm.llvm_replace
    dispatching.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    kind.compile_device = _widened(compile_device)
    arrays.fix_integer_index = index_as_it_is
    nvvm.llvm_replace = lambda code: "\n".join(map(_stays_apart, replace(code).splitlines()))
    try:
        yield
    finally:
        dispatching.get_current_device, kind.compile_device = device, compile_device
        arrays.fix_integer_index, nvvm.llvm_replace = fix_index, replace


def _stays_apart(line: str) -> str:
    """A line of LLVM's code that begins a function which is never to be put into another says so."""
    name = line.partition("(")[0]  # mangled: the length of each part before it
    if line.startswith("define ") and any(f"{len(each)}{each}B" in name for each in kept_apart):
        return f"{line.rstrip(' {')} noinline{' {' if line.endswith('{') else ''}"
    return line


def _widened(compile_device: Callable[..., Any]) -> Callable[..., Any]:
    """Each device function compiled once, whatever whole numbers it is called with."""

    def widened(self: Any, kinds: tuple[Any, ...], return_type: Any = None) -> Any:
        integer = numba.core.types.Integer
        return compile_device(
            self, tuple(_number if isinstance(kind, integer) else kind for kind in kinds), return_type
        )

    return widened
