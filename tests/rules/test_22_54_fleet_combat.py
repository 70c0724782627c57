"""The sequence of fleet combat (22.54): ranks and pairs, surplus ships, light ships, and the enemy's screen."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Side
from flagplot.model.events import (
    Fired,
    FleetCombatEnded,
    LightShipsHit,
    LineFormed,
    SegmentBegan,
    ShipHit,
    TargetsChosen,
)
from tests.rules.gunnery_table import (
    PlayedBattle,
    british,
    fight,
    group,
    light_left,
    scenario,
    ship,
    shot_at,
    shots,
    status,
    targets,
)


def ranked(*ships: dict[str, Any], **more: Any) -> list[str]:
    return api.call("rank", {"ships": list(ships), **more})["order"]


def german_destroyers(count: int, *ships: dict[str, Any]) -> dict[str, Any]:
    return group(*ships, light={"Germany/DD": count})


# -- the whole sequence --------------------------------------------------------------------------


@pytest.mark.ledger("22.54")
def test_fleet_combat_goes_from_capital_fire_to_light_fire_to_the_screen() -> None:
    axis = 'mission = "interception"\nships = ["Bismarck", "Tirpitz"]\ndestroyers = 5'
    allies = 'mission = "patrol"\nships = [{ name = "Rodney", damaged = true }, "Hood"]\ndestroyers = 1'
    # Bismarck sinks Hood, the destroyers sink theirs, Tirpitz held her fire for Rodney.
    answers = [
        ("axis", "rank", {"bismarck": "1", "tirpitz": "2"}),
        ("axis", "surplus capital", {"tirpitz": "hold"}),
        ("axis", "screened fire capital", {"tirpitz": "rodney"}),
    ]
    battle = PlayedBattle(scenario([axis], [allies]), totals=[12, 2, 12, 2, 5], answers=answers).to_end_of_round()
    wanted = (LineFormed, TargetsChosen, Fired, ShipHit, LightShipsHit, FleetCombatEnded)
    story = [event for event in battle.events() if isinstance(event, wanted)]
    fired = [event.shot.target for event in story if isinstance(event, Fired)]
    assert fired == ["hood", "bismarck", "light", "light", "rodney"]
    kinds = [type(event).__name__ for event in story]
    last_line = max(index for index, kind in enumerate(kinds) if kind == "LineFormed")
    first_fire = kinds.index("Fired")
    assert last_line < kinds.index("TargetsChosen") < first_fire
    hood_lost = next(index for index, event in enumerate(story) if isinstance(event, ShipHit))
    light_fire = next(
        index for index, event in enumerate(story) if isinstance(event, Fired) and event.shot.target == "light"
    )
    assert first_fire < hood_lost < light_fire < kinds.index("LightShipsHit")
    assert kinds[-1] == "FleetCombatEnded"
    assert story[-2].ship == "rodney" and story[-2].fate == "sunk"


@pytest.mark.ledger("22.54H.2")
def test_after_fleet_combat_each_side_may_withdraw_some_all_or_none_of_its_ships() -> None:
    axis = 'mission = "interception"\nships = ["Bismarck", "Tirpitz"]'
    allies = 'mission = "patrol"\nships = ["Hood", "Rodney"]\ndestroyers = 3'
    leave = {"CG1:Britain/DD": {"withdraw": 2}, "CG1:hood": "withdraw"}
    battle = PlayedBattle(scenario([axis], [allies]), answers=[("allies", "withdraw", leave)])
    assert battle.until("withdraw") is not None
    segments = [event.segment for event in battle.events(SegmentBegan)]
    assert segments.index("fleet combat") < segments.index("withdrawal")
    assert battle.until("screen") is not None
    assert {("axis", "withdraw"), ("allies", "withdraw")} <= set(battle.asked)
    left = battle.group(Side.ALLIES)
    assert [each.id for each in left.ships] == ["rodney"] and left.light == {"Britain/DD": 1}
    assert [each.id for each in battle.group(Side.AXIS).ships] == ["bismarck", "tirpitz"]


# -- ranking and pairing ------------------------------------------------------------------------------


@pytest.mark.ledger("22.54A.1.1")
def test_a_larger_ship_ranks_first_even_if_slow_hit_and_of_a_poorer_navy() -> None:
    large = ship("large", 4, "Italy", fast=False, hits=2)
    small = ship("small", 3, "Japan")
    assert ranked(small, large) == ["large", "small"]


@pytest.mark.ledger("22.54A.1.2")
def test_of_equal_size_a_fast_ship_ranks_first_even_if_hit_and_of_a_poorer_navy() -> None:
    fast = ship("fast", 4, "Italy", hits=2)
    slow = ship("slow", 4, "Japan", fast=False)
    assert ranked(slow, fast) == ["fast", "slow"]


@pytest.mark.ledger("22.54A.1.3")
def test_of_equal_size_and_speed_fewer_hits_rank_first_whatever_the_navy() -> None:
    fresh = ship("fresh", 4, "Italy")
    one = ship("one", 4, "Germany", hits=1)
    two = ship("two", 4, "Japan", hits=2)
    assert ranked(two, one, fresh) == ["fresh", "one", "two"]


@pytest.mark.ledger("22.54A.1.4")
def test_otherwise_the_better_navy_ranks_first() -> None:
    ships = [ship("russian", 4, "Russia"), ship("italian", 4, "Italy"), ship("british", 4, "Britain")]
    assert ranked(*ships, ship("japanese", 4, "Japan")) == ["japanese", "british", "italian", "russian"]


@pytest.mark.ledger("22.54A.1.4")
def test_oil_effects_can_cost_a_navy_its_place_in_the_ranking() -> None:
    axis = group(ship("german", 4, "Germany"), ship("italian", 4, "Italy", hits=0))
    allies = group(british("x"), british("y", 3))
    assert fight(axis, allies)["ranks"]["axis"] == ["german", "italian"]
    # With Germany impaired both are worth 1, and their owner may put the Italian first.
    decisions = [["axis", "rank", {"italian": "1", "german": "2"}]]
    result = fight(axis, allies, decisions=decisions, impaired={"axis": ["Germany"]})
    assert result["ranks"]["axis"] == ["italian", "german"]


@pytest.mark.ledger("22.54A.1")
def test_both_sides_rank_and_owners_order_ships_alike_in_everything() -> None:
    axis = group(ship("one"), ship("two"))
    allies = group(british("small", 3), british("big", 5), british("middle"))
    decisions = [["axis", "rank", {"two": "1", "one": "2"}], ["allies", "surplus capital", {"small": "hold"}]]
    result = fight(axis, allies, decisions=decisions)
    assert result["ranks"] == {"axis": ["two", "one"], "allies": ["big", "middle", "small"]}
    assert ranked(ship("one"), ship("two"), order=["two", "one"]) == ["two", "one"]


@pytest.mark.ledger("22.54A.1")
def test_ties_on_both_sides_are_broken_in_secret_at_the_same_time() -> None:
    axis = 'mission = "interception"\nships = ["Bismarck", "Tirpitz"]'
    allies = 'mission = "patrol"\nships = ["Anson", "Howe"]'
    battle = PlayedBattle(scenario([axis], [allies]))
    assert battle.until("rank") is not None
    known = len(battle.game.picture(Side.ALLIES).events)
    battle.game.submit(Side.AXIS, {"tirpitz": "1", "bismarck": "2"})
    assert len(battle.game.picture(Side.ALLIES).events) == known
    question = battle.game.decision(Side.ALLIES)
    assert question is not None and question.kind == "rank"
    battle.game.submit(Side.ALLIES, {"howe": "1", "anson": "2"})
    battle.to_end_of_round()
    assert {(event.shot.ships, event.shot.target) for event in battle.events(Fired)} == {
        (("tirpitz",), "howe"),
        (("bismarck",), "anson"),
        (("howe",), "tirpitz"),
        (("anson",), "bismarck"),
    }


@pytest.mark.ledger("22.54A.2")
def test_capital_ships_pair_off_rank_by_rank_and_fire_at_each_other() -> None:
    axis = group(ship("small", 2), ship("big", 5), ship("middle", 3))
    allies = group(british("third", 3), british("first", 4), british("second", 4, fast=False))
    result = fight(axis, allies)
    assert [tuple(pair) for pair in result["pairs"]] == [("big", "first"), ("middle", "second"), ("small", "third")]
    assert [(shot["ships"], shot["target"]) for shot in shots(result, "axis")] == [
        (["big"], "first"),
        (["middle"], "second"),
        (["small"], "third"),
    ]
    assert [(shot["ships"], shot["target"]) for shot in shots(result, "allies")] == [
        (["first"], "big"),
        (["second"], "middle"),
        (["third"], "small"),
    ]


@pytest.mark.ledger("22.54A.2")
def test_screened_capital_ships_are_not_ranked() -> None:
    axis = group(ship("hurt", 5, damaged=True), ship("screened", 4), ship("a", 3))
    result = fight(axis, group(british("b")), decisions=[["axis", "screen", {"screened": "screen"}]])
    assert [tuple(pair) for pair in result["pairs"]] == [("a", "b")]


@pytest.mark.ledger("22.54A.3")
def test_the_lowest_ranks_of_the_longer_line_are_surplus() -> None:
    axis = group(ship("third", 3), ship("first", 5), ship("second", 4))
    allies = group(british("b", 2))
    with pytest.raises(IllegalChoice):
        fight(axis, allies, decisions=[["axis", "surplus capital", {"first": "hold"}]])
    result = fight(axis, allies, decisions=[["axis", "surplus capital", {"second": "hold", "third": "hold"}]])
    assert [shot["ships"] for shot in shots(result, "axis")] == [["first"]]


@pytest.mark.ledger("22.54A.3")
def test_against_no_capital_ship_all_are_surplus() -> None:
    axis = group(ship("a"), ship("b", 3))
    decisions = [["axis", "surplus capital", {"a": "hold", "b": "hold"}]]
    assert shots(fight(axis, group(light={"Britain/DD": 2}), decisions=decisions), "axis") == []


# -- surplus capital ships --------------------------------------------------------------------------------


@pytest.mark.ledger("22.54B.1", "22.55.2")
def test_a_surplus_ship_adds_her_guns_to_a_friends_in_one_roll() -> None:
    axis = group(ship("a"), ship("b", 3), ship("c", 2))
    allies = group(british("x"), british("y", 3))
    result = fight(axis, allies, 7, decisions=[["axis", "surplus capital", {"c": "b"}]])
    assert [(shot["ships"], shot["target"], shot["factors"]) for shot in shots(result, "axis")] == [
        (["a"], "x", 4),
        (["b", "c"], "y", 5),
    ]


@pytest.mark.ledger("22.54B.2", "22.54C.2")
def test_surplus_ships_may_fire_at_the_enemy_light_ships_as_one_target() -> None:
    axis = group(ship("a"), ship("b"), ship("c", 3))
    allies = group(british("x", 2), light={"Britain/CA": 2, "Britain/DD": 3})
    decisions = [["axis", "rank", {"a": "1", "b": "2"}], ["axis", "surplus capital", {"b": "light", "c": "light"}]]
    result = fight(axis, allies, 2, 6, decisions=decisions)
    shot = shot_at(result, "axis", "light")
    assert (shot["ships"], shot["factors"], shot["hits"]) == (["b", "c"], 7, 2)
    assert light_left(result, "allies") == {"Britain/CA": 1, "Britain/DD": 3}


@pytest.mark.ledger("22.54B.2")
def test_a_ship_with_an_opponent_of_her_own_may_not_fire_at_light_ships() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(british("x"), light={"Britain/DD": 3})
    with pytest.raises(IllegalChoice):
        fight(axis, allies, decisions=[["axis", "surplus capital", {"a": "light"}]])


@pytest.mark.ledger("22.54B.3")
def test_a_surplus_ship_may_wait_for_the_screen_and_fire_nothing_if_it_stays_closed() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(british("x", 2), british("hurt", damaged=True))
    decisions = [["axis", "surplus capital", {"b": "hold"}]]
    closed = fight(axis, allies, 2, decisions=decisions)
    assert targets(closed, "axis") == ["x"]
    shoot = ["axis", "screened fire capital", {"b": "hurt"}]
    opened = fight(axis, allies, 10, 2, 6, decisions=[*decisions, shoot])
    assert targets(opened, "axis") == ["x", "hurt"]
    assert status(opened, "allies", "hurt") == "sunk"


# -- capital fire -----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54C")
def test_ships_that_sink_each_other_have_both_fired() -> None:
    result = fight(group(ship("a", 2)), group(british("x", 2)), 12, 12)
    assert status(result, "axis", "a") == status(result, "allies", "x") == "sunk"


@pytest.mark.ledger("22.54C")
def test_dice_are_rolled_for_the_interceptor_first_by_the_rank_of_his_targets() -> None:
    axis = group(ship("a"), ship("b", 3), ship("c", 2))
    allies = group(british("x"), british("y", 3), light={"Britain/DD": 2})
    result = fight(axis, allies, 3, 4, 5, 6, 7, decisions=[["axis", "surplus capital", {"c": "light"}]])
    rolled = [(shot["side"], shot["target"], shot["roll"]) for shot in result["shots"][:5]]
    assert rolled == [
        ("axis", "x", 3),
        ("axis", "y", 4),
        ("axis", "light", 5),
        ("allies", "a", 6),
        ("allies", "b", 7),
    ]
    other = fight(axis, allies, 3, interceptor="allies", decisions=[["axis", "surplus capital", {"c": "light"}]])
    assert other["shots"][0]["side"] == "allies"


@pytest.mark.ledger("22.54C")
def test_hits_beyond_those_that_sink_the_target_are_lost() -> None:
    axis = group(ship("a", 5), ship("b", 5))
    allies = group(british("x", 2), light={"Britain/DD": 3})
    decisions = [["axis", "rank", {"a": "1", "b": "2"}], ["axis", "surplus capital", {"b": "a"}]]
    result = fight(axis, allies, 12, 2, decisions=decisions)
    assert shot_at(result, "axis", "x")["hits"] == 5
    assert light_left(result, "allies") == {"Britain/DD": 3}


@pytest.mark.ledger("22.54C.1")
def test_a_ship_fired_at_by_several_answers_any_one_of_them_and_nobody_else() -> None:
    axis = group(ship("a"), ship("b", 3), ship("c", 2))
    allies = group(british("x"), british("y", 3))
    join = ["axis", "surplus capital", {"c": "b"}]
    for answer in ("b", "c"):
        result = fight(axis, allies, decisions=[join, ["allies", "reply", {"y": answer}]])
        assert targets(result, "allies") == ["a", answer]
    with pytest.raises(IllegalChoice):
        fight(axis, allies, decisions=[join, ["allies", "reply", {"y": "a"}]])
    with pytest.raises(IllegalChoice):
        fight(axis, allies, decisions=[join, ["allies", "reply", {"x": "c"}]])


@pytest.mark.ledger("22.54C.1")
def test_a_surplus_ship_that_joins_a_friend_can_be_sunk_by_the_answer() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(british("x", 4))
    result = fight(
        axis, allies, 12, 12, decisions=[["axis", "surplus capital", {"b": "a"}], ["allies", "reply", {"x": "b"}]]
    )
    assert targets(result, "allies") == ["b"]
    assert status(result, "axis", "b") == "sunk"  # three hits on a three-factor ship, though she was not x's partner
    assert status(result, "allies", "x") == "sunk"


@pytest.mark.ledger("22.54C.3")
def test_light_ships_sunk_by_capital_fire_do_not_fire_back_with_the_others() -> None:
    axis = german_destroyers(3, ship("a"))
    result = fight(axis, group(light={"Britain/DD": 3}), 10, decisions=[["axis", "surplus capital", {"a": "light"}]])
    assert shots(result, "axis")[0]["hits"] == 2
    assert shot_at(result, "allies", "light")["factors"] == 1


@pytest.mark.ledger("22.54C.4")
def test_a_cruiser_damaged_by_capital_fire_goes_behind_the_screen_at_once() -> None:
    axis = german_destroyers(4, ship("a"))
    allies = group(light={"Britain/CA": 1, "Britain/DD": 2})
    result = fight(axis, allies, 5, 12, decisions=[["axis", "surplus capital", {"a": "light"}]])
    # She neither fires with the light ships nor is hit by light fire, which sinks two destroyers and loses a hit.
    assert shot_at(result, "allies", "light")["factors"] == 2
    assert [shot["hits"] for shot in shots(result, "axis")] == [1, 3]
    assert light_left(result, "allies") == {"Britain/CA/damaged": 1}


@pytest.mark.ledger("22.54C.4", "22.54G.1")
def test_a_cruiser_sent_behind_the_screen_can_be_shot_at_there_by_ships_that_held_their_fire() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(light={"Britain/CA": 1})
    decisions = [
        ["axis", "surplus capital", {"a": "light", "b": "hold"}],
        ["axis", "screened fire capital", {"b": "light"}],
    ]
    result = fight(axis, allies, 5, 6, decisions=decisions)
    assert [(shot["screened"], shot["hits"]) for shot in result["shots"]] == [(False, 1), (True, 1)]
    assert light_left(result, "allies") == {}
