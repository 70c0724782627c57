"""Kamikazes draw their targets (17.475F); critical hits (20.524) are an input, since we do not hold that rule."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.model import air_events as ev
from tests.rules.strike_table import (
    ALLIES,
    AXIS,
    JAPAN,
    TASK_FORCE_17,
    AirTable,
    Json,
    air_table,
    fleet,
    flown,
    fly,
    force,
    four_carriers,
    strike,
)

KAMIKAZE = "Japan/KAM@Kanoya"
ARMY = "Japan/AAS/attack@Kanoya"
NAMES = ("Akagi", "Kaga", "Soryu", "Hiryu")


def ship(kind: str = "BB", size: int = 4, id: str = "target", nation: str = "Britain", **more: Any) -> Json:
    return {"nation": nation, "kind": kind, "size": size, "id": id, **more}


def drawn(*ships: Json, dice: tuple[int, ...] = (), light: bool = True, **more: Any) -> tuple[list[str], list[str]]:
    """The ranking, and what each die falls upon."""
    group = {"ships": [*ships], "light": {"Britain/DD": 4} if light else {}}
    answer = api.call("kamikaze_target", {"group": group, **more}, dice=list(dice))
    return answer["ranking"], answer["targets"]


EVERYTHING = (
    ship("CVL", 2, "light carrier"),
    ship("CVB", 4, "large carrier"),
    ship("BB", 4, "fast"),
    ship("CV", 3, "fleet carrier"),
    ship("BB", 4, "slow", fast=False),
    ship("BB", 5, "great"),
)


# -- the ranking ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("17.475F", "17.475F.1")
def test_carriers_come_first_by_size_then_capital_ships_by_size_the_slower_first() -> None:
    ranking, targets = drawn(*EVERYTHING, dice=(1, 2, 3, 4, 5, 6))
    assert ranking == ["large carrier", "fleet carrier", "light carrier", "great", "slow", "fast"]
    # The six is for the light ships, however many named ships there are.
    assert targets == [*ranking[:5], "light"]


@pytest.mark.ledger("17.475F.1")
def test_a_damaged_ship_comes_before_sound_ones_of_her_kind_size_and_speed_only() -> None:
    carriers = (ship("CV", 3, "sound"), ship("CV", 3, "hurt", damaged=True, air=0), ship("CVB", 4, "large"))
    assert drawn(*carriers)[0] == ["large", "hurt", "sound"]
    fast = (
        ship(id="sound"),
        ship(id="hurt", damaged=True),
        ship(id="slow", fast=False),
        ship("BB", 3, "small", damaged=True),
    )
    assert drawn(*fast)[0] == ["slow", "hurt", "sound", "small"]


@pytest.mark.ledger("17.475F")
def test_a_die_beyond_the_named_ships_falls_on_the_light_ships() -> None:
    ships = (ship("CV", 3, "carrier"), ship(id="battleship"))
    assert drawn(*ships, dice=(1, 2, 3, 5, 6))[1] == ["carrier", "battleship", "light", "light", "light"]
    assert drawn(dice=(1, 3, 6))[1] == ["light", "light", "light"]


@pytest.mark.ledger("17.475F")
def test_without_light_ships_the_last_named_ship_stands_in_for_them() -> None:
    ships = (ship("CV", 3, "carrier"), ship(id="battleship"))
    assert drawn(*ships, dice=(1, 2, 3, 6), light=False)[1] == ["carrier", "battleship", "battleship", "battleship"]
    assert drawn(*EVERYTHING, dice=(5, 6), light=False)[1] == ["slow", "fast"]


@pytest.mark.ledger("17.475F.1")
def test_the_owner_ranks_ships_that_are_equal() -> None:
    equal = (ship(id="one"), ship(id="two"), ship("BB", 5, "great"))
    assert drawn(*equal, order=["two", "one"])[0] == ["great", "two", "one"]
    target = {"ships": [ship(id="one"), ship(id="two")], "light": {"Britain/DD": 2}}
    for first, second in (("one", "two"), ("two", "one")):
        rank = ["allies", "kamikaze rank", {first: "1", second: "2"}]
        answer = strike({KAMIKAZE: 1}, target, 7, air_defense=2, kamikazes=(1,), decisions=[rank])
        assert [each["target"] for each in answer["attacks"]] == [first]


# -- kamikazes in a strike --------------------------------------------------------------------------------------


TWO = {"ships": [ship(id="one"), ship("BB", 3, "two")], "light": {"Britain/DD": 3}}


@pytest.mark.ledger("17.475F", "23.43", "23.76-a.D")
def test_each_kamikaze_squadron_draws_for_itself_and_those_on_one_target_roll_together() -> None:
    answer = strike({KAMIKAZE: 4}, TWO, 9, 6, 2, air_defense=2, kamikazes=(1, 6, 1, 2))
    assert [(each["target"], each["squadrons"], each["modifier"], each["hits"]) for each in answer["attacks"]] == [
        ("one", {KAMIKAZE: 2}, 0, 2),
        ("two", {KAMIKAZE: 1}, 0, 1),
        ("light", {KAMIKAZE: 1}, 0, 0),
    ]
    assert answer["dice_used"] == 2 + 4 + 6


@pytest.mark.ledger("23.43", "17.475F")
def test_kamikazes_have_no_choice_while_squadrons_beside_them_have() -> None:
    with pytest.raises(PlayerError):
        aimed = ["axis", "air targets", {KAMIKAZE: "two"}]
        strike({KAMIKAZE: 2}, TWO, 7, 7, air_defense=2, kamikazes=(1, 1), decisions=[aimed])
    with pytest.raises(IllegalChoice):
        aimed = ["axis", "air targets", {KAMIKAZE: "two", ARMY: "two"}]
        strike({KAMIKAZE: 1, ARMY: 2}, TWO, 7, 7, air_defense=2, kamikazes=(1,), decisions=[aimed])
    apart = ["axis", "air targets", {ARMY: "two"}]
    answer = strike({KAMIKAZE: 1, ARMY: 2}, TWO, 7, 7, air_defense=2, kamikazes=(1,), decisions=[apart])
    assert [(each["target"], each["squadrons"]) for each in answer["attacks"]] == [
        ("one", {KAMIKAZE: 1}),
        ("two", {ARMY: 2}),
    ]


@pytest.mark.ledger("23.76-a.D", "17.475F")
def test_a_kamikaze_that_falls_on_a_ship_others_attack_adds_to_their_roll() -> None:
    aims = ["axis", "air targets", {ARMY: "one"}]
    answer = strike({KAMIKAZE: 1, ARMY: 2}, TWO, 9, air_defense=2, kamikazes=(1,), decisions=[aims])
    (rolled,) = answer["attacks"]
    assert (rolled["target"], rolled["squadrons"], rolled["hits"]) == ("one", {KAMIKAZE: 1, ARMY: 2}, 3)


def kamikaze_battle(**more: Any) -> AirTable:
    """Three kamikaze squadrons on Kanoya, and Washington, North Carolina and light ships in CG5."""
    return air_table(
        fleet("Japan", force("Akagi", 4, "Akagi"), air={"Kanoya": {"aircraft": {"Japan KAM": 3}}}),
        fleet("United States", force("Battleships", 5, "Washington", "North Carolina"), TASK_FORCE_17),
        search={"axis": [[5]], "allies": [[4]]},
        answers={("axis", "strike"): flown(5, {KAMIKAZE: 3}), **more.pop("answers", {})},
        **more,
    )


@pytest.mark.ledger("17.475F", "17.475F.1")
def test_in_battle_the_group_is_ranked_by_its_owner_after_the_guns_have_fired() -> None:
    table = kamikaze_battle(totals={("axis", "kamikaze"): [1, 2, 6]})
    table.to("kamikaze rank", ALLIES)
    assert len(table.events(ev.AirDefenseRolled)) == 1
    assert table.events(ev.KamikazeTargetRolled) == []
    assert table.game.decision(AXIS) is None
    table.answer(ALLIES, {"north-carolina": "1", "washington": "2"})
    table.to("landing", AXIS)
    rolled = table.seen(ALLIES, ev.KamikazeTargetRolled)
    assert [(event.dice, event.target) for event in rolled] == [
        ((1,), "north-carolina"),
        ((2,), "washington"),
        ((6,), "light"),
    ]


# -- critical hits: when ------------------------------------------------------------------------------------------


# Four Japanese squadrons surprise a battleship of four factors, which has no air defense left at level 2 or more; her
# own group found twice and a six give level 7. The attack has 2 - 2 + 1 + 1: 8, 10 and 4 on row 4 are 3, 4 and 2 hits.
def surprised(total: int, *more_totals: int, found: int = 2, target: Json | None = None, **more: Any) -> Json:
    group = {"ships": [ship()], "found": found} if target is None else {**target, "found": found}
    return strike({JAPAN: more.pop("squadrons", 4)}, group, total, *more_totals, die=6, **more)


@pytest.mark.ledger("23.7413T.7")
@pytest.mark.parametrize(
    ("found", "total", "fate", "due"),
    [
        (1, 6, "damaged", False),  # level 6
        (2, 6, "damaged", True),
        (3, 6, "damaged", True),  # level 8
        (2, 2, "hit", False),
        (2, 8, "sunk", False),
    ],
)
def test_a_critical_hit_roll_is_due_when_a_surprise_of_level_seven_damages_a_named_ship(
    found: int, total: int, fate: str, due: bool
) -> None:
    answer = surprised(total, found=found)
    assert answer["ships"] == {"target": fate}
    assert [each["ship"] for each in answer["critical_hits"]] == (["target"] if due else [])


@pytest.mark.ledger("23.7413T.7")
def test_no_roll_is_due_for_a_ship_that_was_damaged_before() -> None:
    answer = surprised(2, target={"ships": [ship(damaged=True)]})
    assert (answer["ships"], answer["critical_hits"]) == ({"target": "sunk"}, [])


@pytest.mark.ledger("23.7413T.7")
def test_hits_that_complete_earlier_ones_make_a_roll_due_and_every_damaged_ship_has_hers() -> None:
    assert surprised(2, target={"ships": [ship(hits=1)]})["critical_hits"] != []
    both = {"ships": [ship("BC", 2, "one"), ship("BC", 2, "two")]}
    aims = ["axis", "air targets", {JAPAN: {"one": 1, "two": 1}}]
    answer = surprised(4, 4, target=both, squadrons=2, decisions=[aims])
    assert [each["ship"] for each in answer["critical_hits"]] == ["one", "two"]


@pytest.mark.ledger("20.531.2")
def test_no_roll_is_ever_due_for_a_cruiser() -> None:
    answer = surprised(4, target={"light": {"Britain/CA": 2}}, squadrons=1)
    assert answer["light"] == [{"sunk": {}, "damaged": {"Britain/CA": 1}}]
    assert answer["critical_hits"] == []
    group = {"light": {"Britain/CA": 2}}
    alone = api.call("air_attack", {"attackers": {JAPAN: 1}, "target": group, "surprise_level": 8}, dice=[2, 2])
    assert not alone.get("critical_hit_roll")


@pytest.mark.ledger("23.7413T.7")
@pytest.mark.parametrize(("level", "due"), [(6, False), (7, True), (9, True)])
def test_the_attack_roll_by_itself_says_whether_one_is_due(level: int, due: bool) -> None:
    told = {"attackers": {JAPAN: 4}, "target": {"ships": [ship()]}, "surprise_level": level}
    assert api.call("air_attack", told, dice=[3, 3])["critical_hit_roll"] is due
    assert api.call("air_attack", told, dice=[4, 4])["critical_hit_roll"] is False  # sunk outright


# -- critical hits: what comes of them --------------------------------------------------------------------------------


def test_by_default_a_critical_hit_has_no_further_effect_and_the_players_are_told() -> None:
    answer = surprised(6)
    assert answer["ships"] == {"target": "damaged"}
    assert answer["critical_hits"] == [{"ship": "target", "outcome": "no further effect"}]
    with pytest.raises(PlayerError):
        surprised(6, decisions=[["allies", "critical hit", "sunk"]])


def test_asked_for_the_owner_enters_the_outcome_and_the_enemy_confirms_it() -> None:
    for outcome, fate in (("none", "damaged"), ("sunk", "sunk")):
        decisions = [["allies", "critical hit", outcome], ["axis", "confirm input", "yes"]]
        answer = surprised(6, inputs="ask", decisions=decisions)
        assert answer["ships"] == {"target": fate}


def test_an_outcome_the_enemy_does_not_confirm_is_asked_for_again() -> None:
    decisions = [
        ["allies", "critical hit", "none"],
        ["axis", "confirm input", "no"],
        ["allies", "critical hit", "sunk"],
        ["axis", "confirm input", "yes"],
    ]
    assert surprised(6, inputs="ask", decisions=decisions)["ships"] == {"target": "sunk"}


def test_an_outcome_that_is_none_is_refused() -> None:
    with pytest.raises(IllegalChoice) as refusal:
        surprised(6, inputs="ask", decisions=[["allies", "critical hit", "explodes"]])
    assert refusal.value.rule == "20.524"


def test_rules_not_held_are_either_taken_by_default_or_asked_for() -> None:
    with pytest.raises(PlayerError):
        surprised(6, inputs="whatever")


@pytest.mark.ledger("23.7413T.7")
@pytest.mark.parametrize("outcome", ["none", "sunk"])
def test_in_a_battle_set_up_to_ask_the_ship_is_sunk_only_when_both_agree(outcome: str) -> None:
    table = air_table(
        fleet("Japan", four_carriers("Kido Butai", 4, *NAMES)),
        fleet("United States", force("Battleships", 5, "Washington"), TASK_FORCE_17),
        search={"axis": [[5, 5]]},
        answers={("axis", "strike"): fly(5, akagi=3, kaga=1), ("axis", "air targets"): {JAPAN: "washington"}},
        totals={("axis", "surprise"): [6], ("axis", "attack"): [6]},
        inputs={"rules_not_held": "ask"},
    )
    table.to("critical hit", ALLIES)
    assert table.game.decision(AXIS) is None
    table.answer(ALLIES, outcome)
    assert table.group(ALLIES, 5).ship("washington").damaged
    table.to("confirm input", AXIS)
    assert table.game.decision(ALLIES) is None
    table.answer(AXIS, "yes")
    table.to("landing", AXIS)
    afloat = [each.id for each in table.group(ALLIES, 5).ships]
    assert afloat == ([] if outcome == "sunk" else ["washington"])
    assert [event.ship for event in table.seen(None, ev.CriticalHitDue)] == ["washington"]


@pytest.mark.ledger("23.7413T.7")
def test_in_a_battle_that_does_not_ask_nobody_is_asked() -> None:
    table = air_table(
        fleet("Japan", four_carriers("Kido Butai", 4, *NAMES)),
        fleet("United States", force("Battleships", 5, "Washington"), TASK_FORCE_17),
        search={"axis": [[5, 5]]},
        answers={("axis", "strike"): fly(5, akagi=3, kaga=1), ("axis", "air targets"): {JAPAN: "washington"}},
        totals={("axis", "surprise"): [6], ("axis", "attack"): [6]},
    )
    table.to("landing", AXIS)
    assert not table.was_asked(ALLIES, "critical hit")
    (due,) = table.seen(None, ev.CriticalHitDue)
    assert (due.side, due.number, due.ship) == (ALLIES, 5, "washington")
    assert table.group(ALLIES, 5).ship("washington").damaged
