"""Kernels compiled are kernels in plain Python: the same dice, the same facts; and what is compiled is noticed to change."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

from flagplot.odds import kernels
from flagplot.odds.compiling import compile_all, ready
from flagplot.odds.jit import HERE, fingerprint
from flagplot.odds.kernel_names import NotCompilable
from flagplot.odds.outcomes import outcome
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.sampling import USUAL, admirals
from flagplot.odds.worlds import fight, formed
from flagplot.scenarios.loader import load_scenario
from tests.odds import test_kernels_taken_up
from tests.odds.comparing import difference, records
from tests.odds.test_kernels_equal import SCENARIOS, recorded

SEED = 2211


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """The kernels, compiled; from disk if they have been before."""
    assert compile_all()["megabytes"] < 600
    assert ready()
    from flagplot.odds import kernel_battle

    return kernel_battle


@pytest.mark.long
def test_compiled_battles_are_the_same_in_every_fact(compiled: ModuleType) -> None:
    assert [told for made in records(recorded, range(1000, 1120)) if (told := difference(compiled, made))] == []


@pytest.mark.long
def test_compiled_battles_taken_up_in_fleet_combat_are_the_same(compiled: ModuleType) -> None:
    compared = 0
    for number in range(1000, 1060):
        for position in test_kernels_taken_up.positions(number):
            with suppress(NotCompilable):
                assert difference(compiled, test_kernels_taken_up.recorded(position)) == ""
                compared += 1
    assert compared > 300


@pytest.mark.long
@pytest.mark.parametrize("name", SCENARIOS)
def test_many_battles_in_one_call_are_those_of_the_procedures(compiled: ModuleType, name: str) -> None:
    scenario = load_scenario(name)
    bots = admirals(USUAL)
    world = formed(scenario.setup, bots, options=scenario.options)
    prepared = kernels.prepare(world, USUAL)
    rows = kernels.fight_rows(prepared, SEED, 0, 24)
    for battle in range(24):
        end, _ = fight(world, bots, PhiloxDice(SEED, battle))
        assert list(rows[battle]) == outcome(world, prepared.columns, end)
    assert (kernels.fight_rows(prepared, SEED, 8, 8) == rows[8:16]).all()


def test_changing_a_table_a_kernel_or_a_policy_changes_where_compiled_code_is_kept(tmp_path: Path) -> None:
    package = tmp_path / "flagplot"
    shutil.copytree(HERE.parent, package, ignore=shutil.ignore_patterns("web", "scenarios", "__pycache__"))
    before = fingerprint(package)
    assert before == fingerprint()
    found = {before}
    for name, right, wrong in (
        ("tables/naval_attack.py", "Row(0, 1, 1, (0, 0, 0, 0, 0, 0, 1,", "Row(0, 1, 1, (0, 0, 0, 0, 0, 1, 1,"),
        ("odds/kernel_fleet.py", "RATIO = 3", "RATIO = 2"),
        ("doctrine/policies.py", "10 * hits", "11 * hits"),
        ("odds/philox.py", "ROUNDS = 10", "ROUNDS = 7"),
    ):
        text = (package / name).read_text()
        assert right in text
        (package / name).write_text(text.replace(right, wrong))
        found.add(fingerprint(package))
    assert len(found) == 5
