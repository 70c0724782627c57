"""A server in this process and those who come to it: each with an address, cookies and perhaps a bearer token of its own."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import anyio
import httpx

from flagplot.web.app import make_app
from flagplot.web.settings import Limits, Settings
from tests.web.databases import ready_database

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the test client would like another library under it
    from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8000"
OURS = {"origin": ADDRESS}
PLENTY = Limits(
    requests_a_minute=1_000_000, games_an_hour=100_000, wrong_tokens_a_minute=100_000, takebacks_a_minute=100_000
)


class Visitor:
    """A browser, or a program: what it was given is sent with everything it asks."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.game = ""
        self.seat = ""
        self.token = ""
        self.recovery = ""
        self.headers: dict[str, str] = dict(OURS)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """An unsafe request, from our own page unless it says otherwise."""
        return self.client.post(path, json={} if body is None else body, headers=self.headers | headers)

    def send(self, path: str, content: bytes, kind: str = "application/json", **headers: str) -> httpx.Response:
        """A body of bytes, as they are."""
        return self.client.post(path, content=content, headers=self.headers | {"content-type": kind} | headers)

    # -- a seat ------------------------------------------------------------------------------

    def claim(self, link: str, name: str = "", device: str = "") -> Visitor:
        """Sit down with an invitation."""
        answer = self.post("/api/claim", {"token": link.partition("#")[2], "name": name, "device": device})
        assert answer.status_code == 200, answer.text
        self._sit(answer.json())
        return self

    def _sit(self, told: dict[str, str]) -> None:
        self.game, self.seat, self.token, self.recovery = (
            told["game"],
            told["seat"],
            told["token"],
            told["recovery"],
        )

    def at(self, path: str = "") -> str:
        """An address of my game."""
        return f"/api/games/{self.game}{path}"

    def view(self) -> dict[str, Any]:
        answer = self.get(self.at())
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def answer(self, wire: Any, *, id: str = "", question: int | None = None, say: str = "") -> httpx.Response:
        """Answer the question that is open, or the one with this number."""
        if question is None:
            asked = self.view()["question"]
            question = asked["number"] if asked else 0
        body = {"id": id or new_id(), "question": question, "answer": wire}
        return self.post(self.at("/answers"), body | ({"say": say} if say else {}))

    def take_default(self) -> httpx.Response | None:
        """Answer as the form offers, if anything is asked of me."""
        asked = self.view()["question"]
        return self.answer(asked["form"]["default"], question=asked["number"]) if asked else None


class Asked(NamedTuple):
    """One request in its plainest form."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes = b""


class Received(NamedTuple):
    """All that came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def scope_of(visitor: Visitor, asked: Asked) -> dict[str, Any]:
    """A request as the application is handed it."""
    transport: Any = visitor.client._transport
    cookies = "; ".join(f"{key}={value}" for key, value in visitor.client.cookies.items())
    sent = {"host": urlsplit(ADDRESS).netloc} | ({"cookie": cookies} if cookies else {}) | dict(asked.headers)
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(errors="replace"),
        "root_path": "",
        "query_string": asked.query.encode(),
        "headers": [(key.encode("latin-1"), value.encode("latin-1")) for key, value in sent.items()],
        "client": transport.client,
        "server": ("127.0.0.1", 8000),
        "state": {},
    }


def ask_all(visitor: Visitor, requests: list[Asked]) -> list[Received]:
    """Many requests one after the other, without the costs of a client."""

    async def one(asked: Asked) -> Received:
        told: dict[str, Any] = {"status": 0, "headers": (), "body": b""}
        left = [asked.body]

        async def receive() -> dict[str, Any]:
            if left:
                return {"type": "http.request", "body": left.pop(), "more_body": False}
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                told["status"] = message["status"]
                told["headers"] = tuple(sorted((key.decode(), value.decode()) for key, value in message["headers"]))
            else:
                told["body"] += message.get("body", b"")

        app: Any = visitor.client.app
        await app(scope_of(visitor, asked), receive, send)
        return Received(**told)

    async def every() -> list[Received]:
        return [await one(asked) for asked in requests]

    assert visitor.client.portal is not None
    return visitor.client.portal.call(every)


class Listener:
    """A stream, read in the background: what has come so far, and whether it has ended."""

    def __init__(self, visitor: Visitor, path: str, query: str = "", headers: dict[str, str] | None = None) -> None:
        portal = visitor.client.portal
        assert portal is not None
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        self.ended = threading.Event()
        self._portal = portal
        self._app: Any = visitor.client.app
        self._scope = scope_of(visitor, Asked("GET", path, query, headers or {}))
        self._task: Future[None] = portal.start_task_soon(self._listen)

    async def _listen(self) -> None:
        asked = False
        self._gone = anyio.Event()

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {key.decode(): value.decode() for key, value in message["headers"]}
            else:
                self.text += message.get("body", b"").decode()

        try:
            await self._app(self._scope, receive, send)
        finally:
            self.ended.set()

    def changes(self) -> list[str]:
        """The versions that were announced."""
        return re.findall(r"^event: changed\ndata: (\S+)\n\n", self.text, re.MULTILINE)

    def wait(self, changes: int, seconds: float = 5.0) -> list[str]:
        """Wait until so many changes were announced."""
        self._until(lambda: len(self.changes()) >= changes, seconds)
        return self.changes()

    def wait_for(self, version: str, seconds: float = 5.0) -> None:
        """Wait until the last change announced is to this version, whatever marks stand behind it."""
        self._until(lambda: bool(self.changes()) and self.changes()[-1].startswith(version), seconds)

    def _until(self, done: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not done() and time.monotonic() < until and not self.ended.is_set():
            time.sleep(0.002)

    def close(self) -> None:
        """Go away."""
        if not self.ended.is_set():
            self._portal.call(self._gone.set)
        self._task.result(10)


class Server:
    """A server in this process."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.app: Any = client.app
        self.hall = self.app.state.hall

    def visitor(self, address: str = "192.0.2.1") -> Visitor:
        """Somebody new, with no cookies."""
        client = TestClient(self.app, base_url=ADDRESS, raise_server_exceptions=False, client=(address, 50_000))
        client.portal = self.client.portal
        return Visitor(client)

    def new_game(self, **wanted: Any) -> dict[str, Any]:
        """A game with its invitations; the battle is short unless another is named."""
        body = {"scenario": "denmark-strait", "axis": "person", "allies": "person"} | wanted
        answer = self.visitor().post("/api/games", body)
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def seated(self, **wanted: Any) -> dict[str, Visitor]:
        """A game with everybody in his seat, the host too."""
        links = self.new_game(**wanted)["invitations"]
        return {seat: self.visitor().claim(link) for seat, link in links.items()}


@contextmanager
def serving(folder: Path, limits: Limits = PLENTY, **settings: Any) -> Iterator[Server]:
    """A server while the block runs."""
    app = make_app(Settings(ready_database("sqlite", folder), limits=limits, **settings))
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield Server(client)


def new_id() -> str:
    """An id for a decision."""
    return uuid.uuid4().hex


def play_on(people: dict[str, Visitor], most: int = 400) -> int:
    """Everybody takes what his forms offer, to the end or this many answers; how many were given."""
    given = 0
    sides = [people[seat] for seat in ("axis", "allies") if seat in people]
    while given < most:
        moved = False
        for side in sides:
            answer = side.take_default()
            if answer is not None:
                assert answer.status_code == 200, answer.text
                given, moved = given + 1, True
        if not moved:
            break
    return given


def words(answer: httpx.Response) -> str:
    """A refusal, which is one sentence for a person and no trace of the machine."""
    told = answer.json()
    said = told["refused"]
    assert isinstance(said, str)
    assert len(said) > 8
    for trace in ("Traceback", "sqlalchemy", "sqlite", ".py", "Exception", "object at 0x"):
        assert trace not in json.dumps(told)
    return said


def questions_shown(text: str) -> set[str]:
    """The questions that the page of a calculator puts."""
    found = set()
    for piece in text.split('id="part-')[1:]:
        name, _, rest = piece.partition('"')
        if "hidden" not in rest.partition(">")[0]:
            found.add(name)
    return found
