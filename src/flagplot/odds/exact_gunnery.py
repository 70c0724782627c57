"""Exact chances of guns (20.5, 22.55): hits of one fire or of many, and what a volley does to each of its targets.

Hits of many fires are one product of whole numbers: the ways of a fire are written one behind the other into a number,
64 bits for each number of hits, so that multiplying two numbers multiplies the two fires.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.model.forces import LIGHT
from flagplot.model.ships import Counts, Ship, factors_of, light, light_key, minus, number_of, plus
from flagplot.odds.exact import as_chances, counted, dice_ways
from flagplot.rules.damage import allot_light_hits
from flagplot.rules.table import Ruleset
from flagplot.tables.naval_attack import NavalAttackTable

TWO_DICE = dice_ways(2)
THROWS = 36  # of two dice
SLOT = 64  # bits for the ways to one number of hits
MOST_FIRES = 12  # that 64 bits hold: 36 to the 12th; more are multiplied one by one
SUNK = "sunk"


class Fire(NamedTuple):
    """All fire at one target, rolled once: fleet factors, or air squadrons, and the net modifier."""

    factors: int
    modifier: int = 0
    target: str = LIGHT  # a ship's id, or the light ships as one group
    air: bool = False


class HitWays(NamedTuple):
    """The ways to each number of hits, from none upwards, and all ways there are."""

    ways: tuple[int, ...]
    whole: int

    @property
    def chances(self) -> dict[int, Fraction]:
        """The chance of each number of hits that can be scored."""
        return {hits: Fraction(ways, self.whole) for hits, ways in enumerate(self.ways) if ways}


@cache
def hit_ways(table: NavalAttackTable, factors: int, modifier: int, air: bool = False) -> Mapping[int, int]:
    """The ways, of 36, to each number of hits of one fire: the table is asked for every throw."""

    def hits(roll: int) -> int:
        return table.read_air(factors, roll).hits if air else table.hits(factors, roll)

    return dict(sorted(counted((hits(roll + modifier), ways) for roll, ways in TWO_DICE.items()).items()))


@cache
def _as_number(table: NavalAttackTable, factors: int, modifier: int, air: bool) -> int:
    return sum(ways << (SLOT * hits) for hits, ways in hit_ways(table, factors, modifier, air).items())


def total_hits(rules: Ruleset, fires: Sequence[Fire]) -> HitWays:
    """The ways to each number of hits of all these fires together, whatever they are aimed at."""
    if len(fires) > MOST_FIRES:
        return _many(rules, fires)
    table = rules.attack
    product = 1
    for factors, modifier, _, air in fires:
        product *= _as_number(table, factors, modifier, air)
    data = product.to_bytes((product.bit_length() + SLOT - 1) // SLOT * 8, "little")
    return HitWays(tuple(memoryview(data).cast("Q")), THROWS ** len(fires))


def _many(rules: Ruleset, fires: Sequence[Fire]) -> HitWays:
    found = {0: 1}
    for fire in fires:
        own = hit_ways(rules.attack, fire.factors, fire.modifier, fire.air)
        found = counted((hits + more, ways * other) for hits, ways in found.items() for more, other in own.items())
    return HitWays(tuple(found.get(hits, 0) for hits in range(max(found) + 1)), THROWS ** len(fires))


# -- targets ------------------------------------------------------------------------------------------


def ship_after(rules: Ruleset, ship: Ship, hits: int) -> Ship | None:
    """A named ship at sea after the hits of one roll (20.513); None: she is sunk."""
    if not hits:
        return ship
    fate = rules.fate_at_sea(ship, hits)
    return None if fate == SUNK else replace(ship, hits=ship.hits + hits, damaged=ship.damaged or fate == "damaged")


def light_after(counts: Counts, hits: int) -> dict[str, int]:
    """Light ships after the hits of one roll (20.532); of equal groups those listed first suffer first."""
    sunk, damaged = allot_light_hits(counts, hits, list(counts))
    hurt = {light_key(light(key).nation, "CA", "damaged"): number for key, number in damaged.items()}
    return plus(minus(minus(counts, sunk), damaged), hurt)


def condition(ship: Ship | None) -> str:
    """A ship in one word: sunk, damaged, hit, or sound."""
    if ship is None:
        return SUNK
    return "damaged" if ship.damaged else "hit" if ship.hits else "sound"


def factors_lost(before: Counts, after: Counts) -> int:
    """Factors of light ships that are no longer afloat, a transport counting one (AM-02); damaged ones are afloat."""
    return factors_of(before) + number_of(before, "TR") - factors_of(after) - number_of(after, "TR")


class LightOdds(NamedTuple):
    """A group of light ships under fire: the chance of each state it may be left in, and of factors sunk."""

    after: dict[tuple[tuple[str, int], ...], Fraction]  # what is afloat, by light key
    factors: dict[int, Fraction]


class VolleyOdds(NamedTuple):
    """What a volley does: hits on each target, the fate of each ship, the light ships, all factors sunk."""

    hits: dict[str, dict[int, Fraction]]
    ships: dict[str, dict[str, Fraction]]
    light: LightOdds | None
    factors_sunk: dict[int, Fraction]


def fate_ways(rules: Ruleset, ship: Ship, rolls: Iterable[Mapping[int, int]]) -> dict[str, int]:
    """The ways to each condition of a ship after several rolls against her; her hits add up."""
    states: dict[tuple[int, bool] | None, int] = {(ship.hits, ship.damaged): 1}  # None: sunk
    for ways in rolls:
        states = counted(
            (_struck(rules, ship, each, hits), number * own)
            for each, number in states.items()
            for hits, own in ways.items()
        )
    return counted((condition(_in_state(ship, each) if each else None), ways) for each, ways in states.items())


def _in_state(ship: Ship, state: tuple[int, bool]) -> Ship:
    return replace(ship, hits=state[0], damaged=state[1])


def _struck(rules: Ruleset, ship: Ship, state: tuple[int, bool] | None, hits: int) -> tuple[int, bool] | None:
    after = ship_after(rules, _in_state(ship, state), hits) if state else None
    return (after.hits, after.damaged) if after else None


def light_ways(counts: Counts, rolls: Iterable[Mapping[int, int]]) -> dict[tuple[tuple[str, int], ...], int]:
    """The ways to each state of a light group after several rolls; the hits of each roll are taken by themselves."""
    states = {tuple(counts.items()): 1}
    for ways in rolls:
        states = counted(
            (tuple(light_after(dict(each), hits).items()), number * own)
            for each, number in states.items()
            for hits, own in ways.items()
        )
    return states


def volley_odds(rules: Ruleset, fires: Sequence[Fire], ships: Sequence[Ship], counts: Counts) -> VolleyOdds:
    """What all this fire does to a group at sea. Fires at one target are resolved in their order."""
    afloat = {ship.id: ship for ship in ships}
    aimed: dict[str, list[Mapping[int, int]]] = {}
    at: dict[str, list[Fire]] = {}
    for fire in fires:
        if fire.target not in afloat and not (fire.target == LIGHT and counts):
            raise ValueError(f"there is no {fire.target!r} to fire at")
        aimed.setdefault(fire.target, []).append(hit_ways(rules.attack, fire.factors, fire.modifier, fire.air))
        at.setdefault(fire.target, []).append(fire)
    lost: dict[int, int] = {0: 1}  # ways to factors sunk, all targets together
    fates: dict[str, dict[str, Fraction]] = {}
    body = None
    for target, rolls in aimed.items():
        if target == LIGHT:
            after = light_ways(counts, rolls)
            own = counted((factors_lost(counts, dict(each)), ways) for each, ways in after.items())
            body = LightOdds(as_chances(after), as_chances(dict(sorted(own.items()))))
        else:
            ship = afloat[target]
            states = fate_ways(rules, ship, rolls)
            fates[target] = as_chances(states)
            own = counted((ship.size if each == SUNK else 0, ways) for each, ways in states.items())
        lost = counted((sunk + more, ways * other) for sunk, ways in lost.items() for more, other in own.items())
    return VolleyOdds(
        {target: total_hits(rules, own).chances for target, own in at.items()},
        fates,
        body,
        as_chances(dict(sorted(lost.items()))),
    )
