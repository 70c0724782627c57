"""Strikes and submarine attacks of the kernels are shared out as their exact chances say they must be (chi-square).

One segment is fought again and again from the same state: a whole strike with surprise, air combat, air defense and attacks
on ships of three kinds (23.4, 23.7), or submarines that attack one after the other (22.9). In the ordinary run a few by the
kernels as plain Python; in the long one many, compiled. FLAGPLOT_SEGMENTS says how many; a hundred thousand if it says
nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from flagplot.bots.flying import air_targets
from flagplot.core.asks import Decide
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.editions.current import CURRENT
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship
from flagplot.model.squadrons import Counts
from flagplot.model.state import Battle
from flagplot.odds import kernel_layout as at
from flagplot.odds import kernels
from flagplot.odds.compiling import compile_all
from flagplot.odds.exact import chances_of
from flagplot.odds.exact_air import Strike, strike_odds
from flagplot.odds.exact_submarines import SubmarineAttacks, nearest_to_sinking, submarine_attack_odds
from flagplot.odds.jit import load
from flagplot.odds.kernel_plan import PLAN_WORDS
from flagplot.odds.kernel_state import give_dice
from flagplot.odds.sampling import USUAL
from flagplot.odds.worlds import World
from flagplot.rules.air.strikes import targets_form
from tests.odds.test_exact_against_kernels import FATES, LEAST, likelihood, world_of

FEW, MANY = 250, int(os.environ.get("FLAGPLOT_SEGMENTS", "100000"))
JAPAN, AMERICA = "Japan/NAS", "United States/NAS"
BOATS = {"Japan/SUB": 4}


def ship(name: str, nation: str, kind: str, size: int, air: int = 0, hits: int = 0) -> Ship:
    return Ship(name, name, nation, kind, size, hits=hits, wing={f"{nation}/NAS": air} if air else {})


STRIKERS = Force("Strikers", (ship("Akagi", "Japan", "CV", 4, 4), ship("Kaga", "Japan", "CV", 4, 4)), {"Japan/DD": 4})
RAIDERS = Force("Raiders", (ship("Kongo", "Japan", "BC", 4),), {"Japan/DD": 4})
TARGETS = Force(
    "Targets",
    (ship("Yorktown", "United States", "CV", 3), ship("Iowa", "United States", "BB", 4, hits=2)),
    {"United States/CA": 2, "United States/DD": 3},
)
SHIPS = {each.id for each in TARGETS.ships}
WAS_HIT = {each.id for each in TARGETS.ships if each.hits}


class Sampled(NamedTuple):
    """A segment to be fought: from which world, which one, what is counted of it, and the exact chances of that."""

    world: World
    segment: int
    exact: dict[str, Mapping[Hashable, Fraction]]


def at_segment(mine: Force, name: str, **more: Any) -> World:
    """The axis against the targets, which it has found twice; it has not been found itself."""
    world = world_of({Side.AXIS: (replace(mine, base="Home"),), Side.ALLIES: (replace(TARGETS, base="Home"),)})

    def changed(battle: Battle) -> Battle:
        allies, axis = battle.fleets[Side.ALLIES], battle.fleets[Side.AXIS]
        patrol = {AMERICA: more.get("patrol", 0)} if more.get("patrol") else {}
        groups = tuple(replace(each, found=2, **({} if each.hidden else {"patrol": patrol})) for each in allies.groups)
        fleets = {Side.ALLIES: replace(allies, groups=groups), Side.AXIS: axis}
        if name == "submarines":
            fleets[Side.AXIS] = replace(axis, submarines=BOATS, research={"torpedo": 1}, searching=3)
        return replace(battle, segment=name, aircraft=True, submarines=True, fleets=fleets)

    return world._replace(
        battle=changed(world.battle), known={side: changed(battle) for side, battle in world.known.items()}
    )


def as_the_admiral_aims(group: CombatGroup, squadrons: Counts) -> dict[str, dict[str, int]]:
    picture = Picture(Side.AXIS)
    battle = at_segment(STRIKERS, "air strikes").battle
    fleet = replace(battle.fleets[Side.ALLIES], groups=(group,))
    picture.battle = replace(battle, fleets={**battle.fleets, Side.ALLIES: fleet})
    form = targets_form(group, squadrons)
    told = air_targets(picture, Decide(Side.AXIS, "23.43", "air targets", "", form, f"CG{group.number}"), Doctrine())
    aimed: dict[str, dict[str, int]] = {}
    for key, where in told.items():
        for target, number in where.items():
            aimed.setdefault(target, {})[key] = number
    return aimed


def a_strike(patrol: int) -> Sampled:
    world = at_segment(STRIKERS, "air strikes", patrol=patrol)
    fleets = world.battle.fleets
    strike = Strike({JAPAN: 8}, fleets[Side.ALLIES].groups[0], True, fleets[Side.AXIS], fleets[Side.ALLIES])
    odds = strike_odds(CURRENT, strike._replace(aim=as_the_admiral_aims))
    exact: dict[str, Mapping[Hashable, Fraction]] = {
        "lost": {**odds.lost},
        "factors": {**odds.factors_sunk},
        "exchange": {**odds.exchange},
        **{id: {**chances} for id, chances in odds.ships.items()},
    }
    return Sampled(world, at.AIR_STRIKES, exact)


def submarine_attacks(patrol: int) -> Sampled:
    world = at_segment(RAIDERS, "submarines")
    fleets = world.battle.fleets
    keys = tuple(key for key, number in BOATS.items() for _ in range(number))
    attacks = SubmarineAttacks(
        keys,
        fleets[Side.ALLIES].groups[0],
        fleets[Side.AXIS],
        fleets[Side.ALLIES],
        world.battle.theatre,
        target=nearest_to_sinking,
    )
    odds = submarine_attack_odds(CURRENT, attacks)
    exact: dict[str, Mapping[Hashable, Fraction]] = {
        "lost": {**chances_of(odds.exchange, lambda pair: pair[0])},
        "factors": {**odds.factors_sunk},
        "exchange": {**odds.exchange},
        **{id: {**chances} for id, chances in odds.ships.items()},
    }
    return Sampled(world, at.SUBMARINES, exact)


CASES: dict[str, tuple[Callable[[int], Sampled], int]] = {
    "a strike on a group with a patrol": (a_strike, 2),
    "a strike on a group without one": (a_strike, 0),
    "submarines": (submarine_attacks, 0),
}


def found_in(sampled: Sampled, by: ModuleType, number: int) -> dict[str, Counter[Hashable]]:
    """A segment fought so many times, and what was found."""
    reading = load(("kernel_outcome",))["kernel_outcome"]
    prepared = kernels.prepare(sampled.world, USUAL)
    columns = prepared.columns
    lost = "squadrons lost" if sampled.segment == at.AIR_STRIKES else "submarines lost"
    wanted = {"lost": columns.index(lost, Side.AXIS), "factors": columns.index("factors sunk", Side.ALLIES)}
    wanted |= {column.name: index for index, column in columns.of("ship", Side.ALLIES)}
    plan = prepared.plan.reshape(-1, PLAN_WORDS)
    found: dict[str, Counter[Hashable]] = {name: Counter() for name in (*wanted, "exchange")}
    for battle in range(number):
        s = np.zeros(at.STATE_WORDS, np.int32)
        s[: len(prepared.before)] = prepared.before
        give_dice(s, 239, battle)
        s[at.SEGMENT] = sampled.segment
        by.carry_out(s, prepared.constants)
        told = {
            name: int(reading._number(s, prepared.before, prepared.constants, *map(int, plan[index][:4])))
            for name, index in wanted.items()
        }
        for name, value in told.items():
            was_hit = name in WAS_HIT and FATES[value] == "sound"  # nothing happened to her: she is hit as before
            found[name]["hit" if was_hit else FATES[value] if name in SHIPS else value] += 1
        found["exchange"][told["lost"], told["factors"]] += 1
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_few_segments_are_shared_out_as_their_exact_chances_say(plain: ModuleType, name: str) -> None:
    make, patrol = CASES[name]
    sampled = make(patrol)
    found = found_in(sampled, plain, FEW)
    told = {what: likelihood(found[what], sampled.exact[what]) for what in sampled.exact}
    assert {what: p for what, p in told.items() if p <= LEAST} == {}
    assert len(found["exchange"]) > 10  # much may happen


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_many_compiled_segments_are_shared_out_as_their_exact_chances_say(name: str) -> None:
    compile_all()
    from flagplot.odds import kernel_battle

    make, patrol = CASES[name]
    sampled = make(patrol)
    found = found_in(sampled, kernel_battle, MANY)
    told = {what: likelihood(found[what], sampled.exact[what]) for what in sampled.exact}
    assert {what: p for what, p in told.items() if p <= LEAST} == {}


def test_a_strike_counted_without_its_air_combat_is_found_out(plain: ModuleType) -> None:
    """The measure sees a step that is missing: a patrol makes a difference."""
    found, alone = found_in(a_strike(2), plain, FEW), a_strike(0).exact
    known = Counter({lost: number for lost, number in found["lost"].items() if lost in alone["lost"]})
    assert likelihood(known, alone["lost"]) <= LEAST
    assert set(found["lost"]) > set(alone["lost"])
