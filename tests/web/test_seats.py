"""Seats without accounts: invitations, devices, recovery, somebody else in a seat, bearer tokens for programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flagplot.core.sides import Side
from flagplot.scenarios.loader import scenario_text
from flagplot.web.settings import Limits
from tests.web.visitors import ADDRESS, Server, Visitor, serving, words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("seats")) as running:
        yield running


def program(server: Server, token: str, game: str) -> Visitor:
    """A program: no cookie, no page it comes from, only a token."""
    visitor = server.visitor()
    visitor.headers = {}
    visitor.client.headers["authorization"] = f"Bearer {token}"
    visitor.game = game
    return visitor


# -- invitations ------------------------------------------------------------------------------------------


def test_an_invitation_is_used_once(server: Server) -> None:
    link = server.new_game()["invitations"]["axis"]
    first = server.visitor().claim(link, name="Lütjens", device="laptop")
    assert first.view()["seat"] == "axis"
    second = server.visitor().post("/api/claim", {"token": link.partition("#")[2]})
    assert second.status_code == 404
    assert "used" in words(second)
    assert "set-cookie" not in second.headers


def test_a_used_invitation_and_an_invented_one_look_alike(server: Server) -> None:
    link = server.new_game()["invitations"]["axis"]
    server.visitor().claim(link)
    used = server.visitor().post("/api/claim", {"token": link.partition("#")[2]})
    for invented in ("x" * 43, "", "ü", "'; drop table seats; --", "\u0000"):
        answer = server.visitor().post("/api/claim", {"token": invented})
        assert answer.status_code in (404, 422), answer.text
        if answer.status_code == 404:
            assert answer.content == used.content


def test_both_see_who_sits_where(server: Server) -> None:
    links = server.new_game()["invitations"]
    axis = server.visitor().claim(links["axis"], name="Lütjens")
    seats = {each["seat"]: each for each in axis.view()["seats"]}
    assert seats["axis"] == {"seat": "axis", "name": "Lütjens", "claimed": True}
    assert seats["allies"]["claimed"] is False
    host = server.visitor().claim(links["host"])
    assert axis.view()["seats"] == host.view()["seats"]


def test_names_have_a_length(server: Server) -> None:
    link = server.new_game()["invitations"]["axis"]
    answer = server.visitor().post("/api/claim", {"token": link.partition("#")[2], "name": "x" * 61})
    assert answer.status_code == 422
    assert words(answer)
    server.visitor().claim(link, name="x" * 60)


def test_one_browser_may_sit_in_several_games(server: Server) -> None:
    visitor = server.visitor()
    first = server.new_game()
    second = server.new_game()
    visitor.claim(first["invitations"]["axis"])
    visitor.claim(second["invitations"]["allies"])
    assert visitor.get(f"/api/games/{first['game']}").json()["seat"] == "axis"
    assert visitor.get(f"/api/games/{second['game']}").json()["seat"] == "allies"


# -- devices -----------------------------------------------------------------------------------------------


def test_a_seat_sees_its_devices_and_adds_one(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    added = axis.post(axis.at("/devices"), {"name": "phone"})
    assert added.status_code == 201
    phone = program(server, added.json()["token"], axis.game)
    assert phone.get(axis.at()).json()["seat"] == "axis"
    labels = [each["label"] for each in axis.get(axis.at("/devices")).json()]
    assert labels == ["", "phone"]
    assert "token" not in axis.get(axis.at("/devices")).text
    assert len(people["allies"].get(axis.at("/devices")).json()) == 1


def test_a_revoked_device_is_let_in_no_more(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    added = axis.post(axis.at("/devices"), {"name": "phone"}).json()
    phone = program(server, added["token"], axis.game)
    assert axis.post(axis.at(f"/devices/{added['id']}/revoke")).json() == {"ok": True}
    assert phone.get(axis.at()).status_code == 404
    assert phone.post(axis.at("/close")).status_code == 404
    assert axis.view()["seat"] == "axis"
    assert [each["revoked"] for each in axis.get(axis.at("/devices")).json()] == [False, True]


def test_a_device_of_another_seat_cannot_be_revoked(server: Server) -> None:
    people = server.seated()
    (theirs,) = people["allies"].get(people["allies"].at("/devices")).json()
    axis = people["axis"]
    wrong = axis.post(axis.at(f"/devices/{theirs['id']}/revoke"))
    unknown = axis.post(axis.at("/devices/nonsense/revoke"))
    assert wrong.status_code == unknown.status_code == 404
    assert wrong.content == unknown.content
    assert people["allies"].view()["seat"] == "allies"


def test_a_seat_has_so_many_devices_and_a_revoked_one_makes_room(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(devices_a_seat=3)) as server:
        axis = server.seated()["axis"]
        added = [axis.post(axis.at("/devices"), {"name": f"{n}"}) for n in range(2)]
        assert [each.status_code for each in added] == [201, 201]
        full = axis.post(axis.at("/devices"), {"name": "one too many"})
        assert full.status_code == 422
        assert "revoke one" in words(full)
        axis.post(axis.at(f"/devices/{added[0].json()['id']}/revoke"))
        again = axis.post(axis.at("/devices"), {"name": "in its place"})
        assert again.status_code == 201, again.text


# -- recovery -------------------------------------------------------------------------------------------------


def test_a_recovery_code_brings_one_back_once(server: Server) -> None:
    axis = server.seated()["axis"]
    assert axis.recovery.count("-") == 3
    back = server.visitor()
    typed = f"  {axis.recovery.lower()} "
    answer = back.post(axis.at("/recover"), {"code": typed, "device": "new laptop"})
    assert answer.status_code == 200
    assert answer.json()["seat"] == "axis"
    assert back.get(axis.at()).json()["seat"] == "axis"
    assert server.visitor().post(axis.at("/recover"), {"code": axis.recovery}).status_code == 404
    fresh = answer.json()["recovery"]
    assert fresh != axis.recovery
    assert server.visitor().post(axis.at("/recover"), {"code": fresh}).status_code == 200


def test_a_wrong_code_and_a_wrong_game_look_alike(server: Server) -> None:
    people, other = server.seated(), server.seated()
    wrong = server.visitor().post(people["axis"].at("/recover"), {"code": "AAAAA-AAAAA-AAAAA-AAAAA"})
    elsewhere = server.visitor().post(other["axis"].at("/recover"), {"code": people["axis"].recovery})
    unknown = server.visitor().post("/api/games/nonsense/recover", {"code": people["axis"].recovery})
    assert wrong.status_code == elsewhere.status_code == unknown.status_code == 404
    assert wrong.content == elsewhere.content == unknown.content
    assert words(wrong)


# -- somebody else in a seat -----------------------------------------------------------------------------------


def test_the_host_seats_somebody_else_and_both_see_it(server: Server) -> None:
    people = server.seated()
    host, allies, axis = people["host"], people["allies"], people["axis"]
    answer = host.post(host.at("/reseat"), {"name": "allies"})
    assert answer.status_code == 200
    link = answer.json()["invitation"]
    assert link.startswith(f"{ADDRESS}/join#")
    assert allies.get(allies.at()).status_code == 404
    assert server.visitor().post(allies.at("/recover"), {"code": allies.recovery}).status_code == 404
    seats = {each["seat"]: each["claimed"] for each in axis.view()["seats"]}
    assert seats["allies"] is False
    heir = server.visitor().claim(link, name="Wake-Walker")
    assert heir.view()["seat"] == "allies"
    assert ("allies", "Wake-Walker", True) in [
        (each["seat"], each["name"], each["claimed"]) for each in axis.view()["seats"]
    ]


def test_only_the_host_seats(server: Server) -> None:
    people = server.seated(spectators=True)
    for visitor in (people["axis"], people["allies"], server.visitor()):
        answer = visitor.post(people["axis"].at("/reseat"), {"name": "axis"})
        assert answer.status_code == 404
        assert words(answer)
    for name in ("host", "referee", "nobody", ""):
        assert people["host"].post(people["axis"].at("/reseat"), {"name": name}).status_code in (404, 422)


def test_a_bots_seat_is_given_to_nobody(server: Server) -> None:
    people = server.seated(axis="admiral")
    answer = people["host"].post(people["host"].at("/reseat"), {"name": "axis"})
    assert answer.status_code in (404, 422), f"an invitation that nobody can use was given: {answer.text}"
    assert words(answer)


# -- a program plays ----------------------------------------------------------------------------------------------


def test_a_program_plays_a_whole_game_with_its_token(server: Server) -> None:
    """Two programs, each with nothing but a token, play a battle to its end; nothing but the API is asked."""
    maker = server.visitor()
    text = scenario_text("river-plate").decode()
    game = maker.post("/api/games", {"text": text, "axis": "person", "allies": "person"}).json()
    programs = {}
    for side in Side:
        seat = maker.post("/api/claim", {"token": game["invitations"][side.value].partition("#")[2]}).json()
        programs[side.value] = program(server, seat["token"], game["game"])
    given = 0
    while given < 500:
        moved = False
        for side, visitor in programs.items():
            view = visitor.view()
            assert view["seat"] == side
            asked = view["question"]
            if not asked:
                continue
            draft = visitor.post(visitor.at("/check"), {"answer": asked["form"]["default"]})
            assert draft.json() == {"legal": True}
            answer = visitor.answer(asked["form"]["default"], question=asked["number"])
            assert answer.status_code == 200, answer.text
            assert answer.json()["version"] == visitor.view()["version"]
            given, moved = given + 1, True
        if not moved:
            break
    for visitor in programs.values():
        view = visitor.view()
        assert view["over"]
        assert view["victor"] in ("axis", "allies", "", None)
        assert view["results"]
        assert visitor.get(visitor.at("/report")).status_code == 200


def test_a_program_needs_no_page_to_come_from_and_a_browser_does(server: Server) -> None:
    axis = server.seated()["axis"]
    assert program(server, axis.token, axis.game).post(axis.at("/check"), {"answer": {}}).status_code == 200
    axis.headers = {}
    assert axis.post(axis.at("/check"), {"answer": {}}).status_code == 403
    both = program(server, axis.token, axis.game)
    both.client.cookies.set("anything", "at all")
    assert both.post(axis.at("/check"), {"answer": {}}).status_code == 403


@pytest.mark.parametrize(
    "header", ["Bearer ", "Bearer nonsense", "bearer", "Basic YTpi", "Bearer \xe9", "Bearer x" * 99]
)
def test_a_wrong_token_is_nobody(server: Server, header: str) -> None:
    axis = server.seated()["axis"]
    visitor = server.visitor()
    raw = header.encode("latin-1")
    answer = visitor.client.get(axis.at(), headers=[(b"authorization", raw)])
    assert answer.status_code == 404
    assert words(answer)


@pytest.mark.parametrize("game", ["nobodys-game", "Ünknown", "\u2603", "a%00b", "a%0d%0ab", "x" * 3_000])
def test_a_game_of_any_name_is_simply_unknown(server: Server, game: str) -> None:
    axis = server.seated()["axis"]
    answer = program(server, axis.token, axis.game).get(f"/api/games/{game}")
    assert answer.status_code == 404
    assert words(answer)


def test_old_cookies_are_no_guesses(tmp_path: Path) -> None:
    """A browser keeps the cookies of games long gone: its lobby opens all the same, and it may claim another seat."""
    with serving(tmp_path, Limits()) as server:
        links = server.new_game()["invitations"]
        visitor = server.visitor("203.0.113.77")
        for number in range(40):
            visitor.client.cookies.set(f"seat-{number:022}-axis", f"{number:043}")
        for _ in range(3):
            assert visitor.get("/").status_code == 200
            assert visitor.get("/api/games").status_code == 200
        for number in range(30):
            assert visitor.get(f"/api/games/{number:022}").status_code == 404
        assert visitor.claim(links["axis"]).seat == "axis"
