"""The pages of seats: joining by invitation, on another device or with a recovery code, and who sits where.

Opening a page changes nothing: a seat is taken by a click (trust.md, link-2). Joining works without script as well: then
the code is pasted into a form, which is sent in a body and never stands in an address.
"""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import SIDES
from flagplot.web import seats
from flagplot.web.asking import hall_of, seated, seats_held, slow_down
from flagplot.web.hall import Hall
from flagplot.web.limits import FORM, JOIN
from flagplot.web.pages import page

MOST_FIELDS = 8
LONGEST = {"code": 400, "name": 60}  # the code may be pasted with the whole link around it
SENT = {
    "requestBody": {
        "required": True,
        "content": {
            FORM: {
                "schema": {
                    "type": "object",
                    "required": ["code"],
                    "properties": {name: {"type": "string", "maxLength": most} for name, most in LONGEST.items()},
                }
            }
        },
    }
}


def fields_in(body: bytes) -> dict[str, str]:
    """What was filled in; refused if it is not what the form has."""
    try:
        said = parse_qs(body.decode(), strict_parsing=bool(body), max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError as odd:
        raise PlayerError("this is not what the form on the page sends") from odd
    told = {name: said.get(name, [""])[0].strip() for name in LONGEST}
    if any(len(value) > LONGEST[name] or "\0" in value for name, value in told.items()):
        raise PlayerError("a name has at most 60 characters; of a link only what stands after # is needed")
    return told


def claim_without_script(request: Request, body: bytes) -> Response:
    """Use an invitation that was pasted, and show the recovery code in the page itself."""
    try:
        slow_down(request)
        told = fields_in(body)
        code = told["code"].rpartition("#")[2]
        if not code:
            raise PlayerError("paste the link or its code first")
        with hall_of(request).database.write() as connection:
            claimed = seats.claim_all(connection, code, told["name"], "a browser without scripts")
    except (PlayerError, HTTPException) as refusal:
        return _refused(refusal)
    game = claimed[0].seat.game
    shown = [{"place": place_of(hall_of(request), each.seat), "recovery": each.recovery} for each in claimed]
    answer = page("joined.html", game=game, seats=shown, host=claimed[0].seat.seat == "host")
    for each in claimed:
        seated(request, answer, each)
    return answer


def _refused(refusal: Exception) -> Response:
    status, headers = (404, None) if isinstance(refusal, seats.Refused) else (422, None)
    why = str(refusal)
    if isinstance(refusal, HTTPException):
        status, headers, why = refusal.status_code, dict(refusal.headers or {}), str(refusal.detail)
    answer = page("join.html", mode="invitation", refused=why)
    answer.status_code = status
    answer.headers.update(headers or {})
    return answer


def place_of(hall: Hall, seat: seats.Seat) -> str:
    """A seat in words."""
    if seat.seat not in SIDES:
        return f"You are the {seat.seat}."
    try:
        public = hall.game(seat.game).game.header.setup.public
        return f"You play {public.names[SIDES[seat.seat]]} in {public.title}."
    except GameError:
        return f"You play the {seat.seat} side."


def mount(app: FastAPI) -> None:
    """Add the pages to the application."""

    @app.get(JOIN, include_in_schema=False)
    def join() -> HTMLResponse:
        """Use an invitation."""
        return page("join.html", mode="invitation")

    @app.post(JOIN, response_class=HTMLResponse, openapi_extra=SENT)
    async def join_without_script(request: Request) -> Response:
        """Use an invitation from a browser without scripts: a form, and a page as answer. Programs use /api/claim."""
        return await asyncio.to_thread(claim_without_script, request, await request.body())

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
        held, wanted = seats_held(request, game), request.query_params.get("as")
        seat = wanted if wanted in held else next(iter(held), "")  # a host's link is opened before the seat is his
        return page("seats.html", game=game, seat=seat, held=held)
