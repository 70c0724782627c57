"""How good the admiral is at operations: mirrored games, and single decisions that fail without his policies.

    PYTHONPATH=src .venv/bin/python -m tests.bots.test_operations [SEEDS]

prints the table of docs/doctrine.md. A pair is one scenario played twice on the same dice with the chairs exchanged. A side
scores two for every enemy factor sunk and one for every factor damaged; and for its activities that were completed twenty
with cargo, as far as the cargo was not lost on the way, ten for a bombardment, a carrier mission or a raid, two for a
patrol. Who is ahead in both games together has won the pair.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import Bot, play_out
from flagplot.bots.operations import OPERATION_PARTS
from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.doctrine import operations as doctrine
from flagplot.model.interception import CARGO_ACTIVITIES
from flagplot.model.operation import Operation
from flagplot.model.setup import Setup
from flagplot.model.ships import factors_of
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario
from tools.tournament import KEY, Score, SeededDice, losses

OPERATIONS = (
    "operation-coral-sea",
    "operation-malta",
    "operation-midway",
    "operation-norwegian-sea",
    "operation-rendezvous",
)
RAIDS = ("force-z", "taranto", "pearl-harbor", "grand-harbour")
MOST_INPUTS = 20_000
SEEDS = 20

# -- the match ------------------------------------------------------------------------------------


@cache
def setup_of(scenario: str) -> Setup:
    return load_scenario(scenario).setup


def play(scenario: str, seed: int, axis: Bot, allies: Bot) -> Game:
    game = Game.new(setup_of(scenario), dice=SeededDice(Random(seed)), key=KEY)
    play_out(game, {Side.AXIS: axis, Side.ALLIES: allies}, MOST_INPUTS)
    assert game.over, f"{scenario} {seed} is not over after {MOST_INPUTS} inputs"
    return game


def lost(operation: Operation, side: Side) -> int:
    """Twice the naval factors sunk, and once those damaged."""
    sunk = sum(ship.size for ship in operation.sunk.get(side, ())) + factors_of(operation.sunk_light.get(side, {}))
    forces = operation.forces[side]
    damaged = sum(ship.size for force in forces for ship in force.ships if ship.damaged)
    damaged += factors_of({k: n for force in forces for k, n in force.light.items() if k.endswith("/damaged")})
    return 2 * sunk + damaged


def achieved(operation: Operation, side: Side) -> int:
    """What the completed activities of a side are worth, one order counting once."""
    gone = operation.cargo_lost.get(side, ())
    found: dict[str, int] = {}
    aims = {order.name: order.hex for order in operation.orders[side]}
    for leg in operation.ended:
        if leg.side is side and leg.status == "completed" and not leg.returning and leg.end == aims.get(leg.order):
            worth = 2 * doctrine.activity_worth(leg.kind)
            if leg.kind in CARGO_ACTIVITIES:
                worth = worth * sum(name not in gone for name in leg.aboard) // max(1, len(leg.aboard))
            found[leg.order] = max(worth, found.get(leg.order, 0))
    return sum(found.values())


def lead(game: Game) -> int:
    """By how much the Axis is ahead."""
    if game.table.operation.waters is None:
        fleets = game.battle.fleets
        harm = {side: losses(fleets[side]) + 2 * sum(ship.size for ship in fleets[side].hulks) for side in Side}
        return harm[Side.ALLIES] - harm[Side.AXIS]
    operation = game.table.operation
    score = {side: lost(operation, side.enemy) + achieved(operation, side) for side in Side}
    return score[Side.AXIS] - score[Side.ALLIES]


def pair(scenario: str, seed: int, one: Callable[[int], Bot], two: Callable[[int], Bot]) -> int:
    """By how much the first player is ahead in two games with the chairs exchanged."""
    return lead(play(scenario, seed, one(seed), two(seed))) - lead(play(scenario, seed, two(seed), one(seed)))


def match(
    scenarios: Sequence[str], seeds: Sequence[int], one: Callable[[int], Bot], two: Callable[[int], Bot]
) -> tuple[Score, int]:
    """Pairs won, drawn and lost, and the mean lead in hundredths."""
    leads = [pair(scenario, seed, one, two) for scenario in scenarios for seed in seeds]
    won, behind = sum(each > 0 for each in leads), sum(each < 0 for each in leads)
    return Score(won, len(leads) - won - behind, behind), 100 * sum(leads) // len(leads)


def admiral(seed: int) -> Bot:
    return AdmiralBot()


def at_random(seed: int) -> Bot:
    return RandomBot(Random(seed))


def main() -> None:
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
    write = sys.stdout.write
    write("| the admiral against | scenarios | pairs | won | drawn | lost | share | 95 % interval | mean lead |\n")
    write("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n")
    rows: list[tuple[str, Sequence[str], Callable[[int], Bot]]] = []
    rows += [("a random player", (name,), at_random) for name in (*OPERATIONS, *RAIDS)]
    for part in OPERATION_PARTS:
        where = RAIDS if part == "ports" else OPERATIONS
        rows.append((f"himself without {part}", where, lambda seed, part=part: AdmiralBot([part])))  # type: ignore[misc]
    for name, where, other in rows:
        if len(sys.argv) > 2 and not any(word in f"{name} {where}" for word in sys.argv[2:]):
            continue
        score, mean = match(where, seeds, admiral, other)
        low, high = score.interval
        label = where[0] if len(where) == 1 else f"all {len(where)}"
        write(f"| {name} | {label} | {sum(score)} | {score.won} | {score.drawn} | {score.lost} ")
        write(f"| {score.share:.3f} | {low:.3f} to {high:.3f} | {mean / 100:.1f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
