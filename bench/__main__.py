"""Measures, side by side in one run: replay against a bare coroutine, late answers, paths, odds exact and sampled, a war.

    make bench

Figures depend on the machine; ratios are what to compare. Each is the best of several interleaved runs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random

from bench import battles, fleet, maps, odds
from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import play_out
from flagplot.bots.random_bot import RandomBot
from flagplot.core.asks import Roll
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.core.tape import Entry
from flagplot.play import saves
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario

RUNS = 5
INPUTS = 1_000
SECONDS_OF_A_WAR = 10  # the target for a whole war of bots


class SeededDice:
    """Repeatable dice, for measuring only."""

    name = "script"

    def __init__(self, random: Random) -> None:
        self.random = random

    def dice(self, count: int, draw: int) -> list[int]:
        """Dice from a seed."""
        return [self.random.randint(1, 6) for _ in range(count)]


def long_game(inputs: int) -> Game:
    """A six-group battle that has had at least this many inputs: the longest of several random ones, cut there."""
    scenario = load_scenario("six-groups")
    longest: Game | None = None
    for seed in range(200):
        random = Random(seed)
        game = Game.new(scenario.setup, scenario=scenario.name, dice=SeededDice(random), key="00" * 16)
        bot = RandomBot(random)
        while not game.over and len(game.runner.tape) < inputs:
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in Side if game.decision(side))
            decision = game.decision(side)
            assert decision
            stay = decision.kind in ("withdraw", "evade") or (decision.kind == "screen" and random.random() < 0.7)
            game.submit(side, decision.form.default if stay else bot.choose(game.picture(side), decision))
        if longest is None or len(game.runner.tape) > len(longest.runner.tape):
            longest = game
        if len(game.runner.tape) >= inputs:
            return game
    assert longest
    return longest


def whole_war() -> dict[str, float]:
    """A war between two admirals, from its first question to its last, against the ten seconds it may take."""
    random = Random(0)
    game = Game.new(load_scenario("war").setup, scenario="war", dice=SeededDice(random), key="00" * 16)
    start = time.perf_counter()
    play_out(game, {side: AdmiralBot() for side in Side})
    taken = time.perf_counter() - start
    return {
        "war_inputs": len(game.runner.tape),
        "war_seconds": round(taken, 2),
        "war_over_ten_seconds": round(taken / SECONDS_OF_A_WAR, 3),
        "war_replay_seconds": round(best(lambda: Game(game.header, game.journal)), 2),
    }


def best(job: Callable[[], object]) -> float:
    """Seconds, the best of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


async def bare(count: int) -> None:
    """The least a procedure can do: ask for dice and forget them."""
    for _ in range(count):
        await Roll(2, "22.55", Side.AXIS, "nothing")


def main() -> None:
    """Measure and print, as a table and as one line of JSON."""
    game = long_game(INPUTS)
    tape = game.runner.tape
    count = len(tape)
    bare_tape = [Entry("22.55 roll 2 axis", "dice", [3, 4]) for _ in range(count)]
    replay = best(lambda: Game(game.header, game.journal))
    baseline = best(lambda: Runner(bare(count)).replay(bare_tape))
    tenth = Game(game.header, game.journal[: count // 10])
    small = best(lambda: Game(tenth.header, tenth.journal))
    answers = []
    late = Game(game.header, game.journal[: count - 100])
    for line in game.journal[count - 100 :]:
        start = time.perf_counter()
        late.runner.replay([Entry(*_entry(line))])
        answers.append(time.perf_counter() - start)
    data = saves.dump(game)
    figures = {
        "inputs": count,
        "replay_inputs_per_second": round(count / replay),
        "replay_over_bare_coroutine": round(replay / baseline, 1),
        "cost_of_ten_times_the_game": round(replay / small, 1),
        "slowest_late_answer_ms": round(1000 * max(answers), 2),
        "median_late_answer_ms": round(1000 * sorted(answers)[len(answers) // 2], 3),
        "save_bytes_per_input": round(len(data) / count),
        "load_ms": round(1000 * best(lambda: saves.read(data)), 1),
        **maps.figures(),
        **odds.figures(),
        **fleet.figures(),
        **battles.figures(),
        **whole_war(),
    }
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):<45}{value:>14}")
    print(json.dumps(figures))


def _entry(line: object) -> tuple[str, str, object, str]:
    who = getattr(line, "who", "dice")
    answer = line.answer if hasattr(line, "answer") else line.dice  # type: ignore[attr-defined]
    return line.tag, who, answer, line.check  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
