"""A table for battles with submarines: set-ups with the keys of a side, dice by what they are rolled for.

Axis ships are Japanese and allied ones American unless the keys of a side say otherwise. Without a search that finds
something nobody meets: a quiet battle has distant groups only, and the axis one search die.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from flagplot.core.asks import Decide, Roll
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario
from tests.rules.groups_table import Table, ThrownDice, force

AXIS, ALLIES = Side.AXIS, Side.ALLIES
JAPAN, AMERICA = {"nation": "Japan"}, {"nation": "United States"}
GERMANY, BRITAIN = {"nation": "Germany"}, {"nation": "Britain"}
SUB, ADVANCED, DD = "Japan/SUB", "Germany/SUB/advanced", "United States/DD"
WITHDRAWS: Callable[[Decide], dict[str, dict[str, int]]] = lambda asked: {  # noqa: E731
    item.key: {"withdraw": item.amount} for item in asked.form.items
}

__all__ = ["ADVANCED", "ALLIES", "AMERICA", "AXIS", "BRITAIN", "DD", "GERMANY", "JAPAN", "SUB", "WITHDRAWS", "force"]


def toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def set_up(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    axis_keys: Mapping[str, Any] = JAPAN,
    allies_keys: Mapping[str, Any] = AMERICA,
    **top: Any,
) -> Setup:
    """A battle between these forces. The keys of a side may hold lists of bases and air bases. No side has torpedo research
    unless it is told; with `research` None the set-up says nothing of it, and Japan has what it began with (25.632)."""
    head = {
        "format": 1,
        "title": "A small battle",
        "theatre": "Pacific",
        "interceptor": "axis",
        "order_of_battle": "hidden",
        **top,
    }
    lines = [f"{key} = {toml(value)}" for key, value in head.items()]
    for side, keys, forces in (("axis", axis_keys, axis), ("allies", allies_keys, allies)):
        research = keys.get("research", {})
        keys = {key: value for key, value in keys.items() if key != "research"}
        keys |= {} if research is None else {"research": {"torpedo": 0, **research}}
        tables = {"base": (), "air_base": (), **keys, "force": forces}
        lines.append(f"[{side}]")
        lines += [f"{key} = {toml(value)}" for key, value in keys.items() if key not in ("base", "air_base")]
        for name in ("base", "air_base", "force"):
            for each in tables[name]:
                lines += [f"[[{side}.{name}]]", *(f"{key} = {toml(value)}" for key, value in each.items())]
    return parse_scenario("\n".join(lines) + "\n", "text").setup


class UnderWater(Table):
    """A game with submarines. Answers may be functions of the question; dice are given by what they are for.

    `category` are single dice of 22.93E, `torpedoes` pairs for attacks; both show ones, and later threes, if they run out.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        search: Mapping[str, Sequence[Sequence[int]]] | None = None,
        category: Iterable[int] = (),
        torpedoes: Iterable[tuple[int, int]] = (),
        gunfire: Mapping[str, Sequence[int]] | None = None,
        air: Iterable[int] = (),
        answers: Mapping[Any, Any] | None = None,
        edition: str = "current",
    ) -> None:
        self.thrown = ThrownDice()
        self.game = Game.new(setup, dice=self.thrown, key="00" * 16, edition=edition)
        self.search = dict(search or {})
        self.gunfire = dict(gunfire or {})
        self.category, self.torpedoes, self.air = list(category), list(torpedoes), list(air)
        self.answers = {
            key: list(given) if isinstance(given, list) else [given] for key, given in (answers or {}).items()
        }
        self.asked: list[tuple[Side, str, str]] = []
        self.rolled: list[str] = []  # the rules of all rolls so far

    def _given(self, decision: Decide) -> Any:
        given = super()._given(decision)
        return given(decision) if callable(given) else given

    def _dice(self, due: Roll) -> list[int]:
        self.rolled.append(due.rule)
        if due.rule.startswith("22.93E"):
            return [self.category.pop(0) if self.category else 1]
        if due.rule.startswith("22.94"):
            return list(self.torpedoes.pop(0) if self.torpedoes else (3, 3))
        if due.rule.startswith("23"):
            return [self.air.pop(0) if self.air else 1 for _ in range(due.dice)]
        return super()._dice(due)

    def all_rolled(self, kind: type[Event]) -> list[int]:
        """The net modifiers of the attack rolls so far, in order."""
        return [sum(line.amount for line in event.modifiers.lines) for event in self.events(kind)]  # type: ignore[attr-defined]


def under_water(
    axis: Sequence[Mapping[str, Any]],
    allies: Sequence[Mapping[str, Any]],
    axis_keys: Mapping[str, Any] = JAPAN,
    allies_keys: Mapping[str, Any] = AMERICA,
    *,
    search: Mapping[str, Sequence[Sequence[int]]] | None = None,
    category: Iterable[int] = (),
    torpedoes: Iterable[tuple[int, int]] = (),
    gunfire: Mapping[str, Sequence[int]] | None = None,
    air: Iterable[int] = (),
    answers: Mapping[Any, Any] | None = None,
    edition: str = "current",
    **top: Any,
) -> UnderWater:
    """A game between these forces."""
    return UnderWater(
        set_up(axis, allies, axis_keys, allies_keys, **top),
        search=search,
        category=category,
        torpedoes=torpedoes,
        gunfire=gunfire,
        air=air,
        answers=answers,
        edition=edition,
    )


def with_submarines(number: int = 1, keys: Mapping[str, Any] = JAPAN, **more: Any) -> dict[str, Any]:
    """A side with submarines of its own nation."""
    return {**keys, "submarines": {keys["nation"]: number}, **more}


def ambush(
    allies: Sequence[Mapping[str, Any]],
    axis_keys: Mapping[str, Any] | None = None,
    allies_keys: Mapping[str, Any] = AMERICA,
    **more: Any,
) -> UnderWater:
    """Axis submarines alone against allied ships, outside naval combat."""
    keys = with_submarines() if axis_keys is None else axis_keys
    return under_water([], allies, keys, allies_keys, kind="submarine attack", interceptor="axis", **more)


def quiet(
    allies: Sequence[Mapping[str, Any]],
    axis_keys: Mapping[str, Any] | None = None,
    allies_keys: Mapping[str, Any] = AMERICA,
    **more: Any,
) -> UnderWater:
    """A battle in which all groups are distant; the axis has submarines, one search die and cruisers as CG6."""
    keys = with_submarines() if axis_keys is None else axis_keys
    inputs = {"search_advantage": "axis"}
    return under_water([force("Cruisers", cruisers=5, number=6)], allies, keys, allies_keys, inputs=inputs, **more)
