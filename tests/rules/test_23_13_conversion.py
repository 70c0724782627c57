"""Air factors become squadrons and factors again (23.13, 23.14), jets and air transports with them (23.17, 23.18)."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.rules.air import conversion
from flagplot.rules.air.conversion import AT_SEA, MISSIONS

KINDS = ("AAF", "JET", "ATR")
every_kind = pytest.mark.parametrize("kind", KINDS)


def stacks(search: int = 0, cover: int = 0, attack: int = 0, *, inverted: bool = False) -> list[dict[str, Any]]:
    told = {"search": search, "cover": cover, "attack": attack}
    return [{"role": role, "count": number, "inverted": inverted} for role, number in told.items() if number]


def recombined(squadrons: list[dict[str, Any]], **more: Any) -> tuple[int, int, int]:
    """Factors, uninverted factors, squadrons left over."""
    answer = api.call("recombine_air", {"squadrons": squadrons, **more})
    assert answer["inverted"] == answer["factors"] - answer["uninverted"]
    assert answer["may_fly"] == answer["uninverted"]
    return answer["factors"], answer["uninverted"], answer["remnants"]


def turn_end(squadrons: dict[str, Any], lost: int = 0, **more: Any) -> dict[str, Any]:
    return api.call("end_of_turn_air", {"squadrons": squadrons, "unbuilt_squadrons": lost, **more})


def construction(lost: int, squadrons: dict[str, Any], **more: Any) -> dict[str, Any]:
    return api.call("convert_unbuilt_air", {"unbuilt_squadrons": lost, "squadrons": squadrons, **more})


# -- factors to squadrons -------------------------------------------------------------------------


@pytest.mark.ledger("23.131", "23.131B", "23.131C", "23.131D", "23.131E")
@pytest.mark.parametrize("activity", ["spot", "cover", "search", "attack at sea"])
def test_factors_break_down_before_anything_they_do_at_sea(activity: str) -> None:
    assert conversion.must_convert(activity)
    answer = api.call("break_down_air", {"factors": 2, "activity": activity})
    assert answer["required"] and answer["uninverted"] == {"search": 2, "cover": 2, "attack": 2}


@pytest.mark.ledger("23.131A", "23.152A")
@pytest.mark.parametrize("activity", ["air combat", "counterair", "base defense"])
def test_factors_break_down_to_fight_beside_naval_air_or_against_it(activity: str) -> None:
    assert not conversion.must_convert(activity)
    assert conversion.must_convert(activity, friendly_nas=1)
    assert conversion.must_convert(activity, enemy_nas=1)
    assert conversion.must_convert(activity, 2, 3)


@pytest.mark.ledger("23.131")
@pytest.mark.parametrize("activity", [mission for mission in MISSIONS if mission != "counterair"])
def test_factors_on_other_missions_stay_factors(activity: str) -> None:
    assert not conversion.must_convert(activity, friendly_nas=2, enemy_nas=2)
    answer = api.call("break_down_air", {"factors": 3, "activity": activity, "holding": 1})
    assert answer == {
        "required": False,
        "squadron": "AAS",
        "uninverted": {"search": 0, "cover": 0, "attack": 0},
        "inverted": {"search": 0, "cover": 0, "attack": 0},
        "holding": 1,
    }


@pytest.mark.ledger("23.132A", "23.132B", "23.132C", "23.133.1", "23.133.2")
def test_a_factor_becomes_one_squadron_of_each_role_and_waits_in_the_holding_area() -> None:
    answer = api.call("break_down_air", {"factors": 1})
    assert answer["uninverted"] == {"search": 1, "cover": 1, "attack": 1}
    assert answer["holding"] == 1
    assert api.call("break_down_air", {"factors": 4, "holding": 2})["holding"] == 6


@pytest.mark.ledger("23.133.1")
def test_squadrons_are_inverted_if_their_factor_was() -> None:
    broken = conversion.break_down(2, inverted=1, holding=4)
    assert broken.uninverted == {"search": 2, "cover": 2, "attack": 2}
    assert broken.inverted == {"search": 1, "cover": 1, "attack": 1}
    assert broken.holding == 7


@every_kind
@pytest.mark.ledger("23.17", "23.18.1")
def test_jets_and_air_transports_convert_as_army_air_does(kind: str) -> None:
    answer = api.call("break_down_air", {"factors": 2, "kind": kind})
    assert answer["uninverted"] == {"search": 2, "cover": 2, "attack": 2}
    assert answer["squadron"] == {"AAF": "AAS", "JET": "JET", "ATR": "ATR"}[kind]
    assert recombined(stacks(2, 2, 1), kind=kind) == (2, 1, 0)
    assert construction(5, {"Rhine": 4}, kind=kind)["unbuilt"] == 2
    assert turn_end({"Rhine": 4}, 2, kind=kind, holding=2)["by_base"] == {"Rhine": 1}


# -- squadrons to factors -------------------------------------------------------------------------


@pytest.mark.ledger("23.142A", "23.143")
def test_one_squadron_makes_no_factor_two_to_four_one_five_to_seven_two() -> None:
    series = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert [conversion.factors_from(number) for number in range(12)] == series
    lost = [number for number in range(12) if conversion.remnant_of(number)]
    assert lost == [1, 4, 7, 10]


@pytest.mark.ledger("23.144.1", "23.141A", "23.143")
@pytest.mark.parametrize(
    ("squadrons", "expected"),
    [
        ([], (0, 0, 0)),
        (stacks(1, 1, 1), (1, 1, 0)),
        (stacks(1, 1, 0), (1, 0, 0)),  # a pair lacks a role
        (stacks(2, 1, 0), (1, 0, 0)),
        (stacks(3, 0, 0), (1, 0, 0)),
        (stacks(0, 0, 1), (0, 0, 1)),
        (stacks(2, 1, 1), (1, 1, 1)),
        (stacks(2, 2, 1), (2, 1, 0)),
        (stacks(3, 2, 2), (2, 2, 1)),
        (stacks(4, 2, 2), (3, 2, 0)),
        (stacks(2, 2, 2, inverted=True), (2, 0, 0)),
        (stacks(1, 1, 0) + stacks(attack=1, inverted=True), (1, 0, 0)),
        (stacks(2, 2, 1) + stacks(attack=1, inverted=True), (2, 1, 0)),
        (stacks(1, 1, 1) + stacks(search=1, inverted=True), (1, 1, 1)),
    ],
)
def test_a_factor_is_uninverted_only_if_made_of_one_uninverted_squadron_of_each_role(
    squadrons: list[dict[str, Any]], expected: tuple[int, int, int]
) -> None:
    assert recombined(squadrons) == expected


@pytest.mark.ledger("23.144.1")
def test_every_factor_formed_uninverted_has_its_three_squadrons() -> None:
    for search, cover, attack, hidden in product(range(4), repeat=4):
        formed = conversion.recombine({"search": search, "cover": cover, "attack": attack}, {"cover": hidden})
        assert 3 * formed.uninverted <= search + cover + attack
        assert 0 <= formed.uninverted <= formed.factors
        assert formed.uninverted in (search, cover, attack)


@pytest.mark.ledger("23.144.2", "23.141A.1")
def test_inverted_factors_do_not_go_on_with_the_mission() -> None:
    answer = api.call("recombine_air", {"squadrons": stacks(3, 2, 1), "activity": "ground support"})
    assert (answer["factors"], answer["may_fly"], answer["inverted"]) == (2, 1, 1)


@pytest.mark.ledger("23.141A.1")
@pytest.mark.parametrize("activity", MISSIONS)
def test_squadrons_become_factors_for_what_squadrons_may_not_fly(activity: str) -> None:
    assert conversion.must_revert(activity)
    assert recombined(stacks(1, 1, 1), activity=activity) == (1, 1, 0)


@pytest.mark.ledger("23.141A.1")
def test_squadrons_stay_squadrons_for_what_they_may_fly() -> None:
    for activity in (*AT_SEA, "air combat"):
        assert not conversion.must_revert(activity)
    assert not conversion.must_revert("counterair", enemy_nas=1)
    assert not conversion.must_revert("counterair", friendly_nas=1)
    assert not api.call("recombine_air", {"squadrons": stacks(2, 2, 2), "activity": "search"})["required"]
    assert recombined(stacks(2, 2, 2), activity="search") == (0, 0, 0)


@pytest.mark.ledger("23.141A.2")
def test_squadrons_become_factors_when_their_base_is_attacked_unless_naval_air_is_there() -> None:
    assert conversion.must_revert("base defense")
    assert not conversion.must_revert("base defense", friendly_nas=1)
    assert not conversion.must_revert("base defense", enemy_nas=1)


@pytest.mark.ledger("23.141A.2")
def test_squadrons_never_become_factors_between_rounds_of_air_combat() -> None:
    for activity in ("base defense", "counterair", "ground support"):
        assert not conversion.must_revert(activity, between_rounds=True)
    answer = api.call("recombine_air", {"squadrons": stacks(1, 1, 1), "between_rounds": True})
    assert not answer["required"] and answer["factors"] == 0
    after = {"squadrons": stacks(1, 1, 1), "activity": "base defense", "between_rounds": True}
    assert not api.call("recombine_air", after)["required"]


@pytest.mark.ledger("23.152D")
def test_after_counterair_all_factors_formed_are_inverted() -> None:
    for squadrons, factors, remnants in ((3, 1, 0), (4, 1, 1), (8, 3, 0)):
        formed = conversion.recombine_after_counterair(squadrons)
        assert (formed.factors, formed.inverted, formed.remnants) == (factors, factors, remnants)


@pytest.mark.ledger("23.141A.1", "23.144.2")
@pytest.mark.parametrize(
    ("eliminated", "aborted", "going_on", "lost", "home"),
    [
        (0, 0, 3, 0, 0),
        (0, 1, 2, 0, 3),
        (1, 0, 2, 1, 2),
        (1, 2, 2, 1, 2),
        (2, 2, 1, 2, 4),
        (3, 0, 2, 3, 0),
        (9, 9, 0, 9, 0),
        (12, 0, 0, 9, 0),
    ],
)
def test_of_three_factors_raiding_a_port_only_those_the_result_does_not_reach_go_on(
    eliminated: int, aborted: int, going_on: int, lost: int, home: int
) -> None:
    assert conversion.port_raiders(3, eliminated, aborted) == (going_on, lost, home)


# -- the construction phase -----------------------------------------------------------------------


@pytest.mark.ledger("23.141B.1", "23.141B.3")
@pytest.mark.parametrize(("lost", "formed", "kept"), [(0, 0, 0), (1, 0, 1), (3, 1, 0), (4, 1, 1), (6, 2, 0), (7, 2, 1)])
def test_three_unbuilt_squadrons_make_a_factor_and_a_single_one_is_left_alone(
    lost: int, formed: int, kept: int
) -> None:
    answer = construction(lost, {"Malta": 5}, unbuilt=2)
    assert (answer["formed"], answer["unbuilt"], answer["squadrons_kept"]) == (formed, 2 + formed, kept)
    assert (answer["squadrons_removed"], answer["removed_from"]) == (0, None)


@pytest.mark.ledger("23.141B.4")
def test_squadrons_in_play_are_not_converted_in_the_construction_phase() -> None:
    for lost in (0, 1, 3, 4):
        assert construction(lost, {"Malta": 5, "Gibraltar": 3})["squadrons"] == {"Malta": 5, "Gibraltar": 3}


@pytest.mark.ledger("23.141B.2")
@pytest.mark.parametrize(("lost", "formed"), [(2, 1), (5, 2), (8, 3)])
def test_a_pair_left_over_makes_a_factor_and_costs_a_squadron_wherever_its_owner_says(lost: int, formed: int) -> None:
    for base, after in (("Malta", {"Malta": 2, "Gibraltar": 4}), ("Gibraltar", {"Malta": 3, "Gibraltar": 3})):
        answer = construction(lost, {"Malta": 3, "Gibraltar": 4}, remove=base)
        assert (answer["formed"], answer["squadrons_kept"], answer["squadrons_removed"]) == (formed, 0, 1)
        assert (answer["removed_from"], answer["squadrons"]) == (base, after)


@pytest.mark.ledger("23.141B.2")
def test_the_owner_may_choose_the_role_of_the_squadron_he_gives_up() -> None:
    squadrons = {"Malta": stacks(2, 1) + stacks(attack=1, inverted=True), "Gibraltar": 2}
    for choice in ("Malta/search", "Malta/cover", "Malta/inverted attack"):
        answer = construction(2, squadrons, remove=choice)
        assert (answer["removed_from"], answer["squadrons"]) == (choice, {"Malta": 3, "Gibraltar": 2})
    with pytest.raises(IllegalChoice, match=r"23\.141B: 'Malta/attack' is no place for Your choice"):
        construction(2, squadrons, remove="Malta/attack")
    with pytest.raises(IllegalChoice, match="may go to: Malta/search, Malta/cover, Malta/inverted attack, Gibraltar"):
        construction(2, squadrons, remove="Malta")


@pytest.mark.ledger("23.141B.2")
@pytest.mark.parametrize(
    ("squadrons", "expected"),
    [
        ({"A": 2, "B": 3, "C": 4}, "C"),  # the fourth squadron would be lost anyway
        ({"A": 2, "B": 3, "C": 5}, "B"),  # two still make a factor
        ({"A": 2, "B": 5}, "A"),
        ({"A": 0, "B": 2}, "B"),
        ({"A": stacks(1, 2, 1), "B": 2}, "A/cover"),
    ],
)
def test_a_squadron_given_up_by_default_costs_no_factor_if_that_can_be_had(
    squadrons: dict[str, Any], expected: str
) -> None:
    assert construction(2, squadrons)["removed_from"] == expected


@pytest.mark.ledger("23.141B.2")
def test_every_answer_drawn_at_random_gives_up_one_squadron_that_is_there() -> None:
    form = conversion.giving_up_form({"Malta": {"search": 1, "cover": 0}, "Gibraltar": {"": 3}})
    drawn = {form.read(form.sample(Random(seed)), "23.141B").choice for seed in range(30)}
    assert drawn == {"Malta/search", "Gibraltar"}


@pytest.mark.ledger("23.141B.2")
def test_a_pair_waits_if_no_squadron_is_in_play_to_pay_for_it() -> None:
    for squadrons in ({}, {"Malta": 0}):
        answer = construction(5, squadrons)
        assert (answer["formed"], answer["squadrons_kept"], answer["squadrons_removed"]) == (1, 2, 0)
    assert api.call("convert_unbuilt_air", {"unbuilt_squadrons": 2})["squadrons"] == {}


@pytest.mark.ledger("23.141B.1", "23.141C")
def test_the_construction_phase_keeps_the_number_of_factors_right_to_the_end_of_the_turn() -> None:
    for holding in range(1, 6):
        for lost in range(3 * holding + 1):
            answer = construction(lost, {"Malta": 3 * holding - lost}, holding=holding)
            ended = answer["end_of_turn"]
            assert (ended["surplus"], ended["shortfall"]) == (0, 0)
            assert ended["in_play"] + ended["unbuilt"] == holding
    assert construction(4, {"Malta": 2})["end_of_turn"] is None


# -- the end of a player turn -----------------------------------------------------------------------


@pytest.mark.ledger("23.141C", "23.142B.1", "23.142B.2")
def test_each_base_rounds_by_itself_after_the_unbuilt_squadrons_have_been_converted() -> None:
    ended = turn_end({"A": 1, "B": 2, "C": 4, "D": 5}, 3, holding=5)
    assert ended["unbuilt"] == 1
    assert ended["by_base"] == {"A": 0, "B": 1, "C": 1, "D": 2}
    assert ended["remnants"] == {"A": 1, "C": 1}
    assert (ended["surplus"], ended["shortfall"], ended["in_play"]) == (0, 0, 4)


@pytest.mark.ledger("23.142A", "23.141C")
def test_two_unbuilt_squadrons_left_over_at_the_end_of_a_turn_count_as_a_factor() -> None:
    for lost, unbuilt in ((1, 0), (2, 1), (4, 1), (5, 2), (8, 3)):
        assert conversion.end_of_player_turn(
            pool=unbuilt, other_in_play=0, unbuilt=0, unbuilt_squadrons=lost, bases={}
        ) == (unbuilt, {}, {}, 0, 0)


@pytest.mark.ledger("23.143.ex", "23.142C")
@pytest.mark.parametrize("hex", ["A", "B", "C"])
def test_of_five_british_factors_that_lost_nine_squadrons_one_formed_is_removed_in_any_hex(hex: str) -> None:
    broken = api.call("break_down_air", {"factors": 5})
    assert (sum(broken["uninverted"].values()), broken["holding"]) == (15, 5)
    ended = turn_end({"A": 2, "B": 2, "C": 2}, 9, pool=5, holding=5, remove={hex: 1})
    assert (ended["unbuilt"], ended["surplus"], ended["removed"]) == (3, 1, {hex: 1})
    assert ended["by_base"] == {"A": 1, "B": 1, "C": 1} | {hex: 0}
    assert ended["in_play"] == 2


@pytest.mark.ledger("23.142C")
def test_what_is_removed_is_neither_more_nor_less_than_the_surplus() -> None:
    six_pairs = dict.fromkeys("ABCDEF", 2)
    assert turn_end(six_pairs, 0, holding=4)["removed"] == {"A": 1, "B": 1}
    for remove in ({}, {"A": 1}, {"A": 1, "B": 1, "C": 1}):
        with pytest.raises(IllegalChoice, match=r"23\.142C: Of the factors just formed 2 must be removed"):
            turn_end(six_pairs, 0, holding=4, remove=remove)
    with pytest.raises(IllegalChoice, match="1 can be placed in all, not 2"):
        turn_end(six_pairs, 0, holding=4, remove={"A": 2})
    with pytest.raises(IllegalChoice, match="'Z' is not among the things"):
        turn_end({"A": 2, "Z": 1}, 0, holding=1, remove={"Z": 1})
    with pytest.raises(IllegalChoice, match="0 must be removed"):
        turn_end({"A": 3}, 0, holding=1, remove={"A": 1})


@pytest.mark.ledger("23.142C")
def test_every_answer_drawn_at_random_removes_the_surplus() -> None:
    form = conversion.surplus_form({"A": 2, "B": 0, "C": 1}, 2)
    drawn = [form.read(form.sample(Random(seed)), "23.142C").held_by("removed") for seed in range(30)]
    assert all(removed in ({"A": 2}, {"A": 1, "C": 1}) for removed in drawn)
    assert {"A": 2} in drawn and {"A": 1, "C": 1} in drawn


@pytest.mark.ledger("23.142C")
def test_factors_in_play_elsewhere_and_unbuilt_count_against_the_force_pool() -> None:
    ended = turn_end({"A": 2, "B": 2, "C": 2}, pool=10, other_in_play=6, unbuilt=2)
    assert (ended["surplus"], ended["in_play"], ended["unbuilt"]) == (1, 8, 2)


@pytest.mark.ledger("23.142C", "23.143")
def test_factors_lost_by_rounding_become_unbuilt() -> None:
    scattered = turn_end({"A": 1, "B": 1, "C": 1}, holding=1)
    assert scattered["by_base"] == {"A": 0, "B": 0, "C": 0}
    assert (scattered["remnants"], scattered["shortfall"]) == ({"A": 1, "B": 1, "C": 1}, 1)
    assert (scattered["unbuilt"], scattered["in_play"]) == (1, 0)
    worn = turn_end({"A": 1, "B": 1}, 4, holding=2, other_in_play=3, unbuilt=1)
    assert (worn["shortfall"], worn["unbuilt"], worn["in_play"]) == (1, 3, 3)


@pytest.mark.ledger("23.142C", "23.143")
def test_in_play_and_unbuilt_factors_always_add_up_to_the_force_pool() -> None:
    for a, b, c, lost in product(range(8), range(6), range(4), range(10)):
        holding, odd = divmod(a + b + c + lost, 3)
        if odd:
            continue
        ended = turn_end({"A": a, "B": b, "C": c}, lost, holding=holding, other_in_play=4, unbuilt=2)
        assert ended["in_play"] + ended["unbuilt"] == 6 + holding
        assert ended["unbuilt"] >= 2 + (lost + 1) // 3
        assert sum(ended["removed"].values()) == ended["surplus"]


@pytest.mark.ledger("23.142C")
def test_a_surplus_that_no_factor_just_formed_can_bear_comes_off_the_unbuilt_ones() -> None:
    # Nine squadrons of three factors: two pairs recombined for a mission, five lost.
    ended = turn_end({}, 5, pool=3, other_in_play=2)
    assert (ended["unbuilt"], ended["in_play"], ended["surplus"]) == (1, 2, 0)
    with pytest.raises(PlayerError, match="4 factors in play are more than the force pool of 3 allows"):
        turn_end({}, pool=3, other_in_play=4)


@pytest.mark.ledger("23.144.1", "23.141C")
def test_where_roles_are_told_the_end_of_a_turn_tells_which_factors_are_uninverted() -> None:
    squadrons = {"A": stacks(2, 1, 1), "B": stacks(1, 1, 1, inverted=True), "C": 3, "D": stacks(1, 1)}
    ended = turn_end(squadrons, 0, holding=4)
    assert (ended["by_base"], ended["uninverted"]) == ({"A": 1, "B": 1, "C": 1, "D": 1}, {"A": 1, "B": 0, "D": 0})
    fewer = turn_end(squadrons, 0, holding=3, remove={"A": 1})
    assert (fewer["by_base"]["A"], fewer["uninverted"]["A"]) == (0, 0)


# -- air transports -----------------------------------------------------------------------------------


@pytest.mark.ledger("23.18.2", "23.18.3")
@pytest.mark.parametrize(
    ("result", "fate"),
    [
        ("0", "continuing"),
        ("0/0", "continuing"),
        ("0/1", "inverted"),
        ("0/3", "inverted"),
        ("1/0", "inverted"),
        ("1/3", "inverted"),
        ("2/0", "eliminated"),
        ("2/4", "eliminated"),
        ("3/3", "eliminated"),
        ("5/7", "eliminated"),
    ],
)
def test_an_air_transport_is_lost_with_two_squadrons_and_inverted_by_less(result: str, fate: str) -> None:
    assert api.call("air_transport_fate", {"results": [result]})["fates"] == {result: fate}


@pytest.mark.ledger("23.18.1", "23.18.2", "23.18.3")
@pytest.mark.parametrize(
    ("result", "eliminated", "inverted", "continuing"),
    [
        ("0", 0, 0, 2),
        ("0/1", 0, 1, 1),
        ("0/3", 0, 1, 1),
        ("0/4", 0, 2, 0),
        ("1/0", 0, 1, 1),
        ("1/2", 0, 1, 1),
        ("1/3", 0, 2, 0),
        ("2/0", 1, 0, 1),
        ("2/1", 1, 0, 1),  # the abort falls on what is left of the factor that is lost
        ("2/2", 1, 1, 0),
        ("3/0", 1, 0, 1),
        ("3/1", 1, 1, 0),
        ("4/0", 1, 1, 0),
        ("5/0", 2, 0, 0),
        ("6/8", 2, 0, 0),
        ("9/9", 2, 0, 0),
    ],
)
def test_two_air_transports_share_a_result_as_well_as_their_owner_can_arrange(
    result: str, eliminated: int, inverted: int, continuing: int
) -> None:
    answer = api.call("air_transport_fate", {"factors": 2, "results": [result]})
    expected = {"eliminated": eliminated, "inverted": inverted, "continuing": continuing}
    assert answer["factors"] == {result: expected}
    alike = [fate for fate, number in expected.items() if number == 2]
    assert answer["fates"] == {result: alike[0] if alike else "divided"}


# -- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "asked", "reason"),
    [
        ("break_down_air", {"factors": -1}, "factors can be none, but not -1"),
        ("break_down_air", {"factors": 1, "enemy_nas": -2}, "enemy nas can be none, but not -2"),
        ("break_down_air", {"factors": 1, "kind": "NAS"}, "'NAS' does not convert; AAF, JET, ATR"),
        (
            "break_down_air",
            {"factors": 1, "activity": "bowling"},
            r"'bowling' - at .*; there are spot, search",
        ),
        (
            "recombine_air",
            {"squadrons": [{"role": "bomb"}]},
            "'bomb' is no role of a squadron; there are search, cover",
        ),
        ("recombine_air", {"squadrons": [{"role": "cover", "count": -1}]}, "squadrons can be none, but not -1"),
        ("recombine_air", {"squadrons": [], "activity": "bowling"}, r"'bowling' - at .*; there are spot"),
        ("convert_unbuilt_air", {"unbuilt_squadrons": -2}, "unbuilt squadrons can be none, but not -2"),
        ("convert_unbuilt_air", {"unbuilt_squadrons": 3, "remove": "Malta"}, "no squadron in play is given up"),
        ("convert_unbuilt_air", {"unbuilt_squadrons": 3, "built": 2}, "2 factors cannot be built; unbuilt: 1"),
        ("convert_unbuilt_air", {"unbuilt_squadrons": 3, "squadrons": {"A": -1}}, "squadrons can be none, but not -1"),
        ("convert_unbuilt_air", {"unbuilt_squadrons": 3, "squadrons": {"A/B": 1}}, "'A/B' is no name for a base"),
        ("end_of_turn_air", {"squadrons": {"A": 2}}, "give the force pool, or the factors in the holding area"),
        ("end_of_turn_air", {"squadrons": {}, "pool": -1}, "pool can be none, but not -1"),
        ("end_of_turn_air", {"squadrons": {}, "pool": 5, "holding": 4}, "0 factors in play and unbuilt with 4 in the"),
        ("air_transport_fate", {"results": ["1/2"], "factors": 0}, "give one or more air transport factors, not 0"),
        ("air_transport_fate", {"results": ["one"]}, "'one' is no air combat result; results look like 0 or 1/2"),
        ("air_transport_fate", {"results": ["1/2/3"]}, "'1/2/3' is no air combat result"),
        ("air_transport_fate", {"results": ["²"]}, "'²' is no air combat result"),
        ("air_transport_fate", {"results": ["1/-2"]}, "'1/-2' is no air combat result"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(name: str, asked: dict[str, Any], reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        api.call(name, asked)


def test_an_activity_nobody_knows_is_refused_everywhere() -> None:
    for ask in (conversion.must_convert, conversion.must_revert):
        with pytest.raises(ValueError, match="nothing aircraft do here"):
            ask("bowling")
