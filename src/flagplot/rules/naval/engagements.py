"""22.52 Rules of engagement: which groups meet, which may seek a second fight, and who may evade.

Segment H has four steps, each a boundary, as is each engagement: pair, first (the pairs fight), declare, second (the
declared engagements are fought).
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place, barred
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.events import (
    Detached,
    EngagementAccepted,
    EngagementDeclared,
    EngagementForgone,
    EngagementLapsed,
    Evaded,
    Paired,
    SecondRoundOpened,
    SegmentBegan,
    StepBegan,
)
from flagplot.model.forces import CombatGroup, Engagement
from flagplot.model.ships import as_seen
from flagplot.model.state import Battle
from flagplot.rules.naval.combat_groups import damaged_units, fast_without_damaged, is_fast, unit_label
from flagplot.rules.naval.fleet_combat import engage, reveal
from flagplot.rules.table import Table


@rule("22.41H", "22.51", "22.521")
async def fleet_combat_segment(table: Table) -> None:
    """22.521. One step of segment H, from state alone: pair, fight, declare, fight."""
    battle = table.battle
    if battle.step == "pair":
        pair_off(table)
    elif battle.step == "declare":
        await declare_second_engagements(table)
        _begin(table, "second")
    elif battle.engagements:
        await fight_next(table)
    elif battle.step == "first":
        open_second_round(table)
        _begin(table, "declare")
    else:
        table.record(SegmentBegan(rule="22.41I", to=Audience.EVERYONE, segment="submarines"))


def _begin(table: Table, step: str) -> None:
    table.record(StepBegan(rule="22.521", to=Audience.EVERYONE, step=step))


# -- pairing ---------------------------------------------------------------------------------


@rule("22.425", "22.521A", "22.521B", "22.52.1")
def pairs(axis: Sequence[int], allies: Sequence[int], round: int) -> list[tuple[int, int]]:
    """22.521A. Active groups of equal number pair off; then the lowest left meets the next of the other side (RC-30)."""
    active_axis = sorted(number for number in axis if number <= round)
    active_allies = sorted(number for number in allies if number <= round)
    same = [number for number in active_axis if number in active_allies]
    left_axis = [number for number in active_axis if number not in same]
    left_allies = [number for number in active_allies if number not in same]
    met = [(number, number) for number in same] + list(zip(left_axis, left_allies, strict=False))
    return sorted(met, key=min)


@rule("22.521A", "22.521B", "22.523A")
def pair_off(table: Table) -> None:
    """22.521A. The active groups of both sides pair off; they must fight."""
    met = pairs(table.fleet(Side.AXIS).numbers, table.fleet(Side.ALLIES).numbers, table.battle.round)
    engagements = tuple(Engagement(axis, allies) for axis, allies in met)
    table.record(Paired(rule="22.521A", to=Audience.EVERYONE, engagements=engagements))
    _begin(table, "first")


@rule("22.521C", "22.521E")
async def fight_next(table: Table) -> None:
    """22.521C. The next engagement is fought, unless one of its groups is gone."""
    engagement = table.battle.engagements[0]
    gone = [side for side in table.battle.sides if engagement.number(side) not in table.fleet(side).numbers]
    if gone:
        why = "one of the groups is no longer there"
        table.record(EngagementLapsed(rule="22.521E", to=Audience.EVERYONE, engagement=engagement, why=why))
        return
    await engage(table, engagement)


# -- the second round --------------------------------------------------------------------------


@rule("22.521D")
def may_engage_again(battle: Battle, group: CombatGroup) -> bool:
    """22.521D. An active group that met no active enemy, or sank every unit of the one it met (RC-31, RC-32)."""
    return battle.active(group) and (not group.met or group.victorious) and not group.engaged


@rule("22.452C", "22.521D.2", "22.522B", "22.523E.2")
def may_be_sought(battle: Battle, target: CombatGroup) -> bool:
    """22.521D. An active enemy always; a distant one if a search result on it is unspent and it has not evaded (RC-24)."""
    return battle.active(target) or (target.found > target.spent and not target.evaded)


@rule("22.521D")
def second_round_order(battle: Battle) -> tuple[tuple[Side, int], ...]:
    """22.521D. Groups that may seek a second engagement: ascending numbers, the intercepting side first (RC-31)."""
    eligible = [
        (group.number, index, side)
        for index, side in enumerate(battle.sides)
        for group in battle.fleets[side].groups
        if may_engage_again(battle, group)
    ]
    return tuple((side, number) for number, _, side in sorted(eligible))


def open_second_round(table: Table) -> None:
    """Say which groups may seek a second engagement."""
    groups = second_round_order(table.battle)
    table.record(SecondRoundOpened(rule="22.521D", to=Audience.EVERYONE, groups=groups))


@rule("22.521D", "22.522A", "22.524")
def engagement_form(battle: Battle, group: CombatGroup, targets: Sequence[CombatGroup]) -> Form:
    """22.521D. Which enemy group to engage, if any. Slow groups reach active ones only.

    A group that damaged ships make slow may leave them behind to reach a distant enemy; they quit the battle when the
    round ends (22.524A).
    """
    names = {target.number: f"CG{target.number}" for target in targets}
    places = [Place("none", "engages nobody"), *(Place(name, f"engages enemy {name}") for name in names.values())]
    items = [Item("target", f"CG{group.number}", 1, tuple(place.key for place in places))]
    limits: list[Limit] = []
    distant = [names[target.number] for target in targets if not battle.active(target)]
    fast = is_fast(group)
    if not group.afloat:
        limits += [barred("target", name, "22.521D", "A sea supply line has no ships.") for name in names.values()]
    elif not fast and not fast_without_damaged(group):
        limits += [barred("target", name, "22.521D", "A slow group cannot reach a distant one.") for name in distant]
    elif not fast and distant:
        places += [Place("keep", "stays with the group"), Place("detach", "is left behind")]
        for item in _damaged_items(group, ("keep", "detach")):
            items.append(item)
            stay = (item.key, "keep", 1)
            seek = tuple(("target", name, item.amount) for name in distant)
            why = "With damaged ships the group is too slow to reach a distant one; leave them behind."
            limits.append(AtMost((stay, *seek), item.amount, "22.524", why))
            leave = (item.key, "detach", 1)
            others = tuple(
                ("target", place, item.amount) for place in ("none", *names.values()) if place not in distant
            )
            why = "Damaged ships are left behind only to reach a distant group."
            limits.append(AtMost((leave, *others), item.amount, "22.524", why))
        bound = [ship.id for ship in group.ships if ship.bound and ship.damaged]
        limits += [barred(id, "detach", "33.61B", "She may not leave the battle.") for id in bound]
    return Form(tuple(items), tuple(places), tuple(limits))


def _damaged_items(group: CombatGroup, places: tuple[str, str]) -> list[Item]:
    ships, counts = damaged_units(group)
    items = [Item(ship.id, unit_label(group, ship.id), 1, places) for ship in ships]
    return items + [Item(key, unit_label(group, key), number, places) for key, number in counts.items()]


@rule("22.521D", "22.523", "22.523D")
async def declare_second_engagements(table: Table) -> None:
    """22.521D. Eligible groups declare in order, then their targets evade or stand (RC-31).

    A group whose target evaded may seek another, each evader being tried once (AM-11).
    """
    for _ in range(1 + table.rules.tries_after_evasion):
        while table.battle.undeclared:
            await _declare(table, *table.battle.undeclared[0])
        for engagement in table.battle.engagements:
            if engagement in table.battle.engagements and await _evades(table, engagement):
                _lapse(table, engagement)  # with all the others that sought the same group
        if not table.battle.escaped:
            return
        again = sorted(table.battle.escaped, key=lambda who: (who[1], table.battle.sides.index(who[0])))
        table.record(SecondRoundOpened(rule="22.523E", to=Audience.EVERYONE, groups=tuple(again)))
    table.record(SecondRoundOpened(rule="22.523E", to=Audience.EVERYONE, groups=()))


async def _declare(table: Table, side: Side, number: int) -> None:
    """22.521D. One group says whom it engages, if anybody."""
    battle = table.battle
    group = table.group(side, number)
    targets = [target for target in table.fleet(side.enemy).groups if may_be_sought(battle, target)]
    answer: Answer | None = None
    if targets:
        form = engagement_form(battle, group, targets)
        question = f"CG{number} may engage another enemy group: which, if any?"
        answer = await Decide(side, "22.521D", "engage", question, form, f"CG{number}")
    if answer is None or answer.place("target") == "none":
        table.record(EngagementForgone(rule="22.521D", to=Audience.EVERYONE, side=side, number=number))
        return
    sought = int(answer.place("target").removeprefix("CG"))
    if not battle.active(table.group(side.enemy, sought)):
        reveal(table, side, number)  # 22.523D: before the target decides whether to evade
    _leave_behind(table, side, group, answer, evading=False)
    axis, allies = (number, sought) if side is Side.AXIS else (sought, number)
    table.record(
        EngagementDeclared(rule="22.521D", to=Audience.EVERYONE, engagement=Engagement(axis, allies, side.value))
    )


@rule("22.524A", "22.524B")
def fate_of_damaged_ships(*, evading: bool) -> tuple[str, str]:
    """22.524. What becomes of damaged ships a group leaves behind, and the rule: with the group that seeks combat they fight
    no more and go when the round ends; one that evades has abandoned them, and they count as lost (RC-35)."""
    if evading:
        return "22.524B", "eliminated as abandoned, and counted as lost"
    return "22.524A", "leave naval combat at the end of the round"


def _leave_behind(table: Table, side: Side, group: CombatGroup, answer: Answer, *, evading: bool) -> None:
    left = answer.held_by("abandon" if evading else "detach")
    number, _ = fate_of_damaged_ships(evading=evading)
    ships = tuple(as_seen(ship) for ship in group.ships if ship.id in left)
    counts = {key: amount for key, amount in left.items() if "/" in key}
    if left:
        table.record(
            Detached(
                rule=number,
                to=Audience.EVERYONE,
                side=side,
                number=group.number,
                ships=ships,
                light=counts,
                abandoned=evading,
            )
        )


# -- evasion -------------------------------------------------------------------------------------


@rule("22.523C", "22.523E.1")
def evasion_number(number: int, in_use: Sequence[int], highest: int) -> int:
    """22.523E. The next higher number its side does not use; 0 if there is none (RC-33)."""
    return next((free for free in range(number + 1, highest + 1) if free not in in_use), 0)


@rule("22.523A", "22.523B", "22.523C", "22.524B")
def evasion_form(group: CombatGroup, new_number: int) -> Form:
    """22.523. Evade or fight. Only a fast group with a free higher number can evade.

    Damaged ships may be abandoned to be fast: they are lost.
    """
    items = [Item("choice", f"CG{group.number}", 1, ("fight", "evade"))]
    becomes = f" and becomes CG{new_number}" if new_number else ""
    places = [Place("fight", "accepts fleet combat"), Place("evade", f"evades{becomes}")]
    limits: list[Limit] = []
    fast = is_fast(group)
    if not new_number:
        limits.append(barred("choice", "evade", "22.523C", "No higher number is free."))
    elif not fast and not fast_without_damaged(group):
        limits.append(barred("choice", "evade", "22.523B", "A slow group must fight."))
    elif not fast:
        places += [Place("keep", "stays with the group"), Place("abandon", "is abandoned and lost")]
        for item in _damaged_items(group, ("keep", "abandon")):
            items.append(item)
            why = "With damaged ships the group is too slow to evade; it would have to abandon them."
            cells = ((item.key, "keep", 1), ("choice", "evade", item.amount))
            limits.append(AtMost(cells, item.amount, "22.523B", why))
            why = "Damaged ships are abandoned only to evade."
            cells = ((item.key, "abandon", 1), ("choice", "fight", item.amount))
            limits.append(AtMost(cells, item.amount, "22.524", why))
    return Form(tuple(items), tuple(places), tuple(limits))


@rule("22.523", "22.52.2")
async def _evades(table: Table, engagement: Engagement) -> bool:
    """22.523. A distant group that is sought decides, having seen the enemy, whether to slip away.

    The question is put to slow groups too: whether it is put depends on what both sides know (FP-05). It is put once,
    whoever seeks the group; one that stands has accepted fleet combat for the round (FP-12).
    """
    side = Side(engagement.initiator).enemy
    group = table.group(side, engagement.number(side))
    if table.battle.active(group) or group.stood:
        return False
    new_number = evasion_number(group.number, table.fleet(side).numbers, table.rules.most_groups)
    seekers = [e.number(side.enemy) for e in table.battle.engagements if e.number(side) == group.number]
    enemies = " and ".join(f"CG{number}" for number in seekers)
    seek = "seeks" if len(seekers) == 1 else "seek"
    question = f"Enemy {enemies} {seek} fleet combat with CG{group.number}: evade or fight?"
    form = evasion_form(group, new_number)
    answer = await Decide(side, "22.523", "evade", question, form, f"CG{group.number}")
    if answer.place("choice") == "fight":
        table.record(EngagementAccepted(rule="22.523", to=Audience.EVERYONE, side=side, number=group.number))
        return False
    _leave_behind(table, side, group, answer, evading=True)
    table.record(Evaded(rule="22.523E", to=Audience.EVERYONE, side=side, number=group.number, new_number=new_number))
    return True


def _lapse(table: Table, evaded: Engagement) -> None:
    """Every engagement sought with an evader lapses."""
    seeker = Side(evaded.initiator)
    target = evaded.number(seeker.enemy)
    for engagement in table.battle.engagements:
        if engagement.initiator == evaded.initiator and engagement.number(seeker.enemy) == target:
            why = "its target evaded"
            table.record(EngagementLapsed(rule="22.523E", to=Audience.EVERYONE, engagement=engagement, why=why))
