"""24.65, 26.46, 26.47: SW combat between the bombers that arrive and their target."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import BomberForce, Damage
from flagplot.rules.strategic import bombing
from flagplot.rules.strategic.bombing_forces import air_range_results, excess_range
from flagplot.tables.sw_combat import SwResult

RULES = ruleset()


# -- the strength of a target ----------------------------------------------------------------------


def strength(**defences: Any) -> int:
    told = api.call("target_strength", {"defences": defences})
    assert told["strength"] == sum(amount for _, _, amount in told["lines"])
    return int(told["strength"])


@pytest.mark.ledger("26.461A.1", "24.6-MT.D1")
@pytest.mark.parametrize("what", ["flak", "airbases", "objectives", "anchors"])
def test_flak_airbases_objectives_and_anchors_count_one_each(what: str) -> None:
    assert strength(**{what: 3}) == 3


@pytest.mark.ledger("26.461A.2", "24.6-MT.D2", "26.661B.1")
def test_cities_and_ports_count_two_london_has_six_and_kiel_five() -> None:
    assert strength(cities_or_ports=1) == 2
    assert strength(cities_or_ports=1, objectives=1, airbases=1, flak=2) == 6
    assert strength(cities_or_ports=2, anchors=1) == 5


@pytest.mark.ledger("26.461A.3", "24.6-MT.D3")
def test_a_fortification_counts_one_and_a_fortress_two() -> None:
    assert (strength(), strength(fortification=1), strength(fortification=2)) == (0, 1, 2)
    with pytest.raises(PlayerError, match="fortress"):
        strength(fortification=3)


@pytest.mark.ledger("26.462.1")
def test_a_mapboard_box_always_has_three() -> None:
    assert strength(box=True) == strength(box=True, flak=5, fortification=2) == 3


# -- modifiers -------------------------------------------------------------------------------------


def modifier(**asked: Any) -> dict[str, Any]:
    told = api.call("bombing_modifier", asked)
    assert told["net_modifier"] == sum(amount for _, _, amount in told["lines"])
    assert told["net_modifier"] == told["excess_modifier"] + told["research_modifier"] + told["air_defense"]
    return told


@pytest.mark.ledger("26.461B.1", "24.6-MT.B4")
@pytest.mark.parametrize(("results", "research"), [(0, 0), (1, 0), (2, 1), (4, 3)])
def test_each_bomber_result_beyond_the_first_gives_one(results: int, research: int) -> None:
    assert modifier(distance=4, bomber_results=results)["net_modifier"] == research


@pytest.mark.ledger("26.461B.2", "24.6-MT.B5", "ARE.N2", "26.422.2")
def test_every_eight_hexes_of_excess_range_in_europe_or_four_in_the_pacific_give_one() -> None:
    def excess(**asked: Any) -> tuple[int, int]:
        told = modifier(bomber_results=9, **asked)
        return told["excess"], told["excess_modifier"]

    assert excess(air_range=2, distance=9) == (7, 0)
    assert excess(air_range=2, distance=8) == (8, 1)
    assert excess(air_range=3, distance=1) == (23, 2)
    assert excess(air_range=3, distance=0) == (24, 3)
    assert excess(theatre="Pacific", air_range=1, distance=3) == (3, 0)
    assert excess(theatre="Pacific", air_range=1, distance=2) == (4, 1)
    assert excess(theatre="Pacific", air_range=3, distance=1) == (17, 4)


@pytest.mark.ledger("26.461B.3", "24.6-MT.B5", "ARE.N2")
def test_excess_range_gives_no_more_than_bomber_results() -> None:
    for results in range(4):
        told = modifier(air_range=3, distance=0, bomber_results=results)
        assert told["excess_modifier"] == results
        assert told["net_modifier"] == results + max(0, results - 1)


@pytest.mark.ledger("26.461B.4", "24.6-MT.B6")
def test_each_air_defense_result_of_the_defender_takes_one() -> None:
    assert modifier(distance=4, air_defense=2)["net_modifier"] == -2


@pytest.mark.ledger("26.53")
def test_china_has_nothing_from_western_allied_air_defense() -> None:
    assert modifier(distance=3, theatre="Pacific", air_defense=2, country="China")["net_modifier"] == 0


def test_bombers_do_not_attack_beyond_their_range() -> None:
    with pytest.raises(PlayerError, match=r"26\.31"):
        modifier(distance=5)
    assert excess_range(RULES, "Europe", 0, 9) == 0


@pytest.mark.ledger("ARE.N1")
def test_no_side_has_more_than_three_air_range_results() -> None:
    assert [air_range_results(number) for number in (-1, 0, 2, 3, 5)] == [0, 0, 2, 3, 3]


# -- combat ----------------------------------------------------------------------------------------


def attack(bombers: int, target: int, net: int, attacker: int, defender: int, **more: Any) -> dict[str, Any]:
    asked = {
        "bombers": {"strategic_bombers": bombers},
        "target_strength": target,
        "net_modifier": net,
        "attacker_roll": attacker,
        "defender_roll": defender,
        **more,
    }
    return api.call("bombing_attack", asked)


@pytest.mark.ledger("24.632A.1", "24.632A.2", "26.463", "26.461.1", "26.461.2")
def test_the_first_number_costs_three_brps_and_the_second_one() -> None:
    told = attack(20, 3, 0, 2, 2)  # row 20 at 2: 4/8; row 3 at 2: nothing
    assert (told["attacker_result"], told["from_result"]) == ("4/8", 20)


@pytest.mark.ledger("24.632B.1", "24.632B.2", "26.464")
def test_the_target_eliminates_and_turns_back_bombers_and_army_air_in_rotation() -> None:
    asked = {"bombers": {"strategic_bombers": 4, "bombing_aaf": 2}, "target_strength": 8}
    told = api.call("bombing_attack", asked, dice=[1, 1, 3, 4])  # row 8 at 7: 1/5
    assert told["defender_result"] == "1/5"
    assert told["by_group"]["eliminated"] == {"strategic_bombers": 1, "bombing_aaf": 0}
    assert told["by_group"]["aborted"] == {"strategic_bombers": 3, "bombing_aaf": 2}
    assert (told["bombers_reaching"], told["from_reaching"]) == (0, 0)


@pytest.mark.ledger("24.65A", "24.65A.1", "24.65A.2", "26.47.1", "24.65", "24.622.2")
def test_a_favorable_modifier_costs_three_brps_a_point_one_point_for_each_bomber_at_most() -> None:
    told = attack(3, 12, 2, 4, 12)  # 10 on row 12: 2/8 stops all three bombers
    assert (told["bombers_reaching"], told["from_modifier"], told["from_reaching"]) == (0, 6, 0)
    assert attack(3, 12, 5, 4, 12)["from_modifier"] == 9


@pytest.mark.ledger("24.65B", "24.65B.1", "24.65B.2", "26.47.2")
def test_each_bomber_that_gets_through_costs_three_brps_less_three_for_each_adverse_point() -> None:
    assert attack(4, 0, 0, 7, 7)["from_reaching"] == 12
    told = attack(4, 0, -3, 7, 7)
    assert (told["from_reaching"], told["from_modifier"]) == (3, 0)
    assert attack(4, 0, -5, 7, 7)["from_reaching"] == 0


@pytest.mark.ledger("26.47.1", "26.461.2")
def test_if_no_bomber_arrives_nothing_happens_whatever_the_modifier() -> None:
    told = attack(0, 5, 4, 12, 12)
    assert (told["attacker_result"], told["defender_result"], told["uncapped"]) == ("0/0", "0/0", 0)


@pytest.mark.ledger("24.622.1", "24.622.3", "24.622.4")
def test_the_modifier_is_added_to_the_bombers_roll_and_taken_from_the_targets() -> None:
    told = attack(6, 6, 2, 6, 6)
    assert (told["attacker_result"], told["defender_result"]) == ("1/3", "1/2")  # rolls 8 and 4


@pytest.mark.ledger("26.51.1", "26.51.4", "26.71")
def test_the_damage_of_all_raids_on_a_target_is_added_up() -> None:
    raids = [Damage(bombers=12), Damage(bombers=9), Damage(flying_bombs=6, rockets=5)]
    assert bombing.damage_of_all(raids) == Damage(21, 6, 5)
    assert Damage(21, 6, 5).total == 32


@pytest.mark.ledger("26.461.1", "26.51.1")
def test_forces_of_one_power_that_reach_a_target_make_one_combat_without_their_escorts() -> None:
    forces = [BomberForce(3, 1, 4, 2, 1), BomberForce(2, 0, 3)]
    assert bombing.arrived_together(forces) == BomberForce(5, 1)


def test_odd_numbers_of_dice_and_bombers_are_refused() -> None:
    with pytest.raises(PlayerError, match="bombers"):
        attack(-1, 5, 0, 7, 7)
    with pytest.raises(PlayerError, match="2 dice"):
        api.call("bombing_attack", {"bombers": {"bombing_aaf": 1}, "target_strength": 3, "attacker_roll": 7}, dice=[])
    told = api.call(
        "bombing_attack",
        {"bombers": {"strategic_bombers": 3}, "target_strength": 5, "defender_roll": 4},
        dice=[4, 5],
    )
    assert told["attacker_result"] == "1/1"


@pytest.mark.ledger("26.47.1", "26.461.1")
@pytest.mark.parametrize("asked", ["bombing_attack", "yard_bombing"])
def test_who_rolls_nothing_needs_no_dice(asked: str) -> None:
    """26.47, SR-04: where no bomber arrives nobody rolls; what has no defences makes no roll."""
    nobody = api.call(asked, {"bombers": {}, "target_strength": 3})
    assert (nobody["attacker_result"], nobody["defender_result"], nobody["bombers_reaching"]) == ("0/0", "0/0", 0)
    open_town = {"bombers": {"strategic_bombers": 3}, "target_strength": 0}
    assert api.call(asked, open_town, dice=[4, 5]) == api.call(asked, open_town, dice=[4, 5, 1, 1])
    with pytest.raises(PlayerError, match="give 2 dice"):
        api.call(asked, open_town, dice=[4, 5, 1])


@given(st.integers(0, 30), st.integers(0, 30), st.tuples(st.integers(0, 9), st.integers(0, 14)), st.integers(-6, 6))
def test_bombers_are_neither_lost_nor_made_and_damage_is_never_negative(
    bombers: int, army: int, result: tuple[int, int], modifier: int
) -> None:
    force = BomberForce(bombers, army)
    found = bombing.bombing_result(RULES, force, SwResult(1, 1), SwResult(*result), modifier)
    whole = sum(found.toll.eliminated.values()) + sum(found.toll.aborted.values()) + found.reaching
    assert whole == bombers + army
    assert found.additional_for_modifier <= whole and found.additional_for_reaching <= whole
    assert found.damage == 4 + 3 * found.additional >= 0
