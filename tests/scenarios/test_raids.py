"""Set-ups of air attacks outside naval combat: what they hold, and what is refused where it stands."""

from __future__ import annotations

import msgspec
import pytest

from flagplot.core.sides import Side
from flagplot.model.squadrons import Port
from flagplot.scenarios.loader import load_scenario, parse_scenario
from tests.scenarios.texts import ALLIED_FORCE, air_base, assert_refused, battle, force

PASSAGE = 'kind = "air attack"\n'
HARBOUR = 'kind = "port attack"\n'
PORT = '[port]\nname = "Haven"\n'
BOMBERS = air_base('aircraft = { "Japan AAF" = 2 }')
CARRIERS = force('mission = "patrol"\nships = ["Akagi", "Hiei"]\ndestroyers = 4')
TOO_MANY = "".join(force("destroyers = 9", "allies", f"F{i}") for i in range(37))


def on_passage(axis: str = BOMBERS, allies: str = ALLIED_FORCE, top: str = "", **sides: str) -> str:
    return battle(PASSAGE + top, axis, allies, **sides)


def in_port(axis: str = BOMBERS, allies: str = ALLIED_FORCE, top: str = "", port: str = PORT, **sides: str) -> str:
    return battle(HARBOUR + top, axis, allies, **sides) + port


def test_a_port_is_read_with_all_that_stands_in_it() -> None:
    more = 'cities_and_ports = 2\nflak = 3\nairbases = 1\nobjectives = 1\nanchors = 1\nfortification = "fortress"\nsorties = 2\n'
    setup = parse_scenario(in_port(port=PORT + more), "test.toml").setup
    assert setup.public.port == Port("Haven", 2, 3, 1, 1, 1, 2, 2)
    assert setup.public.aircraft and not setup.public.submarines


def test_a_battle_without_a_port_is_written_as_before() -> None:
    """Saves of battles that know no port keep their fingerprint."""
    assert b"port" not in msgspec.json.encode(load_scenario("midway").setup.public).replace(b"Port Moresby", b"")


def test_hidden_or_open_there_are_no_submarines_in_an_air_attack() -> None:
    for text in (on_passage(), in_port()):
        setup = parse_scenario(text, "test.toml").setup.with_order_of_battle("hidden")
        assert setup.public.aircraft and not setup.public.submarines


def test_ships_in_port_may_be_any_number_and_need_no_base_of_origin() -> None:
    crowd = force("destroyers = 60\ntask_force = false", "allies") + '[[allies.base]]\nname = "Far"\ndistance = 9\n'
    setup = parse_scenario(in_port(allies=crowd), "test.toml").setup
    assert setup.sides[Side.ALLIES].forces[0].factors == 60


# (what is written, the key path that is named, the rule, words of the complaint)
REFUSALS: dict[str, tuple[str, str, str, str]] = {
    "a port in a battle": (battle() + PORT, "port", "23.4212", "only an attack on a port has one"),
    "a port attack without a port": (in_port(port=""), "port", "23.4212", "add a table [port]"),
    "a fortification nobody knows": (
        in_port(port=PORT + 'fortification = "wall"\n'),
        "port.fortification",
        "23.4212C",
        "fortress",
    ),
    "a port without a symbol": (
        in_port(port=PORT + "cities_and_ports = 0\n"),
        "port.cities_and_ports",
        "23.4212A",
        "1",
    ),
    "a round on passage": (on_passage(top="round = 2\n"), "round", "23.752A", "leave round out"),
    "a round in port": (in_port(top="round = 2\n"), "round", "23.54", "leave round out"),
    "ships that attack ships on passage": (
        on_passage(axis=BOMBERS + CARRIERS),
        "axis.force[1]",
        "23.74A",
        "bring about naval combat",
    ),
    "no aircraft to attack with": (on_passage(axis=""), "axis", "23.75", "has none"),
    "inverted aircraft only": (
        on_passage(axis=air_base('inverted = { "Japan AAF" = 2 }')),
        "axis",
        "23.75",
        "has none",
    ),
    "nobody on passage": (on_passage(allies=""), "allies", "23.71A", "no ships to be attacked"),
    "nobody in port": (in_port(allies=""), "allies", "23.41", "no ships to be attacked"),
    "submarines": (
        on_passage(allied_side='submarines = { "United States" = 1 }\n'),
        "allies.submarines",
        "23.43C",
        "leave them out",
    ),
    "somebody who comes later": (
        on_passage(allies=force("destroyers = 9\narrives = 2", "allies")),
        "allies.force[1].arrives",
        "23.752A",
        "leave it out",
    ),
    "a number beforehand": (
        on_passage(allies=force("destroyers = 9\nnumber = 2", "allies"), top='order_of_battle = "hidden"\n'),
        "allies.force[1].number",
        "23.721A",
        "leave it out",
    ),
    "cargo in port": (
        in_port(allies=force('destroyers = 9\ncargo = [{ name = "oil", needs = 1 }]', "allies")),
        "allies.force[1].cargo",
        "23.41",
        "carry nothing",
    ),
    "sea supply in port": (
        in_port(allies=force("destroyers = 9\nsea_supply = true", "allies")),
        "allies.force[1].sea_supply",
        "23.41",
        "carry nothing",
    ),
    "too many groups": (on_passage(allies=TOO_MANY), "allies", "23.721A", "at most 36 groups"),
    "carriers and land-based air together": (in_port(axis=BOMBERS + CARRIERS), "axis.air_base", "23.51", "never"),
    "nothing to attack a port with": (in_port(axis=""), "axis", "23.5", "neither land-based air nor carriers"),
    "ships without carriers against a port": (
        in_port(axis=force('mission = "patrol"\ndestroyers = 9')),
        "axis",
        "23.5",
        "neither land-based air nor carriers",
    ),
    "carriers on another mission": (
        in_port(axis=CARRIERS.replace('"patrol"', '"sea escort"')),
        "axis.force[1].mission",
        "23.61",
        "not on sea escort",
    ),
}


@pytest.mark.parametrize(("text", "path", "rule", "words"), REFUSALS.values(), ids=REFUSALS)
def test_a_mistake_is_named_where_it_stands(text: str, path: str, rule: str, words: str) -> None:
    assert_refused(text, path, rule, words)
