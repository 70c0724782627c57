"""22.12, 22.13: in which hex, how often, and what may be intercepted anew."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError


def hexes(*route: str, **more: Any) -> list[list[str]]:
    return api.call("interception_hexes", {"route": {"hexes": list(route), **more}})["rows"]


def again(since: str) -> bool:
    return bool(api.call("may_be_intercepted", {"intercepted_before": True, "since": since})["may"])


@pytest.mark.ledger("22.12.2", "22.12A", "22.13")
def test_a_force_from_port_may_be_intercepted_in_one_hex_from_its_port_to_its_destination() -> None:
    assert hexes("Malta", "a", "b", "Tripoli") == [["Malta", "a", "b", "Tripoli"]]


@pytest.mark.ledger("22.12B.1", "22.12B.2", "22.18B")
def test_a_force_at_sea_may_be_intercepted_in_hexes_it_newly_enters() -> None:
    assert hexes("activity hex", "a", "b", "Malta", at_sea=True) == [["a", "b", "Malta"]]


@pytest.mark.ledger("22.12B.2")
def test_a_force_that_stays_where_it_is_cannot_be_intercepted_there_once_more() -> None:
    assert hexes("patrol hex", at_sea=True) == []


@pytest.mark.ledger("22.13A")
@pytest.mark.parametrize("strait", [["w2", "e1"], ["e1", "w2"]])
def test_a_strait_gives_one_interception_on_each_side(strait: list[str]) -> None:
    assert hexes("port", "w1", "w2", "e1", "e2", straits=[strait]) == [["port", "w1", "w2"], ["e1", "e2"]]


@pytest.mark.ledger("22.13A")
def test_two_straits_give_three_and_a_strait_elsewhere_none() -> None:
    assert len(hexes("a", "b", "c", "d", straits=[["a", "b"], ["c", "d"]])) == 3
    assert len(hexes("a", "b", "c", straits=[["a", "c"], ["x", "y"]])) == 1


@pytest.mark.ledger("22.13A")
def test_a_side_of_a_strait_that_offers_no_hex_offers_no_interception() -> None:
    assert hexes("w1", "e1", "e2", straits=[["w1", "e1"]], at_sea=True) == [["e1", "e2"]]


@pytest.mark.ledger("22.13")
def test_a_force_intercepted_once_is_not_intercepted_again_on_its_route() -> None:
    assert not again("")


@pytest.mark.ledger("22.13A", "22.13B", "22.13C.1", "22.13D", "22.13F", "22.13G")
@pytest.mark.parametrize(
    "since", ["strait", "new activity", "combined", "detached", "returning", "displaced", "escaping"]
)
def test_what_opens_a_force_to_another_interception(since: str) -> None:
    assert again(since)


@pytest.mark.ledger("22.13G")
def test_displaced_ships_may_be_intercepted() -> None:
    told = api.call("may_be_intercepted", {"mover": {"activity": "displacement"}, "since": "displaced"})
    assert told["may"]


@pytest.mark.ledger("22.13D")
@pytest.mark.parametrize(
    ("path", "expected"), [(["x1", "x2"], False), (["x1"], False), (["x1", "y2"], True), (["y1", "y2"], True)]
)
def test_a_detachment_may_be_intercepted_if_it_enters_another_hex(path: list[str], expected: bool) -> None:
    asked = {"parent": ["x1", "x2"], "path": path}
    assert api.call("detachment", asked)["may_be_intercepted"] is expected


@pytest.mark.ledger("22.18D")
def test_ships_that_part_on_their_way_home_must_enter_another_hex_unless_the_players_say_no() -> None:
    asked = {"parent": ["x1", "x2"], "path": ["x1"], "returning": True}
    assert not api.call("detachment", asked)["may_be_intercepted"]
    free = {"divided_return_needs_new_hex": "no"}
    assert api.call("detachment", asked, options=free)["may_be_intercepted"]
    assert not api.call("detachment", {**asked, "returning": False}, options=free)["may_be_intercepted"]
    assert api.call("detachment", {**asked, "path": ["y1"]})["may_be_intercepted"]


def opportunities(*stages: tuple[list[str], list[str], bool]) -> list[list[str]]:
    asked = [{"ships": ships, "route": {"hexes": route, "at_sea": sea}} for ships, route, sea in stages]
    return [force["ships"] for force in api.call("interception_opportunities", {"stages": asked})["forces"]]


@pytest.mark.ledger("22.13C.1")
def test_three_groups_that_meet_at_sea_are_intercepted_one_by_one_and_once_together() -> None:
    """The example of 22.13: from Manila, Okinawa and Tokyo to a rendezvous south of Okinawa."""
    assert opportunities(
        (["Manila"], ["Manila", "m1", "rendezvous"], False),
        (["Okinawa"], ["Okinawa", "rendezvous"], False),
        (["Tokyo"], ["Tokyo", "t1", "rendezvous"], False),
        (["Manila", "Okinawa", "Tokyo"], ["rendezvous", "r1", "target"], True),
    ) == [["Manila"], ["Okinawa"], ["Tokyo"], ["Manila", "Okinawa", "Tokyo"]]


@pytest.mark.ledger("22.13C.2")
def test_groups_picked_up_in_port_are_not_intercepted_by_themselves() -> None:
    """The example of 22.13: Manila to Okinawa, both to Tokyo, all three on their mission."""
    assert opportunities(
        (["Manila"], ["Manila", "m1", "Okinawa"], False),
        (["Manila", "Okinawa"], ["Okinawa", "o1", "Tokyo"], False),
        (["Manila", "Okinawa", "Tokyo"], ["Tokyo", "t1", "target"], False),
    ) == [["Manila"], ["Manila", "Okinawa"], ["Manila", "Okinawa", "Tokyo"]]


# -- air in the interception hex -------------------------------------------------------------------


@pytest.mark.ledger("22.132A", "22.132B")
@pytest.mark.parametrize(
    ("hex", "within", "allowed"), [("H", True, True), ("H", False, False), ("a", False, True), ("a", True, False)]
)
def test_air_in_the_interception_hex_attacks_within_the_battle_and_elsewhere_outside_it(
    hex: str, within: bool, allowed: bool
) -> None:
    asked = {"hex": hex, "interception_hex": "H", "within_combat": within}
    assert api.call("air_attack_on_passage", asked)["allowed"] is allowed


@pytest.mark.ledger("22.131", "22.19A", "22.19B", "22.19C")
def test_interceptors_sail_first_then_the_intercepted_then_they_fight_and_the_activity_comes_last() -> None:
    steps = api.call("interception_order", {"in_activity_hex": True})["steps"]
    assert [step.split()[1] for step in steps] == ["interceptors", "intercepted", "combat", "activity"]
    assert api.call("interception_order", {})["steps"][:3] == steps[:3]


@pytest.mark.parametrize(
    ("call", "asked", "words"),
    [
        ("interception_hexes", {"route": {"hexes": []}}, "at least one hex"),
        ("may_be_intercepted", {"since": "tea"}, "'tea' is no reason"),
        ("may_be_intercepted", {"mover": {"activity": "fishing"}}, "'fishing' is no naval activity"),
        ("may_intercept", {"hunter": {"patrol": "night"}}, "'night' is no kind of patrol"),
        ("may_intercept", {"hunter": {}, "theatre": "Moon"}, "no theatre 'Moon'"),
        ("may_intercept", {"hunter": {"speed": 3}}, "speed"),
    ],
)
def test_nonsense_is_refused_in_words(call: str, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(PlayerError, match=words):
        api.call(call, asked)
