"""Questions about the fleet combat of 2008: who attacks, what heavy ships may fire at (22.54), naval air (22.471C)."""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.api.calls import question
from flagplot.api.shapes import GroupJson, squadrons
from flagplot.core.errors import PlayerError
from flagplot.core.forms import Form
from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import Ship, plus
from flagplot.model.ships import light as light_unit
from flagplot.model.squadrons import Strike
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval import fleet_combat_2008 as older
from flagplot.rules.table import Gunfire, Ruleset, Table

NEVER = "Naval air fires with ships only by the option deferred_strikes of edition 2008, if the two groups will meet."


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a side has unscreened: the sizes of its heavy ships, and the factors of its light ships."""

    heavy: list[int] = []
    light: int = 0


@question
def fleet_combat_attacker(*, axis: Line, allies: Line, interceptor: Side = Side.AXIS) -> dict[str, Any]:
    """Who attacks and who defends in a fleet combat of 2008 (22.54), and why: screened ships and carriers do not count."""
    lines = {Side.AXIS: axis, Side.ALLIES: allies}
    strengths = {side: older.Strength(len(line.heavy), sum(line.heavy), line.light) for side, line in lines.items()}
    attacker = older.attacking_side(strengths, interceptor)
    return {"attacker": attacker, "defender": attacker.enemy, "why": older.why_it_attacks(strengths, attacker)}


@question
def heavy_targets(
    *,
    heavy: dict[str, int],
    enemy: dict[str, int],
    light: bool = True,
    screened: bool = True,
    screened_ships: list[str] | None = None,
    aims: list[dict[str, str]],
) -> dict[str, Any]:
    """Which ways to aim the attacker's heavy ships are legal in 2008 (22.54B), and why not.

    `heavy` and `enemy` are sizes by name, the enemy's unscreened; larger ones rank first, of one size as they are listed.
    `light` and `screened` say whether he has light ships, before the screen and behind it, `screened_ships` names his
    carriers and other ships behind it. An aim names a target for each heavy ship: an enemy, one of these, "light" or
    "screened light".
    """
    form = older.heavy_targets_form(_guns(heavy), _targets(enemy, light, screened, screened_ships))
    legal, why = [], []
    for aim in aims:
        refusal = _refusal(form, aim)
        legal.append(not refusal)
        why.append(refusal)
    return {"legal": legal, "why": why}


@question
def answering_targets(
    *,
    heavy: list[str],
    enemy: list[str],
    fired_at_by: dict[str, list[str]],
    light: bool = True,
    screened: bool = True,
    screened_ships: list[str] | None = None,
) -> dict[str, Any]:
    """What each of the defender's heavy ships may fire at in 2008 (22.54C): those under fire answer, others are free.

    `light`, `screened` and `screened_ships` are as in heavy_targets.
    """
    guns = _guns(dict.fromkeys(heavy, 1))
    targets = _targets(dict.fromkeys(enemy, 1), light, screened, screened_ships)
    under_fire = {ship: shooters for ship, shooters in fired_at_by.items() if shooters}
    form = older.answering_form(guns, targets, under_fire)
    return {"targets": {item.key: list(form.places_for(item)) for item in form.items}}


@question
def naval_air_joining(
    *, rules: Ruleset, own: GroupJson, enemy: GroupJson, surviving: dict[str, int] | None = None, round: int = 1
) -> dict[str, Any]:
    """Which naval air that struck a group may fire with the heavy ships of its own in place of bombing (22.471C of 2008).

    The option deferred_strikes has it at all. The strike flew from `own` on `enemy`; `surviving` are the squadrons left
    after air combat and air defense, all those aboard unless said. `fleet_factors` are what they add to the fire of
    heavy ships.
    """
    mine = own.group()
    aboard: dict[str, int] = {}
    for ship in mine.ships:
        aboard = plus(aboard, ship.wing)
    flying = squadrons(surviving) if surviving is not None else aboard
    found = joining(rules, mine, enemy.group(), flying, round)
    may = {key: number for key, number in found.most.items() if number} if found else {}
    return {
        "may_join": may,
        "fleet_factors": sum(light_unit(key).factors * number for key, number in may.items()),
        "why": found.why if found else NEVER,
    }


def joining(
    rules: Ruleset, own: CombatGroup, enemy: CombatGroup, flying: dict[str, int], round: int = 1
) -> Gunfire | None:
    """What of a strike by the Axis from one group on another may fire with heavy ships; None: nothing, whatever flew."""
    decks = {ship.id: ship.wing for ship in own.ships}
    fleets = {
        Side.AXIS: Fleet("Axis", groups=(own,), strike_decks=decks),
        Side.ALLIES: Fleet("Allies", groups=(enemy,)),
    }
    strike = Strike(Side.AXIS, enemy.number, surprise=False, squadrons=flying)
    return rules.gunfire(Table(rules, Battle(round=round, fleets=fleets, strike=strike)))


def _guns(sizes: dict[str, int]) -> list[older.Gun]:
    return [older.Gun(name, name, size, name) for name, size in sizes.items()]


def _targets(
    sizes: dict[str, int], light: bool, screened: bool, screened_ships: list[str] | None
) -> list[older.Target]:
    ranked = older.rank_by_size([Ship(name, name, "", "BB", size) for name, size in sizes.items()])
    targets = [older.Target(ship.id, ship.id, ship.id, ship.size) for ship in ranked]
    targets += [older.Target(LIGHT, LIGHT, "the light ships")] if light else []
    targets += [older.Target(name, name, name, screened=True) for name in screened_ships or ()]
    if screened:
        targets.append(older.Target(older.SCREENED_LIGHT, "", "the screened light ships", screened=True))
    return targets


def _refusal(form: Form, aim: dict[str, str]) -> str:
    try:
        form.read(aim, "22.54B")
    except PlayerError as refusal:
        return str(refusal)
    return ""
