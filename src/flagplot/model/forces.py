"""Forces: task forces as they arrive, the combat groups they become, the lines they fight in."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from flagplot.model.ships import Ship, describe, factors_of, light, named_factors, number_of, plus

# The missions a force may sail on.
MISSIONS = (
    "patrol",
    "interception",
    "counter-interception",
    "counter-counter-interception",
    "base change",
    "naval redeployment",
    "shore bombardment",
    "carrier mission",
    "sea transport",
    "seaborne invasion",
    "sea escort",
    "sea supply",
    "raid",
    "raider hunt",
)

LIGHT = "light"  # the light ships of a group as one target


class Cargo(msgspec.Struct, frozen=True):
    """Something carried: how many destroyer factors or transports it needs. Air units may be broken down."""

    name: str
    needs: int
    by: str = "DD"  # DD or TR
    divisible: bool = False


class Force(msgspec.Struct, frozen=True):
    """Ships that sail together: a task force, or ships outside one."""

    name: str
    ships: tuple[Ship, ...] = ()
    light: dict[str, int] = {}
    cargo: tuple[Cargo, ...] = ()
    supply: bool = False  # is, or protects, a sea supply line
    task_force: bool = True
    mission: str = "patrol"
    base: str = ""  # the base of origin
    arrives: int = 1  # the round in which it may first fight (22.24B)
    unladen: bool = False  # sails without cargo to or from a mission that hampers it (22.552B)
    engaged: bool = True  # raiders only: whether defenders engage this group (22.35)
    number: int = 0  # its combat group number, where a battle starts in mid-course; 0 = its owner chooses
    inverted: bool = False

    @property
    def encumbered(self) -> bool:
        """Whether it carries cargo or guards sea supply."""
        return bool(self.cargo) or self.supply

    @property
    def factors(self) -> int:
        """Naval factors, transports not counted."""
        return named_factors(self.ships) + factors_of(self.light)


class Disclosed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the owner must say of a group that was found (22.452B).

    Where results tell more step by step (22.45T), `steps` says how far he went: 1, its size alone; 2, the number of its
    carriers too, escort carriers among them. What he has not said is then left at nothing.
    """

    under_ten: bool
    fast_carriers: int
    fast: bool
    cargo: bool
    steps: int = 0


class CombatGroup(msgspec.Struct, frozen=True):
    """A combat group. In a side's picture of its enemy, `hidden` groups have no contents."""

    number: int  # 0 while pending
    name: str = ""
    ships: tuple[Ship, ...] = ()
    light: dict[str, int] = {}
    cargo: tuple[Cargo, ...] = ()
    supply: bool = False
    mission: str = "patrol"
    base: str = ""
    arrives: int = 1
    unladen: bool = False
    inverted: bool = False
    origins: tuple[str, ...] = ()  # bases of origin of forces that joined it, beside its own
    task_force: bool = True
    hidden: bool = False
    revealed: bool = False  # its composition has been shown
    disclosed: Disclosed | None = None  # this round
    found: int = 0  # search results against it, this round
    spent: int = 0  # results used up by strikes and engagements, this round
    met: int = 0  # the active enemy group it was paired with this round (22.521A, B)
    victorious: bool = False  # it sank every unit of the group it met this round
    engaged: bool = False  # it began a second engagement this round (22.521D)
    evaded: bool = False  # this round
    stood: bool = False  # it accepted fleet combat when it was sought, this round
    attacked: bool = False  # this round
    fought: bool = False  # it took part in fleet combat this round
    scouts: bool = False  # it had a fully operational carrier when the round began (22.451D)
    patrol: dict[str, int] = {}  # naval air flying combat air patrol over it, this round
    cover: dict[str, int] = {}  # land-based air flying cover over it, this round
    withheld: dict[str, int] = {}  # of patrol and cover: kept out of air combat for the rest of the round (AN-20)
    submarine_attacks: int = 0  # made on it this round (22.9416)

    @property
    def encumbered(self) -> bool:
        """Whether it carries cargo or guards sea supply."""
        return bool(self.cargo) or self.supply

    @property
    def factors(self) -> int:
        """Naval factors, damaged units counted, transports not."""
        return named_factors(self.ships) + factors_of(self.light)

    @property
    def undamaged_factors(self) -> int:
        """Naval factors of undamaged units."""
        sound = {key: number for key, number in self.light.items() if light(key).state != "damaged"}
        return named_factors(ship for ship in self.ships if not ship.damaged) + factors_of(sound)

    @property
    def empty(self) -> bool:
        """Whether nothing is left of it, not even a supply line."""
        return not self.ships and not self.light and not self.supply

    @property
    def afloat(self) -> bool:
        """Whether any naval unit of it is afloat."""
        return bool(self.ships or self.light)

    @property
    def fast_carriers(self) -> int:
        """How many fast carriers it holds."""
        return sum(ship.is_carrier for ship in self.ships)

    @property
    def capacity(self) -> dict[str, int]:
        """What it can carry: destroyer factors and transports."""
        return {kind: number_of(self.light, kind) for kind in ("DD", "TR")}

    def ship(self, id: str) -> Ship:
        """One of its named ships."""
        for ship in self.ships:
            if ship.id == id:
                return ship
        raise KeyError(id)

    def describe(self) -> str:
        """Its contents in words."""
        return describe(self.ships, self.light) + (" with cargo" if self.cargo else "")


def combined(one: CombatGroup, two: CombatGroup) -> CombatGroup:
    """Two groups as one, under the number, mission and base of the first."""
    return replace(
        one,
        name=f"{one.name} and {two.name}",
        ships=(*one.ships, *two.ships),
        light=plus(one.light, two.light),
        cargo=(*one.cargo, *two.cargo),
        supply=one.supply or two.supply,
        unladen=one.unladen or two.unladen,
        inverted=one.inverted or two.inverted,
        origins=tuple(dict.fromkeys((*one.origins, two.base, *two.origins))),
    )


class Line(msgspec.Struct, frozen=True):
    """One side's ships in a fleet combat, sorted as 22.531 has it. Ranks count from the first capital ship."""

    number: int
    capital: tuple[str, ...] = ()  # ids, by rank
    light: dict[str, int] = {}  # unscreened, whether they fired, held or were damaged by light fire
    screened: tuple[str, ...] = ()  # ids
    screened_light: dict[str, int] = {}
    held: tuple[str, ...] = ()  # capital ships that hold their fire
    held_light: dict[str, int] = {}
    hampered: bool = False  # when the fleet combat began (22.552B, FP-08)


class Shot(msgspec.Struct, frozen=True):
    """All the fire of one side at one target in one step: one roll."""

    ships: tuple[str, ...] = ()  # ids of capital ships
    light: dict[str, int] = {}
    target: str = LIGHT  # a ship's id, or the light ships as one group
    screened: bool = False


class Engagement(msgspec.Struct, frozen=True):
    """Two groups that fight. `initiator` is the side that sought it; "" for active groups that pair off."""

    axis: int
    allies: int
    initiator: str = ""

    def number(self, side: str) -> int:
        """The number of a side's group."""
        return self.axis if side == "axis" else self.allies
