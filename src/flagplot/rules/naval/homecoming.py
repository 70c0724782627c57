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
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import Level, Service, Trouble
from flagplot.model.operation import Contact, Leg, NavalForce, Operation, Try
from flagplot.model.operation_events import (
    AirfieldsChanged,
    BoatsPlaced,
    LegsChanged,
    LossesCounted,
    PatrolsSupport,
    TriesSettled,
)
from flagplot.model.ships import as_seen, light, minus, plus
from flagplot.model.state import Homecoming
from flagplot.rules.naval.interception import after_counter_battle, patrol_fights
from flagplot.rules.naval.passage import place_forces
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
    place = attempt.path[0] if force.patrol == "defensive" else hex
    place_forces(table, attempt.side, [replace(force, place=place, harbour="")])


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


def count_losses(table: Table) -> None:
    for side in Side:
        fleet = table.battle.fleets[side]
        if fleet.sunk or fleet.sunk_light or fleet.cargo_lost:
            table.record(
                LossesCounted(
                    rule="22.81",
                    to=Audience.EVERYONE,
                    side=side,
                    ships=tuple(map(as_seen, fleet.sunk)),
                    light=dict(sorted(fleet.sunk_light.items())),
                    cargo=fleet.cargo_lost,
                )
            )


def read_air(table: Table) -> None:
    """Aircraft on land are as the battle left them."""
    for side in Side:
        bases = {base.name: base for base in table.battle.fleets[side].air_bases}
        fields = table.operation.airfields.get(side, ())
        after = tuple(
            replace(field, base=replace(bases[field.base.name], used={}, aborted={}))
            if field.base.name in bases
            else field
            for field in fields
        )
        if after != fields:
            table.record(AirfieldsChanged(rule="23.13", to=Audience.EVERYONE, side=side, airfields=after))


# -- afterwards -----------------------------------------------------------------------------------


class After(NamedTuple):
    """A force as it left a battle."""

    force: NavalForce
    goes_on: bool
    fought: bool


@rule("22.26", "22.26D", "22.27", "22.281.2", "22.81")
def reformed(table: Table, side: Side, parcels: Sequence[Homecoming]) -> list[After]:
    """22.81. The forces of a side as they left the battle: under the names they had, as far as these go round."""
    before = [table.operation.force(side, id) for id in table.operation.meeting[side]]
    free = {force.id: force for force in before}
    made: list[After] = []
    for home in parcels:
        group = home.group
        if not group.afloat:
            continue
        id = _name_for(group, free, table.operation, side, [each.force.id for each in made])
        origin = free.pop(id, before[0])
        force = replace(
            origin,
            id=id,
            ships=group.ships,
            light=group.light,
            cargo=group.cargo,
            base=home.base or origin.base,
            inverted=home.inverted,
            patrol=origin.patrol if not home.inverted else "",
            task_force=group.task_force,
            attempted=origin.attempted or group.mission in TRIED,
        )
        made.append(After(force, not home.base, bool(group.number)))
    place_forces(table, side, [each.force for each in made], list(free))
    return made


def _name_for(
    group: CombatGroup, free: Mapping[str, NavalForce], operation: Operation, side: Side, used: Sequence[str]
) -> str:
    """The marker a group goes under: its own, that of a force it was made of, any that is free, or a new one.

    What is in it plays no part, for everyone sees the markers.
    """
    alike = [id for id, force in free.items() if force.task_force == group.task_force]
    for id in (group.name, *(id for id in alike if group.name.startswith(id)), *alike):
        if id in alike:
            return id
    return new_name(operation, side, used)


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
    were not damaged are not inverted; they part from those that are. Light ships of a kind fought if any of it fired."""
    engaged = table.operation.fired.get(side, ())
    result: list[After] = []
    for each in after:
        force = each.force
        if each.goes_on or not force.inverted:
            result.append(each)
            continue
        fought = tuple(ship for ship in force.ships if _inverted(table, ship.id in engaged, ship.damaged))
        lights = {
            key: number
            for key, number in force.light.items()
            if _inverted(table, key in engaged, light(key).state == "damaged")
        }
        spared = tuple(ship for ship in force.ships if ship not in fought)
        lights_spared = minus(force.light, lights)
        if not spared and not lights_spared:
            result.append(each)
            continue
        rest = replace(force, ships=spared, light=lights_spared, inverted=False)
        if fought or lights:
            used = [other.force.id for other in (*after, *result)]
            rest = replace(rest, id=new_name(table.operation, side, used), cargo=())
            kept = replace(force, ships=fought, light=lights)
            place_forces(table, side, [kept])
            result.append(each._replace(force=kept))
        place_forces(table, side, [rest])
        result.append(After(rest, False, False))
    return result


def _inverted(table: Table, engaged: bool, damaged: bool) -> bool:
    return inverted_after(
        table.rules, Service(counter_rounds=("fired" if engaged else "screened",), damaged=damaged)
    ).holds


@rule("22.81A", "22.81B", "22.81C", "22.163D", "22.163E", "22.28")
def after_interception(
    table: Table,
    contact: Contact,
    hunter: Side,
    after: Mapping[Side, Sequence[After]],
) -> None:
    """22.81. The activity goes on or is aborted; those who helped a victor adopt it; interceptors go home."""
    wave = table.operation.wave
    lasted = table.battle.round
    legs = [wave.leg(id) for id in contact.legs if wave.leg(id).status == "under way"]
    going = [each.force.id for each in after[hunter.enemy] if each.goes_on]
    patrols = patrols_back(table, contact, going, lasted)
    going = [id for id in going if id not in patrols]
    changed: list[Leg] = []
    for leg in legs:
        own = [id for id in going if id in leg.forces]
        adopted = [id for id in going if not any(id in other.forces for other in legs)] if leg is legs[0] else []
        forces = tuple(sorted((*own, *adopted)))
        afloat = [each.force.id for each in after[hunter.enemy]]
        changed.append(_still(table, leg, forces, "aborted" if any(id in afloat for id in leg.forces) else "lost"))
    table.record(
        LegsChanged(
            rule="22.81A", to=Audience.EVERYONE, side=hunter.enemy, legs=tuple(changed), why="after naval combat"
        )
    )
    tries = tries_of(table.operation, contact)
    for each in tries:  # defensive patrols go back on patrol (22.81B)
        for force in table.operation.forces[each.side]:
            if not each.boat and force.id == each.force and force.patrol == "defensive":
                place_forces(table, each.side, [replace(force, place=each.path[0], harbour="")])
    end_tries(table, tries, "the battle is over")


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
def after_counter(table: Table, contact: Contact, after: Mapping[Side, Sequence[After]]) -> None:
    """22.254D. Interceptors that won go on, in the round their dice gave; beaten ones go home, late ones too."""
    wave = table.operation.wave
    met = [each for each in wave.tries if each.id in contact.met and each.status == "sailing"]
    side = met[0].side
    won = table.battle.victor is side and table.battle.goes_on
    rounds = after_counter_battle(
        table.rules, {each.id: each.round for each in met}, won=won, lasted=table.battle.round
    )
    parted = withheld(table, side, after[side])
    going = [each.force.id for each in parted if each.goes_on or (won and not each.fought and not each.force.inverted)]
    settled: list[Try] = []
    for each in met:
        goes = rounds[each.id] is not None and each.force in going
        settled.append(replace(each, round=rounds[each.id], status="sailing" if goes else "done"))
        if goes:
            engaged = table.operation.fired.get(side, ())
            force = table.operation.force(side, each.force)
            fought = any(ship.id in engaged or ship.damaged for ship in force.ships) or any(
                key in engaged or light(key).state == "damaged" for key in force.light
            )
            place_forces(table, side, [replace(force, inverted=force.inverted or fought)])
    for each in tries_of(table.operation, contact):
        if each.side is side and each.force in going and met[0].path and rounds[met[0].id] is not None:  # 22.81D
            tail = met[0].path[met[0].path.index(contact.hex) :]
            entry = rounds[met[0].id]
            settled.append(
                replace(each, level=met[0].level, contact=met[0].contact, hex=met[0].hex, path=tail, round=entry)
            )
    adopted = [each.id for each in settled]
    over = [each for each in tries_of(table.operation, contact) if each.id not in adopted]
    table.record(
        TriesSettled(
            rule="22.254D",
            to=Audience.EVERYONE,
            side=side,
            tries=tuple(settled),
            why={each.id: "goes on" if each.status == "sailing" else "goes home" for each in settled},
        )
    )
    end_tries(table, over, "the battle is over")


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
    gone = [each for each in wave.tries if each.id in contact.met and each.force not in afloat]
    end_tries(table, [each for each in gone if each.status == "sailing"], "sunk")


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
        form = pick({"go on": "go on with the activity", "abort": "abort it and return to base"}, "go on")
        question = f"{leg.id} was attacked: does it go on?"
        answer = await Decide(leg.side, "22.28A", "abort", question, form, leg.id)
        status, why = leg.status, "goes on"
        if answer.choice == "abort":
            status, why = "aborted", "aborts"
            forces = [table.operation.force(leg.side, id) for id in leg.forces]
            place_forces(table, leg.side, [replace(force, inverted=True, patrol="") for force in forces])
        after = replace(leg, status=status, may_abort=False)
        table.record(LegsChanged(rule="22.28A", to=Audience.EVERYONE, side=leg.side, legs=(after,), why=why))


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
