"""24.1 to 24.4: force pools, production dates and construction of SW units."""

from __future__ import annotations

import pytest

from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import SW_UNITS, ForcePool
from flagplot.rules.strategic import force_pools as pools

RULES = ruleset()


@pytest.mark.ledger("24.11")
def test_sw_units_are_bombers_interceptors_submarines_asw_and_transports() -> None:
    assert sorted(SW_UNITS) == ["ASW", "interceptor", "strategic bomber", "submarine", "transport"]
    assert pools.is_sw_unit("ASW") and not pools.is_sw_unit("destroyer")


@pytest.mark.ledger("24.11")
def test_no_more_are_used_than_the_force_pool_holds_and_the_pool_can_grow() -> None:
    pool = pools.starting_pools(RULES, "Germany")["submarine"]
    assert pools.employable(pool, 5) == 1
    pool = pools.built(pools.enlarged(pool, 2), 3)
    assert pool == ForcePool(4, 0)
    assert pools.employable(pool, 5) == 4
    assert pools.employable(pool, 2) == 2


@pytest.mark.ledger("24.11")
def test_an_eliminated_factor_may_be_built_again() -> None:
    assert pools.eliminated(ForcePool(4, 0), 1) == ForcePool(3, 1)


@pytest.mark.ledger("24.12", "24.611.1")
def test_units_are_built_in_unit_construction_and_fight_in_the_owner_s_combat_phase() -> None:
    assert pools.phase_for("construction") == "unit construction"
    assert pools.phase_for("combat") == "combat"


@pytest.mark.ledger("24.611.2")
def test_raiders_and_army_air_are_committed_before_sw_combat() -> None:
    for kind in ("submarine", "strategic bomber", "flying bombs", "rockets"):
        assert pools.before_sw_combat(kind) == ("raiders", "army air to bombing")
    assert pools.before_sw_combat("ASW") == ()


@pytest.mark.ledger("24.13")
def test_submarines_strike_shipping_and_bombs_strike_brps() -> None:
    assert pools.effects_of("submarine") == ("shipping",)
    assert "BRPs" in pools.effects_of("strategic bomber")
    assert pools.effects_of("interceptor") == ()


@pytest.mark.ledger("24.31", "24.31A", "24.31B", "24.31C", "24.31D", "24.31E", "24.31F", "24.31G", "24.31H")
def test_each_power_begins_with_the_listed_pools() -> None:
    one = ForcePool(1, 1)
    bomber = ForcePool(1, 0)
    assert pools.starting_pools(RULES, "Germany") == {"submarine": one}
    assert pools.starting_pools(RULES, "Italy") == {"submarine": one}
    assert pools.starting_pools(RULES, "Japan") == {"submarine": one, "transport": ForcePool(20, 0)}
    assert pools.starting_pools(RULES, "Britain") == {"submarine": one, "ASW": one, "strategic bomber": bomber}
    assert pools.starting_pools(RULES, "United States") == {"submarine": one, "ASW": one, "strategic bomber": bomber}
    assert pools.starting_pools(RULES, "Western Allies") == {"transport": ForcePool(35, 5)}
    for power in ("France", "Russia", "China"):
        assert pools.starting_pools(RULES, power) == {}


@pytest.mark.ledger("24.231.1", "24.232", "24.233")
def test_western_allied_pools_are_apart_but_for_asw_and_transports() -> None:
    for kind in ("interceptor", "submarine"):
        assert pools.pool_of("Britain", kind) == "Britain"
        assert pools.pool_of("United States", kind) == "United States"
    for kind in ("ASW", "transport"):
        assert pools.pool_of("Britain", kind) == pools.pool_of("United States", kind) == "Western Allies"
    bombers = {
        pools.pool_of(power, "strategic bomber", theater)
        for power, theater in (("Britain", "Europe"), ("United States", "Europe"), ("United States", "Pacific"))
    }
    assert bombers == set(pools.BOMBER_POOLS)
    assert pools.pool_of("Japan", "transport") == "Japan"


@pytest.mark.ledger("24.232A", "24.232B", "24.232C")
def test_each_bomber_pool_serves_in_its_theater_and_has_its_strength_at_the_start() -> None:
    serve = {(pool, place): pools.bombers_may_serve(pool, place) for pool in pools.BOMBER_POOLS for place in THEATERS}
    assert [key for key, verdict in serve.items() if verdict.holds] == [
        ("Britain", "Europe"),
        (pools.US_EUROPEAN, "Europe"),
        (pools.US_PACIFIC, "Pacific"),
    ]
    assert [serve[pool, "Europe"].rule for pool in pools.BOMBER_POOLS] == ["24.232A", "24.232B", "24.232C"]
    assert list(pools.starting_bombers(RULES).values()) == [1, 1, 0]


THEATERS = ("Europe", "Pacific")


@pytest.mark.ledger("24.231.2", "24.233")
@pytest.mark.parametrize(
    ("kind", "shares", "allowed"),
    [
        ("submarine", {"Britain": 3}, True),
        ("submarine", {"United States": 3}, True),
        ("interceptor", {"Britain": 1, "United States": 2}, True),
        ("interceptor", {"Britain": 1, "United States": 1}, False),
        ("interceptor", {"Britain": 4, "United States": -1}, False),
        ("submarine", {"Western Allies": 3}, False),
        ("ASW", {"Western Allies": 3}, True),
        ("ASW", {"Britain": 3}, False),
        ("transport", {"United States": 3}, False),
    ],
)
def test_three_factors_produced_are_credited_to_those_who_own_the_pool(
    kind: str, shares: dict[str, int], allowed: bool
) -> None:
    assert pools.attribution(kind, 3, shares).holds is allowed


@pytest.mark.ledger("24.232D.1", "24.232D.2")
@pytest.mark.parametrize(
    ("british", "american", "pacific", "allowed"),
    [(1, 1, 0, True), (2, 1, 0, True), (1, 2, 0, True), (2, 0, 0, False), (0, 3, 0, False), (0, 0, 4, True)],
)
def test_european_bombers_stay_equal_but_for_an_odd_factor_and_pacific_ones_stand_apart(
    british: int, american: int, pacific: int, allowed: bool
) -> None:
    before = {"Britain": 1, pools.US_EUROPEAN: 1, pools.US_PACIFIC: 0}
    added = {"Britain": british, pools.US_EUROPEAN: american, pools.US_PACIFIC: pacific}
    assert pools.bombers_stay_equal(before, added).holds is allowed


@pytest.mark.ledger("24.21", "24.21B", "24.21C", "24.21D", "24.234")
@pytest.mark.parametrize(
    ("power", "kind", "first", "number"),
    [
        ("Germany", "submarine", 1940, "24.21"),
        ("Italy", "submarine", 1940, "24.21"),
        ("Germany", "interceptor", 1940, "24.21"),
        ("Britain", "interceptor", 1940, "24.21"),
        ("Japan", "transport", 1940, "24.21"),
        ("Britain", "ASW", 1941, "24.21B"),
        ("United States", "transport", 1941, "24.21B"),
        ("Britain", "submarine", 1942, "24.21C"),
        ("United States", "submarine", 1942, "24.21C"),
        ("Japan", "submarine", 1942, "24.21C"),
        ("Japan", "ASW", 1943, "24.21D"),
    ],
)
def test_production_may_begin_in_its_year(power: str, kind: str, first: int, number: str) -> None:
    early, late = (pools.may_produce(RULES, power, kind, year) for year in (first - 1, first))
    assert (early.holds, late.holds, late.rule) == (False, True, number)


@pytest.mark.ledger("24.21", "24.234")
def test_nobody_produces_what_it_may_not_build() -> None:
    assert pools.may_produce(RULES, "France", "submarine", 1945).rule == "24.234"
    for power, kind in (("Italy", "interceptor"), ("Russia", "submarine"), ("Germany", "advanced submarine")):
        assert not pools.may_produce(RULES, power, kind, 1945).holds


@pytest.mark.ledger("24.21A.1", "24.21A.2", "24.232D.3")
def test_bombers_need_a_result_and_the_pacific_ones_wait_for_1944() -> None:
    def may(power: str, year: int, theater: str = "Europe", results: int | None = None) -> bool:
        return pools.may_produce(RULES, power, "strategic bomber", year, theater=theater, bomber_results=results).holds

    assert [may("Germany", 1942), may("Germany", 1942, results=1), may("Japan", 1942, "Pacific", 1)] == [0, 1, 1]
    assert [may("Britain", 1939), may("Britain", 1940), may("United States", 1940)] == [0, 1, 1]
    assert [may("United States", year, "Pacific") for year in (1943, 1944)] == [False, True]
    assert not may("Britain", 1945, "Pacific")
    assert not may("Britain", 1945, results=0)


@pytest.mark.ledger("24.22.1")
def test_aircraft_join_their_pool_after_research_and_ships_after_unit_construction() -> None:
    joined = {kind: pools.joins_pool_at(kind) for kind in SW_UNITS}
    assert [kind for kind, phase in joined.items() if phase == "research"] == ["strategic bomber", "interceptor"]
    assert joined["transport"] == "unit construction"


@pytest.mark.ledger("24.22.2")
def test_building_is_bound_by_pool_spending_construction_and_shipbuilding() -> None:
    held = {"submarine": ForcePool(1, 2), "interceptor": ForcePool(0, 1)}

    def refused(units: dict[str, int], **limits: int) -> list[str]:
        return [verdict.why for verdict in pools.construction_refused(RULES, units, held, pools.Limits(**limits))]

    wanted = {"submarine": 2, "interceptor": 1}
    assert refused(wanted) == []
    assert refused(wanted, brps=9, construction=9, shipbuilding=2) == []
    assert refused(wanted, brps=8) == ["9 BRPs to spend are needed, 8 are left"]
    assert refused(wanted, construction=6) == ["9 BRPs of the construction limit are needed, 6 are left"]
    assert refused(wanted, shipbuilding=1) == ["2 shipbuilding points are needed, 1 are left"]
    assert refused({"submarine": 3}) == ["the force pool allows 2 more submarines, not 3"]
    assert refused({"ASW": 1}) == ["the force pool allows 0 more ASWs, not 1"]


ALL_KINDS = (*SW_UNITS, "advanced submarine")


@pytest.mark.ledger("24.41A", "24.41B", "24.41C", "24.41D", "24.41E", "24.41F", "24.41G", "24.41H", "24.234")
@pytest.mark.parametrize(
    ("power", "free", "researched"),
    [
        ("Germany", ["interceptor", "submarine"], ["advanced submarine", "strategic bomber"]),
        ("Italy", ["submarine"], []),
        ("Japan", ["ASW", "interceptor", "submarine", "transport"], ["strategic bomber"]),
        ("Britain", ["ASW", "interceptor", "strategic bomber", "submarine", "transport"], []),
        ("United States", ["ASW", "interceptor", "strategic bomber", "submarine", "transport"], []),
        ("France", [], []),
        ("Russia", ["interceptor"], ["strategic bomber"]),
        ("China", [], []),
    ],
)
def test_each_power_builds_what_its_list_names(power: str, free: list[str], researched: list[str]) -> None:
    may = [kind for kind in sorted(ALL_KINDS) if pools.may_build(RULES, power, kind).holds]
    may_with = [kind for kind in sorted(ALL_KINDS) if pools.may_build(RULES, power, kind, researched=True).holds]
    assert may == free
    assert sorted(set(may_with) - set(may)) == researched


@pytest.mark.ledger("24.42")
def test_rockets_need_research() -> None:
    assert not pools.may_build(RULES, "Germany", "rockets").holds
    assert pools.may_build(RULES, "Germany", "rockets", researched=True).holds


@pytest.mark.ledger("24.43.1", "24.43.2")
def test_every_factor_costs_three_brps_and_naval_ones_a_shipbuilding_point() -> None:
    for kind in SW_UNITS:
        naval = kind in ("submarine", "ASW", "transport")
        assert pools.cost(RULES, {kind: 2}) == pools.Cost(6, 2 if naval else 0, 0)


@pytest.mark.ledger("24.53.1", "24.53.2")
def test_american_bombers_begin_at_home_and_act_from_sw_boxes_only() -> None:
    assert pools.american_bomber_begins_in() == "Atlantic U.S. box"
    assert not pools.american_bombers_usable("Atlantic U.S. box").holds
    assert pools.american_bombers_usable("European SW box, western front").holds
