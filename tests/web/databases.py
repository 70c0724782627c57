"""Databases to try things with: an SQLite file, and a real PostgreSQL, where there is one; empty, or with tables.

Tables are made once for each process of tests and copied: what makes them is tried where an empty database is asked for.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from flagplot.web.database import Database
from flagplot.web.migrate import migrate

PATIENCE = 30.0  # seconds until something is said to hang

numbers = itertools.count(1)


class Cluster:
    """A PostgreSQL of our own, reached through a socket in its folder only. The machine does not fail, so it syncs nothing."""

    SETTINGS = (
        "fsync=off",
        "full_page_writes=off",
        "listen_addresses=",
        "max_connections=60",
        "shared_buffers=16MB",
        "logging_collector=off",
    )

    def __init__(self, binaries: Path) -> None:
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="flagplot-pg-"))
        self.as_user: dict[str, Any] = {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            known = {each.pw_name for each in pwd.getpwall()}
            owner = pwd.getpwnam("postgres" if "postgres" in known else "nobody")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.as_user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        self.data = self.folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        atexit.register(self.remove)
        subprocess.run(
            [binaries / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self.as_user,
        )
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [part for each in self.SETTINGS for part in ("-c", each)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data, "-k", self.folder, *settings],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self.as_user,
            )
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(Exception):
                self.run("select 1")
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("PostgreSQL does not start: " + (self.folder / "log").read_text()[-500:])
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGQUIT) -> None:
        """Stop it, at once unless told otherwise: to its clients this is a crash."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)

    def remove(self) -> None:
        """Nothing is left of it."""
        with suppress(Exception):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, sql: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Say something to it."""
        import psycopg

        with psycopg.connect(host=str(self.folder), user="postgres", dbname=database, autocommit=True) as connection:
            cursor = connection.execute(sql)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def database(self, like: str = "template1") -> str:
        """A new database, empty or as another one is; its URL."""
        name = f"games{next(numbers)}"
        self.run(f"create database {name} template {like} {self.copying}")
        return f"postgresql+psycopg://postgres@/{name}?host={self.folder}"

    @functools.cached_property
    def copying(self) -> str:
        """How a database is made: file by file, as it always was before PostgreSQL 15, takes half the time."""
        return "strategy file_copy" if self.run("show server_version_num")[0][0] >= "150000" else ""

    def ready_database(self) -> str:
        """A new database with all tables; its URL."""
        return self.database(self._ready)

    @functools.cached_property
    def _ready(self) -> str:
        """The name of one to be copied."""
        database = Database(self.database())
        migrate(database)
        database.close()
        return str(database.url.database)

    def cut(self, url: str) -> int:
        """Cut every connection to a database."""
        name = url.partition("@/")[2].partition("?")[0]
        told = self.run(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'")
        return len(told)


@functools.cache
def _cluster() -> Cluster | str:
    """PostgreSQL, or why there is none."""
    found = shutil.which("initdb")
    candidates = [Path(found).resolve().parent] if found else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    try:
        import psycopg  # noqa: F401
    except ImportError as missing:
        return f"psycopg cannot be imported: {missing}"
    for binaries in candidates:
        if (binaries / "initdb").exists() and (binaries / "postgres").exists():
            try:
                return Cluster(binaries)
            except (OSError, RuntimeError, subprocess.CalledProcessError) as trouble:
                return f"PostgreSQL in {binaries} cannot be started: {trouble}"
    return "there is no PostgreSQL: install the package postgresql"


def cluster() -> Cluster:
    """PostgreSQL; the test is skipped where there is none."""
    found = _cluster()
    if isinstance(found, str):
        pytest.skip(found)
    return found


KINDS = ("sqlite", "postgresql")
FILE = "games.db"


def new_database(kind: str, folder: Path) -> str:
    """An empty database of a kind; its URL."""
    return _file_in(folder) if kind == "sqlite" else cluster().database()


def ready_database(kind: str, folder: Path) -> str:
    """A database of a kind with all tables; its URL. In a folder that has one already, that one."""
    if kind != "sqlite":
        return cluster().ready_database()
    if not (folder / FILE).exists():
        (folder / FILE).write_bytes(_ready_file())
    return _file_in(folder)


def _file_in(folder: Path) -> str:
    return f"sqlite:///{folder / FILE}"


@functools.cache
def _ready_file() -> bytes:
    """An SQLite file with all tables and no rows."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(_file_in(Path(folder)))
        migrate(database)
        database.close()
        return (Path(folder) / FILE).read_bytes()
