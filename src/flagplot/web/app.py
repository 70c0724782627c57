"""The application: every address of the API, what it takes and what it answers. Pages are in pages.py, seats in
seats_api.py; who asks is decided in asking.py, and every refusal is worded in refusals.py.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from pydantic import Field

import flagplot
from flagplot.core.errors import EngineError, GameError, IllegalChoice, PlayerError, StaleRequest, TapeError
from flagplot.core.sides import SIDES, Side
from flagplot.play import saves
from flagplot.play.report import report
from flagplot.scenarios.loader import list_scenarios, parse_scenario, shipped_scenario
from flagplot.scenarios.loader import scenario_text as text_of_scenario
from flagplot.web import seats_api
from flagplot.web.asking import Shown, hall_of, player, room_for_a_game, seat_in, shown, too_many
from flagplot.web.bodies import Body
from flagplot.web.clocks import HOUR, Terms
from flagplot.web.database import Database
from flagplot.web.delayed import notes_shown
from flagplot.web.dice_part import dice_part
from flagplot.web.expiry import Room, every_day
from flagplot.web.hall import Created, Hall, UnknownGame
from flagplot.web.keeper import Keeper
from flagplot.web.limits import Buckets, Guard, address_of
from flagplot.web.notices import Postman
from flagplot.web.odds_jobs import OddsJobs
from flagplot.web.refusals import describe, refuse_in_words
from flagplot.web.release import holds
from flagplot.web.settings import Settings
from flagplot.web.streams import Streams
from flagplot.web.views import view

Player = Literal["person", "admiral", "random"]
MOST_DELAY = 7 * 24 * 60  # minutes
DecisionId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class NewClock(Body):
    """How much time each side has, and what happens when it runs out."""

    answer_hours: int = Field(24, ge=1, le=14 * 24, description="For each answer.")
    reserve_hours: int = Field(72, ge=0, le=60 * 24, description="For the whole game, beyond that.")
    grace_hours: int = Field(12, ge=0, le=7 * 24, description="Before anything happens when all is used up.")
    vacation_days: int = Field(14, ge=0, le=60)
    when_out: Literal["default", "admiral", "lose"] = "default"

    def terms(self) -> Terms:
        """As the clock counts."""
        reserve, grace, vacation = self.reserve_hours * HOUR, self.grace_hours * HOUR, self.vacation_days * 24 * HOUR
        return Terms(self.answer_hours * HOUR, reserve, grace, vacation, self.when_out)


class NewGame(Body):
    """A game to be made: a shipped scenario by name, or a scenario's text."""

    scenario: str = Field("", max_length=100)
    text: str = Field("", max_length=200_000)
    axis: Player = "person"
    allies: Player = "admiral"
    edition: str = Field("", max_length=20, description="Of the rules; the scenario's unless said.")
    options: dict[str, str] = Field(default_factory=dict, max_length=40)
    order_of_battle: Literal["", "open", "hidden"] = ""
    listed: bool = False
    spectators: bool = False
    spectator_delay: int = Field(
        0, ge=0, le=MOST_DELAY, description="Minutes by which spectators see everything later."
    )
    odds: bool = Field(True, description="Players may ask for the odds of their battle, from what they know.")
    referee: bool = Field(False, description="Invite a referee, who sees everything and decides nothing.")
    hot_seat: bool = Field(
        False, description="Two people at one screen: both sides are people, and one link seats both."
    )
    dice: Literal["system", "fair", "strict", "typed"] = Field(
        "system",
        description="Where dice come from: the server, both sides and the host together (strict: with a link of both for "
        "each roll), or real dice typed in.",
    )
    release: Literal["live", "post"] = Field(
        "live", description="When answers reach the other side: its release clock."
    )
    clock: NewClock | None = Field(None, description="How much time there is for an answer; without it, all one likes.")
    muster: bool = Field(False, description="Each person enters his own forces in private before the battle begins.")


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


class Checked(Body):
    """A scenario's text to be checked."""

    text: str = Field(max_length=200_000)


def make_app(settings: Settings) -> FastAPI:
    """The application for one server."""
    database = Database(settings.database_url)
    from flagplot.web.migrate import migrate

    migrate(database)
    hall, streams = Hall(database, settings), Streams(database)
    hall.wake = streams.wake
    keeper, postman = Keeper(hall), Postman(hall.release.notices)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        streams.begin()
        ending = asyncio.Event()
        expiring = asyncio.create_task(every_day(database, ending))
        keeper.begin()
        postman.begin()
        yield
        ending.set()
        await asyncio.gather(asyncio.to_thread(keeper.end), asyncio.to_thread(postman.end))
        await asyncio.gather(expiring, return_exceptions=True)  # the database is closed below
        await asyncio.to_thread(app.state.odds.end)
        streams.end()
        database.close()

    app = FastAPI(
        title="Flagplot",
        version=flagplot.__version__,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.keeper = keeper
    app.state.settings, app.state.hall, app.state.streams = settings, hall, streams
    app.state.wrong_tokens = Buckets(settings.limits.wrong_tokens_a_minute)
    app.state.new_games = Buckets(settings.limits.games_an_hour, 3600.0)
    app.state.listening = Counter()  # streams by address
    app.state.asked_back = Buckets(settings.limits.takebacks_a_minute)
    app.state.odds = OddsJobs(settings.odds_workers, early=settings.odds_early)
    app.state.room = Room(database, settings.limits.open_games)
    app.add_middleware(Guard, settings=settings)
    app.include_router(router)
    app.include_router(seats_api.router)
    from flagplot.web.pages import mount_pages

    mount_pages(app)
    refuse_in_words(app)
    describe(app)
    return app


# -- addresses -------------------------------------------------------------------------------------------

router = APIRouter(prefix="/api")


@router.get("/scenarios")
def scenarios() -> list[dict[str, str]]:
    """The battles that come with Flagplot."""
    return _scenarios()


@cache
def _scenarios() -> list[dict[str, str]]:
    """Read once: a tenth of a second of work is not for whoever asks to give."""
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
    room_for_a_game(request)
    if body.muster:
        from flagplot.web.muster import muster_of

        return made(request, muster_of(hall_of(request), body), body)
    scenario = parse_scenario(body.text, "text") if body.text else shipped_scenario(body.scenario or "denmark-strait")
    setup = scenario.setup
    if body.order_of_battle:
        setup = setup.with_order_of_battle(body.order_of_battle)
    created = hall_of(request).create(
        setup,
        scenario=scenario.name,
        edition=body.edition or scenario.edition,
        options={**scenario.options, **body.options},
        players=dict.fromkeys(Side, "person") if body.hot_seat else {Side.AXIS: body.axis, Side.ALLIES: body.allies},
        dice=body.dice,
        listed=body.listed,
        spectators=body.spectators,
        spectator_delay=body.spectator_delay,
        odds=body.odds,
        referee=body.referee,
    )
    return made(request, created, body)


def made(request: Request, created: Created, wanted: NewGame | None = None) -> dict[str, Any]:
    """What is said of a new game: its address, and the links that claim its seats. It gets its clocks before anybody does."""
    if wanted is not None and (wanted.clock or wanted.release != "live"):
        hall_of(request).clocks.set_up(created.id, wanted.release, wanted.clock.terms() if wanted.clock else None)
    address = request.app.state.settings.address
    links = {seat: f"{address}/join#{token}" for seat, token in created.invitations.items()}
    told = {"game": created.id, "address": f"{address}/games/{created.id}", "invitations": links}
    if wanted is not None and wanted.hot_seat:
        told["hot_seat"] = f"{address}/join#{'+'.join(created.invitations[side] for side in SIDES)}"
    return told


@router.get("/games")
def games(request: Request) -> list[dict[str, Any]]:
    """Games that are listed."""
    return hall_of(request).listed()


@router.get("/games/{game}")
def look(game: str, request: Request, log_from: int = 0) -> dict[str, Any]:
    """The game as you may see it."""
    with shown(request, game) as seen:
        told = view_of(seen, log_from=max(0, log_from))
        public = len(seen.live.game.picture(None).events)
    told["host"] = seen.seat is not None and seen.seat.seat == "host"
    told["seats"] = hall_of(request).seats(game)
    told["dice"] = dice_part(seen)
    told["notes"] = notes_shown(hall_of(request), game, public, seated=seen.seat is not None)
    return told


def view_of(seen: Shown, *, log_from: int = 0) -> dict[str, Any]:
    """The view of whoever asks."""
    return view(seen.live, seen.side, log_from=log_from, sees_all=seen.sees_all)


@router.get("/games/{game}/stream", responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}})
async def stream(game: str, request: Request, seen: str = "") -> StreamingResponse:
    """Server-sent events: `changed` with your version, whenever something has changed for you."""
    streams, limits = request.app.state.streams, request.app.state.settings.limits

    def now() -> tuple[str | None, str]:
        with shown(request, game) as looked:
            return looked.seat and looked.seat.seat, looked.version

    seat, _ = await asyncio.to_thread(now)
    who, address = f"{game} {seat}" if seat else "", address_of(request.scope)
    listening: Counter[str] = request.app.state.listening
    crowded = streams.open >= limits.streams or listening[address] >= limits.streams_an_address
    if crowded or (who and streams.of(who) >= limits.streams_a_seat):
        raise too_many("too many streams are open: the page will look again by itself", 10)

    def version() -> str | None:
        try:
            same, told = now()
        except PlayerError:
            return None  # the device was sent away, or spectators were
        return told if same == seat else None

    async def counted() -> AsyncIterator[str]:
        listening[address] += 1
        try:
            async for told in streams.listen(game, version, seen, who):
                yield told
        finally:
            listening[address] -= 1
            if not listening[address]:
                del listening[address]

    return StreamingResponse(counted(), media_type="text/event-stream")


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
        if decision is None or live.closed or holds(live, side):
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
        wait = request.app.state.asked_back.take(f"{game} {side.value}")
        if wait:
            raise too_many("you have asked often enough to take something back: give the other side time", wait)
        hall.ask_back(game, side)
    return {"ok": False, "asked": True}


@router.post("/games/{game}/close")
def close(game: str, body: Close, request: Request) -> dict[str, Any]:
    """End a game before its end. The host may, and so may a player, who then resigns."""
    seat = seat_in(request, game)
    if seat is None or seat.seat == "referee":
        raise UnknownGame("there is no such game here, or it is not yours to close")
    hall = hall_of(request)
    from flagplot.web.muster import close_muster

    if close_muster(hall, game, seat.seat, body.why):
        return {"ok": True}
    try:
        names = {side.value: name for side, name in hall.game(game).game.header.setup.public.names.items()}
    except (TapeError, EngineError):  # no rule that fails holds anybody in a game
        names = {}
    who = f"{names.get(seat.seat, seat.seat)} resigns" if seat.seat in SIDES else "closed by the host"
    why = f"{who}: {body.why}" if body.why else who
    if names:
        hall.close(game, why)
    else:
        hall.close_unread(game, why)
    return {"ok": True}


TEXT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The report"}
}
RECORDING: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
        "description": "Your view of an open game as JSON; a finished game as a recording",
    }
}


@router.get("/games/{game}/report", response_class=Response, responses=TEXT)
def text_report(game: str, request: Request) -> Response:
    """The battle as text to paste: as you know it while it is played, as it was when it is over."""
    with shown(request, game) as seen:
        whole = seen.live.game.over or seen.sees_all
        source = seen.live.game if whole else seen.live.game.picture(seen.side)
        text = report(source, seen.live.game.header)
    return PlainTextResponse(text, headers={"content-disposition": 'attachment; filename="battle.md"'})


@router.get("/games/{game}/download", response_class=Response, responses=RECORDING)
def download(game: str, request: Request) -> Response:
    """My view while the game is open; the whole recording, which `flagplot verify` checks, when it is over."""
    with shown(request, game) as seen:
        if seen.live.game.over:
            data, name, kind = saves.dump(seen.live.game), "battle.flagplot", "application/octet-stream"
        else:
            data, name, kind = json.dumps(view_of(seen)).encode(), "view.json", "application/json"
    return Response(data, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.get("/games/{game}/replay")
def replay(game: str, request: Request, seat: str = "") -> dict[str, Any]:
    """The story step by step: one's own while a game is open, any side's or the referee's when it is over."""
    from flagplot.web.replays import replay_of

    with shown(request, game) as seen:
        if (seen.live.game.over or seen.sees_all) and seat in ("axis", "allies", "referee", "spectator"):
            return replay_of(seen.live.game, SIDES.get(seat), everything=seat == "referee")
        return replay_of(seen.live.game, seen.side, everything=seen.sees_all)
