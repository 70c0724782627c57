"""22.423B at sea: two operations that differ only in which equal ships are in which hidden task force look the same.

Both are played on the same dice, with the same answers but for the names exchanged. All that the enemy and a spectator
receive, events and questions, is byte-identical up to the first disclosure that shows an exchanged ship.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot.core.sides import Side
from flagplot.model.events import BattleJoined, GroupsFormed
from flagplot.model.operation import NavalForce
from flagplot.model.operation_events import InterceptionRolled
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from tests.properties.random_battles import KEY, SeededDice
from tests.properties.test_swap import view
from tests.rules.operation_table import activity, air_base, boats, force, port, setup
from tests.rules.random_operations import EagerBot

EXCHANGE = {"bismarck": "tirpitz", "tirpitz": "bismarck", "scharnhorst": "gneisenau", "gneisenau": "scharnhorst"}
PAIRS = 10


def build(random: Random) -> Setup:
    """Germany with two task forces of equal ships in each of two ports; it moves, or is on the other side of it."""
    light = {"cruisers": 1, "destroyers": 4}
    axis = [
        port("Kiel", "s2"),
        port("Brest", "s9"),
        force("A", "Kiel", ["Bismarck"], **light),
        force("B", random.choice(["Kiel", "Brest"]), ["Tirpitz"], **light),
        force("C", random.choice(["Kiel", "Brest"]), ["Scharnhorst"], **light),
        force("D", "Brest", ["Gneisenau"], **light),
        activity("West", "shore bombardment", "n9"),
        activity("East", "fast carrier mission", "n2"),
        activity("There", "shore bombardment", "n5", meet="s5"),
        boats("Kiel", 1),
    ]
    allies = [
        port("Scapa", "n6"),
        port("Rosyth", "n4"),
        force("Home", "Scapa", ["Hood"], cruisers=1, destroyers=3),
        force("Grand", "Rosyth", ["Rodney"], cruisers=1, destroyers=3),
        force("Loose", "Scapa", ["Renown"], task_force=False, cruisers=2, destroyers=2),
        activity("South", "shore bombardment", "s4"),
        activity("Far", "shore bombardment", "s8"),
        boats("Scapa", 1, "Britain"),
    ]
    if random.random() < 0.5:
        axis.append(air_base("Field", "s5", Germany_NAS=2))
    mover = random.choice(["axis", "allies"])
    return setup(axis, allies, phases=("combat",), mover=mover, order_of_battle="hidden", length=12)


def swapped(given: Setup) -> Setup:
    """The same with equal ships exchanged."""
    mine = given.sides[Side.AXIS]
    assert not isinstance(mine.stations, msgspec.UnsetType)
    ships = {ship.id: ship for each in mine.stations.forces for ship in each.ships}

    def exchanged(each: NavalForce) -> NavalForce:
        return msgspec.structs.replace(each, ships=tuple(ships[EXCHANGE[ship.id]] for ship in each.ships))

    stations = msgspec.structs.replace(mine.stations, forces=tuple(map(exchanged, mine.stations.forces)))
    return msgspec.structs.replace(
        given, sides={**given.sides, Side.AXIS: msgspec.structs.replace(mine, stations=stations)}
    )


def disclosed(game: Game, since: int) -> bool:
    """Whether the enemy was shown one of the exchanged ships."""
    events = game.picture(Side.ALLIES).events[since:]
    return any(f'"{id}"' in msgspec.json.encode(event).decode() for event in events for id in EXCHANGE)


def play_pair(seed: int) -> tuple[int, int]:
    """How many interceptions were rolled and how many battles had their groups formed before the games differed."""
    random = Random(seed)
    given = build(random)
    dice = [SeededDice(Random(seed)), SeededDice(Random(seed))]
    one, two = (
        Game.new(each, dice=source, key=KEY) for each, source in zip((given, swapped(given)), dice, strict=True)
    )
    bots = {side: EagerBot(random) for side in Side}
    seen = 0
    while not one.over:
        if disclosed(one, seen):
            break
        for side in (Side.ALLIES, None):
            assert view(one, side) == view(two, side), f"seed {seed}, after {len(one.runner.tape)} inputs"
        seen = len(one.picture(Side.ALLIES).events)
        if one.roll_due():
            assert one.roll() == two.roll()
            continue
        side = next(side for side in Side if one.decision(side))
        decision = one.decision(side)
        assert decision is not None
        answer: Any = bots[side].choose(one.picture(side), decision)
        one.submit(side, answer)
        two.submit(side, _renamed(answer) if side is Side.AXIS else answer)
    events = one.picture(Side.AXIS).events
    rolled = sum(isinstance(event, InterceptionRolled) for event in events)
    formed = sum(isinstance(event, GroupsFormed) for event in events)
    assert formed <= sum(isinstance(event, BattleJoined) for event in events)
    return rolled, formed


def _renamed(wire: Any) -> Any:
    """An answer with ship names exchanged, wherever they stand."""
    if isinstance(wire, dict):
        return {_renamed(key): _renamed(value) for key, value in wire.items()}
    if isinstance(wire, str):
        return re.sub("|".join(EXCHANGE), lambda found: EXCHANGE[found[0]], wire)
    return wire


@pytest.mark.ledger("22.14D")
def test_what_is_in_a_task_force_stays_hidden() -> None:
    played = [play_pair(seed) for seed in range(PAIRS)]
    assert sum(rolled > 0 for rolled, _ in played) >= PAIRS // 2
    assert sum(formed > 0 for _, formed in played) >= PAIRS // 3
