"""Whole naval battles compiled (22.3 to 22.9, 23): the world as rows of numbers, what is asked of it as a plan.

The law here: compiled battles are the procedures' battles. On the same dice every number of the outcome is the same
(tests/odds/test_kernels_equal.py). What the kernels have no room for is refused with NotCompilable, and the procedures
fight it instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.model.ships import light
from flagplot.model.squadrons import squadron
from flagplot.odds import compiling, native
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernel_plan as of
from flagplot.odds.choices import ALL, NOTHING, Order
from flagplot.odds.jit import Words
from flagplot.odds.kernel_layout import NONE
from flagplot.odds.kernel_names import Layout, groups_of
from flagplot.odds.kernel_state import encode
from flagplot.odds.native import Kernel
from flagplot.odds.outcomes import VICTORS, Column, Columns, columns_of
from flagplot.odds.tally import Tally
from flagplot.odds.worlds import World

OPERATIONS = {
    "victor": of.VICTOR,
    "rounds": of.ROUNDS,
    "factors sunk": of.FACTORS_SUNK,
    "factors damaged": of.FACTORS_DAMAGED,
    "squadrons lost": of.SQUADRONS_LOST,
    "submarines lost": of.BOATS_LOST,
    "cargo lost": of.CARGO_LOST,
    "cargo through": of.CARGO_THROUGH,
    "supply line cut": of.LINE_CUT,
    "ship": of.SHIP,
    "light sunk": of.LIGHT_SUNK,
    "light damaged": of.LIGHT_DAMAGED,
    "squadrons of a type lost": of.TYPE_LOST,
    "group": of.GROUP,
}
SCREENS = {None: None, NOTHING: at.SCREEN_NOTHING, ALL: at.SCREEN_ALL}
LONGEST_SEED = 2**63  # seeds are 64 bits; compiled code has them signed


class Prepared(NamedTuple):
    """A world ready to be fought."""

    columns: Columns
    before: Words
    constants: Words
    plan: Words


def prepare(world: World, doctrines: Mapping[Side, Doctrine], orders: Mapping[Side, Order] | None = None) -> Prepared:
    """The rows of numbers of a world, and of the orders its sides are under, or NotCompilable."""
    before, constants, layout = encode(world.rules, world.battle, world.pictures(), doctrines)
    for side, order in (orders or {}).items():
        _give_orders(constants, layout, layout.sides.index(side), order)
    columns = columns_of(world)
    plan = [word for column in columns.columns for word in _planned(column, layout, constants)]
    return Prepared(columns, before, constants, np.array(plan, np.int32))


def _give_orders(c: Words, layout: Layout, side: int, order: Order) -> None:
    """Orders as overrides (kernel_layout.py)."""
    for field, told in (
        (at.FORCED_EVADE, order.evade),
        (at.FORCED_WITHDRAW, order.withdraw),
        (at.FORCED_COVER, order.cover),
        (at.FORCED_SCREEN, SCREENS[order.screen]),
        (at.FORCED_ROUND, order.round),
    ):
        if told is not None:
            c[field + side] = told
    if order.patrol is not None:
        for slot, name in enumerate(layout.names[side].groups):
            c[at.FORCED_PATROL + side * at.MOST_SLOTS + slot] = order.patrol.get(name, 0)


_latest: list[tuple[World, Mapping[Side, Doctrine], Prepared]] = []


def prepared(world: World, doctrines: Mapping[Side, Doctrine]) -> Prepared:
    """The same, made once for pieces of one run that follow each other."""
    for known, by, found in _latest:
        if known is world and by is doctrines:
            return found
    found = prepare(world, doctrines)
    _latest[:] = [(world, doctrines, found)]
    return found


def _planned(column: Column, layout: Layout, c: Words) -> tuple[int, int, int, int, int]:
    """One number of the row: its operation, side, operands and the most it can be."""
    what, side, name, most = column
    operation = OPERATIONS[what]
    if what == "victor":
        first, second = (VICTORS.index(each) for each in layout.sides)
        return operation, 0, first, second, most
    if not side:
        return operation, 0, NONE, NONE, most
    who = layout.sides.index(SIDES[side])
    one, two = _operands(what, name, who, layout, c)
    return operation, who, one, two, most


def _operands(what: str, name: str, side: int, layout: Layout, c: Words) -> tuple[int, int]:
    names, fleet = layout.names[side], layout.battle.fleets[layout.sides[side]]
    if what == "cargo through":  # what had left before is not counted
        return sum(each.needs for group in (*fleet.detached, *fleet.withdrawn) for each in group.cargo), NONE
    if what == "ship":
        return names.ships.index(name), NONE
    if what in ("light sunk", "light damaged"):
        same = next(i for i, key in enumerate(names.kinds) if light(key)[:2] == light(name)[:2])
        kind = side * at.MOST_LIGHT + same
        return int(c[at.LIGHT_NATION + kind]), int(c[at.LIGHT_TYPE + kind])
    if what == "squadrons of a type lost":
        key = side * at.MOST_KEYS + next(i for i, each in enumerate(names.keys) if squadron(each).type == name)
        return int(c[at.KEY_TYPE + key]), NONE
    if what == "group":
        group = next(each for each in groups_of(fleet) if each.name == name)
        ships = group.factors + group.capacity["TR"]
        return at.GROUPS + (side * at.MOST_SLOTS + names.groups.index(name)) * at.GROUP_WORDS, ships
    return NONE, NONE


@cache
def kernel() -> Kernel:
    """What fights compiled battles: the machine code that was kept, or else Numba. What is not ready is compiled now, or
    CannotCompile."""
    if not compiling.ready():
        compiling.compile_all()
    return native.loaded(compiling.folder()) or through_numba()


def through_numba() -> Kernel:
    """The kernel as Numba has it on disk."""
    from flagplot.odds.kernel_outcome import fight_many

    by_numba: Kernel = fight_many
    return by_numba


def fight_rows(prepared: Prepared, seed: int, first: int, battles: int, by: Kernel | None = None) -> Words:
    """The rows of so many battles."""
    rows = np.empty(battles * len(prepared.columns.columns), np.int32)
    state = np.zeros(at.STATE_WORDS, np.int32)
    signed = seed - 2 * LONGEST_SEED if seed >= LONGEST_SEED else seed
    fight = by or kernel()
    fight(prepared.before, state, prepared.constants, prepared.plan, rows, signed, first, battles)
    return rows.reshape(battles, -1)


def tally_of(prepared: Prepared, seed: int, first: int, battles: int) -> Tally:
    """So many battles, counted."""
    tally = Tally(prepared.columns)
    tally.add_rows(fight_rows(prepared, seed, first, battles).astype(np.int64))
    return tally
