"""`flagplot serve`, as a process of its own: what it says, what it refuses, what it logs, how it stops."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from flagplot.cli import serve as command
from flagplot.cli.main import app
from flagplot.cli.serve import CannotServe, Discreet, serve
from flagplot.web.settings import Settings
from tests.web.databases import cluster

FLAGPLOT = str(Path(sys.executable).with_name("flagplot"))
STREAMS = 60


def clean(**more: str) -> dict[str, str]:
    """An environment in which nothing of ours is set, and no screen."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("FLAGPLOT", "DISPLAY", "WAYLAND"))}
    return kept | more


class Running:
    """A server, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((process.stdout, self.out), (process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: Iterator[str], lines: list[str]) -> None:
        lines.extend(iter(stream.readline, ""))  # type: ignore[attr-defined]

    def said(self, pattern: str, seconds: float = 20.0) -> re.Match[str]:
        """Wait until it has said this."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = re.search(pattern, "".join(self.out))
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"never said {pattern}: {self.out} {self.err}")

    def stop(self, number: int = signal.SIGTERM, seconds: float = 10.0) -> int:
        """Ask it to stop; the exit status."""
        self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        finally:
            for reader in self._readers:
                reader.join(2)


@contextmanager
def started(folder: Path, *words: str, **environment: str) -> Iterator[Running]:
    process = subprocess.Popen(
        [FLAGPLOT, "serve", *words],
        cwd=folder,
        env=clean(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield Running(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(10)


def refused(**wanted: Any) -> str:
    """Why the command does not start; if it did, the test would hang."""
    with pytest.raises(CannotServe) as trouble:
        serve(**{"port": 0, "database": Path("games.db")} | wanted)
    return str(trouble.value)


def test_a_ready_battle_is_one_click_away_and_nothing_secret_is_logged(tmp_path: Path) -> None:
    """The whole life of a server: started, played, attacked, stopped with streams open, started again."""
    with started(tmp_path, "--ready-battle", "--port", "0", "--database", "games.db", "--log") as server:
        address = server.said(r"is at (http://127\.0\.0\.1:\d+)\n")[1]
        assert server.said(r"games\.db \(SQLite \d+\.\d+\.\d+, journal wal, sync full\)")
        token = server.said(r"Your battle is ready: " + re.escape(address) + r"/join#([\w-]{43})\n")[1]
        ours = {"origin": address}
        with httpx.Client(base_url=address, headers=ours, timeout=20) as client:
            claimed = client.post("/api/claim", json={"token": token}).json()
            assert claimed["seat"] == "allies"
            path = f"/api/games/{claimed['game']}"
            view = client.get(path).json()
            assert view["players"] == {"axis": "admiral", "allies": "person"}
            assert view["question"]
            answer = {"id": "first-decision", "question": view["question"]["number"]}
            answer |= {"answer": view["question"]["form"]["default"]}
            assert client.post(f"{path}/answers", json=answer).status_code == 200
            said = client.get(f"{path}?token={claimed['token']}&log_from=1")
            assert "server" not in said.headers
            client.get(f"/join/{claimed['token']}?recovery={claimed['recovery']}")
            client.get(f"/{claimed['recovery']}")
            _forged_addresses_are_not_believed(client)
            _odd_requests_are_survived(address)
            version = client.get(path).json()["version"]
            _stops_with_streams_open(server, client, path)
        output = "".join(server.out[4:] + server.err)
        assert "POST /api/claim" in output
        for secret in (token, claimed["token"], claimed["recovery"], "log_from", "first-decision", "?"):
            assert secret not in output, f"{secret} is in the log"
        assert "Traceback" not in output
    with started(tmp_path, "--port", "0", "--database", "games.db") as again:
        address = again.said(r"is at (\S+)\n")[1]
        bearer = {"authorization": f"Bearer {claimed['token']}"}
        told = httpx.get(address + path, headers=bearer, timeout=20).json()
        assert (told["seat"], told["version"]) == ("allies", version)
        assert again.stop(signal.SIGINT) == 0


def _forged_addresses_are_not_believed(client: httpx.Client) -> None:
    """str-5: whoever says that he is somebody else each time is still one address."""
    statuses = [
        client.post(
            "/api/claim", json={"token": "nonsense"}, headers={"x-forwarded-for": f"10.1.1.{number}"}
        ).status_code
        for number in range(22)
    ]
    assert statuses[0] == 404
    assert statuses[-1] == 429


def _odd_requests_are_survived(address: str) -> None:
    """str-6: huge headers, nonsense, a cut request; the server answers or hangs up, and goes on."""
    port = int(address.rpartition(":")[2])
    head = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for raw in (
        head + b"X-Long: " + b"x" * 200_000 + b"\r\n\r\n",
        b"\x16\x03\x01 nonsense\r\n\r\n",
        b"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
        b"GET http://evil.example/api/games HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /api/games HTTP/1.1\r\nConnection: close\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), 10) as connection:
            connection.settimeout(10)
            try:
                connection.sendall(raw)
                told = connection.recv(4096)
            except ConnectionError:
                told = b""
            assert not told or re.match(rb"HTTP/1\.1 4\d\d ", told), told[:100]
    assert httpx.get(f"{address}/api/games", timeout=20).status_code == 200


def _stops_with_streams_open(server: Running, client: httpx.Client, path: str) -> None:
    """Promise 23: with streams open it stops within ten seconds, and says nothing about it."""
    cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
    port = client.base_url.port
    assert port
    request = f"GET {path}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n\r\n".encode()
    streams = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(STREAMS)]
    accepted = 0
    for stream in streams:
        stream.settimeout(10)
        stream.sendall(request)
        accepted += stream.recv(4096).startswith(b"HTTP/1.1 200")
    assert accepted
    client.close()
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < 10
    for stream in streams:
        with stream:
            while stream.recv(4096):
                pass  # what was on its way, and then the end


def _streams(client: httpx.Client, path: str, number: int) -> list[socket.socket]:
    """Streams of one seat that have begun, each on a connection of its own."""
    port = client.base_url.port
    assert port
    cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
    request = f"GET {path}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n\r\n".encode()
    opened = []
    for _ in range(number):
        stream = socket.create_connection(("127.0.0.1", port), 10)
        stream.settimeout(10)
        stream.sendall(request)
        heard = b""
        while b"event: changed" not in heard:
            more = stream.recv(4096)
            assert more, heard
            heard += more
        opened.append(stream)
    return opened


def _workers(of: int) -> list[int]:
    """The processes that a command has started to serve."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == of and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to see the workers in")
def test_two_workers_serve_the_same_games_on_postgresql(tmp_path: Path) -> None:
    url = cluster().database().replace("postgresql+psycopg://", "postgresql://")
    with started(tmp_path, "--workers", "2", "--port", "0", "--ready-battle", FLAGPLOT_DATABASE_URL=url) as server:
        address = server.said(r"is at (http://127\.0\.0\.1:\d+)\n")[1]
        token = server.said(r"/join#([\w-]{43})\n")[1]
        with httpx.Client(base_url=address, headers={"origin": address}, timeout=20) as client:
            _until(lambda: len(_workers(server.process.pid)) == 2)
            claimed = client.post("/api/claim", json={"token": token}).json()
            path = f"/api/games/{claimed['game']}"
            streams = _streams(client, path, 6)  # whichever worker each of them has reached
            _decide(client, path)
            for stream in streams:
                assert b"event: changed" in stream.recv(4096), "a stream at the other worker was not woken"
            dying = _workers(server.process.pid)[0]
            os.kill(dying, signal.SIGKILL)
            _until(lambda: len(set(_workers(server.process.pid)) - {dying}) == 2)
            _decide(client, path)
            streams += _streams(client, path, 2)
        assert server.stop(seconds=30) == 0  # three seconds, and what a busy machine adds
        for stream in streams:
            stream.close()
        assert "Traceback" not in "".join(server.out + server.err)


def _until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.05)


def _decide(client: httpx.Client, path: str) -> None:
    """Decide as the form offers, at whichever worker; a worker that was just killed has lost the connection."""
    id = f"decision-{time.monotonic_ns()}"
    for _ in range(20):
        with suppress(httpx.TransportError):
            question = client.get(path).json()["question"]
            answer = {"id": id, "question": question["number"], "answer": question["form"]["default"]}
            if client.post(f"{path}/answers", json=answer).status_code == 200:
                return
    raise AssertionError("no worker takes a decision")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and nothing in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("FLAGPLOT_DATABASE_URL", "FLAGPLOT_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_sqlite_has_one_process(alone: Path) -> None:
    said = refused(workers=2)
    assert "one process only, not by 2" in said
    assert "PostgreSQL" in said
    with command._alone_with(Settings("sqlite:///games.db")):
        assert "another server has games.db open" in refused()


def test_what_cannot_be_had_is_said_in_a_sentence(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} of 127.0.0.1 cannot be had" in refused(port=port)
    assert "FLAGPLOT_PUBLIC_URL" in refused(host="0.0.0.0")
    assert "cannot be kept" in refused(database=Path("no/such/folder/games.db"))
    (alone / "text.db").write_text("this is no database, and long enough to be looked at " * 30)
    assert "the database cannot be used: file is not a database" in refused(database=Path("text.db"))
    monkeypatch.setenv("FLAGPLOT_DATABASE_URL", "postgresql://127.0.0.1:1/games")
    assert "the database cannot be used: connection" in refused(database=None)


def test_the_command_says_it_like_all_others(alone: Path) -> None:
    done = CliRunner().invoke(app, ["serve", "--workers", "2", "--database", "games.db"])
    assert done.exit_code == 2
    assert done.output.startswith("flagplot: SQLite is written by one process only")


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/api/games/abc?token=secret", "/api/games/abc"),
        ("/join/" + "x" * 43, "/join/***"),
        ("/ABCDE-FGHJK-MNPQR-STUVW", "/***"),
        ("/api/games/KCZABtnb6l9bIoYdGJaqTaA/stream", "/api/games/KCZABtnb6l9bIoYdGJaqTaA/stream"),
    ],
)
def test_log_1_a_line_has_no_query_and_no_token(path: str, logged: str) -> None:
    arguments = ("127.0.0.1:5", "GET", path, "1.1", 200)
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 0, '%s - "%s %s HTTP/%s" %d', arguments, None)
    assert Discreet().filter(record)
    assert record.getMessage() == f'127.0.0.1:5 - "GET {logged} HTTP/1.1" 200'


def test_log_1_an_error_has_no_token_either() -> None:
    try:
        raise ValueError(f"no seat for {'s' * 43}, code ABCDE-FGHJK-MNPQR-STUVW")
    except ValueError:
        trouble = sys.exc_info()
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "failed with %s", ("t" * 43,), trouble)
    assert Discreet().filter(record)
    text = logging.Formatter().format(record)
    assert "failed with ***" in text
    assert "no seat for ***, code ***" in text
    assert "sss" not in text


def test_streams_cut_at_the_end_are_no_news() -> None:
    try:
        raise asyncio.CancelledError
    except asyncio.CancelledError:
        trouble = sys.exc_info()
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "Exception in ASGI application\n", (), trouble)
    assert not Discreet().filter(record)


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.webbrowser, "get", lambda: object())
    monkeypatch.setattr(command.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not command._has_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert command._has_browser()

    def none() -> None:
        raise command.webbrowser.Error("there is none")

    monkeypatch.setattr(command.webbrowser, "get", none)
    assert not command._has_browser()


def test_a_ready_battle_takes_the_next_port_if_one_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with command._bound("127.0.0.1", port, 20) as found:
            assert port < found.getsockname()[1] < port + 20
