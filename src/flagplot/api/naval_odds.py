"""What guns, search, submarines and a whole engagement will come to (22.45, 22.5, 22.9): exact chances before the dice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec

from flagplot.api.calls import question
from flagplot.api.chances import chance, quantities, quantity
from flagplot.api.shapes import GroupJson, ShipJson, lines, nations, submarine_factors
from flagplot.api.submarines import Sea
from flagplot.core.errors import PlayerError
from flagplot.core.events import Modifiers
from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT, CombatGroup
from flagplot.model.state import Fleet
from flagplot.odds import exact_engagement as engagements
from flagplot.odds import exact_search as searching
from flagplot.odds import exact_submarines as below
from flagplot.odds.exact_gunnery import Fire, total_hits
from flagplot.odds.exact_gunnery import volley_odds as volley
from flagplot.rules.naval.gunnery import crews, fire_modifiers, is_hampered
from flagplot.rules.table import Ruleset

MOST_FIRES = 60
MOST_FACTORS = 999
MOST_MODIFIER = 99
MOST_DICE = 40
MOST_SUBMARINES = 12
MOST_STATES = 2_000_000
MOST_SECONDS = 60.0


def within(number: float, what: str, least: float, most: float) -> None:
    """Refuse a number that is out of bounds."""
    if not least <= number <= most:
        raise PlayerError(f"{number} is no {what}; give one from {least} to {most}")


def fates(told: Mapping[str, Mapping[str, Fraction]]) -> dict[str, Any]:
    """What may become of each ship."""
    return {id: {word: chance(exact) for word, exact in sorted(of.items())} for id, of in told.items()}


def afloat(told: Mapping[tuple[tuple[str, int], ...], Fraction]) -> list[dict[str, Any]]:
    """What may be left of light ships, the likeliest first."""
    ordered = sorted(told.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"afloat": dict(counts), **chance(exact)} for counts, exact in ordered]


def pairs(told: Mapping[tuple[int, int], Fraction], first: str, second: str) -> list[dict[str, Any]]:
    """A table of two numbers."""
    return [{first: one, second: two, **chance(exact)} for (one, two), exact in told.items()]


# -- guns --------------------------------------------------------------------------------------------------


class FireJson(msgspec.Struct, forbid_unknown_fields=True):
    """All fire at one target: factors, or air squadrons, and their modifier; or the ships that fire, which say both.

    `target` is a ship's id, or "light"; with `firing`, `modifier` is added to theirs.
    """

    factors: int = 0
    modifier: int = 0
    target: str = LIGHT
    air: bool = False
    firing: GroupJson | None = None


@question
def volley_odds(
    *,
    rules: Ruleset,
    fires: list[FireJson],
    ships: list[ShipJson] | None = None,
    light: dict[str, int] | None = None,
    impaired: list[str] | None = None,
    hampered: bool = False,
) -> dict[str, Any]:
    """What fire does to a group at sea (20.5, 22.55): hits on each target, what becomes of ships, factors sunk.

    Several fires at one target are resolved in their order: hits on a named ship add up, light ships take each roll by
    itself. `hampered` is the target's group (22.552B); equals among light ships suffer in the order listed.
    """
    within(len(fires), "number of fires", 1, MOST_FIRES)
    group = GroupJson(ships=ships or [], light=light or {}, hampered=hampered).group()
    short = nations(impaired)
    made, told = [], []
    for each in fires:
        factors, modifiers = _fire(rules, each, group, short)
        within(factors, "number of factors", 1, MOST_FACTORS)
        within(modifiers.total, "modifier", -MOST_MODIFIER, MOST_MODIFIER)
        made.append(Fire(factors, modifiers.total, each.target, each.air))
        told.append(
            {"target": each.target, "factors": factors, "modifier": modifiers.total, "lines": lines(modifiers)["lines"]}
        )
    found = volley(rules, made, group.ships, group.light)
    answer: dict[str, Any] = {
        "fires": told,
        "hits": quantities(found.hits),
        "total_hits": quantity(total_hits(rules, made).chances),
        "ships": fates(found.ships),
        "factors_sunk": quantity(found.factors_sunk),
    }
    if found.light:
        answer["light"] = {"factors_sunk": quantity(found.light.factors), "outcomes": afloat(found.light.after)}
    return answer


def _fire(rules: Ruleset, fire: FireJson, group: CombatGroup, impaired: tuple[str, ...]) -> tuple[int, Modifiers]:
    given = Modifiers().plus("22.552", "as given", fire.modifier)
    if fire.firing is None:
        return fire.factors, given
    if fire.air:
        raise PlayerError("ships fire by their factors; for aircraft give squadrons and a modifier, or ask strike_odds")
    mine = fire.firing.group()
    ships = [ship for ship in group.ships if ship.id == fire.target]
    counts = group.light if fire.target == LIGHT else {}
    if not mine.factors or not (ships or counts):
        raise PlayerError(f"somebody must fire at {fire.target!r}, and it must be there")
    made = fire_modifiers(
        rules.nationality,
        crews(mine.ships, mine.light, impaired),
        crews(ships, counts, impaired),
        hampered=is_hampered(mine),
        target_hampered=is_hampered(group),
    )
    return mine.factors, made.plus("22.552", "as given", fire.modifier)


# -- search ------------------------------------------------------------------------------------------------


@question
def search_odds(
    *,
    search_dice: int,
    groups: list[int],
    enemy_dice: int | None = None,
    own_groups: int | None = None,
    intercepting: bool = False,
) -> dict[str, Any]:
    """What search dice find (22.452): each enemy group by its number, groups found, results in all.

    With the enemy's dice and the number of own groups also the chance to strike first (22.461B).
    """
    within(search_dice, "number of search dice", 0, MOST_DICE)
    if any(not 1 <= number <= 6 for number in groups):
        raise PlayerError("combat groups have numbers from 1 to 6")
    found = searching.search_odds(search_dice, groups)
    answer: dict[str, Any] = {
        "dice": search_dice,
        "groups": {
            str(number): {**quantity(of), "found": chance(1 - of.get(0, Fraction(0)))}
            for number, of in found.groups.items()
        },
        "groups_found": quantity(found.found),
        "results": quantity(found.results),
        "both": [
            {"groups": each.groups, "results": each.results, **chance(Fraction(ways, 6**search_dice))}
            for each, ways in searching.search_ways(search_dice, len(groups)).items()
        ],
    }
    if enemy_dice is not None and own_groups is not None:
        within(enemy_dice, "number of search dice", 0, MOST_DICE)
        within(own_groups, "number of groups", 0, 6)
        first = searching.first_strike_odds(
            {Side.AXIS: search_dice, Side.ALLIES: enemy_dice},
            {Side.AXIS: own_groups, Side.ALLIES: len(groups)},
            Side.AXIS if intercepting else Side.ALLIES,
        )
        answer["strikes_first"] = chance(first[Side.AXIS])
    return answer


# -- submarines --------------------------------------------------------------------------------------------


@question
def submarine_attack_odds(
    *,
    rules: Ruleset,
    submarines: dict[str, int],
    target: GroupJson,
    attacker: Sea | None = None,
    defender: Sea | None = None,
    theatre: str = "Pacific",
    western_front: bool = False,
    aim: Literal["admiral", "first"] = "admiral",
) -> dict[str, Any]:
    """What submarine attacks on a group come to (22.9), one factor after the other in the order listed.

    `aim`: within the category met, the ship nearest to sinking, or the first. No losses are taken by destroyers elsewhere.
    """
    keys = [key for key, number in submarine_factors(submarines).items() for _ in range(number)]
    within(len(keys), "number of submarines", 1, MOST_SUBMARINES)
    group = target.group()
    if group.empty:
        raise PlayerError("there is nothing in this group that could be attacked; give ships, or supply")
    choice = below.nearest_to_sinking if aim == "admiral" else below.first_ship
    mine, theirs = (attacker or Sea()).fleet(Side.AXIS), (defender or Sea()).fleet(Side.ALLIES)
    asked = below.SubmarineAttacks(tuple(keys), group, mine, theirs, theatre, western_front, choice)
    found = below.submarine_attack_odds(rules, asked)
    return {
        "submarines_lost": quantity(found.submarines_lost),
        "ships": fates(found.ships),
        "light": afloat(found.light),
        "factors_sunk": quantity(found.factors_sunk),
        "supply_line_cut": chance(found.supply_line_cut),
        "exchange": pairs(found.exchange, "submarines_lost", "factors_sunk"),
    }


# -- an engagement -----------------------------------------------------------------------------------------


@question
def engagement_odds(
    *,
    rules: Ruleset,
    axis: GroupJson,
    allies: GroupJson,
    interceptor: Side = Side.AXIS,
    tactical: dict[Side, int] | None = None,
    impaired: dict[Side, list[str]] | None = None,
    round: int = 1,
    rounds: int = 0,
    states: int = 200_000,
    seconds: float = 5.0,
    least: float = 0.0,
    detail: bool = True,
) -> dict[str, Any]:
    """A fleet engagement of two groups, round after round, played by two admirals (22.5 to 22.7), exactly.

    It is followed to its end, or for so many `rounds`, within a budget of `states` and `seconds`; states less likely than
    `least` are dropped. Without `detail` light ships and factors sunk are not told, which takes far fewer states. What was not followed to its end is `unresolved`: every chance may be larger by that much at most.
    Guns only: no aircraft, no submarines, no cargo. Fractions run to hundreds of digits: only the victor's are written out.
    """
    within(states, "number of states", 1, MOST_STATES)
    within(round, "round", 1, 99)
    within(rounds, "number of rounds", 0, 99)
    if not 0 < seconds <= MOST_SECONDS:
        raise PlayerError(f"{seconds} is no number of seconds; give one above 0 and up to {MOST_SECONDS:g}")
    if not 0 <= least < 1:
        raise PlayerError(f"{least} is no least chance; give one from 0 to less than 1")
    fleets = {
        side: Fleet(tactical=(tactical or {}).get(side, 0), impaired=nations((impaired or {}).get(side)))
        for side in Side
    }
    asked = engagements.Engagement({Side.AXIS: axis.group(), Side.ALLIES: allies.group()}, fleets, interceptor, round)
    budget = engagements.Budget(states, seconds, rounds, Fraction(least).limit_denominator(10**15), detail)
    found = engagements.engagement_odds(rules, asked, budget)
    return {
        "exact": found.unresolved == 0,
        "policies": "both sides as the admiral plays",
        "victor": {name: chance(exact) for name, exact in found.victor.items()},
        "unresolved": chance(found.unresolved),
        "rounds": _rounded(found.rounds),
        "sides": {
            side: {
                "ships": {id: _rounded(told) for id, told in of.ships.items()},
                "light_sunk": {key: _rounded(told) for key, told in of.light_sunk.items()},
                "light_damaged": {key: _rounded(told) for key, told in of.light_damaged.items()},
                "factors_sunk": _rounded(of.factors_sunk),
            }
            for side, of in found.sides.items()
        },
        "exchange": [
            {"axis": axis, "allies": allies, "chance": float(f"{float(exact):.9g}")}
            for (axis, allies), exact in found.exchange.items()
        ],
        "budget": {"states": states, "seconds": seconds, "rounds": rounds, "least": least},
        "used": {**found.used._asdict(), "seconds": float(f"{found.used.seconds:.3f}")},
    }


def _rounded(told: Mapping[Any, Fraction]) -> dict[str, float]:
    """Chances to nine digits."""
    return {str(each): float(f"{float(exact):.9g}") for each, exact in told.items()}
