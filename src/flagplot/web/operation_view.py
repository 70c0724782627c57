"""An operation as JSON, as one audience knows it: who is where, who sails which way, who tries to meet whom (22.1, 22.2).

Built up from an `Operation` and the events that were sent to whoever is shown it, and nothing else (trust.md, opp-1). An
enemy task force is a marker in a side's own picture already, so there is nothing here to be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.operation import STAGES, Airfield, Boats, Contact, Harbour, Leg, NavalForce, Operation, Order, Try
from flagplot.model.operation_events import InterceptionDiceCounted, InterceptionRolled
from flagplot.model.ships import describe
from flagplot.play.wording import hexes, light_parts, listed, submarine_parts
from flagplot.rules.naval.passage import operation_range
from flagplot.scenarios.maps import load_map, map_names
from flagplot.web.pieces import air_base, light_ships, ship, squadrons

# What is done one after the other with voyages announced together, each with its rule.
STEPS = (
    ("announced", "22.15", "Activities announced"),
    ("paths", "22.12", "Paths"),
    ("interceptions", "22.164A", "Interceptions"),
    ("counters", "22.164B", "Counter-interceptions"),
    ("counter-counters", "22.164C", "Counter-counter"),
    ("air", "23.752", "Air on passage"),
    ("resolution", "22.164", "Contacts fought out"),
    ("completion", "22.18", "Completion, return"),
)
MOST_ENDED = 12  # voyages that are over, the last ones
STATES = {
    "announced": "announced",
    "rolled": "has rolled",
    "void": "no attempt",
    "failed": "failed",
    "sailing": "on its way",
    "stopped": "stopped",
    "done": "over",
}


def operation_part(
    operation: Operation, side: Side | None, events: Iterable[Event], *, sees_all: bool = False
) -> dict[str, Any] | None:
    """The operation as far as it is known; None where a battle is fought by itself."""
    waters = operation.waters
    if waters is None:
        return None
    rolls = _rolls(events)
    stage = operation.wave.stage if operation.waves else "announced" if operation.phase else ""
    return {
        "map": waters.map if waters.map in map_names() else "",
        "theatre": operation.theatre,
        "mover": waters.mover.value,
        "phase": operation.phase,
        "phases": _phases(operation),
        "stage": stage,
        "track": _track(stage, over=operation.over),
        "hexes": list(waters.seas),
        "straits": [list(pair) for pair in waters.straits],
        "cards": {each.value: waters.cards.get(each, 0) for each in Side},
        "harbours": _sides(waters.harbours, _harbour),
        "airfields": {
            each.value: [_airfield(field, operation_range(operation, each)) for field in operation.airfields[each]]
            for each in Side
            if each in operation.airfields
        },
        "forces": {
            each.value: [force(one, mine=sees_all or each is side) for one in operation.forces.get(each, ())]
            for each in Side
        },
        "boats": _sides(operation.boats, _boats),
        "orders": [order(one) for each in Side if sees_all or each is side for one in operation.orders.get(each, ())],
        "voyages": [voyage(leg) for wave in reversed(operation.waves) for leg in wave.legs],
        "ended": [voyage(leg) for leg in operation.ended[-MOST_ENDED:]],
        "attempts": [_attempt(each, rolls) for wave in operation.waves for each in (*wave.tries, *wave.supports)],
        "contacts": [_contact(each, operation.contact) for wave in operation.waves for each in wave.contacts],
        "fighting": _fighting(operation),
        "lost": {each.value: _lost(operation, each) for each in Side},
        "where": where(operation),
        "over": operation.over,
    }


def _sides(held: Mapping[Side, Iterable[Any]], shown: Any) -> dict[str, list[dict[str, Any]]]:
    return {each.value: [shown(one) for one in held.get(each, ())] for each in Side}


def _phases(operation: Operation) -> list[dict[str, str]]:
    """The phases that are played: those past, the one we are in, those to come."""
    phases = operation.sea.phases
    left = len(operation.phases_left)
    now = len(phases) - left - 1 if operation.phase else -1
    states = ["past" if operation.over or at < now else "now" if at == now else "next" for at in range(len(phases))]
    return [{"name": name, "state": state} for name, state in zip(phases, states, strict=True)]


def _track(stage: str, *, over: bool) -> list[dict[str, str]]:
    """The steps of the voyages now being worked off."""
    keys = [key for key, _, _ in STEPS]
    assert tuple(keys[1:]) == STAGES
    now = len(keys) if over else keys.index(stage) if stage else -1
    states = ["past" if at < now else "now" if at == now else "next" for at in range(len(keys))]
    return [
        {"key": key, "rule": rule, "title": title, "state": state}
        for (key, rule, title), state in zip(STEPS, states, strict=True)
    ]


# -- who is where ---------------------------------------------------------------------------------


def _harbour(each: Harbour) -> dict[str, Any]:
    return {
        "name": each.name,
        "hex": each.hex,
        "operational": each.operational,
        "fortified": each.fortified,
        "box": each.box,
        "invaded": each.invaded,
    }


def _airfield(field: Airfield, reach: int) -> dict[str, Any]:
    """An air base on the map, and how far its aircraft reach (18, an input); 0 for any distance."""
    return {
        **air_base(field.base),
        "hex": field.hex,
        "reach": reach if reach <= max(field.distances.values(), default=0) else 0,
    }


def force(one: NavalForce, *, mine: bool) -> dict[str, Any]:
    """A force: a marker with nothing in it while it is hidden."""
    return {
        "id": one.id,
        "hex": one.place,
        "harbour": one.harbour,
        "base": one.base,
        "hidden": one.hidden,
        "task_force": one.task_force,
        "on_patrol": one.patrol,
        "inverted": one.inverted,
        "committed": one.committed,
        "attempted": one.attempted,
        "activity": one.activity,
        "factors": None if one.hidden else one.factors,
        "contents": "" if one.hidden else describe(one.ships, one.light),
        "ships": [ship(each, mine=mine) for each in one.ships],
        "light": light_ships(one.light),
        "cargo": [item.name for item in one.cargo],
        "state": state_of(one),
    }


def state_of(one: NavalForce) -> str:
    """What a force is doing, as its marker shows it."""
    parts = [f"in {one.harbour}" if one.harbour else f"on {one.patrol} patrol" if one.patrol else "at sea"]
    parts += [one.activity] if one.activity and not one.patrol else []
    parts += ["inverted"] if one.inverted else []
    parts += ["has tried to intercept in this phase"] if one.attempted else []
    return ", ".join(parts)


def _boats(each: Boats) -> dict[str, Any]:
    parts = {
        "ready": submarine_parts(each.ready),
        "have tried": submarine_parts(each.attempted),
        "at sea": submarine_parts(each.at_sea),
        "inverted": submarine_parts(each.inverted),
    }
    told = [f"{listed(words)} {state}" for state, words in parts.items() if words]
    return {
        "station": each.station,
        "hex": each.hex,
        "patrol": each.patrol,
        "number": each.uninverted + sum(each.inverted.values()),
        "contents": ", ".join(told) or "none left",
    }


def order(each: Order) -> dict[str, Any]:
    """An activity that may be announced: its owner alone knows it."""
    return {
        "name": each.name,
        "kind": each.kind,
        "hex": each.hex,
        "harbour": each.harbour,
        "returns": each.returns,
        "forces": list(each.forces),
        "meet": each.meet,
        "calls": list(each.calls),
        "most": each.most,
    }


def _lost(operation: Operation, side: Side) -> list[str]:
    return [
        *(each.name for each in operation.sunk.get(side, ())),
        *light_parts(operation.sunk_light.get(side, {})),
        *submarine_parts(operation.boats_lost.get(side, {})),
        *operation.cargo_lost.get(side, ()),
    ]


# -- who sails, who tries to meet whom ------------------------------------------------------------


def voyage(leg: Leg) -> dict[str, Any]:
    """A voyage as announced; its path is empty as long as this audience has not been told it."""
    return {
        "id": leg.id,
        "side": leg.side.value,
        "kind": leg.kind,
        "forces": list(leg.forces),
        "start": leg.start,
        "end": leg.end,
        "harbour": leg.harbour,
        "returning": leg.returning,
        "task_forces": leg.task_forces,
        "cargo": leg.cargo,
        "aboard": list(leg.aboard),
        "path": list(leg.path),
        "length": len(leg.path) - 1 if leg.path else None,
        "demanded": leg.demanded,
        "status": leg.status,
    }


class _Rolls(dict[str, dict[str, Any]]):
    """By attempt: the dice that fell, and, for whoever was told, how they were made up."""


def _rolls(events: Iterable[Event]) -> _Rolls:
    found = _Rolls()
    for event in events:
        match event:
            case InterceptionRolled():
                told = found.setdefault(event.attempt, {})
                told |= {"thrown": list(event.dice), "total": event.total}
            case InterceptionDiceCounted():
                lines = [[line.rule, line.reason, line.amount] for line in event.dice.lines]
                found.setdefault(event.attempt, {})["lines"] = lines
    return found


def _attempt(each: Try, rolls: _Rolls) -> dict[str, Any]:
    rolled = rolls.get(each.id, {})
    return {
        "id": each.id,
        "side": each.side.value,
        "level": each.level.value,
        "force": each.force,
        "submarine": bool(each.boat),
        "kind": each.kind,
        "contact": each.contact,
        "hex": each.hex,
        "path": list(each.path),
        "distance": each.distance,
        "dice": each.dice,
        "thrown": rolled.get("thrown", []),
        "total": rolled.get("total"),
        "lines": rolled.get("lines", []),
        "result": each.result,
        "round": each.round,
        "status": each.status,
        "state": STATES[each.status],
    }


def _contact(each: Contact, now: str) -> dict[str, Any]:
    return {
        "id": each.id,
        "level": each.level.value,
        "hex": each.hex,
        "legs": list(each.legs),
        "met": list(each.met),
        "air": str(each.air),
        "done": each.done,
        "now": each.id == now and not each.done,
    }


def _fighting(operation: Operation) -> dict[str, Any] | None:
    """The contact being fought out, or the attack on a base, and the forces in it."""
    forces = {each.value: list(operation.meeting.get(each, ())) for each in Side}
    if operation.raid:
        return {"id": operation.raid.target, "hex": operation.raid.hex, "forces": forces}
    if not operation.contact:
        return None
    contact = operation.wave.contact(operation.contact)
    return {"id": contact.id, "hex": contact.hex, "forces": forces}


# -- the text alternative ---------------------------------------------------------------------------


def where(operation: Operation) -> list[dict[str, Any]]:
    """What is where, hex by hex: all that the map shows, in words."""
    found: dict[str, dict[str, list[str]]] = {}
    names: dict[str, list[str]] = {}

    def put(hex: str, side: Side, words: str) -> None:
        found.setdefault(hex, {each.value: [] for each in Side})[side.value].append(words)

    for side in Side:
        for harbour in operation.sea.harbours.get(side, ()):
            traits = [] if harbour.operational else ["not operational"]
            traits += ["fortified"] if harbour.fortified else []
            traits += ["to be invaded"] if harbour.invaded else []
            put(harbour.hex, side, ", ".join(["box" if harbour.box else "port", *traits]))
            names.setdefault(harbour.hex, []).append(harbour.name)
        for one in operation.forces.get(side, ()):
            what = "unknown" if one.hidden else describe(one.ships, one.light)
            cargo = f", carrying {listed([item.name for item in one.cargo])}" if one.cargo else ""
            put(one.place, side, f"{one.id}: {what}{cargo} ({state_of(one)})")
        for boats in operation.boats.get(side, ()):
            put(boats.hex, side, f"submarines, {_boats(boats)['contents']}")
        for field in operation.airfields.get(side, ()):
            reach = _airfield(field, operation_range(operation, side))["reach"]
            planes = [
                f"{each['number']} {each['label']}"
                for each in (*squadrons(field.base.factors), *squadrons(field.base.squadrons))
            ]
            far = f", reach {hexes(reach)}" if reach else ""
            put(field.hex, side, f"air base {field.base.name}: {listed(planes, 'no aircraft')}{far}")
    chart = load_map(operation.sea.map) if operation.sea.map in map_names() else None
    told = []
    for hex in sorted(found, key=lambda hex: (hex not in names, names.get(hex, [hex])[0])):
        places = [place.name for place in chart.places_in.get(hex, ())] if chart else []
        called = list(dict.fromkeys([*names.get(hex, []), *places]))
        told.append({"hex": hex, "name": listed([each for each in called if each != hex], ""), **found[hex]})
    return told
