"""How what players write of strategic bombing (26) becomes values of the model: units, fronts, theatres, targets, markers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from flagplot.api.interception import theatre_called
from flagplot.api.sw_shapes import box_spelled, holder_spelled, mapboard_box_called, nation_spelled, place_spelled
from flagplot.core.errors import PlayerError
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import AirUnit, BombingTarget, TargetKind
from flagplot.rules.strategic import bombing_effects as effects
from flagplot.rules.strategic import bombing_targets as targets
from flagplot.rules.table import Ruleset
from flagplot.tables.strategic_bombing import US_BOXES

MARKERS = (*targets.STRUCK, "damage")


def unit_spelled(rules: Ruleset, unit: AirUnit) -> AirUnit:
    """The unit with names as the rules spell them."""
    return replace(
        unit,
        nation=nation_spelled(unit.nation),
        base_nation=nation_spelled(unit.base_nation),
        base_supplied_by=nation_spelled(unit.base_supplied_by),
        base_front=front_spelled(rules, unit.base_front),
        in_box=mapboard_box_or(unit.in_box),
    )


def target_spelled(rules: Ruleset, target: BombingTarget) -> BombingTarget:
    """The target with names as the rules spell them; a mapboard box is one, and its power's, whatever else is said."""
    name = place_spelled(target.name, _listed(rules))
    country = nation_spelled(target.country)
    box = mapboard_box_or(name) if target.kind in (TargetKind.CITY, TargetKind.BOX) else ""
    if box in effects.BOX_POWERS:
        return replace(target, name=box, country=effects.BOX_POWERS[box], kind=TargetKind.BOX, controller="")
    return replace(target, name=name, country=country, controller=holder_spelled(target.controller, country))


def mapboard_box(name: str) -> str:
    """A mapboard box that may be bombed as the rules spell it, "" if none is said; one of the U.S. boxes is as good as the
    other. Any other name is refused."""
    return mapboard_box_called(_american(name))


def mapboard_box_or(name: str) -> str:
    """A mapboard box as the rules spell it; any other name as it is."""
    return box_spelled(_american(name))


def _american(name: str) -> str:
    written = re.fullmatch(r"(the )?(u\.?s\.?a?|united states|american)( box(es)?)?", name.strip().lower())
    return US_BOXES[0] if written else name


def front_spelled(rules: Ruleset, name: str) -> str:
    """A front as the rules spell it, with "front" or without, whatever its capitals; any other name as it is."""
    plain = re.sub(r"[ -]front$", "", name.strip(), flags=re.IGNORECASE)
    return place_spelled(plain, [front for fronts in rules.bombing.fronts.values() for front in fronts])


def theatre_at(rules: Ruleset, theatre: str, *fronts: str) -> str:
    """The theatre as it is said; unsaid, that of the first of these fronts that is one, and Europe if none is."""
    if theatre:
        return theatre_called(theatre)
    found = (where for front in fronts for where, known in rules.bombing.fronts.items() if front in known)
    return next(found, "Europe")


def markers_spelled(markers: Iterable[str]) -> tuple[str, ...]:
    """Markers as the rules spell them: firestorm, atomic for an atomic attack, damage, which strikes no city."""
    spelled = []
    for marker in markers:
        plain = re.sub(r"( attack)?( marker)?s?$", "", marker.strip().lower())
        if plain not in MARKERS:
            raise PlayerError(f"{marker[:40]!r} is no marker of a hex; there are {', '.join(MARKERS)}")
        spelled.append(plain)
    return tuple(spelled)


def _listed(rules: Ruleset) -> list[str]:
    return [name for names in rules.bombing.targets.values() for name in names]


def secondary_target(target: BombingTarget, areas: dict[str, list[str]] | None) -> Verdict:
    """Whether a city may be bombed as a secondary target (26.32), names and markers spelled as they may be."""
    struck = {area: markers_spelled(markers) for area, markers in (areas or {}).items()}
    return targets.secondary_target(
        replace(target, adjacent=tuple(place_spelled(area, struck) for area in target.adjacent)), struck
    )
