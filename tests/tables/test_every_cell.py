"""Every cell of every table of every edition, changed by one, is noticed by the second transcription.

The program's tables are gone through as they are, slot by slot of each edition's ruleset, so that a table, a line or a cell
that is added without a second transcription fails here. So do the numbers of the rules that stand outside the tables.
"""

from __future__ import annotations

import ast
import copy
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import flagplot.editions
import flagplot.model
import flagplot.rules
import flagplot.tables
from flagplot.editions.current import EDITIONS
from flagplot.rules.table import Ruleset
from tests.tables import second_reading_editions as second

EACH = pytest.mark.parametrize("edition", second.EDITIONS)
SETS = {edition: EDITIONS[edition] for edition in second.EDITIONS}


def table_fields(table: Any) -> dict[str, Any] | None:
    """What a table holds, by field; nothing for a plain number or list. What it only remembers is left out."""
    if hasattr(table, "_asdict"):
        return dict(table._asdict())
    if is_dataclass(table):
        return {each.name: getattr(table, each.name) for each in fields(table) if each.compare}
    if type(table).__module__.startswith("flagplot."):
        return {name: value for name, value in vars(table).items() if not name.startswith("_")}
    return None


def plain(value: Any) -> Any:
    """Rows, cells and steps as tuples, lists by name as dictionaries."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, msgspec.Struct):
        return tuple(plain(each) for each in msgspec.structs.astuple(value))
    if isinstance(value, (tuple, list, range)):
        return tuple(plain(each) for each in value)
    return value


def held(table: Any) -> Any:
    within = table_fields(table)
    return plain(table) if within is None else {name: plain(value) for name, value in within.items()}


def differences(edition: str, rules: Ruleset) -> list[str]:
    """The slots in which the program and the second transcription disagree, whatever is missing in either included."""
    ours = {
        slot.name: held(getattr(rules, slot.name))
        for slot in fields(rules)
        if slot.name not in second.NO_TABLES and not callable(getattr(rules, slot.name))
    }
    ours = {slot: value for slot, value in ours.items() if not isinstance(value, bool)}
    printed = second.EDITIONS[edition]
    return [slot for slot in {**ours, **printed} if slot not in ours or ours[slot] != printed.get(slot, ...)]


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Every way to change one cell: a number by one, a yes to a no, a name to another, a line to begin one later."""
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield from ((f"{value} as {other}", other) for other in (value - 1, value + 1))
    elif isinstance(value, str):
        yield f"{value!r} changed", value + " or another"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from ((f"{key}: {how}", {**value, key: other}) for how, other in changes(each))
            yield f"{key} left out", {other: each for other, each in value.items() if other != key}
            if isinstance(key, int):
                yield f"{key} moved", {other + (other >= key): each for other, each in value.items()}
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            for how, other in changes(getattr(value, name)):
                yield f"{name}: {how}", msgspec.structs.replace(value, **{name: other})
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            for how, other in changes(each):
                changed = (*value[:index], other, *value[index + 1 :])
                yield f"{index}: {how}", type(value)(*changed) if hasattr(value, "_fields") else changed
            if not hasattr(value, "_fields"):
                yield f"{index} left out", (*value[:index], *value[index + 1 :])
    else:
        assert value is None, f"a cell of an unknown kind: {value!r}"


def changed_tables(table: Any) -> Iterator[tuple[str, Any]]:
    """A table with one cell changed, ready to be read."""
    within = table_fields(table)
    if within is None:
        yield from changes(table)
        return
    for name, value in within.items():
        for how, other in changes(value):
            yield f"{name}: {how}", with_field(table, name, other)


def with_field(table: Any, name: str, value: Any) -> Any:
    if hasattr(table, "_replace"):
        return table._replace(**{name: value})
    if is_dataclass(table):
        return replace(table, **{name: value})  # type: ignore[type-var]
    changed = copy.copy(table)
    setattr(changed, name, value)
    return changed


@EACH
def test_every_table_of_the_edition_agrees_with_the_second_transcription(edition: str) -> None:
    assert set(EDITIONS) == set(second.EDITIONS), "an edition without a second transcription"
    assert differences(edition, SETS[edition]) == []


@EACH
def test_every_cell_of_every_table_changed_by_one_is_noticed(edition: str) -> None:
    rules = SETS[edition]
    counted = 0
    for slot, printed in second.EDITIONS[edition].items():
        table = getattr(rules, slot)
        as_it_is = table_fields(table) or table
        bare = as_it_is == printed  # rows that are tuples need not be made plain first, which is slow
        for how, changed in changed_tables(table):
            found = (table_fields(changed) or changed) if bare else held(changed)
            assert found != printed, f"{slot}, {how}"
            counted += 1
    assert counted > 3000


@EACH
def test_a_changed_cell_is_told_by_the_slot_it_is_in(edition: str) -> None:
    rules = SETS[edition]
    for slot in second.EDITIONS[edition]:
        _, table = next(changed_tables(getattr(rules, slot)))
        assert differences(edition, replace(rules, **{slot: table})) == [slot]


def test_a_table_without_a_second_transcription_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for slot in second.CURRENT:
        lacking = {name: table for name, table in second.CURRENT.items() if name != slot}
        monkeypatch.setitem(second.EDITIONS, "current", lacking)
        assert differences("current", SETS["current"]) == [slot]


# -- numbers outside the tables -------------------------------------------------------------------------------------


def holds_a_number(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(holds_a_number(each) for pair in value.items() for each in pair)
    if isinstance(value, (tuple, list, range)):
        return any(map(holds_a_number, value))
    if isinstance(value, msgspec.Struct):
        return any(map(holds_a_number, msgspec.structs.astuple(value)))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@cache
def constants() -> dict[str, Any]:
    """Everything with a number in it that a module of rules, tables or the model sets up for itself."""
    found = {}
    for package in (flagplot.model, flagplot.tables, flagplot.rules, flagplot.editions):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for statement in ast.parse(Path(str(module.__file__)).read_text()).body:
                targets = statement.targets if isinstance(statement, ast.Assign) else []
                targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
                for name in (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)):
                    value = getattr(module, name.id, None)
                    if holds_a_number(value):
                        found[f"{info.name.removeprefix('flagplot.')}.{name.id}"] = value
    return found


def in_a_table(value: Any) -> bool:
    """Whether a constant is what a table of an edition is made of. A single number never is: there are many like it."""
    if isinstance(value, int):
        return False
    tables = [getattr(rules, slot) for rules in SETS.values() for slot in second.CURRENT]
    parts = [part for table in tables for part in (table, *(table_fields(table) or {}).values())]
    return any(value is part or (isinstance(part, tuple) and value in part) for part in parts)


def test_every_number_outside_the_tables_agrees_with_the_second_transcription() -> None:
    found = {name: value for name, value in constants().items() if name not in second.NO_RULES}
    ours = {name: plain(value) for name, value in found.items() if name in second.CONSTANTS or not in_a_table(value)}
    assert ours == second.CONSTANTS


def test_every_number_outside_the_tables_changed_by_one_is_noticed() -> None:
    found = constants()
    for name, printed in second.CONSTANTS.items():
        value = found[name] if not isinstance(found[name], range) else tuple(found[name])
        for how, other in changes(value):
            assert plain(other) != printed, f"{name}, {how}"
