"""24 and 25 through the public API: words a reader of the rules uses, whose CVEs and crews they are, who leaves a box."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

BOAT = {"nation": "Germany", "kind": "submarine"}


def ask(name: str, **with_: Any) -> dict[str, Any]:
    return api.call(name, with_)


# -- the modifier -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.362.1", "25.64B")
def test_carriers_of_the_attacker_do_nothing() -> None:
    def modifier(attacker: str, **said: Any) -> int:
        made = ask("sw_modifier", box="Pacific", attacker=attacker, uninverted_cves=9, **said)
        return int(made["breakdown"]["cves"])

    assert modifier("Japan") == -3  # they are Western Allied: the U.S. alone builds CVEs (27.721)
    assert modifier("U.S.") == 0
    assert modifier("U.S.", cves_of="Japan") == modifier("U.S.", cves_of="Defender") == -3
    assert modifier("Japan", cves_of="Japan") == 0
    assert modifier("Japan", cves_of="Britain") == modifier("Japan", cves_of="U.S.") == -3


@pytest.mark.ledger("24.631A.3")
def test_carriers_of_the_attacker_are_not_lost_to_his_own_submarines() -> None:
    turn = {"turn": "Spring 1945", "submarines_in_box": 6, "asw": 0, "transports": 0, "attacker_roll": 12}

    def lost(**said: Any) -> int:
        told = ask("submarine_turn", box="Pacific", attacker="U.S.", uninverted_cves=2, inverted_cves=1, **turn, **said)
        return int(told["cves_lost"])

    # six submarines; 12 - 1 by nationality is an 11 on row 6, 1/5: one loss, and neither transports nor ASW to take it
    assert (lost(), lost(cves_of="Japan")) == (0, 1)
    chances = ask(
        "submarine_odds", box="Pacific", attacker="U.S.", submarines=6, asw=0, transports=0, uninverted_cves=2
    )
    assert chances["quantities"]["cves_lost"]["exact"] == "0"


@pytest.mark.ledger("25.621", "22.552A")
def test_partial_supply_or_oil_lowers_a_side_s_nationality() -> None:
    def nationality(**said: Any) -> int:
        return int(ask("sw_modifier", box="Pacific", attacker="Japan", **said)["breakdown"]["nationality"])

    assert nationality() == 1
    assert nationality(attacker_impaired=True) == 0
    assert nationality(defender_impaired=True) == 2
    assert nationality(attacker_impaired=True, defender_impaired=True) == 1
    assert nationality(naval_drm_attacker=4, naval_drm_defender=2, attacker_impaired=True, defender_impaired=True) == 2


# -- to and from the boxes ----------------------------------------------------------------------------------------------


@pytest.mark.ledger("24.52.4", "25.37.1")
def test_germans_leave_the_indian_ocean_while_the_axis_hold_suez() -> None:
    def leaves(box: str, **said: Any) -> list[str]:
        base = {"name": "Taranto", "front": "Mediterranean"}
        told = ask(
            "box_withdrawal", unit=BOAT, box=box, base=base, phase="redeployment", player_turn="Axis Fall 1943", **said
        )
        return [rule for rule, _ in told["reasons"]]

    assert leaves("Indian Ocean") == ["24.52"]
    assert leaves("Indian Ocean", axis_hold_suez=True) == []
    assert leaves("Atlantic") == []


@pytest.mark.ledger("25.371", "25.37.1")
def test_ships_damaged_in_a_box_leave_it_in_the_combat_phase() -> None:
    def leaves(kind: str, *, damaged: bool) -> bool:
        unit = {"nation": "British", "kind": kind, "damaged": damaged}
        base = {"name": "Scapa Flow", "front": "western"}
        told = ask(
            "box_withdrawal", unit=unit, box="Atlantic", base=base, phase="combat phase", player_turn="Axis Fall 1940"
        )
        assert told["must"] is damaged
        return bool(told["allowed"])

    assert leaves("battleship", damaged=True)
    assert not leaves("battleship", damaged=False)


@pytest.mark.ledger("25.37.3")
def test_japanese_ships_that_go_home_guard_redeployments_there() -> None:
    def guards(base: str, phase: str) -> bool:
        told = ask(
            "box_withdrawal",
            unit={"nation": "Japan", "kind": "cruisers"},
            box="Pacific",
            base={"name": base},
            phase=phase,
            player_turn="Axis Fall 1943",
        )
        assert told["allowed"]
        return bool(told["guards_redeployments_there"])

    assert guards("Truk", "redeployment") and guards("Kure", "redeployment")
    assert not guards("Truk", "movement")


@pytest.mark.ledger("25.31D")
def test_ships_of_the_other_western_allies_stay_out_of_the_boxes() -> None:
    dutch = {"nation": "Netherlands", "kind": "CA"}
    told = ask("box_deployment", unit=dutch, box="Indian Ocean", base={"name": "Colombo"}, phase="movement")
    assert (told["allowed"], told["reasons"][0][0]) == (False, "25.31D")
    assert ask("box_duty", unit=dutch, duty="transport activity")["rule"] == "25.31D"


@pytest.mark.ledger("25.31A", "25.31B", "25.31C")
def test_bases_by_the_names_they_go_by() -> None:
    def goes(nation: str, box: str, base: dict[str, str]) -> bool:
        unit = {"nation": nation, "kind": "destroyers"}
        return bool(ask("box_deployment", unit=unit, box=box, base=base, phase="Movement phase")["allowed"])

    assert goes("british", "Atlantic Ocean", {"name": "South Africa"})
    assert goes("American", "pacific", {"name": "Pacific US box"})
    assert goes("Britain", "Indian", {"name": "Australia"})
    assert goes("Japanese", "Pacific", {"name": "Kure"}) and goes("Japan", "Pacific", {"name": "Japan"})
    assert not goes("Japan", "Pacific", {"name": "Singapore"})
    with pytest.raises(PlayerError, match="front or the country of 'Plymouth'"):
        goes("Britain", "Atlantic", {"name": "Plymouth"})
    with pytest.raises(PlayerError, match="Atlantic U.S. box or the Pacific U.S. box"):
        goes("U.S.", "Atlantic", {"name": "U.S. box"})
    assert not goes("Britain", "Pacific", {"name": "Plymouth"})  # whatever its front is


@pytest.mark.ledger("24.233", "25.37.4", "25.22D")
def test_transports_are_the_western_allies_and_other_units_somebody_s() -> None:
    assert not ask("transports_end_turn", nation="Western Allied", transports=10)["allowed"]
    transport = {"nation": "Western Allies", "kind": "transports"}
    told = ask("box_transfer", unit=transport, start="Atlantic", end="Pacific", phase="redeployment")
    assert told["allowed"] and ask("box_duty", unit=transport, duty="sea supply")["allowed"]
    with pytest.raises(PlayerError, match="Britain's or the U.S.'"):
        ask("box_duty", unit={"nation": "Western Allies", "kind": "ASW"}, duty="anti-submarine")
    assert ask("asw_yard", source="Production", yard="Canadian")["allowed"]


@pytest.mark.ledger("25.13C.2", "25.51B", "25.91.1")
def test_a_war_or_a_base_that_is_left_out_is_assumed() -> None:
    japanese = {"nation": "Japan", "box": "Pacific", "turn": "Fall 1944", "submarines_available": 5}
    told = ask("submarines_fight", **japanese)
    assert (told["may_fight"], [rule for rule, _ in told["assumed"]]) == (3, ["25.51B", "25.91"])
    assert ask("submarines_fight", **japanese, politics={"usjt": 40})["may_fight"] == 0  # SR-19
    american = {**japanese, "nation": "U.S."}
    assert ask("submarines_fight", **american)["may_fight"] == 5
    assert ask("submarines_fight", **american, australia_box=False)["may_fight"] == 0
    assert ask("submarines_fight", **{**japanese, "nation": "Italy"})["may_fight"] == 0


@pytest.mark.ledger("25.363", "22.372F")
def test_who_meets_raiders_by_which_rule() -> None:
    ship = {"nation": "Britain", "kind": "battleship"}
    assert ask("may_hunt_raiders", unit=ship)["rule"] == "25.363"
    assert ask("may_hunt_raiders", unit=ship, fast=False)["rule"] == "22.372F"


@pytest.mark.ledger("24.52.1", "24.232A", "24.232B", "26.23A", "26.21.1")
def test_air_units_between_the_boxes_keep_to_their_theater() -> None:
    def goes(nation: str, kind: str, end: str) -> list[str]:
        start = "Pacific" if end == "Atlantic" else "Atlantic"
        unit = {"nation": nation, "kind": kind}
        told = ask("box_transfer", unit=unit, start=start, end=end, phase="redeployment")
        return [rule for rule, _ in told["reasons"]]

    assert goes("Britain", "strategic bombers", "Pacific") == ["24.232"]
    assert goes("U.S.", "strategic bomber", "Pacific") == goes("U.S.", "strategic bomber", "Atlantic") == ["24.232"]
    assert goes("Britain", "interceptor", "Pacific") == ["26.23A"]
    assert goes("U.S.", "interceptor", "Pacific") == goes("U.S.", "interceptor", "Atlantic") == []
    assert goes("U.S.", "interceptor", "Indian Ocean") == ["26.21"]
    bomber, base = {"nation": "Britain", "kind": "strategic bomber"}, {"name": "Australia box"}
    with pytest.raises(PlayerError, match="26.22"):
        ask("box_deployment", unit=bomber, box="Pacific", base=base, phase="movement")
    with pytest.raises(PlayerError, match="already"):
        ask("box_transfer", unit={"nation": "Britain"}, start="Atlantic", end="atlantic", phase="redeployment")


# -- duties -------------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.35")
def test_what_is_no_duty_of_the_boxes_is_refused_with_those_that_are() -> None:
    told = ask("box_duty", unit={"nation": "Britain", "kind": "CA"}, duty="patrol")
    assert (told["allowed"], told["rule"]) == (False, "25.35")
    assert "raider interception" in told["why"]
    assert ask("box_duty", unit={"nation": "Japan", "kind": "CA"}, duty="oil shipments")["rule"] == "25.35A"
    bombards = ask(
        "box_duty", unit={"nation": "U.S.", "kind": "CVB"}, duty="Shore bombardment", invasion_from=["India"]
    )
    assert (bombards["allowed"], bombards["rule"]) == (True, "25.35B")


@pytest.mark.ledger("25.361")
def test_destroyers_in_a_box_bear_losses_to_submarines_on_the_map() -> None:
    def bears(kind: str, *, inverted: bool = False) -> bool:
        unit = {"nation": "Japan", "kind": kind, "inverted": inverted}
        return bool(ask("box_duty", unit=unit, duty="submarine losses")["allowed"])

    assert bears("destroyer")
    assert not bears("cruiser")
    assert not bears("destroyer", inverted=True)


@pytest.mark.ledger("25.36.2")
def test_guards_are_named_to_one_of_the_activities_going_on_at_once() -> None:
    lines = ["supply to Malta", "supply to Egypt"]
    assert ask("box_guards", activities=lines, guards={"TF 1": lines[1]})["allowed"]
    assert not ask("box_guards", activities=lines, guards={"TF 1": "both"})["allowed"]


# -- force pools --------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("24.233", "24.21B", "24.231.1")
def test_production_of_the_western_allies_together() -> None:
    told = ask("sw_production", power="Western Allies", unit="ASW", years=[1940, 1941])
    assert (told["allowed"], told["pool"]) == ([False, True], "Western Allies")
    with pytest.raises(PlayerError, match="24.231"):
        ask("sw_production", power="Western Allies", unit="submarines", years=[1942])


@pytest.mark.ledger("24.232A", "24.232B", "24.232C", "24.53.2")
def test_where_western_allied_bombers_serve() -> None:
    def serve(power: str, theater: str, **said: str) -> tuple[bool, str]:
        told = ask("bombers_serve", power=power, theater=theater, **said)
        return told["allowed"], told["rule"]

    assert serve("Britain", "Pacific") == (False, "24.232A")
    assert serve("Britain", "Europe") == (True, "24.232A")
    assert serve("U.S.", "Pacific") == (False, "24.232B")
    assert serve("U.S.", "European", built_for="Pacific") == (False, "24.232C")
    assert serve("U.S.", "Europe", place="atlantic U.S. box") == (False, "24.53")
    assert serve("U.S.", "Europe", place="western front") == (True, "24.53")
    with pytest.raises(PlayerError, match="24.232"):
        serve("Japan", "Pacific")
    with pytest.raises(PlayerError, match="no theater"):
        serve("Britain", "Asia")


@pytest.mark.ledger("24.43.1", "24.42")
def test_rockets_have_no_price() -> None:
    with pytest.raises(PlayerError, match="26.61"):
        ask("sw_construction", units={"rockets": 2})


# -- Murmansk -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("40.451A", "40.451A.2", "40.451D.1")
def test_a_murmansk_convoy_and_who_meets_it() -> None:
    assert ask("murmansk_interception", nation="german", based_in="Murmansk")["allowed"]
    assert not ask("murmansk_interception", nation="Germany", based_in="Bergen")["allowed"]
    assert not ask("murmansk_interception", nation="Italy", based_in="Murmansk box")["allowed"]
    # ten BRPs to a transport, three to a destroyer factor, one submarine for ten or part of ten (FP-76)
    assert ask("murmansk_convoy", brps=20, german_submarines_in_atlantic=11) == {
        "transports": 2,
        "destroyers": 7,
        "submarines_may_attack": 2,
    }
    assert list(ask("murmansk_convoy", brps=11, german_submarines_in_atlantic=10).values()) == [2, 4, 1]


# -- words --------------------------------------------------------------------------------------------------------------


def test_turns_as_they_are_spoken_of() -> None:
    damaged = ask(
        "damaged_transports",
        damaged_in="Axis combat phase, Summer 1942",
        redeployed_in="Allied redeployment phase, Summer 1942",
    )
    assert damaged["first_functional_player_turn"] == "Axis Fall 1942"
    assert ask("submarine_limits", nation="german", box="Atlantic", turns=["Autumn 1942"])["limits"] == [7]


def test_one_thing_under_two_names_is_counted_twice() -> None:
    assert ask("sw_construction", units={"submarine": 2, "submarines": 1})["brps"] == 9
    told = api.call("raider_hunters", {"ships": 2, "available": {"CA": 1, "cruiser": 1}}, dice=[1])
    assert told["engaged"] == ["cruiser", "cruiser"]


@pytest.mark.ledger("25.622.3", "25.623")
def test_research_as_the_rules_write_it() -> None:
    assert ask("asw_research", results=[["8+", 1], [7, 0]])["level"] == 3
    with pytest.raises(PlayerError, match="each result is"):
        ask("asw_research", results=[["good", 1]])
    with pytest.raises(PlayerError, match="25.623"):
        ask("sw_modifier", box="Atlantic", attacker="Germany", air_range_defender=4)


def test_a_box_by_its_short_name() -> None:
    assert ask("asw_at", place="atlantic")["operates"] and ask("asw_at", place="Indian Ocean SW box")["operates"]
    assert not ask("asw_at", place="Atlantic U.S. box")["operates"]


def test_hunters_in_the_plural() -> None:
    ships = {"CAs": 1, "fast carriers": 1, "4-factor battleships": 1}
    told = api.call("raider_hunters", {"ships": 3, "available": ships}, dice=[5, 4])
    assert told["engaged"] == ["cruiser", "fast carrier", "4-factor battleship"]
