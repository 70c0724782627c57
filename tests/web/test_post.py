"""A game by post on a server: turn files, replies, answers ahead, drafts, notepads, reminders, and what is new."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot.web.desks as desks_module
import flagplot.web.post as post_module
import flagplot.web.release as release_module
from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.play.correspondence import Reply, Turn, read_turn, reply_file, turn_file
from flagplot.web.backup import backup, restore, verify
from flagplot.web.database import Database
from flagplot.web.desks import Desks
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from tests.cli.forked import nursery
from tests.web.databases import KINDS, ready_database
from tests.web.server import Client, Sitting, Table, seated
from tests.web.server import Server as Process
from tests.web.test_standing_orders import begun, by_hand
from tests.web.visitors import Server, Visitor, new_id, serving, words

BOT = AdmiralBot()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("post")) as running:
        yield running


@pytest.fixture(params=KINDS)
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    url = ready_database(request.param, tmp_path)
    database = Database(url)
    migrate(database)
    yield Hall(database, Settings(url))
    database.close()


class Clock:
    """Hours pass when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_800_000_000.0
        for module in (desks_module, post_module):
            monkeypatch.setattr(module, "time", self)
        monkeypatch.setattr(release_module.Clock, "time", lambda clock: self.time())

    def time(self) -> float:
        return self.now

    def hours(self, number: float) -> None:
        self.now += 3600 * number


def turn_of(visitor: Visitor) -> Turn:
    answer = visitor.get(visitor.at("/turn-file"))
    assert answer.status_code == 200, answer.text
    return read_turn(answer.text)


def reply_to(turn: Turn, **more: Any) -> str:
    """A reply that takes what is offered."""
    assert turn.question is not None and turn.decision is not None
    wanted = {"id": new_id(), "question": turn.question.number, "answer": turn.decision.form.default} | more
    return reply_file(turn.head, Reply(**wanted))


def hand_in(visitor: Visitor, text: str) -> Any:
    return visitor.post(visitor.at("/turn-file"), {"text": text})


# -- turn files ---------------------------------------------------------------------------------------------------


def test_a_reply_is_taken_once_and_an_old_one_is_refused_with_the_one_that_is_needed(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    turn = turn_of(axis)
    text = reply_to(turn, say="by post")
    told = hand_in(axis, text).json()
    assert told["ok"] and told["said"].startswith("Taken: turn 1 of")
    assert axis.view()["notes"][-1]["text"] == "by post"
    again = hand_in(axis, text).json()
    assert again["said"].startswith("This reply had been taken already")
    assert server.hall.game(axis.game).game.question_number(Side.AXIS) == 1
    people["allies"].take_default()
    old = hand_in(axis, reply_to(turn))
    assert old.status_code == 422 or old.status_code == 409
    assert "this file is old: it is turn 1 of" in words(old) and "The one that is needed is turn 2 of" in words(old)


def test_a_file_is_its_seats_own_and_holds_no_token_and_no_key(server: Server) -> None:
    people = server.seated(referee=True)
    game = server.hall.game(people["axis"].game).game
    axis, allies = (people[seat].get(people[seat].at("/turn-file")).text for seat in ("axis", "allies"))
    for text, side in ((axis, Side.AXIS), (allies, Side.ALLIES)):
        assert {json.loads(line)["to"] for line in text.splitlines() if line.startswith('{"event"')} <= {
            "everyone",
            side,
        }
        for secret in (
            game.header.key,
            *(each.token for each in people.values()),
            *(each.recovery for each in people.values()),
        ):
            assert not secret or secret not in text
    for other in (people["host"], people["referee"], server.visitor()):
        other.game = people["axis"].game
        assert other.get(other.at("/turn-file")).status_code == 404
        assert other.get(other.at("/desk")).status_code == 404
        assert other.get(other.at("/catch-up")).status_code == 404
    stranger = server.visitor()
    stranger.game = people["axis"].game
    assert hand_in(stranger, reply_to(read_turn(axis))).status_code == 404
    assert hand_in(people["host"], reply_to(read_turn(axis))).json()["ok"]


def test_whoever_carries_a_reply_is_not_told_how_far_the_other_side_has_come(server: Server) -> None:
    people = server.seated()
    axis, allies = people["axis"], people["allies"]
    turn = turn_of(axis)
    told = hand_in(allies, reply_to(turn)).json()
    assert told == {
        "ok": True,
        "said": f"Taken: it was a reply of {turn.head.names[Side.AXIS]}.",
        "turn": None,
        "asked": False,
    }
    allies.take_default()
    axis.take_default()
    said = words(hand_in(allies, reply_to(turn)))
    assert said.endswith(f"The newest turn file of {turn.head.names[Side.AXIS]} is needed")
    forged = reply_file(
        turn.head.__class__(**{**as_fields(turn.head), "turn": 2}), Reply(id=new_id(), question=1, answer={})
    )
    assert words(hand_in(allies, forged)).startswith("this file was altered")
    assert server.hall.game(axis.game).game.question_number(Side.AXIS) == 2


def as_fields(head: Any) -> dict[str, Any]:
    return {name: getattr(head, name) for name in head.__struct_fields__}


def test_an_illegal_reply_is_refused_with_its_rule_and_changes_nothing(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    refused = hand_in(axis, reply_to(turn_of(axis), answer={"nobody": "nowhere"}))
    assert refused.status_code == 422 and "not among the things to be placed" in json.dumps(refused.json())
    refused = hand_in(axis, reply_to(turn_of(axis), ahead="dance: yes"))
    assert "line 1" in words(refused)
    assert hand_in(axis, "dear host").status_code == 422
    assert server.hall.game(axis.game).game.question_number(Side.AXIS) == 0
    people["host"].post(people["host"].at("/close"), {})
    turn = turn_of(axis)
    assert turn.head.over and turn.decision is None


def test_a_reply_carries_answers_ahead_orders_and_notes_in_one_transaction(hall: Hall) -> None:
    id = begun(hall)
    by_hand(hall, id, Side.ALLIES)
    turn = read_turn(_file(hall, id, Side.AXIS))
    reply = Reply(
        id=new_id(),
        question=0,
        answer=turn.decision.form.default if turn.decision else None,
        ahead="split: default\nwithdraw: ask",
        orders="number: default",
        notepad="beware of CG3",
    )
    told = post_module._taken(hall, id, turn.head, reply, "", mine=True)
    assert told["said"].startswith("Taken: turn 1 of Japan, and 1 later answer with it.")
    desk = Desks(hall).of(id, Side.AXIS)
    assert desk.ahead == "# answered: split: default\nwithdraw: ask" and desk.notepad == "beware of CG3"
    assert hall.standing.of(id, Side.AXIS).text == "number: default"
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 3  # numbered by order
    assert verify(hall.database).faults == []
    again = Hall(hall.database, hall.settings)
    assert Desks(again).of(id, Side.AXIS) == desk


def _file(hall: Hall, id: str, side: Side) -> str:
    with hall.holding(id) as live:
        return turn_file(live.game, side, **post_module._of_now(live, side, ""))


# -- answers ahead --------------------------------------------------------------------------------------------------


def test_answers_ahead_wait_are_used_once_and_are_struck_out_by_a_take_back(hall: Hall) -> None:
    id, desks = begun(hall), Desks(hall)
    desks.ahead(id, Side.AXIS, "number: default\nstrengthen: default\nsplit: default")
    assert hall.game(id).game.question_number(Side.AXIS) == 1  # the one that fits, at once
    assert desks.of(id, Side.AXIS).ahead.split("\n")[1] == "# answered: strengthen: default"
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 2
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 3
    assert all(line.startswith("#") for line in desks.of(id, Side.AXIS).ahead.split("\n"))
    desks.ahead(id, Side.AXIS, "number: default\nnumber: default")
    hall.undo(id, Side.AXIS, new_id())
    assert hall.game(id).game.decision(Side.AXIS) is not None  # it would be given again, and is not
    assert desks.of(id, Side.AXIS).ahead == "# number: default\n# number: default"
    with pytest.raises(Exception, match="line 1"):
        desks.ahead(id, Side.AXIS, "dance: yes")
    assert verify(hall.database).faults == []


def test_whoever_is_seated_anew_finds_answers_ahead_struck_out(server: Server) -> None:
    people = server.seated()
    axis, host = people["axis"], people["host"]
    axis.post(axis.at("/desk/ahead"), {"text": "withdraw: stay"})
    link = host.post(host.at("/reseat"), {"name": "axis"}).json()["invitation"]
    new = server.visitor().claim(link)
    assert new.get(new.at("/desk")).json()["ahead"] == "# withdraw: stay"
    assert axis.get(axis.at("/desk")).status_code == 404


# -- the desk -------------------------------------------------------------------------------------------------------


def test_a_desk_is_kept_for_its_seat_in_both_kinds_of_database(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    id, desks = begun(hall), Desks(hall)
    desks.note(id, Side.AXIS, "Nagumo\nis late")
    desks.draft(id, Side.AXIS, 0, {"a": {"b": 1}})
    assert desks.remind(id, Side.AXIS, 12) == clock.now + 12 * 3600
    live = hall.game(id)
    desks.looked(live, Side.AXIS, "phone")
    desks.looked(live, Side.AXIS, "desk", 3)
    desk = desks.of(id, Side.AXIS)
    assert (desk.notepad, desk.draft) == ("Nagumo\nis late", {"question": 0, "answer": {"a": {"b": 1}}})
    assert desks.of(id, Side.ALLIES) == desks_module.Desk()
    with pytest.raises(Exception, match="no longer open"):
        desks.draft(id, Side.AXIS, 5, {})
    desks.draft(id, Side.AXIS, 5, None)
    for wrong in (-1, 24 * 61):
        with pytest.raises(Exception, match="60 days"):
            desks.remind(id, Side.AXIS, wrong)
    with pytest.raises(Exception, match="too many"):
        desks.note(id, Side.AXIS, "x" * 20_001)
    clock.hours(3)
    by_hand(hall, id, Side.AXIS)
    by_hand(hall, id, Side.ALLIES)
    found = {device: desks.caught_up(hall.game(id), Side.AXIS, device) for device in ("phone", "desk", "new")}
    count = {device: sum(len(part.news) + len(part.formal) for part in each.parts) for device, each in found.items()}
    assert count["desk"] > count["phone"] and count["new"] == 0 and found["new"].at is None
    assert found["phone"].at == clock.now - 3 * 3600
    backup(hall.database, tmp_path / "all.backup")
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    restore(other, tmp_path / "all.backup")
    assert Desks(Hall(other, hall.settings)).of(id, Side.AXIS).notepad == "Nagumo\nis late"
    other.close()


def test_what_was_taken_back_is_said(hall: Hall) -> None:
    id, desks = begun(hall), Desks(hall)
    for _ in range(3):
        by_hand(hall, id, Side.ALLIES)
        by_hand(hall, id, Side.AXIS)
    desks.looked(hall.game(id), Side.AXIS, "phone")
    assert desks.caught_up(hall.game(id), Side.AXIS, "phone").parts == []
    hall.undo(id, Side.AXIS, new_id(), agreed=True)
    found = desks.caught_up(hall.game(id), Side.AXIS, "phone")
    assert found.taken_back


def test_the_desk_over_http(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    people = server.seated()
    axis, allies = people["axis"], people["allies"]
    assert axis.get(axis.at("/catch-up")).json()["seconds"] is None
    axis.post(axis.at("/looked"), {})
    clock.hours(5)
    for _ in range(3):
        allies.take_default()
        axis.take_default()
    told = axis.get(axis.at("/catch-up")).json()
    assert told["seconds"] == 5 * 3600 and told["parts"] and not told["taken_back"]
    phone = axis.post(axis.at("/devices"), {"name": "phone"}).json()["token"]
    other = server.visitor()
    other.game, other.headers = axis.game, {"authorization": f"Bearer {phone}"}
    at_phone = other.client.get(other.at("/catch-up"), headers=other.headers).json()
    assert at_phone["seconds"] is None  # another device, which has seen nothing yet
    question = axis.view()["question"]
    draft = {"question": question["number"], "answer": question["form"]["default"]}
    assert axis.post(axis.at("/desk/draft"), draft).json() == {"ok": True}
    assert other.client.get(other.at("/desk"), headers=other.headers).json()["draft"] == draft
    assert turn_of(axis).own.draft == draft["answer"]
    assert axis.post(axis.at("/desk/draft"), draft | {"question": 7}).status_code in (409, 422)
    axis.take_default()
    assert axis.get(axis.at("/desk")).json()["draft"] is None
    assert axis.post(axis.at("/desk/notepad"), {"text": "secret thoughts"}).json()["notepad"] == "secret thoughts"
    assert axis.post(axis.at("/desk/reminder"), {"hours": 2}).json()["reminder"] == {"seconds": 7200, "due": False}
    clock.hours(3)
    assert axis.get(axis.at("/desk")).json()["reminder"] == {"seconds": 0, "due": True}
    assert axis.post(axis.at("/desk/reminder"), {"hours": 0}).json()["reminder"] is None
    for path in ("", "/desk", "/turn-file", "/download", "/report", "/catch-up"):
        assert "secret thoughts" not in allies.get(allies.at(path)).text
        assert "secret thoughts" not in people["host"].get(axis.at(path)).text
    for path in ("", "/board", "/post", "/orders"):
        assert "secret thoughts" not in allies.get(f"/games/{axis.game}{path}").text
    assert "secret thoughts" in axis.get(f"/games/{axis.game}/post").text
    assert turn_of(axis).own.notepad == "secret thoughts"
    assert server.visitor().get(f"/games/{axis.game}/post").status_code == 404
    assert "mailed to you" in people["host"].get(f"/games/{axis.game}/post").text


# -- a whole game on a real server ------------------------------------------------------------------------------------


@contextmanager
def running(kind: str, folder: Path) -> Iterator[Process]:
    """A server in a process of its own."""
    process = Process(ready_database(kind, folder), folder).start()
    yield process
    process.stop()


class ByFile:
    """A player who has nothing but turn files."""

    def __init__(self, client: Client, table: Table, seat: str) -> None:
        self.sitting = Sitting(client, table, seat)
        self.taken = 0

    def turn(self) -> tuple[str, Turn]:
        told = self.sitting.client.get(f"{self.sitting.table.path}/turn-file")
        assert told.status == 200, told
        text = told.body.decode()
        return text, read_turn(text)

    def hand_in(self, text: str) -> dict[str, Any]:
        told = self.sitting.client.post(f"{self.sitting.table.path}/turn-file", {"text": text})
        assert told.status == 200, told
        self.taken += 1
        body: dict[str, Any] = told.body
        return body


def play_by_file(client: Client, scenario: str, folder: Path, by_command: int) -> int:
    """One side played to the end with turn files against the admiral; how many replies were taken."""
    table = seated(client, scenario, axis="admiral")
    player = ByFile(client, table, "allies")
    seen = -1
    while True:
        text, turn = player.turn()
        assert len(turn.events) >= turn.own.seen
        if turn.head.over:
            return player.taken
        assert turn.question is not None and turn.decision is not None, "against the admiral something is always asked"
        assert turn.own.seen >= seen
        seen = turn.own.seen
        if player.taken % by_command == 0:  # as a person would: with the command, in a process of its own
            (folder / "a.turn").write_text(text, "utf-8")
            done = nursery().run(["answer", "a.turn"], folder, "\n\n")
            assert done.returncode == 0, done.stderr
            reply = (folder / "a.reply").read_text("utf-8")
        else:
            answer = BOT.choose(turn.picture(), turn.decision)
            reply = reply_file(turn.head, Reply(id=new_id(), question=turn.question.number, answer=answer))
        player.hand_in(reply)


def test_a_whole_carrier_battle_is_played_with_turn_files_against_the_admiral(tmp_path: Path) -> None:
    with running("sqlite", tmp_path) as process:
        assert play_by_file(process.client(), "midway", tmp_path, 20) > 15


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scenario", ["coral-sea", "operation-midway", "operation-rendezvous"])
def test_whole_operations_are_played_with_turn_files(kind: str, scenario: str, tmp_path: Path) -> None:
    with running(kind, tmp_path) as process:
        assert play_by_file(process.client(), scenario, tmp_path, 20) > 15


def test_a_whole_operation_is_played_with_turn_files_against_the_admiral(tmp_path: Path) -> None:
    with running("sqlite", tmp_path) as process:
        assert play_by_file(process.client(), "operation-norwegian-sea", tmp_path, 20) > 3  # as the dice fall


def test_random_scraps_of_files_are_refused_and_never_break_anything(server: Server) -> None:
    people = server.seated()
    axis = people["axis"]
    text, random = reply_to(turn_of(axis)), Random(5)
    sealed = range(text.index("{"), text.index('{"line":"reply"') - 1)  # the remark above is anybody's
    for _ in range(60):
        begins = random.choice(sealed)
        ends = random.randrange(begins + 1, len(text))
        scrap = text[:begins] + random.choice(["", "x", '"', "}", "\n"]) + text[ends:]
        told = hand_in(axis, scrap)
        assert told.status_code in (400, 409, 422), scrap
        assert words(told)
    assert hand_in(axis, text).json()["ok"]
