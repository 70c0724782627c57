"""26.2, 26.31, 26.44: the air units of the strategic war, what is bombed, and where the two may meet.

A raid is a force of one power from one front against one target (26.41). It is met over its target and, if it comes from
another front, once on that front too (26.442): each of these places is a station.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.ships import plus
from flagplot.model.strategic_bombing import AirToll, AirUnit, Defences, Supply, TargetKind, Unit
from flagplot.model.strategic_war import (
    BRITAIN,
    CHINA,
    GERMANY,
    INTERCEPTOR,
    ITALY,
    JAPAN,
    RUSSIA,
    STRATEGIC_BOMBER,
    UNITED_STATES,
    Politics,
)
from flagplot.model.war import AAF, JET, Counts, TargetHex, War, faction_of, kind_of, power_of, side_of
from flagplot.model.war_events import AirUnitsLost, Move
from flagplot.rules.damage import share_losses
from flagplot.rules.strategic.bombing import target_strength
from flagplot.rules.strategic.bombing_interception import Meeting, bars_to_engaging
from flagplot.rules.strategic.bombing_targets import eligible_target, secondary_target
from flagplot.rules.table import Ruleset, Table

STAY = "stay"
KIND_OF = {STRATEGIC_BOMBER: Unit.BOMBER, AAF: Unit.AAF, JET: Unit.JET, INTERCEPTOR: Unit.INTERCEPTOR}
GROUPS = {  # of a bomber force, and of defenders -> the kind of unit
    "strategic_bombers": STRATEGIC_BOMBER,
    "bombing_aaf": AAF,
    "escort_aaf": AAF,
    "aaf": AAF,
    "interceptors": INTERCEPTOR,
    "jets": JET,
}
FLYING_BOMBS, ROCKETS = "flying bombs", "rockets"


class Flight(NamedTuple):
    """Air units of one kind and power on one front, or in a mapboard box."""

    name: str
    front: str
    number: int

    @property
    def key(self) -> str:
        """What it is called in the question."""
        return f"{self.name}, {self.front}"

    @property
    def power(self) -> str:
        """Whose they are: of American bombers, the theatre does not matter."""
        return nation_of(self.name)

    @property
    def kind(self) -> str:
        """What they are."""
        return kind_of(self.name)


class Raid(NamedTuple):
    """A strategic bomber force of one power from one front against one target; flights by "unit, front"."""

    power: str
    target: str
    front: str
    flights: Counts
    atomic: bool = False  # with an atomic bomb

    @property
    def name(self) -> str:
        """What it is called in a question."""
        return f"{self.power}, {self.front}: {self.target}"


def nation_of(name: str) -> str:
    """The nation of air units of this name."""
    return power_of(name).split(",")[0]


def unit_of(key: str) -> str:
    """The unit of a flight's key, without its front."""
    return key.rsplit(", ", 1)[0]


def front_of(key: str) -> str:
    """The front of a flight's key."""
    return key.rsplit(", ", 1)[1]


def theatre_of(rules: Ruleset, front: str) -> str:
    """The theatre a front is part of; "" for a mapboard box."""
    return next((theatre for theatre, fronts in rules.bombing.fronts.items() if front in fronts), "")


def flights(war: War, side: Side) -> Iterator[Flight]:
    """A side's air units that may act now, wherever they are."""
    for place in war.places:
        for name, number in war.ready(place).items():
            if kind_of(name) in KIND_OF and side_of(nation_of(name)) is side:
                yield Flight(name, place, number)


@rule("26.443B", "26.443E", "26.462.2", "26.31.1", "26.31.4")
def as_unit(rules: Ruleset, war: War, flight: Flight) -> AirUnit:
    """26.443B. A flight as the rules of bombing see it. How far jets fly is research (43); who is not
    impaired is fully supplied, from a source of his own (26.443E).

    Bombers and interceptors need an air base of their faction on their front (26.31), if anybody said who has one there;
    Americans may use one of Nationalist China."""
    theatre = theatre_of(rules, flight.front)
    holders = war.air_bases.get(flight.front) if flight.kind in (STRATEGIC_BOMBER, INTERCEPTOR) else None
    own = holders is None or faction_of(flight.power) in {faction_of(holder) for holder in holders}
    chinese = not own and uses_chinese_bases(flight.power, holders or ())
    return AirUnit(
        KIND_OF[flight.kind],
        flight.power,
        supply=Supply.PARTIAL if flight.power in war.impaired_air else Supply.FULL,
        base_front=flight.front,
        base_operational=own or chinese,
        base_nation=CHINA if chinese else "",
        base_supplied_by=flight.power,
        in_box="" if theatre else flight.front,
        jet_range=war.levels(faction_of(flight.power)).jet_range,
    )


@rule("26.31.4")
def uses_chinese_bases(nation: str, holders: Iterable[str]) -> bool:
    """26.31. Whether it is for American air units that Nationalist China has an air base on a front."""
    return nation == UNITED_STATES and CHINA in holders


# -- targets --------------------------------------------------------------------------------------


def holder_of(target: TargetHex) -> str:
    """Who holds a target now."""
    return target.target.controller or target.target.country


def distance_of(flight: Flight, target: TargetHex) -> int | None:
    """How far it is from the nearest base of a flight's power on its front; None if nobody has said."""
    own = flight.power if flight.front == target.front else f"{flight.power}, {flight.front}"
    return target.distances.get(own)


@rule("26.443A", "26.443B")
def distance_to_meet(flight: Flight, target: TargetHex, front: str) -> int | None:
    """26.443B. How far it is from the base of a defending flight to where a raid may be met on a front, its own or another,
    where army air and jets meet what comes near; None if nobody has said."""
    if flight.front == front:
        return distance_of(flight, target)
    return target.distances.get(f"{flight.power}, {flight.front} to {front}")


@rule("26.461A", "26.462.1")
def strength_of(rules: Ruleset, target: TargetHex) -> int:
    """26.462. The defensive strength of a target; a mapboard box always has the same, whatever is said of it."""
    box = target.target.kind is TargetKind.BOX
    return target_strength(rules, Defences(box=True) if box else target.defences).total


@rule("26.31.1", "26.12", "26.13.3")
def enemies(politics: Politics, one: str, other: str) -> bool:
    """26.31. Whether two powers are at war: at peace they neither bomb each other nor meet each other's bombers. Wars that
    politics do not speak of are always on."""
    pair = {GERMANY if power == ITALY else power for power in (one, other)}
    wars = (
        ({RUSSIA, GERMANY}, politics.germany_russia_war),
        ({RUSSIA, JAPAN}, bool(politics.japan_russia_war)),
        ({UNITED_STATES, GERMANY}, politics.germany_us_war),
        ({UNITED_STATES, JAPAN}, politics.japan_us_war),
        ({BRITAIN, JAPAN}, politics.japan_britain_war),
    )
    return all(on for powers, on in wars if powers == pair)


@rule("26.31H", "26.31K", "26.32.1")
def may_be_bombed(rules: Ruleset, war: War, target: TargetHex, *, air_range: int = 0) -> bool:
    """26.31. Whether a target may be attacked as things stand: a yard while ships are in it, a rocket base while it lies
    on the map, a secondary target once all key economic areas of its country are struck (26.32)."""
    hex = target.target
    if hex.kind is TargetKind.SHIPYARD:
        hex = replace(hex, ships=tuple("repairing" for ship in war.yards if ship.yard == hex.name))
    if hex.kind is TargetKind.ROCKET_BASE:
        return any(base.id == hex.name for base in war.rocket_bases.get(holder_of(target), ()))
    if eligible_target(rules, hex, air_range=air_range).holds:
        return True
    return is_secondary(rules, war, target)


@rule("26.32", "26.32.1")
def is_secondary(rules: Ruleset, war: War, target: TargetHex) -> bool:
    """26.32. Whether it is a target only because all key economic areas of its country, as far as they are on the chart,
    bear a firestorm or atomic marker."""
    areas = {
        each.name: each.markers
        for each in war.targets.values()
        if each.target.country == target.target.country
        and each.target.key_economic_area
        and eligible_target(rules, each.target).holds
    }
    return not eligible_target(rules, target.target).holds and secondary_target(target.target, areas).holds


@rule("26.442.1", "26.442.2")
def station(target: TargetHex, front: str) -> str:
    """26.442. Where a raid is met: over its target, or on another front that it crosses."""
    return target.name if front == last_front(target) else f"{target.name} by way of the {front} front"


@rule("26.462.5", "26.442.2")
def last_front(target: TargetHex) -> str:
    """26.462. The front a target is on; a mapboard box is one of its own."""
    return target.name if target.target.kind is TargetKind.BOX else target.front


@rule("26.442.2", "26.443C", "26.462.4", "26.462.5")
def fronts_crossed(rules: Ruleset, target: TargetHex, front: str) -> tuple[str, ...]:
    """26.442. The fronts a raid from one of them crosses: its own, the one before a mapboard box, its target's. To a box that
    lies between two theatres, the Urals, a raid from the other one comes from its own front (26.462)."""
    before = target.front if theatre_of(rules, front) == theatre_of(rules, target.front) else front
    return tuple(dict.fromkeys((front, before, last_front(target))))


@rule("26.442.2", "26.443C")
def stations_of(rules: Ruleset, target: TargetHex, front: str) -> tuple[str, ...]:
    """26.443C. Where a raid from a front is met: once on each front, the target's last."""
    return tuple(station(target, crossed) for crossed in fronts_crossed(rules, target, front))


@rule("26.24", "26.25", "26.443", "26.462", "26.13.3")
def meets(rules: Ruleset, war: War, flight: Flight, target: TargetHex, front: str, attacker: str) -> bool:
    """26.443. Whether a flight may meet a raid on a front: near enough, as far as anybody said, and if it is of interceptors
    on the front it serves on."""
    box = target.name if target.target.kind is TargetKind.BOX and front == target.name else ""
    distance = distance_to_meet(flight, target, front)
    unit = as_unit(rules, war, flight)
    if unit.kind is Unit.BOMBER or (not box and distance is None):
        return False
    if not enemies(war.politics, flight.power, attacker):
        return False
    country = holder_of(target)
    theatre = theatre_of(rules, target.front if box else front)
    meeting = Meeting(attacker, country, front, target.name, box, theatre, country == "China")
    results = war.levels(faction_of(flight.power)).air_range
    return not bars_to_engaging(rules, results, unit, meeting, distance or 0)


@rule("26.51.3", "26.662")
def may_oppose_flying_bombs(rules: Ruleset, war: War, target: TargetHex, powers: Iterable[str]) -> Counts:
    """26.662. Who may oppose the flying bombs of these powers: those assigned over their target, and those who met bombers on
    the way to it and reach it too (FP-98). Those assigned to other targets may not."""
    there = dict(war.defending.get(target.name, {}))
    powers = list(powers)
    for front in (front for fronts in rules.bombing.fronts.values() for front in fronts if front != last_front(target)):
        for key, number in war.defending.get(station(target, front), {}).items():
            flight = Flight(unit_of(key), front_of(key), number)
            if any(meets(rules, war, flight, target, last_front(target), power) for power in powers):
                there = plus(there, {key: number})
    return there


# -- losses ---------------------------------------------------------------------------------------


@rule("26.454", "24.66")
def lose(table: Table, flying: Mapping[str, int], toll: AirToll, station: str = "") -> Counts:
    """26.454. Take eliminated factors off, of several nations the largest contingent first (SR-23); what aborts goes home
    unhurt (SR-28). What is left."""
    moves: list[Move] = []
    left = dict(flying)
    for group, number in toll.eliminated.items():
        mine = {key: left[key] for key in left if kind_of(unit_of(key)) == GROUPS[group]}
        for key, taken in share_losses(mine, number, list(mine)).items():
            moves.append(Move(unit_of(key), taken, front_of(key), ""))
            left[key] -= taken
    if moves:
        table.record(AirUnitsLost(rule="26.454", to=Audience.EVERYONE, moves=_together(moves), station=station))
    return left


def _together(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Losses of the same units in one line: army air may have been lost bombing and escorting."""
    sums: dict[tuple[str, str], int] = {}
    for name, number, front, _ in moves:
        sums[name, front] = sums.get((name, front), 0) + number
    return tuple(Move(name, number, front, "") for (name, front), number in sums.items())
