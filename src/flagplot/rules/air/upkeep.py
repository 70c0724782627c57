"""23.141, 23.144, 23.152D, 23.164: what becomes of the aircraft of a base when a phase or a player turn is over.

Each function gives the base as it is afterwards; everything is pure. conversion.py has the arithmetic, and keeps the force
pool; here it is applied to what stands at a base, nation by nation and kind by kind, for these never merge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.model.ships import minus, plus
from flagplot.model.squadrons import FACTORS, AirBase, Counts, squadron, squadron_key
from flagplot.rules.air.conversion import Recombined, recombine, recombine_after_counterair

KINDS = {made: kind for kind, made in FACTORS.items()}  # squadrons, and the factor they become


class PutTogether(NamedTuple):
    """A base after squadrons became factors, and the squadrons that were left over and lost."""

    base: AirBase
    lost: dict[str, int]


@rule("23.164", "23.161.1")
def served_so_far(before: Counts, lost: Counts, now: Counts) -> dict[str, int]:
    """23.164. Squadrons of a base that have acted at sea in a player turn, after one more attack or battle: of those alike
    it may always be the same ones that act, and what was lost has acted (FP-45)."""
    left = minus(before, lost)
    return {**left, **{key: max(left.get(key, 0), number) for key, number in now.items()}}


@rule("23.164", "23.164.1")
def invert_used(base: AirBase, used: Counts) -> AirBase:
    """23.164. The end of the redeployment phase: squadrons that searched, covered or attacked at sea in the player turn are
    inverted. `used` are those, by key; one that redeploys is inverted at once, in the same way."""
    turned = {key: min(number, base.squadrons.get(key, 0)) for key, number in used.items()}
    return replace(base, squadrons=minus(base.squadrons, turned), inverted=plus(base.inverted, turned), used={})


@rule("23.164.2")
def uninvert(base: AirBase, redeployed: Counts) -> AirBase:
    """23.164. The end of the owner's player turn: what is inverted and did not redeploy may be turned again."""
    squadrons, factors = minus(base.inverted, redeployed), minus(base.inverted_factors, redeployed)
    return replace(
        base,
        squadrons=plus(base.squadrons, squadrons),
        inverted=minus(base.inverted, squadrons),
        factors=plus(base.factors, factors),
        inverted_factors=minus(base.inverted_factors, factors),
    )


@rule("23.141C", "23.142A", "23.142B.2", "23.144", "23.17", "23.18.1")
def put_together_all(base: AirBase) -> PutTogether:
    """23.141C. The end of a player turn: all army squadrons, jets and air transports of a base become factors again, which
    are uninverted only if made of one uninverted squadron of each role (23.144)."""
    return _put_together(base, lambda awake, asleep: recombine(awake, asleep))


@rule("23.152D", "23.142A")
def put_together_after_counterair(base: AirBase) -> PutTogether:
    """23.152D. When all counterair of a phase is over, squadrons that took part become factors again, inverted."""
    return _put_together(base, lambda awake, asleep: recombine_after_counterair(_number(awake) + _number(asleep)))


def _number(counts: Counts) -> int:
    return sum(counts.values())


def _put_together(base: AirBase, formed: Callable[[Mapping[str, int], Mapping[str, int]], Recombined]) -> PutTogether:
    lost: dict[str, int] = {}
    owners = dict.fromkeys(
        (squadron(key).nation, squadron(key).kind)
        for key in (*base.squadrons, *base.inverted)
        if squadron(key).kind in KINDS
    )
    for nation, kind in owners:
        awake, asleep = (
            {key: number for key, number in counts.items() if squadron(key)[:2] == (nation, kind)}
            for counts in (base.squadrons, base.inverted)
        )
        made = formed(*({squadron(key).state: n for key, n in counts.items()} for counts in (awake, asleep)))
        factor = squadron_key(nation, KINDS[kind])
        lost = plus(lost, {squadron_key(nation, kind): made.remnants})
        base = replace(
            base,
            squadrons=minus(base.squadrons, awake),
            inverted=minus(base.inverted, asleep),
            factors=plus(base.factors, {factor: made.uninverted}),
            inverted_factors=plus(base.inverted_factors, {factor: made.inverted}),
        )
    return PutTogether(base, lost)
