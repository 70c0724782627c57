"""Compiled battles taken up in the middle of fleet combat are the procedures' taken up there: on the same dice every fact is
the same, whatever the side that is asked has been told to do (22.521, 22.523, 22.531C).

The kernels run here as plain Python, as in test_kernels_equal.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.model.forces import Cargo
from flagplot.model.picture import Picture
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels
from flagplot.odds.boundaries import at_boundary
from flagplot.odds.choices import ALL, Order, Ordered
from flagplot.odds.jit import load
from flagplot.odds.kernel_facts import Facts, decode, facts_of
from flagplot.odds.kernel_names import Layout, NotCompilable
from flagplot.odds.kernel_state import encode, give_dice
from flagplot.odds.outcomes import columns_of, outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.worlds import World, fight, world_at
from tests.odds.comparing import Record, Step, difference, differs
from tests.odds.driving import Driven
from tests.odds.mutated import Fault, named, planted
from tests.odds.random_battles import random_battle, rules_and_doctrines

SEED = 523
BATTLES = (136, 1325, 1386, *range(90))  # in the first three a group is sought when the target of another has evaded
MOST = 1  # positions of one kind out of one battle, but of groups that may evade all
EVADE, SCREEN = "evade", "screen"
MIDST = (EVADE, SCREEN, "engage", "surplus capital", "screened fire light")  # questions in the midst of fleet combat
HALF_FOUGHT = MIDST[3:]
TOLD = {EVADE: (Order(), Order(evade=False), Order(evade=True)), SCREEN: (Order(), Order(screen=ALL))}


class Position(NamedTuple):
    """A battle in the middle of fleet combat: where that is, and what each side has been told to do."""

    where: str
    number: int
    world: World
    doctrines: Mapping[Side, Doctrine]
    orders: Mapping[Side, Order]
    dice: int  # thrown before
    end: Facts | None = None  # of the battle it was taken from
    dice_in_all: int = 0  # thrown in that


class Watched(AdmiralBot):
    """An admiral who says when something is asked of him."""

    def __init__(self, doctrine: Doctrine, told: Callable[[Decide], None]) -> None:
        super().__init__(doctrine=doctrine)
        self.told = told

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """His answer."""
        self.told(decision)
        return super().choose(picture, decision)


def positions(number: int) -> Iterator[Position]:
    """Out of one battle: before each engagement and each step but the first, and at questions in the midst of them."""
    rules, doctrines = rules_and_doctrines(number)
    found: list[Position] = []
    met: Counter[str] = Counter()

    def take(where: str, asked: Side | None = None) -> None:
        battle = driven.table.battle
        if battle.segment != "fleet combat" or (met[where] == MOST and where != EVADE):
            return
        whole = world_at(driven.table, driven.pictures)
        known = {side: at_boundary(each) for side, each in whole.known.items()}
        world = whole._replace(battle=at_boundary(battle), known=known)
        if world.battle.step == "pair":
            return  # what begins a segment is compared in test_kernels_equal.py
        met[where] += 1
        for order in TOLD.get(where, (Order(),)):
            orders = {side: order._replace(round=battle.round) if side is asked else Order() for side in Side}
            found.append(Position(where, number, world, doctrines, orders, driven.used))

    def told(decision: Decide) -> None:
        if decision.kind in MIDST:
            take(decision.kind, decision.side)

    bots = {side: Watched(doctrines[side], told) for side in Side}
    driven = Driven(rules, random_battle(number), PhiloxDice(SEED, number), bots)
    driven.play(lambda driven: take(f"step {driven.table.battle.step}"))
    for position in found:
        yield position._replace(end=facts_of(driven.table.battle), dice_in_all=driven.used)


def admirals_of(position: Position) -> dict[Side, Ordered]:
    """Who fights on from a position."""
    return {side: Ordered(position.doctrines[side], position.orders[side]) for side in Side}


def encoded(position: Position) -> tuple[kernels.Prepared, Layout]:
    """A position as rows of numbers, and what they stand for; NotCompilable where kernels have no room."""
    world = position.world
    layout = encode(world.rules, world.battle, world.pictures(), position.doctrines)[2]
    return kernels.prepare(world, position.doctrines, position.orders), layout


def recorded(position: Position) -> Record:
    """A position played on by the procedures."""
    prepared, layout = encoded(position)
    driven = Driven.from_world(position.world, PhiloxDice(SEED, position.number), admirals_of(position))
    steps = [Step(f"{position.where} of battle {position.number}", facts_of(position.world.battle), 0)]

    def before(driven: Driven) -> None:
        battle = driven.table.battle
        if battle.step == "pair":
            steps.append(Step(f"{steps[0].where}, {battle.segment}", facts_of(battle), driven.used))

    driven.play(before)
    steps.append(Step(f"{steps[0].where}, the end", facts_of(driven.table.battle), driven.used))
    give_dice(prepared.before, SEED, position.number)
    return Record(prepared.before, prepared.constants, layout, steps)


@pytest.fixture(scope="module")
def taken() -> list[tuple[Position, Record]]:
    """Positions out of many battles, and how the procedures play on from them."""
    found = []
    for number in BATTLES:
        for position in positions(number):
            try:
                found.append((position, recorded(position)))
            except NotCompilable:
                continue
    return found


def test_a_battle_taken_up_in_the_midst_of_fleet_combat_is_the_same(
    taken: list[tuple[Position, Record]], plain: ModuleType
) -> None:
    where = Counter(position.where for position, _ in taken)
    assert sum(where.values()) > 500 and all(where[kind] > 10 for kind in MIDST), where
    assert where[EVADE] > 100 and where[SCREEN] > 90, where
    assert [told for _, made in taken if (told := difference(plain, made))] == []


def test_a_battle_taken_up_goes_on_as_it_went(taken: list[tuple[Position, Record]], plain: ModuleType) -> None:
    """Nothing is forgotten: on the dice that were left it ends as it did, unless an engagement half fought is left out."""
    compared: Counter[str] = Counter()
    for position, made in taken:
        where = position.where
        if where in HALF_FOUGHT or any(order._replace(round=None) != Order() for order in position.orders.values()):
            continue
        state = made.state.copy()
        state[at.DICE_USED] = position.dice
        plain.play(state, made.constants)
        found = decode(made.layout, state)
        assert (where, position.number, found, state[at.DICE_USED]) == (
            where,
            position.number,
            position.end,
            position.dice_in_all,
        )
        compared[where] += 1
        compared["escaped"] += bool(position.world.battle.escaped)
    assert compared[EVADE] > 30 and compared[SCREEN] > 30 and compared["engage"] > 30 and compared["escaped"], compared


def test_battles_begun_anew_from_there_are_the_same_in_their_outcomes(taken: list[tuple[Position, Record]]) -> None:
    """As advice fights them: one after the other from one template, in a state where others were fought before."""
    fight_many = load(("kernel_outcome",))["kernel_outcome"].fight_many
    for position, _ in taken[::4]:
        assert not _outcomes_differ(fight_many, position), (position.where, position.number)


def _outcomes_differ(fight_many: Any, position: Position) -> bool:
    prepared, _ = encoded(position)
    rows = np.zeros(2 * len(prepared.columns.columns), np.int32)
    state = np.zeros(at.STATE_WORDS, np.int32)
    fight_many(prepared.before, state, prepared.constants, prepared.plan, rows, SEED, position.number, 2)
    ends = (fight(position.world, admirals_of(position), PhiloxDice(SEED, position.number + i))[0] for i in range(2))
    expected = [number for end in ends for number in outcome(position.world, prepared.columns, end)]
    return rows.tolist() != expected


def with_more_gone(taken: list[tuple[Position, Record]]) -> Iterator[tuple[Position, Position]]:
    """Positions, and the same where a damaged cruiser and cargo went home in an earlier round, under the name of a group
    that is still here."""
    for position, _ in taken:
        battle = position.world.battle
        for side, fleet in battle.fleets.items():
            laden = [group for group in fleet.groups if group.cargo]
            if laden:
                gone = replace(laden[0], ships=(), cargo=(Cargo("more", 3),), light={"Japan/CA/damaged": 1})
                fleets = {**battle.fleets, side: replace(fleet, withdrawn=(*fleet.withdrawn, gone))}
                world = position.world._replace(battle=replace(battle, fleets=fleets))
                yield position, position._replace(world=world)


def test_what_had_left_before_is_not_counted(taken: list[tuple[Position, Record]]) -> None:
    fight_many = load(("kernel_outcome",))["kernel_outcome"].fight_many
    compared = 0
    for pair in islice(with_more_gone(taken), 12):
        assert not _outcomes_differ(fight_many, pair[1])
        ends = [fight(each.world, admirals_of(each), PhiloxDice(SEED, 1))[0] for each in pair]
        rows = [outcome(each.world, columns_of(each.world), end) for each, end in zip(pair, ends, strict=True)]
        assert rows[0] == rows[1]
        compared += 1
    assert compared == 12


def test_it_matters_what_a_side_is_told_to_do(taken: list[tuple[Position, Record]]) -> None:
    """Some positions end otherwise, on the same dice, where the group that is sought evades; others where all is screened."""
    for kind in (EVADE, SCREEN):
        ends: dict[int, list[Facts]] = {}
        for position, made in taken:
            if position.where == kind:
                ends.setdefault(id(position.world), []).append(made.steps[-1].facts)
        assert sum(any(end != each[0] for end in each) for each in ends.values()) > 10


# -- faults ----------------------------------------------------------------------------------------------

FAULTS = (
    Fault("kernel_engagements", "        if step == at.PAIR:\n            _pair_off(s)\n", "        _pair_off(s)\n"),
    Fault("kernel_engagements", "if step <= at.FIRST:", "if step == at.PAIR:"),
    Fault("kernel_engagements", "if step <= at.EVADE:", "if step <= at.FIRST:"),
    Fault("kernel_engagements", "        _fight_all(s, c)\n        _open_second_round(s)\n", "        _open_second_round(s)\n"),
    Fault("kernel_engagements", "        _open_second_round(s)\n", ""),
    Fault("kernel_engagements", "    s[at.STEP] = at.PAIR\n", ""),
    Fault("kernel_engagements", "_declare_second_engagements(s, c, 1 if step == at.EVADE else 0)", "_declare_second_engagements(s, c, 0)"),
    Fault("kernel_engagements", "        declared = 0\n", ""),
    Fault("kernel_engagements", "wish = forced(s, c, at.FORCED_EVADE, side)", "wish = NONE"),
    Fault("kernel_engagements", "if is_active(s, group) or s[at.STOOD + group]:", "if is_active(s, group):"),
    Fault("kernel_engagements", "        _declare_second_engagements(s, c, 1", "        s[at.ENGAGEMENTS] = 0\n        _declare_second_engagements(s, c, 1"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_planted_fault_is_found(taken: list[tuple[Position, Record]], fault: Fault) -> None:
    with planted(fault) as faulty:
        assert any(differs(faulty, made) for _, made in taken)


STATE_FAULTS = (
    Fault(
        "kernel_state",
        's[at.STEP] = at.STEP_NAMES.index("evade" if battle.escaped else battle.step)',
        "s[at.STEP] = at.PAIR",
    ),
    Fault("kernel_state", '"evade" if battle.escaped else battle.step', "battle.step"),
    Fault("kernel_state", "battle.escaped or battle.undeclared", "battle.undeclared"),
    Fault("kernel_state", "each.number(one), each.number(two)", "each.number(two), each.number(one)"),
    Fault("kernel_state", "sought = Side(each.initiator) if each.initiator else None", "sought = None"),
    Fault("kernel_state", "_side_number(battle.sides, sought)", "1 - _side_number(battle.sides, sought)"),
    Fault("kernel_state", "] = battle.sides.index(side), group", "] = 1 - battle.sides.index(side), group"),
    Fault("kernel_state", "len(battle.engagements), len(seeking)", "len(battle.engagements), 0"),
    Fault("kernel_state", "len(battle.engagements), len(seeking)", "0, len(seeking)"),
)


@pytest.mark.parametrize("fault", STATE_FAULTS, ids=named)
def test_a_fault_planted_in_what_is_taken_up_is_found(
    taken: list[tuple[Position, Record]], plain: ModuleType, fault: Fault
) -> None:
    with planted(fault, "kernel_state") as faulty:
        assert any(differs(plain, _encoded_by(faulty, position, made)) for position, made in taken)


def _encoded_by(faulty: ModuleType, position: Position, made: Record) -> Record:
    world = position.world
    state = faulty.encode(world.rules, world.battle, world.pictures(), position.doctrines)[0]
    give_dice(state, SEED, position.number)
    return made._replace(state=state)


def test_a_fault_planted_in_what_is_counted_is_found(taken: list[tuple[Position, Record]]) -> None:
    fault = Fault("kernel_outcome", "else _cargo_left(s, c, side) - one", "else _cargo_left(s, c, side)")
    with planted(fault, "kernel_outcome") as faulty:
        assert any(_outcomes_differ(faulty.fight_many, more) for _, more in with_more_gone(taken))


def test_a_fault_planted_in_how_battles_begin_is_found(taken: list[tuple[Position, Record]]) -> None:
    fault = Fault("kernel_begin", "if before[at.STEP] != at.PAIR:", "if False:")
    with planted(fault, "kernel_outcome") as faulty:
        assert any(_outcomes_differ(faulty.fight_many, position) for position, _ in taken if position.where == EVADE)
