"""25.1, 25.4, 25.5, 25.7 to 25.9: submarines between map and SW boxes, who may fight there, and how many."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.api.sw_shapes import player_turn_called as turn
from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import BoxUnit, Combat, Place, Politics, Port, Shipping, Toll, Turn
from flagplot.rules.strategic import submarine_deployment as deployment
from flagplot.rules.strategic import submarine_warfare as warfare

RULES = ruleset()
PEACE = Politics()
WAR = Politics(germany_us_war=True, japan_us_war=True, japan_britain_war=True)
BREST = Port("Brest", "Germany", "western")


@pytest.mark.ledger("25.11")
def test_submarines_serve_on_the_map_or_in_sw_boxes() -> None:
    assert deployment.may_serve("submarine") == ("map", "SW box")
    assert deployment.may_serve("ASW") == ("SW box",)


@pytest.mark.ledger("25.12.1", "25.12.2")
def test_submarines_enter_and_leave_boxes_in_redeployment_only() -> None:
    assert deployment.submarines_may_move("redeployment").holds
    assert not deployment.submarines_may_move("movement").holds


@pytest.mark.ledger("25.121")
def test_submarines_that_attacked_on_the_map_enter_inverted_and_fight_next_time() -> None:
    now = turn("Axis Summer 1941")
    assert str(deployment.inverted_on_entering(now, attacked_on_map=True)) == "Allied Summer 1941"
    assert deployment.inverted_on_entering(now, attacked_on_map=False) is None
    assert str(deployment.first_combat(now)) == "Axis Fall 1941"


@pytest.mark.ledger("25.122")
def test_submarines_that_come_back_to_the_map_are_inverted_through_the_enemy_turn() -> None:
    assert str(deployment.inverted_on_leaving(turn("Axis Summer 1941"))) == "Allied Summer 1941"
    assert str(deployment.inverted_on_leaving(turn("Allied Winter 1943"))) == "Axis Spring 1944"


# -- who fights -----------------------------------------------------------------------------------------------


def refused(nation: str, box: str, *ports: Port, politics: Politics = WAR, **keys: Any) -> list[str]:
    keys = {"began_there": True, **keys}
    return [each.rule for each in warfare.fighting_refused(nation, box, ports=ports, politics=politics, **keys)]


@pytest.mark.ledger("25.13")
def test_submarines_fight_where_they_began_their_player_turn() -> None:
    assert refused("Germany", "Atlantic", BREST) == []
    assert refused("Germany", "Atlantic", BREST, began_there=False) == ["25.13"]


@pytest.mark.ledger("25.13C.EX", "25.13C.4", "25.13C.3", "25.13")
def test_japanese_submarines_that_enter_in_winter_1941_first_attack_in_spring_1942() -> None:
    politics = Politics(japan_us_war=True, japan_britain_war=True)
    for box in ("Pacific", "Indian Ocean"):
        assert deployment.box_opened(RULES, "Japan", box, politics).holds
    assert str(deployment.first_combat(turn("Axis Winter 1941"))) == "Axis Spring 1942"


@pytest.mark.ledger("25.13A.1", "25.13B", "25.13D", "25.13E.4", "25.71")
@pytest.mark.parametrize(
    ("nation", "boxes"),
    [
        ("Germany", ["Atlantic", "Indian Ocean"]),
        ("Japan", ["Indian Ocean", "Pacific"]),
        ("United States", ["Pacific"]),
        ("Italy", []),
        ("Britain", []),
        ("France", []),
    ],
)
def test_each_nation_s_submarines_fight_in_its_boxes(nation: str, boxes: list[str]) -> None:
    assert [box for box in ("Atlantic", "Indian Ocean", "Pacific") if warfare.serves_in(nation, box).holds] == boxes


@pytest.mark.ledger("25.13B", "25.13D")
def test_a_refusal_of_the_nation_is_the_only_one_given() -> None:
    assert refused("Italy", "Atlantic", began_there=False) == ["25.13B"]
    assert refused("Britain", "Atlantic") == ["25.13D"]
    assert refused("Japan", "Atlantic") == ["25.13A"]


@pytest.mark.ledger("25.51A.1", "25.721")
def test_german_submarines_need_an_operational_western_front_port_for_the_atlantic() -> None:
    assert refused("Germany", "Atlantic") == ["25.51A"]
    assert refused("Germany", "Atlantic", Port("Brest", "Germany", "western", operational=False)) == ["25.51A"]
    assert refused("Germany", "Atlantic", Port("Brest", "Britain", "western")) == ["25.51A"]
    assert refused("Germany", "Atlantic", Port("Genoa", "Italy", "Mediterranean")) == ["25.51A"]
    assert refused("Germany", "Atlantic", Port("Kiel", "Axis", "western")) == []


@pytest.mark.ledger("25.51A.2")
def test_german_submarines_need_an_operational_suez_for_the_indian_ocean() -> None:
    assert refused("Germany", "Indian Ocean", BREST) == ["25.51A"]
    assert refused("Germany", "Indian Ocean", Port("Suez", "Italy")) == []
    assert refused("Germany", "Indian Ocean", Port("Suez", "Italy", operational=False)) == ["25.51A"]
    assert refused("Germany", "Indian Ocean", Port("Suez", "Western Allies")) == ["25.51A"]


@pytest.mark.ledger("25.51B")
def test_japanese_submarines_need_any_operational_japanese_port() -> None:
    assert refused("Japan", "Pacific", Port("Truk", "Japan")) == []
    assert refused("Japan", "Pacific", Port("Truk", "Japan", operational=False)) == ["25.51B"]


@pytest.mark.ledger("25.51C")
def test_american_submarines_need_the_australia_box_or_a_pacific_port() -> None:
    assert refused("United States", "Pacific") == []
    assert refused("United States", "Pacific", australia_box=False) == ["25.51C"]
    pearl = Port("Pearl Harbor", "United States", "Pacific")
    assert refused("United States", "Pacific", pearl, australia_box=False) == []
    truk = Port("Truk", "Japan", "Pacific")
    assert refused("United States", "Pacific", truk, australia_box=False) == ["25.51C"]


@pytest.mark.ledger("25.13C.4", "25.13E.3", "25.91.1")
def test_tension_opens_the_pacific_box_but_only_war_lets_them_attack() -> None:
    tense, calm = Politics(usjt=40), Politics(usjt=39)
    for nation in ("Japan", "United States"):
        assert deployment.box_opened(RULES, nation, "Pacific", tense).holds
        assert not deployment.box_opened(RULES, nation, "Pacific", calm).holds
        assert deployment.box_opened(RULES, nation, "Pacific", Politics(japan_us_war=True)).holds
    assert refused("Japan", "Pacific", Port("Truk", "Japan"), politics=tense) == ["25.91"]
    assert refused("Japan", "Indian Ocean", Port("Truk", "Japan"), politics=Politics(japan_us_war=True)) == ["25.91"]


@pytest.mark.ledger("25.13C.3", "25.81")
def test_war_with_britain_opens_the_indian_ocean_to_japan() -> None:
    assert not deployment.box_opened(RULES, "Japan", "Indian Ocean", Politics(usjt=50, japan_us_war=True)).holds
    assert deployment.box_opened(RULES, "Japan", "Indian Ocean", Politics(japan_britain_war=True)).holds


@pytest.mark.ledger("25.13A.1", "25.13A.4")
@pytest.mark.parametrize(("suez", "ethiopia", "opened"), [(1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0)])
def test_germans_enter_the_indian_ocean_with_suez_and_ethiopia(suez: int, ethiopia: int, opened: int) -> None:
    verdict = deployment.box_opened(
        RULES, "Germany", "Indian Ocean", WAR, axis_hold_suez=bool(suez), axis_hold_ethiopia=bool(ethiopia)
    )
    assert verdict.holds == bool(opened)
    assert deployment.box_opened(RULES, "Germany", "Atlantic", PEACE).holds
    assert not deployment.box_opened(RULES, "Italy", "Atlantic", WAR).holds


@pytest.mark.ledger("25.13A.3", "25.13C.2", "25.13E.2")
def test_a_box_holds_at_the_end_what_may_fight_in_the_owner_s_next_turn() -> None:
    assert deployment.room_in_box(RULES, "Germany", "Atlantic", turn("Axis Summer 1940")) == 3
    assert deployment.room_in_box(RULES, "Germany", "Indian Ocean", turn("Axis Winter 1941")) == 2
    assert deployment.room_in_box(RULES, "Japan", "Pacific", turn("Axis Winter 1943"), elsewhere=1) == 2
    assert deployment.room_in_box(RULES, "Japan", "Pacific", turn("Axis Spring 1942"), elsewhere=3) == 0
    assert deployment.room_in_box(RULES, "United States", "Pacific", turn("Allied Summer 1943"), elsewhere=3) == 3


@pytest.mark.ledger("25.13A.2", "25.13C.1", "25.41")
def test_only_the_limit_of_the_turn_fights() -> None:
    spring = Turn(1942, 0)
    assert warfare.engaged(RULES, "Germany", "Atlantic", spring, 8) == 6
    assert warfare.engaged(RULES, "Germany", "Atlantic", spring, 4) == 4
    assert warfare.engaged(RULES, "Japan", "Pacific", Turn(1944, 0), 3, elsewhere=2) == 1
    assert warfare.engaged(RULES, "Japan", "Pacific", spring, 3, elsewhere=2) == 0
    assert warfare.engaged(RULES, "Germany", "Atlantic", spring, 8, elsewhere=2) == 6


@pytest.mark.ledger("25.14")
def test_submarines_may_decline_some_or_all() -> None:
    spring = Turn(1942, 0)
    assert warfare.engaged(RULES, "Germany", "Atlantic", spring, 8, wanted=2) == 2
    assert warfare.engaged(RULES, "Germany", "Atlantic", spring, 8, wanted=9) == 6
    none = warfare.engaged(RULES, "Germany", "Atlantic", spring, 8, wanted=0)
    assert not warfare.anybody_rolls(none)
    toll = warfare.losses(Shipping(35, 8), [warfare.strike(RULES, Combat(none, 8, 3, 12, 12))])
    assert toll == Toll(0, 0, 35, 0, 0, 0)


@pytest.mark.ledger("25.42", "25.41")
def test_the_levels_are_the_factors_in_the_box() -> None:
    assert warfare.asw_level(7) == 7
    assert warfare.strike(RULES, Combat(6, 7, 0, 7, 5)).defender_result == (1, 3)


# -- straits ----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.15", "25.151.1", "25.151.2")
def test_past_a_western_allied_gibraltar_one_german_a_turn_and_no_italian() -> None:
    assert deployment.past_gibraltar(RULES, "Germany", 3, axis_hold=False) == 1
    assert deployment.past_gibraltar(RULES, "Germany", 3, axis_hold=False, passed=1) == 0
    assert deployment.past_gibraltar(RULES, "Italy", 1, axis_hold=False) == 0
    assert deployment.past_gibraltar(RULES, "Germany", 3, axis_hold=True) == 3
    assert deployment.past_gibraltar(RULES, "Italy", 2, axis_hold=True) == 2


@pytest.mark.ledger("25.16")
def test_past_an_axis_gibraltar_one_western_allied_submarine_a_turn() -> None:
    assert deployment.past_gibraltar(RULES, "Britain", 2, axis_hold=True) == 1
    assert deployment.past_gibraltar(RULES, "Britain", 2, axis_hold=False) == 2


GENOA = Place("Genoa", "Mediterranean")
LORIENT = Place("Lorient", "western")
ATLANTIC = Place("Atlantic SW box")


@pytest.mark.ledger("25.15A", "25.15B")
def test_two_routes_lead_past_gibraltar_and_range_matters_between_ports_only() -> None:
    def route(start: Place, end: Place, *, in_range: bool = True) -> tuple[bool, str]:
        verdict = deployment.gibraltar_route(start, end, in_range=in_range)
        return verdict.holds, verdict.rule

    assert route(LORIENT, GENOA) == (True, "25.15A")
    assert route(GENOA, LORIENT, in_range=False) == (False, "25.15A")
    assert route(ATLANTIC, GENOA, in_range=False) == (True, "25.15B")
    assert route(GENOA, GENOA) == (False, "25.15")
    assert route(LORIENT, ATLANTIC) == (False, "25.15")
    assert route(Place("Leningrad", "eastern"), GENOA) == (False, "25.15")


@pytest.mark.ledger("25.91.3")
def test_submarines_do_not_pass_an_enemy_singapore() -> None:
    assert deployment.past_singapore("Japan", japan_holds=True).holds
    assert not deployment.past_singapore("Japan", japan_holds=False).holds
    assert not deployment.past_singapore("United States", japan_holds=True).holds


@pytest.mark.ledger("25.91.2")
def test_submarines_on_the_map_may_attack_naval_units_on_both_sides() -> None:
    for nation in ("Japan", "United States"):
        assert deployment.may_attack_from_the_map(BoxUnit(nation, "submarine"))
    assert not deployment.may_attack_from_the_map(BoxUnit("Japan", "ASW"))


# -- the Indian Ocean ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.82")
@pytest.mark.parametrize(
    ("split", "right"),
    [
        ({"Germany": 2, "Japan": 4}, True),
        ({"Germany": 6, "Japan": 0}, True),
        ({"Germany": 2, "Japan": 3}, False),
        ({"Germany": 7, "Japan": -1}, False),
        ({"Germany": 6}, False),
    ],
)
def test_the_western_allies_split_all_their_asw_as_they_like(split: dict[str, int], right: bool) -> None:
    assert warfare.asw_split(6, split).holds is right


@pytest.mark.ledger("25.82")
def test_two_combats_fall_on_the_same_transports_together() -> None:
    german = warfare.strike(RULES, Combat(4, 0, 1, 7, 2))
    japanese = warfare.strike(RULES, Combat(3, 2, -1, 9, 7))
    assert (german.attacker_result, german.additional) == ((1, 1), 5)
    assert (japanese.attacker_result, japanese.defender_result, japanese.additional) == ((0, 2), (0, 1), 1)
    assert warfare.losses(Shipping(20, 2), [german, japanese]) == Toll(7, 3, 10, 0, 0, 0)
    assert warfare.losses(Shipping(5, 2), [german, japanese]) == Toll(5, 0, 0, 0, 0, 2)


# -- advanced submarines --------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.73", "25.73A", "25.73B", "25.73C", "25.73D")
def test_advanced_submarines_count_three_roll_plain_meet_nobody_and_sink_one_each() -> None:
    struck = warfare.advanced_strike(RULES, 2, 7)
    assert struck.attacker_result == (1, 3)  # row 6
    assert (struck.defender_result, struck.eliminated, struck.additional) == ((0, 0), 0, 2)
    assert warfare.losses(Shipping(30, 9), [struck]) == Toll(3, 3, 24, 0, 0, 0)


@pytest.mark.ledger("25.73D")
def test_without_transports_their_result_falls_on_asw_but_their_own_sinkings_on_nothing() -> None:
    struck = warfare.advanced_strike(RULES, 2, 7)
    assert warfare.losses(Shipping(0, 3), [struck]) == Toll(0, 0, 0, 1, 0, 2)


@pytest.mark.ledger("25.73", "24.631A.6")
def test_damaged_transports_have_left_before_advanced_submarines_attack_unless_chosen_otherwise() -> None:
    toll = Toll(2, 3, 4, 1, 1, 0)
    before = Shipping(9, 5, 2)
    assert warfare.shipping_after(RULES, before, toll) == Shipping(4, 4, 1, 0)
    other = ruleset("current", {"damaged_transports_leave": "after_advanced"})
    after = warfare.shipping_after(other, before, toll)
    assert after == Shipping(4, 4, 1, 3)
    struck = warfare.advanced_strike(other, 4, 12)  # row 12: 3/8
    assert warfare.losses(after, [struck]) == Toll(7, 0, 0, 0, 0, 0)
