"""The JSON shapes of ships and groups, and how they become values of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from flagplot.api.naval_words import OTHER_SHIPS, found_among
from flagplot.api.sw_shapes import nation_spelled
from flagplot.core.errors import PlayerError
from flagplot.core.events import Modifiers
from flagplot.model.forces import LIGHT, Cargo, CombatGroup
from flagplot.model.ships import (
    CAPITAL_KINDS,
    CARRIER_KINDS,
    KIND_NAMES,
    LIGHT_KINDS,
    Ship,
    light,
    light_key,
    number_of,
    plus,
)
from flagplot.model.squadrons import ROLES, squadron, squadron_key
from flagplot.model.state import RESEARCH

MOST = 99  # squadrons of one kind, and research results: a number mistyped is refused
SIZES = {"CVL": 2, "CV": 3, "CVB": 4, "PB": 2}
LIGHT_STATES = {"CA": "damaged", "DD": "loaded", "TR": "loaded"}  # 20.511, 20.58: the one state such ships may be in


class ShipJson(msgspec.Struct, forbid_unknown_fields=True):
    """A named ship. A carrier has all her squadrons unless `air` says otherwise; `elite` of them are elite."""

    nation: str = ""
    kind: str = "BB"
    size: int = 0
    id: str = ""
    name: str = ""
    fast: bool = True
    hits: int = 0
    damaged: bool = False
    air: int | None = None
    elite: int = 0

    def ship(self, number: int = 1) -> Ship:
        """The ship as the model has her."""
        kind = found_among(self.kind, KIND_NAMES, OTHER_SHIPS)
        if kind not in (*CAPITAL_KINDS, *CARRIER_KINDS):
            raise PlayerError(f"{self.kind!r} is no kind of named ship; there are BB, BC, PB, CVL, CV and CVB")
        size = self.size or SIZES.get(kind, 0)
        if not 2 <= size <= 5:
            raise PlayerError(f"a named ship has from 2 to 5 factors, not {size}")
        if not 0 <= self.hits < size:
            raise PlayerError(f"a ship of {size} factors that is afloat has from 0 to {size - 1} hits, not {self.hits}")
        id = self.id or self.name or f"{kind}{size}-{number}"
        if set(id) & set("/|"):
            raise PlayerError(f"{id[:40]!r} cannot be the id of a ship: strokes divide the parts of a key")
        air = size if self.air is None and kind in CARRIER_KINDS else self.air or 0
        if not 0 <= self.elite <= air:
            raise PlayerError(f"of {air} squadrons, {self.elite} cannot be elite")
        nation = nation_spelled(self.nation)
        wing = {f"{nation}/NAS/elite": self.elite, f"{nation}/NAS": air - self.elite}
        wing = {key: number for key, number in wing.items() if number}
        return Ship(id, self.name or id, nation, kind, size, self.fast, self.hits, self.damaged, wing)


class GroupJson(msgspec.Struct, forbid_unknown_fields=True):
    """A combat group. Light ships are counts by key: "Japan/CA" (cruisers of two factors), "Japan/DD/loaded".

    Loaded ships carry cargo (20.58): `cargo` says what, and what each part of it needs; unsaid, a factor's worth each.
    """

    number: int = 1
    name: str = ""
    ships: list[ShipJson] = []
    light: dict[str, int] = {}
    cargo: list[Cargo] = []
    supply: bool = False
    hampered: bool = False
    found: int = 0
    spent: int = 0
    met: int = 0
    victorious: bool = False
    evaded: bool = False
    attacked: bool = False
    fought: bool = False
    patrol: dict[str, int] = {}
    cover: dict[str, int] = {}
    mission: str = "patrol"
    base: str = ""

    def group(self) -> CombatGroup:
        """The group as the model has it."""
        counts = light_ships(self.light)
        ships = tuple(ship.ship(index) for index, ship in enumerate(self.ships, start=1))
        ids = [LIGHT, *(ship.id for ship in ships)]  # the light ships as a target
        if len(set(ids)) < len(ids):
            twice = next(id for id in ids if ids.count(id) > 1)
            raise PlayerError(f"{twice!r} is the name of more than one target; give each ship an id of her own")
        return CombatGroup(
            self.number,
            self.name or f"CG{self.number}",
            ships,
            counts,
            cargo_spelled(self.cargo) or _unsaid_cargo(counts),
            self.supply,
            self.mission,
            self.base,
            unladen=self.hampered,
            found=self.found,
            spent=self.spent,
            met=self.met,
            victorious=self.victorious,
            evaded=self.evaded,
            attacked=self.attacked,
            fought=self.fought,
            scouts=any(ship.fully_operational for ship in ships),
            patrol=squadrons(self.patrol),
            cover=squadrons(self.cover, ashore=True),
        )


def light_ships(counts: Mapping[str, int]) -> dict[str, int]:
    """Light ships by key, checked: their nations as the chart spells them, kinds and states whatever their capitals."""
    checked: dict[str, int] = {}
    for key, number in counts.items():
        kind = found_among(light(key).kind, KIND_NAMES, OTHER_SHIPS) if key.count("/") in (1, 2) else ""
        if kind not in LIGHT_KINDS or number < 0:
            raise PlayerError(f"{key!r}: {number} are no light ships; keys look like Japan/CA or Japan/DD/loaded")
        nation, _, state = light(key)
        state = state.strip().lower()
        if state not in ("", LIGHT_STATES.get(kind)):
            raise PlayerError(
                f"{key!r}: no {KIND_NAMES[kind]} is {state} (20.511, 20.58); cruisers may be damaged, destroyers and "
                "transports loaded"
            )
        checked = plus(checked, {light_key(nation_spelled(nation), kind, state): number})
    return checked


def cargo_spelled(cargo: Iterable[Cargo]) -> tuple[Cargo, ...]:
    """Cargo, checked: it is carried by destroyers or by transports, given by their letters or in words (22.82A)."""
    checked = []
    for item in cargo:
        by = found_among(item.by, KIND_NAMES, OTHER_SHIPS)
        if by not in ("DD", "TR") or item.needs < 0:
            raise PlayerError(
                f"{item.name!r} needs {item.needs} {item.by!r}: cargo needs a number of DD (destroyer factors) or TR "
                "(transports)"
            )
        checked.append(replace(item, by=by))
    return tuple(checked)


def submarine_factors(counts: Mapping[str, int]) -> dict[str, int]:
    """Submarine factors by key, checked, their nations as the chart spells them."""
    checked: dict[str, int] = {}
    for key, number in counts.items():
        nation, kind, state = light(key) if "/" in key else ("", "", "")
        kind, state = kind.strip().upper().removesuffix("S"), state.strip().lower()
        if kind not in ("SUB", "SUBMARINE") or state not in ("", "advanced") or number < 0:
            raise PlayerError(f"{key!r}: {number} are no submarines; keys look like Japan/SUB or Germany/SUB/advanced")
        checked = plus(checked, {light_key(nation_spelled(nation), "SUB", state): number})
    return checked


def _unsaid_cargo(counts: Mapping[str, int]) -> tuple[Cargo, ...]:
    """What loaded ships carry of which nothing else is said: as much as they are, and it may be lost in part."""
    laden = {kind: number_of(counts, kind, "loaded") for kind in ("DD", "TR")}
    return tuple(
        Cargo(f"cargo of {KIND_NAMES[kind]}s", number, kind, divisible=True) for kind, number in laden.items() if number
    )


def nations(names: Iterable[str] | None) -> tuple[str, ...]:
    """Nations as the chart spells them; other names, such as those of bases, as they are."""
    return tuple(nation_spelled(name) for name in names or ())


def research_results(results: Mapping[str, int] | None) -> dict[str, int]:
    """Research results by name, whatever its capitals."""
    spelled = {}
    for name, number in (results or {}).items():
        known = next((each for each in RESEARCH if each.lower() == name.strip().lower()), None)
        if known is None:
            raise PlayerError(f"there is no research into {name[:40]!r}; there is {', '.join(RESEARCH)}")
        if not 0 <= number <= MOST:
            raise PlayerError(f"{number} {known} results cannot be: there are from 0 to {MOST}")
        spelled[known] = number
    return spelled


KINDS = ("NAS", "AAS", "JET", "ATR", "KAM")
STATES = ("", "elite", *ROLES)


def squadrons(counts: Mapping[str, int], *, ashore: bool = False, factors: bool = False) -> dict[str, int]:
    """Squadrons by key, checked, their nations as the chart spells them: "Japan/NAS/elite" from carriers,
    "Germany/AAS/cover@Catania" from land; with `factors` army air may be whole, "Germany/AAF@Catania"."""
    known = (*KINDS, "AAF") if factors else KINDS
    checked: dict[str, int] = {}
    for key, number in counts.items():
        strokes = key.partition("@")[0].count("/")
        nation, kind, state, base = squadron(key) if strokes else ("", "", "", "")
        kind, state = kind.strip().upper(), state.strip().lower()
        if strokes > 2 or kind not in known or state not in STATES or not 0 <= number <= MOST:
            raise PlayerError(
                f"{key!r}: {number} are no squadrons; keys look like Japan/NAS/elite or Germany/AAS/attack@Catania"
            )
        base = base or ("land" if ashore else "")
        checked = plus(checked, {squadron_key(nation_spelled(nation), kind, state, base): number})
    return checked


def lines(modifiers: Modifiers) -> dict[str, Any]:
    """A breakdown as JSON: the total, and its lines of rule, reason and amount."""
    return {"total": modifiers.total, "lines": [[line.rule, line.reason, line.amount] for line in modifiers.lines]}


def status(ship: Ship) -> str:
    """A ship afloat in one word."""
    return "damaged" if ship.damaged else "undamaged"
