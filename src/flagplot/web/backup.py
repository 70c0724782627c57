"""Backups of a whole server, and the check that its games are sound.

A backup is one text file: a first line that says what follows, a line for every row, a last line with their number and
sum. It is read in one transaction, so it shows one moment, and everything acknowledged before it began is in it. It goes
back into either kind of database. Reading never writes (trust.md, decision 1); what writes first makes sure that no
server has the SQLite file open.
"""

from __future__ import annotations

import base64
import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from alembic.util.exc import CommandError
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeEngine

from flagplot.core.errors import GameError
from flagplot.core.sides import SIDES
from flagplot.core.tape import Line
from flagplot.play.game import Game, Header, setup_hash
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, METADATA, SEATS, STANDING_ORDERS, Database
from flagplot.web.migrate import migrate

FORMAT = 1
BATCH = 500
BEGINS = b'{"flagplot_backup":'
KINDS: dict[str, TypeEngine[Any]] = {
    "bytes": LargeBinary(),
    "truth": Boolean(),
    "whole": Integer(),
    "number": Float(),
    "text": String(),
}

_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(Line)


class BackupError(GameError):
    """A backup cannot be made, read or put back, and why; what was there before is as it was."""


class Kept(NamedTuple):
    """What a backup holds."""

    games: int
    rows: int


class Fault(NamedTuple):
    """Something wrong with a game, or with the database if no game is named."""

    game: str
    why: str


@dataclass
class Verified:
    """What a check of all games found."""

    games: int = 0
    lines: int = 0
    faults: list[Fault] = field(default_factory=list)


# -- looking ------------------------------------------------------------------------------------------


@contextmanager
def moment(database: Database) -> Iterator[Connection]:
    """A look at one moment, however long it takes."""
    if not database.sqlite:
        with database.reader.connect() as plain:
            connection = plain.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            yield connection
        return
    path = _file_of(database)
    if not path.is_file():
        raise BackupError(f"there is no database at {path}")
    with database.reader.connect() as connection:
        raw: Any = connection.connection.driver_connection
        if not raw.in_transaction:
            connection.exec_driver_sql("BEGIN")
        yield connection


def _file_of(database: Database) -> Path:
    return Path(database.url.database or "").absolute()


def _revision(connection: Connection) -> str:
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.execute(text("select version_num from alembic_version")).scalar_one_or_none() or ""


@contextmanager
def _in_words(doing: str) -> Iterator[None]:
    """Trouble with the database or a file, as a sentence."""
    try:
        yield
    except SQLAlchemyError as trouble:
        why = str(getattr(trouble, "orig", None) or trouble).strip().splitlines()[0]
        raise BackupError(f"{doing}: the database says: {why}") from trouble
    except CommandError as trouble:
        raise BackupError(f"{doing}: this version of Flagplot does not know its step: {trouble}") from trouble
    except sqlite3.Error as trouble:
        raise BackupError(f"{doing}: the database says: {trouble}") from trouble
    except OSError as trouble:
        raise BackupError(f"{doing}: {trouble.strerror or trouble}") from trouble


# -- making a backup --------------------------------------------------------------------------------------


def backup(database: Database, path: Path) -> Kept:
    """Write everything to a file that only its owner may read. A server may go on meanwhile."""
    if path.exists():
        raise BackupError(f"there is a file {path} already, and a backup does not replace another")
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _in_words(f"no backup was made in {path}"):
            with (
                moment(database) as connection,
                os.fdopen(os.open(neighbour, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
            ):
                for line in _lines(connection):
                    file.write(line)
                file.flush()
                os.fsync(file.fileno())
            kept = check(neighbour)  # as it can be read again, not as it was meant
            neighbour.replace(path)
            try:
                _sync_folder(path.parent)
            except OSError:
                path.unlink()  # it might be gone after a power cut, and nobody should count on it
                raise
            return kept
    finally:
        with suppress(OSError):
            neighbour.unlink(missing_ok=True)


def _lines(connection: Connection) -> Iterator[bytes]:
    tables = METADATA.sorted_tables
    first = {
        "flagplot_backup": FORMAT,
        "revision": _revision(connection),
        "tables": [
            {"name": table.name, "columns": {each.name: _kind(each) for each in table.columns}} for table in tables
        ],
    }
    digest, rows = blake2b(digest_size=32), 0
    line = _packed(first)
    digest.update(line)
    yield line
    for number, table in enumerate(tables):
        wanted = select(table).order_by(*table.primary_key.columns)
        for row in connection.execution_options(yield_per=BATCH).execute(wanted):
            line = _packed([number, *(_written(value) for value in row)])
            digest.update(line)
            rows += 1
            yield line
    yield _packed({"rows": rows, "sum": digest.hexdigest()})


def _packed(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _written(value: object) -> object:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _kind(column: Column[Any]) -> str:
    return next(kind for kind, type_ in KINDS.items() if isinstance(column.type, type(type_)))


def _sync_folder(folder: Path) -> None:
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


# -- reading a backup ---------------------------------------------------------------------------------------


@dataclass
class _First:
    revision: str
    tables: list[Table]
    bytes_at: list[list[int]]  # for each table, which columns hold bytes


def check(path: Path) -> Kept:
    """Read a backup through to its end: it is whole, and no bit of it has changed."""
    with _in_words(f"{path} cannot be read"), path.open("rb") as file:
        head = file.readline()
        first = _first(path, head)
        digest, rows, games, line = blake2b(head, digest_size=32), 0, 0, b""
        of_games = next((number for number, table in enumerate(first.tables) if table.name == GAMES.name), -1)
        begins = f"[{of_games},".encode()
        for following in file:
            if line:
                digest.update(line)
                rows += 1
                games += line.startswith(begins)
            line = following
        if not line.startswith(b'{"rows":') or not line.endswith(b"\n"):
            raise BackupError(f"{path} is cut short: its last line is missing")
        try:
            end = json.loads(line)
        except ValueError:
            raise BackupError(f"{path} has been altered: its last line cannot be read") from None
        if end != {"rows": rows, "sum": digest.hexdigest()}:
            raise BackupError(f"{path} has been altered: its sum does not fit its {rows} rows")
    return Kept(games, rows)


def _first(path: Path, line: bytes) -> _First:
    if not line.startswith(BEGINS):
        raise BackupError(f"{path} is not a Flagplot backup: it does not begin like one")
    if not line.endswith(b"\n"):
        raise BackupError(f"{path} is cut short in its first line")
    try:
        told = json.loads(line)
        if told["flagplot_backup"] != FORMAT:
            raise BackupError(f"{path} has format {told['flagplot_backup']}; this version of Flagplot reads {FORMAT}")
        tables = [
            Table(
                str(each["name"]),
                MetaData(),
                *(Column(str(name), KINDS[kind]) for name, kind in each["columns"].items()),
            )
            for each in told["tables"]
        ]
        at = [[n for n, kind in enumerate(each["columns"].values()) if kind == "bytes"] for each in told["tables"]]
        return _First(str(told["revision"]), tables, at)
    except (ValueError, KeyError, TypeError, AttributeError) as trouble:
        raise BackupError(f"{path} has been altered: its first line cannot be read") from trouble


def _rows(path: Path, first: _First) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        file.readline()
        for line in file:
            if line.startswith(b"{"):
                return
            number, *values = json.loads(line)
            for index in first.bytes_at[number]:
                if values[index] is not None:
                    values[index] = base64.b64decode(values[index])
            names = (column.name for column in first.tables[number].columns)
            yield number, dict(zip(names, values, strict=True))


# -- putting it back ------------------------------------------------------------------------------------------


def restore(database: Database, path: Path) -> Kept:
    """Put a backup into a new database: all of it, or nothing. It is brought up to date afterwards."""
    kept = check(path)
    with path.open("rb") as file:
        first = _first(path, file.readline())
    with _in_words(f"{path} was not restored"), _alone(database):
        _refuse_unless_new(database, first.revision)
        migrate(database, first.revision)
        with database.write() as connection:
            for number, rows in groupby(_rows(path, first), itemgetter(0)):
                values = (row for _, row in rows)
                while batch := list(islice(values, BATCH)):
                    connection.execute(insert(first.tables[number]), batch)
        migrate(database)
    return kept


def _refuse_unless_new(database: Database, revision: str) -> None:
    with database.write() as connection:
        there = _revision(connection)
        if not there:
            return
        if inspect(connection).has_table(GAMES.name) and connection.execute(select(GAMES.c.id).limit(1)).first():
            raise BackupError("there are games in this database already: restore into a new one")
        if there != revision:
            raise BackupError(f"this database is at step {there} and the backup at {revision}: restore into a new one")


@contextmanager
def _alone(database: Database) -> Iterator[None]:
    """Make sure that nobody else writes: SQLite has one writer, and while a server runs it is the server."""
    if not database.sqlite:
        yield
        return
    path = _file_of(database)
    database.close()  # our own connections would be in the way
    taken = BackupError(f"a server has {path} open, and it alone may write there: stop it first")
    with Path(f"{path}.lock").open("w") as lock:
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise taken from None
        if path.exists():
            # With a log, an exclusive lock is had only if no other process has the file open at all.
            with closing(sqlite3.connect(path, timeout=0.2, isolation_level=None)) as sole:
                sole.execute("PRAGMA locking_mode=EXCLUSIVE")
                try:
                    sole.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as refusal:
                    if "locked" in str(refusal):
                        raise taken from None
                    raise
                sole.execute("ROLLBACK")
        yield


# -- checking games ---------------------------------------------------------------------------------------------


def verify(database: Database) -> Verified:
    """Replay every game with every check, and see that the rows about it agree. One bad game does not hide the next."""
    found = Verified()
    with _in_words("the games could not be read"), moment(database) as connection:
        found.faults += [Fault("", why) for why in _database_faults(connection, database)]
        for id in connection.execute(select(GAMES.c.id).order_by(GAMES.c.created, GAMES.c.id)).scalars().all():
            lines, faults = _game_faults(connection, id)
            found.games += 1
            found.lines += lines
            found.faults += [Fault(id, why) for why in faults]
    return found


def _database_faults(connection: Connection, database: Database) -> Iterator[str]:
    if not database.sqlite:
        return
    for (told,) in connection.execute(text("pragma integrity_check")):
        if told != "ok":
            yield f"SQLite finds damage: {told}"
    for row in connection.execute(text("pragma foreign_key_check")):
        yield f"a row of {row[0]} belongs to no game"


def _game_faults(connection: Connection, id: str) -> tuple[int, list[str]]:
    row = connection.execute(select(GAMES).where(GAMES.c.id == id)).mappings().one()
    stored = connection.execute(
        select(JOURNAL.c.n, JOURNAL.c.line, JOURNAL.c.decision).where(JOURNAL.c.game == id).order_by(JOURNAL.c.n)
    ).all()
    faults: list[str] = []
    if [n for n, _, _ in stored] != list(range(row["lines"])):
        faults.append(f"its journal should have {row['lines']} lines without a gap, but {len(stored)} are there")
    if row["stage"] == "mustering":  # nothing has been played, and there is nothing to replay yet
        return len(stored), [*faults, *(["its sides still muster, but it is being played"] if stored else [])]
    faults += _decision_faults(connection, id, [decision for _, _, decision in stored])
    try:
        game = _replayed(row["header"], [line for _, line, _ in stored])
        if game.over != row["over"]:
            faults.append(f"it is marked as {'over' if row['over'] else 'open'}, and is not")
        wanted = {side for side, who in json.loads(row["players"]).items() if who == "person"} | {"host"}
        seats = set(connection.execute(select(SEATS.c.seat).where(SEATS.c.game == id)).scalars())
        if missing := sorted(wanted - seats):
            faults.append(f"it has no seat for {' and '.join(missing)}")
        faults += _order_faults(connection, id, wanted)
    except (GameError, ValueError, AttributeError) as trouble:
        faults.append(str(trouble))
    return len(stored), faults


def _decision_faults(connection: Connection, id: str, of_lines: Iterable[str | None]) -> Iterator[str]:
    """Every decision is in the journal once, in one piece, and is answered in the same way if it is sent again."""
    blocks = [decision for decision, _ in groupby(of_lines) if decision is not None]
    rows = connection.execute(select(DECISIONS.c.id, DECISIONS.c.reply).where(DECISIONS.c.game == id)).all()
    answered = {key for key, reply in rows if json.loads(reply).get("ok")}  # a question to the enemy changes nothing
    if len(blocks) != len(set(blocks)):
        yield "a decision stands in its journal twice"
    if lost := answered - set(blocks):
        yield f"{len(lost)} decisions were acknowledged but are not in its journal"
    if strange := set(blocks) - answered:
        yield f"{len(strange)} decisions in its journal were never acknowledged"


def _order_faults(connection: Connection, id: str, people: Collection[str]) -> Iterator[str]:
    """Standing orders belong to a side that a person plays, and can be read."""
    wanted = select(STANDING_ORDERS).where(STANDING_ORDERS.c.game == id).order_by(STANDING_ORDERS.c.seat)
    for row in connection.execute(wanted).mappings():
        if row["seat"] not in people or row["seat"] not in SIDES:
            yield f"{row['seat']} has standing orders, and plays no side"
        try:
            row["text"].decode()
            [each["question"] + 0 for each in json.loads(row["given"])]
        except (ValueError, TypeError, KeyError):
            yield f"the standing orders of {row['seat']} cannot be read"


def _replayed(header: bytes, lines: Iterable[bytes]) -> Game:
    try:
        read = _header.decode(header)
        journal = [_line.decode(line) for line in lines]
    except msgspec.MsgspecError as trouble:
        raise BackupError(f"a row cannot be read: {trouble}") from trouble
    if read.setup_hash != setup_hash(read.setup):
        raise BackupError("its set-up has been altered: the fingerprint does not fit")
    return Game(read, journal)


@contextmanager
def as_the_only_writer(database: Database, failed: str) -> Iterator[None]:
    """For what the host does to games with the server stopped; whatever goes wrong is told after `failed`."""
    with _in_words(failed):
        if database.sqlite and not _file_of(database).is_file():
            raise BackupError(f"there is no database at {_file_of(database)}")
        with _alone(database):
            yield


# -- closing a game -----------------------------------------------------------------------------------------------


def close(database: Database, game: str, why: str) -> None:
    """End a game that its players cannot end. It can still be looked at."""
    with _in_words("the game was not closed"):
        if database.sqlite and not _file_of(database).is_file():
            raise BackupError(f"there is no database at {_file_of(database)}")
        with _alone(database), database.write() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == game)).mappings().one_or_none()
            if row is None:
                raise BackupError(f"there is no game {game[:40]!r}")
            if row["closed"] or row["over"]:
                raise BackupError("the game is over" if row["over"] else f"the game has been closed: {row['closed']}")
            told = f"closed by the host of the server: {why}" if why else "closed by the host of the server"
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(closed=told[:200]))
