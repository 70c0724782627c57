"""Mustering: each side enters its own forces in private; when all are ready, the battle begins.

The other side, the host and whoever else may look learn one thing of a side that musters: ready, or not ready. Its text
is stored at its own seat and shown to no other; until both are ready it may still be opened again (22.423B). The last
"ready" seals the muster and begins the battle in one transaction: either both happen, or neither.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, Unpack

import msgspec
from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy import Connection, and_, case, delete, insert, select, update

from flagplot.core.errors import GameError, IllegalChoice, PlayerError, ScenarioError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.editions.current import ruleset
from flagplot.play.game import Game
from flagplot.scenarios.loader import scenario_text
from flagplot.web import asking
from flagplot.web.database import GAMES, MUSTERS
from flagplot.web.dice_keeping import keep_secrets, new_dice
from flagplot.web.hall import (
    NOT_STORED,
    Created,
    GameClosed,
    Hall,
    LiveGame,
    PublicSettings,
    Unavailable,
    UnknownGame,
)
from flagplot.web.muster_text import Template, check_own, read_own, restored, scenario_of, stored, template_of
from flagplot.web.pages import page
from flagplot.web.seats import invite, new_id
from flagplot.web.setup_outline import words
from flagplot.web.setup_routes import SetupChanges, SetupText, not_too_often, text_changed

router = APIRouter(prefix="/api")

BEGUN = "the battle has begun: what you mustered is in it"


class Sealing(SetupText):
    """A side's own forces, to be sealed, or to be opened again."""

    ready: bool = Field(description="true seals the text as it is sent; false opens it again, the text sent is ignored")


class Muster(NamedTuple):
    """A game whose sides muster, and what its seats have written so far."""

    id: str
    template: Template
    players: dict[str, str]
    title: str
    closed: str
    texts: dict[str, str]
    ready: dict[str, bool]

    def state(self) -> dict[str, str]:
        """All that is told of a side: ready, or not. A bot is."""
        return {side: "ready" if self.ready.get(side, True) else "not ready" for side in SIDES}


# -- the muster ------------------------------------------------------------------------------------


@contextmanager
def _storing(hall: Hall) -> Iterator[Connection]:
    """One transaction: all of it, or nothing."""
    try:
        with hall.database.write() as connection:
            yield connection
    except GameError:
        raise
    except Exception as trouble:
        raise Unavailable(NOT_STORED) from trouble


def open_muster(
    hall: Hall,
    text: str,
    *,
    scenario: str,
    options: Mapping[str, str],
    players: Mapping[Side, str],
    referee: bool = False,
    dice: str = "system",
    **public: Unpack[PublicSettings],
) -> Created:
    """A new game whose sides still muster: its seats and invitations are there, its battle is not."""
    people = [side.value for side in Side if players[side] == "person"]
    if not people:
        raise PlayerError("bots bring what the set-up gives them: at least one side must be a person's to muster")
    template, texts = template_of(text, people, scenario)
    template = msgspec.structs.replace(
        template, tables={**template.tables, "options": {**template.tables.get("options", {}), **options}}, dice=dice
    )
    ruleset(template.edition(), template.tables["options"])  # options that are none are refused now, not later
    id, invitations = new_id(), {}
    with _storing(hall) as connection:
        connection.execute(
            insert(GAMES).values(
                id=id,
                header=b"",
                title=str(template.tables.get("title", ""))[:200],
                created=time.time(),
                lines=0,
                players=json.dumps({side.value: players[side] for side in Side}),
                over=False,
                closed="",
                **public,
                stage="mustering",
                template=stored(template),
            )
        )
        for side in people:
            connection.execute(insert(MUSTERS).values(game=id, seat=side, text=texts[side].encode(), ready=False))
        for seat in (*people, *(["referee"] if referee else []), "host"):
            invitations[seat] = invite(connection, id, seat)
    return Created(id, invitations)


class Wanted(Protocol):
    """What is said of a game to be made (app.NewGame)."""

    scenario: str
    text: str
    axis: Any
    allies: Any
    options: dict[str, str]
    order_of_battle: Any
    listed: bool
    spectators: bool
    spectator_delay: int
    odds: bool
    referee: bool
    hot_seat: bool
    dice: Any


def muster_of(hall: Hall, wanted: Wanted) -> Created:
    """A game for sides that muster, as it was asked for."""
    if wanted.order_of_battle == "open":
        raise PlayerError(
            "in an open order of battle there is nothing to muster in private; let it be hidden (22.423B)"
        )
    players = {Side.AXIS: wanted.axis, Side.ALLIES: wanted.allies}
    return open_muster(
        hall,
        wanted.text or scenario_text(wanted.scenario or "denmark-strait").decode(),
        scenario="" if wanted.text else wanted.scenario or "denmark-strait",
        options=wanted.options,
        players=dict.fromkeys(Side, "person") if wanted.hot_seat else players,
        listed=wanted.listed,
        spectators=wanted.spectators,
        spectator_delay=wanted.spectator_delay,
        odds=wanted.odds,
        referee=wanted.referee,
        dice=wanted.dice,
    )


def find(connection: Connection, id: str, texts: Collection[str] = (), *, to_change: bool = False) -> Muster | None:
    """A muster as it is stored; None if the battle has begun. Only the texts of these seats are read: how long another's
    is must not be felt. To be changed, it is held until the transaction ends."""
    wanted = select(GAMES).where(GAMES.c.id == id)
    row = connection.execute(wanted.with_for_update() if to_change else wanted).mappings().one_or_none()
    if row is None:
        raise UnknownGame("there is no such game here, or it is not yours to see")
    if row["stage"] != "mustering":
        return None
    mine = case((MUSTERS.c.seat.in_(texts), MUSTERS.c.text), else_=None).label("text")
    rows = (
        connection.execute(select(MUSTERS.c.seat, MUSTERS.c.ready, mine).where(MUSTERS.c.game == id)).mappings().all()
    )
    return Muster(
        id,
        restored(bytes(row["template"])),
        json.loads(row["players"]),
        row["title"],
        row["closed"],
        {each["seat"]: bytes(each["text"]).decode() for each in rows if each["text"] is not None},
        {each["seat"]: bool(each["ready"]) for each in rows},
    )


def _open_to(muster: Muster | None, side: str) -> Muster:
    """A muster that this side may still change."""
    if muster is None:
        raise StaleRequest(BEGUN)
    if muster.closed:
        raise GameClosed(f"the game has been closed: {muster.closed}")
    if muster.ready[side]:
        raise StaleRequest("you have said that you are ready: open your muster again before you change it")
    return muster


def keep(hall: Hall, id: str, side: str, text: str) -> Template:
    """Keep a side's text as it is now, finished or not."""
    with _storing(hall) as connection:
        muster = _open_to(find(connection, id, to_change=True), side)
        _keep(connection, id, side, text)
    return muster.template


def _keep(connection: Connection, id: str, side: str, text: str, *, ready: bool = False) -> None:
    mine = and_(MUSTERS.c.game == id, MUSTERS.c.seat == side)
    connection.execute(update(MUSTERS).where(mine).values(text=text.encode(), ready=ready))


def seal(hall: Hall, id: str, side: str, text: str) -> bool:
    """A side is ready with this text. Whether the battle has begun with it, or had before."""
    begun: LiveGame | None = None
    with _storing(hall) as connection:
        muster = find(connection, id, SIDES, to_change=True)
        if muster is None:
            return True  # sent again, after the answer was lost
        if muster.ready[side] and muster.texts[side] == text:
            return False
        _open_to(muster, side)
        try:
            check_own(muster.template, side, text)
        except ScenarioError as refusal:
            raise IllegalChoice(refusal.rule or "set-up", f"{refusal.place}: {refusal.reason}") from refusal
        _keep(connection, id, side, text, ready=True)
        if all(ready for seat, ready in muster.ready.items() if seat != side):
            begun = _begin(hall, connection, muster, {**muster.texts, side: text})
    if begun is None:
        return False
    begun.stored = len(begun.game.journal)
    return True


def _begin(hall: Hall, connection: Connection, muster: Muster, texts: Mapping[str, str]) -> LiveGame:
    """Make the battle of what both sides bring, in the transaction that seals the last muster."""
    scenario = scenario_of(muster.template, texts)
    players = {SIDES[side]: who for side, who in muster.players.items()}
    game = Game.new(
        scenario.setup,
        scenario=scenario.name,
        edition=scenario.edition,
        options=scenario.options,
        people=[side for side in Side if players[side] == "person"],
        dice=new_dice(muster.template.dice, muster.id),
    )
    live = LiveGame(muster.id, game, players, 0, "")
    hall.go_on(live)
    here = and_(GAMES.c.id == muster.id, GAMES.c.stage == "mustering")
    made = update(GAMES).where(here).values(header=msgspec.json.encode(game.header), stage="playing", template=None)
    if connection.execute(made.values(over=game.over)).rowcount != 1:
        raise StaleRequest(BEGUN)
    connection.execute(delete(MUSTERS).where(MUSTERS.c.game == muster.id))
    keep_secrets(connection, game)
    hall.append(connection, live, None)
    return live


def unseal(hall: Hall, id: str, side: str) -> None:
    """A side is not ready after all; it may say so until the other is ready too."""
    with _storing(hall) as connection:
        muster = find(connection, id, (side,), to_change=True)
        if muster is None:
            raise StaleRequest(BEGUN)
        if muster.closed:
            raise GameClosed(f"the game has been closed: {muster.closed}")
        _keep(connection, id, side, muster.texts[side])


def close_muster(hall: Hall, id: str, seat: str, why: str) -> bool:
    """Close a game whose sides still muster; False if they do not."""
    with hall.database.read() as connection:
        if find(connection, id) is None:
            return False
    with _storing(hall) as connection:
        muster = find(connection, id, to_change=True)
        if muster is None:
            return False
        if muster.closed:
            raise GameClosed(f"the game has been closed: {muster.closed}")
        sides = muster.template.sides
        who = f"{sides[seat]['name']} resigns" if seat in SIDES else "closed by the host"
        connection.execute(update(GAMES).where(GAMES.c.id == id).values(closed=f"{who}: {why}"[:200] if why else who))
    return True


# -- addresses ---------------------------------------------------------------------------------------


@router.get("/games/{game}/muster")
def look(game: str, request: Request) -> dict[str, Any]:
    """A game whose sides still muster: what everyone knows, who is ready, and your own forces if you play."""
    side = asking.audience(request, game)
    hall = asking.hall_of(request)
    with hall.database.read() as connection:
        muster = find(connection, game, (side.value,) if side else ())
    if muster is None:
        return {"stage": "playing", "address": f"/games/{game}"}
    seat = asking.seat_in(request, game)
    tables, sides = muster.template.tables, muster.template.sides
    mover = tables.get("mover", "")
    told: dict[str, Any] = {
        "stage": "mustering",
        "title": muster.title,
        "summary": tables.get("summary", ""),
        "theatre": tables["theatre"],
        "kind": tables.get("kind", "naval battle"),
        "interceptor": SIDES[mover].enemy.value if mover else tables["interceptor"],
        "mover": mover,
        "ports": {name: [port["name"] for port in sides[name].get("port", [])] for name in SIDES},
        "round": tables.get("round", 1),
        "edition": muster.template.edition(),
        "options": tables.get("options", {}),
        "names": {name: sides[name]["name"] for name in SIDES},
        "players": muster.players,
        "nations": muster.template.nations,
        "state": muster.state(),
        "closed": muster.closed,
        "seat": seat.seat if seat else "",
        "host": seat is not None and seat.seat == "host",
        "seats": hall.seats(game),
        "held": asking.seats_held(request, game),
        "notes": hall.notes(game),
        "over": False,
        "own": None,
    }
    if side is not None:
        not_too_often(request, 1)
        text = muster.texts[side.value]
        told["own"] = {"text": text, **read_own(muster.template, side.value, text)}
    return told


@router.get("/games/{game}/muster/state")
def who_is_ready(game: str, request: Request) -> dict[str, Any]:
    """Whether the sides still muster, and which is ready."""
    asking.audience(request, game)
    with asking.hall_of(request).database.read() as connection:
        muster = find(connection, game)
    if muster is None:
        return {"stage": "playing", "state": {}, "closed": ""}
    return {"stage": "mustering", "state": muster.state(), "closed": muster.closed}


@router.post("/games/{game}/muster")
def keep_own(game: str, body: SetupText, request: Request) -> dict[str, Any]:
    """Keep your forces as they are now, finished or not. The answer says whether they will do, and if not where and
    under which rule not."""
    side = asking.player(request, game).value
    not_too_often(request, 1)
    return read_own(keep(asking.hall_of(request), game, side, body.text), side, body.text)


@router.post("/games/{game}/muster/change")
def change_own(game: str, body: SetupChanges, request: Request) -> dict[str, Any]:
    """Your own text with changes written into it, kept, and what is then to be said of it."""
    side = asking.player(request, game).value
    not_too_often(request, len(body.changes))
    text = text_changed(body)
    return {"text": text, **read_own(keep(asking.hall_of(request), game, side, text), side, text)}


@router.post("/games/{game}/muster/ready")
def ready(game: str, body: Sealing, request: Request) -> dict[str, Any]:
    """Say that you are ready, or that you are not after all. When all are ready, the battle begins."""
    side = asking.player(request, game).value
    hall = asking.hall_of(request)
    if not body.ready:
        unseal(hall, game, side)
        return {"ready": False, "stage": "mustering"}
    not_too_often(request, 1)
    return {"ready": True, "stage": "playing" if seal(hall, game, side, body.text) else "mustering"}


def mount(app: FastAPI) -> None:
    """Add the page and what it asks the server to the application."""
    app.include_router(router)

    @app.get("/games/{game}/muster", include_in_schema=False)
    def muster_page(game: str) -> HTMLResponse:
        """Enter one's own forces in private. The page is the same for everyone; what is in it comes to each seat alone."""
        return page("muster.html", game=game, words=words())
