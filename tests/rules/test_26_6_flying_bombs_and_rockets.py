"""26.6: rocket bases, flying bombs and rockets."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import AirDefenders, Unit
from flagplot.rules.strategic import rockets

RULES = ruleset()


# -- bases -----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.63B.1", "24.42")
@pytest.mark.parametrize(("result", "bases"), [(0, 0), (8, 0), (9, 2), (10, 4), (11, 6), (12, 6), (14, 6)])
def test_a_research_result_allows_so_many_bases_and_none_below_nine(result: int, bases: int) -> None:
    assert api.call("rocket_bases", {"result": result})["allowed"] == bases


@pytest.mark.ledger("26.61", "26.61A", "26.62C")
def test_one_base_is_placed_a_turn_and_one_undamaged_one_recycled() -> None:
    def turn(**asked: Any) -> tuple[int, int]:
        told = api.call("rocket_bases", asked)
        return told["placed"], told["recycled"]

    assert turn(result=10) == (1, 0)
    assert turn(result=10, on_map=3) == (1, 1)
    assert turn(result=10, on_map=4) == (0, 1)
    assert turn(result=10, on_map=4, undamaged=0) == (0, 0)
    assert turn(result=10, on_map=2) == (1, 1)
    assert rockets.base_placements(4, 2, 2, eliminated=2).returned == 1, "two were eliminated: one comes back this turn"
    with pytest.raises(PlayerError, match="undamaged"):
        turn(result=10, on_map=1, undamaged=2)


@pytest.mark.ledger("26.61B")
def test_an_allied_base_may_be_recycled_into_another_theatre() -> None:
    assert api.call("rocket_bases", {"result": 9, "allied": True})["to_another_theatre"]
    assert not api.call("rocket_bases", {"result": 9})["to_another_theatre"]


def damaged(damage: int, **more: Any) -> tuple[bool, bool, int]:
    told = api.call("rocket_base_damage", {"damage": damage, **more})
    return told["works"], told["eliminated"], told["brps"]


@pytest.mark.ledger("26.62A")
def test_a_base_in_enemy_hands_is_gone() -> None:
    assert damaged(0, captured=True) == (False, True, 0)


@pytest.mark.ledger("26.62B.1")
@pytest.mark.parametrize("damage", [10, 25])
def test_ten_damage_eliminates_a_base_and_cannot_be_paid_off(damage: int) -> None:
    assert damaged(damage) == damaged(damage, pays=True) == (False, True, 0)


@pytest.mark.ledger("26.62B.2")
@pytest.mark.parametrize("damage", [1, 9])
def test_less_is_paid_or_keeps_the_base_silent_for_a_player_turn(damage: int) -> None:
    assert damaged(damage, pays=True) == (True, False, damage)
    assert damaged(damage) == (False, False, 0)
    assert damaged(0) == damaged(0, pays=True) == (True, False, 0)


# -- launching -------------------------------------------------------------------------------------


@pytest.mark.ledger("26.63A", "26.63B.2")
@pytest.mark.parametrize(
    ("bases", "flying", "rocket", "may"),
    [
        (4, 2, 2, True),
        (4, 3, 1, False),
        (4, 1, 3, False),
        (5, 3, 2, True),
        (5, 2, 3, True),
        (5, 4, 1, False),
        (1, 1, 0, True),
        (1, 0, 1, True),
        (2, 2, 1, False),
        (2, 0, 0, True),
    ],
)
def test_each_base_fires_once_half_of_them_either_kind(bases: int, flying: int, rocket: int, may: bool) -> None:
    told = api.call("rocket_salvos", {"bases": bases, "flying_bombs": flying, "rockets": rocket})
    assert told["may"] is may


@pytest.mark.ledger("26.15.1", "26.31.2", "26.63C", "26.34")
def test_a_base_fires_undamaged_operational_and_within_its_own_range() -> None:
    def may(distance: int = 3, eligible: bool = True, **base: Any) -> bool:
        asked = {"base": {"id": "Calais", "range": 3, **base}, "distance": distance, "eligible": eligible}
        return bool(api.call("may_launch", asked)["may"])

    assert may()
    assert not may(distance=4)
    assert not may(damaged=True)
    assert not may(operational=False)
    assert not may(eligible=False)


@pytest.mark.ledger("26.67")
@pytest.mark.parametrize(
    ("theatre", "result", "distance", "may"),
    [
        ("Europe", 12, 3, True),
        ("Europe", 12, 4, False),
        ("Europe", 11, 3, False),
        ("Pacific", 13, 2, True),
        ("Pacific", 13, 3, False),
    ],
)
def test_an_atomic_rocket_takes_a_result_of_twelve_and_flies_three_or_two_hexes(
    theatre: str, result: int, distance: int, may: bool
) -> None:
    told = api.call("atomic_rocket", {"theatre": theatre, "result": result, "distance": distance})
    assert told["may"] is may and told["may_be_intercepted"] is False


# -- effects ---------------------------------------------------------------------------------------


def bombs(salvos: int, strength: int, **more: Any) -> dict[str, Any]:
    return api.call("flying_bombs", {"salvos": salvos, "target_strength": strength, **more})


@pytest.mark.ledger("26.661-EX", "26.651A", "26.661A.1", "26.661A.3", "26.661B.1", "26.661B.2")
def test_two_salvos_at_london() -> None:
    told = bombs(2, 6, radar=1, air_defense=1, relative_drm=0, defenders={"aaf": 4}, hex_value=25)
    assert (told["per_salvo"], told["brps_lost"]) == (8, 6)


@pytest.mark.ledger("26.651A", "26.661A.1", "26.661A.2", "26.661A.3")
def test_a_salvo_is_worth_ten_less_radar_and_air_defense_and_with_the_drm_difference() -> None:
    assert bombs(1, 0)["per_salvo"] == 10
    assert bombs(1, 0, radar=3)["per_salvo"] == 7
    assert bombs(1, 0, air_defense=2)["per_salvo"] == 8
    assert bombs(1, 0, relative_drm=1)["per_salvo"] == 11
    assert bombs(1, 0, relative_drm=-1)["per_salvo"] == 9
    assert bombs(1, 0, radar=6, air_defense=6)["per_salvo"] == 0


@pytest.mark.ledger("26.661B.1", "26.661B.2", "26.661B.3")
def test_the_target_and_its_defenders_count_once_for_all_salvos() -> None:
    assert bombs(3, 6)["brps_lost"] == 24
    assert bombs(3, 6, defenders={"interceptors": 2, "aaf": 3})["brps_lost"] == 19
    assert bombs(3, 6, defenders={"jets": 2})["brps_lost"] == 16
    assert bombs(1, 6, defenders={"jets": 2})["brps_lost"] == 0
    assert bombs(0, 6)["brps_lost"] == 0


@pytest.mark.ledger("26.651B")
def test_a_rocket_salvo_is_worth_five_and_nothing_stops_it() -> None:
    assert api.call("rockets", {"salvos": 3})["brps_lost"] == 15
    assert rockets.rocket_damage(RULES, 0) == 0


@pytest.mark.ledger("26.652")
def test_neither_takes_more_than_the_target_is_worth() -> None:
    assert bombs(4, 0, hex_value=25)["brps_lost"] == 25
    assert api.call("rockets", {"salvos": 3, "hex_value": 12})["brps_lost"] == 12


@pytest.mark.ledger("26.653A", "26.653B")
def test_flying_bombs_cost_a_third_of_the_construction_limit_rockets_the_whole() -> None:
    assert bombs(2, 0)["construction_limit_reduction"] == 6  # of 20
    assert api.call("rockets", {"salvos": 2})["construction_limit_reduction"] == 10
    assert bombs(2, 0, economic=False)["construction_limit_reduction"] == 0
    assert api.call("rockets", {"salvos": 2, "economic": False})["construction_limit_reduction"] == 0


# -- those who oppose flying bombs -----------------------------------------------------------------


@pytest.mark.ledger("26.662", "26.15.2", "26.51.3")
def test_air_that_fought_bombers_elsewhere_does_not_oppose_flying_bombs() -> None:
    assert rockets.may_oppose(target="London").holds
    assert rockets.may_oppose(fought_bombers_at="London", target="London").holds
    assert not rockets.may_oppose(fought_bombers_at="Manchester", target="London").holds


@pytest.mark.ledger("26.663")
def test_interceptors_that_opposed_flying_bombs_do_not_escort_next_turn() -> None:
    assert "escort" in rockets.after_opposing(Unit.INTERCEPTOR)
    unit = {"kind": "interceptor", "nation": "Britain", "opposed_flying_bombs": True}
    assert api.call("may_fly_to_bomb", {"unit": unit, "role": "escort"})["barred"][0][0] == "26.663"


@pytest.mark.ledger("26.664")
@pytest.mark.parametrize("kind", [Unit.AAF, Unit.JET])
def test_army_air_and_jets_that_opposed_them_are_inverted_next_turn(kind: Unit) -> None:
    assert rockets.after_opposing(kind).startswith("inverted")


@pytest.mark.ledger("26.61A", "26.62C")
def test_an_eliminated_base_comes_back_one_a_turn_and_keeps_its_place_from_new_ones() -> None:
    told = api.call("rocket_bases", {"result": 10, "on_map": 2, "eliminated": 2})
    assert (told["placed"], told["recycled"], told["returned"]) == (0, 1, 1)
    assert api.call("rocket_bases", {"result": 10, "on_map": 2})["returned"] == 0


@pytest.mark.ledger("26.662", "26.663", "26.664", "26.12")
def test_who_may_oppose_flying_bombs_and_what_it_costs() -> None:
    def oppose(kind: str, fought: str = "") -> tuple[bool, str, str]:
        told = api.call("may_oppose_flying_bombs", {"kind": kind, "target": "London", "fought_bombers_at": fought})
        return told["may"], told["why"][0], told["afterwards"]

    assert oppose("interceptor") == (True, "26.662", "may not escort in its next player turn")
    assert oppose("AAF", "London") == (True, "26.662", "inverted for its next player turn")
    assert oppose("jet", "Manchester") == (False, "26.662", "")
    assert oppose("strategic bomber") == (False, "26.12", "")


def test_the_lines_of_flying_bombs_add_up() -> None:
    lines = rockets.flying_bomb_damage(RULES, 2, 8, 6, AirDefenders(aaf=4))
    assert lines.total == 6 == sum(line.amount for line in lines.lines)
