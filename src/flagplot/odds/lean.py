"""Compiling kernels with less ado than Numba's own: about half the time, and somewhat faster code.

Kernel functions other than segments are never called from Python: they are put into segments. So they get no wrappers, no
machine code and no optimisation of their own; the segment they end up in is optimised as a whole, and nothing else sees
the parts in it. The loops of a battle are short (two kinds of light ships, five ships, six groups), so they are neither
unrolled nor done several turns at once, which would only make code that does not fit into the processor's cache; the one
long loop, that of the dice, is a part that says so. What is called from few places is put there however long it is, which
LLVM would otherwise do only where it guesses that a call is frequent, and it guesses badly. No kernel ever uses a negative index, so none is looked for; and no
kernel is ever given one row of numbers under two names, so what is written to one row is known not to change another.
Where Numba is not as we know it, it compiles in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba.core.callconv
import numba.core.codegen
import numba.extending
import numba.np.arrayobj
from llvmlite.binding import Linkage, create_pass_builder, create_pipeline_tuning_options, set_option
from numba.core.types import Integer, boolean, int64, intp, uintp

INLINED = 2_000  # instructions, roughly, up to which a part is put where it is called
WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_codegen: Any = numba.core.codegen
_calling: Any = numba.core.callconv
_arrays: Any = numba.np.arrayobj
_intrinsic: Any = numba.extending.intrinsic


def _count_bits(_typing: Any, _word: Any) -> Any:
    """How many bits of a word are set: one instruction of the processor."""

    def instruction(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return int64(int64), instruction


def _lowest_bit(_typing: Any, _word: Any) -> Any:
    """Which bit is the lowest that is set in a word that is not 0: one instruction."""

    def instruction(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(boolean, True))

    return int64(int64), instruction


count_bits, lowest_bit = _intrinsic(_count_bits), _intrinsic(_lowest_bit)


class _Compiling:
    """What is being compiled now: how many kernels deep, whether the innermost is only part of others, and whether its loops
    are long."""

    def __init__(self) -> None:
        self.kernels = 0
        self.part = False
        self.long_loops = False


_now = _Compiling()


@contextmanager
def compiling(*, part: bool, long_loops: bool = False) -> Iterator[None]:
    """While a kernel is compiled: a segment, or a part of segments."""
    before = _now.part, _now.long_loops
    _now.kernels += 1
    _now.part, _now.long_loops = part, long_loops
    try:
        yield
    finally:
        _now.kernels -= 1
        _now.part, _now.long_loops = before


def as_part(dispatcher: Any, *, long_loops: bool = False) -> Any:
    """A function that is only ever put into kernels: compiled once, for 64-bit numbers, whatever it is called with. One with
    long loops is optimised by itself, its loops done several turns at once, and stays a function that is called."""
    compile_for = dispatcher.compile

    def compile(signature: Any) -> Any:
        if isinstance(signature, tuple):
            signature = tuple(int64 if isinstance(kind, Integer) else kind for kind in signature)
        with compiling(part=LEAN, long_loops=long_loops):
            return compile_for(signature)

    def add_overload(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    def refuse(*arguments: Any, **more: Any) -> None:
        raise TypeError(f"{dispatcher.py_func.__name__} is compiled to be part of other kernels, not to be called")

    dispatcher.compile = compile
    if LEAN:
        dispatcher.add_overload, dispatcher._compile_for_args = add_overload, refuse
    return dispatcher


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index that does not count from the end."""
    return context.cast(builder, index, kind, intp if kind.signed else uintp)


def _as_we_know_it() -> bool:
    library, machine = getattr(_codegen, "CPUCodeLibrary", None), getattr(_codegen, "JITCPUCodegen", None)
    wanted = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
    return (
        all(hasattr(library, name) for name in (*wanted, "_verify_declare_only_symbols"))
        and all(hasattr(machine, name) for name in ("set_env", "_module_pass_manager"))
        and hasattr(_arrays, "fix_integer_index")
        and hasattr(getattr(_calling, "CPUCallConv", None), "decorate_function")
    )


def _optimize_short_loops(library: Any) -> None:
    """A kernel as a whole: all that Numba does, but loops stay loops."""
    passes, builder = library._codegen._module_pass_manager(
        loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
    )
    passes.run(library._final_module, builder)
    tuning = create_pipeline_tuning_options()
    tuning.speed_level = 3
    tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = create_pass_builder(library._codegen._tm, tuning)
    builder.getModulePassManager().run(library._final_module, builder)


def _install() -> None:
    library, machine, calling = _codegen.CPUCodeLibrary, _codegen.JITCPUCodegen, _calling.CPUCallConv
    decorate = calling.decorate_function
    optimize, finalize = library._optimize_final_module, library._finalize_final_module
    set_env, fix_index = machine.set_env, _arrays.fix_integer_index

    def optimize_final_module(self: Any) -> None:
        if _now.long_loops or not _now.kernels:
            optimize(self)
        if _now.long_loops:
            for function in self._final_module.functions:
                if not function.is_declaration:
                    function.add_function_attribute("noinline")
        elif _now.kernels and not _now.part:
            for function in self._final_module.functions:
                if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                    function.linkage = Linkage.internal
            _optimize_short_loops(self)

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
        use = index_as_it_is if _now.kernels else fix_index
        return use(context, builder, kind, index, size)

    def decorate_function(self: Any, function: Any, names: Any, kinds: Any, noalias: bool = False) -> None:
        decorate(self, function, names, kinds, noalias=noalias or _now.kernels > 0)

    # Not in the tuning of the pass builder, which leaves calls out that LLVM takes for rare.
    set_option("flagplot", f"--inline-threshold={INLINED}")
    calling.decorate_function = decorate_function
    library._optimize_final_module = optimize_final_module
    library._finalize_final_module = finalize_final_module
    machine.set_env = set_environment
    _arrays.fix_integer_index = fix_integer_index


LEAN = _as_we_know_it()
if LEAN:
    _install()
else:  # pragma: no cover - another Numba
    WITHOUT_WRAPPERS = {}
