"""Standing orders in the hall: kept for each seat beside the journal, and answering for it after each commit.

An answer by standing order is a decision like any other, released as the clock of its game says (release.py) and stored in a transaction of its own after the one that put the
question (trust.md, decision 3). If the server dies between the two, the question is open in the journal, and is answered
from the orders when the game is next read. Nothing that goes wrong here harms the decision before it: then the question
waits for its player. Whoever takes back what his orders answered has them paused, or they would answer it again.

What a seat has ordered is read by that seat and nobody else: neither the enemy, nor the host, nor a referee.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, and_, delete, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.errors import EngineError, GameError, IllegalChoice, PlayerError, StaleRequest
from flagplot.core.forms import Wire
from flagplot.core.sides import SIDES, Side
from flagplot.model.picture import Picture
from flagplot.play.correspondence import Ahead, answer_ahead
from flagplot.play.standing_orders import (
    Given,
    OrdersRefused,
    fits_now,
    order_text,
    ordered_answer,
    placed_in_words,
    read_orders,
)
from flagplot.web import release
from flagplot.web.database import DESKS, GAMES, STANDING_ORDERS
from flagplot.web.desks import aheads_of, put, strike_out
from flagplot.web.limits import report_error
from flagplot.web.notices import forget_notices

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

MOST_AT_ONCE = 400  # answers by standing order before somebody must look: orders of two sides might go on for ever
MOST_GIVEN = 60  # answers that are remembered for the seat to look at
MOST_BEGUN = 500  # games that are looked at after a start
LONGEST = 400  # characters of one of them
AGAIN = 2.0  # seconds, if the database could not be written
TAKEN_BACK = "you took back what they had answered"
BY_HAND = "you paused them"
TOO_MANY = f"they had given {MOST_AT_ONCE} answers without anybody looking"
SOMEBODY_NEW = "somebody new sits here"
UNREADABLE = "this version of Flagplot cannot read them: look at the line"

T = STANDING_ORDERS.c
Also: TypeAlias = Callable[[Connection], None]  # what is stored in the same transaction


def _nothing(connection: Connection) -> None:
    """Nothing else."""


class Kept(NamedTuple):
    """A seat's standing orders: as written, why they are paused ("" if they are not), and what they answered last."""

    text: str
    paused: str
    given: list[dict[str, Any]]


class Standing:
    """The standing orders of all games in a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._answering: set[str] = set()  # games in which orders are answering just now
        # How long the journal was when answering by order failed, and until when it is not tried again.
        self._stuck: dict[str, tuple[int, float]] = {}
        self._given: dict[str, int] = {}  # answers by order since somebody looked
        # Of `live` games: how long the journal was when the delay of the next answer was drawn, and when it is over.
        self.due: dict[str, tuple[int, float]] = {}

    # -- keeping them ------------------------------------------------------------------------------

    def of(self, id: str, side: Side) -> Kept:
        """A seat's standing orders; empty ones if it has none."""
        with self.hall.database.read() as connection:
            return _kept(connection, id).get(side, Kept("", "", []))

    def set(self, id: str, side: Side, text: str) -> int:
        """Replace a seat's standing orders, and let them answer at once; none removes them. How many there are."""
        orders = read_orders(text)
        with self.hall.holding(id) as live:
            self._must_go_on(live)
            with self.hall.storing(live) as connection:
                self.store(connection, id, side, text)
            self.look_again(live)
        return len(orders)

    def store(self, connection: Connection, id: str, side: Side, text: str) -> None:
        """Put orders in the place of those a seat had; none removes them."""
        before = _kept(connection, id).get(side)
        connection.execute(delete(STANDING_ORDERS).where(and_(T.game == id, T.seat == side.value)))
        if read_orders(text):
            row = {"game": id, "seat": side.value, "text": text.encode(), "paused": ""}
            connection.execute(insert(STANDING_ORDERS).values(**row, given=_packed(before.given if before else [])))

    def pause(self, id: str, side: Side, *, paused: bool) -> None:
        """Let a seat's orders answer nothing until they are resumed; resumed, they answer at once."""
        with self.hall.holding(id) as live:
            self._must_go_on(live)
            with self.hall.storing(live) as connection:
                mine = and_(T.game == id, T.seat == side.value)
                done = update(STANDING_ORDERS).where(mine).values(paused=BY_HAND if paused else "")
                if connection.execute(done).rowcount != 1:
                    raise PlayerError("you have no standing orders: write some first")
            self.somebody_looks(id)
            self.go_on(live)

    def somebody_looks(self, id: str) -> None:
        """Somebody answers or orders anew: whatever orders could not do before is tried again."""
        for known in (self._stuck, self._given, self.due):
            known.pop(id, None)

    def _must_go_on(self, live: LiveGame) -> None:
        self.hall.must_be_open(live)
        if live.game.over:
            raise PlayerError("the battle is over: there is nothing left to order")

    # -- answering -----------------------------------------------------------------------------------

    def go_on(self, live: LiveGame, *, collecting: bool = False) -> None:
        """Answer what is open to seats whose orders speak to it, one question after the other, as the release clock of the
        game allows. Whoever asks holds the game, and has stored all of it. `collecting`: the quarter hour is near."""
        if live.closed or not live.has_orders or live.id in self._answering:
            return
        length = len(live.game.journal)
        stuck, until = self._stuck.get(live.id, (-1, 0.0))
        if stuck == length and time.monotonic() < until:
            return
        if self.hall.release.holds_back(live) and not collecting:
            return
        self._answering.add(live.id)
        try:
            while self._given.get(live.id, 0) < MOST_AT_ONCE:
                length = len(live.game.journal)
                if self._delayed(live, length) or not self._answer_one(live):
                    return
                self._given[live.id] = self._given.get(live.id, 0) + 1
            self._given.pop(live.id, None)
            self._pause(live, TOO_MANY)
        except StaleRequest:  # another worker was first: the game is read again
            self.hall.forget(live)
        except Exception as trouble:  # nobody sent this: the question waits, for a while or for its player
            self.hall.forget(live)
            self._stuck[live.id] = length, time.monotonic() + AGAIN if _may_pass(trouble) else inf
            report_error(trouble)
        finally:
            self._answering.discard(live.id)

    def _delayed(self, live: LiveGame, length: int) -> bool:
        """Whether the next automatic answer of a `live` game must wait. How long is drawn before it is known whether any
        order speaks to the question, let alone what it says."""
        low, high = release.DELAY
        if live.release != release.LIVE or live.alone or not high:
            return False
        now, (drawn_at, until) = self.hall.release.clock.monotonic(), self.due.get(live.id, (-1, 0.0))
        if drawn_at != length:
            self.due[live.id] = length, now + self.hall.release.draw(low, high)
            return True
        if now < until:
            return True
        self.due[live.id] = length, inf  # tried once; if it answers, the journal is longer
        return False

    def begin(self) -> None:
        """After a start: look at the `live` games in which orders may have something to answer."""
        still = and_(
            GAMES.c.over.is_(False), GAMES.c.closed == "", GAMES.c.release == release.LIVE, may_answer_by_itself()
        )
        with self.hall.database.read() as connection:
            for id in connection.execute(select(GAMES.c.id).where(still).limit(MOST_BEGUN)).scalars():
                self.due.setdefault(id, (-1, 0.0))

    def step(self) -> None:
        """Answer in all `live` games whose delay is over."""
        now = self.hall.release.clock.monotonic()
        for id in [id for id, (_, until) in list(self.due.items()) if until <= now]:
            try:
                with self.hall.holding(id) as live:
                    self.go_on(live)
            except (GameError, SQLAlchemyError):  # it is tried again when somebody looks
                self.due.pop(id, None)

    def _answer_one(self, live: LiveGame) -> bool:
        """Answer one question by standing order; False if none can be, or if the answer waits in its envelope."""
        asked = [(side, live.game.decision(side)) for side in live.people if release.asked(live, side)]
        if not asked:
            return False
        with self.hall.database.read() as connection:
            kept, aheads = _kept(connection, live.id), aheads_of(connection, live.id)
        # Another worker may store some at any time.
        live.has_orders = bool(kept or aheads) or not self.hall.database.sqlite
        for side, decision in asked:
            assert decision is not None
            if ahead := _answer_ahead(live, side, decision, aheads.get(side, "")):
                left, id = ahead.left.encode(), f"ahead-{secrets.token_hex(16)}"
                strike = partial(put, id=live.id, seat=side.value, ahead=left)
                return self._give(live, side, ahead.given, id, None, strike)
            own = kept.get(side)
            if own is None or own.paused:
                continue
            try:
                given = _answer(live, side, decision, own)
            except OrdersRefused:  # they are of another version
                self._pause(live, UNREADABLE, side)
                continue
            if given:
                id = f"order-{secrets.token_hex(16)}"
                return self._give(live, side, given, id, _noted(live, side, decision, own.text, given))
        return False

    def _give(
        self, live: LiveGame, side: Side, given: Given, id: str, note: dict[str, Any] | None, also: Also = _nothing
    ) -> bool:
        """Give an automatic answer as the release clock says; False if it now waits in its envelope. `also` is stored at
        once, the note with the move."""
        clock = self.hall.release
        if not clock.holds_back(live):
            live.game.submit(side, given.answer)

            def stored(connection: Connection) -> None:
                also(connection)
                if note:
                    self.noted(connection, live.id, side, note)

            self.hall.commit(live, side, id, "", also=stored)
            return True
        question, reply = live.game.question_number(side), clock.reply(release.answered(live, side))
        others = {each: number for each, number in self.hall.clocks.questions(live).items() if each is not side}
        clock.hold(live, side, release.Held(id, reply, question, given.answer, note=note), others, also=also)
        return False

    def noted(self, connection: Connection, id: str, side: Side, note: dict[str, Any]) -> None:
        """Keep for a seat to look at what its orders have answered."""
        own = _kept(connection, id).get(side)
        if own is not None:
            mine = and_(T.game == id, T.seat == side.value)
            given = _packed([*own.given, note][-MOST_GIVEN:])
            connection.execute(update(STANDING_ORDERS).where(mine).values(given=given))

    def look_again(self, live: LiveGame) -> None:
        """There are new orders, or answers ahead: let them answer what is open."""
        live.has_orders = True
        self.somebody_looks(live.id)
        self.go_on(live)

    def _pause(self, live: LiveGame, why: str, side: Side | None = None) -> None:
        with self.hall.storing(live) as connection:
            mine = and_(T.game == live.id, T.seat == side.value) if side else T.game == live.id
            connection.execute(update(STANDING_ORDERS).where(and_(mine, T.paused == "")).values(paused=why))

    def after_undo(self, live: LiveGame, side: Side, *, held: bytes | None = None) -> Callable[[Connection], None]:
        """What is stored with a take-back: answers that no longer stand are forgotten, and orders that would give the
        same answer again are paused. An answer still in its envelope was to a question that is no longer put."""
        live.held = held

        def store(connection: Connection) -> None:
            connection.execute(update(GAMES).where(GAMES.c.id == live.id).values(held=held))
            strike_out(connection, live.id, side.value)
            for owner, kept in _kept(connection, live.id).items():
                answered = live.game.question_number(owner)
                given = [each for each in kept.given if each["question"] < answered]
                paused = kept.paused
                decision = live.game.decision(side) if owner is side else None
                if decision and not paused and _would_answer(live, side, decision, kept):
                    paused = TAKEN_BACK
                mine = and_(T.game == live.id, T.seat == owner.value)
                connection.execute(update(STANDING_ORDERS).where(mine).values(paused=paused, given=_packed(given)))

        return store

    # -- looking ---------------------------------------------------------------------------------------

    def remarks(self, id: str, side: Side, text: str) -> list[str]:
        """What a seat should know of orders it may give: which line fits the question now open, but cannot answer it."""
        orders = read_orders(text)
        with self.hall.holding(id) as live:
            decision = live.game.decision(side)
            if decision is None:
                return []
            order = fits_now(orders, live.game.picture(side), decision, live.game.table.rules)
            if order is None or order.answer is None or isinstance(order.answer, str):
                return []
            try:
                decision.read(order.answer)
            except IllegalChoice as refusal:
                why = f"{refusal.reason} {refusal.instead}".strip()
                return [f"line {order.line} fits the question now open, but is no legal answer to it: {why}"]
        return []


def may_answer_by_itself() -> Any:
    """Which games have orders or answers ahead."""
    orders, aheads = select(T.game).where(T.paused == ""), select(DESKS.c.game).where(DESKS.c.ahead != b"")
    return or_(GAMES.c.id.in_(orders), GAMES.c.id.in_(aheads))


def pause_for_somebody_new(connection: Connection, id: str, seat: str) -> None:
    """Whoever is given a seat finds the orders of whoever had it before, and finds them paused; notices are forgotten."""
    mine = and_(T.game == id, T.seat == seat, T.paused == "")
    connection.execute(update(STANDING_ORDERS).where(mine).values(paused=SOMEBODY_NEW))
    forget_notices(connection, id, seat)
    strike_out(connection, id, seat)


def _may_pass(trouble: Exception) -> bool:
    """Whether it may go away by itself: the database cannot be written just now."""
    return isinstance(trouble, GameError | SQLAlchemyError) and not isinstance(trouble, PlayerError | EngineError)


def _answer(live: LiveGame, side: Side, decision: Decide, kept: Kept) -> Given | None:
    orders = read_orders(kept.text)
    return ordered_answer(orders, live.game.picture(side), decision, _doctrine, live.game.table.rules)


def _answer_ahead(live: LiveGame, side: Side, decision: Decide, text: str) -> Ahead | None:
    try:
        return answer_ahead(text, live.game.picture(side), decision, _doctrine, live.game.table.rules)
    except OrdersRefused:  # they are of another version: they stay, for their owner to look at
        return None


def _would_answer(live: LiveGame, side: Side, decision: Decide, kept: Kept) -> bool:
    try:
        return _answer(live, side, decision, kept) is not None
    except Exception as trouble:  # orders that fail must not keep anybody from taking something back
        report_error(trouble)
        return True


def _doctrine(picture: Picture, decision: Decide) -> Wire:
    return AdmiralBot().choose(picture, decision)


def _kept(connection: Connection, id: str) -> dict[Side, Kept]:
    rows = connection.execute(select(STANDING_ORDERS).where(T.game == id).order_by(T.seat)).mappings().all()
    return {SIDES[row["seat"]]: Kept(row["text"].decode(), row["paused"], json.loads(row["given"])) for row in rows}


def _packed(given: list[dict[str, Any]]) -> bytes:
    return json.dumps(given).encode()


def _noted(live: LiveGame, side: Side, decision: Decide, text: str, given: Given) -> dict[str, Any]:
    """An answer as the seat will read of it."""
    lines = {order.line: order_text(order) for order in read_orders(text)}
    return {
        "question": live.game.question_number(side),
        "rule": decision.rule,
        "asked": decision.question[:LONGEST],
        "answer": placed_in_words(decision, given.answer)[:LONGEST],
        "lines": [{"line": line, "order": lines[line][:LONGEST]} for line in given.lines],
    }
