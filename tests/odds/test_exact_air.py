"""Exact chances of aircraft and submarines: against every throw of the dice through the questions of whole steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.state import Fleet
from flagplot.odds.exact_air import Flying, Strike, air_combat_ways, strike_odds, surprise_ways
from flagplot.odds.exact_submarines import SubmarineAttacks, nearest_to_sinking, submarine_attack_odds

RULES = ruleset()
FACES = range(1, 7)
TOTALS = Counter(one + two for one, two in product(FACES, repeat=2))  # of two dice
Json = dict[str, Any]
JAPAN, AMERICA = "Japan/NAS", "United States/NAS"
MORE_DICE = re.compile(r"needs ([12]), 0 are left")


def chances(ways: Mapping[Any, int | Fraction]) -> dict[Any, Fraction]:
    whole = sum(ways.values())
    return {each: Fraction(number) / whole for each, number in sorted(ways.items()) if number}


def two(total: int) -> list[int]:
    first = min(6, total - 1)
    return [first, total - first]


def every_throw(name: str, wanted: Json) -> Iterator[tuple[Json, Fraction]]:
    """Ask a question on every throw of the dice it needs, and say how likely each is."""
    todo: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while todo:
        dice, chance = todo.pop()
        try:
            told = api.call(name, wanted, dice=dice)
        except PlayerError as refusal:
            needs = MORE_DICE.search(str(refusal))
            assert needs, f"{refusal} after {dice}"
            if needs[1] == "1":
                todo += [([*dice, face], chance / 6) for face in FACES]
            else:
                todo += [([*dice, *two(total)], chance * ways / 36) for total, ways in TOTALS.items()]
            continue
        assert told["dice_used"] == len(dice)
        yield told, chance


def ship(id: str, size: int, kind: str = "CV", **more: Any) -> Json:
    return {"id": id, "nation": "United States", "kind": kind, "size": size, **more}


def as_group(told: Json) -> CombatGroup:
    return api.shapes.GroupJson(**{**told, "ships": [api.shapes.ShipJson(**each) for each in told["ships"]]}).group()


def all_one(*several: Mapping[Any, Fraction]) -> bool:
    return all(sum(each.values()) == 1 for each in several)


# -- steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("results", "radar"), [(1, 0), (3, 0), (2, 4), (1, 9)])
def test_surprise_is_as_every_die_says(results: int, radar: int) -> None:
    counted = Counter(
        api.call("surprise_level", {"results": results, "radar": radar}, dice=[die])["level"] for die in FACES
    )
    assert surprise_ways(RULES, results, radar) == counted


@pytest.mark.parametrize(
    ("attackers", "patrol", "cover", "level"),
    [
        ({JAPAN: 4, "Japan/NAS/elite": 4}, {AMERICA: 3}, {}, 0),
        ({"Germany/AAS/attack@Catania": 2, "Italy/AAS/attack@Catania": 2}, {}, {"Britain/AAS/cover@Malta": 2}, 0),
        ({JAPAN: 2}, {AMERICA: 5}, {"United States/AAS/cover@Guam": 3}, 0),
        ({JAPAN: 3}, {AMERICA: 2}, {}, 4),
    ],
)
def test_air_combat_is_as_every_throw_says(attackers: Json, patrol: Json, cover: Json, level: int) -> None:
    counted: Counter[Flying] = Counter()
    wanted = {"attackers": attackers, "patrol": patrol, "cover": cover, "surprise_level": level}
    for told, chance in every_throw("air_combat", wanted):
        left = {key: number for key, number in told["attackers_remaining"].items() if number}
        lost, home = sum(told["attackers_eliminated"].values()), sum(told["attackers_aborted"].values())
        after = Flying(level, tuple(sorted(left.items())), lost, home, sum(told["defenders_lost"].values()))
        counted[after] += chance  # type: ignore[assignment]
    strike = Strike(attackers, CombatGroup(1, light={"/DD": 1}, patrol=patrol, cover=cover))
    assert chances(air_combat_ways(RULES, strike, Flying(level, tuple(sorted(attackers.items()))))) == chances(counted)


# -- a whole strike -----------------------------------------------------------------------------------

ENTERPRISE, ATLANTA = ship("enterprise", 3), {"United States/CA": 1, "United States/DD": 3}
STRIKES: list[Json] = [
    # air defense, then bombs on a carrier that has a hit
    {"attackers": {JAPAN: 3}, "target": {"ships": [ship("enterprise", 3, hits=1)], "light": ATLANTA}},
    # surprise, radar, air defense research; a level may bring a critical hit
    {
        "attackers": {"Japan/NAS/elite": 2},
        "target": {"ships": [ENTERPRISE], "light": {}, "found": 3},
        "surprise": True,
        "research": {"radar": 1, "air defense": 1},
    },
    # a patrol: air combat, air defense, bombs
    {"attackers": {JAPAN: 2}, "target": {"ships": [], "light": ATLANTA, "patrol": {AMERICA: 1}}},
    # kamikazes fall where the die says
    {
        "attackers": {"Japan/AAS/attack@Kanoya": 1, "Japan/KAM@Kanoya": 1},
        "target": {"ships": [ENTERPRISE], "light": {"United States/DD": 2}},
    },
    # and first on the larger carrier, wherever she is listed
    {"attackers": {"Japan/KAM@Kanoya": 1}, "target": {"ships": [ship("wasp", 2, "CVL"), ENTERPRISE], "light": {}}},
]


@pytest.mark.parametrize("wanted", STRIKES)
def test_a_whole_strike_is_as_every_throw_says(wanted: Json) -> None:
    target = wanted["target"]
    afloat = {each["id"]: each for each in target["ships"]}
    fates: dict[str, Counter[str]] = {id: Counter() for id in afloat}
    lost: Counter[int] = Counter()
    through: Counter[int] = Counter()
    factors: Counter[int] = Counter()
    critical: Counter[str] = Counter()
    for told, chance in every_throw("air_strike", wanted):
        sunk = 0
        for id, each in afloat.items():
            fate = told["ships"].get(id) or ("hit" if each.get("hits") else "sound")
            fates[id][fate] += chance  # type: ignore[assignment]
            sunk += each["size"] if fate == "sunk" else 0
        sunk += sum((2 if "/CA" in key else 1) * n for losses in told["light"] for key, n in losses["sunk"].items())
        gone = sum(sum(each["lost"].values()) + sum(each["aborted"].values()) for each in told["lost"])
        lost[sum(sum(each["lost"].values()) for each in told["lost"])] += chance  # type: ignore[assignment]
        through[sum(wanted["attackers"].values()) - gone] += chance  # type: ignore[assignment]
        factors[sunk] += chance  # type: ignore[assignment]
        for each in told["critical_hits"]:
            critical[each["ship"]] += chance  # type: ignore[assignment]
    group = as_group({"found": 1, **target})
    found = strike_odds(
        RULES,
        Strike(
            wanted["attackers"],
            group,
            wanted.get("surprise", False),
            defender=Fleet(research=wanted.get("research", {})),
        ),
    )
    assert {id: chances(of) for id, of in found.ships.items()} == {id: chances(of) for id, of in fates.items()}
    assert found.lost == chances(lost)
    assert found.through == chances(through)
    assert found.factors_sunk == chances(factors)
    assert found.critical == dict(critical)
    assert all_one(found.levels, found.aborted, found.defenders_lost, found.exchange, *found.hits.values())
    assert not group.light or all_one(found.light)


def test_a_critical_hit_is_rolled_for_in_one_of_the_strikes_above() -> None:
    wanted = STRIKES[1]
    strike = Strike(wanted["attackers"], as_group(wanted["target"]), True, defender=Fleet(research=wanted["research"]))
    assert strike_odds(RULES, strike).critical["enterprise"] > 0


def test_what_is_attacked_is_the_callers_choice() -> None:
    group = as_group({"ships": [ENTERPRISE, ship("hornet", 3)], "light": {}})
    spread = Strike({JAPAN: 4}, group, aim=lambda _, squadrons: {"hornet": squadrons})
    found = strike_odds(RULES, spread)
    assert found.ships["enterprise"] == {"sound": 1} and found.ships["hornet"]["sunk"] > 0
    assert list(found.hits) == ["hornet"]


# -- submarines -----------------------------------------------------------------------------------------

SEA = {"research": {"torpedo": 1}, "searching": 3}
SUBMARINES: list[Json] = [
    {"submarines": {"Japan/SUB": 1}, "target": {"ships": [ship("enterprise", 3, hits=1)], "light": ATLANTA}},
    {
        "submarines": {"Japan/SUB": 2},
        "target": {"ships": [ship("wasp", 2, "CVL"), ship("iowa", 5, "BB")], "light": {}},
        "attacker": SEA,
    },
    {
        "submarines": {"Germany/SUB/advanced": 3},
        "target": {
            "ships": [],
            "light": {"United States/DD/loaded": 2, "United States/DD": 1},
            "cargo": [{"name": "army", "needs": 2}],
        },
    },
    {"submarines": {"Japan/SUB": 2}, "target": {"ships": [], "light": {"United States/DD": 1}, "supply": True}},
]


@pytest.mark.parametrize("wanted", SUBMARINES)
def test_submarine_attacks_are_as_every_throw_says(wanted: Json) -> None:
    target = wanted["target"]
    afloat = {each["id"]: each for each in target["ships"]}
    fates: dict[str, Counter[str]] = {id: Counter() for id in afloat}
    exchange: Counter[tuple[int, int]] = Counter()
    cut = Fraction(0)
    for told, chance in every_throw("submarine_attack", wanted):
        sunk = 0
        for id, each in afloat.items():
            fate = told["ships"].get(id) or ("hit" if each.get("hits") else "sound")
            fates[id][fate] += chance  # type: ignore[assignment]
            sunk += each["size"] if fate == "sunk" else 0
        sunk += sum((2 if "/CA" in key else 1) * n for losses in told["light"] for key, n in losses["sunk"].items())
        exchange[sum(each["submarine_lost"] for each in told["attacks"]), sunk] += chance  # type: ignore[assignment]
        cut += chance * told["supply_line_cut"]
    sea = wanted.get("attacker", {})
    attacker = Fleet(research=sea.get("research", {}), searching=sea.get("searching", 0))
    keys = tuple(key for key, number in wanted["submarines"].items() for _ in range(number))
    cargo = [api.shapes.Cargo(**each) for each in target.get("cargo", ())]
    group = as_group({**target, "cargo": cargo})
    found = submarine_attack_odds(RULES, SubmarineAttacks(keys, group, attacker))
    assert {id: chances(of) for id, of in found.ships.items()} == {id: chances(of) for id, of in fates.items()}
    assert found.exchange == chances(exchange)
    assert found.supply_line_cut == cut
    assert all_one(found.submarines_lost, found.factors_sunk, found.light)


def test_the_admiral_aims_at_the_ship_nearest_to_sinking() -> None:
    group = as_group({"ships": [ship("a", 5, "BB"), ship("b", 3, "BB", damaged=True, hits=2)], "light": {}})
    told = [
        submarine_attack_odds(RULES, SubmarineAttacks(("Japan/SUB",), group, target=choice)).ships
        for choice in (nearest_to_sinking, lambda ships: ships[0])
    ]
    assert told[0]["a"] == {"sound": 1} and told[1]["b"] == {"damaged": 1}
