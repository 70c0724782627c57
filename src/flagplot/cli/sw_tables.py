"""The printed tables of the strategic war at sea, read as one would read them at the table."""

from __future__ import annotations

from typing import Any

from flagplot.cli.asked import COLUMNS, Asked, Shown, number, rules_of
from flagplot.core.errors import UnknownName
from flagplot.model.strategic_war import ATLANTIC, GERMANY, INDIAN_OCEAN, JAPAN, PACIFIC, UNITED_STATES, Turn

LIMITS = {
    "Germany, Atlantic": (GERMANY, ATLANTIC),
    "Germany, Indian Ocean": (GERMANY, INDIAN_OCEAN),
    "Japan, both boxes": (JAPAN, PACIFIC),
    "U.S., Pacific": (UNITED_STATES, PACIFIC),
}
FIRST, LAST = Turn(1939, 2), Turn(1946, 3)


def sw_combat(asked: Asked) -> Shown:
    """24.62: both numbers by SW factors and modified roll."""
    table = rules_of(asked).sw_combat
    row, roll = number(asked, "row", "SW factors"), number(asked, "roll", "pips")
    labels = [str(column) for column in COLUMNS]
    if row is None:
        printed = [
            {"row": label, "results": dict(zip(labels, map(list, results), strict=True))}
            for label, results in enumerate(table.rows, start=1)
        ]
        lines: list[list[Any]] = [[label, *results] for label, results in enumerate(table.rows, start=1)]
        return {"table": "sw-combat", "rows": printed}, ("row", *labels), lines
    try:
        readings = {column: table.read(row, column) for column in COLUMNS}
    except ValueError as mistake:
        raise UnknownName(str(mistake)) from None
    about: dict[str, Any] = {"table": "sw-combat", "row": row, "rows": list(readings[COLUMNS[0]].rows)}
    if roll is None:
        results = {str(column): reading.result for column, reading in readings.items()}
        lines = [[column, result.before, result.after] for column, result in results.items()]
        found = {**about, "results": {column: list(result) for column, result in results.items()}}
        return found, (f"row {row}: roll", "before", "after"), lines
    reading = table.read(row, roll)
    found = {
        **about,
        "roll": roll,
        "column": reading.column,
        "results_by_row": [list(result) for result in reading.results],
        "before": reading.result.before,
        "after": reading.result.after,
    }
    line = [" and ".join(map(str, reading.rows)), roll, reading.column, reading.result.before, reading.result.after]
    return found, ("row", "roll", "column", "before", "after"), [line]


def raider(asked: Asked) -> Shown:
    """21.5342: what modifies the die against a raiding group, and what ship answers each type die."""
    table = rules_of(asked).raiders
    roll = number(asked, "roll", "pips")
    types = {str(die): list(kinds) for die, kinds in table.types.by_die.items()}
    if roll is not None:
        if str(roll) not in types:
            raise UnknownName(f"a type die is from 1 to 6, not {roll}")
        found: dict[str, Any] = {"table": "raider", "roll": roll, "ships": types[str(roll)]}
        return found, ("type die", "ship"), [[roll, " or ".join(types[str(roll)])]]
    amounts = {
        "automatic": table.automatic,
        "each earlier group in the SW box": table.per_earlier_group,
        "three ships in the group": table.three_ships,
        "each air range result of the defender": table.per_air_range,
        "Atlantic: the U.S. is at war with Germany": table.us_war,
        "Indian Ocean: Japanese raiders based in Singapore": table.from_singapore,
        "codebreaking, either way": table.most_codebreaking,
    }
    lines: list[list[Any]] = [[what, f"{amount:+d}"] for what, amount in amounts.items()]
    lines.append(["CVEs in the SW box", "see carrier-effects"])
    lines.append(["the first ship", table.types.first])
    lines += [[f"type die {die}", " or ".join(kinds)] for die, kinds in types.items()]
    return {"table": "raider", "modifiers": amounts, "first": table.types.first, "types": types}, ("line", ""), lines


def submarine_limits(asked: Asked) -> Shown:
    """25.13: how many submarines may fight, by nation and turn."""
    limits = rules_of(asked).submarine_limits
    turns, turn = [FIRST], FIRST
    while turn < LAST:
        turn = turn.following
        turns.append(turn)
    found = {str(each): {key: limits.limit(*place, each) for key, place in LIMITS.items()} for each in turns}
    lines: list[list[Any]] = [[each, *row.values()] for each, row in found.items()]
    return {"table": "submarine-limits", "turns": found}, ("turn", *LIMITS), lines
