"""A table for small battles: set-ups written in a few words, dice chosen by what they are rolled for, answers by kind.

Axis ships are Japanese and allied ones American, unless a ship's name says otherwise; cruisers count two factors each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.events import FleetCombatBegan, RoundBegan, SegmentBegan
from flagplot.model.forces import CombatGroup
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario

AXIS, ALLIES = Side.AXIS, Side.ALLIES
NATIONS = {"axis": "Japan", "allies": "United States"}
Answers = Mapping[tuple[str, str, str] | tuple[str, str], Any]
SomeEvent = TypeVar("SomeEvent", bound=Event)


class ThrownDice:
    """Dice that the table throws: what is to be shown next is put here first."""

    name = "script"

    def __init__(self) -> None:
        self.next: list[int] = []

    def dice(self, count: int, draw: int) -> list[int]:
        shown, self.next = self.next[:count], self.next[count:]
        return shown


class Table:
    """A game in progress. Search dice are given by side and round, gunfire by side; the rest of the search dice miss."""

    def __init__(
        self,
        setup: Setup,
        search: Mapping[str, Sequence[Sequence[int]]] | None = None,
        gunfire: Mapping[str, Sequence[int]] | None = None,
        answers: Answers | None = None,
        options: Mapping[str, str] | None = None,
        edition: str = "current",
    ) -> None:
        self.thrown = ThrownDice()
        self.game = Game.new(setup, dice=self.thrown, key="00" * 16, edition=edition, options=options)
        self.search = dict(search or {})
        self.gunfire = dict(gunfire or {})
        # Each answer serves once; a list holds those for successive questions of the kind.
        self.answers = {
            key: list(given) if isinstance(given, list) else [given] for key, given in (answers or {}).items()
        }
        self.asked: list[tuple[Side, str, str]] = []  # every question answered so far: side, kind, about

    # -- playing ------------------------------------------------------------------------

    def to(self, kind: str, side: Side | None = None, about: str = "") -> Decide:
        """Play on until a question of this kind is open, and return it unanswered."""
        for _ in range(2000):
            for each in (side,) if side else Side:
                decision = self.game.decision(each)
                if decision and decision.kind == kind and about in ("", decision.about):
                    return decision
            if self.game.over:
                break
            self.step()
        raise AssertionError(f"nobody was asked about {kind}")

    def to_round(self, round: int) -> None:
        """Play on until this round has begun, or the battle is over."""
        for _ in range(2000):
            if self.game.over or any(event.round >= round for event in self.events(RoundBegan)):
                return
            self.step()

    def to_segment(self, segment: str, round: int = 1) -> None:
        """Play on until this segment of this round has begun, and as far as the next question or roll."""
        for _ in range(2000):
            if self.game.over or self._has_begun(segment, round):
                return
            self.step()

    def _has_begun(self, segment: str, round: int) -> bool:
        current = 0
        for event in self.game.events():
            if isinstance(event, RoundBegan):
                current = event.round
            if isinstance(event, SegmentBegan) and current == round and event.segment == segment:
                return True
        return False

    def to_end(self) -> None:
        """Play on until the battle is over."""
        for _ in range(5000):
            if self.game.over:
                return
            self.step()

    def step(self) -> None:
        """One roll, or one answer: the next one given for this kind of question, else its default."""
        due = self.game.roll_due()
        if due:
            self.thrown.next = self._dice(due)
            self.game.roll()
            return
        for side in Side:
            decision = self.game.decision(side)
            if decision:
                self.answer(side, self._given(decision))
                return
        raise AssertionError("nobody is asked, and no dice are due")

    def answer(self, side: Side, wire: Any) -> None:
        """Answer the question that is open to a side."""
        decision = self.game.decision(side)
        assert decision is not None, f"{side} is asked nothing"
        self.game.submit(side, wire)
        self.asked.append((side, decision.kind, decision.about))

    def _given(self, decision: Decide) -> Any:
        side = decision.side.value
        for key in ((side, decision.kind, decision.about), (side, decision.kind)):
            if self.answers.get(key):
                return self.answers[key].pop(0)
        return decision.form.default

    def _dice(self, due: Roll) -> list[int]:
        if due.rule.startswith("22.45"):
            rounds = self.search.get(due.side.value, [])
            chosen = list(rounds[self.game.battle.round - 1]) if self.game.battle.round <= len(rounds) else []
            return (chosen + [self.miss(due.side)] * due.dice)[: due.dice]
        return list(self.gunfire.get(due.side.value, (1, 1)))[: due.dice]

    def miss(self, side: Side) -> int:
        """A number that no enemy group bears, where there is one."""
        taken = self.game.battle.fleets[side.enemy].numbers
        return next((number for number in range(6, 0, -1) if number not in taken), 6)

    # -- looking -------------------------------------------------------------------------

    def events(self, kind: type[SomeEvent]) -> list[SomeEvent]:
        """Everything of a kind that has happened."""
        return [event for event in self.game.events() if isinstance(event, kind)]

    def seen(self, side: Side | None, kind: type[SomeEvent]) -> list[SomeEvent]:
        """Everything of a kind that a side has been told."""
        return [event for event in self.game.picture(side).events if isinstance(event, kind)]

    def group(self, side: Side, number: int) -> CombatGroup:
        """A group as it really is."""
        return self.game.battle.fleets[side].group(number)

    def numbers(self, side: Side) -> tuple[int, ...]:
        """The numbers a side has in the battle."""
        return self.game.battle.fleets[side].numbers

    def targets(self, side: Side, about: str = "") -> list[str]:
        """The groups that the engagement question now open to a side lets it attack; none if no such question is open."""
        decision = self.game.decision(side)
        if decision is None or decision.kind != "engage" or about not in ("", decision.about):
            return []
        return [place.key for place in decision.form.places if place.key.startswith("CG")]

    def engagements(self) -> list[tuple[int, int]]:
        """The fleet combats fought so far: axis group, allied group."""
        return [(event.engagement.axis, event.engagement.allies) for event in self.events(FleetCombatBegan)]

    def was_asked(self, side: Side, kind: str, about: str = "") -> bool:
        """Whether a side has answered a question of this kind."""
        return any(entry[:2] == (side, kind) and about in ("", entry[2]) for entry in self.asked)


# -- set-ups ---------------------------------------------------------------------------------


def force(name: str, **keys: Any) -> dict[str, Any]:
    """A force, by the keys of a set-up file."""
    return {"name": name, **keys}


def small(name: str, number: int, **keys: Any) -> dict[str, Any]:
    """A fast task force of ten factors in cruisers, with a number of its own."""
    return force(name, number=number, **{"cruisers": 5, **keys})


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return str(value)


def set_up(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    *,
    interceptor: str = "axis",
    search_advantage: str = "none",
    **keys: Any,
) -> Setup:
    """A battle between these forces; nothing is known of either side beforehand."""
    top = {
        "format": 1,
        "title": "A small battle",
        "theatre": "Pacific",
        "interceptor": interceptor,
        "order_of_battle": "hidden",
        **keys,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in top.items()]
    lines += ["[inputs]", f'search_advantage = "{search_advantage}"']
    for side, forces in (("axis", axis), ("allies", allies)):
        lines += [f"[{side}]", f'name = "{NATIONS[side]}"', f'nation = "{NATIONS[side]}"']
        for each in forces:
            lines.append(f"[[{side}.force]]")
            lines += [f"{key} = {_toml(value)}" for key, value in each.items()]
    return parse_scenario("\n".join(lines), "text").setup


def table(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    *,
    search: Mapping[str, Sequence[Sequence[int]]] | None = None,
    gunfire: Mapping[str, Sequence[int]] | None = None,
    answers: Answers | None = None,
    options: Mapping[str, str] | None = None,
    edition: str = "current",
    **keys: Any,
) -> Table:
    """A game between these forces."""
    return Table(set_up(axis, allies, **keys), search, gunfire, answers, options, edition)


# -- groups for the calls ---------------------------------------------------------------------


def cruisers(number: int, count: int = 5, nation: str = "Japan", **keys: Any) -> dict[str, Any]:
    """A group of cruisers only, two factors each."""
    return {"number": number, "light": {f"{nation}/CA": count}, **keys}


def carrier(id: str = "carrier", **keys: Any) -> dict[str, Any]:
    """A fleet carrier with all her squadrons."""
    return {"nation": "Japan", "kind": "CV", "size": 3, "id": id, **keys}


def battleship(id: str = "battleship", **keys: Any) -> dict[str, Any]:
    """A fast battleship of four factors."""
    return {"nation": "Japan", "kind": "BB", "size": 4, "id": id, **keys}
