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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from functools import cache
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

# The longest first, so that the processes end together; then what fights whole battles.
PARTS = (
    "kernel_strikes",
    "kernel_engagements",
    "kernel_withdrawal",
    "kernel_submarines",
    "kernel_search",
    "kernel_patrol",
    "kernel_shore",
)
WHOLE = ("kernel_battle", "kernel_outcome")
AT_ONCE = 2  # processes
MARK = "ready.json"
CLAIM = "compiling"
IF_FREE = "--if-free"


@cache
def _folder() -> Path:
    from flagplot.odds.jit import cache_folder  # Numba takes its time to load

    return cache_folder()


def ready() -> bool:
    """Whether everything is compiled."""
    return (_folder() / MARK).exists()


def begin() -> None:
    """See to it that the kernels get compiled: by a process in the background, unless one is at it already or
    FLAGPLOT_COMPILE=no forbids it."""
    if not ready() and not _claimed() and os.environ.get("FLAGPLOT_COMPILE") != "no":
        _start()


@cache
def _start() -> None:
    with suppress(OSError):  # without room for a cache there are only the procedures
        _folder().mkdir(parents=True, exist_ok=True)
        subprocess.Popen(
            [sys.executable, "-m", "flagplot.odds.compiling", IF_FREE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _claimed() -> bool:
    """Whether another process is compiling, and alive."""
    try:
        with (_folder() / CLAIM).open() as claim:
            flock(claim, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def compile_all(*, wait: bool = True) -> dict[str, float]:
    """Compile every piece in a process of its own. If another process does so already, wait for it, or leave it to it. How
    long it took, and the most memory one piece had."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / CLAIM).open("w") as claim:
        # The operating system lets go of the lock however this process ends.
        flock(claim, LOCK_EX if wait else LOCK_EX | LOCK_NB)
        if not ready():
            _compile(folder)
    told: dict[str, float] = json.loads((folder / MARK).read_text())
    return told


def _compile(folder: Path) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        most = max(pool.map(_part, PARTS))
    most = max(most, *map(_part, WHOLE))
    told = {"seconds": round(time.monotonic() - began, 1), "megabytes": round(most, 1)}
    waiting = folder / f"{MARK}.{os.getpid()}"
    waiting.write_text(json.dumps(told))
    waiting.replace(folder / MARK)


def _part(name: str) -> float:
    """One part in a process of its own; the megabytes it had at the most."""
    asked = [sys.executable, "-m", "flagplot.odds.compiling", name]
    return float(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)


def main(words: list[str]) -> None:
    """A piece, if one is named, or everything."""
    if words == [IF_FREE]:
        with suppress(BlockingIOError):
            compile_all(wait=False)
    elif words:
        __import__(f"flagplot.odds.{words[0]}")
        sys.stdout.write(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:.1f}\n")
    else:
        sys.stdout.write(json.dumps(compile_all()) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
