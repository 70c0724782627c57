"""Ships, light ships, squadrons and air bases as JSON: what battle and operation are both shown with.

What is handed in here is known to whoever is shown it; `mine` says whether it is also his own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.model.ships import LIGHT_KINDS, Ship, light
from flagplot.model.squadrons import AirBase, squadron_label


def ship(one: Ship, *, mine: bool) -> dict[str, Any]:
    """A named ship."""
    return {
        "id": one.id,
        "name": one.name,
        "nation": one.nation,
        "kind": one.kind,
        "size": one.size,
        "hits": one.hits,
        "damaged": one.damaged,
        "fast": one.fast,
        "carrier": one.is_carrier,
        "air": squadrons(one.wing) if mine else [],
    }


def light_ships(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Light ships as counts, cruisers first."""
    ordered = sorted(counts.items(), key=lambda pair: (LIGHT_KINDS.index(light(pair[0]).kind), pair[0]))
    return [
        {"key": key, "nation": light(key).nation, "kind": light(key).kind, "state": light(key).state, "number": number}
        for key, number in ordered
    ]


def squadrons(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Squadrons as counts."""
    return [{"key": key, "label": squadron_label(key), "number": number} for key, number in counts.items() if number]


def air_base(base: AirBase) -> dict[str, Any]:
    """A land base: what lies on the board lies open."""
    return {
        "name": base.name,
        "distance": base.distance,
        "operational": base.operational,
        "factors": squadrons(base.factors),
        "squadrons": squadrons(base.squadrons),
        "inverted": squadrons(base.inverted) + squadrons(base.inverted_factors),
        "used": squadrons(base.used),
    }
