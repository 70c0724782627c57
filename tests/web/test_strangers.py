"""The threats of trust.md from strangers, each by its id."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from flagplot.core.errors import EngineError
from flagplot.core.sides import Side
from flagplot.scenarios.loader import scenario_text
from flagplot.web import expiry
from flagplot.web.expiry import expire
from flagplot.web.hall import Hall
from flagplot.web.settings import Limits, Settings
from tests.web.described import Operation, operations, pages, unsafe
from tests.web.visitors import ADDRESS, OURS, PLENTY, Server, serving, words

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("strangers")) as running:
        yield running


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
            assert ("strict-transport-security" in claimed.headers) is secure
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


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/games"), ("POST", "/api/games"), ("GET", "/")])
def test_str_7_what_was_not_foreseen_has_a_number_and_no_words_of_its_own(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("-".join(("sword", "fish")))  # which a line of the source does not show

    for name in ("listed", "create"):
        monkeypatch.setattr(Hall, name, broken)
    caplog.set_level(logging.ERROR)
    answer = server.visitor().client.request(method, path, headers=OURS | JSON, content=b"{}")
    assert answer.status_code == 500
    for header in ("content-security-policy", "x-content-type-options", "cache-control", "referrer-policy"):
        assert header in answer.headers
    logged = "\n".join(record.getMessage() for record in caplog.records)
    number = re.search(r"number ([0-9a-f]{8})", words(answer))
    assert number
    assert f"error {number[1]}: RuntimeError" in logged, "the host finds it by its number"
    assert "in broken" in logged, "and sees where it happened"
    assert "sword-fish" not in answer.text + logged, "what an error says may hold what somebody sent"


def test_str_7_a_rule_that_fails_has_a_number_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    axis = server.seated()["axis"]

    def broken(*_: Any, **__: Any) -> None:
        raise EngineError("Bismarck is in two places")

    monkeypatch.setattr("flagplot.web.app.view", broken)
    answer = axis.get(axis.at())
    assert answer.status_code == 500
    assert re.search(r"number [0-9a-f]{8}", words(answer))
    assert "Bismarck" not in answer.text


# -- what is not kept for ever (str-4) ------------------------------------------------------------------------


def ids(server: Server, table: str = "games") -> set[str]:
    with server.hall.database.read() as connection:
        return set(connection.exec_driver_sql(f"select id from {table}").scalars())


def older(server: Server, id: str, days: float, table: str = "games") -> None:
    with server.hall.database.write() as connection:
        connection.exec_driver_sql(f"update {table} set created = created - ? where id = ?", (days * 24 * 60 * 60, id))


def test_str_4_a_game_to_which_nobody_came_is_not_kept(server: Server) -> None:
    nobody, young, claimed, reseated, hosted = (server.new_game(spectators=True) for _ in range(5))
    server.visitor().claim(claimed["invitations"]["axis"])
    host = server.visitor().claim(hosted["invitations"]["host"])
    other = server.visitor().claim(reseated["invitations"]["host"])
    server.visitor().claim(reseated["invitations"]["axis"])
    other.post(other.at("/reseat"), {"name": "axis"})
    for made in (nobody, claimed, reseated, hosted):
        older(server, made["game"], 14.1)
    older(server, young["game"], 13.9)
    gone = expire(server.hall.database)
    assert gone.games >= 1
    left = ids(server)
    assert nobody["game"] not in left
    assert {young["game"], claimed["game"], reseated["game"], hosted["game"]} <= left
    assert host.get(host.at()).status_code == 200
    with server.hall.database.read() as connection:
        for table in (
            "seats",
            "journal",
            "decisions",
            "notes",
            "devices",
            "musters",
            "standing_orders",
            "desks",
            "looks",
        ):
            rows = connection.exec_driver_sql(f"select count(*) from {table} where game = ?", (nobody["game"],))
            assert rows.scalar_one() == 0, table
    assert server.visitor().get(f"/api/games/{nobody['game']}").status_code == 404
    token = nobody["invitations"]["axis"].partition("#")[2]
    assert server.visitor().post("/api/claim", {"token": token}).status_code == 404


def test_str_4_a_game_that_is_claimed_while_it_is_removed_stays_whole(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = server.new_game()
    older(server, made["game"], 15)
    honest = expiry._remove_rows

    def late(connection: Any, id: str) -> None:
        if id == made["game"]:
            connection.exec_driver_sql("update seats set claimed = 1.0 where game = ? and seat = 'axis'", (id,))
        honest(connection, id)

    monkeypatch.setattr(expiry, "_remove_rows", late)
    expire(server.hall.database)
    assert made["game"] in ids(server)
    assert server.visitor().claim(made["invitations"]["allies"]).view()["question"]


def test_str_4_a_set_up_shared_long_ago_is_not_kept(server: Server) -> None:
    old, young = (server.visitor().post("/api/setups", {"text": "title = 'x'"}).json()["id"] for _ in range(2))
    older(server, old, 366, "setups")
    older(server, young, 364, "setups")
    assert expire(server.hall.database).setups == 1
    assert ids(server, "setups") >= {young}
    assert server.visitor().get(f"/api/setups/{old}").status_code == 404


def test_str_4_what_has_expired_goes_when_the_server_starts(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        game = server.new_game()["game"]
        older(server, game, 15)
        assert game in ids(server)
    with serving(tmp_path) as server:
        until = time.monotonic() + 5
        while game in ids(server) and time.monotonic() < until:
            time.sleep(0.01)
        assert game not in ids(server)


def test_str_4_only_so_many_games_are_open_on_one_server(tmp_path: Path) -> None:
    with serving(tmp_path, replace(PLENTY, open_games=3)) as server:
        people = server.seated(spectators=True)
        made = [server.visitor(f"203.0.113.{n}").post("/api/games", {"scenario": "river-plate"}) for n in range(4)]
        assert [each.status_code for each in made] == [201, 201, 507, 507]
        assert words(made[-1])
        people["axis"].post(people["axis"].at("/close"))
        again = server.visitor("203.0.113.9").post("/api/games", {"scenario": "river-plate"})
        assert again.status_code == 201, "a game that was closed makes room"


# -- names of this machine (str-3) ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "said", "status"),
    [
        ("::1", "[::1]:8000", 200),
        ("::1", "[::1]", 200),
        ("127.0.0.1", "[::1]:8000", 200),
        ("fd00::7", "[fd00::7]:8000", 200),
        ("fd00::7", "[FD00::7]:8000", 200),
        ("127.0.0.1", "LOCALHOST:8000", 200),
        ("127.0.0.1", "[fd00::7]:8000", 421),
        ("::1", "::1", 421),
        ("::1", "[::1", 421),
        ("::1", "[::1]evil.example", 421),
        ("::1", "[::1]:8000@evil.example", 421),
    ],
)
def test_str_3_ipv6_hosts_are_known_by_their_names(tmp_path: Path, host: str, said: str, status: int) -> None:
    with serving(tmp_path, host=host) as server:
        answer = server.visitor().get("/api/games", host=said)
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("settings", "ours", "theirs"),
    [
        (Settings(host="::1"), ["http://[::1]:8000", "http://localhost:8000"], ["http://::1:8000", "http://[::1]"]),
        (Settings(host="fd00::7", port=80), ["http://[fd00::7]"], ["http://[fd00::8]"]),
        (Settings(public_url="https://Club.example:443"), ["https://club.example"], ["http://club.example"]),
        (Settings(public_url="https://club.example:8443/"), ["https://club.example:8443"], ["https://club.example"]),
    ],
)
def test_str_2_our_origins_are_said_as_browsers_say_them(
    settings: Settings, ours: list[str], theirs: list[str]
) -> None:
    assert [origin for origin in ours if origin not in settings.origins] == []
    assert [origin for origin in theirs if origin in settings.origins] == []


def test_str_3_links_to_an_ipv6_host_can_be_followed(tmp_path: Path) -> None:
    with serving(tmp_path, host="::1") as server:
        told = server.visitor().post("/api/games", {}, host="[::1]:8000", origin="http://[::1]:8000").json()
        assert told["address"].startswith("http://[::1]:8000/games/")
