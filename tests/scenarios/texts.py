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


SEVEN_CARGOES = "".join(
    force(f'destroyers = 1\ncargo = [{{ name = "c{i}", needs = 1 }}]', name=f"F{i}") for i in range(7)
)
SEVEN_GROUPS = "".join(force("destroyers = 9", name=f"F{i}") for i in range(6))
HIDDEN = 'order_of_battle = "hidden"\n'
RAID = 'kind = "raider combat"\n'
BARE = "task_force = false\nsea_supply = true"
