"""What the rules of strategic bombing (26) are asked about: forces, defenders, targets, bases, as plain values.

Nothing here knows a map: distances, fronts, economic values, supply and oil are data that whoever asks brings along
(SR-32, SR-40). A force of one nationality consists of five groups, its opponents of three; losses go round the groups.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from flagplot.core.words import Word

# In the order in which groups of equal size suffer (26.454).
ATTACKING_GROUPS = ("interceptors", "escort_aaf", "jets", "bombing_aaf", "strategic_bombers")
DEFENDING_GROUPS = ("interceptors", "aaf", "jets")
GROUP_NAMES = {  # as players are told of them: one, and several
    "interceptors": ("interceptor", "interceptors"),
    "escort_aaf": ("escorting AAF", "escorting AAF"),
    "aaf": ("AAF", "AAF"),
    "jets": ("jet", "jets"),
    "bombing_aaf": ("bombing AAF", "bombing AAF"),
    "strategic_bombers": ("strategic bomber", "strategic bombers"),
}


def group_name(group: str, number: int = 2) -> str:
    """What a group of air units is called, one or several of it."""
    return GROUP_NAMES[group][number != 1]


SOURCES = ("bombers", "flying_bombs", "rockets")  # in the order in which they are resolved (26.64, SR-32)
WESTERN_ALLIED_POWERS = ("Britain", "United States", "France")


class BomberForce(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A strategic bomber force in factors: what bombs, and what escorts it (26.42, 26.43)."""

    strategic_bombers: int = 0
    bombing_aaf: int = 0
    escort_aaf: int = 0
    interceptors: int = 0
    jets: int = 0

    @property
    def groups(self) -> dict[str, int]:
        """Its five groups."""
        return {group: getattr(self, group) for group in ATTACKING_GROUPS}

    @property
    def factors(self) -> int:
        """All its air factors; a jet is one."""
        return sum(self.groups.values())

    @property
    def bombers(self) -> int:
        """The factors that bomb."""
        return self.strategic_bombers + self.bombing_aaf


class AirDefenders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defending air factors assigned to a target."""

    interceptors: int = 0
    aaf: int = 0
    jets: int = 0

    @property
    def groups(self) -> dict[str, int]:
        """Its three groups."""
        return {group: getattr(self, group) for group in DEFENDING_GROUPS}

    @property
    def factors(self) -> int:
        """All its air factors; a jet is one."""
        return sum(self.groups.values())


class AirToll(msgspec.Struct, frozen=True):
    """What a result takes from a force: by group."""

    eliminated: dict[str, int]
    aborted: dict[str, int]
    remaining: dict[str, int]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What impairs a side's air units: an input, since supply, oil and winter are not held (SR-25, SR-40)."""

    nation: str
    impaired: bool = False  # partial supply or air oil effects
    winter: bool = False  # a winter effect of 8 or more


# -- units and bases ------------------------------------------------------------------------------


class Unit(Word):
    """Air units as far as strategic bombing knows them."""

    BOMBER = "strategic bomber"
    INTERCEPTOR = "interceptor"
    AAF = "AAF"
    JET = "jet"
    NAS = "NAS"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As other chapters call them."""
        return {"bomber": "strategic bomber", "bombers": "strategic bomber", "armyair": "AAF", "navalair": "NAS"}


class Supply(Word):
    """How well a unit or base is supplied (30, an input)."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As the rules speak of it."""
        return {"fullysupplied": "full", "partiallysupplied": "partial", "unsupplied": "none"}


class AirUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An air unit with its base, as far as it bars or lets it fly (26.13, 26.31, 26.422, 26.443).

    For bombers and interceptors `base_front` is the front they are assigned to, and the base any operational one there.
    """

    kind: Unit
    nation: str = ""
    inverted: bool = False
    supply: Supply = Supply.FULL
    oil_effects: bool = False  # kept down by air oil effects (33, an input)
    base: str = ""  # the hex of its base
    base_front: str = ""
    base_operational: bool = True
    base_nation: str = ""  # who controls the base, if another than the unit's nation
    base_supplied_by: str = ""  # whose supply source supplies it
    jet_range: int = 0  # of research, an input
    in_box: str = ""  # the mapboard box it is in
    opposed_flying_bombs: bool = False  # in the enemy's last player turn


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A newly built bomber or interceptor, and where it would go (26.22, 26.23)."""

    kind: Unit
    nation: str
    theatre: str
    front: str
    built_in: str = ""  # the theatre it was built for; the same unless said
    operational_base: bool = True  # the faction controls an operational air base on that front
    at_war: bool = True  # of the U.S.: in that theatre


# -- targets --------------------------------------------------------------------------------------


class TargetKind(Word):
    """What in a hex is attacked: each is a target of its own (SR-36)."""

    CITY = "city"
    BOX = "box"
    SHIPYARD = "shipyard"
    OIL_CENTER = "oil center"
    SYNTHETIC_OIL_PLANT = "synthetic oil plant"
    ROCKET_BASE = "rocket base"

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """As players call them."""
        return {"mapboardbox": "box", "oilcentre": "oil center", "syntheticplant": "synthetic oil plant"}


class BombingTarget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target, as far as it decides who may attack it (26.31 to 26.34)."""

    name: str
    country: str  # whose it was at first
    kind: TargetKind = TargetKind.CITY
    controller: str = ""  # who holds it now, if another
    enemy_held: bool = True
    objective: bool = False
    key_economic_area: bool = False
    ic: bool = False
    ships: tuple[str, ...] = ()  # of a shipyard: repairing, building, waiting or undamaged
    adjacent: tuple[str, ...] = ()  # key economic areas next to this city

    @property
    def captured(self) -> bool:
        """Whether another than its first owner holds it."""
        return self.controller not in ("", self.country)


class Defences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What in a target hex fires at bombers (26.461A). A city that is a port is counted once (SR-30)."""

    flak: int = 0
    airbases: int = 0
    objectives: int = 0
    anchors: int = 0
    cities_or_ports: int = 0
    fortification: int = 0  # levels: 1 a fortification, 2 a fortress
    box: bool = False


# -- results --------------------------------------------------------------------------------------


class Bombing(msgspec.Struct, frozen=True):
    """What came of SW combat between bombers and a target (26.46, 26.47)."""

    toll: AirToll
    reaching: int
    from_result: int
    additional_for_modifier: int  # 24.65A, in losses of three BRPs
    additional_for_reaching: int  # 24.65B
    from_modifier: int
    from_reaching: int

    @property
    def damage(self) -> int:
        """All of it, before any cap."""
        return self.from_result + self.from_modifier + self.from_reaching

    @property
    def additional(self) -> int:
        """Additional losses of both kinds."""
        return self.additional_for_modifier + self.additional_for_reaching


class Damage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Damage or loss in BRPs by source, in the order in which it is resolved."""

    bombers: int = 0
    flying_bombs: int = 0
    rockets: int = 0

    @property
    def total(self) -> int:
        """All sources together."""
        return self.bombers + self.flying_bombs + self.rockets


class Loss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """BRPs really lost at one target, and whether they bear on construction limits (26.653, 26.71B)."""

    country: str
    brps: Damage
    economic: bool = True  # a key economic area, a mapboard box or an IC
    box: str = ""


class Facility(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An oil center or a synthetic oil plant with its damage markers (26.72 to 26.74)."""

    kind: TargetKind
    markers: int = 0
    production: int = 0  # of an oil center (33.22, an input)
    name: str = ""  # to tell several in one hex apart


class FirestormHex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex as far as firestorms ask (26.92)."""

    name: str
    country: str
    city: bool = True
    ic: bool = False
    markers: tuple[str, ...] = ()  # "firestorm", "atomic"


class RocketBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rocket base on the map, or a place for one (26.6)."""

    id: str
    damaged: bool = False
    operational: bool = True
    range: int = 0  # of research (43.222, an input)
    theatre: str = ""  # asked of an Axis base that is moved (26.61B); "" = it does not matter
