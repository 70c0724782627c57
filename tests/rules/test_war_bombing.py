"""26: bombing in the strategic war: raids, fronts, jets, flying bombs, and what comes of them, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.strategic_war import PlayerTurn, Turn
from flagplot.model.war import Idle
from flagplot.model.war_events import (
    BombingTold,
    LaterRaidMet,
    RaidAirCombat,
    RaidAnnounced,
    RaidBombed,
    RaidIntercepted,
    RocketBaseReturned,
    SalvosAnnounced,
    SalvosFired,
)
from tests.rules.war_table import AXIS, BASES, ESSEN, LONDON, WAR, WarTable, items, refusal, setup, target


@pytest.mark.ledger(
    "26.454-EX1", "26.41.1", "26.441", "26.451.1", "26.454.4", "26.461.1", "26.463", "26.71B.1", "26.13.2"
)
def test_a_blitz() -> None:
    """The first example of 26.454: 30 German AAF against 15 British AAF and an interceptor, both 6/6 on row 16."""
    start = {"at": "Axis Fall 1940", "targets": [LONDON], "air_bases": BASES, "brps": {"Britain": 50}}
    start |= {"construction": {"Britain": 20}}
    places = {"western": {"Germany AAF": 30, "Britain AAF": 15, "Britain interceptor": 1}}
    table = WarTable(
        setup(start, places=places, begin="Fall 1940"),
        {
            "strategic bombing": {"Germany AAF, western": "London"},
            "air defense of targets": {"Britain AAF, western": "London", "Britain interceptor, western": "London"},
        },
        {"the bomber force": 7, "the defenders": 7, "4 bombers over London": 7, "the defences": 7},
    )
    war = table.at("Allied Fall 1940")
    (fight,) = table.events(RaidAirCombat)
    assert fight.modifier.total == 0
    assert fight.attacker.eliminated == {
        "interceptors": 0,
        "escort_aaf": 3,
        "jets": 0,
        "bombing_aaf": 3,
        "strategic_bombers": 0,
    }
    assert fight.defender.eliminated == {"interceptors": 1, "aaf": 5, "jets": 0}
    (bombs,) = table.events(RaidBombed)
    # four bombers on 7: 1/1; strength 6 on 7: 1/3, none gets through
    assert (bombs.modifier.total, bombs.damage) == (0, 4)
    assert war.places["western"] == {"Germany AAF": 23, "Britain AAF": 10}
    assert (war.purses["Britain"].brps, war.purses["Britain"].construction) == (46, 19)
    assert war.bombed == {"Britain": 4}
    assert table.kinds()[:3] == ["strategic bombing", "air defense of targets", "engaging bombers"]


@pytest.mark.ledger("26.71B.1", "26.653C")
def test_a_construction_limit_that_changes_keeps_what_bombs_took() -> None:
    start = {"at": "Axis Fall 1940", "targets": [LONDON], "air_bases": BASES, "construction": {"Britain": 20}}
    later = {"at": "Allied Fall 1940", "construction": {"Britain": 30}}
    table = WarTable(
        setup(start, later, places={"western": {"Germany AAF": 12}}, begin="Fall 1940"),
        {"strategic bombing": {"Germany AAF, western": "London"}},
        {"4 bombers": 7, "the defences": 7},
    ).to_end()
    assert table.war.purses["Britain"].construction == 29


@pytest.mark.ledger("26.454-EX2", "26.452", "26.453.1", "26.453.3", "26.454.3", "26.43A", "26.43B", "26.464", "26.14.1")
def test_a_combined_raid_with_jets() -> None:
    """The second example of 26.454: the German result of 6/7 on row 17 lets two bombers and one AAF reach Essen."""
    start = {"at": "Axis Spring 1945", "targets": [ESSEN], "air_bases": BASES, "politics": WAR}
    american = {
        "United States AAF": 12,
        "United States interceptor": 5,
        "United States, European strategic bomber": 5,
        "United States jet": 1,
    }
    german = {"Germany AAF": 7, "Germany interceptor": 4, "Germany jet": 2}
    table = WarTable(
        setup(start, places={"western": {**american, **german}}, begin="Spring 1945"),
        {
            "strategic bombing": {f"{name}, western": "Essen" for name in american},
            "air defense of targets": {f"{name}, western": "Essen" for name in german},
        },
        {"the bomber force": 8, "the defenders": 6, "3 bombers over Essen": 9, "the defences of Essen": 4},
    ).to_end()
    (fight,) = table.events(RaidAirCombat)
    assert fight.modifier.total == +1 - 2
    assert fight.attacker.eliminated == {
        "escort_aaf": 2,
        "bombing_aaf": 1,
        "interceptors": 1,
        "strategic_bombers": 1,
        "jets": 1,
    }
    assert fight.attacker.remaining["strategic_bombers"] + fight.attacker.remaining["bombing_aaf"] == 3
    assert fight.defender.eliminated == {"interceptors": 2, "aaf": 2, "jets": 1}
    (bombs,) = table.events(RaidBombed)
    assert bombs.damage == 3 + 1 + 3, "three on 9: 1/1; five on 4: 1/1, one gets through"
    assert table.war.places["western"] == {
        "United States AAF": 9,
        "United States interceptor": 4,
        "United States, European strategic bomber": 3,
        "Germany AAF": 5,
        "Germany interceptor": 2,
        "Germany jet": 1,
    }
    assert table.war.pools["United States, European"]["strategic bomber"].allowable == 2


@pytest.mark.ledger("26.13.1", "26.14.2", "26.453.2")
def test_army_air_short_of_supply_stays_down_and_interceptors_fly_worse() -> None:
    start = {"at": "Axis Spring 1943", "targets": [ESSEN], "air_bases": BASES, "impaired_air": ["Germany"]}
    german = {"Germany AAF": 3, "Germany interceptor": 2}
    table = WarTable(
        setup(start, places={"western": {"Britain strategic bomber": 9, **german}}, begin="Spring 1943"),
        {
            "strategic bombing": {"Britain strategic bomber, western": "Essen"},
            "air defense of targets": {"Germany interceptor, western": "Essen"},
        },
    )
    assert list(items(table.to("air defense of targets"))) == ["Germany interceptor, western"]
    table.to_end()
    assert table.events(RaidAirCombat)[0].modifier.total == 2 - (2 + 1 - 1)


@pytest.mark.ledger("26.42B", "26.43", "26.52")
def test_nothing_flies_without_something_that_bombs() -> None:
    start = {"at": "Axis Spring 1942", "targets": [LONDON], "air_bases": BASES}
    places = {"western": {"Germany AAF": 5, "Germany interceptor": 2, "Germany jet": 1}}
    decision = WarTable(setup(start, places=places)).to("strategic bombing")
    assert refusal(decision, {"Germany interceptor, western": "London"}) == "26.42"
    assert refusal(decision, {"Germany AAF, western": {"London": 2}}) == "26.42"
    assert refusal(decision, {"Germany AAF, western": {"London": 3}, "Germany interceptor, western": "London"}) == ""


@pytest.mark.ledger("26.52")
def test_ten_japanese_AAF_bomb_in_a_turn() -> None:
    chungking = target("Chungking", "China", "Asian", distances={"Japan": 3})
    start = {"at": "Axis Spring 1942", "targets": [chungking], "air_bases": {"Asian": ["Japan"]}}
    decision = WarTable(setup(start, places={"Asian": {"Japan AAF": 12}})).to("strategic bombing")
    assert refusal(decision, {"Japan AAF, Asian": "Chungking"}) == "26.52"
    assert refusal(decision, {"Japan AAF, Asian": {"Chungking": 10}}) == ""


@pytest.mark.ledger("26.31.1", "26.421", "26.422.1", "26.43")
def test_out_of_range_out_of_theatre_and_friends_are_no_targets() -> None:
    berlin = target("Berlin", "Germany", objective=True, distances={"Britain": 5})
    near = target("Kassel", "Germany", objective=True, distances={"Britain": 5, "Germany": 0})
    start = {"at": "Allied Spring 1942", "targets": [berlin, near], "research": {"Western Allies": {"air_range": 1}}}
    places = {"western": {"Britain strategic bomber": 1, "Britain interceptor": 1, "Germany interceptor": 1}}
    table = WarTable(
        setup(start, places={**places, "eastern": {"Germany interceptor": 1}}),
        {"strategic bombing": {"Britain strategic bomber, western": "Kassel"}},
    )
    assert items(table.to("strategic bombing")) == {"Britain strategic bomber, western": ("stay", "Berlin", "Kassel")}
    defending = table.to("air defense of targets")
    assert items(defending) == {"Germany interceptor, western": ("stay", "Kassel")}


@pytest.mark.ledger("26.31.1", "26.421")
def test_a_target_beyond_the_range_of_bombers_is_not_offered() -> None:
    """One air range result: bombers fly eight hexes in Europe."""
    far = target("Berlin", "Germany", objective=True, distances={"Britain": 9})
    near = target("Kassel", "Germany", objective=True, distances={"Britain": 8})
    start = {"at": "Allied Spring 1942", "targets": [far, near], "research": {"Western Allies": {"air_range": 1}}}
    table = WarTable(setup(start, places={"western": {"Britain strategic bomber": 1}}))
    assert items(table.to("strategic bombing")) == {"Britain strategic bomber, western": ("stay", "Kassel")}


@pytest.mark.ledger("26.461.2", "26.47.1")
def test_bombers_that_never_arrive_drop_nothing() -> None:
    """Nine interceptors that roll twelve against one bomber: it is gone before the target, and nobody rolls there."""
    start = {"at": "Axis Spring 1943", "targets": [ESSEN], "air_bases": BASES}
    table = WarTable(
        setup(
            start, places={"western": {"Britain strategic bomber": 1, "Germany interceptor": 9}}, begin="Spring 1943"
        ),
        {
            "strategic bombing": {"Britain strategic bomber, western": "Essen"},
            "air defense of targets": {"Germany interceptor, western": "Essen"},
        },
        {"the defenders": 12},
    ).to_end()
    assert table.events(RaidAirCombat)[0].attacker.eliminated["strategic_bombers"] == 1
    assert table.events(RaidBombed) == [] and table.events(BombingTold) == []


@pytest.mark.ledger("26.51.1", "26.51.2", "26.51.3", "26.51.4", "26.451.2", "26.451.3")
def test_two_powers_bomb_one_target_one_after_the_other() -> None:
    start = {"at": "Axis Spring 1943", "targets": [ESSEN], "air_bases": BASES, "politics": WAR, "brps": {"Germany": 90}}
    bombers = {"Britain strategic bomber": 10, "United States, European strategic bomber": 10}
    table = WarTable(
        setup(start, places={"western": {**bombers, "Germany interceptor": 3}}, begin="Spring 1943"),
        {
            "strategic bombing": {f"{name}, western": "Essen" for name in bombers},
            "order of raids": {"United States, western: Essen": "1", "Britain, western: Essen": "2"},
            "air defense of targets": {"Germany interceptor, western": "Essen"},
        },
        {"the bomber force": [12, 2], "the defenders": [7, 7], "bombers over Essen": 7, "the defences": 2},
    ).to_end()
    assert [event.power for event in table.events(RaidAnnounced)] == ["United States", "Britain"]
    first, second = table.events(RaidAirCombat)
    assert (first.power, second.power) == ("United States", "Britain")
    assert first.modifier.total == second.modifier.total == -1, "interceptors alone have one more"
    lost = sum(first.defender.eliminated.values())
    assert (
        lost
        and sum(second.defender.remaining.values())
        + sum(second.defender.eliminated.values())
        + sum(second.defender.aborted.values())
        == 3 - lost
    ), "those not eliminated meet the second raid, aborted or not"
    assert len(table.events(RaidBombed)) == 2
    (told,) = table.events(BombingTold)
    assert told.brps["Germany"] == min(20, sum(event.damage for event in table.events(RaidBombed)))


@pytest.mark.ledger("26.451.3", "26.51.3", "26.451A", "26.451B.1")
@pytest.mark.parametrize("engaging", [0, 2, 5])
def test_who_is_left_after_a_raid_may_engage_the_next_or_let_it_pass(engaging: int) -> None:
    """26.451, 26.51: after the first raid the defenders may engage the second: as many as their owner likes. Row 6
    on 5 - 1: 1/3, so that five of six are left, three of them aborted."""
    start = {"at": "Axis Spring 1943", "targets": [ESSEN], "air_bases": BASES, "politics": WAR}
    bombers = {"Britain strategic bomber": 10, "United States, European strategic bomber": 10}
    table = WarTable(
        setup(start, places={"western": {**bombers, "Germany interceptor": 6}}, begin="Spring 1943"),
        {
            "strategic bombing": {f"{name}, western": "Essen" for name in bombers},
            "air defense of targets": {"Germany interceptor, western": "Essen"},
            "meeting a later raid": {"Germany interceptor, western": {"engage": engaging}},
        },
        {"the bomber force": [5, 2], "the defenders": [7, 7], "bombers over Essen": 7, "the defences": 2},
    )
    decision = table.to("meeting a later raid")
    (first,) = table.events(RaidAirCombat)
    assert (first.defender.eliminated["interceptors"], first.defender.aborted["interceptors"]) == (1, 3)
    assert [(item.key, item.amount) for item in decision.form.items] == [("Germany interceptor, western", 5)]
    assert decision.form.default == {"Germany interceptor, western": "engage"}
    table.to_end()
    (met,) = table.events(LaterRaidMet)
    assert (met.side, met.power, sum(met.defenders.values())) == (AXIS, "United States", engaging)
    assert table.kinds().count("meeting a later raid") == 1, "of the first raid nobody is asked"
    fights = [(event.power, sum(event.defender.eliminated.values())) for event in table.events(RaidAirCombat)]
    assert [power for power, _ in fights] == ["Britain", "United States"][: 2 if engaging else 1]
    remaining = 6 - sum(lost for _, lost in fights)
    assert table.war.places["western"]["Germany interceptor"] == remaining
    for event in table.events(RaidAirCombat)[1:]:
        toll = event.defender
        there = [toll.remaining, toll.eliminated, toll.aborted]
        assert sum(each["interceptors"] for each in there) == engaging, "those who let it pass lose nothing"


@pytest.mark.ledger("26.442.1", "26.442.2", "26.443C", "26.445A", "26.445B", "26.43", "26.21.3")
def test_a_raid_across_two_fronts_is_met_on_each() -> None:
    rome = target(
        "Rome",
        "Italy",
        "Mediterranean",
        distances={"Britain, western": 8, "Germany, western": 2, "Italy": 0, "Germany": 3},
    )
    start = {"at": "Axis Spring 1943", "targets": [rome], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"air_range": 1}}}
    west = {"Britain strategic bomber": 6, "Britain interceptor": 2, "Germany interceptor": 2}
    south = {"Italy AAF": 2, "Germany interceptor": 1}
    table = WarTable(
        setup(start, places={"western": west, "Mediterranean": south}, begin="Spring 1943"),
        {
            "strategic bombing": {"Britain strategic bomber, western": "Rome", "Britain interceptor, western": "Rome"},
            "air defense of targets": {
                "Germany interceptor, western": "Rome by way of the western front",
                "Germany interceptor, Mediterranean": "Rome",
                "Italy AAF, Mediterranean": "Rome",
            },
        },
    )
    places = items(table.to("air defense of targets"))
    assert places["Germany interceptor, western"] == ("stay", "Rome by way of the western front")
    assert places["Italy AAF, Mediterranean"] == ("stay", "Rome")
    table.to_end()
    first, second = table.events(RaidAirCombat)
    assert (first.target, second.target) == ("Rome by way of the western front", "Rome")
    assert first.attacker.remaining["interceptors"] + first.attacker.aborted["interceptors"] > 0
    there = [second.attacker.remaining, second.attacker.eliminated, second.attacker.aborted]
    assert sum(each["interceptors"] for each in there) == 0, "escorts of range 4 do not reach Rome"
    assert second.modifier.total == 2 - 1, "the lowest of the defenders: Italian AAF have 1"


@pytest.mark.ledger("26.41.2", "26.442.2")
def test_escorts_whose_bombers_are_gone_turn_back() -> None:
    """26.41, FP-104: without its bomber component a force is none, and is not met on the next front."""
    distances = {"Britain, western": 8, "Germany, western": 2, "Germany": 3}
    rome = target("Rome", "Italy", "Mediterranean", distances=distances)
    start = {"at": "Axis Spring 1943", "targets": [rome], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"air_range": 2}}}
    west = {"Britain strategic bomber": 1, "Britain interceptor": 5, "Germany interceptor": 4}
    flying = {"Britain strategic bomber, western": "Rome", "Britain interceptor, western": "Rome"}
    table = WarTable(
        setup(start, places={"western": west, "Mediterranean": {"Germany interceptor": 2}}, begin="Spring 1943"),
        {
            "strategic bombing": flying,
            "air defense of targets": {
                "Germany interceptor, western": "Rome by way of the western front",
                "Germany interceptor, Mediterranean": "Rome",
            },
        },
        {"the defenders over Rome by way": 8},
    ).to_end()
    first, *others = table.events(RaidAirCombat)
    left = first.attacker.remaining
    assert left["strategic_bombers"] == 0 < left["interceptors"], "the one bomber was the second factor to be hit"
    assert others == [] and not table.events(RaidBombed)


@pytest.mark.ledger("26.442.2", "26.461.2", "26.461B.2")
def test_forces_of_one_power_from_two_fronts_fight_apart_and_bomb_together() -> None:
    rome = target("Rome", "Italy", "Mediterranean", distances={"Britain, western": 8, "Britain": 2, "Italy": 0})
    start = {"at": "Axis Spring 1943", "targets": [rome], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"air_range": 2, "bombers": 2}}}
    places = {
        "western": {"Britain strategic bomber": 2},
        "Mediterranean": {"Britain strategic bomber": 3, "Italy AAF": 1},
    }
    table = WarTable(
        setup(start, places=places, begin="Spring 1943"),
        {
            "strategic bombing": {
                "Britain strategic bomber, western": "Rome",
                "Britain strategic bomber, Mediterranean": "Rome",
            },
            "air defense of targets": {"Italy AAF, Mediterranean": "Rome"},
        },
    ).to_end()
    assert len(table.events(RaidAirCombat)) == 2
    (bombs,) = table.events(RaidBombed)
    assert bombs.modifier.total == 1 + 1, "one bomber result beyond the first, and 16 - 8 hexes over the longest way"


@pytest.mark.ledger("26.454.1", "24.66")
def test_losses_of_several_nations_fall_on_the_largest_first() -> None:
    start = {"at": "Axis Spring 1943", "targets": [LONDON], "air_bases": BASES, "politics": WAR}
    places = {"western": {"Germany AAF": 30, "Britain AAF": 2, "United States AAF": 3}}
    names = ("Britain AAF", "United States AAF")
    table = WarTable(
        setup(start, places=places, begin="Spring 1943"),
        {
            "strategic bombing": {"Germany AAF, western": "London"},
            "air defense of targets": {f"{name}, western": "London" for name in names},
        },
        {"the bomber force": 12},
    ).to_end()
    (fight,) = table.events(RaidAirCombat)
    lost = fight.defender.eliminated["aaf"]
    left = {name: table.war.places["western"].get(name, 0) for name in names}
    assert lost >= 2 and left == {"Britain AAF": 2 - lost // 2, "United States AAF": 3 - (lost + 1) // 2}


# -- boxes --------------------------------------------------------------------------------------------


@pytest.mark.ledger("26.462.1", "26.462.2", "26.462.3", "26.71A.3", "26.71B.2")
def test_a_mapboard_box_is_defended_by_its_front_and_by_what_is_in_it() -> None:
    india = target(
        "India box", "Britain", "Southeast Asian", 10, kind="box", defences={"box": True}, distances={"Japan": 3}
    )
    start = {"at": "Axis Spring 1943", "targets": [india], "air_bases": {"Southeast Asian": ["Japan"]}, "politics": WAR}
    start |= {"research": {"Japan": {"bombers": 1}}, "construction": {"Britain": 12}, "brps": {"Britain": 12}}
    places = {
        "Southeast Asian": {"Japan strategic bomber": 8, "United States interceptor": 1},
        "India box": {"Britain AAF": 1},
        "western": {"Britain interceptor": 1},
    }
    table = WarTable(
        setup(start, places=places, begin="Spring 1943"),
        {"strategic bombing": {"Japan strategic bomber, Southeast Asian": "India box"}},
        {"bombers over": 12},
    )
    assert items(table.to("air defense of targets")) == {
        "United States interceptor, Southeast Asian": ("stay", "India box"),
        "Britain AAF, India box": ("stay", "India box"),
    }
    table.to_end()
    (told,) = table.events(BombingTold)
    assert told.brps == {"Britain": 10} and told.construction == {"India": 3, "Britain": 3}


@pytest.mark.ledger("26.31.3", "26.31E", "26.71A.3")
def test_the_U_S_boxes_take_three_results_and_have_no_limit() -> None:
    box = target("Atlantic U.S. box", "United States", "western", 0, kind="box", defences={"box": True})
    box["distances"] = {"Germany": 20}
    box["target"] |= {"key_economic_area": False}
    start = {"at": "Axis Spring 1945", "targets": [box], "air_bases": BASES, "politics": WAR}
    places = {"western": {"Germany strategic bomber": 3}}
    bombs = {"strategic bombing": {"Germany strategic bomber, western": "Atlantic U.S. box"}}
    two = {"research": {"Germany": {"bombers": 1, "air_range": 2}}}
    assert (
        "strategic bombing"
        not in WarTable(setup({**start, **two}, places=places, begin="Spring 1945")).to_end().kinds()
    )
    three = {"research": {"Germany": {"bombers": 1, "air_range": 3}}, "brps": {"United States": 90}}
    table = WarTable(setup({**start, **three}, places=places, begin="Spring 1945"), bombs, {"bombers over": 9}).to_end()
    (bombed,) = table.events(RaidBombed)
    assert bombed.damage > 0 and table.events(BombingTold)[0].brps == {"United States": bombed.damage}


# -- flying bombs and rockets ------------------------------------------------------------------------------


def flying_bombs(defenders: dict[str, int], *more: dict[str, Any], **answers: Any) -> WarTable:
    """The example of 26.661: two salvos at London, strength 6, with one radar and one air defense result."""
    bases = [{"id": f"base {n}", "range": 4} for n in (1, 2, 3)]
    rows = [
        {"at": at, "rocket_bases": {"Germany": bases[: n + 1]}, "research": {"Germany": {"rockets": 10}}}
        for n, at in enumerate(("Axis Fall 1943", "Axis Winter 1943", "Axis Spring 1944"))
    ]
    start = {"at": "Axis Summer 1944", "targets": [LONDON, ESSEN, *more], "air_bases": BASES, "politics": WAR}
    start |= {"research": {"Western Allies": {"radar": 1, "air_defense": 1}}, "construction": {"Germany": 20}}
    start |= {"brps": {"Britain": 50, "Germany": answers.pop("brps", 10)}}
    fire = {f"Germany: base {n}": "flying bombs at London" for n in (1, 2)}
    return WarTable(
        setup(*rows, start, places={"western": defenders}, begin="Summer 1944", end="Fall 1944"),
        {
            ("Axis Summer 1944", "flying bombs"): {**fire, "Germany: base 3": "rockets at London"}
            if answers.pop("rockets", False)
            else fire,
            "flying bombs": {},
            "air defense of targets": {f"{name}, western": "London" for name in defenders},
            **answers,
        },
    )


@pytest.mark.ledger("26.64", "26.661-EX", "26.661A.1", "26.661A.3", "26.661B.1", "26.661B.2", "26.653A", "26.653C")
def test_two_salvos_of_flying_bombs_cost_six_BRPs() -> None:
    table = flying_bombs({"Britain AAF": 4})
    war = table.at("Axis Fall 1944")
    assert table.kinds("Axis Summer 1944")[:3] == ["flying bombs", "air defense of targets", "flying bomb defense"]
    (fired,) = table.events(SalvosFired)
    assert fired.damage == 2 * 8 - 6 - 4
    (told,) = table.events(BombingTold)
    assert told.brps == {"Britain": 6} and told.construction == {"Britain": 2, "Germany": -6}
    assert war.purses["Germany"].construction == 26


@pytest.mark.ledger("26.651B", "26.64", "26.653B", "26.63A", "26.63B.2")
def test_rockets_come_last_and_nothing_stops_them() -> None:
    table = flying_bombs({"Britain AAF": 4}, rockets=True)
    decision = table.to("flying bombs", "Axis Summer")
    three = {f"Germany: base {n}": "flying bombs at London" for n in (1, 2, 3)}
    assert refusal(decision, three) == "26.63B"
    table.to_end()
    assert [(event.kind, event.damage) for event in table.events(SalvosFired)] == [("flying bombs", 6), ("rockets", 5)]
    assert table.events(BombingTold)[0].construction == {"Britain": 2 + 5, "Germany": -11}
    (announced,) = table.events(SalvosAnnounced)
    assert [salvo.number for salvo in announced.salvos] == [2, 1]


@pytest.mark.ledger("26.63C", "26.31.2")
def test_a_base_out_of_range_does_not_fire() -> None:
    start = {"at": "Axis Summer 1944", "targets": [LONDON], "research": {"Germany": {"rockets": 9}}}
    start |= {"rocket_bases": {"Germany": [{"id": "far", "range": 2}]}}
    assert "flying bombs" not in WarTable(setup(start, begin="Summer 1944")).to_end().kinds()


@pytest.mark.ledger("26.663", "26.664", "26.661B.3")
def test_who_opposed_flying_bombs_pays_for_it_in_his_next_player_turn() -> None:
    defenders = {"Britain AAF": 3, "Britain interceptor": 2, "Britain jet": 1, "Britain strategic bomber": 1}
    table = flying_bombs(
        defenders, **{"air defense of targets": {f"{n}, western": "London" for n in list(defenders)[:3]}}
    )
    decision = table.to("strategic bombing", "Allied Summer 1944")
    assert list(items(decision)) == ["Britain interceptor, western", "Britain strategic bomber, western"]
    escort = {"Britain interceptor, western": {"Essen": 1}, "Britain strategic bomber, western": "Essen"}
    assert refusal(decision, escort) == "26.663"
    until = PlayerTurn(Turn(1944, 2), AXIS)
    assert Idle("western", "Britain AAF", 3, until) in table.war.idle
    assert table.events(SalvosFired)[0].damage == max(0, 16 - 6 - 5 - 4)
    later = table.at("Axis Fall 1944")
    assert later.ready("western") == defenders and not later.no_escort


@pytest.mark.ledger("26.51.3", "26.662")
def test_defenders_may_stand_down_and_keep_their_next_player_turn() -> None:
    stay = {"flying bomb defense": {"Britain AAF, western": {"oppose": 1}}}
    table = flying_bombs({"Britain AAF": 4}, **stay).to_end()
    assert table.events(SalvosFired)[0].damage == 16 - 6 - 1
    assert [event.defenders for event in table.events(RaidIntercepted)] == [
        {"Britain AAF, western": 4},
        {"Britain AAF, western": 1},
    ]


@pytest.mark.ledger("26.62B.2")
@pytest.mark.parametrize(
    ("rolls", "brps", "asked"), [((9, 12), 2, 1), ((9, 12), 1, 0), ((8, 12), 1, 1), ((2, 12), 10, 0)]
)
def test_a_rocket_base_is_kept_working_with_the_last_BRPs_and_nobody_pays_nothing(
    rolls: tuple[int, int], brps: int, asked: int
) -> None:
    """Two bombers on 9 do two, on 8 one, on 2 nothing."""
    base = target("base 1", "Germany", kind="rocket base", value=0, defences={"flak": 4}, distances={"Britain": 3})
    raid = {"Britain strategic bomber, western": "base 1"}
    answers: dict[str, Any] = {"rocket base repair": "pay", "strategic bombing": raid, "air defense of targets": {}}
    table = flying_bombs({"Britain strategic bomber": 2}, base, brps=brps, **answers)
    table.dice = {"bombers over base 1": rolls[0], "the defences of base 1": rolls[1]}
    war = table.at("Axis Fall 1944")
    assert table.kinds("Allied Summer 1944").count("rocket base repair") == asked
    assert war.purses["Germany"].brps == (0 if asked else brps)
    assert [each.damaged for each in war.rocket_bases["Germany"]] == [False, False, rolls == (9, 12) and not asked]


@pytest.mark.ledger("26.62B.1", "26.62B.2", "26.62C", "26.31K")
@pytest.mark.parametrize(
    ("rolls", "pays", "kept", "damaged"),
    [((9, 12), False, 3, True), ((9, 12), True, 3, False), ((12, 2), True, 2, False), ((11, 2), True, 2, False)],
)
def test_a_bombed_rocket_base(rolls: tuple[int, int], pays: bool, kept: int, damaged: bool) -> None:
    """Two bombers on 9 do two, on 12 five, on 11 four, and six more for both that get through: eleven or ten eliminate
    it."""
    base = target("base 1", "Germany", kind="rocket base", value=0, defences={"flak": 4}, distances={"Britain": 3})
    table = flying_bombs(
        {"Britain strategic bomber": 2},
        base,
        **{
            "rocket base repair": "pay" if pays else "leave",
            "strategic bombing": {"Britain strategic bomber, western": "base 1"},
            "air defense of targets": {},
        },
    )
    table.dice = {"bombers over base 1": rolls[0], "the defences of base 1": rolls[1]}
    war = table.at("Axis Fall 1944")
    bases = war.rocket_bases["Germany"]
    assert len(bases) == kept
    assert [each.damaged for each in bases if each.id == "base 1"] == ([damaged] if kept == 3 else [])
    assert war.purses["Germany"].brps == (8 if pays and kept == 3 else 10)
    returned = table.events(RocketBaseReturned)
    assert [event.base for event in returned] == ([] if kept == 3 else [RocketBase("base 1", range=4)])
    assert not any(base.damaged for base in table.at("Allied Fall 1944").rocket_bases["Germany"])
