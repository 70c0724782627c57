"""Set-ups: the ones that come with the game, and anyone's own.

A set-up is a TOML text. The laws of reading one stand at the top of document.py, what a side may hold in forces.py and
air.py, what the whole must keep to in checks.py. The format, with its defaults:

    format = 1
    title = "..."                       # and summary, one or two sentences
    theatre = "Europe" or "Pacific"
    kind = "naval battle" (default), "raider combat", "submarine attack", "air attack" or "port attack"
    interceptor = "axis" or "allies"    # against raiders, those who hunt them; of air attacks, those who attack
    round = 1                           # later: a battle is taken up in its course
    order_of_battle = "open" (default) or "hidden"
    edition = "current"
    western_front = false               # 22.9415B, Europe only
    [options]                           # rulings the group plays by, by name
    [inputs]                            # what rules we do not hold would say
    tactical = { axis = 0, allies = 0 } # 48.51B
    search_advantage = "none"           # 48.32B, 48.62: +1 for that side, -1 for the other
    rules_not_held = "default" or "ask" # 20.524
    [port]                              # of a port attack: name, cities_and_ports = 1, flak, airbases, objectives,
                                        # anchors = 0, fortification = "none", "fortification" or "fortress",
                                        # sorties = 0 (the most there may be; 0 = as many as the attacker likes)
    [axis] and [allies]
    name, nation                        # the nation is that of ships and light units that do not say another
    partial_supply_or_oil = []          # 22.552A: the nations impaired
    submarines = { Germany = 2, "Germany advanced" = 1 }
    submarines_spent = { Germany = 1 }  # that attacked in an earlier round (22.92)
    research = { radar = 1, "air defense" = 0, torpedo = 0, ASW = 2 }
    impaired_air, winter_air = []       # 23.441A: the nations whose aircraft are
    air_range = 0                       # in hexes; 0 if all air bases are near enough
    carrier_range = 0                   # in hexes; 0 if its carriers reach all enemy air bases
    submarine_codebreaking = 0          # 48.41B
    excess_asw = { Atlantic = 0, Pacific = 0, "Indian Ocean" = 0 }
    destroyers_elsewhere = { Alexandria = { Britain = 4 } }
    [[axis.air_base]]                   # name, distance in hexes, operational = true, capacity = 15
    aircraft = { "Japan AAF" = 2, "Japan NAS" = 3, "Japan elite NAS" = 1, "Japan KAM" = 2 } # and inverted
    [[axis.base]]                       # name, distance in hexes, invaded = false
    [[axis.force]]                      # name, task_force = true, mission = "patrol", base, arrives = 1, number = 0,
                                        # inverted, sea_supply, sails_empty = false, engaged = true (raiders)
    ships = ["Akagi", { name = "Kaga", hits = 1, damaged = false, air = 3, elite = 3, may_not_withdraw = false }]
                                        # and nation, if it is not the side's
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
from flagplot.model.setup import INPUTS, KINDS, NO_SUBMARINES, ORDERS_OF_BATTLE, THEATRES, Public, Setup
from flagplot.scenarios.air import read_port
from flagplot.scenarios.checks import check
from flagplot.scenarios.document import LONGEST_TEXT, MOST_BYTES, Document, Part
from flagplot.scenarios.forces import LATEST_ROUND, ReadSide, read_side
from flagplot.scenarios.operations import read_operation
from flagplot.scenarios.ships import suggestions
from flagplot.scenarios.war import read_war

FORMAT = 1
ONE_ROUND = {"air attack": "23.752A", "port attack": "23.54"}
MOST_TACTICAL = 5
WHOLE = {"operation": read_operation, "war": read_war}  # kinds with a reader of their own
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
    "western_front",
    "port",
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
    name, path = str(name_or_path), pathlib.Path(name_or_path)
    if name in _shipped() or (isinstance(name_or_path, str) and path.name == name and path.suffix != ".toml"):
        return shipped_scenario(name)
    return parse_scenario(_contents(path), name)


def shipped_scenario(name: str) -> Scenario:
    """A battle that comes with the game, by its name; never a file."""
    return parse_scenario(scenario_text(name), f"{name}.toml")


def scenario_text(name: str) -> bytes:
    """The text of a battle that comes with the game."""
    shipped = _shipped()
    if name not in shipped:
        near = suggestions(name, shipped) or f"there are {', '.join(shipped)}"
        raise UnknownName(f"there is no battle called {name[:80]!r}; {near}")
    return shipped[name]


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
    return read_scenario(Document(text, place).tables(), pathlib.PurePath(place).stem or place)


def read_scenario(top: Part, name: str) -> Scenario:
    """A set-up from its tables, wherever they came from."""
    whole = WHOLE.get(str(top.values.get("kind")))
    if whole is None:
        top.only(*TOP_KEYS)
    if "format" not in top:
        top.refuse("format", "", f"format is missing; write format = {FORMAT}")
    format = top.number("format", 1, 10**6)
    if format != FORMAT:
        top.refuse("format", "", f"this is format {format}; this version of the game reads format {FORMAT}")
    edition = top.one_of("edition", EDITIONS, "current")
    options = read_options(top.part("options"))
    rules = ruleset(edition, options)
    if whole is not None:
        return Scenario(name, whole(top, rules), edition, options)
    sides = {side: _side(top, side, rules.most_groups) for side in Side}
    public = read_public(top, sides)
    if public.kind == "raider combat" and public.round != 1:
        top.refuse("round", "22.35D", "raider combat has one round only; leave round out")
    if public.kind == "submarine attack" and public.round != 1:
        top.refuse("round", "22.9416C", "outside naval combat all attacks of submarines are one round; leave round out")
    if public.kind in ONE_ROUND and public.round != 1:
        top.refuse(
            "round", ONE_ROUND[public.kind], "an attack from the air begins with its first round; leave round out"
        )
    if public.western_front and public.theatre != "Europe":
        top.refuse("western_front", "22.9415B", "the western front is in Europe; leave it out, or change the theatre")
    check(public, sides, rules)
    setup = Setup(public=public, sides={side: sides[side].secret for side in Side})
    return Scenario(name, setup, edition, options)


def _side(top: Part, side: Side, most_groups: int) -> ReadSide:
    if side.value not in top:
        top.refuse(side.value, "22.31", f"the side is missing; add a table [{side}]")
    return read_side(top.part(side.value), side, most_groups)


def read_public(top: Part, sides: dict[Side, ReadSide]) -> Public:
    """What everyone knows. A hidden order of battle may hide carriers and submarines, so there may always be some."""
    inputs = top.part("inputs")
    inputs.only("tactical", "search_advantage", "rules_not_held")
    tactical = inputs.part("tactical")
    tactical.only(*SIDES)
    kind = top.one_of("kind", KINDS, "naval battle", "22.3")
    order_of_battle = top.one_of("order_of_battle", ORDERS_OF_BATTLE, "open", "22.423B")
    hidden = order_of_battle == "hidden"
    submarines = hidden or kind == "submarine attack" or any(each.secret.submarines for each in sides.values())
    favoured = inputs.one_of("search_advantage", (*SIDES, "none"), "none", "48.32B")
    return Public(
        title=top.name("title"),
        summary=top.text("summary", "", LONGEST_TEXT),
        theatre=top.one_of("theatre", THEATRES, rule="22.63"),
        kind=kind,
        interceptor=SIDES[top.one_of("interceptor", SIDES, rule="22.11")],
        round=top.number("round", 1, LATEST_ROUND, 1, "22.41"),
        order_of_battle=order_of_battle,
        names={side: sides[side].name for side in Side},
        tactical={side: tactical.number(side.value, -MOST_TACTICAL, MOST_TACTICAL, 0, "48.51B") for side in Side},
        search_advantage={side: 0 if favoured == "none" else 1 if favoured == side else -1 for side in Side},
        aircraft=hidden or kind in ONE_ROUND or any(map(has_aircraft, sides.values())),
        submarines=submarines and kind not in NO_SUBMARINES,
        western_front=top.flag("western_front"),
        inputs=inputs.one_of("rules_not_held", INPUTS, "default", "20.524"),
        air={side: sides[side].air for side in Side},
        port=read_port(top, kind),
    )


def has_aircraft(read: ReadSide) -> bool:
    """Whether a side has a carrier, or any air unit at a land base."""
    ashore = any(base.factors or base.squadrons or base.inverted or base.inverted_factors for base in read.air.bases)
    return ashore or any(ship.is_carrier for force in read.secret.forces for ship in force.ships)


def read_options(part: Part) -> dict[str, str]:
    """The rulings chosen. Those not named are at their defaults."""
    part.only(*OPTIONS)
    return {name: part.one_of(name, OPTIONS[name].values, rule=OPTIONS[name].ruling) for name in part.values}
