"""The release clock of a game: when an answer reaches the other seat, so that nobody sees who, or what, gave it.

`live`: an answer typed by a person counts at once; an answer by standing order waits a delay that was drawn when the
question was put, before anything of the answer is known. `post`: a step that another seat would notice is kept in an
envelope and opened at the next full quarter hour, whoever gave it. Ten seconds before, standing orders put theirs into
the envelope too; then all envelopes are opened in the same way. A step that nobody else can notice is stored at once:
its player goes on. (trust.md, decision 8, opp-4, opp-5.) Not promised: hiding that a person missed a quarter hour.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from math import floor
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Connection, and_, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.core.errors import EngineError, GameError, PlayerError, StaleRequest
from flagplot.core.forms import Wire
from flagplot.core.sides import SIDES, Side
from flagplot.web.database import DECISIONS, GAMES, STANDING_ORDERS
from flagplot.web.limits import report_error
from flagplot.web.notices import Notices

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

LIVE, POST = "live", "post"
RELEASES = {
    LIVE: "live: what a person answers counts at once, what standing orders answer after a while drawn by lot",
    POST: "post: whatever the other side would notice opens at the next full quarter hour, whoever answered",
}
DELAY = (20.0, 120.0)  # seconds an automatic answer waits, `live`; both nought: not at all
QUARTER = 900.0
COLLECTED = 10.0  # seconds before a quarter hour, when standing orders put their answers into envelopes
NOT_AGAIN = "you have answered this: your answer opens at the next full quarter hour; take it back to change it"


class Clock:
    """What time it is: by the clock that may be set, and by the one that never jumps."""

    def time(self) -> float:
        """Seconds since 1970, as far as this machine knows."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds since some moment; it is never set."""
        return time.monotonic()


class Held(msgspec.Struct, frozen=True):
    """An answer in its envelope; `note` is what its seat will read, if a standing order gave it."""

    side: str
    question: int
    answer: Any
    say: str = ""
    note: dict[str, Any] | None = None


_held = msgspec.json.Decoder(Held)


def held_by(live: LiveGame) -> Side | None:
    """The side whose answer waits in an envelope, if any."""
    return SIDES[_held.decode(live.held).side] if live.held else None


def asked(live: LiveGame, side: Side) -> bool:
    """Whether a side is to answer something now."""
    return live.game.decision(side) is not None and held_by(live) is not side


def others_see(live: LiveGame, side: Side) -> tuple[object, ...]:
    """All by which anybody but this side could notice that it has answered."""
    game, enemy = live.game, side.enemy
    told = len(game.picture(enemy).events), len(game.picture(None).events)
    return (*told, id(game.decision(enemy)), game.question_number(enemy), game.over, game.roll_due() is not None)


def next_quarter(now: float) -> float:
    """The next full quarter hour."""
    return (floor(now / QUARTER) + 1) * QUARTER


class Release:
    """When answers reach the other seat, in all games of a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.clock = Clock()
        self.notices = Notices(hall)
        self.draw: Callable[[float, float], float] = SystemRandom().uniform
        self.next = 0.0  # quarter hour
        self.collected = False  # for that one

    def holds_back(self, live: LiveGame) -> bool:
        """Whether steps that others notice wait for the quarter hour; not if one person plays alone."""
        return live.release == POST and not live.alone

    def take(self, live: LiveGame, side: Side, decision: str, question: int, wire: Wire, say: str) -> dict[str, Any]:
        """Take a side's answer: stored as a move, or kept in its envelope. Whoever asks holds the game."""
        if held_by(live) is side:
            raise StaleRequest(NOT_AGAIN)
        before, seen = others_see(live, side), answered(live, side)
        try:
            live.game.submit(side, wire, question)
        except EngineError:
            self.hall.forget(live)
            raise
        self.hall.standing.somebody_looks(live.id)
        if self.holds_back(live) and others_see(live, side) != before:
            return self.hold(live, decision, Held(side.value, question, wire, say), seen)
        return self.hall.commit(live, side, decision, say)

    def hold(self, live: LiveGame, decision: str, held: Held, seen: str) -> dict[str, Any]:
        """Put an answer into its envelope. It has been tried on the game in memory, which is therefore read again."""
        opens = next_quarter(self.clock.time())
        reply = {"ok": True, "version": seen, "opens": opens}
        with self.hall.storing(live) as connection:
            free = and_(GAMES.c.id == live.id, GAMES.c.lines == live.stored, GAMES.c.held.is_(None))
            if connection.execute(update(GAMES).where(free).values(held=msgspec.json.encode(held))).rowcount != 1:
                raise StaleRequest("the game has moved on meanwhile: look at it again")
            told = json.dumps(reply).encode()
            connection.execute(insert(DECISIONS).values(game=live.id, id=decision, seat=held.side, reply=told))
            self.hall.clocks.settle(connection, live, {})
        self.hall.forget(live)
        self.hall.wake(live.id)
        return reply

    def withdraw(self, live: LiveGame, side: Side, decision: str) -> dict[str, Any]:
        """Take an answer out of its envelope again: nobody else has noticed anything."""
        live.held = None
        reply = {"ok": True, "version": answered(live, side, asked=True)}
        with self.hall.storing(live) as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == live.id).values(held=None))
            told = json.dumps(reply).encode()
            connection.execute(insert(DECISIONS).values(game=live.id, id=decision, seat=side.value, reply=told))
            self.hall.standing.after_undo(live, side)(connection)
            self.hall.clocks.settle(connection, live, self.hall.clocks.questions(live))
        self.hall.wake(live.id)
        return reply

    def settle(self, connection: Connection, live: LiveGame) -> None:
        """What is stored with every move: whose clock runs, and who is to be told."""
        open_now = self.hall.clocks.questions(live)
        self.hall.clocks.settle(connection, live, open_now)
        self.notices.queue(connection, live, open_now)

    def longest(self, *, post: bool) -> float:
        """How long standing orders may take to answer."""
        now = self.clock.time()
        return next_quarter(now) - now if post else DELAY[1]

    # -- the quarter hour -------------------------------------------------------------------------

    def step(self) -> None:
        """What is due by the clock on the wall: envelopes filled by standing orders, then all of them opened."""
        now = self.clock.time()
        if not self.next or self.next - now > QUARTER:  # the first time, or the clock was set back
            self.next, self.collected = next_quarter(now), False
        if not self.collected and now >= self.next - COLLECTED:
            self.collected = True
            self._each(self._with_orders(), self._collect)
        if now >= self.next:
            self._each(self._with_envelopes(), self.open)
            self.next, self.collected = next_quarter(now), False

    def _each(self, games: list[str], do: Callable[[str], None]) -> None:
        for id in games:
            try:
                do(id)
            except (GameError, SQLAlchemyError) as trouble:  # it waits for the next quarter hour
                if not isinstance(trouble, PlayerError):
                    report_error(trouble)

    def _collect(self, id: str) -> None:
        with self.hall.holding(id) as live:
            self.hall.standing.go_on(live, collecting=True)

    def open(self, id: str) -> None:
        """Open the envelope of a game: from now on everybody sees what follows from it."""
        with self.hall.holding(id) as live:
            if not live.held or live.closed:
                return
            held = _held.decode(live.held)
            side, live.held = SIDES[held.side], None
            try:
                live.game.submit(side, held.answer, held.question)
            except PlayerError:  # something was taken back or put right meanwhile: the question waits for its player
                with self.hall.storing(live) as connection:
                    connection.execute(update(GAMES).where(GAMES.c.id == id).values(held=None))
                self.hall.wake(id)
                return

            def emptied(connection: Connection) -> None:
                connection.execute(update(GAMES).where(GAMES.c.id == id).values(held=None))
                if held.note:
                    self.hall.standing.noted(connection, id, side, held.note)

            self.hall.commit(live, side, f"opened-{secrets.token_hex(16)}", held.say, also=emptied)

    def _with_orders(self) -> list[str]:
        orders = select(STANDING_ORDERS.c.game).where(STANDING_ORDERS.c.paused == "")
        return self._open_games(GAMES.c.id.in_(orders))

    def _with_envelopes(self) -> list[str]:
        return self._open_games(GAMES.c.held.is_not(None))

    def _open_games(self, which: Any) -> list[str]:
        still = and_(
            GAMES.c.release == POST, GAMES.c.over.is_(False), or_(GAMES.c.closed == "", GAMES.c.closed.is_(None))
        )
        with self.hall.database.read() as connection:
            found = connection.execute(select(GAMES.c.id).where(and_(still, which)).order_by(GAMES.c.id))
            return list(found.scalars())


def answered(live: LiveGame, side: Side, *, asked: bool = False) -> str:
    """A side's version when its open question has been answered and nothing else has changed."""
    from flagplot.web.hall import version

    return f"{version(live, side).rpartition('.')[0]}.{int(asked)}"
