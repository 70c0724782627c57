"""Notices: a seat is told by mail or webhook that something waits for it.

What is to be sent is written into an outbox in the transaction of the decision it follows from (trust.md, decision 3), and
sent by a thread of its own: after a while, and only if it still waits. A notice says the same whatever happened, names the
game by its public address, and holds neither a link to a seat nor a word of a player (log-5). What fails is tried three
times with growing gaps; then nothing more is sent there, and its owner reads why (out-3). Mail goes only to who has proved
with a code that he reads it.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, and_, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.web import outbound
from flagplot.web.database import DESKS, GAMES, NOTICES, OUTBOX, STANDING_ORDERS
from flagplot.web.limits import report_error
from flagplot.web.outbound import Allowed, Mailer, NotDelivered, is_mail_address, target_of
from flagplot.web.sealing import Sealer, Unsealable, sealer_from

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

MAIL, HOOK = "mail", "hook"
KINDS = (MAIL, HOOK)
ENDED, REMINDED = -2, -3  # instead of the number of a question
SOON = 60.0  # seconds: whoever looks at his page answers meanwhile
GAPS = (60.0, 600.0)  # seconds after the first try, and after the second
EVERY = 1.0  # seconds between two looks into the outbox
AT_A_TIME = 20
SUBJECT = "Flagplot: a game waits for you"
UNCONFIRMED = "send a test, and enter the code it brings"
GAVE_UP = "three tries in a row failed, so nothing more is sent there until you switch it on again"
NO_KEY = "the host of this server has given it no key to keep addresses with, so there are no notices here"
NO_MAIL = "this server sends no mail: its host has set up no mail server"
NONE_KEPT = "nothing is kept here: enter an address first"

T, OUT = NOTICES.c, OUTBOX.c


class NoticeRefused(PlayerError):
    """What cannot be kept or sent, in words."""


class Notices:
    """Where the seats of a hall want to be told, and what is still to be sent."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        settings = hall.settings
        self.allowed = Allowed.read(settings.outbound)
        self.mailer = Mailer(settings.smtp_url, settings.mail_from)
        self.resolver: outbound.Resolver | None = None
        self._sealer: Sealer | None = None

    # -- keeping -----------------------------------------------------------------------------------

    def sealer(self) -> Sealer:
        """What addresses are sealed with; its key is made when the first is kept."""
        if self._sealer is None:
            database, named = self.hall.database, self.hall.settings.key_file
            beside = f"{database.url.database}.key" if database.sqlite and database.url.database else ""
            self._sealer = sealer_from(named or beside)
        if self._sealer is None:
            raise NoticeRefused(NO_KEY)
        return self._sealer

    def keep(self, id: str, seat: str, kind: str, target: str) -> None:
        """Keep where a seat wants to be told; what was there before is forgotten."""
        target = target.strip()
        if kind == MAIL:
            if not self.mailer:
                raise NoticeRefused(NO_MAIL)
            if not is_mail_address(target):
                raise NoticeRefused("this is not one plain mail address, such as name@example.org")
        else:
            target_of(target, self.allowed)
        sealed = self.sealer().seal(target, _about(id, seat, kind))
        row = {"target": sealed, "off": UNCONFIRMED if kind == MAIL else "", "failures": 0, "error": ""}
        with self.hall.database.write() as connection:
            connection.execute(delete(NOTICES).where(_mine(id, seat, kind)))
            connection.execute(delete(OUTBOX).where(_out(id, seat, kind)))
            connection.execute(insert(NOTICES).values(game=id, seat=seat, kind=kind, **row))

    def remove(self, id: str, seat: str, kind: str) -> None:
        """Forget where a seat wanted to be told."""
        with self.hall.database.write() as connection:
            connection.execute(delete(OUTBOX).where(_out(id, seat, kind)))
            if connection.execute(delete(NOTICES).where(_mine(id, seat, kind))).rowcount != 1:
                raise NoticeRefused(NONE_KEPT)

    def switch_on(self, id: str, seat: str, kind: str, code: str = "") -> None:
        """Send there again after failures; for mail that was not confirmed yet, with the code of the test mail."""
        row = self._row(id, seat, kind)
        if row["off"] == UNCONFIRMED:
            target = self._target(row)
            if not hmac.compare_digest(self._code(id, seat, target), "".join(code.split())):
                raise NoticeRefused("this is not the code of the test mail")
        with self.hall.database.write() as connection:
            connection.execute(update(NOTICES).where(_mine(id, seat, kind)).values(off="", failures=0))

    def told(self, id: str, seat: str) -> dict[str, Any]:
        """What a seat's page shows: where notices go, in short, and how that went."""
        with self.hall.database.read() as connection:
            rows = connection.execute(select(NOTICES).where(and_(T.game == id, T.seat == seat))).mappings().all()
        kept = {row["kind"]: self._shown(dict(row)) for row in rows}
        return {"mail_possible": bool(self.mailer), **{kind: kept.get(kind) for kind in KINDS}}

    def _shown(self, row: Mapping[str, Any]) -> dict[str, Any]:
        try:
            target = self._target(row)
        except NoticeRefused as lost:
            return {"to": "", "off": str(lost), "unconfirmed": False, "error": "", "error_at": None, "sent_at": None}
        if row["kind"] == MAIL:
            name, _, host = target.rpartition("@")
            short = f"{name[:1]}…@{host}"
        else:
            short = f"{urlsplit(target).scheme}://{urlsplit(target).netloc}/…"
        told = {key: row[key] for key in ("off", "error", "error_at", "sent_at")}
        return {"to": short, "unconfirmed": row["off"] == UNCONFIRMED, **told}

    def _row(self, id: str, seat: str, kind: str) -> Mapping[str, Any]:
        with self.hall.database.read() as connection:
            row = connection.execute(select(NOTICES).where(_mine(id, seat, kind))).mappings().one_or_none()
        if row is None:
            raise NoticeRefused(NONE_KEPT)
        return dict(row)

    def _target(self, row: Mapping[str, Any]) -> str:
        try:
            return self.sealer().open(row["target"], _about(row["game"], row["seat"], row["kind"]))
        except Unsealable as lost:
            raise NoticeRefused("this address was kept with another key: enter it again") from lost

    def _code(self, id: str, seat: str, target: str) -> str:
        said = self.sealer().mark(f"{_about(id, seat, MAIL)} {target}")
        return f"{int.from_bytes(sha256(said).digest()[:8]) % 10**8:08}"

    # -- the outbox ------------------------------------------------------------------------------------

    def queue(self, connection: Connection, live: LiveGame, open_now: Mapping[Side, int]) -> None:
        """Put into the outbox whom to tell, in the transaction of what there is to tell."""
        over = live.game.over
        rows = connection.execute(select(NOTICES).where(and_(T.game == live.id, T.off == ""))).mappings().all()
        for row in rows:
            number = ENDED if over else open_now.get(SIDES[row["seat"]])
            if number is not None:
                self._put(connection, dict(row), number, post=live.release == "post")

    def queue_end(self, connection: Connection, id: str) -> None:
        """Put into the outbox that a game has been closed."""
        for row in connection.execute(select(NOTICES).where(and_(T.game == id, T.off == ""))).mappings().all():
            self._put(connection, dict(row), ENDED, post=False)

    def _put(self, connection: Connection, row: Mapping[str, Any], number: int, *, post: bool) -> None:
        if row["told_of"] == number:
            return
        clock, seat = self.hall.release.clock, row["seat"]
        due = clock.time() + SOON
        if number != ENDED and _has_orders(connection, row["game"], seat):
            due += self.hall.release.longest(post=post)
        values = {key: row[key] for key in ("game", "seat", "kind")}
        before = and_(_out(id=row["game"], seat=seat, kind=row["kind"]), OUT.question != REMINDED)
        connection.execute(delete(OUTBOX).where(before))
        connection.execute(insert(OUTBOX).values(id=secrets.token_hex(16), question=number, due=due, tries=0, **values))
        mine = _mine(row["game"], seat, row["kind"])
        connection.execute(update(NOTICES).where(mine).values(told_of=number))

    def step(self) -> int:
        """Send what is due; how many were tried."""
        now = self.hall.release.clock.time()
        self._remind(now)
        with self.hall.database.read() as connection:
            wanted = select(OUTBOX).where(OUT.due <= now).order_by(OUT.due).limit(AT_A_TIME)
            rows = connection.execute(wanted).mappings().all()
        return sum(self._deliver(dict(row), now) for row in rows)

    def _remind(self, now: float) -> None:
        """Put into the outbox whom to remind of a game, once."""
        due = and_(DESKS.c.remind <= now, DESKS.c.reminded.is_(False))
        with self.hall.database.read() as connection:
            desks = connection.execute(select(DESKS.c.game, DESKS.c.seat, DESKS.c.remind).where(due)).all()
        for desk in desks:
            with self.hall.database.write() as connection:
                mine = and_(DESKS.c.game == desk.game, DESKS.c.seat == desk.seat, DESKS.c.remind == desk.remind)
                first = and_(mine, DESKS.c.reminded.is_(False))  # there may be other workers
                if connection.execute(update(DESKS).where(first).values(reminded=True)).rowcount != 1:
                    continue
                where = and_(T.game == desk.game, T.seat == desk.seat, T.off == "")
                for kind in connection.execute(select(T.kind).where(where)).scalars().all():
                    row = {"game": desk.game, "seat": desk.seat, "kind": kind, "question": REMINDED, "due": now}
                    connection.execute(insert(OUTBOX).values(id=secrets.token_hex(16), tries=0, **row))

    def _deliver(self, row: Mapping[str, Any], now: float) -> bool:
        with self.hall.database.write() as connection:  # whoever moves it on sends it: there may be other workers
            ours = and_(OUT.id == row["id"], OUT.due == row["due"])
            taken = connection.execute(update(OUTBOX).where(ours).values(due=now + GAPS[-1]))
        if taken.rowcount != 1:
            return False
        id, seat, kind = row["game"], row["seat"], row["kind"]
        try:
            kept = self._row(id, seat, kind)
            wanted = not kept["off"] and self._still_waits(id, seat, row["question"])
        except PlayerError:
            wanted, kept = False, {}
        if not wanted:
            with self.hall.database.write() as connection:
                connection.execute(delete(OUTBOX).where(OUT.id == row["id"]))
            return False
        why = self._try(kept, SUBJECT, text_of(self.hall.settings.address, id))
        self._after(kept, why, now)
        tries = row["tries"] + 1
        with self.hall.database.write() as connection:
            if not why or tries > len(GAPS):
                connection.execute(delete(OUTBOX).where(OUT.id == row["id"]))
            else:
                again = {"tries": tries, "due": now + GAPS[tries - 1]}
                connection.execute(update(OUTBOX).where(OUT.id == row["id"]).values(**again))
            if why and tries > len(GAPS):
                connection.execute(update(NOTICES).where(_mine(id, seat, kind)).values(off=GAVE_UP))
        return True

    def _still_waits(self, id: str, seat: str, question: int) -> bool:
        if question in (ENDED, REMINDED):
            return True
        with self.hall.holding(id) as live:
            return self.hall.clocks.questions(live).get(SIDES[seat]) == question

    # -- sending ------------------------------------------------------------------------------------------

    def test(self, id: str, seat: str, kind: str) -> str:
        """Send one now, to see whether it arrives: "" if it did, else why not."""
        row = self._row(id, seat, kind)
        text = text_of(self.hall.settings.address, id)
        if row["off"] == UNCONFIRMED:
            code = self._code(id, seat, self._target(row))
            text += f"\n\nThe code to switch notices on: {code[:4]} {code[4:]}"
        why = self._try(row, SUBJECT, f"A test, because somebody asked for it.\n\n{text}")
        self._after(row, why, self.hall.release.clock.time())
        return why

    def _try(self, row: Mapping[str, Any], subject: str, text: str) -> str:
        try:
            target = self._target(row)
            if row["kind"] == MAIL:
                if not self.mailer:
                    raise NoticeRefused(NO_MAIL)
                outbound.mail(self.mailer, target, subject, text, self.allowed, self.resolver)
            else:
                body = json.dumps({"content": text, "allowed_mentions": {"parse": []}}).encode()
                outbound.post(target, body, self.allowed, self.resolver)
        except (NotDelivered, NoticeRefused) as refusal:
            return str(refusal)
        return ""

    def _after(self, row: Mapping[str, Any], why: str, now: float) -> None:
        done: dict[str, Any] = {"failures": 0, "error": "", "sent_at": now}
        if why:
            done = {"failures": NOTICES.c.failures + 1, "error": why[:200], "error_at": now}
        with self.hall.database.write() as connection:
            mine = _mine(row["game"], row["seat"], row["kind"])
            connection.execute(update(NOTICES).where(mine).values(**done))


class Postman:
    """The thread that empties the outbox, apart from play."""

    def __init__(self, notices: Notices) -> None:
        self.notices = notices
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """From now on."""
        self._ending.clear()
        self._thread = threading.Thread(target=self._go_round, name="postman", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """No longer; what is under way has seconds to end."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(outbound.IN_ALL + outbound.CONNECTING)

    def _go_round(self) -> None:
        while not self._ending.wait(EVERY):
            try:
                self.notices.step()
            except (GameError, SQLAlchemyError):  # it is still in the outbox
                continue
            except Exception as trouble:
                report_error(trouble)


def text_of(address: str, id: str) -> str:
    """What every notice says, whatever has happened."""
    return f"There is something new for you in a game of Flagplot: {address}/games/{id}"


def forget_notices(connection: Connection, id: str, seat: str) -> None:
    """Whoever is given a seat finds nothing of where the one before him was told."""
    connection.execute(delete(OUTBOX).where(and_(OUT.game == id, OUT.seat == seat)))
    connection.execute(delete(NOTICES).where(and_(T.game == id, T.seat == seat)))


def close_game(connection: Connection, hall: Hall, id: str, why: str) -> None:
    """Mark a game as closed, and put into the outbox that it is."""
    connection.execute(update(GAMES).where(GAMES.c.id == id).values(closed=why[:200]))
    hall.release.notices.queue_end(connection, id)


def _has_orders(connection: Connection, id: str, seat: str) -> bool:
    kept = and_(STANDING_ORDERS.c.game == id, STANDING_ORDERS.c.seat == seat, STANDING_ORDERS.c.paused == "")
    if connection.execute(select(STANDING_ORDERS.c.seat).where(kept)).first() is not None:
        return True
    ahead = and_(DESKS.c.game == id, DESKS.c.seat == seat, DESKS.c.ahead != b"")
    return connection.execute(select(DESKS.c.seat).where(ahead)).first() is not None


def _about(id: str, seat: str, kind: str) -> str:
    return f"{id} {seat} {kind}"


def _mine(id: str, seat: str, kind: str) -> Any:
    return and_(T.game == id, T.seat == seat, T.kind == kind)


def _out(id: str, seat: str, kind: str) -> Any:
    return and_(OUT.game == id, OUT.seat == seat, OUT.kind == kind)
