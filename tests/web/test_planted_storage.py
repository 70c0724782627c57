"""Faults of storage, planted one by one: each is found by a test that exists for it (trust.md, decision 14).

What is run here is the real test; it passes on what we ship, and must fail on what is planted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import and_, insert, text, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.core.errors import GameError
from flagplot.web import backup as backing
from flagplot.web import database as databases
from flagplot.web.database import GAMES, JOURNAL, Database
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.settings import Settings
from tests.web import test_backup, test_faults, test_storage, test_update
from tests.web.databases import ready_database
from tests.web.faults import FOR_EVER, ONCE, UNHEARD, house

Patch = pytest.MonkeyPatch


def pragmas(*wanted: str) -> Callable[[Any, Any], None]:
    def prepare(connection: sqlite3.Connection, record: object) -> None:
        for pragma in wanted:
            connection.execute(f"PRAGMA {pragma}")

    return prepare


# -- what is planted ------------------------------------------------------------------------------------------


def syncs_now_and_then(patch: Patch) -> None:
    told = pragmas("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")
    patch.setattr(databases, "_prepare_sqlite", told)


def keeps_no_log(patch: Patch) -> None:
    told = pragmas("journal_mode=DELETE", "synchronous=FULL", "foreign_keys=ON")
    patch.setattr(databases, "_prepare_sqlite", told)


def lets_readers_write(patch: Patch) -> None:
    engine = Database._engine
    patch.setattr(Database, "_engine", lambda self, *, read_only: engine(self, read_only=False))


def begins_no_transaction(patch: Patch) -> None:
    patch.setattr(databases, "_begin_sqlite", lambda connection: None)


def answers_before_commit(patch: Patch) -> None:
    """What could not be stored is acknowledged all the same."""

    @contextmanager
    def storing(self: Hall, live: object) -> Iterator[Any]:
        try:
            with self.database.write() as connection:
                yield connection
        except SQLAlchemyError:
            pass

    patch.setattr(Hall, "storing", storing)


def remembers_what_was_not_stored(patch: Patch) -> None:
    patch.setattr(Hall, "forget", lambda self, live: None)


def forgets_what_it_answered(patch: Patch) -> None:
    patch.setattr(Hall, "reply_to", lambda self, id, decision, side: None)


def tries_again_after_a_failed_commit(patch: Patch) -> None:
    """The connection whose commit has failed is trusted again."""
    patch.setattr(Database, "_reopen", lambda self: None)


def believes_its_memory(patch: Patch) -> None:
    patch.setattr(Hall, "_is_current", lambda self, live: True)


def overwrites_another_worker(patch: Patch) -> None:
    """The length of the journal decides nothing, and the numbers of its lines are not unique."""

    def append(self: Hall, connection: Any, live: Any, decision: str | None) -> None:
        new = live.game.journal[live.stored :]
        connection.execute(update(GAMES).where(and_(GAMES.c.id == live.id)).values(lines=len(live.game.journal)))
        for number, line in enumerate(new, live.stored):
            connection.execute(text("alter table journal drop constraint if exists journal_pkey"))
            row = {"game": live.id, "n": number, "line": msgspec.json.encode(line), "decision": decision, "at": 0.0}
            connection.execute(insert(JOURNAL).values(row))

    patch.setattr(Hall, "append", append)


def numbers_are_not_unique(patch: Patch) -> None:
    """Tables without a primary key, as somebody might make them by hand."""
    there = Hall.create

    def create(self: Hall, *given: Any, **named: Any) -> Any:
        made = there(self, *given, **named)
        with self.database.write() as connection:
            connection.execute(text("alter table journal drop constraint journal_pkey"))
            connection.execute(text("alter table journal drop constraint journal_decision"))
        return made

    patch.setattr(Hall, "create", create)


def backs_up_bit_by_bit(patch: Patch) -> None:
    """Every table is read at another moment."""

    @contextmanager
    def moment(database: Database) -> Iterator[Any]:
        with database.reader.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    patch.setattr(backing, "moment", moment)


def leaves_half_a_backup(patch: Patch) -> None:
    """The file gets its name before it is whole."""
    patch.setattr("pathlib.Path.with_name", lambda self, name: self)


def updates_in_pieces(patch: Patch) -> None:
    """Every step of an update is committed by itself, as SQLite's driver does it if it is left alone."""
    begins_no_transaction(patch)


# -- by whom it is found -------------------------------------------------------------------------------------------


def at_home(folder: Path, test: Callable[..., None], *given: object) -> None:
    with house(ready_database("sqlite", folder)) as home:
        test(home, *given)


def in_hall(folder: Path, kind: str, test: Callable[..., None], *given: object) -> None:
    url = ready_database(kind, folder)
    database = Database(url)
    migrate(database)
    try:
        test(Hall(database, Settings(url)), *given)
    finally:
        database.close()


def decisions(folder: Path, way: str = ONCE) -> None:
    at_home(folder, test_faults.test_a_decision_counts_and_is_taken_back_once_or_not_at_all_whichever_call_fails, way)


def decisions_unheard(folder: Path) -> None:
    decisions(folder, UNHEARD)


def decisions_for_ever(folder: Path) -> None:
    decisions(folder, FOR_EVER)


def two_halls(folder: Path) -> None:
    in_hall(folder, "postgresql", test_storage.test_of_two_halls_one_takes_a_decision_and_both_show_it)


def nothing_twice(folder: Path) -> None:
    in_hall(folder, "postgresql", test_storage.test_the_database_itself_takes_nothing_twice)


def one_moment(folder: Path) -> None:
    with Patch.context() as patch:
        test_backup.test_a_backup_shows_one_moment(ready_database("postgresql", folder), folder, patch)


def files_of_backups(folder: Path) -> None:
    with Patch.context() as patch:
        at_home(
            folder, test_faults.test_a_backup_is_whole_or_not_there_whichever_call_to_a_file_fails, ONCE, folder, patch
        )


def updates(folder: Path) -> None:
    test_update.test_an_update_is_made_or_not_whichever_call_fails("sqlite", ONCE, folder)


def new_tables(folder: Path) -> None:
    test_faults.test_tables_are_made_or_not_whichever_call_fails("sqlite", ONCE, folder)


CAUGHT: list[tuple[Callable[[Patch], None], Callable[[Path], None]]] = [
    (syncs_now_and_then, test_storage.test_sqlite_keeps_a_log_and_syncs_every_commit),
    (keeps_no_log, test_storage.test_sqlite_keeps_a_log_and_syncs_every_commit),
    (lets_readers_write, test_storage.test_readers_of_sqlite_cannot_write),
    (begins_no_transaction, new_tables),
    (updates_in_pieces, updates),
    (answers_before_commit, decisions),
    (remembers_what_was_not_stored, decisions_for_ever),
    (forgets_what_it_answered, decisions_unheard),
    (tries_again_after_a_failed_commit, test_faults.test_after_a_failed_commit_sqlite_is_opened_anew),
    (believes_its_memory, two_halls),
    (overwrites_another_worker, two_halls),
    (numbers_are_not_unique, nothing_twice),
    (backs_up_bit_by_bit, one_moment),
    (leaves_half_a_backup, files_of_backups),
]


@pytest.mark.parametrize(("fault", "test"), CAUGHT, ids=[fault.__name__ for fault, _ in CAUGHT])
def test_a_planted_fault_of_storage_is_found(
    fault: Callable[[Patch], None], test: Callable[[Path], None], tmp_path: Path, monkeypatch: Patch
) -> None:
    sound, faulty = tmp_path / "sound", tmp_path / "faulty"
    sound.mkdir()
    faulty.mkdir()
    test(sound)
    fault(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception, SQLAlchemyError, GameError)):
        test(faulty)
