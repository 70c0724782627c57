"""What a person sees at each prompt, and what happened since the last one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from flagplot.cli.chart import air_strike, header, line_of_battle, track, whole_table
from flagplot.cli.operation_chart import at_sea, operation_header, stages, under_way, whole_sea
from flagplot.cli.rolls import COUNTS, Count, in_a_row, is_roll
from flagplot.cli.terminal import print_flow, say, with_rules
from flagplot.cli.war_chart import at_war, war_header, war_stages, whole_war
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.operation import Operation
from flagplot.model.picture import Picture
from flagplot.model.state import Battle
from flagplot.model.war import War
from flagplot.play.game import Game
from flagplot.play.report import chosen_options
from flagplot.play.transcript import Storyteller, Told

# What is said in a low voice.
QUIET = (ev.InputTaken, ev.SegmentEmpty, ev.BasesListed, air.AirBasesListed, air.DestroyersElsewhereListed)


class Screen:
    """One chair's view: remembers what it has shown, so that only news is told."""

    def __init__(self, out: Console, chair: Side | None, *, boards: bool = True) -> None:
        self.out = out
        self.chair = chair
        # What is counted is told with its roll, and what each side brings by the boards, where there are any.
        self._unsaid = (*COUNTS, ev.FleetMustered, air.SubmarinesMustered) if boards else COUNTS
        self._count = Count()
        self.shown = 0
        self._teller = Storyteller()
        self._rolls = 0
        self._table: object = None
        self._voyages: object = None

    def rewind(self, events: Sequence[Event]) -> int:
        """After an undo: of what is left, what was shown counts as told. Returns how much that is."""
        events = events[: self.shown]
        self._teller, self._rolls, self._table, self._voyages = Storyteller(), 0, None, None
        for event in events:
            self._teller.tell(event)
            self._rolls += is_roll(event)
        self.shown = len(events)
        return self.shown

    def news(self, events: Sequence[Event]) -> int:
        """Tell what happened since the last time. Returns how many lines that took."""
        told = [line for event in events[self.shown :] for line in self._teller.tell(event)]
        for line in told:
            self._count.note(line.event)
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
        quiet = isinstance(event, QUIET)
        self._line(with_rules(told.text, "quiet" if quiet else ""), event)
        if is_roll(event):
            self._rolls += 1
            lines = in_a_row(event, self._count.lines(event), self._teller.names)
            self._line(with_rules(f"roll {self._rolls}: {lines}", "quiet"), event, indent=2)

    def _line(self, text: Text, event: Event, indent: int = 0) -> None:
        side = getattr(event, "side", None)
        own = self.chair or Side.AXIS
        bar = Text("▌ " if side else "  ", style="own" if side is own else "foe")
        say(self.out, bar, text, 2 + indent)

    def sea(self, operation: Operation, chair: Side | None, *, always: bool = False) -> bool:
        """The boards of an operation, if they look different from the last time. False if there is a battle to show."""
        if not at_sea(operation):
            return False
        boards, voyages = (operation.forces, operation.boats, operation.airfields), operation.waves
        if voyages and (always or voyages != self._voyages):
            self.out.print(under_way(operation, chair))
        if always or boards != self._table:
            whole_sea(self.out, operation, chair)
        self._table, self._voyages = boards, voyages
        return True

    def war(self, war: War, chair: Side | None, *, always: bool = False) -> bool:
        """The strategic war, if it looks different from the last time. False if there is none."""
        if not at_war(war):
            return False
        stands = (war.places, war.idle, war.targets, war.purses)
        if always or stands != self._table:
            whole_war(self.out, war, chair, so_far=always or war.chart != self._voyages)
        self._table, self._voyages = stands, war.chart
        return True

    def board(self, seen: Picture, chair: Side | None, *, always: bool = False) -> None:
        """Whatever the game is about: the sea of an operation, the strategic war, or a battle."""
        if not self.sea(seen.operation, chair, always=always) and (
            in_battle(seen.battle) or not self.war(seen.war, chair, always=always)
        ):
            self.table(seen.battle, chair, always=always)

    def table(self, battle: Battle, chair: Side | None, *, always: bool = False) -> None:
        """The chart and the boards, if they look different from the last time; during a fight, the lines, or the strike."""
        fighting = line_of_battle(battle, chair) or air_strike(battle, chair)
        stands = (battle.round, battle.fleets, battle.lines, battle.strike)
        if not always and stands == self._table:
            return
        self._table = stands
        if fighting is not None and not always:
            self.out.print(fighting)
        else:
            whole_table(self.out, battle, chair)

    def header(
        self,
        battle: Battle,
        facts: Sequence[str],
        *,
        chair: Side | None = None,
        seat: str = "",
        operation: Operation | None = None,
        war: War | None = None,
    ) -> None:
        """Title, round, what the game is played with, and the track; of an operation between battles, phase and stage;
        of the strategic war its turn and stage."""
        self.out.print()
        if war is not None and at_war(war) and not in_battle(battle):
            flows = [war_header(war, chair, facts, seat), war_stages(war)]
            flows = flows[:1] if war.over else flows
        else:
            flows = [header(battle, chair, facts, seat), track(battle)]
        if operation is not None and at_sea(operation):
            flows = [operation_header(operation, chair, facts, seat), stages(operation)]
            flows = flows[:1] if operation.over else flows
        for flow in flows:
            print_flow(self.out, flow)


def in_battle(battle: Battle) -> bool:
    """Whether a battle is being fought: in the strategic war one is where a raider is met (22.35)."""
    return bool(battle.fleets) and battle.segment != "over"


def what_is_played(game: Game) -> str:
    """A battle, an operation, or the strategic war."""
    kind = game.header.setup.public.kind
    return kind if kind in ("operation", "war") else "battle"


def game_facts(game: Game) -> list[str]:
    """What a game is played with: edition, options that differ from their defaults, dice."""
    options = [f"{name} {value}" for name, value in chosen_options(game.header.options).items()]
    return [f"edition {game.header.edition}", *options, f"{game.dice.name} dice"]
