"""A battle before it begins: a public part, and a part for each side."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.operation import Stations, Waters
from flagplot.model.ships import light, light_key, minus
from flagplot.model.squadrons import AirBase, Port
from flagplot.model.state import Base
from flagplot.model.war import War

KINDS = ("naval battle", "raider combat", "submarine attack", "air attack", "port attack", "operation", "war")
NO_SUBMARINES = ("raider combat", "air attack", "port attack")  # kinds in which none takes part
THEATRES = ("Europe", "Pacific")
ORDERS_OF_BATTLE = ("open", "hidden")
INPUTS = ("default", "ask")
SPENT = "spent"


class Air(msgspec.Struct, frozen=True, kw_only=True):
    """A side's land-based air and the inputs that bear on its aircraft and submarines. Everyone knows them (FP-14)."""

    bases: tuple[AirBase, ...] = ()
    air_range: int = 0  # hexes its land-based air reaches; 0 = all its bases are in range
    carrier_range: int = 0  # hexes its carrier air reaches; 0 = all enemy bases are in range
    impaired: tuple[str, ...] = ()  # nations or bases whose air is short of supply or oil
    winter: tuple[str, ...] = ()  # nations or bases whose air suffers a winter effect of 8 or more
    research: dict[str, int] = {}
    submarine_codebreaking: int = 0  # 48.41B
    excess_asw: dict[str, int] = {}


class Public(msgspec.Struct, frozen=True, kw_only=True):
    """What everyone knows before the first round."""

    title: str
    summary: str = ""
    theatre: str
    kind: str = "naval battle"
    interceptor: Side
    round: int = 1
    order_of_battle: str = "open"
    names: dict[Side, str]
    tactical: dict[Side, int]  # 48.51B, an input
    search_advantage: dict[Side, int]  # 48.32B and 48.62, an input
    aircraft: bool = False  # whether any may take part, as far as everyone knows
    submarines: bool = False
    western_front: bool = False
    inputs: str = "default"
    air: dict[Side, Air] = {}
    port: Port | msgspec.UnsetType = msgspec.UNSET  # the port under attack, in a port attack
    operation: Waters | msgspec.UnsetType = msgspec.UNSET  # in an operation: the sea and what lies open on it
    war: War | msgspec.UnsetType = msgspec.UNSET  # in the strategic war: all of it


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """What one side brings."""

    forces: tuple[Force, ...]
    impaired: tuple[str, ...] = ()  # nations in partial supply or under naval oil effects, an input
    bases: tuple[Base, ...] = ()
    submarines: dict[str, int] = {}  # in the state "spent" those that attacked before the battle is taken up (22.92)
    destroyers_elsewhere: dict[str, dict[str, int]] = {}  # by place (22.9432)
    stations: Stations | msgspec.UnsetType = msgspec.UNSET  # in an operation: what is where, and what it may do

    @property
    def submarines_fresh(self) -> dict[str, int]:
        """Submarines that may still attack."""
        return {key: number for key, number in self.submarines.items() if SPENT not in light(key).state.split()}

    @property
    def submarines_spent(self) -> dict[str, int]:
        """Submarines that attacked in an earlier round, as they are counted in play."""
        spent = minus(self.submarines, self.submarines_fresh)
        return {light_key(*light(key)[:2], light(key).state.removesuffix(SPENT).strip()): spent[key] for key in spent}


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The whole set-up."""

    public: Public
    sides: dict[Side, Secret]

    def with_order_of_battle(self, which: str) -> Setup:
        """The same set-up with its order of battle open or hidden. If it is hidden, anybody may have carriers, and, in
        kinds of battle that have any, submarines: that none of the questions about them is put would tell."""
        public = replace(self.public, order_of_battle=which)
        if which == "hidden":
            public = replace(public, aircraft=True, submarines=public.kind not in NO_SUBMARINES)
        return replace(self, public=public)
