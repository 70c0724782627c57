"""The tutorial: the worked example that follows rule 22.524, played by the engine on its printed search dice.

Nothing is stored. The battle is played once, and each step keeps the board, the log and the question as Japan (at the
end the United States) then saw them. The reader makes the example's choices; what else might be chosen is explained,
and where the engine refuses, in the engine's own words. The example prints no gunfire: that script is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from flagplot.core.dice import ScriptedDice
from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import shipped_scenario
from flagplot.web.hall import LiveGame
from flagplot.web.tutorial_text import CHAPTERS, Choice, Page
from flagplot.web.views import view

TITLE = "Three groups a side"
NAMES = {"axis": "Japan", "allies": "United States"}
AXIS, ALLIES = Side.AXIS, Side.ALLIES

SEARCH_1 = [3, 6, 1, 2]  # printed: Japan's two dice, then the two of the United States
GUNS_1 = [3, 2, 2, 4, 4, 2, 3, 3, 2, 1, 3, 1]  # ours: two duels a side, then the light ships
SEARCH_2 = [1, 4, 5, 5, 2, 4, 6]  # printed: four dice, and three
GUNS_2 = [2, 3, 4, 1, 3, 2, 1, 4, 1, 2, 2, 1]  # ours
GUNS_3 = [4, 3, 5, 4, 3, 2]  # ours: the second Japanese group against the invasion force
SCRIPT = [*SEARCH_1, *GUNS_1, *SEARCH_2, *GUNS_2, *GUNS_3]
ANSWERS: dict[str, Wire] = {"strike": {"target": "none"}}  # the example leaves open what strikes do
SEEN = ("round", "segment", "track", "sides", "strike")


class Walk:
    """The example in progress."""

    def __init__(self) -> None:
        scenario = shipped_scenario("three-groups")
        self.game = Game.new(scenario.setup, scenario=scenario.name, dice=ScriptedDice(SCRIPT), key="00" * 16)
        self.live = LiveGame("tutorial", self.game, dict.fromkeys(Side, "person"), 0, "")
        self.told = {AXIS: 0, ALLIES: 0}  # how much of the log each side has read

    def to(self, kind: str, side: Side, about: str = "") -> None:
        """Play on until this question is open."""
        while not ((asked := self.game.decision(side)) and asked.kind == kind and about in ("", asked.about)):
            self.step()

    def to_segment(self, round: int, segment: str) -> None:
        """Play on until this segment of this round has come, as far as the first question or roll after it."""
        while (self.game.battle.round, self.game.battle.segment) != (round, segment):
            self.step()

    def to_roll(self, rule: str) -> None:
        """Play on until dice of this rule are due."""
        while not ((due := self.game.roll_due()) and due.rule == rule):
            self.step()

    def step(self) -> None:
        """One roll, or one answer: nobody flies a strike, all else is what the form offers if nobody says anything."""
        if self.game.roll_due():
            self.game.roll()
            return
        decision = self.game.decision(AXIS) or self.game.decision(ALLIES)
        assert decision is not None, "nobody is asked, and no dice are due"
        self.game.submit(decision.side, ANSWERS.get(decision.kind, decision.form.default))

    def look(self, side: Side = AXIS) -> dict[str, Any]:
        """The board as a side sees it, and what it was told since it last looked; who sits down late, the last of it."""
        seen = view(self.live, side)
        fresh = seen["log"][self.told[side] :] if self.told[side] or side is AXIS else seen["log"][-2:]
        self.told[side] = len(seen["log"])
        return {"board": {key: seen[key] for key in SEEN}, "log": fresh}


@cache
def steps() -> list[dict[str, Any]]:
    """The tutorial, step by step. The engine plays it the first time it is asked for."""
    walk = Walk()
    told: list[dict[str, Any]] = []
    for page in CHAPTERS:
        _go_on(walk, page.until)
        answers = [_choice(walk, page, choice) for choice in page.choices]
        before = walk.look(Side(page.chair))
        _answer(walk, page)
        _go_on(walk, page.then)
        told.append(
            {
                "n": len(told),
                "title": page.title,
                "seat": page.chair,
                "text": list(page.text),
                "dice": dict(page.dice),
                "question": page.question,
                "choices": answers,
                "after": list(page.after),
                "rules": list(page.rules),
                "before": before,
                "then": walk.look(Side(page.chair)) if page.choices else None,
            }
        )
    return told


def _go_on(walk: Walk, until: Sequence[str]) -> None:
    match until:
        case ("ask", kind, side, about):
            walk.to(kind, Side(side), about)
        case ("roll", rule):
            walk.to_roll(rule)
        case ("segment", round, segment):
            walk.to_segment(int(round), segment)
        case ("both roll",):
            walk.step()
            walk.step()
        case _:
            assert not until, until


def _answer(walk: Walk, page: Page) -> None:
    """Give the engine the example's own answer, where the question is one the rules put."""
    for choice in page.choices:
        if choice.right and choice.answer:
            walk.game.submit(Side(page.chair), choice.answer)


def _choice(walk: Walk, page: Page, choice: Choice) -> dict[str, Any]:
    told: dict[str, Any] = {"text": choice.text, "right": choice.right, "legal": choice.legal, "why": choice.why}
    if choice.answer:
        decision = walk.game.decision(Side(page.chair))
        assert decision is not None
        try:
            decision.read(choice.answer)
        except IllegalChoice as refusal:
            told["legal"] = False
            told["refused"] = {"rule": refusal.rule, "reason": refusal.reason}
        else:
            told["legal"] = True
    return told
