"""Measures the compiled fleet combat of two groups against C++ (fleet.cpp) on the same dice; every outcome must be equal.

The same engagement is fought three times over, as in three rounds of a battle, damaged ships going behind the screen. The
C++ is built when it is measured, if g++ is here. Both sides are measured in turns, on one core, in processor seconds.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from bench.turns import interleaved
from flagplot.core.sides import SIDES, Side
from flagplot.model.forces import Force
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels
from flagplot.odds.jit import GPU, Words, jit, load, many
from flagplot.odds.kernel_begin import begin_anew
from flagplot.odds.kernel_dice import set_dice
from flagplot.odds.kernel_fleet import engage
from flagplot.odds.kernel_maps import held
from flagplot.odds.kernel_tables import NAVAL_ATTACK
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import formed

HERE = Path(__file__).parent
SEED, BATTLES, ROUNDS = 22, 20_000, 3
CAPITALS = {  # (size, fast) of each capital ship, then cruisers and destroyers, of both sides
    "small": (([(4, 1), (3, 1)], 2, 4), ([(4, 0), (3, 1), (3, 0)], 3, 4)),
    "medium": (
        ([(4, 1), (4, 1), (4, 0), (3, 1), (3, 1)], 5, 10),
        ([(4, 1), (4, 0), (4, 0), (3, 1), (3, 0), (2, 1)], 6, 9),
    ),
    "large": (
        ([(4, 1), (4, 1), (4, 1), (4, 0), (4, 0), (3, 1), (3, 1), (3, 0)], 8, 16),
        ([(4, 1), (4, 1), (4, 1), (4, 0), (4, 0), (4, 0), (3, 1), (3, 0)], 9, 14),
    ),
}


@many
def engage_many(
    before: Words, s: Words, c: Words, plan: Words, rows: Words, seed: int, first: int, battles: int
) -> None:
    """Engagements of two groups. The plan: both groups, how often they meet, ships of both sides, then the kinds CA, damaged
    CA and DD of both sides. A row: dice, ships, light ships."""
    one, two = plan[0], plan[1]
    place = 0
    for battle in range(battles):
        begin_anew(s, before, c)
        set_dice(s, seed, first + battle, 0)
        for _ in range(plan[2]):
            if s[at.GROUP_HERE + one] and s[at.GROUP_HERE + two]:
                engage(s, c, one, two)
        rows[place] = s[at.DICE_USED]
        place += 1
        for side in range(at.SIDES):
            for i in range(plan[3 + side]):
                hits = s[at.SHIP_HITS + side * at.MOST_SHIPS + i]
                damaged, sunk = s[at.DAMAGED_SHIPS + side] >> i & 1, s[at.SUNK_SHIPS + side] >> i & 1
                rows[place] = -1 if sunk else hits + 100 * damaged
                place += 1
            counts = at.GROUP_LIGHT + plan[side]
            for i in range(3):
                rows[place] = held(s, counts, plan[5 + 3 * side + i])
                place += 1


def for_a_gpu() -> Any:
    """`engage_many`, loaded to be made for a GPU (odds/gpu.py)."""
    parts = {"begin_anew": "kernel_begin", "engage": "kernel_fleet", "set_dice": "kernel_dice", "held": "kernel_maps"}
    loaded = load(tuple(parts.values()), GPU)
    function = engage_many.py_func  # type: ignore[attr-defined]
    names = function.__globals__ | {part: getattr(loaded[module], part) for part, module in parts.items()}
    return jit(FunctionType(function.__code__, names, function.__name__))


class Meeting(NamedTuple):
    """Two groups that meet, in numbers: for the kernel, and for C++."""

    prepared: kernels.Prepared
    plan: Words
    ships: Words
    counts: Words
    drm: Words
    sound_only: int
    width: int


def meeting(name: str) -> Meeting:
    """A small, medium or large one."""
    forces = {}
    for side, nation, (capitals, cruisers, destroyers) in zip(
        Side, ("Germany", "Britain"), CAPITALS[name], strict=True
    ):
        ships = [
            Ship(f"{nation} {i}", f"{nation} {i}", nation, "BB", size, fast=bool(fast))
            for i, (size, fast) in enumerate(capitals)
        ]
        forces[side] = Force("Force", tuple(ships), {f"{nation}/CA": cruisers, f"{nation}/DD": destroyers}, base="Home")
    setup = Setup(
        public=Public(
            title=name,
            theatre="Europe",
            interceptor=Side.AXIS,
            order_of_battle="open",
            names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
            tactical=dict.fromkeys(Side, 0),
            search_advantage=dict.fromkeys(Side, 0),
        ),
        sides={side: Secret(forces=(forces[side],)) for side in Side},
    )
    prepared = kernels.prepare(formed(setup, admirals(USUAL)), USUAL)
    before, c = prepared.before, prepared.constants
    plan, ships_of_all, counts, drms = [], [], [], []
    for side in range(len(SIDES)):
        own = range(side * at.MOST_SHIPS, side * at.MOST_SHIPS + int(c[at.SHIP_COUNT + side]))
        kinds = range(side * at.MOST_LIGHT, side * at.MOST_LIGHT + int(c[at.LIGHT_COUNT + side]))
        by_kind = {(int(c[at.LIGHT_TYPE + kind]), int(c[at.LIGHT_STATE + kind])): kind for kind in kinds}
        cruisers, hurt, destroyers = (
            by_kind[key] for key in ((at.CA, at.SOUND), (at.CA, at.DAMAGED), (at.DD, at.SOUND))
        )
        group = at.GROUPS + side * at.MOST_SLOTS * at.GROUP_WORDS
        found = {int(c[at.SHIP_DRM + ship]) for ship in own} | {int(c[at.LIGHT_DRM + kind]) for kind in kinds}
        assert len(found) == 1  # one nation
        drms += found
        where = at.GROUP_LIGHT + group
        light = {int(before[where + 1 + 2 * i]): int(before[where + 2 + 2 * i]) for i in range(int(before[where]))}
        counts += [len(own), light[cruisers], light[destroyers]]
        for ship in own:
            ships_of_all += [int(c[at.SHIP_SIZE + ship]), int(c[at.SHIP_FAST + ship]), 0, 0, 0]
        plan.append((group, len(own), (cruisers, hurt, destroyers)))
    told = [plan[0][0], plan[1][0], ROUNDS, plan[0][1], plan[1][1], *plan[0][2], *plan[1][2]]
    return Meeting(
        prepared,
        np.array(told, np.int32),
        np.array(ships_of_all, np.int32),
        np.array(counts, np.int32),
        np.array([drms[0] - drms[1], drms[1] - drms[0]], np.int32),
        int(c[at.HELD_UNDAMAGED]),
        1 + len(ships_of_all) // 5 + 6,
    )


def by_kernel(met: Meeting, battles: int, first: int = 0) -> Words:
    """The rows of so many, compiled by Numba."""
    rows = np.empty(battles * met.width, np.int32)
    state = np.zeros(at.STATE_WORDS, np.int32)
    engage_many(met.prepared.before, state, met.prepared.constants, met.plan, rows, SEED, first, battles)
    return rows.reshape(battles, -1)


def built() -> ctypes.CDLL | None:
    """The C++, or nothing where there is no g++."""
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "fleet.so"
        options = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC"]
        subprocess.run([compiler, *options, str(HERE / "fleet.cpp"), "-o", str(made)], check=True)
        return ctypes.CDLL(str(made))


def by_reference(library: ctypes.CDLL, met: Meeting, battles: int, first: int = 0) -> Words:
    """The rows of so many, by the C++."""
    rows = np.empty(battles * met.width, np.int32)
    tables = [met.ships, met.counts, NAVAL_ATTACK, met.drm]
    numbers = [ctypes.c_int(ROUNDS), ctypes.c_int(met.sound_only), *map(ctypes.c_uint64, (SEED, first))]
    library.fight(*(_at(table) for table in tables), *numbers, ctypes.c_int64(battles), _at(rows))
    return rows.reshape(battles, -1)


def _at(table: Words) -> ctypes.c_void_p:
    return ctypes.c_void_p(table.ctypes.data)


def figures() -> dict[str, float | str]:
    """Speed of the kernel over that of C++, and nanoseconds for each roll of two dice."""
    library = built()
    if library is None:
        return {"fleet_kernel_over_cpp": "no g++ here"}
    found: dict[str, float | str] = {}
    for name in CAPITALS:
        met = meeting(name)
        ours, theirs = by_kernel(met, BATTLES), by_reference(library, met, BATTLES)
        assert (ours == theirs).all(), "C++ and the kernel differ"
        kernel, reference = interleaved(
            (1, lambda met=met: by_kernel(met, BATTLES)),
            (1, lambda met=met: by_reference(library, met, BATTLES)),
        )
        rolls = int(ours[:, 0].sum()) / 2
        found |= {
            f"fleet_{name}_kernel_over_cpp": round(reference / kernel, 2),
            f"fleet_{name}_ns_per_roll": round(1e9 * kernel / rolls, 1),
            f"fleet_{name}_cpp_ns_per_roll": round(1e9 * reference / rolls, 1),
        }
    return found


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name.replace('_', ' '):<40}{value:>12}")
