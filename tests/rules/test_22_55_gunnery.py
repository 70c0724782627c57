"""The Naval Attack Table (22.55), what modifies its dice (22.551, 22.552), and what its hits do to light ships."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from flagplot import api
from flagplot.core.sides import Side
from flagplot.model.events import Fired
from tests.rules.gunnery_table import (
    AIR_ROWS,
    FLEET_ROWS,
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
    two_dice,
)

# Ledger rows 22.55T.1 to 22.55T.23 in order: fleet factors (first, last), air squadrons.
TABLE_ROWS: list[tuple[tuple[int, int] | None, int | None]] = [
    ((1, 1), None),
    ((2, 2), None),
    ((3, 3), 1),
    ((4, 4), None),
    ((5, 6), 2),
    ((7, 9), 3),
    ((10, 12), 4),
    ((13, 15), 5),
    ((16, 18), 6),
    ((19, 21), 7),
    ((22, 24), 8),
    ((25, 25), 9),
    *((None, squadrons) for squadrons in range(10, 21)),
]


def drm(nation: str, kind: str = "BB", size: int = 4, **more: Any) -> int:
    return int(api.call("nationality_drm", {"nation": nation, "kind": kind, "size": size, **more})["drm"])


def modifier(firing: dict[str, Any], target: dict[str, Any], **inputs: Any) -> int:
    return int(api.call("fire_modifier", {"firing": firing, "target": target, **inputs})["modifier"])


def hits_on_table(total: int, **attackers: int) -> int:
    return int(api.call("naval_attack", attackers, dice=two_dice(total))["hits"])


def battleship(nation: str, size: int = 4) -> dict[str, Any]:
    return group(ship(f"{nation} {size}", size, nation))


# -- the table --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fleet", "squadrons"),
    [
        pytest.param(fleet, squadrons, marks=pytest.mark.ledger(f"22.55T.{number}"), id=f"row {number}")
        for number, (fleet, squadrons) in enumerate(TABLE_ROWS, start=1)
    ],
)
def test_a_row_of_the_naval_attack_table(fleet: tuple[int, int] | None, squadrons: int | None) -> None:
    for total in range(2, 13):
        if fleet is not None:
            for factors in range(fleet[0], fleet[1] + 1):
                assert hits_on_table(total, fleet=factors) == FLEET_ROWS[fleet][total - 2]
                battle = fight(group(light={"Germany/DD": factors}), group(light={"Britain/DD": factors}), total)
                assert shot_at(battle, "axis", "light")["hits"] == FLEET_ROWS[fleet][total - 2]
        if squadrons is not None:
            assert hits_on_table(total, air=squadrons) == AIR_ROWS[squadrons][total - 2]


@pytest.mark.ledger("22.55T.30")
def test_more_than_twenty_squadrons_use_the_row_of_twenty_and_that_of_the_rest_with_the_same_dice() -> None:
    for total, rest in product(range(2, 13), (1, 4, 20)):
        expected = AIR_ROWS[20][total - 2] + AIR_ROWS[rest][total - 2]
        assert hits_on_table(total, air=20 + rest) == expected
    assert hits_on_table(7, air=45) == 11 + 11 + 3


@pytest.mark.ledger("22.55.1")
def test_each_target_takes_one_throw_of_two_dice() -> None:
    axis = group(ship("a"), ship("b", 3), light={"Germany/DD": 4})
    allies = group(british("x"), british("y", 3), light={"Britain/CA": 2})
    result = fight(axis, allies, 12, 11, 10, 9, 8, 7)
    assert result["dice_used"] == 2 * len(result["shots"]) == 12
    assert [sum(shot["dice"]) for shot in result["shots"]] == [12, 11, 10, 9, 8, 7]
    for shot in result["shots"]:
        assert shot["hits"] == hits_of(shot["factors"], sum(shot["dice"]))


@pytest.mark.ledger("22.55.2")
def test_fire_at_one_target_is_added_up_and_rolled_once() -> None:
    axis = group(ship("a"), ship("b"), ship("c", 3))
    decisions = [["axis", "rank", {"a": "1", "b": "2"}], ["axis", "surplus capital", {"b": "a", "c": "a"}]]
    result = fight(axis, group(british("x", 5)), 7, decisions=decisions)
    (shot,) = shots(result, "axis")
    assert (shot["factors"], shot["dice"]) == (11, [6, 1])
    assert shot["hits"] == hits_of(11, 6)  # one less against a five-factor battleship


@pytest.mark.ledger("22.55.2")
def test_light_ships_of_all_kinds_fire_together() -> None:
    axis = group(light={"Germany/CA": 2, "Germany/DD": 3, "Germany/CVE": 1})
    result = fight(axis, group(light={"Britain/DD": 3}), 7)
    assert shot_at(result, "axis", "light")["factors"] == 8


@pytest.mark.ledger("22.55.3")
def test_modified_totals_below_two_and_above_twelve_use_the_end_columns() -> None:
    for factors in (1, 4, 9, 25):
        for low in (-4, 0, 1):
            assert api.call("naval_attack", {"fleet": factors, "roll": low})["hits"] == hits_of(factors, 2)
        for high in (13, 15):
            assert api.call("naval_attack", {"fleet": factors, "roll": high})["hits"] == hits_of(factors, 12)
    poor = fight(group(light={"Italy/DD": 8}, hampered=True), group(light={"Japan/DD": 8}), 2, 12)
    assert (shot_at(poor, "axis", "light")["roll"], shot_at(poor, "axis", "light")["hits"]) == (-1, hits_of(8, 2))
    assert (shot_at(poor, "allies", "light")["roll"], shot_at(poor, "allies", "light")["hits"]) == (15, hits_of(8, 12))


# -- results on light ships -----------------------------------------------------------------------------


def after_hits(undamaged: int, damaged: int, one_factor: int, hits: int) -> tuple[int, int, int]:
    """Cruisers sunk, cruisers newly damaged, one-factor units sunk."""
    asked = {"undamaged_cruisers": undamaged, "damaged_cruisers": damaged, "one_factor_units": one_factor, "hits": hits}
    answer = api.call("light_losses", asked)
    return answer["cruisers_sunk"], answer["newly_damaged"], answer["one_factor_sunk"]


@pytest.mark.ledger("22.55T.31")
def test_a_cruiser_is_damaged_by_one_hit_and_sunk_by_two() -> None:
    axis, allies = group(light={"Germany/DD": 4}), group(light={"Britain/CA": 1})
    assert light_left(fight(axis, allies, 4), "allies") == {"Britain/CA": 1}
    assert light_left(fight(axis, allies, 5), "allies") == {"Britain/CA/damaged": 1}
    assert light_left(fight(axis, allies, 10), "allies") == {}


@pytest.mark.ledger("22.55T.32")
def test_an_odd_hit_on_a_group_of_cruisers_damages_one() -> None:
    axis, allies = group(light={"Germany/DD": 4}), group(light={"Britain/CA": 4})
    assert light_left(fight(axis, allies, 12), "allies") == {"Britain/CA": 2, "Britain/CA/damaged": 1}


@pytest.mark.ledger("22.55T.33")
def test_each_hit_on_destroyers_escort_carriers_and_transports_sinks_one() -> None:
    light = {"Britain/DD": 3, "Britain/CVE": 1, "Britain/TR": 2}
    for hits in range(1, 7):
        losses = api.call("light_group_losses", {"light": light, "hits": hits})
        assert sum(losses["sunk"].values()) == hits
    assert sum(api.call("light_group_losses", {"light": light, "hits": 9})["sunk"].values()) == 6


@pytest.mark.ledger("22.55T.34")
def test_hits_on_cruisers_and_destroyers_are_shared_evenly_cruisers_first() -> None:
    expected = [(0, 1, 0), (1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 1, 2), (2, 0, 2), (2, 0, 3), (2, 0, 4)]
    assert [after_hits(4, 0, 8, hits) for hits in range(1, 9)] == expected


@pytest.mark.ledger("22.55T.34")
def test_when_all_cruisers_are_sunk_the_rest_of_the_hits_fall_on_destroyers() -> None:
    assert [after_hits(1, 0, 5, hits) for hits in (2, 3, 4, 5, 6)] == [
        (1, 0, 0),
        (1, 0, 1),
        (1, 0, 2),
        (1, 0, 3),
        (1, 0, 4),
    ]


@pytest.mark.ledger("22.55T.34")
def test_when_all_destroyers_are_sunk_the_rest_of_the_hits_fall_on_cruisers() -> None:
    assert [after_hits(3, 0, 1, hits) for hits in (3, 4, 5, 6)] == [(1, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1)]


@pytest.mark.ledger("22.55T.34")
def test_damaged_cruisers_and_destroyers_are_lost_in_turn() -> None:
    assert [after_hits(0, 2, 4, hits) for hits in range(1, 6)] == [
        (1, 0, 0),
        (1, 0, 1),
        (2, 0, 1),
        (2, 0, 2),
        (2, 0, 3),
    ]


@pytest.mark.ledger("22.55T.34")
def test_one_factor_losses_never_exceed_the_cruiser_factors_sunk_while_a_cruiser_floats() -> None:
    for undamaged, damaged, one_factor, hits in product(range(4), range(3), range(5), range(13)):
        if undamaged + damaged == 0:
            continue
        sunk, newly_damaged, small = after_hits(undamaged, damaged, one_factor, hits)
        assert sunk <= undamaged + damaged and small <= one_factor
        if sunk < undamaged + damaged:
            assert small <= 2 * sunk
            # No hit is wasted, and neither part of the group suffers two hits more than the other unless it must.
            factors_hit = hits - small
            assert newly_damaged in (0, 1)
            assert sunk <= factors_hit
            if small < one_factor:
                assert small <= factors_hit and factors_hit - small <= 3


@pytest.mark.ledger("22.55T.34")
def test_mixed_losses_in_a_fight() -> None:
    axis = group(light={"Germany/DD": 9})
    result = fight(axis, group(light={"Britain/CA": 2, "Britain/DD": 3}), 9)
    assert shot_at(result, "axis", "light")["hits"] == 3
    assert light_left(result, "allies") == {"Britain/CA": 1, "Britain/DD": 2}


# -- nationality ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nations", "value"),
    [
        pytest.param(("Japan",), 3, marks=pytest.mark.ledger("22.552AT.1")),
        pytest.param(
            ("Germany", "Britain", "United States", "Sweden", "Australia"), 2, marks=pytest.mark.ledger("22.552AT.2")
        ),
        pytest.param(("Italy", "France"), 1, marks=pytest.mark.ledger("22.552AT.3")),
        pytest.param(
            ("Russia", "Greece", "Rumania", "Spain", "Turkey", "Dutch East Indies"),
            0,
            marks=pytest.mark.ledger("22.552AT.4"),
        ),
    ],
)
def test_the_naval_nationality_of_a_country(nations: tuple[str, ...], value: int) -> None:
    for nation in nations:
        for kind, size in (("BB", 4), ("BC", 3), ("PB", 2), ("CA", 2), ("DD", 1)):
            assert drm(nation, kind, size) == value
        assert modifier(battleship(nation), battleship("Italy")) == value - 1


@pytest.mark.ledger("22.552AT.5", "22.552A.5.1")
def test_five_factor_battleships_shoot_better_and_are_harder_to_hit() -> None:
    assert drm("Russia", "BB", 5) == 1
    assert drm("Japan", "BB", 5) == 4
    result = fight(group(ship("giant", 5)), group(british("x")))
    assert shot_at(result, "axis", "x")["modifier"] == 1
    assert shot_at(result, "allies", "giant")["modifier"] == -1


@pytest.mark.ledger("22.552AT.6")
def test_german_submarines_are_better_than_german_ships_and_others_are_not() -> None:
    assert drm("Germany", "submarine") == 3
    for nation in ("Japan", "United States", "Italy", "Russia"):
        assert drm(nation, "submarine") == drm(nation)


@pytest.mark.ledger("22.552AT.7")
def test_japanese_and_american_light_carriers_all_fleet_and_all_escort_carriers_lose_two() -> None:
    for nation in ("Japan", "United States"):
        assert drm(nation, "CVL", 2) == drm(nation) - 2
    for nation in ("Japan", "United States", "Britain", "Germany", "Italy", "Russia"):
        assert drm(nation, "CV", 3) == drm(nation, "CVE", 1) == drm(nation) - 2


@pytest.mark.ledger("22.552AT.8")
def test_european_light_carriers_and_all_large_carriers_lose_one() -> None:
    for nation in ("Germany", "Italy", "Britain"):
        assert drm(nation, "CVL", 2) == drm(nation) - 1
    for nation in ("Japan", "United States", "Britain", "Germany"):
        assert drm(nation, "CVB", 4) == drm(nation) - 1


@pytest.mark.ledger("22.552AT.9")
def test_partial_supply_or_oil_effects_cost_a_navy_one() -> None:
    assert drm("Japan", impaired=True) == 2
    assert drm("Italy", "CVL", 2, impaired=True) == -1
    result = fight(group(ship("a")), group(british("x")), impaired={"axis": ["Germany"]})
    assert shot_at(result, "axis", "x")["modifier"] == -1
    assert shot_at(result, "allies", "a")["modifier"] == 1
    other = fight(group(ship("a")), group(british("x")), impaired={"axis": ["Italy"]})
    assert shot_at(other, "axis", "x")["modifier"] == 0


@pytest.mark.ledger("22.552A.5.2")
def test_a_carrier_shot_at_behind_the_screen_has_her_reduced_worth() -> None:
    for kind, size, expected in (("CVL", 2, 1), ("CV", 3, 2), ("CVB", 4, 1)):
        allies = group(british("carrier", size, kind))
        decisions = [["axis", "screened fire capital", {"a": "carrier"}]]
        result = fight(group(ship("a")), allies, decisions=decisions)
        assert shot_at(result, "axis", "carrier", screened=True)["modifier"] == expected


@pytest.mark.ledger("22.552A", "22.55T.28", "22.552AT.10")
def test_the_better_navy_adds_the_difference_and_the_other_subtracts_it() -> None:
    for axis, allies, difference in (("Japan", "Britain", 1), ("Japan", "Russia", 3), ("Italy", "United States", -1)):
        result = fight(battleship(axis), battleship(allies), 7, 7)
        (first,), (second,) = shots(result, "axis"), shots(result, "allies")
        assert (first["modifier"], first["roll"]) == (difference, 7 + difference)
        assert (second["modifier"], second["roll"]) == (-difference, 7 - difference)
        assert first["hits"] == hits_of(4, 7 + difference)
        assert second["hits"] == hits_of(4, 7 - difference)


@pytest.mark.ledger("22.552A")
def test_tactical_codebreaking_changes_the_comparison_for_both_sides() -> None:
    result = fight(group(ship("a")), group(british("x")), 7, 7, tactical={"axis": 1, "allies": 0})
    assert shot_at(result, "axis", "x")["modifier"] == 1
    assert shot_at(result, "allies", "a")["modifier"] == -1
    assert modifier(battleship("Japan"), battleship("Britain"), tactical=0, enemy_tactical=2) == -1


@pytest.mark.ledger("22.552A.1")
def test_ships_firing_together_use_the_poorest_navy_among_them() -> None:
    axis = group(ship("japanese", 4, "Japan"), ship("italian", 3, "Italy"))
    allies = group(british("x"))
    alone = fight(axis, allies, decisions=[["axis", "surplus capital", {"italian": "hold"}]])
    assert shot_at(alone, "axis", "x")["modifier"] == 1
    together = fight(axis, allies, decisions=[["axis", "surplus capital", {"italian": "japanese"}]])
    assert shot_at(together, "axis", "x")["modifier"] == -1
    light = fight(group(light={"Japan/DD": 3, "Italy/DD": 1}), group(light={"Britain/DD": 2}))
    assert shot_at(light, "axis", "light")["modifier"] == -1


@pytest.mark.ledger("22.552A.1")
def test_a_five_factor_battleship_loses_her_advantage_in_company() -> None:
    axis = group(ship("giant", 5), ship("plain", 4))
    together = fight(axis, group(british("x")), decisions=[["axis", "surplus capital", {"plain": "giant"}]])
    assert shot_at(together, "axis", "x")["modifier"] == 0


@pytest.mark.ledger("22.552A.2")
def test_a_capital_target_uses_her_own_navy_whatever_sails_with_her() -> None:
    axis = group(ship("a"), ship("b", 3))
    allies = group(ship("japanese", 4, "Japan"), ship("russian", 3, "Russia"), light={"Greece/DD": 2})
    result = fight(axis, allies)
    assert shot_at(result, "axis", "japanese")["modifier"] == -1
    assert shot_at(result, "axis", "russian")["modifier"] == 2
    asked = {"firing": ship("a"), "targets": [ship("j", 4, "Japan"), ship("r", 3, "Russia"), ship("g", 5, "Britain")]}
    assert api.call("fire_modifiers_at_each", asked)["modifiers"] == [-1, 2, -1]


@pytest.mark.ledger("22.552A.3")
def test_a_light_group_as_a_target_is_as_good_as_its_poorest_navy() -> None:
    allies = group(light={"Britain/CA": 1, "Britain/DD": 3, "Dutch East Indies/DD": 1})
    result = fight(group(light={"Japan/DD": 4}), allies)
    assert shot_at(result, "axis", "light")["modifier"] == 3
    # The Dutch destroyer behind the screen no longer counts.
    decisions = [["allies", "screen", {"Dutch East Indies/DD": "screen"}]]
    screened = fight(group(light={"Japan/DD": 4}), allies, decisions=decisions)
    assert shot_at(screened, "axis", "light")["modifier"] == 1


@pytest.mark.ledger("22.552A.4")
def test_escort_carriers_count_one_factor_and_lower_the_worth_of_their_light_group() -> None:
    allies = group(light={"Britain/DD": 3, "Britain/CVE": 2})
    result = fight(group(light={"Germany/DD": 5}), allies)
    assert shot_at(result, "allies", "light")["factors"] == 5
    assert shot_at(result, "allies", "light")["modifier"] == -2
    assert shot_at(result, "axis", "light")["modifier"] == 2
    decisions = [["allies", "screen", {"Britain/CVE": "screen"}]]
    screened = fight(group(light={"Germany/DD": 5}), allies, decisions=decisions)
    assert shot_at(screened, "allies", "light")["factors"] == 3
    assert {shot["modifier"] for shot in screened["shots"]} == {0}


@pytest.mark.ledger("22.552A.4")
def test_surplus_destroyers_that_leave_the_escort_carriers_behind_shoot_at_their_own_worth() -> None:
    axis = group(light={"Germany/DD": 7, "Germany/CVE": 1})
    allies = group(british("x", 2), light={"Britain/DD": 1})
    decisions = [
        ["allies", "surplus capital", {"x": "hold"}],
        ["axis", "surplus light", {"Germany/DD": {"x": 5, "light": 2}, "Germany/CVE": "light"}],
    ]
    result = fight(axis, allies, decisions=decisions)
    assert shot_at(result, "axis", "x")["modifier"] == 0
    assert shot_at(result, "axis", "light")["modifier"] == -2


# -- advantage and disadvantage ---------------------------------------------------------------------------


@pytest.mark.ledger("22.551.1")
def test_nationality_and_activity_both_change_the_roll() -> None:
    result = fight(battleship("Japan"), group(british("x"), supply=True), 5)
    shot = shot_at(result, "axis", "x")
    assert {line[0] for line in shot["lines"]} == {"22.552A", "22.552B"}
    assert (shot["modifier"], shot["roll"], shot["hits"]) == (2, 7, hits_of(4, 7))


@pytest.mark.ledger("22.551.2")
def test_whatever_helps_one_side_hurts_the_other_as_much() -> None:
    nations = ("Japan", "Germany", "Italy", "Russia")
    for first, second, hampered, other, size in product(nations, nations, (False, True), (False, True), (4, 5)):
        one = group(ship("one", size, first), hampered=hampered)
        two = group(ship("two", 4, second), hampered=other)
        assert modifier(one, two) == -modifier(two, one)
        codes = {"tactical": 1, "enemy_tactical": 0}
        assert modifier(one, two, **codes) == -modifier(two, one, tactical=0, enemy_tactical=1)


@pytest.mark.ledger("22.552")
def test_modifiers_of_nationality_and_activity_add_up() -> None:
    assert modifier(group(ship("a", 5, "Japan")), group(ship("x", 4, "Russia"), hampered=True)) == 5
    assert modifier(group(ship("x", 4, "Russia"), hampered=True), group(ship("a", 5, "Japan"))) == -5


# -- activity -------------------------------------------------------------------------------------------------


def activity_lines(force: str) -> dict[Side, set[int]]:
    """What 22.552B adds to the fire of each side when an Allied force with this set-up is met by two destroyers."""
    text = scenario(['mission = "interception"\ndestroyers = 2'], [force])
    battle = PlayedBattle(text).to_end_of_round()
    return {
        side: {
            sum(line.amount for line in event.modifiers.lines if line.rule.startswith("22.552B"))
            for event in battle.events(Fired)
            if event.side is side
        }
        for side in Side
    }


HAMPERED = {Side.AXIS: {1}, Side.ALLIES: {-1}}
UNHAMPERED = {Side.AXIS: {0}, Side.ALLIES: {0}}


@pytest.mark.ledger("22.552B", "22.552B.1.3", "22.55T.29")
def test_a_hampered_group_fires_at_one_less_and_is_fired_on_at_one_more_in_every_shot() -> None:
    allies = group(british("x"), british("hurt", 3, damaged=True), light={"Britain/DD": 1}, hampered=True)
    axis = group(ship("a"), ship("b", 3), light={"Germany/DD": 3})
    decisions = [["axis", "surplus capital", {"b": "light"}]]
    result = fight(axis, allies, decisions=decisions)
    assert {shot["modifier"] for shot in shots(result, "axis")} == {1}
    assert {shot["modifier"] for shot in shots(result, "allies")} == {-1}
    assert [shot["roll"] for shot in shots(result, "axis")] == [3] * len(shots(result, "axis"))


@pytest.mark.ledger("22.552B.1.3")
def test_fire_at_the_screen_of_a_hampered_group_has_its_bonus_as_well() -> None:
    allies = group(
        british("hurt", damaged=True), light={"Britain/DD/loaded": 2}, cargo=[{"name": "a corps", "needs": 2}]
    )
    decisions = [["axis", "screened fire capital", {"a": "hurt", "b": "light"}]]
    result = fight(group(ship("a"), ship("b")), allies, 4, 4, decisions=decisions)
    assert [(shot["modifier"], shot["roll"]) for shot in shots(result, "axis")] == [(1, 5), (1, 5)]
    assert status(result, "allies", "hurt") == "sunk"


@pytest.mark.ledger("22.552B.1.1")
def test_a_group_guarding_sea_supply_is_hampered() -> None:
    assert activity_lines('mission = "sea supply"\nsea_supply = true\ndestroyers = 3') == HAMPERED
    assert activity_lines('mission = "patrol"\ndestroyers = 3') == UNHAMPERED


@pytest.mark.ledger("22.552B.1.2")
def test_a_group_whose_destroyers_or_transports_carry_cargo_is_hampered() -> None:
    for mission in ("sea transport", "seaborne invasion", "sea escort"):
        by_destroyer = f'mission = "{mission}"\ndestroyers = 5\ncargo = [{{ name = "a corps", needs = 2 }}]'
        assert activity_lines(by_destroyer) == HAMPERED
        by_transport = (
            f'mission = "{mission}"\ndestroyers = 3\ntransports = 2\ncargo = [{{ name = "oil", needs = 2, by = "TR" }}]'
        )
        assert activity_lines(by_transport) == HAMPERED


@pytest.mark.ledger("22.552B.2")
def test_several_reasons_hamper_a_group_no_more_than_one() -> None:
    cargo = [{"name": "a corps", "needs": 1}, {"name": "oil", "needs": 1, "by": "TR"}]
    light = {"Britain/DD": 1, "Britain/DD/loaded": 1, "Britain/TR": 1}
    allies = group(british("x"), light=light, cargo=cargo, supply=True, hampered=True, mission="seaborne invasion")
    result = fight(group(ship("a")), allies)
    assert shot_at(result, "axis", "x")["modifier"] == 1
    assert shot_at(result, "allies", "a")["modifier"] == -1


@pytest.mark.ledger("22.552B.2")
def test_when_both_groups_are_hampered_the_modifiers_cancel() -> None:
    result = fight(group(ship("a"), hampered=True), group(british("x"), supply=True))
    assert {shot["modifier"] for shot in result["shots"]} == {0}


@pytest.mark.ledger("22.552B.3")
def test_a_group_is_hampered_on_its_way_to_embark_and_on_its_way_home() -> None:
    for mission in ("sea transport", "seaborne invasion", "sea escort"):
        assert activity_lines(f'mission = "{mission}"\nsails_empty = true\ndestroyers = 3') == HAMPERED


@pytest.mark.ledger("22.552B.4")
def test_defenders_who_stop_raiders_fire_worse_and_are_easier_to_hit() -> None:
    raider = 'task_force = false\nmission = "raid"\nships = ["Graf Spee"]'
    hunters = 'task_force = false\nmission = "raider hunt"\nships = ["Hood"]'
    battle = PlayedBattle(scenario([raider], [hunters], kind="raider combat", interceptor="allies")).to_end_of_battle()
    totals = {event.side: event.modifiers.total for event in battle.events(Fired)}
    assert totals == {Side.ALLIES: -1, Side.AXIS: 1}


@pytest.mark.ledger("22.552B.5")
def test_carriers_and_damaged_ships_in_a_group_do_not_change_its_dice() -> None:
    plain = fight(group(ship("a")), group(british("x")), 7, 7)
    allies = group(
        british("x"), british("hurt", damaged=True), british("carrier", 3, "CV"), light={"Britain/CA/damaged": 1}
    )
    burdened = fight(group(ship("a")), allies, 7, 7)
    assert [shot["roll"] for shot in burdened["shots"]] == [shot["roll"] for shot in plain["shots"]] == [7, 7]
