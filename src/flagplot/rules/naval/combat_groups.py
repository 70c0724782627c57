"""22.42 Combat groups: how forces form them, how fast they are, and the numbers they are given.

All questions of formation are put to both sides at once and always, whether or not a side has anything to decide:
that an enemy was asked about cargo must tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Both, Decide
from flagplot.core.forms import Answer, AtLeast, AtMost, Form, Item, Limit, Place, Wire, barred, distinct
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import GroupsFormed, MarkersPlaced
from flagplot.model.forces import CombatGroup, Force, combined
from flagplot.model.ships import KIND_NAMES, SLOW_KINDS, Counts, Ship, light, minus, plus
from flagplot.rules.table import Table

ON_PASSAGE = ("submarine attack", "air attack")  # kinds of attack outside naval combat
SMALL_FORCE = 10  # factors; a smaller force on passage is one group
FILLED = 21  # FP-01: a full group lacks less than the largest ship
OF_CARGO_FORCE = " of the cargo force"  # marks light ships that may not leave it

# -- what a group is ------------------------------------------------------------------------


@rule("22.422", "22.427.2")
def is_fast(group: CombatGroup) -> bool:
    """22.422. A group is fast unless it holds a slow or damaged ship, carries cargo, or guards sea supply (RC-28)."""
    return not group.encumbered and not slow_units(group)


@rule("22.422A")
def slow_units(group: CombatGroup) -> list[str]:
    """22.422A. The ids and light keys that make a group slow: slow ships, damaged ones, CVEs and transports."""
    slow = [ship.id for ship in group.ships if not ship.fast or ship.damaged]
    return slow + [key for key in group.light if light(key).kind in SLOW_KINDS or light(key).state == "damaged"]


def damaged_units(group: CombatGroup) -> tuple[tuple[Ship, ...], dict[str, int]]:
    """The damaged ships of a group."""
    ships = tuple(ship for ship in group.ships if ship.damaged)
    return ships, {key: number for key, number in group.light.items() if light(key).state == "damaged"}


@rule("22.524")
def fast_without_damaged(group: CombatGroup) -> bool:
    """22.524. Whether a group would be fast if it left its damaged ships behind."""
    ships, counts = damaged_units(group)
    left = replace(
        group, ships=tuple(ship for ship in group.ships if ship not in ships), light=minus(group.light, counts)
    )
    return left.afloat and is_fast(left)


@rule("22.422", "22.421A.4.2.1")
def fast_fleet_factors(ships: Iterable[Ship], counts: Counts) -> int:
    """22.421A. Factors of fast surface warships that are no carriers."""
    named = sum(ship.size for ship in ships if ship.is_capital and ship.fast and not ship.damaged)
    return named + sum(
        light(key).factors * number
        for key, number in counts.items()
        if light(key).kind in ("CA", "DD") and light(key).state != "damaged"
    )


@rule("22.421A.4.2")
def carriers_that_may_join(carrier_sizes: Sequence[int], fast_factors: int) -> int:
    """22.421A. The most carrier factors that fast fleet factors can cover, by whole carriers."""
    return sum(carrier_sizes[index] for index in _covered(carrier_sizes, fast_factors))


def _covered(sizes: Sequence[int], fast_factors: int) -> tuple[int, ...]:
    """Which carriers make up those factors."""
    choices: dict[int, tuple[int, ...]] = {0: ()}
    for index, size in enumerate(sizes):
        for total, chosen in list(choices.items()):
            if total + size <= fast_factors:
                choices.setdefault(total + size, (*chosen, index))
    return choices[max(choices)]


# -- forming groups --------------------------------------------------------------------------------


@rule("22.421A.1", "22.421A.2", "22.421B", "22.41A")
def form_groups(forces: Sequence[Force]) -> list[CombatGroup]:
    """22.421. The groups that forces make before any of them combine.

    Each task force is one; ships outside task forces that arrive together are one, with cargo and without (AM-24).
    """
    groups = [_group(force.name, [force]) for force in forces if force.task_force]
    loose = [force for force in forces if not force.task_force]
    for arrives in sorted({force.arrives for force in loose}):
        for encumbered in (False, True):
            members = [force for force in loose if (force.arrives, force.encumbered) == (arrives, encumbered)]
            if members:
                groups.append(_group(" and ".join(force.name for force in members), members))
    return groups


def _group(name: str, forces: Sequence[Force]) -> CombatGroup:
    counts: dict[str, int] = {}
    for force in forces:
        counts = plus(counts, force.light)
    first = forces[0]
    return CombatGroup(
        max(force.number for force in forces),
        name,
        tuple(ship for force in forces for ship in force.ships),
        counts,
        tuple(cargo for force in forces for cargo in force.cargo),
        any(force.supply for force in forces),
        first.mission,
        first.base,
        first.arrives,
        any(force.unladen for force in forces),
        any(force.inverted for force in forces),
        tuple(dict.fromkeys(force.base for force in forces[1:])),
        first.task_force,
    )


@rule("22.421A.4")
def made_up(
    groups: Sequence[CombatGroup], fixed: Mapping[str, CombatGroup], forces: Sequence[Force]
) -> list[CombatGroup]:
    """22.421A. The groups that were made by combining, which are limited in size: cargo forces that were strengthened, and
    those of several forces outside task forces (AM-04)."""
    alone = [force.name for force in forces]
    of_several = [group.name for group in form_groups(forces) if group.name not in alone]
    return [group for group in groups if group.name in (*fixed, *of_several)]


@rule("22.421A.3")
def strengthening_form(groups: Sequence[CombatGroup], round: int) -> Form:
    """22.421A. Which cargo group takes in which unencumbered one; only before the first round, and before numbers."""
    present = [group for group in groups if group.arrives <= round and not group.number]
    cargo = [group for group in present if group.encumbered and round == 1]
    helpers = [group for group in present if not group.encumbered and cargo]
    places = (Place("alone", "sails alone"), *(Place(group.name, f"joined by {group.name}") for group in helpers))
    limits = distinct(
        [group.name for group in cargo],
        [group.name for group in helpers],
        "22.421A",
        "A group can strengthen one cargo force only.",
    )
    items = tuple(Item(group.name, f"{group.name}: {group.describe()}") for group in cargo)
    return Form(items, places, limits, rest="alone")


@rule("22.421A.3")
def strengthened(
    groups: Sequence[CombatGroup], answer: Answer, most: int
) -> tuple[list[CombatGroup], dict[str, CombatGroup]]:
    """22.421A. The groups after combining, and for each that combined the part that may not be moved out of it.

    Cargo forces that together are too large for one group keep only the ships that carry something.
    """
    by_name = {group.name: group for group in groups}
    joined: dict[str, CombatGroup] = {}
    fixed: dict[str, CombatGroup] = {}
    absorbed: list[str] = []
    for name in answer.cells:
        helper = by_name.get(answer.place(name))
        if helper is not None:
            cargo = by_name[name]
            fixed[name] = cargo if cargo.factors <= most else replace(cargo, ships=(), light={})
            absorbed.append(helper.name)
            joined[name] = replace(combined(cargo, helper), name=name)
    return [joined.get(group.name, group) for group in groups if group.name not in absorbed], fixed


@rule("22.421A.4")
def splitting_form(combined: Sequence[CombatGroup], fixed: Mapping[str, CombatGroup], most: int) -> Form:
    """22.421A. Where the ships of combined groups go when they are too many, or have too many carriers (AM-04, FP-01).

    Places are "GROUP #1", "GROUP #2" and so on, and "port" for surplus carriers.
    """
    items: list[Item] = []
    places: list[Place] = []
    limits: list[Limit] = []
    default: dict[str, Wire] = {}
    for group in combined:
        if _must_divide(group, most):
            _split_one(group, fixed.get(group.name), most, items, places, limits, default)
    if items:
        places.append(Place("port", "returns to port"))
    return Form(tuple(items), tuple(places), tuple(limits), default=default)


def _split_one(
    group: CombatGroup,
    fixed: CombatGroup | None,
    most: int,
    items: list[Item],
    places: list[Place],
    limits: list[Limit],
    default: dict[str, Wire],
) -> None:
    """Add to the form what one group that must be divided needs."""
    count = -(-group.factors // most)
    parts = _part_names(group, count)
    told = _default_split(_units(group, fixed, parts), parts, most)
    while told is None:  # ships do not divide, so now and then one group more is needed than the sum suggests
        count += 1
        parts = _part_names(group, count)
        told = _default_split(_units(group, fixed, parts), parts, most)
    units = _units(group, fixed, parts)
    places.extend(Place(part, part) for part in parts)
    items.extend(unit.item for unit in units)
    default.update(told)
    for part, room in _room(units, parts, most).items():
        cells = tuple((unit.item.key, part, unit.factors) for unit in units)
        limits.append(AtMost(cells, room, "22.421A", f"A combined group holds at most {room} factors."))
        cover = tuple((unit.item.key, part, -unit.cover) for unit in units if unit.cover)
        limits.append(AtMost(cover, 0, "22.421A", "Each fast carrier factor needs a fast fleet factor with it."))
    first = tuple((unit.item.key, parts[0], unit.factors) for unit in units)
    others = sum(unit.factors * unit.item.amount for unit in units if unit.cover >= 0)
    why = f"Only the surplus over {most} factors forms another group."
    limits.append(AtLeast(first, min(FILLED, others), "22.421A", why))
    carriers = tuple((unit.item.key, "port", unit.factors) for unit in units if unit.cover < 0)
    surplus = sum(weight for key, _, weight in carriers if "port" in told[key])
    limits.append(AtMost(carriers, surplus, "22.421A", "Only surplus carriers return to port."))


def _must_divide(group: CombatGroup, most: int) -> bool:
    carriers = sum(ship.size for ship in group.ships if ship.is_carrier)
    return group.factors > most or carriers > fast_fleet_factors(group.ships, group.light)


def _part_names(group: CombatGroup, count: int) -> tuple[str, ...]:
    return tuple(f"{group.name} #{index}" for index in range(1, count + 1))


class _Unit(NamedTuple):
    """An item of a splitting form: naval factors of one, and fast fleet factors it gives (a carrier takes some)."""

    item: Item
    factors: int
    cover: int


def _units(group: CombatGroup, fixed: CombatGroup | None, parts: tuple[str, ...]) -> list[_Unit]:
    """What can be moved where. Ships with cargo stay with it, and so does the rest of a cargo force (22.427)."""
    stay = [ship.id for ship in fixed.ships] if fixed else []
    fixed_light: Counts = fixed.light if fixed else {}
    carrying = {key: n for key, n in group.light.items() if light(key).kind == "TR" or light(key).state == "loaded"}
    units: list[_Unit] = []
    for ship in group.ships:
        choice = parts[:1] if ship.id in stay else parts
        if ship.is_carrier:
            choice = (*choice, "port")
        cover = -ship.size if ship.is_carrier else fast_fleet_factors((ship,), {})
        units.append(_Unit(Item(ship.id, ship.name, 1, choice), ship.size, cover))
    for key, number in group.light.items():
        kept = min(number, max(fixed_light.get(key, 0), carrying.get(key, 0)))
        for mark, amount, choice in ((OF_CARGO_FORCE, kept, parts[:1]), ("", number - kept, parts)):
            if amount:
                cover = fast_fleet_factors((), {key: 1})
                item = Item(f"{group.name}: {key}{mark}", f"{unit_label(group, key)}{mark}", amount, choice)
                units.append(_Unit(item, light(key).factors, cover))
    return units


def _room(units: Sequence[_Unit], parts: Sequence[str], most: int) -> dict[str, int]:
    """The factors each part may hold: no more than a group may, but the first all that may not leave it (FP-01)."""
    held = sum(unit.factors * unit.item.amount for unit in units if unit.item.places == (parts[0],))
    return {**dict.fromkeys(parts, most), parts[0]: max(most, held)}


def _default_split(units: Sequence[_Unit], parts: Sequence[str], most: int) -> dict[str, Wire] | None:
    """What must stay, then the largest ships first, then carriers where they are covered, else to port.

    None if they do not all fit.
    """
    room = _room(units, parts, most)
    cover = dict.fromkeys(parts, 0)
    told: dict[str, dict[str, int]] = {unit.item.key: {} for unit in units}
    carriers = [unit for unit in units if unit.cover < 0]
    fast = sum(unit.cover * unit.item.amount for unit in units if unit.cover > 0)
    stay = [carriers[index] for index in _covered([unit.factors for unit in carriers], fast)]
    for unit in sorted(units, key=lambda u: (u.cover < 0, len(u.item.places) > 1, -u.factors)):
        item, factors, gives = unit
        for _ in range(item.amount):
            for part in item.places:
                if part == "port" or (gives < 0 and unit not in stay):
                    part = "port"
                    break
                if room[part] >= factors and cover[part] + gives >= 0:
                    room[part] -= factors
                    cover[part] += gives
                    break
            else:
                return None
            told[item.key][part] = told[item.key].get(part, 0) + 1
    return dict(told)


@rule("22.421A.4")
def divided(groups: Sequence[CombatGroup], answer: Answer) -> tuple[list[CombatGroup], list[CombatGroup]]:
    """22.421A. The groups after those too large were divided, and the carriers sent to port."""
    result: list[CombatGroup] = []
    home: list[CombatGroup] = []
    for group in groups:
        units = [ship.id for ship in group.ships] + [f"{group.name}: {key}" for key in group.light]
        if not any(unit in answer.cells or unit + OF_CARGO_FORCE in answer.cells for unit in units):
            result.append(group)
            continue
        if group.supply and not answer.held_by(f"{group.name} #1"):
            result.append(replace(group, ships=(), light={}))  # all its carriers went home, the line is bare
        index = 1
        while held := answer.held_by(f"{group.name} #{index}"):
            name = group.name if index == 1 else f"{group.name} #{index}"
            part = replace(group, name=name, ships=_ships_in(group, held), light=_light_in(group, held))
            result.append(part if index == 1 else replace(part, number=0, cargo=(), supply=False, unladen=False))
            index += 1
        port = _ships_in(group, answer.held_by("port"))
        if port:
            name = f"{group.name}, surplus carriers"
            home.append(replace(group, number=0, name=name, ships=port, light={}, cargo=(), supply=False))
    return result, home


def _ships_in(group: CombatGroup, held: Mapping[str, int]) -> tuple[Ship, ...]:
    return tuple(ship for ship in group.ships if ship.id in held)


def _light_in(group: CombatGroup, held: Mapping[str, int]) -> dict[str, int]:
    counts = {}
    for key in group.light:
        item = f"{group.name}: {key}"
        counts[key] = held.get(item, 0) + held.get(item + OF_CARGO_FORCE, 0)
    return {key: number for key, number in counts.items() if number}


# -- numbers -------------------------------------------------------------------------------------------------


@rule("22.421C", "22.423A", "22.424", "23.721A")
def numbering_form(groups: Sequence[CombatGroup], most: int) -> Form:
    """22.423. A different number from 1 to 6 for every group; those over six wait, but one with cargo only if more than six
    have some (FP-105)."""
    numbers = [str(number) for number in range(1, most + 1)]
    waiting = max(0, len(groups) - most)
    laden = [group.name for group in groups if group.encumbered]
    surplus = max(0, len(laden) - most)
    limits: list[Limit] = list(
        distinct([group.name for group in groups], numbers, "22.423A", "No two groups have the same number.")
    )
    for group in groups:
        if group.number:
            limits.extend(
                barred(group.name, number, "22.424", f"This group already has number {group.number}.")
                for number in (*numbers, "wait")
                if number != str(group.number)
            )
        elif group.encumbered and not surplus:
            limits.append(barred(group.name, "wait", "22.421C", "A group with cargo must take part."))
    if surplus:
        why = f"Of the groups with cargo {most} must take part."
        limits.append(AtMost(tuple((name, "wait", 1) for name in laden), surplus, "22.421C", why))
    cells = tuple((group.name, "wait", 1) for group in groups)
    why = f"At most {most} groups fight; the others wait, and only those."
    limits += [AtMost(cells, waiting, "22.421C", why), AtLeast(cells, waiting, "22.421C", why)]
    places = (*(Place(number, f"number {number}") for number in numbers), Place("wait", "waits at the edge"))
    items = tuple(Item(group.name, f"{group.name}: {group.describe()}") for group in groups)
    return Form(items, places, tuple(limits), default=_default_numbers(groups, numbers))


def _default_numbers(groups: Sequence[CombatGroup], numbers: Sequence[str]) -> dict[str, str]:
    """Numbers in order; those that already have one keep it, those that must take part come first."""
    told = {group.name: str(group.number) for group in groups if group.number}
    free = [number for number in numbers if number not in told.values()]
    for group in sorted(groups, key=lambda group: not group.encumbered):
        if group.name not in told:
            told[group.name] = free.pop(0) if free else "wait"
    return told


@rule("22.41A", "22.421", "22.423", "22.425", "22.426", "22.427")
async def form_combat_groups(table: Table) -> None:
    """22.421. Both sides secretly form and number their combat groups; only the numbers are shown (22.423B)."""
    battle, most = table.battle, table.rules.most_group_factors
    formed = {side: _first_groups(battle.kind, table.fleet(side).forces) for side in battle.sides}
    joining = await both(
        table,
        "22.421A",
        "strengthen",
        "Which cargo forces are strengthened by another group?",
        {side: strengthening_form(formed[side], battle.round) for side in battle.sides},
    )
    fixed: dict[Side, dict[str, CombatGroup]] = {}
    splits: dict[Side, Form] = {}
    for side in battle.sides:
        formed[side], fixed[side] = strengthened(formed[side], joining[side], most)
        splits[side] = splitting_form(made_up(formed[side], fixed[side], table.fleet(side).forces), fixed[side], most)
    split = await both(table, "22.421A", "split", "How are groups that are too large divided?", splits)
    home: dict[Side, list[CombatGroup]] = {}
    for side in battle.sides:
        formed[side], home[side] = divided(formed[side], split[side])
    present = {side: [g for g in formed[side] if g.arrives <= battle.round] for side in battle.sides}
    numbers = await both(
        table,
        table.rules.number("22.423"),
        "number",
        "Number your combat groups.",
        {side: numbering_form(present[side], _most_groups(table, present[side])) for side in battle.sides},
    )
    for side in battle.sides:
        given = {name: numbers[side].place(name) for name in numbers[side].cells}
        fighting = tuple(replace(g, number=int(given[g.name])) for g in present[side] if given[g.name] != "wait")
        pending = tuple(g for g in formed[side] if given.get(g.name, "wait") == "wait")
        table.record(
            GroupsFormed(
                rule="22.423A", to=only(side), side=side, groups=fighting, pending=pending, home=tuple(home[side])
            )
        )
        shown = tuple(sorted(group.number for group in fighting))
        table.record(MarkersPlaced(rule="22.423B", to=Audience.EVERYONE, side=side, numbers=shown))


@rule("22.93A", "23.71A")
def _most_groups(table: Table, groups: Sequence[CombatGroup]) -> int:
    """22.93A. Outside naval combat a force may form as many groups as it likes."""
    most = table.rules.most_groups
    return max(most, len(groups)) if table.battle.kind in ON_PASSAGE else most


@rule("23.721A.2", "23.71A")
def _first_groups(kind: str, forces: Sequence[Force]) -> list[CombatGroup]:
    """23.721A. The groups before any combine. Attacked by aircraft on passage, less than ten factors are one group."""
    if kind == "air attack" and forces and sum(force.factors for force in forces) < SMALL_FORCE:
        return [_group(" and ".join(force.name for force in forces), forces)]
    return form_groups(forces)


async def both(table: Table, number: str, kind: str, question: str, forms: Mapping[Side, Form]) -> dict[Side, Answer]:
    """22.42. One question put to both sides at once, answered in secret and opened together."""
    one, two = (Decide(side, number, kind, question, forms[side]) for side in table.battle.sides)
    return await Both(one, two)


def unit_label(group: CombatGroup, unit: str) -> str:
    """A ship or light key of a group in words."""
    if "/" in unit:
        return light_label(unit)
    ship = group.ship(unit)
    return f"{ship.name}{' (damaged)' if ship.damaged else ''} ({ship.kind}{ship.size})"


@cache
def light_label(key: str) -> str:
    """A light key in words."""
    nation, kind, state = light(key)
    return f"{nation} {KIND_NAMES[kind]}" + (f", {state}" if state else "")
