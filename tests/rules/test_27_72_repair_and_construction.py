"""27.721, 27.7262: what repair and construction take, ships sunk in port, and the construction chart."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import SEASONS
from flagplot.model.yards import YardShip, season_after
from flagplot.rules.strategic import yards

RULES = ruleset()


@pytest.mark.ledger("27.721.T1")
def test_transports_are_repaired_at_once_and_free_and_built_at_once_for_a_point() -> None:
    assert costs("transport") == ([0, 0], [0, 1])


@pytest.mark.ledger("27.721.T2", "27.721.T3", "27.721.N3")
@pytest.mark.parametrize(("unit", "turns"), [("submarine", 0), ("ASW", 0), ("destroyer", 1), ("CVE", 1)])
def test_other_units_of_one_factor_are_never_damaged_and_cost_a_point(unit: str, turns: int) -> None:
    assert costs(unit) == (None, [turns, 1])


@pytest.mark.ledger("27.721.T4")
def test_cruisers_are_repaired_in_a_turn_and_free() -> None:
    assert costs("cruiser") == ([1, 0], [2, 2])


@pytest.mark.ledger("27.721.T5", "27.721.T6", "27.721.T7", "27.721.T8")
@pytest.mark.parametrize(("size", "turns"), [(2, 4), (3, 8), (4, 12), (5, 16)])
def test_named_ships_are_repaired_in_two_turns_for_a_point_and_cost_their_size(size: int, turns: int) -> None:
    assert costs(f"{size}-factor") == ([2, 1], [turns, size])


def costs(unit: str) -> tuple[Any, Any]:
    told = api.call("ship_costs", {"units": [unit]})
    return told["repairs"][0], told["costs"][0]


@pytest.mark.ledger("27.721.N4")
def test_ships_of_three_or_more_factors_may_be_accelerated() -> None:
    told = api.call("ship_costs")
    accelerated = [unit for unit, may in zip(told["units"], told["may_be_accelerated"], strict=True) if may]
    assert accelerated == ["3-factor", "4-factor", "5-factor"]


@pytest.mark.ledger("27.721.N5")
def test_what_takes_turns_may_be_deferred() -> None:
    told = api.call("ship_costs", {"units": ["cruiser", "5-factor", "submarine"]})
    assert told["may_be_deferred"] == [True, True, False]


@pytest.mark.ledger("27.721.N6")
def test_only_the_united_states_build_escort_carriers() -> None:
    def may(nation: str, unit: str) -> bool:
        return bool(api.call("may_build_ship", {"nation": nation, "unit": unit})["may"])

    assert may("United States", "CVE") and may("Japan", "destroyer")
    assert not may("Britain", "CVE") and not may("Japan", "CVE")


@pytest.mark.ledger("27.721.N6", "27.7262.4", "25.64A")
def test_units_boxes_and_the_us_may_be_written_otherwise() -> None:
    assert api.call("may_build_ship", {"nation": "U.S.", "unit": "cve"})["may"]
    assert not api.call("raise_ship", {"unit": "cve"})["may"]
    assert api.call("raise_ship", {"unit": "3-factor battleship"})["may"]
    assert api.call("ship_costs", {"units": ["cruisers"]})["units"] == ["cruiser"]
    with pytest.raises(PlayerError, match="no row for 'yacht'"):
        api.call("raise_ship", {"unit": "yacht"})
    assert api.call("yard_place", {"unit": "Cruiser", "side": "axis", "season": "Spring"})["turns"] == 2
    assert api.call("carrier_effects", {"box": "atlantic", "cves": 6})["submarine_warfare"] == -1


@pytest.mark.ledger("27.7262.1", "27.721.N1", "27.7262.3")
@pytest.mark.parametrize("unit", ["2-factor", "3-factor", "4-factor", "5-factor"])
def test_a_named_ship_sunk_in_port_is_raised_to_damaged_for_a_point_and_three_brps(unit: str) -> None:
    told = api.call("raise_ship", {"unit": unit})
    assert (told["may"], told["shipbuilding"], told["brps"], told["becomes"]) == (True, 1, 3, "damaged")
    assert told["repair_this_player_turn"] is False


@pytest.mark.ledger("27.7262.4", "27.721.N2")
@pytest.mark.parametrize("unit", ["cruiser", "destroyer", "CVE", "transport", "submarine"])
def test_cruisers_destroyers_and_escort_carriers_sunk_in_port_are_lost(unit: str) -> None:
    told = api.call("raise_ship", {"unit": unit})
    assert (told["may"], told["shipbuilding"], told["brps"], told["becomes"]) == (False, 0, 0, "lost")


@pytest.mark.ledger("27.7262.2", "27.7262.3")
def test_a_sunk_ship_moves_only_once_raised_and_is_repaired_from_the_next_player_turn() -> None:
    assert not yards.hulk_may("move", raised=False).holds
    assert not yards.hulk_may("repair", raised=False).holds
    assert yards.hulk_may("move", raised=True, raised_this_player_turn=True).holds
    assert not yards.hulk_may("repair", raised=True, raised_this_player_turn=True).holds
    assert yards.hulk_may("repair", raised=True).holds


# -- the chart -------------------------------------------------------------------------------------


def placed(unit: str, season: str, **more: Any) -> tuple[int, str | None, int | None]:
    told = api.call("yard_place", {"unit": unit, "side": "axis", "season": season, **more})
    return told["turns"], told["column"], told["row"]


@pytest.mark.ledger("27.721.T5", "27.721.T6", "27.721.T8", "27.721.T4", "27.721.T2")
def test_a_ship_stands_as_many_turns_ahead_as_she_takes() -> None:
    assert placed("destroyer", "Spring") == (1, "Summer", 1)
    assert placed("cruiser", "Winter") == (2, "Summer", 1)
    assert placed("2-factor", "fall") == (4, "Fall", 1)
    assert placed("3-factor", "Fall") == (8, "Fall", 2)
    assert placed("5-factor", "Fall") == (16, "Fall", 4)
    assert placed("5-factor", "Fall", repair=True) == (2, "Spring", 1)
    assert placed("submarine", "Fall") == (0, None, None)
    with pytest.raises(PlayerError, match="never damaged"):
        placed("submarine", "Fall", repair=True)
    with pytest.raises(PlayerError, match="no row"):
        placed("raft", "Fall")


@pytest.mark.ledger("27.721.T4", "27.721.T6")
@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("unit", ["destroyer", "cruiser", "2-factor", "3-factor", "4-factor", "5-factor"])
def test_a_ship_is_launched_when_her_turns_are_over(side: Side, unit: str) -> None:
    turns = yards.construction_cost(RULES, unit).turns
    for season in SEASONS:
        ship: YardShip | None = yards.place_on_chart(YardShip("X", side, 5, season), turns, season)
        passed = 0
        while ship is not None:
            passed += 1
            if side is Side.ALLIES:  # bombed in the Axis part of this turn, before her owner's own
                assert yards.turns_to_launch(ship, season_after(season, passed)) == turns - passed
            ship = yards.next_on_chart(ship, season_after(season, passed))
            if ship is not None and side is Side.AXIS:  # bombed in the Allied part, after her owner's own
                assert yards.turns_to_launch(ship, season_after(season, passed)) == turns - passed
        assert passed == turns


def test_what_takes_no_turn_is_not_on_the_chart() -> None:
    with pytest.raises(ValueError, match="not placed"):
        yards.place_on_chart(YardShip("X", Side.AXIS, 1, "Spring"), 0, "Spring")


# -- the other charts ------------------------------------------------------------------------------


@pytest.mark.ledger("ARE.0", "ARE.1", "ARE.2", "ARE.3")
def test_the_air_range_chart() -> None:
    told = api.call("air_range")
    assert told["rows"] == [[4, 4, 3, 3], [8, 4, 6, 3], [16, 8, 12, 6], [24, 12, 18, 9]]
    assert told["sw_modifiers"] == [0, 1, 2, 3]
    assert told["army_air"] == {"Europe": 4, "Pacific": 3}
    for wrong in (-1, 4):
        with pytest.raises(PlayerError, match="air range results"):
            api.call("air_range", {"results": [wrong]})


@pytest.mark.ledger("CET.1", "CET.2", "CET.3", "CET.4", "CET.5", "CET.6", "CET.7", "CET.8", "CET.9", "CET.N")
def test_the_carrier_effects_chart() -> None:
    chart = {0: (0, 0), 3: (0, 1), 6: (1, 2), 9: (1, 3), 12: (2, 4), 15: (2, 4), 18: (3, 4), 21: (3, 4), 24: (4, 4)}
    for first, (atlantic, elsewhere) in chart.items():
        for cves in (first, first + 2):
            for box, points in (("Atlantic", atlantic), ("Indian Ocean", elsewhere), ("Pacific", elsewhere)):
                told = api.call("carrier_effects", {"box": box, "cves": cves})
                assert told == {"submarine_warfare": -points, "raiders": points}
    assert api.call("carrier_effects", {"box": "Atlantic", "cves": 60})["raiders"] == 4
    assert [RULES.carrier_effects.label(row) for row in (0, 3, 8)] == ["0-2", "9-11", "24+"]
    for wrong in ({"box": "Baltic", "cves": 3}, {"box": "Pacific", "cves": -1}):
        with pytest.raises(PlayerError):
            api.call("carrier_effects", wrong)
    with pytest.raises(ValueError, match="there are Atlantic"):
        RULES.carrier_effects.raiders("Baltic", 3)
