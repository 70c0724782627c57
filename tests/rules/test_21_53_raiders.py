"""21.53 as far as it is held: the raider table, hunters, attacks on transports, and the way home."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.editions.current import ruleset
from flagplot.model.ships import Ship
from flagplot.model.strategic_war import BoxUnit, Hunters, RaiderGroup
from flagplot.rules.strategic import raiders

RULES = ruleset()
NEWER = ruleset("current", {"raider_defenders": "newer"})
BISMARCK = Ship("bismarck", "Bismarck", "Germany", "BB", 4)


def modifier(
    box: str = "Atlantic", nation: str = "Germany", group: dict[str, Any] | None = None, **hunters: Any
) -> int:
    return raiders.raider_modifiers(RULES, RaiderGroup(box, nation, **(group or {})), Hunters(**hunters)).total


@pytest.mark.ledger("21.5342", "21.5342.G1", "21.5342.G2", "21.5342.G3", "21.5342.G4")
def test_the_general_modifiers() -> None:
    assert modifier() == -3
    assert [modifier(group={"number": number}) for number in (2, 3)] == [-2, -1]
    assert [modifier(group={"ships": ships}) for ships in (1, 2, 3)] == [-3, -3, -2]
    assert modifier(air_range=2) == -1


@pytest.mark.ledger("21.5342.A1", "21.5342.A2")
def test_the_atlantic() -> None:
    assert modifier(us_german_war=True) == -2
    assert modifier("Indian Ocean", us_german_war=True) == -3
    counts = (0, 5, 6, 11, 12, 17, 18, 23, 24, 40)
    assert [modifier(escort_carriers=count) + 3 for count in counts] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert modifier(escort_carriers=5, india_box_squadrons=6, australia_box_squadrons=6) == -3


@pytest.mark.ledger("21.5342.I1", "21.5342.I2", "21.5342.I3")
def test_the_indian_ocean() -> None:
    assert modifier("Indian Ocean", "Japan", {"from_singapore": True}) == -2
    assert modifier("Pacific", "Japan", {"from_singapore": True}) == -3
    counts = (2, 3, 5, 6, 8, 9, 11, 12, 30)
    assert [modifier("Indian Ocean", escort_carriers=count) + 3 for count in counts] == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert modifier("Indian Ocean", escort_carriers=2, india_box_squadrons=1, australia_box_squadrons=9) == -2


@pytest.mark.ledger("21.5342.P1", "21.5342.P2")
def test_the_pacific() -> None:
    assert modifier("Pacific", "Japan", escort_carriers=6) == -1
    south = {"off_southern_edge": True}
    assert modifier("Pacific", "Japan", south, australia_box_squadrons=3, india_box_squadrons=9) == -2
    assert modifier("Pacific", "Japan", australia_box_squadrons=3) == -3
    assert modifier("Pacific", "Germany", south, australia_box_squadrons=3) == -3


@pytest.mark.ledger("21.5342.U", "21.5342.M")
def test_a_code_edge_is_one_point_either_way() -> None:
    for nation, box, deck in (
        ("Germany", "Atlantic", "Ultra"),
        ("Italy", "Atlantic", "Ultra"),
        ("Japan", "Pacific", "Magic"),
    ):
        assert [modifier(box, nation, codebreaking=lead) for lead in (1, 3, -1, -2)] == [-2, -2, -4, -4]
        made = raiders.raider_modifiers(RULES, RaiderGroup(box, nation), Hunters(codebreaking=1))
        assert made.lines[-1].reason == f"{deck} codebreaking"


@pytest.mark.ledger("21.5342", "21.5342.R1")
def test_the_modified_die_is_the_number_of_hunters() -> None:
    group = RaiderGroup("Atlantic", "Germany")
    assert [raiders.ships_that_engage(RULES, group, Hunters(), die).ships for die in range(1, 7)] == [0, 0, 0, 1, 2, 3]
    assert raiders.ships_that_engage(RULES, group, Hunters(), 1).modified_roll == -2


@pytest.mark.ledger("21.5342.R2", "21.5342.R3")
def test_the_first_hunter_is_a_cruiser_without_a_die_and_each_other_has_a_die() -> None:
    assert [raiders.type_dice(RULES, ships) for ships in (0, 1, 3)] == [0, 0, 2]
    assert raiders.hunter_choices(RULES, None, {"cruiser": 1, "4-factor battleship": 2}) == ("cruiser",)
    assert raiders.hunter_choices(RULES, None, {"cruiser": 0, "4-factor battleship": 2}) == ()


EVERY = {
    "cruiser": 1,
    "2-factor battlecruiser": 1,
    "3-factor battleship": 1,
    "3-factor battlecruiser": 1,
    "4-factor battleship": 1,
    "5-factor battleship": 1,
    "fast carrier": 1,
    "destroyer": 1,
}


@pytest.mark.ledger("21.5342.T1", "21.5342.T2", "21.5342.T3", "21.5342.T4", "21.5342.T5", "21.5342.T6")
def test_what_each_type_die_allows() -> None:
    assert [raiders.hunter_choices(RULES, die, EVERY) for die in range(1, 7)] == [
        ("cruiser",),
        ("cruiser", "2-factor battlecruiser"),
        ("3-factor battleship", "3-factor battlecruiser"),
        ("4-factor battleship",),
        ("5-factor battleship", "fast carrier"),
        tuple(EVERY),
    ]


@pytest.mark.ledger("21.5342.R3")
def test_a_type_that_is_lacking_is_not_replaced() -> None:
    assert raiders.hunter_choices(RULES, 4, {"cruiser": 3, "5-factor battleship": 1}) == ()


def test_the_newer_list_rolls_for_every_ship_and_takes_a_lower_result_where_the_type_is_lacking() -> None:
    assert raiders.type_dice(NEWER, 3) == 3
    assert raiders.hunter_choices(NEWER, 1, EVERY) == ("destroyer",)
    assert raiders.hunter_choices(NEWER, 6, EVERY) == ("fast carrier",)
    assert raiders.hunter_choices(NEWER, 6, {"cruiser": 1, "4-factor battleship": 1}) == ("4-factor battleship",)
    assert raiders.hunter_choices(NEWER, 6, {"cruiser": 1}) == ("cruiser",)
    assert raiders.hunter_choices(NEWER, 1, {"cruiser": 1}) == ()


@pytest.mark.ledger("25.363", "25.35E")
def test_who_may_hunt_raiders_in_a_box() -> None:
    assert raiders.may_hunt(RULES, BoxUnit("Britain")).holds
    assert raiders.may_hunt(RULES, BoxUnit("Britain", inverted=True)).rule == "25.363"
    assert raiders.may_hunt(RULES, BoxUnit("Japan")).rule == "25.35E"
    for kind in ("ASW", "submarine", "transport"):
        assert raiders.may_hunt(RULES, BoxUnit("United States", kind)).rule == "25.35E"
    fast_only = ruleset("current", {"raider_hunters": "fast"})
    assert raiders.may_hunt(RULES, BoxUnit("Britain"), fast=False).holds
    assert not raiders.may_hunt(fast_only, BoxUnit("Britain"), fast=False).holds
    assert raiders.may_hunt(fast_only, BoxUnit("Britain")).holds


@pytest.mark.ledger("22.35E", "21.5362")
def test_which_raiders_attack_transports() -> None:
    assert raiders.may_attack_transports(engaged=False).holds
    assert not raiders.may_attack_transports(engaged=True).holds
    assert raiders.may_attack_transports(engaged=True, opponents_sunk=True).holds
    assert not raiders.may_attack_transports(engaged=True, opponents_sunk=True, fought=True).holds


@pytest.mark.ledger("21.5362", "21.5362A.1", "21.5362A.2", "21.5362A.3", "22.552B.4")
def test_each_group_attacks_by_itself_and_carriers_strike_once_a_group() -> None:
    assert raiders.air_strikes(2) == 2
    assert not raiders.transports_roll_air_defense()
    made = raiders.attack_modifiers(2, 2)
    assert [(line.rule, line.amount) for line in made.lines] == [("22.552B", 1)]
    # four factors at 7+1: one; seven factors at 11+1: four
    assert raiders.transports_sunk(RULES, [(4, 7), (7, 11), (0, 7)], 35, modifier=made.total) == (1, 4, 0)
    assert raiders.transports_sunk(RULES, [(7, 11), (7, 11)], 6, modifier=1) == (4, 2)


@pytest.mark.ledger("20.512C.1", "20.512C.2", "21.537A.1", "21.537A.2")
def test_hits_short_of_damage_are_repaired_when_an_engagement_ends_and_raiders_go_home() -> None:
    after = raiders.after_engagement(RULES, BISMARCK, 2, hunter=False)
    assert (after.state, after.hits_repaired, after.goes) == ("undamaged", True, "must try to return to port")
    assert raiders.after_engagement(RULES, BISMARCK, 3, hunter=False).state == "damaged"
    assert raiders.after_engagement(RULES, BISMARCK, 4, hunter=False).state == "sunk"
    hurt = replace(BISMARCK, damaged=True)
    assert raiders.after_engagement(RULES, hurt, 1, hunter=False, first=False).state == "sunk"
    assert not raiders.after_engagement(RULES, BISMARCK, 0, hunter=False).hits_repaired
    assert not raiders.raiders_may_stay_at_sea()


@pytest.mark.ledger("22.372F.1", "22.372F.2")
def test_slow_hunters_go_back_to_port_after_the_first_engagement() -> None:
    slow = replace(BISMARCK, fast=False)
    assert raiders.after_engagement(RULES, slow, 1, hunter=True).goes == "returns to port"
    assert raiders.after_engagement(RULES, slow, 1, hunter=True).hits_repaired
    assert raiders.after_engagement(RULES, BISMARCK, 0, hunter=True).goes == "stays in the SW box"
    assert raiders.after_engagement(RULES, BISMARCK, 3, hunter=True).goes == "returns to port"
    assert raiders.after_engagement(RULES, BISMARCK, 0, hunter=True, first=False).goes == "returns to port"
