"""22.132, 22.19, 23.75: land-based air against ships on their way, outside naval combat.

A side says once in which hexes of the paths it knows it attacks; in each of them it may still decline, so nothing is
lost by naming all. Interceptors come under attack on their way before the force they are after (22.19A, 22.19B).
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.interception import Level
from flagplot.model.operation import Contact, Leg, Operation
from flagplot.model.operation_events import ContactsSought
from flagplot.rules.air.passage import may_be_attacked_at_sea
from flagplot.rules.naval.activities import describe_leg, is_known, reach_stage
from flagplot.rules.naval.interceptors import air_attack_allowed
from flagplot.rules.naval.passage import air_reach
from flagplot.rules.table import Table


@rule("23.75A.3")
def exempt(operation: Operation, leg: Leg) -> bool:
    """23.75A. Whether aircraft may not attack a voyage: ASW and Western Allied transports between a port and an SW box
    (20.6321)."""
    boxes = [harbour.hex for harbour in operation.sea.harbours[leg.side] if harbour.box == "SW"]
    if leg.purpose == "transports" and (leg.side is Side.AXIS or leg.nation == "Russia"):
        return False
    if leg.start not in boxes and leg.end not in boxes:
        return False
    return not may_be_attacked_at_sea(leg.purpose, to_or_from_port=True)


@rule("22.132A", "22.132B", "23.75A", "23.75A.1")
def sorties_possible(operation: Operation, side: Side) -> list[Contact]:
    """22.132A. Every hex of a known path in which a side may attack ships on passage, not where a battle is due (22.132B);
    if the interceptors may be stopped before it, there too, and the attack is made if they are.

    Its own interceptors' targets and, the other way, the enemy's interceptors and patrols on their way to support (23.75A);
    never submarines (22.917). Ships that wait in the hex of their activity were open to it when they came (23.752A).
    """
    wave = operation.wave
    found: list[Contact] = []
    if side is not wave.side:
        for leg in wave.legs:
            if is_known(wave, leg) and leg.status == "under way" and not leg.waiting and not exempt(operation, leg):
                path = leg.path[1:] if leg.at_sea else leg.path
                battles = [
                    contact.hex for contact in wave.contacts if leg.id in contact.legs and _fought(operation, contact)
                ]
                hexes = _allowed(air_reach(operation, side, path), battles)
                found += [Contact(id="", level=Level.INTERCEPTION, hex=hex, legs=(leg.id,), air=side) for hex in hexes]
    for each in (*wave.tries, *wave.supports):
        if each.side is not side and not each.boat and each.status == "sailing":
            battles = [each.hex, *(contact.hex for contact in wave.contacts if each.id in contact.met)]
            in_port = operation.force(each.side, each.force).harbour  # as they leave it they may be attacked (22.917)
            hexes = _allowed(air_reach(operation, side, each.path if in_port else each.path[1:]), battles)
            level = Level.COUNTER if each.level is Level.INTERCEPTION else Level.COUNTER_COUNTER
            found += [Contact(id="", level=level, hex=hex, met=(each.id,), air=side) for hex in hexes]
    return found


@rule("22.132B")
def _fought(operation: Operation, contact: Contact) -> bool:
    """22.132B. Whether a battle is due in a contact: surface forces come to it in time, and nobody meets them before."""
    wave = operation.wave
    met = [id for other in wave.contacts for id in other.met]
    coming = [each for each in wave.tries if each.contact == contact.id and each.status == "sailing" and not each.boat]
    return any(each.round == 1 and each.id not in met for each in coming)


def _allowed(hexes: Sequence[str], battles: Sequence[str]) -> list[str]:
    return [hex for hex in hexes if all(air_attack_allowed(hex, battle, within_combat=False) for battle in battles)]


@rule("22.132A", "22.19", "22.917", "23.752A", "23.752B", "23.752C.1")
async def announce_sorties(table: Table) -> None:
    """22.19. Each side says in which hexes its land-based air attacks; one sortie in a hex (23.752A)."""
    for side in (table.operation.wave.side, table.operation.wave.side.enemy):
        possible = sorties_possible(table.operation, side)
        if not possible:
            continue
        items = tuple(Item(_key(sortie), _label(table.operation, sortie)) for sortie in possible)
        places = (Place("none", "no attack"), Place("attack", "attacks there"))
        question = "In which hexes does your land-based air attack ships on their way?"
        answer = await Decide(
            side, table.rules.number("23.752A"), "air attacks", question, Form(items, places, rest="none")
        )
        chosen = [sortie for sortie in possible if answer.place(_key(sortie)) == "attack"]
        if chosen:
            first = len(table.operation.wave.contacts) + 1
            contacts = tuple(
                Contact(
                    id=f"C{first + index}",
                    level=sortie.level,
                    hex=sortie.hex,
                    legs=sortie.legs,
                    met=sortie.met,
                    air=sortie.air,
                )
                for index, sortie in enumerate(chosen)
            )
            table.record(ContactsSought(rule="22.132A", to=Audience.EVERYONE, side=side, contacts=contacts))
    reach_stage(table, "resolution")


def _key(sortie: Contact) -> str:
    return f"{(*sortie.legs, *sortie.met)[0]} in {sortie.hex}"


def _label(operation: Operation, sortie: Contact) -> str:
    for leg in operation.wave.legs:
        if leg.id in sortie.legs:
            return f"{describe_leg(leg)} in {sortie.hex}"
    return _key(sortie)
