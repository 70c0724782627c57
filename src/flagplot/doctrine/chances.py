"""Who could intercept what, with how many dice, and with what chance to be in time (22.22): as far as one side knows.

Shared by the admiral and by standing orders; everything is computed from a side's own picture of an operation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.doctrine.sight import deck_air, guns
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import Circumstances, Interceptor, Level, Place, Target
from flagplot.model.operation import Leg, NavalForce, Operation, Try
from flagplot.model.ships import Ship, light
from flagplot.rules.naval.attempts import from_us_box
from flagplot.rules.naval.combat_groups import slow_units
from flagplot.rules.naval.interception import in_range
from flagplot.rules.naval.interceptors import MOST_LOOSE_FACTORS, caught_with
from flagplot.rules.naval.passage import defenders, helping_boats, may_try, spotters_of, target_of, voyage_of
from flagplot.rules.naval.targets import OF, Aim, aims_at_legs, aims_at_tries
from flagplot.rules.table import Ruleset, Table

STAGE_LEVEL = {
    "interceptions": Level.INTERCEPTION,
    "counters": Level.COUNTER,
    "counter-counters": Level.COUNTER_COUNTER,
}
BELOW = {Level.COUNTER: Level.INTERCEPTION, Level.COUNTER_COUNTER: Level.COUNTER}


def as_group(ships: Sequence[Ship], counts: Mapping[str, int]) -> CombatGroup:
    """Ships as if they were a combat group."""
    return CombatGroup(0, ships=tuple(ships), light=dict(counts))


def strength(force: NavalForce, *, laden: bool = False) -> int:
    """The strength of a force, guessed if it is only a marker: half as much if it has fought."""
    if force.hidden:
        return (doctrine.UNSEEN_LADEN if laden else doctrine.UNSEEN) >> force.inverted
    group = as_group(force.ships, force.light)
    return guns(group) + doctrine.SQUADRON * deck_air(group)


# -- who could come -------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """A force that may try: a task force, or the best ships outside one in a port, with its items in a form."""

    id: str
    place: str
    strength: int
    slow: bool = False
    light: bool = False
    task_force: bool = True
    items: tuple[tuple[str, int], ...] = ()
    carrier: bool = False  # a fully operational fast one
    port_operational: bool = True

    def interceptor(self, distance: int) -> Interceptor:
        """As the rules have a force that rolls, so many hexes off."""
        return Interceptor(
            self.id,
            distance,
            "TF" if self.task_force else "loose",
            self.slow,
            self.light,
            carrier=self.carrier,
            port_operational=self.port_operational,
        )


def candidates(rules: Ruleset, operation: Operation, side: Side, level: Level, reach: Sequence[str]) -> list[Candidate]:
    """All that may try, ships outside task forces by port."""
    able, _ = may_try(rules, operation, side, level, reach)
    forces = [force for force in able if not force.cargo]  # those have something better to do
    found: list[Candidate] = []
    for force in forces:
        if force.task_force:
            slow = bool(slow_units(as_group(force.ships, force.light)))
            plain = not force.hidden and not force.ships and all(light(key).kind in ("CA", "DD") for key in force.light)
            carrier = any(ship.fully_operational for ship in force.ships)
            made = Candidate(force.id, force.place, strength(force), slow, plain, True, ((force.id, 1),), carrier)
            found.append(made._replace(port_operational=_in_order(operation, side, force)))
    for port in dict.fromkeys(force.place for force in forces if not force.task_force):
        there = [force for force in forces if force.place == port and not force.task_force]
        found.append(loose_ships(port, there)._replace(port_operational=_in_order(operation, side, there[0])))
    armed = [each for each in found if each.strength]
    return sorted(armed, key=lambda each: (-each.strength, each.id))


def _in_order(operation: Operation, side: Side, force: NavalForce) -> bool:
    return not force.harbour or operation.harbour(side, force.harbour).operational


def loose_ships(port: str, forces: Sequence[NavalForce]) -> Candidate:
    """Of the ships outside task forces in a port the largest fast ones, nine factors at most."""
    ships = [(ship, force.id) for force in forces for ship in force.ships if ship.fast and not ship.damaged]
    ships.sort(key=lambda pair: (not pair[0].is_capital, -pair[0].size, pair[0].id))
    left = MOST_LOOSE_FACTORS
    chosen: list[Ship] = []
    counts: dict[str, int] = {}
    items: list[tuple[str, int]] = []
    for ship, owner in ships:
        if ship.size <= left:
            left -= ship.size
            chosen.append(ship)
            items.append((owner + OF + ship.id, 1))
    for kind in ("CA", "DD"):
        for force in forces:
            for key, number in force.light.items():
                going = min(number, left // light(key).factors) if light(key)[1:] == (kind, "") else 0
                if going:
                    left -= going * light(key).factors
                    counts[key] = counts.get(key, 0) + going
                    items.append((force.id + OF + key, going))
    group = as_group(chosen, counts)
    worth = guns(group) + doctrine.SQUADRON * deck_air(group)
    carrier = any(ship.fully_operational for ship in chosen)
    return Candidate(port, port, worth, False, not chosen, False, tuple(items), carrier)


# -- what bears on the dice -----------------------------------------------------------------------


def aims_of(rules: Ruleset, operation: Operation, level: Level) -> list[Aim]:
    """What may be intercepted at a level."""
    if level is Level.INTERCEPTION:
        return aims_at_legs(rules, operation)
    return aims_at_tries(Table(rules, operation=operation), BELOW[level])


def dice_facts(
    rules: Ruleset, operation: Operation, side: Side, level: Level, aim: Aim, hex: str
) -> tuple[Target, Circumstances]:
    """What bears on the dice of all who try for one aim in one hex."""
    wave, cards = operation.wave, operation.sea.cards
    about = Circumstances(
        theatre=operation.theatre,
        level=level,
        submarines=helping_boats(rules, operation, side, hex),
        cards=cards.get(side, 0),
        enemy_cards=cards.get(side.enemy, 0),
    )
    if level is Level.INTERCEPTION:
        legs = caught(rules, operation, aim, hex)
        return leg_facts(operation, side, legs, hex, about)
    aimed = [each for each in wave.tries if each.id in aim.met]
    place = Place.ELSEWHERE
    if aim.contact:
        contact = wave.contact(aim.contact)
        place = Place.INTERCEPTION_HEX if contact.level is Level.INTERCEPTION else Place.COUNTER_HEX
        aimed = [each for each in _sailing(operation, BELOW[level]) if each.contact == aim.contact and each.round == 1]
    air = spotters_of(operation, side, [each.path for each in aimed], hex)
    known = [each.id for each in wave.contacts]
    target = Target(
        ("interception",),
        sum(each.kind == "TF" for each in aimed),
        factors=_known_factors(operation, side.enemy, [each.force for each in aimed]),
        against_us_transport=any(from_us_box(operation, each) for each in aimed if each.contact in known),
    )
    return target, replace(about, place=place, spotters=air)


def leg_facts(
    operation: Operation, side: Side, legs: Sequence[Leg], hex: str, about: Circumstances
) -> tuple[Target, Circumstances]:
    """What bears on the dice against voyages met in a hex."""
    ground = defenders(legs, hex)
    air = spotters_of(operation, side, [leg.path for leg in legs], hex)
    factors = _known_factors(operation, side.enemy, [id for leg in legs for id in leg.forces])
    return replace(target_of(legs, hex), factors=factors), replace(about, spotters=air, ground_factors=ground)


def _known_factors(operation: Operation, side: Side, ids: Sequence[str]) -> int | None:
    """The naval factors of forces, if all of them are known; no small force is suspected behind a marker."""
    forces = [force for force in operation.forces[side] if force.id in ids]
    return None if any(force.hidden for force in forces) else sum(force.factors for force in forces)


def _sailing(operation: Operation, level: Level) -> list[Try]:
    return [e for e in operation.wave.tries if e.level is level and e.status == "sailing" and not e.boat]


def caught(rules: Ruleset, operation: Operation, aim: Aim, hex: str) -> list[Leg]:
    """The voyages an interception in a hex would meet."""
    first = operation.wave.leg(aim.legs[0])
    others = [each for each in operation.wave.legs if each is not first and each.path]
    free = [each for each in others if each.status == "under way"]
    return [first, *(each for each in free if caught_with(rules, voyage_of(first), voyage_of(each), hex).holds)]


def chance_in_round_one(rules: Ruleset, dice: int, distance: int, theatre: str) -> int:
    """The chance, per mille, to be there in round 1."""
    if not in_range(rules, theatre, distance):
        return 0
    return doctrine.chance_in_time(dice, distance, rules.interception.divisor[theatre])
