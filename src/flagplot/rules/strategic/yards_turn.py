"""26.76, 27.721: ships in the yards, turn by turn: they go on in their owner's unit construction, bombs throw them back.

What is laid down or docked comes from a dispatch: capacity, costs and rates of the yards (27.7) are not held.
"""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model import yards
from flagplot.model.strategic_war import SEASONS
from flagplot.model.war import TargetHex, YardShip, side_of
from flagplot.model.war_events import YardsAdvanced
from flagplot.model.war_fold import FIRST, SECOND
from flagplot.rules.strategic.yards import bombed_ship, columns_moved, next_on_chart
from flagplot.rules.table import Table
from flagplot.tables.sw_combat import SwResult


def on_chart(ship: YardShip) -> yards.YardShip:
    """A ship as the construction chart sees her."""
    return yards.YardShip(ship.name, side_of(ship.power), ship.size, SEASONS[ship.column], ship.row)


def _back(ship: YardShip, chart: yards.YardShip) -> YardShip:
    return YardShip(ship.name, ship.power, ship.yard, ship.size, chart.row, SEASONS.index(chart.column))


@rule("27.721")
def advance_yards(table: Table) -> None:
    """27.721. In their owner's unit construction ships in this season's column go down a row or are launched."""
    war, side = table.war, table.war.now.side
    season = SEASONS[war.now.turn.season]
    left: list[YardShip] = []
    launched: list[str] = []
    for ship in war.yards:
        chart = next_on_chart(on_chart(ship), season) if side_of(ship.power) is side else on_chart(ship)
        if chart is None:
            launched.append(ship.name)
        else:
            left.append(_back(ship, chart))
    if tuple(left) != war.yards:
        table.record(
            YardsAdvanced(rule="27.721", to=Audience.EVERYONE, side=side, yards=tuple(left), launched=tuple(launched))
        )


@rule("26.76", "26.76.3", "26.761")
async def bombed_ships(table: Table, target: TargetHex, sources: Mapping[str, int]) -> tuple[list[YardShip], list[str]]:
    """26.76. What bombs do to the ships in a yard, shared among them as the bombing player likes: those that were moved,
    and the names of those eliminated."""
    war = table.war
    here = [ship for ship in war.yards if ship.yard == target.name]
    result = {key: sources.get(key, 0) for key in (FIRST, SECOND)}
    if not any(result.values()):
        return [], []
    shares = {ship.name: result for ship in here}
    if len(here) > 1:
        items = tuple(Item(key, f"{key} results", number) for key, number in result.items() if number)
        places = tuple(Place(ship.name, f"{ship.name}, {ship.power}") for ship in here)
        form = Form(items, places, default={item.key: {here[0].name: item.amount} for item in items})
        question = f"Which ships in {target.name} does the bombing fall on?"
        answer = await Decide(war.now.side, "26.76", "ships in a yard", question, form)
        shares = {ship.name: {key: answer.amount(key, ship.name) for key in result} for ship in here}
    moved, gone = [], []
    for ship in here:
        columns = columns_moved(SwResult(shares[ship.name][FIRST], shares[ship.name][SECOND]))
        chart = bombed_ship(on_chart(ship), columns, SEASONS[war.now.turn.season])
        if chart is None:
            gone.append(ship.name)
        elif columns:
            moved.append(_back(ship, chart))
    return moved, gone
