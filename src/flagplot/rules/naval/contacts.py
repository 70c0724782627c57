"""22.161, 22.164, 22.19, 22.24B: where forces meet, a battle is fought on the same table.

A contact is a battle in the hex of an interception, a battle with counter-interceptors somewhere before it, an attack by
submarines alone, or an air sortie. Battles farthest from the activity come first (22.164).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import SubmarinesMustered
from flagplot.model.forces import Force
from flagplot.model.interception import CARGO_ACTIVITIES, Advance, Level
from flagplot.model.operation import MISSION_OF, Contact, Harbour, Leg, NavalForce, Operation, Try
from flagplot.model.operation_events import ContactEnded, ContactMade
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import minus, plus
from flagplot.model.squadrons import NEAR
from flagplot.model.state import Base
from flagplot.rules.naval.battle import muster, play_on
from flagplot.rules.naval.homecoming import (
    after_attack,
    after_counter,
    after_interception,
    as_forces,
    boat_home,
    boats_back,
    count_losses,
    destroyers_in_port,
    end_tries,
    joined,
    patrols_back,
    read_air,
    to_sea,
    tries_of,
)
from flagplot.rules.naval.interception import counter_battle, empty_rounds, those_who_fight
from flagplot.rules.naval.missions import decide_missions
from flagplot.rules.naval.passage import FAR, air_reach, carrier_reach, distances, place_forces, turning_point
from flagplot.rules.table import Table

LEVELS = (Level.COUNTER_COUNTER, Level.COUNTER, Level.INTERCEPTION)
LATE_MISSIONS = (str(Level.INTERCEPTION), "patrol")  # of interceptors, defensive patrols among them


class Part(NamedTuple):
    """A force in a battle: what it sails for, and the round it arrives in."""

    side: Side
    id: str
    mission: str
    arrives: int


# -- what comes next ------------------------------------------------------------------------------


@rule("22.164", "22.161", "22.19")
def contacts_due(operation: Operation) -> list[Contact]:
    """22.164. The contacts that may be fought next: of the deepest level, and on every voyage the first one."""
    wave = operation.wave
    for level in LEVELS:
        due = [contact for contact in wave.contacts if contact.level is level and not contact.done]
        if due:
            return [c for c in due if not any(_earlier(operation, other, c) for other in due)]
    return []


@rule("22.921")
def _earlier(operation: Operation, one: Contact, two: Contact) -> bool:
    """22.921. Whether a voyage comes to one contact before the other; in one hex aircraft attack before submarines."""
    paths = [leg.path for leg in operation.wave.legs if leg.id in one.legs and leg.id in two.legs]
    under_way = (*operation.wave.tries, *operation.wave.supports)
    paths += [each.path for each in under_way if each.id in one.met and each.id in two.met]
    if not paths:
        return False
    if one.hex == two.hex:
        return bool(one.air) and not two.air
    return paths[0].index(one.hex) < paths[0].index(two.hex)


@rule("22.19", "22.164", "23.752C.2")
async def resolve(table: Table, setup: Setup) -> bool:
    """22.19. The next contact is made; where several might be, the side that sails says which. False if none is left."""
    due = contacts_due(table.operation)
    if not due:
        return False
    chosen = due[0]
    if len(due) > 1:
        side = table.operation.wave.side if chosen.level is not Level.COUNTER else table.operation.wave.side.enemy
        form = pick({contact.id: f"{contact.id}, in {contact.hex}" for contact in due}, due[0].id)
        answer = await Decide(side, "22.19", "order", "Which contact is resolved next?", form)
        chosen = table.operation.wave.contact(answer.choice)
    meet(table, setup, chosen)
    return True


# -- who meets whom -------------------------------------------------------------------------------


@rule("22.141", "22.161A", "22.161B", "22.162", "22.24B", "22.251", "22.254", "22.254A", "22.254B", "22.33")
def meet(table: Table, setup: Setup, contact: Contact) -> None:
    """22.161. All who are in the hex will fight, the late ones in their rounds; if one side is not there nobody does."""
    operation = table.operation
    if contact.air:
        _sortie(table, setup, contact)
        return
    if contact.level is Level.INTERCEPTION:
        sailing, hunting = _in_interception_hex(table, contact)
    else:
        sailing, hunting = _on_the_way(table, contact)
    hunter = operation.wave.side if contact.level is Level.COUNTER else operation.wave.side.enemy  # AM-21
    boats = [each for each in joined(operation, contact) if each.boat]
    there = [part for part in sailing if part.arrives == 1]
    start = first_round(contact.level, sailing, hunting)
    if start:
        _begin(table, setup, contact, hunter, (*sailing, *hunting), boats, "naval battle", start)
    elif there and any(each.side is hunter and each.round == 1 for each in boats):
        _ambush(table, setup, contact, hunter, there)
    else:
        _lapse(table, contact)


@rule("22.24B", "22.254A")
def first_round(level: Level, sailing: Sequence[Part], hunting: Sequence[Part]) -> int:
    """22.24B. The round in which a battle begins, 0 if there is none. Round one, unless the readings let late forces fight
    though nobody was in time (IR-47), come later for a battle on their way (IR-48), or count the rounds that pass before
    those who are met on their way have come so far (IR-50)."""
    in_time = any(part.arrives == 1 for part in hunting)
    if level is Level.INTERCEPTION:
        late = [part.arrives for part in hunting if part.mission in LATE_MISSIONS]
        there = any(part.arrives == 1 for part in sailing)
        return 0 if not there else 1 if in_time else min(late, default=0)
    return min((part.arrives for part in sailing), default=0) if in_time else 0


@rule("22.92", "22.921", "22.911", "22.16")
def _ambush(table: Table, setup: Setup, contact: Contact, hunter: Side, sailing: Sequence[Part]) -> None:
    """22.921. Submarines attack where no naval combat takes place: what they intercepted alone, nobody else has come."""
    for each in tries_of(table.operation, contact):
        if not each.boat:
            to_sea(table, each, turning_point(table.operation, each))
    wave = table.operation.wave
    targets = [id for leg in contact.legs for id in wave.leg(leg).forces]
    targets += [each.force for each in wave.tries if each.id in contact.met]
    parts = [part for part in sailing if part.id in targets]
    boats = [each for each in tries_of(table.operation, contact) if each.boat and each.side is hunter]
    _begin(table, setup, contact, hunter, parts, boats, "submarine attack")


@rule("22.132B")
def _battle_there(table: Table, sortie: Contact) -> bool:
    """22.132B. Whether ships that aircraft would attack in a hex are about to fight a battle in it."""
    same = [c for c in table.operation.wave.contacts if c.hex == sortie.hex and set(c.legs) & set(sortie.legs)]
    due = [c for c in same if not c.air and not c.done]
    return any(first_round(c.level, *_in_interception_hex(table, c)) for c in due)


@rule("22.132A", "22.132B", "22.19A", "22.19B", "23.752A")
def _sortie(table: Table, setup: Setup, contact: Contact) -> None:
    """23.752A. One air sortie against ships in one hex of their path, if they come so far and fight no battle there."""
    operation, wave = table.operation, table.operation.wave
    hunter = Side(contact.air)
    legs = [wave.leg(id) for id in contact.legs if wave.leg(id).status == "under way"]
    parts = [Part(leg.side, id, _mission(leg), 1) for leg in legs for id in leg.forces]
    tries = [each for each in (*wave.tries, *wave.supports) if each.id in contact.met and each.status == "sailing"]
    parts += [Part(each.side, each.force, "patrol" if each.kind == "patrol" else str(each.level), 1) for each in tries]
    if _battle_there(table, contact):
        why = "the aircraft take part in the naval combat there"
        table.record(ContactEnded(rule="22.132B", to=Audience.EVERYONE, contact=contact.id, outcome=why))
        return
    if parts and air_reach(operation, hunter, [contact.hex]):
        _begin(table, setup, contact, hunter, parts, (), "air attack")
        return
    why = "no ships came there" if not parts else "no aircraft are left"
    table.record(ContactEnded(rule="23.752A", to=Audience.EVERYONE, contact=contact.id, outcome=why))


def _in_interception_hex(table: Table, contact: Contact) -> tuple[list[Part], list[Part]]:
    """The voyages and those who help them, and those who intercept them."""
    operation, wave = table.operation, table.operation.wave
    legs = [wave.leg(id) for id in contact.legs if wave.leg(id).status == "under way"]
    sailing = [Part(leg.side, id, _mission(leg), 1) for leg in legs for id in leg.forces]
    tries = [each for each in tries_of(operation, contact) if not each.boat]
    rounds = those_who_fight(
        table.rules,
        {each.id: 1 if _in_time(table, each) else each.round for each in tries if each.level is Level.INTERCEPTION},
        (),
    )
    hunting: list[Part] = []
    for each in tries:
        if rounds.get(each.id, each.round) is None or each.round is None:
            continue
        patrol = operation.force(each.side, each.force).patrol == "defensive"
        part = Part(each.side, each.force, "patrol" if patrol else str(each.level), each.round)
        (sailing if each.level is Level.COUNTER else hunting).append(part)
    for each in wave.supports:
        if each.contact == contact.id and each.status == "sailing" and not each.boat:
            sailing.append(Part(each.side, each.force, "patrol", each.round or 1))
    return sailing, hunting


@rule("22.161B", "22.23")
def _in_time(table: Table, attempt: Try) -> bool:
    """22.161B. Whether an interceptor reached its hex in time, if only to come later for a battle on its way (IR-48)."""
    delayed = table.rules.readings.counter_battle_delay > 0
    return attempt.round == 1 or (delayed and attempt.result is not None and attempt.result >= attempt.distance)


def _mission(leg: Leg) -> str:
    kind = MISSION_OF.get(leg.kind, leg.kind)
    return kind if kind not in ("displacement", "escape") else "base change"


def _on_the_way(table: Table, contact: Contact) -> tuple[list[Part], list[Part]]:
    """Attempts that were countered outside the hex they were bound for, and their counters."""
    operation, wave = table.operation, table.operation.wave
    met = [each for each in wave.tries if each.id in contact.met and each.status == "sailing"]
    hunting: list[Part] = []
    advances = _advances(operation, contact)
    rounds = counter_battle(table.rules, operation.theatre, advances)
    before = empty_rounds(table.rules, operation.theatre, advances)
    sailing = [Part(each.side, each.force, str(each.level), rounds[each.id]) for each in met]
    for each in tries_of(operation, contact):
        if not each.boat:
            part = Part(each.side, each.force, str(each.level), max(1, (each.round or 1) - before))
            (hunting if each.level is contact.level else sailing).append(part)
    return sailing if met else [], hunting


def _advances(operation: Operation, contact: Contact) -> list[Advance]:
    """The attempts met in a contact before the hex they are bound for, as far as they have come."""
    met = [each for each in operation.wave.tries if each.id in contact.met and each.status == "sailing"]
    return [Advance(each.id, each.result or 0, each.path.index(contact.hex)) for each in met]


@rule("22.26B", "22.27", "22.24B", "22.92")
def _lapse(table: Table, contact: Contact) -> None:
    """22.26B. One side never came: those who did go back as they were (22.27, IR-47)."""
    tries = tries_of(table.operation, contact)
    for each in joined(table.operation, contact):
        if each.boat:
            boat_home(table, each, lost=0, spent=0)
        elif each in tries:
            to_sea(table, each, turning_point(table.operation, each))
    end_tries(table, tries, "never met")
    patrols_back(table, contact, [])
    table.record(ContactEnded(rule="22.26B", to=Audience.EVERYONE, contact=contact.id, outcome="nobody met there"))


# -- the battle -----------------------------------------------------------------------------------


@rule("22.63C")
def under_invasion(operation: Operation, side: Side, harbour: Harbour) -> bool:
    """22.63C. Whether a port is the target of a seaborne invasion: only in the combat phase, because the set-up says so or
    because the enemy has announced one."""
    announced = operation.missions if side is not operation.sea.mover else ()
    targets = [mission.destination for mission in announced if mission.kind == "seaborne invasion"]
    return operation.phase == "combat" and (harbour.invaded or harbour.hex in targets)


@rule("22.31", "22.141", "22.63")
def battle_setup(
    operation: Operation,
    setup: Setup,
    contact: Contact,
    hunter: Side,
    parts: Sequence[Part],
    boats: Sequence[Try],
    kind: str,
    start: int = 1,
) -> Setup:
    """22.141. The battle in a hex: the forces there, those who come later, bases and aircraft by their distance."""
    near = distances(operation.sea.seas, contact.hex)
    forces = {side: tuple(_force(operation, part) for part in parts if part.side is side) for side in Side}
    hidden = not operation.open
    carriers = any(ship.is_carrier for side in Side for force in forces[side] for ship in force.ships)
    air = {side: _air(operation, setup.public, side, contact.hex) for side in Side}
    return Setup(
        public=replace(
            setup.public,
            operation=UNSET,
            title=f"{operation.title}: {contact.hex}",
            kind=kind,
            interceptor=hunter,
            round=start,
            aircraft=hidden or carriers or any(air[side].bases for side in Side),
            submarines=hidden or kind == "submarine attack" or bool(boats),
            air=air,
        ),
        sides={
            side: Secret(
                forces=forces[side],
                impaired=setup.sides[side].impaired,
                bases=tuple(
                    Base(harbour.name, near.get(harbour.hex, FAR), under_invasion(operation, side, harbour))
                    for harbour in operation.sea.harbours[side]
                    if harbour.box != "SW"
                ),
                submarines=_counts([each for each in boats if each.side is side and (each.round or 1) <= start]),
                destroyers_elsewhere=_destroyers_elsewhere(operation, side, contact, forces[side]),
            )
            for side in Side
        },
    )


@rule("22.9432")
def _destroyers_elsewhere(
    operation: Operation, side: Side, contact: Contact, forces: Sequence[Force]
) -> dict[str, dict[str, int]]:
    """22.9432. Where destroyers may take losses to submarines: at bases of origin of those in the battle, and at ports on the
    way of a sea supply line that was caught; ports elsewhere have nothing to do with it."""
    legs = [operation.wave.leg(id) for id in contact.legs]
    lines = [
        hex for leg in legs if leg.kind == "sea supply" and leg.side is side and not leg.returning for hex in leg.path
    ]
    ports = [harbour.name for harbour in operation.sea.harbours[side] if harbour.hex in lines]
    near = (*ports, *(force.base for force in forces))
    return {place: counts for place, counts in destroyers_in_port(operation, side).items() if place in near}


@rule("22.427", "22.552B.3")
def _traces_supply(operation: Operation, force: NavalForce) -> bool:
    """22.427. Whether a force protects sea supply: not on its way home, where there is no line any more."""
    home = [id for leg in operation.wave.legs if leg.returning for id in leg.forces]
    return force.activity == "sea supply" and force.id not in home


def _force(operation: Operation, part: Part) -> Force:
    force = operation.force(part.side, part.id)
    supply = _traces_supply(operation, force)
    return Force(
        force.id,
        force.ships,
        force.light,
        force.cargo,
        supply,
        force.task_force,
        part.mission,
        force.base,
        part.arrives,
        force.activity in CARGO_ACTIVITIES and not supply and not force.cargo,
        inverted=force.inverted,
    )


@rule("22.431", "23.61C")
def _air(operation: Operation, public: Public, side: Side, hex: str) -> Air:
    """22.431. A side's air bases near a hex: its aircraft reach it, a patrol may land there (22.463B), or enemy carriers reach
    them; and how far its own carriers reach, in naval combat as at other times (FP-73)."""
    air = public.air.get(side, Air())
    near = max(air.air_range, NEAR, carrier_reach(public, side.enemy))
    bases = []
    for field in operation.airfields.get(side, ()):
        far = field.distances.get(hex, FAR)
        if not air.air_range or far <= near:
            bases.append(replace(field.base, distance=far, used={}))
    return replace(air, bases=tuple(bases), carrier_range=carrier_reach(public, side))


@rule("22.141", "22.31")
def _begin(
    table: Table,
    setup: Setup,
    contact: Contact,
    hunter: Side,
    parts: Sequence[Part],
    boats: Sequence[Try],
    kind: str,
    start: int = 1,
) -> None:
    """22.141. The forces that meet are put where they meet, and their battle is laid out on the same table."""
    for part in parts:
        force = table.operation.force(part.side, part.id)
        place_forces(table, part.side, [replace(force, place=contact.hex, harbour="")])
    table.record(
        ContactMade(
            rule="22.141",
            to=Audience.EVERYONE,
            contact=contact.id,
            hex=contact.hex,
            hunter=hunter,
            kind=kind,
            forces={side: tuple(sorted(part.id for part in parts if part.side is side)) for side in Side},
        )
    )
    muster(table, battle_setup(table.operation, setup, contact, hunter, parts, boats, kind, start))


def _counts(boats: Sequence[Try]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in boats:
        counts = plus(counts, {each.boat: 1})
    return counts


# -- fighting it out ------------------------------------------------------------------------------


@rule("22.163C", "22.24B", "22.916B")
def bring_boats(table: Table) -> None:
    """22.24B. Submarines that come late are there from their round on (AM-12, 22.163C)."""
    battle, operation = table.battle, table.operation
    contact = operation.wave.contact(operation.contact)
    boats = [each for each in joined(operation, contact) if each.boat]
    if battle.kind != "naval battle" or not boats:
        return
    now = battle.round + empty_rounds(table.rules, operation.theatre, _advances(operation, contact))
    for side in Side:
        fleet = battle.fleets[side]
        due = _counts([each for each in boats if each.side is side and (each.round or 1) <= now])
        missing = minus(minus(minus(due, fleet.submarines), fleet.submarines_spent), fleet.submarines_lost)
        if missing:
            there = plus(fleet.submarines, missing)
            to = Audience.EVERYONE if operation.open else only(side)
            table.record(SubmarinesMustered(rule="22.24B", to=to, side=side, submarines=there))


@rule("22.31", "22.81", "22.92", "22.921", "23.752A")
async def fight_out(table: Table) -> None:
    """22.31. The battle on the table goes on to its end; then what it left is put back on the board."""
    await play_on(table, bring_boats)
    contact = table.operation.wave.contact(table.operation.contact)
    kind, hunter = table.battle.kind, table.battle.interceptor
    missions = await decide_missions(table, contact)
    count_losses(table)
    read_air(table)
    boats = [each for each in joined(table.operation, contact) if each.boat]
    boats_back(table, sorted(boats, key=lambda each: each.round or 1))
    if kind == "naval battle":
        forces = {side: as_forces(table, side, missions.left[side]) for side in Side}
        if contact.level is Level.INTERCEPTION:
            after_interception(table, contact, hunter, forces, missions.adopted)
        else:
            after_counter(table, contact, forces, missions.adopted)
        outcome = "; ".join(table.battle.reasons)
    else:
        attacked = kind == "submarine attack" or table.battle.fleets[hunter].strikes > 0
        after_attack(table, contact, hunter, attacked=attacked)
        outcome = f"{kind} made" if attacked else "nobody was attacked"
        if not contact.air:
            end_tries(table, tries_of(table.operation, contact), "the attack is over")
            patrols_back(table, contact, [])
    table.record(ContactEnded(rule="22.81", to=Audience.EVERYONE, contact=contact.id, outcome=outcome))
