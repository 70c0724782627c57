"""Who stands in the line of battle and who behind it (22.53, 22.531), and what cargo does to a group (22.427)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError
from flagplot.core.sides import Side
from flagplot.model.events import FleetMustered, GroupRevealed, LineFormed
from tests.rules.gunnery_table import (
    PlayedBattle,
    british,
    fight,
    group,
    light_left,
    scenario,
    ship,
    shot_at,
    shots,
    status,
    targets,
)

FLEET = (
    'mission = "interception"\n'
    'ships = ["Bismarck", { name = "Tirpitz", damaged = true }, "Graf Zeppelin"]\n'
    "cruisers = 2\ndamaged_cruisers = 1\ndestroyers = 4\nescort_carriers = 1"
)
CONVOY = (
    'mission = "sea transport"\nships = ["Hood"]\ncruisers = 1\ndestroyers = 5\ntransports = 2\n'
    'cargo = [{ name = "a corps", needs = 3 }, { name = "stores", needs = 2, by = "TR" }]'
)


def lines_of(battle: PlayedBattle) -> dict[Side, Any]:
    return {event.side: event.line for event in battle.events(LineFormed)}


# -- all ships fight ---------------------------------------------------------------------------


@pytest.mark.ledger("22.53.1", "22.531")
def test_every_unit_of_both_groups_is_in_the_line_or_behind_it() -> None:
    battle = PlayedBattle(scenario([FLEET], [CONVOY])).to_end_of_round()
    lines = lines_of(battle)
    assert set(lines[Side.AXIS].capital) | set(lines[Side.AXIS].screened) == {"bismarck", "tirpitz", "graf-zeppelin"}
    german = {"Germany/CA": 2, "Germany/DD": 4, "Germany/CVE": 1, "Germany/CA/damaged": 1}
    assert {**lines[Side.AXIS].light, **lines[Side.AXIS].screened_light} == german
    british_light = {"Britain/CA": 1, "Britain/DD": 2, "Britain/DD/loaded": 3, "Britain/TR": 2}
    assert {**lines[Side.ALLIES].light, **lines[Side.ALLIES].screened_light} == british_light


@pytest.mark.ledger("22.53.2")
def test_ships_can_be_kept_from_combat_only_behind_the_screen() -> None:
    battle = PlayedBattle(scenario([FLEET], [CONVOY]))
    question = battle.until("screen")
    assert question is not None
    assert [place.key for place in question.form.places] == ["line", "screen"]
    with pytest.raises(IllegalChoice):
        battle.game.submit(question.side, {"bismarck": "withheld"})


@pytest.mark.ledger("22.53.2")
def test_a_ship_in_the_line_with_an_opponent_may_not_hold_her_fire() -> None:
    for kind, answer in (("surplus capital", {"a": "hold"}), ("surplus light", {"Germany/DD": {"hold": 1}})):
        with pytest.raises(PlayerError, match="nobody asked"):
            fight(
                group(ship("a"), light={"Germany/DD": 3}),
                group(british("b"), light={"Britain/DD": 1}),
                decisions=[["axis", kind, answer]],
            )


# -- three classes -------------------------------------------------------------------------------


@pytest.mark.ledger("22.531A", "22.531B", "22.531C.1")
def test_ships_fall_into_capital_light_and_screened() -> None:
    battle = PlayedBattle(scenario([FLEET], [CONVOY])).to_end_of_round()
    axis, allies = lines_of(battle)[Side.AXIS], lines_of(battle)[Side.ALLIES]
    assert axis.capital == ("bismarck",)
    assert axis.light == {"Germany/CA": 2, "Germany/DD": 4, "Germany/CVE": 1}
    assert set(axis.screened) == {"tirpitz", "graf-zeppelin"}
    assert axis.screened_light == {"Germany/CA/damaged": 1}
    assert allies.capital == ("hood",)
    assert allies.light == {"Britain/CA": 1, "Britain/DD": 2}
    assert allies.screened_light == {"Britain/DD/loaded": 3, "Britain/TR": 2}


@pytest.mark.ledger("22.531A")
def test_pocket_battleships_and_battlecruisers_are_capital_ships() -> None:
    axis = group(ship("pocket", 2, kind="PB"), ship("cruiser", 3, kind="BC"), ship("battleship", 4))
    result = fight(axis, group(british("b")), decisions=[["axis", "surplus capital", {}]])
    assert result["ranks"]["axis"] == ["battleship", "cruiser", "pocket"]


@pytest.mark.ledger("22.531C.1")
def test_damaged_ships_carriers_loaded_destroyers_and_transports_may_not_join_the_line() -> None:
    light = {"Britain/CA/damaged": 1, "Britain/DD/loaded": 2, "Britain/TR": 2}
    cargo = [{"name": "a corps", "needs": 2}]
    allies = group(british("sound"), british("hurt", damaged=True), british("cv", 3, "CV"), light=light, cargo=cargo)
    for item in ("hurt", "cv", *light):
        with pytest.raises(IllegalChoice) as refusal:
            fight(group(ship("a")), allies, decisions=[["allies", "screen", {item: "line"}]])
        assert refusal.value.rule.startswith("22.531C")


@pytest.mark.ledger("22.531B")
def test_escort_carriers_fight_among_the_light_ships() -> None:
    result = fight(group(light={"Germany/DD": 3}), group(light={"Britain/CVE": 2, "Britain/DD": 1, "Britain/CA": 1}), 8)
    assert shot_at(result, "allies", "light")["factors"] == 5
    assert shot_at(result, "axis", "light")["target"] == "light"


# -- voluntary screening -------------------------------------------------------------------------------


@pytest.mark.ledger("22.531C.2.1")
def test_the_owner_may_screen_any_ship_part_of_his_light_ships_or_all() -> None:
    axis = group(ship("a"), ship("b"), light={"Germany/CA": 2, "Germany/DD": 5})
    allies = group(british("x"), light={"Britain/DD": 4})
    part = fight(axis, allies, decisions=[["axis", "screen", {"b": "screen", "Germany/DD": {"screen": 3}}]])
    assert part["ranks"]["axis"] == ["a"]
    assert shot_at(part, "axis", "light")["light"] == {"Germany/CA": 2, "Germany/DD": 2}
    everything = {"a": "screen", "b": "screen", "Germany/CA": "screen", "Germany/DD": "screen"}
    none = fight(axis, allies, decisions=[["axis", "screen", everything]])
    assert shots(none, "axis") == []


@pytest.mark.ledger("22.531C.2.2")
def test_screening_is_decided_before_either_side_has_seen_the_other() -> None:
    battle = PlayedBattle(scenario([FLEET], [CONVOY]))
    assert battle.until("screen") is not None
    for side in Side:
        assert battle.game.decision(side) is not None  # both are asked at once
        seen = battle.game.picture(side)
        assert not any(isinstance(event, GroupRevealed) and event.side is side.enemy for event in seen.events)
        assert not any(isinstance(event, FleetMustered) and event.side is side.enemy for event in seen.events)
        enemy = seen.battle.fleets[side.enemy].group(1)
        assert enemy.hidden and not enemy.ships and not enemy.light


@pytest.mark.ledger("22.531C.2.2")
def test_one_sides_screen_is_not_shown_until_the_other_has_decided() -> None:
    battle = PlayedBattle(scenario([FLEET], [CONVOY]))
    battle.until("screen")
    before = len(battle.game.picture(Side.ALLIES).events)
    battle.game.submit(Side.AXIS, {"bismarck": "screen"})
    assert len(battle.game.picture(Side.ALLIES).events) == before
    assert battle.game.picture(Side.ALLIES).battle.fleets[Side.AXIS].group(1).hidden
    battle.game.submit(Side.ALLIES, {})
    shown = [event for event in battle.game.picture(Side.ALLIES).events if isinstance(event, LineFormed)]
    assert {event.side: event.line.capital for event in shown} == {Side.AXIS: (), Side.ALLIES: ("hood",)}


# -- what the screen does ------------------------------------------------------------------------------


@pytest.mark.ledger("22.531C.3.1")
def test_screened_ships_do_not_fire() -> None:
    axis = group(ship("a"), ship("screened"), ship("hurt", damaged=True), light={"Germany/CA": 2, "Germany/DD": 3})
    screen = {"screened": "screen", "Germany/CA": "screen"}
    result = fight(axis, group(british("b"), light={"Britain/DD": 1}), decisions=[["axis", "screen", screen]])
    fired = {name for shot in shots(result, "axis") for name in (*shot["ships"], *shot["light"])}
    assert fired == {"a", "Germany/DD"}


@pytest.mark.ledger("22.531C.3.2")
def test_a_screened_ship_is_out_of_reach_while_any_unscreened_ship_floats() -> None:
    allies = group(british("screened"), light={"Britain/DD": 1})
    decisions = [
        ["allies", "screen", {"screened": "screen"}],
        ["axis", "surplus capital", {"a": "light", "b": "hold"}],
    ]
    shoot = ["axis", "screened fire capital", {"b": "screened"}]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(group(ship("a"), ship("b")), allies, 4, decisions=[*decisions, shoot])
    result = fight(group(ship("a"), ship("b")), allies, 5, 12, decisions=[*decisions, shoot])
    assert status(result, "allies", "screened") == "damaged"


@pytest.mark.ledger("22.531C.3.2")
def test_ships_all_sunk_in_an_earlier_round_no_longer_protect_the_screen() -> None:
    survivors = group(british("hurt", damaged=True), light={"Britain/CA/damaged": 1})
    result = fight(group(ship("a")), survivors, 5, decisions=[["axis", "screened fire capital", {"a": "hurt"}]])
    assert status(result, "allies", "hurt") == "sunk"


@pytest.mark.ledger("22.531C.3.2")
def test_a_cruiser_damaged_by_capital_fire_does_not_protect_the_screen_but_one_damaged_by_light_fire_does() -> None:
    allies = group(british("hurt", damaged=True), light={"Britain/CA": 1})
    by_capital = [
        ["axis", "surplus capital", {"a": "light", "b": "hold"}],
        ["axis", "screened fire capital", {"b": "hurt"}],
    ]
    result = fight(group(ship("a"), ship("b")), allies, 5, 5, decisions=by_capital)
    assert status(result, "allies", "hurt") == "sunk"
    by_light = [["axis", "surplus capital", {"a": "hold"}], ["axis", "screened fire capital", {"a": "hurt"}]]
    with pytest.raises(PlayerError, match="nobody asked"):
        fight(group(ship("a"), light={"Germany/DD": 4}), allies, 5, decisions=by_light)


# -- cargo ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.427.1")
def test_cargo_stays_in_its_group_from_round_to_round() -> None:
    escorts = 'mission = "patrol"\nnumber = 2\ncruisers = 1\ndestroyers = 8'
    text = scenario(['mission = "interception"\nnumber = 1\ndestroyers = 9'], [CONVOY + "\nnumber = 1", escorts])
    battle = PlayedBattle(text)
    kinds_by_round: dict[int, set[str]] = {}
    while battle.game.battle.round < 3 and not battle.game.over:
        question = battle.until("screen", "withdraw")
        assert question is not None
        kinds_by_round.setdefault(battle.game.battle.round, set()).update(kind for _, kind in battle.asked)
        battle.asked.clear()
        battle.game.submit(question.side, {})
        carried = {each.number: len(each.cargo) for each in battle.game.battle.fleets[Side.ALLIES].groups}
        assert carried == {1: 2, 2: 0}
    assert 2 in kinds_by_round
    assert "strengthen" not in kinds_by_round[2]


@pytest.mark.ledger("22.427.2")
def test_cargo_or_sea_supply_makes_a_group_slow() -> None:
    def fast(**more: Any) -> bool:
        return bool(api.call("group_speed", {"group": group(british("b"), light={"Britain/DD": 3}, **more)})["fast"])

    assert fast()
    assert not fast(cargo=[{"name": "a corps", "needs": 2}])
    assert not fast(supply=True)


@pytest.mark.ledger("22.427.3", "22.427.4")
def test_a_group_with_cargo_fires_worse_and_is_easier_to_hit() -> None:
    axis = group(ship("a"), light={"Germany/DD": 2})
    for burden in ({"cargo": [{"name": "a corps", "needs": 1}]}, {"supply": True}):
        allies = group(british("b"), light={"Britain/DD": 2, "Britain/DD/loaded": 1}, **burden)
        result = fight(axis, allies)
        assert [shot["modifier"] for shot in shots(result, "axis")] == [1, 1]
        assert [shot["modifier"] for shot in shots(result, "allies")] == [-1, -1]
        assert targets(result, "axis") == ["b", "light"]
    unburdened = fight(axis, group(british("b"), light={"Britain/DD": 2}))
    assert {shot["modifier"] for shot in unburdened["shots"]} == {0}
    assert light_left(unburdened, "allies") == {"Britain/DD": 2}
