"""22.3, 22.4 and 22.7: a naval battle from first contact to the last ship's return.

One loop works off the state: it looks at the segment, carries it out, and looks again. Nothing is alive between two
segments but the state, so a battle can be entered at any of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import combinations, permutations

from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import (
    BasesListed,
    BattleJoined,
    FleetMustered,
    GroupsJoined,
    InputTaken,
    MarkersPlaced,
    RoundBegan,
    SegmentBegan,
    SegmentEmpty,
)
from flagplot.model.setup import Setup
from flagplot.model.state import SEGMENTS, Fleet
from flagplot.rules.naval.combat_groups import both, form_combat_groups
from flagplot.rules.naval.effects import return_to_base
from flagplot.rules.naval.engagements import fleet_combat_segment
from flagplot.rules.naval.raiders import raider_combat
from flagplot.rules.naval.search import disclose, search
from flagplot.rules.naval.withdrawal import withdraw
from flagplot.rules.table import Table

ORDER = list(SEGMENTS)


@rule("22.31", "22.311", "22.41", "22.73")
async def naval_battle(table: Table, setup: Setup) -> None:
    """22.31. A naval battle in rounds, each in its segments, until it is over."""
    muster(table, setup)
    await play_on(table)


@rule("22.32", "22.41", "22.73")
async def play_on(table: Table) -> None:
    """22.41. From the segment the state is in, through all that follow, to the end."""
    while not table.battle.over:
        asking = SEGMENT[table.battle.segment](table)
        if asking is not None:
            await asking


def muster(table: Table, setup: Setup) -> None:
    """Lay out what is known before the first round: to everyone what is open, to each side its own."""
    public = setup.public
    table.record(
        BattleJoined(
            rule="22.31",
            to=Audience.EVERYONE,
            title=public.title,
            theatre=public.theatre,
            kind=public.kind,
            interceptor=public.interceptor,
            round=public.round,
            names=public.names,
            tactical=public.tactical,
            search_advantage=public.search_advantage,
        )
    )
    for side in table.battle.sides:
        secret = setup.sides[side]
        to = Audience.EVERYONE if public.order_of_battle == "open" else only(side)
        table.record(FleetMustered(rule="22.421", to=to, side=side, forces=secret.forces, impaired=secret.impaired))
        table.record(BasesListed(rule="22.63", to=only(side), side=side, bases=secret.bases))
        for what, number, value in (
            ("tactical codebreaking DRM", "48.51B", public.tactical[side]),
            ("search advantage", "48.32B", public.search_advantage[side]),
        ):
            table.record(
                InputTaken(rule=number, to=Audience.EVERYONE, what=f"{public.names[side]}: {what}", value=f"{value:+d}")
            )


def _next_segment(table: Table) -> None:
    segment = ORDER[ORDER.index(table.battle.segment) + 1]
    table.record(SegmentBegan(rule=SEGMENTS[segment][0], to=Audience.EVERYONE, segment=segment))


@rule("22.35", "22.41A")
async def formation(table: Table) -> None:
    """22.41A. Combat groups are formed and numbered; raiders in an SW box need neither (22.35)."""
    if table.battle.kind == "raider combat":
        await raider_combat(table)
        return
    await form_combat_groups(table)
    table.record(RoundBegan(rule="22.41", to=Audience.EVERYONE, round=table.battle.round))
    _next_segment(table)


@rule("22.41E")
async def search_segment(table: Table) -> None:
    """22.41E. Both sides search."""
    await search(table)
    _next_segment(table)


def counterair(table: Table) -> None:
    """22.41B. Patrols and counterair: not built yet, and the log says so."""
    _not_yet(table, "carrier air attacks on bases are not built yet; nobody flies")


def carrier_air(table: Table) -> None:
    """22.41C. Carrier air allotted to strikes: not built yet, and the log says so."""
    _not_yet(table, "carrier air strikes are not built yet; nobody flies")


def air_cover(table: Table) -> None:
    """22.41D. Land-based air cover: not built yet, and the log says so."""
    _not_yet(table, "land-based air is not built yet; nobody flies")


def disclosure_segment(table: Table) -> None:
    """22.41F. The owners of found groups say what they must."""
    disclose(table)
    _next_segment(table)


def air_strikes(table: Table) -> None:
    """22.41G. Air strikes: not built yet, and the log says so."""
    _not_yet(table, "air strikes are not built yet; nobody flies")


def submarines(table: Table) -> None:
    """22.41I. Submarine attacks: not built yet, and the log says so."""
    _not_yet(table, "submarine attacks are not built yet; none is made")


def _not_yet(table: Table, why: str) -> None:
    segment = table.battle.segment
    table.record(SegmentEmpty(rule=SEGMENTS[segment][0], to=Audience.EVERYONE, segment=segment, why=why))
    _next_segment(table)


@rule("22.411B", "22.421B", "22.421C.3", "22.425D.3.2")
def reinforcement_form(fleet: Fleet, round: int, most: int, most_factors: int) -> Form:
    """22.411B. Pending groups that may join the next round, with any unused number, as long as there is room.

    Late arrivals and groups that waited for room alike; one with cargo may not wait if it can join. Small forces outside
    task forces that enter together are one group (22.421B).
    """
    ready = [group for group in fleet.pending if group.arrives <= round]
    loose = [group for group in ready if not group.task_force and not group.encumbered]
    together = sum(group.factors for group in loose) <= most_factors  # else the surplus forms groups of its own
    share = len(loose) if together and len(loose) > 1 else 1
    weight = {group.name: 1 if share > 1 and group in loose else share for group in ready}
    room = max(0, most - len(fleet.groups))
    numbers = [str(number) for number in range(1, most + 1) if number not in fleet.numbers]
    limits: list[Limit] = []
    for number in numbers:
        cells = tuple((group.name, number, weight[group.name]) for group in ready)
        limits.append(AtMost(cells, share, "22.423A", "No two groups have the same number."))
    if share > 1:
        why = "Ships outside task forces that enter in the same round are one group: give them one number."
        limits += [
            AtMost(((one.name, here, 1), (two.name, there, 1)), 1, "22.421B", why)
            for one, two in combinations(loose, 2)
            for here, there in permutations(numbers, 2)
        ]
    joining = tuple((group.name, number, weight[group.name]) for group in ready for number in numbers)
    why = f"At most {most} groups take part; there is room for {room}."
    limits.append(AtMost(joining, share * room, "22.421C", why))
    laden = [group.name for group in ready if group.encumbered]
    cells = tuple((name, number, 1) for name in laden for number in numbers)
    why = "A group with cargo must take part as soon as there is room."
    limits.append(AtLeast(cells, min(room, len(laden)), "22.421C", why))
    default = dict(zip(laden, numbers[:room], strict=False))
    places = (Place("wait", "waits"), *(Place(number, f"joins as number {number}") for number in numbers))
    items = tuple(Item(group.name, f"{group.name}: {group.describe()}") for group in ready)
    return Form(items, places, tuple(limits), rest="wait", default=default)


@rule("22.411B", "22.421B", "22.421C.3", "22.73")
async def reinforcement(table: Table) -> None:
    """22.411B. Groups that arrive late or waited for room may join; then the next round begins."""
    following = table.battle.round + 1
    most = table.rules.most_groups
    factors = table.rules.most_group_factors
    forms = {side: reinforcement_form(table.fleet(side), following, most, factors) for side in Side}
    answers = await both(table, "22.411B", "reinforce", "Which pending groups join the battle, and as what?", forms)
    for side in table.battle.sides:
        given = {name: answers[side].place(name) for name in answers[side].cells}
        numbers = {name: int(number) for name, number in given.items() if number != "wait"}
        if numbers:
            table.record(GroupsJoined(rule="22.411B", to=only(side), side=side, numbers=numbers))
            shown = tuple(sorted(dict.fromkeys(numbers.values())))
            table.record(MarkersPlaced(rule="22.423B", to=Audience.EVERYONE, side=side, numbers=shown))
    table.record(RoundBegan(rule="22.73", to=Audience.EVERYONE, round=following))
    table.record(SegmentBegan(rule="22.41B", to=Audience.EVERYONE, segment="counterair"))


async def return_segment(table: Table) -> None:
    """22.63. The battle is over: ships go home."""
    await return_to_base(table)
    table.record(SegmentBegan(rule="22.71", to=Audience.EVERYONE, segment="over"))


# A segment in which something is asked is a procedure; the others are done at once.
SEGMENT: dict[str, Callable[[Table], Awaitable[None] | None]] = {
    "formation": formation,
    "counterair": counterair,
    "carrier air": carrier_air,
    "air cover": air_cover,
    "search": search_segment,
    "disclosure": disclosure_segment,
    "air strikes": air_strikes,
    "fleet combat": fleet_combat_segment,
    "submarines": submarines,
    "withdrawal": withdraw,
    "reinforcement": reinforcement,
    "return": return_segment,
}
