"""Exact chances of submarine attacks on a group (22.9): one factor after the other, each on what the last one left.

Losses are taken as the forms offer: by the ships attacked, not by destroyers elsewhere (22.9432).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.state import Battle, Fleet
from flagplot.odds.exact import Chances, as_chances, as_offered, chances_of, counted, dice_ways
from flagplot.odds.exact_gunnery import TWO_DICE, condition, factors_lost
from flagplot.rules.naval.hits import allot, clear_away, hit_light_ships, hit_ship
from flagplot.rules.naval.ranked_targets import rank_ships, ranked_target, target_by_rank
from flagplot.rules.naval.submarines import CATEGORIES, attack_modifiers, categories, category_met
from flagplot.rules.table import Ruleset, Table

Choice: TypeAlias = Callable[[Sequence[Ship]], Ship]
NUMBER = 1  # the attacked group's


def first_ship(ships: Sequence[Ship]) -> Ship:
    """The target the form offers: the first of those it may attack."""
    return ships[0]


def nearest_to_sinking(ships: Sequence[Ship]) -> Ship:
    """The admiral's target: the ship nearest to sinking, then the larger."""
    return max(ships, key=lambda ship: policies.target_worth(ship.size, ship.hits, int(ship.damaged)))


class SubmarineAttacks(NamedTuple):
    """Submarine factors by key, in the order they attack, and the group; what bears on them is in the fleets."""

    submarines: tuple[str, ...]
    group: CombatGroup
    attacker: Fleet = Fleet()
    defender: Fleet = Fleet()
    theatre: str = "Pacific"
    western_front: bool = False
    target: Choice = first_ship


class SubmarineAttackOdds(NamedTuple):
    """What submarine attacks come to."""

    submarines_lost: Chances
    ships: dict[str, dict[str, Fraction]]  # what becomes of each: sunk, damaged, hit, sound
    light: dict[tuple[tuple[str, int], ...], Fraction]  # what is left of the light ships
    factors_sunk: Chances
    supply_line_cut: Fraction
    exchange: dict[tuple[int, int], Fraction]  # submarines lost, factors sunk


class _After(NamedTuple):
    """The group, written as a key ("" if it is gone), and submarines lost."""

    group: bytes
    lost: int = 0
    cut: bool = False


class _Attacks:
    """The steps of all attacks; what was worked out once is remembered."""

    def __init__(self, rules: Ruleset, attacks: SubmarineAttacks) -> None:
        self.rules = rules
        self.attacks = attacks
        self.fleets = {Side.AXIS: attacks.attacker, Side.ALLIES: attacks.defender}
        self.known: dict[tuple[bytes, str, int], bytes] = {}

    def table(self, group: CombatGroup) -> Table:
        fleets = {**self.fleets, Side.ALLIES: replace(self.attacks.defender, groups=(group,))}
        battle = Battle(fleets=fleets, theatre=self.attacks.theatre, western_front=self.attacks.western_front)
        return Table(self.rules, battle)

    def struck(self, group: CombatGroup, target: str, hits: int) -> bytes:
        """The group after hits on a target, and after its cargo was stowed anew."""
        key = (as_bytes(group), target, hits)
        if key not in self.known:
            table = self.table(group)
            if target == LIGHT:
                allotment = as_offered(allot(table, Side.ALLIES, NUMBER, group.light, hits))
                as_offered(hit_light_ships(table, Side.ALLIES, NUMBER, allotment))
            else:
                hit_ship(table, Side.ALLIES, NUMBER, group.ship(target), hits)
            clear_away(table, Side.ALLIES, NUMBER)
            left = table.fleet(Side.ALLIES).groups
            self.known[key] = as_bytes(left[0]) if left else b""
        return self.known[key]

    def one(self, key: str, before: _After) -> dict[_After, int]:
        """The ways, of 6 times 36, to what one submarine factor leaves."""
        if not before.group:
            return {before: 6 * 36}
        group = as_group(before.group)
        if not group.afloat:  # a bare sea supply line
            return {_After(b"", before.lost, True): 6 * 36}
        group = replace(group, submarine_attacks=group.submarine_attacks + 1)
        found: dict[_After, int] = {}
        for target, ways in self._met(group).items():
            for after, own in self._torpedoes(key, before, group, target):
                found[after] = found.get(after, 0) + ways * own
        return found

    def _met(self, group: CombatGroup) -> dict[str, int]:
        """The ways, of 6, to each target: by rank where the die finds it so, else by category and choice (22.93E)."""
        if self.rules.submarine_target is target_by_rank:
            ranked = as_offered(rank_ships(Side.ALLIES, group))
            light_ships = LIGHT if group.light else ""
            return counted((ranked_target(ranked, light_ships, die), ways) for die, ways in dice_ways(1).items())
        present = categories(group)
        met = counted((category_met(present, die), ways) for die, ways in dice_ways(1).items())
        return {self._aimed_at(group, category): ways for category, ways in met.items()}

    def _aimed_at(self, group: CombatGroup, category: str) -> str:
        if category == CATEGORIES[2]:
            return LIGHT
        ships = [ship for ship in group.ships if ship.is_carrier == (category == CATEGORIES[0])]
        return self.attacks.target(ships).id

    def _torpedoes(self, key: str, before: _After, group: CombatGroup, target: str) -> list[tuple[_After, int]]:
        modifier = attack_modifiers(self.table(group), Side.AXIS, group, key, target).total
        results = counted((self.rules.submarine.read(roll + modifier)[:2], ways) for roll, ways in TWO_DICE.items())
        return [
            (
                before._replace(
                    group=self.struck(group, target, hits) if hits else as_bytes(group), lost=before.lost + gone
                ),
                ways,
            )
            for (hits, gone), ways in results.items()
        ]


def as_bytes(group: CombatGroup) -> bytes:
    """A group as a key."""
    return msgspec.msgpack.encode(group)


def as_group(data: bytes) -> CombatGroup:
    """The group a key stands for."""
    return msgspec.msgpack.decode(data, type=CombatGroup)


def submarine_attack_odds(rules: Ruleset, attacks: SubmarineAttacks) -> SubmarineAttackOdds:
    """The chances of all these attacks together (22.94): categories, torpedoes, and what both sides lose."""
    start = replace(attacks.group, number=NUMBER)
    steps = _Attacks(rules, attacks)
    ways = {_After(as_bytes(start)): 1}
    for key in attacks.submarines:
        own = {before: steps.one(key, before) for before in ways}
        ways = counted((after, number * more) for before, number in ways.items() for after, more in own[before].items())
    outcomes = as_chances(ways)
    groups = {each.group: as_group(each.group) if each.group else CombatGroup(NUMBER) for each in outcomes}

    def sunk(each: _After) -> int:
        left = groups[each.group]
        afloat = {ship.id for ship in left.ships}
        named = sum(ship.size for ship in start.ships if ship.id not in afloat)
        return named + factors_lost(start.light, left.light)

    ships: dict[str, dict[str, Fraction]] = {}
    for ship in start.ships:
        states = {
            key: condition(next((each for each in group.ships if each.id == ship.id), None))
            for key, group in groups.items()
        }
        ships[ship.id] = counted((states[each.group], chance) for each, chance in outcomes.items())
    return SubmarineAttackOdds(
        chances_of(outcomes, lambda each: each.lost),
        ships,
        counted((tuple(groups[each.group].light.items()), chance) for each, chance in outcomes.items()),
        chances_of(outcomes, sunk),
        sum((chance for each, chance in outcomes.items() if each.cut), Fraction(0)),
        dict(sorted(counted(((each.lost, sunk(each)), chance) for each, chance in outcomes.items()).items())),
    )
