"""22.6 and 22.7: who leaves at the end of a round, whether the battle is over, and who has lost it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, Form, Item, Limit, Place, barred, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import (
    BattleContinued,
    BattleEnded,
    Departed,
    DetachedLeft,
    SegmentBegan,
    SegmentEmpty,
    Withdrew,
)
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import as_seen, light, minus
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.combat_groups import unit_label
from flagplot.rules.naval.search import operational
from flagplot.rules.table import Table

BOUND = "These ships may not withdraw."
NO_COMBAT = "no naval combat has occurred, and nobody may withdraw"
CONVOY = "convoy"  # ships with cargo, which leave together with what they carry

# -- withdrawal ---------------------------------------------------------------------------


@rule("22.61A")
def round_loser(sunk: Mapping[Side, int], damaged: Mapping[Side, int], interceptor: Side) -> Side:
    """22.61A. Who declares first: more factors sunk, then more damaged, then the intercepting side (RC-65, AM-02)."""
    for factors in (sunk, damaged):
        if factors[Side.AXIS] != factors[Side.ALLIES]:
            return max(Side, key=lambda side: factors[side])
    return interceptor


@rule("22.61", "22.61D", "22.524C")
def may_withdraw(segment: str, *, attacked: bool, whole_group: bool, bound: bool = False) -> tuple[bool, str, str]:
    """22.61. Whether ships may withdraw now, with the rule and the reason: only at the end of a round, and not those bound to
    stay (33.61B, an input)."""
    if segment != "withdrawal":
        return False, "22.524C", "Ships withdraw at the end of a round only, not to avoid fleet combat."
    if bound:
        return False, "33.61B", BOUND
    if not attacked and not whole_group:
        return False, "22.61D", "A group that was not attacked leaves as a whole or not at all."
    return True, "22.61", "Withdrawal is permitted at the end of any round."


@rule("22.61", "22.61B", "22.61D", "23.443.2")
def withdrawal_form(fleet: Fleet) -> Form:
    """22.61. What leaves. A group that was not attacked leaves whole or not at all; others ship by ship.

    Ships bound to stay are an input (33.61B).
    """
    items: list[Item] = []
    limits: list[Limit] = []
    for group in fleet.groups:
        bound = [ship for ship in group.ships if ship.bound]
        if not group.attacked:
            items.append(Item(f"CG{group.number}", f"CG{group.number}, {group.name}: {group.describe()}"))
            keys = [f"CG{group.number}"] if bound else []
        else:
            items += _units(group)
            keys = [f"CG{group.number}:{ship.id}" for ship in bound]
        limits += [barred(key, "withdraw", "33.61B", BOUND) for key in keys]
    places = (Place("stay", "stays"), Place("withdraw", "withdraws"))
    return Form(tuple(items), places, tuple(limits), rest="stay")


def _units(group: CombatGroup) -> list[Item]:
    prefix = f"CG{group.number}:"
    units = [Item(prefix + ship.id, prefix + " " + unit_label(group, ship.id)) for ship in group.ships]
    units += [
        Item(prefix + key, prefix + " " + unit_label(group, key), number)
        for key, number in group.light.items()
        if not _in_convoy(group, key)
    ]
    if group.encumbered:
        label = "the ships with cargo, and the cargo" if group.cargo else "the sea supply line"
        units.append(Item(prefix + CONVOY, f"{prefix} {label}"))
    return units


def _in_convoy(group: CombatGroup, key: str) -> bool:
    """Ships with cargo leave together with it (FP-13)."""
    return bool(group.cargo) and (light(key).kind == "TR" or light(key).state == "loaded")


def _leaving(group: CombatGroup, answer: Answer) -> CombatGroup | None:
    """What of a group withdraws."""
    if not group.attacked:
        return group if answer.amount(f"CG{group.number}", "withdraw") else None
    prefix = f"CG{group.number}:"
    ships = tuple(ship for ship in group.ships if answer.amount(prefix + ship.id, "withdraw"))
    counts = {key: n for key in group.light if (n := answer.amount(prefix + key, "withdraw"))}
    convoy = bool(answer.amount(prefix + CONVOY, "withdraw"))
    if convoy:
        counts |= {key: number for key, number in group.light.items() if _in_convoy(group, key)}
    if not ships and not counts and not convoy:
        return None
    cargo, supply = (group.cargo, group.supply) if convoy else ((), False)
    return replace(group, ships=ships, light=counts, cargo=cargo, supply=supply)


@rule("22.411A", "22.41K", "22.54H.2", "22.61", "22.524A", "22.71")
async def withdraw(table: Table) -> None:
    """22.61. The loser of the round says what withdraws, then the other, knowing it; then the battle may end (RC-60)."""
    battle = table.battle
    sunk = {side: table.fleet(side).round_sunk for side in Side}
    damaged = {side: table.fleet(side).round_damaged for side in Side}
    first = round_loser(sunk, damaged, battle.interceptor)
    if not open_to_withdrawal(battle.combat, table.rules.withdrawal_needs_combat):
        why = f"round {battle.round}: {NO_COMBAT}"
        table.record(SegmentEmpty(rule="22.411A", to=Audience.EVERYONE, segment="withdrawal", why=why))
    else:
        for side in (first, first.enemy):
            question = "The round is over: which ships withdraw?"
            answer = await Decide(side, "22.61", "withdraw", question, withdrawal_form(table.fleet(side)))
            _withdraw(table, side, answer)
    for side in (first, first.enemy):
        if table.fleet(side).detached:
            table.record(DetachedLeft(rule="22.524A", to=Audience.EVERYONE, side=side))
    await _end_or_go_on(table)


@rule("22.61", "22.41K")
def open_to_withdrawal(combat: bool, needs_combat: bool) -> bool:
    """22.61. Whether anybody may leave at the end of this round: always, in an earlier edition only if some form of naval
    combat occurred in it (FP-100). Damaged ships that were left behind go all the same (22.524A)."""
    return combat or not needs_combat


def _withdraw(table: Table, side: Side, answer: Answer) -> None:
    leaving = [parcel for group in table.fleet(side).groups if (parcel := _leaving(group, answer))]
    if leaving:
        depart(table, side, leaving, "22.61")


def depart(table: Table, side: Side, leaving: Sequence[CombatGroup], under: str) -> None:
    """What leaves, as its owner knows it and as everyone sees it."""
    before = {group.number: group for group in table.fleet(side).groups}
    table.record(Withdrew(rule=under, to=only(side), side=side, groups=tuple(leaving)))
    whole = tuple(parcel.number for parcel in leaving if parcel.number not in table.fleet(side).numbers)
    remains = []
    for parcel in leaving:
        group = before[parcel.number]
        if parcel.number not in whole and group.revealed:
            left = table.group(side, parcel.number)
            ships = tuple(map(as_seen, left.ships))
            remains.append(
                CombatGroup(
                    left.number,
                    ships=ships,
                    light=minus(group.light, parcel.light),
                    cargo=left.cargo,
                    supply=left.supply,
                )
            )
    table.record(Departed(rule=under, to=Audience.EVERYONE, side=side, whole=whole, remains=tuple(remains)))


# -- the end ------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """A side that has lost, and why."""

    side: Side
    rule: str
    reason: str


@rule("22.71C.1")
def has_undamaged_units(fleet: Fleet) -> bool:
    """22.71C. Whether a side has an undamaged naval unit in the battle; transports afloat count (AM-02)."""
    return any(
        any(not ship.damaged for ship in group.ships) or any(light(key).state != "damaged" for key in group.light)
        for group in fleet.groups
    )


@rule("22.71B")
def evaded_with_all(fleet: Fleet) -> bool:
    """22.71B. Whether every group of a side evaded this round and it has no operational carrier (RC-61)."""
    return (
        bool(fleet.groups)
        and all(group.evaded for group in fleet.groups)
        and not any(operational(ship) for group in fleet.groups for ship in group.ships)
    )


@rule("22.71", "22.72", "22.311")
def endings(battle: Battle) -> list[Ending]:
    """22.71. The ways in which the battle has ended: each names a side that has lost (22.72). Pending forces do not count."""
    found: list[Ending] = []
    for side in battle.sides:
        fleet = battle.fleets[side]
        if fleet.withdrew and not fleet.groups:
            found.append(Ending(side, "22.71A", f"{fleet.name} has withdrawn all its groups"))
        elif evaded_with_all(fleet):
            found.append(
                Ending(side, "22.71B", f"{fleet.name} has no operational carrier and evaded with all its groups")
            )
        elif not has_undamaged_units(fleet):
            found.append(Ending(side, "22.71C", f"{fleet.name} has no undamaged ships left in the battle"))
    return found


@rule("22.72")
def victor_of(losers: tuple[Side, ...]) -> Side | None:
    """22.72. The side that did not lose, if the other did; if both lost there is no victor (RC-62)."""
    return losers[0].enemy if len(losers) == 1 else None


@rule("22.71C.2")
def may_hold_on(found: Sequence[Ending], interceptor: Side) -> Side | None:
    """22.71C. The side for whose sea supply line a battle might go on: the one without undamaged ships; where neither side
    has any, the one that was intercepted, for interceptors trace none."""
    if any(ending.rule != "22.71C" for ending in found):
        return None
    without = [ending.side for ending in found]
    return interceptor.enemy if len(without) > 1 else next(iter(without), None)


@rule("22.71C.2")
def traces_supply(fleet: Fleet) -> bool:
    """22.71C. Whether a side has a sea supply line left in the battle."""
    return any(group.supply for group in fleet.groups)


@rule("22.71C.2")
async def _supply_battle_goes_on(table: Table, beaten: Side) -> bool:
    """22.71C. A side without undamaged ships that traces sea supply may hold on until its line is cut.

    The question is put whether or not it traces any: that is not for the enemy to learn from a pause.
    """
    traced = traces_supply(table.fleet(beaten))
    side = table.rules.supply_battle_continued_by(beaten)
    limits = []
    if side is beaten and not traced:
        limits.append(barred("choice", "continue", "22.71C", "Only a side that traces sea supply may hold on."))
    form = pick({"end": "let the battle end", "continue": "go on with the battle"}, "end", limits)
    name = table.fleet(beaten).name
    question = f"{name} has no undamaged ships left: does the battle go on for its sea supply line?"
    answer = await Decide(side, "22.71C", "continue", question, form)
    if answer.choice == "end" or not traced:
        return False
    table.record(BattleContinued(rule="22.71C", to=Audience.EVERYONE, side=side))
    return True


@rule("22.71", "22.72", "22.73")
async def _end_or_go_on(table: Table) -> None:
    """22.71. The battle ends, or another round follows; a side tracing sea supply may hold on (RC-64)."""
    found = endings(table.battle)
    beaten = may_hold_on(found, table.battle.interceptor)
    if beaten is not None and await _supply_battle_goes_on(table, beaten):
        found = []
    if not found:
        table.record(SegmentBegan(rule="22.411B", to=Audience.EVERYONE, segment="reinforcement"))
        return
    losers = tuple(ending.side for ending in found)
    table.record(
        BattleEnded(
            rule="22.71",
            to=Audience.EVERYONE,
            reasons=tuple(f"{ending.reason} ({ending.rule})" for ending in found),
            losers=losers,
            victor=victor_of(losers),
        )
    )
    table.record(SegmentBegan(rule="22.63", to=Audience.EVERYONE, segment="return"))
