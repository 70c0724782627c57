"""Game clocks: how much time a side has for an answer, and what happens when it runs out.

Time counts only while the server ran and could have told people that it runs (trust.md, promise 8). The measure is
`server_time.ran`: seconds added every quarter of a minute, by the clock that never jumps, and only if the clock on the
wall agrees with it. A server that was down, asleep or stopped adds nothing; neither does a jump of the clock, after which
nobody's time runs out for an hour. What a side has used is the difference of two such readings, so nothing is written
while somebody thinks, and a restart forgets at most a quarter of a minute, in the players' favour.

Only its own seat sees a clock run. The other seat sees what was left in reserve when something last happened that everybody
saw, rounded up to hours (opp-4). Resigning and closing never ask a clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import cache
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from sqlalchemy import Connection, and_, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.errors import GameError, IllegalChoice, PlayerError
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.core.tape import Typed
from flagplot.web.database import CLOCKS, GAMES, SERVER_TIME
from flagplot.web.dice_keeping import duties
from flagplot.web.limits import report_error
from flagplot.web.release import asked

if TYPE_CHECKING:
    from flagplot.web.hall import Hall, LiveGame

HOUR, DAY = 3600.0, 86400.0
BEAT = 15.0  # seconds between two readings
GAP = 60.0  # seconds without one: the server did not run
JUMP = 60.0  # seconds by which the two clocks of a machine may differ
AFTER_A_JUMP = HOUR  # nobody's time runs out for so long
NOT_ASKED = -1

Out = Literal["default", "admiral", "lose"]
OUTS: dict[Out, str] = {
    "default": "the answer that the form proposes is given, and the game goes on",
    "admiral": "the admiral answers, if both sides have agreed to that; else the answer that the form proposes is given",
    "lose": "the game is closed: whoever has no time left loses it",
}


class Terms(msgspec.Struct, frozen=True):
    """What was agreed when the game was made, in seconds."""

    answer: float
    reserve: float
    grace: float
    vacation: float
    out: Out


class Hand(msgspec.Struct):
    """The clock of one side."""

    reserve: float
    vacation: float
    used: float = 0.0  # for the question now open, before `since`
    since: float | None = None  # the clock runs since then; None: it stands
    question: int = NOT_ASKED
    away: float | None = None  # on vacation since then
    missed: int = 0  # how often time has run out


class State(msgspec.Struct):
    """Both clocks, and what is agreed about them."""

    hands: dict[str, Hand]
    paused: bool = False
    wants_pause: str = ""  # the side that asks for a pause
    cover: list[str] = []  # sides that agree that the admiral answers for whoever runs out of time
    shown: dict[str, float] = {}  # what was left in reserve when everybody last saw something
    told: int = -1  # how much everybody had seen then


_terms, _state = msgspec.json.Decoder(Terms), msgspec.json.Decoder(State)


class ClockRefused(PlayerError):
    """What a clock does not allow just now."""


@cache
def boot() -> str:
    """This machine since it was started: only then can two readings of its steady clock be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return secrets.token_hex(16)


# -- in words -----------------------------------------------------------------------------------------


def spell(seconds: float) -> str:
    """A length of time: an hour, 8 hours, a day, 3 days, a week."""
    hours = ceil(seconds / HOUR)
    for unit, size in (("week", 168), ("day", 24), ("hour", 1)):
        if hours and hours % size == 0:
            many = hours // size
            return f"{many} {unit}s" if many > 1 else "an hour" if unit == "hour" else f"a {unit}"
    return "no time"


def roughly(seconds: float) -> str:
    """What is left, as precisely as anybody needs it."""
    if seconds < HOUR:
        minutes = max(0, int(seconds // 60))
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    hours = int(seconds // HOUR)
    days, hours = divmod(hours, 24)
    parts = [f"{many} {unit}{'' if many == 1 else 's'}" for many, unit in ((days, "day"), (hours, "hour")) if many]
    return " and ".join(parts)


def pace_of(terms: Terms) -> str:
    """How fast the game is played: an answer a day."""
    each = spell(terms.answer)
    return f"an answer {each}" if each.startswith("a") else f"an answer in {each}"


def in_words(terms: Terms) -> list[str]:
    """What was agreed, a sentence each."""
    told = [f"Each side has {spell(terms.answer)} for each answer: {pace_of(terms)}."]
    if terms.reserve:
        told.append(f"Whoever takes longer uses up his reserve, {spell(terms.reserve)} for the whole game.")
    if terms.grace:
        told.append(f"After that nothing happens for {spell(terms.grace)} more.")
    told.append(f"When time has run out, {OUTS[terms.out]}.")
    if terms.vacation:
        told.append(f"Each side may be away for {spell(terms.vacation)} in all; its clock stands meanwhile.")
    told.append("If both sides agree, both clocks stand until one of them lets them run again.")
    told.append(
        "Time counts only while this server runs: no restart, and no jump of its clock, costs anybody anything."
    )
    return told


# -- the clocks -----------------------------------------------------------------------------------------


class Clocks:
    """The clocks of all games in a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._beaten = False  # by this process
        self._next = 0.0  # reading, by the steady clock

    # -- keeping them ------------------------------------------------------------------------------

    def set_up(self, id: str, release: str, terms: Terms | None) -> None:
        """Give a new game its release clock and, if wanted, a clock for its players."""
        with self.hall.database.write() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == id).values(release=release))
            if terms is not None:
                hands = {side.value: Hand(terms.reserve, terms.vacation) for side in Side}
                row = {"terms": msgspec.json.encode(terms), "state": msgspec.json.encode(State(hands))}
                connection.execute(insert(CLOCKS).values(game=id, **row))
                _begin(connection, self.hall)
        try:
            live = self.hall.game(id)
        except PlayerError:  # there is no battle yet
            return
        self.hall.forget(live)
        with self.hall.holding(id) as live, self.hall.storing(live) as connection:
            self.settle(connection, live, self.questions(live))

    def questions(self, live: LiveGame) -> dict[Side, int]:
        """Which question is open to each side that a person plays, or which part in the dice."""
        if live.closed or live.game.over:
            return {}
        return duties(live) | {side: live.game.question_number(side) for side in live.people if asked(live, side)}

    def settle(
        self, connection: Connection, live: LiveGame, open_now: Mapping[Side, int], *, unseen: bool = False
    ) -> None:
        """Stop the clocks of those who have answered, and start those of whoever is asked; stored with the move. What is
        `unseen`, in an envelope, changes nothing that others see of the clocks."""
        found = _read(connection, live.id, to_write=True)
        if found is None:
            return
        (terms, state), now = found, _ran(connection)
        for side in live.people:
            hand, question = state.hands[side.value], open_now.get(side, NOT_ASKED)
            if question != hand.question:
                late = _used(hand, now) - terms.answer
                hand.reserve = max(0.0, hand.reserve - max(0.0, late))
                hand.used, hand.since, hand.question = 0.0, None, question
            _run(state, hand, now)
        public = len(live.game.picture(None).events)
        if public != state.told and not unseen:
            state.told = public
            state.shown = {side: hand.reserve for side, hand in state.hands.items()}
        _write(connection, live.id, state)

    # -- what a seat may do --------------------------------------------------------------------------

    def do(self, id: str, side: Side, what: str) -> None:
        """Pause by agreement, go on vacation and come back, agree that the admiral covers."""
        with self.hall.holding(id) as live:
            self.hall.must_be_open(live)
            if live.game.over:
                raise ClockRefused("the battle is over: its clocks stand for good")
            with self.hall.storing(live) as connection:
                found = _read(connection, id, to_write=True)
                if found is None:
                    raise ClockRefused("this game has no clock: take all the time you like")
                terms, state = found
                DOING[what](live, terms, state, side, _ran(connection))
                _write(connection, id, state)
        self.hall.wake(id)

    # -- looking ---------------------------------------------------------------------------------------

    def told(self, id: str, side: Side | None) -> dict[str, Any]:
        """The clock of a game as a seat, or anybody else, sees it. No terms: there is none."""
        with self.hall.database.read() as connection:
            found = _read(connection, id)
            if found is None:
                return {"terms": None}
            now, jumped = _ran(connection), _after_a_jump(connection)
        terms, state = found
        told: dict[str, Any] = {
            "terms": {
                "pace": pace_of(terms),
                "words": in_words(terms),
                "out": terms.out,
                "vacation": terms.vacation > 0,
            },
            "paused": state.paused,
            "jumped": jumped,
            "away": {name: hand.away is not None for name, hand in state.hands.items()},
            "reserve": {name: spell(state.shown.get(name, terms.reserve)) for name in state.hands},
            "cover": len(state.cover) == len(state.hands),
        }
        if side is not None:
            told["mine"] = _own(terms, state, side, now)
            told["wants_pause"] = {"": "", side.value: "me"}.get(state.wants_pause, "enemy")
            told["cover_agreed"] = {"me": side.value in state.cover, "enemy": side.enemy.value in state.cover}
        return told

    # -- time ------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Read both clocks of this machine, and let time run out where it has."""
        steady = self.hall.release.clock.monotonic()
        if steady < self._next <= steady + BEAT:
            return
        self._next = steady + BEAT
        clocked = self._clocked()
        if not clocked:
            self._beaten = False
            return
        with self.hall.database.write() as connection:
            self._read_clocks(connection)
            now, jumped = _ran(connection), _after_a_jump(connection)
        for id in clocked:
            try:
                self._look_at(id, now, jumped)
            except (GameError, SQLAlchemyError) as trouble:
                if not isinstance(trouble, PlayerError):
                    report_error(trouble)

    def _clocked(self) -> list[str]:
        still = and_(GAMES.c.over.is_(False), GAMES.c.closed == "", GAMES.c.stage == "playing")
        with self.hall.database.read() as connection:
            wanted = select(CLOCKS.c.game).join(GAMES, GAMES.c.id == CLOCKS.c.game).where(still).order_by(CLOCKS.c.game)
            return list(connection.execute(wanted).scalars())

    def _read_clocks(self, connection: Connection) -> None:
        """Add the time since the last reading, if the server ran all the while and no clock was set."""
        clock = self.hall.release.clock
        _begin(connection, self.hall)
        row = connection.execute(select(SERVER_TIME)).mappings().one()
        steady, wall = clock.monotonic(), clock.time()
        passed, by_the_wall = steady - row["mono"], wall - row["wall"]
        values = {"boot": boot(), "mono": steady, "wall": wall, "ran": row["ran"], "held_until": row["held_until"]}
        same = row["boot"] == boot() and self._beaten and passed >= 0.0
        if same and abs(by_the_wall - passed) > JUMP:
            values["held_until"] = row["ran"] + AFTER_A_JUMP
        elif same and passed <= GAP:
            values["ran"] = row["ran"] + passed
        as_read = and_(SERVER_TIME.c.id == 1, SERVER_TIME.c.mono == row["mono"], SERVER_TIME.c.boot == row["boot"])
        connection.execute(update(SERVER_TIME).where(as_read).values(**values))  # another worker may have been first
        self._beaten = True

    def _look_at(self, id: str, now: float, jumped: bool) -> None:
        with self.hall.database.read() as connection:
            found = _read(connection, id)
        if found is None:
            return
        terms, state = found
        if all(hand.question == NOT_ASKED for hand in state.hands.values()):  # a battle that was mustered begins
            with self.hall.holding(id) as live, self.hall.storing(live) as connection:
                self.settle(connection, live, self.questions(live))
            return
        if any(_back_from_vacation(hand, now) for hand in state.hands.values()):
            self._end_vacations(id)
        if not jumped and any(_is_out(terms, hand, now) for hand in state.hands.values()):
            self._run_out(id)

    def _end_vacations(self, id: str) -> None:
        with self.hall.holding(id) as live, self.hall.storing(live) as connection:
            found = _read(connection, id, to_write=True)
            if found is None:
                return
            (_, state), now = found, _ran(connection)
            for hand in state.hands.values():
                if _back_from_vacation(hand, now):
                    _return(state, hand, now)
            _write(connection, id, state)
        self.hall.wake(id)

    def _run_out(self, id: str) -> None:
        """Do what was agreed for the case that a side has no time left."""
        with self.hall.holding(id) as live:
            with self.hall.database.read() as connection:
                found, now = _read(connection, id), _ran(connection)
            if found is None or live.closed:
                return
            terms, state = found
            for side in live.people:
                hand = state.hands[side.value]
                if hand.question == duties(live).get(side) and _is_out(terms, hand, now):
                    self._without_dice(live, side, terms)
                    return
                decision = live.game.decision(side)
                if (
                    decision is None
                    or hand.question != live.game.question_number(side)
                    or not _is_out(terms, hand, now)
                ):
                    continue
                if terms.out == "lose":
                    name = live.game.header.setup.public.names[side]
                    self.hall.close(id, f"{name} has run out of time: it was {pace_of(terms)}")
                    return
                cover = terms.out == "admiral" and len(state.cover) == len(state.hands)
                answer = _answer_for(live, side, decision, cover=cover)
                number = live.game.question_number(side)
                self.hall.release.take(live, side, f"clock-{secrets.token_hex(16)}", number, answer, "")
                self._missed(live, side)
                return

    def _without_dice(self, live: LiveGame, side: Side, terms: Terms) -> None:
        """A side has not done its part in the dice: what the other side read counts, or the game ends. Never other dice."""
        read = live.game.entered().get(side.enemy.value)
        if read is None or terms.out == "lose":
            name = live.game.header.setup.public.names[side]
            self.hall.close(live.id, f"{name} has not done its part in the dice in time: it was {pace_of(terms)}")
            return
        live.game.record(Typed(side.value, read))
        self.hall.commit(live, side, f"clock-{secrets.token_hex(16)}", "")
        self._missed(live, side)

    def _missed(self, live: LiveGame, side: Side) -> None:
        with self.hall.storing(live) as connection:
            found = _read(connection, live.id, to_write=True)
            if found is not None:
                found[1].hands[side.value].missed += 1
                _write(connection, live.id, found[1])


def _answer_for(live: LiveGame, side: Side, decision: Decide, *, cover: bool) -> Wire:
    if not cover:
        try:
            decision.read(decision.form.default)
            return decision.form.default
        except IllegalChoice:  # what the form proposes breaks a limit
            pass
    return AdmiralBot().choose(live.game.picture(side), decision)


# -- one clock -----------------------------------------------------------------------------------------


def _used(hand: Hand, now: float) -> float:
    return hand.used + (max(0.0, now - hand.since) if hand.since is not None else 0.0)


def _is_out(terms: Terms, hand: Hand, now: float) -> bool:
    return hand.since is not None and _used(hand, now) > terms.answer + hand.reserve + terms.grace


def _stop(hand: Hand, now: float) -> None:
    hand.used, hand.since = _used(hand, now), None


def _run(state: State, hand: Hand, now: float) -> None:
    if hand.question != NOT_ASKED and hand.since is None and not state.paused and hand.away is None:
        hand.since = now


def _back_from_vacation(hand: Hand, now: float) -> bool:
    return hand.away is not None and now - hand.away >= hand.vacation


def _return(state: State, hand: Hand, now: float) -> None:
    if hand.away is not None:
        hand.vacation, hand.away = max(0.0, hand.vacation - (now - hand.away)), None
    _run(state, hand, now)


def _own(terms: Terms, state: State, side: Side, now: float) -> dict[str, Any]:
    """What a seat sees of its own clock."""
    hand = state.hands[side.value]
    used = _used(hand, now)
    left, late = max(0.0, terms.answer - used), max(0.0, used - terms.answer)
    reserve = max(0.0, hand.reserve - late)
    grace = max(0.0, terms.grace - max(0.0, late - hand.reserve))
    vacation = hand.vacation - (now - hand.away if hand.away is not None else 0.0)
    if hand.question == NOT_ASKED:
        words = "Your clock stands: nothing is asked of you."
    elif state.paused:
        words = "Both clocks stand: you have agreed to a pause."
    elif hand.away is not None:
        words = "Your clock stands: you are on vacation."
    elif left:
        words = f"You have {roughly(left)} for this answer{f', then {roughly(reserve)} in reserve' if reserve else ''}."
    elif reserve:
        words = f"You are using your reserve: {roughly(reserve)} of it are left."
    else:
        words = f"Your time has run out. You still have {roughly(grace)} before {OUTS[terms.out]}."
    return {
        "words": words,
        "short": roughly(left or reserve or grace) if hand.question != NOT_ASKED and hand.since is not None else "",
        "running": hand.since is not None,
        "late": not left,
        "reserve": roughly(reserve),
        "vacation": roughly(max(0.0, vacation)),
        "away": hand.away is not None,
        "missed": hand.missed,
    }


# -- what may be done ------------------------------------------------------------------------------------

Doing = Callable[["LiveGame", Terms, State, Side, float], None]


def _pause(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if state.paused:
        raise ClockRefused("both clocks stand already")
    if side.enemy in live.people and state.wants_pause != side.enemy.value:
        state.wants_pause = side.value  # the other side must agree
        return
    state.paused, state.wants_pause = True, ""
    for hand in state.hands.values():
        _stop(hand, now)


def _no_pause(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if not state.wants_pause:
        raise ClockRefused("nobody asks for a pause")
    state.wants_pause = ""


def _resume(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if not state.paused:
        raise ClockRefused("the clocks are not paused")
    state.paused = False
    for hand in state.hands.values():
        hand.used = min(hand.used, 0.0)  # whoever is asked has all of his time again
        _run(state, hand, now)


def _leave(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    hand = state.hands[side.value]
    if hand.away is not None:
        raise ClockRefused("you are on vacation already")
    if hand.vacation <= 0.0:
        raise ClockRefused("you have no vacation left" if terms.vacation else "no vacation was agreed in this game")
    _stop(hand, now)
    hand.away = now


def _come_back(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if state.hands[side.value].away is None:
        raise ClockRefused("you are not on vacation")
    _return(state, state.hands[side.value], now)


def _cover(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if terms.out != "admiral":
        raise ClockRefused("in this game the admiral does not answer for anybody: that is chosen when a game is made")
    state.cover = sorted({*state.cover, side.value})


def _no_cover(live: LiveGame, terms: Terms, state: State, side: Side, now: float) -> None:
    if side.value not in state.cover:
        raise ClockRefused("you have not agreed that the admiral covers")
    state.cover = [each for each in state.cover if each != side.value]


DOING: dict[str, Doing] = {
    "pause": _pause,
    "no pause": _no_pause,
    "resume": _resume,
    "leave": _leave,
    "return": _come_back,
    "cover": _cover,
    "no cover": _no_cover,
}


# -- rows -------------------------------------------------------------------------------------------------


def _read(connection: Connection, id: str, *, to_write: bool = False) -> tuple[Terms, State] | None:
    wanted = select(CLOCKS).where(CLOCKS.c.game == id)
    if to_write:
        wanted = wanted.with_for_update()  # other workers of a PostgreSQL wait; SQLite has one writer
    row = connection.execute(wanted).mappings().one_or_none()
    return (_terms.decode(row["terms"]), _state.decode(row["state"])) if row is not None else None


def _write(connection: Connection, id: str, state: State) -> None:
    connection.execute(update(CLOCKS).where(CLOCKS.c.game == id).values(state=msgspec.json.encode(state)))


def _begin(connection: Connection, hall: Hall) -> None:
    """The one row of server time, if there is none yet."""
    if connection.execute(select(SERVER_TIME.c.id)).first() is None:
        clock = hall.release.clock
        row = {"ran": 0.0, "boot": boot(), "mono": clock.monotonic(), "wall": clock.time(), "held_until": 0.0}
        connection.execute(insert(SERVER_TIME).values(id=1, **row))


def _ran(connection: Connection) -> float:
    return float(connection.execute(select(SERVER_TIME.c.ran)).scalar_one_or_none() or 0.0)


def _after_a_jump(connection: Connection) -> bool:
    row = connection.execute(select(SERVER_TIME.c.ran, SERVER_TIME.c.held_until)).one_or_none()
    return row is not None and row.ran < row.held_until
