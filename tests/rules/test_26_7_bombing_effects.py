"""26.7 to 26.9: what bombing does to BRPs, construction limits, industry and cities, and when its markers go."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import Damage, Facility, TargetKind
from flagplot.rules.strategic import bombing_effects as effects

RULES = ruleset()
LONDON = {"name": "London", "country": "Britain"}


def effect(hex: dict[str, Any], **more: Any) -> dict[str, Any]:
    damage = {key: more.pop(key) for key in ("bombers", "flying_bombs", "rockets") if key in more}
    return api.call("bombing_effects", {"hex": hex, "damage": damage, **more})


# -- BRPs ------------------------------------------------------------------------------------------


@pytest.mark.ledger("26.71", "26.71A.1", "26.652", "24.13")
def test_a_hex_loses_no_more_than_its_value_to_all_sources_together_in_their_order() -> None:
    told = effect(LONDON, bombers=12, flying_bombs=9, rockets=10, value=25)
    assert (told["uncapped"], told["brps_lost"]) == (31, 25)
    assert told["by_source"] == {"bombers": 12, "flying_bombs": 9, "rockets": 4}
    assert effect(LONDON, bombers=30, flying_bombs=9, value=25)["by_source"]["flying_bombs"] == 0


@pytest.mark.ledger("26.71A.3")
def test_the_boxes_have_values_of_their_own_and_the_us_none() -> None:
    assert effect(LONDON, bombers=40, box="Australia box")["brps_lost"] == 10
    assert effect(LONDON, bombers=40, box="India box")["brps_lost"] == 10
    russia = {"name": "Urals box", "country": "Russia", "city": False}
    assert effect(russia, bombers=90, box="Urals box", russian_base=70)["brps_lost"] == 50
    assert effect(russia, bombers=90, box="Urals box", russian_base=15)["brps_lost"] == 0
    america = {"name": "Atlantic U.S. box", "country": "United States", "city": False}
    assert effect(america, bombers=90, box="Atlantic U.S. box", value=3)["brps_lost"] == 90
    with pytest.raises(PlayerError, match="no mapboard box"):
        effect(america, bombers=1, box="Black box")


@pytest.mark.ledger("26.32.2", "26.91")
def test_a_secondary_target_loses_no_brps_but_may_burn() -> None:
    told = effect({"name": "Yokohama", "country": "Japan"}, bombers=25, secondary=True)
    assert (told["brps_lost"], told["firestorm"], told["construction_limits"]) == (0, True, {})


@pytest.mark.ledger("26.75.1", "26.75.2", "26.75.3")
def test_russia_takes_the_loss_of_an_ic_up_to_its_value_in_deficit_too_or_eliminates_it() -> None:
    city = {"name": "Stalingrad", "country": "Russia", "ic": True}
    assert effect(city, bombers=18, value=10)["brps_lost"] == 10
    assert effects.choices_of_ic(10) == ("lose the BRPs", "eliminate the IC")
    assert effects.choices_of_ic(0) == ()
    assert effect(city, bombers=18, value=10)["ic_choices"] == ["lose the BRPs", "eliminate the IC"]
    assert effect(city, bombers=18, value=0)["ic_choices"] == effect(LONDON, bombers=18, value=25)["ic_choices"] == []
    assert effects.deficit(4, 10) == 6


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 40))
def test_what_is_lost_never_exceeds_damage_or_value(bombers: int, flying: int, rockets: int, value: int) -> None:
    done = Damage(bombers, flying, rockets)
    lost = effects.brps_lost(done, value)
    assert lost.total == min(done.total, value)
    assert lost.bombers <= bombers and lost.flying_bombs <= flying and lost.rockets <= rockets


# -- construction limits ---------------------------------------------------------------------------


def limits(*losses: dict[str, Any]) -> dict[str, Any]:
    return api.call("construction_limits", {"losses": list(losses)})


@pytest.mark.ledger("26.71B.1", "26.653A", "26.653B")
def test_three_brps_lost_to_bombers_or_flying_bombs_cost_one_point_and_each_lost_to_rockets_one() -> None:
    told = limits({"country": "Britain", "brps": {"bombers": 7, "flying_bombs": 4, "rockets": 2}})
    assert told["reductions"] == {"Britain": 5}
    told = limits(
        {"country": "Germany", "brps": {"bombers": 2}},
        {"country": "Germany", "brps": {"bombers": 1}},
        {"country": "Germany", "brps": {"bombers": 9}, "economic": False},
        {"country": "Japan", "brps": {"bombers": 2}},
    )
    assert told["reductions"] == {"Germany": 1, "Japan": 0}


@pytest.mark.ledger("26.71B.2")
@pytest.mark.parametrize(("box", "country"), [("Australia box", "Australia"), ("India box", "India")])
def test_the_australian_and_indian_boxes_count_for_that_country_and_for_britain(box: str, country: str) -> None:
    told = limits(
        {"country": "Britain", "brps": {"bombers": 8}, "box": box}, {"country": "Britain", "brps": {"bombers": 1}}
    )
    assert told["reductions"] == {country: 2, "Britain": 3}


@pytest.mark.ledger("26.71B.3")
def test_the_urals_and_us_boxes_count_for_russia_and_the_united_states() -> None:
    told = limits(
        {"country": "Russia", "brps": {"bombers": 9}, "box": "Urals box"},
        {"country": "United States", "brps": {"bombers": 6}, "box": "Pacific U.S. box"},
    )
    assert told["reductions"] == {"Russia": 3, "United States": 2}


@pytest.mark.ledger("26.653C")
def test_germany_gains_what_britain_and_russia_lose_to_flying_bombs_and_rockets() -> None:
    told = limits(
        {"country": "Britain", "brps": {"bombers": 9, "flying_bombs": 4, "rockets": 5}},
        {"country": "Russia", "brps": {"flying_bombs": 3}},
        {"country": "United States", "brps": {"rockets": 5}},
    )
    assert told["german_increase"] == 12


# -- industry --------------------------------------------------------------------------------------


def industry(damage: int, pays: int = 0, **more: Any) -> dict[str, Any]:
    return api.call("industrial_damage", {"damage": damage, "pays": pays, **more})


@pytest.mark.ledger("26.72A", "26.72C", "26.72D.1")
@pytest.mark.parametrize(
    ("damage", "markers", "due"), [(0, 0, 0), (1, 1, 1), (10, 1, 0), (19, 2, 9), (20, 2, 0), (23, 3, 3)]
)
def test_a_marker_for_every_ten_damage_and_for_the_rest(damage: int, markers: int, due: int) -> None:
    told = industry(damage)
    assert (told["markers"], told["may_pay"], told["brps_lost"]) == (markers, due, 0)


@pytest.mark.ledger("26.72D.1", "26.72D.2")
def test_the_defender_pays_the_rest_exactly_to_prevent_the_last_marker() -> None:
    assert [industry(damage, damage % 10)["markers"] for damage in (7, 12, 29)] == [0, 1, 2]
    with pytest.raises(PlayerError, match="26.72D"):
        industry(12, 1)
    with pytest.raises(PlayerError, match="26.72D"):
        industry(20, 9)


@pytest.mark.ledger("26.72D.3")
def test_payments_leave_the_construction_limit_alone_and_may_be_deficit_spending() -> None:
    told = industry(7, 7, brps=3)
    assert (told["construction_limit_effect_of_paying"], told["deficit"]) == (0, 4)
    assert industry(7, 7, brps=9)["deficit"] == 0
    paid = effect(LONDON, bombers=17, value=20, pays=True)
    unpaid = effect(LONDON, bombers=17, value=20)
    assert paid["construction_limits"] == unpaid["construction_limits"] == {"Britain": 5}
    assert (paid["paid"], paid["damage_markers"], unpaid["damage_markers"]) == (7, 1, 2)


@pytest.mark.ledger("26.72E")
def test_markers_and_payments_do_not_change_what_the_hex_loses() -> None:
    assert industry(17, 7, hex_value=20)["brps_lost"] == industry(17, hex_value=20)["brps_lost"] == 17
    assert industry(17, hex_value=None)["brps_lost"] == 17


@pytest.mark.ledger("26.72F")
@pytest.mark.parametrize("box", ["Atlantic U.S. box", "Pacific U.S. box", "Urals box"])
def test_industry_in_the_us_and_urals_boxes_is_not_damaged(box: str) -> None:
    assert industry(35, box=box)["markers"] == 0


@pytest.mark.ledger("26.73")
def test_a_second_marker_destroys_a_synthetic_oil_plant_in_one_turn_or_over_several() -> None:
    assert industry(11)["state"] == "destroyed"
    assert industry(10)["state"] == "damaged"
    damaged = {"kind": "synthetic oil plant", "markers": 1}
    assert industry(10, facility=damaged)["state"] == "destroyed"
    assert industry(0, facility=damaged)["state"] == "damaged"
    assert industry(0)["state"] == "undamaged"


@pytest.mark.ledger("26.74")
def test_an_oil_center_holds_no_more_markers_than_it_produces() -> None:
    told = industry(30, facility={"kind": "oil center", "production": 2})
    assert (told["markers"], told["markers_on_facility"], told["state"]) == (3, 2, "damaged")
    with pytest.raises(PlayerError, match="no industrial facility"):
        industry(30, facility={"kind": "city"})


@pytest.mark.ledger("26.72B")
def test_the_attacker_spreads_markers_as_he_likes_but_no_more_than_he_has_or_they_hold() -> None:
    oil, plant = Facility(TargetKind.OIL_CENTER, production=2), Facility(TargetKind.SYNTHETIC_OIL_PLANT)
    first, second = effects.assign_markers(RULES, (oil, plant), (1, 2), 3)
    assert (first.markers, second.markers) == (1, 2)
    assert effects.facility_state(RULES, second) == "destroyed"
    with pytest.raises(ValueError, match="26.72A"):
        effects.assign_markers(RULES, (oil, plant), (2, 2), 3)
    for given_markers in ((3, 0), (-1, 1)):
        with pytest.raises(ValueError, match="26.74"):
            effects.assign_markers(RULES, (oil, plant), given_markers, 3)


@pytest.mark.ledger("26.81A.1", "26.81A.2", "26.81B", "26.83")
def test_a_faction_removes_one_marker_a_turn_free_from_a_hex_it_held_all_turn() -> None:
    def may(**asked: Any) -> bool:
        told = api.call("may_remove_damage_marker", asked)
        assert told["brps"] == 0
        return bool(told["may"])

    assert may()
    assert not may(marker="atomic")
    with pytest.raises(PlayerError, match="firestorm_markers"):
        may(marker="firestorm")
    assert not may(removed=1)
    assert not may(held_all_turn=False)
    assert not may(inflicted_this_player_turn=True)


# -- firestorms ------------------------------------------------------------------------------------


def burns(hex: dict[str, Any], options: dict[str, str] | None = None, **damage: int) -> bool:
    told = api.call("firestorms", {"hexes": [hex], "damage": damage}, options=options)
    return bool(told["firestorm"][0])


@pytest.mark.ledger("26.91", "26.71A.2")
def test_twenty_five_damage_in_one_turn_makes_a_firestorm_even_where_less_can_be_lost() -> None:
    assert not burns(LONDON, bombers=24)
    assert burns(LONDON, bombers=25)
    told = effect(LONDON, bombers=25, value=20)
    assert (told["brps_lost"], told["firestorm"]) == (20, True)


@pytest.mark.ledger("26.91")
def test_flying_bombs_and_rockets_count_unless_the_group_says_otherwise() -> None:
    damage = {"bombers": 15, "flying_bombs": 5, "rockets": 5}
    assert burns(LONDON, **damage)
    assert not burns(LONDON, {"firestorm_counts": "bombers"}, **damage)
    assert burns(LONDON, {"firestorm_counts": "bombers"}, bombers=25)


@pytest.mark.ledger("26.92A")
def test_only_the_cities_named_burn() -> None:
    assert burns({"name": "Essen", "country": "Germany"}, bombers=30)
    assert burns({"name": "Irkutsk", "country": "Russia"}, bombers=30)
    assert burns({"name": "Gorki", "country": "Russia", "ic": True}, bombers=30)
    assert not burns({"name": "Gorki", "country": "Russia"}, bombers=30)
    assert not burns({"name": "Rome", "country": "Italy"}, bombers=30)
    assert not burns({"name": "Ruhr fields", "country": "Germany", "city": False}, bombers=30)


@pytest.mark.ledger("26.92A")
def test_a_mapboard_box_is_no_city_and_never_burns() -> None:
    assert not burns({"name": "India box", "country": "Britain"}, bombers=30)
    assert not burns({"name": "Urals box", "country": "Russia", "ic": True}, bombers=30)
    told = effect({"name": "India", "country": "Britain"}, box="India", bombers=30)
    assert (told["brps_lost"], told["firestorm"], told["construction_limits"]) == (
        10,
        False,
        {"India": 3, "Britain": 3},
    )


@pytest.mark.ledger("26.92B")
@pytest.mark.parametrize("marker", ["firestorm", "atomic"])
def test_what_bears_a_marker_does_not_burn_again(marker: str) -> None:
    assert not burns({**LONDON, "markers": [marker]}, bombers=30)
    assert burns({**LONDON, "markers": ["damage"]}, bombers=30)


@pytest.mark.ledger("26.93", "26.93A", "26.93B", "26.94")
def test_each_firestorm_lowers_the_victims_level_and_gives_the_attacker_a_dp_for_two_years() -> None:
    told = api.call("firestorm_markers", {"years": [1943, 1944], "year": 1944})
    assert (told["surrender_level"], told["diplomatic_points"]) == (-2, 2)
    assert (told["supply"], told["oil_reserves"]) == (0, 0)
    told = api.call("firestorm_markers", {"years": [1944], "year": 1945, "all_years": [1943, 1944, 1944]})
    assert (told["surrender_level"], told["diplomatic_points"]) == (-1, 2)


@pytest.mark.ledger("26.82", "26.95")
def test_firestorm_markers_leave_one_a_turn_from_spring_two_years_later() -> None:
    def left(years: list[int], year: int) -> list[int]:
        return list(api.call("firestorm_markers", {"years": years, "year": year})["left"])

    assert left([1943, 1943, 1944], 1944) == [1943, 1943, 1944]
    assert left([1944, 1943, 1943], 1945) == [1943, 1944]
    assert left([1944], 1945) == [1944]
    assert left([1944], 1946) == []
    assert left([], 1946) == []


@pytest.mark.ledger("26.83")
def test_atomic_markers_stay_for_ever() -> None:
    assert effects.marker_permanent("atomic") and not effects.marker_permanent("firestorm")
