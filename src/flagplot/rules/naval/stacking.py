"""22.63D, 22.63E: ports that returning ships have overfilled are put right by the end of a movement or redeployment phase.

How many naval factors a port bases is an input (12.15 and 21.112 are not held): the map's number, or what the set-up
says. Who can move out of an overfilled port has had his chance in the phase; the rest is eliminated, by its owner's choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtLeast, AtMost, Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.operation import Harbour, NavalForce, Operation
from flagplot.model.operation_events import LossesCounted
from flagplot.model.ships import as_seen, light, minus, plus
from flagplot.rules.naval.combat_groups import light_label
from flagplot.rules.naval.passage import place_forces
from flagplot.rules.table import Table

REMEDIED = ("movement", "redeployment")  # 22.63D: the phases at whose end nothing may be overfilled any more
OF = "|"


@rule("22.63D", "22.63E")
def put_right_by(*, failed_redeployment: bool) -> tuple[str, ...]:
    """22.63D. The phases of which the first to end finds nothing overfilled any more; who came back from a failed
    redeployment may not try another in that phase, and so cannot put it right (22.63E)."""
    return REMEDIED[1:] if failed_redeployment else REMEDIED


@rule("22.63D", "22.63E")
def overfilled(operation: Operation, side: Side) -> list[Harbour]:
    """22.63D. The ports of a side that hold more naval factors than they may since ships returned to them."""
    back = {leg.harbour for leg in operation.ended if leg.returning and leg.side is side and leg.status == "completed"}
    back |= set(operation.returned_to.get(side, ()))
    return [
        port
        for port in operation.sea.harbours[side]
        if port.capacity and port.name in back and sum(map(_factors, _there(operation, side, port))) > port.capacity
    ]


def _there(operation: Operation, side: Side, port: Harbour) -> list[NavalForce]:
    return [force for force in operation.forces[side] if force.harbour == port.name]


def _factors(force: NavalForce) -> int:
    return force.factors


@rule("22.63D", "22.63E")
def stacking_form(port: Harbour, forces: Sequence[NavalForce]) -> Form:
    """22.63D. Which units are eliminated: as many as it takes, and no more."""
    items: list[Item] = []
    weights: dict[str, int] = {}
    for force in forces:
        for ship in force.ships:
            items.append(Item(force.id + OF + ship.id, f"{ship.name}, {force.id}"))
            weights[items[-1].key] = ship.size
        for key, number in force.light.items():
            if light(key).factors:
                items.append(Item(force.id + OF + key, f"{light_label(key)}, {force.id}", number))
                weights[items[-1].key] = light(key).factors
    cells = tuple((item.key, "stays", weights[item.key]) for item in items)
    limits = (
        AtMost(cells, port.capacity, "22.63D", f"{port.name} bases {port.capacity} naval factors."),
        AtLeast(cells, port.capacity + 1 - max(weights.values()), "22.63D", "No more is eliminated than must be."),
    )
    return Form(
        tuple(items),
        (Place("stays", "stays"), Place("eliminated", "is eliminated")),
        limits,
        rest="stays",
        default=_smallest(items, weights, sum(map(_factors, forces)) - port.capacity),
    )


def _smallest(items: Sequence[Item], weights: dict[str, int], excess: int) -> dict[str, str | dict[str, int]]:
    """So many factors, the smallest units first."""
    told: dict[str, str | dict[str, int]] = {}
    for item in sorted(items, key=lambda item: weights[item.key]):
        number = min(item.amount, -(-max(excess, 0) // weights[item.key]))
        excess -= number * weights[item.key]
        if number:
            told[item.key] = {"eliminated": number}
    return told


@rule("22.63D", "22.63E")
async def remedy(table: Table, side: Side) -> None:
    """22.63D. At the end of his movement or redeployment phase a side eliminates what its ports cannot base."""
    for port in overfilled(table.operation, side):
        forces = _there(table.operation, side, port)
        question = f"{port.name} bases {port.capacity} naval factors and holds {sum(map(_factors, forces))}: what is eliminated?"
        form = stacking_form(port, forces)
        answer = await Decide(side, "22.63D", "overstacking", question, form, port.name)
        _eliminate(table, side, forces, answer)


def _eliminate(table: Table, side: Side, forces: Sequence[NavalForce], answer: Answer) -> None:
    given_up = answer.held_by("eliminated")
    gone = [ship for force in forces for ship in force.ships if force.id + OF + ship.id in given_up]
    lost: dict[str, int] = {}
    for force in forces:
        counts = {key: number for key in force.light if (number := given_up.get(force.id + OF + key, 0))}
        lost = plus(lost, counts)
        left = replace(
            force,
            ships=tuple(ship for ship in force.ships if ship not in gone),
            light=minus(force.light, counts),
        )
        place_forces(table, side, [left] if left.afloat else [], [] if left.afloat else [force.id])
    table.record(
        LossesCounted(
            rule="22.63D", to=Audience.EVERYONE, side=side, ships=tuple(map(as_seen, gone)), light=lost, cargo=()
        )
    )
