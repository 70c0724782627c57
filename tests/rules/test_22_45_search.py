"""22.45, 22.461B: search dice, what they find, what is told of a found group, and who would strike first."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from flagplot.model.forces import Disclosed
from tests.rules.groups_table import ALLIES, AXIS, Table, battleship, carrier, cruisers, force, small, table


def dice(round: int = 1, groups: list[dict[str, Any]] | None = None, **keys: Any) -> int:
    return api.call("search_dice", {"round": round, "groups": groups or [], **keys})["dice"]


def told(group: dict[str, Any]) -> dict[str, Any]:
    return api.call("disclosure", {"group": group})


def counts(played: Table) -> dict[Any, list[int]]:
    """How many dice each side rolled, round by round."""
    return {
        side: [event.count for event in played.seen(None, ev.Searched) if event.side is side] for side in (AXIS, ALLIES)
    }


# -- how many dice ---------------------------------------------------------------------------------


@pytest.mark.ledger("22.451")
def test_a_side_with_nothing_that_searches_rolls_no_dice() -> None:
    assert dice(1, [cruisers(1, 4), cruisers(3, 8)]) == 0
    played = table([force("Flotilla", number=3, destroyers=5)], [small("Third Fleet", 1)])
    played.to_segment("fleet combat")
    (rolled,) = [event for event in played.events(ev.Searched) if event.side is AXIS]
    assert (rolled.count, rolled.dice, rolled.results) == (0, (), {})


@pytest.mark.ledger("22.451")
def test_search_dice_from_all_sources_add_up() -> None:
    groups = [cruisers(1), cruisers(2), {"number": 5, "ships": [carrier()]}, cruisers(4, 2)]
    assert dice(3, groups, squadrons=2, codebreaking=1) == 2 + 1 + 2 + 2 + 1


@pytest.mark.ledger("22.451A", "22.45T.1")
@pytest.mark.parametrize(("squadrons", "expected"), [(0, 0), (1, 1), (3, 3), (4, 3), (9, 3)])
def test_searching_squadrons_give_a_die_each_but_never_more_than_three(squadrons: int, expected: int) -> None:
    assert dice(squadrons=squadrons) == expected


@pytest.mark.ledger("22.451B", "22.45T.2")
def test_a_codebreaking_advantage_gives_one_die_and_takes_one_from_the_enemy() -> None:
    played = table(
        [small("Second Fleet", 1, cruisers=8)], [small("Third Fleet", 1, cruisers=8)], search_advantage="axis"
    )
    played.to_round(3)
    assert counts(played) == {AXIS: [2, 3], ALLIES: [0, 1]}


@pytest.mark.ledger("22.451B")
def test_codebreaking_never_counts_for_more_than_one_die() -> None:
    assert dice(1, [cruisers(1)], codebreaking=3) == 2
    assert dice(3, [cruisers(1)], codebreaking=-3) == 2


@pytest.mark.ledger("22.451B")
def test_a_side_without_dice_cannot_lose_one_to_codebreaking() -> None:
    assert dice(1, [], codebreaking=-1) == 0


@pytest.mark.ledger("22.451C", "22.45T.3")
@pytest.mark.parametrize(("round", "expected"), [(1, 0), (2, 1), (3, 2), (9, 8), (15, 14)])
def test_each_completed_round_gives_a_die_without_limit(round: int, expected: int) -> None:
    assert dice(round) == expected


@pytest.mark.ledger("22.451C")
def test_both_sides_roll_one_die_more_in_each_further_round() -> None:
    played = table([force("Flotilla", number=6, destroyers=5)], [force("Squadron", number=6, cruisers=3)])
    played.to_round(4)
    assert counts(played) == {AXIS: [0, 1, 2], ALLIES: [0, 1, 2]}


@pytest.mark.ledger("22.451D.1.1", "22.45T.4")
@pytest.mark.parametrize(("round", "active"), [(1, 1), (3, 3), (6, 6), (8, 6)])
def test_active_groups_of_ten_factors_give_a_die_each_and_at_most_six(round: int, active: int) -> None:
    assert dice(round, [cruisers(number) for number in range(1, 7)]) == (round - 1) + active


@pytest.mark.ledger("22.451D.1.1")
def test_a_group_of_more_than_ten_factors_still_gives_one_die() -> None:
    assert dice(1, [cruisers(1, 12)]) == 1


@pytest.mark.ledger("22.451D.1.2")
def test_a_distant_group_of_ten_factors_gives_no_die_for_its_size() -> None:
    assert dice(1, [cruisers(2, 12)]) == 0
    assert dice(1, [{"number": 2, "ships": [carrier()], "light": {"Japan/CA": 10}}]) == 1


@pytest.mark.ledger("22.451D.2.1", "22.45T.5")
def test_distant_carrier_groups_give_a_die_each_and_at_most_five() -> None:
    groups = [{"number": number, "ships": [carrier(f"carrier {number}")]} for number in range(2, 7)]
    assert dice(1, groups) == 5
    assert dice(1, [cruisers(1), *groups]) == 6


@pytest.mark.ledger("22.451D.2.1")
@pytest.mark.parametrize(
    ("ship", "expected"),
    [
        ({}, 1),
        ({"hits": 1}, 1),
        ({"damaged": True}, 0),
        ({"air": 2}, 0),
        ({"air": 0}, 0),
        ({"kind": "CVL", "size": 2, "air": 2}, 1),
        ({"kind": "CVL", "size": 2, "air": 1}, 0),
        ({"kind": "CVB", "size": 4, "air": 3}, 0),
    ],
)
def test_only_an_undamaged_carrier_with_all_her_squadrons_searches(ship: dict[str, Any], expected: int) -> None:
    assert dice(1, [{"number": 2, "ships": [carrier(**ship)]}]) == expected


@pytest.mark.ledger("22.451D.2.2")
def test_an_active_carrier_group_gets_no_die_for_its_carriers() -> None:
    small_group = {"ships": [carrier()], "light": {"Japan/CA": 3}}
    large_group = {"ships": [carrier("a"), carrier("b")], "light": {"Japan/CA": 3}}
    assert dice(1, [{"number": 1, **small_group}]) == 0
    assert dice(1, [{"number": 1, **large_group}]) == 1


@pytest.mark.ledger("22.451D.2.2")
def test_a_carrier_group_that_becomes_active_loses_its_carrier_die() -> None:
    played = table(
        [force("Carriers", number=2, ships=["Shokaku"], destroyers=4)], [force("Squadron", number=6, cruisers=3)]
    )
    played.to_round(3)
    assert counts(played)[AXIS] == [1, 1]  # the carrier in round one, the completed round in round two


@pytest.mark.ledger("22.451D.2.2")
def test_further_carriers_in_a_distant_group_give_nothing() -> None:
    assert dice(1, [{"number": 3, "ships": [carrier("a"), carrier("b"), carrier("c")]}]) == 1


@pytest.mark.ledger("22.451D.3")
def test_a_group_gives_dice_only_from_the_round_in_which_it_joins() -> None:
    played = table(
        [small("Second Fleet", 6)],
        [force("Squadron", number=5, cruisers=3), force("Carriers", arrives=2, ships=["Enterprise"], cruisers=3)],
        answers={("allies", "reinforce"): {"Carriers": "6"}},
    )
    played.to_round(3)
    assert counts(played)[ALLIES] == [0, 1 + 1]


@pytest.mark.ledger("22.451", "22.423B.2")
def test_the_enemy_sees_the_dice_but_not_which_groups_they_come_from() -> None:
    played = table(
        [force("Carriers", number=4, ships=["Shokaku"], cruisers=3), small("Second Fleet", 2)],
        [small("Third Fleet", 2)],
        round=2,
    )
    played.to_segment("fleet combat", 2)
    (rolled,) = [event for event in played.seen(ALLIES, ev.Searched) if event.side is AXIS]
    assert rolled.count == 1 + 1 + 1
    assert [line.rule for line in rolled.public.lines] == ["22.451C"]
    assert [event.side for event in played.seen(ALLIES, ev.SearchCounted)] == [ALLIES]


# -- results ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.452")
def test_every_die_that_shows_a_groups_number_is_a_result() -> None:
    found = api.call("search_results", {"numbers": [2, 3, 5]}, dice=[5, 2, 5, 1, 6, 5])
    assert found["results"] == {"2": 1, "5": 3}
    assert found["total"] == 4


@pytest.mark.ledger("22.452A", "22.45T.6")
def test_a_group_whose_number_does_not_come_up_stays_hidden() -> None:
    found = api.call("search_results", {"numbers": [2, 3, 5]}, dice=[1, 4, 6])
    assert found["hidden"] == [2, 3, 5]
    assert found["results"] == {}


@pytest.mark.ledger("22.452A", "22.45T.6")
def test_a_distant_group_that_stays_hidden_cannot_be_attacked() -> None:
    played = table(
        [small("Second Fleet", 1)], [small("Third Fleet", 3), small("Fourth Fleet", 4)], search={"axis": [[4]]}
    )
    played.to("engage", AXIS)
    with pytest.raises(IllegalChoice):
        played.answer(AXIS, "CG3")
    played.answer(AXIS, "CG4")
    assert played.seen(None, ev.EngagementDeclared)[0].engagement.allies == 4


@pytest.mark.ledger("22.452A")
def test_nothing_is_told_of_a_group_that_stays_hidden() -> None:
    played = table(
        [small("Second Fleet", 1)], [small("Third Fleet", 3), small("Fourth Fleet", 4)], search={"axis": [[4]]}
    )
    played.to_segment("fleet combat")
    known = played.game.picture(AXIS).battle.fleets[ALLIES]
    assert known.group(3).disclosed is None
    assert known.group(4).disclosed is not None


@pytest.mark.ledger("22.452B")
def test_a_group_found_in_one_round_is_hidden_again_in_the_next() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 4)], search={"axis": [[4]]})
    played.to_round(2)
    played.to_segment("fleet combat", 2)
    known = played.game.picture(AXIS).battle.fleets[ALLIES].group(4)
    assert (known.found, known.disclosed) == (0, None)


@pytest.mark.ledger("22.452B", "22.45T.7")
def test_more_results_do_not_make_the_owner_say_more() -> None:
    ships = force("Carriers", number=4, ships=["Enterprise"], cruisers=4)
    answers = []
    for rolled in ([4], [4, 4, 4]):
        played = table(
            [small("Second Fleet", 1), small("Third", 2), small("Fourth", 3)],
            [ships],
            search={"axis": [[], [], rolled]},
        )
        played.to_segment("fleet combat", 3)
        (found,) = played.seen(AXIS, ev.GroupFound)
        answers.append(found.disclosed)
        assert found.results == len(rolled)
        assert played.game.picture(AXIS).battle.fleets[ALLIES].group(4).hidden
    assert answers[0] == answers[1] == Disclosed(under_ten=False, fast_carriers=1, fast=True, cargo=False)


@pytest.mark.ledger("22.452B.1", "22.45T.7")
@pytest.mark.parametrize(
    ("light", "under_ten"),
    [
        ({"Japan/CA": 4, "Japan/DD": 1}, True),
        ({"Japan/CA": 5}, False),
        ({"Japan/CA/damaged": 5}, False),
        ({"Japan/CA": 4, "Japan/DD": 1, "Japan/TR": 5}, True),
        ({"Japan/CA": 4, "Japan/DD/loaded": 2}, False),
    ],
)
def test_the_owner_says_whether_a_found_group_has_fewer_than_ten_factors(
    light: dict[str, int], under_ten: bool
) -> None:
    assert told({"light": light})["less_than_ten_factors"] is under_ten


@pytest.mark.ledger("22.452B.2")
def test_the_owner_says_how_many_fast_carriers_there_are_and_escort_carriers_are_none() -> None:
    assert told({"ships": [carrier("a"), battleship("b")], "light": {"Japan/CVE": 4}})["fast_carriers"] == 1
    light = carrier("c", kind="CVL", size=2)
    large = carrier("d", kind="CVB", size=4)
    assert told({"ships": [carrier("a"), light, large]})["fast_carriers"] == 3
    assert told({"light": {"Japan/CA": 5}})["fast_carriers"] == 0


@pytest.mark.ledger("22.452B.3")
def test_the_owner_says_whether_a_found_group_is_fast() -> None:
    assert told({"light": {"Japan/CA": 5}})["speed"] == "fast"
    assert told({"light": {"Japan/CA": 5, "Japan/CA/damaged": 1}})["speed"] == "slow"


@pytest.mark.ledger("22.452B.4")
def test_the_owner_says_whether_a_found_group_has_cargo() -> None:
    cargo = [{"name": "a corps", "needs": 2}]
    assert told({"light": {"Japan/DD/loaded": 2}, "cargo": cargo})["cargo"] is True
    assert told({"light": {"Japan/DD": 2}})["cargo"] is False


@pytest.mark.ledger("22.452B")
def test_everyone_hears_what_is_said_of_a_found_group() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 4)], search={"axis": [[4]]})
    played.to_segment("fleet combat")
    for audience in (AXIS, ALLIES, None):
        assert [event.number for event in played.seen(audience, ev.GroupFound)] == [4]


# -- what results allow ------------------------------------------------------------------------------


def two_hunters(rolled: list[int], **keys: Any) -> Table:
    """Round three: two fast active groups, nobody active against them, and a distant group found as often as rolled."""
    return table(
        [small("First", 1, cruisers=6), small("Second", 2, cruisers=6)],
        [force("Quarry", number=6, **{"ships": ["Pennsylvania"], "cruisers": 10, **keys})],
        search={"axis": [[], [], rolled]},
    )


@pytest.mark.ledger("22.452C.2.1", "22.522B")
def test_one_result_lets_one_group_attack_a_distant_group_and_no_second_one() -> None:
    played = two_hunters([6])
    played.to_round(3)
    played.to("engage", AXIS, "CG1")
    assert played.targets(AXIS) == ["CG6"]
    played.answer(AXIS, "CG6")
    assert played.targets(AXIS, "CG2") == []
    played.to_segment("submarines", 3)
    assert played.engagements() == [(1, 6)]


@pytest.mark.ledger("22.452C", "22.452C.3.2", "22.522B")
def test_two_results_let_two_groups_attack_the_same_distant_group() -> None:
    played = two_hunters([6, 6])
    played.to_round(3)
    played.to("engage", AXIS, "CG1")
    played.answer(AXIS, "CG6")
    played.to("engage", AXIS, "CG2")
    played.answer(AXIS, "CG6")
    played.to_segment("submarines", 3)
    assert played.engagements() == [(1, 6), (2, 6)]


@pytest.mark.ledger("22.452C.2.1")
@pytest.mark.parametrize(("found", "spent", "left"), [(1, 0, 1), (2, 0, 2), (3, 1, 2)])
def test_every_result_allows_one_fleet_combat_with_a_distant_group(found: int, spent: int, left: int) -> None:
    enemy = [cruisers(5, nation="Britain", found=found, spent=spent)]
    result = api.call("second_engagements", {"round": 2, "side": "axis", "own": [cruisers(2)], "enemy": enemy})
    assert result["options"]["2"] == [5]
    assert result["most_engagements_of_distant"]["5"] == left


@pytest.mark.ledger("22.452C.3", "22.452C.3.3")
def test_an_air_strike_on_a_distant_group_uses_up_one_of_its_results() -> None:
    def options(found: int, spent: int) -> list[int]:
        enemy = [cruisers(5, nation="Britain", found=found, spent=spent)]
        call = {"round": 2, "side": "axis", "own": [cruisers(2)], "enemy": enemy}
        return api.call("second_engagements", call)["options"]["2"]

    assert options(2, 1) == [5]
    assert options(2, 2) == []
    assert options(1, 1) == []


@pytest.mark.ledger("22.452C.2.2")
def test_active_groups_fight_each_other_without_having_been_found() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_segment("submarines")
    assert played.events(ev.GroupFound) == []
    assert len(played.events(ev.FleetCombatBegan)) == 1


@pytest.mark.ledger("22.452C.2.2")
def test_fleet_combat_between_active_groups_uses_up_no_results() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)], search={"axis": [[1]]})
    played.to_segment("submarines")
    assert (played.group(ALLIES, 1).found, played.group(ALLIES, 1).spent) == (1, 0)


@pytest.mark.ledger("22.452C.2.2")
def test_even_a_second_attack_on_an_active_group_uses_up_no_results() -> None:
    played = table(
        [small("First", 1), small("Second", 2)],
        [small("Enemy", 1, cruisers=12)],
        search={"axis": [[], [1]]},
        answers={("axis", "engage", "CG2"): "CG1"},
    )
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 1), (1, 1), (2, 1)]
    assert (played.group(ALLIES, 1).found, played.group(ALLIES, 1).spent) == (1, 0)


# -- who would strike first ------------------------------------------------------------------------------


@pytest.mark.ledger("22.461B.1")
@pytest.mark.parametrize("interceptor", ["axis", "allies"])
def test_the_side_with_more_search_results_strikes_first(interceptor: str) -> None:
    assert (
        api.call("first_to_strike", {"results": {"axis": 3, "allies": 2}, "interceptor": interceptor})["first"]
        == "axis"
    )
    assert (
        api.call("first_to_strike", {"results": {"axis": 0, "allies": 1}, "interceptor": interceptor})["first"]
        == "allies"
    )


@pytest.mark.ledger("22.461B.1")
@pytest.mark.parametrize("interceptor", ["axis", "allies"])
def test_with_equal_results_the_intercepting_side_strikes_first(interceptor: str) -> None:
    for equal in (0, 2):
        call = {"results": {"axis": equal, "allies": equal}, "interceptor": interceptor}
        assert api.call("first_to_strike", call)["first"] == interceptor
