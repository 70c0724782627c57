"""19.3, 23.415, 23.441A: who is better in the air, line by line.

We do not hold 19.3: modifiers are relative, what one side gains the other loses (AN-15), and the lowest DRM among the
squadrons concerned counts (AN-16).
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.air_fold import INVERTED
from flagplot.model.squadrons import Counts, squadron, total
from flagplot.model.state import Fleet
from flagplot.rules.air.nationality import AirCrew, air_nationality_drm, air_nationality_lines
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.air_nationality import AirNationality

JETS_FOR_ONE = 3  # 19.3: jet squadrons that make a difference of one


def crew(fleet: Fleet, key: str) -> AirCrew:
    """What the chart asks of a squadron of this fleet; supply, oil and winter hold for nations or for single bases."""
    nation, kind, state, base = squadron(key.removesuffix(INVERTED))
    impaired = nation in fleet.impaired_air or base in fleet.impaired_air
    winter = nation in fleet.winter_air or base in fleet.winter_air
    return AirCrew(nation, kind, state == "elite", impaired, winter)


def crews(fleet: Fleet, counts: Counts) -> list[AirCrew]:
    """The crews of these squadrons, one of each kind."""
    return [crew(fleet, key) for key in counts]


@rule("23.441A", "23.73")
def squadron_drm(rules: Ruleset, fleet: Fleet, key: str) -> int:
    """23.441A. A squadron's Air Nationality DRM with all that the chart adds or takes (AN-35)."""
    return air_nationality_drm(rules.air_nationality, crew(fleet, key))


def lowest_crew(chart: AirNationality, members: Iterable[AirCrew]) -> AirCrew:
    """Of squadrons that act together, the one with the lowest DRM (AN-16)."""
    return min(members, key=lambda member: air_nationality_drm(chart, member))


def jets(counts: Counts, *, whole: bool = False) -> int:
    """How many jet squadrons these are, or jet factors of three."""
    number = total({key: number for key, number in counts.items() if squadron(key).kind == "JET"})
    return JETS_FOR_ONE * number if whole else number


@rule("23.415B.4", "23.415D", "23.415E.1", "23.441A")
def air_combat_modifiers(
    chart: AirNationality,
    attackers: Iterable[AirCrew],
    defenders: Iterable[AirCrew],
    *,
    patrol_bonus: bool,
    attacking_jets: int,
    defending_jets: int,
) -> Modifiers:
    """23.415D. The attacker's modifier in air combat; the defender's is the opposite (AN-15).

    Only squadrons that fight count. The patrol's advantage is its alone: cover beside it, or surprise, takes it away
    (AN-17). Jets are an advantage of one for every three squadrons (19.3).
    """
    lines = Modifiers()
    for reason, amount in air_nationality_lines(chart, lowest_crew(chart, attackers)):
        lines = lines.plus("23.441A", reason, amount)
    for reason, amount in air_nationality_lines(chart, lowest_crew(chart, defenders)):
        lines = lines.plus("23.441A", f"against {reason}", -amount)
    lines = lines.plus("19.3", "jets", attacking_jets // JETS_FOR_ONE)
    lines = lines.plus("19.3", "enemy jets", -(defending_jets // JETS_FOR_ONE))
    return lines.plus("23.415D", "combat air patrol", -1 if patrol_bonus else 0)


def modifiers_between(
    table: Table, side: Side, attackers: Counts, defenders: Counts, *, patrol_bonus: bool = False, whole: bool = False
) -> Modifiers:
    """The modifier of one side's squadrons, or of its factors if they are `whole`, against the other's."""
    return air_combat_modifiers(
        table.rules.air_nationality,
        crews(table.fleet(side), attackers),
        crews(table.fleet(side.enemy), defenders),
        patrol_bonus=patrol_bonus,
        attacking_jets=jets(attackers, whole=whole),
        defending_jets=jets(defenders, whole=whole),
    )
