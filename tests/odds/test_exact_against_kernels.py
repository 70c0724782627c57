"""Sampled against exact: many compiled battles are shared out as the exact chain says they must be (chi-square), and found
groups as the search says.

FLAGPLOT_SAMPLE says how many battles; a million if it says nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import chi2

from flagplot.core.sides import SIDES, Side
from flagplot.editions.current import CURRENT
from flagplot.model.forces import Force
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels
from flagplot.odds.compiling import compile_all
from flagplot.odds.exact_engagement import Budget, Engagement, engagement_odds
from flagplot.odds.exact_search import search_vectors
from flagplot.odds.kernel_state import give_dice
from flagplot.odds.outcomes import VICTORS
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import World, formed
from flagplot.rules.naval.search import search_dice

SAMPLE = int(os.environ.get("FLAGPLOT_SAMPLE", "1000000"))
PIECE = 50_000
LEAST = 0.001  # a smaller p is a difference
FATES = ("sound", "hit", "damaged", "sunk")  # as outcomes.py numbers them
MEETINGS = {
    "1 v 1": (((4,), 2, 4), ((4,), 2, 4)),
    "1 v 2": (((4,), 1, 2), ((3, 2), 1, 1)),
    "cruisers": (((), 3, 3), ((2,), 2, 2)),
}


def world_of(forces: Mapping[Side, tuple[Force, ...]], search: int = 0) -> World:
    """Nothing but ships."""
    public = Public(
        title="Meeting",
        theatre="Europe",
        interceptor=Side.AXIS,
        names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, search),
    )
    return formed(Setup(public=public, sides={side: Secret(forces=forces[side]) for side in Side}), admirals(USUAL))


def force(nation: str, sizes: tuple[int, ...], cruisers: int, destroyers: int, name: str = "Force") -> Force:
    """Battleships and light ships of one nation."""
    ships = tuple(
        Ship(f"{nation} {name} {i}", f"{nation} {name} {i}", nation, "BB", size) for i, size in enumerate(sizes)
    )
    return Force(name, ships, {f"{nation}/CA": cruisers, f"{nation}/DD": destroyers}, base="Home")


def likelihood(found: Mapping[Hashable, int], expected: Mapping[Hashable, Fraction]) -> float:
    """The p of Pearson's chi-square; rare cells are counted as one. Nothing may be found that has no chance."""
    assert {key for key, number in found.items() if number and not expected.get(key)} == set()
    number = sum(found.values())
    rare, statistic, cells, rare_found = 0.0, 0.0, 0, 0
    for key, chance in expected.items():
        wanted = float(chance) * number
        if wanted < 10:
            rare, rare_found = rare + wanted, rare_found + found.get(key, 0)
            continue
        statistic += (found.get(key, 0) - wanted) ** 2 / wanted
        cells += 1
    if rare >= 10:
        statistic += (rare_found - rare) ** 2 / rare
        cells += 1
    return float(chi2.sf(statistic, cells - 1)) if cells > 1 else 1.0


def test_the_measure_finds_a_loaded_die() -> None:
    fair = {face: Fraction(1, 6) for face in range(1, 7)}
    assert likelihood(dict.fromkeys(range(1, 7), 1000), fair) > 0.99
    assert likelihood({1: 1200, 2: 960, 3: 960, 4: 960, 5: 960, 6: 960}, fair) < LEAST
    with pytest.raises(AssertionError):
        likelihood({7: 1}, fair)


@pytest.mark.long
@pytest.mark.parametrize("name", MEETINGS)
def test_sampled_engagements_are_shared_out_as_the_exact_chain_says(name: str) -> None:
    compile_all()
    one, two = MEETINGS[name]
    world = world_of({Side.AXIS: (force("Germany", *one),), Side.ALLIES: (force("Britain", *two),)})
    groups = {side: world.battle.fleets[side].groups[0] for side in Side}
    exact = engagement_odds(CURRENT, Engagement(groups), Budget(10**7, 3600))
    assert exact.unresolved == 0
    prepared = kernels.prepare(world, USUAL)
    columns = prepared.columns
    sunk = [columns.index("factors sunk", side) for side in Side]
    wanted: dict[str, Mapping[Hashable, Fraction]] = {
        "victor": {**exact.victor},
        "rounds": {**exact.rounds},
        "exchange": {**exact.exchange},
    }
    for side in Side:
        wanted |= {f"{side} {id}": {**chances} for id, chances in exact.sides[side].ships.items()}
    found: dict[str, Counter[Hashable]] = {what: Counter() for what in wanted}
    for first in range(0, SAMPLE, PIECE):
        rows = kernels.fight_rows(prepared, 225, first, PIECE)
        names = ["none" if victor is None else victor.value for victor in VICTORS]
        for value, number in zip(*np.unique(rows[:, 0], return_counts=True), strict=True):
            found["victor"][names[value]] += int(number)
        for value, number in zip(*np.unique(rows[:, 1], return_counts=True), strict=True):
            found["rounds"][int(value)] += int(number)
        for pair, number in zip(*np.unique(rows[:, sunk], axis=0, return_counts=True), strict=True):
            found["exchange"][int(pair[0]), int(pair[1])] += int(number)
        for side in Side:
            for index, column in columns.of("ship", side):
                for value, number in zip(*np.unique(rows[:, index], return_counts=True), strict=True):
                    found[f"{side} {column.name}"][FATES[value]] += int(number)
    told = {what: likelihood(found[what], wanted[what]) for what in wanted}
    assert {what: p for what, p in told.items() if p <= LEAST} == {}


def test_a_search_finds_as_often_as_it_must(plain: ModuleType) -> None:
    forces = {
        side: tuple(force(nation, (4, 4), 2, 3, f"Force {n}") for n in range(number))
        for side, nation, number in ((Side.AXIS, "Germany", 3), (Side.ALLIES, "Britain", 2))
    }
    world = world_of(forces, search=1)
    numbers = [
        tuple(group.number for group in world.battle.fleets[side].groups) for side in Side
    ]  # side 0 intercepts: the axis
    prepared = kernels.prepare(world, USUAL)
    found: list[Counter[Hashable]] = [Counter(), Counter()]
    thrown: set[int] = set()
    for battle in range(3000):
        s = np.zeros(at.STATE_WORDS, np.int32)
        s[: len(prepared.before)] = prepared.before
        give_dice(s, 22, battle)
        s[at.SEGMENT] = at.SEARCH
        plain.carry_out(s, prepared.constants)
        thrown.add(int(s[at.DICE_USED]))
        for side in range(len(SIDES)):
            groups = [int(s[at.GROUP_OF + (1 - side) * at.NUMBERS + number]) for number in numbers[1 - side]]
            found[side][tuple(int(s[at.FOUND + group]) for group in groups)] += 1
    dice = [
        search_dice(CURRENT.search, world.battle, world.battle.fleets[side].groups, codebreaking=1).total
        for side in Side
    ]
    assert thrown == {sum(dice)} and min(dice) > 0
    for side in range(len(SIDES)):
        ways = search_vectors(dice[side], numbers[1 - side])
        assert likelihood(found[side], {key: Fraction(way, 6 ** dice[side]) for key, way in ways.items()}) > LEAST
