"""Standing orders of a seat: to be read, written, paused and removed by that seat, on a page or by program.

Whoever is not that seat learns nothing here, not even whether there are any: to him there is no such game.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import Field

from flagplot.play.decision_kinds import AIR, BATTLES, KINDS, OPERATIONS, TRY, WARS, computed_answers
from flagplot.play.order_examples import example_orders, example_titles
from flagplot.play.order_facts import MEANING
from flagplot.play.standing_orders import HOWS, MOST_TEXT
from flagplot.rules.naval.targets import HOLD
from flagplot.web.asking import hall_of, player
from flagplot.web.bodies import Body
from flagplot.web.hall import Mustering, UnknownGame
from flagplot.web.pages import page

router = APIRouter(prefix="/api")


class Orders(Body):
    """Standing orders, one a line; no text removes them."""

    text: str = Field(max_length=MOST_TEXT)


class Pause(Body):
    """Whether standing orders answer nothing until they are resumed."""

    paused: bool


@router.get("/games/{game}/orders")
def read(game: str, request: Request) -> dict[str, Any]:
    """Your standing orders: as you wrote them, why they are paused ("" if they are not), and what they answered last."""
    return _told(game, request)


@router.post("/games/{game}/orders")
def write(game: str, body: Orders, request: Request) -> dict[str, Any]:
    """Replace your standing orders; they answer what they speak to, as the release clock allows. Refused with the line that will not do."""
    side = player(request, game)
    standing = hall_of(request).standing
    remarks = standing.remarks(game, side, body.text)
    standing.set(game, side, body.text)
    return _told(game, request) | {"remarks": remarks}


@router.post("/games/{game}/orders/check")
def check(game: str, body: Orders, request: Request) -> dict[str, Any]:
    """Whether standing orders can be read, and what to know of them; nothing is changed. Refused with the line."""
    side = player(request, game)
    return {"ok": True, "remarks": hall_of(request).standing.remarks(game, side, body.text)}


@router.post("/games/{game}/orders/pause")
def pause(game: str, body: Pause, request: Request) -> dict[str, Any]:
    """Pause your standing orders, or resume them: then they answer what they speak to, as the release clock allows."""
    side = player(request, game)
    hall_of(request).standing.pause(game, side, paused=body.paused)
    return _told(game, request)


def _told(game: str, request: Request) -> dict[str, Any]:
    side = player(request, game)
    kept = hall_of(request).standing.of(game, side)
    return {"ok": True, "text": kept.text, "paused": kept.paused, "given": kept.given}


def mount(app: FastAPI) -> None:
    """Add standing orders to the application."""
    app.include_router(router)

    @app.get("/games/{game}/orders", include_in_schema=False)
    def orders(game: str, request: Request) -> HTMLResponse:
        """The page of a seat's standing orders."""
        try:
            side = player(request, game)
            with hall_of(request).holding(game) as live:
                public = live.game.header.setup.public
                ended = live.game.over or bool(live.closed)
        except UnknownGame:
            missing = page("battle_missing.html")
            missing.status_code = 404
            return missing
        except Mustering:
            return HTMLResponse(status_code=303, headers={"location": f"/games/{game}/muster"})
        return page(
            "orders.html",
            game=game,
            query=f"?as={request.query_params['as']}" if "as" in request.query_params else "",
            title=public.title,
            own_name=public.names[side],
            ended=ended,
            kept=hall_of(request).standing.of(game, side),
            most=MOST_TEXT,
            examples=[(name, title, example_orders(name)) for name, title in example_titles().items()],
            parts=[(part, _kinds_of(part)) for part in (OPERATIONS, BATTLES, AIR, WARS)],
            played={"operation": OPERATIONS, "war": WARS}.get(public.kind, BATTLES),
            facts=MEANING,
            hows=HOWS,
        )


def _kinds_of(part: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """The kinds of questions of a part of the rules: kind, rule, what it is about, words it is answered with."""
    held = {name: (HOLD,) for name in KINDS if TRY in computed_answers(name)}
    return [
        (name, kind.rule, kind.about, (*computed_answers(name), *held.get(name, kind.answers)))
        for name, kind in KINDS.items()
        if kind.part == part
    ]
