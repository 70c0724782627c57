"""How good the admiral is at operations: mirrored games against a random player, and against himself with one part of his
operational doctrine left out.

    .venv/bin/python tools/operation_match.py [SEEDS [FIRST]] [WORD ...]

plays so many seeds from FIRST on, of all rows or of those that hold one of the words, and prints the table of
docs/doctrine.md. A pair is one scenario played twice on the same dice with the chairs exchanged. A side scores two for
every enemy factor sunk and one for every factor damaged; and for its activities that were completed twenty with cargo, as
far as the cargo was not lost on the way, ten for a bombardment, a carrier mission or a raid, two for a patrol. Who is ahead
in both games together has won the pair.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
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

sys.path[0] = str(Path(__file__).parents[1]) if __name__ == "__main__" else sys.path[0]
from tools.tournament import KEY, Score, SeededDice, losses  # noqa: E402

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


@cache
def setup_of(scenario: str) -> Setup:
    """A scenario that comes with the game."""
    return load_scenario(scenario).setup


def play(scenario: str, seed: int, axis: Bot, allies: Bot) -> Game:
    """One game on the dice of a seed."""
    game = Game.new(setup_of(scenario), dice=SeededDice(Random(seed)), key=KEY)
    play_out(game, {Side.AXIS: axis, Side.ALLIES: allies}, MOST_INPUTS)
    if not game.over:
        raise RuntimeError(f"{scenario} {seed} is not over after {MOST_INPUTS} inputs")
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
    """The whole doctrine."""
    return AdmiralBot()


def at_random(seed: int) -> Bot:
    """Any legal choice."""
    return RandomBot(Random(seed))


Row = tuple[str, Sequence[str], Callable[[int], Bot]]


def without(part: str) -> Callable[[int], Bot]:
    """The admiral with a part of his doctrine left out."""
    return lambda seed: AdmiralBot([part])


def rows() -> Iterator[Row]:
    """Whom he is matched against, and where."""
    for name in (*OPERATIONS, *RAIDS):
        yield "a random player", (name,), at_random
    for part in OPERATION_PARTS:
        yield f"himself without {part}", RAIDS if part == "ports" else OPERATIONS, without(part)


def main() -> None:
    """Print the table."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    words = [word for word in sys.argv[1:] if not word.isdigit()]
    count, first = [*numbers, SEEDS, 0][:2] if len(numbers) != 1 else (numbers[0], 0)
    print("| the admiral against | scenarios | pairs | won | drawn | lost | share | 95 % interval | mean lead |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |")
    for name, where, other in rows():
        if words and not any(word in f"{name} {' '.join(where)}" for word in words):
            continue
        score, mean = match(where, range(first, first + count), admiral, other)
        low, high = score.interval
        label = where[0] if len(where) == 1 else f"all {len(where)}"
        print(
            f"| {name} | {label} | {sum(score)} | {score.won} | {score.drawn} | {score.lost} | {score.share:.3f} "
            f"| {low:.3f} to {high:.3f} | {mean / 100:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
