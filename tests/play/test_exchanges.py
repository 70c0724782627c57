"""What tools/exchanges.py counts, and that its table is on the page."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from flagplot.play.order_examples import example_orders
from flagplot.scenarios.loader import list_scenarios, shipped_scenario

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "standing-orders.md").read_text("utf-8")


@pytest.fixture(scope="module")
def exchanges() -> ModuleType:
    found = importlib.util.spec_from_file_location("exchanges", HOME / "tools" / "exchanges.py")
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules["exchanges"] = module
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["operation-rendezvous", "denmark-strait"])
def test_with_orders_the_turn_passes_less_often(exchanges: ModuleType, name: str) -> None:
    row = exchanges.counted(shipped_scenario(name), 1)
    assert 0 < row.with_orders.turns < row.without.turns <= row.without.typed == row.without.questions
    assert row.with_orders.typed < row.with_orders.questions


def test_the_same_seed_counts_the_same(exchanges: ModuleType) -> None:
    scenario = shipped_scenario("denmark-strait")
    assert exchanges.play(scenario, (), 3) == exchanges.play(scenario, (), 3)


def test_every_scenario_is_in_the_table_of_the_page() -> None:
    rows = re.findall(r"^\| ([a-z0-9-]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) % \|$", PAGE, re.MULTILINE)
    assert sorted(name for name, *_ in rows) == sorted(scenario.name for scenario in list_scenarios())
    assert all(int(forced) <= int(ordered) <= int(without) for _, _, without, ordered, forced, _ in rows)


def test_the_page_shows_the_example_that_is_shipped() -> None:
    assert example_orders("operation") in PAGE
