"""22.463 Naval air comes home: after all strikes of both sides, before any gun fires.

Squadrons back from strikes and counterair land on undamaged carriers of their naval force; those from patrol may also go
to an air base within three hexes, inverted. The owner says who lands where; whoever finds no place is lost (AN-36).
Squadrons that never left a carrier which the strikes of this round damaged are treated as returning (AN-37); those aboard
one that was damaged before stay there and cannot fly (FP-18).
"""

from __future__ import annotations

from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, OnlyIf, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import AirLanded, AirStatusDecided, DecksFilled
from flagplot.model.ships import Ship, plus
from flagplot.model.squadrons import NEAR, AirBase, Counts, squadron_key, squadron_label, told
from flagplot.model.squadrons import squadron as read_key
from flagplot.model.state import Fleet
from flagplot.rules.naval.combat_groups import both
from flagplot.rules.table import Table

PATROL = "patrol"
RETURNING = "returning"
DECK = "deck "  # marks the places of a form that are carriers
ASHORE = "ashore "
LOST = "lost"


def _carriers(fleet: Fleet, *, damaged: bool) -> list[Ship]:
    return [s for group in fleet.groups for s in group.ships if s.is_carrier and s.damaged == damaged]


@rule("22.463B")
def bases_for_patrols(fleet: Fleet) -> list[AirBase]:
    """22.463B. Air bases within three hexes that have room: naval air from patrol may land there, inverted."""
    return [base for base in fleet.air_bases if base.distance <= NEAR and base.room]


def _airborne(fleet: Fleet) -> list[tuple[str, str, str, int]]:
    """Everything that must land: item, label, squadron key, number."""
    flying: Counts = fleet.patrol_left
    for group in fleet.groups:
        flying = plus(flying, group.patrol)
    waiting = [
        (f"{RETURNING}|{key}", f"returning: {squadron_label(key)}", key, number) for key, number in fleet.aloft.items()
    ]
    waiting += [
        (f"{ship.id}|{key}", f"aboard damaged {ship.name}: {squadron_label(key)}", key, number)
        for ship in _carriers(fleet, damaged=True)
        if ship.id in fleet.newly_damaged
        for key, number in ship.wing.items()
    ]
    return waiting + [(f"{PATROL}|{k}", f"from patrol: {squadron_label(k)}", k, n) for k, n in flying.items()]


@rule("22.463", "22.463B", "22.463C")
def landing_form(fleet: Fleet) -> Form:
    """22.463. Who lands where: no carrier takes more than she has room for, and nobody is lost for whom there is room
    aboard."""
    waiting = _airborne(fleet)
    room = {DECK + ship.id: ship.size - ship.air for ship in _carriers(fleet, damaged=False) if ship.air < ship.size}
    names = {ship.id: ship.name for ship in _carriers(fleet, damaged=False)}
    shore = {ASHORE + base.name: base.room for base in bases_for_patrols(fleet)}
    places = [Place(key, f"lands on {names[key.removeprefix(DECK)]} (room for {room[key]})") for key in room]
    places += [Place(key, f"lands at {key.removeprefix(ASHORE)}, inverted") for key in shore]
    places.append(Place(LOST, "is lost"))
    items: list[Item] = []
    for item, label, _, number in waiting:
        open_places = (*room, *shore, LOST) if item.startswith(f"{PATROL}|") else (*room, LOST)
        items.append(Item(item, label, number, (open_places[-1], *open_places[:-1])))
    limits: list[Limit] = []
    for place, most in room.items():
        cells = tuple((item.key, place, 1) for item in items)
        ship = names[place.removeprefix(DECK)]
        limits.append(AtMost(cells, most, "22.463", f"{ship} has room for {most} more."))
    for place, most in shore.items():
        cells = tuple((item.key, place, 1) for item in items if place in item.places)
        base_name = place.removeprefix(ASHORE)
        limits.append(AtMost(cells, most, "22.463B", f"{base_name} has room for {most} more (18.1)."))
    lost = tuple((item.key, LOST) for item in items)
    aboard = tuple((item.key, place) for item in items for place in room)
    why = "Squadrons are lost only if there is no room aboard for them."
    limits.append(OnlyIf(lost, aboard, sum(room.values()), "22.463", why))
    return Form(tuple(items), tuple(places), tuple(limits), default=_default(items, room | shore))


def _default(items: list[Item], room: dict[str, int]) -> dict[str, dict[str, int]]:
    """Returning squadrons first, carrier by carrier; patrols last, ashore if need be."""
    left = dict(room)
    told: dict[str, dict[str, int]] = {}
    for item in items:
        waiting = item.amount
        for place in item.places[1:]:
            here = min(waiting, left[place])
            if here:
                told.setdefault(item.key, {})[place] = here
                left[place] -= here
                waiting -= here
    return told


@rule("22.463", "22.463A", "23.74D")
async def land(table: Table) -> None:
    """22.463. Both sides bring their naval air down. That they are asked tells nothing: they are asked always."""
    forms = {side: landing_form(table.fleet(side)) for side in Side}
    question = "The strikes are over: where does your naval air land?"
    answers = await both(table, table.rules.number("22.463"), "landing", question, forms)
    for side in table.battle.sides:
        _record(table, side, answers[side])


def _record(table: Table, side: Side, answer: Answer) -> None:
    left: dict[str, dict[str, int]] = {}
    decks: dict[str, dict[str, int]] = {}
    ashore: dict[str, int] = {}
    lost: dict[str, int] = {}
    for item, placed in answer.cells.items():
        source, _, key = item.partition("|")
        for place, number in placed.items():
            if source not in (PATROL, RETURNING):
                left[source] = plus(left.get(source, {}), {key: number})
            if place.startswith(DECK):
                ship = place.removeprefix(DECK)
                decks[ship] = plus(decks.get(ship, {}), {key: number})
            elif place.startswith(ASHORE):
                nation, kind, state, _ = read_key(key)
                ashore = plus(ashore, {squadron_key(nation, kind, state, place.removeprefix(ASHORE)): number})
            else:
                lost = plus(lost, {key: number})
    table.record(DecksFilled(rule="22.463", to=only(side), side=side, left=left, decks=decks))
    table.record(AirLanded(rule="22.463", to=Audience.EVERYONE, side=side, ashore=told(ashore), lost=told(lost)))


@rule("22.435")
def settle_air_bases(table: Table) -> None:
    """22.435. After the battle, land-based air that the last counterair made abort is inverted for the player turn."""
    for side in table.battle.sides:
        for base in table.fleet(side).air_bases:
            still_there = {key: min(n, base.squadrons.get(key, 0)) for key, n in base.aborted.items()}
            inverted = {key: number for key, number in still_there.items() if number}
            if inverted:
                table.record(
                    AirStatusDecided(rule="22.435", to=Audience.EVERYONE, side=side, base=base.name, inverted=inverted)
                )
