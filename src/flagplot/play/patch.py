"""Old recordings under new rules: where one stops, why, and the ways on from there.

A recording is never altered. If the rules now ask something else, or give another result, at some entry, it can be taken
back to that entry by one more line of its journal, which says that the host agreed to it and which both sides see; or go
on under the reading by which it was played, where that is still an option; or be played anew on the same answers and
dice, as far as they are legal. The last two make another game of it, so they are for a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

import flagplot
from flagplot.core.errors import EngineError, SaveError, ScenarioError, TapeError
from flagplot.core.tape import Amended, Answered, Line, Rolled, Undone, tape
from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS
from flagplot.play import saves
from flagplot.play.game import Game, Header, begin
from flagplot.rules.table import Table

HOST = "host"


class Stop(NamedTuple):
    """Where a recording and the rules part: after how many entries, of how many, what stands there, why, and when."""

    entries: int
    of: int
    recorded: str
    why: str
    when: str = ""


class Way(NamedTuple):
    """A way on: what it is called, what it means, how many of the entries it keeps, and the game it makes."""

    name: str
    about: str
    entries: int
    of: int
    header: Header
    journal: tuple[Line, ...]


def stop_of(header: Header, journal: Sequence[Line]) -> Stop | None:
    """Where the rules as they are now stop a recording; None if they play it to its end."""
    entries = tape(journal)
    try:
        table, runner = begin(header)
    except ScenarioError as unknown:
        return Stop(0, len(entries), "", str(unknown), "the set-up")
    try:
        runner.replay(entries)
    except (TapeError, EngineError) as stop:
        # A rule that fails has taken its entry already; one that refuses has not.
        kept = len(runner.tape) - isinstance(stop, EngineError)
        return Stop(kept, len(entries), entries[kept].tag, str(stop), _when(table))
    finally:
        runner.close()
    return None


def _when(table: Table) -> str:
    """The moment of the game, in words."""
    battle, operation, war = table.battle, table.operation, table.war
    if operation.waters is not None and not operation.fought:
        return f"the {operation.phase or 'first'} phase"
    if war.names and (not battle.fleets or battle.segment == "over"):
        return f"{war.now}, {war.stage}"
    return f"round {battle.round}, {battle.segment}" if battle.fleets else "the set-up"


def taken_back(header: Header, journal: Sequence[Line]) -> list[Line]:
    """The journal with one line more, if it must stop: back to where it stops, agreed by the host. It replays."""
    stop = stop_of(header, journal)
    if stop is None:
        return list(journal)
    lines = [*journal, Undone(HOST, stop.entries, True)]
    Game(header, lines)
    return lines


# -- the ways on -----------------------------------------------------------------------------------------


def ways(header: Header, journal: Sequence[Line]) -> list[Way]:
    """The ways on for a recording that stops: other rules under which it plays on, taken back, the same inputs anew."""
    known = known_header(header)
    stop = stop_of(header, journal)
    if stop is None:
        return []
    found = list(_readings(header, known, journal, stop))
    back = stop_of(known, journal)
    if back is None:
        return found
    about = f"keep the {_entries(back.entries)} before it stops, drop the rest, and play on from there"
    found.append(Way("take-back", about, back.entries, stop.of, known, tuple(taken_back(known, journal))))
    anew = _played_anew(known, journal)
    if back.entries < len(anew):
        about = (
            "give the same answers and dice again, take what the rules of today make of them, as far as they are legal"
        )
        found.append(Way("anew", about, len(anew), stop.of, replace(known, engine=flagplot.__version__), tuple(anew)))
    return found


def known_header(header: Header) -> Header:
    """The header without options, values and editions that there are no longer."""
    options = {
        name: value for name, value in header.options.items() if name in OPTIONS and value in OPTIONS[name].values
    }
    edition = header.edition if header.edition in EDITIONS else next(iter(EDITIONS))
    same = options == header.options and edition == header.edition
    return header if same else replace(header, options=options, edition=edition)


def _readings(header: Header, known: Header, journal: Sequence[Line], stop: Stop) -> Iterator[Way]:
    """Options, or editions, under which the recording plays to its end: the reading it was played by."""
    others = [
        (f"{name}={value}", replace(known, options={**known.options, name: value}))
        for name, option in OPTIONS.items()
        for value in option.values
        if value != known.options.get(name, option.default)
    ]
    others += [(f"edition={name}", replace(known, edition=name)) for name in EDITIONS if name != known.edition]
    if known != header:
        others = [("known", known)]
    for name, changed in others:
        if stop_of(changed, journal) is None:
            gone = "go on without the edition and the options that there are no longer"
            about = gone if name == "known" else f"go on under {name}, by which it plays as recorded"
            yield Way(name, about, stop.of, stop.of, changed, tuple(journal))


def _played_anew(header: Header, journal: Sequence[Line]) -> list[Line]:
    """The same answers, dice and amendments under the rules of today, with what they come to now, until one is refused."""
    _, runner = begin(header)
    try:
        runner.replay([replace(entry, check="") for entry in tape(journal)])
    except TapeError:
        kept = len(runner.tape)
    except EngineError:
        kept = len(runner.tape) - 1
    else:
        kept = len(runner.tape)
    finally:
        runner.close()
    lines = _counting(journal)[:kept]
    return [replace(line, check=entry.check) for line, entry in zip(lines, runner.tape, strict=False)]


def _counting(journal: Iterable[Line]) -> list[Answered | Rolled | Amended]:
    """The lines that count, undoing folded away."""
    lines: list[Answered | Rolled | Amended] = []
    for line in journal:
        if isinstance(line, Undone):
            del lines[line.entries :]
        else:
            lines.append(line)
    return lines


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


# -- files -------------------------------------------------------------------------------------------------


def read_save(path: Path) -> tuple[Header, list[Line]]:
    """What a save file holds, not replayed."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SaveError(f"{path} could not be read: {error.strerror}") from None
    return saves.read_lines(data)


def write_patched(way: Way, path: Path) -> None:
    """The game that a way makes, as a new save. A file that is there already is never written over."""
    if path.exists():
        raise SaveError(f"{path} is there already; name another file with --to")
    saves.save(Game(way.header, way.journal), path)
