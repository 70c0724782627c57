"""22.12, 22.22, 22.23: the sea between ports: paths and distances, and what of a passage bears on interceptions.

Everything here is a pure function of what everyone knows, except what a force itself is made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flagplot.core.forms import PathForm, path_form
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_fold import INVERTED
from flagplot.model.forces import CombatGroup
from flagplot.model.interception import (
    INVADING,
    Hunter,
    Interceptor,
    Level,
    Mover,
    Route,
    Spotter,
    Submarine,
    Target,
    Voyage,
)
from flagplot.model.operation import PURPOSES, RESTRICTIONS, Boats, Leg, NavalForce, Operation, Try, as_marker
from flagplot.model.operation_events import ForcesPlaced, MarkersMoved
from flagplot.model.setup import Air, Public
from flagplot.model.ships import light
from flagplot.model.squadrons import NEAR, squadron
from flagplot.rules.naval.combat_groups import slow_units
from flagplot.rules.naval.interception import in_range
from flagplot.rules.naval.interceptors import (
    assisting_submarines,
    immune_in_norway,
    immunity,
    interception_hexes,
    may_intercept,
    spots,
)
from flagplot.rules.table import Ruleset, Table

MOST_ROUTES = 4  # offered with a question for a path
FAR = 99  # hexes to a place no ship can reach
ANGLO_FRENCH, RUSSO_ALLIED = RESTRICTIONS
SPOTTERS = {  # what spots, by kind and state (23.11A)
    ("AAF", ""): "AAF",
    ("AAS", "search"): "search AAS",
    ("NAS", ""): "land-based NAS",
    ("NAS", "elite"): "land-based NAS",
}

Seas = Mapping[str, Sequence[str]]

# -- paths ----------------------------------------------------------------------------------------


def is_box(seas: Seas, hex: str) -> bool:
    """Whether this is a box at the edge of the map: ships sail into it and out of it, never through it."""
    return hex in seas.get(hex, ())


@rule("22.23")
def distances(seas: Seas, start: str) -> dict[str, int]:
    """22.23. How many hexes every hex is from one of them, by sea."""
    found = {start: 0}
    row = [start]
    while row:
        following: list[str] = []
        for hex in row:
            for near in seas.get(hex, ()) if hex == start or not is_box(seas, hex) else ():
                if near not in found:
                    found[near] = found[hex] + 1
                    following.append(near)
        row = following
    return found


def shortest(seas: Seas, start: str, end: str, without: Sequence[str] = ()) -> tuple[str, ...]:
    """A shortest path, always the same one; empty if there is none."""
    before = {start: start}
    row = [start]
    while row and end not in before:
        following: list[str] = []
        for hex in row:
            for near in seas.get(hex, ()) if hex == start or not is_box(seas, hex) else ():
                if near not in before and near not in without:
                    before[near] = hex
                    following.append(near)
        row = following
    if end not in before:
        return ()
    path = [end]
    while path[-1] != start:
        path.append(before[path[-1]])
    return tuple(reversed(path))


def routes(seas: Seas, start: str, end: str, most: int = 0) -> list[tuple[str, ...]]:
    """Paths worth offering: a shortest one, and some that avoid a hex of it."""
    first = shortest(seas, start, end)
    found = [first] if first else []
    inner = first[1:-1]
    for hex in dict.fromkeys((*inner[len(inner) // 2 :], *inner)):
        other = shortest(seas, start, end, (hex,))
        if other and other not in found and (not most or len(other) - 1 <= most):
            found.append(other)
        if len(found) == MOST_ROUTES:
            break
    return [path for path in found if not most or len(path) - 1 <= most]


@rule("22.12", "22.23.2")
def passage_form(operation: Operation, start: str, end: str, most: int, most_rule: str) -> PathForm:
    """22.12. A question for the exact path of a voyage; the shortest way is the default."""
    seas = operation.sea.seas
    offered = routes(seas, start, end, most) or [shortest(seas, start, end)]
    closed = [hex for hex in seas if hex not in (start, end) and is_box(seas, hex)]
    steps = {hex: tuple(step for step in near if step not in closed) for hex, near in seas.items() if hex not in closed}
    return path_form(offered, steps, most, most_rule)


# -- who is where ---------------------------------------------------------------------------------


@rule("22.11A", "22.11C", "22.12", "22.13A", "22.18B")
def rows_of(operation: Operation, leg: Leg) -> tuple[tuple[str, ...], ...]:
    """22.12. The hexes in which a leg may be intercepted, a row for each side of a strait; none if it is immune.

    That is on the map only: in an SW box ships are opposed otherwise, if at all (22.11C).
    """
    asw, transports, against_raiders = (leg.purpose == purpose for purpose in PURPOSES)
    mover = Mover(
        leg.kind,
        leg.nation,
        leg.side is Side.AXIS,
        _end_of(operation, leg, leg.start),
        _end_of(operation, leg, leg.end),
        asw=asw,
        transports=transports,
        began_at_sea=leg.began_at_sea,
        against_raiders=against_raiders,
        returning=leg.returning,
    )
    if immunity(mover).holds:
        return ()
    immune = [harbour.hex for side in Side for harbour in operation.sea.harbours[side] if harbour.box == "SW"]
    immune += operation.sea.norway if immune_in_norway(mover) else ()
    return interception_hexes(Route(leg.path, operation.sea.straits, leg.at_sea, tuple(immune)))


def _end_of(operation: Operation, leg: Leg, hex: str) -> str:
    """The port or box in a hex, by the name the rules know it by."""
    for harbour in operation.sea.harbours[leg.side]:
        if harbour.hex == hex:
            return "SW box" if harbour.box == "SW" else harbour.name
    return hex


@rule("22.112")
def at_war(operation: Operation, nation: str, others: Iterable[str]) -> bool:
    """22.112. Whether a nation is at war with one of these; unless the set-up says otherwise, all are."""
    peace = operation.sea.at_peace
    return any((nation, other) not in peace and (other, nation) not in peace for other in others)


@rule("22.11", "22.11B", "22.16")
def hunter_of(
    operation: Operation, side: Side, force: NavalForce, distance: int, against: Sequence[str] = ("",)
) -> Hunter:
    """22.11. A force as far as it may be barred from intercepting."""
    box, operational, fortified = "", True, False
    if force.harbour:
        harbour = operation.harbour(side, force.harbour)
        box, operational, fortified = harbour.box, harbour.operational, harbour.fortified
    return Hunter(
        inverted=force.inverted,
        committed=force.committed,
        attempted=force.attempted,
        box=box,
        port_operational=operational,
        port_fortified=fortified,
        patrol=force.patrol,
        at_war=at_war(operation, force.nation, against),
        distance=distance,
    )


@rule("22.11", "22.911", "22.913")
def boats_hunter(
    operation: Operation, side: Side, boats: Boats, distance: int, against: Sequence[str] = ("",)
) -> Hunter:
    """22.911. Submarines as far as they may be barred from intercepting."""
    box, operational, fortified = "", True, False
    if not boats.patrol:
        harbour = operation.harbour(side, boats.station)
        box, operational, fortified = harbour.box, harbour.operational, harbour.fortified
    return Hunter(
        submarine=True,
        box=box,
        port_operational=operational,
        port_fortified=fortified,
        patrol=boats.patrol,
        at_war=any(at_war(operation, light(key).nation, against) for key in boats.ready),
        distance=distance,
    )


@rule("22.11", "22.112", "22.14D", "22.16", "22.255", "22.911", "22.916A")
def may_try(
    rules: Ruleset,
    operation: Operation,
    side: Side,
    level: Level,
    reach: Iterable[str],
    against: Sequence[str] = ("",),
) -> tuple[list[NavalForce], list[Boats]]:
    """22.11. The forces and submarines of a side that may intercept in at least one of these hexes. Public facts only.

    Ships at sea on a voyage may not; a patrol at sea may. Submarines counter as ships do (22.16, 22.916A). `against` are
    the nations of the targets.
    """
    hexes = list(reach)
    forces = []
    for force in operation.forces[side]:
        if (force.harbour or force.patrol) and hexes:
            near = nearest(operation, force.place, hexes)
            if not may_intercept(rules, operation.theatre, hunter_of(operation, side, force, near, against), level):
                forces.append(force)
    boats = []
    for each in operation.boats[side]:
        if each.ready and hexes:
            near = nearest(operation, each.hex, hexes)
            if not may_intercept(rules, operation.theatre, boats_hunter(operation, side, each, near, against), level):
                boats.append(each)
    return forces, boats


def nearest(operation: Operation, start: str, hexes: Sequence[str]) -> int:
    """How far the nearest of these hexes is by sea."""
    far = distances(operation.sea.seas, start)
    return min((far.get(hex, FAR) for hex in hexes), default=FAR)


@rule("22.22")
def within_range(rules: Ruleset, operation: Operation, start: str, hexes: Sequence[str]) -> list[str]:
    """22.22. Of these hexes, those a force may intercept in."""
    far = distances(operation.sea.seas, start)
    return [hex for hex in hexes if in_range(rules, operation.theatre, far.get(hex, FAR))]


@rule("22.24B", "22.252B.2", "22.27.1")
def turning_point(operation: Operation, attempt: Try) -> str:
    """22.24B. Where ships turn back that never met anybody: as far on their path as their dice brought them, or as they have
    come already (FP-109)."""
    here = operation.force(attempt.side, attempt.force).place
    come = attempt.path.index(here) if here in attempt.path else 0
    brought = attempt.distance if attempt.result is None else attempt.result
    return attempt.path[min(attempt.distance, max(come, brought))]


def place_forces(table: Table, side: Side, forces: Sequence[NavalForce], gone: Sequence[str] = ()) -> None:
    """Put forces on the board as they now are. A task force is a marker to the enemy; all else lies open.

    A marker that shows what it showed before is not touched: that something inside has changed is its owner's secret.
    """
    shown = tuple(force for force in forces if table.operation.open or not force.task_force)
    hidden = tuple(force for force in forces if force not in shown)
    before = [as_marker(force) for force in table.operation.forces[side]]
    moved = [marker for marker in map(as_marker, hidden) if marker not in before]
    if shown:
        table.record(ForcesPlaced(rule="22.423B", to=Audience.EVERYONE, side=side, forces=shown))
    if hidden:
        table.record(ForcesPlaced(rule="22.423B", to=only(side), side=side, forces=hidden))
    if moved or gone:
        markers = tuple(sorted(moved, key=lambda force: force.id))  # any other order might tell
        table.record(MarkersMoved(rule="22.423B", to=Audience.EVERYONE, side=side, forces=markers, gone=tuple(gone)))


# -- what the dice depend on ----------------------------------------------------------------------


@rule("22.22D", "22.22J")
def interceptor_of(attempt: Try, force: NavalForce | None) -> Interceptor:
    """22.22J. A force that rolls: whether it has slow ships, whether it is cruisers and destroyers alone (IR-32)."""
    if force is None:
        return Interceptor(attempt.id, attempt.distance, "submarine")
    slow = bool(slow_units(CombatGroup(1, ships=force.ships, light=force.light)))
    only_light = not force.ships and all(light(key).kind in ("CA", "DD") for key in force.light)
    carrier = any(ship.fully_operational for ship in force.ships)
    return Interceptor(
        attempt.id,
        attempt.distance,
        attempt.kind,
        slow,
        only_light,
        force.magic,
        shares=attempt.contact,
        carrier=carrier,
    )


@rule("22.141")
def voyage_of(leg: Leg) -> Voyage:
    """22.141. A leg as far as it decides whom else an interception catches."""
    return Voyage(leg.id, leg.kind, leg.path, leg.zone, leg.nation, leg.combined, leg.task_forces, leg.cargo)


def target_of(legs: Sequence[Leg], hex: str) -> Target:
    """What is intercepted together as one force (AM-22)."""
    return Target(
        tuple(dict.fromkeys(leg.kind for leg in legs)),
        sum(leg.task_forces for leg in legs),
        any(leg.cargo for leg in legs),
        any(leg.returning for leg in legs),
        any(leg.staying and leg.end == hex for leg in legs),  # IR-30
        in_invasion_hex=any(leg.kind in INVADING and leg.end == hex for leg in legs),
    )


@rule("22.22F")
def defenders(legs: Sequence[Leg], hex: str) -> int:
    """22.22F. The ground factors that defend a hex against those who invade it, however many voyages they come in."""
    return max((leg.ground for leg in legs if leg.end == hex), default=0)


def spotters(operation: Operation, side: Side, path: Sequence[str], hex: str) -> int:
    """The squadrons of a side that spot a force on this path."""
    return spotters_of(operation, side, [path], hex)


@rule("22.22G", "22.22G.3", "23.11A")
def spotters_of(
    operation: Operation,
    side: Side,
    paths: Sequence[Sequence[str]],
    hex: str,
    nation: str = "",
    struck: Mapping[str, int] | None = None,
) -> int:
    """22.22G. The squadrons of a side that spot what is met in a hex: search AAS, naval air, and an AAF for one.

    Forces on several paths are one force there (AM-22): who spots one of them has spotted it. `nation` is that of those
    who intercept; `struck` are aircraft that a patrol among them attacked on its way, inverted or not, alive or not.
    """
    number = 0
    restricted = RUSSO_ALLIED in operation.sea.restrictions
    for field in operation.airfields.get(side, ()):
        reach = operation_range(operation, side)
        reaches = tuple(each for each, far in field.distances.items() if far <= reach)
        base = field.base
        hit = [(key, n) for key, n in (struck or {}).items() if squadron(key).base.removesuffix(INVERTED) == base.name]
        for key, n in hit or (*base.factors.items(), *base.squadrons.items()):
            kind = SPOTTERS.get((squadron(key).kind, squadron(key).state), "")
            unit = Spotter(
                key, kind, reaches, squadron(key).nation, base_operational=base.operational, struck=bool(hit)
            )
            seen = [spots(unit, path, hex, nation=nation, russo_allied_restrictions=restricted) for path in paths]
            number += n * any(each.holds for each in seen)
    return number


@rule("23.75A")
def air_reach(operation: Operation, side: Side, hexes: Iterable[str]) -> list[str]:
    """23.75A. Of these hexes, those within reach of uninverted aircraft of a side in operational bases."""
    reach = operation_range(operation, side)
    fields = [
        field
        for field in operation.airfields.get(side, ())
        if field.base.operational and (field.base.factors or field.base.squadrons)
    ]
    return [hex for hex in hexes if any(field.distances.get(hex, FAR) <= reach for field in fields)]


def operation_range(operation: Operation, side: Side) -> int:
    """How far a side's land-based air reaches (18, an input)."""
    return operation.sea.air_range.get(side, 0) or FAR


@rule("22.431", "23.61")
def carrier_reach(public: Public, side: Side) -> int:
    """23.61. How far carrier air reaches (18, an input); three hexes unless that is said (FP-73)."""
    return public.air.get(side, Air()).carrier_range or NEAR


@rule("22.22H")
def helping_boats(rules: Ruleset, operation: Operation, side: Side, hex: str) -> int:
    """22.22H. The submarines of a side near enough to help its surface forces."""
    far = distances(operation.sea.seas, hex)
    return assisting_submarines(
        rules,
        [
            Submarine(far.get(boats.hex, FAR), boats.uninverted, bool(boats.patrol))
            for boats in operation.boats[side]
            if boats.uninverted
        ],
    )
