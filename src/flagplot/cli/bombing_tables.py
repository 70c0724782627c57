"""The printed tables of strategic bombing, air range, escort carriers and the yards, as one would read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.cli.asked import Asked, Shown, number, rules_of
from flagplot.core.errors import UnknownName
from flagplot.tables.carrier_effects import BOXES
from flagplot.tables.naval_repair import Cost

BOMBING_LINES = {
    "per_flak_factor": "target strength: each flak factor",
    "per_airbase": "target strength: each airbase counter",
    "per_objective": "target strength: each objective",
    "per_anchor": "target strength: each anchor",
    "per_city_or_port": "target strength: each city or port",
    "fortification": "target strength: a fortification",
    "fortress": "target strength: a fortress",
    "box": "target strength: a mapboard box, always",
    "army_air_to_a_bomber": "AAF of which one bombs",
    "jet_strength": "factors a jet counts for in air combat",
    "most_japanese_army_air": "Japanese AAF that may bomb in a turn",
    "per_first_number": "BRPs for each number before the stroke",
    "per_second_number": "BRPs for each number after the stroke",
    "per_additional_loss": "BRPs for each additional loss",
    "brps_to_a_construction_point": "BRPs lost to bombers or flying bombs for each point of construction limit",
    "damage_to_a_marker": "damage for each damage marker",
    "plant_destroyed_by": "markers that destroy a synthetic oil plant",
    "firestorm": "damage in one turn that makes a firestorm",
    "vladivostok_and_irkutsk": "taken from the Russian base for the value of the Urals box",
    "flying_bomb_salvo": "BRPs of a salvo of flying bombs",
    "rocket_salvo": "BRPs of a salvo of rockets",
    "per_defender": "taken from flying bombs for each interceptor or AAF",
    "per_defending_jet": "taken from flying bombs for each jet",
    "base_eliminated_by": "damage that eliminates a rocket base",
    "atomic_rocket_result": "rocket result an atomic rocket takes",
    "atomic_rocket_range": "hexes an atomic rocket flies in",
    "bases_by_result": "rocket bases with a result of",
    "box_values": "BRPs of the",
    "us_box_results": "air range results to bomb from or against the U.S. boxes",
    "production_from": "first year of production of bombers for",
}


def air_range(asked: Asked) -> Shown:
    """17.72, 17.82: ranges by air range results."""
    row = number(asked, "row", "air range results")
    table = rules_of(asked).air_range
    try:
        rows = dict(enumerate(table.rows)) if row is None else {row: table.read(row)}
    except ValueError as mistake:
        raise UnknownName(str(mistake)) from None
    lines: list[list[Any]] = []
    found = []
    for results, each in rows.items():
        ranges = [f(theatre) for theatre in ("Europe", "Pacific") for f in (each.bombers.get, each.interceptors.get)]
        lines.append([results, *ranges, each.sw])
        found.append({"results": results, "bombers": each.bombers, "interceptors": each.interceptors, "sw": each.sw})
    headings = ("results", "bombers E", "inter. E", "bombers P", "inter. P", "SW, raiders")
    whole = {"table": "air-range", "rows": found, "army_air": table.army_air, "excess": table.excess}
    return (whole if row is None else {"table": "air-range", **found[0]}), headings, lines


def carrier_effects(asked: Asked) -> Shown:
    """25.64: what CVEs do in an SW box."""
    row = number(asked, "row", "CVEs")
    table = rules_of(asked).carrier_effects
    headings = ("CVEs", "submarines Atlantic", "raiders Atlantic", "submarines elsewhere", "raiders elsewhere")
    first, other = BOXES[0], BOXES[1]
    if row is not None and row < 0:
        raise UnknownName(f"{row} is no number of CVEs")
    cves = {table.label(place): each.cves for place, each in enumerate(table.rows)} if row is None else {str(row): row}
    read = {
        label: [f(box, many) for box in (first, other) for f in (table.submarine_warfare, table.raiders)]
        for label, many in cves.items()
    }
    found = [
        {
            "cves": label,
            "atlantic": {"submarines": values[0], "raiders": values[1]},
            "elsewhere": {"submarines": values[2], "raiders": values[3]},
        }
        for label, values in read.items()
    ]
    lines: list[list[Any]] = [[label, *(f"{value:+d}" for value in values)] for label, values in read.items()]
    return {"table": "carrier-effects", **(found[0] if row is not None else {"rows": found})}, headings, lines


def naval_repair(asked: Asked) -> Shown:
    """27.721: turns and shipbuilding points."""
    table = rules_of(asked).repair
    found = {unit: {"repair": _cost(row.repair), "new": _cost(row.new)} for unit, row in table.rows.items()}
    lines: list[list[Any]] = [[unit, *_cells(row.repair), *_cells(row.new)] for unit, row in table.rows.items()]
    lines.append(
        ["raising a named ship sunk in port", "", table.raising.shipbuilding, f"{table.raising_brps} BRPs", ""]
    )
    headings = ("unit", "repair: turns", "points", "new: turns", "points")
    raising = {"shipbuilding": table.raising.shipbuilding, "brps": table.raising_brps}
    return {"table": "naval-repair", "units": found, "raising": raising}, headings, lines


def _cost(cost: Cost | None) -> dict[str, int] | None:
    return None if cost is None else cost._asdict()


def _cells(cost: Cost | None) -> list[Any]:
    return ["never damaged", ""] if cost is None else [cost.turns or "at once", cost.shipbuilding or "free"]


def bombing(asked: Asked) -> Shown:
    """26: the numbers of strategic bombing, flying bombs and rockets."""
    values = rules_of(asked).bombing._asdict()
    lines: list[list[Any]] = []
    found: dict[str, Any] = {"table": "bombing"}
    for key, about in BOMBING_LINES.items():
        value = values[key]
        found[key] = {str(name): each for name, each in value.items()} if isinstance(value, Mapping) else value
        if isinstance(value, Mapping):
            lines += [[f"{about} {name}", each] for name, each in value.items()]
        else:
            lines.append([about, value])
    found["targets"] = {country: list(names) for country, names in values["targets"].items()}
    found["box_cover"] = {f"{box} against {nation}": front for (box, nation), front in values["box_cover"].items()}
    found["fronts"] = {theatre: list(names) for theatre, names in values["fronts"].items()}
    lines += [[f"targets in {country}", ", ".join(names)] for country, names in found["targets"].items()]
    lines += [[f"front that covers the {where}", front] for where, front in found["box_cover"].items()]
    return found, ("line", "number"), lines
