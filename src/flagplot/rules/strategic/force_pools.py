"""24.1 to 24.4 SW units: their force pools, when production may enlarge them, what may be built and what it costs.

Research, RPs, spending, construction and shipbuilding limits (27, 41, 42) are not held: they come as inputs.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ASW,
    BRITAIN,
    FRANCE,
    INTERCEPTOR,
    JAPAN,
    STRATEGIC_BOMBER,
    SUBMARINE,
    SW_UNITS,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    ForcePool,
)
from flagplot.rules.table import Ruleset

EUROPE, PACIFIC = "Europe", "Pacific"
US_EUROPEAN, US_PACIFIC = "United States, European", "United States, Pacific"
BOMBER_POOLS = (BRITAIN, US_EUROPEAN, US_PACIFIC)
ATLANTIC_US_BOX = "Atlantic U.S. box"
ROCKETS = "rockets"
OFFENSIVE = (SUBMARINE, STRATEGIC_BOMBER, "flying bombs", ROCKETS)


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left this turn of spending, construction and shipbuilding (27): None where nothing binds."""

    brps: int | None = None
    construction: int | None = None
    shipbuilding: int | None = None


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What units cost. They take no room in a shipyard."""

    brps: int
    shipbuilding: int
    shipyard_capacity: int = 0


# -- what SW units are ------------------------------------------------------------------------------


@rule("24.11")
def is_sw_unit(kind: str) -> bool:
    """24.11. Whether units of this kind are strategic warfare units."""
    return kind in SW_UNITS


@rule("24.11")
def employable(pool: ForcePool, wanted: int) -> int:
    """24.11. How many of the factors wanted may be employed: no more than are built, which the force pool bounds."""
    return max(0, min(wanted, pool.built))


@rule("24.12", "24.611.1")
def phase_for(activity: str) -> str:
    """24.12. In which phase of the owner's player turn, every player turn, SW units are built and fight."""
    return {"construction": "unit construction", "combat": "combat"}[activity]


@rule("24.611.1", "24.611.2")
def before_sw_combat(kind: str) -> tuple[str, ...]:
    """24.611. What the moving side may do before the SW combat of its offensive units: raiders, army air to bombing."""
    return ("raiders", "army air to bombing") if kind in OFFENSIVE else ()


@rule("24.13")
def effects_of(kind: str) -> tuple[str, ...]:
    """24.13. What offensive SW lowers: submarines shipping, bombs BRPs, and what else hangs on the target."""
    if kind == SUBMARINE:
        return ("shipping",)
    return ("BRPs", "construction limit", "target") if kind in OFFENSIVE else ()


# -- pools ------------------------------------------------------------------------------------------


@rule("24.31", "24.31A", "24.31B", "24.31C", "24.31D", "24.31E", "24.31F", "24.31G", "24.31H")
def starting_pools(rules: Ruleset, owner: str) -> Mapping[str, ForcePool]:
    """24.31. The pools a power begins the game with; those of the Western Allies together are their transports."""
    return rules.sw_units.starting[owner]


@rule("24.231.1", "24.232", "24.233")
def pool_of(power: str, kind: str, theater: str = EUROPE) -> str:
    """24.231. To which force pool a power's units belong.

    Britain and the U.S. have pools of their own for bombers, interceptors and submarines, the U.S. one of bombers for
    each theater; ASW and transports are the Western Allies' together.
    """
    if power in (BRITAIN, UNITED_STATES) and kind in (ASW, TRANSPORT):
        return WESTERN_ALLIES
    if power == UNITED_STATES and kind == STRATEGIC_BOMBER:
        return US_PACIFIC if theater == PACIFIC else US_EUROPEAN
    return power


@rule("24.232A", "24.232B", "24.232C")
def bombers_may_serve(pool: str, theater: str) -> Verdict:
    """24.232A. British and U.S. European bombers serve in Europe only, U.S. Pacific ones in the Pacific only."""
    numbers = dict(zip(BOMBER_POOLS, ("24.232A", "24.232B", "24.232C"), strict=True))
    home = PACIFIC if pool == US_PACIFIC else EUROPE
    return Verdict(theater == home, numbers[pool], f"these strategic bombers serve in {home} only")


@rule("24.232A", "24.232B", "24.232C")
def starting_bombers(rules: Ruleset) -> dict[str, int]:
    """24.232A. The factors in each of the three Western Allied bomber pools at the start."""
    sizes = {power: rules.sw_units.starting[power][STRATEGIC_BOMBER].size for power in (BRITAIN, UNITED_STATES)}
    return {BRITAIN: sizes[BRITAIN], US_EUROPEAN: sizes[UNITED_STATES], US_PACIFIC: 0}


@rule("24.231.2", "24.233")
def attribution(kind: str, produced: int, shares: Mapping[str, int]) -> Verdict:
    """24.231. Whether a Western Allied gain in production may be credited so: all of it, to those who have that pool."""
    owners = (WESTERN_ALLIES,) if kind in (ASW, TRANSPORT) else (BRITAIN, UNITED_STATES)
    number = "24.233" if kind in (ASW, TRANSPORT) else "24.231"
    stranger = next((owner for owner in shares if owner not in owners), None)
    if stranger is not None:
        return Verdict(False, number, f"{kind}s are credited to {' or '.join(owners)}, not to {stranger}")
    if any(share < 0 for share in shares.values()) or sum(shares.values()) != produced:
        return Verdict(False, number, f"the shares must add up to the {produced} produced")
    return Verdict(True, number, f"credited to {' and '.join(shares)}")


@rule("24.232D.1", "24.232D.2")
def bombers_stay_equal(pools: Mapping[str, int], added: Mapping[str, int]) -> Verdict:
    """24.232D. European additions keep the British and U.S. European pools equal, but for one odd factor.

    U.S. Pacific bombers stand outside it.
    """
    british, american = (pools.get(pool, 0) + added.get(pool, 0) for pool in (BRITAIN, US_EUROPEAN))
    if not added.get(BRITAIN, 0) and not added.get(US_EUROPEAN, 0):
        return Verdict(True, "24.232D", "no European strategic bombers are added")
    return Verdict(abs(british - american) <= 1, "24.232D", f"the pools would be {british} and {american}")


# -- production -------------------------------------------------------------------------------------


@rule("24.21", "24.21A", "24.21B", "24.21C", "24.21D", "24.232D.3", "24.234")
def may_produce(
    rules: Ruleset, power: str, kind: str, year: int, *, theater: str = EUROPE, bomber_results: int | None = None
) -> Verdict:
    """24.21. Whether RPs may enlarge a force pool from the YSS of this year on, whatever wars there are by then.

    `bomber_results` are "9+" results for strategic bombers; unsaid, those of the start.
    """
    units = rules.sw_units
    if power == FRANCE:
        return Verdict(False, "24.234", "France builds no SW units")
    buildable = units.buildable[power]
    if kind not in (*buildable.free, *buildable.with_research) or not is_sw_unit(kind):
        return Verdict(False, buildable.rule, f"{power} has no force pool of {kind}s that production could enlarge")
    if kind == STRATEGIC_BOMBER:
        return _may_produce_bombers(rules, power, year, theater, bomber_results)
    earliest: tuple[int, str] = (units.earliest, "24.21")
    if power in (BRITAIN, UNITED_STATES):
        earliest = units.earliest_western_allied.get(kind, earliest)
    elif power == JAPAN:
        earliest = units.earliest_japanese.get(kind, earliest)
    return _from(year, earliest)


def _from(year: int, earliest: tuple[int, str]) -> Verdict:
    first, number = earliest
    return Verdict(year >= first, number, f"from the {first} YSS on")


def _may_produce_bombers(rules: Ruleset, power: str, year: int, theater: str, results: int | None) -> Verdict:
    units = rules.sw_units
    known = results if results is not None else int(power in units.bomber_powers)
    if known < 1:
        return Verdict(False, "24.21A", f'{power} has no "9+" result for strategic bombers')
    if power in units.bomber_powers:
        serve = bombers_may_serve(pool_of(power, STRATEGIC_BOMBER, theater), theater)
        if not serve.holds:
            return serve
        if theater == PACIFIC:
            return _from(year, (units.earliest_pacific_bombers, "24.232D"))
    return _from(year, (units.earliest, "24.21A"))


@rule("24.22.1")
def joins_pool_at(kind: str) -> str:
    """24.22. At the end of which phase factors whose RPs are activated join their force pool."""
    return "research" if kind in (INTERCEPTOR, STRATEGIC_BOMBER) else "unit construction"


@rule("24.21", "24.22")
def enlarged(pool: ForcePool, factors: int) -> ForcePool:
    """24.22. The pool after production: more may be built; building them is another matter."""
    return ForcePool(pool.built, pool.allowable + factors)


# -- construction -----------------------------------------------------------------------------------


@rule("24.41A", "24.41B", "24.41C", "24.41D", "24.41E", "24.41F", "24.41G", "24.41H", "24.42", "24.234")
def may_build(rules: Ruleset, power: str, kind: str, *, researched: bool = False) -> Verdict:
    """24.41. Whether a power may build units of this kind: freely, with research, or never."""
    if kind == ROCKETS:
        return Verdict(researched, "24.42", "rockets need a successful research result")
    buildable = rules.sw_units.buildable[power]
    if kind in buildable.free:
        return Verdict(True, buildable.rule, f"{power} may build {kind}s")
    if kind in buildable.with_research:
        return Verdict(researched, buildable.rule, f"{power} may build {kind}s with research")
    return Verdict(False, buildable.rule, f"{power} may not build {kind}s")


@rule("24.43.1", "24.43.2")
def cost(rules: Ruleset, units: Mapping[str, int]) -> Cost:
    """24.43. BRPs and shipbuilding points for so many factors of each kind."""
    table = rules.sw_units
    naval = sum(number for kind, number in units.items() if kind in table.needs_shipbuilding)
    return Cost(table.brps * sum(units.values()), table.shipbuilding * naval)


@rule("24.22.2", "24.43", "24.11")
def construction_refused(
    rules: Ruleset, units: Mapping[str, int], pools: Mapping[str, ForcePool], limits: Limits
) -> tuple[Verdict, ...]:
    """24.22. What stands against building these factors now: the pools, spending, construction, shipbuilding.

    The limits are inputs (27.91A).
    """
    refused = []
    for kind, number in units.items():
        allowable = pools.get(kind, ForcePool()).allowable
        if number > allowable:
            refused.append(Verdict(False, "24.11", f"the force pool allows {allowable} more {kind}s, not {number}"))
    price = cost(rules, units)
    for due, left, what in (
        (price.brps, limits.brps, "BRPs to spend"),
        (price.brps, limits.construction, "BRPs of the construction limit"),
        (price.shipbuilding, limits.shipbuilding, "shipbuilding points"),
    ):
        if left is not None and due > left:
            refused.append(Verdict(False, "24.22", f"{due} {what} are needed, {left} are left"))
    return tuple(refused)


@rule("24.11", "24.12")
def built(pool: ForcePool, factors: int) -> ForcePool:
    """24.11. The pool after building so many of its allowable factors."""
    return ForcePool(pool.built + factors, pool.allowable - factors)


@rule("24.11")
def eliminated(pool: ForcePool, factors: int) -> ForcePool:
    """24.11. The pool after a loss: the factors may be built again (27.9 is not held; SR-28)."""
    return ForcePool(pool.built - factors, pool.allowable + factors)


# -- American strategic bombers -----------------------------------------------------------------------


@rule("24.53.1")
def american_bomber_begins_in() -> str:
    """24.53. Where the one American strategic bomber of the start stands."""
    return ATLANTIC_US_BOX


@rule("24.53.2")
def american_bombers_usable(place: str) -> Verdict:
    """24.53. American strategic bombers do nothing until they are in the air part of an SW box (26.21)."""
    return Verdict(not place.endswith("U.S. box"), "24.53", "American strategic bombers act from SW boxes only")
