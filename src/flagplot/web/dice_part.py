"""What those who look at a game are told about its dice: how they are made, what everybody is bound to, who must do
something now. Only public facts, and to a side its own half of the host's secret.
"""

from __future__ import annotations

from typing import Any

import msgspec

from flagplot.core.sides import SIDES, Side
from flagplot.core.tape import Revealed
from flagplot.play.fair_dice import FairDice, Terms, commitments, end_code, is_revealed, shares, start_code
from flagplot.play.game import Game
from flagplot.play.luck import Row, luck, percent
from flagplot.play.saves import body_of
from flagplot.play.strict_dice import StrictDice, released
from flagplot.web.asking import Shown
from flagplot.web.hall import LiveGame

MOST_ENTRIES = 1000  # of a game whose dice are all added up while somebody waits
WORDS = {
    "system": "The server rolls, and nobody can check it afterwards.",
    "fair": "Fair dice: the host and both sides are bound before the first roll, and all is opened at the end.",
    "strict": "Strict dice: fair dice for each of which both sides' pages release a link, so nobody knows one before.",
    "typed": "Real dice: one side types them, the other confirms.",
}


def dice_part(seen: Shown) -> dict[str, Any]:
    """The dice of a game as whoever asks may know them."""
    live, game = seen.live, seen.live.game
    told: dict[str, Any] = {"mode": game.header.dice, "words": WORDS.get(game.header.dice, "")}
    if isinstance(game.header.fair, Terms) and game.header.dice == StrictDice.name:
        told |= _strict(live, seen.side, game.header.fair)
    elif isinstance(game.header.fair, Terms):
        told |= _fair(live, seen.side, game.header.fair)
    elif game.header.dice == "typed":
        told |= _typed(live)
    return told


def _fair(live: LiveGame, side: Side | None, terms: Terms) -> dict[str, Any]:
    game = live.game
    bound, opened = commitments(game.dice_lines), shares(game.dice_lines)
    ready = len(opened) == len(SIDES)
    revealed = is_revealed(game.dice_lines)
    names = game.header.setup.public.names
    missing = (
        []
        if live.closed or game.over
        else [each for each in SIDES if each not in (opened if len(bound) == len(SIDES) else bound)]
    )
    state = "revealed" if revealed else "ready" if ready else "open" if len(bound) == len(SIDES) else "commit"
    verb = "open its share" if state == "open" else "draw its share"
    who = " and ".join(names[SIDES[each]] for each in missing)
    half = ""
    if side and ready and isinstance(game.dice, FairDice):
        half = getattr(game.dice.halves, side.value).hex()
    return {
        "state": state,
        "bound": {"game": terms.game, "host": terms.host, "axis": terms.axis, "allies": terms.allies},
        "commitments": {who: {"commitment": each.commitment, "by": each.by} for who, each in bound.items()},
        "opened": list(opened),
        "missing": missing,
        "waiting": f"The dice wait for {who} to {verb}." if missing and game.roll_due() else "",
        "start": start_code(terms, {who: each.commitment for who, each in bound.items()})
        if len(bound) == len(SIDES)
        else "",
        "end": end_code(body_of(game)) if game.over and revealed else "",
        "half": half,
        "secret": _secret(game),
    }


def _strict(live: LiveGame, side: Side | None, terms: Terms) -> dict[str, Any]:
    """Like fair dice, with links for each roll instead of a share for all."""
    game = live.game
    bound, out = commitments(game.dice_lines), released(game.dice_lines)
    settled = len(bound) == len(SIDES)
    due = game.roll_due() is not None and not live.closed
    missing = [each for each in SIDES if each not in bound]
    if settled:
        missing = [each for each in SIDES if due and each not in game.linked()]
    names = game.header.setup.public.names
    who = " and ".join(names[SIDES[each]] for each in missing)
    verb = "release a link: its page must be open" if settled else "draw its chain"
    told = _fair(live, side, terms)
    half = getattr(game.dice.halves, side.value).hex() if side and settled and isinstance(game.dice, FairDice) else ""
    return told | {
        "state": "revealed" if is_revealed(game.dice_lines) else "ready" if settled else "commit",
        "missing": [] if live.closed or game.over else missing,
        "waiting": f"The dice wait for {who} to {verb}." if missing and due else "",
        "half": half,
        "links": {each: len(out[each]) for each in SIDES},
        "last": {each: [line.commitment, *out[each]][-1] for each, line in bound.items()},
    }


def _secret(game: Game) -> dict[str, str]:
    """Both halves of the host's secret, once they are open."""
    last = game.dice_lines[-1] if game.dice_lines else None
    return {"axis": last.axis, "allies": last.allies} if isinstance(last, Revealed) else {}


def luck_of(seen: Shown) -> list[dict[str, Any]]:
    """What the dice gave against what they should have given, as far as whoever asks was told of them."""
    game = seen.live.game
    whole = game.over or seen.sees_all
    events = game.events() if whole else game.picture(seen.side).events
    tape = game.runner.tape if whole and len(game.runner.tape) <= MOST_ENTRIES else ()
    return [
        {"title": fought.title, "rows": [msgspec.to_builtins(row) | _chances(row) for row in fought.rows]}
        for fought in luck(events, game.table.rules, tape)
    ]


def _chances(row: Row) -> dict[str, str]:
    return {"expected_told": f"{row.expected:.1f}", "bad_told": percent(row.as_bad), "good_told": percent(row.as_good)}


def _typed(live: LiveGame) -> dict[str, Any]:
    game = live.game
    due = None if live.closed else game.roll_due()
    names = game.header.setup.public.names
    if due is None:
        return {"due": None, "entered": {}, "waiting": ""}
    number = "1 die" if due.dice == 1 else f"{due.dice} dice"
    return {
        "due": {"dice": due.dice, "side": due.side.value, "rule": due.rule, "number": number},
        "entered": game.entered(),
        "waiting": f"{names[due.side]} rolls {number}: type what they show.",
    }
