"""24.5, 25.1, 25.3: units to, from and between the SW boxes, in the movement and the redeployment phase.

Units on the mapboard are "in port": which port is not kept, but for German submarines in the Mediterranean, which
Gibraltar parts from the others (25.15). A power's units may go to a box if it has any base for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import AtMost, Closed, Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ADVANCED_SUBMARINE,
    ASW,
    ATLANTIC,
    BOXES,
    GERMANY,
    JAPAN,
    SUBMARINE,
    SUBMARINES,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    BoxUnit,
    PlayerTurn,
)
from flagplot.model.strategic_war import Place as Base
from flagplot.model.war import CVE, IN_PORT, MEDITERRANEAN, Idle, War, faction_of, kind_of, power_of, side_of, unit
from flagplot.model.war_events import Move, UnitsMoved
from flagplot.rules.strategic.box_duties import idle_through, inverted_by_withdrawal, turn_ends, withdrawal_refused
from flagplot.rules.strategic.deployment import (
    american_asw_may_enter,
    deployment_refused,
    transfer_refused,
)
from flagplot.rules.strategic.submarine_deployment import (
    inverted_on_leaving,
    past_gibraltar,
    room_in_box,
    submarines_may_move,
)
from flagplot.rules.table import Ruleset, Table
from flagplot.tables.sw_boxes import HOME_PORTS

KINDS = {
    "movement": (ASW, TRANSPORT, CVE),
    "redeployment": (SUBMARINE, ADVANCED_SUBMARINE, ASW, TRANSPORT, CVE),
}
MAPBOARD_BOXES = ("Atlantic U.S. box", "Pacific U.S. box", "South Africa box", "Australia box", "India box")
INVERTED = ", inverted"
MAP = (IN_PORT, MEDITERRANEAN)
PLACES = (*BOXES, *MAP)


class Stack(NamedTuple):
    """Like units in one place, ready or inverted."""

    name: str
    place: str
    number: int
    until: PlayerTurn | None = None  # inverted until then

    @property
    def key(self) -> str:
        """What it is called in the question."""
        return f"{self.name}, {self.place}{INVERTED if self.until else ''}"

    @property
    def unit(self) -> BoxUnit:
        """As the rules of the boxes see it."""
        power = power_of(self.name)
        nation = UNITED_STATES if power == WESTERN_ALLIES else power
        return BoxUnit(nation, kind_of(self.name), inverted=self.until is not None)


@rule("25.12", "25.31", "25.37", "24.52")
async def move_units(table: Table, phase: str) -> None:
    """25.31. The moving side sends units to, from and between the boxes."""
    form = deployment_form(table.rules, table.war, phase)
    if not form.items:
        return
    side = table.war.now.side
    question = f"Which units change place in the {phase} phase?"
    answer = await Decide(side, "25.31", f"SW {phase}", question, form)
    moves: list[Move] = []
    war = table.war
    idle = list(war.idle)
    for stack in stacks(war, phase):
        for end in PLACES:  # not in the order of the answer: however it was written it means the same
            number = answer.amount(stack.key, end)
            if number and end != stack.place:
                moves.append(Move(stack.name, number, stack.place, end))
                idle = _idle_after(idle, war.now, stack, number, end, phase)
    if moves:
        table.record(UnitsMoved(rule="25.31", to=Audience.EVERYONE, side=side, moves=tuple(moves), idle=tuple(idle)))


def stacks(war: War, phase: str) -> Iterator[Stack]:
    """The moving side's units that this phase may concern, ready and inverted ones apart."""
    for place in PLACES:
        ready = war.ready(place)
        for name in war.places.get(place, {}):
            if kind_of(name) not in KINDS[phase] or side_of(power_of(name)) is not war.now.side:
                continue
            if ready.get(name):
                yield Stack(name, place, ready[name])
            waiting = [each for each in war.idle if (each.place, each.unit) == (place, name)]
            waiting = [each for each in waiting if war.now.before(each.until)]
            late = kind_of(name) != TRANSPORT or phase == "redeployment"  # damaged transports: SR-07
            if waiting and late:  # 25.31, 25.34; the latest stands for all
                latest = max((each.until for each in waiting), key=lambda turn: (turn.turn, turn.side is Side.ALLIES))
                yield Stack(name, place, sum(each.number for each in waiting), latest)


@rule("25.12", "25.31", "25.32", "25.34", "25.37", "24.52", "25.13A.3", "25.13C.2", "25.13E.2")
def deployment_form(rules: Ruleset, war: War, phase: str) -> Form:
    """25.31. Each stack stays or goes; what may not go where, and how many, with the rule. Limits that nobody could break
    and places that nobody could choose are left out."""
    open_to: dict[str, tuple[str, ...]] = {}
    closed: list[Closed] = []
    here = list(stacks(war, phase))
    for stack in here:
        shut = {end: found for end in PLACES if (found := refused(rules, war, stack, end, phase))}
        closed += [Closed(stack.key, end, why[0].rule, why[0].why) for end, why in shut.items()]
        ends = [stack.place, *(end for end in PLACES if end != stack.place and end not in shut)]
        must_leave = stack.place in MAP and not turn_ends(replace(stack.unit, damaged=False), None).holds
        if must_leave and phase == "redeployment" and len(ends) > 1:
            ends = ends[1:]
        if ends != [stack.place]:
            open_to[stack.key] = tuple(ends)
    asked = [stack for stack in here if stack.key in open_to]
    items = tuple(
        Item(
            stack.key,
            f"{stack.name}, {_where(stack.place)}{INVERTED if stack.until else ''}",
            stack.number,
            open_to[stack.key],
        )
        for stack in asked
    )
    default: dict[str, dict[str, int]] = {}
    bounds = [
        *_submarine_room(rules, war, asked, open_to, default),
        *_tension(rules, war, asked),
        *_gibraltar(rules, war, asked),
    ]
    amounts = {stack.key: stack.number for stack in asked}
    limits = [limit for bound in bounds if (limit := binding(bound, amounts, open_to)) is not None]
    used = [place for place in PLACES if any(place in open_to[stack.key] for stack in asked)]
    places = tuple(Place(place, _where(place)) for place in used)
    return Form(items, places, tuple(limits), default=default, closed=tuple(closed))


def binding(limit: AtMost, amounts: Mapping[str, int], open_to: Mapping[str, Sequence[str]]) -> AtMost | None:
    """A limit over the cells that can be chosen; None if nobody could break it."""
    cells = tuple(cell for cell in limit.cells if cell[1] in open_to[cell[0]])
    most = sum(amounts[item] for item in dict.fromkeys(item for item, _, _ in cells))
    return replace(limit, cells=cells) if most > limit.limit else None


def _where(place: str) -> str:
    return f"{place} SW box" if place in BOXES else place


@rule("25.12", "25.15", "25.31", "25.37", "24.52")
def refused(rules: Ruleset, war: War, stack: Stack, end: str, phase: str) -> tuple[Verdict, ...]:
    """25.31. What stands against sending this stack there; nothing if it may go."""
    if stack.place == end:
        return ()
    if stack.name == unit(UNITED_STATES, ASW) and end in BOXES and _more_american_asw(rules, war, end) == 0:
        return (Verdict(False, "25.32", f"tension lets no more American ASW into the {end} SW box"),)
    if stack.place in BOXES and end in BOXES:
        return transfer_refused(rules, stack.unit, stack.place, end, phase, war.politics)
    german = power_of(stack.name) == GERMANY and stack.unit.kind in SUBMARINES
    if MEDITERRANEAN in (stack.place, end) and not german:
        return (Verdict(False, "25.15", "only German submarines are kept apart in the Mediterranean"),)
    bases = bases_of(war, power_of(stack.name))
    if stack.place in MAP and end in MAP:
        return _between_ports(bases, phase)
    box, port = (end, stack.place) if end in BOXES else (stack.place, end)
    if german:
        bases = [base for base in bases if (base.front == "Mediterranean") == (port == MEDITERRANEAN)]
    nearest: tuple[Verdict, ...] = ()  # of several bases, what stands against the one that comes nearest to it
    suez = war.ports.get("Suez")
    canal = suez is not None and suez.axis
    for base in bases:
        if end in BOXES:
            found = deployment_refused(
                rules,
                stack.unit,
                box,
                base,
                phase,
                war.politics,
                axis_hold_suez=canal,
                axis_hold_ethiopia="Ethiopia" in war.axis_holds,
            )
        else:
            found = withdrawal_refused(rules, stack.unit, box, base, phase, axis_hold_suez=canal)
        if not found:
            return ()
        nearest = found if not nearest or len(found) < len(nearest) else nearest
    return nearest or (Verdict(False, "25.31", f"{power_of(stack.name)} has no base for the {box} SW box"),)


@rule("25.15A", "25.12")
def _between_ports(bases: Sequence[Base], phase: str) -> tuple[Verdict, ...]:
    """25.15A. German submarines between western and Mediterranean ports; how far these are apart (21.3612) is not kept."""
    there = {base.front for base in bases} >= {"western", "Mediterranean"}
    reasons = (
        submarines_may_move(phase),
        Verdict(there, "25.15A", "the Axis need a western front port and a Mediterranean one"),
    )
    return tuple(reason for reason in reasons if not reason.holds)


def bases_of(war: War, power: str) -> list[Base]:
    """The ports and mapboard boxes a power's units may be based in."""
    mine = faction_of(power)
    held = [
        Base(port.name, port.front, port.country or (JAPAN if port.name in HOME_PORTS else ""))
        for port in war.ports.values()
        if faction_of(port.holder) == mine
    ]
    return held + ([Base(name) for name in MAPBOARD_BOXES] if mine == WESTERN_ALLIES else [])


@rule("25.13A.3", "25.13C.2", "25.13E.2")
def _submarine_room(
    rules: Ruleset,
    war: War,
    asked: Sequence[Stack],
    open_to: Mapping[str, Sequence[str]],
    default: dict[str, dict[str, int]],
) -> Iterator[AtMost]:
    """25.13. No box holds more submarines after redeployment than may fight there next time (AM-03).

    If a set-up put more into it the others go, as many as can: that is the answer held ready, `default`.
    """
    boats = [stack for stack in asked if kind_of(stack.name) in SUBMARINES]
    for power in dict.fromkeys(power_of(stack.name) for stack in boats):
        groups: list[tuple[str, ...]] = [BOXES] if power == JAPAN else [(box,) for box in BOXES]
        for group in groups:
            mine = [stack for stack in boats if power_of(stack.name) == power]
            present = sum(war.present(box, unit(power, kind)) for box in group for kind in SUBMARINES)
            most = max(room_in_box(rules, power, box, war.now) for box in group)
            over = present - most
            for stack in mine:
                ways = [place for place in open_to[stack.key] if place in MAP]
                if stack.place in group and ways and over > 0:
                    leaving = min(over, stack.number if ways[0] == IN_PORT else _past_gibraltar(rules, war))
                    default[stack.key] = {ways[0]: leaving}
                    over -= leaving
            fixed = present - sum(stack.number for stack in mine if stack.place in group)
            cells = tuple((stack.key, box, 1) for stack in mine for box in group)
            where = "in all" if len(group) > 1 else f"in the {group[0]}"
            why = f"At most {most} of {power}'s submarines may fight next turn {where}."
            yield AtMost(cells, most + max(0, over) - fixed, "25.13", why)


@rule("25.32A", "25.32B")
def _tension(rules: Ruleset, war: War, asked: Sequence[Stack]) -> Iterator[AtMost]:
    """25.32. American ASW before war: as many as tension lets in."""
    for box in BOXES:
        coming = [stack for stack in asked if stack.name == unit(UNITED_STATES, ASW) and stack.place != box]
        more = _more_american_asw(rules, war, box)
        if coming and more is not None:
            why = f"Tension lets {more} more American ASW into the {box} SW box."
            yield AtMost(tuple((stack.key, box, 1) for stack in coming), more, "25.32", why)


@rule("25.32A", "25.32B")
def _more_american_asw(rules: Ruleset, war: War, box: str) -> int | None:
    """25.32. How many more American ASW tension lets into a box; None without limit."""
    present = war.present(box, unit(UNITED_STATES, ASW))
    return american_asw_may_enter(rules, box, war.politics, present=present, entered=war.entered.get(box, 0))


@rule("25.15", "25.151")
def _past_gibraltar(rules: Ruleset, war: War) -> int:
    """25.15. How many German submarines may pass Gibraltar in a turn."""
    gibraltar = war.ports.get("Gibraltar")
    everything = sum(sum(units.values()) for units in war.places.values())
    return past_gibraltar(rules, GERMANY, everything, axis_hold=gibraltar is not None and gibraltar.axis)


@rule("25.15", "25.15A", "25.15B")
def _gibraltar(rules: Ruleset, war: War, asked: Sequence[Stack]) -> Iterator[AtMost]:
    """25.15. Past an enemy Gibraltar German submarines go one a turn, to or from the Mediterranean, from western ports and
    the Atlantic SW box together (SR-21)."""
    outside = (IN_PORT, ATLANTIC)
    cells = [
        (stack.key, end, 1)
        for stack in asked
        for end in (*outside, MEDITERRANEAN)
        if power_of(stack.name) == GERMANY
        and kind_of(stack.name) in SUBMARINES
        and (stack.place in outside) != (end in outside)
        and MEDITERRANEAN in (stack.place, end)
    ]
    if cells:
        most = _past_gibraltar(rules, war)
        yield AtMost(tuple(cells), most, "25.15", "Past an enemy Gibraltar one submarine goes each turn.")


@rule("25.121", "25.122", "25.34", "25.372")
def _idle_after(idle: list[Idle], now: PlayerTurn, stack: Stack, number: int, end: str, phase: str) -> list[Idle]:
    """25.372. What is inverted after a move: those that left a box, and those that were inverted before."""
    after = list(idle)
    if stack.until is not None:
        left = number
        for index, each in enumerate(after):
            if (each.place, each.unit) == (stack.place, stack.name) and left and now.before(each.until):
                taken = min(left, each.number)
                after[index] = replace(each, number=each.number - taken)
                left -= taken
        until = stack.until
        if kind_of(stack.name) != TRANSPORT and phase == "redeployment":  # transports: SR-07
            through = idle_through(stack.unit, now) if end in BOXES else inverted_by_withdrawal(now, phase)
            until = max(until, (through or now).following, key=lambda turn: (turn.turn, turn.side is Side.ALLIES))
        after.append(Idle(end, stack.name, number, until))
    elif end in MAP and stack.place in BOXES:
        submarine = kind_of(stack.name) in SUBMARINES
        through = inverted_on_leaving(now) if submarine else inverted_by_withdrawal(now, phase)
        after.append(Idle(end, stack.name, number, through.following))
    return [each for each in after if each.number]
