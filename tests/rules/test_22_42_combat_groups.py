"""22.42: how combat groups are formed, how fast they are, what number and status they have, what cargo does to them."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from tests.rules.groups_table import ALLIES, AXIS, Table, battleship, carrier, cruisers, force, small, table

A_CORPS = [{"name": "a corps", "needs": 4}]


def formed(played: Table, side: Any = ALLIES) -> dict[str, CombatGroup]:
    """The groups a side has in the first round, by name."""
    played.to_round(1)
    return {group.name: group for group in played.game.battle.fleets[side].groups}


def seven_groups(**keys: Any) -> Table:
    """Seven allied groups, one more than may fight, against a fleet that keeps its distance."""
    groups = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEFG"]
    return table([small("Second Fleet", 6)], groups, **keys)


def speed(group: dict[str, Any]) -> dict[str, Any]:
    return api.call("group_speed", {"group": group})


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


# -- speed --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.422")
def test_a_group_of_sound_fast_ships_without_cargo_is_fast() -> None:
    group = {"ships": [battleship(), carrier()], "light": {"Japan/CA": 2, "Japan/DD": 3}}
    assert speed(group)["fast"]


@pytest.mark.ledger("22.422A")
@pytest.mark.parametrize(
    "group",
    [
        {"ships": [battleship(fast=False), battleship("another")]},
        {"ships": [battleship(damaged=True), battleship("another")]},
        {"ships": [carrier(damaged=True)], "light": {"Japan/CA": 5}},
        {"light": {"Japan/CA": 5, "Japan/CA/damaged": 1}},
        {"light": {"Japan/CA": 5, "Japan/CVE": 1}},
        {"light": {"Japan/CA": 5, "Japan/TR": 1}},
    ],
    ids=["slow battleship", "damaged battleship", "damaged carrier", "damaged cruiser", "escort carrier", "transport"],
)
def test_a_single_slow_or_damaged_ship_makes_a_group_slow(group: dict[str, Any]) -> None:
    assert not speed(group)["fast"]


@pytest.mark.ledger("22.422A")
def test_hits_short_of_damage_do_not_slow_a_group() -> None:
    assert speed({"ships": [battleship(hits=2)]})["fast"]


@pytest.mark.ledger("22.422B", "22.427.2")
def test_cargo_and_sea_supply_make_a_group_slow() -> None:
    assert not speed({"light": {"Japan/DD/loaded": 4, "Japan/CA": 5}, "cargo": A_CORPS})["fast"]
    assert not speed({"light": {"Japan/CA": 5}, "supply": True})["fast"]


# -- numbers -------------------------------------------------------------------------------------


@pytest.mark.ledger("22.423A.2")
def test_two_groups_of_one_side_may_not_have_the_same_number() -> None:
    played = table([small("Second Fleet", 1)], [force("Group A", cruisers=2), force("Group B", cruisers=2)])
    played.to("number", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, {"Group A": "3", "Group B": "3"})
    assert refusal.value.rule == "22.423A"


@pytest.mark.ledger("22.423A.1", "22.423A.2")
@pytest.mark.parametrize(("first", "second"), [("6", "1"), ("2", "5"), ("4", "3")])
def test_any_number_from_one_to_six_may_be_given_in_any_order(first: str, second: str) -> None:
    played = table([small("Second Fleet", 1)], [force("Group A", cruisers=2), force("Group B", cruisers=3)])
    played.to("number", ALLIES)
    played.answer(ALLIES, {"Group A": first, "Group B": second})
    played.to_round(1)
    assert played.group(ALLIES, int(first)).name == "Group A"
    assert played.group(ALLIES, int(second)).name == "Group B"


@pytest.mark.ledger("22.423A.2")
@pytest.mark.parametrize("number", ["0", "7"])
def test_numbers_below_one_and_above_six_do_not_exist(number: str) -> None:
    played = table([small("Second Fleet", 1)], [force("Group A", cruisers=2)])
    played.to("number", ALLIES)
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"Group A": number})


@pytest.mark.ledger("22.423B.1")
def test_the_enemy_sees_which_numbers_are_in_use_but_not_by_whom() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Battle line", number=2, ships=["Washington"], cruisers=4), small("Cruisers", 5)],
    )
    played.to_segment("fleet combat")
    known = played.game.picture(AXIS).battle.fleets[ALLIES]
    assert known.numbers == (2, 5)
    assert [(group.name, group.ships, group.light) for group in known.groups] == [("", (), {}), ("", (), {})]


@pytest.mark.ledger("22.423B.2")
def test_a_group_that_is_attacked_is_shown_and_the_others_stay_secret() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [force("Battle line", number=1, ships=["Washington"], cruisers=4), small("Cruisers", 5)],
    )
    played.to_segment("submarines")
    known = played.game.picture(AXIS).battle.fleets[ALLIES]
    assert [ship.name for ship in known.group(1).ships] == ["Washington"]
    assert known.group(5).hidden


@pytest.mark.ledger("22.423B.2")
def test_being_found_does_not_show_what_a_group_consists_of() -> None:
    played = table(
        [small("Second Fleet", 1, cruisers=10)],
        [force("Battle line", number=3, ships=["Washington"], cruisers=4)],
        search={"axis": [[3]]},
    )
    played.to_segment("submarines")
    known = played.game.picture(AXIS).battle.fleets[ALLIES].group(3)
    assert known.disclosed is not None
    assert known.hidden
    assert not known.afloat


@pytest.mark.ledger("22.424")
def test_numbers_stay_as_they_are_from_round_to_round() -> None:
    played = table(
        [force("Second Fleet", cruisers=5), force("Third Fleet", cruisers=5)],
        [small("Group A", 3), small("Group B", 5)],
        answers={("axis", "number"): {"Second Fleet": "4", "Third Fleet": "6"}},
    )
    played.to_round(3)
    assert [played.group(AXIS, number).name for number in (4, 6)] == ["Second Fleet", "Third Fleet"]
    assert [entry[1] for entry in played.asked if entry[0] is AXIS].count("number") == 1


@pytest.mark.ledger("22.424")
def test_a_number_given_in_the_set_up_cannot_be_changed_in_play() -> None:
    played = table([small("Second Fleet", 2)], [small("Group A", 3)])
    played.to("number", AXIS)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(AXIS, {"Second Fleet": "5"})
    assert refusal.value.rule == "22.424"


@pytest.mark.ledger("22.423A.2")
def test_a_set_up_that_gives_one_number_to_two_groups_is_refused() -> None:
    with pytest.raises(ScenarioError) as refusal:
        table([small("Second Fleet", 1), small("Third Fleet", 1)], [small("Group A", 3)])
    assert refusal.value.rule == "22.423A"


# -- status --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.425A", "22.425B", "22.425")
@pytest.mark.parametrize(("round", "active"), [(1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (6, [1, 2, 3, 6])])
def test_a_group_is_active_from_the_round_of_its_number_on(round: int, active: list[int]) -> None:
    numbers = [1, 2, 3, 6]
    pairs = api.call("pairs", {"round": round, "axis": numbers, "allies": numbers})
    assert pairs["pairs"] == [[number, number] for number in active]


@pytest.mark.ledger("22.425A", "22.425D.1.2")
def test_groups_begin_to_fight_in_the_round_that_makes_them_active() -> None:
    played = table([small("Second Fleet", 2)], [small("Third Fleet", 2)])
    played.to_round(2)
    assert played.events(ev.FleetCombatBegan) == []
    played.to_round(3)
    assert len(played.events(ev.FleetCombatBegan)) == 1


@pytest.mark.ledger("22.425C", "22.425C.1")
def test_a_force_that_is_late_is_pending() -> None:
    played = table([small("Second Fleet", 6)], [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)])
    played.to_round(1)
    assert [group.name for group in played.game.battle.fleets[ALLIES].pending] == ["Cavalry"]
    assert played.numbers(ALLIES) == (4,)


@pytest.mark.ledger("22.425C.2")
def test_a_group_without_a_place_among_the_six_is_pending() -> None:
    played = seven_groups()
    played.to_round(1)
    assert [group.name for group in played.game.battle.fleets[ALLIES].pending] == ["Group G"]


@pytest.mark.ledger("22.425D.1.1")
def test_active_groups_count_for_search_and_distant_ones_of_the_same_strength_do_not() -> None:
    groups = [cruisers(1), cruisers(2), cruisers(3)]
    assert api.call("search_dice", {"round": 1, "groups": groups})["dice"] == 1
    assert api.call("search_dice", {"round": 2, "groups": groups})["dice"] == 1 + 2


@pytest.mark.ledger("22.425D.1.2", "22.425D.2.2")
def test_only_active_groups_may_begin_a_fleet_combat() -> None:
    enemy = [cruisers(1, nation="Britain"), cruisers(5, nation="Britain", found=2)]
    own = [cruisers(1), cruisers(2), cruisers(3)]
    options = api.call("second_engagements", {"round": 2, "side": "axis", "own": own, "enemy": enemy})["options"]
    assert options.get("3", []) == []
    assert options["2"] == [1, 5]


@pytest.mark.ledger("22.425D.2.1")
def test_a_distant_group_counts_for_search_only_with_a_fully_operational_fast_carrier() -> None:
    def dice(group: dict[str, Any]) -> int:
        return api.call("search_dice", {"round": 1, "groups": [{"number": 4, **group}]})["dice"]

    assert dice({"ships": [carrier()], "light": {"Japan/CA": 2}}) == 1
    assert dice({"ships": [carrier(damaged=True)], "light": {"Japan/CA": 8}}) == 0
    assert dice({"ships": [carrier(air=2)], "light": {"Japan/CA": 8}}) == 0
    assert dice({"light": {"Japan/CA": 8, "Japan/CVE": 4}}) == 0


@pytest.mark.ledger("22.425D.2.2")
def test_a_distant_group_fights_when_an_active_enemy_group_attacks_it() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [small("Third Fleet", 4)],
        search={"axis": [[4]]},
        answers={("axis", "engage"): "CG4", ("allies", "evade"): "fight"},
    )
    played.to_segment("submarines")
    assert played.engagements() == [(1, 4)]
    assert {event.side for event in played.events(ev.Fired)} == {AXIS, ALLIES}


@pytest.mark.ledger("22.425D.3.1", "22.428C", "22.451D.3")
def test_a_pending_group_gives_no_search_dice() -> None:
    late = force("Carriers", arrives=3, ships=["Enterprise", "Hornet"], cruisers=4)
    waiting = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEF"]
    played = table([small("Second Fleet", 6)], [*waiting, force("Group G", cruisers=12), late])
    played.to("number", ALLIES)
    six = {f"Group {letter}": str(number) for number, letter in enumerate("ABCDEF", start=1)}
    played.answer(ALLIES, {**six, "Group G": "wait"})
    played.to_segment("fleet combat")
    (searched,) = [event for event in played.events(ev.Searched) if event.side is ALLIES]
    assert searched.count == 0


@pytest.mark.ledger("22.425D.3.2")
def test_a_joining_group_takes_any_number_its_side_does_not_use() -> None:
    played = table([small("Second Fleet", 6)], [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)])
    form = played.to("reinforce", ALLIES).form
    assert {place.key for place in form.places} == {"wait", "1", "2", "3", "5", "6"}
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"Cavalry": "4"})
    played.answer(ALLIES, {"Cavalry": "2"})
    played.to_round(2)
    assert played.group(ALLIES, 2).name == "Cavalry"
    assert played.game.battle.active(played.group(ALLIES, 2))


@pytest.mark.ledger("22.425D.3.2", "22.423B.1")
def test_the_enemy_sees_the_number_of_a_joining_group_and_nothing_else() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)],
        answers={("allies", "reinforce"): {"Cavalry": "5"}},
    )
    played.to_round(2)
    known = played.game.picture(AXIS).battle.fleets[ALLIES]
    assert known.numbers == (4, 5)
    assert known.group(5).hidden
    assert played.seen(AXIS, ev.GroupsJoined) == []


@pytest.mark.ledger("22.426")
def test_groups_are_never_asked_to_combine_once_the_battle_has_begun() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [small("Third Fleet", 1), small("Fourth Fleet", 2), force("Convoy", number=3, destroyers=6, cargo=A_CORPS)],
    )
    played.to_round(3)
    assert [entry[1] for entry in played.asked if entry[0] is ALLIES].count("strengthen") == 1
    assert played.numbers(ALLIES) == (1, 2, 3)


@pytest.mark.ledger("22.426")
def test_two_groups_that_attack_the_same_enemy_fight_him_one_after_the_other() -> None:
    played = table(
        [small("First", 1), small("Second", 2)],
        [small("Enemy", 1, cruisers=12)],
        answers={("axis", "engage", "CG2"): "CG1"},
    )
    played.to_round(2)
    played.to_round(3)
    assert played.engagements()[1:] == [(1, 1), (2, 1)]
    assert max(event.factors for event in played.events(ev.Fired) if event.side is AXIS) <= 10


# -- cargo ---------------------------------------------------------------------------------------


@pytest.mark.ledger("22.427.1")
def test_cargo_stays_in_the_group_it_sailed_with() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [force("Convoy", number=5, destroyers=6, cargo=A_CORPS), small("Escort", 4, destroyers=8)],
    )
    played.to_round(3)
    assert [cargo.name for cargo in played.group(ALLIES, 5).cargo] == ["a corps"]
    assert played.group(ALLIES, 4).cargo == ()
    assert played.group(ALLIES, 5).light["United States/DD/loaded"] == 4


@pytest.mark.ledger("22.427.3", "22.427.4")
@pytest.mark.parametrize("burden", [{"cargo": A_CORPS}, {"sea_supply": True}], ids=["cargo", "sea supply"])
def test_a_group_with_cargo_or_on_sea_supply_fires_worse_and_is_hit_better(burden: dict[str, Any]) -> None:
    def net(**keys: Any) -> dict[Any, int]:
        played = table([small("Second Fleet", 1)], [force("Others", number=1, cruisers=2, destroyers=8, **keys)])
        played.to_segment("submarines")
        return {event.side: event.modifiers.total for event in played.events(ev.Fired)}

    free, burdened = net(), net(**burden)
    assert burdened[ALLIES] == free[ALLIES] - 1
    assert burdened[AXIS] == free[AXIS] + 1


# -- search ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.428A")
@pytest.mark.parametrize(
    ("light", "dice"),
    [
        ({"Japan/CA": 5}, 1),
        ({"Japan/CA": 4, "Japan/DD": 1}, 0),
        ({"Japan/CA": 4, "Japan/CA/damaged": 1}, 0),
        ({"Japan/CA": 5, "Japan/CA/damaged": 1}, 1),
        ({"Japan/CA": 4, "Japan/DD/loaded": 2}, 1),
        ({"Japan/CA": 4, "Japan/CVE": 2}, 1),
        ({"Japan/CA": 4, "Japan/DD": 1, "Japan/TR": 6}, 0),
    ],
)
def test_an_active_group_gives_a_die_for_ten_undamaged_factors(light: dict[str, int], dice: int) -> None:
    assert api.call("search_dice", {"round": 1, "groups": [{"number": 1, "light": light}]})["dice"] == dice


@pytest.mark.ledger("22.428A")
def test_a_damaged_battleship_does_not_count_for_the_ten_factors() -> None:
    group = {"number": 1, "ships": [battleship(damaged=True)], "light": {"Japan/CA": 3}}
    assert api.call("search_dice", {"round": 1, "groups": [group]})["dice"] == 0
    group["ships"] = [battleship(hits=2)]
    assert api.call("search_dice", {"round": 1, "groups": [group]})["dice"] == 1


@pytest.mark.ledger("22.428B.1", "22.428B.2")
def test_each_distant_group_with_carriers_gives_one_die_however_many_carriers_it_has() -> None:
    one = {"number": 3, "ships": [carrier("a")]}
    three = {"number": 4, "ships": [carrier("b"), carrier("c"), carrier("d")]}
    assert api.call("search_dice", {"round": 1, "groups": [three]})["dice"] == 1
    assert api.call("search_dice", {"round": 1, "groups": [one, three]})["dice"] == 2


@pytest.mark.ledger("22.428B.1")
def test_one_fully_operational_carrier_among_others_is_enough() -> None:
    group = {"number": 3, "ships": [carrier("a", damaged=True), carrier("b", air=1), carrier("c")]}
    assert api.call("search_dice", {"round": 1, "groups": [group]})["dice"] == 1


@pytest.mark.ledger("22.421A.4.1.1")
def test_ships_that_cannot_be_divided_into_two_full_groups_make_three() -> None:
    """Eleven ships of four factors and two of three are fifty factors, but twenty-five cannot be made of them."""
    ships = [{"id": f"four {n}", "kind": "BB", "size": 4} for n in range(11)]
    ships += [{"id": f"three {n}", "kind": "BB", "size": 3} for n in range(2)]
    answer = api.call("combined_group", {"cargo": {"name": "Convoy", "supply": True}, "other": {"ships": ships}})
    assert answer["factors"] == 50 and answer["must_divide"]
    assert sorted(answer["places"]) == ["Convoy #1", "Convoy #2", "Convoy #3", "port"]


@pytest.mark.ledger("22.428C", "22.451D.3")
def test_a_group_without_a_number_is_pending_and_searches_for_nothing() -> None:
    assert api.call("search_dice", {"round": 1, "groups": [{"number": 0, "light": {"Japan/CA": 5}}]})["dice"] == 0
