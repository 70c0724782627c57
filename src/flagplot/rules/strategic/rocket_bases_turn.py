"""26.61, 26.62: rocket bases in unit construction: a new one, one moved, an eliminated one back, where their owner says.

Where airbases may lie we do not hold (18.14): the places open to a power are an input, and so is how far rockets fly. A
power of which no places are known puts eliminated bases back where they were.
"""

from __future__ import annotations

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.war import War, faction_of, side_of
from flagplot.model.war_events import RocketBasePlaced, RocketBaseReturned
from flagplot.rules.strategic.rockets import BaseTurn, base_placements, bases_allowed, may_change_theatre
from flagplot.rules.table import Ruleset, Table

WAIT = "wait"
NEW, RETURNING = "new base", "returning base"


@rule("26.61", "26.61A", "26.62C")
async def place_bases(table: Table) -> None:
    """26.61. Each power of the moving side places, moves and puts back rocket bases, as far as research allows."""
    for power in dict.fromkeys((*table.war.rocket_sites, *table.war.lost_bases)):
        if side_of(power) is not table.war.now.side:
            continue
        if power not in table.war.rocket_sites:
            _back_where_it_was(table, power)
            continue
        form = bases_form(table.rules, table.war, power)
        if form.items:
            question = f"Where do the rocket bases of {power} lie?"
            answer = await Decide(table.war.now.side, "26.61", "rocket bases", question, form, power)
            _placed(table, power, answer)


@rule("26.61A", "26.62C")
def bases_of_turn(rules: Ruleset, war: War, power: str) -> BaseTurn:
    """26.61A. How many bases a power may place, move and put back now."""
    mine = war.rocket_bases.get(power, ())
    undamaged = sum(not base.damaged for base in mine)
    allowed = bases_allowed(rules, war.levels(faction_of(power)).rockets)
    return base_placements(allowed, len(mine), undamaged, len(war.lost_bases.get(power, ())))


@rule("26.62C")
def _back_where_it_was(table: Table, power: str) -> None:
    """26.62C. An eliminated base of a power of which no places are known comes back to its old one."""
    if bases_of_turn(table.rules, table.war, power).returned:
        lost = table.war.lost_bases[power][0]
        _returned(table, power, replace(lost, damaged=False), lost.id)


@rule("26.61", "26.61A", "26.61B", "26.62C")
def bases_form(rules: Ruleset, war: War, power: str) -> Form:
    """26.61A. A new base and an eliminated one wait or go to a free place; of those on the map one undamaged one may be moved,
    an Axis one within its theatre."""
    mine, turn = war.rocket_bases.get(power, ()), bases_of_turn(rules, war, power)
    taken = {base.id for base in mine}
    free = [site for site in war.rocket_sites[power] if site.id not in taken]
    items = []
    if turn.placed and free:
        items.append(Item(NEW, "a new rocket base", 1, (WAIT, *(site.id for site in free))))
    moving = {base.id: base for base in mine if not base.damaged}
    if turn.returned:
        moving[RETURNING] = war.lost_bases[power][0]
    for key, base in moving.items():
        open_to = [site.id for site in free if _same_theatre(power, base, site)]
        if open_to:
            label = "an eliminated rocket base" if key == RETURNING else f"the rocket base {base.id}"
            items.append(Item(key, label, 1, (WAIT, *open_to)))
    limits: list[Limit] = [
        AtMost(tuple((item.key, site.id, 1) for item in items), 1, "26.61", f"One rocket base lies at {site.id}.")
        for site in free
    ]
    moved = tuple((key, site.id, 1) for key in moving if key != RETURNING for site in free)
    limits.append(AtMost(moved, 1, "26.61A", "One rocket base is moved in a turn."))
    places = (Place(WAIT, "stays as it is"), *(Place(site.id, site.id) for site in free))
    return Form(tuple(items), places, tuple(limits), rest=WAIT)


@rule("26.61B")
def _same_theatre(power: str, base: RocketBase, site: RocketBase) -> bool:
    """26.61B. Whether a base may go to a place for the theatre's sake."""
    another = "" not in (base.theatre, site.theatre) and base.theatre != site.theatre
    return not another or may_change_theatre(allied=side_of(power) is Side.ALLIES)


def _placed(table: Table, power: str, answer: Answer) -> None:
    """26.61. What the owner said, done: bases are moved before others are placed."""
    sites = {site.id: site for site in table.war.rocket_sites[power]}
    for key in sorted(answer.cells, key=lambda key: key in (NEW, RETURNING)):
        place = answer.place(key)
        if place == WAIT:
            continue
        if key == RETURNING:
            _returned(table, power, sites[place], table.war.lost_bases[power][0].id)
            continue
        table.record(
            RocketBasePlaced(
                rule="26.61A",
                to=Audience.EVERYONE,
                power=power,
                base=sites[place],
                moved_from="" if key == NEW else key,
            )
        )


def _returned(table: Table, power: str, base: RocketBase, eliminated: str) -> None:
    table.record(RocketBaseReturned(rule="26.62C", to=Audience.EVERYONE, power=power, base=base, eliminated=eliminated))
