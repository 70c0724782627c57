"""26: what players write of bombing is understood whatever its spelling, or refused; never taken for something else."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.model.strategic_bombing import TargetKind, Unit


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("aaf", Unit.AAF),
        ("Army air", Unit.AAF),
        ("Strategic Bombers", Unit.BOMBER),
        ("bombers", Unit.BOMBER),
        ("Interceptors", Unit.INTERCEPTOR),
        ("jets", Unit.JET),
        ("nas", Unit.NAS),
    ],
)
def test_units_are_known_in_any_spelling(written: str, kind: Unit) -> None:
    assert Unit(written) is kind


@pytest.mark.ledger("26.31I", "26.31J")
@pytest.mark.parametrize(
    ("written", "kind"),
    [("Oil Center", TargetKind.OIL_CENTER), ("synthetic-oil plants", TargetKind.SYNTHETIC_OIL_PLANT)],
)
def test_targets_are_known_in_any_spelling(written: str, kind: TargetKind) -> None:
    assert TargetKind(written) is kind
    assert api.call("may_be_bombed", {"target": {"name": "X", "country": "german", "kind": written}})["why"][0] in (
        "26.31I",
        "26.31J",
    )


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(PlayerError, match="zeppelin"):
        api.call("may_fly_to_bomb", {"unit": {"kind": "zeppelin"}})


def engages(**asked: Any) -> dict[str, Any]:
    unit = {"kind": "interceptor", "nation": "Germany", "base_front": asked.pop("base_front", "western")}
    return api.call("may_engage_bombers", {"unit": unit, "attacker": "Britain", "country": "Germany", **asked})


@pytest.mark.ledger("26.24")
@pytest.mark.parametrize("front", ["western front", "Western Front", "WESTERN", "western-front"])
def test_a_front_may_be_called_one(front: str) -> None:
    assert engages(front=front)["may"]
    assert engages(front="western", base_front=front)["may"]
    assert not engages(front="eastern front", base_front=front)["may"]


@pytest.mark.ledger("26.442.2", "26.462.5")
def test_a_front_spelled_twice_is_one_front() -> None:
    crossed = ["western", "Western front", "Mediterranean", "US box", "Atlantic U.S. box"]
    assert api.call("bombing_engagements", {"fronts": crossed})["max_engagements"] == 3


@pytest.mark.ledger("26.443B")
@pytest.mark.parametrize(("more", "distance"), [({}, 4), ({"jet_range": 2}, 2)])
def test_jets_reach_as_far_as_army_air_unless_research_is_said(more: dict[str, int], distance: int) -> None:
    jet = {"kind": "jet", "nation": "Germany", **more}
    asked = {"unit": jet, "attacker": "Britain", "country": "Germany", "front": "western"}
    assert api.call("may_engage_bombers", {**asked, "distance": distance})["may"]
    assert not api.call("may_engage_bombers", {**asked, "distance": distance + 1})["may"]


@pytest.mark.ledger("26.92B")
@pytest.mark.parametrize(
    "marker", ["Firestorm", "firestorm marker", "atomic", "Atomic attack", "atomic attack markers"]
)
def test_a_hex_with_a_marker_does_not_burn_however_it_is_spelled(marker: str) -> None:
    berlin = {"name": "Berlin", "country": "Germany", "markers": [marker]}
    assert api.call("firestorms", {"hexes": [berlin], "damage": {"bombers": 40}})["firestorm"] == [False]


@pytest.mark.ledger("26.92B")
def test_another_marker_is_refused() -> None:
    berlin = {"name": "Berlin", "country": "Germany", "markers": ["burnt"]}
    with pytest.raises(PlayerError, match="firestorm, atomic"):
        api.call("firestorms", {"hexes": [berlin], "damage": {"bombers": 40}})


@pytest.mark.ledger("26.32.1")
def test_key_economic_areas_of_secondary_targets_are_found_whatever_their_capitals() -> None:
    stettin = {"name": "Stettin", "country": "Germany", "adjacent": ["berlin"]}
    asked = {"target": stettin, "areas": {"Berlin": ["Firestorm"]}}
    assert api.call("may_be_bombed", asked)["secondary"]


@pytest.mark.ledger("26.71B.3", "26.71B.2")
@pytest.mark.parametrize(
    ("box", "limits"),
    [
        ("India", {"India": 3, "Britain": 3}),
        ("Australia box", {"Australia": 3, "Britain": 3}),
        ("Urals", {"Russia": 3}),
        ("U.S. boxes", {"United States": 3}),
        ("the United States", {"United States": 3}),
    ],
)
def test_what_a_box_loses_its_power_loses_whoever_is_said_to_own_it(box: str, limits: dict[str, int]) -> None:
    told = api.call(
        "bombing_effects",
        {
            "damage": {"bombers": 10},
            "hex": {"name": box, "country": "India", "city": False},
            "box": box,
            "russian_base": 90,
        },
    )
    assert told["construction_limits"] == limits
    losses = [{"country": "India", "brps": {"bombers": 10}, "box": box}]
    assert api.call("construction_limits", {"losses": losses})["reductions"] == limits


@pytest.mark.ledger("26.31C", "26.31D", "26.31E")
@pytest.mark.parametrize(("name", "country"), [("India", "India"), ("Urals", "Russia"), ("US boxes", "US")])
def test_a_box_is_a_target_under_any_of_its_names(name: str, country: str) -> None:
    assert api.call("may_be_bombed", {"target": {"name": name, "country": country}, "air_range": 3})["may"]


@pytest.mark.ledger("26.23A", "26.462.3")
def test_the_theatre_of_a_box_or_a_front_is_known() -> None:
    unit = {"kind": "interceptor", "nation": "Britain", "base_front": "Southeast Asian"}
    told = api.call("may_engage_bombers", {"unit": unit, "attacker": "Japan", "country": "Britain", "box": "India"})
    assert [rule for rule, _ in told["barred"]] == ["26.23A"]
    west = {"kind": "interceptor", "nation": "Britain", "base_front": "western"}
    assert api.call("may_engage_bombers", {"unit": west, "attacker": "Germany", "country": "US", "box": "US"})["may"]
    told = api.call("may_fly_to_bomb", {"unit": {"kind": "AAF", "nation": "Japan", "base_front": "Asian"}})
    assert told["range"] == 3


@pytest.mark.ledger("26.443D")
def test_a_base_out_of_operation_serves_its_own_hex_alone_even_if_no_hex_is_named() -> None:
    unit = {"kind": "AAF", "nation": "Germany", "base_operational": False}
    asked = {"unit": unit, "attacker": "Britain", "country": "Germany", "front": "western"}
    assert api.call("may_engage_bombers", asked)["may"]
    assert not api.call("may_engage_bombers", {**asked, "distance": 1})["may"]


@pytest.mark.ledger("27.721.T5", "27.721.T6")
@pytest.mark.parametrize(
    ("written", "unit"),
    [
        ("DD", "destroyer"),
        ("CAs", "cruiser"),
        ("subs", "submarine"),
        ("4 factor", "4-factor"),
        ("3-factor battleship", "3-factor"),
        ("battleship_5", "5-factor"),
        ("BC2", "2-factor"),
    ],
)
def test_ships_of_the_table_of_costs(written: str, unit: str) -> None:
    assert api.call("ship_costs", {"units": [written]})["units"] == [unit]


@pytest.mark.ledger("26.761C.1", "26.761C.2")
def test_the_side_of_a_ship_in_a_yard_may_be_her_nation() -> None:
    def row(side: str) -> int:
        asked = {"size": 3, "side": side, "column": "Spring", "current_season": "Spring", "result": "0/1"}
        return int(api.call("yard_move", asked)["row"])

    assert (row("Germany"), row("Western Allies"), row("U.S.")) == (2, 1, 1)
    with pytest.raises(PlayerError, match="no side"):
        row("Atlantis")


def test_a_result_of_nothing_may_be_written_as_the_table_prints_it() -> None:
    asked = {"size": 3, "side": "Axis", "column": "Spring", "current_season": "Spring", "result": "0"}
    assert api.call("yard_move", asked)["columns"] == 0


# -- what else is refused --------------------------------------------------------------------------


@pytest.mark.ledger("26.63A")
def test_no_more_bases_are_damaged_than_there_are() -> None:
    with pytest.raises(PlayerError, match="cannot be damaged"):
        api.call("rocket_salvos", {"bases": 2, "damaged": 3})


@pytest.mark.ledger("26.95")
@pytest.mark.parametrize("turns", [0, 5])
def test_a_year_has_four_turns(turns: int) -> None:
    with pytest.raises(PlayerError, match="4 turns"):
        api.call("firestorm_markers", {"years": [1943], "year": 1945, "turns": turns})


@pytest.mark.ledger("24.66")
def test_contingents_come_to_their_group() -> None:
    with pytest.raises(PlayerError, match=r"24\.66"):
        api.call("bombing_losses", {"force": {"aaf": 4}, "result": "1/0", "nations": {"aaf": {"Britain": 3}}})


@pytest.mark.ledger("26.72B")
def test_markers_are_given_to_industry_one_number_each() -> None:
    plant = {"kind": "synthetic oil plant"}
    with pytest.raises(PlayerError, match=r"26\.72B"):
        api.call("damage_marker_shares", {"damage": 10, "facilities": [plant], "shares": [1, 0]})
    with pytest.raises(PlayerError, match=r"26\.72"):
        api.call("damage_marker_shares", {"damage": 10, "facilities": [{"kind": "city"}], "shares": [1]})


@pytest.mark.ledger("26.74")
def test_an_oil_center_takes_one_marker_and_more_only_if_its_production_is_said() -> None:
    center = {"kind": "oil center"}
    told = api.call("industrial_damage", {"damage": 7, "facility": center})
    assert (told["markers"], told["state"]) == (1, "damaged")
    with pytest.raises(PlayerError, match=r"26\.74.*production"):
        api.call("industrial_damage", {"damage": 12, "facility": center})
    with pytest.raises(PlayerError, match=r"26\.74.*production"):
        api.call("industrial_damage", {"damage": 7, "facility": {**center, "markers": 1}})
    told = api.call("industrial_damage", {"damage": 12, "facility": {**center, "production": 3}})
    assert told["markers_on_facility"] == 2


@pytest.mark.ledger("26.451.1")
def test_with_the_roll_of_one_side_only_its_result_is_told() -> None:
    asked = {"attacker": {"strategic_bombers": 2}, "defender": {"aaf": 2}}
    mine = api.call("bombing_air_combat", {**asked, "attacker_roll": 7})
    assert "attacker_result" in mine and "defender_result" not in mine
    other = api.call("bombing_air_combat", {**asked, "defender_roll": 7})
    assert "defender_result" in other and "attacker_result" not in other
