"""20.5 The effects of hits.

Named ships keep count of their hits; light ships take the hits of each roll at once and keep nothing but damage
(RC-13). Everything here is a pure function; the one choice an owner has, the order among equals, is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.model.ships import Counts, Ship, light, light_key

# -- named ships -----------------------------------------------------------------------


@rule("20.511", "20.512A", "20.513", "20.521", "20.522", "22.55T.31")
def fate_at_sea(ship: Ship, hits: int) -> str:
    """20.513. What hits do at sea, added to those she has: size less one damages, size sinks (RC-10).

    While hits add up, a single further one sinks a damaged ship, whenever the damage was done. Hits beyond those
    needed are lost (RC-14).
    """
    if hits <= 0:
        return "damaged" if ship.damaged else "hit"
    total = ship.hits + hits
    if ship.damaged or total >= ship.size:
        return "sunk"
    return "damaged" if total >= ship.size - 1 else "hit"


@rule("20.513C", "20.522")
def fate_at_sea_damaged_again(ship: Ship, hits: int) -> str:
    """20.513C. The other reading of RC-10: a ship that came damaged must take her size less one in new hits."""
    came_damaged = ship.damaged and ship.hits < ship.size - 1
    if came_damaged and ship.hits + hits < ship.size - 1:
        return "damaged"
    return fate_at_sea(ship, hits)


@rule("20.512E", "20.513A", "20.513C.1", "20.522.2")
def fate_in_port(ship: Ship, hits: int) -> str:
    """20.512E. What one attack does in port, where nothing adds up: less than damage has no effect."""
    if ship.damaged:
        return "sunk in port" if hits >= ship.size - 1 else "damaged"
    if hits >= ship.size:
        return "sunk in port"
    return "damaged" if hits >= ship.size - 1 else "undamaged"


# -- light ships --------------------------------------------------------------------------


class LightLosses(NamedTuple):
    """What one roll does to a light group."""

    cruisers_sunk: int  # sound ones
    damaged_cruisers_sunk: int
    cruisers_damaged: int
    one_factor_sunk: int


@rule("20.511", "20.513B", "20.531", "20.532", "20.533", "22.55T.32", "22.55T.33", "22.55T.34")
def light_losses(undamaged: int, damaged: int, one_factor: int, hits: int) -> LightLosses:
    """20.532. Hits of one roll on cruisers and one-factor units, as evenly as 22.55 allows (RC-11).

    Two hits sink a cruiser and an odd one damages a sound cruiser; a damaged one sinks only when no sound one is left.
    One-factor units sunk never exceed cruiser factors sunk while a cruiser is afloat.
    """
    cruiser_hits = one_factor_sunk = sunk = damaged_sunk = 0
    half_sunk = False
    for _ in range(hits):
        cruisers_left = sunk + half_sunk < undamaged or half_sunk or damaged_sunk < damaged
        allowed = one_factor_sunk < cruiser_hits and one_factor_sunk + 1 <= 2 * (sunk + damaged_sunk)
        if one_factor > one_factor_sunk and (not cruisers_left or allowed):
            one_factor_sunk += 1
        elif cruisers_left:
            cruiser_hits += 1
            if half_sunk:
                half_sunk, sunk = False, sunk + 1
            elif sunk < undamaged:
                half_sunk = True
            else:
                damaged_sunk += 1
        else:
            break
    return LightLosses(sunk, damaged_sunk, int(half_sunk), one_factor_sunk)


@rule("20.57", "20.58A.3", "20.58B.2")
def share_losses(sizes: Mapping[str, int], losses: int, order: Sequence[str] = ()) -> dict[str, int]:
    """20.57. We do not hold it (RC-12). One at a time round the groups, the largest first; equals in the owner's
    order; a group that is used up is skipped."""
    ranked = _largest_first(sizes, order)
    taken = dict.fromkeys(ranked, 0)
    while losses > 0 and any(taken[key] < sizes[key] for key in ranked):
        for key in ranked:
            if losses > 0 and taken[key] < sizes[key]:
                taken[key] += 1
                losses -= 1
    return {key: number for key, number in taken.items() if number}


def _largest_first(sizes: Mapping[str, int], order: Sequence[str]) -> list[str]:
    place: dict[str, int] = {}
    for key in order:
        place.setdefault(key, len(place))
    return sorted((key for key in sizes if sizes[key] > 0), key=lambda key: (-sizes[key], place.get(key, len(place))))


class Allotment(NamedTuple):
    """Losses of a light group by light key."""

    sunk: dict[str, int]
    damaged: dict[str, int]


@rule("20.532", "20.58A.3", "22.55T.32", "22.55T.33", "22.55T.34")
def allot_light_hits(counts: Counts, hits: int, order: Sequence[str] = ()) -> Allotment:
    """20.532. Hits of one roll on a group of light ships, shared among types and nations (RC-11, RC-12)."""
    cruisers = {key: number for key, number in counts.items() if light(key).kind == "CA"}
    others = {key: number for key, number in counts.items() if light(key).kind != "CA"}
    sound = sum(number for key, number in cruisers.items() if not light(key).state)
    hurt = sum(cruisers.values()) - sound
    losses = light_losses(sound, hurt, sum(others.values()), hits)
    sunk, damaged = _cruiser_losses(cruisers, losses, order)
    for key, number in _one_factor_losses(others, losses.one_factor_sunk, order).items():
        sunk[key] = number
    return Allotment(sunk, damaged)


def _cruiser_losses(
    cruisers: Mapping[str, int], losses: LightLosses, order: Sequence[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """Cruisers go round the nations, the largest first, each giving up one of the state called for."""
    totals: dict[str, int] = {}
    for key, number in cruisers.items():
        totals[light(key).nation] = totals.get(light(key).nation, 0) + number
    nations = _largest_first(totals, [light(key).nation for key in order if light(key).kind == "CA"])
    left = dict(cruisers)
    sunk: dict[str, int] = {}
    damaged: dict[str, int] = {}
    turn = 0
    calls = [("", sunk)] * losses.cruisers_sunk + [("", damaged)] * losses.cruisers_damaged
    calls += [("damaged", sunk)] * losses.damaged_cruisers_sunk
    for state, record in calls:
        while not left.get(light_key(nations[turn % len(nations)], "CA", state), 0):
            turn += 1
        key = light_key(nations[turn % len(nations)], "CA", state)
        left[key] -= 1
        record[key] = record.get(key, 0) + 1
        turn += 1
    return sunk, damaged


def _one_factor_losses(counts: Mapping[str, int], losses: int, order: Sequence[str]) -> dict[str, int]:
    """Types go round first; within a type the nations do."""
    types = _by_type(counts)
    sizes = {name: sum(members.values()) for name, members in types.items()}
    sunk: dict[str, int] = {}
    for name, number in share_losses(sizes, losses, [_type(key) for key in order]).items():
        sunk.update(share_losses(types[name], number, order))
    return sunk


def _type(key: str) -> str:
    return f"{light(key).kind}/{light(key).state}"


def _by_type(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    types: dict[str, dict[str, int]] = {}
    for key, number in counts.items():
        types.setdefault(_type(key), {})[key] = number
    return types


@rule("20.57", "20.58A.3")
def order_matters(counts: Counts, hits: int) -> bool:
    """20.57. Whether equal groups leave the owner a choice of who takes the odd losses (RC-12).

    Equals take turns, so the first and the last order differ whenever any two do; nations of cruisers, types, and
    nations within a type are looked at one by one.
    """
    keys = list(counts)
    if len(keys) == 1:
        return False
    nations = list(dict.fromkeys(light(key).nation for key in keys if light(key).kind == "CA"))
    last_first = [light_key(nation, "CA") for nation in nations[::-1]]
    if allot_light_hits(counts, hits, keys) != allot_light_hits(counts, hits, [*last_first, *keys]):
        return True
    others = {key: number for key, number in counts.items() if light(key).kind != "CA"}
    types = _by_type(others)
    sizes = {name: sum(members.values()) for name, members in types.items()}
    losses = sum(number for key, number in allot_light_hits(counts, hits).sunk.items() if key in others)
    shared = share_losses(sizes, losses, list(types))
    if shared != share_losses(sizes, losses, list(types)[::-1]):
        return True
    return any(
        share_losses(types[name], number, list(types[name]))
        != share_losses(types[name], number, list(types[name])[::-1])
        for name, number in shared.items()
    )


# -- afterwards --------------------------------------------------------------------------------


class Consolidation(NamedTuple):
    """Damaged cruisers of one nation in one theatre, put together."""

    undamaged: int
    sunk: int
    damaged: int


@rule("20.534")
def consolidate_cruisers(damaged: int) -> Consolidation:
    """20.534. Every two damaged cruisers become one sound and one sunk; an odd one stays damaged (RC-16)."""
    return Consolidation(damaged // 2, damaged // 2, damaged % 2)


@rule("20.534")
def consolidation_form(ports: Mapping[str, int]) -> Form:
    """20.534. With damaged cruisers in several ports their owner says which survive and which are sunk."""
    total = consolidate_cruisers(sum(ports.values()))
    wanted = {"survives": total.undamaged, "sunk": total.sunk, "stays damaged": total.damaged}
    limits: list[Limit] = []
    for place, number in wanted.items():
        cells = tuple((port, place, 1) for port in ports)
        why = f"Of these cruisers {total.undamaged} survive undamaged, {total.sunk} are sunk, {total.damaged} stay damaged."
        limits += [AtMost(cells, number, "20.534", why), AtLeast(cells, number, "20.534", why)]
    places = [place for place, number in wanted.items() for _ in range(number)]
    default: dict[str, dict[str, int]] = {}
    for port, number in ports.items():
        taken, places = places[:number], places[number:]
        default[port] = {place: taken.count(place) for place in wanted if place in taken}
    items = tuple(Item(port, f"damaged cruisers in {port}", number) for port, number in ports.items())
    return Form(items, tuple(Place(place, place) for place in wanted), tuple(limits), default=default)


@rule("20.512C", "20.512D", "21.537A.1", "22.372F.2")
def repaired_at_sea(ship: Ship) -> bool:
    """20.512C. Whether a ship has hits that are repaired at sea when such an engagement ends: any short of damage."""
    return ship.hits > 0 and not ship.damaged
