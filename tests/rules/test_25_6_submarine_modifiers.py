"""25.6 to 25.9: what modifies submarine warfare, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.api.sw_shapes import player_turn_called
from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import Campaign, Cards, PlayerTurn, Research
from flagplot.rules.strategic import submarine_modifiers as rule
from flagplot.rules.strategic.submarine_modifiers import Carrier

RULES = ruleset()


def net(box: str = "Atlantic", attacker: str = "Germany", **keys: Any) -> int:
    """The net modifier of a campaign in which nationalities cancel out."""
    return rule.submarine_modifiers(RULES, Campaign(box, attacker, 2, 2, **keys)).total


def turn(text: str) -> PlayerTurn:
    return player_turn_called(text)


@pytest.mark.ledger("25.723")
@pytest.mark.parametrize(("name", "amount"), [("St Nazaire", 2), ("st. nazaire", 2), ("La Coruña", 1), ("Paris", 0)])
def test_points_and_accents_of_a_port_make_no_difference(name: str, amount: int) -> None:
    asked = {"box": "Atlantic", "attacker": "Germany", "ports_controlled_and_fully_supplied": [name]}
    assert api.call("sw_modifier", asked)["breakdown"]["ports"] == amount
    if amount:
        odds = api.call("submarine_odds", {**asked, "submarines": 1, "asw": 0, "transports": 9})
        assert odds["net_modifier"] == 1 + amount


@pytest.mark.ledger("25.621", "25.631", "24.6-MT.G1")
def test_germany_and_japan_begin_a_point_better_in_submarine_warfare() -> None:
    assert rule.submarine_drm(RULES, "Germany") - rule.asw_drm(RULES, "Britain") == 1
    assert rule.submarine_drm(RULES, "Japan") - rule.asw_drm(RULES, "United States") == 1
    assert rule.submarine_drm(RULES, "United States") - rule.asw_drm(RULES, "Japan") == -1
    campaign = Campaign("Atlantic", "Germany", 3, 2)
    assert rule.general_modifiers(campaign).total == 1


@pytest.mark.ledger("25.621")
def test_oil_or_partial_supply_lowers_a_side_and_research_raises_it() -> None:
    assert rule.submarine_drm(RULES, "Germany", impaired=True) == 2
    assert rule.asw_drm(RULES, "Britain", impaired=True) == 1  # AM-05
    assert rule.submarine_drm(RULES, "Germany", raised=1) == 4


@pytest.mark.ledger("25.622.1", "25.622.2", "24.6-MT.G3", "24.6-MT.G4")
def test_the_attacker_s_torpedoes_and_the_defender_s_asw_count_and_nothing_the_other_way() -> None:
    assert net(attacker_research=Research(torpedo=2), defender_research=Research(asw=3)) == -1
    assert net(attacker_research=Research(asw=5), defender_research=Research(torpedo=5)) == 0


@pytest.mark.ledger("25.622.3")
def test_a_great_asw_result_comes_in_two_steps() -> None:
    assert [rule.asw_levels(8, since) for since in (0, 1, 5)] == [1, 2, 2]
    assert [rule.asw_levels(6, since) for since in (0, 1)] == [1, 1]
    assert rule.asw_levels(5, 9) == 0


@pytest.mark.ledger("25.623.1", "24.6-MT.G2")
def test_air_ranges_are_compared() -> None:
    assert net(attacker_research=Research(air_range=1), defender_research=Research(air_range=3)) == -2
    assert net(attacker_research=Research(air_range=2)) == 2


@pytest.mark.ledger("25.623.2")
def test_air_range_modifies_no_attack_on_the_map() -> None:
    # It is a line of 25.62 and of nothing else: the modifier of 22.94 has no such input.
    from flagplot.api import describe

    assert rule.general_modifiers(Campaign("Pacific", "Japan", 2, 2, Research(air_range=1))).total == 1
    assert not [
        name
        for name in describe("submarine_modifier")["with"]["$defs"]["submarine_modifier"]["properties"]
        if "range" in name
    ]


@pytest.mark.ledger("25.632.1", "25.632.2")
def test_japan_begins_with_a_torpedo_result_that_does_not_count_against_later_research() -> None:
    assert rule.starting_research("Japan").torpedo == 1
    assert rule.starting_research("Germany") == rule.starting_research("Britain") == Research()
    assert [rule.later_torpedo_research("Japan", held) for held in (1, 2, 3)] == [0, -1, -2]
    assert [rule.later_torpedo_research("Germany", held) for held in (0, 1)] == [0, -1]


@pytest.mark.ledger("25.64A", "25.722", "24.6-MT.A1")
@pytest.mark.parametrize(
    ("carriers", "amount"),
    [(0, 0), (5, 0), (6, -1), (11, -1), (12, -2), (17, -2), (18, -3), (23, -3), (24, -4), (60, -4)],
)
def test_escort_carriers_in_the_atlantic(carriers: int, amount: int) -> None:
    assert net(escort_carriers=carriers) == amount


@pytest.mark.ledger("25.64B", "24.6-MT.I1", "24.6-MT.P1")
@pytest.mark.parametrize(
    ("carriers", "amount"), [(0, 0), (2, 0), (3, -1), (5, -1), (6, -2), (8, -2), (9, -3), (11, -3), (12, -4), (40, -4)]
)
def test_escort_carriers_in_the_other_oceans(carriers: int, amount: int) -> None:
    assert net("Indian Ocean", "Japan", escort_carriers=carriers) == amount
    assert net("Pacific", "United States", escort_carriers=carriers) == amount


@pytest.mark.ledger("25.362.1", "25.362.2", "25.641")
def test_only_uninverted_escort_carriers_count() -> None:
    carriers = [Carrier("CVE"), Carrier("CVE", inverted=True), Carrier("CV"), Carrier("CVL")]
    assert rule.escort_carriers_counted(carriers) == 1


@pytest.mark.ledger("25.65", "25.723.1", "25.723.2", "25.723.3", "25.723.4", "24.6-MT.A2", "24.6-MT.A3", "24.6-MT.A4")
@pytest.mark.parametrize(
    ("ports", "amount"),
    [
        ((), 0),
        (("Brest",), 2),
        (("Lorient",), 2),
        (("St. Nazaire",), 2),
        (("La Rochelle",), 2),
        (("Brest", "Lorient", "St. Nazaire", "La Rochelle"), 2),
        (("La Coruna",), 1),
        (("Vigo",), 1),
        (("Lisbon",), 1),
        (("Cadiz",), 1),
        (("Vigo", "Cadiz"), 1),
        (("Gibraltar",), 1),
        (("Brest", "Lisbon", "Gibraltar"), 4),
        (("Colombo", "Manila", "Suva", "Hamburg"), 0),
    ],
)
def test_each_group_of_atlantic_ports_counts_once(ports: tuple[str, ...], amount: int) -> None:
    assert net(ports=ports) == amount


@pytest.mark.ledger("25.811", "24.6-MT.I2")
def test_colombo_helps_japanese_submarines_in_the_indian_ocean_alone() -> None:
    assert net("Indian Ocean", "Japan", ports=("Colombo",)) == 1
    assert net("Indian Ocean", "Germany", ports=("Colombo",)) == 0
    assert net("Pacific", "Japan", ports=("Colombo",)) == 0


@pytest.mark.ledger("25.92A", "24.6-MT.P2")
def test_ports_in_the_south_or_hawaii_help_japan_once() -> None:
    for port in ("Townsville", "Noumea", "Suva", "Pearl Harbor", "Hawaiian Islands"):
        assert net("Pacific", "Japan", ports=(port,)) == 1
    assert net("Pacific", "Japan", ports=("Noumea", "Suva")) == 1
    assert net("Pacific", "United States", ports=("Noumea", "Pearl Harbor")) == 0


@pytest.mark.ledger("25.92B", "24.6-MT.P3")
def test_manila_helps_american_submarines_by_two() -> None:
    assert net("Pacific", "United States", ports=("Manila",)) == 2
    assert net("Pacific", "Japan", ports=("Manila",)) == 0


@pytest.mark.ledger("25.66A", "25.66B.1", "25.66B.2", "24.6-MT.A5", "24.6-MT.A6")
def test_war_with_the_us_is_worth_three_then_two_then_one() -> None:
    assert [net(war_phases=phase) for phase in (None, 1, 2, 3, 20)] == [0, 3, 2, 1, 1]
    assert net("Indian Ocean", "Germany", war_phases=1) == 0


@pytest.mark.ledger("25.66B.4", "25.66A")
def test_there_is_no_happy_time_when_the_us_comes_back() -> None:
    assert [net(war_phases=phase, us_reentry=True) for phase in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.ledger("25.66B.1", "25.66B.2", "25.66B.3")
def test_the_first_axis_combat_phase_is_the_first_after_the_outbreak_whoever_declared() -> None:
    spring, summer = turn("Axis Spring 1942"), turn("Axis Summer 1942")
    assert rule.war_phases(None, spring) is None
    assert rule.war_phases(turn("Allied Winter 1941"), turn("Axis Winter 1941")) is None
    assert rule.war_phases(turn("Allied Winter 1941"), spring) == 1
    assert rule.war_phases(turn("Axis Spring 1942"), spring) == 1
    assert rule.war_phases(turn("Axis Spring 1942"), spring, before_combat=False) is None
    assert rule.war_phases(turn("Axis Spring 1942"), summer, before_combat=False) == 1
    assert rule.war_phases(turn("Axis Spring 1942"), summer) == 2
    assert rule.us_war_modifiers(RULES, 1).total == 3  # nothing of tension is asked


@pytest.mark.ledger("25.725", "24.6-MT.A7")
def test_ireland_helps_germany_from_a_seven_on() -> None:
    assert [net(ireland=result) for result in (None, 6, 7, 9)] == [0, 0, 1, 1]
    assert net("Indian Ocean", "Germany", ireland=9) == 0


@pytest.mark.ledger("25.671", "25.672.1", "25.672.2", "25.673", "24.6-MT.A8", "24.6-MT.I3", "24.6-MT.I4", "24.6-MT.P4")
@pytest.mark.parametrize(
    ("box", "attacker"),
    [
        ("Atlantic", "Germany"),
        ("Indian Ocean", "Germany"),
        ("Indian Ocean", "Japan"),
        ("Pacific", "Japan"),
        ("Pacific", "United States"),
    ],
)
def test_who_plays_more_cards_has_one_point_and_no_more(box: str, attacker: str) -> None:
    cards = [Cards(0, 0), Cards(1, 0), Cards(3, 0), Cards(2, 2), Cards(0, 1), Cards(1, 4)]
    assert [net(box, attacker, cards=played) for played in cards] == [0, 1, 1, 0, -1, -1]


@pytest.mark.ledger("25.671A", "25.671B", "25.671C")
def test_whose_cards_are_compared() -> None:
    for box in ("Atlantic", "Indian Ocean"):
        assert rule.codebreakers("Germany", box) == rule.Codebreakers("Ultra", "European Axis", "Britain")
    for box in ("Pacific", "Indian Ocean"):
        assert rule.codebreakers("Japan", box) == rule.Codebreakers("Magic", "Japan", "United States")
    assert rule.codebreakers("United States", "Pacific") == rule.Codebreakers("Magic", "United States", "Japan")
    with pytest.raises(ValueError, match="no campaign"):
        rule.codebreakers("United States", "Atlantic")


@pytest.mark.ledger("25.61", "24.622.1", "24.622.3")
def test_a_breakdown_names_each_line_with_its_rule() -> None:
    campaign = Campaign(
        "Atlantic",
        "Germany",
        3,
        2,
        Research(torpedo=2),
        Research(asw=1),
        13,
        ("Brest", "La Rochelle", "Vigo"),
        Cards(0, 1),
        1,
        False,
        8,
    )
    made = rule.submarine_modifiers(RULES, campaign)
    assert [(line.rule, line.amount) for line in made.lines] == [
        ("25.621", 1),
        ("25.622", 2),
        ("25.622", -1),
        ("25.64", -2),
        ("25.723", 2),
        ("25.723", 1),
        ("25.66A", 1),
        ("25.66B", 2),
        ("25.725", 1),
        ("25.672", -1),
    ]
    assert made.total == 6
