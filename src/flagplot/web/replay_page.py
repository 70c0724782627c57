"""The replay: a battle step by step, from one's own chair while it is played, from any chair when it is over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Path, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from starlette.exceptions import HTTPException

from flagplot.core.sides import SIDES
from flagplot.model.state import SEGMENTS
from flagplot.web.app import Body, audience, hall_of
from flagplot.web.forks import fork
from flagplot.web.hall import UnknownGame
from flagplot.web.limits import address_of
from flagplot.web.pages import page
from flagplot.web.replays import board_at
from flagplot.web.views import OUTSIDE

Viewpoint = Literal["axis", "allies", "referee", "spectator"]
Step = Annotated[int, Path(ge=0, le=100_000)]


class Fork(Body):
    """Where a finished battle is taken up again, and for which side; steps are counted as `seat` sees them."""

    step: int = Field(ge=0, le=100_000)
    side: Literal["axis", "allies"]
    seat: Viewpoint | None = None


SEGMENTS_OF_A_ROUND = [(key, *told) for key, told in SEGMENTS.items() if key not in OUTSIDE]

router = APIRouter()


@router.get("/api/games/{game}/replay/{step}")
def board(game: str, step: Step, request: Request, seat: str = "") -> dict[str, Any]:
    """The board after a step: as one knows it while a game is open, as any side or the referee does when it is over."""
    side = audience(request, game)
    live = hall_of(request).game(game)
    with live.lock:
        if live.game.over and seat in ("axis", "allies", "referee", "spectator"):
            told = board_at(live.game, SIDES.get(seat), step, everything=seat == "referee")
        else:
            seat = side.value if side else "spectator"
            told = board_at(live.game, side, step, everything=False)
    return {"seat": seat, "step": step, **told}


@router.post("/api/games/{game}/fork", status_code=201)
def take_up(game: str, body: Fork, request: Request) -> dict[str, Any]:
    """Take up a finished battle at one of its steps, against the admiral. The answer holds the invitations, as for any new game."""
    audience(request, game)
    if request.app.state.new_games.take(address_of(request.scope)):
        raise HTTPException(429, "too many new games from your address: wait a while")
    hall = hall_of(request)
    created = fork(hall, hall.game(game), body.step, SIDES[body.side], seat=body.seat or body.side)
    address = request.app.state.settings.address
    links = {seat: f"{address}/join#{token}" for seat, token in created.invitations.items()}
    return {"game": created.id, "address": f"{address}/games/{created.id}", "invitations": links}


@router.get("/games/{game}/replay", include_in_schema=False)
def replay_page(game: str, request: Request) -> HTMLResponse:
    """The page; it fetches its own story."""
    try:
        audience(request, game)
    except UnknownGame as unknown:
        told = page("replay.html", game="", why=str(unknown))
        told.status_code = 404
        return told
    return page("replay.html", game=game, why="", segments=SEGMENTS_OF_A_ROUND)


def mount(app: FastAPI) -> None:
    """Add the replay to the application."""
    app.include_router(router)
