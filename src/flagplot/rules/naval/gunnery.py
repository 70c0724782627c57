"""22.55 and 22.552: how hard a shot is, line by line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Counts, Ship, light
from flagplot.tables.naval_nationality import NavalNationality


class Crew(NamedTuple):
    """What the chart asks of a ship: nation, kind, size, and whether supply or oil impairs her."""

    nation: str
    kind: str
    size: int = 1
    impaired: bool = False


@rule("22.552A", "22.552AT", "23.441B")
def nationality_lines(chart: NavalNationality, crew: Crew) -> tuple[tuple[str, int], ...]:
    """22.552A. One ship's Naval Nationality DRM as lines: her nation, then what the chart adds or takes."""
    lines = [(crew.nation, chart.nations.get(crew.nation, 0))]
    if crew.kind == "BB" and crew.size == 5:
        lines.append(("five-factor battleship", chart.five_factor_battleship))
    if crew.kind == "CVL":
        lines.append((f"{crew.nation} light carrier", chart.light_carrier.get(crew.nation, 0)))
    if crew.kind in chart.carrier:
        lines.append((crew.kind, chart.carrier[crew.kind]))
    if crew.kind == "submarine" and crew.nation == "Germany":
        lines.append(("German submarine", chart.german_submarine))
    if crew.impaired:
        lines.append(("partial supply or oil", chart.partial_supply_or_oil))
    return tuple(lines)


@rule("22.552A", "22.552AT", "23.441B")
def nationality_drm(chart: NavalNationality, crew: Crew) -> int:
    """22.552A. The sum of those lines. The chart remembers it: ships are few and shots are many."""
    known = chart.remembered.get(crew)
    if known is None:
        known = chart.remembered[crew] = sum(amount for _, amount in nationality_lines(chart, crew))
    return known


@rule("22.552A.1", "22.552A.3")
def lowest(chart: NavalNationality, crews: Iterable[Crew]) -> Crew:
    """22.552A. Of ships that fire together, or that are shot at as one group, the one with the lowest DRM (RC-50)."""
    return min(crews, key=lambda crew: nationality_drm(chart, crew))


def crews(ships: Iterable[Ship], counts: Counts, impaired: tuple[str, ...]) -> list[Crew]:
    """The crews of these ships."""
    named = [Crew(ship.nation, ship.kind, ship.size, ship.nation in impaired) for ship in ships]
    return named + [Crew(light(key).nation, light(key).kind, 1, light(key).nation in impaired) for key in counts]


@rule("22.55.1", "22.551", "22.552", "22.552A", "22.552B", "22.427.3", "22.427.4", "22.55T.28", "22.55T.29")
def fire_modifiers(
    chart: NavalNationality,
    firing: Iterable[Crew],
    target: Iterable[Crew],
    *,
    tactical: int = 0,
    enemy_tactical: int = 0,
    hampered: bool = False,
    target_hampered: bool = False,
) -> Modifiers:
    """22.552. The modifier of one shot: the firers' DRM against the target's, codebreaking, and hampering activities.

    A named ship as target uses her own DRM; a group of light ships the lowest in it. Tactical codebreaking is an input
    (48.51B, RC-52).
    """
    lines = Modifiers()
    for reason, amount in nationality_lines(chart, lowest(chart, firing)):
        lines = lines.plus("22.552A", reason, amount)
    for reason, amount in nationality_lines(chart, lowest(chart, target)):
        lines = lines.plus("22.552A", f"against {reason}", -amount)
    lines = lines.plus("48.51B", "tactical codebreaking", tactical)
    lines = lines.plus("48.51B", "enemy tactical codebreaking", -enemy_tactical)
    lines = lines.plus("22.552B", "own group is hampered", -1 if hampered else 0)
    return lines.plus("22.552B", "target's group is hampered", 1 if target_hampered else 0)


@rule("22.427", "22.552B")
def is_hampered(group: CombatGroup) -> bool:
    """22.552B. Whether a group's activity lowers its effectiveness: cargo, sea supply, or such a mission sailing empty.

    Carriers and damaged ships make no difference, and several reasons count once (RC-51).
    """
    return group.encumbered or group.unladen
