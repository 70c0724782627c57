"""The Submarine Attack Table and its modifiers (22.94, 22.941), asked singly and as they arise in play."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.model import air_events as air
from tests.rules.submarine_table import (
    ALLIES,
    AMERICA,
    AXIS,
    BRITAIN,
    GERMANY,
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

BATTLESHIP = {"ships": [{"nation": "United States", "kind": "BB", "size": 4}]}  # Japan's submarines are one better
FLEET = force("Fleet", ships=["Washington"], cruisers=5)
CRUISERS = force("Cruisers", cruisers=5)
CATEGORIES = ("22.9412", "22.9413", "22.9414", "22.9415")  # printed in italics


def modifier(nation: str = "Japan", target: Mapping[str, Any] = BATTLESHIP, **keys: Any) -> dict[str, Any]:
    return api.call("submarine_modifier", {"nation": nation, "target": target, **keys})


def category(rule: str, **keys: Any) -> int:
    """What one category comes to against an American battleship."""
    return int(modifier(**keys)["categories"].get(rule, 0))


def lines(table: UnderWater) -> list[dict[str, int]]:
    """Of each attack rolled, the amounts by rule."""
    found = []
    for event in table.events(air.TorpedoesFired):
        sums: dict[str, int] = {}
        for line in event.modifiers.lines:
            sums[line.rule] = sums.get(line.rule, 0) + line.amount
        found.append(sums)
    return found


def net(table: UnderWater) -> list[int]:
    """Of each attack rolled to the end, the net modifier: the roll less the dice."""
    table.to_end()
    return [sum(line.amount for line in event.modifiers.lines) for event in table.events(air.TorpedoesFired)]


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger(*(f"22.94T.{row}" for row in range(1, 10)))
@pytest.mark.parametrize(
    ("roll", "hits"),
    [(3, 0), (4, 0), (5, 1), (6, 1), (7, 2), (8, 2), (9, 3), (10, 3), (11, 3), (12, 3), (13, 3), (16, 3)],
)
def test_hits_on_the_submarine_attack_table(roll: int, hits: int) -> None:
    answer = api.call("submarine_attack_table", {"roll": roll})
    assert (answer["hits"], answer["submarine_lost"]) == (hits, False)


@pytest.mark.ledger("22.94T.1", "22.94T.18")
@pytest.mark.parametrize("roll", [2, 1, 0, -2])
def test_two_or_less_loses_the_submarine_and_hits_nothing(roll: int) -> None:
    answer = api.call("submarine_attack_table", {"roll": roll})
    assert (answer["hits"], answer["submarine_lost"]) == (0, True)


@pytest.mark.ledger("22.94T.18")
@pytest.mark.parametrize(("modifier", "lost"), [(-1, True), (0, True), (1, False), (4, False)])
def test_it_is_the_modified_roll_that_loses_the_submarine(modifier: int, lost: bool) -> None:
    answer = api.call("submarine_attack_table", {"modifier": modifier}, dice=[1, 1])
    assert (answer["modified_roll"], answer["submarine_lost"]) == (2 + modifier, lost)


@pytest.mark.ledger("22.941", "22.94T.20")
@pytest.mark.parametrize(("modifier", "roll"), [(4, 11), (5, 11), (9, 11), (-4, 3), (-5, 3), (-12, 3)])
def test_the_net_modifier_is_four_at_most_either_way(modifier: int, roll: int) -> None:
    assert api.call("submarine_attack_table", {"modifier": modifier}, dice=[3, 4])["modified_roll"] == roll


# -- nationality -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9411", "22.94T.10", "22.552AT.6")
@pytest.mark.parametrize(
    ("nation", "target", "kind", "size", "expected"),
    [
        ("Germany", "Britain", "BB", 4, 1),  # German submarines are 3
        ("Germany", "Britain", "BB", 5, 0),
        ("Germany", "Russia", "BB", 4, 3),
        ("Italy", "Britain", "BC", 3, -1),
        ("Britain", "Italy", "BB", 4, 1),
        ("Britain", "Germany", "BB", 4, 0),  # a German battleship is 2
        ("Japan", "United States", "CV", 3, 3),
        ("Japan", "United States", "CVL", 2, 3),
        ("Japan", "United States", "CVB", 4, 2),
        ("Japan", "Britain", "CVL", 2, 2),
        ("United States", "Japan", "BB", 5, -2),
        ("United States", "Japan", "CV", 3, 1),
        ("United States", "Japan", "CVB", 4, 0),
        ("Russia", "Sweden", "BB", 3, -2),
    ],
)
def test_the_difference_in_naval_nationality_is_not_limited_to_two(
    nation: str, target: str, kind: str, size: int, expected: int
) -> None:
    ship = {"nation": target, "kind": kind, "size": size}
    assert modifier(nation, {"ships": [ship]})["modifier"] == expected


@pytest.mark.ledger("22.9411")
@pytest.mark.parametrize(
    ("light", "expected"),
    [
        ({"United States/DD": 2}, 1),
        ({"United States/DD": 2, "Dutch East Indies/DD": 1}, 2),  # 3 - 0, less 1 for three destroyers
        ({"United States/CA": 3, "United States/CVE": 1}, 3),
        ({"Australia/CA": 1, "Britain/CA": 1}, 1),
    ],
)
def test_light_ships_are_as_good_as_the_worst_of_them(light: dict[str, int], expected: int) -> None:
    assert modifier(target={"light": light})["modifier"] == expected


@pytest.mark.ledger("22.9411")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [({"tactical": 1}, 2), ({"enemy_tactical": 1}, 0), ({"tactical": 1, "enemy_tactical": 1}, 1), ({"tactical": 2}, 3)],
)
def test_tactical_codebreaking_changes_the_nationality(keys: dict[str, int], expected: int) -> None:
    assert modifier(**keys)["modifier"] == expected


@pytest.mark.ledger("22.9411")
@pytest.mark.parametrize(("impaired", "expected"), [(["United States"], 2), (["Japan"], 0), (["Britain"], 1)])
def test_partial_supply_or_oil_makes_ships_and_submarines_one_worse(impaired: list[str], expected: int) -> None:
    assert modifier(impaired=impaired)["modifier"] == expected


@pytest.mark.ledger("22.9411")
@pytest.mark.parametrize(("tactical", "expected"), [({"axis": 1}, 2), ({"allies": 1}, 0), ({"axis": -1}, 0)])
def test_tactical_codebreaking_of_either_side_counts_in_play(tactical: dict[str, int], expected: int) -> None:
    assert net(ambush([CRUISERS], inputs={"tactical": tactical})) == [expected]


@pytest.mark.ledger("22.9411")
def test_a_fleet_short_of_oil_is_easier_prey() -> None:
    short = {**AMERICA, "partial_supply_or_oil": ["United States"]}
    assert net(ambush([CRUISERS], None, short)) == [2]


@pytest.mark.ledger("22.9411")
def test_submarines_short_of_oil_are_worse() -> None:
    short = with_submarines(partial_supply_or_oil=["Japan"])
    answers = {("axis", "withdraw"): WITHDRAWS}
    assert net(quiet([{**CRUISERS, "number": 5}], short, search={"axis": [[5]]}, answers=answers)) == [0]


@pytest.mark.ledger("22.9411")
def test_submarines_alone_may_be_short_of_oil_too() -> None:
    assert net(ambush([CRUISERS], with_submarines(partial_supply_or_oil=["Japan"]))) == [0]


# -- research ----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9412A", "22.9412B", "22.94T.11")
@pytest.mark.parametrize(("torpedo", "asw"), list(product(range(6), range(6))))
def test_torpedo_research_less_asw_research_is_two_at_most(torpedo: int, asw: int) -> None:
    expected = max(-2, min(2, torpedo - asw))
    answer = modifier(torpedo=torpedo, asw_research=asw)
    assert answer["categories"].get("22.9412", 0) == expected
    assert answer["modifier"] == 1 + expected


@pytest.mark.ledger("22.9412A")
def test_in_play_the_attackers_torpedoes_meet_the_defenders_asw() -> None:
    own = with_submarines(research={"torpedo": 3, "ASW": 9})
    assert net(ambush([CRUISERS], own, {**AMERICA, "research": {"ASW": 2, "torpedo": 9}})) == [2]


@pytest.mark.ledger("22.9412A", "25.632.1")
@pytest.mark.parametrize(("said", "counted"), [(None, 1), ({"torpedo": 0}, 0), ({"torpedo": 2}, 2)])
def test_the_torpedo_result_Japan_began_with_counts_in_play(said: Mapping[str, int] | None, counted: int) -> None:
    table = ambush([CRUISERS], with_submarines(research=said))
    table.to_end()
    (found,) = lines(table)
    assert found.get("22.9412", 0) == counted


# -- destroyers ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9414A", "22.9414B", "22.94T.13")
@pytest.mark.parametrize(
    ("destroyers", "expected"), [(0, 0), (2, 0), (3, -1), (5, -1), (6, -2), (8, -2), (9, -2), (25, -2)]
)
def test_destroyers_count_by_threes_and_two_at_most(destroyers: int, expected: int) -> None:
    assert category("22.9414", destroyers=destroyers) == expected


@pytest.mark.ledger("22.9414A", "22.942")
def test_destroyers_with_cargo_count_and_cruisers_and_transports_do_not() -> None:
    loaded = {"United States/DD/loaded": 2, "United States/DD": 1}
    assert modifier(target={"light": loaded})["categories"]["22.9414"] == -1
    others = {"United States/CA": 9, "United States/TR": 9, "United States/DD": 2}
    assert modifier(target={"light": others})["modifier"] == 1


@pytest.mark.ledger("22.9414A", "22.9419")
def test_destroyers_are_counted_when_the_attack_is_made() -> None:
    group = force("Boats", task_force=False, destroyers=6)
    table = ambush([group], with_submarines(3), torpedoes=[(3, 3), (3, 3), (3, 3)])
    # 6 boats: +1 -2 = -1, one sunk; 5 boats: +1 -1 -1 = -1, one sunk; 4 boats: +1 -1 -2 = -2, none
    assert net(table) == [-1, -1, -2]
    assert [event.hits for event in table.events(air.TorpedoesFired)] == [1, 1, 0]


@pytest.mark.ledger("22.9419")
def test_the_ships_of_another_group_are_no_help() -> None:
    help_elsewhere = force("Help", ships=["Enterprise", "Princeton", "Cowpens"], destroyers=9, escort_carriers=3)
    table = ambush([CRUISERS, help_elsewhere], answers={("axis", "submarines"): {SUB: "CG1"}})
    table.to("submarines", AXIS)
    assert table.group(ALLIES, 1).name == "Cruisers"
    assert net(table) == [1]


# -- excess ASW -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9415A", "22.9415C", "22.94T.14")
@pytest.mark.parametrize(("excess", "expected"), [(0, 0), (2, 0), (3, -1), (5, -1), (6, -2), (9, -2), (40, -2)])
def test_excess_asw_counts_by_threes_and_two_at_most(excess: int, expected: int) -> None:
    assert category("22.9415", excess_asw=excess) == expected


@pytest.mark.ledger("22.9415B.1", "22.9415B.2", "22.9415B.3")
@pytest.mark.parametrize(
    ("theatre", "excess", "front", "expected"),
    [
        ("Pacific", {"Pacific": 2, "Indian Ocean": 4}, False, -2),
        ("Pacific", {"Pacific": 1, "Indian Ocean": 1}, False, 0),
        ("Pacific", {"Indian Ocean": 3}, False, -1),
        ("Europe", {"Atlantic": 6}, True, -2),
        ("Europe", {"Atlantic": 6}, False, 0),
    ],
)
def test_which_box_counts_depends_on_the_place(
    theatre: str, excess: dict[str, int], front: bool, expected: int
) -> None:
    asked = {"excess": excess, "theatre": theatre, "western_front": front}
    assert api.call("excess_asw", asked)["modifier"] == expected


@pytest.mark.ledger("22.9415B.2")
@pytest.mark.parametrize(("pacific", "indian", "factors"), [(-4, 5, 5), (3, -1, 3), (-1, -1, 0)])
def test_a_box_short_of_asw_takes_nothing_from_the_other(pacific: int, indian: int, factors: int) -> None:
    assert api.call("excess_asw", {"excess": {"Pacific": pacific, "Indian Ocean": indian}})["factors"] == factors


@pytest.mark.ledger("22.9415B.2")
def test_allied_asw_of_both_oceans_hampers_japanese_submarines_in_play() -> None:
    allied = {**AMERICA, "excess_asw": {"Pacific": 2, "Indian Ocean": 1}}
    assert net(ambush([CRUISERS], None, allied)) == [0]


@pytest.mark.ledger("22.9415B.1")
@pytest.mark.parametrize(("front", "expected"), [(True, 0), (False, 1)])
def test_asw_in_the_atlantic_counts_on_the_western_front_only(front: bool, expected: int) -> None:
    ships = [force("Fleet", cruisers=5)]
    keys = with_submarines(1, GERMANY), {**BRITAIN, "excess_asw": {"Atlantic": 4}}
    assert net(ambush(ships, *keys, theatre="Europe", western_front=front)) == [expected]


def american_attack(submarines: str) -> list[int]:
    """Submarines of an ally of the United States, or its own, against Japanese cruisers with six ASW to spare."""
    table = under_water(
        [force("Fleet", cruisers=5)],
        [],
        {**JAPAN, "excess_asw": {"Pacific": 6}},
        {**AMERICA, "submarines": {submarines: 1}},
        kind="submarine attack",
        interceptor="allies",
    )
    return net(table)


@pytest.mark.ledger("22.9415B.3")
def test_japanese_asw_hampers_american_submarines() -> None:
    assert american_attack("United States") == [-1 - 2]


@pytest.mark.ledger("22.9415B.3")
def test_japanese_asw_is_said_to_hamper_american_submarines_only() -> None:
    assert american_attack("Britain") == [-1]


# -- one attack after another ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9416A", "22.9416D", "22.9416E", "22.94T.15")
@pytest.mark.parametrize(
    ("earlier", "expected"), [(0, 1), (1, 0), (2, -1), (3, -2), (4, -3), (5, -4), (6, -4), (20, -4)]
)
def test_each_earlier_attack_costs_one_down_to_the_overall_limit(earlier: int, expected: int) -> None:
    answer = modifier(earlier_attacks=earlier)
    assert answer["modifier"] == expected
    assert answer["categories"].get("22.9416", 0) == -earlier


@pytest.mark.ledger("22.9416A", "22.9416B", "22.9416C", "22.9416D")
def test_attacks_on_different_ships_of_a_group_count_and_those_on_other_groups_do_not() -> None:
    table = ambush(
        [FLEET, force("Others", cruisers=5)],
        with_submarines(4),
        category=[1, 6, 1],  # the battleship, the cruisers, the battleship
        torpedoes=[(1, 2)] * 4,
        answers={("axis", "submarines"): {SUB: {"CG1": 3, "CG2": 1}}},
    )
    table.to_end()
    by_group: dict[int, list[int]] = {}
    for event in table.events(air.TorpedoesFired):
        by_group.setdefault(event.number, []).append(sum(line.amount for line in event.modifiers.lines))
    assert by_group == {1: [1, 0, -1], 2: [1]}


@pytest.mark.ledger("22.9416A")
def test_a_new_round_of_a_battle_counts_from_none_again() -> None:
    table = quiet(
        [{**CRUISERS, "number": 5}],
        with_submarines(3),
        search={"axis": [[5], [5, 5]]},
        torpedoes=[(1, 2)] * 3,
        answers={
            ("axis", "submarines"): [{SUB: {"CG5": 2}}, {SUB: {"CG5": 1}}],
            ("axis", "withdraw"): [{}, WITHDRAWS],
        },
    )
    assert net(table) == [1, 0, 1]


@pytest.mark.ledger("22.9416A")
def test_attacks_that_lost_the_submarine_and_those_of_advanced_ones_count_too() -> None:
    keys = {**GERMANY, "submarines": {"Germany": 2, "Germany advanced": 1}}
    ships = [force("Boats", task_force=False, destroyers=3)]
    table = ambush(ships, keys, BRITAIN, theatre="Europe", torpedoes=[(1, 1)] * 3)
    table.to_end()
    fired = table.events(air.TorpedoesFired)
    advanced = [event for event in fired if event.submarine == "Germany/SUB/advanced"]
    assert [sum(line.amount for line in event.modifiers.lines) for event in advanced] == [1]
    assert not advanced[0].submarine_lost
    plain = {
        index: sum(line.amount for line in event.modifiers.lines)
        for index, event in enumerate(fired)
        if event.submarine == "Germany/SUB"
    }
    assert plain == {index: -index for index in plain}  # 3 - 2 - 1 for three destroyers, less the earlier attacks
    assert all(event.submarine_lost for event in fired if event.submarine == "Germany/SUB")


# -- damage, cargo, codebreaking ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.9417A.1", "22.9417B.1", "22.9417C", "22.94T.16")
@pytest.mark.parametrize(("damaged", "hampered"), list(product([False, True], repeat=2)))
def test_damage_and_cargo_together_are_one(damaged: bool, hampered: bool) -> None:
    assert category("22.9417", damaged=damaged, hampered=hampered) == (damaged or hampered)


@pytest.mark.ledger("22.9417A.1")
@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ({"ships": [{"nation": "United States", "kind": "BB", "size": 4, "damaged": True}]}, 1),
        ({"ships": [{"nation": "United States", "kind": "BB", "size": 4, "hits": 2}]}, 0),
        ({"light": {"United States/CA": 4, "United States/CA/damaged": 1}}, 1),
        ({"light": {"United States/CA": 4}}, 0),
    ],
)
def test_a_damaged_ship_or_cruiser_makes_the_attack_easier(target: dict[str, Any], expected: int) -> None:
    assert modifier(target=target)["categories"].get("22.9417", 0) == expected


@pytest.mark.ledger("22.9417A.1")
def test_a_damaged_cruiser_does_not_make_a_battleship_beside_it_easier() -> None:
    table = ambush([force("Fleet", ships=["Washington"], cruisers=3, damaged_cruisers=1)], category=[1])
    assert net(table) == [1]


@pytest.mark.ledger("22.9417A.2")
def test_damage_done_by_an_earlier_submarine_counts_at_once() -> None:
    table = ambush(
        [force("Fleet", ships=["Alaska"], destroyers=8)], with_submarines(2), category=[1, 1], torpedoes=[(6, 1)]
    )
    assert net(table) == [-1, -1 - 1 + 1]  # 6: one hit damages a ship of two factors


CONVOYS = [
    force("Convoy", cruisers=4, destroyers=2, cargo=[{"name": "a regiment", "needs": 2}]),
    force("Convoy", cruisers=5, transports=2, cargo=[{"name": "oil", "needs": 2, "by": "TR"}]),
    force("Convoy", cruisers=5, sails_empty=True),
    force("Convoy", cruisers=5, sea_supply=True),
]


@pytest.mark.ledger("22.9417B.1", "22.9417B.2")
@pytest.mark.parametrize("convoy", CONVOYS)
def test_any_ship_of_a_group_with_cargo_or_supply_or_on_its_way_for_it_is_easier(convoy: dict[str, Any]) -> None:
    for drawn in (1, 6):
        table = ambush([{**convoy, "ships": ["Washington"]}], category=[drawn])
        table.to_end()
        assert lines(table)[0].get("22.9417") == 1


@pytest.mark.ledger("22.9417B.1")
def test_the_name_of_a_mission_alone_hampers_nobody() -> None:
    assert net(ambush([force("Fleet", cruisers=5, mission="sea escort")])) == [1]


@pytest.mark.ledger("22.9417B.1", "22.9419")
def test_cargo_in_one_group_does_not_hamper_another() -> None:
    table = ambush([CONVOYS[0], CRUISERS])
    table.to("submarines", AXIS)
    numbers = {group.name: group.number for group in table.game.battle.fleets[ALLIES].groups}
    table.answer(AXIS, {SUB: f"CG{numbers['Cruisers']}"})
    assert net(table) == [1]


@pytest.mark.ledger("22.9417C")
def test_a_damaged_ship_beside_cargo_is_one_easier_and_not_two() -> None:
    ship = {"name": "Washington", "damaged": True}
    assert net(ambush([{**CONVOYS[1], "ships": [ship]}], category=[1])) == [2]


@pytest.mark.ledger("22.9418", "22.94T.17")
@pytest.mark.parametrize(
    ("axis", "allies", "expected"), [(1, 0, 2), (0, 1, 0), (-1, 0, 0), (0, 0, 1), (1, 1, 1), (1, -1, 2), (-1, 1, 0)]
)
def test_codebreaking_is_one_for_the_submarines_or_one_against_them(axis: int, allies: int, expected: int) -> None:
    own = with_submarines(submarine_codebreaking=axis)
    assert net(ambush([CRUISERS], own, {**AMERICA, "submarine_codebreaking": allies})) == [expected]


# -- limits and advanced submarines --------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.94T.19", "22.94T.20", "22.941")
def test_every_italic_category_is_limited_before_all_are_added() -> None:
    answer = modifier(torpedo=9, searching=30, destroyers=25, excess_asw=30)
    assert [answer["categories"][rule] for rule in CATEGORIES] == [2, 2, -2, -2]
    assert answer["modifier"] == 1
    assert modifier(torpedo=9, searching=30)["modifier"] == 4  # 1 + 2 + 2
    assert modifier(asw_research=9, destroyers=25, excess_asw=30, enemy_searching=30)["modifier"] == -4


@pytest.mark.ledger("22.94T.20", "22.94T.18")
@pytest.mark.parametrize(("dice", "roll", "lost"), [([3, 3], 2, True), ([3, 4], 3, False), ([6, 6], 8, False)])
def test_at_the_lower_limit_six_loses_the_submarine_and_seven_does_not(dice: list[int], roll: int, lost: bool) -> None:
    asked = {"nation": "Japan", "target": BATTLESHIP, "asw_research": 9, "destroyers": 25, "excess_asw": 30}
    answer = api.call("submarine_modifier", asked, dice=dice)
    assert (answer["modifier"], answer["modified_roll"], answer["submarine_lost"]) == (-4, roll, lost)


@pytest.mark.ledger("22.94T.21", "22.941")
@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"torpedo": 9, "searching": 30, "codebreaking": 1, "hampered": True},
        {"asw_research": 9, "destroyers": 25, "excess_asw": 30, "enemy_searching": 30, "earlier_attacks": 9},
        {"enemy_tactical": 5},
        {"impaired": ["Germany"]},
    ],
)
def test_advanced_submarines_attack_at_one_whatever_happens(keys: dict[str, Any]) -> None:
    target = {"ships": [{"nation": "Britain", "kind": "BB", "size": 5}]}
    answer = api.call(
        "submarine_modifier", {"nation": "Germany", "advanced": True, "target": target, **keys}, dice=[1, 1]
    )
    assert (answer["modifier"], answer["modified_roll"], answer["submarine_lost"]) == (1, 3, False)


@pytest.mark.ledger("22.94T.21")
def test_advanced_submarines_are_never_lost() -> None:
    for first, second in product(range(1, 7), repeat=2):
        asked = {
            "submarines": {"Germany/SUB/advanced": 1},
            "target": {"light": {"Britain/DD": 25}},
            "theatre": "Europe",
        }
        answer = api.call("submarine_attack", asked, dice=[first, second])
        assert not answer["attacks"][0]["submarine_lost"]


def excess(**given: Any) -> int:
    asked = {"nation": "Japan", "box": "Pacific", "asw": 9, "submarines": 5, "turn": "Spring 1943", **given}
    return int(api.call("excess_asw_in_box", asked)["excess"])


@pytest.mark.ledger("22.9415A", "22.9415B")
def test_excess_asw_is_what_a_box_has_beyond_submarines_that_may_fight_there() -> None:
    assert excess() == 7  # two Japanese submarines may fight from Spring 1943 on, however many are there
    assert excess(turn="Winter 1942") == 8  # one before
    assert excess(submarines=1) == 8
    assert excess(asw=2) == 0  # never less than none
    assert excess(nation="United States", turn="Fall 1943") == 6
    assert excess(base=False) == 9  # without a port to fight from none is eligible (25.51)
    assert excess(nation="Italy", box="Atlantic") == 9  # nor is one that never serves there (25.13B)


@pytest.mark.ledger("22.9415B")
def test_excess_asw_asks_for_sensible_numbers() -> None:
    with pytest.raises(PlayerError, match="-1 is no number of ASW"):
        excess(asw=-1)
