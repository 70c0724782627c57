"""Where the admiral intercepts, with what, and whether at all: at every level, from what his side knows.

He remembers nothing between two questions: asked for a hex, he makes the same plan again that he answered from before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from flagplot.bots.bot import rules_of
from flagplot.bots.flying import legal
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.doctrine.chances import (
    STAGE_LEVEL,
    Candidate,
    aims_of,
    candidates,
    caught,
    chance_in_round_one,
    dice_facts,
    leg_facts,
    strength,
)
from flagplot.doctrine.operations import Comer
from flagplot.model.interception import Circumstances, Interceptor, Level, Place, Target
from flagplot.model.operation import Contact, Leg, NavalForce, Operation, Try
from flagplot.model.picture import Picture
from flagplot.model.squadrons import squadron
from flagplot.rules.naval.interception import in_range, patrol_may_support, patrol_round
from flagplot.rules.naval.passage import (
    FAR,
    distances,
    helping_boats,
    may_try,
    operation_range,
)
from flagplot.rules.naval.targets import HOLD, OF, Aim, aims_at_legs
from flagplot.rules.table import Ruleset

MOST_TOGETHER = 4  # forces considered against one target

# -- what is known of forces and aircraft ---------------------------------------------------------


def _strength_of(operation: Operation, side: Side, ids: Sequence[str], *, laden: bool = False) -> int:
    return sum(strength(force, laden=laden) for force in operation.forces[side] if force.id in ids)


def shore(operation: Operation, side: Side, hex: str, role: str) -> int:
    """A side's land-based squadrons for a role, "attack" or "cover", within reach of a hex; an army factor has one."""
    number = 0
    for field in operation.airfields.get(side, ()):
        if field.base.operational and field.distances.get(hex, FAR) <= operation_range(operation, side):
            number += sum(field.base.factors.values())
            number += sum(
                n for key, n in field.base.squadrons.items() if squadron(key).kind == "NAS" or squadron(key)[2] == role
            )
    return number


def air_there(operation: Operation, side: Side, hex: str) -> int:
    """What a side's aircraft add to its strength in a hex."""
    return doctrine.air_strength(shore(operation, side, hex, "attack"))


# -- chances --------------------------------------------------------------------------------------

Alone = dict[str, tuple[int, int]]  # for each candidate the dice it would roll alone, and its distance


def _alone(
    rules: Ruleset,
    target: Target,
    about: Circumstances,
    hex: str,
    among: Sequence[Candidate],
    near: Mapping[str, dict[str, int]],
) -> Alone:
    found: Alone = {}
    for each in among:
        distance = near[each.place].get(hex, FAR)
        found[each.id] = rules.interception_dice(rules, target, about, each.interceptor(distance)).total, distance
    return found


def _comers(rules: Ruleset, theatre: str, alone: Alone, going: Sequence[Candidate]) -> list[Comer]:
    """The chances of forces that try together: every further one may cost each a die (22.22K)."""
    fewer = (len(going) - 1) * rules.interception.per_further_attempt
    comers: list[Comer] = []
    for each in going:
        dice, distance = alone[each.id]
        comers.append(_comer(rules, theatre, each.strength, dice + fewer, distance))
    return comers


def _comer(rules: Ruleset, theatre: str, strong: int, dice: int, distance: int) -> Comer:
    chart = rules.interception
    late = doctrine.late_strength(strong, dice, distance, chart.divisor[theatre], chart.hexes_per_round[theatre])
    return Comer(strong, chance_in_round_one(rules, dice, distance, theatre), late)


# -- interceptions of every level -----------------------------------------------------------------


class Plan(NamedTuple):
    """Forces that try for one aim in one hex, and what that is worth beyond its cost."""

    aim: Aim
    hex: str
    going: tuple[Candidate, ...]
    worth: int


def plans(rules: Ruleset, operation: Operation, side: Side, level: Level, *, nearest: bool = False) -> list[Plan]:
    """The best forces, hex and aim; then the same for those that are left, as long as it is worth while. With `nearest`
    only the hex is considered that all of them reach soonest."""
    aims = aims_of(rules, operation, level)
    reach = list(dict.fromkeys(hex for aim in aims for hex in aim.hexes))
    free = candidates(rules, operation, side, level, reach)
    made: list[Plan] = []
    while free and aims:
        best = max(
            (plan for aim in aims for plan in _plans_for(rules, operation, side, level, aim, free, nearest)),
            key=lambda plan: plan.worth,
            default=None,
        )
        if best is None:
            break
        made.append(best)
        free = [each for each in free if each not in best.going]
        aims = [aim for aim in aims if aim != best.aim]
    return made


def _plans_for(
    rules: Ruleset,
    operation: Operation,
    side: Side,
    level: Level,
    aim: Aim,
    free: Sequence[Candidate],
    nearest: bool,
) -> Iterator[Plan]:
    """Every choice of hex and forces that is worth while."""
    near = {each.place: distances(operation.sea.seas, each.place) for each in free}
    for hex in aim.hexes:
        target, about = dice_facts(rules, operation, side, level, aim, hex)
        close = [each for each in free if in_range(rules, operation.theatre, near[each.place].get(hex, FAR))]
        alone = _alone(rules, target, about, hex, close[:MOST_TOGETHER], near)
        own, enemy, prize, joins = _stakes(rules, operation, side, aim, hex)
        for number in range(1, min(MOST_TOGETHER, len(close)) + 1):
            for going in combinations(close[:MOST_TOGETHER], number):
                if nearest and hex != _nearest(aim, [near[each.place] for each in going]):
                    continue
                comers = _comers(rules, operation.theatre, alone, going)
                if joins and not doctrine.joins(comers, own, enemy):
                    continue
                weigh = doctrine.joining_worth if joins else doctrine.meeting_worth
                worth = weigh(comers, own, enemy, prize)
                if doctrine.tries(worth, comers):
                    yield Plan(aim, hex, going, worth - doctrine.cost_of_trying(comers))


def _nearest(aim: Aim, near: Sequence[Mapping[str, int]]) -> str:
    """The hex that the last of several forces reaches soonest."""
    return min(aim.hexes, key=lambda hex: max(each.get(hex, FAR) for each in near))


def _stakes(rules: Ruleset, operation: Operation, side: Side, aim: Aim, hex: str) -> tuple[int, int, int, bool]:
    """Own and enemy strength in a hex without those who try, the prize, and whether there is a battle anyway."""
    own, enemy = air_there(operation, side, hex), air_there(operation, side.enemy, hex)
    if aim.contact:
        contact = operation.wave.contact(aim.contact)
        prize = sum(_prize(operation.wave.leg(id)) for id in contact.legs)
        mine, theirs = _there(operation, side, contact), _there(operation, side.enemy, contact)
        return own + mine, enemy + theirs, prize, True
    if aim.met:
        met = [each for each in operation.wave.tries if each.id in aim.met]
        enemy += _strength_of(operation, side.enemy, [each.force for each in met])
        spared = [operation.wave.leg(id) for each in met for id in _legs_of(operation, each)]
        return own, enemy, max(map(_prize, spared), default=0) // 2, False
    legs = caught(rules, operation, aim, hex)
    for leg in legs:
        enemy += _strength_of(operation, side.enemy, leg.forces, laden=leg.cargo)
    aboard = [id for leg in legs for id in leg.forces]
    enemy += helpers(rules, operation, side.enemy, hex, aboard)
    return own, enemy, sum(map(_prize, legs)), False


def _legs_of(operation: Operation, attempt: Try) -> tuple[str, ...]:
    return next((contact.legs for contact in operation.wave.contacts if contact.id == attempt.contact), ())


def _prize(leg: Leg) -> int:
    return 0 if leg.returning else doctrine.activity_worth(leg.kind)


def _there(operation: Operation, side: Side, contact: Contact) -> int:
    """What a side has in a battle that will be fought anyway; those who come late count half."""
    wave = operation.wave
    total = 0
    if side is wave.side:
        for leg in (wave.leg(id) for id in contact.legs):
            total += _strength_of(operation, side, leg.forces, laden=leg.cargo)
    for each in (*wave.tries, *wave.supports):
        here = each.contact == contact.id or each.id in contact.met
        if here and each.side is side and each.status == "sailing" and not each.boat:
            strong = _strength_of(operation, side, [each.force])
            total += strong if each.round == 1 else strong // 2
    return total


def helpers(rules: Ruleset, operation: Operation, side: Side, hex: str, aboard: Sequence[str]) -> int:
    """What may come to counter-intercept in a hex or to support there, by its chance."""
    far = distances(operation.sea.seas, hex)
    about = Circumstances(theatre=operation.theatre, level=Level.COUNTER, place=Place.INTERCEPTION_HEX)
    dice = rules.interception_dice(rules, Target(("interception",), 1), about, Interceptor("", 0)).total
    forces, _ = may_try(rules, operation, side, Level.COUNTER, [hex])
    comers = [
        _comer(rules, operation.theatre, strength(force), dice, far.get(force.place, FAR))
        for force in forces
        if force.id not in aboard and not force.cargo
    ]
    near = [force for force in operation.forces[side] if force.patrol == "offensive" and force.id not in aboard]
    for force in near:
        comers.append(_supporter(rules, operation, force, hex))
    return sum(doctrine.expected(comer) for comer in comers)


def _supporter(rules: Ruleset, operation: Operation, patrol: NavalForce, hex: str) -> Comer:
    """An offensive patrol on its way to a hex: it comes without dice, by its distance."""
    far = distances(operation.sea.seas, patrol.place).get(hex, FAR)
    soon = patrol_round(rules, operation.theatre, far)
    strong = 0 if patrol.inverted else strength(patrol)
    late = strong >> (soon - 1) if soon <= 3 and patrol_may_support(rules, far) else 0
    return Comer(strong, doctrine.WHOLE if soon == 1 else 0, late)


def intercept(picture: Picture, decision: Decide, *, nearest: bool = False) -> Wire:
    """At any level: those whose battle would be worth it; the others are held back. Submarines at any fair chance."""
    rules, operation, side, level = rules_of(picture), picture.operation, decision.side, Level(decision.kind)
    told: dict[str, dict[str, int]] = {}
    for plan in plans(rules, operation, side, level, nearest=nearest):
        more = {key: {plan.aim.key: number} for each in plan.going for key, number in each.items}
        if legal(decision, {**told, **more}):
            told |= more
    if level is Level.INTERCEPTION:
        for boats in operation.boats[side]:
            aim, chance = _boats_aim(rules, operation, side, boats.hex)
            for key, number in boats.ready.items():
                trial = {**told, boats.station + OF + key: {aim: number}}
                if doctrine.boats_try(chance) and legal(decision, trial):
                    told = trial
    return told


def _boats_aim(rules: Ruleset, operation: Operation, side: Side, place: str) -> tuple[str, int]:
    """The best target of submarines at a place, and their chance: cargo before others."""
    best, most = (HOLD, 0), -1
    for aim in aims_at_legs(rules, operation):
        chances = [_boats_chance(rules, operation, side, Level.INTERCEPTION, aim, hex, place) for hex in aim.hexes]
        worth = max(chances, default=0) * (2 if operation.wave.leg(aim.legs[0]).cargo else 1)
        if worth > most:
            best, most = (aim.key, max(chances, default=0)), worth
    return best


def _boats_chance(
    rules: Ruleset, operation: Operation, side: Side, level: Level, aim: Aim, hex: str, place: str
) -> int:
    """The chance of submarines at a place to be in a hex in time, against voyages or against those who intercept them."""
    target, about = dice_facts(rules, operation, side, level, aim, hex)
    distance = distances(operation.sea.seas, place).get(hex, FAR)
    dice = rules.interception_dice(rules, target, about, Interceptor("", distance, "submarine")).total
    return chance_in_round_one(rules, dice, distance, operation.theatre)


def choose_hex(picture: Picture, decision: Decide) -> Wire:
    """The hex of the plan; submarines go where they are likeliest to arrive."""
    rules, operation, side = rules_of(picture), picture.operation, decision.side
    level = STAGE_LEVEL[operation.wave.stage]
    offered = [place.key for place in decision.form.places]
    aims = {aim.key: aim for aim in aims_of(rules, operation, level)}
    if decision.rule == "22.915":
        aim, starts = aims[decision.about], [boats.hex for boats in operation.boats[side] if boats.ready]
        chances = {
            hex: max(_boats_chance(rules, operation, side, level, aim, hex, start) for start in starts)
            for hex in offered
            if starts
        }
        return max(chances, key=lambda hex: chances[hex], default=decision.form.default)
    for plan in plans(rules, operation, side, level):
        if plan.aim.key == decision.about and plan.hex in offered:
            return plan.hex
    return decision.form.default


# -- what may befall a voyage ---------------------------------------------------------------------


class Danger(NamedTuple):
    """The worst hex of a voyage, the chance to be met there, and by what."""

    hex: str
    chance: int
    enemy: int


def danger(rules: Ruleset, operation: Operation, side: Side, leg: Leg) -> Danger:
    """What may befall a voyage on its path, as far as markers show."""
    enemy = side.enemy
    near: dict[str, dict[str, int]] = {}
    among = candidates(rules, operation, enemy, Level.INTERCEPTION, list(operation.sea.seas))[:MOST_TOGETHER]
    for each in among:
        near[each.place] = distances(operation.sea.seas, each.place)
    worst = Danger(leg.end, 0, 0)
    cards = operation.sea.cards
    for hex in leg.path[1:] if leg.at_sea else leg.path:
        about = Circumstances(
            theatre=operation.theatre,
            submarines=helping_boats(rules, operation, enemy, hex),
            cards=cards.get(enemy, 0),
            enemy_cards=cards.get(side, 0),
        )
        target, about = leg_facts(operation, enemy, [leg], hex, about)
        comers = _comers(rules, operation.theatre, _alone(rules, target, about, hex, among, near), among)
        chance = doctrine.chance_of_any([comer.chance for comer in comers])
        coming = sum(comer.strength * comer.chance for comer in comers) // max(1, chance)
        found = Danger(hex, chance, coming + air_there(operation, enemy, hex))
        worst = max(worst, found, key=lambda each: each.chance * each.enemy)
    return worst
