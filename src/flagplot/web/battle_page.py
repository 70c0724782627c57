"""The battle page: chart, boards, log and orders of one seat, drawn from that seat's own view and nothing else.

The page is rendered whole once; afterwards it fetches its board again whenever its stream says that something changed.
The lines of the log it already holds are not sent twice. Unknown games and forbidden ones get the same page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape

from flagplot.core.sides import SIDES, Side
from flagplot.model.ships import KIND_NAMES
from flagplot.play.wording import TIMES, counted, signed
from flagplot.web import pages
from flagplot.web.app import audience, hall_of, seat_in
from flagplot.web.hall import UnknownGame, version
from flagplot.web.views import view

NUMBERS = 6  # on the Naval Combat Chart; a force attacked by submarines alone may have more groups (22.93A)
PLAYERS = {"admiral": "the admiral, a computer player", "random": "a computer player that moves at random"}
RULE = re.compile(r"\((\d+\.\d+[A-Z]?\w*)\)")
SEARCHES = ("Searched",)  # rolls whose lines count dice, some of them told to one side only

Facts = dict[str, Any]


def mount(app: FastAPI) -> None:
    """Add the battle page to the application."""
    pages.TEMPLATES.filters |= {"ruled": ruled, "signed": signed, "times": times, "in_short": in_short}
    pages.TEMPLATES.globals |= {"ledger": ledger, "kind_names": KIND_NAMES}

    @app.get("/games/{game}", include_in_schema=False)
    def battle(game: str, request: Request) -> HTMLResponse:
        """The page of a game."""
        return _shown("battle.html", request, game)

    @app.get("/games/{game}/board", include_in_schema=False)
    def board(game: str, request: Request, log_from: int = 0, mark: str = "") -> HTMLResponse:
        """The board of that page anew; of the log only what follows the lines the page holds, named by their mark."""
        return _shown("battle_board.html", request, game, log_from, mark)


def _shown(template: str, request: Request, game: str, log_from: int = 0, mark: str = "") -> HTMLResponse:
    try:
        facts = board_facts(request, game, log_from, mark)
    except UnknownGame:
        missing = pages.page("battle_missing.html")
        missing.status_code = 404
        return missing
    return pages.page(template, **facts)


def board_facts(request: Request, game: str, log_from: int = 0, mark: str = "") -> Facts:
    """All that the templates show."""
    hall = hall_of(request)
    side = audience(request, game)
    seat = seat_in(request, game)
    live = hall.game(game)
    with live.lock:
        told = view(live, side)
        seen = version(live, side) + ("c" if live.closed else "") + ("t" if live.wants_back else "")
    seats = {each["seat"]: each for each in hall.seats(game)}
    lines = told["log"]
    known = log_from if 0 < log_from <= len(lines) and mark == log_mark(lines[:log_from]) else 0
    own = told["seat"] if told["seat"] in SIDES else Side.AXIS.value
    foe = SIDES[own].enemy.value
    return {
        "view": told,
        "seen": seen,
        "mine": side is not None,
        "host": seat is not None and seat.seat == "host",
        "own": own,
        "foe": foe,
        "own_name": told["names"].get(own, own),
        "foe_name": told["names"].get(foe, foe),
        "own_side": told["sides"].get(own),
        "foe_side": told["sides"].get(foe),
        "rows": chart_rows(told, own, foe),
        "who": [who(told, seats, each) for each in (own, foe)],
        "lines": lines[known:],
        "log_from": known,
        "log_mark": log_mark(lines),
        "log_length": len(lines),
        "roll": next((line for line in reversed(lines) if "dice" in line or "dice_of" in line), None),
        "results": [result(text) for text in told["results"]],
        "notes": hall.notes(game),
        "question": json.dumps(told["question"]),
    }


# -- the log ------------------------------------------------------------------------------------------


def log_mark(lines: Sequence[Facts]) -> str:
    """A mark for these lines, so that a page can say which it holds: after a take-back they may be others."""
    return sha256("\n".join(line["text"] for line in lines).encode()).hexdigest()[:16]


def ruled(text: str) -> Markup:
    """A sentence in which every rule number in brackets is a link to that rule."""
    parts, end = Markup(), 0
    for found in RULE.finditer(text):
        number = found[1]
        parts += escape(text[end : found.start()]) + Markup(
            '<a class="rule" href="/rules/{0}" target="_blank" rel="noopener">{0}</a>'
        ).format(number)
        end = found.end()
    return parts + escape(text[end:])


def ledger(line: Mapping[str, Any]) -> Facts | None:
    """What a roll was made of: rows of rule, reason and amount, and what they add up to. None if nothing is told."""
    lines: list[tuple[str, str, int]] = line.get("lines", [])
    if not lines:
        return None
    rows = [(rule, reason, signed(amount)) for rule, reason, amount in lines]
    total = sum(amount for _, _, amount in lines)
    if "roll" in line and "dice" in line:
        rows.insert(0, ("", f"dice: {' + '.join(map(str, line['dice']))}", str(sum(line["dice"]))))
        hits = f": {counted(line['hits'], 'hit')}" if "hits" in line else ""
        return {"rows": rows, "label": f"modified roll{hits}", "total": str(line["roll"]), "short": signed(total)}
    if line["kind"] in SEARCHES:
        dice = len(line.get("dice", ()))
        if total != dice:
            rows.append(("", "lines one side alone knows, and limits", signed(dice - total)))
        return {
            "rows": rows,
            "label": "dice",
            "total": str(dice),
            "short": counted(dice, "die").replace("dies", "dice"),
        }
    return {"rows": rows, "label": "in all", "total": signed(total), "short": signed(total)}


def result(text: str) -> Facts:
    """A part of the results: a heading, and what follows it line by line."""
    head, *lines = text.splitlines()
    return {"head": head.removesuffix(":"), "lines": [each.removeprefix("- ") for each in lines if each.strip()]}


# -- the board ------------------------------------------------------------------------------------------


def chart_rows(told: Facts, own: str, foe: str) -> list[Facts]:
    """The Naval Combat Chart row by row: the groups of both sides under each number."""
    if not told["sides"]:
        return []
    groups = {side: {group["number"]: group for group in told["sides"][side]["groups"]} for side in (own, foe)}
    last = max([NUMBERS, *groups[own], *groups[foe]])
    return [
        {
            "number": number,
            "active": number <= told["round"] and not told["over"],
            "own": groups[own].get(number),
            "foe": groups[foe].get(number),
        }
        for number in range(1, last + 1)
    ]


def in_short(group: Mapping[str, Any]) -> str:
    """What is in a group, by kinds: 2 CV, 5 CA, 3 DD."""
    kinds: dict[str, int] = {}
    for ship in group["ships"]:
        kinds[ship["kind"]] = kinds.get(ship["kind"], 0) + 1
    for each in group["light"]:
        kinds[each["kind"]] = kinds.get(each["kind"], 0) + each["number"]
    return ", ".join(f"{number}\N{NO-BREAK SPACE}{kind}" for kind, number in kinds.items())


def times(number: int) -> str:
    """How often: once, twice, seven times."""
    return TIMES.get(number, f"{number} times")


def who(told: Facts, seats: Mapping[str, Facts], side: str) -> Facts:
    """Who plays a side, in words."""
    player, seat = told["players"][side], seats.get(side)
    if player != "person":
        by = PLAYERS[player]
    elif seat is None or not seat["claimed"]:
        by = "nobody yet: the invitation has not been used"
    elif side == told["seat"]:
        by = f"{seat['name']} (you)" if seat["name"] else "you"
    else:
        by = seat["name"] or "a person"
    return {"side": side, "name": told["names"].get(side, side), "by": by}
