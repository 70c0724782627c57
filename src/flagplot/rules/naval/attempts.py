"""22.21-22.24: the dice of attempts to intercept, what they reach, and what becomes of those who tried."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.asks import Roll
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model import interception as icp
from flagplot.model.interception import Advance, Arrival, Chance, Circumstances, Interceptor, Level, Target
from flagplot.model.operation import Contact, Leg, Operation, Try, less
from flagplot.model.operation_events import BoatsPlaced, InterceptionDiceCounted, InterceptionRolled, TriesSettled
from flagplot.model.ships import light, plus
from flagplot.rules.naval.interception import (
    arrivals,
    attempts,
    counter_attempts_share,
    countered,
    countered_task_forces,
    result_of,
)
from flagplot.rules.naval.passage import (
    defenders,
    helping_boats,
    interceptor_of,
    place_forces,
    spotters_of,
    target_of,
    turning_point,
)
from flagplot.rules.naval.targets import surface
from flagplot.rules.table import Table


@rule("22.21", "22.22", "22.22K", "22.164A", "22.164B", "22.164C")
async def roll_attempts(table: Table, side: Side, level: Level, ids: Sequence[str]) -> None:
    """22.21. The dice of every attempt, those at one contact counted together; then what each of them reached."""
    tries = [each for each in table.operation.wave.tries if each.id in ids]
    for id in dict.fromkeys(each.contact for each in tries):
        together = [each for each in tries if each.contact == id]
        contact = table.operation.wave.contact(id)
        target, about = facts_of(table, side, level, contact, nation_of(table.operation, together[0]))
        forces = _sharing(table, level, contact, [_interceptor(table.operation, side, each) for each in together])
        made = attempts(table.rules, target, about, forces)
        totals: dict[str, int] = {}
        for attempt, each in zip(made, together, strict=True):
            table.record(
                InterceptionDiceCounted(rule="22.22", to=only(side), side=side, attempt=each.id, dice=attempt.dice)
            )
            if attempt.chance is not Chance.ROLLS:
                continue
            why = f"{each.force} tries to reach {each.hex}, {each.distance} hexes away"
            dice = await Roll(attempt.dice.total, table.rules.number("22.21"), side, why)
            totals[each.id] = sum(dice)
            table.record(
                InterceptionRolled(
                    rule="22.21",
                    to=Audience.EVERYONE,
                    side=side,
                    attempt=each.id,
                    dice=dice,
                    total=sum(dice),
                    result=result_of(table.rules, about.theatre, sum(dice)),
                    distance=each.distance,
                )
            )
        _settle(table, side, arrivals(table.rules, about, made, totals))


def nation_of(operation: Operation, attempt: Try) -> str:
    """Whose attempt it is."""
    return light(attempt.boat).nation if attempt.boat else operation.force(attempt.side, attempt.force).nation


def _interceptor(operation: Operation, side: Side, attempt: Try) -> Interceptor:
    if attempt.boat:
        return interceptor_of(attempt, None)
    force = operation.force(side, attempt.force)
    idle = bool(force.harbour) and not operation.harbour(side, force.harbour).operational
    return replace(interceptor_of(attempt, force), port_operational=not idle)


# -- what bears on the dice -----------------------------------------------------------------------


@rule("22.22", "22.22E", "22.22F")
def facts_of(
    table: Table, side: Side, level: Level, contact: Contact, nation: str = ""
) -> tuple[Target, Circumstances]:
    """22.22. What is intercepted, and what else bears on the dice. `nation` is that of those who intercept."""
    operation, wave = table.operation, table.operation.wave
    cards = operation.sea.cards
    about = Circumstances(
        theatre=operation.theatre,
        level=level,
        place=_place(level, contact),
        submarines=helping_boats(table.rules, operation, side, contact.hex),
        cards=cards.get(side, 0),
        enemy_cards=cards.get(side.enemy, 0),
    )
    if level is Level.INTERCEPTION:
        legs = [wave.leg(id) for id in contact.legs]
        air = spotters_of(operation, side, [leg.path for leg in legs], contact.hex, nation, _struck(operation, legs))
        ground = defenders(legs, contact.hex)
        factors = sum(operation.force(leg.side, id).factors for leg in legs for id in leg.forces)
        target = replace(target_of(legs, contact.hex), factors=factors)
        return target, replace(about, ground_factors=ground, spotters=air)
    aimed = _aimed_at(operation, level, contact)
    advances = [_advance(operation, each, contact.hex) for each in aimed]
    air = spotters_of(operation, side, [each.path for each in aimed], contact.hex, nation)
    target = Target(
        ("interception",),
        _task_forces(table, about, advances),
        factors=sum(operation.force(each.side, each.force).factors for each in aimed),
        against_us_transport=any(from_us_box(operation, each) for each in aimed),
    )
    return target, replace(about, spotters=air)


@rule("22.22G.3", "22.18F")
def _struck(operation: Operation, legs: Sequence[Leg]) -> dict[str, int]:
    """22.22G. The aircraft that patrols on these voyages have attacked on their way out, by keys with bases."""
    struck: dict[str, int] = {}
    for id in (id for leg in legs if not leg.returning for id in leg.forces):
        for key, number in operation.struck.get(id, {}).items():
            struck[key] = max(number, struck.get(key, 0))
    return struck


@rule("22.23T.14")
def from_us_box(operation: Operation, attempt: Try) -> bool:
    """22.23. Whether an attempt is an interception of a sea transport that comes from a U.S. box; one that protects it, in
    the same hex, is not."""
    if attempt.level is not Level.INTERCEPTION:
        return False
    legs = [operation.wave.leg(id) for id in operation.wave.contact(attempt.contact).legs]
    boxes = [harbour.hex for side in Side for harbour in operation.sea.harbours[side] if harbour.box == "U.S."]
    return any(leg.kind == "sea transport" and leg.start in boxes for leg in legs)


def _aimed_at(operation: Operation, level: Level, contact: Contact) -> list[Try]:
    """The attempts that counters in a contact are aimed at."""
    below = Level.INTERCEPTION if level is Level.COUNTER else Level.COUNTER
    return [
        each
        for each in surface(operation.wave.tries, below)
        if (each.id in contact.met if contact.level is level else each.contact == contact.id)
    ]


@rule("22.22K")
def _sharing(table: Table, level: Level, contact: Contact, forces: Sequence[Interceptor]) -> list[Interceptor]:
    """22.22K. Which attempts cost each other dice: all in a contact; where counters count by the force they are aimed at
    (IR-41), their owner spreads them over those there are, so that they cost each other as little as may be (FP-88)."""
    if level is Level.INTERCEPTION or table.rules.readings.counter_attempts_by_hex:
        return list(forces)
    aimed = [_advance(table.operation, each, contact.hex) for each in _aimed_at(table.operation, level, contact)]
    place = _place(level, contact)
    met = countered(table.rules, aimed, place, aimed[0].id)
    ships = [force for force in forces if force.surface]
    words = {
        force.id: counter_attempts_share(table.rules, met, place, met[index % len(met)].id)
        for index, force in enumerate(ships if met else ())
    }
    return [replace(force, shares=words.get(force.id, force.shares)) for force in forces]


@rule("22.22E")
def _task_forces(table: Table, about: Circumstances, advances: Sequence[Advance]) -> int:
    """22.22E. The TFs that give dice to a counter-interception; where only one force counts, its owner aims at a TF
    (IR-33)."""
    counts = [countered_task_forces(table.rules, advances, about.place, each.id) for each in advances]
    return max(counts, default=0)


def _place(level: Level, contact: Contact) -> icp.Place:
    if contact.level is level:
        return icp.Place.ELSEWHERE
    return icp.Place.INTERCEPTION_HEX if contact.level is Level.INTERCEPTION else icp.Place.COUNTER_HEX


def _advance(operation: Operation, attempt: Try, hex: str) -> Advance:
    """An attempt on its way, as seen from a hex where it may be met."""
    distance = attempt.path.index(hex) if hex in attempt.path else attempt.distance
    force = operation.force(attempt.side, attempt.force)
    return Advance(attempt.id, attempt.result or 0, distance, "", int(force.task_force), attempt.round == 1)


# -- what came of it ------------------------------------------------------------------------------


@rule("22.24", "22.24A", "22.24B", "22.24C", "22.116", "22.14A.2", "22.252", "22.26A", "22.27.3")
def _settle(table: Table, side: Side, arrived: Sequence[Arrival]) -> None:
    """22.24. Who is at sea, who comes late, who stayed in port; all that tried have tried in this phase (IR-16).

    A submarine that fell short comes late like others (AM-12). A patrol that failed is in its patrol hex (22.14F).
    """
    tries = {each.id: each for each in table.operation.wave.tries}
    settled: list[Try] = []
    why: dict[str, str] = {}
    for arrival in arrived:
        attempt = tries[arrival.id]
        status = "sailing" if arrival.round else "failed" if arrival.spent else "void"
        settled.append(replace(attempt, round=arrival.round, status=status))
        why[arrival.id] = arrival.why
        if attempt.boat:
            boat_tried(table, side, attempt, status)
        elif arrival.spent:
            force = table.operation.force(side, attempt.force)
            force = replace(force, attempted=True, activity="interception", magic=None)
            if not arrival.stays_in_port and not arrival.round and force.patrol != "defensive":
                there = turning_point(table.operation, attempt)
                force = replace(force, place=there, harbour="", patrol="")
            place_forces(table, side, [force])
    table.record(TriesSettled(rule="22.24", to=Audience.EVERYONE, side=side, tries=tuple(settled), why=why))


def boat_tried(table: Table, side: Side, attempt: Try, status: str) -> None:
    """A submarine that has tried has tried; one that got through is at sea."""
    if status == "void":
        return
    boats = table.operation.station(side, attempt.force)
    boats = replace(boats, ready=less(boats.ready, attempt.boat))
    one = {attempt.boat: 1}
    if status == "sailing":
        boats = replace(boats, at_sea=plus(boats.at_sea, one))
    else:
        boats = replace(boats, attempted=plus(boats.attempted, one))
    table.record(BoatsPlaced(rule="22.915", to=Audience.EVERYONE, side=side, boats=(boats,), lost={}))
