"""26.4, 26.5, 26.64: the bombing of one combat phase: raids, flying bombs and rockets announced, met, flown.

Everything is announced before anything is resolved, and who meets what is said for all raids and flying bombs at once
(26.441, 26.51, 26.64). What was assigned stays assigned until the effects are told (26.662).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, OnlyIf, Place, in_order, order_of
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.strategic_bombing import TargetKind
from flagplot.model.strategic_war import JAPAN, STRATEGIC_BOMBER
from flagplot.model.war import AAF, TargetHex, War, faction_of, side_of
from flagplot.model.war_events import RaidAnnounced, RaidIntercepted
from flagplot.rules.strategic.atomic_turn import atomic_raids
from flagplot.rules.strategic.bombing_flight_turn import fly
from flagplot.rules.strategic.bombing_flights import (
    FLYING_BOMBS,
    STAY,
    Flight,
    Raid,
    as_unit,
    distance_of,
    enemies,
    flights,
    fronts_crossed,
    holder_of,
    last_front,
    may_be_bombed,
    meets,
    station,
    theatre_of,
)
from flagplot.rules.strategic.bombing_forces import army_air_allowed, bars_to_flying, range_of
from flagplot.rules.strategic.bombing_interception import is_us_box
from flagplot.rules.strategic.rockets_turn import announce_salvos
from flagplot.rules.table import Ruleset, Table

BOMBS = (STRATEGIC_BOMBER, AAF)


@rule("26.4", "26.41", "26.441", "26.51", "26.64")
async def bombing(table: Table) -> None:
    """26.41. All raids and salvos are announced, all defenders assigned; then the raids fly."""
    side = table.war.now.side
    raids: list[Raid] = []
    form = raids_form(table.rules, table.war)
    if form.items:
        answer = await Decide(side, "26.41", "strategic bombing", "What do you bomb, and with what?", form)
        raids = await atomic_raids(table, await _in_order(side, list(raids_of(table.war, answer))))
    for raid in raids:
        table.record(
            RaidAnnounced(
                rule="26.41",
                to=Audience.EVERYONE,
                power=raid.power,
                target=raid.target,
                force=raid.flights,
                atomic=raid.atomic,
            )
        )
    await announce_salvos(table)
    await _assign_defenders(table, raids)
    await fly(table, raids)


# -- announcing -----------------------------------------------------------------------------------


@rule("26.31", "26.41", "26.42", "26.43", "26.52", "26.663")
def raids_form(rules: Ruleset, war: War) -> Form:
    """26.31. Each flight stays or goes to a target within its reach. A force needs something that bombs, for which it
    takes a bomber or three factors of army air; interceptors that opposed flying bombs do not escort."""
    mine = list(flights(war, war.now.side))
    places = {
        flight.key: [target.name for target in war.targets.values() if reaches(rules, war, flight, target)]
        for flight in mine
    }
    asked = [flight for flight in mine if places[flight.key]]
    limits: list[Limit] = []
    for target in war.targets:
        for power, front in dict.fromkeys((flight.power, flight.front) for flight in asked):
            force = [f for f in asked if (f.power, f.front) == (power, front) and target in places[f.key]]
            limits += _with_bombers(rules, target, force)
    army = [flight for flight in asked if (flight.power, flight.kind) == (JAPAN, AAF)]
    factors = sum(flight.number for flight in army)
    most = army_air_allowed(rules, JAPAN, factors)
    if most < factors:
        cells = tuple((flight.key, place, 1) for flight in army for place in places[flight.key])
        limits.append(AtMost(cells, most, "26.52", f"At most {most} Japanese AAF bomb in a turn."))
    for flight in asked:
        barred = war.no_escort.get(flight.key, 0)
        if barred:
            cells = tuple((flight.key, place, 1) for place in places[flight.key])
            why = f"{barred} of them opposed flying bombs and may not escort in this player turn."
            limits.append(AtMost(cells, max(0, flight.number - barred), "26.663", why))
    items = tuple(
        Item(flight.key, f"{flight.name}, {flight.front} front", flight.number, (STAY, *places[flight.key]))
        for flight in asked
    )
    used = dict.fromkeys(place for item in items for place in item.places[1:])
    return Form(items, (Place(STAY, "stay"), *(Place(name, name) for name in used)), tuple(limits), rest=STAY)


def _with_bombers(rules: Ruleset, target: str, force: Sequence[Flight]) -> Iterator[Limit]:
    """26.42. Nothing but bombers flies without a bomber component; three factors of army air hold one that bombs."""
    others = tuple((flight.key, target) for flight in force if flight.kind != STRATEGIC_BOMBER)
    if not others:
        return
    a_bomber = rules.bombing.army_air_to_a_bomber
    needs = [(flight.key, target) for flight in force if flight.kind == AAF]
    needs += [(flight.key, target) for flight in force if flight.kind == STRATEGIC_BOMBER] * a_bomber
    why = f"A force against {target} needs a strategic bomber, or {a_bomber} AAF, of which one bombs."
    yield OnlyIf(others, tuple(needs), a_bomber, "26.42", why)


@rule("26.31", "26.421", "26.422", "26.43", "26.431")
def reaches(rules: Ruleset, war: War, flight: Flight, target: TargetHex) -> bool:
    """26.31. Whether a flight may go to a target: an enemy's, eligible, in its theatre or a box, and within its range.

    An escort that does not reach it goes along only where there is another front to cross (26.43), or a box (26.462).
    """
    theatre = theatre_of(rules, flight.front)
    distance = distance_of(flight, target)
    results = war.levels(faction_of(flight.power)).air_range
    if distance is None or side_of(holder_of(target)) is war.now.side:
        return False
    if not theatre or (theatre != theatre_of(rules, target.front) and target.target.kind is not TargetKind.BOX):
        return False
    if not enemies(war.politics, flight.power, holder_of(target)):
        return False
    if not may_be_bombed(rules, war, target, air_range=results):
        return False
    unit = as_unit(rules, war, flight)
    role = "bomb" if flight.kind in BOMBS else "escort"
    if bars_to_flying(rules, theatre, results, unit, role, distance, us_box=is_us_box(target.name)):
        return False
    near = distance <= range_of(rules, theatre, results, unit.kind, unit.jet_range)
    return near or len(fronts_crossed(rules, target, flight.front)) > 1


@rule("26.41.2", "26.51")
def raids_of(war: War, answer: Answer) -> Iterator[Raid]:
    """26.41. The raids announced: one for each power, target and front they come from."""
    mine = list(flights(war, war.now.side))
    for target in war.targets:
        for power, front in dict.fromkeys((flight.power, flight.front) for flight in mine):
            force = [flight for flight in mine if (flight.power, flight.front) == (power, front)]
            going = {flight.key: answer.amount(flight.key, target) for flight in force}
            going = {key: number for key, number in going.items() if number}
            if going:
                yield Raid(power, target, front, going)


@rule("26.51.2", "26.451.2")
async def _in_order(side: Side, raids: list[Raid]) -> list[Raid]:
    """26.51. Where several forces bomb one target, their owner says in which order all raids fly."""
    if len({raid.target for raid in raids}) == len(raids):
        return raids
    names = {raid.name: raid for raid in raids}
    form = in_order({name: name for name in names}, "26.51")
    answer = await Decide(side, "26.51", "order of raids", "In which order do your raids fly?", form)
    return [names[name] for name in order_of(answer)]


# -- defending ------------------------------------------------------------------------------------


@rule("26.441", "26.443", "26.462", "26.51", "26.662")
async def _assign_defenders(table: Table, raids: Sequence[Raid]) -> None:
    """26.441. The other side assigns interceptors, army air and jets, each to one station."""
    war, side = table.war, table.war.now.side.enemy
    form = defenders_form(table.rules, war, raids)
    if not form.items:
        return
    question = "Which aircraft meet the raids and flying bombs?"
    answer = await Decide(side, "26.441", "air defense of targets", question, form)
    for place in form.places:
        assigned = answer.held_by(place.key)
        if assigned and place.key != STAY:
            table.record(
                RaidIntercepted(rule="26.441", to=Audience.EVERYONE, side=side, target=place.key, defenders=assigned)
            )


@rule("26.24", "26.442", "26.443", "26.445", "26.54", "26.462", "26.662")
def defenders_form(rules: Ruleset, war: War, raids: Sequence[Raid]) -> Form:
    """26.443. Which flights may meet which raids, over the target or on a front they cross; flying bombs over the target
    alone."""
    stations: dict[str, tuple[TargetHex, str, list[str]]] = {}  # what is attacked, on which front, by whom
    for raid in raids:
        target = war.targets[raid.target]
        for front in fronts_crossed(rules, target, raid.front):
            stations.setdefault(station(target, front), (target, front, []))[2].append(raid.power)
    for salvo in war.salvos:
        target = war.targets[salvo.target]
        if salvo.kind == FLYING_BOMBS:
            stations.setdefault(target.name, (target, last_front(target), []))[2].append(salvo.power)
    items = []
    for flight in flights(war, war.now.side.enemy):
        open_to = [
            place
            for place, (target, front, powers) in stations.items()
            if any(meets(rules, war, flight, target, front, power) for power in powers)
        ]
        if open_to:
            items.append(Item(flight.key, f"{flight.name}, {flight.front} front", flight.number, (STAY, *open_to)))
    used = dict.fromkeys(place for item in items for place in item.places[1:])
    places = [Place(STAY, "stay"), *(Place(name, f"over {name}") for name in used)]
    return Form(tuple(items), tuple(places), rest=STAY)
