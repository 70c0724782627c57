"""What all tests share: proof that a ledger row is carried out by the function of its number.

A test claims rows with `@pytest.mark.ledger("22.54B.1")`, and those of an older edition with `edition="2008"`. While it runs, calls of functions marked `@rule` are noted;
a row is proven only if the test passed and called a function whose number covers it. The proofs of a whole run are
written to build/ledger-proofs.json, from which tools/rulebook.py makes docs/rulebook.md. With FLAGPLOT_PROOFS=no, as in
`make test` for the tests that prove no rules, nothing is noted or written.
"""

from __future__ import annotations

import functools
import gc
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from flagplot.core import rulebook
from flagplot.core.dice import SystemDice
from flagplot.core.rulebook import INDEX, covers

NOTING = os.environ.get("FLAGPLOT_PROOFS") != "no"
CALLED: set[Callable[..., Any]] = set()
mark_only = rulebook.rule


def noting_rule(*numbers: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """@rule, and every call is noted. A profiler would see all calls of all functions, which takes three times as long."""
    mark = mark_only(*numbers)

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        mark(function)

        @functools.wraps(function)
        def noted(*given: Any, **named: Any) -> Any:
            CALLED.add(function)
            return function(*given, **named)

        return noted

    return noting


if NOTING:
    rulebook.rule = noting_rule  # type: ignore[assignment]

import flagplot.api  # noqa: E402

flagplot.api.load()  # every rule, so that the index is full

# The same examples every time: what is covered and proven must not depend on luck. Long campaigns bring the variety.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# Kernels of odds are compiled by the tests that say so, never in the background.
os.environ.setdefault("FLAGPLOT_COMPILE", "no")

PROOFS = Path(__file__).parents[1] / "build" / "ledger-proofs.json"
OF = " of "  # between a row and its edition: 22.54B.1 of 2008
NUMBERS: dict[Callable[..., Any], list[str]] = {}
for number, functions in INDEX.items():
    for function in functions:
        NUMBERS.setdefault(function, []).append(number)


@pytest.fixture(autouse=True)
def dice_of_the_test(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice of games a test starts in its own process are drawn by its name: what passes once passes again.

    `FLAGPLOT_TEST_DICE=7 make test` throws others."""
    random = Random(f"{os.environ.get('FLAGPLOT_TEST_DICE', '')} {request.node.name}")
    monkeypatch.setattr(SystemDice, "dice", lambda self, count, draw: random.choices(range(1, 7), k=count))


def claimed_rows(item: pytest.Item) -> list[str]:
    return [f"{row}{_edition(mark)}" for mark in item.iter_markers("ledger") for row in mark.args]


def _edition(mark: pytest.Mark) -> str:
    """What is added to a row of an edition that is not the current one."""
    return f"{OF}{mark.kwargs['edition']}" if "edition" in mark.kwargs else ""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    rows = claimed_rows(item)
    if not rows or not NOTING:
        yield
        return
    CALLED.clear()
    outcome: Any = yield
    if outcome.excinfo is None:
        numbers = [number for function in CALLED for number in NUMBERS[function]]
        proven = [row for row in rows if any(covers(number, row.partition(OF)[0]) for number in numbers)]
        item.user_properties.append(("ledger", {"proven": proven, "claimed": rows}))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now stays: whoever collects garbage need not look through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(
        100_000, 20, 20
    )  # tests make much and keep little: looking through it less often takes 7 % less time


def pytest_configure(config: pytest.Config) -> None:
    if NOTING:
        config.pluginmanager.register(Proofs(), "ledger-proofs")


class Proofs:
    """Gathers what the tests proved; with several workers the reports come back to the one that started them."""

    def __init__(self) -> None:
        self.rows: dict[str, list[str]] = {}
        self.unproven: dict[str, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call":
            return
        for name, value in report.user_properties:
            if name == "ledger" and isinstance(value, dict):
                test = report.nodeid.split("[")[0]
                for row in value["claimed"]:
                    record = self.rows if row in value["proven"] else self.unproven
                    tests = record.setdefault(row, [])
                    if test not in tests:
                        tests.append(test)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput"):
            return
        PROOFS.parent.mkdir(exist_ok=True)
        proofs = {
            "proven": {row: sorted(tests) for row, tests in sorted(self.rows.items())},
            "unproven": {row: sorted(tests) for row, tests in sorted(self.unproven.items()) if row not in self.rows},
        }
        PROOFS.write_text(json.dumps(proofs, indent=1) + "\n")
