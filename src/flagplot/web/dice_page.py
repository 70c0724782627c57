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

from flagplot.core.errors import GameError, PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, Linked, Opened, Rolled, Typed
from flagplot.play.fair_dice import PAGE, FairDice, Terms, commitments, is_revealed, shares
from flagplot.play.strict_dice import StrictDice, released
from flagplot.web.asking import cookies_of, hall_of, player, seats_held, shown, too_many
from flagplot.web.bodies import Body
from flagplot.web.database import DICE, GAMES, SEATS
from flagplot.web.hall import Hall, LiveGame
from flagplot.web.limits import Buckets
from flagplot.web.pages import page

MOST_LISTED = 200
A_DAY = 24 * 3600.0
MOST_FAILED = 3  # starts that came to nothing, a day
MOST_LOOKED_AT = 20
NOT_AGAIN = (
    "three games with fair dice that you were bound to were given up before their first roll within a day: look at the list "
    "of starts, and begin no other until tomorrow"
)
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


class Link(Body):
    """The next link of a side's chain."""

    id: DecisionId
    link: Digits


class RealDice(Body):
    """Real dice as a side read them."""

    id: DecisionId
    dice: list[Annotated[int, Field(ge=1, le=6)]] = Field(min_length=1, max_length=100)


@router.post("/games/{game}/dice/commit")
def commit(game: str, body: Commitment, request: Request) -> dict[str, Any]:
    """Bind your side to its share of fair dice, or to its chain of strict ones. It may be replaced until both sides are
    bound."""
    side = player(request, game)
    _not_again_and_again(request, game)

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


@router.post("/games/{game}/dice/link")
def release_link(game: str, body: Link, request: Request) -> dict[str, Any]:
    """Release the next link of your side's chain, for the roll that is due."""
    side = player(request, game)

    def line(live: LiveGame) -> Linked:
        _fair(live)
        return Linked(side.value, body.link)

    def is_done(live: LiveGame) -> bool:
        return body.link in released(live.game.dice_lines)[side.value]

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


def _not_again_and_again(request: Request, game: str) -> None:
    """Whoever has seen three games with fair dice given up before their first roll within a day begins no fourth."""
    mine = {id for id, seat in cookies_of(request) if seat in SIDES and id != game}
    hall, since = hall_of(request), time.time() - A_DAY
    closed = and_(DICE.c.game.in_(mine), DICE.c.made > since, GAMES.c.closed != "", GAMES.c.over.is_(False))
    with hall.database.read() as connection:
        wanted = select(DICE.c.game, DICE.c.made).join(GAMES, GAMES.c.id == DICE.c.game).where(closed)
        rows = connection.execute(wanted.order_by(DICE.c.made.desc()).limit(MOST_LOOKED_AT)).all()
    failed = [row.made for row in rows if _came_to_nothing(hall, row.game)]
    if len(failed) >= MOST_FAILED:
        raise too_many(NOT_AGAIN, failed[MOST_FAILED - 1] - since)


def _came_to_nothing(hall: Hall, id: str) -> bool:
    try:
        with hall.holding(id) as live:
            return live.game.draws == 0 and len(commitments(live.game.dice_lines)) == len(SIDES)
    except GameError:
        return False


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
            if header.dice == StrictDice.name:
                told["links"] = released(lines)
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
