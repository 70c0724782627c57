"""Games are kept: the same on SQLite and on PostgreSQL, in a real server, over restarts. And what SQLite must be told.

What many do at the same moment and what a restart must keep is always tried on both, the rest on PostgreSQL in the long run.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError, SQLAlchemyError

from flagplot.core.errors import StaleRequest
from flagplot.core.sides import Side
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.app import make_app
from flagplot.web.backup import verify
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, SEATS, Database
from flagplot.web.hall import Hall, LiveGame
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from flagplot.web.views import view
from tests.web.databases import KINDS, ready_database
from tests.web.history import Stored, as_numbers, stored
from tests.web.server import Server, decision_id, new_game, people_at, play_on, seated, serving
from tests.web.visitors import TestClient

SOURCE = Path(__file__).parents[2] / "src" / "flagplot"


ORDINARY = ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
ON_BOTH = pytest.mark.parametrize("server", KINDS, indirect=True)


@pytest.fixture(scope="module", params=ORDINARY)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("storage")
    with serving(ready_database(request.param, folder), folder) as running:
        yield running
        assert "Traceback" not in running.log()


@pytest.fixture(params=KINDS)
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    url = ready_database(request.param, tmp_path)
    database = Database(url)
    migrate(database)
    yield Hall(database, Settings(url))
    database.close()


def stored_game(server: Server, game: str) -> Stored:
    return stored(server.url, game)[game]


def journal_view(server: Server, game: str, seat: str) -> dict[str, Any]:
    """A seat's view of a game that is made anew from the journal."""
    kept = stored_game(server, game)
    side = Side(seat) if seat in ("axis", "allies") else None
    live = LiveGame(game, kept.game(), dict.fromkeys(Side, "person"), len(kept.lines), "")
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view(live, side)))
    return told


def assert_sound(url: str) -> None:
    database = Database(url)
    assert verify(database).faults == []
    database.close()


# -- one suite, two databases ------------------------------------------------------------------------------


@ON_BOTH
def test_an_invitation_is_used_once_even_if_eight_come_at_the_same_time(server: Server) -> None:
    _, invitations = new_game(server.client())
    together = threading.Barrier(8)

    def come(_: int) -> int:
        client = server.client()
        together.wait()
        return client.post("/api/claim", {"token": invitations["axis"]}).status

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(come, range(8))) == [200] + [404] * 7


def test_what_is_stored_is_what_is_shown_after_every_decision(server: Server) -> None:
    table = seated(server.client(), "denmark-strait")
    people = people_at(server.client(), table)
    for _ in range(100):
        for seat in ("axis", "allies"):
            shown = people[seat].view()
            assert {key: shown[key] for key in shown if key not in ("seats", "notes", "host", "dice")} == journal_view(
                server, table.game, seat
            )
        if play_on(people, 1) == 0:
            break
    assert people["axis"].view()["over"]
    assert_sound(server.url)


def test_the_same_decision_sent_again_is_answered_as_it_was(server: Server) -> None:
    people = people_at(server.client(), seated(server.client()))
    question = people["axis"].view()["question"]
    id = decision_id()
    first = people["axis"].answer(id, question)
    assert first.status == 200
    play_on(people, 3)
    again = people["axis"].answer(id, question)
    assert (again.status, again.body) == (200, first.body)


@ON_BOTH
def test_eight_copies_of_a_decision_are_one_decision(server: Server) -> None:
    table = seated(server.client())
    people = people_at(server.client(), table)
    for _ in range(5):
        asked = next(seat for seat in ("axis", "allies") if people[seat].view()["question"])
        question, id = people[asked].view()["question"], decision_id()
        together = threading.Barrier(8)

        def send(_: int, asked: str = asked, id: str = id, question: Any = question, together: Any = together) -> Any:
            somebody = people_at(server.client(), table)[asked]
            together.wait()
            told = somebody.answer(id, question)
            return told.status, told.body.get("version", told.body)

        with ThreadPoolExecutor(8) as pool:
            answers = set(pool.map(send, range(8)))
        assert len(answers) == 1 and next(iter(answers))[0] == 200


@ON_BOTH
def test_of_eight_different_answers_to_one_question_one_counts(server: Server) -> None:
    table = seated(server.client())
    people = people_at(server.client(), table)
    for _ in range(5):
        asked = next(seat for seat in ("axis", "allies") if people[seat].view()["question"])
        question = people[asked].view()["question"]
        together = threading.Barrier(8)

        def send(_: int, asked: str = asked, question: Any = question, together: Any = together) -> int:
            somebody = people_at(server.client(), table)[asked]
            together.wait()
            return somebody.answer(decision_id(), question).status

        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(send, range(8))) == [200] + [409] * 7


def test_an_id_used_by_the_enemy_is_refused(server: Server) -> None:
    people = people_at(server.client(), seated(server.client()))
    id = decision_id()
    assert people["axis"].answer(id).status == 200
    assert people["allies"].answer(id).status == 409


def test_a_decision_taken_back_stays_in_the_journal_and_can_be_made_again(server: Server) -> None:
    table = seated(server.client(), "coral-sea")
    axis = people_at(server.client(), table)["axis"]
    before = axis.view()
    assert axis.answer().status == 200
    id = decision_id()
    taken = axis.undo(id)
    assert (taken.status, taken.body["ok"]) == (200, True)
    assert axis.view()["question"] == before["question"]
    again = axis.undo(id)
    assert (again.status, again.body) == (200, taken.body)
    assert axis.answer().status == 200
    kinds = [type(line).__name__ for line in stored_game(server, table.game).lines]
    assert kinds.count("Answered") == 2 and kinds.count("Undone") == 1


def test_versions_never_go_back_not_even_when_a_decision_is_taken_back(server: Server) -> None:
    people = people_at(server.client(), seated(server.client(), "coral-sea"))
    seen: dict[str, list[str]] = {"axis": [], "allies": []}

    def look() -> None:
        for seat, versions in seen.items():
            versions.append(people[seat].view()["version"])

    look()
    for _ in range(6):
        asked = next(seat for seat in seen if people[seat].view()["question"])
        other = "allies" if asked == "axis" else "axis"
        people[asked].answer()
        look()
        if people[asked].undo().body.get("asked"):
            assert people[other].undo(agree=True).status == 200
        look()
        if people[asked].view()["question"]:
            people[asked].answer()
        look()
    for versions in seen.values():
        assert versions == sorted(versions, key=as_numbers)
    shown = seen["axis"]
    assert shown[1] != shown[3], "a page that saw the first answer must notice that it was replaced"


def asked_back(server: Server) -> dict[str, Any]:
    """A game in which one side has asked to take back what only the other side can grant."""
    people = people_at(server.client(), seated(server.client(), "coral-sea"))
    play_on(people, 30)  # so that much could be taken back
    for _ in range(60):
        asked = next(seat for seat in ("axis", "allies") if people[seat].view()["question"])
        people[asked].answer()
        id = decision_id()
        told = people[asked].undo(id)
        if told.body.get("asked"):
            other = "allies" if asked == "axis" else "axis"
            return {"asks": people[asked], "grants": people[other], "id": id, "told": told.body}
        if told.body.get("ok"):
            people[asked].answer()
    raise AssertionError("nothing needed to be granted")


def test_a_granted_take_back_is_answered_in_the_same_way_when_it_is_granted_again(server: Server) -> None:
    game = asked_back(server)
    id = decision_id()
    first = game["grants"].undo(id, agree=True)
    assert first.status == 200 and first.body["ok"]
    again = game["grants"].undo(id, agree=True)
    assert (again.status, again.body) == (200, first.body)


def test_who_grants_a_take_back_is_told_its_own_version(server: Server) -> None:
    game = asked_back(server)
    told = game["grants"].undo(agree=True).body
    assert told["version"] == game["grants"].view()["version"]


def test_asking_again_for_a_take_back_that_was_granted_takes_back_nothing_more(server: Server) -> None:
    game = asked_back(server)
    assert game["grants"].undo(agree=True).body["ok"]
    kept = len(stored_game(server, game["asks"].table.game).lines)
    assert game["asks"].undo(game["id"]).body == game["told"]
    assert len(stored_game(server, game["asks"].table.game).lines) == kept


def test_a_closed_game_can_be_looked_at_and_not_played(server: Server) -> None:
    table = seated(server.client())
    people = people_at(server.client(), table)
    play_on(people, 3)
    question = people["axis"].view()["question"] or people["allies"].view()["question"]
    assert people["allies"].close("dinner").status == 200
    for seat in ("axis", "allies"):
        assert "dinner" in people[seat].view()["closed"]
        assert people[seat].answer(question=question).status == 409
        assert people[seat].undo().status == 409
    assert_sound(server.url)


@ON_BOTH
def test_games_go_on_where_they_were_after_a_restart(server: Server) -> None:
    client = server.client()
    tables = [seated(client, name) for name in ("midway", "guadalcanal", "denmark-strait", "six-groups")]
    everybody = [people_at(client, table) for table in tables]
    sent = decision_id()
    question = everybody[0]["axis"].view()["question"]
    reply = everybody[0]["axis"].answer(sent, question).body
    for number, people in enumerate(everybody):
        play_on(people, 1 + 3 * number)
    everybody[3]["axis"].close()
    before = [[people[seat].view() for seat in ("axis", "allies", "host")] for people in everybody]
    for end in (server.kill, server.stop):
        end()
        server.start()
        everybody = [people_at(server.client(), table) for table in tables]
        after = [[people[seat].view() for seat in ("axis", "allies", "host")] for people in everybody]
        assert after == before
    assert everybody[0]["axis"].answer(sent, question).body == reply
    for people in everybody[:3]:
        play_on(people, 20)
    assert_sound(server.url)


def test_a_finished_game_is_downloaded_whole_after_a_restart(server: Server) -> None:
    table = seated(server.client(), "denmark-strait")
    play_on(people_at(server.client(), table), 1_000)
    server.kill()
    server.start()
    axis = people_at(server.client(), table)["axis"]
    told = axis.client.get(f"{table.path}/download")
    assert told.status == 200
    game = saves.read(told.body)
    assert game.over and len(game.journal) == len(stored_game(server, table.game).lines)


# -- the hall against its journal ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hall", ORDINARY, indirect=True)
@pytest.mark.parametrize("scenario", ["midway", pytest.param("pedestal", marks=pytest.mark.long)])
def test_the_game_in_memory_is_the_one_in_the_journal(hall: Hall, scenario: str) -> None:
    found = shipped_scenario(scenario)
    players = {Side.AXIS: "person", Side.ALLIES: "random"}
    made = hall.create(found.setup, scenario=found.name, edition=found.edition, options=found.options, players=players)
    live = hall.game(made.id)
    for number in range(40):
        decision = live.game.decision(Side.AXIS)
        if decision is None:
            break
        question = live.game.question_number(Side.AXIS)
        hall.submit(made.id, Side.AXIS, decision_id(), question, decision.form.default)
        if number % 5 == 2:
            hall.undo(made.id, Side.AXIS, decision_id())
        again = hall.read(made.id)
        for side in (*Side, None):
            assert view(live, side) == view(again, side)
        assert again.game.journal == live.game.journal == Game(live.game.header, live.game.journal).journal
        assert again.game._draw == live.game._draw
    assert verify(hall.database).faults == []


def other_hall(hall: Hall) -> Hall:
    """Another worker at the same database."""
    url = hall.database.url.render_as_string(hide_password=False)
    return Hall(Database(url), Settings(url))


def begun(hall: Hall) -> tuple[str, Any]:
    """A game between two people, and what the axis may answer first."""
    found = shipped_scenario("coral-sea")
    game = hall.create(found.setup, scenario=found.name, players=dict.fromkeys(Side, "person")).id
    decision = hall.game(game).game.decision(Side.AXIS)
    assert decision is not None
    return game, decision.form.default


@pytest.mark.parametrize("hall", ["postgresql"], indirect=True)
def test_of_two_halls_one_takes_a_decision_and_both_show_it(hall: Hall) -> None:
    game, answer = begun(hall)
    other = other_hall(hall)
    other.game(game)
    past = [other.read(game), other.read(game), other.read(game)]
    now = other.game
    hall.submit(game, Side.AXIS, "first-decision", 0, answer)
    assert len(other.game(game).game.journal) == len(hall.game(game).game.journal), "the other shows the past"
    with pytest.MonkeyPatch.context() as patch:
        # as if the other had looked just before the first was stored
        patch.setattr(other, "game", lambda id: past.pop() if len(past) > 2 else now(id))
        with pytest.raises(StaleRequest):
            other.submit(game, Side.AXIS, "second-decision", 0, answer)
        patch.setattr(other, "game", lambda id: past.pop() if len(past) > 1 else now(id))
        assert other.submit(game, Side.AXIS, "first-decision", 0, answer)["ok"]
        # the other side's decision does not fail because this one was first: it is carried out on what is there now
        patch.setattr(other, "game", lambda id: past.pop() if past else now(id))
        assert other.submit(game, Side.ALLIES, "third-decision", 0, answer_of(hall, game, Side.ALLIES))["ok"]
    assert verify(hall.database).faults == []
    other.database.close()


def test_the_database_itself_takes_nothing_twice(hall: Hall) -> None:
    game, answer = begun(hall)
    hall.submit(game, Side.AXIS, "first-decision", 0, answer)
    for table in (GAMES, JOURNAL, DECISIONS, SEATS):
        with hall.database.read() as connection:
            row = dict(connection.execute(table.select()).mappings().first() or {})
        with pytest.raises(IntegrityError), hall.database.write() as connection:
            connection.execute(table.insert().values(row))
    hall.submit(game, Side.ALLIES, "second-decision", 0, answer_of(hall, game, Side.ALLIES))


def answer_of(hall: Hall, game: str, side: Side) -> Any:
    decision = hall.game(game).game.decision(side)
    assert decision is not None
    return decision.form.default


def test_every_line_says_when_it_was_stored(hall: Hall) -> None:
    began = time.time()
    game, answer = begun(hall)
    hall.submit(game, Side.AXIS, "first-decision", 0, answer)
    with hall.database.read() as connection:
        told = connection.execute(select(JOURNAL.c.at).where(JOURNAL.c.game == game)).scalars().all()
    assert told and all(began <= at <= time.time() for at in told)


def test_no_secret_stands_in_the_text_of_an_error(hall: Hall) -> None:
    with pytest.raises(SQLAlchemyError) as trouble, hall.database.write() as connection:
        connection.execute(text("insert into nothing values (:token)"), {"token": "a-secret-token"})
    assert "a-secret-token" not in str(trouble.value)


# -- what SQLite is told ----------------------------------------------------------------------------------------------


def test_sqlite_keeps_a_log_and_syncs_every_commit(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'games.db'}")
    migrate(database)
    facts = database.facts()
    assert (facts["journal"], facts["sync"]) == ("wal", "2")
    with database.write() as connection:
        assert connection.execute(text("pragma foreign_keys")).scalar_one() == 1
    database.close()
    again = Database(f"sqlite:///{tmp_path / 'games.db'}")
    assert (again.facts()["journal"], again.facts()["sync"]) == ("wal", "2")
    again.close()


def test_after_a_failure_a_damaged_file_is_not_written_any_more(tmp_path: Path) -> None:
    """Promise 5: after a failed commit the file is opened anew and looked through; until it is sound nobody writes."""
    path = tmp_path / "games.db"
    database = Database(f"sqlite:///{path}")
    migrate(database)
    begun(Hall(database, Settings(str(database.url))))
    with database.read() as connection:  # the roots of its tables: the schema itself stays readable
        roots = connection.execute(text("select rootpage from sqlite_master where rootpage > 1")).scalars().all()
    database.close()
    sound = path.read_bytes()
    damaged = bytearray(sound)
    for place in ((root - 1) * 4096 for root in roots):
        damaged[place : place + 64] = b"\xff" * 64
    path.write_bytes(damaged)
    with pytest.raises(OperationalError), database.write() as connection:
        connection.execute(text("nonsense"))
    for _ in range(2):
        with pytest.raises(DatabaseError), database.write() as connection:
            pytest.fail("it is written to")
    database.close()
    path.write_bytes(sound)
    with database.write() as connection:
        assert connection.execute(text("select count(*) from games")).scalar_one() == 1
    database.close()


def test_readers_of_sqlite_cannot_write(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'games.db'}")
    migrate(database)
    for sql in ("delete from games", "create table other (a)", "vacuum", "pragma wal_checkpoint(truncate)"):
        with database.read() as connection, pytest.raises(OperationalError):
            connection.execute(text(sql))
    database.close()


OPENED: list[str] = []


def _note_opening(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "sqlite3.connect":
        OPENED.append(str(arguments[0]))


def test_sqlite_has_one_writing_connection_whatever_is_asked(tmp_path: Path) -> None:
    """Everything Python opens is noted while a whole server is used by many at once."""
    sys.addaudithook(_note_opening)
    path = tmp_path / "games.db"
    app = make_app(Settings(f"sqlite:///{path}"))
    ours = {"origin": "http://127.0.0.1:8000"}
    app.state.hall.database.reader.dispose()  # whoever reads first opens it anew
    OPENED.clear()
    with TestClient(app, base_url="http://127.0.0.1:8000", headers=ours) as client:

        def use(_: int) -> None:
            made = client.post("/api/games", json={"scenario": "denmark-strait", "axis": "person"}).json()
            token = made["invitations"]["axis"].partition("#")[2]
            seat = client.post("/api/claim", json={"token": token}).json()
            mine = {"authorization": f"Bearer {seat['token']}"}
            at = f"/api/games/{made['game']}"
            asked = client.get(at, headers=mine).json()["question"]
            body = {"id": decision_id(), "question": asked["number"], "answer": asked["form"]["default"]}
            assert client.post(f"{at}/answers", json=body, headers=mine).status_code == 200
            client.post(f"{at}/undo", json={"id": decision_id()}, headers=mine)
            for page in ("devices", "report", "download", "replay"):
                assert client.get(f"{at}/{page}", headers=mine).status_code == 200
            client.post(f"{at}/close", json={}, headers=mine)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(use, range(12)))
    assert any(str(path) in opened for opened in OPENED)
    writing = [opened for opened in OPENED if str(path) in opened and "mode=ro" not in opened]
    assert writing == [], "the one writing connection was opened when the application was made"


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="there is no /proc to see open files in")
def test_a_server_has_its_sqlite_file_open_for_writing_once(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'games.db'}", tmp_path) as server:
        tables = [seated(server.client(), "denmark-strait") for _ in range(4)]
        most = 0
        with ThreadPoolExecutor(4) as pool:
            playing = [pool.submit(play_on, people_at(server.client(), table), 60) for table in tables]
            while not all(each.done() for each in playing):
                most = max(most, writers(server.pid, tmp_path / "games.db"))
                time.sleep(0.002)
        assert most == 1


def writers(pid: int, path: Path) -> int:
    """How many times a process has a file open for writing."""
    found = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if entry.readlink() == path:
                flags = re.search(r"flags:\s*([0-7]+)", Path(f"/proc/{pid}/fdinfo/{entry.name}").read_text())
                found += bool(flags and int(flags[1], 8) & (os.O_RDWR | os.O_WRONLY))
        except OSError:
            continue  # closed meanwhile
    return found


def test_databases_are_opened_in_one_place_of_the_source() -> None:
    opening = ("create_engine", "engine_from_config", "sqlite3.connect", "psycopg.connect")
    sources = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    found = {
        name
        for name, source in sources.items()
        if any(each in source for each in ("create_engine", "engine_from_config", "sqlite3", "psycopg"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(opening)
    }
    # backup.py opens a file exclusively for a moment, to see that no server has it open
    assert sorted(found) == ["web/backup.py", "web/database.py"]


def test_a_reader_leaves_the_log_of_a_killed_server_alone(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'games.db'}", tmp_path) as server:
        table = seated(server.client())
        play_on(people_at(server.client(), table), 10)
        server.kill()
        log = tmp_path / "games.db-wal"
        before = log.read_bytes()
        assert before
        assert_sound(server.url)
        assert log.read_bytes() == before
        server.start()
        play_on(people_at(server.client(), table), 10)
    assert_sound(server.url)
