"""22.45 Search: how many dice, what they find, and what the owner of a found group must say."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.core.asks import Roll
from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import GroupFound, SearchCounted, Searched
from flagplot.model.forces import CombatGroup, Disclosed
from flagplot.model.ships import Ship, number_of
from flagplot.model.state import Battle
from flagplot.rules.naval.combat_groups import is_fast
from flagplot.rules.naval.fleet_combat import reveal
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


@rule("22.45T.1", "22.45T.2", "22.45T.3", "22.45T.4")
def search_dice_of_all_groups(
    chart: SearchTable, battle: Battle, groups: Iterable[CombatGroup], *, squadrons: int = 0, codebreaking: int = 0
) -> Modifiers:
    """22.45T. The dice where no group is distant (RC-82): each of ten sound factors or more gives one, to a limit."""
    large = [group for group in groups if group.number and group.undamaged_factors >= chart.active_group_factors]
    counted = min(len(large), chart.most_active_groups)
    dice = Modifiers().plus("22.451A", "groups of ten or more factors", counted * chart.per_active_group)
    dice = dice.plus("22.4422", "searching squadrons", min(squadrons, chart.most_squadrons) * chart.per_squadron)
    dice = dice.plus("22.45", "earlier rounds", (battle.round - 1) * chart.per_round)
    dice = dice.plus("48.51A", "codebreaking", max(-1, min(1, codebreaking)) * chart.codebreaking)
    return dice.at_least(0, "22.45", "never fewer than none")


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


@rule("22.45T.5", "22.45T.6", "22.45T.7", "22.45T.8")
def disclosure_by_steps(chart: SearchTable, group: CombatGroup) -> Disclosed:
    """22.45T. What the owner of a found group says, by the number of results: its size, then how many carriers it has,
    escort carriers among them, and of which kind they are not."""
    under = group.factors < chart.disclosed_under
    if group.found < chart.carriers_from:
        return Disclosed(under, 0, True, False, steps=1)
    return Disclosed(under, group.fast_carriers + number_of(group.light, "CVE"), True, False, steps=2)


@rule("22.41E", "22.45", "22.451", "22.452")
async def search(table: Table) -> None:
    """22.452. Both sides roll their search dice, the intercepting side first; a side without dice rolls none."""
    for side in table.battle.sides:
        fleet = table.fleet(side)
        chart = table.rules.search
        dice = table.rules.search_dice(
            chart, table.battle, fleet.groups, squadrons=fleet.searching, codebreaking=fleet.search_advantage
        )
        table.record(SearchCounted(rule="22.451", to=only(side), side=side, dice=dice))
        rolled: tuple[int, ...] = ()
        if dice.total:
            rolled = await Roll(dice.total, table.rules.number("22.451"), side, f"{fleet.name} searches")
        table.record(
            Searched(
                rule="22.452",
                to=Audience.EVERYONE,
                side=side,
                count=dice.total,
                public=public_lines(chart, dice),
                dice=rolled,
                results=search_results(rolled, table.fleet(side.enemy).numbers),
            )
        )


def public_lines(chart: SearchTable, dice: Modifiers) -> Modifiers:
    """The lines whose facts everyone knows: searching squadrons, rounds gone by and codebreaking."""
    return Modifiers(tuple(line for line in dice.lines if line.rule in chart.public))


@rule("22.41F", "22.452B", "22.45T.8")
def disclose(table: Table) -> None:
    """22.41F. The owner of each found group says what he must, and shows it where results ask for that."""
    shown_from = table.rules.search.composition_from
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
                        disclosed=table.rules.disclosure(table.rules.search, group),
                    )
                )
                if shown_from is not None and group.found >= shown_from:
                    reveal(table, side, group.number, table.rules.number("22.452B"))


@rule("22.461B.1", "22.452C")
def first_to_strike(results: dict[Side, int], interceptor: Side) -> Side:
    """22.461B. The side with more search results strikes first; the intercepting side if equal (RC-25)."""
    if results[Side.AXIS] == results[Side.ALLIES]:
        return interceptor
    return Side.AXIS if results[Side.AXIS] > results[Side.ALLIES] else Side.ALLIES
