"""Set-ups of the strategic war: what is accepted, and what is refused with which rule at which line."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import ScenarioError
from flagplot.core.sides import Side
from flagplot.model.strategic_war import ForcePool, PlayerTurn, Turn
from flagplot.model.war import War
from flagplot.scenarios.loader import load_scenario, parse_scenario
from tests.rules.war_table import KIEL, WAR, setup, text

OUTER = ("front", "value", "markers", "burnt", "distances", "facility", "facilities", "ic_loss", "defences")
AT = {"at": "Axis Spring 1942"}
ESSEN = {"target": {"name": "Essen", "country": "Germany", "objective": True}, "front": "western", "value": 20}


def refused(*dispatches: Any, **keys: Any) -> tuple[str, str]:
    """The rule and the whole complaint."""
    with pytest.raises(ScenarioError) as no:
        parse_scenario(text(*dispatches, **keys), "test.toml")
    return no.value.rule, str(no.value)


def war_of(given: Any) -> War:
    war = given.public.war
    assert isinstance(war, War)
    return war


def target(**keys: Any) -> dict[str, Any]:
    outer = {key: keys.pop(key) for key in OUTER if key in keys}
    hex = {"name": "Essen", "country": "Germany", "objective": True, **keys}
    return {**AT, "targets": [{"target": hex, "front": "western", **outer}]}


RAIDER = {"name": "Graf Spee", "nation": "Germany", "box": "Atlantic", "ships": ["Graf Spee"]}
RAIDER_SHIPS = {key: value for key, value in RAIDER.items() if key != "box"}
YARD = {"name": "Gneisenau", "power": "Germany", "yard": "Kiel", "size": 3, "row": 1, "column": 2}
BASE = {"id": "one", "range": 4}

CASES: list[tuple[str, str, Any]] = [
    ("24.12", "dispatch[1].at", {"at": "Soviet Spring 1942"}),
    ("24.12", "dispatch[1].at", {"at": "Axis Spring 1938"}),
    ("", "dispatch[1].brps", {**AT, "brps": {"Germany": "many"}}),
    ("", "dispatch[1].nonsense", {**AT, "nonsense": 1}),
    ("24.41", "dispatch[1].brps.Ruritania", {**AT, "brps": {"Ruritania": 3}}),
    ("", "dispatch[1].brps.Germany", {**AT, "brps": {"Germany": -3}}),
    ("24.41", "dispatch[1].construction.France", {**AT, "construction": {"France": 3}}),
    ("41", "dispatch[1].research.Axis", {**AT, "research": {"Axis": {"torpedo": 1}}}),
    ("41", "dispatch[1].research.Germany.death ray", {**AT, "research": {"Germany": {"death ray": 1}}}),
    ("41", "dispatch[1].research.Germany.air_range", {**AT, "research": {"Germany": {"air_range": 4}}}),
    ("24.21", "dispatch[1].produced.Germany.tank", {**AT, "produced": {"Germany": {"tank": 1}}}),
    ("24.21", "dispatch[1].produced.Ruritania", {**AT, "produced": {"Ruritania": {"submarine": 1}}}),
    ("24.23", "dispatch[1].produced.Britain.ASW", {**AT, "produced": {"Britain": {"ASW": 1}}}),
    (
        "24.23",
        "produced.United States.strategic bomber",
        {**AT, "produced": {"United States": {"strategic bomber": 1}}},
    ),
    ("", "dispatch[1].produced.Germany.submarine", {**AT, "produced": {"Germany": {"submarine": 0}}}),
    ("24.21C", "produced.Japan", {"at": "Axis Spring 1941", "produced": {"Japan": {"submarine": 1}}}),
    ("24.21D", "produced.Japan", {**AT, "produced": {"Japan": {"ASW": 1}}}),
    ("24.21B", "produced", {"at": "Allied Winter 1940", "produced": {"Western Allies": {"transport": 1}}}),
    ("24.21A", "produced.Germany", {**AT, "produced": {"Germany": {"strategic bomber": 1}}}),
    ("24.41B", "produced.Italy", {**AT, "produced": {"Italy": {"interceptor": 1}}}),
    ("24.232D", "produced", {**AT, "produced": {"United States, Pacific": {"strategic bomber": 1}}}),
    ("24.232D", "dispatch[1].produced", {**AT, "produced": {"Britain": {"strategic bomber": 2}}}),
    ("24.51", "arrivals.Moon", {**AT, "arrivals": {"Moon": {"Germany AAF": 1}}}),
    ("24.11", "arrivals.western.Germany tank", {**AT, "arrivals": {"western": {"Germany tank": 1}}}),
    ("24.41", "arrivals.western.Ruritania AAF", {**AT, "arrivals": {"western": {"Ruritania AAF": 1}}}),
    ("24.41", "losses.Atlantic", {**AT, "losses": {"Atlantic": {"Britain transport": 1}}}),
    ("24.232", "losses.western", {**AT, "losses": {"western": {"United States strategic bomber": 1}}}),
    ("24.11", "arrivals.Atlantic", {**AT, "arrivals": {"Atlantic": {"Germany submarine": 1}}}),
    ("", "arrivals.western.Germany AAF", {**AT, "arrivals": {"western": {"Germany AAF": 0}}}),
    ("26.21", "arrivals.Atlantic.Germany AAF", {**AT, "arrivals": {"Atlantic": {"Germany AAF": 1}}}),
    ("25.31", "arrivals.western.Britain CVE", {**AT, "arrivals": {"western": {"Britain CVE": 1}}}),
    ("25.31A", "arrivals.Atlantic.Germany CVE", {**AT, "arrivals": {"Atlantic": {"Germany CVE": 1}}}),
    ("25.51", "dispatch[1].ports[1].holder", {**AT, "ports": [{"name": "Brest", "holder": "Ruritania"}]}),
    ("25.65", "dispatch[1].ports[1].name", {**AT, "ports": [{**KIEL, "name": "St Nazaire"}]}),
    ("25.51", "dispatch[1].ports[1].front", {**AT, "ports": [{**KIEL, "front": "northern"}]}),
    ("25.51", "dispatch[1].lost_ports[1]", {**AT, "lost_ports": ["Brest"]}),
    ("26.21", "dispatch[1].air_bases.northern", {**AT, "air_bases": {"northern": ["Germany"]}}),
    ("26.22", "dispatch[1].air_bases.western[1]", {**AT, "air_bases": {"western": ["Ruritania"]}}),
    ("25.671", "dispatch[1].cards.Ultra: Italy", {**AT, "cards": {"Ultra: Italy": {"asw": 1}}}),
    ("25.671", "dispatch[1].cards.Magic: United States", {**AT, "cards": {"Magic: United States": {"asw": 1}}}),
    ("25.671", "cards.Ultra: Germany", {"at": "Allied Spring 1942", "cards": {"Ultra: Germany": {"asw": 1}}}),
    ("25.621", "dispatch[1].impaired[1]", {**AT, "impaired": ["Ruritania"]}),
    ("26.61", "rocket_bases.Ruritania", {**AT, "rocket_bases": {"Ruritania": []}}),
    ("26.63B", "rocket_bases.Germany", {**AT, "rocket_bases": {"Germany": [BASE]}}),
    (
        "26.61",
        "rocket_bases",
        {**AT, "research": {"Germany": {"rockets": 9}}, "rocket_bases": {"Germany": [BASE, BASE]}},
    ),
    (
        "26.61A",
        "rocket_bases.Germany",
        {**AT, "research": {"Germany": {"rockets": 9}}, "rocket_bases": {"Germany": [BASE, {**BASE, "id": "two"}]}},
    ),
    ("26.61", "rocket_sites.Ruritania", {**AT, "rocket_sites": {"Ruritania": []}}),
    ("26.61", "rocket_sites.Germany", {**AT, "rocket_sites": {"Germany": [BASE, BASE]}}),
    ("26.61B", "rocket_sites.Germany[1].theatre", {**AT, "rocket_sites": {"Germany": [{**BASE, "theatre": "Africa"}]}}),
    ("26.33", "atomic_bombs.Ruritania", {**AT, "atomic_bombs": {"Ruritania": 1}}),
    ("", "atomic_bombs.Germany", {**AT, "atomic_bombs": {"Germany": 0}}),
    ("", "atomic_damage", {**AT, "atomic_damage": -1}),
    (
        "26.72B",
        "targets[1].facilities",
        target(facility={"kind": "oil center"}, facilities=[{"kind": "oil center"}]),
    ),
    ("26.72", "targets[1].facility", target(facility={"kind": "city"})),
    ("", "targets[1].facility", target(facility={"kind": "oil center", "markers": -1})),
    ("", "targets[1].ic_loss", target(ic_loss=-1)),
    ("26.461A", "targets[1].defences.fortification", target(defences={"fortification": 3})),
    ("26.461A", "targets[1].defences.flak", target(defences={"flak": -1})),
    ("26.31", "dispatch[1].targets[1].target.country", target(country="Ruritania")),
    ("26.21", "dispatch[1].targets[1].front", target(front="northern")),
    ("26.31A", "dispatch[1].targets[1].target", target(name="Aachen", objective=False)),
    (
        "26.34",
        "dispatch[1].targets[1].target",
        target(name="London", country="Britain", key_economic_area=True, controller="Germany"),
    ),
    ("26.71A", "targets[1].value", target(name="India box", country="Britain", kind="box", value=11)),
    ("26.71A", "targets[1].value", target(name="India box", country="Britain", kind="box", value=9)),
    ("26.71A", "targets[1].value", target(name="Urals box", country="Russia", kind="box", value=980)),
    ("26.34", "targets[1].target.controller", target(controller="Germny")),
    ("26.31", "targets[1].distances.Brittain", target(distances={"Brittain": 1})),
    ("26.21", "targets[1].distances.Britain, westen", target(distances={"Britain, westen": 1})),
    ("26.21", "targets[1].distances", target(distances={"Germany, western to Mediteranean": 1})),
    ("26.95", "targets[1].burnt", target(markers=["firestorm"], burnt=[1950])),
    ("26.31", "targets[2].target.name", {**AT, "targets": [*target()["targets"], *target()["targets"]]}),
    ("25.13A", "dispatch[1].axis_holds[1]", {**AT, "axis_holds": ["Ethopia"]}),
    ("", "dispatch[1].cards.Ultra: Germany", {**AT, "cards": {"Ultra: Germany": {"asw": -1}}}),
    ("26.462", "targets[1].target.kind", target(name="London", country="Britain", kind="box")),
    ("26.462", "targets[1].target.kind", target(name="India box", country="Britain")),
    ("26.92", "targets[1].markers[1]", target(markers=["smoke"])),
    ("26.95", "targets[1].burnt", target(markers=["firestorm"])),
    ("", "targets[1].distances.Britain", target(distances={"Britain": -1})),
    ("", "targets[1].value", target(value=-1)),
    ("26.31", "dispatch[1].closed_targets[1]", {**AT, "closed_targets": ["Essen"]}),
    ("26.33", "dispatch[1].atomic.Essen", {**AT, "atomic": {"Essen": "Britain"}}),
    ("26.33", "dispatch[1].atomic.Essen", {**target(), "atomic": {"Essen": "Ruritania"}}),
    ("26.33", "dispatch[1].atomic.Essen", {**target(), "atomic": {"Essen": "Japan"}}),
    ("26.33", "atomic.Rome", {**target(name="Rome", country="Italy"), "atomic": {"Rome": "Britain"}}),
    ("27.721", "dispatch[1].yards[1].power", {**AT, "yards": [{**YARD, "power": "Ruritania"}]}),
    ("26.761", "dispatch[1].yards[1].column", {**AT, "yards": [{**YARD, "column": 4}]}),
    ("26.761D", "dispatch[1].yards[1].row", {**AT, "yards": [{**YARD, "row": 4}]}),
    ("26.761", "dispatch[1].yards[2].name", {**AT, "yards": [YARD, YARD]}),
    ("21.53", "dispatch[1].raiders[1].nation", {**AT, "raiders": [{**RAIDER, "nation": "Britain"}]}),
    ("21.53", "dispatch[1].raiders[1].box", {**AT, "raiders": [{**RAIDER, "box": "Baltic"}]}),
    ("21.53", "dispatch[1].raiders[2].name", {**AT, "raiders": [RAIDER, RAIDER]}),
    ("22.35A", "dispatch[1].raiders[1]", {**AT, "raiders": [{**RAIDER, "sea_supply": True}]}),
    ("25.35E", "dispatch[1].hunters[1].nation", {**AT, "hunters": [RAIDER]}),
    ("21.5342", "raider_codebreaking.Purple", {**AT, "raider_codebreaking": {"Purple": 1}}),
    ("21.5342", "raider_codebreaking.Ultra", {**AT, "raider_codebreaking": {"Ultra": 2}}),
    ("21.5342", "raider_codebreaking.Magic", {"at": "Allied Spring 1942", "raider_codebreaking": {"Magic": 1}}),
    ("21.5342", "search_squadrons.Urals box", {**AT, "search_squadrons": {"Urals box": 1}}),
    ("", "search_squadrons.India box", {**AT, "search_squadrons": {"India box": -1}}),
    ("40.451", "dispatch[1].murmansk.brps", {**AT, "murmansk": {"brps": 100}}),
    ("40.451D", "dispatch[1].murmansk.submarines", {**AT, "murmansk": {"submarines": -1}}),
    ("40.451", "dispatch[1].murmansk.ships.nation", {**AT, "murmansk": {"ships": {**RAIDER_SHIPS, "nation": "Italy"}}}),
    ("40.451", "dispatch[1].murmansk.escort.nation", {**AT, "murmansk": {"escort": RAIDER_SHIPS}}),
    ("40.451", "dispatch[1].murmansk.ships", {**AT, "murmansk": {"ships": {**RAIDER_SHIPS, "transports": 1}}}),
    ("40.451", "arrivals.Murmansk box.Britain AAF", {**AT, "arrivals": {"Murmansk box": {"Britain AAF": 1}}}),
    ("25.31", "losses.Murmansk box.Germany submarine", {**AT, "losses": {"Murmansk box": {"Germany submarine": 1}}}),
]


@pytest.mark.ledger(
    "24.21", "24.21A.1", "24.21A.2", "24.21B", "24.21C", "24.21D", "24.232D.1", "24.232D.3", "26.31.1", "26.34"
)
@pytest.mark.parametrize(
    ("rule", "where", "dispatch"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_dispatch_that_will_not_do_is_refused_with_rule_and_line(rule: str, where: str, dispatch: Any) -> None:
    begin = "Fall 1939"
    found, words = refused(dispatch, begin=begin, end="Winter 1945")
    assert (found, where in words) == (rule, True), words
    assert "test.toml, line " in words


@pytest.mark.ledger("24.11", "25.13B", "25.13D", "24.232A", "25.15")
@pytest.mark.parametrize(
    ("rule", "where", "places", "pools"),
    [
        ("25.13B", "Atlantic.Italy submarine", {"Atlantic": {"Italy submarine": 1}}, None),
        ("25.13D", "Pacific.Britain submarine", {"Pacific": {"Britain submarine": 1}}, None),
        ("25.31A", "Atlantic.Japan ASW", {"Atlantic": {"Japan ASW": 1}}, None),
        ("24.232A", "Pacific.Britain strategic bomber", {"Asian": {"Britain strategic bomber": 1}}, None),
        ("24.41B", "Mediterranean.Italy interceptor", {"Mediterranean": {"Italy interceptor": 1}}, None),
        ("24.41C", "in port.Japan advanced submarine", {"in port": {"Japan advanced submarine": 1}}, None),
        ("24.41F", "in port.France ASW", {"in port": {"France ASW": 1}}, None),
        ("24.41G", "in port.Russia submarine", {"in port": {"Russia submarine": 1}}, None),
        ("26.23A", "Pacific.Britain interceptor", {"Southeast Asian": {"Britain interceptor": 1}}, None),
        ("25.15", "in the Mediterranean", {"in the Mediterranean": {"Italy submarine": 1}}, None),
        (
            "24.11",
            "start.pools.Germany.submarine",
            {"Atlantic": {"Germany submarine": 2}},
            {"Germany": {"submarine": (1, 0)}},
        ),
        ("24.11", "start.pools.Germany.submarine", {}, {"Germany": {"submarine": (0, -1)}}),
        (
            "24.11",
            "start.pools.Japan.ASW",
            {"Atlantic": {"Germany submarine": 1}},
            {"Germany": {"submarine": (1, 0)}, "Japan": {"ASW": (1, 0)}},
        ),
        ("24.23", "start.pools.Britain.ASW", {}, {"Britain": {"ASW": (0, 1)}}),
        ("24.23", "start.pools.Germany.tank", {}, {"Germany": {"tank": (0, 1)}}),
    ],
)
def test_units_where_they_cannot_be(rule: str, where: str, places: Any, pools: Any) -> None:
    found, words = refused(places=places, pools=pools)
    assert found == rule, words
    assert where.split(".")[-1] in words or where in words


def test_other_mistakes() -> None:
    assert refused(begin="Spring 1942", end="Fall 1939")[0] == "24.12"
    assert "no timetable 'theirs'" in refused(timetable="theirs")[1]
    assert refused(AT, AT)[0] == "24.12"
    assert refused(begin="Monsoon 1942")[0] == "24.12"
    with pytest.raises(ScenarioError) as no:
        parse_scenario(text() + '\n[start]\nplaces = { Atlantic = { "Germany submarine" = 3 } }', "test.toml")
    assert no.value.rule == "24.11", "the pools of 24.31 hold one"
    with pytest.raises(ScenarioError, match="expected"):
        parse_scenario(text() + "\n[start]\nplaces = { Atlantic = 3 }", "test.toml")


@pytest.mark.ledger("24.31", "24.31A", "24.31C", "24.31D", "24.31E", "25.22A", "24.53.1")
def test_a_war_begins_with_the_forces_of_24_31() -> None:
    war = war_of(setup(begin="Fall 1939"))
    assert war.places["Atlantic"] == {"Germany submarine": 1, "Britain ASW": 1, "Western Allies transport": 35}
    assert war.pools["Western Allies"]["ASW"] == ForcePool(2, 2)
    assert war.pools["United States, European"]["strategic bomber"] == ForcePool(1, 0)
    assert war.research["Japan"].torpedo == 1


@pytest.mark.ledger("25.66B.1")
def test_a_war_that_begins_later_takes_over_what_the_timetable_says_of_before() -> None:
    war = war_of(parse_scenario(text(begin="Spring 1943", end="Summer 1943", timetable="ours"), "test.toml").setup)
    assert war.ports["Brest"].holder == "Germany" and war.politics.germany_us_war
    assert war.war_phases == 5, "Winter 1941 to Winter 1942"
    assert war.levels("Western Allies").asw >= 1
    assert war.pools["Germany"]["submarine"].allowable > 5 and war.pools["Germany"]["submarine"].built == 1
    assert {purse.brps for purse in war.purses.values()} == {0}
    assert war.timetable[0].at == PlayerTurn(Turn(1943, 0), Side.AXIS)
    allied = war_of(setup({"at": "Allied Winter 1941", "politics": WAR}))
    assert allied.war_phases == 0 and allied.politics.germany_us_war


def test_a_dispatch_of_a_set_up_replaces_that_of_the_timetable() -> None:
    row = {"at": "Axis Fall 1939", "headline": "Peace breaks out."}
    war = war_of(parse_scenario(text(row, begin="Fall 1939", timetable="ours"), "test.toml").setup)
    assert war.timetable[0].headline == "Peace breaks out." and not war.timetable[0].brps


def test_the_war_that_comes_with_the_game() -> None:
    war = war_of(load_scenario("war").setup)
    assert (str(war.now), str(war.last)) == ("Axis Fall 1939", "Winter 1946")
    assert len(war.timetable) == 60, "two player turns in each of thirty turns"
    assert [str(row.at) for row in war.timetable[-2:]] == ["Axis Winter 1946", "Allied Winter 1946"]


@pytest.mark.ledger("26.31.1")
def test_ports_and_targets_come_and_go() -> None:
    war = war_of(
        setup(
            {**AT, "ports": [KIEL, {"name": "Oslo", "holder": "Axis"}], "targets": [ESSEN]},
            {"at": "Allied Spring 1942", "lost_ports": ["Oslo"], "closed_targets": ["Essen"]},
            end="Summer 1942",
        )
    )
    assert [row.lost_ports for row in war.timetable] == [(), ("Oslo",)]
