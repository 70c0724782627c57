"""Small battles written as data, and a player who answers what he was told to and otherwise takes the default."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.state import Fleet, Homecoming
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario

AXIS, ALLIES = Side.AXIS, Side.ALLIES
MOST_QUESTIONS = 400

Answers = Mapping[tuple[Side, str], Any]


def toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def force(name: str, **keys: Any) -> dict[str, Any]:
    """A force of a set-up."""
    return {"name": name, **keys}


def scenario_text(
    axis: Iterable[Mapping[str, Any]],
    allies: Iterable[Mapping[str, Any]],
    *,
    axis_nation: str = "Japan",
    allies_nation: str = "United States",
    axis_bases: Iterable[Mapping[str, Any]] = (),
    allies_bases: Iterable[Mapping[str, Any]] = (),
    **top: Any,
) -> str:
    """A set-up as text."""
    head = {
        "format": 1,
        "title": "A small battle",
        "theatre": "Pacific",
        "interceptor": "allies",
        "order_of_battle": "hidden",
        **top,
    }
    lines = [f"{key} = {toml(value)}" for key, value in head.items()]
    sides = (("axis", axis_nation, axis, axis_bases), ("allies", allies_nation, allies, allies_bases))
    for side, nation, forces, bases in sides:
        lines += [f"[{side}]", f"nation = {toml(nation)}"]
        for base in bases:
            lines += [f"[[{side}.base]]", *(f"{key} = {toml(value)}" for key, value in base.items())]
        for each in forces:
            lines += [f"[[{side}.force]]", *(f"{key} = {toml(value)}" for key, value in each.items())]
    return "\n".join(lines) + "\n"


class KnownDice:
    """Dice that show what the test says, by who rolls them and what for."""

    name = "script"

    def __init__(self, search: Mapping[Side, list[int]], fire: Mapping[Side, int]) -> None:
        self.search = {side: list(search.get(side, ())) for side in Side}
        self.fire = fire
        self.due: Callable[[], Roll | None] = lambda: None

    def dice(self, count: int, draw: int) -> list[int]:
        """Search dice in the order given and then sixes; every gunfire die of a side shows the same, 1 unless told."""
        due = self.due()
        assert due is not None
        if due.rule.startswith("22.45"):
            script = self.search[due.side]
            return [script.pop(0) if script else 6 for _ in range(count)]
        return [self.fire.get(due.side, 1)] * count


class Play:
    """One battle on dice the test knows."""

    def __init__(
        self,
        text: str,
        *,
        search: Mapping[Side, list[int]] | None = None,
        fire: Mapping[Side, int] | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        dice = KnownDice(search or {}, fire or {})
        self.game = Game.new(parse_scenario(text, "text").setup, dice=dice, key="00" * 16, options=options)
        dice.due = self.game.roll_due
        self.asked: list[tuple[Side, str]] = []

    # -- looking -----------------------------------------------------------------------------

    def fleet(self, side: Side) -> Fleet:
        return self.game.battle.fleets[side]

    def group(self, side: Side, name: str) -> CombatGroup:
        (found,) = [group for group in self.fleet(side).groups if group.name == name]
        return found

    def names(self, side: Side) -> set[str]:
        return {group.name for group in self.fleet(side).groups}

    def events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.game.events() if isinstance(event, kind)]

    def home(self, side: Side, name: str) -> Homecoming:
        """What became of the ships of one group."""
        (found,) = [each for each in self.fleet(side).returned if each.group.name == name]
        return found

    # -- playing -----------------------------------------------------------------------------

    def answer(self, side: Side, wire: Any) -> None:
        self.game.submit(side, wire)

    def run(self, answers: Answers | None = None, until: Callable[[Decide], bool] | None = None) -> Decide | None:
        """Play on: what `answers` holds for a side and kind, else the default. Stops before a question `until` wants."""
        for _ in range(MOST_QUESTIONS):
            while self.game.roll_due():
                self.game.roll()
            if self.game.over:
                return None
            for side in Side:
                decision = self.game.decision(side)
                if decision is None:
                    continue
                if until is not None and until(decision):
                    return decision
                self.asked.append((side, decision.kind))
                wire = (answers or {}).get((side, decision.kind), decision.form.default)
                self.game.submit(side, wire(decision) if callable(wire) else wire)
                break
        raise AssertionError("the battle does not end")

    def end(self, answers: Answers | None = None) -> None:
        """Play on until the battle is over."""
        assert self.run(answers) is None

    def to(self, side: Side, kind: str, answers: Answers | None = None) -> Decide:
        """Play on until this question is put to this side."""
        found = self.run(answers, lambda decision: decision.side is side and decision.kind == kind)
        assert found is not None, f"{side} was never asked: {kind}"
        return found


# -- common answers ----------------------------------------------------------------------------------


def everything_withdraws(decision: Decide) -> dict[str, dict[str, int]]:
    """Every ship of every group leaves."""
    return {item.key: {"withdraw": item.amount} for item in decision.form.items}


def withdraws(*numbers: int) -> Callable[[Decide], dict[str, dict[str, int]]]:
    """Every ship of the groups with these numbers leaves."""
    wanted = {f"CG{number}" for number in numbers}

    def answer(decision: Decide) -> dict[str, dict[str, int]]:
        items = [item for item in decision.form.items if item.key.split(":")[0] in wanted]
        return {item.key: {"withdraw": item.amount} for item in items}

    return answer


def form_bytes(decision: Decide) -> bytes:
    """A question as it is put: its words and its form."""
    return msgspec.json.encode([decision.kind, decision.rule, decision.question, decision.about, decision.form])
