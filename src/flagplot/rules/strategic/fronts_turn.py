"""24.51, 26.2: strategic bombers and interceptors: new ones to a front at once, all between fronts in redeployment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.strategic_bombing import Placement, Unit
from flagplot.model.strategic_war import INTERCEPTOR, STRATEGIC_BOMBER
from flagplot.model.war import RESERVE, War, faction_of, kind_of, power_of, side_of
from flagplot.model.war_events import Move, UnitsMoved
from flagplot.rules.strategic.bombing_flights import uses_chinese_bases
from flagplot.rules.strategic.bombing_forces import fronts, may_be_placed, may_change_front
from flagplot.rules.strategic.force_pools import US_PACIFIC
from flagplot.rules.table import Ruleset, Table

KIND_OF = {STRATEGIC_BOMBER: Unit.BOMBER, INTERCEPTOR: Unit.INTERCEPTOR}
THEATRES = ("Europe", "Pacific")


class Wing(NamedTuple):
    """Bombers or interceptors of one power in one place."""

    name: str
    place: str
    number: int

    @property
    def key(self) -> str:
        """What it is called in the question."""
        return f"{self.name}, {self.place}"


def every_front(rules: Ruleset) -> list[str]:
    """The fronts of both theatres."""
    return [front for theatre in THEATRES for front in fronts(rules, theatre)]


def wings(war: War) -> Iterator[Wing]:
    """The moving side's bombers and interceptors, wherever they are."""
    for place, units in war.places.items():
        for name, number in units.items():
            if kind_of(name) in KIND_OF and side_of(power_of(name).split(",")[0]) is war.now.side:
                yield Wing(name, place, number)


@rule("24.51", "26.21", "26.22", "26.23")
async def change_fronts(table: Table, phase: str) -> None:
    """26.21. Bombers and interceptors go where their owner wants them, used or not; in unit construction new ones."""
    war = table.war
    form = fronts_form(table.rules, war, phase)
    if not form.items:
        return
    number, kind = ("26.21", "air redeployment") if phase == "redeployment" else ("26.22", "air placement")
    answer = await Decide(war.now.side, number, kind, "Where do your bombers and interceptors serve?", form)
    moves = [
        Move(wing.name, going, wing.place, end)
        for wing in wings(war)
        for end in every_front(table.rules)  # not in the order of the answer
        if end != wing.place and (going := answer.amount(wing.key, end))
    ]
    if moves:
        table.record(
            UnitsMoved(rule=number, to=Audience.EVERYONE, side=war.now.side, moves=tuple(moves), idle=war.idle)
        )


@rule("26.21", "26.22", "26.23", "24.53")
def fronts_form(rules: Ruleset, war: War, phase: str) -> Form:
    """26.22. Each wing stays or goes to a front it may serve on; in unit construction those in reserve."""
    items: list[Item] = []
    every = every_front(rules)
    for wing in wings(war):
        if wing.place != RESERVE and not may_change_front(KIND_OF[kind_of(wing.name)], phase).holds:
            continue
        open_to = [
            wing.place,
            *(front for front in every if front != wing.place and _serves(rules, war, wing, front, phase)),
        ]
        if len(open_to) > 1:
            where = wing.place if wing.place not in every else f"{wing.place} front"
            items.append(Item(wing.key, f"{wing.name}, {where}", wing.number, tuple(open_to)))
    used = dict.fromkeys(place for item in items for place in item.places)
    return Form(tuple(items), tuple(Place(place, place) for place in used))


@rule("26.22", "26.23A", "26.23B", "24.53", "24.232", "26.31.4")
def _serves(rules: Ruleset, war: War, wing: Wing, front: str, phase: str) -> bool:
    """26.22. Whether a wing may be on a front: its faction has an operational air base there, and nothing bars it. American
    wings that are not new may go to a front where Nationalist China has one (26.31)."""
    power = power_of(wing.name)
    theatre = next(theatre for theatre in THEATRES if front in fronts(rules, theatre))
    built_in = "Pacific" if power == US_PACIFIC else "Europe" if "," in power else theatre
    nation = power.split(",")[0]
    holders = war.air_bases.get(front, ())
    chinese = phase == "redeployment" and uses_chinese_bases(nation, holders)
    at_war = war.politics.germany_us_war if theatre == "Europe" else war.politics.japan_us_war
    placement = Placement(
        KIND_OF[kind_of(wing.name)],
        nation,
        theatre,
        front,
        built_in,
        chinese or any(faction_of(holder) == faction_of(nation) for holder in holders),
        at_war,
    )
    return may_be_placed(rules, placement).holds
