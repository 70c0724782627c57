"""What the set-up page and the muster page ask of the server: ships, a text read and changed, set-ups shared by link,
Warplanner files read.

The law here: a text is looked at and given back. Nothing is kept but what somebody shares, and nothing is ever carried out.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Request
from pydantic import Field
from sqlalchemy import func, insert, select
from starlette.exceptions import HTTPException

from flagplot.core.errors import GameError, PlayerError
from flagplot.scenarios.ships import all_ships
from flagplot.scenarios.warplanner import MOST_BYTES, as_told, read_file
from flagplot.web import asking, seats
from flagplot.web.bodies import Body
from flagplot.web.database import SETUPS
from flagplot.web.limits import Buckets, address_of
from flagplot.web.setup_outline import read, ship_facts
from flagplot.web.setup_text import Change, changed

SETUPS_AN_HOUR = 60
SETUPS_READ_A_MINUTE = 600  # the page asks after every pause in typing; reading the longest text takes half a second
MOST_SETUPS = 20_000

router = APIRouter(prefix="/api")


class SetupText(Body):
    """The text of a set-up, finished or not."""

    text: str = Field(max_length=200_000)


class SetupRead(SetupText):
    """The text of a set-up, finished or not, and the sides that will muster for themselves."""

    muster: list[Literal["axis", "allies"]] = Field(default_factory=list, max_length=2)


class SetupChange(Body):
    """A value for a place in the text; null takes away what is there. Places in lists are counted from 0."""

    path: list[Annotated[str, Field(max_length=80)] | Annotated[int, Field(ge=0, le=99)]] = Field(
        min_length=1, max_length=6
    )
    value: Any = None


class SetupChanges(SetupRead):
    """Changes to a text, one after another."""

    changes: list[SetupChange] = Field(min_length=1, max_length=40)


class WarplannerFile(Body):
    """A Warplanner game file, as text."""

    text: str = Field(max_length=MOST_BYTES)


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
def read_setup(body: SetupRead, request: Request) -> dict[str, Any]:
    """A set-up's text as the page shows it: whether it can be played, if not at which line and under which rule it
    fails, and an outline of what is in it. What the sides named in `muster` have in it is not judged."""
    not_too_often(request, 1)
    return read(body.text, body.muster)


@router.post("/setups/change")
def change_setup(body: SetupChanges, request: Request) -> dict[str, Any]:
    """The text with changes written into it, and what is then to be said of it."""
    not_too_often(request, len(body.changes))
    text = text_changed(body)
    return {"text": text, **read(text, body.muster)}


def text_changed(body: SetupChanges) -> str:
    """A text with changes written into it."""
    try:
        return changed(body.text, [Change(tuple(each.path), each.value) for each in body.changes])
    except PlayerError:
        raise
    except GameError as unreadable:
        raise PlayerError(f"the text has to be put right first: {unreadable}") from unreadable


def not_too_often(request: Request, cost: int) -> None:
    """Reading a text costs time: so many an address and minute."""
    wait = request.app.state.setups_read.take(address_of(request.scope), cost)
    if wait:
        raise asking.too_many("too many set-ups to read from your address: wait a little", wait)


@router.post("/setups", status_code=201)
def share(body: SetupText, request: Request) -> dict[str, str]:
    """Keep a set-up, so that it can be opened by its link."""
    wait = request.app.state.new_setups.take(address_of(request.scope))
    if wait:
        raise asking.too_many("too many set-ups from your address: wait a while, or download the text", wait)
    if not body.text.strip() or "\0" in body.text:
        raise PlayerError("there is no text to share")
    id = seats.new_id()
    with asking.hall_of(request).database.write() as connection:
        if connection.execute(select(func.count()).select_from(SETUPS)).scalar_one() >= MOST_SETUPS:
            raise HTTPException(507, "this server has no room for more set-ups: download the text and send it instead")
        connection.execute(insert(SETUPS).values(id=id, text=body.text.encode(), created=time.time()))
    return {"id": id, "address": f"{request.app.state.settings.address}/s/{id}"}


@router.get("/setups/{id}")
def shared(id: str, request: Request) -> dict[str, str]:
    """The text of a set-up that was shared."""
    return {"id": id, "text": shared_text(request, id)}


def shared_text(request: Request, id: str) -> str:
    """The text of a set-up that was shared."""
    with asking.hall_of(request).database.read() as connection:
        text = connection.execute(select(SETUPS.c.text).where(SETUPS.c.id == id)).scalar_one_or_none()
    if text is None:
        raise HTTPException(404, "there is no such set-up here")
    return bytes(text).decode()


@router.post("/warplanner")
def read_warplanner(body: WarplannerFile, request: Request) -> dict[str, Any]:
    """What is in a Warplanner game file: for each side the places where it has ships, submarines or aircraft, each with
    the tables a set-up would have for them, and what could not be placed. The file is not kept."""
    not_too_often(request, 4)
    return as_told(read_file(body.text, "the file"))


def mount(app: FastAPI) -> None:
    """Add these addresses to the application."""
    app.state.new_setups = Buckets(SETUPS_AN_HOUR, 3600.0)
    app.state.setups_read = Buckets(SETUPS_READ_A_MINUTE)
    app.include_router(router)
