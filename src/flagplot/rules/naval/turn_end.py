"""23.141C, 23.164: what becomes of aircraft on land when the redeployment phase of an operation, and with it the player turn,
is over.

The force pool (23.142C) is no part of an operation: what it leaves unbuilt, or takes away, is for the players to judge.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.operation_events import AirfieldsChanged
from flagplot.model.squadrons import AirBase
from flagplot.rules.air.upkeep import invert_used, put_together_all, uninvert
from flagplot.rules.table import Table

LAST_PHASE = "redeployment"


@rule("23.141C", "23.144", "23.164", "23.164.1", "23.164.2")
def end_player_turn(table: Table) -> None:
    """23.164. Squadrons that acted at sea are inverted; then all squadrons of both sides become factors again (23.141C), and
    the aircraft of the side whose player turn it was are turned again. None has redeployed in an operation."""
    if table.operation.phase != LAST_PHASE:
        return
    for side in Side:
        _change(table, side, "23.164", lambda base: invert_used(base, base.used))
        _change(table, side, "23.141C", lambda base: put_together_all(base).base)
    _change(table, table.operation.sea.mover, "23.164", lambda base: uninvert(base, {}))


def _change(table: Table, side: Side, under: str, make: Callable[[AirBase], AirBase]) -> None:
    before = table.operation.airfields.get(side, ())
    after = tuple(replace(field, base=make(field.base)) for field in before)
    if after != before:
        table.record(AirfieldsChanged(rule=under, to=Audience.EVERYONE, side=side, airfields=after))
