"""One side of a set-up: its ships, what they carry, the forces they sail in and the bases they may go home to.

Aircraft and submarines are read in air.py.

The law here: what can be judged by looking at one ship or one force is judged here, while its place in the file is at
hand; what takes the whole side, or both, is judged in checks.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from flagplot.core.errors import UnknownName
from flagplot.core.sides import Side
from flagplot.model.forces import MISSIONS, Cargo, Force
from flagplot.model.setup import Air, Secret
from flagplot.model.ships import Ship, light, light_key, number_of, plus
from flagplot.model.state import Base
from flagplot.rules.naval.effects import cargo_shortage
from flagplot.scenarios.air import (
    MOST_OF_A_KIND,
    SIDE_KEYS,
    Claim,
    claims,
    read_air,
    read_destroyers_elsewhere,
    read_submarines,
    read_wing,
)
from flagplot.scenarios.document import Part
from flagplot.scenarios.places import Path
from flagplot.scenarios.ships import find_ship
from flagplot.tables.naval_nationality import NATIONS

LATEST_ROUND = 20

# Light ships are counted: the key in the file, the kind, the state.
LIGHT = {
    "cruisers": ("CA", ""),
    "damaged_cruisers": ("CA", "damaged"),
    "destroyers": ("DD", ""),
    "escort_carriers": ("CVE", ""),
    "transports": ("TR", ""),
}
CARRIED_BY = {"DD": "destroyers", "TR": "transports"}
SHIP_KEYS = ("name", "nation", "hits", "damaged", "air", "elite", "may_not_withdraw")
FORCE_KEYS = (
    "name",
    "task_force",
    "mission",
    "base",
    "arrives",
    "number",
    "inverted",
    "sea_supply",
    "sails_empty",
    "engaged",
    "ships",
    *LIGHT,
    "also",
    "cargo",
)


class ReadForce(NamedTuple):
    """A force and the table it was read from."""

    force: Force
    at: Part

    @property
    def bare(self) -> bool:
        """Whether it is a sea supply line without ships."""
        return self.force.supply and not self.force.ships and not self.force.light


class ReadSide(NamedTuple):
    """A side and the table it was read from."""

    side: Side
    name: str
    nation: str
    secret: Secret
    forces: tuple[ReadForce, ...]
    air: Air
    claims: tuple[Claim, ...]
    at: Part

    @property
    def nations(self) -> set[str]:
        """The nations that have anything on this side."""
        ships = {ship.nation for force in self.secret.forces for ship in force.ships}
        counted = {light(key).nation for force in self.secret.forces for key in force.light}
        return {self.nation} | ships | counted | {claim.nation for claim in self.claims}


def read_side(part: Part, side: Side, most_groups: int) -> ReadSide:
    """A side's table: [axis] or [allies]."""
    part.only("name", "nation", "partial_supply_or_oil", "base", "force", *SIDE_KEYS)
    nation = part.one_of("nation", NATIONS, rule="22.552A")
    name = part.name("name", nation)
    impaired = tuple(
        part.checked_choice(place, item, NATIONS, "22.552A") for place, item in part.items("partial_supply_or_oil")
    )
    bases = tuple(read_base(each) for each in part.parts("base"))
    forces = tuple(ReadForce(read_force(each, nation, most_groups), each) for each in part.parts("force"))
    secret = Secret(
        forces=tuple(each.force for each in forces),
        impaired=impaired,
        bases=bases,
        submarines=plus(
            read_submarines(part.part("submarines")), read_submarines(part.part("submarines_spent"), spent=True)
        ),
        destroyers_elsewhere=read_destroyers_elsewhere(part.part("destroyers_elsewhere")),
    )
    return ReadSide(side, name, nation, secret, forces, read_air(part, nation), claims(part), part)


def read_base(part: Part) -> Base:
    """22.63. A base, how far it is from the battle in hexes, and whether it is being invaded."""
    part.only("name", "distance", "invaded")
    return Base(part.name("name"), part.number("distance", 0, 99, rule="22.63"), part.flag("invaded"))


def read_force(part: Part, nation: str, most_groups: int) -> Force:
    """A force: named ships, light ships by number, cargo, and what it sails for."""
    part.only(*FORCE_KEYS)
    ships = tuple(read_ship(part, place, item, nation) for place, item in part.items("ships"))
    counts = read_light(part, nation)
    for other in part.parts("also"):
        other.only("nation", *LIGHT)
        counts = plus(counts, read_light(other, other.one_of("nation", NATIONS, rule="22.552A")))
    cargo = tuple(read_cargo(each) for each in part.parts("cargo"))
    check_cargo(part, cargo, counts)
    force = Force(
        part.name("name"),
        ships,
        loaded(counts, sum(item.needs for item in cargo if item.by == "DD")),
        cargo,
        part.flag("sea_supply"),
        part.flag("task_force", True),
        part.one_of("mission", MISSIONS, "patrol", "22.11"),
        part.text("base", ""),
        part.number("arrives", 1, LATEST_ROUND, 1, "22.24B"),
        part.flag("sails_empty"),
        part.flag("engaged", True),
        part.number("number", 0, most_groups, 0, "22.423A"),
        part.flag("inverted"),
    )
    if not ships and not counts and not force.supply:
        part.refuse("", "22.421", f"{force.name} has no ships; give it some, or leave it out")
    if force.unladen and force.encumbered:
        part.refuse(
            "sails_empty", "22.552B", "a force with cargo or on sea supply does not sail empty; say one or other"
        )
    return force


def read_light(part: Part, nation: str) -> dict[str, int]:
    """20.12. Light ships by number: cruisers in ships of two factors, sound and damaged ones apart, others in factors."""
    counts = {
        light_key(nation, kind, state): part.number(key, 0, MOST_OF_A_KIND, 0, "20.12")
        for key, (kind, state) in LIGHT.items()
    }
    return plus({}, counts)


# -- named ships --------------------------------------------------------------------------------


def read_ship(part: Part, place: Path, item: Any, nation: str) -> Ship:
    """A named ship: her name, or a table with her name and the state she is in."""
    if isinstance(item, str):
        return _find(part, place, part.checked_text(place, item), nation)
    if not isinstance(item, dict):
        part.refuse(place, "20.11", 'this must be the name of a ship, or a table such as { name = "Kaga", hits = 1 }')
    own = part.checked_part(place, item)
    own.only(*SHIP_KEYS)
    if "nation" in own:
        given = own.one_of("nation", NATIONS, rule="22.552A")
        ship = _find(own, ("name",), own.name("name"), given, strict=True)
    else:
        ship = _find(own, ("name",), own.name("name"), nation)
    hits, damaged = own.number("hits", 0, MOST_OF_A_KIND, 0, "20.513"), own.flag("damaged")
    check_hits(own, ship, hits, damaged=damaged)
    wing = read_wing(own, ship, damaged=damaged)
    bound = own.flag("may_not_withdraw")
    if bound and ship.nation != "Japan":
        own.refuse("may_not_withdraw", "33.61B", f"only Japanese ships are bound to stay; {ship.name} is not")
    return replace(ship, hits=hits, damaged=damaged, wing=wing, bound=bound)


def _find(part: Part, place: Path, name: str, nation: str, *, strict: bool = False) -> Ship:
    """The ship of that name: the nation's own first, then, if need be, anyone's."""
    try:
        return find_ship(name, nation)
    except UnknownName as unknown:
        if strict:
            part.refuse(place, "20.11", str(unknown))
    try:
        return find_ship(name)
    except UnknownName as unknown:
        part.refuse(place, "20.11", str(unknown))


def check_hits(part: Part, ship: Ship, hits: int, *, damaged: bool) -> None:
    """20.513. Size less one damages, size sinks; the hits of a damaged ship no longer matter (RC-10)."""
    if hits >= ship.size:
        reason = f"{ship.name} has {ship.size} factors, so {hits} hits have sunk her; give fewer, or leave her out"
        part.refuse("hits", "20.513", reason)
    if damaged and hits:
        reason = f"{ship.name} is damaged, and any further hit sinks her (RC-10); leave hits out"
        part.refuse("hits", "20.513", reason)
    if hits and hits >= ship.size - 1:
        reason = f"{ship.name} has {ship.size} factors, so {hits} hits damage her; write damaged = true instead of hits"
        part.refuse("hits", "20.513", reason)


# -- cargo ------------------------------------------------------------------------------------------


def read_cargo(part: Part) -> Cargo:
    """Something carried, and what it needs: destroyer factors (DD) or transports (TR)."""
    part.only("name", "needs", "by", "divisible")
    needs = part.number("needs", 1, MOST_OF_A_KIND, rule="22.82A")
    return Cargo(part.name("name"), needs, part.one_of("by", CARRIED_BY, "DD", "22.82A"), part.flag("divisible"))


def check_cargo(part: Part, cargo: tuple[Cargo, ...], counts: dict[str, int]) -> None:
    """22.82A. A force carries no more than its own destroyers and transports can."""
    capacity = {kind: number_of(counts, kind) for kind in CARRIED_BY}
    for kind, short in cargo_shortage(cargo, capacity).items():
        carriers = CARRIED_BY[kind]
        reason = (
            f"the cargo needs {capacity[kind] + short} {carriers} and the force has {capacity[kind]}; "
            f"add {short} {carriers}, or leave cargo behind"
        )
        part.refuse("cargo", "22.82A", reason)


def loaded(counts: dict[str, int], needed: int) -> dict[str, int]:
    """20.58. The same light ships, as many destroyers as the cargo needs being loaded; the first nation's come first."""
    result: dict[str, int] = {}
    for key, number in counts.items():
        nation, kind, _ = light(key)
        if kind != "DD":
            result[key] = number
            continue
        taken = min(number, needed)
        needed -= taken
        result = plus(result, {key: number - taken, light_key(nation, "DD", "loaded"): taken})
    return result
