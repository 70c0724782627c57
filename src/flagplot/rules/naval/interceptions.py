"""22.14, 22.16, 22.164: interceptions, counter-interceptions and counter-counter-interceptions, announced and rolled.

All levels go the same way: who tries what, in which hex, by which path; then the dice of all attempts at once; and only
when no further level is left does anybody fight (22.164). What may be aimed at is in targets.py, the dice in attempts.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import (
    Answer,
    AtLeast,
    AtMost,
    Form,
    Item,
    Limit,
    OneShort,
    OnlyIf,
    Place,
    barred,
    path_of,
    pick,
)
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side
from flagplot.model.interception import Level
from flagplot.model.operation import Boats, Contact, NavalForce, Operation, Try
from flagplot.model.operation_events import ContactsSought, PathGiven, TriesAnnounced
from flagplot.model.ships import light, minus, plus
from flagplot.rules.naval.activities import reach_stage
from flagplot.rules.naval.attempts import nation_of, roll_attempts
from flagplot.rules.naval.combat_groups import light_label
from flagplot.rules.naval.interception import in_range
from flagplot.rules.naval.interceptors import MOST_LOOSE_FACTORS, ORDER, prevailing
from flagplot.rules.naval.passage import (
    at_war,
    distances,
    may_try,
    passage_form,
    place_forces,
    shortest,
    within_range,
)
from flagplot.rules.naval.patrol_support import support
from flagplot.rules.naval.reconstitution import by_port, reconstitute
from flagplot.rules.naval.targets import (
    HOLD,
    OF,
    Aim,
    aims_at_legs,
    aims_at_tries,
    battles_of,
    common_contact,
    contact_at,
    ids_of,
    surface,
)
from flagplot.rules.table import Table

AS_THEY_ARE, ANEW = "as they are", "reconstitute"  # of task forces in port
GO = "go"

# -- the three levels -----------------------------------------------------------------------------


@rule("22.11", "22.111", "22.164A", "22.115", "22.131")
async def intercept(table: Table) -> None:
    """22.164A. The other side announces every attempt, then rolls for each; without anybody who could, nothing is asked.

    Between the two patrols may attack aircraft on their way, which have then spotted them (22.22G, FP-106).
    """
    side = table.operation.wave.side.enemy
    if not _announced(table.operation):
        if not await _announce(table, side, Level.INTERCEPTION, aims_at_legs(table.rules, table.operation)):
            reach_stage(table, "air")
            return
        if any(leg.kind == "patrol" and not leg.returning for leg in table.operation.wave.legs):
            return
    await roll_attempts(table, side, Level.INTERCEPTION, _announced(table.operation))
    sailing = surface(table.operation.wave.tries, Level.INTERCEPTION)
    reach_stage(table, "counters" if sailing else "air")


@rule("22.111", "22.16", "22.161", "22.164B", "22.25")
async def counter_intercept(table: Table) -> None:
    """22.25. The side that was intercepted may counter-intercept, and its offensive patrols may support."""
    wave = table.operation.wave
    await support(table)
    aims = aims_at_tries(table, Level.INTERCEPTION)
    tried = await _try(table, wave.side, Level.COUNTER, aims)
    sailing = surface(table.operation.wave.tries, Level.COUNTER)
    reach_stage(table, "counter-counters" if tried and sailing else "air")


@rule("22.111", "22.164C", "22.17", "22.255")
async def counter_counter_intercept(table: Table) -> None:
    """22.255. The intercepting side may counter-counter-intercept in the same way; there it ends (22.17)."""
    aims = aims_at_tries(table, Level.COUNTER)
    await _try(table, table.operation.wave.side.enemy, Level.COUNTER_COUNTER, aims)
    reach_stage(table, "air")


def _announced(operation: Operation) -> tuple[str, ...]:
    """The attempts that have been announced and not yet rolled for."""
    return ids_of([each for each in operation.wave.tries if each.status == "announced"])


async def _try(table: Table, side: Side, level: Level, aims: Sequence[Aim]) -> bool:
    """22.164. One level: who tries what, where, by which path; then the dice. Returns whether anybody tried."""
    tried = await _announce(table, side, level, aims)
    if tried:
        await roll_attempts(table, side, level, _announced(table.operation))
    return tried


# -- announcing -----------------------------------------------------------------------------------


async def _announce(table: Table, side: Side, level: Level, aims: Sequence[Aim]) -> bool:
    """22.164. Who tries what, where and by which path. Returns whether anybody does."""
    reach = list(dict.fromkeys(hex for aim in aims for hex in aim.hexes))
    nations = [nation for aim in aims for nation in _nations_of(table.operation, aim)]
    forces, boats = may_try(table.rules, table.operation, side, level, reach, nations)
    if not aims or not (forces or boats):
        return False
    words = {Level.INTERCEPTION: "intercept", Level.COUNTER: "counter-intercept"}
    question = f"Which of your forces {words.get(level, 'counter-counter-intercept')}, and whom?"
    form = attempts_form(table, aims, forces, boats, may_reconstitute=True)
    answer = await Decide(side, "22.14", str(level), question, form)
    if answer.held_by(ANEW):
        await reconstitute(table, side, forces)
        forces, boats = may_try(table.rules, table.operation, side, level, reach, nations)
        form = attempts_form(table, aims, forces, boats)
        answer = await Decide(side, "22.14", str(level), question, form, "again")
    tries = await _surface_tries(table, side, level, aims, forces, answer)
    for aim in aims:
        for each in boats:
            tries += await _boats_for(table, side, level, aim, each, answer, len(tries))
    tries = _that_prevail(table.operation, tries)
    if not tries:
        return False
    tries = [await _with_path(table, side, each) for each in tries]
    table.record(TriesAnnounced(rule="22.164", to=Audience.EVERYONE, side=side, level=level, tries=tuple(tries)))
    return True


@rule("22.112")
def _nations_of(operation: Operation, aim: Aim) -> list[str]:
    """22.112. Whose ships are aimed at: of attempts in a battle those of the last level that are on their way, not those
    whom they counter; nor those that came to nothing, whose ships may be in another force by now (22.14B)."""
    wave = operation.wave
    sailing = [each for each in wave.tries if each.status == "sailing" and not each.boat]
    tries = [each for each in sailing if each.id in aim.met or (aim.contact and each.contact == aim.contact)]
    last = max((ORDER.index(each.level) for each in tries), default=0)
    nations = [wave.leg(id).nation for id in aim.legs]
    nations += [operation.force(each.side, each.force).nation for each in tries if ORDER.index(each.level) == last]
    return list(dict.fromkeys(nations))


@rule("22.112", "22.113", "22.14A", "22.14B", "22.14C", "22.14D", "22.14E", "22.16", "22.915", "23.462C")
def attempts_form(
    table: Table,
    aims: Sequence[Aim],
    forces: Sequence[NavalForce],
    boats: Sequence[Boats],
    *,
    may_reconstitute: bool = False,
) -> Form:
    """22.14. Each task force, each ship outside one and each submarine has one target, or is held back.

    From one port no more than nine factors outside task forces go for one target. Task forces in port may be made up
    anew first (22.14B).
    """
    operation = table.operation
    items: list[Item] = []
    limits: list[Limit] = []
    nations: dict[str, str] = {}
    loose: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for force in forces:
        units = [Item(force.id, f"{force.id}, {force.harbour or force.place}")]
        if not force.task_force:
            units = _units_of(force)
            for aim in aims:
                cells = loose.setdefault((force.harbour or force.place, aim.key), [])
                cells += [(item.key, aim.key, _size_of(force, item.key)) for item in units]
        items += units
        nations |= {item.key: force.nation for item in units}
        for aim in aims:
            if force.task_force and force.cargo:
                limits.append(barred(force.id, aim.key, "22.11", "It has cargo aboard for another activity."))
            if force.patrol and any(operation.wave.leg(id).kind == "escape" for id in aim.legs):
                why = "Patrols do not intercept ships that flee from a port under air attack."
                limits += [barred(item.key, aim.key, "23.462C", why) for item in units]
            if not within_range(table.rules, operation, force.place, aim.hexes):
                limits += [barred(item.key, aim.key, "22.22", f"{aim.key} is out of its range.") for item in units]
    limits += _one_hex(operation, aims, items)
    for each in boats:
        for key, number in each.ready.items():
            item = Item(each.station + OF + key, f"submarines of {light(key).nation}, {each.station}", number)
            items.append(item)
            nations[item.key] = light(key).nation
            for aim in aims:
                if not within_range(table.rules, operation, each.hex, aim.hexes):
                    limits.append(barred(item.key, aim.key, "22.22", f"{aim.key} is out of range."))
    for (port, _), cells in loose.items():
        why = f"From {port} at most nine factors outside task forces go for one target."
        limits.append(AtMost(tuple(cells), MOST_LOOSE_FACTORS, "22.14C", why))
    limits += _wars_and_allies(operation, aims, items, nations)
    places = [Place(HOLD, "held back"), *(Place(aim.key, aim.label) for aim in aims)]
    targets = tuple(place.key for place in places)
    items = [replace(item, places=targets) for item in items]
    if may_reconstitute and any(force.task_force for row in by_port(forces).values() for force in row):
        items.append(Item("task forces", "Your task forces in port", 1, (AS_THEY_ARE, ANEW)))
        places += [Place(AS_THEY_ARE, "as they are"), Place(ANEW, "reconstituted first; then you are asked again")]
    return Form(tuple(items), tuple(places), tuple(limits), rest=HOLD)


def _units_of(force: NavalForce) -> list[Item]:
    """The ships of a force outside task forces that may intercept, each by itself; not those that carry something."""
    units = [Item(force.id + OF + ship.id, f"{ship.name}, {force.harbour or force.place}") for ship in force.ships]
    units += [
        Item(force.id + OF + key, f"{light_label(key)}, {force.harbour or force.place}", number)
        for key, number in force.light.items()
        if light(key).kind != "TR" and light(key).state != "loaded"
    ]
    return units


def _size_of(force: NavalForce, item: str) -> int:
    """The naval factors of a ship, or of one light ship, under the name it has in a question."""
    unit = item.removeprefix(force.id + OF)
    return next((ship.size for ship in force.ships if ship.id == unit), 0) or light(unit).factors


@rule("22.13", "22.14E", "22.16")
def _one_hex(operation: Operation, aims: Sequence[Aim], items: Sequence[Item]) -> list[Limit]:
    """22.14E. Attempts that are all of those bound for a battle are countered there or on their way, not both."""
    limits: list[Limit] = []
    most = sum(item.amount for item in items) + 1
    for aim in aims:
        for contact, bound in battles_of(operation, aim.met).items():
            if set(bound) <= set(aim.met):
                why = f"{aim.key} and {contact} are the same target, to be met in one hex."
                weights = tuple((item.key, 1) for item in items)
                limits.append(OneShort(((contact, most), (aim.key, most)), weights, "22.14E", why))
    return limits


@rule("22.112", "22.113")
def _wars_and_allies(
    operation: Operation, aims: Sequence[Aim], items: Sequence[Item], nations: Mapping[str, str]
) -> list[Limit]:
    """22.113. Nobody goes for a target he is not at war with (22.112), and Russia for none that her allies want."""
    limits: list[Limit] = []
    western = [item for item in items if nations[item.key] in prevailing(list(nations.values()))]
    for aim in aims:
        targets = _nations_of(operation, aim)
        why = f"There is no war with those of {aim.key}."
        peaceful = [item for item in items if not at_war(operation, nations[item.key], targets)]
        limits += [barred(item.key, aim.key, "22.112", why) for item in peaceful]
        away = tuple((item.key, place) for item in western for place in _places(aims) if place != aim.key)
        russian = tuple((item.key, aim.key) for item in items if item not in western)
        if russian:
            why = f"Russia leaves {aim.key} to the Western Allies if they want it."
            limits.append(OnlyIf(russian, away, sum(item.amount for item in western), "22.113", why))
    return limits


def _places(aims: Sequence[Aim]) -> list[str]:
    return [HOLD, *(aim.key for aim in aims)]


@rule("22.113")
def _that_prevail(operation: Operation, tries: Sequence[Try]) -> list[Try]:
    """22.113. Of attempts at one target those that are made: what is met together is one target (IR-15, AM-22)."""
    made: list[Try] = []
    for each in tries:
        nations = [nation_of(operation, other) for other in tries if other.contact == each.contact]
        if nation_of(operation, each) in prevailing(nations):
            made.append(each)
    return made


# -- ships ----------------------------------------------------------------------------------------


@rule("22.14A", "22.14B", "22.14C", "22.14E")
async def _surface_tries(
    table: Table, side: Side, level: Level, aims: Sequence[Aim], forces: Sequence[NavalForce], answer: Answer
) -> list[Try]:
    """22.14. The attempts of ships: first where, for every target; then, for what is met together, who."""
    going: dict[str, list[NavalForce]] = {}
    for aim in aims:
        held = answer.held_by(aim.key)
        comers = [force if force.task_force else _part_of(force, held) for force in forces]
        comers = [each for each in comers if (each.id in held if each.task_force else each.afloat)]
        if comers:
            contact = await _contact(table, side, level, aim, [force.place for force in comers], list(going))
            going.setdefault(contact.id, []).extend(comers)
    tries: list[Try] = []
    for id, comers in going.items():
        contact = table.operation.wave.contact(id)
        made = [force for force in comers if force.task_force]
        loose = [force for force in comers if not force.task_force]
        for port in dict.fromkeys(force.harbour or force.place for force in loose):
            parts = _joined([part for part in loose if (part.harbour or part.place) == port])
            made.append(await _one_force(table, side, contact, port, parts, len(tries) + len(made)))
        tries += [
            _new_try(table.operation, side, level, force, contact, len(tries) + n) for n, force in enumerate(made)
        ]
    return tries


def _part_of(force: NavalForce, held: Mapping[str, int]) -> NavalForce:
    ships = tuple(ship for ship in force.ships if force.id + OF + ship.id in held)
    return replace(force, ships=ships, light={key: n for key in force.light if (n := held.get(force.id + OF + key, 0))})


def _joined(parts: Sequence[NavalForce]) -> list[NavalForce]:
    """Parts of forces, those of one force put together."""
    whole: dict[str, NavalForce] = {}
    for part in parts:
        had = whole.get(part.id, replace(part, ships=(), light={}))
        whole[part.id] = replace(had, ships=(*had.ships, *part.ships), light=plus(had.light, part.light))
    return list(whole.values())


def _without(force: NavalForce, part: NavalForce) -> NavalForce:
    ships = tuple(ship for ship in force.ships if ship not in part.ships)
    return replace(force, ships=ships, light=minus(force.light, part.light))


@rule("22.14C")
async def _one_force(
    table: Table, side: Side, contact: Contact, port: str, parts: Sequence[NavalForce], number: int
) -> NavalForce:
    """22.14C. Ships outside task forces leave a port as one force, of nine factors at most (IR-25).

    That holds for all that is met together, whichever of it they were meant for (AM-22).
    """
    if sum(part.factors for part in parts) > MOST_LOOSE_FACTORS:
        units = {item.key: (item, part) for part in parts for item in _units_of(part)}
        sizes = tuple((key, GO, _size_of(part, key)) for key, (_, part) in units.items())
        why = f"From {port} at most nine factors outside task forces go for one target."
        limit = AtMost(sizes, MOST_LOOSE_FACTORS, "22.14C", why)
        places = (Place(HOLD, "held back"), Place(GO, f"goes to {contact.hex}"))
        items = tuple(item for item, _ in units.values())
        some = AtLeast(sizes, 1, "22.14C", "Some of them go: they were named for it.")
        form = Form(items, places, (limit, some), rest=HOLD, default=_as_many(items, limit))
        question = f"What you named from {port} meets one target in {contact.hex}: which ships go?"
        answer = await Decide(side, "22.14C", "loose ships", question, form, f"{port} {contact.id}")
        parts = [part for each in parts if (part := _part_of(each, answer.held_by(GO))).afloat]
    counts: dict[str, int] = {}
    for part in parts:
        counts = plus(counts, part.light)
    name = f"Ships from {port} {table.operation.tries_made + number + 1}"
    ships = tuple(ship for part in parts for ship in part.ships)
    whole = replace(parts[0], id=name, ships=ships, light=counts, cargo=())
    left = [_without(table.operation.force(side, part.id), part) for part in parts]
    gone = [rest.id for rest in left if not rest.afloat]
    place_forces(table, side, [*(rest for rest in left if rest.afloat), whole], gone)
    return whole


def _as_many(items: Sequence[Item], limit: AtMost) -> dict[str, dict[str, int]]:
    """As many of these as a limit has room for, the first named first."""
    left = limit.limit
    told: dict[str, dict[str, int]] = {}
    for item, (_, place, size) in zip(items, limit.cells, strict=True):
        number = min(item.amount, left // size)
        left -= number * size
        told[item.key] = {place: number}
    return told


# -- where ----------------------------------------------------------------------------------------


@rule("22.12", "22.13", "22.14E", "22.141", "22.161", "22.162")
async def _contact(
    table: Table, side: Side, level: Level, aim: Aim, starts: Sequence[str], joined: Sequence[str]
) -> Contact:
    """22.12. The one hex of all surface attempts at a target (22.14E), and all it catches there (22.141)."""
    if aim.contact:
        return table.operation.wave.contact(aim.contact)
    shared = common_contact(table, aim, joined)
    if shared is not None:
        return shared
    near = [distances(table.operation.sea.seas, start) for start in starts]
    most = table.rules.interception.most_range[table.operation.theatre]
    far = {hex: max(each.get(hex, most + 1) for each in near) for hex in aim.hexes}
    common = [hex for hex in aim.hexes if far[hex] <= most] or list(aim.hexes)
    form = pick({hex: f"{hex}, {far[hex]} hexes" for hex in common}, min(common, key=lambda hex: far[hex]))
    answer = await Decide(side, "22.12", "hex", f"In which hex do you intercept {aim.label}?", form, aim.key)
    return _seek(table, side, contact_at(table, level, aim, answer.choice, joined))


@rule("22.12", "22.141")
def _seek(table: Table, side: Side, contact: Contact) -> Contact:
    """22.141. A contact is announced, and with it the paths of all that pass there, asked for or not."""
    wave = table.operation.wave
    if contact in wave.contacts:
        return contact
    for leg in (wave.leg(id) for id in contact.legs):
        if not leg.demanded:
            table.record(PathGiven(rule="22.141", to=Audience.EVERYONE, side=leg.side, leg=leg.id, path=leg.path))
    table.record(ContactsSought(rule="22.12", to=Audience.EVERYONE, side=side, contacts=(contact,)))
    return contact


# -- one attempt ----------------------------------------------------------------------------------


def _new_try(operation: Operation, side: Side, level: Level, force: NavalForce, contact: Contact, index: int) -> Try:
    return Try(
        id=f"T{operation.tries_made + index + 1}",
        side=side,
        level=level,
        force=force.id,
        kind="TF" if force.task_force else "loose",
        contact=contact.id,
        hex=contact.hex,
    )


@rule("22.13E", "22.114", "22.16", "22.915")
async def _boats_for(
    table: Table, side: Side, level: Level, aim: Aim, boats: Boats, answer: Answer, index: int
) -> list[Try]:
    """22.915. Each submarine tries on its own, in a hex of its own choice, which need not be the others'."""
    operation = table.operation
    tries: list[Try] = []
    for key in boats.ready:
        number = answer.amount(boats.station + OF + key, aim.key)
        if not number:
            continue
        for hex, going in (await _boats_hexes(table, side, aim, boats, key, number)).items():
            contact = _seek(table, side, contact_at(table, level, aim, hex, boats=True))
            for _ in range(going):
                tries.append(
                    Try(
                        id=f"T{operation.tries_made + index + len(tries) + 1}",
                        side=side,
                        level=level,
                        force=boats.station,
                        boat=key,
                        kind="submarine",
                        contact=contact.id,
                        hex=hex,
                        path=shortest(operation.sea.seas, boats.hex, hex),
                    )
                )
    return tries


@rule("22.13E", "22.915")
async def _boats_hexes(table: Table, side: Side, aim: Aim, boats: Boats, key: str, number: int) -> dict[str, int]:
    """22.915. How many submarines of a station try in which hex."""
    if aim.contact:
        return {aim.hexes[0]: number}
    near = distances(table.operation.sea.seas, boats.hex)
    hexes = within_range(table.rules, table.operation, boats.hex, aim.hexes)
    places = tuple(Place(hex, f"{hex}, {near[hex]} hexes") for hex in hexes)
    item = Item(boats.station + OF + key, f"submarines of {light(key).nation}, {boats.station}", number)
    form = Form((item,), places, rest=min(hexes, key=lambda hex: near[hex]))
    question = f"In which hexes do your submarines intercept {aim.label}?"
    answer = await Decide(side, "22.915", "hex", question, form, aim.key)
    return answer.cells[item.key]


@rule("22.23.2", "22.22")
async def _with_path(table: Table, side: Side, attempt: Try) -> Try:
    """22.23. The path of an attempt is announced; the distance along it is what the dice must reach.

    Where others have chosen a hex out of its range the attempt will be void (FP-33), and nothing is asked.
    """
    if attempt.boat:
        return attempt
    operation = table.operation
    force = operation.force(side, attempt.force)
    path = shortest(operation.sea.seas, force.place, attempt.hex)
    if not in_range(table.rules, operation.theatre, len(path) - 1):
        return replace(attempt, path=path)
    most = table.rules.interception.most_range[operation.theatre]
    form = passage_form(operation, force.place, attempt.hex, most, "22.22")
    question = f"Which path does {attempt.force} take to {attempt.hex}?"
    answer = await Decide(side, "22.23", "path", question, form, attempt.id)
    return replace(attempt, path=path_of(answer.choice))
