"""24.12, 24.6, 25: whole player turns of the strategic war, with dice and answers worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.strategic_war import PlayerTurn, Turn
from flagplot.model.war import STAGES, Idle
from flagplot.model.war_events import (
    ShippingStruck,
    SubmarineWarfareCounted,
    SubmarineWarfareRolled,
    UnitsBuilt,
    UnitsMoved,
    WarStageReached,
)
from tests.rules.war_table import ALLIES, AXIS, KIEL, SCAPA, TOKYO, WAR, WarTable, items, refusal, setup

ATLANTIC = {"Germany submarine": 6, "Britain ASW": 5, "United States ASW": 2, "Western Allies transport": 20}
PACIFIC = {
    "Japan submarine": 1,
    "United States submarine": 1,
    "United States ASW": 1,
    "Western Allies transport": 5,
    "Japan transport": 20,
}
BOXES = {"Atlantic": ATLANTIC, "Pacific": PACIFIC}
SPRING = {
    "at": "Axis Spring 1942",
    "politics": WAR,
    "ports": [KIEL, SCAPA, TOKYO],
    "research": {"Western Allies": {"asw": 5}},
}


def spring_1942() -> WarTable:
    """The six submarines of 24.64's first example against seven ASW, at a net -1; two more combats in the Pacific."""
    return WarTable(
        setup(SPRING, places=BOXES, end="Summer 1942"),
        dice={
            "6 submarines of Germany": 8,
            "7 ASW, Atlantic": 4,
            "1 submarines of Japan": 12,
            "1 ASW, Pacific": 5,
            "1 submarines of United States": 12,
        },
    )


@pytest.mark.ledger("24.12", "24.64-EX1", "24.631A.6", "25.66B.1", "25.13C.2", "25.13E.2", "25.42", "24.611.1")
def test_a_turn_of_1942_with_submarines_in_two_boxes() -> None:
    table = spring_1942()
    war = table.at("Allied Spring 1942")
    counted = {event.box: event.modifier.total for event in table.events(SubmarineWarfareCounted)[:2]}
    assert counted == {"Atlantic": +1 + 1 + 2 - 5, "Pacific": +1 + 1 - 5}
    atlantic, pacific, *_ = table.events(ShippingStruck)
    assert (atlantic.toll.sunk, atlantic.toll.damaged, atlantic.submarines) == (2, 3, {"Germany submarine": 1})
    assert (pacific.toll.sunk, pacific.toll.damaged, pacific.submarines) == (0, 1, {})
    assert war.present("Atlantic", "Western Allies transport") == 15
    assert war.present("Pacific", "Western Allies transport") == 4
    assert war.present("in port", "Western Allies transport") == 4
    assert war.pools["Germany"]["submarine"].allowable == 1, "what was lost may be built again"
    war = table.at("Axis Summer 1942")
    assert war.present("Pacific", "Japan transport") == 18, "a 0/2 against no ASW"
    (row,) = war.chart
    assert row.transports == {"Western Allies": 23, "Japan": 20}
    assert row.submarines == {"Germany": 5, "Japan": 1, "United States": 1}
    stages = [event.stage for event in table.events(WarStageReached)]
    assert stages == [*STAGES[1:]] * 4


@pytest.mark.ledger("24.631A.6", "24.631A.7", "24.631A.8", "25.37.4", "25.37.5")
def test_damaged_transports_must_go_back_at_the_first_redeployment_and_work_a_player_turn_later() -> None:
    table = spring_1942()
    movement = table.to("SW movement", "Allied Spring")
    assert not any("transport, in port" in key for key in items(movement)), "inverted ones wait"
    redeployment = table.to("SW redeployment", "Allied Spring")
    assert items(redeployment)["Western Allies transport, in port, inverted"] == ("Atlantic", "Indian Ocean", "Pacific")
    japanese = table.to("SW redeployment", "Axis Summer")
    assert items(japanese)["Japan transport, in port, inverted"] == ("Pacific",)
    assert Idle("in port", "Japan transport", 2, PlayerTurn(Turn(1942, 1), ALLIES)) in table.war.idle
    assert table.at("Axis Summer 1942").present("in port", "Western Allies transport") == 0
    moved = next(event for event in table.events(UnitsMoved) if event.side is ALLIES)
    assert Idle("Atlantic", "Western Allies transport", 4, PlayerTurn(Turn(1942, 1), AXIS)) in moved.idle


@pytest.mark.ledger("25.66A", "25.66B.1", "25.66B.2", "25.66B.3", "25.66B.4")
def test_happy_time_is_two_axis_combat_phases_and_ends_with_the_war() -> None:
    peace = {**WAR, "germany_us_war": False}
    table = WarTable(
        setup(
            {**SPRING, "at": "Allied Spring 1942"},
            {"at": "Axis Spring 1942", "ports": [KIEL]},
            {"at": "Axis Spring 1943", "politics": peace},
            {"at": "Axis Summer 1943", "politics": WAR, "us_reentry": True},
            places={"Atlantic": {**ATLANTIC, "Western Allies transport": 200}},
            end="Summer 1943",
        )
    ).to_end()
    lines = [
        {line.rule: line.amount for line in event.modifier.lines if line.rule.startswith("25.66")}
        for event in table.events(SubmarineWarfareCounted)
    ]
    assert lines == [{}, {"25.66A": 1, "25.66B": 2}, {"25.66A": 1, "25.66B": 1}, {"25.66A": 1}, {}, {"25.66A": 1}]


@pytest.mark.ledger("25.621", "22.552A.2")
def test_want_of_supply_or_oil_lowers_a_side_until_it_is_over() -> None:
    table = WarTable(
        setup(
            {**SPRING, "impaired": ["Germany"]},
            {"at": "Axis Summer 1942", "impaired": ["Britain"]},
            {"at": "Axis Fall 1942", "impaired": []},
            places={"Atlantic": {**ATLANTIC, "Western Allies transport": 200}},
            end="Fall 1942",
        )
    ).to_end()
    drm = [
        next((line.amount for line in event.modifier.lines if line.rule == "25.621"), 0)
        for event in table.events(SubmarineWarfareCounted)
    ]
    assert drm == [0, 2, 1]


@pytest.mark.ledger("24.12")
def test_the_order_in_which_an_answer_is_written_does_not_matter() -> None:
    places = {"in port": {"Britain ASW": 3}, "reserve": {"Germany interceptor": 3}}
    start = {"at": "Axis Spring 1942", "ports": [SCAPA], "air_bases": {"western": ["Germany"], "eastern": ["Germany"]}}
    logs = []
    for boxes, fronts in (("Atlantic Pacific", "western eastern"), ("Pacific Atlantic", "eastern western")):
        table = WarTable(
            setup(start, places=places),
            {
                "SW movement": {"Britain ASW, in port": dict.fromkeys(boxes.split(), 1)},
                "air placement": {"Germany interceptor, reserve": dict.fromkeys(fronts.split(), 1)},
            },
        ).to_end()
        logs.append(table.game.table.check())
    assert logs[0] == logs[1]


@pytest.mark.ledger("25.82", "24.622.1")
def test_two_attackers_in_the_indian_ocean_strike_together() -> None:
    suez = {"name": "Suez", "holder": "Germany", "front": "Mediterranean"}
    ocean = {"Germany submarine": 2, "Japan submarine": 1, "Britain ASW": 3, "Western Allies transport": 10}
    table = WarTable(
        setup({"at": "Axis Spring 1942", "politics": WAR, "ports": [suez, TOKYO]}, places={"Indian Ocean": ocean}),
        {"ASW split": {"ASW": {"Germany": 1, "Japan": 2}}},
        {
            "2 submarines of Germany": 8,
            "1 ASW": 9,
            "1 submarines of Japan": 9,
            "2 ASW": 12,
        },
    ).to_end()
    assert [event.modifier.total for event in table.events(SubmarineWarfareCounted)] == [1, 2]
    (event,) = table.events(ShippingStruck)
    # Germany 2 on 9: 0/2, both get through, +1: three more; Japan 1 on 11: 0/2, turned back, +2 but one submarine: one more
    assert (event.toll.sunk, event.toll.damaged, event.toll.undamaged_left, event.submarines) == (4, 4, 2, {})


@pytest.mark.ledger("25.82", "24.631B.1", "24.631B.2")
def test_no_ASW_are_not_split_and_make_no_roll() -> None:
    suez = {"name": "Suez", "holder": "Germany", "front": "Mediterranean"}
    ocean = {"Germany submarine": 2, "Japan submarine": 1, "Western Allies transport": 10}
    table = WarTable(
        setup({"at": "Axis Spring 1942", "politics": WAR, "ports": [suez, TOKYO]}, places={"Indian Ocean": ocean})
    ).to_end()
    assert "ASW split" not in table.kinds()
    assert not any("ASW" in why for why in table.rolled)


@pytest.mark.ledger("24.631A.2", "24.631A.3", "24.66", "25.14")
@pytest.mark.parametrize("lost", ["Britain", "United States"])
def test_where_no_transports_are_left_the_owner_says_whose_ASW_are_lost(lost: str) -> None:
    places = {"Atlantic": {"Germany submarine": 6, "Britain ASW": 1, "United States ASW": 1}}
    table = WarTable(
        setup(SPRING, places=places),
        {"escort losses": {f"{lost} ASW": "lost"}},
        {"6 submarines of Germany": 12},
    )
    decision = table.to("escort losses")
    assert decision.side is ALLIES
    assert refusal(decision, {"Britain ASW": "lost", "United States ASW": "lost"}) == "24.631A"
    war = table.at("Allied Spring 1942")
    other = "Britain" if lost == "United States" else "United States"
    assert war.places["Atlantic"] == {"Germany submarine": 6, f"{other} ASW": 1}


@pytest.mark.ledger("24.631A.2", "25.34")
def test_inverted_CVEs_are_lost_first_and_only_upright_ones_count() -> None:
    from flagplot.rules.strategic.submarine_turn import _without

    until = PlayerTurn(Turn(1942, 1), AXIS)
    idle = (Idle("Atlantic", "Britain CVE", 2, until), Idle("Pacific", "Britain CVE", 1, until))
    assert _without(idle, "Atlantic", {"Britain CVE": 1}) == (
        Idle("Atlantic", "Britain CVE", 1, until),
        Idle("Pacific", "Britain CVE", 1, until),
    )
    assert _without(idle, "Atlantic", {"Britain CVE": 2}) == idle[1:]


@pytest.mark.ledger("25.73", "25.73A", "25.73B", "25.73C", "25.73D")
@pytest.mark.parametrize("option", ["before_advanced", "after_advanced"])
def test_advanced_submarines_come_last_and_find_damaged_transports_or_not(option: str) -> None:
    places = {"Atlantic": {**ATLANTIC, "Germany advanced submarine": 1}}
    table = WarTable(
        setup({**SPRING, "at": "Axis Spring 1943"}, places=places, begin="Spring 1943"),
        {
            "submarine warfare": {
                "Germany submarine, Atlantic": "fight",
                "Germany advanced submarine, Atlantic": "fight",
            }
        },
        {"6 submarines of Germany": 8, "7 ASW, Atlantic": 4, "1 advanced": 12},
        {"damaged_transports_leave": option},
    )
    war = table.at("Allied Spring 1943")
    # Conventional: 2 sunk, 3 damaged, 15 unhurt. Advanced: row 3 on 12 is 1/3, and one more: 2 sunk, 3 damaged.
    first, second = table.events(ShippingStruck)
    assert (first.toll.sunk, first.toll.damaged) == (2, 3)
    assert second.toll.sunk == 2
    assert war.present("Atlantic", "Western Allies transport") == 10
    assert war.present("in port", "Western Allies transport") == 6
    assert second.toll.damaged == (3 if option == "before_advanced" else 6)


@pytest.mark.ledger("25.73", "25.82")
def test_advanced_submarines_alone_meet_no_ASW() -> None:
    places = {"Atlantic": {"Germany advanced submarine": 2, "Britain ASW": 4, "Western Allies transport": 9}}
    table = WarTable(
        setup({**SPRING, "at": "Axis Spring 1945"}, places=places, begin="Spring 1945"), dice={"2 advanced": 7}
    ).to_end()
    assert [event.rule for event in table.events(SubmarineWarfareRolled)] == ["25.73"], "told as what they are"
    (struck,) = table.events(ShippingStruck)
    # two count six on 7: 1/3, and one more each
    assert (struck.toll.sunk, struck.toll.damaged) == (3, 3) and not any("ASW" in why for why in table.rolled)


def test_a_battle_is_no_war() -> None:
    from flagplot.core.errors import EngineError
    from flagplot.core.runner import Runner
    from flagplot.editions.current import ruleset
    from flagplot.rules.strategic.war import strategic_war
    from flagplot.rules.table import Table
    from flagplot.scenarios.loader import load_scenario

    with pytest.raises(EngineError, match="war"):
        Runner(strategic_war(Table(ruleset("current")), load_scenario("ambush").setup))


# -- construction -----------------------------------------------------------------------------------


@pytest.mark.ledger("25.22B", "25.22C", "25.22D", "24.54", "24.43.1", "24.43.2")
def test_listed_ASW_are_built_in_the_yards_of_their_power() -> None:
    rich = {"at": "Allied Fall 1939", "brps": {"Britain": 30, "United States": 30}}
    rich |= {"construction": {"Britain": 30, "United States": 30}, "shipbuilding": {"Britain": 9, "United States": 9}}
    table = WarTable(setup(rich, begin="Fall 1939"), {"SW construction": {"Britain: ASW": {"build": 1}}})
    decision = table.to("SW construction")
    assert refusal(decision, {"Britain: ASW": {"build": 2}}) == "25.22C"
    assert refusal(decision, {"United States: ASW": {"build": 2}}) == "25.22B"
    assert refusal(decision, {"Britain: ASW": {"build": 1}, "United States: ASW": {"build": 1}}) == ""
    table.to_end()
    assert table.events(UnitsBuilt)[0].units == {"Britain ASW": 1}


@pytest.mark.ledger("24.43.1", "24.232C")
def test_American_bombers_of_both_pools_are_all_paid_for() -> None:
    """24.43: three BRPs a factor; one European and two Pacific bombers in one player turn cost nine."""
    rich = {"at": "Allied Spring 1944", "brps": {"United States": 30}, "construction": {"United States": 30}}
    rich |= {"research": {"Western Allies": {"bombers": 1}}}
    rich |= {"produced": {f"United States, {pool}": {"strategic bomber": 2} for pool in ("European", "Pacific")}}
    rich["produced"]["Britain"] = {"strategic bomber": 1}
    bombers = {f"United States: United States, {pool} strategic bomber": pool for pool in ("European", "Pacific")}
    numbers = {"European": 1, "Pacific": 2}
    answers = {"SW construction": {key: {"build": numbers[pool]} for key, pool in bombers.items()}}
    table = WarTable(setup(rich, begin="Spring 1944"), answers).to_end()
    (built,) = table.events(UnitsBuilt)
    assert (sum(built.units.values()), built.brps) == (3, 9)
    assert table.war.purses["United States"].brps == 21


@pytest.mark.ledger("24.22.1", "24.22.2", "26.22")
def test_produced_ships_wait_a_turn_and_new_interceptors_fly_at_once() -> None:
    spring = {
        "at": "Axis Spring 1940",
        "brps": {"Germany": 12},
        "construction": {"Germany": 12},
        "shipbuilding": {"Germany": 4},
        "produced": {"Germany": {"submarine": 2, "interceptor": 1}},
        "air_bases": {"western": ["Germany"]},
    }
    table = WarTable(
        setup(spring, begin="Spring 1940", end="Summer 1940"),
        {
            ("Axis Spring 1940", "SW construction"): {"Germany: interceptor": "build"},
            "air placement": {"Germany interceptor, reserve": "western"},
        },
    )
    decision = table.to("SW construction", "Axis Spring")
    assert {item.key: item.amount for item in decision.form.items} == {
        "Germany: submarine": 1,
        "Germany: interceptor": 1,
    }
    assert items(table.to("air placement"))["Germany interceptor, reserve"] == ("reserve", "western")
    later = table.to("SW construction", "Axis Summer")
    assert {item.key: item.amount for item in later.form.items} == {"Germany: submarine": 3}
    assert table.war.places["western"]["Germany interceptor"] == 1


@pytest.mark.ledger("26.22", "26.23B.1", "24.53.2")
def test_a_base_of_the_faction_is_enough_and_Americans_wait_for_war() -> None:
    start = {"at": "Axis Spring 1942", "air_bases": {"western": ["Britain"]}}
    places = {"Atlantic U.S. box": {"United States, European strategic bomber": 1}}
    peace = WarTable(setup(start, places=places)).to_end()
    assert "air redeployment" not in peace.kinds()
    war = WarTable(setup({**start, "politics": WAR}, places=places))
    assert items(war.to("air redeployment")) == {
        "United States, European strategic bomber, Atlantic U.S. box": ("Atlantic U.S. box", "western")
    }


# -- redeployment -----------------------------------------------------------------------------------

TARANTO = {"name": "Taranto", "holder": "Italy", "front": "Mediterranean"}
SUEZ = {"name": "Suez", "holder": "Italy", "front": "Mediterranean"}


@pytest.mark.ledger("25.15", "25.15A", "25.15B", "25.151.1", "24.52.4", "25.13A.4")
@pytest.mark.parametrize(("holder", "most"), [("Britain", 1), ("Germany", 3)])
def test_german_submarines_pass_gibraltar_one_a_turn(holder: str, most: int) -> None:
    gibraltar = {"name": "Gibraltar", "holder": holder, "front": "western"}
    start: dict[str, Any] = {"at": "Axis Spring 1942", "ports": [KIEL, TARANTO, SUEZ, gibraltar]}
    start |= {"axis_holds": ["Ethiopia"]}
    boats = {"in port": {"Germany submarine": 3}, "in the Mediterranean": {"Germany submarine": 2}}
    table = WarTable(setup(start, places=boats))
    decision = table.to("SW redeployment")
    places = items(decision)
    assert places["Germany submarine, in port"] == ("in port", "Atlantic", "in the Mediterranean")
    inside = places["Germany submarine, in the Mediterranean"]
    assert inside == ("in the Mediterranean", "Atlantic", "Indian Ocean", "in port")
    out = {"Germany submarine, in the Mediterranean": {"Atlantic": 1}}
    assert refusal(decision, out) == ""
    both = {**out, "Germany submarine, in port": {"in the Mediterranean": 1}}
    assert refusal(decision, both) == ("25.15" if most == 1 else "")
    assert refusal(decision, {"Germany submarine, in the Mediterranean": {"Indian Ocean": 2}}) == ""


@pytest.mark.ledger("25.15A", "25.12.2")
def test_without_a_mediterranean_port_nobody_goes_there() -> None:
    boats = {"in port": {"Germany submarine": 3, "Britain ASW": 1}, "Atlantic": {"Britain ASW": 1}}
    table = WarTable(setup({"at": "Axis Spring 1942", "ports": [KIEL, SCAPA]}, places=boats))
    assert items(table.to("SW redeployment", "Axis")) == {"Germany submarine, in port": ("in port", "Atlantic")}
    assert items(table.to("SW movement", "Allied"))["Britain ASW, in port"] == (
        "in port",
        "Atlantic",
        "Indian Ocean",
        "Pacific",
    )


@pytest.mark.ledger("25.13A.3", "25.122")
def test_a_box_that_holds_too_many_sends_the_others_home() -> None:
    boats = {"Atlantic": {"Germany submarine": 9, "Western Allies transport": 1}}
    table = WarTable(setup({"at": "Axis Fall 1939", "ports": [KIEL]}, places=boats, begin="Fall 1939"))
    fighting = table.to("submarine warfare")
    assert refusal(fighting, {"Germany submarine, Atlantic": {"fight": 2}}) == "25.13"
    decision = table.to("SW redeployment", "Axis")
    assert decision.form.default == {"Germany submarine, Atlantic": {"in port": 7}}
    assert refusal(decision, {}) == "25.13", "two may fight in Winter 1939"
    war = table.at("Allied Fall 1939")
    assert war.places["Atlantic"]["Germany submarine"] == 2
    assert war.ready("in port") == {}, "inverted through the enemy's player turn"


@pytest.mark.ledger("25.13A.3", "25.15B")
@pytest.mark.parametrize(("ports", "leaving"), [([TARANTO], {"in the Mediterranean": 1}), ([], None)])
def test_who_cannot_leave_stays(ports: list[Any], leaving: dict[str, int] | None) -> None:
    boats = {"Atlantic": {"Germany submarine": 9, "Western Allies transport": 1}}
    table = WarTable(setup({"at": "Axis Fall 1939", "ports": ports}, places=boats, begin="Fall 1939"))
    if leaving is None:
        table.to_end()
        assert table.kinds("Axis") == [], "submarines without a base do nothing"
    else:
        decision = table.to("SW redeployment", "Axis")
        assert decision.form.default == {"Germany submarine, Atlantic": leaving}
        table.to_end()


@pytest.mark.ledger("25.372A", "25.372B", "25.34", "25.37.1")
def test_units_that_leave_a_box_are_inverted_and_may_go_back_so() -> None:
    places = {"Atlantic": {"Britain ASW": 3, "Britain CVE": 1}}
    table = WarTable(
        setup({"at": "Axis Spring 1942", "ports": [KIEL, SCAPA]}, places=places, end="Summer 1942"),
        {
            ("Allied Spring 1942", "SW movement"): {"Britain ASW, Atlantic": {"in port": 2}},
            ("Allied Spring 1942", "SW redeployment"): {
                "Britain ASW, in port, inverted": {"Pacific": 1},
                "Britain ASW, Atlantic": {"in port": 1},
            },
        },
    )
    war = table.at("Axis Summer 1942")
    assert war.present("Pacific", "Britain ASW") == 1 and not war.ready("Pacific")
    assert war.present("in port", "Britain ASW") == 2
    assert war.ready("in port") == {"Britain ASW": 1}, "who left in movement was inverted for that player turn alone"
    war = table.at("Allied Summer 1942")
    assert war.ready("in port") == {"Britain ASW": 2} and war.ready("Pacific") == {"Britain ASW": 1}


@pytest.mark.ledger("25.32A.1", "25.32A.2", "25.32B", "25.22C")
def test_tension_lets_American_ASW_in_one_by_one() -> None:
    start = {"at": "Allied Spring 1941", "politics": {"usat": 25, "usjt": 40}, "ports": [SCAPA]}
    table = WarTable(
        setup(start, places={"in port": {"United States ASW": 3, "Britain ASW": 1}}, begin="Spring 1941"),
        {"SW movement": {"United States ASW, in port": {"Pacific": 1}}},
    )
    movement = table.to("SW movement")
    assert refusal(movement, {"United States ASW, in port": {"Atlantic": 2}}) == "25.32"
    assert refusal(movement, {"United States ASW, in port": {"Indian Ocean": 1}}) == "25.32"
    assert refusal(movement, {"United States ASW, in port": {"Atlantic": 1, "Pacific": 1}}) == ""
    redeployment = table.to("SW redeployment")
    assert refusal(redeployment, {"United States ASW, in port": {"Pacific": 1}}) == "25.32", "one has entered this turn"
