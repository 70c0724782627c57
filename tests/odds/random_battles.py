"""Random naval battles that reach every corner of the guns and the submarines, for compiled battles against the procedures.

Everything is drawn from the number of the battle: forces, options, doctrines. Some have aircraft (air_battles.py).
"""

from __future__ import annotations

from random import Random

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.editions.current import ruleset
from flagplot.editions.options import OPTIONS
from flagplot.model.forces import Cargo, Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.model.state import RESEARCH
from flagplot.rules.table import Ruleset
from tests.odds.air_battles import random_air_battle

NATIONS = {
    Side.AXIS: ("Japan", "Germany", "Italy", "Siam"),
    Side.ALLIES: ("United States", "Britain", "Australia", "Russia", "Dutch East Indies"),
}
BATTLE_OPTIONS = (
    "damaged_ship_sinks_on",
    "evaded_engagement",
    "damaged_may_fire_late",
    "surplus_light_spread",
    "supply_battle_continued_by",
)
MISSIONS = ("patrol", "interception", "sea transport", "base change")
LIGHT_BATTLES = (9, 17)
PLACES = ("Home", "Harbour", "Pacific", "Elsewhere")


def random_battle(number: int) -> Setup:
    """A battle; every fourth has aircraft, in some carriers or a convoy are hunted, every tenth has many groups."""
    random = Random(f"battle {number}")
    if number % 4 == 3:
        return random_air_battle(number)
    most = 9 if number % 20 == 0 else random.choice([1, 2, 3, 4, 6])
    hunted = random.choice(list(Side)) if number % 10 in (5, 6) or number % 20 in LIGHT_BATTLES else None
    hunt = _light_hunt if number % 20 in LIGHT_BATTLES else _hunt
    if number % 20 == 10:
        hunt, hunted = _crowd, Side.AXIS
    elif number % 20 == 12:
        hunt, hunted = _mass, random.choice(list(Side))
    return Setup(
        public=Public(
            title=f"Battle {number}",
            theatre=random.choice(["Pacific", "Europe"]),
            interceptor=random.choice(list(Side)),
            round=random.choice([1, 1, 1, 2, 5]),
            order_of_battle=random.choice(["open", "hidden"]),
            names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
            tactical={side: random.choice([0, 0, 0, 1, 2]) for side in Side},
            search_advantage={side: random.choice([-3, -1, 0, 0, 1, 2]) for side in Side},
            aircraft=random.random() < 0.3,
            submarines=random.random() < 0.6 or number % 20 in LIGHT_BATTLES,
            western_front=random.random() < 0.5,
            air={side: _inputs(random) for side in Side},
        ),
        sides={
            side: hunt(random, side, hunted=side is hunted)
            if hunted
            else _secret(random, side, most, bound=0.15 if number % 7 == 0 else 0.0)
            for side in Side
        },
    )


def _mass(random: Random, side: Side, *, hunted: bool) -> Secret:
    """A great fleet in one group against a few ships, or those: the last rows of the Naval Attack Table."""
    nation = NATIONS[side][0]
    ships = []
    for n in range(random.randrange(1, 3) if hunted else random.randrange(5, 17)):
        ships.append(Ship(f"{side} {n}", f"{side} {n}", nation, "BB", 5 if not hunted else random.choice([3, 4, 5])))
    cruisers = random.randrange(0, 3) if hunted else random.randrange(0, 40)
    light = {key: number for key, number in {f"{nation}/CA": cruisers, f"{nation}/DD": cruisers // 2}.items() if number}
    return Secret(forces=(Force("Force", tuple(ships), light, base="Home"),))


def _crowd(random: Random, side: Side, *, hunted: bool) -> Secret:
    """As many groups as there may be, and two outside task forces that come late and find no room."""
    nation = NATIONS[side][0]
    forces: list[Force] = []
    for index in range(6):
        id = f"{side} {index}"
        light = {f"{nation}/DD": random.randrange(1, 3)}
        forces.append(Force(f"Force {index}", (Ship(id, id, nation, "BC", random.choice([1, 2])),), light, base="Home"))
    for index, arrives in enumerate((2, 3), start=6):
        light = {f"{nation}/CA": random.randrange(1, 3)}
        forces.append(Force(f"Force {index}", (), light, base="Home", task_force=False, arrives=arrives))
    if random.random() < 0.5:
        late = Ship(f"{side} late", "Late", nation, "BB", 3)
        forces.append(Force("Force 8", (late,), {}, base="Home", arrives=random.choice([2, 3, 4])))
    return Secret(forces=tuple(forces))


def _light_hunt(random: Random, side: Side, *, hunted: bool) -> Secret:
    """Cruisers and destroyers after a convoy with a weak escort, or that."""
    nation = NATIONS[side][0]
    if hunted:
        cruisers, destroyers, transports = random.randrange(0, 2), random.randrange(1, 4), random.randrange(0, 4)
        light = {f"{nation}/CA": cruisers, f"{nation}/DD": destroyers, f"{nation}/TR": transports}
    else:
        light = {f"{nation}/CA": random.randrange(2, 5), f"{nation}/DD": random.randrange(4, 9)}
    light = {key: number for key, number in light.items() if number}
    force = Force("Force", light=light, base="Home", supply=hunted and random.random() < 0.6)
    elsewhere = {"Elsewhere": {f"{nation}/DD": 2}} if hunted else {}
    submarines = {} if hunted else {f"{nation}/SUB": 3}
    return Secret(forces=(force,), submarines=submarines, destroyers_elsewhere=elsewhere)


def _hunt(random: Random, side: Side, *, hunted: bool) -> Secret:
    """Fast groups of guns after fast groups of carriers, or those."""
    carriers, nation = hunted, NATIONS[side][0]
    forces: list[Force] = []
    for index in range(random.choice([1, 2, 3]) if carriers else random.choice([3, 4, 5])):
        ships: list[Ship] = []
        for n in range(random.randrange(1, 3)):
            id, size = f"{side} {index}.{n}", 3
            wing = random.choice([{f"{nation}/NAS": size}, {f"{nation}/NAS": 1}, {}]) if carriers else {}
            damaged = random.random() < 0.1
            ships.append(Ship(id, id, nation, "CV" if carriers else "BC", size, wing=wing, damaged=damaged))
        light = {f"{nation}/DD": random.randrange(6, 9)} if carriers else {f"{nation}/CA": random.randrange(1, 5)}
        forces.append(Force(f"Force {index}", tuple(ships), light, base="Home"))
    return Secret(forces=tuple(forces))


def _inputs(random: Random) -> Air:
    return Air(
        research={project: random.randrange(1, 5) for project in RESEARCH if random.random() < 0.3},
        submarine_codebreaking=random.choice([0, 0, 1]),
        excess_asw={
            box: random.randrange(-2, 9) for box in ("Atlantic", "Pacific", "Indian Ocean") if random.random() < 0.4
        },
    )


def _secret(random: Random, side: Side, most: int, *, bound: float) -> Secret:
    nations = random.sample(NATIONS[side], random.choice([1, 1, 2, 3]))
    strength = random.choice([0.4, 1.0, 1.0, 1.6]) if most < 7 else random.choice([0.0, 0.5])
    cargo_battle = random.random() < 0.35
    forces = [
        _force(
            random, side, nations, index, strength, cargo_battle and index < 6, bound, loose=0.7 if most > 6 else 0.3
        )
        for index in range(most if most not in (3, 4, 6) else random.randrange(1 + most // 3, most + 1))
    ]
    submarines: dict[str, int] = {}
    for nation in nations[:2]:
        for key in (f"{nation}/SUB", f"{nation}/SUB/advanced"):
            if random.random() < 0.3:
                submarines[key] = random.randrange(1, 5)
    elsewhere = {
        place: {f"{nation}/DD": random.randrange(1, 4) for nation in nations if random.random() < 0.5}
        for place in PLACES
        if random.random() < 0.3
    }
    return Secret(
        forces=tuple(forces),
        impaired=tuple(nation for nation in nations if random.random() < 0.15),
        submarines=submarines,
        destroyers_elsewhere={place: counts for place, counts in elsewhere.items() if counts},
    )


def _force(
    random: Random,
    side: Side,
    nations: list[str],
    index: int,
    strength: float,
    laden: bool,
    bound: float,
    *,
    loose: float,
) -> Force:
    ships = [
        _ship(random, f"{side} {index}.{n}", random.choice(nations), bound)
        for n in range(int(random.choice([0, 0, 1, 2, 3, 5] if index < 4 else [0, 1, 2]) * strength + random.random()))
    ]
    light: dict[str, int] = {}
    keys = [f"{nation}/{kind}" for nation in nations for kind in ("CA", "DD", "DD")]
    keys += [f"{nation}/CVE" for nation in nations if random.random() < 0.25]
    random.shuffle(keys)
    for key in keys:
        if random.random() < 0.6:
            light[key] = 1 + int(random.randrange(0, 6) * strength)
        if key.endswith("CA") and random.random() < 0.1:
            light[key + "/damaged"] = random.randrange(1, 3)
    cargo = _cargo(random, nations, light, index) if laden and random.random() < 0.6 else ()
    supply = not cargo and index < 6 and random.random() < 0.15
    if supply and random.random() < 0.4:
        ships, light = [], {}
    if not ships and not light and not supply:
        light = {f"{nations[0]}/DD": 1}
    return Force(
        f"Force {index}",
        tuple(ships),
        light,
        cargo,
        supply=supply,
        task_force=random.random() >= loose,
        mission=random.choice(MISSIONS),
        base=random.choice(PLACES[:2]),
        arrives=random.choice([2, 3]) if index > 6 else random.choice([1, 1, 1, 1, 2, 3, 4]) if index else 1,
        unladen=random.random() < 0.1,
    )


def _ship(random: Random, id: str, nation: str, bound: float) -> Ship:
    kind = random.choice(["BB", "BB", "BB", "BC", "BC", "PB", "CV", "CVL", "CVB"])
    size = {"CV": 3, "CVL": random.choice([1, 2]), "CVB": 4, "PB": 1}.get(kind, random.choice([1, 2, 3, 4, 5]))
    damaged = random.random() < 0.12
    hits = random.randrange(0, size) if random.random() < 0.2 else 0
    if hits >= size - 1 > 0 and not damaged:
        hits = 0
    fast = kind not in ("BB",) or random.random() < 0.6
    return Ship(id, id, nation, kind, size, fast=fast, hits=hits, damaged=damaged, bound=random.random() < bound)


def _cargo(random: Random, nations: list[str], light: dict[str, int], index: int) -> tuple[Cargo, ...]:
    """Cargo for transports and destroyers, as much as they carry, or less; destroyers that carry it are loaded."""
    loads: list[Cargo] = []
    for by in ("TR", "DD"):
        if random.random() < 0.35:
            continue
        room = 0
        for nation in random.sample(nations, random.randrange(1, len(nations) + 1)):
            number = random.randrange(1, 5)
            key = f"{nation}/TR" if by == "TR" else f"{nation}/DD/loaded"
            light[key] = light.get(key, 0) + number
            room += number
        while room > 0:
            needs = random.randrange(1, min(room, 4) + 1)
            divisible = random.random() < 0.4
            loads.append(Cargo(f"load {index}.{len(loads)}", needs, by, divisible))
            room -= needs
            if random.random() < 0.3:
                break
    random.shuffle(loads)
    return tuple(loads)


def rules_and_doctrines(number: int) -> tuple[Ruleset, dict[Side, Doctrine]]:
    """The options and doctrines of a battle: the usual ones in every second."""
    if number % 20 == 10:
        return ruleset(), dict.fromkeys(Side, Doctrine(withdraw_percent=900, long_battle=20))
    if number % 2 == 0:
        return ruleset(), dict.fromkeys(Side, Doctrine())
    random = Random(f"options {number}")
    chosen = {name: random.choice(list(OPTIONS[name].values)) for name in BATTLE_OPTIONS}
    doctrines = {side: _doctrine(random) for side in Side}
    if number % 20 in LIGHT_BATTLES:
        doctrines = {side: Doctrine(withdraw_percent=900, light_fire_percent=150) for side in Side}
    elif number % 10 == 5:
        doctrines = {side: Doctrine(withdraw_percent=900, engage_percent=50) for side in Side}
    return ruleset(options=chosen), doctrines


def _doctrine(random: Random) -> Doctrine:
    return Doctrine(
        evade_percent=random.choice([0, 50, 50, 200]),
        engage_percent=random.choice([0, 80, 125]),
        withdraw_percent=random.choice([60, 200, 400]),
        withdraw_margin=random.choice([0, 6, 20]),
        long_battle=random.choice([3, 8]),
        last_round=random.choice([5, 24]),
        squadron_guns=random.choice([0, 2, 5]),
        hidden_guns=random.choice([1, 6, 15]),
        small_guns=random.choice([2, 4]),
        carrier_air=random.choice([1, 3]),
        screen_percent=random.choice([0, 20, 60, 100]),
        light_fire_percent=random.choice([0, 25, 60, 150]),
        patrol=random.choice([0, 2, 4]),
        carrier_worth=random.choice([0, 12]),
        cargo_worth=random.choice([0, 8, 20]),
    )
