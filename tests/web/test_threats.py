"""The threats of trust.md from opponents and spectators, each by its id. Strangers are in test_strangers.py, links and logs in
test_links_and_logs.py; docs/security.md lists them all."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from flagplot.core.errors import TapeError
from flagplot.core.sides import Side
from flagplot.model.picture import is_told
from flagplot.scenarios.loader import scenario_text
from flagplot.web import streams
from flagplot.web.hall import Hall
from flagplot.web.settings import Limits
from tests.properties.test_swap import TAKEN_AS_OFFERED, build
from tests.web.described import Operation, operations, pages, unsafe
from tests.web.visitors import OURS, Listener, Server, Visitor, new_id, play_on, serving, words

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
        "cookie under another name": (
            server.visitor(),
            {"cookie": f"seat-{theirs['axis'].game}-axis={mine['axis'].token}"},
        ),
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


# -- opponents, continued: hashes, time, take-backs, hostages ---------------------------------------------------


def test_opp_3_no_hash_of_secrets_leaves_while_the_game_is_open(server: Server) -> None:
    """Neither the running check, nor the set-up's hash, nor the key both are made with."""
    people = server.seated(spectators=True, referee=True)
    play_on(people, 6)
    game = server.hall.game(people["axis"].game).game
    secret = [game.table.check(), game.header.setup_hash, game.header.key]
    secret += [line.check for line in game.journal if getattr(line, "check", "")]
    for who in ("axis", "allies", "host"):
        for path, answer in everything_of(people[who], server).items():
            found = [each for each in secret if each and each.encode() in answer.content]
            assert found == [], f"{who} reads it at {path}"


def test_opp_4_one_wording_while_anybody_decides(server: Server) -> None:
    """Whoever is waited for, and whatever about: the enemy, a spectator and the host read the same words."""
    people = server.seated(spectators=True)
    play_on(people, 4)
    axis, allies = people["axis"], people["allies"]
    axis.take_default()
    words_now = {axis.view()["waiting"], people["host"].view()["waiting"]}
    assert words_now == {"Orders are being written."}
    asked = allies.view()["question"]
    allies.post(allies.at("/check"), {"answer": {}})
    assert axis.view()["waiting"] == "Orders are being written."
    assert asked == allies.view()["question"]


def test_opp_4_the_heartbeat_of_a_stream_has_a_rhythm_of_its_own(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that is woken for somebody else's secret decision beats no later for it."""
    monkeypatch.setattr(streams, "HEARTBEAT", 0.4)
    people = server.seated()
    play_on(people, 4)
    axis = people["axis"]
    with closing(Listener(axis, axis.at("/stream"))) as stream:
        stream.wait(1)
        began = time.monotonic()
        while time.monotonic() - began < 1.5:
            server.hall.wake(axis.game)  # as after a decision that axis is not told of
            time.sleep(0.05)
        assert stream.text.count(": still here") >= 2, "its silence tells that something has happened"


def test_opp_5_nothing_is_answered_for_a_person_who_plays_another(server: Server) -> None:
    """A question with one legal answer is put all the same, as the one with many is: no pause is missing."""
    people = server.seated()
    sole = 0
    for _ in range(12):
        for side in Side:
            decision = server.hall.game(people["axis"].game).game.decision(side)
            if decision is not None and decision.form.sole_answer() is not None:
                sole += 1
                assert people[side.value].view()["question"] is not None
        play_on(people, 1)
    assert sole, "this battle proves nothing"


def test_opp_7_what_was_rolled_is_not_rolled_again(server: Server) -> None:
    """A take-back to which the enemy agreed: the dice that come after are others of the game's own stream, never chosen."""
    people = server.seated()
    while not any("dice" in line for line in people["axis"].view()["log"]):
        play_on(people, 1)
    axis, allies = people["axis"], people["allies"]
    draws = [line for line in server.hall.game(axis.game).game.journal if hasattr(line, "dice")]
    asker, other = (
        (axis, allies) if axis.post(axis.at("/undo"), {"id": new_id()}).json().get("asked") else (allies, axis)
    )
    if asker is allies:
        assert allies.post(allies.at("/undo"), {"id": new_id()}).json()["asked"]
    assert other.post(other.at("/undo"), {"id": new_id(), "agree": True}).json()["ok"]
    journal = server.hall.game(axis.game).game.journal
    assert [line for line in journal if hasattr(line, "dice")][: len(draws)] == draws, "undone entries stay"
    play_on(people, 8)
    later = [line for line in server.hall.game(axis.game).game.journal if hasattr(line, "dice")]
    numbers = [line.draw for line in later]
    assert len(set(numbers)) == len(numbers) > len(draws), "no draw is used twice"


def test_opp_7_one_does_not_pester_the_enemy_with_requests(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(takebacks_a_minute=2)) as server:
        people = server.seated()
        play_on(people, 6)
        axis = people["axis"]
        statuses = [axis.post(axis.at("/undo"), {"id": new_id()}) for _ in range(3)]
        assert [each.status_code for each in statuses] == [200, 200, 429]
        assert int(statuses[-1].headers["retry-after"]) >= 1
        assert words(statuses[-1])


@pytest.mark.parametrize("who", ["axis", "host"])
def test_opp_9_one_can_always_leave_also_when_the_rules_fail(
    server: Server, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    people = server.seated(referee=True)
    play_on(people, 3)
    secret = "Prinz Eugen is in group 3"

    def broken(*_: Any) -> None:
        raise TapeError(secret)

    monkeypatch.setattr(Hall, "read", broken)
    with server.hall._lock:
        server.hall._live.clear()
    stuck = people[who].get(people[who].at())
    assert stuck.status_code == 500
    assert secret not in stuck.text, "what is on the tape is told to nobody"
    assert people["referee"].post(people[who].at("/close")).status_code == 404, "a referee decides nothing"
    assert people[who].post(people[who].at("/close"), {"why": "it is stuck"}).json() == {"ok": True}
    assert people[who].post(people[who].at("/close")).status_code == 409
    monkeypatch.undo()
    assert "it is stuck" in people["allies"].view()["closed"]


def test_spec_2_a_spectator_says_nothing(server: Server) -> None:
    """No address lets somebody without a seat write anything that a player reads."""
    people = server.seated(spectators=True)
    before = people["axis"].view()
    watching = server.visitor()
    for each in unsafe(server):
        if "{game}" in each.path:
            body = {} if each.body is None else dict(each.body)
            for field in ("name", "why", "say", "text"):
                body |= {field: "attack their left"} if field in body else {}
            answer = watching.client.request(each.method, each.at(people["axis"].game), json=body, headers=OURS)
            assert answer.status_code in (404, 409, 422), f"{each}: {answer.status_code}"
    assert people["axis"].view() == before
