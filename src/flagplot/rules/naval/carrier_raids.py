"""23.46, 23.61, 23.63: within an operation carriers attack enemy bases, from their patrol hex or the hex of their mission.

A patrol does so at the beginning of the combat phase (FP-72), a fast carrier mission, alone or combined with another mission,
when it has come to its mission hex; on its way to its patrol hex a patrol may attack aircraft only. The attack itself is
flown on the same table (rules/air/ports.py). Who could is asked whether he has carriers or not: that is his secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Limit, Place, barred
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.forces import Cargo, CombatGroup, Force
from flagplot.model.operation import ON_THE_WAY, Airfield, Harbour, Leg, NavalForce, Operation, Raid, Wave
from flagplot.model.operation_events import RaidBegan, RaidEnded, RaidsAnnounced, SunkInPort
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import as_seen
from flagplot.model.squadrons import Port
from flagplot.model.state import Base, Homecoming
from flagplot.rules.air.ports import carriers_may_attack_base
from flagplot.rules.naval.activities import under_way
from flagplot.rules.naval.battle import muster, play_on
from flagplot.rules.naval.contacts import under_invasion
from flagplot.rules.naval.homecoming import as_forces, count_losses, read_air
from flagplot.rules.naval.passage import FAR, air_reach, carrier_reach, distances, place_forces, shortest
from flagplot.rules.naval.regrouping import members
from flagplot.rules.table import Table

NONE = "none"
RAIDERS = "fast carrier mission"
IN_PATROL_HEX, IN_MISSION_HEX = "patrol hex", "mission hex"
OF_THE_COMBAT_PHASE = "combat"


class EnemyBase(NamedTuple):
    """A hex with a port or an air base of the enemy, by the name of the air base if there is one."""

    name: str
    harbour: Harbour | None
    field: Airfield | None

    @property
    def hex(self) -> str:
        """Where it lies."""
        return self.harbour.hex if self.harbour else self.field.hex if self.field else ""

    def far(self, hex: str) -> int:
        """How far it is for aircraft from a hex at sea."""
        return (self.field.distances if self.field else self.harbour.flights if self.harbour else {}).get(hex, FAR)


class Raider(NamedTuple):
    """A force whose carriers could attack something now: from which hexes, and at what occasion."""

    force: NavalForce
    occasion: str
    hexes: tuple[str, ...]


# -- who may attack what --------------------------------------------------------------------------


def enemy_bases(operation: Operation, side: Side) -> list[EnemyBase]:
    """The bases of a side's enemy: a port and an air base in one hex are one."""
    owner = side.enemy
    fields = {field.hex: field for field in operation.airfields.get(owner, ())}
    ports = {port.hex: port for port in operation.sea.harbours[owner] if not port.box}
    found = []
    for hex in dict.fromkeys((*ports, *fields)):
        field, port = fields.get(hex), ports.get(hex)
        found.append(EnemyBase(field.base.name if field else ports[hex].name, port, field))
    return found


def in_port(operation: Operation, side: Side, base: EnemyBase) -> list[NavalForce]:
    """The enemy's ships in a base, those on their way somewhere not counted."""
    busy = under_way(operation)
    name = base.harbour.name if base.harbour else ""
    return [each for each in operation.forces[side.enemy] if name and each.harbour == name and each.id not in busy]


def _aircraft(base: EnemyBase) -> bool:
    there = base.field.base if base.field else None
    return bool(there and (there.factors or there.squadrons or there.inverted or there.inverted_factors))


@rule("23.61", "23.61A", "23.61B")
def worth_attacking(operation: Operation, side: Side, occasion: str) -> list[EnemyBase]:
    """23.61. Bases with something in them that carriers may attack at an occasion; everyone sees what lies there."""
    ships = carriers_may_attack_base(occasion, ships=True)
    return [
        base for base in enemy_bases(operation, side) if _aircraft(base) or (ships and in_port(operation, side, base))
    ]


@rule("23.61", "23.61A", "23.61B")
def raiders_due(operation: Operation, public: Public) -> list[Raider]:
    """23.61. Forces of the moving side that have not yet said whom their carriers attack, and could attack somebody."""
    side, reach = operation.sea.mover, carrier_reach(public, operation.sea.mover)
    found = [each for each in _raiders(operation, side) if each.force.id not in operation.raided]
    return [
        each
        for each in found
        if any(_nearest(base, each.hexes) <= reach for base in worth_attacking(operation, side, each.occasion))
    ]


def _raiders(operation: Operation, side: Side) -> list[Raider]:
    """Forces in their patrol hex in the combat phase, in the hex of a carrier mission, or on their way to a patrol hex."""
    busy = under_way(operation)
    found: list[Raider] = []
    for force in operation.forces[side]:
        if force.inverted or force.harbour:
            continue
        if force.patrol == "offensive" and force.id not in busy and not operation.waves:
            if operation.phase == OF_THE_COMBAT_PHASE and operation.announcing:
                found.append(Raider(force, IN_PATROL_HEX, (force.place,)))
        elif force.id not in busy and _on_carrier_mission(operation, force):
            found.append(Raider(force, IN_MISSION_HEX, (force.place,)))
    if operation.waves and operation.wave.side is side and _met_by_now(operation.wave):
        for leg in operation.wave.legs:
            if leg.kind == "patrol" and leg.status == "under way" and not leg.returning:
                forces = [operation.force(side, id) for id in leg.forces]
                found += [Raider(force, ON_THE_WAY, _way(operation, leg)) for force in forces if not force.inverted]
    return found


@rule("22.22G.3", "23.61A")
def _met_by_now(wave: Wave) -> bool:
    """22.22G. Whether it has been said where the voyages of a wave will be met, if anywhere: before the dice for it, for what
    a patrol attacks on its way has spotted it (FP-106)."""
    announced = any(each.status == "announced" for each in wave.tries)
    return wave.stage in ("air", "completion") or (wave.stage == "interceptions" and announced)


@rule("23.61B")
def _on_carrier_mission(operation: Operation, force: NavalForce) -> bool:
    """23.61B. Whether a force has come to the hex of its fast carrier mission, alone or combined with another mission."""
    return any(
        leg.order == force.order and leg.end == force.place and leg.status == "completed" and not leg.bound_for
        for leg in operation.ended
        if leg.order and not leg.returning and (leg.kind == RAIDERS or leg.carrier_mission)
    )


@rule("23.61A")
def _way(operation: Operation, leg: Leg) -> tuple[str, ...]:
    """23.61A. The hexes a patrol enters from which it may attack aircraft: before anybody meets it, and before its patrol
    hex. What nobody was told of a path plays no part: the shortest way counts then."""
    path = leg.path if leg.demanded else shortest(operation.sea.seas, leg.start, leg.end)
    met = [contact.hex for contact in operation.wave.contacts if leg.id in contact.legs]
    ends = [index for index, hex in enumerate(path) if hex in met]
    return path[1 : min((*ends, len(path) - 1))]


def _nearest(base: EnemyBase, hexes: Iterable[str]) -> int:
    return min(map(base.far, hexes), default=FAR)


@rule("23.61", "23.61A", "23.61B", "23.63")
def raid_form(operation: Operation, public: Public, raiders: Sequence[Raider]) -> Form:
    """23.61. Which base each force attacks, one of those within reach of its carriers, or none."""
    side, reach = operation.sea.mover, carrier_reach(public, operation.sea.mover)
    bases = {each.name: each for each in worth_attacking(operation, side, raiders[0].occasion)}  # the same for all
    limits: list[Limit] = []
    for raider in raiders:
        for name, base in bases.items():
            if _nearest(base, raider.hexes) > reach:
                why = f"{name} is out of reach of its carriers, which fly {reach} hexes."
                limits.append(barred(raider.force.id, name, "23.61", why))
    items = tuple(Item(each.force.id, f"{each.force.id}, {each.occasion} {each.force.place}") for each in raiders)
    places = (Place(NONE, "attack no base"), *(Place(name, f"attack {name}") for name in bases))
    return Form(items, places, tuple(limits), rest=NONE)


@rule("23.61", "23.61A", "23.61B", "23.63")
async def announce_raids(table: Table, setup: Setup) -> None:
    """23.61. The owner of forces that could attack bases says which they do; those in one hex attack together."""
    operation, side = table.operation, table.operation.sea.mover
    raiders = raiders_due(operation, setup.public)
    bases = {base.name: base for base in enemy_bases(operation, side)}
    question = "Which enemy bases do your carriers attack?"
    answer = await Decide(side, "23.61", "carrier raid", question, raid_form(operation, setup.public, raiders))
    chosen: dict[tuple[str, str, str], list[str]] = {}
    for each in raiders:
        name = answer.place(each.force.id)
        if name != NONE:
            hex = min(each.hexes, key=bases[name].far)
            chosen.setdefault((hex, name, each.occasion), []).append(each.force.id)
    table.record(
        RaidsAnnounced(
            rule="23.61",
            to=Audience.EVERYONE,
            side=side,
            forces=tuple(each.force.id for each in raiders),
            raids=tuple(
                Raid(side=side, hex=hex, target=name, occasion=occasion, forces=tuple(forces))
                for (hex, name, occasion), forces in chosen.items()
            ),
        )
    )


# -- the attack -----------------------------------------------------------------------------------


@rule("23.414", "23.51.3", "23.61", "23.63")
def begin_raid(table: Table, setup: Setup) -> None:
    """23.63. The next attack is laid out on the table, or there is nothing left to attack."""
    operation = table.operation
    raid = operation.raids[0]
    (base,) = [each for each in enemy_bases(operation, raid.side) if each.name == raid.target]
    if base.name not in [each.name for each in worth_attacking(operation, raid.side, raid.occasion)]:
        why = "nothing is left to attack there"
        table.record(RaidEnded(rule="23.54", to=Audience.EVERYONE, target=raid.target, outcome=why))
        return
    ships = carriers_may_attack_base(raid.occasion, ships=True)
    defenders = tuple(each.id for each in in_port(operation, raid.side, base)) if ships else ()
    forces = {raid.side: raid.forces, raid.side.enemy: defenders}
    table.record(RaidBegan(rule="23.61", to=Audience.EVERYONE, raid=replace(raid, begun=True), forces=forces))
    muster(table, raid_setup(table.operation, setup, base))


@rule("23.414", "23.461A", "23.462A", "23.51.3", "23.63")
def raid_setup(operation: Operation, setup: Setup, base: EnemyBase) -> Setup:
    """23.63. An attack on a base: the carriers and nobody else's aircraft, what lies there, and where it may flee to."""
    raid, public = operation.raids[0], setup.public
    owner = raid.side.enemy
    fields = [replace(base.field.base, distance=0)] if base.field else []
    for field in operation.airfields.get(owner, ()):
        if field is not base.field and field.base.name not in operation.attacked:  # 23.461A
            fields.append(replace(field.base, distance=field.distances.get(base.hex, FAR)))
    port = Port(base.name)
    if base.harbour and base.harbour.defenses:
        port = replace(base.harbour.defenses, name=base.name)
    air = {
        raid.side: replace(public.air.get(raid.side, Air()), bases=()),  # never together with land-based air (23.51)
        owner: replace(public.air.get(owner, Air()), bases=tuple(replace(each, used={}) for each in fields)),
    }
    mission = "carrier mission" if raid.occasion == IN_MISSION_HEX else "patrol"
    forces = {
        side: tuple(_force(operation.force(side, id), mission if side is raid.side else "patrol") for id in ids)
        for side, ids in operation.meeting.items()
    }
    return Setup(
        public=replace(
            public,
            operation=UNSET,
            title=f"{operation.title}: {base.name}",
            kind="port attack",
            interceptor=raid.side,
            aircraft=True,
            submarines=False,
            air=air,
            port=port,
        ),
        sides={
            side: Secret(
                forces=forces[side],
                impaired=setup.sides[side].impaired,
                bases=_refuges(operation, public, base) if side is owner else (),
            )
            for side in Side
        },
    )


def _force(force: NavalForce, mission: str) -> Force:
    return Force(
        force.id,
        force.ships,
        force.light,
        task_force=force.task_force,
        mission=mission,
        base=force.base,
        inverted=force.inverted,
    )


@rule("23.462A")
def _refuges(operation: Operation, public: Public, base: EnemyBase) -> tuple[Base, ...]:
    """23.462A. Where ships may flee to: friendly ports out of air range of the enemy's land-based air and patrols, and not
    under invasion. How far they may sail and what a port holds (21.112, 21.3613) is not held: any distance, any number."""
    side, reach = operation.sea.mover, carrier_reach(public, operation.sea.mover)
    patrols = [force.place for force in operation.forces[side] if force.patrol]
    far = distances(operation.sea.seas, base.hex)
    return tuple(
        Base(each.harbour.name, far[each.hex], under_invasion(operation, side.enemy, each.harbour))
        for each in enemy_bases(operation, side)
        if each.harbour and each.hex in far and each.hex != base.hex
        if not air_reach(operation, side, [each.hex]) and _nearest(each, patrols) > reach
    )


@rule("23.46", "23.462", "23.54", "23.63")
async def fly_raid(table: Table) -> None:
    """23.63. The attack on the table is flown to its end; then what it left is put back on the board."""
    await play_on(table)
    raid = table.operation.raids[0]
    count_losses(table)
    for side in Side:
        fleet = table.battle.fleets[side]
        if fleet.hulks:
            ships = tuple(map(as_seen, fleet.hulks))
            table.record(SunkInPort(rule="23.443B", to=Audience.EVERYONE, side=side, port=raid.target, ships=ships))
    read_air(table)
    for side in Side:
        _put_back(table, side)
    outcome = "; ".join(table.battle.reasons)
    table.record(RaidEnded(rule="23.54", to=Audience.EVERYONE, target=raid.target, outcome=outcome))


@rule("22.13G", "23.462", "23.462A")
def _put_back(table: Table, side: Side) -> None:
    """23.462. The forces of a side as an attack on a base left them; those that fled are at sea, on their way to another."""
    operation, fleet = table.operation, table.battle.fleets[side]
    before = [operation.force(side, id) for id in operation.meeting[side]]
    parcels = [Homecoming(group, "", False, "") for group in (*fleet.groups, *fleet.home) if group.afloat]
    cargo = {force.id: list(force.cargo) for force in before}
    left = [
        member._replace(
            home=replace(home, inverted=origin.inverted, group=_as_it_was(home.group, origin, cargo[origin.id]))
        )
        for member in (members([*parcels, *fleet.returned], before) if before else ())
        for origin, home in (member,)
    ]
    for after in as_forces(table, side, left):
        if not after.goes_on:
            fled = replace(after.force, harbour="", activity="escape", order="")
            place_forces(table, side, [fled])


def _as_it_was(group: CombatGroup, origin: NavalForce, cargo: list[Cargo]) -> CombatGroup:
    """Ships of a force after an attack: a task force if they were one, and with what they can still carry of this cargo,
    which is taken from it; what nobody can carry stays ashore."""
    kept: list[Cargo] = []
    for item in tuple(cargo):
        if sum(each.needs for each in kept if each.by == item.by) + item.needs <= group.capacity[item.by]:
            kept.append(item)
            cargo.remove(item)
    return replace(group, task_force=origin.task_force, cargo=tuple(kept))
