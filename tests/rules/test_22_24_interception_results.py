"""22.23, 22.24, 22.163: success, failure, the round a force enters, and the support of patrols."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

SUB = "submarine"


def resolve(
    *forces: dict[str, Any], options: dict[str, str] | None = None, task_forces: int = 2, **more: Any
) -> dict[str, dict[str, Any]]:
    """Forces A, B, ... against a base change of so many TFs, each with its own dice."""
    asked = {
        "target": {"activity": "base change", "task_forces": task_forces},
        "forces": [{"id": "ABCDE"[n], **force} for n, force in enumerate(forces)],
        **more,
    }
    return api.call("interception", asked, options=options)["forces"]


def rounds(*forces: dict[str, Any], **more: Any) -> list[int | None]:
    return [came["arrival_round"] for came in resolve(*forces, **more).values()]


def force(distance: int, *dice: int, **more: Any) -> dict[str, Any]:
    return {"distance": distance, "dice": list(dice), **more}


# -- success ---------------------------------------------------------------------------------------


@pytest.mark.ledger("22.21", "22.23", "22.24")
@pytest.mark.parametrize(("dice", "success"), [((3, 4), False), ((4, 4), True), ((4, 5), True)])
def test_the_total_must_equal_the_distance(dice: tuple[int, int], success: bool) -> None:
    came = resolve(force(8, *dice))["A"]
    assert (came["dice"], came["total"], came["needed"], came["success"]) == (2, sum(dice), 8, success)
    assert came["arrival_round"] == (1 if success else None)


@pytest.mark.ledger("22.23.2")
def test_the_distance_is_that_of_the_path_announced_not_the_shortest() -> None:
    shortest, announced = 8, 11
    assert resolve(force(shortest, 4, 5))["A"]["success"]
    assert not resolve(force(announced, 4, 5))["A"]["success"]


@pytest.mark.ledger("22.23")
def test_in_its_own_port_hex_any_die_is_enough() -> None:
    assert rounds(force(0, 1), task_forces=1) == [1]


@pytest.mark.ledger("22.21T.14")
@pytest.mark.parametrize(("dice", "result", "success"), [((1, 1), 1, False), ((1, 2), 2, True), ((2, 2), 2, True)])
def test_in_the_pacific_the_total_is_halved_and_rounded_up(dice: tuple[int, int], result: int, success: bool) -> None:
    came = resolve(force(2, *dice), theatre="Pacific")["A"]
    assert (came["total"], came["result_after_theatre"], came["success"]) == (sum(dice), result, success)


# -- complete failure ------------------------------------------------------------------------------


@pytest.mark.ledger("22.24A.1", "22.24A.2", "22.25.2")
def test_if_all_fail_nobody_has_sailed_and_nobody_can_be_countered() -> None:
    came = resolve(force(9, 4), force(8, 3))
    for each in came.values():
        assert (each["dice"], each["success"], each["arrival_round"]) == (1, False, None)
        assert each["stays_in_port"] and not each["may_be_countered"] and each["spent"]


@pytest.mark.ledger("22.24B.3", "22.25.2")
def test_a_submarine_in_time_does_not_let_surface_forces_join() -> None:
    came = resolve(force(9, 4, 4), force(3, 3, kind=SUB))
    assert (came["A"]["arrival_round"], came["A"]["stays_in_port"], came["A"]["may_be_countered"]) == (
        None,
        True,
        False,
    )
    assert (came["B"]["success"], came["B"]["arrival_round"]) == (True, 1)


# -- partial failure -------------------------------------------------------------------------------


@pytest.mark.ledger("22.24B", "22.24B.1")
@pytest.mark.parametrize(
    ("short", "entry"), [(0, 1), (1, 2), (4, 2), (5, 3), (8, 3), (9, 4), (12, 4), (13, 5), (16, 5), (17, 6)]
)
def test_in_europe_a_force_is_a_round_late_for_every_four_hexes_short(short: int, entry: int) -> None:
    assert rounds(force(1, 6), force(3 + short, 3)) == [1, entry]


@pytest.mark.ledger("22.24B", "22.24B.2")
@pytest.mark.parametrize(("short", "entry"), [(0, 1), (1, 2), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5)])
def test_in_the_pacific_for_every_two(short: int, entry: int) -> None:
    assert rounds(force(1, 6), force(2 + short, 3), theatre="Pacific") == [1, entry]


@pytest.mark.ledger("22.25.1")
def test_late_forces_may_be_countered_as_well() -> None:
    came = resolve(force(1, 6), force(9, 2))
    assert came["A"]["may_be_countered"] and came["B"]["may_be_countered"] and came["B"]["may_join_later"]


@pytest.mark.ledger("22.24C", "22.21T.13")
def test_a_force_without_dice_stays_in_port_though_others_succeed() -> None:
    came = resolve(force(1, 6, 6), force(2, slow=True, kind="loose"), task_forces=1)
    assert came["A"]["arrival_round"] == 1
    assert (came["B"]["dice"], came["B"]["arrival_round"], came["B"]["stays_in_port"]) == (0, None, True)
    assert not came["B"]["may_be_countered"]


@pytest.mark.ledger("22.24C", "22.22K")
def test_who_declared_for_nothing_is_not_spent_unless_the_players_say_so() -> None:
    void = force(2, slow=True)
    assert not resolve(void, task_forces=1)["A"]["spent"]
    assert resolve(void, task_forces=1, options={"zero_dice_declaration": "spent"})["A"]["spent"]


@pytest.mark.ledger("22.24C", "22.22K")
def test_who_has_no_die_because_of_the_others_is_spent() -> None:
    came = resolve(force(2), force(2), task_forces=1)
    assert all(each["spent"] and each["stays_in_port"] and not each["dice"] for each in came.values())


@pytest.mark.ledger("22.22", "22.21T.17")
def test_who_is_out_of_range_cannot_try_and_loses_nothing_by_it() -> None:
    came = resolve(force(41), force(5, 4, 4))
    assert (came["A"]["may_attempt"], came["A"]["spent"], came["A"]["stays_in_port"]) == (False, False, True)
    assert came["B"]["dice"] == 2


# -- submarines ------------------------------------------------------------------------------------


@pytest.mark.ledger("22.24B", "22.911", "22.916A")
def test_a_submarine_that_fell_short_joins_late_unless_the_players_say_no() -> None:
    boat = force(5, 3, kind=SUB)
    assert rounds(force(1, 6, 6), boat) == [1, 2]
    assert rounds(force(1, 6, 6), boat, options={"failed_submarine_joins": "no"}) == [1, None]
    assert rounds(force(1, 6, 6), {**boat, "hex": "elsewhere"}) == [1, None]
    assert rounds(force(20, 6, 6), boat) == [None, None]


@pytest.mark.ledger("22.917")
def test_intercepting_submarines_are_never_countered() -> None:
    came = resolve(force(1, 6, 6), force(1, 3, kind=SUB), force(6, 3, kind=SUB))
    assert [each["may_be_countered"] for each in came.values()] == [True, False, False]


# -- Magic -----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22K.4")
def test_a_magic_interception_arrives_as_it_is_entered_and_starts_a_battle() -> None:
    assert rounds(force(9, 2, 3), {"distance": 9, "magic": 1}) == [2, 1]
    assert rounds(force(9, 2, 3), {"distance": 9, "magic": 2}) == [None, None]
    assert rounds(force(1, 2, 3), {"distance": 9, "magic": 2}) == [1, 2]
    assert rounds(force(1, 2, 3), {"distance": 9, "magic": 0}) == [1, None]


@pytest.mark.ledger("22.22K.4", "22.116")
@pytest.mark.parametrize(("magic", "spent"), [(0, False), (1, True)])
def test_a_magic_interception_that_never_comes_has_spent_nobody(magic: int, spent: bool) -> None:
    came = resolve(force(1, 2, 3), {"distance": 9, "magic": magic})
    assert [each["spent"] for each in came.values()] == [True, spent]


# -- who was stopped on the way --------------------------------------------------------------------


@pytest.mark.ledger("22.24B", "22.26C")
def test_late_forces_go_home_if_the_only_one_in_time_was_stopped_unless_the_players_say_otherwise() -> None:
    asked = {"rounds": {"A": 1, "B": 2, "C": None}, "stopped": ["A"]}
    assert api.call("who_is_left", asked) == {"rounds": {"A": None, "B": None, "C": None}, "battle": False}
    told = api.call("who_is_left", asked, options={"late_forces_alone": "fight"})
    assert told == {"rounds": {"A": None, "B": 2, "C": None}, "battle": True}
    assert api.call("who_is_left", {"rounds": {"A": 1, "B": 2, "D": 1}, "stopped": ["A"]})["rounds"] == {
        "A": None,
        "B": 2,
        "D": 1,
    }


# -- dice ------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.21", "22.14B.1", "22.114")
def test_each_force_rolls_its_own_dice_in_their_order() -> None:
    asked = {
        "target": {"activity": "base change", "task_forces": 3},
        "forces": [{"id": "A", "distance": 3}, {"id": "B", "distance": 3}, {"id": "S", "distance": 3, "kind": SUB}],
    }
    told = api.call("interception", asked, dice=[1, 2, 3, 4, 5, 6, 6])
    assert {name: each["rolled"] for name, each in told["forces"].items()} == {"A": [1, 2], "B": [3, 4], "S": [5, 6]}
    assert told["dice_used"] == 6 and told["naval_combat"]


@pytest.mark.parametrize(
    ("dice", "own", "words"),
    [([1], [], "A rolls 2, 1 are left"), ([], [4], "A rolls 2, 1"), ([], [7, 7], "7 is not a die")],
)
def test_dice_that_do_not_do_are_refused(dice: list[int], own: list[int], words: str) -> None:
    asked = {"target": {"task_forces": 2}, "forces": [{"id": "A", "distance": 3, "dice": own}]}
    with pytest.raises(PlayerError, match=words):
        api.call("interception", asked, dice=dice)


# -- patrols ---------------------------------------------------------------------------------------


@pytest.mark.ledger("22.163", "22.163B", "22.163C", "22.163C.1", "22.21T.15", "22.916B")
def test_in_europe_a_patrol_supports_by_its_distance() -> None:
    distances = [0, 1, 3, 4, 7, 8, 11, 12, 15, 16]
    assert api.call("patrol_support", {"distances": distances})["rounds"] == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]


@pytest.mark.ledger("22.163C", "22.163C.2", "22.21T.15")
def test_in_the_pacific_a_patrol_is_a_round_later_for_every_two_hexes_beyond_three() -> None:
    distances = [0, 3, 4, 5, 6, 7, 8]
    assert api.call("patrol_support", {"distances": distances, "theatre": "Pacific"})["rounds"] == [1, 1, 2, 2, 3, 3, 4]


@pytest.mark.ledger("22.163D", "22.163E")
def test_a_patrol_that_took_part_adopts_the_mission_and_one_that_came_too_late_goes_back() -> None:
    told = api.call("patrol_support", {"distances": [3, 4], "lasted": 1})["patrols"]
    assert [(each["fights"], each["adopts_mission"], each["goes"], each["usable_later"]) for each in told] == [
        (True, True, "", False),
        (False, False, "patrol hex", True),
    ]
    beaten = api.call("patrol_support", {"distances": [3], "lasted": 1, "victorious": False})["patrols"]
    assert not beaten[0]["adopts_mission"]


def test_a_patrol_cannot_be_fewer_than_no_hexes_off() -> None:
    with pytest.raises(PlayerError, match="-1 is no number of hexes"):
        api.call("patrol_support", {"distances": [-1]})
