"""22.45 Search: how many dice, what they find, and what the owner of a found group must say."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.core.asks import Roll
from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import GroupFound, SearchCounted, Searched
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.ships import Ship
from flagplot.model.state import Battle
from flagplot.rules.naval.combat_groups import is_fast
from flagplot.rules.table import Table
from flagplot.tables.search import SearchTable


@rule("22.451D.2", "22.425D.2.1")
def fully_operational(ship: Ship) -> bool:
    """22.451D. A fast carrier that is undamaged and has all its naval air squadrons (RC-22)."""
    return ship.fully_operational


@rule("22.71B")
def operational(ship: Ship) -> bool:
    """22.71B. A fast carrier that is undamaged and has at least one naval air squadron (RC-22)."""
    return ship.is_carrier and not ship.damaged and ship.air > 0


@rule("22.425D", "22.428", "22.451", "22.45T", "23.722", "23.72T")
def search_dice(
    chart: SearchTable, battle: Battle, groups: Iterable[CombatGroup], *, squadrons: int = 0, codebreaking: int = 0
) -> Modifiers:
    """22.451. How many search dice a side rolls, line by line; never fewer than none (RC-21)."""
    dice = Modifiers()
    dice = dice.plus("22.451A", "searching squadrons", min(squadrons, chart.most_squadrons) * chart.per_squadron)
    dice = dice.plus("22.451B", "codebreaking", max(-1, min(1, codebreaking)) * chart.codebreaking)
    dice = dice.plus("22.451C", "earlier rounds", (battle.round - 1) * chart.per_round)
    active = carriers = 0
    for group in groups:
        if not group.number:
            continue  # pending
        if battle.active(group):
            if group.undamaged_factors >= chart.active_group_factors and active < chart.most_active_groups:
                active += 1
                dice = dice.plus("22.451D", f"active CG{group.number} of ten or more factors", chart.per_active_group)
        elif group.scouts and carriers < chart.most_distant_carrier_groups:
            carriers += 1
            dice = dice.plus("22.451D", f"carriers of distant CG{group.number}", chart.per_distant_carrier_group)
    return dice.at_least(0, "22.451", "never fewer than none")


@rule("22.452", "23.721B", "23.723")
def search_results(dice: Iterable[int], numbers: Iterable[int]) -> dict[int, int]:
    """22.452. Each die that shows the number of an enemy group is one result against it."""
    shown = list(dice)
    return {number: shown.count(number) for number in numbers if number in shown}


@rule("22.41F", "22.452B", "22.45T.7", "23.723B", "23.72T.7")
def disclosure(chart: SearchTable, group: CombatGroup) -> Disclosed:
    """22.452B. What the owner of a found group says, however often it was found (RC-20 counts damaged units here)."""
    return Disclosed(
        group.factors < chart.disclosed_under, group.fast_carriers, is_fast(group), bool(group.cargo) or group.supply
    )


@rule("22.41E", "22.45", "22.451", "22.452")
async def search(table: Table) -> None:
    """22.452. Both sides roll their search dice, the intercepting side first; a side without dice rolls none."""
    for side in table.battle.sides:
        fleet = table.fleet(side)
        chart = table.rules.search
        dice = search_dice(
            chart, table.battle, fleet.groups, squadrons=fleet.searching, codebreaking=fleet.search_advantage
        )
        table.record(SearchCounted(rule="22.451", to=only(side), side=side, dice=dice))
        rolled: tuple[int, ...] = ()
        if dice.total:
            rolled = await Roll(dice.total, "22.451", side, f"{fleet.name} searches")
        table.record(
            Searched(
                rule="22.452",
                to=Audience.EVERYONE,
                side=side,
                count=dice.total,
                public=public_lines(dice),
                dice=rolled,
                results=search_results(rolled, table.fleet(side.enemy).numbers),
            )
        )


def public_lines(dice: Modifiers) -> Modifiers:
    """The lines whose facts everyone knows: searching squadrons, rounds gone by and codebreaking."""
    return Modifiers(tuple(line for line in dice.lines if line.rule in ("22.451A", "22.451B", "22.451C")))


@rule("22.41F", "22.452B")
def disclose(table: Table) -> None:
    """22.41F. The owner of each found group says what he must."""
    for side in table.battle.sides:
        for group in table.fleet(side).groups:
            if group.found:
                table.record(
                    GroupFound(
                        rule="22.452B",
                        to=Audience.EVERYONE,
                        side=side,
                        number=group.number,
                        results=group.found,
                        disclosed=disclosure(table.rules.search, group),
                    )
                )


@rule("22.461B.1", "22.452C")
def first_to_strike(results: dict[Side, int], interceptor: Side) -> Side:
    """22.461B. The side with more search results strikes first; the intercepting side if equal (RC-25)."""
    if results[Side.AXIS] == results[Side.ALLIES]:
        return interceptor
    return Side.AXIS if results[Side.AXIS] > results[Side.ALLIES] else Side.ALLIES
