"""Questions about ships in the yards (26.76, 27.721, 27.7262) and about the charts of air range and carrier effects."""

from __future__ import annotations

import re
from typing import Any

from flagplot.api.bombing import ArrivedJson, arrived, bombed, few, small, told, two_rolls
from flagplot.api.calls import question
from flagplot.api.sw_shapes import box_called, nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.model.strategic_war import MAJOR_POWERS, SEASONS
from flagplot.model.war import side_of
from flagplot.model.yards import LAUNCH, YardShip
from flagplot.rules.strategic import bombing as combat
from flagplot.rules.strategic import yards
from flagplot.rules.table import Ruleset
from flagplot.tables.naval_repair import Cost
from flagplot.tables.sw_combat import SwResult

MOST_ROW = 5
NAMED = "battleship|battlecruiser|carrier|bb|bc|pb|cv|cvl|cvb"  # with their factors behind them
SHORT = {"dd": "destroyer", "ca": "cruiser", "sub": "submarine"}


def _side(name: str) -> Side:
    side = SIDES.get({"allied": "allies", "western allies": "allies"}.get(name.lower(), name.lower()))
    if side is None and nation_spelled(name) in MAJOR_POWERS:
        side = side_of(nation_spelled(name))
    if side is None:
        raise PlayerError(f"{name[:40]!r} is no side; there are {', '.join(SIDES)}")
    return side


def _season(name: str) -> str:
    found = next((season for season in SEASONS if season.lower() == name.lower()), None)
    if found is None:
        raise PlayerError(f"{name[:40]!r} is no season; there are {', '.join(SEASONS)}")
    return found


def _ship(size: int, side: str, column: str, row: int) -> YardShip:
    if not 1 <= size <= MOST_ROW:
        raise PlayerError(f"a ship has from 1 to {MOST_ROW} factors, not {size}")
    if not LAUNCH <= row <= MOST_ROW:
        raise PlayerError(f"the rows are 1 (Launch) to {MOST_ROW}, not {row}")
    return YardShip("the ship", _side(side), size, _season(column), row)


def _unit(rules: Ruleset, name: str) -> str:
    """A unit as the table of costs spells it, singular or plural; of a named ship only her factors count."""
    known = {unit.lower(): unit for unit in rules.repair.rows}
    plain = name.lower().strip()
    named = re.fullmatch(r"([2-5])[ -]factors?(?: .*)?", plain) or re.fullmatch(rf"(?:{NAMED})[ _-]?([2-5])", plain)
    plain = f"{named[1]}-factor" if named else plain
    plain = SHORT.get(plain.removesuffix("s"), plain)
    unit = known.get(plain) or known.get(plain.removesuffix("s"), name)
    rules.repair.row(unit)
    return unit


def _result(text: str) -> SwResult:
    """A result as players write it: 2/1."""
    try:
        if text.strip() == "0":  # as the table prints it
            return SwResult(0, 0)
        return SwResult(*(few(int(part), "results") for part in text.split("/")))
    except (TypeError, ValueError):
        raise PlayerError(f"{text[:20]!r} is no result; one looks like 2/1") from None


def _cost(cost: Cost | None) -> list[int] | None:
    return None if cost is None else [cost.turns, cost.shipbuilding]


@question
def ship_costs(*, rules: Ruleset, units: list[str] | None = None) -> dict[str, Any]:
    """Turns and shipbuilding points of new units and of repairs (27.721): null if a unit is never damaged.

    Units: transport, submarine, ASW, destroyer, CVE, cruiser, 2-factor to 5-factor; all of them unless said.
    """
    wanted = list(rules.repair.rows) if units is None else [_unit(rules, unit) for unit in units]
    return {
        "units": wanted,
        "costs": [_cost(yards.construction_cost(rules, unit)) for unit in wanted],
        "repairs": [_cost(yards.repair_cost(rules, unit)) for unit in wanted],
        "may_be_accelerated": [yards.may_be_accelerated(rules, unit).holds for unit in wanted],
        "may_be_deferred": [yards.may_be_deferred(rules, unit).holds for unit in wanted],
    }


@question
def may_build_ship(*, rules: Ruleset, nation: str, unit: str) -> dict[str, Any]:
    """Whether a nation may build a kind of ship, as far as the table of costs says (27.721): CVEs are American."""
    verdict = yards.may_build(rules, nation_spelled(nation), _unit(rules, unit))
    return {"may": verdict.holds, "why": told(verdict)}


@question
def raise_ship(*, rules: Ruleset, unit: str) -> dict[str, Any]:
    """Whether a unit sunk in port may be raised, in which phase, and what that costs (27.7262); when she may move and be
    repaired."""
    verdict = yards.may_be_raised(_unit(rules, unit))
    shipbuilding, brps = yards.raising_cost(rules) if verdict.holds else (0, 0)
    repair = yards.hulk_may("repair", raised=verdict.holds, raised_this_player_turn=True)
    return {
        "may": verdict.holds,
        "why": told(verdict),
        "shipbuilding": shipbuilding,
        "brps": brps,
        "becomes": "damaged" if verdict.holds else "lost",
        "phase": "unit construction" if verdict.holds else "",
        "moves_before_raised": yards.hulk_may("move", raised=False).holds,
        "moves_once_raised": yards.hulk_may("move", raised=verdict.holds, raised_this_player_turn=True).holds,
        "repair_this_player_turn": repair.holds,
        "repair_later": yards.hulk_may("repair", raised=verdict.holds).holds,
    }


@question
def yard_place(*, rules: Ruleset, unit: str, side: str, season: str, repair: bool = False) -> dict[str, Any]:
    """Where a unit begun this season stands on the construction chart, and when she is due (27.721)."""
    unit = _unit(rules, unit)
    cost = yards.repair_cost(rules, unit) if repair else yards.construction_cost(rules, unit)
    if cost is None:
        raise PlayerError(f"27.721: a {unit} is never damaged")
    if not cost.turns:
        return {"turns": 0, "shipbuilding": cost.shipbuilding, "column": None, "row": None}
    ship = _ship(rules.repair.factors(unit), side, season, LAUNCH)
    placed = yards.place_on_chart(ship, cost.turns, ship.column)
    return {"turns": cost.turns, "shipbuilding": cost.shipbuilding, "column": placed.column, "row": placed.row}


@question
def yard_bombing(
    *,
    rules: Ruleset,
    dice: list[int],
    bombers: ArrivedJson | int,
    target_strength: int,
    net_modifier: int = 0,
    attacker_roll: int | None = None,
    defender_roll: int | None = None,
) -> dict[str, Any]:
    """Bombing of ships in a yard (26.76): both results, bombers lost, and the whole result against the ships."""
    force = arrived(bombers)
    first, second = two_rolls(dice, attacker_roll, defender_roll, bombers=force.bombers, strength=target_strength)
    attacker, defender, result = combat.bombs_target(
        rules,
        force,
        few(target_strength, "strength"),
        small(net_modifier, "modifier"),
        attacker_roll=first,
        defender_roll=second,
    )
    total = yards.yard_result(attacker, result)
    return {
        "attacker_result": str(attacker),
        "defender_result": str(defender),
        "bombers_eliminated": bombed(result)["bombers_eliminated"],
        "bombers_aborted": bombed(result)["bombers_aborted"],
        "bombers_reaching": result.reaching,
        "additional_1_0_results": result.additional,
        "total": str(total),
        "columns": yards.columns_moved(total),
        "brps_lost": 0,
    }


@question
def yard_move(
    *, size: int, side: str, column: str, current_season: str, row: int = LAUNCH, result: str, additional: int = 0
) -> dict[str, Any]:
    """Where a bombed ship in a yard ends up (26.761): columns moved, her new column and row, or that she is lost.

    `result` such as "2/1"; `additional` results of 1/0 on top. Row 1 is the Launch row.
    """
    ship, season = _ship(size, side, column, row), _season(current_season)
    whole = _result(result)
    columns = yards.columns_moved(SwResult(whole.before + few(additional, "results"), whole.after))
    moved = yards.bombed_ship(ship, columns, season)
    if moved is None:
        return {"columns": columns, "eliminated": True, "column": None, "row": None, "delay": None}
    delay = yards.turns_to_launch(moved, season) - yards.turns_to_launch(ship, season)
    return {"columns": columns, "eliminated": False, "column": moved.column, "row": moved.row, "delay": delay}


@question
def yard_shares(*, total: str, shares: list[str]) -> dict[str, Any]:
    """Whether the bombing player may spread a result such as "2/1" over the ships in a yard like this (26.76)."""
    verdict = yards.shares_agree(_result(total), [_result(share) for share in shares])
    return {"may": verdict.holds, "why": told(verdict), "columns": [yards.columns_moved(_result(s)) for s in shares]}


# -- charts ---------------------------------------------------------------------------------------


@question
def air_range(*, rules: Ruleset, results: list[int] | None = None) -> dict[str, Any]:
    """Ranges in hexes by air range results: bombers and interceptors in Europe, then in the Pacific; the SW modifier."""
    wanted = range(len(rules.air_range.rows)) if results is None else results
    rows = [rules.air_range.read(each) for each in wanted]
    return {
        "rows": [
            [each.bombers["Europe"], each.interceptors["Europe"], each.bombers["Pacific"], each.interceptors["Pacific"]]
            for each in rows
        ],
        "sw_modifiers": [each.sw for each in rows],
        "army_air": rules.air_range.army_air,
    }


@question
def carrier_effects(*, rules: Ruleset, box: str, cves: int) -> dict[str, Any]:
    """What uninverted CVEs in an SW box do (25.64): to submarine warfare, and to the die against raiders."""
    place = box_called(box)
    return {
        "submarine_warfare": rules.carrier_effects.submarine_warfare(place, cves),
        "raiders": rules.carrier_effects.raiders(place, cves),
    }
