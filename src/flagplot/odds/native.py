"""Compiled battles without the compiler: the machine code of the one kernel that fights them, kept beside its name.

The law here: the code is Numba's own, taken from what it compiled (compiling.py), and called as Numba calls it; whoever only
fights battles need not load Numba, which takes longer than most battles and most of the memory. Code is kept for the
processor it was compiled for, and has been called and compared before anybody relies on it; code that is not byte for byte
what was compared, cut short or altered since, counts as none. Where Numba is not as we know it nothing is kept, and the
kernel is called through Numba.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

NUMBER, ROW = "int64", "int32[::1]"  # what the kernel takes
NEW, APPROVED = "new", "json"  # code nobody has called yet, and code that is relied on
RIGHT = (0, -2)  # what a kernel of Numba's gives back when nothing is wrong: as asked, or nothing
NEVER_CALLED = "numba_adapt_ndarray"  # by the wrapper for Python, which is not used

Kernel = Callable[..., None]


@cache
def processor() -> str:
    """A short name for the processor here and all it can do: code is compiled for it."""
    from llvmlite import binding

    what = (binding.get_process_triple(), binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    return blake2b(repr(what).encode(), digest_size=6).hexdigest()


def _code(folder: Path) -> Path:
    return folder / f"battles-{processor()}.o"


def _about(folder: Path, ending: str = APPROVED) -> Path:
    return folder / f"battles-{processor()}.{ending}"


def digest(content: bytes) -> str:
    """By which content is known again."""
    return blake2b(content, digest_size=16).hexdigest()


def is_kept(folder: Path) -> bool:
    """Whether there is code for the processor here, just as it was approved."""
    return _whole(folder, APPROVED) is not None


def _whole(folder: Path, ending: str) -> tuple[bytes, dict[str, Any]] | None:
    """The code and what is known of it; None unless both are there and belong together."""
    try:
        about = json.loads(_about(folder, ending).read_text())
        code = _code(folder).read_bytes()
        return (code, about) if about["digest"] == digest(code) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


# -- keeping ----------------------------------------------------------------------------------------------


def keep(dispatcher: Any, folder: Path) -> bool:
    """Keep the code of a kernel that Numba has compiled, and has on disk, for a processor like this, until it is approved.
    Whether it could be."""
    found = _machine_code(dispatcher)
    if found is None:
        return False
    code, about = found
    _write(_code(folder), code)
    _write(_about(folder, NEW), json.dumps(about).encode())
    return True


def approve(folder: Path) -> None:
    """From now on it is relied on."""
    _about(folder, NEW).replace(_about(folder))


def forget(folder: Path) -> None:
    """It is not to be called again."""
    for ending in (NEW, APPROVED):
        _about(folder, ending).unlink(missing_ok=True)


def _machine_code(dispatcher: Any) -> tuple[bytes, dict[str, Any]] | None:
    """The code in Numba's own file, the name it is called by, and what it takes."""
    try:
        ((kinds, compiled),) = dispatcher.overloads.items()
        takes = [_kind(each) for each in kinds]
        kept = dispatcher._cache._cache_file
        (name,) = [name for key, name in kept._load_index().items() if key[1] == compiled.library.codegen.magic_tuple()]
        _, kind, (code, _) = kept._load_data(name)[0]
        symbol = compiled.fndesc.llvm_func_name
    except (AttributeError, TypeError, ValueError, LookupError):
        return None
    if kind != "object" or not isinstance(code, bytes) or not isinstance(symbol, str):
        return None
    return code, {"symbol": symbol, "takes": takes, "digest": digest(code)}


def _kind(argument: Any) -> str:
    name = str(argument)
    if name == NUMBER:
        return NUMBER
    if (str(argument.dtype), argument.ndim, argument.layout) != ("int32", 1, "C"):
        raise ValueError(f"{name} is neither a number nor a row of them")
    return ROW


def _write(path: Path, content: bytes) -> None:
    waiting = path.with_name(f"{path.name}.{os.getpid()}")
    waiting.write_bytes(content)
    waiting.replace(path)


# -- calling ----------------------------------------------------------------------------------------------


def loaded(folder: Path, ending: str = APPROVED) -> Kernel | None:
    """The kernel as it was kept, if it was. Other threads go on while it runs."""
    found = _whole(folder, ending)
    if found is None:
        return None
    code, about = found
    address = _linked(code, about["symbol"])
    takes: list[str] = about["takes"]
    words: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]  # where a result and what went wrong would go
    for kind in takes:
        words += _ROW if kind == ROW else [ctypes.c_int64]
    function = ctypes.CFUNCTYPE(ctypes.c_int32, *words)(address)

    def kernel(*given: Any) -> None:
        unused = (ctypes.c_void_p * 2)()
        flat: list[Any] = [ctypes.addressof(unused), ctypes.addressof(unused) + ctypes.sizeof(ctypes.c_void_p)]
        for kind, each in zip(takes, given, strict=True):
            flat += _row(each) if kind == ROW else [each]
        status = function(*flat)
        if status not in RIGHT:
            raise RuntimeError(f"a compiled kernel gave back {status}")

    return kernel


# A row of numbers as Numba passes it: who owns it (twice), how many, how large, where, how many, how far apart.
_ROW = [*[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 2, ctypes.c_void_p, *[ctypes.c_int64] * 2]


def _row(row: Any) -> list[Any]:
    if row.dtype != np.int32 or row.ndim != 1 or not row.flags.c_contiguous:
        raise TypeError("a row is of 32-bit numbers, one after the other")
    return [None, None, row.size, row.itemsize, row.ctypes.data, row.size, row.itemsize]


_engines: list[Any] = []  # code goes when they go


def _linked(code: bytes, symbol: str) -> int:
    """Where a function is, once its code has its place in memory."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    if binding.address_of_symbol(NEVER_CALLED) is None:
        binding.add_symbol(NEVER_CALLED, ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value)
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(symbol))
