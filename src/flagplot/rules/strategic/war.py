"""24.12, 24.6: the strategic war turn by turn: the Axis player turn, then the Allied one, until the last turn is over.

One loop works off the state: it looks at the stage of the player turn, does what is due, and looks again. Nothing is
alive between two stages but the state. The order of the stages is that of 24.12, 24.611 and 25.73.
"""

from __future__ import annotations

from msgspec import UNSET

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.setup import Setup
from flagplot.model.strategic_war import ADVANCED_SUBMARINE, SUBMARINE, TRANSPORT
from flagplot.model.war import STAGES, Counts, Row, War, kind_of, power_of
from flagplot.model.war_events import (
    DispatchReceived,
    PlayerTurnBegan,
    PlayerTurnEnded,
    WarEnded,
    WarOpened,
    WarStageReached,
)
from flagplot.rules.naval.battle import tell_borrowed
from flagplot.rules.strategic.bombing_turn import bombing
from flagplot.rules.strategic.construction_turn import build_units
from flagplot.rules.strategic.deployment_turn import move_units
from flagplot.rules.strategic.effects_turn import effects_of_bombing
from flagplot.rules.strategic.fronts_turn import change_fronts
from flagplot.rules.strategic.markers_turn import remove_markers
from flagplot.rules.strategic.murmansk_turn import murmansk_convoys
from flagplot.rules.strategic.raiders_turn import raid
from flagplot.rules.strategic.rocket_bases_turn import place_bases
from flagplot.rules.strategic.rockets_turn import flying_bombs
from flagplot.rules.strategic.submarine_turn import submarine_warfare, tell_surplus
from flagplot.rules.strategic.yards_turn import advance_yards
from flagplot.rules.table import Table


@rule("24.12")
async def strategic_war(table: Table, setup: Setup) -> None:
    """24.12. The whole war, from the state it begins in."""
    war = setup.public.war
    if war is UNSET:
        raise KeyError("war")
    table.record(WarOpened(rule="24.12", to=Audience.EVERYONE, war=war))
    tell_borrowed(table)
    tell_surplus(table)
    await wage(table)


@rule("24.12", "24.611")
async def wage(table: Table) -> None:
    """24.12. From the state as it is to the end."""
    while not table.war.over:
        match table.war.stage:
            case "":
                _begin(table)
                continue
            case "construction":
                advance_yards(table)
                await place_bases(table)
                await build_units(table)
                await change_fronts(table, "construction")
            case "movement" | "redeployment" as phase:
                await move_units(table, phase)
                if phase == "redeployment":
                    await change_fronts(table, phase)
            case "raiders":
                await raid(table)
            case "submarines":
                await submarine_warfare(table)
            case "bombing":
                await bombing(table)
            case "flying bombs":
                await flying_bombs(table)
            case "effects":
                await effects_of_bombing(table)
            case "convoys":
                await murmansk_convoys(table)
            case "markers":
                await remove_markers(table)
            case "end":
                _end(table)
                continue
        _next(table)


def _begin(table: Table) -> None:
    """A player turn begins: purses are filled, and what comes from outside arrives."""
    war = table.war
    table.record(PlayerTurnBegan(rule="24.12", to=Audience.EVERYONE, side=war.now.side, turn=war.now))
    for dispatch in war.timetable:
        if dispatch.at == war.now:
            table.record(DispatchReceived(rule="24.12", to=Audience.EVERYONE, dispatch=dispatch))


def _next(table: Table) -> None:
    stage = table.war.stage
    following = STAGES[STAGES.index(stage) + 1]
    table.record(WarStageReached(rule="24.12", to=Audience.EVERYONE, stage=following))


def _end(table: Table) -> None:
    """The player turn ends; after the Allied one a line is added to the chart."""
    war = table.war
    row = chart_row(war) if war.now.side is Side.ALLIES else None
    table.record(PlayerTurnEnded(rule="24.12", to=Audience.EVERYONE, side=war.now.side, row=row))
    if row is not None and war.now.turn == war.last:
        table.record(WarEnded(rule="24.12", to=Audience.EVERYONE, why=f"{war.last} is over"))


def chart_row(war: War) -> Row:
    """Transports, submarines and BRPs as they stand."""
    transports: Counts = {}
    submarines: Counts = {}
    for units in war.places.values():
        for name, number in units.items():
            kind, power = kind_of(name), power_of(name)
            if kind == TRANSPORT:
                transports[power] = transports.get(power, 0) + number
            elif kind in (SUBMARINE, ADVANCED_SUBMARINE):
                submarines[power] = submarines.get(power, 0) + number
    return Row(
        war.now.turn,
        transports,
        submarines,
        {power: purse.brps for power, purse in war.purses.items()},
        war.sunk,
        war.bombed,
    )
