"""22.15, 22.26-22.28, 22.8: announcing together, inversion, aborting, whose mission, and home."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.rules.naval.sailing import adopts_mission, exposed_going_home, may_try_again, returns_to

# -- announced together ----------------------------------------------------------------------------


def together(first: str, second: str, options: dict[str, str] | None = None, **more: Any) -> bool:
    return bool(api.call("announced_together", {"first": first, "second": second, **more}, options=options)["together"])


@pytest.mark.ledger("22.15A.1")
def test_patrols_base_changes_and_moves_to_boxes_are_announced_together() -> None:
    kinds = ("patrol", "base change", "SW box redeployment")
    assert all(together(first, second) for first in kinds for second in kinds)
    assert not together("patrol", "base change", same_phase=False)


@pytest.mark.ledger("22.15A.2")
def test_missions_of_the_combat_phase_are_announced_together() -> None:
    assert together("seaborne invasion", "fast carrier mission")
    assert not together("seaborne invasion", "patrol")


@pytest.mark.ledger("22.15B")
def test_supply_raiders_and_redeployments_of_a_phase_are_announced_together() -> None:
    assert together("sea supply", "raider") and together("raider", "naval redeployment")
    assert together("sea escort", "sea escort") and together("sea escort", "naval redeployment")
    assert not together("sea supply", "raider", same_phase=False)
    whole = {"announced_together": "player_turn"}
    assert together("sea supply", "raider", whole, same_phase=False)
    assert not together("sea supply", "raider", whole, same_phase=False, same_player_turn=False)


@pytest.mark.ledger("22.15C.1", "22.15C.2", "22.18E")
def test_ships_go_home_together_and_patrols_when_they_will() -> None:
    told = api.call("announced_together", {"first": "patrol", "second": "sea transport"})["home"]
    assert told == {"patrol": "when it will", "sea transport": "with the others"}


@pytest.mark.ledger("22.15D")
def test_ships_that_abort_withdraw_or_are_displaced_go_home_at_once() -> None:
    from flagplot.rules.naval.interceptors import goes_home

    assert goes_home("patrol", forced=True) == goes_home("sea transport", forced=True) == "at once"


def test_an_unknown_activity_is_refused() -> None:
    with pytest.raises(PlayerError, match="'tea' is no naval activity"):
        together("tea", "patrol")


# -- inversion -------------------------------------------------------------------------------------


def inverted(options: dict[str, str] | None = None, **service: Any) -> bool:
    return api.call("inverted_after", {"units": {"u": service}}, options=options)["inverted"] == ["u"]


@pytest.mark.ledger("22.26", "22.26D.4")
def test_interceptors_that_fight_the_intercepted_force_are_inverted_all_of_them() -> None:
    assert inverted(fought_target=True)
    assert inverted(fought_target=True, counter_rounds=["screened"])


@pytest.mark.ledger("22.26A")
def test_who_stayed_in_port_is_not_inverted() -> None:
    assert not inverted(sailed=False)


@pytest.mark.ledger("22.26B", "22.26C", "22.27.2")
def test_who_came_to_no_battle_is_not_inverted() -> None:
    assert not inverted()


@pytest.mark.ledger("22.26D", "22.26D.2b", "22.26D.3")
@pytest.mark.parametrize(
    ("rounds", "damaged", "expected"),
    [
        (["fired"], False, True),
        (["launched"], False, True),
        (["screened", "fired"], False, True),
        (["launched", "screened"], False, True),
        (["screened", "screened"], False, False),
        (["screened", "screened"], True, True),
    ],
)
def test_units_held_back_from_counter_combat_are_not_inverted_unless_damaged(
    rounds: list[str], damaged: bool, expected: bool
) -> None:
    assert inverted(counter_rounds=rounds, damaged=damaged) is expected


@pytest.mark.ledger("22.26D", "22.26D.1", "22.26D.4")
def test_units_may_be_held_back_from_counter_combat_and_not_from_combat_with_the_target() -> None:
    units = {"a": {"counter_rounds": ["fired"]}, "b": {"fought_target": True, "counter_rounds": ["screened"]}, "c": {}}
    told = api.call("inverted_after", {"units": units})["may_withhold"]
    assert told == {"a": True, "b": False, "c": False}


@pytest.mark.ledger("22.27.2")
def test_who_fights_on_the_way_back_is_inverted() -> None:
    assert inverted(fought_returning=True)
    assert inverted(fought_returning=True, counter_rounds=["screened"])


@pytest.mark.ledger("22.26")
def test_groups_that_waited_for_room_are_inverted_unless_the_players_say_no() -> None:
    assert inverted(fought_target=True, surplus=True)
    assert not inverted({"surplus_groups_inverted": "no"}, fought_target=True, surplus=True)


@pytest.mark.ledger("22.26", "22.26D")
def test_patrols_are_not_inverted() -> None:
    assert not inverted(fought_target=True, patrol=True)


def test_a_deed_nobody_knows_is_refused() -> None:
    with pytest.raises(PlayerError, match="'slept' is no deed in a round; there are fired, launched, screened"):
        inverted(counter_rounds=["slept"])


@pytest.mark.ledger("22.27.3", "22.116")
def test_a_second_attempt_waits_for_another_phase() -> None:
    assert not may_try_again(attempted=True, same_phase=True)
    assert may_try_again(attempted=True, same_phase=False)
    assert may_try_again(attempted=False, same_phase=True)


# -- home ------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.27.1", "22.163E")
def test_who_did_not_fight_goes_to_his_original_base_and_a_patrol_to_its_hex() -> None:
    units = {"a": {}, "b": {"fought_target": True}, "c": {"patrol": True}}
    told = api.call("inverted_after", {"units": units})["goes"]
    assert told == {"a": "original base", "b": "a base within range", "c": "patrol hex"}
    assert returns_to(fought=True, patrol=True).rule == "22.63"


@pytest.mark.ledger("22.27.1", "22.18")
def test_only_ships_that_sailed_are_exposed_on_their_way_home() -> None:
    assert exposed_going_home(sailed=True) and not exposed_going_home(sailed=False)


@pytest.mark.ledger("22.163D")
@pytest.mark.parametrize(
    ("took_part", "victorious", "permitted", "expected"),
    [(True, True, True, True), (False, True, True, False), (True, False, True, False), (True, True, False, False)],
)
def test_a_mission_is_adopted_by_those_who_helped_to_win_and_may(
    took_part: bool, victorious: bool, permitted: bool, expected: bool
) -> None:
    assert adopts_mission(took_part=took_part, victorious=victorious, permitted=permitted) is expected


# -- aborting --------------------------------------------------------------------------------------


def abort(**trouble: Any) -> tuple[bool, bool]:
    told = api.call("may_abort", {"forces": {"f": trouble}})
    return bool(told["may"]), bool(told["must"])


@pytest.mark.ledger("22.28", "22.28A")
@pytest.mark.parametrize("trouble", ["attacked_by_air", "attacked_by_submarines", "fought"])
def test_a_force_may_abort_after_an_attack_or_combat(trouble: str) -> None:
    assert abort(**{trouble: True}) == (True, False)


@pytest.mark.ledger("22.28")
def test_a_force_left_alone_may_not_abort() -> None:
    assert abort() == (False, False)


@pytest.mark.ledger("22.28B.1", "22.28B.2")
def test_a_force_whose_partner_is_gone_may_abort_and_need_not() -> None:
    assert abort(partner_gone=True) == (True, False)


@pytest.mark.ledger("22.28A", "22.281.2")
def test_a_beaten_force_must_abort_and_who_aborts_is_inverted() -> None:
    assert abort(fought=True, defeated=True) == (True, True)
    assert api.call("may_abort", {"forces": {}})["aborting_inverted"]


@pytest.mark.ledger("22.282.1", "22.282.2")
@pytest.mark.parametrize(
    ("zone", "contemporaneous", "expected"), [("Libya", False, False), ("Libya", True, True), ("Greece", False, True)]
)
def test_after_an_abort_no_new_transports_serve_that_zone(zone: str, contemporaneous: bool, expected: bool) -> None:
    asked = {"forces": {}, "zone": zone, "aborted_zones": ["Libya"], "contemporaneous": contemporaneous}
    assert api.call("may_abort", asked)["transports_may_serve"] is expected
