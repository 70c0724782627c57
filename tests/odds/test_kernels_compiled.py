"""Kernels compiled are kernels in plain Python: the same dice, the same facts; and what is compiled is noticed to change."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.editions.current import CURRENT
from flagplot.odds import kernel_layout as at
from flagplot.odds.jit import HERE, fingerprint, load
from flagplot.odds.kernel_facts import decode
from flagplot.odds.philox import PhiloxDice
from flagplot.odds.warm import warm
from flagplot.scenarios.loader import load_scenario
from tests.odds.comparing import Record, difference, record
from tests.odds.test_kernels_equal import SCENARIOS, records

SEED = 2211


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """The kernels, compiled; from disk if they have been before."""
    for part in warm():
        assert part.megabytes < 600, f"{part.part} took {part.megabytes:.0f} MB"
    from flagplot.odds import kernel_battle

    return kernel_battle


def beginning(name: str) -> Record:
    """A shipped battle as it begins, and how one game of it goes."""
    return record(CURRENT, load_scenario(name).setup, PhiloxDice(SEED, 0), {side: AdmiralBot() for side in Side})


def test_compiled_battles_are_the_same_in_every_fact(compiled: ModuleType) -> None:
    assert [told for made in records(range(1000, 1120)) if (told := difference(compiled, made))] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_many_battles_in_one_call_are_those_played_one_by_one(compiled: ModuleType, name: str) -> None:
    made = beginning(name)
    assert difference(compiled, made) == ""
    number = 8
    room, results = np.zeros(at.STATE_WORDS, np.int32), np.zeros(number * at.RESULT_WORDS, np.int32)
    compiled.play_many(made.state, made.constants, room, SEED, 0, 0, number, results)
    plain = load(("kernel_battle",))["kernel_battle"]
    alone, copied = made.state.copy(), np.zeros(number * at.RESULT_WORDS, np.int32)
    plain.play_many(made.state, made.constants, alone, SEED, 0, 0, number, copied)
    assert results.tolist() == copied.tolist()
    assert decode(made.layout, alone) == decode(made.layout, room)
    first = results[: at.RESULT_WORDS]
    assert (int(first[at.ROUND]), int(first[at.DICE_USED])) == (made.steps[-1].facts.round, made.steps[-1].dice)


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
