"""The second transcription, put together: what every table of every edition holds, slot by slot of the ruleset.

Nothing here is taken from the program. A table is a dictionary of its fields; rows, cells and steps are plain tuples. An
edition of the rules that prints a table of its own has its own entry, all others share that of the current edition.
"""

from __future__ import annotations

from typing import Any

from tests.tables import second_reading as naval
from tests.tables import second_reading_air as air
from tests.tables import second_reading_strategic as strategic

Printed = dict[str, Any]  # fields of a table, and what they hold


def _cells(lines: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    pairs = [[cell.split("/") if "/" in cell else (cell, "0") for cell in line.split()] for line in lines.split("\n")]
    return tuple(tuple((int(before), int(after)) for before, after in row) for row in pairs if row)


# The column of air squadrons of the naval attack table, from the first row down; rows of 1, 2 and 4 factors have none.
_SQUADRONS = (0, 0, 1, 0, *range(2, 21))

_SURPRISE: Printed = {  # levels from which an effect holds, as in the charts of both editions
    "no_patrol_bonus_from": 1,
    "air_defense_from": 2,
    "air_defense": -1,
    "attack_bonus_from": 3,
    "attack_bonus": 1,
    "critical_from": 7,
    "search_results": {1: 0, 2: 1, 3: 2},
    "radar": -1,
}

CURRENT: dict[str, Any] = {
    "attack": {
        "rows": tuple(
            (squadrons, lowest, highest, tuple(hits))
            for squadrons, (lowest, highest, hits) in zip(_SQUADRONS, naval.NAVAL_ATTACK_FLEET, strict=True)
        )
    },
    "nationality": {
        "nations": naval.NATIONALITY,
        "five_factor_battleship": 1,
        "german_submarine": 1,
        "carrier": {"CV": -2, "CVE": -2, "CVB": -1},
        "light_carrier": {"Japan": -2, "United States": -2, "Germany": -1, "Italy": -1, "Britain": -1},
        "partial_supply_or_oil": -1,
    },
    "search": {  # 22.45
        "per_squadron": 1,
        "most_squadrons": 3,
        "codebreaking": 1,
        "per_round": 1,
        "per_active_group": 1,
        "active_group_factors": 10,
        "most_active_groups": 6,
        "per_distant_carrier_group": 1,
        "most_distant_carrier_groups": 5,
        "disclosed_under": 10,
        "carriers_from": 1,
        "composition_from": None,
        "public": ("22.451A", "22.451B", "22.451C"),
    },
    "air_combat": {"rows": tuple(tuple(cells) for _, cells in air.AIR_COMBAT)},
    "air_defense": {"rows": tuple(tuple(cells) for _, cells in air.AIR_DEFENSE)},
    "air_defense_level": {  # under the table of 23.42
        "factors_per_level": 10,
        "escort_carrier_factors": 3,
        "per_research": 1,
        "per_five_factor_battleship": 1,
        "per_large_carrier": 1,
        "per_port_or_city": 2,
        "per_flak_factor": 1,
        "per_airbase": 1,
        "per_objective": 1,
        "per_anchor": 1,
        "fortification": 1,
        "fortress": 2,
    },
    "air_nationality": {
        "nations": air.AIR_NATIONALITY,
        "elite_japanese_naval_air": 1,
        "interceptors": 1,
        "british_naval_air": -1,
        "winter": -1,
        "partial_supply_or_oil": -1,
    },
    "surprise": {
        **_SURPRISE,
        "fewer": {4: 1, 5: 2, 6: 3, 7: 4},
        "earlier_strike": 0,  # no such line
        "every_strike": False,
        "thirds": {},
        "no_air_defense_from": None,
        "level_rule": "23.7413",
        "attack_rule": "23.441C",
        "search_rule": "23.74122A",
        "radar_rule": "23.74122B",
        "strikes_rule": "",
    },
    "submarine": {  # 22.94
        "hits": (0, 0, 0, 1, 1, 2, 2, 3, 3),
        "lost_column": 2,
        "most_italic": 2,
        "most_overall": 4,
        "advanced": 1,
        "per": 3,
    },
    "interception": {  # 22.21
        "cargo": 2,
        "staying_patrol": 2,
        "countered_in_hex": 2,
        "cruisers_and_destroyers": 1,
        "per_task_force": 1,
        "per_ground_factor": 1,
        "most_ground_factors": 3,
        "per_squadron": 1,
        "most_squadrons": 3,
        "per_submarine": 1,
        "most_submarines": 3,
        "submarine_range": 3,
        "codebreaking": 1,
        "slow_or_submarine": -1,
        "per_further_attempt": -1,
        "most_range": {"Europe": 40, "Pacific": 20},
        "divisor": {"Europe": 1, "Pacific": 2},
        "hexes_per_round": {"Europe": 4, "Pacific": 2},
        "patrol_range": 3,
    },
    "air_range": {
        "rows": tuple(
            ({"Europe": europe, "Pacific": pacific}, {"Europe": fighters, "Pacific": pacific_fighters}, sw)
            for _, europe, fighters, pacific, pacific_fighters, sw in strategic.AIR_RANGE
        ),
        "army_air": strategic.ARMY_AIR_RANGE,
        "excess": strategic.EXCESS_RANGE,
    },
    "carrier_effects": {
        "rows": tuple((cves, raiders, elsewhere) for cves, _, raiders, _, elsewhere in strategic.CARRIER_EFFECTS)
    },
    "repair": {
        "rows": strategic.REPAIR,
        "raising": (0, strategic.RAISING["shipbuilding"]),
        "raising_brps": strategic.RAISING["BRPs"],
        "accelerated_from": strategic.ACCELERATED_FROM,
        "cve_builders": tuple(strategic.CVE_BUILDERS),
    },
    "bombing": {**strategic.BOMBING, **strategic.BOMBING_LISTS},
    "sw_boxes": {
        "bases": strategic.BASES,
        "usat_ceilings": tuple(strategic.USAT),
        "usjt": strategic.USJT,
        "past_gibraltar": strategic.PAST_GIBRALTAR,
    },
    "sw_combat": {"rows": _cells(strategic.SW_COMBAT)},
    "sw_units": {
        "starting": strategic.POOLS,
        "buildable": strategic.BUILT,
        "earliest_western_allied": strategic.WESTERN_ALLIED_PRODUCTION,
        "earliest_japanese": strategic.JAPANESE_PRODUCTION,
        "earliest": strategic.PRODUCTION,
        "earliest_pacific_bombers": strategic.PACIFIC_BOMBERS,
        "brps": strategic.SW_COSTS["BRPs"],
        "shipbuilding": strategic.SW_COSTS["shipbuilding"],
        "needs_shipbuilding": strategic.SHIPBUILDING,
        "bomber_powers": strategic.BOMBERS_AT_THE_START,
    },
    "submarine_limits": {
        "german_atlantic": tuple(strategic.GERMAN_ATLANTIC),
        "german_indian_ocean": tuple(strategic.GERMAN_INDIAN_OCEAN),
        "japanese": tuple(strategic.JAPANESE),
        "american": tuple(strategic.AMERICAN),
        "german_rise": strategic.GERMAN_RISE,
    },
    "submarine_warfare": {
        "ports": tuple(strategic.PORTS),
        "us_war": strategic.SUBMARINE_MODIFIERS["Germany and the U.S. at war"],
        "happy_time": (
            strategic.SUBMARINE_MODIFIERS["first turn of that war"],
            strategic.SUBMARINE_MODIFIERS["second turn of that war"],
        ),
        "ireland": strategic.SUBMARINE_MODIFIERS["Ireland"],
        "ireland_from": strategic.SUBMARINE_MODIFIERS["diplomatic result for Ireland"],
        "codebreaking": strategic.SUBMARINE_MODIFIERS["codebreaking"],
    },
    "raiders": {
        "automatic": strategic.RAIDERS["automatic"],
        "per_earlier_group": strategic.RAIDERS["each group before"],
        "three_ships": strategic.RAIDERS["three ships"],
        "per_air_range": strategic.RAIDERS["each air range result"],
        "us_war": strategic.RAIDERS["U.S. at war"],
        "from_singapore": strategic.RAIDERS["from Singapore"],
        "most_codebreaking": strategic.RAIDERS["codebreaking"],
        "types": (strategic.HUNTERS, "cruiser", False),
    },
    # numbers of their own
    "most_groups": 6,  # 22.421C
    "most_group_factors": 25,  # 22.421A
    "return_range": {"Europe": 20, "Pacific": 10},  # 22.63
    "tries_after_evasion": 6,  # 22.523, AM-11: every other group, of which there are at most six
    "strike_limits": ((2, 4), (3, 8), (9, 12)),  # 23.73: squadrons below a DRM of 2, of 3, and all others
    "naval_air_bonus": 1,  # 23.44
}

OF_2008: dict[str, Any] = CURRENT | {
    "interception": {  # 22.23
        "dice": {
            **dict.fromkeys(("raider", "interception"), 1),
            **dict.fromkeys(("base change", "patrol", "fast carrier mission", "naval redeployment", "displacement"), 2),
            **dict.fromkeys(("SW box redeployment", "escape"), 2),  # counted as base changes (FP-94)
            **dict.fromkeys(("sea supply", "sea transport", "seaborne invasion", "shore bombardment", "sea escort"), 4),
        },
        "returning": 2,
        "staying_patrol": 8,
        "per_squadron": 1,
        "most_squadrons": 3,
        "per_submarine": 1,
        "most_submarines": 3,
        "submarine_range": 3,
        "codebreaking": 1,
        "slow": -1,
        "submarine": -2,
        "port_not_operational": -2,
        "small_target": -1,
        "small_under": 10,
        "in_invasion_hex": 1,
        "countered_in_hex": 2,
        "from_us_box": 3,
        "most_dice": None,
        "per_further_attempt": 0,  # no such line (IR-63)
        "most_range": {"Europe": 9_999, "Pacific": 9_999},  # none is printed
        "divisor": {"Europe": 1, "Pacific": 2},
        "hexes_per_round": {"Europe": 4, "Pacific": 2},
        "patrol_range": 3,
    },
    "search": CURRENT["search"]
    | {
        "per_distant_carrier_group": 0,  # no such line
        "most_distant_carrier_groups": 0,
        "carriers_from": 2,
        "composition_from": 3,
        "public": ("22.4422", "22.45", "48.51A"),
    },
    "surprise": {
        **_SURPRISE,
        "fewer": {},
        "earlier_strike": -1,
        "every_strike": True,
        "thirds": {4: 2, 5: 1, 6: 0},
        "no_air_defense_from": 7,
        **dict.fromkeys(("level_rule", "attack_rule", "search_rule", "radar_rule", "strikes_rule"), "22.463"),
    },
    "submarine": CURRENT["submarine"] | {"hits": (0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5)},
}

EDITIONS = {"current": CURRENT, "2008": OF_2008}

# Slots of the ruleset that are no tables: names, readings chosen by options, what old rules were called, charts that were taken over.
NO_TABLES = ("edition", "options", "readings", "numbers", "borrowed")

# Numbers of the rules that stand in the program outside its tables, by module and name.
CONSTANTS: dict[str, Any] = {
    "model.ships.FACTORS_OF_A_UNIT": {"CA": 2, "TR": 0, "NAS": 3},  # 20.1, 23.13
    "model.squadrons.NEAR": 3,  # 22.463B
    "model.yards.LAUNCH": 1,  # 26.761
    "tables.air_range.MOST_RESULTS": 3,
    "tables.air_range.RESULT_NEEDED": 10,
    "tables.naval_attack.MOST_FACTORS": 60,
    "tables.naval_attack.MOST_SQUADRONS": 20,
    "tables.naval_nationality.FIVE_FACTOR_BATTLESHIP": 1,
    "tables.naval_nationality.GERMAN_SUBMARINE": 1,
    "tables.naval_nationality.PARTIAL_SUPPLY_OR_OIL": -1,
    "tables.naval_repair.FACTORS": strategic.REPAIR_FACTORS,
    "tables.results.FIRST_COLUMN": 2,
    "tables.results.LAST_COLUMN": 12,
    "tables.submarine_attack.FIRST_COLUMN": 2,
    "tables.surprise.ALL_THIRDS": 3,
    "tables.sw_combat.FIRST_COLUMN": 2,
    "tables.sw_combat.LAST_COLUMN": 12,
    "tables.sw_combat.NOTHING": (0, 0),
    "tables.sw_limits._SPRING": 0,
    "tables.sw_limits._FALL": 2,
    "tables.sw_limits._WINTER": 3,
    "tables.sw_raiders.NEWER": (strategic.NEWER_HUNTERS, "", True),
    "rules.air.attack.HEAVY_DICE": 5,  # RC-06
    "rules.air.combat.JETS_FOR_ONE": 3,  # 19.3
    "rules.air.escape.FACTOR": 3,  # 23.13
    "rules.air.passage.NUMBERS": 6,  # faces of a search die
    "rules.naval.combat_groups.SMALL_FORCE": 10,  # 22.421A
    "rules.naval.combat_groups.FILLED": 21,  # FP-01
    "rules.naval.fleet_combat.RATIO": 3,  # 22.54D
    "rules.naval.interceptors.BRPS": 0,  # 22.111
    "rules.naval.interceptors.MOST_LOOSE_FACTORS": 9,  # 22.14C
    "rules.naval.ranked_targets.FACES": (1, 2, 3, 4, 5, 6),  # 22.93E of 2008
    "rules.naval.reconstitution.LEAST": 10,  # 22.14C: fewer are no task force
    "rules.strategic.murmansk.ATLANTIC_SUBMARINES": 10,  # FP-76
    "rules.strategic.murmansk.BRPS_OF_A_DESTROYER": 3,
    "rules.strategic.murmansk.BRPS_OF_A_TRANSPORT": 10,
    "rules.strategic.raiders.THREE_SHIPS": 3,  # 21.5342
    "rules.strategic.submarine_modifiers.ASW_LEVEL_FROM": 6,  # SR-11
    "rules.strategic.submarine_modifiers.TWO_LEVELS_FROM": 8,
    "rules.strategic.submarine_warfare.ADVANCED_FACTORS": 3,  # 25.73A
    "rules.strategic.yards.COLUMNS_FOR_FIRST": 2,  # 26.761A
    "rules.strategic.yards.COLUMNS_FOR_SECOND": 1,  # 26.761B
}

# Numbers that are no rules: bounds of typed input, of lists offered, and how a map is drawn.
NO_RULES = (
    "model.maps.FIRST_NUMBER",
    "model.maps.MOST_COLUMNS",
    "model.maps.MOST_ROWS",
    "model.maps.ROW_HEIGHT",
    "model.maps.STEPS",
    "tables.results.MOST",
    "tables.sw_combat.MOST",
    "rules.air.ports.OFFERED_SORTIES",
    "rules.amendments.MOST",
    "rules.naval.parting.MOST",
    "rules.naval.passage.FAR",
    "rules.naval.passage.MOST_ROUTES",
)
