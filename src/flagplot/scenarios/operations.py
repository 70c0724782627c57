"""A set-up of an operation: the sea, the ports, what lies in them, and what the moving side may announce.

The sea is a part of a map, or rows of hexes and distances that somebody types in. What a set-up of an operation has
beside what a battle has:

    kind = "operation"
    mover = "axis" or "allies"
    phases = ["movement", "combat", "redeployment"]     # those that are played, in order
    [sea]
    map = "europe"                      # of it, the sea between all ports and `places`, and `margin` hexes around
    margin = 2
    places = ["JJ29"]                   # further hexes everyone may know of; what a side keeps to itself lies between
    lanes = [["Kiel", "Skagerrak", "Bergen"]]           # without a map: each hex lies next to the one before
    distances = [{ from = "Bergen", to = "Narvik", hexes = 8 }]
    straits = [["Skagerrak", "Bergen"]] # beside those of the map
    [inputs]
    interception_cards = { axis = 0, allies = 0 }       # 22.22I
    at_peace = [["Russia", "Japan"]]    # nations of the two sides that are not at war (22.112); none: all are
    restrictions = ["Anglo-French"]     # on cooperation (53.253), or "Russo-Allied"; none: none is in effect
    [[axis.port]]                       # name, hex = its name, operational = true, fortified, invaded = false,
                                        # box = "U.S.", "South Africa", "SW" or another,
                                        # capacity = naval factors it bases (0 = any; on a map 50 for each port),
                                        # what stands there against aircraft and how often carriers may attack it as
                                        # under [port] of a port attack: cities_and_ports, flak, airbases, objectives,
                                        # anchors, fortification, sorties
    [[axis.force]]                      # as in a battle, without mission, arrives, number; base is its port;
                                        # at = a hex, with patrol = "offensive" or "defensive", or displaced = true,
                                        # or began_at_sea = true of a raider on its way home, for ships at sea; nation = its flag, which everyone sees, and its ships'
                                        # magic = the round a Magic interception arrives in (FP-30), 0 for never
    [[axis.boats]]                      # port, or at and patrol; submarines = { Germany = 2 }
    [[axis.air_base]]                   # as in a battle, with hex instead of distance
    [[axis.activity]]                   # name, kind, to (a port or hex), returns, forces = [], meet, calls = [], range = 0,
                                        # staying = false, ground_factors = 0, zone, combined, purpose = "ASW",
                                        # "transports" or "against raiders" for those to or from an SW box (22.11A),
                                        # carrier_mission = true for a fast carrier mission combined with it (23.61B)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.errors import GameError
from flagplot.core.sides import SIDES, Side
from flagplot.model.maps import Map, distance, hex_named
from flagplot.model.operation import (
    KINDS_OF_PHASE,
    PHASES,
    PURPOSES,
    RESTRICTIONS,
    Airfield,
    Boats,
    Harbour,
    NavalForce,
    Order,
    Stations,
    Waters,
)
from flagplot.model.setup import INPUTS, ORDERS_OF_BATTLE, THEATRES, Public, Secret, Setup
from flagplot.model.squadrons import NEAR, AirBase
from flagplot.rules.naval.passage import distances, shortest
from flagplot.rules.table import Ruleset
from flagplot.scenarios.air import PORT_KEYS, SIDE_KEYS, read_air, read_air_base, read_defenses, read_submarines
from flagplot.scenarios.document import LONGEST_TEXT, Part
from flagplot.scenarios.forces import LIGHT, read_force
from flagplot.scenarios.maps import load_map
from flagplot.tables.naval_nationality import NATIONS

TOP_KEYS = (
    "format",
    "title",
    "summary",
    "theatre",
    "kind",
    "mover",
    "phases",
    "order_of_battle",
    "edition",
    "options",
    "inputs",
    "western_front",
    "sea",
    "axis",
    "allies",
)
DEFENSES = tuple(key for key in PORT_KEYS if key != "name")  # of a port against aircraft, as in a port attack
HARBOUR_KEYS = ("name", "hex", "operational", "fortified", "invaded", "box", "capacity", *DEFENSES)
OF_AN_OPERATION = (
    "at",
    "magic",
    "patrol",
    "displaced",
    "began_at_sea",
    "nation",
)  # what a force here has beside one of a battle
FORCE_KEYS = ("name", "base", *OF_AN_OPERATION, "task_force", "inverted", "ships", *LIGHT, "also", "cargo")
ELSEWHERE = (
    "submarines",
    "submarines_spent",
    "destroyers_elsewhere",
)  # keys of a battle: here [[boats]] and forces say it
PATROLS = ("offensive", "defensive")
ACTIVITY_KEYS = (
    "name",
    "kind",
    "to",
    "returns",
    "forces",
    "meet",
    "calls",
    "range",
    "staying",
    "ground_factors",
    "zone",
    "combined",
    "purpose",
    "carrier_mission",
)
KINDS = tuple(kind for phase in PHASES for kind in KINDS_OF_PHASE[phase])
RETURNING = ("sea transport", "seaborne invasion", "shore bombardment", "fast carrier mission", "sea supply")
TAKEN = ("stay", "hold", "wait", "alone", "port")
MOST_HEXES = 99
MOST_FACTORS = 999
FACTORS_PER_PORT = 50  # 20.15


class Sea(NamedTuple):
    """The whole sea before it is cut down to what matters, and the map it is part of, if any."""

    seas: dict[str, tuple[str, ...]]
    straits: tuple[tuple[str, str], ...]
    chart: Map | None
    part: Part
    beyond: frozenset[str] = frozenset()  # of the map, once it is cut down

    def hex(self, part: Part, key: str | tuple[str | int, ...], text: str) -> str:
        """A hex by its address, or by the name of a place in it."""
        if text in self.seas:
            return text
        if self.chart is not None:
            try:
                found = hex_named(self.chart, text)
            except GameError as mistake:
                part.refuse(key, "22.12", str(mistake))
            if found in self.seas:
                return found
            if found in self.beyond:
                reason = f"{text} is no part of the sea here; name it in places of [sea], or give that a wider margin"
                part.refuse(key, "22.12", reason)
        return part.refuse(key, "22.12", f"there is no sea hex {text!r}; name one that a lane or the map has")


def read_operation(top: Part, rules: Ruleset) -> Setup:
    """The set-up of an operation."""
    top.only(*TOP_KEYS)
    inputs = top.part("inputs")
    inputs.only("tactical", "search_advantage", "rules_not_held", "interception_cards", "at_peace", "restrictions")
    tactical, cards = inputs.part("tactical"), inputs.part("interception_cards")
    tactical.only(*SIDES)
    cards.only(*SIDES)
    favoured = inputs.one_of("search_advantage", (*SIDES, "none"), "none", "48.32B")
    sea = read_sea(top.part("sea"))
    mover = SIDES[top.one_of("mover", SIDES, rule="22.15")]
    phases = tuple(top.checked_choice(place, item, PHASES, "22.15") for place, item in top.items("phases", 3))
    if not phases:
        top.refuse("phases", "22.15", f"no phase is played; name some of {', '.join(PHASES)}")
    parts = {side: _side(top, side) for side in Side}
    harbours = {side: tuple(read_port(each, sea) for each in parts[side].parts("port")) for side in Side}
    seas = _window(sea, [harbour.hex for side in Side for harbour in harbours[side]])
    sea = sea._replace(
        seas=seas, beyond=frozenset(sea.seas) - frozenset(seas)
    )  # public, so that nothing anybody keeps to himself may show in it
    stations = {side: read_stations(parts[side], side, sea, harbours[side], rules) for side in Side}
    airfields = {side: read_airfields(parts[side], sea) for side in Side}
    _check_names(parts, stations)
    order_of_battle = top.one_of("order_of_battle", ORDERS_OF_BATTLE, "open", "22.423B")
    air = {side: read_air(_without(parts[side], ("air_base",)), parts[side].one_of("nation", NATIONS)) for side in Side}
    public = Public(
        title=top.name("title"),
        summary=top.text("summary", "", LONGEST_TEXT),
        theatre=top.one_of("theatre", THEATRES, rule="22.63"),
        kind="operation",
        interceptor=mover.enemy,
        order_of_battle=order_of_battle,
        names={side: parts[side].name("name", parts[side].one_of("nation", NATIONS)) for side in Side},
        tactical={side: tactical.number(side.value, -5, 5, 0, "48.51B") for side in Side},
        search_advantage={side: 0 if favoured == "none" else 1 if favoured == side else -1 for side in Side},
        aircraft=True,
        submarines=True,
        western_front=top.flag("western_front"),
        inputs=inputs.one_of("rules_not_held", INPUTS, "default", "20.524"),
        air=air,
        operation=Waters(
            seas=seas,
            mover=mover,
            phases=phases,
            harbours={
                side: tuple(
                    _flown_to(port, sea, seas, air[side.enemy].carrier_range or NEAR) for port in harbours[side]
                )
                for side in Side
            },
            map=sea.chart.name if sea.chart else "",
            straits=tuple(pair for pair in sea.straits if pair[0] in seas and pair[1] in seas),
            norway=_norway(sea.chart, seas),
            cards={side: cards.number(side.value, 0, 9, 0, "22.22I") for side in Side},
            airfields={side: tuple(_seen_from(field, sea, seas) for field in airfields[side]) for side in Side},
            air_range={side: air[side].air_range for side in Side},
            at_peace=tuple(_at_peace(inputs, place, pair) for place, pair in inputs.items("at_peace")),
            restrictions=tuple(
                inputs.checked_choice(place, item, RESTRICTIONS, "53.253")
                for place, item in inputs.items("restrictions")
            ),
        ),
    )
    secrets = {
        side: Secret(
            forces=(),
            impaired=tuple(
                parts[side].checked_choice(place, item, NATIONS, "22.552A")
                for place, item in parts[side].items("partial_supply_or_oil")
            ),
            stations=stations[side],
        )
        for side in Side
    }
    return Setup(public=public, sides=secrets)


def _side(top: Part, side: Side) -> Part:
    if side.value not in top:
        top.refuse(side.value, "22.31", f"the side is missing; add a table [{side}]")
    part = top.part(side.value)
    known = [key for key in SIDE_KEYS if key not in ELSEWHERE]
    part.only("name", "nation", "partial_supply_or_oil", "port", "force", "boats", "activity", *known)
    return part


def _at_peace(inputs: Part, place: tuple[str | int, ...], pair: object) -> tuple[str, str]:
    """22.112. Two nations that are not at war."""
    if not isinstance(pair, list) or len(pair) != 2:
        inputs.refuse(place, "22.112", "two nations that are not at war are a pair of names")
    one, two = (inputs.checked_choice(place, nation, NATIONS, "22.112") for nation in pair)
    return one, two


def _without(part: Part, keys: Iterable[str]) -> Part:
    """The same table without some of its keys, for a reader that does not know them."""
    left = {key: value for key, value in part.values.items() if key not in keys}
    return Part(part.document, part.path, left)


# -- the sea --------------------------------------------------------------------------------------


def read_sea(part: Part) -> Sea:
    """22.12. The hexes ships may enter, from a map or typed in, and the straits between them."""
    part.only("map", "margin", "places", "lanes", "distances", "straits")
    chart: Map | None = None
    links: dict[str, list[str]] = {}
    straits: list[tuple[str, str]] = []
    if "map" in part:
        try:
            chart = load_map(part.name("map"))
        except GameError as mistake:
            part.refuse("map", "22.12", str(mistake))
        for here, near in enumerate(chart.sailing):
            if near:
                links[chart.addresses[here]] = [chart.addresses[each] for each in near]
        for box in chart.boxes:
            links[box.name] = [box.name]  # next to itself: no way leads through it
            for entry in box.entries:
                _link(links, box.name, entry)
        straits += [crossing.hexes for crossing in chart.crossings]
    for place, row in part.items("lanes"):
        if not isinstance(row, list) or not all(isinstance(hex, str) for hex in row) or len(row) < 2:
            part.refuse(place, "22.12", "a lane is a list of two hexes or more, each next to the one before")
        for here, there in pairwise(row):
            _link(links, here, there)
    for each in part.parts("distances"):
        each.only("from", "to", "hexes")
        one, two = each.name("from"), each.name("to")
        hexes = each.number("hexes", 1, MOST_HEXES, rule="22.23")
        row = [one, *(f"{one}-{two} {number}" for number in range(1, hexes)), two]
        for here, there in pairwise(row):
            _link(links, here, there)
    for place, pair in part.items("straits"):
        if not isinstance(pair, list) or len(pair) != 2 or pair[1] not in links.get(pair[0], ()):
            part.refuse(place, "22.13A", "a strait is a pair of hexes next to each other")
        straits.append((pair[0], pair[1]))
    if not links:
        part.refuse("", "22.12", "there is no sea; name a map, or write lanes or distances")
    return Sea({hex: tuple(near) for hex, near in links.items()}, tuple(straits), chart, part)


def _link(links: dict[str, list[str]], one: str, two: str) -> None:
    for here, there in ((one, two), (two, one)):
        if there not in links.setdefault(here, []):
            links[here].append(there)


def _window(sea: Sea, places: list[str]) -> dict[str, tuple[str, ...]]:
    """Of the sea of a map, what lies on and around the shortest ways between all places; typed hexes all."""
    if sea.chart is None:
        if "places" in sea.part:
            sea.part.refuse("places", "22.12", "without a map all hexes that are typed in are the sea; leave it out")
        return sea.seas
    margin = sea.part.number("margin", 0, 9, 2)
    places = [
        *places,
        *(sea.hex(sea.part, at, sea.part.checked_text(at, item)) for at, item in sea.part.items("places")),
    ]
    kept: dict[str, None] = dict.fromkeys(places)
    for index, one in enumerate(places):
        for two in places[index + 1 :]:
            kept.update(dict.fromkeys(shortest(sea.seas, one, two)))
    for _ in range(margin):
        kept.update(dict.fromkeys([near for hex in kept for near in sea.seas[hex]]))
    for box in sea.chart.boxes:
        if box.name not in places:
            kept.pop(box.name, None)
    return {hex: tuple(near for near in sea.seas[hex] if near in kept) for hex in sea.seas if hex in kept}


def _norway(chart: Map | None, seas: Mapping[str, object]) -> tuple[str, ...]:
    """22.11A. The Norwegian coastal hexes of the map."""
    if chart is None:
        return ()
    regions = [region for region in chart.regions if "Norw" in region.name]
    return tuple(hex for region in regions for hex in region.hexes if hex in seas)


# -- what lies on it ------------------------------------------------------------------------------


def read_port(part: Part, sea: Sea) -> Harbour:
    """22.11B. A port or a box of a side. What the map says of it holds unless the set-up says otherwise."""
    part.only(*HARBOUR_KEYS)
    name = part.name("name")
    hex = sea.hex(part, "hex" if "hex" in part else "name", part.name("hex", name))
    known = next((place for place in sea.chart.places if place.name == name), None) if sea.chart else None
    box = next((each for each in sea.chart.boxes if each.name == hex), None) if sea.chart else None
    return Harbour(
        name,
        hex,
        part.flag("operational", known.operational if known else True),
        part.flag("fortified", known.fortified if known else False),
        part.text("box", box.kind if box else ""),
        part.flag("invaded"),
        part.number("capacity", 0, MOST_FACTORS, known.ports * FACTORS_PER_PORT if known else 0, "20.15"),
        read_defenses(part) if any(key in part for key in DEFENSES) else None,
    )


def read_stations(part: Part, side: Side, sea: Sea, harbours: tuple[Harbour, ...], rules: Ruleset) -> Stations:
    """What a side has where, and what it may announce."""
    nation = part.one_of("nation", NATIONS, rule="22.552A")
    ports = {harbour.name: harbour for harbour in harbours}
    if not ports:
        part.refuse("", "22.63", f"{side} has no port; add a [[{side}.port]]")
    forces = tuple(_force(each, nation, sea, ports, rules) for each in part.parts("force"))
    boats = tuple(_boats(each, sea, ports) for each in part.parts("boats"))
    orders = tuple(_order(each, sea, ports, [force.id for force in forces]) for each in part.parts("activity"))
    return Stations(forces=forces, boats=boats, orders=orders)


def _force(part: Part, nation: str, sea: Sea, ports: Mapping[str, Harbour], rules: Ruleset) -> NavalForce:
    part.only(*FORCE_KEYS)
    base = part.one_of("base", ports, rule="22.63")
    patrol = part.one_of("patrol", ("", *PATROLS), "", "21.41")
    displaced, raider = part.flag("displaced"), part.flag("began_at_sea")
    nation = part.one_of("nation", NATIONS, nation, "22.141E")
    force = read_force(_without(part, OF_AN_OPERATION), nation, rules.most_groups)
    if force.name in TAKEN or "|" in force.name:
        part.refuse("name", "22.421", f"a force may not be called {force.name}, which has a meaning in play; rename it")
    if force.task_force and force.factors > rules.most_group_factors:
        reason = (
            f"a task force has at most {rules.most_group_factors} factors and this one has {force.factors}; split it"
        )
        part.refuse("", "20.162", reason)
    if patrol and "at" not in part:
        part.refuse("patrol", "21.41", "a patrol is at sea; say where with at")
    if displaced and (patrol or "at" not in part):
        part.refuse("displaced", "22.13G", "displaced ships have left their port and patrol nowhere; say where with at")
    if raider and (patrol or displaced or "at" not in part):
        reason = (
            "a raider that began the game at sea is on its way home from there; say from where with at, and no more"
        )
        part.refuse("began_at_sea", "22.11A", reason)
    if "at" in part and not patrol and not displaced and not raider:
        reason = "ships at sea before the first activity are on patrol; say which, or displaced, or began_at_sea"
        part.refuse("at", "21.41", reason)
    hex = sea.hex(part, "at", part.name("at")) if "at" in part else ports[base].hex
    return NavalForce(
        id=force.name,
        place=hex,
        harbour="" if patrol or displaced or raider else base,
        base=base,
        ships=force.ships,
        light=force.light,
        cargo=force.cargo,
        task_force=force.task_force,
        patrol=patrol,
        inverted=force.inverted,
        activity="displacement" if displaced else "raider" if raider else "",
        began_at_sea=raider,
        nation=nation,
        magic=_magic(part, nation, force.task_force) if "magic" in part else None,
    )


def _magic(part: Part, nation: str, task_force: bool) -> int:
    """22.22K. The round in which a Magic interception arrives, which only American task forces make; 0 for never."""
    if nation != "United States" or not task_force:
        part.refuse("magic", "22.22K", "only task forces of the United States make Magic interceptions; leave it out")
    return part.number("magic", 0, MOST_HEXES, rule="22.22K")


def _boats(part: Part, sea: Sea, ports: Mapping[str, Harbour]) -> Boats:
    part.only("port", "at", "patrol", "submarines")
    submarines = read_submarines(part.part("submarines"))
    if "port" in part:
        port = part.one_of("port", ports, rule="22.911")
        return Boats(port, ports[port].hex, submarines)
    hex = sea.hex(part, "at", part.name("at"))
    return Boats(f"patrol in {hex}", hex, submarines, patrol=part.one_of("patrol", PATROLS, rule="22.913"))


def _order(part: Part, sea: Sea, ports: Mapping[str, Harbour], forces: list[str]) -> Order:
    part.only(*ACTIVITY_KEYS)
    name = part.name("name")
    if name in TAKEN:
        part.refuse("name", "22.15", f"an activity may not be called {name}, which has a meaning in play; rename it")
    kind = part.one_of("kind", KINDS, rule="22.15")
    to = part.name("to")
    hex = ports[to].hex if to in ports else sea.hex(part, "to", to)
    returns = part.flag("returns", kind in RETURNING)
    if not returns and to not in ports and kind != "patrol":
        part.refuse("to", "22.15", f"{to} is no port of this side, so the ships must return or patrol there")
    calls = tuple(part.checked_choice(place, item, ports, "22.13C") for place, item in part.items("calls"))
    return Order(
        name=name,
        kind=kind,
        hex=hex,
        harbour=to if to in ports and not returns else "",
        returns=returns,
        forces=tuple(part.checked_choice(place, item, forces, "22.15") for place, item in part.items("forces")),
        meet=sea.hex(part, "meet", part.name("meet")) if "meet" in part else "",
        calls=calls,
        most=part.number("range", 0, MOST_HEXES, 0, "21.33"),
        staying=part.flag("staying"),
        ground=part.number("ground_factors", 0, MOST_HEXES, 0, "22.22F"),
        zone=part.text("zone", ""),
        combined=part.text("combined", ""),
        purpose=part.one_of("purpose", ("", *PURPOSES), "", "22.11A"),
        carrier_mission=part.flag("carrier_mission"),
    )


def read_airfields(part: Part, sea: Sea) -> tuple[Airfield, ...]:
    """18.1. Air bases with their aircraft, each in a hex; on a map they may lie inland."""
    fields = []
    for each in part.parts("air_base"):
        hex = each.name("hex", each.name("name"))
        if sea.chart is not None:
            try:
                hex = hex_named(sea.chart, hex)
            except GameError as mistake:
                each.refuse("hex", "18.11", str(mistake))
        else:
            hex = sea.hex(each, "hex", hex)
        plain = dict(_without(each, ("hex",)).values) | {"distance": 0}
        fields.append(Airfield(read_air_base(Part(each.document, each.path, plain)), hex))
    return tuple(fields)


def _flown_to(port: Harbour, sea: Sea, seas: Mapping[str, tuple[str, ...]], reach: int) -> Harbour:
    """23.61. How far a port is from the hexes from which the enemy's carriers reach it."""
    if port.box:
        return port
    far = _seen_from(Airfield(AirBase(port.name), port.hex), sea, seas).distances
    return replace(port, flights={hex: number for hex, number in far.items() if number <= reach})


def _seen_from(field: Airfield, sea: Sea, seas: Mapping[str, tuple[str, ...]]) -> Airfield:
    """How far every hex is from an air base: as aircraft fly on a map, else by sea."""
    if sea.chart is not None:
        boxes = [box.name for box in sea.chart.boxes]
        far = {hex: distance(field.hex, hex) for hex in seas if hex not in boxes}
    else:
        far = distances(seas, field.hex)
    return Airfield(field.base, field.hex, far)


def _check_names(parts: Mapping[Side, Part], stations: Mapping[Side, Stations]) -> None:
    """20.11, 22.421. On a side ships, forces and activities are told apart by their names; forces, which lie on the board,
    from the other side's forces too, and ships from its ships. What else the other side has is its secret, and may be
    called the same."""
    forces: dict[str, str] = {}
    ships: dict[str, str] = {}
    for side in Side:
        own: dict[str, str] = {}
        for index, force in enumerate(stations[side].forces):
            for name, others in ((force.id, forces), *((ship.id, ships) for ship in force.ships)):
                with_whom = own.get(name) or others.get(name)
                if with_whom:
                    parts[side].refuse(("force", index), "20.11", f"{name} is there twice, also with {with_whom}")
                own[name] = others[name] = force.id
        for index, order in enumerate(stations[side].orders):
            if order.name in own:
                parts[side].refuse(("activity", index, "name"), "22.15", f"{order.name} is the name of something else")
            own[order.name] = order.name
        names = [boats.station for boats in stations[side].boats]
        if len(dict.fromkeys(names)) < len(names):
            parts[side].refuse("boats", "22.911", "the submarines of one place are listed once")
