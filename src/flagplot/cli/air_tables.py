"""The printed tables of air and submarine combat, read as one would read them at the table."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flagplot.api import air_tables as tables
from flagplot.cli.asked import COLUMNS, Asked, Shown, listed_nation, number, rules_of
from flagplot.core.errors import UnknownName
from flagplot.tables.results import ResultTable


def air_combat(asked: Asked) -> Shown:
    """19.2: enemies eliminated and aborted."""
    return _results(rules_of(asked).air_combat, "air-combat", "squadrons or factors", asked, {})


def air_defense(asked: Asked) -> Shown:
    """23.42: attackers eliminated and aborted, and what makes up the level."""
    about = {"level": rules_of(asked).air_defense_level._asdict()}
    return _results(rules_of(asked).air_defense, "air-defense", "air defense levels", asked, about)


def _results(table: ResultTable, name: str, rows: str, asked: Asked, about: dict[str, Any]) -> Shown:
    row, roll = number(asked, "row", rows), number(asked, "roll", "pips")
    labels = [str(column) for column in COLUMNS]
    if row is None:
        printed = [
            {"row": label, "results": dict(zip(labels, results, strict=True))}
            for label, results in enumerate(table.rows, start=1)
        ]
        lines: list[list[Any]] = [[label, *results] for label, results in enumerate(table.rows, start=1)]
        return {"table": name, "rows": printed, **about}, ("row", *labels), lines
    try:
        readings = {column: table.read(row, column) for column in COLUMNS}
    except ValueError as mistake:
        raise UnknownName(str(mistake)) from None
    read: dict[str, Any] = {"table": name, "row": row, "rows": list(readings[COLUMNS[0]].rows)}
    if roll is None:
        results = {str(column): reading.result for column, reading in readings.items()}
        lines = [[column, result.eliminated, result.aborted] for column, result in results.items()]
        return {**read, "results": results}, (f"row {row}: roll", "eliminated", "aborted"), lines
    reading = table.read(row, roll)
    found = {
        **read,
        "roll": roll,
        "column": reading.column,
        "results_by_row": reading.results,
        "eliminated": reading.eliminated,
        "aborted": reading.aborted,
    }
    line = [" and ".join(reading.rows), roll, reading.column, reading.eliminated, reading.aborted]
    return found, ("row", "roll", "column", "eliminated", "aborted"), [line]


def air_nationality(asked: Asked) -> Shown:
    """23.441A: the DRM of each nation's air units."""
    chart = rules_of(asked).air_nationality
    nation = asked["nation"]
    if nation is not None:
        name = listed_nation(nation, chart.nations)
        drm = chart.nations[name]
        return {"table": "air-nationality", "nation": name, "drm": drm}, ("nation", "DRM"), [[name, f"{drm:+d}"]]
    extra = {
        "elite Japanese naval air": chart.elite_japanese_naval_air,
        "interceptors": chart.interceptors,
        "British naval air": chart.british_naval_air,
        "winter effect of 8 or more": chart.winter,
        "partial supply or air oil": chart.partial_supply_or_oil,
    }
    lines: list[list[Any]] = [[name, f"{amount:+d}"] for name, amount in (*chart.nations.items(), *extra.items())]
    found = {"table": "air-nationality", "nations": chart.nations, "modifiers": extra}
    return found, ("nation or air unit", "DRM"), lines


def surprise(asked: Asked) -> Shown:
    """23.7413: what a surprise level does, or from which level each effect holds."""
    roll = number(asked, "roll", "pips")
    table = rules_of(asked).surprise
    if roll is not None:
        found = {"table": "surprise", "roll": roll, **tables.surprise_effects(rules=rules_of(asked), level=roll)}
        return found, (f"at surprise level {roll}",), [[effect] for effect in found["effects"] or ["no effect"]]
    lines: list[list[Any]] = [
        ["combat air patrol loses its bonus in air combat", table.no_patrol_bonus_from, ""],
        ["air defense level", table.air_defense_from, f"{table.air_defense:+d}"],
        ["air attack rolls", table.attack_bonus_from, f"{table.attack_bonus:+d}"],
        *(["defending squadrons in air combat, in all", level, f"{-fewer:+d}"] for level, fewer in table.fewer.items()),
        *(["thirds of the defending air that engage", level, thirds] for level, thirds in table.thirds.items()),
        *([["air defense is not rolled", table.no_air_defense_from, ""]] if table.no_air_defense_from else []),
        ["critical hit roll against a named ship damaged by air", table.critical_from, ""],
        *(
            [f"surprise die, search results on the group: {results}", "", f"{amount:+d}"]
            for results, amount in table.search_results.items()
        ),
        ["surprise die, each radar result of the defender", "", f"{table.radar:+d}"],
    ]
    if table.earlier_strike:
        lines.append(["surprise die, each earlier strike on the group", "", f"{table.earlier_strike:+d}"])
    printed = {key: value for key, value in asdict(table).items() if value and not key.endswith("_rule")}
    return {"table": "surprise", **printed}, ("effect or modifier", "from level", "amount"), lines


def submarine_attack(asked: Asked) -> Shown:
    """22.94: hits of one submarine factor, or its loss."""
    roll = number(asked, "roll", "pips")
    table = rules_of(asked).submarine
    if roll is not None:
        result = table.read(roll)
        line = [roll, result.column, result.hits, "yes" if result.submarine_lost else "no"]
        found = {"table": "submarine-attack", "roll": roll, **result._asdict()}
        return found, ("roll", "column", "hits", "submarine lost"), [line]
    readings = {str(column): table.read(column) for column in table.columns}
    hits = {column: reading.hits for column, reading in readings.items()}
    values = {key: value for key, value in table._asdict().items() if key != "hits"}
    cells = ["lost" if reading.submarine_lost else reading.hits for reading in readings.values()]
    return {"table": "submarine-attack", "hits": hits, **values}, ("roll", *hits), [["hits", *cells]]
