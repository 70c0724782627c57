"""Backups taken under load restore, bad ones are refused, and damage is noticed. And the commands of `flagplot admin`."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, update
from typer.testing import CliRunner

from flagplot.cli.admin import admin
from flagplot.core.errors import GameError
from flagplot.core.sides import Side
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web import backup as backing
from flagplot.web.backup import BackupError, backup, check, close, restore, verify
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, SEATS, Database
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from tests.web.databases import KINDS, new_database, ready_database
from tests.web.history import History, Player, ended, started, stored, take_seats, wait_for_answers
from tests.web.server import Table, decision_id, people_at, play_on, seated, serving

SCALE = int(os.environ.get("SCALE", "1"))


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ready_database(request.param, tmp_path)


def fresh(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def small(url: str, games: int = 2, decisions: int = 6) -> Database:
    """A database with a few games begun."""
    database = Database(url)
    migrate(database)
    hall, found = Hall(database, Settings(url)), shipped_scenario("coral-sea")
    for _ in range(games):
        game = hall.create(found.setup, scenario=found.name, players=dict.fromkeys(Side, "person")).id
        for _ in range(decisions):
            live = hall.game(game)
            side = next(side for side in Side if live.game.decision(side))
            decision = live.game.decision(side)
            assert decision is not None
            question = live.game.question_number(side)
            hall.submit(game, side, decision_id(), question, decision.form.default, "a word" if question else "")
    return database


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    """A backup of two games."""
    folder = fresh(tmp_path, "kept")
    database = small(ready_database("sqlite", folder))
    backup(database, folder / "games.backup")
    database.close()
    yield folder / "games.backup"


# -- under load ------------------------------------------------------------------------------------------------


def backed_up_under_load(url: str, folder: Path, backups: int, seed: int) -> None:
    """Every backup holds what was acknowledged before it began, verifies, and can be played on."""
    chance, history = random.Random(seed), History()
    source = Database(url)
    with serving(url, folder) as server:
        for number in range(backups):
            tables = take_seats(server.client(), 3)
            players = [
                Player(history, lambda: server.port, seat, [table], seed + number, undo=0.05)
                for table in tables
                for seat in ("axis", "allies")
            ]
            started(players)
            wait_for_answers(history, 10 + chance.randrange(10))
            acked = [each for each in list(history.decisions) if each.acked is not None]
            path = folder / f"{number}.backup"
            made = backup(source, path)
            ended(players)
            again = new_database(KINDS[number % 2], fresh(folder, f"restored-{number}"))
            target = Database(again)
            assert restore(target, path) == made
            assert verify(target).faults == []
            target.close()
            games = stored(again)
            assert [each.id for each in acked if each.id not in games[each.game].answered] == []
            if number == 0:
                go_on(again, folder, tables[0])
        assert "Traceback" not in server.log()
    source.close()


def go_on(url: str, folder: Path, table: Table) -> None:
    with serving(url, folder) as server:
        assert play_on(people_at(server.client(), table), 10) == 10
        seated(server.client())


def test_backups_taken_under_load_restore(url: str, tmp_path: Path) -> None:
    backed_up_under_load(url, tmp_path, 2, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_fifty_backups_taken_under_load_restore(kind: str, tmp_path: Path) -> None:
    backed_up_under_load(ready_database(kind, tmp_path), tmp_path, 50 * SCALE, seed=2)


def test_a_backup_shows_one_moment(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision that is stored while a backup is being written is in it as a whole or not at all."""
    database = small(url, games=1)
    hall = Hall(database, Settings(url))
    game = next(iter(stored(url)))
    before, written = len(stored(url)[game].lines), backing._written

    def meanwhile(value: object) -> object:
        monkeypatch.setattr(backing, "_written", written)
        side = next(side for side in Side if hall.game(game).game.decision(side))
        decision = hall.game(game).game.decision(side)
        assert decision is not None
        hall.submit(game, side, decision_id(), hall.game(game).game.question_number(side), decision.form.default)
        return written(value)

    monkeypatch.setattr(backing, "_written", meanwhile)
    other = Database(url)
    backup(other, tmp_path / "games.backup")
    assert len(stored(url)[game].lines) > before
    again = new_database("sqlite", fresh(tmp_path, "again"))
    target = Database(again)
    restore(target, tmp_path / "games.backup")
    assert verify(target).faults == [] and len(stored(again)[game].lines) == before
    for each in (database, other, target):
        each.close()


# -- there and back ----------------------------------------------------------------------------------------------


def rows(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()[1:-1]


def test_games_move_from_one_kind_of_database_to_the_other_and_back(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.backup" for number in range(3)]
    first = small(ready_database("sqlite", tmp_path))
    backup(first, paths[0])
    for number, kind in enumerate(("postgresql", "sqlite")):
        database = Database(new_database(kind, fresh(tmp_path, kind)))
        restore(database, paths[number])
        backup(database, paths[number + 1])
        database.close()
    assert rows(paths[0]) == rows(paths[1]) == rows(paths[2])
    first.close()


def test_a_backup_is_for_its_owner_only_and_replaces_nothing(tmp_path: Path) -> None:
    database, path = small(ready_database("sqlite", tmp_path)), tmp_path / "games.backup"
    assert backup(database, path).games == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(BackupError, match="already"):
        backup(database, path)
    assert path.read_bytes() == before
    database.close()


def test_a_backup_reads_and_writes_nothing_in_the_database(tmp_path: Path) -> None:
    database = small(ready_database("sqlite", tmp_path))
    log = tmp_path / "games.db-wal"
    before = (log.read_bytes(), (tmp_path / "games.db").read_bytes())
    other = Database(str(database.url))
    backup(other, tmp_path / "games.backup")
    other.close()
    assert (log.read_bytes(), (tmp_path / "games.db").read_bytes()) == before
    database.close()


def test_there_must_be_something_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no database"):
        backup(Database(f"sqlite:///{tmp_path / 'none.db'}"), tmp_path / "games.backup")
    sqlite3.connect(tmp_path / "empty.db").execute("create table t (a)").connection.close()
    with pytest.raises(BackupError):
        backup(Database(f"sqlite:///{tmp_path / 'empty.db'}"), tmp_path / "games.backup")
    assert not list(tmp_path.glob("*.backup")) and not list(tmp_path.glob(".*.part"))
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("call", ["os.open", "os.fsync", "pathlib.Path.replace", "pathlib.Path.open"])
def test_a_file_call_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    database = small(ready_database("sqlite", tmp_path), games=1)

    def failing(*arguments: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(call, failing)
        with pytest.raises(BackupError, match="No space left"):
            backup(database, tmp_path / "games.backup")
    assert not list(tmp_path.glob("*.backup")) and not list(tmp_path.glob(".*.part"))
    assert backup(database, tmp_path / "games.backup").games == 1
    database.close()


# -- bad backups ---------------------------------------------------------------------------------------------------------


def cut_in_half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def cut_at_a_line(data: bytes) -> bytes:
    return b"\n".join(data.split(b"\n")[:-3]) + b"\n"


def without_its_end(data: bytes) -> bytes:
    return b"\n".join(data.split(b"\n")[:-2]) + b"\n"


def without_its_last_byte(data: bytes) -> bytes:
    return data[:-1]


def a_line_left_out(data: bytes) -> bytes:
    lines = data.split(b"\n")
    return b"\n".join([*lines[:5], *lines[6:]])


def two_lines_swapped(data: bytes) -> bytes:
    lines = data.split(b"\n")
    lines[4], lines[5] = lines[5], lines[4]
    return b"\n".join(lines)


def twice(data: bytes) -> bytes:
    return data + data


def something_after_it(data: bytes) -> bytes:
    return data + b"[0]\n"


def of_tomorrow(data: bytes) -> bytes:
    return data.replace(b'{"flagplot_backup":1', b'{"flagplot_backup":2', 1)


def with_a_strange_table(data: bytes) -> bytes:
    return data.replace(b'"bytes"', b'"smell"', 1)


@pytest.mark.parametrize(
    "damage",
    [
        cut_in_half,
        cut_at_a_line,
        without_its_end,
        without_its_last_byte,
        a_line_left_out,
        two_lines_swapped,
        twice,
        something_after_it,
        of_tomorrow,
        with_a_strange_table,
        lambda data: b"",
        lambda data: b"\n",
        lambda data: b"SQLite format 3\0" + data,
        lambda data: data.split(b"\n")[0],
        lambda data: data.split(b"\n")[0] + b"\n",
        lambda data: b'{"flagplot_backup":1}\n',
        lambda data: b'{"flagplot_backup":[\n',
    ],
)
def test_a_bad_backup_is_refused_and_nothing_is_made_of_it(
    kept: Path, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    bad = tmp_path / "bad.backup"
    bad.write_bytes(damage(kept.read_bytes()))
    target = tmp_path / "new.db"
    with pytest.raises(BackupError):
        restore(Database(f"sqlite:///{target}"), bad)
    assert not target.exists()


@pytest.mark.parametrize("many", [60, pytest.param(400, marks=pytest.mark.long)])
def test_no_bit_of_a_backup_can_change_unnoticed(kept: Path, tmp_path: Path, many: int) -> None:
    data, chance, bad = kept.read_bytes(), random.Random(7), tmp_path / "bad.backup"
    ends = min(many, 120)
    places = [*range(ends), *range(len(data) - ends, len(data)), *(chance.randrange(len(data)) for _ in range(many))]
    for place in places:
        altered = bytearray(data)
        altered[place] ^= 1 << chance.randrange(8)
        bad.write_bytes(altered)
        with pytest.raises(BackupError):
            check(bad)
    assert check(kept).games == 2


def test_no_length_of_a_backup_but_the_whole_is_taken(kept: Path, tmp_path: Path) -> None:
    data, chance, bad = kept.read_bytes(), random.Random(8), tmp_path / "bad.backup"
    for length in [*range(40), *range(len(data) - 40, len(data)), *(chance.randrange(len(data)) for _ in range(100))]:
        bad.write_bytes(data[:length])
        with pytest.raises(BackupError):
            check(bad)


def test_a_raw_copy_of_the_database_is_no_backup(kept: Path, tmp_path: Path) -> None:
    raw = kept.parent / "games.db"
    assert raw.exists()
    with pytest.raises(BackupError, match="not a Flagplot backup"):
        restore(Database(f"sqlite:///{tmp_path / 'new.db'}"), raw)


def test_a_backup_of_an_unknown_step_is_refused(kept: Path, tmp_path: Path) -> None:
    from hashlib import blake2b

    lines = kept.read_bytes().replace(b'"revision":"', b'"revision":"9', 1).split(b"\n")[:-2]
    body = b"\n".join(lines) + b"\n"
    end = {"rows": len(lines) - 1, "sum": blake2b(body, digest_size=32).hexdigest()}
    later = tmp_path / "later.backup"
    later.write_bytes(body + json.dumps(end, separators=(",", ":")).encode() + b"\n")
    assert check(later).games == 2
    with pytest.raises(BackupError, match="step"):
        restore(Database(f"sqlite:///{tmp_path / 'new.db'}"), later)


def test_games_are_restored_into_a_new_database_only(kept: Path, url: str) -> None:
    database = small(url, games=1)
    with pytest.raises(BackupError, match="already"):
        restore(database, kept)
    assert verify(database).games == 1
    database.close()


def test_a_database_that_was_begun_and_is_empty_can_be_restored_into(kept: Path, url: str) -> None:
    database = Database(url)
    migrate(database)
    assert restore(database, kept).games == 2
    assert verify(database).faults == []
    database.close()


# -- a server that runs --------------------------------------------------------------------------------------------------


def test_while_a_server_has_the_sqlite_file_open_nobody_else_writes(kept: Path, tmp_path: Path) -> None:
    with serving(ready_database("sqlite", tmp_path), tmp_path) as server:
        database = Database(server.url)
        with pytest.raises(BackupError, match="a server has"):
            restore(database, kept)
        table = seated(server.client())
        with pytest.raises(BackupError, match="a server has"):
            close(database, table.game, "late")
        assert play_on(people_at(server.client(), table), 3) == 3
        assert verify(database).faults == [] and backup(database, tmp_path / "b").games == 1
        server.stop()
        close(database, table.game, "late")
        database.close()
        server.start()
        assert "late" in people_at(server.client(), table)["axis"].view()["closed"]


def test_on_postgresql_a_game_is_closed_while_servers_run(tmp_path: Path) -> None:
    with serving(ready_database("postgresql", tmp_path), tmp_path) as server:
        table = seated(server.client(), "coral-sea")
        axis = people_at(server.client(), table)["axis"]
        question = axis.view()["question"]
        database = Database(server.url)
        close(database, table.game, "late")
        assert axis.answer(question=question).status == 409
        assert "late" in axis.view()["closed"]
        with pytest.raises(BackupError, match="has been closed"):
            close(database, table.game, "later")
        with pytest.raises(BackupError, match="there is no game"):
            close(database, "nothing", "")
        database.close()


# -- damage is noticed -----------------------------------------------------------------------------------------------------


def statements() -> dict[str, Callable[[str], Any]]:
    """Damage to one game, by what is then said of it."""
    return {
        "without a gap": lambda id: delete(JOURNAL).where(JOURNAL.c.game == id, JOURNAL.c.n == 3),
        "should have": lambda id: update(GAMES).where(GAMES.c.id == id).values(lines=GAMES.c.lines + 1),
        "never acknowledged": lambda id: delete(DECISIONS).where(DECISIONS.c.game == id),
        "not in its journal": lambda id: insert(DECISIONS).values(
            game=id, id="x" * 9, seat="axis", reply=b'{"ok":true}'
        ),
        "twice": lambda id: update(JOURNAL).where(JOURNAL.c.game == id, JOURNAL.c.n != 2).values(decision="same"),
        "marked as over": lambda id: update(GAMES).where(GAMES.c.id == id).values(over=True),
        "no seat for axis": lambda id: delete(SEATS).where(SEATS.c.game == id, SEATS.c.seat == "axis"),
        "cannot be read": lambda id: update(GAMES).where(GAMES.c.id == id).values(header=b"{}"),
        "another result": lambda id: (
            update(JOURNAL)
            .where(JOURNAL.c.game == id, JOURNAL.c.n == 5)
            .values(line=b'{"line":"answer","tag":"x","who":"axis","answer":{},"check":"ffffffffffff"}')
        ),
    }


@pytest.mark.parametrize("said", statements())
def test_a_damaged_game_is_named_and_the_others_are_sound(tmp_path: Path, said: str) -> None:
    url = ready_database("sqlite", tmp_path)
    database = small(url)
    victim = next(iter(stored(url)))
    with database.write() as connection:
        connection.execute(statements()[said](victim))
    found = verify(database)
    assert {fault.game for fault in found.faults} == {victim} and found.games == 2
    if said == "another result":
        said = "entry"
    assert any(said in fault.why for fault in found.faults), found.faults
    database.close()


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    database = small(ready_database("sqlite", tmp_path), games=4)
    database.close()
    path = tmp_path / "games.db"
    data = bytearray(path.read_bytes())
    for place in range(4096 * 3, len(data), 4096):
        data[place : place + 64] = b"\xff" * 64
    path.write_bytes(data)
    damaged = Database(f"sqlite:///{path}")
    try:
        assert verify(damaged).faults
    except BackupError as refusal:
        assert "malformed" in str(refusal) or "database" in str(refusal)
    damaged.close()


# -- the commands ------------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str]:
    told = CliRunner().invoke(admin, list(arguments))
    if told.exception is not None and not isinstance(told.exception, SystemExit):
        assert isinstance(told.exception, GameError), told.exception
        return 2, str(told.exception)
    return told.exit_code, told.output


def test_the_commands_back_up_restore_verify_and_close(tmp_path: Path) -> None:
    first, second, file = (str(tmp_path / name) for name in ("games.db", "second.db", "games.backup"))
    database = small(f"sqlite:///{first}")
    game = next(iter(stored(f"sqlite:///{first}")))
    database.close()
    code, told = run("backup", file, "--database", first)
    assert code == 0 and "2 games" in told
    assert run("backup", file, "--database", first)[0] == 2
    code, told = run("restore", file, "--database", f"sqlite:///{second}")
    assert code == 0 and "2 games restored" in told and "all agree" in told
    code, told = run("verify", "--database", second, "--json")
    assert code == 0 and json.loads(told)["verified"] and json.loads(told)["games"] == 2
    code, told = run("close", game, "--why", "spam", "--database", second)
    assert code == 0
    assert run("close", game, "--database", second)[0] == 2
    damaged = Database(f"sqlite:///{second}")
    with damaged.write() as connection:
        connection.execute(delete(JOURNAL).where(JOURNAL.c.game == game, JOURNAL.c.n == 1))
    damaged.close()
    code, told = run("verify", "--database", second, "--json")
    assert code == 1 and {fault["game"] for fault in json.loads(told)["faults"]} == {game}


def test_the_commands_say_what_is_missing(tmp_path: Path) -> None:
    assert run("verify", "--database", str(tmp_path / "none.db")) == (
        2,
        f"there is no database at {tmp_path / 'none.db'}",
    )
    assert run("restore", str(tmp_path / "none"), "--database", str(tmp_path / "x.db"))[0] == 2
    assert run("close", "game", "--database", str(tmp_path / "none.db"))[0] == 2
    assert "no database" in run("close", "-game", "--database", str(tmp_path / "none.db"))[1]
    assert "no such thing" in run("verify", "--database", "no such thing://x")[1]
    assert list(tmp_path.iterdir()) == []
