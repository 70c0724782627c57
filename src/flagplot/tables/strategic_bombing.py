"""What the rules of strategic bombing print in tables and lists (26.31, 26.461 to 26.464, 26.6, 26.71, 26.72, 26.9).

Edition: current. Source: 26, and the bombing part of the SW Combat Modifiers Table under 24.6. Economic values of hexes
are on the map, which we do not hold: they are inputs (SR-32).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

EUROPE_FRONTS = ("western", "Mediterranean", "eastern")
PACIFIC_FRONTS = ("Pacific", "Southeast Asian", "Asian")
US_BOXES = ("Atlantic U.S. box", "Pacific U.S. box")

TARGETS: Mapping[str, tuple[str, ...]] = {
    "Italy": ("Rome", "Milan", "Genoa"),
    "Britain": ("London", "Birmingham", "Manchester", "India box", "Australia box"),
    "Russia": ("Vladivostok", "Irkutsk", "Urals box"),
    "United States": US_BOXES,
    "China": ("Chungking", "Nanking", "Canton", "Shanghai", "Peking"),
    "Japan": ("Tokyo", "Osaka", "Kagoshima"),
}
TARGET_RULES: Mapping[str, str] = {
    "Germany": "26.31A",
    "Italy": "26.31B",
    "Britain": "26.31C",
    "Russia": "26.31D",
    "United States": "26.31E",
    "China": "26.31F",
    "Japan": "26.31G",
}
BOX_VALUES: Mapping[str, int] = {"Australia box": 10, "India box": 10}
BOX_COVER: Mapping[tuple[str, str], str] = {
    ("Atlantic U.S. box", "Germany"): "western",
    ("Pacific U.S. box", "Germany"): "western",
    ("Atlantic U.S. box", "Japan"): "Pacific",
    ("Pacific U.S. box", "Japan"): "Pacific",
    ("Australia box", "Japan"): "Pacific",
    ("India box", "Japan"): "Southeast Asian",
    ("Urals box", "Germany"): "eastern",
    ("Urals box", "Japan"): "Asian",
}
BASES_BY_RESULT: Mapping[int, int] = {9: 2, 10: 4, 11: 6, 12: 6}


class BombingTables(NamedTuple):
    """The numbers of strategic bombing, flying bombs and rockets."""

    # the strength of a target (26.461A, 26.462)
    per_flak_factor: int = 1
    per_airbase: int = 1
    per_objective: int = 1
    per_anchor: int = 1
    per_city_or_port: int = 2
    fortification: int = 1
    fortress: int = 2
    box: int = 3
    # the force (26.13, 26.451, 26.452, 26.52)
    army_air_to_a_bomber: int = 3
    jet_strength: int = 3
    most_japanese_army_air: int = 10
    # damage (24.632, 24.65, 26.463)
    per_first_number: int = 3
    per_second_number: int = 1
    per_additional_loss: int = 3
    # effects (26.71 to 26.74, 26.91)
    brps_to_a_construction_point: int = 3
    damage_to_a_marker: int = 10
    plant_destroyed_by: int = 2
    firestorm: int = 25
    vladivostok_and_irkutsk: int = 20  # taken from the Russian base for the value of the Urals box
    # flying bombs and rockets (26.62, 26.65, 26.661, 26.67)
    flying_bomb_salvo: int = 10
    rocket_salvo: int = 5
    per_defender: int = 1
    per_defending_jet: int = 4
    base_eliminated_by: int = 10
    atomic_rocket_result: int = 12
    atomic_rocket_range: Mapping[str, int] = {"Europe": 3, "Pacific": 2}
    bases_by_result: Mapping[int, int] = BASES_BY_RESULT
    # lists (26.21, 26.31, 26.462, 26.71A)
    fronts: Mapping[str, tuple[str, ...]] = {"Europe": EUROPE_FRONTS, "Pacific": PACIFIC_FRONTS}
    targets: Mapping[str, tuple[str, ...]] = TARGETS
    box_values: Mapping[str, int] = BOX_VALUES
    box_cover: Mapping[tuple[str, str], str] = BOX_COVER
    us_box_results: int = 3  # air range results it takes to bomb from or against the U.S. boxes
    production_from: Mapping[str, int] = {"Europe": 1940, "Pacific": 1944}
