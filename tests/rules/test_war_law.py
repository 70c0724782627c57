"""24 to 26: corners of the strategic war: boxes beside fronts, powers at peace, two powers at one target, lost canals."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.war_events import RaidAirCombat, RaidBombed, RaidersHunted, SalvosFired, ShippingStruck
from tests.rules.war_table import BASES, ESSEN, KIEL, LONDON, WAR, WarTable, items, setup, target

SOUTHEAST = "Southeast Asian"
JAPANESE_AAF = {"strategic bombing": {f"Japan AAF, {SOUTHEAST}": {"India box": 9}}}


def india(**keys: Any) -> dict[str, Any]:
    distances = {"Japan": 3, "Britain": 0, "Japan, Asian": 3, "Britain, Asian": 1}
    return target("India box", "Britain", front=SOUTHEAST, value=10, kind="box", distances=distances, **keys)


def convoys(*boxes: str) -> dict[str, dict[str, int]]:
    return {box: {"Western Allies transport": 9} for box in boxes}


# -- raiders --------------------------------------------------------------------------------------


@pytest.mark.ledger("25.363", "21.5342.R2")
def test_cruisers_that_meet_raiders_in_one_box_are_not_missed_in_another() -> None:
    raiders = [
        {"name": "Graf Spee", "nation": "Germany", "box": "Atlantic", "base": "Kiel", "ships": ["Graf Spee"]},
        {"name": "Deutschland", "nation": "Germany", "box": "Indian Ocean", "base": "Kiel", "ships": ["Deutschland"]},
    ]
    hunters = [
        {"name": f"Force {box}", "nation": "Britain", "box": box, "base": "Simonstown", "cruisers": 1}
        for box in ("Atlantic", "Indian Ocean")
    ]
    start = {"at": "Axis Fall 1939", "ports": [KIEL], "raiders": raiders, "hunters": hunters}
    given = setup(start, places=convoys("Atlantic", "Indian Ocean"), begin="Fall 1939")
    answers = {"raiders": {raider["name"]: "raid" for raider in raiders}}
    table = WarTable(given, answers, {"is hunted": 4}).to_end()
    assert [event.hunters for event in table.events(RaidersHunted)] == [("Britain/CA",), ("Britain/CA",)]


@pytest.mark.ledger("24.611.2")
def test_Italian_raiders_need_no_war_in_the_Pacific() -> None:
    raider = {"name": "Zara", "nation": "Italy", "box": "Atlantic", "base": "Taranto", "cruisers": 1}
    start = {"at": "Axis Fall 1940", "raiders": [raider]}
    table = WarTable(setup(start, places=convoys("Atlantic"), begin="Fall 1940"))
    assert items(table.to("raiders")) == {"Zara": ("in port", "raid")}


# -- the Indian Ocean -----------------------------------------------------------------------------


@pytest.mark.ledger("24.52.4")
@pytest.mark.parametrize(("holder", "leave"), [("Germany", True), ("Britain", False)])
def test_German_submarines_leave_the_Indian_Ocean_by_an_Axis_canal_only(holder: str, leave: bool) -> None:
    ports = [
        {"name": "Suez", "holder": holder, "front": "Mediterranean"},
        {"name": "Taranto", "holder": "Italy", "front": "Mediterranean"},
    ]
    places = {"Indian Ocean": {"Germany submarine": 1}}
    table = WarTable(setup({"at": "Axis Spring 1942", "ports": ports}, places=places))
    if leave:
        ways = items(table.to("SW redeployment"))["Germany submarine, Indian Ocean"]
        assert ways == ("Indian Ocean", "in the Mediterranean")
    else:
        assert "SW redeployment" not in table.to_end().kinds(), "SR-20: they stay"


# -- mapboard boxes -------------------------------------------------------------------------------


@pytest.mark.ledger("26.462.1")
@pytest.mark.parametrize("defences", [{}, {"flak": 9}])
def test_a_mapboard_box_always_has_a_strength_of_three(defences: dict[str, int]) -> None:
    start = {"at": "Axis Spring 1942", "politics": WAR, "targets": [india(defences=defences)]}
    given = setup(start, places={SOUTHEAST: {"Japan AAF": 9}})
    table = WarTable(given, JAPANESE_AAF, {"the defences of India box": 9}).to_end()
    (bombed,) = table.events(RaidBombed)
    assert sum(bombed.toll.eliminated.values()) == 1 and sum(bombed.toll.aborted.values()) == 1, "row 3 on a nine"


@pytest.mark.ledger("26.71A.3", "26.71B.2")
def test_the_India_box_is_worth_ten_though_nobody_says_so() -> None:
    """26.71A: 12 bombing factors on a 12 do 3/8 and more, of which ten BRPs are lost; limits fall by three (26.71B)."""
    box = target("India box", "Britain", front=SOUTHEAST, value=0, kind="box", distances={"Japan": 3})
    start = {"at": "Axis Spring 1942", "politics": WAR, "targets": [box], "brps": {"Britain": 50}}
    start |= {"construction": {"Britain": 20}, "research": {"Japan": {"bombers": 1}}}
    given = setup(start, places={SOUTHEAST: {"Japan strategic bomber": 12}})
    answers = {"strategic bombing": {f"Japan strategic bomber, {SOUTHEAST}": "India box"}}
    war = WarTable(given, answers, {"bombers over India box": 12}).at("Allied Spring 1942")
    assert (war.purses["Britain"].brps, war.purses["Britain"].construction) == (40, 17)


@pytest.mark.ledger("26.72F")
def test_industry_in_the_Urals_box_is_never_damaged() -> None:
    urals = target("Urals box", "Russia", front="eastern", value=99, kind="box", distances={"Germany": 3})
    urals |= {"facility": {"kind": "oil center", "production": 3}}
    start = {"at": "Axis Spring 1942", "targets": [urals], "research": {"Germany": {"bombers": 1}}}
    start |= {"brps": {"Russia": 50}}
    given = setup(start, places={"eastern": {"Germany strategic bomber": 9}})
    answers = {"strategic bombing": {"Germany strategic bomber, eastern": {"Urals box": 9}}}
    table = WarTable(given, answers, {"bombers over Urals box": 12}).to_end()
    assert table.events(RaidBombed)[0].damage > 10
    facility = table.war.targets["Urals box"].facility
    assert facility is not None and facility.markers == 0
    assert "emergency repair" not in table.kinds()


@pytest.mark.ledger("26.462.5", "26.442.2")
def test_a_raid_on_a_box_is_met_on_its_way_by_those_of_that_front() -> None:
    start = {"at": "Axis Spring 1942", "politics": WAR, "targets": [india()]}
    places = {"Asian": {"Japan AAF": 9, "Britain AAF": 3}, "India box": {"Britain AAF": 2}}
    answers = {"strategic bombing": {"Japan AAF, Asian": {"India box": 9}}}
    decision = WarTable(setup(start, places=places), answers).to("air defense of targets")
    assert items(decision) == {
        "Britain AAF, Asian": ("stay", "India box by way of the Asian front"),
        "Britain AAF, India box": ("stay", "India box"),
    }


# -- peace ----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.31.1")
@pytest.mark.parametrize("war", [False, True])
def test_nobody_bombs_a_power_it_is_at_peace_with(war: bool) -> None:
    news = {"politics": WAR} if war else {}
    japanese = setup({"at": "Axis Spring 1942", "targets": [india()], **news}, places={SOUTHEAST: {"Japan AAF": 9}})
    assert ("strategic bombing" in WarTable(japanese).to_end().kinds()) is war
    essen = {"at": "Axis Spring 1942", "targets": [ESSEN], "air_bases": BASES, **news}
    american = setup(essen, places={"western": {"United States AAF": 9}})
    assert ("strategic bombing" in WarTable(american).to_end().kinds()) is war


@pytest.mark.ledger("26.13.3", "26.443B")
@pytest.mark.parametrize("war", [False, True])
def test_nobody_meets_bombers_of_a_power_it_is_at_peace_with(war: bool) -> None:
    start = {"at": "Axis Spring 1942", "targets": [LONDON], **({"politics": WAR} if war else {})}
    places = {"western": {"Germany AAF": 9, "United States AAF": 3, "Britain AAF": 3}}
    answers = {"strategic bombing": {"Germany AAF, western": {"London": 9}}}
    offered = items(WarTable(setup(start, places=places), answers).to("air defense of targets"))
    assert ("United States AAF, western" in offered) is war
    assert "Britain AAF, western" in offered


# -- China ----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.443E")
@pytest.mark.parametrize("impaired", [False, True])
def test_American_interceptors_in_China_need_full_supply(impaired: bool) -> None:
    chungking = target("Chungking", "China", front="Asian", distances={"Japan": 3, "United States": 0})
    start = {"at": "Axis Spring 1942", "politics": WAR, "targets": [chungking]}
    start |= {"impaired_air": ["United States"]} if impaired else {}
    places = {"Asian": {"Japan AAF": 9, "United States interceptor": 1, "China AAF": 1}}
    answers = {"strategic bombing": {"Japan AAF, Asian": {"Chungking": 9}}}
    chungking["distances"]["China"] = 0
    offered = items(WarTable(setup(start, places=places), answers).to("air defense of targets"))
    assert ("United States interceptor, Asian" in offered) is not impaired


# -- flying bombs ---------------------------------------------------------------------------------


@pytest.mark.ledger("26.661B.1", "26.661B.2", "26.51.3")
def test_what_defends_a_target_stops_flying_bombs_of_two_powers_once() -> None:
    bases = {power: [{"id": f"{power} base", "range": 4}] for power in ("Britain", "United States")}
    start = {"at": "Axis Spring 1942", "politics": WAR, "targets": [ESSEN], "rocket_bases": bases}
    start |= {"research": {"Western Allies": {"rockets": 9}}}
    answers = {
        "flying bombs": {f"{power}: {power} base": "flying bombs at Essen" for power in bases},
        "air defense of targets": {"Germany AAF, western": {"Essen": 2}},
    }
    table = WarTable(setup(start, places={"western": {"Germany AAF": 2}}), answers).to_end()
    each = [event.modifier.lines[0].amount for event in table.events(SalvosFired)]
    assert len(each) == 2 and sum(event.damage for event in table.events(SalvosFired)) == sum(each) - 5 - 2
    assert table.kinds().count("flying bomb defense") == 1


# -- range, and bombers that do not arrive --------------------------------------------------------


@pytest.mark.ledger("26.421", "26.422.1")
def test_what_does_not_reach_a_target_is_not_asked_to_bomb_it() -> None:
    far = {**ESSEN, "distances": {"Britain": 5, "Germany": 0}}
    start = {"at": "Axis Spring 1942", "targets": [far], "air_bases": BASES}
    given = setup(start, places={"western": {"Britain strategic bomber": 2, "Britain AAF": 6}})
    assert "strategic bombing" not in WarTable(given).to_end().kinds(), "four hexes without air range research"


@pytest.mark.ledger("26.461.2", "26.47.1")
def test_bombers_all_lost_or_sent_home_in_air_combat_bomb_nothing() -> None:
    start = {"at": "Axis Spring 1942", "targets": [ESSEN], "air_bases": BASES}
    places = {"western": {"Britain strategic bomber": 1, "Germany AAF": 9}}
    answers = {
        "strategic bombing": {"Britain strategic bomber, western": {"Essen": 1}},
        "air defense of targets": {"Germany AAF, western": {"Essen": 9}},
    }
    table = WarTable(setup(start, places=places), answers, {"the defenders over Essen": 12}).to_end()
    assert table.events(RaidAirCombat) and not table.events(RaidBombed)


# -- losses elsewhere -----------------------------------------------------------------------------


@pytest.mark.ledger("24.631A.6", "24.631A.7")
@pytest.mark.parametrize(("lost", "back"), [(1, 2), (9, 0)])
def test_damaged_transports_lost_in_port_do_not_come_back(lost: int, back: int) -> None:
    first = {"at": "Axis Spring 1942", "ports": [KIEL]}
    second = {"at": "Allied Spring 1942", "losses": {"in port": {"Western Allies transport": lost}}}
    places = {"Atlantic": {"Western Allies transport": 20, "Germany submarine": 3}}
    table = WarTable(setup(first, second, places=places), {}, {"submarines of Germany": 12}).to_end()
    (struck,) = table.events(ShippingStruck)
    assert struck.toll.damaged == 3
    assert table.war.places["Atlantic"]["Western Allies transport"] == struck.toll.undamaged_left + back
