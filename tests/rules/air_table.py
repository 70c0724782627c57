"""A table for battles with aircraft: set-ups in a few words, dice by who rolls them and what for, answers by kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import pytest

from flagplot.core.asks import Decide, Roll
from flagplot.core.errors import IllegalChoice
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.setup import Setup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Fleet
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.rules.groups_table import ThrownDice

AXIS, ALLIES = Side.AXIS, Side.ALLIES
MOST_STEPS = 3000
SomeEvent = TypeVar("SomeEvent", bound=Event)
Dice = Mapping[tuple[Side, str], Sequence[Sequence[int]]]
Answers = Mapping[tuple[Side, str], Any]

# What each roll is for, by its rule.
PURPOSES = {
    "22.45": "search",
    "22.43": "counterair",
    "23.7412": "surprise",
    "23.415": "air combat",
    "23.42": "air defense",
    "23.44": "air attack",
    "22.55": "gunfire",
}
# Questions a table that was told nothing answers with "nothing flies".
QUIET = ("patrol", "break down", "cover", "air search", "strike")


# -- set-ups --------------------------------------------------------------------------------------------------


def toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def force(name: str, number: int = 6, **keys: Any) -> dict[str, Any]:
    """A force of a set-up; with number 6 it stays distant for five rounds, and nobody's guns reach it."""
    return {"name": name, "number": number, **keys}


def air_base(name: str, aircraft: Mapping[str, int] | None = None, **keys: Any) -> dict[str, Any]:
    """An air base, two hexes off unless told otherwise."""
    return {"name": name, "distance": 2, "aircraft": aircraft or {}, **keys}


def side(nation: str, *forces: Mapping[str, Any], air: Iterable[Mapping[str, Any]] = (), **keys: Any) -> dict[str, Any]:
    """One side: its nation, its forces, its air bases and whatever else a set-up says of it."""
    return {"nation": nation, **keys, "air_base": list(air), "force": list(forces)}


def scenario_text(axis: Mapping[str, Any], allies: Mapping[str, Any], **top: Any) -> str:
    """A set-up as text."""
    head = {
        "format": 1,
        "title": "A battle with aircraft",
        "theatre": "Pacific",
        "interceptor": "allies",
        "order_of_battle": "hidden",
        **top,
    }
    lines = [f"{key} = {toml(value)}" for key, value in head.items()]
    lists = ("base", "air_base", "force")
    for name, told in (("axis", axis), ("allies", allies)):
        lines.append(f"[{name}]")
        lines += [f"{key} = {toml(value)}" for key, value in told.items() if key not in lists]
        for kind in lists:
            for each in told.get(kind, ()):
                lines += [f"[[{name}.{kind}]]", *(f"{key} = {toml(value)}" for key, value in each.items())]
    return "\n".join(lines) + "\n"


# -- common answers ---------------------------------------------------------------------------------------------


def to_place(place: str, **counts: int) -> dict[str, dict[str, int]]:
    """So many of each item to one place."""
    return {item: {place: count} for item, count in counts.items()}


def strike(number: int, squadrons: Mapping[str, int]) -> dict[str, Any]:
    """An air strike on an enemy group with so many of each item."""
    return {"target": f"CG{number}", **to_place("fly", **squadrons)}


def everything_withdraws(decision: Decide) -> dict[str, dict[str, int]]:
    """Every ship of every group leaves."""
    return {item.key: {"withdraw": item.amount} for item in decision.form.items}


# -- looking at questions ---------------------------------------------------------------------------------------


def amounts(decision: Decide) -> dict[str, int]:
    """The items of a question and how many there are of each."""
    return {item.key: item.amount for item in decision.form.items}


def places(decision: Decide, item: str) -> set[str]:
    """The places an item of a question may go to."""
    (found,) = [each for each in decision.form.items if each.key == item]
    return set(decision.form.places_for(found)) - set(decision.form.barred(found))


def targets(decision: Decide) -> set[str]:
    """The groups a strike question offers."""
    return places(decision, "target") - {"none"}


def form_bytes(decision: Decide) -> bytes:
    """A question as it is put: its words and its form."""
    return msgspec.json.encode([decision.kind, decision.rule, decision.question, decision.about, decision.form])


# -- playing ----------------------------------------------------------------------------------------------------


class AirBattle:
    """One battle on dice and answers the test knows.

    Dice are lists of rolls by side and purpose; search dice beyond them miss, all others show ones. Answers are values
    or functions of the question, by side and kind; a list holds those for successive questions. Where nothing is told,
    nothing flies, and everything else is answered with its default.
    """

    def __init__(
        self,
        text: str | Setup,
        dice: Dice | None = None,
        answers: Answers | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.thrown = ThrownDice()
        setup = parse_scenario(text, "text").setup if isinstance(text, str) else text
        self.game = Game.new(setup, dice=self.thrown, key="00" * 16, options=options)
        self.script = {key: [list(roll) for roll in rolls] for key, rolls in (dice or {}).items()}
        self.answers: dict[tuple[Side, str], Any] = {}
        for key, given in (answers or {}).items():
            self.answers[key] = list(given) if isinstance(given, list) else given
        self.asked: list[tuple[Side, str, str]] = []  # every question answered so far: side, kind, about
        self.questions: dict[Side, list[bytes]] = {each: [] for each in Side}  # the same as they were put
        self.rolled: list[tuple[Side, str, tuple[int, ...]]] = []

    def step(self) -> None:
        """One roll, or one answer."""
        due = self.game.roll_due()
        if due:
            self.thrown.next = self._dice(due)
            dice = self.game.roll()
            self.rolled.append((due.side, self.purpose(due), tuple(dice)))
            return
        for each in Side:
            decision = self.game.decision(each)
            if decision:
                self.answer(each, self._given(decision))
                return
        raise AssertionError("nobody is asked, and no dice are due")

    def answer(self, each: Side, wire: Any) -> None:
        """Answer the question that is open to a side."""
        decision = self.game.decision(each)
        assert decision is not None, f"{each} is asked nothing"
        self.game.submit(each, wire)
        self.asked.append((each, decision.kind, decision.about))
        self.questions[each].append(form_bytes(decision))

    def to(self, each: Side, kind: str, round: int = 0) -> Decide:
        """Play on until this question is put to this side (in this round), and leave it unanswered."""
        for _ in range(MOST_STEPS):
            decision = self.game.decision(each)
            if decision and decision.kind == kind and round in (0, self.game.battle.round):
                return decision
            if self.game.over:
                break
            self.step()
        raise AssertionError(f"{each} was never asked: {kind}")

    def to_segment(self, segment: str, round: int = 1) -> AirBattle:
        """Play on until this segment of this round has begun, as far as the next question or roll."""
        for _ in range(MOST_STEPS):
            if self._has_begun(segment, round):
                return self
            if self.game.over:
                break
            self.step()
        raise AssertionError(f"{segment} of round {round} never came")

    def _has_begun(self, segment: str, round: int) -> bool:
        current = 0
        for event in self.game.events():
            if isinstance(event, ev.RoundBegan):
                current = event.round
            if isinstance(event, ev.SegmentBegan) and (current, event.segment) == (round, segment):
                return True
        return False

    def to_end(self) -> AirBattle:
        """Play on until the battle is over."""
        for _ in range(MOST_STEPS):
            if self.game.over:
                return self
            self.step()
        raise AssertionError("the battle does not end")

    def refuses(self, each: Side, wire: Any, rule: str) -> IllegalChoice:
        """This answer is refused under this rule, and nothing changes."""
        before = (len(self.game.events()), self.game.battle, self.game.decision(each))
        with pytest.raises(IllegalChoice) as refusal:
            self.game.submit(each, wire)
        assert refusal.value.rule == rule, str(refusal.value)
        assert (len(self.game.events()), self.game.battle, self.game.decision(each)) == before
        return refusal.value

    @staticmethod
    def purpose(due: Roll) -> str:
        """What dice are rolled for."""
        return next((word for rule, word in PURPOSES.items() if due.rule.startswith(rule)), due.rule)

    def _dice(self, due: Roll) -> list[int]:
        purpose = self.purpose(due)
        rolls = self.script.get((due.side, purpose))
        if purpose == "search":
            chosen = rolls.pop(0) if rolls else []
            return (chosen + [self.miss(due.side)] * due.dice)[: due.dice]
        return (rolls.pop(0) if rolls else [1, 1])[: due.dice]

    def miss(self, each: Side) -> int:
        """A number that no enemy group bears."""
        taken = self.game.battle.fleets[each.enemy].numbers
        return next(number for number in range(1, 7) if number not in taken)

    def _given(self, decision: Decide) -> Any:
        given = self.answers.get((decision.side, decision.kind))
        if isinstance(given, list):
            given = given.pop(0) if given else None
        if callable(given):
            return given(decision)
        if given is not None:
            return given
        return {} if decision.kind in QUIET else decision.form.default

    # -- looking -----------------------------------------------------------------------------------------------

    def fleet(self, each: Side) -> Fleet:
        return self.game.battle.fleets[each]

    def base(self, each: Side, name: str) -> AirBase:
        return self.fleet(each).air_base(name)

    def ship(self, each: Side, id: str) -> Ship:
        """A ship that is still in the battle."""
        (found,) = [ship for group in self.fleet(each).groups for ship in group.ships if ship.id == id]
        return found

    def wings(self, each: Side) -> dict[str, dict[str, int]]:
        """The naval air aboard each carrier that has any."""
        return {ship.id: ship.wing for group in self.fleet(each).groups for ship in group.ships if ship.wing}

    def events(self, kind: type[SomeEvent]) -> list[SomeEvent]:
        """Everything of a kind that has happened."""
        return [event for event in self.game.events() if isinstance(event, kind)]

    def seen(self, each: Side | None, kind: type[SomeEvent]) -> list[SomeEvent]:
        """Everything of a kind that a side (None: everyone) has been told."""
        return [event for event in self.game.picture(each).events if isinstance(event, kind)]

    def known(self, viewer: Side, number: int) -> CombatGroup:
        """An enemy group as one side knows it."""
        return self.game.picture(viewer).battle.fleets[viewer.enemy].group(number)

    def strikes(self) -> list[tuple[Side, int, dict[str, int], bool]]:
        """The strikes announced: who, on which group, with what, and whether it comes as a surprise."""
        return [(each.side, each.number, each.squadrons, each.surprise) for each in self.events(air.StrikeAnnounced)]

    def was_asked(self, each: Side, kind: str) -> int:
        """How often a side has answered a question of this kind."""
        return sum(entry[:2] == (each, kind) for entry in self.asked)

    def order(self, wanted: Callable[[Event], bool]) -> list[str]:
        """The kinds of the events wanted, in the order they happened."""
        return [type(event).__name__ for event in self.game.events() if wanted(event)]
