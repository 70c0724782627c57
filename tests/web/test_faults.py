"""Calls to the database fail, one by one: games are as they were, or one decision further, never in between.

Every call of every deed is tried, in every way in which it can fail, with both kinds of database (trust.md, promise 4).
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from flagplot.core.errors import EngineError, GameError
from flagplot.core.sides import Side
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.backup import BackupError, backup, check, restore, verify
from flagplot.web.database import DEVICES, GAMES, METADATA, SEATS, Database
from flagplot.web.hall import Hall, LiveGame, Unavailable
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from flagplot.web.views import view
from tests.web.databases import KINDS, new_database, ready_database
from tests.web.faults import FOR_EVER, ONCE, UNHEARD, WAYS, Faults, FileFaults, House, Told, at_least, error_of, house
from tests.web.history import Stored, stored
from tests.web.server import Table, decision_id

PLAYERS = ("axis", "allies")


def on_both(ways: tuple[str, ...]) -> pytest.MarkDecorator:
    """Every way a call can fail, with both kinds of database."""
    tried = [(kind, way) for kind in KINDS for way in ways]
    return pytest.mark.parametrize(("url", "way"), tried, indirect=["url"])


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ready_database(request.param, tmp_path)


def _fresh(folder: Path, number: int) -> Path:
    made = folder / str(number)
    made.mkdir()
    return made


# -- the n-th call fails --------------------------------------------------------------------------------------------


@pytest.fixture
def home(url: str) -> Iterator[House]:
    with house(url) as running:
        yield running


def open_table(home: House, scenario: str = "coral-sea") -> Table:
    """A game between two people, both seated and a few decisions old."""
    made = home.ask("POST", "/api/games", {"scenario": scenario, "axis": "person", "allies": "person"})
    assert made.status == 201, made
    table = Table(made.body["game"])
    for seat, link in made.body["invitations"].items():
        table.tokens[seat] = home.ask("POST", "/api/claim", {"token": link.partition("#")[2]}).body["token"]
    return table


def asked_at(home: House, table: Table, seat: str) -> Any:
    told = home.ask("GET", table.path, token=table.tokens[seat])
    assert told.status == 200, told
    return told.body["question"]


def decide(home: House, table: Table, seat: str, id: str, question: Any) -> Told:
    body = {"id": id, "question": question["number"], "answer": question["form"]["default"]}
    return home.ask("POST", f"{table.path}/answers", body, table.tokens[seat])


def at_failing_call(home: House, number: int, way: str, deed: Callable[[], Told]) -> tuple[Told, bool]:
    """Let one call of a deed fail. What was told, and whether there were so many calls."""
    home.faults.arm(number, way)
    told = deed()
    reached = home.faults.made >= number
    home.faults.heal()
    assert told.status < 400 or (told.status == 503 and told.retry), f"call {number} fails {way}: {told}"
    assert told.status < 400 or "Traceback" not in str(told.body)
    return told, reached


def every_call(home: House, way: str, deed: Callable[[], Told], check: Callable[[Told], None], least: int = 1) -> None:
    """Let the first call of a deed fail, then the second, and so on until it needs no more."""
    for number in range(1, 80):
        told, reached = at_failing_call(home, number, way, deed)
        check(told)
        if not reached:
            assert number > at_least(least, way)
            return
    raise AssertionError("there is no end of calls")


def assert_memory_is_journal(home: House, table: Table, kept: Stored | None = None) -> None:
    kept = kept or stored(home.looking, table.game)[table.game]
    live = LiveGame(table.game, kept.game(), dict.fromkeys(Side, "person"), len(kept.lines), "")
    for side in Side:
        shown = home.ask("GET", table.path, token=table.tokens[side.value]).body
        assert {key: shown[key] for key in ("log", "question", "round", "segment")} == {
            key: value
            for key, value in _as_json(view(live, side)).items()
            if key in ("log", "question", "round", "segment")
        }


def _as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


@on_both(WAYS)
def test_making_a_game_succeeds_or_leaves_nothing_whichever_call_fails(home: House, way: str) -> None:
    before: set[str] = set()

    def check(told: Told) -> None:
        now = set(stored(home.looking))
        if told.status == 201:
            assert told.body["game"] in now
        elif way != UNHEARD:
            assert now == before
        assert verify(home.database).faults == []
        before.update(now)

    body = {"scenario": "coral-sea", "axis": "person", "allies": "person"}
    every_call(home, way, lambda: home.ask("POST", "/api/games", body), check, least=5)
    assert open_table(home)


@on_both(WAYS)
def test_a_seat_is_claimed_or_not_whichever_call_fails(home: House, way: str) -> None:
    made: dict[str, Any] = {}

    def deed() -> Told:
        at, home.faults.at = home.faults.at, 0
        body = {"scenario": "coral-sea", "axis": "person", "allies": "person"}
        made.update(home.ask("POST", "/api/games", body).body)
        made["token"] = made["invitations"]["axis"].partition("#")[2]
        home.faults.arm(at, way)
        return home.ask("POST", "/api/claim", {"token": made["token"]})

    def check(told: Told) -> None:
        with home.database.read() as connection:
            seat = (
                connection.execute(SEATS.select().where(SEATS.c.game == made["game"], SEATS.c.seat == "axis"))
                .mappings()
                .one()
            )
            devices = connection.execute(DEVICES.select().where(DEVICES.c.game == made["game"])).all()
        taken = told.status == 200 or (way == UNHEARD and home.faults.failed > 0)
        assert (seat["claimed"] is not None, seat["invitation"] is None, len(devices)) == (taken, taken, int(taken))
        again = home.ask("POST", "/api/claim", {"token": made["token"]})
        assert again.status == (404 if taken else 200)

    every_call(home, way, deed, check, least=4)


@on_both(WAYS)
def test_a_decision_counts_and_is_taken_back_once_or_not_at_all_whichever_call_fails(home: House, way: str) -> None:
    """What is decided at a failing call is then taken back at one, so that the next round begins where this one did."""
    table = open_table(home)
    number, more = 0, True
    while more:
        number += 1
        question = asked_at(home, table, "axis")
        reached = [once_or_not_at_all(home, table, number, way, question, undo=undo) for undo in (False, True)]
        more = any(reached)
    assert number > at_least(5, way)
    assert verify(home.database).faults == []
    for _ in range(5):
        for seat in PLAYERS:
            question = asked_at(home, table, seat)
            assert question is None or decide(home, table, seat, decision_id(), question).status == 200


def once_or_not_at_all(home: House, table: Table, number: int, way: str, question: Any, *, undo: bool) -> bool:
    """A decision of the axis, or its taking back, at which a call fails, and which is then sent again; whether it failed."""
    id, before = decision_id(), stored(home.looking, table.game)[table.game].lines

    def send() -> Told:
        if undo:
            return home.ask("POST", f"{table.path}/undo", {"id": id}, table.tokens["axis"])
        return decide(home, table, "axis", id, question)

    told, reached = at_failing_call(home, number, way, send)
    kept = stored(home.looking, table.game)[table.game]
    if told.status != 200 and way != UNHEARD:
        assert kept.lines == before and id not in kept.answered
    assert_memory_is_journal(home, table, kept)
    again = send()
    assert again.status == 200 and again.body["ok"], (number, again)
    if told.status == 200:
        assert again.body == told.body
    kept = stored(home.looking, table.game)[table.game]
    assert len(kept.lines) == len(before) + 1 and id in kept.answered
    assert_memory_is_journal(home, table, kept)
    return reached


@on_both((ONCE, FOR_EVER))
def test_looking_waits_for_better_times_whichever_call_fails(home: House, way: str) -> None:
    table = open_table(home)
    token = table.tokens["axis"]
    right = home.ask("GET", table.path, token=token).body

    def check(told: Told) -> None:
        assert home.ask("GET", table.path, token=token).body == right

    every_call(home, way, lambda: home.ask("GET", table.path, token=token), check, least=3)
    for page in ("devices", "report", "download", "replay"):
        every_call(home, way, lambda page=page: home.ask("GET", f"{table.path}/{page}", token=token), lambda told: None)
    every_call(home, way, lambda: home.ask("GET", "/api/games"), lambda told: None)


@on_both((ONCE, FOR_EVER))
def test_a_game_is_closed_or_open_whichever_call_fails(home: House, way: str) -> None:
    made: dict[str, Table] = {}

    def deed() -> Told:
        number, home.faults.at = home.faults.at, 0
        made["table"] = open_table(home)
        home.faults.arm(number, way)
        return home.ask("POST", f"{made['table'].path}/close", {}, made["table"].tokens["host"])

    def check(told: Told) -> None:
        closed = home.ask("GET", made["table"].path, token=made["table"].tokens["axis"]).body["closed"]
        assert bool(closed) == (told.status == 200)
        question = asked_at(home, made["table"], "axis")
        assert (question is None) == (told.status == 200)

    every_call(home, way, deed, check, least=3)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_made_or_not_whichever_call_fails(kind: str, way: str, tmp_path: Path) -> None:
    """As long as nothing is made, the next one goes on with the same database, and comes one call further."""
    url, number, more = new_database(kind, _fresh(tmp_path, 0)), 0, True
    while more:
        number += 1
        database = Database(url)
        faults = Faults(database)
        faults.arm(number, way)
        try:
            migrate(database)
        except Exception:
            assert faults.failed
        more = faults.made >= number
        faults.heal()
        there = _tables(database)
        assert there in (set(), set(METADATA.tables)), f"call {number}, {way}: only {sorted(there)} were made"
        if there:
            migrate(database)
            assert opened(Hall(database, Settings(url)))
            url = new_database(kind, _fresh(tmp_path, number))
        database.close()
    assert there and number > at_least(8, way)


def _tables(database: Database) -> set[str]:
    with database.write() as connection:
        return set(inspect(connection).get_table_names()) & set(METADATA.tables)


@on_both((ONCE, FOR_EVER))
def test_a_backup_is_whole_or_not_there_whichever_call_fails(home: House, way: str, tmp_path: Path) -> None:
    table = open_table(home)
    files = _fresh(tmp_path, 0)
    number, more = 0, True
    while more:
        number += 1
        path = files / f"{number}.backup"
        home.faults.arm(number, way)
        try:
            backup(home.database, path)
        except BackupError:
            assert home.faults.failed
            assert not path.exists()
        more = home.faults.made >= number
        home.faults.heal()
        assert [each.name for each in files.iterdir() if each.name.startswith(".")] == []
        assert home.ask("GET", table.path, token=table.tokens["axis"]).status == 200
    assert number > 8
    assert backup(home.database, files / "last.backup").games == 1


@on_both((ONCE, FOR_EVER))
def test_a_backup_is_whole_or_not_there_whichever_call_to_a_file_fails(
    home: House, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_table(home)
    files = _fresh(tmp_path, 0)
    number, more, failed = 0, True, set()
    while more:
        number += 1
        path = files / f"{number}.backup"
        with monkeypatch.context() as patch:
            faults = FileFaults(patch, number, way)
            try:
                backup(home.database, path)
                made = True
            except BackupError as refusal:
                assert "No space left" in str(refusal)
                made = False
            more = faults.made >= number
        failed |= set(faults.failed)
        assert path.exists() == made or "pathlib.Path.unlink" in faults.failed
        if path.exists():
            assert check(path).games == 1
        left = [each.name for each in files.iterdir() if each.name.startswith(".")]
        assert left == [] or "pathlib.Path.unlink" in faults.failed
        for name in left:
            (files / name).unlink()
    assert failed >= {"os.open", "os.fdopen", "os.fsync", "write", "flush", "read", "pathlib.Path.replace"}
    assert backup(home.database, files / "last.backup").games == 1


@pytest.mark.parametrize("way", [ONCE, FOR_EVER])
@pytest.mark.parametrize("kind", KINDS)
def test_a_restore_is_whole_or_changes_nothing_whichever_call_fails(kind: str, way: str, tmp_path: Path) -> None:
    """What is left is no table or all of them, without a row; from either of them a restore succeeds."""
    path = tmp_path / "x.backup"
    with house(ready_database("sqlite", tmp_path)) as home:
        open_table(home)
        kept = backup(home.database, path)
    url, number, more, left = new_database(kind, _fresh(tmp_path, 0)), 0, True, set()
    while more:
        number += 1
        database = Database(url)
        faults = Faults(database)
        faults.arm(number, way)
        try:
            restore(database, path)
        except GameError:
            assert faults.failed
        more = faults.made >= number
        faults.heal()
        there, whole = _tables(database), _has_games(database)
        assert there in (set(), set(METADATA.tables))
        if not whole and bool(there) not in left:
            restore(database, path)
            left.add(bool(there))
            whole = True
        if whole:
            found = verify(database)
            assert (found.faults, found.games) == ([], kept.games)
        if there or whole:
            url = new_database(kind, _fresh(tmp_path, number))
        database.close()
    assert left == {False, True} and whole and number > 30


def _has_games(database: Database) -> bool:
    """Whether there are games; if not, nothing else is there either."""
    there = _tables(database)
    with database.write() as connection:
        filled = {name for name in there if connection.execute(METADATA.tables[name].select().limit(1)).first()}
    assert not filled or GAMES.name in filled
    return bool(filled)


# -- what waits behind a failed decision, and rules that fail ---------------------------------------------------------


@pytest.fixture
def hall(url: str) -> Iterator[Hall]:
    database = Database(url)
    migrate(database)
    yield Hall(database, Settings(url))
    database.close()


def opened(hall: Hall) -> str:
    found = shipped_scenario("coral-sea")
    made = hall.create(found.setup, scenario=found.name, players=dict.fromkeys(Side, "person"))
    return made.id


def while_a_commit_fails(hall: Hall, first: Callable[[], object], second: Callable[[], object]) -> tuple[Any, Any]:
    """The first one's commit fails when the second one already waits behind it. What each of them came to."""
    dialect: Any = hall.database.writer.dialect
    commit, writing, outcome = dialect.do_commit, threading.Event(), []

    def failing(connection: object) -> None:
        dialect.do_commit = commit
        writing.set()
        time.sleep(0.3)  # until the other one waits
        raise error_of(hall.database)()

    def run() -> None:
        try:
            outcome.append(first())
        except Exception as trouble:
            outcome.append(trouble)

    dialect.do_commit = failing
    thread = threading.Thread(target=run)
    thread.start()
    assert writing.wait(5)
    waited = second()
    thread.join(5)
    return outcome[0], waited


def test_a_decision_that_waited_behind_a_failed_one_does_not_carry_it_along(hall: Hall, url: str) -> None:
    game = opened(hall)
    live = hall.game(game)
    wires = {side: live.game.decision(side).form.default for side in Side}  # type: ignore[union-attr]
    failed, _ = while_a_commit_fails(
        hall,
        lambda: hall.submit(game, Side.AXIS, "first-decision", 0, wires[Side.AXIS]),
        lambda: hall.submit(game, Side.ALLIES, "second-decision", 0, wires[Side.ALLIES]),
    )
    assert isinstance(failed, Unavailable)
    kept = stored(url, game)[game]
    in_journal = [(line.who, id) for line, id in zip(kept.lines, kept.of_decision, strict=True)]
    assert in_journal == [("allies", "second-decision")]
    hall.submit(game, Side.AXIS, "first-decision", 0, wires[Side.AXIS])


def test_a_look_that_waited_behind_a_failed_decision_does_not_see_it(home: House) -> None:
    table = open_table(home)
    before = home.ask("GET", table.path, token=table.tokens["axis"]).body
    question = before["question"]
    failed, seen = while_a_commit_fails(
        home.hall,
        lambda: decide(home, table, "axis", decision_id(), question),
        lambda: home.ask("GET", table.path, token=table.tokens["axis"]),
    )
    assert (failed.status, seen.status) == (503, 200)
    assert seen.body == before


@pytest.mark.parametrize("where", ["flagplot.web.hall.Hall.go_on", "flagplot.core.runner.Runner._send"])
def test_a_bot_or_rule_that_fails_leaves_the_game_as_it_was(
    hall: Hall, url: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    game = opened(hall)
    wires = {side: hall.game(game).game.decision(side).form.default for side in Side}  # type: ignore[union-attr]
    wire = wires[Side.AXIS]
    hall.submit(game, Side.ALLIES, "their-decision", 0, wires[Side.ALLIES])
    before = view(hall.game(game), Side.AXIS)
    with monkeypatch.context() as patched:
        # After the first failure everything works again, so that the game can be read anew.
        patched.setattr(where, Mishap(patched.undo))
        with pytest.raises(EngineError, match="mishap"):
            hall.submit(game, Side.AXIS, "first-decision", 0, wire)
    assert view(hall.game(game), Side.AXIS) == before
    hall.submit(game, Side.AXIS, "first-decision", 0, wire)
    assert len(stored(url, game)[game].lines) > 1
    assert verify(hall.database).faults == []


class Mishap:
    """Something that fails the first time it is called."""

    def __init__(self, mend: Callable[[], None]) -> None:
        self.mend = mend

    def __call__(self, *arguments: object) -> None:
        self.mend()
        raise EngineError("a mishap")


def test_after_a_failed_commit_sqlite_is_opened_anew(tmp_path: Path) -> None:
    """A connection whose sync has failed is not trusted with the same data again (trust.md, promise 5)."""
    with house(ready_database("sqlite", tmp_path)) as home:
        table = open_table(home)
        question = asked_at(home, table, "axis")
        before = home.database.writer.raw_connection().driver_connection
        home.faults.arm(_commit_of(home, table), ONCE)
        assert decide(home, table, "axis", decision_id(), question).status == 503
        home.faults.heal()
        assert decide(home, table, "axis", decision_id(), question).status == 200
        assert home.database.writer.raw_connection().driver_connection is not before
        assert home.database.facts()["sync"] == "2"


def _commit_of(home: House, table: Table) -> int:
    """Which call of a decision is its commit: the last before the answer."""
    question = asked_at(home, table, "allies")
    calls: list[str] = []
    dialects = (home.database.writer.dialect, home.database.reader.dialect)
    kept = [dialect.do_commit for dialect in dialects]

    def noting(connection: object, commit: Any) -> None:
        calls.append(str(home.faults.made + 1))
        commit(connection)

    home.faults.arm(0, ONCE)
    for dialect, commit in zip(dialects, kept, strict=True):
        dialect.do_commit = lambda connection, commit=commit: noting(connection, commit)  # type: ignore[method-assign]
    assert decide(home, table, "allies", decision_id(), question).status == 200
    for dialect, commit in zip(dialects, kept, strict=True):
        dialect.do_commit = commit  # type: ignore[method-assign]
    return int(calls[-1])
