"""Twelve situations, fought under every edition with the same dice, for docs/editions.md.

A situation names what is asked, the dice, and what of the answer is shown. Decisions that only one edition asks for stand
under its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from flagplot import api

CRUISER_FORCE = [{"id": "the force", "distance": 10, "ships": ["CA", "DD"]}]
BATTLESHIPS = {
    "axis": {
        "ships": [
            {"id": "Kongo", "nation": "Japan", "kind": "BB", "size": 4},
            {"id": "Haruna", "nation": "Japan", "kind": "BB", "size": 4},
        ]
    },
    "allies": {
        "ships": [
            {"id": "Washington", "nation": "United States", "kind": "BB", "size": 4},
            {"id": "Alaska", "nation": "United States", "kind": "BC", "size": 3},
        ]
    },
    "interceptor": "axis",
}
CARRIER_GROUP = {
    "ships": [
        {"id": "Hornet", "nation": "United States", "kind": "CV", "size": 3},
        {"id": "Iowa", "nation": "United States", "kind": "BB", "size": 5},
    ],
    "light": {"United States/CA": 2, "United States/DD": 4},
}


class Situation(NamedTuple):
    """What is fought, with which dice, and what is shown of it."""

    title: str
    call: str
    with_: Mapping[str, Any]
    dice: tuple[int, ...]
    show: tuple[str, ...]
    decisions: Mapping[str, Iterable[tuple[str, str, Any]]] = MappingProxyType({})


SITUATIONS = (
    Situation(
        "A cruiser force ten hexes off intercepts an invasion of two TFs (30 factors) in its invasion hex, in Europe",
        "interception",
        {
            "target": {"activity": "seaborne invasion", "task_forces": 2, "factors": 30, "in_invasion_hex": True},
            "forces": CRUISER_FORCE,
            "ground_factors": 2,
        },
        (2, 1, 3, 2, 1, 2, 3),
        ("forces.the force.dice", "forces.the force.total", "forces.the force.arrival_round"),
    ),
    Situation(
        "Three TFs at once intercept a base change of two TFs, in the Pacific",
        "interception",
        {
            "theatre": "Pacific",
            "target": {"activity": "base change", "task_forces": 2, "factors": 40},
            "forces": [{"id": each, "distance": 4} for each in ("one", "two", "three")],
        },
        (4, 3, 6, 2, 5, 1),
        ("forces.one.dice", "forces.one.arrival_round", "forces.two.arrival_round", "forces.three.arrival_round"),
    ),
    Situation(
        "A submarine intercepts a patrol that stays in its hex, six hexes off, in Europe",
        "interception",
        {
            "target": {"activity": "patrol", "task_forces": 1, "staying": True, "factors": 12},
            "forces": [{"id": "the submarine", "distance": 6, "kind": "submarine"}],
        },
        (1, 2, 2, 1, 3, 2),
        ("forces.the submarine.dice", "forces.the submarine.total", "forces.the submarine.success"),
    ),
    Situation(
        "Search in round 1: group 1 of ten factors, group 5 of twelve, group 6 a destroyer",
        "search_dice",
        {
            "round": 1,
            "groups": [
                {"number": 1, "light": {"Japan/DD": 10}},
                {"number": 5, "light": {"Japan/DD": 12}},
                {"number": 6, "light": {"Japan/DD": 1}},
            ],
        },
        (),
        ("dice",),
    ),
    Situation(
        "A group with a carrier, two escort carriers and five destroyers is found by two dice: what its owner says",
        "disclosure",
        {
            "group": {
                "ships": [{"id": "Hornet", "nation": "United States", "kind": "CV", "size": 3}],
                "light": {"United States/CVE": 2, "United States/DD": 5},
                "found": 2,
            }
        },
        (),
        ("less_than_ten_factors", "fast_carriers", "carriers", "speed", "composition_revealed"),
    ),
    Situation(
        "A surprise strike of six elite squadrons on a group found twice, which has five squadrons of patrol",
        "air_strike",
        {
            "attackers": {"Japan/NAS/elite": 6},
            "target": {**CARRIER_GROUP, "patrol": {"United States/NAS": 5}, "found": 2},
            "surprise": True,
        },
        (4, 3, 4, 3, 4, 4, 4, 4, 3),
        ("air_combat.engaged_defenders", "air_defense.0.level", "ships", "light", "dice_used"),
    ),
    Situation(
        "The same strike with a die of 6 for surprise",
        "air_strike",
        {
            "attackers": {"Japan/NAS/elite": 6},
            "target": {**CARRIER_GROUP, "patrol": {"United States/NAS": 5}, "found": 2},
            "surprise": True,
        },
        (6, 3, 4, 3, 4, 4, 4, 4, 3),
        ("air_combat.engaged_defenders", "air_defense.0.dice", "ships", "light", "dice_used"),
    ),
    Situation(
        "Two Japanese submarines attack that group: which ships, and what of them",
        "submarine_attack",
        {"submarines": {"Japan/SUB": 2}, "target": CARRIER_GROUP},
        (2, 6, 5, 5, 4, 4),
        ("attacks.0.target", "attacks.0.hits", "attacks.1.target", "attacks.1.hits", "ships", "light"),
    ),
    Situation(
        "A submarine rolls a modified 12",
        "submarine_attack_table",
        {"roll": 12},
        (),
        ("hits",),
    ),
    Situation(
        "Two battleships of four factors against one of four and a battlecruiser of three, all fire as pairs do or at one ship",
        "fleet_combat_result",
        BATTLESHIPS,
        (4, 4, 5, 4, 3, 3, 5, 5),
        ("pairs", "sides.axis.ships", "sides.allies.ships", "dice_used"),
        {
            "2008": (
                ("axis", "heavy targets", {"Kongo": "Washington", "Haruna": "Washington"}),
                ("allies", "answering fire", {"Washington": "Kongo", "Alaska": "Kongo"}),
            )
        },
    ),
    Situation(
        "A battleship and three destroyers find a carrier alone behind an empty screen",
        "fleet_combat_result",
        {
            "axis": {
                "ships": [{"id": "Gneisenau", "nation": "Germany", "kind": "BB", "size": 4}],
                "light": {"Germany/DD": 3},
            },
            "allies": {"ships": [{"id": "Glorious", "nation": "Britain", "kind": "CV", "size": 3}]},
            "interceptor": "axis",
        },
        (2, 1, 4, 5),
        ("sides.allies.ships", "dice_used"),
        {
            "current": (
                ("axis", "surplus capital", {"Gneisenau": "hold"}),
                ("axis", "surplus light", {"Germany/DD": "hold"}),
                ("axis", "screened fire capital", {"Gneisenau": "Glorious"}),
                ("axis", "screened fire light", {"Germany/DD": "Glorious"}),
            ),
            "2008": (
                ("axis", "surplus light", {"Germany/DD": "hold"}),
                ("axis", "screened fire light", {"Germany/DD": "Glorious"}),
            ),
        },
    ),
    Situation(
        "Eight destroyers against two battleships without light ships: one at one of them, the rest at the other",
        "fleet_combat_result",
        {
            "axis": {"light": {"Germany/DD": 8}},
            "allies": {
                "ships": [
                    {"id": "Rodney", "nation": "Britain", "kind": "BB", "size": 4},
                    {"id": "Renown", "nation": "Britain", "kind": "BC", "size": 3},
                ]
            },
            "interceptor": "axis",
        },
        (1, 2, 4, 4, 4, 4),
        ("sides.axis.sunk_light", "sides.allies.ships", "dice_used"),
        {
            "current": (
                ("allies", "surplus capital", {"Rodney": "light", "Renown": "light"}),
                ("axis", "surplus light", {"Germany/DD": {"Rodney": 4, "Renown": 3}}),
            ),
            "2008": (("axis", "surplus light", {"Germany/DD": {"Rodney": 1, "Renown": 6}}),),
        },
    ),
)


def fought(situation: Situation, edition: str) -> dict[str, str]:
    """What a situation comes to under an edition: what is shown of it, in words. Dice that are not needed are left over."""
    answer = api.call(
        situation.call,
        situation.with_,
        dice=situation.dice,
        decisions=list(situation.decisions.get(edition, ())),
        edition=edition,
    )
    return {way: _told(_at(answer, way.split("."))) for way in situation.show}


def _at(value: Any, way: list[str]) -> Any:
    for step in way:
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        elif isinstance(value, Mapping):
            value = value.get(step)
    return value


def _told(value: Any) -> str:
    """A value as one would say it."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping) and {"hits", "status"} <= set(value):
        hits = value["hits"]
        return value["status"] + ("" if hits is None else f", {hits} hit{'s' * (hits != 1)}")
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_told(each)}" for key, each in value.items() if each != {}) or "nothing"
    if isinstance(value, list):
        return (" and " if all(isinstance(each, str) for each in value) else "; ").join(map(_told, value)) or "none"
    return str(value)
