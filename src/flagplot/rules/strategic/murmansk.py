"""40.451 Attacks on Murmansk convoys: air, then ships, then submarines, and when hits short of damage are repaired.

40.452 to 40.46 are not held. What the Murmansk box holds and what may sail are inputs; how many transports, destroyers and
submarines there are to so many BRPs follows an older edition (FP-76).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.ships import Ship
from flagplot.model.strategic_war import GERMANY
from flagplot.model.war import MURMANSK
from flagplot.rules.table import Ruleset

MURMANSK_BOX = MURMANSK
BRPS_OF_A_TRANSPORT, BRPS_OF_A_DESTROYER = 10, 3  # FP-76
ATLANTIC_SUBMARINES = 10  # for each that attacks a convoy (FP-76)


class Stage(StrEnum):
    """The stages of an attack on a convoy."""

    AIR = "air attacks"
    NAVAL = "naval combat"
    SUBMARINES = "submarine attacks"


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stage with the hits each of its sorties, rounds or submarines scores on a ship, in order."""

    stage: Stage
    hits: tuple[int, ...] = ()


@rule("40.451A")
def may_intercept(nation: str, based_in: str) -> Verdict:
    """40.451A. Germans based in the Murmansk box meet the convoy as their player names them: in range, without dice."""
    right = nation == GERMANY and based_in == MURMANSK_BOX
    return Verdict(right, "40.451A", "German air and naval units of the Murmansk box; interception is automatic")


@rule("40.451")
def transports_for(brps: int) -> int:
    """40.451. How many transports so many BRPs take; the last one need not be full (FP-76)."""
    return -(-brps // BRPS_OF_A_TRANSPORT)


@rule("40.451")
def destroyers_for(brps: int) -> int:
    """40.451. How many destroyer factors guard so many BRPs at the least (FP-76)."""
    return -(-brps // BRPS_OF_A_DESTROYER)


@rule("40.451D.1")
def submarines_that_may_attack(in_atlantic: int, most: int | None = None) -> int:
    """40.451D. How many submarines may attack a convoy: as many as is said, or one for every ten or part of ten in the
    Atlantic SW box (FP-76); never more than are there."""
    return min(in_atlantic, -(-in_atlantic // ATLANTIC_SUBMARINES) if most is None else most)


@rule("40.451", "40.451B", "40.451C.1", "40.451C", "40.451D.1")
def stages(*, air: bool, ships: bool, submarines: int, air_within_naval: bool = False) -> tuple[tuple[Stage, ...], ...]:
    """40.451. The stages in order; Germany may fold its air attacks into naval combat if there is any.

    How many submarines attack is said when their turn has come.
    """
    folded = air and ships and air_within_naval
    order: list[tuple[Stage, ...]] = []
    if air and not folded:
        order.append((Stage.AIR,))
    if ships:
        order.append((Stage.AIR, Stage.NAVAL) if folded else (Stage.NAVAL,))
    if submarines:
        order.append((Stage.SUBMARINES,))
    return tuple(order)


@rule("40.451B.1", "40.451C.2", "40.451D.2", "40.451C", "20.512D")
def after_attack(rules: Ruleset, ship: Ship, attack: Attack) -> Ship | None:
    """40.451. A named ship after a stage: air sorties are repaired one by one, the others when the stage ends.

    Hits of naval combat add up, and those of all submarines, as if in one hex (20.512D). None: she is sunk.
    """
    for hits in attack.hits:
        fate = rules.fate_at_sea(ship, hits)
        if fate == "sunk":
            return None
        ship = replace(ship, hits=ship.hits + hits, damaged=fate == "damaged")
        if attack.stage is Stage.AIR:
            ship = repaired(ship)
    return repaired(ship)


@rule("40.451B.1", "40.451C.2", "40.451D.2", "20.512D")
def repaired(ship: Ship) -> Ship:
    """40.451. Hits too few to damage her disappear."""
    return ship if ship.damaged else replace(ship, hits=0)


@rule("40.451")
def after_convoy(rules: Ruleset, ship: Ship, attacks: Sequence[Attack]) -> Ship | None:
    """40.451. A named ship after all stages in order; None: she is sunk."""
    for attack in attacks:
        left = after_attack(rules, ship, attack)
        if left is None:
            return None
        ship = left
    return ship
