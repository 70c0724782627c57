"""20.5 Hits take effect: on a named ship, on light ships, on the cargo they carried, whoever scored them."""

from __future__ import annotations

from flagplot.core.asks import Decide
from flagplot.core.forms import in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import WingStruck
from flagplot.model.events import GroupEliminated, LightShipsHit, ShipHit
from flagplot.model.ships import Counts, Ship
from flagplot.rules.damage import Allotment, allot_light_hits, order_matters
from flagplot.rules.naval.combat_groups import unit_label
from flagplot.rules.naval.effects import lose_cargo, stow_cargo
from flagplot.rules.table import Table


@rule("20.512A", "20.513", "20.521.1", "22.56", "23.442", "23.443", "23.444", "22.9431")
def hit_ship(table: Table, side: Side, number: int, ship: Ship, hits: int) -> str:
    """20.513. What hits do to a named ship, added to those she has, from guns, bombs or torpedoes; her fate."""
    fate = table.rules.fate_at_sea(ship, hits)
    table.record(
        ShipHit(
            rule="20.513",
            to=Audience.EVERYONE,
            side=side,
            number=number,
            ship=ship.id,
            name=ship.name,
            hits=hits,
            fate=fate,
        )
    )
    if ship.wing and fate != "hit" and not ship.damaged:
        table.record(
            WingStruck(
                rule="22.463",
                to=only(side),
                side=side,
                ship=ship.id,
                name=ship.name,
                squadrons=ship.wing,
                lost=fate == "sunk",
            )
        )
    return fate


@rule("20.532", "20.57", "23.45")
async def allot(table: Table, side: Side, number: int, counts: Counts, hits: int) -> Allotment:
    """20.57. How hits are shared among light ships; of equal groups their owner says which comes first."""
    order: list[str] = []
    if order_matters(counts, hits):
        group = table.group(side, number)
        form = in_order({key: unit_label(group, key) for key in counts}, "20.57")
        question = f"{hits} hits on light ships: of equal groups, which takes losses first?"
        order = order_of(await Decide(side, "20.57", "loss order", question, form))
    return allot_light_hits(counts, hits, order)


@rule("20.532", "22.56", "22.82A", "23.442", "23.443A", "22.9431")
async def hit_light_ships(
    table: Table, side: Side, number: int, allotment: Allotment, *, screened: bool = False, into_screen: bool = False
) -> None:
    """20.532. Light ships are sunk and damaged, and what they carried may be lost with them."""
    table.record(
        LightShipsHit(
            rule="20.532",
            to=Audience.EVERYONE,
            side=side,
            number=number,
            screened=screened,
            sunk=allotment.sunk,
            damaged=allotment.damaged,
            into_screen=into_screen,
        )
    )
    await lose_cargo(table, side, number)


@rule("20.511", "22.82A", "23.443A.1")
def clear_away(table: Table, side: Side, number: int) -> None:
    """20.511. After an attack: cargo is stowed anew, and a group with nothing left is gone."""
    stow_cargo(table, side, number)
    if table.group(side, number).empty:
        table.record(GroupEliminated(rule="20.511", to=Audience.EVERYONE, side=side, number=number))
