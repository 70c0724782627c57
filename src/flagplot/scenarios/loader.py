"""Set-ups: the ones that come with the game, and anyone's own.

A set-up is a TOML text. The laws of reading one stand at the top of document.py, what a side may hold in forces.py, what
the whole must keep to in checks.py. The format, with its defaults:

    format = 1
    title = "..."                       # and summary, one or two sentences
    theatre = "Europe" or "Pacific"
    kind = "naval battle" (default) or "raider combat"
    interceptor = "axis" or "allies"    # against raiders, those who hunt them
    round = 1
    order_of_battle = "open" (default) or "hidden"
    edition = "current"
    [options]                           # rulings the group plays by, by name
    [inputs]                            # what rules we do not hold would say
    tactical = { axis = 0, allies = 0 } # 48.51B
    search_advantage = "none"           # 48.32B, 48.62: +1 for that side, -1 for the other
    [axis] and [allies]
    name, nation                        # the nation is that of ships and light units that do not say another
    partial_supply_or_oil = []          # 22.552A: the nations impaired
    [[axis.base]]                       # name, distance in hexes, invaded = false
    [[axis.force]]                      # name, task_force = true, mission = "patrol", base, arrives = 1, number = 0,
                                        # inverted, sea_supply, sails_empty = false, engaged = true (raiders)
    ships = ["Akagi", { name = "Kaga", hits = 1, damaged = false, air = 3, may_not_withdraw = false, nation = "Japan" }]
    cruisers, damaged_cruisers          # in ships of two factors, sound and damaged ones apart
    destroyers, escort_carriers, transports
    also = [{ nation = "Australia", cruisers = 2, destroyers = 1 }]
    cargo = [{ name = "an infantry corps", needs = 2, by = "DD", divisible = false }]
"""

from __future__ import annotations

import pathlib
from importlib.resources import files

import msgspec

from flagplot.core.errors import ScenarioError, UnknownName
from flagplot.core.sides import SIDES, Side
from flagplot.editions.current import EDITIONS, ruleset
from flagplot.editions.options import OPTIONS
from flagplot.model.setup import KINDS, ORDERS_OF_BATTLE, THEATRES, Public, Setup
from flagplot.scenarios.checks import check
from flagplot.scenarios.document import LONGEST_TEXT, MOST_BYTES, Document, Part
from flagplot.scenarios.forces import LATEST_ROUND, ReadSide, read_side
from flagplot.scenarios.ships import suggestions

FORMAT = 1
MOST_TACTICAL = 5
TOP_KEYS = (
    "format",
    "title",
    "summary",
    "theatre",
    "kind",
    "interceptor",
    "round",
    "order_of_battle",
    "edition",
    "options",
    "inputs",
    "axis",
    "allies",
)


class Scenario(msgspec.Struct, frozen=True):
    """A battle that can be played: its set-up, and the edition and options it is meant for."""

    name: str
    setup: Setup
    edition: str
    options: dict[str, str]


def load_scenario(name_or_path: str | pathlib.Path) -> Scenario:
    """A battle that comes with the game, by its name, or a set-up in a file, by its path."""
    name = str(name_or_path)
    shipped = _shipped()
    if name in shipped:
        return parse_scenario(shipped[name], f"{name}.toml")
    path = pathlib.Path(name_or_path)
    if isinstance(name_or_path, str) and path.name == name and path.suffix != ".toml":
        near = suggestions(name, shipped) or f"there are {', '.join(shipped)}"
        raise UnknownName(f"there is no battle called {name[:80]!r}; {near}")
    return parse_scenario(_contents(path), name)


def list_scenarios() -> list[Scenario]:
    """The battles that come with the game, by name."""
    return [parse_scenario(text, f"{name}.toml") for name, text in _shipped().items()]


def _shipped() -> dict[str, bytes]:
    folder = files("flagplot.scenarios").joinpath("battles")
    found = [each for each in folder.iterdir() if each.name.endswith(".toml")]
    return {each.name.removesuffix(".toml"): each.read_bytes() for each in sorted(found, key=lambda each: each.name)}


def _contents(path: pathlib.Path) -> bytes:
    """What a file holds, no more of it than a set-up may have."""
    try:
        if not path.is_file():
            raise ScenarioError(str(path), "", "there is no such file")
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as trouble:
        raise ScenarioError(str(path), "", f"this file cannot be read: {trouble}") from trouble


def parse_scenario(text: str | bytes, place: str) -> Scenario:
    """A set-up from its text. `place` is what complaints call the text; a file's name without its ending is the battle's."""
    top = Document(text, place).tables()
    top.only(*TOP_KEYS)
    format = top.number("format", 1, 10**6)
    if format != FORMAT:
        top.refuse("format", "", f"this is format {format}; this version of the game reads format {FORMAT}")
    edition = top.one_of("edition", EDITIONS, "current")
    options = read_options(top.part("options"))
    rules = ruleset(edition, options)
    sides = {side: _side(top, side, rules.most_groups) for side in Side}
    public = read_public(top, {side: sides[side].name for side in Side})
    if public.kind == "raider combat" and public.round != 1:
        top.refuse("round", "22.35D", "raider combat has one round only; leave round out")
    check(public, sides, rules)
    setup = Setup(public=public, sides={side: sides[side].secret for side in Side})
    return Scenario(pathlib.PurePath(place).stem or place, setup, edition, options)


def _side(top: Part, side: Side, most_groups: int) -> ReadSide:
    if side.value not in top:
        top.refuse(side.value, "22.31", f"the side is missing; add a table [{side}]")
    return read_side(top.part(side.value), side, most_groups)


def read_public(top: Part, names: dict[Side, str]) -> Public:
    """What everyone knows."""
    inputs = top.part("inputs")
    inputs.only("tactical", "search_advantage")
    tactical = inputs.part("tactical")
    tactical.only(*SIDES)
    favoured = inputs.one_of("search_advantage", (*SIDES, "none"), "none", "48.32B")
    return Public(
        title=top.name("title"),
        summary=top.text("summary", "", LONGEST_TEXT),
        theatre=top.one_of("theatre", THEATRES, rule="22.63"),
        kind=top.one_of("kind", KINDS, "naval battle", "22.3"),
        interceptor=SIDES[top.one_of("interceptor", SIDES, rule="22.11")],
        round=top.number("round", 1, LATEST_ROUND, 1, "22.41"),
        order_of_battle=top.one_of("order_of_battle", ORDERS_OF_BATTLE, "open", "22.423B"),
        names=names,
        tactical={side: tactical.number(side.value, -MOST_TACTICAL, MOST_TACTICAL, 0, "48.51B") for side in Side},
        search_advantage={side: 0 if favoured == "none" else 1 if favoured == side else -1 for side in Side},
    )


def read_options(part: Part) -> dict[str, str]:
    """The rulings chosen. Those not named are at their defaults."""
    part.only(*OPTIONS)
    return {name: part.one_of(name, OPTIONS[name].values, rule=OPTIONS[name].ruling) for name in part.values}
