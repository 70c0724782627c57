"""22.26, 22.27, 22.28, 22.8, 22.92: what a battle or an attack left is read back from it and put on the board.

Forces keep their markers as far as these go round; who goes on stays on his voyage or attempt, all others go home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.interception import Level, Service, Trouble
from flagplot.model.operation import Contact, Leg, NavalForce, Operation, Try, fired_by
from flagplot.model.operation_events import (
    AirfieldsChanged,
    BoatsPlaced,
    LegsChanged,
    LossesCounted,
    PatrolsSupport,
    TriesSettled,
)
from flagplot.model.ships import as_seen, light, minus, plus
from flagplot.model.squadrons import AirBase, of_base
from flagplot.model.state import Fleet, Homecoming
from flagplot.rules.air.upkeep import served_so_far
from flagplot.rules.naval.activities import close_zones, under_way
from flagplot.rules.naval.interception import after_counter_battle, patrol_fights
from flagplot.rules.naval.parting import CHOICE, after_attack_form, part_company
from flagplot.rules.naval.passage import place_forces
from flagplot.rules.naval.regrouping import Member, members
from flagplot.rules.naval.sailing import inverted_after, may_abort
from flagplot.rules.table import Table

TRIED = tuple(map(str, Level))  # missions of those who have attempted an interception

# -- attempts -------------------------------------------------------------------------------------


def tries_of(operation: Operation, contact: Contact) -> list[Try]:
    return [each for each in operation.wave.tries if each.contact == contact.id and each.status == "sailing"]


def joined(operation: Operation, contact: Contact) -> list[Try]:
    """The attempts on their way to a contact, and the patrols that support there."""
    supports = [each for each in operation.wave.supports if each.contact == contact.id and each.status == "sailing"]
    return [*tries_of(operation, contact), *supports]


def to_sea(table: Table, attempt: Try, hex: str) -> None:
    """A force that met nobody is at sea; a defensive patrol is back in its patrol hex."""
    force = table.operation.force(attempt.side, attempt.force)
    if force.patrol == "defensive":
        back_on_patrol(table, [attempt])
        return
    place_forces(table, attempt.side, [replace(force, place=hex, harbour="")])
    part_fought(table, attempt.side, attempt.force)


@rule("22.81B")
def back_on_patrol(table: Table, tries: Sequence[Try]) -> None:
    """22.81B. Defensive patrols that have intercepted, in time or too late, are back in their patrol hexes."""
    for each in tries:
        for force in table.operation.forces[each.side]:
            if not each.boat and force.id == each.force and force.patrol == "defensive":
                place_forces(table, each.side, [replace(force, place=each.path[0], harbour="", fought=())])


def end_tries(table: Table, tries: Sequence[Try], why: str) -> None:
    for side in Side:
        over = tuple(replace(each, status="done") for each in tries if each.side is side)
        if over:
            table.record(
                TriesSettled(
                    rule="22.27", to=Audience.EVERYONE, side=side, tries=over, why={each.id: why for each in over}
                )
            )


# -- losses and aircraft ---------------------------------------------------------------------------


@rule("22.9432")
def destroyers_in_port(operation: Operation, side: Side) -> dict[str, dict[str, int]]:
    """22.9432. Uninverted destroyers in port, by port, which may be lost instead of others of the same base."""
    busy = under_way(operation)
    found: dict[str, dict[str, int]] = {}
    for force in operation.forces[side]:
        idle = {key: n for key, n in force.light.items() if light(key).kind == "DD" and not light(key).state}
        if force.harbour and not force.inverted and force.id not in busy and idle:
            found[force.harbour] = plus(found.get(force.harbour, {}), idle)
    return found


@rule("22.9432")
def _lose_elsewhere(table: Table, side: Side) -> None:
    """22.9432. Destroyers lost in port instead of others: those outside task forces first."""
    there = destroyers_in_port(table.operation, side)
    busy = under_way(table.operation)
    for port, left in table.battle.fleets[side].destroyers_elsewhere.items():
        lost = minus(there.get(port, {}), left)
        forces = [force for force in table.operation.forces[side] if force.harbour == port and force.id not in busy]
        for force in sorted(forces, key=lambda force: force.task_force):
            taken = {key: min(n, force.light.get(key, 0)) for key, n in lost.items() if not force.inverted}
            if any(taken.values()):
                after = replace(force, light=minus(force.light, taken))
                lost = minus(lost, taken)
                place_forces(table, side, [after] if after.afloat else [], [] if after.afloat else [force.id])


def count_losses(table: Table) -> None:
    for side in Side:
        _lose_elsewhere(table, side)
        fleet = table.battle.fleets[side]
        gone = (*fleet.sunk, *fleet.hulks)
        if gone or fleet.sunk_light or fleet.cargo_lost:
            table.record(
                LossesCounted(
                    rule="22.81",
                    to=Audience.EVERYONE,
                    side=side,
                    ships=tuple(map(as_seen, gone)),
                    light=dict(sorted(fleet.sunk_light.items())),
                    cargo=fleet.cargo_lost,
                )
            )


def read_air(table: Table) -> None:
    """Aircraft on land are as the battle left them."""
    for side in Side:
        fleet = table.battle.fleets[side]
        bases = {base.name: base for base in fleet.air_bases}
        fields = table.operation.airfields.get(side, ())
        after = tuple(
            replace(field, base=_read_base(field.base, bases[name], fleet))
            if (name := field.base.name) in bases
            else field
            for field in fields
        )
        if after != fields:
            table.record(AirfieldsChanged(rule="23.13", to=Audience.EVERYONE, side=side, airfields=after))


def _read_base(before: AirBase, after: AirBase, fleet: Fleet) -> AirBase:
    """A base as a battle left it. Between battles `used` are the squadrons that have acted at sea in this player turn."""
    lost, served = of_base(fleet.air_lost, before.name), of_base(fleet.served, before.name)
    return replace(after, distance=before.distance, used=served_so_far(before.used, lost, served), aborted={})


# -- afterwards -----------------------------------------------------------------------------------


class After(NamedTuple):
    """A force as it left a battle."""

    force: NavalForce
    goes_on: bool
    fought: bool
    numbers: tuple[int, ...] = ()  # of the combat groups it was in
    origin: str = ""  # the force it was when it came


@rule("22.81")
def reformed(table: Table, side: Side, parcels: Sequence[Homecoming]) -> list[After]:
    """22.81. The forces of a side as groups of theirs left a battle or an attack."""
    before = [table.operation.force(side, id) for id in table.operation.meeting[side]]
    return as_forces(table, side, members([home for home in parcels if home.group.afloat], before))


@rule("22.18C", "22.26", "22.26D", "22.27", "22.281.2", "22.81")
def as_forces(table: Table, side: Side, left: Sequence[Member]) -> list[After]:
    """22.81. The forces of a side as they left the battle. Ships that came in one force and go the same way are one
    force again (22.18C, FP-50), however they were divided, so that they are no more task forces than they were.
    """
    before = [table.operation.force(side, id) for id in table.operation.meeting[side]]
    most = table.rules.most_group_factors
    made: dict[str, After] = {}
    ways: dict[tuple[str, str, bool, bool, bool], str] = {}  # by origin, base and all that parts them: the marker
    for origin, home in left:
        part = _left(home, origin)
        way = origin.id, part.force.base, part.goes_on, part.force.inverted, part.force.task_force
        id = ways.get(way, "")
        if id and made[id].force.factors + part.force.factors <= most:
            made[id] = _joined(made[id], part)
            continue
        fits = origin.id not in made and origin.task_force == part.force.task_force
        id = origin.id if fits else new_name(table.operation, side, list(made))
        ways[way] = id
        made[id] = part._replace(force=replace(part.force, id=id))
    after = list(made.values())
    place_forces(table, side, [each.force for each in after], [force.id for force in before if force.id not in made])
    return after


def _left(home: Homecoming, origin: NavalForce) -> After:
    """What a battle left of one group of a force."""
    group = home.group
    guards = origin.patrol == "defensive" and group.mission in (*TRIED, "patrol")  # 22.81B
    force = replace(
        origin,
        ships=group.ships,
        light=group.light,
        cargo=group.cargo,
        base=origin.base if guards else home.base or origin.base,
        inverted=home.inverted and not guards,
        patrol=origin.patrol if guards or not home.inverted else "",
        task_force=group.task_force,
        attempted=origin.attempted or group.mission in TRIED,
    )
    return After(force, not home.base, bool(group.number), (group.number,), origin.id)


def _joined(one: After, two: After) -> After:
    force = replace(
        one.force,
        ships=(*one.force.ships, *two.force.ships),
        light=plus(one.force.light, two.force.light),
        cargo=(*one.force.cargo, *two.force.cargo),
    )
    return After(force, one.goes_on, one.fought or two.fought, (*one.numbers, *two.numbers), one.origin)


def new_name(operation: Operation, side: Side, used: Sequence[str]) -> str:
    """A marker that nobody has had."""
    taken = [force.id for other in Side for force in operation.forces[other]] + list(used)
    taken += [id for leg in operation.ended for id in leg.forces]
    number = 1
    while f"{operation.names[side]} squadron {number}" in taken:
        number += 1
    return f"{operation.names[side]} squadron {number}"


@rule("22.26D")
def withheld(table: Table, side: Side, after: Sequence[After]) -> list[After]:
    """22.26D. Of interceptors that go home from a battle with their counters, ships that neither fired nor launched and
    were not damaged are not inverted; they part from those that are."""
    result: list[After] = []
    for each in after:
        if each.goes_on or not each.force.inverted:
            result.append(each)
            continue
        engaged = (*each.force.fought, *fired_by(table.operation, side, each.numbers))
        used = [other.force.id for other in (*after, *result)]
        parts = _parted(table, side, each.force, engaged, used, each.origin)
        result += [each._replace(force=part) if part.inverted else After(part, False, False) for part in parts]
    return result


@rule("22.26D")
def part_fought(table: Table, side: Side, id: str) -> None:
    """22.26D. A force that fought counter-interceptors and never met its target: who fought then is inverted, who was
    held back is not."""
    force = table.operation.force(side, id)
    if force.fought and not force.inverted:
        _parted(table, side, force, force.fought, ())


def _parted(
    table: Table, side: Side, force: NavalForce, engaged: Sequence[str], used: Sequence[str], came: str = ""
) -> list[NavalForce]:
    """A force parted into what fought or was hurt, which is inverted, and the rest. Light ships of a kind fought if any
    of it fired. If both are there, the rest goes under a new marker."""
    reached = _succeeded(table.operation, side, came or force.id)
    fought = tuple(ship for ship in force.ships if _inverted(table, ship.id in engaged, ship.damaged, reached))
    lights = {
        key: number
        for key, number in force.light.items()
        if _inverted(table, key in engaged, light(key).state == "damaged", reached)
    }
    spared = tuple(ship for ship in force.ships if ship not in fought)
    lights_spared = minus(force.light, lights)
    parts: list[NavalForce] = []
    if fought or lights:
        parts.append(replace(force, ships=fought, light=lights, inverted=True, fought=()))
    if spared or lights_spared:
        rest = replace(force, ships=spared, light=lights_spared, inverted=False, fought=())
        name = new_name(table.operation, side, used)
        parts.append(replace(rest, id=name, cargo=()) if parts else rest)
    place_forces(table, side, parts)
    return parts


def _inverted(table: Table, engaged: bool, damaged: bool, succeeded: bool) -> bool:
    rounds = ("fired" if engaged else "screened",)
    return inverted_after(table.rules, Service(counter_rounds=rounds, damaged=damaged, succeeded=succeeded)).holds


@rule("22.26D")
def _succeeded(operation: Operation, side: Side, id: str) -> bool:
    """22.26D. Whether the interception of a force that was countered had succeeded: its dice reached the hex in time."""
    tries = [each for wave in operation.waves for each in wave.tries if each.side is side and not each.boat]
    return any(each.force == id and each.round == 1 for each in tries)


@rule("22.27.2", "22.81A", "22.81B", "22.81C", "22.163D", "22.163E", "22.28", "22.282")
def after_interception(
    table: Table,
    contact: Contact,
    hunter: Side,
    after: Mapping[Side, Sequence[After]],
    adopted: Mapping[str, str],
) -> None:
    """22.81. The activities go on or are aborted; those who helped a victor adopt one; interceptors go home.

    Those who won for a force that is no more have no mission to adopt, and go home inverted like interceptors (FP-49).
    Interceptors that have fought on their way home are inverted, whoever won (22.27).
    """
    wave = table.operation.wave
    lasted = table.battle.round
    legs = [wave.leg(id) for id in contact.legs if wave.leg(id).status == "under way"]
    going = [each.force.id for each in after[hunter.enemy] if each.goes_on]
    patrols = patrols_back(table, contact, going, lasted)
    going = [id for id in going if id not in patrols]
    changed: list[Leg] = []
    came = {each.force.id: each.origin for each in after[hunter.enemy]}
    helpers = [id for id in going if not any(came[id] in leg.forces for leg in legs)]
    for leg in legs:
        own = [id for id in going if came[id] in leg.forces]
        joining = [id for id in helpers if adopted.get(came[id]) == leg.id]
        helpers = [id for id in helpers if id not in joining]
        forces = tuple(sorted((*own, *joining)))
        fought = [each.force for each in after[hunter.enemy] if each.fought and each.force.id in own]
        _fought_homeward(table, leg, fought)
        gone = [each.force for each in after[hunter.enemy] if not each.goes_on and each.force.order == leg.order]
        close_zones(table, leg.side, [] if leg.returning or leg.waiting else [leg.zone], gone)
        afloat = any(origin in leg.forces for origin in came.values())
        changed.append(_still(table, leg, forces, "aborted" if afloat else "lost"))
    table.record(
        LegsChanged(
            rule="22.81A", to=Audience.EVERYONE, side=hunter.enemy, legs=tuple(changed), why="after naval combat"
        )
    )
    for id in helpers:
        place_forces(table, hunter.enemy, [replace(table.operation.force(hunter.enemy, id), inverted=True, patrol="")])
    tries = tries_of(table.operation, contact)
    back_on_patrol(table, tries)
    for side in Side:
        for each in after[side]:
            if not each.goes_on:
                part_fought(table, side, each.force.id)
    end_tries(table, tries, "the battle is over")


@rule("22.27.2")
def _fought_homeward(table: Table, leg: Leg, forces: Sequence[NavalForce]) -> None:
    """22.27. Interceptors that met nobody are inverted if they fight on their way home, even if they win."""
    if leg.returning and inverted_after(table.rules, Service(fought_returning=True)).holds:
        home = [replace(force, inverted=True) for force in forces if force.activity == "interception"]
        place_forces(table, leg.side, home)


@rule("22.163D", "22.163E")
def patrols_back(table: Table, contact: Contact, going: Sequence[str], lasted: int = 0) -> list[str]:
    """22.163E. Patrols that supported nobody in time are back in their patrol hex; the others have taken part."""
    wave = table.operation.wave
    back: list[str] = []
    over: list[Try] = []
    for each in wave.supports:
        if each.contact != contact.id or each.status != "sailing":
            continue
        over.append(replace(each, status="done"))
        if each.boat:
            continue
        afloat = [force for force in table.operation.forces[each.side] if force.id == each.force]
        if not afloat or afloat[0].inverted:
            continue
        if each.force in going and patrol_fights(each.round or 1, lasted):
            place_forces(table, each.side, [replace(afloat[0], patrol="", committed=True)])
        else:
            back.append(each.force)
            place_forces(table, each.side, [replace(afloat[0], place=each.path[0], harbour="", patrol="offensive")])
    if over:
        table.record(PatrolsSupport(rule="22.163E", to=Audience.EVERYONE, side=wave.side, tries=tuple(over)))
    return back


@rule("22.161B.2", "22.254C", "22.254D", "22.254E", "22.26D", "22.252B", "22.81D")
def after_counter(
    table: Table, contact: Contact, after: Mapping[Side, Sequence[After]], adopted: Mapping[str, str]
) -> None:
    """22.254D. Interceptors that won go on, in the round their dice gave; beaten ones go home, late ones too.

    Who withdrew goes home even if the others won (22.61C), held back or not.
    """
    wave = table.operation.wave
    met = [each for each in wave.tries if each.id in contact.met and each.status == "sailing"]
    side = met[0].side
    won = table.battle.victor is side and table.battle.goes_on
    rounds = after_counter_battle(
        table.rules, {each.id: each.round for each in met}, won=won, lasted=table.battle.round
    )
    parted = withheld(table, side, after[side])
    took_part = [each.force.id for each in parted if each.goes_on]
    late = [each.force.id for each in after[side] if won and not each.fought and not each.force.inverted]
    going = (*took_part, *late)
    settled: list[Try] = []
    for each in met:
        goes = rounds[each.id] is not None and each.force in going
        settled.append(replace(each, round=rounds[each.id], status="sailing" if goes else "done"))
        if goes:
            _note_fought(table, side, each.force, after[side])
    for each in tries_of(table.operation, contact):
        if each.side is side and each.force in took_part and each.force in adopted:  # 22.81D
            _note_fought(table, side, each.force, after[side])
            (theirs,) = [one for one in met if one.id == adopted[each.force]]
            tail = theirs.path[theirs.path.index(contact.hex) + 1 :]
            settled.append(
                replace(
                    each,
                    level=theirs.level,
                    contact=theirs.contact,
                    hex=theirs.hex,
                    path=(*each.path, *tail),
                    round=rounds[theirs.id],
                )
            )
    known = [each.id for each in settled]
    stopped = [each for each in settled if each.status != "sailing"]
    over = [each for each in tries_of(table.operation, contact) if each.id not in known]
    table.record(
        TriesSettled(
            rule="22.254D",
            to=Audience.EVERYONE,
            side=side,
            tries=tuple(settled),
            why={each.id: "goes on" if each.status == "sailing" else "goes home" for each in settled},
        )
    )
    back_on_patrol(table, (*stopped, *over))
    end_tries(table, over, "the battle is over")


def _note_fought(table: Table, side: Side, id: str, after: Sequence[After]) -> None:
    """Keep in mind what of a force fired, launched or was hurt in a battle on its way. Who is inverted for it is seen
    when the force has met its target, or has not (22.26D)."""
    force = table.operation.force(side, id)
    numbers = tuple(number for each in after if each.force.id == id for number in each.numbers)
    fired = fired_by(table.operation, side, numbers)
    ships = [ship.id for ship in force.ships if ship.id in fired or ship.damaged]
    lights = [key for key in force.light if key in fired or light(key).state == "damaged"]
    fought = tuple(dict.fromkeys((*force.fought, *ships, *lights)))
    if fought != force.fought:
        place_forces(table, side, [replace(force, fought=fought)])


@rule("22.28A", "23.23E")
def after_attack(table: Table, contact: Contact, hunter: Side, *, attacked: bool) -> None:
    """22.28A. What an attack outside naval combat left of a force, which may then abort its activity."""
    owner = hunter.enemy
    fleet = table.battle.fleets[owner]
    after = reformed(
        table, owner, [Homecoming(group, "", group.inverted, "") for group in (*fleet.groups, *fleet.home)]
    )
    afloat = [each.force.id for each in after]
    wave = table.operation.wave
    legs = [leg for id in contact.legs if (leg := wave.leg(id)).status == "under way"]
    aboard = [id for leg in legs for id in leg.forces]
    changed: list[Leg] = []
    for leg in legs:
        new = [id for id in afloat if id not in aboard] if leg is legs[0] else []
        forces = tuple(sorted((*(id for id in afloat if id in leg.forces), *new)))
        may = may_abort(Trouble(attacked_by_air=attacked)).holds and not leg.returning
        changed.append(_still(table, leg, forces, "lost", may_abort=may and bool(forces)))
    if changed:
        table.record(
            LegsChanged(rule="22.28A", to=Audience.EVERYONE, side=owner, legs=tuple(changed), why="after the attack")
        )
    met = [each for each in wave.tries if each.id in contact.met and each.status == "sailing"]
    end_tries(table, [each for each in met if each.force not in afloat], "sunk")
    sailing = [each for each in wave.supports if each.id in contact.met and each.status == "sailing"]
    if sailing and attacked:
        table.record(
            PatrolsSupport(
                rule="23.75A",
                to=Audience.EVERYONE,
                side=owner,
                tries=tuple(
                    replace(each, may_abort=attacked) if each.force in afloat else replace(each, status="done")
                    for each in sailing
                ),
            )
        )
    left = tuple(replace(each, may_abort=True) for each in met if each.force in afloat)
    if left and may_abort(Trouble(attacked_by_air=attacked)).holds:
        why = {each.id: "was attacked on its way" for each in left}
        table.record(TriesSettled(rule="22.28A", to=Audience.EVERYONE, side=owner, tries=left, why=why))


def _still(table: Table, leg: Leg, forces: tuple[str, ...], otherwise: str, *, may_abort: bool = False) -> Leg:
    """A voyage as it goes on with these forces, or what has become of it if there are none."""
    task_forces = sum(table.operation.force(leg.side, id).task_force for id in forces)
    status = "under way" if forces else otherwise
    return replace(leg, forces=forces or leg.forces, status=status, task_forces=task_forces, may_abort=may_abort)


@rule("22.28", "22.28A", "22.281.2")
async def decide_aborts(table: Table) -> None:
    """22.28A. Forces that were attacked say whether they go on; those that abort are inverted in base (22.281)."""
    for leg in table.operation.wave.legs:
        if not leg.may_abort:
            continue
        forces = [table.operation.force(leg.side, id) for id in leg.forces]
        question = f"{leg.id} was attacked: does it go on?"
        answer = await Decide(leg.side, "22.28A", "abort", question, after_attack_form(forces), leg.id)
        status, why = leg.status, "goes on"
        if answer.place(CHOICE) == "go on":
            leg = part_company(table, leg, answer, new_name(table.operation, leg.side, ()))
        else:
            status, why = "aborted", "aborts"
            place_forces(table, leg.side, [replace(force, inverted=True, patrol="") for force in forces])
            close_zones(table, leg.side, [leg.zone], forces)
        after = replace(leg, status=status, may_abort=False)
        table.record(LegsChanged(rule="22.28A", to=Audience.EVERYONE, side=leg.side, legs=(after,), why=why))
    for each in table.operation.wave.tries:
        if each.may_abort:
            await _decide_interception(table, each)
    for each in table.operation.wave.supports:
        if each.may_abort:
            await _decide_support(table, each)


@rule("22.28A", "22.27")
async def _decide_interception(table: Table, attempt: Try) -> None:
    """22.28A. Interceptors attacked on their way may give up; having fought nobody they are not inverted (22.27, FP-47)."""
    form = pick({"go on": "go on to the interception", "abort": "give it up and return to base"}, "go on")
    question = f"{attempt.force} was attacked on its way to {attempt.hex}: does it go on?"
    answer = await Decide(attempt.side, "22.28A", "abort", question, form, attempt.id)
    after = replace(attempt, may_abort=False, status="sailing" if answer.choice == "go on" else "done")
    why = {attempt.id: "goes on" if answer.choice == "go on" else "gives up"}
    table.record(TriesSettled(rule="22.28A", to=Audience.EVERYONE, side=attempt.side, tries=(after,), why=why))
    if answer.choice == "abort":
        to_sea(table, attempt, table.operation.force(attempt.side, attempt.force).place)


@rule("22.28A", "22.163E", "23.75A")
async def _decide_support(table: Table, attempt: Try) -> None:
    """22.28A. A patrol attacked on its way to support may give up; having fought nobody it is back in its patrol hex
    (22.163E)."""
    form = pick({"go on": "go on to support", "abort": "give it up and return to the patrol hex"}, "go on")
    question = f"{attempt.force} was attacked on its way to {attempt.hex}: does it go on?"
    answer = await Decide(attempt.side, "22.28A", "abort", question, form, attempt.id)
    goes = answer.choice == "go on"
    after = replace(attempt, may_abort=False, status="sailing" if goes else "done")
    table.record(PatrolsSupport(rule="22.28A", to=Audience.EVERYONE, side=attempt.side, tries=(after,)))
    if not goes:
        force = table.operation.force(attempt.side, attempt.force)
        place_forces(table, attempt.side, [replace(force, place=attempt.path[0], harbour="", patrol="offensive")])


@rule("22.92")
def boats_back(table: Table, boats: Sequence[Try]) -> None:
    """22.92. Submarines that attacked are inverted in port, those lost are gone, those without a target are as before."""
    lost = {side: dict(table.battle.fleets[side].submarines_lost) for side in Side}
    spent = {
        side: plus(table.battle.fleets[side].submarines_spent, table.battle.fleets[side].submarines_held)
        for side in Side
    }
    for each in boats:
        sunk, used = lost[each.side].get(each.boat, 0), spent[each.side].get(each.boat, 0)
        if sunk:
            lost[each.side] = minus(lost[each.side], {each.boat: 1})
        elif used:
            spent[each.side] = minus(spent[each.side], {each.boat: 1})
        boat_home(table, each, lost=min(1, sunk), spent=0 if sunk else min(1, used))


def boat_home(table: Table, attempt: Try, *, lost: int, spent: int) -> None:
    boats = table.operation.station(attempt.side, attempt.force)
    one = {attempt.boat: 1}
    boats = replace(boats, at_sea=minus(boats.at_sea, one))
    if spent:
        boats = replace(boats, inverted=plus(boats.inverted, one))
    elif not lost and boats.patrol == "offensive":
        boats = replace(boats, ready=plus(boats.ready, one))  # 22.163E
    elif not lost:
        boats = replace(boats, attempted=plus(boats.attempted, one))
    table.record(
        BoatsPlaced(rule="22.92", to=Audience.EVERYONE, side=attempt.side, boats=(boats,), lost=one if lost else {})
    )
