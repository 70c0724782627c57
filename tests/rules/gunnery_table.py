"""What the tests of gunfire and damage share: a second transcription of two tables, ships, and scripted battles.

Gunnery dice are written as totals of two dice. The default nations are Germany and Britain, whose ships shoot equally
well, so that without further modifiers the total is the column of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario

# The first and last number of fleet factors of a row, its hits for totals of 2 to 12.
FLEET_ROWS = {
    (1, 1): (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1),
    (2, 2): (0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2),
    (3, 3): (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2),
    (4, 4): (0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3),
    (5, 6): (0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3),
    (7, 9): (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4),
    (10, 12): (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5),
    (13, 15): (2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6),
    (16, 18): (2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6),
    (19, 21): (2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7),
    (22, 24): (3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
    (25, 25): (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
}
# Air squadrons, by number.
AIR_ROWS = {
    1: (0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2),
    2: (0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3),
    3: (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4),
    4: (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5),
    5: (2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6),
    6: (2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6),
    7: (2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7),
    8: (3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
    9: (3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
    10: (3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8),
    11: (4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9),
    12: (4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9),
    13: (5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10),
    14: (5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10),
    15: (6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11),
    16: (6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11),
    17: (7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12),
    18: (7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12),
    19: (8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13),
    20: (8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13),
}

Json = dict[str, Any]


def hits_of(factors: int, total: int) -> int:
    """The hits of so many fleet factors at a modified total, by the transcription above."""
    column = min(max(total, 2), 12) - 2
    (row,) = [row for (first, last), row in FLEET_ROWS.items() if first <= factors <= last]
    return row[column]


def two_dice(*totals: int) -> list[int]:
    """Dice that add up to these totals, two for each."""
    dice: list[int] = []
    for total in totals:
        first = min(6, total - 1)
        dice += [first, total - first]
    return dice


# -- one fleet combat through the public interface ------------------------------------------


def ship(id: str, size: int = 4, nation: str = "Germany", kind: str = "BB", **more: Any) -> Json:
    return {"id": id, "name": id, "nation": nation, "kind": kind, "size": size, **more}


def british(id: str, size: int = 4, kind: str = "BB", **more: Any) -> Json:
    return ship(id, size, "Britain", kind, **more)


def group(*ships: Json, light: Mapping[str, int] | None = None, **more: Any) -> Json:
    return {"ships": list(ships), "light": dict(light or {}), **more}


def fight(
    axis: Json,
    allies: Json,
    *totals: int,
    decisions: Sequence[Sequence[Any]] = (),
    options: Mapping[str, str] | None = None,
    **inputs: Any,
) -> Json:
    """One fleet combat; the Axis intercepts, so it rolls first. A total that is not given is 2."""
    dice = two_dice(*totals, *[2] * (30 - len(totals)))
    wanted = {"axis": axis, "allies": allies, **inputs}
    return api.call("fleet_combat_result", wanted, dice=dice, decisions=list(decisions), options=dict(options or {}))


def shots(result: Json, side: str) -> list[Json]:
    return [shot for shot in result["shots"] if shot["side"] == side]


def shot_at(result: Json, side: str, target: str, *, screened: bool = False) -> Json:
    """The only shot of a side at a target."""
    (found,) = [shot for shot in shots(result, side) if shot["target"] == target and bool(shot["screened"]) is screened]
    return found


def targets(result: Json, side: str) -> list[str]:
    return [shot["target"] for shot in shots(result, side)]


def status(result: Json, side: str, id: str) -> str:
    """undamaged, damaged or sunk."""
    afloat = result["sides"][side]["ships"]
    if id in result["sides"][side]["sunk"]:
        return "sunk"
    return afloat[id]["status"]


def light_left(result: Json, side: str) -> dict[str, int]:
    return {key: number for key, number in result["sides"][side]["light"].items() if number}


# -- a whole battle, question by question ------------------------------------------------------


def scenario(
    axis: Iterable[str],
    allies: Iterable[str],
    *,
    interceptor: str = "axis",
    axis_nation: str = "Germany",
    allied_nation: str = "Britain",
    kind: str = "naval battle",
    order_of_battle: str = "hidden",
    first_round: int = 1,
) -> str:
    """A set-up; each force is the inside of its table. Forces named in order A, B, C and X, Y, Z."""
    lines = [
        "format = 1",
        'title = "A test"',
        'theatre = "Europe"',
        f'kind = "{kind}"',
        f'interceptor = "{interceptor}"',
        f"round = {first_round}",
        f'order_of_battle = "{order_of_battle}"',
    ]
    for side, nation, forces, names in (
        ("axis", axis_nation, axis, "ABCDEF"),
        ("allies", allied_nation, allies, "XYZUVW"),
    ):
        lines += [f"[{side}]", f'name = "{nation}"', f'nation = "{nation}"']
        lines += [f"[[{side}.base]]", f'name = "Base of {side}"', "distance = 3"]
        for name, force in zip(names, forces, strict=False):
            lines += [f"[[{side}.force]]", f'name = "{name}"', f'base = "Base of {side}"', force]
    return "\n".join(lines) + "\n"


class PreparedDice:
    """Dice laid out just before they are rolled."""

    name = "prepared"

    def __init__(self) -> None:
        self.next: list[int] = []

    def dice(self, count: int, draw: int) -> list[int]:
        assert len(self.next) == count
        return self.next


class PlayedBattle:
    """A battle in which gunnery totals and answers are written down; search dice are sixes, other answers defaults."""

    def __init__(
        self,
        text: str,
        totals: Sequence[int] = (),
        answers: Sequence[tuple[str, str, Any]] = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.dice = PreparedDice()
        setup = parse_scenario(text, "text").setup
        self.game = Game.new(setup, dice=self.dice, key="00" * 16, options=options)
        self.totals = list(totals)
        self.answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    def _roll(self) -> None:
        due = self.game.roll_due()
        assert due is not None
        if due.rule.startswith("22.45"):
            self.dice.next = [6] * due.dice
        else:
            self.dice.next = two_dice(self.totals.pop(0) if self.totals else 2)
        self.game.roll()

    def until(self, *kinds: str) -> Decide | None:
        """Play on until a question of one of these kinds is open; None if the battle ends before."""
        while not self.game.over:
            if self.game.roll_due():
                self._roll()
                continue
            open_questions = [found for side in Side if (found := self.game.decision(side))]
            for question in open_questions:
                if question.kind in kinds:
                    return question
            question = open_questions[0]
            self.asked.append((question.side.value, question.kind))
            self.game.submit(question.side, self._answer(question))
        return None

    def _answer(self, question: Decide) -> Any:
        for answer in self.answers:
            if answer[:2] == (question.side.value, question.kind):
                self.answers.remove(answer)
                return answer[2]
        return question.form.default

    def to_end_of_round(self) -> PlayedBattle:
        """Play to the first question after fleet combat, or the end."""
        self.until("withdraw")
        return self

    def to_end_of_battle(self) -> PlayedBattle:
        """Play until all is over; somebody must be told to withdraw."""
        self.until()
        return self

    def events(self, kind: type[Event] | None = None) -> list[Any]:
        return [event for event in self.game.events() if kind is None or isinstance(event, kind)]

    def group(self, side: Side, number: int = 1) -> Any:
        return self.game.battle.fleets[side].group(number)
