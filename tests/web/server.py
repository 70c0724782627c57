"""A real server in a process of its own, to be killed, paused and stopped.

Servers are forked from a process that has made one already: a start costs a tenth of a second. The database is opened
after the fork, and a killed server leaves behind what any killed server leaves behind.
"""

from __future__ import annotations

import atexit
import functools
import gc
import http.client
import itertools
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

HOME = Path(__file__).parents[2]
PATIENCE = 30.0  # seconds until something is said to hang
PORTS = range(20_000, 32_000)  # below the ports that outgoing connections are given


# -- asking ------------------------------------------------------------------------------------------------


class Lost(Exception):
    """No answer came: whether the request was carried out is unknown."""


class Reply(NamedTuple):
    """An answer."""

    status: int
    body: Any
    headers: Mapping[str, str]


class Client:
    """Somebody who asks, over one connection that is made again when it is lost. Not to be shared between threads."""

    def __init__(self, port: int, token: str = "", patience: float = PATIENCE) -> None:
        self.port = port
        self.token = token
        self.patience = patience
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: object = None) -> Reply:
        """Send a request. An answer that does not come whole counts as none."""
        headers = {"origin": f"http://127.0.0.1:{self.port}"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        sent = None
        if body is not None:
            sent = json.dumps(body).encode()
            headers["content-type"] = "application/json"
        connection = self._connection
        if connection is None:
            connection = self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as trouble:
            self.close()
            raise Lost(repr(trouble)) from trouble
        told = {name.lower(): value for name, value in answer.getheaders()}
        if told.get("connection") == "close":
            self.close()
        kind = told.get("content-type", "")
        return Reply(answer.status, json.loads(data) if kind.startswith("application/json") else data, told)

    def get(self, path: str) -> Reply:
        """Look at something."""
        return self.ask("GET", path)

    def post(self, path: str, body: object) -> Reply:
        """Have something done."""
        return self.ask("POST", path, body)

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


# -- games -----------------------------------------------------------------------------------------------------


@dataclass
class Table:
    """A game with both seats taken: the tokens of its players and of its host."""

    game: str
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The game in the API."""
        return f"/api/games/{self.game}"


def new_game(client: Client, scenario: str = "midway", **more: object) -> tuple[str, dict[str, str]]:
    """A game between two people: its id and its invitations."""
    told = client.post("/api/games", {"scenario": scenario, "axis": "person", "allies": "person", **more})
    assert told.status == 201, told
    return told.body["game"], {seat: link.partition("#")[2] for seat, link in told.body["invitations"].items()}


def seated(client: Client, scenario: str = "midway", **more: object) -> Table:
    """A game between two people, who have come."""
    game, invitations = new_game(client, scenario, **more)
    table = Table(game)
    for seat, token in invitations.items():
        claimed = client.post("/api/claim", {"token": token})
        assert claimed.status == 200, claimed
        table.tokens[seat] = claimed.body["token"]
    return table


class Sitting:
    """Somebody at a seat of a game, who mostly decides as the form offers."""

    def __init__(self, client: Client, table: Table, seat: str) -> None:
        self.client = Client(client.port, table.tokens[seat], client.patience)
        self.table = table
        self.seat = seat

    def view(self) -> dict[str, Any]:
        """The game as this seat sees it."""
        told = self.client.get(self.table.path)
        assert told.status == 200, told
        view: dict[str, Any] = told.body
        return view

    def answer(self, id: str = "", question: dict[str, Any] | None = None) -> Reply:
        """Answer a question as its form offers; the one now open, if none is given."""
        question = question or self.view()["question"]
        assert question is not None, "nothing is asked"
        body = {"id": id or decision_id(), "question": question["number"], "answer": question["form"]["default"]}
        return self.client.post(f"{self.table.path}/answers", body)

    def undo(self, id: str = "", *, agree: bool = False) -> Reply:
        """Take the last decision back, or let the enemy take his back."""
        return self.client.post(f"{self.table.path}/undo", {"id": id or decision_id(), "agree": agree})

    def close(self, why: str = "") -> Reply:
        """End the game."""
        return self.client.post(f"{self.table.path}/close", {"why": why})


def people_at(client: Client, table: Table) -> dict[str, Sitting]:
    """Everybody at a table."""
    return {seat: Sitting(client, table, seat) for seat in table.tokens}


def play_on(people: Mapping[str, Sitting], decisions: int) -> int:
    """Both sides decide in turn, so many times or until the battle is over; how often they did."""
    made = 0
    while made < decisions:
        before = made
        for seat in ("axis", "allies"):
            question = people[seat].view()["question"]
            if question is not None and made < decisions:
                told = people[seat].answer(question=question)
                assert told.status == 200, told
                made += 1
        if made == before:
            break
    return made


numbers = itertools.count(1)


def decision_id() -> str:
    """An id for one decision."""
    return f"d-{os.getpid()}-{next(numbers)}-{random.getrandbits(48):012x}"


# -- the process that servers are forked from ------------------------------------------------------------------


class Nursery:
    """A process with everything imported, which forks servers and says how they ended."""

    def __init__(self) -> None:
        # What coverage leaves in the environment would slow every server down, and a killed one reports nothing.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.server"],
            cwd=HOME,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        atexit.register(self.close)

    def fork(self, wanted: Mapping[str, object]) -> int:
        """A new server's process."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(wanted) + "\n")
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it, and every server with it."""
        if self.process.poll() is None:
            assert self.process.stdin
            self.process.stdin.close()
            self.process.wait(PATIENCE)


@functools.cache
def nursery() -> Nursery:
    """The one of this test process."""
    return Nursery()


def _raise_servers() -> None:
    """What the nursery does: read what is wanted, fork, note how each one ended."""
    import uvicorn  # noqa: F401

    from flagplot.web.app import make_app
    from flagplot.web.settings import Settings

    with suppress(ImportError):
        import psycopg  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:  # pages and migrations are imported only when a server is made
        make_app(Settings(f"sqlite:///{folder}/games.db")).state.hall.database.close()
    gc.freeze()  # what is loaded stays, in every server
    children: dict[int, tuple[int, str]] = {}  # by what tells of its end: a process, and where its end is noted
    while True:
        ready, _, _ = select.select([sys.stdin, *children], [], [])
        for ended in children.keys() & set(ready):
            pid, noted = children.pop(ended)
            os.close(ended)
            Path(noted).write_text(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
        if sys.stdin not in ready:
            continue
        line = sys.stdin.readline()
        if not line:
            for pid, _ in children.values():
                os.kill(pid, signal.SIGKILL)
            return
        wanted = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _serve(wanted)
        children[os.pidfd_open(pid)] = pid, wanted["log"] + ".exit"
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _serve(wanted: dict[str, Any]) -> None:
    """One server, from fork to end."""
    import uvicorn

    from flagplot.web import release
    from flagplot.web.app import make_app
    from flagplot.web.settings import Limits, Settings

    release.DELAY = (0.0, 0.0)  # standing orders answer at once
    log = os.open(wanted["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    random.seed()
    code = 0
    try:
        if wanted.get("die", "").startswith("call "):
            _die_at_call(int(wanted["die"].split()[1]))
        limits = Limits(requests_a_minute=10**8, games_an_hour=10**7, wrong_tokens_a_minute=10**7)
        app = make_app(Settings(wanted["url"], port=wanted["port"], limits=limits))
        if wanted.get("die") in ("before", "after"):
            app.add_middleware(DyingAtCommit, dialect=app.state.hall.database.writer.dialect, when=wanted["die"])
        if wanted.get("fault"):
            _plant(app.state.hall, wanted["fault"])
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                host="127.0.0.1",
                port=wanted["port"],
                access_log=False,
                timeout_graceful_shutdown=3,
                timeout_keep_alive=300,  # on a busy machine a client may think for long
            )
        )
        server.run()
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 70
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class DyingAtCommit:
    """The first transaction that is committed after something was sent kills the process, just before or just after."""

    def __init__(self, app: Any, dialect: Any, when: str) -> None:
        self.app, self.dialect, self.when = app, dialect, when
        self.commit = dialect.do_commit

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope.get("method") == "POST":
            self.dialect.do_commit = self.dying
        await self.app(scope, receive, send)

    def dying(self, connection: object) -> None:
        if self.when == "after":
            self.commit(connection)
        os.kill(os.getpid(), signal.SIGKILL)


def _plant(hall: Any, fault: str) -> None:
    """A fault that checks must find: a server that does not keep its promises."""
    dialect = hall.database.writer.dialect
    commit, count = dialect.do_commit, itertools.count(1)
    if fault == "forgets":  # every tenth commit is answered and not made
        dialect.do_commit = lambda connection: (
            commit(connection) if next(count) % 10 else dialect.do_rollback(connection)
        )
    elif fault == "naps":  # commits are synced now and then
        hall.database.writer.raw_connection().driver_connection.execute("PRAGMA synchronous=NORMAL")
    elif fault == "repeats":  # it does not know what it has answered
        hall.reply_to = lambda *arguments: None
    else:
        raise ValueError(fault)


def _die_at_call(number: int) -> None:
    """The n-th statement sent to a database kills the process, before it is carried out."""
    from sqlalchemy import Engine, event

    calls = itertools.count(1)

    def dying(*arguments: object) -> None:
        if next(calls) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", dying)


# -- one server -----------------------------------------------------------------------------------------------


def free_port() -> int:
    """A port nobody listens at."""
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(OSError):
                tried.bind(("127.0.0.1", port))
                return port


class NotStarted(AssertionError):
    """The server ended before it answered."""


class Server:
    """A server: started, killed, started again at the same port with the same database."""

    def __init__(self, url: str, folder: Path, port: int = 0) -> None:
        self.url = url
        self.port = port or free_port()
        self.log_path = folder / f"server-{self.port}.log"
        self.pid = 0

    def client(self, token: str = "", patience: float = PATIENCE) -> Client:
        """Somebody new."""
        return Client(self.port, token, patience)

    def start(self, die: str = "", fault: str = "") -> Server:
        """Start, and wait until it answers.

        With `die` it kills itself: at the first commit, "before" or "after" it, or at "call 7" to the database.
        With `fault` it does wrong, so that checks can be checked.
        """
        self.launch(die, fault)
        return self.ready()

    def launch(self, die: str = "", fault: str = "") -> None:
        """Start, and do not wait."""
        Path(f"{self.log_path}.exit").unlink(missing_ok=True)
        wanted = {"url": self.url, "port": self.port, "log": str(self.log_path), "die": die, "fault": fault}
        self.pid = nursery().fork(wanted)

    def ready(self) -> Server:
        """Wait until it answers."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                if Client(self.port, patience=5.0).get("/api/games").status == 200:
                    return self
            except Lost:
                pass
            if self.exit_code() is not None or time.monotonic() > until:
                raise NotStarted(f"the server did not start:\n{self.log()}")
            time.sleep(0.01)

    def exit_code(self) -> int | None:
        """How it ended; None while it runs. Killed by a signal is minus its number."""
        with suppress(OSError, ValueError):
            return int(Path(f"{self.log_path}.exit").read_text())
        return None

    def kill(self) -> None:
        """kill -9."""
        self._signal(signal.SIGKILL)
        self.wait()

    def stop(self) -> int:
        """Ask it to stop, and wait until it has."""
        self._signal(signal.SIGTERM)
        return self.wait()

    def pause(self) -> None:
        """It stands still."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self.exit_code() is None:
            with suppress(ProcessLookupError):  # it has just ended by itself, and its end is about to be noted
                os.kill(self.pid, number)

    def wait(self) -> int:
        """Wait until it has ended."""
        until = time.monotonic() + PATIENCE
        while (code := self.exit_code()) is None:
            assert time.monotonic() < until, f"the server does not end:\n{self.log()}"
            time.sleep(0.005)
        return code

    def log(self) -> str:
        """What it has written."""
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""


@contextmanager
def serving(url: str, folder: Path) -> Iterator[Server]:
    """A server, for a while."""
    server = Server(url, folder).start()
    try:
        yield server
    finally:
        server.kill()


if __name__ == "__main__":
    _raise_servers()
