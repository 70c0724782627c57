"""Old recordings under new rules: where one stops, and how it can be played on from there.

A recording is never altered. If the rules now ask something else, or give another result, at some entry, the game can be
taken back to that entry by one more line of its journal, which says that the host agreed to it and which both sides see.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from flagplot.core.errors import EngineError, PlayerError, SaveError, TapeError
from flagplot.core.tape import Line, Revealed, Undone, tape
from flagplot.play import saves
from flagplot.play.game import Game, Header, begin

HOST = "host"


class Stop(NamedTuple):
    """Where a recording and the rules part: after how many entries, of how many, what stands there, and why."""

    entries: int
    of: int
    recorded: str
    why: str


def stop_of(header: Header, journal: Sequence[Line]) -> Stop | None:
    """Where the rules as they are now stop a recording; None if they play it to its end."""
    entries = tape(journal)
    _, runner = begin(header)
    try:
        runner.replay(entries)
    except (TapeError, EngineError) as stop:
        # A rule that fails has taken its entry already; one that refuses has not.
        kept = len(runner.tape) - isinstance(stop, EngineError)
        return Stop(kept, len(entries), entries[kept].tag, str(stop))
    finally:
        runner.close()
    return None


def taken_back(header: Header, journal: Sequence[Line]) -> list[Line]:
    """The journal with one line more, if it must stop: back to where it stops, agreed by the host. It replays."""
    stop = stop_of(header, journal)
    if stop is None:
        return list(journal)
    if any(isinstance(line, Revealed) for line in journal):
        raise PlayerError(
            "the secret of its dice has been opened, so every die to come is known: it cannot be played on"
        )
    lines = [*journal, Undone(HOST, stop.entries, True)]
    Game(header, lines)
    return lines


def read_save(path: Path) -> tuple[Header, list[Line]]:
    """What a save file holds, not replayed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SaveError(f"{path} could not be read: {error.strerror}") from None
    return saves.read_lines(data)
