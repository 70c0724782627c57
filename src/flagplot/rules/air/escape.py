"""23.46 Ships and aircraft leave a base to avoid air attack, after at least one round of it.

Where they may go is an input: the air bases listed beside the port are within staging range and were not attacked in the
phase unless they are said not to be operational; the naval bases listed can receive ships and are out of enemy air range
unless they are invaded (18.523, 21.112, 21.23 and 21.3613 are not held).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import AircraftFled
from flagplot.model.air_fold import INVERTED
from flagplot.model.events import Returned, RoundBegan, SegmentBegan
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import plus
from flagplot.model.squadrons import AirBase, Port, at_base, squadron_label, told
from flagplot.model.state import Base, Fleet
from flagplot.rules.air.ports import airfield, end_attack, fly_sortie, port_of, ready_port
from flagplot.rules.naval.combat_groups import unit_label
from flagplot.rules.naval.withdrawal import depart
from flagplot.rules.table import Table

STAY = "stay"
BY_AIR, BY_SEA = "air ", "sea "  # mark the places of a form
FACTOR = 3  # squadrons' room that a factor takes


@rule("23.46", "23.46A", "23.46B", "23.46C")
def may_flee(*, attacked: bool, patrol_attacked_near: bool = False, patrol_fought_near: bool = False) -> bool:
    """23.46. Whether units in range of enemy air may leave their base: after a round of air attacks on them, of air attacks
    by a patrol near them on another base, or of naval combat against such a patrol."""
    return attacked or patrol_attacked_near or patrol_fought_near


@rule("23.461A")
def airfields_to_flee_to(fleet: Fleet, port: Port) -> list[AirBase]:
    """23.461A. Air bases that aircraft may leave for: with room, and neither attacked now nor earlier in the phase."""
    return [base for base in fleet.air_bases if base.name != port.name and base.operational and base.room]


@rule("23.462A")
def may_take_in_ships(*, able: bool, in_enemy_air_range: bool) -> bool:
    """23.462A. Whether ships may flee to a base: in range and able to receive them, and neither uninverted enemy air from
    land nor a patrol reaches it."""
    return able and not in_enemy_air_range


@rule("23.462A")
def bases_to_flee_to(bases: Sequence[Base]) -> list[Base]:
    """23.462A. The nearest naval base that can receive ships; all that are equally near, for their owner to choose."""
    able = [base for base in bases if not base.invaded]
    nearest = min((base.distance for base in able), default=0)
    return [base for base in able if base.distance == nearest]


def _aircraft(fleet: Fleet, port: Port) -> list[tuple[str, int, int]]:
    """What could fly away: key, number, and the room one takes."""
    base = airfield(fleet, port)
    found = [(key, number, FACTOR) for key, number in at_base(base.factors, base.name).items()]
    found += [(key, number, FACTOR) for key, number in at_base(base.inverted_factors, base.name + INVERTED).items()]
    known = [key for key, _, _ in found]
    for counts in (at_base(base.squadrons, base.name), at_base(base.inverted, base.name + INVERTED)):
        found += [(key, number, 1) for key, number in counts.items() if key not in known]
    return found


@rule("23.46", "23.461", "23.461A", "23.462", "23.462A")
def escape_form(fleet: Fleet, port: Port) -> Form:
    """23.46. Who leaves, and for where: aircraft for bases with room, ships for the nearest base; each by itself (AN-41)."""
    fields, bases = airfields_to_flee_to(fleet, port), bases_to_flee_to(fleet.bases)
    by_air = (STAY, *(BY_AIR + base.name for base in fields))
    by_sea = (STAY, *(BY_SEA + base.name for base in bases))
    flying = _aircraft(fleet, port)
    items = [Item(key, squadron_label(key), number, by_air) for key, number, _ in flying]
    for group in fleet.groups:
        items += [Item(ship.id, unit_label(group, ship.id), 1, by_sea) for ship in group.ships]
        items += [Item(key, unit_label(group, key), number, by_sea) for key, number in group.light.items()]
    limits: list[Limit] = []
    for base in fields:
        cells = tuple((key, BY_AIR + base.name, room) for key, _, room in flying)
        why = f"{base.name} has room for {base.room} more squadrons, three to a factor (18.1)."
        limits.append(AtMost(cells, base.room, "23.461A", why))
    places = [Place(STAY, "stays")]
    places += [Place(BY_AIR + base.name, f"flies to {base.name}, inverted") for base in fields]
    places += [Place(BY_SEA + base.name, f"sails to {base.name}") for base in bases]
    return Form(tuple(items), tuple(places), tuple(limits), rest=STAY)


@rule("23.46", "23.46A", "23.461B", "23.462", "23.54")
async def leave_port(table: Table) -> None:
    """23.46. A sortie is over: the owner of the port says who leaves. Then the attacker may fly another.

    He is asked after every sortie; where ships could go is for him to know.
    """
    owner, port = table.battle.interceptor.enemy, port_of(table)
    question = f"A sortie against {port.name} is over: who leaves the port to avoid the next?"
    answer = await Decide(owner, "23.46", "escape", question, escape_form(table.fleet(owner), port))
    _fly_away(table, owner, port, answer)
    _sail_away(table, owner, answer)
    if table.battle.round == port.sorties:
        end_attack(table, "no further sortie may be flown (23.54)")
        return
    table.record(RoundBegan(rule="23.54", to=Audience.EVERYONE, round=table.battle.round + 1))
    table.record(SegmentBegan(rule="23.54", to=Audience.EVERYONE, segment="sortie"))


def _fly_away(table: Table, owner: Side, port: Port, answer: Answer) -> None:
    names = [base.name for base in table.fleet(owner).air_bases]
    moves = {name: told(held) for name in names if (held := answer.held_by(BY_AIR + name))}
    if moves:
        table.record(AircraftFled(rule="23.461", to=Audience.EVERYONE, side=owner, base=port.name, moves=moves))


def _sail_away(table: Table, owner: Side, answer: Answer) -> None:
    fleet = table.fleet(owner)
    parcels: list[tuple[str, CombatGroup]] = []
    for group in fleet.groups:
        for base in fleet.bases:
            held = answer.held_by(BY_SEA + base.name)
            ships = tuple(ship for ship in group.ships if ship.id in held)
            counts = {key: held[key] for key in group.light if key in held}
            if ships or counts:
                parcels.append((base.name, replace(group, ships=ships, light=counts)))
    if not parcels:
        return
    leaving = parcels[0][1]
    for _, parcel in parcels[1:]:
        leaving = replace(leaving, ships=(*leaving.ships, *parcel.ships), light=plus(leaving.light, parcel.light))
    depart(table, owner, [leaving], "23.462")
    for base_name, parcel in parcels:
        table.record(
            Returned(
                rule="23.462A",
                to=only(owner),
                side=owner,
                group=parcel,
                base=base_name,
                inverted=parcel.inverted,
                why="they leave a port under air attack as if displaced (23.462A)",
            )
        )


# The segments of an air attack on a port.
PORT: dict[str, Callable[[Table], Awaitable[None] | None]] = {
    "formation": ready_port,
    "sortie": fly_sortie,
    "escape": leave_port,
}
