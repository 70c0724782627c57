"""22.411A and 22.6: leaving a battle between rounds, and going home."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, NotYourDecision
from flagplot.model import events as ev
from tests.rules.endings_table import ALLIES, AXIS, Play, everything_withdraws, force, scenario_text, withdraws


def two_groups_each(**top: Any) -> str:
    """CG1 and CG3 on both sides; only the first ones meet in round one."""
    return scenario_text(
        [
            force("Japanese line", ships=["Kirishima"], cruisers=2, destroyers=3, number=1, mission="sea transport"),
            force("Japanese reserve", cruisers=2, destroyers=3, number=3, mission="sea transport"),
        ],
        [
            force("American line", ships=["Washington"], cruisers=2, destroyers=3, number=1, mission="interception"),
            force("American reserve", cruisers=2, destroyers=3, number=3, mission="interception"),
        ],
        **top,
    )


# -- who declares first -----------------------------------------------------------------------------------


def first_to_declare(sunk: dict[str, Any], damaged: dict[str, Any], interceptor: str = "allies") -> str:
    told = api.call("round_loser", {"sunk": sunk, "damaged": damaged, "interceptor": interceptor})
    return str(told["first"])


NOTHING: dict[str, Any] = {"axis": {}, "allies": {}}


@pytest.mark.ledger("22.61A")
@pytest.mark.parametrize("interceptor", ["axis", "allies"])
def test_whoever_lost_more_factors_declares_first_whatever_else_was_damaged(interceptor: str) -> None:
    damaged = {"axis": {}, "allies": {"ships": [5, 5]}}
    assert first_to_declare({"axis": {"DD": 3}, "allies": {"CA": 1}}, damaged, interceptor) == "axis"


@pytest.mark.ledger("22.61A")
def test_factors_are_counted_and_not_ships() -> None:
    assert first_to_declare({"axis": {"ships": [5]}, "allies": {"DD": 4}}, NOTHING) == "axis"
    assert first_to_declare({"axis": {"CA": 2}, "allies": {"DD": 3}}, NOTHING) == "axis"


@pytest.mark.ledger("22.61A")
def test_transports_that_went_down_count_as_factors_lost() -> None:
    assert first_to_declare({"axis": {"TR": 3}, "allies": {"CA": 1}}, NOTHING) == "axis"  # AM-02


@pytest.mark.ledger("22.61A")
def test_equal_losses_are_decided_by_the_factors_damaged() -> None:
    sunk = {"axis": {"CA": 1}, "allies": {"DD": 2}}
    assert first_to_declare(sunk, {"axis": {"ships": [4]}, "allies": {"CA": 1}}) == "axis"
    assert first_to_declare(sunk, {"axis": {"CA": 1}, "allies": {"ships": [3]}}) == "allies"


@pytest.mark.ledger("22.61A")
@pytest.mark.parametrize("interceptor", ["axis", "allies"])
def test_when_all_is_equal_the_intercepting_side_declares_first(interceptor: str) -> None:
    assert first_to_declare(NOTHING, NOTHING, interceptor) == interceptor
    same = {"axis": {"ships": [4]}, "allies": {"CA": 2}}
    assert first_to_declare(NOTHING, same, interceptor) == interceptor


@pytest.mark.ledger("22.61A")
def test_the_loser_of_the_round_declares_before_the_other_is_asked_and_the_other_knows_it() -> None:
    play = Play(two_groups_each(interceptor="allies"), fire={ALLIES: 6})
    play.to(AXIS, "withdraw")
    assert play.game.decision(ALLIES) is None
    with pytest.raises(NotYourDecision):
        play.answer(ALLIES, {})
    play.answer(AXIS, {"CG3": "withdraw"})
    play.to(ALLIES, "withdraw")
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (1,)


@pytest.mark.ledger("22.61A")
def test_ships_abandoned_by_an_evading_group_are_factors_lost() -> None:
    text = scenario_text(
        [force("Evaders", ships=[{"name": "Hiei", "damaged": True}], cruisers=5, number=3)],
        [force("Seekers", ships=["Washington"], cruisers=3, number=1, mission="interception")],
    )
    play = Play(text, search={ALLIES: [3]})
    play.to(
        AXIS,
        "withdraw",
        {(ALLIES, "engage"): {"target": "CG3"}, (AXIS, "evade"): {"choice": "evade", "hiei": "abandon"}},
    )
    assert play.fleet(AXIS).round_sunk == 3
    assert play.game.decision(ALLIES) is None


# -- what may leave ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.411A", "22.61")
def test_both_sides_may_withdraw_after_a_round_in_which_nobody_fought() -> None:
    text = scenario_text([force("Japan", cruisers=5, number=4)], [force("America", cruisers=5, number=5)])
    play = Play(text)
    play.to(ALLIES, "withdraw")
    assert play.events(ev.FleetCombatBegan) == []
    play.answer(ALLIES, {"CG5": "stay"})
    play.to(AXIS, "withdraw")
    play.answer(AXIS, {"CG4": "withdraw"})
    play.end()
    assert play.game.battle.victor is ALLIES


@pytest.mark.ledger("22.61")
def test_withdrawal_is_asked_again_after_every_round() -> None:
    text = scenario_text([force("Japan", cruisers=5, number=6)], [force("America", cruisers=5, number=6)])
    play = Play(text)
    for round in (1, 2, 3):
        play.to(AXIS, "withdraw")
        assert play.game.battle.round == round
        play.answer(AXIS, {})
    assert play.asked.count((ALLIES, "withdraw")) == 3


@pytest.mark.ledger("22.411A")
def test_a_side_may_withdraw_a_part_of_its_groups_and_fight_on_with_the_rest() -> None:
    play = Play(two_groups_each())
    play.to(AXIS, "reinforce", {(AXIS, "withdraw"): withdraws(3)})
    assert play.names(AXIS) == {"Japanese line"}
    play.run(until=lambda decision: play.game.battle.round == 2)
    assert not play.game.over
    assert [group.name for group in play.fleet(AXIS).withdrawn] == ["Japanese reserve"]


@pytest.mark.ledger("22.61B")
def test_a_damaged_ship_may_leave_alone() -> None:
    play = Play(two_groups_each())
    damaged = "CG1:Japan/CA/damaged"
    assert damaged in [item.key for item in play.to(AXIS, "withdraw").form.items]
    play.answer(AXIS, {damaged: {"withdraw": 1}})
    play.to(AXIS, "reinforce")
    (gone,) = play.fleet(AXIS).withdrawn
    assert gone.light == {"Japan/CA/damaged": 1}
    assert gone.ships == ()
    assert "Japan/CA/damaged" not in play.group(AXIS, "Japanese line").light


@pytest.mark.ledger("22.61B")
def test_undamaged_ships_of_the_owners_choice_may_go_with_a_damaged_one() -> None:
    play = Play(two_groups_each())
    play.to(AXIS, "withdraw")
    before = play.group(AXIS, "Japanese line").light["Japan/DD"]
    play.answer(AXIS, {"CG1:Japan/CA/damaged": {"withdraw": 1}, "CG1:Japan/DD": {"withdraw": 2}})
    play.to(AXIS, "reinforce")
    (gone,) = play.fleet(AXIS).withdrawn
    assert gone.light == {"Japan/CA/damaged": 1, "Japan/DD": 2}
    assert play.group(AXIS, "Japanese line").light["Japan/DD"] == before - 2


@pytest.mark.ledger("22.61")
def test_undamaged_ships_may_leave_a_group_that_was_attacked_without_any_damaged_ship() -> None:
    play = Play(two_groups_each())
    play.to(AXIS, "withdraw")
    play.answer(AXIS, {"CG1:kirishima": "withdraw"})
    play.to(AXIS, "reinforce")
    assert [ship.id for ship in play.fleet(AXIS).withdrawn[0].ships] == ["kirishima"]
    assert play.group(AXIS, "Japanese line").ships == ()


@pytest.mark.ledger("22.61D")
def test_ships_of_a_group_that_was_not_attacked_cannot_leave_singly() -> None:
    play = Play(two_groups_each())
    decision = play.to(AXIS, "withdraw")
    assert [item.key for item in decision.form.items if item.key.startswith("CG3")] == ["CG3"]
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {"CG3:Japan/DD": {"withdraw": 1}})
    play.answer(AXIS, {"CG3": "withdraw"})
    play.to(AXIS, "reinforce")
    assert play.fleet(AXIS).withdrawn[0].light == {"Japan/CA": 2, "Japan/DD": 3}


@pytest.mark.ledger("22.61B", "22.61D")
def test_even_a_damaged_ship_stays_when_her_group_was_not_attacked() -> None:
    text = scenario_text(
        [force("Japan", ships=[{"name": "Hiei", "damaged": True}], cruisers=4, number=4)],
        [force("America", cruisers=5, number=5)],
    )
    play = Play(text)
    assert [item.key for item in play.to(AXIS, "withdraw").form.items] == ["CG4"]


@pytest.mark.ledger("22.61D")
def test_being_found_and_evading_are_not_being_attacked() -> None:
    text = scenario_text(
        [force("Evaders", ships=["Kirishima"], cruisers=4, number=3), force("Others", cruisers=5, number=6)],
        [force("Seekers", ships=["Washington"], cruisers=3, number=1, mission="interception")],
    )
    play = Play(text, search={ALLIES: [3]})
    decision = play.to(AXIS, "withdraw", {(ALLIES, "engage"): {"target": "CG3"}, (AXIS, "evade"): "evade"})
    assert play.group(AXIS, "Evaders").number == 4
    assert [item.key for item in decision.form.items] == ["CG4", "CG6"]


@pytest.mark.ledger("22.61D")
def test_a_group_attacked_in_an_earlier_round_only_leaves_as_a_whole() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=1), force("More", cruisers=5, number=2)],
        [force("America", cruisers=5, number=1), force("Far", cruisers=5, number=6)],
    )
    play = Play(text, search={AXIS: [5] * 9})
    answers = {(ALLIES, "withdraw"): withdraws(1)}
    play.to(AXIS, "withdraw", answers)
    assert play.group(AXIS, "Japan").attacked
    play.answer(AXIS, {})
    # America's first group is gone after round one, so nobody meets anybody in round two.
    decision = play.to(AXIS, "withdraw", answers)
    assert play.game.battle.round == 2
    assert not play.group(AXIS, "Japan").attacked
    assert [item.key for item in decision.form.items] == ["CG1", "CG2"]


@pytest.mark.ledger("22.61")
def test_japanese_heavy_ships_that_sailed_without_oil_may_not_withdraw() -> None:
    text = scenario_text(
        [force("Japan", ships=[{"name": "Kirishima", "may_not_withdraw": True}], cruisers=2, destroyers=3, number=1)],
        [force("America", ships=["Washington"], cruisers=2, destroyers=3, number=1)],
        interceptor="axis",
    )
    play = Play(text)
    decision = play.to(AXIS, "withdraw")
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, everything_withdraws(decision))
    with pytest.raises(IllegalChoice) as refusal:
        play.answer(AXIS, {"CG1:kirishima": "withdraw"})
    assert refusal.value.rule in ("22.61", "33.61B")
    play.answer(AXIS, {"CG1:Japan/DD": {"withdraw": 3}})
    play.to(ALLIES, "reinforce")
    assert [ship.id for ship in play.group(AXIS, "Japan").ships] == ["kirishima"]


@pytest.mark.ledger("22.61", "22.61D")
def test_a_group_that_was_not_attacked_stays_with_its_ship_that_may_not_withdraw() -> None:
    text = scenario_text(
        [force("Japan", ships=[{"name": "Kirishima", "may_not_withdraw": True}], cruisers=4, number=4)],
        [force("America", cruisers=5, number=5)],
        interceptor="axis",
    )
    play = Play(text)
    play.to(AXIS, "withdraw")
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {"CG4": "withdraw"})


@pytest.mark.ledger("22.61", "22.61D")
@pytest.mark.parametrize(
    ("segment", "attacked", "whole", "allowed"),
    [
        ("withdrawal", True, False, True),
        ("withdrawal", True, True, True),
        ("withdrawal", False, True, True),
        ("withdrawal", False, False, False),
        ("fleet combat", True, True, False),
        ("search", False, True, False),
        ("submarines", True, True, False),
    ],
)
def test_ships_leave_between_rounds_only_and_unattacked_groups_whole(
    segment: str, attacked: bool, whole: bool, allowed: bool
) -> None:
    told = api.call("may_withdraw", {"segment": segment, "attacked": attacked, "whole_group": whole})
    assert told["allowed"] is allowed


@pytest.mark.ledger("22.61C")
def test_ships_that_withdrew_abort_their_mission_though_their_side_wins() -> None:
    play = Play(two_groups_each())
    answers = {
        (AXIS, "withdraw"): withdraws(3),
        (ALLIES, "withdraw"): lambda decision: everything_withdraws(decision) if play.game.battle.round > 1 else {},
    }
    play.end(answers)
    assert play.game.battle.victor is AXIS
    assert play.game.battle.goes_on
    assert not play.home(AXIS, "Japanese line").inverted
    assert play.home(AXIS, "Japanese reserve").inverted


@pytest.mark.ledger("22.61C")
def test_the_ships_that_stayed_of_a_divided_group_go_on_and_those_that_left_do_not() -> None:
    play = Play(two_groups_each())
    play.to(AXIS, "withdraw")
    play.answer(AXIS, {"CG1:Japan/DD": {"withdraw": 2}})
    play.end({(ALLIES, "withdraw"): everything_withdraws})
    assert play.game.battle.victor is AXIS
    homes = {
        (each.group.light.get("Japan/DD", 0), bool(each.group.ships)): each.inverted
        for each in play.fleet(AXIS).returned
        if each.group.name == "Japanese line"
    }
    assert homes[(2, False)] is True
    assert [inverted for (_, ships), inverted in homes.items() if ships] == [False]


# -- going home -------------------------------------------------------------------------------------------------


def bases_allowed(theatre: str, bases: list[dict[str, Any]], base: str = "Home", **keys: Any) -> list[str]:
    told = api.call("return_bases", {"theatre": theatre, "base": base, "bases": bases, **keys})
    return list(told["allowed"])


@pytest.mark.ledger("22.63")
@pytest.mark.parametrize(("theatre", "reach"), [("Europe", 20), ("Pacific", 10)])
def test_ships_go_to_any_base_in_reach_or_home_however_far(theatre: str, reach: int) -> None:
    bases = [
        {"name": "Home", "distance": reach + 15},
        {"name": "At the limit", "distance": reach},
        {"name": "Beyond", "distance": reach + 1},
    ]
    assert bases_allowed(theatre, bases) == ["Home", "At the limit"]
    assert bases_allowed(theatre, bases, defeated=False) == ["Home", "At the limit"]


@pytest.mark.ledger("22.63A")
@pytest.mark.parametrize("mission", ["base change", "naval redeployment"])
def test_ships_beaten_while_changing_base_go_back_where_they_came_from(mission: str) -> None:
    bases = [{"name": "Home", "distance": 9}, {"name": "Near", "distance": 1}]
    assert bases_allowed("Pacific", bases, mission=mission, defeated=True) == ["Home"]
    assert bases_allowed("Pacific", bases, mission=mission, defeated=False) == ["Home", "Near"]
    assert bases_allowed("Pacific", bases, mission="sea transport", defeated=True) == ["Home", "Near"]


@pytest.mark.ledger("22.63B")
@pytest.mark.parametrize("mission", ["sea transport", "seaborne invasion", "sea escort"])
@pytest.mark.parametrize("defeated", [True, False])
def test_loaded_destroyers_go_back_to_their_base_of_origin(mission: str, defeated: bool) -> None:
    bases = [{"name": "Home", "distance": 9}, {"name": "Near", "distance": 1}]
    assert bases_allowed("Pacific", bases, mission=mission, loaded=True, defeated=defeated) == ["Home"]
    assert bases_allowed("Pacific", bases, mission=mission, loaded=False, defeated=defeated) == ["Home", "Near"]


@pytest.mark.ledger("22.63B")
def test_what_loaded_destroyers_carry_goes_home_with_them() -> None:
    bases = [{"name": "Home", "distance": 9}, {"name": "Near", "distance": 1}]
    told = api.call("return_bases", {"theatre": "Pacific", "base": "Home", "bases": bases, "loaded": True})
    assert told["cargo_goes_too"] is True


@pytest.mark.ledger("22.63C")
def test_a_base_under_invasion_is_closed_unless_there_is_no_other() -> None:
    open_base = {"name": "Open", "distance": 5}
    invaded = {"name": "Invaded", "distance": 2, "invaded": True}
    beyond = {"name": "Beyond", "distance": 11}
    assert bases_allowed("Pacific", [open_base, invaded], base="Open") == ["Open"]
    assert bases_allowed("Pacific", [beyond, invaded], base="Elsewhere") == ["Invaded"]
    assert bases_allowed("Pacific", [{**invaded, "name": "Home"}, open_base]) == ["Open"]
    assert bases_allowed("Pacific", [{**invaded, "name": "Home"}]) == ["Home"]


def convoy_that_withdraws() -> Play:
    text = scenario_text(
        [
            force(
                "Convoy",
                cruisers=2,
                destroyers=5,
                base="Truk",
                mission="sea transport",
                number=3,
                cargo=[{"name": "a corps", "needs": 2}],
            )
        ],
        [force("America", cruisers=5, base="Noumea", number=1, mission="interception")],
        axis_bases=[{"name": "Truk", "distance": 8}, {"name": "Rabaul", "distance": 4}],
        allies_bases=[{"name": "Noumea", "distance": 16}, {"name": "Tulagi", "distance": 1}],
    )
    play = Play(text)
    play.to(AXIS, "return", {(AXIS, "withdraw"): everything_withdraws, (ALLIES, "return"): {"1. America": "Tulagi"}})
    return play


@pytest.mark.ledger("22.63", "22.63B")
def test_a_loaded_group_is_refused_any_other_base_and_a_warship_group_is_not() -> None:
    play = convoy_that_withdraws()
    assert play.home(ALLIES, "America").base == "Tulagi"
    decision = play.game.decision(AXIS)
    assert decision is not None
    laden = next(item for item in decision.form.items if "loaded" in item.label)
    with pytest.raises(IllegalChoice) as refusal:
        play.answer(AXIS, {item.key: "Rabaul" for item in decision.form.items})
    assert refusal.value.rule == "22.63B"
    play.answer(AXIS, {item.key: "Truk" if item is laden else "Rabaul" for item in decision.form.items})
    play.end()
    home = [each for each in play.fleet(AXIS).returned if each.group.light.get("Japan/DD/loaded")]
    assert [(each.base, [cargo.name for cargo in each.group.cargo]) for each in home] == [("Truk", ["a corps"])]


@pytest.mark.ledger("22.63B")
def test_the_cruisers_that_escorted_loaded_destroyers_may_use_another_base() -> None:
    play = convoy_that_withdraws()
    decision = play.game.decision(AXIS)
    assert decision is not None
    free = [
        item
        for item in decision.form.items
        if "Rabaul" in decision.form.places_for(item) and "Rabaul" not in decision.form.barred(item)
    ]
    assert free, "only destroyers that carry something are bound to their base of origin"


@pytest.mark.ledger("22.63")
def test_each_side_chooses_its_bases_in_secret() -> None:
    play = convoy_that_withdraws()
    told = play.game.picture(AXIS).events
    assert not [event for event in told if isinstance(event, ev.Returned) and event.side is ALLIES]
    assert play.game.picture(AXIS).battle.fleets[ALLIES].returned == ()
