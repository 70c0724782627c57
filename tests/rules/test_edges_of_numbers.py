"""Modifiers and limits at the very number where they turn (22.2, 22.4, 25, 26)."""

from __future__ import annotations

import pytest

from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.state import Battle
from flagplot.model.strategic_bombing import Facility, TargetKind
from flagplot.model.strategic_war import ForcePool, Politics
from flagplot.rules.naval.interception import empty_rounds
from flagplot.rules.naval.search import search_dice
from flagplot.rules.strategic.bombing_effects import deficit, room_for_markers
from flagplot.rules.strategic.deployment import american_asw_may_enter, asw_may_enter
from flagplot.rules.strategic.force_pools import employable
from flagplot.rules.strategic.submarine_deployment import past_gibraltar
from flagplot.rules.strategic.submarine_modifiers import (
    Carrier,
    asw_drm,
    escort_carriers_counted,
    later_torpedo_research,
    submarine_drm,
)

RULES = ruleset()


@pytest.mark.ledger("22.45T.4", "22.45T.5")
def test_six_active_groups_and_five_distant_ones_with_carriers_give_search_dice_and_no_more() -> None:
    ten = {"Japan/DD": 10}
    active = [CombatGroup(number, light=ten) for number in range(1, 9)]
    distant = [CombatGroup(number, scouts=True) for number in range(11, 18)]
    battle = Battle(round=1)
    at_once = Battle(round=9)
    for number in range(9):
        assert search_dice(RULES.search, at_once, active[:number]).total == 8 + min(6, number)
    for number in range(8):
        assert search_dice(RULES.search, battle, distant[:number]).total == min(5, number)


def test_without_interceptors_no_round_is_empty() -> None:
    assert empty_rounds(RULES, "Europe", []) == 0


@pytest.mark.ledger("26.72D.3")
def test_a_deficit_is_what_the_brps_at_hand_do_not_cover_and_debts_cover_nothing() -> None:
    assert [deficit(brps, 3) for brps in (-2, -1, 0, 1, 2, 3, 4)] == [3, 3, 3, 2, 1, 0, 0]


@pytest.mark.ledger("26.74")
def test_an_oil_center_with_more_markers_than_it_produces_takes_none() -> None:
    for markers, room in ((0, 2), (1, 1), (2, 0), (3, 0), (4, 0)):
        center = Facility(TargetKind.OIL_CENTER, production=2, markers=markers)
        assert room_for_markers(RULES, center) == room


# -- submarine warfare -------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.621")
def test_research_raises_the_naval_nationality_drm_of_submarines_and_of_those_who_hunt_them() -> None:
    assert submarine_drm(RULES, "Germany", raised=1) == 3 + 1
    assert asw_drm(RULES, "Britain", raised=1) == 2 + 1


@pytest.mark.ledger("25.632.2")
def test_without_its_first_torpedo_result_japan_loses_nothing_in_later_research() -> None:
    assert [later_torpedo_research("Japan", held) for held in (0, 1, 2)] == [0, 0, -1]


@pytest.mark.ledger("25.362.1", "25.641")
def test_only_uninverted_escort_carriers_count_against_submarines() -> None:
    carriers = [Carrier("CVE"), Carrier("CVE"), Carrier("CVE", inverted=True), Carrier("CV"), Carrier("CVL")]
    assert escort_carriers_counted(carriers) == 2


@pytest.mark.ledger("25.32B")
def test_before_war_one_american_asw_factor_a_turn_enters_the_pacific_from_a_tension_of_forty() -> None:
    for usjt, entered, more in ((39, 0, 0), (40, 0, 1), (40, 1, 0), (40, 2, 0), (41, 0, 1)):
        assert american_asw_may_enter(RULES, "Pacific", Politics(usjt=usjt), entered=entered) == more
    assert american_asw_may_enter(RULES, "Atlantic", Politics(usat=35), present=3) == 0


@pytest.mark.ledger("25.22D")
def test_asw_of_british_yards_alone_enter_as_they_like() -> None:
    assert asw_may_enter(RULES, {"Britain": 2}, "Pacific", Politics(usjt=50)) == 2
    assert asw_may_enter(RULES, {"Britain": 2}, "Atlantic", Politics(germany_us_war=True)) == 2
    assert asw_may_enter(RULES, {"Britain": 2, "United States": 3}, "Pacific", Politics(usjt=50)) == 2 + 1


@pytest.mark.ledger("25.15")
def test_whoever_has_passed_gibraltar_too_often_passes_no_more() -> None:
    assert [past_gibraltar(RULES, "Germany", 4, axis_hold=False, passed=passed) for passed in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.ledger("24.11")
def test_what_is_not_built_is_not_employed() -> None:
    assert [employable(ForcePool(built, 3), wanted) for built, wanted in ((0, 2), (2, 0), (2, -1), (2, 3))] == [
        0,
        0,
        0,
        2,
    ]
