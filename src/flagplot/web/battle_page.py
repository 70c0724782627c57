"""The battle page: chart, boards, log and orders of one seat, drawn from that seat's own view and nothing else.

The page is rendered whole once; afterwards it fetches its board again whenever its stream says that something changed.
The lines of the log it already holds are not sent twice. Unknown games and forbidden ones get the same page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup, escape

from flagplot.core.sides import SIDES, Side
from flagplot.model.picture import is_told
from flagplot.model.ships import KIND_NAMES
from flagplot.play.wording import TIMES, counted, signed
from flagplot.web import amendments, operation_page, pages
from flagplot.web.asking import hall_of, seat_in, seats_held, shown
from flagplot.web.delayed import notes_shown
from flagplot.web.dice_part import dice_part, luck_of
from flagplot.web.hall import LiveGame, Mustering, UnknownGame
from flagplot.web.odds_page import gives_odds
from flagplot.web.operation_map import chart_of
from flagplot.web.release import asked as is_asked
from flagplot.web.release import holds
from flagplot.web.views import log, view
from flagplot.web.war_charts import charts

NUMBERS = 6  # on the Naval Combat Chart; a force attacked by submarines alone may have more groups (22.93A)
PLAYERS = {"admiral": "the admiral, a computer player", "random": "a computer player that moves at random"}
RULE = re.compile(r"\((\d+\.\d+[A-Z]?\w*)\)")
ON_THE_BOARD = ("|", "- ")  # of the results of a war: the chart, and what stands where
SEARCHES = ("Searched",)  # rolls whose lines count dice, some of them told to one side only

Facts = dict[str, Any]


router = APIRouter(prefix="/api")


@router.get("/games/{game}/turn")
def turn(game: str, request: Request) -> dict[str, list[str]]:
    """The seats this browser holds, and those of them that must decide: for two people at one screen."""
    return turn_of(request, game)._asdict()


class Turn(NamedTuple):
    """The seats a browser holds, and those of them that must decide."""

    held: list[str]
    asked: list[str]


def turn_of(request: Request, game: str) -> Turn:
    """Whose turn it is at this screen."""
    held = seats_held(request, game)
    if not held:
        raise UnknownGame("there is no such game here, or it is not yours to see")
    with hall_of(request).holding(game) as live:
        asked = [seat for seat in held if seat in SIDES and not live.closed and is_asked(live, SIDES[seat])]
    return Turn(held, asked)


def next_at_screen(request: Request, game: str) -> str:
    """The other side played at this screen, if it must decide and the one on screen need not; else ""."""
    held = [seat for seat in seats_held(request, game) if seat in SIDES]
    seat = seat_in(request, game)
    if len(held) < 2 or seat is None or seat.seat not in SIDES or request.query_params.get("stay"):
        return ""
    asked = turn_of(request, game).asked
    return SIDES[seat.seat].enemy.value if asked and seat.seat not in asked else ""


def mount(app: FastAPI) -> None:
    """Add the battle page to the application."""
    pages.TEMPLATES.filters |= {
        "ruled": ruled,
        "signed": signed,
        "times": times,
        "in_short": in_short,
        "term": signed_term,
    }
    pages.TEMPLATES.globals |= {"ledger": ledger, "kind_names": KIND_NAMES}

    app.include_router(router)
    app.include_router(amendments.router)
    app.include_router(operation_page.router)

    @app.get("/games/{game}", include_in_schema=False)
    def battle(game: str, request: Request) -> HTMLResponse:
        """The page of a game."""
        return _shown("battle.html", request, game)

    @app.get("/games/{game}/board", include_in_schema=False)
    def board(game: str, request: Request, log_from: int = 0, mark: str = "", map: str = "") -> HTMLResponse:
        """The board of that page anew; of the log only what follows the lines the page holds, named by their mark, and
        the map only if it is another than the one the page holds."""
        return _shown("battle_board.html", request, game, log_from, mark, map)


def _shown(
    template: str, request: Request, game: str, log_from: int = 0, mark: str = "", map: str = ""
) -> HTMLResponse:
    try:
        following = next_at_screen(request, game)
        if following:
            return _pass_on(request, game, following)
        facts = board_facts(request, game, log_from, mark)
    except Mustering:  # there is no battle yet: to the page where it is mustered
        asked = f"?{request.url.query}" if request.url.query else ""
        return HTMLResponse(status_code=303, headers={"location": f"/games/{game}/muster{asked}"})
    except UnknownGame:
        missing = pages.page("battle_missing.html")
        missing.status_code = 404
        return missing
    chart = facts["chart"]
    return pages.page(template, **facts, chart_known=chart is not None and chart.mark == map)


def _pass_on(request: Request, game: str, following: str) -> HTMLResponse:
    """Nothing of either board: the screen goes to the other person first."""
    names = hall_of(request).game(game).game.header.setup.public.names
    one, two = names[SIDES[following].enemy], names[SIDES[following]]
    seats = {each["seat"]: each["name"] for each in hall_of(request).seats(game)}
    return pages.page(
        "battle_pass.html",
        game=game,
        following=following,
        leaving=SIDES[following].enemy.value,
        from_name=one,
        to_name=two,
        person=seats.get(following, ""),
    )


def board_facts(request: Request, game: str, log_from: int = 0, mark: str = "") -> Facts:
    """All that the templates show."""
    hall = hall_of(request)
    with shown(request, game) as looked:
        side, seat = looked.side, looked.seat
        told = view(looked.live, side, sees_all=looked.sees_all)
        seen = looked.version
        public = len(looked.live.game.picture(None).events)
        undo = undo_facts(looked.live, side) if side else None
        proposal = amendments.proposal_for(looked.live, seat.seat if seat else "")
        dice = dice_part(looked)
        lucky = luck_of(looked) if told["over"] or told["closed"] else []
    seats = {each["seat"]: each for each in hall.seats(game)}
    notes = notes_shown(hall, game, public, seated=seat is not None)
    lines = with_notes(told["log"], notes, told["names"])
    known = log_from if 0 < log_from <= len(lines) and mark == log_mark(lines[:log_from]) else 0
    own = told["seat"] if told["seat"] in SIDES else Side.AXIS.value
    foe = SIDES[own].enemy.value
    sea = told["operation"]
    war = told["war"]
    fighting = sea is not None and bool(sea["fighting"])
    if war is not None:
        fighting = war["fighting"]
    return {
        "view": told,
        "dice": dice,
        "luck": lucky,
        "dice_told": json.dumps(dice | {"held": [each for each in seats_held(request, game) if each in SIDES]}),
        "fighting": fighting,
        "chart": chart_of(sea, own) if sea else None,
        "war_charts": charts(war, own) if war else [],
        "seen": seen,
        "mine": side is not None,
        "clock": hall.clocks.told(game, side) if seat is not None else {"terms": None},
        "orders_paused": side is not None and bool(hall.standing.of(game, side).paused),
        "host": seat is not None and seat.seat == "host",
        "odds_off": not gives_odds(hall, game),
        "own": own,
        "foe": foe,
        "own_name": told["names"].get(own, own),
        "foe_name": told["names"].get(foe, foe),
        "own_side": told["sides"].get(own),
        "foe_side": told["sides"].get(foe),
        "rows": chart_rows(told, own, foe) if fighting or not (sea or war) else [],
        "who": [who(told, seats, each) for each in (own, foe)],
        "lines": lines[known:],
        "log_from": known,
        "log_mark": log_mark(lines),
        "log_length": len(lines),
        "roll": next((line for line in reversed(lines) if "dice" in line or "dice_of" in line), None),
        "results": [result(text) for text in told["results"] if not war or not text.startswith(ON_THE_BOARD)],
        "undo": undo,
        "proposal": json.dumps(proposal),
        "sees_all": told["seat"] == "referee",
        "may_amend": seat is not None and not told["over"] and not told["closed"] and war is None,
        "query": f"?as={request.query_params['as']}" if "as" in request.query_params else "",
        "question": json.dumps(told["question"]),
    }


# -- the log ------------------------------------------------------------------------------------------


def with_notes(lines: Sequence[Facts], notes: Sequence[Facts], names: Mapping[str, str]) -> list[Facts]:
    """The log with what was said beside the moves at its place: after all that had been told to everyone by then."""
    merged: list[Facts] = []
    waiting = [
        {"n": f"note-{number}", "level": 0, "note": names.get(note["seat"], note["seat"]), **note}
        for number, note in enumerate(notes)
    ]
    for line in lines:
        while waiting and waiting[0]["at"] < line["at"]:
            merged.append(waiting.pop(0))
        merged.append(line)
    return merged + waiting


def undo_facts(live: LiveGame, side: Side) -> Facts | None:
    """Where the barrier stands: what would be taken back, whether alone, and the last line of the log that would stay."""
    if holds(live, side) and (decision := live.game.decision(side)):  # still in its envelope
        lines = log(live.game.picture(side).events)
        return {"what": decision.question, "rule": decision.rule, "why": "", "alone": False, "line": len(lines) - 1}
    stands = None if live.closed or live.game.over else live.game.undo_stands(side)
    if stands is None:
        return None
    alone = side.enemy not in live.people
    left = log(event for event in live.game.events()[: stands.events] if is_told(side, event))
    return {
        "what": stands.decision.question,
        "rule": stands.decision.rule,
        "why": "" if alone else stands.why,
        "alone": alone,
        "line": left[-1]["n"] if left else -1,
    }


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
    if not lines and "combat" not in line:
        return None
    rows = [(rule, reason, signed(amount)) for rule, reason, amount in lines]
    total = sum(amount for _, _, amount in lines)
    if "roll" in line and "dice" in line:
        rows.insert(0, ("", f"dice: {' + '.join(map(str, line['dice']))}", str(sum(line["dice"]))))
        hits = f": {counted(line['hits'], 'hit')}" if "hits" in line else ""
        return {"rows": rows, "label": f"modified roll{hits}", "total": str(line["roll"]), "short": signed(total)}
    if line["kind"] == "InterceptionDiceCounted":
        return {
            "rows": rows,
            "label": "dice",
            "total": str(total),
            "short": counted(total, "die").replace("dies", "dice"),
        }
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
    both = []
    for side, fought in line.get("combat", {}).items():
        thrown = line["dice_of"][side]
        both.append(
            {"side": side, **fought, "sum": f"{' + '.join(map(str, thrown))} {signed_term(fought['modifier'])}"}
        )
    label = "in all, for the attacker; for the defender the opposite" if both else "in all"
    return {"rows": rows, "label": label, "total": signed(total), "short": signed(total), "both": both}


def signed_term(amount: int) -> str:
    """An amount as the next term of a sum."""
    return f"{'−' if amount < 0 else '+'} {abs(amount)}"


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
