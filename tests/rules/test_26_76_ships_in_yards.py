"""26.76: bombing of ships under repair or construction, with the printed example of the Gneisenau."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.strategic_war import SEASONS
from flagplot.model.yards import YardShip
from flagplot.rules.strategic import yards
from flagplot.tables.sw_combat import SwResult


def moved(size: int, side: str, column: str, row: int, season: str, result: str, additional: int = 0) -> dict[str, Any]:
    asked = {
        "size": size,
        "side": side,
        "column": column,
        "row": row,
        "current_season": season,
        "result": result,
        "additional": additional,
    }
    return api.call("yard_move", asked)


@pytest.mark.ledger("26.761-EX", "26.761A", "26.761B", "26.761C.1", "26.761E", "26.76.1", "26.76.2")
def test_the_gneisenau_at_kiel_in_spring_1942() -> None:
    kiel = api.call("target_strength", {"defences": {"cities_or_ports": 2, "anchors": 1}})["strength"]
    asked = {"bombers": {"strategic_bombers": 3}, "target_strength": kiel}
    told = api.call("yard_bombing", asked, dice=[4, 5, 1, 3])
    assert (told["attacker_result"], told["defender_result"]) == ("1/1", "1/1")
    assert (told["bombers_reaching"], told["total"], told["columns"]) == (1, "2/1", 5)
    assert told["brps_lost"] == 0
    told = moved(3, "axis", "Fall", 1, "Spring", "2/1")
    assert told == {"columns": 5, "eliminated": False, "column": "Winter", "row": 2, "delay": 5}


@pytest.mark.ledger("26.76.1", "26.76.2", "24.65")
def test_each_additional_loss_is_one_more_result_of_two_columns() -> None:
    asked = {
        "bombers": {"strategic_bombers": 4},
        "target_strength": 0,
        "net_modifier": 2,
        "attacker_roll": 5,
        "defender_roll": 7,
    }
    told = api.call("yard_bombing", asked)  # row 4 at 7: 1/1; two for the modifier, four get through
    assert (told["attacker_result"], told["additional_1_0_results"], told["total"]) == ("1/1", 6, "7/1")
    assert told["columns"] == 15


@pytest.mark.ledger("26.761A", "26.761B")
def test_a_first_number_is_two_columns_and_a_second_one() -> None:
    assert yards.columns_moved(SwResult(1, 0)) == 2
    assert yards.columns_moved(SwResult(0, 1)) == 1
    assert yards.columns_moved(SwResult(3, 2)) == 8


@pytest.mark.ledger("26.761C.1")
def test_an_axis_ship_goes_up_a_row_when_she_leaves_the_current_season() -> None:
    assert moved(4, "axis", "Spring", 1, "Spring", "0/1")["row"] == 2
    told = moved(4, "axis", "Winter", 1, "Spring", "0/1")  # she stops in it
    assert (told["column"], told["row"]) == ("Spring", 1)
    assert moved(4, "axis", "Winter", 1, "Spring", "1/0")["row"] == 2


@pytest.mark.ledger("26.761C.2")
def test_an_allied_ship_goes_up_a_row_when_she_enters_the_current_season() -> None:
    told = moved(4, "allies", "Winter", 1, "Spring", "0/1")
    assert (told["column"], told["row"]) == ("Spring", 2)
    assert moved(4, "allies", "Spring", 1, "Spring", "0/1")["row"] == 1
    assert moved(4, "allies", "Spring", 1, "Spring", "2/0")["row"] == 2


@pytest.mark.ledger("26.761D")
def test_a_ship_pushed_above_her_size_is_eliminated() -> None:
    for side in ("axis", "allies"):
        assert moved(2, side, "Summer", 2, "Summer", "2/1")["eliminated"]
        assert not moved(3, side, "Summer", 2, "Summer", "2/0")["eliminated"]


@pytest.mark.ledger("26.761E")
def test_winter_and_spring_adjoin() -> None:
    assert moved(5, "axis", "Winter", 1, "Summer", "0/1")["column"] == "Spring"


@given(
    st.sampled_from(list(Side)),
    st.sampled_from(SEASONS),
    st.sampled_from(SEASONS),
    st.integers(1, 2),
    st.integers(0, 12),
)
def test_every_column_costs_one_turn_for_either_side(side: Side, column: str, season: str, row: int, n: int) -> None:
    ship = YardShip("X", side, 9, column, row)
    after = yards.bombed_ship(ship, n, season)
    assert after is not None
    assert yards.turns_to_launch(after, season) == yards.turns_to_launch(ship, season) + n


@pytest.mark.ledger("26.76.3")
def test_the_bombing_player_spreads_whole_results_over_ships() -> None:
    total = SwResult(2, 1)
    assert yards.shares_agree(total, [SwResult(1, 0), SwResult(1, 1)]).holds
    assert yards.shares_agree(total, [SwResult(1, 0)]).holds
    assert yards.shares_agree(total, []).holds
    assert not yards.shares_agree(total, [SwResult(2, 0), SwResult(1, 0)]).holds
    assert not yards.shares_agree(total, [SwResult(0, 2)]).holds
    assert not yards.shares_agree(total, [SwResult(3, 0), SwResult(-1, 0)]).holds
    told = api.call("yard_shares", {"total": "2/1", "shares": ["1/0", "1/1"]})
    assert (told["may"], told["columns"]) == (True, [2, 3])
    assert not api.call("yard_shares", {"total": "2/1", "shares": ["2/0", "1/1"]})["may"]
    with pytest.raises(PlayerError, match="looks like 2/1"):
        api.call("yard_shares", {"total": "2", "shares": []})


@pytest.mark.ledger("26.761C.2")
def test_allied_and_allies_are_the_same_side() -> None:
    assert moved(2, "Allied", "Winter", 1, "Spring", "0/1") == moved(2, "allies", "Winter", 1, "Spring", "0/1")
    assert moved(2, "Allied", "Winter", 1, "Spring", "0/1")["row"] == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 6},
        {"size": 0},
        {"row": 0},
        {"row": 6},
        {"side": "pirates"},
        {"column": "Monsoon"},
        {"season": "Monsoon"},
        {"result": "many"},
        {"result": "-1/0"},
        {"additional": -1},
    ],
)
def test_what_is_not_on_the_chart_is_refused(wrong: dict[str, Any]) -> None:
    asked = {"size": 3, "side": "axis", "column": "Fall", "row": 1, "season": "Spring", "result": "1/0", **wrong}
    with pytest.raises(PlayerError):
        moved(**asked)
