"""The kernels of whole battles for a GPU (22.3 to 22.9, 23): the same code, made for another processor; one battle a thread.

The law here: nothing of a rule is written again. kernel_*.py is loaded once more (jit.py); what Numba makes of it before
anything is optimised is code for no processor in particular, and LLVM, which comes with Numba, makes PTX of it. A few lines
of LLVM's own language give each thread its battles. PTX is made wherever Flagplot is installed, without a GPU and without
anything of NVIDIA's, and launched by whatever can load it: tools/gpu.py does so with CuPy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from llvmlite import binding
from numba.core import types

from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import GPU, load
from flagplot.odds.lean import INLINED, LEAN

HOPPER = "sm_90"  # the H100 and H200
KERNEL, SHARE = "flagplot_battles", "flagplot_share"
REGISTERS = 128  # of a thread: 512 threads fit on a multiprocessor then
INLINED_THERE = 225  # instructions, roughly, up to which a part is put where it is called: code must fit a small cache

_config: Any = numba.config
_TRIPLE, _LAYOUT = "nvptx64-nvidia-cuda", "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
_VERSION = "+ptx78"  # of PTX: the first that knows these GPUs
_TAKES: Any = (*[types.Array(types.int32, 1, "C")] * 5, *[types.int64] * 3)  # as kernel_outcome.fight_many
_GIVEN = "ptr noalias %before, ptr noalias %c, ptr noalias %plan, i64 %plan_words, ptr noalias %rows, i64 %width"

_CODE_OF_SHARE = f"""
define void @{SHARE}({_GIVEN}, i64 %seed, i64 %first, i64 %battles, i64 %thread, i64 %threads) {{
begin:
  %s = alloca [{at.STATE_WORDS} x i32], align 16
  %nothing = alloca [2 x ptr]
  br label %next
next:
  %battle = phi i64 [%thread, %begin], [%following, %fight]
  %left = icmp slt i64 %battle, %battles
  br i1 %left, label %fight, label %end
fight:
  %place = mul i64 %battle, %width
  %row = getelementptr i32, ptr %rows, i64 %place
  %number = add i64 %first, %battle
  call i32 @FIGHT(ptr %nothing, ptr %nothing, BEFORE, STATE, CONSTANTS, PLAN, ROW, i64 %seed, i64 %number, i64 1)
  %following = add i64 %battle, %threads
  br label %next
end:
  ret void
}}
"""
_CODE_OF_KERNEL = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @{KERNEL}({_GIVEN}, i64 %seed, i64 %first, i64 %battles) #9999 {{
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before_it = mul i32 %block, %size
  %thread = add i32 %before_it, %place
  %threads = mul i32 %blocks, %size
  %thread64 = zext i32 %thread to i64
  %threads64 = zext i32 %threads to i64
  call void @{SHARE}(ptr %before, ptr %c, ptr %plan, i64 %plan_words, ptr %rows, i64 %width,
      i64 %seed, i64 %first, i64 %battles, i64 %thread64, i64 %threads64)
  ret void
}}
attributes #9999 = {{ "nvvm.maxnreg"="{REGISTERS}" }}
"""


def whole_battles() -> Any:
    """The kernel of whole battles, loaded to be made for a GPU."""
    return load(("kernel_outcome",), GPU)["kernel_outcome"].fight_many


def code(fight: Callable[[], Any]) -> str:
    """LLVM's code, not optimised, of a function that takes what kernel_outcome.fight_many takes, and of `flagplot_share`,
    which fights with it all battles of one thread. `fight` loads it (jit.py), here, so that nothing is done to it before."""
    assert LEAN, "Numba is not as we know it (lean.py)"
    with _loops_as_they_are():
        dispatcher = fight()
        dispatcher.compile(_TAKES)
    (compiled,) = dispatcher.overloads.values()
    rows = {
        "BEFORE": _row("%before", at.STATE_WORDS),
        "STATE": _row("%s", at.STATE_WORDS),
        "CONSTANTS": _row("%c", at.CONSTANT_WORDS),
        "PLAN": _row("%plan", "%plan_words"),
        "ROW": _row("%row", "%width"),
    }
    share = re.sub("|".join(rows), lambda found: rows[found[0]], _CODE_OF_SHARE)
    return str(compiled.library._final_module) + share.replace("FIGHT", compiled.fndesc.llvm_func_name)


def _row(where: str, words: int | str) -> str:
    """A row of numbers as Numba passes it (native.py)."""
    return f"ptr null, ptr null, i64 {words}, i64 4, ptr {where}, i64 {words}, i64 4"


def ptx(fight: Callable[[], Any] = whole_battles, processor: str = HOPPER) -> str:
    """PTX of the kernel (before, c, plan, words of the plan, rows, words of a row, seed, first, battles)."""
    text = re.sub("^target datalayout .*$", f'target datalayout = "{_LAYOUT}"', code(fight), flags=re.MULTILINE)
    text = re.sub("^target triple .*$", f'target triple = "{_TRIPLE}"', text, flags=re.MULTILINE)
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    module = binding.parse_assembly(text + _CODE_OF_KERNEL)
    for function in module.functions:
        if not function.is_declaration and function.name != KERNEL:
            # Nothing else calls it, so it need not take what it does not use.
            function.linkage = binding.Linkage.internal
    machine = binding.Target.from_triple(_TRIPLE).create_target_machine(cpu=processor, features=_VERSION, opt=3)
    tuning = binding.create_pipeline_tuning_options()
    tuning.speed_level = 3
    tuning.loop_unrolling = tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = binding.create_pass_builder(machine, tuning)
    with _loops_as_they_are():
        builder.getModulePassManager().run(module, builder)
    made: str = machine.emit_assembly(module)
    shortest = '.address_size 64\n.pragma "nounroll";'  # ptxas would unroll loops, which are short, and code must be
    return made.replace(".address_size 64", shortest, 1)


@contextmanager
def _loops_as_they_are() -> Iterator[None]:
    """While code is made for a GPU: loops that copy words are left alone, for there LLVM would copy blocks byte by byte; and
    fewer parts are put where they are called."""
    vectors = _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE
    binding.set_option("flagplot", "--disable-loop-idiom-all=true")
    binding.set_option("flagplot", f"--inline-threshold={INLINED_THERE}")
    _config.LOOP_VECTORIZE = _config.SLP_VECTORIZE = 0
    try:
        yield
    finally:
        _config.LOOP_VECTORIZE, _config.SLP_VECTORIZE = vectors
        binding.set_option("flagplot", f"--inline-threshold={INLINED}")
        binding.set_option("flagplot", "--disable-loop-idiom-all=false")
