"""Air strikes in a battle: order, search results, surprise, who may fly together, raiders (22.46, 22.452C, 23.74)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import Disclosed
from flagplot.model.squadrons import total
from tests.rules.air_table import (
    ALLIES,
    AXIS,
    AirBattle,
    air_base,
    amounts,
    force,
    places,
    scenario_text,
    side,
    strike,
    targets,
    to_place,
)

AKAGI, KAGA, SORYU, HIRYU = (f"{name}|Japan/NAS" for name in ("akagi", "kaga", "soryu", "hiryu"))
ENTERPRISE, HORNET, YORKTOWN = (f"{name}|United States/NAS" for name in ("enterprise", "hornet", "yorktown"))
SHORE = "Japan/NAS@Rabaul"
FIRST = force("First", ships=["Akagi", "Kaga"], cruisers=3)
SECOND = force("Second", 5, ships=["Soryu"], cruisers=4)
TF16 = force("Task Force 16", ships=["Enterprise", "Hornet"], cruisers=3)
TF17 = force("Task Force 17", 5, ships=["Yorktown"], cruisers=4)
RABAUL = air_base("Rabaul", {"Japan NAS": 2})


def battle(
    dice: Any = None,
    answers: Any = None,
    japan: tuple[dict[str, Any], ...] = (FIRST, SECOND),
    america: tuple[dict[str, Any], ...] = (TF16, TF17),
    air: tuple[dict[str, Any], ...] = (),
    radar: int = 0,
    **top: Any,
) -> AirBattle:
    """Two groups of carriers on each side, each with a search die for either group."""
    allies = side("United States", *america, research={"radar": radar})
    return AirBattle(scenario_text(side("Japan", *japan, air=air), allies, **top), dice, answers)


def found(axis: list[int], allies: list[int]) -> dict[tuple[Side, str], list[list[int]]]:
    """Search dice of the first round."""
    return {(AXIS, "search"): [axis], (ALLIES, "search"): [allies]}


class Offers:
    """Answers a question with what it was told and remembers which groups were offered each time."""

    def __init__(self, *wires: Any) -> None:
        self.wires = list(wires)
        self.targets: list[set[str]] = []

    def __call__(self, decision: Decide) -> Any:
        self.targets.append(targets(decision))
        return self.wires.pop(0) if self.wires else {}


# -- order ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.461B.1")
@pytest.mark.parametrize(
    ("axis", "allies", "interceptor", "first"),
    [
        ([6, 5], [6], "allies", AXIS),
        ([6, 6], [6], "allies", AXIS),  # results, not groups
        ([6], [6, 5], "axis", ALLIES),
        ([6], [5], "allies", ALLIES),
        ([6], [5], "axis", AXIS),
    ],
)
def test_the_side_with_more_search_results_strikes_first_and_on_ties_the_interceptor(
    axis: list[int], allies: list[int], interceptor: str, first: Side
) -> None:
    answers = {
        (AXIS, "strike"): [strike(6, {AKAGI: 1})],
        (ALLIES, "strike"): [strike(allies[0], {ENTERPRISE: 1})],
    }
    game = battle(found(axis, allies), answers, interceptor=interceptor).to_segment("fleet combat")
    assert [each.side for each in game.events(air.StrikeAnnounced)] == [first, first.enemy]


@pytest.mark.ledger("22.461B.2")
def test_a_side_ends_all_its_strikes_one_by_one_before_the_other_begins() -> None:
    game = battle(found([6, 5], [6]), {(ALLIES, "strike"): [strike(6, {ENTERPRISE: 1})]})
    game.to(AXIS, "strike")
    game.answer(AXIS, strike(6, {AKAGI: 1}))
    decision = game.to(AXIS, "strike")  # the second target is chosen when the first strike is over
    assert len(game.events(air.StrikeEnded)) == 1
    assert targets(decision) == {"CG5"}
    game.answers[AXIS, "strike"] = [strike(5, {KAGA: 1})]
    game.to_segment("fleet combat")
    wanted = (air.StrikeAnnounced, air.StrikeEnded, air.StrikesEnded)
    told = [(type(event).__name__, event.side) for event in game.game.events() if isinstance(event, wanted)]
    one = [("StrikeAnnounced", AXIS), ("StrikeEnded", AXIS)]
    other = [("StrikeAnnounced", ALLIES), ("StrikeEnded", ALLIES)]
    assert told == [*one, *one, ("StrikesEnded", AXIS), *other, ("StrikesEnded", ALLIES)]


@pytest.mark.ledger("22.46.1", "22.41G")
def test_strikes_follow_the_search_of_both_sides() -> None:
    game = battle(found([6], [6]), {(AXIS, "strike"): [strike(6, {AKAGI: 1})]}).to_segment("fleet combat")
    assert game.order(lambda event: isinstance(event, ev.Searched | air.StrikeAnnounced)) == [
        "Searched",
        "Searched",
        "StrikeAnnounced",
    ]


@pytest.mark.ledger("22.46.2", "23.74D.2")
def test_nobody_must_strike_and_what_stayed_may_fly_in_the_next_round() -> None:
    game = battle({(AXIS, "search"): [[6], [6]]})
    game.to(AXIS, "strike")
    game.answer(AXIS, {"target": "none"})
    decision = game.to(AXIS, "strike", round=2)
    assert game.strikes() == []
    assert amounts(decision) == {"target": 1, AKAGI: 3, KAGA: 3, SORYU: 3}


@pytest.mark.ledger("22.462A", "22.46.2")
def test_a_strike_has_a_target_and_squadrons() -> None:
    game = battle(found([6], []))
    game.to(AXIS, "strike")
    game.refuses(AXIS, to_place("fly", **{AKAGI: 1}), "22.462A")
    game.refuses(AXIS, {"target": "CG6"}, "22.46")


# -- search results ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.462A", "23.72.1", "23.72.2")
def test_only_groups_that_were_found_are_struck() -> None:
    game = battle(found([5, 5], []))
    assert targets(game.to(AXIS, "strike")) == {"CG5"}
    game.refuses(AXIS, strike(6, {AKAGI: 1}), "22.461")


@pytest.mark.ledger("23.722A", "23.722B", "23.722C", "23.722D.1", "23.722D.2", "23.722D.3")
@pytest.mark.ledger("23.72T.1", "23.72T.2", "23.72T.3", "23.72T.4", "23.72T.5")
def test_the_search_dice_of_a_battle_add_up() -> None:
    japan = (
        force("Ten active", 1, cruisers=5),
        force("Eight sound", 2, cruisers=4, damaged_cruisers=1),
        FIRST,  # distant, with two carriers
        force("Second", 5, ships=[{"name": "Soryu", "air": 2}], cruisers=4),  # distant, short of a squadron
        force("Late", 0, ships=["Hiryu"], cruisers=4, arrives=5),
    )
    shore = air_base("Rabaul", {"Japan NAS": 4})
    answers = {(AXIS, "air search"): [{SHORE: {"search": 4}}]}
    top = {"round": 3, "inputs": {"search_advantage": "axis"}}
    game = battle({}, answers, japan=japan, america=(TF16,), air=(shore,), **top).to_segment("air strikes", 3)
    counts = {each.side: each.count for each in game.events(ev.Searched)}
    # Three for air, one for codebreaking, two for rounds, one for ten factors, one for carriers; two, one, less one.
    assert counts == {AXIS: 3 + 1 + 2 + 1 + 1, ALLIES: 2 + 1 - 1}


@pytest.mark.ledger("23.721B", "23.723", "23.723A", "23.72T.6", "23.72T.7")
@pytest.mark.ledger("23.723B.1", "23.723B.2", "23.723B.3", "23.723B.4")
def test_each_die_that_shows_a_groups_number_finds_it_and_four_things_are_told_of_it() -> None:
    cargo = [{"name": "the landing force", "needs": 2}]
    convoy = force("Convoy", 5, task_force=False, mission="sea transport", destroyers=4, cargo=cargo)
    hidden = force("Task Force 18", 4, cruisers=5)
    game = battle(found([6, 5, 6], []), america=(TF16, convoy, hidden), round=2)
    assert targets(game.to(AXIS, "strike")) == {"CG5", "CG6"}
    told = {each.number: (each.results, each.disclosed) for each in game.seen(AXIS, ev.GroupFound)}
    assert told == {
        6: (2, Disclosed(under_ten=False, fast_carriers=2, fast=True, cargo=False)),
        5: (1, Disclosed(under_ten=True, fast_carriers=0, fast=False, cargo=True)),
    }
    assert game.known(AXIS, 4).disclosed is None
    game.refuses(AXIS, strike(4, {AKAGI: 1}), "22.461")


@pytest.mark.ledger("22.462B", "22.452C.1", "23.723B", "23.723C", "22.452C.3.1")
@pytest.mark.parametrize(
    ("dice", "offered"),
    [
        ([6], [{"CG6"}, set()]),
        ([6, 6], [{"CG6"}, {"CG6"}, set()]),
        ([6, 5], [{"CG5", "CG6"}, {"CG5"}, set()]),
    ],
)
def test_each_search_result_pays_for_one_strike_on_its_group(dice: list[int], offered: list[set[str]]) -> None:
    wires = [strike(int(max(each)[2:]), {item: 1}) for each, item in zip(offered, (AKAGI, KAGA), strict=False) if each]
    seen = Offers(*wires)
    game = battle(found(dice, []), {(AXIS, "strike"): seen}).to_segment("fleet combat")
    assert len(game.strikes()) == len(wires)
    assert [*seen.targets, set()][: len(offered)] == offered
    assert all(each == set() for each in seen.targets[len(wires) :])


@pytest.mark.ledger("22.462A", "22.462B")
def test_a_group_that_was_sunk_is_struck_no_more_whatever_results_are_left() -> None:
    small = force("Picket", 5, task_force=False, destroyers=1)
    seen = Offers(strike(5, {AKAGI: 3}))  # row 3 hits with any roll
    game = battle(found([5, 5], []), {(AXIS, "strike"): seen}, america=(TF16, small)).to_segment("fleet combat")
    assert game.fleet(ALLIES).numbers == (6,)
    assert all(each == set() for each in seen.targets[1:])


RAIDING = force("Cruisers", 1, cruisers=5)


def engagements_offered(dice: list[int], strikes: int) -> set[str]:
    """What an active Japanese group may engage when a distant group was struck so many times."""
    seen = Offers()
    wires = [strike(5, {item: 1}) for item in (AKAGI, KAGA)][:strikes]
    answers = {(AXIS, "strike"): wires, (AXIS, "engage"): seen}
    game = battle(found(dice, []), answers, japan=(RAIDING, FIRST), america=(TF17,)).to_segment("submarines")
    assert len(game.strikes()) == strikes
    return set().union(*seen.targets)


@pytest.mark.ledger("22.452C", "22.452C.2.1", "22.452C.3", "22.452C.3.1", "22.452C.3.3")
@pytest.mark.parametrize(
    ("dice", "strikes", "offered"),
    [
        ([5], 0, {"CG5"}),
        ([5], 1, set()),
        ([5, 5], 0, {"CG5"}),
        ([5, 5], 1, {"CG5"}),
        ([5, 5], 2, set()),
    ],
)
def test_strikes_and_engagements_of_a_distant_group_share_its_search_results(
    dice: list[int], strikes: int, offered: set[str]
) -> None:
    assert engagements_offered(dice, strikes) == offered


@pytest.mark.ledger("22.452C.2.2")
def test_active_groups_meet_in_fleet_combat_however_often_they_were_struck() -> None:
    active = force("Cruisers", 1, cruisers=5)
    answers = {(AXIS, "strike"): [strike(1, {AKAGI: 1})]}
    game = battle(found([1], []), answers, japan=(RAIDING, FIRST), america=(active,)).to_segment("submarines")
    assert len(game.strikes()) == 1
    assert [(each.engagement.axis, each.engagement.allies) for each in game.events(ev.FleetCombatBegan)] == [(1, 1)]


# -- surprise ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.461A", "22.462D", "23.74E", "22.41G.1", "22.41G.2", "23.7411", "23.7411C")
@pytest.mark.parametrize("second", [6, 5])
def test_the_first_carrier_strike_of_a_side_that_was_not_found_is_a_surprise_and_no_other(second: int) -> None:
    answers = {(AXIS, "strike"): [strike(6, {AKAGI: 1}), strike(second, {KAGA: 1})]}
    game = battle(found([6, second], []), answers).to_segment("fleet combat")
    assert [surprise for *_, surprise in game.strikes()] == [True, False]
    assert len(game.events(air.SurpriseRolled)) == 1


@pytest.mark.ledger("22.462E", "23.7411B")
def test_a_side_of_which_any_group_was_found_surprises_nobody() -> None:
    answers = {(AXIS, "strike"): [strike(6, {AKAGI: 1})], (ALLIES, "strike"): [strike(5, {ENTERPRISE: 1})]}
    game = battle(found([6], [5]), answers).to_segment("fleet combat")
    assert [surprise for *_, surprise in game.strikes()] == [False, False]
    assert game.events(air.SurpriseRolled) == []


@pytest.mark.ledger("23.7411B.c", "22.462A")
def test_a_side_that_found_nothing_does_not_strike() -> None:
    game = battle(found([6], [])).to_segment("fleet combat")
    assert (game.was_asked(AXIS, "strike"), game.was_asked(ALLIES, "strike")) == (1, 0)


@pytest.mark.ledger("23.7411A.2", "23.7411", "23.74B.2")
@pytest.mark.parametrize("first", [{AKAGI: 1, SHORE: 1}, {SHORE: 1}])
def test_a_first_strike_with_land_based_air_is_no_surprise_and_ends_the_chance_of_one(first: dict[str, int]) -> None:
    answers = {(AXIS, "strike"): [strike(6, first), strike(6, {KAGA: 1})]}
    game = battle(found([6, 6], []), answers, air=(RABAUL,)).to_segment("fleet combat")
    assert [surprise for *_, surprise in game.strikes()] == [False, False]


@pytest.mark.ledger("23.74121", "23.74122A.1", "23.74122A.2", "23.74122A.3", "23.74122B")
@pytest.mark.parametrize(
    ("dice", "number", "radar", "die", "level"),
    [
        ([6], 6, 0, 4, 4),
        ([6, 6], 6, 0, 4, 5),
        ([6, 6, 6], 6, 0, 4, 6),
        ([6, 6, 5], 5, 0, 4, 4),  # the results on the group that is struck count, not the others
        ([6, 6], 6, 2, 4, 3),
        ([6], 6, 2, 1, 0),  # below one it has no effect, however far below
    ],
)
def test_the_surprise_level_is_a_die_with_search_results_and_enemy_radar(
    dice: list[int], number: int, radar: int, die: int, level: int
) -> None:
    answers = {(AXIS, "strike"): [strike(number, {AKAGI: 1})]}
    rolls = {**found(dice, []), (AXIS, "surprise"): [[die]]}
    game = battle(rolls, answers, radar=radar, round=2).to_segment("fleet combat", 2)
    (rolled,) = game.events(air.SurpriseRolled)
    assert (rolled.dice, max(0, rolled.level)) == ((die,), level)


# -- who flies together --------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.74B", "23.74B.1")
def test_carriers_of_different_groups_make_one_strike() -> None:
    answers = {(AXIS, "strike"): [strike(6, {AKAGI: 2, SORYU: 3})]}
    game = battle(found([6], []), answers).to_segment("fleet combat")
    assert game.strikes() == [(AXIS, 6, {"Japan/NAS": 5}, True)]


@pytest.mark.ledger("23.74C")
def test_the_squadrons_of_one_group_make_strikes_on_different_groups() -> None:
    answers = {(AXIS, "strike"): [strike(6, {AKAGI: 2, KAGA: 1}), strike(5, {AKAGI: 1, KAGA: 2})]}
    game = battle(found([6, 5], []), answers).to_segment("fleet combat")
    assert [(number, squadrons) for _, number, squadrons, _ in game.strikes()] == [
        (6, {"Japan/NAS": 3}),
        (5, {"Japan/NAS": 3}),
    ]


@pytest.mark.ledger("23.74D.1", "23.74D.2")
def test_a_squadron_attacks_once_in_a_round_and_again_in_the_next() -> None:
    dice = {(AXIS, "search"): [[6, 6], [6]]}
    game = battle(dice, {(AXIS, "strike"): [strike(6, {AKAGI: 3, KAGA: 1})]})
    game.to(AXIS, "strike")
    game.step()
    decision = game.to(AXIS, "strike")
    assert amounts(decision) == {"target": 1, KAGA: 2, SORYU: 3}
    game.refuses(AXIS, strike(6, {AKAGI: 1}), "22.461")
    game.refuses(AXIS, strike(6, {KAGA: 3}), "22.461")
    assert sum(amounts(game.to(AXIS, "strike", round=2)).values()) - 1 == 9


@pytest.mark.ledger("23.74D.1", "23.74D.2", "23.423.3")
def test_a_squadron_that_turned_back_has_had_its_attack_for_the_round() -> None:
    # Twelve factors are level 2, and four is 0/1.
    dice = {(AXIS, "search"): [[6, 6], [6]], (ALLIES, "air defense"): [[2, 2]]}
    game = battle(dice, {(AXIS, "strike"): [strike(6, {SORYU: 1})]})
    game.to(AXIS, "strike")
    game.step()
    assert amounts(game.to(AXIS, "strike"))[SORYU] == 2
    assert amounts(game.to(AXIS, "landing"))["returning|Japan/NAS"] == 1
    assert amounts(game.to(AXIS, "strike", round=2))[SORYU] == 3


@pytest.mark.ledger("23.73.1", "23.73.2", "23.73.3", "23.73.4.1", "23.73.4.2", "23.73.4.3", "22.462C")
def test_the_air_drm_limits_how_many_fly_in_one_strike() -> None:
    regular = battle(found([6], []))
    regular.to(AXIS, "strike")
    regular.refuses(AXIS, strike(6, {AKAGI: 3, KAGA: 3, SORYU: 3}), "23.73")
    regular.answer(AXIS, strike(6, {AKAGI: 3, KAGA: 3, SORYU: 2}))

    ships = [{"name": name, "elite": 3} for name in ("Akagi", "Kaga", "Soryu")] + [{"name": "Hiryu"}]
    fleet = force("First Air Fleet", ships=ships, cruisers=6)
    elite = {f"{name}|Japan/NAS/elite": 3 for name in ("akagi", "kaga", "soryu")}
    mixed = battle(found([6], []), japan=(fleet,), air=(RABAUL,))
    mixed.to(AXIS, "strike")
    mixed.refuses(AXIS, strike(6, {**elite, HIRYU: 3, SHORE: 1}), "23.73")
    mixed.answer(AXIS, strike(6, {**elite, HIRYU: 3}))

    british = force("Force H", ships=["Ark Royal", "Formidable", "Victorious"], cruisers=4)
    german = force("Line", ships=["Bismarck"], cruisers=4)
    text = scenario_text(side("Germany", german), side("Britain", british), theatre="Europe")
    force_h = AirBattle(text, {(ALLIES, "search"): [[6]]})
    force_h.to(ALLIES, "strike")
    decks = {f"{name}|Britain/NAS": 2 for name in ("ark-royal", "formidable")}
    force_h.refuses(ALLIES, strike(6, {**decks, "victorious|Britain/NAS": 1}), "23.73")
    force_h.answer(ALLIES, strike(6, decks))


@pytest.mark.ledger("23.76-a.E", "23.416B.1")
def test_a_second_strike_meets_the_defenders_that_are_left_and_the_guns_again() -> None:
    answers = {
        (ALLIES, "patrol"): [to_place("patrol", **{ENTERPRISE: 2})],
        (AXIS, "strike"): [strike(6, {AKAGI: 3}), strike(6, {KAGA: 3})],
    }
    # Two against two: the patrol has +1, so ten is nine for the attackers, row 2: 1/2. The defenders' three is 0/1.
    dice = {**found([6, 6], [5]), (AXIS, "air combat"): [[5, 5]], (ALLIES, "air combat"): [[1, 1]]}
    game = battle(dice, answers).to_segment("fleet combat")
    assert [total(each.defenders) for each in game.events(air.AirCombatJoined)] == [2, 1]
    assert len(game.events(air.AirDefenseRolled)) == 2
    first, _ = game.events(air.AirCombatFought)
    assert (first.eliminated, first.aborted) == ({AXIS: 1, ALLIES: 0}, {AXIS: 2, ALLIES: 1})


@pytest.mark.ledger("22.461B.2", "22.463")
def test_squadrons_that_went_down_with_their_carrier_strike_nobody() -> None:
    answers = {
        (ALLIES, "strike"): [strike(6, {ENTERPRISE: 3})],
        (ALLIES, "air targets"): [{"United States/NAS": "akagi"}],
    }
    # Three squadrons, +2 - 1 + 1 on Akagi: seven is nine, three hits, and she sinks.
    dice = {**found([6], [6]), (ALLIES, "air attack"): [[3, 4]]}
    game = battle(dice, answers)
    assert amounts(game.to(AXIS, "strike")) == {"target": 1, KAGA: 3, SORYU: 3}


# -- raiders -------------------------------------------------------------------------------------------------------


def raiders(answers: dict[tuple[Side, str], Any], germany: bool = True) -> AirBattle:
    """German raiders and the British ships that hunt them."""
    ships = ["Graf Zeppelin", "Scharnhorst"] if germany else ["Gneisenau", "Scharnhorst"]
    raid = {"name": "Raiders", "mission": "raid", "ships": ships, "cruisers": 1}
    hunt = {"name": "Hunters", "mission": "raider hunt", "ships": ["Ark Royal", "Renown"], "cruisers": 4}
    text = scenario_text(side("Germany", raid), side("Britain", hunt), theatre="Europe", kind="raider combat")
    return AirBattle(text, answers=answers)


ZEPPELIN, ARK_ROYAL = "graf-zeppelin|Germany/NAS", "ark-royal|Britain/NAS"


@pytest.mark.ledger("22.35B", "22.35C", "22.35D")
def test_raiders_and_hunters_find_each_other_once_and_strike_once_the_hunters_first() -> None:
    answers: dict[tuple[Side, str], Callable[[Decide], Any]] = {
        (AXIS, "strike"): Offers(strike(1, {ZEPPELIN: 1})),
        (ALLIES, "strike"): Offers(strike(1, {ARK_ROYAL: 1})),
    }
    game = raiders(answers).to_end()
    assert game.strikes() == [
        (ALLIES, 1, {"Britain/NAS": 1}, False),
        (AXIS, 1, {"Germany/NAS": 1}, False),
    ]
    for offers in answers.values():
        assert isinstance(offers, Offers)
        assert offers.targets[0] == {"CG1"}
        assert all(each == set() for each in offers.targets[1:])
    assert not [purpose for _, purpose, _ in game.rolled if purpose in ("search", "surprise")]
    wanted = (air.StrikeEnded, air.AirLanded, ev.FleetCombatBegan)
    order = game.order(lambda event: isinstance(event, wanted))
    assert order == ["StrikeEnded", "StrikeEnded", "AirLanded", "AirLanded", "FleetCombatBegan"]


@pytest.mark.ledger("22.35B")
def test_hunters_surprise_nobody_although_the_raiders_have_no_aircraft() -> None:
    game = raiders({(ALLIES, "strike"): [strike(1, {ARK_ROYAL: 2})]}, germany=False).to_end()
    assert game.strikes() == [(ALLIES, 1, {"Britain/NAS": 2}, False)]


@pytest.mark.ledger("22.35C", "23.33.1")
def test_a_third_of_the_raiders_naval_air_may_patrol() -> None:
    game = raiders({(ALLIES, "strike"): [strike(1, {ARK_ROYAL: 1})]})
    decision = game.to(AXIS, "patrol")
    assert places(decision, ZEPPELIN) == {"deck", "patrol"}
    game.refuses(AXIS, to_place("patrol", **{ZEPPELIN: 2}), "23.33")
    game.answer(AXIS, to_place("patrol", **{ZEPPELIN: 1}))
    assert amounts(game.to(AXIS, "defend")) == {"Germany/NAS": 1}


@pytest.mark.ledger("22.35C")
def test_a_carrier_among_raiders_that_nobody_engaged_takes_no_part() -> None:
    raid = {"name": "Raiders", "mission": "raid", "ships": ["Scharnhorst"], "cruisers": 1}
    free = {"name": "Free", "mission": "raid", "ships": ["Graf Zeppelin"], "cruisers": 1, "engaged": False}
    hunt = {"name": "Hunters", "mission": "raider hunt", "ships": ["Ark Royal", "Renown"], "cruisers": 4}
    game = AirBattle(
        scenario_text(side("Germany", raid, free), side("Britain", hunt), theatre="Europe", kind="raider combat")
    )
    assert amounts(game.to(AXIS, "patrol")) == {}
    assert amounts(game.to(AXIS, "strike")) == {"target": 1}
