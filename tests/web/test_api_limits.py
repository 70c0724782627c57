"""What the API does when it is asked for too much or cannot store, and how it describes itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import Connection, event

from flagplot.web.hall import Hall, LiveGame
from flagplot.web.settings import Limits
from tests.web.visitors import ADDRESS, Listener, Server, Visitor, new_id, play_on, serving, words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("limits")) as running:
        yield running


def numbering(server: Server) -> dict[str, Visitor]:
    """A game in which both sides number their groups."""
    people = server.seated()
    play_on(people, 4)
    return people


# -- limits, each with its sentence ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "path", "body", "times"),
    [
        (Limits(requests_a_minute=3), "/api/check", {"text": ""}, 3),
        (Limits(games_an_hour=2), "/api/games", {"scenario": "river-plate"}, 2),
        (Limits(wrong_tokens_a_minute=2), "/api/claim", {"token": "nonsense"}, 2),
        (Limits(wrong_tokens_a_minute=2), "/api/games/nonsense/recover", {"code": "nonsense"}, 2),
    ],
)
def test_too_much_is_refused_with_the_seconds_to_wait(
    tmp_path: Path, limits: Limits, path: str, body: dict[str, str], times: int
) -> None:
    with serving(tmp_path, limits) as server:
        visitor, other = server.visitor("192.0.2.9"), server.visitor("192.0.2.10")
        for _ in range(times):
            assert visitor.post(path, body).status_code != 429
        late = visitor.post(path, body)
        assert late.status_code == 429
        assert words(late)
        assert int(late.headers["retry-after"]) >= 1
        assert other.post(path, body).status_code != 429


def test_too_many_streams_are_refused_with_the_seconds_to_wait(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(streams=1)) as server:
        people = server.seated()
        listener = Listener(people["axis"], people["axis"].at("/stream"))
        listener.wait(1)
        late = people["allies"].get(people["allies"].at("/stream"))
        listener.close()
        assert late.status_code == 429
        assert words(late)
        assert int(late.headers["retry-after"]) >= 1


def test_addresses_that_do_not_exist_and_wrong_methods_are_refused_in_words(server: Server) -> None:
    nowhere, wrong = (
        server.visitor().get("/api/nowhere"),
        server.visitor().client.put("/api/games", headers=server_origin()),
    )
    assert (nowhere.status_code, wrong.status_code) == (404, 405)
    assert words(nowhere)
    assert words(wrong)


def server_origin() -> dict[str, str]:
    return {"origin": ADDRESS, "content-type": "application/json"}


def test_a_database_that_cannot_be_written_costs_service_and_no_game(server: Server) -> None:
    people = server.seated(axis="person")
    link = server.new_game()["invitations"]["axis"]
    axis, host = people["axis"], people["host"]
    asked = axis.view()["question"]
    before = axis.view()
    tries = [
        ("/api/games", {"scenario": "river-plate"}, host),
        ("/api/claim", {"token": link.partition("#")[2]}, server.visitor()),
        (axis.at("/answers"), {"id": new_id(), "question": 0, "answer": asked["form"]["default"]}, axis),
        (axis.at("/recover"), {"code": axis.recovery}, server.visitor()),
        (axis.at("/devices"), {"name": "phone"}, axis),
        (axis.at("/close"), {}, axis),
        (host.at("/reseat"), {"name": "allies"}, host),
    ]
    writer = server.hall.database.writer

    def forbid(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA query_only=ON")

    event.listen(writer, "begin", forbid)
    try:
        answers = [(path, who.post(path, body)) for path, body, who in tries]
        looked = axis.view()
    finally:
        event.remove(writer, "begin", forbid)  # after a failure the connection is made anew, and may write again
    assert looked == before
    assert {path: answer.status_code for path, answer in answers} == {path: 503 for path, _ in answers}
    for _, answer in answers:
        assert words(answer)
        assert int(answer.headers["retry-after"]) >= 1
    assert axis.view() == before
    assert server.visitor().claim(link).seat == "axis"
    assert axis.take_default() is not None


def test_what_could_not_be_stored_is_not_stored_with_the_enemys_decision(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One side's decision fails at the database while the other's waits its turn: the one that was refused is gone."""
    people = numbering(server)
    axis, allies = people["axis"], people["allies"]
    questions = {side: people[side].view()["question"] for side in ("axis", "allies")}
    storing, tries = threading.Event(), []
    honest = Hall.append

    def failing(hall: Hall, connection: Any, live: LiveGame, decision: str | None) -> None:
        tries.append(decision)
        if len(tries) == 1:
            storing.set()
            time.sleep(0.3)  # the other decision comes to the lock meanwhile
            raise OSError("no space left on device")
        honest(hall, connection, live, decision)

    monkeypatch.setattr(Hall, "append", failing)
    answers: dict[str, int] = {}

    def send(side: str) -> None:
        asked = questions[side]
        told = people[side].answer(asked["form"]["default"], question=asked["number"])
        answers[side] = told.status_code

    first = threading.Thread(target=send, args=("axis",))
    first.start()
    assert storing.wait(10)
    second = threading.Thread(target=send, args=("allies",))
    second.start()
    for thread in (first, second):
        thread.join(20)
    assert answers["axis"] == 503
    assert answers["allies"] in (200, 409, 503)
    server.hall._live.clear()  # read it again from the journal, which is the truth
    assert axis.view()["question"] == questions["axis"], "a decision that was refused has been stored"
    assert axis.take_default() is not None
    assert allies.view()["seat"] == "allies"


# -- the description ------------------------------------------------------------------------------------------


def routes_of(routes: list[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every address and method of the application, those of routers inside it with them."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes_of(inner.routes)
        elif isinstance(route, APIRoute):
            yield from ((route.path, method) for method in route.methods)


def test_the_description_lists_everything_that_can_be_done(server: Server) -> None:
    described = server.visitor().get("/openapi.json").json()
    listed = {(path, method.upper()) for path, methods in described["paths"].items() for method in methods}
    routes = set(routes_of(server.app.routes))
    assert ("/api/games/{game}/answers", "POST") in routes
    missing = [
        (path, method) for path, method in routes - listed if path.startswith("/api") or method not in ("GET", "HEAD")
    ]
    assert missing == [], "a page can do these, and a program is not told how"
    for methods in described["paths"].values():
        for method in methods.values():
            assert method.get("description") or method.get("summary")


def test_the_description_says_how_a_refusal_looks(server: Server) -> None:
    described = server.visitor().get("/openapi.json").json()
    operations = [(path, each) for path, methods in described["paths"].items() for each in methods.values()]
    silent = [
        path for path, each in operations if path.startswith("/api/games/{game}") and "404" not in each["responses"]
    ]
    assert silent == [], "these can answer 404 and do not say so"
