"""Rolls, line by line: what made up the dice or what was added to them, as far as an audience was told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.terminal import with_rules
from flagplot.core.errors import PlayerError
from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.operation_events import InterceptionDiceCounted, InterceptionRolled
from flagplot.play.air_transcript import combat_rows
from flagplot.play.transcript import sentence
from flagplot.play.wording import Names, air_result, breakdown, counted, hexes, signed
from flagplot.rules.table import Ruleset

Modified: TypeAlias = (  # rolls whose lines everyone is told with the dice
    ev.Fired
    | air.SurpriseRolled
    | air.AirCombatFought
    | air.CounterairFought
    | air.AirAttackRolled
    | air.TorpedoesFired
)
Fought: TypeAlias = air.AirCombatFought | air.CounterairFought  # both sides roll, one with the opposite modifier
Counted: TypeAlias = (  # rolls whose lines are counted first, for the roller alone
    ev.Searched | air.AirDefenseRolled | InterceptionRolled
)
COUNTS = (ev.SearchCounted, air.AirDefenseCounted, InterceptionDiceCounted)
SECRET = ", other lines being secret"


def is_roll(event: Event) -> bool:
    """Whether dice fell in an event for reasons that can be told line by line."""
    return isinstance(event, Modified) or (isinstance(event, Counted) and bool(event.dice))


class Count:
    """What was counted before dice fell, as far as an audience was told."""

    def __init__(self) -> None:
        self._told: dict[tuple[type[Event], Side | str], Modifiers] = {}

    def note(self, event: Event) -> None:
        """Remember a count."""
        if isinstance(event, ev.SearchCounted):
            self._told[ev.Searched, event.side] = event.dice
        elif isinstance(event, air.AirDefenseCounted):
            self._told[air.AirDefenseRolled, event.side] = event.level
        elif isinstance(event, InterceptionDiceCounted):
            self._told[InterceptionRolled, event.attempt] = event.dice

    def lines(self, event: Event) -> Modifiers:
        """The lines of a roll: its own, those counted for it, else the public ones."""
        if isinstance(event, Modified):
            return event.modifiers
        if not isinstance(event, Counted):
            return Modifiers()
        public = event.public if isinstance(event, ev.Searched) else Modifiers()
        whose = event.attempt if isinstance(event, InterceptionRolled) else event.side
        return self._told.pop((type(event), whose), public)


def rolls(events: Sequence[Event]) -> list[tuple[Event, Modifiers]]:
    """The rolls an audience saw, each with the lines it was told: the roller's own, else the public ones."""
    found: list[tuple[Event, Modifiers]] = []
    count = Count()
    for event in events:
        count.note(event)
        if is_roll(event):
            found.append((event, count.lines(event)))
    return found


def in_a_row(event: Event, lines: Modifiers, names: Names) -> str:
    """What makes up a roll, on one line."""
    told = ", ".join(f"{reason} {signed(amount)} ({rule})" for rule, reason, amount in breakdown(lines))
    match event:
        case ev.Searched():
            secret = event.count - lines.total
            return ", ".join(filter(None, (told, f"{secret} more for reasons not told" if secret else "")))
        case air.AirDefenseRolled():
            return f"{told} = {event.level}" if told else "what makes up the level is not told"
        case InterceptionRolled():
            dice = f"{len(event.dice)} dice" if len(event.dice) != 1 else "1 die"
            return f"{told} = {dice}" if told else "what makes up the dice is not told"
        case air.AirCombatFought() | air.CounterairFought():
            both = f" for {names.sides[event.side]}, {signed(-lines.total)} for {names.sides[event.side.enemy]}"
            return f"{told} = {signed(lines.total)}{both}" if told else "no modifiers"
    return f"{told} = {signed(lines.total)}" if told else "no modifiers"


def roll_number(events: Sequence[Event], number: int) -> tuple[Event, Modifiers]:
    """A roll by its number, the last one for 0, with the lines this audience was told."""
    made = rolls(events)
    if not made:
        raise PlayerError("No dice have been rolled yet.")
    if number > len(made):
        there = "There is 1 roll" if len(made) == 1 else f"There are {len(made)} rolls"
        raise PlayerError(f"{there} so far; the first is why 1.")
    return made[number - 1]


# -- one roll, line by line ---------------------------------------------------------------------------

Line: TypeAlias = tuple[str, str | Text, str]  # rule, what, amount


def _dice(event: Event, dice: Sequence[int], whose: str = "") -> Line:
    return event.rule, f"{whose}dice " + " + ".join(map(str, dice)), str(sum(dice))


def _sum(text: str, amount: int) -> Line:
    return "", Text(text, style="heading"), str(amount).replace("-", "−")


def _row(rows: Sequence[str], column: int) -> str:
    return f"row {' and '.join(rows)}, column {column}"


def _lines(event: Event, modifiers: Modifiers, rules: Ruleset, names: Names) -> Iterator[Line]:
    lines = [(rule, reason, signed(amount)) for rule, reason, amount in breakdown(modifiers)]
    match event:
        case ev.Searched():
            yield from lines
            yield _sum(f"search dice{SECRET if modifiers.total != event.count else ''}", event.count)
        case air.AirDefenseRolled():
            yield from lines
            yield _sum(f"air defense level{SECRET if modifiers.total != event.level else ''}", event.level)
            yield _dice(event, event.dice)
            read = rules.air_defense.read(event.level, sum(event.dice))
            result = air_result(event.eliminated, event.aborted)
            yield _sum(f"{_row(read.rows, read.column)}: {result}", sum(event.dice))
        case InterceptionRolled():
            yield from lines
            yield _sum(f"interception dice{SECRET if modifiers.total != len(event.dice) else ''}", len(event.dice))
            yield _dice(event, event.dice)
            short = event.distance - event.result
            reached = "in time" if short <= 0 else f"{hexes(short)} short"
            halved = "" if event.result == event.total else f", which is {hexes(event.result)} here"
            yield _sum(f"{hexes(event.distance)} to go{halved}: {reached}", event.total)
        case air.AirCombatFought() | air.CounterairFought():
            yield from _fought(event, lines, rules, names)
        case ev.Fired():
            yield from (_dice(event, event.dice), *lines)
            shot = rules.attack.read_fleet(event.factors, event.roll)
            where = f"{counted(event.factors, 'factor')}, {_row(shot.rows, shot.column)}"
            yield _sum(f"{where}: {counted(event.hits, 'hit')}", event.roll)
        case air.AirAttackRolled():
            yield from (_dice(event, event.dice), *lines)
            number = sum(event.squadrons.values())
            bombs = rules.attack.read_air(number, event.roll)
            where = f"{counted(number, 'squadron')}, {_row(bombs.rows, bombs.column)}"
            yield _sum(f"{where}: {counted(event.hits, 'hit')}", event.roll)
        case air.TorpedoesFired():
            yield from (_dice(event, event.dice), *lines)
            column = rules.submarine.read(event.roll).column
            lost = ", the submarine is lost" if event.submarine_lost else ""
            yield _sum(f"column {column}: {counted(event.hits, 'hit')}{lost}", event.roll)
        case air.SurpriseRolled():
            yield from (_dice(event, event.dice), *lines)
            level = f"surprise of level {event.level}" if event.level else "no surprise"
            yield _sum(level, sum(event.dice) + modifiers.total)


def _fought(event: Fought, lines: Sequence[Line], rules: Ruleset, names: Names) -> Iterator[Line]:
    """Both rolls of an air combat, the attacker's first."""
    net = event.modifiers.total
    opposite = [("19.31", "the opposite", signed(-net))] if net else []
    for side, modifier, shown in ((event.side, net, lines), (event.side.enemy, -net, opposite)):
        dice = event.dice[side]
        yield _dice(event, dice, f"{names.sides[side]}: ")
        yield from shown
        roll = sum(dice) + modifier
        fighting = combat_rows(event)[side]
        read = rules.air_combat.read(fighting, roll)
        result = air_result(event.eliminated[side], event.aborted[side])
        yield _sum(f"{_row(read.rows, read.column)}: {result}", roll)


def explain(out: Console, events: Sequence[Event], rules: Ruleset, number: int = 0) -> None:
    """One roll line by line, the last one if no number is given."""
    event, modifiers = roll_number(events, number)
    names = Names(events)
    out.print(with_rules(f"Roll {number or len(rolls(events))}. {sentence(event, names)}"))
    table = Table.grid(padding=(0, 2))
    table.add_column(style="rule")
    table.add_column()
    table.add_column(justify="right")
    for line in _lines(event, modifiers, rules, names):
        table.add_row(*line)
    out.print(Padding.indent(table, 2))
