"""What must hold of every operation we ship, whoever plays it (22.1, 22.2), and what nobody may learn from it (22.423B).

Random operations on a small sea are in tests/rules/test_operation_properties.py; here the set-ups are real ones, played
by chance and by the admiral.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.model.operation import NavalForce, Stations
from flagplot.model.operation_events import (
    ForcesPlaced,
    PathGiven,
    PhaseBegan,
    TriesAnnounced,
    TriesSettled,
    WaveAnnounced,
)
from flagplot.model.setup import Setup
from flagplot.model.ships import Ship
from flagplot.play.game import Game
from flagplot.rules.naval.passage import is_box
from flagplot.scenarios.loader import list_scenarios, load_scenario, parse_scenario, scenario_text
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import view
from tests.rules.random_operations import EagerBot
from tests.rules.test_operation_properties import boats, census, lost, stations

SEEDS = int(os.environ.get("SCALE", "1")) * 4
SHIPPED = [each.name for each in list_scenarios() if each.setup.public.kind == "operation"]
PLAYERS = {"chance": EagerBot, "the admiral": lambda _: AdmiralBot()}


def started(name: str, seed: int) -> Game:
    scenario = load_scenario(name)
    return Game.new(scenario.setup, options=scenario.options, dice=SeededDice(Random(seed)), key=KEY)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", SHIPPED)
def test_no_unit_is_in_two_places_and_every_phase_ends(name: str, player: str) -> None:
    for seed in range(SEEDS):
        game = started(name, seed)
        bots = {side: PLAYERS[player](Random(seed)) for side in Side}
        brought = {side: census(stations(game.header.setup, side)) for side in Side}
        submarines = {side: boats(game.table.operation, side) for side in Side}
        while not game.over:
            play_out(game, bots, len(game.runner.tape) + 1)
            operation = game.table.operation
            for side in Side if not operation.contact else ():
                assert census(operation.forces[side]) + lost(operation, side) == brought[side]
                assert boats(operation, side) == submarines[side]
            assert len(game.runner.tape) < 5_000, f"{name}, seed {seed}: {game.runner.where()}"
        for side in Side:
            for force in game.table.operation.forces[side]:
                assert force.afloat and (force.harbour or force.patrol), "in port, on patrol or at the bottom"
        begun = [event.phase for event in game.events() if isinstance(event, PhaseBegan)]
        waters = game.table.operation.sea
        assert begun == list(waters.phases)


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_tries_twice_in_a_phase_and_what_is_inverted_does_nothing(name: str) -> None:
    """22.14A, 22.116, 22.26, 22.281; the one activity left to inverted ships is redeployment (22.74)."""
    for seed in range(SEEDS):
        game = started(name, seed)
        play_out(game, {side: EagerBot(Random(seed)) for side in Side}, 20_000)
        now: dict[str, NavalForce] = {}
        tried: Counter[str] = Counter()
        for event in game.events():
            match event:
                case ForcesPlaced():
                    now |= {force.id: force for force in event.forces}
                case PhaseBegan():
                    assert all(number == 1 for number in tried.values())
                    tried.clear()
                case WaveAnnounced():
                    for leg in event.legs:
                        idle = leg.returning or leg.kind == "naval redeployment"
                        assert idle or not any(now[id].inverted for id in leg.forces)
                case TriesAnnounced():
                    assert not any(now[each.force].inverted for each in event.tries if not each.boat)
                case TriesSettled(rule="22.24"):
                    for each in event.tries:
                        if each.status in ("sailing", "failed") and not each.boat:
                            tried.update(ship.id for ship in now[each.force].ships)
        assert all(number == 1 for number in tried.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_nobody_sails_through_a_box(name: str) -> None:
    """22.12: a box is an end of a path, not a part of the map that joins its edges."""
    for seed in range(SEEDS):
        game = started(name, seed)
        play_out(game, {side: RandomBot(Random(seed)) for side in Side}, 20_000)
        seas = game.table.operation.sea.seas
        paths = [event.path for event in game.events() if isinstance(event, PathGiven)]
        paths += [each.path for event in game.events() if isinstance(event, TriesAnnounced) for each in event.tries]
        assert not any(is_box(seas, hex) for path in paths for hex in path[1:-1])


# -- secrets ------------------------------------------------------------------------------------------------------


def alike(one: Ship, two: Ship) -> bool:
    plain = msgspec.structs.replace
    return plain(one, id="", name="") == plain(two, id="", name="")


def exchanges(setup: Setup, side: Side) -> dict[str, str]:
    """Equal ships in different hidden task forces of a side, exchanged."""
    found: dict[str, str] = {}
    hidden = [force for force in stations(setup, side) if force.task_force]
    for one, two in combinations(hidden, 2):
        for mine in one.ships:
            for other in two.ships:
                if alike(mine, other) and not {mine.id, other.id} & found.keys():
                    found |= {mine.id: other.id, other.id: mine.id}
    return found


def with_stations(setup: Setup, side: Side, changed: Stations) -> Setup:
    secret = msgspec.structs.replace(setup.sides[side], stations=changed)
    return msgspec.structs.replace(setup, sides={**setup.sides, side: secret})


def exchanged(setup: Setup, side: Side, names: dict[str, str]) -> Setup:
    mine = setup.sides[side].stations
    assert not isinstance(mine, msgspec.UnsetType)
    ships = {ship.id: ship for force in mine.forces for ship in force.ships}
    forces = tuple(
        msgspec.structs.replace(force, ships=tuple(ships[names.get(ship.id, ship.id)] for ship in force.ships))
        for force in mine.forces
    )
    return with_stations(setup, side, msgspec.structs.replace(mine, forces=forces))


def renamed(wire: Any, names: dict[str, str]) -> Any:
    if isinstance(wire, dict):
        return {renamed(key, names): renamed(value, names) for key, value in wire.items()}
    if isinstance(wire, str) and names:
        return re.sub("|".join(rf"\b{re.escape(name)}\b" for name in names), lambda found: names[found[0]], wire)
    return wire


def play_pair(one: Game, two: Game, owner: Side, names: dict[str, str], seed: int) -> int:
    """Play both alike until the enemy is shown what was exchanged. Returns how many inputs that took."""
    bots = {side: EagerBot(Random(seed)) for side in Side}
    seen = 0
    while not one.over:
        events = one.picture(owner.enemy).events
        shown = [msgspec.json.encode(event).decode() for event in events[seen:]]
        if any(f'"{name}"' in text for text in shown for name in names):
            break
        for audience in (owner.enemy, None):
            assert view(one, audience) == view(two, audience), f"after {len(one.runner.tape)} inputs"
        seen = len(events)
        if one.roll_due():
            assert one.roll() == two.roll()
            continue
        side = next(side for side in Side if one.decision(side))
        decision = one.decision(side)
        assert decision is not None
        answer: Any = bots[side].choose(one.picture(side), decision)
        one.submit(side, answer)
        two.submit(side, renamed(answer, names) if side is owner else answer)
    return len(one.runner.tape)


def play_exchanged(name: str, owner: Side, seed: int, **rules: Any) -> int:
    """Play an operation twice, equal ships in hidden task forces of its owner exchanged. 0 if there are none."""
    setup = load_scenario(name).setup
    names = exchanges(setup, owner)
    if not names:
        return 0
    pair = (setup, exchanged(setup, owner, names))
    one, two = (Game.new(each, dice=SeededDice(Random(seed)), key=KEY, **rules) for each in pair)
    return play_pair(one, two, owner, names, seed)


def test_what_is_in_hidden_task_forces_is_the_owners_secret_in_every_operation() -> None:
    played: Counter[str] = Counter()
    for name in SHIPPED:
        for owner in Side:
            for seed in range(SEEDS):
                played[name] += play_exchanged(name, owner, seed)
    played = +played
    assert len(played) >= 2 and sum(played.values()) > 20 * len(played), "too little was played to prove anything"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("operation-coral-sea", 'to = "JJ29"', 'to = "HH30"'),
        ("operation-rendezvous", 'meet = "R26"', 'meet = "S27"'),
        ("operation-norwegian-sea", 'to = "Kiel"', 'to = "Brest"'),
    ],
)
def test_what_a_side_may_announce_is_its_secret_until_it_does(name: str, old: str, new: str) -> None:
    """22.12, 22.15: nothing public, the sea of the operation least of all, depends on where secret orders lead."""
    text = scenario_text(name).decode()
    assert old in text
    setups = [parse_scenario(each, f"{name}.toml").setup for each in (text, text.replace(old, new))]
    assert setups[0] != setups[1]
    assert msgspec.json.encode(setups[0].public) == msgspec.json.encode(setups[1].public)
    mover = Side.AXIS
    one, two = (Game.new(each, dice=SeededDice(Random(1)), key=KEY) for each in setups)
    while not one.over:
        for audience in (mover.enemy, None):
            assert view(one, audience) == view(two, audience)
        if one.roll_due():
            assert one.roll() == two.roll()
            continue
        side = next(side for side in Side if one.decision(side))
        decision = one.decision(side)
        assert decision is not None
        changed = [
            order.name for order, other in zip(*(orders(each) for each in setups), strict=True) if order != other
        ]
        answer: Any = AdmiralBot().choose(one.picture(side), decision)
        if decision.kind == "announce":
            answer = {item: place for item, place in answer.items() if place not in changed}
        one.submit(side, answer)
        two.submit(side, answer)


def orders(setup: Setup) -> tuple[Any, ...]:
    found = setup.sides[Side.AXIS].stations
    assert not isinstance(found, msgspec.UnsetType)
    return found.orders


def test_a_planted_leak_is_caught() -> None:
    """If the sea were cut around secret orders, the test above would say so."""
    text = scenario_text("operation-coral-sea").decode().replace('"Lae"]', '"Lae", "JJ29"]')
    with pytest.raises(AssertionError):
        setups = [parse_scenario(text.replace("JJ29", hex), "leak.toml").setup for hex in ("JJ29", "MM34")]
        assert msgspec.json.encode(setups[0].public) == msgspec.json.encode(setups[1].public)
