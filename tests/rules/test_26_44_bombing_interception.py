"""26.24, 26.25, 26.44, 26.462, 26.54: who may meet a bomber force, where and how often."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import AirDefenders, AirToll, Unit
from flagplot.rules.strategic import bombing_interception as interception

RULES = ruleset()
INTERCEPTOR = {"kind": "interceptor", "nation": "Germany", "base_front": "western"}
AAF = {"kind": "AAF", "nation": "Germany", "base": "Hamburg"}
JET = {"kind": "jet", "nation": "Germany", "jet_range": 2, "base": "Hamburg"}


def bars(unit: dict[str, Any], **more: Any) -> list[str]:
    """The rules that bar a unit from meeting British bombers over Germany, unless another meeting is said."""
    asked = {"unit": unit, "attacker": "Britain", "country": "Germany", "front": "western", "hex": "Kiel", **more}
    told = api.call("may_engage_bombers", asked)
    assert told["may"] == (not told["barred"])
    return [rule for rule, _ in told["barred"]]


@pytest.mark.ledger("26.23A")
def test_british_interceptors_meet_nobody_in_the_pacific() -> None:
    unit = {"kind": "interceptor", "nation": "Britain", "base_front": "Southeast Asian"}
    where = {"attacker": "Japan", "country": "Britain", "theatre": "Pacific", "front": "Southeast Asian"}
    assert bars(unit, **where, hex="Calcutta") == ["26.23A"]
    assert bars({**unit, "nation": "United States"}, **where, hex="Calcutta") == []
    assert bars({**unit, "kind": "AAF"}, **where, hex="Calcutta") == []


@pytest.mark.ledger("26.442.1", "26.442.2", "26.443C", "26.462.5")
def test_a_force_is_engaged_once_on_each_front_it_crosses_boxes_being_fronts() -> None:
    def most(*fronts: str) -> int:
        return int(api.call("bombing_engagements", {"fronts": list(fronts)})["max_engagements"])

    assert most("western") == most("western", "western") == 1
    assert most("western", "Mediterranean", "western") == 2
    assert most("Southeast Asian", "India box") == 2


@pytest.mark.ledger("26.12", "26.13.3", "26.14.1", "26.25.1")
def test_interceptors_army_air_and_jets_intercept_bombers_and_naval_air_do_not() -> None:
    assert bars(INTERCEPTOR) == bars(AAF) == bars(JET) == []
    assert "26.443" in bars({"kind": "strategic bomber", "nation": "Germany"})
    assert "26.443" in bars({"kind": "NAS", "nation": "Germany"})


@pytest.mark.ledger("26.24")
def test_interceptors_defend_their_own_front_only() -> None:
    assert bars({**INTERCEPTOR, "base_front": "eastern"}) == ["26.24"]
    assert bars({**INTERCEPTOR, "base_front": "eastern"}, front="eastern") == []


@pytest.mark.ledger("26.443A")
def test_interceptors_engage_within_their_range_which_research_lengthens() -> None:
    assert bars(INTERCEPTOR, distance=4) == []
    assert bars(INTERCEPTOR, distance=5) == ["26.443"]
    assert bars(INTERCEPTOR, distance=8, air_range=2) == []
    pacific = {"kind": "interceptor", "nation": "Japan", "base_front": "Pacific"}
    where = {"attacker": "United States", "country": "Japan", "front": "Pacific", "theatre": "Pacific"}
    assert bars(pacific, distance=3, **where) == []
    assert bars(pacific, distance=4, **where) == ["26.443"]
    assert bars({**INTERCEPTOR, "inverted": True}) == ["26.443"]


@pytest.mark.ledger("26.443B", "26.14.2", "26.25.1")
def test_army_air_and_jets_engage_uninverted_within_range_of_their_base() -> None:
    assert bars(AAF, distance=4, air_range=3) == []
    assert bars(AAF, distance=5, air_range=3) == ["26.443"]
    assert bars(JET, distance=2) == []
    assert bars(JET, distance=3) == ["26.443"]
    for unit in (AAF, JET):
        assert bars({**unit, "inverted": True}) == ["26.443"]
        assert bars({**unit, "supply": "partial"}) == bars({**unit, "oil_effects": True}) == ["26.14"]


@pytest.mark.ledger("26.443D", "26.13.4", "26.25.2")
def test_from_a_base_that_is_not_operational_one_intercepts_in_its_own_hex_only() -> None:
    for unit in (AAF, JET, {**INTERCEPTOR, "base": "Hamburg"}):
        idle = {**unit, "base_operational": False}
        assert bars(idle, hex="Hamburg") == []
        assert bars(idle, hex="Kiel", distance=1) == ["26.443D"]


@pytest.mark.ledger("26.443E")
def test_american_and_russian_interceptors_help_china_from_bases_their_own_faction_supplies() -> None:
    where = {"attacker": "Japan", "country": "China", "front": "Asian", "theatre": "Pacific", "in_china": True}
    for nation, source, other in (("United States", "Britain", "Russia"), ("Russia", "Russia", "United States")):
        unit = {"kind": "interceptor", "nation": nation, "base_front": "Asian"}
        assert bars({**unit, "base_supplied_by": source}, **where) == []
        assert bars({**unit, "base_supplied_by": other}, **where) == ["26.443E"]
        assert bars({**unit, "base_supplied_by": source, "supply": "partial"}, **where) == ["26.443E"]
    chinese = {"kind": "interceptor", "nation": "China", "base_front": "Asian"}
    assert bars(chinese, **where) == []


@pytest.mark.ledger("26.444")
def test_army_air_and_jets_fly_a_defensive_air_mission() -> None:
    for kind, mission in ((Unit.AAF, True), (Unit.JET, True), (Unit.INTERCEPTOR, False)):
        assert (interception.mission_of(kind) == "defensive air mission") is mission


@pytest.mark.ledger("26.445A")
def test_italian_air_defends_italian_targets_in_mediterranean_hexes_only() -> None:
    italian = {"kind": "AAF", "nation": "Italy", "base": "Rome"}
    assert bars(italian, country="Italy", front="Mediterranean") == []
    assert bars(italian, country="Italy", front="western") == ["26.445A"]
    assert bars(italian, country="Germany", front="Mediterranean") == ["26.445A"]


@pytest.mark.ledger("26.445B")
def test_germans_defend_italy_on_the_front_they_are_assigned_to() -> None:
    for own, other in (("Mediterranean", "western"), ("western", "Mediterranean")):
        unit = {**INTERCEPTOR, "base_front": own}
        assert bars(unit, country="Italy", front=own) == []
        assert bars(unit, country="Italy", front=other) == ["26.24"]
        assert bars(AAF, country="Italy", front=own) == bars(JET, country="Italy", front=other) == []


@pytest.mark.ledger("26.54")
def test_western_allied_and_russian_air_do_not_defend_each_other() -> None:
    russian = {"kind": "AAF", "nation": "Russia"}
    british = {"kind": "AAF", "nation": "Britain"}
    assert bars(russian, attacker="Germany", country="Britain") == ["26.54"]
    assert bars(british, attacker="Germany", country="Russia") == ["26.54"]
    assert bars(russian, attacker="Germany", country="Russia") == []
    assert bars(british, attacker="Germany", country="United States") == []


@pytest.mark.ledger("26.462.3", "26.462.4")
@pytest.mark.parametrize(
    ("box", "attacker", "front"),
    [
        ("Atlantic U.S. box", "Germany", "western"),
        ("Atlantic U.S. box", "Japan", "Pacific"),
        ("Pacific U.S. box", "Japan", "Pacific"),
        ("Australia box", "Japan", "Pacific"),
        ("India box", "Japan", "Southeast Asian"),
        ("Urals box", "Germany", "eastern"),
        ("Urals box", "Japan", "Asian"),
    ],
)
def test_each_box_is_covered_from_one_front(box: str, attacker: str, front: str) -> None:
    for each in ("western", "Mediterranean", "eastern", "Pacific", "Southeast Asian", "Asian"):
        unit = {"kind": "interceptor", "nation": "", "base_front": each}
        asked = {"attacker": attacker, "country": "", "box": box, "front": ""}
        assert bars(unit, **asked) == ([] if each == front else ["26.462"])


@pytest.mark.ledger("26.462.3")
def test_no_front_covers_a_box_that_attacker_does_not_bomb() -> None:
    assert not interception.covers_box(RULES, "Pacific", "India box", "Germany").holds
    assert interception.is_us_box("Pacific U.S. box") and not interception.is_us_box("India box")


@pytest.mark.ledger("26.462.2")
def test_army_air_in_a_box_intercepts_in_partial_supply_and_under_oil_effects() -> None:
    inside = {"kind": "AAF", "nation": "Britain", "in_box": "India box", "supply": "partial", "oil_effects": True}
    where = {"attacker": "Japan", "country": "Britain", "box": "India box", "front": ""}
    assert bars(inside, **where) == []
    assert bars({**inside, "kind": "jet"}, **where) == []
    assert bars({**inside, "supply": "none"}, **where) == ["26.462"]
    assert bars({**inside, "in_box": "Australia box"}, **where) == ["26.462"]
    assert bars({**inside, "inverted": True}, **where) == ["26.443"]


@pytest.mark.ledger("26.462.5", "26.441")
def test_each_defender_serves_at_one_target_on_the_map_or_in_a_box() -> None:
    assert interception.assigned_twice({"A": ["London"], "B": ["London", "London"], "C": []}) == ()
    found = interception.assigned_twice({"A": ["London", "Manchester"], "B": ["Rangoon", "India box"]})
    assert [each.rule for each in found] == ["26.441", "26.462"]


@pytest.mark.ledger("26.451.3", "26.51.3")
def test_aborted_defenders_meet_the_next_raid_on_the_same_target_and_eliminated_ones_do_not() -> None:
    toll = AirToll({"interceptors": 1, "aaf": 2}, {"aaf": 3, "jets": 1}, {})
    left = interception.defenders_left(AirDefenders(interceptors=4, aaf=7, jets=1), toll)
    assert left == AirDefenders(interceptors=3, aaf=5, jets=1)
