"""22.54D to G: light ships, and fire at the screen."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.sides import Side
from flagplot.model.events import (
    ShipHit,
)
from tests.rules.gunnery_table import (
    PlayedBattle,
    british,
    fight,
    group,
    hits_of,
    light_left,
    scenario,
    ship,
    shot_at,
    shots,
    status,
    targets,
)

HOLD_X = ["allies", "surplus capital", {"x": "hold"}]


def german_destroyers(count: int, *ships: dict[str, Any]) -> dict[str, Any]:
    return group(*ships, light={"Germany/DD": count})


# -- light ships pair off ------------------------------------------------------------------------------


@pytest.mark.ledger("22.54D")
def test_light_ships_are_counted_after_capital_fire_without_the_cruisers_it_damaged() -> None:
    def factors(**counts: int) -> int:
        return int(api.call("light_factors", counts)["factors"])

    assert factors(cruisers=3, destroyers=4, escort_carriers=1) == 11
    assert factors(cruisers=3, cruisers_damaged_by_capital_fire=2, destroyers=4) == 6
    # Seven factors against three are no surplus; against the two that capital fire leaves, one is.
    axis = german_destroyers(7, ship("a"))
    fire = ["axis", "surplus capital", {"a": "light"}]
    spare = ["axis", "surplus light", {"Germany/DD": {"hold": 1}}]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(axis, group(light={"Britain/DD": 3}), 2, decisions=[fire, spare])
    result = fight(axis, group(light={"Britain/DD": 3}), 7, decisions=[fire, spare])
    assert shots(result, "axis")[1]["factors"] == 6


@pytest.mark.ledger("22.54D.1")
def test_three_light_factors_to_one_are_all_paired() -> None:
    result = fight(german_destroyers(9), group(british("x"), light={"Britain/DD": 3}))
    assert [(shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [("light", 9)]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(
            german_destroyers(9),
            group(british("x"), light={"Britain/DD": 3}),
            decisions=[["axis", "surplus light", {"Germany/DD": {"x": 1}}]],
        )


@pytest.mark.ledger("22.54D.2")
def test_light_factors_beyond_three_to_one_are_surplus() -> None:
    pairs = [[9, 3], [10, 3], [16, 5], [3, 9], [7, 0], [0, 7], [4, 1], [25, 1]]
    assert api.call("light_surplus", {"pairs": pairs})["surplus"] == [0, 1, 1, 0, 7, 0, 1, 22]


@pytest.mark.ledger("22.54D.2")
def test_no_more_than_the_surplus_may_leave_the_light_fight() -> None:
    axis, allies = german_destroyers(10), group(british("x"), light={"Britain/DD": 2})
    with pytest.raises(IllegalChoice):
        fight(axis, allies, decisions=[["axis", "surplus light", {"Germany/DD": {"x": 5}}]])
    result = fight(axis, allies, decisions=[["axis", "surplus light", {"Germany/DD": {"x": 4}}]])
    assert [(shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [("x", 4), ("light", 6)]


@pytest.mark.ledger("22.54D.2")
def test_the_two_factors_of_a_cruiser_are_not_divided() -> None:
    axis = group(light={"Germany/CA": 5})
    allies = group(british("x"), light={"Britain/DD": 1})
    with pytest.raises(IllegalChoice):  # eight factors, but only seven are surplus
        fight(axis, allies, decisions=[["axis", "surplus light", {"Germany/CA": {"x": 4}}]])
    result = fight(axis, allies, decisions=[["axis", "surplus light", {"Germany/CA": {"x": 3}}]])
    assert [(shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [("x", 6), ("light", 4)]


@pytest.mark.ledger("22.54D")
def test_the_weaker_side_fires_at_the_whole_enemy_light_group() -> None:
    axis = german_destroyers(8)
    decisions = [HOLD_X, ["axis", "surplus light", {"Germany/DD": {"x": 5}}]]
    result = fight(axis, group(british("x"), light={"Britain/DD": 1}), 2, 2, 12, decisions=decisions)
    assert shot_at(result, "allies", "light")["hits"] == 1
    assert light_left(result, "axis") == {"Germany/DD": 7}


# -- surplus light ships ----------------------------------------------------------------------------------


@pytest.mark.ledger("22.54E.1")
def test_surplus_light_ships_may_join_the_fire_at_the_enemy_light_ships() -> None:
    axis = german_destroyers(10)
    decisions = [["axis", "surplus light", {"Germany/DD": {"light": 10}}]]
    result = fight(axis, group(british("x"), light={"Britain/DD": 2}), 2, decisions=decisions)
    assert [(shot["target"], shot["factors"], shot["hits"]) for shot in shots(result, "axis")] == [("light", 10, 1)]


@pytest.mark.ledger("22.54E.2")
def test_surplus_light_ships_may_fire_at_a_capital_ship_already_under_fire() -> None:
    axis = german_destroyers(4, ship("a"))
    decisions = [["axis", "surplus light", {"Germany/DD": {"x": 4}}]]
    result = fight(axis, group(british("x")), 10, 2, 10, decisions=decisions)
    assert [(shot["target"], shot["hits"]) for shot in shots(result, "axis")] == [("x", 2), ("x", 2)]
    assert status(result, "allies", "x") == "sunk"


@pytest.mark.ledger("22.54E.2")
def test_surplus_light_ships_find_no_target_in_ships_already_sunk_or_screened() -> None:
    axis = german_destroyers(4, ship("a"))
    fire = [["axis", "surplus light", {"Germany/DD": {"x": 4}}]]
    allies = group(british("x", 2), british("y", damaged=True))
    with pytest.raises(IllegalChoice):
        fight(axis, allies, 10, 2, decisions=fire)
    with pytest.raises(IllegalChoice):
        fight(axis, allies, 2, 2, decisions=[["axis", "surplus light", {"Germany/DD": {"y": 4}}]])


@pytest.mark.ledger("22.54E.2.1")
def test_any_number_of_surplus_light_factors_may_fire_at_one_capital_ship() -> None:
    allies = group(british("x", 2), british("y", 5))
    hold = ["allies", "surplus capital", {"x": "hold", "y": "hold"}]
    for target in ("x", "y"):
        for factors in (1, 4, 9):
            fire = ["axis", "surplus light", {"Germany/DD": {target: factors, "hold": 9 - factors}}]
            result = fight(german_destroyers(9), allies, decisions=[hold, fire])
            assert [(shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [(target, factors)]


@pytest.mark.ledger("22.54E.2.2")
def test_a_second_capital_ship_may_be_attacked_once_the_first_faces_her_own_size() -> None:
    allocations = [{"x": 7}, {"x": 4, "y": 3}, {"x": 5, "y": 2}, {"x": 3, "y": 3}, {"x": 3, "y": 4}, {"x": 1, "y": 1}]
    asked = {"sizes": {"x": 4, "y": 4}, "surplus": 7, "allocations": allocations}
    answer = api.call("surplus_light_allocations", asked)
    assert answer["legal"] == [True, True, True, False, True, False]


@pytest.mark.ledger("22.54E.2.2")
def test_of_several_capital_ships_attacked_by_light_ships_only_one_may_face_less_than_her_size() -> None:
    allocations = [
        {"x": 4, "y": 3, "z": 1},
        {"x": 4, "y": 2, "z": 2},
        {"x": 3, "y": 3, "z": 2},
        {"y": 3, "z": 2, "x": 3},
    ]
    asked = {"sizes": {"x": 4, "y": 3, "z": 2}, "surplus": 8, "allocations": allocations}
    assert api.call("surplus_light_allocations", asked)["legal"] == [True, True, True, True]
    short = {
        "sizes": {"x": 4, "y": 3, "z": 2},
        "surplus": 8,
        "allocations": [{"x": 3, "y": 2, "z": 2}, {"y": 2, "z": 1}],
    }
    assert api.call("surplus_light_allocations", short)["legal"] == [False, False]


@pytest.mark.ledger("22.54E.2.2")
def test_rank_does_not_matter_to_surplus_light_ships() -> None:
    allies = group(british("first", 5), british("last", 2))
    decisions = [
        ["allies", "surplus capital", {"first": "hold", "last": "hold"}],
        ["axis", "surplus light", {"Germany/DD": {"last": 2, "first": 2}}],
    ]
    result = fight(german_destroyers(4), allies, decisions=decisions)
    assert {(shot["target"], shot["factors"]) for shot in shots(result, "axis")} == {("last", 2), ("first", 2)}


@pytest.mark.ledger("22.54E.2.2")
def test_a_group_may_agree_that_the_first_ship_need_only_face_as_many_factors_as_the_second() -> None:
    asked = {"sizes": {"x": 4, "y": 4}, "surplus": 7, "allocations": [{"x": 3, "y": 3}, {"x": 2, "y": 2}]}
    answer = api.call("surplus_light_allocations", asked, options={"surplus_light_spread": "equal_factors"})
    assert answer["legal"] == [True, True]
    assert api.call("surplus_light_allocations", asked)["legal"] == [False, False]


@pytest.mark.ledger("22.54E.3")
def test_surplus_light_ships_may_wait_for_the_screen() -> None:
    axis = german_destroyers(7)
    allies = group(british("hurt", damaged=True), light={"Britain/DD": 1})
    hold = ["axis", "surplus light", {"Germany/DD": {"hold": 4}}]
    closed = fight(axis, allies, 2, 2, decisions=[hold])
    assert [(shot["target"], shot["factors"]) for shot in shots(closed, "axis")] == [("light", 3)]
    shoot = ["axis", "screened fire light", {"Germany/DD": {"hurt": 4}}]
    opened = fight(axis, allies, 6, 2, 5, decisions=[hold, shoot])
    assert [(shot["target"], shot["factors"]) for shot in shots(opened, "axis")] == [("light", 3), ("hurt", 4)]
    assert status(opened, "allies", "hurt") == "sunk"


@pytest.mark.ledger("22.54E.3")
def test_losses_fall_first_on_light_ships_that_have_fired_not_on_those_that_wait() -> None:
    axis = german_destroyers(7)
    allies = group(british("hurt", damaged=True), light={"Britain/DD": 1})
    decisions = [
        ["axis", "surplus light", {"Germany/DD": {"hold": 4}}],
        ["axis", "screened fire light", {"Germany/DD": {"hurt": 4}}],
    ]
    result = fight(axis, allies, 6, 12, 2, decisions=decisions)
    assert light_left(result, "axis") == {"Germany/DD": 6}
    assert shot_at(result, "axis", "hurt", screened=True)["factors"] == 4


# -- light fire --------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54F")
def test_light_ships_of_both_sides_fire_at_the_same_time_after_capital_fire() -> None:
    axis, allies = german_destroyers(4, ship("a")), group(british("x"), light={"Britain/DD": 4})
    result = fight(axis, allies, 2, 2, 12, 12)
    assert [shot["target"] for shot in result["shots"]] == ["x", "a", "light", "light"]
    for side in ("axis", "allies"):
        shot = shot_at(result, side, "light")
        assert (shot["factors"], shot["hits"]) == (4, hits_of(4, 12))
    assert light_left(result, "axis") == {"Germany/DD": 1}
    assert light_left(result, "allies") == {"Britain/DD": 1}


@pytest.mark.ledger("22.54F")
def test_a_cruiser_damaged_by_light_fire_has_fired_and_stays_in_the_line() -> None:
    axis, allies = german_destroyers(4), group(light={"Britain/CA": 2})
    result = fight(axis, allies, 5, 12)
    assert shot_at(result, "allies", "light")["factors"] == 4
    assert light_left(result, "allies") == {"Britain/CA": 1, "Britain/CA/damaged": 1}


# -- the screen -----------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54G")
def test_only_ships_that_held_their_fire_may_shoot_at_the_screen() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(british("x", 2), british("hurt", damaged=True))
    hold = ["axis", "surplus capital", {"b": "hold"}]
    with pytest.raises(IllegalChoice):
        fight(axis, allies, 10, decisions=[hold, ["axis", "screened fire capital", {"a": "hurt"}]])
    join = ["axis", "surplus capital", {"b": "a"}]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(axis, allies, 10, decisions=[join, ["axis", "screened fire capital", {"b": "hurt"}]])


@pytest.mark.ledger("22.54G")
def test_a_ship_that_held_her_fire_may_leave_it_at_that() -> None:
    allies = group(british("hurt", damaged=True))
    result = fight(group(ship("a")), allies, decisions=[["axis", "screened fire capital", {"a": "none"}]])
    assert result["shots"] == []


@pytest.mark.ledger("22.54G.1")
def test_a_capital_ship_that_is_only_damaged_keeps_the_screen_closed() -> None:
    axis = group(ship("a"), ship("b"))
    allies = group(british("x"), british("hurt", 3, damaged=True))
    decisions = [
        ["axis", "rank", {"a": "1", "b": "2"}],
        ["axis", "surplus capital", {"b": "hold"}],
    ]
    shoot = ["axis", "screened fire capital", {"b": "hurt"}]
    damaged = fight(axis, allies, 12, decisions=decisions)
    assert status(damaged, "allies", "x") == "damaged"
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(axis, allies, 12, decisions=[*decisions, shoot])


@pytest.mark.ledger("22.54G.1")
def test_unscreened_ships_may_be_sunk_by_capital_and_light_fire_together_to_open_the_screen() -> None:
    axis = german_destroyers(5, ship("a"), ship("b", 3))
    allies = group(british("x", 2), british("hurt", damaged=True), light={"Britain/DD": 2})
    decisions = [
        ["axis", "surplus capital", {"b": "hold"}],
        ["axis", "screened fire capital", {"b": "hurt"}],
    ]
    result = fight(axis, allies, 10, 2, 8, 2, 6, decisions=decisions)
    assert status(result, "allies", "hurt") == "sunk"


@pytest.mark.ledger("22.54G.2")
def test_screened_named_ships_are_separate_targets_and_screened_light_ships_one() -> None:
    axis = group(ship("a"), ship("b"), ship("c"), ship("d"))
    light = {"Britain/CA/damaged": 1, "Britain/DD": 2}
    allies = group(british("hurt", damaged=True), british("carrier", 3, "CV"), light=light)
    everyone = {"a": "hurt", "b": "carrier", "c": "light", "d": "light"}
    decisions = [["allies", "screen", {"Britain/DD": "screen"}], ["axis", "screened fire capital", everyone]]
    result = fight(axis, allies, 2, 2, 2, decisions=decisions)
    assert {(shot["target"], shot["factors"]) for shot in shots(result, "axis")} == {
        ("hurt", 4),
        ("carrier", 4),
        ("light", 8),
    }
    assert all(shot["screened"] for shot in result["shots"])


@pytest.mark.ledger("22.54G.3.1", "22.54G.3.2")
def test_capital_ships_shoot_at_a_screened_target_before_light_ships_each_with_a_roll_of_their_own() -> None:
    axis = german_destroyers(4, ship("a"))
    allies = group(british("carrier", 3, "CV"))
    decisions = [
        ["axis", "surplus capital", {"a": "hold"}],
        ["axis", "surplus light", {"Germany/DD": {"hold": 4}}],
        ["axis", "screened fire capital", {"a": "carrier"}],
        ["axis", "screened fire light", {"Germany/DD": {"carrier": 4}}],
    ]
    # A carrier of three factors is worth 0 against 2: five and three read 7 and 5, one hit each, so she is damaged.
    result = fight(axis, allies, 5, 3, decisions=decisions)
    fire = [(shot["ships"], shot["light"], shot["roll"], shot["hits"]) for shot in shots(result, "axis")]
    assert fire == [(["a"], {}, 7, 1), ([], {"Germany/DD": 4}, 5, 1)]
    assert status(result, "allies", "carrier") == "damaged"


@pytest.mark.ledger("22.54G.3.2")
def test_a_screened_cruiser_damaged_by_capital_ships_can_then_be_sunk_by_light_ships() -> None:
    axis = german_destroyers(4, ship("a"))
    decisions = [
        ["allies", "screen", {"Britain/CA": "screen"}],
        ["axis", "surplus capital", {"a": "hold"}],
        ["axis", "surplus light", {"Germany/DD": {"hold": 4}}],
        ["axis", "screened fire capital", {"a": "light"}],
        ["axis", "screened fire light", {"Germany/DD": {"light": 4}}],
    ]
    result = fight(axis, group(light={"Britain/CA": 1}), 5, 5, decisions=decisions)
    assert [shot["hits"] for shot in shots(result, "axis")] == [1, 1]
    assert light_left(result, "allies") == {}
    # Two cruisers: two rolls of one hit damage both.
    spread = fight(axis, group(light={"Britain/CA": 2}), 5, 5, decisions=decisions)
    assert light_left(spread, "allies") == {"Britain/CA/damaged": 2}


@pytest.mark.ledger("22.54G.3.3")
def test_light_ships_choose_screened_targets_after_seeing_what_capital_fire_did() -> None:
    axis = 'mission = "interception"\nships = ["Bismarck"]\ndestroyers = 4'
    allies = 'mission = "patrol"\nships = [{ name = "Rodney", damaged = true }, { name = "Nelson", damaged = true }]'
    answers = [
        ("axis", "surplus capital", {"bismarck": "hold"}),
        ("axis", "surplus light", {"Germany/DD": {"hold": 4}}),
        ("axis", "screened fire capital", {"bismarck": "rodney"}),
    ]
    battle = PlayedBattle(scenario([axis], [allies]), totals=[5], answers=answers)
    question = battle.until("screened fire light")
    assert question is not None and question.side is Side.AXIS
    seen = [event for event in battle.game.picture(Side.AXIS).events if isinstance(event, ShipHit)]
    assert [(event.ship, event.fate) for event in seen] == [("rodney", "sunk")]
    places = {place.key for place in question.form.places}
    assert "nelson" in places and "rodney" not in places


@pytest.mark.ledger("22.54G.4")
def test_screened_targets_never_fire_back() -> None:
    axis = german_destroyers(3, ship("a"))
    allies = group(british("x", 5), light={"Britain/CA": 3, "Britain/DD": 3})
    everything = {"x": "screen", "Britain/CA": "screen", "Britain/DD": "screen"}
    decisions = [
        ["allies", "screen", everything],
        ["axis", "surplus capital", {"a": "hold"}],
        ["axis", "surplus light", {"Germany/DD": {"hold": 3}}],
        ["axis", "screened fire capital", {"a": "x"}],
        ["axis", "screened fire light", {"Germany/DD": {"light": 3}}],
    ]
    result = fight(axis, allies, 2, 2, decisions=decisions)
    assert targets(result, "axis") == ["x", "light"]
    assert shots(result, "allies") == []


@pytest.mark.ledger("22.54G", "22.54E.3")
def test_a_cruiser_damaged_while_she_held_her_fire_may_still_shoot_at_the_screen() -> None:
    axis = group(light={"Germany/CA": 1, "Germany/DD": 3})
    allies = group(british("hurt", damaged=True), light={"Britain/DD": 1})
    decisions = [
        ["axis", "surplus light", {"Germany/CA": "hold"}],
        ["axis", "screened fire light", {"Germany/CA": "hurt"}],
    ]
    # One hit on cruiser and destroyers can only damage the cruiser, though she has not fired yet.
    result = fight(axis, allies, 6, 8, 7, decisions=decisions)
    assert light_left(result, "axis") == {"Germany/CA/damaged": 1, "Germany/DD": 3}
    assert shot_at(result, "axis", "hurt", screened=True)["factors"] == 2
    assert status(result, "allies", "hurt") == "sunk"
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(axis, allies, 6, 8, 7, decisions=decisions, options={"damaged_may_fire_late": "no"})


@pytest.mark.ledger("22.54B.3")
def test_a_ship_that_holds_her_fire_can_be_hit_only_by_surplus_light_ships() -> None:
    axis = group(ship("a", 4), ship("b", 2))
    allies = group(british("x", 2), light={"Britain/DD": 1})
    decisions = [
        ["axis", "surplus capital", {"b": "hold"}],
        ["allies", "surplus light", {"Britain/DD": {"b": 1}}],
    ]
    result = fight(axis, allies, 2, 12, 8, decisions=decisions)
    assert targets(result, "allies") == ["a", "b"]
    assert status(result, "axis", "b") == "damaged"
