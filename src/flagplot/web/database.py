"""Where games are kept: SQLite by default, PostgreSQL by one setting. Journals are append-only.

SQLite: one process, one writing connection, which alone checkpoints; write-ahead log, every commit synced (trust.md,
decisions 1 and 2). Readers open read-only. A transaction is begun by us and not by the driver, so that it holds changes
of tables as well. After anything has failed, the writing connection is not used again: the next one who writes opens the
file anew and looks whether it is sound (promise 5). PostgreSQL: several workers; `unique(game, n)` and the conditional
update of a game's length decide who was first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

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
    false,
    func,
    select,
    text,
    true,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

# How long PostgreSQL may keep us waiting for a row that another worker holds, and another worker for one of ours.
PATIENCE = "-c lock_timeout=5s -c idle_in_transaction_session_timeout=60s"

READERS = 5  # connections to SQLite kept for those who read next: to open one costs more than most of what is asked

CHANGED = "flagplot_changed"  # what workers tell each other through PostgreSQL

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
    Column("stage", String(16), nullable=False, default="playing", server_default="playing"),  # or "mustering"
    Column("template", LargeBinary),  # JSON: while sides still muster, what the game will be made from
    Column("spectator_delay", Integer, nullable=False, default=0, server_default="0"),  # minutes
    Column("odds", Boolean, nullable=False, default=True, server_default=true()),  # whether players may ask for odds
    Column("wants_back", String(16), nullable=False, default="", server_default=""),  # a side that asks to take back
    Column("proposal", LargeBinary),  # JSON: an amendment that waits for the other side's consent
    Column("release", String(8), nullable=False, default="live", server_default="live"),  # its release clock, or "post"
    Column("held", LargeBinary),  # JSON: an answer that opens at the next quarter hour
)

MUSTERS = Table(
    "musters",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # the side's own forces, which the other side is not shown
    Column("ready", Boolean, nullable=False, default=False),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("line", LargeBinary, nullable=False),
    Column("decision", String(64)),  # the client's id of the decision that led to this line
    Column("at", Float, nullable=False, default=0.0, server_default="0"),  # when it was stored
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
    Column("said", Float, nullable=False, server_default="0"),  # when
)

STANDING_ORDERS = Table(
    "standing_orders",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # as the seat wrote them, which nobody else is shown
    Column("paused", String(200), nullable=False, default=""),  # why, if they answer nothing just now
    Column("given", LargeBinary, nullable=False),  # JSON: the last answers they gave
)

DICE = Table(  # of fair dice: no part of the game, so that it outlasts it
    "dice",
    METADATA,
    Column("game", String(32), primary_key=True),
    Column("secrets", LargeBinary, nullable=False),  # JSON: the host's halves, and the shares it draws for others
    Column("bound", String(64), nullable=False),  # what the host is bound to, which everybody may see
    Column("made", Float, nullable=False),
)

CLOCKS = Table(
    "clocks",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("terms", LargeBinary, nullable=False),  # JSON: how much time there is, and what happens when it runs out
    Column("state", LargeBinary, nullable=False),  # JSON: what each side has used
)

SERVER_TIME = Table(
    "server_time",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),  # one row
    Column("ran", Float, nullable=False),  # seconds that count: the server ran, and knew how late it was
    Column("boot", String(64), nullable=False),  # which machine, since when
    Column("mono", Float, nullable=False),  # its clock that never jumps, and the one that may
    Column("wall", Float, nullable=False),
    Column("held_until", Float, nullable=False, default=0.0),  # of `ran`: after a jump nobody's time runs out before
)

NOTICES = Table(
    "notices",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),
    Column("kind", String(8), primary_key=True),  # mail, hook
    Column("target", LargeBinary, nullable=False),  # where to, sealed with a key that is not in the database
    Column("off", String(200), nullable=False, default=""),  # why nothing is sent there; "" if it is
    Column("told_of", Integer, nullable=False, default=-1),  # the question it was last told of
    Column("failures", Integer, nullable=False, default=0),  # one after the other
    Column("error", String(200), nullable=False, default=""),  # the last one, for the seat to read
    Column("error_at", Float),
    Column("sent_at", Float),
)

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), nullable=False),
    Column("seat", String(16), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("question", Integer, nullable=False),  # the one that waits; -1: whatever happens
    Column("due", Float, nullable=False),  # not to be sent before
    Column("tries", Integer, nullable=False, default=0),
)

DESKS = Table(
    "desks",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),
    Column("notepad", LargeBinary, nullable=False),  # for nobody else to read, like all that lies on a desk
    Column("ahead", LargeBinary, nullable=False),  # answers ahead: lines of standing orders that are used once
    Column("draft", LargeBinary, nullable=False),  # JSON: the question's number, and what would be answered
    Column("remind", Float),  # when to remind of the game; none if not at all
    Column("reminded", Boolean, nullable=False, default=False, server_default=false()),  # a notice was sent
)

LOOKS = Table(
    "looks",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(16), primary_key=True),
    Column("device", String(16), primary_key=True),  # or "post", for turn files
    Column("told", Integer, nullable=False),  # how many events the seat had been sent
    Column("mark", String(32), nullable=False),  # of those events, in case some are taken back
    Column("at", Float, nullable=False),
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
        self._doubtful = False  # something failed on the writing connection of SQLite
        self.writer = self._engine(read_only=False)
        if self.sqlite:
            self.reader = self._engine(read_only=True)
        else:  # whoever looks needs no transaction: to begin and end one takes as long as to ask
            self.reader = self.writer.execution_options(isolation_level="AUTOCOMMIT")

    def _engine(self, *, read_only: bool) -> Engine:
        # Parameters hold secrets, and errors are logged: they are never part of an error's text.
        if not self.sqlite:
            connecting: dict[str, Any] = {"connect_timeout": 5}
            if "options" not in self.url.query:
                connecting["options"] = PATIENCE
            return create_engine(
                self.url,
                pool_pre_ping=True,
                pool_size=5,
                pool_timeout=10,
                connect_args=connecting,
                hide_parameters=True,
            )
        if not read_only:
            engine = create_engine(
                self.url,
                poolclass=StaticPool,
                connect_args={"check_same_thread": False, "isolation_level": None},
                hide_parameters=True,
            )
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        path = Path(self.url.database or "").absolute()
        return create_engine(
            f"sqlite:///file:{path}?mode=ro&uri=true",
            poolclass=QueuePool,
            pool_size=READERS,
            max_overflow=-1,
            connect_args={"check_same_thread": False},
            hide_parameters=True,
        )

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it is stored, or nothing. What has failed is not tried again here."""
        if not self.sqlite:
            with self.writer.begin() as connection:
                yield connection
            return
        with self._writing:
            if self._doubtful:
                self._reopen()
            try:
                with self.writer.begin() as connection:
                    yield connection
            except SQLAlchemyError:
                self._doubtful = True
                raise

    def _reopen(self) -> None:
        """Replace the writing connection of SQLite by a new one, which finds the file sound.

        The old one is closed last: as long as it is open, the log and its index stay where readers find them, even if
        the disk has no room to make them again.
        """
        old = self.writer.pool
        self.writer.pool = old.recreate()
        try:
            with self.writer.connect() as connection:
                found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            if found != "ok":
                raise DatabaseError("PRAGMA quick_check(1)", None, ValueError(str(found)))
        except SQLAlchemyError:
            self.writer.pool.dispose()
            self.writer.pool = old
            raise
        old.dispose()
        self._doubtful = False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A look at what is stored."""
        with self.reader.connect() as connection:
            try:
                yield connection
            except SQLAlchemyError:
                connection.invalidate()  # what has failed is not used again
                raise

    def facts(self) -> dict[str, str]:
        """What start-up prints: version, journal mode, sync mode."""
        with self._writing, self.writer.connect() as connection:
            if not self.sqlite:
                version = connection.execute(text("show server_version")).scalar_one()
                return {"database": "PostgreSQL", "version": str(version)}
            ask = {"version": "select sqlite_version()", "journal": "pragma journal_mode", "sync": "pragma synchronous"}
            told = {name: str(connection.execute(text(sql)).scalar_one()) for name, sql in ask.items()}
            return {"database": "SQLite", **told}

    def tell(self, game: str) -> None:
        """Tell every worker at this PostgreSQL that a game has changed. It is stored already: whoever misses this looks later."""
        with suppress(SQLAlchemyError), self.writer.begin() as connection:
            connection.execute(select(func.pg_notify(CHANGED, game)))

    def told(self, ending: Callable[[], bool]) -> Iterator[str]:
        """What workers tell each other, until the end or until the connection is lost; at first "", for whatever was missed."""
        engine = create_engine(self.url, poolclass=NullPool, connect_args={"connect_timeout": 5}, hide_parameters=True)
        with engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(f"LISTEN {CHANGED}")
            yield ""
            driver: Any = connection.connection.driver_connection
            try:
                while not ending():
                    for notice in driver.notifies(timeout=0.5):
                        yield notice.payload
                    connection.exec_driver_sql("SELECT 1")  # a connection that was cut is silent, too
            except self.writer.dialect.loaded_dbapi.Error as trouble:
                raise DatabaseError("LISTEN", None, trouble) from trouble

    def close(self) -> None:
        """Let go of all connections; the writing one last, which takes the log of SQLite with it."""
        self.reader.dispose()
        self.writer.dispose()


def _prepare_sqlite(connection: object, record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
