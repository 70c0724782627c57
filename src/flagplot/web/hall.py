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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from math import inf
from typing import Any, NamedTuple, TypedDict, Unpack

import msgspec
from sqlalchemy import Connection, and_, func, insert, select, update

from flagplot.core.errors import GameError, PlayerError, StaleRequest
from flagplot.core.forms import Wire
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Line
from flagplot.model.amendments import Change
from flagplot.model.setup import Setup
from flagplot.play.game import Game, Header
from flagplot.play.patch import Stop, stop_of, taken_back
from flagplot.web.bot_players import bot_player
from flagplot.web.clocks import Clocks
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, NOTES, SEATS, Database
from flagplot.web.delayed import Delayed, is_shown
from flagplot.web.dice_keeping import id_of, keep_secrets, mark_of, new_dice, reveal_unread, rolled, source_of
from flagplot.web.notices import close_game
from flagplot.web.release import Release, asked
from flagplot.web.seats import invite
from flagplot.web.settings import Settings
from flagplot.web.standing import Standing

PLAYERS = ("person", "admiral", "random")
MOST_NOTE = 500
MOST_TRIES = 8  # of one decision, while other workers store theirs first
# A commit may fail after it was carried out: then the journal has it, and the same decision sent again finds it there.
NOT_STORED = "this could not be stored just now: please send it again; a decision does not count twice"

_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(Line)


class UnknownGame(PlayerError):
    """There is no such game, or it is not yours to see: the two look alike."""


class GameClosed(PlayerError):
    """The game has been closed; it can be looked at, not played."""


class Mustering(StaleRequest):
    """The sides still muster: there is no battle yet to look at or to play."""

    def __init__(self, id: str) -> None:
        super().__init__(f"the sides are still mustering, so there is no battle yet: go to /games/{id}/muster")


class Unavailable(GameError):
    """The database cannot be written just now: try again."""


class Overtaken(StaleRequest):
    """Another worker stored something first: the game must be read again."""


class Created(NamedTuple):
    """A new game: its public name, and the invitations to its seats."""

    id: str
    invitations: dict[str, str]


class PublicSettings(TypedDict, total=False):
    """What everybody is told of how a game is played here: named in the lobby, watched (by so many minutes later), with
    odds for its players."""

    listed: bool
    spectators: bool
    spectator_delay: int
    odds: bool


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
        self.proposal: bytes | None = None  # an amendment that waits for consent, as JSON
        self.release, self.has_orders = "live", True  # its release clock; whether orders are looked up
        self.held: bytes | None = None  # an answer in an envelope, as JSON
        self.forgotten = False  # its last change was not stored: whoever waits for it must read it again
        self.just_read = False  # from its journal: a question may be open that standing orders answer

    @property
    def people(self) -> list[Side]:
        """The sides that people play."""
        return [side for side in Side if self.players[side] == "person"]

    @property
    def marks(self) -> str:
        """What has changed for those at the table, though it is not in the log."""
        proposed = f"p{blake2b(self.proposal, digest_size=4).hexdigest()}" if self.proposal else ""
        return ("c" if self.closed else "") + ("t" if self.wants_back else "") + proposed + mark_of(self)

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
        self.delayed = Delayed()  # games as spectators are shown them later
        self.standing, self.release, self.clocks = Standing(self), Release(self), Clocks(self)
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
        dice: str = "system",
        referee: bool = False,
        **public: Unpack[PublicSettings],
    ) -> Created:
        """A new game, with an invitation for every side a person plays, one for its host, and one for a referee if there
        is to be one."""
        people = [side for side in Side if players[side] == "person"]
        game = Game.new(setup, scenario=scenario, edition=edition, options=options, people=people, dice=new_dice(dice))
        return self.take_in(game, players, title=setup.public.title, referee=referee, **public)

    def take_in(
        self,
        game: Game,
        players: Mapping[Side, str],
        *,
        title: str,
        referee: bool = False,
        unless_over: str = "",
        **public: Unpack[PublicSettings],
    ) -> Created:
        """A game begun elsewhere, from now on played here; `unless_over` refuses one in which nobody would be asked."""
        people = [side for side in Side if players[side] == "person"]
        live = LiveGame(id_of(game), game, players, 0, "")
        self.go_on(live)
        if game.over and unless_over:
            raise PlayerError(unless_over)
        invitations: dict[str, str] = {}
        with self.storing(live) as connection:
            connection.execute(
                insert(GAMES).values(
                    id=live.id,
                    header=msgspec.json.encode(game.header),
                    title=title[:200],
                    created=time.time(),
                    lines=0,
                    players=json.dumps({side.value: players[side] for side in Side}),
                    over=game.over,
                    closed="",
                    **public,
                )
            )
            keep_secrets(connection, game)
            for seat in (*(side.value for side in people), *(["referee"] if referee else []), "host"):
                invitations[seat] = invite(connection, live.id, seat)
            self.append(connection, live, None)
        live.stored = len(game.journal)
        self.keep(live)
        return Created(live.id, invitations)

    # -- finding games -----------------------------------------------------------------------------

    def game(self, id: str) -> LiveGame:
        """A game, from memory or from its journal."""
        with self._lock:
            live = self._live.get(id)
            if live is not None:
                self._live.move_to_end(id)
        if live is not None:
            if self.database.sqlite or self._is_current(live):  # SQLite: nobody else writes
                return live
            with self._lock:
                if self._live.get(id) is live:
                    del self._live[id]
        while True:
            live = self.read(id)
            with self._lock:
                kept = self._live.get(id)
                if kept is not None and (self.database.sqlite or self._is_current(kept)):
                    return kept
                if self._is_current(live):  # while it was read it may have been changed and left the memory again
                    self.keep(live)
                    return live

    def _is_current(self, live: LiveGame) -> bool:
        """Whether a game in memory is as long as its journal: another worker may have moved it on."""
        with self.database.read() as connection:
            wanted = select(GAMES.c.lines, GAMES.c.closed, GAMES.c.wants_back, GAMES.c.proposal, GAMES.c.held)
            row = connection.execute(wanted.where(GAMES.c.id == live.id)).one_or_none()
        known = (live.stored, live.closed, live.wants_back or "", live.proposal, live.held)
        return row is not None and tuple(row) == known

    def read(self, id: str, lines: int | None = None) -> LiveGame:
        """A game from its journal, whole or only its first lines."""
        header, journal, row = self._stored(id, lines)
        return self._live_from(row, Game(header, journal, source_of(self.database, header)))

    def _stored(self, id: str, lines: int | None = None) -> tuple[Header, list[Line], Mapping[str, Any]]:
        with self.database.read() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == id)).mappings().one_or_none()
            if row is None:
                raise UnknownGame("there is no such game here, or it is not yours to see")
            if row["stage"] == "mustering":
                raise Mustering(id)
            wanted = select(JOURNAL.c.line).where(JOURNAL.c.game == id).order_by(JOURNAL.c.n).limit(lines)
            stored = connection.execute(wanted).scalars().all()
        return _header.decode(row["header"]), [_line.decode(line) for line in stored], dict(row)

    def _live_from(self, row: Mapping[str, Any], game: Game) -> LiveGame:
        players = {SIDES[name]: who for name, who in json.loads(row["players"]).items()}
        live = LiveGame(row["id"], game, players, len(game.journal), row["closed"])
        live.wants_back, live.proposal = SIDES.get(row["wants_back"]), row["proposal"]
        live.just_read, live.release, live.held = True, row["release"], row["held"]
        return live

    def keep(self, live: LiveGame) -> None:
        """Keep a game in memory, packed small; the one looked at longest ago goes if there are too many."""
        live.game.pack()
        with self._lock:
            self._live[live.id] = live
            while len(self._live) > self.settings.limits.live_games:
                self._live.popitem(last=False)

    def forget(self, live: LiveGame) -> None:
        """Let go of a game in memory, so that its journal decides what has happened."""
        live.forgotten = True
        with self._lock:
            if self._live.get(live.id) is live:
                del self._live[live.id]

    @contextmanager
    def holding(self, id: str) -> Iterator[LiveGame]:
        """A game that nobody else changes meanwhile, as its journal has it."""
        tried = False  # once: a database that cannot be written keeps nobody from looking
        while True:
            live = self.game(id)
            with live.lock:
                if live.just_read and not live.forgotten and not tried:
                    tried, live.just_read = True, False
                    self.standing.go_on(live)
                if not live.forgotten:
                    yield live
                    return

    # -- playing ---------------------------------------------------------------------------------------

    def submit(self, id: str, side: Side, decision: str, question: int, wire: Wire, say: str = "") -> dict[str, Any]:
        """Take a side's answer. The same decision sent again is answered as it was the first time."""

        def take(live: LiveGame) -> dict[str, Any]:
            return self.release.take(live, side, decision, question, wire, say)

        return self.once(id, decision, side, take)

    def once(self, id: str, decision: str, side: Side, take: Callable[[LiveGame], dict[str, Any]]) -> dict[str, Any]:
        """Carry out a decision unless it has been; if another worker stored something first, look again.

        A refusal is final: a copy of the same decision still under way elsewhere is then refused too, since it must
        find the game as it was when it began.
        """
        for _ in range(MOST_TRIES):
            with self.holding(id) as live:
                known = self.reply_to(id, decision, side)
                if known is not None:
                    return known
                self.must_be_open(live)
                try:
                    return take(live)
                except Overtaken:
                    continue
                except StaleRequest:
                    known = self.reply_to(id, decision, side)  # it may have been stored while this one was looking
                    if known is None:
                        raise
                    return known
        raise StaleRequest("the game moves on faster than this could be stored: look at it again")

    def undo(
        self, id: str, side: Side, decision: str, *, agreed: bool = False, by: Side | None = None
    ) -> dict[str, Any]:
        """Take back a side's last decision; beyond its barrier the other side, `by`, must agree."""

        def take(live: LiveGame) -> dict[str, Any]:
            if (told := self.release.withdrawn(live, side, decision)) is not None:
                return told
            live.game.undo(side, agreed=agreed or side.enemy not in live.people)
            also = self.standing.after_undo(live, side)
            return self.commit(live, by or side, decision, "", go_on=False, also=also)

        return self.once(id, decision, by or side, take)

    def ask_back(self, id: str, side: Side) -> None:
        """A side asks to take back what it cannot take back alone; its next orders, or a grant, end the request."""
        with self.holding(id) as live:
            self.must_be_open(live)
            with self.storing(live) as connection:
                connection.execute(update(GAMES).where(GAMES.c.id == id).values(wants_back=side.value))
            live.wants_back = side
        self.wake(id)

    def propose(self, live: LiveGame, proposal: bytes | None, seat: str = "", say: str = "") -> None:
        """Keep an amendment that waits for consent, or drop the one that did; whoever asks holds the game."""
        self.must_be_open(live)
        with self.storing(live) as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == live.id).values(proposal=proposal))
            if say:
                self.note(connection, live.id, len(live.game.picture(None).events), seat, say)
        live.proposal = proposal
        self.wake(live.id)

    def amend(
        self, live: LiveGame, seat: str, decision: str, change: Change, *, by: str, agreed: Sequence[str], words: str
    ) -> dict[str, Any]:
        """Put into the journal what `by` proposed and the others agreed to, the last of them at `seat`."""
        self.must_be_open(live)
        live.game.amend(by, change, agreed=agreed, words=words)
        return self.commit(live, seat, decision, "", go_on=False, amended=True)

    def commit(
        self,
        live: LiveGame,
        side: str,
        decision: str,
        say: str,
        *,
        go_on: bool = True,
        amended: bool = False,
        also: Callable[[Connection], None] = lambda connection: None,
    ) -> dict[str, Any]:
        """Store what a decision led to, with whatever else belongs to it; then answer, and let standing orders go on."""
        try:
            if go_on:
                self.go_on(live)
        except Exception:
            self.forget(live)
            raise
        reply = {"ok": True, "version": version(live, SIDES.get(side))}
        done: dict[str, Any] = {"over": True} if live.game.over else {}
        if live.wants_back:
            done["wants_back"], live.wants_back = "", None
        if live.proposal and (amended or live.game.over):
            done["proposal"], live.proposal = None, None
        with self.storing(live) as connection:
            self.append(connection, live, decision)
            told = json.dumps(reply).encode()
            connection.execute(insert(DECISIONS).values(game=live.id, id=decision, seat=str(side), reply=told))
            if say:
                self.note(connection, live.id, len(live.game.picture(None).events), side, say)
            if done:
                connection.execute(update(GAMES).where(GAMES.c.id == live.id).values(**done))
            also(connection)
            self.release.settle(connection, live)
        live.stored = len(live.game.journal)
        self.keep(live)
        self.wake(live.id)
        self.standing.go_on(live)
        return reply

    def go_on(self, live: LiveGame) -> None:
        """Dice, bots and, where nobody could learn from it, questions with one answer, until a person must decide."""
        bots = {side: bot_player(who) for side, who in live.players.items() if who != "person"}
        game = live.game
        game.settle()
        while not game.over:
            if game.roll_due():
                if not rolled(game):
                    return
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

    def patch(self, id: str) -> Stop | None:
        """Take a game that the rules now stop back to where they stop it, on the host's word, and let it go on from
        there. Where it stopped; None if nothing stops it, and then nothing is changed."""
        header, journal, row = self._stored(id)
        stop = stop_of(header, journal)
        if stop is None:
            return None
        if row["closed"]:
            raise GameClosed(f"the game has been closed: {row['closed']}")
        live = self._live_from(row, Game(header, taken_back(header, journal), source_of(self.database, header)))
        live.stored = len(journal)
        self.go_on(live)
        with self.storing(live) as connection:
            self.append(connection, live, None)
            done = {"over": live.game.over, "wants_back": "", "proposal": None}
            connection.execute(update(GAMES).where(GAMES.c.id == id).values(**done))
        return stop

    def stop_of(self, id: str) -> Stop | None:
        """Where the rules now stop a game; None if they do not."""
        header, journal, _ = self._stored(id)
        return stop_of(header, journal)

    def close(self, id: str, why: str) -> None:
        """End a game before its end: by agreement, or because somebody resigns. It can still be looked at."""
        with self.holding(id) as live:
            self.must_be_open(live)
            if live.game.over:
                raise GameClosed("the battle is over already")
            live.game.reveal("closed")
            with self.storing(live) as connection:
                if len(live.game.journal) > live.stored:
                    self.append(connection, live, None)
                close_game(connection, self, id, why)
            live.closed, live.stored = why[:200], len(live.game.journal)
        self.wake(id)

    def close_unread(self, id: str, why: str) -> None:
        """End a game that cannot be replayed: that always works."""
        still_open = and_(GAMES.c.id == id, GAMES.c.closed == "", GAMES.c.over.is_(False))
        with self.database.write() as connection:
            if connection.execute(update(GAMES).where(still_open).values(closed=why[:200])).rowcount != 1:
                raise GameClosed("the game has ended already")
            reveal_unread(connection, id)
        self.wake(id)

    # -- storing --------------------------------------------------------------------------------------------

    @contextmanager
    def storing(self, live: LiveGame) -> Iterator[Connection]:
        """One transaction; if it fails the game in memory is forgotten, so that the journal decides what happened."""
        try:
            with self.database.write() as connection:
                yield connection
        except GameError:
            self.forget(live)
            raise
        except Exception as trouble:
            self.forget(live)
            raise Unavailable(NOT_STORED) from trouble

    def append(self, connection: Connection, live: LiveGame, decision: str | None) -> None:
        """Write down what is new in a game's journal, if nobody else has meanwhile."""
        new = live.game.journal[live.stored :]
        moved = connection.execute(
            update(GAMES)
            .where(and_(GAMES.c.id == live.id, GAMES.c.lines == live.stored))
            .values(lines=live.stored + len(new))
        )
        if moved.rowcount != 1:
            raise Overtaken("the game has moved on meanwhile: look at it again")
        now = time.time()
        rows = [
            {"game": live.id, "n": number, "line": msgspec.json.encode(line), "decision": decision, "at": now}
            for number, line in enumerate(new, live.stored)
        ]
        if rows:
            connection.execute(insert(JOURNAL), rows)

    def public_length(self, id: str) -> int:
        """How far everybody has seen a game; 0 if there is no battle yet, or it cannot be replayed."""
        try:
            with self.holding(id) as live:
                return len(live.game.picture(None).events)
        except GameError:
            return 0

    def note(self, connection: Connection, id: str, at: int, seat: str, text: str) -> None:
        """Something said beside a move or about the seats, for everybody to read where the battle stood."""
        number = connection.execute(select(func.count()).select_from(NOTES).where(NOTES.c.game == id)).scalar_one()
        told = {"at": at, "seat": seat, "text": text[:MOST_NOTE], "said": time.time()}
        connection.execute(insert(NOTES).values(game=id, n=number, **told))

    def reply_to(self, id: str, decision: str, side: str) -> dict[str, Any] | None:
        """What was answered to a decision the first time; None if it is new."""
        with self.database.read() as connection:
            wanted = select(DECISIONS).where(and_(DECISIONS.c.game == id, DECISIONS.c.id == decision))
            row = connection.execute(wanted).mappings().one_or_none()
        if row is None:
            return None
        if row["seat"] != side:
            raise StaleRequest("this decision id has been used: make a new one for a new decision")
        reply: dict[str, Any] = json.loads(row["reply"])
        return reply

    def must_be_open(self, live: LiveGame) -> None:
        """Refuse what can no longer be done in a game that was closed."""
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
                "over": bool(row["over"]) and is_shown(self, row["id"], row["spectator_delay"]),
                "closed": row["closed"] if is_shown(self, row["id"], row["spectator_delay"]) else "",
                "stage": row["stage"],
            }
            for row in rows
        ]

    def seats(self, id: str) -> list[dict[str, Any]]:
        """The seats of a game, by name and whether they are taken."""
        with self.database.read() as connection:
            rows = connection.execute(select(SEATS).where(SEATS.c.game == id)).mappings().all()
        return [{"seat": row["seat"], "name": row["name"], "claimed": row["claimed"] is not None} for row in rows]

    def notes(self, id: str, until: float = inf) -> list[dict[str, Any]]:
        """What players have said beside their moves, up to a moment."""
        said = and_(NOTES.c.game == id, NOTES.c.said <= until)
        with self.database.read() as connection:
            rows = connection.execute(select(NOTES).where(said).order_by(NOTES.c.n)).mappings().all()
        return [{"at": row["at"], "seat": row["seat"], "text": row["text"]} for row in rows]

    def watchable(self, id: str) -> bool:
        """Whether strangers may look at the public side of a game."""
        with self.database.read() as connection:
            found = connection.execute(select(GAMES.c.spectators).where(GAMES.c.id == id)).scalar_one_or_none()
        return bool(found)

    def spectators(self, id: str) -> int | None:
        """By how many minutes strangers see the public side of a game later; None if they may not look at all."""
        with self.database.read() as connection:
            row = connection.execute(
                select(GAMES.c.spectators, GAMES.c.spectator_delay).where(GAMES.c.id == id)
            ).one_or_none()
        return row.spectator_delay if row is not None and row.spectators else None

    def why_closed(self, id: str) -> str:
        """Why a game was closed before its end; "" if it was not."""
        with self.database.read() as connection:
            return str(connection.execute(select(GAMES.c.closed).where(GAMES.c.id == id)).scalar_one_or_none() or "")


def version(live: LiveGame, side: Side | None, *, sees_all: bool = False) -> str:
    """How far an audience has seen: what it knows was taken back, events it was sent, questions it has answered, and
    whether one is open to it. Numbers that never go back, and never the tape's length."""
    told = len(live.game.table.log) if sees_all else len(live.game.picture(side).events)
    audience = side or "public"
    back = sum(sees_all or line.agreed or line.who == side or audience in line.shown for line in live.game.taken_back)
    if side is None:
        return f"{back}.{told}"
    return f"{back}.{told}.{live.game.question_number(side)}.{int(asked(live, side))}"
