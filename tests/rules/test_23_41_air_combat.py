"""Combat air patrol (23.3) and air combat over ships at sea (23.415, 23.416), with the sharing of losses (23.154)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.model import air_events as ev
from tests.rules.strike_table import (
    ALLIES,
    AMERICA,
    AXIS,
    JAPAN,
    TASK_FORCE_16,
    TASK_FORCE_17,
    AirTable,
    air_table,
    combat,
    fleet,
    flown,
    fly,
    force,
    four_carriers,
    kido_butai,
    on_patrol,
)

ELITE = "Japan/NAS/elite"
ARMY = "Japan/AAS/attack@Rabaul"
COVER = "United States/AAS/cover@Midway"
JAPANESE_COVER = "Japan/AAS/cover@Rabaul"
FINDS_EACH_OTHER = {"axis": [[5, 5]], "allies": [[4]]}


def carriers(**more: Any) -> AirTable:
    """Six Japanese squadrons in CG4 against six American ones in CG5, found twice, and three in CG6."""
    told = {"search": FINDS_EACH_OTHER, **more}
    return air_table(fleet("Japan", kido_butai()), fleet("United States", TASK_FORCE_16, TASK_FORCE_17), **told)


def refused(table: AirTable, side: Any, wire: Any) -> str:
    """The rule that refuses an answer; nothing has happened and the question is still open."""
    before = (len(table.game.events()), table.game.question_number(side), table.game.battle)
    with pytest.raises(IllegalChoice) as refusal:
        table.game.submit(side, wire)
    assert (len(table.game.events()), table.game.question_number(side), table.game.battle) == before
    return refusal.value.rule


# -- combat air patrol ---------------------------------------------------------------------------------


@pytest.mark.ledger("23.33.1")
@pytest.mark.parametrize(
    ("aboard", "most"),
    [(0, 0), (1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4), (13, 5)],
)
def test_a_third_of_the_naval_air_of_a_group_may_fly_patrol_rounded_up(aboard: int, most: int) -> None:
    assert api.call("patrol_limit", {"groups": {"4": aboard}})["most"] == {"4": most}


@pytest.mark.ledger("23.33.1", "23.31")
def test_the_third_is_taken_of_each_group_by_itself() -> None:
    answer = api.call("patrol_limit", {"groups": {"1": 7, "2": 4}})
    assert (answer["most"], answer["total"]) == ({"1": 3, "2": 2}, 5)
    table = carriers()
    table.to("patrol", ALLIES)
    assert refused(table, ALLIES, on_patrol(enterprise=3)) == "23.33"
    assert refused(table, ALLIES, on_patrol(enterprise=1, hornet=2)) == "23.33"
    assert refused(table, ALLIES, on_patrol(yorktown=2)) == "23.33"
    table.answer(ALLIES, on_patrol(enterprise=1, hornet=1, yorktown=1))
    table.to_segment("search", 3)
    assert table.group(ALLIES, 5).patrol == {AMERICA: 2}
    assert table.group(ALLIES, 6).patrol == {AMERICA: 1}


@pytest.mark.ledger("23.31")
def test_naval_air_patrols_over_no_group_but_its_own() -> None:
    table = carriers()
    table.to("patrol", ALLIES)
    assert refused(table, ALLIES, {"enterprise|United States/NAS": {"CG6": 1}})
    table.answer(ALLIES, on_patrol(yorktown=1))
    table.to_segment("search", 3)
    assert table.group(ALLIES, 5).patrol == {}
    assert table.group(ALLIES, 6).patrol == {AMERICA: 1}


@pytest.mark.ledger("23.33.ex", "23.33.1")
def test_twelve_squadrons_send_up_four_and_the_nine_that_are_left_send_up_three() -> None:
    table = air_table(
        fleet("Japan", four_carriers("Kido Butai", 4, "Akagi", "Kaga", "Soryu", "Hiryu")),
        fleet("United States", TASK_FORCE_16, research={"air defense": 8}),
        search=FINDS_EACH_OTHER,
        answers={("axis", "strike"): [fly(5, kaga=3, soryu=3, hiryu=2)]},
        totals={("allies", "air defense"): [12]},  # fourteen factors and research: level 10, three lost
    )
    table.to("patrol", AXIS)
    assert refused(table, AXIS, on_patrol(akagi=3, kaga=2)) == "23.33"
    table.answer(AXIS, on_patrol(akagi=3, hiryu=1))
    table.to_round(4)
    table.to("patrol", AXIS)
    assert sum(ship.air for ship in table.group(AXIS, 4).ships) == 9
    squadrons = [key for key, amount in table.items(AXIS, "patrol").items() for _ in range(amount)]
    assert len(squadrons) == 9
    four, three = ({key: {"patrol": some.count(key)} for key in some} for some in (squadrons[:4], squadrons[:3]))
    assert refused(table, AXIS, four) == "23.33"
    table.answer(AXIS, three)


@pytest.mark.ledger("23.33.2")
def test_the_limit_counts_squadrons_that_are_about_to_attack_an_air_base() -> None:
    table = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, air={"Midway": {"aircraft": {"United States AAF": 1}}}),
    )
    table.to("patrol", AXIS)
    base = "base Midway"
    too_many = {"akagi|Japan/NAS": {"patrol": 3}, "kaga|Japan/NAS": {base: 3}}
    assert refused(table, AXIS, too_many) == "23.33"
    table.answer(AXIS, {"akagi|Japan/NAS": {"patrol": 2, base: 1}, "kaga|Japan/NAS": {base: 3}})
    table.to("cover")
    assert table.group(AXIS, 4).patrol == {JAPAN: 2}


@pytest.mark.ledger("23.32", "23.35B")
def test_patrol_is_chosen_anew_at_the_start_of_every_round() -> None:
    table = carriers(answers={("axis", "patrol"): [on_patrol(akagi=2), {}, on_patrol(kaga=1)]})
    for round, patrol in ((3, {JAPAN: 2}), (4, {}), (5, {JAPAN: 1})):
        table.to_segment("search", round)
        assert table.group(AXIS, 4).patrol == patrol


@pytest.mark.ledger("23.35B")
def test_squadrons_that_patrolled_in_one_round_may_strike_in_the_next() -> None:
    table = carriers(
        answers={("axis", "patrol"): [on_patrol(akagi=2), {}]},
        search={"axis": [[5], [5]], "allies": [[4], [4]]},
    )
    table.to_round(4)
    table.to("strike", AXIS)
    squadrons = {key: amount for key, amount in table.items(AXIS, "strike").items() if key != "target"}
    assert sum(squadrons.values()) == 6


@pytest.mark.ledger("23.35A")
def test_patrol_is_settled_before_any_strike_and_its_squadrons_do_not_strike() -> None:
    table = carriers(answers={("axis", "patrol"): on_patrol(akagi=2)})
    table.to("strike", AXIS)
    assert table.items(AXIS, "strike") == {"target": 1, "akagi|Japan/NAS": 1, "kaga|Japan/NAS": 3}
    assert refused(table, AXIS, fly(5, akagi=2)).startswith("22.46")


@pytest.mark.ledger("23.36")
def test_escort_carriers_add_nothing_to_patrol() -> None:
    mixed = force("Escorts", 5, "Yorktown", cruisers=0, destroyers=3, escort_carriers=6)
    alone = force("Convoy", 6, cruisers=2, destroyers=2, escort_carriers=4)
    table = air_table(fleet("Japan", kido_butai()), fleet("United States", mixed, alone))
    table.to("patrol", ALLIES)
    assert table.items(ALLIES, "patrol") == {"yorktown|United States/NAS": 3}
    assert refused(table, ALLIES, on_patrol(yorktown=2)) == "23.33"
    table.answer(ALLIES, on_patrol(yorktown=1))


@pytest.mark.ledger("23.33.1")
def test_squadrons_aboard_a_damaged_carrier_do_not_count_towards_the_third() -> None:
    hurt = force("Task Force 16", 5, "Enterprise", {"name": "Hornet", "damaged": True, "air": 2})
    table = air_table(fleet("Japan", kido_butai()), fleet("United States", hurt))
    table.to("patrol", ALLIES)
    assert refused(table, ALLIES, on_patrol(enterprise=2)) == "23.33"
    table.answer(ALLIES, on_patrol(enterprise=1))


@pytest.mark.ledger("23.35A")
def test_the_enemy_is_not_told_what_flies_patrol_nor_over_which_group() -> None:
    table = carriers(answers={("allies", "patrol"): on_patrol(enterprise=2, yorktown=1)})
    table.to("strike")
    assert {event.side for event in table.seen(AXIS, ev.PatrolsFlown)} == {AXIS}
    assert table.seen(None, ev.PatrolsFlown) == []
    known = table.game.picture(AXIS).battle.fleets[ALLIES]
    assert [group.patrol for group in known.groups] == [{}, {}]
    told = msgspec.json.encode(list(table.game.picture(AXIS).events))
    bare = carriers()
    bare.to("strike")
    assert told == msgspec.json.encode(list(bare.game.picture(AXIS).events))


# -- who fights ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.415", "23.415A.2")
def test_the_defender_may_let_a_strike_pass() -> None:
    answer = combat({JAPAN: 5}, patrol={AMERICA: 2}, cover={COVER: 1}, engaged={})
    assert (answer["engaged_defenders"], answer["dice_used"]) == (0, 0)
    assert answer["attackers_remaining"] == {JAPAN: 5}
    assert (answer["patrol_remaining"], answer["cover_remaining"]) == ({AMERICA: 2}, {COVER: 1})


@pytest.mark.ledger("23.415A.1", "23.415B.1")
def test_as_many_attackers_as_defenders_fight() -> None:
    answer = combat({AMERICA: 7}, 7, 7, cover={JAPANESE_COVER: 3})
    assert answer["engaged_defenders"] == 3
    assert (answer["fighting"], answer["rows"]) == ({AMERICA: 3}, {"attacker": 3, "defender": 3})
    assert (answer["attacker_result"], answer["defender_result"]) == ("1/2", "1/2")
    assert answer["attackers_remaining"] == {AMERICA: 4}


@pytest.mark.ledger("23.415A.3")
def test_defenders_that_are_held_back_lose_nothing_and_change_nothing() -> None:
    answer = combat({AMERICA: 6}, 12, 12, cover={JAPANESE_COVER: 4}, engaged={JAPANESE_COVER: 1})
    assert answer["rows"] == {"attacker": 1, "defender": 1}
    assert (answer["attacker_result"], answer["defender_result"]) == ("1/3", "1/3")
    assert answer["defenders_lost"] == {JAPANESE_COVER: 1}
    assert answer["cover_remaining"] == {JAPANESE_COVER: 3}
    assert answer["attackers_remaining"] == {AMERICA: 2}


@pytest.mark.ledger("23.415B.2")
def test_all_attackers_fight_if_they_are_fewer_and_the_defenders_fight_with_all_they_commit() -> None:
    answer = combat({AMERICA: 2}, 12, 5, cover={JAPANESE_COVER: 6})
    assert answer["rows"] == {"attacker": 2, "defender": 6}
    assert (answer["attacker_result"], answer["defender_result"]) == ("2/2", "2/2")
    # Both rolls count, though nobody is left of the strike: two for two.
    assert answer["attackers_eliminated"] == {AMERICA: 2}
    assert answer["attackers_remaining"] == {}
    assert answer["cover_remaining"] == {JAPANESE_COVER: 4}
    with pytest.raises(PlayerError):
        combat({AMERICA: 2}, cover={JAPANESE_COVER: 6}, fighting={AMERICA: 1})


@pytest.mark.ledger("23.415B.3")
def test_the_attacker_says_which_of_his_squadrons_fight_and_neither_more_nor_fewer_than_the_defenders() -> None:
    attackers = {JAPAN: 3, ARMY: 3}
    for fighting in ({JAPAN: 2}, {ARMY: 2}, {JAPAN: 1, ARMY: 1}):
        assert combat(attackers, cover={COVER: 2}, fighting=fighting)["fighting"] == fighting
    for wrong in ({JAPAN: 3}, {JAPAN: 2, ARMY: 1}, {ARMY: 1}):
        with pytest.raises(IllegalChoice) as refusal:
            combat(attackers, cover={COVER: 2}, fighting=wrong)
        assert refusal.value.rule == "23.415B"


@pytest.mark.ledger("23.415B.1")
def test_the_attacker_may_not_refuse_to_fight() -> None:
    with pytest.raises(PlayerError):
        combat({JAPAN: 3, ARMY: 3}, cover={COVER: 2}, fighting={})


@pytest.mark.ledger("23.415B.4")
@pytest.mark.parametrize(("fighting", "drm"), [({ELITE: 2}, 1), ({JAPAN: 2}, 0), ({ELITE: 1, JAPAN: 1}, 0)])
def test_only_the_squadrons_that_fight_set_the_modifier_and_the_worst_of_them_does(
    fighting: dict[str, int], drm: int
) -> None:
    answer = combat({ELITE: 3, JAPAN: 3}, cover={COVER: 2}, fighting=fighting)
    assert (answer["attacker_drm"], answer["defender_drm"]) == (drm, -drm)


@pytest.mark.ledger("23.415B.4", "23.415A.3")
def test_the_worst_of_the_defenders_that_engage_sets_theirs() -> None:
    british = "Britain/NAS@Trincomalee"
    both = combat({JAPAN: 4}, cover={AMERICA + "@Midway": 1, british: 1})
    assert (both["attacker_drm"], both["defender_drm"]) == (1, -1)
    held = combat({JAPAN: 4}, cover={AMERICA + "@Midway": 1, british: 1}, engaged={AMERICA + "@Midway": 1})
    assert held["attacker_drm"] == 0


@pytest.mark.ledger("23.415B.5", "23.415A.2")
def test_the_defender_decides_first_and_the_attacker_knows_how_many_he_has_to_meet() -> None:
    table = carriers(
        answers={("allies", "patrol"): on_patrol(enterprise=2), ("axis", "strike"): fly(5, akagi=3, kaga=2)}
    )
    table.to("defend", ALLIES)
    assert table.game.decision(AXIS) is None
    assert table.events(ev.AirCombatJoined) == []
    table.answer(ALLIES, {AMERICA: {"engage": 1, "hold": 1}})
    table.to("fight", AXIS)
    assert table.game.decision(ALLIES) is None
    assert refused(table, AXIS, {JAPAN: {"fight": 2}}) == "23.415B"
    table.answer(AXIS, {JAPAN: {"fight": 1}})
    (joined,) = table.events(ev.AirCombatJoined)
    assert (joined.fighting, joined.defenders) == ({JAPAN: 1}, {AMERICA: 1})


@pytest.mark.ledger("23.415C", "23.415D.2")
def test_patrol_and_cover_fight_together_in_one_round() -> None:
    answer = combat({JAPAN: 8}, 7, 7, patrol={AMERICA: 2}, cover={COVER: 1})
    assert answer["rows"] == {"attacker": 3, "defender": 3}
    assert answer["defenders"] == {AMERICA: 2, COVER: 1}
    assert (answer["attacker_drm"], answer["dice_used"]) == (0, 4)


@pytest.mark.ledger("23.415D.1")
def test_patrol_alone_gains_one_and_costs_the_attacker_one() -> None:
    answer = combat({JAPAN: 4}, 5, 8, patrol={AMERICA: 2})
    assert (answer["attacker_drm"], answer["defender_drm"]) == (-1, 1)
    assert (answer["attacker_result"], answer["defender_result"]) == ("1/0", "1/2")  # 4 and 9 on row 2


@pytest.mark.ledger("23.415D.2")
def test_the_bonus_of_patrol_goes_when_cover_joins_in_and_stays_when_cover_holds_back() -> None:
    flying: dict[str, Any] = {"patrol": {AMERICA: 2}, "cover": {COVER: 2}}
    assert combat({JAPAN: 6}, **flying)["attacker_drm"] == 0
    assert combat({JAPAN: 6}, **flying, engaged={AMERICA: 2})["attacker_drm"] == -1
    assert combat({JAPAN: 6}, **flying, engaged={COVER: 2})["attacker_drm"] == 0
    assert combat({JAPAN: 6}, **flying, engaged={AMERICA: 2, COVER: 1})["attacker_drm"] == 0
    assert combat({JAPAN: 6}, cover={AMERICA + "@Midway": 2})["attacker_drm"] == 0  # naval air, but on cover


# -- surprise -------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.415E.1", "23.415D.1", "23.7413T.1")
@pytest.mark.parametrize(("level", "drm"), [(-2, -1), (0, -1), (1, 0), (2, 0), (3, 0), (5, 0)])
def test_patrol_has_no_bonus_against_a_surprise_of_level_one_or_more(level: int, drm: int) -> None:
    answer = combat({JAPAN: 8}, patrol={AMERICA: 4}, surprise_level=level)
    assert (answer["attacker_drm"], answer["defender_drm"]) == (drm, -drm)


@pytest.mark.ledger(
    "23.415E", "23.415E.2", "23.415E.3", "23.415E.4", "23.415E.5",
    "23.7413T.4", "23.7413T.5", "23.7413T.6", "23.7413T.7",
)  # fmt: skip
@pytest.mark.parametrize(
    ("level", "most"), [(0, 6), (1, 6), (2, 6), (3, 6), (4, 5), (5, 4), (6, 3), (7, 2), (8, 2), (10, 2)]
)
def test_surprise_keeps_one_to_four_defenders_out(level: int, most: int) -> None:
    flying: dict[str, Any] = {"patrol": {AMERICA: 4}, "cover": {COVER: 2}, "surprise_level": level}
    assert combat({ELITE: 8}, **flying)["engaged_defenders"] == most
    if most < 6:
        with pytest.raises(IllegalChoice) as refusal:
            combat({ELITE: 8}, **flying, engaged={AMERICA: min(4, most + 1), COVER: max(0, most - 3)})
        assert refusal.value.rule.startswith("23.415")


@pytest.mark.ledger("23.415E.6")
@pytest.mark.parametrize("engaged", [{AMERICA: 2}, {COVER: 2}, {AMERICA: 1, COVER: 1}])
def test_the_defender_chooses_whom_surprise_keeps_out(engaged: dict[str, int]) -> None:
    answer = combat({JAPAN: 8}, patrol={AMERICA: 2}, cover={COVER: 2}, surprise_level=5, engaged=engaged)
    assert answer["defenders"] == engaged


@pytest.mark.ledger("23.415E.4", "23.415E.5")
def test_surprise_cannot_keep_out_more_than_there_are() -> None:
    for level in (5, 6, 7):
        answer = combat({JAPAN: 4}, patrol={AMERICA: 2}, surprise_level=level)
        assert (answer["engaged_defenders"], answer["dice_used"]) == (0, 0)
        assert answer["may_meet_a_later_strike"] == {AMERICA: 2}


@pytest.mark.ledger("23.416B.1", "23.415E.3")
def test_defenders_kept_out_by_surprise_may_meet_a_later_strike_but_not_those_held_back() -> None:
    flying: dict[str, Any] = {"patrol": {AMERICA: 4}, "surprise_level": 5, "engaged": {AMERICA: 1}}
    assert combat({JAPAN: 8}, **flying)["may_meet_a_later_strike"] == {AMERICA: 3}
    freely = combat({JAPAN: 8}, **flying, options={"withheld_air_returns": "yes"})
    assert freely["may_meet_a_later_strike"] == {AMERICA: 4}


# -- results ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.416.ex1", "23.416A.1", "23.416A.2")
@pytest.mark.parametrize(("total", "result", "left"), [(2, "1/0", 9), (7, "1/2", 7), (12, "2/4", 4)])
def test_ten_squadrons_met_by_three(total: int, result: str, left: int) -> None:
    answer = combat({AMERICA: 10}, 2, total, cover={JAPANESE_COVER: 3})
    assert answer["defender_result"] == result
    assert answer["attackers_remaining"] == {AMERICA: left}


@pytest.mark.ledger("23.416.ex2", "23.416B.1", "23.416B.2")
def test_of_three_defenders_two_remain_after_one_is_lost_and_the_aborts_pass_them_by() -> None:
    answer = combat({AMERICA: 10}, 4, 2, cover={JAPANESE_COVER: 3})
    assert answer["attacker_result"] == "1/1"
    assert answer["cover_remaining"] == answer["may_meet_a_later_strike"] == {JAPANESE_COVER: 2}
    hard = combat({AMERICA: 10}, 12, 2, cover={JAPANESE_COVER: 3})
    assert (hard["attacker_result"], hard["cover_remaining"]) == ("2/4", {JAPANESE_COVER: 1})


@pytest.mark.ledger("23.416A.2")
def test_losses_fall_first_on_those_that_fought_and_what_is_left_over_on_the_rest() -> None:
    answer = combat({ELITE: 3, JAPAN: 3}, 2, 12, cover={COVER: 1}, fighting={JAPAN: 1})
    assert answer["defender_result"] == "1/3"
    # The one that fought is lost; of the others, three elite and two ordinary, the larger type begins.
    assert answer["attackers_eliminated"] == {JAPAN: 1}
    assert answer["attackers_aborted"] == {ELITE: 2, JAPAN: 1}
    assert answer["attackers_remaining"] == {ELITE: 1, JAPAN: 1}


@pytest.mark.ledger("23.416A.2")
def test_aborts_go_on_in_turn_where_eliminations_stopped() -> None:
    answer = combat({JAPAN: 3, ARMY: 1}, 2, 2, cover={COVER: 4})
    assert answer["defender_result"] == "1/1"
    assert answer["attackers_eliminated"] == {JAPAN: 1}
    assert answer["attackers_aborted"] == {ARMY: 1}


@pytest.mark.ledger("23.416A.1")
def test_squadrons_that_fought_and_came_through_attack_with_the_others() -> None:
    answer = combat({JAPAN: 2}, 2, 4, cover={COVER: 2})
    assert (answer["defender_result"], answer["attackers_remaining"]) == ("1/0", {JAPAN: 1})


@pytest.mark.ledger("23.415B.1")
def test_totals_beyond_the_table_count_as_its_ends() -> None:
    greek = "Greece/AAS/cover@Crete"
    answer = combat({ELITE: 1}, 12, 2, cover={greek: 1})
    assert (answer["attacker_drm"], answer["defender_drm"]) == (3, -3)
    assert (answer["attacker_result"], answer["defender_result"]) == ("1/3", "0")


@pytest.mark.ledger("23.441A.T8")
@pytest.mark.parametrize("short", ["Japan", "Rabaul"])
def test_squadrons_short_of_supply_or_oil_fight_worse_by_nation_or_by_base(short: str) -> None:
    assert combat({ARMY: 3}, cover={COVER: 2}, impaired=[short])["attacker_drm"] == -1
    mixed = combat({JAPAN: 2, ARMY: 2}, cover={COVER: 2}, fighting={JAPAN: 2}, impaired=["Rabaul"])
    assert mixed["attacker_drm"] == 0


@pytest.mark.ledger("23.416A.2")
def test_kamikazes_are_shot_down_but_do_not_turn_back() -> None:
    kamikaze = "Japan/KAM@Kanoya"
    answer = combat({kamikaze: 4}, 2, 9, cover={COVER: 2})
    assert answer["defender_result"] == "1/2"
    assert (answer["attackers_eliminated"], answer["attackers_aborted"]) == ({kamikaze: 1}, {})
    assert answer["attackers_remaining"] == {kamikaze: 3}


# -- in battle ------------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.415A.2", "23.415A.3")
def test_who_was_held_back_is_told_to_nobody_else() -> None:
    def told(patrol: Any, defend: Any) -> bytes:
        answers = {("allies", "patrol"): patrol, ("allies", "defend"): defend, ("axis", "strike"): fly(5, akagi=3)}
        table = carriers(answers=answers)
        table.to("air targets", AXIS)
        return msgspec.json.encode(list(table.game.picture(AXIS).events))

    held = told(on_patrol(enterprise=2), {AMERICA: "hold"})
    assert held == told(on_patrol(hornet=1), {AMERICA: "hold"}) == told({}, {})


@pytest.mark.ledger("23.415C")
def test_cover_is_shown_over_the_group_that_is_struck_and_over_no_other() -> None:
    naval = AMERICA + "@Midway"
    table = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, TASK_FORCE_17, air={"Midway": {"aircraft": {"United States NAS": 3}}}),
        search={"axis": [[5]], "allies": [[4]]},
        answers={
            ("allies", "cover"): {naval: {"CG5": 1, "CG6": 2}},
            ("allies", "patrol"): on_patrol(enterprise=1),
            ("axis", "strike"): flown(5, {"akagi|Japan/NAS": 3}),
        },
    )
    table.to("defend", ALLIES)
    (announced,) = [event for event in table.seen(AXIS, ev.CoverAnnounced) if event.side is ALLIES]
    assert announced.squadrons == {naval: 3}
    assert [(event.number, event.cover) for event in table.seen(AXIS, ev.CoverRevealed)] == [(5, {naval: 1})]
    known = table.game.picture(AXIS).battle.fleets[ALLIES]
    assert (known.group(5).cover, known.group(6).cover) == ({naval: 1}, {})
    assert table.items(ALLIES, "defend") == {AMERICA: 1, naval: 1}
