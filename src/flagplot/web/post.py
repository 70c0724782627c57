"""A game by post: turn files to be taken away and answered, and what lies on a seat's desk.

A turn file is given to the seat it belongs to and to nobody else. A reply is taken from that seat, or from anybody else who
sits in the game, since it may have come to him by mail: its seal shows that the game wrote the turn file it answers. Whoever
carries it could read it, and could change the answer; the page says so.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from pydantic import Field
from sqlalchemy import Connection

from flagplot.core.errors import StaleRequest
from flagplot.core.sides import Side
from flagplot.play.correspondence import (
    MOST_BYTES,
    MOST_NOTEPAD,
    Head,
    Own,
    Reply,
    file_name,
    head_of,
    must_be_the_one,
    read_reply,
    turn_file,
)
from flagplot.play.standing_orders import MOST_TEXT, read_orders
from flagplot.web.asking import hall_of, my_seat, player, seat_in
from flagplot.web.bodies import Body
from flagplot.web.desks import BY_POST, MOST_HOURS, Desks, put, put_look
from flagplot.web.hall import Hall, LiveGame, Mustering, UnknownGame
from flagplot.web.operation_odds import chances_for
from flagplot.web.pages import page
from flagplot.web.release import Held, envelopes, holds

router = APIRouter(prefix="/api")

FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The turn file"}
}


class Letter(Body):
    """A reply to a turn file, or the turn file with the reply at its end."""

    text: str = Field(max_length=MOST_BYTES)


class Notepad(Body):
    """What stands on your notepad."""

    text: str = Field(max_length=MOST_NOTEPAD)


class AnswersAhead(Body):
    """Answers to later questions, one a line, each used once."""

    text: str = Field(max_length=MOST_TEXT)


class Reminder(Body):
    """In how many hours you want to be reminded of the game; 0: not at all."""

    hours: float = Field(ge=0, le=MOST_HOURS)


class KeptDraft(Body):
    """An answer that is not given yet, to the question with this number; null forgets it."""

    question: int = Field(ge=0, le=1_000_000)
    answer: Any = None


class Looked(Body):
    """How many events of your own log you have seen; without a number, all."""

    told: int | None = Field(None, ge=0, le=1_000_000)


# -- turn files ------------------------------------------------------------------------------------------------


@router.get("/games/{game}/turn-file", response_class=Response, responses=FILE)
def download(game: str, request: Request) -> Response:
    """Your turn file: what you know, the question open to you, and what lies on your desk. `flagplot answer` answers it."""
    side, hall = player(request, game), hall_of(request)
    desks = Desks(hall)
    with hall.holding(game) as live:
        desk, orders = desks.of(game, side), hall.standing.of(game, side)
        number = live.game.question_number(side)
        draft = desk.draft["answer"] if desk.draft and desk.draft["question"] == number else None
        own = Own(
            seen=desks.seen_by_post(live, side),
            draft=draft,
            notepad=desk.notepad,
            orders=orders.text,
            ahead=desk.ahead,
        )
        made = _of_now(live, side, request.app.state.settings.address)
        text = turn_file(live.game, side, own=own, **made)
        name = file_name(head_of(live.game, side, **made))
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})


def _of_now(live: LiveGame, side: Side, address: str) -> dict[str, Any]:
    held = holds(live, side)
    decision = None if live.closed or held else live.game.decision(side)
    chances = chances_for(live.game, side, decision) if decision is not None else None
    return {"id": live.id, "address": address, "chances": chances, "closed": bool(live.closed), "answered": held}


@router.post("/games/{game}/turn-file")
def upload(game: str, body: Letter, request: Request) -> dict[str, Any]:
    """Take a reply to a turn file: your own, or one that was mailed to you. Sent again, it counts once."""
    seat, hall = my_seat(request, game), hall_of(request)
    head, reply = read_reply(body.text)
    mine = seat.seat == head.seat.value
    return _taken(hall, game, head, reply, request.app.state.settings.address, mine=mine)


def _taken(hall: Hall, game: str, head: Head, reply: Reply, address: str, *, mine: bool) -> dict[str, Any]:
    side, decision = head.seat, f"post-{reply.id}"
    for text in (reply.ahead, reply.orders):
        read_orders(text or "")

    def take(live: LiveGame) -> dict[str, Any]:
        if envelope_of(live) is not None:
            return {"ok": True}
        must_be_the_one(live.game, head, head_of(live.game, side, **_of_now(live, side, address)), told=mine)
        if reply.question < 0:
            raise StaleRequest("this reply answers nothing")
        told = len(live.game.picture(side).events)
        live.has_orders = True  # or may have, from now on

        def also(connection: Connection) -> None:
            _laid_down(connection, live, told)

        return hall.release.take(live, side, decision, reply.question, reply.answer, reply.say, also)

    def envelope_of(live: LiveGame) -> Held | None:
        held = envelopes(live).get(side.value)
        return held if held is not None and held.decision == decision else None

    def _laid_down(connection: Connection, live: LiveGame, told: int) -> None:
        changed = {"ahead": reply.ahead, "notepad": reply.notepad}
        values = {name: text.encode() for name, text in changed.items() if text is not None}
        put(connection, game, side.value, draft=b"null", **values)
        put_look(connection, live, side, BY_POST, told)
        if reply.orders is not None:
            hall.standing.store(connection, game, side, reply.orders)

    with hall.holding(game) as live:
        known = hall.reply_to(game, decision, side) is not None or envelope_of(live) is not None
    hall.once(game, decision, side, take)
    with hall.holding(game) as live:
        now, waits = head_of(live.game, side, **_of_now(live, side, address)), holds(live, side)
    if not mine:
        return {"ok": True, "said": f"Taken: it was a reply of {head.names[side]}.", "turn": None, "asked": False}
    again = "This reply had been taken already" if known else f"Taken: {head.called}"
    further = f", and {_answers(now.turn - head.turn - 1)} with it" if now.turn > head.turn + 1 and not known else ""
    following = (
        "The game is over."
        if now.over
        else "It opens at the next full quarter hour; until then you can take it back on the game's page."
        if waits
        else f"{now.called[:1].upper()}{now.called[1:]} is open: download it."
        if now.asked
        else "Nothing is asked of you now."
    )
    return {"ok": True, "said": f"{again}{further}. {following}", "turn": now.turn, "asked": now.asked}


def _answers(number: int) -> str:
    return "1 later answer" if number == 1 else f"{number} later answers"


# -- the desk --------------------------------------------------------------------------------------------------


@router.get("/games/{game}/desk")
def desk(game: str, request: Request) -> dict[str, Any]:
    """Your desk: notepad, answers ahead, the draft of the open question, and the reminder."""
    return _desk(game, request)


def _desk(game: str, request: Request) -> dict[str, Any]:
    side, hall = player(request, game), hall_of(request)
    found = Desks(hall).of(game, side)
    with hall.holding(game) as live:
        number = live.game.question_number(side) if live.game.decision(side) else -1
    left = None if found.remind is None else found.remind - hall.release.clock.time()
    return {
        "ok": True,
        "notepad": found.notepad,
        "ahead": found.ahead,
        "draft": found.draft if found.draft and found.draft["question"] == number else None,
        "reminder": None if left is None else {"seconds": max(0, round(left)), "due": left <= 0},
    }


@router.post("/games/{game}/desk/notepad")
def notepad(game: str, body: Notepad, request: Request) -> dict[str, Any]:
    """Replace what stands on your notepad. Nobody else reads it."""
    side = _in_a_game(game, request)
    Desks(hall_of(request)).note(game, side, body.text)
    return _desk(game, request)


@router.post("/games/{game}/desk/ahead")
def ahead(game: str, body: AnswersAhead, request: Request) -> dict[str, Any]:
    """Replace your answers ahead: they answer at once what they speak to. Refused with the line that will not do."""
    side = _in_a_game(game, request)
    Desks(hall_of(request)).ahead(game, side, body.text)
    return _desk(game, request)


@router.post("/games/{game}/desk/reminder")
def reminder(game: str, body: Reminder, request: Request) -> dict[str, Any]:
    """Be reminded of this game in so many hours, on its page; 0 takes the reminder away."""
    side = _in_a_game(game, request)
    Desks(hall_of(request)).remind(game, side, body.hours)
    return _desk(game, request)


@router.post("/games/{game}/desk/draft")
def draft(game: str, body: KeptDraft, request: Request) -> dict[str, Any]:
    """Keep a draft of the open question, for any device of your seat; null forgets it."""
    side = player(request, game)
    Desks(hall_of(request)).draft(game, side, body.question, body.answer)
    return {"ok": True}


def _in_a_game(game: str, request: Request) -> Side:
    """The side a request plays, in a game whose battle has begun."""
    side = player(request, game)
    with hall_of(request).holding(game):
        return side


# -- what is new -----------------------------------------------------------------------------------------------


@router.get("/games/{game}/catch-up")
def catch_up(game: str, request: Request) -> dict[str, Any]:
    """What you were told since this device last looked, formal steps folded; nothing when it looks for the first time."""
    side, hall = player(request, game), hall_of(request)
    seat = my_seat(request, game)
    with hall.holding(game) as live:
        found = Desks(hall).caught_up(live, side, seat.device)
        told = len(live.game.picture(side).events)
    ago = None if found.at is None else max(0, round(time.time() - found.at))
    parts = msgspec.to_builtins(found.parts)
    return {"ok": True, "seconds": ago, "taken_back": found.taken_back, "told": told, "parts": parts}


@router.post("/games/{game}/looked")
def looked(game: str, body: Looked, request: Request) -> dict[str, Any]:
    """This device has seen so much: catching up begins after it."""
    side, hall = player(request, game), hall_of(request)
    seat = my_seat(request, game)
    with hall.holding(game) as live:
        Desks(hall).looked(live, side, seat.device, body.told)
    return {"ok": True}


# -- the page --------------------------------------------------------------------------------------------------


def mount(app: FastAPI) -> None:
    """Add the page "Turn files" to the application."""
    app.include_router(router)

    @app.get("/games/{game}/post", include_in_schema=False)
    def by_post(game: str, request: Request) -> HTMLResponse:
        """The page of turn files and of a seat's desk; for others in the game, where they hand in what was mailed to
        them."""
        hall = hall_of(request)
        try:
            seat = seat_in(request, game)
            if seat is None:
                raise UnknownGame("there is no such game here, or it is not yours to see")
            side = Side(seat.seat) if seat.seat in tuple(Side) else None
            with hall.holding(game) as live:
                public = live.game.header.setup.public
                ended = live.game.over or bool(live.closed)
                now = head_of(live.game, side, **_of_now(live, side, "")) if side else None
        except UnknownGame:
            missing = page("battle_missing.html")
            missing.status_code = 404
            return missing
        except Mustering:
            return HTMLResponse(status_code=303, headers={"location": f"/games/{game}/muster"})
        return page(
            "post.html",
            game=game,
            query=f"?as={request.query_params['as']}" if "as" in request.query_params else "",
            title=public.title,
            own_name=public.names[side] if side else "",
            mine=side is not None,
            head=now,
            file=file_name(now) if now else "",
            ended=ended,
            desk=Desks(hall).of(game, side) if side else None,
            most_notes=MOST_NOTEPAD,
            most_ahead=MOST_TEXT,
        )
