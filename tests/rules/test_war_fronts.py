"""26.31, 26.442, 26.443, 26.462: from where bombers and interceptors fly, and on which fronts raids are met."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.war_events import DefendersSpent, RaidAirCombat, RaidBombed, SalvosFired
from tests.rules.war_table import BASES, ESSEN, WAR, WarTable, items, setup, target

BOMBERS = "Britain strategic bomber, western"


# -- air bases ----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.31.1")
def test_bombers_whose_front_has_no_air_base_of_their_faction_stay_down() -> None:
    start = {"at": "Axis Spring 1942", "targets": [ESSEN], "air_bases": BASES}
    lost = {"at": "Allied Summer 1942", "air_bases": {"western": ["Germany"]}}
    again = {"at": "Allied Fall 1942", "air_bases": {"western": ["Germany", "United States"]}}
    places = {"western": {"Britain strategic bomber": 3, "Britain AAF": 3}}
    table = WarTable(setup(start, lost, again, places=places, end="Fall 1942"))
    assert list(items(table.to("strategic bombing", "Allied Spring"))) == [BOMBERS, "Britain AAF, western"]
    table.step()
    assert list(items(table.to("strategic bombing", "Allied Summer"))) == ["Britain AAF, western"], (
        "with bases of its own"
    )
    table.step()
    assert BOMBERS in items(table.to("strategic bombing", "Allied Fall")), "one of any power of the faction will do"


@pytest.mark.ledger("26.31.1", "26.443A", "26.443D")
@pytest.mark.parametrize("holders", [["Britain"], ["Britain", "Italy"]])
def test_interceptors_whose_front_has_no_air_base_neither_escort_nor_meet_raids(holders: list[str]) -> None:
    start = {"at": "Axis Spring 1942", "targets": [ESSEN], "air_bases": {"western": holders}}
    places = {"western": {"Britain strategic bomber": 3, "Germany interceptor": 2, "Germany AAF": 1}}
    table = WarTable(setup(start, places=places), {"strategic bombing": {BOMBERS: "Essen"}})
    met = list(items(table.to("air defense of targets")))
    assert met == (["Germany interceptor, western"] if "Italy" in holders else []) + ["Germany AAF, western"]


@pytest.mark.ledger("26.31.4", "26.21.2")
@pytest.mark.parametrize("impaired", [False, True])
def test_American_bombers_fly_from_Chinese_bases_if_they_are_supplied(impaired: bool) -> None:
    name = "United States, Pacific strategic bomber"
    tokyo = target("Tokyo", "Japan", "Pacific", distances={"United States, Asian": 3, "United States": 3})
    bases = {"Asian": ["Japan", "China"], "Pacific": ["Japan", "United States"]}
    start = {"at": "Axis Spring 1944", "targets": [tokyo], "air_bases": bases, "politics": WAR}
    start |= {"impaired_air": ["United States"]} if impaired else {}
    given = setup(start, places={"Asian": {name: 1}, "Pacific": {name: 1}}, begin="Spring 1944")
    table = WarTable(given)
    asked = items(table.to("strategic bombing"))
    assert (f"{name}, Asian" in asked) is not impaired and f"{name}, Pacific" in asked
    assert items(table.to("air redeployment"))[f"{name}, Pacific"] == ("Pacific", "Asian")


@pytest.mark.ledger("26.22", "26.31.4")
def test_new_American_bombers_do_not_appear_at_Chinese_bases() -> None:
    name = "United States, Pacific strategic bomber"
    bases = {"Asian": ["Japan", "China"], "Pacific": ["Japan", "United States"]}
    start = {"at": "Axis Spring 1944", "air_bases": bases, "politics": WAR}
    given = setup(start, places={"reserve": {name: 1}}, begin="Spring 1944")
    assert items(WarTable(given).to("air placement"))[f"{name}, reserve"] == ("reserve", "Pacific")


# -- boxes --------------------------------------------------------------------------------------------


@pytest.mark.ledger("26.442.2", "26.462.5", "26.462.3", "26.443C", "26.43")
def test_a_raid_on_a_box_is_met_on_the_front_before_it_and_in_the_box() -> None:
    """Escorts of range three go along as far as the front, although the box is six hexes off."""
    distances = {"Japan": 6, "United States": 2}
    india = target(
        "India box", "Britain", "Southeast Asian", 10, kind="box", defences={"box": True}, distances=distances
    )
    start = {"at": "Axis Spring 1943", "targets": [india], "politics": WAR}
    start |= {"research": {"Japan": {"bombers": 1, "air_range": 1}}}
    japanese = {"Japan strategic bomber": 8, "Japan AAF": 6, "Japan jet": 1}
    places = {
        "Southeast Asian": {**japanese, "United States interceptor": 2},
        "India box": {"Britain AAF": 1},
    }
    over = "India box by way of the Southeast Asian front"
    table = WarTable(
        setup(start, places=places, begin="Spring 1943"),
        {
            "strategic bombing": {
                "Japan strategic bomber, Southeast Asian": "India box",
                "Japan jet, Southeast Asian": "India box",
            },
            "air defense of targets": {
                "United States interceptor, Southeast Asian": {over: 1, "India box": 1},
                "Britain AAF, India box": "India box",
            },
        },
        {"the defenders": 2},
    )
    assert "Japan AAF, Southeast Asian" not in items(table.to("strategic bombing")), "army air does not bomb so far"
    assert items(table.to("air defense of targets")) == {
        "United States interceptor, Southeast Asian": ("stay", over, "India box"),
        "Britain AAF, India box": ("stay", "India box"),
    }
    table.to_end()
    first, second = table.events(RaidAirCombat)
    assert (first.target, second.target) == (over, "India box")
    took_part = [first.attacker.remaining, first.attacker.eliminated, first.attacker.aborted]
    assert sum(each["jets"] for each in took_part) == 1
    took_part = [second.attacker.remaining, second.attacker.eliminated, second.attacker.aborted]
    assert sum(each["jets"] for each in took_part) == 0
    assert sum(second.defender.remaining.values()) + sum(second.defender.eliminated.values()) <= 2


# -- army air of another front --------------------------------------------------------------------------


def over_rome(**distances: int) -> WarTable:
    """British bombers from the western front against Rome, with Germans on both fronts."""
    rome = target("Rome", "Italy", "Mediterranean", distances={"Britain, western": 8, "Germany": 3, **distances})
    start = {"at": "Axis Spring 1943", "targets": [rome], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"air_range": 1}}}
    places: dict[str, Any] = {
        "western": {"Britain strategic bomber": 6, "Germany interceptor": 2, "Germany AAF": 2, "Germany jet": 1},
        "Mediterranean": {"Germany AAF": 1, "Germany interceptor": 1},
    }
    return WarTable(setup(start, places=places, begin="Spring 1943"), {"strategic bombing": {BOMBERS: "Rome"}})


@pytest.mark.ledger("26.443B", "26.24", "26.25.1", "26.445B")
def test_army_air_and_jets_meet_a_raid_on_any_front_where_it_comes_near() -> None:
    way = "Rome by way of the western front"
    near = {"Germany, western": 2, "Germany, western to Mediterranean": 4, "Germany, Mediterranean to western": 4}
    assert items(over_rome(**near).to("air defense of targets")) == {
        "Germany interceptor, western": ("stay", way),
        "Germany AAF, western": ("stay", way, "Rome"),
        "Germany jet, western": ("stay", way, "Rome"),
        "Germany AAF, Mediterranean": ("stay", way, "Rome"),
        "Germany interceptor, Mediterranean": ("stay", "Rome"),
    }


@pytest.mark.ledger("26.443B")
def test_army_air_beyond_its_range_or_of_unknown_distance_does_not() -> None:
    far = {"Germany, western": 2, "Germany, western to Mediterranean": 5}
    offered = items(over_rome(**far).to("air defense of targets"))
    assert offered["Germany AAF, western"] == ("stay", "Rome by way of the western front")
    assert offered["Germany AAF, Mediterranean"] == ("stay", "Rome")


@pytest.mark.ledger("26.662", "26.51.3", "26.443A", "26.443B")
@pytest.mark.parametrize("near", [True, False])
def test_who_met_bombers_on_the_way_opposes_flying_bombs_on_their_target(near: bool) -> None:
    """26.662 bars who met bombers of another target; these met bombers of the same, on another front. Over the target they
    must reach it: interceptors of another front do not (26.443A), nor army air more than four hexes off (26.443B)."""
    way = "Rome by way of the western front"
    distances = {"Britain, western": 8, "Germany": 3, "Germany, western": 2, "Britain": 3}
    distances["Germany, western to Mediterranean"] = 4 if near else 5
    rome = target("Rome", "Italy", "Mediterranean", distances=distances)
    milan = target("Milan", "Italy", "Mediterranean", distances=distances)
    start = {"at": "Axis Spring 1943", "targets": [rome, milan], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"air_range": 1, "rockets": 9}}}
    start |= {"rocket_bases": {"Britain": [{"id": "one", "range": 4}]}}
    places: dict[str, Any] = {
        "western": {"Britain strategic bomber": 6, "Germany interceptor": 2, "Germany AAF": 3, "Germany jet": 1},
        "Mediterranean": {"Germany AAF": 2},
    }
    answers = {
        "strategic bombing": {BOMBERS: {"Rome": 4, "Milan": 2}},
        "flying bombs": {"Britain: one": "flying bombs at Rome"},
        "air defense of targets": {
            "Germany interceptor, western": way,
            "Germany AAF, western": {way: 2},
            "Germany jet, western": "Milan by way of the western front",
            "Germany AAF, Mediterranean": "Rome",
        },
    }
    table = WarTable(setup(start, places=places, begin="Spring 1943"), answers, {"the bomber force": 2})
    decision = table.to("flying bomb defense")
    over = {"Germany AAF, Mediterranean": 2}
    assert {item.key: item.amount for item in decision.form.items} == (
        {**over, "Germany AAF, western": 2} if near else over
    ), "the jet met bombers of Milan"
    table.to_end()
    (fired,) = table.events(SalvosFired)
    stopped = next(line.amount for line in fired.modifier.lines if line.reason == "interceptors and army air")
    assert stopped == -(4 if near else 2)
    (spent,) = table.events(DefendersSpent)
    assert [(each.place, each.number) for each in spent.idle] == [("Mediterranean", 2)] + [("western", 2)] * near


@pytest.mark.ledger("26.462.4", "26.462.3", "26.461B.2")
def test_the_Urals_are_bombed_from_two_theatres_and_covered_against_each_from_its_front() -> None:
    """Three air range results carry Japanese bombers 18 hexes: from ten off, eight are left, two points in the Pacific."""
    urals = target("Urals box", "Russia", "eastern", 60, kind="box", defences={"box": True})
    urals["distances"] = {"Germany": 4, "Japan, Asian": 10, "Russia, Asian": 2, "Russia": 2}
    start = {"at": "Axis Spring 1945", "targets": [urals], "brps": {"Russia": 50}}
    start |= {"research": {"Japan": {"bombers": 3, "air_range": 3}, "Germany": {"bombers": 1}}}
    places = {
        "eastern": {"Germany strategic bomber": 2, "Russia interceptor": 1},
        "Asian": {"Japan strategic bomber": 2, "Russia interceptor": 2},
    }
    japanese = {"strategic bombing": {"Japan strategic bomber, Asian": "Urals box"}}
    table = WarTable(setup(start, places=places, begin="Spring 1945"), japanese)
    asked = items(table.to("strategic bombing"))
    assert list(asked) == ["Germany strategic bomber, eastern", "Japan strategic bomber, Asian"]
    way = "Urals box by way of the Asian front"
    assert items(table.to("air defense of targets")) == {"Russia interceptor, Asian": ("stay", way, "Urals box")}
    table.to_end()
    (bombs,) = table.events(RaidBombed)
    assert bombs.modifier.total == 2 + 2, "and two bomber results beyond the first"
    german = {"strategic bombing": {"Germany strategic bomber, eastern": "Urals box"}}
    table = WarTable(setup(start, places=places, begin="Spring 1945"), german)
    way = "Urals box by way of the eastern front"
    assert items(table.to("air defense of targets")) == {"Russia interceptor, eastern": ("stay", way, "Urals box")}


@pytest.mark.ledger("26.31.1", "26.21.3")
def test_no_city_of_another_theatre_and_nothing_from_the_reserve_is_bombed() -> None:
    gorki = target("Gorki", "Russia", "eastern", ic=True, distances={"Japan, Asian": 2, "Japan, reserve": 2})
    start = {"at": "Axis Spring 1943", "targets": [gorki], "research": {"Japan": {"bombers": 1}}}
    places = {"Asian": {"Japan strategic bomber": 1}, "reserve": {"Japan strategic bomber": 1}}
    assert "strategic bombing" not in WarTable(setup(start, places=places, begin="Spring 1943")).to_end().kinds()


@pytest.mark.ledger("26.31")
@pytest.mark.parametrize("war", [True, False])
@pytest.mark.parametrize(("power", "front"), [("Germany", "eastern"), ("Japan", "Asian")])
def test_Russia_is_bombed_only_by_those_who_are_at_war_with_it(power: str, front: str, war: bool) -> None:
    urals = target("Urals box", "Russia", front="eastern", kind="box", distances={"Germany": 3, "Japan, Asian": 3})
    politics = {**WAR, f"{power.lower()}_russia_war": war}
    start = {"at": "Axis Spring 1942", "targets": [urals], "politics": politics, "research": {power: {"bombers": 1}}}
    given = setup(start, places={front: {f"{power} strategic bomber": 3}})
    answers = {"strategic bombing": {f"{power} strategic bomber, {front}": {"Urals box": 3}}} if war else {}
    assert bool(WarTable(given, answers, {}).to_end().events(RaidBombed)) == war
