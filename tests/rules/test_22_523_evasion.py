"""22.523 and 22.524: evading fleet combat, and leaving damaged ships behind."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from tests.rules.groups_table import ALLIES, AXIS, Table, battleship, cruisers, force, small, table

A_CORPS = [{"name": "a corps", "needs": 4}]


def options(round: int, own: list[dict[str, Any]], enemy: list[dict[str, Any]]) -> dict[str, list[int]]:
    call = {"round": round, "side": "axis", "own": own, "enemy": enemy}
    return api.call("second_engagements", call)["options"]


def evasion(round: int, group: dict[str, Any], in_use: list[int]) -> dict[str, Any]:
    return api.call("evasion", {"round": round, "group": group, "in_use": in_use})


def chase(quarry: dict[str, Any], *others: dict[str, Any], rolled: list[int] | None = None, **keys: Any) -> Table:
    """Round one: a fast active axis group that nobody meets, and allied groups that keep their distance."""
    return table(
        [small("Hunter", 1, cruisers=8)],
        [quarry, *others],
        search={"axis": [[quarry["number"]] if rolled is None else rolled]},
        **keys,
    )


# -- evading ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.523A")
def test_an_active_group_cannot_evade() -> None:
    refused = evasion(4, cruisers(4), [4])
    assert (refused["may_evade"], refused["rule"]) == (False, "22.523A")
    assert evasion(3, cruisers(4), [4])["may_evade"]


@pytest.mark.ledger("22.523A")
def test_an_active_group_that_is_sought_by_a_second_enemy_is_not_asked_whether_to_evade() -> None:
    played = table(
        [small("First", 1), small("Second", 2)],
        [small("One", 1, cruisers=12)],
        round=2,
        answers={("axis", "engage"): "CG1"},
    )
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 1), (2, 1)]
    assert not played.was_asked(ALLIES, "evade")


@pytest.mark.ledger("22.523B")
@pytest.mark.parametrize(
    "quarry",
    [
        force("Slow ship", number=4, ships=["Pennsylvania"], cruisers=8),
        force("Escort carriers", number=4, escort_carriers=4),
        force("Cargo", number=4, destroyers=8, cargo=A_CORPS),
        force("Supply", number=4, destroyers=8, sea_supply=True),
    ],
    ids=lambda quarry: quarry["name"],
)
def test_a_slow_distant_group_must_fight(quarry: dict[str, Any]) -> None:
    played = chase(quarry, answers={("axis", "engage"): "CG4"})
    played.to("evade", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, "evade")
    assert refusal.value.rule == "22.523B"
    played.to_segment("submarines")
    assert played.engagements() == [(1, 4)]


@pytest.mark.ledger("22.523C")
@pytest.mark.parametrize(
    ("number", "in_use", "new_number"),
    [(3, [3], 4), (3, [1, 3, 4], 5), (2, [2, 3, 4, 5], 6), (5, [1, 2, 3, 5], 6)],
)
def test_a_fast_distant_group_evades_to_the_next_free_number(number: int, in_use: list[int], new_number: int) -> None:
    assert evasion(1, cruisers(number), in_use)["new_number"] == new_number


@pytest.mark.ledger("22.523C")
@pytest.mark.parametrize(("number", "in_use"), [(6, [6]), (6, [2, 6]), (5, [5, 6]), (4, [4, 5, 6])])
def test_without_a_free_higher_number_a_group_cannot_evade(number: int, in_use: list[int]) -> None:
    refused = evasion(1, cruisers(number), in_use)
    assert (refused["may_evade"], refused["rule"]) == (False, "22.523C")


@pytest.mark.ledger("22.523C")
def test_a_group_numbered_six_must_fight_when_it_is_sought() -> None:
    played = chase(small("Quarry", 6), answers={("axis", "engage"): "CG6"})
    played.to("evade", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, "evade")
    assert refusal.value.rule == "22.523C"
    played.to_segment("submarines")
    assert played.engagements() == [(1, 6)]


@pytest.mark.ledger("22.523D")
def test_the_hunter_is_shown_before_the_quarry_decides() -> None:
    played = table(
        [force("Hunter", number=1, ships=["Yamato"], cruisers=3)],
        [small("Quarry", 4)],
        search={"axis": [[4]]},
        answers={("axis", "engage"): "CG4"},
    )
    played.to("engage", AXIS)
    assert played.game.picture(ALLIES).battle.fleets[AXIS].group(1).hidden
    played.to("evade", ALLIES)
    known = played.game.picture(ALLIES).battle.fleets[AXIS].group(1)
    assert [ship.name for ship in known.ships] == ["Yamato"]
    assert known.light == {"Japan/CA": 3}


@pytest.mark.ledger("22.523D")
def test_the_quarry_is_not_shown_to_the_hunter_unless_it_fights() -> None:
    played = chase(small("Quarry", 4), answers={("axis", "engage"): "CG4"})
    played.to("evade", ALLIES)
    assert played.game.picture(AXIS).battle.fleets[ALLIES].group(4).hidden
    played.answer(ALLIES, "evade")
    played.to_segment("submarines")
    known = played.game.picture(AXIS).battle.fleets[ALLIES].group(5)
    assert known.hidden
    assert not known.afloat


@pytest.mark.ledger("22.523E.1")
def test_an_evading_group_does_not_fight_and_takes_a_higher_number_before_everyones_eyes() -> None:
    played = chase(
        small("Quarry", 3), small("Other", 4), answers={("axis", "engage"): "CG3", ("allies", "evade"): "evade"}
    )
    played.to_segment("submarines")
    assert played.engagements() == []
    assert played.group(ALLIES, 5).name == "Quarry"
    assert played.game.picture(AXIS).battle.fleets[ALLIES].numbers == (4, 5)


@pytest.mark.ledger("22.523E.1")
def test_an_evading_group_frees_its_number_for_the_next_one() -> None:
    call = {"in_use": [3, 4], "order": [4, 3]}
    assert api.call("evasions", call)["new_numbers"] == {"4": 5, "3": 4}
    call = {"in_use": [3, 4], "order": [3, 4]}
    assert api.call("evasions", call)["new_numbers"] == {"3": 5, "4": 6}


@pytest.mark.ledger("22.523E.1")
def test_two_groups_may_evade_one_after_the_other_and_each_number_stays_unique() -> None:
    played = table(
        [small("First", 1), small("Second", 2)],
        [small("Near", 3), small("Far", 4)],
        round=2,
        search={"axis": [[], [3, 4]]},
        answers={
            ("axis", "engage", "CG1"): "CG4",
            ("axis", "engage", "CG2"): "CG3",
            ("allies", "evade"): ["evade", "evade"],
        },
    )
    played.to_segment("submarines", 2)
    assert played.engagements() == []
    assert (played.group(ALLIES, 5).name, played.group(ALLIES, 4).name) == ("Far", "Near")


@pytest.mark.ledger("22.523E.1", "22.452")
def test_an_evading_group_stays_found_under_its_new_number() -> None:
    played = chase(small("Quarry", 3), answers={("axis", "engage"): "CG3", ("allies", "evade"): "evade"})
    played.to_segment("submarines")
    assert played.group(ALLIES, 4).found == 1


@pytest.mark.ledger("22.523E.2")
def test_no_further_group_may_engage_a_group_that_has_evaded_in_this_round() -> None:
    played = table(
        [small("First", 1), small("Second", 2)],
        [small("Quarry", 4)],
        round=2,
        search={"axis": [[], [4, 4]]},
        answers={("axis", "engage"): ["CG4", "CG4"], ("allies", "evade"): "evade"},
    )
    played.to("evade", ALLIES)
    played.answer(ALLIES, "evade")
    assert played.targets(AXIS) == []
    played.to_segment("submarines", 2)
    assert played.engagements() == []
    assert [kind for _, kind, _ in played.asked].count("evade") == 1


@pytest.mark.ledger("22.523E.2")
def test_a_group_that_has_evaded_is_no_target_though_results_are_left() -> None:
    enemy = [cruisers(5, nation="Britain", found=3, spent=1, evaded=True), cruisers(6, nation="Britain", found=1)]
    assert options(2, [cruisers(1), cruisers(2)], enemy) == {"1": [6], "2": [6]}


@pytest.mark.ledger("22.523E.2")
def test_a_group_that_evaded_may_be_engaged_again_in_the_next_round() -> None:
    played = chase(
        small("Quarry", 4),
        small("Other", 6),
        answers={("axis", "engage"): ["CG4", "CG5"], ("allies", "evade"): "evade"},
    )
    played.search["axis"] = [[4], [5]]
    played.to_segment("submarines", 2)
    assert played.engagements() == [(1, 5)]


@pytest.mark.ledger("22.523E")
def test_a_hunter_whose_quarry_evaded_may_choose_another_enemy() -> None:
    played = table(
        [small("Hunter", 1)],
        [small("Quarry", 3), force("Slow", number=5, ships=["Pennsylvania"], cruisers=4)],
        search={"axis": [[3, 5]]},
        search_advantage="axis",
        answers={("axis", "engage"): ["CG3", "CG5"], ("allies", "evade", "CG3"): "evade"},
    )
    played.to_segment("submarines")
    assert played.engagements() == [(1, 5)]


@pytest.mark.ledger("22.523E")
def test_where_evaded_engagements_are_spent_the_hunter_gets_no_other_enemy() -> None:
    played = table(
        [small("Hunter", 1)],
        [small("Quarry", 3), force("Slow", number=5, ships=["Pennsylvania"], cruisers=4)],
        search={"axis": [[3, 5]]},
        search_advantage="axis",
        answers={("axis", "engage"): ["CG3", "CG5"], ("allies", "evade", "CG3"): "evade"},
        options={"evaded_engagement": "spent"},
    )
    played.to_segment("submarines")
    assert played.engagements() == []


# -- leaving damaged ships behind --------------------------------------------------------------------------


def crippled_hunter(**keys: Any) -> Table:
    """A hunter slowed by damaged ships, and a slow distant group that was found."""
    return table(
        [small("Hunter", 1, cruisers=6, ships=[{"name": "Kongo", "damaged": True}], damaged_cruisers=1)],
        [force("Quarry", number=4, ships=["Pennsylvania"], cruisers=6)],
        search={"axis": [[4]]},
        **keys,
    )


LEAVE_ALL = {"target": "CG4", "kongo": "detach", "Japan/CA/damaged": "detach"}


@pytest.mark.ledger("22.524")
def test_a_group_slowed_by_damaged_ships_reaches_a_distant_enemy_by_leaving_all_of_them_behind() -> None:
    played = crippled_hunter()
    played.to("engage", AXIS)
    for answer in ({"target": "CG4"}, {"target": "CG4", "kongo": "detach"}):
        with pytest.raises(IllegalChoice):
            played.answer(AXIS, answer)
    played.answer(AXIS, LEAVE_ALL)
    played.to_segment("submarines")
    assert played.engagements() == [(1, 4)]


@pytest.mark.ledger("22.524")
def test_leaving_damaged_ships_behind_does_not_help_a_group_that_is_slow_anyway() -> None:
    own = [{"number": 2, "ships": [battleship(damaged=True)], "light": {"Japan/CA": 5, "Japan/CVE": 1}}]
    enemy = [cruisers(5, nation="Britain", found=1)]
    call = {"round": 2, "side": "axis", "own": own, "enemy": enemy}
    result = api.call("second_engagements", call)
    assert result["options"]["2"] == []
    assert result["if_damaged_ships_are_detached"]["2"] == []
    own[0]["light"] = {"Japan/CA": 5}
    assert api.call("second_engagements", call)["if_damaged_ships_are_detached"]["2"] == [5]


@pytest.mark.ledger("22.524")
def test_ships_damaged_in_the_first_fight_of_a_round_may_be_left_behind_before_the_second() -> None:
    played = table(
        [small("Hunter", 1, cruisers=10)],
        [force("Picket", number=1, destroyers=3), force("Quarry", number=4, ships=["Pennsylvania"], cruisers=6)],
        search={"axis": [[4]]},
        gunfire={"axis": (6, 6), "allies": (4, 4)},
    )
    decision = played.to("engage", AXIS)
    assert played.group(AXIS, 1).light == {"Japan/CA": 9, "Japan/CA/damaged": 1}
    assert "Japan/CA/damaged" in {item.key for item in decision.form.items}
    with pytest.raises(IllegalChoice):
        played.answer(AXIS, {"target": "CG4"})
    played.answer(AXIS, {"target": "CG4", "Japan/CA/damaged": "detach"})
    played.to_segment("submarines")
    assert played.engagements() == [(1, 1), (1, 4)]


@pytest.mark.ledger("22.524A")
def test_ships_left_behind_by_a_hunter_take_no_part_in_the_fight_and_go_home_when_the_round_is_over() -> None:
    played = crippled_hunter(answers={("axis", "engage"): LEAVE_ALL})
    played.to("screen", AXIS)
    assert [ship.name for parcel in played.game.battle.fleets[AXIS].detached for ship in parcel.ships] == ["Kongo"]
    played.to("withdraw")
    lines = [event.line for event in played.events(ev.LineFormed) if event.side is AXIS]
    assert all("kongo" not in line.screened and "Japan/CA/damaged" not in line.screened_light for line in lines)
    assert played.game.battle.fleets[AXIS].withdrawn == ()
    played.to_round(2)
    gone = played.game.battle.fleets[AXIS].withdrawn
    assert [ship.name for parcel in gone for ship in parcel.ships] == ["Kongo"]
    assert sum(parcel.light.get("Japan/CA/damaged", 0) for parcel in gone) == 1
    assert "Kongo" not in {ship.name for ship in played.group(AXIS, 1).ships}
    assert played.game.battle.fleets[AXIS].sunk == ()


@pytest.mark.ledger("22.524A")
@pytest.mark.parametrize("edition", ["current", "2008"])  # in 2008 nobody else may leave that round (22.41K)
def test_ships_left_behind_go_home_even_if_the_quarry_evades(edition: str) -> None:
    played = table(
        [small("Hunter", 1, cruisers=6, ships=[{"name": "Kongo", "damaged": True}])],
        [small("Quarry", 4), small("Other", 6)],
        search={"axis": [[4]]},
        answers={("axis", "engage"): {"target": "CG4", "kongo": "detach"}, ("allies", "evade"): "evade"},
        edition=edition,
    )
    played.to_round(2)
    assert played.engagements() == []
    assert [ship.name for parcel in played.game.battle.fleets[AXIS].withdrawn for ship in parcel.ships] == ["Kongo"]


def crippled_quarry(**keys: Any) -> Table:
    """A distant group slowed by a damaged battleship, found and sought by a fast hunter."""
    quarry = small("Quarry", 4, ships=[{"name": "Washington", "damaged": True}])
    return chase(quarry, answers={("axis", "engage"): "CG4"}, **keys)


@pytest.mark.ledger("22.524B", "22.523B")
def test_a_group_evades_at_the_price_of_the_damaged_ships_that_slow_it() -> None:
    played = crippled_quarry()
    played.to("evade", ALLIES)
    with pytest.raises(IllegalChoice) as refusal:
        played.answer(ALLIES, {"choice": "evade", "washington": "keep"})
    assert refusal.value.rule in ("22.523B", "22.524", "22.524B")
    played.answer(ALLIES, {"choice": "evade", "washington": "abandon"})
    played.to_segment("submarines")
    assert played.engagements() == []
    assert [ship.name for ship in played.game.battle.fleets[ALLIES].sunk] == ["Washington"]
    assert played.group(ALLIES, 5).ships == ()


@pytest.mark.ledger("22.524B")
def test_abandoned_ships_count_as_lost_so_their_owner_declares_withdrawal_first() -> None:
    played = crippled_quarry(interceptor="axis")
    played.to("evade", ALLIES)
    played.answer(ALLIES, {"choice": "evade", "washington": "abandon"})
    played.to("withdraw")
    assert played.game.battle.fleets[ALLIES].round_sunk == 4
    assert played.game.decision(ALLIES) is not None
    assert played.game.decision(AXIS) is None


@pytest.mark.ledger("22.524B")
def test_a_group_with_damaged_ships_may_keep_them_and_fight() -> None:
    played = crippled_quarry()
    played.to("evade", ALLIES)
    played.answer(ALLIES, {"choice": "fight", "washington": "keep"})
    played.to_segment("submarines")
    assert played.engagements() == [(1, 4)]


@pytest.mark.ledger("22.524B")
def test_abandoning_damaged_ships_does_not_let_a_slow_group_evade() -> None:
    group = {"number": 4, "ships": [battleship(damaged=True)], "light": {"Japan/CA": 5}}
    assert evasion(1, group, [4])["must_abandon"] == ["battleship"]
    assert not evasion(1, {**group, "cargo": A_CORPS}, [4])["may_evade"]
    assert not evasion(1, {**group, "supply": True}, [4])["may_evade"]


@pytest.mark.ledger("22.524C")
def test_undamaged_ships_cannot_be_left_behind_by_hunter_or_quarry() -> None:
    played = crippled_hunter()
    played.to("engage", AXIS)
    with pytest.raises(IllegalChoice):
        played.answer(AXIS, {**LEAVE_ALL, "Japan/CA": "detach"})
    played = crippled_quarry()
    played.to("evade", ALLIES)
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"choice": "evade", "washington": "abandon", "United States/CA": "abandon"})


@pytest.mark.ledger("22.524C")
@pytest.mark.parametrize("segment", ["search", "air strikes", "fleet combat", "submarines"])
def test_nobody_withdraws_in_the_middle_of_a_round(segment: str) -> None:
    assert not api.call("may_withdraw", {"segment": segment, "whole_group": True})["allowed"]
    assert api.call("may_withdraw", {"segment": "withdrawal", "whole_group": True})["allowed"]
