"""Compiling kernels with less ado than Numba's own: about half the time, and somewhat faster code.

Kernel functions other than segments are never called from Python: they are put into segments. So they get no wrappers, no
machine code and no optimisation of their own; the segment they end up in is optimised as a whole. And no kernel ever uses
a negative index, so none is looked for. Where Numba is not as we know it, it compiles in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba.core.codegen
import numba.np.arrayobj
from numba.core.types import Integer, int64, intp, uintp

WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_codegen: Any = numba.core.codegen
_arrays: Any = numba.np.arrayobj


class _Compiling:
    """What is being compiled now: how many kernels deep, and whether the innermost is only part of others."""

    def __init__(self) -> None:
        self.kernels = 0
        self.part = False


_now = _Compiling()


@contextmanager
def compiling(*, part: bool) -> Iterator[None]:
    """While a kernel is compiled: a segment, or a part of segments."""
    before = _now.part
    _now.kernels += 1
    _now.part = part
    try:
        yield
    finally:
        _now.kernels -= 1
        _now.part = before


def as_part(dispatcher: Any) -> Any:
    """A function that is only ever put into kernels: compiled once, for 64-bit numbers, whatever it is called with."""
    compile_for = dispatcher.compile

    def compile(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(int64 if isinstance(kind, Integer) else kind for kind in signature)
        with compiling(part=LEAN):
            return compile_for(signature)

    def add_overload(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    def refuse(*arguments: Any, **more: Any) -> None:
        raise TypeError(f"{dispatcher.py_func.__name__} is compiled to be part of other kernels, not to be called")

    dispatcher.compile = compile
    if LEAN:
        dispatcher.add_overload, dispatcher._compile_for_args = add_overload, refuse
    return dispatcher


def _as_we_know_it() -> bool:
    library, machine = getattr(_codegen, "CPUCodeLibrary", None), getattr(_codegen, "JITCPUCodegen", None)
    wanted = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    return (
        all(hasattr(library, name) for name in (*wanted, "_verify_declare_only_symbols"))
        and hasattr(machine, "set_env")
        and hasattr(_arrays, "fix_integer_index")
    )


def _install() -> None:
    library, machine = _codegen.CPUCodeLibrary, _codegen.JITCPUCodegen
    optimize, finalize = library._optimize_final_module, library._finalize_final_module
    set_env, fix_index = machine.set_env, _arrays.fix_integer_index

    def optimize_final_module(self: Any) -> None:
        if not _now.part:
            optimize(self)

    def finalize_final_module(self: Any) -> None:
        if not _now.part:
            finalize(self)
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def set_environment(self: Any, name: str, environment: Any) -> None:
        if not _now.part:  # for there is no machine code that could use it
            set_env(self, name, environment)

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        if not _now.kernels:
            return fix_index(context, builder, kind, index, size)
        return context.cast(builder, index, kind, intp if kind.signed else uintp)

    library._optimize_final_module = optimize_final_module
    library._finalize_final_module = finalize_final_module
    machine.set_env = set_environment
    _arrays.fix_integer_index = fix_integer_index


LEAN = _as_we_know_it()
if LEAN:
    _install()
else:  # pragma: no cover - another Numba
    WITHOUT_WRAPPERS = {}
