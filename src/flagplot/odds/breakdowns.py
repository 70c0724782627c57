"""What stands behind the dice of a battle: the modifiers as it stands, line by line with their rules (22.451, 22.552, 23.42,
23.441, 22.941).

The law here: the lines are those the rules themselves add up, for the world odds are made of: what a side knows and
believes, or the truth. Each breakdown is of one roll that may well be made, between the largest ships there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from flagplot.core.events import Modifiers
from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import Counts, Ship, light, plus
from flagplot.model.squadrons import at_base, broken_down, squadron
from flagplot.model.state import Fleet
from flagplot.odds.worlds import NAVAL_BATTLE, World
from flagplot.rules.air.attack import air_attack_modifiers, air_defense_level
from flagplot.rules.air.combat import crew
from flagplot.rules.air.cover import may_fly, within_reach
from flagplot.rules.naval.gunnery import Crew, crews, fire_modifiers, is_hampered
from flagplot.rules.naval.submarines import attack_modifiers
from flagplot.rules.table import Table

DICE, LEVEL, MODIFIER = "dice", "level", "modifier"  # what lines add up to
FIGHTING = ("CA", "DD")  # light ships that fight with guns and are not screened for choice


class Breakdown(NamedTuple):
    """Whose it is, under which rule, of what, what its lines add up to, and the lines."""

    side: Side
    rule: str
    what: str
    counts: str
    made_of: Modifiers


class _Target(NamedTuple):
    """A ship and her group, or without a ship the light ships of one."""

    group: CombatGroup
    ship: Ship | None

    @property
    def name(self) -> str:
        return self.ship.name if self.ship else "light ships"

    def crews(self, fleet: Fleet) -> list[Crew]:
        """Who is aboard."""
        return crews((self.ship,), {}, fleet.impaired) if self.ship else crews((), _guns_of(self.group), fleet.impaired)


def told(world: World) -> list[dict[str, Any]]:
    """All of them as plain values."""
    return [
        {
            "side": found.side.value,
            "rule": found.rule,
            "what": found.what,
            "counts": found.counts,
            "total": found.made_of.total,
            "lines": [
                {"rule": line.rule, "reason": line.reason, "amount": line.amount} for line in found.made_of.lines
            ],
        }
        for found in breakdowns(world)
    ]


def breakdowns(world: World) -> list[Breakdown]:
    """What stands behind the dice of both sides, one after the other."""
    return [found for side in Side for found in _of_side(world, side)]


def _of_side(world: World, side: Side) -> Iterator[Breakdown]:
    battle, rules = world.battle, world.rules
    mine, theirs = battle.fleets[side], battle.fleets[side.enemy]
    if battle.kind == NAVAL_BATTLE:
        dice = rules.search_dice(
            rules.search, battle, mine.groups, squadrons=mine.searching, codebreaking=mine.search_advantage
        )
        yield Breakdown(side, rules.number("22.451"), f"search in round {battle.round}", DICE, dice)
    for firing, target in ((_largest(mine), _largest(theirs)), (_light(mine), _light(theirs))):
        if firing and target:
            yield _shot(world, side, firing, target)
    worth_attacking = _largest(theirs, carriers=True) or _light(theirs)
    if worth_attacking:
        yield from _aircraft(world, side, worth_attacking)
        yield from _submarines(world, side, worth_attacking)
    attacked = _largest(mine, carriers=True) or _light(mine)
    if attacked and _attackers(theirs):
        yield _air_defense(world, side, attacked.group)


# -- guns -----------------------------------------------------------------------------------------------


def _shot(world: World, side: Side, firing: _Target, target: _Target) -> Breakdown:
    mine, theirs = world.battle.fleets[side], world.battle.fleets[side.enemy]
    made_of = fire_modifiers(
        world.rules.nationality,
        firing.crews(mine),
        target.crews(theirs),
        tactical=mine.tactical,
        enemy_tactical=theirs.tactical,
        hampered=is_hampered(firing.group),
        target_hampered=is_hampered(target.group),
    )
    verb = "fires" if firing.ship else "fire"
    return Breakdown(side, world.rules.number("22.55"), f"{firing.name} {verb} at {target.name}", MODIFIER, made_of)


def _largest(fleet: Fleet, *, carriers: bool = False) -> _Target | None:
    """The largest ship afloat: carriers before others, or none of them."""
    there = [(group, ship) for group in fleet.groups for ship in group.ships if carriers or not ship.is_carrier]
    found = max(there, key=lambda pair: (pair[1].is_carrier, not pair[1].damaged, pair[1].size), default=None)
    return _Target(*found) if found else None


def _light(fleet: Fleet) -> _Target | None:
    """The group with the most light ships that fight."""
    there = [group for group in fleet.groups if _guns_of(group)]
    found = max(there, key=lambda group: sum(_guns_of(group).values()), default=None)
    return _Target(found, None) if found else None


def _guns_of(group: CombatGroup) -> Counts:
    return {key: number for key, number in group.light.items() if light(key).kind in FIGHTING}


# -- aircraft and submarines ----------------------------------------------------------------------------


def _aircraft(world: World, side: Side, target: _Target) -> Iterator[Breakdown]:
    """The squadrons there are most of, of those that attack ships, without surprise."""
    mine, theirs = world.battle.fleets[side], world.battle.fleets[side.enemy]
    counts = _attackers(mine)
    if not counts:
        return
    key = max(counts, key=lambda each: counts[each])
    rules = world.rules
    made_of = air_attack_modifiers(
        rules.air_nationality,
        rules.nationality,
        [crew(mine, key)],
        target.crews(theirs),
        naval_air_bonus=0 if world.battle.port else rules.naval_air_bonus,
        surprise=rules.surprise,
        level=0,
        enemy_tactical=theirs.tactical,
    )
    flying = "naval air" if squadron(key).kind == "NAS" else "land-based air"
    yield Breakdown(side, "23.44", f"{flying} attacks {target.name}", MODIFIER, made_of)


def _air_defense(world: World, side: Side, group: CombatGroup) -> Breakdown:
    """What a group puts up against aircraft that do not surprise it."""
    level = air_defense_level(
        world.rules.air_defense_level,
        group.ships,
        group.light,
        research=world.battle.fleets[side].research.get("air defense", 0),
        surprise=world.rules.surprise,
        level=0,
        port=world.battle.port,
    )
    return Breakdown(side, "23.42", f"air defense of {group.name or f'CG{group.number}'}", LEVEL, level)


def _attackers(fleet: Fleet) -> Counts:
    """Squadrons that can attack ships, by key: on decks, back from counterair, and ashore within reach."""
    counts: Counts = dict(fleet.ready)
    for ship in (ship for group in fleet.groups for ship in group.ships if not ship.damaged):
        counts = plus(counts, ship.wing)
    for base in (base for base in fleet.air_bases if within_reach(fleet, base)):
        counts = plus(counts, at_base(plus(base.squadrons, broken_down(base.factors)), base.name))
    return {key: number for key, number in counts.items() if may_fly(key, "attack")}


def _submarines(world: World, side: Side, target: _Target) -> Iterator[Breakdown]:
    """The next attack of a submarine on the group."""
    boats = world.battle.fleets[side].submarines
    if not boats:
        return
    group = replace(target.group, submarine_attacks=target.group.submarine_attacks + 1)
    key = max(boats, key=lambda each: boats[each])
    aimed = target.ship.id if target.ship else LIGHT
    made_of = attack_modifiers(Table(world.rules, world.battle), side, group, key, aimed)
    yield Breakdown(side, world.rules.number("22.941"), f"a submarine attacks {target.name}", MODIFIER, made_of)
