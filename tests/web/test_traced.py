"""What was acknowledged survives the death of the machine: the log is synced before the answer is sent (trust.md, promise 2).

A server is watched from outside, call by call of the system. Between a decision's arrival and its answer somebody must
have written to the log of SQLite and, after the last of these writes, have had it synced.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.databases import ready_database
from tests.web.server import PATIENCE, Server, people_at, play_on, seated

SCALE = int(os.environ.get("SCALE", "1"))
CALLS = "recvfrom,sendto,pwrite64,pwritev,write,fsync,fdatasync"
LINE = re.compile(r"(?P<who>\d+) +(?:<\.\.\. (?P<resumed>\w+) resumed>|(?P<call>\w+)\((?P<of>\d+<[^>]*>)?)(?P<rest>.*)")


@contextmanager
def watched(server: Server, notes: Path) -> Iterator[None]:
    """Every call of a server that reads, writes, syncs or sends is noted, for a while."""
    tracer = shutil.which("strace")
    if tracer is None:
        pytest.skip("there is no strace: install the package strace")
    watching = subprocess.Popen(
        [tracer, "-f", "-y", "-s", "64", "-e", f"trace={CALLS}", "-o", str(notes), "-p", str(server.pid)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert watching.stderr
    told = watching.stderr.readline()  # that it is attached, or why not
    if "attached" not in told:
        watching.wait(PATIENCE)
        pytest.skip(f"no process may be watched here: {told.strip()}")
    try:
        yield
    finally:
        watching.send_signal(signal.SIGINT)
        watching.wait(PATIENCE)
        watching.stderr.close()


def answered(lines: Iterable[str]) -> list[bool]:
    """For every decision that was answered with 200: whether it was synced before."""
    found: list[bool] = []
    begun: dict[str, str] = {}  # who is in the midst of a sync of the log
    wrote: dict[str, bool] = {}  # who has written to the log since the decision came, and whether it is synced
    waiting = False
    for line in lines:
        seen = LINE.match(line)
        if seen is None:
            continue
        who, call, of, rest = seen["who"], seen["call"], seen["of"] or "", seen["rest"]
        if seen["resumed"] in ("fsync", "fdatasync"):
            if begun.pop(who, "") and "= 0" in rest and who in wrote:
                wrote[who] = True
        elif call in ("fsync", "fdatasync") and of.endswith("-wal>"):
            if "unfinished" in rest:
                begun[who] = call
            elif "= 0" in rest and who in wrote:
                wrote[who] = True
        elif call in ("pwrite64", "pwritev", "write") and of.endswith("-wal>"):
            wrote[who] = False
        elif "POST /api/games/" in rest and "/answers" in rest:
            wrote, begun, waiting = {}, {}, True
        elif call == "sendto" and "HTTP/1.1 200" in rest and waiting:
            found.append(any(wrote.values()))
            waiting = False
    return found


def traced(folder: Path, decisions: int, fault: str = "") -> list[bool]:
    server, notes = Server(ready_database("sqlite", folder), folder), folder / "calls"
    server.start(fault=fault)
    try:
        made = 0
        people = people_at(server.client(), seated(server.client(), "midway"))
        with watched(server, notes):
            while made < decisions:
                now = play_on(people, decisions - made)
                made += now
                if not now:
                    people = people_at(server.client(), seated(server.client(), "midway"))
    finally:
        server.kill()
    return answered(notes.read_text().splitlines())


def test_the_log_is_synced_before_each_of_50_decisions_is_answered(tmp_path: Path) -> None:
    assert traced(tmp_path, 50) == [True] * 50


@pytest.mark.long
def test_the_log_is_synced_before_each_of_2000_decisions_is_answered(tmp_path: Path) -> None:
    assert traced(tmp_path, 2_000 * SCALE) == [True] * 2_000 * SCALE


@pytest.mark.parametrize("fault", ["naps", "forgets"])
def test_a_server_that_syncs_later_or_never_is_found_out(tmp_path: Path, fault: str) -> None:
    found = traced(tmp_path, 12, fault)
    assert len(found) == 12 and False in found
