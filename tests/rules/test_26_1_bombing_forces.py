"""26.1, 26.2, 26.41 to 26.43: what flies for bombers, from where, how far, and what a bomber force is."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_bombing import AirUnit, BomberForce, Unit
from flagplot.rules.strategic import bombing_forces as forces

RULES = ruleset()
BOMBER = {"kind": "strategic bomber", "nation": "Britain"}
AAF = {"kind": "AAF", "nation": "Germany"}
JET = {"kind": "jet", "nation": "Germany", "jet_range": 4}
INTERCEPTOR = {"kind": "interceptor", "nation": "United States"}


def flight(unit: dict[str, Any], **more: Any) -> list[str]:
    """The rules that bar a unit from a flight."""
    told = api.call("may_fly_to_bomb", {"unit": unit, **more})
    assert told["may"] == (not told["barred"])
    return [rule for rule, _ in told["barred"]]


# -- roles -----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.11", "26.12", "26.13.3", "26.14.1", "26.15.2", "26.422.3", "24.613")
def test_bombers_bomb_army_air_does_everything_interceptors_and_jets_escort_or_oppose() -> None:
    oppose = ("intercept bombers", "oppose flying bombs")
    assert forces.roles_of(Unit.BOMBER) == ("bomb",)
    assert forces.roles_of(Unit.AAF) == ("bomb", "escort", *oppose)
    assert forces.roles_of(Unit.INTERCEPTOR) == forces.roles_of(Unit.JET) == ("escort", *oppose)
    assert forces.roles_of(Unit.NAS) == ()


@pytest.mark.ledger("26.43", "26.12", "26.14.1", "26.422.3")
def test_a_unit_flies_only_as_its_kind_may() -> None:
    assert flight(BOMBER) == []
    assert flight(INTERCEPTOR, role="escort") == []
    assert flight(JET, role="escort") == []
    assert flight(INTERCEPTOR) == flight(JET) == flight(BOMBER, role="escort") == ["26.1"]
    assert flight({"kind": "NAS"}) == flight({"kind": "NAS"}, role="escort") == ["26.422"]
    with pytest.raises(PlayerError, match="bomb"):
        flight(BOMBER, role="sing")


# -- fronts and placing ----------------------------------------------------------------------------


@pytest.mark.ledger("26.21.1")
def test_each_theatre_has_three_fronts() -> None:
    assert forces.fronts(RULES, "Europe") == ("western", "Mediterranean", "eastern")
    assert forces.fronts(RULES, "Pacific") == ("Pacific", "Southeast Asian", "Asian")


@pytest.mark.ledger("26.21.2", "26.25.1")
def test_bombers_and_interceptors_change_front_in_redeployment_even_if_used() -> None:
    for kind in (Unit.BOMBER, Unit.INTERCEPTOR):
        assert forces.may_change_front(kind, "redeployment").holds
        assert not forces.may_change_front(kind, "combat").holds
    assert forces.may_change_front(Unit.AAF, "redeployment").rule == "26.25"


def placing(**unit: Any) -> tuple[bool, str]:
    asked = {"kind": "interceptor", "nation": "Germany", "theatre": "Europe", "front": "eastern", **unit}
    told = api.call("may_be_placed_on_front", {"unit": asked})
    return told["may"], told["why"][0]


@pytest.mark.ledger("26.22", "26.21.1", "26.25.1")
def test_new_units_go_where_a_friendly_operational_base_is_in_the_theatre_they_were_built_for() -> None:
    assert placing() == (True, "26.22")
    assert placing(operational_base=False) == (False, "26.22")
    assert placing(built_in="pacific") == (False, "26.22")
    assert placing(front="Asian") == (False, "26.21")
    assert placing(kind="AAF") == placing(kind="jet") == (False, "26.25")


@pytest.mark.ledger("26.52", "26.53", "26.453.2", "26.445A", "26.31C", "26.92A", "26.653C")
def test_capitals_make_no_difference_to_a_question() -> None:
    """26.52 and others: "japan" has ten AAF as Japan has, and "U.S." the DRM of the United States."""
    pairs: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("bombing_force", {"nation": "japan", "aaf": 15}, {"nation": "Japan", "aaf": 15}),
        *(
            ("bombing_modifier", {"distance": 1, "air_defense": 2, "country": one}, {"distance": 1, "country": "China"})
            for one in ("china", "CHINA")
        ),
        *(
            (
                "bombing_air_combat",
                {"attacker": {"strategic_bombers": 2}, "defender": {"aaf": 2}, "attacker_nation": one},
                {"attacker": {"strategic_bombers": 2}, "defender": {"aaf": 2}, "attacker_nation": "United States"},
            )
            for one in ("U.S.", "united states")
        ),
        (
            "may_be_bombed",
            {"target": {"name": "london", "country": "britain"}},
            {"target": {"name": "London", "country": "Britain"}},
        ),
        (
            "may_attack_atomically",
            {"attacker": "britain", "target": {"name": "rome", "country": "italy"}},
            {"attacker": "Britain", "target": {"name": "Rome", "country": "Italy"}},
        ),
        (
            "may_engage_bombers",
            {"unit": {"kind": "AAF", "nation": "italy"}, "attacker": "britain", "country": "italy", "front": "Western"},
            {"unit": {"kind": "AAF", "nation": "Italy"}, "attacker": "Britain", "country": "Italy", "front": "western"},
        ),
        (
            "firestorms",
            {"hexes": [{"name": "irkutsk", "country": "russia"}], "damage": {"bombers": 25}},
            {"hexes": [{"name": "Irkutsk", "country": "Russia"}], "damage": {"bombers": 25}},
        ),
        (
            "construction_limits",
            {"losses": [{"country": "britain", "brps": {"rockets": 5}}]},
            {"losses": [{"country": "Britain", "brps": {"rockets": 5}}]},
        ),
    ]
    for name, one, other in pairs:
        assert api.call(name, one) == api.call(name, other), name
    lower = placing(nation="britain", theatre="pacific", front="southeast asian")
    assert lower == placing(nation="Britain", theatre="Pacific", front="Southeast Asian") == (False, "26.23A")
    assert api.call("firestorms", pairs[-2][1])["firestorm"] == [True]


@pytest.mark.ledger("26.23A")
def test_british_bombers_never_serve_in_the_pacific() -> None:
    assert placing(nation="Britain", theatre="Pacific", front="Southeast Asian") == (False, "26.23A")
    assert placing(nation="Britain", front="western") == (True, "26.22")
    for kind, role in (("strategic bomber", "bomb"), ("interceptor", "escort")):
        flown = {"unit": {"kind": kind, "nation": "Britain"}, "role": role, "theatre": "Pacific", "distance": 1}
        assert api.call("may_fly_to_bomb", flown)["barred"][0][0] == "26.23A"
        assert api.call("may_fly_to_bomb", {**flown, "theatre": "Europe"})["may"]
    army = {"unit": {"kind": "AAF", "nation": "Britain"}, "theatre": "Pacific", "distance": 1}
    assert api.call("may_fly_to_bomb", army)["may"], "of army air nothing is said"


@pytest.mark.ledger("26.23B.1", "26.23B.2")
def test_american_units_stay_at_home_until_at_war_in_the_theatre() -> None:
    american = {"nation": "United States", "theatre": "Pacific", "front": "Pacific"}
    assert placing(**american, at_war=False) == (False, "26.23B")
    assert placing(**american) == (True, "26.22")


@pytest.mark.ledger("24.53.1", "24.53.2")
def test_american_bombers_do_nothing_before_they_are_in_an_sw_box() -> None:
    bomber = AirUnit(Unit.BOMBER, "United States")
    idle = forces.may_be_used(bomber, in_sw_box=False)
    assert not idle.holds and "Atlantic U.S. box" in idle.why
    assert forces.may_be_used(bomber, in_sw_box=True).holds
    assert forces.may_be_used(AirUnit(Unit.BOMBER, "Britain"), in_sw_box=False).holds
    assert forces.may_be_used(AirUnit(Unit.INTERCEPTOR, "United States"), in_sw_box=False).holds


@pytest.mark.ledger("26.23B.3")
@pytest.mark.parametrize(
    ("nation", "theatre", "year", "may"),
    [
        ("Britain", "Europe", 1939, False),
        ("Britain", "Europe", 1940, True),
        ("United States", "Europe", 1940, True),
        ("United States", "Pacific", 1943, False),
        ("United States", "Pacific", 1944, True),
        ("Britain", "Pacific", 1945, False),
        ("Germany", "Europe", 1940, True),
    ],
)
def test_bombers_for_europe_are_produced_from_1940_for_the_pacific_from_1944(
    nation: str, theatre: str, year: int, may: bool
) -> None:
    assert forces.may_produce_bombers(RULES, nation, theatre, year).holds is may


# -- ranges ----------------------------------------------------------------------------------------


@pytest.mark.ledger("26.421", "26.422.2", "26.431", "26.11")
def test_research_lengthens_the_range_of_bombers_and_interceptors_but_not_of_army_air() -> None:
    for results, bombers in enumerate((4, 8, 16, 24)):
        assert flight(BOMBER, distance=bombers, air_range=results) == []
        assert flight(BOMBER, distance=bombers + 1, air_range=results) == ["26.31"]
        assert flight(AAF, distance=4, air_range=results) == []
        assert flight(AAF, distance=5, air_range=results) == ["26.31"]
    for results, escorts in enumerate((3, 3, 6, 9)):
        assert forces.range_of(RULES, "Pacific", results, Unit.INTERCEPTOR) == escorts
    assert forces.range_of(RULES, "Europe", 3, Unit.JET, 6) == 6


@pytest.mark.ledger("24.611.2", "26.422.1", "26.13.1")
def test_army_air_bombs_uninverted_in_full_supply_from_an_operational_base_within_four_or_three_hexes() -> None:
    assert flight(AAF, distance=4) == []
    assert flight(AAF, distance=4, theatre="Pacific") == ["26.31"]
    assert flight(AAF, distance=3, theatre="Pacific") == []
    assert flight({**AAF, "inverted": True}) == ["26.13"]
    assert flight({**AAF, "supply": "partial"}) == ["26.13"]
    assert flight({**AAF, "base_operational": False}) == ["26.31"]


@pytest.mark.ledger("26.14.2")
def test_jets_are_kept_down_by_supply_and_oil_as_army_air_is() -> None:
    for unit in (AAF, JET):
        assert flight({**unit, "supply": "none"}, role="escort") == ["26.13"]
        assert flight({**unit, "oil_effects": True}, role="escort") == ["26.14"]
    assert flight({**BOMBER, "supply": "partial", "oil_effects": True}) == []


@pytest.mark.ledger("26.31.1", "26.21.3")
def test_bombers_and_escorts_need_an_operational_base_on_their_front_within_range() -> None:
    assert flight({**BOMBER, "base_front": "western"}, distance=8, air_range=1) == []
    assert flight({**BOMBER, "base_operational": False}) == ["26.31"]
    assert flight({**INTERCEPTOR, "base_operational": False}, role="escort") == ["26.31"]


@pytest.mark.ledger("26.31.3")
def test_the_us_boxes_take_strategic_bombers_and_three_air_range_results() -> None:
    german = {**BOMBER, "nation": "Germany"}
    assert flight(german, us_box=True, air_range=3, distance=20) == []
    assert flight(german, us_box=True, air_range=2, distance=16) == ["26.31"]
    assert flight({**AAF}, us_box=True, air_range=3) == ["26.31"]


@pytest.mark.ledger("26.31.4")
def test_chinese_bases_need_full_supply_from_a_british_or_american_source_and_no_oil_effects() -> None:
    based = {"kind": "strategic bomber", "nation": "United States", "base_nation": "China"}
    assert flight({**based, "base_supplied_by": "Britain"}) == []
    assert flight({**based, "base_supplied_by": "United States"}) == []
    assert flight({**based, "base_supplied_by": "China"}) == ["26.31"]
    assert flight({**based, "base_supplied_by": "Britain", "supply": "partial"}) == ["26.31"]
    assert flight({**based, "base_supplied_by": "Britain", "oil_effects": True}) == ["26.31"]


# -- the force -------------------------------------------------------------------------------------


@pytest.mark.ledger("26.13.2", "26.42A", "26.42B", "26.43A", "26.43B", "26.43C")
@pytest.mark.parametrize(("aaf", "bombing"), [(0, 0), (2, 0), (3, 1), (5, 1), (11, 3), (30, 10)])
def test_a_third_of_the_army_air_bombs_rounded_down_and_the_rest_escorts(aaf: int, bombing: int) -> None:
    asked = {"nation": "Germany", "strategic_bombers": 2, "aaf": aaf, "interceptors": 4, "jets": 1}
    told = api.call("bombing_force", asked)
    assert (told["bombing"], told["escort"], told["bombers"]) == (bombing, aaf - bombing, bombing + 2)
    assert told["force"] == {
        "interceptors": 4,
        "escort_aaf": aaf - bombing,
        "jets": 1,
        "bombing_aaf": bombing,
        "strategic_bombers": 2,
    }


@pytest.mark.ledger("26.52")
def test_at_most_ten_japanese_army_air_bomb_in_a_turn() -> None:
    told = api.call("bombing_force", {"nation": "Japan", "aaf": 8, "aaf_used": 4})
    assert (told["aaf"], told["bombing"], told["escort"]) == (6, 2, 4)
    assert api.call("bombing_force", {"nation": "Japan", "aaf": 8, "aaf_used": 12})["aaf"] == 0
    assert api.call("bombing_force", {"nation": "Germany", "aaf": 16, "aaf_used": 40})["aaf"] == 16
    with pytest.raises(PlayerError, match="AAF"):
        api.call("bombing_force", {"nation": "Japan", "aaf": -1})


@pytest.mark.ledger("26.41.2", "26.51.1")
def test_a_force_is_of_one_nationality() -> None:
    assert forces.one_nationality(["Britain", "Britain"]).holds
    assert not forces.one_nationality(["Britain", "United States"]).holds


@pytest.mark.ledger("26.442.3")
def test_what_flies_from_one_hex_to_one_target_takes_one_route() -> None:
    assert forces.one_route({("London", "Berlin"): ["north", "north"], ("London", "Kiel"): ["south"]}).holds
    assert not forces.one_route({("London", "Berlin"): ["north", "south"]}).holds


@pytest.mark.ledger("26.43", "26.431")
def test_escorts_protect_bombers_only_as_far_as_they_fly() -> None:
    force = BomberForce(strategic_bombers=5, bombing_aaf=1, escort_aaf=2, interceptors=3, jets=4)
    near = forces.force_at(RULES, "Europe", 0, force, {"escort_aaf": 4, "interceptors": 4, "jets": 3}, 3)
    assert near == force
    far = forces.force_at(RULES, "Europe", 0, force, {"escort_aaf": 5, "interceptors": 5, "jets": 4}, 3)
    assert far == BomberForce(strategic_bombers=5, bombing_aaf=1)
    assert forces.force_at(RULES, "Europe", 2, force, {"interceptors": 8}) == force


@pytest.mark.ledger("24.611.1", "26.41.1", "26.441", "26.451.2", "26.51.2", "26.64")
def test_the_attacker_announces_everything_first_and_flying_bombs_and_rockets_come_last() -> None:
    order = forces.order_of_bombing()
    assert "attacker announces" in order[0] and "defender assigns" in order[1]
    assert order.index("flying bombs") > next(i for i, step in enumerate(order) if "SW combat" in step)
    assert order.index("rockets") == order.index("flying bombs") + 1


# -- the same, asked -------------------------------------------------------------------------------


@pytest.mark.ledger("26.21.2", "26.25.1", "26.41.2", "26.442.3", "26.43", "26.431", "24.53.2")
def test_what_is_asked_of_forces_before_they_fly() -> None:
    def may(question: str, **asked: Any) -> bool:
        return bool(api.call(question, asked)["may"])

    steps = api.call("bombing_sequence")["steps"]
    assert [steps.index(each) for each in ("flying bombs", "rockets")] == [4, 5] and "attacker" in steps[0]
    assert may("may_change_front", kind="strategic bomber")
    assert not may("may_change_front", kind="interceptor", phase="movement")
    assert not may("may_change_front", kind="AAF")
    assert may("may_bomb_together", nations=["Britain", "britain"], routes=["by Texel"])
    assert not may("may_bomb_together", nations=["Britain", "U.S."])
    assert not may("may_bomb_together", nations=["Britain"], routes=["by Texel", "by Calais"])
    force = {"strategic_bombers": 5, "interceptors": 4, "escort_aaf": 2, "bombing_aaf": 1}
    far = {"force": force, "distances": {"interceptors": 8, "escort_aaf": 4}}
    told = api.call("bomber_force_at", {**far, "air_range": 1})
    assert (told["force"]["interceptors"], told["force"]["escort_aaf"], told["turned_back"]) == (0, 2, ["interceptors"])
    assert api.call("bomber_force_at", {**far, "air_range": 2})["turned_back"] == []
    with pytest.raises(PlayerError, match="no group of escorts"):
        api.call("bomber_force_at", {"force": force, "distances": {"strategic_bombers": 1}})
    bomber = {"kind": "strategic bomber", "nation": "U.S."}
    assert flight(bomber, distance=4, in_sw_box=False) == ["24.53"]
    assert flight(bomber, distance=4) == []
