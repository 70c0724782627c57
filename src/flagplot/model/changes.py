"""The small steps every fold is made of: a battle with one fleet, one group or one air base changed."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.state import Battle, Fleet


def with_fleet(battle: Battle, side: Side, **changes: Any) -> Battle:
    """The battle with one fleet changed."""
    fleet = replace(battle.fleets.get(side) or Fleet(), **changes)
    return replace(battle, fleets={**battle.fleets, side: fleet})


def with_group(battle: Battle, side: Side, which: int, **changes: Any) -> Battle:
    """The battle with the group of this number changed."""
    groups = tuple(
        replace(group, **changes) if group.number == which else group for group in battle.fleets[side].groups
    )
    return with_fleet(battle, side, groups=groups)


def with_air_base(battle: Battle, side: Side, name: str, **changes: Any) -> Battle:
    """The battle with the air base of this name changed."""
    bases = tuple(replace(base, **changes) if base.name == name else base for base in battle.fleets[side].air_bases)
    return with_fleet(battle, side, air_bases=bases)
