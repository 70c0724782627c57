"""Small set-ups for the tests: one that is right, and ways to change it."""

from __future__ import annotations

import pytest

from flagplot.core.errors import ScenarioError
from flagplot.core.sides import Side
from flagplot.model.setup import Secret
from flagplot.scenarios.loader import parse_scenario

TOP = """format = 1
title = "A test"
theatre = "Pacific"
interceptor = "axis"
"""
AXIS = """[axis]
nation = "Japan"
"""
ALLIES = """[allies]
nation = "United States"
"""
AXIS_FORCE = """[[axis.force]]
name = "One"
ships = ["Kongo"]
"""
ALLIED_FORCE = """[[allies.force]]
name = "Two"
ships = ["Washington"]
"""


def battle(
    top: str = "", axis: str = AXIS_FORCE, allies: str = ALLIED_FORCE, *, axis_side: str = "", allied_side: str = ""
) -> str:
    return "\n".join((TOP + top, AXIS + axis_side, axis, ALLIES + allied_side, allies))


def force(body: str, side: str = "axis", name: str = "One") -> str:
    return f'[[{side}.force]]\nname = "{name}"\n{body}\n'


def air_base(body: str, side: str = "axis", name: str = "Truk", distance: int = 1) -> str:
    return f'[[{side}.air_base]]\nname = "{name}"\ndistance = {distance}\n{body}\n'


def without(line: str) -> str:
    text = battle()
    assert line in text
    return text.replace(line, "")


def axis_of(text: str) -> Secret:
    return parse_scenario(text, "test.toml").setup.sides[Side.AXIS]


def refusal(text: str | bytes) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, "test.toml")
    return caught.value


def assert_refused(text: str, path: str, rule: str, words: str) -> None:
    """A mistake is named where it stands, with its rule and what would do instead."""
    found = refusal(text)
    place, *line, named = found.place.split(", ")
    assert (place, named, found.rule) == ("test.toml", path, rule)
    assert words in found.reason
    assert str(found).startswith(found.place) and str(found).endswith(f" ({rule})" if rule else found.reason)
    assert line or path in ("format", "title", "allies", "port"), "only a missing key of the whole has no line"


SEVEN_CARGOES = "".join(
    force(f'destroyers = 1\ncargo = [{{ name = "c{i}", needs = 1 }}]', name=f"F{i}") for i in range(7)
)
SEVEN_GROUPS = "".join(force("destroyers = 9", name=f"F{i}") for i in range(6))
HIDDEN = 'order_of_battle = "hidden"\n'
RAID = 'kind = "raider combat"\n'
AMBUSH = 'kind = "submarine attack"\n'
BARE = "task_force = false\nsea_supply = true"
