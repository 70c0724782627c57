"""Random naval battles with aircraft in them, for the compiled segments of 22.43 to 22.46 against the procedures."""

from __future__ import annotations

from random import Random

from flagplot.core.sides import Side
from flagplot.model.forces import Cargo, Force
from flagplot.model.setup import Air, Public, Secret, Setup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import RESEARCH

NATIONS = {Side.AXIS: ("Japan", "Germany", "Italy"), Side.ALLIES: ("United States", "Britain", "Australia", "Russia")}
MOST_FACTORS = 25


def random_air_battle(seed: int) -> Setup:
    """A battle in which at least one side has aircraft: carriers, land-based air, or both."""
    random = Random(f"air {seed}")
    kamikazes = seed % 5 == 4  # many of them, and few light ships to catch them
    order = random.choice(["open", "hidden"])
    return Setup(
        public=Public(
            title=f"Air {seed}",
            theatre=random.choice(["Pacific", "Europe"]),
            interceptor=random.choice(list(Side)),
            order_of_battle=order,
            names={Side.AXIS: "Axis", Side.ALLIES: "Allies"},
            tactical={side: random.choice([0, 0, 0, 1, 2]) for side in Side},
            search_advantage={side: random.choice([-1, 0, 0, 1]) for side in Side},
            aircraft=True,
            submarines=True,
            air={side: _air(random, side, kamikazes=kamikazes) for side in Side},
        ),
        sides={side: _secret(random, side, bare=kamikazes) for side in Side},
    )


def _secret(random: Random, side: Side, *, bare: bool) -> Secret:
    nations = random.sample(NATIONS[side], random.choice([1, 1, 2, 3]))
    forces = [_force(random, side, nations, index, bare=bare) for index in range(random.randrange(1, 6))]
    impaired = tuple(nation for nation in nations if random.random() < 0.1)
    submarines = {f"{nations[0]}/SUB": random.randrange(1, 3)} if random.random() < 0.3 else {}
    return Secret(forces=tuple(forces), impaired=impaired, submarines=submarines)


def _force(random: Random, side: Side, nations: list[str], index: int, *, bare: bool) -> Force:
    with_carriers = random.random() < 0.6
    ships: list[Ship] = []
    room = random.randrange(4, MOST_FACTORS + 1)
    light = {f"{random.choice(nations)}/{kind}": random.randrange(1, 5) for kind in ("CA", "DD")}
    light |= {f"{random.choice(nations)}/CVE": random.randrange(1, 3)} if random.random() < 0.2 else {}
    light = {} if random.random() < (0.6 if bare else 0.12) and not with_carriers else light
    guns = sum(number * (2 if "/CA" in key else 1) for key, number in light.items() if "CVE" not in key)
    used = guns + sum(number for key, number in light.items() if "CVE" in key)
    carriers = 0
    for n in range(random.randrange(0 if light else 1, 6)):
        nation = random.choice(nations)
        kind = (
            random.choice(["CV", "CV", "CVL", "CVB"]) if with_carriers and n < 4 else random.choice(["BB", "BB", "BC"])
        )
        size = {"CV": 3, "CVL": random.choice([1, 2]), "CVB": random.choice([4, 5]), "BC": random.choice([2, 3])}.get(
            kind, random.choice([2, 3, 4, 5])
        )
        if used + size > room or (kind.startswith("CV") and carriers + size > guns):
            continue
        used += size
        carriers += size if kind.startswith("CV") else 0
        damaged = random.random() < 0.1
        hits = random.randrange(0, max(1, size - 1)) if random.random() < 0.1 and not damaged else 0
        id = f"{side} {index}.{n}"
        wing = _wing(random, nation, size, damaged=damaged) if kind.startswith("CV") else {}
        fast = kind != "BB" or random.random() < 0.6
        ships.append(Ship(id, id, nation, kind, size, fast=fast, hits=hits, damaged=damaged, wing=wing))
    cargo: tuple[Cargo, ...] = ()
    supply = False
    if random.random() < 0.15:
        light[f"{nations[0]}/TR"] = random.randrange(1, 4)
        cargo = (Cargo(f"troops {index}", random.randrange(1, light[f"{nations[0]}/TR"] + 1), "TR"),)
    elif random.random() < 0.06:
        supply = True
        if random.random() < 0.5:
            ships, light = [], {}
    if not ships and not light and not supply:
        light = {f"{nations[0]}/DD": 2}
    arrives = random.choice([1, 1, 1, 1, 2, 3]) if index and not supply else 1
    return Force(f"Force {index}", tuple(ships), light, cargo, supply=supply, base="Home", arrives=arrives)


def _wing(random: Random, nation: str, size: int, *, damaged: bool) -> dict[str, int]:
    air = 0 if damaged and random.random() < 0.4 else random.choice([size, size, size, random.randrange(0, size + 1)])
    elite = random.randrange(0, air + 1) if nation == "Japan" and random.random() < 0.5 else 0
    wing = [(f"{nation}/NAS/elite", elite), (f"{nation}/NAS", air - elite)]
    random.shuffle(wing)
    return {key: number for key, number in wing if number}


def _air(random: Random, side: Side, *, kamikazes: bool) -> Air:
    nations = random.sample(NATIONS[side], random.choice([1, 1, 2]))
    kamikazes = kamikazes and side is Side.AXIS
    number = 1 if kamikazes else random.choice([0, 1, 1, 2, 3])
    bases = tuple(_base(random, side, nations, index, kamikazes=kamikazes) for index in range(number))
    where = (*nations, *(base.name for base in bases))
    return Air(
        bases=bases,
        air_range=random.choice([0, 0, 0, 4]),
        impaired=tuple(name for name in where if random.random() < 0.1),
        winter=tuple(name for name in where if random.random() < 0.05),
        research={project: random.randrange(1, 4) for project in RESEARCH if random.random() < 0.3},
    )


def _base(random: Random, side: Side, nations: list[str], index: int, *, kamikazes: bool) -> AirBase:
    def some(*keys: str) -> dict[str, int]:
        chosen = [key for key in keys if random.random() < 0.35]
        random.shuffle(chosen)
        return {key: random.randrange(1, 4) for key in chosen}

    roles = [f"{nation}/AAS/{role}" for nation in nations for role in ("search", "cover", "attack")]
    naval = [f"{nation}/NAS" for nation in nations]
    japanese = ["Japan/KAM", "Japan/NAS/elite"] if "Japan" in nations else []
    squadrons = some(*roles, *naval, *japanese) | ({"Japan/KAM": 9} if kamikazes else {})
    return AirBase(
        random.choice(["Alpha", "Mike", "Zulu"]) + f" {side} {index}",
        random.choice([0, 1, 2, 3, 3, 4, 5, 6]),
        operational=random.random() < 0.9,
        capacity=random.choice([15, 6, 8, 10, 12, 40]),
        factors=some(*(f"{nation}/AAF" for nation in nations), f"{nations[0]}/JET", f"{nations[0]}/ATR"),
        squadrons=squadrons,
        inverted=some(naval[0]),
        inverted_factors=some(f"{nations[0]}/AAF") if random.random() < 0.3 else {},
    )
