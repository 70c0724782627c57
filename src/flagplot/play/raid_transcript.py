"""Air attacks outside naval combat as sentences: on ships on passage, and on ports. See air_transcript.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flagplot.core.events import Event
from flagplot.model import air_events as ev
from flagplot.model.ships import plus
from flagplot.model.squadrons import Port
from flagplot.play.wording import Names, agreeing, air_result, counted, listed, rolled

FORTIFICATIONS = ("", "a fortification", "a fortress")

# -- on passage ---------------------------------------------------------------------------------


def _announced(event: ev.AirAttackAnnounced, names: Names) -> str:
    return f"{names.sides[event.side]} announces an air attack on {names.of(event.side.enemy)} force"


def _drawn(event: ev.SharersDrawn, names: Names) -> str:
    sharers = listed([f"CG{number}" for number in event.sharers])
    return f"{sharers} share the search number {event.number}: {rolled(event.dice)}, CG{event.found} is found"


def _declared(event: ev.StrikeDeclared, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons))
    target = names.group(event.side.enemy, event.number)
    return f"{names.sides[event.side]} declares a strike on {target} with {squadrons}"


def _flown(event: ev.DeclaredStrikeFlown, names: Names) -> str:
    squadrons = listed(names.squadrons(event.side, event.squadrons))
    target = names.group(event.side.enemy, event.number)
    if event.lapsed:
        return f"{target} is gone: the strike with {squadrons} goes home"
    return f"{names.sides[event.side]} strikes {target} with {squadrons}"


# -- in port ------------------------------------------------------------------------------------


def port_facts(port: Port) -> list[str]:
    """What stands in a port's hex against aircraft, in words."""
    facts = [
        (f"{port.symbols} cities and ports", port.symbols > 1),
        (counted(port.flak, "flak factor"), port.flak),
        (counted(port.airbases, "airbase"), port.airbases),
        (counted(port.objectives, "objective"), port.objectives),
        (counted(port.anchors, "anchor"), port.anchors),
        (FORTIFICATIONS[port.fortification], port.fortification),
        (f"at most {counted(port.sorties, 'sortie')}", port.sorties),
    ]
    return [text for text, there in facts if there]


def _port(event: ev.PortListed, names: Names) -> str:
    facts = port_facts(event.port)
    return f"The port is {event.port.name}{': ' if facts else ''}{listed(facts, '')}"


def _deck_air(event: ev.DeckAirShown, names: Names) -> str:
    aboard = listed(names.squadrons(event.side, event.squadrons), "no naval air that can fly")
    return f"Aboard {names.of(event.side)} carriers in port: {aboard}"


def _sortie(event: ev.SortieAnnounced, names: Names) -> str:
    parts = []
    if event.counterair:
        too = ", inverted ones too," if event.inverted_too else ""
        parts.append(f"against the aircraft{too} {listed(names.squadrons(event.side, event.counterair))}")
    if event.ships:
        parts.append(f"against the ships {listed(names.squadrons(event.side, event.ships))}")
    return f"{names.sides[event.side]} sends to {names.port}: {'; '.join(parts)}"


def _recombined(event: ev.AirRecombined, names: Names) -> str:
    before = names.squadrons(event.side, plus(event.squadrons, event.inverted))
    after = names.air_factors(event.side, event.factors)
    after += [f"{part} inverted" for part in names.air_factors(event.side, event.inverted_factors)]
    lost = listed(names.squadrons(event.side, event.lost, home=event.base), "")
    verb = agreeing(before, "becomes", "become")
    end = f"; {lost} is left over and lost" if lost else ""
    return f"At {event.base} {names.of(event.side)} {listed(before)} {verb} {listed(after, 'no factor')}{end}"


def _fought(event: ev.PortAirFought, names: Names) -> str:
    owner, net = event.side.enemy, event.modifiers.total
    attackers = names.squadrons(event.side, event.attackers)
    defenders = names.squadrons(owner, event.defenders, home=event.base)
    verb = agreeing(attackers, "meets", "meet")
    parts = []
    for side, modifier in ((event.side, net), (owner, -net)):
        if side in event.dice:
            result = air_result(event.eliminated[side], event.aborted[side])
            row = f"{names.sides[side]} on row {event.rows[side]}"
            parts.append(f"{row}: {rolled(event.dice[side], modifier)}, {result}")
        else:
            parts.append(f"{names.sides[side]} does not counterair and does not roll")
    who = f"{names.of(event.side)} {listed(attackers)} {verb} {listed(defenders)}"
    return f"Over {event.base} {who}. {'; '.join(parts)}"


def _ended(event: ev.PortAirEnded, names: Names) -> str:
    owner = event.side.enemy
    lost, turned = names.squadrons(event.side, event.lost), names.squadrons(event.side, event.aborted)
    parts = [f"Over {event.base} {names.sides[event.side]} loses {listed(lost)}"]
    parts += [f"{listed(turned)} {agreeing(turned, 'turns', 'turn')} back"] if turned else []
    going_on = names.squadrons(event.side, event.going_on)
    parts += [f"{listed(going_on)} {agreeing(going_on, 'goes', 'go')} on to the ships"] if going_on else []
    base_lost = names.squadrons(owner, event.base_lost, home=event.base)
    base_aborted = names.squadrons(owner, event.base_aborted, home=event.base)
    parts += [f"{names.sides[owner]} loses {listed(base_lost)}"] if base_lost else []
    verb = agreeing(base_aborted, "is", "are")
    parts += [f"{names.of(owner)} {listed(base_aborted)} {verb} driven off"] if base_aborted else []
    return "; ".join(parts)


def _ship_hit(event: ev.ShipHitInPort, names: Names) -> str:
    if event.fate == "destroyed":
        return f"{event.name} is destroyed"
    told = {"damaged": "is damaged", "sunk in port": "sinks at her moorings"}
    fate = told.get(event.fate, "no effect: in port they are made good at once")
    return f"{event.name} takes {counted(event.hits, 'hit')}{' and ' if event.fate in told else ', '}{fate}"


def _fled(event: ev.AircraftFled, names: Names) -> str:
    parts = [
        f"{listed(names.squadrons(event.side, counts, home=event.base))} for {base}"
        for base, counts in event.moves.items()
    ]
    return f"{names.of(event.side)} aircraft leave {event.base}, inverted: {'; '.join(parts)}"


def _inverted(event: ev.PortAirInverted, names: Names) -> str:
    squadrons = names.squadrons(event.side, event.squadrons, home=event.base)
    verb = agreeing(squadrons, "stays", "stay")
    return f"At {event.base} {listed(squadrons)} {verb} inverted for the rest of the player turn"


RAID_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    ev.AirAttackAnnounced: _announced,
    ev.SharersDrawn: _drawn,
    ev.StrikeDeclared: _declared,
    ev.DeclaredStrikeFlown: _flown,
    ev.PortListed: _port,
    ev.DeckAirShown: _deck_air,
    ev.SortieAnnounced: _sortie,
    ev.AirRecombined: _recombined,
    ev.PortAirFought: _fought,
    ev.PortAirEnded: _ended,
    ev.ShipHitInPort: _ship_hit,
    ev.AircraftFled: _fled,
    ev.PortAirInverted: _inverted,
}
