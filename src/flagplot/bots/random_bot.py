"""A bot that gives any legal answer. It takes an offer to leave the fight one time in twenty."""

from __future__ import annotations

from random import Random

from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.model.picture import Picture

LEAVING = ("withdraw", "evade")  # kinds of decision that may end a battle early
ONE_IN = 20


class RandomBot:
    """Any legal answer, drawn from the form."""

    name = "random"

    def __init__(self, random: Random | None = None) -> None:
        self.random = random or Random()

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """A legal answer drawn at random."""
        if decision.kind in LEAVING and self.random.randrange(ONE_IN):
            return decision.form.default
        return decision.form.sample(self.random)
