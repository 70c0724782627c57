"""The release clock of a game: when an answer reaches the other seat, so that nobody sees who, or what, gave it.

`live`: an answer typed by a person counts at once; an answer by standing order waits a delay that was drawn when the
question was put, before anything of the answer is known. `post`: every answer is kept in an envelope and opened at the next
full quarter hour, whoever gave it. Ten seconds before, standing orders put theirs into envelopes too; then all are opened in
the same way. (trust.md, decision 8, opp-4, opp-5.) All answers wait, also those of which the other seat will see nothing:
if only some did, whoever answers could learn from the waiting what the other side has done. Not promised: hiding that a person
missed a quarter hour.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from math import floor
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import Connection, and_, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.core.errors import EngineError, GameError, PlayerError, StaleRequest
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.web.database import DECISIONS, GAMES
from flagplot.web.limits import report_error
from flagplot.web.notices import Notices

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

LIVE, POST = "live", "post"
RELEASES = {
    LIVE: "live: what a person answers counts at once, what standing orders answer after a while drawn by lot",
    POST: "post: every answer opens at the next full quarter hour, whoever or whatever gave it",
}
LIVE_DELAY = (20.0, 120.0)
DELAY = LIVE_DELAY  # seconds an automatic answer waits, `live`; both nought: not at all
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

    decision: str  # its id; if it was taken back, that of the taking back
    reply: dict[str, Any]  # what was answered, for whoever sends it again
    question: int = 0
    answer: Any = None
    say: str = ""
    note: dict[str, Any] | None = None
    taken_back: bool = False


_held = msgspec.json.Decoder(dict[str, Held])


def envelopes(live: LiveGame) -> dict[str, Held]:
    """The envelopes of a game by side: what is in them, or was taken out again."""
    return _held.decode(live.held) if live.held else {}


def holds(live: LiveGame, side: Side) -> bool:
    """Whether a side's answer waits in its envelope."""
    held = envelopes(live).get(side.value)
    return held is not None and not held.taken_back


def asked(live: LiveGame, side: Side) -> bool:
    """Whether a side is to answer something now."""
    return live.game.decision(side) is not None and not holds(live, side)


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
        """Whether answers wait for the quarter hour; not if one person plays alone."""
        return live.release == POST and not live.alone

    def take(
        self,
        live: LiveGame,
        side: Side,
        decision: str,
        question: int,
        wire: Wire,
        say: str,
        also: Callable[[Connection], None] = lambda connection: None,
    ) -> dict[str, Any]:
        """Take a side's answer: stored as a move, or kept in its envelope, with whatever else belongs to it. Whoever asks
        holds the game."""
        held = envelopes(live).get(side.value)
        if held and held.decision == decision:
            return held.reply
        if holds(live, side):
            raise StaleRequest(NOT_AGAIN)
        version = answered(live, side)
        open_now = {each: number for each, number in self.hall.clocks.questions(live).items() if each is not side}
        try:
            live.game.submit(side, wire, question)
        except EngineError:
            self.hall.forget(live)
            raise
        self.hall.standing.somebody_looks(live.id)
        if self.holds_back(live):
            return self.hold(live, side, Held(decision, self.reply(version), question, wire, say), open_now, also=also)
        return self.hall.commit(live, side, decision, say, also=also)

    def reply(self, seen: str) -> dict[str, Any]:
        """What is said to an answer that is put into its envelope."""
        return {"ok": True, "version": seen, "opens": next_quarter(self.clock.time())}

    def hold(
        self,
        live: LiveGame,
        side: Side,
        held: Held,
        open_now: Mapping[Side, int],
        *,
        also: Callable[[Connection], None] = lambda connection: None,
    ) -> dict[str, Any]:
        """Put an answer into its envelope. It has been tried on the game in memory, which is therefore read again."""
        now = msgspec.json.encode({**envelopes(live), side.value: held})
        with self.hall.storing(live) as connection:
            as_read = GAMES.c.held.is_(None) if live.held is None else GAMES.c.held == live.held
            free = and_(GAMES.c.id == live.id, GAMES.c.lines == live.stored, as_read)
            if connection.execute(update(GAMES).where(free).values(held=now)).rowcount != 1:
                raise StaleRequest("the game has moved on meanwhile: look at it again")
            also(connection)
            self.hall.clocks.settle(connection, live, open_now, unseen=True)
        self.hall.forget(live)
        self.hall.wake(live.id)
        return held.reply

    def withdrawn(self, live: LiveGame, side: Side, decision: str) -> dict[str, Any] | None:
        """The answer to taking back what is still in its envelope; None if a side has nothing there."""
        held = envelopes(live).get(side.value)
        if held and held.decision == decision:
            return held.reply
        return self.withdraw(live, side, decision) if holds(live, side) else None

    def withdraw(self, live: LiveGame, side: Side, decision: str) -> dict[str, Any]:
        """Take an answer out of its envelope again: nobody else has noticed anything."""
        reply = {"ok": True, "version": answered(live, side, asked=True)}
        live.held = msgspec.json.encode({**envelopes(live), side.value: Held(decision, reply, taken_back=True)})
        with self.hall.storing(live) as connection:
            self.hall.standing.after_undo(live, side, held=live.held)(connection)
            self.hall.clocks.settle(connection, live, self.hall.clocks.questions(live), unseen=True)
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
        for _ in Side:  # both may be asked; a game into whose envelope something was put is read again
            with self.hall.holding(id) as live:
                self.hall.standing.go_on(live, collecting=True)

    def open(self, id: str) -> None:
        """Open the envelopes of a game, in one order whoever answered first: everybody sees what follows from them."""
        for side in Side:
            self._open(id, side)

    def _open(self, id: str, side: Side) -> None:
        with self.hall.holding(id) as live:
            held = envelopes(live).get(side.value)
            if held is None or held.taken_back or live.closed:
                return
            others = {name: each for name, each in envelopes(live).items() if name != side.value}
            left = msgspec.json.encode(others) if others else None
            live.held = left
            try:
                live.game.submit(side, held.answer, held.question)
            except PlayerError:  # something was taken back or put right meanwhile: the question waits for its player
                with self.hall.storing(live) as connection:
                    connection.execute(update(GAMES).where(GAMES.c.id == id).values(held=left))
                self.hall.wake(id)
                return

            def emptied(connection: Connection) -> None:
                connection.execute(update(GAMES).where(GAMES.c.id == id).values(held=left))
                first = json.dumps(held.reply).encode()  # the same decision is answered as it was the first time
                again = and_(DECISIONS.c.game == id, DECISIONS.c.id == held.decision)
                connection.execute(update(DECISIONS).where(again).values(reply=first))
                if held.note:
                    self.hall.standing.noted(connection, id, side, held.note)

            self.hall.commit(live, side, held.decision, held.say, also=emptied)

    def _with_orders(self) -> list[str]:
        from flagplot.web.standing import may_answer_by_itself

        return self._open_games(may_answer_by_itself())

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
