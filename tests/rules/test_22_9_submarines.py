"""Submarine attacks in a battle and outside it (22.9): whom they reach, when, what they meet, and where they go."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, NotYourDecision, PlayerError
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from tests.rules.submarine_table import (
    ALLIES,
    AXIS,
    DD,
    JAPAN,
    SUB,
    WITHDRAWS,
    UnderWater,
    ambush,
    force,
    quiet,
    under_water,
    with_submarines,
)

WAIT = {SUB: "wait"}
CRUISERS = force("Cruisers", cruisers=5)
GUARD = force("Guard", cruisers=5, number=5)
OTHERS = force("Others", cruisers=5, number=4)


def places(table: UnderWater) -> list[str]:
    """What the axis submarines may do, now or when they are next asked."""
    return [place.key for place in table.to("submarines", AXIS).form.places]


def order_of(table: UnderWater, *kinds: type[Event]) -> list[type[Event]]:
    """The kinds of these events in the order they happened."""
    return [type(event) for event in table.game.events() if isinstance(event, kinds)]


def under(table: UnderWater) -> list[str]:
    """The rules of the rolls that submarines asked for."""
    return [rule for rule in table.rolled if rule.startswith(("22.93", "22.94"))]


# -- which groups they may attack (22.914, 22.93) ---------------------------------------------------------------------


@pytest.mark.ledger("22.914", "22.93B")
def test_submarines_reach_groups_that_were_found_and_groups_that_fought_and_no_others() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Fought", cruisers=5, number=1), OTHERS, GUARD],
        with_submarines(),
        search={"axis": [[4]]},
    )
    assert places(table) == ["wait", "CG1", "CG4"]


@pytest.mark.ledger("22.93B")
def test_an_attack_on_a_hidden_group_is_refused_and_nothing_changes() -> None:
    table = quiet([GUARD, OTHERS], search={"axis": [[5]]})
    table.to("submarines", AXIS)
    before = len(table.game.events())
    with pytest.raises(IllegalChoice, match="22.93"):
        table.answer(AXIS, {SUB: "CG4"})
    assert len(table.game.events()) == before
    assert table.game.battle.fleets[AXIS].submarines == {SUB: 1}
    table.answer(AXIS, {SUB: "CG5"})


@pytest.mark.ledger("22.914")
def test_a_group_found_in_an_earlier_round_must_be_found_again() -> None:
    table = quiet([GUARD, OTHERS], search={"axis": [[5], [4, 4]]}, answers={("axis", "submarines"): WAIT})
    assert places(table) == ["wait", "CG5"]
    table.to_round(2)
    assert places(table) == ["wait", "CG4"]


@pytest.mark.ledger("22.93B")
def test_a_group_that_evades_keeps_being_found_under_its_new_number() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Fast", cruisers=5, number=4)],
        with_submarines(),
        search={"axis": [[4]]},
        answers={("axis", "engage"): "CG4", ("allies", "evade"): "evade"},
    )
    assert places(table) == ["wait", "CG5"]
    assert table.events(ev.Evaded)


@pytest.mark.ledger("22.93B")
def test_groups_that_are_not_yet_in_the_battle_cannot_be_attacked() -> None:
    late = force("Late", cruisers=5, arrives=2)
    table = quiet([GUARD, late], search={"axis": [[5]]})
    assert places(table) == ["wait", "CG5"]


@pytest.mark.ledger("22.93B")
def test_a_group_sunk_in_the_round_is_no_target_any_more() -> None:
    table = under_water(
        [force("Line", ships=["Yamato", "Musashi"], cruisers=2, number=1)],
        [force("Boats", task_force=False, destroyers=1, number=1), GUARD],
        with_submarines(),
        gunfire={"axis": (6, 6)},
    )
    assert places(table) == ["wait"]
    assert table.events(ev.GroupEliminated)


@pytest.mark.ledger("22.914")
def test_both_sides_may_have_submarines_in_a_battle() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Line", cruisers=5, number=1)],
        with_submarines(1),
        with_submarines(2, {"nation": "United States"}),
        answers={("axis", "withdraw"): WITHDRAWS},
    )
    table.to_end()
    fired = [event.side for event in table.events(air.TorpedoesFired)]
    assert sorted(fired) == [ALLIES, ALLIES, AXIS]


@pytest.mark.ledger("22.914")
def test_what_one_side_finds_is_no_target_for_the_submarines_of_the_other() -> None:
    both = with_submarines(1, {"nation": "United States"})
    table = quiet([GUARD], with_submarines(), both, search={"axis": [[5]]})
    assert places(table) == ["wait", "CG5"]
    assert [place.key for place in table.to("submarines", ALLIES).form.places] == ["wait"]


# -- outside naval combat (22.921, RC-76) -----------------------------------------------------------------------------


@pytest.mark.ledger("22.921.2", "22.93A.2")
def test_outside_a_battle_any_group_is_open_without_search() -> None:
    table = ambush([CRUISERS, force("Others", cruisers=5)])
    assert places(table)[1:] == ["CG1", "CG2"]
    assert not table.rolled


@pytest.mark.ledger("22.92.1", "22.921.2")
def test_outside_a_battle_submarines_must_attack_at_once() -> None:
    table = ambush([CRUISERS, force("Others", cruisers=5)], with_submarines(2))
    table.to("submarines", AXIS)
    before = len(table.game.events())
    for answer in (WAIT, {SUB: {"wait": 1, "CG1": 1}}, {}):
        with pytest.raises(IllegalChoice, match=r"22\.92"):
            table.answer(AXIS, answer)
    assert len(table.game.events()) == before
    table.answer(AXIS, {SUB: "CG1"})


@pytest.mark.ledger("22.93A.1")
def test_outside_a_battle_a_force_may_have_more_than_six_groups() -> None:
    eight = [force(f"Group {number}", cruisers=5) for number in range(1, 9)]
    table = ambush(eight, answers={("axis", "submarines"): {SUB: "CG8"}})
    assert places(table)[1:] == [f"CG{number}" for number in range(1, 9)]
    table.to_end()
    (attacked,) = table.events(air.SubmarineAttacked)
    assert attacked.number == 8


@pytest.mark.ledger("22.93A.1")
def test_ships_outside_task_forces_are_one_group_before_submarines_as_in_a_battle() -> None:
    loose = [force("One", task_force=False, destroyers=3), force("Two", task_force=False, destroyers=2)]
    table = ambush([CRUISERS, *loose])
    table.to("submarines", AXIS)
    assert [sum(group.light.values()) for group in table.game.battle.fleets[ALLIES].groups] == [5, 5]


@pytest.mark.ledger("22.93A.2", "22.93A.3")
def test_each_submarine_attacks_one_group_and_they_may_attack_several() -> None:
    table = ambush(
        [CRUISERS, force("Others", cruisers=5)],
        with_submarines(3),
        answers={("axis", "submarines"): {SUB: {"CG1": 1, "CG2": 2}}},
    )
    table.to_end()
    assert sorted(event.number for event in table.events(air.SubmarineAttacked)) == [1, 2, 2]
    hurt = table.game.battle.fleets[ALLIES]
    assert [group.submarine_attacks for group in hurt.groups] == [1, 2]


@pytest.mark.ledger("22.921.2")
def test_an_ambush_has_no_search_no_strikes_and_no_guns_and_no_victor() -> None:
    table = ambush([force("Fleet", ships=["Washington"], destroyers=6)], category=[1])
    table.to_end()
    assert set(table.rolled) == {"22.93E", "22.94"}
    (end,) = table.events(ev.BattleEnded)
    assert (end.losers, end.victor) == ((), None)
    assert not table.events(air.StrikeAnnounced) and not table.events(ev.FleetCombatBegan)


# -- order and timing (22.32, 22.921, 22.93C, 22.93D) --------------------------------------------------------------------


@pytest.mark.ledger("22.921.1", "22.41I", "22.54H.1", "22.32.1")
def test_submarines_attack_after_air_strikes_and_fleet_combat() -> None:
    base = {"name": "Rabaul", "distance": 1, "aircraft": {"Japan attack AAS": 2}}
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Line", ships=["Washington"], cruisers=5, number=1)],
        with_submarines(air_range=3, air_base=[base]),
        search={"axis": [[1]]},
        category=[1],
        answers={
            ("axis", "strike"): [{"target": "CG1", "Japan/AAS/attack@Rabaul": {"fly": 2}}],
            ("axis", "withdraw"): WITHDRAWS,
        },
    )
    table.to_end()
    seen = order_of(table, air.StrikeAnnounced, ev.Fired, air.TorpedoesFired)
    assert seen[0] is air.StrikeAnnounced and seen[-1] is air.TorpedoesFired
    assert seen.index(ev.Fired) < seen.index(air.TorpedoesFired)


@pytest.mark.ledger("22.921.1")
def test_the_attacker_chooses_the_round() -> None:
    table = quiet(
        [GUARD],
        search={"axis": [[5], [5, 5]]},
        answers={("axis", "submarines"): [WAIT, {SUB: "CG5"}], ("axis", "withdraw"): [{}, WITHDRAWS]},
    )
    table.to_end()
    rounds = order_of(table, ev.RoundBegan, air.TorpedoesFired)
    assert rounds == [ev.RoundBegan, ev.RoundBegan, air.TorpedoesFired]


@pytest.mark.ledger("22.94.2")
def test_a_submarine_attacks_only_once() -> None:
    table = quiet([GUARD], search={"axis": [[5], [5, 5]]}, torpedoes=[(3, 3)])
    table.to("submarines", AXIS)
    table.to_round(2)
    assert table.to("submarines", AXIS).form.items == ()
    assert table.game.battle.fleets[AXIS].submarines_spent == {SUB: 1}


@pytest.mark.ledger("22.94.1", "22.94.2", "22.912.1")
def test_every_submarine_factor_rolls_by_itself() -> None:
    table = quiet([GUARD], with_submarines(3), search={"axis": [[5]]}, answers={("axis", "withdraw"): WITHDRAWS})
    table.to_end()
    assert under(table) == ["22.94"] * 3


@pytest.mark.ledger("22.93D")
def test_all_attacks_are_announced_before_the_first_is_rolled() -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Line", cruisers=5, number=1)],
        with_submarines(2),
        with_submarines(1, {"nation": "United States"}),
    )
    table.to("submarines", AXIS)
    table.answer(AXIS, {SUB: "CG1"})
    assert table.game.roll_due() is None
    table.to("submarines", ALLIES)
    table.answer(ALLIES, {"United States/SUB": "CG1"})
    assert table.game.roll_due() is not None
    with pytest.raises(NotYourDecision):
        table.game.submit(AXIS, WAIT)
    table.to("withdraw")
    assert sum(kind == "submarines" for _, kind, _ in table.asked) == 2


@pytest.mark.ledger("22.93D")
def test_the_attacker_orders_different_submarines_that_attack_one_group() -> None:
    keys = {"nation": "Germany", "submarines": {"Germany": 1, "Italy": 1}}
    ranks = {"Germany/SUB": "2", "Italy/SUB": "1"}
    table = ambush(
        [CRUISERS], keys, {"nation": "Britain"}, theatre="Europe", answers={("axis", "submarine order"): ranks}
    )
    table.to("submarine order", AXIS)
    with pytest.raises(IllegalChoice, match=r"22\.9"):
        table.answer(AXIS, {"Germany/SUB": "1", "Italy/SUB": "1"})
    table.to_end()
    assert [event.submarine for event in table.events(air.TorpedoesFired)] == ["Italy/SUB", "Germany/SUB"]


@pytest.mark.ledger("22.93D")
@pytest.mark.parametrize("interceptor", list(Side))
def test_the_submarines_of_the_intercepting_side_attack_first_and_group_by_group(interceptor: Side) -> None:
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Line", cruisers=5, number=1), OTHERS],
        with_submarines(3),
        with_submarines(1, {"nation": "United States"}),
        search={"axis": [[4]]},
        interceptor=interceptor.value,
        answers={("axis", "submarines"): {SUB: {"CG4": 2, "CG1": 1}}},
    )
    table.to("withdraw")
    fired = [(event.side, event.number) for event in table.events(air.TorpedoesFired)]
    axis = [(AXIS, 1), (AXIS, 4), (AXIS, 4)]
    assert fired == ([*axis, (ALLIES, 1)] if interceptor is AXIS else [(ALLIES, 1), *axis])


@pytest.mark.ledger("22.452C.4")
def test_submarine_attacks_use_up_no_search_results() -> None:
    table = quiet([GUARD], with_submarines(3), search={"axis": [[5]]})
    table.to("withdraw")
    group = table.group(ALLIES, 5)
    assert (group.found, group.spent, group.submarine_attacks) == (1, 0, 3)


@pytest.mark.ledger("22.452C.4")
def test_submarines_may_attack_a_group_whose_only_result_an_air_strike_has_used() -> None:
    base = {"name": "Rabaul", "distance": 1, "aircraft": {"Japan attack AAS": 2}}
    strike = {"target": "CG5", "Japan/AAS/attack@Rabaul": {"fly": 2}}
    table = quiet(
        [GUARD],
        with_submarines(2, air_range=3, air_base=[base]),
        search={"axis": [[5]]},
        answers={("axis", "strike"): [strike]},
    )
    assert places(table) == ["wait", "CG5"]
    assert table.group(ALLIES, 5).spent == 1


@pytest.mark.ledger("22.93C", "22.552AT.6")
def test_submarines_add_nothing_to_the_guns_and_have_no_place_in_the_line() -> None:
    forces = [force("Line", cruisers=5, number=1)], [force("Line", cruisers=5, number=1)]
    fired = []
    for keys in (JAPAN, with_submarines(9)):
        table = under_water(*forces, keys)
        table.to("submarines", AXIS)
        fired.append([(event.factors, event.modifiers) for event in table.events(ev.Fired)])
    assert fired[0] == fired[1]


# -- what they meet (22.93E) -------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.93E", "22.93E.1", "22.93E.2", "22.93E.3")
@pytest.mark.parametrize(
    ("ships", "light", "met"),
    [
        (["CV", "BB"], True, ["fast carriers"] * 2 + ["capital ships"] * 2 + ["light ships"] * 2),
        (["CV"], True, ["fast carriers"] * 3 + ["light ships"] * 3),
        (["BB"], True, ["capital ships"] * 3 + ["light ships"] * 3),
        (["CVL", "PB"], False, ["fast carriers"] * 3 + ["capital ships"] * 3),
    ],
)
def test_one_die_chooses_among_two_or_three_categories(ships: list[str], light: bool, met: list[str]) -> None:
    group = {
        "ships": [{"nation": "Germany", "kind": kind, "size": 3, "id": kind} for kind in ships],
        "light": {"Germany/DD": 3} if light else {},
    }
    assert api.call("submarine_category", {"group": group}, dice=[1, 2, 3, 4, 5, 6])["met"] == met


@pytest.mark.ledger("22.93E.1")
@pytest.mark.parametrize(
    "light",
    [{"Britain/CVE": 2}, {"Britain/TR": 3}, {"Britain/CA/damaged": 1}, {"Britain/DD/loaded": 2, "Britain/CA": 1}],
)
def test_all_light_ships_are_one_category_and_need_no_die(light: dict[str, int]) -> None:
    assert api.call("submarine_category", {"group": {"light": light}})["categories"] == ["light ships"]
    answer = api.call("submarine_attack", {"submarines": {SUB: 1}, "target": {"light": light}}, dice=[1, 1])
    assert answer["dice_used"] == 2


@pytest.mark.ledger("22.93E.1", "22.93D", "22.94T.22")
def test_the_category_is_drawn_among_the_ships_then_afloat() -> None:
    group = force("Small carrier", ships=["Princeton"], cruisers=4, number=5)
    table = quiet([group], with_submarines(2), search={"axis": [[5]]}, category=[1], torpedoes=[(4, 4), (3, 3)])
    table.to("withdraw")
    assert under(table) == ["22.93E", "22.94", "22.94"]  # she sinks, and light ships alone are left
    assert [event.category for event in table.events(air.SubmarineCategoryRolled)] == ["fast carriers", "light ships"]


@pytest.mark.ledger("22.93D", "22.92.3")
def test_submarines_whose_target_another_has_sunk_do_not_attack_and_are_not_inverted() -> None:
    boat = force("Boat", task_force=False, destroyers=1)
    table = ambush([boat], with_submarines(3), torpedoes=[(4, 4)])  # 9: three hits, and but one destroyer
    assert went_home(table) == [({SUB: 1}, True), ({SUB: 2}, False)]
    assert under(table) == ["22.94"]


@pytest.mark.ledger("22.93E.4")
def test_the_attacker_chooses_the_ship_within_the_category() -> None:
    group = force("Fleet", ships=["Enterprise", "Washington", "Iowa"], cruisers=2)
    table = ambush([group], category=[4])
    asked = table.to("submarine target", AXIS)
    assert [place.key for place in asked.form.places] == ["washington", "iowa"]
    before = len(table.game.events())
    for wrong in ("enterprise", "light"):
        with pytest.raises(IllegalChoice, match="22.93E"):
            table.answer(AXIS, {"target": wrong})
    assert len(table.game.events()) == before
    table.answer(AXIS, {"target": "iowa"})
    table.to_end()
    (fired,) = table.events(air.TorpedoesFired)
    assert fired.target == "iowa"


@pytest.mark.ledger("22.93E.4")
def test_light_ships_are_attacked_as_a_body_and_nobody_chooses_among_them() -> None:
    table = ambush([force("Mixed", cruisers=3, destroyers=4, escort_carriers=2)])
    table.to_end()
    assert not table.was_asked(AXIS, "submarine target")
    (fired,) = table.events(air.TorpedoesFired)
    assert fired.target == "light"


@pytest.mark.ledger("22.93E")
def test_a_screen_is_no_help_against_submarines() -> None:
    everything = lambda asked: {item.key: {"screen": item.amount} for item in asked.form.items}  # noqa: E731
    table = under_water(
        [force("Line", cruisers=5, number=1)],
        [force("Carriers", ships=["Enterprise"], cruisers=4, number=1)],
        with_submarines(2),
        category=[1, 6],
        answers={("allies", "screen"): everything},
    )
    table.to("withdraw")
    assert [event.category for event in table.events(air.SubmarineCategoryRolled)] == ["fast carriers", "light ships"]


# -- home again (22.92, RC-74) ----------------------------------------------------------------------------------------


def went_home(table: UnderWater) -> list[tuple[dict[str, int], bool]]:
    table.to_end()
    return [(event.submarines, event.inverted) for event in table.events(air.SubmarinesReturned)]


@pytest.mark.ledger("22.92.2")
def test_submarines_that_attacked_go_home_inverted() -> None:
    table = quiet([GUARD], with_submarines(2), search={"axis": [[5]]}, answers={("axis", "withdraw"): WITHDRAWS})
    assert went_home(table) == [({SUB: 2}, True)]


@pytest.mark.ledger("22.92.1")
def test_a_submarine_that_could_have_attacked_and_did_not_is_inverted_as_well() -> None:
    answers = {("axis", "submarines"): WAIT, ("axis", "withdraw"): WITHDRAWS}
    table = quiet([GUARD], search={"axis": [[5]]}, answers=answers)
    assert went_home(table) == [({SUB: 1}, True)]


@pytest.mark.ledger("22.92.1")
def test_one_that_let_a_target_go_is_inverted_though_it_never_had_another() -> None:
    answers = {("axis", "submarines"): [WAIT, WAIT], ("axis", "withdraw"): [{}, WITHDRAWS]}
    table = quiet([GUARD], search={"axis": [[5], [1, 1]]}, answers=answers)
    assert went_home(table) == [({SUB: 1}, True)]


@pytest.mark.ledger("22.92.3")
def test_a_submarine_that_never_had_a_target_is_not_inverted() -> None:
    table = quiet([GUARD], search={"axis": [[1]]}, answers={("axis", "withdraw"): WITHDRAWS})
    assert went_home(table) == [({SUB: 1}, False)]


@pytest.mark.ledger("22.92.3")
def test_a_submarine_whose_target_the_air_force_has_sunk_is_not_inverted() -> None:
    base = {"name": "Rabaul", "distance": 1, "aircraft": {"Japan attack AAS": 4}}
    table = quiet(
        [force("Boats", task_force=False, destroyers=2, number=5)],
        with_submarines(air_range=3, air_base=[base]),
        search={"axis": [[5]]},
        air=[1, 1, 6, 6],  # air defense, then the attack
        answers={("axis", "strike"): [{"target": "CG5", "Japan/AAS/attack@Rabaul": {"fly": 4}}]},
    )
    assert went_home(table) == [({SUB: 1}, False)]
    assert not table.events(air.SubmarineAttacked)


@pytest.mark.ledger("22.92.2", "22.94T.18")
def test_lost_submarines_do_not_come_home() -> None:
    table = quiet(
        [GUARD],
        with_submarines(2),
        search={"axis": [[5]]},
        torpedoes=[(1, 1), (1, 1)],  # 3 at +1, and 2 at 0
        answers={("axis", "withdraw"): WITHDRAWS},
    )
    assert went_home(table) == [({SUB: 1}, True)]
    fleet = table.game.battle.fleets[AXIS]
    assert (fleet.submarines_lost, fleet.submarines_spent) == ({SUB: 1}, {SUB: 1})


@pytest.mark.ledger("22.92.2")
def test_after_an_ambush_the_survivors_are_inverted() -> None:
    table = ambush([CRUISERS], with_submarines(2), torpedoes=[(1, 1), (1, 1)])
    assert went_home(table) == [({SUB: 1}, True)]


@pytest.mark.ledger("22.92.3")
def test_a_force_of_which_nothing_is_left_is_neither_attacked_nor_a_supply_line() -> None:
    try:
        answer: dict[str, Any] = api.call("submarine_attack", {"submarines": {SUB: 1}, "target": {}})
    except PlayerError:
        return
    assert not answer["supply_line_cut"]
    assert [each["inverted"] for each in answer["returned"]] == [False]


# -- losses count (22.61A, AM-02) ---------------------------------------------------------------------------------------


@pytest.mark.ledger("22.61A")
@pytest.mark.parametrize("interceptor", list(Side))
def test_if_submarines_do_no_harm_and_take_none_the_intercepting_side_declares_first(interceptor: Side) -> None:
    table = quiet([GUARD], search={"axis": [[5]]}, torpedoes=[(1, 1)], interceptor=interceptor.value)
    assert table.to("withdraw").side is interceptor  # 2 at +1 is 3


@pytest.mark.ledger("22.61A")
def test_a_submarine_lost_counts_as_a_factor_when_the_loser_of_the_round_is_sought() -> None:
    keys = with_submarines(2)
    table = quiet([GUARD], keys, search={"axis": [[5]]}, torpedoes=[(1, 1), (1, 1)], interceptor="allies")
    assert table.to("withdraw").side is AXIS


@pytest.mark.ledger("22.61A")
def test_ships_sunk_by_submarines_count_too() -> None:
    group = force("Boats", destroyers=10, number=5)
    table = quiet([group], search={"axis": [[5]]}, torpedoes=[(6, 6)])  # 12 - 1: three destroyers
    assert table.to("withdraw").side is ALLIES
    assert table.group(ALLIES, 5).light == {DD: 7}


@pytest.mark.ledger("22.61D")
@pytest.mark.parametrize(("answer", "free"), [({SUB: "CG5"}, True), (WAIT, False)])
def test_a_group_a_submarine_attacked_has_been_attacked_and_may_send_ships_away_singly(answer: Any, free: bool) -> None:
    table = quiet([GUARD], search={"axis": [[5]]}, torpedoes=[(1, 2)], answers={("axis", "submarines"): answer})
    keys = [item.key for item in table.to("withdraw", ALLIES).form.items]
    assert keys == (["CG5:United States/CA"] if free else ["CG5"])  # though nothing was hit


@pytest.mark.ledger("22.71C.1")
def test_submarines_alone_do_not_keep_a_battle_going() -> None:
    table = under_water(
        [force("Boat", task_force=False, destroyers=1, number=1)],
        [force("Line", ships=["Washington"], cruisers=5, number=1)],
        with_submarines(3),
        gunfire={"allies": (6, 6)},
        answers={("axis", "submarines"): WAIT},
    )
    assert went_home(table) == [({SUB: 3}, True)]  # they had their chance
    (end,) = table.events(ev.BattleEnded)
    assert (table.game.battle.round, end.losers) == (1, (AXIS,))


@pytest.mark.ledger("22.61A")
def test_transports_sunk_by_submarines_count_too() -> None:
    convoy = force("Convoy", task_force=False, transports=5, number=5)
    table = quiet([convoy], search={"axis": [[5]]}, torpedoes=[(2, 2)])  # 5: one transport
    assert table.to("withdraw").side is ALLIES
    assert table.group(ALLIES, 5).light == {"United States/TR": 4}
