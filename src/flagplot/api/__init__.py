"""The public API: one function for each question a player asks, JSON in and out.

    from flagplot import api
    api.call("naval_attack", {"fleet": 12}, dice=[4, 3])        # {"hits": 3, ...}

`CALLS` maps names to functions; `describe(name)` gives a call's one-line help and the JSON schema of what it takes.
The terminal, the calculators and the worked cases all come in through `call`.
"""

from __future__ import annotations

from flagplot.api import (
    air,
    air_odds,
    air_tables,
    battle_odds,
    battles,
    bombing,
    bombing_effects,
    bombing_odds,
    combat,
    conversion,
    damage,
    engagements,
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
    "air_odds",
    "air_tables",
    "battle_odds",
    "battles",
    "bombing",
    "bombing_effects",
    "bombing_odds",
    "call",
    "combat",
    "conversion",
    "damage",
    "describe",
    "engagements",
    "interception",
    "interceptors",
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
