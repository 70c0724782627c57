"""Questions about combat groups through a battle: how forces form them, their status, what search results buy against
them, and what may change between rounds (22.42, 22.452C, 22.411)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from flagplot.api.calls import Decision, question
from flagplot.api.scripts import is_legal, run_script
from flagplot.api.shapes import GroupJson
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.forms import Form, Item
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.strikes import may_be_struck
from flagplot.rules.naval import combat_groups
from flagplot.rules.naval import engagements as rules_of_engagement
from flagplot.rules.naval.recombining import partners
from flagplot.rules.table import Ruleset, Table

# -- formation ----------------------------------------------------------------------------------


class SailingForce(GroupJson, forbid_unknown_fields=True, kw_only=True):
    """Ships as they come to the battle: a task force, or ships outside one, and the round in which they arrive."""

    task_force: bool = True
    arrives: int = 1

    def force(self, index: int) -> Force:
        """The force as the rules have it."""
        made = self.group()
        return Force(
            self.name or f"force {index}",
            made.ships,
            made.light,
            made.cargo,
            made.supply,
            self.task_force,
            made.mission,
            made.base,
            self.arrives,
            made.unladen,
        )


@question
def formation(
    *, rules: Ruleset, forces: list[SailingForce], strengthen: dict[str, str] | None = None
) -> dict[str, Any]:
    """The combat groups that forces form before the first round (22.421): who is one by himself, who combines, who waits.

    `strengthen` names for a group with cargo the group without that joins it. Groups made by combining that are too large,
    or have too many carriers, are divided in one of the ways there are (FP-01). `arrives` above 1: pending until then.
    """
    sailing = [force.force(index) for index, force in enumerate(forces, start=1)]
    names = [force.name for force in sailing]
    if len(set(names)) < len(names):
        raise PlayerError("two forces have the same name; give each its own")
    groups = combat_groups.form_groups(sailing)
    form = combat_groups.strengthening_form(groups, 1)
    joining = form.read(strengthen or {}, "22.421A")
    groups, fixed = combat_groups.strengthened(groups, joining, rules.most_group_factors)
    made_up = combat_groups.made_up(groups, fixed, sailing)
    split = combat_groups.splitting_form(made_up, fixed, rules.most_group_factors)
    groups, home = combat_groups.divided(groups, split.read(split.default, "22.421A"))
    present = [group for group in groups if group.arrives <= 1]
    return {
        "groups": [_told(group) for group in groups],
        "present": len(present),
        "fight_in_round1": min(len(present), rules.most_groups),
        "may_strengthen": {item.key: [place.key for place in form.places[1:]] for item in form.items},
        "divided": bool(split.items),
        "to_port": [ship.id for group in home for ship in group.ships],
    }


def _told(group: CombatGroup) -> dict[str, Any]:
    return {
        "name": group.name,
        "factors": group.factors,
        "ships": [ship.id for ship in group.ships],
        "light": group.light,
        "cargo": group.encumbered,
        "speed": "fast" if combat_groups.is_fast(group) else "slow",
        "arrives": group.arrives,
    }


# -- status, and what results buy -----------------------------------------------------------------


@question
def group_status(*, rules: Ruleset, round: int, groups: list[GroupJson]) -> dict[str, Any]:
    """The status of groups in a round (22.425): active, distant or pending, and what each may do.

    A group that has not joined has `number` 0. `search_dice` is what it adds to its side's search (22.428).
    """
    battle = Battle(round=round)
    told = []
    for each in groups:
        group = each.group()
        alone = rules.search_dice(rules.search, Battle(round=1), [_as_of(group, battle)])
        active = bool(group.number) and battle.active(group)
        told.append(
            {
                "number": group.number,
                "status": "active" if active else "distant" if group.number else "pending",
                "search_dice": alone.total,
                "may_initiate_fleet_combat": active,
                "may_be_attacked": bool(group.number),
                "speed": "fast" if combat_groups.is_fast(group) else "slow",
            }
        )
    return {"groups": told}


def _as_of(group: CombatGroup, battle: Battle) -> CombatGroup:
    """A group under a number that gives it in a first round the status it has in this one: no earlier round counts."""
    return replace(group, number=1 if battle.active(group) else 2) if group.number else group


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Attacks on one group in a round."""

    air_strikes: int = 0
    engagements: int = 0
    submarine_attacks: int = 0


@question
def attacks_on_found(*, results: int, active: bool = False, plans: list[Plan]) -> dict[str, Any]:
    """Which ways to attack one group with so many search results on it are allowed (22.452C), each `plan` by itself.

    Engagements are fleet combats begun against it in the second step (22.521D) by fast active groups.
    """
    found = CombatGroup(1 if active else 2, found=results)
    legal, why = [], []
    for plan in plans:
        refusal = _refusal(Battle(round=1), found, plan)
        legal.append(not refusal)
        why.append(refusal)
    return {"legal": legal, "why": why}


def _refusal(battle: Battle, group: CombatGroup, plan: Plan) -> str:
    for _ in range(plan.air_strikes):
        if not may_be_struck(group):
            return "22.462B: one air strike for each search result"
        group = replace(group, spent=group.spent + 1)
    for _ in range(plan.engagements):
        if not rules_of_engagement.may_be_sought(battle, group):
            return "22.522B: one attack on a distant group for each search result"
        group = replace(group, spent=group.spent + (not battle.active(group)))
    if plan.submarine_attacks and not group.found and not (battle.active(group) and plan.engagements):
        return "22.93B: submarines attack groups that were found, or that have fought"
    return ""


# -- between rounds ---------------------------------------------------------------------------------


@question
def between_rounds(
    *,
    rules: Ruleset,
    decisions: list[Decision],
    groups: list[GroupJson],
    waiting: list[GroupJson] | None = None,
    fought: list[tuple[int, int]] | None = None,
    round: int = 1,
) -> dict[str, Any]:
    """What may change between two rounds (22.411B; in 2008 also 22.54G): who joins, merges, takes another number.

    The groups are the Axis's; `waiting` ones wait for room; `fought` are pairs of an own group and an enemy one that fought
    in the round before. Decisions are ["axis", kind, answer]; kinds are reinforce, and in 2008 recombine and renumber.
    """
    pending = tuple(
        replace(each.group(), number=0, name=each.name or f"waiting {n}") for n, each in enumerate(waiting or (), 1)
    )
    mine = Fleet("Axis", groups=tuple(each.group() for each in groups), pending=pending, opponents=tuple(fought or ()))
    fleets = {Side.AXIS: mine, Side.ALLIES: Fleet("Allies", groups=(CombatGroup(1, light={"/DD": 1}),))}
    table = Table(rules, Battle(round=round, fleets=fleets))
    asked: list[Decide] = []
    run_script(_between(table), [], decisions, asked)
    forms = {each.kind: each.form for each in asked if each.side is Side.AXIS}
    after = table.fleet(Side.AXIS)
    may_merge = [
        sorted((group.number, other.number))
        for group in mine.groups
        for other in partners(mine, group)
        if "recombine" in forms and group.number < other.number
    ]
    joining = forms.get("reinforce", Form((), ()))
    return {
        "may_merge": may_merge,
        "may_join": [item.key for item in joining.items if _has_room(joining, item)],
        "may_renumber": "renumber" in forms,
        "room": max(0, rules.most_groups - len(mine.groups)),
        "groups": [{"number": group.number, "name": group.name, "factors": group.factors} for group in after.groups],
        "waiting": [group.name for group in after.pending],
    }


def _has_room(joining: Form, item: Item) -> bool:
    """Whether a group that waits may have any number."""
    numbers = [place for place in joining.places_for(item) if place != "wait"]
    return any(is_legal(joining, {item.key: number}) for number in numbers)


async def _between(table: Table) -> None:
    await table.rules.between_rounds(table)
