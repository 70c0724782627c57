"""Who would arrive when (22.2): dice and chances of every attempt a side may make, exactly, from what that side knows.

All the law is asked of the rules: which targets there are, what bears on the dice, what they reach. The table they are
asked about holds the side's own picture of the operation, so nothing else can come into it; what the side itself has
answered just before is its own as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import PathForm, Wire
from flagplot.core.sides import Side
from flagplot.model.interception import Attempt, Circumstances, Interceptor, Level, Target
from flagplot.model.operation import NavalForce, Operation, Try
from flagplot.model.ships import light, plus
from flagplot.odds.exact import NEVER, arrival_odds, battle_odds
from flagplot.play.game import Game
from flagplot.play.undo import entries_of
from flagplot.rules.naval.attempts import facts_of
from flagplot.rules.naval.interception import attempts
from flagplot.rules.naval.passage import distances, interceptor_of
from flagplot.rules.naval.targets import OF, Aim, aims_at_legs, aims_at_tries, contact_at
from flagplot.rules.table import Table

WHO_TRIES = {level.value: level for level in Level}  # the kinds of questions that name forces and targets
BELOW = {Level.COUNTER: Level.INTERCEPTION, Level.COUNTER_COUNTER: Level.COUNTER}
FORMED = "Ships from "  # how forces made of ships outside task forces are called
LONGER = 5  # a path so much longer than the shortest is still shown with its chance


class Hunter(NamedTuple):
    """Something that may try on its own: a task force, the ships of a port outside task forces, a submarine."""

    key: str
    label: str
    place: str
    kind: str
    nation: str
    force: NavalForce | None = None


class _Sea:
    """One side's picture of the operation, and what is often asked of it."""

    def __init__(self, game: Game, side: Side) -> None:
        self.side = side
        self.table = Table(game.table.rules, operation=game.picture(side).operation)
        self.far: dict[str, dict[str, int]] = {}
        self.known: dict[tuple[str, str, str, bool], tuple[Target, Circumstances]] = {}

    @property
    def operation(self) -> Operation:
        return self.table.operation

    def distance(self, start: str, hex: str) -> int | None:
        if start not in self.far:
            self.far[start] = distances(self.operation.sea.seas, start)
        return self.far[start].get(hex)

    def facts(self, level: Level, aim: Aim, hex: str, hunter: Hunter) -> tuple[Target, Circumstances]:
        """What is intercepted there, and what else bears on the dice of this hunter."""
        key = (aim.key, hex, hunter.nation, hunter.kind == "submarine")
        if key not in self.known:
            contact = contact_at(self.table, level, aim, hex, boats=hunter.kind == "submarine")
            self.known[key] = facts_of(self.table, self.side, level, contact, hunter.nation)
        return self.known[key]

    def interceptor(self, level: Level, hunter: Hunter, aim: Aim, hex: str, longer: int = 0) -> Interceptor | None:
        far = self.distance(hunter.place, hex)
        if far is None:
            return None
        path = (hunter.place, *(hex for _ in range(far + longer)))  # only its length counts
        tried = Try(
            id=hunter.key,
            side=self.side,
            level=level,
            force=hunter.key,
            kind=hunter.kind,
            contact=aim.key,
            hex=hex,
            path=path,
        )
        return interceptor_of(tried, hunter.force)

    def tried(
        self, level: Level, hunters: Sequence[Hunter], aim: Aim, hex: str, longer: int = 0
    ) -> tuple[Circumstances, tuple[Attempt, ...]]:
        """The dice of these hunters, all of them trying there at once."""
        forces = [self.interceptor(level, each, aim, hex, longer) for each in hunters]
        there = [each for each, force in zip(hunters, forces, strict=True) if force is not None]
        if not there:
            return Circumstances(theatre=self.operation.theatre, level=level), ()
        target, about = self.facts(level, aim, hex, there[0])
        return about, attempts(self.table.rules, target, about, [force for force in forces if force is not None])


def chances_for(game: Game, side: Side, decision: Decide) -> dict[str, Any] | None:
    """What is said beside a question about interceptions; None beside any other.

    Before forces are named: each of them alone, in every hex of every target. When a hex or a path is asked for: those
    that were named, together.
    """
    if decision.kind in WHO_TRIES and decision.rule == "22.14":
        sea, asked = _Sea(game, side), WHO_TRIES[decision.kind]
        aims = _aims(sea, asked, decision)
        return _told(sea, asked, [(aim, [each]) for aim in aims for each in _hunters(sea, decision)], aims)
    if decision.kind == "hex":
        return _in_each_hex(game, side, decision)
    if decision.kind == "path" and decision.rule == "22.23" and isinstance(decision.form, PathForm):
        return _by_length(game, side, decision, decision.form)
    return None


def _in_each_hex(game: Game, side: Side, decision: Decide) -> dict[str, Any] | None:
    """Those that were named, together, in every hex that is offered."""
    sea, (level, cells) = _Sea(game, side), _named_before(game, side)
    aim = next((aim for aim in _aims(sea, level) if aim.key == decision.about), None) if level else None
    if level is None or aim is None:
        return None
    aim = aim._replace(hexes=tuple(place.key for place in decision.form.places))
    boats = decision.rule == "22.915"
    going = [each for each in _going(sea, level, aim, cells) if (each.kind == "submarine") is boats]
    return _told(sea, level, [(aim, going)], [aim])


def chances_together(
    game: Game, side: Side, decision: Decide, wire: Wire, hexes: Mapping[str, str]
) -> dict[str, Any] | None:
    """The same for an answer that is being drafted: all it names, each target in the hex looked at or the nearest."""
    level = WHO_TRIES.get(decision.kind)
    if level is None or decision.rule != "22.14":
        return None
    sea = _Sea(game, side)
    cells = decision.read(wire).cells
    rows: list[dict[str, Any]] = []
    for aim in _aims(sea, level, decision):
        going = _going(sea, level, aim, cells)
        if not going:
            continue
        hex = hexes.get(aim.key, "")
        hex = hex if hex in aim.hexes else nearest_hex(sea, aim, going)
        about, tried = sea.tried(level, going, aim, hex)
        battle = battle_odds(sea.table.rules, about, tried)
        for each, odds in zip(tried, arrival_odds(sea.table.rules, about, tried), strict=True):
            row = {"target": aim.key, "hex": hex, "battle": _share(battle), **_row(each, odds)}
            rows.append(row | {"label": next(one.label for one in going if one.key == each.force.id)})
    return {"rows": rows}


# -- who and what -----------------------------------------------------------------------------------


def _aims(sea: _Sea, level: Level, decision: Decide | None = None) -> list[Aim]:
    """The targets of a question. One that is to be met in a hex already is met there and nowhere else (22.13)."""
    aims = (
        aims_at_legs(sea.table.rules, sea.operation)
        if level is Level.INTERCEPTION
        else aims_at_tries(sea.table, BELOW[level])
    )
    offered = [place.key for place in decision.form.places] if decision else [aim.key for aim in aims]
    found = []
    for aim in aims:
        if aim.key in offered:
            met = [
                each.hex
                for each in sea.operation.wave.contacts
                if set(aim.legs) & set(each.legs) and each.hex in aim.hexes and not aim.contact
            ]
            found.append(aim._replace(hexes=(met[0],)) if met else aim)
    return found


def _hunters(sea: _Sea, decision: Decide) -> list[Hunter]:
    """All that the question lets try."""
    named = {item.key for item in decision.form.items} | {
        item.key.partition(OF)[0] for item in decision.form.items if OF in item.key
    }
    return [_hunter(force) for force in sea.operation.forces[sea.side] if force.id in named] + [
        Hunter(each.station + OF + key, f"a submarine, {each.station}", each.hex, "submarine", light(key).nation)
        for each in sea.operation.boats[sea.side]
        for key in each.ready
        if each.station + OF + key in named
    ]


def _hunter(force: NavalForce) -> Hunter:
    return Hunter(force.id, force.id, force.place, "TF" if force.task_force else "loose", force.nation, force)


def _going(
    sea: _Sea, level: Level, aim: Aim, cells: Mapping[str, Mapping[str, int]], *, formed: bool = False
) -> list[Hunter]:
    """Those that an answer sends at a target: task forces, ships of a port as one force (IR-25), each submarine.

    `formed`: the answer has been given, and the ships of a port are on the board as one force already.
    """
    held = {key: places[aim.key] for key, places in cells.items() if places.get(aim.key)}
    found = [_hunter(force) for force in sea.operation.forces[sea.side] if force.task_force and force.id in held]
    found += map(_hunter, _formed(sea, held) if formed else _to_be_formed(sea, held))
    for each in sea.operation.boats[sea.side]:
        for key, ready in each.ready.items() if level is Level.INTERCEPTION else ():
            for number in range(min(ready, held.get(each.station + OF + key, 0))):
                label = f"a submarine of {light(key).nation}, {each.station}"
                found.append(
                    Hunter(f"{each.station}{OF}{key} {number}", label, each.hex, "submarine", light(key).nation)
                )
    return found


def _to_be_formed(sea: _Sea, held: Mapping[str, int]) -> list[NavalForce]:
    """The ships outside task forces that an answer sends, port by port."""
    ports: dict[str, NavalForce] = {}
    for force in sea.operation.forces[sea.side]:
        parts = {key.partition(OF)[2]: number for key, number in held.items() if key.startswith(force.id + OF)}
        if force.task_force or not parts:
            continue
        port = force.harbour or force.place
        known = ports.get(port) or replace(force, id=f"{FORMED}{port}", ships=(), light={})
        ships = tuple(ship for ship in force.ships if ship.id in parts)
        counts = {key: min(number, parts[key]) for key, number in force.light.items() if key in parts}
        ports[port] = replace(known, ships=(*known.ships, *ships), light=plus(known.light, counts))
    return list(ports.values())


def _formed(sea: _Sea, held: Mapping[str, int]) -> list[NavalForce]:
    """The forces just made of them: of each port the last that holds nothing but what was sent at this target."""
    sent = {key.partition(OF)[2] for key in held}
    ports: dict[str, NavalForce] = {}
    for force in sea.operation.forces[sea.side]:
        inside = {*(ship.id for ship in force.ships), *force.light}
        if force.id.startswith(FORMED) and not force.attempted and inside <= sent:
            ports[force.harbour or force.place] = force
    return list(ports.values())


def _named_before(game: Game, side: Side) -> tuple[Level | None, dict[str, dict[str, int]]]:
    """Which forces this side has just named, and at which level: its own last answer to that question."""
    tape = game.runner.tape
    for index in entries_of(tape, side):
        if tape[index].tag.startswith(f"22.14 {side}"):
            stage = game.picture(side).operation.wave.stage
            levels = {"interceptions": Level.INTERCEPTION, "counters": Level.COUNTER}
            return levels.get(stage, Level.COUNTER_COUNTER), _cells(tape[index].answer)
    return None, {}


def _cells(wire: Wire) -> dict[str, dict[str, int]]:
    """An answer that was legal, item by item; what it does not name was held back."""
    told: dict[str, dict[str, int]] = {}
    for item, place in wire.items() if isinstance(wire, Mapping) else ():
        told[item] = dict(place) if isinstance(place, Mapping) else {place: 1_000}
    return told


def nearest_hex(sea: _Sea, aim: Aim, going: Sequence[Hunter], *, alone: bool = False) -> str:
    """The hex that is nearest to the last of them, as the question after this one proposes; of forces looked at one by
    one, the hex nearest to any of them."""
    far = {hex: [sea.distance(each.place, hex) or 0 for each in going] for hex in aim.hexes}
    return min(aim.hexes, key=lambda hex: (min(far[hex]) if alone else max(far[hex]), sum(far[hex])))


# -- as data ----------------------------------------------------------------------------------------


def _told(
    sea: _Sea, level: Level, tries: Sequence[tuple[Aim, Sequence[Hunter]]], aims: Sequence[Aim]
) -> dict[str, Any]:
    """Targets, rows and breakdowns: a row for each hunter and target, in it a cell for every hex."""
    ledgers: list[list[list[Any]]] = []
    rows: list[dict[str, Any]] = []
    for aim, hunters in tries:
        found: dict[str, dict[str, Any]] = {}
        for each in hunters:
            row = {"force": each.key, "label": each.label, "from": each.place, "target": aim.key, "hexes": {}}
            found[each.key] = row
            rows.append(row)
        for hex in aim.hexes:
            about, tried = sea.tried(level, hunters, aim, hex)
            for attempt, odds in zip(tried, arrival_odds(sea.table.rules, about, tried), strict=True):
                cell = _row(attempt, odds)
                lines = cell.pop("lines")
                if lines not in ledgers:
                    ledgers.append(lines)
                found[attempt.force.id]["hexes"][hex] = cell | {"ledger": ledgers.index(lines)}
    targets = []
    for aim in aims:
        going = [each for one, hunters in tries if one.key == aim.key for each in hunters]
        near = nearest_hex(sea, aim, going, alone=len(tries) > 1) if going else aim.hexes[0]
        targets.append({"key": aim.key, "label": aim.label, "hexes": list(aim.hexes), "near": near})
    return {"level": level.value, "targets": targets, "rows": rows, "ledgers": ledgers}


def _by_length(game: Game, side: Side, decision: Decide, form: PathForm) -> dict[str, Any] | None:
    """How the chances fall with every hex a path is longer than the shortest."""
    sea, (level, cells) = _Sea(game, side), _named_before(game, side)
    if level is None:
        return None
    for aim in _aims(sea, level):
        if form.end not in aim.hexes:
            continue
        going = [each for each in _going(sea, level, aim, cells, formed=True) if each.kind != "submarine"]
        mine = next((each for each in going if each.place == form.start and f" {each.key} " in decision.question), None)
        shortest = sea.distance(form.start, form.end)
        if mine is None or shortest is None:
            continue
        rows = []
        for longer in range(LONGER + 1):
            if form.most and shortest + longer > form.most:
                break
            about, tried = sea.tried(level, going, aim, form.end, longer)
            odds = arrival_odds(sea.table.rules, about, tried)
            rows += [_row(each, odd) for each, odd in zip(tried, odds, strict=True) if each.force.id == mine.key]
        return {"level": level.value, "force": mine.label, "target": aim.key, "hex": form.end, "lengths": rows}
    return None


def _row(attempt: Attempt, odds: Mapping[int, Fraction]) -> dict[str, Any]:
    """One attempt: how far, how many dice and why, and the chance of each round; what is left is never."""
    return {
        "distance": attempt.force.distance,
        "dice": attempt.dice.total,
        "rolls": attempt.chance.value,
        "lines": [[line.rule, line.reason, line.amount] for line in attempt.dice.lines],
        "rounds": {str(entry): _share(chance) for entry, chance in odds.items() if entry != NEVER},
        "never": _share(odds.get(NEVER, Fraction(0))),
    }


def _share(chance: Fraction) -> float:
    return round(float(chance), 6)
