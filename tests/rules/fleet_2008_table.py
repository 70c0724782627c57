"""What the tests of the fleet combat of 2008 share. Ships and dice as in gunnery_table.

The axis intercepts, so it rolls first. German and British ships shoot equally well, but for five-factor battleships.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup, Engagement
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.fleet_combat import engage
from flagplot.rules.table import Table
from tests.rules.gunnery_table import Json, two_dice


def fight(
    axis: Json,
    allies: Json,
    *totals: int,
    decisions: Sequence[Sequence[Any]] = (),
    options: Mapping[str, str] | None = None,
    **inputs: Any,
) -> Json:
    """One fleet combat of 2008. A total that is not given is 2."""
    dice = two_dice(*totals, *[2] * (30 - len(totals)))
    return api.call(
        "fleet_combat_result",
        {"axis": axis, "allies": allies, **inputs},
        dice=dice,
        decisions=list(decisions),
        edition="2008",
        options=dict(options or {}),
    )


def german(name: str, size: int = 4, **more: Any) -> Ship:
    return Ship(name, name, "Germany", "BB", size, **more)


def briton(name: str, size: int = 4, **more: Any) -> Ship:
    return Ship(name, name, "Britain", "BB", size, **more)


class Clash:
    """One fleet combat of 2008, question by question; every roll is a two unless another total is laid out."""

    def __init__(
        self, axis: CombatGroup, allies: CombatGroup, interceptor: Side = Side.AXIS, edition: str = "2008"
    ) -> None:
        fleets = {Side.AXIS: Fleet("Germany", groups=(axis,)), Side.ALLIES: Fleet("Britain", groups=(allies,))}
        self.table = Table(ruleset(edition), Battle(interceptor=interceptor, fleets=fleets))
        self.runner = Runner(engage(self.table, Engagement(axis.number, allies.number)))
        self.asked: list[tuple[Side, str]] = []

    def until(self, kind: str = "", totals: Sequence[int] = ()) -> Decide | None:
        """Play by defaults to the first question of this kind; None if there is none."""
        left = list(totals)
        while not self.runner.over:
            if self.runner.roll_due():
                self.runner.roll(two_dice(left.pop(0) if left else 2))
                continue
            for side in Side:
                question = self.runner.decision_for(side)
                if question is None:
                    continue
                if question.kind == kind:
                    return question
                self.asked.append((side, question.kind))
                self.runner.answer(side, question.form.default)
        return None

    def answer(self, question: Decide, wire: Any) -> Clash:
        self.asked.append((question.side, question.kind))
        self.runner.answer(question.side, wire)
        return self
