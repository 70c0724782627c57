"""Standing orders on a server: kept for a seat, shown to nobody else, answering after each commit, surviving everything."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json as packing
from sqlalchemy import select, update

import flagplot.web.hall as hall_module
from flagplot.core.sides import Side
from flagplot.core.tape import Answered, Line
from flagplot.play.decision_kinds import KINDS as EVERY
from flagplot.play.order_examples import example_orders, example_titles
from flagplot.play.standing_orders import MOST_TEXT
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web import standing
from flagplot.web.backup import backup, restore, verify
from flagplot.web.database import DECISIONS, JOURNAL, STANDING_ORDERS, Database
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from flagplot.web.standing import BY_HAND, MOST_AT_ONCE, SOMEBODY_NEW, TAKEN_BACK, TOO_MANY, UNREADABLE
from tests.web.databases import KINDS, new_database, ready_database
from tests.web.faults import WAYS, Told, house
from tests.web.history import stored
from tests.web.server import Lost, Table, decision_id, people_at, seated
from tests.web.server import Server as Process
from tests.web.swapping import SeededGame
from tests.web.test_faults import asked_at, assert_memory_is_journal, decide, every_call, open_table
from tests.web.visitors import Listener, Server, Visitor, new_id, serving

PEOPLE = dict.fromkeys(Side, "person")
FIRST = ("strengthen: default", "split: default", "number: default")  # how a battle begins


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("orders")) as running:
        yield running


@pytest.fixture(params=KINDS)
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    url = ready_database(request.param, tmp_path)
    database = Database(url)
    migrate(database)
    yield Hall(database, Settings(url))
    database.close()


def begun(hall: Hall, scenario: str = "midway") -> str:
    found = shipped_scenario(scenario)
    return hall.create(found.setup, scenario=found.name, options=found.options, players=PEOPLE).id


def by_hand(hall: Hall, id: str, side: Side) -> None:
    """Answer what is open to a side as the form offers."""
    live = hall.game(id)
    decision = live.game.decision(side)
    assert decision is not None
    hall.submit(id, side, decision_id(), live.game.question_number(side), decision.form.default)


def decisions(hall: Hall, id: str) -> list[tuple[str | None, Line]]:
    with hall.database.read() as connection:
        rows = connection.execute(select(JOURNAL).where(JOURNAL.c.game == id).order_by(JOURNAL.c.n)).mappings().all()
    return [(row["decision"], packing.decode(row["line"], type=Line)) for row in rows]


# -- answering --------------------------------------------------------------------------------------


def test_what_orders_answer_is_in_the_journal_as_if_it_had_been_typed(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "\n".join(FIRST))
    live = hall.game(id)
    assert live.game.decision(Side.AXIS) is None  # the first was answered at once
    for _ in FIRST:
        by_hand(hall, id, Side.ALLIES)
    live = hall.game(id)
    assert live.game.question_number(Side.AXIS) == 3
    lines = [(said, line) for said, line in decisions(hall, id) if isinstance(line, Answered) and line.who == "axis"]
    assert len(lines) == 3 and all(said and said.startswith("order-") for said, _ in lines)
    given = hall.standing.of(id, Side.AXIS).given
    assert [each["question"] for each in given] == [0, 1, 2]
    assert given[1]["lines"] == [{"line": 2, "order": "split: default"}] and given[1]["rule"] == "22.421A"
    assert verify(hall.database).faults == []
    again = Hall(hall.database, hall.settings)
    assert again.game(id).game.picture(None).events == live.game.picture(None).events


def test_nothing_is_answered_that_no_order_speaks_to_or_while_they_are_paused(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "evade: fight")
    assert hall.game(id).game.decision(Side.AXIS) is not None
    hall.standing.set(id, Side.AXIS, "strengthen: ask\nstrengthen: default")
    assert hall.game(id).game.decision(Side.AXIS) is not None
    hall.standing.pause(id, Side.AXIS, paused=True)
    assert hall.standing.of(id, Side.AXIS).paused == BY_HAND
    with hall.database.write() as connection:
        text = b"\n".join(line.encode() for line in FIRST)
        connection.execute(update(STANDING_ORDERS).values(text=text))
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 0
    hall.standing.pause(id, Side.AXIS, paused=False)
    assert hall.game(id).game.question_number(Side.AXIS) == 2  # the third waits for the other side


def test_orders_of_both_sides_play_a_whole_operation(hall: Hall) -> None:
    id = begun(hall, "operation-rendezvous")
    kinds = {kind: f"{kind}: doctrine" for kind in EVERY}
    for side in Side:
        hall.standing.set(id, side, "\n".join(kinds.values()))
    for side in Side:
        while hall.standing.of(id, side).paused == TOO_MANY:
            hall.standing.pause(id, side, paused=False)
    live = hall.game(id)
    assert live.game.over and verify(hall.database).faults == []
    with pytest.raises(Exception, match="over"):
        hall.standing.set(id, Side.AXIS, "evade: fight")


def test_orders_of_two_sides_that_would_go_on_for_ever_are_stopped(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    id = begun(hall)
    monkeypatch.setattr(standing, "MOST_AT_ONCE", 3)
    for side in Side:
        hall.standing.set(id, side, "\n".join(FIRST))
    paused = {side: hall.standing.of(id, side).paused for side in Side}
    assert paused == dict.fromkeys(Side, TOO_MANY)
    assert sum(hall.game(id).game.question_number(side) for side in Side) == 4  # one when the first were kept
    assert MOST_AT_ONCE < 1_000


# -- taking back ------------------------------------------------------------------------------------


def numbered(hall: Hall) -> str:
    """A game in which the orders of the axis have just numbered its groups, which is its first real decision."""
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "\n".join((*FIRST, "patrol: default")))
    by_hand(hall, id, Side.ALLIES)
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 3
    return id


def test_what_was_taken_back_is_not_answered_again_until_orders_are_resumed(hall: Hall) -> None:
    id = numbered(hall)
    hall.undo(id, Side.AXIS, decision_id())
    live = hall.game(id)
    kept = hall.standing.of(id, Side.AXIS)
    assert live.game.question_number(Side.AXIS) == 2 and live.game.decision(Side.AXIS) is not None
    assert kept.paused == TAKEN_BACK and [each["question"] for each in kept.given] == [0, 1]
    by_hand(hall, id, Side.AXIS)
    by_hand(hall, id, Side.ALLIES)
    assert hall.game(id).game.question_number(Side.AXIS) == 3  # the next is not answered either
    hall.standing.pause(id, Side.AXIS, paused=False)
    assert hall.game(id).game.question_number(Side.AXIS) == 4
    assert hall.standing.of(id, Side.AXIS).paused == ""
    assert verify(hall.database).faults == []


def test_taking_back_what_was_typed_pauses_nothing(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "strengthen: default\nsplit: default")
    by_hand(hall, id, Side.ALLIES)
    by_hand(hall, id, Side.ALLIES)
    by_hand(hall, id, Side.AXIS)
    hall.undo(id, Side.AXIS, decision_id())
    assert hall.game(id).game.question_number(Side.AXIS) == 2
    assert hall.standing.of(id, Side.AXIS).paused == ""


def test_orders_that_fail_keep_nobody_from_taking_back(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    id = numbered(hall)
    monkeypatch.setattr(standing, "ordered_answer", _fails)
    hall.undo(id, Side.AXIS, decision_id())
    assert hall.standing.of(id, Side.AXIS).paused == TAKEN_BACK


def _fails(*given: object) -> None:
    raise ZeroDivisionError


# -- trouble ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def test_a_server_that_dies_before_orders_answer_has_them_answer_when_it_is_back(kind: str, tmp_path: Path) -> None:
    process = Process(ready_database(kind, tmp_path), tmp_path)
    process.start()
    try:
        table = seated(process.client(), "midway")
        people = people_at(process.client(), table)
        assert people["axis"].client.post(f"{table.path}/orders", {"text": "split: default"}).status == 200
        assert people["axis"].answer().status == 200
        question = people["allies"].view()["question"]
        process.kill()
        process.start(die="after")  # the decision is stored; nothing comes after it
        with pytest.raises(Lost):
            people_at(process.client(), table)["allies"].answer("d-lost-and-found", question)
        process.kill()
        process.start()
        people = people_at(process.client(), table)
        told = people["axis"].client.get(f"{table.path}/orders").body
        assert people["axis"].view()["question"] is None  # it was answered when the game was read
        told = people["axis"].client.get(f"{table.path}/orders").body
        assert [each["question"] for each in told["given"]] == [1]
        assert people["allies"].answer("d-lost-and-found", question).status == 200  # it had been taken
        assert stored(process.url)[table.game].game().question_number(Side.AXIS) == 2
        assert "Traceback" not in process.log()
    finally:
        process.kill()


def test_whatever_goes_wrong_the_decision_before_it_stands_and_the_question_waits(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(hall)
    by_hand(hall, id, Side.AXIS)
    hall.standing.set(id, Side.AXIS, "\n".join(FIRST))
    monkeypatch.setattr(standing, "ordered_answer", _fails)
    by_hand(hall, id, Side.ALLIES)
    with hall.holding(id) as live:  # read again, and not tried again
        assert live.game.question_number(Side.ALLIES) == 1 and live.game.decision(Side.AXIS) is not None
    monkeypatch.undo()
    by_hand(hall, id, Side.AXIS)
    assert hall.game(id).game.question_number(Side.AXIS) == 2
    assert verify(hall.database).faults == []


def test_a_database_that_cannot_be_written_keeps_nobody_from_looking(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(hall)
    by_hand(hall, id, Side.AXIS)
    hall.standing.set(id, Side.AXIS, "\n".join(FIRST))
    once = hall.append
    calls = 0

    def append(*given: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError("the disk is full")
        once(*given)

    monkeypatch.setattr(hall, "append", append)
    by_hand(hall, id, Side.ALLIES)  # stored; what the orders would answer is not
    with hall.holding(id) as live:
        assert live.game.decision(Side.AXIS) is not None and live.game.question_number(Side.ALLIES) == 1
    monkeypatch.undo()
    monkeypatch.setattr(standing, "AGAIN", 0.0)
    hall.standing._stuck.clear()
    hall.forget(hall.game(id))
    with hall.holding(id) as live:
        assert live.game.question_number(Side.AXIS) == 2
    assert verify(hall.database).faults == []


def test_orders_of_another_version_are_paused(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "evade: fight")
    with hall.database.write() as connection:
        connection.execute(update(STANDING_ORDERS).values(text=b"dance: yes"))
    by_hand(hall, id, Side.ALLIES)
    assert hall.standing.of(id, Side.AXIS).paused == UNREADABLE


def test_another_worker_may_be_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers read the same open question and the same orders: one answer is stored."""
    url = ready_database("postgresql", tmp_path)
    database = Database(url)
    migrate(database)
    one, two = Hall(database, Settings(url)), Hall(database, Settings(url))
    id = begun(one)
    by_hand(one, id, Side.AXIS)
    two.game(id)
    monkeypatch.setattr(one.standing, "go_on", lambda live: None)
    one.standing.set(id, Side.AXIS, "\n".join(FIRST))
    by_hand(one, id, Side.ALLIES)
    stale = one.game(id)
    with two.holding(id) as live:
        assert live.game.question_number(Side.AXIS) == 2
    monkeypatch.undo()
    one.standing.go_on(stale)
    assert stale.forgotten
    with one.holding(id) as live:
        assert live.game.question_number(Side.AXIS) == 2
    assert verify(database).faults == []
    database.close()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_orders_are_kept_or_not_and_answer_once_or_not_whichever_call_fails(
    kind: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails while orders are stored, or while they answer: all that was acknowledged is there, nothing twice,
    and when the database is back they answer what they had left."""
    monkeypatch.setattr(standing, "AGAIN", 0.0)
    with house(ready_database(kind, tmp_path)) as home:
        table = open_table(home, "denmark-strait")
        texts = itertools.cycle(["strengthen: default", "strengthen: default\nsplit: default"])
        sent: list[str] = []

        def order() -> Told:
            sent.append(next(texts))
            return home.ask("POST", f"{table.path}/orders", {"text": sent[-1]}, table.tokens["axis"])

        def kept(told: Told) -> None:
            now = home.ask("GET", f"{table.path}/orders", token=table.tokens["axis"]).body["text"]
            assert now == sent[-1] if told.status == 200 else now in ("", *sent)
            asked_at(home, table, "axis")  # read again, if it was forgotten
            assert_memory_is_journal(home, table)

        every_call(home, way, order, kept, least=3)
        current: list[Table] = []

        def decided() -> Told:
            at, home.faults.at = home.faults.at, 0
            current.append(open_table(home, "denmark-strait"))
            text = {"text": "strengthen: default\nsplit: default"}
            assert home.ask("POST", f"{current[-1].path}/orders", text, current[-1].tokens["axis"]).status == 200
            question = asked_at(home, current[-1], "allies")
            home.faults.arm(at, way)
            return decide(home, current[-1], "allies", "d-once-or-never", question)

        def answered(told: Told) -> None:
            each = current[-1]
            asked_at(home, each, "axis")  # read again, if it was forgotten: then the orders answer
            assert_memory_is_journal(home, each)
            game = stored(home.looking, each.game)[each.game].game()
            taken = game.question_number(Side.ALLIES)
            assert taken == 1 if told.status == 200 else taken in (0, 1)
            assert game.question_number(Side.AXIS) == 1 + taken  # the orders have answered what was open to them

        every_call(home, way, decided, answered, least=5)
        assert verify(home.database).faults == []


# -- keeping ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_orders_are_in_a_backup(kind: str, hall: Hall, tmp_path: Path) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "# mine\nstrengthen: default")
    path = tmp_path / "a.backup"
    backup(hall.database, path)
    (tmp_path / "other").mkdir()
    target = Database(new_database(kind, tmp_path / "other"))
    restore(target, path)
    kept = Hall(target, Settings(str(target.url))).standing.of(id, Side.AXIS)
    assert kept.text == "# mine\nstrengthen: default" and len(kept.given) == 1
    assert verify(target).faults == []
    target.close()


def test_orders_that_were_altered_are_found(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, "evade: fight")
    with hall.database.write() as connection:
        connection.execute(update(STANDING_ORDERS).values(given=b"{no"))
    assert [fault.why for fault in verify(hall.database).faults] == ["the standing orders of axis cannot be read"]
    with hall.database.write() as connection:
        connection.execute(update(STANDING_ORDERS).values(given=b"[]", seat="host"))
    assert [fault.why for fault in verify(hall.database).faults] == ["host has standing orders, and plays no side"]


# -- the address ------------------------------------------------------------------------------------


def orders_of(visitor: Visitor) -> dict[str, Any]:
    told = visitor.get(visitor.at("/orders"))
    assert told.status_code == 200, told.text
    found: dict[str, Any] = told.json()
    return found


def test_a_seat_sets_reads_pauses_and_removes_its_orders(server: Server) -> None:
    axis = server.seated(scenario="midway")["axis"]
    assert orders_of(axis) == {"ok": True, "text": "", "paused": "", "given": []}
    told = axis.post(axis.at("/orders"), {"text": "strengthen: default  # mine\nevade: fight"}).json()
    assert told["text"] == "strengthen: default  # mine\nevade: fight" and told["remarks"] == []
    assert told["given"][0]["lines"] == [{"line": 1, "order": "strengthen: default"}]
    assert axis.post(axis.at("/orders/pause"), {"paused": True}).json()["paused"] == BY_HAND
    assert axis.post(axis.at("/orders/pause"), {"paused": False}).json()["paused"] == ""
    assert axis.post(axis.at("/orders"), {"text": "  \n# nothing\n"}).json()["text"] == ""
    assert orders_of(axis)["given"] == []
    refused = axis.post(axis.at("/orders/pause"), {"paused": True})
    assert refused.status_code == 422 and "write some first" in refused.json()["refused"]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("strengthen: default\n\nevad: fight", 3, "evade"),
        ("evade: perhaps", 1, "only fight, evade"),
        ("evade: fight\nevade: fight if luck at least 3", 2, "the facts are"),
        ("evade: fight if round at least x", 1, "a number"),
    ],
)
def test_orders_that_cannot_be_read_are_refused_with_their_line(server: Server, text: str, line: int, why: str) -> None:
    axis = server.seated(scenario="midway")["axis"]
    axis.post(axis.at("/orders"), {"text": "evade: fight"})
    for path in ("/orders", "/orders/check"):
        refused = axis.post(axis.at(path), {"text": text})
        assert refused.status_code == 422
        assert refused.json()["line"] == line and why in refused.json()["refused"]
    assert orders_of(axis)["text"] == "evade: fight"  # nothing was changed
    assert axis.post(axis.at("/orders"), {"text": "#" * (MOST_TEXT + 1)}).status_code == 422


def test_an_answer_that_is_no_legal_one_now_is_remarked_upon(server: Server) -> None:
    axis = server.seated(scenario="midway")["axis"]
    told = axis.post(axis.at("/orders/check"), {"text": 'strengthen: {"nobody": "nowhere"}'}).json()
    assert len(told["remarks"]) == 1 and told["remarks"][0].startswith("line 1 fits the question now open")
    for fine in ("evade: fight", "strengthen: default", "strengthen: {}"):
        assert axis.post(axis.at("/orders/check"), {"text": fine}).json()["remarks"] == []
    axis.take_default()
    assert axis.post(axis.at("/orders/check"), {"text": 'strengthen: {"nobody": "nowhere"}'}).json()["remarks"] == []


def test_a_game_that_is_closed_takes_no_orders(server: Server) -> None:
    axis = server.seated(scenario="midway")["axis"]
    axis.post(axis.at("/close"), {})
    assert axis.post(axis.at("/orders"), {"text": "evade: fight"}).status_code == 409
    page = axis.get(f"/games/{axis.game}/orders")
    assert page.status_code == 200 and "nothing left to order" in page.text


def test_a_game_that_is_mustered_has_no_orders_yet(server: Server) -> None:
    axis = server.seated(scenario="midway", muster=True)["axis"]
    assert axis.post(axis.at("/orders"), {"text": "evade: fight"}).status_code == 409
    page = axis.client.get(f"/games/{axis.game}/orders", follow_redirects=False)
    assert page.status_code == 303 and page.headers["location"].endswith("/muster")


def test_nobody_else_is_shown_orders_or_whether_there_are_any(server: Server) -> None:
    seats = server.seated(scenario="midway", spectators=True, referee=True)
    secret = "strengthen: default  # the cat is out"
    seats["axis"].post(seats["axis"].at("/orders"), {"text": secret})
    spectator = server.visitor()
    spectator.game = seats["axis"].game
    others = [seats["host"], seats["referee"], spectator]
    for other in others:
        assert other.get(other.at("/orders")).status_code == 404
        assert other.post(other.at("/orders"), {"text": ""}).status_code == 404
        assert other.post(other.at("/orders/check"), {"text": ""}).status_code == 404
        assert other.post(other.at("/orders/pause"), {"paused": True}).status_code == 404
        assert other.get(f"/games/{other.game}/orders").status_code == 404
    assert orders_of(seats["allies"])["text"] == ""
    for other in (*others, seats["allies"]):
        for path in ("", "/report", "/download", "/replay", "/turn"):
            assert "the cat" not in other.get(other.at(path)).text
        assert "the cat" not in other.get(f"/games/{other.game}").text
        assert "the cat" not in other.get(f"/games/{other.game}/orders").text
    assert orders_of(seats["axis"])["text"] == secret


def test_whoever_is_given_a_seat_finds_its_orders_paused(server: Server) -> None:
    seats = server.seated(scenario="midway")
    axis, host = seats["axis"], seats["host"]
    axis.post(axis.at("/orders"), {"text": "evade: fight"})
    link = host.post(host.at("/reseat"), {"name": "axis"}).json()["invitation"]
    told = orders_of(server.visitor().claim(link))
    assert told["paused"] == SOMEBODY_NEW and told["text"] == "evade: fight"


def test_the_page_has_what_one_needs_to_write_orders(server: Server) -> None:
    axis = server.seated(scenario="midway")["axis"]
    axis.post(axis.at("/orders"), {"text": "evade: fight  # </textarea><script>"})
    page = axis.get(f"/games/{axis.game}/orders").text
    assert "<script>" not in page and "&lt;script&gt;" in page
    for name in example_titles():
        assert f"Use “{name}”" in page
        assert axis.post(axis.at("/orders/check"), {"text": example_orders(name)}).status_code == 200
    assert f'href="/games/{axis.game}/orders"' in axis.get(f"/games/{axis.game}").text
    assert "Standing orders" not in server.visitor().get(f"/games/{axis.game}").text


# -- what the other side receives --------------------------------------------------------------------


def test_orders_change_nothing_in_what_others_receive_but_the_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three games alike: in one a person answers, in the others two sets of orders give the same answers. Whenever the
    others look they receive the same bytes, in views, pages, reports, refusals and streams."""
    monkeypatch.setattr(hall_module, "Game", SeededGame)
    every = [f"{kind}: default" for kind in EVERY]
    never = [f"{kind} CG9: ask" for kind in EVERY] + ["announce: ask if round at least 90"]
    texts = ["", "\n".join(every), "\n".join(["# quite others", *never, *reversed(every)])]
    with serving(tmp_path) as server:
        setup = shipped_scenario("midway").setup
        tables = []
        for text in texts:
            SeededGame.seed = 7
            made = server.hall.create(setup, scenario="swap", players=PEOPLE, spectators=True, referee=True)
            seats = {seat: server.visitor().claim(f"#{token}") for seat, token in made.invitations.items()}
            seats["spectator"] = server.visitor()
            seats["spectator"].game = made.id
            seats["axis"].post(seats["axis"].at("/orders"), {"text": text})
            tables.append(seats)
        typing, ordering, others = tables
        streams = [Listener(seats["allies"], seats["allies"].at("/stream")) for seats in tables]
        looked = 0
        while not typing["allies"].view()["over"] and looked < 11:
            while typing["axis"].take_default():
                pass
            looked += 1
            for who in ("allies", "host", "spectator", "referee"):
                one, two, three = (_received(seats, who) for seats in tables)
                assert one == two == three, who
            for seats in tables:
                seats["allies"].take_default()
        assert looked > 8
        assert orders_of(typing["axis"])["given"] == [] and len(orders_of(ordering["axis"])["given"]) > 8
        assert len(orders_of(others["axis"])["given"]) == len(orders_of(ordering["axis"])["given"])
        wanted = typing["allies"].view()["version"]
        for listener in streams:
            listener.wait_for(wanted)
            assert listener.changes()[-1] == wanted
            listener.close()


def _received(seats: dict[str, Visitor], who: str) -> list[Any]:
    visitor, game = seats[who], seats["axis"].game
    paths = [visitor.at(path) for path in ("", "/report", "/download", "/replay", "/orders")]
    answers = [visitor.get(path) for path in (*paths, f"/games/{game}", f"/games/{game}/orders", "/api/games")]
    return [(each.status_code, len(each.content), each.text.replace(game, "GAME")) for each in answers]


def test_an_answer_by_order_has_an_id_like_any_other(hall: Hall) -> None:
    id = begun(hall)
    hall.standing.set(id, Side.AXIS, FIRST[0])
    with hall.database.read() as connection:
        rows = connection.execute(select(DECISIONS).where(DECISIONS.c.game == id)).mappings().all()
    assert [row["seat"] for row in rows] == ["axis"] and json.loads(rows[0]["reply"])["ok"]
    assert len(new_id()) >= 8
