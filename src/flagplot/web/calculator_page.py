"""The interception calculator (22.2): questions in, dice, chances and rounds out, as a page and as JSON.

The law here: no rule. Every number comes from the public API, and whether a question matters is found out by asking the
API with and without it: a question that changes nothing is not put. The address of the page holds all answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse

from flagplot.core.errors import GameError, PlayerError
from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS
from flagplot.model.interception import ACTIVITIES, FORCE_KINDS, THEATRES, Level, Place
from flagplot.play.wording import percent_in_table
from flagplot.web import rulebook
from flagplot.web.chosen_rules import CURRENT, ChosenRules, read
from flagplot.web.interception_asked import (
    CHOICES,
    MOST,
    MOST_FORCES,
    NAME,
    OF_FORCE,
    Asked,
    Force,
    ForceTold,
    Matters,
    Told,
    answer,
    counted_dice,
    resolved,
    what_matters,
)
from flagplot.web.pages import page

COLUMNS = 3  # rounds with a column of their own
KINDS = {
    "TF": "task force",
    "loose": "ships outside TFs",
    "submarine": "submarine",
    "patrol": "offensive patrol in support",
    "magic": "Magic interception",
}
CALLED = {"TF": "TF", "loose": "Ships", "submarine": "Submarine", "patrol": "Patrol", "magic": "Magic"}
COUNTS = {
    "tfs": "TFs in the intercepted force",
    "ground": "ground factors",
    "spotters": "squadrons spotting",
    "submarines": "submarines assisting",
    "cards": "your cards",
    "enemy_cards": "enemy cards",
}
TICKS = ("small", "invades", "us_box")  # of the intercepted force, as the chart of 2008 asks
OF_ACTIVITIES = tuple(each for each in ACTIVITIES if each != "interception")  # an interception is countered
ONCE = ("edition", "theatre", "level", "place", "activity", "leg", "cargo", "stays", *TICKS, *COUNTS, *CHOICES)
START = {"activity": "sea transport", "tfs": "1", "kind1": "TF", "hexes1": "10"}


router = APIRouter()


@router.post("/api/interception", responses={422: {"description": "It cannot be: why, and the rule."}})
def ask(body: Asked) -> Told:
    """The dice of naval interceptions (22.2), each with its modifiers; the chance of each round; what typed dice give."""
    return answer(body)


# -- the page ----------------------------------------------------------------------------------------


@router.get("/interception", include_in_schema=False)
def calculator(request: Request) -> HTMLResponse:
    """The calculator: the questions that matter, and the answer to what its address says."""
    typed = {key: value.strip()[:200] for key, value in request.query_params.items()}
    return page("calculator.html", **_facts(tuple(sorted(_rows(typed or dict(START)).items()))))


def _rows(typed: dict[str, str]) -> dict[str, str]:
    """What was typed, the forces numbered from 1, one added or removed where that was asked."""
    numbers = sorted(
        {int(found[2]) for key in typed if (found := re.fullmatch(r"(kind|hexes|name|round)(\d{1,3})", key))}
    )
    rows = {key: typed[key] for key in ONCE if key in typed}
    left = [number for number in numbers if typed.get("remove") != str(number)][:MOST_FORCES] or numbers[:1] or [1]
    for index, number in enumerate(left, start=1):
        for part in ("name", "kind", "hexes", *OF_FORCE, "round", "dice"):
            if f"{part}{number}" in typed:
                rows[f"{part}{index}"] = typed[f"{part}{number}"]
        rows.setdefault(f"kind{index}", "TF")
    if typed.get("add") and len(left) < MOST_FORCES:
        last = len(left)
        rows |= {f"kind{last + 1}": "TF", f"hexes{last + 1}": rows.get(f"hexes{last}", "")}
    return rows


@lru_cache(maxsize=512)
def _facts(rows: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Everything the page shows."""
    typed = dict(rows)
    number = sum(key.startswith("kind") for key in typed)
    facts: dict[str, Any] = {
        "typed": typed,
        "numbers": range(1, number + 1),
        "called": {index: _name(typed, index) for index in range(1, number + 1)},
        "full": number >= MOST_FORCES,
        "activities": OF_ACTIVITIES,
        "theatres": THEATRES,
        "levels": list(Level),
        "kinds": KINDS,
        "editions": tuple(EDITIONS),
        "number": ChosenRules(typed.get("edition", "") if typed.get("edition") in EDITIONS else CURRENT).number,
        "choices": {name: (OPTIONS[name], values) for name, values in CHOICES.items()},
        "linked": rulebook.linked,
        "percent": percent,
        "columns": range(1, COLUMNS + 1),
        "counted": counted_dice,
        "refused": "",
        "dice_refused": "",
        "told": None,
        "left_out": [],
        "address": "",
    }
    try:
        asked, matters, facts["left_out"] = what_matters(_read(typed, number))
        facts |= {"asked": asked, "matters": matters, "address": _address(asked), "rules": asked.rules.words}
        dice, asked.forces = [force.dice for force in asked.forces], [_undiced(force) for force in asked.forces]
        told = answer(asked)
        facts |= {"told": told, "shares": [_shares(force) for force in told.forces], "alike": _alike(told)}
    except GameError as refused:
        facts.setdefault("matters", _still_matters(typed, number))
        return facts | {"refused": str(refused)}
    if any(dice):
        for force, rolled in zip(asked.forces, dice, strict=True):
            force.dice = rolled
        try:
            facts["resolved"] = resolved(asked, told)
        except GameError as refused:
            due = [force.dice for force in told.forces]
            more = all(len(rolled) <= number for rolled, number in zip(dice, due, strict=True))
            facts |= {"dice_refused": str(refused), "dice_awaited": more}
    return facts


def _still_matters(typed: Mapping[str, str], number: int) -> Matters:
    """What is asked while something cannot be read: as if that had not been said."""
    said = {
        key: value
        for key, value in typed.items()
        if key not in (*COUNTS, *CHOICES) or re.fullmatch("[0-9]{1,2}", value)
    }
    said |= {f"hexes{index}": "0" for index in range(1, number + 1)}
    said["edition"] = typed.get("edition", "") if typed.get("edition") in EDITIONS else CURRENT
    said |= {f"{part}{index}": "" for index in range(1, number + 1) for part in ("name", "round", "dice")}
    try:
        return what_matters(_read(said, number))[1]._replace(options=())
    except GameError:
        everything = frozenset(("theatre", "level", "activity", "home", "place", "cargo", "stays", *TICKS, *COUNTS))
        return Matters(everything, tuple(Place), (frozenset(("hexes", "round", *OF_FORCE)),) * number, ())


def _undiced(force: Force) -> Force:
    return force.model_copy(update={"dice": []})


def _name(typed: Mapping[str, str], index: int) -> str:
    kind = typed.get(f"kind{index}", "TF")
    return typed.get(f"name{index}", "")[:NAME] or f"{CALLED.get(kind, 'Force')} {index}"


def _read(typed: Mapping[str, str], number: int) -> Asked:
    """What was typed, as a question; what cannot be read is refused in words."""
    level = _one(typed, "level", [str(each) for each in Level], "level")
    rules = read(typed, tuple(CHOICES))
    return Asked(
        edition=rules.edition,
        options=dict(rules.options),
        theatre=_one(typed, "theatre", THEATRES, "theatre"),  # type: ignore[arg-type]
        level=Level(level),
        place=Place(_one(typed, "place", [str(each) for each in Place], "place")),
        activity=_one(typed, "activity", OF_ACTIVITIES, "naval activity"),
        task_forces=_count(typed, "tfs"),
        returning=_one(typed, "leg", ("out", "home"), "leg") == "home",
        cargo={"": None, "yes": True, "no": False}[_one(typed, "cargo", ("", "yes", "no"), "answer about cargo")],
        staying=bool(typed.get("stays")),
        small=bool(typed.get("small")),
        in_invasion_hex=bool(typed.get("invades")),
        against_us_transport=bool(typed.get("us_box")),
        ground_factors=_count(typed, "ground"),
        spotters=_count(typed, "spotters"),
        submarines=_count(typed, "submarines"),
        cards=_count(typed, "cards"),
        enemy_cards=_count(typed, "enemy_cards"),
        forces=[_force(typed, index) for index in range(1, number + 1)],
    )


def _force(typed: Mapping[str, str], index: int) -> Force:
    name = _name(typed, index)
    kind = _one(typed, f"kind{index}", tuple(KINDS), "kind of force")
    distance = 0
    if kind != "magic":
        hexes = typed.get(f"hexes{index}", "")
        if not re.fullmatch(r"[0-9]{1,3}", hexes):
            said = f", not {hexes!r}" if hexes else ""
            raise PlayerError(f"{name}: say how many hexes it is off by its path (22.23), a number from 0 up{said}")
        distance = int(hexes)
    dice = typed.get(f"dice{index}", "") if kind in FORCE_KINDS else ""
    return Force(
        name=name,
        kind=kind,  # type: ignore[arg-type]
        distance=distance,
        slow=bool(typed.get(f"slow{index}")),
        light=bool(typed.get(f"light{index}")),
        carrier=bool(typed.get(f"carrier{index}")),
        idle=bool(typed.get(f"idle{index}")),
        round=_number(typed.get(f"round{index}", "") or "1", f"{name}: the round it arrives in"),
        dice=_pips(dice, name),
    )


def _pips(text: str, name: str) -> list[int]:
    """Dice typed in a row, with or without anything between them."""
    wrong = re.search(r"[^1-6\s,;.+-]", text)
    if wrong:
        raise PlayerError(f"{name}: {wrong[0]!r} is not a die; each die is a number from 1 to 6, as in 4 3 2")
    return [int(pip) for pip in re.findall(r"[1-6]", text)]


def _one(typed: Mapping[str, str], key: str, known: tuple[str, ...] | list[str], what: str) -> str:
    said = typed.get(key, known[0])
    if said not in known:
        raise PlayerError(f"there is no {what} {said!r}; there are {', '.join(filter(None, known))}")
    return said


def _count(typed: Mapping[str, str], key: str) -> int:
    return _number(typed.get(key, "") or "0", COUNTS[key])


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise PlayerError(f"{what}: {text!r} will not do; give a whole number from 0 to {MOST}")
    return int(text)


def _address(asked: Asked) -> str:
    """The shortest address that says all this."""
    said: dict[str, object] = {
        "edition": asked.rules.said.get("edition", ""),
        "theatre": asked.theatre if asked.theatre != THEATRES[0] else "",
        "level": asked.level if asked.level is not Level.INTERCEPTION else "",
        "place": asked.place if asked.place is not Place.ELSEWHERE else "",
        "activity": asked.activity if asked.level is Level.INTERCEPTION else "",
        "tfs": asked.task_forces,
        "leg": "home" if asked.returning else "",
        "cargo": {None: "", True: "yes", False: "no"}[asked.cargo],
        "stays": int(asked.staying),
        "small": int(asked.small),
        "invades": int(asked.in_invasion_hex),
        "us_box": int(asked.against_us_transport),
        "ground": asked.ground_factors,
        "spotters": asked.spotters,
        "submarines": asked.submarines,
        "cards": asked.cards,
        "enemy_cards": asked.enemy_cards,
        **asked.options,
    }
    for index, force in enumerate(asked.forces, start=1):
        said[f"kind{index}"] = force.kind
        said[f"name{index}"] = force.name if force.name != f"{CALLED[force.kind]} {index}" else ""
        said[f"hexes{index}"] = str(force.distance) if force.kind != "magic" else ""
        said |= {f"{part}{index}": int(getattr(force, part)) for part in OF_FORCE}
        said[f"round{index}"] = str(force.round) if force.kind == "magic" else ""
        said[f"dice{index}"] = "".join(map(str, force.dice))
    return "/interception?" + urlencode({key: str(value) for key, value in said.items() if value})


class Share(NamedTuple):
    """A stretch of the bar of a force."""

    label: str
    words: str
    style: str
    start: float
    width: float
    chance: Fraction


def _shares(force: ForceTold) -> list[Share]:
    """Round 1, 2, 3, later and never, as stretches of a bar from 0 to 100; those without a chance are left out."""
    chances = {int(entry): Fraction(each.exact) for entry, each in force.rounds.items()}
    last = max(chances, default=0)
    later = sum((chance for entry, chance in chances.items() if entry > COLUMNS), Fraction(0))
    parts = [(str(n), f"round {n}", f"r{n}", chances.get(n, Fraction(0))) for n in range(1, COLUMNS + 1)]
    until = f"rounds {COLUMNS + 1} to {last}" if last > COLUMNS + 1 else f"round {COLUMNS + 1}"
    parts += [("later", until, "later", later), ("never", "never", "never", Fraction(force.never.exact))]
    shares, start = [], Fraction(0)
    for label, words, style, chance in parts:
        shares.append(Share(label, words, style, round(float(100 * start), 3), round(float(100 * chance), 3), chance))
        start += chance
    return shares


def _alike(told: Told) -> list[list[ForceTold]]:
    """The forces with dice to explain, those with the same lines together."""
    groups: dict[str, list[ForceTold]] = {}
    for force in told.forces:
        if force.lines:
            groups.setdefault(repr(force.lines), []).append(force)
    return list(groups.values())


def percent(chance: Fraction | str) -> str:
    """A chance as the tables of pages have it."""
    return "100%" if Fraction(chance) == 1 else percent_in_table(Fraction(chance), "–")


def mount(app: FastAPI) -> None:
    """Add the calculator to the application."""
    app.include_router(router)
