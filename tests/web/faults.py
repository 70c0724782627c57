"""Calls to the database or to files that fail: the n-th, once or for ever; and a server in this process to try it with."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

from flagplot.web.app import make_app
from flagplot.web.database import Database
from flagplot.web.hall import Hall
from flagplot.web.settings import Limits, Settings
from tests.web.visitors import TestClient

CALLS = ("connect", "do_execute", "do_executemany", "do_execute_no_params", "do_commit", "do_rollback")
ONCE, FOR_EVER, UNHEARD = (
    "once",
    "for ever",
    "unheard",
)  # unheard: a commit that is carried out, and then nothing is heard
WAYS = (ONCE, FOR_EVER, UNHEARD)


class Faults:
    """Counts the calls to a database from the moment it is armed, and lets the n-th fail. Unheard are commits only."""

    def __init__(self, database: Database) -> None:
        self.at = 0  # 0: nothing fails
        self.way = ONCE
        self.made = 0
        self.failed = 0
        self._database = database
        self._counting = threading.Lock()
        self._error: Callable[[], Exception] = error_of(database)
        for dialect in {id(each.dialect): each.dialect for each in (database.writer, database.reader)}.values():
            for name in CALLS:
                setattr(dialect, name, self._failing(getattr(dialect, name), name == "do_commit"))

    def _failing(self, call: Callable[..., Any], commits: bool) -> Callable[..., Any]:
        def failing(*arguments: Any, **named: Any) -> Any:
            if self.way == UNHEARD and not commits:
                return call(*arguments, **named)
            with self._counting:
                self.made += 1
                hit = bool(self.at) and (self.made == self.at or (self.made > self.at and self.way == FOR_EVER))
            if hit and self.way == UNHEARD:
                call(*arguments, **named)
            if hit:
                self.failed += 1
                raise self._error()
            return call(*arguments, **named)

        return failing

    def arm(self, at: int, way: str) -> None:
        """From now on, the call with this number fails. The first who reads SQLite opens it: that may fail, too."""
        if self._database.sqlite:
            self._database.reader.dispose()
        self.at, self.way, self.made, self.failed = at, way, 0, 0

    def heal(self) -> None:
        """Nothing fails any more."""
        self.at = 0


def at_least(calls: int, way: str) -> int:
    """How many calls must have been tried, if a deed needs so many: of commits there may be only one."""
    return 1 if way == UNHEARD else calls


def error_of(database: Database) -> Callable[[], Exception]:
    """What this kind of database raises when it fails."""
    if database.sqlite:
        return lambda: sqlite3.OperationalError("disk I/O error")
    import psycopg

    return lambda: psycopg.OperationalError("server closed the connection unexpectedly")


class FileFaults:
    """Counts the calls to files that backups make, and lets the n-th fail as on a full disk, once or for ever."""

    CALLS = (
        "os.open",
        "os.close",
        "os.fdopen",
        "os.fsync",
        "pathlib.Path.open",
        "pathlib.Path.replace",
        "pathlib.Path.unlink",
    )

    def __init__(self, patch: pytest.MonkeyPatch, at: int, way: str) -> None:
        self.at, self.way = at, way
        self.made = 0
        self.failed: list[str] = []
        for name in self.CALLS:
            where, _, attribute = name.rpartition(".")
            owner = os if where == "os" else Path
            patch.setattr(owner, attribute, self._failing(name, getattr(owner, attribute)))

    def note(self, name: str) -> None:
        """One more call."""
        self.made += 1
        if self.made == self.at or (self.made > self.at and self.way == FOR_EVER):
            self.failed.append(name)
            raise OSError(28, "No space left on device")

    def _failing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def failing(*arguments: Any, **named: Any) -> Any:
            if name == "os.close":  # fails, and is closed all the same
                call(*arguments, **named)
                self.note(name)
                return None
            self.note(name)
            given = call(*arguments, **named)
            return FailingFile(self, given) if name in ("os.fdopen", "pathlib.Path.open") else given

        return failing


class FailingFile:
    """An open file whose reading, writing and closing are counted."""

    def __init__(self, faults: FileFaults, file: Any) -> None:
        self.faults, self.file = faults, file

    def __enter__(self) -> FailingFile:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.file.close()
        self.faults.note("close")

    def __iter__(self) -> FailingFile:
        return self

    def __next__(self) -> bytes:
        self.faults.note("read")
        line: bytes = next(self.file)
        return line

    def __getattr__(self, name: str) -> Any:
        if name in ("write", "flush", "readline"):
            self.faults.note(name)
        return getattr(self.file, name)


class Told(NamedTuple):
    """An answer."""

    status: int
    body: Any
    retry: str


class House:
    """A server in this process whose database can be made to fail."""

    def __init__(self, url: str, client: TestClient) -> None:
        self.url = url
        self.client = client
        app: Any = client.app
        self.hall: Hall = app.state.hall
        self.database = self.hall.database
        self.looking = Database(url)  # what is stored, seen by somebody whose calls do not fail
        self.faults = Faults(self.database)

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Told:
        """One request."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        told = self.client.request(method, path, json=body, headers=headers)
        kind = told.headers.get("content-type", "")
        return Told(told.status_code, told.json() if "json" in kind else told.text, told.headers.get("retry-after", ""))


async def _not_today(database: Database, ending: asyncio.Event) -> None:
    """Nothing is tidied up while calls are counted."""


@contextmanager
def house(url: str) -> Iterator[House]:
    """A server in this process, for a while."""
    limits = Limits(requests_a_minute=10**8, games_an_hour=10**7, wrong_tokens_a_minute=10**7)
    ours = {"origin": "http://127.0.0.1:8000"}
    app = make_app(Settings(url, limits=limits))
    with (
        mock.patch("flagplot.web.app.every_day", _not_today),
        TestClient(app, base_url="http://127.0.0.1:8000", headers=ours, raise_server_exceptions=False) as client,
    ):
        running = House(url, client)
        try:
            yield running
        finally:
            running.looking.close()
