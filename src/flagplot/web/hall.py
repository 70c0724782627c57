"""The hall where games are played: live games in memory, their journals in the database.

Nothing leaves before COMMIT (trust.md, decision 3): a decision is applied to the game in memory, its journal lines are
stored in one transaction, and only then is it answered and are pages woken. If storing fails, the game in memory is
thrown away and read again from the journal: the journal is the truth.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import SystemRandom
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, insert, select, update

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot
from flagplot.bots.random_bot import RandomBot
from flagplot.core.errors import EngineError, GameError, PlayerError, StaleRequest
from flagplot.core.forms import Wire
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Line, Undone
from flagplot.model.setup import Setup
from flagplot.play.game import Game, Header
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, NOTES, SEATS, Database
from flagplot.web.seats import invite, new_id
from flagplot.web.settings import Settings

PLAYERS = ("person", "admiral", "random")
MOST_NOTE = 500

_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(Line)


class UnknownGame(PlayerError):
    """There is no such game, or it is not yours to see: the two look alike."""


class GameClosed(PlayerError):
    """The game has been closed; it can be looked at, not played."""


class Unavailable(GameError):
    """The database cannot be written just now: nothing was changed, try again."""


class Created(NamedTuple):
    """A new game: its public name, and the invitations to its seats."""

    id: str
    invitations: dict[str, str]


class LiveGame:
    """A game in memory. Whoever holds its lock may change it."""

    def __init__(self, id: str, game: Game, players: Mapping[Side, str], stored: int, closed: str) -> None:
        self.id = id
        self.game = game
        self.players = dict(players)
        self.stored = stored
        self.closed = closed
        self.lock = threading.RLock()
        self.wants_back: Side | None = None  # who has asked to take a decision back
        self.forgotten = False  # its last change was not stored: whoever waits for it must read it again

    @property
    def people(self) -> list[Side]:
        """The sides that people play."""
        return [side for side in Side if self.players[side] == "person"]

    @property
    def alone(self) -> bool:
        """Whether nobody could learn anything from who is not asked."""
        return len(self.people) < 2 or self.game.header.solitaire


class Hall:
    """All games of one server."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self.settings = settings
        self._live: OrderedDict[str, LiveGame] = OrderedDict()
        self._lock = threading.RLock()
        self.wake: Callable[[str], None] = lambda game: None  # told which game has changed, after COMMIT

    # -- making games ----------------------------------------------------------------------------

    def create(
        self,
        setup: Setup,
        *,
        scenario: str = "",
        edition: str = "current",
        options: Mapping[str, str] | None = None,
        players: Mapping[Side, str],
        listed: bool = False,
        spectators: bool = False,
    ) -> Created:
        """A new game, with an invitation for every side a person plays, and one for its host."""
        people = [side for side in Side if players[side] == "person"]
        game = Game.new(setup, scenario=scenario, edition=edition, options=options, people=people)
        live = LiveGame(new_id(), game, players, 0, "")
        self._go_on(live)
        invitations: dict[str, str] = {}
        with self._storing(live) as connection:
            connection.execute(
                insert(GAMES).values(
                    id=live.id,
                    header=msgspec.json.encode(game.header),
                    title=setup.public.title[:200],
                    created=time.time(),
                    lines=0,
                    players=json.dumps({side.value: players[side] for side in Side}),
                    listed=listed,
                    spectators=spectators,
                    over=game.over,
                    closed="",
                )
            )
            for seat in (*(side.value for side in people), "host"):
                invitations[seat] = invite(connection, live.id, seat)
            self._append(connection, live, None)
        live.stored = len(game.journal)
        self._keep(live)
        return Created(live.id, invitations)

    # -- finding games -----------------------------------------------------------------------------

    def game(self, id: str) -> LiveGame:
        """A game, from memory or from its journal."""
        with self._lock:
            live = self._live.get(id)
            if live is not None and self._is_current(live):
                self._live.move_to_end(id)
                return live
            self._live.pop(id, None)
        live = self._read(id)
        with self._lock:
            return self._live.setdefault(id, live)

    def _is_current(self, live: LiveGame) -> bool:
        """Whether a game in memory is as long as its journal: another worker may have moved it on."""
        if self.database.sqlite:
            return True  # one process writes
        with self.database.read() as connection:
            row = connection.execute(select(GAMES.c.lines, GAMES.c.closed).where(GAMES.c.id == live.id)).one_or_none()
        return row is not None and (row.lines, row.closed) == (live.stored, live.closed)

    def _read(self, id: str) -> LiveGame:
        with self.database.read() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == id)).mappings().one_or_none()
            if row is None:
                raise UnknownGame("there is no such game here, or it is not yours to see")
            lines = (
                connection.execute(select(JOURNAL.c.line).where(JOURNAL.c.game == id).order_by(JOURNAL.c.n))
                .scalars()
                .all()
            )
        players = {SIDES[name]: who for name, who in json.loads(row["players"]).items()}
        game = Game(_header.decode(row["header"]), [_line.decode(line) for line in lines])
        return LiveGame(id, game, players, len(lines), row["closed"])

    def _keep(self, live: LiveGame) -> None:
        with self._lock:
            self._live[live.id] = live
            while len(self._live) > self.settings.limits.live_games:
                self._live.popitem(last=False)

    def _forget(self, live: LiveGame) -> None:
        live.forgotten = True
        with self._lock:
            if self._live.get(live.id) is live:
                del self._live[live.id]

    @contextmanager
    def holding(self, id: str) -> Iterator[LiveGame]:
        """A game that nobody else changes meanwhile, as its journal has it."""
        while True:
            live = self.game(id)
            with live.lock:
                if not live.forgotten:
                    yield live
                    return

    # -- playing ---------------------------------------------------------------------------------------

    def submit(self, id: str, side: Side, decision: str, question: int, wire: Wire, say: str = "") -> dict[str, Any]:
        """Take a side's answer. The same decision sent again is answered as it was the first time."""
        with self.holding(id) as live:
            known = self.reply_to(id, decision, side)
            if known is not None:
                return known
            self._must_be_open(live)
            try:
                live.game.submit(side, wire, question)
            except EngineError:
                self._forget(live)
                raise
            live.wants_back = None
            return self._commit(live, side, decision, say)

    def undo(
        self, id: str, side: Side, decision: str, *, agreed: bool = False, by: Side | None = None
    ) -> dict[str, Any]:
        """Take back a side's last decision; beyond its barrier the other side, `by`, must agree."""
        with self.holding(id) as live:
            known = self.reply_to(id, decision, by or side)
            if known is not None:
                return known
            self._must_be_open(live)
            live.game.undo(side, agreed=agreed or side.enemy not in live.people)
            live.wants_back = None
            return self._commit(live, by or side, decision, "", go_on=False)

    def _commit(self, live: LiveGame, side: Side, decision: str, say: str, *, go_on: bool = True) -> dict[str, Any]:
        try:
            if go_on:
                self._go_on(live)
        except Exception:
            self._forget(live)
            raise
        reply = {"ok": True, "version": version(live, side)}
        with self._storing(live) as connection:
            self._append(connection, live, decision)
            connection.execute(
                insert(DECISIONS).values(game=live.id, id=decision, seat=side.value, reply=json.dumps(reply).encode())
            )
            if say:
                self._note(connection, live, side.value, say)
            if live.game.over:
                connection.execute(update(GAMES).where(GAMES.c.id == live.id).values(over=True))
        live.stored = len(live.game.journal)
        self._keep(live)
        self.wake(live.id)
        return reply

    def _go_on(self, live: LiveGame) -> None:
        """Dice, bots and, where nobody could learn from it, questions with one answer, until a person must decide."""
        bots = {side: _bot(who) for side, who in live.players.items() if who != "person"}
        game = live.game
        while not game.over:
            if game.roll_due():
                game.roll()
                continue
            for side in Side:
                decision = game.decision(side)
                if decision is None:
                    continue
                if side in bots:
                    game.submit(side, bots[side].choose(game.picture(side), decision))
                    break
                sole = decision.form.sole_answer() if live.alone else None
                if sole is not None:
                    game.submit(side, sole)
                    break
            else:
                return

    def close(self, id: str, why: str) -> None:
        """End a game before its end: by agreement, or because somebody resigns. It can still be looked at."""
        with self.holding(id) as live:
            self._must_be_open(live)
            if live.game.over:
                raise GameClosed("the battle is over already")
            with self._storing(live) as connection:
                connection.execute(update(GAMES).where(GAMES.c.id == id).values(closed=why[:200]))
            live.closed = why[:200]
        self.wake(id)

    # -- storing --------------------------------------------------------------------------------------------

    @contextmanager
    def _storing(self, live: LiveGame) -> Iterator[Connection]:
        """One transaction; if it fails the game in memory is forgotten, so that the journal decides what happened."""
        try:
            with self.database.write() as connection:
                yield connection
        except GameError:
            self._forget(live)
            raise
        except Exception as trouble:
            self._forget(live)
            raise Unavailable("this could not be stored: nothing was changed; please try again") from trouble

    def _append(self, connection: Connection, live: LiveGame, decision: str | None) -> None:
        new = live.game.journal[live.stored :]
        moved = connection.execute(
            update(GAMES)
            .where(and_(GAMES.c.id == live.id, GAMES.c.lines == live.stored))
            .values(lines=live.stored + len(new))
        )
        if moved.rowcount != 1:
            raise StaleRequest("the game has moved on meanwhile: look at it again")
        for offset, line in enumerate(new):
            connection.execute(
                insert(JOURNAL).values(
                    game=live.id, n=live.stored + offset, line=msgspec.json.encode(line), decision=decision
                )
            )

    def _note(self, connection: Connection, live: LiveGame, seat: str, text: str) -> None:
        number = len(connection.execute(select(NOTES.c.n).where(NOTES.c.game == live.id)).all())
        public = len(live.game.picture(None).events)
        connection.execute(insert(NOTES).values(game=live.id, n=number, at=public, seat=seat, text=text[:MOST_NOTE]))

    def reply_to(self, id: str, decision: str, side: Side) -> dict[str, Any] | None:
        """What was answered to a decision the first time; None if it is new."""
        with self.database.read() as connection:
            row = (
                connection.execute(select(DECISIONS).where(and_(DECISIONS.c.game == id, DECISIONS.c.id == decision)))
                .mappings()
                .one_or_none()
            )
        if row is None:
            return None
        if row["seat"] != side.value:
            raise StaleRequest("this decision id has been used: make a new one for a new decision")
        reply: dict[str, Any] = json.loads(row["reply"])
        return reply

    def _must_be_open(self, live: LiveGame) -> None:
        if live.closed:
            raise GameClosed(f"the game has been closed: {live.closed}")

    # -- lists ------------------------------------------------------------------------------------------------

    def listed(self) -> list[dict[str, Any]]:
        """Games that are listed, the newest first."""
        with self.database.read() as connection:
            rows = (
                connection.execute(
                    select(GAMES).where(GAMES.c.listed.is_(True)).order_by(GAMES.c.created.desc()).limit(100)
                )
                .mappings()
                .all()
            )
        return [
            {
                "id": row["id"],
                "title": row["title"],
                "players": json.loads(row["players"]),
                "spectators": bool(row["spectators"]),
                "over": bool(row["over"]),
                "closed": row["closed"],
            }
            for row in rows
        ]

    def seats(self, id: str) -> list[dict[str, Any]]:
        """The seats of a game, by name and whether they are taken."""
        with self.database.read() as connection:
            rows = connection.execute(select(SEATS).where(SEATS.c.game == id)).mappings().all()
        return [{"seat": row["seat"], "name": row["name"], "claimed": row["claimed"] is not None} for row in rows]

    def notes(self, id: str) -> list[dict[str, Any]]:
        """What players have said beside their moves."""
        with self.database.read() as connection:
            rows = connection.execute(select(NOTES).where(NOTES.c.game == id).order_by(NOTES.c.n)).mappings().all()
        return [{"at": row["at"], "seat": row["seat"], "text": row["text"]} for row in rows]

    def watchable(self, id: str) -> bool:
        """Whether strangers may look at the public side of a game."""
        with self.database.read() as connection:
            found = connection.execute(select(GAMES.c.spectators).where(GAMES.c.id == id)).scalar_one_or_none()
        return bool(found)


def version(live: LiveGame, side: Side | None) -> str:
    """How far an audience has seen: what it knows was taken back, events it was sent, questions it has answered, and
    whether one is open to it. Numbers that never go back, and never the tape's length."""
    told = len(live.game.picture(side).events)
    back = sum(isinstance(line, Undone) and (line.agreed or line.who == side) for line in live.game.journal)
    if side is None:
        return f"{back}.{told}"
    asked = int(live.game.decision(side) is not None)
    return f"{back}.{told}.{live.game.question_number(side)}.{asked}"


def _bot(who: str) -> Bot:
    return AdmiralBot() if who == "admiral" else RandomBot(SystemRandom())
