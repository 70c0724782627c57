"""Odds against a second reckoning that was written from the text of the rules alone (by_the_text.py)."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt
from random import Random

import pytest
from msgspec.structs import replace

from flagplot import api
from flagplot.api.battle_odds import odds, two_doctrines, world_of_setup
from flagplot.doctrine.doctrine import checked
from flagplot.odds.sampling import PROCEDURES
from flagplot.scenarios.loader import parse_scenario
from tests.odds.by_the_text import Duellist, Named, State, struck, volley

LIGHT = (
    *("Japan/CA", "Japan/CA/damaged", "Japan/DD", "Japan/DD/loaded", "Japan/CVE", "Japan/TR/loaded", "Italy/CA"),
    *("Italy/CA/damaged", "Italy/DD", "United States/CA", "United States/DD", "Britain/DD/loaded", "Britain/TR"),
)


@pytest.mark.ledger("20.522", "20.532", "22.55T.34")
@pytest.mark.parametrize("seed", range(60))
def test_a_volley_is_as_the_text_has_it(seed: int) -> None:
    """Damaged ships, hits already taken, light ships of several nations, more factors than the table has rows."""
    random = Random(seed)
    ships = {}
    for index in range(random.randint(0, 3)):
        size = random.randint(2, 5)
        before = random.randint(0, size - 1)
        ships[f"S{index}"] = Named(size, before, before == size - 1 or not random.randrange(4))
    kinds = random.sample(LIGHT, random.randint(0 if ships else 1, 5))
    light = {key: random.randint(1, 4) for key in kinds}
    targets = [*ships, *(["light"] if light else [])]
    fires = []
    for _ in range(random.randint(1, 3)):
        air = not random.randrange(3)
        fires.append((random.randint(1, 26 if air else 75), random.randint(-4, 5), random.choice(targets), air))
    told = api.call(
        "volley_odds",
        {
            "fires": [dict(zip(("factors", "modifier", "target", "air"), fire, strict=True)) for fire in fires],
            "ships": [
                {"id": id, "nation": "Italy", "size": ship.size, "hits": ship.hits, "damaged": ship.damaged}
                for id, ship in ships.items()
            ],
            "light": light,
        },
    )
    whole = 36 ** len(fires)
    fates: Counter[tuple[str, str]] = Counter()
    left: Counter[tuple[tuple[str, int], ...]] = Counter()
    for (named, counts), ways in volley(fires, ships, light).items():
        left[tuple(sorted(counts))] += ways
        for id, ship in named:
            fates[id, ship.fate] += ways
    for id, words in told["ships"].items():
        for word, chance in words.items():
            assert Fraction(chance["exact"]) == Fraction(fates[id, word], whole), (id, word)
    for outcome in told.get("light", {}).get("outcomes", ()):
        afloat = tuple(sorted((key, number) for key, number in outcome["afloat"].items() if number))
        assert Fraction(outcome["exact"]) == Fraction(left[afloat], whole), afloat


# -- a whole battle of two carriers --------------------------------------------------------------------------

BATTLE = """
format = 1
title = "Two carriers"
summary = "Nobody else is there."
theatre = "Pacific"
interceptor = "axis"
order_of_battle = "hidden"
[axis]
name = "Japan"
nation = "Japan"
[[axis.base]]
name = "Truk"
distance = 8
[[axis.force]]
name = "One"
mission = "interception"
base = "Truk"
number = 1
destroyers = 3
ships = [{ name = "Akagi", elite = 3 }]
[allies]
name = "United States"
nation = "United States"
[allies.research]
radar = 1
[[allies.base]]
name = "Pearl Harbor"
distance = 8
[[allies.force]]
name = "Two"
mission = "patrol"
base = "Pearl Harbor"
number = 1
destroyers = 3
ships = ["Enterprise"]
"""
LAST = 24  # both sides go home after this round
BATTLES = 300
SURE = 3.5  # standard errors: one comparison in two thousand is farther off by chance


Aloft = tuple[int, int, Named]  # squadrons that may strike, those on patrol, and their carrier
strike = cache(struck)


def search(dice: int) -> dict[tuple[int, int, bool], float]:
    """Results of both sides, three being as good as more, and whether the first has as many as the second."""
    found: dict[tuple[int, int, bool], float] = defaultdict(float)
    for one, two in product(range(dice + 1), repeat=2):
        ways = comb(dice, one) * 5 ** (dice - one) * comb(dice, two) * 5 ** (dice - two)
        found[min(one, 3), min(two, 3), one >= two] += ways / 36**dice
    return found


def strikes(
    sides: tuple[Duellist, Duellist], begun: tuple[Aloft, Aloft], results: tuple[int, int], order: tuple[int, int]
) -> dict[tuple[Aloft, Aloft], float]:
    """22.461. Both sides' strikes in their order. Who is found and has found nobody is surprised; squadrons of a carrier that
    was hit before they flew do not fly (AN-37)."""
    states = {begun: 1.0}
    for at in order:
        after: dict[tuple[Aloft, Aloft], float] = defaultdict(float)
        for state, chance in states.items():
            (flying, patrol, own), (aboard, cover, enemy) = state[at], state[1 - at]
            if not results[at] or not flying or own.damaged or own.sunk or enemy.sunk:
                after[state] += chance
                continue
            came = strike(sides[at], sides[1 - at], flying, cover, enemy, results[at], not results[1 - at])
            for (home, covering, hurt), ways in came.items():
                mine, theirs = (home, patrol, own), (aboard, covering, hurt)
                after[(theirs, mine) if at else (mine, theirs)] += chance * ways / came.total()
        states = after
    return states


def carrier_battle(axis: Duellist, allies: Duellist) -> tuple[dict[str, float], dict[int, float]]:
    """22.4 to 22.7 for one carrier a side under number 1: who wins, and in which round. A die is thrown for each round
    before; more results strike first, the axis (which intercepts) if they are equal."""
    victor: dict[str, float] = defaultdict(float)
    rounds: dict[int, float] = defaultdict(float)
    states: dict[State, float] = {(3, Named(3), 3, Named(3)): 1.0}
    for number in range(1, LAST + 1):
        after: dict[State, float] = defaultdict(float)
        for (mine, ship, theirs, other), chance in states.items():
            one, two = min(axis.patrol, -(-mine // 3)), min(allies.patrol, -(-theirs // 3))
            begun = ((mine - one, one, ship), (theirs - two, two, other))
            for (*results, axis_first), share in search(number - 1).items():
                order = (0, 1) if axis_first else (1, 0)
                came = strikes((axis, allies), begun, (results[0], results[1]), order)
                for ((a, b, own), (c, d, enemy)), part in came.items():
                    after[a + b, own, c + d, enemy] += chance * share * part
        states = {}
        for state, chance in after.items():
            lost = [carrier.damaged or carrier.sunk for carrier in (state[1], state[3])]
            if any(lost) or number == LAST:
                victor["nobody" if lost[0] == lost[1] else "allies" if lost[0] else "axis"] += chance
                rounds[number] += chance
            else:
                states[state] = chance
    return victor, rounds


@pytest.mark.ledger("22.461B", "23.7411B", "23.7412", "23.415D")
@pytest.mark.parametrize("patrol", [0, 1])
def test_a_battle_of_two_carriers_is_as_the_text_has_it(patrol: int) -> None:
    """Search, surprise, patrol, air defense, bombs and the end of the battle, round after round: Akagi with elite squadrons
    (Air Nationality DRM 3, Naval 3 less 2) and Enterprise (2, and 2 less 2) with radar."""
    victor, rounds = carrier_battle(Duellist(3, 1, 0, patrol), Duellist(2, 0, 1, patrol))
    assert sum(victor.values()) == pytest.approx(1) and sum(rounds.values()) == pytest.approx(1)
    numbers = {
        "patrol": patrol,
        "patrol_always_until": 30,
        "long_battle": 50,
        "withdraw_margin": 99,
        "last_round": LAST,
    }
    doctrines = two_doctrines(None, checked(numbers), checked(numbers))
    setup = parse_scenario(BATTLE, "carriers").setup
    bare = {
        side: replace(secret, forces=tuple(replace(force, light={}) for force in secret.forces))
        for side, secret in setup.sides.items()
    }
    world, _ = world_of_setup(replace(setup, sides=bare), "current", {}, doctrines=doctrines)
    steps = odds(world, doctrines=doctrines, seed=11, width=1e-6, most=BATTLES, workers=1, engine=PROCEDURES)
    told = deque(steps, maxlen=1).pop()
    sampled = {name: each["chance"] for name, each in told["win"].items()}
    sampled |= {f"round {number}": each["chance"] for number, each in told["rounds"]["chances"].items()}
    reckoned = {**victor, **{f"round {number}": chance for number, chance in rounds.items()}}
    for name in {*sampled, *(name for name, chance in reckoned.items() if chance > 0.001)}:
        chance = reckoned.get(name, 0.0)
        reach = SURE * sqrt(chance * (1 - chance) / BATTLES) + SURE**2 / BATTLES
        assert abs(sampled.get(name, 0.0) - chance) < reach, (name, sampled.get(name, 0.0), chance)
