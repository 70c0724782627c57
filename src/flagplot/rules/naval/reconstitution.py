"""22.14B: task forces may be reconstituted immediately before they intercept or counter-intercept.

Ships of one port that may try at all are dealt out anew: to the task forces there, to new ones, or outside any. A side
that wants to says so in its answer to who intercepts, and is asked again afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, OneShort, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.operation import NavalForce
from flagplot.model.ships import light, plus
from flagplot.rules.naval.combat_groups import light_label
from flagplot.rules.naval.passage import place_forces
from flagplot.rules.table import Table

OF = "|"
LEAST = 10  # naval factors of a task force: fewer are none (20.16, 22.14C; FP-107)


def by_port(forces: Sequence[NavalForce]) -> dict[str, list[NavalForce]]:
    """Forces in port without cargo, by port: those whose ships may be dealt out anew. Inverted ones keep apart."""
    ports: dict[str, list[NavalForce]] = {}
    for force in forces:
        if force.harbour and not force.cargo:
            ports.setdefault(force.harbour + (", inverted" if force.inverted else ""), []).append(force)
    return ports


@rule("22.14B.2")
def _task_forces(port: str, there: Sequence[NavalForce], taken: Sequence[str]) -> list[str]:
    """22.14B. The task forces a port may have: those there, and new ones under names nobody has; as many as its ships can
    fill."""
    old = [force.id for force in there if force.task_force]
    new = sum(force.factors for force in there) // LEAST
    names = [f"{port} TF {number}" for number in range(1, new + len(taken) + 1)]
    return old + [name for name in names if name not in taken][:new]


def _outside(port: str) -> str:
    return f"outside at {port}"


@rule("22.14B.2", "22.14C")
def _filled(name: str, least: int, factors: Mapping[str, int]) -> Limit:
    """22.14B. A task force that there is has so many factors at least: it is named twice, so that it may not fall short."""
    why = f"{name} has at least {least} naval factors, or there is no such task force."
    return OneShort(((name, least), (name, least)), tuple(factors.items()), "20.16", why)


@rule("22.14B.2", "20.162")
def reconstitution_form(forces: Sequence[NavalForce], taken: Sequence[str], most: int) -> Form:
    """22.14B. Where each ship sails. A task force has at least ten factors and at most 25, no more than half of them fast
    carriers; one that losses have left with fewer, or with more carriers, may stay as it is, but gets no further from the
    limit (FP-81, FP-107)."""
    items: list[Item] = []
    places: list[Place] = []
    limits: list[Limit] = []
    default: dict[str, dict[str, int]] = {}
    for port, there in by_port(forces).items():
        names = _task_forces(port, there, taken)
        choice = (_outside(port), *names)
        places += [Place(choice[0], f"outside task forces, {port}"), *(Place(name, name) for name in names)]
        weights: dict[str, tuple[int, int]] = {}  # factors, and factors less those that are carriers', twice
        amounts: dict[str, int] = {}
        labels: dict[str, str] = {}
        for force in there:
            at = force.id if force.task_force else choice[0]
            for ship in force.ships:
                key = port + OF + ship.id
                weights[key] = ship.size, ship.size if ship.is_carrier else -ship.size
                labels[key], amounts[key] = ship.name, 1
                default[key] = {at: 1}
            for unit, number in force.light.items():
                key = port + OF + unit
                weights[key] = light(unit).factors, -light(unit).factors
                labels[key], amounts[key] = light_label(unit), amounts.get(key, 0) + number
                default[key] = plus(default.get(key, {}), {at: number})
        items += [Item(key, f"{labels[key]}, {port}", amounts[key], choice) for key in weights]
        surplus = {name: sum(weights[key][1] * default[key].get(name, 0) for key in weights) for name in names}
        for name in names:
            cells = tuple((key, name, factors) for key, (factors, _) in weights.items())
            limits.append(AtMost(cells, most, "20.162", f"A task force has at most {most} factors."))
            cover = tuple((key, name, weight) for key, (_, weight) in weights.items())
            why = "At most half the factors of a task force are fast carriers."
            limits.append(AtMost(cover, max(0, surplus[name]), "20.162", why))
            here = sum(weights[key][0] * default[key].get(name, 0) for key in weights)
            limits.append(
                _filled(name, min(here, LEAST) or LEAST, {key: factors for key, (factors, _) in weights.items()})
            )
    return Form(tuple(items), tuple(places), tuple(limits), default=default)


@rule("22.14B.2")
def reconstituted(port: str, there: Sequence[NavalForce], taken: Sequence[str], answer: Answer) -> list[NavalForce]:
    """22.14B. The forces of a port as they were dealt out: all ships outside task forces are one."""
    made: list[NavalForce] = []
    loose = next((force.id for force in there if not force.task_force), "")
    number = 1
    while not loose:
        name = f"Ships in {port} {number}"
        loose, number = "" if name in taken else name, number + 1
    ships = {ship.id: ship for force in there for ship in force.ships}
    old = {force.id: force for force in there}
    for place in (_outside(port), *_task_forces(port, there, taken)):
        held = {key.removeprefix(port + OF): n for key, n in answer.held_by(place).items() if key.startswith(port + OF)}
        if not held:
            continue
        outside = place == _outside(port)
        named = tuple(ships[key] for key in held if key in ships)
        flag = named[0].nation if named else light(next(iter(held))).nation
        like = old.get(loose if outside else place, replace(there[0], nation=flag, magic=None))
        made.append(
            replace(
                like,
                id=loose if outside else place,
                ships=named,
                light={key: n for key, n in held.items() if key not in ships},
                task_force=not outside,
            )
        )
    return made


@rule("22.14B.2")
async def reconstitute(table: Table, side: Side, forces: Sequence[NavalForce]) -> None:
    """22.14B. The owner deals out the ships of each port anew; the enemy sees markers only."""
    taken = [force.id for each in Side for force in table.operation.forces[each]]
    form = reconstitution_form(forces, taken, table.rules.most_group_factors)
    answer = await Decide(side, "22.14B", "reconstitute", "How are your task forces made up?", form)
    for port, there in by_port(forces).items():
        made = reconstituted(port, there, taken, answer)
        kept = [force.id for force in made]
        place_forces(table, side, made, [force.id for force in there if force.id not in kept])
