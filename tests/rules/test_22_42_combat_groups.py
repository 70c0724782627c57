"""22.42: how combat groups are formed, how fast they are, what number and status they have, what cargo does to them."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.rules.naval.combat_groups import splitting_form
from tests.rules.groups_table import ALLIES, AXIS, Table, force, small, table

A_CORPS = [{"name": "a corps", "needs": 4}]


def formed(played: Table, side: Any = ALLIES) -> dict[str, CombatGroup]:
    """The groups a side has in the first round, by name."""
    played.to_round(1)
    return {group.name: group for group in played.game.battle.fleets[side].groups}


def seven_groups(**keys: Any) -> Table:
    """Seven allied groups, one more than may fight, against a fleet that keeps its distance."""
    groups = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEFG"]
    return table([small("Second Fleet", 6)], groups, **keys)


# -- formation ---------------------------------------------------------------------------------


@pytest.mark.ledger("22.421", "22.423B.2")
def test_how_ships_are_divided_into_groups_is_secret() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Battle line", number=1, ships=["Washington"], cruisers=4), small("Cruisers", 2)],
    )
    played.to_segment("fleet combat")
    for side in (AXIS, None):
        assert played.seen(side, ev.GroupsFormed) == [
            event for event in played.events(ev.GroupsFormed) if side is AXIS and event.side is AXIS
        ]
        for group in played.game.picture(side).battle.fleets[ALLIES].groups:
            assert group.hidden
            assert not group.afloat


@pytest.mark.ledger("22.421A.1.1", "22.421A.1.2")
def test_task_forces_without_cargo_are_groups_of_their_own_and_nobody_is_asked_to_join_them() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Task Force 1", cruisers=2), force("Task Force 2", cruisers=3), force("Task Force 3", destroyers=4)],
    )
    assert played.to("strengthen", ALLIES).form.items == ()
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"Task Force 1": "Task Force 2"})
    assert played.to("split", ALLIES).form.items == ()
    groups = formed(played)
    assert {name: group.factors for name, group in groups.items()} == {
        "Task Force 1": 4,
        "Task Force 2": 6,
        "Task Force 3": 4,
    }


@pytest.mark.ledger("22.421A.2", "22.421A")
def test_small_intercepting_forces_without_cargo_become_one_group() -> None:
    played = table(
        [
            force("Destroyers", task_force=False, destroyers=3),
            force("Cruisers", task_force=False, cruisers=4),
            force("Task force", cruisers=5),
        ],
        [small("Third Fleet", 1)],
    )
    groups = formed(played, AXIS)
    assert sorted(group.factors for group in groups.values()) == [10, 11]
    assert {"Japan/CA": 4, "Japan/DD": 3} in [group.light for group in groups.values()]


@pytest.mark.ledger("22.421A.3")
def test_a_cargo_force_may_be_strengthened_by_a_group_without_cargo() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Convoy", destroyers=6, cargo=A_CORPS), force("Escort", cruisers=5)],
        answers={("allies", "strengthen"): {"Convoy": "Escort"}},
    )
    (group,) = formed(played).values()
    assert group.factors == 16
    assert [cargo.name for cargo in group.cargo] == ["a corps"]


@pytest.mark.ledger("22.421A.3")
def test_whether_a_cargo_force_is_strengthened_is_for_its_owner_to_say() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Convoy", destroyers=6, cargo=A_CORPS), force("Escort", cruisers=5)],
        answers={("allies", "strengthen"): {"Convoy": "alone"}},
    )
    assert sorted(formed(played)) == ["Convoy", "Escort"]


@pytest.mark.ledger("22.421A.3")
def test_an_unprotected_supply_line_and_loaded_transports_may_be_strengthened_too() -> None:
    line = force("Supply line", task_force=False, sea_supply=True)
    convoy = force("Transports", transports=3, cargo=[{"name": "oil", "needs": 3, "by": "TR"}])
    for weak in (line, convoy):
        played = table(
            [small("Second Fleet", 1)],
            [weak, force("Escort", cruisers=5)],
            answers={("allies", "strengthen"): {weak["name"]: "Escort"}},
        )
        (group,) = formed(played).values()
        assert group.factors == 10
        assert group.encumbered


@pytest.mark.ledger("22.421A.3")
def test_one_group_cannot_strengthen_two_cargo_forces_and_cargo_forces_never_join_each_other() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [
            force("First convoy", destroyers=6, cargo=A_CORPS),
            force("Second convoy", destroyers=6, cargo=[{"name": "a division", "needs": 2}]),
            force("Escort", cruisers=5),
        ],
    )
    played.to("strengthen", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, {"First convoy": "Escort", "Second convoy": "Escort"})
    assert refusal.value.rule.startswith("22.421A")
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"First convoy": "Second convoy"})


@pytest.mark.ledger("22.421A.4.1.1")
def test_a_combined_group_of_exactly_25_factors_stays_whole_and_one_of_26_is_divided() -> None:
    convoy = {"light": {"Japan/DD/loaded": 4}, "cargo": A_CORPS}
    whole = api.call("combined_group", {"cargo": convoy, "other": {"light": {"Japan/CA": 8, "Japan/DD": 5}}})
    assert (whole["factors"], whole["must_divide"]) == (25, False)
    divided = api.call("combined_group", {"cargo": convoy, "other": {"light": {"Japan/CA": 8, "Japan/DD": 6}}})
    assert (divided["factors"], divided["must_divide"]) == (26, True)


@pytest.mark.ledger("22.421A.4.1.1")
def test_small_forces_over_25_factors_together_make_a_second_group() -> None:
    small_forces = [force(f"Flotilla {number}", task_force=False, cruisers=4, destroyers=1) for number in (1, 2, 3)]
    groups = formed(table(small_forces, [small("Third Fleet", 1)]), AXIS)
    factors = sorted(group.factors for group in groups.values())
    assert len(factors) == 2
    assert sum(factors) == 27
    assert factors[1] <= 25


@pytest.mark.ledger("22.421A.4.1.1")
def test_small_forces_over_50_factors_together_make_a_third_group() -> None:
    small_forces = [force(f"Flotilla {number}", task_force=False, cruisers=4, destroyers=1) for number in range(1, 7)]
    groups = formed(table(small_forces, [small("Third Fleet", 1)]), AXIS)
    factors = [group.factors for group in groups.values()]
    assert (len(factors), sum(factors)) == (3, 54)
    assert max(factors) <= 25


@pytest.mark.ledger("22.421A.4.1.1")
def test_a_division_that_leaves_more_than_25_factors_together_is_refused() -> None:
    small_forces = [force(f"Flotilla {number}", task_force=False, destroyers=9) for number in (1, 2, 3)]
    played = table(small_forces, [small("Third Fleet", 1)])
    form = played.to("split", AXIS).form
    (item,) = form.items
    first, second = form.places_for(item)[:2]
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(AXIS, {item.key: {first: 26, second: 1}})
    assert refusal.value.rule.startswith("22.421A")


@pytest.mark.ledger("22.421A.4.1.1")
def test_only_the_surplus_may_be_split_off() -> None:
    small_forces = [force(f"Flotilla {number}", task_force=False, destroyers=9) for number in (1, 2, 3)]
    played = table(small_forces, [small("Third Fleet", 1)])
    form = played.to("split", AXIS).form
    (item,) = form.items
    first, second = form.places_for(item)[:2]
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(AXIS, {item.key: {first: 20, second: 7}})
    assert refusal.value.rule.startswith("22.421A")
    played.answer(AXIS, {item.key: {first: 21, second: 6}})
    assert sorted(group.factors for group in formed(played, AXIS).values()) == [6, 21]


@pytest.mark.ledger("22.421A.4.1.2")
def test_the_surplus_of_a_strengthened_cargo_force_comes_from_the_escort() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [
            force("Convoy", cruisers=2, destroyers=10, transports=1, cargo=A_CORPS),
            force("Escort", ships=["Washington", "North Carolina"], cruisers=4),
        ],
        answers={("allies", "strengthen"): {"Convoy": "Escort"}},
    )
    form = played.to("split", ALLIES).form
    of_the_convoy = [item for item in form.items if "of the cargo force" in item.key]
    assert sum(item.amount for item in of_the_convoy) == 13
    for item in of_the_convoy:
        (only,) = form.places_for(item)
        assert only.endswith("#1")
    groups = sorted(formed(played).values(), key=lambda group: group.encumbered)
    surplus, convoy = groups
    assert convoy.factors <= 25
    assert surplus.factors == 30 - convoy.factors
    assert convoy.light.get("United States/DD", 0) + convoy.light["United States/DD/loaded"] == 10
    assert convoy.light["United States/TR"] == 1
    assert not surplus.cargo


@pytest.mark.ledger("22.421A.4.1.1", "22.421A.4.1.2")
def test_ships_that_carry_stay_with_their_cargo_however_many_they_are() -> None:
    """27 factors carry, as forces that met in an operation may: none of them is surplus, but the escort is (FP-01)."""
    group = CombatGroup(0, "Convoys", light={"United States/DD/loaded": 27, "United States/CA": 4})
    form = splitting_form([group], {}, 25)
    carrying, escort = form.items
    first, second = form.places_for(escort)[:2]
    assert form.places_for(carrying) == (first,)
    form.read({carrying.key: {first: 27}, escort.key: {second: 4}}, "22.421A")
    with pytest.raises(IllegalChoice, match="22.421A"):
        form.read({carrying.key: {first: 27}, escort.key: {first: 1, second: 3}}, "22.421A")


@pytest.mark.ledger("22.421A.4.1.3")
def test_transports_add_nothing_to_the_size_of_a_combined_group() -> None:
    convoy = {"light": {"Japan/TR": 9}, "cargo": [{"name": "oil", "needs": 9, "by": "TR"}]}
    result = api.call("combined_group", {"cargo": convoy, "other": {"light": {"Japan/CA": 12, "Japan/DD": 1}}})
    assert (result["factors"], result["must_divide"]) == (25, False)


@pytest.mark.ledger("22.421A.4.2.1")
@pytest.mark.parametrize(
    ("sizes", "fleet", "joining"),
    [([3, 3], 6, 6), ([3, 3], 5, 3), ([3, 2], 4, 3), ([2, 2, 2], 5, 4), ([4], 3, 0)],
)
def test_each_carrier_factor_needs_a_fast_fleet_factor(sizes: list[int], fleet: int, joining: int) -> None:
    result = api.call("carriers_joining", {"carrier_sizes": sizes, "fast_fleet_factors": fleet})
    assert result["carrier_factors"] == joining


@pytest.mark.ledger("22.421A.4.2.1", "22.421A.4.2.2")
def test_carriers_beyond_the_ratio_in_a_group_of_small_forces_go_back_to_port() -> None:
    played = table(
        [
            force("Carriers", task_force=False, ships=["Shokaku", "Zuikaku"], destroyers=2),
            force("Destroyers", task_force=False, destroyers=3),
        ],
        [small("Third Fleet", 1)],
    )
    played.to("split", AXIS)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(AXIS, {"shokaku": "Carriers and Destroyers #1", "zuikaku": "Carriers and Destroyers #1"})
    assert refusal.value.rule.startswith("22.421A")
    played.answer(AXIS, {"shokaku": "port", "zuikaku": "Carriers and Destroyers #1"})
    (group,) = formed(played, AXIS).values()
    assert [ship.name for ship in group.ships] == ["Zuikaku"]
    home = played.game.battle.fleets[AXIS].home
    assert [ship.name for parcel in home for ship in parcel.ships] == ["Shokaku"]


@pytest.mark.ledger("22.421A.4.2.1")
@pytest.mark.parametrize("escort", [{"ships": ["Fuso"]}, {"escort_carriers": 3}, {"damaged_cruisers": 2}])
def test_slow_and_damaged_ships_are_no_fast_fleet_factors_for_carriers(escort: dict[str, Any]) -> None:
    played = table(
        [
            force("Carriers", task_force=False, ships=["Shokaku"]),
            force("Others", task_force=False, **escort),
        ],
        [small("Third Fleet", 1)],
    )
    groups = formed(played, AXIS)
    assert all(group.fast_carriers == 0 for group in groups.values())
    assert [ship.name for parcel in played.game.battle.fleets[AXIS].home for ship in parcel.ships] == ["Shokaku"]


@pytest.mark.ledger("22.421A.4.2.2")
def test_carriers_with_enough_escort_may_not_stay_away() -> None:
    played = table(
        [
            force("Carriers", task_force=False, ships=["Shokaku", "Zuikaku"], destroyers=2),
            force("Destroyers", task_force=False, destroyers=3),
        ],
        [small("Third Fleet", 1)],
    )
    played.to("split", AXIS)
    with pytest.raises(IllegalChoice):
        played.answer(AXIS, {"shokaku": "port", "zuikaku": "port"})


@pytest.mark.ledger("22.421B.1")
def test_a_task_force_that_arrives_later_is_a_new_group() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4), force("Lancers", arrives=2, cruisers=3)],
        answers={("allies", "reinforce"): {"Cavalry": "5", "Lancers": "6"}},
    )
    played.to_round(2)
    assert [played.group(ALLIES, number).factors for number in (4, 5, 6)] == [10, 8, 6]


@pytest.mark.ledger("22.421B.2")
def test_ships_outside_task_forces_that_arrive_in_the_same_round_join_as_one_group() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [
            small("Third Fleet", 4),
            force("Cruisers", task_force=False, arrives=2, cruisers=2),
            force("Destroyers", task_force=False, arrives=2, destroyers=3),
        ],
    )
    form = played.to("reinforce", ALLIES).form
    assert len(form.items) == 1
    played.answer(ALLIES, "5")
    played.to_round(2)
    assert played.group(ALLIES, 5).light == {"United States/CA": 2, "United States/DD": 3}


@pytest.mark.ledger("22.421B.2")
def test_ships_that_arrive_in_different_rounds_are_different_groups() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [
            small("Third Fleet", 4),
            force("Cruisers", task_force=False, arrives=2, cruisers=2),
            force("Destroyers", task_force=False, arrives=3, destroyers=3),
        ],
        answers={("allies", "reinforce"): [{"Cruisers": "5"}, {"Destroyers": "6"}]},
    )
    played.to_round(3)
    assert [played.group(ALLIES, number).factors for number in (5, 6)] == [4, 3]


@pytest.mark.ledger("22.421B.2")
def test_late_ships_over_25_factors_together_join_as_two_groups() -> None:
    late = [force(f"Flotilla {number}", task_force=False, arrives=2, destroyers=9) for number in (1, 2, 3)]
    played = table([small("Second Fleet", 6)], [small("Third Fleet", 4), *late])
    pending = {item.key for item in played.to("reinforce", ALLIES).form.items}
    assert len(pending) == 2
    factors = [group.factors for group in played.game.battle.fleets[ALLIES].pending]
    assert sum(factors) == 27
    assert max(factors) <= 25


# -- six groups --------------------------------------------------------------------------------


@pytest.mark.ledger("22.421C")
def test_a_side_never_has_more_than_six_groups_in_a_round() -> None:
    played = seven_groups()
    played.to("number", ALLIES)
    everyone = {f"Group {letter}": str(number) for number, letter in enumerate("ABCDEF", start=1)}
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {**everyone, "Group G": "6"})
    played.answer(ALLIES, {**everyone, "Group G": "wait"})
    played.to_round(1)
    assert len(played.game.battle.fleets[ALLIES].groups) == 6


@pytest.mark.ledger("22.421C")
def test_no_group_may_wait_while_there_is_room_for_it() -> None:
    played = table([small("Second Fleet", 6)], [force("Group A", cruisers=2), force("Group B", cruisers=2)])
    played.to("number", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, {"Group A": "1", "Group B": "wait"})
    assert refusal.value.rule.startswith("22.421C")


@pytest.mark.ledger("22.421C.1")
def test_a_waiting_group_takes_no_part_in_the_first_round_and_cannot_be_attacked() -> None:
    played = seven_groups(search={"axis": [[1, 2, 3, 4, 5, 6]]})
    played.to("reinforce")
    (waiting,) = played.game.battle.fleets[ALLIES].pending
    assert waiting.name == "Group G"
    assert not waiting.attacked
    assert 0 not in {event.number for event in played.events(ev.GroupFound)}
    assert 0 not in played.seen(AXIS, ev.MarkersPlaced)[1].numbers


@pytest.mark.ledger("22.421C.2.1")
def test_a_group_with_cargo_may_not_be_the_one_that_waits() -> None:
    groups = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEF"]
    convoy = force("Convoy", destroyers=6, cargo=A_CORPS)
    played = table([small("Second Fleet", 6)], [*groups, convoy])
    played.to("number", ALLIES)
    six = {f"Group {letter}": str(number) for number, letter in enumerate("ABCDEF", start=1)}
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, {**six, "Convoy": "wait"})
    assert refusal.value.rule.startswith("22.421C")
    played.answer(ALLIES, {**six, "Group F": "wait", "Convoy": "6"})
    played.to_round(1)
    assert played.group(ALLIES, 6).name == "Convoy"


@pytest.mark.ledger("22.421C.2.2")
@pytest.mark.parametrize("waiting", ["Group A", "Group D", "Group G"])
def test_the_owner_chooses_which_group_without_cargo_waits(waiting: str) -> None:
    played = seven_groups()
    played.to("number", ALLIES)
    names = [f"Group {letter}" for letter in "ABCDEFG" if f"Group {letter}" != waiting]
    played.answer(ALLIES, {**{name: str(number) for number, name in enumerate(names, start=1)}, waiting: "wait"})
    played.to_round(1)
    assert [group.name for group in played.game.battle.fleets[ALLIES].pending] == [waiting]


@pytest.mark.ledger("22.421C.3.1")
def test_a_waiting_group_enters_when_another_withdraws_and_takes_its_number() -> None:
    played = seven_groups(answers={("allies", "withdraw"): {"CG2": "withdraw"}})
    form = played.to("reinforce", ALLIES).form
    assert [place.key for place in form.places if place.key != "wait"] == ["2"]
    played.answer(ALLIES, {"Group G": "2"})
    played.to_round(2)
    assert played.group(ALLIES, 2).name == "Group G"


@pytest.mark.ledger("22.421C.3.1")
def test_a_waiting_group_stays_out_while_all_six_are_still_there() -> None:
    played = seven_groups()
    played.to("reinforce", ALLIES)
    for number in "1234567":
        with pytest.raises(IllegalChoice):
            played.answer(ALLIES, {"Group G": number})
    played.to_round(2)
    assert "Group G" not in {group.name for group in played.game.battle.fleets[ALLIES].groups}


@pytest.mark.ledger("22.421C.3.1")
def test_a_waiting_group_enters_when_another_has_been_sunk() -> None:
    groups = [force("Picket", destroyers=1), *[force(f"Group {letter}", cruisers=2) for letter in "ABCDEF"]]
    played = table([small("Second Fleet", 1, cruisers=10)], groups, gunfire={"axis": (6, 6)})
    played.to("number", ALLIES)
    six = {name: str(number) for number, name in enumerate(["Picket", *[f"Group {x}" for x in "ABCDE"]], start=1)}
    played.answer(ALLIES, {**six, "Group F": "wait"})
    played.to("reinforce", ALLIES)
    assert played.events(ev.GroupEliminated)[0].number == 1
    played.answer(ALLIES, {"Group F": "1"})
    played.to_round(2)
    assert played.group(ALLIES, 1).name == "Group F"


@pytest.mark.ledger("22.421C.3.1")
def test_not_more_groups_enter_than_have_left() -> None:
    groups = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEFGH"]
    played = table([small("Second Fleet", 6)], groups, answers={("allies", "withdraw"): {"CG2": "withdraw"}})
    played.to("reinforce", ALLIES)
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"Group G": "2", "Group H": "2"})
    played.answer(ALLIES, {"Group H": "2"})
    played.to_round(2)
    assert len(played.numbers(ALLIES)) == 6
    assert api.call("six_groups", {"groups": 8, "freed": [2]})["numbers"] == [2]


@pytest.mark.ledger("22.421C.3.2")
def test_a_group_that_has_left_does_not_come_back_and_none_steps_aside() -> None:
    played = seven_groups(answers={("allies", "withdraw"): [{"CG2": "withdraw"}, {"CG3": "withdraw"}]})
    played.to("reinforce", ALLIES)
    played.answer(ALLIES, {"Group G": "2"})
    played.to_round(2)
    form = played.to("reinforce", ALLIES).form
    assert form.items == ()
    assert {group.name for group in played.game.battle.fleets[ALLIES].withdrawn} == {"Group B", "Group C"}


@pytest.mark.ledger("22.421C.3.3")
def test_a_group_that_found_no_room_after_the_first_round_may_enter_after_the_second() -> None:
    played = seven_groups(answers={("allies", "withdraw"): [{}, {"CG5": "withdraw"}]})
    played.to_round(2)
    assert len(played.game.battle.fleets[ALLIES].pending) == 1
    played.to("reinforce", ALLIES)
    played.answer(ALLIES, {"Group G": "5"})
    played.to_round(3)
    assert played.group(ALLIES, 5).name == "Group G"
