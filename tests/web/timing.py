"""Time under the hand of a test: a clock that is set, dice that depend on their number only, and games in a hall."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from flagplot.core.sides import Side
from flagplot.core.tape import Line
from flagplot.model.setup import Setup
from flagplot.play.game import Game, Header
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.clocks import Terms
from flagplot.web.database import Database
from flagplot.web.hall import Hall
from flagplot.web.migrate import migrate
from flagplot.web.release import Clock
from flagplot.web.settings import Settings
from tests.web.server import decision_id

PEOPLE = dict.fromkeys(Side, "person")
NOON = 1_800_000_000.0 - 1_800_000_000.0 % 900  # a full quarter hour


class SetClock(Clock):
    """Both clocks of a machine, moved by the test."""

    def __init__(self) -> None:
        self.wall, self.steady = NOON, 5_000.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def pass_by(self, seconds: float) -> None:
        """Time goes by as it should."""
        self.wall += seconds
        self.steady += seconds


class NumberedDice:
    """Dice that depend on their number: a game that is read again rolls what it would have rolled."""

    name = "system"

    def dice(self, number: int, draw: int) -> list[int]:
        return [Random(f"die {draw + each}").randint(1, 6) for each in range(number)]


class NumberedGame:
    """Games with such dice and a known key, so that two of them can be alike."""

    def __new__(cls, header: Header, journal: Sequence[Line] = (), dice: Any = None) -> Any:
        return Game(header, journal, NumberedDice())

    @classmethod
    def new(cls, setup: Setup, **wanted: Any) -> Game:
        return Game.new(setup, **{**wanted, "dice": NumberedDice(), "key": "ab" * 16})


def hall_at(url: str, **settings: Any) -> tuple[Hall, SetClock]:
    """A hall with a clock that the test sets."""
    database = Database(url)
    migrate(database)
    hall, clock = Hall(database, Settings(url, **settings)), SetClock()
    hall.release.clock = clock
    return hall, clock


def begun(hall: Hall, release: str = "live", terms: Terms | None = None, scenario: str = "denmark-strait") -> str:
    """A game between two people."""
    found = shipped_scenario(scenario)
    id = hall.create(found.setup, scenario=found.name, options=found.options, players=PEOPLE).id
    hall.clocks.set_up(id, release, terms)
    return id


def by_hand(hall: Hall, id: str, side: Side) -> dict[str, Any]:
    """Answer what is open to a side as the form offers."""
    live = hall.game(id)
    decision = live.game.decision(side)
    assert decision is not None
    return hall.submit(id, side, decision_id(), live.game.question_number(side), decision.form.default)


def asked_of(hall: Hall, id: str) -> Sequence[Side]:
    """Who is to answer something now."""
    with hall.holding(id) as live:
        return list(hall.clocks.questions(live))
