"""The public API: one function for each question a player asks, JSON in and out.

    from flagplot import api
    api.call("naval_attack", {"fleet": 12}, dice=[4, 3])        # {"hits": 3, ...}

`CALLS` maps names to functions; `describe(name)` gives a call's one-line help and the JSON schema of what it takes.
The terminal, the calculators and the worked cases all come in through `call`. The questions, and with them every rule, are
loaded when one of these names is first used, or by `load`: a module of the API by itself loads only what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagplot.api import (
        air,
        air_employment,
        air_odds,
        air_tables,
        battle_odds,
        battles,
        bombed_target,
        bombing,
        bombing_effects,
        bombing_odds,
        combat,
        conversion,
        damage,
        engagements,
        fleet_lines,
        fleet_of_2008,
        groups,
        interception,
        interceptors,
        naval_odds,
        raider_odds,
        raids,
        submarine_odds,
        submarine_war,
        submarines,
        sw_boxes,
        sw_raiders,
        tables,
        yards,
    )
    from flagplot.api.calls import CALLS, call, describe

__all__ = [
    "CALLS",
    "air",
    "air_employment",
    "air_odds",
    "air_tables",
    "battle_odds",
    "battles",
    "bombed_target",
    "bombing",
    "bombing_effects",
    "bombing_odds",
    "call",
    "combat",
    "conversion",
    "damage",
    "describe",
    "engagements",
    "fleet_lines",
    "fleet_of_2008",
    "groups",
    "interception",
    "interceptors",
    "load",
    "naval_odds",
    "raider_odds",
    "raids",
    "submarine_odds",
    "submarine_war",
    "submarines",
    "sw_boxes",
    "sw_raiders",
    "tables",
    "yards",
]
_OF_CALLS = ("CALLS", "call", "describe")


def load() -> None:
    """Load every question."""
    for name in __all__:
        if name not in (*_OF_CALLS, "load"):
            import_module(f"flagplot.api.{name}")


def __getattr__(name: str) -> Any:
    """A name that is used for the first time."""
    if name not in __all__:
        raise AttributeError(f"flagplot.api has no {name!r}")
    load()
    if name in _OF_CALLS:
        calls = import_module("flagplot.api.calls")
        globals().update({each: getattr(calls, each) for each in _OF_CALLS})
    return globals()[name]
