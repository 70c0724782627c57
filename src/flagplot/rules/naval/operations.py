"""22.1, 22.15, 22.164: an operation: one side's activities of a phase, and all that comes of them, to the last ship home.

One loop works off the state: it looks at the wave on top of the stack and at its stage, does what is due, and looks
again. Nothing is alive between two steps but the state, so the end of every battle is a boundary.
"""

from __future__ import annotations

from msgspec import UNSET

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, only
from flagplot.model.events import InputTaken
from flagplot.model.operation import Operation
from flagplot.model.operation_events import (
    BoatsPlaced,
    OperationEnded,
    OperationOpened,
    OrdersReceived,
    PhaseBegan,
)
from flagplot.model.setup import Setup
from flagplot.rules.naval.activities import announce, complete, give_paths, go_home, go_on_together, reach_stage
from flagplot.rules.naval.air_sorties import announce_sorties
from flagplot.rules.naval.battle import naval_battle, tell_borrowed
from flagplot.rules.naval.carrier_raids import announce_raids, begin_raid, fly_raid, raiders_due
from flagplot.rules.naval.contacts import fight_out, resolve
from flagplot.rules.naval.homecoming import decide_aborts
from flagplot.rules.naval.interceptions import counter_counter_intercept, counter_intercept, intercept
from flagplot.rules.naval.passage import place_forces
from flagplot.rules.naval.stacking import REMEDIED, overfilled, remedy
from flagplot.rules.naval.submarine_patrols import attack_patrols
from flagplot.rules.naval.turn_end import end_player_turn
from flagplot.rules.strategic.war import strategic_war
from flagplot.rules.table import Table


@rule("22.15", "22.31")
async def play_setup(table: Table, setup: Setup) -> None:
    """22.31. Whatever a set-up is of: an operation, or a battle or attack by itself."""
    if setup.public.kind == "war":
        await strategic_war(table, setup)
    else:
        await (operation if setup.public.kind == "operation" else naval_battle)(table, setup)


@rule("22.11", "22.15", "22.164")
async def operation(table: Table, setup: Setup) -> None:
    """22.15. The phases of an operation, each until every ship is in port, on patrol or at the bottom."""
    lay_out(table, setup)
    tell_borrowed(table)
    await attack_patrols(table, setup.public.inputs)
    await operate_on(table, setup)


@rule("22.15", "22.15C", "22.15D", "22.164", "22.63D", "23.61")
async def operate_on(table: Table, setup: Setup) -> None:
    """22.164. From the state as it is to the end. Ships that go home at once come before all else (22.15D)."""
    while not table.operation.over:
        if table.operation.contact:
            await fight_out(table)
        elif table.operation.raid:
            await fly_raid(table)
        elif table.operation.raids:
            begin_raid(table, setup)
        elif raiders_due(table.operation, setup.public):
            await announce_raids(table, setup)
        elif not levels_open(table.operation) and go_home(table):
            continue
        elif table.operation.waves:
            await _sail_on(table, setup)
        elif table.operation.pending:
            await go_on_together(table)
        elif table.operation.announcing:
            await announce(table)
        elif overfilled(table.operation, table.operation.sea.mover) and table.operation.phase in REMEDIED:
            await remedy(table, table.operation.sea.mover)
        elif table.operation.phases_left:
            phase = table.operation.phases_left[0]
            table.record(PhaseBegan(rule="22.15", to=Audience.EVERYONE, phase=phase))
        else:
            end_player_turn(table)
            table.record(OperationEnded(rule="22.15C", to=Audience.EVERYONE, why="every ship is where it belongs"))


@rule("22.164C", "22.252B.2")
def levels_open(operation: Operation) -> bool:
    """22.164C. Whether counter-counter-interceptions are announced next: who failed to counter sails home after that
    (FP-101)."""
    return bool(operation.waves) and operation.wave.stage == "counter-counters"


async def _sail_on(table: Table, setup: Setup) -> None:
    """22.164. The next stage of the voyages on top of the stack."""
    match table.operation.wave.stage:
        case "paths":
            await give_paths(table)
        case "interceptions":
            await intercept(table)
        case "counters":
            await counter_intercept(table)
        case "counter-counters":
            await counter_counter_intercept(table)
        case "air":
            await announce_sorties(table)
        case "resolution":
            wave = table.operation.wave
            tries = (*wave.tries, *wave.supports)
            if any(leg.may_abort for leg in wave.legs) or any(each.may_abort for each in tries):
                await decide_aborts(table)
            elif not await resolve(table, setup):
                reach_stage(table, "completion")
        case _:
            complete(table)


def lay_out(table: Table, setup: Setup) -> None:
    """Put everything on the board: to everyone what lies open, to each side its own."""
    public = setup.public
    if public.operation is UNSET:
        raise KeyError("operation")
    waters = public.operation
    table.record(
        OperationOpened(
            rule="22.11",
            to=Audience.EVERYONE,
            title=public.title,
            theatre=public.theatre,
            names=public.names,
            open=public.order_of_battle == "open",
            waters=waters,
        )
    )
    for side in (waters.mover, waters.mover.enemy):
        stations = setup.sides[side].stations
        if stations is UNSET:
            raise KeyError("stations")
        place_forces(table, side, stations.forces)
        table.record(BoatsPlaced(rule="22.911", to=Audience.EVERYONE, side=side, boats=stations.boats, lost={}))
        table.record(OrdersReceived(rule="22.15", to=only(side), side=side, orders=stations.orders))
        cards = waters.cards.get(side, 0)
        table.record(
            InputTaken(
                rule="48.31", to=Audience.EVERYONE, what=f"{public.names[side]}: interception cards", value=str(cards)
            )
        )
