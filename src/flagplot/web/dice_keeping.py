"""Where the dice of games in the hall come from: the server's own, fair dice to which both sides are bound, or real dice
that are typed in.

The host's secret and the shares it draws for bots are kept apart from the journal, in a table of their own, until the game
ends: then the secret is written into the journal in the transaction that ends it, and this table keeps only that there was
such a game. Its row stays when the game is removed, so that starts that came to nothing remain to be seen.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Connection, insert, select, update

from flagplot.core.dice import DiceSource, SystemDice
from flagplot.core.errors import DiceAwaited
from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Line, Revealed, draws
from flagplot.play.fair_dice import AgreedDice, FairDice, Halves, Terms, commitments, line_sum, shares
from flagplot.play.game import Game, Header
from flagplot.play.strict_dice import StrictDice
from flagplot.web.database import DICE, GAMES, JOURNAL, Database
from flagplot.web.seats import new_id

if TYPE_CHECKING:
    from flagplot.web.hall import LiveGame

FIRST_DUTY = -10  # parts in the dice have numbers that no question has


def new_dice(mode: str, id: str = "") -> DiceSource:
    """The dice of a new game."""
    if mode in ("fair", "strict"):
        return (FairDice if mode == "fair" else StrictDice)(id or new_id())
    return AgreedDice() if mode == "typed" else SystemDice()


def id_of(game: Game) -> str:
    """The public name a game has already, or a new one: fair dice are bound to it."""
    return game.header.fair.game if isinstance(game.header.fair, Terms) else new_id()


def source_of(database: Database, header: Header) -> DiceSource | None:
    """Where a stored game's dice come from."""
    if header.dice == AgreedDice.name:
        return AgreedDice()
    if not isinstance(header.fair, Terms):
        return None
    with database.read() as connection:
        return _stored(connection, header.fair.game, StrictDice if header.dice == StrictDice.name else FairDice)


def _stored(connection: Connection, id: str, kind: type[FairDice] = FairDice) -> FairDice | None:
    kept = connection.execute(select(DICE.c.secrets).where(DICE.c.game == id)).scalar_one_or_none()
    if kept is None:
        return None
    told = {name: bytes.fromhex(each) for name, each in json.loads(kept).items()}
    return kind(id, Halves(told["half axis"], told["half allies"]), {side: told[f"share {side}"] for side in SIDES})


def keep_secrets(connection: Connection, game: Game) -> None:
    """Keep what the host is bound to, with the game and before anybody is told of it."""
    source = game.dice
    if not isinstance(source, FairDice):
        return
    assert isinstance(game.header.fair, Terms)
    told = {"half axis": source.halves.axis, "half allies": source.halves.allies}
    told |= {f"share {side}": share for side, share in source.own.items()}
    kept = json.dumps({name: each.hex() for name, each in told.items()}).encode()
    row = {"game": source.game, "secrets": kept, "bound": game.header.fair.host, "made": time.time()}
    connection.execute(insert(DICE).values(**row))


def rolled(game: Game) -> bool:
    """Roll what is due; False if somebody must first do his part."""
    game.settle()
    try:
        game.roll()
    except DiceAwaited:
        return False
    return True


def duties(live: LiveGame) -> dict[Side, int]:
    """Of the sides that people play, those for whose part in the dice the roll now due waits, each with a number that
    stands for it, as if it were a question."""
    game = live.game
    if live.closed or game.over or game.roll_due() is None:
        return {}
    done: dict[str, object] = dict.fromkeys(SIDES, True)
    if game.header.dice == AgreedDice.name:
        entered = game.entered()
        agreed = len({tuple(dice) for dice in entered.values()}) == 1
        done = {side: dice for side, dice in entered.items() if agreed or len(entered) < len(SIDES)}
    elif isinstance(game.header.fair, Terms):
        bound = commitments(game.dice_lines)
        later = game.linked() if game.header.dice == StrictDice.name else shares(game.dice_lines)
        done = {**(later if len(bound) == len(SIDES) else bound)}
    return {side: FIRST_DUTY - game.draws for side in live.people if side.value not in done}


def mark_of(live: LiveGame) -> str:
    """What has changed about the dice for those at the table, though it is not in the log."""
    return f"d{len(live.game.dice_lines)}" if live.game.dice_lines else ""


def reveal_unread(connection: Connection, id: str) -> None:
    """Open the host's secret in a game that cannot be replayed, from its stored lines as they are."""
    source = _stored(connection, id)
    if source is None:
        return
    header = connection.execute(select(GAMES.c.header).where(GAMES.c.id == id)).scalar_one()
    wanted = select(JOURNAL.c.line).where(JOURNAL.c.game == id).order_by(JOURNAL.c.n)
    lines = [bytes(line) for line in connection.execute(wanted).scalars()]
    sums = [line_sum(source.halves.secret, id, line) for line in (bytes(header), *lines)]
    rolls = draws(msgspec.json.decode(line, type=Line) for line in lines)
    told = Revealed("closed", source.halves.axis.hex(), source.halves.allies.hex(), rolls, "", sums)
    row = {"game": id, "n": len(lines), "line": msgspec.json.encode(told), "decision": None, "at": time.time()}
    connection.execute(insert(JOURNAL).values(**row))
    connection.execute(update(GAMES).where(GAMES.c.id == id).values(lines=len(lines) + 1))
