"""The admiral's heavy ships in a fleet combat of 2008 (22.54B, C): whom to cover, where to mass, whom to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flagplot.bots.bot import rules_of
from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.doctrine import Doctrine
from flagplot.model.forces import LIGHT
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship
from flagplot.rules.naval.fleet_combat_2008 import Gun, Target, guns_of, targets_of
from flagplot.tables.naval_attack import NavalAttackTable


def heavy_targets(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Of all ways to cover the first few ranks and mass the rest on the next target, the one that promises most."""
    battle, side = picture.battle, decision.side
    guns, targets = guns_of(battle, side), targets_of(battle, side.enemy)
    foes, attack = _foes(picture, side), rules_of(picture).attack
    afloat = sum(battle.lines[side.enemy].light.values())
    best, most = decision.form.default, -1
    for index, target in enumerate(targets):
        aim = mass(guns, [each for each in targets[:index] if each.size], target)
        worth = sum(_worth(attack, each, _factors(guns, aim, each), foes, afloat) for each in targets)
        if worth > most and legal(decision, aim):
            best, most = aim, worth
    return best


def mass(guns: Sequence[Gun], covered: Sequence[Target], on: Target) -> dict[str, str]:
    """Cover each of these with as little as will do, the smallest ship that suffices or the largest left; the rest on one."""
    left = sorted(guns, key=lambda gun: gun.factors)
    aim: dict[str, str] = {}
    for target in covered:
        need = target.size
        while need > 0 and left:
            gun = next((each for each in left if each.factors >= need), left[-1])
            left.remove(gun)
            aim[gun.key] = target.key
            need -= gun.factors
    return aim | {gun.key: on.key for gun in left}


def _factors(guns: Sequence[Gun], aim: Mapping[str, str], target: Target) -> int:
    return sum(gun.factors for gun in guns if aim[gun.key] == target.key)


def _worth(attack: NavalAttackTable, target: Target, factors: int, foes: Mapping[str, Ship], afloat: int) -> int:
    """What so many factors on a target promise; a screened one little, since the screen may never open."""
    if not factors:
        return 0
    if target.key in foes:
        ship = foes[target.key]
        worth = policies.bombing_worth(
            factors,
            0,
            ship.size,
            ship.hits,
            ship.damaged,
            ship.is_carrier,
            attack.hits,
        )
    else:
        worth = policies.light_bombing_worth(factors, 0, afloat, attack.hits)
    return worth // 100 if target.screened else worth


def answering_fire(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Fire at the enemy nearest to sinking whom one may fire at; without one at light ships, else at what is screened."""
    foes = _foes(picture, decision.side)
    lines = picture.battle.lines[decision.side.enemy]
    told: dict[str, str] = {}
    for item in decision.form.items:
        places = decision.form.places_for(item)
        line = [foes[place] for place in places if place in lines.capital]
        hidden = [foes[place] for place in places if place in lines.screened]
        if line:
            told[item.key] = max(line, key=lambda s: policies.target_worth(s.size, s.hits, s.damaged)).id
        elif LIGHT in places or not hidden:
            told[item.key] = LIGHT if LIGHT in places else places[0]
        else:
            told[item.key] = max(hidden, key=_screened_worth).id
    return told


def _screened_worth(ship: Ship) -> int:
    return policies.screened_worth(ship.is_carrier, ship.damaged, ship.hits, ship.size)


def _foes(picture: Picture, side: Side) -> dict[str, Ship]:
    return {ship.id: ship for group in picture.battle.fleets[side.enemy].groups for ship in group.ships}
