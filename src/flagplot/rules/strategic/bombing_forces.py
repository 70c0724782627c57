"""26.1, 26.2, 26.41 to 26.43: what flies for or against bombers, from where, how far, and what a bomber force is.

Everything here is a pure function of plain values. Supply, oil, the range of jets and the cost of air missions are
inputs (17.5, 18, 30, 33; SR-40).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_bombing import AirUnit, BomberForce, Placement, Supply, Unit
from flagplot.rules.table import Ruleset

AMERICAN_BOMBER_STARTS_IN = "Atlantic U.S. box"
ROLES: Mapping[Unit, tuple[str, ...]] = {
    Unit.BOMBER: ("bomb",),
    Unit.INTERCEPTOR: ("escort", "intercept bombers", "oppose flying bombs"),
    Unit.AAF: ("bomb", "escort", "intercept bombers", "oppose flying bombs"),
    Unit.JET: ("escort", "intercept bombers", "oppose flying bombs"),
    Unit.NAS: (),
}

# -- roles ----------------------------------------------------------------------------------------


@rule("24.613", "26.11", "26.12", "26.13.1", "26.13.2", "26.13.3", "26.14.1", "26.15.2", "26.422.3", "26.43")
def roles_of(kind: Unit) -> tuple[str, ...]:
    """26.11. What a kind of air unit may do in strategic bombing: bomb, escort, or oppose bombers or flying bombs."""
    return ROLES[kind]


# -- fronts ---------------------------------------------------------------------------------------


@rule("26.21.1")
def fronts(rules: Ruleset, theatre: str) -> tuple[str, ...]:
    """26.21. The three fronts of a theatre, each a part of the air side of its SW box."""
    return rules.bombing.fronts[theatre]


@rule("24.51", "24.52", "26.21.2", "26.25.1")
def may_change_front(kind: Unit, phase: str) -> Verdict:
    """26.21. Bombers and interceptors go to another front in the redeployment phase, whether they were used or not."""
    if kind not in (Unit.BOMBER, Unit.INTERCEPTOR):
        return Verdict(False, "26.25", f"{kind} are never placed in an SW box")
    if phase != "redeployment":
        return Verdict(False, "26.21", "only in the redeployment phase")
    return Verdict(True, "26.21", "even if used in its owner's turn")


@rule("24.53.2", "26.21.1", "26.22", "26.23A", "26.23B.1", "26.23B.2", "26.25.1")
def may_be_placed(rules: Ruleset, unit: Placement) -> Verdict:
    """26.22. Whether a newly built bomber or interceptor may be placed on a front."""
    if unit.kind not in (Unit.BOMBER, Unit.INTERCEPTOR):
        return Verdict(False, "26.25", f"{unit.kind} are never placed in an SW box")
    if unit.front not in fronts(rules, unit.theatre):
        return Verdict(False, "26.21", f"{unit.front} is no front of that theatre")
    if unit.built_in not in ("", unit.theatre):
        return Verdict(False, "26.22", "only in the theatre it was built for")
    if not serves_in_theatre(unit.nation, unit.kind, unit.theatre).holds:
        return serves_in_theatre(unit.nation, unit.kind, unit.theatre)
    if unit.nation == "United States" and not unit.at_war:
        return Verdict(False, "26.23B", "it stays in the United States until they are at war in that theatre")
    if not unit.operational_base:
        return Verdict(False, "26.22", "no friendly operational air base on that front")
    return Verdict(True, "26.22", "a friendly operational air base is on that front")


@rule("26.23A")
def serves_in_theatre(nation: str, kind: Unit, theatre: str) -> Verdict:
    """26.23A. Whether air units of a nation may be employed in a theatre: British bombers and interceptors in Europe only;
    of army air and jets nothing is said."""
    barred = nation == "Britain" and kind in (Unit.BOMBER, Unit.INTERCEPTOR) and theatre == "Pacific"
    return Verdict(not barred, "26.23A", "British bombers and interceptors never serve in the Pacific")


@rule("24.53", "26.23B")
def may_be_used(unit: AirUnit, *, in_sw_box: bool) -> Verdict:
    """24.53. American bombers do nothing until they are in an SW box; the first one begins in the Atlantic U.S. box."""
    if unit.kind is Unit.BOMBER and unit.nation == "United States" and not in_sw_box:
        return Verdict(False, "24.53", f"not yet in an SW box; the first begins in the {AMERICAN_BOMBER_STARTS_IN}")
    return Verdict(True, "24.53", "nothing holds it back")


@rule("24.21", "26.23B.3")
def may_produce_bombers(rules: Ruleset, nation: str, theatre: str, year: int) -> Verdict:
    """26.23B. Western Allied bombers for Europe from 1940, American ones for the Pacific from 1944.

    For others it is their research that counts (24.21A, an input).
    """
    if nation not in ("Britain", "United States"):
        return Verdict(True, "24.21A", "it takes a bomber result of its own (an input)")
    if nation == "Britain" and theatre == "Pacific":
        return Verdict(False, "26.23A", "British bombers never serve in the Pacific")
    first = rules.bombing.production_from[theatre]
    return Verdict(year >= first, "26.23B", f"from {first} on")


# -- ranges ---------------------------------------------------------------------------------------


@rule("ARE", "26.421", "26.422.1", "26.422.2", "26.431", "26.443A", "26.443B")
def range_of(rules: Ruleset, theatre: str, results: int, kind: Unit, jet_range: int = 0) -> int:
    """26.421. How many hexes a unit flies: bombers and interceptors by air range research, army air always four or
    three, jets by research of their own (43, an input), unsaid as far as army air (FP-112)."""
    row = rules.air_range.read(results)
    if kind is Unit.BOMBER:
        return row.bombers[theatre]
    if kind is Unit.INTERCEPTOR:
        return row.interceptors[theatre]
    return jet_range if kind is Unit.JET and jet_range else rules.air_range.army_air[theatre]


@rule("26.461B.2", "26.422.2", "ARE.N2")
def excess_range(rules: Ruleset, theatre: str, results: int, distance: int) -> int:
    """26.461B. Hexes of bomber range beyond the distance flown; bombing army air uses bomber range here too (SR-31).

    If bombers come from several bases, the longest distance counts.
    """
    return max(0, range_of(rules, theatre, results, Unit.BOMBER) - distance)


@rule("ARE.N1")
def air_range_results(achieved: int) -> int:
    """ARE. Air range results that count: three in a game at most, each a research result of ten or more."""
    return min(3, max(0, achieved))


# -- who may bomb or escort -----------------------------------------------------------------------


@rule(
    "24.611.2",
    "26.11",
    "26.12",
    "26.13.1",
    "26.14.2",
    "26.21.3",
    "26.23A",
    "26.31.1",
    "26.31.3",
    "26.31.4",
    "26.422.1",
    "26.422.2",
    "26.422.3",
    "26.43",
    "26.663",
)
def bars_to_flying(
    rules: Ruleset, theatre: str, results: int, unit: AirUnit, role: str, distance: int, *, us_box: bool = False
) -> tuple[Verdict, ...]:
    """26.31. What bars a unit from bombing or escorting to a target so far off, each with its rule; nothing if it may.

    `us_box`: it flies from or against a U.S. box. An escort out of range of the target may still go part of the way
    (26.43): its range is not asked here.
    """
    barred = []

    def bar(holds: bool, number: str, why: str) -> None:
        if holds:
            barred.append(Verdict(False, number, why))

    tactical = unit.kind in (Unit.AAF, Unit.JET)
    reach = range_of(rules, theatre, results, unit.kind, unit.jet_range)
    bar(unit.kind is Unit.NAS, "26.422", "naval air never bombs strategically")
    bar(unit.kind is not Unit.NAS and role not in roles_of(unit.kind), "26.1", f"{unit.kind}s do not {role}")
    theatres = serves_in_theatre(unit.nation, unit.kind, theatre)
    bar(not theatres.holds, theatres.rule, theatres.why)
    bar(unit.inverted, "26.13", "inverted")
    bar(not unit.base_operational, "26.31", "its base is not operational")
    bar(tactical and unit.supply is not Supply.FULL, "26.13", "not fully supplied")
    bar(tactical and unit.oil_effects, "26.14", "air oil effects (33, an input)")
    bar(role == "escort" and unit.opposed_flying_bombs, "26.663", "it opposed flying bombs in the last player turn")
    bar(role == "bomb" and distance > reach, "26.31", f"{distance} hexes is more than its range of {reach}")
    bar(
        us_box and unit.kind is Unit.BOMBER and results < rules.bombing.us_box_results,
        "26.31",
        "the U.S. boxes take three air range results",
    )
    bar(us_box and unit.kind is not Unit.BOMBER, "26.31", "only strategic bombers fly from or against the U.S. boxes")
    if unit.base_nation == "China" and unit.nation == "United States":
        own = unit.base_supplied_by in ("Britain", "United States") and unit.supply is Supply.FULL
        bar(not own, "26.31", "a Chinese base needs full supply from a British or American source")
        bar(unit.oil_effects and not tactical, "26.31", "a Chinese base must be free of air oil effects")
    return tuple(barred)


# -- the force ------------------------------------------------------------------------------------


@rule("26.52")
def army_air_allowed(rules: Ruleset, nation: str, wanted: int, used: int = 0) -> int:
    """26.52. Army air that may bomb conventionally this turn: ten in all for Japan, any number for others."""
    if nation != "Japan":
        return wanted
    return min(wanted, max(0, rules.bombing.most_japanese_army_air - used))


@rule("26.13.2", "26.42A", "26.42B", "26.43A", "26.43B", "26.43C")
def bomber_force(
    rules: Ruleset, *, strategic_bombers: int = 0, aaf: int = 0, interceptors: int = 0, jets: int = 0
) -> BomberForce:
    """26.42. The force these factors make: a third of the army air, rounded down, bombs; the rest escorts."""
    bombing = aaf // rules.bombing.army_air_to_a_bomber
    return BomberForce(strategic_bombers, bombing, aaf - bombing, interceptors, jets)


@rule("26.41.2")
def one_nationality(nations: Sequence[str]) -> Verdict:
    """26.41. A force with its escorts is of one nationality."""
    several = list(dict.fromkeys(nations))
    if len(several) > 1:
        return Verdict(False, "26.41", f"{' and '.join(several)} bomb separately")
    return Verdict(True, "26.41", "all of one nationality")


@rule("26.442.3")
def one_route(routes: Mapping[tuple[str, str], Sequence[str]]) -> Verdict:
    """26.442. All that fly from one base hex to one target hex take one route. Keys are base and target."""
    for (base, target), taken in routes.items():
        if len(dict.fromkeys(taken)) > 1:
            return Verdict(False, "26.442", f"what flies from {base} to {target} takes one route")
    return Verdict(True, "26.442", "one route for each base and target")


@rule("26.43", "26.431")
def force_at(
    rules: Ruleset, theatre: str, results: int, force: BomberForce, distances: Mapping[str, int], jet_range: int = 0
) -> BomberForce:
    """26.43. The force in a hex of its route: escorts beyond their range are no part of it there (SR-39).

    `distances` is that of each escorting group (escort_aaf, interceptors, jets) from its base to the hex.
    """
    kinds = {"escort_aaf": Unit.AAF, "interceptors": Unit.INTERCEPTOR, "jets": Unit.JET}
    absent = {
        group: 0
        for group, kind in kinds.items()
        if distances.get(group, 0) > range_of(rules, theatre, results, kind, jet_range)
    }
    return replace(force, **absent)


@rule("24.611.1", "26.41.1", "26.441", "26.451.2", "26.51.2", "26.64")
def order_of_bombing() -> tuple[str, ...]:
    """26.41. The order of a combat phase in which bombs fall; flying bombs and rockets are announced with the raids."""
    return (
        "the attacker announces forces, targets, routes, the order of raids, flying bombs and rockets",
        "the defender assigns interceptors, army air and jets to targets",
        "air combat of each force, once on each front it crosses",
        "SW combat of the bombers that arrive with their target",
        "flying bombs",
        "rockets",
        "the damage of each hex is added up and takes effect",
    )
