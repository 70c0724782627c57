"""22.411B, 22.421B and C, 22.425C and 22.7: forces that come later, further rounds, and how a battle ends."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Side
from flagplot.model import events as ev
from flagplot.rules.naval import withdrawal
from tests.rules.endings_table import ALLIES, AXIS, Play, everything_withdraws, force, scenario_text, withdraws

FAR_FROM_EACH_OTHER = ([force("Japan", cruisers=5, number=6)], [force("America", cruisers=5, number=6)])


def reinforcements(decision: Decide) -> list[str]:
    return [item.key for item in decision.form.items]


def numbers(decision: Decide) -> list[str]:
    return [place.key for place in decision.form.places if place.key != "wait"]


# -- forces that come later ------------------------------------------------------------------------------------


def late_force(**keys: Any) -> Play:
    """Japan has one distant group and something that comes in round two."""
    text = scenario_text(
        [force("Japan", cruisers=5, number=6), force("Late", **keys)],
        [force("America", cruisers=5, number=6)],
    )
    return Play(text, search={AXIS: [1] * 20, ALLIES: [1] * 20})


@pytest.mark.ledger("22.411B.1", "22.425C.1", "22.421B.1")
def test_a_task_force_that_came_too_late_for_round_one_joins_as_a_group_of_its_own() -> None:
    play = late_force(cruisers=6, arrives=2)
    decision = play.to(AXIS, "reinforce")
    assert play.names(AXIS) == {"Japan"}
    assert reinforcements(decision) == ["Late"]
    play.answer(AXIS, {"Late": "2"})
    play.to(AXIS, "withdraw")
    assert play.game.battle.round == 2
    assert play.names(AXIS) == {"Japan", "Late"}
    assert play.group(AXIS, "Late").factors == 12
    assert play.group(AXIS, "Japan").factors == 10


@pytest.mark.ledger("22.411B.1")
def test_a_late_force_may_stay_out_and_is_asked_again_after_the_next_round() -> None:
    play = late_force(cruisers=6, arrives=2)
    play.to(AXIS, "reinforce")
    play.answer(AXIS, {"Late": "wait"})
    decision = play.to(AXIS, "reinforce")
    assert play.game.battle.round == 2
    assert reinforcements(decision) == ["Late"]


@pytest.mark.ledger("22.411B.1", "22.425C")
def test_a_force_still_on_its_way_cannot_join_before_its_round() -> None:
    play = late_force(cruisers=6, arrives=3)
    assert reinforcements(play.to(AXIS, "reinforce")) == []
    play.answer(AXIS, {})
    assert reinforcements(play.to(AXIS, "reinforce")) == ["Late"]
    assert play.game.battle.round == 2


@pytest.mark.ledger("22.411B.2", "22.73")
def test_after_reinforcement_the_next_round_is_played_from_search_to_withdrawal() -> None:
    play = late_force(cruisers=6, arrives=2)
    play.to(AXIS, "reinforce")
    before = len(play.game.events())
    play.answer(AXIS, {"Late": "2"})
    play.to(AXIS, "withdraw")
    began = [event for event in play.game.events()[before:] if isinstance(event, ev.RoundBegan)]
    assert [event.round for event in began] == [2]
    segments = [event.segment for event in play.game.events()[before:] if isinstance(event, ev.SegmentBegan)]
    assert segments[-1] == "withdrawal"
    assert [name for name in segments if name in ("search", "fleet combat", "submarines")] == [
        "search",
        "fleet combat",
        "submarines",
    ]
    joined = next(index for index, event in enumerate(play.game.events()) if isinstance(event, ev.GroupsJoined))
    second = next(
        index for index, event in enumerate(play.game.events()) if isinstance(event, ev.RoundBegan) and event.round == 2
    )
    assert joined < second


@pytest.mark.ledger("22.425D.3.2")
def test_a_joining_group_takes_any_number_its_side_does_not_use_and_may_be_active_at_once() -> None:
    play = late_force(cruisers=6, arrives=2)
    decision = play.to(AXIS, "reinforce")
    assert numbers(decision) == ["1", "2", "3", "4", "5"]
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {"Late": "6"})
    play.answer(AXIS, {"Late": "1"})
    play.to(AXIS, "withdraw")
    assert play.group(AXIS, "Late").number == 1
    assert play.game.battle.active(play.group(AXIS, "Late"))


@pytest.mark.ledger("22.425D.3.2")
def test_two_groups_that_join_together_take_different_numbers() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=6), force("L1", cruisers=5, arrives=2), force("L2", cruisers=5, arrives=2)],
        [force("America", cruisers=5, number=6)],
    )
    play = Play(text)
    play.to(AXIS, "reinforce")
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {"L1": "3", "L2": "3"})
    play.answer(AXIS, {"L1": "3", "L2": "4"})
    play.to(AXIS, "withdraw")
    assert play.fleet(AXIS).numbers == (3, 4, 6)


@pytest.mark.ledger("22.425D.3.2")
def test_the_number_of_a_group_that_left_may_be_used_again() -> None:
    text = scenario_text(
        [
            force("Japan", cruisers=5, number=6),
            force("Other", cruisers=5, number=4),
            force("Late", cruisers=5, arrives=2),
        ],
        [force("America", cruisers=5, number=6)],
    )
    play = Play(text)
    decision = play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(4)})
    assert numbers(decision) == ["1", "2", "3", "4", "5"]


@pytest.mark.ledger("22.425D.3.2")
def test_the_number_of_a_group_that_was_sunk_may_be_used_again() -> None:
    text = scenario_text(
        [
            force("Doomed", destroyers=1, number=1),
            force("Japan", cruisers=5, number=6),
            force("Late", cruisers=5, arrives=2),
        ],
        [force("America", cruisers=9, number=1)],
    )
    play = Play(text, fire={ALLIES: 6})
    decision = play.to(AXIS, "reinforce")
    assert play.names(AXIS) == {"Japan"}
    assert numbers(decision) == ["1", "2", "3", "4", "5"]


@pytest.mark.ledger("22.425D.3.1")
def test_a_pending_group_adds_no_search_die_however_strong_it_is() -> None:
    text = scenario_text(
        [force("Japan", cruisers=2, number=1), force("Late", ships=["Akagi"], cruisers=9, arrives=2)],
        [force("America", cruisers=2, number=6)],
    )
    play = Play(text)
    play.to(AXIS, "withdraw")
    (searched,) = [event for event in play.events(ev.Searched) if event.side is AXIS]
    assert searched.count == 0


@pytest.mark.ledger("22.425D.3.1")
def test_a_pending_group_has_no_number_and_cannot_be_found_or_met() -> None:
    text = scenario_text(
        [force("Japan", cruisers=2, number=6), force("Late", cruisers=9, arrives=2)],
        [force("America", cruisers=5, number=1), force("More", cruisers=5, number=2)],
    )
    play = Play(text, search={ALLIES: [1]})
    play.to(AXIS, "withdraw")
    assert play.fleet(AXIS).numbers == (6,)
    assert [group.number for group in play.fleet(AXIS).pending] == [0]
    assert play.events(ev.GroupFound) == []
    assert play.events(ev.FleetCombatBegan) == []
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (6,)


@pytest.mark.ledger("22.421B.2")
def test_small_forces_that_arrive_in_the_same_round_make_one_group() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=6)],
        [
            force("America", cruisers=5, number=6),
            force("S1", cruisers=1, destroyers=2, task_force=False, arrives=2),
            force("S2", cruisers=2, destroyers=1, task_force=False, arrives=2),
            force("TF", cruisers=5, arrives=2),
            force("S3", cruisers=1, destroyers=3, task_force=False, arrives=3),
        ],
    )
    play = Play(text)
    decision = play.to(ALLIES, "reinforce")
    assert len(reinforcements(decision)) == 2
    small = next(key for key in reinforcements(decision) if key != "TF")
    play.answer(ALLIES, {small: "2", "TF": "3"})
    play.to(ALLIES, "withdraw")
    assert play.group(ALLIES, small).light == {"United States/CA": 3, "United States/DD": 3}
    assert play.group(ALLIES, "TF").light == {"United States/CA": 5}
    assert reinforcements(play.to(ALLIES, "reinforce")) == ["S3"]


@pytest.mark.ledger("22.421B.2")
def test_a_small_force_that_waited_combines_with_one_that_arrived_later_when_both_enter_together() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=6)],
        [
            force("America", cruisers=5, number=6),
            force("S1", cruisers=1, destroyers=2, task_force=False, arrives=2),
            force("S2", cruisers=2, destroyers=1, task_force=False, arrives=3),
        ],
    )
    play = Play(text)
    play.to(ALLIES, "reinforce")
    play.answer(ALLIES, {"S1": "wait"})
    decision = play.to(ALLIES, "reinforce")
    assert len(reinforcements(decision)) == 1
    play.answer(ALLIES, dict.fromkeys(reinforcements(decision), "2"))
    play.to(ALLIES, "withdraw")
    assert [group.light for group in play.fleet(ALLIES).groups if group.number == 2] == [
        {"United States/CA": 3, "United States/DD": 3}
    ]
    assert len(play.fleet(ALLIES).groups) == 2


@pytest.mark.ledger("22.421B.2")
def test_small_late_forces_together_never_make_a_group_of_more_than_twenty_five_factors() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=6)],
        [
            force("America", cruisers=5, number=6),
            force("S1", cruisers=4, destroyers=7, task_force=False, arrives=2),
            force("S2", cruisers=4, destroyers=7, task_force=False, arrives=2),
        ],
    )
    play = Play(text)
    decision = play.to(ALLIES, "reinforce")
    entering = {key: str(number) for number, key in enumerate(reinforcements(decision), 2)}
    play.answer(ALLIES, entering)
    play.to(ALLIES, "withdraw")
    sizes = sorted(group.factors for group in play.fleet(ALLIES).groups if group.number != 6)
    assert sum(sizes) == 30
    assert sizes[-1] <= 25
    assert len(sizes) == 2


# -- more than six groups ------------------------------------------------------------------------------------------


def eight_groups() -> Play:
    """Japan has eight groups, of which two wait; nobody meets anybody for two rounds."""
    japan = [force(f"J{number}", cruisers=number, number=number) for number in range(1, 7)]
    japan += [force("J7", cruisers=7), force("J8", cruisers=8)]
    america = [force("America", cruisers=5, number=6)]
    return Play(scenario_text(japan, america), search={AXIS: [1] * 40, ALLIES: [1] * 40})


@pytest.mark.ledger("22.421C.3.1", "22.425C.2")
def test_groups_that_wait_stay_out_while_six_friends_are_in_the_battle() -> None:
    play = eight_groups()
    decision = play.to(AXIS, "reinforce")
    assert [group.name for group in play.fleet(AXIS).pending] == ["J7", "J8"]
    assert numbers(decision) == []
    play.answer(AXIS, {})
    play.to(AXIS, "withdraw")
    assert len(play.fleet(AXIS).groups) == 6


@pytest.mark.ledger("22.421C.3.1", "22.411B.1")
def test_one_waiting_group_enters_for_one_that_withdrew() -> None:
    play = eight_groups()
    decision = play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(5)})
    assert numbers(decision) == ["5"]
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {"J7": "5", "J8": "5"})
    play.answer(AXIS, {"J8": "5"})
    play.to(AXIS, "withdraw")
    assert play.names(AXIS) == {"J1", "J2", "J3", "J4", "J6", "J8"}


@pytest.mark.ledger("22.421C.3.1")
def test_a_waiting_group_enters_for_one_that_was_sunk() -> None:
    japan = [force("Doomed", destroyers=1, number=1)]
    japan += [force(f"J{number}", cruisers=2, number=number) for number in range(2, 7)]
    japan += [force("Waiting", cruisers=7)]
    play = Play(scenario_text(japan, [force("America", cruisers=9, number=1)]), fire={ALLIES: 6})
    decision = play.to(AXIS, "reinforce")
    assert "Doomed" not in play.names(AXIS)
    assert numbers(decision) == ["1"]


@pytest.mark.ledger("22.421C.3.2")
def test_a_group_that_made_room_never_comes_back() -> None:
    play = eight_groups()
    play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(5)})
    play.answer(AXIS, {"J8": "5"})
    decision = play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(6)})
    assert play.game.battle.round == 2
    assert reinforcements(decision) == ["J7"]
    assert "J5" not in play.names(AXIS)
    assert {group.name for group in play.fleet(AXIS).withdrawn} == {"J5", "J6"}


@pytest.mark.ledger("22.421C.3.3")
def test_room_is_looked_for_again_after_every_round() -> None:
    play = eight_groups()
    play.to(AXIS, "reinforce")
    play.answer(AXIS, {})
    decision = play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(3, 4)})
    assert play.game.battle.round == 2
    assert numbers(decision) == ["3", "4"]
    play.answer(AXIS, {"J7": "4", "J8": "3"})
    play.to(AXIS, "withdraw")
    assert len(play.fleet(AXIS).groups) == 6
    assert play.group(AXIS, "J8").number == 3


@pytest.mark.ledger("22.421C.3.1")
def test_late_arrivals_too_must_wait_while_six_groups_are_in_the_battle() -> None:
    japan = [force(f"J{number}", cruisers=2, number=number) for number in range(1, 7)]
    japan += [force("Late", cruisers=7, arrives=2)]
    play = Play(
        scenario_text(japan, [force("America", cruisers=5, number=6)]), search={AXIS: [1] * 20, ALLIES: [5] * 20}
    )
    assert numbers(play.to(AXIS, "reinforce")) == []


@pytest.mark.ledger("22.421C.3.1")
def test_the_table_of_six_groups_frees_only_the_numbers_of_those_that_left() -> None:
    told = api.call("six_groups", {"groups": 9, "freed": [2, 5]})
    assert (told["round1"], told["waiting"], told["may_join_round2"], told["numbers"]) == (6, 3, True, [2, 5])
    told = api.call("six_groups", {"groups": 9})
    assert (told["may_join_round2"], told["numbers"]) == (False, [])


# -- how a battle ends ------------------------------------------------------------------------------------------------


def ship(kind: str = "BB", size: int = 4, **keys: Any) -> dict[str, Any]:
    return {"nation": "Japan", "kind": kind, "size": size, "id": f"{kind}{size}", **keys}


def group(number: int = 1, **keys: Any) -> dict[str, Any]:
    return {"number": number, **keys}


SOUND = {"groups": [group(light={"Britain/DD": 1})]}


def end(axis: dict[str, Any], allies: dict[str, Any] | None = None) -> tuple[bool, list[str], str | None]:
    told = api.call("battle_end", {"axis": axis, "allies": allies or SOUND, "interceptor": "allies"})
    return told["over"], told["losers"], told["victor"]


@pytest.mark.ledger("22.73")
def test_a_battle_goes_on_while_both_sides_have_sound_ships_and_nobody_left() -> None:
    assert end({"groups": [group(light={"Japan/DD": 1})]}) == (False, [], None)


@pytest.mark.ledger("22.71A", "22.72A")
def test_a_side_that_withdraws_all_its_groups_ends_the_battle_and_has_lost() -> None:
    assert end({"groups": [], "withdrew": True}) == (True, ["axis"], "allies")


@pytest.mark.ledger("22.71A")
def test_a_side_that_withdraws_some_groups_has_not_ended_the_battle() -> None:
    assert end({"groups": [group(light={"Japan/DD": 1})], "withdrew": True}) == (False, [], None)


@pytest.mark.ledger("22.72A")
def test_when_both_sides_withdraw_everything_both_have_lost_and_nobody_has_won() -> None:
    gone = {"groups": [], "withdrew": True}
    over, losers, victor = end(gone, gone)
    assert over
    assert set(losers) == {"axis", "allies"}
    assert victor is None


@pytest.mark.ledger("22.71B", "22.72B")
def test_a_side_without_carriers_that_evaded_with_every_group_has_lost() -> None:
    evaders = [group(number, light={"Japan/CA": 2}, evaded=True) for number in (4, 6)]
    assert end({"groups": evaders}) == (True, ["axis"], "allies")


@pytest.mark.ledger("22.71B")
def test_one_group_that_did_not_evade_keeps_the_battle_going() -> None:
    groups = [group(4, light={"Japan/CA": 2}, evaded=True), group(6, light={"Japan/CA": 2})]
    assert end({"groups": groups}) == (False, [], None)


@pytest.mark.ledger("22.71B")
@pytest.mark.parametrize(("air", "over"), [(3, False), (1, False), (0, True)])
def test_an_operational_carrier_keeps_an_evading_side_in_the_battle(air: int, over: bool) -> None:
    groups = [group(4, ships=[ship("CV", 3, air=air)], light={"Japan/CA": 3}, evaded=True)]
    assert end({"groups": groups})[0] is over


@pytest.mark.ledger("22.71B")
def test_a_damaged_carrier_is_not_operational() -> None:
    groups = [group(4, ships=[ship("CV", 3, damaged=True)], light={"Japan/CA": 3}, evaded=True)]
    assert end({"groups": groups}) == (True, ["axis"], "allies")


@pytest.mark.ledger("22.71C.1", "22.72C")
def test_a_side_with_damaged_ships_only_has_lost() -> None:
    wrecks = [group(1, ships=[ship(damaged=True)], light={"Japan/CA/damaged": 3})]
    assert end({"groups": wrecks}) == (True, ["axis"], "allies")


@pytest.mark.ledger("22.71C.1")
@pytest.mark.parametrize(
    "sound",
    [
        {"light": {"Japan/TR": 1}},
        {"light": {"Japan/DD/loaded": 1}},
        {"ships": [ship(hits=2)]},
        {"ships": [ship("CV", 3)]},
    ],
)
def test_any_undamaged_unit_transports_and_ships_with_a_few_hits_included_keeps_a_side_in_it(
    sound: dict[str, Any],
) -> None:
    groups = [group(1, light={"Japan/CA/damaged": 2}), group(3, **sound)]
    assert end({"groups": groups}) == (False, [], None)


@pytest.mark.ledger("22.71C.1", "22.72C")
def test_when_neither_side_has_an_undamaged_unit_both_have_lost() -> None:
    wrecks = {"groups": [group(light={"Japan/CA/damaged": 1})]}
    over, losers, victor = end(wrecks, {"groups": [group(light={"Britain/CA/damaged": 1})]})
    assert over
    assert set(losers) == {"axis", "allies"}
    assert victor is None


@pytest.mark.ledger("22.72A", "22.72C")
def test_a_side_that_withdrew_and_one_without_sound_ships_have_both_lost() -> None:
    over, losers, victor = end({"groups": [], "withdrew": True}, {"groups": [group(light={"Britain/CA/damaged": 1})]})
    assert over
    assert set(losers) == {"axis", "allies"}
    assert victor is None


@pytest.mark.ledger("22.71", "22.71A")
def test_a_fleet_on_its_way_does_not_save_a_side_whose_groups_have_all_withdrawn() -> None:
    play = late_force(cruisers=9, arrives=2)
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert play.game.battle.losers == (AXIS,)
    assert play.game.battle.round == 1
    assert (AXIS, "reinforce") not in play.asked


@pytest.mark.ledger("22.71", "22.71C.1")
def test_a_fleet_on_its_way_does_not_save_a_side_whose_ships_are_all_sunk() -> None:
    text = scenario_text(
        [force("Doomed", destroyers=1, number=1), force("Late", cruisers=9, arrives=2)],
        [force("America", cruisers=9, number=1)],
    )
    play = Play(text, fire={ALLIES: 6})
    play.end()
    assert (play.game.battle.losers, play.game.battle.victor) == ((AXIS,), ALLIES)
    assert play.game.battle.round == 1


@pytest.mark.ledger("22.71")
def test_the_end_is_judged_when_the_round_is_over_and_after_withdrawals() -> None:
    text = scenario_text(
        [
            force("Doomed", destroyers=1, number=1),
            force("Rest", cruisers=2, number=6),
        ],
        [force("America", cruisers=9, number=1)],
    )
    play = Play(text, fire={ALLIES: 6})
    play.to(ALLIES, "withdraw", {(AXIS, "withdraw"): everything_withdraws})
    assert play.events(ev.BattleEnded) == []
    play.end()
    names = [type(event) for event in play.game.events()]
    assert names.index(ev.Departed) < names.index(ev.BattleEnded)


@pytest.mark.ledger("22.71B", "22.72B")
def test_in_play_a_fleet_that_only_slips_away_loses_the_battle() -> None:
    text = scenario_text(
        [force("Evaders", ships=["Kirishima"], cruisers=4, number=3), force("Late", cruisers=9, arrives=2)],
        [force("Seekers", ships=["Washington"], cruisers=3, number=1, mission="interception")],
    )
    play = Play(text, search={ALLIES: [3]})
    play.end({(ALLIES, "engage"): {"target": "CG3"}, (AXIS, "evade"): "evade"})
    assert play.events(ev.FleetCombatBegan) == []
    assert (play.game.battle.losers, play.game.battle.victor) == ((AXIS,), ALLIES)


@pytest.mark.ledger("22.71B")
def test_in_play_a_carrier_with_aircraft_keeps_the_battle_going_after_every_group_evaded() -> None:
    text = scenario_text(
        [force("Evaders", ships=["Akagi"], cruisers=4, number=3)],
        [force("Seekers", ships=["Washington"], cruisers=3, number=1, mission="interception")],
    )
    play = Play(text, search={ALLIES: [3]})
    play.to(AXIS, "reinforce", {(ALLIES, "engage"): {"target": "CG3"}, (AXIS, "evade"): "evade"})
    assert play.group(AXIS, "Evaders").evaded
    assert not play.events(ev.BattleEnded)


@pytest.mark.ledger("22.73")
def test_round_follows_round_until_somebody_leaves() -> None:
    play = Play(scenario_text(*FAR_FROM_EACH_OTHER), search={AXIS: [1] * 20, ALLIES: [1] * 20})
    answers = {
        (AXIS, "withdraw"): lambda decision: everything_withdraws(decision) if play.game.battle.round == 5 else {}
    }
    play.end(answers)
    assert [event.round for event in play.events(ev.RoundBegan)] == [1, 2, 3, 4, 5]


# -- sea supply ----------------------------------------------------------------------------------------------------------


def supply_line_alone(**keys: Any) -> Play:
    """After round one Japan has nothing but damaged ships and a sea supply line."""
    text = scenario_text(
        [
            force("Escort", damaged_cruisers=1, destroyers=1, number=1, mission="sea supply"),
            force("Line", sea_supply=True, task_force=False, number=4, mission="sea supply"),
        ],
        [force("America", ships=["Washington"], cruisers=3, number=1, mission="interception")],
    )
    return Play(text, fire={ALLIES: 6}, **keys)


@pytest.mark.ledger("22.71C.2")
def test_the_side_that_traces_supply_may_go_on_without_sound_ships() -> None:
    play = supply_line_alone()
    decision = play.run(until=lambda decision: decision.kind == "continue")
    assert decision is not None
    assert decision.side is AXIS
    play.answer(AXIS, "continue")
    play.run(until=lambda decision: play.game.battle.round == 2)
    assert play.game.battle.round == 2
    assert not play.events(ev.BattleEnded)


@pytest.mark.ledger("22.71C.2", "22.72C")
def test_if_it_does_not_the_battle_ends_and_it_has_lost() -> None:
    play = supply_line_alone()
    play.run(until=lambda decision: decision.kind == "continue")
    play.answer(AXIS, "end")
    play.end()
    assert (play.game.battle.losers, play.game.battle.victor) == ((AXIS,), ALLIES)


@pytest.mark.ledger("22.71C.2")
def test_by_the_other_reading_those_who_attack_the_line_decide() -> None:
    play = supply_line_alone(options={"supply_battle_continued_by": "attacker"})
    decision = play.run(until=lambda decision: decision.kind == "continue")
    assert decision is not None
    assert decision.side is ALLIES


@pytest.mark.ledger("22.71C.1", "22.71C.2")
@pytest.mark.parametrize("interceptor", [AXIS, ALLIES])
def test_where_neither_side_has_a_sound_ship_the_side_that_was_intercepted_may_go_on(interceptor: Side) -> None:
    cripples = {"damaged_cruisers": 1, "destroyers": 1, "number": 1}
    line = [force("Line", sea_supply=True, task_force=False, number=4, mission="sea supply")]
    japan = [force("Escort", **cripples), *(line if interceptor is ALLIES else ())]
    text = scenario_text(japan, [force("America", **cripples)], interceptor=interceptor.value)
    play = Play(text, fire={AXIS: 6, ALLIES: 6})
    decision = play.run(until=lambda decision: decision.kind == "continue")
    assert decision is not None and decision.side is interceptor.enemy
    assert not any(withdrawal.has_undamaged_units(play.fleet(side)) for side in (AXIS, ALLIES))
    if interceptor is AXIS:  # America, which was intercepted, traces nothing
        assert decision.form.sole_answer() == {"choice": "end"}
        return
    play.answer(AXIS, "continue")
    play.run(until=lambda decision: play.game.battle.round == 2)
    assert play.game.battle.round == 2
    assert not play.events(ev.BattleEnded)


@pytest.mark.ledger("22.71C.2")
def test_once_the_line_is_cut_the_battle_is_over() -> None:
    play = supply_line_alone(search={ALLIES: [6, 4, 4, 4]})
    answers = {
        (AXIS, "continue"): lambda decision: decision.form.sole_answer() or "continue",
        (ALLIES, "engage"): lambda decision: {
            "target": next((place for place in decision.form.items[0].places if place == "CG4"), "none")
        },
    }
    play.end(answers)
    assert play.events(ev.SupplyLineCut)
    assert play.fleet(AXIS).line_cut
    assert play.game.battle.losers == (AXIS,)
    assert play.game.battle.round == 2
    assert len(play.events(ev.BattleContinued)) == 1


@pytest.mark.ledger("22.71C.2")
def test_nobody_may_go_on_when_no_supply_line_is_in_the_battle_but_the_question_is_put_all_the_same() -> None:
    text = scenario_text([force("Doomed", destroyers=1, number=1)], [force("America", cruisers=9, number=1)])
    play = Play(text, fire={ALLIES: 6})
    offered = []
    play.end({(AXIS, "continue"): lambda decision: offered.append(decision.form.sole_answer()) or offered[-1]})
    assert offered == [{"choice": "end"}]
    assert play.game.battle.losers == (AXIS,)
