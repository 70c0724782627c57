"""22.14, 22.16, 22.164: interceptions, counter-interceptions and counter-counter-interceptions, announced and rolled.

All levels go the same way: who tries what, in which hex, by which path; then the dice of all attempts at once; and only
when no further level is left does anybody fight (22.164).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place, barred, path_of, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model import interception as icp
from flagplot.model.interception import Advance, Arrival, Chance, Circumstances, Interceptor, Level, Target
from flagplot.model.operation import Boats, Contact, Leg, NavalForce, Operation, Try, Wave, less
from flagplot.model.operation_events import (
    BoatsPlaced,
    ContactsSought,
    InterceptionDiceCounted,
    InterceptionRolled,
    PatrolsSupport,
    TriesAnnounced,
    TriesSettled,
)
from flagplot.model.ships import light, minus, plus
from flagplot.rules.naval.activities import describe_leg, reach_stage
from flagplot.rules.naval.combat_groups import light_label
from flagplot.rules.naval.interception import arrivals, attempts, countered_task_forces, patrol_round, result_of
from flagplot.rules.naval.interceptors import MOST_LOOSE_FACTORS, caught_with, travel_together
from flagplot.rules.naval.passage import (
    distances,
    helping_boats,
    interceptor_of,
    may_try,
    nearest,
    passage_form,
    place_forces,
    rows_of,
    shortest,
    spotters,
    target_of,
    voyage_of,
    within_range,
)
from flagplot.rules.naval.reconstitution import by_port, reconstitute
from flagplot.rules.table import Table

HOLD = "hold"
AS_THEY_ARE, ANEW = "as they are", "reconstitute"  # of task forces in port
OF = "|"  # between a force or station and a unit of it


class Aim(NamedTuple):
    """Something that may be intercepted: its name in the question, in words, and the hexes to choose from."""

    key: str
    label: str
    hexes: tuple[str, ...]
    legs: tuple[str, ...] = ()  # first level: the leg aimed at
    contact: str = ""  # a battle to join
    met: tuple[str, ...] = ()  # attempts on one path


# -- interception ---------------------------------------------------------------------------------


@rule("22.12", "22.13", "22.13A")
def aims_at_legs(operation: Operation) -> list[Aim]:
    """22.12. Voyages whose path is known, each side of a strait apart."""
    aims: list[Aim] = []
    for leg in operation.wave.legs:
        if leg.demanded and leg.status == "under way":
            rows = rows_of(operation, leg)
            for index, row in enumerate(rows, start=1):
                key = f"{leg.id}/{index}" if len(rows) > 1 else leg.id
                aims.append(Aim(key, describe_leg(leg), row, (leg.id,)))
    return aims


@rule("22.11", "22.164A", "22.115", "22.131")
async def intercept(table: Table) -> None:
    """22.164A. The other side announces every attempt, then rolls for each; without anybody who could, nothing is asked."""
    wave = table.operation.wave
    aims = aims_at_legs(table.operation)
    if not await _try(table, wave.side.enemy, Level.INTERCEPTION, aims):
        reach_stage(table, "air")
        return
    surface = any(each.kind != "submarine" and each.status == "sailing" for each in table.operation.wave.tries)
    reach_stage(table, "counters" if surface else "air")


@rule("22.16", "22.161", "22.164B", "22.25")
async def counter_intercept(table: Table) -> None:
    """22.25. The side that was intercepted may counter-intercept, and its offensive patrols may support."""
    wave = table.operation.wave
    await support(table)
    aims = aims_at_tries(table, Level.INTERCEPTION)
    tried = await _try(table, wave.side, Level.COUNTER, aims)
    sailed = any(each.level is Level.COUNTER and each.status == "sailing" for each in table.operation.wave.tries)
    reach_stage(table, "counter-counters" if tried and sailed else "air")


@rule("22.164C", "22.17", "22.255")
async def counter_counter_intercept(table: Table) -> None:
    """22.255. The intercepting side may counter-counter-intercept in the same way; there it ends (22.17)."""
    aims = aims_at_tries(table, Level.COUNTER)
    await _try(table, table.operation.wave.side.enemy, Level.COUNTER_COUNTER, aims)
    reach_stage(table, "air")


@rule("22.161A", "22.161B", "22.162", "22.253")
def aims_at_tries(table: Table, level: Level) -> list[Aim]:
    """22.161. Where attempts of a level may be countered: in the hex of a battle, or earlier on their path.

    Attempts on one path are met together (22.162).
    """
    wave = table.operation.wave
    sailing = [each for each in wave.tries if each.level is level and each.status == "sailing" and not each.boat]
    aims: list[Aim] = []
    for id in dict.fromkeys(each.contact for each in sailing):
        hex = wave.contact(id).hex
        aims.append(Aim(id, f"{id}, in {hex}", (hex,), contact=id))
    for path in dict.fromkeys(each.path for each in sailing):
        group = [each for each in sailing if each.path == path]
        if path[:-1]:
            names = ", ".join(each.id for each in group)
            aims.append(Aim(f"meet {names}", f"{names} on the way to {path[-1]}", path[:-1], met=_ids(group)))
    return aims


def _ids(tries: Sequence[Try]) -> tuple[str, ...]:
    return tuple(each.id for each in tries)


# -- announcing -----------------------------------------------------------------------------------


async def _try(table: Table, side: Side, level: Level, aims: Sequence[Aim]) -> bool:
    """22.164. One level: who tries what, where, by which path; then the dice. Returns whether anybody tried."""
    operation = table.operation
    reach = list(dict.fromkeys(hex for aim in aims for hex in aim.hexes))
    forces, boats = may_try(table.rules, operation, side, level, reach)
    if not aims or not (forces or boats):
        return False
    words = {Level.INTERCEPTION: "intercept", Level.COUNTER: "counter-intercept"}
    question = f"Which of your forces {words.get(level, 'counter-counter-intercept')}, and whom?"
    form = attempts_form(table, aims, forces, boats, may_reconstitute=True)
    answer = await Decide(side, "22.14", str(level), question, form)
    if answer.held_by(ANEW):
        await reconstitute(table, side, forces)
        operation = table.operation
        forces, boats = may_try(table.rules, operation, side, level, reach)
        form = attempts_form(table, aims, forces, boats)
        answer = await Decide(side, "22.14", str(level), question, form, "again")
    tries: list[Try] = []
    for aim in aims:
        made = _forces_for(table, side, aim, forces, answer, len(tries))
        if made:
            contact = await _contact(table, side, level, aim, [force.place for force in made])
            tries += [_new_try(operation, side, level, force, contact, len(tries) + n) for n, force in enumerate(made)]
        for each in boats:
            tries += await _boats_for(table, side, aim, each, answer, len(tries))
    if not tries:
        return False
    tries = [await _with_path(table, side, each) for each in tries]
    table.record(TriesAnnounced(rule="22.164", to=Audience.EVERYONE, side=side, level=level, tries=tuple(tries)))
    await _roll(table, side, level, _ids(tries))
    return True


@rule("22.14A", "22.14B", "22.14C", "22.14D", "22.915")
def attempts_form(
    table: Table,
    aims: Sequence[Aim],
    forces: Sequence[NavalForce],
    boats: Sequence[Boats],
    *,
    may_reconstitute: bool = False,
) -> Form:
    """22.14. Each task force, each ship outside one and each submarine has one target, or is held back.

    From one port no more than nine factors outside task forces go for one target. Task forces in port may be made up
    anew first (22.14B).
    """
    operation = table.operation
    items: list[Item] = []
    limits: list[Limit] = []
    loose: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for force in forces:
        units = [Item(force.id, f"{force.id}, {force.harbour or force.place}")]
        if not force.task_force:
            units = [Item(force.id + OF + ship.id, f"{ship.name}, {force.harbour}") for ship in force.ships]
            units += [
                Item(force.id + OF + key, f"{light_label(key)}, {force.harbour}", number)
                for key, number in force.light.items()
                if light(key).kind != "TR"
            ]
            sizes = {force.id + OF + ship.id: ship.size for ship in force.ships}
            sizes |= {force.id + OF + key: light(key).factors for key in force.light}
            for aim in aims:
                cells = loose.setdefault((force.harbour or force.place, aim.key), [])
                cells += [(item.key, aim.key, sizes[item.key]) for item in units]
        items += units
        for aim in aims:
            if not within_range(table.rules, operation, force.place, aim.hexes):
                limits += [barred(item.key, aim.key, "22.22", f"{aim.key} is out of its range.") for item in units]
    for each in boats:
        for key, number in each.ready.items():
            items.append(Item(each.station + OF + key, f"submarines of {light(key).nation}, {each.station}", number))
            for aim in aims:
                if not within_range(table.rules, operation, each.hex, aim.hexes):
                    limits.append(barred(each.station + OF + key, aim.key, "22.22", f"{aim.key} is out of range."))
    for (port, _), cells in loose.items():
        why = f"From {port} at most nine factors outside task forces go for one target."
        limits.append(AtMost(tuple(cells), MOST_LOOSE_FACTORS, "22.14C", why))
    places = [Place(HOLD, "held back"), *(Place(aim.key, aim.label) for aim in aims)]
    targets = tuple(place.key for place in places)
    items = [replace(item, places=targets) for item in items]
    if may_reconstitute and any(force.task_force for row in by_port(forces).values() for force in row):
        items.append(Item("task forces", "Your task forces in port", 1, (AS_THEY_ARE, ANEW)))
        places += [Place(AS_THEY_ARE, "as they are"), Place(ANEW, "reconstituted first; then you are asked again")]
    return Form(tuple(items), tuple(places), tuple(limits), rest=HOLD)


@rule("22.14A", "22.14B", "22.14C")
def _forces_for(
    table: Table, side: Side, aim: Aim, forces: Sequence[NavalForce], answer: Answer, number: int
) -> list[NavalForce]:
    """22.14C. The forces that go for one target. Ships outside task forces leave a port as one force (IR-25)."""
    held = answer.held_by(aim.key)
    made = [force for force in forces if force.task_force and force.id in held]
    loose = [force for force in forces if not force.task_force]
    for port in dict.fromkeys(force.harbour or force.place for force in loose):
        parts = [_part_of(table, side, force, held) for force in loose if (force.harbour or force.place) == port]
        going = [part for part in parts if part.afloat]
        if not going:
            continue
        counts: dict[str, int] = {}
        for part in going:
            counts = plus(counts, part.light)
        name = f"Ships from {port} {table.operation.tries_made + number + len(made) + 1}"
        whole = replace(going[0], id=name, ships=tuple(ship for part in going for ship in part.ships), light=counts)
        left = [_without(table.operation.force(side, part.id), part) for part in going]
        gone = [each.id for each in left if not each.afloat]
        place_forces(table, side, [*(each for each in left if each.afloat), whole], gone)
        made.append(whole)
    return made


def _part_of(table: Table, side: Side, force: NavalForce, held: Mapping[str, int]) -> NavalForce:
    ships = tuple(ship for ship in force.ships if force.id + OF + ship.id in held)
    return replace(force, ships=ships, light={key: n for key in force.light if (n := held.get(force.id + OF + key, 0))})


def _without(force: NavalForce, part: NavalForce) -> NavalForce:
    ships = tuple(ship for ship in force.ships if ship not in part.ships)
    return replace(force, ships=ships, light=minus(force.light, part.light))


# -- where ----------------------------------------------------------------------------------------


@rule("22.12", "22.13", "22.14E", "22.141", "22.161", "22.162")
async def _contact(
    table: Table, side: Side, level: Level, aim: Aim, starts: Sequence[str], rule_number: str = "22.12"
) -> Contact:
    """22.12. The one hex of all surface attempts at a target (22.14E), and all it catches there (22.141)."""
    wave = table.operation.wave
    if aim.contact:
        return wave.contact(aim.contact)
    caught = [contact for contact in wave.contacts if set(aim.legs) & set(contact.legs) and contact.hex in aim.hexes]
    if caught and rule_number == "22.12":
        return caught[0]
    hex = await _choose_hex(table, side, aim, starts, rule_number)
    met = _met(table, aim, hex)
    for contact in wave.contacts:
        if contact.hex == hex and (set(aim.legs) & set(contact.legs) or set(met) & set(contact.met)):
            return contact
    contact = Contact(
        id=f"C{len(wave.contacts) + 1}",
        level=level,
        hex=hex,
        legs=_caught(table, wave.leg(aim.legs[0]), hex) if aim.legs else (),
        met=met,
    )
    table.record(ContactsSought(rule="22.12", to=Audience.EVERYONE, side=side, contacts=(contact,)))
    return contact


async def _choose_hex(table: Table, side: Side, aim: Aim, starts: Sequence[str], number: str) -> str:
    """22.12. A hex within range of all who try, if there is one; the nearest is the default."""
    operation = table.operation
    near = [distances(operation.sea.seas, start) for start in starts]
    most = table.rules.interception.most_range[operation.theatre]
    far = {hex: max(each.get(hex, most + 1) for each in near) for hex in aim.hexes}
    common = [hex for hex in aim.hexes if far[hex] <= most] or list(aim.hexes)
    default = min(common, key=lambda hex: far[hex])
    form = pick({hex: f"{hex}, {far[hex]} hexes" for hex in common}, default)
    answer = await Decide(side, number, "hex", f"In which hex do you intercept {aim.label}?", form, aim.key)
    return answer.choice


@rule("22.141", "22.18C")
def _caught(table: Table, leg: Leg, hex: str) -> tuple[str, ...]:
    """22.141. The voyages an interception in a hex catches: the one aimed at, and those in the hex with it."""
    others = [each for each in table.operation.wave.legs if each is not leg and each.demanded]
    free = [each for each in others if each.status == "under way" and not _taken(table.operation, each)]
    with_it = [each for each in free if caught_with(table.rules, voyage_of(leg), voyage_of(each), hex).holds]
    return (leg.id, *(each.id for each in with_it))


def _taken(operation: Operation, leg: Leg) -> bool:
    """Whether a voyage is to be intercepted already: it is met in one hex only (22.13), straits apart."""
    return any(leg.id in contact.legs for contact in operation.wave.contacts)


@rule("22.162", "22.253", "22.254F")
def _met(table: Table, aim: Aim, hex: str) -> tuple[str, ...]:
    """22.162. The attempts met in a hex on their way: all that sail the same path there."""
    tries = {each.id: each for each in table.operation.wave.tries}
    if not aim.met:
        return ()
    first = tries[aim.met[0]]
    together = [
        each.id
        for each in tries.values()
        if each.level is first.level
        and each.status == "sailing"
        and not each.boat
        and (each.id in aim.met or travel_together(table.rules, first.path, each.path, hex))
    ]
    return tuple(together)


# -- one attempt ----------------------------------------------------------------------------------


def _new_try(operation: Operation, side: Side, level: Level, force: NavalForce, contact: Contact, index: int) -> Try:
    return Try(
        id=f"T{operation.tries_made + index + 1}",
        side=side,
        level=level,
        force=force.id,
        kind="TF" if force.task_force else "loose",
        contact=contact.id,
        hex=contact.hex,
    )


@rule("22.13E", "22.114", "22.915")
async def _boats_for(table: Table, side: Side, aim: Aim, boats: Boats, answer: Answer, index: int) -> list[Try]:
    """22.915. Each submarine tries on its own; those of one station go to one hex, which need not be the others'."""
    tries: list[Try] = []
    for key in boats.ready:
        number = answer.amount(boats.station + OF + key, aim.key)
        if not number:
            continue
        contact = await _contact(table, side, Level.INTERCEPTION, aim, [boats.hex], "22.915")
        for _ in range(number):
            tries.append(
                Try(
                    id=f"T{table.operation.tries_made + index + len(tries) + 1}",
                    side=side,
                    level=Level.INTERCEPTION,
                    force=boats.station,
                    boat=key,
                    kind="submarine",
                    contact=contact.id,
                    hex=contact.hex,
                    path=shortest(table.operation.sea.seas, boats.hex, contact.hex),
                )
            )
    return tries


@rule("22.23.2", "22.22")
async def _with_path(table: Table, side: Side, attempt: Try) -> Try:
    """22.23. The path of an attempt is announced; the distance along it is what the dice must reach."""
    if attempt.boat:
        return attempt
    operation = table.operation
    force = operation.force(side, attempt.force)
    most = table.rules.interception.most_range[operation.theatre]
    form = passage_form(operation, force.place, attempt.hex, most, "22.22")
    question = f"Which path does {attempt.force} take to {attempt.hex}?"
    answer = await Decide(side, "22.23", "path", question, form, attempt.id)
    return replace(attempt, path=path_of(answer.choice))


# -- dice -----------------------------------------------------------------------------------------


@rule("22.21", "22.22", "22.22K", "22.164A", "22.164B")
async def _roll(table: Table, side: Side, level: Level, ids: Sequence[str]) -> None:
    """22.21. The dice of every attempt, those at one contact counted together; then what each of them reached."""
    tries = [each for each in table.operation.wave.tries if each.id in ids]
    for id in dict.fromkeys(each.contact for each in tries):
        together = [each for each in tries if each.contact == id]
        contact = table.operation.wave.contact(id)
        target, about = _facts(table, side, level, contact)
        forces = [_interceptor(table.operation, side, each) for each in together]
        made = attempts(table.rules, target, about, forces)
        totals: dict[str, int] = {}
        for attempt, each in zip(made, together, strict=True):
            table.record(
                InterceptionDiceCounted(rule="22.22", to=only(side), side=side, attempt=each.id, dice=attempt.dice)
            )
            if attempt.chance is not Chance.ROLLS:
                continue
            why = f"{each.force} tries to reach {each.hex}, {each.distance} hexes away"
            dice = await Roll(attempt.dice.total, "22.21", side, why)
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
        _settle(table, side, contact, arrivals(table.rules, about, made, totals))


def _interceptor(operation: Operation, side: Side, attempt: Try) -> Interceptor:
    return replace(interceptor_of(attempt, None if attempt.boat else operation.force(side, attempt.force)), hex="")


@rule("22.22", "22.22E", "22.22F")
def _facts(table: Table, side: Side, level: Level, contact: Contact) -> tuple[Target, Circumstances]:
    """22.22. What is intercepted, and what else bears on the dice."""
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
        ground = sum(leg.ground for leg in legs if leg.end == contact.hex)
        air = max(spotters(operation, side, leg.path, contact.hex) for leg in legs)
        return target_of(legs, contact.hex), replace(about, ground_factors=ground, spotters=air)
    below = Level.INTERCEPTION if level is Level.COUNTER else Level.COUNTER
    aimed = [
        each
        for each in wave.tries
        if each.level is below
        and each.status == "sailing"
        and not each.boat
        and (each.id in contact.met if contact.level is level else each.contact == contact.id)
    ]
    advances = [_advance(operation, each, contact.hex) for each in aimed]
    task_forces = countered_task_forces(table.rules, advances, about.place, advances[0].id) if advances else 0
    air = max((spotters(operation, side, each.path, contact.hex) for each in aimed), default=0)
    return Target(("interception",), task_forces), replace(about, spotters=air)


def _place(level: Level, contact: Contact) -> icp.Place:
    if contact.level is level:
        return icp.Place.ELSEWHERE
    return icp.Place.INTERCEPTION_HEX if contact.level is Level.INTERCEPTION else icp.Place.COUNTER_HEX


def _advance(operation: Operation, attempt: Try, hex: str) -> Advance:
    """An attempt on its way, as seen from a hex where it may be met."""
    distance = attempt.path.index(hex) if hex in attempt.path else attempt.distance
    force = operation.force(attempt.side, attempt.force)
    return Advance(attempt.id, attempt.result or 0, distance, "", int(force.task_force), attempt.round == 1)


@rule("22.24", "22.24A", "22.24B", "22.24C", "22.116", "22.14A.2", "22.252", "22.26A", "22.27.3")
def _settle(table: Table, side: Side, contact: Contact, arrived: Sequence[Arrival]) -> None:
    """22.24. Who is at sea, who comes late, who stayed in port; all that tried have tried in this phase (IR-16)."""
    tries = {each.id: each for each in table.operation.wave.tries}
    settled: list[Try] = []
    why: dict[str, str] = {}
    for arrival in arrived:
        attempt = tries[arrival.id]
        entry = arrival.round
        if attempt.boat and entry != 1:
            entry = None
        status = "sailing" if entry else "failed" if arrival.spent else "void"
        settled.append(replace(attempt, round=entry, status=status))
        why[arrival.id] = arrival.why
        if attempt.boat:
            _boat_tried(table, side, attempt, status)
        elif arrival.spent:
            force = replace(table.operation.force(side, attempt.force), attempted=True, activity="interception")
            if not arrival.stays_in_port and not entry:
                force = replace(force, place=contact.hex, harbour="", patrol="")
            place_forces(table, side, [force])
    table.record(TriesSettled(rule="22.24", to=Audience.EVERYONE, side=side, tries=tuple(settled), why=why))


def _boat_tried(table: Table, side: Side, attempt: Try, status: str) -> None:
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


# -- patrols --------------------------------------------------------------------------------------


@rule("22.163", "22.163A", "22.163B", "22.163C", "22.11D", "22.18E", "22.916B")
async def support(table: Table) -> None:
    """22.163. Offensive patrols may support friends that were intercepted, in the interception hex and without dice."""
    operation, wave = table.operation, table.operation.wave
    patrols = [
        force
        for force in operation.forces[wave.side]
        if force.patrol == "offensive" and not force.inverted and force.id not in _busy(operation)
    ]
    sought = [each.contact for each in wave.tries if each.status == "sailing" and not each.boat]
    contacts = [contact for contact in wave.contacts if contact.id in sought]
    boats = [each for each in operation.boats[wave.side] if each.patrol == "offensive" and each.ready]
    if not contacts or not (patrols or boats):
        return
    items = [Item(force.id, f"{force.id}, on patrol in {force.place}") for force in patrols]
    limits: list[Limit] = []
    for each in boats:
        for key, number in each.ready.items():
            items.append(Item(each.station + OF + key, f"submarines of {light(key).nation}, {each.station}", number))
            for contact in contacts:
                if patrol_round(table.rules, operation.theatre, nearest(operation, each.hex, [contact.hex])) > 1:
                    why = "They would come too late for the first round."
                    limits.append(barred(each.station + OF + key, contact.id, "22.163", why))
    places = (
        Place(HOLD, "stays on patrol"),
        *(Place(contact.id, f"{contact.id}, in {contact.hex}") for contact in contacts),
    )
    form = Form(tuple(items), places, tuple(limits), rest=HOLD)
    answer = await Decide(wave.side, "22.163", "support", "Which patrols support?", form)
    tries: list[Try] = []
    for contact in contacts:
        for force in patrols:
            if answer.amount(force.id, contact.id):
                entry = patrol_round(table.rules, operation.theatre, nearest(operation, force.place, [contact.hex]))
                tries.append(_support_by(wave, contact, force.id, force.place, entry, len(tries)))
        for each in boats:
            for key in each.ready:
                for _ in range(answer.amount(each.station + OF + key, contact.id)):
                    one = _support_by(wave, contact, each.station, each.hex, 1, len(tries))
                    tries.append(replace(one, boat=key, kind="submarine"))
                    _boat_tried(table, wave.side, tries[-1], "sailing")
    if tries:
        table.record(PatrolsSupport(rule="22.163", to=Audience.EVERYONE, side=wave.side, tries=tuple(tries)))


def _support_by(wave: Wave, contact: Contact, force: str, place: str, entry: int, index: int) -> Try:
    return Try(
        id=f"S{len(wave.supports) + index + 1}",
        side=wave.side,
        level=Level.COUNTER,
        force=force,
        kind="patrol",
        contact=contact.id,
        hex=contact.hex,
        path=(place,),
        round=entry,
        status="sailing",
    )


def _busy(operation: Operation) -> list[str]:
    """Forces that are on a voyage or wait for one, intercept or support somebody already."""
    legs = [id for wave in operation.waves for leg in wave.legs if leg.status == "under way" for id in leg.forces]
    tries = [each for wave in operation.waves for each in (*wave.tries, *wave.supports) if each.status == "sailing"]
    return [*legs, *(each.force for each in tries), *(id for order in operation.pending for id in order.forces)]
