"""Every address of the API: what it gives, and what it refuses, in words. Seats are in test_seats.py, limits in test_api_limits.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flagplot.play import saves
from flagplot.scenarios.loader import scenario_text
from tests.web.visitors import ADDRESS, Listener, Server, Visitor, new_id, play_on, serving, words

BROKEN = scenario_text("denmark-strait").decode().replace("Bismarck", "Bismark")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("api")) as running:
        yield running


@pytest.fixture(scope="module")
def finished(server: Server) -> dict[str, Visitor]:
    people = server.seated(spectators=True)
    play_on(people)
    assert people["axis"].view()["over"]
    return people


# -- battles -------------------------------------------------------------------------------------------


def test_battles_are_listed_with_what_they_are_about(server: Server) -> None:
    listed = server.visitor().get("/api/scenarios").json()
    assert {"midway", "denmark-strait"} <= {each["name"] for each in listed}
    assert all(each["title"] and each["summary"] for each in listed)


def test_the_text_of_a_battle_can_be_had_and_passes_the_check(server: Server) -> None:
    told = server.visitor().get("/api/scenarios/midway").json()
    checked = server.visitor().post("/api/check", {"text": told["text"]})
    assert checked.status_code == 200
    assert checked.json()["ok"] is True
    assert checked.json()["title"].startswith("Midway")


def test_a_battle_that_does_not_exist_is_refused_in_words(server: Server) -> None:
    answer = server.visitor().get("/api/scenarios/atlantis")
    assert answer.status_code in (404, 422)
    assert "atlantis" in words(answer)


@pytest.mark.parametrize("wrong", [BROKEN, "this is not TOML", "", "format = 99", "[" * 5_000, "a\0b = 1", "x = 1e999"])
def test_a_text_that_cannot_be_played_says_where_and_why(server: Server, wrong: str) -> None:
    answer = server.visitor().post("/api/check", {"text": wrong})
    if "\0" not in wrong:  # which is refused before it is read
        assert answer.status_code == 200, answer.text
        assert answer.json()["ok"] is False
    assert answer.status_code in (200, 422)
    assert words(answer)


def test_a_misspelt_ship_is_named_with_its_place(server: Server) -> None:
    assert "Bismark" in server.visitor().post("/api/check", {"text": BROKEN}).json()["refused"]


# -- making games ----------------------------------------------------------------------------------------


def test_a_new_game_gives_one_invitation_for_each_person_and_one_for_the_host(server: Server) -> None:
    both = server.new_game()
    assert set(both["invitations"]) == {"axis", "allies", "host"}
    alone = server.new_game(allies="admiral")
    assert set(alone["invitations"]) == {"axis", "host"}
    for told in (both, alone):
        assert told["address"] == f"{ADDRESS}/games/{told['game']}"
        for link in told["invitations"].values():
            assert link.startswith(f"{ADDRESS}/join#")


def test_a_game_can_be_made_from_a_text(server: Server) -> None:
    game = server.new_game(scenario="", text=scenario_text("river-plate").decode(), order_of_battle="hidden")
    assert server.visitor().claim(game["invitations"]["axis"]).view()["question"]


def test_two_bots_play_by_themselves(server: Server) -> None:
    people = server.seated(axis="random", allies="admiral")
    assert set(people) == {"host"}
    assert people["host"].view()["over"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"scenario": "atlantis"},
        {"text": "this is not TOML"},
        {"text": BROKEN},
        {"options": {"no_such_option": "yes"}},
        {"options": {"x" * 50: "y"}},
        {"axis": "nobody"},
        {"order_of_battle": "secret"},
        {"scenario": 7},
        {"surprise": True},
        {"text": "x" * 200_001},
    ],
)
def test_a_game_that_cannot_be_made_is_refused_in_words(server: Server, wrong: dict[str, Any]) -> None:
    answer = server.visitor().post("/api/games", wrong)
    assert answer.status_code in (404, 422), answer.text
    assert words(answer)


def test_only_listed_games_are_listed(server: Server) -> None:
    shown, hidden = server.new_game(listed=True), server.new_game()
    ids = [game["id"] for game in server.visitor().get("/api/games").json()]
    assert shown["game"] in ids
    assert hidden["game"] not in ids


# -- looking -----------------------------------------------------------------------------------------------


def test_each_side_sees_its_own_question_and_no_other(server: Server) -> None:
    people = server.seated(scenario="midway")
    axis, allies = people["axis"].view(), people["allies"].view()
    assert axis["seat"] == "axis"
    assert axis["question"]["form"] != allies["question"]["form"]
    assert people["host"].view()["question"] is None
    assert people["host"].view()["host"] is True
    assert axis["host"] is False


def test_the_log_can_be_had_from_where_one_has_read(server: Server) -> None:
    people = server.seated()
    play_on(people, 6)
    whole = people["axis"].view()["log"]
    tail = people["axis"].get(people["axis"].at("?log_from=4")).json()["log"]
    assert tail == whole[4:]
    assert people["axis"].get(people["axis"].at("?log_from=-3")).json()["log"] == whole
    assert people["axis"].get(people["axis"].at("?log_from=four")).status_code == 422


def test_spectators_see_the_public_side_if_the_game_lets_them(server: Server) -> None:
    watched, private = server.seated(spectators=True), server.seated()
    seen = server.visitor().get(watched["axis"].at())
    assert seen.status_code == 200
    assert seen.json()["seat"] == "spectator"
    assert seen.json()["question"] is None
    assert server.visitor().get(private["axis"].at()).status_code == 404
    for path in ("/report", "/download", "/replay", "/stream"):
        assert server.visitor().get(private["axis"].at(path)).status_code == 404
        if path != "/stream":
            assert server.visitor().get(watched["axis"].at(path)).status_code == 200


def test_a_stream_says_at_once_where_one_is_and_then_what_has_changed(server: Server) -> None:
    people = server.seated()
    listener = Listener(people["allies"], people["allies"].at("/stream"))
    try:
        assert listener.wait(1) == [people["allies"].view()["version"]]
        assert listener.headers["content-type"].startswith("text/event-stream")
        play_on(people, 6)
        now = people["allies"].view()["version"]
        listener.wait_for(now)
        assert listener.changes()[-1] == now
        assert len(set(listener.changes())) == len(listener.changes()) > 1
    finally:
        listener.close()


def test_a_stream_does_not_repeat_what_one_has_seen(server: Server) -> None:
    people = server.seated()
    seen = people["axis"].view()["version"]
    listener = Listener(people["axis"], people["axis"].at("/stream"), f"seen={seen}")
    try:
        assert listener.wait(1, 0.2) == []
        people["axis"].take_default()
        assert len(listener.wait(1)) == 1
    finally:
        listener.close()
    assert server.app.state.streams.open == 0


# -- answering --------------------------------------------------------------------------------------------


def numbering(server: Server) -> dict[str, Visitor]:
    """A game in which both sides number their groups: the allies have two ways."""
    people = server.seated()
    play_on(people, 4)
    assert people["allies"].view()["question"]["kind"] == "number"
    return people


def test_a_legal_answer_moves_the_game_on(server: Server) -> None:
    people = numbering(server)
    before = people["allies"].view()
    answer = people["allies"].take_default()
    assert answer is not None
    assert answer.status_code == 200
    assert answer.json() == {"ok": True, "version": people["allies"].view()["version"]}
    assert people["allies"].view()["version"] != before["version"]


@pytest.mark.parametrize("wire", [{"nobody": "1"}, "sideways", None, 7, [], {}, True, [["1"]], {"": {"": 10**30}}])
def test_an_illegal_answer_is_refused_with_its_rule_and_changes_nothing(server: Server, wire: Any) -> None:
    people = numbering(server)
    before = people["allies"].view()
    answer = people["allies"].answer(wire)
    assert answer.status_code == 422
    assert answer.json()["rule"] == "22.423"
    assert answer.json()["reason"] in words(answer)
    assert people["allies"].view() == before


def test_one_who_is_not_asked_cannot_answer(server: Server) -> None:
    people = numbering(server)
    people["axis"].take_default()
    assert people["axis"].view()["question"] is None
    number = people["allies"].view()["question"]["number"] + 1
    answer = people["axis"].answer({}, question=number)
    assert answer.status_code in (409, 422)
    assert words(answer)


def test_an_answer_to_a_closed_question_is_stale(server: Server) -> None:
    people = numbering(server)
    asked = people["allies"].view()["question"]
    for number in (asked["number"] - 1, asked["number"] + 1, 1_000_000):
        answer = people["allies"].answer(asked["form"]["default"], question=number)
        assert answer.status_code == 409
        assert words(answer)


def test_the_same_decision_sent_again_is_answered_as_it_was_and_counts_once(server: Server) -> None:
    people = numbering(server)
    allies, id = people["allies"], new_id()
    asked = allies.view()["question"]
    first = allies.answer(asked["form"]["default"], id=id, question=asked["number"])
    version = allies.view()["version"]
    again = allies.answer(asked["form"]["default"], id=id, question=asked["number"])
    changed = allies.answer("something else", id=id, question=99)
    assert first.status_code == again.status_code == changed.status_code == 200
    assert first.json() == again.json() == changed.json()
    assert allies.view()["version"] == version
    other = people["axis"].answer("x", id=id, question=0)
    assert other.status_code == 409
    assert words(other)


def test_a_refused_decision_may_be_sent_again_put_right(server: Server) -> None:
    people, id = numbering(server), new_id()
    assert people["allies"].answer("sideways", id=id).status_code == 422
    asked = people["allies"].view()["question"]
    assert people["allies"].answer(asked["form"]["default"], id=id).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"question": 0, "answer": "x"},
        {"id": "short", "question": 0, "answer": "x"},
        {"id": "x" * 65, "question": 0, "answer": "x"},
        {"id": "with space and\nline", "question": 0, "answer": "x"},
        {"id": "i" * 20, "question": -1, "answer": "x"},
        {"id": "i" * 20, "question": 0},
        {"id": "i" * 20, "question": 0, "answer": "x", "say": "s" * 501},
        {"id": "i" * 20, "question": 0, "answer": "x", "side": "axis"},
        [],
        None,
        "answer",
    ],
)
def test_a_body_of_another_shape_is_refused_in_words(server: Server, body: Any) -> None:
    people = numbering(server)
    answer = people["allies"].send(people["allies"].at("/answers"), json.dumps(body).encode())
    assert answer.status_code == 422
    assert words(answer)


def test_a_line_of_text_beside_a_move_is_read_by_both(server: Server) -> None:
    people = numbering(server)
    asked = people["allies"].view()["question"]
    people["allies"].answer(asked["form"]["default"], say="Good hunting <b>&</b>")
    for visitor in people.values():
        (note,) = visitor.view()["notes"]
        assert (note["seat"], note["text"]) == ("allies", "Good hunting <b>&</b>")


def test_a_draft_is_looked_at_and_not_given(server: Server) -> None:
    people = numbering(server)
    allies = people["allies"]
    before = allies.view()
    default = before["question"]["form"]["default"]
    assert allies.post(allies.at("/check"), {"answer": default}).json() == {"legal": True}
    refused = allies.post(allies.at("/check"), {"answer": "sideways"})
    assert refused.status_code == 200
    assert refused.json()["legal"] is False
    assert refused.json()["rule"] == "22.423"
    assert allies.view() == before
    people["axis"].take_default()
    nothing = people["axis"].post(people["axis"].at("/check"), {"answer": default})
    assert nothing.status_code == 409
    assert words(nothing)


# -- taking back ---------------------------------------------------------------------------------------------


def test_a_decision_nobody_could_act_on_is_taken_back_freely(server: Server) -> None:
    people = numbering(server)
    allies = people["allies"]
    before = allies.view()
    allies.take_default()
    id = new_id()
    undone = allies.post(allies.at("/undo"), {"id": id})
    assert undone.status_code == 200
    assert undone.json()["ok"] is True
    after = allies.view()
    assert after["question"]["kind"] == before["question"]["kind"]
    assert after["board" if "board" in after else "sides"] == before["board" if "board" in before else "sides"]
    assert allies.post(allies.at("/undo"), {"id": id}).json() == undone.json()
    assert allies.view() == after


def test_with_nothing_to_take_back_that_is_said(server: Server) -> None:
    people = server.seated()
    answer = people["allies"].post(people["allies"].at("/undo"), {"id": new_id()})
    assert answer.status_code == 422
    assert "nothing to take back" in words(answer)


def beyond_the_barrier(server: Server) -> dict[str, Visitor]:
    """Both have numbered their groups, and what followed was shown to both."""
    people = numbering(server)
    people["allies"].take_default()
    people["axis"].take_default()
    return people


def test_beyond_the_barrier_the_enemy_is_asked_and_may_agree(server: Server) -> None:
    people = beyond_the_barrier(server)
    axis, allies = people["axis"], people["allies"]
    before = allies.view()
    asked = allies.post(allies.at("/undo"), {"id": new_id()})
    assert asked.status_code == 200
    assert asked.json() == {"ok": False, "asked": True}
    assert (allies.view()["takeback"], axis.view()["takeback"]) == ("me", "enemy")
    assert allies.view()["question"] == before["question"]
    agreed = axis.post(axis.at("/undo"), {"id": new_id(), "agree": True})
    assert agreed.status_code == 200
    assert agreed.json()["ok"] is True
    assert allies.view()["question"]["kind"] == "number"
    assert allies.view()["takeback"] == axis.view()["takeback"] == ""


def test_agreeing_tells_ones_own_version_and_never_the_enemys(server: Server) -> None:
    people = numbering(server)
    axis, allies = people["axis"], people["allies"]
    axis.take_default()
    allies.take_default()
    allies.post(allies.at("/undo"), {"id": new_id()})
    agreed = axis.post(axis.at("/undo"), {"id": new_id(), "agree": True})
    assert agreed.status_code == 200, agreed.text
    assert axis.view()["version"] != allies.view()["version"], "the allies' answer alone was taken back"
    assert agreed.json()["version"] == axis.view()["version"]


def test_an_agreement_sent_again_is_answered_as_it_was(server: Server) -> None:
    people = beyond_the_barrier(server)
    axis, allies = people["axis"], people["allies"]
    allies.post(allies.at("/undo"), {"id": new_id()})
    id = new_id()
    first = axis.post(axis.at("/undo"), {"id": id, "agree": True})
    again = axis.post(axis.at("/undo"), {"id": id, "agree": True})
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()


def test_a_version_never_means_two_different_things(server: Server) -> None:
    """A device that was away while something was taken back and answered otherwise must notice."""
    people = numbering(server)
    axis, allies = people["axis"], people["allies"]
    axis.take_default()
    first, second = (item["key"] for item in allies.view()["question"]["form"]["items"])
    assert allies.answer({first: "1", second: "2"}).status_code == 200
    seen = allies.view()
    allies.post(allies.at("/undo"), {"id": new_id()})
    axis.post(axis.at("/undo"), {"id": new_id(), "agree": True})
    assert allies.answer({first: "2", second: "1"}).status_code == 200
    now = allies.view()
    assert now["sides"] != seen["sides"]
    assert now["version"] != seen["version"], f"{now['version']} is said of two different boards"


def test_agreeing_to_nothing_and_to_ones_own_request_is_refused(server: Server) -> None:
    people = beyond_the_barrier(server)
    axis, allies = people["axis"], people["allies"]
    assert axis.post(axis.at("/undo"), {"id": new_id(), "agree": True}).status_code == 409
    allies.post(allies.at("/undo"), {"id": new_id()})
    mine = allies.post(allies.at("/undo"), {"id": new_id(), "agree": True})
    assert mine.status_code == 409
    assert words(mine)


def test_a_new_decision_ends_the_request_to_take_back(server: Server) -> None:
    people = beyond_the_barrier(server)
    people["allies"].post(people["allies"].at("/undo"), {"id": new_id()})
    people["axis"].take_default()
    assert people["axis"].view()["takeback"] == ""


def test_against_a_bot_everything_can_be_taken_back(server: Server) -> None:
    people = server.seated(axis="admiral")
    play_on(people, 2)
    asked = people["allies"].view()["question"]
    people["allies"].take_default()
    undone = people["allies"].post(people["allies"].at("/undo"), {"id": new_id()})
    assert undone.json()["ok"] is True
    assert people["allies"].view()["question"] == asked


# -- ending -------------------------------------------------------------------------------------------------


def test_a_player_may_resign_and_the_game_can_still_be_looked_at(server: Server) -> None:
    people = numbering(server)
    assert people["allies"].post(people["allies"].at("/close"), {"why": "my train"}).json() == {"ok": True}
    for visitor in people.values():
        told = visitor.view()
        assert "resigns: my train" in told["closed"]
        assert told["question"] is None
    late = people["axis"].answer({}, question=2)
    assert late.status_code == 409
    assert "closed" in words(late)
    assert people["axis"].post(people["axis"].at("/undo"), {"id": new_id()}).status_code == 409
    assert people["axis"].post(people["axis"].at("/check"), {"answer": {}}).status_code == 409
    assert people["axis"].get(people["axis"].at("/report")).status_code == 200


def test_the_host_may_close(server: Server) -> None:
    people = server.seated()
    people["host"].post(people["host"].at("/close"))
    assert people["axis"].view()["closed"] == "closed by the host"


def test_what_has_ended_stays_as_it_ended(server: Server, finished: dict[str, Visitor]) -> None:
    people = server.seated()
    people["allies"].post(people["allies"].at("/close"))
    said = people["axis"].view()["closed"]
    again = people["axis"].post(people["axis"].at("/close"), {"why": "no, I do"})
    assert again.status_code == 409
    assert words(again)
    assert people["axis"].view()["closed"] == said
    over = finished["axis"].post(finished["axis"].at("/close"))
    assert over.status_code == 409
    assert finished["axis"].view()["closed"] == ""


def test_strangers_cannot_close(server: Server) -> None:
    people = server.seated(spectators=True)
    assert server.visitor().post(people["axis"].at("/close")).status_code == 404


# -- reports and recordings ----------------------------------------------------------------------------------


def test_the_report_is_text_to_keep(server: Server, finished: dict[str, Visitor]) -> None:
    answer = finished["axis"].get(finished["axis"].at("/report"))
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "As the referee saw it" in answer.text
    people = numbering(server)
    open_game = people["axis"].get(people["axis"].at("/report")).text
    assert "As the referee saw it" not in open_game


def test_a_download_is_my_view_and_afterwards_the_whole_recording(server: Server, finished: dict[str, Visitor]) -> None:
    recording = finished["axis"].get(finished["axis"].at("/download"))
    assert recording.headers["content-disposition"] == 'attachment; filename="battle.flagplot"'
    assert saves.read(recording.content).over
    people = numbering(server)
    mine = people["axis"].get(people["axis"].at("/download"))
    assert mine.headers["content-disposition"].startswith("attachment")
    assert json.loads(mine.content)["seat"] == "axis"


def test_a_replay_has_any_chair_only_when_all_is_over(server: Server, finished: dict[str, Visitor]) -> None:
    told = {
        seat: finished["axis"].get(finished["axis"].at(f"/replay?seat={seat}")).json()
        for seat in ("axis", "allies", "referee", "spectator")
    }
    assert {seat: each["seat"] for seat, each in told.items()} == {seat: seat for seat in told}
    assert len(told["referee"]["steps"]) > len(told["spectator"]["steps"])
    people = numbering(server)
    for seat in ("allies", "referee", "nobody"):
        assert people["axis"].get(people["axis"].at(f"/replay?seat={seat}")).json()["seat"] == "axis"
