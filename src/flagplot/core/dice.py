"""Where dice come from. A source gives `count` dice for the draws numbered from `draw` on.

System dice are the default. A script is for examples, tests and batches of real dice written down beforehand. Typed
dice are asked of a person. Live play never uses a predictable generator.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

from flagplot.core.errors import PlayerError


class DiceSource(Protocol):
    """Gives dice."""

    name: str

    def dice(self, count: int, draw: int) -> list[int]:
        """`count` dice from 1 to 6, for the draws numbered from `draw` on."""


class SystemDice:
    """The operating system's own randomness."""

    name = "system"

    def dice(self, count: int, draw: int) -> list[int]:
        """Dice nobody chose."""
        return [secrets.randbelow(6) + 1 for _ in range(count)]


class ScriptedDice:
    """Dice written down beforehand: draw number k is the k-th of them."""

    name = "script"

    def __init__(self, script: Sequence[int]) -> None:
        self.script = list(script)

    def dice(self, count: int, draw: int) -> list[int]:
        """The next dice of the script."""
        if draw + count > len(self.script):
            raise PlayerError(
                f"the dice script ends after {len(self.script)} dice; {draw + count} are needed here. Add dice to it."
            )
        return self.script[draw : draw + count]


class TypedDice:
    """Real dice, typed in by a person."""

    name = "typed"

    def __init__(self, ask: Callable[[int], list[int]]) -> None:
        self.ask = ask

    def dice(self, count: int, draw: int) -> list[int]:
        """What the person typed."""
        return self.ask(count)
