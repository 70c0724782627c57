"""Clocks and notices of a seat, on pages of its own and for programs. Who is not that seat: there is no such game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import Field

from flagplot.core.sides import Side
from flagplot.web.asking import hall_of, player, shown, too_many
from flagplot.web.bodies import Body
from flagplot.web.hall import Mustering, UnknownGame
from flagplot.web.limits import Buckets
from flagplot.web.notices import Notices
from flagplot.web.pages import page
from flagplot.web.release import RELEASES, holds

TESTS_A_MINUTE, TESTS_A_DAY = 3, 20  # of one seat
CODES_AN_HOUR = 10

router = APIRouter(prefix="/api")

Kind = Literal["mail", "hook"]


class Doing(Body):
    """What to do about the clocks of a game."""

    do: Literal["pause", "no pause", "resume", "leave", "return", "cover", "no cover"]


class Where(Body):
    """Where to be told: a mail address, or the address of a webhook."""

    kind: Kind
    target: str = Field(max_length=1000)


class Which(Body):
    """One of the two ways to be told."""

    kind: Kind


class SwitchOn(Body):
    """A way to be told that is to be used again; with the code of the test mail where that was not entered yet."""

    kind: Kind
    code: str = Field("", max_length=20)


@router.get("/games/{game}/clock")
def clock(game: str, request: Request) -> dict[str, Any]:
    """The clocks of a game, as you may see them, and its release clock."""
    with shown(request, game) as seen:
        side, seated, release = seen.side, seen.seat is not None, seen.live.release
    told = hall_of(request).clocks.told(game, side) if seated else {"terms": None}
    return {"release": {"kind": release, "words": RELEASES[release]}, **told}


@router.post("/games/{game}/clock")
def set_clock(game: str, body: Doing, request: Request) -> dict[str, Any]:
    """Ask for a pause or agree to one, end it, go on vacation, come back, agree that the admiral covers."""
    side = player(request, game)
    hall_of(request).clocks.do(game, side, body.do)
    return clock(game, request)


@router.get("/games/{game}/notices")
def notices(game: str, request: Request) -> dict[str, Any]:
    """Where you are told that something waits for you, in short, and how that went last."""
    side = player(request, game)
    return _notices(request).told(game, side.value)


@router.post("/games/{game}/notices")
def keep(game: str, body: Where, request: Request) -> dict[str, Any]:
    """Keep where you want to be told. Mail is sent only after you have entered the code of a test mail."""
    side = player(request, game)
    _notices(request).keep(game, side.value, body.kind, body.target)
    return _notices(request).told(game, side.value)


@router.post("/games/{game}/notices/remove")
def remove(game: str, body: Which, request: Request) -> dict[str, Any]:
    """Forget where you wanted to be told."""
    side = player(request, game)
    _notices(request).remove(game, side.value, body.kind)
    return _notices(request).told(game, side.value)


@router.post("/games/{game}/notices/on")
def switch_on(game: str, body: SwitchOn, request: Request) -> dict[str, Any]:
    """Use a way again after failures; with a code, use it for the first time."""
    side = player(request, game)
    _not_too_often(request, "codes", game, side, (CODES_AN_HOUR, 3600.0))
    _notices(request).switch_on(game, side.value, body.kind, body.code)
    return _notices(request).told(game, side.value)


@router.post("/games/{game}/notices/test")
def test(game: str, body: Which, request: Request) -> dict[str, Any]:
    """Send a notice now, and say how that went."""
    side = player(request, game)
    _not_too_often(request, "minute", game, side, (TESTS_A_MINUTE, 60.0))
    _not_too_often(request, "day", game, side, (TESTS_A_DAY, 86400.0))
    why = _notices(request).test(game, side.value, body.kind)
    return {"sent": not why, "error": why, **_notices(request).told(game, side.value)}


def _notices(request: Request) -> Notices:
    return hall_of(request).release.notices


def _not_too_often(request: Request, what: str, game: str, side: Side, most: tuple[int, float]) -> None:
    counted: dict[str, Buckets] = request.app.state.notices_tried
    wait = counted.setdefault(what, Buckets(*most)).take(f"{game} {side.value}")
    if wait:
        raise too_many("that was often enough for now: wait a while", wait)


def mount(app: FastAPI) -> None:
    """Add the pages, and what they ask the server."""
    app.state.notices_tried = {}
    app.include_router(router)

    @app.get("/games/{game}/clock", include_in_schema=False)
    def clock_page(game: str, request: Request) -> HTMLResponse:
        """The clocks of a game."""
        return _page(request, game, "clock.html", lambda: {"told": clock(game, request)})

    @app.get("/games/{game}/notices", include_in_schema=False)
    def notices_page(game: str, request: Request) -> HTMLResponse:
        """Where a seat wants to be told."""
        return _page(request, game, "notices.html", lambda: {"told": notices(game, request)})


def _page(request: Request, game: str, template: str, facts: Callable[[], dict[str, Any]]) -> HTMLResponse:
    try:
        side = player(request, game)
        with hall_of(request).holding(game) as live:
            public = live.game.header.setup.public
            ended, waits = live.game.over or bool(live.closed), holds(live, side)
        told = facts()
    except UnknownGame:
        missing = page("battle_missing.html")
        missing.status_code = 404
        return missing
    except Mustering:
        return HTMLResponse(status_code=303, headers={"location": f"/games/{game}/muster"})
    query = f"?as={request.query_params['as']}" if "as" in request.query_params else ""
    names = {"own": public.names[side], "foe": public.names[side.enemy], "foe_seat": side.enemy.value}
    return page(template, game=game, query=query, title=public.title, ended=ended, waits=waits, **names, **told)
