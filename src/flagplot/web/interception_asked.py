"""What the interception calculator is asked and answers (22.2), and which questions matter.

The law here: no rule. Every number comes from the public API, and whether a question matters is found out by asking the
API with and without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.model.interception import ACTIVITIES, FORCE_KINDS, Level, Place
from flagplot.play.report import chosen_options
from flagplot.web.bodies import Body
from flagplot.web.chosen_rules import ChosenRules, that_matter

MOST = 99  # of anything counted
MOST_FORCES = 10
SMALL = 9  # naval factors: fewer than ten
NAME = 40  # letters of a name
OF_FORCE = ("slow", "carrier", "light", "idle")  # what is asked of a force that rolls
# The options that can change an answer here, with their values in words.
CHOICES = {
    "return_extra_dice": {"cargo_only": "those with cargo", "all": "bombardments and carrier missions too"},
    "return_spotting": {"afresh": "yes, if it spots afresh", "none": "no"},
    "failed_submarine_joins": {"yes": "yes", "no": "no"},
    "zero_dice_declaration": {"void": "no, the declaration is void", "spent": "yes, they are spent"},
    "interception_dice_cap_2008": {"none": "no", "8": "yes, eight"},
}

Kind = Literal["TF", "loose", "submarine", "patrol", "magic"]
Count = Annotated[int, Field(ge=0, le=MOST)]


# -- what is asked ----------------------------------------------------------------------------------


class Force(Body):
    """A force that intercepts, or an offensive patrol that supports the intercepted force (22.163)."""

    name: str = Field(min_length=1, max_length=NAME)
    kind: Kind = "TF"
    distance: int = Field(0, ge=0, le=999, description="hexes of its path to the interception hex; not asked of Magic")
    slow: bool = False
    light: bool = Field(False, description="nothing but cruisers and destroyers")
    carrier: bool = Field(False, description="it has a fully operational fast carrier, for 2008")
    idle: bool = Field(False, description="its port is not operational, for 2008")
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
    small: bool = Field(False, description="it has fewer than ten naval factors, for 2008")
    in_invasion_hex: bool = Field(False, description="it is intercepted where it invades or bombards, for 2008")
    against_us_transport: bool = Field(False, description="it intercepts transports from a U.S. box, for 2008")
    ground_factors: Count = 0
    spotters: Count = 0
    submarines: Count = 0
    cards: Count = 0
    enemy_cards: Count = 0
    edition: str = Field("current", max_length=20, description="of the rules: current or 2008")
    options: dict[str, str] = Field(default_factory=dict, max_length=40)

    @property
    def rules(self) -> ChosenRules:
        """The rules it is asked by."""
        return ChosenRules(self.edition, self.options)

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
                "factors": SMALL if self.small else None,
                "in_invasion_hex": self.in_invasion_hex,
                "against_us_transport": self.against_us_transport,
            },
            "forces": [
                {
                    "id": force.name,
                    "distance": force.distance,
                    "kind": force.kind if force.kind in FORCE_KINDS else "TF",
                    "slow": force.slow,
                    "ships": ["CA", "DD"] if force.light else [],
                    "carrier": force.carrier,
                    "port_operational": not force.idle,
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


CERTAIN, IMPOSSIBLE = Chance(chance=1.0, exact="1"), Chance(chance=0.0, exact="0")


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
    """The answer, and by which rules. `resolved` is there where dice were typed: what came of them, force by force."""

    edition: str
    options: dict[str, str] = Field(description="those that are not at their default")
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
        odds = api.call("intercept_odds", asked.question(), **asked.rules.beside)
        reasons = {name: force["why"] for name, force in with_ones(asked, odds).items()}
    patrols = [force.distance for force in asked.forces if force.kind == "patrol"]
    sailing = {"distances": patrols, "theatre": asked.theatre}
    support = api.call("patrol_support", sailing, **asked.rules.beside) if patrols else {}
    rounds = iter(support.get("rounds", []))
    forces = []
    for force in asked.forces:
        shown: dict[str, Any] = {"name": force.name, "kind": force.kind, "distance": force.distance}
        if force.kind == "patrol":
            entry = next(rounds)
            sure = {str(entry): CERTAIN} if entry else {}
            shown |= {"dice": 0, "lines": [], "rounds": sure, "never": IMPOSSIBLE if entry else CERTAIN}
            why = "no dice: it supports the intercepted force (22.163)"
            forces.append(ForceTold(**shown, why=why if entry else "too far off: it moves three hexes at most (22.23)"))
            continue
        found = odds["forces"][force.name]
        lines = [Line(rule=rule, reason=reason, amount=amount) for rule, reason, amount in found["lines"]]
        shown |= {"dice": found["dice"], "lines": lines, "rounds": found["rounds"], "never": found["never"]}
        forces.append(ForceTold(**shown, why="" if found["dice"] else reasons[force.name]))
    chosen = chosen_options(asked.options)
    told = Told(
        edition=asked.edition,
        options=chosen,
        forces=forces,
        naval_combat=odds["naval_combat"],
        anybody=_anybody(forces),
    )
    if any(force.dice for force in asked.forces):
        told.resolved = resolved(asked, told)
    return told


def _anybody(forces: list[ForceTold]) -> Chance | None:
    """The chance that somebody is there in round 1: the dice of one force do not depend on those of another."""
    trying = [
        Fraction(force.rounds["1"].exact) if "1" in force.rounds else 0 for force in forces if force.kind != "patrol"
    ]
    some = 1 - prod((1 - chance for chance in trying), start=Fraction(1))
    return Chance(chance=round(float(some), 6), exact=str(some)) if trying else None


def with_ones(asked: Asked, odds: Mapping[str, Any]) -> dict[str, Any]:
    """What the rules say of each force, whatever is rolled: why it has no dice, and whether it is spent."""
    question = asked.question()
    for force in question["forces"]:
        force["dice"] = [1] * odds["forces"][force["id"]]["dice"]
    found: dict[str, Any] = api.call("interception", question, **asked.rules.beside)["forces"]
    return found


def resolved(asked: Asked, told: Told) -> dict[str, Any]:
    wanted = {force.name: force.dice for force in told.forces if force.kind != "patrol"}
    for force in asked.rolling():
        due = wanted[force.name]
        if len(force.dice) != due:
            typed = f"{len(force.dice)} are typed" if force.dice else "none are typed"
            instead = "that one" if due == 1 else f"all {due}" if due else "none"
            raise PlayerError(f"{force.name} rolls {counted_dice(due)} (22.22) and {typed}: type {instead}")
    return api.call("interception", asked.question(), **asked.rules.beside)


def counted_dice(number: int) -> str:
    return "no dice" if not number else "1 die" if number == 1 else f"{number} dice"


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
    plain = [force.model_copy(update={"distance": 0, **dict.fromkeys(OF_FORCE, False)}) for force in asked.forces]
    nothing = dict.fromkeys(("ground_factors", "spotters", "submarines", "cards", "enemy_cards", "task_forces"), 0)
    ticks = dict.fromkeys(("staying", "small", "in_invasion_hex", "against_us_transport"), False)
    bare = asked.model_copy(update={"forces": plain, "place": Place.ELSEWHERE, **ticks, **nothing})
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
    for name, field in (("small", "small"), ("invades", "in_invasion_hex"), ("us_box", "against_us_transport")):
        counts = (name == "us_box") is (asked.level is not Level.INTERCEPTION) or name == "small"
        matters = counts and _changes(bare, field, True)
        found |= {name} if matters else set()
        bare = _keep(bare, asked, left_out, matters, **{field: getattr(asked, field)})
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
        each = {"round"} if force.kind == "magic" else {"hexes"}
        for field in OF_FORCE:
            known = (
                simple.model_copy(update={"slow": force.slow}) if field == "carrier" else simple
            )  # it helps slow ships
            alone = bare.model_copy(update={"forces": [known]})
            other = bare.model_copy(update={"forces": [known.model_copy(update={field: True})]})
            if force.kind != "patrol" and _lines(alone) != _lines(other):
                each.add(field)
        of_force.append(frozenset(each))
        forces.append(force.model_copy(update={field: False for field in OF_FORCE if field not in each}))
    clean = clean.model_copy(update={"forces": forces})
    return clean, Matters(frozenset(found), places, tuple(of_force), _options(clean)), left_out


def _lines(asked: Asked, **changes: Any) -> Any:
    """The lines of dice of every force; a refusal is its words."""
    changed = asked.model_copy(update=changes)
    if not changed.rolling():
        return {}
    try:
        return api.call("interception_dice", changed.question(), **changed.rules.beside)["lines"]
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
    return that_matter(asked.rules, tuple(CHOICES), lambda rules: _whole(asked, rules))


def _whole(asked: Asked, rules: ChosenRules) -> Any:
    with_them = asked.model_copy(update=rules.beside)
    odds = api.call("intercept_odds", with_them.question(), **rules.beside)
    return odds, with_ones(with_them, odds)
