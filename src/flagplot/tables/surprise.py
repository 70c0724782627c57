"""Surprise Table (23.7413): what a surprise air strike gains. Edition: current, from the table under 23.7413, and 2008,
from the charts, where it is that of 22.463.

A level has every effect of the lower ones; only the number of defending squadrons kept out is that of the level itself,
not a sum (AN-18). A level below 1 has no effect (AN-32). In 2008 shares of the defending air are kept out instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from flagplot.core.rulebook import rule

FEWER: dict[int, int] = {4: 1, 5: 2, 6: 3, 7: 4}
SEARCH_RESULTS: dict[int, int] = {1: 0, 2: 1, 3: 2}
ALL_THIRDS = 3


class SurpriseEffects(NamedTuple):
    """What a surprise level does."""

    patrol_bonus_lost: bool
    air_defense: int
    attack_bonus: int
    fewer_defenders: int
    critical_hit_roll: bool
    thirds_engaging: int = ALL_THIRDS  # of the defending air
    air_defense_roll: bool = True


@dataclass(frozen=True)
class SurpriseTable:
    """The level from which each effect holds, how large it is, and what modifies the die."""

    no_patrol_bonus_from: int = 1
    air_defense_from: int = 2
    air_defense: int = -1
    attack_bonus_from: int = 3
    attack_bonus: int = 1
    fewer: Mapping[int, int] = field(default_factory=lambda: FEWER)  # squadrons kept out, by level
    critical_from: int = 7
    search_results: Mapping[int, int] = field(default_factory=lambda: SEARCH_RESULTS)
    radar: int = -1
    earlier_strike: int = 0  # for each earlier strike on the same group this round
    every_strike: bool = False  # whether later strikes of a side that was not found surprise too (FP-90)
    thirds: Mapping[int, int] = field(default_factory=dict)  # of the defending air that engage, by level
    no_air_defense_from: int | None = None
    level_rule: str = "23.7413"  # the numbers its lines bear
    attack_rule: str = "23.441C"
    search_rule: str = "23.74122A"
    radar_rule: str = "23.74122B"
    strikes_rule: str = ""

    @rule("23.7413T")
    def fewer_defenders(self, level: int) -> int:
        """23.7413. How many defending squadrons in all are kept out of air combat (AN-18)."""
        return _last_line(self.fewer, level)

    @rule("23.7413T", "22.463T.4", "22.463T.5", "22.463T.6")
    def kept_out(self, level: int, defenders: int) -> int:
        """23.7413. How many of these defending squadrons a surprise keeps out of air combat; of shares, what engages is
        rounded up."""
        engaging = -(-defenders * self.effects(level).thirds_engaging // ALL_THIRDS)
        return max(min(self.fewer_defenders(level), defenders), defenders - engaging)

    @rule("23.74122A", "23.7413T", "22.463T")
    def for_results(self, results: int) -> int:
        """23.74122A. What search results on the struck group add to the surprise die; three stands for more (AN-32)."""
        return _last_line(self.search_results, results)

    @rule("23.7413", "23.7413T", "22.463T")
    def effects(self, level: int) -> SurpriseEffects:
        """23.7413. Everything a surprise level does, lower levels included."""
        return SurpriseEffects(
            patrol_bonus_lost=level >= self.no_patrol_bonus_from,
            air_defense=self.air_defense if level >= self.air_defense_from else 0,
            attack_bonus=self.attack_bonus if level >= self.attack_bonus_from else 0,
            fewer_defenders=self.fewer_defenders(level),
            critical_hit_roll=level >= self.critical_from,
            thirds_engaging=_last_line({0: ALL_THIRDS, **self.thirds}, max(0, level)),
            air_defense_roll=self.no_air_defense_from is None or level < self.no_air_defense_from,
        )


def _last_line(lines: Mapping[int, int], reached: int) -> int:
    """What the last line reached says; nothing below the first."""
    return max(((begins, amount) for begins, amount in lines.items() if begins <= reached), default=(0, 0))[1]


OF_2008 = SurpriseTable(
    fewer={},
    thirds={4: 2, 5: 1, 6: 0},
    no_air_defense_from=7,
    earlier_strike=-1,
    every_strike=True,
    level_rule="22.463",
    attack_rule="22.463",
    search_rule="22.463",
    radar_rule="22.463",
    strikes_rule="22.463",
)
