"""Combat air patrol, and carrier attacks on air bases during a battle (22.41B, 22.43, 23.33, 23.35, 23.413, 23.61C)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.events import Event
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.squadrons import squadron, total
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
    to_place,
)

AKAGI, KAGA, SORYU, HIRYU = (f"{name}|Japan/NAS" for name in ("akagi", "kaga", "soryu", "hiryu"))
NAS, AT_MIDWAY = "United States/NAS", "United States/NAS@Midway"
TWO_CARRIERS = force("Kido Butai", ships=["Akagi", "Kaga"], cruisers=3)
ENTERPRISE = force("Task Force 16", ships=["Enterprise"], cruisers=4)


def at(name: str, **squadrons: int) -> dict[str, Any]:
    """Naval air sent to an air base."""
    return to_place(f"base {name}", **squadrons)


def battle(
    *bases: dict[str, Any],
    japan: dict[str, Any] | tuple[dict[str, Any], ...] = TWO_CARRIERS,
    america: dict[str, Any] = ENTERPRISE,
    dice: Any = None,
    answers: Any = None,
    carrier_range: int = 0,
    **top: Any,
) -> AirBattle:
    """Japanese carriers within reach of American air bases."""
    forces = japan if isinstance(japan, tuple) else (japan,)
    text = scenario_text(
        side("Japan", *forces, carrier_range=carrier_range), side("United States", america, air=bases), **top
    )
    return AirBattle(text, dice, answers)


def midway(**aircraft: int) -> dict[str, Any]:
    return air_base("Midway", {f"United States {unit}": number for unit, number in aircraft.items()})


# -- patrol --------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.33.1", "23.33.ex", "23.32", "23.35B", "22.41B.1")
def test_of_twelve_squadrons_four_may_patrol_and_when_three_are_lost_three_may() -> None:
    four_carriers = force("First Air Fleet", ships=["Akagi", "Kaga", "Soryu", "Hiryu"], cruisers=6)
    game = battle(midway(NAS=12), japan=four_carriers)
    game.to(AXIS, "patrol")
    game.refuses(AXIS, to_place("patrol", **{AKAGI: 3, KAGA: 2}), "23.33")
    attack = at("Midway", **{SORYU: 3, HIRYU: 3})
    game.answer(AXIS, {**to_place("patrol", **{AKAGI: 3, KAGA: 1}), **attack})
    # Six squadrons attack twelve: 1/2 for them, 3/3 for the defenders, on twos.
    game.to(AXIS, "patrol", round=2)
    assert total(game.fleet(AXIS).air_lost) == 3
    aboard = amounts(game.to(AXIS, "patrol", round=2))
    assert sum(aboard.values()) == 9
    four: dict[str, int] = {}
    for item, number in aboard.items():
        four[item] = min(number, 4 - sum(four.values()))
    game.refuses(AXIS, to_place("patrol", **four), "23.33")
    item = next(item for item, number in four.items() if number)
    game.answer(AXIS, to_place("patrol", **{**four, item: four[item] - 1}))
    game.to_segment("search", 2)
    assert total(game.fleet(AXIS).group(6).patrol) == 3


@pytest.mark.ledger("23.33.1", "22.431A", "23.31")
def test_the_third_is_taken_of_each_group_and_rounded_up() -> None:
    seven = force("One", ships=["Akagi", "Kaga", {"name": "Zuiho", "air": 1}], cruisers=4)
    four = force("Two", 5, ships=["Soryu", {"name": "Ryujo", "air": 1}], cruisers=3)
    game = battle(japan=(seven, four))
    game.to(AXIS, "patrol")
    game.refuses(AXIS, to_place("patrol", **{AKAGI: 3, KAGA: 1}), "23.33")
    game.refuses(AXIS, to_place("patrol", **{SORYU: 3}), "23.33")
    game.answer(AXIS, to_place("patrol", **{AKAGI: 3, SORYU: 1, "ryujo|Japan/NAS": 1}))
    game.to_segment("search")
    assert {group.number: total(group.patrol) for group in game.fleet(AXIS).groups} == {5: 2, 6: 3}


@pytest.mark.ledger("23.33.1")
def test_squadrons_aboard_a_damaged_carrier_do_not_raise_the_limit() -> None:
    damaged = {"name": "Kaga", "damaged": True, "air": 1}
    game = battle(japan=force("One", ships=["Akagi", damaged], cruisers=3))
    game.to(AXIS, "patrol")
    game.refuses(AXIS, to_place("patrol", **{AKAGI: 2}), "23.33")
    game.answer(AXIS, to_place("patrol", **{AKAGI: 1}))


@pytest.mark.ledger("23.33.2", "23.35A")
def test_the_limit_counts_squadrons_that_are_about_to_attack_a_base() -> None:
    game = battle(midway(NAS=1), japan=force("One", ships=["Akagi", "Kaga", "Soryu"], cruisers=5))
    game.to(AXIS, "patrol")
    game.answer(AXIS, {**to_place("patrol", **{AKAGI: 3}), **at("Midway", **{KAGA: 3, SORYU: 3})})
    game.to_segment("search")
    assert total(game.fleet(AXIS).group(6).patrol) == 3


@pytest.mark.ledger("23.36", "23.11C")
def test_escort_carriers_add_nothing_to_the_patrol() -> None:
    game = battle(america=force("Task Force 16", ships=["Enterprise"], cruisers=3, escort_carriers=4))
    decision = game.to(ALLIES, "patrol")
    assert amounts(decision) == {f"enterprise|{NAS}": 3}
    game.refuses(ALLIES, to_place("patrol", **{f"enterprise|{NAS}": 2}), "23.33")
    game.answer(ALLIES, to_place("patrol", **{f"enterprise|{NAS}": 1}))


@pytest.mark.ledger("22.41B.1", "22.41C.1", "22.441")
def test_squadrons_on_patrol_fly_no_strike_in_that_round() -> None:
    on_patrol = to_place("patrol", **{AKAGI: 2})
    game = battle(dice={(AXIS, "search"): [[6], [6]]}, answers={(AXIS, "patrol"): [on_patrol]})
    decision = game.to(AXIS, "strike")
    assert amounts(decision) == {"target": 1, AKAGI: 1, KAGA: 3}
    game.refuses(AXIS, strike(6, {AKAGI: 2}), "22.461")
    decision = game.to(AXIS, "strike", round=2)  # and in the next round anything again
    assert amounts(decision) == {"target": 1, AKAGI: 3, KAGA: 3}


# -- attacks on air bases ------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.41B.2", "22.431B", "22.432", "23.61C", "22.31A", "22.341A")
def test_each_base_is_attacked_for_one_round_with_the_squadrons_announced_for_it() -> None:
    sent = {AKAGI: {"base Midway": 3}, KAGA: {"base Midway": 1, "base Wake": 2}}
    wake = air_base("Wake", {"United States NAS": 1})
    dice = {(AXIS, "counterair"): [[3, 4], [3, 4]]}
    game = battle(midway(NAS=2), wake, dice=dice, answers={(AXIS, "patrol"): [sent]}).to_segment("search")
    (announced,) = game.events(air.CounterairsAnnounced)
    assert [(each.base, each.squadrons) for each in announced.counterairs] == [
        ("Midway", {"Japan/NAS": 4}),
        ("Wake", {"Japan/NAS": 2}),
    ]
    first, second = game.events(air.CounterairFought)
    log: list[Event] = game.game.events()
    assert log.index(announced) < log.index(first) < log.index(second)
    # Row 4 on seven is 1/3 and row 2 on two is 0/1; row 2 on seven is 1/1 and row 1 on two is nothing.
    assert (first.base, first.attackers, first.defenders) == ("Midway", {"Japan/NAS": 4}, {AT_MIDWAY: 2})
    assert (first.eliminated, first.aborted) == ({AXIS: 1, ALLIES: 0}, {AXIS: 3, ALLIES: 1})
    assert (second.base, second.attackers, second.defenders) == ("Wake", {"Japan/NAS": 2}, {f"{NAS}@Wake": 1})
    assert (second.eliminated, second.aborted) == ({AXIS: 1, ALLIES: 0}, {AXIS: 1, ALLIES: 0})
    over_midway, over_wake = game.events(air.CounterairEnded)
    assert (over_midway.lost, over_midway.aborted, over_midway.back) == ({}, {"Japan/NAS": 1}, {"Japan/NAS": 3})
    assert (over_midway.base_lost, over_midway.base_aborted) == ({AT_MIDWAY: 1}, {AT_MIDWAY: 1})
    assert (over_wake.lost, over_wake.aborted, over_wake.back) == ({}, {}, {"Japan/NAS": 2})
    assert (over_wake.base_lost, over_wake.base_aborted) == ({f"{NAS}@Wake": 1}, {})


@pytest.mark.ledger("23.64", "22.431", "22.41B.2")
def test_bases_are_attacked_after_groups_are_numbered_and_before_cover_and_search() -> None:
    answers = {(AXIS, "patrol"): [{**to_place("patrol", **{AKAGI: 1}), **at("Midway", **{KAGA: 1})}]}
    game = battle(midway(NAS=1), answers=answers).to_segment("disclosure")
    wanted = (ev.MarkersPlaced, air.PatrolsFlown, air.CounterairFought, air.CoverAnnounced, ev.Searched)
    order = game.order(lambda event: isinstance(event, wanted) and getattr(event, "side", AXIS) is AXIS)
    assert order == ["MarkersPlaced", "PatrolsFlown", "CounterairFought", "CoverAnnounced", "Searched"]


@pytest.mark.ledger("22.433", "22.441", "22.41C.1", "22.451D.2.1")
def test_attackers_that_neither_fell_nor_turned_back_may_still_strike() -> None:
    sent = {**to_place("patrol", **{AKAGI: 2}), **at("Midway", **{KAGA: 3})}
    dice = {(ALLIES, "counterair"): [[4, 4]], (AXIS, "search"): [[6]]}  # row 1 on eight: 1/1
    back = {(AXIS, "back on deck"): [{"Japan/NAS": "kaga"}]}
    game = battle(midway(NAS=1), dice=dice, answers={(AXIS, "patrol"): [sent], **back})
    decision = game.to(AXIS, "strike")
    (ended,) = game.events(air.CounterairEnded)
    assert (ended.lost, ended.aborted, ended.back) == ({"Japan/NAS": 1}, {"Japan/NAS": 1}, {"Japan/NAS": 1})
    assert amounts(decision) == {"target": 1, AKAGI: 1, KAGA: 1}
    game.answer(AXIS, strike(6, {AKAGI: 1, KAGA: 1}))
    assert game.strikes() == [(AXIS, 6, {"Japan/NAS": 2}, True)]


@pytest.mark.ledger("23.74D.2")
def test_attackers_that_turned_back_from_a_base_fly_again_in_the_next_round() -> None:
    dice = {(ALLIES, "counterair"): [[4, 4]], (AXIS, "search"): [[6], [6]]}
    game = battle(midway(NAS=1), dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{KAGA: 3})]})
    decision = game.to(AXIS, "strike", round=1)
    assert sum(amounts(decision).values()) - 1 == 4
    decision = game.to(AXIS, "strike", round=2)
    assert sum(amounts(decision).values()) - 1 == 5


@pytest.mark.ledger("22.41B.3", "22.434.1", "22.434.2", "22.442C")
def test_base_air_that_aborted_is_out_for_the_round_and_the_rest_covers_searches_or_strikes() -> None:
    dice = {(AXIS, "counterair"): [[3, 3]], (ALLIES, "search"): [[6], [6]]}  # row 3 on six: 1/2
    game = battle(midway(NAS=4), dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 3})]})
    assert amounts(game.to(ALLIES, "cover")) == {AT_MIDWAY: 1}
    game.refuses(ALLIES, to_place("CG6", **{AT_MIDWAY: 2}), "22.4421")
    assert amounts(game.to(ALLIES, "air search")) == {AT_MIDWAY: 1}
    assert amounts(game.to(ALLIES, "strike"))[AT_MIDWAY] == 1
    assert amounts(game.to(ALLIES, "cover", round=2)) == {AT_MIDWAY: 3}
    assert amounts(game.to(ALLIES, "air search", round=2)) == {AT_MIDWAY: 3}
    assert amounts(game.to(ALLIES, "strike", round=2))[AT_MIDWAY] == 3


@pytest.mark.ledger("23.414")
def test_aircraft_of_a_base_nearby_do_not_help() -> None:
    wake = air_base("Wake", {"United States NAS": 5})
    game = battle(midway(NAS=1), wake, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 2})]})
    game.to_segment("search")
    (fought,) = game.events(air.CounterairFought)
    assert fought.defenders == {AT_MIDWAY: 1}


@pytest.mark.ledger("22.342")
def test_land_based_air_attacks_no_base_during_a_battle() -> None:
    japan = side("Japan", TWO_CARRIERS, air=[air_base("Rabaul", {"Japan NAS": 2, "Japan AAF": 1})])
    game = AirBattle(scenario_text(japan, side("United States", ENTERPRISE, air=[midway(NAS=1)])))
    assert set(amounts(game.to(AXIS, "patrol"))) == {AKAGI, KAGA}
    game.refuses(AXIS, {"Japan/NAS@Rabaul": "base Midway"}, "22.431")


@pytest.mark.ledger("22.431A", "22.431B", "23.61C")
def test_naval_air_stays_aboard_flies_patrol_or_attacks_aircraft_at_a_base_and_nothing_else() -> None:
    game = battle(midway(NAS=1), air_base("Wake", {"United States NAS": 1}))
    decision = game.to(AXIS, "patrol")
    assert places(decision, AKAGI) == {"deck", "patrol", "base Midway", "base Wake"}
    game.refuses(AXIS, {AKAGI: "base Pearl Harbor"}, "22.431")
    game.refuses(AXIS, {AKAGI: {"patrol": 1, "base Midway": 3}}, "22.431")


@pytest.mark.ledger("23.441A.T4")
@pytest.mark.parametrize(
    ("elite", "net", "scored", "suffered"),
    [(3, 1, (1, 3), (1, 3)), (2, 0, (1, 2), (2, 2))],
)
def test_over_a_base_the_lowest_air_drm_of_each_side_counts(
    elite: int, net: int, scored: tuple[int, int], suffered: tuple[int, int]
) -> None:
    japan = force("Kido Butai", ships=[{"name": "Akagi", "elite": elite}], cruisers=4)
    sent = at("Midway", **{"akagi|Japan/NAS/elite": elite, **({AKAGI: 3 - elite} if elite < 3 else {})})
    dice = {(AXIS, "counterair"): [[3, 4]], (ALLIES, "counterair"): [[4, 4]]}
    game = battle(midway(NAS=4), japan=japan, dice=dice, answers={(AXIS, "patrol"): [sent]}).to_segment("search")
    (fought,) = game.events(air.CounterairFought)
    assert fought.modifiers.total == net
    # Row 3 on seven is 1/2, on eight 1/3; row 4 on eight is 2/2, on seven 1/3.
    assert (fought.eliminated[AXIS], fought.aborted[AXIS]) == scored
    assert (fought.eliminated[ALLIES], fought.aborted[ALLIES]) == suffered


# -- army air ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.131A", "23.154.1", "23.154.2", "23.153")
def test_army_air_that_naval_air_attacks_fights_and_falls_as_squadrons() -> None:
    army = {role: f"United States/AAS/{role}@Midway" for role in ("search", "cover", "attack")}
    dice = {(AXIS, "counterair"): [[3, 4]]}  # row 2 on seven: 1/1
    wake = air_base("Wake", {"United States AAF": 1})
    game = battle(midway(AAF=2), wake, dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 2})]})
    decision = game.to(ALLIES, "air losses")
    (fought,) = game.events(air.CounterairFought)
    assert fought.defenders == dict.fromkeys(army.values(), 2)
    assert (fought.eliminated[ALLIES], fought.aborted[ALLIES]) == (1, 2)  # row 6 on two
    assert amounts(decision) == dict.fromkeys(army.values(), 2)
    game.refuses(ALLIES, {army["attack"]: {"lost": 1}}, "19.6")
    game.refuses(ALLIES, {army["attack"]: {"lost": 2}, army["search"]: {"aborts": 1}}, "19.6")
    game.answer(ALLIES, {army["attack"]: {"lost": 1}, army["search"]: {"aborts": 1}})
    assert amounts(game.to(ALLIES, "cover")) == {army["cover"]: 2}
    assert amounts(game.to(ALLIES, "air search")) == {army["search"]: 1}
    base = game.base(ALLIES, "Midway")
    assert (base.factors, game.base(ALLIES, "Wake").factors) == ({}, {"United States/AAF": 1})
    roles = {"search": 2, "cover": 2, "attack": 1}
    assert base.squadrons == {f"United States/AAS/{role}": number for role, number in roles.items()}


def test_jets_and_air_transports_only_defend_their_base() -> None:
    britain = force("Force H", ships=["Ark Royal", "Formidable"], cruisers=4)
    sylt = air_base("Sylt", {"Germany JET": 1, "Germany ATR": 1})
    germany = force("Line", ships=["Bismarck"], cruisers=3)
    text = scenario_text(
        side("Germany", germany, air=[sylt]),
        side("Britain", britain),
        theatre="Europe",
        inputs={"search_advantage": "axis"},
    )
    sent = at("Sylt", **{"ark-royal|Britain/NAS": 2})
    game = AirBattle(text, {(AXIS, "search"): [[6]]}, {(ALLIES, "patrol"): [{}, sent]})
    assert amounts(game.to(AXIS, "strike")) == {"target": 1}
    game.to_segment("counterair", 2)
    put = b"".join(game.questions[AXIS])
    assert b"JET" not in put and b"ATR" not in put
    game.to_segment("carrier air", 2)
    (fought,) = game.events(air.CounterairFought)
    assert sorted(squadron(key).kind for key, number in fought.defenders.items() for _ in range(number)) == [
        *["ATR"] * 3,
        *["JET"] * 3,
    ]


# -- inverted aircraft ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.413")
def test_inverted_aircraft_neither_fight_nor_fall_unless_they_are_attacked() -> None:
    base = air_base("Midway", {"United States NAS": 1}, inverted={"United States NAS": 3, "United States AAF": 1})
    dice = {(AXIS, "counterair"): [[6, 6]]}  # row 2 on twelve: 2/2
    game = battle(base, dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 2})]}).to_segment("search")
    (fought,) = game.events(air.CounterairFought)
    assert fought.defenders == {AT_MIDWAY: 1}
    assert (fought.eliminated[ALLIES], fought.aborted[ALLIES]) == (0, 0)  # row 1 on two
    after = game.base(ALLIES, "Midway")
    assert (after.squadrons, after.inverted) == ({}, {NAS: 3})
    assert after.inverted_factors == {"United States/AAF": 1}


@pytest.mark.ledger("23.413")
def test_inverted_aircraft_that_are_attacked_fight_at_full_strength() -> None:
    base = air_base("Midway", {"United States NAS": 1}, inverted={"United States NAS": 3})
    dice = {(AXIS, "counterair"): [[6, 6]], (ALLIES, "counterair"): [[6, 6]]}
    game = battle(base, dice=dice)
    game.to(AXIS, "patrol")
    game.refuses(AXIS, {"inverted Midway": "attack"}, "23.413")
    game.answer(AXIS, {**at("Midway", **{AKAGI: 2}), "inverted Midway": "attack"})
    game.to_segment("search")
    (fought,) = game.events(air.CounterairFought)
    assert total(fought.defenders) == 4
    # Row 2 on twelve: 2/2; row 4 on twelve: 3/4.
    assert (fought.eliminated, fought.aborted) == ({AXIS: 2, ALLIES: 3}, {AXIS: 2, ALLIES: 4})
    after = game.base(ALLIES, "Midway")
    assert total(after.squadrons) + total(after.inverted) == 2
    assert total(game.fleet(AXIS).air_lost) == 2


@pytest.mark.ledger("23.413", "23.131A")
def test_inverted_army_air_that_is_attacked_breaks_down_and_stays_inverted() -> None:
    base = air_base("Midway", inverted={"United States AAF": 1})
    game = battle(base, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 1})]})
    game.to_segment("search")
    (fought,) = game.events(air.CounterairFought)
    assert total(fought.defenders) == 3
    after = game.base(ALLIES, "Midway")
    assert (after.squadrons, after.inverted_factors) == ({}, {})
    assert after.inverted == {f"United States/AAS/{role}": 1 for role in ("search", "cover", "attack")}


@pytest.mark.ledger("23.413")
def test_who_attacks_a_base_where_all_aircraft_are_inverted_attacks_these() -> None:
    base = air_base("Midway", inverted={"United States NAS": 6})
    dice = {(AXIS, "counterair"): [[6, 6]], (ALLIES, "counterair"): [[1, 1]]}  # row 2 on twelve: 2/2; row 6 on two: 1/2
    game = battle(base, dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 2})]}).to_segment("search")
    assert game.base(ALLIES, "Midway").inverted == {NAS: 4}
    assert game.fleet(AXIS).air_lost == {"Japan/NAS": 1}


@pytest.mark.ledger("22.431B")
def test_only_bases_within_range_of_the_carriers_can_be_attacked() -> None:
    near, far = (
        air_base("Midway", {"United States NAS": 1}, distance=3),
        air_base("Wake", {"United States NAS": 1}, distance=9),
    )
    offered = {}
    for reach in (0, 5):
        game = battle(near, far, carrier_range=reach)
        offered[reach] = places(game.to(AXIS, "patrol"), AKAGI)
    assert offered == {0: {"deck", "patrol", "base Midway", "base Wake"}, 5: {"deck", "patrol", "base Midway"}}


@pytest.mark.ledger("22.433")
def test_naval_air_back_from_a_base_stands_on_a_deck_and_goes_down_with_it() -> None:
    """All three of Akagi's squadrons come back unhurt to her: row 1 on two is nothing."""
    game = battle(midway(NAS=1), answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 3})]}).to_segment("search")
    assert game.wings(AXIS)["akagi"] == {"Japan/NAS": 3}
    assert game.fleet(AXIS).ready == {}


# -- after the battle ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.435")
@pytest.mark.parametrize(
    ("attacks", "inverted"),
    [
        (["Midway"], 2),  # 1/2, and the battle is over
        (["Midway", ""], 2),  # that was the last attack on Midway, though another round followed
        (["Midway", "Wake"], 2),  # what happens to Wake is Wake's affair
        (["Midway", "Midway"], 0),  # the last attack made nobody abort
    ],
)
def test_the_last_attack_on_a_base_says_which_of_its_aircraft_are_inverted(attacks: list[str], inverted: int) -> None:
    sent = [at(name, **{AKAGI: 1 if number else 3}) if name else {} for number, name in enumerate(attacks)]
    answers = {
        (AXIS, "patrol"): sent,
        (ALLIES, "withdraw"): [{}] * (len(attacks) - 1) + [everything_withdraws],
    }
    # Row 3 on six is 1/2; in the second round row 1 on two is nothing, for Midway's three squadrons row 3 on two is 1/0.
    dice = {(AXIS, "counterair"): [[3, 3]]}
    wake = air_base("Wake", {"United States NAS": 3})
    game = battle(midway(NAS=4), wake, dice=dice, answers=answers).to_end()
    assert len(game.events(air.CounterairFought)) == len([name for name in attacks if name])
    base = game.base(ALLIES, "Midway")
    assert total(base.inverted) == inverted
    assert total(base.squadrons) == 3 - inverted
    assert game.base(ALLIES, "Wake").inverted == {}


@pytest.mark.ledger("22.435", "22.434.2")
def test_aborted_aircraft_are_not_inverted_while_the_battle_goes_on() -> None:
    dice = {(AXIS, "counterair"): [[3, 3]]}
    game = battle(midway(NAS=4), dice=dice, answers={(AXIS, "patrol"): [at("Midway", **{AKAGI: 3})]})
    game.to_segment("counterair", 2)
    base = game.base(ALLIES, "Midway")
    assert (base.squadrons, base.inverted) == ({NAS: 3}, {})


@pytest.mark.ledger("22.435", "23.413")
@pytest.mark.parametrize(("aborts", "uninverted"), [(f"{AT_MIDWAY} (inverted)", 1), (AT_MIDWAY, 0)])
def test_an_abort_that_fell_on_inverted_aircraft_inverts_no_others(aborts: str, uninverted: int) -> None:
    base = air_base("Midway", {"United States NAS": 1}, inverted={"United States NAS": 3})
    answers = {
        (AXIS, "patrol"): [{**at("Midway", **{AKAGI: 2}), "inverted Midway": "attack"}],
        (ALLIES, "air losses"): [{aborts: {"aborts": 1}}],  # row 2 on two: 0/1
        (ALLIES, "withdraw"): everything_withdraws,
    }
    after = battle(base, answers=answers).to_end().base(ALLIES, "Midway")
    assert (total(after.squadrons), total(after.inverted)) == (uninverted, 4 - uninverted)


@pytest.mark.ledger("22.435", "22.434.2")
def test_aircraft_that_aborted_and_were_lost_in_a_later_round_are_not_counted_twice() -> None:
    answers = {
        (AXIS, "patrol"): [at("Midway", **{AKAGI: 3})],
        (AXIS, "strike"): [strike(6, {KAGA: 3})],
        (ALLIES, "cover"): [{}, {AT_MIDWAY: {"CG6": 3}}],
        (ALLIES, "withdraw"): [{}, everything_withdraws],
    }
    # Over Midway row 3 on six is 1/2. In the second round all three survivors cover; row 3 on ten is 2/2.
    dice = {(AXIS, "counterair"): [[3, 3]], (AXIS, "search"): [[], [6]], (AXIS, "air combat"): [[5, 5]]}
    game = battle(midway(NAS=4), dice=dice, answers=answers).to_end()
    base = game.base(ALLIES, "Midway")
    assert total(game.fleet(ALLIES).air_lost) == 3
    assert total(base.squadrons) + total(base.inverted) == 1
