"""A battle as text to paste, and what to carry back to the campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.editions.options import OPTIONS
from flagplot.model import events as ev
from flagplot.model.air_events import ShipHitInPort, SubmarinesReturned
from flagplot.model.amendment_fold import all_groups
from flagplot.model.amendments import Amended, ShipPutRight, ShipsAdded
from flagplot.model.fold import fold
from flagplot.model.operation_events import OperationOpened
from flagplot.model.picture import Picture
from flagplot.model.ships import Counts, Ship, light, light_key, minus, plus
from flagplot.model.state import Fleet
from flagplot.model.war_events import WarOpened
from flagplot.play.air_transcript import (
    air_base_after,
    squadrons_lost,
    submarines_returned,
)
from flagplot.play.amendments import change_in_words
from flagplot.play.game import Game, Header
from flagplot.play.operation_transcript import (
    is_operation,
    operation_results,
)
from flagplot.play.transcript import HOME, Storyteller, returned
from flagplot.play.war_transcript import is_war, war_results
from flagplot.play.wording import Names as Names  # who tells a sentence brings the names
from flagplot.play.wording import (
    light_parts,
)


def report(source: Picture | Game, header: Header | None = None) -> str:
    """A battle as text to paste: what it was played with, what happened, what to carry back to the campaign.

    From a picture it tells what that audience was sent, from a game everything. A picture does not know under which
    rules it was played; `header` says so.
    """
    if isinstance(source, Game):
        events, header, seat = source.events(), source.header, "the referee"
    else:
        side = source.side
        events = list(source.events)
        seat = Names(events).sides[side] if side else "a spectator"
    title = next(
        (event.title for event in events if isinstance(event, OperationOpened)),
        next((event.war.title for event in events if isinstance(event, WarOpened)), fold(events).title),
    )
    parts = [_heading(title, header, seat), _story(events), "## Results", *results(events)]
    return "\n\n".join(parts) + "\n"


def chosen_options(options: Mapping[str, str]) -> dict[str, str]:
    """The options that differ from their defaults."""
    return {name: value for name, value in options.items() if name in OPTIONS and OPTIONS[name].default != value}


def rules_in_words(edition: str, options: Mapping[str, str]) -> str:
    """An edition with the options that differ from their defaults, as one says it at a table."""
    chosen = []
    for name, value in chosen_options(options).items():
        other = OPTIONS[name].edition if OPTIONS[name].edition not in ("", edition) else ""
        chosen.append(f"{name} = {value}" + (f" (no effect but in {other})" if other else ""))
    if not chosen:
        return f"Edition {edition}, no option changed"
    return f"Edition {edition}, {'options' if len(chosen) > 1 else 'option'} {', '.join(chosen)}"


def option_in_words(name: str, value: str) -> str:
    """An option as it was chosen: the rule, what is doubtful about it, how it is read here."""
    option = OPTIONS[name]
    return f"{option.rule} ({option.ruling}), {option.about}: {option.readings[value]}."


def _heading(title: str, header: Header | None, seat: str) -> str:
    lines = [f"# {title or 'A battle'}", ""]
    if header is not None:
        chosen = chosen_options(header.options)
        played = rules_in_words(header.edition, header.options)
        lines.append(f"{played}, {header.dice} dice, Flagplot {header.engine}.")
        lines += ["", *(f"- {option_in_words(name, value)}" for name, value in chosen.items()), ""] if chosen else []
    lines.append(f"As {seat} saw it.")
    return "\n".join(lines)


def _story(events: Sequence[Event]) -> str:
    """Rounds and segments as headings, a sentence a line."""
    teller = Storyteller()
    lines = ["## Before the first phase" if is_operation(events) else "## Before the battle", ""]
    for event in events:
        for told in teller.tell(event):
            if told.level:
                lines += [*([""] if lines[-1] else []), f"{'#' * (told.level + 1)} {told.text}", ""]
            else:
                lines.append(f"- {told.text}")
    return "\n".join(lines).strip()


def results(events: Sequence[Event]) -> list[str]:
    """What to carry back to the campaign: the victor; for each side what is sunk, damaged or lost, aircraft and submarines too, and where it went."""
    battle, names = fold(events), Names(events)
    if is_operation(events):
        return operation_results(events, names)
    if is_war(events):
        return war_results(events, names)
    over = any(isinstance(event, ev.BattleEnded) for event in events)
    victor = f"{names.sides[battle.victor]} has won" if battle.victor else "Nobody has won"
    victor = "The attack is over" if battle.kind in ("air attack", "port attack") else victor
    parts = [f"{victor}: {'; '.join(battle.reasons)}." if over else "The battle is not over yet."]
    for side, fleet in battle.fleets.items():
        ships, counts = damaged(events, side)
        lines = [
            f"{names.sides[side]}:",
            "",
            f"- Sunk: {', '.join([*(ship.name for ship in fleet.sunk), *light_parts(_plain(fleet.sunk_light))]) or 'nothing'}",
            f"- Damaged: {', '.join([*ships, *light_parts(_plain(counts))]) or 'nothing'}",
            f"- Cargo lost: {', '.join(dict.fromkeys(fleet.cargo_lost)) or 'none'}",
        ]
        hits = [f"{ship.name} {ship.hits}" for ship in _afloat(fleet) if ship.hits and not ship.damaged]
        lines += [f"- Hits: {', '.join(hits)}"] if hits else []
        lines += ["- The sea supply line was cut"] if fleet.line_cut else []
        hulks = ", ".join(ship.name for ship in fleet.hulks)
        lines += [f"- Sunk in port, where they stay: {hulks}"] if hulks else []
        squadrons, submarines = squadrons_lost(fleet), fleet.submarines_lost
        if battle.aircraft or squadrons:
            lines.append(f"- Squadrons lost: {', '.join(names.squadrons(side, squadrons)) or 'none'}")
        if battle.submarines or submarines:
            lines.append(f"- Submarines lost: {', '.join(names.submarines(side, submarines)) or 'none'}")
        lines += [f"- Air base {air_base_after(side, base, names)}" for base in fleet.air_bases]
        lines += [
            f"- Amended by agreement: {change_in_words(event.amendment.change, names)}"
            for event in events
            if isinstance(event, Amended) and event.amendment.change.side is side
        ]
        lines += [f"- {_gone_home(event, names)}" for event in events if isinstance(event, HOME) and event.side is side]
        parts.append("\n".join(lines))
    return parts


def _afloat(fleet: Fleet) -> list[Ship]:
    """The ships known to be afloat at the end, each once: what has gone home also stands where it left from."""
    ships = {ship.id: ship for group in all_groups(fleet) for ship in group.ships}
    return list(ships.values())


def _gone_home(event: ev.Returned | SubmarinesReturned, names: Names) -> str:
    return returned(event, names) if isinstance(event, ev.Returned) else submarines_returned(event, names)


def _plain(counts: Counts) -> dict[str, int]:
    """Light ships whatever their state: what a loss is counted in."""
    total: dict[str, int] = {}
    for key, number in counts.items():
        total = plus(total, {light_key(light(key).nation, light(key).kind): number})
    return total


def damaged(events: Iterable[Event], side: Side) -> tuple[list[str], dict[str, int]]:
    """A side's ships known to be damaged and afloat, and its damaged cruisers."""
    ships: dict[str, str] = {}
    counts: dict[str, int] = {}
    for event in events:
        if isinstance(event, Amended) and event.amendment.change.side is side:
            counts = plus(counts, _damaged_by_agreement(event, ships))
        if getattr(event, "side", None) is not side:
            continue
        if isinstance(event, ev.FleetMustered):
            ships.update({ship.id: ship.name for force in event.forces for ship in force.ships if ship.damaged})
            for force in event.forces:
                counts = plus(counts, _damaged_only(force.light))
        elif isinstance(event, ev.ShipHit | ShipHitInPort) and event.fate == "damaged":
            ships[event.ship] = event.name
        elif isinstance(event, ev.ShipHit | ShipHitInPort) and event.fate in ("sunk", "sunk in port"):
            ships.pop(event.ship, None)
        elif isinstance(event, ev.LightShipsHit):
            hurt = {light_key(light(key).nation, "CA", "damaged"): number for key, number in event.damaged.items()}
            counts = plus(minus(counts, _damaged_only(event.sunk)), hurt)
        elif isinstance(event, ev.Detached) and event.abandoned:
            for ship in event.ships:
                ships.pop(ship.id, None)
            counts = minus(counts, _damaged_only(event.light))
    return list(ships.values()), counts


def _damaged_by_agreement(event: Amended, ships: dict[str, str]) -> dict[str, int]:
    """What an amendment does to the ships known to be damaged; the damaged cruisers it adds."""
    change = event.amendment.change
    if isinstance(change, ShipPutRight):
        ships.pop(change.ship.id, None)
        if change.ship.damaged and change.fate != "sunk":
            ships[change.ship.id] = change.ship.name
    return _damaged_only(change.light) if isinstance(change, ShipsAdded) else {}


def _damaged_only(counts: Counts) -> dict[str, int]:
    return {key: number for key, number in counts.items() if light(key).state == "damaged"}
