"""22.81A, 22.81C, 22.81D: after a victory each activity goes on or is aborted by itself, and who helped takes over a mission.

Everything is asked before anything of it is put on the board, so that the end of a battle is a boundary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Side
from flagplot.model.interception import Level
from flagplot.model.operation import Contact, Leg, Operation, Try
from flagplot.rules.naval.effects import Fate, Homeward, activities_caught, choose_bases
from flagplot.rules.naval.interception import after_counter_battle, patrol_fights
from flagplot.rules.naval.regrouping import Member, members
from flagplot.rules.table import Table

ABORTED = Fate(False, True, "victorious, but aborts and is inverted (22.81A, 22.281)")


class Missions(NamedTuple):
    """What left a battle, by force, and which voyage or attempt those take over who helped."""

    left: Mapping[Side, Sequence[Member]]
    adopted: Mapping[str, str] = {}


def left_battle(table: Table, side: Side) -> list[Member]:
    """What of a side left the battle, by the forces it came in."""
    before = [table.operation.force(side, id) for id in table.operation.meeting[side]]
    return members([home for home in table.battle.fleets[side].returned if home.group.afloat], before)


@rule("22.81A", "22.81C", "22.81D")
async def decide_missions(table: Table, contact: Contact) -> Missions:
    """22.81. The battle is over: what goes on, and with whom those go who helped to win it."""
    left = {side: left_battle(table, side) for side in Side}
    side = table.battle.interceptor.enemy
    if not table.battle.goes_on:
        return Missions(left)
    if contact.level is not Level.INTERCEPTION:
        return Missions(left, await _adopt_attempts(table, contact, side, left[side]))
    caught = activities_caught(table.operation)
    aborted = await _decide_activities(table, side, caught, left[side])
    legs = [rows[0] for name, rows in caught.items() if name not in aborted and _goes(rows, left[side])]
    helpers = _helpers(table, contact, caught, left[side])
    stopped = [id for name in aborted for leg in caught[name] for id in leg.forces]
    if aborted:
        left[side] = await _send_home(table, side, left[side], [*stopped, *(() if legs else helpers)])
    return Missions(left, await _adopt_voyages(table, side, legs, helpers))


def _going(left: Iterable[Member]) -> list[str]:
    return list(dict.fromkeys(member.origin.id for member in left if not member.home.base))


def _goes(legs: Sequence[Leg], left: Sequence[Member]) -> bool:
    """Whether anything is left of an activity that can go on."""
    going = _going(left)
    return any(id in going for leg in legs for id in leg.forces)


@rule("22.81A")
async def _decide_activities(
    table: Table, side: Side, caught: Mapping[str, Sequence[Leg]], left: Sequence[Member]
) -> list[str]:
    """22.81A. Activities that were caught together go on or are aborted, each by itself (FP-70); those that are. Of one alone
    that was asked in its battle."""
    aborted: list[str] = []
    for name, legs in caught.items() if len(caught) > 1 else ():
        if not _goes(legs, left):
            continue
        form = pick({"go on": "go on with the activity", "abort": "abort it and return to base"}, "go on")
        who = ", ".join(id for leg in legs for id in leg.forces)
        question = f"You have won: does {name} ({legs[0].kind}: {who}) go on?"
        if (await Decide(side, "22.81A", "activity", question, form, name)).choice == "abort":
            aborted.append(name)
    return aborted


@rule("22.63", "22.81A", "22.281")
async def _send_home(table: Table, side: Side, left: Sequence[Member], stopped: Sequence[str]) -> list[Member]:
    """22.63. What was aborted after a victory returns to bases of its owner's choice, inverted (22.281)."""
    homeward: dict[int, Homeward] = {}
    for index, member in enumerate(left):
        if member.origin.id in stopped and not member.home.base:
            group = replace(member.home.group, name=member.origin.id, base=member.origin.base, origins=())
            homeward[index] = Homeward(f"{index + 1}. {member.origin.id}", group, ABORTED, False)
    chosen = await choose_bases(table, side, list(homeward.values()))
    after: list[Member] = []
    for index, member in enumerate(left):
        if index in homeward:
            base = chosen.get(homeward[index].key, member.origin.base)
            member = member._replace(home=replace(member.home, base=base, inverted=True))
        after.append(member)
    return after


def _helpers(table: Table, contact: Contact, caught: Mapping[str, Sequence[Leg]], left: Sequence[Member]) -> list[str]:
    """Those who took part in a victory and were on none of the voyages: counter-interceptors, and patrols in time."""
    own = [id for legs in caught.values() for leg in legs for id in leg.forces]
    late = [
        each.force
        for each in table.operation.wave.supports
        if each.contact == contact.id and not each.boat and not patrol_fights(each.round or 1, table.battle.round)
    ]
    return [id for id in _going(left) if id not in own and id not in late]


@rule("22.163D", "22.81C")
async def _adopt_voyages(table: Table, side: Side, legs: Sequence[Leg], helpers: Sequence[str]) -> dict[str, str]:
    """22.81C. Who helped a victorious force takes over its mission; where several go on, its owner says which (FP-71)."""
    if len(legs) < 2 or not helpers:
        return {id: leg.id for leg in legs[:1] for id in helpers}
    missions = {leg.id: f"{leg.order or leg.id}: {leg.kind}, to {leg.end}" for leg in legs}
    return await _choose(side, "22.81C", helpers, missions)


@rule("22.81D")
async def _adopt_attempts(table: Table, contact: Contact, side: Side, left: Sequence[Member]) -> dict[str, str]:
    """22.81D. Who helped interceptors to win takes over their interception, in the round theirs comes to; where they are
    bound for several, its owner says which (FP-71)."""
    going = _going(left)
    met = attempts_left(table, contact, going, left)
    helpers = [each.force for each in helping(table.operation, contact, side) if each.force in going]
    distinct = {(each.contact, each.round): each for each in reversed(met)}
    if len(distinct) < 2 or not helpers:
        return {id: each.id for each in met[:1] for id in helpers}
    missions = {
        each.id: f"{each.force}: to {each.hex}, round {each.round}" for each in met if each in distinct.values()
    }
    return await _choose(side, "22.81D", helpers, missions)


def helping(operation: Operation, contact: Contact, side: Side) -> list[Try]:
    """The attempts of a side that came to a contact on the way to help those who were met there."""
    return [
        each
        for each in operation.wave.tries
        if each.contact == contact.id and each.status == "sailing" and each.side is side and not each.boat
    ]


def attempts_left(table: Table, contact: Contact, going: Sequence[str], left: Sequence[Member]) -> list[Try]:
    """The attempts met on the way that go on after a victory, each in the round it comes to now; the late ones among them
    too. If nothing is left of any, those that helped take over what the first was to do."""
    met = [each for each in table.operation.wave.tries if each.id in contact.met and each.status == "sailing"]
    rounds = after_counter_battle(
        table.rules, {each.id: each.round for each in met}, won=True, lasted=table.battle.round
    )
    late = [m.origin.id for m in left if m.home.base and not m.home.group.number and not m.home.inverted]
    arriving = [replace(each, round=rounds[each.id]) for each in met if rounds[each.id] is not None]
    return [each for each in arriving if each.force in (*going, *late)] or arriving[:1]


@rule("22.81C", "22.81D")
async def _choose(side: Side, number: str, helpers: Sequence[str], missions: Mapping[str, str]) -> dict[str, str]:
    """22.81C. The question, force by force."""
    items = tuple(Item(id, id) for id in helpers)
    places = tuple(Place(id, label) for id, label in missions.items())
    question = "Whose mission do those take over who helped to win?"
    form = Form(items, places, rest=places[0].key)
    answer = await Decide(side, number, "mission", question, form)
    return {id: answer.place(id) for id in helpers}
