"""Live updates: a stream says "something changed for you", and the page fetches its own view.

A stream carries the version of its own audience and nothing else; it is woken after COMMIT (trust.md, decisions 3 and 5).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

HEARTBEAT = 15.0  # seconds


class Streams:
    """Who listens to which game."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Event]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seats: dict[str, int] = {}
        self.open = 0

    def of(self, seat: str) -> int:
        """How many streams a seat has."""
        return self._seats.get(seat, 0)

    def begin(self) -> None:
        """Remember the loop that streams live in; games are played in other threads."""
        self._loop = asyncio.get_running_loop()

    def wake(self, game: str) -> None:
        """Tell everybody who listens to a game to look again."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, game)

    def _wake(self, game: str) -> None:
        for listener in self._listeners.get(game, ()):
            listener.set()

    async def listen(
        self, game: str, version: Callable[[], str | None], seen: str, seat: str = ""
    ) -> AsyncIterator[str]:
        """Server-sent events: a version whenever this audience's own has changed. Without a version the stream ends."""
        event = asyncio.Event()
        self._listeners.setdefault(game, set()).add(event)
        self.open += 1
        self._seats[seat] = self.of(seat) + 1
        try:
            while True:
                now = await asyncio.to_thread(version)
                if now is None:
                    return
                if now != seen:
                    seen = now
                    yield f"event: changed\ndata: {now}\n\n"
                try:
                    await asyncio.wait_for(event.wait(), HEARTBEAT)
                except TimeoutError:
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
