"""Questions about groups: formation, speed, pairing, second engagements, evasion (22.42, 22.52)."""

from __future__ import annotations

from typing import Any

from flagplot.api.calls import question
from flagplot.api.scripts import is_legal
from flagplot.api.shapes import GroupJson
from flagplot.api.sw_shapes import few
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import plus
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval import combat_groups, search
from flagplot.rules.naval import engagements as rules_of_engagement
from flagplot.rules.naval.battle import reinforcement_form
from flagplot.rules.table import Ruleset


@question
def search_results(*, dice: list[int], numbers: list[int]) -> dict[str, Any]:
    """Which enemy groups the search dice find, and how often (22.452).

    Outside naval combat more than six groups share numbers (23.71A, AN-34): then a die finds one of the sharers, by lot.
    """
    results = search.search_results(dice, numbers)
    hidden = [number for number in numbers if number not in results]
    shared = {str(number): numbers.count(number) for number in results if numbers.count(number) > 1}
    return {"results": results, "hidden": hidden, "total": sum(results.values()), "shared": shared}


@question
def first_to_strike(*, results: dict[Side, int], interceptor: Side) -> dict[str, Any]:
    """Who launches non-surprise air strikes first (22.461B): more search results, the intercepting side if equal."""
    first = search.first_to_strike(results, interceptor)
    return {"first": first, "role": "intercepting player" if first is interceptor else "intercepted player"}


@question
def disclosure(*, rules: Ruleset, group: GroupJson) -> dict[str, Any]:
    """What the owner of a found group must say (22.452B), however often it was found; in 2008 more for each result (22.45),
    and of a group that was not `found` nothing."""
    members = group.group()
    told = rules.disclosure(rules.search, members)
    if told.steps:
        shown_from = rules.search.composition_from
        return {
            "less_than_ten_factors": told.under_ten if members.found else None,
            "carriers": told.fast_carriers if told.steps > 1 else None,
            "composition_revealed": shown_from is not None and members.found >= shown_from,
        }
    return {
        "less_than_ten_factors": told.under_ten,
        "fast_carriers": told.fast_carriers,
        "speed": "fast" if told.fast else "slow",
        "cargo": told.cargo,
        "composition_revealed": False,
    }


@question
def group_speed(*, group: GroupJson) -> dict[str, Any]:
    """Whether a group is fast (22.422), what makes it slow, and whether leaving damaged ships behind would help."""
    members = group.group()
    return {
        "fast": combat_groups.is_fast(members),
        "slow_units": combat_groups.slow_units(members),
        "encumbered": members.encumbered,
        "fast_without_damaged": combat_groups.fast_without_damaged(members),
    }


@question
def carriers_joining(*, carrier_sizes: list[int], fast_fleet_factors: int) -> dict[str, Any]:
    """How many carriers may join a combined group (22.421A): one fast fleet factor for each carrier factor."""
    few(fast_fleet_factors, "fast fleet factors")
    factors = combat_groups.carriers_that_may_join(carrier_sizes, fast_fleet_factors)
    joining = most = 0
    for size in sorted(carrier_sizes):
        if most + size <= factors:
            most += size
            joining += 1
    return {"carrier_factors": factors, "carriers_joining": joining, "others": "return to port"}


@question
def combined_group(*, rules: Ruleset, cargo: GroupJson, other: GroupJson) -> dict[str, Any]:
    """A cargo force strengthened by another group (22.421A): whether it must be divided, and how it could be."""
    fixed = cargo.group()
    helper = other.group()
    whole = CombatGroup(0, fixed.name, (*fixed.ships, *helper.ships), plus(fixed.light, helper.light), fixed.cargo)
    form = combat_groups.splitting_form([whole], {fixed.name: fixed}, rules.most_group_factors)
    return {
        "factors": whole.factors,
        "must_divide": bool(form.items),
        "one_way": form.default,
        "places": [place.key for place in form.places],
    }


@question
def six_groups(*, rules: Ruleset, groups: int, cargo_groups: int = 0, freed: list[int] | None = None) -> dict[str, Any]:
    """The limit of six groups (22.421C): how many fight, who may wait, and the numbers a waiting group may take.

    `freed` are the numbers of groups that were eliminated or withdrew in the first round. Of more than six groups with
    cargo six fight, and the others wait (FP-105).
    """
    most = rules.most_groups
    if cargo_groups > groups:
        raise PlayerError(f"of {groups} groups, {cargo_groups} cannot carry cargo")
    members = [
        GroupJson(0, f"group {n}", supply=n <= cargo_groups, light={"/DD": 1}).group() for n in range(1, groups + 1)
    ]
    form = combat_groups.numbering_form(members, most)
    fighting = [name for name, place in form.default.items() if place != "wait"]
    left = [n for n in range(1, min(groups, most) + 1) if n not in (freed or ())]
    waiting = tuple(member for member in members if member.name not in fighting)
    fleet = Fleet(groups=tuple(CombatGroup(number) for number in left), pending=waiting)
    joining = reinforcement_form(fleet, fleet.pending, 2, most)
    open_numbers = [int(place.key) for place in joining.places if place.key != "wait"]
    may_join = bool(waiting) and is_legal(joining, {waiting[0].name: str(open_numbers[0])}) if open_numbers else False
    laden = [item for item in form.items if "wait" in form.barred(item)]
    return {
        "round1": len(fighting),
        "waiting": len(waiting),
        "cargo_may_wait": len(laden) < cargo_groups,
        "may_join_round2": may_join,
        "numbers": open_numbers if may_join else [],
    }


def _numbers(given: list[int], most: int) -> None:
    """Refuse what cannot be the numbers of one side's groups (22.423A)."""
    for number in given:
        if not 1 <= number <= most:
            raise PlayerError(f"{number} is no number of a combat group (22.423A); give one from 1 to {most}")
        if given.count(number) > 1:
            raise PlayerError(f"two groups of one side cannot both be number {number} (22.423A); give each its own")


@question
def pairs(*, rules: Ruleset, round: int, axis: list[int], allies: list[int]) -> dict[str, Any]:
    """Which active groups pair off (22.521A, B), and which are left unpaired."""
    for numbers in (axis, allies):
        _numbers(numbers, rules.most_groups)
    met = rules_of_engagement.pairs(axis, allies, round)
    return {
        "pairs": [list(pair) for pair in met],
        "unpaired_axis": [n for n in sorted(axis) if n <= round and n not in [a for a, _ in met]],
        "unpaired_allies": [n for n in sorted(allies) if n <= round and n not in [b for _, b in met]],
    }


@question
def second_engagements(*, round: int, side: Side, own: list[GroupJson], enemy: list[GroupJson]) -> dict[str, Any]:
    """Which of a side's groups may seek which enemy group in the second step (22.521D), and how often in all.

    Of own groups say `met` (the number of the active enemy group met, 0 for none) and `victorious`; of enemy groups
    `found` (search results), `spent` (strikes and engagements already made) and `evaded`. `detached_ships` is the rule
    for damaged ships left behind, and what becomes of them (22.524A).
    """
    battle = Battle(
        round=round,
        fleets={
            side: Fleet(groups=tuple(group.group() for group in own)),
            side.enemy: Fleet(groups=tuple(group.group() for group in enemy)),
        },
    )
    options: dict[int, list[int]] = {}
    detaching: dict[int, list[int]] = {}
    targets = [group for group in battle.fleets[side.enemy].groups if rules_of_engagement.may_be_sought(battle, group)]
    for group in battle.fleets[side].groups:
        options[group.number], detaching[group.number] = [], []
        if not rules_of_engagement.may_engage_again(battle, group):
            continue
        form = rules_of_engagement.engagement_form(battle, group, targets)
        for target in targets:
            answer: dict[str, Any] = {"target": f"CG{target.number}"}
            if is_legal(form, answer):
                options[group.number].append(target.number)
                continue
            answer |= {item.key: "detach" for item in form.items if "detach" in item.places}
            if is_legal(form, answer):
                detaching[group.number].append(target.number)
    budget = {g.number: g.found - g.spent for g in targets if not battle.active(g)}
    return {
        "options": options,
        "if_damaged_ships_are_detached": detaching,
        "detached_ships": list(rules_of_engagement.fate_of_damaged_ships(evading=False)),
        "most_engagements_of_distant": budget,
    }


@question
def evasion(*, rules: Ruleset, round: int, group: GroupJson, in_use: list[int]) -> dict[str, Any]:
    """Whether a group may evade fleet combat (22.523), and the number it would take. `in_use`: its side's numbers."""
    member = group.group()
    new_number = rules_of_engagement.evasion_number(member.number, in_use, rules.most_groups)
    if member.number <= round:
        return {"may_evade": False, "new_number": None, "rule": "22.523A", "why": "active groups must fight"}
    form = rules_of_engagement.evasion_form(member, new_number)
    closed = form.barred(form.items[0])
    if "evade" in closed:
        return {"may_evade": False, "new_number": None, "rule": closed["evade"].rule, "why": closed["evade"].why}
    return {
        "may_evade": True,
        "new_number": new_number,
        "must_abandon": [item.key for item in form.items[1:]],
        "abandoned_ships": list(rules_of_engagement.fate_of_damaged_ships(evading=True)),
        "may_be_engaged_again": False,
        "rule": "22.523E",
        "why": "",
    }


@question
def evasions(*, rules: Ruleset, in_use: list[int], order: list[int]) -> dict[str, Any]:
    """The new numbers of groups that evade one after another (22.523E): each frees its own number for the next.

    Null is a group that may not evade: no higher number is free (22.523C). It keeps the one it has.
    """
    _numbers(in_use, rules.most_groups)
    numbers = list(in_use)
    given: dict[int, int | None] = {}
    for number in order:
        if number not in in_use or number in given:
            raise PlayerError(f"{number} in the order is no group that has yet to evade; in use are {in_use}")
        free = rules_of_engagement.evasion_number(number, numbers, rules.most_groups)
        given[number] = free or None
        if free:
            numbers[numbers.index(number)] = free
    return {"new_numbers": given}
