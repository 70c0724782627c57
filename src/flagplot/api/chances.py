"""How exact chances are told in JSON, and how typed dice are taken one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flagplot.core.errors import PlayerError
from flagplot.odds.strategic import Chances, expected


def chance(exact: Fraction) -> dict[str, Any]:
    """A chance as a number and as a fraction."""
    return {"chance": round(float(exact), 6), "exact": str(exact)}


def quantity(chances: Chances) -> dict[str, Any]:
    """The chance of each number, and what it comes to on the average."""
    average = expected(chances)
    return {
        "expected": round(float(average), 6),
        "exact": str(average),
        "chances": {str(number): chance(exact) for number, exact in chances.items()},
    }


def quantities(told: Mapping[str, Chances]) -> dict[str, Any]:
    """Several numbers, each with its chances."""
    return {name: quantity(chances) for name, chances in told.items()}


class Dice:
    """Dice that were typed, taken in their order; what each of them was for is remembered."""

    def __init__(self, dice: Sequence[int]) -> None:
        self.left = list(dice)
        self.given = len(self.left)
        self.rolls: list[dict[str, Any]] = []

    def take(self, number: int, what: str) -> tuple[int, ...]:
        """The next dice."""
        if len(self.left) < number:
            used = self.given - len(self.left)
            wanted = "one die" if number == 1 else f"{number} dice"
            raise PlayerError(f"{what}: {wanted} more after the first {used}, and {len(self.left)} are given")
        taken = tuple(self.left[:number])
        del self.left[:number]
        self.rolls.append({"what": what, "dice": list(taken)})
        return taken

    def all_used(self) -> None:
        """Refuse dice that nobody rolls."""
        if self.left:
            used = self.given - len(self.left)
            extra = " ".join(map(str, self.left[:12]))
            raise PlayerError(f"the dice {extra} are too many: {used} are rolled")
