"""22.54G Between rounds: groups that fought the same enemy group may be made up anew, and groups may be renumbered.

Both are secret. A side that does either says so, and the enemy no longer knows which ships are where (FP-92).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place, distinct
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import GroupsRecombined, GroupsRenumbered, MarkersHidden
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import light, minus, plus
from flagplot.model.state import Fleet
from flagplot.rules.naval.battle import begin_next_round, join_battle
from flagplot.rules.naval.combat_groups import both, fast_fleet_factors, unit_label
from flagplot.rules.table import Table


@rule("22.54G.3", "22.54G.4", "22.421C.3")
async def regroup_and_reinforce(table: Table) -> None:
    """22.54G. Groups are made up anew, those that waited enter where there is room now, and all are renumbered."""
    await recombine(table)
    await join_battle(table)
    await renumber(table)
    begin_next_round(table)


# -- made up anew ---------------------------------------------------------------------------------


@rule("22.54G.3")
def partners(fleet: Fleet, group: CombatGroup) -> list[CombatGroup]:
    """22.54G. The other groups of a side that fought, this round, an enemy group that this one fought."""
    met = [enemy for own, enemy in fleet.opponents if own == group.number]
    sharing = [own for own, enemy in fleet.opponents if enemy in met and own != group.number]
    return [other for other in fleet.groups if other.number in sharing]


def _carrying(group: CombatGroup, key: str) -> bool:
    return bool(group.cargo) and (light(key).kind == "TR" or light(key).state == "loaded")


@rule("22.54G.3", "22.421A")
def recombining_form(fleet: Fleet, most: int) -> Form:
    """22.54G. Which ships change group. What carries cargo stays where it is (FP-92); a group grows to 25 factors at most,
    and has no more carriers than its fast fleet factors cover, or than it had."""
    items: list[Item] = []
    weights: list[tuple[str, int, int]] = []  # an item's key, its factors, and the carrier factors it covers or needs
    together = {group.number: partners(fleet, group) for group in fleet.groups}
    for group in fleet.groups:
        others = together[group.number]
        if not others:
            continue
        places = tuple(f"CG{number}" for number in (group.number, *(other.number for other in others)))
        for ship in group.ships:
            key = f"CG{group.number}:{ship.id}"
            items.append(Item(key, f"CG{group.number}: {unit_label(group, ship.id)}", 1, places))
            needs = ship.size if ship.is_carrier else -fast_fleet_factors((ship,), {})
            weights.append((key, ship.size, needs))
        for kind, number in group.light.items():
            if not _carrying(group, kind):
                key = f"CG{group.number}:{kind}"
                items.append(Item(key, f"CG{group.number}: {unit_label(group, kind)}", number, places))
                weights.append((key, light(kind).factors, -fast_fleet_factors((), {kind: 1})))
    limits: list[Limit] = []
    for group in fleet.groups:
        if together[group.number]:
            limits += _room(group, weights, most)
    receiving = [group for group in fleet.groups if together[group.number]]
    return Form(
        tuple(items),
        tuple(Place(f"CG{group.number}", f"is in CG{group.number}") for group in receiving),
        tuple(limits),
        default={item.key: item.places[0] for item in items},
    )


def _room(group: CombatGroup, weights: Sequence[tuple[str, int, int]], most: int) -> list[Limit]:
    """What a group may hold, beside what stays in it; one that is beyond a limit need not shrink."""
    name = f"CG{group.number}"
    stays = {key: number for key, number in group.light.items() if _carrying(group, key)}
    fixed = sum(light(key).factors * number for key, number in stays.items())
    covered = fast_fleet_factors((), stays)
    now = sum(ship.size for ship in group.ships if ship.is_carrier) - fast_fleet_factors(group.ships, group.light)
    return [
        AtMost(
            tuple((key, name, factors) for key, factors, _ in weights),
            max(most, group.factors) - fixed,
            "22.421A",
            f"A group holds at most {most} factors.",
        ),
        AtMost(
            tuple((key, name, needs) for key, _, needs in weights if needs),
            max(0, now) + covered,
            "22.421A",
            "Each fast carrier factor needs a fast fleet factor with it.",
        ),
    ]


@rule("22.54G.3", "22.423B")
async def recombine(table: Table) -> None:
    """22.54G. Both sides make up anew the groups that fought the same enemy; nobody is asked where there are none."""
    forms = {side: recombining_form(table.fleet(side), table.rules.most_group_factors) for side in Side}
    if not any(form.items for form in forms.values()):
        return
    question = "Which ships change group? These groups fought the same enemy group."
    answers = await both(table, "22.54G", "recombine", question, forms)
    for side in table.battle.sides:
        fleet = table.fleet(side)
        after = recombined(fleet, answers[side])
        changed = [group for group in after if group not in fleet.groups]
        if not changed:
            continue
        left = [group.number for group in after]
        gone = tuple(number for number in fleet.numbers if number not in left)
        table.record(
            GroupsRecombined(
                rule="22.54G",
                to=only(side),
                side=side,
                groups=tuple(changed),
                gone=gone,
                joined={group.number: givers(fleet, answers[side], group.number) for group in changed},
            )
        )
        numbers = tuple(group.number for group in changed)
        table.record(
            MarkersHidden(rule="22.54G", to=Audience.EVERYONE, side=side, numbers=numbers, gone=gone, renumbered=False)
        )


def givers(fleet: Fleet, answer: Answer, number: int) -> tuple[int, ...]:
    """The other groups that gave ships to one."""
    held = answer.held_by(f"CG{number}")
    return tuple(
        group.number
        for group in fleet.groups
        if group.number != number and any(key.startswith(f"CG{group.number}:") for key in held)
    )


@rule("22.54G.3")
def recombined(fleet: Fleet, answer: Answer) -> list[CombatGroup]:
    """22.54G. The groups as they then are, each by the name it had; one whose last ship has gone over is no more."""
    ships = {f"CG{group.number}:{ship.id}": ship for group in fleet.groups for ship in group.ships}
    after: list[CombatGroup] = []
    for group in fleet.groups:
        held = answer.held_by(f"CG{group.number}")
        moved = [key for key in answer.cells if key.startswith(f"CG{group.number}:")]
        if not held and not moved:
            after.append(group)
            continue
        counts: dict[str, int] = {key: n for key, n in group.light.items() if f"CG{group.number}:{key}" not in moved}
        for key, number in held.items():
            if key not in ships:
                counts = plus(counts, {key.partition(":")[2]: number})
        others = [fleet.group(number) for number in givers(fleet, answer, group.number)]
        made = replace(
            group,
            ships=tuple(ships[key] for key in ships if key in held),
            light=counts,
            inverted=group.inverted or any(other.inverted for other in others),
            origins=tuple(
                dict.fromkeys((*group.origins, *(base for other in others for base in (other.base, *other.origins))))
            ),
            revealed=False,
        )
        same = made.ships == group.ships and not minus(counts, group.light) and not minus(group.light, counts)
        if same:
            after.append(group)
        elif not made.empty:
            after.append(made)
    return after


# -- numbers --------------------------------------------------------------------------------------


@rule("22.54G.4", "22.423A")
def renumbering_form(fleet: Fleet, most: int) -> Form:
    """22.54G. A number from 1 to 6 for every group, each its own; the one it has unless its owner says another."""
    numbers = [str(number) for number in range(1, most + 1)]
    names = [f"CG{group.number}" for group in fleet.groups]
    return Form(
        tuple(
            Item(f"CG{group.number}", f"CG{group.number}, {group.name}: {group.describe()}") for group in fleet.groups
        ),
        tuple(Place(number, f"number {number}") for number in numbers),
        distinct(names, numbers, "22.423A", "No two groups have the same number."),
        default={f"CG{group.number}": str(group.number) for group in fleet.groups},
    )


@rule("22.54G.4", "22.423A")
async def renumber(table: Table) -> None:
    """22.54G. Both sides may renumber their groups. Who changes any number says so, and not which (FP-92)."""
    forms = {side: renumbering_form(table.fleet(side), table.rules.most_groups) for side in Side}
    question = "Which number has each group in the next round?"
    answers = await both(table, "22.54G", "renumber", question, forms)
    for side in table.battle.sides:
        given = new_numbers(table.fleet(side), answers[side])
        if any(old != new for old, new in given.items()):
            table.record(GroupsRenumbered(rule="22.54G", to=only(side), side=side, numbers=given))
            shown = tuple(sorted(given.values()))
            table.record(
                MarkersHidden(rule="22.54G", to=Audience.EVERYONE, side=side, numbers=shown, gone=(), renumbered=True)
            )


def new_numbers(fleet: Fleet, answer: Answer) -> dict[int, int]:
    """The number each group had, and the one it has now."""
    return {group.number: int(answer.place(f"CG{group.number}")) for group in fleet.groups}
