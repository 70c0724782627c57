"""22.51, 22.52: which groups meet in fleet combat, who may seek a second one, who may evade, who is left behind."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import pytest

from flagplot import api
from flagplot.model import events as ev
from tests.rules.groups_table import ALLIES, AXIS, Table, cruisers, force, small, table

A_CORPS = [{"name": "a corps", "needs": 4}]
KILL = {"axis": (6, 6)}  # the axis side hits as well as it can, the allied side as badly as it can


def pairs(round: int, axis: list[int], allies: list[int]) -> list[tuple[int, int]]:
    found = api.call("pairs", {"round": round, "axis": axis, "allies": allies})["pairs"]
    return sorted((one, other) for one, other in found)


def options(round: int, own: list[dict[str, Any]], enemy: list[dict[str, Any]]) -> dict[str, list[int]]:
    call = {"round": round, "side": "axis", "own": own, "enemy": enemy}
    return api.call("second_engagements", call)["options"]


def chase(quarry: dict[str, Any], *others: dict[str, Any], rolled: list[int] | None = None, **keys: Any) -> Table:
    """Round one: a fast active axis group that nobody meets, and allied groups that keep their distance."""
    return table(
        [small("Hunter", 1, cruisers=8)],
        [quarry, *others],
        search={"axis": [[quarry["number"]] if rolled is None else rolled]},
        **keys,
    )


# -- when, and between whom --------------------------------------------------------------------------


@pytest.mark.ledger("22.51")
def test_fleet_combat_waits_until_air_strikes_are_over() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_segment("submarines")
    events = played.game.events()
    air = next(
        n for n, event in enumerate(events) if isinstance(event, ev.SegmentBegan) and event.segment == "air strikes"
    )
    guns = next(n for n, event in enumerate(events) if isinstance(event, ev.FleetCombatBegan))
    assert air < guns


@pytest.mark.ledger("22.52.1")
def test_two_distant_groups_never_meet_even_if_both_were_found() -> None:
    played = table(
        [force("Carriers", number=4, ships=["Shokaku"], cruisers=3)],
        [force("Others", number=4, ships=["Enterprise"], cruisers=3)],
        search={"axis": [[4]], "allies": [[4]]},
    )
    played.to_round(2)
    assert len(played.events(ev.GroupFound)) == 2
    assert played.engagements() == []
    assert not played.was_asked(AXIS, "engage")
    assert not played.was_asked(ALLIES, "engage")


@pytest.mark.ledger("22.52.2")
def test_active_groups_that_meet_fight_without_being_asked() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to("screen")
    assert played.engagements() == [(1, 1)]
    assert not {"engage", "evade"} & {kind for _, kind, _ in played.asked}


@pytest.mark.ledger("22.52.2")
def test_a_distant_group_that_does_not_evade_must_fight() -> None:
    played = chase(small("Quarry", 4), answers={("axis", "engage"): "CG4", ("allies", "evade"): "fight"})
    played.to_segment("submarines")
    assert played.engagements() == [(1, 4)]
    assert not played.events(ev.Evaded)


# -- pairing off --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.521A")
def test_active_groups_of_the_same_number_pair_off() -> None:
    assert pairs(3, [1, 3], [1, 3]) == [(1, 1), (3, 3)]


@pytest.mark.ledger("22.521A")
def test_distant_groups_of_the_same_number_do_not_pair_off() -> None:
    assert pairs(2, [1, 3], [1, 3]) == [(1, 1)]


@pytest.mark.ledger("22.521A")
def test_equal_numbers_come_before_lower_ones() -> None:
    assert pairs(2, [1, 2], [2]) == [(2, 2)]
    assert pairs(4, [1, 3, 4], [3, 4]) == [(3, 3), (4, 4)]


@pytest.mark.ledger("22.521B")
@pytest.mark.parametrize(
    ("round", "axis", "allies", "expected"),
    [
        (3, [1], [2, 3], [(1, 2)]),
        (3, [3], [1, 2], [(3, 1)]),
        (4, [1, 4], [2, 3], [(1, 2), (4, 3)]),
        (5, [2, 5], [1, 3, 4], [(2, 1), (5, 3)]),
        (6, [1, 2, 6], [2, 3, 4], [(1, 3), (2, 2), (6, 4)]),
        (3, [1, 4], [2, 3], [(1, 2)]),
    ],
)
def test_the_lowest_unpaired_group_meets_the_next_higher_enemy_group(
    round: int, axis: list[int], allies: list[int], expected: list[tuple[int, int]]
) -> None:
    assert pairs(round, axis, allies) == expected


@pytest.mark.ledger("22.521B")
def test_pairing_goes_on_until_one_side_has_no_active_group_left() -> None:
    numbers = [1, 2, 3, 4]
    choices = [list(some) for some in chain.from_iterable(combinations(numbers, size) for size in range(1, 5))]
    for axis in choices:
        for allies in choices:
            result = api.call("pairs", {"round": 4, "axis": axis, "allies": allies})
            assert len(result["pairs"]) == min(len(axis), len(allies))
            same = sorted(set(axis) & set(allies))
            left = zip(sorted(set(axis) - set(same)), sorted(set(allies) - set(same)), strict=False)
            assert sorted(map(tuple, result["pairs"])) == sorted([*((number, number) for number in same), *left])
            assert not (result["unpaired_axis"] and result["unpaired_allies"])


@pytest.mark.ledger("22.521C")
def test_all_pairs_are_fought_before_anybody_seeks_another_enemy() -> None:
    played = table(
        [small("First", 1), small("Second", 2), small("Third", 3)],
        [small("One", 1), small("Two", 2)],
        round=3,
    )
    played.to("engage", AXIS)
    assert played.engagements() == [(1, 1), (2, 2)]
    assert len(played.events(ev.FleetCombatEnded)) == 2


# -- the second step -----------------------------------------------------------------------------------


@pytest.mark.ledger("22.521D")
def test_a_group_that_met_no_active_enemy_may_seek_one() -> None:
    played = table([small("First", 1), small("Second", 2)], [small("One", 1)], round=2)
    decision = played.to("engage", AXIS)
    assert decision.about == "CG2"
    assert played.targets(AXIS) == ["CG1"]


@pytest.mark.ledger("22.521D")
def test_seeking_another_enemy_is_never_compulsory() -> None:
    played = table([small("First", 1), small("Second", 2)], [small("One", 1)], round=2)
    played.to("engage", AXIS)
    played.answer(AXIS, "none")
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 1)]


@pytest.mark.ledger("22.521D")
def test_a_group_that_met_an_enemy_and_left_him_afloat_may_not_seek_another() -> None:
    played = table([small("First", 1)], [small("One", 1), small("Far", 4)], search={"axis": [[4]]})
    played.to_round(2)
    assert played.events(ev.GroupFound)
    assert not played.was_asked(AXIS, "engage")
    own = [cruisers(1, met=1)]
    assert options(1, own, [cruisers(1, nation="Britain"), cruisers(4, nation="Britain", found=1)])["1"] == []


@pytest.mark.ledger("22.521D", "22.521E")
def test_a_group_that_sank_its_whole_enemy_may_seek_another() -> None:
    played = table(
        [small("First", 1, cruisers=10)],
        [force("Picket", number=1, destroyers=1), small("Far", 4)],
        search={"axis": [[4]]},
        gunfire=KILL,
        answers={("axis", "engage"): "CG4"},
    )
    played.to_segment("submarines")
    assert played.engagements() == [(1, 1), (1, 4)]


@pytest.mark.ledger("22.521D")
def test_an_enemy_with_a_screened_carrier_still_afloat_has_not_been_sunk() -> None:
    played = table(
        [small("First", 1, cruisers=10)],
        [force("Carrier", number=1, ships=["Enterprise"], destroyers=3), small("Far", 4)],
        search={"axis": [[4]]},
        gunfire=KILL,
        answers={("axis", "surplus light"): {"Japan/CA": "light"}},
    )
    played.to_segment("submarines")
    assert played.group(ALLIES, 1).light == {}
    assert [ship.name for ship in played.group(ALLIES, 1).ships] == ["Enterprise"]
    assert not played.was_asked(AXIS, "engage")


@pytest.mark.ledger("22.521D.1")
def test_an_active_enemy_who_has_just_been_sunk_is_no_target_for_the_others() -> None:
    played = table(
        [small("First", 1, cruisers=10), small("Second", 2)],
        [force("Picket", number=1, destroyers=1), small("Far", 5)],
        round=2,
        search={"axis": [[], [5, 5]]},
        gunfire=KILL,
    )
    for about in ("CG1", "CG2"):
        played.to("engage", AXIS, about)
        assert played.targets(AXIS) == ["CG5"]
        played.answer(AXIS, "none")


@pytest.mark.ledger("22.521D.1")
def test_a_slow_group_may_seek_an_active_enemy_who_has_already_fought() -> None:
    slow = force("Old ships", number=2, ships=["Fuso"], cruisers=4)
    played = table(
        [small("First", 1), slow], [small("One", 1, cruisers=12)], round=2, answers={("axis", "engage"): "CG1"}
    )
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 1), (2, 1)]


@pytest.mark.ledger("22.521D.2")
def test_a_slow_group_may_not_seek_a_distant_enemy() -> None:
    enemy = [cruisers(1, nation="Britain"), cruisers(5, nation="Britain", found=1)]
    fast, slow = {"light": {"Japan/CA": 5}}, {"light": {"Japan/CA": 5, "Japan/CVE": 1}}
    assert options(2, [cruisers(1, met=1), {"number": 2, **fast}], enemy)["2"] == [1, 5]
    assert options(2, [cruisers(1, met=1), {"number": 2, **slow}], enemy)["2"] == [1]


@pytest.mark.ledger("22.521D.2")
def test_a_group_with_cargo_may_not_seek_a_distant_enemy() -> None:
    own = [{"number": 2, "light": {"Japan/CA": 5, "Japan/DD/loaded": 4}, "cargo": A_CORPS}]
    assert options(2, own, [cruisers(5, nation="Britain", found=2)])["2"] == []


@pytest.mark.ledger("22.521D.2")
def test_a_distant_enemy_who_was_not_found_cannot_be_sought() -> None:
    played = chase(small("Seen", 4), small("Unseen", 3), rolled=[4])
    played.to("engage", AXIS)
    assert played.targets(AXIS) == ["CG4"]


@pytest.mark.ledger("22.521D", "22.521E")
def test_groups_declare_in_ascending_order_and_then_all_of_them_fight() -> None:
    played = table(
        [small("First", 1), small("Second", 2), small("Third", 3)],
        [small("One", 1, cruisers=12)],
        round=3,
        answers={("axis", "engage"): ["CG1", "CG1"]},
    )
    played.to_segment("submarines", 3)
    order = [
        (type(event).__name__, event.engagement.axis)
        for event in played.game.events()
        if isinstance(event, ev.EngagementDeclared | ev.FleetCombatBegan)
    ]
    assert order == [
        ("FleetCombatBegan", 1),
        ("EngagementDeclared", 2),
        ("EngagementDeclared", 3),
        ("FleetCombatBegan", 2),
        ("FleetCombatBegan", 3),
    ]


@pytest.mark.ledger("22.521E")
def test_a_group_that_sinks_its_second_enemy_too_gets_no_third_fight() -> None:
    played = table(
        [small("First", 1, cruisers=10)],
        [
            force("Picket", number=1, destroyers=1),
            force("Slow", number=4, escort_carriers=1),
            force("Slower", number=5, escort_carriers=1),
        ],
        search={"axis": [[4, 5]]},
        search_advantage="axis",
        gunfire=KILL,
        answers={("axis", "engage"): ["CG4", "CG5"]},
    )
    played.to_segment("submarines")
    assert played.engagements() == [(1, 1), (1, 4)]
    assert [event.number for event in played.events(ev.GroupEliminated)] == [1, 4]


@pytest.mark.ledger("22.521E")
def test_an_engagement_lapses_if_its_target_has_been_sunk_meanwhile() -> None:
    played = table(
        [small("First", 1, cruisers=10), small("Second", 2, cruisers=10)],
        [force("Slow", number=5, escort_carriers=1), small("Far", 6)],
        round=2,
        search={"axis": [[], [5, 5]]},
        gunfire=KILL,
        answers={("axis", "engage"): ["CG5", "CG5"]},
    )
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 5)]
    assert [event.engagement.axis for event in played.events(ev.EngagementLapsed)] == [2]


# -- limits ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.522A")
def test_any_number_of_groups_may_engage_one_active_enemy_who_was_never_found() -> None:
    played = table(
        [small("First", 1), small("Second", 2), small("Third", 3), small("Fourth", 4)],
        [small("One", 1, cruisers=12)],
        round=4,
        answers={("axis", "engage"): ["CG1", "CG1", "CG1"]},
    )
    played.to_segment("submarines", 4)
    assert played.events(ev.GroupFound) == []
    assert played.engagements() == [(1, 1), (2, 1), (3, 1), (4, 1)]


@pytest.mark.ledger("22.522B")
def test_each_engagement_of_a_distant_group_uses_up_one_of_its_results() -> None:
    played = chase(force("Quarry", number=4, ships=["Pennsylvania"], cruisers=8), answers={("axis", "engage"): "CG4"})
    played.to_segment("submarines")
    assert (played.group(ALLIES, 4).found, played.group(ALLIES, 4).spent) == (1, 1)


@pytest.mark.ledger("22.522B")
def test_no_more_groups_engage_a_distant_enemy_than_there_are_results() -> None:
    played = table(
        [small("First", 1), small("Second", 2), small("Third", 3)],
        [force("Quarry", number=6, ships=["Pennsylvania"], cruisers=8)],
        round=3,
        search={"axis": [[], [], [6, 6]]},
    )
    for about, offered in (("CG1", ["CG6"]), ("CG2", ["CG6"])):
        played.to("engage", AXIS, about)
        assert played.targets(AXIS) == offered
        played.answer(AXIS, "CG6")
    assert played.targets(AXIS, "CG3") == []
