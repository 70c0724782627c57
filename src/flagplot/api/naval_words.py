"""How players write what an interception is about, and how the rules spell it: activities, forces, ships, aircraft, ports
and boxes.

Capitals, hyphens, underscores and plurals do not matter; "NR" and "non-TF" will do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flagplot.core.errors import PlayerError
from flagplot.core.words import plain
from flagplot.model.interception import ACTIVITIES, FORCE_KINDS, NOT_INTERCEPTING_BOXES
from flagplot.model.ships import KIND_NAMES
from flagplot.rules.naval.interceptors import NORWEGIAN_PORTS, RAIDER_PORTS, SPOTTING_KINDS

DEEDS = ("fired", "launched", "screened")  # of a unit in a round of counter-interception combat (22.26D)
OTHER_DEEDS = {
    "launchedairstrike": "launched",
    "airstrike": "launched",
    "withheld": "screened",
    "heldback": "screened",
}
SHIP_KINDS = (*KIND_NAMES, "SUB")
OTHER_ACTIVITIES = {
    "nr": "naval redeployment",
    "navalnr": "naval redeployment",
    "nrsofnavalunit": "naval redeployment",
    "redeployment": "naval redeployment",
    "fastcarrier": "fast carrier mission",
    "carriermission": "fast carrier mission",
    "bombardment": "shore bombardment",
    "invasion": "seaborne invasion",
    "raid": "raider",
    "raidinggroup": "raider",
    "displaced": "displacement",
    "displacednavalunit": "displacement",
    "displacedship": "displacement",
    "escaping": "escape",
    "interceptingforce": "interception",
    "interceptingnavalforce": "interception",
}
OTHER_FORCES = {
    "taskforce": "TF",
    "nontf": "loose",
    "nottf": "loose",
    "outsidetf": "loose",
    "sub": "submarine",
}
OTHER_AIRCRAFT = {"nas": "land-based NAS"}
OTHER_SHIPS = {"submarine": "SUB", **{name.replace(" ", ""): kind for kind, name in KIND_NAMES.items()}}


def found_among(name: str, known: Iterable[str], other: Mapping[str, str]) -> str:
    """What is meant by a name, "" if nothing that is known."""
    words = {plain(each): each for each in known} | dict(other)
    wanted = plain(name)
    return words.get(wanted) or words.get(wanted.removesuffix("s"), "")


def _called(name: str, known: Iterable[str], other: Mapping[str, str], what: str) -> str:
    found = found_among(name, known, other)
    if not found:
        raise PlayerError(f"{name[:40]!r} is no {what}; there are {', '.join(known)}")
    return found


def activity_called(name: str) -> str:
    """The naval activity as the rules spell it."""
    return _called(name, ACTIVITIES, OTHER_ACTIVITIES, "naval activity")


def force_called(name: str) -> str:
    """The kind of intercepting force: a TF, the ships of a port outside TFs, a submarine."""
    return _called(name, FORCE_KINDS, OTHER_FORCES, "kind of force")


def deed_called(name: str) -> str:
    """What a unit did in a round of counter-interception combat."""
    return _called(name, DEEDS, OTHER_DEEDS, "deed in a round")


def ship_called(name: str) -> str:
    """The kind of ship, by its letters or in words."""
    return _called(name, SHIP_KINDS, OTHER_SHIPS, "kind of ship")


def aircraft_spelled(name: str) -> str:
    """What kind of aircraft might spot; "NAS" is naval air ashore. Any other kind as it is: it does not."""
    return found_among(name, SPOTTING_KINDS, OTHER_AIRCRAFT) or name.strip()


def kind_of_box(name: str) -> str:
    """A box as 22.11B speaks of it: "Atlantic SW box" is an SW box, "Pacific US box" one of the U.S.; any other as it is."""
    words = name.lower().replace(".", "").replace("_", " ").replace("united states", "us").split()
    if "south" in words and "africa" in words:
        return NOT_INTERCEPTING_BOXES[1]
    if "us" in words or "usa" in words:
        return NOT_INTERCEPTING_BOXES[0]
    return NOT_INTERCEPTING_BOXES[2] if "sw" in words else name.strip().removesuffix(" box")


def end_spelled(name: str) -> str:
    """A port or SW box at the end of a voyage as 22.11A speaks of it; any other name as it is."""
    if kind_of_box(name) == "SW":
        return "SW box"
    return found_among(name, (*NORWEGIAN_PORTS, *RAIDER_PORTS), {}) or name.strip()
