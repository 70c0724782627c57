"""24.6: SW combat of submarines: both rolls, what is lost, additional losses, and who bears them."""

from __future__ import annotations

import pytest

from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import ALLIES, AXIS, Combat, PlayerTurn, Shipping, Struck, Toll, Turn
from flagplot.rules.strategic import submarine_warfare as warfare

RULES = ruleset()
PLENTY = Shipping(35, 20, 10)


def struck(submarines: int, asw: int, modifier: int = 0, attack: int = 7, defense: int = 7) -> Struck:
    return warfare.strike(RULES, Combat(submarines, asw, modifier, attack, defense))


def due(first: int = 0, second: int = 0, additional: int = 0) -> Struck:
    """Losses that fall on the shipping, wherever they come from."""
    return Struck((first, second), (0, 0), 0, 0, additional, 0, additional)


@pytest.mark.ledger("24.64-EX1", "24.631A.1", "24.631A.4", "24.631B.1", "24.631B.2", "24.64B", "24.64B.2", "24.622.2")
def test_six_submarines_against_seven_asw_at_minus_one() -> None:
    found = struck(6, 7, -1, 8, 4)
    assert (found.attacker_result, found.defender_result) == ((1, 3), (1, 3))
    assert (found.eliminated, found.aborted, found.reaching) == (1, 3, 2)
    assert (found.additional_from_modifier, found.additional_from_reaching) == (0, 1)
    assert warfare.losses(PLENTY, [found]) == Toll(2, 3, 30, 0, 0, 0)


@pytest.mark.ledger("24.64-EX2", "24.64A", "24.64A.2", "24.622.2")
def test_the_same_at_plus_one() -> None:
    found = struck(6, 7, 1, 8, 4)
    assert (found.attacker_result, found.defender_result) == ((1, 4), (1, 2))
    assert (found.additional_from_modifier, found.additional_from_reaching) == (1, 3)
    assert warfare.losses(PLENTY, [found]) == Toll(5, 4, 26, 0, 0, 0)


@pytest.mark.ledger("24.622.1", "24.622.4", "25.61")
def test_the_modifier_is_added_to_one_roll_and_taken_from_the_other() -> None:
    assert warfare.modified_rolls(Combat(1, 1, 3, 7, 7)) == (10, 4)
    assert warfare.modified_rolls(Combat(1, 1, -3, 7, 7)) == (4, 10)


@pytest.mark.ledger("24.64A", "24.64A.1", "24.64A.2")
def test_a_plus_sinks_transports_though_every_submarine_is_stopped_but_one_each_at_most() -> None:
    found = struck(2, 30, 3, 2, 12)
    assert found.reaching == 0
    assert found.additional_from_modifier == 2
    assert found.additional_from_reaching == 0


@pytest.mark.ledger("24.64B", "24.64B.1", "24.64B.2")
def test_submarines_that_get_through_sink_one_each_less_the_defender_s_points() -> None:
    assert struck(5, 0).additional_from_reaching == 5
    assert struck(5, 0, -2).additional_from_reaching == 3
    assert struck(5, 0, -9).additional_from_reaching == 0


@pytest.mark.ledger("24.64A.1", "24.64B.1")
def test_the_two_limits_are_apart_so_together_they_may_exceed_the_submarines() -> None:
    found = struck(3, 0, 5)
    assert found.additional == 6  # SR-05


@pytest.mark.ledger("24.631B.1", "24.631B.2")
def test_no_more_submarines_are_lost_or_turned_back_than_there_are() -> None:
    found = struck(3, 25, 0, 7, 12)
    assert found.defender_result == (7, 13)
    assert (found.eliminated, found.aborted, found.reaching) == (3, 0, 0)


@pytest.mark.ledger("24.631A.1")
def test_submarines_sunk_in_the_same_combat_have_attacked_with_the_rest() -> None:
    assert struck(6, 30, 0, 8, 12).attacker_result == (1, 3)


def test_without_submarines_nothing_happens() -> None:
    assert struck(0, 9) == Struck((0, 0), (0, 0), 0, 0, 0, 0, 0)


@pytest.mark.ledger("24.631A.2")
def test_first_numbers_that_find_no_transport_fall_on_asw_and_then_on_cves() -> None:
    assert warfare.losses(Shipping(1, 4, 3), [due(3)]) == Toll(1, 0, 0, 2, 0, 0)
    assert warfare.losses(Shipping(1, 1, 3), [due(4)]) == Toll(1, 0, 0, 1, 2, 0)
    assert warfare.losses(Shipping(0, 1, 1), [due(4)]) == Toll(0, 0, 0, 1, 1, 2)


@pytest.mark.ledger("24.631A.3")
def test_damage_and_additional_losses_never_touch_asw_or_cves() -> None:
    assert warfare.losses(Shipping(0, 6, 4), [due(0, 5, 7)]) == Toll(0, 0, 0, 0, 0, 7)


@pytest.mark.ledger("24.631A.4", "24.631A.5")
def test_damage_beyond_the_transports_in_the_box_is_ignored() -> None:
    assert warfare.losses(Shipping(5), [due(2, 9)]) == Toll(2, 3, 0, 0, 0, 0)


@pytest.mark.ledger("24.64", "24.64C")
def test_additional_losses_take_undamaged_transports_then_damaged_ones_before_these_leave() -> None:
    assert warfare.losses(Shipping(14), [due(2, 6, 11)]) == Toll(13, 1, 0, 0, 0, 0)
    assert warfare.losses(Shipping(14), [due(2, 6, 4)]) == Toll(6, 6, 2, 0, 0, 0)


SUMMER = Turn(1942, 1)


@pytest.mark.ledger("24.631A.6", "24.631A.7", "24.631A.8")
def test_damaged_transports_idle_through_their_owner_s_next_turn_and_work_after_redeployment() -> None:
    found = warfare.damaged_transports(PlayerTurn(SUMMER, AXIS))
    assert found.repair_brps == 0
    assert str(found.inverted_through) == str(found.redeploy_in) == "Allied Summer 1942"
    assert str(found.function_from) == "Axis Fall 1942"


@pytest.mark.ledger("24.631A.8")
def test_transports_redeployed_later_work_later_and_never_earlier() -> None:
    late = warfare.damaged_transports(PlayerTurn(SUMMER, AXIS), PlayerTurn(Turn(1942, 3), ALLIES))
    assert str(late.function_from) == "Axis Spring 1943"
    early = warfare.damaged_transports(PlayerTurn(SUMMER, AXIS), PlayerTurn(SUMMER, AXIS))
    assert str(early.function_from) == "Axis Fall 1942"


@pytest.mark.ledger("24.66")
def test_cves_of_several_nations_are_lost_in_turn_the_largest_contingent_first() -> None:
    assert warfare.carriers_lost_by_nation({"Britain": 2, "United States": 4}, 3) == {"United States": 2, "Britain": 1}
    assert warfare.carriers_lost_by_nation({"Britain": 2, "United States": 2}, 1) == {"Britain": 1}
    assert warfare.carriers_lost_by_nation({"Britain": 1}, 3) == {"Britain": 1}


@pytest.mark.ledger("24.611.2", "25.73")
def test_raiders_come_before_submarines_and_advanced_submarines_after_them() -> None:
    assert warfare.order_of_attacks() == ("raiders", "conventional submarines", "advanced submarines")


@pytest.mark.ledger("20.511.3", "20.511.4")
def test_asw_escort_carriers_and_submarines_are_sunk_factor_by_factor_and_only_transports_are_damaged() -> None:
    assert warfare.losses(Shipping(0, 4, 2), [due(first=3, second=5)]) == Toll(0, 0, 0, 3, 0, 0)
    assert warfare.losses(Shipping(0, 4, 2), [due(first=5, second=5)]) == Toll(0, 0, 0, 4, 1, 0)
    assert warfare.losses(Shipping(2, 4, 2), [due(second=5)]) == Toll(0, 2, 0, 0, 0, 0)
    found = struck(6, 7, -1, 8, 4)
    assert found.eliminated + found.aborted + found.reaching == 6  # lost, turned back or through: none is damaged
