"""22.28A, 23.443A: a force that was attacked on its way goes on, aborts, or sends its damaged ships home and goes on.

Who leaves is a force of its own from then on, open to interception and air attack on its way (22.18D), and inverted like
one that aborts (FP-46). What carries cargo stays with the activity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.operation import Leg, NavalForce, Operation
from flagplot.model.operation_events import LegsChanged
from flagplot.model.ships import light, minus
from flagplot.rules.naval.combat_groups import light_label
from flagplot.rules.naval.passage import place_forces
from flagplot.rules.table import Table

CHOICE, GO_ON, STAY, LEAVE = "choice", "go on", "stays", "leaves"
OF = "|"
MOST = 99


class _Unit(NamedTuple):
    key: str
    label: str
    number: int
    damaged: bool


def _units(force: NavalForce) -> list[_Unit]:
    """What could leave a force."""
    units = [
        _Unit(force.id + OF + ship.id, f"{ship.name}{', damaged' if ship.damaged else ''}", 1, ship.damaged)
        for ship in force.ships
    ]
    laden = ("TR",) if any(item.by == "TR" for item in force.cargo) else ()
    for key, number in force.light.items():
        if light(key).state != "loaded" and light(key).kind not in laden:
            units.append(_Unit(force.id + OF + key, light_label(key), number, light(key).state == "damaged"))
    return units


@rule("22.28A", "23.443A", "23.443A.2")
def after_attack_form(forces: Sequence[NavalForce]) -> Form:
    """23.443A. Whether an attacked force goes on with its activity, and if it does, which damaged ships go home, alone or with
    others to protect them; somebody stays."""
    whole = pick({GO_ON: "go on with the activity", "abort": "abort it and return to base"}, GO_ON)
    units = [unit for force in forces for unit in _units(force)]
    if not any(unit.damaged for unit in units):
        return whole
    choice = Item(CHOICE, "The activity", 1, (GO_ON, "abort"))
    items = tuple(Item(unit.key, unit.label, unit.number, (STAY, LEAVE)) for unit in units)
    sound = tuple((unit.key, LEAVE, 1) for unit in units if not unit.damaged)
    hurt = tuple((unit.key, LEAVE, -MOST) for unit in units if unit.damaged)
    everyone = sum(len(force.ships) + sum(force.light.values()) for force in forces)
    leaving = tuple((item.key, LEAVE, 1) for item in items)
    limits: tuple[Limit, ...] = (
        AtMost((*sound, *hurt), 0, "23.443A", "Sound ships go home only to protect damaged ones."),
        AtMost(leaving, everyone - 1, "23.443A", "If nobody stays, the activity is aborted."),
    )
    places = (*whole.places, Place(STAY, "stays with the activity"), Place(LEAVE, "goes home"))
    return Form((choice, *items), places, limits, default={CHOICE: GO_ON})


@rule("22.15D", "22.18D", "23.443A", "23.443A.2")
def part_company(table: Table, leg: Leg, answer: Answer, name: str) -> Leg:
    """23.443A. Damaged ships and those who protect them leave a voyage; they sail home at once. The voyage as it is then."""
    leaving = answer.held_by(LEAVE)
    if not leaving:
        return leg
    side = leg.side
    forces = [table.operation.force(side, id) for id in leg.forces]
    parted: NavalForce | None = None
    left: list[NavalForce] = []
    for force in forces:
        mine = {key.partition(OF)[2]: n for key, n in leaving.items() if key.partition(OF)[0] == force.id}
        ships = tuple(ship for ship in force.ships if ship.id in mine)
        counts = {key: mine[key] for key in force.light if key in mine}
        stay = replace(
            force,
            ships=tuple(ship for ship in force.ships if ship not in ships),
            light=minus(force.light, counts),
        )
        left.append(stay)
        if ships or counts:
            parted = _with(parted, replace(force, id=name, ships=ships, light=counts, cargo=(), patrol=""))
    assert parted is not None, "somebody leaves"
    parted = replace(parted, inverted=True, order="", task_force=parted.task_force and parted.factors >= 10)
    gone = [force.id for force in left if not force.afloat]
    place_forces(table, side, [*(force for force in left if force.afloat), parted], gone)
    ids = tuple(force.id for force in left if force.afloat)
    after = replace(leg, forces=ids, task_forces=_task_forces(table.operation, side, ids))
    why = f"{name} leaves it for its base"
    table.record(LegsChanged(rule="23.443A", to=Audience.EVERYONE, side=side, legs=(after,), why=why))
    return after


def _with(one: NavalForce | None, two: NavalForce) -> NavalForce:
    if one is None:
        return two
    counts = {key: one.light.get(key, 0) + two.light.get(key, 0) for key in (*one.light, *two.light)}
    return replace(one, ships=(*one.ships, *two.ships), light=counts, task_force=one.task_force or two.task_force)


def _task_forces(operation: Operation, side: Side, ids: Sequence[str]) -> int:
    return sum(operation.force(side, id).task_force for id in ids)
