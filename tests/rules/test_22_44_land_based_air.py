"""Land-based air in a battle: who may fly, cover, search, strikes, one task a round (22.34, 22.44, 23.16, 23.24)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.events import Event
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.squadrons import total
from flagplot.scenarios.loader import parse_scenario
from tests.rules.air_table import (
    ALLIES,
    AXIS,
    AirBattle,
    air_base,
    amounts,
    everything_withdraws,
    force,
    places,
    scenario_text,
    side,
    strike,
    targets,
)

NAS = "Japan/NAS@Rabaul"
SEARCH, COVER, ATTACK = (f"Japan/AAS/{role}@Rabaul" for role in ("search", "cover", "attack"))
ENTERPRISE, HORNET = "enterprise|United States/NAS", "hornet|United States/NAS"
LINE = force("Line", cruisers=5)
ESCORT = force("Escort", 5, cruisers=5)
CARRIERS = force("Task Force 16", ships=["Enterprise", "Hornet"], cruisers=3)
CRUISERS = force("Task Force 18", 5, cruisers=5)
ADVANTAGE = {"search_advantage": "axis"}  # one die for Japan, and none for one carrier group of the enemy


def battle(
    *bases: dict[str, Any],
    japan: tuple[dict[str, Any], ...] = (LINE,),
    america: tuple[dict[str, Any], ...] = (CARRIERS,),
    dice: Any = None,
    answers: Any = None,
    axis: dict[str, Any] | None = None,
    **top: Any,
) -> AirBattle:
    """Japanese ships with aircraft ashore against American carriers."""
    text = scenario_text(side("Japan", *japan, air=bases, **(axis or {})), side("United States", *america), **top)
    return AirBattle(text, dice, answers)


def rabaul(**aircraft: int) -> dict[str, Any]:
    return air_base("Rabaul", {f"Japan {unit.replace('_', ' ')}": number for unit, number in aircraft.items()})


# -- who may fly ---------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.442", "22.442A", "23.75A.1", "22.341")
def test_only_uninverted_aircraft_in_operational_bases_within_range_take_part() -> None:
    here = {"Japan NAS": 1, "Japan AAF": 1}
    bases = [
        air_base("Rabaul", here, distance=3),
        air_base("Truk", here, distance=4),
        air_base("Lae", here, operational=False),
        air_base("Buka", inverted=here),
    ]
    answers = {(AXIS, "break down"): [{"Japan/AAF@Rabaul": "break"}]}
    dice = {(AXIS, "search"): [[6]]}
    game = battle(*bases, axis={"air_range": 3}, inputs=ADVANTAGE, answers=answers, dice=dice)
    assert amounts(game.to(AXIS, "break down")) == {"Japan/AAF@Rabaul": 1}
    assert amounts(game.to(AXIS, "cover")) == {NAS: 1, COVER: 1}
    game.refuses(AXIS, {"Japan/NAS@Truk": "CG6"}, "22.4421")
    assert amounts(game.to(AXIS, "air search")) == {NAS: 1, SEARCH: 1}
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, NAS: 1, ATTACK: 1}
    game.refuses(AXIS, strike(6, {"Japan/NAS@Buka": 1}), "22.461")


@pytest.mark.ledger("22.341B", "22.341C", "22.341D", "23.11B", "23.11D", "23.11E", "22.41D.1.3", "22.4422A", "23.75D")
def test_each_kind_of_squadron_flies_its_own_task_and_naval_air_any() -> None:
    base = rabaul(NAS=1, search_AAS=1, cover_AAS=1, attack_AAS=1, KAM=1)
    game = battle(base, inputs=ADVANTAGE, dice={(AXIS, "search"): [[6]]})
    assert amounts(game.to(AXIS, "cover")) == {NAS: 1, COVER: 1}
    for item in (SEARCH, ATTACK, "Japan/KAM@Rabaul"):
        game.refuses(AXIS, {item: "CG6"}, "22.4421")
    assert amounts(game.to(AXIS, "air search")) == {NAS: 1, SEARCH: 1}
    for item in (COVER, ATTACK, "Japan/KAM@Rabaul"):
        game.refuses(AXIS, {item: "search"}, "22.4422")
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, NAS: 1, ATTACK: 1, "Japan/KAM@Rabaul": 1}
    for item in (SEARCH, COVER):
        game.refuses(AXIS, strike(6, {item: 1}), "22.461")


BREAK = {"Japan/AAF@Rabaul": {"break": 1}}  # asked before cover, search and strike of every round


@pytest.mark.ledger("23.131E")
def test_army_air_left_whole_may_still_be_broken_down_for_a_strike() -> None:
    answers = {(AXIS, "break down"): [{}, {}, BREAK]}
    game = battle(rabaul(AAF=2), inputs=ADVANTAGE, answers=answers, dice={(AXIS, "search"): [[6]] * 3})
    assert amounts(game.to(AXIS, "cover")) == amounts(game.to(AXIS, "air search")) == {}
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, ATTACK: 1}


@pytest.mark.ledger("23.131C", "23.131D", "23.131E", "22.343", "23.163", "23.133.1")
def test_an_army_air_factor_takes_part_as_one_squadron_of_each_role() -> None:
    answers = {(AXIS, "break down"): [BREAK, *[{}] * 5, BREAK]}
    game = battle(rabaul(AAF=2), inputs=ADVANTAGE, answers=answers, dice={(AXIS, "search"): [[6]] * 3})
    assert amounts(game.to(AXIS, "cover")) == {COVER: 1}
    game.answer(AXIS, {COVER: "CG6"})
    assert amounts(game.to(AXIS, "air search")) == {SEARCH: 1}
    game.answer(AXIS, {SEARCH: "search"})
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, ATTACK: 1}
    assert game.base(AXIS, "Rabaul").factors == {"Japan/AAF": 1}
    assert amounts(game.to(AXIS, "cover", round=2)) == {COVER: 1}  # it stays broken down, and the other stays whole
    assert amounts(game.to(AXIS, "cover", round=3)) == {COVER: 2}  # until it is wanted too
    assert game.base(AXIS, "Rabaul").factors == {}


@pytest.mark.ledger("23.131C", "23.131D", "23.131E", "22.343")
def test_an_army_air_factor_that_is_not_broken_down_does_nothing() -> None:
    game = battle(rabaul(AAF=2, NAS=1), inputs=ADVANTAGE, dice={(AXIS, "search"): [[6]]})
    assert amounts(game.to(AXIS, "cover")) == {NAS: 1}
    assert amounts(game.to(AXIS, "air search")) == {NAS: 1}
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, NAS: 1}


# -- one task a round ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.161.2", "22.41D.1.2", "22.4422A", "22.4422B")
def test_naval_air_that_covers_or_searches_does_nothing_else_in_that_round() -> None:
    game = battle(rabaul(NAS=3), inputs=ADVANTAGE, dice={(AXIS, "search"): [[6]]})
    assert amounts(game.to(AXIS, "cover")) == {NAS: 3}
    game.answer(AXIS, {NAS: {"CG6": 1}})
    assert amounts(game.to(AXIS, "air search")) == {NAS: 2}
    game.refuses(AXIS, {NAS: {"search": 3}}, "22.4422")
    game.answer(AXIS, {NAS: {"search": 1}})
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, NAS: 1}
    game.refuses(AXIS, strike(6, {NAS: 2}), "22.461")


@pytest.mark.ledger("23.161.1", "23.24B", "22.4421C.2")
def test_a_squadron_may_have_another_task_in_every_round() -> None:
    dice = {(AXIS, "search"): [[6]] * 4}
    game = battle(rabaul(NAS=1), japan=(LINE, ESCORT), inputs=ADVANTAGE, dice=dice)
    game.to(AXIS, "cover")
    game.answer(AXIS, {NAS: "CG6"})
    assert amounts(game.to(AXIS, "air search")) == {}
    game.to(AXIS, "air search", round=2)
    game.answer(AXIS, {NAS: "search"})
    assert amounts(game.to(AXIS, "strike", round=2)) == {"target": 1}
    game.to(AXIS, "strike", round=3)
    game.answer(AXIS, strike(6, {NAS: 1}))
    game.to(AXIS, "cover", round=4)
    game.answer(AXIS, {NAS: "CG5"})  # over another group than in the first round
    game.to_segment("search", 4)
    assert {group.number: group.cover for group in game.fleet(AXIS).groups} == {5: {NAS: 1}, 6: {}}


@pytest.mark.ledger("23.751B.1", "23.751B.2", "23.161.2")
def test_a_shore_squadron_attacks_once_in_a_round_and_again_in_the_next() -> None:
    game = battle(rabaul(NAS=2), inputs=ADVANTAGE, round=2, dice={(AXIS, "search"): [[6, 6], [6]]})
    game.to(AXIS, "strike")
    game.answer(AXIS, strike(6, {NAS: 1}))
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, NAS: 1}
    game.refuses(AXIS, strike(6, {NAS: 2}), "22.461")
    assert amounts(game.to(AXIS, "strike", round=3)) == {"target": 1, NAS: 2}


@pytest.mark.ledger("23.751B.1", "23.751B.2", "23.423.3")
def test_a_shore_squadron_that_turned_back_has_had_its_attack_for_the_round() -> None:
    # Air defense of twelve factors is level 2, and four is 0/1.
    dice = {(AXIS, "search"): [[6, 6], [6]], (ALLIES, "air defense"): [[2, 2]]}
    game = battle(rabaul(NAS=1), inputs=ADVANTAGE, round=2, dice=dice)
    game.to(AXIS, "strike")
    game.answer(AXIS, strike(6, {NAS: 1}))
    assert amounts(game.to(AXIS, "strike")) == {"target": 1}
    (lost,) = [each for each in game.events(air.StrikersLost) if each.aborted]
    assert (lost.lost, lost.aborted) == ({}, {NAS: 1})
    assert amounts(game.to(AXIS, "strike", round=3)) == {"target": 1, NAS: 1}


# -- cover ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.41D.1", "22.4421A", "23.24A", "23.21.1")
def test_cover_is_tied_to_one_group_of_its_own_side() -> None:
    game = battle(
        rabaul(NAS=2, cover_AAS=1), japan=(LINE, ESCORT), america=(CARRIERS, CRUISERS, force("X", 3, cruisers=5))
    )
    decision = game.to(AXIS, "cover")
    assert places(decision, NAS) == {"base", "CG5", "CG6"}
    game.refuses(AXIS, {NAS: "CG3"}, "22.4421")
    game.answer(AXIS, {NAS: {"CG5": 1, "CG6": 1}, COVER: "CG5"})
    game.to_segment("search")
    assert {group.number: group.cover for group in game.fleet(AXIS).groups} == {5: {NAS: 1, COVER: 1}, 6: {NAS: 1}}


@pytest.mark.ledger("23.24A", "22.4421B.1", "22.41D.1")
def test_cover_is_assigned_and_announced_after_carrier_air_is_allotted_and_before_the_search() -> None:
    answers = {(AXIS, "cover"): [{NAS: {"CG6": 2}}], (ALLIES, "strike"): [strike(6, {ENTERPRISE: 1})]}
    game = battle(rabaul(NAS=3), answers=answers, dice={(ALLIES, "search"): [[6]]}).to_segment("fleet combat")
    (announced,) = [each for each in game.seen(ALLIES, air.CoverAnnounced) if each.side is AXIS]
    assert announced.squadrons == {NAS: 2}
    log: list[Event] = game.game.events()
    ready = max(log.index(each) for each in game.events(air.StrikeForcesReady))
    searched = min(log.index(each) for each in game.events(ev.Searched))
    struck = log.index(game.events(air.StrikeAnnounced)[0])
    assert ready < log.index(announced) < searched < struck


@pytest.mark.ledger("22.41D.1.1", "22.4421A")
def test_cover_defends_its_own_group_and_no_other() -> None:
    answers = {
        (AXIS, "cover"): [{NAS: {"CG5": 2}}],
        (ALLIES, "strike"): [strike(6, {ENTERPRISE: 1}), strike(5, {HORNET: 1})],
    }
    dice = {(ALLIES, "search"): [[6, 5]]}
    game = battle(rabaul(NAS=2), japan=(LINE, ESCORT), round=2, answers=answers, dice=dice)
    decision = game.to(AXIS, "defend")
    assert (decision.about, amounts(decision)) == ("CG6", {})
    game.answer(AXIS, {})
    decision = game.to(AXIS, "defend")
    assert (decision.about, amounts(decision)) == ("CG5", {NAS: 2})


@pytest.mark.ledger("22.4421C.1", "23.416B.1")
def test_cover_meets_the_surprise_strike_and_the_ordinary_one_that_follows() -> None:
    answers = {
        (AXIS, "cover"): [{NAS: {"CG6": 1}}],
        (ALLIES, "strike"): [strike(6, {ENTERPRISE: 1}), strike(6, {HORNET: 1})],
    }
    game = battle(rabaul(NAS=1), round=2, answers=answers, dice={(ALLIES, "search"): [[6, 6]]})
    game.to_segment("fleet combat", 2)
    assert [surprise for *_, surprise in game.strikes()] == [True, False]
    assert [each.defenders for each in game.events(air.AirCombatJoined)] == [{NAS: 1}, {NAS: 1}]


@pytest.mark.ledger("22.4421C.2", "22.463", "23.24B")
def test_cover_that_is_shot_down_is_gone_and_the_rest_goes_home_to_fly_again() -> None:
    answers = {
        (AXIS, "cover"): [{NAS: {"CG6": 2}}],
        (ALLIES, "strike"): [strike(6, {ENTERPRISE: 1})],
        (ALLIES, "withdraw"): [{}, everything_withdraws],
    }
    # Surprise of level 1 keeps nobody from engaging. One attacker fights, row 1 on six: 1/0.
    dice = {(ALLIES, "search"): [[6]], (ALLIES, "air combat"): [[3, 3]]}
    game = battle(rabaul(NAS=3), answers=answers, dice=dice)
    assert amounts(game.to(AXIS, "cover", round=2)) == {NAS: 2}
    base = game.to_end().base(AXIS, "Rabaul")
    assert (base.squadrons, base.inverted) == ({"Japan/NAS": 2}, {})  # used at sea, and not inverted for it yet
    assert total(game.fleet(AXIS).air_lost) == 1


@pytest.mark.ledger("22.463")
def test_cover_goes_home_though_its_group_was_sunk() -> None:
    picket = force("Picket", 5, task_force=False, destroyers=1)
    answers = {
        (AXIS, "cover"): [{NAS: {"CG5": 1}}],
        (AXIS, "defend"): [{NAS: "hold"}],
        (ALLIES, "strike"): [strike(5, {ENTERPRISE: 3})],  # row 3 hits with any roll
    }
    game = battle(rabaul(NAS=1), japan=(LINE, picket), answers=answers, dice={(ALLIES, "search"): [[5]]})
    decision = game.to(AXIS, "cover", round=2)
    assert game.fleet(AXIS).numbers == (6,)
    assert amounts(decision) == {NAS: 1}


# -- search --------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.4422C", "22.451A", "23.722A", "23.72T.1")
@pytest.mark.parametrize(("naval", "army", "dice"), [(0, 0, 0), (1, 0, 1), (1, 1, 2), (2, 1, 3), (3, 1, 3), (4, 2, 3)])
def test_each_searching_squadron_adds_a_die_and_three_is_the_most(naval: int, army: int, dice: int) -> None:
    small = force("Patrol", task_force=False, cruisers=2)
    answers = {(AXIS, "air search"): [{NAS: {"search": naval}, SEARCH: {"search": army}}]}
    game = battle(rabaul(NAS=4, search_AAS=2), japan=(small,), answers=answers).to_segment("air strikes")
    assert sum(each.count for each in game.events(ev.Searched) if each.side is AXIS) == dice
    assert [len(each[2]) for each in game.rolled if each[:2] == (AXIS, "search")] == ([dice] if dice else [])


@pytest.mark.ledger("22.451A", "23.11B")
def test_squadrons_that_stay_at_their_base_add_no_dice() -> None:
    small = force("Patrol", task_force=False, cruisers=2)
    answers = {(AXIS, "cover"): [{NAS: {"CG6": 2}}], (AXIS, "air search"): [{NAS: {"search": 1}}]}
    game = battle(rabaul(NAS=4, search_AAS=2), japan=(small,), answers=answers).to_segment("air strikes")
    (announced,) = [each for each in game.events(air.AirSearchAssigned) if each.side is AXIS]
    assert announced.squadrons == {NAS: 1}
    assert sum(each.count for each in game.events(ev.Searched) if each.side is AXIS) == 1


# -- strikes from the shore ----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.75B", "23.75B.1")
def test_squadrons_of_different_bases_make_one_strike() -> None:
    lae = air_base("Lae", {"Japan attack AAS": 2})
    answers = {(AXIS, "strike"): [strike(6, {NAS: 2, "Japan/AAS/attack@Lae": 2})]}
    game = battle(rabaul(NAS=2), lae, inputs=ADVANTAGE, answers=answers, dice={(AXIS, "search"): [[6]]})
    game.to_segment("fleet combat")
    assert game.strikes() == [(AXIS, 6, {NAS: 2, "Japan/AAS/attack@Lae": 2}, False)]


@pytest.mark.ledger("23.75C")
def test_squadrons_of_one_base_make_strikes_on_different_groups() -> None:
    answers = {(AXIS, "strike"): [strike(6, {NAS: 1}), strike(5, {NAS: 1})]}
    dice = {(AXIS, "search"): [[6, 5]]}
    game = battle(rabaul(NAS=2), america=(CARRIERS, CRUISERS), inputs=ADVANTAGE, round=2, answers=answers, dice=dice)
    game.to_segment("fleet combat", 2)
    assert game.strikes() == [(AXIS, 6, {NAS: 1}, False), (AXIS, 5, {NAS: 1}, False)]


@pytest.mark.ledger("23.75B.2", "22.461B.3", "23.74B.2")
def test_shore_and_carrier_squadrons_make_one_strike() -> None:
    carriers = force("Carriers", ships=["Akagi"], cruisers=4)
    answers = {(AXIS, "strike"): [strike(6, {NAS: 2, "akagi|Japan/NAS": 3})]}
    game = battle(rabaul(NAS=2), japan=(carriers,), answers=answers, dice={(AXIS, "search"): [[6]]})
    game.to_segment("fleet combat")
    assert game.strikes() == [(AXIS, 6, {"Japan/NAS": 3, NAS: 2}, False)]
    (attack,) = game.events(air.AirAttackRolled)
    assert total(attack.squadrons) == 5


@pytest.mark.ledger("23.75E", "23.7411A.1")
def test_land_based_air_never_surprises() -> None:
    answers = {(AXIS, "strike"): [strike(6, {NAS: 2})]}
    game = battle(rabaul(NAS=2), inputs=ADVANTAGE, answers=answers, dice={(AXIS, "search"): [[6]]})
    game.to_segment("fleet combat")
    assert not any(each.side is AXIS for each in game.events(ev.GroupFound))  # nobody had found the Japanese
    assert game.strikes() == [(AXIS, 6, {NAS: 2}, False)]
    assert game.events(air.SurpriseRolled) == []


@pytest.mark.ledger("23.751A", "22.32.1")
def test_strikes_from_the_shore_come_before_fleet_combat() -> None:
    answers = {(AXIS, "strike"): [strike(1, {NAS: 1})]}
    game = battle(
        rabaul(NAS=1),
        japan=(force("Line", 1, cruisers=5),),
        america=(force("Cruisers", 1, cruisers=5),),
        answers=answers,
        dice={(AXIS, "search"): [[1]]},
    ).to_segment("submarines")
    wanted = (air.StrikeAnnounced, air.AirAttackRolled, air.AirLanded, ev.FleetCombatBegan)
    order = list(dict.fromkeys(game.order(lambda event: isinstance(event, wanted))))
    assert order == ["StrikeAnnounced", "AirAttackRolled", "AirLanded", "FleetCombatBegan"]


@pytest.mark.ledger("23.72.1", "23.72.2", "22.462A")
def test_land_based_air_strikes_only_what_the_search_found() -> None:
    game = battle(rabaul(NAS=1), america=(CARRIERS, CRUISERS), inputs=ADVANTAGE, dice={(AXIS, "search"): [[5]]})
    assert targets(game.to(AXIS, "strike")) == {"CG5"}
    game.refuses(AXIS, strike(6, {NAS: 1}), "22.461")


@pytest.mark.ledger("23.73", "23.73.4", "22.462C", "23.441A.T8")
@pytest.mark.parametrize("short", ["Rabaul", "Japan"])
def test_squadrons_short_of_supply_are_fewer_in_a_strike(short: str) -> None:
    bases = [rabaul(NAS=5), air_base("Lae", {"Japan NAS": 5})]
    text = scenario_text(side("Japan", LINE, air=bases), side("United States", CARRIERS), inputs=ADVANTAGE)
    setup = parse_scenario(text, "text").setup
    short_of_supply = {**setup.public.air, AXIS: replace(setup.public.air[AXIS], impaired=(short,))}
    game = AirBattle(replace(setup, public=replace(setup.public, air=short_of_supply)), {(AXIS, "search"): [[6]]})
    game.to(AXIS, "strike")
    game.refuses(AXIS, strike(6, {NAS: 5}), "23.73")
    both = strike(6, {NAS: 4, "Japan/NAS@Lae": 4})
    if short == "Japan":
        game.refuses(AXIS, both, "23.73")
        game.answer(AXIS, strike(6, {NAS: 2, "Japan/NAS@Lae": 2}))
    else:
        game.refuses(AXIS, strike(6, {NAS: 4, "Japan/NAS@Lae": 5}), "23.73")
        game.answer(AXIS, both)
