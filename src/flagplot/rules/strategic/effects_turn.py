"""26.7, 26.9: what all the bombing of a combat phase does: BRPs, construction limits, industry, rocket bases, firestorms.

Losses and emergency repairs may leave a deficit (26.72D, 26.75), which later income makes good first.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Form, Item, Place, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import Damage, FirestormHex, Loss, RocketBase, TargetKind
from flagplot.model.strategic_war import GERMANY
from flagplot.model.war import Counts, Purse, TargetHex, War, YardShip
from flagplot.model.war_events import BombingTold
from flagplot.model.war_fold import ATOMIC_ROCKETS
from flagplot.rules.strategic.bombing_effects import (
    assign_markers,
    brps_lost,
    choices_of_ic,
    construction_limits,
    damage_markers,
    emergency_repair,
    firestorm,
    german_construction_increase,
    room_for_markers,
)
from flagplot.rules.strategic.bombing_flights import FLYING_BOMBS, ROCKETS, holder_of, is_secondary
from flagplot.rules.strategic.bombing_interception import is_us_box
from flagplot.rules.strategic.rockets import base_fate
from flagplot.rules.strategic.rockets_turn import salvo_damage
from flagplot.rules.strategic.yards_turn import bombed_ships
from flagplot.rules.table import Ruleset, Table

PAY, LEAVE = "pay", "leave"


class Bases(NamedTuple):
    """Rocket bases by power as they are after bombing, and those eliminated."""

    left: dict[str, tuple[RocketBase, ...]]
    lost: dict[str, tuple[RocketBase, ...]]


@rule("26.71", "26.72", "26.76", "26.91", "26.62B")
async def effects_of_bombing(table: Table) -> None:
    """26.71. All that was done to each target is added up: BRPs, construction limits, industry, firestorms, ships."""
    war = table.war
    if not war.damage:
        return
    losses: list[Loss] = []
    by_german_salvos: list[Loss] = []
    brps: Counts = {}
    changed: list[TargetHex] = []
    eliminated: list[str] = []
    bases = Bases({}, {})
    ships: list[YardShip] = []
    sunk: list[str] = []
    for name, sources in war.damage.items():
        target = war.targets[name]
        damage = Damage(sources.get("bombers", 0), sources.get(FLYING_BOMBS, 0), sources.get(ROCKETS, 0))
        if target.target.kind is TargetKind.SHIPYARD:
            moved, gone = await bombed_ships(table, target, sources)
            ships += moved
            sunk += gone
            continue
        owner = holder_of(target)
        purse = war.purses.get(owner, Purse()).brps - brps.get(owner, 0)
        if target.target.kind is TargetKind.ROCKET_BASE:
            brps = plus(brps, {owner: await _rocket_base(table, target, damage.total, purse, bases)})
            continue
        loss = loss_of(table.rules, war, target, damage)
        given_up = await _gives_up_ic(table, target, loss.brps.total)
        after, paid = await _industry(table, target, damage.total)
        after = burnt(table.rules, war, after, damage)
        if given_up:
            brps = plus(brps, {owner: (target.ic_loss or 0) + paid})
            eliminated.append(name)
            changed += without_ic(after)
            continue
        losses.append(loss)
        by_german_salvos.append(lost_to_german_salvos(table.rules, war, name, loss))
        brps = plus(brps, {owner: loss.brps.total + paid})
        if after != target:
            changed.append(after)
    gain = german_construction_increase(by_german_salvos)
    table.record(
        BombingTold(
            rule="26.71",
            to=Audience.EVERYONE,
            brps=brps,
            construction=plus(construction_limits(table.rules, losses), {GERMANY: -gain}),
            targets=tuple(changed),
            eliminated=tuple(eliminated),
            yards=tuple(ships),
            sunk_in_yard=tuple(sunk),
            bases=bases.left,
            lost_bases=bases.lost,
        )
    )


@rule("26.71A", "26.71B", "26.32.2")
def loss_of(rules: Ruleset, war: War, target: TargetHex, damage: Damage) -> Loss:
    """26.71A. BRPs really lost at a target, none at a secondary one, and whether construction limits feel it."""
    economic = target.target.key_economic_area or target.target.ic or target.target.kind is TargetKind.BOX
    box = target.name if target.target.kind is TargetKind.BOX else ""
    return Loss(holder_of(target), brps_lost(damage, value_of(rules, war, target)), economic, box)


@rule("26.32.2", "26.71A.1", "26.71A.3")
def value_of(rules: Ruleset, war: War, target: TargetHex) -> int | None:
    """26.71A. BRPs that may be lost at a target in a turn: its value, at a secondary one none; in the U.S. boxes there is no
    limit (None), and the Australia and India boxes are always worth the same."""
    if is_us_box(target.name):
        return None
    if is_secondary(rules, war, target):
        return 0
    return rules.bombing.box_values.get(target.name, target.value)


@rule("26.653C", "26.652")
def lost_to_german_salvos(rules: Ruleset, war: War, target: str, loss: Loss) -> Loss:
    """26.653C. What of a loss is due to German flying bombs and rockets: salvos count in the order in which they were
    fired, as far as the value of the target goes (SR-32)."""
    lost = {FLYING_BOMBS: 0, ROCKETS: 0}
    left = {FLYING_BOMBS: loss.brps.flying_bombs, ROCKETS: loss.brps.rockets}
    for kind, source in ((FLYING_BOMBS, FLYING_BOMBS), (ROCKETS, ROCKETS), (ATOMIC_ROCKETS, ROCKETS)):
        for salvo in war.salvos:
            if (salvo.target, salvo.kind) == (target, kind):
                atomic = salvo.number * war.atomic_damage
                done = min(left[source], atomic if kind == ATOMIC_ROCKETS else salvo_damage(rules, war, salvo).total)
                left[source] -= done
                lost[source] += done * (salvo.power == GERMANY)
    return replace(loss, brps=Damage(0, lost[FLYING_BOMBS], lost[ROCKETS]))


@rule("26.75", "26.75.2")
async def _gives_up_ic(table: Table, target: TargetHex, lost: int) -> bool:
    """26.75. Russia loses the BRPs of a bombed IC, or the IC and what goes with it (37.5, an input)."""
    choices = choices_of_ic(lost)
    if not target.target.ic or target.ic_loss is None or not choices:
        return False
    accept, eliminate = choices
    labels = {accept: f"lose {lost} BRPs", eliminate: f"eliminate the IC and lose {target.ic_loss} BRPs"}
    question = f"What do you do about the IC in {target.name}?"
    answer = await Decide(table.war.now.side.enemy, "26.75", "bombed IC", question, pick(labels, accept), target.name)
    return answer.choice == eliminate


@rule("26.75.2", "26.91", "26.95")
def without_ic(target: TargetHex) -> list[TargetHex]:
    """26.75. What is left on the chart of a place whose IC was given up: its markers lie as long as any others, and its
    industry remains; nothing if it has neither."""
    if not target.markers and not target.industry:
        return []
    return [replace(target, target=replace(target.target, ic=False), value=0, ic_loss=None)]


@rule("26.91", "26.92")
def burnt(rules: Ruleset, war: War, target: TargetHex, damage: Damage) -> TargetHex:
    """26.91. The target with a firestorm marker if it burns."""
    hex = target.target
    place = FirestormHex(target.name, hex.country, hex.kind is TargetKind.CITY, hex.ic, target.markers)
    if not firestorm(rules, place, damage).holds:
        return target
    return replace(target, markers=(*target.markers, "firestorm"), burnt=(*target.burnt, war.now.turn.year))


@rule("26.72", "26.72D", "26.72F", "26.73", "26.74")
async def _industry(table: Table, target: TargetHex, damage: int) -> tuple[TargetHex, int]:
    """26.72. Markers on oil centers or plants; the defender may pay to prevent the last one, with BRPs he has or, as
    deficit spending, with those he has not (26.72D). What he paid."""
    industry = target.industry
    if not industry or not damage_markers(table.rules, damage, box=target.name):
        return target, 0  # nothing there, or in a box where nothing is damaged (26.72F)
    rest = emergency_repair(table.rules, damage)
    room = sum(room_for_markers(table.rules, facility) for facility in industry)
    question = f"Do you pay {rest} BRPs to prevent a damage marker in {target.name}?"
    worth = damage_markers(table.rules, damage, paid=True) < room
    pays = worth and rest > 0 and await _pays(table, "26.72D", "emergency repair", question, rest)
    most = min(damage_markers(table.rules, damage, paid=pays), room)
    given = await _markers_given(table, target, most)
    return target.with_industry(assign_markers(table.rules, industry, given, most)), rest if pays else 0


@rule("26.72A", "26.72B", "26.74")
async def _markers_given(table: Table, target: TargetHex, most: int) -> list[int]:
    """26.72B. How many damage markers each facility is given: the attacker says, if there is a choice."""
    rooms = [room_for_markers(table.rules, facility) for facility in target.industry]
    names = [facility.name or str(facility.kind) for facility in target.industry]
    full, left = [], most
    for room in rooms:
        full.append(min(room, left))
        left -= full[-1]
    open_to = [(name, room) for name, room in zip(names, rooms, strict=True) if room]
    if len(open_to) < 2 or sum(rooms) == most:
        return full
    item = Item("markers", f"damage markers in {target.name}", most, (LEAVE, *(name for name, _ in open_to)))
    form = Form(
        (item,),
        (Place(LEAVE, "none"), *(Place(name, name) for name, _ in open_to)),
        tuple(AtMost(((item.key, name, 1),), room, "26.74", f"{name} takes {room} more.") for name, room in open_to),
        rest=LEAVE,
        default={item.key: {name: number for name, number in zip(names, full, strict=True) if number}},
    )
    question = f"Which industry in {target.name} bears the damage?"
    answer = await Decide(table.war.now.side, "26.72B", "damaged industry", question, form, target.name)
    return [answer.amount(item.key, name) for name in names]


async def _pays(table: Table, number: str, kind: str, question: str, price: int) -> bool:
    """26.72D. Whether the side that was bombed pays."""
    places = (Place(PAY, f"pay {price} BRPs"), Place(LEAVE, "leave it"))
    form = Form((Item("choice", "Your choice"),), places, default={"choice": LEAVE})
    return (await Decide(table.war.now.side.enemy, number, kind, question, form)).choice == PAY


@rule("26.62B")
async def _rocket_base(table: Table, target: TargetHex, damage: int, purse: int, bases: Bases) -> int:
    """26.62B. A bombed rocket base: gone, kept working for what the damage comes to, or idle for a player turn."""
    power = holder_of(target)
    mine = bases.left.get(power, table.war.rocket_bases[power])
    base = next(base for base in mine if base.id == target.name)
    others = tuple(each for each in mine if each is not base)
    if damage >= table.rules.bombing.base_eliminated_by:
        bases.left[power] = others
        bases.lost[power] = (*bases.lost.get(power, ()), base)
        return 0
    question = f"Do you pay {damage} BRPs to keep {base.id} working?"
    pays = 0 < damage <= purse and await _pays(table, "26.62B", "rocket base repair", question, damage)
    works = base_fate(table.rules, damage, pays=pays).holds
    bases.left[power] = (*others, replace(base, damaged=base.damaged or not works))
    return damage if pays else 0
