"""Second, independent transcription of the air and submarine tables, for comparison with the tables of the program.

Literal data only. The sources are rules 19.2 (as public copies give it), 22.94, 23.42, 23.441A and 23.7413.
"""

from typing import Any

Cell = tuple[int, int]

# Each row: air factors or squadrons, then (eliminated, aborted) for modified rolls 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.
# Rolls below 2 count as 2, rolls above 12 as 12. Above 20: row 20 and the row for the rest, added, with the same dice.
AIR_COMBAT: list[tuple[int, list[Cell]]] = [
    (1, [(0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (1, 3)]),
    (2, [(0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (1, 3), (2, 2)]),
    (3, [(1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (1, 3), (2, 2), (2, 3), (2, 4)]),
    (4, [(1, 1), (1, 1), (1, 2), (1, 2), (1, 3), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4)]),
    (5, [(1, 2), (1, 2), (1, 3), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4)]),
    (6, [(1, 2), (1, 3), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5)]),
    (7, [(1, 3), (1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6)]),
    (8, [(1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5)]),
    (9, [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6)]),
    (10, [(2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7)]),
    (11, [(2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6)]),
    (12, [(3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7)]),
    (13, [(3, 4), (3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8)]),
    (14, [(3, 5), (4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7)]),
    (15, [(4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8)]),
    (16, [(4, 5), (4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8), (7, 9)]),
    (17, [(4, 6), (5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8), (7, 9), (8, 8)]),
    (18, [(5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8), (7, 9), (8, 8), (8, 9)]),
    (19, [(5, 6), (5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8), (7, 9), (8, 8), (8, 9), (8, 10)]),
    (20, [(5, 7), (6, 6), (6, 7), (6, 8), (7, 7), (7, 8), (7, 9), (8, 8), (8, 9), (8, 10), (9, 9)]),
]

# Each row: air defense level, then (eliminated, aborted) for rolls 2 to 12. Above 10: row 10 and the row for the rest,
# added, with the same dice (and row 10 again while more than 10 are left).
AIR_DEFENSE: list[tuple[int, list[Cell]]] = [
    (1, [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1)]),
    (2, [(0, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1)]),
    (3, [(0, 1), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (2, 1), (2, 2)]),
    (4, [(1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3)]),
    (5, [(1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3)]),
    (6, [(1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2)]),
    (7, [(1, 1), (1, 2), (1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2), (3, 2)]),
    (8, [(1, 2), (1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2), (3, 2), (3, 3)]),
    (9, [(1, 2), (2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2), (3, 2), (3, 3), (3, 3)]),
    (10, [(2, 1), (2, 1), (2, 2), (2, 2), (2, 3), (2, 3), (3, 2), (3, 2), (3, 3), (3, 3), (3, 4)]),
]

# What makes up the air defense level, per one of each. Beach defenses, submarines, transports and ships sunk in port
# give nothing; damaged factors count; a part of ten factors counts as ten.
AIR_DEFENSE_LEVEL: dict[str, int] = {
    "naval factors for one level": 10,
    "naval factors of a CVE": 3,
    "air defense research result": 1,
    "flak factor": 1,
    "airbase counter": 1,
    "objective": 1,
    "anchor": 1,
    "city or port": 2,
    "fortification": 1,
    "fortress": 2,
    "five-factor battleship": 1,
    "CVB": 1,
}

# Air nationality modifier; a nation that is not listed is a minor country with 0.
AIR_NATIONALITY: dict[str, int] = {
    "Germany": 2,
    "Japan": 2,
    "United States": 2,
    "Britain": 2,
    "Finland": 2,
    "Sweden": 2,
    "Australia": 2,
    "Italy": 1,
    "Russia": 1,
    "France": 1,
}

# Each entry: who it is for, amount, and the same condition in keys; a key that is absent sets no condition.
# The last entry counts once for a unit to which both states apply.
AIR_NATIONALITY_MODIFIERS: list[tuple[str, int, dict[str, Any]]] = [
    ("elite naval air of Japan", 1, {"kind": "naval air", "nation": "Japan", "elite": True}),
    ("interceptors, any nation", 1, {"kind": "interceptor"}),
    ("naval air of Britain", -1, {"kind": "naval air", "nation": "Britain"}),
    ("air units under a winter effect of 8 or more", -1, {"winter": True}),
    ("air units in partial supply or under air oil effects", -1, {"impaired": True}),
]

# Surprise levels 0 to 7: combat air patrol keeps its bonus, change of the air defense level, bonus of the attack rolls,
# defending squadrons that do not engage, critical hit roll for a damaged named ship. Each level has all lesser effects,
# but of the squadrons kept out only the highest number; below 1 nothing happens, above 7 is as 7.
SURPRISE: list[tuple[int, bool, int, int, int, bool]] = [
    (0, True, 0, 0, 0, False),
    (1, False, 0, 0, 0, False),
    (2, False, -1, 0, 0, False),
    (3, False, -1, 1, 0, False),
    (4, False, -1, 1, 1, False),
    (5, False, -1, 1, 2, False),
    (6, False, -1, 1, 3, False),
    (7, False, -1, 1, 4, True),
]

# Modifiers of the surprise die: by search results against the group (three or more count alike); each radar result.
SURPRISE_SEARCH: list[tuple[int, int]] = [(1, 0), (2, 1), (3, 2), (4, 2)]
SURPRISE_RADAR = -1

# Modified roll, hits, submarine lost. Rolls below 2 count as 2, rolls above 10 as 10.
SUBMARINE_ATTACK: list[tuple[int, int, bool]] = [
    (2, 0, True),
    (3, 0, False),
    (4, 0, False),
    (5, 1, False),
    (6, 1, False),
    (7, 2, False),
    (8, 2, False),
    (9, 3, False),
    (10, 3, False),
]

# The submarine attack modifier: most for each line in italics, most overall, always for advanced submarines, and how
# many destroyers, ASW, or searching squadrons with carriers make one (parts are dropped).
SUBMARINE_LIMITS: dict[str, int] = {"italic": 2, "overall": 4, "advanced": 1, "units for one": 3}
