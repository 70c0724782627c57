"""The strategic war as sentences: what is built, what moves, every combat with its modifiers and losses. See transcript.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import war_events as ev
from flagplot.model.events import ShipHit
from flagplot.model.strategic_bombing import AirToll, group_name
from flagplot.model.strategic_war import SEASONS
from flagplot.model.war import Dispatch, Row, War, place_in_words
from flagplot.model.war_fold import apply_war
from flagplot.play.wording import Names, counted, listed, reasons, rolled, signed

STAGES = {
    "construction": "Unit construction",
    "movement": "Movement",
    "raiders": "Raiders",
    "submarines": "Submarine warfare",
    "bombing": "Strategic bombing",
    "flying bombs": "Flying bombs and rockets",
    "effects": "What the bombing did",
    "convoys": "Murmansk convoys",
    "redeployment": "Redeployment",
    "markers": "Markers",
    "end": "The end of the player turn",
}


def _units(counts: Mapping[str, int]) -> str:
    return listed([f"{number} {name}" for name, number in counts.items() if number])


def _where(place: str, name: str) -> str:
    return place_in_words(place, name) if place else "the force pool"


def _by_place(places: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """What stands where, places by the names they have for their units."""
    found: dict[str, dict[str, int]] = {}
    for place, counts in places.items():
        for name, number in counts.items():
            found.setdefault(place_in_words(place, name), {})[name] = number
    return found


def _opened(event: ev.WarOpened, names: Names) -> str:
    return f"{event.war.title}: from {event.war.now.turn} to {event.war.last}"


def _dispatch(event: ev.DispatchReceived, names: Names) -> str:
    news: Dispatch = event.dispatch
    parts = [news.headline.rstrip(".")] if news.headline else []
    parts += [f"{power} has {amount} BRPs more" for power, amount in news.brps.items()]
    parts += [f"{owner}'s force pool grows by {_units(kinds)}" for owner, kinds in news.produced.items()]
    parts += [f"{_units(units)} arrive: {place}" for place, units in _by_place(news.arrivals).items()]
    parts += [f"{_units(units)} leave: {place}" for place, units in _by_place(news.departures).items()]
    for faction, levels in news.research.items():
        told = listed([f"{field.replace('_', ' ')} {level}" for field, level in levels.items()])
        parts.append(f"research of {faction}: {told}")
    parts += [f"{port.name} is held by {port.holder}" for port in news.ports]
    parts += [f"{port} is lost" for port in news.lost_ports]
    for campaign, cards in news.cards.items():
        parts.append(f"{campaign}: {counted(cards.submarine, 'submarine card')}, {counted(cards.asw, 'ASW card')}")
    parts += [f"{target.name} comes within reach of bombers" for target in news.targets]
    parts += [f"{name} is no target any more" for name in news.closed_targets]
    parts += [f"{ship.name} enters the yard of {ship.yard}" for ship in news.yards]
    parts += [f"{power} drops an atomic bomb on {target}" for target, power in news.atomic.items()]
    parts += [f"{_units(units)} lost: {place}" for place, units in _by_place(news.losses).items()]
    parts += [f"{raider.force.name} may raid the {raider.box}" for raider in news.raiders]
    parts += [f"{hunter.force.name} guards the {hunter.box}" for hunter in news.hunters or ()]
    for deck, lead in news.raider_codebreaking.items():
        parts.append(f"{deck} codebreaking helps {'those who hunt raiders' if lead > 0 else 'raiders'}")
    if news.search_squadrons is not None:
        boxes = [f"{number} in the {box}" for box, number in news.search_squadrons.items()]
        parts.append(f"search squadrons against raiders: {listed(boxes, 'none')}")
    if news.murmansk is not None:
        parts.append(f"convoys may bring {news.murmansk.brps} BRPs a turn to Murmansk")
    parts += [f"short of supply or oil: {listed(news.impaired) or 'nobody'}"] if news.impaired is not None else []
    for power, bases in news.rocket_bases.items():
        parts.append(f"rocket bases of {power}: {listed([base.id for base in bases]) or 'none'}")
    for power, sites in news.rocket_sites.items():
        parts.append(f"{power} may have rocket bases at {listed([site.id for site in sites], 'no place')}")
    parts += [f"{power} has {counted(number, 'atomic bomb')} more" for power, number in news.atomic_bombs.items()]
    return "; ".join(parts) or "Nothing arrives from elsewhere"


def _built(event: ev.UnitsBuilt, names: Names) -> str:
    return f"{event.power} builds {_units(event.units)} for {event.brps} BRPs"


def _moved(event: ev.UnitsMoved, names: Names) -> str:
    moves = [
        f"{number} {name} from {_where(start, name)} to {_where(end, name)}" for name, number, start, end in event.moves
    ]
    return f"{names.sides[event.side]} sends {listed(moves)}"


def _committed(event: ev.SubmarinesCommitted, names: Names) -> str:
    parts = [counted(event.submarines, "submarine factor")]
    if event.advanced:
        parts.append(counted(event.advanced, "advanced submarine"))
    return f"{listed(parts)} of {event.power} against {event.asw or 'no'} ASW in the {event.box}"


def _counted(event: ev.SubmarineWarfareCounted, names: Names) -> str:
    return f"Net modifier in the {event.box} {signed(event.modifier.total)}{reasons(event.modifier)}"


def _result(result: tuple[int, int]) -> str:
    return f"{result[0]}/{result[1]}"


def _rolled(event: ev.SubmarineWarfareRolled, names: Names) -> str:
    struck = event.struck
    if event.rule == ev.ADVANCED_RULE:
        dice = f"{rolled(event.attacker_dice)}: {_result(struck.attacker_result)}"
        return f"Advanced submarines of {event.power} roll {dice}; {struck.additional} more for their number"
    text = f"Submarines of {event.power} roll {rolled(event.attacker_dice)}: {_result(struck.attacker_result)}"
    if event.defender_dice:
        text += f"; ASW roll {rolled(event.defender_dice)}: {_result(struck.defender_result)}"
    fate = f"{struck.eliminated or 'none'} sunk, {struck.aborted or 'none'} turned back, {struck.reaching} reach the convoys"
    more = f", {counted(struck.additional, 'additional loss').replace('losss', 'losses')}" if struck.additional else ""
    return f"{text}; {fate}{more}"


def _struck(event: ev.ShippingStruck, names: Names) -> str:
    toll = event.toll
    text = f"{event.box}: {counted(toll.sunk, 'transport')} of {event.owner} sunk, {toll.damaged or 'none'} damaged"
    others = [(toll.asw_lost, "ASW"), (toll.escort_carriers_lost, "CVE")]
    text += "".join(f", {number} {what} lost" for number, what in others if number)
    return text + (f"; {_units(event.submarines)} lost" if event.submarines else "")


def _sailed(event: ev.RaidersSailed, names: Names) -> str:
    return f"{names.sides[event.side]} sends out {listed(event.groups)} to raid"


def _hunted(event: ev.RaidersHunted, names: Names) -> str:
    met = f"met by {listed(event.named)}" if event.hunters else "met by nobody"
    text = f"{event.group} is hunted in the {event.box}: {event.die} {signed(event.modifier.total)}"
    types = f"; types {listed([str(die) for die in event.types])}" if event.types else ""
    return f"{text}{reasons(event.modifier)}{types}; {met}"


def _raiders_struck(event: ev.RaidersStruck, names: Names) -> str:
    what = "strikes at" if event.air else "falls on"
    return (
        f"{event.group} {what} the convoys of the {event.box} with "
        f"{counted(event.factors, 'squadron' if event.air else 'factor')}, "
        f"{signed(event.modifier.total)}{reasons(event.modifier)}, rolls {rolled(event.dice)}: "
        f"{counted(event.sunk, 'transport')} sunk"
    )


def _raiders_home(event: ev.RaidersHome, names: Names) -> str:
    return f"The raiders that are left: {listed([raider.force.name for raider in event.raiders]) or 'none'}"


def _convoy_sailed(event: ev.ConvoySailed, names: Names) -> str:
    return f"{event.brps} BRPs sail for Murmansk: {listed(event.named)}"


def _convoy_met(event: ev.ConvoyIntercepted, names: Names) -> str:
    air = f"{listed([str(factors) for factors in event.sorties])} air factors"
    if len(event.sorties) > 1:
        air += f" in {len(event.sorties)} sorties"
    parts = ([air] if event.sorties else []) + list(event.ships)
    how = ", air attacks being part of naval combat" if event.within else ""
    return f"The convoy is attacked by {listed(parts)} from the Murmansk box{how}"


def _convoy_over(event: ev.ConvoyOver, names: Names) -> str:
    fate = "the convoy turns back" if event.turned_back else f"{event.arrived} of {event.sent} BRPs reach Murmansk"
    lost = {name: number for name, number, _, _ in event.losses}
    parts = [fate[:1].upper() + fate[1:]]
    parts += [f"{_units(lost)} lost"] if lost else []
    parts += [f"{listed(event.named)} sunk"] if event.named else []
    return "; ".join(parts)


def _yards(event: ev.YardsAdvanced, names: Names) -> str:
    if event.launched:
        return f"{listed(event.launched)} {'leaves' if len(event.launched) == 1 else 'leave'} the yard"
    return "Ships in the yards go on"


def _announced(event: ev.SalvosAnnounced, names: Names) -> str:
    salvos = [f"{each.number} of {each.kind} by {each.power} at {each.target}" for each in event.salvos]
    return f"Salvos are announced: {listed(salvos)}"


def _spent(event: ev.DefendersSpent, names: Names) -> str:
    return (
        "Army air and jets that opposed flying bombs are inverted for a player turn, interceptors do not escort in it"
    )


def _unmarked(event: ev.MarkersRemoved, names: Names) -> str:
    what = "firestorm" if event.rule == "26.95" else "damage"
    return f"A {what} marker is removed from {listed([target.name for target in event.targets])}"


def _raid(event: ev.RaidAnnounced, names: Names) -> str:
    bomb = " with an atomic bomb" if event.atomic else ""
    return f"{event.power} sends {_units(event.force)} against {event.target}{bomb}"


def _atomic(event: ev.AtomicBombFlown, names: Names) -> str:
    if event.fate == "dropped":
        damage = f": {event.damage} BRPs" if event.damage else ""
        by = " by rocket" if event.means == "rockets" else ""
        return f"{event.power} makes an atomic attack{by} on {event.target}{damage}"
    return f"The atomic bomb meant for {event.target} is {event.fate}"


def _base_placed(event: ev.RocketBasePlaced, names: Names) -> str:
    if event.moved_from:
        return f"{event.power} moves a rocket base from {event.moved_from} to {event.base.id}"
    return f"{event.power} places a rocket base: {event.base.id}"


def _met(event: ev.RaidIntercepted, names: Names) -> str:
    what = "opposes the flying bombs at" if event.rule == "26.662" else "meets what comes against"
    return f"{names.sides[event.side]} {what} {event.target} with {_units(event.defenders)}"


def _met_again(event: ev.LaterRaidMet, names: Names) -> str:
    raid = f"the raid of {event.power} over {event.target}"
    if not event.defenders:
        return f"{names.sides[event.side]} lets {raid} pass"
    return f"{names.sides[event.side]} meets {raid} with {_units(event.defenders)}"


def _toll(toll: AirToll) -> str:
    lost = {group_name(group, number): number for group, number in toll.eliminated.items()}
    back = {group_name(group, number): number for group, number in toll.aborted.items()}
    return f"{_units(lost)} lost, {_units(back)} turned back"


def _air_combat(event: ev.RaidAirCombat, names: Names) -> str:
    return (
        f"Air combat over {event.target}, {signed(event.modifier.total)}{reasons(event.modifier)}; the raid rolls "
        f"{rolled(event.attacker_dice)}, the defenders {rolled(event.defender_dice)}; raid: {_toll(event.attacker)}; "
        f"defenders: {_toll(event.defender)}"
    )


def _bombed(event: ev.RaidBombed, names: Names) -> str:
    other = f", the defences {rolled(event.defender_dice)}" if event.defender_dice else ""
    yard = f"{event.yard[0]}/{event.yard[1]} against the ships there"
    what = yard if event.yard != (0, 0) else f"{event.damage} BRPs of damage"
    return (
        f"Bombers over {event.target}, {signed(event.modifier.total)}{reasons(event.modifier)}; they roll "
        f"{rolled(event.attacker_dice)}{other}; {what}; bombers: {_toll(event.toll)}"
    )


def _salvos(event: ev.SalvosFired, names: Names) -> str:
    return (
        f"{event.power} fires {counted(event.salvos, 'salvo')} of {event.kind} at {event.target}: "
        f"{event.damage} BRPs{reasons(event.modifier)}"
    )


def _told(event: ev.BombingTold, names: Names) -> str:
    parts = [f"{power} loses {brps} BRPs to bombing" for power, brps in event.brps.items() if brps]
    for power, points in event.construction.items():
        if points:
            word = "falls" if points > 0 else "rises"
            parts.append(f"{power}'s construction limit {word} by {abs(points)} in its next player turn")
    for target in event.targets:
        parts.append(f"{target.name} bears {listed(target.all_markers) or 'no marker'}")
    parts += [f"the IC in {name} is given up" for name in event.eliminated]
    parts += [f"{ship.name} is thrown back to row {ship.row}, {SEASONS[ship.column]}" for ship in event.yards]
    parts += [f"{name} is destroyed in the yard" for name in event.sunk_in_yard]
    for bases in event.bases.values():
        parts += [f"{base.id} is out of action" for base in bases if base.damaged]
    parts += [f"{base.id} is destroyed" for bases in event.lost_bases.values() for base in bases]
    return "; ".join(parts) or "The bombing changed nothing"


def _ended(event: ev.PlayerTurnEnded, names: Names) -> str:
    if event.row is None:
        return f"The {names.of(event.side)} player turn is over"
    return f"{event.row.turn} is over: {row_in_words(event.row)}"


def row_in_words(row: Row) -> str:
    """A line of the chart in words."""
    return f"transports {_units(row.transports)}; submarines {_units(row.submarines)}; BRPs {_units(row.brps)}"


WAR_SENTENCES: dict[type[Event], Callable[[Any, Names], str]] = {
    ev.WarOpened: _opened,
    ev.PlayerTurnBegan: lambda event, names: f"{event.turn}",
    ev.DispatchReceived: _dispatch,
    ev.WarStageReached: lambda event, names: STAGES[event.stage],
    ev.UnitsBuilt: _built,
    ev.UnitsMoved: _moved,
    ev.SubmarinesCommitted: _committed,
    ev.SubmarineWarfareCounted: _counted,
    ev.SubmarineWarfareRolled: _rolled,
    ev.ShippingStruck: _struck,
    ev.YardsAdvanced: _yards,
    ev.RocketBasePlaced: _base_placed,
    ev.RocketBaseReturned: lambda event, names: f"{event.base.id} of {event.power} is on the map again",
    ev.RaidersSailed: _sailed,
    ev.RaidersHunted: _hunted,
    ev.RaidersStruck: _raiders_struck,
    ev.RaidersHome: _raiders_home,
    ev.ConvoySailed: _convoy_sailed,
    ev.ConvoyIntercepted: _convoy_met,
    ev.ConvoyStalked: lambda event, names: f"{counted(event.submarines, 'submarine')} against the convoy",
    ev.ConvoyOver: _convoy_over,
    ev.RaidAnnounced: _raid,
    ev.SalvosAnnounced: _announced,
    ev.DefendersSpent: _spent,
    ev.MarkersRemoved: _unmarked,
    ev.RaidIntercepted: _met,
    ev.LaterRaidMet: _met_again,
    ev.RaidAirCombat: _air_combat,
    ev.RaidBombed: _bombed,
    ev.SalvosFired: _salvos,
    ev.AtomicBombFlown: _atomic,
    ev.AirUnitsLost: lambda event, names: f"{_units({name: number for name, number, _, _ in event.moves})} lost",
    ev.BombingTold: _told,
    ev.PlayerTurnEnded: _ended,
    ev.WarEnded: lambda event, names: f"The war is over: {event.why}",
}


def is_quiet_in_war(event: Event) -> bool:
    """Whether an event of the strategic war says nothing a reader would miss."""
    match event:
        case ev.AirUnitsLost() | ev.PlayerTurnEnded(row=None):
            return True
    return False


# -- the report -----------------------------------------------------------------------------------


def is_war(events: Iterable[Event]) -> bool:
    """Whether these events are of the strategic war."""
    return any(isinstance(event, ev.WarOpened) for event in events)


def war_results(events: Iterable[Event], names: Names) -> list[str]:
    """The war so far: the chart turn by turn, what was lost, what stands where."""
    war = War()
    sunk: dict[Side, list[str]] = {side: [] for side in Side}
    for event in events:
        war = apply_war(war, event)
        if isinstance(event, ShipHit) and event.fate == "sunk":
            sunk[event.side].append(event.name)
    parts = [f"The war is over: {war.last} was its last turn." if war.over else f"It is the {war.now} player turn."]
    rows = [
        f"| {row.turn} | {_units(row.transports)} | {_units(row.submarines)} | {_units(row.brps)} | {_units(row.sunk)} |"
        for row in war.chart
    ]
    if rows:
        heading = "| Turn | Transports | Submarines | BRPs | Lost in the turn |\n| --- | --- | --- | --- | --- |"
        parts.append("\n".join([heading, *rows]))
    parts.append(f"Lost since the beginning: {_units(war.lost)}.")
    if war.convoys:
        parts.append(f"Murmansk: {war.convoys.get('arrived', 0)} of {war.convoys['sent']} BRPs arrived.")
    parts += [f"- Sunk: {listed(ships)} ({names.sides[side]})" for side, ships in sunk.items() if ships]
    parts.append("\n".join(f"- {place}: {_units(units)}" for place, units in _by_place(war.places).items()))
    return parts
