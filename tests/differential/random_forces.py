"""Random ships, light ships and squadrons for comparisons with a second resolver, in plain numbers and dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from flagplot.core.sides import Side
from flagplot.model import events as sea
from flagplot.model.ships import Ship
from tests.differential.reference_strike import Counts, without_zeros

Json = dict[str, Any]
NATIONS = {
    Side.AXIS: ("Japan", "Japan", "Germany", "Italy", "Rumania"),
    Side.ALLIES: ("United States", "United States", "Britain", "France", "Russia", "Australia", "Greece"),
}
BASES = {Side.AXIS: ("Kanoya", "Rabaul"), Side.ALLIES: ("Darwin", "Malta")}
SHIPS = (
    *(("BB", 5), ("BB", 5), ("BB", 4), ("BB", 3), ("BB", 2), ("BC", 3), ("BC", 2), ("PB", 2)),
    *(("CVB", 4), ("CV", 3), ("CV", 3), ("CVL", 2)),
)


def compared(compare: Callable[[int], Counter[str]], seeds: range) -> Counter[str]:
    """Compare many situations and count what they reached."""
    reached: Counter[str] = Counter()
    for seed in seeds:
        reached += compare(seed)
    return reached


def random_ships(random: Random, side: Side, number: int) -> list[Json]:
    """Named ships, some of them hit or damaged."""
    ships: list[Json] = []
    classes = SHIPS if random.random() < 0.7 else random.sample(SHIPS, 2)  # at times many are alike
    for place in range(number):
        kind, size = random.choice(classes)
        carrier = kind.startswith("CV")
        damaged = random.random() < 0.2
        ship = {
            "id": f"{kind}{size} {place}",
            "nation": random.choice(NATIONS[side]),
            "kind": kind,
            "size": size,
            "fast": carrier or random.random() < 0.6,
            "hits": random.choice([0, size - 1]) if damaged else random.randrange(0, size - 1),
            "damaged": damaged,
        }
        if carrier:
            ship["air"] = random.randrange(0, size + 1)
        ships.append(ship)
    return ships


def random_light(random: Random, side: Side) -> tuple[Counts, list[Json]]:
    """Light ships of one or two nations, and the cargo of those that are loaded."""
    nation, friend = random.sample(sorted(set(NATIONS[side])), 2)
    cargo: list[Json] = []
    counts = {
        f"{nation}/CA": random.choice([0, 0, 1, 2, 4]),
        f"{friend}/CA": random.choice([0, 0, 1, 2]),
        f"{nation}/CA/damaged": random.choice([0, 0, 1, 2]),
        f"{friend}/CA/damaged": random.choice([0, 0, 0, 1]),
        f"{nation}/DD": random.choice([0, 1, 2, 3, 6]),
        f"{friend}/DD": random.choice([0, 0, 2, 3]),
        f"{nation}/CVE": random.choice([0, 0, 1, 3]),
        f"{friend}/CVE": random.choice([0, 0, 0, 1]),
    }
    if random.random() < 0.3:
        needs = [random.randrange(1, 4) for _ in range(random.randrange(1, 3))]
        cargo += [
            {"name": f"cargo {n}", "needs": need, "by": "DD", "divisible": random.random() < 0.3}
            for n, need in enumerate(needs)
        ]
        counts[f"{nation}/DD/loaded"] = needs[0]
        counts[f"{friend}/DD/loaded"] = sum(needs[1:])
    if random.random() < 0.25:
        if random.random() < 0.5:
            counts[f"{nation}/TR/loaded"] = random.randrange(1, 4)
            cargo.append({"name": "oil", "needs": counts[f"{nation}/TR/loaded"], "by": "TR", "divisible": False})
        else:
            counts[f"{nation}/TR"] = random.randrange(1, 4)
    return without_zeros(counts), cargo


def random_squadrons(random: Random, side: Side, role: str, most: int) -> Counts:
    """Squadrons that may strike or cover: army air of several bases, naval air ashore, kamikazes in a strike."""
    nations = sorted(set(NATIONS[side]))
    kinds = [f"{kind}@{base}" for kind in (f"AAS/{role}", "NAS") for base in BASES[side]]
    keys = [f"{nation}/{kind}" for nation in random.sample(nations, 2) for kind in random.sample(kinds, 2)]
    if side is Side.AXIS and role == "attack":
        keys += [f"Japan/KAM@{base}" for base in random.sample(BASES[side], random.choice([0, 1, 1, 2]))]
    return {key: random.randrange(0, most + 1) for key in keys}


def carrier_air(random: Random, side: Side, most: int) -> Counts:
    """Naval air from carriers, Japan's partly elite."""
    counts = {f"{nation}/NAS": random.randrange(0, most + 1) for nation in random.sample(NATIONS[side], 2)}
    if "Japan/NAS" in counts or random.random() < 0.3:
        counts |= {"Japan/NAS/elite": random.randrange(0, most + 3)} if side is Side.AXIS else {}
    return counts


def ship_of(told: Json) -> Ship:
    """A named ship as the model has her."""
    wing = {f"{told['nation']}/NAS": told["air"]} if told.get("air") else {}
    fields = {key: told[key] for key in ("id", "nation", "kind", "size", "fast", "hits", "damaged")}
    return Ship(name=told["id"], wing=wing, **fields)


def stowing(log: list[Any]) -> list[Json]:
    """What became of cargo after each loss of light ships, as the events tell it."""
    told: list[Json] = []
    for event in log:
        if isinstance(event, sea.LightShipsHit):
            told.append({})
        elif isinstance(event, sea.CargoLost):
            told[-1].setdefault("lost", {}).update(event.lost)
        elif isinstance(event, sea.CargoStowed):
            told[-1].setdefault("loaded", {}).update(event.loaded)
            told[-1].setdefault("unloaded", {}).update(event.unloaded)
    return told


def merged(events: list[Any], name: str) -> Counts:
    """Counts of several events together."""
    total: Counter[str] = Counter()
    for event in events:
        total.update(getattr(event, name))
    return without_zeros(dict(total))
