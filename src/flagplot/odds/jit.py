"""How the kernels of odds are made ready: compiled by Numba, left as plain Python, or compiled for a GPU.

Kernel files use `jit` and nothing else of Numba, so the same source can be loaded again with another `jit`: `load` gives
the kernels as plain Python, for small samples, tests and debugging. Compiled code is kept on disk in a folder whose name
holds a hash of the kernels' sources, of the tables and of the doctrine, since Numba itself does not notice when another
file has changed; and nowhere else, for the same reason.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int32]
Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN, COMPILED, GPU = "plain", "compiled", "gpu"
HERE = Path(__file__).parent
SOURCES = (
    *("odds/kernel_*.py", "odds/jit.py", "odds/lean.py", "odds/philox.py"),
    *("tables/*.py", "doctrine/*.py", "editions/*.py"),
)

how = COMPILED


def fingerprint(package: Path = HERE.parent) -> str:
    """A hash of everything that is frozen into compiled kernels."""
    by = f"{version('numba')} {sys.implementation.cache_tag}"  # machine code is linked to the Python that runs
    digest = hashlib.blake2b(by.encode(), digest_size=8)
    for pattern in SOURCES:
        for path in sorted(package.glob(pattern)):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where compiled kernels of just these sources are kept."""
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # whoever has no home keeps nothing: no folder can be made there
        base = Path(os.devnull)
    return base / "flagplot" / f"kernels-{fingerprint()}"


def jit(function: Function) -> Function:
    """A kernel function, made ready in the way now set. Array arguments are not counted: kernels allocate nothing."""
    return function if how == PLAIN else _part(function)


def leaf(function: Function) -> Function:
    """A small kernel function, put wherever it is called."""
    return function if how == PLAIN else _part(function, forceinline=True)


def loop(function: Function) -> Function:
    """A kernel function that is one long loop, whose turns do not depend on each other; rarely called, and never put where
    it is."""
    return function if how == PLAIN else _part(function, long_loops=True, forceinline=False)


def _part(function: Function, *, long_loops: bool = False, **more: bool) -> Function:
    import numba  # takes its time to load: whoever calls machine code that was kept does without (native.py)

    from flagplot.odds.lean import WITHOUT_WRAPPERS, as_part

    njit: Any = numba.njit
    made: Function = as_part(
        njit(error_model="numpy", _nrt=False, **more, **WITHOUT_WRAPPERS)(function), long_loops=long_loops
    )
    return made


def segment(function: Function) -> Function:
    """A kernel called from outside, (s, c) -> nothing: compiled for just these arguments, and kept on disk."""
    return _kept("void(int32[::1], int32[::1])", function)


def many(function: Function) -> Function:
    """The kernel that plays many battles, (before, s, c, plan, rows, seed, first, battles) -> nothing, kept on disk; other
    threads may go on meanwhile."""
    return _kept(f"void({', '.join(['int32[::1]'] * 5 + ['int64'] * 3)})", function)


def _kept(signature: str, function: Function) -> Function:
    if how != COMPILED:
        return jit(function)
    import numba

    from flagplot.odds.lean import compiling

    njit: Any = numba.njit
    with compiling(part=False), _kept_in(cache_folder()):
        made: Function = njit(signature, cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    return made


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Meanwhile Numba keeps what it compiles in this folder. Where it cannot, it fails: beside the sources, where it would
    go by itself, it would later find code of other tables."""
    import numba

    config: Any = numba.config
    before = config.CACHE_DIR, getattr(config, "CACHE_LOCATOR_CLASSES", "")
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), "UserProvidedCacheLocator"
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


def bits() -> tuple[Callable[[int], int], Callable[[int], int]]:
    """How many bits of a word are set, and which is the lowest, as kernels made ready in the way now set can ask."""
    if how != PLAIN:
        from flagplot.odds.lean import count_bits, lowest_bit

        return count_bits, lowest_bit
    return lambda word: int(word).bit_count(), lambda word: (int(word) & -int(word)).bit_length() - 1


def load(names: tuple[str, ...], way: str = PLAIN) -> dict[str, ModuleType]:
    """Kernel modules of flagplot.odds loaded once more, made ready in another way; the loaded ones stay as they are."""
    global how
    prefix = "flagplot.odds.kernel"
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(prefix)}
    before, how = how, way
    try:
        return {name: importlib.import_module(f"flagplot.odds.{name}") for name in names}
    finally:
        how = before
        for name in [name for name in sys.modules if name.startswith(prefix)]:
            del sys.modules[name]
        sys.modules.update(kept)
