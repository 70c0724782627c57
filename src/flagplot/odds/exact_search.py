"""Exact chances of search (22.45): which groups are found, how often, and who strikes first (22.461B).

What one die finds is asked of the rules; dice do not depend on each other. Tables are made once for each number of dice
and groups and then looked up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from flagplot.core.sides import Side
from flagplot.odds.exact import as_chances, counted
from flagplot.rules.naval.search import first_to_strike, search_results

FACES = range(1, 7)
MOST_VECTORS = 50_000  # combinations of results that are listed one by one


class Found(NamedTuple):
    """What a search comes to: how many different groups it finds, and how many results it has."""

    groups: int
    results: int


@cache
def finding_faces(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """For each group the faces of a die that find it, by their number; and last the faces that find nothing."""
    results = [search_results((face,), numbers) for face in FACES]
    found = tuple(sum(number in each for each in results) for number in numbers)
    return (*found, sum(not each for each in results))


@cache
def _onto(results: int, groups: int) -> int:
    """The ways in which so many results fall on exactly these groups, on each at least one."""
    if not results or not groups:
        return int(results == groups)
    return groups * (_onto(results - 1, groups) + _onto(results - 1, groups - 1))


@cache
def search_ways(dice: int, groups: int) -> Mapping[Found, int]:
    """The ways, of 6 to the number of dice, to find so many of these groups with so many results."""
    *faces, missing = finding_faces(tuple(range(1, groups + 1)))
    each = max(faces, default=0)  # all groups are as easy to find
    ways = {}
    for results in range(dice + 1):
        hitting = comb(dice, results) * each**results * missing ** (dice - results)
        if hitting:
            for found in range(min(1, results), min(groups, results) + 1):
                ways[Found(found, results)] = hitting * comb(groups, found) * _onto(results, found)
    return ways


@cache
def results_ways(dice: int, groups: int) -> Mapping[int, int]:
    """The ways to each number of results against any of so many groups."""
    return counted((each.results, ways) for each, ways in search_ways(dice, groups).items())


def search_vectors(dice: int, numbers: Sequence[int]) -> dict[tuple[int, ...], int]:
    """The ways to each row of results, one number for each group in the order given. Too many are refused."""
    if comb(dice + len(numbers), dice) > MOST_VECTORS:
        raise ValueError(f"more than {MOST_VECTORS} combinations of results; ask for each group by itself")
    *faces, missing = finding_faces(tuple(numbers))
    return dict(_shared(dice, tuple(faces), missing))


def _shared(dice: int, faces: tuple[int, ...], missing: int) -> Iterator[tuple[tuple[int, ...], int]]:
    if not faces:
        yield (), missing**dice
        return
    for results in range(dice + 1):
        here = comb(dice, results) * faces[0] ** results
        for others, ways in _shared(dice - results, faces[1:], missing):
            if here * ways:
                yield (results, *others), here * ways


class SearchOdds(NamedTuple):
    """One side's search: groups found, results in all, and for each group the results against it."""

    dice: int
    found: dict[int, Fraction]
    results: dict[int, Fraction]
    groups: dict[int, dict[int, Fraction]]


def search_odds(dice: int, numbers: Sequence[int]) -> SearchOdds:
    """The chances of so many dice against enemy groups with these numbers."""
    if len(dict.fromkeys(numbers)) < len(numbers):
        raise ValueError("two groups have the same number")
    ways = search_ways(dice, len(numbers))
    alone = results_ways(dice, 1)
    return SearchOdds(
        dice,
        as_chances(dict(sorted(counted((each.groups, number) for each, number in ways.items()).items()))),
        as_chances(dict(sorted(results_ways(dice, len(numbers)).items()))),
        {number: as_chances(dict(sorted(alone.items()))) for number in numbers},
    )


def first_strike_odds(dice: Mapping[Side, int], groups: Mapping[Side, int], interceptor: Side) -> dict[Side, Fraction]:
    """The chance of each side to strike first (22.461B), by its search dice and the number of its own groups."""
    found = {side: results_ways(dice[side], groups[side.enemy]) for side in Side}
    first: dict[Side, int] = counted(
        (first_to_strike({Side.AXIS: axis, Side.ALLIES: allies}, interceptor), ways * other)
        for axis, ways in found[Side.AXIS].items()
        for allies, other in found[Side.ALLIES].items()
    )
    return as_chances({side: first.get(side, 0) for side in Side})
