"""Submarine limits by nation, box and turn (25.13). Edition: current. Source: the lists under 25.13A, C and E (SR-17).

A step says from which turn a limit holds. From Winter 1942 the German limit in the Atlantic rises by one each turn and
goes on rising; the others keep their last value. Whoever is not listed for a box may not fight there.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule
from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, PACIFIC, UNITED_STATES, Turn

Steps = tuple[tuple[Turn, int], ...]


def _steps(*steps: tuple[int, int, int]) -> Steps:
    return tuple((Turn(year, season), limit) for year, season, limit in steps)


_SPRING, _FALL, _WINTER = 0, 2, 3
GERMAN_ATLANTIC = _steps(
    (1939, _FALL, 1),
    (1939, _WINTER, 2),
    (1940, _FALL, 3),
    (1941, _SPRING, 4),
    (1941, _FALL, 5),
    (1942, _SPRING, 6),
    (1942, _FALL, 7),
    (1942, _WINTER, 8),
)
GERMAN_INDIAN_OCEAN = _steps(
    (1939, _FALL, 1), (1942, _SPRING, 2), (1943, _SPRING, 3), (1944, _SPRING, 4), (1945, _SPRING, 5), (1946, _SPRING, 6)
)
JAPANESE = _steps(
    (1939, _FALL, 1), (1943, _SPRING, 2), (1944, _SPRING, 3), (1945, _SPRING, 4), (1946, _SPRING, 5)
)  # both boxes together
AMERICAN = _steps(
    (1939, _FALL, 1), (1943, _SPRING, 2), (1943, _FALL, 3), (1944, _SPRING, 4), (1944, _FALL, 5), (1945, _SPRING, 6)
)


class SubmarineLimits(NamedTuple):
    """How many submarines may conduct submarine warfare in a turn."""

    german_atlantic: Steps = GERMAN_ATLANTIC
    german_indian_ocean: Steps = GERMAN_INDIAN_OCEAN
    japanese: Steps = JAPANESE
    american: Steps = AMERICAN
    german_rise: int = 1  # a turn, after the last step

    @rule("25.13A", "25.13B", "25.13C", "25.13D", "25.13E")
    def limit(self, nation: str, box: str, turn: Turn) -> int:
        """25.13. The most of a nation's submarines that may fight in a box in a turn; Japan's is for both its boxes."""
        listed: dict[tuple[str, str], Steps] = {
            (GERMANY, ATLANTIC): self.german_atlantic,
            (GERMANY, INDIAN_OCEAN): self.german_indian_ocean,
            (JAPAN, INDIAN_OCEAN): self.japanese,
            (JAPAN, PACIFIC): self.japanese,
            (UNITED_STATES, PACIFIC): self.american,
        }
        steps = listed.get((nation, box), ())
        reached = [limit for since, limit in steps if since <= turn]
        last = self.german_atlantic[-1][0]
        rising = self.german_rise * max(0, turn.since(last)) if (nation, box) == (GERMANY, ATLANTIC) else 0
        return (reached[-1] if reached else 0) + rising
