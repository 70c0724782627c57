"""20.512 Hits too few to damage a named ship: repaired at sea when the fighting in a hex is over, or kept until port."""

from __future__ import annotations

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import HitsRepaired
from flagplot.model.operation import Operation
from flagplot.rules.damage import repaired_at_sea
from flagplot.rules.table import Table

OUTSIDE_COMBAT = ("air attack", "submarine attack")


def keep_until_port(table: Table) -> None:
    """Hits stay until a ship is in port, where she is put in order (23.443A, 23.444)."""


@rule("20.512A.2", "20.512B", "23.444")
def repair_at_sea(table: Table) -> None:
    """20.512A. When naval combat in a hex is over, or all attacks from the air and by submarines there, hits that did not
    damage a ship are repaired before she leaves the hex, whether she stayed to the end or withdrew (FP-93)."""
    if attacked_there_again(table.operation):
        return
    number = "20.512B" if table.battle.kind in OUTSIDE_COMBAT else "20.512A"
    for side in table.battle.sides:
        for shown in (True, False):
            _repair(table, side, number, shown=shown)


@rule("20.512B")
def attacked_there_again(operation: Operation) -> bool:
    """20.512B. Whether what was attacked in this hex will be attacked there once more: aircraft come before submarines."""
    if not operation.contact:
        return False
    now = operation.wave.contact(operation.contact)
    return any(
        other.hex == now.hex
        and not other.done
        and other.id != now.id
        and (any(leg in now.legs for leg in other.legs) or any(each in now.met for each in other.met))
        for other in operation.wave.contacts
    )


def _repair(table: Table, side: Side, number: str, *, shown: bool) -> None:
    """The ships of groups that the enemy has seen, or of the others, which are their owner's secret."""
    fleet = table.fleet(side)
    ships = tuple(
        ship.id
        for group in (*fleet.groups, *fleet.withdrawn)
        if group.revealed is shown
        for ship in group.ships
        if repaired_at_sea(ship)
    )
    if ships:
        to = Audience.EVERYONE if shown else only(side)
        table.record(HitsRepaired(rule=number, to=to, side=side, ships=ships))
