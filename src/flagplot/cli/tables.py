"""The printed tables, read as one would read them at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from flagplot.cli.air_tables import air_combat, air_defense, air_nationality, submarine_attack, surprise
from flagplot.cli.asked import COLUMNS, Asked, Shown, listed_nation, number, rules_of
from flagplot.cli.bombing_tables import air_range, bombing, carrier_effects, naval_repair
from flagplot.cli.command_options import Edition, Json, Option, rules_chosen
from flagplot.cli.sw_tables import raider, submarine_limits, sw_combat
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import PlayerError, UnknownName
from flagplot.tables.activity_dice import ANY_RANGE


def table(
    name: Annotated[
        str,
        typer.Argument(
            help="naval-attack, naval-nationality, search, interception, air-combat, air-defense, air-nationality, surprise, "
            "submarine-attack, sw-combat, raider, submarine-limits, air-range, carrier-effects, naval-repair or bombing; "
            "without one, all are listed."
        ),
    ] = "",
    fleet: Annotated[str | None, typer.Option(metavar="FACTORS", help="naval-attack: fleet factors that fire.")] = None,
    air: Annotated[
        str | None, typer.Option(metavar="SQUADRONS", help="naval-attack: air squadrons that attack.")
    ] = None,
    row: Annotated[
        str | None,
        typer.Option(
            metavar="ROW",
            help="air-combat: squadrons or factors that fight; air-defense: the level; air-range: results; "
            "carrier-effects: CVEs; sw-combat: SW factors.",
        ),
    ] = None,
    roll: Annotated[
        str | None, typer.Option(metavar="ROLL", help="The modified roll; surprise: the modified level.")
    ] = None,
    nation: Annotated[str | None, typer.Option(help="naval-nationality, air-nationality: one nation.")] = None,
    edition: Edition = "current",
    option: Option = None,
    json: Json = False,
) -> None:
    """Read a printed table, or show it whole.

    [bold]flagplot table[/bold] lists them.

    [bold]flagplot table naval-attack --fleet 12 --roll 7[/bold]

    [bold]flagplot table naval-attack --air 4 --roll 7[/bold]

    [bold]flagplot table naval-nationality --nation Japan[/bold]

    [bold]flagplot table air-combat --row 16 --roll 7[/bold]

    [bold]flagplot table surprise --roll 5[/bold]

    [bold]flagplot table sw-combat --row 20 --roll 12[/bold]

    [bold]flagplot table surprise --edition 2008[/bold]
    """
    rules = rules_chosen(edition, option)
    found: Any
    headings: tuple[str, ...]
    lines: list[list[Any]]
    if not name:
        found = {key: about for key, (about, _) in TABLES.items()}
        headings, lines = ("table", "what it says"), [[key, about] for key, about in found.items()]
    elif name in TABLES:
        asked = {"fleet": fleet, "air": air, "row": row, "roll": roll, "nation": nation, "rules": rules}
        found, headings, lines = TABLES[name][1](asked)
        found = {**found, **rules.beside}
    else:
        raise UnknownName(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    if wants_json(json):
        print_json(found)
        return
    shown = Table(box=box.SIMPLE_HEAD)
    for heading in headings:
        shown.add_column(heading, justify="right" if name and heading != headings[0] else "left")
    for line in lines:
        shown.add_row(*map(str, line))
    if name:
        about = re.sub(r"\d\d\.\w+", lambda number: rules.number(number[0]), TABLES[name][0])
        console().print(f"\n  {name.replace('-', ' ').capitalize()}: {about}", style="heading")
        console().print(f"  {rules.words}", style="quiet")
    console().print(shown)


def _naval_attack(asked: Asked) -> Shown:
    attack = rules_of(asked).attack
    fleet, air = number(asked, "fleet", "fleet factors"), number(asked, "air", "air squadrons")
    roll = number(asked, "roll", "pips")
    if fleet is not None and air is not None:
        raise PlayerError("give --fleet or --air, not both: each reads its own column of rows")
    if fleet is None and air is None:
        rows = [
            {
                "air": row.squadrons or None,
                "fleet": row.label,
                "hits": dict(zip(map(str, COLUMNS), row.hits, strict=True)),
            }
            for row in attack.rows
        ]
        lines: list[list[Any]] = [[row.label, row.squadrons or "", *row.hits] for row in attack.rows]
        return {"table": "naval-attack", "rows": rows}, ("fleet", "air", *map(str, COLUMNS)), lines
    kind, strength = ("fleet", fleet) if fleet is not None else ("air", air)
    read = attack.read_fleet if kind == "fleet" else attack.read_air
    try:
        readings = {column: read(strength or 0, column) for column in COLUMNS}
    except ValueError as mistake:
        raise UnknownName(str(mistake)) from None
    about: dict[str, Any] = {"table": "naval-attack", kind: strength, "rows": list(readings[2].rows)}
    if roll is None:
        hits = {str(column): reading.hits for column, reading in readings.items()}
        return {**about, "hits": hits}, (kind, *hits), [[strength, *hits.values()]]
    reading = read(strength or 0, roll)
    found = {
        **about,
        "roll": roll,
        "column": reading.column,
        "hits_by_row": list(reading.hits_by_row),
        "hits": reading.hits,
    }
    line = [strength, " and ".join(reading.rows), roll, reading.column, reading.hits]
    return found, (kind, "row", "roll", "column", "hits"), [line]


def _naval_nationality(asked: Asked) -> Shown:
    chart = rules_of(asked).nationality
    nation = asked["nation"]
    if nation is not None:
        name = listed_nation(nation, chart.nations)
        found = {"table": "naval-nationality", "nation": name, "drm": chart.nations[name]}
        return found, ("nation", "DRM"), [[name, f"{chart.nations[name]:+d}"]]
    extra = {
        "five-factor battleship": chart.five_factor_battleship,
        "German submarine": chart.german_submarine,
        **chart.carrier,
        **{f"{name} CVL": amount for name, amount in chart.light_carrier.items()},
        "partial supply or oil": chart.partial_supply_or_oil,
    }
    lines: list[list[Any]] = [[name, f"{amount:+d}"] for name, amount in (*chart.nations.items(), *extra.items())]
    return (
        {"table": "naval-nationality", "nations": chart.nations, "modifiers": extra},
        ("nation or ship", "DRM"),
        lines,
    )


SEARCH_LINES = {
    "per_squadron": "dice for each searching squadron",
    "most_squadrons": "squadrons that count, at most",
    "codebreaking": "dice gained or lost by codebreaking",
    "per_round": "dice for each round gone by",
    "per_active_group": "dice for each active group (2008: each group) of the size below",
    "active_group_factors": "undamaged factors such a group has, at least",
    "most_active_groups": "active groups that count, at most",
    "per_distant_carrier_group": "dice for each distant group with a fully operational carrier",
    "most_distant_carrier_groups": "distant groups that count, at most",
    "disclosed_under": "a found group says whether it has fewer factors than this",
    "carriers_from": "results with which it also says how many carriers it has",
    "composition_from": "results with which it is shown",
}


def _search(asked: Asked) -> Shown:
    printed = rules_of(asked).search._asdict()
    values = {key: printed[key] for key in SEARCH_LINES if printed[key] is not None}
    lines: list[list[Any]] = [[SEARCH_LINES[key], value] for key, value in values.items()]
    return {"table": "search", **values}, ("line", "number"), lines


INTERCEPTION_LINES = {
    "cargo": "dice against cargo, shore bombardment or fast carriers",
    "staying_patrol": "dice against a patrol that tries to stay in its patrol hex",
    "countered_in_hex": "dice for a counter-interception in the interception hex",
    "cruisers_and_destroyers": "dice for only cruisers and destroyers, against cargo",
    "per_task_force": "dice for each TF intercepted",
    "per_ground_factor": "dice for each ground factor defending the invasion hex",
    "most_ground_factors": "ground factors that count, at most",
    "per_squadron": "dice for each squadron that spots",
    "most_squadrons": "squadrons that count, at most",
    "per_submarine": "dice for each submarine assisting surface forces",
    "most_submarines": "submarines that count, at most",
    "submarine_range": "hexes within which they assist",
    "codebreaking": "dice for codebreaking, at most",
    "slow_or_submarine": "dice for slow ships or a submarine",
    "per_further_attempt": "dice for each further attempt, submarines apart",
    "most_range": "hexes of path, at most",
    "divisor": "the total is divided by",
    "hexes_per_round": "hexes short for each round late",
    "patrol_range": "hexes within which a patrol supports in round one",
    # of 2008, where the activity decides
    "dice": "dice against",
    "returning": "dice against ships on their way home",
    "slow": "dice for slow ships without a fully operational fast carrier",
    "submarine": "dice for submarines",
    "port_not_operational": "dice from a port that is not operational, submarines apart",
    "small_target": "dice against a small force",
    "small_under": "a small force has fewer factors than this",
    "in_invasion_hex": "dice against a force that invades or bombards, in its invasion hex",
    "from_us_box": "dice against interceptors of a transport from a U.S. box",
    "most_dice": "dice in all, at most",
}


def _interception(asked: Asked) -> Shown:
    printed = rules_of(asked).interception._asdict()
    values = {key: value for key, value in printed.items() if value is not None and value is not ANY_RANGE}
    lines: list[list[Any]] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            lines += [[f"{INTERCEPTION_LINES[key]} ({name})", n] for name, n in value.items()]
        else:
            lines.append([INTERCEPTION_LINES[key], value])
    return {"table": "interception", **values}, ("line", "number"), lines


TABLES: dict[str, tuple[str, Callable[[Asked], Shown]]] = {
    "naval-attack": ("hits by fleet factors or air squadrons and modified roll (20.51, 22.55, 23.44)", _naval_attack),
    "naval-nationality": ("the DRM of each nation's ships (22.552A)", _naval_nationality),
    "search": ("how many search dice are rolled (22.45)", _search),
    "interception": ("how many dice an intercepting force rolls (22.21)", _interception),
    "air-combat": ("enemy air eliminated and aborted by squadrons or factors and modified roll (19.2)", air_combat),
    "air-defense": ("attacking air eliminated and aborted by air defense level and roll (23.42)", air_defense),
    "air-nationality": ("the DRM of each nation's air units (23.441A)", air_nationality),
    "surprise": ("what a surprise air strike gains at each level (23.7413)", surprise),
    "submarine-attack": ("hits of a submarine factor by modified roll (22.94)", submarine_attack),
    "sw-combat": ("both numbers of an SW combat by SW factors and modified roll (24.62)", sw_combat),
    "raider": ("the die against raiders, and what ships meet them (21.5342)", raider),
    "submarine-limits": ("how many submarines may fight in the SW boxes, by turn (25.13)", submarine_limits),
    "air-range": ("ranges of bombers and interceptors by air range results (17.72, 17.82)", air_range),
    "carrier-effects": ("what CVEs in an SW box do against submarines and raiders (25.64)", carrier_effects),
    "naval-repair": ("turns and shipbuilding points of repairs and new ships (27.721)", naval_repair),
    "bombing": ("the numbers of strategic bombing, flying bombs and rockets (26)", bombing),
}
