"""Air defense of ships at sea (23.42): its level, its table, what it does to a strike, and what the attacker then sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.model import air_events as ev
from flagplot.model.events import GroupRevealed
from tests.rules.strike_table import (
    ALLIES,
    AMERICA,
    AXIS,
    JAPAN,
    TASK_FORCE_16,
    TASK_FORCE_17,
    AirTable,
    Json,
    air_table,
    fleet,
    fly,
    force,
    kido_butai,
    on_patrol,
    strike,
    two_dice,
)

ARMY = "Japan/AAS/attack@Rabaul"
KAMIKAZE = "Japan/KAM@Kanoya"

# The level of each row, and from which total on each result holds, the first from 2 on.
ROWS: dict[int, list[tuple[int, str]]] = {
    1: [(2, "0/0"), (7, "0/1"), (9, "1/0"), (11, "1/1")],
    2: [(2, "0/0"), (4, "0/1"), (6, "1/0"), (8, "1/1"), (10, "1/2"), (12, "2/1")],
    3: [(2, "0/1"), (4, "1/0"), (6, "1/1"), (8, "1/2"), (10, "2/1"), (12, "2/2")],
    4: [(2, "1/0"), (4, "1/1"), (6, "1/2"), (8, "2/1"), (10, "2/2"), (12, "2/3")],
    5: [(2, "1/0"), (3, "1/1"), (5, "1/2"), (7, "2/1"), (9, "2/2"), (11, "2/3")],
    6: [(2, "1/1"), (4, "1/2"), (6, "2/1"), (8, "2/2"), (10, "2/3"), (12, "3/2")],
    7: [(2, "1/1"), (3, "1/2"), (5, "2/1"), (7, "2/2"), (9, "2/3"), (11, "3/2")],
    8: [(2, "1/2"), (4, "2/1"), (6, "2/2"), (8, "2/3"), (10, "3/2"), (12, "3/3")],
    9: [(2, "1/2"), (3, "2/1"), (5, "2/2"), (7, "2/3"), (9, "3/2"), (11, "3/3")],
    10: [(2, "2/1"), (4, "2/2"), (6, "2/3"), (8, "3/2"), (10, "3/3"), (12, "3/4")],
}


def on_row(level: int, total: int) -> tuple[int, int]:
    """Eliminated and aborted, by the transcription above."""
    result = [each for first, each in ROWS[level] if first <= total][-1]
    eliminated, aborted = result.split("/")
    return int(eliminated), int(aborted)


def ship(kind: str = "BB", size: int = 4, nation: str = "United States", id: str = "", **more: Any) -> Json:
    return {"nation": nation, "kind": kind, "size": size, "id": id or f"{kind}{size}", **more}


def defense(*ships: Json, light: Mapping[str, int] | None = None, supply: bool = False, **more: Any) -> Json:
    group = {"ships": [*ships], "light": dict(light or {}), "supply": supply}
    return api.call("air_defense_level", {"group": group, **more})


def level(*ships: Json, **more: Any) -> int:
    return int(defense(*ships, **more)["level"])


def destroyers(number: int) -> Json:
    """A target of destroyers only."""
    return {"light": {"United States/DD": number}}


# -- the table ---------------------------------------------------------------------------------------------


@pytest.mark.ledger(*(f"23.42T.{row}" for row in ROWS))
@pytest.mark.parametrize("row", ROWS)
def test_every_row_of_the_table(row: int) -> None:
    for total in range(2, 13):
        answer = api.call("air_defense_table", {"row": row, "roll": total})
        assert (answer["eliminated"], answer["aborted"]) == on_row(row, total)


@pytest.mark.ledger("23.42T.over10")
@pytest.mark.parametrize(
    ("row", "total", "result"),
    [(11, 7, (2, 4)), (12, 12, (5, 5)), (15, 2, (3, 1)), (20, 9, (6, 4)), (21, 2, (4, 2)), (23, 12, (8, 10))],
)
def test_beyond_level_ten_the_same_dice_are_read_on_two_rows_and_added(
    row: int, total: int, result: tuple[int, int]
) -> None:
    answer = api.call("air_defense_table", {"row": row}, dice=two_dice(total))
    assert (answer["eliminated"], answer["aborted"]) == result


@pytest.mark.ledger("23.42T.over10", "23.421")
def test_a_great_fleet_with_much_research_shoots_on_two_rows() -> None:
    battleships = [ship(size=5, id=f"B{number}") for number in range(5)]
    answer = api.call("air_defense_level", {"group": {"ships": battleships}, "research": 4}, dice=two_dice(7))
    assert answer["level"] == 12  # 25 factors 3, five great battleships, research 4
    assert (answer["eliminated"], answer["aborted"]) == (3, 3)


# -- the level ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.42T.m1", "23.421")
@pytest.mark.parametrize(("factors", "expected"), [(1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (21, 3), (25, 3)])
def test_every_ten_factors_or_part_of_them_give_a_level(factors: int, expected: int) -> None:
    assert level(light={"United States/DD": factors}) == expected


@pytest.mark.ledger("23.42T.m1", "23.4211A")
def test_named_ships_and_cruisers_count_their_size() -> None:
    assert level(ship(), ship("CV", 3), light={"United States/CA": 1, "United States/DD": 1}) == 1  # ten
    assert level(ship(), ship("CV", 3), light={"United States/CA": 2}) == 2  # eleven


@pytest.mark.ledger("23.4211A", "23.42T.m1")
def test_damaged_ships_and_destroyers_with_cargo_count_in_full() -> None:
    assert level(ship(damaged=True), light={"United States/CA/damaged": 3, "United States/DD": 1}) == 2  # eleven
    assert level(light={"United States/DD/loaded": 11}) == 2
    hurt = ship(size=5, damaged=True)
    assert level(hurt) == 2  # five factors, and she still counts as a five-factor battleship
    assert level(ship("CVB", 4, damaged=True, air=0)) == 2


@pytest.mark.ledger("23.4211B", "23.42T.m1")
@pytest.mark.parametrize(("escorts", "expected"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
def test_an_escort_carrier_counts_as_three_factors(escorts: int, expected: int) -> None:
    assert level(light={"United States/CVE": escorts}) == expected


@pytest.mark.ledger("23.4211C", "23.42T.m1", "23.4211D.1")
def test_transports_count_nothing() -> None:
    assert level(light={"United States/DD": 10, "United States/TR": 9}) == 1
    alone = defense(light={"United States/TR": 12})
    assert (alone["level"], alone["rolls"]) == (0, False)


@pytest.mark.ledger("23.4213", "23.42T.m2")
def test_each_result_of_research_gives_a_level() -> None:
    assert [level(light={"United States/DD": 8}, research=each) for each in range(4)] == [1, 2, 3, 4]


@pytest.mark.ledger("23.4211D.2", "23.4213")
def test_research_alone_lets_transports_and_bare_supply_lines_shoot() -> None:
    for target in ({"light": {"United States/TR": 3}}, {"supply": True}):
        assert not defense(**target)["rolls"]  # type: ignore[arg-type]
        helped = defense(**target, research=1)  # type: ignore[arg-type]
        assert (helped["level"], helped["rolls"]) == (1, True)


@pytest.mark.ledger("23.42T.m6")
def test_each_five_factor_battleship_gives_a_level_and_no_smaller_one_does() -> None:
    assert level(ship(size=5)) == 2
    assert level(ship(size=5, id="one"), ship(size=5, id="two")) == 3
    assert level(ship(size=4, id="one"), ship(size=4, id="two")) == 1


@pytest.mark.ledger("23.42T.m7")
def test_each_large_carrier_gives_a_level_and_no_smaller_one_does() -> None:
    assert level(ship("CVB", 4)) == 2
    assert level(ship("CVB", 4, id="one"), ship("CVB", 4, id="two")) == 3
    assert level(ship("CV", 3), ship("CVL", 2)) == 1


@pytest.mark.ledger("23.42T.m8", "23.7413T.2")
@pytest.mark.parametrize(("surprise", "expected"), [(0, 2), (1, 2), (2, 1), (3, 1), (7, 1), (8, 1)])
def test_surprise_of_level_two_or_more_takes_a_level_and_never_more(surprise: int, expected: int) -> None:
    assert level(light={"United States/DD": 14}, surprise_level=surprise) == expected


@pytest.mark.ledger("23.421", "23.42T.m1", "23.42T.m2", "23.42T.m6", "23.42T.m7", "23.42T.m8")
def test_everything_together() -> None:
    ships = [ship(size=5, id="one"), ship(size=5, id="two"), ship("CVB", 4), ship("CV", 3)]
    light = {"United States/CA": 1, "United States/DD": 6}
    answer = api.call(
        "air_defense_level",
        {"group": {"ships": ships, "light": light}, "research": 2, "surprise_level": 3},
        dice=two_dice(6),
    )
    assert answer["level"] == 7  # 3 + 2 + 1 + 2 - 1
    assert (answer["eliminated"], answer["aborted"]) == (2, 1)
    assert sum(line[-1] for line in answer["lines"]) == 7


@pytest.mark.ledger("23.421.1", "23.421.3")
def test_only_the_group_that_is_attacked_shoots_and_a_port_close_by_is_no_help() -> None:
    great = force("Battleships", 5, "Iowa", "New Jersey", "Enterprise")
    small = force("Destroyers", 6, cruisers=2, destroyers=3)
    base = {"name": "Pearl Harbor", "distance": 0}
    for ships in (great, small):
        ships["base"] = "Pearl Harbor"
    table = air_table(
        fleet("Japan", kido_butai()),
        fleet("United States", great, small, air={"Hickam": {"distance": 0}}, base=[base]),
        search={"axis": [[6]], "allies": [[4]]},
        answers={("axis", "strike"): fly(6, akagi=3)},
    )
    table.to("landing")
    (rolled,) = table.events(ev.AirDefenseRolled)
    assert (rolled.number, rolled.level) == (6, 1)


# -- the roll -----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.4211D.1", "23.76-a.B")
def test_without_a_level_nobody_rolls() -> None:
    answer = strike({JAPAN: 2}, destroyers(9), 2, die=2)
    assert answer["surprise"][0]["level"] == 2
    assert answer["dice_used"] == 3  # surprise, and the attack
    assert answer["attacks"][0]["squadrons"] == {JAPAN: 2}
    helped = strike({JAPAN: 2}, destroyers(9), 11, 2, die=2, research={"air defense": 1})
    assert helped["air_defense"][0]["level"] == 1
    assert helped["lost"] == [{"lost": {JAPAN: 1}, "aborted": {JAPAN: 1}}]


@pytest.mark.ledger("23.421", "23.76-a.B")
def test_air_defense_follows_air_combat_and_counts_for_what_is_left_of_the_strike() -> None:
    target = {**destroyers(14), "patrol": {AMERICA: 1}}
    # Air combat 7 and 5 (6 and 6 with the patrol's bonus): one for one. Then 8 on row 2, and the attack.
    answer = strike({JAPAN: 4}, target, 7, 5, 8, 2)
    assert answer["air_combat"]["defender_result"] == "1/0"
    assert (answer["air_defense"][0]["level"], answer["air_defense"][0]["dice"]) == (2, two_dice(8))
    assert answer["attacks"][0]["squadrons"] == {JAPAN: 1}


@pytest.mark.ledger("23.421")
def test_there_is_no_air_defense_when_air_combat_leaves_no_attacker() -> None:
    target = {**destroyers(14), "patrol": {AMERICA: 2}}
    answer = strike({JAPAN: 1}, target, 7, 5)
    assert answer["dice_used"] == 4
    assert (answer["attacks"], answer["revealed"]) == ([], False)


@pytest.mark.ledger("23.42T.res1", "23.42T.res2", "23.423.1", "23.423.2")
def test_the_first_number_shoots_squadrons_down_and_the_second_turns_them_back() -> None:
    answer = strike({JAPAN: 6}, destroyers(14), 10, 2)
    assert answer["lost"] == [{"lost": {JAPAN: 1}, "aborted": {JAPAN: 2}}]
    assert answer["squadrons_lost"]["axis"] == {JAPAN: 1}
    assert answer["attacks"][0]["squadrons"] == {JAPAN: 3}


@pytest.mark.ledger("23.423.4")
def test_a_mixed_strike_shares_what_the_guns_do_to_it() -> None:
    answer = strike({JAPAN: 3, ARMY: 2}, destroyers(14), 8, 2)
    assert answer["lost"] == [{"lost": {JAPAN: 1}, "aborted": {ARMY: 1}}]
    more = strike({JAPAN: 3, ARMY: 2}, destroyers(14), 12, 2)
    assert more["lost"] == [{"lost": {JAPAN: 1, ARMY: 1}, "aborted": {JAPAN: 1}}]


@pytest.mark.ledger("23.42T.res2", "23.423.2")
def test_kamikazes_do_not_turn_back() -> None:
    answer = strike({KAMIKAZE: 4}, destroyers(14), 2, air_defense=10, kamikazes=(1, 1, 1))
    assert answer["air_defense"][0]["aborted"] == 2
    assert answer["lost"] == [{"lost": {KAMIKAZE: 1}, "aborted": {}}]
    assert answer["attacks"][0]["squadrons"] == {KAMIKAZE: 3}


@pytest.mark.ledger("23.42T.res1")
def test_no_more_is_shot_down_than_there_is() -> None:
    answer = strike({JAPAN: 1}, destroyers(14), 12)
    assert answer["lost"] == [{"lost": {JAPAN: 1}, "aborted": {}}]
    assert answer["attacks"] == []


# -- in battle ------------------------------------------------------------------------------------------------------


def battle(total: int, *, rounds: int = 1, **more: Any) -> AirTable:
    """Four squadrons strike Task Force 16, two rows of air defense; she was found twice in the first round."""
    told: Any = {
        "search": {"axis": [[5, 5]] + [[5]] * (rounds - 1), "allies": [[4]] * rounds},
        "answers": {("axis", "strike"): [fly(5, akagi=3, kaga=1)]},
        "totals": {("allies", "air defense"): [total]},
        **more,
    }
    return air_table(fleet("Japan", kido_butai()), fleet("United States", TASK_FORCE_16, TASK_FORCE_17), **told)


@pytest.mark.ledger("23.423.3", "23.42T.res3")
def test_squadrons_that_turned_back_miss_this_round_and_may_strike_in_the_next() -> None:
    table = battle(8, rounds=2)
    table.to("strike", AXIS)
    table.step()
    table.to("strike", AXIS)
    # One of the four was lost and one turned back: neither they nor those that attacked fly again in this round.
    assert table.items(AXIS, "strike") == {"target": 1, "kaga|Japan/NAS": 2}
    table.to_round(4)
    table.to("strike", AXIS)
    squadrons = {key: amount for key, amount in table.items(AXIS, "strike").items() if key != "target"}
    assert sum(squadrons.values()) == 5


@pytest.mark.ledger("23.424-a")
def test_after_air_combat_nobody_is_asked_whether_to_go_on() -> None:
    table = battle(2, answers={("axis", "strike"): [fly(5, akagi=3)], ("allies", "patrol"): on_patrol(enterprise=2)})
    table.to("fight", AXIS)
    table.step()
    for rule in ("23.415", "23.415", "23.42"):
        due = table.game.roll_due()
        assert due is not None and due.rule == rule
        table.step()
    assert table.events(ev.AirDefenseRolled) != []


@pytest.mark.ledger("23.424-a")
def test_a_strike_must_face_the_guns_even_if_nothing_is_to_be_gained() -> None:
    table = battle(2)
    table.to("strike", AXIS)
    table.step()
    while not table.events(ev.AirDefenseRolled):
        assert table.game.decision(AXIS) is None
        table.step()


@pytest.mark.ledger("23.424-b")
def test_the_group_is_shown_if_a_single_attacker_gets_through_and_no_other_group_is() -> None:
    table = battle(8, answers={("axis", "strike"): [fly(5, akagi=3)]})  # one lost, one turned back, one through
    table.to("air targets", AXIS)
    shown = [event.group.number for event in table.seen(AXIS, GroupRevealed) if event.side is ALLIES]
    assert shown == [5]
    known = table.game.picture(AXIS).battle.fleets[ALLIES]
    assert [each.name for each in known.group(5).ships] == ["Enterprise", "Hornet"]
    assert known.group(5).light == {"United States/CA": 3, "United States/DD": 2}
    assert (known.group(6).ships, known.group(6).light) == ((), {})


@pytest.mark.ledger("23.424-b")
@pytest.mark.parametrize("squadrons", [1, 2])
def test_the_group_stays_hidden_if_the_guns_stop_every_attacker(squadrons: int) -> None:
    table = battle(8, answers={("axis", "strike"): [fly(5, akagi=squadrons)]})
    table.to("landing", AXIS)
    assert [event for event in table.seen(AXIS, GroupRevealed) if event.side is ALLIES] == []
    known = table.game.picture(AXIS).battle.fleets[ALLIES].group(5)
    assert (known.ships, known.light, known.revealed) == ((), {}, False)
    assert table.events(ev.AirAttackRolled) == []


@pytest.mark.ledger("23.424-b")
def test_the_group_stays_hidden_if_air_combat_stops_every_attacker() -> None:
    table = battle(
        2,
        answers={("axis", "strike"): [fly(5, akagi=1)], ("allies", "patrol"): on_patrol(enterprise=2)},
        totals={("allies", "air combat"): [6]},
    )
    table.to("landing", AXIS)
    assert table.events(ev.AirDefenseRolled) == []
    assert [event for event in table.seen(AXIS, GroupRevealed) if event.side is ALLIES] == []


@pytest.mark.ledger("23.421", "23.76-a.E")
def test_a_later_strike_meets_the_guns_that_are_left() -> None:
    table = battle(
        2,
        search={"axis": [[6, 6]], "allies": [[4]]},
        answers={
            ("axis", "strike"): [fly(6, akagi=3), fly(6, kaga=3)],
            ("axis", "air targets"): [{JAPAN: "yorktown"}],
        },
        totals={("axis", "attack"): [12]},
    )
    table.to("landing", AXIS)
    # Eleven factors, and eight when Yorktown is gone.
    assert [event.level for event in table.events(ev.AirDefenseRolled)] == [2, 1]


@pytest.mark.ledger("23.421")
def test_how_the_level_is_made_up_is_told_to_its_owner_only() -> None:
    table = battle(2)
    table.to("air targets", AXIS)
    assert table.seen(AXIS, ev.AirDefenseCounted) == []
    (counted,) = table.seen(ALLIES, ev.AirDefenseCounted)
    assert counted.level.total == 2


@pytest.mark.ledger("23.423.1")
def test_a_squadron_shot_down_is_gone_from_its_carriers() -> None:
    table = battle(12)  # two lost, one turned back
    table.to_round(4)
    assert sum(each.air for each in table.group(AXIS, 4).ships) == 4
    assert table.game.battle.fleets[AXIS].air_lost == {JAPAN: 2}


def test_the_table_has_no_row_below_one() -> None:
    with pytest.raises(PlayerError):
        api.call("air_defense_table", {"row": 0, "roll": 7})
