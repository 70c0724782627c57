"""Sides' parts in the dice: commitments and shares from their pages, real dice as they read them; and the public list of
what the host was ever bound to, which shows games that were begun again.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy import and_, select

from flagplot.core.errors import PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Opened, Rolled, Typed
from flagplot.play.fair_dice import PAGE, FairDice, Terms, commitments, is_revealed, shares
from flagplot.web.asking import hall_of, player, seats_held, shown, too_many
from flagplot.web.bodies import Body
from flagplot.web.database import DICE, GAMES, SEATS
from flagplot.web.hall import Hall, LiveGame
from flagplot.web.limits import Buckets
from flagplot.web.pages import page

MOST_LISTED = 200
MOST_A_MINUTE = 60  # times a side may type dice
DecisionId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Digits = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

router = APIRouter(prefix="/api")


class Commitment(Body):
    """A side binds itself to its share; without a commitment the server draws one for it, and says so."""

    id: DecisionId
    commitment: Digits | None = None


class Share(Body):
    """A side's share, opened."""

    id: DecisionId
    share: Digits


class RealDice(Body):
    """Real dice as a side read them."""

    id: DecisionId
    dice: list[Annotated[int, Field(ge=1, le=6)]] = Field(min_length=1, max_length=100)


@router.post("/games/{game}/dice/commit")
def commit(game: str, body: Commitment, request: Request) -> dict[str, Any]:
    """Bind your side to its share of fair dice. It may be replaced until both sides are bound."""
    side = player(request, game)

    def line(live: LiveGame) -> Committed:
        source = _fair(live)
        if body.commitment is None:
            return source.commitment_for(side)
        return Committed(side.value, body.commitment, PAGE)

    def is_done(live: LiveGame) -> bool:
        mine = commitments(live.game.dice_lines).get(side.value)
        return mine is not None and mine.commitment == body.commitment

    return _take_part(hall_of(request), game, side, body.id, line, is_done)


@router.post("/games/{game}/dice/open")
def open_share(game: str, body: Share, request: Request) -> dict[str, Any]:
    """Open your side's share, after both sides have committed to theirs."""
    side = player(request, game)

    def line(live: LiveGame) -> Opened:
        _fair(live)
        return Opened(side.value, body.share)

    def is_done(live: LiveGame) -> bool:
        return shares(live.game.dice_lines).get(side.value) == body.share

    return _take_part(hall_of(request), game, side, body.id, line, is_done)


@router.post("/games/{game}/dice/typed")
def type_dice(game: str, body: RealDice, request: Request) -> dict[str, Any]:
    """Type real dice for the roll that is due. They count when everybody who plays has typed the same."""
    side = player(request, game)
    wait = request.app.state.typed_dice.take(f"{game} {side.value}")
    if wait:
        raise too_many("dice were typed often enough for a minute: talk to the other side about what they show", wait)
    both = side.enemy.value in seats_held(request, game)

    def line(live: LiveGame) -> Typed:
        if both and side.enemy in live.people:  # one screen: both have seen them
            live.game.record(Typed(side.enemy.value, body.dice))
        return Typed(side.value, body.dice)

    return _take_part(hall_of(request), game, side, body.id, line)


def _fair(live: LiveGame) -> FairDice:
    if not isinstance(live.game.dice, FairDice):
        raise PlayerError("the dice of this game need nobody's share")
    return live.game.dice


def _take_part(
    hall: Hall,
    id: str,
    side: Side,
    decision: str,
    line: Any,
    is_done: Any = lambda live: False,
) -> dict[str, Any]:
    """Store a side's part in the dice, once, and let the game go on from there."""

    def take(live: LiveGame) -> dict[str, Any]:
        if is_done(live):
            return {"ok": True}
        if live.game.over:
            raise StaleRequest("the battle is over: no more dice are rolled")
        live.game.record(line(live))
        return hall.commit(live, side, decision, "")

    return hall.once(id, decision, side, take)


# -- the proof of a game that was closed, and the list ---------------------------------------------------


@router.get("/games/{game}/dice")
def proof(game: str, request: Request) -> dict[str, Any]:
    """What everybody was bound to and, when the game has ended, all that was opened and every die that fell."""
    with shown(request, game) as seen:
        header, lines = seen.live.game.header, seen.live.game.dice_lines
        if not isinstance(header.fair, Terms):
            raise PlayerError("nobody is bound to the dice of this game")
        opened = shares(lines)
        told: dict[str, Any] = {
            "edition": header.edition,
            "fair": {name: getattr(header.fair, name) for name in Terms.__struct_fields__},
            "commitments": {who: each.commitment for who, each in commitments(lines).items()},
            "drawn_by": {who: each.by for who, each in commitments(lines).items()},
            "shares": opened if len(opened) == len(SIDES) else {},
        }
        if is_revealed(lines):
            last = lines[-1]
            told["halves"] = {"axis": getattr(last, "axis", ""), "allies": getattr(last, "allies", "")}
            rolls = [line for line in seen.live.game.journal if isinstance(line, Rolled)]
            told["rolls"] = [{"draw": line.draw, "dice": line.dice} for line in rolls]
    return told


def starts(hall: Hall) -> list[dict[str, Any]]:
    """What the host was ever bound to, the newest first: when, with whom, and what became of it."""
    with hall.database.read() as connection:
        rows = connection.execute(
            select(DICE.c.game, DICE.c.bound, DICE.c.made, GAMES.c.over, GAMES.c.closed)
            .select_from(DICE.outerjoin(GAMES, GAMES.c.id == DICE.c.game))
            .order_by(DICE.c.made.desc())
            .limit(MOST_LISTED)
        ).all()
        wanted = and_(SEATS.c.game.in_([row.game for row in rows]), SEATS.c.seat.in_(SIDES))
        seats = connection.execute(select(SEATS.c.game, SEATS.c.seat, SEATS.c.name).where(wanted)).all()
    names = {(seat.game, seat.seat): seat.name for seat in seats}
    return [
        {
            "bound": row.bound,
            "made": time.strftime("%Y-%m-%d %H:%M", time.gmtime(row.made)),
            "names": [names.get((row.game, side), "") for side in SIDES],
            "state": "removed" if row.over is None else "over" if row.over else "closed" if row.closed else "not over",
        }
        for row in rows
    ]


def mount(app: FastAPI) -> None:
    """Add the parts of sides in the dice, and the list."""
    app.state.typed_dice = Buckets(MOST_A_MINUTE)
    app.include_router(router)

    @app.get("/dice", include_in_schema=False)
    def listed(request: Request) -> HTMLResponse:
        """What the host was ever bound to."""
        return page("dice.html", starts=starts(hall_of(request)))
