"""The interception calculator (22.2): questions in, dice, chances and rounds out, as a page and as JSON.

The law here: no rule. Every number comes from the public API, and whether a question matters is found out by asking the
API with and without it: a question that changes nothing is not put. The address of the page holds all answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from flagplot import api
from flagplot.core.errors import GameError, PlayerError
from flagplot.editions.options import OPTIONS
from flagplot.model.interception import ACTIVITIES, FORCE_KINDS, THEATRES, Level, Place
from flagplot.play.wording import percent_in_table
from flagplot.web import rulebook
from flagplot.web.bodies import Body
from flagplot.web.pages import page

MOST = 99  # of anything counted
MOST_FORCES = 10
COLUMNS = 3  # rounds with a column of their own
NAME = 40  # letters of a name
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
# The options that can change an answer here, with their values in words.
CHOICES = {
    "return_extra_dice": {"cargo_only": "those with cargo", "all": "bombardments and carrier missions too"},
    "return_spotting": {"afresh": "yes, if it spots afresh", "none": "no"},
    "failed_submarine_joins": {"yes": "yes", "no": "no"},
    "zero_dice_declaration": {"void": "no, the declaration is void", "spent": "yes, they are spent"},
}
OF_ACTIVITIES = tuple(each for each in ACTIVITIES if each != "interception")  # an interception is countered
ONCE = ("theatre", "level", "place", "activity", "leg", "cargo", "stays", *COUNTS, *CHOICES)
START = {"activity": "sea transport", "tfs": "1", "kind1": "TF", "hexes1": "10"}

Kind = Literal["TF", "loose", "submarine", "patrol", "magic"]
Count = Annotated[int, Field(ge=0, le=MOST)]

router = APIRouter()


# -- what is asked ----------------------------------------------------------------------------------


class Force(Body):
    """A force that intercepts, or an offensive patrol that supports the intercepted force (22.163)."""

    name: str = Field(min_length=1, max_length=NAME)
    kind: Kind = "TF"
    distance: int = Field(0, ge=0, le=999, description="hexes of its path to the interception hex; not asked of Magic")
    slow: bool = False
    light: bool = Field(False, description="nothing but cruisers and destroyers")
    round: Count = Field(1, description="of a Magic interception: the round it arrives in, 0 for never")
    dice: list[Annotated[int, Field(ge=1, le=6)]] = Field([], max_length=400, description="what it rolled, if it has")


class Asked(Body):
    """An interception: the intercepted force, what helps to find it, and all forces that try at once."""

    forces: list[Force] = Field(min_length=1, max_length=MOST_FORCES)
    theatre: Literal["Europe", "Pacific"] = "Europe"
    level: Level = Level.INTERCEPTION
    place: Place = Place.ELSEWHERE
    activity: str = Field("base change", max_length=40, description=", ".join(ACTIVITIES))
    task_forces: Count = 0
    returning: bool = False
    cargo: bool | None = Field(None, description="null: as the activity has it")
    staying: bool = Field(False, description="a patrol that tries to stay in its patrol hex")
    ground_factors: Count = 0
    spotters: Count = 0
    submarines: Count = 0
    cards: Count = 0
    enemy_cards: Count = 0
    options: dict[str, str] = Field(default_factory=dict, max_length=40)

    def rolling(self) -> list[Force]:
        """Those the interception is asked about: all but patrols in support."""
        return [force for force in self.forces if force.kind != "patrol"]

    def question(self) -> dict[str, Any]:
        """As the public API has it."""
        return {
            "theatre": self.theatre,
            "level": str(self.level),
            "place": str(self.place),
            "target": {
                "activity": self.activity,
                "task_forces": self.task_forces,
                "returning": self.returning,
                "cargo": self.cargo,
                "staying": self.staying,
            },
            "forces": [
                {
                    "id": force.name,
                    "distance": force.distance,
                    "kind": force.kind if force.kind in FORCE_KINDS else "TF",
                    "slow": force.slow,
                    "ships": ["CA", "DD"] if force.light else [],
                    "magic": force.round if force.kind == "magic" else None,
                    "dice": force.dice,
                }
                for force in self.rolling()
            ],
            "spotters": self.spotters,
            "submarines": self.submarines,
            "ground_factors": self.ground_factors,
            "cards": self.cards,
            "enemy_cards": self.enemy_cards,
        }


class Chance(BaseModel):
    """A chance as a number and as a fraction."""

    chance: float
    exact: str


class Line(BaseModel):
    """A line of a sum of dice."""

    rule: str
    reason: str
    amount: int


class ForceTold(BaseModel):
    """A force: its dice line by line, and its chance of each round of naval combat."""

    name: str
    kind: Kind
    distance: int
    dice: int
    lines: list[Line]
    rounds: dict[str, Chance]
    never: Chance
    why: str = Field(description="why it rolls no dice; empty if it does")


class Told(BaseModel):
    """The answer. `resolved` is there where dice were typed: what came of them, force by force."""

    forces: list[ForceTold]
    naval_combat: Chance | None = Field(description="that a surface force is in time; null where nobody intercepts")
    anybody: Chance | None = Field(description="that any interceptor is there in round 1, submarines too")
    resolved: dict[str, Any] | None = None


# -- the answer --------------------------------------------------------------------------------------


def answer(asked: Asked) -> Told:
    """Dice, chances and, where dice were typed, what came of them."""
    odds: dict[str, Any] = {"forces": {}, "naval_combat": None}
    reasons: dict[str, str] = {}
    if asked.rolling():
        odds = api.call("intercept_odds", asked.question(), options=asked.options)
        reasons = {name: force["why"] for name, force in _with_ones(asked, odds).items()}
    patrols = [force.distance for force in asked.forces if force.kind == "patrol"]
    support = api.call("patrol_support", {"distances": patrols, "theatre": asked.theatre}) if patrols else {}
    rounds = iter(support.get("rounds", []))
    forces = []
    for force in asked.forces:
        shown: dict[str, Any] = {"name": force.name, "kind": force.kind, "distance": force.distance}
        if force.kind == "patrol":
            sure = {str(next(rounds)): Chance(chance=1.0, exact="1")}
            shown |= {"dice": 0, "lines": [], "rounds": sure, "never": Chance(chance=0.0, exact="0")}
            forces.append(ForceTold(**shown, why="no dice: it supports the intercepted force (22.163)"))
            continue
        found = odds["forces"][force.name]
        lines = [Line(rule=rule, reason=reason, amount=amount) for rule, reason, amount in found["lines"]]
        shown |= {"dice": found["dice"], "lines": lines, "rounds": found["rounds"], "never": found["never"]}
        forces.append(ForceTold(**shown, why="" if found["dice"] else reasons[force.name]))
    told = Told(forces=forces, naval_combat=odds["naval_combat"], anybody=_anybody(forces))
    if any(force.dice for force in asked.forces):
        told.resolved = _resolved(asked, told)
    return told


def _anybody(forces: list[ForceTold]) -> Chance | None:
    """The chance that somebody is there in round 1: the dice of one force do not depend on those of another."""
    trying = [
        Fraction(force.rounds["1"].exact) if "1" in force.rounds else 0 for force in forces if force.kind != "patrol"
    ]
    some = 1 - prod((1 - chance for chance in trying), start=Fraction(1))
    return Chance(chance=round(float(some), 6), exact=str(some)) if trying else None


def _with_ones(asked: Asked, odds: Mapping[str, Any]) -> dict[str, Any]:
    """What the rules say of each force, whatever is rolled: why it has no dice, and whether it is spent."""
    question = asked.question()
    for force in question["forces"]:
        force["dice"] = [1] * odds["forces"][force["id"]]["dice"]
    found: dict[str, Any] = api.call("interception", question, options=asked.options)["forces"]
    return found


def _resolved(asked: Asked, told: Told) -> dict[str, Any]:
    wanted = {force.name: force.dice for force in told.forces if force.kind != "patrol"}
    for force in asked.rolling():
        due = wanted[force.name]
        if len(force.dice) != due:
            typed = f"{len(force.dice)} are typed" if force.dice else "none are typed"
            instead = "that one" if due == 1 else f"all {due}" if due else "none"
            raise PlayerError(f"{force.name} rolls {_dice(due)} (22.22) and {typed}: type {instead}")
    return api.call("interception", asked.question(), options=asked.options)


def _dice(number: int) -> str:
    return "no dice" if not number else "1 die" if number == 1 else f"{number} dice"


@router.post("/api/interception", responses={422: {"description": "It cannot be: why, and the rule."}})
def ask(body: Asked) -> Told:
    """The dice of naval interceptions (22.2), each with its modifiers; the chance of each round; what typed dice give."""
    return answer(body)


# -- what matters ------------------------------------------------------------------------------------


class Matters(NamedTuple):
    """The questions that can change the answer: by name, the legal places, and for each force what is asked of it."""

    questions: frozenset[str]
    places: tuple[Place, ...]
    forces: tuple[frozenset[str], ...]
    options: tuple[str, ...]


def what_matters(asked: Asked) -> tuple[Asked, Matters, list[str]]:
    """The same without answers that do not count, what is to be asked, and why something was left out."""
    left_out: list[str] = []
    found = {"theatre"} | ({"level"} if asked.rolling() else set())
    plain = [force.model_copy(update={"distance": 0, "slow": False, "light": False}) for force in asked.forces]
    nothing = dict.fromkeys(("ground_factors", "spotters", "submarines", "cards", "enemy_cards", "task_forces"), 0)
    bare = asked.model_copy(update={"forces": plain, "staying": False, "place": Place.ELSEWHERE, **nothing})
    if asked.level is Level.INTERCEPTION:
        found |= {"activity", "home"} if any(force.kind in FORCE_KINDS for force in asked.forces) else set()
    else:  # what is met is an interception
        bare = bare.model_copy(update={"activity": "interception", "returning": False, "cargo": None})
    places = tuple(each for each in Place if not isinstance(_lines(bare, place=each), str)) if asked.rolling() else ()
    if len(places) > 1:
        found.add("place")
    bare = _keep(bare, asked, left_out, asked.place in places, place=asked.place)
    stays = asked.level is Level.INTERCEPTION and _changes(bare, "staying", True)
    if stays:
        found.add("stays")
    bare = _keep(bare, asked, left_out, stays, staying=asked.staying)
    if asked.level is Level.INTERCEPTION and _lines(bare, cargo=True) != _lines(bare, cargo=False):
        found.add("cargo")
    clean = bare
    for name, field in (
        ("tfs", "task_forces"),
        ("ground", "ground_factors"),
        ("spotters", "spotters"),
        ("submarines", "submarines"),
        ("cards", "cards"),
        ("enemy_cards", "enemy_cards"),
    ):
        matters = _changes(clean if name == "enemy_cards" else bare, field, MOST if name == "enemy_cards" else 1)
        if matters:
            found.add(name)
        clean = _keep(clean, asked, left_out, matters, **{field: getattr(asked, field)})
    forces, of_force = [], []
    for force, simple in zip(asked.forces, plain, strict=True):
        alone = bare.model_copy(update={"forces": [simple]})
        each = {"round"} if force.kind == "magic" else {"hexes"}
        for field in ("slow", "light"):
            other = bare.model_copy(update={"forces": [simple.model_copy(update={field: True})]})
            if force.kind != "patrol" and _lines(alone) != _lines(other):
                each.add(field)
        of_force.append(frozenset(each))
        forces.append(force.model_copy(update={field: False for field in ("slow", "light") if field not in each}))
    clean = clean.model_copy(update={"forces": forces})
    return clean, Matters(frozenset(found), places, tuple(of_force), _options(clean)), left_out


def _lines(asked: Asked, **changes: Any) -> Any:
    """The lines of dice of every force; a refusal is its words."""
    changed = asked.model_copy(update=changes)
    if not changed.rolling():
        return {}
    try:
        return api.call("interception_dice", changed.question(), options=changed.options)["lines"]
    except PlayerError as refused:
        return str(refused)


def _changes(asked: Asked, field: str, value: object) -> bool:
    """Whether such an answer is taken, and changes anybody's dice."""
    now, then = _lines(asked), _lines(asked, **{field: value})
    return now != then and not isinstance(then, str)


def _keep(clean: Asked, asked: Asked, left_out: list[str], matters: bool, **field: Any) -> Asked:
    """Take an answer over if it matters; else say why not, if a rule bars it."""
    (value,) = field.values()
    if matters:
        return clean.model_copy(update=field)
    if value and value != Place.ELSEWHERE:
        why = _lines(clean, **field)
        left_out += [why] if isinstance(why, str) else []
    return clean


def _options(asked: Asked) -> tuple[str, ...]:
    """The options that would change the answer, and those that were chosen."""
    now = _whole(asked, asked.options)
    return tuple(
        name
        for name, values in CHOICES.items()
        if name in asked.options or any(_whole(asked, {**asked.options, name: value}) != now for value in [*values][1:])
    )


def _whole(asked: Asked, options: dict[str, str]) -> str:
    with_them = asked.model_copy(update={"options": options})
    try:
        odds = api.call("intercept_odds", with_them.question(), options=options)
        return repr((odds, _with_ones(with_them, odds)))
    except GameError as refused:
        return str(refused)


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
        for part in ("name", "kind", "hexes", "slow", "light", "round", "dice"):
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
        "choices": {name: (OPTIONS[name], values) for name, values in CHOICES.items()},
        "linked": rulebook.linked,
        "percent": percent,
        "columns": range(1, COLUMNS + 1),
        "counted": _dice,
        "refused": "",
        "dice_refused": "",
        "told": None,
        "left_out": [],
        "address": "",
    }
    try:
        asked, matters, facts["left_out"] = what_matters(_read(typed, number))
        facts |= {"asked": asked, "matters": matters, "address": _address(asked)}
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
            facts["resolved"] = _resolved(asked, told)
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
    said |= {f"{part}{index}": "" for index in range(1, number + 1) for part in ("name", "round", "dice")}
    try:
        return what_matters(_read(said, number))[1]._replace(options=())
    except GameError:
        everything = frozenset(("theatre", "level", "activity", "home", "place", "cargo", "stays", *COUNTS))
        return Matters(everything, tuple(Place), (frozenset(("hexes", "slow", "light", "round")),) * number, ())


def _undiced(force: Force) -> Force:
    return force.model_copy(update={"dice": []})


def _name(typed: Mapping[str, str], index: int) -> str:
    kind = typed.get(f"kind{index}", "TF")
    return typed.get(f"name{index}", "")[:NAME] or f"{CALLED.get(kind, 'Force')} {index}"


def _read(typed: Mapping[str, str], number: int) -> Asked:
    """What was typed, as a question; what cannot be read is refused in words."""
    level = _one(typed, "level", [str(each) for each in Level], "level")
    chosen = {name: typed[name] for name in CHOICES if typed.get(name)}
    return Asked(
        theatre=_one(typed, "theatre", THEATRES, "theatre"),  # type: ignore[arg-type]
        level=Level(level),
        place=Place(_one(typed, "place", [str(each) for each in Place], "place")),
        activity=_one(typed, "activity", OF_ACTIVITIES, "naval activity"),
        task_forces=_count(typed, "tfs"),
        returning=_one(typed, "leg", ("out", "home"), "leg") == "home",
        cargo={"": None, "yes": True, "no": False}[_one(typed, "cargo", ("", "yes", "no"), "answer about cargo")],
        staying=bool(typed.get("stays")),
        ground_factors=_count(typed, "ground"),
        spotters=_count(typed, "spotters"),
        submarines=_count(typed, "submarines"),
        cards=_count(typed, "cards"),
        enemy_cards=_count(typed, "enemy_cards"),
        options={name: value for name, value in chosen.items() if value != OPTIONS[name].default},
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
        "theatre": asked.theatre if asked.theatre != THEATRES[0] else "",
        "level": asked.level if asked.level is not Level.INTERCEPTION else "",
        "place": asked.place if asked.place is not Place.ELSEWHERE else "",
        "activity": asked.activity if asked.level is Level.INTERCEPTION else "",
        "tfs": asked.task_forces,
        "leg": "home" if asked.returning else "",
        "cargo": {None: "", True: "yes", False: "no"}[asked.cargo],
        "stays": int(asked.staying),
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
        said[f"slow{index}"] = int(force.slow)
        said[f"light{index}"] = int(force.light)
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
