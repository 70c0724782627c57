"""24 and 25 through the public API: what the worked cases do not ask, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

SUEZ = [{"name": "Suez", "holder": "Italy"}]
BRITISH = {"nation": "Britain"}


def ask(name: str, **with_: Any) -> dict[str, Any]:
    return api.call(name, with_)


@pytest.mark.ledger("24.62", "24.621")
def test_the_table_is_read_with_dice_or_a_roll() -> None:
    assert api.call("sw_combat", {"factors": 20}, dice=[6, 6])["result"] == "6/10"
    assert ask("sw_combat", factors=33, roll=7, modifier=-1)["results_by_row"] == [[8, 13], [0, 2]]


@pytest.mark.ledger("25.61", "25.621")
def test_the_modifier_knows_the_nationalities_of_the_chart() -> None:
    assert ask("sw_modifier", box="atlantic", attacker="germany")["net_modifier"] == 1
    assert ask("sw_modifier", box="Pacific", attacker="U.S.")["net_modifier"] == -1
    japan = ask(
        "sw_modifier",
        box="Pacific SW box",
        attacker="Japan",
        torpedo_attacker=1,
        ports_controlled_and_fully_supplied=["A Hawaiian port", "suva", "Rabaul"],
    )
    assert japan["breakdown"] == {
        "nationality": 1,
        "air_range": 0,
        "torpedo": 1,
        "asw_research": 0,
        "cves": 0,
        "ports": 1,
        "us_war": 0,
        "ireland": 0,
        "codebreaking": 0,
    }


@pytest.mark.ledger("25.632.1", "25.622.1")
def test_unless_it_is_said_Japan_has_the_torpedoes_it_began_with() -> None:
    def torpedo(attacker: str, **said: int) -> int:
        return int(ask("sw_modifier", box="Pacific", attacker=attacker, **said)["breakdown"]["torpedo"])

    assert (torpedo("Japan"), torpedo("United States")) == (1, 0)
    assert (torpedo("Japan", torpedo_attacker=0), torpedo("Japan", torpedo_attacker=2)) == (0, 2)


@pytest.mark.ledger("25.66B.4", "25.66B.1")
def test_war_before_and_after_the_combat_phase_and_a_return_to_it() -> None:
    check = ["Axis Spring 1942", "Axis Summer 1942", "Axis Fall 1942"]
    declared = "Axis Spring 1942"
    assert ask("us_war_modifiers", declared=declared, check=check)["modifiers"] == [3, 2, 1]
    assert ask("us_war_modifiers", declared=declared, check=check, before_combat=False)["modifiers"] == [0, 3, 2]
    assert ask("us_war_modifiers", declared=declared, check=check, us_reentry=True)["modifiers"] == [1, 1, 1]
    assert ask("us_war_modifiers", declared=None, check=check)["modifiers"] == [0, 0, 0]


@pytest.mark.ledger("25.622.3")
def test_asw_results_add_up_to_a_level() -> None:
    assert ask("asw_research", results=[[7, 4], [8, 0]]) == {"level": 2}


@pytest.mark.ledger("25.14", "24.64B")
def test_a_combat_takes_the_attacker_s_dice_first_and_asks_for_none_it_does_not_need() -> None:
    fought = api.call(
        "submarine_combat", {"submarines": 6, "asw": 7, "transports": 35, "net_modifier": -1}, dice=[4, 4, 2, 2]
    )
    assert (fought["attacker_result"], fought["defender_result"], fought["transports_sunk"]) == ("1/3", "1/3", 2)
    alone = api.call("submarine_combat", {"submarines": 4, "asw": 0, "transports": 35}, dice=[3, 4])
    assert (alone["submarines_reaching_convoys"], alone["transports_sunk"]) == (4, 5)
    assert not ask("submarine_combat", submarines=0, asw=5, transports=35)["combat"]


@pytest.mark.ledger("25.82")
def test_two_attackers_in_the_indian_ocean() -> None:
    both = ask(
        "indian_ocean_combats",
        german={"submarines": 4, "asw": 0, "net_modifier": 1, "attacker_roll": 7},
        japanese={"submarines": 3, "asw": 2, "net_modifier": -1, "attacker_roll": 9, "defender_roll": 7},
        transports=20,
        asw=2,
    )
    assert (both["german"]["attacker_result"], both["japanese"]["defender_result"]) == ("1/1", "0/1")
    assert (both["transports_sunk"], both["transports_damaged"], both["transports_undamaged_left"]) == (7, 3, 10)


@pytest.mark.ledger("25.73", "25.73D")
def test_advanced_submarines_find_damaged_transports_only_by_choice() -> None:
    asked = {"advanced_submarines": 2, "roll": 7, "transports": 1, "transports_damaged_before": 4}
    gone = api.call("advanced_submarines", asked)
    assert (gone["transports_sunk"], gone["losses_wasted"]) == (1, 2)
    there = api.call("advanced_submarines", asked, options={"damaged_transports_leave": "after_advanced"})
    assert (there["transports_sunk"], there["transports_damaged"], there["losses_wasted"]) == (3, 2, 0)
    assert ask("advanced_submarines", advanced_submarines=0, transports=5)["transports_sunk"] == 0


@pytest.mark.ledger("24.66")
def test_whose_escort_carriers_are_lost() -> None:
    assert ask("escort_carriers_lost", carriers={"US": 3, "Britain": 2}, lost=2)["lost"] == {
        "United States": 1,
        "Britain": 1,
    }


@pytest.mark.ledger("24.631A.8")
def test_damaged_transports_without_a_date_of_return() -> None:
    assert ask("damaged_transports", damaged_in="Axis Fall 1939")["redeploy_in"] == "Allied Fall 1939"


@pytest.mark.ledger("25.13", "25.51A.2", "25.13A.5")
def test_who_may_fight_and_why_not() -> None:
    asked: dict[str, Any] = {"nation": "Germany", "box": "Indian Ocean", "submarines_available": 5}
    assert ask("submarines_fight", **asked, turn="Fall 1943", ports=SUEZ)["may_fight"] == 3
    assert ask("submarines_fight", **asked, year=1943, ports=SUEZ, wanted=1)["may_fight"] == 1
    why = [["25.51A", "an operational Suez must be Axis-controlled"]]
    assert ask("submarines_fight", **asked, year=1943, ports=[]) == {"may_fight": 0, "reasons": why, "assumed": []}
    assert ask("submarines_fight", **asked, year=1943) == {"may_fight": 3, "reasons": [], "assumed": why}
    pacific = ask(
        "submarines_fight",
        nation="Japan",
        box="Pacific",
        submarines_available=2,
        turn="Spring 1942",
        ports=[{"name": "Truk", "holder": "Japan"}],
        politics={"japan_us_war": True},
    )
    assert pacific["may_fight"] == 1


@pytest.mark.ledger("25.13A.2", "25.13A.3")
def test_limits_by_turn_and_the_room_in_a_box() -> None:
    assert ask("submarine_limits", nation="Germany", box="Atlantic", turns=["Winter 1942", "Spring 1943"])[
        "limits"
    ] == [8, 9]
    assert ask("submarine_limits", nation="Germany", box="Indian Ocean", years=[1939, 1946])["limits"] == [1, 6]
    entering = ask(
        "submarines_enter", nation="Germany", box="Atlantic", turn="Summer 1940", in_box=2, submarines_available=4
    )
    assert (entering["room"], entering["may_enter"]) == (3, 1)
    unlimited = ask("submarines_enter", nation="Germany", box="Atlantic", turn="Summer 1940")
    assert unlimited["may_enter"] == 3


@pytest.mark.ledger("25.121", "25.122")
def test_redeployed_submarines() -> None:
    assert ask("submarine_redeployment", redeployed_in="Axis Fall 1942")["inverted_through"] is None
    left = ask("submarine_redeployment", redeployed_in="Axis Fall 1942", to_box=False)
    assert left == {"inverted_through": "Allied Fall 1942", "first_sw": None}


@pytest.mark.ledger("25.15A", "25.16")
def test_gibraltar() -> None:
    assert ask("gibraltar_passage", gibraltar="Axis", german_wish=3, italian_wish=2, western_allied_wish=2) == {
        "german": 3,
        "italian": 2,
        "western_allied": 1,
    }
    route = ask(
        "gibraltar_route", start={"name": "Kiel", "front": "western"}, end={"name": "Genoa", "front": "Mediterranean"}
    )
    assert (route["allowed"], route["rule"]) == (True, "25.15A")


@pytest.mark.ledger("24.31A", "24.31D")
def test_pools_at_the_start() -> None:
    assert ask("sw_starting_pools", owner="Western Allies")["pools"] == {"transport": {"built": 35, "allowable": 5}}
    assert ask("sw_starting_pools", owner="France")["pools"] == {}


@pytest.mark.ledger("24.21D", "24.22.1", "24.232D.3")
def test_production_by_year() -> None:
    japan = ask("sw_production", power="Japan", unit="ASW", years=[1942, 1943])
    assert (japan["allowed"], japan["joins_after"], japan["pool"]) == ([False, True], "unit construction", "Japan")
    bombers = ask("sw_production", power="US", unit="strategic_bombers", years=[1943, 1944], theater="Pacific")
    assert (bombers["allowed"], bombers["pool"]) == ([False, True], "United States, Pacific")


@pytest.mark.ledger("24.232D.1")
def test_bomber_parity() -> None:
    pools = {"Britain": 2, "U.S.": 2}
    assert ask("sw_bomber_parity", pools=pools, added={"Britain": 1})["allowed"]
    assert not ask("sw_bomber_parity", pools=pools, added={"Britain": 2}, pacific_added=2)["allowed"]


@pytest.mark.ledger("24.22.2", "24.43.1")
def test_construction_within_limits() -> None:
    found = ask("sw_construction", units={"submarines": 3}, pools={"submarine": 2}, brps_left=5, shipbuilding_left=9)
    assert (found["brps"], found["allowed"]) == (9, False)
    assert [rule for rule, _ in found["reasons"]] == ["24.11", "24.22"]


@pytest.mark.ledger("25.32B", "25.22B", "25.22C")
def test_asw_of_the_us_in_the_pacific_and_their_yards() -> None:
    pacific = ask("american_asw", theater="Pacific", american_built_asw=3, usjt=[39, 40], present=1)
    assert pacific == {"max_asw": [1, 2]}
    assert ask("american_asw", theater="Atlantic", american_built_asw=3, us_at_war=True) == {"max_asw": [3]}
    assert ask("asw_entry", box="Indian Ocean", british_built=1, american_built=2)["may_enter"] == 1
    assert not ask("asw_yard", source="British allowable build", yard="US")["allowed"]
    assert ask("asw_yard", source="British allowable build", yard="Canada")["allowed"]


@pytest.mark.ledger("25.31A.1", "25.33", "25.33A")
def test_deployment_says_where_it_is_intercepted() -> None:
    asked: dict[str, Any] = {"unit": BRITISH, "box": "Atlantic", "phase": "movement"}
    port = ask("box_deployment", **asked, base={"name": "Plymouth", "front": "western"})
    assert port["allowed"] and port["intercepted"]["by_ships"]
    assert ask("box_deployment", **asked, base={"name": "South Africa box"}) == {
        "allowed": True,
        "reasons": [],
        "intercepted": None,
    }
    assert ask("box_deployment", **asked, base={"name": "Truk"})["reasons"][0][0] == "25.31A"


@pytest.mark.ledger("24.52.4", "25.372A", "25.122")
def test_transfer_and_withdrawal() -> None:
    boat = {"nation": "Germany", "kind": "Submarines"}
    assert not ask("box_transfer", unit=boat, start="Atlantic", end="Indian Ocean", phase="redeployment")["allowed"]
    asked: dict[str, Any] = {"box": "Atlantic", "base": {"name": "Brest", "front": "western"}}
    ship = ask("box_withdrawal", unit=BRITISH, **asked, phase="movement", player_turn="Allied Fall 1941")
    assert ship == {
        "allowed": True,
        "reasons": [],
        "inverted_through": "Allied Fall 1941",
        "must": False,
        "guards_redeployments_there": False,
        "intercepted": {
            "where": "between the western front port and the western edge of the map",
            "by_air": True,
            "by_ships": True,
        },
    }
    boats = ask("box_withdrawal", unit=boat, **asked, phase="redeployment", player_turn="Axis Fall 1941")
    assert boats["inverted_through"] == "Allied Fall 1941"


@pytest.mark.ledger("24.52.2", "24.52.3", "25.371", "25.91.3")
def test_a_transfer_costs_nothing_a_damaged_ship_must_leave_and_singapore_is_shut_to_the_enemy() -> None:
    asked: dict[str, Any] = {"unit": BRITISH, "start": "Atlantic", "end": "Pacific", "phase": "redeployment"}
    moved = ask("box_transfer", **asked, player_turn="Allied Fall 1942")
    assert moved == {
        "allowed": True,
        "reasons": [],
        "inverted": False,
        "may_be_intercepted": False,
        "usable_from": "Axis Winter 1942",
    }
    assert ask("box_transfer", **asked)["usable_from"] is None
    hurt = {"nation": "Britain", "damaged": True}
    base = {"name": "Plymouth", "front": "western"}
    left = ask("box_withdrawal", unit=hurt, box="Atlantic", base=base, phase="movement", player_turn="Allied Fall 1941")
    assert left["must"]
    assert ask("singapore_passage", nation="U.S.", japan_holds=True)["rule"] == "25.91"
    for nation, japan_holds, allowed in (("U.S.", True, False), ("Japan", True, True), ("Japan", False, False)):
        assert ask("singapore_passage", nation=nation, japan_holds=japan_holds)["allowed"] is allowed


@pytest.mark.ledger("24.231.2", "24.233", "24.53.1", "25.22A", "25.21.1", "25.21.3", "25.632.2", "25.671B", "25.36.1")
def test_where_units_begin_to_whom_they_are_credited_and_whose_cards_are_compared() -> None:
    assert ask("sw_starting_pools", owner="Britain")["begins_in"] == {"ASW": "Atlantic SW box"}
    assert ask("sw_starting_pools", owner="U.S.")["begins_in"] == {"strategic bomber": "Atlantic U.S. box"}
    assert ask("sw_starting_pools", owner="Germany")["begins_in"] == {}
    assert ask("sw_attribution", unit="interceptors", produced=3, shares={"Britain": 2, "U.S.": 1})["allowed"]
    assert ask("sw_attribution", unit="ASW", produced=3, shares={"Britain": 3})["rule"] == "24.233"
    assert ask("asw_at", place="atlantic sw box") == {"operates": True, "attacked_as": None}
    assert ask("asw_at", place="Plymouth") == {"operates": False, "attacked_as": "DD"}
    assert [ask("torpedo_research", nation=nation, results=2)["modifier"] for nation in ("Japan", "Germany")] == [
        -1,
        -2,
    ]
    cards = ask("sw_modifier", box="Indian Ocean", attacker="Japan")["codebreakers"]
    assert cards == {"deck": "Magic", "submarine_cards": "Japan", "asw_cards": "United States"}
    assert not ask("box_duty", unit=BRITISH, duty="transport activity")["inverted_by_it"]
    assert ask("box_duty", unit={"nation": "Britain", "damaged": True}, duty="transport activity")["inverted_by_it"]


@pytest.mark.ledger("25.34", "25.35B")
def test_duties_of_units_upright_inverted_and_rested() -> None:
    ship = {"nation": "Britain", "inverted": True}
    asked: dict[str, Any] = {"duty": "raider interception", "redeployed": "Allied Spring 1941"}
    assert ask("box_duty", unit=ship, **asked, when="Allied Summer 1941")["allowed"]
    assert not ask("box_duty", unit=ship, **asked)["allowed"]
    assert ask("box_duty", unit=BRITISH, **asked, when="Axis Summer 1941")["allowed"]
    assert ask("box_duty", unit=BRITISH, duty="invasion support", invasion_from=["India box"])["allowed"]
    assert ask("box_duty", unit=BRITISH, duty="invasion support", invasion_from=["australia"])["allowed"]
    assert not ask("box_duty", unit=BRITISH, duty="invasion support", invasion_from=["Darwin"])["allowed"]


@pytest.mark.ledger("25.37.5")
def test_japanese_transports_belong_to_the_pacific() -> None:
    assert ask("transports_end_turn", nation="Japan", transports=20, box="Pacific")["allowed"]
    assert not ask("transports_end_turn", nation="Japan", transports=20, box="Indian Ocean")["allowed"]
    assert ask("transports_end_turn", nation="Britain", transports=3, damaged=3)["allowed"]


@pytest.mark.ledger("21.5342.R2", "21.5342.R3", "21.5342.T6")
def test_hunters_by_type_dice() -> None:
    available = {"cruiser": 2, "4-factor battleship": 1, "fast carrier": 1}
    found = api.call("raider_hunters", {"ships": 4, "available": available}, dice=[4, 4, 6])
    assert found == {"engaged": ["cruiser", "4-factor battleship", None, "cruiser"], "ships": 3}
    asked = {"ships": 2, "available": available, "choices": ["fast_carrier"]}
    assert api.call("raider_hunters", asked, dice=[6])["engaged"] == ["cruiser", "fast carrier"]
    for written in ("battlecruiser_3", "BC3", "3-factor BC", "3-Factor Battlecruiser"):
        found = api.call("raider_hunters", {"ships": 2, "available": {written: 1, "CA": 1}}, dice=[3])
        assert found["engaged"] == ["cruiser", "3-factor battlecruiser"]
    newer = api.call(
        "raider_hunters", {"ships": 1, "available": available}, dice=[3], options={"raider_defenders": "newer"}
    )
    assert newer["engaged"] == ["cruiser"]


@pytest.mark.ledger("21.5342.I1", "21.5342.P2", "21.5342.M")
def test_japanese_raiders() -> None:
    singapore = ask("raider_engagement", box="Indian Ocean", die=5, raiders_from_singapore=True)
    assert singapore["ships_engaging"] == 3
    south = api.call(
        "raider_engagement",
        {"box": "Pacific", "entered_off_southern_edge": True, "search_air_squadrons_in_india_or_australia_box": 3},
        dice=[4],
    )
    assert (south["modifier"], south["type_dice"]) == (-2, 1)


@pytest.mark.ledger("25.363", "22.35E", "21.5362", "20.512C.2")
def test_what_else_is_asked_of_raiders() -> None:
    assert ask("may_hunt_raiders", unit=BRITISH, fast=False)["allowed"]
    assert not ask("raider_may_attack", engaged=True)["allowed"]
    sunk = ask(
        "raiders_attack_transports", transports=30, groups=[{"factors": 4, "roll": 7}, {"factors": 7, "roll": 11}]
    )
    assert (sunk["sunk_by_group"], sunk["transports_sunk"], sunk["modifier"]) == ([1, 4], 5, 1)
    hurt = ask("raider_hits", ship_size=4, hits=[3, 1])["after"]
    assert [each["state"] for each in hurt] == ["damaged", "sunk"]


@pytest.mark.ledger("40.451", "40.451B.2", "20.512D")
def test_murmansk() -> None:
    assert ask("murmansk_sequence", submarines=1)["stages"] == [
        ["air attacks"],
        ["naval combat"],
        ["submarine attacks"],
    ]
    ship = {"nation": "Britain", "kind": "BB", "size": 4}
    attacks = [
        {"stage": "air attacks", "hits": [2, 2]},
        {"stage": "naval combat", "hits": [2, 1]},
        {"stage": "submarine attacks", "hits": [1]},
    ]
    assert ask("murmansk_attacks", ship=ship, attacks=attacks)["after"] == ["undamaged", "damaged", "sunk"]


@pytest.mark.ledger("25.31A", "25.31B", "25.51A")
def test_capitals_of_places_make_no_difference() -> None:
    """25.31, 25.51: a base is a base however its name, front and country are written."""
    fleet = {"unit": {"nation": "Japan"}, "box": "Pacific", "phase": "movement"}
    for base in ({"name": "truk"}, {"name": "Kure", "country": "japan"}):
        assert ask("box_deployment", **fleet, base=base)["allowed"]
    british = {"unit": {"nation": "Britain"}, "box": "Atlantic", "phase": "movement"}
    assert ask("box_deployment", **british, base={"name": "Plymouth", "front": "Western"})["allowed"]
    assert ask("box_deployment", **british, base={"name": "atlantic u.s. box"})["allowed"]
    assert ask("box_deployment", **{**british, "phase": "Movement"}, base={"name": "South Africa box"})["allowed"]
    leaving = {"unit": {"nation": "Britain"}, "box": "Atlantic", "base": {"name": "South Africa box"}}
    left = [
        ask("box_withdrawal", **leaving, phase=phase, player_turn="Allied Fall 1942") for phase in ("Redeployment",)
    ]
    assert left == [ask("box_withdrawal", **leaving, phase="redeployment", player_turn="Allied Fall 1942")]
    moved = {"unit": {"nation": "U.S.", "kind": "CVE"}, "start": "Pacific", "end": "Atlantic"}
    assert ask("box_transfer", **moved, phase="Redeployment")["allowed"]
    for holder, most in (("Britain", 1), ("western allies", 1), ("u.s.", 1), ("italy", 3), ("axis", 3)):
        assert ask("gibraltar_passage", gibraltar=holder, german_wish=3)["german"] == most, holder
    fight = {"nation": "Germany", "box": "Atlantic", "submarines_available": 1, "turn": "Fall 1940"}
    kiel = {"name": "Kiel", "holder": "germany", "front": "Western"}
    assert ask("submarines_fight", **fight, ports=[kiel])["may_fight"] == 1
    suez = {"name": "suez", "holder": "axis", "front": "mediterranean"}
    assert ask("submarines_fight", **{**fight, "box": "Indian Ocean"}, ports=[suez])["may_fight"] == 1


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("sw_combat", {"factors": 5}, "two dice"),
    ("sw_combat", {"factors": 5, "roll": 13}, "no roll of two dice"),
    ("sw_combat", {"factors": -1, "roll": 7}, "0 to 1000"),
    ("sw_modifier", {"box": "Baltic", "attacker": "Germany"}, "no SW box 'Baltic'"),
    ("sw_modifier", {"box": "Atlantic", "attacker": "Atlantis"}, "no major power"),
    ("sw_modifier", {"box": "Atlantic", "attacker": "Italy"}, "25.13B: submarines of Italy do not conduct"),
    ("sw_modifier", {"box": "Atlantic", "attacker": "Japan"}, "25.13A: only German submarines"),
    ("sw_modifier", {"box": "Pacific", "attacker": "Germany"}, "25.13A: .* and the Indian Ocean SW box, nowhere else"),
    ("sw_modifier", {"box": "Indian Ocean", "attacker": "United States"}, "25.13E: .* in the Pacific SW box, nowhere"),
    ("us_war_modifiers", {"declared": None, "check": ["Allied Fall 1942"]}, "25.66: .* ask for Axis Fall 1942"),
    ("asw_research", {"results": [[8, -1]]}, "0 or more"),
    (
        "submarines_fight",
        {"nation": "Germany", "box": "Atlantic", "submarines_available": 1, "turn": "Fall 1940", "wanted": -1},
        "no number of submarines",
    ),
    (
        "submarine_turn",
        {
            "box": "Atlantic",
            "attacker": "Germany",
            "turn": "Fall 1940",
            "submarines_in_box": 1,
            "asw": 0,
            "transports": 1,
            "wanted": -1,
        },
        "no number of submarines",
    ),
    ("sw_modifier", {"box": "Atlantic", "attacker": "Germany", "uninverted_cves": -1}, "no number of CVEs"),
    ("sw_modifier", {"box": "Atlantic", "attacker": "Germany", "axis_combat_phases_since_war_began": 0}, "25.66"),
    ("us_war_modifiers", {"declared": "Winter 1941", "check": []}, "no player turn"),
    ("us_war_modifiers", {"declared": "Axis sometime 1941", "check": []}, "no turn"),
    ("us_war_modifiers", {"declared": "Axis Fall 1839", "check": []}, "no year of the war"),
    ("asw_research", {"results": [[7]]}, "result, turns since"),
    ("submarine_combat", {"submarines": 1000, "asw": 0, "transports": 5}, "no number of submarines"),
    (
        "indian_ocean_combats",
        {"german": {"submarines": 1, "asw": 1}, "japanese": {"submarines": 1, "asw": 1}, "transports": 9, "asw": 3},
        "25.82",
    ),
    ("submarine_limits", {"nation": "Germany", "box": "Atlantic", "years": [1941]}, "changes during 1941"),
    ("submarines_fight", {"nation": "Germany", "box": "Atlantic", "submarines_available": 1}, "say the turn"),
    (
        "submarines_fight",
        {
            "nation": "Germany",
            "box": "Atlantic",
            "submarines_available": 1,
            "turn": "Fall 1940",
            "ports": [{"name": "Brest", "holder": "Vichy"}],
        },
        "no owner of force pools",
    ),
    ("gibraltar_passage", {"gibraltar": "Spain"}, "does not hold Gibraltar"),
    ("sw_starting_pools", {"owner": "Spain"}, "no owner"),
    ("sw_production", {"power": "Japan", "unit": "zeppelin", "years": []}, "no SW unit"),
    ("sw_production", {"power": "Japan", "unit": "ASW", "years": [], "theater": "Moon"}, "no theater"),
    ("sw_bomber_parity", {"pools": {"Japan": 1}, "added": {}}, "24.232"),
    ("sw_buildable", {"wishes": [["Germany"]]}, "a power and a unit: "),
    ("american_asw", {"theater": "Indian Ocean", "american_built_asw": 1}, "25.32"),
    ("asw_yard", {"source": "gift", "yard": "Britain"}, "no source of ASW"),
    ("box_deployment", {"unit": {"nation": "Britain", "kind": "tank"}, "box": "Atlantic", "base": {"name": "x"}, "phase": "y"}, "nothing that enters"),
    ("transports_end_turn", {"nation": "Britain", "transports": 1, "damaged": 2}, "cannot be damaged"),
    ("raider_engagement", {"box": "Atlantic"}, "one die"),
    ("raider_engagement", {"box": "Atlantic", "die": 7}, "one die"),
    ("raider_engagement", {"box": "Atlantic", "die": 3, "raider_group_number": 0}, "numbered from 1"),
    ("raider_engagement", {"box": "Atlantic", "die": 3, "raider_group_number": 3, "groups_total": 2}, "numbered from 1"),
    ("raider_hunters", {"ships": 3, "available": {}}, "2 type dice"),
    ("raider_hunters", {"ships": 1, "available": {"rowing boat": 1}}, "no kind of hunter"),
    ("raider_hits", {"ship_size": 4, "hits": [4, 1]}, "sunk before"),
    ("murmansk_sequence", {"ships": False, "air_within_naval": True}, "40.451B"),
    (
        "murmansk_attacks",
        {"ship": {"kind": "BB", "size": 4}, "attacks": [{"stage": "naval combat"}, {"stage": "air attacks"}]},
        "air attacks come first",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "with_", "said"), REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(name: str, with_: dict[str, Any], said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        api.call(name, with_)
