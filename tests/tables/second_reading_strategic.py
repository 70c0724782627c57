"""Second, independent transcription of the strategic tables, for comparison with the tables of the program.

Literal data only. The sources are rules 24.2 to 24.6, 25.13, 25.31, 25.32, 25.6 and 26, and the charts of 2008 for raiders,
air range, carriers and repairs; what is blurred there is restored as SR-47 to SR-50 say.
"""

from typing import Any

# SW Combat Table (24.62): rows of 1 to 30 SW factors, columns of rolls 2 to 12; a plain 0 stands for 0/0.
SW_COMBAT = """
0 0 0 0 0 0 0 0/1 0/1 0/2 1/1
0 0 0 0 0/1 0/1 0/1 0/2 0/2 1/1 1/2
0 0 0/1 0/1 0/2 0/2 0/2 1/1 1/1 1/2 1/3
0 0/1 0/2 0/2 1/1 1/1 1/1 1/2 1/2 1/3 1/4
0/1 0/2 1/1 1/1 1/2 1/2 1/2 1/3 1/3 1/4 1/5
0/2 1/1 1/2 1/2 1/3 1/3 1/3 1/4 1/4 1/5 1/6
1/1 1/2 1/3 1/3 1/4 1/4 1/4 1/5 1/5 1/6 2/5
1/2 1/3 1/4 1/4 1/5 1/5 1/5 1/6 1/6 2/5 2/6
1/3 1/4 1/5 1/5 1/6 1/6 1/6 2/5 2/5 2/6 2/7
1/4 1/5 1/6 1/6 2/5 2/5 2/5 2/6 2/6 2/7 2/8
1/5 1/6 2/5 2/5 2/6 2/6 2/6 2/7 2/7 2/8 3/7
1/6 2/5 2/6 2/6 2/7 2/7 2/7 2/8 2/8 3/7 3/8
2/5 2/6 2/7 2/7 2/8 2/8 2/8 3/7 3/7 3/8 3/9
2/6 2/7 2/8 2/8 3/7 3/7 3/7 3/8 3/8 3/9 4/8
2/7 2/8 3/7 3/7 3/8 3/8 3/8 3/9 3/9 4/8 4/9
2/8 3/7 3/8 3/8 3/9 3/9 3/9 4/8 4/8 4/9 4/10
3/7 3/8 3/9 3/9 4/8 4/8 4/8 4/9 4/9 4/10 5/9
3/8 3/9 4/8 4/8 4/9 4/9 4/9 4/10 4/10 5/9 5/10
3/9 4/8 4/9 4/9 4/10 4/10 4/10 5/9 5/9 5/10 5/11
4/8 4/9 4/10 4/10 5/9 5/9 5/9 5/10 5/10 5/11 6/10
4/9 4/10 5/9 5/9 5/10 5/10 5/10 5/11 5/11 6/10 6/11
4/10 5/9 5/10 5/10 5/11 5/11 5/11 6/10 6/10 6/11 6/12
5/9 5/10 5/11 5/11 6/10 6/10 6/10 6/11 6/11 6/12 7/11
5/10 5/11 6/10 6/10 6/11 6/11 6/11 6/12 6/12 7/11 7/12
5/11 6/10 6/11 6/11 6/12 6/12 6/12 7/11 7/11 7/12 7/13
6/10 6/11 6/12 6/12 7/11 7/11 7/11 7/12 7/12 7/13 8/12
6/11 6/12 7/11 7/11 7/12 7/12 7/12 7/13 7/13 8/12 8/13
6/12 7/11 7/12 7/12 7/13 7/13 7/13 8/12 8/12 8/13 8/14
7/11 7/12 7/13 7/13 8/12 8/12 8/12 8/13 8/13 8/14 9/13
7/12 7/13 8/12 8/12 8/13 8/13 8/13 8/14 8/14 9/13 9/14
"""

# Air Range Effects Table: results; bombers and interceptors in Europe; the same in the Pacific; SW and raiders.
AIR_RANGE = [(0, 4, 4, 3, 3, 0), (1, 8, 4, 6, 3, 1), (2, 16, 8, 12, 6, 2), (3, 24, 12, 18, 9, 3)]
ARMY_AIR_RANGE = {"Europe": 4, "Pacific": 3}  # 26.422
EXCESS_RANGE = {"Europe": 8, "Pacific": 4}  # hexes for one

# Carrier Effects Table: from so many CVEs; Atlantic: submarine warfare, raiders; elsewhere: the same.
CARRIER_EFFECTS = [
    (0, 0, 0, 0, 0),
    (3, 0, 0, -1, 1),
    (6, -1, 1, -2, 2),
    (9, -1, 1, -3, 3),
    (12, -2, 2, -4, 4),
    (15, -2, 2, -4, 4),
    (18, -3, 3, -4, 4),
    (21, -3, 3, -4, 4),
    (24, -4, 4, -4, 4),
]

# Repair and construction: turns and points of repair (None: never damaged), turns and points of a new one. At once: 0.
REPAIR: dict[str, tuple[tuple[int, int] | None, tuple[int, int]]] = {
    "transport": ((0, 0), (0, 1)),
    "submarine": (None, (0, 1)),
    "ASW": (None, (0, 1)),
    "destroyer": (None, (1, 1)),
    "CVE": (None, (1, 1)),
    "cruiser": ((1, 0), (2, 2)),
    "2-factor": ((2, 1), (4, 2)),
    "3-factor": ((2, 1), (8, 3)),
    "4-factor": ((2, 1), (12, 4)),
    "5-factor": ((2, 1), (16, 5)),
}
REPAIR_FACTORS = dict.fromkeys(("transport", "submarine", "ASW", "destroyer", "CVE"), 1)
REPAIR_FACTORS |= {"cruiser": 2, "2-factor": 2, "3-factor": 3, "4-factor": 4, "5-factor": 5}
RAISING = {"shipbuilding": 1, "BRPs": 3}
ACCELERATED_FROM = 3
CVE_BUILDERS = ["United States"]

# Submarine limits (25.13): from which turn on a limit holds, as (year, season counted from Spring = 0), limit.
GERMAN_ATLANTIC = [
    ((1939, 2), 1),
    ((1939, 3), 2),
    ((1940, 2), 3),
    ((1941, 0), 4),
    ((1941, 2), 5),
    ((1942, 0), 6),
    ((1942, 2), 7),
    ((1942, 3), 8),
]
GERMAN_RISE = 1  # each turn thereafter
GERMAN_INDIAN_OCEAN = [((1939, 2), 1), ((1942, 0), 2), ((1943, 0), 3), ((1944, 0), 4), ((1945, 0), 5), ((1946, 0), 6)]
JAPANESE = [((1939, 2), 1), ((1943, 0), 2), ((1944, 0), 3), ((1945, 0), 4), ((1946, 0), 5)]
AMERICAN = [((1939, 2), 1), ((1943, 0), 2), ((1943, 2), 3), ((1944, 0), 4), ((1944, 2), 5), ((1945, 0), 6)]

# SW Combat Modifiers, submarine warfare: box, whose submarines, ports of which one is enough, amount, rule.
PORTS = [
    ("Atlantic", "Germany", ("Brest", "Lorient", "St. Nazaire", "La Rochelle"), 2, "25.723"),
    ("Atlantic", "Germany", ("La Coruna", "Vigo", "Lisbon", "Cadiz"), 1, "25.723"),
    ("Atlantic", "Germany", ("Gibraltar",), 1, "25.723"),
    ("Indian Ocean", "Japan", ("Colombo",), 1, "25.811"),
    # the last two stand for any port of the Hawaiian Islands
    ("Pacific", "Japan", ("Townsville", "Noumea", "Suva", "Pearl Harbor", "Hawaiian Islands"), 1, "25.92A"),
    ("Pacific", "United States", ("Manila",), 2, "25.92B"),
]
SUBMARINE_MODIFIERS = {
    "Germany and the U.S. at war": 1,
    "first turn of that war": 2,
    "second turn of that war": 1,
    "Ireland": 1,
    "diplomatic result for Ireland": 7,
    "codebreaking": 1,
}

# Raider Table.
RAIDERS = {
    "automatic": -3,
    "each group before": 1,
    "three ships": 1,
    "each air range result": 1,
    "U.S. at war": 1,
    "from Singapore": 1,
    "codebreaking": 1,
}
HUNTERS: dict[int, tuple[str, ...]] = {
    1: ("cruiser",),
    2: ("cruiser", "2-factor battlecruiser"),
    3: ("3-factor battleship", "3-factor battlecruiser"),
    4: ("4-factor battleship",),
    5: ("5-factor battleship", "fast carrier"),
    6: ("any",),
}
# The newer list (SR-43), in which a lower type replaces one that is lacking and the first has a die as well.
NEWER_HUNTERS = HUNTERS | {1: ("destroyer",), 5: ("5-factor battleship",), 6: ("fast carrier",)}

# Force pools at the start (24.31): built, allowable builds.
POOLS: dict[str, dict[str, tuple[int, int]]] = {
    "Germany": {"submarine": (1, 1)},
    "Italy": {"submarine": (1, 1)},
    "Japan": {"submarine": (1, 1), "transport": (20, 0)},
    "Britain": {"submarine": (1, 1), "ASW": (1, 1), "strategic bomber": (1, 0)},
    "United States": {"submarine": (1, 1), "ASW": (1, 1), "strategic bomber": (1, 0)},
    "Western Allies": {"transport": (35, 5)},
    "France": {},
    "Russia": {},
    "China": {},
}
# What may be built (24.41): freely, with research, rule.
_WESTERN = ("submarine", "ASW", "strategic bomber", "interceptor", "transport")
BUILT: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "Germany": (("submarine", "interceptor"), ("advanced submarine", "strategic bomber"), "24.41A"),
    "Italy": (("submarine",), (), "24.41B"),
    "Japan": (("submarine", "ASW", "interceptor", "transport"), ("strategic bomber",), "24.41C"),
    "Britain": (_WESTERN, (), "24.41D"),
    "United States": (_WESTERN, (), "24.41E"),
    "France": ((), (), "24.41F"),
    "Russia": (("interceptor",), ("strategic bomber",), "24.41G"),
    "China": ((), (), "24.41H"),
}
# Years in which production may begin (24.21).
PRODUCTION = 1940
PACIFIC_BOMBERS = 1944
WESTERN_ALLIED_PRODUCTION = {"ASW": (1941, "24.21B"), "transport": (1941, "24.21B"), "submarine": (1942, "24.21C")}
JAPANESE_PRODUCTION = {"submarine": (1942, "24.21C"), "ASW": (1943, "24.21D")}
SW_COSTS = {"BRPs": 3, "shipbuilding": 1}  # a factor (SR-50)
SHIPBUILDING = ("submarine", "advanced submarine", "ASW", "transport")
BOMBERS_AT_THE_START = ("Britain", "United States")

# Bases of the units of a box (25.31): rule, fronts, countries, places, whether for submarines only.
BASES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("Western Allies", "Atlantic"): ("25.31A", ("western",), (), ("Atlantic U.S. box", "South Africa box"), False),
    ("Germany", "Atlantic"): ("25.31A", ("western", "Mediterranean"), (), (), True),
    ("Western Allies", "Pacific"): (
        "25.31B",
        (),
        (),
        ("Pearl Harbor", "Tahiti", "Pacific U.S. box", "Australia box"),
        False,
    ),
    ("Japan", "Pacific"): ("25.31B", (), ("Japan",), ("Truk",), False),
    ("Western Allies", "Indian Ocean"): (
        "25.31C",
        (),
        (),
        ("Suez", "Basra", "Abadan", "Colombo", "Madras", "South Africa box", "Australia box", "India box"),
        False,
    ),
    ("Germany", "Indian Ocean"): ("25.31C", ("Mediterranean",), (), (), True),
    ("Japan", "Indian Ocean"): ("25.31C", (), ("Japan",), ("Singapore",), True),
}
USAT = [(25, 1), (35, 2)]  # level, ASW factors the U.S. may have in the Atlantic box
USJT = 40
PAST_GIBRALTAR = 1  # factor a turn (25.15)

# Strategic bombing, flying bombs and rockets: each number with its rule.
BOMBING: dict[str, int] = {
    "per_flak_factor": 1,  # 26.461A
    "per_airbase": 1,
    "per_objective": 1,
    "per_anchor": 1,
    "per_city_or_port": 2,
    "fortification": 1,
    "fortress": 2,
    "box": 3,  # 26.462
    "army_air_to_a_bomber": 3,  # 26.13
    "jet_strength": 3,  # 26.452
    "most_japanese_army_air": 10,  # 26.52
    "per_first_number": 3,  # 26.463
    "per_second_number": 1,
    "per_additional_loss": 3,  # 24.65
    "brps_to_a_construction_point": 3,  # 26.71B
    "damage_to_a_marker": 10,  # 26.72A
    "plant_destroyed_by": 2,  # 26.73
    "firestorm": 25,  # 26.91
    "vladivostok_and_irkutsk": 20,  # 26.71A
    "flying_bomb_salvo": 10,  # 26.651
    "rocket_salvo": 5,
    "per_defender": 1,  # 26.661B
    "per_defending_jet": 4,
    "base_eliminated_by": 10,  # 26.62B
    "atomic_rocket_result": 12,  # 26.67
    "us_box_results": 3,  # 26.31
}
BOMBING_LISTS: dict[str, Any] = {
    "atomic_rocket_range": {"Europe": 3, "Pacific": 2},  # 26.67
    "bases_by_result": {9: 2, 10: 4, 11: 6, 12: 6},  # 26.63B
    "production_from": {"Europe": 1940, "Pacific": 1944},  # 26.23B
    "box_values": {"Australia box": 10, "India box": 10},  # 26.71A
    "fronts": {  # of the two maps (26.21)
        "Europe": ("western", "Mediterranean", "eastern"),
        "Pacific": ("Pacific", "Southeast Asian", "Asian"),
    },
    "targets": {  # 26.31
        "Italy": ("Rome", "Milan", "Genoa"),
        "Britain": ("London", "Birmingham", "Manchester", "India box", "Australia box"),
        "Russia": ("Vladivostok", "Irkutsk", "Urals box"),
        "United States": ("Atlantic U.S. box", "Pacific U.S. box"),
        "China": ("Chungking", "Nanking", "Canton", "Shanghai", "Peking"),
        "Japan": ("Tokyo", "Osaka", "Kagoshima"),
    },
    "box_cover": {  # box, whose bombers: the front whose interceptors may defend it (26.462)
        ("Atlantic U.S. box", "Germany"): "western",
        ("Pacific U.S. box", "Germany"): "western",
        ("Atlantic U.S. box", "Japan"): "Pacific",
        ("Pacific U.S. box", "Japan"): "Pacific",
        ("Australia box", "Japan"): "Pacific",
        ("India box", "Japan"): "Southeast Asian",
        ("Urals box", "Germany"): "eastern",
        ("Urals box", "Japan"): "Asian",
    },
}
