"""The threats of trust.md from leaked links, stolen databases, logs, referrers and caches, each by its id."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

import flagplot.web
from flagplot.web.pages import TEMPLATES
from flagplot.web.settings import Limits
from tests.web.described import Operation, operations, pages
from tests.web.visitors import Listener, Server, Visitor, new_id, play_on, serving, words

HOME = Path(flagplot.web.__file__).parent
TEMPLATE_FILES = sorted((HOME / "templates").rglob("*.html"))
SCRIPTS = sorted((HOME / "static").rglob("*.js"))
STYLES = sorted((HOME / "static").rglob("*.css"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("links")) as running:
        yield running


def token_in(link: str) -> str:
    return link.partition("#")[2]


# -- leaked links --------------------------------------------------------------------------------------------


def test_link_1_who_made_the_game_cannot_use_a_link_that_was_used(server: Server) -> None:
    maker = server.visitor()
    links = maker.post("/api/games", {"scenario": "midway", "axis": "person", "allies": "person"}).json()["invitations"]
    maker.claim(links["host"])
    friend = server.visitor().claim(links["allies"])
    late = maker.post("/api/claim", {"token": token_in(links["allies"])})
    assert late.status_code == 404
    assert "used" in words(late)
    own = maker.view()
    assert (own["seat"], own["question"]) == ("spectator", None), "the host sees what is public"
    assert friend.view()["question"]
    asked = friend.view()["question"]
    tried = maker.post(maker.at("/answers"), {"id": new_id(), "question": asked["number"], "answer": {}})
    assert tried.status_code == 404


def test_link_1_a_link_is_no_key(server: Server) -> None:
    """The token of the link opens nothing but the seat, once: neither as a cookie nor as a bearer token."""
    game = server.new_game()
    token = token_in(game["invitations"]["axis"])
    path = f"/api/games/{game['game']}"
    for _ in range(2):
        assert server.visitor().get(path, authorization=f"Bearer {token}").status_code == 404
        assert server.visitor().get(path, cookie=f"seat-{game['game']}-axis={token}").status_code == 404
        server.visitor().post("/api/claim", {"token": token})


def test_link_2_looking_at_a_link_does_not_use_it(server: Server) -> None:
    """Previews and mail scanners fetch what they find; the fragment does not even reach us."""
    game = server.new_game()
    for link in game["invitations"].values():
        assert re.fullmatch(r"http://127\.0\.0\.1:8000/join#[\w-]{43}", link), "nothing in the path or the query"
    axis = game["invitations"]["axis"]
    for method in ("GET", "HEAD"):
        for agent in ("Slackbot", "Mozilla/5.0"):
            server.visitor().client.request(method, axis, headers={"user-agent": agent})
    assert server.visitor().get("/api/claim").status_code == 405
    assert server.visitor().get(f"/api/claim?token={token_in(axis)}").status_code == 405
    assert server.visitor().claim(axis).seat == "axis"


def test_link_3_one_sees_ones_devices_and_sends_them_away(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    added = [axis.post(axis.at("/devices"), {"name": name}).json() for name in ("phone", "library")]
    listed = axis.get(axis.at("/devices")).json()
    assert [each["label"] for each in listed][1:] == ["phone", "library"]
    assert all(each["created"] for each in listed)
    for device in added:
        axis.post(axis.at(f"/devices/{device['id']}/revoke"))
        gone = server.visitor().get(axis.at(), authorization=f"Bearer {device['token']}")
        assert gone.status_code == 404
    (own,) = [each for each in listed if each["id"] not in {device["id"] for device in added}]
    axis.post(axis.at(f"/devices/{own['id']}/revoke"))
    assert axis.get(axis.at()).status_code == 404
    assert server.visitor().post(axis.at("/recover"), {"code": axis.recovery}).status_code == 200


@pytest.mark.parametrize("how", ["revoke", "reseat"])
def test_link_3_the_stream_of_a_device_ends_when_it_is_sent_away(server: Server, how: str) -> None:
    """stream-3: checked when it is opened and at every event; ended within a second."""
    people = server.seated()
    axis, host = people["axis"], people["host"]
    device = axis.post(axis.at("/devices"), {"name": "phone"}).json()
    phone = server.visitor()
    with closing(Listener(phone, axis.at("/stream"), headers={"authorization": f"Bearer {device['token']}"})) as stream:
        assert len(stream.wait(1)) == 1
        if how == "revoke":
            axis.post(axis.at(f"/devices/{device['id']}/revoke"))
        else:
            host.post(host.at("/reseat"), {"name": "axis"})
        assert stream.ended.wait(1.5), "the device that was sent away is still told what changes"


def test_link_3_so_many_streams_a_seat(server: Server) -> None:
    axis = server.seated()["axis"]
    most = server.app.state.settings.limits.streams_a_seat
    streams = [Listener(axis, axis.at("/stream")) for _ in range(most)]
    try:
        for stream in streams:
            assert stream.wait(1)
        late = Listener(axis, axis.at("/stream"))
        late.wait(1, 1.0)
        late.close()
        assert late.status == 429, "one seat could take all the streams there are"
        assert int(late.headers["retry-after"]) >= 1
    finally:
        for stream in streams:
            stream.close()


def test_stream_1_so_many_streams_an_address(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(streams_an_address=2)) as server:
        people = server.seated(spectators=True)
        watching = [server.visitor("203.0.113.20") for _ in range(3)]
        streams = [Listener(each, people["axis"].at("/stream")) for each in watching[:2]]
        try:
            for stream in streams:
                assert stream.wait(1)
            late = watching[2].get(people["axis"].at("/stream"))
            assert late.status_code == 429
            assert int(late.headers["retry-after"]) >= 1
            elsewhere = Listener(server.visitor("203.0.113.21"), people["axis"].at("/stream"))
            assert elsewhere.wait(1)
            elsewhere.close()
        finally:
            for stream in streams:
                stream.close()
        assert not server.app.state.listening, "who has gone is not counted"


def secrets_of(people: dict[str, Visitor], links: dict[str, str]) -> list[str]:
    found = [token_in(link) for link in links.values()]
    for visitor in people.values():
        found += [visitor.token, visitor.recovery]
    return found


def test_link_4_a_stolen_database_opens_no_seat(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        links = server.new_game()["invitations"]
        people = {seat: server.visitor().claim(links[seat], name="Lütjens") for seat in ("axis", "host")}
        device = people["axis"].post(people["axis"].at("/devices"), {"name": "phone"}).json()
        back = server.visitor().post(people["axis"].at("/recover"), {"code": people["axis"].recovery}).json()
        fresh = people["host"].post(people["host"].at("/reseat"), {"name": "allies"}).json()["invitation"]
        secrets = [*secrets_of(people, links), device["token"], back["token"], back["recovery"], token_in(fresh)]
        stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    stored += b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "Lütjens".encode() in stored, "the search finds what is there"
    assert [secret for secret in secrets if secret.encode() in stored] == []


# -- logs, referrers, caches ----------------------------------------------------------------------------------


def reading(visitor: Visitor, server: Server) -> Iterator[tuple[str, httpx.Response]]:
    """All that somebody can read, and what he is refused."""
    for each in operations(server):
        if each.method == "get" and "stream" not in each.path:
            yield str(each), visitor.get(each.at(visitor.game))
        elif each.method != "get" and each.path.split("/")[-1] not in ("close", "reseat", "recover", "claim", "games"):
            yield (
                str(each),
                visitor.client.request(each.method, each.at(visitor.game), json=each.body, headers=visitor.headers),
            )
    for path in pages(server):
        yield path, visitor.get(Operation("get", path, None).at(visitor.game))


def test_log_1_no_token_is_logged_or_shown_again(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    links = server.new_game(spectators=True)["invitations"]
    people = {seat: server.visitor().claim(link) for seat, link in links.items()}
    play_on(people, 6)
    secrets = secrets_of(people, links)
    server.visitor().post("/api/claim", {"token": secrets[0]})
    server.visitor().post(people["axis"].at("/recover"), {"code": "AAAAA-BBBBB-CCCCC-DDDDD"})
    checked = 0
    for visitor in (*people.values(), server.visitor()):
        visitor.game = people["axis"].game
        for path, answer in reading(visitor, server):
            shown = answer.content + repr(answer.headers.raw).encode()
            assert [secret for secret in secrets if secret.encode() in shown] == [], f"{visitor.seat} at {path}"
            checked += 1
    assert checked > 40
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    logged = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in ours)
    assert [secret for secret in secrets if secret in logged] == []


def test_log_2_nothing_is_told_to_other_sites(server: Server) -> None:
    people = server.seated()
    for path, answer in reading(people["axis"], server):
        assert answer.headers["referrer-policy"] == "no-referrer", path
        assert "connect-src 'self'" in answer.headers["content-security-policy"], path


FOREIGN = re.compile(
    r"""(?:src|href|action|url|from|import|@import|fetch|EventSource)\s*[=(]?\s*["'(]\s*(?:https?:)?//"""
)


@pytest.mark.parametrize("path", [*TEMPLATE_FILES, *SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_log_2_pages_load_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text("utf-8")
    assert FOREIGN.findall(text) == []
    for link in re.findall(r"<a\b[^>]*href=[\"']https?://[^>]*>", text):
        assert "noreferrer" in link


def test_log_2_a_page_that_would_is_found() -> None:
    for text in (
        '<script src="https://cdn.example/x.js">',
        "@import '//cdn.example/x.css'",
        "url(https://x)",
        'from "//x"',
    ):
        assert FOREIGN.findall(text.replace("url(", "url('")) != []
    assert FOREIGN.findall('<a href="/help">, import { ask } from "/static/common.js"; // a comment') == []


def test_log_3_nothing_is_kept_in_caches(server: Server) -> None:
    people = server.seated()
    for path, answer in reading(people["axis"], server):
        assert answer.headers["cache-control"] == "no-store", path
        assert "cookie" in answer.headers["vary"].lower(), path


def test_log_4_nothing_is_packed(server: Server) -> None:
    people = server.seated()
    answer = people["axis"].get(people["axis"].at(), **{"accept-encoding": "gzip, br"})
    assert "content-encoding" not in answer.headers


# -- markup (opp-10), as far as the files of pages can tell ------------------------------------------------------


def test_opp_10_templates_escape_what_they_are_given() -> None:
    shown = TEMPLATES.from_string("{{ name }}").render(name="<script>")
    assert shown == "&lt;script&gt;"


@pytest.mark.parametrize("path", TEMPLATE_FILES, ids=lambda path: path.name)
def test_opp_10_templates_have_no_way_around_it(path: Path) -> None:
    text = path.read_text("utf-8")
    assert re.findall(r"\|\s*safe\b|autoescape\s+false|Markup\(", text) == []
    assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", text) == [], "a script in the page itself is not run"
    assert re.findall(r"<style\b|\sstyle\s*=", text) == [], "a style in the page itself is not applied"
    assert re.findall(r"<[^>{}]+\son[a-z]+\s*=", text) == [], "handlers in attributes are not run"
    assert "javascript:" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_opp_10_scripts_make_text_never_markup(path: Path) -> None:
    text = path.read_text("utf-8")
    wrong = (
        r"\b(?:(?:inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc|setHTML)"
    )
    found = re.findall(wrong, text)
    assert found == [], "text from players would become markup"
    assert re.findall(r"localStorage[^\n]*(?:token|recovery)", text) == [], "no key in the browser's storage"
