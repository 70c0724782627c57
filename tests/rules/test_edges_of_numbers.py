"""Modifiers and limits at the very number where they turn (22.2, 22.4, 25, 26)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.operation import Airfield, Boats, Leg, NavalForce, Operation, Waters
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle
from flagplot.model.strategic_bombing import AirDefenders, BomberForce, BombingTarget, Defences, Facility, TargetKind
from flagplot.model.strategic_war import ForcePool, Politics
from flagplot.model.war import Levels, Salvo, TargetHex, War
from flagplot.rules.naval import parting
from flagplot.rules.naval.interception import empty_rounds
from flagplot.rules.naval.passage import (
    RUSSO_ALLIED,
    defenders,
    helping_boats,
    nearest,
    operation_range,
    spotters_of,
)
from flagplot.rules.naval.search import search_dice
from flagplot.rules.naval.submarines import excess_asw
from flagplot.rules.strategic import bombing_flight_turn, rockets_turn
from flagplot.rules.strategic.bombing_effects import deficit, room_for_markers
from flagplot.rules.strategic.bombing_flights import FLYING_BOMBS, Raid
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
AXIS, ALLIES = Side.AXIS, Side.ALLIES


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


# -- at sea ------------------------------------------------------------------------------------------------------------

LINE = [f"h{number}" for number in range(10)]
SEAS = {hex: tuple(LINE[near] for near in (at - 1, at + 1) if 0 <= near < 10) for at, hex in enumerate(LINE)}
WATERS = Waters(seas=SEAS, mover=AXIS, phases=(), harbours={})


def leg(end: str, ground: int) -> Leg:
    return Leg(id="A1", side=AXIS, kind="seaborne invasion", forces=(), start="h0", end=end, ground=ground)


@pytest.mark.ledger("22.22F")
def test_the_most_ground_factors_that_defend_the_hex_against_any_voyage_count_once() -> None:
    legs = [leg("h3", 2), leg("h3", 3), leg("h5", 7)]
    assert defenders(legs, "h3") == 3
    assert defenders(legs, "h4") == 0


def test_the_nearest_hex_and_one_nobody_can_reach() -> None:
    operation = Operation(waters=WATERS)
    assert nearest(operation, "h0", ["h5", "h3"]) == 3
    assert nearest(operation, "h0", ["elsewhere"]) == nearest(operation, "h0", []) == 99


def test_land_based_air_reaches_as_far_as_was_said_or_anywhere() -> None:
    operation = Operation(waters=replace(WATERS, air_range={AXIS: 4}))
    assert operation_range(operation, AXIS) == 4
    assert operation_range(operation, ALLIES) == 99


@pytest.mark.ledger("22.22H.1")
def test_uninverted_submarines_within_three_hexes_help() -> None:
    stations = (
        Boats("Near", "h3", ready={"Germany/SUB": 1}, attempted={"Germany/SUB": 1}),
        Boats("Far", "h4", ready={"Germany/SUB": 1}),
        Boats("Spent", "h1", inverted={"Germany/SUB": 5}),
    )
    operation = Operation(waters=WATERS, boats={AXIS: stations})
    assert helping_boats(RULES, operation, AXIS, "h0") == 2


@pytest.mark.ledger("22.22G")
def test_under_russo_allied_restrictions_russian_air_spots_for_russians_only() -> None:
    base = AirBase("Murmansk", squadrons={"Russia/NAS": 2})
    fields = {ALLIES: (Airfield(base, "h0", {"h3": 3}),)}
    for restrictions, expected in (((), {"Russia": 2, "Britain": 2}), ((RUSSO_ALLIED,), {"Russia": 2, "Britain": 0})):
        operation = Operation(waters=replace(WATERS, restrictions=restrictions), airfields=fields)
        found = {nation: spotters_of(operation, ALLIES, [["h2", "h3"]], "h3", nation) for nation in expected}
        assert found == expected


def test_a_voyage_counts_the_task_forces_that_are_still_on_it() -> None:
    forces = (NavalForce(id="TF1", place="h0"), NavalForce(id="Loose", place="h0", task_force=False))
    assert parting._task_forces(Operation(forces={AXIS: forces}), AXIS, ["TF1", "Loose"]) == 1


@pytest.mark.ledger("22.9415A", "22.9415B.1")
def test_excess_asw_of_the_boxes_that_concern_a_nation_each_at_least_nothing() -> None:
    both = {"Pacific": 2, "Indian Ocean": 3, "Atlantic": 4}
    assert excess_asw(both, "Japan", "Pacific", western_front=True) == 5
    assert excess_asw(both, "United States", "Pacific", western_front=True) == 2
    assert excess_asw(both, "Germany", "Pacific", western_front=True) == 0
    assert excess_asw({"Pacific": -2, "Indian Ocean": 3}, "Japan", "Pacific", western_front=False) == 3
    assert excess_asw({}, "Japan", "Pacific", western_front=False) == 0
    for atlantic, counted in ((4, 4), (1, 1), (0, 0), (-1, 0), (-3, 0)):
        assert excess_asw({"Atlantic": atlantic}, "Germany", "Europe", western_front=True) == counted
    assert excess_asw({}, "Germany", "Europe", western_front=True) == 0
    assert excess_asw(both, "Germany", "Europe", western_front=False) == 0


# -- bombing -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("26.453.2")
def test_research_raises_the_air_nationality_drm_of_those_who_bomb_and_intercept() -> None:
    war = War(research={"Western Allies": Levels(air_nationality=1)})
    assert bombing_flight_turn._drm(RULES, war, AirDefenders(aaf=2), "Britain") == 2 + 1
    assert bombing_flight_turn._drm(RULES, war, BomberForce(strategic_bombers=2), "Germany") == 2


@pytest.mark.ledger("26.461B.2")
def test_bombers_have_come_as_far_as_their_front_lies_from_the_target() -> None:
    raid = Raid("Britain", "Essen", "western", {"Britain strategic bomber, western": 1})
    target = BombingTarget("Essen", "Germany")
    assert bombing_flight_turn._distance(raid, TargetHex(target, "western", distances={"Britain": 4})) == 4
    assert bombing_flight_turn._distance(raid, TargetHex(target, "western")) == 0


@pytest.mark.ledger("26.661A.2", "26.651A")
@pytest.mark.parametrize(
    ("target", "mine", "theirs", "each"),
    [("Britain", 0, 0, 10), ("Britain", 1, 0, 11), ("Britain", 0, 1, 9), ("Russia", 0, 0, 11), ("Turkey", 0, 0, 12)],
)
def test_a_salvo_is_worth_ten_and_the_difference_of_the_air_nationalities(
    target: str, mine: int, theirs: int, each: int
) -> None:
    """Germany and Britain have two, Russia one, a minor country none; research raises it."""
    salvo = Salvo("Germany", "Target", FLYING_BOMBS, 2)
    war = War(
        research={"Germany": Levels(air_nationality=mine), "Western Allies": Levels(air_nationality=theirs)},
        targets={"Target": TargetHex(BombingTarget("Target", target), "western")},
        salvos=(salvo,),
    )
    assert rockets_turn._each(RULES, war, salvo) == each
    assert rockets_turn.salvo_damage(RULES, war, salvo).total == 2 * each


@pytest.mark.ledger("26.661B.1")
def test_what_earlier_salvos_used_up_of_the_defences_does_not_stop_later_ones() -> None:
    """Strength four in all, against both salvos of flying bombs of two powers together: it is counted once."""
    salvos = (Salvo("Germany", "Target", FLYING_BOMBS, 3), Salvo("Italy", "Target", FLYING_BOMBS, 1))
    target = TargetHex(BombingTarget("Target", "Britain"), "western", defences=Defences(flak=4))
    war = War(targets={"Target": target}, salvos=salvos)
    damage = [rockets_turn.salvo_damage(RULES, war, salvo).total for salvo in salvos]
    assert damage == [3 * 10 - 4, 1 * 9]  # Italian air has one less than British
    few = (Salvo("Germany", "Target", FLYING_BOMBS, 2), salvos[1])
    strong = War(targets={"Target": replace(target, defences=Defences(flak=25))}, salvos=few)
    assert [rockets_turn.salvo_damage(RULES, strong, salvo).total for salvo in few] == [0, 9 - 5]
