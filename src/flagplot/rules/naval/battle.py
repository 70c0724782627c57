"""22.3, 22.4 and 22.7: a naval battle from first contact to the last ship's return.

One loop works off the state: it looks at the segment, carries it out, and looks again. Nothing is alive between two
segments but the state, so a battle can be entered at any of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place, distinct
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    AirBasesListed,
    DestroyersElsewhereListed,
    PortListed,
    SubmarinesMustered,
    SubmarinesSpentBefore,
)
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
from flagplot.model.forces import CombatGroup, combined
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.state import SEGMENTS, Fleet
from flagplot.rules.air.cover import air_cover_segment, any_land_based, assign_air_search
from flagplot.rules.air.escape import PORT
from flagplot.rules.air.gunfire import attack_by_themselves
from flagplot.rules.air.landing import land, settle_air_bases
from flagplot.rules.air.passage import PASSAGE
from flagplot.rules.air.patrol import counterair_segment, ready_to_strike
from flagplot.rules.air.strikes import set_strike_order, strike_next
from flagplot.rules.amendments import amend
from flagplot.rules.naval.ambush import submarine_ambush
from flagplot.rules.naval.combat_groups import both, fast_fleet_factors, form_combat_groups
from flagplot.rules.naval.effects import return_to_base
from flagplot.rules.naval.engagements import fleet_combat_segment
from flagplot.rules.naval.raiders import raider_combat
from flagplot.rules.naval.search import disclose, search
from flagplot.rules.naval.submarines import attack_with_submarines, submarines_go_home
from flagplot.rules.naval.withdrawal import withdraw
from flagplot.rules.table import Table

ORDER = list(SEGMENTS)


@rule("22.31", "22.311", "22.41", "22.73")
async def naval_battle(table: Table, setup: Setup) -> None:
    """22.31. A naval battle in rounds, each in its segments, until it is over."""
    muster(table, setup)
    tell_borrowed(table)
    await play_on(table)


@rule("22.32", "22.41", "22.73")
async def play_on(table: Table, before: Callable[[Table], None] | None = None) -> None:
    """22.41. From the segment the state is in, through all that follow, to the end; `before` each something may be due."""
    while True:
        if table.battle.step == "pair":  # a segment has just begun: what was agreed to be put right is put right
            amend(table)
        if table.battle.over:
            return
        if before is not None:
            before(table)
        asking = carry_out(table)
        if asking is not None:
            await asking


def carry_out(table: Table) -> Awaitable[None] | None:
    """The segment the state is in: of a naval battle, or of what takes place outside one."""
    return OUTSIDE.get(table.battle.kind, SEGMENT)[table.battle.segment](table)


@rule("22.55", "22.552A")
def tell_borrowed(table: Table) -> None:
    """22.55. Charts that the texts of this edition do not hold are those of the current one, and everyone is told (AM-28)."""
    for number, chart in table.rules.borrowed:
        value = "of the current edition, for want of an older one"
        table.record(InputTaken(rule=number, to=Audience.EVERYONE, what=chart, value=value))


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
            aircraft=public.aircraft,
            submarines=public.submarines,
            western_front=public.western_front,
            inputs=public.inputs,
        )
    )
    if public.port:
        table.record(PortListed(rule="23.4212", to=Audience.EVERYONE, port=public.port))
    for side in table.battle.sides:
        secret = setup.sides[side]
        shown = tuple(
            replace(force, number=0) for force in secret.forces
        )  # 22.423B: never which group has which number
        tellings = [(Audience.EVERYONE, shown)] if public.order_of_battle == "open" else []
        if not tellings or shown != secret.forces:
            tellings.append((only(side), secret.forces))
        for to, forces in tellings:
            table.record(FleetMustered(rule="22.421", to=to, side=side, forces=forces, impaired=secret.impaired))
        table.record(BasesListed(rule="22.63", to=only(side), side=side, bases=secret.bases))
        _muster_air_and_submarines(table, side, public, secret)
        for what, number, value in (
            ("tactical codebreaking DRM", "48.51B", public.tactical[side]),
            ("search advantage", "48.32B", public.search_advantage[side]),
        ):
            table.record(
                InputTaken(rule=number, to=Audience.EVERYONE, what=f"{public.names[side]}: {what}", value=f"{value:+d}")
            )


def _muster_air_and_submarines(table: Table, side: Side, public: Public, secret: Secret) -> None:
    """What flies from land, what dives, and the inputs that bear on them."""
    air = public.air.get(side, Air())
    if public.aircraft or public.submarines:
        table.record(
            AirBasesListed(
                rule="22.442",
                to=Audience.EVERYONE,
                side=side,
                air_bases=air.bases,
                air_range=air.air_range,
                carrier_range=air.carrier_range,
                impaired_air=air.impaired,
                winter_air=air.winter,
                research=air.research,
                submarine_codebreaking=air.submarine_codebreaking,
                excess_asw=air.excess_asw,
            )
        )
    if public.submarines:
        to = Audience.EVERYONE if public.order_of_battle == "open" else only(side)
        table.record(SubmarinesMustered(rule="22.911", to=to, side=side, submarines=secret.submarines_fresh))
        if secret.submarines_spent:
            table.record(SubmarinesSpentBefore(rule="22.92", to=to, side=side, submarines=secret.submarines_spent))
        table.record(
            DestroyersElsewhereListed(rule="22.9432", to=only(side), side=side, places=secret.destroyers_elsewhere)
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
    if table.battle.kind == "submarine attack":
        await submarine_ambush(table)
        return
    await form_combat_groups(table)
    table.record(RoundBegan(rule="22.41", to=Audience.EVERYONE, round=table.battle.round))
    _next_segment(table)


@rule("22.41E")
async def search_segment(table: Table) -> None:
    """22.41E. Land-based air is assigned to search, and both sides roll."""
    await assign_air_search(table)
    await search(table)
    _next_segment(table)


@rule("22.41B", "22.43", "23.3")
async def counterair(table: Table) -> None:
    """22.41B. Combat air patrol is set, and carriers attack air bases."""
    if _takes_place(table, table.battle.aircraft, "nobody has aircraft"):
        await counterair_segment(table)
    _next_segment(table)


@rule("22.41C", "22.441")
def carrier_air(table: Table) -> None:
    """22.41C. The naval air that may strike."""
    if _takes_place(table, table.battle.aircraft, "nobody has aircraft"):
        ready_to_strike(table)
    _next_segment(table)


@rule("22.41D", "22.442", "23.2")
async def air_cover(table: Table) -> None:
    """22.41D. Land-based air is assigned to cover."""
    if _takes_place(table, any_land_based(table.battle), "no land-based air is within reach"):
        await air_cover_segment(table)
    _next_segment(table)


def disclosure_segment(table: Table) -> None:
    """22.41F. The owners of found groups say what they must."""
    disclose(table)
    _next_segment(table)


@rule("22.31B", "22.41G", "22.46", "22.51", "22.74")
async def air_strikes(table: Table) -> None:
    """22.41G. Strikes, one by one, each from the state alone; then all naval air lands."""
    battle = table.battle
    if not _takes_place(table, battle.aircraft, "nobody has aircraft"):
        _next_segment(table)
    elif battle.step != "strikes":
        set_strike_order(table)
    elif battle.striking:
        await strike_next(table)
    else:
        await attack_by_themselves(table)
        await land(table)
        _next_segment(table)


@rule("22.31D", "22.41I", "22.921")
async def submarines(table: Table) -> None:
    """22.41I. Submarines attack."""
    if _takes_place(table, table.battle.submarines, "nobody has submarines"):
        await attack_with_submarines(table)
    _next_segment(table)


def _takes_place(table: Table, does: bool, why: str) -> bool:
    """Whether a segment has anything in it, which everyone can see; if not, the log says why."""
    if not does:
        segment = table.battle.segment
        table.record(SegmentEmpty(rule=SEGMENTS[segment][0], to=Audience.EVERYONE, segment=segment, why=why))
    return does


@rule("22.421B")
def together(pending: Sequence[CombatGroup], round: int, most_factors: int) -> list[CombatGroup]:
    """22.421B. Pending groups as they could enter in a round: late ships outside task forces are one group (FP-11).

    They stay apart if together they would be too large or have uncovered carriers.
    """
    late = [g for g in pending if not g.task_force and not g.encumbered and 1 < g.arrives <= round]
    if len(late) < 2:
        return list(pending)
    whole = late[0]
    for group in late[1:]:
        whole = combined(whole, group)
    carriers = sum(ship.size for ship in whole.ships if ship.is_carrier)
    if whole.factors > most_factors or carriers > fast_fleet_factors(whole.ships, whole.light):
        return list(pending)
    return [whole, *(group for group in pending if group not in late)]


@rule("22.411B", "22.421B", "22.421C.3", "22.425D.3.2")
def reinforcement_form(fleet: Fleet, pending: Sequence[CombatGroup], round: int, most: int) -> Form:
    """22.411B. Pending groups that may join the next round, with any unused number, as long as there is room.

    Late arrivals and groups that waited for room alike; one with cargo may not wait if it can join.
    """
    ready = [group for group in pending if group.arrives <= round]
    room = max(0, most - len(fleet.groups))
    numbers = [str(number) for number in range(1, most + 1) if number not in fleet.numbers]
    limits: list[Limit] = list(
        distinct([group.name for group in ready], numbers, "22.423A", "No two groups have the same number.")
    )
    joining = tuple((group.name, number, 1) for group in ready for number in numbers)
    limits.append(AtMost(joining, room, "22.421C", f"At most {most} groups take part; there is room for {room}."))
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
    await join_battle(table)
    begin_next_round(table)


@rule("22.41")
def between_rounds(table: Table) -> Awaitable[None]:
    """22.41. What stands between two rounds in this edition."""
    return table.rules.between_rounds(table)


@rule("22.411B", "22.421B", "22.421C", "22.421C.3")
async def join_battle(table: Table) -> None:
    """22.411B. Groups that arrive late or waited for room may join as long as there is room."""
    following = table.battle.round + 1
    rules = table.rules
    pending = {side: together(table.fleet(side).pending, following, rules.most_group_factors) for side in Side}
    forms = {s: reinforcement_form(table.fleet(s), pending[s], following, rules.most_groups) for s in Side}
    number = rules.number("22.411B")
    answers = await both(table, number, "reinforce", "Which pending groups join the battle, and as what?", forms)
    for side in table.battle.sides:
        given = {name: answers[side].place(name) for name in answers[side].cells}
        joining = [group for group in pending[side] if given.get(group.name, "wait") != "wait"]
        if joining:
            groups = tuple(replace(group, number=int(given[group.name])) for group in joining)
            waiting = tuple(group for group in pending[side] if group not in joining)
            table.record(GroupsJoined(rule="22.411B", to=only(side), side=side, groups=groups, pending=waiting))
            shown = tuple(sorted(group.number for group in groups))
            table.record(MarkersPlaced(rule="22.423B", to=Audience.EVERYONE, side=side, numbers=shown))


def begin_next_round(table: Table) -> None:
    """The next round begins with its second segment: groups are formed."""
    table.record(RoundBegan(rule="22.73", to=Audience.EVERYONE, round=table.battle.round + 1))
    table.record(SegmentBegan(rule="22.41B", to=Audience.EVERYONE, segment="counterair"))


async def return_segment(table: Table) -> None:
    """22.63. The battle is over: ships go home."""
    settle_air_bases(table)
    table.rules.end_of_fighting(table)
    submarines_go_home(table)
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
    "reinforcement": between_rounds,
    "return": return_segment,
}
OUTSIDE = {"air attack": PASSAGE, "port attack": PORT}
