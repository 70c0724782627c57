"""The strategic war as JSON (24 to 26): turn and stage, SW boxes, fronts and targets, purses and pools, the chart so far.

Built from a `War` as an audience's picture holds it and from the events that audience was sent, and nothing else. In the
strategic war everything lies open, so all audiences are shown the same (see model/war.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from flagplot.core.asks import Decide
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model.state import Battle
from flagplot.model.strategic_war import BOXES, INTERCEPTOR, STRATEGIC_BOMBER, Port
from flagplot.model.war import (
    AAF,
    IN_PORT,
    JET,
    KINDS,
    POOLED,
    STAGES,
    Purse,
    TargetHex,
    War,
    kind_of,
    power_of,
    side_of,
)
from flagplot.play.war_transcript import STAGES as TITLES
from flagplot.play.wording import counted, listed
from flagplot.rules.strategic.bombing import target_strength
from flagplot.rules.strategic.war import chart_row
from flagplot.rules.table import Ruleset
from flagplot.web.war_ledger import ledger_of

# The rule each stage of a player turn stands under.
RULES = {
    "construction": "24.4",
    "movement": "25.31",
    "raiders": "21.53",
    "submarines": "25.4",
    "bombing": "26.4",
    "flying bombs": "26.6",
    "effects": "26.7",
    "convoys": "40.451",
    "redeployment": "25.12",
    "markers": "26.9",
    "end": "24.12",
}
SHORT = {  # what a stage is called on the track
    "construction": "Construction",
    "submarines": "Submarines",
    "bombing": "Bombing",
    "flying bombs": "Flying bombs",
    "effects": "Effects",
    "convoys": "Convoys",
    "markers": "Markers",
    "end": "End",
}
IN_THE_AIR = (STRATEGIC_BOMBER, INTERCEPTOR, AAF, JET)
AT_SEA = tuple(kind for kind in KINDS if kind not in IN_THE_AIR)
TENSION = "25.32"
FIELDS = ("transports", "submarines", "brps")  # of the chart of the war so far


def nation_of(power: str) -> str:
    """The nation of a power as units name it: American bombers of either theatre are American."""
    return power.split(",")[0]


def side_of_unit(name: str) -> Side:
    """Whose units of this name are."""
    return side_of(nation_of(power_of(name)))


def fighting(war: War, battle: Battle) -> bool:
    """Whether a battle is being fought in the war: where raiders are met (22.35), or a convoy is attacked (40.451)."""
    return war.stage in ("raiders", "convoys") and bool(battle.fleets) and battle.segment != "over"


def war_part(war: War, battle: Battle, rules: Ruleset, events: Iterable[Event]) -> dict[str, Any] | None:
    """The war as it stands, and whether a battle is being fought in it; None where there is no war."""
    if not war.names:
        return None
    fronts = {front: theatre for theatre, of in rules.bombing.fronts.items() for front in of}
    elsewhere = [place for place in war.places if place not in BOXES and place not in fronts]
    return {
        "turn": turn(war),
        "stage": war.stage,
        "track": track(war),
        "boxes": [place_of(war, box, AT_SEA) for box in BOXES],
        "elsewhere": [each for each in (place_of(war, place) for place in elsewhere) if any(each["sides"].values())],
        "fronts": [front_of(war, front, theatre) for front, theatre in fronts.items() if _known(war, front)],
        "targets": [target_of(war, rules, each) for each in war.targets.values()],
        "ports": [port_of(each) for each in war.ports.values()],
        "powers": powers(war),
        "pools": pools(war),
        "research": {faction: _told(levels) for faction, levels in war.research.items() if _told(levels)},
        "politics": politics(war),
        "cards": [
            {"campaign": name, "submarine": cards.submarine, "asw": cards.asw} for name, cards in war.cards.items()
        ],
        "rocket_bases": {power: [rocket_base(each) for each in bases] for power, bases in war.rocket_bases.items()},
        "atomic_bombs": dict(war.atomic_bombs),
        "yards": [
            {"name": ship.name, "power": ship.power, "yard": ship.yard, "row": ship.row, "column": ship.column}
            for ship in war.yards
        ],
        "groups": _groups(war),
        "sunk": dict(war.sunk),
        "lost": {each.value: _of_side(war.lost, each) for each in Side},
        "bombed": dict(war.bombed),
        "chart": chart(war),
        "ledger": ledger_of(events),
        "fighting": fighting(war, battle),
        "over": war.over,
    }


def war_named(war: War) -> dict[str, str]:
    """What the sides are called; nothing where there is no war."""
    return {side.value: name for side, name in war.names.items()}


# -- the turn ---------------------------------------------------------------------------------------


def turn(war: War) -> dict[str, Any]:
    """The date, whose player turn it is, and how many turns the war still has."""
    first = war.chart[0].turn if war.chart else war.now.turn
    shown = min(war.now.turn, war.last)
    return {
        "now": str(war.now) if not war.over else f"After {war.last}",
        "date": str(shown),
        "side": war.now.side.value,
        "last": str(war.last),
        "number": shown.since(first) + 1,
        "of": war.last.since(first) + 1,
    }


def track(war: War) -> list[dict[str, str]]:
    """The stages of the player turn: those past, the one we are in, those to come."""
    keys = [stage for stage in STAGES if stage in TITLES]
    now = len(keys) if war.over else keys.index(war.stage) if war.stage in keys else -1
    states = ["past" if at < now else "now" if at == now else "next" for at in range(len(keys))]
    return [
        {"key": key, "rule": RULES.get(key, "24.12"), "title": SHORT.get(key, TITLES[key]), "state": state}
        for key, state in zip(keys, states, strict=True)
    ]


# -- what stands where --------------------------------------------------------------------------------


def place_of(war: War, place: str, kinds: Sequence[str] = KINDS) -> dict[str, Any]:
    """The units of a place by side: how many are ready, and until when the others do nothing. The Pacific is an SW box
    and a front: ships stand in the one, aircraft on the other."""
    ready = war.ready(place)
    rows: dict[str, list[dict[str, Any]]] = {side.value: [] for side in Side}
    for name, number in war.places.get(place, {}).items():
        if number and kind_of(name) in kinds:
            rows[side_of_unit(name).value].append(
                {
                    "unit": name,
                    "power": power_of(name),
                    "kind": kind_of(name),
                    "number": number,
                    "ready": ready.get(name, 0),
                    "idle": idle_of(war, place, name),
                }
            )
    for of_side in rows.values():
        of_side.sort(key=lambda row: KINDS.index(row["kind"]))
    return {"name": place, "sides": rows}


def idle_of(war: War, place: str, name: str) -> list[dict[str, Any]]:
    """Units of a place that may do nothing yet, by the player turn they wait for."""
    waiting: dict[str, int] = {}
    for each in war.idle:
        if (each.place, each.unit) == (place, name) and war.now.before(each.until):
            waiting[str(each.until)] = waiting.get(str(each.until), 0) + each.number
    return [{"until": until, "number": number} for until, number in waiting.items()]


def _known(war: War, front: str) -> bool:
    """Whether anything is to be said of a front: units, an air base, or a target."""
    return bool(
        any(number and kind_of(name) in IN_THE_AIR for name, number in war.places.get(front, {}).items())
        or war.air_bases.get(front)
        or any(target.front == front for target in war.targets.values())
    )


def front_of(war: War, front: str, theatre: str) -> dict[str, Any]:
    """A front: who has an air base there, and who serves there."""
    here = place_of(war, front, IN_THE_AIR)
    served = any(here["sides"].values())
    return {**here, "theatre": theatre, "bases": list(war.air_bases.get(front, ())), "served": served}


def target_of(war: War, rules: Ruleset, each: TargetHex) -> dict[str, Any]:
    """A target: what it is worth, what fires at bombers, what it bears, how far it is from whom."""
    target, holder = each.target, each.target.controller or each.target.country
    strength = target_strength(rules, each.defences)
    markers = list(each.all_markers)
    traits = [
        *(["objective"] if target.objective else []),
        *(["key economic area"] if target.key_economic_area else []),
        *(["industrial center"] if target.ic else []),
    ]
    return {
        "name": each.name,
        "front": each.front,
        "holder": holder,
        "country": target.country,
        "side": side_of(holder).value,
        "kind": target.kind.value,
        "traits": traits,
        "value": each.value,
        "strength": strength.total,
        "defences": [[line.rule, line.reason, line.amount] for line in strength.lines],
        "markers": markers,
        "burnt": list(each.burnt),
        "ships": list(target.ships),
        "distances": [{"from": who, "hexes": hexes} for who, hexes in each.distances.items() if who != holder],
        "damage": sum(war.damage.get(each.name, {}).values()),
        "defending": dict(war.defending.get(each.name, {})),
    }


def port_of(port: Port) -> dict[str, Any]:
    """A port, and what it lacks."""
    return {
        "name": port.name,
        "holder": port.holder,
        "side": (Side.AXIS if port.axis or side_of(port.holder) is Side.AXIS else Side.ALLIES).value,
        "front": port.front,
        "operational": port.operational,
        "fully_supplied": port.fully_supplied,
    }


def rocket_base(base: Any) -> dict[str, Any]:
    """A rocket base (26.6)."""
    return {"id": base.id, "damaged": base.damaged, "operational": base.operational, "range": base.range}


def _groups(war: War) -> list[dict[str, str]]:
    """Surface ships that raid, and those that hunt them, where the war has any (21.53)."""
    found = []
    for role in ("raiders", "hunters"):
        for each in getattr(war, role, ()):
            name = each.force.name
            at_sea = name in getattr(war, "raiding", ())
            state = "at sea" if at_sea else "may raid" if role == "raiders" else "hunts raiders"
            side = side_of(each.nation).value
            found.append({"name": name, "nation": each.nation, "side": side, "box": each.box, "state": state})
    return found


# -- money, pools, research -----------------------------------------------------------------------------


def powers(war: War) -> list[dict[str, Any]]:
    """What each power may still spend, of how much, and what bombing took."""
    names = [*war.purses, *(power for power in war.limits if power not in war.purses)]
    return [
        {
            "name": power,
            "side": side_of(power).value,
            "brps": war.purses.get(power, Purse()).brps,
            "construction": war.purses.get(power, Purse()).construction,
            "construction_limit": war.limits.get(power, Purse()).construction,
            "shipbuilding": war.purses.get(power, Purse()).shipbuilding,
            "shipbuilding_limit": war.limits.get(power, Purse()).shipbuilding,
            "reduced": war.reduced.get(power, 0),
            "bombed": war.bombed.get(power, 0),
        }
        for power in names
    ]


def pools(war: War) -> list[dict[str, Any]]:
    """Each force pool: by kind what is built, and what may yet be built."""
    found = []
    for owner, kinds in war.pools.items():
        rows = [
            {"kind": kind, "built": kinds[kind].built, "allowable": kinds[kind].allowable}
            for kind in POOLED
            if kind in kinds and kinds[kind].size
        ]
        if rows:
            found.append({"owner": owner, "side": side_of(nation_of(owner)).value, "kinds": rows})
    return found


def _told(levels: Any) -> dict[str, int]:
    """Research levels by their names; those at nought are left out."""
    return {name.replace("_", " "): level for name, level in msgspec.structs.asdict(levels).items() if level}


def politics(war: War) -> list[dict[str, str]]:
    """War and tension, in words, as far as these rules ask."""
    at = war.politics
    pairs = (
        (at.germany_us_war, "Germany and the United States", f"U.S.-Axis tension {at.usat}"),
        (at.japan_us_war, "Japan and the United States", f"U.S.-Japanese tension {at.usjt}"),
        (at.japan_britain_war, "Japan and Britain", ""),
        (at.germany_russia_war, "Germany and Russia", ""),
        (at.japan_russia_war, "Japan and Russia", ""),
    )
    told = []
    for fighting, who, tension in pairs:
        text = f"{who} are at war" if fighting else f"{who} are not at war" + (f": {tension}" if tension else "")
        told.append({"rule": "" if fighting else TENSION if tension else "", "text": text})
    if at.germany_us_war and war.war_phases:
        phases = counted(war.war_phases, "Axis combat phase")
        told.append({"rule": "25.66", "text": f"{phases} since Germany and the United States went to war"})
    if war.us_reentry:
        told.append({"rule": "25.66", "text": "The United States came back into the war"})
    if war.ireland is not None:
        told.append({"rule": "25.6", "text": f"Ireland: diplomatic result {war.ireland}"})
    if war.axis_holds:
        told.append({"rule": "25.13A", "text": f"The Axis hold {listed(war.axis_holds)}"})
    return told


def _of_side(counts: Mapping[str, int], side: Side) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number and side_of_unit(name) is side}


# -- the chart of the war -----------------------------------------------------------------------------


def chart(war: War) -> dict[str, Any]:
    """Transports, submarines and BRPs at the end of every turn, and as they are now."""
    rows = list(war.chart)
    running = not war.over
    if running:
        rows.append(chart_row(war))
    told: dict[str, Any] = {"turns": [str(row.turn) for row in rows], "running": running}
    for field in FIELDS:
        counts: list[Mapping[str, int]] = [getattr(row, field) for row in rows]
        names = list(dict.fromkeys(name for each in counts for name, number in each.items() if number))
        told[field] = [
            {"name": name, "side": side_of(name).value, "values": [each.get(name, 0) for each in counts]}
            for name in names
        ]
    told["sunk"] = [dict(row.sunk) for row in rows]
    told["bombed"] = [dict(row.bombed) for row in rows]
    return told


# -- the question -----------------------------------------------------------------------------------


BY_PLACE = (  # questions whose items are units in a place: "Germany submarine, Atlantic"
    "SW movement",
    "SW redeployment",
    "submarine warfare",
    "strategic bombing",
    "air defense of targets",
    "meeting a later raid",
    "flying bomb defense",
    "air placement",
    "air redeployment",
)
INVERTED = ", inverted"


def grouped(decision: Decide, items: Sequence[dict[str, Any]]) -> None:
    """Say of the items of a question about the war under which heading they stand, and call them shortly."""
    for item in items:
        key = str(item["key"])
        if decision.kind == "SW construction" and ": " in key:
            item["group"] = key.split(": ", 1)[0]
            item["label"] = str(item["label"]).removesuffix(f", by {item['group']}")
        elif decision.kind in BY_PLACE and ", " in key:
            plain = key.removesuffix(INVERTED)
            name, place = plain.rsplit(", ", 1)
            item["group"] = "In port" if place == IN_PORT else f"{place[:1].upper()}{place[1:]}"
            item["label"] = name + (INVERTED if plain != key else "")
