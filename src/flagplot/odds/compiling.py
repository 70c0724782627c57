"""Compiling the kernels of whole battles out of sight: piece by piece, each in a process of its own that ends.

The law here: nobody waits. Until the kernels are ready the procedures fight, with the same result. What was compiled is
kept on disk (jit.py) and marked as whole when the last piece is done; `python -m flagplot.odds.compiling` does it now and
says how long it took and how much memory the largest piece had.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from flagplot.odds.jit import cache_folder

PIECES = (
    "kernel_patrol",
    "kernel_shore",
    "kernel_search",
    "kernel_strikes",
    "kernel_engagements",
    "kernel_submarines",
    "kernel_withdrawal",
    "kernel_battle",
    "kernel_outcome",
)
MARK = "ready.json"
CLAIM = "compiling.pid"


@cache
def _folder() -> Path:
    return cache_folder()


def ready() -> bool:
    """Whether everything is compiled."""
    return (_folder() / MARK).exists()


def begin() -> None:
    """See to it that the kernels get compiled: by a process in the background, unless one is at it already."""
    if ready() or _claimed():
        return
    with suppress(OSError):  # without room for a cache there are only the procedures
        _folder().mkdir(parents=True, exist_ok=True)
        subprocess.Popen(
            [sys.executable, "-m", "flagplot.odds.compiling"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _claimed() -> bool:
    """Whether another process is compiling, and alive."""
    try:
        number = int((_folder() / CLAIM).read_text())
        os.kill(number, 0)
    except (OSError, ValueError):
        return False
    return number != os.getpid()


def compile_all() -> dict[str, float]:
    """Compile every piece in a process of its own. How long it took, and the most memory one had."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CLAIM).write_text(str(os.getpid()))
    began, most = time.monotonic(), 0.0
    for piece in PIECES:
        done = subprocess.run(
            [sys.executable, "-m", "flagplot.odds.compiling", piece], capture_output=True, text=True, check=True
        )
        most = max(most, float(done.stdout))
    told = {"seconds": round(time.monotonic() - began, 1), "megabytes": round(most, 1)}
    waiting = folder / f"{MARK}.{os.getpid()}"
    waiting.write_text(json.dumps(told))
    waiting.replace(folder / MARK)
    (folder / CLAIM).unlink(missing_ok=True)
    return told


def main(words: list[str]) -> None:
    """A piece, if one is named, or everything."""
    if words:
        __import__(f"flagplot.odds.{words[0]}")
        sys.stdout.write(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:.1f}\n")
    else:
        sys.stdout.write(json.dumps(compile_all()) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
