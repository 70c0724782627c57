"""The questions of chapter 22: what their input says is counted, what nobody knows is refused."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError

LADEN: dict[str, Any] = {"light": {"United States/DD/loaded": 2}}
GUARDING: dict[str, Any] = {"light": {"United States/DD": 2}, "supply": True}
EMPTY: dict[str, Any] = {"light": {"United States/DD": 2}, "hampered": True}
DESTROYERS: dict[str, Any] = {"light": {"Japan/DD": 2}}


def battleship(id: str, nation: str, size: int = 4, **more: Any) -> dict[str, Any]:
    return {"id": id, "nation": nation, "kind": "BB", "size": size, **more}


# -- groups as they are given ------------------------------------------------------------------------


@pytest.mark.ledger("22.552B.1.1", "22.552B.1.2", "22.552B.3", "22.9417B.1", "22.9417B.2")
@pytest.mark.parametrize("group", [LADEN, GUARDING, EMPTY], ids=["laden", "guarding supply", "sailing empty"])
def test_a_hampered_group_is_hampered_before_guns_and_before_submarines(group: dict[str, Any]) -> None:
    shot = api.call("fire_modifier", {"firing": DESTROYERS, "target": group})
    back = api.call("fire_modifier", {"firing": group, "target": DESTROYERS})
    torpedo = api.call("submarine_modifier", {"nation": "Japan", "target": group})
    assert (shot["modifier"], back["modifier"], torpedo["modifier"]) == (2, -2, 2)


@pytest.mark.ledger("22.422B", "22.452B.3", "22.452B.4", "22.427.2")
@pytest.mark.parametrize("group", [LADEN, GUARDING], ids=["laden", "guarding supply"])
def test_such_a_group_is_slow_and_says_that_it_carries_cargo(group: dict[str, Any]) -> None:
    told = api.call("disclosure", {"group": group})
    assert (told["speed"], told["cargo"]) == ("slow", True)


@pytest.mark.ledger("22.82A")
def test_what_loaded_destroyers_carry_is_lost_with_them_though_nobody_said_what_it_is() -> None:
    asked = {"axis": {"ships": [battleship("J", "Japan")]}, "allies": LADEN}
    decisions = [("axis", "surplus capital", {"J": "hold"}), ("axis", "screened fire capital", {"J": "light"})]
    told = api.call("fleet_combat_result", asked, dice=[4, 4], decisions=decisions)  # 8 and 2 on row 4: two hits
    assert told["sides"]["allies"]["sunk_light"] == {"United States/DD/loaded": 2}
    assert told["sides"]["allies"]["cargo_lost"] == ["cargo of destroyers"]


@pytest.mark.ledger("22.552AT.1", "22.552AT.2")
@pytest.mark.parametrize("name", ["United States", "U.S.", "US", "united states", "America"])
def test_a_nation_has_its_drm_however_it_is_spelled(name: str) -> None:
    assert api.call("nationality_drm", {"nation": name})["drm"] == 2
    target = {"light": {f"{name}/DD": 1}}
    assert api.call("fire_modifier", {"firing": DESTROYERS, "target": target})["modifier"] == 1
    assert api.call("submarine_modifier", {"nation": name, "target": DESTROYERS})["modifier"] == -1


@pytest.mark.ledger("22.9412A")
def test_research_that_does_not_exist_is_refused() -> None:
    asked: dict[str, Any] = {"submarines": {"Japan/SUB": 1}, "target": LADEN}
    known = api.call("submarine_attack", {**asked, "defender": {"research": {"asw": 1}}}, dice=[3, 3])
    assert ["22.9412", "enemy ASW research", -1] in known["attacks"][0]["lines"]
    with pytest.raises(PlayerError, match="there is no research into 'sonar'"):
        api.call("submarine_attack", {**asked, "defender": {"research": {"sonar": 1}}}, dice=[3, 3])


@pytest.mark.ledger("22.9415B.2")
def test_sw_boxes_are_known_by_their_full_names() -> None:
    asked = {"excess": {"Pacific SW box": 2, "Indian Ocean SW box": 4}, "theatre": "pacific"}
    boxes = ["Pacific", "Indian Ocean"]
    assert api.call("excess_asw", asked) == {"factors": 6, "modifier": -2, "boxes_that_count": boxes}


# -- lines -------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.54A.1", "22.531C.1")
def test_only_unscreened_capital_ships_have_a_rank() -> None:
    ships = [battleship("a", "Britain", damaged=True), battleship("b", "Britain", 3), battleship("c", "Britain", 5)]
    told = api.call("rank", {"ships": [*ships, {"id": "v", "nation": "Britain", "kind": "CVL"}]})
    assert told == {"order": ["c", "b"], "screened": ["a", "v"]}


@pytest.mark.ledger("22.54B", "22.54C.1")
def test_surplus_ships_join_only_friends_that_have_an_opponent() -> None:
    mine = {"ships": [battleship("a", "Japan"), battleship("b", "Japan"), battleship("c", "Japan", 3)]}
    asked: dict[str, Any] = {"axis": mine, "allies": {"ships": [battleship("x", "United States")]}}
    told = api.call("capital_pairs", asked)
    assert told["pairs"] == [["a", "x"]] and told["surplus"]["axis"] == ["b", "c"]
    assert told["surplus_may"] == {"b": ["hold", "a"], "c": ["hold", "a"]}
    assert told["may_answer"] == {"x": ["a", "b", "c"]}
    with pytest.raises(PlayerError, match="22.54B"):
        api.call("capital_pairs", {**asked, "surplus": {"c": "b"}})


@pytest.mark.ledger("22.54A.1")
def test_of_equal_ships_their_owner_says_which_leads() -> None:
    ships = [battleship("a", "Japan"), battleship("b", "Japan")]
    asked: dict[str, Any] = {"axis": {"ships": ships}, "allies": {"ships": [battleship("x", "Italy")]}}
    assert api.call("capital_pairs", asked)["pairs"] == [["a", "x"]]
    assert api.call("capital_pairs", {**asked, "order": {"axis": ["b", "a"]}})["pairs"] == [["b", "x"]]


# -- after the guns --------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.61A")
def test_submarines_and_transports_lost_count_in_the_round() -> None:
    asked: dict[str, Any] = {"sunk": {"axis": {"SUB": 1, "TR": 1}, "allies": {"DD": 1}}, "damaged": {}}
    told = api.call("round_loser", {**asked, "interceptor": "allies"})
    assert (told["lost"], told["first"]) == ({"axis": 2, "allies": 1}, "axis")


@pytest.mark.ledger("22.81A.2")
def test_a_beaten_force_does_not_go_on_whatever_it_wishes() -> None:
    asked = {"side": "allies", "interceptor": "axis", "mission": "sea transport", "activity_goes_on": True}
    won = api.call("fate_after_battle", {**asked, "victor": "allies", "losers": ["axis"]})
    beaten = api.call("fate_after_battle", {**asked, "victor": "axis", "losers": ["allies"]})
    assert (won["goes_on"], won["inverted"]) == (True, False)
    assert (beaten["goes_on"], beaten["inverted"]) == (False, True)


@pytest.mark.ledger("22.421C.2.1")
def test_more_than_six_groups_with_cargo_are_answered_too() -> None:
    told = api.call("six_groups", {"groups": 8, "cargo_groups": 7})
    assert (told["round1"], told["waiting"], told["cargo_may_wait"]) == (6, 2, True)
    with pytest.raises(PlayerError, match="of 3 groups, 4 cannot carry cargo"):
        api.call("six_groups", {"groups": 3, "cargo_groups": 4})


@pytest.mark.ledger("22.92.2", "22.92.3")
def test_a_submarine_is_lost_by_its_own_attack_only() -> None:
    assert api.call("submarine_after", {"attacked": True, "lost": True})["afloat"] is False
    with pytest.raises(PlayerError, match="by its own attack only"):
        api.call("submarine_after", {"lost": True})


@pytest.mark.ledger("22.421A.1.2", "22.421A.3")
def test_forces_need_names_of_their_own_to_form_groups() -> None:
    force = {"name": "a", "light": {"Japan/DD": 1}}
    with pytest.raises(PlayerError, match="two forces have the same name"):
        api.call("formation", {"forces": [force, force]})
    assert [group["name"] for group in api.call("formation", {"forces": [{}, {}]})["groups"]] == ["force 1", "force 2"]


@pytest.mark.ledger("22.82C")
def test_destroyers_are_free_to_bombard_once_their_cargo_is_lost() -> None:
    def freed(destroyers: int, *cargo: dict[str, Any]) -> int:
        return int(api.call("cargo_loss", {"cargo": list(cargo), "destroyers": destroyers})["destroyers_freed"])

    two, air = {"name": "a division", "needs": 2}, {"name": "an air factor", "needs": 3, "divisible": True}
    assert freed(2, two) == 0
    assert freed(1, two) == 1
    assert freed(4, two, air) == 0  # two for the division, two thirds of the air factor
    assert freed(5, two) == 0  # they were never on cargo duty
