"""24.6, 25: the submarine warfare of one combat phase, box by box: who fights, the dice, what is lost.

Every combat of a box is struck before any loss is taken (SR-15); advanced submarines come last (25.73).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.events import InputTaken
from flagplot.model.ships import plus
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    BOXES,
    BRITAIN,
    GERMANY,
    JAPAN,
    PACIFIC,
    SUBMARINE,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    Campaign,
    Cards,
    Combat,
    Research,
    Shipping,
    Struck,
    Toll,
)
from flagplot.model.war import CVE, IN_PORT, Counts, Idle, Levels, War, faction_of, kind_of, power_of, side_of, unit
from flagplot.model.war_events import (
    ADVANCED_RULE,
    Move,
    ShippingStruck,
    SubmarinesCommitted,
    SubmarineWarfareCounted,
    SubmarineWarfareRolled,
)
from flagplot.rules.strategic.submarine_modifiers import asw_drm, codebreakers, submarine_drm, submarine_modifiers
from flagplot.rules.strategic.submarine_warfare import (
    advanced_strike,
    carriers_lost_by_nation,
    damaged_transports,
    fighting_refused,
    losses,
    shipping_after,
    strike,
)
from flagplot.rules.table import Ruleset, Table

FIGHT, DECLINE = "fight", "decline"
LOST, KEPT = "lost", "kept"
DEFENDERS = {Side.AXIS: (BRITAIN, UNITED_STATES), Side.ALLIES: (JAPAN,)}  # of transports against a side's submarines


class Attack(NamedTuple):
    """The submarines of one power that fight in one box."""

    power: str
    box: str
    submarines: int
    advanced: int


@rule("25.13", "25.14", "25.41")
async def submarine_warfare(table: Table) -> None:
    """25.14. The moving side says which submarines fight; then each box in turn."""
    war = table.war
    form = fighting_form(table.rules, war)
    if not form.items:
        return
    answer = await Decide(
        war.now.side, "25.14", "submarine warfare", "Which of your submarines fight in this turn?", form
    )
    fighting = answer.held_by(FIGHT)
    for box in BOXES:
        attacks = [attack for attack in attacks_in(fighting, box) if attack.submarines or attack.advanced]
        if attacks:
            await fight_in_box(table, box, attacks)


@rule("25.13A.3", "25.13C.2", "25.13E.2")
def tell_surplus(table: Table) -> None:
    """25.13. A set-up may put more submarines into a box than may fight there: it is said, and only the limit fights
    (AM-03)."""
    war = table.war
    for power in (GERMANY, JAPAN, UNITED_STATES):
        for group in [BOXES] if power == JAPAN else [(box,) for box in BOXES]:
            present = sum(war.present(box, unit(power, SUBMARINE), unit(power, ADVANCED_SUBMARINE)) for box in group)
            most = max(table.rules.submarine_limits.limit(power, box, war.now.turn) for box in group)
            if present > most:
                where = "SW boxes" if len(group) > 1 else f"{group[0]} SW box"
                what = f"{present} submarines of {power} in the {where},"
                value = f"of which {most} at most may fight in {war.now.turn}"
                table.record(InputTaken(rule="25.13", to=Audience.EVERYONE, what=what, value=value))


@rule("25.13A", "25.13C", "25.13E", "25.14")
def fighting_form(rules: Ruleset, war: War) -> Form:
    """25.13. The submarines of each power and box that may fight, and the limits of the turn. Advanced ones count one."""
    items: list[Item] = []
    limits: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    default: dict[str, dict[str, int]] = {}
    left: dict[tuple[str, str], int] = {}
    for box in BOXES:
        for name, number in war.ready(box).items():
            power, kind = power_of(name), kind_of(name)
            if kind not in (SUBMARINE, ADVANCED_SUBMARINE) or side_of(power) is not war.now.side:
                continue
            if fighting_refused(
                power, box, began_there=True, ports=tuple(war.ports.values()), politics=war.politics
            ) or not any(msgspec.structs.astuple(_shipping(war, box, war.now.side))):
                continue
            item = Item(f"{name}, {box}", f"{name}, {box} SW box", number, (DECLINE, FIGHT))
            items.append(item)
            group = (power, "" if power == JAPAN else box)
            limits.setdefault(group, []).append((item.key, FIGHT, 1))
            room = left.setdefault(group, rules.submarine_limits.limit(power, box, war.now.turn))
            taken = min(number, room)
            left[group] = room - taken
            default[item.key] = {FIGHT: taken}
    bounds: list[Limit] = []
    for (power, box), cells in limits.items():
        most = rules.submarine_limits.limit(power, box or PACIFIC, war.now.turn)
        if sum(item.amount for item in items if any(item.key == key for key, _, _ in cells)) <= most:
            continue  # nobody could break it
        why = f"In {war.now.turn} at most {most} of {power}'s submarines may fight {f'in the {box}' if box else 'in all'}."
        bounds.append(AtMost(tuple(cells), most, "25.13", why))
    places = (Place(DECLINE, "decline"), Place(FIGHT, "fight"))
    return Form(tuple(items), places, tuple(bounds), rest=DECLINE, default=default)


def shipping_in(war: War, box: str, attacker: Side) -> int:
    """Transports of the attacker's enemy in a box, ready or not."""
    return war.present(box, unit(transports_of(attacker), TRANSPORT))


def transports_of(attacker: Side) -> str:
    """Whose transports a side's submarines attack."""
    return WESTERN_ALLIES if attacker is Side.AXIS else JAPAN


def attacks_in(fighting: Mapping[str, int], box: str) -> list[Attack]:
    """What fights in one box, power by power."""
    powers = dict.fromkeys(power_of(key.rsplit(", ", 1)[0]) for key in fighting if key.endswith(f", {box}"))
    return [
        Attack(
            power,
            box,
            fighting.get(f"{unit(power, SUBMARINE)}, {box}", 0),
            fighting.get(f"{unit(power, ADVANCED_SUBMARINE)}, {box}", 0),
        )
        for power in powers
    ]


@rule("25.41", "25.42", "24.631", "24.64", "25.73", "25.82")
async def fight_in_box(table: Table, box: str, attacks: Sequence[Attack]) -> None:
    """24.631. One box: conventional submarines of all powers together, then the advanced ones."""
    side = table.war.now.side
    conventional = [attack for attack in attacks if attack.submarines]
    advanced = [attack for attack in attacks if attack.advanced]
    shipping = _shipping(table.war, box, side)
    if conventional:
        shares = await _asw_shares(table, box, conventional)
        struck = [await _combat(table, attack, shares[attack.power]) for attack in conventional]
        eliminated = {
            unit(attack.power, SUBMARINE): each.eliminated for attack, each in zip(conventional, struck, strict=True)
        }
        toll = losses(shipping, struck)
        shipping = shipping_after(table.rules, shipping, toll)
        staying = shipping.damaged if advanced else 0  # SR-18: whether damaged ones are still there is a choice
        await _take_losses(table, box, toll, eliminated, toll.damaged - staying)
    for attack in advanced:
        dice = await Roll(2, "25.73", side, f"{attack.advanced} advanced submarines in the {box}")
        each = advanced_strike(table.rules, attack.advanced, sum(dice))
        _rolled(table, attack, dice, (), each, ADVANCED_RULE)
        toll = losses(shipping, [each])
        await _take_losses(table, box, toll, {}, toll.damaged)


@rule("25.82")
async def _asw_shares(table: Table, box: str, attacks: Sequence[Attack]) -> dict[str, int]:
    """25.82. Against whom the ASW of a box fight: with two attackers their owner splits them as he likes."""
    war = table.war
    asw = asw_in(war, box, war.now.side)
    if len(attacks) < 2 or not asw:
        return {attack.power: asw for attack in attacks}
    total = sum(attack.submarines for attack in attacks)
    first = asw * attacks[0].submarines // total
    form = Form(
        (Item(ASW, f"your ASW in the {box} SW box", asw),),
        tuple(Place(attack.power, f"against {attack.submarines} of {attack.power}") for attack in attacks),
        default={ASW: {attacks[0].power: first, attacks[1].power: asw - first}},
    )
    answer = await Decide(war.now.side.enemy, "25.82", "ASW split", "How do you split your ASW?", form)
    return {attack.power: answer.amount(ASW, attack.power) for attack in attacks}


def asw_in(war: War, box: str, attacker: Side) -> int:
    """The ASW factors of the attacker's enemy that may act in a box."""
    ready = war.ready(box)
    return sum(ready.get(unit(power, ASW), 0) for power in DEFENDERS[attacker])


def escort_carriers_in(war: War, box: str, attacker: Side) -> int:
    """Uninverted CVEs of the attacker's enemy in a box."""
    ready = war.ready(box)
    return sum(ready.get(unit(power, CVE), 0) for power in DEFENDERS[attacker])


@rule("25.61", "25.62", "25.63", "25.64", "25.65", "25.66", "25.67")
def campaign_of(rules: Ruleset, war: War, power: str, box: str) -> Campaign:
    """25.61. All that modifies the combat of a power's submarines in a box, as the war stands."""
    defender = JAPAN if power == UNITED_STATES else UNITED_STATES if box == PACIFIC else BRITAIN
    mine, theirs = war.levels(faction_of(power)), war.levels(faction_of(defender))
    return Campaign(
        box,
        power,
        submarine_drm(rules, power, impaired=power in war.impaired, raised=mine.naval_nationality),
        asw_drm(rules, defender, impaired=defender in war.impaired, raised=theirs.naval_nationality),
        _research(mine),
        _research(theirs),
        escort_carriers_in(war, box, side_of(power)),
        tuple(name for name, port in war.ports.items() if port.fully_supplied and _held(port.holder, power)),
        war.cards.get(campaign_name(power, box), Cards()),
        war.war_phases if war.politics.germany_us_war else None,
        war.us_reentry,
        war.ireland,
    )


def _held(holder: str, power: str) -> bool:
    return faction_of(holder) == faction_of(power)


def _research(levels: Levels) -> Research:
    return Research(levels.torpedo, levels.asw, levels.air_range)


@rule("25.671")
def campaign_name(power: str, box: str) -> str:
    """25.671. What the cards of a power's submarine campaign are called in a dispatch."""
    return f"{codebreakers(power, box).deck}: {power}"


async def _combat(table: Table, attack: Attack, asw: int) -> Struck:
    """24.622, 24.631. One combat: the modifier, both rolls, the results. Nobody's submarines meet no ASW: no roll."""
    war, side = table.war, table.war.now.side
    table.record(
        SubmarinesCommitted(
            rule="25.41",
            to=Audience.EVERYONE,
            power=attack.power,
            box=attack.box,
            submarines=attack.submarines,
            advanced=attack.advanced,
            asw=asw,
        )
    )
    modifier = submarine_modifiers(table.rules, campaign_of(table.rules, war, attack.power, attack.box))
    table.record(
        SubmarineWarfareCounted(
            rule="25.61", to=Audience.EVERYONE, power=attack.power, box=attack.box, modifier=modifier
        )
    )
    mine = await Roll(2, "24.631A", side, f"{attack.submarines} submarines of {attack.power}, {attack.box}")
    theirs = await Roll(2, "24.631B", side.enemy, f"{asw} ASW, {attack.box}") if asw else ()
    struck = strike(table.rules, Combat(attack.submarines, asw, modifier.total, sum(mine), sum(theirs)))
    _rolled(table, attack, mine, theirs, struck)
    return struck


def _rolled(
    table: Table,
    attack: Attack,
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    struck: Struck,
    number: str = "24.63",
) -> None:
    table.record(
        SubmarineWarfareRolled(
            rule=number,
            to=Audience.EVERYONE,
            power=attack.power,
            box=attack.box,
            attacker_dice=mine,
            defender_dice=theirs,
            struck=struck,
        )
    )


def _shipping(war: War, box: str, attacker: Side) -> Shipping:
    return Shipping(
        shipping_in(war, box, attacker),
        sum(war.present(box, unit(power, ASW)) for power in DEFENDERS[attacker]),
        sum(war.present(box, unit(power, CVE)) for power in DEFENDERS[attacker]),
    )


@rule("24.631A", "24.64", "24.66")
async def _take_losses(table: Table, box: str, toll: Toll, submarines: Counts, leaving: int) -> None:
    """24.631A. Units are taken off; damaged transports leave for port, where they are idle (SR-07)."""
    war = table.war
    owner = transports_of(war.now.side)
    transport = unit(owner, TRANSPORT)
    lost = plus(
        {transport: toll.sunk},
        {
            **await _by_nation(table, box, ASW, toll.asw_lost),
            **await _by_nation(table, box, CVE, toll.escort_carriers_lost),
        },
    )
    moves = [Move(name, number, box, "") for name, number in {**submarines, **lost}.items() if number]
    moves += [Move(transport, leaving, box, IN_PORT)] if leaving else []
    idle = _without(war.idle, box, lost)
    if leaving:
        idle = (*idle, Idle(IN_PORT, transport, leaving, damaged_transports(war.now).function_from))
    table.record(
        ShippingStruck(
            rule="24.64",
            to=Audience.EVERYONE,
            box=box,
            owner=owner,
            toll=toll,
            submarines={name: number for name, number in submarines.items() if number},
            losses=tuple(moves),
            idle=idle,
        )
    )


def _without(idle: Sequence[Idle], box: str, lost: Mapping[str, int]) -> tuple[Idle, ...]:
    """Who is still inverted after losses: their owner gives up inverted units first."""
    left = dict(lost)
    kept = []
    for each in idle:
        taken = min(each.number, left.get(each.unit, 0)) if each.place == box else 0
        left[each.unit] = left.get(each.unit, 0) - taken
        kept.append(replace(each, number=each.number - taken))
    return tuple(each for each in kept if each.number)


@rule("24.631A", "24.66")
async def _by_nation(table: Table, box: str, kind: str, lost: int) -> Counts:
    """24.631A. Which nation's ASW or CVEs are lost, inverted ones among them: their owner chooses (SR-06)."""
    war = table.war
    here = {unit(power, kind): war.present(box, unit(power, kind)) for power in DEFENDERS[war.now.side]}
    here = {name: number for name, number in here.items() if number}
    if not lost or len(here) < 2 or lost == sum(here.values()):
        return carriers_lost_by_nation(here, lost)
    items = tuple(Item(name, f"{name}, {box} SW box", number, (KEPT, LOST)) for name, number in here.items())
    cells = tuple((name, LOST, 1) for name in here)
    why = f"{lost} of your {kind} are lost."
    form = Form(
        items,
        (Place(KEPT, "kept"), Place(LOST, "lost")),
        (AtMost(cells, lost, "24.631A", why), AtLeast(cells, lost, "24.631A", why)),
        rest=KEPT,
        default={name: {LOST: number} for name, number in carriers_lost_by_nation(here, lost).items()},
    )
    question = f"Which of your {kind} in the {box} are lost?"
    answer = await Decide(war.now.side.enemy, "24.631A", "escort losses", question, form, kind)
    return answer.held_by(LOST)
