"""24.4: the unit construction phase of the strategic war: what each power builds, and pays for.

Purses (BRPs, construction and shipbuilding limits) come from the timetable: chapter 27 is not held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.ships import plus
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    BRITAIN,
    INTERCEPTOR,
    STRATEGIC_BOMBER,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    ForcePool,
)
from flagplot.model.war import IN_PORT, RESERVE, Counts, War, faction_of, kind_of, pool_of, power_of, side_of, unit
from flagplot.model.war_events import UnitsBuilt
from flagplot.rules.strategic.force_pools import US_EUROPEAN, US_PACIFIC, cost, may_build
from flagplot.rules.table import Ruleset, Table

BUILD, WAIT = "build", "wait"
AIR = (STRATEGIC_BOMBER, INTERCEPTOR)


class Build(NamedTuple):
    """Units a power may build: who pays, what they are, how many its pool allows."""

    power: str
    name: str
    allowable: int

    @property
    def key(self) -> str:
        """What it is called in the question."""
        return f"{self.power}: {kind_of(self.name) if power_of(self.name) == self.power else self.name}"


@rule("24.4", "24.41", "24.43")
async def build_units(table: Table) -> None:
    """24.41. The moving side builds SW units."""
    war, side = table.war, table.war.now.side
    form = construction_form(table.rules, war)
    if not form.items:
        return
    answer = await Decide(side, "24.41", "SW construction", "Which strategic warfare units do you build?", form)
    chosen = answer.held_by(BUILD)
    for power in dict.fromkeys(build.power for build in builds(table.rules, war)):
        units = {
            build.name: chosen[build.key]
            for build in builds(table.rules, war)
            if build.power == power and build.key in chosen
        }
        if units:
            price = cost(table.rules, by_kind(units))
            table.record(
                UnitsBuilt(
                    rule="24.43",
                    to=Audience.EVERYONE,
                    power=power,
                    places={name: place_of_new(name) for name in units},
                    units=units,
                    brps=price.brps,
                    shipbuilding=price.shipbuilding,
                )
            )


@rule("24.232", "24.43.1")
def by_kind(units: Mapping[str, int]) -> Counts:
    """24.43. Factors by kind, since a kind has one price: American bombers are of two pools, and all of them cost."""
    found: Counts = {}
    for name, number in units.items():
        found = plus(found, {kind_of(name): number})
    return found


def place_of_new(name: str) -> str:
    """Where new units appear: ships in port, air units with the reserve of their power."""
    return RESERVE if kind_of(name) in AIR else IN_PORT


@rule("24.41", "24.42", "24.231", "24.233")
def builds(rules: Ruleset, war: War) -> Iterator[Build]:
    """24.41. What the powers of the moving side may build now."""
    for power in war.purses:
        if side_of(power) is not war.now.side or power == WESTERN_ALLIES:
            continue
        levels = war.levels(faction_of(power))
        buildable = rules.sw_units.buildable[power]
        for kind in (*buildable.free, *buildable.with_research):
            researched = levels.advanced_submarines > 0 if kind == ADVANCED_SUBMARINE else levels.bombers > 0
            if not may_build(rules, power, kind, researched=researched).holds:
                continue
            for name in _names(power, kind):
                pool = war.pools.get(pool_of(name), {}).get(kind, ForcePool())
                if pool.allowable > 0:
                    yield Build(power, name, pool.allowable)


def _names(power: str, kind: str) -> tuple[str, ...]:
    """What units of a power and kind are called: transports are the Western Allies', American bombers of two pools."""
    if kind == TRANSPORT and power in (BRITAIN, UNITED_STATES):
        return (unit(WESTERN_ALLIES, kind),)
    if kind == STRATEGIC_BOMBER and power == UNITED_STATES:
        return (unit(US_EUROPEAN, kind), unit(US_PACIFIC, kind))
    return (unit(power, kind),)


@rule("24.11", "24.22", "24.43")
def construction_form(rules: Ruleset, war: War) -> Form:
    """24.43. What may be built, within the pools and each power's purse."""
    items: list[Item] = []
    limits: list[Limit] = []
    offered = list(builds(rules, war))
    prices = {build.key: cost(rules, {kind_of(build.name): 1}) for build in offered}
    for build in offered:
        purse = war.purses[build.power]
        price = prices[build.key]
        most = min(build.allowable, purse.brps // price.brps, purse.construction // price.brps)
        if price.shipbuilding:
            most = min(most, purse.shipbuilding // price.shipbuilding)
        if most > 0:
            items.append(
                Item(build.key, f"{build.name}, {price.brps} BRPs each, by {build.power}", most, (WAIT, BUILD))
            )
    keys = {item.key for item in items}
    offered = [build for build in offered if build.key in keys]
    for power in dict.fromkeys(build.power for build in offered):
        purse, mine = war.purses[power], [build for build in offered if build.power == power]
        brps = tuple((build.key, BUILD, prices[build.key].brps) for build in mine)
        points = tuple((build.key, BUILD, prices[build.key].shipbuilding) for build in mine)
        limits.append(AtMost(brps, purse.brps, "24.22", f"{power} has {purse.brps} BRPs to spend."))
        limits.append(
            AtMost(brps, purse.construction, "24.22", f"{power} may spend {purse.construction} BRPs on construction.")
        )
        limits.append(
            AtMost(points, purse.shipbuilding, "24.43", f"{power} has {purse.shipbuilding} shipbuilding points.")
        )
    for name in dict.fromkeys(build.name for build in offered):
        shared = [
            build for build in offered if (pool_of(build.name), kind_of(build.name)) == (pool_of(name), kind_of(name))
        ]
        if len(shared) > 1:
            allowable = shared[0].allowable
            why = f"The force pool allows {allowable} more."
            limits.append(AtMost(tuple((build.key, BUILD, 1) for build in shared), allowable, "24.11", why))
    limits += _asw_by_yard(rules, war, offered)
    places = (Place(WAIT, "not built"), Place(BUILD, "built"))
    return Form(tuple(items), places, tuple(limits), rest=WAIT)


@rule("25.22B", "25.22C", "25.22D", "24.54")
def _asw_by_yard(rules: Ruleset, war: War, offered: Sequence[Build]) -> Iterator[Limit]:
    """25.22B. Western Allied ASW listed as one power's starting forces are never built in the other's yards, however often
    they are lost; produced ones are built in either."""
    pool = war.pools.get(WESTERN_ALLIES, {}).get(ASW, ForcePool())
    numbers = {BRITAIN: ("25.22C", UNITED_STATES), UNITED_STATES: ("25.22B", BRITAIN)}
    for build in offered:
        if kind_of(build.name) == ASW and build.power in numbers:
            number, other = numbers[build.power]
            listed = rules.sw_units.starting[other][ASW].size
            afloat = sum(units.get(build.name, 0) for units in war.places.values())
            most = max(0, pool.size - listed - afloat)
            why = f"{listed} ASW of the pool are built in yards of {other} alone: {build.power} may build {most} more."
            yield AtMost(((build.key, BUILD, 1),), most, number, why)
