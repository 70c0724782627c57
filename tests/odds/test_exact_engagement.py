"""An exact engagement against every throw of the dice through the procedures, played by two admirals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.state import Fleet
from flagplot.odds import engagement_round
from flagplot.odds.exact_engagement import FIGHTING, Budget, Engagement, EngagementOdds, engagement_odds
from tests.odds.engagement_brute import Outcome, battle_of, every_battle, next_round, one_round, outcome

RULES = ruleset()
AXIS, ALLIES = Side.AXIS, Side.ALLIES
ENDLESS = Budget(10**6, 10**6)


def ship(id: str, size: int, nation: str = "Germany", kind: str = "BB", **more: Any) -> Ship:
    return Ship(id, id, nation, kind, size, **more)


def group(*ships: Ship, **light: int) -> CombatGroup:
    nations = {"g": "Germany", "i": "Italy", "b": "Britain", "f": "France"}
    counts = {f"{nations[key[0]]}/{key[2:].replace('_', '/')}": number for key, number in light.items()}
    return CombatGroup(1, ships=ships, light=counts)


def summed(found: dict[Outcome, Fraction], name: Callable[[Outcome], Any]) -> dict[Any, Fraction]:
    told: dict[Any, Fraction] = {}
    for each, chance in found.items():
        told[name(each)] = told.get(name(each), Fraction(0)) + chance
    return dict(sorted(told.items()))


def same(told: EngagementOdds, found: dict[Outcome, Fraction], groups: dict[Side, CombatGroup]) -> None:
    """Every chance that is told is that of the outcomes found one by one."""
    assert told.unresolved == 0 and sum(found.values()) == 1
    assert told.victor == summed(found, lambda each: each.victor)
    assert told.rounds == {
        number + next(iter(told.rounds)) - min(each.rounds for each in found): chance
        for number, chance in summed(found, lambda each: each.rounds).items()
    }
    assert told.exchange == summed(found, lambda each: each.sunk)
    for place, side in enumerate(Side):
        mine = told.sides[side]
        for each in groups[side].ships:
            assert mine.ships[each.id] == summed(found, lambda one, id=each.id: dict(one.ships)[id])  # type: ignore[misc]
        assert mine.factors_sunk == summed(found, lambda one, place=place: one.sunk[place])  # type: ignore[misc]
        for key, chances in mine.light_damaged.items():
            name = f"{key}/damaged"
            assert chances == summed(found, lambda one, name=name: dict(one.light).get(name, 0))  # type: ignore[misc]
        for key, chances in mine.light_sunk.items():
            had = groups[side].light.get(key, 0) + groups[side].light.get(f"{key}/damaged", 0)
            left = summed(
                found,
                lambda one, key=key: dict(one.light).get(key, 0) + dict(one.light).get(f"{key}/damaged", 0),  # type: ignore[misc]
            )
            assert chances == {had - number: chance for number, chance in sorted(left.items(), reverse=True)}


CASES: dict[str, tuple[CombatGroup, CombatGroup, dict[str, int]]] = {
    "two battleships": (group(ship("A", 3)), group(ship("K", 3, "Britain")), {"rounds": 3}),
    "light ships": (group(g_CA=1, g_DD=2), group(b_CA=2), {"rounds": 2}),
    "capital ships against light ships": (group(ship("A", 4)), group(b_CA=1, b_DD=2), {"rounds": 2}),
    "a ship that has no line to meet": (group(ship("A", 4), g_DD=1), group(b_CA=2, b_DD=1), {"rounds": 1}),
    "three to one": (group(g_DD=5), group(ship("C", 2, "Britain", "CVL"), b_DD=1), {"rounds": 1}),
    "light ships against a battleship alone": (
        group(g_CA=2, g_DD=2),
        group(ship("K", 4, "Britain", hits=1)),
        {"rounds": 2},
    ),
    "light ships choose between two battleships": (
        group(g_DD=6),
        group(ship("K", 3, "Britain"), ship("L", 3, "Britain", hits=1)),
        {"rounds": 1},
    ),
    "a surplus ship joins": (group(ship("A", 4), ship("B", 3)), group(ship("K", 5, "Britain")), {"rounds": 1}),
    "twins, one of them hit": (
        group(ship("A", 4)),
        group(ship("K", 3, "Britain"), ship("L", 3, "Britain", hits=1)),
        {"rounds": 1},
    ),
    "carriers behind nothing": (
        group(ship("A", 4), ship("B", 3)),
        group(ship("C", 3, "Britain", "CV"), ship("D", 2, "Britain", "CVL", hits=1)),
        {"rounds": 2},
    ),
    "held fire of light ships": (
        group(g_DD=9),
        group(ship("C", 2, "Britain", "CVL"), b_DD=1, b_TR=2),
        {"rounds": 1},
    ),
    "damaged ships at the start": (
        group(ship("A", 3, damaged=True, hits=2), g_CA_damaged=1, g_DD=3),
        group(b_DD=4, b_CVE=1),
        {"rounds": 2},
    ),
    "a weaker navy is screened": (group(g_DD=6, i_DD=1), group(b_DD=3), {"rounds": 2}),
    "a long battle": (group(ship("A", 2, kind="PB")), group(ship("K", 2, "Britain", "PB")), {"rounds": 2, "round": 8}),
    "the last round": (group(g_DD=1), group(b_DD=1), {"rounds": 1, "round": 24}),
    "a rout": (group(g_DD=1), group(ship("K", 5, "Britain"), ship("L", 5, "Britain"), b_DD=2), {"rounds": 2}),
}


@pytest.mark.parametrize("interceptor", Side)
@pytest.mark.parametrize("name", CASES)
def test_an_engagement_is_as_every_throw_between_two_admirals_says(name: str, interceptor: Side) -> None:
    axis, allies, more = CASES[name]
    if interceptor is ALLIES and more["rounds"] > 1 and "round" not in more:
        more = {"rounds": 1}
    groups = {AXIS: axis, ALLIES: allies}
    begins = more.get("round", 1)
    asked = Engagement(groups, interceptor=interceptor, round=begins)
    told = engagement_odds(RULES, asked, ENDLESS._replace(rounds=more["rounds"]))
    same(told, every_battle(battle_of(groups, interceptor, begins), more["rounds"]), groups)


def test_two_battleships_fight_to_the_end() -> None:
    told = engagement_odds(
        RULES, Engagement({AXIS: group(ship("A", 2)), ALLIES: group(ship("K", 2, "Britain"))}), ENDLESS
    )
    assert sum(told.victor.values()) == 1 and FIGHTING not in told.victor and not told.unresolved
    assert max(told.rounds) <= 24
    for side in told.sides.values():
        assert all(sum(of.values()) == 1 for of in (*side.ships.values(), side.factors_sunk))
    assert sum(told.exchange.values()) == 1


SQUADRON = {
    AXIS: group(ship("A", 4), ship("B", 3, kind="BC"), g_CA=2, g_DD=4),
    ALLIES: group(ship("K", 4, "Britain"), ship("L", 3, "Britain"), b_CA=2, b_DD=5),
}


def test_a_larger_engagement_agrees_with_battles_played_by_two_admirals() -> None:
    """Four hundred battles of three rounds, on dice that are the same every time."""
    random = Random(7)
    told = engagement_odds(RULES, Engagement(SQUADRON), ENDLESS._replace(rounds=2, least=Fraction(1, 10**7)))
    battles = 400
    first = battle_of(SQUADRON)
    lost = []
    for _ in range(battles):
        battle = first
        for number in (1, 2):
            battle = one_round(RULES, battle, lambda _: random.randint(1, 6) + random.randint(1, 6))
            if battle.segment != "reinforcement" or number == 2:
                break
            battle = next_round(battle)
        lost.append(outcome(first, battle, "").sunk)
    for place, side in enumerate(Side):
        chances = told.sides[side].factors_sunk
        bins = [range(3), range(3, 5), range(5, 7), range(7, 10), range(10, 99)]
        expected = [battles * float(sum(chances.get(n, 0) for n in each) / (1 - told.unresolved)) for each in bins]
        seen = [sum(one[place] in each for one in lost) for each in bins]
        assert chisquare(seen, expected).pvalue > 0.001, (seen, expected)


# -- the same dice on both sides ------------------------------------------------------------------------------


READINGS: list[dict[str, str]] = [
    {},
    {},
    {"damaged_ship_sinks_on": "damage_again"},
    {"damaged_may_fire_late": "no"},
    {"surplus_light_spread": "equal_factors"},
]


def random_group(random: Random, nations: tuple[str, ...], prefix: str) -> CombatGroup:
    """Any group without cargo: capital ships alike or not, carriers, hits, damage, light ships of one or two navies."""
    ships = []
    for number in range(random.choice([0, 1, 1, 2, 2, 3, 4])):
        kind, size = random.choice(
            [("BB", 3), ("BB", 4), ("BB", 4), ("BB", 5), ("BC", 3), ("PB", 2), ("CV", 3), ("CVL", 2)]
        )
        hits = random.choice([0, 0, 0, min(1, size - 2)])
        damaged = random.random() < 0.1
        fast = random.random() < 0.7
        id = f"{prefix}{number}"
        ships.append(
            ship(
                id,
                size,
                random.choice(nations),
                kind,
                hits=random.choice([0, size - 1]) if damaged else hits,
                damaged=damaged,
                fast=fast,
            )
        )
    light = {}
    for nation in random.sample(nations, random.choice([1, 1, 2])):
        for key, most in (("CA", 4), ("DD", 9), ("CVE", 1), ("TR", 2), ("CA/damaged", 1)):
            if random.random() < (0.6 if most > 2 else 0.15):
                light[f"{nation}/{key}"] = random.randint(1, most)
    hampered = random.random() < 0.2
    return CombatGroup(1, ships=tuple(ships), light=light, unladen=hampered)


def test_random_engagements_on_settled_dice_end_as_two_admirals_end_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every throw is settled by the factors that fire, so that both ways of fighting have one outcome: it is the same."""
    random = Random(22)
    victors = set()
    for salt in range(600):
        groups = {
            AXIS: random_group(random, ("Germany", "Italy"), "A"),
            ALLIES: random_group(random, ("Britain", "France"), "K"),
        }
        if not all(each.afloat for each in groups.values()):
            continue
        interceptor = random.choice(list(Side))
        step = random.choice([1, 3, 5, 7])

        def total(factors: int, step: int = step, salt: int = salt) -> int:
            return 2 + (step * factors + salt) % 11

        def settled(table: Any, factors: int, modifier: int) -> dict[int, int]:
            return {table.hits(factors, total(factors) + modifier): 36}

        monkeypatch.setattr(engagement_round, "hit_ways", settled)
        rules = ruleset(options=random.choice(READINGS))
        told = engagement_odds(rules, Engagement(groups, interceptor=interceptor), ENDLESS)
        first = battle = battle_of(groups, interceptor)
        while True:
            battle = one_round(rules, battle, lambda due: total(int(due.why.split()[0])))
            if battle.segment != "reinforcement":
                break
            battle = next_round(battle)
        victor = battle.victor.value if battle.victor else "none"
        victors.add(victor)
        same(told, {outcome(first, battle, victor): Fraction(1)}, groups)
    assert victors >= {"axis", "allies"}


# -- the budget -------------------------------------------------------------------------------------------


def test_what_is_dropped_or_left_over_is_told_and_bounds_every_chance() -> None:
    asked = Engagement({AXIS: group(ship("A", 3), g_DD=2), ALLIES: group(ship("K", 3, "Britain"), b_DD=2)})
    whole = engagement_odds(RULES, asked, ENDLESS)
    assert whole.unresolved == 0 and whole.used.stopped == "" and whole.used.states > 0
    for budget, why in (
        (ENDLESS._replace(least=Fraction(1, 1000)), ""),
        (ENDLESS._replace(states=100), "states"),
    ):
        part = engagement_odds(RULES, asked, budget)
        assert part.used.stopped == why and part.budget == budget
        assert part.unresolved > 0 and sum(part.victor.values()) + part.unresolved == 1
        for victor, chance in part.victor.items():
            assert chance <= whole.victor[victor] <= chance + part.unresolved
        assert part.used.states <= budget.states


@pytest.mark.parametrize("budget", [Budget(5_000, 10**6), Budget(10**9, 5)])
def test_a_budget_holds_in_the_middle_of_a_round_too(budget: Budget) -> None:
    """Eight against eight: one round alone has more states than any memory. Time is told by how often it is looked at."""
    groups = {
        AXIS: group(*(ship(f"A{n}", 3) for n in range(8))),
        ALLIES: group(*(ship(f"K{n}", 3, "Britain") for n in range(8))),
    }
    looks = iter(range(10**9))
    told = engagement_odds(RULES, Engagement(groups), budget, clock=lambda: float(next(looks)))
    assert told.used.stopped == ("states" if budget.states < 10**9 else "seconds")
    assert told.unresolved == 1 and told.used.rounds == 0
    assert told.used.most < 10 * 5_000 and told.used.written < 10**6


def test_without_detail_the_same_is_told_of_ships_and_victors_with_fewer_states() -> None:
    groups = {
        AXIS: group(ship("A", 3), g_CA=1, g_DD=2, g_CA_damaged=1),
        ALLIES: group(ship("K", 4, "Britain", hits=1), b_CA=1, b_DD=1),
    }
    for begins in (1, 7):
        whole, less = (
            engagement_odds(RULES, Engagement(groups, round=begins), ENDLESS._replace(detail=detail))
            for detail in (True, False)
        )
        assert (less.victor, less.rounds) == (whole.victor, whole.rounds) and less.used.states < whole.used.states
        assert less.exchange == {} and less.sides[AXIS].factors_sunk == {}
        for side in Side:
            assert less.sides[side].ships == whole.sides[side].ships
            assert all(sum(of.values()) == 1 for of in less.sides[side].ships.values())


def test_time_is_kept_by_the_clock_that_is_given() -> None:
    ticks = iter(range(10**9))
    told = engagement_odds(RULES, Engagement(SQUADRON), Budget(10**6, 40), clock=lambda: float(next(ticks)))
    assert told.used.stopped == "seconds" and told.unresolved > 0
    assert sum(told.victor.values()) + told.unresolved == 1


@pytest.mark.parametrize(
    ("groups", "budget", "why"),
    [
        (SQUADRON, Budget(0), "at least one state"),
        (SQUADRON, Budget(seconds=0), "some time"),
        (SQUADRON, Budget(least=Fraction(1)), "least chance"),
        ({AXIS: group(), ALLIES: group(b_DD=1)}, Budget(), "need ships"),
        ({AXIS: CombatGroup(1, light={"Germany/DD": 1}, supply=True), ALLIES: group(b_DD=1)}, Budget(), "cargo"),
        (
            {
                AXIS: CombatGroup(1, light={"Germany/DD/loaded": 1}, cargo=(Cargo("army", 1),)),
                ALLIES: group(b_DD=1),
            },
            Budget(),
            "cargo",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_in_a_sentence(groups: Any, budget: Budget, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        engagement_odds(RULES, Engagement(groups), budget)


@pytest.mark.ledger("22.61A")
@pytest.mark.parametrize("came", [group(g_DD=1, g_CA_damaged=1), group(ship("A", 3, damaged=True), g_DD=1)])
def test_what_came_damaged_into_a_long_battle_is_refused(came: CombatGroup) -> None:
    """Who leaves first is decided by ships damaged in this round; from then on both sides may want to leave."""
    groups = {AXIS: came, ALLIES: group(b_DD=2)}
    assert engagement_odds(RULES, Engagement(groups, round=7), ENDLESS).unresolved == 0
    with pytest.raises(ValueError, match="damaged ships are not counted exactly in round 8"):
        engagement_odds(RULES, Engagement(groups, round=8), ENDLESS)


def test_tactical_codebreaking_and_supply_count() -> None:
    groups = {AXIS: group(ship("A", 4)), ALLIES: group(ship("K", 4, "Britain"))}
    plain = engagement_odds(RULES, Engagement(groups), ENDLESS).victor
    better = Engagement(groups, {AXIS: Fleet(tactical=2), ALLIES: Fleet(impaired=("Britain",))})
    assert engagement_odds(RULES, better, ENDLESS).victor["axis"] > plain["axis"]
