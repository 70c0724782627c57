"""How often two people who play by post must wait for each other, with standing orders and without.

    .venv/bin/python tools/exchanges.py [GAMES]

Every scenario is played GAMES times (8 unless told otherwise) on dice from fixed seeds, the admiral deciding for both
people. Each question counts, also one with a single legal answer, since between two people every question is put. A turn
is what one person answers in a row before the game waits for the other; where both are asked at once, whoever is answering
goes on. With standing orders, both sides use the examples that are shipped: `battle`, and in an operation or the strategic
war `operation` or `war` too. What they leave open the admiral answers by hand. The last count adds the line
`anything: default if sole is 1`, which answers what has one legal answer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.play.order_examples import example_orders
from flagplot.play.standing_orders import StandingOrder, ordered_answer, read_orders
from flagplot.scenarios.loader import Scenario, list_scenarios

GAMES = 8
KEY = "00" * 16
FORCED = read_orders("anything: default if sole is 1")


class SeededDice:
    """Dice from a seed."""

    name = "script"

    def __init__(self, random: Random) -> None:
        self.random = random

    def dice(self, count: int, draw: int) -> list[int]:
        """So many dice."""
        return [self.random.randint(1, 6) for _ in range(count)]


class Count(NamedTuple):
    """What one game asked of its two people."""

    questions: int  # put to them, or to their orders
    typed: int  # answered by hand
    turns: int  # runs of answers by one person


class Row(NamedTuple):
    """A scenario: sums over its games, without orders, with them, and with forced answers."""

    name: str
    games: int
    without: Count
    with_orders: Count
    with_forced: Count  # what has one legal answer is answered, too


def orders_for(scenario: Scenario) -> tuple[StandingOrder, ...]:
    """The examples that fit a scenario."""
    kind = scenario.setup.public.kind
    whole = read_orders(example_orders(kind)) if kind in ("operation", "war") else ()
    return (*whole, *read_orders(example_orders("battle")))


def play(scenario: Scenario, orders: Sequence[StandingOrder], seed: int) -> Count:
    """Play one game to its end."""
    dice = SeededDice(Random(f"{scenario.name} {seed}"))
    game = Game.new(scenario.setup, edition=scenario.edition, options=scenario.options, dice=dice, key=KEY)
    bot = AdmiralBot()
    questions = typed = turns = 0
    turn: Side | None = None
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        asked = [(side, decision) for side in Side if (decision := game.decision(side))]
        by_order = [
            (side, given)
            for side, decision in asked
            if (given := ordered_answer(orders, game.picture(side), decision, bot.choose, game.table.rules))
        ]
        questions += 1
        if by_order:
            side, given = by_order[0]
            game.submit(side, given.answer)
            continue
        side, decision = next((each for each in asked if each[0] is turn), asked[0])
        typed += 1
        turns += side is not turn
        turn = side
        game.submit(side, bot.choose(game.picture(side), decision))
    return Count(questions, typed, turns)


def counted(scenario: Scenario, games: int) -> Row:
    """All games of one scenario."""
    sums = []
    own = orders_for(scenario)
    for orders in ((), own, (*own, *FORCED)):
        played = [play(scenario, orders, seed) for seed in range(games)]
        sums.append(Count(*(sum(each) for each in zip(*played, strict=True))))
    return Row(scenario.name, games, *sums)


def table(rows: Sequence[Row]) -> str:
    """The rows as a table for the docs, operations first; numbers are averages of one game."""
    lines = [
        "| scenario | questions | turns without orders | turns with orders | turns, forced answers too | answered by order |",
        "|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda each: (not each.name.startswith("operation"), each.name)):
        plain, ordered, forced = row.without, row.with_orders, row.with_forced
        share = 100 * (ordered.questions - ordered.typed) // max(1, ordered.questions)
        figures = [
            f"{number / row.games:.0f}" for number in (plain.questions, plain.turns, ordered.turns, forced.turns)
        ]
        lines.append(f"| {row.name} | {' | '.join(figures)} | {share} % |")
    return "\n".join(lines)


def main() -> None:
    """Play all, and print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    print(table([counted(scenario, games) for scenario in list_scenarios()]))


if __name__ == "__main__":
    main()
