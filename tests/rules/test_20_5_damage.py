"""Damage (20.5): what hits do to ships, and when they are forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.events import Fired, HitsRepaired, LineFormed, Returned, RoundBegan, ShipHit
from flagplot.rules.damage import allot_light_hits
from tests.rules.gunnery_table import (
    AIR_ROWS,
    PlayedBattle,
    british,
    fight,
    group,
    hits_of,
    light_left,
    scenario,
    ship,
    shot_at,
    status,
    two_dice,
)

GERMAN_LINE = 'mission = "interception"\nships = ["Bismarck"]'
BRITISH_LINE = 'mission = "patrol"\nships = ["King George V"]'


def named_ship(size: int, *results: int, **more: Any) -> dict[str, Any]:
    return api.call("named_ship", {"size": size, "results": list(results), **more})


def fates(size: int, *results: int, **more: Any) -> list[str]:
    return named_ship(size, *results, **more)["after"]


def light_losses(undamaged: int = 0, damaged: int = 0, one_factor: int = 0, **hits: Any) -> dict[str, int]:
    asked = {"undamaged_cruisers": undamaged, "damaged_cruisers": damaged, "one_factor_units": one_factor, **hits}
    return api.call("light_losses", asked)


def cruisers_after(undamaged: int, damaged: int, hits: int) -> tuple[int, int, int]:
    """Undamaged afloat, damaged afloat, sunk."""
    after = light_losses(undamaged, damaged, hits=hits)
    return after["undamaged_afloat"], after["damaged_afloat"], after["cruisers_sunk"]


# -- the table ---------------------------------------------------------------------------------


@pytest.mark.ledger("20.51.1")
def test_gunfire_and_air_attacks_are_judged_by_one_table() -> None:
    for size in (2, 3, 4, 5):
        for total in range(2, 13):
            result = fight(group(ship("raider", size)), group(british("escort", 4)), total)
            modifier = 1 if size == 5 else 0  # a five-factor battleship shoots better
            assert shot_at(result, "axis", "escort")["hits"] == hits_of(size, total + modifier)
    for squadrons in (1, 3, 8):
        for total in range(2, 13):
            answer = api.call("naval_attack", {"air": squadrons}, dice=two_dice(total))
            assert answer["hits"] == AIR_ROWS[squadrons][total - 2]


@pytest.mark.ledger("20.51.2")
def test_a_total_driven_below_two_is_read_as_two() -> None:
    italians = group(light={"Italy/DD": 8}, hampered=True)
    result = fight(italians, group(british("flagship", 5), light={"Japan/DD": 3}), 2)
    shot = shot_at(result, "axis", "light")
    assert shot["roll"] == -1  # two, less two for nationality, less one for the activity
    assert shot["hits"] == hits_of(8, 2) == 1


# -- how each kind of unit is lost ----------------------------------------------------------------


@pytest.mark.ledger("20.511.1")
def test_a_named_ship_is_damaged_and_sunk_as_a_whole() -> None:
    hurt = fight(group(ship("a", 4)), group(british("b", 4)), 12)
    assert shot_at(hurt, "axis", "b")["hits"] == 3
    assert status(hurt, "allies", "b") == "damaged"
    assert hurt["sides"]["allies"]["factors_damaged"] == 4
    lost = fight(group(ship("a", 4)), group(british("b", 4, hits=2)), 10)
    assert status(lost, "allies", "b") == "sunk"
    assert lost["sides"]["allies"]["factors_sunk"] == 4


@pytest.mark.ledger("20.511.2")
def test_cruisers_are_damaged_and_sunk_two_factors_at_a_time() -> None:
    squadron = group(light={"Britain/CA": 3})
    hurt = fight(group(light={"Germany/DD": 4}), squadron, 5)
    assert hurt["sides"]["allies"]["factors_damaged"] == 2
    assert light_left(hurt, "allies") == {"Britain/CA": 2, "Britain/CA/damaged": 1}
    lost = fight(group(light={"Germany/DD": 4}), squadron, 10)
    assert lost["sides"]["allies"]["factors_sunk"] == 2
    assert light_left(lost, "allies") == {"Britain/CA": 2}


@pytest.mark.ledger("20.511.3")
def test_destroyers_and_escort_carriers_go_one_factor_at_a_time_and_are_never_damaged() -> None:
    for hits in range(1, 6):
        losses = api.call("light_group_losses", {"light": {"Britain/DD": 3, "Britain/CVE": 2}, "hits": hits})
        assert sum(losses["sunk"].values()) == hits
        assert not any(losses["damaged"].values())


@pytest.mark.ledger("20.511.4")
def test_transports_go_one_factor_at_a_time_and_are_not_damaged_in_battle() -> None:
    convoy = group(light={"Britain/TR": 4}, cargo=[{"name": "stores", "needs": 4, "by": "TR", "divisible": True}])
    result = fight(group(ship("a", 4)), convoy, 9, decisions=[["axis", "screened fire capital", {"a": "light"}]])
    assert shot_at(result, "axis", "light", screened=True)["hits"] == 2  # 9 and 1 for the convoy: column 10
    assert light_left(result, "allies") == {"Britain/TR": 2}
    assert result["sides"]["allies"]["factors_damaged"] == 0


# -- named ships --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.ledger("20.513A", "20.522.1", "22.55T.31")
def test_a_named_ship_is_damaged_by_one_hit_less_than_her_size_and_sunk_by_her_size(size: int) -> None:
    for hits in range(size - 1):
        assert fates(size, hits) == ["undamaged"]
    assert fates(size, size - 1) == ["damaged"]
    assert fates(size, size) == ["sunk"]
    assert fates(size, size + 3) == ["sunk"]


@pytest.mark.ledger("20.512A.1")
def test_hits_of_capital_and_light_fire_in_one_round_add_up() -> None:
    attackers = group(ship("a", 4), light={"Germany/DD": 4})
    decisions = [["axis", "surplus light", {"Germany/DD": {"b": 4}}]]
    result = fight(attackers, group(british("b", 4)), 10, 2, 5, decisions=decisions)
    assert [shot["hits"] for shot in result["shots"] if shot["side"] == "axis"] == [2, 1]
    assert status(result, "allies", "b") == "damaged"


@pytest.mark.ledger("20.512A.1", "20.521.1")
def test_hits_add_up_over_the_rounds_of_a_battle() -> None:
    text = scenario([GERMAN_LINE], [BRITISH_LINE])
    battle = PlayedBattle(text, totals=[10, 2, 5, 2]).to_end_of_round()
    assert battle.group(Side.ALLIES).ship("king-george-v").hits == 2
    battle.to_end_of_battle()
    hits = [event for event in battle.events() if isinstance(event, ShipHit | RoundBegan)]
    assert [event.fate if isinstance(event, ShipHit) else event.round for event in hits][:4] == [1, "hit", 2, "damaged"]


@pytest.mark.ledger("20.521.2")
def test_hits_short_of_damage_leave_guns_and_speed_alone() -> None:
    result = fight(group(ship("a", 5, hits=3)), group(british("b", 4)), 7)
    assert shot_at(result, "axis", "b")["factors"] == 5
    fresh, battered = (api.call("group_speed", {"group": group(british("b", 4, hits=hits))})["fast"] for hits in (0, 2))
    assert fresh and battered
    assert not api.call("group_speed", {"group": group(british("b", 4, damaged=True))})["fast"]


@pytest.mark.ledger("20.521.2")
def test_a_carrier_hit_but_not_damaged_still_flies_all_her_aircraft() -> None:
    def dice(**state: Any) -> int:
        carrier = british("carrier", 3, "CV", **state)
        answer = api.call("search_dice", {"round": 1, "groups": [{"number": 4, "ships": [carrier]}]})
        return int(answer.get("dice", answer.get("total")))

    assert dice() == dice(hits=1) == 1
    assert dice(damaged=True) == 0


@pytest.mark.ledger("20.513C.2", "20.522.2")
def test_at_sea_one_more_hit_sinks_a_damaged_ship_however_large() -> None:
    for size in (2, 3, 4, 5):
        assert fates(size, size - 1, 1) == ["damaged", "sunk"]
        assert fates(size, 1, damaged=True) == ["sunk"]
        assert fates(size, 0, damaged=True) == ["damaged"]


@pytest.mark.ledger("20.513C.1")
def test_in_port_a_damaged_ship_sinks_only_when_damaged_again() -> None:
    assert fates(4, 3, 2, in_port=True) == ["damaged", "damaged"]
    assert fates(4, 3, 2, 1, 3, in_port=True) == ["damaged", "damaged", "damaged", "sunk in port"]
    assert fates(5, 3, damaged=True, in_port=True) == ["damaged"]
    assert fates(5, 4, damaged=True, in_port=True) == ["sunk in port"]


@pytest.mark.ledger("20.513C.1")
def test_a_group_may_agree_that_a_ship_damaged_before_must_be_damaged_again_to_sink() -> None:
    asked = {"size": 4, "results": [1, 1, 1], "damaged": True}
    answer = api.call("named_ship", asked, options={"damaged_ship_sinks_on": "damage_again"})
    assert answer["after"] == ["damaged", "damaged", "sunk"]
    assert fates(4, 1, damaged=True) == ["sunk"]


@pytest.mark.ledger("20.512E")
def test_hits_in_port_that_do_not_damage_are_forgotten_at_once() -> None:
    assert fates(4, 2, 2, 2, in_port=True) == ["undamaged"] * 3
    assert named_ship(4, 2, 2, in_port=True)["hits"] == [0, 0]
    assert fates(4, 2, 2) == ["undamaged", "sunk"]  # at sea they add up
    assert fates(4, 2, 3, in_port=True) == ["undamaged", "damaged"]
    assert fates(4, 2, 4, in_port=True) == ["undamaged", "sunk in port"]


# -- raiders and convoys -------------------------------------------------------------------------------


@pytest.mark.ledger("20.512C.1")
def test_hits_on_raiders_add_up_within_one_engagement() -> None:
    hunters = 'task_force = false\nmission = "raider hunt"\nships = ["King George V"]\ndestroyers = 8'
    raider = 'task_force = false\nmission = "raid"\nships = ["Bismarck"]'
    text = scenario([raider], [hunters], kind="raider combat", interceptor="allies")
    # The hunters' fire is one column lower: 11 gives two hits, then the destroyers' 6 gives one more.
    answers = [("allies", "surplus light", {"Britain/DD": {"bismarck": 8}})]
    battle = PlayedBattle(text, totals=[11, 2, 6], answers=answers).to_end_of_battle()
    assert [event.hits for event in battle.events(Fired) if event.side is Side.ALLIES] == [2, 1]
    assert [event.fate for event in battle.events(ShipHit) if event.side is Side.AXIS] == ["hit", "damaged"]


@pytest.mark.ledger("20.512C.2")
def test_hits_do_not_go_over_from_the_first_raider_engagement_to_the_second() -> None:
    assert fates(4, 2, 1, repaired_after=[1]) == ["undamaged", "undamaged"]
    assert fates(4, 2, 1) == ["undamaged", "damaged"]
    # What is damaged stays so, and one hit of the second engagement sinks her.
    assert fates(4, 3, 1, repaired_after=[1]) == ["damaged", "sunk"]


def raider_battle(totals: list[int]) -> PlayedBattle:
    """Scharnhorst, engaged by a slow and a fast battleship and two cruisers; Gneisenau elsewhere."""
    raiders = [
        'task_force = false\nmission = "raid"\nships = ["Scharnhorst"]',
        'task_force = false\nmission = "raid"\nengaged = false\nships = ["Gneisenau"]',
    ]
    hunters = (
        'task_force = false\nmission = "raider hunt"\nships = ["Rodney", { name = "Hood", hits = 1 }]\ncruisers = 2'
    )
    text = scenario(raiders, [hunters], kind="raider combat", interceptor="allies")
    answers = [("allies", "surplus capital", {"hood": "hold"})]
    return PlayedBattle(text, totals=totals, answers=answers).to_end_of_battle()


@pytest.mark.ledger("21.537A.1", "20.512C.2")
def test_hits_too_few_to_damage_raiders_and_hunters_are_repaired_after_the_engagement() -> None:
    battle = raider_battle([6, 6])
    assert {(event.ship, event.fate) for event in battle.events(ShipHit)} == {("scharnhorst", "hit"), ("rodney", "hit")}
    repaired = {name for event in battle.events(HitsRepaired) for name in event.ships}
    assert repaired == {"scharnhorst", "rodney", "hood"}
    for home in battle.events(Returned):
        assert all(each.hits == 0 for each in home.group.ships)


@pytest.mark.ledger("21.537A.1")
def test_a_damaged_raider_stays_damaged() -> None:
    battle = raider_battle([11, 2])  # one column lower for the hunters: 10, two hits on a three-factor ship
    (home,) = [event for event in battle.events(Returned) if event.side is Side.AXIS and "scharnhorst" in str(event)]
    (survivor,) = home.group.ships
    assert survivor.damaged
    assert "scharnhorst" not in {name for event in battle.events(HitsRepaired) for name in event.ships}


@pytest.mark.ledger("21.537A.2")
def test_an_engaged_raider_goes_home_after_one_round() -> None:
    battle = raider_battle([2, 2])
    assert len([event for event in battle.events(LineFormed) if event.side is Side.AXIS]) == 1
    homes = [event for event in battle.events(Returned) if event.side is Side.AXIS]
    assert {each.id for home in homes for each in home.group.ships} >= {"scharnhorst"}
    assert all(home.base == "Base of axis" for home in homes)


@pytest.mark.ledger("21.537A.2")
def test_raiders_nobody_engaged_must_go_home_as_well() -> None:
    battle = raider_battle([2, 2])
    homes = [event for event in battle.events(Returned) if event.side is Side.AXIS]
    assert {each.id for home in homes for each in home.group.ships} == {"scharnhorst", "gneisenau"}


@pytest.mark.ledger("22.372F.1")
def test_slow_ships_that_engaged_raiders_go_to_port_and_fast_ones_need_not() -> None:
    battle = raider_battle([2, 2])
    homes = [event for event in battle.events(Returned) if event.side is Side.ALLIES]
    in_port = {each.id for home in homes if home.base for each in home.group.ships}
    assert in_port == {"rodney"}


@pytest.mark.ledger("22.372F.2")
def test_the_hits_of_slow_ships_sent_home_are_repaired_at_sea() -> None:
    battle = raider_battle([2, 6])
    assert [(event.ship, event.fate) for event in battle.events(ShipHit)] == [("rodney", "hit")]
    (rodney,) = [
        each for event in battle.events(Returned) for each in event.group.ships if each.id == "rodney" and event.base
    ]
    assert rodney.hits == 0 and not rodney.damaged


@pytest.mark.ledger("20.512D.1")
def test_hits_add_up_when_an_arctic_convoy_is_fought_as_a_naval_battle() -> None:
    convoy = (
        'mission = "sea transport"\nships = ["King George V"]\ntransports = 3\n'
        'cargo = [{ name = "tanks for Russia", needs = 3, by = "TR" }]'
    )
    # One column higher against the convoy: 9 gives two hits and 4 gives the third.
    answers = [("axis", "withdraw", {}), ("axis", "withdraw", {"CG1:bismarck": "withdraw"})]
    battle = PlayedBattle(scenario([GERMAN_LINE], [convoy]), totals=[9, 2, 4, 2], answers=answers).to_end_of_battle()
    assert [(event.name, event.fate) for event in battle.events(ShipHit)] == [
        ("King George V", "hit"),
        ("King George V", "damaged"),
    ]


def murmansk_escort(air: list[int], submarines: list[int]) -> dict[str, Any]:
    return api.call("murmansk_ship", {"size": 4, "air_sorties": air, "submarine_attacks": submarines})


@pytest.mark.ledger("20.512D.2", "40.451B.1")
def test_an_arctic_escort_forgets_lesser_hits_between_air_sorties() -> None:
    assert murmansk_escort([2, 2, 2], [])["after_air"] == {"status": "undamaged", "hits": 0}
    assert murmansk_escort([2, 3], [])["after_air"]["status"] == "damaged"
    assert murmansk_escort([3, 1], [])["after_air"]["status"] == "sunk"


@pytest.mark.ledger("20.512D.2", "40.451D.2")
def test_submarine_hits_on_an_arctic_escort_are_counted_together_but_not_with_those_of_aircraft() -> None:
    assert murmansk_escort([], [1, 1, 1])["after_submarines"]["status"] == "damaged"
    assert murmansk_escort([], [1, 1, 1, 1])["after_submarines"]["status"] == "sunk"
    assert murmansk_escort([2], [2])["after_submarines"]["status"] == "undamaged"
    assert murmansk_escort([3], [1])["after_submarines"]["status"] == "sunk"


@pytest.mark.ledger("40.451D.2")
def test_lesser_submarine_hits_on_an_arctic_escort_are_repaired_once_all_have_attacked() -> None:
    assert murmansk_escort([], [1, 1])["after_submarines"] == {"status": "undamaged", "hits": 0}


# -- cruisers ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("20.513B", "20.533.1")
def test_a_single_hit_damages_a_cruiser() -> None:
    assert cruisers_after(1, 0, 1) == (0, 1, 0)
    result = fight(group(light={"Germany/DD": 4}), group(light={"Britain/CA": 1}), 5)
    assert light_left(result, "allies") == {"Britain/CA/damaged": 1}


@pytest.mark.ledger("20.533.2", "20.513C.1")
def test_a_damaged_cruiser_hit_again_sinks() -> None:
    assert cruisers_after(0, 1, 1) == (0, 0, 1)
    after = light_losses(1, rolls=[1, 1])
    assert (after["cruisers_sunk"], after["damaged_afloat"]) == (1, 0)


def test_a_hit_that_damages_finds_the_only_sound_cruiser_whatever_its_nation() -> None:
    """20.532: the larger contingent, all damaged already, is passed over."""
    allotted = allot_light_hits({"Britain/CA/damaged": 3, "France/CA": 1}, 1)
    assert allotted == ({}, {"France/CA": 1})


@pytest.mark.ledger("20.531.1")
def test_a_lone_cruiser_suffers_like_a_named_ship_of_two_factors() -> None:
    for hits, fate in ((0, "undamaged"), (1, "damaged"), (2, "sunk"), (3, "sunk")):
        assert fates(2, hits) == [fate]
        expected = {"undamaged": (1, 0, 0), "damaged": (0, 1, 0), "sunk": (0, 0, 1)}[fate]
        assert cruisers_after(1, 0, hits) == expected


@pytest.mark.ledger("20.532.1")
def test_in_a_force_of_cruisers_every_two_hits_sink_one() -> None:
    assert cruisers_after(4, 0, 2) == (3, 0, 1)
    assert cruisers_after(4, 0, 4) == (2, 0, 2)
    assert cruisers_after(2, 2, 2) == (1, 2, 1)
    assert cruisers_after(2, 0, 9) == (0, 0, 2)


@pytest.mark.ledger("20.532.2", "22.55T.32")
def test_in_a_force_of_cruisers_an_odd_hit_damages_one_more() -> None:
    assert cruisers_after(4, 0, 1) == (3, 1, 0)
    assert cruisers_after(4, 0, 3) == (2, 1, 1)
    assert cruisers_after(4, 0, 5) == (1, 1, 2)


@pytest.mark.ledger("20.532.3")
def test_an_odd_hit_sinks_a_damaged_cruiser_only_if_no_sound_one_is_left() -> None:
    assert cruisers_after(1, 2, 1) == (0, 3, 0)
    assert cruisers_after(1, 2, 3) == (0, 1, 2)
    assert cruisers_after(0, 3, 1) == (0, 2, 1)
    assert cruisers_after(0, 3, 2) == (0, 1, 2)


@pytest.mark.ledger("20.532.2")
def test_two_rolls_of_one_hit_damage_two_cruisers() -> None:
    after = light_losses(2, rolls=[1, 1])
    assert (after["cruisers_sunk"], after["damaged_afloat"]) == (0, 2)
    assert cruisers_after(2, 0, 2) == (1, 0, 1)


@pytest.mark.ledger("20.534.1")
def test_after_the_turn_two_damaged_cruisers_make_one_sound_and_one_sunk() -> None:
    for pairs in (0, 1, 2, 5):
        answer = api.call("consolidate_cruisers", {"damaged": 2 * pairs})
        assert answer == {"undamaged": pairs, "sunk": pairs, "damaged": 0}


@pytest.mark.ledger("20.534.3")
def test_an_odd_damaged_cruiser_stays_damaged() -> None:
    assert api.call("consolidate_cruisers", {"damaged": 1}) == {"undamaged": 0, "sunk": 0, "damaged": 1}
    assert api.call("consolidate_cruisers", {"damaged": 5}) == {"undamaged": 2, "sunk": 2, "damaged": 1}


# -- ships with cargo -----------------------------------------------------------------------------------


def convoy(light: dict[str, int], *ships: dict[str, Any], needs: int = 2) -> dict[str, Any]:
    return group(*ships, light=light, cargo=[{"name": "a corps", "needs": needs}])


@pytest.mark.ledger("20.58")
def test_loaded_destroyers_sunk_by_gunfire_take_their_cargo_down() -> None:
    target = convoy({"Britain/DD/loaded": 2})
    result = fight(
        group(ship("a"), ship("b")),
        target,
        11,
        decisions=[["axis", "screened fire capital", {"a": "light", "b": "light"}]],
    )
    assert shot_at(result, "axis", "light", screened=True)["factors"] == 8
    assert light_left(result, "allies") == {}
    assert result["sides"]["allies"]["cargo_lost"] == ["a corps"]


@pytest.mark.ledger("20.58A.1")
def test_loaded_destroyers_and_transports_cannot_be_shot_at_while_an_escort_floats() -> None:
    target = convoy({"Britain/DD": 1, "Britain/DD/loaded": 2, "Britain/TR": 1})
    guns = group(ship("a"), ship("b"))
    held = [["axis", "surplus capital", {"a": "light", "b": "hold"}]]
    shoot = ["axis", "screened fire capital", {"b": "light"}]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(guns, target, 2, decisions=[*held, shoot])
    result = fight(guns, target, 7, 12, decisions=[*held, shoot])
    assert light_left(result, "allies").get("Britain/DD", 0) == 0
    assert shot_at(result, "axis", "light", screened=True)["hits"] == 3


@pytest.mark.ledger("20.58A.1")
def test_the_owner_cannot_put_loaded_destroyers_or_transports_into_the_line() -> None:
    target = convoy({"Britain/DD": 2, "Britain/DD/loaded": 2, "Britain/TR": 1})
    for key in ("Britain/DD/loaded", "Britain/TR"):
        with pytest.raises(PlayerError, match=r"22\.531"):
            fight(group(ship("a")), target, decisions=[["allies", "screen", {key: "line"}]])


@pytest.mark.ledger("20.58A.2")
def test_a_cruiser_driven_behind_the_screen_does_not_protect_loaded_destroyers() -> None:
    target = convoy({"Britain/CA": 1, "Britain/DD/loaded": 2})
    decisions = [
        ["axis", "surplus capital", {"a": "light", "b": "hold"}],
        ["axis", "screened fire capital", {"b": "light"}],
    ]
    result = fight(group(ship("a"), ship("b")), target, 6, 12, decisions=decisions)
    assert [shot["screened"] for shot in result["shots"]] == [False, True]
    assert result["shots"][1]["hits"] == 3


@pytest.mark.ledger("20.58A.3")
def test_screened_light_ships_are_one_target_and_share_the_losses_type_by_type() -> None:
    target = convoy({"Britain/DD/loaded": 3, "Britain/TR": 2}, needs=3)
    result = fight(group(ship("a")), target, 11, decisions=[["axis", "screened fire capital", {"a": "light"}]])
    assert shot_at(result, "axis", "light", screened=True)["hits"] == 3
    assert result["sides"]["allies"]["sunk_light"] == {"Britain/DD/loaded": 2, "Britain/TR": 1}


@pytest.mark.ledger("20.58A.3")
def test_a_screened_cruiser_shares_losses_with_the_loaded_destroyers_beside_it() -> None:
    # Damaged cruiser first, then a destroyer, and with no cruiser left the rest fall on destroyers.
    target = convoy({"Britain/CA/damaged": 1, "Britain/DD/loaded": 3}, needs=3)
    result = fight(group(ship("a")), target, 9, decisions=[["axis", "screened fire capital", {"a": "light"}]])
    assert shot_at(result, "axis", "light", screened=True)["hits"] == 2
    assert result["sides"]["allies"]["sunk_light"] == {"Britain/CA/damaged": 1, "Britain/DD/loaded": 1}


@pytest.mark.ledger("20.58A.3")
def test_the_owner_says_which_of_two_equal_kinds_of_light_ships_is_hit_first() -> None:
    light = {"Britain/DD": 2, "Britain/DD/loaded": 2}
    for first in light:
        order = [first, *(key for key in light if key != first)]
        losses = api.call("light_group_losses", {"light": light, "hits": 3, "order": order})
        assert losses["sunk"][first] == 2 and sum(losses["sunk"].values()) == 3
    assert api.call("light_group_losses", {"light": light, "hits": 3})["order_matters"]
    assert not api.call("light_group_losses", {"light": light, "hits": 2})["order_matters"]


@pytest.mark.ledger("20.58A.3")
def test_nations_take_losses_in_turn_the_larger_contingent_first() -> None:
    losses = api.call("light_group_losses", {"light": {"Britain/DD": 4, "France/DD": 1, "Greece/DD": 2}, "hits": 5})
    assert losses["sunk"] == {"Britain/DD": 2, "Greece/DD": 2, "France/DD": 1}


@pytest.mark.ledger("20.534.2")
def test_of_damaged_cruisers_in_two_ports_their_owner_chooses_the_survivor() -> None:
    for survivor, victim in (("Truk", "Rabaul"), ("Rabaul", "Truk")):
        choice = {survivor: {"survives": 1}, victim: {"sunk": 1}}
        answer = api.call("consolidate_cruisers", {"ports": {"Truk": 1, "Rabaul": 1}, "choice": choice})
        assert answer["by_port"] == choice
    with pytest.raises(PlayerError):
        api.call(
            "consolidate_cruisers",
            {"ports": {"Truk": 1, "Rabaul": 1}, "choice": {"Truk": {"survives": 1}, "Rabaul": {"survives": 1}}},
        )
    assert api.call("consolidate_cruisers", {"ports": {"Truk": 3, "Rabaul": 2}})["damaged"] == 1
