"""What a person sees at each prompt, and what happened since the last one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from flagplot.cli.chart import header, line_of_battle, track, whole_table
from flagplot.cli.terminal import print_flow, say, with_rules
from flagplot.core.errors import PlayerError
from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Side
from flagplot.model import events as ev
from flagplot.model.state import Battle
from flagplot.play.game import Game
from flagplot.play.transcript import Names, Storyteller, Told, breakdown, chosen_options, counted, sentence, signed
from flagplot.rules.table import Ruleset


def is_roll(event: Event) -> bool:
    """Whether dice fell in an event."""
    return isinstance(event, ev.Fired | ev.Searched) and bool(event.dice)


def rolls(events: Sequence[Event]) -> list[tuple[Event, Modifiers]]:
    """The rolls an audience saw, each with the lines it was told: the roller's own, else the public ones."""
    found: list[tuple[Event, Modifiers]] = []
    counted: dict[Side, Modifiers] = {}
    for event in events:
        if isinstance(event, ev.SearchCounted):
            counted[event.side] = event.dice
        elif isinstance(event, ev.Searched) and is_roll(event):
            found.append((event, counted.pop(event.side, event.public)))
        elif isinstance(event, ev.Fired):
            found.append((event, event.modifiers))
    return found


def _in_a_row(modifiers: Modifiers) -> str:
    return ", ".join(f"{reason} {signed(amount)} ({rule})" for rule, reason, amount in breakdown(modifiers))


class Screen:
    """One chair's view: remembers what it has shown, so that only news is told."""

    def __init__(self, out: Console, chair: Side | None, *, boards: bool = True) -> None:
        self.out = out
        self.chair = chair
        # Search dice are told with their roll, and what each side brings by the boards, where there are any.
        self._unsaid = (ev.SearchCounted, ev.FleetMustered) if boards else (ev.SearchCounted,)
        self._counted: dict[Side, Modifiers] = {}
        self.shown = 0
        self._teller = Storyteller()
        self._rolls = 0
        self._table: object = None

    def rewind(self, events: Sequence[Event]) -> int:
        """After an undo: of what is left, what was shown counts as told. Returns how much that is."""
        events = events[: self.shown]
        self._teller, self._rolls, self._table = Storyteller(), 0, None
        for event in events:
            self._teller.tell(event)
            self._rolls += is_roll(event)
        self.shown = len(events)
        return self.shown

    def news(self, events: Sequence[Event]) -> int:
        """Tell what happened since the last time. Returns how many lines that took."""
        told = [line for event in events[self.shown :] for line in self._teller.tell(event)]
        for line in told:
            if isinstance(line.event, ev.SearchCounted):
                self._counted[line.event.side] = line.event.dice
            if line.level or not isinstance(line.event, self._unsaid):
                self._say(line)
        self.shown = len(events)
        return len(told)

    def _say(self, told: Told) -> None:
        out, event = self.out, told.event
        if told.level == 1:
            rule = Rule(Text(told.text, style="heading"), style="quiet", align="left")
            out.print("", rule if out.is_terminal else f"== {told.text} ==", sep="\n")
            return
        if told.level == 2:
            out.print(with_rules(f"\n{told.text}", "heading"))
            return
        quiet = isinstance(event, ev.InputTaken | ev.SegmentEmpty | ev.BasesListed)
        self._line(with_rules(told.text, "quiet" if quiet else ""), event)
        if is_roll(event):
            self._rolls += 1
            self._line(with_rules(f"roll {self._rolls}: {self._lines_of(event)}", "quiet"), event, indent=2)

    def _lines_of(self, event: Event) -> str:
        """What makes up a roll, on one line: its modifiers, or its search dice as far as this chair is told."""
        if isinstance(event, ev.Fired):
            lines = _in_a_row(event.modifiers)
            return f"{lines} = {signed(event.modifiers.total)}" if lines else "no modifiers"
        if not isinstance(event, ev.Searched):
            return ""
        dice = self._counted.pop(event.side, event.public)
        secret = event.count - dice.total
        unknown = [f"{secret} more for reasons not told"] if secret else []
        return ", ".join(filter(None, (_in_a_row(dice), *unknown)))

    def _line(self, text: Text, event: Event, indent: int = 0) -> None:
        side = getattr(event, "side", None)
        own = self.chair or Side.AXIS
        bar = Text("▌ " if side else "  ", style="own" if side is own else "foe")
        say(self.out, bar, text, 2 + indent)

    def table(self, battle: Battle, chair: Side | None, *, always: bool = False) -> None:
        """The chart and the boards, if they look different from the last time; during a fight, the lines."""
        fighting = line_of_battle(battle, chair)
        stands = (battle.round, battle.fleets, battle.lines)
        if not always and stands == self._table:
            return
        self._table = stands
        if fighting is not None and not always:
            self.out.print(fighting)
        else:
            whole_table(self.out, battle, chair)

    def header(self, battle: Battle, facts: Sequence[str], *, chair: Side | None = None, seat: str = "") -> None:
        """Title, round, what the game is played with, and the track."""
        self.out.print()
        for flow in (header(battle, chair, facts, seat), track(battle)):
            print_flow(self.out, flow)


def game_facts(game: Game) -> list[str]:
    """What a game is played with: edition, options that differ from their defaults, dice."""
    options = [f"{name} {value}" for name, value in chosen_options(game.header.options).items()]
    return [f"edition {game.header.edition}", *options, f"{game.dice.name} dice"]


def roll_number(events: Sequence[Event], number: int) -> tuple[Event, Modifiers]:
    """A roll by its number, the last one for 0, with the lines this audience was told."""
    made = rolls(events)
    if not made:
        raise PlayerError("No dice have been rolled yet.")
    if number > len(made):
        there = "There is 1 roll" if len(made) == 1 else f"There are {len(made)} rolls"
        raise PlayerError(f"{there} so far; the first is why 1.")
    return made[number - 1]


def explain(out: Console, events: Sequence[Event], rules: Ruleset, number: int = 0) -> None:
    """One roll line by line, the last one if no number is given."""
    event, modifiers = roll_number(events, number)
    out.print(with_rules(f"Roll {number or len(rolls(events))}. {sentence(event, Names(events))}"))
    table = Table.grid(padding=(0, 2))
    table.add_column(style="rule")
    table.add_column()
    table.add_column(justify="right")
    if isinstance(event, ev.Fired):
        table.add_row(event.rule, "dice " + " + ".join(map(str, event.dice)), str(sum(event.dice)))
    for rule, reason, amount in breakdown(modifiers):
        table.add_row(rule, reason, signed(amount))
    if isinstance(event, ev.Fired):
        reading = rules.attack.read_fleet(event.factors, event.roll)
        row = f"row {' and '.join(reading.rows)}, column {reading.column}: {counted(event.hits, 'hit')}"
        table.add_row("", Text(f"{counted(event.factors, 'factor')}, {row}", style="heading"), str(event.roll))
    elif isinstance(event, ev.Searched):
        secret = "" if modifiers.total == event.count else ", other lines being secret"
        table.add_row("", Text(f"search dice{secret}", style="heading"), str(event.count))
    out.print(Padding.indent(table, 2))
