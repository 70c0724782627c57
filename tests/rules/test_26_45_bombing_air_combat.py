"""26.45: air combat over a bombing target, with the two printed examples."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import ATTACKING_GROUPS, AirDefenders, BomberForce
from flagplot.rules.strategic.bombing_air_combat import may_engage_with, share_bombing_losses

RULES = ruleset()
ALLIES = {"attacker_nation": "United States", "defender_nation": "Germany"}


def fight(attacker: dict[str, int], defender: dict[str, int], **more: Any) -> dict[str, Any]:
    options = more.pop("options", None)
    dice = more.pop("dice", ())
    return api.call(
        "bombing_air_combat",
        {"attacker": attacker, "defender": defender, **ALLIES, **more},
        dice=dice,
        options=options,
    )


def by_reason(told: dict[str, Any]) -> dict[str, int]:
    return {reason: amount for _, reason, amount in told["lines"]}


# -- the printed examples --------------------------------------------------------------------------


@pytest.mark.ledger("26.454-EX1", "26.454.1", "26.451.1", "24.613")
def test_thirty_german_army_air_over_britain() -> None:
    told = fight(
        {"escort_aaf": 20, "bombing_aaf": 10},
        {"aaf": 15, "interceptors": 1},
        attacker_nation="Germany",
        defender_nation="Britain",
        attacker_roll=7,
        defender_roll=7,
        modified_rolls=True,
    )
    assert (told["attacker_row"], told["defender_row"]) == (16, 16)
    assert (told["attacker_result"], told["defender_result"]) == ("6/6", "6/6")
    assert (told["eliminated"]["escort_aaf"], told["eliminated"]["bombing_aaf"]) == (3, 3)
    assert (told["aborted"]["escort_aaf"], told["aborted"]["bombing_aaf"]) == (3, 3)
    assert told["bombing_aaf_reaching"] == 4


@pytest.mark.ledger("26.454-EX2", "26.452", "26.451A", "26.454.3", "26.454.4", "26.454.C")
def test_five_groups_over_germany() -> None:
    force = {"escort_aaf": 8, "bombing_aaf": 4, "interceptors": 5, "strategic_bombers": 5, "jets": 1}
    told = fight(force, {"aaf": 7, "interceptors": 4, "jets": 2}, attacker_roll=8, defender_roll=6)
    assert told["net_modifier"] == -1  # one jet against two
    assert (told["attacker_factors_engaged"], told["attacker_row"], told["defender_row"]) == (13, 15, 17)
    assert told["defender_result"] == "6/7"
    order = ("escort_aaf", "bombing_aaf", "interceptors", "strategic_bombers", "jets")
    assert [told["eliminated"][group] for group in order] == [2, 1, 1, 1, 1]
    assert [told["aborted"][group] for group in order] == [1, 2, 2, 2, 0]
    assert (told["bombing_aaf_reaching"], told["strategic_bombers_reaching"]) == (1, 2)


# -- who engages -----------------------------------------------------------------------------------


@pytest.mark.ledger("26.451B.1", "26.451B.4", "26.451A")
def test_as_many_attackers_engage_as_defend_or_all_if_outnumbered() -> None:
    assert fight({"strategic_bombers": 9}, {"aaf": 4})["attacker_row"] == 4
    told = fight({"strategic_bombers": 3}, {"aaf": 4})
    assert (told["attacker_row"], told["defender_row"]) == (3, 4)


@pytest.mark.ledger("26.452", "26.451B.4")
def test_a_jet_is_one_factor_to_engage_and_three_in_strength() -> None:
    told = fight({"strategic_bombers": 3, "jets": 2}, {"interceptors": 2})
    assert (told["attacker_factors_engaged"], told["attacker_row"], told["defender_row"]) == (2, 6, 2)


@pytest.mark.ledger("26.451B.2")
def test_an_attacker_with_a_surplus_chooses_who_engages() -> None:
    force = {"strategic_bombers": 3, "interceptors": 2, "escort_aaf": 1, "bombing_aaf": 1, "jets": 1}
    assert fight(force, {"aaf": 3})["engaged"] == {
        "interceptors": 2,
        "escort_aaf": 0,
        "jets": 1,
        "bombing_aaf": 0,
        "strategic_bombers": 0,
    }
    told = fight(force, {"aaf": 3}, engaged={"strategic_bombers": 2, "bombing_aaf": 1})
    assert told["engaged"]["strategic_bombers"] == 2 and told["attacker_row"] == 3


@pytest.mark.ledger("26.451B.2", "26.451B.4")
def test_he_engages_neither_more_nor_fewer_nor_others_than_he_has() -> None:
    force, defenders = BomberForce(strategic_bombers=4, interceptors=2), AirDefenders(aaf=3)
    assert may_engage_with(force, BomberForce(strategic_bombers=3), defenders).holds
    assert not may_engage_with(force, BomberForce(strategic_bombers=4), defenders).holds
    assert not may_engage_with(force, BomberForce(strategic_bombers=2), defenders).holds
    assert not may_engage_with(force, BomberForce(interceptors=3), defenders).holds
    with pytest.raises(PlayerError, match=r"26\.451B: 3 factors engage, not 1"):
        fight({"strategic_bombers": 4}, {"aaf": 3}, engaged={"strategic_bombers": 1})


# -- modifiers -------------------------------------------------------------------------------------


@pytest.mark.ledger("26.453.1", "26.453.3", "26.453.4", "24.6-MT.B2", "24.6-MT.B3")
def test_jets_help_their_own_side_and_radar_the_defender() -> None:
    told = fight({"strategic_bombers": 3, "jets": 2}, {"aaf": 4, "jets": 3}, radar=2)
    lines = by_reason(told)
    assert (lines["jets of the bomber force"], lines["intercepting jets"]) == (2, -3)
    assert lines["the defender's radar"] == -2
    assert told["net_modifier"] == 2 - 3 - 2


@pytest.mark.ledger("26.453.1")
def test_jets_that_escort_without_engaging_modify_only_if_the_group_says_so() -> None:
    force, engaged = {"strategic_bombers": 3, "jets": 2}, {"strategic_bombers": 2}
    assert fight(force, {"aaf": 2}, engaged=engaged)["net_modifier"] == 0
    told = fight(force, {"aaf": 2}, engaged=engaged, options={"jet_modifier": "escorting"})
    assert told["net_modifier"] == 2


@pytest.mark.ledger("26.453.2", "26.453.5", "26.451B.3", "24.6-MT.B1")
def test_the_lowest_drm_engaged_counts_and_interceptors_alone_have_one_more() -> None:
    assert fight({"strategic_bombers": 3}, {"interceptors": 3})["net_modifier"] == -1
    assert fight({"strategic_bombers": 3}, {"interceptors": 2, "aaf": 1})["net_modifier"] == 0
    mixed = {"strategic_bombers": 3, "interceptors": 2}
    assert fight(mixed, {"aaf": 2})["net_modifier"] == 1  # two interceptors engage, and only those count
    assert fight(mixed, {"aaf": 3})["net_modifier"] == 0
    assert fight({"strategic_bombers": 1}, {"aaf": 1}, defender_nation="Italy")["net_modifier"] == 1
    assert fight({"strategic_bombers": 1}, {"aaf": 1}, attacker_drm=3, defender_drm=1)["net_modifier"] == 2


@pytest.mark.ledger("26.453.2")
def test_partial_supply_oil_and_winter_cost_a_side_one_each() -> None:
    force, defenders = {"strategic_bombers": 1}, {"aaf": 1}
    assert fight(force, defenders, attacker_impaired=True)["net_modifier"] == -1
    assert fight(force, defenders, defender_impaired=True)["net_modifier"] == 1
    assert fight(force, defenders, attacker_winter=True)["net_modifier"] == -1
    assert fight(force, defenders, attacker_winter=True, defender_winter=True)["net_modifier"] == 0


@pytest.mark.ledger("26.451.1", "26.453.4")
def test_the_modifier_is_added_to_one_roll_and_taken_from_the_other() -> None:
    told = fight({"strategic_bombers": 5}, {"aaf": 5}, radar=2, dice=[4, 4, 3, 3])
    # 8 - 2 = 6 on row 5: 2/2; 6 + 2 = 8 on row 5: 2/4
    assert (told["attacker_result"], told["defender_result"]) == ("2/2", "2/4")
    assert told["defender_eliminated"]["aaf"] == 2 and told["defender_aborted"]["aaf"] == 2
    assert told["defenders_for_the_next_raid"]["aaf"] == 3


# -- losses ----------------------------------------------------------------------------------------


def losses(force: dict[str, int], result: str) -> dict[str, Any]:
    return api.call("bombing_losses", {"force": force, "result": result})


@pytest.mark.ledger("26.454.1")
def test_eliminations_go_round_the_groups_largest_first_and_aborts_go_on_from_there() -> None:
    told = losses({"strategic_bombers": 4, "interceptors": 6}, "1/1")
    assert (told["eliminated"]["interceptors"], told["aborted"]["strategic_bombers"]) == (1, 1)


@pytest.mark.ledger("26.454.2", "26.454.3")
def test_equal_groups_suffer_in_the_stated_order() -> None:
    force = dict.fromkeys(reversed(ATTACKING_GROUPS), 2)
    for number, group in enumerate(("interceptors", "escort_aaf", "jets", "bombing_aaf", "strategic_bombers"), start=1):
        told = losses(force, f"{number}/0")
        assert told["eliminated"][group] == 1
    defenders = {"jets": 2, "aaf": 2, "interceptors": 2}
    assert losses(defenders, "2/0")["eliminated"] == {"interceptors": 1, "aaf": 1, "jets": 0}


@pytest.mark.ledger("26.454.C", "26.454.1")
def test_bombers_without_escort_suffer_alone() -> None:
    assert losses({"strategic_bombers": 3}, "5/5")["remaining"] == {"strategic_bombers": 0}


@pytest.mark.parametrize(
    ("force", "result"),
    [({"zeppelins": 3}, "1/1"), ({"strategic_bombers": 3}, "1"), ({"strategic_bombers": 3}, "a/b")],
)
def test_what_is_no_force_or_no_result_is_refused(force: dict[str, int], result: str) -> None:
    with pytest.raises(PlayerError):
        losses(force, result)


def test_air_combat_needs_both_sides_and_all_its_dice() -> None:
    with pytest.raises(PlayerError, match=r"26\.451"):
        fight({"strategic_bombers": 3}, {})
    with pytest.raises(PlayerError, match="dice"):
        fight({"strategic_bombers": 3}, {"aaf": 1}, dice=[1, 2, 3])
    with pytest.raises(PlayerError, match="interceptors"):
        fight({"strategic_bombers": 3}, {"interceptors": -1})


GROUPS = st.dictionaries(st.sampled_from(ATTACKING_GROUPS), st.integers(0, 12), min_size=1)


@given(GROUPS, st.integers(0, 40), st.integers(0, 40))
def test_air_factors_are_neither_lost_nor_made(groups: dict[str, int], eliminated: int, aborted: int) -> None:
    toll = share_bombing_losses(groups, (eliminated, aborted))
    for group, number in groups.items():
        assert toll.eliminated[group] + toll.aborted[group] + toll.remaining[group] == number
    whole = sum(groups.values())
    assert sum(toll.eliminated.values()) == min(eliminated, whole)
    assert sum(toll.aborted.values()) == min(aborted, whole - min(eliminated, whole))
