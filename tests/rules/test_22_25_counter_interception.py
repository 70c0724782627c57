"""22.16, 22.25: counter-interception in the interception hex and outside it, and several interceptors on one path."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

COUNTER = "counter-interception"
AGAIN = "counter-counter-interception"


def counter(place: str, *forces: tuple[int, list[int]], level: str = COUNTER, kind: str = "TF") -> list[dict[str, Any]]:
    """Counter-interceptions of one intercepting TF, spotted by two squadrons."""
    asked = {
        "level": level,
        "place": place,
        "target": {"activity": "interception", "task_forces": 1},
        "spotters": 2,
        "forces": [{"id": str(n), "distance": far, "dice": dice, "kind": kind} for n, (far, dice) in enumerate(forces)],
    }
    return list(api.call("interception", asked)["forces"].values())


# -- where it happens ------------------------------------------------------------------------------


@pytest.mark.ledger("22.251", "22.16")
@pytest.mark.parametrize("place", ["interception hex", "elsewhere"])
def test_a_successful_counter_interceptor_fights_in_round_one(place: str) -> None:
    (came,) = counter(place, (3, [1, 1, 1, 1, 1]))
    assert (came["success"], came["arrival_round"], came["stays_in_port"]) == (True, 1, False)


@pytest.mark.ledger("22.252A.1", "22.252A.2", "22.161A.2")
def test_in_the_interception_hex_failed_counters_join_late_though_all_failed() -> None:
    first, second = counter("interception hex", (9, [1, 1, 1, 1]), (5, [1, 1, 1, 1]))
    assert (first["success"], first["arrival_round"]) == (False, 3)
    assert (second["success"], second["arrival_round"]) == (False, 2)
    assert not first["stays_in_port"] and first["may_be_countered"]


@pytest.mark.ledger("22.252B.1")
def test_elsewhere_failed_counters_join_the_battle_of_one_that_succeeded() -> None:
    first, second = counter("elsewhere", (2, [1, 1]), (7, [1, 1]))
    assert (first["arrival_round"], second["arrival_round"]) == (1, 3)


@pytest.mark.ledger("22.252B.2")
def test_elsewhere_they_go_back_to_port_if_all_failed() -> None:
    for came in counter("elsewhere", (5, [1, 1]), (7, [1, 1])):
        assert (came["arrival_round"], came["stays_in_port"], came["goes"]) == (None, False, "original base")
        assert came["may_be_countered"]  # they did sail


@pytest.mark.ledger("22.255", "22.252A.2")
@pytest.mark.parametrize("place", ["interception hex", "counter-interception hex"])
def test_counter_counters_are_counters_one_level_up(place: str) -> None:
    (came,) = counter(place, (9, [1, 1, 1, 1, 1]), level=AGAIN)
    assert (came["dice"], came["arrival_round"]) == (5, 2)


@pytest.mark.ledger("22.17")
def test_nobody_intercepts_a_counter_counter_interceptor() -> None:
    (came,) = counter("elsewhere", (1, [1, 1, 1]), level=AGAIN)
    assert not came["may_be_countered"]
    (came,) = counter("elsewhere", (9, [1, 1, 1]), level=AGAIN)
    assert not came["may_be_countered"]


@pytest.mark.ledger("22.11.2", "22.16", "22.164", "22.17")
def test_the_levels_follow_each_other_and_end_with_the_third() -> None:
    told = [api.call("interception_order", {"level": level}) for level in ("interception", COUNTER, AGAIN)]
    assert [each["next"] for each in told] == [COUNTER, AGAIN, None]
    assert [each["rolls"] for each in told] == ["other player", "moving player", "other player"]


@pytest.mark.ledger("22.19")
def test_whoever_is_intercepted_sets_the_order() -> None:
    told = [api.call("interception_order", {"level": level}) for level in ("interception", COUNTER, AGAIN)]
    assert [each["sets_the_order"] for each in told] == ["moving player", "other player", "moving player"]


# -- whom it meets ---------------------------------------------------------------------------------

NORTH = {"id": "N", "result": 12, "distance": 6, "path": "north"}
NORTH_TOO = {"id": "M", "result": 3, "distance": 6, "path": "north", "task_forces": 2, "reached": False}
SOUTH = {"id": "S", "result": 12, "distance": 6, "path": "south"}


def met(at: str, place: str = "elsewhere", **options: str) -> tuple[list[str], int, str]:
    asked = {"forces": [NORTH, NORTH_TOO, SOUTH], "at": at, "place": place}
    told = api.call("counter_target", asked, options=options)
    return told["meets"], told["task_forces"], told["counted_with"]


@pytest.mark.ledger("22.253", "22.162", "22.22E")
def test_outside_the_interception_hex_those_on_one_path_are_met_and_counted_together() -> None:
    assert met("N")[:2] == met("M")[:2] == (["N", "M"], 3)
    assert met("S")[:2] == (["S"], 1)


@pytest.mark.ledger("22.22E")
def test_in_it_those_whose_dice_reached_it() -> None:
    assert met("N", "interception hex")[:2] == (["N", "S"], 2)


@pytest.mark.ledger("22.22E")
def test_the_tfs_of_each_force_by_itself_count_where_the_players_say_so() -> None:
    assert met("M", countered_tf_count="each_force")[1] == 2
    assert met("S", "interception hex", countered_tf_count="each_force")[1] == 1


@pytest.mark.ledger("22.22K")
def test_counter_attempts_are_counted_by_path_outside_the_hex_and_together_in_it() -> None:
    assert met("N")[2] == met("M")[2] != met("S")[2]
    assert met("N", "interception hex")[2] == met("S", "interception hex")[2]
    assert met("N", counter_attempts_counted="by_force")[2] != met("M", counter_attempts_counted="by_force")[2]
    assert met("S", "interception hex", counter_attempts_counted="by_force")[2] == "S"


@pytest.mark.ledger("22.22K", "22.22K.2")
def test_counters_at_different_paths_cost_each_other_nothing() -> None:
    north, south = met("N")[2], met("S")[2]
    asked = {
        "level": COUNTER,
        "targets": {
            north: {"activity": "interception", "task_forces": 3},
            south: {"activity": "interception", "task_forces": 1},
        },
        "forces": [
            {"id": "C", "distance": 3, "against": north},
            {"id": "D", "distance": 3, "against": north},
            {"id": "E", "distance": 3, "against": south},
        ],
    }
    assert api.call("interception_dice", asked)["dice"] == {"C": 2, "D": 2, "E": 1}


# -- several on one path ---------------------------------------------------------------------------


def combined(
    *forces: tuple[int, int], theatre: str = "Europe", options: dict[str, str] | None = None, **more: Any
) -> Any:
    """Interceptors 0, 1, ... on one path: what each rolled, and the distance to the counter-interception hex."""
    asked = {
        "forces": [{"id": str(n), "result": result, "distance": far} for n, (result, far) in enumerate(forces)],
        "at": "0",
        "theatre": theatre,
        **more,
    }
    return api.call("counter_combined", asked, options=options)


@pytest.mark.ledger("22.254", "22.254A.1", "22.254A.2", "22.254B", "22.162")
def test_those_that_got_so_far_fight_in_round_one_and_the_others_later() -> None:
    assert combined((6, 6), (5, 6), (1, 6), (9, 6))["rounds"] == {"0": 1, "1": 2, "2": 3, "3": 1}
    assert combined((6, 6), (5, 6), (3, 6), theatre="pacific")["rounds"] == {"0": 1, "1": 2, "2": 3}


@pytest.mark.ledger("22.254A.1")
def test_if_none_got_so_far_the_battle_begins_with_the_first_unless_the_players_say_otherwise() -> None:
    late = ((5, 6), (1, 6))
    assert combined(*late)["rounds"] == {"0": 1, "1": 2}
    assert combined(*late, options={"late_counter_battle": "from_start"})["rounds"] == {"0": 2, "1": 3}


@pytest.mark.ledger("22.253", "22.254F")
def test_those_on_other_paths_neither_help_nor_are_held_up() -> None:
    told = api.call("counter_combined", {"forces": [NORTH, NORTH_TOO, SOUTH], "at": "M"})
    assert told["involved"] == ["N", "M"]
    assert told["others"] == {"S": {"may_support": False, "goes_on": True}}


@pytest.mark.ledger("22.254C", "22.254D")
def test_beaten_interceptors_all_go_home_the_late_ones_too() -> None:
    told = combined((6, 6), (1, 6), won=False, arrival_rounds={"0": 1, "1": 3})
    assert told["involved"] == ["0", "1"]
    assert told["afterwards"] == {"0": None, "1": None}
    assert told["may"] == {"0": ["go home"], "1": ["go home"]}


@pytest.mark.ledger("22.254E", "22.161B.2")
def test_victorious_interceptors_go_on_or_go_home_as_they_like() -> None:
    told = combined((6, 6), (1, 6), won=True, arrival_rounds={"0": 1, "1": 3})
    assert told["afterwards"] == {"0": 1, "1": 3}
    assert told["may"] == {"0": ["go on", "go home"], "1": ["go on", "go home"]}


@pytest.mark.ledger("22.161B.2")
def test_a_counter_battle_delays_them_where_the_players_say_so() -> None:
    late = {"arrival_after_counter_battle": "delayed"}
    told = combined((6, 6), won=True, lasted=2, arrival_rounds={"0": 1}, options=late)
    assert told["afterwards"] == {"0": 3}


@pytest.mark.parametrize("call", ["counter_target", "counter_combined"])
def test_a_force_that_is_not_there_is_refused(call: str) -> None:
    with pytest.raises(PlayerError, match="'Z' is none of the intercepting forces; there are N"):
        api.call(call, {"forces": [NORTH], "at": "Z"})
