"""24.5, 25.2 and 25.3: ASW and naval units in the SW boxes: bases, tension, transfers, duties, and leaving."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.api.sw_shapes import player_turn_called as turn
from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import BOXES, BoxUnit, Place, Politics
from flagplot.rules.strategic import box_duties as duties
from flagplot.rules.strategic import deployment
from flagplot.rules.strategic.box_duties import Duty

RULES = ruleset()
PEACE = Politics()
WAR = Politics(germany_us_war=True, japan_us_war=True, japan_britain_war=True)

PLYMOUTH = Place("Plymouth", "western", "Britain")
LORIENT = Place("Lorient", "western", "France")
GENOA = Place("Genoa", "Mediterranean", "Italy")
TOKYO = Place("Tokyo", "Pacific", "Japan")
BASES = [
    PLYMOUTH,
    GENOA,
    TOKYO,
    Place("Truk", "Pacific"),
    Place("Singapore", "Southeast Asian"),
    Place("Pearl Harbor", "Pacific"),
    Place("Tahiti", "Pacific"),
    Place("Suez"),
    Place("Basra"),
    Place("Abadan"),
    Place("Colombo", "Southeast Asian"),
    Place("Madras", "Southeast Asian"),
    Place("Atlantic U.S. box"),
    Place("Pacific U.S. box"),
    Place("South Africa box"),
    Place("Australia box"),
    Place("India box"),
]


def bases(nation: str, kind: str, box: str) -> list[str]:
    unit = BoxUnit(nation, kind)
    return [place.name for place in BASES if deployment.may_base(RULES, unit, box, place).holds]


@pytest.mark.ledger("25.31A.1", "25.31B.1", "25.31C.1")
@pytest.mark.parametrize("nation", ["Britain", "United States"])
def test_western_allied_units_base_where_the_box_is_near(nation: str) -> None:
    assert bases(nation, "naval unit", "Atlantic") == ["Plymouth", "Atlantic U.S. box", "South Africa box"]
    assert bases(nation, "CVE", "Pacific") == ["Pearl Harbor", "Tahiti", "Pacific U.S. box", "Australia box"]
    assert bases(nation, "ASW", "Indian Ocean") == [
        "Suez",
        "Basra",
        "Abadan",
        "Colombo",
        "Madras",
        "South Africa box",
        "Australia box",
        "India box",
    ]


@pytest.mark.ledger("25.31A.2", "25.31C.2", "25.31.2", "25.13A.1")
def test_germany_sends_submarines_alone_from_the_west_and_the_mediterranean() -> None:
    mediterranean = ["Genoa"]
    assert bases("Germany", "submarine", "Atlantic") == ["Plymouth", *mediterranean]
    assert bases("Germany", "submarine", "Indian Ocean") == mediterranean
    assert bases("Germany", "submarine", "Pacific") == []
    assert bases("Germany", "naval unit", "Atlantic") == bases("Germany", "naval unit", "Indian Ocean") == []
    assert bases("Italy", "naval unit", "Atlantic") == []


@pytest.mark.ledger("25.31B.2", "25.31C.3", "25.31.1")
def test_japan_bases_in_japan_or_truk_and_its_submarines_for_the_indian_ocean_in_singapore() -> None:
    assert bases("Japan", "naval unit", "Pacific") == ["Tokyo", "Truk"]
    assert bases("Japan", "submarine", "Indian Ocean") == ["Tokyo", "Singapore"]
    assert bases("Japan", "naval unit", "Indian Ocean") == []
    assert bases("Japan", "submarine", "Atlantic") == []


@pytest.mark.ledger("25.31D")
def test_other_western_allies_stay_out() -> None:
    for box in BOXES:
        verdict = deployment.may_be_in_box(RULES, BoxUnit("France"), box)
        assert (verdict.holds, verdict.rule) == (False, "25.31D")


def refused(unit: BoxUnit, box: str, place: Place, phase: str, politics: Politics = WAR, **keys: Any) -> list[str]:
    found = deployment.deployment_refused(RULES, unit, box, place, phase, politics, **keys)
    return [verdict.rule for verdict in found]


@pytest.mark.ledger("25.31.1", "25.21.2", "25.34")
def test_ships_asw_and_transports_go_in_movement_or_redeployment_inverted_or_not() -> None:
    for kind in ("naval unit", "ASW", "transport"):
        for phase in ("movement", "redeployment"):
            assert refused(BoxUnit("Britain", kind, inverted=True), "Atlantic", PLYMOUTH, phase) == []
    assert refused(BoxUnit("Britain"), "Atlantic", PLYMOUTH, "combat") == ["25.31"]


@pytest.mark.ledger("25.31.2", "25.12.2")
def test_german_submarines_go_in_redeployment() -> None:
    submarine = BoxUnit("Germany", "submarine")
    assert refused(submarine, "Atlantic", LORIENT, "redeployment") == []
    assert refused(submarine, "Atlantic", LORIENT, "movement") == ["25.12"]
    assert refused(submarine, "Indian Ocean", GENOA, "redeployment") == ["25.13A"]
    held = {"axis_hold_suez": True, "axis_hold_ethiopia": True}
    assert refused(submarine, "Indian Ocean", GENOA, "redeployment", **held) == []
    assert refused(BoxUnit("Britain", "submarine"), "Atlantic", PLYMOUTH, "redeployment") == ["25.13D"]


@pytest.mark.ledger("25.22E")
def test_japanese_asw_wait_for_war_with_the_us() -> None:
    assert refused(BoxUnit("Japan", "ASW"), "Pacific", TOKYO, "movement", Politics(usjt=50)) == ["25.22E"]
    assert refused(BoxUnit("Japan", "ASW"), "Pacific", TOKYO, "movement") == []
    assert refused(BoxUnit("Japan", "transport"), "Pacific", TOKYO, "movement", PEACE) == []


@pytest.mark.ledger("24.54", "25.22C", "25.32A.1", "25.32B")
def test_american_asw_go_to_no_box_that_neither_war_nor_tension_has_opened() -> None:
    asw, box = BoxUnit("United States", "ASW"), Place("Atlantic U.S. box")
    assert refused(asw, "Atlantic", box, "movement", Politics(usat=24)) == ["25.32"]
    assert refused(asw, "Atlantic", box, "movement", Politics(usat=25)) == []
    assert refused(BoxUnit("United States", "CVE"), "Atlantic", box, "movement", PEACE) == []
    assert transfer(asw, "Atlantic", "Indian Ocean", politics=Politics(germany_us_war=True)) == ["25.32"]
    assert transfer(asw, "Atlantic", "Indian Ocean") == []
    assert transfer(asw, "Atlantic", "Pacific", politics=Politics(germany_us_war=True, usjt=39)) == ["25.32"]
    assert transfer(BoxUnit("Britain", "ASW"), "Atlantic", "Indian Ocean", politics=PEACE) == []


# -- ASW ----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.21.1", "25.21.2", "25.21.3")
def test_asw_act_from_a_box_only_and_are_destroyers_on_the_map() -> None:
    assert deployment.asw_operates(None)
    assert not deployment.asw_operates(PLYMOUTH) and not deployment.asw_operates(Place("India box"))
    assert deployment.asw_on_the_map_as() == "DD"


@pytest.mark.ledger("25.22A", "25.22B", "25.22C", "25.22D")
def test_asw_are_built_where_their_list_says() -> None:
    assert deployment.british_asw_begins_in() == "Atlantic"
    yards = ("Britain", "Canada", "United States", "Japan")

    def may(source: str) -> list[str]:
        return [yard for yard in yards if deployment.asw_may_be_built(source, yard).holds]

    assert may("British allowable build") == ["Britain", "Canada"]
    assert may("American allowable build") == ["United States"]
    assert may("production") == ["Britain", "Canada", "United States"]


@pytest.mark.ledger("25.32A.1", "25.32A.2", "25.22C", "24.54")
def test_american_asw_in_the_atlantic_by_tension() -> None:
    ceilings = [deployment.american_asw_ceiling(RULES, Politics(usat=usat)) for usat in (0, 24, 25, 34, 35, 60)]
    assert ceilings == [0, 0, 1, 1, 2, 2]
    assert deployment.american_asw_ceiling(RULES, Politics(germany_us_war=True)) is None

    def more(usat: int, present: int) -> int | None:
        return deployment.american_asw_may_enter(RULES, "Atlantic", Politics(usat=usat), present=present)

    assert [more(35, 0), more(35, 1), more(35, 2), more(25, 2), more(0, 1)] == [2, 1, 0, 0, 0]


@pytest.mark.ledger("25.32B", "25.22C", "24.54")
def test_american_asw_in_the_pacific_one_a_turn_from_usjt_40() -> None:
    def more(usjt: int, entered: int = 0, **war: bool) -> int | None:
        return deployment.american_asw_may_enter(
            RULES, "Pacific", Politics(usjt=usjt, **war), present=4, entered=entered
        )

    assert [more(39), more(40), more(40, 1)] == [0, 1, 0]
    assert more(0, japan_us_war=True) is None
    assert more(0, germany_us_war=True) == 0  # war in the other theater changes nothing here


@pytest.mark.ledger("25.22C", "25.22D", "24.54")
def test_american_asw_enter_the_indian_ocean_with_both_wars_or_by_choice_with_either() -> None:
    either = ruleset("current", {"us_asw_indian_ocean": "either"})
    one, both = Politics(usat=50, usjt=50, germany_us_war=True), WAR
    assert deployment.american_asw_may_enter(RULES, "Indian Ocean", one) == 0
    assert deployment.american_asw_may_enter(RULES, "Indian Ocean", both) is None
    assert deployment.american_asw_may_enter(either, "Indian Ocean", one) is None
    assert deployment.american_asw_may_enter(either, "Indian Ocean", Politics(usat=50, usjt=50)) == 0


@pytest.mark.ledger("25.22B", "25.22D")
def test_british_and_canadian_asw_are_free_of_tension() -> None:
    built = {"Britain": 1, "Canada": 2, "United States": 3}
    assert deployment.asw_may_enter(RULES, built, "Atlantic", PEACE) == 3
    assert deployment.asw_may_enter(RULES, built, "Atlantic", Politics(usat=25)) == 4
    assert deployment.asw_may_enter(RULES, built, "Atlantic", WAR) == 6
    assert deployment.asw_may_enter(RULES, {"Britain": 1}, "Indian Ocean", PEACE) == 1


# -- between the boxes --------------------------------------------------------------------------------------------


def transfer(unit: BoxUnit, start: str, end: str, phase: str = "redeployment", politics: Politics = WAR) -> list[str]:
    return [found.rule for found in deployment.transfer_refused(RULES, unit, start, end, phase, politics)]


@pytest.mark.ledger("24.52.1", "24.52.3", "25.31.3", "25.38")
def test_western_allied_units_change_boxes_freely_in_redeployment() -> None:
    for kind in ("naval unit", "ASW", "transport"):
        for start in BOXES:
            for end in BOXES:
                assert transfer(BoxUnit("Britain", kind), start, end, politics=PEACE) == []
    assert transfer(BoxUnit("Britain"), "Atlantic", "Pacific", "movement") == ["24.52"]


@pytest.mark.ledger("24.52.1", "24.52.4")
def test_german_submarines_do_not_go_from_box_to_box() -> None:
    submarine = BoxUnit("Germany", "submarine")
    assert transfer(submarine, "Atlantic", "Indian Ocean") == ["24.52"]
    assert transfer(submarine, "Indian Ocean", "Atlantic") == ["24.52"]
    assert transfer(submarine, "Atlantic", "Pacific") == ["25.31A", "25.13A"]


@pytest.mark.ledger("24.52.1", "25.13C.3", "25.37.5")
def test_japanese_submarines_change_boxes_in_war_and_japanese_transports_never() -> None:
    submarine = BoxUnit("Japan", "submarine")
    assert transfer(submarine, "Pacific", "Indian Ocean") == []
    assert transfer(submarine, "Pacific", "Indian Ocean", politics=Politics(japan_us_war=True)) == ["25.81"]
    assert transfer(BoxUnit("Japan", "transport"), "Pacific", "Indian Ocean") == ["25.31C", "25.37"]


@pytest.mark.ledger("24.52.2", "24.52.3", "25.38")
def test_a_transferred_unit_is_ready_in_the_next_player_turn() -> None:
    found = deployment.transferred(turn("Allied Fall 1942"))
    assert (found.inverted, found.turns_on_the_way, found.may_be_intercepted) == (False, 0, False)
    assert str(found.usable_from) == "Axis Winter 1942"


# -- on the way -----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.33", "25.33A", "25.33B", "25.33C.1", "25.33C.2")
def test_where_units_are_intercepted_on_their_way_to_a_box() -> None:
    british, japanese = BoxUnit("Britain"), BoxUnit("Japan")

    def way(unit: BoxUnit, box: str, place: Place) -> tuple[str, bool, bool] | None:
        found = duties.exposed(unit, box, place)
        return None if found is None else (found.where, found.by_air, found.by_ships)

    assert way(british, "Atlantic", Place("Atlantic U.S. box")) is None
    assert way(british, "Indian Ocean", Place("India box")) is None
    assert way(british, "Atlantic", PLYMOUTH) == (
        "between the western front port and the western edge of the map",
        True,
        True,
    )
    eastern = "between Pearl Harbor and the eastern edge of the map"
    assert way(british, "Pacific", Place("Pearl Harbor")) == (eastern, True, True)
    assert way(japanese, "Pacific", Place("Truk")) == ("Truk", True, True)
    assert way(japanese, "Pacific", TOKYO) == ("a port in Japan", True, True)
    southern = "between Suez and the southern edge of the European map"
    assert way(british, "Indian Ocean", Place("Suez")) == (southern, True, False)
    western = "between Madras and the western edge of the Pacific map, by the Japanese"
    assert way(british, "Indian Ocean", Place("Madras")) == (western, True, True)
    assert way(BoxUnit("Japan", "submarine"), "Indian Ocean", TOKYO) is None
    assert way(BoxUnit("Germany", "submarine"), "Atlantic", LORIENT) is None


@pytest.mark.ledger("22.11A.4", "22.11A.5", "22.11A.7", "25.33")
def test_asw_submarines_and_western_allied_transports_are_never_intercepted_on_the_way() -> None:
    for kind in ("ASW", "submarine", "transport"):
        assert duties.exposed(BoxUnit("United States", kind), "Pacific", Place("Pearl Harbor")) is None
        assert duties.exposed(BoxUnit("Britain", kind), "Atlantic", PLYMOUTH) is None
    assert duties.exposed(BoxUnit("Japan", "ASW"), "Pacific", TOKYO) is None
    carried = duties.exposed(BoxUnit("Japan", "transport"), "Pacific", TOKYO)
    assert carried is not None and carried.where == "a port in Japan"  # only the Western Allies' are immune
    assert duties.exposed(BoxUnit("United States", "CVE"), "Pacific", Place("Pearl Harbor")) is not None


@pytest.mark.ledger("25.34")
def test_inverted_units_idle_through_the_next_enemy_turn() -> None:
    assert str(duties.idle_through(BoxUnit("Britain", inverted=True), turn("Allied Spring 1941"))) == "Axis Summer 1941"
    assert duties.idle_through(BoxUnit("Britain"), turn("Allied Spring 1941")) is None


# -- duties -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.35", "25.35A", "25.35B", "25.35C", "25.35D", "25.35E", "25.363")
def test_which_duties_a_unit_may_do() -> None:
    def may(unit: BoxUnit, *invasion_from: str) -> list[str]:
        found = {duty: duties.may_perform(unit, duty, invasion_from=invasion_from) for duty in Duty}
        return [duty.value for duty in Duty if found[duty].holds]

    every = ["transport activity", "base changes and redeployments"]
    assert may(BoxUnit("Japan")) == every
    assert may(BoxUnit("Britain")) == [*every, "raider interception"]
    assert may(BoxUnit("United States", "CVE")) == [*every, "anti-submarine", "raider interception"]
    assert may(BoxUnit("Britain", inverted=True)) == []
    assert "invasion support" in may(BoxUnit("Britain"), "Australia box")
    assert "invasion support" in may(BoxUnit("United States"), "Pacific U.S. box", "India box")
    assert "invasion support" not in may(BoxUnit("Britain"), "Australia box", "Pearl Harbor")
    assert "invasion support" not in may(BoxUnit("Japan"), "Australia box")


@pytest.mark.ledger("25.35", "25.35E", "25.363")
def test_submarines_asw_and_transports_have_no_duties_of_naval_units() -> None:
    def may(kind: str) -> list[str]:
        unit = BoxUnit("United States", kind)
        return [duty.value for duty in Duty if duties.may_perform(unit, duty, invasion_from=["India box"]).holds]

    assert may("submarine") == may("advanced submarine") == []
    assert may("ASW") == ["anti-submarine"]
    assert may("transport") == ["transport activity"]


@pytest.mark.ledger("25.36.1")
def test_guarding_does_not_invert_unless_damaged_or_withdrawn() -> None:
    assert not duties.inverted_by_duty()
    assert duties.inverted_by_duty(damaged=True)
    assert duties.inverted_by_duty(withdrawn=True)


@pytest.mark.ledger("25.36.2")
def test_of_several_activities_at_once_each_guard_is_named_to_one() -> None:
    lines = ["supply to Malta", "supply to Egypt"]
    assert duties.guards_named(lines[:1], {}).holds
    assert duties.guards_named(lines, {"TF 1": lines[0], "TF 2": lines[1]}).holds
    assert not duties.guards_named(lines, {"TF 1": "all of them"}).holds


@pytest.mark.ledger("25.361")
def test_destroyers_of_three_nations_absorb_submarine_losses() -> None:
    for nation in ("Japan", "Britain", "United States"):
        assert duties.absorbs_submarine_losses(BoxUnit(nation, "DD")).holds
    assert not duties.absorbs_submarine_losses(BoxUnit("Britain", "CVE")).holds


# -- leaving ------------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.37.1", "25.37.2")
def test_units_leave_for_a_base_of_the_box_and_submarines_in_redeployment() -> None:
    def refused_to_leave(unit: BoxUnit, place: Place, phase: str) -> list[str]:
        return [found.rule for found in duties.withdrawal_refused(RULES, unit, "Atlantic", place, phase)]

    assert refused_to_leave(BoxUnit("Britain", "ASW", inverted=True), PLYMOUTH, "movement") == []
    assert refused_to_leave(BoxUnit("Britain"), PLYMOUTH, "redeployment") == []
    assert refused_to_leave(BoxUnit("Britain"), PLYMOUTH, "combat") == ["25.37"]
    assert refused_to_leave(BoxUnit("Britain"), GENOA, "movement") == ["25.31A"]
    assert refused_to_leave(BoxUnit("Germany", "submarine"), LORIENT, "movement") == ["25.12"]
    assert refused_to_leave(BoxUnit("Germany", "submarine"), GENOA, "redeployment") == []


@pytest.mark.ledger("25.37.4")
def test_sound_transports_are_not_taken_out_of_the_boxes_at_the_end_of_a_turn() -> None:
    for transport, expected in ((BoxUnit("Britain", "transport"), ["25.37"]), (BoxUnit("Britain", "CVE"), [])):
        found = duties.withdrawal_refused(RULES, transport, "Atlantic", PLYMOUTH, "redeployment")
        assert [each.rule for each in found] == expected
    hurt = BoxUnit("Britain", "transport", damaged=True)
    assert duties.withdrawal_refused(RULES, hurt, "Atlantic", PLYMOUTH, "redeployment") == ()


@pytest.mark.ledger("25.37.3")
def test_japanese_units_that_go_home_guard_redeployments_to_the_same_place() -> None:
    truk, kure = Place("Truk"), Place("Kure", "Pacific", "Japan")

    def guards(unit: BoxUnit, to: Place, destination: Place, phase: str = "redeployment") -> bool:
        return duties.guards_redeployment(unit, to, destination, phase)

    japanese = BoxUnit("Japan")
    assert guards(japanese, truk, truk) and guards(japanese, TOKYO, kure)
    assert not guards(japanese, truk, TOKYO)
    assert not guards(japanese, Place("Rabaul"), Place("Rabaul"))
    assert not guards(japanese, truk, truk, "movement")
    assert not guards(BoxUnit("Britain"), truk, truk)


@pytest.mark.ledger("25.37.4", "25.37.5")
def test_transports_end_the_turn_in_a_box_unless_damaged() -> None:
    western, japanese = BoxUnit("Britain", "transport"), BoxUnit("Japan", "transport")
    assert [duties.turn_ends(western, box).holds for box in (*BOXES, None)] == [True, True, True, False]
    assert [duties.turn_ends(japanese, box).holds for box in (*BOXES, None)] == [False, False, True, False]
    assert duties.turn_ends(BoxUnit("Britain", "transport", damaged=True), None).holds
    assert duties.turn_ends(BoxUnit("Britain"), None).holds


@pytest.mark.ledger("25.371")
def test_a_unit_damaged_in_a_box_must_leave_it() -> None:
    assert duties.must_withdraw(BoxUnit("Britain", damaged=True))
    assert not duties.must_withdraw(BoxUnit("Britain"))


@pytest.mark.ledger("25.372A", "25.372B")
def test_how_long_a_unit_that_left_is_inverted() -> None:
    now = turn("Allied Fall 1942")
    assert str(duties.inverted_by_withdrawal(now, "movement")) == "Allied Fall 1942"
    assert str(duties.inverted_by_withdrawal(now, "redeployment")) == "Axis Winter 1942"
