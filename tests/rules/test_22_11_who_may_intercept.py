"""22.11: who may intercept, who may not be intercepted, and what is spent."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api


def may(level: str = "interception", theatre: str = "Europe", escaping: bool = False, **hunter: Any) -> bool:
    asked = {"hunter": hunter, "level": level, "theatre": theatre, "escaping": escaping}
    return bool(api.call("may_intercept", asked)["may"])


def barred(**hunter: Any) -> list[str]:
    return [rule for rule, _ in api.call("may_intercept", {"hunter": hunter})["barred"]]


def exposed(intercepted_before: bool = False, since: str = "", by_patrol: bool = False, **mover: Any) -> bool:
    asked = {"mover": mover, "intercepted_before": intercepted_before, "since": since, "by_patrol": by_patrol}
    return bool(api.call("may_be_intercepted", asked)["may"])


# -- who may be intercepted ------------------------------------------------------------------------


@pytest.mark.ledger("22.11A.1")
@pytest.mark.parametrize("port", ["Bergen", "Scapa Flow"])
def test_raiders_from_or_to_bergen_or_scapa_flow_are_immune(port: str) -> None:
    assert not exposed(activity="raider", origin=port, destination="Atlantic SW box")
    assert not exposed(activity="raider", origin="Atlantic SW box", destination=port, returning=True)


@pytest.mark.ledger("22.11A.2")
def test_a_raider_that_began_the_game_at_sea_comes_home_unhindered() -> None:
    home = {"activity": "raider", "origin": "Atlantic SW box", "destination": "Kiel"}
    assert not exposed(**home, began_at_sea=True, returning=True)
    assert exposed(**home, returning=True)
    assert exposed(**home, began_at_sea=True, returning=False)


@pytest.mark.ledger("22.11A.3")
def test_ships_on_their_way_to_an_sw_box_to_engage_raiders_are_immune() -> None:
    assert not exposed(against_raiders=True, origin="Gibraltar", destination="Atlantic SW box")
    assert exposed(origin="Gibraltar", destination="Atlantic SW box")
    assert exposed(against_raiders=True, origin="Atlantic SW box", destination="Gibraltar")


@pytest.mark.ledger("22.11A.4")
def test_asw_is_immune_to_and_from_an_sw_box_and_nowhere_else() -> None:
    assert not exposed(asw=True, origin="Plymouth", destination="Atlantic SW box")
    assert not exposed(asw=True, origin="Atlantic SW box", destination="Plymouth")
    assert exposed(asw=True, origin="Plymouth", destination="Gibraltar")


@pytest.mark.ledger("22.11A.5")
def test_western_allied_transports_are_immune_to_and_from_an_sw_box() -> None:
    route = {"transports": True, "origin": "Atlantic SW box", "destination": "Plymouth"}
    assert not exposed(**route, nation="United States")
    assert exposed(**route, nation="Russia")
    assert exposed(**route, nation="Germany", axis=True)
    assert exposed(transports=True, nation="Britain", origin="Gibraltar", destination="Plymouth")


@pytest.mark.ledger("22.11A.6")
@pytest.mark.parametrize(
    ("activity", "origin", "destination", "axis", "immune"),
    [
        ("base change", "Bergen", "Oslo", True, True),
        ("naval redeployment", "Kiel", "Bergen", True, True),
        ("base change", "Oslo", "Kiel", True, False),
        ("base change", "Bergen", "Brest", True, False),
        ("sea transport", "Bergen", "Oslo", True, False),
        ("base change", "Bergen", "Oslo", False, False),
    ],
)
def test_axis_moves_between_bergen_and_oslo_or_kiel_are_immune_off_norway_only(
    activity: str, origin: str, destination: str, axis: bool, immune: bool
) -> None:
    mover = {"activity": activity, "origin": origin, "destination": destination, "axis": axis}
    told = api.call("may_be_intercepted", {"mover": mover})
    assert told["immune_in_norwegian_coastal_hexes"] is immune
    assert told["may"]  # in other hexes


@pytest.mark.ledger("22.11A.6")
def test_immune_hexes_cannot_be_chosen() -> None:
    route = {"hexes": ["Bergen", "n1", "n2", "s1", "Kiel"], "immune": ["Bergen", "n1", "n2"]}
    assert api.call("interception_hexes", {"route": route})["hexes"] == ["s1", "Kiel"]


@pytest.mark.ledger("22.11A", "22.11A.7")
def test_submarines_are_never_intercepted() -> None:
    assert not exposed(submarine=True)
    assert not exposed(submarine=True, returning=True)
    assert exposed()


@pytest.mark.ledger("22.11C.1")
def test_a_raider_may_be_intercepted_on_its_way_to_an_sw_box() -> None:
    told = api.call(
        "may_be_intercepted",
        {"mover": {"activity": "raider", "origin": "Brest", "destination": "Indian Ocean SW box"}},
    )
    assert told["may"] and told["why"][0] == "22.11C"


@pytest.mark.ledger("22.115")
def test_ships_going_home_may_be_intercepted() -> None:
    assert exposed(returning=True, activity="seaborne invasion")


# -- who may intercept -----------------------------------------------------------------------------


@pytest.mark.ledger("22.11.1", "22.11.3")
def test_uncommitted_uninverted_ships_in_range_may_intercept() -> None:
    assert may(distance=40)
    assert barred(inverted=True) == ["22.11"]
    assert barred(committed=True) == ["22.11"]
    assert barred(distance=41) == ["22.22"]
    assert not may(theatre="Pacific", distance=21) and may(theatre="Pacific", distance=20)


@pytest.mark.ledger("22.11.2")
@pytest.mark.parametrize("level", ["counter-interception", "counter-counter-interception"])
def test_counter_interceptors_must_be_uncommitted_and_uninverted(level: str) -> None:
    assert may(level)
    assert not may(level, committed=True)
    assert not may(level, inverted=True)


@pytest.mark.ledger("22.11.2")
def test_inverted_ships_may_counter_intercept_where_the_players_say_so() -> None:
    chosen = {"counter_interceptors_inverted": "allowed"}
    for level, expected in (("counter-interception", True), ("interception", False)):
        asked = {"hunter": {"inverted": True}, "level": level}
        assert api.call("may_intercept", asked, options=chosen)["may"] is expected


@pytest.mark.ledger("22.11B", "22.11B.1")
@pytest.mark.parametrize(
    ("box", "expected"), [("U.S.", False), ("South Africa", False), ("SW", False), ("India", True)]
)
def test_ships_in_the_boxes_named_do_not_intercept(box: str, expected: bool) -> None:
    assert may(box=box) is expected


@pytest.mark.ledger("22.911")
def test_submarines_in_an_sw_box_do_not_intercept_and_those_on_the_board_do() -> None:
    assert may(submarine=True)
    assert not may(submarine=True, box="SW")


@pytest.mark.ledger("22.11B.2")
def test_a_port_that_is_not_operational_bars_all_but_submarines_in_a_fortified_one() -> None:
    assert not may(port_operational=False)
    assert not may(port_operational=False, port_fortified=True)
    assert not may(port_operational=False, submarine=True)
    assert may(port_operational=False, port_fortified=True, submarine=True)


@pytest.mark.ledger("22.11D", "22.163")
def test_an_offensive_patrol_never_counter_intercepts() -> None:
    assert not may("counter-interception", patrol="offensive")
    assert not may("counter-counter-interception", patrol="offensive", submarine=True)


@pytest.mark.ledger("22.11D", "22.163", "22.27.1")
def test_an_offensive_patrol_rolls_no_dice_for_interceptors_on_their_way_back_either() -> None:
    assert barred(patrol="offensive") == ["22.11D"]


@pytest.mark.ledger("22.14F")
def test_a_defensive_patrol_intercepts_like_ships_in_port() -> None:
    assert may(patrol="defensive")
    assert may("counter-interception", patrol="defensive")


@pytest.mark.ledger("22.112")
def test_there_is_no_interception_without_a_war() -> None:
    assert barred(at_war=False) == ["22.112"]


@pytest.mark.ledger("22.116", "22.14A.2", "22.27.3", "22.281.1")
def test_ships_that_tried_in_this_phase_do_not_try_again() -> None:
    assert barred(attempted=True) == ["22.116"]
    told = api.call("inverted_after", {"units": {"hood": {"sailed": False}}})
    assert told["again_this_phase"] == {"hood": False}


@pytest.mark.ledger("22.11.1")
def test_everything_that_bars_ships_is_told() -> None:
    assert barred(inverted=True, committed=True, attempted=True, box="SW") == ["22.11", "22.11", "22.116", "22.11B"]


@pytest.mark.ledger("22.13G")
def test_ships_in_port_intercept_escaping_ships_and_patrols_do_not() -> None:
    assert may(escaping=True)
    assert not may(escaping=True, patrol="defensive")
    assert exposed(since="escaping", activity="escape")
    assert not exposed(since="escaping", activity="escape", by_patrol=True)


# -- Russia and the Western Allies -----------------------------------------------------------------


def announced(*nations: str) -> dict[str, Any]:
    attempts = [{"id": nation, "target": "X", "hex": "H", "nation": nation} for nation in nations]
    return api.call("announced_interceptions", {"announced": attempts})


@pytest.mark.ledger("22.113")
def test_russia_leaves_a_target_to_the_western_allies() -> None:
    assert announced("Russia")["allowed"]
    assert announced("Britain", "United States")["allowed"]
    assert announced("Russia", "")["allowed"]  # whose the other is was not said
    told = announced("Russia", "Britain")
    assert [rule for rule, _ in told["wrong"]] == ["22.113"]
