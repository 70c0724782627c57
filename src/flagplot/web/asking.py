"""Who asks: the seats a request speaks for, and what it may therefore see. Decided here and nowhere else (trust.md, opp-8).

A browser holds a cookie for every seat it sits in, several in one game if need be; a program sends the same token as a
bearer token. Unknown games and forbidden ones look alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.web import seats
from flagplot.web.delayed import delayed
from flagplot.web.hall import Hall, LiveGame, UnknownGame, version
from flagplot.web.limits import address_of
from flagplot.web.seats import Seat

SEATS = ("axis", "allies", "referee", "host")  # in the order in which one that was not named is looked for
COOKIE = re.compile(rf"(?:__Host-)?seat-(?P<game>[\w-]{{1,32}})-(?P<seat>{'|'.join(SEATS)})", re.ASCII)
A_YEAR = 60 * 60 * 24 * 365
MOST_COOKIES = 80  # of ours in one browser: a server takes 16 KB of headers, and each is about 100 bytes


def hall_of(request: Request) -> Hall:
    """The hall of this server."""
    hall: Hall = request.app.state.hall
    return hall


# -- seats ------------------------------------------------------------------------------------------


def cookie_name(game: str, seat: str, *, secure: bool = False) -> str:
    """The cookie of a seat in a game; over TLS its name binds it to the host."""
    return f"__Host-seat-{game}-{seat}" if secure else f"seat-{game}-{seat}"


def cookies_of(request: Request) -> list[tuple[str, str]]:
    """The games and seats this browser has cookies of, whatever they are worth."""
    secure = request.app.state.settings.secure
    found = (COOKIE.fullmatch(name) for name in request.cookies if name.startswith("__Host-") is secure)
    return [(match["game"], match["seat"]) for match in found if match]


def bearer_of(request: Request) -> str | None:
    """The token of a program; None for a browser."""
    said = request.headers.get("authorization", "")
    return said[7:].strip() if said.lower().startswith("bearer ") else None


def seat_in(request: Request, game: str) -> Seat | None:
    """The seat a request speaks for, if any: the one it names with `as`, else the first it holds."""
    wanted = request.query_params.get("as", "")
    if wanted and wanted not in (*SEATS, "spectator"):
        raise PlayerError("as: one of axis, allies, referee, host or spectator")
    bearer = bearer_of(request)
    if bearer is not None:
        with hall_of(request).database.read() as connection:
            seat = seats.seat_of(connection, bearer, game) if bearer else None
        if seat is None and bearer:
            slow_down(request)  # a wrong token is a guess; a cookie may be an old one
        return seat
    return next(_held(request, game, (wanted,) if wanted else SEATS), None)


def seats_held(request: Request, game: str) -> list[str]:
    """The seats of a game that this browser, or this token, holds."""
    if bearer_of(request) is not None:
        seat = seat_in(request, game)
        return [seat.seat] if seat else []
    return [seat.seat for seat in _held(request, game, SEATS)]


def _held(request: Request, game: str, wanted: tuple[str, ...]) -> Iterator[Seat]:
    for name in wanted:
        token = token_for(request, game, name)
        if not token:
            continue
        with hall_of(request).database.read() as connection:
            seat = seats.seat_of(connection, token, game)
        if seat is not None and seat.seat == name:
            yield seat


def token_for(request: Request, game: str, seat: str) -> str:
    """The token a request carries for a seat, whatever it is worth."""
    return bearer_of(request) or request.cookies.get(
        cookie_name(game, seat, secure=request.app.state.settings.secure), ""
    )


def my_seat(request: Request, game: str) -> Seat:
    """The seat a request speaks for; without one there is no such game."""
    seat = seat_in(request, game)
    if seat is None:
        raise UnknownGame("there is no such game here, or it is not yours to see")
    return seat


def seated(request: Request, response: Response, claimed: seats.Claimed) -> dict[str, Any]:
    """Give a browser the cookie of a seat that is now its own, and say what it must know."""
    settings = request.app.state.settings
    response.set_cookie(
        cookie_name(claimed.seat.game, claimed.seat.seat, secure=settings.secure),
        claimed.token,
        max_age=A_YEAR,
        httponly=True,
        samesite="lax",
        secure=settings.secure,
    )
    for game, seat in cookies_of(request)[: -MOST_COOKIES + 1]:  # the oldest come first
        unseat(request, response, game, seat)
    hall_of(request).wake(claimed.seat.game)
    return {"game": claimed.seat.game, "seat": claimed.seat.seat, "recovery": claimed.recovery, "token": claimed.token}


def unseat(request: Request, response: Response, game: str, seat: str) -> None:
    """Take the cookie of a seat away from a browser."""
    secure = request.app.state.settings.secure
    response.delete_cookie(
        cookie_name(game, seat, secure=secure), httponly=True, samesite="lax", secure=secure, path="/"
    )


# -- what one may see -------------------------------------------------------------------------------


class Shown(NamedTuple):
    """A game as somebody may see it: which one (for spectators perhaps as it was a while ago), and from which chair."""

    live: LiveGame
    side: Side | None
    sees_all: bool
    seat: Seat | None

    @property
    def version(self) -> str:
        """How far this audience has seen, with marks for what is not in the log."""
        told = version(self.live, self.side, sees_all=self.sees_all)
        return told + (self.live.marks if self.seat else "c" * bool(self.live.closed))


def audience(request: Request, game: str) -> Side | None:
    """Whose view a request may have: a side's, or the public's if it may look on; else there is no such game."""
    seat = seat_in(request, game)
    if seat is not None and seat.seat in SIDES:
        return SIDES[seat.seat]
    if seat is not None or hall_of(request).watchable(game):
        return None
    raise UnknownGame("there is no such game here, or it is not yours to see")


@contextmanager
def shown(request: Request, game: str) -> Iterator[Shown]:
    """A game as this request may see it, held still meanwhile. Every way of looking at a game comes through here."""
    seat, hall = seat_in(request, game), hall_of(request)
    if seat is None:
        minutes = hall.spectators(game)
        if minutes is None:
            raise UnknownGame("there is no such game here, or it is not yours to see")
        if minutes:
            then = delayed(hall, game, minutes * 60.0)
            with then.lock:
                yield Shown(then, None, False, None)
            return
    with hall.holding(game) as live:
        name = seat.seat if seat else ""
        yield Shown(live, SIDES.get(name), name == "referee", seat)


def player(request: Request, game: str) -> Side:
    """The side a request plays."""
    seat = seat_in(request, game)
    if seat is None or seat.seat not in SIDES:
        raise UnknownGame("there is no such game here, or it is not yours to play")
    return SIDES[seat.seat]


# -- how often --------------------------------------------------------------------------------------


def too_many(why: str, wait: float) -> HTTPException:
    """Come back later, and when."""
    return HTTPException(429, why, {"retry-after": str(int(wait) + 1)})


def slow_down(request: Request) -> None:
    """One of the few tokens an address may try in a minute."""
    wait = request.app.state.wrong_tokens.take(address_of(request.scope))
    if wait:
        raise too_many("too many attempts from your address: wait a minute", wait)


def room_for_a_game(request: Request) -> None:
    """One of the games an address may make in an hour, and room on the server for one more."""
    wait = request.app.state.new_games.take(address_of(request.scope))
    if wait:
        raise too_many("too many new games from your address: wait a while", wait)
    request.app.state.room.take()
