"""22.63, 22.8 What a battle leaves behind: cargo lost, activities aborted, ships that go home, inversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place, barred, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.events import ActivityDecided, CargoLost, CargoStowed, Returned
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.operation import Leg, Operation
from flagplot.model.ships import light, minus, number_of
from flagplot.model.state import Base, Battle
from flagplot.rules.table import Table

GOES_BACK = ("base change", "naval redeployment")  # 22.63A
ADOPTS = {
    "counter-interception": "adopts the mission (22.81C)",
    "counter-counter-interception": "adopts the interception (22.81D)",
}
EACH = "each activity by itself"

# -- cargo ----------------------------------------------------------------------------------


@rule("22.82A", "22.82B")
def cargo_shortage(cargo: Sequence[Cargo], capacity: dict[str, int]) -> dict[str, int]:
    """22.82A. By carrier kind, how much more the cargo of one group needs than its ships can carry (RC-18)."""
    needs = {kind: sum(item.needs for item in cargo if item.by == kind) for kind in ("DD", "TR")}
    return {kind: need - capacity[kind] for kind, need in needs.items() if need > capacity[kind]}


@rule("22.82A")
def cargo_form(cargo: Sequence[Cargo], capacity: dict[str, int]) -> Form:
    """22.82A. What is lost: the owner chooses, but no more than the shortage asks; air units may be broken down."""
    short = cargo_shortage(cargo, capacity)
    limits: list[Limit] = []
    for kind in short:
        items = [item for item in cargo if item.by == kind]
        cells = tuple((item.name, "saved", 1 if item.divisible else item.needs) for item in items)
        room, largest = capacity[kind], max(1 if item.divisible else item.needs for item in items)
        limits.append(AtMost(cells, room, "22.82A", f"There is room for {room} only."))
        why = "No more is lost than the ships cannot carry (FP-06)."
        limits.append(AtLeast(cells, room + 1 - largest, "22.82A", why))
    concerned = [item for item in cargo if item.by in short]
    places = (Place("saved", "is saved"), Place("lost", "is lost"))
    items_at_risk = tuple(
        Item(item.name, f"{item.name} (needs {item.needs})", item.needs if item.divisible else 1) for item in concerned
    )
    return Form(items_at_risk, places, tuple(limits), rest="saved", default=_default_cargo(concerned, capacity))


def _default_cargo(cargo: Sequence[Cargo], capacity: dict[str, int]) -> dict[str, str | dict[str, int]]:
    """Save what comes first and still fits."""
    room = dict(capacity)
    told: dict[str, str | dict[str, int]] = {}
    for item in cargo:
        saved = min(item.needs, room[item.by]) if item.divisible else item.needs * (item.needs <= room[item.by])
        room[item.by] -= saved
        if saved < item.needs:
            told[item.name] = {"lost": item.needs - saved} if item.divisible else "lost"
    return told


@rule("22.82A", "22.82B")
async def lose_cargo(table: Table, side: Side, number: int) -> None:
    """22.82A. Cargo that a group can no longer carry is lost at once; what is lost is its owner's choice."""
    group = table.group(side, number)
    if not cargo_shortage(group.cargo, group.capacity):
        return
    form = cargo_form(group.cargo, group.capacity)
    question = f"CG{number} cannot carry all its cargo any longer: what is lost?"
    answer = await Decide(side, "22.82A", "cargo", question, form, f"CG{number}")
    lost = {}
    for item in group.cargo:
        given_up = answer.amount(item.name, "lost")
        if given_up:
            lost[item.name] = given_up if item.divisible else item.needs
    table.record(CargoLost(rule="22.82A", to=Audience.EVERYONE, side=side, number=number, lost=lost))


@rule("22.82A", "22.82C")
def stow_cargo(table: Table, side: Side, number: int, to: Audience = Audience.EVERYONE) -> None:
    """22.82A. Destroyers of the group take over what sunken ones carried, as far as they go; idle ones are unloaded.

    They are taken in the order they stand (FP-07).
    """
    group = table.group(side, number)
    needed = sum(item.needs for item in group.cargo if item.by == "DD")
    change = needed - number_of(group.light, "DD", "loaded")
    loaded: dict[str, int] = {}
    unloaded: dict[str, int] = {}
    for key, count in group.light.items():
        nation, kind, state = light(key)
        if kind == "DD" and change > 0 and not state:
            loaded[key] = min(count, change)
            change -= loaded[key]
        elif kind == "DD" and change < 0 and state == "loaded":
            unloaded[f"{nation}/DD"] = min(count, -change)
            change += unloaded[f"{nation}/DD"]
    if loaded or unloaded:
        table.record(CargoStowed(rule="22.82A", to=to, side=side, number=number, loaded=loaded, unloaded=unloaded))


# -- the activity ------------------------------------------------------------------------------


@rule("22.81A", "22.141")
def activities_caught(operation: Operation) -> dict[str, list[Leg]]:
    """22.81A. The activities that are in the battle of an operation, by name, with their voyages; voyages home are each by
    itself."""
    found: dict[str, list[Leg]] = {}
    if operation.contact:
        wave = operation.wave
        for leg in map(wave.leg, wave.contact(operation.contact).legs):
            if leg.status == "under way":
                found.setdefault(leg.order or leg.id, []).append(leg)
    return found


@rule("22.81A", "22.72")
async def decide_activity(table: Table) -> None:
    """22.81A. A victorious force may go on with its activity or abort it; a beaten one must abort. Activities that were
    caught together each say so afterwards (missions.py)."""
    battle = table.battle
    side = battle.interceptor.enemy
    if battle.victor is not side:
        why = "beaten" if side in battle.losers else "no victor"
        table.record(ActivityDecided(rule="22.81A", to=Audience.EVERYONE, side=side, goes_on=False, why=why))
        return
    if len(activities_caught(table.operation)) > 1:
        table.record(ActivityDecided(rule="22.81A", to=Audience.EVERYONE, side=side, goes_on=True, why=EACH))
        return
    form = pick({"go on": "go on with the activity", "abort": "abort it and return to base"}, "go on")
    answer = await Decide(side, "22.81A", "activity", "You have won: does the activity go on?", form)
    goes_on = answer.choice == "go on"
    table.record(ActivityDecided(rule="22.81A", to=Audience.EVERYONE, side=side, goes_on=goes_on, why="victorious"))


class Homeward(NamedTuple):
    """Ships that go home: what they are called in the question, and whether they count as beaten."""

    key: str
    group: CombatGroup
    fate: Fate
    defeated: bool


class Fate(NamedTuple):
    """What becomes of ships after a battle."""

    goes_on: bool
    inverted: bool
    why: str


@rule("22.81", "22.61C")
def fate_of(
    battle: Battle, side: Side, group: CombatGroup, *, withdrawn: bool, goes_on: bool, surplus_inverted: bool
) -> Fate:
    """22.81. Whether ships go on, and whether they are inverted when they go home.

    Interceptors are inverted, patrols are not. A beaten activity is inverted, and so are ships that left the battle,
    whatever its outcome (22.61C), and an activity aborted after a victory (22.281). Counter-interceptors of a victorious
    force take over its mission. Interceptors that never reached the battle are not inverted; groups that were there and
    waited for room are (IR-54).
    """
    late = not group.number and group.arrives > 1
    if late or (side is battle.interceptor and not group.number and not surplus_inverted):
        return Fate(False, group.inverted, "never took part (22.27)")
    if side is battle.interceptor:
        if group.mission == "patrol":
            return Fate(False, group.inverted, "a patrol is not inverted (22.81B)")
        return Fate(False, True, "interceptors are inverted (22.81B)")
    if withdrawn:
        return Fate(False, True, "withdrew, so its mission is aborted (22.61C)")
    if goes_on:
        return Fate(True, group.inverted, ADOPTS.get(group.mission, "goes on (22.81A)"))
    if battle.victor is side:
        return Fate(False, True, "victorious, but aborts and is inverted (22.81A, 22.281)")
    return Fate(False, True, "beaten: aborts and is inverted (22.81A)")


# -- going home -----------------------------------------------------------------------------------


@rule("22.63", "23.443.3")
def bases_for(
    group: CombatGroup, bases: Sequence[Base], most_distance: int, *, defeated: bool
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """22.63. The bases ships may go to, and those they may not, each with its rule and reason.

    Beaten base changes and redeployments, ships with cargo aboard, and ships that took no part (IR-60) go back where
    they came from. A base under seaborne invasion is used only if there is no other.
    """
    open_bases: list[str] = []
    closed: list[tuple[str, str, str]] = []
    loaded = bool(group.cargo) or number_of(group.light, "DD", "loaded") > 0
    took_no_part = not group.number and group.arrives > 1
    must_go_back = (defeated and group.mission in GOES_BACK) or loaded or took_no_part
    origins = (group.base, *group.origins)
    invaded: list[str] = []
    for base in bases:
        if must_go_back and base.name != group.base:
            number = "22.63B" if loaded else "22.27" if took_no_part else "22.63A"
            closed.append((base.name, number, f"These ships must go back to {group.base or 'their base of origin'}."))
        elif base.distance > most_distance and base.name not in origins:
            closed.append((base.name, "22.63", f"{base.name} is more than {most_distance} hexes away."))
        elif base.invaded:
            invaded.append(base.name)
        else:
            open_bases.append(base.name)
    if not open_bases:
        return invaded, closed
    closed += [(name, "22.63C", "It is the target of a seaborne invasion.") for name in invaded]
    return open_bases, closed


@rule("22.63B")
def with_cargo_apart(group: CombatGroup) -> list[CombatGroup]:
    """22.63B. Ships with cargo, which must go back where they came from, and their escort, which need not."""
    carrying = {key: n for key, n in group.light.items() if light(key).kind == "TR" or light(key).state == "loaded"}
    escort = replace(group, light=minus(group.light, carrying), cargo=(), supply=False)
    if not group.cargo or not escort.afloat:
        return [group]
    return [escort, replace(group, name=f"{group.name}, with cargo", ships=(), light=carrying)]


@rule("22.62", "22.63", "22.81")
async def return_to_base(table: Table) -> None:
    """22.63. Once the battle is over every ship that does not go on is given a base, by its owner."""
    await decide_activity(table)
    battle = table.battle
    for side in battle.sides:
        fleet = battle.fleets[side]
        parcels = [(part, False) for group in (*fleet.groups, *fleet.pending) for part in with_cargo_apart(group)]
        parcels += [(part, True) for group in fleet.withdrawn for part in with_cargo_apart(group)]
        for group in fleet.home:
            _returned(table, side, group, group.base, Fate(False, group.inverted, "might not join (22.421A, 22.27)"))
        homeward: list[Homeward] = []
        for index, (group, withdrawn) in enumerate(parcels, start=1):
            fate = fate_of(
                battle,
                side,
                group,
                withdrawn=withdrawn,
                goes_on=battle.goes_on,
                surplus_inverted=table.rules.surplus_inverted,
            )
            if fate.goes_on:
                _returned(table, side, group, "", fate)
            else:
                defeated = withdrawn or side in battle.losers
                homeward.append(Homeward(f"{index}. {group.name}", group, fate, defeated))
        chosen = await choose_bases(table, side, homeward)
        for key, group, fate, _ in homeward:
            _returned(table, side, group, chosen.get(key, group.base), fate)


def _returned(table: Table, side: Side, group: CombatGroup, base: str, fate: Fate) -> None:
    table.record(
        Returned(
            rule="22.63" if base else "22.81",
            to=only(side),
            side=side,
            group=group,
            base=base,
            inverted=fate.inverted,
            why=fate.why,
        )
    )


async def choose_bases(table: Table, side: Side, homeward: Sequence[Homeward]) -> dict[str, str]:
    """22.63. The owner's choice; with no bases listed everyone goes back where he came from."""
    bases = table.fleet(side).bases
    most = table.rules.return_range[table.battle.theatre]
    items: list[Item] = []
    limits: list[Limit] = []
    default: dict[str, str] = {}
    for key, group, _, defeated in homeward:
        allowed, closed = bases_for(group, bases, most, defeated=defeated)
        if allowed:
            items.append(Item(key, f"{group.name}: {group.describe()}"))
            limits += [barred(key, base, number, why) for base, number, why in closed]
            default[key] = group.base if group.base in allowed else allowed[0]
    places = tuple(Place(base.name, f"{base.name}, {base.distance} hexes") for base in bases)
    form = Form(tuple(items), places, tuple(limits), default=default)
    answer = await Decide(side, "22.63", "return", "To which bases do your ships return?", form)
    return {key: answer.place(key) for key in answer.cells}
