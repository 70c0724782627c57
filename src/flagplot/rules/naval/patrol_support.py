"""22.163: offensive patrols support friends that were intercepted, without dice, by their distance."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.interception import Level
from flagplot.model.operation import Contact, Operation, Try, Wave
from flagplot.model.operation_events import PatrolsSupport
from flagplot.model.ships import light
from flagplot.rules.naval.attempts import boat_tried
from flagplot.rules.naval.interception import patrol_may_support, patrol_round
from flagplot.rules.naval.passage import nearest, shortest
from flagplot.rules.naval.targets import HOLD, OF
from flagplot.rules.table import Table


@rule("22.163", "22.163A", "22.163B", "22.163C", "22.11D", "22.18E", "22.916B")
async def support(table: Table) -> None:
    """22.163. Offensive patrols may support friends that were intercepted, in the interception hex and without dice.

    Submarines too come later if they are farther off (22.163C). All take the shortest way (FP-74).
    """
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
    items = [
        Item(force.id, f"{force.id}, on patrol in {force.place}", 1, _reached(table, force.place, contacts))
        for force in patrols
    ]
    items += [
        Item(
            each.station + OF + key,
            f"submarines of {light(key).nation}, {each.station}",
            number,
            _reached(table, each.hex, contacts),
        )
        for each in boats
        for key, number in each.ready.items()
    ]
    places = (
        Place(HOLD, "stays on patrol"),
        *(Place(contact.id, f"{contact.id}, in {contact.hex}") for contact in contacts),
    )
    answer = await Decide(
        wave.side, "22.163", "support", "Which patrols support?", Form(tuple(items), places, rest=HOLD)
    )
    tries: list[Try] = []
    for contact in contacts:
        for force in patrols:
            if answer.amount(force.id, contact.id):
                tries.append(_support_by(table, contact, force.id, force.place, len(tries)))
        for each in boats:
            for key in each.ready:
                for _ in range(answer.amount(each.station + OF + key, contact.id)):
                    tries.append(_support_by(table, contact, each.station, each.hex, len(tries), key))
                    boat_tried(table, wave.side, tries[-1], "sailing")
    if tries:
        table.record(PatrolsSupport(rule="22.163", to=Audience.EVERYONE, side=wave.side, tries=tuple(tries)))


@rule("22.163B", "22.23T.16")
def _reached(table: Table, place: str, contacts: Sequence[Contact]) -> tuple[str, ...]:
    """22.163B. Where a patrol may support, if not everywhere: with no support from afar, within three hexes."""
    if table.rules.readings.patrols_come_late:
        return ()
    near = [c.id for c in contacts if patrol_may_support(table.rules, nearest(table.operation, place, [c.hex]))]
    return (HOLD, *near)


def _support_by(table: Table, contact: Contact, force: str, place: str, index: int, boat: str = "") -> Try:
    wave: Wave = table.operation.wave
    return Try(
        id=f"S{len(wave.supports) + index + 1}",
        side=wave.side,
        level=Level.COUNTER,
        force=force,
        boat=boat,
        kind="submarine" if boat else "patrol",
        contact=contact.id,
        hex=contact.hex,
        path=shortest(table.operation.sea.seas, place, contact.hex),
        round=patrol_round(table.rules, table.operation.theatre, nearest(table.operation, place, [contact.hex])),
        status="sailing",
    )


def _busy(operation: Operation) -> list[str]:
    """Forces that are on a voyage or wait for one, intercept or support somebody already."""
    legs = [id for wave in operation.waves for leg in wave.legs if leg.status == "under way" for id in leg.forces]
    tries = [each for wave in operation.waves for each in (*wave.tries, *wave.supports) if each.status == "sailing"]
    return [*legs, *(each.force for each in tries), *(id for order in operation.pending for id in order.forces)]
