"""Where games are kept: SQLite by default, PostgreSQL by one setting. Journals are append-only.

SQLite: one process, one writing connection, which alone checkpoints; write-ahead log, every commit synced (trust.md,
decisions 1 and 2). Readers open read-only. PostgreSQL: several workers; `unique(game, n)` and the conditional update of
a game's length decide who was first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    event,
    text,
)
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool, StaticPool

METADATA = MetaData()

GAMES = Table(
    "games",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("header", LargeBinary, nullable=False),
    Column("title", String(200), nullable=False),
    Column("created", Float, nullable=False),
    Column("lines", Integer, nullable=False, default=0),  # how long the journal is
    Column("players", String(200), nullable=False),  # JSON: who plays each side
    Column("listed", Boolean, nullable=False, default=False),
    Column("spectators", Boolean, nullable=False, default=False),
    Column("over", Boolean, nullable=False, default=False),
    Column("closed", String(200), nullable=False, default=""),  # why, if it was closed before its end
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("line", LargeBinary, nullable=False),
    Column("decision", String(64)),  # the client's id of the decision that led to this line
    UniqueConstraint("game", "decision", "n", name="journal_decision"),
)

DECISIONS = Table(
    "decisions",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("seat", String(16), nullable=False),
    Column("reply", LargeBinary, nullable=False),  # what was answered, for whoever sends it again
)

SEATS = Table(
    "seats",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),  # axis, allies, referee, host
    Column("name", String(60), nullable=False, default=""),
    Column("invitation", String(64)),  # SHA-256 of a token not yet used
    Column("recovery", String(64)),  # SHA-256 of the recovery code
    Column("claimed", Float),
)

DEVICES = Table(
    "devices",
    METADATA,
    Column("token", String(64), primary_key=True),  # SHA-256
    Column("id", String(16), nullable=False, unique=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("seat", String(16), nullable=False),
    Column("label", String(60), nullable=False, default=""),
    Column("created", Float, nullable=False),
    Column("revoked", Boolean, nullable=False, default=False),
)

NOTES = Table(
    "notes",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Integer, nullable=False),  # how long the public log was
    Column("seat", String(16), nullable=False),
    Column("text", String(500), nullable=False),
)

SETUPS = Table(
    "setups",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("text", LargeBinary, nullable=False),
    Column("created", Float, nullable=False),
)


class Database:
    """One database: a way to write, and a way to read."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self._writing = threading.RLock()
        self.writer = self._engine(read_only=False)
        self.reader = self._engine(read_only=True) if self.sqlite else self.writer

    def _engine(self, *, read_only: bool) -> Engine:
        if not self.sqlite:
            return create_engine(self.url, pool_pre_ping=True, pool_size=5, connect_args={"connect_timeout": 5})
        if not read_only:
            engine = create_engine(self.url, poolclass=StaticPool, connect_args={"check_same_thread": False})
            event.listen(engine, "connect", _prepare_sqlite)
            return engine
        path = Path(self.url.database or "").absolute()
        return create_engine(
            f"sqlite:///file:{path}?mode=ro&uri=true", poolclass=NullPool, connect_args={"check_same_thread": False}
        )

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it is stored, or nothing."""
        if not self.sqlite:
            with self.writer.begin() as connection:
                yield connection
            return
        with self._writing, self.writer.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A look at what is stored."""
        with self.reader.connect() as connection:
            yield connection

    def facts(self) -> dict[str, str]:
        """What start-up prints: version, journal mode, sync mode."""
        with self._writing, self.writer.connect() as connection:
            if not self.sqlite:
                version = connection.execute(text("show server_version")).scalar_one()
                return {"database": "PostgreSQL", "version": str(version)}
            ask = {"version": "select sqlite_version()", "journal": "pragma journal_mode", "sync": "pragma synchronous"}
            told = {name: str(connection.execute(text(sql)).scalar_one()) for name, sql in ask.items()}
            return {"database": "SQLite", **told}

    def close(self) -> None:
        """Let go of all connections."""
        self.writer.dispose()
        self.reader.dispose()


def _prepare_sqlite(connection: object, record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
