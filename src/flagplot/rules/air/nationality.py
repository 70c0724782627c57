"""23.441A: how good an air unit is, line by line."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.core.rulebook import rule
from flagplot.tables.air_nationality import AirNationality


class AirCrew(NamedTuple):
    """What the chart asks of an air unit: nation, kind, training, and what impairs it.

    Kinds: AAS, NAS, KAM, JET, ATR, AAF, and INT for interceptors. `impaired` is partial supply or air oil effects,
    `winter` a winter effect of 8 or more.
    """

    nation: str
    kind: str
    elite: bool = False
    impaired: bool = False
    winter: bool = False


@rule("23.441A")
def air_nationality_lines(chart: AirNationality, crew: AirCrew) -> tuple[tuple[str, int], ...]:
    """23.441A. One unit's Air Nationality DRM as lines: its nation, then what the chart adds or takes."""
    lines = [(crew.nation, chart.nations.get(crew.nation, 0))]
    if crew.kind == "NAS" and crew.nation == "Japan" and crew.elite:
        lines.append(("elite Japanese naval air", chart.elite_japanese_naval_air))
    if crew.kind == "INT":
        lines.append(("interceptors", chart.interceptors))
    if crew.kind == "NAS" and crew.nation == "Britain":
        lines.append(("British naval air", chart.british_naval_air))
    if crew.winter:
        lines.append(("winter effect of 8 or more", chart.winter))
    if crew.impaired:
        lines.append(("partial supply or air oil", chart.partial_supply_or_oil))
    return tuple(lines)


def air_nationality_drm(chart: AirNationality, crew: AirCrew) -> int:
    """The sum of those lines. The chart remembers it: crews are few and rolls are many."""
    known = chart.remembered.get(crew)
    if known is None:
        known = chart.remembered[crew] = sum(amount for _, amount in air_nationality_lines(chart, crew))
    return known
