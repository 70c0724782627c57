"""Live updates: a stream says "something changed for you", and the page fetches its own view.

A stream carries the version of its own audience and nothing else; it is woken after COMMIT (trust.md, decisions 3 and 5).
Where several workers share a PostgreSQL, each tells the others through it which game has changed (LISTEN and NOTIFY); what
is lost on that way is made good at the next heartbeat, when every stream looks again by itself.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable

from sqlalchemy.exc import SQLAlchemyError

from flagplot.web.database import Database

HEARTBEAT = 15.0  # seconds


class Streams:
    """Who listens to which game."""

    def __init__(self, database: Database | None = None) -> None:
        self._shared = database if database is not None and not database.sqlite else None
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seats: dict[str, int] = {}
        self._ending = threading.Event()
        self._hearing: threading.Thread | None = None
        self.open = 0

    def of(self, seat: str) -> int:
        """How many streams a seat has."""
        return self._seats.get(seat, 0)

    def begin(self) -> None:
        """Remember the loop that streams live in; games are played in other threads."""
        self._loop = asyncio.get_running_loop()
        self._ending.clear()
        if self._shared is not None:
            self._hearing = threading.Thread(target=self._hear, args=(self._shared,), daemon=True)
            self._hearing.start()

    def end(self) -> None:
        """Let every stream come to its end: pages come back by themselves."""
        self._ending.set()
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.set()

    def wake(self, game: str) -> None:
        """Tell everybody who listens to a game to look again, at whichever worker."""
        self._wake_here(game)
        if self._shared is not None:
            self._shared.tell(game)

    def _wake_here(self, game: str) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, game)

    def _wake(self, game: str) -> None:
        listening = [self._listeners.get(game, set())] if game else list(self._listeners.values())
        for listeners in listening:
            for listener in listeners:
                listener.set()

    def _hear(self, database: Database) -> None:
        """What other workers tell, until the end. After a lost connection everybody looks again."""
        while not self._ending.is_set():
            try:
                for game in database.told(self._ending.is_set):
                    self._wake_here(game)
            except SQLAlchemyError:
                self._ending.wait(1.0)

    async def listen(
        self, game: str, version: Callable[[], str | None], seen: str, seat: str = ""
    ) -> AsyncIterator[str]:
        """Server-sent events: a version whenever this audience's own has changed. Without a version the stream ends."""
        event = asyncio.Event()
        self._listeners.setdefault(game, set()).add(event)
        self.open += 1
        self._seats[seat] = self.of(seat) + 1
        beat = time.monotonic() + HEARTBEAT  # a rhythm of its own: what others decide in secret does not shift it
        try:
            while not self._ending.is_set():
                try:
                    now = await asyncio.to_thread(version)
                except SQLAlchemyError:
                    return  # no database just now: the page comes back by itself
                if now is None:
                    return
                if now != seen:
                    seen = now
                    yield f"event: changed\ndata: {now}\n\n"
                try:
                    await asyncio.wait_for(event.wait(), max(0.0, beat - time.monotonic()))
                except TimeoutError:
                    beat = time.monotonic() + HEARTBEAT
                    yield ": still here\n\n"
                event.clear()
        finally:
            self.open -= 1
            self._seats[seat] -= 1
            if not self._seats[seat]:
                del self._seats[seat]
            listeners = self._listeners.get(game, set())
            listeners.discard(event)
            if not listeners:
                self._listeners.pop(game, None)
