"""The row of numbers a battle comes to: what each of them counts, and that they agree with each other."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import light
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels
from flagplot.odds.jit import load
from flagplot.odds.kernel_names import NotCompilable
from flagplot.odds.outcomes import DAMAGED, GONE, HURT, SUNK, UNTOUCHED, WHOLE, Columns, columns_of, outcome, present
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import admirals
from flagplot.odds.worlds import World, fight, formed
from tests.odds.random_battles import random_battle, rules_and_doctrines

CRUISERS = CombatGroup(1, "Cruisers", light={"Japan/CA": 2, "Siam/CA/damaged": 1})
CONVOY = CombatGroup(2, "Convoy", light={"Japan/DD": 1, "Japan/TR": 2})


def told(*left: CombatGroup, **facts: object) -> dict[tuple[str, str], int]:
    """What is said of the axis when these groups are left of the cruisers and the convoy, and these things have happened."""
    enemy = Fleet(groups=(CombatGroup(1, "Enemy", light={"Britain/DD": 1}),))
    fleet = Fleet(groups=(CRUISERS, CONVOY), destroyers_elsewhere={"Home": {"Japan/DD": 3}})
    battle = Battle(fleets={Side.AXIS: fleet, Side.ALLIES: enemy}, segment="counterair")
    world = World("current", {}, battle, {}, {})
    end = replace(battle, fleets={**battle.fleets, Side.AXIS: replace(fleet, groups=left, **facts)}, segment="return")
    columns = columns_of(world)
    row = outcome(world, columns, end)
    return {
        (column.what, column.name): row[index] for index, column in enumerate(columns.columns) if column.side == "axis"
    }


def test_nothing_happened() -> None:
    said = told(CRUISERS, CONVOY)
    assert {key: number for key, number in said.items() if number} == {}
    assert said["group", "Cruisers"] == WHOLE


@pytest.mark.ledger("23.132A", "23.132B", "23.132C")
def test_aircraft_lost_as_factors_are_three_squadrons_each() -> None:
    """Army air attacks a port as factors (23.11F), and what is lost there is lost as factors."""
    base = AirBase("Catania", 1, squadrons={"Italy/AAS/cover": 1}, factors={"Germany/AAF": 4, "Germany/JET": 1})
    battle = Battle(fleets={Side.AXIS: Fleet(air_bases=(base,)), Side.ALLIES: Fleet()}, kind="port attack")
    lost = {"Germany/AAF@Catania": 2, "Germany/JET@Catania": 1, "Italy/AAS/cover@Catania": 1}
    end = replace(battle, fleets={**battle.fleets, Side.AXIS: Fleet(air_bases=(base,), air_lost=lost)}, segment="over")
    world = World("current", {}, battle, {}, {})
    columns = columns_of(world)
    row = outcome(world, columns, end)
    assert columns.columns[columns.index("squadrons lost", Side.AXIS)].most == 16
    assert row[columns.index("squadrons lost", Side.AXIS)] == 10
    by_type = {column.name: row[index] for index, column in columns.of("squadrons of a type lost", Side.AXIS)}
    assert by_type == {"Italy/AAS": 1, "Germany/AAS": 6, "Germany/JET": 3}


@pytest.mark.ledger("20.513B")
def test_a_group_whose_cruisers_are_damaged_is_hurt() -> None:
    hurt = replace(CRUISERS, light={"Japan/CA": 1, "Japan/CA/damaged": 1, "Siam/CA/damaged": 1})
    said = told(hurt, CONVOY)
    assert (said["group", "Cruisers"], said["group", "Convoy"]) == (HURT, WHOLE)
    assert (said["factors damaged", ""], said["light damaged", "Japan/CA"], said["factors sunk", ""]) == (2, 1, 0)


def test_what_one_navy_lost_of_damaged_ships_hides_nothing_of_another() -> None:
    hurt = replace(CRUISERS, light={"Japan/CA": 1, "Japan/CA/damaged": 1})
    said = told(hurt, CONVOY, sunk_light={"Siam/CA/damaged": 1})
    assert (said["factors damaged", ""], said["factors sunk", ""]) == (2, 2)
    assert (said["light damaged", "Siam/CA"], said["light sunk", "Siam/CA"]) == (0, 1)


@pytest.mark.ledger("22.9432")
def test_transports_count_one_factor_and_destroyers_elsewhere_are_among_those_that_may_be_lost() -> None:
    """AM-02; four destroyers may be lost here, of which three are elsewhere."""
    said = told(CRUISERS, replace(CONVOY, light={}), sunk_light={"Japan/DD": 3, "Japan/TR": 2})
    assert said["factors sunk", ""] == 5
    assert (said["light sunk", "Japan/DD"], said["light sunk", "Japan/TR"]) == (3, 2)
    assert said["group", "Convoy"] == GONE


def agree(world: World, columns: Columns, row: list[int]) -> None:
    """Numbers are within what there is, and those of the parts are those of the whole."""
    said = {column[:3]: number for column, number in zip(columns.columns, row, strict=True)}
    assert all(0 <= number <= column.most for column, number in zip(columns.columns[1:], row[1:], strict=True))
    for side in Side:

        def every(what: str, side: Side = side) -> dict[str, int]:
            return {name: number for (of, whose, name), number in said.items() if (of, whose) == (what, side)}

        groups = present(world.battle, side)
        sizes = {ship.id: ship.size for group in groups for ship in group.ships}
        fates, sunk, hurt = every("ship"), every("light sunk"), every("light damaged")
        lost = sum(size for id, size in sizes.items() if fates[id] == SUNK)
        lost += sum(max(1, light(key).factors) * number for key, number in sunk.items())
        assert said["factors sunk", side, ""] == lost
        damaged = sum(size for id, size in sizes.items() if fates[id] == DAMAGED)
        assert said["factors damaged", side, ""] == damaged + 2 * sum(hurt.values())
        assert said["squadrons lost", side, ""] == sum(every("squadrons of a type lost").values())
        whole = sum(item.needs for group in groups for item in group.cargo)
        saved, gone = said["cargo through", side, ""], said["cargo lost", side, ""]
        assert saved in (0, whole - gone)
        for group in groups:
            became = {fates[ship.id] for ship in group.ships}
            assert said["group", side, group.name] != WHOLE or became <= {UNTOUCHED}
            assert said["group", side, group.name] != GONE or became <= {SUNK}


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    """The kernels as plain Python."""
    return load(("kernel_outcome",))["kernel_outcome"]


def test_numbers_of_a_row_agree_by_procedures_and_kernels(plain: ModuleType) -> None:
    compared = 0
    for number in range(60):
        rules, doctrines = rules_and_doctrines(number)
        world = formed(random_battle(number), admirals(doctrines), options=rules.options)
        columns = columns_of(world)
        row = outcome(world, columns, fight(world, admirals(doctrines), PhiloxDice(5, number))[0])
        if row[0] >= 0:
            agree(world, columns, row)
        try:
            prepared = kernels.prepare(world, doctrines)
        except NotCompilable:
            continue
        rows, state = np.zeros(len(row), np.int32), np.zeros(at.STATE_WORDS, np.int32)
        plain.fight_many(prepared.before, state, prepared.constants, prepared.plan, rows, 5, number, 1)
        assert rows.tolist() == row
        compared += 1
    assert compared > 50
