"""Turn files: a side's game as one text, to be answered without a connection and sent back.

A file is built from the picture of its side and nothing else: the events that side was sent, and the question that is open
to it. It holds no key and no token of a seat. Its first line names the game, the side and the turn, has a sum of all that
the side was told, and a seal that only the game can make: so an altered file, an old one and one of another game are told
apart, and each is refused with the one that is needed. What stands below the question is its owner's: his draft, notepad,
standing orders, answers ahead and, in the end, his reply. A reply stands by itself, too, with the first line alone.

Answers ahead are standing orders that are used once (standing_orders.py): a later question is answered by the first line
that speaks to it and gives a legal answer, and that line is struck out. What fits nothing stays.

The format is described in docs/correspondence.md.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Any, NamedTuple, TypeAlias, Union

import msgspec

import flagplot
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.events import Event
from flagplot.core.forms import Form, PathForm
from flagplot.core.sides import Side
from flagplot.model.events import EVENTS
from flagplot.model.picture import Picture
from flagplot.play.game import Game
from flagplot.play.standing_orders import MOST_TEXT, Doctrine, Given, ordered_answer, read_orders
from flagplot.rules.table import Ruleset

FORMAT = 1
ENDING, REPLY_ENDING = ".turn", ".reply"
MOST_BYTES = 4 * 1024 * 1024
MOST_WORDS = 500
MOST_NOTEPAD = 20_000
STRUCK = "# answered: "


class TurnRefused(PlayerError):
    """A turn file that cannot be used: why, and which one is needed."""


class Head(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="turn", forbid_unknown_fields=True):
    """The first line: which turn of which side of which game. `turn` counts the questions put to that side, this one too."""

    format: int = FORMAT
    engine: str
    game: str
    address: str
    title: str
    seat: Side
    names: dict[Side, str]
    kind: str
    edition: str
    options: dict[str, str]
    dice: str
    turn: int
    asked: bool
    over: bool
    sum: str
    seal: str = ""

    @property
    def called(self) -> str:
        """What this turn is called in sentences."""
        return f"turn {self.turn} of {self.names[self.seat]}"


class Question(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="question", forbid_unknown_fields=True):
    """The open question, with its form. A path's form has more fields."""

    number: int
    rule: str
    kind: str
    about: str
    text: str
    is_path: bool
    form: msgspec.Raw
    chances: Any = None


class Own(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="own", forbid_unknown_fields=True):
    """What is its owner's alone, and not sealed: `seen` is how many events he was told of with an earlier file."""

    seen: int = 0
    draft: Any = None
    notepad: str = ""
    orders: str = ""
    ahead: str = ""


class Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", tag="reply", forbid_unknown_fields=True):
    """What is sent back. `question` is -1 where nothing is answered; None means: as it was."""

    id: str
    question: int = -1
    answer: Any = None
    say: str = ""
    ahead: str | None = None
    orders: str | None = None
    notepad: str | None = None


class Turn(NamedTuple):
    """A turn file, read."""

    head: Head
    events: list[Event]
    question: Question | None
    decision: Decide | None
    own: Own
    reply: Reply | None

    def picture(self) -> Picture:
        """What its side knows."""
        picture = Picture(self.head.seat, self.head.edition, self.head.options)
        for event in self.events:
            picture.send(event)
        return picture


Line: TypeAlias = Union[Head, Question, Own, Reply]  # noqa: UP007  (as the type of a decoder)

_line = msgspec.json.Decoder(Line)
_event: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[EVENTS])  # noqa: UP007
_encoder = msgspec.json.Encoder()


# -- writing ---------------------------------------------------------------------------------------------


def turn_file(
    game: Game,
    side: Side,
    *,
    id: str = "",
    address: str = "",
    own: Own | None = None,
    chances: object = None,
    closed: bool = False,
    answered: bool = False,
) -> str:
    """The turn file of a side, as it stands now. `answered`: its open question has been, though that is not opened yet."""
    head, told = _sealed(game, side, id, address, chances, closed=closed, answered=answered)
    lines = [_encoder.encode(each) for each in (head, *told)]
    lines.append(_encoder.encode(own or Own()))
    return _for_people(head) + b"\n".join([*lines, b""]).decode()


def head_of(
    game: Game,
    side: Side,
    *,
    id: str = "",
    address: str = "",
    chances: object = None,
    closed: bool = False,
    answered: bool = False,
) -> Head:
    """The first line of the turn file that is needed now."""
    return _sealed(game, side, id, address, chances, closed=closed, answered=answered)[0]


def _sealed(
    game: Game, side: Side, id: str, address: str, chances: object, *, closed: bool, answered: bool
) -> tuple[Head, list[Event | Question]]:
    picture, header = game.picture(side), game.header
    public = header.setup.public
    decision = None if closed or answered else game.decision(side)
    told: list[Event | Question] = list(picture.events)
    if decision is not None:
        told.append(_question(decision, game.question_number(side), chances))
    head = Head(
        engine=flagplot.__version__,
        game=id,
        address=address,
        title=picture.operation.title or picture.war.title or picture.battle.title or public.title,
        seat=side,
        names=dict(public.names),
        kind=public.kind if public.kind in ("operation", "war") else "battle",
        edition=header.edition,
        options=dict(header.options),
        dice=header.dice,
        turn=game.question_number(side) + 1 + answered,
        asked=decision is not None,
        over=game.over or closed,
        sum=_sum([_encoder.encode(each) for each in told]),
    )
    return msgspec.structs.replace(head, seal=seal_of(game, head)), told


def _question(decision: Decide, number: int, chances: object) -> Question:
    return Question(
        number=number,
        rule=decision.rule,
        kind=decision.kind,
        about=decision.about,
        text=decision.question,
        is_path=isinstance(decision.form, PathForm),
        form=msgspec.Raw(_encoder.encode(decision.form)),
        chances=chances,
    )


def reply_file(head: Head, reply: Reply) -> str:
    """A reply that stands by itself: short enough for any letter."""
    return f"# Reply to {head.called}, {_plain(head.title)}.\n" + "".join(
        f"{_encoder.encode(each).decode()}\n" for each in (head, reply)
    )


def _for_people(head: Head) -> str:
    asked = (
        "Answer it with: flagplot answer FILE" if head.asked else "Nothing is asked; read it with: flagplot answer FILE"
    )
    where = f"Then send the reply back: upload it at {head.address}/games/{head.game}/post" if head.address else ""
    lines = [f"Flagplot: {_plain(head.title)}, {head.called}.", asked, where]
    return "".join(f"# {line}\n" for line in lines if line)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _sum(lines: Sequence[bytes]) -> str:
    return blake2b(b"".join(line + b"\n" for line in lines), digest_size=16).hexdigest()


def seal_of(game: Game, head: Head) -> str:
    """What only the game can write under a first line: keyed with a secret of the game that stands in no file."""
    key = blake2b(bytes.fromhex(game.header.key), person=b"turn file").digest()
    return hmac.new(key, _encoder.encode(msgspec.structs.replace(head, seal="")), sha256).hexdigest()[:32]


def file_name(head: Head) -> str:
    """A name for a turn file, of letters and figures only: it says whose turn it is, and which."""
    words = re.findall(r"[a-z0-9]+", head.title.lower()) or ["game"]
    return f"{'-'.join(words)[:40]}-{head.seat}-{head.turn}{ENDING}"


# -- reading ---------------------------------------------------------------------------------------------


def read_turn(text: str) -> Turn:
    """A whole turn file; TurnRefused if it is none, or not as it was written."""
    head, told, own, reply = _parts(text)
    if head is None:
        raise TurnRefused("this is no turn file of Flagplot: its first line is missing")
    if not told:
        raise TurnRefused(f"this is only the reply to {head.called}: open the turn file itself")
    _must_be_whole(head, told)
    events, question, decision = [], None, None
    try:
        for line in told:
            if line.startswith(b'{"event"'):
                events.append(_event.decode(line))
            else:
                question = msgspec.json.decode(line, type=Question)
        if question is not None:
            form = msgspec.json.decode(question.form, type=PathForm if question.is_path else Form)
            decision = Decide(head.seat, question.rule, question.kind, question.text, form, question.about)
    except (msgspec.MsgspecError, RecursionError):
        raise TurnRefused(
            f"this file was written by Flagplot {head.engine} and cannot be read by {flagplot.__version__}: "
            "bring both to the same version"
        ) from None
    return Turn(head, events, question, decision, own, reply)


def read_reply(text: str) -> tuple[Head, Reply]:
    """What was sent back: a reply by itself, or a turn file with a reply at its end."""
    head, told, _, reply = _parts(text)
    if head is None:
        raise TurnRefused("this is no turn file of Flagplot: its first line is missing")
    if told:
        _must_be_whole(head, told)
    if reply is None:
        raise TurnRefused(
            f"this is {head.called}, and nobody has answered it yet: flagplot answer FILE writes the reply"
        )
    return head, reply


def _parts(text: str) -> tuple[Head | None, list[bytes], Own, Reply | None]:
    if len(text) > MOST_BYTES:
        raise TurnRefused(f"this is no turn file of Flagplot: it has more than {MOST_BYTES} characters")
    head, told, own, reply = None, list[bytes](), Own(), None
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        data = said.encode(errors="replace")
        if said.startswith(('{"event"', '{"line":"question"')):
            told.append(data)
            continue
        try:
            found = _line.decode(data)
        except (msgspec.MsgspecError, RecursionError):
            if head is None:
                raise TurnRefused(f"this is no turn file of Flagplot: line {number} cannot be read") from None
            raise TurnRefused(f"line {number} is not as it was written: get {head.called} again") from None
        if isinstance(found, Head):
            head = found
        elif isinstance(found, Own):
            own = found
        elif isinstance(found, Reply):
            reply = _checked(found)
    if head is not None and head.format != FORMAT:
        raise TurnRefused(
            f"this turn file has format {head.format}, and this version of Flagplot reads format {FORMAT}"
        )
    return head, told, own, reply


def _checked(reply: Reply) -> Reply:
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,60}", reply.id) or len(reply.say) > MOST_WORDS:
        raise TurnRefused("the reply in this file is not as it was written: answer the turn file again")
    for text, most in ((reply.ahead, MOST_TEXT), (reply.orders, MOST_TEXT), (reply.notepad, MOST_NOTEPAD)):
        if text is not None and len(text) > most:
            raise TurnRefused(f"the reply in this file is too long: at most {most} characters are kept")
    return reply


def _must_be_whole(head: Head, told: Sequence[bytes]) -> None:
    if _sum(told) != head.sum:
        raise TurnRefused(f"this file is not as it was written: get {head.called} again")


def must_be_the_one(game: Game, head: Head, needed: Head, *, told: bool = True) -> None:
    """Refuse whatever is not the file that is needed now, and say which that is. Whoever is not `told` whose file it is
    is not told how far that side has come."""
    if head.game != needed.game:
        raise TurnRefused(f"this file belongs to another game ({_plain(head.title)[:80]}): send it there")
    if not hmac.compare_digest(seal_of(game, head).encode(), head.seal.encode(errors="replace")):
        raise TurnRefused(
            f"this file was altered: what its first line says was not written by this game. {_needed(needed, told)}"
        )
    if head.sum == needed.sum and head.turn == needed.turn:
        return
    if head.turn == needed.turn:
        raise TurnRefused(f"something has happened since this file was made. {_needed(needed, told)}")
    raise TurnRefused(f"this file is old: it is {head.called}. {_needed(needed, told)}")


def _needed(needed: Head, told: bool) -> str:
    if not told:
        return f"The newest turn file of {needed.names[needed.seat]} is needed"
    if needed.over:
        return "The game is over: no answer is needed any more"
    if not needed.asked:
        return f"Nothing is asked of {needed.names[needed.seat]} now; the next will be {needed.called}"
    return f"The one that is needed is {needed.called}: get that one, and answer it"


# -- answers ahead ---------------------------------------------------------------------------------------


class Ahead(NamedTuple):
    """An answer given ahead, and what is left of the lines."""

    given: Given
    line: str
    left: str


def answer_ahead(
    text: str, picture: Picture, decision: Decide, doctrine: Doctrine, rules: Ruleset | None = None
) -> Ahead | None:
    """What the first line that speaks to a question answers, if that is legal now; the line is struck out."""
    for order in read_orders(text):
        given = ordered_answer([order], picture, decision, doctrine, rules)
        if given is not None:
            lines = text.split("\n")
            line = lines[order.line - 1].strip()
            lines[order.line - 1] = f"{STRUCK}{line}"
            return Ahead(given, line, "\n".join(lines))
    return None


def struck_out(text: str) -> str:
    """The same lines, none of which answers anything any more."""
    kept = [line if not line.strip() or line.lstrip().startswith("#") else f"# {line}" for line in text.split("\n")]
    return "\n".join(kept)


def name_of(game: Game) -> str:
    """What a game that lies in a file, not on a server, is called in its turn files."""
    return blake2b(bytes.fromhex(game.header.key), person=b"game's name", digest_size=9).hexdigest()
