"""Odds and advice on pages: beside a decision of a battle, from what that side knows; and odds of any scenario on a page of
their own.

The law here: what a side is told is built from its own picture under the game's lock and fought elsewhere (odds_jobs.py);
no address here sees the truth of a game. The page of its own knows no game at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field
from sqlalchemy import select
from starlette.exceptions import HTTPException

from flagplot.api.battle_advice import advised, beside, world_to_advise
from flagplot.api.battle_odds import two_doctrines, world_of_game, world_of_setup
from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.doctrine import MOST, MOST_NUMBER, Doctrine, checked
from flagplot.editions.current import EDITIONS
from flagplot.odds.choices import KINDS, choices
from flagplot.odds.drawing import drawing
from flagplot.odds.sampling import WIDTH
from flagplot.odds.what_if import without
from flagplot.odds.worlds import LARGER, NAVAL_BATTLE, NoOdds
from flagplot.scenarios.loader import Scenario, parse_scenario, shipped_scenario
from flagplot.web.asking import hall_of, player
from flagplot.web.bodies import Body
from flagplot.web.database import GAMES
from flagplot.web.hall import Hall, LiveGame, version
from flagplot.web.limits import address_of
from flagplot.web.lobby_page import battles, card
from flagplot.web.odds_jobs import Looked, OddsJobs
from flagplot.web.odds_worker import Advice, Question
from flagplot.web.pages import TEMPLATES, page
from flagplot.web.setup_outline import options
from flagplot.web.setup_routes import not_too_often, shared_text

MOST_BELIEF = 20_000  # letters
PAGES = "page"  # those who ask without a game share a process
PAGE_PLACES = 4
SWITCHED_OFF = "odds are switched off in this game: so it was made"
NOT_HERE = "this server gives no odds"

Numbers = Annotated[dict[str, int], Field(default_factory=dict, max_length=len(Doctrine._fields))]
Lines = Annotated[list[Annotated[str, Field(max_length=100)]], Field(default_factory=list, max_length=40)]

T = TypeVar("T")

router = APIRouter(prefix="/api")


class GameOdds(Body):
    """What is to be reckoned with: what hidden groups hold ("" = what anybody would believe), lines to be left out, and
    the numbers of the two doctrines where they are not the admiral's."""

    belief: str = Field("", max_length=MOST_BELIEF)
    leave_out: Lines
    own: Numbers
    enemy: Numbers


class GameAdvice(Body):
    """What is to be reckoned with, as for odds; and what counts: to win, or the enemy's factors sunk less one's own."""

    belief: str = Field("", max_length=MOST_BELIEF)
    own: Numbers
    enemy: Numbers
    value: Literal["win", "factors"] = "win"


class Gone(Body):
    """Which page has gone."""

    page: str = Field("", max_length=40, pattern=r"^[\w-]*$")


class ScenarioOdds(GameOdds):
    """The same of a scenario, or of a set-up that was shared, as a side knows it or, without a side, as it is; `page` tells
    one page from another, and with `drawing` the answer so far comes as a picture, too."""

    scenario: str = Field("", max_length=100)
    setup: str = Field("", max_length=40, pattern=r"^[\w-]*$", description="A shared set-up, in place of a scenario.")
    edition: str = Field("", max_length=20, description="Of the rules; the scenario's unless said.")
    options: dict[str, str] = Field(default_factory=dict, max_length=40, description="Rulings to go by.")
    side: Literal["", "axis", "allies"] = ""
    width: float = Field(WIDTH, ge=0.001, le=0.2)
    seed: int = Field(0, ge=0, le=2**53)
    page: str = Field("", max_length=40, pattern=r"^[\w-]*$")
    drawing: bool = False


@router.post("/games/{game}/odds")
def odds_of_game(game: str, body: GameOdds, request: Request) -> Response:
    """The odds of the battle as you know it, better from look to look while you look: `state` is running, done, busy, off
    or none (then `why` says why); `mark` names the question, so that two looks can be held together."""
    side, jobs = player(request, game), jobs_of(request)
    doctrines = two_doctrines(side, checked(body.own), checked(body.enemy))

    def put(live: LiveGame) -> Question:
        world, belief = world_of_game(live.game, side)  # before what was written is looked at: there may be none at all
        if body.belief:
            world, belief = _written(lambda: world_of_game(live.game, side, body.belief))
        _written(lambda: without(world, body.leave_out))
        return Question(world, belief, doctrines, tuple(body.leave_out), 0, WIDTH, jobs.most, jobs.seconds, side=side)

    return _beside_a_decision(request, game, side, (body.belief, *_asked(body)), put)


@router.post("/games/{game}/advice")
def advice_of_game(game: str, body: GameAdvice, request: Request) -> Response:
    """What to choose in the question now open to you, better from look to look while you look: the shares of a mixture the
    enemy cannot exploit, its worth, what each choice costs, and how sure that is. Else as for odds."""
    side, jobs = player(request, game), jobs_of(request)
    doctrines = two_doctrines(side, checked(body.own), checked(body.enemy))

    def put(live: LiveGame) -> Question:
        kind = advised(live.game, side).kind
        world, belief = world_to_advise(live.game, side, "", doctrines)
        found = choices(world, side, kind)
        if body.belief:
            world, belief = _written(lambda: world_to_advise(live.game, side, body.belief, doctrines))
        asked = Advice(side, kind, body.value, jobs.pairs, beside(live.game, side, doctrines[side], found))
        return Question(world, belief, doctrines, (), 0, WIDTH, jobs.most, jobs.seconds, asked)

    asked = (
        "advice",
        body.value,
        body.belief,
        tuple(sorted(body.own.items())),
        tuple(sorted(body.enemy.items())),
    )
    return _beside_a_decision(request, game, side, asked, put)


@router.post("/games/{game}/odds/stop", status_code=204)
def stop_of_game(game: str, request: Request) -> Response:
    """You look at odds or advice no longer: nothing more is fought for you."""
    jobs_of(request).stop((game, player(request, game)))
    return Response(status_code=204)


def _beside_a_decision(
    request: Request, game: str, side: Side, asked: tuple[object, ...], put: Callable[[LiveGame], Question]
) -> Response:
    """Look at what a side asks of its game."""
    hall, jobs = hall_of(request), jobs_of(request)
    if not gives_odds(hall, game):
        return _said(Looked("off", why=SWITCHED_OFF))
    if not jobs.workers:
        return _said(Looked("off", why=NOT_HERE))
    with hall.holding(game) as live:
        if live.closed:
            return _said(Looked("none", why="the game has been closed"))
        # What this side has been told, and nothing else: a decision the enemy keeps to himself changes no question.
        mark = (side.value, version(live, side), *asked)
        key = (game, *mark)
        question = None
        if not jobs.knows(key):
            try:
                question = put(live)
            except NoOdds as none:
                return _said(Looked("none", why=str(none)))
    return _said(jobs.ask(key, (game, side), question, whose=side.value, mark=mark))


class _Refused(PlayerError):
    """Something a player wrote will not do."""


def _written(reckon: Callable[[], T]) -> T:
    """What a player wrote is refused; that there are no odds is an answer."""
    try:
        return reckon()
    except NoOdds as refusal:
        raise _Refused(str(refusal)) from None


@router.post("/odds")
def odds_of_scenario(body: ScenarioOdds, request: Request) -> Response:
    """The odds of a scenario between two doctrines, better from look to look while you look."""
    jobs = jobs_of(request)
    if not jobs.workers:
        return _said(Looked("off", why=NOT_HERE))
    by = (body.edition, tuple(sorted(body.options.items())))
    mark = (body.scenario, body.setup, *by, body.side, body.width, body.seed, body.belief, *_asked(body))
    asker = _page(body.page, request)
    key = (*asker, *mark)
    question = None
    if not jobs.knows(key):
        side = SIDES.get(body.side)
        doctrines = two_doctrines(side, checked(body.own), checked(body.enemy))
        found = _battle(body.scenario, body.setup, request)
        edition, options = body.edition or found.edition, {**found.options, **body.options}
        world, belief = world_of_setup(
            found.setup, edition, options, side=side, belief=body.belief, doctrines=doctrines
        )
        without(world, body.leave_out)
        question = Question(
            world, belief, doctrines, tuple(body.leave_out), body.seed, body.width, jobs.most, jobs.seconds, side=side
        )
    looked = jobs.ask(key, asker, question, whose=PAGES, mark=mark, places=PAGE_PLACES)
    return _said(looked, drawing(json.loads(looked.answer)) if body.drawing and looked.answer else "")


def _battle(scenario: str, setup: str, request: Request) -> Scenario:
    """A battle that comes with the game, or one that somebody has set up and shared."""
    if setup:
        not_too_often(request, 1)
        return parse_scenario(shared_text(request, setup), "the set-up")
    if not scenario:
        raise PlayerError("of which battle? name a scenario, or a set-up that was shared")
    return shipped_scenario(scenario)


@router.post("/odds/stop", status_code=204)
def stop_of_page(body: Gone, request: Request) -> Response:
    """A page of odds is looked at no longer."""
    jobs_of(request).stop(_page(body.page, request))
    return Response(status_code=204)


def _page(name: str, request: Request) -> tuple[str, str]:
    """Who asks without a game: a page by the name it gave itself, or whoever is at an address."""
    return PAGES, name or address_of(request.scope)


def _asked(body: GameOdds) -> tuple[object, ...]:
    return tuple(body.leave_out), tuple(sorted(body.own.items())), tuple(sorted(body.enemy.items()))


def _said(looked: Looked, picture: str = "") -> Response:
    """The answer is JSON already: it is passed on as it came."""
    told = {"state": looked.state, "why": looked.why, "mark": looked.mark} | ({"drawing": picture} if picture else {})
    content = json.dumps(told).encode()[:-1] + b', "answer": ' + (looked.answer or b"null") + b"}"
    return Response(content, media_type="application/json")


def jobs_of(request: Request) -> OddsJobs:
    """The questions of this server."""
    jobs: OddsJobs = request.app.state.odds
    return jobs


def gives_odds(hall: Hall, game: str) -> bool:
    """Whether the players of a game may ask for odds."""
    with hall.database.read() as connection:
        return bool(connection.execute(select(GAMES.c.odds).where(GAMES.c.id == game)).scalar_one_or_none())


def advice_on(live: LiveGame, side: Side) -> str:
    """On what a side may ask for advice now, in words; "" where there is none, or nothing to choose."""
    decision = live.game.decision(side)
    naval = live.game.picture(side).battle.kind == NAVAL_BATTLE
    if decision is None or decision.kind not in KINDS or not naval or live.closed:
        return ""
    return KINDS[decision.kind] if decision.form.sole_answer() is None else ""


# -- the page of its own --------------------------------------------------------------------------------


class Number(NamedTuple):
    """A number of a doctrine as the page asks for it."""

    name: str
    words: str
    unit: str
    usual: int
    most: int


WORDS: Mapping[str, tuple[str, str]] = {
    "evade_percent": ("carriers and cargo evade an enemy with this part of their own guns, or more", "%"),
    "engage_percent": ("a second fight is sought with this part of the enemy's guns, or more", "%"),
    "withdraw_percent": ("break off when the enemy has more than this part of our strength", "%"),
    "withdraw_margin": ("and so many guns beside", "guns"),
    "long_battle": ("an even fight is not worth going on with after so many rounds", "rounds"),
    "long_battle_percent": ("go on then only with this part of the enemy's strength", "%"),
    "last_round": ("nobody goes on after this round", "round"),
    "squadron_guns": ("a squadron that can attack ships is worth so many guns", "guns"),
    "hidden_guns": ("a group nobody has seen is taken to have so many", "guns"),
    "small_guns": ("and one known to be under ten factors so many", "guns"),
    "carrier_air": ("a carrier of unknown size is taken to have so many squadrons", "squadrons"),
    "screen_percent": ("light ships of a weaker navy are screened if they are at most this part of all", "%"),
    "light_fire_percent": ("light ships fire at light ships that are at least this part of their number", "%"),
    "patrol": ("patrol over each group with carriers", "squadrons"),
    "patrol_always_until": ("patrol whatever is known of the enemy, up to this round", "round"),
    "shore_air_feared": ("more land-based squadrons than this call for patrols", "squadrons"),
    "searching": ("land-based air that searches", "squadrons"),
    "strike": ("a strike has at most so many", "squadrons"),
    "carrier_worth": ("a carrier makes a group worth striking or covering like so many guns", "guns"),
    "cargo_worth": ("and cargo like so many", "guns"),
}
SECTIONS = (
    ("Fighting and breaking off", tuple(WORDS)[:7]),
    ("What strength is taken to be", tuple(WORDS)[7:11]),
    ("Guns", tuple(WORDS)[11:13]),
    ("Aircraft", tuple(WORDS)[13:]),
)


def numbers() -> list[tuple[str, list[Number]]]:
    """The numbers of a doctrine, section by section, as the admiral has them."""
    usual = Doctrine()
    return [
        (title, [Number(name, *WORDS[name], getattr(usual, name), MOST.get(name, MOST_NUMBER)) for name in names])
        for title, names in SECTIONS
    ]


def mount(app: FastAPI) -> None:
    """Add the page, and what both pages ask, to the application."""
    app.include_router(router)
    TEMPLATES.globals["doctrine_numbers"] = numbers

    @app.get("/odds", include_in_schema=False)
    def odds(request: Request, setup: str = "") -> HTMLResponse:
        """Odds of a battle that comes with the game, or of a set-up that was shared. What else its address says is read by
        the page."""
        shared, missing = None, ""
        if setup:
            try:
                shared = {"id": setup, "edition": (found := _battle("", setup, request)).edition, **card(found)}
            except (GameError, HTTPException) as refusal:
                missing = f"This set-up has no odds: {getattr(refusal, 'detail', refusal)}."
        single = [
            {"heading": group["heading"], "cards": cards}
            for group in battles()
            if (cards := [card for card in group["cards"] if card["kind"] not in LARGER])
        ]
        app.state.odds.warm(PAGES)
        rulings = [option for option in options() if not option["war"] and not option["operations"]]
        return page(
            "odds.html",
            shared=shared,
            missing=missing,
            battles=single,
            first=next(card["name"] for group in single for card in group["cards"] if card["kind"] == NAVAL_BATTLE),
            numbers=numbers(),
            sides=[side.value for side in Side],
            editions=tuple(EDITIONS),
            options=rulings,
        )
