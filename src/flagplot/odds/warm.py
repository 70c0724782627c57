"""Compiles the kernels ahead of need, each file of segments in a process of its own that ends (22.41).

Compiling takes far more memory than playing, and a minute or so in all; what comes of it is kept on disk (jit.py), so a
process that plays loads it in a moment and stays small.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from flagplot.odds.jit import cache_folder

# The longest first, so that the processes end together; then what plays them all.
PARTS = (
    "kernel_strikes",
    "kernel_engagements",
    "kernel_withdrawal",
    "kernel_submarines",
    "kernel_search",
    "kernel_patrol",
    "kernel_shore",
)
WHOLE = "kernel_battle"
DONE = "compiled"  # a file in the folder that says all is there

_CHILD = """
import json, resource, sys, time
began = time.process_time()
__import__("flagplot.odds." + sys.argv[1])
print(json.dumps([time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


class Compiled(NamedTuple):
    """What compiling one part took: seconds of work and megabytes at the most."""

    part: str
    seconds: float
    megabytes: float


def is_warm() -> bool:
    """Whether all kernels, as they stand, are compiled."""
    return (cache_folder() / DONE).exists()


def warm(processes: int = 2) -> Iterator[Compiled]:
    """Compile what is not compiled yet, part by part, and say what each took."""
    if is_warm():
        return
    with ThreadPoolExecutor(processes) as pool:
        yield from pool.map(_compile, PARTS)
    yield _compile(WHOLE)
    (cache_folder() / DONE).write_text("all kernels\n")


def _compile(part: str) -> Compiled:
    done = subprocess.run([sys.executable, "-c", _CHILD, part], capture_output=True, text=True, check=True)
    seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
    return Compiled(part, seconds, megabytes)
