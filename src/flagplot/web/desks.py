"""What lies on a seat's desk: a notepad, a draft of the open question, answers ahead, a reminder; and what each of its
devices has seen of the game.

A desk belongs to its seat. It stands beside the journal, not in it: nobody else reads it, it is in no download of another
seat, and nothing that others receive depends on it, but for the answers that are given from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, and_, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.play.catch_up import Part, caught_up
from flagplot.play.correspondence import MOST_NOTEPAD, struck_out
from flagplot.play.standing_orders import read_orders
from flagplot.web.database import DESKS, LOOKS

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

BY_POST = "post"  # the "device" that turn files are
MOST_HOURS = 24 * 60
HOUR = 3600.0
A_FEW = 12  # events that are told once more where something was taken back
NOT_KEPT = "this could not be stored just now: please try again"


class Desk(NamedTuple):
    """A seat's desk; an empty one if nothing was put there yet."""

    notepad: str = ""
    ahead: str = ""
    draft: dict[str, Any] | None = None
    remind: float | None = None


class Look(NamedTuple):
    """What a device has seen: how many events its seat had been sent, which, and when."""

    told: int
    mark: str
    at: float


class CaughtUp(NamedTuple):
    """What is new to a device: since when (None: it looks for the first time), whether something that it saw was taken
    back, and what happened."""

    at: float | None
    taken_back: bool
    parts: list[Part]


@contextmanager
def _writing(hall: Hall) -> Iterator[Connection]:
    try:
        with hall.database.write() as connection:
            yield connection
    except GameError:
        raise
    except SQLAlchemyError as trouble:
        from flagplot.web.hall import Unavailable

        raise Unavailable(NOT_KEPT) from trouble


def _put(
    connection: Connection, table: Table, key: dict[str, str], values: dict[str, Any], rest: dict[str, Any]
) -> None:
    """Change a row, or make it; another worker may make it at the same moment."""
    mine = and_(*(table.c[name] == value for name, value in key.items()))
    if connection.execute(update(table).where(mine).values(**values)).rowcount:
        return
    try:
        with connection.begin_nested():
            connection.execute(insert(table).values(**key, **rest | values))
    except IntegrityError:
        connection.execute(update(table).where(mine).values(**values))


EMPTY: dict[str, Any] = {"notepad": b"", "ahead": b"", "draft": b"null", "remind": None, "reminded": False}


def put(connection: Connection, id: str, seat: str, **values: Any) -> None:
    """Put something on a seat's desk."""
    _put(connection, DESKS, {"game": id, "seat": seat}, values, EMPTY)


def desk_of(connection: Connection, id: str, seat: str) -> Desk:
    """What lies on a seat's desk."""
    mine = and_(DESKS.c.game == id, DESKS.c.seat == seat)
    row = connection.execute(select(DESKS).where(mine)).mappings().one_or_none()
    if row is None:
        return Desk()
    return Desk(row["notepad"].decode(), row["ahead"].decode(), json.loads(row["draft"]), row["remind"])


class Desks:
    """The desks of all games in a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    def of(self, id: str, side: Side) -> Desk:
        """A seat's desk."""
        with self.hall.database.read() as connection:
            return desk_of(connection, id, side.value)

    def note(self, id: str, side: Side, text: str) -> None:
        """Replace what stands on a notepad."""
        if len(text) > MOST_NOTEPAD:
            raise PlayerError(f"{len(text)} characters are too many: a notepad holds {MOST_NOTEPAD}")
        self._put(id, side, notepad=text.encode())

    def draft(self, id: str, side: Side, question: int, answer: Any) -> None:
        """Keep a draft of the open question, or none. A draft of another question is forgotten."""
        with self.hall.holding(id) as live:
            wanted = live.game.question_number(side) if live.game.decision(side) else -1
        if question != wanted and answer is not None:
            raise PlayerError("that question is no longer open, so its draft is not kept")
        self._put(
            id,
            side,
            draft=json.dumps({"question": question, "answer": answer} if answer is not None else None).encode(),
        )

    def ahead(self, id: str, side: Side, text: str) -> None:
        """Replace a seat's answers ahead, and let them answer at once what they speak to."""
        read_orders(text)
        with self.hall.holding(id) as live:
            self.hall.must_be_open(live)
            with self.hall.storing(live) as connection:
                put(connection, id, side.value, ahead=text.encode())
            self.hall.standing.look_again(live)

    def remind(self, id: str, side: Side, hours: float) -> float | None:
        """Remind a seat of the game in so many hours; 0 takes the reminder away. When that will be."""
        if not 0 <= hours <= MOST_HOURS:
            raise PlayerError(f"a reminder comes within {MOST_HOURS // 24} days: name from 0 to {MOST_HOURS} hours")
        when = self.hall.release.clock.time() + hours * HOUR if hours else None
        self._put(id, side, remind=when, reminded=False)
        return when

    def _put(self, id: str, side: Side, **values: Any) -> None:
        with _writing(self.hall) as connection:
            put(connection, id, side.value, **values)

    # -- what is new ------------------------------------------------------------------------------

    def looked(self, live: LiveGame, side: Side, device: str, told: int | None = None) -> None:
        """A device has seen all its seat was told, or so many events of it."""
        with _writing(self.hall) as connection:
            put_look(connection, live, side, device, told)

    def look_of(self, id: str, side: Side, device: str) -> Look | None:
        """What a device has seen; None if it has never looked."""
        mine = and_(LOOKS.c.game == id, LOOKS.c.seat == side.value, LOOKS.c.device == device)
        with self.hall.database.read() as connection:
            row = connection.execute(select(LOOKS.c.told, LOOKS.c.mark, LOOKS.c.at).where(mine)).one_or_none()
        return Look(*row) if row is not None else None

    def caught_up(self, live: LiveGame, side: Side, device: str) -> CaughtUp:
        """What is new to a device."""
        look = self.look_of(live.id, side, device)
        events = live.game.picture(side).events
        if look is None:
            return CaughtUp(None, False, [])
        same = look.told <= len(events) and _mark(events[: look.told]) == look.mark
        seen = look.told if same else max(0, min(look.told, len(events)) - A_FEW)
        return CaughtUp(look.at, not same, caught_up(events, seen))

    def seen_by_post(self, live: LiveGame, side: Side) -> int:
        """How many events a seat was told of with the turn files it has answered."""
        look = self.look_of(live.id, side, BY_POST)
        return min(look.told, len(live.game.picture(side).events)) if look else 0


def put_look(connection: Connection, live: LiveGame, side: Side, device: str, told: int | None = None) -> None:
    """Note that a device has seen all its seat was told, or so many events of it."""
    events = live.game.picture(side).events
    seen = len(events) if told is None else min(told, len(events))
    values = {"told": seen, "mark": _mark(events[:seen]), "at": time.time()}
    _put(connection, LOOKS, {"game": live.id, "seat": side.value, "device": device}, values, {})


def _mark(events: list[Any]) -> str:
    """A mark for these events, so that it shows if some of them are taken back."""
    total = blake2b(digest_size=12)
    for event in events:
        total.update(msgspec.msgpack.encode(event))
    return total.hexdigest()


# -- answers ahead -----------------------------------------------------------------------------------------


def aheads_of(connection: Connection, id: str) -> dict[Side, str]:
    """The answers ahead of both seats."""
    rows = connection.execute(select(DESKS.c.seat, DESKS.c.ahead).where(DESKS.c.game == id)).all()
    return {SIDES[seat]: text.decode() for seat, text in rows if seat in SIDES and text}


def strike_out(connection: Connection, id: str, seat: str) -> None:
    """No answer ahead of a seat is given any more: it took something back, or somebody new sits there. The lines stay."""
    text = desk_of(connection, id, seat).ahead
    if text:
        put(connection, id, seat, ahead=struck_out(text).encode())
