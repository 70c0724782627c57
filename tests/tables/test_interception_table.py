"""The naval interception table against a second transcription of 22.21, and proof that no number could change unnoticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from flagplot.editions.current import ruleset
from flagplot.model.interception import Circumstances, Interceptor, Level, Place, Submarine, Target
from flagplot.rules.naval.interception import attempts, entry_round, in_range, patrol_round, result_of
from flagplot.rules.naval.interceptors import assisting_submarines
from flagplot.tables.naval_interception import InterceptionTable
from tests.tables.second_reading_editions import CURRENT

PRINTED: dict[str, Any] = CURRENT["interception"]


def test_the_table_agrees_with_a_second_transcription() -> None:
    assert InterceptionTable()._asdict() == PRINTED


def probes(table: InterceptionTable) -> list[Any]:
    """Answers that lean on every number of the table."""
    rules = replace(ruleset(), interception=table)
    invasion = Target(("seaborne invasion",), 2)
    everything = Circumstances(spotters=5, submarines=5, ground_factors=5, cards=1)
    countered = Circumstances(level=Level.COUNTER, place=Place.INTERCEPTION_HEX)
    found: list[Any] = [
        attempts(rules, invasion, everything, [Interceptor("A", 1, light=True), Interceptor("B", 1, slow=True)]),
        attempts(rules, Target(("patrol",), staying=True), countered, [Interceptor("A", 1)]),
        assisting_submarines(rules, [Submarine(distance) for distance in range(6)]),
    ]
    for theatre in ("Europe", "Pacific"):
        found += [in_range(rules, theatre, distance) for distance in range(50)]
        found += [result_of(rules, theatre, total) for total in range(10)]
        found += [entry_round(rules, theatre, distance, 0) for distance in range(10)]
        found += [patrol_round(rules, theatre, distance) for distance in range(10)]
    return found


@pytest.mark.parametrize("line", PRINTED)
@pytest.mark.parametrize("theatre", ["Europe", "Pacific"])
def test_every_number_changed_by_one_changes_an_answer(line: str, theatre: str) -> None:
    table = InterceptionTable()
    value = getattr(table, line)
    changed = {**value, theatre: value[theatre] + 1} if isinstance(value, Mapping) else value + 1
    assert probes(table._replace(**{line: changed})) != probes(table)
