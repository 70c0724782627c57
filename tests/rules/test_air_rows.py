"""Rows of the ledger that no other file shows by themselves, each from its text."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import play_out
from flagplot.core.sides import Side
from flagplot.model.air_events import StrikeAnnounced, TorpedoesFired
from flagplot.model.forces import Force
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario
from tests.properties.random_battles import KEY, SeededDice


def attack(attackers: dict[str, int], target: dict[str, Any], **more: Any) -> dict[str, int]:
    answer = api.call("air_attack", {"attackers": attackers, "target": target, **more}, dice=[3, 4])
    return {rule: sum(line[2] for line in answer["lines"] if line[0] == rule) for rule, _, _ in answer["lines"]}


JAPANESE_BATTLESHIP = {"ships": [{"nation": "Japan", "kind": "BB", "size": 4}]}


@pytest.mark.ledger("22.55T.24", "22.55T.25", "22.55T.26")
def test_an_air_attack_adds_the_flyers_drm_subtracts_the_ships_and_naval_air_has_one_more() -> None:
    assert attack({"Italy/AAS/attack@Catania": 2}, JAPANESE_BATTLESHIP) == {"23.441A": 1, "23.441B": -3}
    assert attack({"United States/NAS": 2}, JAPANESE_BATTLESHIP) == {"23.441A": 2, "23.441B": -3, "23.44": 1}


@pytest.mark.ledger("22.55T.27")
@pytest.mark.parametrize(("level", "bonus"), [(2, 0), (3, 1), (7, 1)])
def test_great_surprise_adds_one_to_an_air_attack(level: int, bonus: int) -> None:
    assert attack({"United States/NAS": 2}, JAPANESE_BATTLESHIP, surprise_level=level).get("23.441C", 0) == bonus


@pytest.mark.ledger("23.441B.T6", "22.552AT.6")
def test_german_submarines_have_one_more_than_other_german_ships() -> None:
    chart = {
        nation: api.call("nationality_drm", {"nation": nation, "kind": "submarine"})["drm"]
        for nation in ("Germany", "Italy", "Japan")
    }
    assert chart == {"Germany": 3, "Italy": 1, "Japan": 3}


@pytest.mark.ledger("22.912.1")
@pytest.mark.parametrize(
    ("dice", "hits", "lost"),
    [([1, 1], 0, True), ([1, 2], 0, False), ([2, 3], 1, False), ([3, 4], 2, False), ([4, 5], 3, False)],
)
def test_a_submarine_on_the_board_attacks_on_its_own_table(dice: list[int], hits: int, lost: bool) -> None:
    question = {
        "submarines": {"United States/SUB": 1},
        "target": {"ships": [{"nation": "Britain", "kind": "BB", "size": 4}]},
    }
    (told,) = api.call("submarine_attack", question, dice=dice)["attacks"]
    assert (told["modifier"], told["hits"], told["submarine_lost"]) == (0, hits, lost)


@pytest.mark.ledger("22.31B", "22.31D", "22.74")
def test_rounds_hold_air_strikes_and_submarine_attacks_and_naval_air_flies_round_after_round() -> None:
    rounds: set[int] = set()
    torpedoes = 0
    for seed in range(12):
        scenario = load_scenario("midway")
        game = Game.new(scenario.setup, dice=SeededDice(Random(seed)), key=KEY)
        play_out(game, {side: AdmiralBot() for side in Side})
        number = 1
        flown: dict[Side, set[int]] = {side: set() for side in Side}
        for event in game.events():
            number = getattr(event, "round", number)
            if isinstance(event, StrikeAnnounced) and all("@" not in key for key in event.squadrons):
                flown[event.side].add(number)
            torpedoes += isinstance(event, TorpedoesFired)
        rounds.update(len(each) for each in flown.values())
    assert max(rounds) > 1 and torpedoes


@pytest.mark.ledger("23.4211D.1", "23.4211D.2")
@pytest.mark.parametrize(("research", "dice", "level"), [({}, [4, 5], 0), ({"air defense": 1}, [1, 1, 4, 5], 1)])
def test_a_bare_supply_line_shoots_only_with_research_and_hits_on_it_are_an_input(
    research: dict[str, int], dice: list[int], level: int
) -> None:
    """Two German squadrons roll 9, with their DRM 11: three hits, whose effect (30.374) we do not hold."""
    question = {"attackers": {"Germany/AAS/attack@Catania": 2}, "target": {"supply": True}, "research": research}
    told = api.call("air_strike", question, dice=dice)
    assert [each["level"] for each in told["air_defense"]] == [level]
    assert [(each["target"], each["roll"], each["hits"]) for each in told["attacks"]] == [("supply line", 11, 3)]
    assert told["ships"] == {} and told["light"] == []


@pytest.mark.ledger("22.35C", "22.35D")
def test_raiders_sunk_from_the_air_leave_nobody_to_fight() -> None:
    wing = {"United States/NAS": 3}
    carriers = tuple(Ship(name, name, "United States", "CV", 3, wing=wing) for name in ("Wasp", "Hornet", "Essex"))
    raider = Force("Raider", light={"Germany/CA": 1}, mission="raid")
    hunters = Force("Hunters", carriers, {"United States/CA": 3}, mission="raider hunt")
    public = Public(
        title="Raider",
        theatre="Europe",
        kind="raider combat",
        interceptor=Side.ALLIES,
        names={Side.AXIS: "Germany", Side.ALLIES: "United States"},
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
        aircraft=True,
    )
    setup = Setup(public=public, sides={Side.AXIS: Secret(forces=(raider,)), Side.ALLIES: Secret(forces=(hunters,))})
    flying = {f"{ship.id}|United States/NAS": "fly" for ship in carriers[:2]}
    decisions = [
        ("allies", "patrol", {}),
        ("allies", "strike", {"target": "CG1", **flying}),
        ("allies", "air targets", {"United States/NAS": "light"}),
    ]
    setup_json = msgspec.to_builtins(setup)
    # level 1 at 2 shoots nobody down; six squadrons at 12 (2 - 2 + 1 more for naval air) sink the cruiser
    told = api.call("battle_of", {"setup": setup_json}, dice=[1, 1, 6, 6], decisions=decisions)
    assert told["sides"]["axis"]["sunk_light"] == {"Germany/CA": 1}
    assert told["dice_used"] == 4 and told["victor"] == "allies"
    assert "FleetCombatBegan" not in {event["event"] for event in told["events"]}
