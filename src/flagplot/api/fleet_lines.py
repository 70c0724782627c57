"""Questions about the lines of a fleet combat before the dice: who stands where, meets whom, may fire at what (22.53, 22.54)."""

from __future__ import annotations

from typing import Any

from flagplot.api.calls import question
from flagplot.api.shapes import GroupJson, nations
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup, Engagement, Line
from flagplot.model.ships import Ship, light
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval import fleet_combat
from flagplot.rules.table import Ruleset, Table


def _line(group: CombatGroup, screened: list[str] | None) -> Line:
    answer = fleet_combat.screening_form(group).read(dict.fromkeys(screened or (), "screen"), "22.531C")
    return fleet_combat.line_of(group, answer, fleet_combat.as_listed)


@question
def ship_categories(*, group: GroupJson, screened: list[str] | None = None) -> dict[str, Any]:
    """The ships of a group in a fleet combat by category (22.531): capital ships, light ships, screened ships, and why.

    `screened` are ships, or light keys with all their ships, that their owner screens by choice.
    """
    members = group.group()
    line = _line(members, screened)
    return {
        "capital": list(line.capital),
        "light": line.light,
        "light_factors": fleet_combat.light_strength(line),
        "screened": list(line.screened),
        "screened_light": line.screened_light,
        "why": {unit: _why(members, unit) for unit in (*line.screened, *line.screened_light)},
        "may_fire": [*line.capital, *line.light],
    }


def _why(group: CombatGroup, unit: str) -> str:
    """What put a unit behind the screen."""
    if "/" not in unit:
        ship = group.ship(unit)
        return "damaged" if ship.damaged else "fast carrier" if ship.is_carrier else "by choice"
    _, kind, state = light(unit)
    return "transport" if kind == "TR" else "carries cargo" if state == "loaded" else state or "by choice"


@question
def capital_pairs(
    *,
    rules: Ruleset,
    axis: GroupJson,
    allies: GroupJson,
    screened: dict[Side, list[str]] | None = None,
    order: dict[Side, list[str]] | None = None,
    surplus: dict[str, str] | None = None,
    impaired: dict[Side, list[str]] | None = None,
) -> dict[str, Any]:
    """How capital ships pair off (22.54A), what surplus ships may do (22.54B), and whom each ship may answer (22.54C).

    `surplus` says for surplus ships what they do: join the friend named, fire at "light" ships, or "hold"; unsaid, they
    join the first of the line. `order` is the owner's among ships equal in rank, `screened` what he screens by choice.
    """
    groups = {Side.AXIS: axis.group(), Side.ALLIES: allies.group()}
    fleets = {
        side: Fleet(
            side.value.title(),
            impaired=nations((impaired or {}).get(side)),
            groups=(CombatGroup(1, ships=group.ships, light=group.light),),
        )
        for side, group in groups.items()
    }
    lines = {side: _line(group, (screened or {}).get(side)) for side, group in groups.items()}
    table = Table(rules, Battle(fleets=fleets, fighting=Engagement(1, 1), lines=lines))
    lines = {side: _ranked(table, side, (order or {}).get(side, [])) for side in Side}
    table.battle = Battle(fleets=fleets, fighting=Engagement(1, 1), lines=lines)
    met = fleet_combat.pair_lines(table.battle)
    form = fleet_combat.surplus_capital_form(table, met)
    answer = form.read({**form.default, **(surplus or {})}, "22.54B")
    chosen = {id: answer.place(id) for id in met.surplus}
    aim = fleet_combat.aim_of(met, chosen)
    pairs = list(zip(lines[Side.AXIS].capital, lines[Side.ALLIES].capital, strict=False))
    return {
        "ranks": {side: line.capital for side, line in lines.items()},
        "pairs": pairs,
        "surplus": {side: met.surplus if side is met.longer else () for side in Side},
        "surplus_may": {id: [place.key for place in form.places] for id in met.surplus},
        "aims": aim,
        "holding": [id for id, place in chosen.items() if place == fleet_combat.HOLD],
        "may_answer": fleet_combat.shooters_at(aim, lines[met.longer.enemy].capital),
    }


def _ranked(table: Table, side: Side, order: list[str]) -> Line:
    line = table.battle.lines[side]
    ships = fleet_combat.still_afloat(fleet_combat.fighting_group(table.battle, side), line.capital)
    ranked = fleet_combat.rank([(ship, fleet_combat.drm(table, side, ship)) for ship in ships], order)
    return Line(1, tuple(ship.id for ship in ranked), line.light, line.screened, line.screened_light)


@question
def screened_fire(
    *,
    capital_ships: int = 0,
    capital_ships_damaged: int = 0,
    light_ships: int = 0,
    cruisers_damaged_by_light_fire: int = 0,
    cruisers_damaged_by_capital_fire: int = 0,
) -> dict[str, Any]:
    """Whether ships that held their fire may shoot at the enemy's screen (22.54G), by what he has unscreened and afloat.

    Damaged ships are those damaged in this fleet combat: who was damaged before stands behind the screen.
    """
    capital = tuple(f"capital {n}" for n in range(1, capital_ships + capital_ships_damaged + 1))
    unscreened = {"/DD": light_ships, "/CA/damaged": cruisers_damaged_by_light_fire}
    line = Line(
        1,
        capital,
        {key: number for key, number in unscreened.items() if number},
        screened_light={"/CA/damaged": cruisers_damaged_by_capital_fire},
    )
    ships = tuple(Ship(id, id, "", "BB", 4) for id in capital)
    battle = Battle(
        fleets={Side.AXIS: Fleet(groups=(CombatGroup(1, ships=ships),)), Side.ALLIES: Fleet()},
        fighting=Engagement(1, 1),
        lines={Side.AXIS: line},
    )
    counted = {
        "capital ships": capital_ships,
        "damaged capital ships": capital_ships_damaged,
        "light ships": light_ships,
        "cruisers damaged by light fire": cruisers_damaged_by_light_fire,
    }
    return {
        "permitted": fleet_combat.screen_is_open(battle, Side.AXIS),
        "in_the_way": [what for what, number in counted.items() if number],
        "rule": "22.54G",
    }
