"""The swap test: two games whose secrets differ and whose disclosures so far are equal look the same to the enemy.

Pairs are made by exchanging equal named ships (same kind, size, speed, hits and air) between groups of one side. Both
games are played on the same dice; the swapped side gives the same answers with the names exchanged. Everything the
enemy and a spectator receive (events, questions, forms) must be byte-identical up to the first disclosure that shows an
exchanged ship.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot.core.events import Event, Modifiers
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.editions.current import EDITIONS
from flagplot.model.air_events import CoverRevealed
from flagplot.model.events import Detached, GroupRevealed
from flagplot.model.forces import Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.play.game import Game
from flagplot.rules.naval import search
from tests.properties.random_battles import KEY, SeededDice

PAIRS = 40
ROUNDS = 3
TAKEN_AS_OFFERED = ("number", "withdraw", "engage")  # keeps the exchanged groups behind, and everybody in the battle


def named(name: str, nation: str, kind: str, size: int, fast: bool = True) -> Ship:
    return Ship(name, name, nation, kind, size, fast, wing={f"{nation}/NAS": size} if kind.startswith("CV") else {})


def build(random: Random) -> tuple[Setup, dict[str, str]]:
    """A hidden battle of six groups a side, and an exchange of equal ships between groups of the axis."""
    forces: dict[Side, tuple[Force, ...]] = {}
    for side, nation in ((Side.AXIS, "Japan"), (Side.ALLIES, "United States")):
        made = []
        for index in range(6):
            kinds = random.choice([[("BB", 4), ("BB", 4)], [("CV", 3), ("CV", 3)], [("BC", 3), ("BB", 4)]])
            ships = tuple(
                named(f"{nation} {index}{letter}", nation, *kind) for letter, kind in zip("ab", kinds, strict=True)
            )
            made.append(Force(f"Force {index}", ships, {f"{nation}/CA": 2, f"{nation}/DD": 6}, base="Home"))
        forces[side] = tuple(made)
    public = Public(
        title="Swap",
        theatre="Pacific",
        interceptor=random.choice(list(Side)),
        order_of_battle="hidden",
        names={Side.AXIS: "Japan", Side.ALLIES: "United States"},
        tactical={Side.AXIS: 0, Side.ALLIES: 0},
        search_advantage={Side.AXIS: 0, Side.ALLIES: 0},
        aircraft=True,
        submarines=True,
        air={
            Side.AXIS: Air(bases=(AirBase("Rabaul", 2, factors={"Japan/AAF": 2}, squadrons={"Japan/NAS": 2}),)),
            Side.ALLIES: Air(bases=(AirBase("Cairns", 3, factors={"United States/AAF": 2}),)),
        },
    )
    by_kind: dict[tuple[str, int], list[str]] = {}
    for force in forces[Side.AXIS][3:]:  # numbered 4 to 6: nobody meets them in the first three rounds
        for ship in force.ships:
            by_kind.setdefault((ship.kind, ship.size), []).append(ship.id)
    exchange: dict[str, str] = {}
    for ids in by_kind.values():
        shuffled = ids[:]
        random.shuffle(shuffled)
        exchange |= dict(zip(ids, shuffled, strict=True))
    submarines = {Side.AXIS: {"Japan/SUB": 1}, Side.ALLIES: {"United States/SUB": 1}}
    sides = {side: Secret(forces=forces[side], submarines=submarines[side]) for side in Side}
    return Setup(public=public, sides=sides), exchange


def swapped(setup: Setup, exchange: dict[str, str]) -> Setup:
    """The same set-up with ships of the axis exchanged."""

    def rename(ship: Ship) -> Ship:
        name = exchange.get(ship.id, ship.id)
        return msgspec.structs.replace(ship, id=name, name=name)

    forces = tuple(
        msgspec.structs.replace(force, ships=tuple(rename(ship) for ship in force.ships))
        for force in setup.sides[Side.AXIS].forces
    )
    mine = msgspec.structs.replace(setup.sides[Side.AXIS], forces=forces)
    return msgspec.structs.replace(setup, sides={**setup.sides, Side.AXIS: mine})


def translate(wire: Wire, exchange: dict[str, str]) -> Wire:
    """An answer with ship names exchanged, wherever they stand."""
    if isinstance(wire, dict):
        return {translate(key, exchange): translate(value, exchange) for key, value in wire.items()}
    if isinstance(wire, str):
        if "|" in wire:  # squadrons of a carrier
            name, bar, key = wire.partition("|")
            return exchange.get(name, name) + bar + key
        if wire.startswith("deck "):
            return "deck " + exchange.get(wire.removeprefix("deck "), wire.removeprefix("deck "))
        prefix, colon, name = wire.rpartition(":")
        return prefix + colon + exchange.get(name, name)
    return wire


def view(game: Game, side: Side | None) -> tuple[list[bytes], Any]:
    """All that an audience has received: its events, and the question open to it."""
    events = [msgspec.json.encode(event) for event in game.picture(side).events]
    decision = game.decision(side) if side else None
    question = None
    if decision:
        question = (decision.tag, decision.kind, decision.question, msgspec.json.encode(decision.form))
    return events, question


def shows_exchanged(event: Event, exchange: dict[str, str]) -> bool:
    ships = (
        event.group.ships if isinstance(event, GroupRevealed) else event.ships if isinstance(event, Detached) else ()
    )
    return any(exchange.get(ship.id, ship.id) != ship.id for ship in ships)


def play_pair(seed: int, **rules: Any) -> int:
    """Play a pair; the round in which the enemy first saw an exchanged ship (or the last one played)."""
    random = Random(seed)
    setup, exchange = build(random)
    one = Game.new(setup, dice=SeededDice(Random(seed)), key=KEY, **rules)
    two = Game.new(swapped(setup, exchange), dice=SeededDice(Random(seed)), key=KEY, **rules)
    while not one.over and one.battle.round <= ROUNDS:
        for audience in (Side.ALLIES, None):
            seen_one, seen_two = view(one, audience), view(two, audience)
            if seen_one == seen_two:
                continue
            differing = next(
                (index for index, (a, b) in enumerate(zip(seen_one[0], seen_two[0], strict=False)) if a != b), None
            )
            assert differing is not None, "a question or the number of events differs before any disclosure"
            event = one.picture(audience).events[differing]
            assert shows_exchanged(event, exchange), f"{event} differs and is no disclosure of an exchanged ship"
            return one.battle.round
        if one.roll_due():
            assert one.roll() == two.roll()
            continue
        side = next(side for side in Side if one.decision(side))
        decision = one.decision(side)
        assert decision
        answer = decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
        one.submit(side, answer)
        two.submit(side, translate(answer, exchange) if side is Side.AXIS else answer)
    return one.battle.round


def test_the_enemy_receives_the_same_bytes_until_an_exchanged_ship_is_shown() -> None:
    rounds = [play_pair(seed) for seed in range(PAIRS)]
    assert sum(number > ROUNDS for number in rounds) * 3 >= PAIRS, "too few pairs stay equal through three rounds"


def test_under_2008_too_where_groups_are_renumbered_and_made_up_anew() -> None:
    rounds = [play_pair(seed, edition="2008") for seed in range(12)]
    assert sum(number > 1 for number in rounds) * 3 >= 12, "too few pairs stay equal through a round"


@pytest.mark.long
def test_under_2008_in_many_battles() -> None:
    assert all(play_pair(seed, edition="2008") for seed in range(100, 700))


def play_covered(seed: int, **rules: Any) -> int:
    """One battle twice, cover over different groups: what the enemy receives is the same until one of them is struck.

    The round in which that happened, or the last one played.
    """
    random = Random(seed)
    setup, _ = build(random)
    one, two = (Game.new(setup, dice=SeededDice(Random(seed)), key=KEY, **rules) for _ in range(2))
    moved = False
    while not one.over and one.battle.round <= ROUNDS:
        for audience in (Side.ALLIES, None):
            seen_one, seen_two = view(one, audience), view(two, audience)
            if seen_one == seen_two:
                continue
            pairs = zip(seen_one[0], seen_two[0], strict=False)
            differing = next((index for index, (a, b) in enumerate(pairs) if a != b), None)
            assert differing is not None, "a question or the number of events differs"
            event = one.picture(audience).events[differing]
            assert isinstance(event, CoverRevealed), f"{event} differs before a covered group is struck"
            assert moved
            return one.battle.round
        if one.roll_due():
            assert one.roll() == two.roll()
            continue
        side = next(side for side in Side if one.decision(side))
        decision = one.decision(side)
        assert decision
        if decision.kind == "cover" and side is Side.AXIS:
            first, other = random.sample([f"CG{number}" for number in one.battle.fleets[side].numbers], 2)
            one.submit(side, {item.key: first for item in decision.form.items})
            two.submit(side, {item.key: other for item in decision.form.items})
            moved = True
            continue
        answer = decision.form.default if decision.kind in TAKEN_AS_OFFERED else decision.form.sample(random)
        one.submit(side, answer)
        two.submit(side, answer)
    return one.battle.round


@pytest.mark.ledger("22.4421B", "23.24A")
def test_nothing_the_enemy_receives_depends_on_where_cover_flies_until_that_group_is_struck() -> None:
    rounds = [play_covered(seed) for seed in range(PAIRS)]
    assert sum(number > 1 for number in rounds) * 3 >= PAIRS, "too few pairs stay equal through a round"


def test_a_planted_leak_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the public search event carried a ship's name, the swap test would say so."""
    honest = search.search_dice

    def leaky(*args: Any, **kwargs: Any) -> Modifiers:
        dice = honest(*args, **kwargs)
        groups = list(args[2])
        return dice.plus("22.451C", groups[-1].ships[0].name, 1) if groups and groups[-1].ships else dice

    monkeypatch.setitem(EDITIONS, "current", replace(EDITIONS["current"], search_dice=leaky))
    with pytest.raises(AssertionError, match="no disclosure"):
        for seed in range(PAIRS):
            play_pair(seed)
