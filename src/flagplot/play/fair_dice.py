"""Dice both sides trust: the host and both sides bind themselves first, then the sides' shares are opened, and when all
is over the host's secret is.

docs/dice.md gives every byte of this. The law here: a die depends on the draw's number and on what was bound before the
first roll, on nothing else; and nothing is hashed that another value could be mistaken for, so every part of every hash
has its length before it, and every hash names its purpose and the game.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec

from flagplot.core.errors import DiceAwaited, PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, DiceLine, Opened, Revealed

VERSION = "flagplot-dice-1"
STREAM = "game"
BYTES = 32  # of every secret
FAIR_BYTES = 252  # bytes from here on are thrown away: 252 is the last multiple of six in a byte
HEX = re.compile(r"[0-9a-f]{64}")
PAGE, SERVER = "page", "server"
SUM_DIGITS = 8
MOST_COMMITMENTS = 20  # of one side, each replacing the one before
MOST_TYPED = 40  # readings of the same real dice
CODE_DIGITS = 32


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the host bound itself to before anybody else did: its secret, both halves of it, and what is played."""

    game: str
    host: str
    axis: str  # of the half that this side is given
    allies: str
    edition: str
    options: str
    setup: str


class Halves(NamedTuple):
    """The two halves of the host's secret, one for each side; neither tells anything of the whole."""

    axis: bytes
    allies: bytes

    @property
    def secret(self) -> bytes:
        """The host's secret."""
        return bytes(one ^ two for one, two in zip(self.axis, self.allies, strict=True))


def frame(*parts: str | bytes | int) -> bytes:
    """Parts in a row, each with its length in four bytes before it; numbers have eight bytes, text is UTF-8."""
    made = bytearray()
    for part in parts:
        told = part.to_bytes(8, "big") if isinstance(part, int) else part.encode() if isinstance(part, str) else part
        made += len(told).to_bytes(4, "big") + told
    return bytes(made)


def bound(purpose: str, game: str, *parts: str | bytes | int) -> str:
    """A hash that binds to some parts, for one purpose in one game."""
    return sha256(frame(VERSION, purpose, game, *parts)).hexdigest()


def bound_share(side: str, game: str, share: bytes) -> str:
    """What a side sends before it opens its share."""
    return bound(f"share {side}", game, share)


def bound_options(game: str, secret: bytes, options: Mapping[str, str]) -> str:
    """What binds the host to the options, each name followed by its value, in the order of names."""
    pairs = [part for name in sorted(options) for part in (name, options[name])]
    return bound("options", game, secret, *pairs)


def terms_of(game: str, halves: Halves, *, edition: str, options: Mapping[str, str], setup: str, key: str) -> Terms:
    """What the host binds itself to; `setup` is the set-up's fingerprint, `key` the key of the recording.

    The set-up is salted with that key too: a game that is closed opens the host's secret, but not what was hidden.
    """
    secret = halves.secret
    return Terms(
        game=game,
        host=bound("host", game, secret),
        axis=bound("half axis", game, halves.axis),
        allies=bound("half allies", game, halves.allies),
        edition=bound("edition", game, secret, edition),
        options=bound_options(game, secret, options),
        setup=bound("setup", game, secret, key, setup),
    )


def dice_key(game: str, edition: str, secret: bytes, shares: Mapping[str, bytes]) -> bytes:
    """The key of all dice of a game."""
    told = frame(VERSION, "key", game, edition, secret, shares["axis"], shares["allies"])
    return hmac.digest(secret, told, "sha256")


_EIGHT = (8).to_bytes(4, "big")
_BEFORE_DRAW = frame(STREAM) + _EIGHT


def die(key: bytes, draw: int) -> int:
    """The die of one draw: the first byte below 252 of as many blocks as it takes."""
    block = 0
    while True:
        told = _BEFORE_DRAW + draw.to_bytes(8, "big") + _EIGHT + block.to_bytes(8, "big")  # frame(STREAM, draw, block)
        for byte in hmac.digest(key, told, "sha256"):
            if byte < FAIR_BYTES:
                return byte % 6 + 1
        block += 1


def line_sum(secret: bytes, game: str, line: bytes) -> str:
    """A short sum of one line of a save, to name the one that was altered."""
    return hmac.digest(secret, frame(VERSION, "line", game, line), "sha256").hex()[:SUM_DIGITS]


def in_groups(code: str) -> str:
    """A code as it is read aloud: four digits at a time."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def start_code(terms: Terms, commitments: Mapping[str, str]) -> str:
    """What both sides compare: it stands for everything that was bound before a share was opened."""
    told = (terms.host, terms.axis, terms.allies, terms.edition, terms.options, terms.setup)
    return in_groups(bound("start", terms.game, *told, commitments["axis"], commitments["allies"])[:CODE_DIGITS])


def end_code(body: bytes) -> str:
    """What both sides compare when all is over: it stands for every byte of the recording before its last line."""
    return in_groups(sha256(frame(VERSION, "end", body)).hexdigest()[:CODE_DIGITS])


# -- what sides do ---------------------------------------------------------------------------------


def commitments(lines: Iterable[DiceLine]) -> dict[str, Committed]:
    """The last commitment of each side."""
    return {line.who: line for line in lines if isinstance(line, Committed)}


def shares(lines: Iterable[DiceLine]) -> dict[str, str]:
    """The shares that have been opened."""
    return {line.who: line.share for line in lines if isinstance(line, Opened)}


def is_revealed(lines: Iterable[DiceLine]) -> bool:
    """Whether the host's secret is out, so that every later die is known."""
    return any(isinstance(line, Revealed) for line in lines)


def accept(terms: Terms, lines: Sequence[DiceLine], line: Committed | Opened) -> None:
    """Refuse a commitment or a share that comes too late, too early, or is not what it must be."""
    if line.who not in SIDES:
        raise PlayerError(f"{line.who} is no side: the sides are {' and '.join(SIDES)}")
    bound_now, opened = commitments(lines), shares(lines)
    if is_revealed(lines):
        raise StaleRequest("the host's secret has been opened: nothing more can be added to these dice")
    if isinstance(line, Committed):
        accept_commitment(terms, lines, line, closed=bool(opened))
        return
    if len(bound_now) < len(SIDES):
        raise PlayerError("the other side has not committed to its share yet: yours is opened after that, not before")
    if line.who in opened:
        raise StaleRequest("your share has been opened already")
    fits = HEX.fullmatch(line.share) and bound_share(line.who, terms.game, bytes.fromhex(line.share))
    if fits != bound_now[line.who].commitment:
        raise PlayerError("this share is not the one you committed to: open the one your page drew")


def accept_commitment(terms: Terms, lines: Sequence[DiceLine], line: Committed, *, closed: bool) -> None:
    """Refuse a commitment that comes too late or too often, or is somebody else's."""
    if line.who not in SIDES:
        raise PlayerError(f"{line.who} is no side: the sides are {' and '.join(SIDES)}")
    if sum(isinstance(each, Committed) and each.who == line.who for each in lines) >= MOST_COMMITMENTS:
        raise PlayerError(f"you have committed {MOST_COMMITMENTS} times: the last one stands")
    bound_now = commitments(lines)
    if closed:
        raise StaleRequest("a share has been opened: no commitment can be changed any more")
    if len(bound_now) == len(SIDES):
        raise StaleRequest("both sides are bound: no commitment can be changed any more")
    if not HEX.fullmatch(line.commitment):
        raise PlayerError("a commitment is 64 hexadecimal digits, in small letters")
    others = {each.commitment for who, each in bound_now.items() if who != line.who}
    if line.commitment in others or line.commitment in msgspec.structs.astuple(terms):
        raise PlayerError("this commitment is somebody else's: draw a share of your own")


class FairDice:
    """Where fair dice come from, as the host holds it: the halves of its secret, and a share for each side that has no
    page to draw one. Ready when both shares are open."""

    name = "fair"

    def __init__(self, game: str, halves: Halves | None = None, own: Mapping[str, bytes] | None = None) -> None:
        self.game = game
        self.halves = halves or Halves(secrets.token_bytes(BYTES), secrets.token_bytes(BYTES))
        self.own = dict(own or {side: secrets.token_bytes(BYTES) for side in SIDES})
        self._key: bytes | None = None

    def begin(self, edition: str, opened: Mapping[str, str]) -> None:
        """Both shares are open: from now on there are dice."""
        both = {side: bytes.fromhex(share) for side, share in opened.items()}
        self._key = dice_key(self.game, edition, self.halves.secret, both)

    def dice(self, count: int, draw: int) -> list[int]:
        """The dice of these draws."""
        if self._key is None:
            raise DiceAwaited("the dice are not settled yet: both sides' shares must be open first")
        return [die(self._key, number) for number in range(draw, draw + count)]

    def commitment_for(self, side: Side) -> Committed:
        """The server binds itself to a share, for a side that draws none itself."""
        return Committed(side.value, bound_share(side.value, self.game, self.own[side.value]), SERVER)


class AgreedDice:
    """Real dice: typed by one side, and good when everybody who plays has read the same."""

    name = "typed"

    def __init__(self) -> None:
        self.agreed: list[int] | None = None

    def dice(self, count: int, draw: int) -> list[int]:
        """The dice that were agreed, once."""
        agreed, self.agreed = self.agreed, None
        if agreed is None or len(agreed) != count:
            raise DiceAwaited("real dice are rolled here: type what they show")
        return agreed
