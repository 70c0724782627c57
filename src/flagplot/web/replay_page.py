"""The replay: a battle step by step, from one's own chair while it is played, from any chair when it is over."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Path, Request
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import Field

from flagplot.core.errors import EngineError, StaleRequest, TapeError
from flagplot.core.sides import SIDES
from flagplot.model.state import SEGMENTS
from flagplot.play.report import results
from flagplot.web.app import made
from flagplot.web.asking import audience, hall_of, room_for_a_game, shown
from flagplot.web.bodies import Body
from flagplot.web.dice_part import luck_of
from flagplot.web.forks import fork
from flagplot.web.hall import UnknownGame
from flagplot.web.operation_map import chart_of
from flagplot.web.pages import page
from flagplot.web.replays import board_at, carried
from flagplot.web.views import OF_PORTS, OUTSIDE
from flagplot.web.war_charts import charts

Viewpoint = Literal["axis", "allies", "referee", "spectator"]
Step = Annotated[int, Path(ge=0, le=100_000)]


class Fork(Body):
    """Where a finished battle is taken up again, and for which side; steps are counted as `seat` sees them."""

    step: int = Field(ge=0, le=100_000)
    side: Literal["axis", "allies"]
    seat: Viewpoint | None = None


SEGMENTS_OF_A_ROUND = [(key, *told) for key, told in SEGMENTS.items() if key not in (*OUTSIDE, *OF_PORTS)]

router = APIRouter()


@router.get("/api/games/{game}/replay/{step}")
def board(game: str, step: Step, request: Request, seat: str = "") -> dict[str, Any]:
    """The board after a step: as one knows it while a game is open, as any side or the referee does when it is over."""
    seat, told = _told(request, game, step, seat)
    return {"seat": seat, "step": step, **told}


def _told(request: Request, game: str, step: int, seat: str) -> tuple[str, dict[str, Any]]:
    """The chair a step is seen from, and what is seen from it."""
    with shown(request, game) as seen:
        if (seen.live.game.over or seen.sees_all) and seat in ("axis", "allies", "referee", "spectator"):
            return seat, board_at(seen.live.game, SIDES.get(seat), step, everything=seat == "referee")
        seat = seen.side.value if seen.side else "referee" if seen.sees_all else "spectator"
        return seat, board_at(seen.live.game, seen.side, step, everything=seen.sees_all)


@router.get("/games/{game}/replay/{step:int}/sea", include_in_schema=False)
def sea(game: str, step: Step, request: Request, seat: str = "", map: str = "") -> HTMLResponse:
    """Of an operation the chart and the voyages after a step, of the war its board; the drawing of a chart only if it is
    another than the page holds."""
    seat, told = _told(request, game, step, seat)
    part, war = told["operation"], told["war"]
    own = seat if seat in SIDES else "axis"
    foe = SIDES[own].enemy.value
    if war is not None:
        names = {"own_name": told["names"][own], "foe_name": told["names"][foe]}
        return page("replay_war.html", view=told, own=own, foe=foe, war_charts=charts(war, own), **names)
    if part is None:
        return HTMLResponse("")
    chart = chart_of(part, own)
    return page(
        "replay_sea.html",
        view=told,
        own=own,
        foe=foe,
        own_name=told["names"][own],
        foe_name=told["names"][foe],
        mine=seat in SIDES,
        fighting=bool(part["fighting"]),
        chart=chart,
        chart_known=chart is not None and chart.mark == map,
    )


@router.get("/api/games/{game}/results")
def carry(game: str, request: Request) -> dict[str, Any]:
    """Results to carry back to the campaign, as far as you know them; as they are, when the battle is over."""
    with shown(request, game) as seen:
        live, whole = seen.live.game, seen.live.game.over or seen.sees_all
        return carried(live.events() if whole else live.picture(seen.side).events, over=live.over)


@router.get("/api/games/{game}/results.txt", response_class=PlainTextResponse)
def carry_as_text(game: str, request: Request) -> PlainTextResponse:
    """The same as text to paste."""
    with shown(request, game) as seen:
        live, whole = seen.live.game, seen.live.game.over or seen.sees_all
        parts = results(live.events() if whole else live.picture(seen.side).events)
    text = "\n\n".join(parts) + "\n"
    return PlainTextResponse(text, headers={"content-disposition": 'attachment; filename="results.txt"'})


@router.post("/api/games/{game}/fork", status_code=201)
def take_up(game: str, body: Fork, request: Request) -> dict[str, Any]:
    """Take up a finished battle at one of its steps, against the admiral. The answer holds the invitations, as for any new game."""
    audience(request, game)
    room_for_a_game(request)
    hall = hall_of(request)
    with shown(request, game) as seen:  # spectators who see it later fork it later as well
        battle = seen.live
    return made(request, fork(hall, battle, body.step, SIDES[body.side], seat=body.seat or body.side))


@router.get("/games/{game}/replay", include_in_schema=False)
def replay_page(game: str, request: Request) -> HTMLResponse:
    """The page; it fetches its own story."""
    luck, names = [], {}
    try:
        audience(request, game)
        with suppress(StaleRequest, TapeError, EngineError), shown(request, game) as seen:
            luck = luck_of(seen)
            names = {side.value: name for side, name in seen.live.game.header.setup.public.names.items()}
    except UnknownGame as unknown:
        told = page("replay.html", game="", why=str(unknown))
        told.status_code = 404
        return told
    return page("replay.html", game=game, why="", segments=SEGMENTS_OF_A_ROUND, luck=luck, names=names)


def mount(app: FastAPI) -> None:
    """Add the replay to the application."""
    app.include_router(router)
