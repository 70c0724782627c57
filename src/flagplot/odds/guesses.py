"""Groups that agree with what is known of them: what its owner has said of one (22.452B), or a likeness to another.

The law here: nothing but what is given is looked at. What comes out agrees with what was said, or nothing comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from flagplot.model.forces import Cargo, CombatGroup, Disclosed
from flagplot.model.ships import Ship, factors_of, light, light_key, minus, plus
from flagplot.model.squadrons import squadron_key
from flagplot.rules.naval.combat_groups import is_fast
from flagplot.rules.naval.search import disclosure, disclosure_by_steps
from flagplot.scenarios.forces import loaded
from flagplot.tables.search import OF_2008, SearchTable

MADE_UP = "enemy CG"  # begins the name of a group that nobody has named
TEN = SearchTable().disclosed_under
PLENTY = 25  # light ships of a kind, where nobody knows how many there are
FEW = {"CA": 1, "DD": 2}  # the light ships of a group known to be under ten factors
SOME = {"CA": 2, "DD": 2}  # of one of which nothing is known, where there are more of them than groups of our own
MANY = {"CA": 3, "DD": 4}  # of one of ten factors and more


def agrees(group: CombatGroup, told: Disclosed) -> bool:
    """Whether its owner would say the same of a group: all of 22.452B, or as much as so many results ask for."""
    if told.steps:
        return disclosure_by_steps(OF_2008, replace(group, found=told.steps)) == told
    return disclosure(SearchTable(), group) == told


def fitting(told: Disclosed, ships: Iterable[Ship], counts: Mapping[str, int], base: CombatGroup) -> CombatGroup | None:
    """A group out of these of which its owner would say this, with `base` in it; the first ships come first. Where he
    counts escort carriers among the others (22.45T), as few are taken for such as will do."""
    free, most = list(ships), told.fast_carriers if told.steps else 0
    made = (_fitting(told, free, counts, base, escorts) for escorts in range(most + 1))
    return next((group for group in made if group), None)


def _fitting(
    told: Disclosed, ships: Iterable[Ship], counts: Mapping[str, int], base: CombatGroup, escorts: int
) -> CombatGroup | None:
    """Such a group in which so many of the carriers are escort carriers."""
    group, left, lights = base, list(ships), dict(counts)

    def add_ship(wanted: Callable[[Ship], bool]) -> bool:
        nonlocal group
        ship = next((each for each in left if wanted(each)), None)
        if ship:
            left.remove(ship)
            group = replace(group, ships=(*group.ships, ship))
        return ship is not None

    def add_light(*kinds: str) -> bool:
        nonlocal group, lights
        for key in lights:
            if light(key).kind in kinds and not (told.under_ten and group.factors + factors_of({key: 1}) >= TEN):
                group, lights = replace(group, light=plus(group.light, {key: 1})), minus(lights, {key: 1})
                return True
        return False

    if told.under_ten:
        left.sort(key=lambda ship: ship.size)
    fast_carriers = told.fast_carriers - escorts
    while fast_carriers > group.fast_carriers and add_ship(lambda ship: ship.is_carrier and ship.fast):
        pass
    for _ in range(escorts):
        add_light("CVE")
    slow = not told.fast and not told.cargo
    if slow and is_fast(group):
        if told.under_ten or not add_ship(lambda ship: ship.is_capital and not ship.fast):
            if not add_light("CVE"):
                add_ship(lambda ship: ship.is_capital and not ship.fast)
    elif not told.under_ten and not group.fast_carriers:
        add_ship(lambda ship: ship.is_capital and ship.fast)
    for kind, number in (FEW if told.under_ten else MANY).items():
        for _ in range(number):
            add_light(kind)
    while group.factors < TEN and not told.under_ten:
        if not (add_light("CA", "DD") or add_ship(lambda ship: ship.is_capital and (ship.fast or slow))):
            break
    return group if not group.empty and agrees(group, told) else None


def as_told(told: Disclosed, free: Sequence[Ship], nation: str, base: CombatGroup) -> CombatGroup:
    """A group of a nation of which its owner would say this; where these ships do not suffice for one, an empty one."""
    counts = {light_key(nation, kind): PLENTY for kind in ("CA", "DD", "CVE")}
    carried = (Cargo("something", 1),) if told.cargo else ()
    group = fitting(told, free, counts, replace(base, cargo=carried)) or base
    return replace(group, light=loaded(group.light, len(carried)))


def as_model(model: CombatGroup, free: Sequence[Ship], nation: str, base: CombatGroup) -> CombatGroup:
    """A group like another: for each of its ships the one that is nearest to her in size, of her speed."""
    left, ships = list(free), []
    for ship in model.ships:
        alike = [
            each for each in left if (each.is_carrier, each.fast) == (ship.is_carrier, ship.is_carrier or ship.fast)
        ]
        if alike:
            ships.append(min(alike, key=lambda each: abs(each.size - ship.size)))
            left.remove(ships[-1])
    counts = {kind: sum(n for key, n in model.light.items() if light(key).kind == kind) for kind in SOME}
    light_ships = {light_key(nation, kind): number for kind, number in counts.items() if number}
    return replace(base, ships=tuple(ships), light=light_ships)


def full(ship: Ship) -> Ship:
    """A ship with all the aircraft she can have."""
    return replace(ship, wing={squadron_key(ship.nation, "NAS"): ship.size}) if ship.is_carrier else ship
