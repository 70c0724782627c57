"""A set-up's text as the set-up page shows it: whether it can be played, what is in it, and the words it may use.

The law here: whether a battle can be played is said by `parse_scenario` alone, with line and rule. The outline is for
drawing only; whatever in a text is not of the shape it should be is left out of it, and nothing here changes a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from flagplot.core.errors import ScenarioError, UnknownName
from flagplot.core.sides import Side
from flagplot.editions.current import EDITIONS, ruleset
from flagplot.editions.options import OPTIONS, Option
from flagplot.model.forces import MISSIONS
from flagplot.model.operation import PHASES, PURPOSES
from flagplot.model.setup import KINDS, THEATRES
from flagplot.model.ships import CARRIER_KINDS, KIND_NAMES, Ship
from flagplot.model.state import RESEARCH
from flagplot.scenarios import operations
from flagplot.scenarios.air import (
    ADVANCED,
    ADVANCED_NATIONS,
    AIR_NATIONS,
    BOXES,
    CAPACITY,
    FORTIFICATIONS,
    UNITS,
    begun_research,
)
from flagplot.scenarios.document import Document
from flagplot.scenarios.forces import LATEST_ROUND, LIGHT
from flagplot.scenarios.loader import TOP_KEYS, parse_scenario
from flagplot.scenarios.maps import load_map, map_names
from flagplot.scenarios.places import Path, lines
from flagplot.scenarios.ships import find_ship
from flagplot.tables.naval_nationality import NATIONS

PLACE = "the text"  # what complaints call it
MOST_ITEMS = 99
MOST_NUMBER = 10**6

NOTHING = """\
format = 1
title = "A battle of our own"
summary = ""
theatre = "Europe"
interceptor = "allies"
order_of_battle = "hidden"

[axis]
name = "Germany"
nation = "Germany"

[[axis.force]]
name = "First force"
mission = "raid"

[allies]
name = "Britain"
nation = "Britain"

[[allies.force]]
name = "First fleet"
mission = "interception"
"""

NO_OPERATION = """\
format = 1
title = "An operation of our own"
summary = ""
theatre = "Europe"
kind = "operation"
mover = "axis"
phases = ["combat"]
order_of_battle = "hidden"

[sea]
map = "europe"
margin = 1

[axis]
name = "Italy"
nation = "Italy"

[[axis.port]]
name = "Taranto"

[[axis.port]]
name = "Tripoli"

[[axis.force]]
name = "First force"
base = "Taranto"
destroyers = 4
cargo = [{ name = "an infantry corps", needs = 2 }]

[[axis.activity]]
name = "Supplies for Tripoli"
kind = "sea transport"
to = "Tripoli"

[allies]
name = "Britain"
nation = "Britain"

[[allies.port]]
name = "Malta"

[[allies.force]]
name = "First fleet"
base = "Malta"
destroyers = 4
"""

# Rulings that bear on the strategic war alone (24 to 26).
OF_THE_WAR = (
    "damaged_transports_leave",
    "us_asw_indian_ocean",
    "raider_defenders",
    "raider_hunters",
    "jet_modifier",
    "firestorm_counts",
)

PORT_NUMBERS = ("cities_and_ports", "flak", "airbases", "objectives", "anchors", "sorties")
PORT_FLAGS = ("operational", "fortified", "invaded")
_LIGHT_ORDER = ("cruisers", "destroyers", "transports", "escort_carriers", "damaged_cruisers")
_LINE = re.compile(r"^the text(?:, line (\d+))?(?:, (.+))?$", re.DOTALL)


def read(text: str, muster: Collection[str] = ()) -> dict[str, Any]:
    """A text as the page shows it: whether it can be played, if not where and why, and what is in it. What the sides have
    that will muster for themselves is not judged."""
    told = verdict(text, muster)
    try:
        tables = Document(text, PLACE).tables().values
    except ScenarioError:
        return {**told, "outline": None}
    return {**told, "outline": outline(tables, lines(text))}


def verdict(text: str, muster: Collection[str] = ()) -> dict[str, Any]:
    """Whether a text can be played; if not, at which line and key, under which rule, and why."""
    if muster:
        from flagplot.web.muster_text import check_settled  # it uses what is here

        return told_of(text, lambda: check_settled(text, muster))
    return told_of(text, lambda: parse_scenario(text, PLACE))


def told_of(text: str, check: Callable[[], object]) -> dict[str, Any]:
    """What a check of a text comes to."""
    try:
        check()
    except ScenarioError as refusal:
        found = _LINE.match(refusal.place)
        line, where = found.groups() if found else (None, None)
        return {
            "ok": False,
            "line": int(line) if line else text.count("\n") + 1 if "at end of document" in refusal.reason else 0,
            "where": where or "",
            "rule": refusal.rule,
            "reason": refusal.reason,
        }
    return {"ok": True, "line": 0, "where": "", "rule": "", "reason": ""}


def outline(tables: Mapping[str, Any], at: Mapping[Path, int]) -> dict[str, Any]:
    """What a text holds, for the page to draw; whatever is not of the shape it should be is left out."""
    keys = dict.fromkeys((*TOP_KEYS, *operations.TOP_KEYS))
    sea = _table(tables.get("sea"))
    return {
        "battle": {key: _plain(tables[key]) for key in keys if isinstance(tables.get(key), str | int)},
        "phases": _list_of_words(tables.get("phases")),
        "port": _port(_table(tables.get("port"))),
        "sea": {
            "map": _text(sea.get("map")),
            "margin": _number(sea.get("margin", 2)),
            "places": _list_of_words(sea.get("places")),
            "line": at.get(("sea",), 0),
        },
        "options": _words(tables.get("options")),
        "inputs": _inputs(_table(tables.get("inputs"))),
        "sides": {side.value: _side(_table(tables.get(side.value)), (side.value,), at) for side in Side},
    }


def _inputs(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "search_advantage": _text(values.get("search_advantage", "none")),
        "tactical": _numbers(values.get("tactical")),
        "interception_cards": _numbers(values.get("interception_cards")),
        "rules_not_held": _text(values.get("rules_not_held", "default")),
    }


def _port(values: Mapping[str, Any]) -> dict[str, Any]:
    """The port under attack, in a port attack."""
    told = {key: _number(values.get(key, int(key == "cities_and_ports"))) for key in PORT_NUMBERS}
    fortification = _text(values.get("fortification", FORTIFICATIONS[0]))
    return {"name": _text(values.get("name")), "fortification": fortification, **told}


def _side(values: Mapping[str, Any], path: Path, at: Mapping[Path, int]) -> dict[str, Any]:
    nation = values.get("nation")
    nation = nation if isinstance(nation, str) else ""
    return {
        "name": _text(values.get("name")) or nation,
        "nation": nation,
        "line": at.get(path, 0),
        "submarines": _numbers(values.get("submarines")),
        "submarines_spent": _numbers(values.get("submarines_spent")),
        "submarine_codebreaking": _number(values.get("submarine_codebreaking")),
        "carrier_range": _number(values.get("carrier_range")),
        "air_range": _number(values.get("air_range")),
        "research": _numbers(values.get("research")),
        "begun_research": begun_research(nation),
        "excess_asw": _numbers(values.get("excess_asw")),
        **{key: _list_of_words(values.get(key)) for key in ("partial_supply_or_oil", "impaired_air", "winter_air")},
        "bases": [
            {
                "name": _text(each.get("name")),
                "distance": _number(each.get("distance")),
                "invaded": each.get("invaded") is True,
                "line": at.get((*path, "base", n), 0),
            }
            for n, each in enumerate(_tables(values.get("base")))
        ],
        "air_bases": [
            {
                "name": _text(each.get("name")),
                "distance": _number(each.get("distance")),
                "hex": _text(each.get("hex")),
                "operational": each.get("operational", True) is not False,
                "capacity": _number(each.get("capacity", CAPACITY)),
                "aircraft": _numbers(each.get("aircraft")),
                "inverted": _numbers(each.get("inverted")),
                "line": at.get((*path, "air_base", n), 0),
            }
            for n, each in enumerate(_tables(values.get("air_base")))
        ],
        "forces": [
            _force(each, nation, at.get((*path, "force", n), 0)) for n, each in enumerate(_tables(values.get("force")))
        ],
        **_stations(values, path, at),
    }


def _stations(values: Mapping[str, Any], path: Path, at: Mapping[Path, int]) -> dict[str, Any]:
    """What a side has in an operation only: ports, submarines by place, and what it may announce."""
    return {
        "ports": [
            {
                **{key: _text(each.get(key)) for key in ("name", "hex", "box")},
                **{key: each[key] for key in PORT_FLAGS if isinstance(each.get(key), bool)},
                "line": at.get((*path, "port", n), 0),
            }
            for n, each in enumerate(_tables(values.get("port")))
        ],
        "boats": [
            {
                **{key: _text(each.get(key)) for key in ("port", "at", "patrol")},
                "submarines": _numbers(each.get("submarines")),
                "line": at.get((*path, "boats", n), 0),
            }
            for n, each in enumerate(_tables(values.get("boats")))
        ],
        "activities": [
            {
                **{key: _text(each.get(key)) for key in ("name", "kind", "to", "meet", "zone", "combined", "purpose")},
                **{key: _list_of_words(each.get(key)) for key in ("forces", "calls")},
                **{key: _number(each.get(key)) for key in ("range", "ground_factors")},
                "returns": each.get("returns", each.get("kind") in operations.RETURNING) is True,
                "staying": each.get("staying") is True,
                "line": at.get((*path, "activity", n), 0),
            }
            for n, each in enumerate(_tables(values.get("activity")))
        ],
    }


def _force(values: Mapping[str, Any], nation: str, line: int) -> dict[str, Any]:
    items, nation = values.get("ships"), _text(values.get("nation")) or nation
    ships = [_ship(item, nation) for item in items[:MOST_ITEMS]] if isinstance(items, list) else []
    counts = {key: _number(values.get(key)) for key in LIGHT}
    others: list[dict[str, Any]] = [
        {"nation": _text(each.get("nation")), **_light(each)} for each in _tables(values.get("also"))
    ]
    factors = sum(ship["size"] for ship in ships) + _factors(counts) + sum(map(_factors, others))
    cargo = [
        {"name": _text(each.get("name")), "needs": _number(each.get("needs")), "by": _text(each.get("by", "DD"))}
        for each in _tables(values.get("cargo"))
    ]
    return {
        "name": _text(values.get("name")),
        "task_force": values.get("task_force", True) is not False,
        "mission": _text(values.get("mission", MISSIONS[0])),
        "base": _text(values.get("base")),
        "at": _text(values.get("at")),
        "patrol": _text(values.get("patrol")),
        "displaced": values.get("displaced") is True,
        "began_at_sea": values.get("began_at_sea") is True,
        "nation": _text(values.get("nation")),
        "arrives": _number(values.get("arrives", 1)),
        "number": _number(values.get("number")),
        "inverted": values.get("inverted") is True,
        "sea_supply": values.get("sea_supply") is True,
        "sails_empty": values.get("sails_empty") is True,
        "engaged": values.get("engaged", True) is not False,
        "ships": ships,
        "light": counts,
        "also": others,
        "cargo": cargo,
        "factors": factors,
        "carriers": sum(ship["size"] for ship in ships if ship["kind"] in CARRIER_KINDS),
        "line": line,
    }


def _light(values: Mapping[str, Any]) -> dict[str, int]:
    return {key: _number(values.get(key)) for key in LIGHT}


def _factors(counts: Mapping[str, Any]) -> int:
    """20.12. Cruisers are ships of two factors, transports add nothing."""
    two: int = 2 * (counts["cruisers"] + counts["damaged_cruisers"])
    one: int = counts["destroyers"] + counts["escort_carriers"]
    return two + one


def _ship(item: Any, nation: str) -> dict[str, Any]:
    state = item if isinstance(item, dict) else {"name": item}
    name = _text(state.get("name"))
    ship = _known(name, nation)
    told: dict[str, Any] = {"name": name, "kind": "", "kind_name": "", "size": 0, "fast": True, "id": "", "nation": ""}
    if ship is not None:
        told |= ship_facts(ship)
    return told | {
        "name": name,
        "hits": _number(state.get("hits")),
        "damaged": state.get("damaged") is True,
        "air": state.get("air") if type(state.get("air")) is int else None,
        "elite": _number(state.get("elite")),
        "given": _plain(state),
    }


def _known(name: str, nation: str) -> Ship | None:
    for wanted in (nation, None):
        try:
            return find_ship(name, wanted)
        except UnknownName:
            continue
    return None


def ship_facts(ship: Ship) -> dict[str, Any]:
    """A named ship as the list shows her."""
    return {
        "id": ship.id,
        "name": ship.name,
        "nation": ship.nation,
        "kind": ship.kind,
        "kind_name": KIND_NAMES[ship.kind],
        "size": ship.size,
        "fast": ship.fast,
        "carrier": ship.is_carrier,
    }


def words() -> dict[str, Any]:
    """The words a set-up may use, for the page's lists."""
    return {
        "nations": list(NATIONS),
        "air_nations": list(AIR_NATIONS),
        "units": list(UNITS),
        "submarines": [*NATIONS, *(f"{nation}{ADVANCED}" for nation in ADVANCED_NATIONS)],
        "missions": list(MISSIONS),
        "research": list(RESEARCH),
        "boxes": dict(BOXES),
        "light": [[key, key.replace("_", " ")] for key in sorted(LIGHT, key=_LIGHT_ORDER.index)],
        "theatres": list(THEATRES),
        "editions": list(EDITIONS),
        "kinds": [kind for kind in KINDS if kind not in ("operation", "war")],  # they are written in another way
        "latest_round": LATEST_ROUND,
        "phases": list(PHASES),
        "patrols": list(operations.PATROLS),
        "purposes": list(PURPOSES),
        "activities": list(operations.KINDS),
        "returning": list(operations.RETURNING),
        "fortifications": list(FORTIFICATIONS),
        "no_operation": NO_OPERATION,
        "maps": _maps(),
    }


@cache
def _maps() -> dict[str, list[str]]:
    """The maps that come with the game, each with the places on it."""
    return {name: sorted(place.name for place in load_map(name).places) for name in map_names()}


def options() -> list[dict[str, Any]]:
    """The rulings a group may choose, with what each reading means."""
    return [
        {
            "name": option.name,
            "rule": option.rule,
            "ruling": option.ruling,
            "about": option.about,
            "default": option.default,
            "edition": option.edition,
            "operations": option.name not in OF_THE_WAR and _of_interception(option),
            "war": option.name in OF_THE_WAR,
            "values": [{"value": value, "reading": reading} for value, reading in option.readings.items()],
        }
        for option in OPTIONS.values()
    ]


def _of_interception(option: Option) -> bool:
    """Whether a ruling bears on interceptions alone, which only operations have."""
    rules = ruleset()
    return all(replace(change(rules), readings=rules.readings) == rules for change in option.values.values())


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _tables(value: Any) -> list[Mapping[str, Any]]:
    return [_table(each) for each in value[:MOST_ITEMS]] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return value if type(value) is int and abs(value) <= MOST_NUMBER else 0


def _numbers(value: Any) -> dict[str, int]:
    return {key: _number(count) for key, count in _table(value).items()}


def _words(value: Any) -> dict[str, str]:
    return {key: word for key, word in _table(value).items() if isinstance(word, str)}


def _list_of_words(value: Any) -> list[str]:
    return [each for each in value[:MOST_ITEMS] if isinstance(each, str)] if isinstance(value, list) else []


def _plain(value: Any) -> Any:
    """A value without what JSON does not have."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | bool) or (type(value) is int and abs(value) <= MOST_NUMBER) else str(value)
