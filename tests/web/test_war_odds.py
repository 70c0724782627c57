"""26.46: what raids may be expected to do, beside the question that sends them, is what the procedure would do."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import BomberForce
from flagplot.rules.strategic.bombing import bombs_target
from flagplot.rules.strategic.yards import columns_moved, yard_result
from flagplot.web.war_ledger import ledger_of
from flagplot.web.war_odds import expected_of
from tests.rules.war_table import AXIS, BASES, KIEL, WAR, WarTable, setup, target

RULES = ruleset("current")
FACES = [one + two for one in range(1, 7) for two in range(1, 7)]
YARD = {"name": "Anson", "power": "Britain", "yard": "Glasgow", "size": 4, "row": 2, "column": 1}
ROCKETS = {"at": "Axis Spring 1945", "politics": WAR, "research": {"Western Allies": {"rockets": 9}}}


def expected(hex: dict[str, Any], places: dict[str, dict[str, int]], **start: Any) -> dict[str, Any]:
    """What is told of everything that flies to one target in an Axis player turn."""
    given = {"at": "Axis Spring 1945", "politics": WAR, "targets": [hex], "air_bases": BASES, **start}
    table = WarTable(setup(given, places=places, begin="Spring 1945"))
    decision = table.to("strategic bombing")
    name = hex["target"]["name"]
    wire = {item.key: name for item in decision.form.items if name in item.places}
    (told,) = expected_of(table.game, AXIS, decision, wire)["war"]
    return {"about": told["about"], **dict(map(tuple, told["rows"]))}


def mean(bombers: int, strength: int, number: Any) -> str:
    """The mean over all rolls of what bombers do, through the rules themselves."""
    force = BomberForce(bombers)
    results = [
        number(*bombs_target(RULES, force, strength, 0, attacker_roll=mine, defender_roll=theirs))
        for mine in FACES
        for theirs in FACES
    ]
    return f"{sum(results) / len(results):.1f}"


@pytest.mark.ledger("26.462.1", "26.71A.3")
def test_a_box_has_its_strength_and_value() -> None:
    box = target("India box", "Britain", "Southeast Asian", 0, kind="box", defences={}, distances={"Japan": 3})
    told = expected(box, {"Southeast Asian": {"Japan strategic bomber": 4}}, air_bases={})
    assert told["about"] == "4 bombing factors against a strength of 3"
    assert told["BRPs lost to it"] == mean(4, 3, lambda _a, _d, result: min(10, result.damage)) != "0.0"


@pytest.mark.ledger("26.71A.3")
def test_in_the_United_States_there_is_no_limit() -> None:
    box = target("Atlantic U.S. box", "United States", "western", 0, kind="box", distances={"Germany": 24})
    research = {"Germany": {"air_range": 3, "bombers": 1}}
    told = expected(box, {"western": {"Germany strategic bomber": 4}}, research=research)
    assert told["BRPs lost to it"] == mean(4, 3, lambda _a, _d, result: result.damage)


@pytest.mark.ledger("26.42B", "26.461.2")
def test_a_third_of_the_army_air_of_each_force_bombs() -> None:
    hex = target("London", "Britain", distances={"Germany": 3, "Germany, Mediterranean": 3})
    places = {"western": {"Germany AAF": 5}, "Mediterranean": {"Germany AAF": 4}}
    assert expected(hex, places)["about"].startswith("2 bombing factors"), "one of five and one of four"


@pytest.mark.ledger("26.32.2")
def test_a_secondary_target_costs_no_brps() -> None:
    struck = target("London", "Britain", key_economic_area=True, markers=["firestorm"], burnt=[1944])
    near = target("Oxford", "Britain", adjacent=["London"], distances={"Germany": 3})
    told = expected(near, {"western": {"Germany AAF": 12}}, targets=[struck, near])
    assert told["BRPs lost to it"] == "0.0"


@pytest.mark.ledger("26.76.2", "26.761A", "26.761B")
def test_ships_in_a_yard_are_thrown_back_and_cost_no_brps() -> None:
    yard = target("Glasgow", "Britain", kind="shipyard", defences={"anchors": 1, "cities_or_ports": 1})
    yard["distances"] = {"Germany": 4}
    told = expected(yard, {"western": {"Germany strategic bomber": 4}}, yards=[YARD])
    columns = mean(4, 3, lambda attacker, _d, result: columns_moved(yard_result(attacker, result)))
    assert told["columns its ships are thrown back, in all"] == columns and "BRPs lost to it" not in told


@pytest.mark.ledger("26.76.2", "26.454.3")
def test_the_ledger_tells_what_happens_to_a_yard_and_whom_it_cost() -> None:
    yard = target("Glasgow", "Britain", kind="shipyard", defences={"flak": 9}, distances={"Germany": 4})
    start = {"at": "Axis Spring 1945", "politics": WAR, "targets": [yard], "air_bases": BASES, "yards": [YARD]}
    units = {"Germany strategic bomber": 2, "Germany AAF": 3}
    table = WarTable(
        setup(start, places={"western": units}, begin="Spring 1945"),
        {"strategic bombing": {f"{name}, western": "Glasgow" for name in units}},
        {"3 bombers over Glasgow": 9, "the defences of Glasgow": 7},
    ).to_end()
    combats = [each for turn in ledger_of(table.game.events()) for each in turn["combats"]]
    (raid,) = (each for each in combats if each["title"] == "Glasgow: raid of Germany")
    fate = "the bombers: 1 strategic bomber lost, 1 bombing AAF and 1 strategic bomber turned back"
    assert raid["outcome"] == ["1/1 against the ships there (26.76)", fate], "three on 9: 1/1; nine on 7: 1/6"


@pytest.mark.ledger("26.62B.1")
@pytest.mark.parametrize("strength", [{}, {"flak": 3}])
def test_a_rocket_base_is_damaged_for_itself(strength: dict[str, int]) -> None:
    base = target("Dover", "Britain", kind="rocket base", defences=strength, distances={"Germany": 2})
    bases = {"Britain": [{"id": "Dover", "range": 5}]}
    told = expected(
        base, {"western": {"Germany strategic bomber": 4}}, research=ROCKETS["research"], rocket_bases=bases
    )
    flak = sum(strength.values())
    gone = mean(4, flak, lambda _a, _d, result: 100 * (result.damage >= 10))
    assert told["damage to the base"] == mean(4, flak, lambda _a, _d, result: result.damage)
    assert told["it is eliminated"] == f"{gone}%" and "BRPs lost to it" not in told


@pytest.mark.ledger("26.72A", "26.74")
def test_industry_takes_no_more_markers_than_it_can() -> None:
    facility = {"kind": "oil center", "production": 1}
    hex = target("Abadan", "Britain", kind="oil center", value=0, facility=facility, distances={"Germany": 4})
    hex["defences"] = {}
    told = expected(hex, {"western": {"Germany strategic bomber": 9}})
    assert told["damage markers, if none is paid off"] == "1.0", "nine that all get through do 27 and more"


@pytest.mark.ledger("25.73")
def test_advanced_submarines_have_a_combat_of_their_own_in_the_ledger() -> None:
    units = {"Germany submarine": 2, "Germany advanced submarine": 1, "Britain ASW": 1, "Western Allies transport": 9}
    start = {"at": "Axis Spring 1945", "ports": [KIEL]}
    table = WarTable(setup(start, places={"Atlantic": units}, begin="Spring 1945"), dice={"1 advanced": 9}).to_end()
    combats = [each for turn in ledger_of(table.game.events()) for each in turn["combats"]]
    (advanced,) = (each for each in combats if each["title"] == "Atlantic: advanced submarines of Germany")
    assert advanced["rule"] == "25.73" and advanced["rounds"][0]["rolls"][0]["result"] == "1/1"
    assert advanced["outcome"] == ["1 additional, one for each of them (25.73)"]
    assert "Atlantic: submarines of Germany" in [each["title"] for each in combats]
