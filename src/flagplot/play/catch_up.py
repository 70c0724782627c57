"""What changed since somebody last looked, the formal steps folded.

It is handed the events one audience was sent and a number of them that it has seen; so it can tell nothing that audience
was not told.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.operation_events import InterceptionDiceCounted
from flagplot.play.transcript import Storyteller, Told

# What nobody comes back for: steps in which nothing happened, what was counted before dice fell, lists of what is known.
FORMAL = (
    ev.InputTaken,
    ev.SegmentEmpty,
    ev.BasesListed,
    ev.SearchCounted,
    air.AirBasesListed,
    air.AirDefenseCounted,
    air.DestroyersElsewhereListed,
    InterceptionDiceCounted,
)


class News(msgspec.Struct, frozen=True):
    """One line of what is new: its sentence, whose it is ("" if nobody's), and whether dice fell."""

    text: str
    side: str = ""
    rolled: bool = False


class Part(msgspec.Struct, frozen=True):
    """What happened under one heading ("" where there is none), and the formal steps that were folded."""

    heading: str
    news: tuple[News, ...]
    formal: tuple[str, ...]


def caught_up(events: Sequence[Event], seen: int) -> list[Part]:
    """All that was told after the first `seen` events, a part for each heading; headings under which nothing happened
    are folded into the part before them."""
    teller = Storyteller()
    told: list[tuple[int, Told]] = []
    for index, event in enumerate(events):
        told += [(index, line) for line in teller.tell(event)]
    parts: list[Part] = []
    heading, news, formal = "", list[News](), list[str]()

    def close() -> None:
        nonlocal heading, news, formal
        if news or not parts:
            parts.append(Part(heading, tuple(news), tuple(formal)))
        else:
            empty = [heading] if heading and not formal else formal
            parts[-1] = msgspec.structs.replace(parts[-1], formal=(*parts[-1].formal, *empty))
        heading, news, formal = "", [], []

    for index, line in told:
        if index < seen:
            continue
        if line.level:
            close()
            heading = line.text
        elif isinstance(line.event, FORMAL):
            formal.append(line.text)
        else:
            news.append(_news(line))
    close()
    return [part for part in parts if part.news or part.formal]


def _news(line: Told) -> News:
    side = getattr(line.event, "side", None)
    return News(line.text, side.value if isinstance(side, Side) else "", bool(getattr(line.event, "dice", None)))
