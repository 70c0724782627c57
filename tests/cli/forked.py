"""The command as a process of its own, without the time its start takes.

It is forked from a process that has imported everything already and has its own arguments, folder, environment, input,
output and exit code. The command as it is installed is started by tests/cli/test_screens.py and tests/cli/test_play.py.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import select
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

HOME = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds until a command is said to hang


class Nursery:
    """A process with everything imported, which forks commands and says how they ended."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.forked"],
            cwd=HOME,
            env=_plain(),
            stdin=-1,
            stdout=-1,
            text=True,
            bufsize=1,
        )
        atexit.register(self.close)

    def run(self, words: Sequence[str], folder: Path, typed: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        assert self.process.stdin and self.process.stdout
        with tempfile.TemporaryDirectory() as place:
            files = [Path(place) / name for name in ("in", "out", "err")]
            files[0].write_text(typed)
            wanted = {
                "words": list(words),
                "folder": str(folder),
                "environment": _plain(),
                "files": list(map(str, files)),
            }
            self.process.stdin.write(json.dumps(wanted) + "\n")
            ended, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            assert ended, f"flagplot {' '.join(words)} does not end"
            code = int(self.process.stdout.readline())
            out, err = (each.read_text() for each in files[1:])
        return subprocess.CompletedProcess(list(words), code, out, err)

    def close(self) -> None:
        """End it."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def _plain() -> dict[str, str]:
    """The environment without what coverage leaves in it: a command that was forked reports nothing."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


@functools.cache
def nursery() -> Nursery:
    """The one of this test process."""
    return Nursery()


def _raise_commands() -> None:
    """What the nursery does: read what is wanted, fork, say how it ended."""
    from flagplot.cli.main import COMMANDS, loaded

    for name in COMMANDS:
        loaded(name)
    gc.freeze()  # what is loaded stays, in every command

    with os.fdopen(os.dup(0)) as wishes, os.fdopen(os.dup(1), "w", buffering=1) as told:
        for line in iter(wishes.readline, ""):
            pid = os.fork()
            if pid == 0:
                _run(**json.loads(line))
            told.write(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n")


def _run(words: list[str], folder: str, environment: dict[str, str], files: list[str]) -> None:
    """One command, from fork to end."""
    from flagplot.cli.main import main

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (name, how) in enumerate(zip(files, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        os.dup2(os.open(name, how | os.O_CREAT, 0o600), number)
    sys.argv = ["flagplot", *words]
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    code = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _raise_commands()
