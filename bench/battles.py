"""Measures whole compiled battles: against the procedures on the same dice, on one core and two, ten times as many, ten times
the ships; the first answer of a fresh process; and memory.

Kernels that are not compiled yet are compiled first, which is told apart: how long it took, and the most memory that one of
the processes had that did it. Seconds of one core are the processor's; of two cores, and of first answers, the clock's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from tempfile import TemporaryDirectory

from bench.turns import interleaved
from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.odds import kernels
from flagplot.odds.compiling import compile_all
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import World, fight, formed
from flagplot.scenarios.loader import load_scenario

SEED, PLAIN, COUNTED, CORES = 8, 10, 400, 2
FEW = 4_000  # battles, to see how long some take
SHORT, LONG = 0.05, 0.5  # seconds
SCENARIOS = ("denmark-strait", "midway", "six-groups")
FIRST_ANSWER = """
import json, sys, time
from flagplot.cli import odds
from flagplot.cli.main import main
from flagplot.odds import compiling
if not {ready}:
    compiling.ready = lambda: False

def watched(steps, how_far):
    answer = next(steps)
    first, busy = time.monotonic() - {began}, time.process_time()
    for answer in steps:
        pass
    # Not by getrusage, whose figure begins with what the process had that started this one.
    most = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    sys.stderr.write(json.dumps([first, busy, int(most.split()[1]) / 1024]))
    return answer

odds.watched = watched
sys.argv = ["flagplot", "odds", "{scenario}", "--width", "0.01%", "--battles", "{most}", "--json"]
main()
"""


class CountingDice(PhiloxDice):
    """Dice that count the rolls: two dice whose sum is looked up are one, a die that is looked up by itself is one."""

    rolls = 0

    def dice(self, count: int, draw: int) -> list[int]:
        """The dice of these draws."""
        self.rolls += 1 if count == 2 else count
        return super().dice(count, draw)


def world_of(name: str) -> World:
    """The world of a scenario."""
    scenario = load_scenario(name)
    return formed(scenario.setup, admirals(USUAL), options=scenario.options)


def fleets(times: int) -> World:
    """Two fleets that meet, with so many times two battleships, a cruiser and two destroyers."""
    forces = {}
    for side, nation in ((Side.AXIS, "Germany"), (Side.ALLIES, "Britain")):
        ships = tuple(Ship(f"{nation} {n}", f"{nation} {n}", nation, "BB", 3) for n in range(2 * times))
        light = {f"{nation}/CA": times, f"{nation}/DD": 2 * times}
        forces[side] = Secret(forces=(Force("Force", ships, light, base="Home"),))
    public = Public(
        title="Fleets",
        theatre="Europe",
        interceptor=Side.AXIS,
        names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
    )
    return formed(Setup(public=public, sides=forces), admirals(USUAL))


def on(cores: int, prepared: kernels.Prepared, battles: int) -> Callable[[], object]:
    """Battles shared between so many threads."""

    def job() -> None:
        each = battles // cores
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(lambda first: kernels.fight_rows(prepared, SEED, first, each), range(0, battles, each)))

    return job


def figures() -> dict[str, float | str]:
    """All of it."""
    compiled = compile_all()
    found: dict[str, float | str] = {
        "compiling_seconds": compiled["seconds"],
        "compiling_megabytes_of_a_process": compiled["megabytes"],
    }
    bots = admirals(USUAL)
    for name in SCENARIOS:
        world = world_of(name)
        prepared = kernels.prepare(world, USUAL)
        counting = [CountingDice(SEED, battle) for battle in range(COUNTED)]
        rolled = sum(fight(world, bots, dice)[1] for dice in counting) / COUNTED
        rolls = sum(dice.rolls for dice in counting) / COUNTED

        def plainly(world: World = world) -> None:
            for battle in range(PLAIN):
                fight(world, bots, PhiloxDice(SEED, battle))

        (few,) = interleaved((1, lambda prepared=prepared: kernels.fight_rows(prepared, SEED, 0, FEW)), runs=2)
        many = int(FEW * SHORT / few)  # so that beginning a run does not count
        procedures, kernel, more = interleaved(
            (1, plainly),
            (1, lambda prepared=prepared, many=many: kernels.fight_rows(prepared, SEED, 0, many)),
            (1, lambda prepared=prepared, many=many: kernels.fight_rows(prepared, SEED, 0, 10 * many)),
            runs=3,
        )
        shared = CORES * int(many * LONG / kernel)
        single, double = interleaved(
            (1, on(1, prepared, shared)), (1, on(CORES, prepared, shared)), runs=5, clock=time.perf_counter
        )
        short = name.replace("-", "_")
        found |= {
            f"{short}_microseconds": round(1e6 * kernel / many, 1),
            f"{short}_procedures_over_kernel": round(procedures / PLAIN / (kernel / many)),
            f"{short}_dice": round(rolled, 1),
            f"{short}_rolls": round(rolls, 1),
            f"{short}_ns_per_two_dice": round(1e9 * kernel / many / (rolled / 2), 1),
            f"{short}_ns_per_roll": round(1e9 * kernel / many / rolls, 1),
            f"{short}_ten_times_the_battles": round(more / kernel, 1),
            f"{short}_2_cores_over_1": round(single / double, 2),
            f"{short}_battles_per_second_2_cores": round(shared / double),
        }
    one, ten = (kernels.prepare(fleets(times), USUAL) for times in (1, 10))
    small, large = interleaved(
        (1, lambda: kernels.fight_rows(one, SEED, 0, FEW)), (1, lambda: kernels.fight_rows(ten, SEED, 0, FEW)), runs=5
    )
    found["ten_times_the_ships"] = round(large / small, 1)
    megabytes = 0.0
    for name in SCENARIOS:
        short = name.replace("-", "_")
        cached, cached_busy, most = first_answer(name, ready=True, battles=200_000)
        cold, cold_busy, _ = first_answer(name, ready=False, battles=8)
        megabytes = max(megabytes, most)
        found |= {
            f"{short}_first_answer_cached_seconds": round(cached, 2),
            f"{short}_first_answer_cached_processor_seconds": round(cached_busy, 2),
            f"{short}_first_answer_cold_seconds": round(cold, 2),
            f"{short}_first_answer_cold_processor_seconds": round(cold_busy, 2),
        }
    return found | {"megabytes_while_running": round(megabytes)}


def first_answer(name: str, *, ready: bool, battles: int, times: int = 4) -> tuple[float, float, float]:
    """Of `flagplot odds`, kernels compiled or not, from the start of its process: seconds until it has something to show, by
    the clock and of the processor, and the megabytes it had at most until all battles were fought. Python keeps its own
    files compiled, as it does wherever Flagplot is installed: the first run of them is not counted."""
    with TemporaryDirectory() as kept:
        around = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        around |= {"PYTHONPYCACHEPREFIX": kept, "FLAGPLOT_COMPILE": "no"}
        told = []
        for _ in range(times):
            code = FIRST_ANSWER.format(ready=ready, began=time.monotonic(), scenario=name, most=battles)
            ended = subprocess.run([sys.executable, "-c", code], env=around, capture_output=True, text=True, check=True)
            told.append(json.loads(ended.stderr))
    return min(each[0] for each in told[1:]), min(each[1] for each in told[1:]), max(each[2] for each in told)


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name.replace('_', ' '):<45}{value:>12}")
