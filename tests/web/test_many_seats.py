"""Several seats in one browser, two people at one screen, referees, spectators who see everything later."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flagplot.core.sides import Side
from flagplot.web import asking
from flagplot.web import delayed as delayed_module
from flagplot.web import hall as hall_module
from flagplot.web.settings import Limits
from tests.web.described import operations
from tests.web.visitors import ADDRESS, Listener, Server, Visitor, new_id, play_on, serving, words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("many")) as running:
        yield running


def at_one_screen(server: Server, **wanted: Any) -> Visitor:
    """Two people at one screen: a browser with both seats."""
    told = server.visitor().post("/api/games", {"scenario": "denmark-strait", "hot_seat": True} | wanted).json()
    return server.visitor().claim(told["hot_seat"])


# -- several seats ------------------------------------------------------------------------------------------


def test_a_browser_may_be_host_and_player_of_one_game_and_says_which_it_is(server: Server) -> None:
    links = server.new_game(referee=True)["invitations"]
    browser = server.visitor()
    for seat in ("host", "allies"):
        browser.claim(links[seat])
    assert browser.get(browser.at()).json()["seat"] == "allies", "the first of axis, allies, referee, host"
    assert browser.get(browser.at("?as=allies")).json()["question"]
    host = browser.get(browser.at("?as=host")).json()
    assert (host["seat"], host["host"], host["question"]) == ("spectator", True, None)
    assert browser.get(browser.at("?as=axis")).status_code == 404, "not held"
    assert browser.get(browser.at("?as=referee")).status_code == 404
    assert browser.get(browser.at("?as=spectator")).status_code == 404, "none may look on"
    odd = browser.get(browser.at("?as=admiral"))
    assert odd.status_code == 422
    assert words(odd)


def test_cookies_are_one_for_each_seat(server: Server) -> None:
    browser = at_one_screen(server)
    assert set(browser.client.cookies) == {f"seat-{browser.game}-{seat}" for seat in ("axis", "allies")}
    kept = dict(browser.client.cookies)
    assert len(set(kept.values())) == 2
    crossed = server.visitor()
    crossed.game = browser.game
    crossed.client.cookies.set(f"seat-{browser.game}-axis", kept[f"seat-{browser.game}-allies"])
    assert crossed.get(crossed.at()).status_code == 404, "the key of one seat does not open the other"


def test_every_address_of_a_game_asks_as_the_seat_that_is_named(server: Server) -> None:
    browser = at_one_screen(server)
    for path in ("", "/download", "/replay", "/devices"):
        both = [browser.get(browser.at(f"{path}?as={seat}")).json() for seat in ("axis", "allies")]
        assert both[0] != both[1], path
    for seat in ("axis", "allies"):
        with closing(Listener(browser, browser.at("/stream"), f"as={seat}")) as stream:
            assert stream.wait(1) == [browser.get(browser.at(f"?as={seat}")).json()["version"]]
        page = browser.get(f"/games/{browser.game}/seats?as={seat}")
        assert f'data-seat="{seat}"' in page.text
        assert 'data-held="axis allies"' in page.text
    asked = browser.get(browser.at("?as=allies")).json()["question"]
    body = {"id": new_id(), "question": asked["number"], "answer": asked["form"]["default"]}
    assert browser.post(browser.at("/answers?as=allies"), body).status_code == 200
    assert browser.get(browser.at("?as=allies")).json()["question"] is None
    assert browser.get(browser.at("?as=axis")).json()["question"] is not None
    described = [each for each in operations(server) if "{game}" in each.path]
    told = server.app.openapi()["paths"]
    for each in described:
        names = [parameter["name"] for parameter in told[each.path][each.method]["parameters"]]
        assert "as" in names, f"{each} does not say that it takes it"


def test_a_bearer_token_is_its_own_seat_whatever_it_says(server: Server) -> None:
    people = server.seated()
    for wanted in ("axis", "allies", "host", "referee"):
        told = server.visitor().get(
            people["allies"].at(f"?as={wanted}"), authorization=f"Bearer {people['allies'].token}"
        )
        assert told.json()["seat"] == "allies"


def test_a_browser_keeps_so_many_cookies_and_the_oldest_go(server: Server) -> None:
    """A server takes 16 KB of headers: a browser with more cookies than that would be shut out of all its games."""
    browser = server.visitor()
    for number in range(asking.MOST_COOKIES + 5):
        browser.client.cookies.set(f"seat-{number:022}-axis", "x" * 43, domain="127.0.0.1")
    browser.claim(server.new_game()["invitations"]["axis"])
    left = [name for name in browser.client.cookies if name.startswith("seat-")]
    assert len(left) <= asking.MOST_COOKIES
    assert f"seat-{browser.game}-axis" in left
    assert f"seat-{0:022}-axis" not in left


# -- two people at one screen -------------------------------------------------------------------------------


def test_one_link_seats_both_or_neither(server: Server) -> None:
    told = server.visitor().post("/api/games", {"hot_seat": True, "axis": "admiral"}).json()
    assert set(told["invitations"]) == {"axis", "allies", "host"}, "both sides are people"
    first, second = told["hot_seat"].partition("#")[2].split("+")
    assert told["hot_seat"].startswith(f"{ADDRESS}/join#")
    assert {first, second} == {told["invitations"][seat].partition("#")[2] for seat in ("axis", "allies")}
    half = server.visitor().post("/api/claim", {"token": f"{first}+{'x' * 43}"})
    assert half.status_code == 404
    browser = server.visitor()
    claimed = browser.post("/api/claim", {"token": f"{first}+{second}", "name": "Both"}).json()
    assert claimed["seat"] == "axis"
    (also,) = claimed["also"]
    assert also["seat"] == "allies"
    assert also["recovery"] != claimed["recovery"]
    browser.game = claimed["game"]
    assert [browser.get(browser.at(f"?as={seat}")).json()["seat"] for seat in ("axis", "allies")] == ["axis", "allies"]
    assert server.visitor().post("/api/claim", {"token": f"{first}+{second}"}).status_code == 404, "used once"
    assert server.visitor().post("/api/claim", {"token": "+".join("abc")}).status_code == 404


def test_a_game_for_two_browsers_has_no_such_link(server: Server) -> None:
    assert "hot_seat" not in server.new_game()


# -- referees -----------------------------------------------------------------------------------------------


def test_a_referee_sees_everything_decides_nothing_and_is_seen(server: Server) -> None:
    people = server.seated(scenario="midway", referee=True)
    play_on(people, 6)
    referee = people["referee"]
    game = server.hall.game(referee.game).game
    view = referee.view()
    assert view["seat"] == "referee"
    assert view["question"] is None
    hidden = [ship.name for side in Side for force in game.header.setup.sides[side].forces for ship in force.ships]
    assert hidden and all(name in json.dumps(view) for name in hidden), "both boards are open to the referee"
    assert view["version"].split(".")[1] == str(len(game.events()))
    with closing(Listener(referee, referee.at("/stream"))) as stream:
        assert stream.wait(1) == [view["version"]]
    for path, body in (
        ("/answers", {"id": new_id(), "question": 0, "answer": {}}),
        ("/check", {"answer": {}}),
        ("/undo", {"id": new_id()}),
        ("/reseat", {"name": "axis"}),
    ):
        assert referee.post(referee.at(path), body).status_code == 404, path
    told = referee.get(referee.at("/replay?seat=referee")).json()
    assert len(told["steps"]) > len(people["axis"].get(referee.at("/replay")).json()["steps"])
    assert "As the referee saw it" in referee.get(referee.at("/report")).text
    for side in ("axis", "allies"):
        assert {"seat": "referee", "name": "", "claimed": True} in people[side].view()["seats"], (
            "both see that there is one"
        )
        own = people[side].get(referee.at("/replay?seat=referee")).json()
        assert own["seat"] == side, "nobody else looks through the referee's eyes"


def test_without_the_wish_there_is_no_referee(server: Server) -> None:
    made = server.new_game()
    assert "referee" not in made["invitations"]
    axis = server.visitor().claim(made["invitations"]["axis"])
    assert "referee" not in [each["seat"] for each in axis.view()["seats"]]


# -- spectators ---------------------------------------------------------------------------------------------


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """So much later, as far as spectators are concerned."""
    now = time.time
    monkeypatch.setattr(delayed_module.time, "time", lambda: now() + seconds)


WATCHED = ("", "/report", "/download", "/replay", "/replay/3", "?log_from=2", "/replay?seat=referee")


def test_spectators_who_see_later_see_everything_later(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people = server.seated(spectators=True, spectator_delay=10, listed=True)
    watching = server.visitor()
    watching.game = people["axis"].game

    def seen() -> dict[str, bytes]:
        told = {path: watching.get(watching.at(path)).content for path in WATCHED}
        told |= {page: watching.get(f"/games/{watching.game}{page}").content for page in ("", "/board", "/seats")}
        listed = [each for each in watching.get("/api/games").json() if each["id"] == watching.game]
        return told | {"listed": json.dumps(listed).encode()}

    before = seen()
    with closing(Listener(watching, watching.at("/stream"))) as stream:
        first = stream.wait(1)
        play_on(people)
        assert people["axis"].view()["over"]
        people["axis"].view()
        stream.wait(2, 0.2)
        assert stream.changes() == first
    now = seen()
    assert [path for path in before if before[path] != now[path]] == []
    live = hall_module.version(server.hall.game(watching.game), None)
    assert people["host"].view()["version"] == live, "who has a seat is not a spectator"
    later(monkeypatch, 11 * 60)
    assert watching.view()["over"]
    assert watching.view()["version"] == live
    assert json.loads(seen()["listed"])[0]["over"]


def test_a_line_of_text_is_seen_later_as_well(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people = server.seated(spectators=True, spectator_delay=1)
    play_on(people, 6)
    asked = next(people[side] for side in ("axis", "allies") if people[side].view()["question"])
    asked.answer(asked.view()["question"]["form"]["default"], say="we are sinking")
    watching = server.visitor()
    watching.game = asked.game
    assert watching.view()["notes"] == []
    later(monkeypatch, 61)
    assert [note["text"] for note in watching.view()["notes"]] == ["we are sinking"]


def test_what_was_shown_is_rebuilt_only_when_there_is_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people = server.seated(spectators=True, spectator_delay=10)
    watching = server.visitor()
    watching.game = people["axis"].game
    read: list[int | None] = []
    honest = hall_module.Hall.read
    monkeypatch.setattr(
        hall_module.Hall, "read", lambda hall, id, lines=None: read.append(lines) or honest(hall, id, lines)
    )
    for _ in range(4):
        watching.view()
    play_on(people, 4)
    watching.view()
    assert len(read) == 1


@pytest.mark.parametrize("minutes", [-1, 7 * 24 * 60 + 1, "ten"])
def test_a_delay_has_its_limits(server: Server, minutes: Any) -> None:
    answer = server.visitor().post("/api/games", {"spectators": True, "spectator_delay": minutes})
    assert answer.status_code == 422
    assert words(answer)


def test_a_fork_of_a_battle_seen_later_is_made_later(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people = server.seated(axis="random", allies="random", spectators=True, spectator_delay=5)
    watching = server.visitor()
    path = people["host"].at("/fork")
    early = watching.post(path, {"step": 3, "side": "axis"})
    assert early.status_code == 409, early.text
    later(monkeypatch, 6 * 60)
    assert watching.post(path, {"step": 3, "side": "axis"}).status_code == 201


# -- signing out --------------------------------------------------------------------------------------------


def test_signing_out_ends_this_browser_and_no_other(server: Server) -> None:
    axis = server.seated()["axis"]
    phone = axis.post(axis.at("/devices"), {"name": "phone"}).json()
    key = axis.token
    told = axis.post(axis.at("/signout"))
    assert told.json() == {"ok": True, "seats": ["axis"]}
    assert f"seat-{axis.game}-axis" not in axis.client.cookies
    assert axis.get(axis.at()).status_code == 404
    assert server.visitor().get(axis.at(), authorization=f"Bearer {key}").status_code == 404, "the key itself is void"
    assert server.visitor().get(axis.at(), authorization=f"Bearer {phone['token']}").status_code == 200
    assert axis.post(axis.at("/signout")).status_code == 404
    assert server.visitor().post(axis.at("/recover"), {"code": axis.recovery}).status_code == 200


def test_one_signs_out_of_one_seat_of_one_game_or_of_everything(server: Server) -> None:
    browser = at_one_screen(server)
    first = browser.game
    assert browser.post(browser.at("/signout?as=axis")).json()["seats"] == ["axis"]
    assert browser.get(browser.at()).json()["seat"] == "allies"
    assert browser.post(browser.at("/signout?as=axis")).status_code == 404
    browser.claim(server.new_game()["invitations"]["axis"])
    assert browser.post("/api/signout").json() == {"ok": True}
    assert [name for name in browser.client.cookies if name.startswith("seat-")] == []
    for game in (first, browser.game):
        assert browser.get(f"/api/games/{game}").status_code == 404
    assert server.visitor().post("/api/signout").status_code == 200, "who holds nothing leaves nothing"


def test_all_other_devices_are_sent_away_at_once(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    added = [axis.post(axis.at("/devices"), {"name": name}).json() for name in ("phone", "library")]
    listed = axis.get(axis.at("/devices")).json()
    assert [each["here"] for each in listed] == [True, False, False]
    assert all(abs(each["created"] - time.time()) < 60 for each in listed)
    with closing(
        Listener(server.visitor(), axis.at("/stream"), headers={"authorization": f"Bearer {added[0]['token']}"})
    ) as stream:
        stream.wait(1)
        assert axis.post(axis.at("/devices/revoke-others")).json() == {"ok": True, "revoked": 2}
        assert stream.ended.wait(1.5)
    for device in added:
        assert server.visitor().get(axis.at(), authorization=f"Bearer {device['token']}").status_code == 404
    assert axis.view()["seat"] == "axis"
    assert people["allies"].view()["seat"] == "allies"
    assert axis.post(axis.at("/devices/revoke-others")).json()["revoked"] == 0


def test_a_new_seating_is_a_line_everybody_reads(server: Server) -> None:
    people = server.seated(referee=True)
    host, axis = people["host"], people["axis"]
    name = server.hall.game(host.game).game.header.setup.public.names[Side.ALLIES]
    assert host.post(host.at("/reseat"), {"name": "allies"}).status_code == 200
    for who in ("axis", "host", "referee"):
        (note,) = people[who].view()["notes"]
        assert (note["seat"], note["text"]) == ("host", f"the host has seated somebody new as {name}")
    assert {"seat": "allies", "name": "", "claimed": False} in axis.view()["seats"]
    link = host.post(host.at("/reseat"), {"name": "referee"}).json()["invitation"]
    assert people["referee"].get(host.at()).status_code == 404
    assert server.visitor().claim(link).view()["seat"] == "referee"
    assert len(axis.view()["notes"]) == 2


# -- joining without script ---------------------------------------------------------------------------------


def form(visitor: Visitor, data: str, **headers: str) -> Any:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return visitor.client.post("/join", content=data, headers=visitor.headers | kind | headers)


@pytest.mark.parametrize("pasted", ["{token}", "  {token} ", "http%3A%2F%2F127.0.0.1%3A8000%2Fjoin%23{token}"])
def test_a_seat_is_claimed_without_script(server: Server, pasted: str) -> None:
    token = server.new_game()["invitations"]["axis"].partition("#")[2]
    browser = server.visitor()
    answer = form(browser, f"code={pasted.format(token=token)}&name=L%C3%BCtjens")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    ((cookie, key),) = browser.client.cookies.items()
    game = cookie.removeprefix("seat-").removesuffix("-axis")
    browser.game = game
    assert browser.view()["seat"] == "axis"
    assert {"seat": "axis", "name": "Lütjens", "claimed": True} in browser.view()["seats"]
    assert key not in answer.text, "the key is in the cookie, never in a page"
    assert token not in answer.text
    code = answer.text.partition('id="recovery-1">')[2].partition("<")[0]
    assert server.visitor().post(browser.at("/recover"), {"code": code}).status_code == 200, (
        "the recovery code is shown"
    )
    assert f'href="/games/{game}"' in answer.text
    again = form(server.visitor(), f"code={token}")
    assert again.status_code == 404
    assert "has been used" in again.text
    assert "set-cookie" not in again.headers


def test_both_seats_are_claimed_without_script(server: Server) -> None:
    told = server.visitor().post("/api/games", {"hot_seat": True}).json()
    browser = server.visitor()
    answer = form(browser, "code=" + told["hot_seat"].partition("#")[2].replace("+", "%2B"))
    assert answer.status_code == 200
    assert len(browser.client.cookies) == 2
    assert 'id="recovery-2"' in answer.text


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ("", 422),
        ("code=", 422),
        ("code=%00", 422),
        ("code=" + "x" * 500, 422),
        ("code=x&name=" + "x" * 61, 422),
        ("&".join("code=x" for _ in range(20)), 422),
        ("code=%ff%fe", 422),
        ("<script>", 422),
        ("code=<script>alert(1)</script>", 404),
    ],
)
def test_odd_forms_are_refused_in_a_page(server: Server, data: str, status: int) -> None:
    answer = form(server.visitor(), data)
    assert answer.status_code == status, answer.text
    assert 'class="refused"' in answer.text
    assert "<script>" not in answer.text
    assert "set-cookie" not in answer.headers


def test_a_form_is_taken_at_that_address_only_and_from_our_page_only(server: Server, tmp_path: Path) -> None:
    browser = server.seated()["axis"]
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for path in ("/api/claim", "/join/", "/api/games", browser.at("/close")):
        answer = browser.client.post(path, content="code=x", headers=browser.headers | kind)
        assert answer.status_code in (404, 405, 415), path
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8001"):
        assert form(browser, "code=x", origin=origin).status_code == 403
    browser.headers = {}
    assert form(browser, "code=x").status_code == 403, "without a word of where it comes from"
    browser.headers = {"origin": ADDRESS}
    for other in ("application/json", "text/plain", "multipart/form-data; boundary=x"):
        assert form(browser, '{"code": "x"}', **{"content-type": other}).status_code == 415
    assert form(browser, "code=" + "x" * 300_000).status_code == 413
    with serving(tmp_path, Limits(wrong_tokens_a_minute=2)) as strict:
        guesser = strict.visitor()
        answers = [form(guesser, "code=x") for _ in range(3)]
        assert [each.status_code for each in answers] == [404, 404, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
