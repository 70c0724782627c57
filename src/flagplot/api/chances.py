"""How exact chances are told in JSON and put into rows, and how typed dice are taken one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flagplot.core.errors import PlayerError
from flagplot.odds.exact import Chances, expected

MOST_ROWS = 14  # beyond that numbers are taken together


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


def exact(quantity: Mapping[str, Any]) -> dict[int, Fraction]:
    """The chance of each number."""
    return {int(number): Fraction(each["exact"]) for number, each in quantity["chances"].items()}


def bands(chances: Mapping[int, Fraction]) -> list[tuple[str, Fraction, Fraction]]:
    """Rows of a table: a number or several, their chance, and the chance of so many or more."""
    first, last = min(chances), max(chances)
    width = -(-(last - first + 1) // MOST_ROWS) if last - first >= MOST_ROWS else 1
    rows = []
    for start in range(first, last + 1, width):
        end = min(start + width - 1, last)
        here = sum((chance for number, chance in chances.items() if start <= number <= end), Fraction(0))
        more = sum((chance for number, chance in chances.items() if number >= start), Fraction(0))
        rows.append((str(start) if start == end else f"{start}-{end}", here, more))
    return rows


def within(chances: Mapping[int, Fraction]) -> tuple[int, int]:
    """The numbers between which nine of ten cases lie, one in twenty being left out at either end."""
    low = high = min(chances)
    below = Fraction(0)
    for number, chance in sorted(chances.items()):
        low = number if below <= Fraction(1, 20) else low
        high = number if below < Fraction(19, 20) else high
        below += chance
    return low, high


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
            after = f" after the first {used}" if used else ""
            raise PlayerError(f"{what}: {wanted}{after}, and {len(self.left) or 'none'} {_is(len(self.left))} given")
        taken = tuple(self.left[:number])
        del self.left[:number]
        self.rolls.append({"what": what, "dice": list(taken)})
        return taken

    def all_used(self) -> None:
        """Refuse dice that nobody rolls."""
        if self.left:
            used = self.given - len(self.left)
            extra = " ".join(map(str, self.left[:12]))
            raise PlayerError(f"the dice {extra} are too many: {used or 'none'} {_is(used)} rolled")


def _is(number: int) -> str:
    return "is" if number < 2 else "are"
