"""Exact chances in the air (23.4, 23.7): surprise, air combat, air defense, and a whole strike on a group at sea.

Each step is counted once for every different state it is reached in. Who engages, who fights and which squadrons are
lost is as the forms offer; what is attacked with those that get through is said by the caller. What comes of a critical
hit (20.524) is an input the rules do not hold: only the chance that one is rolled for is told. Ports are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.ships import minus
from flagplot.model.squadrons import Counts, squadron, told, total
from flagplot.model.state import Fleet
from flagplot.odds.exact import Chances, as_chances, as_offered, chances_of, counted, dice_ways
from flagplot.odds.exact_gunnery import TWO_DICE, condition, factors_lost, hit_ways, light_after, ship_after
from flagplot.rules.air.attack import (
    air_attack_modifiers,
    air_defense_level,
    kamikaze_rank,
    kamikaze_target,
    makes_air_defense_roll,
    surprise_modifiers,
)
from flagplot.rules.air.combat import air_combat_modifiers, crews, jets
from flagplot.rules.air.losses import take_air_losses, take_staged_losses
from flagplot.rules.air.strikes import SUPPLY, defenders_form, fighters_form, may_defend, targets_form
from flagplot.rules.naval.gunnery import crews as ship_crews
from flagplot.rules.table import Ruleset

Squadrons: TypeAlias = tuple[tuple[str, int], ...]  # counts that may be a key
Aim: TypeAlias = Callable[[CombatGroup, Counts], Mapping[str, Counts]]  # what attacks which target
LightShips: TypeAlias = tuple[tuple[str, int], ...]


def first_target(group: CombatGroup, squadrons: Counts) -> dict[str, dict[str, int]]:
    """What the form for targets offers: all at the first one."""
    form = targets_form(group, squadrons)
    answer = form.read(form.default, "23.43")
    return {place.key: held for place in form.places[:-1] if (held := answer.held_by(place.key))}


class Strike(NamedTuple):
    """Squadrons on their way to a group that was found; what supply, research and codebreaking do is in the fleets."""

    squadrons: Counts
    group: CombatGroup  # with its patrol and cover
    surprise: bool = False
    attacker: Fleet = Fleet()
    defender: Fleet = Fleet()
    aim: Aim = first_target


class Flying(NamedTuple):
    """A strike between two steps: its surprise level, who flies on, and what both sides lost so far."""

    level: int
    squadrons: Squadrons
    lost: int = 0
    aborted: int = 0
    defenders_lost: int = 0


class StrikeOdds(NamedTuple):
    """What a strike comes to."""

    levels: Chances  # of surprise
    through: Chances  # squadrons that reach their targets
    lost: Chances  # squadrons of the strike
    aborted: Chances
    defenders_lost: Chances
    hits: dict[str, Chances]  # by target
    ships: dict[str, dict[str, Fraction]]  # what becomes of each: sunk, damaged, hit, sound
    critical: dict[str, Fraction]  # the chance that a critical hit is rolled for
    light: dict[LightShips, Fraction]  # what is left of the light ships
    factors_sunk: Chances
    exchange: dict[tuple[int, int], Fraction]  # squadrons lost, factors sunk


def _as_key(counts: Counts) -> Squadrons:
    return tuple(told({key: number for key, number in counts.items() if number}).items())


# -- steps ------------------------------------------------------------------------------------------------


def surprise_ways(rules: Ruleset, results: int, radar: int) -> dict[int, int]:
    """The ways, of 6, to each level of surprise (23.7412); a level of 0 has no effect."""
    modifier = surprise_modifiers(rules.surprise, results, radar).total
    return counted((max(0, die + modifier), ways) for die, ways in dice_ways(1).items())


def air_combat_modifier(rules: Ruleset, strike: Strike, fighting: Counts, defenders: Counts, level: int) -> int:
    """The attacker's modifier of an air combat over a group (23.415D)."""
    alone = not any(squadron(key).base for key in defenders)
    return air_combat_modifiers(
        rules.air_nationality,
        crews(strike.attacker, fighting),
        crews(strike.defender, defenders),
        patrol_bonus=alone and not rules.surprise.effects(level).patrol_bonus_lost,
        attacking_jets=jets(fighting),
        defending_jets=jets(defenders),
    ).total


def defenders_of(rules: Ruleset, strike: Strike, level: int) -> dict[str, int]:
    """Who of patrol and cover engages: all that surprise does not keep out (23.415A)."""
    form = defenders_form(strike.group, rules.surprise.kept_out(level, total(may_defend(strike.group))))
    return form.read(form.default, "23.415A").held_by("engage")


def fighters_of(squadrons: Counts, defenders: Counts) -> dict[str, int]:
    """Who of a strike meets them: as many, the first of the strike (23.415B)."""
    number = min(total(defenders), total(squadrons))
    if number == total(squadrons):
        return dict(squadrons)
    form = fighters_form(squadrons, number)
    return form.read(form.default, "23.415B").held_by("fight")


def air_combat_ways(rules: Ruleset, strike: Strike, before: Flying) -> dict[Flying, int]:
    """The ways, of 36 times 36, to each state after the air combat over the group (23.415, 23.416)."""
    squadrons, defenders = dict(before.squadrons), defenders_of(rules, strike, before.level)
    if not defenders or not squadrons:
        return {before: 36 * 36}
    fighting = fighters_of(squadrons, defenders)
    others = minus(squadrons, fighting)
    net = air_combat_modifier(rules, strike, fighting, defenders, before.level)
    mine = counted((rules.air_combat.result(total(fighting), roll + net), ways) for roll, ways in TWO_DICE.items())
    theirs = counted((rules.air_combat.result(total(defenders), roll - net), ways) for roll, ways in TWO_DICE.items())
    shot_down = counted(
        (total(as_offered(take_air_losses(Side.ALLIES, defenders, result.eliminated, 0, "")).lost), ways)
        for result, ways in mine.items()
    )
    tolls = [
        (as_offered(take_staged_losses(Side.AXIS, fighting, others, *result, "")), ways)
        for result, ways in theirs.items()
    ]
    return counted(
        (_suffered(before, toll.lost, toll.aborted)._replace(defenders_lost=lost), ways * other)
        for toll, ways in tolls
        for lost, other in shot_down.items()
    )


def _suffered(before: Flying, lost: Counts, aborted: Counts) -> Flying:
    left = _as_key(minus(minus(dict(before.squadrons), lost), aborted))
    return before._replace(squadrons=left, lost=before.lost + total(lost), aborted=before.aborted + total(aborted))


def defense_level(rules: Ruleset, strike: Strike, level: int) -> int:
    """The air defense level of the group (23.421) at a level of surprise."""
    return air_defense_level(
        rules.air_defense_level,
        strike.group.ships,
        strike.group.light,
        research=strike.defender.research.get("air defense", 0),
        surprise=rules.surprise,
        level=level,
    ).total


def air_defense_ways(rules: Ruleset, strike: Strike, before: Flying) -> dict[Flying, int]:
    """The ways, of 36, to each state after the group's guns (23.42)."""
    level = defense_level(rules, strike, before.level)
    surprised = not rules.surprise.effects(before.level).air_defense_roll
    if not before.squadrons or not makes_air_defense_roll(level, surprised=surprised):
        return {before: 36}
    results = counted((rules.air_defense.result(level, roll), ways) for roll, ways in TWO_DICE.items())
    tolls = [
        (as_offered(take_air_losses(Side.AXIS, dict(before.squadrons), *result, "")), ways)
        for result, ways in results.items()
    ]
    return counted((_suffered(before, toll.lost, toll.aborted), ways) for toll, ways in tolls)


def arrivals(rules: Ruleset, strike: Strike) -> dict[Flying, int]:
    """The ways to each state in which a strike may come to its targets, or not."""
    flying = _as_key(strike.squadrons)
    states = {Flying(0, flying): 6}
    if strike.surprise:
        radar = strike.defender.research.get("radar", 0)
        levels = surprise_ways(rules, strike.group.found, radar)
        states = {Flying(level, flying): ways for level, ways in levels.items()}
    for step in (air_combat_ways, air_defense_ways):
        states = counted(
            (after, ways * own) for before, ways in states.items() for after, own in step(rules, strike, before).items()
        )
    return states


# -- targets -------------------------------------------------------------------------------------------------


class _Bombs(NamedTuple):
    """What squadrons that got through do: for each target its chances, and factors sunk in all."""

    hits: dict[str, Chances]
    ships: dict[str, dict[str, Fraction]]
    critical: dict[str, Fraction]
    light: dict[LightShips, Fraction]
    factors: Chances


def _targets(strike: Strike, squadrons: Squadrons) -> Iterator[tuple[dict[str, dict[str, int]], Fraction]]:
    """What is aimed at what, and its chance: where kamikazes fall is up to a die for each (17.475F)."""
    group = strike.group
    aimed = {key: number for key, number in squadrons if squadron(key).kind != "KAM"}
    chosen = {target: dict(counts) for target, counts in strike.aim(group, aimed).items()} if aimed else {}
    ranked = [ship.id for ship in sorted(group.ships, key=kamikaze_rank)]
    light_ships = LIGHT if group.light else ""
    fallen: dict[Squadrons, int] = {(): 1}  # "target|key" of each kamikaze
    for key, number in squadrons:
        for _ in range(number if key not in aimed else 0):
            where = counted(
                (kamikaze_target(ranked, light_ships, die) if ranked or light_ships else SUPPLY, ways)
                for die, ways in dice_ways(1).items()
            )
            fallen = counted(
                (_one_more(before, f"{target}|{key}"), ways * own)
                for before, ways in fallen.items()
                for target, own in where.items()
            )
    for each, chance in as_chances(fallen).items():
        targets = {target: dict(counts) for target, counts in chosen.items()}
        for name, number in each:
            target, _, key = name.partition("|")
            targets.setdefault(target, {})[key] = number
        yield targets, chance


def _one_more(counts: Squadrons, key: str) -> Squadrons:
    have = dict(counts)
    return _as_key({**have, key: have.get(key, 0) + 1})


def attack_modifier(rules: Ruleset, strike: Strike, target: str, attackers: Counts, level: int) -> int:
    """The modifier of the attack on one target (23.441)."""
    ships = [ship for ship in strike.group.ships if ship.id == target]
    counts = strike.group.light if target == LIGHT else {}
    return air_attack_modifiers(
        rules.air_nationality,
        rules.nationality,
        crews(strike.attacker, attackers),
        ship_crews(ships, counts, strike.defender.impaired),
        naval_air_bonus=rules.naval_air_bonus,
        surprise=rules.surprise,
        level=level,
        enemy_tactical=strike.defender.tactical,
    ).total


def _bombs(rules: Ruleset, strike: Strike, level: int, targets: Mapping[str, Counts]) -> _Bombs:
    group = strike.group
    found = _Bombs({}, {}, {}, {tuple(group.light.items()): Fraction(1)} if group.light else {}, {0: Fraction(1)})
    sinks: Chances = found.factors
    ships = {ship.id: ship for ship in group.ships}
    for target, attackers in targets.items():
        modifier = attack_modifier(rules, strike, target, attackers, level)
        hits = as_chances(hit_ways(rules.attack, total(attackers), modifier, True))
        found.hits[target] = hits
        lost: Chances = {0: Fraction(1)}
        if target in ships:
            ship = ships[target]
            after = {number: ship_after(rules, ship, number) for number in hits}
            found.ships[target] = counted((condition(after[number]), chance) for number, chance in hits.items())
            if rules.surprise.effects(level).critical_hit_roll and not ship.damaged:
                found.critical[target] = found.ships[target].get("damaged", Fraction(0))
            lost = counted((0 if after[number] else ship.size, chance) for number, chance in hits.items())
        elif target == LIGHT:
            found.light.clear()
            left = {number: tuple(light_after(group.light, number).items()) for number in hits}
            found.light.update(counted((left[number], chance) for number, chance in hits.items()))
            lost = counted((factors_lost(group.light, dict(left[n])), chance) for n, chance in hits.items())
        sinks = counted((sunk + more, chance * own) for sunk, chance in sinks.items() for more, own in lost.items())
    return found._replace(factors=sinks)


def _add(into: dict[str, dict[str, Fraction]], name: str, chances: Mapping[str, Fraction], weight: Fraction) -> None:
    mine = into.setdefault(name, {})
    for each, chance in chances.items():
        mine[each] = mine.get(each, Fraction(0)) + chance * weight


def strike_odds(rules: Ruleset, strike: Strike) -> StrikeOdds:
    """The chances of one strike on a group at sea (23.76): surprise, air combat, air defense, and its bombs."""
    states = as_chances(arrivals(rules, strike))
    group = strike.group
    ships: dict[str, dict[str, Fraction]] = {ship.id: {} for ship in group.ships}
    hits: dict[str, Chances] = {}
    critical = dict.fromkeys(ships, Fraction(0))
    lights: dict[LightShips, Fraction] = {}
    exchange: dict[tuple[int, int], Fraction] = {}
    alike: dict[tuple[int, Squadrons], dict[int, Fraction]] = {}  # by squadrons lost: what gets through does the same
    for state, chance in states.items():
        lost = alike.setdefault((state.level, state.squadrons), {})
        lost[state.lost] = lost.get(state.lost, Fraction(0)) + chance
    for (level, squadrons), lost in alike.items():
        here = sum(lost.values(), Fraction(0))
        for targets, share in _targets(strike, squadrons):
            bombs = _bombs(rules, strike, level, targets)
            for target, scored in bombs.hits.items():
                mine = hits.setdefault(target, {})
                for number, chance in scored.items():
                    mine[number] = mine.get(number, Fraction(0)) + chance * here * share
            for ship in group.ships:
                _add(ships, ship.id, bombs.ships.get(ship.id, {condition(ship): Fraction(1)}), here * share)
                critical[ship.id] += bombs.critical.get(ship.id, Fraction(0)) * here * share
            for left, chance in bombs.light.items():
                lights[left] = lights.get(left, Fraction(0)) + chance * here * share
            for squadrons_lost, mine_chance in lost.items():
                for factors, chance in bombs.factors.items():
                    pair = (squadrons_lost, factors)
                    exchange[pair] = exchange.get(pair, Fraction(0)) + mine_chance * chance * share
    for chances in hits.values():  # not attacked is not hit
        chances[0] = chances.get(0, Fraction(0)) + 1 - sum(chances.values())
    return StrikeOdds(
        chances_of(states, lambda state: state.level),
        chances_of(states, lambda state: total(dict(state.squadrons))),
        chances_of(states, lambda state: state.lost),
        chances_of(states, lambda state: state.aborted),
        chances_of(states, lambda state: state.defenders_lost),
        {target: {n: chance for n, chance in sorted(of.items()) if chance} for target, of in hits.items()},
        ships,
        {id: chance for id, chance in critical.items() if chance},
        lights,
        chances_of(exchange, lambda pair: pair[1]),
        dict(sorted(exchange.items())),
    )
