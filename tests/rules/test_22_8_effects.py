"""22.8: what becomes of the forces and of their cargo."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from tests.rules.endings_table import ALLIES, AXIS, Play, everything_withdraws, force, scenario_text


def fate(side: str, interceptor: str, victor: str | None, mission: str, **keys: Any) -> tuple[bool, bool]:
    """Whether ships go on with what they were doing, and whether they are inverted."""
    losers = keys.pop("losers", None)
    if losers is None:
        losers = [] if victor is None else ["allies" if victor == "axis" else "axis"]
    told = api.call(
        "fate_after_battle",
        {"side": side, "interceptor": interceptor, "victor": victor, "losers": losers, "mission": mission, **keys},
    )
    return told["goes_on"], told["inverted"]


GOES_ON, GOES_HOME = (True, False), (False, True)  # and inverted there
ACTIVITIES = ["sea transport", "seaborne invasion", "shore bombardment", "naval redeployment", "patrol", "raid"]


# -- the force that was intercepted ------------------------------------------------------------------------------


@pytest.mark.ledger("22.81A.1")
@pytest.mark.parametrize("mission", ACTIVITIES)
def test_a_victorious_force_may_go_on_with_its_activity_and_is_not_inverted(mission: str) -> None:
    assert fate("axis", "allies", "axis", mission, activity_goes_on=True) == GOES_ON


@pytest.mark.ledger("22.81A.1")
def test_a_victorious_force_that_chooses_to_abort_goes_home_and_is_inverted_there() -> None:
    assert fate("axis", "allies", "axis", "sea transport", activity_goes_on=False) == GOES_HOME  # 22.281


@pytest.mark.ledger("22.81A.2")
@pytest.mark.parametrize("mission", ACTIVITIES)
def test_a_beaten_force_aborts_and_is_inverted(mission: str) -> None:
    assert fate("axis", "allies", "allies", mission) == GOES_HOME


@pytest.mark.ledger("22.81A.2")
def test_when_both_sides_have_lost_the_activity_is_aborted() -> None:
    assert fate("axis", "allies", None, "sea transport", losers=["axis", "allies"]) == GOES_HOME  # RC-62


def transport_and_interceptors() -> str:
    """A Japanese transport with its cover, one American interceptor."""
    japan = [
        force("Escort", ships=["Kirishima"], cruisers=2, destroyers=3, number=4, mission="sea transport", base="Truk"),
        force("Cover", cruisers=3, number=5, mission="counter-interception", base="Truk"),
    ]
    america = [force("America", cruisers=5, number=6, mission="interception", base="Noumea")]
    return scenario_text(
        japan,
        america,
        axis_bases=[{"name": "Truk", "distance": 8}, {"name": "Rabaul", "distance": 3}],
        allies_bases=[{"name": "Noumea", "distance": 6}],
    )


@pytest.mark.ledger("22.81A.1")
def test_only_the_winner_whose_activity_it_is_decides_whether_it_goes_on() -> None:
    play = Play(transport_and_interceptors())
    decision = play.to(AXIS, "activity", {(ALLIES, "withdraw"): everything_withdraws})
    assert {place.key for place in decision.form.places} == {"go on", "abort"}
    play.answer(AXIS, "go on")
    play.end()
    assert play.game.battle.goes_on
    assert not play.home(AXIS, "Escort").inverted
    assert play.home(AXIS, "Escort").base == ""
    assert (ALLIES, "activity") not in play.asked


@pytest.mark.ledger("22.81A.1")
def test_a_winner_that_aborts_returns_to_a_base_of_its_choice() -> None:
    play = Play(transport_and_interceptors())
    play.to(AXIS, "activity", {(ALLIES, "withdraw"): everything_withdraws})
    play.answer(AXIS, "abort")
    decision = play.to(AXIS, "return")
    assert len(decision.form.items) == 2
    play.answer(AXIS, {item.key: "Rabaul" for item in decision.form.items})
    play.end()
    assert not play.game.battle.goes_on
    assert play.home(AXIS, "Escort").base == "Rabaul"


@pytest.mark.ledger("22.81A.2")
def test_a_beaten_force_is_not_asked_whether_its_activity_goes_on() -> None:
    play = Play(transport_and_interceptors())
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert "activity" not in {kind for _, kind in play.asked}
    assert not play.game.battle.goes_on
    home = play.home(AXIS, "Escort")
    assert home.inverted
    assert home.base in ("Truk", "Rabaul")


@pytest.mark.ledger("22.81A.2")
def test_ships_that_were_inverted_before_stay_so_even_in_a_force_that_goes_on() -> None:
    told = api.call(
        "fate_after_battle",
        {
            "side": "axis",
            "interceptor": "allies",
            "victor": "axis",
            "losers": ["allies"],
            "mission": "naval redeployment",
            "activity_goes_on": True,
            "inverted": True,
        },
    )
    assert told["inverted"] is True


# -- interceptors and those who came to help ---------------------------------------------------------------------


@pytest.mark.ledger("22.81B")
@pytest.mark.parametrize("victor", ["axis", "allies"])
def test_interceptors_go_home_inverted_whether_they_won_or_lost(victor: str) -> None:
    assert fate("allies", "allies", victor, "interception") == GOES_HOME


@pytest.mark.ledger("22.81B")
def test_a_patrol_that_intercepted_is_not_inverted() -> None:
    assert fate("allies", "allies", "allies", "patrol")[1] is False


@pytest.mark.ledger("22.81B")
def test_in_play_victorious_interceptors_are_inverted_and_a_victorious_patrol_is_not() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=4, mission="sea transport")],
        [
            force("Interceptors", cruisers=5, number=5, mission="interception"),
            force("Patrol", cruisers=5, number=6, mission="patrol"),
        ],
    )
    play = Play(text)
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert play.game.battle.victor is ALLIES
    assert play.home(ALLIES, "Interceptors").inverted
    assert not play.home(ALLIES, "Patrol").inverted


@pytest.mark.ledger("22.81B")
def test_interceptors_that_never_got_into_the_battle_are_not_inverted() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=4, mission="sea transport")],
        [
            force("Interceptors", cruisers=5, number=5, mission="interception", base="Noumea"),
            force("Too late", cruisers=5, arrives=3, mission="interception", base="Noumea"),
        ],
        allies_bases=[{"name": "Noumea", "distance": 6}],
    )
    play = Play(text)
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert play.home(ALLIES, "Interceptors").inverted
    assert not play.home(ALLIES, "Too late").inverted  # 22.26C


@pytest.mark.ledger("22.63")
def test_interceptors_that_never_got_into_the_battle_return_to_their_original_base() -> None:
    text = scenario_text(
        [force("Japan", cruisers=5, number=4, mission="sea transport")],
        [
            force("Interceptors", cruisers=5, number=5, mission="interception", base="Noumea"),
            force("Too late", cruisers=5, arrives=3, mission="interception", base="Noumea"),
        ],
        allies_bases=[{"name": "Noumea", "distance": 6}, {"name": "Tulagi", "distance": 1}],
    )
    play = Play(text)
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert play.home(ALLIES, "Too late").base == "Noumea"


@pytest.mark.ledger("22.81C")
def test_counter_interceptors_take_up_the_mission_of_the_force_they_saved() -> None:
    assert fate("axis", "allies", "axis", "counter-interception", activity_goes_on=True) == GOES_ON


@pytest.mark.ledger("22.81C")
def test_counter_interceptors_go_home_inverted_with_the_force_they_could_not_save() -> None:
    assert fate("axis", "allies", "allies", "counter-interception") == GOES_HOME


@pytest.mark.ledger("22.81C")
def test_in_play_the_cover_goes_on_only_if_the_activity_does() -> None:
    for choice in ("go on", "abort"):
        play = Play(transport_and_interceptors())
        play.to(AXIS, "activity", {(ALLIES, "withdraw"): everything_withdraws})
        play.answer(AXIS, choice)
        play.end()
        assert play.home(AXIS, "Cover").base == ("" if choice == "go on" else "Truk")
        assert play.game.battle.goes_on is (choice == "go on")


@pytest.mark.ledger("22.81D")
def test_counter_counter_interceptors_go_on_with_the_interception_they_helped_to_win() -> None:
    # The Axis counter-intercepted short of the interception hex, so the interception is the activity under attack.
    assert fate("allies", "axis", "allies", "counter-counter-interception", activity_goes_on=True) == GOES_ON
    assert fate("allies", "axis", "allies", "interception", activity_goes_on=True) == GOES_ON


@pytest.mark.ledger("22.81D")
def test_in_the_interception_hex_counter_counter_interceptors_go_home_inverted_like_interceptors() -> None:
    assert fate("allies", "allies", "allies", "counter-counter-interception") == GOES_HOME


# -- cargo --------------------------------------------------------------------------------------------------------


def shortage(cargo: list[dict[str, Any]], **carriers: int) -> dict[str, Any]:
    return dict(api.call("cargo_loss", {"cargo": cargo, **carriers}))


CORPS = {"name": "a corps", "needs": 2}
DIVISION = {"name": "a division", "needs": 1}


@pytest.mark.ledger("22.82A")
def test_cargo_is_safe_while_the_destroyers_that_are_left_can_carry_it() -> None:
    told = shortage([CORPS, DIVISION], destroyers=3)
    assert told["units_lost"] == 0
    assert not any(told["shortage"].values())


@pytest.mark.ledger("22.82A")
def test_a_unit_that_needs_two_destroyers_is_lost_when_one_is_short() -> None:
    told = shortage([CORPS], destroyers=1)
    assert told["shortage"]["DD"] == 1
    assert told["units_lost"] == 1


@pytest.mark.ledger("22.82A")
def test_only_as_much_cargo_is_lost_as_there_is_no_room_for() -> None:
    told = shortage([CORPS, {**CORPS, "name": "another corps"}, DIVISION], destroyers=4)
    assert told["shortage"]["DD"] == 1
    assert told["units_lost"] == 1


@pytest.mark.ledger("22.82A")
def test_transports_and_destroyers_do_not_stand_in_for_each_other() -> None:
    oil = {"name": "oil", "needs": 2, "by": "TR"}
    told = shortage([CORPS, oil], destroyers=6, transports=1)
    assert told["shortage"].get("TR") == 1
    assert not told["shortage"].get("DD")
    assert list(told["one_way"]) == ["oil"]


@pytest.mark.ledger("22.82A")
def test_without_any_carrier_left_all_cargo_is_lost() -> None:
    assert shortage([CORPS, DIVISION], destroyers=0)["units_lost"] == 2


@pytest.mark.ledger("22.82A.3")
def test_an_air_unit_is_broken_down_so_that_only_the_shortage_is_lost() -> None:
    air = {"name": "an air wing", "needs": 4, "divisible": True}
    told = shortage([air], destroyers=3)
    assert told["one_way"] == {"an air wing": 1}
    whole = shortage([{**air, "divisible": False}], destroyers=3)
    assert whole["units_lost"] == 1


def convoy_battle(
    cargo: list[dict[str, Any]], *, destroyers: int, cruisers: int = 5, more: tuple[dict[str, Any], ...] = ()
) -> Play:
    """A Japanese convoy of destroyers meets American cruisers; ones are rolled, so ten factors score one hit."""
    convoy = force("Convoy", destroyers=destroyers, cargo=cargo, number=1, mission="seaborne invasion")
    america = [force("America", cruisers=cruisers, number=1, mission="interception")]
    return Play(scenario_text([convoy, *more], america))


def hold_everything(decision: Any) -> dict[str, Any]:
    return {item.key: {"hold": item.amount} for item in decision.form.items}


def all_at_the_screen(decision: Any) -> dict[str, Any]:
    return {item.key: {"light": item.amount} for item in decision.form.items}


HUNT = {(ALLIES, "surplus light"): hold_everything, (ALLIES, "screened fire light"): all_at_the_screen}


@pytest.mark.ledger("22.82A", "22.82A.1")
def test_cargo_goes_down_with_its_ships_before_anybody_may_withdraw() -> None:
    # Four loaded destroyers, 24 factors at a roll of 2: three hits, so one destroyer is left for two corps.
    play = convoy_battle([CORPS, {**CORPS, "name": "another corps"}], destroyers=4, cruisers=12)
    play.to(AXIS, "withdraw", HUNT)
    assert play.fleet(AXIS).sunk_light == {"Japan/DD/loaded": 3}
    assert sorted(play.fleet(AXIS).cargo_lost) == ["a corps", "another corps"]
    play.end({(AXIS, "withdraw"): everything_withdraws})
    assert play.home(AXIS, "Convoy").group.cargo == ()


@pytest.mark.ledger("22.82A")
def test_the_owner_chooses_which_of_his_units_is_lost() -> None:
    play = convoy_battle([CORPS, {**CORPS, "name": "another corps"}], destroyers=4)
    decision = play.to(AXIS, "cargo", HUNT)
    assert [item.key for item in decision.form.items] == ["a corps", "another corps"]
    kept = [place.key for place in decision.form.places]
    assert len(kept) == 2
    with pytest.raises(IllegalChoice):
        play.answer(AXIS, {item.key: decision.form.rest_of(item) for item in decision.form.items})
    lost_place = next(place for place in kept if place != decision.form.rest_of(decision.form.items[0]))
    play.answer(AXIS, {"a corps": lost_place})
    play.to(AXIS, "withdraw")
    assert play.fleet(AXIS).cargo_lost == ("a corps",)
    assert [cargo.name for cargo in play.group(AXIS, "Convoy").cargo] == ["another corps"]


@pytest.mark.ledger("22.82C")
def test_destroyers_whose_cargo_is_lost_are_free_again() -> None:
    play = convoy_battle([CORPS, {**CORPS, "name": "another corps"}], destroyers=4)
    play.to(AXIS, "withdraw", HUNT)
    assert play.group(AXIS, "Convoy").light == {"Japan/DD/loaded": 2, "Japan/DD": 1}


@pytest.mark.ledger("22.82A")
def test_unloaded_destroyers_take_over_what_sunk_ones_carried() -> None:
    # Two unloaded destroyers are screened with the loaded ones; one hit falls on the larger class, the loaded ones.
    play = convoy_battle([CORPS, {**CORPS, "name": "another corps"}], destroyers=6)
    play.to(AXIS, "withdraw", {**HUNT, (AXIS, "screen"): {"Japan/DD": {"screen": 2}}})
    assert play.fleet(AXIS).sunk_light == {"Japan/DD/loaded": 1}
    assert play.fleet(AXIS).cargo_lost == ()
    assert play.group(AXIS, "Convoy").light == {"Japan/DD/loaded": 4, "Japan/DD": 1}  # FP-07


@pytest.mark.ledger("22.82B")
def test_destroyers_of_another_group_do_not_save_the_cargo() -> None:
    play = convoy_battle(
        [CORPS],
        destroyers=2,
        more=(force("Cover", destroyers=9, number=5, mission="seaborne invasion"),),
    )
    play.to(AXIS, "withdraw", HUNT)
    assert play.fleet(AXIS).sunk_light == {"Japan/DD/loaded": 1}
    assert play.fleet(AXIS).cargo_lost == ("a corps",)
    assert play.group(AXIS, "Cover").light == {"Japan/DD": 9}


@pytest.mark.ledger("22.82B")
def test_the_cargo_of_another_group_is_untouched() -> None:
    play = convoy_battle(
        [CORPS],
        destroyers=2,
        more=(
            force("Second", destroyers=2, number=5, mission="seaborne invasion", cargo=[{"name": "guns", "needs": 2}]),
        ),
    )
    play.to(AXIS, "withdraw", HUNT)
    assert [cargo.name for cargo in play.group(AXIS, "Second").cargo] == ["guns"]


@pytest.mark.ledger("22.82A.1")
def test_winning_and_aborting_afterwards_does_not_bring_cargo_back() -> None:
    play = convoy_battle([CORPS, {**CORPS, "name": "another corps"}], destroyers=4)
    play.end({**HUNT, (ALLIES, "withdraw"): everything_withdraws, (AXIS, "activity"): "abort"})
    assert play.game.battle.victor is AXIS
    assert sum(len(home.group.cargo) for home in play.fleet(AXIS).returned) == 1


@pytest.mark.ledger("22.82A.3")
def test_in_play_an_air_unit_gives_up_only_the_part_there_is_no_room_for() -> None:
    play = convoy_battle([{"name": "an air wing", "needs": 4, "divisible": True}], destroyers=4)
    play.to(AXIS, "withdraw", HUNT)
    (left,) = play.group(AXIS, "Convoy").cargo
    assert (left.name, left.needs) == ("an air wing", 3)
    (lost,) = play.events(ev.CargoLost)
    assert lost.lost == {"an air wing": 1}


@pytest.mark.ledger("22.82A")
def test_transports_that_are_sunk_take_their_cargo_with_them() -> None:
    japan = [
        force(
            "Convoy",
            transports=3,
            number=1,
            task_force=False,
            mission="sea transport",
            cargo=[{"name": "oil", "needs": 1, "by": "TR"}, {"name": "grain", "needs": 2, "by": "TR"}],
        )
    ]
    america = [force("America", cruisers=5, number=1, mission="interception")]
    play = Play(scenario_text(japan, america), fire={ALLIES: 1})
    decision = play.to(AXIS, "cargo", HUNT)
    assert {item.key for item in decision.form.items} == {"oil", "grain"}
    place = next(each.key for each in decision.form.places if each.key != decision.form.rest_of(decision.form.items[0]))
    play.answer(AXIS, {"oil": place})
    play.to(AXIS, "withdraw")
    assert play.fleet(AXIS).cargo_lost == ("oil",)
    assert play.group(AXIS, "Convoy").light == {"Japan/TR": 2}
