"""A set-up of the strategic war: from when to when, what stands where, and what arrives from outside turn by turn.

    kind = "war"
    from = "Fall 1939"
    to = "Winter 1946"
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
                                        # axis_holds, us_reentry, rocket_bases, rocket_sites, yards, atomic,
                                        # atomic_bombs, atomic_damage, losses, impaired, impaired_air,
                                        # raider_codebreaking, search_squadrons
    [[dispatch.raiders]]                # a force as in a battle, with its nation and where it raids
    name = "Graf Spee"
    nation = "Germany"
    box = "Atlantic"
    ships = ["Graf Spee"]
    [[dispatch.hunters]]                # all that hunt raiders from now on, written alike
    [dispatch.murmansk]                 # convoys to Russia from now on (40.451), while Germany and Russia are at war
    brps = 10                           # that one may bring; 0 ends them
    submarines = 1                      # the most that attack; without it one for ten in the Atlantic, or part of ten
    escort = { name = "Home Fleet", nation = "Britain", base = "Scapa Flow", ships = ["Duke of York"], destroyers = 6 }
    ships = { name = "Northern squadron", nation = "Germany", ships = ["Scharnhorst"], destroyers = 3 }

A war that begins later than its timetable takes over all that the timetable says of before, but for BRPs.

Everything a dispatch says belongs to chapters that are not held (27, 30, 33, 41 to 43, 48, the map): it is an input.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from flagplot.core.sides import SIDES, Audience, Side
from flagplot.model.forces import Force
from flagplot.model.setup import Public, Secret, Setup
from flagplot.model.ships import number_of
from flagplot.model.strategic_war import (
    ASW,
    AXIS_POWERS,
    BOXES,
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
from flagplot.model.war import IN_PORT, Convoys, Dispatch, Hunter, Levels, Purse, Raider, War, unit
from flagplot.model.war_events import DispatchReceived
from flagplot.model.war_fold import apply_war
from flagplot.rules.strategic import force_pools
from flagplot.rules.strategic.deployment import british_asw_begins_in
from flagplot.rules.strategic.force_pools import US_EUROPEAN
from flagplot.rules.strategic.submarine_modifiers import starting_research
from flagplot.rules.table import Ruleset
from flagplot.scenarios.air import MOST_OF_A_KIND
from flagplot.scenarios.document import LONGEST_TEXT, Document, Part
from flagplot.scenarios.forces import read_force
from flagplot.scenarios.war_checks import Checked, check_pools, check_timetable, check_units, enlarged

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
    rows = {row.dispatch.at: row for row in timetable(top.text("timetable", ""), top)}
    own: dict[PlayerTurn, Checked] = {}
    for part in top.parts("dispatch"):
        row = Checked(read_dispatch(part), part)
        if row.dispatch.at in own:
            part.refuse("at", "24.12", f"there are two dispatches for {row.dispatch.at}; write one")
        own[row.dispatch.at] = row
    rows |= own
    ordered = sorted(rows.values(), key=lambda row: (row.dispatch.at.turn, row.dispatch.at.side is Side.ALLIES))
    start = top.part("start")
    start.only("places", "pools")
    places = _convert(start, "places", dict[str, dict[str, int]]) if "places" in start else starting_places()
    pools = _convert(start, "pools", dict[str, dict[str, ForcePool]]) if "pools" in start else starting_pools(rules)
    check_units(start, ("places",), places, rules)
    first = PlayerTurn(begin, Side.AXIS)
    war = War(
        title=top.name("title"),
        names=names,
        now=first,
        last=end,
        places=places,
        pools=pools,
        research={JAPAN: Levels(torpedo=starting_research(JAPAN).torpedo), WESTERN_ALLIES: Levels(bombers=1)},
    )
    check_timetable(ordered, war, rules)
    war = begun(war, [row.dispatch for row in ordered], start)
    check_pools(start, war.pools, war.places)
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
    pools = {owner: dict(force_pools.starting_pools(rules, owner)) for owner in rules.sw_units.starting}
    pools = {owner: kinds for owner, kinds in pools.items() if kinds}
    shared = [pools[power].pop(ASW) for power in (BRITAIN, UNITED_STATES)]
    pools[WESTERN_ALLIES][ASW] = ForcePool(sum(each.built for each in shared), sum(each.allowable for each in shared))
    pools[US_EUROPEAN] = {STRATEGIC_BOMBER: pools[UNITED_STATES].pop(STRATEGIC_BOMBER)}
    return pools


def starting_places() -> dict[str, dict[str, int]]:
    """24.31, 25.13A, 25.22A, 24.53. Where what is built stands at the beginning."""
    return {
        british_asw_begins_in(): {
            unit(GERMANY, SUBMARINE): 1,  # 25.13A: in the Atlantic too
            unit(BRITAIN, ASW): 1,
            unit(WESTERN_ALLIES, TRANSPORT): 35,
        },
        PACIFIC: {unit(JAPAN, TRANSPORT): 20},
        IN_PORT: {
            unit(ITALY, SUBMARINE): 1,
            unit(JAPAN, SUBMARINE): 1,
            unit(BRITAIN, SUBMARINE): 1,
            unit(UNITED_STATES, SUBMARINE): 1,
            unit(UNITED_STATES, ASW): 1,
        },
        "western": {unit(BRITAIN, STRATEGIC_BOMBER): 1},
        force_pools.american_bomber_begins_in(): {unit(US_EUROPEAN, STRATEGIC_BOMBER): 1},
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


def begun(war: War, rows: Sequence[Dispatch], start: Part) -> War:
    """The war as it begins: what the timetable says of the time before has happened, but nothing was spent or built.

    Where a set-up says what stands where, or what the pools hold, that is so.
    """
    first = war.now
    past = [row for row in rows if row.at.before(first)]
    before = war
    for row in past:
        before = apply_war(
            replace(before, now=row.at), DispatchReceived(rule="24.12", to=Audience.EVERYONE, dispatch=row)
        )
    wars = [row.at for row in past if row.politics is not None and row.politics.germany_us_war]
    phases = first.turn.since(wars[0].turn) - (wars[0].side is Side.ALLIES) if wars else 0
    return replace(
        before,
        now=first,
        places=war.places if "places" in start else before.places,
        pools=war.pools if "pools" in start else enlarged(before.pools, before.coming),
        coming={},
        purses={power: Purse() for power in before.purses},
        sunk={},
        lost={},
        cards={},
        raider_codebreaking={},
        war_phases=phases,
        timetable=tuple(row for row in rows if not row.at.before(first) and row.at.turn <= war.last),
    )


def read_dispatch(part: Part) -> Dispatch:
    """What arrives from outside in one player turn."""
    part.only(*Dispatch.__struct_fields__)
    at = read_player_turn(part, "at")
    part.text("headline", "", LONGEST_TEXT)
    plain = {key: value for key, value in part.values.items() if key not in ("raiders", "hunters", "murmansk")}
    dispatch: Dispatch = _converted(part, {**plain, "at": msgspec.to_builtins(at)}, Dispatch)
    raiders = tuple(_raider(each) for each in part.parts("raiders"))
    hunters = tuple(_hunter(each) for each in part.parts("hunters")) if "hunters" in part else None
    murmansk = _convoys(part.part("murmansk")) if "murmansk" in part else None
    return replace(dispatch, raiders=raiders, hunters=hunters, murmansk=murmansk)


def _force(part: Part, nations: Collection[str], rule: str, *others: str) -> tuple[Force, str, str]:
    """A force of warships in an SW box: itself, its box, its nation."""
    nation = part.one_of("nation", nations, rule=rule)
    box = part.one_of("box", BOXES, rule=rule)
    told = {key: value for key, value in part.values.items() if key not in ("nation", "box", *others)}
    force = read_force(Part(part.document, part.path, told), nation, 0)
    if force.cargo or force.supply:
        part.refuse("", "22.35A", "neither raiders nor those who hunt them carry anything; leave it out")
    return force, box, nation


def _raider(part: Part) -> Raider:
    force, box, nation = _force(part, AXIS_POWERS, "21.53", "from_singapore", "off_southern_edge")
    return Raider(force, box, nation, part.flag("from_singapore"), part.flag("off_southern_edge"))


def _hunter(part: Part) -> Hunter:
    force, box, nation = _force(part, (BRITAIN, UNITED_STATES), "25.35E")
    return Hunter(force, box, nation)


def _convoys(part: Part) -> Convoys:
    """40.451. What may sail for Murmansk, and who waits for it there."""
    part.only("brps", "submarines", "escort", "ships")
    escort, ships = (
        _squadron(part, key, nations, default)
        for key, nations, default in (
            ("escort", (BRITAIN, UNITED_STATES), Convoys().escort),
            ("ships", (GERMANY,), Convoys().ships),
        )
    )
    most = part.number("submarines", 0, MOST_OF_A_KIND, rule="40.451D") if "submarines" in part else None
    return Convoys(part.number("brps", 0, MOST_OF_A_KIND, 0, "40.451"), escort, ships, most)


def _squadron(part: Part, key: str, nations: Collection[str], default: Force) -> Force:
    if key not in part:
        return default
    own = part.part(key)
    nation = own.one_of("nation", nations, rule="40.451")
    told = {name: value for name, value in own.values.items() if name != "nation"}
    force = read_force(Part(own.document, own.path, told), nation, 0)
    if force.cargo or force.supply or number_of(force.light, "TR"):
        own.refuse("", "40.451", "transports of the Atlantic carry what sails for Murmansk; leave cargo out")
    return force


def _convert(part: Part, key: str, kind: Any) -> Any:
    return _converted(part.part(key), part.part(key).values, kind)


def _converted(part: Part, values: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as mistake:
        found = _PATH.search(str(mistake))
        keys = re.findall(r"\[(\d+)\]|([^.\[\]]+)", found.group(1) if found else "")
        path = tuple(int(index) if index else name for index, name in keys if name != "...")
        reason = _PATH.sub("", str(mistake))
        return part.refuse(path, "", reason[:1].lower() + reason[1:])


@cache
def _timetables() -> dict[str, bytes]:
    folder = files("flagplot.scenarios").joinpath("timetables")
    return {
        each.name.removesuffix(".toml"): each.read_bytes() for each in folder.iterdir() if each.name.endswith(".toml")
    }


def timetable(name: str, asked: Part) -> tuple[Checked, ...]:
    """A timetable that comes with the game."""
    if not name:
        return ()
    tables = _timetables()
    if name not in tables:
        asked.refuse("timetable", "", f"there is no timetable {name!r}; there are {', '.join(sorted(tables))}")
    top = Document(tables[name], f"{name}.toml").tables()
    top.only("format", "dispatch")
    return tuple(Checked(read_dispatch(part), part) for part in top.parts("dispatch"))
