"""Checks the reference resolution of a fleet combat against worked cases of the rules and against illegal decisions.

The numbers NC-016 to NC-070 are those of the case file for naval combat; the expected values are repeated here.
"""

from typing import Any

import pytest

from tests.differential.reference_engagement import resolve


def ship(name: str, nation: str, kind: str, size: int, **other: Any) -> dict[str, Any]:
    """Return a sound, fast ship unless told otherwise."""
    return {"id": name, "nation": nation, "kind": kind, "size": size, "fast": True, **other}


def engagement(
    first: dict[str, Any], second: dict[str, Any], dice: list[list[int]], **decisions: Any
) -> dict[str, Any]:
    """Return an engagement between two groups."""
    return {"sides": ["first", "second"], "groups": {"first": first, "second": second}, "dice": dice, **decisions}


def short(shot: dict[str, Any]) -> tuple[str, str, int, int, int, int]:
    """Return the parts of a shot that the cases name."""
    return shot["side"], shot["target"], shot["factors"], shot["modifier"], shot["roll"], shot["hits"]


def test_full_fleet_combat() -> None:
    """NC-064: two lines of capital ships with one surplus ship, then the light ships."""
    japan = {
        "ships": [ship("BB5", "Japan", "BB", 5), ship("BB4", "Japan", "BB", 4)],
        "light": {"Japan/CA": 3, "Japan/DD": 4},
    }
    america = {
        "ships": [
            ship("BB3", "United States", "BB", 3, fast=False),
            ship("BB4b", "United States", "BB", 4, fast=False),
            ship("BB4a", "United States", "BB", 4),
        ],
        "light": {"United States/CA": 2, "United States/DD": 6},
    }
    dice = [[4, 3], [6, 4], [6, 6], [5, 4], [3, 3], [4, 5]]
    given = engagement(japan, america, dice, surplus_capital={"BB3": {"join": "BB4b"}}, replies={"BB4": "BB3"})
    result = resolve(given)
    assert [short(shot) for shot in result["shots"]] == [
        ("first", "BB4a", 5, 2, 9, 2),
        ("first", "BB3", 4, 1, 11, 2),
        ("second", "BB5", 4, -2, 10, 2),
        ("second", "BB4", 7, -1, 8, 2),
        ("first", "light", 10, 1, 7, 3),
        ("second", "light", 10, -1, 8, 3),
    ]
    assert result["ships"] == {
        "BB5": {"hits": 2, "damaged": False, "sunk": False},
        "BB4": {"hits": 2, "damaged": False, "sunk": False},
        "BB4a": {"hits": 2, "damaged": False, "sunk": False},
        "BB4b": {"hits": 0, "damaged": False, "sunk": False},
        "BB3": {"hits": 2, "damaged": True, "sunk": False},
    }
    assert result["light"] == {
        "first": {"Japan/CA": 2, "Japan/DD": 3},
        "second": {"United States/CA": 1, "United States/DD": 5},
    }
    assert result["dice_used"] == 6
    assert result["screened_fire_allowed"] == {"first": False, "second": False}


def test_surplus_light_ships_fire_at_a_capital_ship() -> None:
    """NC-068: five surplus destroyers add a hit to a ship with two."""
    germany = {"light": {"Germany/DD": 5}}
    britain = {"ships": [ship("KGV", "Britain", "BB", 4, hits=2)]}
    given = engagement(germany, britain, [[4, 2]], surplus_light={"capital": {"KGV": {"Germany/DD": 5}}})
    result = resolve(given)
    assert [short(shot) for shot in result["shots"]] == [("first", "KGV", 5, 0, 6, 1)]
    assert result["ships"]["KGV"] == {"hits": 3, "damaged": True, "sunk": False}


def test_cruiser_damaged_by_capital_fire_is_screened() -> None:
    """NC-070: ten light factors are left to pair off."""
    first = {"ships": [ship("Kongo", "Japan", "BC", 3)], "light": {"Japan/DD": 2}}
    second = {"light": {"United States/CA": 3, "United States/DD": 5, "United States/CVE": 1}}
    given = engagement(first, second, [[1, 2], [1, 1], [1, 1]], surplus_capital={"Kongo": "light"})
    result = resolve(given)
    assert result["shots"][0]["hits"] == 1
    assert short(result["shots"][2])[:3] == ("second", "light", 10)
    assert result["light"]["second"]["United States/CA/damaged"] == 1
    assert result["light"]["second"]["United States/CA"] == 2


def test_screened_escort_carriers_do_not_lower_the_modifier() -> None:
    """NC-016: without the screened CVEs the American light ships keep their modifier of 2."""
    america = {"light": {"United States/DD": 6, "United States/CVE": 2}}
    japan = {"light": {"Japan/CA": 2, "Japan/DD": 3}}
    given = engagement(america, japan, [[1, 1], [1, 1]], screened={"first": {"light": {"United States/CVE": 2}}})
    shots = [short(shot)[:4] for shot in resolve(given)["shots"]]
    assert shots == [("first", "light", 6, -1), ("second", "light", 7, 1)]
    del given["screened"]
    shots = [short(shot)[:4] for shot in resolve(given)["shots"]]
    assert shots == [("first", "light", 8, -3), ("second", "light", 7, 3)]


def test_hits_on_damaged_cruisers_and_destroyers() -> None:
    """NC-046: four hits sink both damaged cruisers and two of four destroyers, here behind the screen."""
    first = {"ships": [ship("A", "Britain", "BB", 5), ship("B", "Britain", "BB", 5)]}
    second = {"light": {"Germany/CA/damaged": 2, "Germany/DD/loaded": 4}, "hampered": True}
    given = engagement(
        first,
        second,
        [[5, 3]],
        surplus_capital={"A": "hold", "B": "hold"},
        screened_fire_capital={"A": "light", "B": "light"},
    )
    result = resolve(given)
    assert [short(shot) for shot in result["shots"]] == [("first", "light", 10, 2, 10, 4)]
    assert result["shots"][0]["step"] == "screened capital"
    assert result["light"]["second"] == {"Germany/DD/loaded": 2}
    assert result["screened_fire_allowed"] == {"first": True, "second": False}


def test_hits_on_sound_cruisers_and_destroyers() -> None:
    """NC-048: five hits sink a cruiser and two destroyers and damage a second cruiser."""
    first = {"light": {"Germany/DD": 10}}
    second = {"light": {"Britain/CA": 3, "Britain/DD": 4}}
    result = resolve(engagement(first, second, [[6, 6], [1, 1]]))
    assert result["shots"][0]["hits"] == 5
    assert result["light"]["second"] == {"Britain/CA": 1, "Britain/CA/damaged": 1, "Britain/DD": 2}


def test_losses_rotate_among_types_and_nations() -> None:
    """The most numerous type, and within it the most numerous nation, loses first."""
    first = {"ships": [ship("A", "Britain", "BB", 5), ship("B", "Britain", "BB", 5)]}
    second = {"light": {"Italy/TR": 2, "Germany/DD/loaded": 2, "Italy/DD/loaded": 2}}
    given = engagement(
        first,
        second,
        [[6, 4]],
        screened_fire_capital={"A": "light", "B": "light"},
        loss_order={"second": ["Italy/DD/loaded", "Germany/DD/loaded", "Italy/TR"]},
    )
    result = resolve(given)
    assert result["shots"][0]["hits"] == 5
    assert result["light"]["second"] == {"Germany/DD/loaded": 1}


def test_cruiser_damaged_by_light_fire_blocks_fire_at_screened_ships() -> None:
    """Only damage from capital fire takes a cruiser out of the way of fire at screened ships."""
    first = {"light": {"Britain/DD": 9}}
    second = {"ships": [ship("Graf Zeppelin", "Germany", "CVL", 2)], "light": {"Germany/CA": 1}}
    given = engagement(
        first,
        second,
        [[2, 1], [1, 1]],
        surplus_light={"hold": {"Britain/DD": 2}},
        screened_fire_light={"Graf Zeppelin": {"Britain/DD": 2}},
    )
    with pytest.raises(ValueError, match="unscreened enemy ships"):
        resolve(given)
    given["dice"] = [[3, 3], [1, 1], [6, 5]]
    result = resolve(given)
    assert result["light"]["second"] == {}
    assert short(result["shots"][2]) == ("first", "Graf Zeppelin", 2, 1, 12, 2)
    assert result["ships"]["Graf Zeppelin"]["sunk"]


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        ({"surplus_light": {"capital": {"X": {"Japan/DD": 2}, "Y": {"Japan/DD": 2}}}}, "its own size"),
        ({"surplus_light": {"hold": {"Japan/DD": 9}}}, "are surplus"),
        ({"surplus_light": {"hold": {"Japan/DD": 13}}}, "can take part"),
        ({"surplus_capital": {"A": "light"}}, "no surplus capital ship"),
        ({"surplus_capital": {"Y": {"join": "A"}}}, "no friendly capital ship"),
        ({"replies": {"A": "Y"}}, "does not fire at it"),
        ({"screened_fire_capital": {"Y": "light"}}, "unscreened enemy ships"),
        ({"screened_fire_capital": {"X": "light"}}, "did not hold"),
        ({"screened": {"first": {"ships": ["X"]}}}, "not in its group"),
    ],
)
def test_illegal_decisions_are_refused(decisions: dict[str, Any], words: str) -> None:
    """Every decision the rules do not permit is refused with a sentence."""
    first = {"ships": [ship("A", "Japan", "BB", 4)], "light": {"Japan/DD": 12}}
    second = {
        "ships": [ship("X", "Britain", "BB", 4), ship("Y", "Britain", "BB", 3)],
        "light": {"Britain/DD": 2},
    }
    with pytest.raises(ValueError, match=words):
        resolve(engagement(first, second, [[1, 1]] * 9, **decisions))
