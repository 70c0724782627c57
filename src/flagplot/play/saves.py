"""Save files: a header, the journal, and a closing line that tells a whole file from a cut one.

One JSON value a line. Files are written to a neighbour first and renamed, so the file on disk is always whole.
docs/save-format.md describes the format for others.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from flagplot.core.dice import DiceSource
from flagplot.core.errors import SaveError
from flagplot.core.tape import Line
from flagplot.play.game import FORMAT, Game, Header, setup_hash

MOST_BYTES = 16 * 1024 * 1024


class Closing(msgspec.Struct, frozen=True, tag="end", tag_field="line", forbid_unknown_fields=True):
    """The last line: how many journal lines there are, and a keyed sum of all lines before it."""

    lines: int
    sum: str


_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(Line)
_closing = msgspec.json.Decoder(Closing)


def dump(game: Game) -> bytes:
    """A game as the bytes of a save file."""
    body = body_of(game)
    return body + msgspec.json.encode(Closing(len(game.journal), _sum(body, game.header.key))) + b"\n"


def body_of(game: Game) -> bytes:
    """All lines of a save file but its closing one."""
    lines = [msgspec.json.encode(game.header), *(msgspec.json.encode(line) for line in game.journal)]
    return b"\n".join(lines) + b"\n"


def _sum(body: bytes, key: str) -> str:
    return blake2b(body, key=bytes.fromhex(key), digest_size=16).hexdigest()


def read(data: bytes, dice: DiceSource | None = None) -> Game:
    """The game in a save file, replayed and checked entry by entry."""
    header, journal = read_lines(data)
    return Game(header, journal, dice)


class Parsed(NamedTuple):
    """What can be read in a save file, and what shows that it was altered."""

    header: Header
    journal: list[Line]
    raw: list[bytes]  # the lines before the closing one, the header first
    body: bytes  # the same as they stand in the file
    troubles: list[str]


def read_lines(data: bytes) -> tuple[Header, list[Line]]:
    """The header and the journal in a save file, whole and unaltered, but not replayed."""
    parsed = parse(data)
    if parsed.troubles:
        raise SaveError(parsed.troubles[0])
    return parsed.header, parsed.journal


def parse(data: bytes) -> Parsed:
    """What a save file says, even if its closing line does not fit it; what is no save at all is refused."""
    if len(data) > MOST_BYTES:
        raise SaveError(f"the file has {len(data)} bytes; a save has at most {MOST_BYTES}")
    if not data.startswith(b'{"flagplot":'):
        raise SaveError("this is not a Flagplot save: it does not begin like one")
    if not data.endswith(b"\n"):
        raise SaveError("the file is cut short: its last line has no end")
    head, *middle = data[:-1].split(b"\n")
    header = _read_header(head)
    if not middle:
        raise SaveError("the file is cut short: its closing line is missing")
    try:
        closing = _closing.decode(middle[-1])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise SaveError("the file is cut short: its closing line is missing") from None
    journal: list[Line] = []
    for number, line in enumerate(middle[:-1], start=2):
        try:
            journal.append(_line.decode(line))
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise SaveError(f"line {number} of the file is not a journal line: {error}") from None
    troubles: list[str] = []
    if closing.lines != len(journal):
        troubles.append(f"the file says it has {closing.lines} journal lines, but {len(journal)} are there")
    body = data[: data[:-1].rindex(b"\n") + 1]
    if closing.sum != _sum(body, header.key):
        troubles.append("the file has been altered: its closing sum does not fit its lines")
    return Parsed(header, journal, [head, *middle[:-1]], body, troubles)


def _read_header(line: bytes) -> Header:
    try:
        header = _header.decode(line)
        bytes.fromhex(header.key)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, ValueError) as error:
        raise SaveError(f"line 1 of the file is not the header of a Flagplot save: {error}") from None
    if header.flagplot != FORMAT:
        raise SaveError(f"the file has format {header.flagplot}; this version of Flagplot reads format {FORMAT}")
    if not 0 < len(header.key) <= 128:
        raise SaveError("line 1 of the file has no usable key")
    if header.setup_hash != setup_hash(header.setup):
        raise SaveError("the set-up in the file has been altered: its fingerprint does not fit")
    return header


def save(game: Game, path: Path) -> None:
    """Write a game to disk, whole or not at all."""
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with neighbour.open("wb") as file:
            file.write(dump(game))
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)
    except OSError as error:
        neighbour.unlink(missing_ok=True)
        raise SaveError(f"{path} could not be written: {error.strerror}; the file on disk is as it was") from None


def load(path: Path, dice: DiceSource | None = None) -> Game:
    """Read a game from disk."""
    return read(read_file(path), dice)


def read_file(path: Path) -> bytes:
    """The bytes of a file on disk."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SaveError(f"{path} could not be read: {error.strerror}") from None
