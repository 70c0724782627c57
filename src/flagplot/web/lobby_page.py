"""The lobby, the set-up page, joining and seats: how people come to a game, and what they may do about their places in it.

A page here shows nothing of a game that its reader could not ask the API for; a game that is unknown and one that is
somebody else's look alike. Opening a page changes nothing: every seat is taken by a click (trust.md, link-2).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from msgspec import UNSET
from sqlalchemy import select
from starlette.exceptions import HTTPException

from flagplot.core.errors import GameError, UnknownName
from flagplot.core.sides import SIDES, Side
from flagplot.model.setup import Public
from flagplot.play.wording import listed
from flagplot.scenarios.loader import Scenario, list_scenarios, scenario_text
from flagplot.scenarios.maps import load_map
from flagplot.web import asking, setup_routes
from flagplot.web.asking import cookies_of, seats_held
from flagplot.web.database import GAMES
from flagplot.web.hall import Hall
from flagplot.web.pages import page
from flagplot.web.setup_outline import NOTHING, options, words

MOST_MY_GAMES = 40
MOST_LOOKED_AT = 12  # so many of one's own games are asked whether they wait; the others are only listed

# The battles by what is learnt in them.
HEADINGS = (
    "To begin with",
    "Carriers and aircraft",
    "Aircraft against ships on their way and in port",
    "Guns and torpedoes",
    "Operations: from harbour to battle and home",
    "The strategic war: submarines, bombers, convoys",
)
TO_BEGIN_WITH = ("river-plate", "denmark-strait", "calabria", "midway")

router = APIRouter(prefix="/api")


# -- pages -------------------------------------------------------------------------------------------


@cache
def battles() -> tuple[dict[str, Any], ...]:
    """The battles that come with the game, under their headings."""
    cards = [card(each) for each in list_scenarios()]
    names = [*TO_BEGIN_WITH, *(card["name"] for card in cards)]
    cards.sort(key=lambda card: names.index(card["name"]))
    found = [{"heading": each, "cards": [card for card in cards if card["heading"] == each]} for each in HEADINGS]
    return tuple(group for group in found if group["cards"])


def card(scenario: Scenario) -> dict[str, Any]:
    """What is said of a battle where one is chosen."""
    public = scenario.setup.public
    carriers = any(ship.is_carrier for side in scenario.setup.sides.values() for f in side.forces for ship in f.ships)
    ashore = any(air.bases for air in public.air.values())
    first = scenario.name in TO_BEGIN_WITH
    aircraft = (carriers or ashore) and public.kind == "naval battle"
    from_the_air = public.kind in ("air attack", "port attack")
    sails = public.kind == "operation"
    war = public.war
    place = 5 if war is not UNSET else 4 if sails else 0 if first else 1 if aircraft else 2 if from_the_air else 3
    return {
        "name": scenario.name,
        "title": public.title,
        "summary": public.summary,
        "heading": HEADINGS[place],
        "theatre": public.theatre,
        "kind": public.kind,
        "begun": "attacked" if from_the_air or public.kind == "submarine attack" else "intercepted",
        "operation": operation_in_words(public) if sails else "" if war is UNSET else f"{war.now.turn} to {war.last}",
        "order_of_battle": public.order_of_battle,
        "sides": [
            {"side": side.value, "name": public.names[side], "intercepts": side is public.interceptor} for side in Side
        ],
    }


def operation_in_words(public: Public) -> str:
    """What an operation is: which phases are played, who moves, and on what sea."""
    waters = public.operation
    assert waters is not UNSET
    phases = f"{listed(waters.phases)} {'phase' if len(waters.phases) == 1 else 'phases'}"
    sea = f"on our map, {load_map(waters.map).title}" if waters.map else "on a sea typed in, without a map"
    return f"{phases} · {public.names[waters.mover]} moves · {sea}"


def my_games(request: Request) -> list[dict[str, Any]]:
    """The games in which this browser has a seat, the newest first; of the newest, whether they wait for it."""
    hall = asking.hall_of(request)
    held = {game: seats_held(request, game) for game, _ in cookies_of(request)[-MOST_MY_GAMES:]}
    with hall.database.read() as connection:
        rows = connection.execute(select(GAMES).where(GAMES.c.id.in_(held))).mappings().all()
    told = []
    for place, row in enumerate(sorted(rows, key=lambda row: -row["created"])):
        id, mine = row["id"], held[row["id"]]
        if not mine:
            continue
        asked = not (row["over"] or row["closed"]) and place < MOST_LOOKED_AT and _waits_for(hall, id, mine)
        state = "over" if row["over"] else "closed" if row["closed"] else "your decision" if asked else "under way"
        state = "mustering" if state == "under way" and row["stage"] == "mustering" else state
        told.append(
            {
                "id": id,
                "title": row["title"],
                "seat": _seat_names(hall, id, mine),
                "state": state,
                "left": _time_left(hall, id, mine) if asked else "",
            }
        )
    return told


def _waits_for(hall: Hall, game: str, held: list[str]) -> bool:
    try:
        with hall.holding(game) as live:
            waiting = hall.clocks.questions(live)
            return any(SIDES[seat] in waiting for seat in held if seat in SIDES)
    except GameError:
        return False


def _time_left(hall: Hall, game: str, held: list[str]) -> str:
    """What the clock leaves whoever must decide here; "" without one."""
    told = [hall.clocks.told(game, SIDES[seat]) for seat in held if seat in SIDES]
    return next((each["mine"]["short"] for each in told if each["terms"] and each["mine"]["short"]), "")


def _seat_names(hall: Hall, game: str, held: list[str]) -> str:
    """The sides one plays; only for one who plays none, the other seats he holds."""
    sides = [seat for seat in held if seat in SIDES]
    try:
        names = hall.game(game).game.header.setup.public.names
        return " and ".join(names[SIDES[seat]] for seat in sides) or " and ".join(held)
    except GameError:
        return " and ".join(sides or held)


def new_page(text: str, *, scenario: str = "", shared: bool = False, missing: str = "") -> HTMLResponse:
    """The set-up page with a text in it; if what was asked for is missing, it says so and starts from nothing."""
    facts = {"text": text, "scenario": scenario, "shared": shared, "missing": missing, "nothing": NOTHING}
    answer = page("new.html", **facts, battles=battles(), options=options(), words=words())
    answer.status_code = 404 if missing else 200
    return answer


def mount(app: FastAPI) -> None:
    """Add the pages and what they ask the server to the application."""
    setup_routes.mount(app)
    app.include_router(router)

    @app.get("/", include_in_schema=False)
    def lobby(request: Request) -> HTMLResponse:
        """What can be played, and what is being played."""
        return page("lobby.html", battles=battles(), mine=my_games(request), listed=asking.hall_of(request).listed())

    @app.get("/new", include_in_schema=False)
    def set_up(scenario: str = "") -> HTMLResponse:
        """Set up a battle, from one that comes with the game or from nothing."""
        if not scenario:
            return new_page(NOTHING)
        try:
            return new_page(scenario_text(scenario).decode(), scenario=scenario)
        except UnknownName as unknown:
            return new_page(NOTHING, missing=str(unknown))

    @app.get("/s/{id}", include_in_schema=False)
    def shared_setup(id: str, request: Request) -> HTMLResponse:
        """Set up a battle from a text that somebody shared."""
        try:
            return new_page(setup_routes.shared_text(request, id), shared=True)
        except HTTPException as unknown:
            return new_page(NOTHING, missing=str(unknown.detail))
