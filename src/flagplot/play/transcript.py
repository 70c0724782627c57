"""Events as sentences: one for each, in plain English, with the number of its rule.

Nothing here can give a secret away: it is handed the events one audience was sent, and knows nothing else. Ships and
sides go by the names that audience has been told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import events as ev
from flagplot.model.air_events import SubmarinesReturned
from flagplot.model.amendments import AMENDMENT_EVENTS
from flagplot.model.forces import LIGHT, CombatGroup, Disclosed, Force, Line, Shot
from flagplot.model.ships import describe, plus
from flagplot.model.state import SEGMENTS
from flagplot.model.war_events import PlayerTurnBegan, WarStageReached
from flagplot.play.air_transcript import (
    AIR_SENTENCES,
    is_quiet_in_the_air,
)
from flagplot.play.amendments import AMENDMENT_SENTENCES
from flagplot.play.operation_transcript import (
    HEADINGS,
    OPERATION_SENTENCES,
    is_quiet_at_sea,
)
from flagplot.play.war_transcript import WAR_SENTENCES, is_quiet_in_war
from flagplot.play.wording import (
    TIMES,
    agreeing,
    counted,
    hexes,
    light_parts,
    listed,
    nations_of,
    reasons,
    rolled,
    squadron_parts,
)
from flagplot.play.wording import Names as Names  # who tells a sentence brings the names

STEPS = {
    "pair": "Active groups pair off",
    "first": "The pairs fight",
    "declare": "Groups that may seek a second engagement declare",
    "second": "The engagements declared are fought",
    "strikes": "Strikes are flown one by one",
}
VERBS = {
    "raider combat": "hunts the raiders of",
    "submarine attack": "sends submarines against",
    "air attack": "sends aircraft against",
    "port attack": "sends aircraft against a port of",
}
GIVEN_UP = {"beaten": "it is beaten", "no victor": "nobody has won", "victorious": "by choice"}  # 22.81A


# -- pieces of a sentence -------------------------------------------------------------------


def _contents(group: CombatGroup | Force) -> str:
    return ", ".join(filter(None, (_ships(group), _aboard(group))))


def _ships(group: CombatGroup | Force) -> str:
    cargo = f", carrying {listed([item.name for item in group.cargo])}" if group.cargo else ""
    supply = ", with the sea supply line" if group.supply else ""
    return (describe(group.ships, group.light) if group.ships or group.light else "no ships") + cargo + supply


def _aboard(group: CombatGroup | Force) -> str:
    """The naval air on its carriers, as far as it is known."""
    wings: dict[str, int] = {}
    for ship in group.ships:
        wings = plus(wings, ship.wing)
    parts = squadron_parts(wings, nations=len(nations_of(wings)) > 1)
    return f"{listed(parts)} aboard" if parts else ""


def _called(group: CombatGroup | Force) -> str:
    """A group or force by its name, with what is in it unless the name says so."""
    contents = _aboard(group) if group.name == _ships(group) else _contents(group)
    return f"{group.name} ({contents})" if contents else group.name


def _named(group: CombatGroup) -> str:
    return f"CG{group.number} {_called(group)}" if group.number else _called(group)


def disclosed(said: Disclosed) -> str:
    """What the owner of a found group has said of it."""
    size = "fewer than ten factors" if said.under_ten else "ten factors or more"
    if said.steps == 1:
        return size
    if said.steps:
        return f"{size}, {counted(said.fast_carriers, 'carrier')} of any kind"
    return ", ".join(
        (
            size,
            counted(said.fast_carriers, "fast carrier"),
            "fast" if said.fast else "slow",
            "with cargo" if said.cargo else "no cargo",
        )
    )


# -- setting up -------------------------------------------------------------------------------


def _joined(event: ev.BattleJoined, names: Names) -> str:
    one, two = names.sides[event.interceptor], names.sides[event.interceptor.enemy]
    return f"{event.title} ({event.theatre}): {one} {VERBS.get(event.kind, 'intercepts')} {two}"


def _mustered(event: ev.FleetMustered, names: Names) -> str:
    parts = [_called(force) + (f" from round {force.arrives}" if force.arrives > 1 else "") for force in event.forces]
    short = f". In partial supply or short of oil: {listed(event.impaired)}" if event.impaired else ""
    return f"{names.sides[event.side]} brings {'; '.join(parts) or 'no ships'}{short}"


def _bases(event: ev.BasesListed, names: Names) -> str:
    parts = [f"{base.name} ({hexes(base.distance)}{', under invasion' * base.invaded})" for base in event.bases]
    if not parts:
        return f"{names.of(event.side)} ships go back where they came from"
    return f"{names.sides[event.side]} may return to {listed(parts)}"


def _formed(event: ev.GroupsFormed, names: Names) -> str:
    if names.port:
        return f"{names.sides[event.side]} has {'; '.join(map(_called, event.groups)) or 'no ships'}"
    text = f"{names.sides[event.side]} forms {'; '.join(map(_named, event.groups)) or 'no group'}"
    if event.pending:
        text += f". Pending: {'; '.join(map(_named, event.pending))}"
    if event.home:
        text += f". Back to port: {'; '.join(map(_named, event.home))}"
    return text


def _markers(event: ev.MarkersPlaced, names: Names) -> str:
    markers = "a marker" if len(event.numbers) == 1 else "markers"
    return f"{names.sides[event.side]} places {markers} on the chart: {listed([str(n) for n in event.numbers], 'none')}"


def _groups_joined(event: ev.GroupsJoined, names: Names) -> str:
    parts = [f"{group.name} as CG{group.number}" for group in event.groups]
    return f"Into battle for {names.sides[event.side]}: {listed(parts)}"


# -- search and engagements -----------------------------------------------------------------------


def _search_counted(event: ev.SearchCounted, names: Names) -> str:
    return f"{names.sides[event.side]} has {_dice(event.dice.total, 'search ')}{reasons(event.dice)}"


def _dice(number: int, which: str = "") -> str:
    return f"{number or 'no'} {which}{'die' if number == 1 else 'dice'}"


def _searched(event: ev.Searched, names: Names) -> str:
    side = names.sides[event.side]
    if not event.dice:
        return f"{side} has no search dice"
    found = [f"CG{number} {TIMES.get(times, f'{times} times')}" for number, times in event.results.items()]
    result = f"{names.of(event.side.enemy)} {listed(found)}" if found else "nothing"
    return f"{side} searches with {_dice(event.count)}: {', '.join(map(str, event.dice))}; finds {result}"


def _second_round(event: ev.SecondRoundOpened, names: Names) -> str:
    groups: list[str] = []
    for index, (side, number) in enumerate(event.groups):
        again = index and event.groups[index - 1][0] is side
        groups.append(f"CG{number}" if again else names.group(side, number))
    return f"{listed(groups, 'No group')} may engage an enemy group"


def _declared(event: ev.EngagementDeclared, names: Names) -> str:
    return names.pair(event.engagement, "seeks fleet combat with")


def _lapsed(event: ev.EngagementLapsed, names: Names) -> str:
    return f"{names.pair(event.engagement, 'and')} do not fight: {event.why}"


def _detached(event: ev.Detached, names: Names) -> str:
    ships = listed([*(ship.name for ship in event.ships), *light_parts(event.light)])
    if event.abandoned:
        return f"{names.group(event.side, event.number)} abandons {ships}, lost"
    return f"{names.group(event.side, event.number)} leaves {ships} behind, out of the battle when the round ends"


def _paired(event: ev.Paired, names: Names) -> str:
    pairs = [names.pair(engagement, "meets") for engagement in event.engagements]
    return "; ".join(pairs) or "No active groups meet"


# -- fleet combat ------------------------------------------------------------------------------------


def _line(event: ev.LineFormed, names: Names) -> str:
    line: Line = event.line
    ahead = listed(names.units(line.capital, line.light), "nobody")
    behind = listed(names.units(line.screened, line.screened_light), "nobody")
    return f"{names.group(event.side, line.number)} forms its line: {ahead}. Screened: {behind}"


def _ranked(event: ev.Ranked, names: Names) -> str:
    ranked = listed([names.ship(id) for id in event.capital], "no capital ships")
    return f"{names.of(event.side)} line by rank: {ranked}"


def _target(side: Side, shot: Shot, names: Names) -> str:
    if shot.target != LIGHT:
        return names.ship(shot.target)
    return f"{names.of(side.enemy)} {'screened ' * shot.screened}light ships"


def _targets(event: ev.TargetsChosen, names: Names) -> str:
    parts = [
        f"{listed(names.units(shot.ships, shot.light))} at {_target(event.side, shot, names)}" for shot in event.shots
    ]
    held = names.units(event.held, event.held_light)
    waits = [f"{listed(held)} {agreeing(held, 'holds', 'hold')} fire"] if held else []
    aims = f"{names.sides[event.side]} aims" if parts else names.sides[event.side]
    return f"{aims}: {'; '.join(parts + waits) or 'no targets'}"


def _reserved(event: ev.FireReserved, names: Names) -> str:
    parts = []
    for shot in event.shots:
        units = names.units(shot.ships, shot.light)
        parts.append(f"{listed(units)} {agreeing(units, 'waits', 'wait')} for {_target(event.side, shot, names)}")
    return f"{names.sides[event.side]}, should the screen open: {'; '.join(parts)}"


def _fired(event: ev.Fired, names: Names) -> str:
    units = names.units(event.shot.ships, event.shot.light)
    whose = "" if event.shot.ships else f"{names.of(event.side)} "
    return (
        f"{whose}{listed(units)} {agreeing(units, 'fires', 'fire')} {counted(event.factors, 'factor')} at "
        f"{_target(event.side, event.shot, names)}: {rolled(event.dice, event.modifiers.total)}, "
        f"{counted(event.hits, 'hit')}"
    )


def _ship_hit(event: ev.ShipHit, names: Names) -> str:
    fate = {"sunk": "sinks", "damaged": "is damaged"}.get(event.fate, "")
    hits = [f"takes {counted(event.hits, 'hit')}"] if event.hits or not fate else []
    return f"{event.name} {listed([*hits, *filter(None, [fate])])}"


def _light_hit(event: ev.LightShipsHit, names: Names) -> str:
    sunk, hurt = light_parts(event.sunk), light_parts(event.damaged)
    parts = [f"loses {listed(sunk)}"] if sunk else []
    if hurt:
        parts.append(f"has {listed(hurt)} damaged" + (", now behind the screen" if event.into_screen else ""))
    return f"{names.group(event.side, event.number)} {' and '.join(parts) or 'is not hurt'}"


def _cargo_lost(event: ev.CargoLost, names: Names) -> str:
    lost = [f"{name} ({amount})" for name, amount in event.lost.items()]
    return f"{names.group(event.side, event.number)} loses cargo: {listed(lost)}"


def _stowed(event: ev.CargoStowed, names: Names) -> str:
    parts = [f"{part} take over cargo" for part in light_parts(event.loaded)]
    parts += [f"{part} carry cargo no longer" for part in light_parts(event.unloaded)]
    return f"{names.group(event.side, event.number)}: {listed(parts)}"


def _combat_ended(event: ev.FleetCombatEnded, names: Names) -> str:
    lost = [names.group(side, event.engagement.number(side)) for side in event.annihilated]
    text = f"The fight between {names.pair(event.engagement, 'and')} is over"
    return text + (f"; nothing of {listed(lost)} is afloat" if lost else "")


# -- between rounds and afterwards --------------------------------------------------------------------


def _withdrew(event: ev.Withdrew, names: Names) -> str:
    if names.port:
        return f"{names.sides[event.side]} sends away {'; '.join(map(_contents, event.groups))}"
    return f"{names.sides[event.side]} withdraws {'; '.join(map(_named, event.groups))}"


def _departed(event: ev.Departed, names: Names) -> str:
    if names.port:
        left = "; ".join(map(_contents, event.remains)) or ("no ship that is afloat" if event.whole else "others")
        return f"{names.of(event.side)} ships leave {names.port}, where {left} {'stays' if event.whole else 'stay'}"
    whole = listed([f"CG{number}" for number in event.whole])
    parts = [f"{whole} {'leaves' if len(event.whole) == 1 else 'leave'} the battle"] if event.whole else []
    parts += [f"CG{group.number} goes on with {_contents(group)}" for group in event.remains]
    return f"{names.of(event.side)} {'; '.join(parts) or 'ships leave the battle'}"


def _ended(event: ev.BattleEnded, names: Names) -> str:
    if event.rule.startswith("23."):
        return f"The attack is over: {'; '.join(event.reasons)}"
    victor = f"{names.sides[event.victor]} has won" if event.victor else "nobody has won"
    return f"The battle is over, {victor}: {'; '.join(event.reasons)}"


def returned(event: ev.Returned, names: Names) -> str:
    where = f" to {event.base}" if event.base else ""
    state = "inverted" if event.inverted else "not inverted"
    return f"{_called(event.group)}{where}, {state}: {event.why}"


def _activity(event: ev.ActivityDecided, names: Names) -> str:
    if event.why == "each activity by itself":
        return f"{names.sides[event.side]} has won, and each of its activities goes on or is aborted by itself"
    given_up = f"gives up its activity: {GIVEN_UP.get(event.why, event.why)}"
    return f"{names.sides[event.side]} {'goes on with its activity' if event.goes_on else given_up}"


def _exposed(event: ev.TransportsExposed, names: Names) -> str:
    raiders = [_unkeyed(raider) for raider in event.raiders]
    return f"{listed(raiders)} may attack transports" if raiders else "No raider may attack transports"


def _unkeyed(text: str) -> str:
    """Light ships that an event names by number and key, in words."""
    number, _, key = text.partition(" ")
    return describe((), {key: int(number)}) if number.isdigit() and "/" in key else text


def _recombined(event: ev.GroupsRecombined, names: Names) -> str:
    made = "; ".join(f"CG{group.number} is {group.describe()}" for group in event.groups) or "no group is left of them"
    return f"{names.sides[event.side]} makes up groups anew: {made}"


def _renumbered(event: ev.GroupsRenumbered, names: Names) -> str:
    told = ", ".join(f"CG{old} is now CG{new}" for old, new in event.numbers.items() if old != new)
    return f"{names.sides[event.side]} renumbers its groups: {told}"


def _hidden(event: ev.MarkersHidden, names: Names) -> str:
    numbers = listed([f"CG{number}" for number in event.numbers])
    if event.renumbered:
        return f"{names.sides[event.side]} renumbers its groups, which are now {numbers}"
    gone = f"; {listed([f'CG{number}' for number in event.gone])} is no more" if event.gone else ""
    return f"{names.sides[event.side]} makes up {numbers} anew{gone}"


def _repaired(event: ev.HitsRepaired, names: Names) -> str:
    ships = [names.ship(id) for id in event.ships]
    return f"{listed(ships)} {agreeing(ships, 'repairs', 'repair')} hits at sea"


Teller = Callable[[Any, Names], str]

SENTENCES: dict[type[Event], Teller] = {
    ev.BattleJoined: _joined,
    ev.FleetMustered: _mustered,
    ev.BasesListed: _bases,
    ev.InputTaken: lambda event, names: f"Taken as given: {event.what} {event.value}",
    ev.GroupsFormed: _formed,
    ev.MarkersPlaced: _markers,
    ev.GroupsJoined: _groups_joined,
    ev.RoundBegan: lambda event, names: f"{'Sortie' if names.port else 'Round'} {event.round}",
    ev.SegmentBegan: lambda event, names: SEGMENTS[event.segment][1],
    ev.SegmentEmpty: lambda event, names: event.why[:1].upper() + event.why[1:],
    ev.StepBegan: lambda event, names: STEPS.get(event.step, event.step),
    ev.SearchCounted: _search_counted,
    ev.Searched: _searched,
    ev.GroupFound: lambda event, names: f"{names.group(event.side, event.number)} has {disclosed(event.disclosed)}",
    ev.Paired: _paired,
    ev.SecondRoundOpened: _second_round,
    ev.EngagementDeclared: _declared,
    ev.EngagementForgone: lambda event, names: f"{names.group(event.side, event.number)} engages nobody",
    ev.EngagementLapsed: _lapsed,
    ev.Detached: _detached,
    ev.EngagementAccepted: lambda event, names: f"{names.group(event.side, event.number)} accepts fleet combat",
    ev.Evaded: lambda event, names: f"{names.group(event.side, event.number)} evades, now CG{event.new_number}",
    ev.GroupRevealed: lambda event, names: (
        f"{names.group(event.side, event.group.number)} is revealed: {_contents(event.group)}"
    ),
    ev.FleetCombatBegan: lambda event, names: f"{names.pair(event.engagement, 'fights')}",
    ev.LineFormed: _line,
    ev.Ranked: _ranked,
    ev.AttackerNamed: lambda event, names: f"{names.sides[event.side]} attacks: {event.why}",
    ev.TargetsChosen: _targets,
    ev.FireReserved: _reserved,
    ev.Fired: _fired,
    ev.ShipHit: _ship_hit,
    ev.LightShipsHit: _light_hit,
    ev.CargoLost: _cargo_lost,
    ev.CargoStowed: _stowed,
    ev.SupplyLineCut: lambda event, names: f"The sea supply line of {names.group(event.side, event.number)} is cut",
    ev.FleetCombatEnded: _combat_ended,
    ev.GroupEliminated: lambda event, names: f"Nothing is left of {names.group(event.side, event.number)}",
    ev.Withdrew: _withdrew,
    ev.Departed: _departed,
    ev.GroupsRecombined: _recombined,
    ev.GroupsRenumbered: _renumbered,
    ev.MarkersHidden: _hidden,
    ev.DetachedLeft: lambda event, names: f"The ships {names.sides[event.side]} detached leave the battle",
    ev.BattleContinued: lambda event, names: f"{names.sides[event.side]} goes on with the battle",
    ev.BattleEnded: _ended,
    ev.Returned: returned,
    ev.ActivityDecided: _activity,
    ev.TransportsExposed: _exposed,
    ev.TransportsThreatened: lambda event, names: (
        f"{names.sides[event.side]} {'may attack transports' if event.some else 'has no raider that may attack transports'}"
    ),
    ev.HitsRepaired: _repaired,
    **AIR_SENTENCES,
    **OPERATION_SENTENCES,
    **WAR_SENTENCES,
    **AMENDMENT_SENTENCES,
}

HOME = (ev.Returned, SubmarinesReturned)
WITH_RULES_INSIDE: tuple[type[Event], ...] = (ev.RoundBegan, ev.BattleEnded, *AMENDMENT_EVENTS, *HOME)


def sentence(event: Event, names: Names | None = None) -> str:
    """An event in one sentence. `names` are those learnt so far; without them a ship goes by what her id says."""
    if names is None:
        names = Names()
    names.learn(event)
    text = SENTENCES[type(event)](event, names)
    return text if not text or isinstance(event, WITH_RULES_INSIDE) else f"{text} ({event.rule})"


def is_quiet(event: Event) -> bool:
    """Whether an event says nothing a reader would miss."""
    match event:
        case ev.StepBegan() | ev.MarkersPlaced(rule="23.52"):
            return True
        case ev.TargetsChosen(shots=(), held=()):
            return not event.held_light
        case ev.SecondRoundOpened(groups=()) | ev.Paired(engagements=()):
            return True
        case ev.BasesListed(bases=()):
            return True
        case ev.SearchCounted():
            return not event.dice.total
        case ev.Ranked():
            return len(event.capital) < 2
    return is_quiet_in_the_air(event) or is_quiet_at_sea(event) or is_quiet_in_war(event)


class Told(NamedTuple):
    """A line of the story: a sentence (level 0), a heading (1: a round, a phase, a contact) or a segment's (2)."""

    level: int
    text: str
    event: Event


class Storyteller:
    """Tells events one after another, with headings only where something follows.

    Steps in which nothing happened are left out, and segments that nobody plays yet are said once.
    """

    def __init__(self) -> None:
        self.names = Names()
        self._heading: Told | None = None
        self._said: list[str] = []

    def tell(self, event: Event) -> list[Told]:
        """The lines an event adds to the story."""
        told = Told(0, sentence(event, self.names), event)
        if isinstance(event, (ev.RoundBegan, PlayerTurnBegan, *HEADINGS)):
            self._heading = None
            return [told._replace(level=1)]
        if isinstance(event, ev.SegmentBegan | WarStageReached):
            self._heading = told._replace(level=2)
            return []
        if not told.text or is_quiet(event) or told.text in self._said:
            return []
        if isinstance(event, ev.SegmentEmpty):
            self._said.append(told.text)
            return [told]
        heading, self._heading = self._heading, None
        return [heading, told] if heading else [told]


def transcript(events: Iterable[Event]) -> list[str]:
    """What an audience was sent, a sentence each; steps in which nothing happened are left out."""
    teller = Storyteller()
    return [told.text for event in events for told in teller.tell(event)]
