"""Second, independent transcription of the naval combat tables, for comparison with the tables of the program.

Literal data only. The sources are rules 22.45, 22.55 and 22.552A and the fuller copy of the Naval Attack Table in 23.
"""

from typing import Any

# Each row: lowest fleet factors, highest fleet factors, hits for modified rolls 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.
# Rolls below 2 count as 2, rolls above 12 as 12.
# Above 60 fleet factors: add the hits of the row 58-60 and of the row for the factors left over, with the same dice
# (and again 58-60 while more than 60 are left).
# The copy in 22 agrees as far as it goes; its last fleet row is marked 25 only, in the copy in 23 it is 25-27.
NAVAL_ATTACK_FLEET: list[tuple[int, int, list[int]]] = [
    (1, 1, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
    (2, 2, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]),
    (3, 3, [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]),
    (4, 4, [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3]),
    (5, 6, [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3]),
    (7, 9, [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]),
    (10, 12, [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5]),
    (13, 15, [2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6]),
    (16, 18, [2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6]),
    (19, 21, [2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7]),
    (22, 24, [3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]),
    (25, 27, [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]),
    (28, 30, [3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]),
    (31, 33, [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9]),
    (34, 36, [4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]),
    (37, 39, [5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10]),
    (40, 42, [5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]),
    (43, 45, [6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11]),
    (46, 48, [6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11]),
    (49, 51, [7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12]),
    (52, 54, [7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12]),
    (55, 57, [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13]),
    (58, 60, [8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]),
]

# Each row: air squadrons, hits for modified rolls 2 to 12 as above.
# Above 20 squadrons: add the hits of row 20 and of the row for the squadrons left over, with the same dice.
NAVAL_ATTACK_AIR: list[tuple[int, list[int]]] = [
    (1, [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]),
    (2, [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3]),
    (3, [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]),
    (4, [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5]),
    (5, [2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6]),
    (6, [2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6]),
    (7, [2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7]),
    (8, [3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]),
    (9, [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]),
    (10, [3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]),
    (11, [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9]),
    (12, [4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]),
    (13, [5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10]),
    (14, [5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]),
    (15, [6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11]),
    (16, [6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11]),
    (17, [7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12]),
    (18, [7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12]),
    (19, [8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13]),
    (20, [8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]),
]

# Naval nationality modifier; a nation that is not listed has 0.
NATIONALITY: dict[str, int] = {
    "Japan": 3,
    "Germany": 2,
    "Britain": 2,
    "United States": 2,
    "Sweden": 2,
    "Australia": 2,
    "Italy": 1,
    "France": 1,
    "Russia": 0,
    "Greece": 0,
    "Rumania": 0,
    "Spain": 0,
    "Turkey": 0,
    "Dutch East Indies": 0,
}

# Each entry: who it is for, amount, and the same condition in keys ("kinds", "nations", "size", "states").
# A key that is absent sets no condition. Light carriers of nations not named here (France, Russia) have no entry.
# The last entry counts once for a unit to which both states apply.
NATIONALITY_MODIFIERS: list[tuple[str, int, dict[str, Any]]] = [
    ("battleships of five factors, any nation", 1, {"kinds": ["BB"], "size": 5}),
    ("submarines of Germany", 1, {"kinds": ["SUBMARINE"], "nations": ["Germany"]}),
    ("light carriers of Japan and the United States", -2, {"kinds": ["CVL"], "nations": ["Japan", "United States"]}),
    ("carriers (CV), any nation", -2, {"kinds": ["CV"]}),
    ("escort carriers, any nation", -2, {"kinds": ["CVE"]}),
    ("light carriers of Germany, Italy, Britain", -1, {"kinds": ["CVL"], "nations": ["Germany", "Italy", "Britain"]}),
    ("large carriers (CVB), any nation", -1, {"kinds": ["CVB"]}),
    ("units short of supply or of naval oil", -1, {"states": ["partial supply", "naval oil effect"]}),
]

# Limits of the parts of a search; rounds already fought give one die each without a limit.
SEARCH_LIMITS: dict[str, int] = {
    "land_squadrons_max": 3,
    "codebreaking_max": 1,
    "active_groups_max": 6,
    "distant_carrier_groups_max": 5,
    "undamaged_factors_for_active_group": 10,
}
