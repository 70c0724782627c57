"""Questions about whole battles: play one on a script, raiders in an SW box."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.calls import Chosen, Decision, question
from flagplot.api.scripts import run_script
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.setup import Setup
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.operations import play_setup
from flagplot.rules.naval.raiders import raiders_that_attack
from flagplot.rules.table import Ruleset, Table
from flagplot.scenarios.loader import load_scenario, parse_scenario

FROM_THE_AIR = ("air attack", "port attack")


@question
def battle(
    *, chosen: Chosen, dice: list[int], decisions: list[Decision], scenario: str = "", text: str = ""
) -> dict[str, Any]:
    """A whole battle on these dice and decisions: a shipped scenario by name, or a scenario's TOML as text.

    By the scenario's edition and options, unless others are asked for. Decisions are [side, kind, answer], used in the
    order they are asked; others take their default.
    """
    found = parse_scenario(text, "text") if text else load_scenario(scenario)
    table = Table(ruleset(*chosen.over(found.edition, found.options)))
    used = run_script(play_setup(table, found.setup), dice, decisions)
    return {**result(table.battle), "dice_used": used, "events": msgspec.to_builtins(list(table.log))}


def result(battle: Battle) -> dict[str, Any]:
    """What a battle left behind, to carry back to a campaign."""
    return {
        "round": battle.round,
        "victor": battle.victor,
        "losers": list(battle.losers),
        "reasons": list(battle.reasons),
        "sides": {
            side: {**_side(battle.fleets[side]), **(_left(battle.fleets[side]) if battle.kind in FROM_THE_AIR else {})}
            for side in Side
        },
    }


def _ship(ship: Ship) -> dict[str, Any]:
    return {"name": ship.name, "hits": ship.hits, "damaged": ship.damaged, "air": ship.wing}


def _left(fleet: Fleet) -> dict[str, Any]:
    """Of ships attacked from the air: those that are where they were, and those that were sunk in port."""
    return {
        "afloat": [
            {"group": group.name, "ships": [_ship(ship) for ship in group.ships], "light": group.light}
            for group in fleet.groups
        ],
        "sunk_in_port": [ship.name for ship in fleet.hulks],
    }


def _side(fleet: Fleet) -> dict[str, Any]:
    return {
        "name": fleet.name,
        "sunk": [ship.name for ship in fleet.sunk],
        "sunk_light": fleet.sunk_light,
        "cargo_lost": list(fleet.cargo_lost),
        "supply_line_cut": fleet.line_cut,
        "squadrons_lost": fleet.air_lost,
        "air_bases": {
            base.name: {
                "factors": base.factors,
                "squadrons": base.squadrons,
                "inverted": base.inverted,
                "inverted_factors": base.inverted_factors,
            }
            for base in fleet.air_bases
        },
        "submarines": {
            "attacked": fleet.submarines_spent,
            "did_not_attack": fleet.submarines,
            "lost": fleet.submarines_lost,
        },
        "returned": [
            {
                "group": home.group.name,
                "ships": [_ship(ship) for ship in home.group.ships],
                "light": home.group.light,
                "cargo": [cargo.name for cargo in home.group.cargo],
                "base": home.base,
                "inverted": home.inverted,
                "why": home.why,
            }
            for home in fleet.returned
        ],
    }


@question
def battle_of(*, rules: Ruleset, dice: list[int], decisions: list[Decision], setup: Setup) -> dict[str, Any]:
    """A whole battle from a set-up given as JSON, on these dice and decisions."""
    table = Table(rules)
    used = run_script(play_setup(table, setup), dice, decisions)
    return {**result(table.battle), "dice_used": used, "events": msgspec.to_builtins(list(table.log))}


@question
def raiders_attacking_transports(
    *, unengaged: list[str], unscreened_defenders_left: bool, ships_that_did_not_fight: list[str] | None = None
) -> dict[str, Any]:
    """After the single round against raiders (22.35): who attacks transports.

    `unengaged` are raiders of groups nobody engaged; `ships_that_did_not_fight` those of the engaged group.
    """
    hunters, raiders = Side.ALLIES, Side.AXIS
    idle = tuple(ships_that_did_not_fight or ())
    ships = {name: Ship(name, name, "", "BB", 4) for name in (*unengaged, *idle)}
    battle = Battle(
        interceptor=hunters,
        idle={raiders: idle},
        line_gone=() if unscreened_defenders_left else (hunters,),
        fleets={
            hunters: Fleet(groups=(CombatGroup(1),)),
            raiders: Fleet(groups=(CombatGroup(1, ships=tuple(ships[n] for n in idle)),)),
        },
    )
    forces = [Force(name, (ships[name],)) for name in unengaged]
    return {"another_round": False, "attack_transports": raiders_that_attack(battle, forces)}
