"""What one audience knows: the fold of the events it was sent, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.core.events import Event
from flagplot.core.packed import Packed
from flagplot.core.sides import Audience, Side, only
from flagplot.model.fold import apply
from flagplot.model.operation import Operation
from flagplot.model.operation_fold import apply_operation
from flagplot.model.state import Battle
from flagplot.model.war import War
from flagplot.model.war_fold import apply_war


def is_told(side: Side | None, event: Event) -> bool:
    """Whether an audience is sent an event: a side its own and everyone's, a spectator (None) everyone's only."""
    return event.to is Audience.EVERYONE or (side is not None and event.to is only(side))


class Picture:
    """The battle, the operation it is part of, or the strategic war, as one side, or a spectator, knows them. Grows as
    events are sent. By which edition and options is played, everyone knows from the beginning."""

    def __init__(self, side: Side | None, edition: str = "current", options: Mapping[str, str] | None = None) -> None:
        self.side = side
        self.edition = edition
        self.options = dict(options or {})
        self.battle = Battle()
        self.operation = Operation()
        self.war = War()
        self.events: Packed[Event] = Packed()
        self.read = 0  # how many events it has been offered, its own or not

    def send(self, event: Event) -> None:
        """Offer this audience an event; one meant for others passes it by."""
        self.read += 1
        if is_told(self.side, event):
            self.events.append(event)
            self.battle = apply(self.battle, event)
            self.operation = apply_operation(self.operation, event)
            self.war = apply_war(self.war, event)
