"""How the admiral conducts an operation: what sails, and which aircraft fly. He takes the paths that are offered, goes on
with what he has begun, and goes home to where he came from: nothing cleverer was found to be worth having.

Each function answers one kind of decision from what his side knows; policies of doctrine/operations.py weigh things.
Interceptions stand in interceptions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flagplot.bots.bot import rules_of
from flagplot.bots.flying import legal
from flagplot.bots.interceptions import air_there, choose_hex, danger, helpers, intercept, shore
from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Wire
from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.doctrine.chances import strength
from flagplot.doctrine.sight import deck_air
from flagplot.model.interception import CARGO_ACTIVITIES, Level
from flagplot.model.operation import Leg, NavalForce, Operation, Order
from flagplot.model.picture import Picture
from flagplot.model.squadrons import AirBase, squadron
from flagplot.model.state import Fleet
from flagplot.rules.air.ports import COUNTERAIR, SHIPS, port_defenders
from flagplot.rules.naval.carrier_raids import NONE as NO_RAID
from flagplot.rules.naval.carrier_raids import enemy_bases, in_port
from flagplot.rules.naval.passage import shortest
from flagplot.rules.naval.targets import OF
from flagplot.rules.table import Ruleset

FACTOR = 3  # squadrons of an army air factor

# -- activities -------------------------------------------------------------------------


def announce(picture: Picture, decision: Decide) -> Wire:
    """Cargo sails with what escorts it needs, somebody strong stays ready to counter-intercept, the others do what else
    there is to do, all if it is worth the risk."""
    rules, operation = rules_of(picture), picture.operation
    side, form = decision.side, decision.form
    orders = [order for order in operation.orders[side] if any(place.key == order.name for place in form.places)]
    sailing = {item.key: _open(form, item) for item in form.items}
    free = sorted(
        (force for force in operation.forces[side] if force.id in sailing), key=lambda each: (-strength(each), each.id)
    )
    told: dict[str, str] = {}
    landing = any(force.cargo for force in operation.forces[side])
    for force in [each for each in free if each.cargo]:
        able = [order for order in orders if order.name in sailing[force.id] and order.kind in CARGO_ACTIVITIES]
        if able:
            best = max(able, key=lambda order: _order_worth(rules, operation, side, order, [force], landing))
            if doctrine.sails(_order_worth(rules, operation, side, best, [force], landing)):
                told[force.id] = best.name
                _escort(rules, operation, side, best, free, sailing, told)
    rest = [force for force in free if force.id not in told and not force.cargo]
    if told and rest:
        ready = [force for force in rest if not force.patrol]
        kept = ready[:1]  # the strongest, to counter-intercept; patrols stay and support
        rest = [force for force in ready if force not in kept]
    while rest:
        choices = [(order, [force for force in rest if order.name in sailing[force.id]]) for order in orders]
        choices = [(order, forces) for order, forces in choices if forces and order.kind not in CARGO_ACTIVITIES]
        worths = [_order_worth(rules, operation, side, order, forces, landing) for order, forces in choices]
        if not worths or not doctrine.sails(max(worths)):
            break
        order, forces = choices[worths.index(max(worths))]
        told |= {force.id: order.name for force in forces}
        rest = [force for force in rest if force not in forces]
        orders = [each for each in orders if each is not order]
    return told


def _open(form: Form, item: Item) -> list[str]:
    closed = form.barred(item)
    return [place for place in form.places_for(item) if place not in closed and place != "stay"]


def _escort(
    rules: Ruleset,
    operation: Operation,
    side: Side,
    order: Order,
    free: Sequence[NavalForce],
    sailing: Mapping[str, Sequence[str]],
    told: dict[str, str],
) -> None:
    """Others that may go along from the same port do, until the convoy is a match for what may come."""
    convoy = [force for force in free if told.get(force.id) == order.name]
    for force in free:
        together = force.place == convoy[0].place or bool(order.calls)
        if force.id in told or force.cargo or not together or order.name not in sailing[force.id]:
            continue
        met = danger(rules, operation, side, _voyage(operation, side, order, convoy))
        if not doctrine.escorts_enough(_strength_at(rules, operation, side, met.hex, convoy), met.enemy):
            told[force.id] = order.name
            convoy.append(force)


def _voyage(operation: Operation, side: Side, order: Order, forces: Sequence[NavalForce]) -> Leg:
    """A voyage as it would be announced, on the shortest path."""
    path = shortest(operation.sea.seas, forces[0].place, order.hex)
    return Leg(
        id="",
        side=side,
        kind=order.kind,
        forces=tuple(force.id for force in forces),
        start=forces[0].place,
        end=order.hex,
        at_sea=not forces[0].harbour,
        task_forces=sum(force.task_force for force in forces),
        cargo=order.kind in CARGO_ACTIVITIES,
        staying=order.staying,
        ground=order.ground,
        path=path,
    )


def _order_worth(
    rules: Ruleset, operation: Operation, side: Side, order: Order, forces: Sequence[NavalForce], landing: bool
) -> int:
    """What an activity by these forces is worth; those who meet at sea are easily caught one by one."""
    met = danger(rules, operation, side, _voyage(operation, side, order, forces))
    own = _strength_at(rules, operation, side, met.hex, forces)
    if order.meet:
        own = 2 * own // 3
    prize = doctrine.activity_worth(order.kind, int(landing))
    return doctrine.sailing_worth(prize, own, met.enemy, met.chance) if prize else 0


def _strength_at(rules: Ruleset, operation: Operation, side: Side, hex: str, forces: Sequence[NavalForce]) -> int:
    """Forces in a hex with what may help them there."""
    own = sum(map(strength, forces)) + air_there(operation, side, hex)
    return own + helpers(rules, operation, side, hex, [force.id for force in forces])


# -- aircraft -------------------------------------------------------------------------------------


def air_attacks(picture: Picture, decision: Decide) -> Wire:
    """Ships on their way are attacked where most of the squadrons get past the enemy's cover, a few times at most."""
    operation, side = picture.operation, decision.side
    worths: dict[str, list[tuple[int, str]]] = {}
    for item in decision.form.items:
        target, _, hex = item.key.rpartition(" in ")
        worth = doctrine.sortie_worth(shore(operation, side, hex, "attack"), shore(operation, side.enemy, hex, "cover"))
        if worth > 0:
            worths.setdefault(target, []).append((worth, item.key))
    told: dict[str, str] = {}
    for found in worths.values():
        best = sorted(found, key=lambda pair: -pair[0])[: doctrine.MOST_SORTIES]
        told |= {key: "attack" for _, key in best}
    return told


def carrier_raid(picture: Picture, decision: Decide) -> Wire:
    """Carriers attack the base where most is to be had for them and those with them, if its fighters are fewer than they."""
    operation, side, form = picture.operation, decision.side, decision.form
    told: dict[str, str] = {}
    forces = [operation.force(side, item.key) for item in form.items]
    for item, force in zip(form.items, forces, strict=True):
        raiders = sum(
            ship.air for each in forces if each.place == force.place for ship in each.ships if not ship.damaged
        )
        worths = {name: _raid_worth(operation, side, name, raiders) for name in _open(form, item) if name != NO_RAID}
        best = max(worths, key=lambda name: worths[name], default="")
        if best and worths[best] > 0 and any(ship.air for ship in force.ships):
            told[item.key] = best
    return told


def _raid_worth(operation: Operation, side: Side, name: str, raiders: int) -> int:
    """An attack on a base as far as everyone sees what is there; a task force nobody has seen into has something in it."""
    (base,) = [each for each in enemy_bases(operation, side) if each.name == name]
    there = base.field.base if base.field else AirBase(name)
    fighters = FACTOR * sum(there.factors.values()) + sum(there.squadrons.values())
    ships = sum(force.factors or int(force.hidden) for force in in_port(operation, side, base))
    return doctrine.raid_worth(raiders, fighters, ships)


def _raiders(fleet: Fleet) -> int:
    """What could fly against a port, as far as is known; carriers nobody has seen into have somebody aboard."""
    ashore = sum(
        FACTOR * sum(base.factors.values()) + sum(base.squadrons.values())
        for base in fleet.air_bases
        if base.operational
    )
    aboard = sum(deck_air(group) or int(group.hidden or group.fast_carriers > 0) for group in fleet.groups)
    return ashore + aboard


def sortie(picture: Picture, decision: Decide) -> Wire:
    """Against a port: its fighters first if they are many, then its ships with all there is, army air keeping the
    fighters busy."""
    battle, side = picture.battle, decision.side
    units = [item for item in decision.form.items if SHIPS in item.places or COUNTERAIR in item.places]
    if battle.port is None or not units:
        return decision.form.default
    awake = port_defenders(battle.fleets[side.enemy], battle.port, inverted_too=False)
    keys = [*awake, *(item.key.rpartition(OF)[2] for item in units)]
    each = FACTOR if any(squadron(key).kind == "NAS" for key in keys) else 1
    size = {item.key: each if "/AAF" in item.key else 1 for item in units}
    raiders = sum(size[item.key] * item.amount for item in units)
    defenders = sum((each if squadron(key).kind == "AAF" else 1) * number for key, number in awake.items())
    if not doctrine.flies_again(raiders, defenders, battle.round):
        return {}
    fighters = doctrine.counterair(raiders, defenders, battle.round)
    told: dict[str, dict[str, int]] = {}
    for item in sorted(units, key=lambda item: ("/AAS" not in item.key, "/AAF" not in item.key)):
        fighting = 0
        if COUNTERAIR in item.places:
            fighting = min(item.amount, -(-fighters // size[item.key])) if fighters > 0 else 0
            fighters -= fighting * size[item.key]
        told[item.key] = {COUNTERAIR: fighting} if fighting else {}
        if SHIPS in item.places and item.amount > fighting:
            told[item.key][SHIPS] = item.amount - fighting
    return told


def escape(picture: Picture, decision: Decide) -> Wire:
    """Ships leave a port under attack as soon as they may, if another sortie can come; aircraft stay and fight."""
    battle = picture.battle
    if battle.port is None:
        return decision.form.default
    left = battle.port.sorties - battle.round if battle.port.sorties else 1
    if not doctrine.flees(_raiders(battle.fleets[decision.side.enemy]), left):
        return decision.form.default
    ships = [item for item in decision.form.items if any(place.startswith("sea ") for place in item.places)]
    return {item.key: item.places[1] for item in ships}


def _as_offered(picture: Picture, decision: Decide) -> Wire:
    return decision.form.default


def _everybody(picture: Picture, decision: Decide) -> Wire:
    """All that may, at the first target that will do."""
    told: dict[str, Wire] = {}
    for item in decision.form.items:
        for place in decision.form.places[1:]:
            trial = {**told, item.key: {place.key: item.amount}}
            if legal(decision, trial):
                told = trial
                break
    return told


def _nearest(picture: Picture, decision: Decide) -> Wire:
    return intercept(picture, decision, nearest=True)


Wish = Callable[[Picture, Decide], Wire]

OPERATIONS: dict[str, Wish] = {
    "announce": announce,
    str(Level.INTERCEPTION): intercept,
    str(Level.COUNTER): intercept,
    str(Level.COUNTER_COUNTER): intercept,
    "hex": choose_hex,
    "support": _everybody,
    "air attacks": air_attacks,
    "carrier raid": carrier_raid,
    "sortie": sortie,
    "escape": escape,
}


# What an admiral does who lacks a part of this doctrine, by kind of decision.
OPERATION_PARTS: dict[str, dict[str, Wish]] = {
    "activities": {"announce": _as_offered},
    "interception": {str(Level.INTERCEPTION): _as_offered},
    "weighing": {str(level): _everybody for level in Level},
    "hexes": {**{str(level): _nearest for level in Level}, "hex": _as_offered},
    "counters": {str(Level.COUNTER): _as_offered, str(Level.COUNTER_COUNTER): _as_offered},
    "sorties": {"air attacks": _as_offered},
    "ports": {"carrier raid": _as_offered, "sortie": _as_offered, "escape": _as_offered},
}
