"""What air combat leaves (23.416): how losses are shared among types (23.154, AN-19), and who meets the next strike."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
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
    fly,
    four_carriers,
    kido_butai,
    on_patrol,
)

ELITE = "Japan/NAS/elite"
ARMY = "Japan/AAS/attack@Rabaul"
COVER = "United States/AAS/cover@Midway"


def carriers(**more: Any) -> AirTable:
    """Six Japanese squadrons in CG4 against six American ones in CG5, found twice, and three in CG6."""
    told = {"search": {"axis": [[5, 5]], "allies": [[4]]}, **more}
    return air_table(fleet("Japan", kido_butai()), fleet("United States", TASK_FORCE_16, TASK_FORCE_17), **told)


# -- how losses are shared ------------------------------------------------------------------------------------------


def shares(squadrons: dict[str, int], eliminated: int, aborted: int, **more: Any) -> tuple[Any, Any]:
    wanted = {"squadrons": squadrons, "eliminated": eliminated, "aborted": aborted, **more}
    answer = api.call("air_loss_shares", wanted)
    return answer["lost"], answer["aborted"]


@pytest.mark.ledger("23.416A.2", "23.423.4")
def test_types_lose_in_turn_the_largest_first_and_those_used_up_are_passed_over() -> None:
    squadrons = {"Japan/AAS/attack@Rabaul": 1, ELITE: 2, JAPAN: 5}
    assert shares(squadrons, 4, 2) == ({JAPAN: 2, ELITE: 1, "Japan/AAS": 1}, {ELITE: 1, JAPAN: 1})
    assert shares(squadrons, 1, 0) == ({JAPAN: 1}, {})
    assert shares(squadrons, 0, 2) == ({}, {JAPAN: 1, ELITE: 1})
    assert shares({JAPAN: 2}, 1, 5) == ({JAPAN: 1}, {JAPAN: 1})
    assert shares({JAPAN: 2}, 3, 1) == ({JAPAN: 2}, {})


@pytest.mark.ledger("23.154.2")
def test_army_squadrons_of_a_nation_are_one_type_whatever_their_role_and_base() -> None:
    army = {"Japan/AAS/search@Truk": 1, "Japan/AAS/cover@Rabaul": 1, "Japan/AAS/attack@Rabaul": 1, JAPAN: 2}
    assert shares(army, 1, 0) == ({"Japan/AAS": 1}, {})
    assert shares(army, 3, 0) == ({"Japan/AAS": 2, JAPAN: 1}, {})


@pytest.mark.ledger("23.154.2")
def test_army_squadrons_of_two_nations_are_two_types() -> None:
    both = {"Germany/AAS/attack@Catania": 2, "Italy/AAS/attack@Catania": 3}
    assert shares(both, 1, 0) == ({"Italy/AAS": 1}, {})
    assert shares(both, 2, 1) == ({"Italy/AAS": 1, "Germany/AAS": 1}, {"Italy/AAS": 1})


@pytest.mark.ledger("23.416A.2")
def test_between_types_of_one_size_their_owner_decides() -> None:
    equal = {AMERICA: 2, "United States/AAS/attack@Midway": 2}
    army = "United States/AAS"
    assert shares(equal, 1, 0, order=[army, AMERICA]) == ({army: 1}, {})
    assert shares(equal, 1, 0, order=[AMERICA, army]) == ({AMERICA: 1}, {})
    both = {JAPAN: 1, ARMY: 1}
    first: dict[str, Any] = {JAPAN: "2", "Japan/AAS": "1"}
    answer = combat(both, 2, 4, cover={COVER: 2}, decisions=[["axis", "air loss order", first]])
    assert answer["attackers_remaining"] == {JAPAN: 1}


@pytest.mark.ledger("23.154.2", "23.154.1")
def test_within_a_type_the_owner_says_which_squadrons_are_lost() -> None:
    truk = "Japan/AAS/attack@Truk"
    for lost, left in ((truk, ARMY), (ARMY, truk)):
        choice = ["axis", "air losses", {lost: "lost", left: "stays"}]
        answer = combat({truk: 1, ARMY: 1}, 2, 4, cover={COVER: 2}, decisions=[choice])
        assert (answer["attackers_eliminated"], answer["attackers_remaining"]) == ({lost: 1}, {left: 1})
    with pytest.raises(IllegalChoice):
        none = ["axis", "air losses", {truk: "stays", ARMY: "stays"}]
        combat({truk: 1, ARMY: 1}, 2, 4, cover={COVER: 2}, decisions=[none])


@pytest.mark.ledger("23.416B.1")
def test_the_defender_chooses_between_patrol_and_cover_of_one_type() -> None:
    ashore = AMERICA + "@Midway"
    choice = ["allies", "air losses", {ashore: "lost", AMERICA: "stays"}]
    answer = combat({JAPAN: 4}, 4, 2, patrol={AMERICA: 1}, cover={ashore: 1}, decisions=[choice])
    assert answer["attacker_result"] == "1/0"
    assert (answer["patrol_remaining"], answer["cover_remaining"]) == ({AMERICA: 1}, {})


@pytest.mark.ledger("23.416A.2")
def test_those_that_did_not_fight_begin_a_turn_of_their_own_and_their_owner_decides_between_equals() -> None:
    # One ordinary squadron fights and is lost; of two and two left, three turn back.
    for first, second in ((JAPAN, "Japan/AAS"), ("Japan/AAS", JAPAN)):
        order = ["axis", "air loss order", {first: "1", second: "2"}]
        answer = combat({JAPAN: 3, ARMY: 2}, 2, 12, cover={COVER: 1}, fighting={JAPAN: 1}, decisions=[order])
        assert (answer["defender_result"], answer["attackers_eliminated"]) == ("1/3", {JAPAN: 1})
        assert answer["attackers_remaining"] == ({ARMY: 1} if first == JAPAN else {JAPAN: 1})


@pytest.mark.ledger("23.416B.1")
@pytest.mark.parametrize(("total", "lost"), [(4, {AMERICA: 1}), (10, {AMERICA: 1, COVER: 1})])
def test_defenders_of_several_types_lose_in_turn_too(total: int, lost: dict[str, int]) -> None:
    answer = combat({JAPAN: 4}, total, 2, patrol={AMERICA: 2}, cover={COVER: 1})
    assert answer["defenders_lost"] == lost


# -- the next strike -----------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.416B.1", "23.416B.2", "23.76-a.A", "23.76-a.E")
def test_the_survivors_of_a_patrol_meet_the_next_strike() -> None:
    table = air_table(
        fleet("Japan", four_carriers("Kido Butai", 4, "Akagi", "Kaga", "Soryu", "Hiryu")),
        fleet("United States", four_carriers("Task Force 16", 5, "Enterprise", "Hornet", "Yorktown", "Wasp")),
        search={"axis": [[5, 5]], "allies": [[4]]},
        answers={
            ("allies", "patrol"): {f"{ship}|{AMERICA}": {"patrol": 2} for ship in ("enterprise", "hornet")},
            ("axis", "strike"): [fly(5, akagi=3, kaga=3, soryu=1), fly(5, soryu=2, hiryu=3)],
        },
        totals={("axis", "air combat"): [8, 5], ("allies", "air combat"): [6, 11]},
    )
    table.to("landing", ALLIES)
    first, second = table.events(ev.AirCombatFought)
    assert (first.rows, second.rows) == ({AXIS: 4, ALLIES: 4}, {AXIS: 3, ALLIES: 3})
    assert (first.eliminated, first.aborted) == ({AXIS: 1, ALLIES: 1}, {AXIS: 3, ALLIES: 3})
    assert (second.eliminated, second.aborted) == ({AXIS: 1, ALLIES: 2}, {AXIS: 1, ALLIES: 4})
    assert table.items(ALLIES, "landing")[f"patrol|{AMERICA}"] == 2


@pytest.mark.ledger("23.415A.3", "23.416B.1")
@pytest.mark.parametrize(("returns", "squadrons"), [("no", {}), ("yes", {AMERICA: 1})])
def test_a_patrol_that_was_held_back_stays_out_for_the_round_unless_the_option_lets_it_return(
    returns: str, squadrons: dict[str, int]
) -> None:
    table = carriers(
        answers={
            ("allies", "patrol"): on_patrol(enterprise=1),
            ("axis", "strike"): [fly(5, akagi=3), fly(5, kaga=3)],
            ("allies", "defend"): [{AMERICA: "hold"}],
        },
        options={"withheld_air_returns": returns},
    )
    table.to("defend", ALLIES)
    table.step()
    while len(table.events(ev.StrikeAnnounced)) < 2:
        table.step()
    assert table.events(ev.AirCombatJoined) == []
    decision = table.game.decision(ALLIES)
    offered = {item.key: item.amount for item in decision.form.items} if decision else {}
    assert offered == squadrons


@pytest.mark.ledger("23.154.1")
def test_a_factor_that_was_broken_down_loses_a_squadron_and_keeps_the_others() -> None:
    cover = "United States/AAS/cover@Midway"
    table = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", TASK_FORCE_16, air={"Midway": {"aircraft": {"United States AAF": 1}}}),
        search={"axis": [[5]], "allies": [[4]]},
        answers={
            ("allies", "break down"): {"United States/AAF@Midway": "break"},
            ("allies", "cover"): {cover: "CG5"},
            ("axis", "strike"): fly(5, akagi=3),
        },
        totals={("axis", "air combat"): [6]},
    )
    table.to("landing", AXIS)
    base = table.game.battle.fleets[ALLIES].air_base("Midway")
    assert base.squadrons == {"United States/AAS/search": 1, "United States/AAS/attack": 1}
    assert base.factors == {}


def second_defense(answers: Any, **more: Any) -> dict[str, int]:
    """The defenders offered against the second strike of the round."""
    table = carriers(answers={("axis", "strike"): [fly(5, akagi=3), fly(5, kaga=3)], **answers}, **more)
    table.to("defend", ALLIES)
    table.step()
    while len(table.events(ev.StrikeAnnounced)) < 2:
        table.step()
    decision = table.game.decision(ALLIES)
    return {item.key: item.amount for item in decision.form.items} if decision else {}


@pytest.mark.ledger("23.416B.1", "23.415E.2", "23.7411C")
@pytest.mark.parametrize(
    ("placed", "offered"),
    [
        ({"surprised": 1, "engage": 1}, {AMERICA: 2}),
        ({"surprised": 1, "hold": 1}, {AMERICA: 1}),
    ],
)
def test_a_squadron_kept_out_by_surprise_meets_the_next_strike(placed: dict[str, int], offered: dict[str, int]) -> None:
    answers = {("allies", "patrol"): on_patrol(enterprise=2), ("allies", "defend"): [{AMERICA: placed}]}
    found = {"axis": [[5, 5]], "allies": [[]]}
    # A three with two results is level 4: one fewer. Nobody hits anything in the air.
    assert second_defense(answers, search=found, totals={("axis", "surprise"): [3]}) == offered


@pytest.mark.ledger("23.415E.2")
def test_surprise_keeps_out_exactly_as_many_as_it_says_whatever_else_is_held_back() -> None:
    table = carriers(
        search={"axis": [[5, 5]]},
        answers={("allies", "patrol"): on_patrol(enterprise=2), ("axis", "strike"): fly(5, akagi=3)},
        totals={("axis", "surprise"): [3]},
    )
    table.to("defend", ALLIES)
    before = len(table.game.events())
    for wrong in ({"engage": 2}, {"hold": 2}, {"surprised": 2}):
        with pytest.raises(IllegalChoice) as refusal:
            table.game.submit(ALLIES, {AMERICA: wrong})
        assert refusal.value.rule == "23.415E"
        assert len(table.game.events()) == before
    table.answer(ALLIES, {AMERICA: {"surprised": 1, "engage": 1}})


@pytest.mark.ledger("23.416B.1")
def test_a_patrol_meets_the_next_strike_even_if_its_carrier_has_been_sunk() -> None:
    table = carriers(
        search={"axis": [[6, 6]], "allies": [[4]]},
        answers={
            ("allies", "patrol"): on_patrol(yorktown=1),
            ("axis", "strike"): [fly(6, akagi=3), fly(6, kaga=3)],
            ("axis", "air targets"): {JAPAN: "yorktown"},
        },
        totals={("axis", "attack"): [12]},
    )
    table.to("defend", ALLIES)
    table.step()
    table.to("defend", ALLIES)
    assert table.group(ALLIES, 6).ships == ()
    assert table.items(ALLIES, "defend") == {AMERICA: 1}
