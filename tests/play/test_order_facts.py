"""What standing orders know of interceptions: held against what the rules then count and roll, and against plain counting."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.forms import path_of
from flagplot.core.sides import Side
from flagplot.doctrine.chances import chance_in_round_one
from flagplot.editions.current import EDITIONS, ruleset
from flagplot.model.operation_events import InterceptionDiceCounted, TriesAnnounced
from flagplot.play.decision_kinds import LEVELS
from flagplot.play.game import Game
from flagplot.play.order_facts import FACTS, Option, facts, options
from flagplot.play.standing_orders import ordered_answer, read_orders
from flagplot.scenarios.loader import shipped_scenario

OPERATIONS = ("malta", "midway", "coral-sea", "rendezvous", "norwegian-sea")


def begun(name: str, edition: str = "current") -> Game:
    scenario = shipped_scenario(f"operation-{name}")
    return Game.new(scenario.setup, edition=edition, options=scenario.options)


def questions(game: Game, wish: Any) -> Iterator[tuple[Side, Decide]]:
    """Play to the end: every question, answered by `wish`, or as the admiral would where it has none."""
    bot = AdmiralBot()
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        yield side, decision
        told = wish(side, decision)
        game.submit(side, bot.choose(game.picture(side), decision) if told is None else told)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_dice_and_the_distance_are_those_that_are_then_counted(name: str, edition: str) -> None:
    """One force alone goes for a target it may reach, in a hex by the shortest path: what orders were told is what happens."""
    compared = 0
    for seed in range(6):
        game, random = begun(name, edition), Random(seed)
        chosen: list[Option] = []

        def wish(
            side: Side, decision: Decide, game: Game = game, random: Random = random, chosen: list[Option] = chosen
        ) -> Any:
            if decision.kind in LEVELS:
                found = options(game.table.rules, game.picture(side), decision)
                able = [
                    each
                    for each in found
                    if each.facts["chance"] and sum(number for _, number in each.items) == len(each.items)
                ]
                if not able:
                    return {}
                chosen.append(random.choice(able))
                return {key: {chosen[-1].place: number} for key, number in chosen[-1].items}
            if decision.kind == "hex":
                return chosen[-1].facts["hex"]
            return decision.form.default if decision.kind == "path" else None

        for _ in questions(game, wish):
            pass
        announced = [event for event in game.events() if isinstance(event, TriesAnnounced)]
        counted = {event.attempt: event for event in game.events() if isinstance(event, InterceptionDiceCounted)}
        assert len(announced) == len(chosen)
        for told, event in zip(chosen, announced, strict=True):
            (attempt,) = event.tries
            assert attempt.hex == told.facts["hex"] and attempt.distance == told.facts["distance"]
            dice = counted[attempt.id].dice
            unseen = sum(line.amount for line in dice.lines if line.rule == "22.232D")  # how small a hidden force is
            assert told.facts["dice"] in (dice.total, dice.total - unseen), (told, dice)
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize(("theatre", "divisor"), [("Europe", 1), ("Pacific", 2)])
def test_the_chance_is_what_plain_counting_finds(theatre: str, divisor: int) -> None:
    """22.21T, 22.23: all throws of so many dice, in the Pacific halved and rounded up, against the distance."""
    for dice in range(1, 5):
        throws = [-(-sum(thrown) // divisor) for thrown in product(range(1, 7), repeat=dice)]
        for distance in range(1, 6 * dice + 2):
            reached = 1000 * sum(total >= distance for total in throws) // len(throws)
            assert chance_in_round_one(ruleset(), dice, distance, theatre) == reached
    assert chance_in_round_one(ruleset(), 30, 41, "Europe") == chance_in_round_one(ruleset(), 30, 21, "Pacific") == 0


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_fact_that_is_known_has_a_name(name: str) -> None:
    game = begun(name)
    kinds = set()
    for side, decision in questions(game, lambda side, decision: None):
        picture = game.picture(side)
        known = facts(picture, decision)
        for option in options(game.table.rules, picture, decision):
            known |= option.facts
            if decision.kind != "hex":
                assert {key for key, _ in option.items} <= {item.key for item in decision.form.items}
        assert set(known) <= set(FACTS), set(known) - set(FACTS)
        if decision.kind == "path":
            assert known["distance"] == len(path_of(decision.form.places[0].key)) - 1 and "activity" in known
        kinds.add(decision.kind)
    assert "announce" in kinds


def answered(game: Game, text: str, kind: str) -> list[Any]:
    """What orders answer to all questions of a kind while the admiral plays on by them."""
    orders, found = read_orders(text), []

    def wish(side: Side, decision: Decide) -> Any:
        told = ordered_answer(orders, game.picture(side), decision, AdmiralBot().choose, game.table.rules)
        if decision.kind == kind:
            found.append(told and told.answer)
        return told and told.answer

    for _ in questions(game, wish):
        pass
    return found


def test_paths_are_waived_for_what_the_order_says() -> None:
    announce = 'announce: {"Invasion force": "Invade Malta", "Ships in Naples|cesare": "Bombard Malta"}\n'
    game = begun("malta")
    first = answered(game, announce + "demand: waive if target cargo is 0\ndemand: demand", "demand")[0]
    assert first == "demand" or first["A1"] == "demand"
    game = begun("malta")
    assert answered(game, "demand: waive if target kind is seaborne invasion", "demand")[0] in (
        "waive",
        {"A1": "waive"},
    )


def test_only_the_force_that_is_named_tries() -> None:
    told = answered(begun("malta"), "interception Force H: try\nhex: best\npath: default", "interception")
    assert told[0] == {"Force H": {"A1": 1}}
    told = answered(begun("malta"), "interception Force H: hold\ninterception: try", "interception")
    assert told[0]["Force H"] == "hold" and len(told[0]) > 1


def test_no_more_forces_go_than_the_order_says() -> None:
    told = answered(begun("malta"), "interception: try if others at most 0 and force is task force", "interception")
    targets = [target for place in told[0].values() for target in place]
    assert targets and len(targets) == len(set(targets))


def test_a_chance_that_is_too_small_is_left_to_the_next_line() -> None:
    lines = "interception: try if chance at least 101\ninterception: hold if chance at most 100"
    told = answered(begun("malta"), lines, "interception")
    assert told[0] and set(told[0].values()) == {"hold"}
    assert (
        answered(begun("malta"), "interception: ask if chance at least 1\ninterception: hold", "interception")[0]
        is None
    )


def test_a_hex_may_be_asked_for() -> None:
    told = answered(begun("malta"), "interception: try if hex is OO36\nhex: OO36", "hex")
    assert told and told[0] == "OO36"
    assert answered(begun("malta"), "interception: try if hex is A1\ninterception: hold", "interception")[0] is not None
