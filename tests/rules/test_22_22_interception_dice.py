"""22.21, 22.22: how many dice an intercepting force rolls, line by line, and who may add to them."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.model.interception import Spotter
from flagplot.rules.naval.interceptors import spots


def counted(
    activity: str | list[str] = "base change",
    force: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
    target: dict[str, Any] | None = None,
    **more: Any,
) -> tuple[int, dict[str, int]]:
    """The dice of one force, and what each rule gives."""
    asked = {
        "target": {"activity": activity, **(target or {})},
        "forces": [{"id": "A", "distance": 5, **(force or {})}],
        **more,
    }
    told = api.call("interception_dice", asked, options=options)
    by_rule: dict[str, int] = {}
    for rule, _, amount in told["lines"]["A"]:
        by_rule[rule] = by_rule.get(rule, 0) + amount
    assert sum(by_rule.values()) == told["dice"]["A"]
    return told["dice"]["A"], by_rule


def dice(*asked: Any, **more: Any) -> int:
    return counted(*asked, **more)[0]


CARGO = ("sea supply", "sea transport", "seaborne invasion", "sea escort")
STRIKES = ("shore bombardment", "fast carrier mission")
OTHERS = ("patrol", "base change", "naval redeployment", "raider", "interception", "displacement")
LIGHT = {"ships": ["CA", "DD"]}
BOAT = {"kind": "submarine"}


# -- A to E ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22A.1", "22.21T.1")
@pytest.mark.parametrize("activity", [*CARGO, *STRIKES])
def test_cargo_bombardment_and_carrier_missions_give_two_dice(activity: str) -> None:
    assert counted(activity) == (2, {"22.22A": 2})


@pytest.mark.ledger("22.21T.13")
@pytest.mark.parametrize("activity", OTHERS)
def test_other_activities_give_none_and_without_a_die_there_is_no_interception(activity: str) -> None:
    asked = {"target": {"activity": activity}, "forces": [{"id": "A", "distance": 1}]}
    told = api.call("interception_dice", asked)
    assert (told["dice"], told["lines"], told["may_attempt"]) == ({"A": 0}, {"A": []}, {"A": False})


@pytest.mark.ledger("22.22A.1")
def test_cargo_and_bombardment_in_one_force_give_two_dice_once() -> None:
    assert dice(["sea transport", "shore bombardment"]) == 2


@pytest.mark.ledger("22.22A.2", "22.18F.1")
@pytest.mark.parametrize("activity", CARGO)
def test_cargo_gives_two_dice_on_the_way_home_too(activity: str) -> None:
    assert dice(activity, target={"returning": True}) == 2
    assert dice(activity, force=LIGHT, target={"returning": True}) == 3


@pytest.mark.ledger("22.22A.2", "22.18F.1")
@pytest.mark.parametrize("activity", STRIKES)
def test_bombardment_and_carrier_missions_give_none_on_the_way_home_unless_the_players_say_so(activity: str) -> None:
    home = {"returning": True}
    assert dice(activity, target=home) == 0
    assert dice(activity, target=home, options={"return_extra_dice": "all"}) == 2


@pytest.mark.ledger("22.22B", "22.21T.2")
def test_a_patrol_that_tries_to_stay_gives_two_dice_and_one_under_way_none() -> None:
    assert counted("patrol", target={"staying": True}) == (2, {"22.22B": 2})
    assert dice("patrol") == 0


@pytest.mark.ledger("22.22C", "22.21T.3", "22.255")
@pytest.mark.parametrize(
    ("level", "place", "expected"),
    [
        ("counter-interception", "interception hex", 2),
        ("counter-interception", "elsewhere", 0),
        ("counter-counter-interception", "interception hex", 2),
        ("counter-counter-interception", "counter-interception hex", 2),
        ("counter-counter-interception", "elsewhere", 0),
    ],
)
def test_countering_in_the_hex_gives_two_dice(level: str, place: str, expected: int) -> None:
    assert dice("interception", level=level, place=place) == expected


@pytest.mark.ledger("22.22D", "22.21T.4")
def test_cruisers_and_destroyers_alone_have_a_die_more_against_cargo() -> None:
    assert counted("sea escort", force=LIGHT) == (3, {"22.22A": 2, "22.22D": 1})
    assert dice("sea escort", force={"ships": ["CA"]}) == 3
    assert dice("shore bombardment", force=LIGHT) == 2
    assert dice("sea escort", force=LIGHT, target={"cargo": False}) == 0


@pytest.mark.ledger("22.22D")
@pytest.mark.parametrize("other", ["BB", "CV"])
def test_any_other_ship_loses_that_die(other: str) -> None:
    assert dice("sea escort", force={"ships": ["CA", "DD", other]}) == 2


@pytest.mark.ledger("22.22D", "22.22J")
@pytest.mark.parametrize("other", ["CVE", "TR"])
def test_escort_carriers_and_transports_lose_it_and_are_slow_besides(other: str) -> None:
    assert counted("sea escort", force={"ships": ["CA", "DD", other]}) == (1, {"22.22A": 2, "22.22J": -1})


@pytest.mark.ledger("22.22D", "22.22J")
def test_a_damaged_cruiser_keeps_the_die_and_makes_the_force_slow() -> None:
    assert counted("sea transport", force={**LIGHT, "slow": True}) == (2, {"22.22A": 2, "22.22D": 1, "22.22J": -1})


@pytest.mark.ledger("22.22E", "22.21T.5", "22.22")
@pytest.mark.parametrize("task_forces", [0, 1, 3, 12, 40])
def test_each_task_force_gives_a_die_without_limit(task_forces: int) -> None:
    assert dice(target={"task_forces": task_forces}) == task_forces


# -- F to J ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22F", "22.21T.6")
@pytest.mark.parametrize(("factors", "expected"), [(1, 1), (3, 3), (4, 3), (9, 3)])
def test_ground_factors_give_a_die_each_and_at_most_three(factors: int, expected: int) -> None:
    assert counted("seaborne invasion", ground_factors=factors)[1]["22.22F"] == expected


@pytest.mark.ledger("22.22F")
@pytest.mark.parametrize(
    "target", [{"activity": "sea transport"}, {"activity": "seaborne invasion", "returning": True}]
)
def test_ground_factors_against_anything_else_are_refused(target: dict[str, Any]) -> None:
    with pytest.raises(PlayerError, match="22.22F"):
        api.call("interception_dice", {"target": target, "forces": [{"id": "A", "distance": 1}], "ground_factors": 2})


@pytest.mark.ledger("22.22F")
def test_of_two_targets_only_the_invasion_meets_ground_factors() -> None:
    asked = {
        "targets": {"X": {"activity": "seaborne invasion"}, "Y": {"activity": "sea transport"}},
        "forces": [{"id": "A", "distance": 1, "against": "X"}, {"id": "B", "distance": 1, "against": "Y"}],
        "ground_factors": 2,
    }
    assert api.call("interception_dice", asked)["dice"] == {"A": 4, "B": 2}


@pytest.mark.ledger("22.22G", "22.21T.7")
@pytest.mark.parametrize(("squadrons", "expected"), [(1, 1), (3, 3), (4, 3), (20, 3)])
def test_squadrons_that_spot_give_a_die_each_and_at_most_three(squadrons: int, expected: int) -> None:
    assert dice(spotters=squadrons) == expected
    assert dice(force=BOAT, spotters=squadrons) == expected - 1


@pytest.mark.ledger("22.18F.2", "22.18F.1")
def test_air_that_spots_on_the_way_home_counts_unless_the_players_say_no() -> None:
    home = {"returning": True}
    assert dice(spotters=2, target=home) == 2
    assert dice(spotters=2, target=home, options={"return_spotting": "none"}) == 0
    assert dice(spotters=2, options={"return_spotting": "none"}) == 2


@pytest.mark.ledger("22.22H.1", "22.21T.8")
@pytest.mark.parametrize(("submarines", "expected"), [(1, 1), (3, 3), (4, 3)])
def test_submarines_give_surface_forces_a_die_each_and_at_most_three(submarines: int, expected: int) -> None:
    assert dice(submarines=submarines) == expected


@pytest.mark.ledger("22.22H.2", "22.21T.8")
def test_submarines_do_not_help_submarines() -> None:
    assert counted("sea transport", force=BOAT, submarines=3) == (1, {"22.22A": 2, "22.22J": -1})


@pytest.mark.ledger("22.22I", "22.22I.1", "22.22I.2", "22.21T.9")
@pytest.mark.parametrize(
    ("cards", "enemy_cards", "expected"), [(0, 0, 0), (1, 1, 0), (1, 0, 1), (4, 1, 1), (0, 1, 0), (1, 4, 0)]
)
def test_more_strategic_cards_give_one_die_and_never_take_one(cards: int, enemy_cards: int, expected: int) -> None:
    assert dice("base change", target={"task_forces": 2}, cards=cards, enemy_cards=enemy_cards) == 2 + expected


@pytest.mark.ledger("22.22I")
@pytest.mark.parametrize("level", ["counter-interception", "counter-counter-interception"])
def test_codebreaking_helps_counters_too(level: str) -> None:
    assert dice("interception", level=level, cards=1) == 1


@pytest.mark.ledger("22.22J", "22.21T.10", "22.916A")
def test_slow_ships_or_a_submarine_cost_a_die_once() -> None:
    assert counted("sea supply", force={"slow": True}) == (1, {"22.22A": 2, "22.22J": -1})
    assert counted("sea supply", force=BOAT) == (1, {"22.22A": 2, "22.22J": -1})
    assert dice("sea supply", force={**BOAT, "slow": True}) == 1


@pytest.mark.ledger("22.21T.12", "22.22")
def test_all_factors_add_up() -> None:
    total, by_rule = counted(
        ["seaborne invasion", "fast carrier mission"],
        force={**LIGHT, "slow": True, "kind": "loose"},
        target={"task_forces": 4},
        ground_factors=5,
        spotters=5,
        submarines=4,
        cards=2,
    )
    assert by_rule == {
        "22.22A": 2,
        "22.22D": 1,
        "22.22E": 4,
        "22.22F": 3,
        "22.22G": 3,
        "22.22H": 3,
        "22.22I": 1,
        "22.22J": -1,
    }
    assert total == 16


@pytest.mark.ledger("22.22F", "22.22G", "22.22H.1")
def test_a_limit_is_a_line_of_its_own() -> None:
    asked = {"target": {"activity": "base change"}, "forces": [{"id": "A", "distance": 1}], "spotters": 5}
    told = api.call("interception_dice", asked)["lines"]["A"]
    assert [(rule, amount) for rule, _, amount in told] == [("22.22G", 5), ("22.22G", -2)]


@pytest.mark.ledger("22.22E")
@pytest.mark.parametrize(("task_forces", "words"), [(1, "1 TF"), (2, "2 TFs")])
def test_a_line_says_how_many(task_forces: int, words: str) -> None:
    asked = {"target": {"task_forces": task_forces}, "forces": [{"id": "A", "distance": 1}]}
    assert api.call("interception_dice", asked)["lines"]["A"] == [["22.22E", words, task_forces]]


# -- K ---------------------------------------------------------------------------------------------


def together(*forces: dict[str, Any], task_forces: int = 4, **more: Any) -> list[int]:
    asked = {
        "target": {"activity": "base change", "task_forces": task_forces},
        "forces": [{"id": str(n), "distance": 5, **force} for n, force in enumerate(forces)],
        **more,
    }
    return list(api.call("interception_dice", asked)["dice"].values())


@pytest.mark.ledger("22.22K", "22.22K.1", "22.21T.11", "22.14B.1")
def test_each_further_attempt_costs_every_one_a_die() -> None:
    assert [together(*[{}] * n) for n in (1, 2, 3, 5, 6)] == [[4], [3] * 2, [2] * 3, [0] * 5, [0] * 6]


@pytest.mark.ledger("22.22K.2")
def test_attempts_at_another_activity_cost_nothing() -> None:
    asked = {
        "targets": {"X": {"task_forces": 3}, "Y": {"activity": "sea transport", "task_forces": 1}},
        "forces": [
            {"id": "A", "distance": 1, "against": "X"},
            {"id": "B", "distance": 1, "against": "X"},
            {"id": "C", "distance": 1, "against": "Y"},
        ],
    }
    assert api.call("interception_dice", asked)["dice"] == {"A": 2, "B": 2, "C": 3}


@pytest.mark.ledger("22.22K.3", "22.114", "22.915")
def test_submarines_neither_cost_nor_lose_dice() -> None:
    assert together({}, BOAT, BOAT) == [4, 3, 3]
    assert together({}, {}, BOAT) == [3, 3, 3]


@pytest.mark.ledger("22.22K.4")
def test_a_magic_interception_is_no_attempt() -> None:
    assert together({}, {"magic": 1}) == [4, 0]
    assert together({}, {}, {"magic": 0}) == [3, 3, 0]


@pytest.mark.ledger("22.22K", "22.24C")
def test_a_force_without_a_die_of_its_own_is_no_attempt() -> None:
    assert together({}, {"slow": True}, task_forces=1) == [1, 0]
    assert together({}, {"distance": 41}) == [4, 0]


@pytest.mark.ledger("22.22", "22.21T.17")
@pytest.mark.parametrize(
    ("theatre", "distance", "expected"),
    [("Europe", 40, True), ("Europe", 41, False), ("Pacific", 20, True), ("Pacific", 21, False)],
)
def test_the_range_is_forty_hexes_in_europe_and_twenty_in_the_pacific(
    theatre: str, distance: int, expected: bool
) -> None:
    asked = {"theatre": theatre, "target": {"task_forces": 40}, "forces": [{"id": "A", "distance": distance}]}
    assert api.call("interception_dice", asked)["may_attempt"] == {"A": expected}


@pytest.mark.ledger("22.16", "22.21T.16", "22.255")
@pytest.mark.parametrize("level", ["counter-interception", "counter-counter-interception"])
def test_counters_are_counted_as_interceptions_are(level: str) -> None:
    assert together({}, {"slow": True}, BOAT, spotters=2, level=level) == [5, 4, 5]


# -- spotters and submarines -----------------------------------------------------------------------

ROUTE = ["P", "R", "H", "S", "Q"]


def spotting(*units: dict[str, Any], **more: Any) -> list[str]:
    air = [{"id": str(n), "reaches": ["H"], **unit} for n, unit in enumerate(units)]
    return api.call("spotters", {"air_units": air, "route": ROUTE, "hex": "H", **more})["counting"]


@pytest.mark.ledger("22.22G", "22.22G.1")
@pytest.mark.parametrize(("hex", "expected"), [("P", True), ("R", True), ("H", True), ("S", False), ("Q", False)])
def test_air_spots_in_the_interception_hex_and_on_the_route_to_it(hex: str, expected: bool) -> None:
    assert bool(spotting({"reaches": [hex]})) is expected


@pytest.mark.ledger("22.22G.1", "22.22G.2c")
def test_inverted_and_committed_air_and_air_in_a_base_that_is_not_operational_does_not_spot() -> None:
    assert spotting({}, {"inverted": True}, {"base_operational": False}, {"committed": True}) == ["0"]


@pytest.mark.ledger("22.22G", "22.22G.1b")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("search AAS", True),
        ("land-based NAS", True),
        ("AAF", True),
        ("attack AAS", False),
        ("cover AAS", False),
        ("carrier-based NAS", False),
    ],
)
def test_only_search_squadrons_and_land_based_naval_air_spot(kind: str, expected: bool) -> None:
    assert bool(spotting({"kind": kind})) is expected


@pytest.mark.ledger("22.22G.3")
def test_air_struck_by_the_patrol_has_spotted_it_whatever_became_of_it() -> None:
    struck = {"struck": True, "inverted": True, "base_operational": False, "reaches": []}
    assert spotting(struck, {**struck, "kind": "cover AAS"}) == ["0"]


@pytest.mark.ledger("22.22G.4", "22.22G.4b")
def test_russians_and_allies_do_not_spot_for_each_other_while_restricted() -> None:
    british, french, russian = ({"nation": nation} for nation in ("Britain", "France", "Russia"))
    both = {"russo_allied_restrictions": True, "anglo_french_restrictions": True}
    assert spotting(british, french, russian, nation="Britain", **both) == ["0", "1"]
    assert spotting(british, french, russian, nation="Russia", **both) == ["2"]
    assert spotting(british, french, russian, nation="Britain", anglo_french_restrictions=True) == ["0", "1", "2"]


@pytest.mark.ledger("22.22G")
def test_many_spotters_give_three_dice() -> None:
    air = [{"id": str(n), "reaches": ["H"]} for n in range(5)]
    told = api.call("spotters", {"air_units": air, "route": ROUTE, "hex": "H"})
    assert (len(told["counting"]), told["dice"]) == (5, 3)


@pytest.mark.ledger("22.22G.2b")
def test_one_squadron_counts_in_every_attempt() -> None:
    assert together({}, {}, spotters=1) == [4, 4]


@pytest.mark.ledger("22.22H.1")
def test_submarines_assist_within_three_hexes_on_patrol_or_uninverted_in_base() -> None:
    boats = [
        {"distance": 3, "factors": 1},
        {"distance": 4},
        {"distance": 0, "inverted": True},
        {"distance": 3, "patrol": True, "inverted": True},
        {"distance": 4, "patrol": True},
        {"distance": 1, "factors": 2},
    ]
    told = api.call("assisting_submarines", {"submarines": boats})
    assert told == {"factors": 1 + 1 + 2, "dice": 3}


# -- refusals --------------------------------------------------------------------------------------

ONE = [{"id": "A", "distance": 1}]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"target": {"activity": "fishing"}, "forces": ONE}, "'fishing' is no naval activity"),
        ({"target": {"activity": []}, "forces": ONE}, "at least one activity"),
        ({"target": {"activity": "base change", "staying": True}, "forces": ONE}, "22.22B"),
        ({"target": {"activity": "patrol", "staying": True, "returning": True}, "forces": ONE}, "22.22B"),
        ({"target": {"task_forces": -1}, "forces": ONE}, "-1 is no number of TFs"),
        ({"forces": []}, "at least one force"),
        ({"forces": [{"id": str(n), "distance": 1} for n in range(100)]}, "100 forces are too many"),
        ({"forces": ONE * 2}, "two forces are called 'A'"),
        ({"forces": [{"id": "A", "distance": -1}]}, "A: a path"),
        ({"forces": [{"id": "A", "distance": 1, "kind": "flotilla"}]}, "'flotilla' is no kind of force"),
        ({"forces": [{"id": "A", "distance": 1, "magic": -1}]}, "A: magic"),
        ({"forces": [{"id": "A", "distance": 1, "ships": ["CA", "raft"]}]}, "'raft' is no kind of ship"),
        ({"forces": ONE, "theatre": "Arctic"}, "no theatre 'Arctic'"),
        ({"forces": ONE, "spotters": 100}, "100 is no number of squadrons"),
        ({"forces": ONE, "place": "interception hex"}, "22.22C"),
        ({"forces": ONE, "place": "counter-interception hex", "level": "counter-interception"}, "22.22C"),
        ({"forces": ONE, "targets": {"X": {}, "Y": {}}}, "A goes against none of X, Y"),
        ({"forces": ONE, "level": "third"}, "interception_dice: Invalid"),
    ],
)
def test_nonsense_is_refused_in_words(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(PlayerError, match=words):
        api.call("interception_dice", asked)


def test_a_hex_off_the_route_is_refused() -> None:
    with pytest.raises(PlayerError, match="22.12"):
        api.call("spotters", {"air_units": [], "route": ROUTE, "hex": "Z"})
    assert not spots(Spotter("a", reaches=("Z",)), ROUTE, "Z").holds
