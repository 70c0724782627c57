"""Hostile and hopeless bodies (trust.md, str-6, file-1, file-2): refused at the door, in words, in time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from flagplot.web.limits import depth_of
from flagplot.web.settings import Limits
from tests.web.visitors import OURS, Asked, Server, Visitor, ask_all, new_id, scope_of, serving, words

JSON = OURS | {"content-type": "application/json"}
MOST = Limits().body_bytes


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("bodies")) as running:
        yield running


@pytest.fixture(scope="module")
def axis(server: Server) -> Visitor:
    return server.seated()["axis"]


def answering(raw: bytes) -> bytes:
    """The body of an answer with this piece of JSON in it."""
    return b'{"id": "' + new_id().encode() + b'", "question": 0, "answer": ' + raw + b"}"


def test_a_body_as_long_as_it_may_be_is_read_and_one_byte_more_is_not(axis: Visitor) -> None:
    body = json.dumps({"answer": {}}).encode()
    assert axis.send(axis.at("/check"), body + b" " * (MOST - len(body))).status_code == 200
    long = axis.send(axis.at("/check"), body + b" " * (MOST - len(body) + 1))
    assert long.status_code == 413
    assert str(MOST) in words(long)


def test_a_body_that_does_not_say_its_length_is_counted(axis: Visitor) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"answer": "'
        for _ in range(300):
            yield b"x" * 1024

    answer = axis.client.post(axis.at("/check"), content=chunks(), headers=JSON)
    assert answer.status_code == 413
    assert words(answer)


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "0x10", "99999999999999999999999", "5, 5", " "])
def test_a_length_that_is_no_length_is_refused(axis: Visitor, length: str) -> None:
    answer = axis.send(axis.at("/check"), b'{"answer": {}}', **{"content-length": length})
    assert answer.status_code in (400, 411, 413), f"{answer.status_code} {answer.text}"
    assert words(answer)


def drip(server: Server, visitor: Visitor, messages: list[dict[str, Any]], pause: float) -> tuple[int, bytes, float]:
    """A body that comes in pieces, each after a pause; the last piece never says that it is the last."""
    told: dict[str, Any] = {"status": 0, "body": b""}

    async def ask() -> None:
        left = iter(messages)

        async def receive() -> dict[str, Any]:
            await anyio.sleep(pause)
            message = next(left, None)
            if message is None:
                await anyio.sleep(3600)
            return message or {}

        async def send(message: Any) -> None:
            told["status"] = message.get("status", told["status"])
            told["body"] += message.get("body", b"")

        with anyio.move_on_after(5):
            await server.app(scope_of(visitor, Asked("POST", visitor.at("/check"), "", JSON)), receive, send)

    began = time.monotonic()
    assert server.client.portal is not None
    server.client.portal.call(ask)
    return told["status"], told["body"], time.monotonic() - began


def test_str_6_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(body_seconds=0.3)) as server:
        visitor = server.seated()["axis"]
        piece = {"type": "http.request", "body": b" ", "more_body": True}
        for messages, pause in (([], 0.0), ([piece] * 1000, 0.02)):
            status, body, seconds = drip(server, visitor, messages, pause)
            assert status == 408
            assert "refused" in json.loads(body)
            assert seconds < 2
        assert visitor.view()["seat"] == "axis"


@pytest.mark.parametrize("depth", [41, 200, 1_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_file_1_json_is_nested_so_deep_and_no_deeper(axis: Visitor, depth: int, opening: bytes, closing: bytes) -> None:
    inside = opening * depth + (b"" if opening == b"[" else b"1") + closing * depth
    answer = axis.send(axis.at("/check"), b'{"answer": ' + inside[: MOST - 100] + b"}")
    assert answer.status_code in (400, 413, 422), answer.text
    assert words(answer)


def test_file_1_brackets_in_a_string_are_no_depth(axis: Visitor) -> None:
    for text in ("[" * 500, '\\"' + "{" * 500, "\\" * 60 + "[" * 100):
        answer = axis.post(axis.at("/check"), {"answer": text})
        assert answer.status_code == 200, answer.text
        assert answer.json()["legal"] is False


@pytest.mark.parametrize(
    "raw",
    [
        b"NaN",
        b"Infinity",
        b"-1e999",
        b"9" * 5_000,
        b"1.5",
        b'"\\ud800"',
        b'{"\\ud800": "1"}',
        b'{"Bismarck": "\\ud800"}',
        b'{"Bismarck": {"1": NaN}}',
        b'{"Bismarck": {"1": 1e400}}',
        b'{"Bismarck": {"1": 99999999999999999999999}}',
        b'{"Bismarck": {"1": true}}',
        b'{"a\\u0000b": "\\u0000"}',
        b'"\\udfff\\ud800"',
        b"[" + b"1," * 60_000 + b"1]",
        b"{" + b",".join(b'"%d": 1' % n for n in range(12_000)) + b"}",
        b'"' + b"x" * 200_000 + b'"',
    ],
)
@pytest.mark.parametrize("path", ["/answers", "/check"])
def test_file_1_odd_json_is_refused_and_breaks_nothing(axis: Visitor, raw: bytes, path: str) -> None:
    before = axis.view()
    body = answering(raw) if path == "/answers" else b'{"answer": ' + raw + b"}"
    began = time.monotonic()
    answer = axis.send(axis.at(path), body)
    assert answer.status_code in ((200, 400, 422) if path == "/check" else (400, 422)), answer.text[:300]
    assert len(answer.content) < 5_000, "a refusal does not send everything back"
    assert time.monotonic() - began < 2
    assert axis.view() == before


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe{}", b"nul", b"{'a': 1}", b"\x00", b"[1]", b'"x"', b"{}{}"])
def test_file_1_what_is_no_json_is_refused_in_words(axis: Visitor, raw: bytes) -> None:
    answer = axis.send(axis.at("/check"), raw)
    assert answer.status_code in (400, 422)
    assert words(answer)


def test_file_1_a_key_said_twice_is_refused(axis: Visitor) -> None:
    answer = axis.send(axis.at("/check"), b'{"answer": {}, "answer": {"nobody": "nowhere"}}')
    assert answer.status_code in (400, 422), "one of the two would count, and nobody says which"
    assert words(answer)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/claim", {"token": "x", "name": "a\0b"}),
        ("/api/claim", {"token": "x", "device": "\0"}),
        ("/answers", {"id": "i" * 10, "question": 0, "answer": {}, "say": "a\0b"}),
        ("/close", {"why": "\0"}),
        ("/devices", {"name": "a\0"}),
        ("/api/games", {"text": "a\0"}),
        ("/api/games", {"scenario": "river-plate", "options": {"a\0": "b"}}),
        ("/api/check", {"text": "\0"}),
    ],
)
def test_file_1_a_null_character_is_refused_at_the_door(server: Server, path: str, body: dict[str, Any]) -> None:
    """SQLite takes it and PostgreSQL does not: a game that holds one could not be moved."""
    axis = server.seated()["axis"]
    answer = axis.post(path if path.startswith("/api") else axis.at(path), body)
    if path == "/api/check":
        assert answer.json().get("ok") is False or answer.status_code == 422, answer.text
    else:
        assert answer.status_code == 422, f"{answer.status_code} {answer.text}"
    assert words(answer)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity, gzip"])
def test_file_2_packed_bodies_are_refused(axis: Visitor, encoding: str) -> None:
    answer = axis.send(axis.at("/check"), b'{"answer": {}}', **{"content-encoding": encoding})
    assert answer.status_code == 415, answer.text
    assert words(answer)


def test_file_3_a_name_is_never_a_path(server: Server) -> None:
    names = ("../ships", "..\\ships", "/etc/passwd", "midway.toml", "CON", "a" * 300, "..", "\u202e", "midway\0")
    visitor = server.visitor()
    for name, told in zip(
        names, ask_all(visitor, [Asked("GET", f"/api/scenarios/{name}") for name in names]), strict=True
    ):
        assert told.status in (404, 422), f"{name}: {told.status}"
        made = visitor.post("/api/games", {"scenario": name})
        assert made.status_code in (404, 422), f"{name}: {made.status_code}"


def test_file_1_the_depth_of_the_longest_body_is_known_at_once() -> None:
    """Measured before anything is parsed, so it must cost next to nothing (a wide margin: the machine may be busy)."""
    for body in (
        b'{"a": "' + b"x" * MOST + b'"}',
        b'"' + b'\\"' * (MOST // 2),
        b"[" * MOST,
        b"[]" * (MOST // 2),
        b'"' * MOST,
        b'{"a": 1},' * (MOST // 9),
    ):
        began = time.process_time()
        depth_of(body)
        assert time.process_time() - began < 0.1, body[:20]


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (b"", 0),
        (b"1", 0),
        (b"[]", 1),
        (b'{"a": [{}]}', 3),
        (b'["[[[["]', 1),
        (b'["\\"[[[["]', 1),
        (b'["\\\\", [[]]]', 3),
        (b'["\\\\\\"[[", []]', 2),
        (b'{"a": "}}}", "b": {"c": {}}}', 3),
        (b"[1][[2]]", 2),
    ],
)
def test_file_1_depth_is_counted_outside_strings(body: bytes, depth: int) -> None:
    assert depth_of(body) == depth
