"""Compiling the kernels of whole battles out of sight: piece by piece, each in a process of its own that ends.

The law here: nobody waits who did not ask for it. Until the kernels are ready the procedures fight, with the same result.
What was compiled is kept on disk (jit.py), and the machine code of whole battles by itself (native.py), when it has fought
some as the procedures do; what is found altered on disk is not used, and compiled anew. `python -m flagplot.odds.compiling`
does it now and says how long it took and how much memory the largest piece had.
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
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

from flagplot.core.errors import GameError
from flagplot.odds import native

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
LAST = WHOLE[-1]
AT_ONCE = 2  # processes
LATER = 5  # how much a compiler in the background gives way to who fights meanwhile
MARK = "ready.json"
CLAIM = "compiling"
IF_FREE, CHECK = "--if-free", "--check"
CHECKED = ("midway", "six-groups", "denmark-strait")  # battles that must be fought right, and how many of each
CHECKS = 30
KEPT_BY_NUMBA = "odds_*/*.nb[ic]"


class CannotCompile(GameError):
    """The kernels cannot be compiled here, and why."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"{why}; the procedures fight the same battles, only slower: ask for engine auto or procedures"
        )


@cache
def folder() -> Path:
    """Where what is compiled is kept."""
    from flagplot.odds.jit import cache_folder  # Numba takes its time to load

    return cache_folder()


def ready() -> bool:
    """Whether everything is compiled, so that it need only be loaded: machine code of these sources, wherever they are; or
    what Numba keeps of just these files, as it was left."""
    if native.is_kept(folder()):
        return True
    told = _told()
    return told.get("files") == _files() and told.get("kept") == _kept()


def _told() -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads((folder() / MARK).read_text())
    except (OSError, ValueError):
        return {}
    return told


@cache
def _files() -> str:
    """Which files these are, and when they were written: by that Numba knows what it has compiled."""
    here = Path(__file__).parent
    facts = [(path.name, path.stat().st_mtime_ns) for path in sorted(here.glob("*.py"))]
    return blake2b(repr((str(here), native.processor(), facts)).encode(), digest_size=8).hexdigest()


def _kept() -> str:
    """What Numba has on disk."""
    try:
        return native.digest(b"".join(path.read_bytes() for path in sorted(folder().glob(KEPT_BY_NUMBA))))
    except OSError:
        return "what cannot be read"


def begin() -> None:
    """See to it that the kernels get compiled: by a process in the background, unless one is at it already or
    FLAGPLOT_COMPILE=no forbids it."""
    if not ready() and not _claimed() and os.environ.get("FLAGPLOT_COMPILE") != "no":
        _start()


@cache
def _start() -> None:
    with suppress(OSError):  # without room for a cache there are only the procedures
        folder().mkdir(parents=True, exist_ok=True)
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
        with (folder() / CLAIM).open() as claim:
            flock(claim, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def compile_all(*, wait: bool = True) -> dict[str, float]:
    """Compile every piece in a process of its own. If another process does so already, wait for it, or leave it to it. How
    long it took, and the most memory one piece had."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with (folder() / CLAIM).open("w") as claim:
            # The operating system lets go of the lock however this process ends.
            flock(claim, LOCK_EX if wait else LOCK_EX | LOCK_NB)
            if not ready() or not _told():
                _compile()
    except BlockingIOError:
        raise
    except OSError as trouble:
        raise CannotCompile(f"compiled code cannot be kept in {folder()}: {trouble.strerror}") from None
    told = _told()
    return {what: told[what] for what in ("seconds", "megabytes")}


def _compile() -> None:
    began = time.monotonic()
    before = list(folder().glob(KEPT_BY_NUMBA))
    try:
        most = _pieces()
    except CannotCompile:
        if not before:
            raise
        for path in before:  # it may be what was altered
            path.unlink(missing_ok=True)
        most = _pieces()
    seconds = round(time.monotonic() - began, 1)
    told = {"seconds": seconds, "megabytes": round(most, 1), "files": _files(), "kept": _kept()}
    waiting = folder() / f"{MARK}.{os.getpid()}"
    waiting.write_text(json.dumps(told))
    waiting.replace(folder() / MARK)


def _pieces() -> float:
    """All pieces, checked; the megabytes of the largest."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        most = max(pool.map(_piece, PARTS))
    most = max(most, *map(_piece, WHOLE))
    try:
        return max(most, _piece(CHECK))
    except CannotCompile:
        native.forget(folder())  # then battles are called through Numba, if that is right
        return max(most, _piece(CHECK))


def _piece(name: str) -> float:
    """One piece in a process of its own; the megabytes it had at the most."""
    asked = [sys.executable, "-m", "flagplot.odds.compiling", name]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode:
        last = done.stderr.strip().rsplit("\n", 1)[-1] or f"it ended with {done.returncode}"
        raise CannotCompile(f"the kernels cannot be compiled here ({name.strip('-')}): {last}")
    return float(done.stdout)


def check() -> None:
    """Fight a few battles as they will be fought, by machine code that was kept or through Numba, and the same ones by the
    procedures; where all are the same the code is approved. A crash is this process's own."""
    from flagplot.odds import kernels
    from flagplot.odds.sampling import USUAL, admirals, rows_of
    from flagplot.odds.worlds import formed
    from flagplot.scenarios.loader import load_scenario

    kept = native.loaded(folder(), native.NEW)
    for name in CHECKED:
        scenario = load_scenario(name)
        bots = admirals(USUAL)
        world = formed(scenario.setup, bots, scenario.edition, scenario.options)
        rows = kernels.fight_rows(kernels.prepare(world, USUAL), 0, 0, CHECKS, by=kept or kernels.through_numba())
        if (rows != rows_of(world, bots, 0, range(CHECKS))).any():
            sys.exit(f"machine code fights {name} otherwise")
    if kept is not None:
        native.approve(folder())


def main(words: list[str]) -> None:
    """A piece, if one is named, or everything."""
    try:
        _main(words)
    except CannotCompile as why:
        sys.exit(str(why))


def _main(words: list[str]) -> None:
    if words == [IF_FREE]:
        with suppress(OSError):
            os.nice(LATER)
        with suppress(BlockingIOError):
            compile_all(wait=False)
    elif words:
        if words == [CHECK]:
            check()
        else:
            module: Any = import_module(f"flagplot.odds.{words[0]}")
            if words == [LAST]:
                native.keep(module.fight_many, folder())
        sys.stdout.write(f"{getrusage(RUSAGE_SELF).ru_maxrss / 1024:.1f}\n")
    else:
        sys.stdout.write(json.dumps(compile_all()) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
