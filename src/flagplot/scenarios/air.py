"""One side's aircraft, its submarines, and the inputs that bear on both.

The law here: an air unit is written as its nation and what it is, "Japan elite NAS", and a submarine as its nation.
Factors stay factors until the rules break them down (23.13). Whose units they may be is judged in checks.py, by the
claims that are noted here with their places.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from flagplot.model.setup import SPENT, Air
from flagplot.model.ships import Ship, light_key, plus
from flagplot.model.squadrons import FACTORS, ROLES, AirBase, Port, squadron, squadron_key, total
from flagplot.model.state import RESEARCH
from flagplot.rules.strategic.submarine_modifiers import starting_research
from flagplot.scenarios.document import Part
from flagplot.scenarios.places import Path
from flagplot.scenarios.ships import suggestions
from flagplot.tables.air_nationality import NATIONS as AIR_NATIONALITY
from flagplot.tables.naval_nationality import NATIONS

MOST_OF_A_KIND = 99
MOST_RESULTS = 9
CAPACITY = 15  # squadrons: a city, port or airbase has room for five factors (18.12)
AIR_NATIONS = tuple(dict.fromkeys((*NATIONS, *AIR_NATIONALITY)))

# What may follow the nation of an air unit: its kind and state. Jets and air transports are factors unless said not to be.
UNITS = {
    "AAF": ("AAF", ""),
    **{f"{role} AAS": ("AAS", role) for role in ROLES},
    "NAS": ("NAS", ""),
    "elite NAS": ("NAS", "elite"),
    "KAM": ("KAM", ""),
    "JET": ("JET", ""),
    "JET squadrons": ("JET", ""),
    "ATR": ("ATR", ""),
    "ATR squadrons": ("ATR", ""),
}
JAPANESE_UNITS = {"elite NAS": ("17.3", "elite naval air"), "KAM": ("17.4", "kamikazes")}

ADVANCED = " advanced"
ADVANCED_NATIONS = ("Germany", "Italy")
BOXES = {"Atlantic": "Europe", "Pacific": "Pacific", "Indian Ocean": "Pacific"}  # SW boxes, and the theatre of each

# What names of places may not be: in answers they stand beside words and ids of ships, which are written small, and in
# keys beside these signs.
SIGNS = "@|"
WRITTEN_SMALL = re.compile(r"[a-z0-9 #-]+")

AIR_BASE_KEYS = ("name", "distance", "operational", "capacity", "aircraft", "inverted")
SIDE_KEYS = (
    "submarines",
    "submarines_spent",
    "research",
    "carrier_range",
    "impaired_air",
    "winter_air",
    "air_range",
    "submarine_codebreaking",
    "excess_asw",
    "destroyers_elsewhere",
    "air_base",
)


class AirUnit(NamedTuple):
    """An air unit as it is counted: by its key, and whether it is in play as factors or as squadrons."""

    key: str
    factors: bool


class Claim(NamedTuple):
    """Units of a nation that a side says it has, and where in its table it says so."""

    place: Path
    nation: str
    what: str


def read_air(part: Part, nation: str) -> Air:
    """What of a side's table everyone will know: land-based air, and inputs for aircraft and submarines (FP-14). Japan has the
    torpedo result it began with, unless it is said (25.632); by the side's nation, for its submarines are its own affair."""
    begun = begun_research(nation)
    research, boxes = part.part("research"), part.part("excess_asw")
    research.only(*RESEARCH)
    boxes.only(*BOXES)
    bases = tuple(read_air_base(each) for each in part.parts("air_base"))
    return Air(
        bases=bases,
        air_range=part.number("air_range", 0, MOST_OF_A_KIND, 0, "22.442A"),
        carrier_range=part.number("carrier_range", 0, MOST_OF_A_KIND, 0, "22.431"),
        impaired=_impaired(part, "impaired_air", bases),
        winter=_impaired(part, "winter_air", bases),
        research=plus(
            {}, {name: research.number(name, 0, MOST_RESULTS, begun.get(name, 0), "41") for name in RESEARCH}
        ),
        submarine_codebreaking=part.number("submarine_codebreaking", -1, 1, 0, "48.41B"),
        excess_asw=plus({}, {box: boxes.number(box, 0, MOST_OF_A_KIND, 0, "22.9415") for box in BOXES}),
    )


def begun_research(nation: str) -> dict[str, int]:
    """The results a side of this nation has if its set-up does not speak of them (25.632)."""
    return plus({}, {"torpedo": starting_research(nation).torpedo})


def _impaired(part: Part, key: str, bases: tuple[AirBase, ...]) -> tuple[str, ...]:
    """Nations, or single air bases of this side."""
    names = (*AIR_NATIONS, *(base.name for base in bases))
    return tuple(part.checked_choice(place, item, names, "23.441A") for place, item in part.items(key))


def claims(part: Part) -> tuple[Claim, ...]:
    """Every nation that a side's aircraft ashore, its submarines and its other destroyers belong to."""
    found: list[Claim] = []
    for index, base in enumerate(part.parts("air_base")):
        for key in ("aircraft", "inverted"):
            for label in base.part(key).values:
                nation = squadron(air_unit(base.part(key), label).key).nation
                found.append(Claim(("air_base", index, key, label), nation, "aircraft"))
    for key in ("submarines", "submarines_spent"):
        for label in part.part(key).values:
            found.append(Claim((key, label), label.removesuffix(ADVANCED), "submarines"))
    elsewhere = part.part("destroyers_elsewhere")
    for place in elsewhere.values:
        for nation in elsewhere.part(place).values:
            found.append(Claim(("destroyers_elsewhere", place, nation), nation, "destroyers"))
    return tuple(found)


# -- aboard ---------------------------------------------------------------------------------------


def read_wing(part: Part, ship: Ship, *, damaged: bool) -> dict[str, int]:
    """20.3. The naval air aboard a ship: all she can hold unless it is said, or none if she is damaged; some of it elite."""
    air = part.number("air", 0, MOST_OF_A_KIND, 0 if damaged else ship.air, "20.3")
    if air and not ship.is_carrier:
        part.refuse("air", "20.3", f"{ship.name} is no carrier and has no squadrons; leave air out")
    if air > ship.size:
        reason = f"{ship.name} holds {ship.size} squadrons, not {air}; give at most {ship.size} (RC-22)"
        part.refuse("air", "20.3", reason)
    elite = part.number("elite", 0, MOST_OF_A_KIND, 0, "17.3")
    if elite and ship.nation != "Japan":
        reason = f"only Japan has elite naval air, and {ship.name} is a ship of {ship.nation}; leave elite out"
        part.refuse("elite", "17.3", reason)
    if elite > air:
        reason = f"{ship.name} has {air} squadrons aboard, so {elite} cannot be elite; give fewer, or more air"
        part.refuse("elite", "17.3", reason)
    wing = {squadron_key(ship.nation, "NAS", "elite"): elite, squadron_key(ship.nation, "NAS"): air - elite}
    return plus({}, wing)


# -- ashore ---------------------------------------------------------------------------------------


def read_air_base(part: Part) -> AirBase:
    """18.1. A land base within reach, how far off it is, and the air units there, uninverted and inverted."""
    part.only(*AIR_BASE_KEYS)
    name = proper_name(part, "name", part.name("name"))
    factors, squadrons = read_aircraft(part.part("aircraft"))
    inverted_factors, inverted = read_aircraft(part.part("inverted"))
    base = AirBase(
        name,
        part.number("distance", 0, MOST_OF_A_KIND, rule="22.442A"),
        part.flag("operational", True),
        part.number("capacity", 0, MOST_OF_A_KIND, CAPACITY, "18.11"),
        factors,
        squadrons,
        inverted,
        inverted_factors,
    )
    based = 3 * (total(factors) + total(inverted_factors)) + total(squadrons) + total(inverted)
    if based > base.capacity:
        reason = (
            f"{name} has room for {base.capacity} squadrons, three to a factor, and {based} are based there; take some "
            "away, or give a larger capacity"
        )
        part.refuse("aircraft" if "aircraft" in part else "inverted", "18.11", reason)
    return base


def read_aircraft(part: Part) -> tuple[dict[str, int], dict[str, int]]:
    """Air units by number: those in play as factors, and squadrons."""
    factors: dict[str, int] = {}
    squadrons: dict[str, int] = {}
    for label in part.values:
        unit = air_unit(part, label)
        counts = factors if unit.factors else squadrons
        counts[unit.key] = part.number(label, 0, MOST_OF_A_KIND, rule="18.11")
    return plus({}, factors), plus({}, squadrons)


def air_unit(part: Part, label: str) -> AirUnit:
    """17.1. The air unit that is written as this: a nation, and what it is."""
    nation = next((each for each in AIR_NATIONS if label.startswith(f"{each} ")), "")
    unit = label.removeprefix(f"{nation} ")
    if not nation or unit not in UNITS:
        known = [f"{each} {unit}" for each in AIR_NATIONS for unit in UNITS]
        near = suggestions(label, known) or f"write a nation and one of {', '.join(UNITS)}"
        part.refuse(label, "17.1", f"there are no such air units; {near}")
    if unit in JAPANESE_UNITS and nation != "Japan":
        rule, what = JAPANESE_UNITS[unit]
        part.refuse(label, rule, f"only Japan has {what}; leave it out")
    return AirUnit(squadron_key(nation, *UNITS[unit]), unit in FACTORS)


# -- a port under attack --------------------------------------------------------------------------

FORTIFICATIONS = ("none", "fortification", "fortress")
PORT_KEYS = ("name", "cities_and_ports", "flak", "airbases", "objectives", "anchors", "fortification", "sorties")


def read_port(top: Part, kind: str) -> Port | msgspec.UnsetType:
    """23.4212. The port under attack and what stands in its hex against aircraft; of a port attack only."""
    if kind != "port attack":
        if "port" in top:
            top.refuse("port", "23.4212", 'only an attack on a port has one; leave it out, or set kind = "port attack"')
        return msgspec.UNSET
    if "port" not in top:
        top.refuse("port", "23.4212", "the port is missing; add a table [port] with its name")
    part = top.part("port")
    part.only(*PORT_KEYS)
    return read_defenses(part)


def read_defenses(part: Part) -> Port:
    """23.4212. A port and what stands in its hex against aircraft."""
    return Port(
        proper_name(part, "name", part.name("name")),
        part.number("cities_and_ports", 1, MOST_RESULTS, 1, "23.4212A"),
        part.number("flak", 0, MOST_OF_A_KIND, 0, "23.4212B"),
        part.number("airbases", 0, MOST_RESULTS, 0, "23.4212B"),
        part.number("objectives", 0, MOST_RESULTS, 0, "23.4212B"),
        part.number("anchors", 0, MOST_RESULTS, 0, "23.4212B"),
        FORTIFICATIONS.index(part.one_of("fortification", FORTIFICATIONS, "none", "23.4212C")),
        part.number("sorties", 0, MOST_OF_A_KIND, 0, "23.54"),
    )


# -- submarines -----------------------------------------------------------------------------------


def read_submarines(part: Part, *, spent: bool = False) -> dict[str, int]:
    """22.911. Submarines on the board by nation: "Germany", or "Germany advanced". Those that attacked in an earlier round
    of a battle that is taken up in its course are spent (22.92)."""
    counts: dict[str, int] = {}
    for label in part.values:
        nation = part.checked_choice((label,), label.removesuffix(ADVANCED), NATIONS, "22.911")
        advanced = label.endswith(ADVANCED)
        if advanced and nation not in ADVANCED_NATIONS:
            reason = f"only Germany and Italy have advanced submarines; write {nation}"
            part.refuse(label, "22.941", reason)
        state = " ".join([*(["advanced"] if advanced else []), *([SPENT] if spent else [])])
        key = light_key(nation, "SUB", state)
        counts[key] = part.number(label, 0, MOST_OF_A_KIND, rule="22.911")
    return plus({}, counts)


def read_destroyers_elsewhere(part: Part) -> dict[str, dict[str, int]]:
    """22.9432. Uninverted destroyers that may take the losses of others, by the place where they are."""
    places: dict[str, dict[str, int]] = {}
    for key in part.values:
        place = proper_name(part, key, part.checked_text((key,), key))
        here = part.part(key)
        counts: dict[str, int] = {}
        for nation in here.values:
            here.checked_choice((nation,), nation, NATIONS, "22.9432")
            counts[light_key(nation, "DD")] = here.number(nation, 0, MOST_OF_A_KIND, rule="22.9432")
        places[place] = plus({}, counts)
    return places


def proper_name(part: Part, key: str, name: str) -> str:
    """The name of a place. It has a capital letter and no sign that has a meaning in play, where small words have one."""
    if set(name) & set(SIGNS):
        part.refuse(key, "", f"{' and '.join(SIGNS)} have a meaning of their own in play; leave them out of the name")
    if not name or WRITTEN_SMALL.fullmatch(name):
        part.refuse(key, "", "the name of a place must have a capital letter; write it with one")
    return name
