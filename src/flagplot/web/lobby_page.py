"""The lobby, the set-up page, joining and seats: how people come to a game, and what they may do about their places in it.

A page here shows nothing of a game that its reader could not ask the API for; a game that is unknown and one that is
somebody else's look alike. Opening a page changes nothing: every seat is taken by a click (trust.md, link-2).
"""

from __future__ import annotations

import time
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy import and_, func, insert, select, update
from starlette.exceptions import HTTPException

from flagplot.core.errors import GameError, PlayerError, UnknownName
from flagplot.core.sides import SIDES, Side
from flagplot.scenarios.loader import Scenario, list_scenarios, scenario_text
from flagplot.scenarios.ships import all_ships
from flagplot.web import app as server
from flagplot.web import seats
from flagplot.web.database import DEVICES, GAMES, SEATS, SETUPS
from flagplot.web.hall import Hall
from flagplot.web.limits import Buckets, address_of
from flagplot.web.pages import page
from flagplot.web.setup_outline import NOTHING, options, read, ship_facts, words
from flagplot.web.setup_text import Change, changed

SETUPS_AN_HOUR = 60
SETUPS_READ_A_MINUTE = 600  # the page asks after every pause in typing; reading the longest text takes half a second
MOST_SETUPS = 20_000
MOST_MY_GAMES = 40
MOST_LOOKED_AT = 12  # so many of one's own games are asked whether they wait; the others are only listed

# The battles by what is learnt in them.
HEADINGS = ("To begin with", "Carriers and aircraft", "Guns and torpedoes")
TO_BEGIN_WITH = ("river-plate", "denmark-strait", "calabria", "midway")

router = APIRouter(prefix="/api")


class SetupText(server.Body):
    """The text of a set-up, finished or not."""

    text: str = Field(max_length=200_000)


class SetupChange(server.Body):
    """A value for a place in the text; null takes away what is there. Places in lists are counted from 0."""

    path: list[Annotated[str, Field(max_length=80)] | Annotated[int, Field(ge=0, le=99)]] = Field(
        min_length=1, max_length=6
    )
    value: Any = None


class SetupChanges(SetupText):
    """Changes to a text, one after another."""

    changes: list[SetupChange] = Field(min_length=1, max_length=16)


class Entry(server.Body):
    """The token of a device that was added from another one."""

    token: str = Field(max_length=100)


# -- set-ups ---------------------------------------------------------------------------------------


@router.get("/ships")
def ships(search: str = "", nation: str = "") -> list[dict[str, Any]]:
    """The named ships: nation, kind, size in factors, and whether they are fast. Search looks into names."""
    wanted = search.strip().lower()
    return [
        ship_facts(ship)
        for ship in all_ships().values()
        if wanted in ship.name.lower() and (not nation or ship.nation == nation)
    ]


@router.post("/setups/read")
def read_setup(body: SetupText, request: Request) -> dict[str, Any]:
    """A set-up's text as the page shows it: whether it can be played, if not at which line and under which rule it
    fails, and an outline of what is in it."""
    _not_too_often(request, 1)
    return read(body.text)


@router.post("/setups/change")
def change_setup(body: SetupChanges, request: Request) -> dict[str, Any]:
    """The text with changes written into it, and what is then to be said of it."""
    _not_too_often(request, len(body.changes))
    try:
        text = changed(body.text, [Change(tuple(each.path), each.value) for each in body.changes])
    except PlayerError:
        raise
    except GameError as unreadable:
        raise PlayerError(f"the text has to be put right first: {unreadable}") from unreadable
    return {"text": text, **read(text)}


def _not_too_often(request: Request, cost: int) -> None:
    if request.app.state.setups_read.take(address_of(request.scope), cost):
        raise HTTPException(429, "too many set-ups to read from your address: wait a little")


@router.post("/setups", status_code=201)
def share(body: SetupText, request: Request) -> dict[str, str]:
    """Keep a set-up, so that it can be opened by its link."""
    if request.app.state.new_setups.take(address_of(request.scope)):
        raise HTTPException(429, "too many set-ups from your address: wait a while, or download the text")
    if not body.text.strip() or "\0" in body.text:
        raise PlayerError("there is no text to share")
    id = seats.new_id()
    with server.hall_of(request).database.write() as connection:
        if connection.execute(select(func.count()).select_from(SETUPS)).scalar_one() >= MOST_SETUPS:
            raise HTTPException(507, "this server has no room for more set-ups: download the text and send it instead")
        connection.execute(insert(SETUPS).values(id=id, text=body.text.encode(), created=time.time()))
    return {"id": id, "address": f"{request.app.state.settings.address}/s/{id}"}


@router.get("/setups/{id}")
def shared(id: str, request: Request) -> dict[str, str]:
    """The text of a set-up that was shared."""
    return {"id": id, "text": _shared_text(request, id)}


def _shared_text(request: Request, id: str) -> str:
    with server.hall_of(request).database.read() as connection:
        text = connection.execute(select(SETUPS.c.text).where(SETUPS.c.id == id)).scalar_one_or_none()
    if text is None:
        raise HTTPException(404, "there is no such set-up here")
    return bytes(text).decode()


# -- seats -------------------------------------------------------------------------------------------


@router.post("/games/{game}/devices/enter")
def enter(game: str, body: Entry, request: Request, response: Response) -> dict[str, Any]:
    """Let this browser in with the token of an added device. The token works once: the browser gets another."""
    server._slow_down(request)
    with server.hall_of(request).database.write() as connection:
        seat = seats.seat_of(connection, body.token, game)
        secret = seats.new_token()
        used = connection.execute(
            update(DEVICES)
            .where(and_(DEVICES.c.token == seats.hashed(body.token), DEVICES.c.game == game))
            .where(DEVICES.c.revoked.is_(False))
            .values(token=seats.hashed(secret))
        )
        if seat is None or used.rowcount != 1:
            raise seats.Refused("this link is not known here, or has been used: make another on the first device")
    return server._seated(request, response, seats.Claimed(seat, secret, ""))


@router.post("/games/{game}/recovery")
def new_recovery_code(game: str, request: Request) -> dict[str, str]:
    """A new recovery code for your seat, shown once; the old one is void."""
    seat = server._my_seat(request, game)
    code = seats.recovery_code()
    with server.hall_of(request).database.write() as connection:
        connection.execute(
            update(SEATS)
            .where(and_(SEATS.c.game == game, SEATS.c.seat == seat.seat))
            .values(recovery=seats.hashed(code))
        )
    return {"recovery": code}


# -- pages -------------------------------------------------------------------------------------------


@cache
def battles() -> tuple[dict[str, Any], ...]:
    """The battles that come with the game, under their headings."""
    cards = [_card(each) for each in list_scenarios()]
    names = [*TO_BEGIN_WITH, *(card["name"] for card in cards)]
    cards.sort(key=lambda card: names.index(card["name"]))
    found = [{"heading": each, "cards": [card for card in cards if card["heading"] == each]} for each in HEADINGS]
    return tuple(group for group in found if group["cards"])


def _card(scenario: Scenario) -> dict[str, Any]:
    public = scenario.setup.public
    carriers = any(ship.is_carrier for side in scenario.setup.sides.values() for f in side.forces for ship in f.ships)
    ashore = any(air.bases for air in public.air.values())
    first = scenario.name in TO_BEGIN_WITH
    aircraft = (carriers or ashore) and public.kind == "naval battle"
    heading = HEADINGS[0 if first else 1 if aircraft else 2]
    return {
        "name": scenario.name,
        "title": public.title,
        "summary": public.summary,
        "heading": heading,
        "theatre": public.theatre,
        "kind": public.kind,
        "order_of_battle": public.order_of_battle,
        "sides": [
            {"side": side.value, "name": public.names[side], "intercepts": side is public.interceptor} for side in Side
        ],
    }


def my_games(request: Request) -> list[dict[str, Any]]:
    """The games in which this browser has a seat, the newest first; of the newest, whether they wait for it."""
    hall = server.hall_of(request)
    names = [name.removeprefix("seat-") for name in request.cookies if name.startswith("seat-")]
    mine = [seat for name in names[-MOST_MY_GAMES:] if (seat := server.seat_in(request, name)) is not None]
    with hall.database.read() as connection:
        rows = connection.execute(select(GAMES).where(GAMES.c.id.in_([seat.game for seat in mine]))).mappings().all()
    found = {row["id"]: row for row in rows}
    mine = sorted((seat for seat in mine if seat.game in found), key=lambda seat: -found[seat.game]["created"])
    told = []
    for place, seat in enumerate(mine):
        row = found[seat.game]
        done = bool(row["over"] or row["closed"])
        asked = not done and place < MOST_LOOKED_AT and seat.seat in SIDES and _waits_for(hall, seat)
        state = "over" if row["over"] else "closed" if row["closed"] else "your decision" if asked else "under way"
        told.append({"id": seat.game, "title": row["title"], "seat": _seat_name(hall, seat), "state": state})
    return told


def _waits_for(hall: Hall, seat: seats.Seat) -> bool:
    try:
        live = hall.game(seat.game)
        with live.lock:
            return live.game.decision(SIDES[seat.seat]) is not None
    except GameError:
        return False


def _seat_name(hall: Hall, seat: seats.Seat) -> str:
    if seat.seat not in SIDES:
        return seat.seat
    try:
        return hall.game(seat.game).game.header.setup.public.names[SIDES[seat.seat]]
    except GameError:
        return seat.seat


def new_page(text: str, *, scenario: str = "", shared: bool = False, missing: str = "") -> HTMLResponse:
    """The set-up page with a text in it; if what was asked for is missing, it says so and starts from nothing."""
    facts = {"text": text, "scenario": scenario, "shared": shared, "missing": missing, "nothing": NOTHING}
    answer = page("new.html", **facts, battles=battles(), options=options(), words=words())
    answer.status_code = 404 if missing else 200
    return answer


def mount(app: FastAPI) -> None:
    """Add the pages and what they ask the server to the application."""
    app.state.new_setups = Buckets(SETUPS_AN_HOUR, 3600.0)
    app.state.setups_read = Buckets(SETUPS_READ_A_MINUTE)
    app.include_router(router)

    @app.get("/", include_in_schema=False)
    def lobby(request: Request) -> HTMLResponse:
        """What can be played, and what is being played."""
        return page("lobby.html", battles=battles(), mine=my_games(request), listed=server.hall_of(request).listed())

    @app.get("/new", include_in_schema=False)
    def set_up(scenario: str = "") -> HTMLResponse:
        """Set up a battle, from one that comes with the game or from nothing."""
        if not scenario:
            return new_page(NOTHING)
        try:
            return new_page(scenario_text(scenario).decode(), scenario=scenario)
        except UnknownName as unknown:
            return new_page(NOTHING, missing=str(unknown))

    @app.get("/s/{id}", include_in_schema=False)
    def shared_setup(id: str, request: Request) -> HTMLResponse:
        """Set up a battle from a text that somebody shared."""
        try:
            return new_page(_shared_text(request, id), shared=True)
        except HTTPException as unknown:
            return new_page(NOTHING, missing=str(unknown.detail))

    @app.get("/join", include_in_schema=False)
    def join() -> HTMLResponse:
        """Use an invitation."""
        return page("join.html", mode="invitation")

    @app.get("/join-device", include_in_schema=False)
    def join_device() -> HTMLResponse:
        """Sit down at one's own seat with another device."""
        return page("join.html", mode="device")

    @app.get("/recover", include_in_schema=False)
    def recover() -> HTMLResponse:
        """Come back to a seat with its recovery code."""
        return page("join.html", mode="recovery")

    @app.get("/games/{game}/seats", include_in_schema=False)
    def seats_page(game: str, request: Request) -> HTMLResponse:
        """Who sits where, and what one may do about one's own place."""
        seat = server.seat_in(request, game)
        return page("seats.html", game=game, device=seat.device if seat else "")
