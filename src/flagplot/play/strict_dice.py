"""Strict dice: fair dice of which nobody knows one before it falls, since both sides release a link of a chain for each
roll.

Each side is bound to the beginning of a chain, in which every link is the hash of the next: it can release one link
after the other, and no other link would fit. The key of a roll is made from the host's secret and a link of each side, so
the host, who lacks the links, cannot look ahead, and the sides, who lack the secret, learn nothing by coming last. A link
that was released and not used for a roll, because something was taken back, is void. docs/dice.md gives every byte.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence

from flagplot.core.errors import DiceAwaited, PlayerError, StaleRequest
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Committed, DiceLine, Line, Linked
from flagplot.play.fair_dice import (
    HEX,
    SERVER,
    VERSION,
    FairDice,
    Terms,
    accept_commitment,
    bound,
    commitments,
    die,
    frame,
    is_revealed,
)

LINKS = 10_000  # in a chain: far more rolls than any game has


def before(side: str, game: str, link: bytes) -> bytes:
    """The link before a link of a side's chain."""
    return bytes.fromhex(bound(f"link {side}", game, link))


def link_of(side: str, game: str, last: bytes, number: int) -> bytes:
    """A link of a chain that has LINKS of them, from its last one; number 0 is what the side is bound to."""
    link = last
    for _ in range(LINKS - number):
        link = before(side, game, link)
    return link


def roll_key(game: str, edition: str, secret: bytes, draw: int, links: Mapping[str, bytes]) -> bytes:
    """The key of the dice of one roll, of which the first has this number."""
    told = frame(VERSION, "strict", game, edition, draw, links["axis"], links["allies"])
    return hmac.digest(secret, told, "sha256")


def released(lines: Iterable[DiceLine]) -> dict[str, list[str]]:
    """All links each side has released, void ones too."""
    found: dict[str, list[str]] = {side: [] for side in SIDES}
    for line in lines:
        if isinstance(line, Linked):
            found.setdefault(line.who, []).append(line.link)
    return found


def linked(journal: Sequence[Line]) -> dict[str, str]:
    """The links released for the roll that is due: those after everything else that was done."""
    found: dict[str, str] = {}
    for index in range(len(journal) - 1, -1, -1):
        line = journal[index]
        if not isinstance(line, Linked):
            break
        found[line.who] = line.link
    return found


def accept_strict(terms: Terms, lines: Sequence[DiceLine], now: Mapping[str, str], line: DiceLine) -> None:
    """Refuse a commitment or a link that comes too late, too early, or is not what it must be. `now` are the links that
    are out for the roll that is due."""
    bound_now = commitments(lines)
    out = released(lines)
    if is_revealed(lines):
        raise StaleRequest("the host's secret has been opened: nothing more can be added to these dice")
    if isinstance(line, Committed):
        accept_commitment(terms, lines, line, closed=any(out.values()))
        return
    if not isinstance(line, Linked) or line.who not in SIDES:
        raise PlayerError("strict dice take a commitment and one link for each roll, of one of the two sides")
    if len(bound_now) < len(SIDES):
        raise PlayerError("the other side is not bound to its chain yet: links are released after that, not before")
    if line.who in now:
        raise StaleRequest("your link for this roll is out already")
    last = [bound_now[line.who].commitment, *out[line.who]][-1]
    if not HEX.fullmatch(line.link) or before(line.who, terms.game, bytes.fromhex(line.link)).hex() != last:
        raise PlayerError("this link is not the next of the chain you are bound to: release the one your page drew")


class StrictDice(FairDice):
    """Where strict dice come from, as the host holds it: its secret, and the last link of a chain for each side that has
    no page to draw one."""

    name = "strict"

    def __init__(self, *told: object, **more: object) -> None:
        super().__init__(*told, **more)  # type: ignore[arg-type]
        self._edition = ""
        self._links: dict[str, bytes] = {}

    def link(self, edition: str, links: Mapping[str, str]) -> None:
        """These links are out for the roll that is due."""
        self._edition, self._links = edition, {side: bytes.fromhex(link) for side, link in links.items()}

    def dice(self, count: int, draw: int) -> list[int]:
        """The dice of these draws, once both links are out."""
        if len(self._links) < len(SIDES):
            raise DiceAwaited("both sides' pages must release a link for this roll first")
        key = roll_key(self.game, self._edition, self.halves.secret, draw, self._links)
        return [die(key, number) for number in range(draw, draw + count)]

    def commitment_for(self, side: Side) -> Committed:
        """The server binds itself to a chain, for a side that draws none itself."""
        first = link_of(side.value, self.game, self.own[side.value], 0)
        return Committed(side.value, first.hex(), SERVER)

    def link_for(self, side: Side, out: int) -> Linked:
        """The link that follows so many that are out."""
        return Linked(side.value, link_of(side.value, self.game, self.own[side.value], out + 1).hex())
