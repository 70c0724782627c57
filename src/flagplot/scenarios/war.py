"""A set-up of the strategic war: from when to when, what stands where, and what arrives from outside turn by turn.

    kind = "war"
    from = "Fall 1939"
    to = "Summer 1945"
    timetable = "ours"                  # a timetable that comes with the game; "" for none
    [axis]
    name = "Axis"
    [allies]
    name = "Western Allies"
    [start]                             # without it the war begins with the forces of 24.31
    places = { Atlantic = { "Germany submarine" = 3 } }
    pools = { Germany = { submarine = { built = 3, allowable = 1 } } }
    [[dispatch]]                        # replaces what the timetable says of the same player turn
    at = "Axis Spring 1940"
    headline = "what happened elsewhere"
    brps = { Germany = 15 }             # and construction, shipbuilding, produced, arrivals, departures, research,
                                        # politics, ports, lost_ports, cards, ireland, targets, closed_targets,
                                        # axis_holds, us_reentry, rocket_bases

Everything a dispatch says belongs to chapters that are not held (27, 30, 33, 41 to 43, 48, the map): it is an input.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from flagplot.core.sides import SIDES, Side
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.strategic_war import (
    ASW,
    ATLANTIC,
    BRITAIN,
    GERMANY,
    ITALY,
    JAPAN,
    PACIFIC,
    SEASONS,
    STRATEGIC_BOMBER,
    SUBMARINE,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    ForcePool,
    PlayerTurn,
    Turn,
)
from flagplot.model.war import IN_PORT, Dispatch, Levels, War, unit
from flagplot.rules.strategic.force_pools import US_EUROPEAN
from flagplot.rules.strategic.submarine_modifiers import starting_research
from flagplot.rules.table import Ruleset
from flagplot.scenarios.document import LONGEST_TEXT, Document, Part

TOP_KEYS = (
    "format",
    "title",
    "summary",
    "kind",
    "from",
    "to",
    "timetable",
    "edition",
    "options",
    "inputs",
    "axis",
    "allies",
    "start",
    "dispatch",
)
FIRST, LAST = Turn(1939, 2), Turn(1946, 3)
_PATH = re.compile(r" - at `\$\.?(.*)`$")


def read_war(top: Part, rules: Ruleset) -> Setup:
    """The set-up of a war."""
    top.only(*TOP_KEYS)
    begin, end = read_turn(top, "from", "Fall 1939"), read_turn(top, "to", "Winter 1946")
    if end < begin:
        top.refuse("to", "24.12", f"the war ends in {end}, before it begins in {begin}; name a later turn")
    names = {}
    for key, side in SIDES.items():
        part = top.part(key)
        part.only("name")
        names[side] = part.name("name", key.capitalize())
    rows = {dispatch.at: dispatch for dispatch in timetable(top.text("timetable", ""), top)}
    for part in top.parts("dispatch"):
        dispatch = read_dispatch(part)
        rows[dispatch.at] = dispatch
    first = PlayerTurn(begin, Side.AXIS)
    kept = tuple(row for row in rows.values() if not row.at.before(first) and row.at.turn <= end)
    start = top.part("start")
    start.only("places", "pools")
    war = War(
        title=top.name("title"),
        names=names,
        now=first,
        last=end,
        places=_convert(start, "places", dict[str, dict[str, int]]) if "places" in start else starting_places(),
        pools=_convert(start, "pools", dict[str, dict[str, ForcePool]]) if "pools" in start else starting_pools(rules),
        research={JAPAN: Levels(torpedo=starting_research(JAPAN).torpedo), WESTERN_ALLIES: Levels(bombers=1)},
        timetable=kept,
    )
    public = Public(
        title=war.title,
        summary=top.text("summary", "", LONGEST_TEXT),
        theatre="Europe",
        kind="war",
        interceptor=Side.AXIS,
        names=names,
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
        war=war,
    )
    return Setup(public=public, sides={side: Secret(forces=()) for side in Side})


def starting_pools(rules: Ruleset) -> dict[str, dict[str, ForcePool]]:
    """24.31. The force pools of the beginning. ASW of Britain and the U.S. are the Western Allies' (24.233)."""
    pools = {owner: dict(kinds) for owner, kinds in rules.sw_units.starting.items() if kinds}
    shared = [pools[power].pop(ASW) for power in (BRITAIN, UNITED_STATES)]
    pools[WESTERN_ALLIES][ASW] = ForcePool(sum(each.built for each in shared), sum(each.allowable for each in shared))
    pools[US_EUROPEAN] = {STRATEGIC_BOMBER: pools[UNITED_STATES].pop(STRATEGIC_BOMBER)}
    return pools


def starting_places() -> dict[str, dict[str, int]]:
    """24.31, 25.13A, 25.22A, 24.53. Where what is built stands at the beginning."""
    return {
        ATLANTIC: {unit(GERMANY, SUBMARINE): 1, unit(BRITAIN, ASW): 1, unit(WESTERN_ALLIES, TRANSPORT): 35},
        PACIFIC: {unit(JAPAN, TRANSPORT): 20},
        IN_PORT: {
            unit(ITALY, SUBMARINE): 1,
            unit(JAPAN, SUBMARINE): 1,
            unit(BRITAIN, SUBMARINE): 1,
            unit(UNITED_STATES, SUBMARINE): 1,
            unit(UNITED_STATES, ASW): 1,
        },
        "western": {unit(BRITAIN, STRATEGIC_BOMBER): 1},
        "Atlantic U.S. box": {unit(US_EUROPEAN, STRATEGIC_BOMBER): 1},
    }


def read_turn(part: Part, key: str, default: str) -> Turn:
    """A turn as players write it: Fall 1939."""
    return _turn(part, (key,), part.text(key, default))


def _turn(part: Part, key: tuple[str | int, ...], text: str) -> Turn:
    season, _, year = text.partition(" ")
    if season in SEASONS and year.isdigit() and FIRST <= Turn(int(year), SEASONS.index(season)) <= LAST:
        return Turn(int(year), SEASONS.index(season))
    return part.refuse(key, "24.12", f"{text!r} is no turn of the war; write Fall 1939 to Winter 1946")


def read_player_turn(part: Part, key: str) -> PlayerTurn:
    """A player turn as players write it: Axis Fall 1939."""
    side, _, rest = part.name(key).partition(" ")
    sides = {"Axis": Side.AXIS, "Allied": Side.ALLIES}
    if side not in sides:
        part.refuse(key, "24.12", "a player turn is written Axis Fall 1939 or Allied Fall 1939")
    return PlayerTurn(_turn(part, (key,), rest), sides[side])


def read_dispatch(part: Part) -> Dispatch:
    """What arrives from outside in one player turn."""
    part.only(*Dispatch.__struct_fields__)
    at = read_player_turn(part, "at")
    values = {**part.values, "at": msgspec.to_builtins(at)}
    dispatch: Dispatch = _converted(part, values, Dispatch)
    return dispatch


def _convert(part: Part, key: str, kind: Any) -> Any:
    return _converted(part.part(key), part.part(key).values, kind)


def _converted(part: Part, values: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as mistake:
        found = _PATH.search(str(mistake))
        path: tuple[str | int, ...] = ()
        if found:
            keys = re.findall(r"\[(\d+)\]|([^.\[\]]+)", found.group(1))
            path = tuple(int(index) if index else name for index, name in keys if name != "...")
        reason = _PATH.sub("", str(mistake))
        return part.refuse(path, "", reason[:1].lower() + reason[1:])


@cache
def _timetables() -> dict[str, bytes]:
    folder = files("flagplot.scenarios").joinpath("timetables")
    return {
        each.name.removesuffix(".toml"): each.read_bytes() for each in folder.iterdir() if each.name.endswith(".toml")
    }


def timetable(name: str, asked: Part) -> tuple[Dispatch, ...]:
    """A timetable that comes with the game."""
    if not name:
        return ()
    tables = _timetables()
    if name not in tables:
        asked.refuse("timetable", "", f"there is no timetable {name!r}; there are {', '.join(sorted(tables))}")
    top = Document(tables[name], f"{name}.toml").tables()
    top.only("format", "dispatch")
    return tuple(read_dispatch(part) for part in top.parts("dispatch"))
