"""A table for air attacks outside naval combat: ships on passage, and ports.

What is not told is answered with its default, and dice that are not told show ones. The axis attacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flagplot.core.asks import Decide, Roll
from flagplot.rules.naval.battle import carry_out
from tests.rules.air_table import ALLIES, AXIS, AirBattle, air_base, scenario_text, side, toml

__all__ = ["ALLIES", "AXIS", "Raid", "air_base", "carry_out", "force", "on_passage", "port_raid", "side"]

STAY: dict[str, Any] = {}


class Raid(AirBattle):
    """An attack on dice and answers the test knows. Search dice go by "23.722", air combat over a port by "23.411"."""

    def _dice(self, due: Roll) -> list[int]:
        rolls = self.script.get((due.side, self.purpose(due)))
        return ((rolls.pop(0) if rolls else []) + [1] * due.dice)[: due.dice]

    def _given(self, decision: Decide) -> Any:
        if (decision.side, decision.kind) in self.answers and self.answers[decision.side, decision.kind] != []:
            return super()._given(decision)
        return decision.form.default

    def kinds(self) -> list[tuple[str, str]]:
        """Every question answered so far: side and kind."""
        return [(each.value, kind) for each, kind, _ in self.asked]


def force(name: str, **keys: Any) -> dict[str, Any]:
    """A force of a set-up."""
    return {"name": name, **keys}


def on_passage(
    axis_air: Sequence[Mapping[str, Any]],
    *forces: Mapping[str, Any],
    air: Sequence[Mapping[str, Any]] = (),
    dice: Any = None,
    answers: Any = None,
    options: Mapping[str, str] | None = None,
    nations: tuple[str, str] = ("Germany", "Britain"),
    sides: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
    **top: Any,
) -> Raid:
    """Axis land-based air against allied ships on passage."""
    axis = side(nations[0], air=axis_air, **sides[0])
    allies = side(nations[1], *forces, air=air, **sides[1])
    text = scenario_text(axis, allies, **{"kind": "air attack", "interceptor": "axis", **top})
    return Raid(text, dice, answers, options)


def port_raid(
    axis: Mapping[str, Any],
    allies: Mapping[str, Any],
    *,
    port: Mapping[str, Any] | None = None,
    dice: Any = None,
    answers: Any = None,
    **top: Any,
) -> Raid:
    """The axis attacks an allied port."""
    text = scenario_text(axis, allies, **{"kind": "port attack", "interceptor": "axis", **top})
    keys = {"name": "Haven", "sorties": 1, **(port or {})}
    table = "[port]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in keys.items())
    return Raid(text.replace("[axis]\n", f"{table}[axis]\n", 1), dice, answers)
