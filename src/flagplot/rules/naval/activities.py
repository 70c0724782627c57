"""22.12, 22.13C, 22.15, 22.18, 22.28: activities are announced together, sailed along a path, completed, and go home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Limit, Place, barred, path_of, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.interception import CARGO_ACTIVITIES, Level, Trouble
from flagplot.model.operation import KINDS_OF_PHASE, Leg, Mission, NavalForce, Operation, Order, Wave
from flagplot.model.operation_events import (
    ActivitiesContinue,
    LegsChanged,
    MissionsAnnounced,
    PathGiven,
    PathsDemanded,
    PortsReached,
    StageReached,
    WaveAnnounced,
    WaveEnded,
    ZonesClosed,
)
from flagplot.model.ships import light, light_key, number_of, plus
from flagplot.rules.naval.interceptors import ANGLO_FRENCH_NATIONS, goes_home
from flagplot.rules.naval.passage import (
    ANGLO_FRENCH,
    air_reach,
    distances,
    may_try,
    passage_form,
    place_forces,
    shortest,
)
from flagplot.rules.naval.sailing import inverted_by_aborting, may_abort, transports_serve
from flagplot.rules.table import Table

INVERTED_MAY = "naval redeployment"  # the one activity for inverted ships (22.74)
ALONE = ("raider", "sea escort", "naval redeployment")  # intercepted apart from each other (22.141C, D)

# -- announcing -----------------------------------------------------------------------------------


@rule("22.15", "22.15A", "22.15B", "22.282", "22.74")
def announcement_form(operation: Operation, side: Side, orders: Sequence[Order]) -> Form:
    """22.15. Which forces sail on what, each on one activity. Inverted ones may only be redeployed (22.74)."""
    items: list[Item] = []
    limits: list[Limit] = []
    zones = operation.closed.get(side, ())
    redeployed = any(order.kind == INVERTED_MAY for order in orders)
    for force in operation.forces[side]:
        if (force.inverted and not redeployed) or not (force.harbour or force.patrol):
            continue
        items.append(Item(force.id, f"{force.id}, {force.harbour or force.place}"))
        near = distances(operation.sea.seas, force.place)
        for order in orders:
            number, why = _bar(order, force, near)
            if not why and transports(force) and not transports_serve(order.zone, zones, contemporaneous=False):
                number, why = "22.282", f"After an abort no transports serve {order.zone} any more."
            if why:
                limits.append(barred(force.id, order.name, number, why))
    places = (Place("stay", "stays"), *(Place(order.name, f"{order.name} ({order.kind})") for order in orders))
    return Form(tuple(items), places, tuple(limits), rest="stay")


def _bar(order: Order, force: NavalForce, near: Mapping[str, int]) -> tuple[str, str]:
    """Why a force may not sail on an activity, with the rule; nothing if it may."""
    if order.forces and force.id not in order.forces:
        return "22.15", "This activity is for others."
    if order.hex not in near or (order.meet and order.meet not in near):
        return "22.12", f"There is no way by sea from {force.place} to {order.hex}."
    if force.place == order.hex:
        return "22.12", "It is there already."
    if order.most and near[order.hex] > order.most:
        return "21.33", f"{order.hex} is {near[order.hex]} hexes from {force.place}, and {order.most} is the most."
    if force.cargo and order.kind not in CARGO_ACTIVITIES:
        return "22.15A", "It has cargo aboard."
    if force.inverted and order.kind != INVERTED_MAY:
        return "22.74", "Inverted ships may only be redeployed."
    return "", ""


def transports(force: NavalForce) -> bool:
    """Whether a force has transports in it."""
    return number_of(force.light, "TR") > 0


@rule("22.11.3", "22.15", "22.15A", "22.15B", "22.13B")
async def announce(table: Table) -> None:
    """22.15. The moving side announces all its activities of the phase before the other decides about any of them."""
    operation = table.operation
    side = operation.sea.mover
    orders = [order for order in operation.orders[side] if order.kind in KINDS_OF_PHASE[operation.phase]]
    form = announcement_form(operation, side, orders)
    question = f"The {operation.phase} phase: which forces sail, and on what activity? If none does, it is over."
    answer = await Decide(side, "22.15", "announce", question, form, operation.phase)
    chosen = [
        replace(order, forces=tuple(force for force in answer.cells if answer.place(force) == order.name))
        for order in orders
    ]
    sailing = [order for order in chosen if order.forces]
    if sailing:
        missions = tuple(mission_of(operation, side, order) for order in sailing)
        table.record(MissionsAnnounced(rule="22.15A", to=Audience.EVERYONE, side=side, missions=missions))
    sail(table, side, sailing)


@rule("22.15A.2")
def mission_of(operation: Operation, side: Side, order: Order) -> Mission:
    """22.15A. What everyone is told of an activity: all who take part, its destination, and all that is aboard."""
    forces = [operation.force(side, id) for id in order.forces]
    aboard = tuple(cargo.name for force in forces for cargo in force.cargo)
    where = order.harbour or order.hex
    return Mission(name=order.name, kind=order.kind, forces=order.forces, destination=where, aboard=aboard)


def sail(table: Table, side: Side, orders: Sequence[Order], waiting: Sequence[NavalForce] = ()) -> None:
    """The first part of each activity becomes voyages, what follows a meeting or a call is kept for later. Who is done and
    waits at sea meanwhile is there too (22.141)."""
    legs: list[Leg] = []
    later: list[Order] = []
    committed: list[NavalForce] = []
    for order in orders:
        forces = [table.operation.force(side, id) for id in order.forces]
        committed += [replace(force, committed=True, activity=order.kind, order=order.name) for force in forces]
        end, harbour, sailing, rest = _part(table.operation, side, order, forces)
        companies: dict[tuple[str, str], list[NavalForce]] = {}
        for force in sailing:
            companies.setdefault((force.place, _flag(table.operation, force)), []).append(force)
        for together in companies.values():
            legs.append(_leg(table.operation, side, order, together, end, harbour, len(legs)))
        if rest is not None:
            later.append(rest)
    place_forces(table, side, committed)
    table.record(ActivitiesContinue(rule="22.13C", to=only(side), side=side, orders=tuple(later)))
    if legs:
        ends = [leg.end for leg in legs]
        legs += _lying_there(table.operation, [force for force in waiting if force.place in ends], len(legs))
        table.record(WaveAnnounced(rule="22.15", to=Audience.EVERYONE, side=side, legs=tuple(legs)))


@rule("22.141E")
def _flag(operation: Operation, force: NavalForce) -> str:
    """22.141E. The nation of a force, if that keeps it apart from others on the same activity; "" if not."""
    apart = ANGLO_FRENCH in operation.sea.restrictions and force.nation in ANGLO_FRENCH_NATIONS
    return force.nation if apart else ""


@rule("22.141", "22.141A", "22.15C")
def _lying_there(operation: Operation, waiting: Sequence[NavalForce], index: int) -> list[Leg]:
    """22.141. Ships that have completed their activity and wait in its hex: nobody intercepts them by themselves, but who
    meets others of theirs there meets them too (FP-75)."""
    found: list[Leg] = []
    for leg in operation.ended:
        there = [
            force for force in waiting if force.id in leg.forces and (force.order, force.place) == (leg.order, leg.end)
        ]
        if there and leg.order and leg.status == "completed":
            name = f"A{operation.legs_made + index + len(found) + 1}"
            ids = tuple(force.id for force in there)
            found.append(
                replace(
                    leg, id=name, forces=ids, start=leg.end, path=(), status="under way", waiting=True, at_sea=False
                )
            )
            waiting = [force for force in waiting if force not in there]
    return found


@rule("22.13C")
def _part(
    operation: Operation, side: Side, order: Order, forces: Sequence[NavalForce]
) -> tuple[str, str, list[NavalForce], Order | None]:
    """22.13C. Where the next part of an activity ends, who sails it, and what is left of the activity after it.

    Those who are where the others will come wait there, and are not intercepted before they have joined.
    """
    if order.meet:
        sailing = [force for force in forces if force.place != order.meet]
        waiting = tuple(force.id for force in forces if force not in sailing)
        return order.meet, _harbour_in(operation, side, order.meet), sailing, replace(order, meet="", forces=waiting)
    if order.calls:
        stops = [operation.harbour(side, name).hex for name in order.calls]
        sailing = [force for force in forces if force.place not in stops]
        waiting = tuple(force.id for force in forces if force not in sailing)
        return stops[0], order.calls[0], sailing, replace(order, calls=order.calls[1:], forces=waiting)
    return order.hex, order.harbour, list(forces), None


def _harbour_in(operation: Operation, side: Side, hex: str) -> str:
    return next((each.name for each in operation.sea.harbours[side] if each.hex == hex), "")


def _leg(
    operation: Operation, side: Side, order: Order, forces: Sequence[NavalForce], end: str, harbour: str, index: int
) -> Leg:
    return Leg(
        id=f"A{operation.legs_made + index + 1}",
        side=side,
        kind=order.kind,
        forces=tuple(force.id for force in forces),
        start=forces[0].place,
        end=end,
        order=order.name,
        harbour=harbour,
        bound_for="" if end == order.hex else order.harbour or order.hex,
        at_sea=not forces[0].harbour,
        task_forces=sum(force.task_force for force in forces),
        cargo=order.kind in CARGO_ACTIVITIES,
        aboard=tuple(cargo.name for force in forces for cargo in force.cargo),
        staying=order.staying and not order.meet and not order.calls,
        ground=order.ground if end == order.hex else 0,
        zone=order.zone,
        nation=forces[0].nation,
        combined=order.combined,
        purpose=order.purpose,
        carrier_mission=order.carrier_mission,
        most=order.most,
    )


# -- paths ----------------------------------------------------------------------------------------


@rule("22.12", "22.12A", "22.12B")
async def give_paths(table: Table) -> None:
    """22.12. The other side may demand the exact path of each voyage; only what he has seen can he intercept.

    Every path is given by its owner; one that was not asked for stays his secret until it is caught with another
    (FP-53). If the other side has nobody who could intercept or attack, which everyone can see, nothing is asked.
    """
    operation, wave = table.operation, table.operation.wave
    enemy = wave.side.enemy
    reach = list(operation.sea.seas)
    nations = [leg.nation for leg in wave.legs]
    hunters, boats = may_try(table.rules, operation, enemy, Level.INTERCEPTION, reach, nations)
    demanded: list[str] = []
    if hunters or boats or air_reach(operation, enemy, reach):
        items = tuple(Item(leg.id, describe_leg(leg)) for leg in wave.legs if not leg.waiting)
        places = (Place("demand", "wants its exact path"), Place("waive", "lets it pass"))
        form = Form(items, places, rest="demand")
        answer = await Decide(enemy, "22.12", "demand", "Whose exact path do you want to know?", form)
        demanded = list(answer.held_by("demand"))
    table.record(PathsDemanded(rule="22.12", to=Audience.EVERYONE, side=enemy, legs=tuple(demanded)))
    for leg in wave.legs:
        if (
            demanded and not leg.waiting
        ):  # it may be caught with others, whether its own path was asked for or not (22.141, FP-53)
            form = passage_form(operation, leg.start, leg.end, leg.most, "21.33")
            question = f"Which path does {describe_leg(leg)} take?"
            path = path_of((await Decide(leg.side, "22.12", "path", question, form, leg.id)).choice)
        else:
            path = shortest(operation.sea.seas, leg.start, leg.end)
        to = Audience.EVERYONE if leg.id in demanded or leg.waiting else only(leg.side)
        table.record(PathGiven(rule="22.12", to=to, side=leg.side, leg=leg.id, path=path))
    reach_stage(table, "interceptions" if demanded else "completion")


def describe_leg(leg: Leg) -> str:
    """A voyage in words."""
    what = f"{leg.kind}, going home" if leg.returning else leg.kind
    what += f", bound for {leg.bound_for}" if leg.bound_for else ""
    return f"{leg.id}: {', '.join(leg.forces)} from {leg.start} to {leg.end} ({what})"


def reach_stage(table: Table, stage: str) -> None:
    """The voyages last announced have come so far."""
    table.record(StageReached(rule="22.164", to=Audience.EVERYONE, stage=stage))


# -- the end of a voyage --------------------------------------------------------------------------


@rule("22.12", "22.141")
def is_known(wave: Wave, leg: Leg) -> bool:
    """22.12. Whether everyone knows the path of a voyage: it was demanded, or the voyage was caught with another (FP-53)."""
    return leg.demanded or any(leg.id in contact.legs for contact in wave.contacts)


@rule("22.131", "22.15C", "22.13C.1")
def complete(table: Table) -> None:
    """22.131. Voyages that nothing stopped end where they were to: in port, on patrol, or in the hex of the activity.

    A path nobody asked for stays its owner's secret (FP-53).
    """
    operation, wave = table.operation, table.operation.wave
    legs = [replace(leg, status="completed") for leg in wave.legs if leg.status == "under way"]
    for leg in legs:
        forces = [operation.force(leg.side, id) for id in leg.forces]
        place_forces(table, leg.side, [arrived(operation, leg, force) for force in forces])
    if legs:
        told = tuple(leg if is_known(wave, leg) else replace(leg, path=()) for leg in legs)
        table.record(LegsChanged(rule="22.131", to=Audience.EVERYONE, side=wave.side, legs=told, why="arrived"))
    table.record(WaveEnded(rule="22.15C", to=Audience.EVERYONE, side=wave.side))


@rule("22.131", "23.444", "22.15C", "22.63", "22.63B")
def arrived(operation: Operation, leg: Leg, force: NavalForce) -> NavalForce:
    """23.444. A force where its voyage ends: hits that did no damage are gone in port, and cargo is ashore where it was
    meant for. What it is inverted for it stays inverted for.

    A call on the way is not the end: the base of origin stays what it was (22.63), and so do the hits (FP-51).
    """
    calls = any(order.name == leg.order for order in operation.pending)
    last = not leg.returning and not calls
    force = replace(force, fought=())
    if last and leg.kind in CARGO_ACTIVITIES:
        force = replace(force, cargo=(), light=_unloaded(force.light))
    if leg.harbour and calls and not leg.returning:
        return replace(force, place=leg.end, harbour=leg.harbour, patrol="", activity=leg.kind, order=leg.order)
    if leg.harbour:
        return moored(force, leg.harbour, leg.end)
    patrol = "offensive" if leg.kind == "patrol" and last else ""
    return replace(force, place=leg.end, harbour="", patrol=patrol, activity=leg.kind, order=leg.order)


@rule("23.444", "22.63")
def moored(force: NavalForce, harbour: str, hex: str) -> NavalForce:
    """23.444. A force at home: hits that did no damage are gone."""
    ships = tuple(replace(ship, hits=0) for ship in force.ships)
    at = replace(force, place=hex, harbour=harbour, base=harbour, ships=ships, began_at_sea=False)
    return replace(at, patrol="", activity="", order="", fought=())


def _unloaded(counts: Mapping[str, int]) -> dict[str, int]:
    """Destroyers that have landed what they carried."""
    plain: dict[str, int] = {}
    for key, number in counts.items():
        nation, kind, state = light(key)
        plain = plus(plain, {light_key(nation, kind, "" if state == "loaded" else state): number})
    return plain


@rule("22.13C.1", "22.28B", "22.281.2")
async def go_on_together(table: Table) -> None:
    """22.28B. After a meeting or a call those who came go on as one force; if one failed to come they may abort.

    Those that abort are inverted (22.281), and return to their base.
    """
    operation = table.operation
    side = operation.sea.mover
    waiting = [force for force in stragglers(operation, side) if force.order and not force.inverted]
    ready: list[Order] = []
    for order in operation.pending:
        there = gathered(operation, side, order)
        places = [operation.force(side, id).place for id in there]
        missing = any(
            leg.order == order.name and leg.status != "completed" and leg.end in places for leg in operation.ended
        )
        goes = bool(there)
        if there and missing and may_abort(Trouble(partner_gone=True)).holds:
            form = pick({"go on": "go on without them", "abort": "abort the activity"}, "go on")
            question = f"{order.name}: others did not come. Does the activity go on?"
            goes = (await Decide(side, "22.28B", "partner", question, form, order.name)).choice == "go on"
        if goes:
            ready.append(replace(order, forces=tuple(there)))
        elif there:
            _abort(table, side, order, there)
    sail(table, side, ready, waiting)


@rule("22.281", "22.281.2", "22.282")
def _abort(table: Table, side: Side, order: Order, there: Sequence[str]) -> None:
    """22.281. Forces that abort between two parts of an activity: inverted, and on their way home if this is not it."""
    forces = [table.operation.force(side, id) for id in there]
    inverted = inverted_by_aborting().holds
    after = [
        moored(force, force.harbour, force.place)
        if force.harbour == force.base
        else replace(force, harbour="", patrol="")
        for force in forces
    ]
    place_forces(table, side, [replace(force, inverted=inverted) for force in after])
    close_zones(table, side, [order.zone], forces)


@rule("22.282")
def close_zones(table: Table, side: Side, zones: Sequence[str], forces: Sequence[NavalForce]) -> None:
    """22.282. If forces with transports have aborted, no more transports serve their supply zones in this player turn."""
    served = tuple(zone for zone in zones if zone)
    if served and any(map(transports, forces)):
        table.record(ZonesClosed(rule="22.282", to=only(side), side=side, zones=served))


def gathered(operation: Operation, side: Side, order: Order) -> list[str]:
    """The forces that go on with an activity: those that waited, and those that came."""
    came = [
        id
        for leg in operation.ended
        if leg.order == order.name and leg.status == "completed"
        for id in leg.forces
        if any(force.id == id and force.place == leg.end for force in operation.forces[side])
    ]
    here = [
        force.id
        for force in operation.forces[side]
        if (force.harbour or force.patrol) and (not force.inverted or order.kind == INVERTED_MAY)
    ]
    return list(dict.fromkeys((*(id for id in order.forces if id in here), *came)))


@rule("22.15C", "22.15D", "22.18", "22.18C", "22.63")
def go_home(table: Table) -> bool:
    """22.18. Ships at sea with nothing more to do there go home: those from one hex to one base together.

    Who has completed an activity waits for the others (FP-48), who aborted does not (22.15D). The moving side's voyages
    come to lie on top, so they are sailed first. Patrols stay where they are. Returns whether anybody sailed.
    """
    operation = table.operation
    for side in (operation.sea.mover.enemy, operation.sea.mover):
        companies: dict[tuple[str, ...], list[NavalForce]] = {}
        home: list[NavalForce] = []
        for force in stragglers(operation, side):
            if _waits(operation, force):
                continue
            if operation.harbour(side, force.base).hex == force.place:  # no new hex is entered (22.12B)
                home.append(moored(force, force.base, force.place))
            else:
                companies.setdefault(_company(operation, side, force), []).append(force)
        place_forces(table, side, home)
        if home:
            ports = tuple(dict.fromkeys(force.harbour for force in home))
            table.record(PortsReached(rule="22.63", to=Audience.EVERYONE, side=side, ports=ports))
        if companies:
            first = operation.legs_made + 1
            legs = tuple(_homeward(operation, side, row, first + n) for n, row in enumerate(companies.values()))
            table.record(WaveAnnounced(rule="22.18", to=Audience.EVERYONE, side=side, legs=legs))
            return True
    return False


@rule("22.15C.1", "22.15D", "22.18A")
def _waits(operation: Operation, force: NavalForce) -> bool:
    """22.15C. Whether a force stays at sea until all activities announced with its own are completed."""
    if not force.order or goes_home(force.activity, forced=force.inverted) == "at once":
        return False
    legs = [leg for wave in operation.waves for leg in wave.legs]
    return bool(operation.pending) or any(leg.status == "under way" and not leg.returning for leg in legs)


def _outward(operation: Operation, side: Side, force: NavalForce) -> Leg | None:
    """The last voyage of the activity a force was on."""
    legs = [*operation.ended, *(leg for wave in operation.waves for leg in wave.legs)]
    return next((leg for leg in reversed(legs) if force.order and leg.side is side and leg.order == force.order), None)


@rule("22.141B", "22.141C", "22.141D", "22.141E", "22.18C")
def _company(operation: Operation, side: Side, force: NavalForce) -> tuple[str, ...]:
    """22.18C. With whom a force sails home: not with those it would be intercepted apart from on the way out (22.141)."""
    leg = _outward(operation, side, force)
    apart = ""
    if leg and leg.kind == "sea supply":
        apart = leg.zone
    elif leg and leg.kind in ALONE:
        apart = leg.combined or leg.order
    elif force.began_at_sea:
        apart = force.id
    return force.place, force.base, apart, _flag(operation, force)


@rule("22.12A", "22.12B", "22.18B", "23.462B")
def _homeward(operation: Operation, side: Side, together: Sequence[NavalForce], number: int) -> Leg:
    """22.12B. Ships on their way to a base have been in the hex where they are; those that flee from a port begin in it, and
    may be met in its hex as well (22.12A)."""
    kinds = [force.activity or "interception" for force in together]
    kind = next((kind for kind in kinds if kind in CARGO_ACTIVITIES), kinds[0])
    base = together[0].base
    out = _outward(operation, side, together[0])
    return Leg(
        id=f"A{number}",
        side=side,
        kind=kind,
        forces=tuple(force.id for force in together),
        start=together[0].place,
        end=operation.harbour(side, base).hex,
        harbour=base,
        returning=True,
        at_sea=any(force.activity != "escape" for force in together),
        began_at_sea=together[0].began_at_sea,
        task_forces=sum(force.task_force for force in together),
        cargo=kind in CARGO_ACTIVITIES,
        nation=together[0].nation,
        zone=out.zone if out else "",
        combined=out.combined if out else "",
    )


def under_way(operation: Operation) -> list[str]:
    """Forces on a voyage or an attempt."""
    busy = [id for wave in operation.waves for leg in wave.legs if leg.status == "under way" for id in leg.forces]
    return busy + [
        each.force for wave in operation.waves for each in wave.tries if each.status in ("rolled", "sailing")
    ]


def stragglers(operation: Operation, side: Side) -> list[NavalForce]:
    """Forces at sea that are on no voyage, no attempt and no patrol."""
    busy = under_way(operation)
    waiting = [id for order in operation.pending for id in gathered(operation, side, order)]
    return [
        force
        for force in operation.forces[side]
        if not force.harbour and not force.patrol and force.id not in busy and force.id not in waiting
    ]
