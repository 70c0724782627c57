"""A game as it was a while ago, for spectators who are shown it later (trust.md, spec-1).

It is rebuilt from the lines of the journal that were stored before then, and kept until more of them are old enough.
Page, stream, report, download and replay of a spectator all come from it, so that none is ahead of the others; what was
said beside the moves is kept back as long.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, select

from flagplot.web.database import JOURNAL

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

MOST_KEPT = 100  # games that somebody watches later


class Delayed:
    """Games as they were; the one looked at longest ago goes first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: OrderedDict[str, LiveGame] = OrderedDict()

    def get(self, id: str) -> LiveGame | None:
        """A game as it was when somebody last looked at it."""
        with self._lock:
            return self._games.get(id)

    def keep(self, live: LiveGame) -> None:
        """Keep a game as it now may be seen."""
        with self._lock:
            self._games[live.id] = live
            self._games.move_to_end(live.id)
            while len(self._games) > MOST_KEPT:
                self._games.popitem(last=False)


def lines_before(hall: Hall, id: str, moment: float) -> tuple[int, int]:
    """How many lines of a journal were stored by then, and how many there are."""
    by_then = func.count().filter(JOURNAL.c.at <= moment)
    newer = select(func.min(JOURNAL.c.n)).where(and_(JOURNAL.c.game == id, JOURNAL.c.at > moment)).scalar_subquery()
    with hall.database.read() as connection:
        old, first_new, all_of_them = connection.execute(
            select(by_then, newer, func.count()).where(JOURNAL.c.game == id)
        ).one()
    return (old if first_new is None else min(old, first_new)), all_of_them


def is_shown(hall: Hall, id: str, minutes: int) -> bool:
    """Whether spectators have been shown all there is of a game."""
    if not minutes:
        return True
    lines, length = lines_before(hall, id, time.time() - minutes * 60.0)
    return lines == length


def notes_shown(hall: Hall, id: str, public: int, *, seated: bool) -> list[dict[str, Any]]:
    """What was said beside the moves, as far as somebody reads it: spectators who see the game later, later too."""
    if seated:
        return hall.notes(id)
    until = time.time() - (hall.spectators(id) or 0) * 60.0
    return [note for note in hall.notes(id, until) if note["at"] <= public]


def delayed(hall: Hall, id: str, seconds: float) -> LiveGame:
    """A game as it was so many seconds ago. That it was closed is told when all its lines are."""
    lines, length = lines_before(hall, id, time.time() - seconds)
    kept = hall.delayed.get(id)
    if kept is None or kept.stored != lines:
        kept = hall.read(id, lines=lines)
    kept.closed = hall.why_closed(id) if lines == length else ""
    hall.delayed.keep(kept)
    return kept
