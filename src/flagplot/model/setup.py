"""A battle before it begins: a public part, and a part for each side."""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Side
from flagplot.model.forces import Force
from flagplot.model.state import Base

KINDS = ("naval battle", "raider combat")
THEATRES = ("Europe", "Pacific")
ORDERS_OF_BATTLE = ("open", "hidden")


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


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """What one side brings."""

    forces: tuple[Force, ...]
    impaired: tuple[str, ...] = ()  # nations in partial supply or under naval oil effects, an input
    bases: tuple[Base, ...] = ()


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The whole set-up."""

    public: Public
    sides: dict[Side, Secret]
