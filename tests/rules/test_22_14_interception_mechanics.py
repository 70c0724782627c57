"""22.14, 22.141: announcing attempts, and whom an interception catches."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError


def wrong(*attempts: dict[str, Any]) -> list[str]:
    told = api.call(
        "announced_interceptions", {"announced": [{"target": "X", "hex": "H", **each} for each in attempts]}
    )
    assert told["allowed"] is not bool(told["wrong"])
    return [rule for rule, _ in told["wrong"]]


# -- attempts --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.14A.1")
def test_ships_of_one_port_may_go_for_different_targets() -> None:
    assert (
        wrong({"id": "A", "port": "Malta", "units": ["a"]}, {"id": "B", "port": "Malta", "target": "Y", "hex": "K"})
        == []
    )


@pytest.mark.ledger("22.14A.2")
def test_a_unit_has_one_target() -> None:
    assert wrong({"id": "A", "units": ["Hood", "Renown"]}, {"id": "B", "target": "Y", "units": ["Hood"]}) == ["22.14A"]


@pytest.mark.ledger("22.13A", "22.12B.1", "22.14E")
def test_each_side_of_a_strait_is_a_target_with_a_hex_of_its_own() -> None:
    route = {"hexes": ["w0", "w1", "e0", "e1"], "straits": [["w1", "e0"]], "at_sea": True}

    def told(*hexes: str) -> list[str]:
        attempts = [{"id": hex, "target": "X", "hex": hex} for hex in hexes]
        answer = api.call("announced_interceptions", {"announced": attempts, "routes": {"X": route}})
        return [rule for rule, _ in answer["wrong"]]

    assert told("w1", "e1") == []
    assert told("e0", "e1") == ["22.14E"]
    assert told("w0") == ["22.12"], "where it begins at sea"


@pytest.mark.ledger("22.14B.1", "22.14C.2")
def test_several_tfs_and_the_ships_outside_them_may_go_for_one_target_from_one_port() -> None:
    assert (
        wrong(
            {"id": "A", "port": "Malta"},
            {"id": "B", "port": "Malta"},
            {"id": "C", "port": "Malta", "kind": "loose", "factors": 9},
        )
        == []
    )


@pytest.mark.ledger("22.14C.1")
def test_nine_factors_outside_tfs_go_from_one_port_for_one_target_and_not_ten() -> None:
    nine = {"id": "A", "port": "Malta", "kind": "loose", "factors": 9}
    assert wrong(nine, {**nine, "id": "B", "port": "Gibraltar"}) == []
    assert wrong(nine, {**nine, "id": "B", "target": "Y"}) == []
    assert wrong({**nine, "factors": 10}) == ["22.14C"]
    assert wrong({**nine, "factors": 5}, {**nine, "id": "B", "factors": 4}) == ["22.14C"]  # one force, IR-25


@pytest.mark.ledger("22.14E", "22.13")
def test_surface_forces_against_one_target_share_a_hex() -> None:
    assert wrong({"id": "A"}, {"id": "B", "hex": "K"}) == ["22.14E"]
    assert wrong({"id": "A"}, {"id": "B", "hex": "K", "target": "Y"}) == []


@pytest.mark.ledger("22.13E", "22.915")
def test_each_submarine_may_have_a_hex_of_its_own() -> None:
    assert (
        wrong({"id": "A"}, {"id": "S", "kind": "submarine", "hex": "K"}, {"id": "T", "kind": "submarine", "hex": "L"})
        == []
    )


# -- who is caught ---------------------------------------------------------------------------------


def caught(hex: str, *voyages: dict[str, Any], options: dict[str, str] | None = None, **more: Any) -> list[str]:
    asked = {"voyages": [{"id": f"v{n}", **each} for n, each in enumerate(voyages)], "hex": hex, "target": "v0", **more}
    return api.call("caught_together", asked, options=options)["caught"]


def voyage(*hexes: str, activity: str = "base change", **more: Any) -> dict[str, Any]:
    return {"activity": activity, "hexes": list(hexes), **more}


@pytest.mark.ledger("22.141")
def test_an_interception_catches_all_that_sail_together_through_the_hex() -> None:
    fleet = voyage("p", "a", "b", "q")
    assert caught("a", fleet, fleet, voyage("x", "y")) == ["v0", "v1"]


@pytest.mark.ledger("22.141A")
def test_paths_that_cross_in_one_hex_are_intercepted_separately() -> None:
    assert caught("b", voyage("a", "b", "c"), voyage("x", "b", "y")) == ["v0"]


@pytest.mark.ledger("22.141A")
def test_ships_meet_in_a_common_origin_and_in_a_common_destination() -> None:
    assert caught("a", voyage("a", "b", "c"), voyage("a", "x", "y")) == ["v0", "v1"]
    assert caught("c", voyage("a", "b", "c"), voyage("x", "y", "c")) == ["v0", "v1"]
    assert caught("c", voyage("a", "b", "c"), voyage("c", "y", "x")) == ["v0"]


@pytest.mark.ledger("22.141A")
def test_two_shared_hexes_in_a_row_are_sailing_together() -> None:
    first, second = voyage("a", "b", "c", "d"), voyage("x", "b", "c", "y")
    assert caught("b", first, second) == caught("c", first, second) == ["v0", "v1"]
    assert caught("b", first, second, options={"shared_route_intercepted": "separately"}) == ["v0"]
    assert caught("b", first, voyage("y", "c", "b", "x")) == ["v0"]  # they meet head on
    assert caught("b", first, voyage("x", "b", "y", "c", "z")) == ["v0"]  # not in a row


@pytest.mark.ledger("22.141B")
def test_supply_lines_to_different_zones_are_separate_and_to_one_zone_are_not() -> None:
    libya = voyage("a", "b", "c", activity="sea supply", zone="Libya")
    assert caught("b", libya, {**libya, "zone": "Greece"}) == ["v0"]
    assert caught("b", libya, libya) == ["v0", "v1"]
    assert caught("b", libya, voyage("a", "b", "c")) == ["v0", "v1"]


@pytest.mark.ledger("22.141C")
def test_each_group_of_raiders_is_separate() -> None:
    raider = voyage("a", "b", activity="raider")
    assert caught("b", raider, raider) == caught("b", voyage("a", "b"), raider) == ["v0"]


@pytest.mark.ledger("22.141D.1", "22.141D.2")
@pytest.mark.parametrize("activity", ["sea escort", "naval redeployment"])
def test_escorts_and_redeployments_are_separate_unless_combined_to_one_destination(activity: str) -> None:
    lone = voyage("a", "b", "c", activity=activity)
    joined = {**lone, "combined": "convoy"}
    assert caught("b", lone, lone) == ["v0"]
    assert caught("b", joined, joined) == ["v0", "v1"]
    assert caught("b", joined, {**joined, "combined": "other"}) == ["v0"]
    assert caught("b", joined, {**joined, "hexes": ["a", "b", "d"]}) == ["v0"]
    assert caught("b", lone, voyage("a", "b", "c")) == ["v0"]


@pytest.mark.ledger("22.141D.1")
def test_an_escort_does_not_combine_with_a_redeployment() -> None:
    escort = voyage("a", "b", "c", activity="sea escort", combined="convoy")
    assert caught("b", escort, {**escort, "activity": "naval redeployment"}) == ["v0"]


@pytest.mark.ledger("22.141E")
def test_british_and_french_forces_are_separate_while_they_do_not_cooperate() -> None:
    british, french = voyage("a", "b", nation="Britain"), voyage("a", "b", nation="France")
    assert caught("b", british, french) == ["v0", "v1"]
    assert caught("b", british, french, anglo_french_restrictions=True) == ["v0"]
    assert caught("b", british, british, anglo_french_restrictions=True) == ["v0", "v1"]


@pytest.mark.ledger("22.141", "22.22E", "22.18C")
def test_what_is_caught_together_is_one_force() -> None:
    fleets = [
        {"id": "A", "activity": "base change", "hexes": ["a", "b"], "task_forces": 2},
        {"id": "B", "activity": "sea transport", "hexes": ["a", "b"], "task_forces": 1},
        {"id": "C", "activity": "sea transport", "hexes": ["a", "b"], "task_forces": 1, "cargo": False},
    ]
    told = api.call("caught_together", {"voyages": fleets, "hex": "b", "target": "A", "returning": True})
    assert told["target"] == {
        "activity": ["base change", "sea transport"],
        "task_forces": 4,
        "cargo": True,
        "returning": True,
    }
    dice = api.call("interception_dice", {"target": told["target"], "forces": [{"id": "I", "distance": 3}]})["dice"]
    assert dice == {"I": 4 + 2}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"voyages": [voyage("a") | {"id": "A"}], "hex": "a", "target": "B"}, "'B' is none of the activities"),
        ({"voyages": [voyage("a") | {"id": "A"}], "hex": "b", "target": "A"}, "22.12: b is not on the route of A"),
        ({"voyages": [voyage() | {"id": "A"}], "hex": "b", "target": "A"}, "A: a route has at least one hex"),
        ({"voyages": [voyage("a", activity="war") | {"id": "A"}], "hex": "a", "target": "A"}, "'war' is no naval"),
    ],
)
def test_nonsense_is_refused_in_words(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(PlayerError, match=words):
        api.call("caught_together", asked)
