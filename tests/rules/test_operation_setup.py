"""Set-ups of operations: what is read, from a map or typed in, and what is refused with its rule and its place."""

from __future__ import annotations

import msgspec
import pytest

from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.operation import Operation, Stations, Waters
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.rules.naval.operations import lay_out
from flagplot.rules.naval.passage import distances, shortest
from flagplot.rules.table import Table
from flagplot.scenarios.loader import list_scenarios, load_scenario, parse_scenario

TEXT = """format = 1
title = "Typed in"
theatre = "Europe"
kind = "operation"
mover = "axis"
phases = ["movement"]
[sea]
lanes = [["Kiel", "Skagerrak", "Bergen"], ["Bergen", "Skagerrak"]]
distances = [{ from = "Bergen", to = "Scapa", hexes = 3 }]
straits = [["Kiel", "Skagerrak"]]
[inputs]
interception_cards = { axis = 1 }
[axis]
nation = "Germany"
air_range = 2
[[axis.port]]
name = "Kiel"
[[axis.port]]
name = "Bergen"
[[axis.air_base]]
name = "Field"
hex = "Bergen"
aircraft = { "Germany AAF" = 1 }
[[axis.force]]
name = "One"
base = "Kiel"
ships = ["Bismarck"]
[[axis.force]]
name = "Watch"
base = "Kiel"
at = "Skagerrak"
patrol = "offensive"
destroyers = 2
[[axis.boats]]
port = "Kiel"
submarines = { Germany = 1 }
[[axis.activity]]
name = "Shift"
kind = "base change"
to = "Bergen"
[allies]
nation = "Britain"
[[allies.port]]
name = "Scapa"
[[allies.force]]
name = "Home"
base = "Scapa"
ships = ["Hood"]
"""


def read(text: str) -> tuple[Waters, dict[Side, Stations]]:
    given: Setup = parse_scenario(text, "typed.toml").setup
    assert not isinstance(given.public.operation, msgspec.UnsetType)
    stations = {}
    for side in Side:
        found = given.sides[side].stations
        assert not isinstance(found, msgspec.UnsetType)
        stations[side] = found
    return given.public.operation, stations


def test_distances_are_typed_in() -> None:
    waters, stations = read(TEXT)
    assert waters.seas["Bergen"] == ("Skagerrak", "Bergen-Scapa 1")
    assert waters.seas["Scapa"] == ("Bergen-Scapa 2",)
    assert waters.straits == (("Kiel", "Skagerrak"),)
    assert waters.airfields[Side.AXIS][0].distances["Scapa"] == 3
    one, watch = stations[Side.AXIS].forces
    assert (one.place, one.harbour, watch.place, watch.harbour) == ("Kiel", "Kiel", "Skagerrak", "")
    assert waters.cards == {Side.AXIS: 1, Side.ALLIES: 0}


@pytest.mark.parametrize("name", [each.name for each in list_scenarios() if each.setup.public.kind == "operation"])
def test_shipped_operations_hold_together(name: str) -> None:
    given = load_scenario(name).setup
    waters = given.public.operation
    assert not isinstance(waters, msgspec.UnsetType)
    for hex, near in waters.seas.items():
        assert near and all(hex in waters.seas[each] for each in near)
    assert msgspec.json.decode(msgspec.json.encode(given), type=Setup) == given
    assert len(msgspec.json.encode(given)) < 100_000, "a header stays small"
    for side in Side:
        found = given.sides[side].stations
        assert not isinstance(found, msgspec.UnsetType)
        assert found.forces and all(force.place in waters.seas for force in found.forces)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('phases = ["movement"]', "phases = []", "no phase is played"),
        ('phases = ["movement"]', 'phases = ["dinner"]', "phases[1]: 'dinner' will not do here"),
        ('mover = "axis"', 'mover = "italy"', "mover: 'italy' will not do here"),
        ('lanes = [["Kiel", "Skagerrak", "Bergen"], ', 'lanes = [["Kiel"], ', "a lane is a list of two hexes"),
        ('straits = [["Kiel", "Skagerrak"]]', 'straits = [["Kiel", "Scapa"]]', "sea.straits[1]: a strait is a pair"),
        ('name = "Scapa"', 'name = "Rosyth"', "there is no sea hex 'Rosyth'"),
        ('to = "Bergen"\n[allies]', 'to = "Hull"\n[allies]', "there is no sea hex 'Hull'"),
        ('to = "Bergen"\n[allies]', 'to = "Scapa"\n[allies]', "Scapa is no port of this side"),
        ('base = "Scapa"', 'base = "Hull"', "allies.force[1].base: 'Hull' will not do here"),
        ('at = "Skagerrak"\n', "", "a patrol is at sea; say where"),
        ('patrol = "offensive"\n', "", "ships at sea before the first activity are on patrol"),
        ('name = "Home"', 'name = "One"', "One is there twice"),
        ('name = "Home"', 'name = "hold"', "a force may not be called hold"),
        ('name = "Shift"', 'name = "stay"', "an activity may not be called stay"),
        ('name = "Shift"', 'name = "One"', "One is the name of something else"),
        ('ships = ["Hood"]', 'ships = ["Bismarck"]', "bismarck is there twice"),
        ('ships = ["Hood"]', "destroyers = 30", "a task force has at most 25 factors"),
        ("[[axis.activity]]", '[[axis.boats]]\nport = "Kiel"\n[[axis.activity]]', "listed once"),
        ("[allies]\n", "[neutrals]\n[allies]\n", "neutrals"),
        ('[[allies.port]]\nname = "Scapa"\n', "", "allies has no port"),
        ('hex = "Bergen"\naircraft', 'hex = "Hull"\naircraft', "there is no sea hex 'Hull'"),
        ("[sea]", '[sea]\nmap = "moon"', "moon"),
    ],
)
def test_what_will_not_do_is_refused_where_it_stands(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ScenarioError) as refusal:
        parse_scenario(TEXT.replace(old, new, 1), "typed.toml")
    assert words in str(refusal.value) and "typed.toml" in str(refusal.value)


def test_a_side_or_the_sea_may_not_be_missing() -> None:
    with pytest.raises(ScenarioError, match="the side is missing"):
        parse_scenario(TEXT[: TEXT.index("[allies]")], "typed.toml")
    start, end = TEXT.index("lanes"), TEXT.index("[inputs]")
    with pytest.raises(ScenarioError, match="there is no sea"):
        parse_scenario(TEXT[:start] + TEXT[end:], "typed.toml")


ON_A_MAP = """format = 1
title = "On a map"
theatre = "Europe"
kind = "operation"
mover = "axis"
phases = ["redeployment"]
[sea]
map = "europe"
margin = 0
[axis]
nation = "Germany"
[[axis.port]]
name = "Kiel"
[[axis.port]]
name = "Atlantic"
[[axis.air_base]]
name = "Oslo"
[[axis.force]]
name = "One"
base = "Kiel"
ships = ["Scheer"]
[[axis.activity]]
name = "Raid"
kind = "raider"
to = "Atlantic"
[allies]
nation = "Britain"
[[allies.port]]
name = "Scapa Flow"
[[allies.force]]
name = "Home"
base = "Scapa Flow"
ships = ["Hood"]
"""


def test_of_a_map_only_what_matters_is_kept() -> None:
    waters, _ = read(ON_A_MAP)
    kiel, atlantic = waters.harbours[Side.AXIS]
    assert (kiel.fortified, atlantic.box, atlantic.hex) == (True, "SW", "Atlantic")
    assert 20 < len(waters.seas) < 120
    field = waters.airfields[Side.AXIS][0]
    assert field.distances[kiel.hex] > 3 and "Atlantic" not in field.distances


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "Oslo"', 'name = "Nowhere"', "there is no place 'Nowhere'"),
        ('to = "Atlantic"', 'to = "ZZZ1"', "ZZZ1"),
        ('to = "Atlantic"', 'to = "Berlin"', "Berlin"),
        ('name = "Scapa Flow"\n[[allies.force]]', 'name = "Scapa Flow"\nhex = "W44"\n[[allies.force]]', "no sea hex"),
    ],
)
def test_places_that_are_not_on_the_map_are_refused(old: str, new: str, words: str) -> None:
    assert old in ON_A_MAP
    with pytest.raises(ScenarioError) as refusal:
        parse_scenario(ON_A_MAP.replace(old, new, 1), "map.toml")
    assert words in str(refusal.value)


def test_a_force_sails_nowhere_without_water_between() -> None:
    text = TEXT.replace('["Kiel", "Skagerrak", "Bergen"]', '["Kiel", "Skagerrak", "Bergen"], ["Odessa", "Black Sea"]')
    text = text.replace("[[axis.port]]", '[[axis.port]]\nname = "Odessa"\n[[axis.port]]', 1)
    text = text.replace(
        "[[axis.activity]]", '[[axis.activity]]\nname = "East"\nkind = "base change"\nto = "Odessa"\n[[axis.activity]]'
    )
    game = Game.new(parse_scenario(text, "typed.toml").setup)
    with pytest.raises(IllegalChoice, match=r"22\.12: There is no way by sea from Kiel to Odessa"):
        game.submit(Side.AXIS, {"One": "East"})


def test_before_it_has_begun_an_operation_has_no_waters() -> None:
    with pytest.raises(KeyError):
        _ = Operation().sea
    battle = load_scenario("calabria").setup
    with pytest.raises(KeyError):
        lay_out(Table(ruleset()), battle)
    waters = load_scenario("operation-malta").setup.public
    with pytest.raises(KeyError):
        lay_out(Table(ruleset()), Setup(public=waters, sides=battle.sides))


def test_orders_beyond_the_public_sea_are_refused_kindly_and_never_widen_it() -> None:
    """22.12: the sea everyone sees is cut around ports and places named openly; where secret orders lead plays no part."""
    far = ON_A_MAP.replace('kind = "raider"\nto = "Atlantic"', 'kind = "patrol"\nto = "LL30"')
    with pytest.raises(ScenarioError) as refusal:
        parse_scenario(far, "map.toml")
    words = str(refusal.value)
    assert "axis.activity[1].to: LL30 is no part of the sea here" in words and "22.12" in words
    opened = far.replace("margin = 0", 'margin = 0\nplaces = ["LL30"]')
    assert "LL30" in read(opened)[0].seas
    near = ON_A_MAP.replace('kind = "raider"\nto = "Atlantic"', 'kind = "patrol"\nto = "T41"')
    assert read(near)[0] == read(ON_A_MAP)[0]
    with pytest.raises(ScenarioError, match="without a map all hexes"):
        parse_scenario(TEXT.replace("[sea]\n", '[sea]\nplaces = ["Bergen"]\n'), "typed.toml")


def test_a_box_is_an_end_of_the_sea_and_only_there_if_it_is_named() -> None:
    """22.12: ships sail into a box and out of it, never through; boxes nobody names are no part of the sea."""
    waters, _ = read(ON_A_MAP)
    assert "Atlantic" in waters.seas["Atlantic"] and "Murmansk" not in waters.seas and "U.S." not in waters.seas


def test_a_path_through_a_box_is_refused_with_its_rule_and_the_box() -> None:
    text = ON_A_MAP.replace(
        '[[axis.port]]\nname = "Atlantic"', '[[axis.port]]\nname = "Atlantic"\n[[axis.port]]\nname = "Murmansk"'
    )
    game = Game.new(parse_scenario(text, "map.toml").setup)
    game.submit(Side.AXIS, {"One": "Raid"})
    game.submit(Side.ALLIES, {})
    seas = game.table.operation.sea.seas
    kiel = game.table.operation.force(Side.AXIS, "One").place
    assert distances(seas, kiel)["Murmansk"] > 0, "ships may sail to it"
    there, back = shortest(seas, kiel, "Murmansk"), shortest(seas, "Murmansk", "Atlantic")
    assert there and back and "Murmansk" not in shortest(seas, kiel, "Atlantic")
    with pytest.raises(IllegalChoice, match=r"22\.12.*cannot sail to 'Murmansk'"):
        game.submit(Side.AXIS, [*there, *(hex for hex in back if hex not in there)])
