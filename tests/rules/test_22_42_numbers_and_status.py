"""22.422 to 22.428: speed, numbers and status of combat groups."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.model import events as ev
from tests.rules.groups_table import ALLIES, AXIS, Table, battleship, carrier, cruisers, force, small, table

A_CORPS = [{"name": "a corps", "needs": 4}]


def seven_groups(**keys: Any) -> Table:
    """Seven allied groups, one more than may fight, against a fleet that keeps its distance."""
    groups = [force(f"Group {letter}", cruisers=2) for letter in "ABCDEFG"]
    return table([small("Second Fleet", 6)], groups, **keys)


def speed(group: dict[str, Any]) -> dict[str, Any]:
    return api.call("group_speed", {"group": group})


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
