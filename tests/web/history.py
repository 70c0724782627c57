"""What clients saw, and whether a server can have behaved so (trust.md, promises 1 and 3).

Every request ends ok, refused or unknown. An unknown one is sent again with the same id, or given up for good. Afterwards
the history is held against the journal: no acknowledged decision is lost, none is applied twice, none is applied that was
refused, order is kept, versions never go back, and what a seat has read earlier is the beginning of what it reads later.
"""

from __future__ import annotations

import random
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import select

from flagplot.core.errors import GameError
from flagplot.core.tape import Answered, Line, Undone
from flagplot.play.game import Game, Header
from flagplot.web.backup import moment, verify
from flagplot.web.database import DECISIONS, GAMES, JOURNAL, Database
from tests.web.server import Client, Lost, Table, decision_id, new_game

_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(Line)


# -- what was seen -------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """How a request ended."""

    OK = "ok"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass
class Attempt:
    """One sending of a decision."""

    sent: float
    done: float
    outcome: Outcome
    reply: Any = None


@dataclass
class Decision:
    """A decision of a client, under one id however often it was sent."""

    id: str
    game: str
    seat: str
    question: int | None  # None: the last decision is to be taken back
    answer: object = None
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def acked(self) -> float | None:
        """When the client first knew that it counts."""
        return min((each.done for each in self.attempts if each.outcome is Outcome.OK), default=None)

    @property
    def sent(self) -> float:
        """When it was first sent."""
        return self.attempts[0].sent

    @property
    def refused(self) -> bool:
        """Whether it was refused at least once."""
        return any(each.outcome is Outcome.REFUSED for each in self.attempts)


@dataclass(frozen=True)
class Look:
    """A seat's version at a moment; with the log it read, if it looked. An answer given again tells an old version."""

    game: str
    seat: str
    sent: float
    done: float
    version: str
    lines: int = -1
    digest: bytes = b""


@dataclass
class History:
    """All that clients saw. Threads may write at the same time: appending to a list is one step."""

    decisions: list[Decision] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    last_logs: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)  # the ids acknowledged, as they come

    @property
    def acked(self) -> int:
        """How many decisions were acknowledged."""
        return sum(each.acked is not None for each in self.decisions)

    def unknown(self) -> int:
        """How many sendings ended in nothing."""
        return sum(one.outcome is Outcome.UNKNOWN for each in self.decisions for one in each.attempts)


# -- asking and noting -------------------------------------------------------------------------------------


def attempt(history: History, client: Client, table: str, decision: Decision) -> Attempt:
    """Send a decision once, and note how that ended."""
    path = f"/api/games/{table}/" + ("undo" if decision.question is None else "answers")
    body: dict[str, object] = {"id": decision.id}
    if decision.question is not None:
        body |= {"question": decision.question, "answer": decision.answer}
    if not decision.attempts:
        history.decisions.append(decision)
    made = Attempt(time.monotonic(), float("inf"), Outcome.UNKNOWN)
    decision.attempts.append(made)
    try:
        told = client.post(path, body)
    except Lost:
        return made
    made.done = time.monotonic()
    made.reply = told.body
    if told.status == 200 and told.body.get("ok"):
        made.outcome = Outcome.OK
        history.heard.append(decision.id)
        history.looks.append(Look(decision.game, decision.seat, made.sent, made.done, told.body["version"]))
    elif told.status < 500:
        made.outcome = Outcome.REFUSED
    elif told.status != 503:
        raise AssertionError(f"{told.status} instead of an answer: {told.body}")
    return made


def look(history: History, client: Client, game: str, seat: str) -> dict[str, Any] | None:
    """Look at a game, and note what was seen. None if there was no answer."""
    sent = time.monotonic()
    try:
        told = client.get(f"/api/games/{game}")
    except Lost:
        return None
    if told.status == 503:
        return None
    assert told.status == 200, told
    view: dict[str, Any] = told.body
    log = [line["text"] for line in view["log"]]
    history.looks.append(Look(game, seat, sent, time.monotonic(), view["version"], len(log), digest(log)))
    if len(log) >= len(history.last_logs.get((game, seat), [])):
        history.last_logs[game, seat] = log
    return view


def digest(lines: Iterable[str]) -> bytes:
    """A fingerprint of what was read."""
    return blake2b("\0".join(lines).encode(), digest_size=16).digest()


class Player(threading.Thread):
    """Somebody who plays one seat, sends again what is unknown, now and then sends twice, too late, or hangs up."""

    def __init__(
        self,
        history: History,
        port: Callable[[], int],
        seat: str,
        tables: list[Table],
        seed: int,
        *,
        undo: float = 0.0,
        twice: float = 0.05,
    ) -> None:
        super().__init__(daemon=True)
        self.history = history
        self.port = port  # of a server; there may be several
        self.seat = seat
        self.tables = tables
        self.random = random.Random(seed)
        self.undo = undo
        self.twice = twice
        self.ending = threading.Event()
        self.trouble: BaseException | None = None
        self.clients: dict[tuple[int, str], Client] = {}

    def client(self, table: Table) -> Client:
        """A connection to some server."""
        token = table.tokens[self.seat]
        return self.clients.setdefault((port := self.port(), token), Client(port, token, patience=10.0))

    def run(self) -> None:
        try:
            for table in self.tables:
                if self.play(table):
                    return
        except BaseException as trouble:
            self.trouble = trouble

    def play(self, table: Table) -> bool:
        """Play a game to its end; True when it is time to stop."""
        patience = 0.02
        while not self.ending.is_set():
            client = self.client(table)
            view = look(self.history, client, table.game, self.seat)
            if view is None:
                self.ending.wait(0.01)
                continue
            if view["over"]:
                return False
            if view["question"] is None:
                self.ending.wait(patience)
                patience = min(2 * patience, 0.16)  # whoever waits leaves the server to those who decide
                continue
            patience = 0.02
            number, answer = view["question"]["number"], view["question"]["form"]["default"]
            decision = Decision(decision_id(), table.game, self.seat, number, answer)
            self.settle(table, decision)
            if decision.acked is not None and self.random.random() < self.undo:
                self.settle(table, Decision(decision_id(), table.game, self.seat, None))
            if decision.acked is None:
                continue
            if self.random.random() < self.twice:  # a page that sends twice
                attempt(self.history, client, table.game, decision)
            if self.random.random() < 0.05:  # a page left open: a new decision about a closed question
                attempt(
                    self.history, client, table.game, Decision(decision_id(), table.game, self.seat, number, answer)
                )
        return True

    def settle(self, table: Table, decision: Decision) -> None:
        """Send until the outcome is known; one in ten gives up."""
        gives_up = self.random.random() < 0.1
        hangs_up = self.random.random() < 0.05
        if hangs_up:
            attempt(self.history, Impatient(self.client(table)), table.game, decision)
        while not self.ending.is_set():
            made = attempt(self.history, self.client(table), table.game, decision)
            if made.outcome is not Outcome.UNKNOWN or gives_up:
                return
            self.ending.wait(0.01)


def started(players: list[Player]) -> list[Player]:
    """They play."""
    for player in players:
        player.start()
    return players


def ended(players: list[Player]) -> None:
    """They stop; whatever went wrong with one of them is raised."""
    for player in players:
        player.ending.set()
    for player in players:
        player.join(60)
        if player.trouble is not None:
            raise player.trouble


def wait_for_answers(history: History, number: int, most: float = 5.0) -> None:
    """Wait until so many more decisions have been acknowledged, but not for ever."""
    until, wanted = time.monotonic() + most, len(history.heard) + number
    while len(history.heard) < wanted and time.monotonic() < until:
        time.sleep(0.005)


class Impatient(Client):
    """Sends, and does not wait for the answer."""

    def __init__(self, like: Client) -> None:
        super().__init__(like.port, like.token, patience=0.002)


def take_seats(client: Client, number: int, scenario: str = "midway") -> list[Table]:
    """Games between two people, all seats taken."""
    tables = []
    for _ in range(number):
        game, invitations = new_game(client, scenario)
        tokens = {
            seat: client.post("/api/claim", {"token": token}).body["token"] for seat, token in invitations.items()
        }
        tables.append(Table(game, tokens))
    return tables


# -- what is stored ---------------------------------------------------------------------------------------------


@dataclass
class Stored:
    """A game as the database has it."""

    header: Header
    lines: list[Line]
    of_decision: list[str | None]
    answered: dict[str, tuple[str, Any]]  # decision -> seat, reply

    def game(self) -> Game:
        """Replayed with every check."""
        return Game(self.header, self.lines)


def stored(of: str | Database, only: str = "") -> dict[str, Stored]:
    """All games of a database, by id; or only one."""
    database = of if isinstance(of, Database) else Database(of)
    found: dict[str, Stored] = {}
    try:
        with moment(database) as connection:
            wanted = select(GAMES.c.id, GAMES.c.header, GAMES.c.lines)
            for id, header, length in connection.execute(wanted.where(GAMES.c.id == only) if only else wanted).all():
                rows = connection.execute(
                    select(JOURNAL.c.n, JOURNAL.c.line, JOURNAL.c.decision)
                    .where(JOURNAL.c.game == id)
                    .order_by(JOURNAL.c.n)
                ).all()
                assert [n for n, _, _ in rows] == list(range(length)), f"the journal of {id} has gaps"
                replies = connection.execute(
                    select(DECISIONS.c.id, DECISIONS.c.seat, DECISIONS.c.reply).where(DECISIONS.c.game == id)
                ).all()
                found[id] = Stored(
                    _header.decode(header),
                    [_line.decode(line) for _, line, _ in rows],
                    [decision for _, _, decision in rows],
                    {key: (seat, told) for key, seat, reply in replies if (told := msgspec.json.decode(reply))["ok"]},
                )
    finally:
        if database is not of:
            database.close()
    return found


def assert_kept(history: History, url: str) -> None:
    """The history holds, and every game verifies."""
    wrong = complaints(history, stored(url))
    assert wrong == [], "; ".join(wrong[:5])
    database = Database(url)
    try:
        assert verify(database).faults == []
    finally:
        database.close()


# -- the check ------------------------------------------------------------------------------------------------------


def complaints(history: History, games: dict[str, Stored]) -> list[str]:
    """What a server that keeps its promises could not have done."""
    wrong: list[str] = []
    by_game: dict[str, list[Decision]] = defaultdict(list)
    for decision in history.decisions:
        by_game[decision.game].append(decision)
    for id, decisions in by_game.items():
        if id not in games:
            wrong.append(f"game {id} is lost")
            continue
        wrong += _of_game(id, games[id], decisions)
    looks: dict[tuple[str, str], list[Look]] = defaultdict(list)
    for each in history.looks:
        looks[each.game, each.seat].append(each)
    for (id, seat), seen in looks.items():
        wrong += _versions(f"{seat} of {id}", seen)
        if id in games and not any(isinstance(line, Undone) for line in games[id].lines):
            wrong += _prefixes(f"{seat} of {id}", seen, history.last_logs.get((id, seat), []))
    return wrong


def _of_game(id: str, game: Stored, decisions: list[Decision]) -> list[str]:
    wrong: list[str] = []
    blocks = [key for key, _ in groupby(game.of_decision) if key is not None]
    position = {key: number for number, key in enumerate(blocks)}
    if len(position) != len(blocks):
        twice = sorted({key for key in blocks if blocks.count(key) > 1})
        wrong.append(f"{id}: applied twice: {', '.join(twice)}")
    known = {decision.id for decision in decisions}
    wrong += [f"{id}: {key} was applied, but nobody sent it" for key in blocks if key not in known]
    for decision in decisions:
        wrong += [f"{id}: {decision.id} {why}" for why in _of_decision(game, decision, decision.id in position)]
    wrong += _order(id, [each for each in decisions if each.id in position], position)
    first = {key: game.lines[game.of_decision.index(key)] for key in blocks}
    of_id = {decision.id: decision for decision in decisions}
    answered: dict[str, int] = defaultdict(lambda: -1)
    for key in blocks:
        decision, line = of_id.get(key), first[key]
        if decision is None:
            continue
        right = isinstance(line, Undone if decision.question is None else Answered) and line.who == decision.seat
        if not right:
            wrong.append(f"{id}: {key} of {decision.seat} is {line} in the journal")
        if isinstance(line, Undone):
            answered.clear()  # the same question may be answered once more
        elif decision.question is not None:
            if decision.question <= answered[decision.seat]:
                wrong.append(f"{id}: question {decision.question} of {decision.seat} was answered twice")
            answered[decision.seat] = decision.question
    try:
        game.game()
    except GameError as trouble:
        wrong.append(f"{id} does not verify: {trouble}")
    return wrong


def _of_decision(game: Stored, decision: Decision, applied: bool) -> list[str]:
    wrong = []
    if decision.acked is not None and not applied:
        wrong.append("was acknowledged and is lost")
    if decision.refused and applied:
        told = [f"{each.outcome} {each.reply}" for each in decision.attempts]
        wrong.append(f"was refused and is applied: {'; '.join(told)}")
    if applied != (decision.id in game.answered):
        wrong.append("is in the journal without its answer, or the other way round")
    replies = [each.reply for each in decision.attempts if each.outcome is Outcome.OK]
    if decision.id in game.answered:
        replies.append(game.answered[decision.id][1])
    if any(reply != replies[0] for reply in replies):
        wrong.append(f"was answered differently: {replies}")
    return wrong


def _order(id: str, applied: list[Decision], position: dict[str, int]) -> list[str]:
    """Whatever was acknowledged before another was sent stands before it."""
    wrong = []
    earliest, whose = float("inf"), ""
    for decision in sorted(applied, key=lambda each: position[each.id], reverse=True):
        if earliest < decision.sent:
            wrong.append(f"{id}: {decision.id} was sent after {whose} was acknowledged, and stands before it")
        if decision.acked is not None and decision.acked < earliest:
            earliest, whose = decision.acked, decision.id
    return wrong


def as_numbers(version: str) -> tuple[int, ...]:
    """A version, to be compared."""
    return tuple(int(part) for part in version.split("."))


def _versions(whose: str, seen: Sequence[Look]) -> list[str]:
    """A look that began after another had ended does not see less."""
    wrong = []
    ended = sorted(seen, key=lambda each: each.done)
    newest: tuple[int, ...] = ()
    index = 0
    for each in sorted(seen, key=lambda each: each.sent):
        while index < len(ended) and ended[index].done < each.sent:
            newest = max(newest, as_numbers(ended[index].version))
            index += 1
        if each.lines >= 0 and as_numbers(each.version) < newest:
            before = ".".join(map(str, newest))
            wrong.append(f"{whose}: version {each.version} was seen after {before}")
    return wrong


def _prefixes(whose: str, seen: Sequence[Look], last: list[str]) -> list[str]:
    """Every earlier log is the beginning of the longest one."""
    wrong = []
    digests: dict[int, bytes] = {}
    for each in seen:
        if each.lines < 0 or each.lines > len(last):
            continue
        if each.lines not in digests:
            digests[each.lines] = digest(last[: each.lines])
        if digests[each.lines] != each.digest:
            wrong.append(f"{whose}: {each.lines} lines of its log were different before")
    return wrong
