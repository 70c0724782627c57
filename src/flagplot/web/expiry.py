"""What is not kept for ever, so that nobody fills the disk (trust.md, str-4): games to which nobody ever came, and set-ups
that were shared long ago. And how many games may be open at once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import Connection, and_, delete, exists, func, select
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from flagplot.web.database import (
    CLOCKS,
    DECISIONS,
    DESKS,
    DEVICES,
    GAMES,
    JOURNAL,
    LOOKS,
    MUSTERS,
    NOTES,
    NOTICES,
    OUTBOX,
    SEATS,
    SETUPS,
    STANDING_ORDERS,
    Database,
)

DAY = 24 * 60 * 60.0
UNCLAIMED = 14 * DAY
SHARED = 365 * DAY
COUNTED_AGAIN = 60.0  # seconds


class Expired(NamedTuple):
    """What was removed."""

    games: int
    setups: int


class ClaimedMeanwhile(Exception):
    """Somebody sat down while his game was being removed: it stays."""


def expire(database: Database, ended: Callable[[], bool] = lambda: False) -> Expired:
    """Remove games in which nobody has sat down for 14 days, and set-ups that were shared more than a year ago."""
    moment = time.time()
    never = and_(
        GAMES.c.created < moment - UNCLAIMED,
        ~exists().where(and_(SEATS.c.game == GAMES.c.id, SEATS.c.claimed.is_not(None))),
        ~exists().where(DEVICES.c.game == GAMES.c.id),
    )
    with database.read() as connection:
        games = connection.execute(select(GAMES.c.id).where(never)).scalars().all()
    removed = sum(_remove(database, id) for id in games if not ended())
    with database.write() as connection:
        setups = connection.execute(delete(SETUPS).where(SETUPS.c.created < moment - SHARED)).rowcount
    return Expired(removed, setups)


def _remove(database: Database, id: str) -> bool:
    try:
        with database.write() as connection:
            _remove_rows(connection, id)
    except ClaimedMeanwhile:
        return False
    return True


def _remove_rows(connection: Connection, id: str) -> None:
    for table in (OUTBOX, NOTICES, CLOCKS, DESKS, LOOKS, STANDING_ORDERS, MUSTERS, NOTES, DECISIONS, JOURNAL):
        connection.execute(delete(table).where(table.c.game == id))
    connection.execute(delete(SEATS).where(and_(SEATS.c.game == id, SEATS.c.claimed.is_(None))))
    for table in (SEATS, DEVICES):
        if connection.execute(select(func.count()).select_from(table).where(table.c.game == id)).scalar_one():
            raise ClaimedMeanwhile
    connection.execute(delete(GAMES).where(GAMES.c.id == id))


async def every_day(database: Database, ending: asyncio.Event) -> None:
    """Remove what has expired, now and once a day, until the end. What cannot be removed today is removed another day."""
    while not ending.is_set():
        try:
            gone = await asyncio.to_thread(expire, database, ended=ending.is_set)
            if any(gone):
                logging.getLogger("uvicorn.error").info("expired: %d games, %d set-ups", *gone)
        except SQLAlchemyError as trouble:
            logging.getLogger("uvicorn.error").warning("nothing has expired: %s", type(trouble).__qualname__)
        with suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), DAY)


class Room:
    """How many games are open on this server, counted anew every minute, and how many may be."""

    def __init__(self, database: Database, most: int) -> None:
        self.database = database
        self.most = most
        self._lock = threading.Lock()
        self._open = 0
        self._counted = float("-inf")

    def take(self) -> None:
        """Room for one more game, or a refusal."""
        with self._lock:
            if time.monotonic() - self._counted > COUNTED_AGAIN or self._open >= self.most:
                self._open, self._counted = self._count(), time.monotonic()
            if self._open >= self.most:
                raise HTTPException(507, "this server has no room for more games just now: finish one, or ask its host")
            self._open += 1

    def _count(self) -> int:
        with self.database.read() as connection:
            still_open = select(func.count()).select_from(GAMES).where(GAMES.c.over.is_(False), GAMES.c.closed == "")
            return int(connection.execute(still_open).scalar_one())
