"""The application: every address, what it takes and what it answers. Pages are in pages.py; both come through here.

A seat is known by its device's cookie, one for each game, or by the same token as a bearer token, which is how a bot
plays. Unknown games and forbidden ones look alike.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

import flagplot
from flagplot.core.errors import EngineError, GameError, IllegalChoice, PlayerError, StaleRequest, UnknownName
from flagplot.core.sides import SIDES, Side
from flagplot.play import saves
from flagplot.play.transcript import report
from flagplot.scenarios.loader import list_scenarios, parse_scenario, shipped_scenario
from flagplot.scenarios.loader import scenario_text as text_of_scenario
from flagplot.web import seats
from flagplot.web.database import Database
from flagplot.web.hall import GameClosed, Hall, Unavailable, UnknownGame, version
from flagplot.web.limits import Buckets, Guard, address_of, refused
from flagplot.web.seats import Seat
from flagplot.web.settings import Settings
from flagplot.web.streams import Streams
from flagplot.web.views import view

Player = Literal["person", "admiral", "random"]
DecisionId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Body(BaseModel):
    """What a request may say, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """A game to be made: a shipped scenario by name, or a scenario's text."""

    scenario: str = Field("", max_length=100)
    text: str = Field("", max_length=200_000)
    axis: Player = "person"
    allies: Player = "admiral"
    options: dict[str, str] = Field(default_factory=dict, max_length=40)
    order_of_battle: Literal["", "open", "hidden"] = ""
    listed: bool = False
    spectators: bool = False


class Claim(Body):
    """An invitation to be used."""

    token: str = Field(max_length=100)
    name: str = Field("", max_length=60)
    device: str = Field("", max_length=60)


class Recovery(Body):
    """A recovery code."""

    code: str = Field(max_length=60)
    device: str = Field("", max_length=60)


class Answer(Body):
    """An answer to the question with this number; `id` is made by the sender, new for each decision."""

    id: DecisionId
    question: int = Field(ge=0, le=1_000_000)
    answer: Any
    say: str = Field("", max_length=500)


class Draft(Body):
    """An answer to be looked at, not given."""

    answer: Any


class TakeBack(Body):
    """A decision to be taken back; with `agree`, the enemy's request is granted."""

    id: DecisionId
    agree: bool = False


class Close(Body):
    """Why a game is closed before its end."""

    why: str = Field("", max_length=150)


class Name(Body):
    """A seat, or a device."""

    name: str = Field(max_length=60)


class Checked(Body):
    """A scenario's text to be checked."""

    text: str = Field(max_length=200_000)


def make_app(settings: Settings) -> FastAPI:
    """The application for one server."""
    database = Database(settings.database_url)
    from flagplot.web.migrate import migrate

    migrate(database)
    hall, streams = Hall(database, settings), Streams()
    hall.wake = streams.wake

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        streams.begin()
        yield
        database.close()

    app = FastAPI(
        title="Flagplot",
        version=flagplot.__version__,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings, app.state.hall, app.state.streams = settings, hall, streams
    app.state.wrong_tokens = Buckets(settings.limits.wrong_tokens_a_minute)
    app.state.new_games = Buckets(settings.limits.games_an_hour, 3600.0)
    app.add_middleware(Guard, settings=settings)
    app.include_router(router)
    from flagplot.web.pages import mount_pages

    mount_pages(app)
    for error in (PlayerError, GameError):
        app.add_exception_handler(error, _refuse)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(SQLAlchemyError, _unavailable)
    app.add_exception_handler(Exception, _broken)
    return app


# -- refusals ---------------------------------------------------------------------------------------


def _refuse(request: Request, error: Exception) -> JSONResponse:
    status = 422
    if isinstance(error, UnknownGame | seats.Refused | UnknownName):
        status = 404
    elif isinstance(error, StaleRequest | GameClosed):
        status = 409
    elif isinstance(error, Unavailable):
        return refused(503, str(error), {"retry-after": "2"})
    elif isinstance(error, EngineError):
        return refused(500, "something went wrong with this game; nothing was changed")
    told: dict[str, Any] = {"refused": str(error)}
    if isinstance(error, IllegalChoice):
        told |= {"rule": error.rule, "reason": error.reason, "instead": error.instead}
    return JSONResponse(told, status)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return refused(422, f"{where}: {first['msg'].lower()}")


def _unavailable(request: Request, error: Exception) -> JSONResponse:
    return refused(
        503, "the database cannot be reached just now: nothing was changed; please try again", {"retry-after": "2"}
    )


def _broken(request: Request, error: Exception) -> JSONResponse:
    return refused(500, "something went wrong here; nothing was changed")


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refused(error.status_code, str(error.detail).lower(), dict(error.headers or {}) or None)


# -- who asks -----------------------------------------------------------------------------------------


def hall_of(request: Request) -> Hall:
    """The hall of this server."""
    hall: Hall = request.app.state.hall
    return hall


def cookie_name(game: str, *, secure: bool = False) -> str:
    """The cookie of a seat in a game; over TLS its name binds it to the host."""
    return f"__Host-seat-{game}" if secure else f"seat-{game}"


def token_of(request: Request, game: str) -> str:
    """The token a request carries for a game, in a cookie or as a bearer token."""
    bearer = request.headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return request.cookies.get(cookie_name(game, secure=request.app.state.settings.secure), "")


def seat_in(request: Request, game: str) -> Seat | None:
    """The seat a request speaks for, if any."""
    token = token_of(request, game)
    if not token:
        return None
    with hall_of(request).database.read() as connection:
        seat = seats.seat_of(connection, token, game)
    if seat is None and "authorization" in request.headers:
        _slow_down(request)  # a wrong token is a guess; a cookie may be an old one
    return seat


def audience(request: Request, game: str) -> Side | None:
    """Whose view a request may have: a side's, or a spectator's if there are any; else there is no such game."""
    seat = seat_in(request, game)
    if seat is not None and seat.seat in SIDES:
        return SIDES[seat.seat]
    if seat is not None or hall_of(request).watchable(game):
        return None
    raise UnknownGame("there is no such game here, or it is not yours to see")


def player(request: Request, game: str) -> Side:
    """The side a request plays."""
    seat = seat_in(request, game)
    if seat is None or seat.seat not in SIDES:
        raise UnknownGame("there is no such game here, or it is not yours to play")
    return SIDES[seat.seat]


Asking = Annotated[Request, Depends(lambda request: request)]

# -- addresses -------------------------------------------------------------------------------------------

router = APIRouter(prefix="/api")


@router.get("/scenarios")
def scenarios() -> list[dict[str, str]]:
    """The battles that come with Flagplot."""
    return [
        {"name": each.name, "title": each.setup.public.title, "summary": each.setup.public.summary}
        for each in list_scenarios()
    ]


@router.get("/scenarios/{name}")
def scenario_text(name: str) -> dict[str, str]:
    """The text of a battle that comes with Flagplot."""
    return {"name": name, "text": text_of_scenario(name).decode()}


@router.post("/check")
def check(body: Checked) -> dict[str, Any]:
    """Whether a scenario's text can be played, and if not, at which line and under which rule it fails."""
    try:
        found = parse_scenario(body.text, "text")
    except (GameError, tomllib.TOMLDecodeError) as refusal:
        return {"ok": False, "refused": str(refusal)}
    public = found.setup.public
    return {"ok": True, "title": public.title, "summary": public.summary, "order_of_battle": public.order_of_battle}


@router.post("/games", status_code=201)
def create(body: NewGame, request: Request) -> dict[str, Any]:
    """Make a game. The answer holds the invitations: each can be used once."""
    wait = request.app.state.new_games.take(address_of(request.scope))
    if wait:
        raise HTTPException(
            429, "too many new games from your address: wait a while", headers={"retry-after": str(int(wait) + 1)}
        )
    scenario = parse_scenario(body.text, "text") if body.text else shipped_scenario(body.scenario or "denmark-strait")
    setup = scenario.setup
    if body.order_of_battle:
        setup = setup.with_order_of_battle(body.order_of_battle)
    created = hall_of(request).create(
        setup,
        scenario=scenario.name,
        edition=scenario.edition,
        options={**scenario.options, **body.options},
        players={Side.AXIS: body.axis, Side.ALLIES: body.allies},
        listed=body.listed,
        spectators=body.spectators,
    )
    address = request.app.state.settings.address
    links = {seat: f"{address}/join#{token}" for seat, token in created.invitations.items()}
    return {"game": created.id, "address": f"{address}/games/{created.id}", "invitations": links}


@router.get("/games")
def games(request: Request) -> list[dict[str, Any]]:
    """Games that are listed."""
    return hall_of(request).listed()


@router.post("/claim")
def claim(body: Claim, request: Request, response: Response) -> dict[str, Any]:
    """Use an invitation. The seat is then this device's; the recovery code is shown once."""
    _slow_down(request)
    with hall_of(request).database.write() as connection:
        claimed = seats.claim(connection, body.token, body.name, body.device)
    return _seated(request, response, claimed)


@router.post("/games/{game}/recover")
def recover(game: str, body: Recovery, request: Request, response: Response) -> dict[str, Any]:
    """Come back to a seat with its recovery code."""
    _slow_down(request)
    with hall_of(request).database.write() as connection:
        claimed = seats.recover(connection, game, body.code, body.device)
    return _seated(request, response, claimed)


def _slow_down(request: Request) -> None:
    wait = request.app.state.wrong_tokens.take(address_of(request.scope))
    if wait:
        raise HTTPException(
            429, "too many attempts from your address: wait a minute", headers={"retry-after": str(int(wait) + 1)}
        )


def _seated(request: Request, response: Response, claimed: seats.Claimed) -> dict[str, Any]:
    response.set_cookie(
        cookie_name(claimed.seat.game, secure=request.app.state.settings.secure),
        claimed.token,
        max_age=60 * 60 * 24 * 365,
        httponly=True,
        samesite="lax",
        secure=request.app.state.settings.secure,
    )
    hall_of(request).wake(claimed.seat.game)
    return {"game": claimed.seat.game, "seat": claimed.seat.seat, "recovery": claimed.recovery, "token": claimed.token}


@router.get("/games/{game}")
def look(game: str, request: Request, log_from: int = 0) -> dict[str, Any]:
    """The game as you may see it."""
    side = audience(request, game)
    with hall_of(request).holding(game) as live:
        told = view(live, side, log_from=max(0, log_from))
    seat = seat_in(request, game)
    told["host"] = seat is not None and seat.seat == "host"
    told["seats"] = hall_of(request).seats(game)
    told["notes"] = hall_of(request).notes(game)
    return told


@router.get("/games/{game}/stream")
async def stream(game: str, request: Request, seen: str = "") -> StreamingResponse:
    """Server-sent events: `changed` with your version, whenever something has changed for you."""
    import asyncio

    hall, streams = hall_of(request), request.app.state.streams
    side = await asyncio.to_thread(audience, request, game)
    seat = await asyncio.to_thread(seat_in, request, game)
    limits, who = request.app.state.settings.limits, f"{game} {seat.seat}" if seat else ""
    if streams.open >= limits.streams or (who and streams.of(who) >= limits.streams_a_seat):
        raise HTTPException(
            429, "too many streams are open: the page will look again by itself", headers={"retry-after": "10"}
        )

    def now() -> str | None:
        if seat is not None and seat_in(request, game) is None:
            return None  # the device was sent away
        with hall.holding(game) as live:
            return version(live, side) + ("c" if live.closed else "") + ("t" if live.wants_back else "")

    return StreamingResponse(streams.listen(game, now, seen, who), media_type="text/event-stream")


@router.post("/games/{game}/answers")
def answer(game: str, body: Answer, request: Request) -> dict[str, Any]:
    """Answer the question open to you. The same id sent again is answered as it was the first time."""
    side = player(request, game)
    return hall_of(request).submit(game, side, body.id, body.question, body.answer, body.say)


@router.post("/games/{game}/check")
def draft(game: str, body: Draft, request: Request) -> dict[str, Any]:
    """Whether an answer would be legal; nothing is changed."""
    side = player(request, game)
    with hall_of(request).holding(game) as live:
        decision = live.game.decision(side)
        if decision is None or live.closed:
            raise StaleRequest("nothing is asked of you now")
        try:
            decision.read(body.answer)
        except IllegalChoice as refusal:
            return {"legal": False, "rule": refusal.rule, "reason": refusal.reason, "instead": refusal.instead}
    return {"legal": True}


@router.post("/games/{game}/undo")
def undo(game: str, body: TakeBack, request: Request) -> dict[str, Any]:
    """Take back your last decision; beyond the barrier the enemy is asked, and may agree."""
    side = player(request, game)
    hall = hall_of(request)
    with hall.holding(game) as live:
        if body.agree:
            known = hall.reply_to(game, body.id, side)
            if known is not None:
                return known
            if live.wants_back is not side.enemy:
                raise StaleRequest("the enemy does not ask to take anything back")
            return hall.undo(game, side.enemy, body.id, agreed=True, by=side)
        try:
            return hall.undo(game, side, body.id)
        except PlayerError as refusal:
            if "agree" not in str(refusal):
                raise
            live.wants_back = side
    hall.wake(game)
    return {"ok": False, "asked": True}


@router.post("/games/{game}/close")
def close(game: str, body: Close, request: Request) -> dict[str, Any]:
    """End a game before its end. The host may, and so may a player, who then resigns."""
    seat = seat_in(request, game)
    if seat is None:
        raise UnknownGame("there is no such game here, or it is not yours to close")
    hall = hall_of(request)
    names = hall.game(game).game.header.setup.public.names
    who = f"{names[SIDES[seat.seat]]} resigns" if seat.seat in SIDES else "closed by the host"
    hall.close(game, f"{who}: {body.why}" if body.why else who)
    return {"ok": True}


@router.get("/games/{game}/devices")
def devices(game: str, request: Request) -> list[dict[str, Any]]:
    """The devices of your seat."""
    seat = _my_seat(request, game)
    with hall_of(request).database.read() as connection:
        return seats.devices_of(connection, game, seat.seat)


@router.post("/games/{game}/devices", status_code=201)
def add_device(game: str, body: Name, request: Request) -> dict[str, str]:
    """A token for one more device of your seat; it is shown once."""
    seat = _my_seat(request, game)
    with hall_of(request).database.write() as connection:
        known = [each for each in seats.devices_of(connection, game, seat.seat) if not each["revoked"]]
        if len(known) >= request.app.state.settings.limits.devices_a_seat:
            raise PlayerError("this seat has as many devices as it may have: revoke one first")
        added, token = seats.add_device(connection, game, seat.seat, body.name)
    return {"id": added.device, "token": token}


@router.post("/games/{game}/devices/{device}/revoke")
def revoke_device(game: str, device: str, request: Request) -> dict[str, Any]:
    """A device of your seat is no longer let in."""
    seat = _my_seat(request, game)
    with hall_of(request).database.write() as connection:
        seats.revoke(connection, game, seat.seat, device)
    hall_of(request).wake(game)
    return {"ok": True}


@router.post("/games/{game}/reseat")
def reseat(game: str, body: Name, request: Request) -> dict[str, Any]:
    """The host gives a seat to somebody else: a new invitation, seen by both in the list of seats."""
    seat = seat_in(request, game)
    if seat is None or seat.seat != "host" or body.name not in SIDES:
        raise UnknownGame("there is no such game here, or it is not yours to seat")
    with hall_of(request).database.write() as connection:
        token = seats.reinvite(connection, game, body.name)
    hall_of(request).wake(game)
    return {"invitation": f"{request.app.state.settings.address}/join#{token}"}


def _my_seat(request: Request, game: str) -> Seat:
    seat = seat_in(request, game)
    if seat is None:
        raise UnknownGame("there is no such game here, or it is not yours to see")
    return seat


@router.get("/games/{game}/report", response_class=PlainTextResponse)
def text_report(game: str, request: Request) -> PlainTextResponse:
    """The battle as text to paste: as you know it while it is played, as it was when it is over."""
    side = audience(request, game)
    with hall_of(request).holding(game) as live:
        source = live.game if live.game.over else live.game.picture(side)
        text = report(source, live.game.header)
    return PlainTextResponse(text, headers={"content-disposition": 'attachment; filename="battle.md"'})


@router.get("/games/{game}/download")
def download(game: str, request: Request) -> Response:
    """My view while the game is open; the whole recording, which `flagplot verify` checks, when it is over."""
    side = audience(request, game)
    with hall_of(request).holding(game) as live:
        if live.game.over:
            data, name, kind = saves.dump(live.game), "battle.flagplot", "application/octet-stream"
        else:
            data, name, kind = json.dumps(view(live, side)).encode(), "view.json", "application/json"
    return Response(data, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/games/{game}/replay")
def replay(game: str, request: Request, seat: str = "") -> dict[str, Any]:
    """The story step by step: one's own while a game is open, any side's or the referee's when it is over."""
    from flagplot.web.replays import replay_of

    side = audience(request, game)
    with hall_of(request).holding(game) as live:
        if live.game.over and seat in ("axis", "allies", "referee", "spectator"):
            return replay_of(live.game, SIDES.get(seat), everything=seat == "referee")
        return replay_of(live.game, side, everything=False)
