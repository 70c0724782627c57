"""Measures exact odds: hits of six fires and a search against icepool and dyce, and whole engagements.

icepool's dice and pools are built beforehand. A search is asked for twice on both sides: counted anew, and looked up where
it was counted before, which an evaluator of icepool that is used again does as well. All seconds are the processor's.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool

try:
    import dyce
except ImportError:
    dyce = None

from bench.turns import interleaved
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.odds.exact_engagement import Budget, Engagement, engagement_odds
from flagplot.odds.exact_gunnery import Fire, hit_ways, total_hits
from flagplot.odds.exact_search import Found, search_ways

RULES = ruleset()
FIRES = [Fire(4), Fire(3, 1), Fire(5, -1), Fire(10, 2), Fire(8), Fire(2)]
DICE, GROUPS = 6, 4


class Search(icepool.MultisetEvaluator):  # type: ignore[misc]
    """How many groups are found, and how many results there are: faces from 1 on are groups."""

    def next_state(self, state: Any, order: Any, outcome: int, count: int) -> Any:
        """One face after the other."""
        found, results = state or (0, 0)
        return (found + (count > 0), results + count) if outcome <= GROUPS else (found, results)


def ship(name: str, nation: str, size: int) -> Ship:
    """A battleship."""
    return Ship(name, name, nation, "BB", size)


ONE = Engagement(
    {
        Side.AXIS: CombatGroup(1, ships=(ship("A", "Germany", 4),), light={"Germany/CA": 2, "Germany/DD": 4}),
        Side.ALLIES: CombatGroup(1, ships=(ship("K", "Britain", 4),), light={"Britain/CA": 2, "Britain/DD": 4}),
    }
)
TWO = Engagement(
    {
        Side.AXIS: CombatGroup(
            1, ships=(ship("A", "Germany", 4), ship("B", "Germany", 3)), light={"Germany/CA": 2, "Germany/DD": 4}
        ),
        Side.ALLIES: CombatGroup(
            1,
            ships=(ship("K", "Britain", 4), ship("L", "Britain", 3), ship("M", "Britain", 3)),
            light={"Britain/CA": 3, "Britain/DD": 4},
        ),
    }
)


def by_dyce() -> dict[str, float | str]:
    """The same against dyce, its single fires built beforehand; counted outcome by outcome, as it does searches."""
    if dyce is None:
        return {"dyce_over_six_fires": "no dyce here", "dyce_over_search": "no dyce here"}
    hits = [dyce.H(dict(hit_ways(RULES.attack, fire.factors, fire.modifier))) for fire in FIRES]
    theirs = sum(hits[1:], hits[0])
    assert {each: Fraction(ways, theirs.total) for each, ways in theirs.items()} == total_hits(RULES, FIRES).chances
    pool = DICE @ dyce.P(dyce.H(6))

    def search() -> dict[Found, int]:
        found: dict[Found, int] = {}
        for roll, ways in pool.rolls_with_counts():
            hit = [face for face in roll if face <= GROUPS]
            result = Found(len(set(hit)), len(hit))
            found[result] = found.get(result, 0) + ways
        return found

    assert search() == search_ways(DICE, GROUPS)
    ours, peer, counted, searched = interleaved(
        (200, lambda: total_hits(RULES, FIRES)),
        (10, lambda: sum(hits[1:], hits[0])),
        (100, lambda: search_ways.__wrapped__(DICE, GROUPS)),
        (5, search),
    )
    return {"dyce_over_six_fires": round(peer / ours, 1), "dyce_over_search": round(searched / counted, 1)}


def figures() -> dict[str, float | str]:
    """Microseconds, seconds, and ratios."""
    dice = [icepool.Die(dict(hit_ways(RULES.attack, fire.factors, fire.modifier))) for fire in FIRES]
    theirs = sum(dice[1:], dice[0])
    assert {hits: Fraction(ways, theirs.denominator()) for hits, ways in theirs.items()} == total_hits(
        RULES, FIRES
    ).chances
    pool, evaluator = icepool.d6.pool(DICE), Search()
    found = evaluator.evaluate(pool)
    assert {Found(*each): ways for each, ways in found.items()} == search_ways(DICE, GROUPS)
    made = search_ways.__wrapped__
    ours, peer, counted, looked_up, again, anew = interleaved(
        (200, lambda: total_hits(RULES, FIRES)),
        (10, lambda: sum(dice[1:], dice[0])),
        (100, lambda: made(DICE, GROUPS)),
        (1000, lambda: search_ways(DICE, GROUPS)),
        (50, lambda: evaluator.evaluate(pool)),
        (5, lambda: Search().evaluate(pool)),
    )
    quick = Budget(10**6, 600, least=Fraction(1, 10**8), detail=False)
    one, detailed, two = interleaved(
        (1, lambda: engagement_odds(RULES, ONE, Budget(10**6, 600, detail=False))),
        (1, lambda: engagement_odds(RULES, ONE, Budget(10**6, 600))),
        (1, lambda: engagement_odds(RULES, TWO, quick)),
        runs=2,
    )
    pruned = engagement_odds(RULES, TWO, quick)
    return {
        "six_fires_microseconds": round(1e6 * ours, 1),
        "icepool_over_six_fires": round(peer / ours, 1),
        "search_6_dice_4_groups_microseconds": round(1e6 * counted, 1),
        "icepool_over_search": round(anew / counted, 1),
        "icepool_over_search_both_looked_up": round(again / looked_up),
        **by_dyce(),
        "engagement_1v1_seconds": round(one, 2),
        "engagement_1v1_with_detail_seconds": round(detailed, 2),
        "engagement_2v3_least_1e_8_seconds": round(two, 2),
        "engagement_2v3_unresolved": float(f"{float(pruned.unresolved):.2g}"),
        "engagement_2v3_states": pruned.used.states,
    }


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name.replace('_', ' '):<40}{value:>12}")
