"""The threats of trust.md from opponents, spectators and strangers, each by its id. Links and logs are in test_links_and_logs.py."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from flagplot.core.sides import Side
from flagplot.model.picture import is_told
from flagplot.scenarios.loader import scenario_text
from flagplot.web.hall import Hall
from flagplot.web.settings import Limits
from tests.properties.test_swap import TAKEN_AS_OFFERED, build
from tests.web.described import Operation, operations, pages, unsafe
from tests.web.visitors import ADDRESS, OURS, Listener, Server, Visitor, new_id, play_on, serving, words

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("threats")) as running:
        yield running


def everything_of(visitor: Visitor, server: Server) -> dict[str, httpx.Response]:
    """All that somebody can read of his game: every address that gives, every page, and refusals."""
    game = visitor.game
    told: dict[str, httpx.Response] = {}
    for each in operations(server):
        if each.method == "get" and "stream" not in each.path:
            told[str(each)] = visitor.get(each.at(game))
    for path in pages(server):
        told[path] = visitor.get(Operation("get", path, None).at(game))
    for path, body in (
        ("/answers", {"id": new_id(), "question": 999_999, "answer": {}}),
        ("/answers", {"id": new_id(), "question": 0, "answer": {"nobody": "nowhere"}}),
        ("/check", {"answer": {"nobody": "nowhere"}}),
        ("/undo", {"id": new_id(), "agree": True}),
        ("/recover", {"code": "nonsense"}),
    ):
        told[f"refused {path} {len(told)}"] = visitor.post(visitor.at(path), body)
    return told


# -- opponents ----------------------------------------------------------------------------------------------


def test_opp_1_no_hidden_ship_is_named_in_any_byte_the_enemy_receives(server: Server) -> None:
    """A battle of hidden forces: names of groups nobody has found are looked for in everything."""
    random = Random(5)
    setup, _ = build(random)
    made = server.hall.create(
        setup, scenario="hidden", players=dict.fromkeys(Side, "person"), spectators=True, listed=True
    )
    people = {seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()}
    people["spectator"] = server.visitor()
    people["spectator"].game = made.id
    game = server.hall.game(made.id).game
    secret = [ship.name for force in setup.sides[Side.AXIS].forces for ship in force.ships]
    with closing(Listener(people["allies"], people["allies"].at("/stream"))) as stream:
        for _ in range(14):
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision
            answer = decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
            assert people[side.value].answer(answer).status_code == 200
        known = b"".join(repr(event).encode() for event in game.picture(Side.ALLIES).events)
        hidden = [name for name in secret if name.encode() not in known]
        assert len(hidden) >= 4, "everything has been found: this battle proves nothing"
        for who in ("allies", "host", "spectator"):
            for path, answer in everything_of(people[who], server).items():
                bytes_of = answer.content + repr(answer.headers.raw).encode()
                assert [name for name in hidden if name.encode() in bytes_of] == [], f"{who} reads it at {path}"
        assert all(name not in stream.text for name in hidden)
        mine = people["axis"].get(people["axis"].at()).content
        assert all(name.encode() in mine for name in hidden), "its owner sees it, so the search can find it"


def test_opp_2_nothing_counts_what_one_was_not_told(server: Server) -> None:
    people = server.seated(spectators=True, listed=True)
    axis, allies = people["axis"], people["allies"]
    play_on(people, 4)
    asked = allies.view()["question"]
    assert asked["kind"] == "number"
    with closing(Listener(axis, axis.at("/stream"))) as stream:
        stream.wait(1)
        before = {path: answer.content for path, answer in everything_of(axis, server).items()}
        for _ in range(3):  # the enemy answers and takes it back, three times: six lines of the journal
            assert allies.answer(asked["form"]["default"], question=asked["number"]).status_code == 200
            assert allies.post(allies.at("/undo"), {"id": new_id()}).json()["ok"] is True
        after = {path: answer.content for path, answer in everything_of(axis, server).items()}
        assert stream.wait(2, 0.1) == stream.wait(1)
        assert "id:" not in stream.text
    assert [path for path in before if before[path] != after[path]] == []


def test_opp_2_no_header_is_an_etag_or_a_date_of_change(server: Server) -> None:
    people = server.seated(spectators=True)
    for path, answer in everything_of(people["allies"], server).items():
        for header in ("etag", "last-modified", "x-process-time", "age", "server"):
            assert header not in answer.headers, f"{path} says {header}"


def test_opp_2_public_names_are_long_and_in_no_order(server: Server) -> None:
    ids = [server.new_game(listed=True)["game"] for _ in range(12)]
    assert all(len(id) >= 22 for id in ids)
    assert ids != sorted(ids)
    assert len({id[:3] for id in ids}) > 6
    listed = server.visitor().get("/api/games").json()
    assert listed
    for game in listed:
        assert not {"lines", "created", "updated", "journal", "header", "key"} & set(game)


def test_opp_6_a_sealed_answer_is_not_changed_after_the_others_is_open(server: Server) -> None:
    people = server.seated()
    play_on(people, 4)
    axis, allies = people["axis"], people["allies"]
    asked = axis.view()["question"]
    assert allies.view()["question"]["kind"] == asked["kind"] == "number"
    first = new_id()
    axis.answer(asked["form"]["default"], id=first, question=asked["number"])
    twice = axis.answer({"Bismarck": "3"}, question=asked["number"])
    assert twice.status_code in (409, 422), "a sealed answer is changed by taking it back, openly, and not by another"
    allies.take_default()
    board = axis.view()["sides"]
    for number in (asked["number"], asked["number"] + 1):
        assert axis.answer({"Bismarck": "3"}, question=number).status_code in (409, 422)
    again = axis.answer({"Bismarck": "3"}, id=first, question=asked["number"])
    assert again.status_code == 200, "the same id gives the first answer again"
    assert axis.view()["sides"] == board
    undone = axis.post(axis.at("/undo"), {"id": new_id()})
    assert undone.json() == {"ok": False, "asked": True}, "the enemy must agree"


def test_opp_6_of_answers_that_race_one_is_taken(server: Server) -> None:
    people = server.seated()
    play_on(people, 4)
    allies = people["allies"]
    asked = allies.view()["question"]
    statuses: list[int] = []
    barrier = threading.Barrier(8)

    def race() -> None:
        rival = server.visitor()
        rival.game = allies.game
        rival.client.cookies.update(dict(allies.client.cookies))
        barrier.wait()
        statuses.append(rival.answer(asked["form"]["default"], question=asked["number"]).status_code)

    racers = [threading.Thread(target=race) for _ in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join(20)
    assert sorted(statuses) == [200] + [409] * 7 or set(statuses) <= {200, 409, 422}
    assert statuses.count(200) == 1
    lines = server.hall.game(allies.game).game.journal
    assert sum(getattr(line, "who", "") == "allies" and line.tag == lines[-1].tag for line in lines) <= 1


def test_opp_8_nobody_acts_in_a_game_that_is_not_his(server: Server) -> None:
    """Every address of a game, for everybody who has no seat there: it looks as if there were no such game."""
    mine, theirs = server.seated(), server.seated()
    revoked = theirs["axis"].post(theirs["axis"].at("/devices"), {"name": "lost"}).json()
    theirs["axis"].post(theirs["axis"].at(f"/devices/{revoked['id']}/revoke"))
    stranger = server.visitor()
    intruders: dict[str, tuple[Visitor, dict[str, str]]] = {
        "stranger": (stranger, {}),
        "player of another game": (mine["axis"], {}),
        "host of another game": (mine["host"], {}),
        "token of another game": (server.visitor(), {"authorization": f"Bearer {mine['axis'].token}"}),
        "revoked device": (server.visitor(), {"authorization": f"Bearer {revoked['token']}"}),
        "cookie under another name": (server.visitor(), {"cookie": f"seat-{theirs['axis'].game}={mine['axis'].token}"}),
    }
    before = theirs["axis"].view()
    checked = 0
    for each in operations(server):
        if "{game}" not in each.path:
            continue
        for who, (visitor, headers) in intruders.items():
            told, unknown = (
                visitor.client.request(
                    each.method,
                    each.at(game),
                    content=None if each.body is None else json.dumps(each.body),
                    headers=OURS | JSON | headers,
                )
                for game in (theirs["axis"].game, "unknown-game-of-nobody")
            )
            assert told.status_code in (404, 422), f"{who}: {each} gives {told.status_code} {told.text[:200]}"
            assert (told.status_code, told.content) == (unknown.status_code, unknown.content), f"{who}: {each}"
            checked += 1
    assert checked > 60
    assert theirs["axis"].view() == before


def test_opp_8_one_side_does_not_act_for_the_other(server: Server) -> None:
    people = server.seated()
    play_on(people, 4)
    allies, axis = people["allies"], people["axis"]
    asked = axis.view()["question"]
    axis.answer(asked["form"]["default"])
    assert axis.view()["question"] is None
    theirs = allies.view()["question"]
    answer = axis.answer(theirs["form"]["default"], question=theirs["number"])
    assert answer.status_code in (409, 422)
    assert allies.view()["question"] == theirs


def test_opp_8_a_finished_game_is_not_played_on(server: Server) -> None:
    people = server.seated()
    play_on(people)
    axis = people["axis"]
    before = axis.view()
    assert before["over"]
    assert axis.answer({}, question=int(before["version"].split(".")[1])).status_code in (409, 422)
    assert axis.post(axis.at("/check"), {"answer": {}}).status_code == 409
    late = people["allies"].post(axis.at("/undo"), {"id": new_id()})
    assert late.status_code == 409 or late.json() == {"ok": False, "asked": True}, "not without the enemy"
    assert axis.view()["over"]


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}=1+1"


def test_opp_10_text_from_players_is_never_markup(server: Server) -> None:
    """Whatever somebody writes: in JSON it is a string, in a page it is escaped, nowhere is it run."""
    title = "<img src=x onerror=alert(3)>"
    text = re.sub(r'(?m)^title = ".*"', f"title = '{title}'", scenario_text("denmark-strait").decode())
    links = server.new_game(scenario="", text=text, listed=True, spectators=True)["invitations"]
    people = {seat: server.visitor().claim(link, HOSTILE[:60], HOSTILE[:60]) for seat, link in links.items()}
    asked = people["axis"].view()["question"]
    people["axis"].answer(asked["form"]["default"], say=HOSTILE)
    people["allies"].post(people["allies"].at("/devices"), {"name": HOSTILE[:60]})
    people["allies"].post(people["allies"].at("/close"), {"why": HOSTILE})
    assert people["axis"].view()["notes"][0]["text"] == HOSTILE
    seen = 0
    for path, answer in everything_of(people["axis"], server).items():
        kind = answer.headers["content-type"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        if kind.startswith("text/html"):
            for raw in ("<script>alert", "<img src=x", "onerror=alert(1)>", "49=1+1"):
                assert raw not in answer.text, f"{path} holds {raw}"
            seen += 1
        elif not kind.startswith("application/json"):
            assert answer.headers["content-disposition"].startswith("attachment"), path
    assert seen or not pages(server)


# -- spectators ---------------------------------------------------------------------------------------------


def test_spec_1_a_spectator_sees_what_is_public_and_no_more(server: Server) -> None:
    people = server.seated(scenario="midway", spectators=True)
    play_on(people, 8)
    watching = server.visitor()
    watching.game = people["axis"].game
    view = watching.view()
    game = server.hall.game(watching.game).game
    public = [event for event in game.events() if is_told(None, event)]
    assert len(public) < len([event for event in game.events() if is_told(Side.AXIS, event)])
    assert view["version"].split(".")[-1] == str(len(public))
    assert view["question"] is None
    assert view["takeback"] == ""
    assert all(
        ship["air"] == [] for side in view["sides"].values() for group in side["groups"] for ship in group["ships"]
    )
    assert watching.get(watching.at("/replay")).json()["seat"] == "spectator"
    with closing(Listener(watching, watching.at("/stream"))) as stream:
        assert stream.wait(1) == [view["version"]]


def test_spec_1_spectators_are_off_unless_the_maker_lets_them_in_everywhere_alike(server: Server) -> None:
    people = server.seated()
    watching = server.visitor()
    unknown = watching.get("/api/games/unknown-game-of-nobody")
    for each in operations(server):
        if each.method == "get" and "{game}" in each.path:
            answer = watching.get(each.at(people["axis"].game))
            assert answer.status_code == 404, str(each)
            assert words(answer)[:40] == words(unknown)[:40]
    for path in pages(server):
        if "{game}" in path:
            told, nothing = (
                watching.get(Operation("get", path, None).at(id)) for id in (people["axis"].game, "unknown")
            )
            assert told.status_code == nothing.status_code, path
            assert told.text.replace(people["axis"].game, "unknown") == nothing.text, path


# -- strangers ----------------------------------------------------------------------------------------------


def test_str_1_tokens_cannot_be_guessed(server: Server) -> None:
    made = server.new_game()
    tokens = [link.partition("#")[2] for link in made["invitations"].values()]
    axis = server.visitor().claim(made["invitations"]["axis"])
    tokens.append(axis.token)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in tokens), "256 bits"
    assert len(set(tokens)) == len(tokens)


@pytest.mark.parametrize("how", ["claim", "recover", "bearer"])
def test_str_1_after_twenty_wrong_tokens_a_minute_one_must_wait(tmp_path: Path, how: str) -> None:
    with serving(tmp_path, Limits()) as server:
        game = server.new_game()["game"]
        guesser, honest = server.visitor("198.51.100.1"), server.visitor("198.51.100.2")

        def guess(number: int) -> httpx.Response:
            if how == "claim":
                return guesser.post("/api/claim", {"token": f"{number:043}"})
            if how == "recover":
                return guesser.post(f"/api/games/{game}/recover", {"code": f"{number:05}-AAAAA-AAAAA-AAAAA"})
            return guesser.get(f"/api/games/{game}", authorization=f"Bearer {number:043}")

        statuses = [guess(number).status_code for number in range(25)]
        assert set(statuses[:20]) == {404}
        assert statuses[-1] == 429
        assert honest.post("/api/claim", {"token": "x"}).status_code == 404


FORGED: dict[str, dict[str, str]] = {
    "no origin": {},
    "null": {"origin": "null"},
    "another site": {"origin": "http://evil.example"},
    "another scheme": {"origin": "https://127.0.0.1:8000"},
    "another port": {"origin": "http://127.0.0.1:8001"},
    "our name as a beginning": {"origin": "http://127.0.0.1:8000.evil.example"},
    "our name as a user": {"origin": "http://127.0.0.1:8000@evil.example"},
    "our name in the path": {"origin": "http://evil.example/http://127.0.0.1:8000"},
    "two origins": {"origin": "http://127.0.0.1:8000 http://evil.example"},
    "cross-site": {"sec-fetch-site": "cross-site"},
    "same-site": {"sec-fetch-site": "same-site"},
    "none": {"sec-fetch-site": "none"},
    "another site that calls itself ours": {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
    "referrer only": {"referer": f"{ADDRESS}/games/x"},
    "forwarded": {"x-forwarded-host": "127.0.0.1:8000", "x-forwarded-proto": "http"},
    "bearer beside a cookie": {"authorization": "Bearer nonsense"},
}


@pytest.mark.parametrize("forged", FORGED)
def test_str_2_no_unsafe_request_comes_from_another_site(server: Server, forged: str) -> None:
    """Every unsafe address of the description, with the cookies of a player and of the host."""
    people = server.seated()
    before = people["axis"].view()
    attacked = unsafe(server)
    assert len(attacked) >= 11
    for each in attacked:
        for who in ("axis", "host"):
            answer = people[who].client.request(
                each.method,
                each.at(people[who].game, name="axis"),
                content=None if each.body is None else json.dumps(each.body),
                headers=JSON | FORGED[forged],
            )
            assert answer.status_code == 403, f"{each} for {who}: {answer.status_code} {answer.text[:200]}"
            assert "set-cookie" not in answer.headers
    assert people["axis"].view() == before


@pytest.mark.parametrize("honest", [OURS, {"origin": "http://localhost:8000"}, {"sec-fetch-site": "same-origin"}])
def test_str_2_our_own_pages_are_let_in(server: Server, honest: dict[str, str]) -> None:
    axis = server.seated()["axis"]
    axis.headers = honest
    assert axis.post(axis.at("/check"), {"answer": {}}).status_code == 200


def test_str_2_on_a_public_server_this_machine_is_another_site(tmp_path: Path) -> None:
    with serving(tmp_path, public_url="https://club.example/") as server:
        visitor = server.visitor()
        body = {"text": scenario_text("river-plate").decode()}
        assert visitor.post("/api/check", body, origin="https://club.example").status_code == 200
        for origin in ("http://club.example", "http://127.0.0.1:8000", "http://localhost:8000"):
            assert visitor.post("/api/check", body, origin=origin).status_code == 403, origin


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "text/json",
        "application/xml",
    ],
)
def test_str_2_bodies_are_json_and_say_so(server: Server, kind: str) -> None:
    """A form on another site can send these three kinds, and no other."""
    people = server.seated()
    for each in unsafe(server):
        if each.body is None:
            continue
        answer = people["axis"].client.request(
            each.method,
            each.at(people["axis"].game),
            content=json.dumps(each.body),
            headers=OURS | {"content-type": kind},
        )
        assert answer.status_code == 415, f"{each}: {answer.status_code} {answer.text[:100]}"
        assert words(answer)


def test_str_2_a_body_without_a_length_is_json_too(server: Server) -> None:
    axis = server.seated()["axis"]

    def chunks() -> Iterator[bytes]:
        yield b'{"answer": {}}'

    answer = axis.client.post(axis.at("/check"), content=chunks(), headers=OURS | {"content-type": "text/plain"})
    assert answer.status_code == 415, answer.text


def test_str_2_looking_changes_nothing(server: Server) -> None:
    """Every safe address and page, with a player's cookies: nothing in the database is different."""
    people = server.seated(spectators=True)

    def stored() -> list[Any]:
        with server.hall.database.read() as connection:
            return [
                connection.exec_driver_sql(f"select * from {table}").fetchall()
                for table in ("games", "journal", "decisions", "seats", "devices", "notes")
            ]

    before = stored()
    for each in operations(server):
        if each.method == "get" and "stream" not in each.path:
            people["axis"].get(each.at(people["axis"].game))
    for path in pages(server):
        address = Operation("get", path, None).at(people["axis"].game)
        assert people["axis"].get(address).status_code in (200, 404), path
        people["axis"].client.head(address)
    assert stored() == before


def test_str_2_pages_cannot_be_framed_and_cookies_stay_at_home(server: Server, tmp_path: Path) -> None:
    answer = server.visitor().get("/api/games")
    policy = answer.headers["content-security-policy"]
    for word in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
        assert word in policy
    assert "unsafe" not in policy
    with serving(tmp_path, public_url="https://club.example") as public:
        for running, secure in ((server, False), (public, True)):
            token = running.hall.create(
                *_midway(), scenario="midway", players=dict.fromkeys(Side, "person")
            ).invitations["axis"]
            claimed = running.visitor().post(
                "/api/claim", {"token": token}, origin="https://club.example" if secure else ADDRESS
            )
            cookie = claimed.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=" in cookie
            assert "samesite=none" not in cookie
            assert "domain=" not in cookie
            assert ("secure" in cookie) is secure
            assert cookie.startswith("__host-") is secure, "ASVS 3.3.1: over TLS the cookie's name binds it to the host"


def _midway() -> tuple[Any]:
    from flagplot.scenarios.loader import shipped_scenario

    return (shipped_scenario("midway").setup,)


POISON = ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "", "[::1]evil"]


@pytest.mark.parametrize("host", POISON)
def test_str_3_a_request_under_another_name_is_refused(server: Server, host: str) -> None:
    answer = server.visitor().get("/api/games", host=host)
    assert answer.status_code == 421
    assert words(answer)
    assert "evil" not in answer.text
    assert "evil" not in str(answer.headers)


def test_str_3_links_come_from_the_settings_never_from_the_request(server: Server, tmp_path: Path) -> None:
    body = {"scenario": "river-plate", "axis": "person"}
    forged = {"x-forwarded-host": "evil.example", "forwarded": "host=evil.example", "host": "localhost:6666"}
    told = server.visitor().post("/api/games", body, **forged).json()
    assert all(link.startswith(f"{ADDRESS}/join#") for link in told["invitations"].values())
    with serving(tmp_path, public_url="https://club.example") as public:
        told = public.visitor().post("/api/games", body, origin="https://club.example", host="club.example").json()
        assert told["address"].startswith("https://club.example/games/")


@pytest.mark.parametrize("path", ["/api/games/", "//evil.example/api/games", "/api/games/?x=1", "/join/", "/static"])
def test_str_3_no_answer_sends_one_elsewhere(server: Server, path: str) -> None:
    client = server.visitor().client
    request = client.build_request("GET", ADDRESS + path, headers={"host": "localhost:6666"})
    answer = client.send(request, follow_redirects=False)
    where = answer.headers.get("location", "/")
    assert where.startswith((f"{ADDRESS}/", "/")), f"sent to {where}"
    assert not where.startswith("//")


def test_str_4_games_and_texts_are_counted(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(games_an_hour=3)) as server:
        filler = server.visitor("203.0.113.5")
        made = [filler.post("/api/games", {"scenario": "river-plate", "axis": "person"}) for _ in range(5)]
        assert [each.status_code for each in made] == [201, 201, 201, 429, 429]
        assert server.visitor("203.0.113.6").post("/api/games", {"scenario": "river-plate"}).status_code == 201
        long = server.visitor("203.0.113.7").post("/api/check", {"text": "#" * 200_001})
        assert long.status_code == 422
        assert words(long)


def test_str_4_a_fork_is_a_game_too(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(games_an_hour=3, requests_a_minute=1_000_000)) as server:
        people = server.seated(axis="random", allies="random", spectators=True)
        filler = server.visitor("203.0.113.8")
        body = {"step": 3, "side": "axis"}
        made = [filler.post(people["host"].at("/fork"), body).status_code for _ in range(5)]
        assert made == [201, 201, 201, 429, 429]


def test_str_5_a_forged_address_is_not_believed(tmp_path: Path) -> None:
    """Here as the application sees it; tests/web/test_serve.py does the same to the server itself."""
    with serving(tmp_path, Limits(wrong_tokens_a_minute=3)) as server:
        statuses = []
        for number in range(5):
            forged = f"10.0.0.{number}"
            headers = {"x-forwarded-for": forged, "x-real-ip": forged, "forwarded": f"for={forged}"}
            statuses.append(server.visitor().post("/api/claim", {"token": "nonsense"}, **headers).status_code)
        assert statuses == [404, 404, 404, 429, 429]


def test_str_7_there_are_no_metrics_debug_pages_or_traces(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = server.visitor()
    for path in (
        "/docs",
        "/redoc",
        "/metrics",
        "/debug",
        "/admin",
        "/status",
        "/.env",
        "/.git/config",
        "/static/",
        "/static/../app.py",
    ):
        assert visitor.get(path).status_code == 404, path
    assert server.app.debug is False
    for method in ("TRACE", "CONNECT", "PROPFIND"):
        assert visitor.client.request(method, "/api/games", headers=OURS | JSON).status_code in (403, 405)

    def broken(hall: Hall) -> list[dict[str, Any]]:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(Hall, "listed", broken)
    answer = visitor.get("/api/games")
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert "RuntimeError" not in answer.text
    assert words(answer)
    for header in ("content-security-policy", "x-content-type-options", "cache-control", "referrer-policy"):
        assert header in answer.headers, "also when something goes wrong"
